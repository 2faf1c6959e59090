"""Loops over many games for environments, in the style of the rules: one text, two ways to run.

A batch keeps a book: one row of whole numbers for each game, whose columns are named here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hansa.bots.judge.policy import choose, with_pieces_left
from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import Weights
from hansa.envs.complete import observe, observe_again
from hansa.envs.dealing import deal
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.codes import MAX_PLAYERS
from hansa.rules.engine import apply, legal
from hansa.rules.numbering import ACTION_IDS
from hansa.rules.policy import next_random, sensible
from hansa.rules.scoring import is_winner, total
from hansa.rules.state import State
from hansa.rules.tables import Tables

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hansa.envs.encoder import Row, Where

    Book = npt.NDArray[np.int64]

# What is paid for: see rewards.py.
WIN, SHARE, SCORE, POINTS, GAIN = 0, 1, 2, 3, 4

# Columns of the book: who decides, decisions so far, the seed, the stream of random numbers, the seat
# whose eyes see (-1: whoever decides), how many decisions are legal; then, by seat, who decides for
# it, the points and the total that have been paid for.
PLAYER, AGE, SEED, STREAM, EYES, LEGAL, BY = 0, 1, 2, 3, 4, 5, 6
TRACK, TOTAL, COLUMNS = BY + MAX_PLAYERS, BY + 2 * MAX_PLAYERS, BY + 3 * MAX_PLAYERS

# Who decides for a seat; numbers from CALLED on are policies of Python.
OUTSIDE, RANDOM, SENSIBLE, GREEDY, CALLED = 0, 1, 2, 3, 4

# What is wanted: the limit of decisions, forced ones skipped, seats and numbers of a row of rewards
# and observations, masks, totals kept, pay before the end, then the kinds of rewards.
MOST, SKIPS, SEATS, WIDTH, MASKS, TOTALS, RUNNING, PAID = 0, 1, 2, 3, 4, 5, 6, 7

# What `advance_many` is to do: a decision, one before the learner's first (it is paid for with his),
# the first look at a game, or only a look.
STEP, OPENING, BEGIN, LOOK = 0, 1, 2, 3


def reward(b: Tables, s: State, player: int, kind: int) -> float:
    """What the end of the game is worth to a player, beyond what has been paid on the way."""
    if kind == POINTS:
        return float(total(b, s, player) - s.points[player])
    if kind == GAIN:
        return 0.0
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
        elif kind == GAIN:
            rewards[base + player] = -total(boards[0], states[i], player)
    apply(boards[0], states[i], action)
    for player in range(states[i].players):
        if kind == POINTS:
            rewards[base + player] += states[i].points[player]
        elif kind == GAIN:
            rewards[base + player] += total(boards[0], states[i], player)
        if states[i].over != 0:
            rewards[base + player] += reward(boards[0], states[i], player, kind)


def look(
    boards: Sequence[Tables],
    states: Sequence[State],
    i: int,
    viewer: int,
    where: Where,
    observations: Row,
    base: int,
) -> None:
    """What one player sees of one game."""
    observe(boards[0], states[i], viewer, where, observations, base)


def mark(
    boards: Sequence[Tables],
    states: Sequence[State],
    i: int,
    buf: list[int],
    masks: Row,
    base: int,
) -> int:
    """The legal decisions of one game as a mask, and their number."""
    masks[base : base + ACTION_IDS] = 0
    n = legal(boards[0], states[i], buf)
    for k in range(n):
        masks[base + buf[k]] = 1
    return n


def deal_many(
    states: Sequence[State],
    rows: npt.NDArray[np.int64],
    seeds: npt.NDArray[np.int64],
    hand: list[int],
    words: list[int],
    work: list[int],
) -> None:
    """What the seeds decide, into fresh states in these rows."""
    for k in range(len(rows)):
        deal(states[rows[k]], hand, seeds[k], words, work)


def answer(
    b: Tables, s: State, w: Weights, v: Survey, by: int, buf: list[int], n: int, drawn: int
) -> int:
    """The decision of an opponent inside the batch; -1: somebody outside must decide."""
    if by == RANDOM:
        return buf[drawn % n]
    if by == SENSIBLE:
        return buf[sensible(b, s, buf, n, drawn)]
    if by == GREEDY:
        n = with_pieces_left(b, s, buf, n)
        return buf[choose(b, s, w, v, buf, n, drawn)]
    return -1


def settle(
    b: Tables,
    s: State,
    i: int,
    book: Book,
    wanted: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
) -> None:
    """Pay every seat for what has happened since it was paid last."""
    kinds = len(wanted) - PAID
    for player in range(s.players):
        if wanted[TOTALS] != 0:
            now = total(b, s, player)
            gained = now - book[i, TOTAL + player]
            book[i, TOTAL + player] = now
        else:
            gained = 0
        scored = s.points[player] - book[i, TRACK + player]
        book[i, TRACK + player] = s.points[player]
        at = (i * wanted[SEATS] + player) * kinds
        for k in range(kinds):
            kind = wanted[PAID + k]
            if kind == POINTS:
                rewards[at + k] += scored
            elif kind == GAIN:
                rewards[at + k] += gained
            if s.over != 0:
                rewards[at + k] += reward(b, s, player, kind)


def advance_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    weights: Sequence[Weights],
    surveys: Sequence[Survey],
    before: list[State],
    shown: Row,
    rows: npt.NDArray[np.int64],
    first: int,
    last: int,
    mode: int,
    actions: npt.NDArray[np.int64],
    buf: list[int],
    where: Where,
    wanted: npt.NDArray[np.int64],
    book: Book,
    observations: Row,
    masks: Row,
    ids: npt.NDArray[np.int16],
    rewards: npt.NDArray[np.float32],
    terminated: Row,
    truncated: Row,
) -> None:
    """Bring the games rows[first] … rows[last - 1] to the next decision from outside, and look.

    A decision from outside is played first (STEP), then those of opponents inside the batch and,
    where they are skipped, those without a choice.

    `shown` tells whose eyes a row of observations shows the game with, as it stands (-1: it shows
    nothing). Then that row, and the mask, are changed where the game has changed.
    """
    for k in range(first, last):
        i = rows[k]
        is_shown = mode <= OPENING and shown[i] >= 0
        if is_shown:
            before[0] = states[i]
        if mode == BEGIN:
            for player in range(states[i].players):
                book[i, TRACK + player] = states[i].points[player]
                if wanted[TOTALS] != 0:
                    book[i, TOTAL + player] = total(boards[0], states[i], player)
        action = actions[i] if mode <= OPENING else -1
        n = 0
        while True:
            if action >= 0:
                apply(boards[0], states[i], action)
                book[i, AGE] += 1
            n = legal(boards[0], states[i], buf)
            if mode == LOOK:
                break
            if states[i].over != 0:
                terminated[i] = 1
                break
            if book[i, AGE] >= wanted[MOST]:
                truncated[i] = 1
                break
            action = -1
            if n == 1 and wanted[SKIPS] != 0:
                action = buf[0]
            elif book[i, BY + states[i].player] != OUTSIDE:
                drawn = next_random(book[i, STREAM])
                book[i, STREAM] = drawn
                by = book[i, BY + states[i].player]
                action = answer(boards[0], states[i], weights[0], surveys[0], by, buf, n, drawn)
            if action < 0:
                break
        if mode == STEP and (states[i].over != 0 or wanted[RUNNING] != 0):
            settle(boards[0], states[i], i, book, wanted, rewards)
        book[i, PLAYER] = states[i].player
        # A policy of Python decides by its own eyes, a learner by his even when all is over.
        decides = book[i, EYES] < 0 or book[i, BY + states[i].player] >= CALLED
        ended = terminated[i] != 0 or truncated[i] != 0
        viewer = states[i].player if decides and not ended else book[i, EYES]
        viewer = states[i].player if viewer < 0 else viewer
        base = wanted[WIDTH] * i
        if is_shown and viewer == shown[i]:
            observe_again(boards[0], states[i], before[0], viewer, where, observations, base)
        else:
            observe(boards[0], states[i], viewer, where, observations, base)
        shown[i] = viewer
        if wanted[MASKS] != 0:
            mask = masks[ACTION_IDS * i : ACTION_IDS * (i + 1)]
            if is_shown:
                for j in range(book[i, LEGAL]):
                    mask[ids[MAX_LEGAL * i + j]] = 0
            else:
                mask[:] = 0
            for j in range(n):
                mask[buf[j]] = 1
        for j in range(n):
            ids[MAX_LEGAL * i + j] = buf[j]
        book[i, LEGAL] = n


def see_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    rows: npt.NDArray[np.int64],
    first: int,
    last: int,
    viewers: npt.NDArray[np.int64],
    where: Where,
    width: int,
    observations: Row,
) -> None:
    """What the given seats see of the games rows[first] … rows[last - 1]."""
    for k in range(first, last):
        i = rows[k]
        observe(boards[0], states[i], viewers[i], where, observations, width * i)


def score_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    rows: npt.NDArray[np.int64],
    first: int,
    last: int,
    seats: int,
    scores: npt.NDArray[np.int32],
) -> None:
    """Everybody's points as if the games ended now."""
    for k in range(first, last):
        i = rows[k]
        for player in range(states[i].players):
            scores[seats * i + player] = total(boards[0], states[i], player)


def first_illegal(
    rows: npt.NDArray[np.int64],
    start: int,
    actions: npt.NDArray[np.int64],
    book: Book,
    ids: npt.NDArray[np.int16],
) -> int:
    """The place in `rows`, from `start` on, of the first decision that is not legal; -1: none."""
    for k in range(start, len(rows)):
        i = rows[k]
        action = actions[i]
        listed = ids[MAX_LEGAL * i : MAX_LEGAL * i + book[i, LEGAL]]
        found = False
        for j in range(len(listed)):  # all of them: where to stop could only be guessed
            found |= listed[j] == action
        if not found:
            return k
    return -1


def sample_many(
    boards: Sequence[Tables],
    states: Sequence[State],
    weights: Sequence[Weights],
    surveys: Sequence[Survey],
    rows: npt.NDArray[np.int64],
    first: int,
    last: int,
    buf: list[int],
    by: int,
    ids: npt.NDArray[np.int16],
    book: Book,
    actions: npt.NDArray[np.int64],
) -> None:
    """What an opponent inside the batch would decide in each game; 0 at the end."""
    for k in range(first, last):
        i = rows[k]
        book[i, STREAM] = next_random(book[i, STREAM])
        n = book[i, LEGAL]
        if n == 0:
            actions[i] = 0
        elif by == RANDOM:
            actions[i] = ids[MAX_LEGAL * i + book[i, STREAM] % n]
        else:
            for j in range(n):
                buf[j] = ids[MAX_LEGAL * i + j]
            drawn = book[i, STREAM]
            actions[i] = answer(boards[0], states[i], weights[0], surveys[0], by, buf, n, drawn)
