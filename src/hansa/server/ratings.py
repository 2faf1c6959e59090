"""How good people are: what one rated game tells about those who played it.

Plackett-Luce by openskill, duels apart from games of three to five. Machines keep the ratings that the
arena measured, so that people are placed from their first game on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from openskill.models import PlackettLuce

from hansa import bots
from hansa.bots.standings import SURE
from hansa.server.wire.ratings import MachineRating, Pool, Rating

if TYPE_CHECKING:
    from hansa.server.model import Meta

__all__ = [
    "FRESH",
    "MACHINES",
    "PROVISIONAL",
    "Sitter",
    "Skill",
    "face",
    "machines",
    "pool_of",
    "ranks",
    "rate",
    "shown_gain",
]

_MODEL = PlackettLuce()
#: Points that are shown: so many a unit of the model, from the machine called Journeyman on.
_SCALE, _ZERO = 20, 1500


class Skill(NamedTuple):
    """A rating of the model: what is believed, and how sure that is."""

    mu: float
    sigma: float


class Sitter(NamedTuple):
    """Who sat at a seat of a rated game, and how it ended for him."""

    seat: str
    person: str | None
    bot: str | None
    rank: int


#: What is believed of somebody who has not played yet: as good as the Journeyman, or anything else.
FRESH = Skill(_MODEL.mu, _MODEL.sigma)
#: While a rating is less sure than this it has no place on the ladder: eight to ten games against
#: machines, twelve to nineteen among people who are as new.
PROVISIONAL = 6.0
#: Measured by the arena and moved so that the Journeyman is at 25; the two best continue the steps that
#: were measured with fewer simulations: docs/bots.md says how.
MACHINES: Mapping[Pool, Mapping[str, float]] = {
    "duel": {
        "random": -27.4,
        "greedy:care=50": -1.2,
        "greedy": 25.0,
        "champion:time=0.6": 52.0,
        "champion:time=3": 61.0,
        "champion:time=10,threads=2": 67.3,
    },
    "table": {
        "random": -48.6,
        "greedy:care=50": -11.9,
        "greedy": 25.0,
        "champion:time=0.6": 55.8,
        "champion:time=3": 61.5,
        "champion:time=10,threads=2": 67.2,
    },
}
#: How sure these are: the arena was sure to ± 8 to 10 after eighty to ninety games.
_MACHINE_SIGMA = 4.5


def pool_of(players: int) -> Pool:
    """Where a game of so many counts."""
    return "duel" if players == 2 else "table"


def machines(pool: Pool) -> list[MachineRating]:
    """The machines with their ratings, the best first."""
    listed = [
        MachineRating(bot=level.spec, level=level.level, title=level.title, value=_points(mu))
        for level in bots.LEVELS
        if (mu := MACHINES[pool].get(level.spec)) is not None
    ]
    return sorted(listed, key=lambda machine: -machine.value)


def _points(mu: float) -> int:
    return round(_ZERO + _SCALE * (mu - FRESH.mu))


def face(skill: Skill) -> Rating:
    """A rating as people see it."""
    return Rating(
        value=_points(skill.mu),
        uncertainty=round(_SCALE * SURE * skill.sigma),
        provisional=skill.sigma > PROVISIONAL,
    )


def shown_gain(skill: Skill, gain: float) -> int:
    """By how much the rating that people see has changed."""
    return _points(skill.mu) - _points(skill.mu - gain)


def ranks(meta: Meta) -> dict[str, int]:
    """The place of every seat of a finished game, from 1 on; equal places are shared.

    The winners are first; whoever did not play to the end is behind all who did.
    """
    result: dict[str, Any] = meta.result or {}
    left, winners = result.get("left") or result["conceded"], result["winners"]
    keys = {
        seat: (seat in left, seat not in winners, -(parts["total"] or 0))
        for seat, parts in result["scores"].items()
    }
    # Whoever left is last, however many points a machine has made for him.
    keys = {seat: (True, True, 0) if key[0] else key for seat, key in keys.items()}
    return {seat: 1 + sum(other < key for other in keys.values()) for seat, key in keys.items()}


def rate(pool: Pool, sitters: Sequence[Sitter], before: Mapping[str, Skill]) -> dict[str, Skill]:
    """The new ratings of the people of one game; machines have theirs for good."""

    def believed(sitter: Sitter) -> Skill:
        if sitter.person is not None:
            return before.get(sitter.person, FRESH)
        return Skill(MACHINES[pool].get(sitter.bot or "", FRESH.mu), _MACHINE_SIGMA)

    teams = [[_MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma in map(believed, sitters)]
    after = _MODEL.rate(teams, ranks=[float(sitter.rank) for sitter in sitters])
    return {
        sitter.person: Skill(team[0].mu, team[0].sigma)
        for sitter, team in zip(sitters, after, strict=True)
        if sitter.person is not None
    }
