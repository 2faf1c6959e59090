"""Loops over many states or decisions, for batches and benchmarks.

`boards` holds one board's tables, `states` many states; compiled they are numpy record arrays.
"""

from __future__ import annotations

from collections.abc import Sequence

from .engine import apply, legal
from .numbering import ACTION_IDS
from .policy import next_random, sensible
from .scoring import is_winner, total
from .state import State
from .tables import Tables


def legal_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    first: int,
    last: int,
    buf: list[int],
    mask: list[bool],
) -> None:
    """Legal masks of states first … last - 1, ACTION_IDS entries a state."""
    for i in range(first, last):
        base = i * ACTION_IDS
        for k in range(base, base + ACTION_IDS):
            mask[k] = False
        for k in range(legal(boards[0], states[i], buf)):
            mask[base + buf[k]] = True


def apply_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    first: int,
    last: int,
    actions: Sequence[int],
) -> None:
    """One decision each; games that are over stay as they are."""
    for i in range(first, last):
        if states[i].over == 0:
            apply(boards[0], states[i], actions[i])


def play_random(
    boards: Sequence[Tables], states: Sequence[State], i: int, buf: list[int], seed: int, most: int
) -> int:
    """Uniformly random decisions until the end or `most`; how many were played."""
    for played in range(most):
        n = legal(boards[0], states[i], buf)
        if n == 0:
            return played
        seed = next_random(seed)
        apply(boards[0], states[i], buf[seed % n])
    return most


def play_sensibly(
    boards: Sequence[Tables], states: Sequence[State], i: int, buf: list[int], seed: int, most: int
) -> int:
    """Decisions drawn by the policy until the end or `most`; how many were played."""
    for played in range(most):
        n = legal(boards[0], states[i], buf)
        if n == 0:
            return played
        seed = next_random(seed)
        apply(boards[0], states[i], buf[sensible(boards[0], states[i], buf, n, seed)])
    return most


def play_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    first: int,
    last: int,
    buf: list[int],
    seeds: Sequence[int],
    most: int,
    played: list[int],
) -> None:
    """A playout by the policy of each state; `played` receives their lengths."""
    for i in range(first, last):
        played[i] = play_sensibly(boards, states, i, buf, seeds[i], most)


def results_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    first: int,
    last: int,
    totals: list[int],
    wins: list[int],
) -> None:
    """Points and wins of every seat as if the games ended now, five entries a state."""
    for i in range(first, last):
        for player in range(states[i].players):
            totals[5 * i + player] = total(boards[0], states[i], player)
            wins[5 * i + player] = int(is_winner(boards[0], states[i], player))


def trace(
    boards: Sequence[Tables],
    states: Sequence[State],
    i: int,
    buf: list[int],
    seed: int,
    most: int,
    out: list[int],
) -> int:
    """Sensible and random decisions mixed, written down: what both ways of running must agree on.

    Every decision leaves two numbers, the decision and a sum over the legal list.
    """
    for played in range(most):
        n = legal(boards[0], states[i], buf)
        if n == 0:
            return played
        seed = next_random(seed)
        k = seed % n if seed % 3 == 0 else sensible(boards[0], states[i], buf, n, seed)
        checksum = 0
        for j in range(n):
            checksum = (checksum * 31 + buf[j]) % 1000003
        out[2 * played] = buf[k]
        out[2 * played + 1] = checksum
        apply(boards[0], states[i], buf[k])
    return most
