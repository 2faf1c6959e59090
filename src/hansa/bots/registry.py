"""All bots by name: ours, and those that other packages add through entry points."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import metadata
from typing import Any, Protocol

from .champion import Champion
from .external import External
from .greedy import Greedy
from .protocol import Bot, BotError, UnknownBot
from .random_bot import Random
from .search import Search
from .settings import Setting, parse, read

__all__ = ["LEVELS", "Level", "catalogue", "create", "hosted", "is_search", "names"]

GROUP = "hansa.bots"
"""The group of entry points: each names a class with `settings`, made with them as keywords."""


class _Maker(Protocol):
    """A class of bots."""

    settings: Mapping[str, Setting]

    def __call__(self, **settings: Any) -> Bot: ...


@dataclass(frozen=True)
class Level:
    """A bot as people choose it."""

    level: int
    spec: str
    title: str
    text: str
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.spec.partition(":")[0])


LEVELS: tuple[Level, ...] = (
    Level(1, "random", "Chance", "Decides at random, and so hardly ever finishes a route."),
    Level(2, "greedy:care=50", "Apprentice", "Sees good routes but often forgets what it wanted."),
    Level(3, "greedy", "Journeyman", "Always takes what looks best now and never thinks ahead."),
    Level(4, "champion:time=0.6", "Master", "Plans its turn one round ahead, briefly."),
    Level(
        5,
        "champion:time=3",
        "Alderman",
        "Takes three seconds for a turn and weighs what the others will do.",
    ),
    Level(
        6,
        "champion:time=10,threads=2",
        "Burgomaster",
        "Takes ten seconds for a turn on two cores: as strong as this machine allows.",
    ),
)

EXTERNAL = "external"
FROM_FILES = ("policy",)
"""Bots that cannot be made without a file: a host names them in HANSA_BOTS."""
_OURS: dict[str, Any] = {
    "random": Random,
    "greedy": Greedy,
    "search": Search,
    "champion": Champion,
    EXTERNAL: External,
}


@lru_cache(maxsize=1)
def _makers() -> dict[str, Any]:
    """Every bot by name; ours cannot be replaced."""
    makers = {}
    for point in metadata.entry_points(group=GROUP):
        makers[point.name] = point
    return {**makers, **_OURS}


def names() -> list[str]:
    """The names of all bots there are."""
    return sorted(_makers())


def create(spec: str, *, trusted: bool = False) -> Bot:
    """The bot of this text; raises UnknownBot with what would be allowed.

    `external` starts a program and some settings name files, so only who is trusted may give
    them: never a text that came over a network. Whoever runs a server gives such bots names of
    his own in HANSA_BOTS (see `hosted`).

    >>> hansa.bots.create("greedy:seed=3").name
    'greedy:seed=3'
    """
    name, given = parse(spec)
    if name in hosted():
        if given:
            raise UnknownBot(f"{spec!r}: the bot {name!r} of this host has no settings")
        bot = create(hosted()[name], trusted=True)
        bot.name = spec
        return bot
    if name == EXTERNAL and not trusted:
        raise UnknownBot(f"{spec!r}: programs can play in the arena only")
    maker = _maker(name, spec)
    known: Mapping[str, Setting] = getattr(maker, "settings", {})
    files = [key for key in given if key in known and known[key].trusted]
    if files and not trusted:
        raise UnknownBot(f"{spec!r}: {files[0]} names a file, which only the arena may")
    bot = maker(**read(spec, given, known))
    bot.name = spec
    return bot


def hosted() -> dict[str, str]:
    """The bots that this host names in HANSA_BOTS: `name=text; name=text`; raises BotError.

    They take seats at the table by their names alone, whatever files or programs their texts name.
    """
    return _hosted(os.environ.get("HANSA_BOTS", ""))


@lru_cache(maxsize=4)
def _hosted(text: str) -> dict[str, str]:
    found = {}
    for entry in filter(None, map(str.strip, text.split(";"))):
        name, equals, spec = (part.strip() for part in entry.partition("="))
        if not equals or not spec or ":" in name:
            raise BotError(f"HANSA_BOTS: bots are written name=text; name=text, not {entry!r}")
        if parse(name)[0] in _makers() or name in found:
            raise BotError(f"HANSA_BOTS: there is a bot {name!r} already")
        found[name] = spec
    return found


def _maker(name: str, spec: str) -> _Maker:
    if name not in _makers():
        raise UnknownBot(f"{spec!r}: no bot {name!r}; there are {', '.join([*names(), *hosted()])}")
    found = _makers()[name]
    if not isinstance(found, metadata.EntryPoint):
        return found  # type: ignore[no-any-return]  # a class of ours
    try:
        return found.load()  # type: ignore[no-any-return]  # an entry point is what it is
    except Exception as error:
        raise BotError(f"the bot {name!r} of {found.value} cannot be loaded: {error}") from error


def is_search(spec: str) -> bool:
    """Whether a text names a bot that searches, and so wants everything compiled."""
    maker = _OURS.get(spec.partition(":")[0])
    return isinstance(maker, type) and issubclass(maker, Search)


def catalogue() -> list[dict[str, Any]]:
    """The bots as people choose them, the weakest first, and after them those of other packages."""
    listed = [
        {
            "name": one.name,
            "spec": one.spec,
            "title": one.title,
            "text": one.text,
            "level": one.level,
        }
        for one in LEVELS
    ]
    for name in hosted():
        text = "Added by whoever runs this server."
        listed.append({"name": name, "spec": name, "title": name, "text": text, "level": 0})
    known = {entry["name"] for entry in listed}
    for name in names():
        if name not in known and name not in _OURS and name not in FROM_FILES:
            text = f"From another package: {_makers()[name].value}."
            listed.append({"name": name, "spec": name, "title": name, "text": text, "level": 0})
    return listed
