"""Fit the evaluation to who wins. Run: python benchmarks/strength_fit.py [--games 2000] [KIND …]

Games of the judgement against itself, each player's weights shaken so that good and bad positions
of all kinds are seen; then the weights under which the shares of the win that the search would
expect make the winners most likely, held near the weights in use. Prints what
hansa/bots/judge/fitted.py holds.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.recfunctions import structured_to_unstructured

from hansa import compiled
from hansa.bots.judge.fitted import weights_of
from hansa.bots.judge.survey import Sample, Survey
from hansa.bots.judge.weights import Features, Weights
from hansa.grammar import MARKER_NAMES as MARKERS
from hansa.names import SKILLS
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.codes import MAX_PLAYERS, SKILL_STEPS
from hansa.setup import Setup

KINDS: dict[str, list[Setup]] = {
    "hansa": [Setup(players=k) for k in (3, 4, 5)],
    "east": [Setup(board="east", players=k) for k in (3, 4, 5)],
    "britannia": [Setup(board="britannia", players=k) for k in (3, 4, 5)],
    "duel": [
        Setup(players=2, duel="pawn"),
        Setup(players=2, duel="neutral"),
        Setup(board="east", players=2),
        Setup(board="britannia", players=2),
    ],
}
BATCH = 10
"""Games with the same shaken weights."""
SPREAD = 0.8
POSITIONS = 3.0
"""What the positions of one game, much alike, count for together."""
NEAR = 1.5
"""How far, in points, a weight moves without much evidence."""
FIXED = ("constant", "ahead", "later")
"""Features that are the same for everybody tell nothing of who wins."""
STEPS = 6
SAMPLES = 400 * BATCH
"""Positions noted of a batch, each once for every player, at most."""
KEPT = ("evaluation", "calm", "uncertain")
"""Weights that play has no part in: they are not shaken."""
NAMES = [name for name, _, length in Features.FIELDS for _ in range(length or 1)]
"""The feature of each column; a list has as many columns as it is long."""


@dataclass
class Seen:
    """Positions by (position, player, feature), and who won in the end."""

    features: Any
    shares: Any
    left: Any
    games: int


def gather(setup: Setup, games: int, seed: int) -> Seen:
    """Play games of one kind and note their positions."""
    module = compiled.jitted("hansa.bots.judge.playing")
    compiled.ready(module, "collect")
    chance = np.random.default_rng(seed)
    own = compiled.records([weights_of()])
    survey, noted = compiled.records([Survey()]), np.zeros(SAMPLES, compiled.record_dtype(Sample))
    buf = np.zeros(MAX_LEGAL, np.int64)
    board = compiled.board_record(setup.board_id)
    found = []
    for first in range(seed, seed + games, BATCH):
        batch = [setup.with_seed(first + k).new_state() for k in range(BATCH)]
        seeds = np.arange(first, first + BATCH, dtype=np.int64) * 1000003
        used = module.collect(
            board, compiled.state_records(batch), shaken(own, chance), survey, buf, seeds, noted
        )
        found.append(noted[:used].reshape(-1, setup.players).copy())
    samples = np.concatenate(found)
    totals = samples["total"]
    wins = (totals == totals.max(1, keepdims=True)).astype(float)
    features = structured_to_unstructured(samples["features"], float)
    left = features[:, 0, NAMES.index("ahead")]
    return Seen(features, wins / wins.sum(1, keepdims=True), left, games)


def shaken(own: Any, chance: np.random.Generator) -> Any:
    """The weights as they are, then five players': some nearly so, some far off."""
    weights = np.repeat(own, 1 + MAX_PLAYERS)
    for one in weights[1:]:
        spread = SPREAD * chance.random()
        for name, _, length in Weights.FIELDS:
            if name not in KEPT:
                one[name] = np.round(one[name] * np.exp(chance.normal(0, spread, length or None)))
    return weights


def expected(sample: Seen, weights: Any) -> tuple[Any, Any, Any]:
    """Logits, shares of the win, and how calm each position is."""
    calm = weights_of().calm + np.exp(weights[-1]) * sample.left
    logits = sample.features @ weights[:-1] / calm[:, None]
    shares = np.exp(logits - logits.max(1, keepdims=True))
    return logits, shares / shares.sum(1, keepdims=True), calm


def surprise(sample: Seen, weights: Any) -> float:
    """The mean surprise about the winners, in nats."""
    shares = np.maximum(expected(sample, weights)[1], 1e-12)
    return float(-(sample.shares * np.log(shares)).sum(1).mean())


def fit(samples: list[Seen], prior: Any) -> Any:
    """Gauss–Newton steps from the prior; the last weight is the logarithm of uncertainty."""
    pull = np.full(len(NAMES) + 1, NEAR**-2)
    pull[[NAMES.index(name) for name in FIXED]] = 1e12
    weights = prior.copy()
    for _ in range(STEPS):
        slope = pull * (weights - prior)
        curve = np.diag(pull)
        for sample in samples:
            logits, shares, calm = expected(sample, weights)
            weight = sample.games * POSITIONS / len(calm)
            uncertain = np.exp(weights[-1]) * sample.left / calm
            effects = np.concatenate(
                [sample.features / calm[:, None, None], -(logits * uncertain[:, None])[:, :, None]],
                axis=2,
            )
            missed = (shares - sample.shares).reshape(-1)
            slope += weight * (missed @ effects.reshape(-1, len(NAMES) + 1))
            effects -= (effects * shares[:, :, None]).sum(1, keepdims=True)
            effects *= np.sqrt(weight * shares)[:, :, None]
            flat = effects.reshape(-1, len(NAMES) + 1)
            curve += flat.T @ flat
        weights = weights - np.linalg.solve(curve, slope)
    return weights


def by_name(weights: Any) -> dict[str, Any]:
    """As fitted.py writes them: in thousandths, steps by skill and unused markers by kind."""
    values: dict[str, Any] = {}
    for name, value in zip(NAMES, weights, strict=True):
        values.setdefault(name, []).append(round(1000 * value))
    for name, _, length in Features.FIELDS:
        if not length:
            (values[name],) = values[name]
    steps = iter(values["steps"])
    values["steps"] = {
        skill: tuple(next(steps) for _ in range(number))
        for skill, number in zip(SKILLS, SKILL_STEPS, strict=True)
    }
    values["unused"] = dict(zip(MARKERS, values["unused"], strict=True))
    return values


def main() -> None:
    """Gather, fit and print, kind by kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=list(KINDS), help="hansa east britannia duel")
    parser.add_argument("--games", type=int, default=2000, help="games of each set-up")
    parser.add_argument("--seed", type=int, default=1_000_000)
    chosen = parser.parse_args()
    for kind in chosen.kinds:
        setups = KINDS[kind]
        used = compiled.records([weights_of(kind)])
        prior = np.append(structured_to_unstructured(used["evaluation"])[0] / 1000, 0)
        prior[-1] = np.log(weights_of(kind).uncertain / 100)
        samples = [gather(setup, chosen.games, chosen.seed) for setup in setups]
        weights = fit(samples, prior)
        for setup, sample in zip(setups, samples, strict=True):
            before, after = surprise(sample, prior), surprise(sample, weights)
            print(f"# {setup.board} {setup.players}: surprise {before:.4f}, fitted {after:.4f}")
        print(f'"{kind}": {by_name(weights[:-1])},')
        print(f'"{kind}": {100 * np.exp(weights[-1]):.0f},  # uncertain', flush=True)


if __name__ == "__main__":
    main()
