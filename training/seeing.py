"""From positions to what networks see of them."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from hansa import compiled
from hansa.bots.judge.fitted import EVALUATIONS, kind_of, weights_of
from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import Weights
from hansa.bots.learned.decisions import ABOUT, NAMES_EACH, Option
from hansa.bots.learned.inputs import OWN, Sight
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.codes import MAX_PLAYERS
from hansa.setup import Setup
from training.setups import draw
from training.tables import kernels

KINDS = tuple(EVALUATIONS)
OPTIONS = 18
"""Decisions of a position that a network learns to rate, at most."""
BATCH = 24
"""Games of the judgement with the same shaken weights."""
EVERY = 16
"""About one of so many positions of theirs is kept."""
KEPT = BATCH * 60
SPREAD = 0.8
STEADY = ("evaluation", "calm", "uncertain")
"""Weights that play has no part in: they are not shaken."""


@dataclass
class Seen:
    """Positions as networks see them; arrays with a row for each."""

    inputs: Any
    """By player."""
    kind: Any
    players: Any
    result: Any
    """Everybody's share of the win."""
    value: Any
    """What the search expected; as the result where nobody searched."""
    game: Any
    """Positions of one game share a number."""
    own: Any = None
    about: Any = None
    names: Any = None
    visits: Any = None

    def take(self, which: Any) -> Seen:
        """Some of the positions."""
        return Seen(
            **{name: None if array is None else array[which] for name, array in vars(self).items()}
        )


def join(parts: Sequence[Seen]) -> Seen:
    """All together; the numbers of games stay apart."""
    arrays: dict[str, Any] = {}
    for name in vars(parts[0]):
        columns = [getattr(part, name) for part in parts]
        arrays[name] = None if columns[0] is None else np.concatenate(columns)
    bases = np.cumsum([0, *(part.game.max() + 1 for part in parts)])
    arrays["game"] = np.concatenate(
        [part.game + base for part, base in zip(parts, bases[:-1], strict=True)]
    )
    return Seen(**arrays)


@cache
def _batches() -> Any:
    module = compiled.jitted("hansa.bots.learned.batches")
    compiled.ready(module, "look_many", "describe_many", "play_games")
    return module


@dataclass
class _Eyes:
    board: Any
    weights: Any
    survey: Any
    sight: Any
    option: Any
    buf: Any


def _eyes(setup: Setup) -> _Eyes:
    weights = compiled.records([weights_of(kind_of(setup.board, setup.players))])
    return _Eyes(
        compiled.board_record(setup.board_id),
        weights,
        np.zeros(1, compiled.record_dtype(Survey)),
        np.zeros(1, compiled.record_dtype(Sight)),
        np.zeros(1, compiled.record_dtype(Option)),
        np.zeros(MAX_LEGAL, np.int64),
    )


def warm() -> None:
    """Compile what this module needs."""
    _batches()


def look(setup: Setup, states: Any) -> Any:
    """What networks see of each player, by position."""
    eyes = _eyes(setup)
    seen = np.zeros(len(states) * MAX_PLAYERS * OWN)
    _batches().look_many(eyes.board, states, eyes.weights, eyes.survey, eyes.sight, seen)
    return seen.reshape(-1, MAX_PLAYERS, OWN).astype(np.float16)


def see_shard(path: Path) -> Seen:
    """The positions of a shard."""
    with np.load(path) as data:
        shard = {name: data[name] for name in data.files}
    states = np.frombuffer(shard["states"].tobytes(), compiled.state_dtype())
    parts = []
    for number, text in enumerate(shard["setups"]):
        which = np.flatnonzero(shard["game"] == number)
        if len(which):
            setup = Setup.from_dict(json.loads(str(text)))
            parts.append(_see_game(setup, states[which].copy(), which, number, shard))
    return join(parts)


def _see_game(setup: Setup, states: Any, which: Any, number: int, shard: dict[str, Any]) -> Seen:
    eyes = _eyes(setup)
    count = len(which)
    inputs = look(setup, states)
    chosen = [
        np.arange(shard["offsets"][k], shard["offsets"][k + 1])[:OPTIONS] for k in which.tolist()
    ]
    offsets = np.cumsum([0, *(len(one) for one in chosen)]).astype(np.int64)
    actions = shard["actions"][np.concatenate(chosen)].astype(np.int64)
    own = np.zeros(count * OWN)
    about, names = np.zeros(len(actions) * ABOUT), np.zeros(len(actions) * NAMES_EACH, np.int64)
    _batches().describe_many(
        eyes.board, states, eyes.weights, eyes.survey, eyes.sight, eyes.option, eyes.buf,
        offsets, actions, own, about, names,
    )  # fmt: skip
    place = (
        np.repeat(np.arange(count), np.diff(offsets)),
        np.concatenate([np.arange(len(one)) for one in chosen]),
    )
    by_place = np.zeros((count, OPTIONS, ABOUT), np.float16)
    by_place[place] = about.reshape(-1, ABOUT)
    named = np.full((count, OPTIONS, NAMES_EACH), -1, np.int8)
    named[place] = names.reshape(-1, NAMES_EACH)
    visits = np.full((count, OPTIONS), -1.0, np.float32)
    visits[place] = shard["visits"][np.concatenate(chosen)]
    return Seen(
        inputs=inputs,
        kind=np.full(count, KINDS.index(kind_of(setup.board, setup.players)), np.int8),
        players=np.full(count, setup.players, np.int8),
        result=np.repeat(shard["results"][number][None], count, 0),
        value=shard["values"][which].astype(np.float32),
        game=np.zeros(count, np.int64),
        own=own.reshape(-1, OWN).astype(np.float16),
        about=by_place,
        names=named,
        visits=visits,
    )


def judged_positions(seed: int) -> tuple[Setup, Any, Any, Any]:
    """Positions of a batch of games of the judgement against itself, everybody's weights shaken.

    The set-up, states, the number of the game of each, and everybody's share of the win there.
    """
    setup = draw(seed)
    chance = np.random.default_rng([seed, 13])
    eyes = _eyes(setup)
    players = np.repeat(eyes.weights, 1 + MAX_PLAYERS)
    for one in players[1:]:
        spread = SPREAD * chance.random()
        for name, _, length in Weights.FIELDS:  # type: ignore[attr-defined]  # a record
            if name not in STEADY:
                one[name] = np.round(one[name] * np.exp(chance.normal(0, spread, length or None)))
    states = compiled.state_records(setup.with_seed(seed + k).new_state() for k in range(BATCH))
    kept, game = np.zeros(KEPT, compiled.state_dtype()), np.zeros(KEPT, np.int64)
    seeds = chance.integers(1, 2**31 - 2, BATCH)
    used = _batches().play_games(
        eyes.board, states, players, eyes.survey, eyes.buf, seeds, EVERY, kept, game
    )
    totals, winners = np.zeros((2, BATCH * MAX_PLAYERS), np.int64)
    kernels().results_many(eyes.board, states, 0, BATCH, totals, winners)
    wins = winners.reshape(BATCH, MAX_PLAYERS) * (np.arange(MAX_PLAYERS) < setup.players)
    result = (wins / wins.sum(1, keepdims=True)).astype(np.float32)[game[:used]]
    return setup, kept[:used].copy(), game[:used].copy(), result


def see_judged(task: tuple[int, float]) -> Seen | None:
    """What networks see of such positions; the task is a seed, and a time after which none begins."""
    seed, until = task
    if time.time() > until:
        return None
    setup, states, game, result = judged_positions(seed)
    return Seen(
        inputs=look(setup, states),
        kind=np.full(len(game), KINDS.index(kind_of(setup.board, setup.players)), np.int8),
        players=np.full(len(game), setup.players, np.int8),
        result=result,
        value=result,
        game=game,
    )


def judged_tasks(games: int, first: int, seconds: float) -> list[tuple[int, float]]:
    """Tasks of `see_judged` that make about so many games, or fewer in so many seconds."""
    until = time.time() + seconds
    return [(seed, until) for seed in range(first, first + games, BATCH)]
