"""From `game.to_dict()` or a view to a `Position`; every name and length is checked on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hansa.errors import InvalidPosition
from hansa.grammar import MARKER_NAMES
from hansa.names import FAVOURS, OWNERS
from hansa.svg.data import board_file_id
from hansa.svg.state import COLOUR_NAMES, TRACKS, Desk, Piece, Position, completed, controller

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["read"]

LARGEST = 10_000


def read(
    data: Mapping[str, Any],
    names: Mapping[str, str] | None = None,
    control: Mapping[str, str | None] | None = None,
) -> Position:
    """The position in `data`; parts left out are empty. Raises InvalidPosition, naming the place."""
    whole = _mapping(data, "position")
    game = _mapping(whole.get("game"), "game")
    count = _number(game.get("players", 3), "game.players")
    board_id = board_file_id(_text(game.get("board"), "game.board"), count)
    out = Position(board_id, {**COLOUR_NAMES, **{k: str(v) for k, v in (names or {}).items()}})
    _read_turn(out, whole, game)
    _read_routes(out, _mapping(whole.get("routes", {}), "routes"))
    _read_cities(out, _mapping(whole.get("cities", {}), "cities"))
    _read_panels(out, whole)
    _read_desks(out, whole, count)
    out.hand = list(_in_hand(whole.get("pending"), set(out.board_places())))
    for city in out.board["cities"]:
        name = city["id"]
        out.control[name] = controller(out.offices.get(name, []), out.extra.get(name, []))
        out.completed += completed(out, city)
    for name, owner in (control or {}).items():
        if name not in out.control:
            raise InvalidPosition(f"control.{name}: no city of {board_id}")
        out.control[name] = None if owner is None else _owner(owner, f"control.{name}")
    return out


def _said(value: Any) -> str:
    """A value as it is shown in a message, cut short."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def _mapping(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise InvalidPosition(
            f"{where}: expected a mapping, as game.to_dict() gives, not {_said(value)}"
        )
    return dict(value)


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise InvalidPosition(f"{where}: expected a list, not {_said(value)}")
    return list(value)


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise InvalidPosition(f"{where}: expected a name, not {_said(value)}")
    return value


def _number(value: Any, where: str, top: int = LARGEST) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= top:
        raise InvalidPosition(f"{where}: {_said(value)} is no whole number within 0 … {top}")
    return value


def _one_of(value: Any, known: Sequence[str], what: str, where: str) -> str:
    if not isinstance(value, str) or value not in known:
        raise InvalidPosition(
            f"{where}: {_said(value)} is no {what}; use one of {', '.join(known)}"
        )
    return str(value)


def _owner(value: Any, where: str) -> str:
    return _one_of(value, OWNERS, "player", where)


def _marker(value: Any, where: str) -> str:
    """The symbol's kind for a marker's name; hidden ones are `?`."""
    return "unknown" if value == "?" else _one_of(value, MARKER_NAMES, "marker", where)


def _piece(value: Any, where: str) -> Piece:
    owner, _, shape = _text(value, where).partition(":")
    if owner not in OWNERS or shape not in {"t", "m"}:
        raise InvalidPosition(
            f"{where}: {_said(value)} is no piece; write owner and shape, such as p1:t"
        )
    return shape, owner


def _read_turn(out: Position, data: dict[str, Any], game: dict[str, Any]) -> None:
    out.turn = _number(data.get("turn", 1), "turn")
    out.active = _owner(data.get("active", "p1"), "active")
    out.player = _owner(data.get("player", out.active), "player")
    out.permissions_used = [
        _text(city, "permissions_used")
        for city in _list(data.get("permissions_used", []), "permissions_used")
    ]
    provinces = {item["id"] for item in out.board.get("two_player", {}).get("provinces", [])}
    if data.get("pawn") is not None:
        out.pawn = _number(data["pawn"], "pawn")
        if out.pawn not in provinces:
            raise InvalidPosition(f"pawn: {out.pawn} is no province of {out.board_id}")
    out.is_pawn_duel = bool(provinces) and (out.pawn is not None or game.get("duel") == "pawn")


def _read_routes(out: Position, routes: dict[str, Any]) -> None:
    known = {route["id"]: len(route["posts"]) for route in out.board["routes"]}
    for name, content in routes.items():
        where = f"routes.{name}"
        if name not in known:
            raise InvalidPosition(f"{where}: no route of {out.board_id}")
        item = _mapping(content, where)
        posts = _list(item.get("posts", []), f"{where}.posts")
        if posts and len(posts) != known[name]:
            raise InvalidPosition(
                f"{where}.posts: {len(posts)} entries, the route has {known[name]} posts"
            )
        for k, piece in enumerate(posts, 1):
            if piece is not None:
                out.posts[f"{name}/{k}"] = _piece(piece, f"{where}.posts[{k - 1}]")
        if item.get("marker") is not None:
            out.markers[name] = _marker(item["marker"], f"{where}.marker")
        for entry in _list(item.get("laid", []), f"{where}.laid"):
            owner, _, kind = _text(entry, f"{where}.laid").partition(":")
            laid = _owner(owner, f"{where}.laid"), _marker(kind, f"{where}.laid")
            out.laid.setdefault(name, []).append(laid)


def _read_cities(out: Position, cities: dict[str, Any]) -> None:
    known = {city["id"]: city for city in out.board["cities"]}
    for name, content in cities.items():
        where = f"cities.{name}"
        if name not in known:
            raise InvalidPosition(f"{where}: no city of {out.board_id}")
        item = _mapping(content, where)
        offices = _list(item.get("offices", []), f"{where}.offices")
        houses = len(known[name]["houses"])
        if offices and not known[name].get("green") and len(offices) != houses:
            raise InvalidPosition(
                f"{where}.offices: {len(offices)} entries, the city has {houses} houses"
            )
        out.offices[name] = [
            None if piece is None else _piece(piece, f"{where}.offices[{i}]")
            for i, piece in enumerate(offices)
        ]
        extra = _list(item.get("extra", []), f"{where}.extra")
        if extra:
            out.extra[name] = [_piece(item, f"{where}.extra[{i}]") for i, item in enumerate(extra)]


def _read_panels(out: Position, data: dict[str, Any]) -> None:
    spaces = {str(space["points"]): space["points"] for space in out.board["prestige"]["spaces"]}
    for key, owner in _mapping(data.get("prestige", {}), "prestige").items():
        if key not in spaces:
            raise InvalidPosition(f"prestige.{key}: no space of {out.board_id}")
        if owner is not None:
            out.prestige[spaces[key]] = _owner(owner, f"prestige.{key}")
    out.link = [
        _owner(owner, "east_west") for owner in _list(data.get("east_west", []), "east_west")
    ]
    out.favours = _favours(data, "favours")


def _favours(data: dict[str, Any], where: str) -> list[str]:
    tiles = _list(data.get("favours", []), where)
    return [_one_of(tile, FAVOURS, "favour", where) for tile in tiles]


def _read_desks(out: Position, data: dict[str, Any], count: int) -> None:
    for name, content in _mapping(data.get("players", {}), "players").items():
        where = f"players.{name}"
        if name not in OWNERS[:count]:
            raise InvalidPosition(f"{where}: not in this game of {count}")
        out.desks[name] = _desk(out, _mapping(content, where), where)
    if data.get("neutral") is not None:
        neutral = _mapping(data["neutral"], "neutral")
        out.neutral_points = _number(neutral.get("points", 0), "neutral.points")


def _desk(out: Position, item: dict[str, Any], where: str) -> Desk:
    levels = _mapping(item.get("skills", {}), f"{where}.skills")
    for skill in levels:
        _one_of(skill, tuple(TRACKS), "skill", f"{where}.skills")
    desk = Desk(
        points=_number(item.get("points", 0), f"{where}.points"),
        supply=_counts(item.get("supply", {}), f"{where}.supply"),
        stock=_counts(item["stock"], f"{where}.stock") if "stock" in item else None,
        skills={
            skill: _number(levels.get(skill, 0), f"{where}.skills.{skill}", len(fields) - 1)
            for skill, fields in TRACKS.items()
        },
        markers=[
            (_marker(kind, f"{where}.{key}"), key)
            for key in ("markers", "plate", "used")
            for kind in _list(item.get(key, []), f"{where}.{key}")
        ],
        favours=_favours(item, f"{where}.favours"),
    )
    mission = item.get("mission")
    if mission is not None:
        desk.has_mission, desk.mission = True, _mission(out, mission, f"{where}.mission")
    return desk


def _counts(value: Any, where: str) -> dict[str, int]:
    counts = _mapping(value, where)
    return {shape: _number(counts.get(shape, 0), f"{where}.{shape}", 27) for shape in ("t", "m")}


def _mission(out: Position, mission: Any, where: str) -> list[str] | None:
    """The names of the three cities; None where the card is hidden."""
    if mission == "?" or (isinstance(mission, list) and "?" in mission):
        return None
    known = {city["id"]: city["name"] for city in out.board["cities"]}
    return [
        str(known[_one_of(city, tuple(known), "city", where)]) for city in _list(mission, where)
    ]


def _in_hand(pending: Any, places: set[str]) -> Iterator[tuple[Piece, str]]:
    """Pieces lifted, displaced and not yet put down, or kept for `perm-place2-route`."""
    if pending is None:
        return
    whole = _mapping(pending, "pending")
    for i, entry in enumerate(_list(whole.get("hand", []), "pending.hand")):
        piece, place = (*_list(entry, f"pending.hand[{i}]"), None, None)[:2]
        if not isinstance(place, str) or place not in places:
            raise InvalidPosition(f"pending.hand[{i}]: {_said(place)} is no post of the board")
        yield _piece(piece, f"pending.hand[{i}]"), str(place)
    for i, content in enumerate(_list(whole.get("stack", []), "pending.stack")):
        where = f"pending.stack[{i}]"
        frame = _mapping(content, where)
        if frame.get("what") == "displaced" and frame.get("waiting") is not None:
            route = _text(frame.get("route"), f"{where}.route")
            if route not in places:
                raise InvalidPosition(f"{where}.route: {_said(route)} is no route of the board")
            yield _piece(f"{frame.get('player')}:{frame['waiting']}", where), route
        elif frame.get("what") == "perm-place2-route":
            for shape in ("t", "m"):
                for _ in range(_number(frame.get(shape, 0), f"{where}.{shape}", 27)):
                    yield _piece(f"{frame.get('player')}:{shape}", where), ""
