"""Loops over many games for environments, in the style of the rules: one text, two ways to run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hansa.envs.complete import observe, row_size
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.engine import apply, legal
from hansa.rules.numbering import ACTION_IDS
from hansa.rules.policy import next_random, sensible
from hansa.rules.scoring import is_winner, total
from hansa.rules.state import State
from hansa.rules.tables import Tables

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# What is paid for: see rewards.py.
WIN, SHARE, SCORE, POINTS = 0, 1, 2, 3


def reward(b: Tables, s: State, player: int, kind: int) -> float:
    """What the end of the game is worth to a player."""
    if kind == POINTS:
        return float(total(b, s, player) - s.points[player])
    if kind == SCORE:
        others = 0
        for other in range(s.players):
            if other != player:
                others += total(b, s, other)
        return total(b, s, player) - others / (s.players - 1)
    winners = 0
    for other in range(s.players):
        if is_winner(b, s, other):
            winners += 1
    share = 1.0 / winners if is_winner(b, s, player) else 0.0
    if kind == SHARE:
        return share
    return (share * s.players - 1.0) / (s.players - 1)


def play(
    boards: Sequence[Tables],
    states: Sequence[State],
    i: int,
    action: int,
    kind: int,
    rewards: npt.NDArray[np.float32],
    base: int,
) -> None:
    """One decision of one game, and what every seat gets for it, written from `base` on."""
    for player in range(states[i].players):
        rewards[base + player] = 0.0
        if kind == POINTS:
            rewards[base + player] = -states[i].points[player]
    apply(boards[0], states[i], action)
    for player in range(states[i].players):
        if kind == POINTS:
            rewards[base + player] += states[i].points[player]
        if states[i].over != 0:
            rewards[base + player] += reward(boards[0], states[i], player, kind)


def look(
    boards: Sequence[Tables],
    states: Sequence[State],
    i: int,
    viewer: int,
    where: npt.NDArray[np.int64],
    observations: npt.NDArray[np.int8],
    base: int,
) -> None:
    """What one player sees of one game."""
    observe(boards[0], states[i], viewer, where, observations, base)


def mark(
    boards: Sequence[Tables],
    states: Sequence[State],
    i: int,
    buf: list[int],
    masks: npt.NDArray[np.int8],
    base: int,
) -> int:
    """The legal decisions of one game as a mask, and their number."""
    masks[base : base + ACTION_IDS] = 0
    n = legal(boards[0], states[i], buf)
    for k in range(n):
        masks[base + buf[k]] = 1
    return n


def look_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    rows: npt.NDArray[np.int64],
    first: int,
    last: int,
    buf: list[int],
    where: npt.NDArray[np.int64],
    observations: npt.NDArray[np.int8],
    masks: npt.NDArray[np.int8],
    ids: npt.NDArray[np.int16],
    counts: npt.NDArray[np.int64],
    players: npt.NDArray[np.int64],
) -> None:
    """Observation, mask, legal decisions and player of the games rows[first] … rows[last - 1]."""
    size = row_size(where)
    for k in range(first, last):
        i = rows[k]
        players[i] = states[i].player
        observe(boards[0], states[i], players[i], where, observations, size * i)
        counts[i] = mark(boards, states, i, buf, masks, ACTION_IDS * i)
        for j in range(counts[i]):
            ids[MAX_LEGAL * i + j] = buf[j]


def step_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    first: int,
    last: int,
    actions: npt.NDArray[np.int64],
    buf: list[int],
    where: npt.NDArray[np.int64],
    kind: int,
    most: int,
    seats: int,
    ages: npt.NDArray[np.int64],
    observations: npt.NDArray[np.int8],
    masks: npt.NDArray[np.int8],
    ids: npt.NDArray[np.int16],
    counts: npt.NDArray[np.int64],
    players: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    terminated: npt.NDArray[np.int8],
    truncated: npt.NDArray[np.int8],
) -> None:
    """One decision of the games first … last - 1; those that have ended stand still, unpaid."""
    size = row_size(where)
    for i in range(first, last):
        if terminated[i] != 0 or truncated[i] != 0:
            for k in range(seats * i, seats * i + seats):
                rewards[k] = 0.0
            continue
        play(boards, states, i, actions[i], kind, rewards, seats * i)
        ages[i] += 1
        if states[i].over != 0:
            terminated[i] = 1
        elif ages[i] >= most:
            truncated[i] = 1
        players[i] = states[i].player
        observe(boards[0], states[i], players[i], where, observations, size * i)
        counts[i] = mark(boards, states, i, buf, masks, ACTION_IDS * i)
        for j in range(counts[i]):
            ids[MAX_LEGAL * i + j] = buf[j]


def sample_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    first: int,
    last: int,
    buf: list[int],
    sensibly: int,
    ids: npt.NDArray[np.int16],
    counts: npt.NDArray[np.int64],
    seeds: npt.NDArray[np.int64],
    actions: npt.NDArray[np.int64],
) -> None:
    """Draw one of the legal decisions kept for each game: by the playout policy, or all alike; 0 at the end."""
    for i in range(first, last):
        seeds[i] = next_random(seeds[i])
        n = counts[i]
        if n == 0:
            actions[i] = 0
        elif sensibly != 0:
            for j in range(n):
                buf[j] = ids[MAX_LEGAL * i + j]
            actions[i] = buf[sensible(boards[0], states[i], buf, n, seeds[i])]
        else:
            actions[i] = ids[MAX_LEGAL * i + seeds[i] % n]
