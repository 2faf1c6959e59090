"""All bots by name: ours, and those that other packages add through entry points."""

from __future__ import annotations

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

__all__ = ["LEVELS", "Level", "catalogue", "create", "is_search", "names"]

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
    Level(1, "random", "Chance", "Decides by lot, and so hardly ever finishes a route."),
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
        "Takes ten seconds for a turn on two cores: as strong as this machine can.",
    ),
)

EXTERNAL = "external"
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

    `external` starts a program, so only who is trusted may name it: never a text that came over
    a network.

    >>> hansa.bots.create("greedy:seed=3").name
    'greedy:seed=3'
    """
    name, given = parse(spec)
    if name == EXTERNAL and not trusted:
        raise UnknownBot(f"{spec!r}: programs can play in the arena only")
    maker = _maker(name, spec)
    known: Mapping[str, Setting] = getattr(maker, "settings", {})
    bot: Bot = maker(**read(spec, given, known))
    bot.name = spec
    return bot


def _maker(name: str, spec: str) -> _Maker:
    if name not in _makers():
        raise UnknownBot(f"{spec!r}: no bot {name!r}; there are {', '.join(names())}")
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
    known = {entry["name"] for entry in listed}
    for name in names():
        if name not in known and name not in _OURS:
            text = f"From another package: {_makers()[name].value}."
            listed.append({"name": name, "spec": name, "title": name, "text": text, "level": 0})
    return listed
