"""A position as the drawing needs it, read from `game.to_dict()` and checked by name and length."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hansa.errors import InvalidPosition
from hansa.svg.data import board_data, board_file_id
from hansa.svg.symbols import FAVOURS, MARKERS, OWNERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["COLOUR_NAMES", "Position", "check_marker", "completed", "controller", "read"]

COLOUR_NAMES = {
    "p1": "Red",
    "p2": "Blue",
    "p3": "Gold",
    "p4": "Green",
    "p5": "Purple",
    "n": "Neutral",
}


@dataclass
class Position:
    """What stands where. Pieces are (shape, owner), e.g. ("t", "p1").

    `hand` are pieces off the board in the middle of something, each with the post it was lifted
    from or the route it was displaced from.
    """

    board_id: str
    names: dict[str, str]
    data: dict[str, Any] = field(default_factory=dict)
    posts: dict[str, tuple[str, str]] = field(default_factory=dict)
    markers: dict[str, str] = field(default_factory=dict)
    laid: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    offices: dict[str, list[tuple[str, str] | None]] = field(default_factory=dict)
    extra: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    prestige: dict[int, str] = field(default_factory=dict)
    link: list[str] = field(default_factory=list)
    pawn: int | None = None
    favours: list[str] = field(default_factory=list)
    points: dict[str, int] = field(default_factory=dict)
    control: dict[str, str | None] = field(default_factory=dict)
    completed: int = 0
    player: str = "p1"
    hand: list[tuple[tuple[str, str], str]] = field(default_factory=list)

    @property
    def board(self) -> dict[str, Any]:
        """The board file."""
        return board_data(self.board_id)

    def board_places(self) -> Iterator[str]:
        """Every route and every post by its name."""
        for route in self.board["routes"]:
            yield route["id"]
            yield from (f"{route['id']}/{k}" for k in range(1, len(route["posts"]) + 1))


def controller(offices: list[tuple[str, str] | None], extra: list[tuple[str, str]]) -> str | None:
    """Who controls a city: most offices (CONTROL-1), on a tie whose rightmost office is further right (CONTROL-2)."""
    row = [piece[1] for piece in (*extra, *offices) if piece is not None]
    if not row:
        return None
    most = max(row.count(owner) for owner in row)
    return next(owner for owner in reversed(row) if row.count(owner) == most)


def completed(position: Position, city: dict[str, Any]) -> bool:
    """A city counts as completed with its last house filled; a green city with its first office (EAST-9)."""
    offices = position.offices.get(city["id"], [])
    if city.get("green"):
        return bool(offices)
    return bool(offices) and all(piece is not None for piece in offices)


def _want(value: Any, kind: type, where: str) -> Any:
    if not isinstance(value, kind) or isinstance(value, bool):
        names = {dict: "a mapping", list: "a list", str: "a text", int: "a whole number"}
        raise InvalidPosition(f"{where}: {value!r} is not {names.get(kind, kind.__name__)}")
    return value


def _piece(value: Any, where: str) -> tuple[str, str]:
    owner, _, shape = _want(value, str, where).partition(":")
    if owner not in OWNERS or shape not in {"t", "m"}:
        raise InvalidPosition(
            f"{where}: {value!r} is no piece; write owner and shape, such as p1:t"
        )
    return shape, owner


def _owner(value: Any, where: str) -> str:
    if value not in OWNERS:
        raise InvalidPosition(f"{where}: {value!r} is no player; use p1 … p5 or n")
    return str(value)


def check_marker(value: Any, where: str) -> str:
    """The symbol's kind for a marker's name; hidden ones are `?`. Raises InvalidPosition."""
    if value == "?":
        return "unknown"
    if value not in MARKERS:
        raise InvalidPosition(f"{where}: {value!r} is no marker; use one of {', '.join(MARKERS)}")
    return str(value)


def read(
    data: Mapping[str, Any],
    names: Mapping[str, str] | None,
    control: Mapping[str, str | None] | None,
) -> Position:
    """The position in `data`; parts left out are empty. Raises InvalidPosition, naming the place."""
    if not isinstance(data, dict):
        raise InvalidPosition(
            f"position: expected the mapping that game.to_dict() gives, not {type(data).__name__}"
        )
    game = _want(data.get("game"), dict, "game")
    count = _want(game.get("players", 3), int, "game.players")
    board_id = board_file_id(_want(game.get("board"), str, "game.board"), count)
    board = board_data(board_id)
    out = Position(
        board_id, {**COLOUR_NAMES, **{k: str(v) for k, v in (names or {}).items()}}, dict(data)
    )
    _read_routes(out, board, _want(data.get("routes", {}), dict, "routes"))
    _read_cities(out, board, _want(data.get("cities", {}), dict, "cities"))
    _read_rest(out, board, data, count)
    cities = {city["id"]: city for city in board["cities"]}
    out.control = {
        name: controller(out.offices.get(name, []), out.extra.get(name, [])) for name in cities
    }
    for name, owner in (control or {}).items():
        if name not in cities:
            raise InvalidPosition(f"control.{name}: no city of {board_id}")
        out.control[name] = None if owner is None else _owner(owner, f"control.{name}")
    out.completed = sum(completed(out, city) for city in cities.values())
    return out


def _read_routes(out: Position, board: dict[str, Any], routes: dict[str, Any]) -> None:
    known = {route["id"]: route for route in board["routes"]}
    for name, content in routes.items():
        where = f"routes.{name}"
        if name not in known:
            raise InvalidPosition(f"{where}: no route of {board['id']}")
        item = _want(content, dict, where)
        posts = _want(item.get("posts", []), list, f"{where}.posts")
        if posts and len(posts) != len(known[name]["posts"]):
            raise InvalidPosition(
                f"{where}.posts: {len(posts)} entries, the route has {len(known[name]['posts'])} posts"
            )
        for k, piece in enumerate(posts, 1):
            if piece is not None:
                out.posts[f"{name}/{k}"] = _piece(piece, f"{where}.posts[{k - 1}]")
        if item.get("marker") is not None:
            out.markers[name] = check_marker(item["marker"], f"{where}.marker")
        for text in _want(item.get("laid", []), list, f"{where}.laid"):
            owner, _, kind = _want(text, str, f"{where}.laid").partition(":")
            out.laid.setdefault(name, []).append(
                (_owner(owner, f"{where}.laid"), check_marker(kind, f"{where}.laid"))
            )


def _read_cities(out: Position, board: dict[str, Any], cities: dict[str, Any]) -> None:
    known = {city["id"]: city for city in board["cities"]}
    for name, content in cities.items():
        where = f"cities.{name}"
        if name not in known:
            raise InvalidPosition(f"{where}: no city of {board['id']}")
        item = _want(content, dict, where)
        offices = _want(item.get("offices", []), list, f"{where}.offices")
        houses = len(known[name]["houses"])
        if offices and not known[name].get("green") and len(offices) != houses:
            raise InvalidPosition(
                f"{where}.offices: {len(offices)} entries, the city has {houses} houses"
            )
        out.offices[name] = [
            None if piece is None else _piece(piece, f"{where}.offices[{i}]")
            for i, piece in enumerate(offices)
        ]
        extra = _want(item.get("extra", []), list, f"{where}.extra")
        if extra:
            out.extra[name] = [
                _piece(piece, f"{where}.extra[{i}]") for i, piece in enumerate(extra)
            ]


def _read_rest(out: Position, board: dict[str, Any], data: Mapping[str, Any], count: int) -> None:
    spaces = {space["points"] for space in board["prestige"]["spaces"]}
    for key, owner in _want(data.get("prestige", {}), dict, "prestige").items():
        if not str(key).isdigit() or int(key) not in spaces:
            raise InvalidPosition(f"prestige.{key}: no space of {board['id']}")
        if owner is not None:
            out.prestige[int(key)] = _owner(owner, f"prestige.{key}")
    out.link = [
        _owner(owner, "east_west") for owner in _want(data.get("east_west", []), list, "east_west")
    ]
    for tile in _want(data.get("favours", []), list, "favours"):
        if tile not in FAVOURS:
            raise InvalidPosition(f"favours: {tile!r} is no tile; use one of {', '.join(FAVOURS)}")
        out.favours.append(tile)
    for name, content in _want(data.get("players", {}), dict, "players").items():
        if name not in {f"p{i}" for i in range(1, count + 1)}:
            raise InvalidPosition(f"players.{name}: not in this game of {count}")
        item = _want(content, dict, f"players.{name}")
        out.points[name] = _want(item.get("points", 0), int, f"players.{name}.points")
    if data.get("neutral"):
        out.points["n"] = _want(data["neutral"], dict, "neutral").get("points", 0)
    if data.get("pawn") is not None:
        provinces = {item["id"] for item in board.get("two_player", {}).get("provinces", [])}
        if data["pawn"] not in provinces:
            raise InvalidPosition(f"pawn: {data['pawn']!r} is no province of {board['id']}")
        out.pawn = data["pawn"]
    out.player = _owner(data.get("player") or data.get("active") or "p1", "player")
    out.hand = list(_in_hand(data.get("pending"), set(out.board_places())))


def _in_hand(pending: Any, places: set[str]) -> Iterator[tuple[tuple[str, str], str]]:
    """Pieces lifted, displaced and not yet put down, or kept for `perm-place2-route`."""
    if not isinstance(pending, dict):
        return
    for entry in pending.get("hand", []):
        if len(entry) == 2 and entry[1] in places:
            yield _piece(entry[0], "pending.hand"), str(entry[1])
    for frame in pending.get("stack", []):
        what, player = frame.get("what"), frame.get("player")
        if what == "displaced" and frame.get("waiting") and frame.get("route") in places:
            yield _piece(f"{player}:{frame['waiting']}", "pending.stack"), str(frame["route"])
        elif what == "perm-place2-route":
            for shape in ("t", "m"):
                for _ in range(int(frame.get(shape, 0))):
                    yield _piece(f"{player}:{shape}", "pending.stack"), ""
