"""Loops over many positions, for training."""

from __future__ import annotations

from collections.abc import Sequence

from hansa.bots.judge.policy import choose, rate_all
from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import Weights
from hansa.bots.learned.decisions import ABOUT, NAMES_EACH, Option, describe
from hansa.bots.learned.inputs import OWN, Sight, look, see_decider
from hansa.bots.tree.sampling import next_seed
from hansa.rules.codes import MAX_PLAYERS
from hansa.rules.engine import apply, legal
from hansa.rules.state import State
from hansa.rules.tables import Tables

MOST = 4000
"""Decisions after which a game counts as never ending."""


def look_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    weights: Sequence[Weights],
    surveys: Sequence[Survey],
    sights: Sequence[Sight],
    seen: list[float],
) -> None:
    """What a network sees of each state, MAX_PLAYERS rows of OWN inputs a state."""
    for i in range(len(states)):
        look(boards[0], states[i], weights[0], surveys[0], sights[0])
        at = MAX_PLAYERS * OWN * i
        for k in range(states[i].players * OWN):
            seen[at + k] = sights[0].seen[k]


def describe_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    weights: Sequence[Weights],
    surveys: Sequence[Survey],
    sights: Sequence[Sight],
    options: Sequence[Option],
    buf: list[int],
    offsets: Sequence[int],
    actions: Sequence[int],
    own: list[float],
    about: list[float],
    names: list[int],
) -> None:
    """What a network sees of decisions of each state: `actions` from its offset to the next one.

    `own` receives OWN inputs of the deciding player a state.
    """
    b = boards[0]
    v = surveys[0]
    o = options[0]
    for i in range(len(states)):
        s = states[i]
        n = legal(b, s, buf)
        rate_all(b, s, weights[0], v, buf, n)
        see_decider(b, s, weights[0], v, sights[0])
        for k in range(OWN):
            own[OWN * i + k] = sights[0].seen[k]
        best = v.scores[0]
        for k in range(1, n):
            best = max(best, v.scores[k])
        for at in range(offsets[i], offsets[i + 1]):
            place = 0
            while buf[place] != actions[at]:
                place += 1
            describe(b, s, v, o, actions[at], v.scores[place], best)
            for j in range(ABOUT):
                about[ABOUT * at + j] = o.about[j]
            for j in range(NAMES_EACH):
                names[NAMES_EACH * at + j] = o.names[j]


def play_games(
    boards: Sequence[Tables],
    states: Sequence[State],
    weights: Sequence[Weights],
    surveys: Sequence[Survey],
    buf: list[int],
    seeds: Sequence[int],
    every: int,
    kept: Sequence[State],
    game: list[int],
) -> int:
    """Play all states by judgement and keep about every so manieth position; how many were kept.

    Each player decides by weights of his own. `game` receives the number of the game of each.
    """
    b = boards[0]
    v = surveys[0]
    used = 0
    for i in range(len(states)):
        s = states[i]
        seed = seeds[i] % 2147483646 + 1
        for _ in range(MOST):
            n = legal(b, s, buf)
            if n == 0:
                break
            seed = next_seed(seed)
            if n > 1 and seed // 8 % every == 0 and used < len(kept):
                kept[used] = s  # type: ignore[index]  # an array of records
                game[used] = i
                used += 1
            seed = next_seed(seed)
            apply(b, s, buf[choose(b, s, weights[1 + s.player], v, buf, n, seed)])
    return used
