"""A position in one line (like FEN in chess): writer and reader side by side.

    hansa1 hansa/4/bigbox/7 12,p2,3,at 8,51,10210,c,b,a,- … ppp12a… 3b31 … - - - ac - -

Eleven fields between spaces, in the order of `FIELDS`; `-` is an empty one. docs/records.md tells
the form. What the line says is what `to_dict()` says: it is read by way of that form, so that
everything is checked once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from hansa.boards import Board, load, side
from hansa.errors import HansaError, InvalidPosition
from hansa.grammar import MARKER_NAMES
from hansa.names import (
    DUELS,
    END_REASONS,
    FAVOURS,
    OWNERS,
    PLAYERS,
    PRESTIGE_SPACES,
    SHAPES,
    SKILLS,
)
from hansa.pending import frame_fields
from hansa.setup import MODULES, Setup

__all__ = ["FIELDS", "is_line", "read_line", "read_setup", "write_line", "write_setup"]

FIRST = "hansa1"
FIELDS = (
    "setup", "turn", "players", "posts", "markers", "houses", "extra", "board", "supply",
    "discarded", "pending",
)  # fmt: skip
FLAGS = {"walked": "w", "closed": "c", "bought": "b", "fee": "f", "touched": "t"}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_PIECES = {
    f"{owner}:{shape}": (letter if shape == "t" else letter.upper())
    for owner, letter in zip(OWNERS, "abcden", strict=True)
    for shape in SHAPES
}
_RUN = re.compile(r"[0-9]+|[A-Za-z]")
NONE = "-"


# Writing.


def write_line(position: Mapping[str, Any]) -> str:
    """The line of a position as data."""
    board = load(side(position["game"]["board"], position["game"]["players"]))
    parts = (
        write_setup(position["game"]),
        _write_turn(board, position),
        "/".join(_write_player(board, data) for data in position["players"].values())
        + (f"/{position['neutral']['points']}" if position["neutral"] else ""),
        _runs(_PIECES.get(p) for r in board.routes for p in position["routes"][r.id]["posts"]),
        _write_markers(board, position["routes"]),
        _runs(
            _PIECES.get(p)
            for c in board.cities
            if not c.green
            for p in position["cities"][c.id]["offices"]
        ),
        _write_extra(board, position["cities"]),
        _write_board(position),
        _letters(MARKER_NAMES, position["supply"]),
        _letters(MARKER_NAMES, position["discarded"]),
        _write_pending(position["pending"]),
    )
    return " ".join((FIRST, *parts))


def _letters(names: Sequence[str], chosen: Iterable[str]) -> str:
    """A letter for each name, by its place in a list."""
    return "".join(LETTERS[names.index(name)] for name in chosen) or NONE


def _runs(things: Iterable[str | None]) -> str:
    """Letters as they are, nothing counted."""
    out, empty = "", 0
    for thing in things:
        if thing is None:
            empty += 1
            continue
        out += f"{empty or ''}{thing}"
        empty = 0
    return out + f"{empty or ''}" or NONE


def write_setup(game: Mapping[str, Any]) -> str:
    """The `game` part of a position in one word."""
    switches = "".join(name[0] for name in MODULES if game[name])
    promos = "" if not game["promos"] else _letters(MARKER_NAMES, game["promos"])
    duel = game["duel"] or ""
    parts = [game["board"], str(game["players"]), game["edition"], str(game["seed"])]
    rest = [switches or NONE, promos or NONE, duel or NONE]
    while rest and rest[-1] == NONE:
        rest.pop()
    return "/".join([*parts, *rest])


def _write_turn(board: Board, position: Mapping[str, Any]) -> str:
    flags = "a" * position["acted"] + "".join(FLAGS[flag] for flag in position["flags"])
    cities = [city for city, _ in board.permissions]
    used = "".join(str(cities.index(city) + 1) for city in position["permissions_used"])
    end = END_REASONS.index(position["end_reason"]) if position["over"] else ""
    turn = [str(position["turn"]), position["active"], str(position["actions_left"])]
    return ",".join([*turn, flags + used, str(end)]).rstrip(",")


def _write_player(board: Board, data: Mapping[str, Any]) -> str:
    cities = [city.id for city in board.cities]
    mission = "+".join(str(cities.index(city)) for city in data["mission"] or ())
    parts = [
        str(data["points"]),
        ".".join(str(data["supply"][shape]) for shape in SHAPES),
        "".join(str(data["skills"][skill]) for skill in SKILLS),
        *(_letters(MARKER_NAMES, data[pile]) for pile in ("markers", "used", "plate")),
        _letters(FAVOURS, data["favours"]),
        mission or NONE,
    ]
    while parts[-1] == NONE:
        parts.pop()
    return ",".join(parts)


def _write_markers(board: Board, routes: Mapping[str, Any]) -> str:
    """What lies at the routes; then, each after a comma, what is laid for good."""
    names = [routes[r.id]["marker"] for r in board.routes]
    lying = _runs(None if n is None else LETTERS[MARKER_NAMES.index(n)] for n in names)
    laid = [
        f",{k}{_PIECES[text.partition(':')[0] + ':t']}{_letters(MARKER_NAMES, [text.partition(':')[2]])}"
        for k, r in enumerate(board.routes)
        for text in routes[r.id]["laid"]
    ]
    return lying + "".join(laid)


def _write_extra(board: Board, cities: Mapping[str, Any]) -> str:
    """Offices beside houses: number of the city, then their pieces from the left."""
    found = []
    for k, city in enumerate(board.cities):
        beside = cities[city.id]["offices" if city.green else "extra"]
        if beside:
            found.append(f"{k}{''.join(_PIECES[piece] for piece in beside)}")
    return ",".join(found) or NONE


def _write_board(position: Mapping[str, Any]) -> str:
    """Prestige spaces, the link, the pawn, tiles on display."""
    owners = {owner: _PIECES[f"{owner}:t"] for owner in OWNERS}
    spaces = [position["prestige"][str(value)] for value in PRESTIGE_SPACES]
    parts = [
        "".join(owners[owner] if owner else "." for owner in spaces),
        "".join(owners[owner] for owner in position["east_west"]) or NONE,
        str(position["pawn"] or NONE),
        _letters(FAVOURS, position["favours"]),
    ]
    while len(parts) > 1 and parts[-1] == NONE:
        parts.pop()
    return ",".join(parts)


def _write_pending(pending: Mapping[str, Any] | None) -> str:
    if pending is None:
        return NONE
    stack = [
        ".".join([frame["what"], *(_word(v) for k, v in frame.items() if k != "what")])
        for frame in pending["stack"]
    ]
    hand = [f"{_PIECES[piece]}.{post}" for piece, post in pending["hand"]]
    changed = [f"{_PIECES[piece] if piece else NONE}.{post}" for post, piece in pending["touched"]]
    parts = [",".join(part) for part in (stack, hand, changed)]
    return ";".join([*parts, "s" if pending["short"] else ""]).rstrip(";")


def _word(value: Any) -> str:
    return "-" if value is None else str(value).replace(" ", "+")


# Reading.


def is_line(text: str) -> bool:
    """Whether a text is meant as a position in one line."""
    return text.lstrip().startswith(f"{FIRST} ")


_BACK = {letter: piece for piece, letter in _PIECES.items()}


def read_line(text: Any) -> dict[str, Any]:
    """The position of a line as data, not yet checked as a whole; raises InvalidPosition."""
    if not isinstance(text, str):
        raise InvalidPosition("a position in one line is a text")
    first, *parts = text.strip().split(" ")
    if first != FIRST or len(parts) != len(FIELDS):
        raise InvalidPosition(
            f"a position in one line begins with {FIRST!r} and has {len(FIELDS)} fields after it"
        )
    given = dict(zip(FIELDS, parts, strict=True))
    try:
        setup = Setup.from_dict(read_setup(given["setup"]))
        return _Reader(setup, given).position()
    except HansaError:
        raise
    except (ValueError, IndexError, KeyError) as error:
        raise InvalidPosition(f"the line is damaged: {error}") from None


def read_setup(text: str) -> dict[str, Any]:
    """The `game` part of a position of that word; raises ValueError."""
    board, players, edition, seed, switches, promos, duel = (*text.split("/"), *[NONE] * 3)[:7]
    return {
        "board": board,
        "players": int(players),
        "edition": edition,
        "seed": int(seed),
        **{name: name[0] in switches for name in MODULES},
        "promos": _names(MARKER_NAMES, promos),
        "duel": None if duel == NONE else duel,
    }


def _names(names: Sequence[str], letters: str) -> list[str]:
    return [] if letters == NONE else [names[LETTERS.index(letter)] for letter in letters]


def _spread(text: str, size: int, names: Callable[[str], str], what: str) -> list[str | None]:
    """Letters and counted gaps as a list of exactly this size."""
    found: list[str | None] = []
    for token in [] if text == NONE else _RUN.findall(text):
        if token.isdigit():
            if int(token) > size:
                raise ValueError(f"{what}: {token} is more than there are")
            found += [None] * int(token)
        else:
            found.append(names(token))
    if len(found) != size:
        raise ValueError(f"{what}: {len(found)} instead of {size}")
    return found


def _piece(letter: str) -> str:
    return _BACK[letter]


def _owner(letter: str) -> str:
    return _BACK[letter].partition(":")[0]


class _Reader:
    """The fields of one line, turned into the form of `to_dict`."""

    def __init__(self, setup: Setup, given: Mapping[str, str]) -> None:
        self.setup, self.board, self.given = setup, setup.board_data, given

    def position(self) -> dict[str, Any]:
        """All of it; `player` and `phase` follow from the rest."""
        players, neutral = self._players()
        return {
            "game": self.setup.to_dict(),
            **self._turn(),
            "players": players,
            "neutral": neutral,
            "routes": self._routes(),
            "cities": self._cities(),
            **self._rest(),
            "supply": _names(MARKER_NAMES, self.given["supply"]),
            "discarded": _names(MARKER_NAMES, self.given["discarded"]),
            "pending": self._pending(),
        }

    def _turn(self) -> dict[str, Any]:
        turn, active, left, signs, end = (*self.given["turn"].split(","), "", "")[:5]
        cities = [city for city, _ in self.board.permissions]
        return {
            "turn": int(turn),
            "active": active,
            "actions_left": int(left),
            "acted": "a" in signs,
            "flags": [flag for flag, sign in FLAGS.items() if sign in signs],
            "permissions_used": [cities[int(sign) - 1] for sign in signs if sign.isdigit()],
            "over": bool(end),
            "end_reason": END_REASONS[int(end)] if end else None,
        }

    def _players(self) -> tuple[dict[str, Any], dict[str, Any] | None]:
        texts = self.given["players"].split("/")
        neutral = {"points": int(texts.pop())} if self.setup.duel == DUELS[2] else None
        seats = PLAYERS[: self.setup.players]
        return {p: self._player(text) for p, text in zip(seats, texts, strict=True)}, neutral

    def _player(self, text: str) -> dict[str, Any]:
        points, supply, skills, *piles = text.split(",")
        markers, used, plate, tiles, mission = (*piles, *[NONE] * 5)[:5]
        cities = [city.id for city in self.board.cities]
        return {
            "points": int(points),
            "supply": dict(zip(SHAPES, map(int, supply.split(".")), strict=True)),
            "skills": dict(zip(SKILLS, map(int, skills), strict=True)),
            "markers": _names(MARKER_NAMES, markers),
            "used": _names(MARKER_NAMES, used),
            "plate": _names(MARKER_NAMES, plate),
            "favours": _names(FAVOURS, tiles),
            "mission": None if mission == NONE else [cities[int(k)] for k in mission.split("+")],
        }

    def _routes(self) -> dict[str, Any]:
        board = self.board
        size = sum(len(route.posts) for route in board.routes)
        posts = iter(_spread(self.given["posts"], size, _piece, "posts"))
        lying, *laid = self.given["markers"].split(",")
        markers = _spread(
            lying, len(board.routes), lambda m: MARKER_NAMES[LETTERS.index(m)], "markers"
        )
        routes: dict[str, Any] = {
            route.id: {"posts": [next(posts) for _ in route.posts], "marker": marker, "laid": []}
            for route, marker in zip(board.routes, markers, strict=True)
        }
        for text in laid:
            number, owner, kind = text[:-2], text[-2], text[-1]
            name = f"{_owner(owner)}:{MARKER_NAMES[LETTERS.index(kind)]}"
            routes[board.routes[int(number)].id]["laid"].append(name)
        return routes

    def _cities(self) -> dict[str, Any]:
        board = self.board
        size = sum(len(city.houses) for city in board.cities)
        houses = iter(_spread(self.given["houses"], size, _piece, "houses"))
        cities: dict[str, Any] = {
            city.id: {"offices": [next(houses) for _ in city.houses], "extra": []}
            for city in board.cities
        }
        extra = self.given["extra"]
        for text in [] if extra == NONE else extra.split(","):
            number = text.rstrip(LETTERS)
            city = board.cities[int(number)]
            key = "offices" if city.green else "extra"
            cities[city.id][key] = [_piece(letter) for letter in text[len(number) :]]
        return cities

    def _rest(self) -> dict[str, Any]:
        spaces, link, pawn, tiles = (*self.given["board"].split(","), *[NONE] * 3)[:4]
        owners = [None if letter == "." else _owner(letter) for letter in spaces]
        return {
            "prestige": {str(v): o for v, o in zip(PRESTIGE_SPACES, owners, strict=True)},
            "east_west": [] if link == NONE else [_owner(letter) for letter in link],
            "pawn": None if pawn == NONE else int(pawn),
            "favours": _names(FAVOURS, tiles),
        }

    def _pending(self) -> dict[str, Any] | None:
        text = self.given["pending"]
        if text == NONE:
            return None
        stack, hand, changed, short = (*text.split(";"), "", "", "")[:4]
        pairs = [entry.partition(".")[::2] for entry in hand.split(",") if entry]
        touched = [entry.partition(".")[::2] for entry in changed.split(",") if entry]
        return {
            "stack": [_frame(entry) for entry in stack.split(",")],
            "hand": [[_piece(letter), post] for letter, post in pairs],
            "touched": [[post, None if p == NONE else _piece(p)] for p, post in touched],
            "short": short == "s",
        }


def _frame(text: str) -> dict[str, Any]:
    """What is pending: its name, who decides, then its fields in their order."""
    what, player, *values = text.split(".")
    fields = frame_fields(what)
    return {
        "what": what,
        "player": player,
        **{name: _value(word) for name, word in zip(fields, values, strict=True)},
    }


def _value(word: str) -> Any:
    if word == NONE:
        return None
    return int(word) if word.isdigit() else word.replace("+", " ")
