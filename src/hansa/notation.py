"""A position as plain data (CONTRACT section 4): writer and reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hansa.checking import choice, keys, length, number, sequence, truth
from hansa.errors import InvalidPosition
from hansa.grammar import MARKER_NAMES as MARKERS
from hansa.names import (
    END_REASONS,
    FAVOURS,
    OWNERS,
    PLAYERS,
    PRESTIGE_SPACES,
    SHAPES,
    SKILLS,
)
from hansa.pending import held, phase, piece_text, read_pending, read_piece, write_pending
from hansa.rules import codes as c
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.catalogue import MARKERS as MARKER_TABLE
from hansa.rules.duel import ask_setup
from hansa.rules.engine import legal, settle
from hansa.rules.establish import EST_NONE, can_establish, legal_establish
from hansa.rules.permanent import is_step2
from hansa.rules.state import MAX_LAID, MAX_MARKERS, State, pack, unpack
from hansa.rules.turn import IN_GAIN
from hansa.setup import Setup
from hansa.typed import CityData, PlayerData, PositionData, RouteData

__all__ = ["marker_name", "markers_at", "offices_beside", "read_position", "write_position"]

FLAGS = ("walked", "closed", "bought", "fee", "touched")
MAX_POINTS = 9999
MAX_TURN = 2**31 - 1
PATCHED_ACTIONS = 2


# Writing.


def write_position(setup: Setup, s: State) -> PositionData:
    """The whole position; keys in the contract's order."""
    board = setup.board_data
    return {
        "game": setup.to_dict(),
        "turn": s.turn,
        "active": PLAYERS[s.active],
        "player": PLAYERS[s.player],
        "phase": phase(s),
        "actions_left": s.actions_left,
        "acted": bool(s.acted),
        "flags": [flag for flag in FLAGS if getattr(s, flag)],
        "permissions_used": [
            board.permissions[k - 1][0] for k in s.permissions_used[: s.n_permissions_used]
        ],
        "players": {PLAYERS[p]: _write_player(setup, s, p) for p in range(s.players)},
        "neutral": {"points": s.points[c.NEUTRAL]} if s.duel == c.DUEL_NEUTRAL else None,
        "routes": _write_routes(setup, s),
        "cities": _write_cities(setup, s),
        "prestige": {
            str(value): PLAYERS[owner - 1] if owner else None
            for value, owner in zip(PRESTIGE_SPACES, s.prestige, strict=True)
        },
        "east_west": [OWNERS[owner - 1] for owner in s.linked[: s.n_linked]],
        "pawn": s.pawn or None,
        "favours": [FAVOURS[tile - 1] for tile in s.display if tile],
        "supply": markers_at(s, c.AT_SUPPLY),
        "discarded": markers_at(s, c.AT_DISCARDED),
        "over": bool(s.over),
        "end_reason": END_REASONS[s.end_reason],
        "pending": write_pending(board, s),
    }


def marker_name(number: int) -> str | None:
    """What the rules call a marker; 0: none."""
    return MARKERS[number - 1] if number else None


def markers_at(s: State, segment: int) -> list[str]:
    """The names of the markers in a segment of the pool."""
    return [MARKERS[k - 1] for k in s.mark[s.mark_start[segment] : s.mark_start[segment + 1]]]


def _write_player(setup: Setup, s: State, p: int) -> PlayerData:
    cities = setup.board_data.cities
    mission = s.missions[3 * p : 3 * p + 3]
    return {
        "points": s.points[p],
        "supply": {letter: s.supply[2 * p + k] for k, letter in enumerate(SHAPES)},
        "skills": {skill: s.skills[5 * p + k] for k, skill in enumerate(SKILLS)},
        "markers": markers_at(s, c.AT_MARKERS + 3 * p),
        "used": markers_at(s, c.AT_USED + 3 * p),
        "plate": markers_at(s, c.AT_PLATE + 3 * p),
        "favours": [FAVOURS[t - 1] for t in s.tiles[c.TILES * p : c.TILES * (p + 1)] if t],
        "mission": [cities[city - 1].id for city in mission] if mission[0] else None,
    }


def _write_routes(setup: Setup, s: State) -> dict[str, RouteData]:
    b = setup.tables
    laid: dict[int, list[str]] = {}
    for k in range(s.n_laid):
        text = f"{PLAYERS[s.laid_owner[k]]}:{MARKERS[s.laid_kind[k] - 1]}"
        laid.setdefault(s.laid_route[k], []).append(text)
    return {
        route.id: {
            "posts": [piece_text(v) for v in s.post[b.route_first[r] : b.route_first[r + 1]]],
            "marker": marker_name(s.route_marker[r]),
            "laid": laid.get(r, []),
        }
        for r, route in enumerate(setup.board_data.routes)
    }


def _write_cities(setup: Setup, s: State) -> dict[str, CityData]:
    b = setup.tables
    cities: dict[str, CityData] = {}
    for k, city in enumerate(setup.board_data.cities):
        houses = [piece_text(v) for v in s.house[b.city_first[k] : b.city_first[k + 1]]]
        beside = offices_beside(s, k)
        if city.green:
            cities[city.id] = {"offices": list(beside), "extra": []}
        else:
            cities[city.id] = {"offices": houses, "extra": beside}
    return cities


def offices_beside(s: State, k: int) -> list[str]:
    """Extra offices of a city, or all offices of a green one, from the left."""
    return [
        piece for v in s.annex[s.annex_start[k] : s.annex_start[k + 1]] if (piece := piece_text(v))
    ]


# Reading.


def read_position(data: Any) -> tuple[Setup, State]:
    """The position of whole data or of a patch; raises InvalidSetup or InvalidPosition."""
    if not isinstance(data, Mapping):
        raise InvalidPosition(f"position: must be a mapping, not {data!r}")
    setup = Setup.from_dict(
        dict(data["game"]) if isinstance(data.get("game"), Mapping) else data.get("game", {})
    )
    start = setup.new_state()
    base: dict[str, Any] = {**write_position(setup, start)}
    base["actions_left"] = PATCHED_ACTIONS
    merged = _merge(base, {key: data[key] for key in data if key != "game"}, "")
    s = _read_state(setup, merged)
    _check_derived(s, data)
    return setup, s


def _merge(base: dict[str, Any], patch: Any, path: str) -> dict[str, Any]:
    """Mappings merge key by key, everything else is taken whole."""
    keys(patch, tuple(base), path)
    merged = dict(base)
    for key, value in patch.items():
        below = f"{path}.{key}" if path else key
        if isinstance(base[key], dict) and key != "pending":
            merged[key] = _merge(base[key], value, below)
        else:
            merged[key] = value
    return merged


def _read_state(setup: Setup, data: dict[str, Any]) -> State:
    s = State()
    fresh = setup.new_state()
    for name in ("players", "edition", "duel", "favours", "border_fee"):
        setattr(s, name, getattr(fresh, name))
    _read_turn(setup, s, data)
    segments: list[list[int]] = [
        _markers(data["supply"], "supply"),
        _markers(data["discarded"], "discarded"),
    ]
    for p in range(c.MAX_PLAYERS):
        path = f"players.{PLAYERS[p]}"
        player = data["players"].get(PLAYERS[p])
        if player is None:
            segments += [[], [], []]
            continue
        _read_player(setup, s, p, player)
        segments += [_markers(player[key], f"{path}.{key}") for key in ("markers", "used", "plate")]
    _read_routes(setup, s, data["routes"])
    _read_cities(setup, s, data["cities"])
    _read_rest(setup, s, data)
    _fill_pool(s, segments)
    _read_tiles(s, data)
    _read_stack(setup, s, data)
    _fill_stock(s)
    _check_waiting(setup, s)
    return s


def _read_turn(setup: Setup, s: State, data: dict[str, Any]) -> None:
    s.turn = number(data["turn"], 1, MAX_TURN, "turn")
    s.active = choice(data["active"], PLAYERS[: s.players], "active")
    s.actions_left = number(data["actions_left"], 0, 127, "actions_left")
    s.acted = truth(data["acted"], "acted")
    for flag in sequence(data["flags"], "flags"):
        choice(flag, FLAGS, "flags")
        setattr(s, flag, 1)
    cities = tuple(city for city, _ in setup.board_data.permissions)
    used = length(data["permissions_used"], 0, len(cities), "permissions_used")
    numbers = [1 + choice(city, cities, "permissions_used") for city in used]
    if len(set(numbers)) != len(numbers):
        raise InvalidPosition("permissions_used: a city occurs twice")
    s.permissions_used[: len(numbers)] = numbers
    s.n_permissions_used = len(numbers)
    s.over = truth(data["over"], "over")
    reasons = tuple(str(reason) for reason in END_REASONS[1:])
    if s.over:
        s.end_reason = 1 + choice(data["end_reason"], reasons, "end_reason")
    elif data["end_reason"] is not None:
        raise InvalidPosition("end_reason: must be null until the game is over")


def _read_player(setup: Setup, s: State, p: int, data: dict[str, Any]) -> None:
    path = f"players.{PLAYERS[p]}"
    s.points[p] = number(data["points"], 0, MAX_POINTS, f"{path}.points")
    for k, letter in enumerate(SHAPES):
        most = (c.MAX_TRADERS, c.MAX_MERCHANTS)[k]
        s.supply[2 * p + k] = number(data["supply"][letter], 0, most, f"{path}.supply.{letter}")
    for k, skill in enumerate(SKILLS):
        level = number(data["skills"][skill], 0, c.SKILL_STEPS[k], f"{path}.skills.{skill}")
        s.skills[5 * p + k] = level
    if data["mission"] is None:
        return
    names = tuple(city.id for city in setup.board_data.cities)
    card = length(data["mission"], 3, 3, f"{path}.mission")
    s.missions[3 * p : 3 * p + 3] = [1 + choice(city, names, f"{path}.mission") for city in card]


def _markers(value: Any, path: str) -> list[int]:
    return [1 + choice(name, MARKERS, path) for name in sequence(value, path)]


def _read_routes(setup: Setup, s: State, data: dict[str, Any]) -> None:
    b = setup.tables
    for r, route in enumerate(setup.board_data.routes):
        path = f"routes.{route.id}"
        entry = data[route.id]
        size = len(route.posts)
        for k, text in enumerate(length(entry["posts"], size, size, f"{path}.posts")):
            if text is None:
                continue
            piece = read_piece(s, text, f"{path}.posts[{k}]")
            if route.posts[k].ship and text.endswith(":t") and text != "n:t":
                raise InvalidPosition(f"{path}.posts[{k}]: a trader on a ship post (GEO-4)")
            s.post[b.route_first[r] + k] = piece
        if entry["marker"] is not None:
            s.route_marker[r] = 1 + choice(entry["marker"], MARKERS, f"{path}.marker")
        for text in sequence(entry["laid"], f"{path}.laid"):
            _read_laid(s, r, text, f"{path}.laid")


def _read_laid(s: State, route: int, text: Any, path: str) -> None:
    kinds = tuple(marker.name for marker in MARKER_TABLE if marker.laid)
    allowed = tuple(f"{p}:{kind}" for p in PLAYERS[: s.players] for kind in kinds)
    choice(text, allowed, path)
    if s.n_laid == MAX_LAID:
        raise InvalidPosition(f"{path}: at most {MAX_LAID} laid markers on the board")
    owner, kind = text.split(":")
    s.laid_route[s.n_laid] = route
    s.laid_owner[s.n_laid] = PLAYERS.index(owner)
    s.laid_kind[s.n_laid] = 1 + MARKERS.index(kind)
    s.n_laid += 1


def _read_cities(setup: Setup, s: State, data: dict[str, Any]) -> None:
    b = setup.tables
    beside: list[int] = []
    for k, city in enumerate(setup.board_data.cities):
        path = f"cities.{city.id}"
        offices = sequence(data[city.id]["offices"], f"{path}.offices")
        extra = sequence(data[city.id]["extra"], f"{path}.extra")
        if city.green:
            length(extra, 0, 0, f"{path}.extra")
            offices, extra = [], offices
        length(offices, len(city.houses), len(city.houses), f"{path}.offices")
        filled = [text for text in offices if text is not None]
        if None in offices[: len(filled)]:
            raise InvalidPosition(f"{path}.offices: offices stand in the leftmost houses (INV-2)")
        for h, text in enumerate(filled):
            s.house[b.city_first[k] + h] = read_piece(s, text, f"{path}.offices[{h}]")
        s.annex_start[k] = len(beside)
        beside += [
            read_piece(s, text, f"{path}.{'offices' if city.green else 'extra'}") for text in extra
        ]
        s.completed += int(len(filled) == len(city.houses) if city.houses else bool(extra))
    if len(beside) > len(s.annex):
        raise InvalidPosition(f"cities: at most {len(s.annex)} offices beside houses")
    s.annex[: len(beside)] = beside
    for k in range(b.n_cities, len(s.annex_start)):
        s.annex_start[k] = len(beside)


def _read_rest(setup: Setup, s: State, data: dict[str, Any]) -> None:
    for k, value in enumerate(PRESTIGE_SPACES):
        owner = data["prestige"][str(value)]
        if owner is not None:
            s.prestige[k] = 1 + choice(owner, PLAYERS[: s.players], f"prestige.{value}")
    owners = PLAYERS[: s.players]
    if s.duel == c.DUEL_NEUTRAL:
        owners += ("n",)
        s.points[c.NEUTRAL] = number(data["neutral"]["points"], 0, MAX_POINTS, "neutral.points")
    elif data["neutral"] is not None:
        raise InvalidPosition("neutral: must be null outside the neutral duel")
    linked = length(data["east_west"], 0, len(owners), "east_west")
    numbers = [choice(owner, owners, "east_west") for owner in linked]
    if len(set(numbers)) != len(numbers):
        raise InvalidPosition("east_west: somebody occurs twice")
    s.linked[: len(linked)] = [1 + OWNERS.index(owner) for owner in linked]
    s.n_linked = len(linked)
    if data["pawn"] is not None:
        if s.duel != c.DUEL_PAWN:
            raise InvalidPosition("pawn: must be null outside the pawn duel")
        s.pawn = number(data["pawn"], 1, setup.tables.n_provinces, "pawn")


def _fill_pool(s: State, segments: list[list[int]]) -> None:
    promos = s.n_laid
    total = s.n_laid + sum(1 for marker in s.route_marker if marker)
    at = 0
    for k, segment in enumerate(segments):
        s.mark_start[k] = at
        total += len(segment)
        promos += sum(MARKER_TABLE[marker - 1].laid for marker in segment)
        if total > MAX_MARKERS or promos > MAX_LAID:
            raise InvalidPosition(
                f"at most {MAX_MARKERS} markers in all, {MAX_LAID} of them tribute or block"
            )
        s.mark[at : at + len(segment)] = segment
        at += len(segment)
    s.mark_start[c.SEGMENTS] = at


def _read_tiles(s: State, data: dict[str, Any]) -> None:
    display = length(data["favours"], 0, c.TILES, "favours")
    s.display[: len(display)] = [1 + choice(tile, FAVOURS, "favours") for tile in display]
    s.favours |= int(bool(display))
    for p in range(s.players):
        path = f"players.{PLAYERS[p]}.favours"
        tiles = length(data["players"][PLAYERS[p]]["favours"], 0, c.TILES, path)
        at = c.TILES * p
        s.tiles[at : at + len(tiles)] = [1 + choice(tile, FAVOURS, path) for tile in tiles]
        s.favours |= int(bool(tiles))


def _read_stack(setup: Setup, s: State, data: dict[str, Any]) -> None:
    if s.over and data["pending"] is not None:
        raise InvalidPosition("pending: must be null when the game is over")
    setting_up = s.duel == c.DUEL_PAWN and s.pawn == 0
    if setting_up and not s.over:
        if data["pending"] is not None:
            raise InvalidPosition("pending: must be null until the pawn is placed")
        ask_setup(s)
    else:
        read_pending(setup.board_data, s, data["pending"])
    s.player = s.frame_player[s.depth - 1] if s.depth else s.active


def _fill_stock(s: State) -> None:
    """COMP-1: the stock is what is left of 27 traders and 4 merchants."""
    pieces = [*s.post, *s.house, *s.annex, *s.hand]
    for p in range(s.players):
        level = s.skills[5 * p : 5 * p + 5]
        desk = [sum(c.SKILL_STEPS[k] - level[k] for k in range(5) if k != c.BOOK)]
        desk.append(c.SKILL_STEPS[c.BOOK] - level[c.BOOK])
        kept = held(s, p)
        kept[0] += 1 + sum(owner == p for owner in s.laid_owner[: s.n_laid])
        kept[1] += sum(owner == p + 1 for owner in s.prestige)
        for k, most in enumerate((c.MAX_TRADERS, c.MAX_MERCHANTS)):
            used = desk[k] + kept[k] + s.supply[2 * p + k] + pieces.count(2 * p + k + 1)
            if used > most:
                what = ("traders", "merchants")[k]
                raise InvalidPosition(f"players.{PLAYERS[p]}: {used} {what}, there are only {most}")
            s.stock[2 * p + k] = most - used


def _check_waiting(setup: Setup, s: State) -> None:
    """What is pending must really wait for a decision, as it does in a game."""
    if s.over or s.depth == 0:
        return
    _check_gains(setup, s)
    twin = unpack(pack(s))
    settle(setup.tables, twin)
    if pack(twin) != pack(s) or legal(setup.tables, s, [0] * MAX_LEGAL) == 0:
        raise InvalidPosition("pending: nothing of this waits for a decision")


def _check_gains(setup: Setup, s: State) -> None:
    """BRIT-MARK-10: what Establish is to gain must still be possible."""
    b, buf = setup.tables, [0] * MAX_LEGAL
    for d in range(s.depth):
        if s.frame_kind[d] != IN_GAIN:
            continue
        route = s.frame_route[d]
        possible = 0
        if can_establish(b, s, route) and is_step2(b, s) and b.route_permanent[route]:
            possible = legal_establish(b, s, route, buf, 0)
        if EST_NONE + s.frame_gain[d] + b.route_step[route] not in buf[:possible]:
            raise InvalidPosition(f"pending.stack[{d}].gain: not possible at this route")


def _check_derived(s: State, data: Mapping[str, Any]) -> None:
    """`player` and `phase` follow from the rest; if given they must agree."""
    for key, value in (("player", PLAYERS[s.player]), ("phase", phase(s))):
        if data.get(key, value) != value:
            raise InvalidPosition(f"{key}: must be {value} here, not {data[key]!r}")
