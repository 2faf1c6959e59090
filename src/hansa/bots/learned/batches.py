"""Loops over many positions, for training."""

from __future__ import annotations

from collections.abc import Sequence

from hansa.bots.judge.policy import choose
from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import Weights
from hansa.bots.learned.decisions import ABOUT, NAMES_EACH, Option, describe
from hansa.bots.learned.inputs import OWN, SEEN, Sight, look, see_decider
from hansa.bots.tree.nodes import likeness
from hansa.bots.tree.sampling import next_seed
from hansa.rules.codes import MAX_PLAYERS
from hansa.rules.engine import apply, legal
from hansa.rules.state import State
from hansa.rules.tables import Tables


def look_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    weights: Sequence[Weights],
    surveys: Sequence[Survey],
    sights: Sequence[Sight],
    seen: list[float],
) -> None:
    """What a network sees of each state, MAX_PLAYERS rows of SEEN inputs a state."""
    for i in range(len(states)):
        look(boards[0], states[i], weights[0], surveys[0], sights[0])
        at = MAX_PLAYERS * SEEN * i
        for k in range(states[i].players * SEEN):
            seen[at + k] = sights[0].seen[k]


def consider_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    weights: Sequence[Weights],
    surveys: Sequence[Survey],
    sights: Sequence[Sight],
    options: Sequence[Option],
    buf: list[int],
    kinds: Sequence[int],
    own: list[float],
    first: list[int],
    ids: list[int],
    about: list[float],
    names: list[int],
) -> int:
    """What a network sees of the decisions of each state; how many, unlike ones only.

    `own` receives OWN inputs of the deciding player a state, `first` where its decisions begin.
    """
    b = boards[0]
    w = weights[0]
    v = surveys[0]
    used = 0
    for i in range(len(states)):
        s = states[i]
        first[i] = used
        n = legal(b, s, buf)
        see_decider(b, s, w, v, sights[0], buf, n)
        for k in range(OWN):
            own[OWN * i + k] = sights[0].seen[k]
        best = v.scores[0]
        for k in range(n):
            best = max(best, v.scores[k])
        for k in range(n):
            kind = likeness(b, s, buf[k])
            known = False
            for j in range(k):
                if likeness(b, s, buf[j]) == kind:
                    known = True
                    break
            if known:
                continue
            o = options[0]
            describe(b, s, v, o, kinds[b.id_verb[buf[k]]], buf[k], v.scores[k], best)
            ids[used] = buf[k]
            for j in range(ABOUT):
                about[ABOUT * used + j] = o.about[j]
            for j in range(NAMES_EACH):
                names[NAMES_EACH * used + j] = o.names[j]
            used += 1
    return used


def liken_many(
    boards: Sequence[Tables], states: Sequence[State], which: Sequence[int], ids: list[int]
) -> None:
    """Each id, a decision of the state of that number, becomes its likeness."""
    for k in range(len(which)):
        ids[k] = likeness(boards[0], states[which[k]], ids[k])


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


MOST = 4000
"""Decisions after which a game counts as never ending."""
