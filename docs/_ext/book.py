"""What "How to play" is made of beside its text: pictures from positions, tables from the engine's data.

`docs/book.yaml` holds the positions and the few words that tables need. The documents
(`hansa_book.py`) and the page (`page_book.py`) show the same of both.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import page_words
import reference
import yaml
from reference import Table

import hansa
from hansa import names, scenarios, svg
from hansa.boards import BOARD_IDS, Board, load
from hansa.rules.catalogue import MARKERS, PERMANENTS
from hansa.setup import MAX_EACH_PROMO
from hansa.svg.state import TRACKS

__all__ = ["FACTS", "TABLES", "frames", "has_words", "pictures", "symbol", "table", "words"]

FILE = Path(__file__).parents[1] / "book.yaml"


@cache
def _data() -> dict[str, Any]:
    return dict(yaml.safe_load(FILE.read_text(encoding="utf-8")))


def pictures() -> dict[str, dict[str, Any]]:
    """The pictures by name."""
    return dict(_data()["pictures"])


def words(language: str) -> dict[str, Any]:
    """What generated parts say in a language."""
    return dict(_data()["words"][language])


def has_words(name: str) -> bool:
    """Whether a picture has words in it, and so differs from language to language."""
    return bool({"stores", "desks"} & set(pictures()[name]))


def frames(name: str, language: str) -> list[svg.Part]:
    """A picture, or two: before and after the decisions it shows.

    Raises KeyError for an unknown picture, HansaError for a position or a decision that is none.
    """
    given, game = pictures()[name], _game(name)
    drawn = [_part(game, given, language)]
    if "then" in given:
        for step in given["then"]:
            game.play(step)
        drawn.append(_part(game, {**given, "light": "", "arrows": ""}, language))
    return drawn


def _game(name: str) -> hansa.Game:
    given = pictures()[name]
    body = {"id": name, **{key: given[key] for key in ("game", "position", "play") if key in given}}
    [scenario] = scenarios.parse(yaml.safe_dump(body), name)
    game = hansa.Game.from_dict({"game": dict(scenario.game), **(scenario.position or {})})
    for step in scenario.play:
        game.play(step)
    return game


def _part(game: hansa.Game, given: dict[str, Any], language: str) -> svg.Part:
    show = _listed_in(given, "show")
    said = page_words.words(language)
    return svg.part(
        game.to_dict(),
        None if not show else [] if show == ["all"] else show,
        highlight=_listed_in(given, "light"),
        arrows=_pairs(given.get("arrows", "")),
        control={city.id: game.control(city.id) for city in game.board.cities},
        names=words(language)["names"],
        stores_of=_listed_in(given, "stores"),
        desks_of=_listed_in(given, "desks"),
        words={skill: said[f"skill.{skill}"] for skill in TRACKS} | words(language)["desk"],
    )


def _listed_in(given: dict[str, Any], key: str) -> list[str]:
    return str(given.get(key, "")).replace(",", " ").split()


def _pairs(text: str) -> list[tuple[str, str]]:
    """`a > b, c > d` as pairs."""
    pairs = [one.partition(">") for one in text.split(",") if one.strip()]
    return [(start.strip(), end.strip()) for start, _, end in pairs]


def symbol(name: str) -> str:
    """A cell that shows a symbol of the drawing."""
    return f"![{name}]"


def table(kind: str, language: str) -> Table:
    """A table by name: of `TABLES`, the facts of a board, or one of the reference by a rule in it."""
    if kind in TABLES:
        return [*words(language)[kind]], TABLES[kind](language)
    if kind in BOARD_IDS:
        return [], facts(kind, language)
    return reference.table_about(kind, language)


def _printed(code: str, sources: tuple[str, ...]) -> str:
    found = reference.printed_names().get(code, {})
    said = [found[source] for source in sources if found.get(source, "–") != "–"]
    return " / ".join(said) or "–"


def _classic_names(language: str) -> tuple[str, ...]:
    """The sources of the names of the first edition; the Japanese rules of 2009 had their own."""
    return ("003", "001 / 002") if language == "ja" else ("001 / 002",)


def _effect(code: str, rule: str, language: str) -> str:
    return f"{page_words.words(language)[f'markerText.{code}']} [{rule}]"


def _markers(language: str) -> list[list[str]]:
    def count(marker: Any, edition: str) -> str:
        if marker.promo and edition == "bigbox":
            return f"+{MAX_EACH_PROMO}"
        return str(marker.copies.get(edition, "–"))

    return [
        [
            f"{symbol(f'marker-{marker.name}')} `{marker.name}`",
            _printed(marker.name, _classic_names(language)),
            _printed(marker.name, ("004",)),
            count(marker, "classic"),
            count(marker, "bigbox"),
            _effect(marker.name, marker.rule, language),
        ]
        for marker in MARKERS
    ]


def _permanents(language: str) -> list[list[str]]:
    return [
        [
            f"{symbol(f'marker-{marker.name}')} `{marker.name}`",
            words(language)["comma"].join(_boards_with(marker.name, language)),
            _printed(marker.name, ("001 / 002", "004")),
            _effect(marker.name, marker.rule, language),
        ]
        for marker in PERMANENTS
    ]


def _boards_with(permanent: str, language: str) -> list[str]:
    there = (
        load(board).family
        for board in BOARD_IDS
        if any(route.permanent == permanent for route in load(board).routes)
    )
    return [page_words.words(language)[f"board.{family}"] for family in dict.fromkeys(there)]


def _skills(language: str) -> list[list[str]]:
    said, own = page_words.words(language), words(language)

    def field(value: str) -> str:
        return said.get(f"privilege.{value}") or own["desk"].get(value) or value

    return [
        [
            f"{symbol(f'badge-{skill}')} **{said[f'skill.{skill}']}**",
            " → ".join(map(field, fields)),
            said[f"skillText.{skill}"],
        ]
        for skill, fields in TRACKS.items()
    ]


def _favours(language: str) -> list[list[str]]:
    said = page_words.words(language)
    return [
        [
            f"{symbol(f'favour-{tile}')} **{said[f'favour.{tile}']}**",
            f"{said[f'favourText.{tile}']} [FAVOUR-{tile.upper()}-1]",
        ]
        for tile in names.FAVOURS
    ]


def _account(language: str) -> list[list[str]]:
    """What the picture `score` is worth to Red."""
    said, points = page_words.words(language), _game("score").scores()["p1"]
    rows = [[said[f"score.{account}"], str(worth)] for account, worth in points.items() if worth]
    return [*rows[:-1], [f"**{cell}**" for cell in rows[-1]]]


def _copies(edition: str) -> dict[str, int]:
    return {marker.name: marker.copies[edition] for marker in MARKERS if edition in marker.copies}


def _supplied(edition: str) -> int:
    """How many markers lie face down after the set-up (SETUP-2 to -4)."""
    return sum(_copies(edition).values()) - sum(edition in marker.starts for marker in MARKERS)


#: Differences of the editions that are numbers: what the engine plays by stands in the table.
COUNTED: dict[str, Callable[[str], tuple[int, ...]]] = {
    "OPT-2": lambda edition: (sum(_copies(edition).values()),),
    "OPT-3": lambda edition: (_copies(edition)["extra-office"],),
    "OPT-4": lambda edition: (_copies(edition)["swap"],),
    "OPT-5": lambda edition: (_copies(edition)["skill"],),
    "OPT-6": lambda edition: (_supplied(edition), _supplied(edition) + 1),
}


def _editions(language: str) -> list[list[str]]:
    """The reference's words for what differs; numbers, where there are any, from the engine."""
    forms = words(language)["counted"]

    def counted(rule: str, edition: str) -> str:
        return str(forms.get(rule, "{}").format(*COUNTED[rule](edition)))

    _, rows = reference.table_about("OPT-1", language)
    return [
        [
            rule,
            topic,
            *([counted(rule, edition) for edition in names.EDITIONS] if rule in COUNTED else said),
        ]
        for rule, topic, *said in rows
    ]


TABLES: dict[str, Callable[[str], list[list[str]]]] = {
    "markers": _markers,
    "permanents": _permanents,
    "skills": _skills,
    "favours": _favours,
    "account": _account,
    "editions": _editions,
}


def facts(board_id: str, language: str) -> list[list[str]]:
    """What a board has, row by row; rows for what it has not are left out."""
    board = load(board_id)
    labels = words(language)["facts"]
    rows = [[labels[name], say(board, language)] for name, say in FACTS.items()]
    return [row for row in rows if row[1]]


def _route(board: Board, route: Any) -> str:
    return "–".join(board.city(city).name for city in route.cities)


def _listed(items: list[str], language: str) -> str:
    return str(words(language)["comma"]).join(items)


def _players(board: Board, language: str) -> str:
    duels = [page_words.name_of(f"duel-{duel}", language) for duel in board.duels]
    two = [f"2 ({_listed(duels, language)})"] if duels else []
    return _listed([*two, *(str(n) for n in board.players if n > 2)], language)


def _sizes(board: Board, language: str) -> str:
    return str(words(language)["facts"]["sizes"]).format(
        cities=len(board.cities),
        routes=len(board.routes),
        posts=sum(len(route.posts) for route in board.routes),
        houses=sum(len(city.houses) for city in board.cities),
    )


def _board_skills(board: Board, language: str) -> str:
    said = page_words.words(language)
    return _listed(
        [
            f"{said[f'skill.{skill}']}: {' / '.join(c.name for c in board.cities if skill in c.skills)}"
            for skill in TRACKS
        ],
        language,
    )


def _coins(board: Board, language: str) -> str:
    coins = [(city.name, house.coin) for city in board.cities for house in city.houses]
    return _listed([f"{name} {coin}" for name, coin in coins if coin], language)


def _board_permanents(board: Board, language: str) -> str:
    return _listed(
        [
            f"{_route(board, route)} *{page_words.name_of(route.permanent, language)}*"
            for route in board.routes
            if route.permanent
        ],
        language,
    )


def _ships(board: Board, language: str) -> str:
    sea = [(route, sum(post.ship for post in route.posts)) for route in board.routes if route.sea]
    return _listed([f"{_route(board, route)} {count}" for route, count in sea], language)


def _permissions(board: Board, language: str) -> str:
    said = page_words.words(language)
    return _listed(
        [
            f"{board.city(city).name} ({' / '.join(said[f'region.{r}'] for r in regions)})"
            for city, regions in board.permissions
        ],
        language,
    )


def _regions(board: Board, language: str) -> str:
    said = page_words.words(language)
    parts = []
    for region in dict.fromkeys(region for _, regions in board.permissions for region in regions):
        cities = [city.name for city in board.cities if region in city.regions]
        if cities:
            parts.append(f"{said[f'region.{region}']}: {_listed(cities, language)}")
    return " · ".join(parts)


FACTS: dict[str, Callable[[Board, str], str]] = {
    "players": _players,
    "size": _sizes,
    "end": lambda board, language: str(words(language)["facts"]["ends"]).format(
        n=board.completed_cities_end
    ),
    "link": lambda board, _: "–".join(board.city(city).name for city in board.link),
    "prestige": lambda board, _: (
        f"{board.city(board.prestige_city).name} ({' / '.join(map(str, board.prestige_values))})"
    ),
    "skills": _board_skills,
    "coins": _coins,
    "taverns": lambda board, language: _listed(
        [_route(board, route) for route in board.routes if route.tavern], language
    ),
    "ships": _ships,
    "permanents": _board_permanents,
    "green": lambda board, language: _listed([c.name for c in board.cities if c.green], language),
    "permissions": _permissions,
    "regions": _regions,
}
