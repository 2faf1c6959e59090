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

from hansa import compiled
from hansa.bots.judge import evaluation
from hansa.bots.judge.evaluation import FEATURES
from hansa.bots.judge.fitted import CALMNESS, EVALUATIONS, WEIGHTS, new_work
from hansa.bots.judge.playing import ROW
from hansa.bots.judge.weights import KNOBS
from hansa.rules.codes import MAX_LEGAL
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
FIXED = (evaluation.CONSTANT, evaluation.AHEAD, evaluation.LATER)
"""Features that are the same for everybody tell nothing of who wins."""
STEPS = 6


@dataclass
class Sample:
    """Positions by (position, player, feature), and who won in the end."""

    features: Any
    shares: Any
    left: Any
    games: int


def gather(setup: Setup, games: int, seed: int) -> Sample:
    """Play games of one kind and note their positions."""
    module = compiled.jitted("hansa.bots.judge.playing")
    compiled.ready(module, "collect")
    chance = np.random.default_rng(seed)
    own = np.array(new_work(), np.int64)
    buf = np.zeros(MAX_LEGAL, np.int64)
    rows = np.zeros(BATCH * 400 * ROW, np.int64)
    board = compiled.board_record(setup.board_id)
    found = []
    for first in range(seed, seed + games, BATCH):
        batch = [setup.with_seed(first + k).new_state() for k in range(BATCH)]
        seeds = np.arange(first, first + BATCH, dtype=np.int64) * 1000003
        used = module.collect(
            board, compiled.state_records(batch), shaken(own, chance), own, buf, seeds, rows,
            BATCH * 400,
        )  # fmt: skip
        found.append(rows[: used * ROW].reshape(-1, setup.players, ROW).astype(np.int32))
    noted = np.concatenate(found).astype(float)
    totals = noted[:, :, FEATURES + 2]
    wins = (totals == totals.max(1, keepdims=True)).astype(float)
    features = noted[:, :, :FEATURES]
    return Sample(
        features, wins / wins.sum(1, keepdims=True), features[:, 0, evaluation.AHEAD], games
    )


def shaken(own: Any, chance: np.random.Generator) -> Any:
    """Five players' weights, some nearly as they are, some far off."""
    works = np.tile(own, (5, 1))
    for work in works:
        noise = np.exp(chance.normal(0, SPREAD * chance.random(), len(WEIGHTS)))
        knobs = work[KNOBS : KNOBS + len(WEIGHTS)]
        knobs[:] = np.round(knobs * noise)
    return works.reshape(-1)


def expected(sample: Sample, weights: Any) -> tuple[Any, Any, Any]:
    """Logits, shares of the win, and how calm each position is."""
    calm = CALMNESS[0] + np.exp(weights[-1]) * sample.left
    logits = sample.features @ weights[:-1] / calm[:, None]
    shares = np.exp(logits - logits.max(1, keepdims=True))
    return logits, shares / shares.sum(1, keepdims=True), calm


def surprise(sample: Sample, weights: Any) -> float:
    """The mean surprise about the winners, in nats."""
    shares = np.maximum(expected(sample, weights)[1], 1e-12)
    return float(-(sample.shares * np.log(shares)).sum(1).mean())


def fit(samples: list[Sample], prior: Any) -> Any:
    """Gauss–Newton steps from the prior; the last weight is the logarithm of uncertainty."""
    pull = np.full(FEATURES + 1, NEAR**-2)
    pull[list(FIXED)] = 1e12
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
            slope += weight * (missed @ effects.reshape(-1, FEATURES + 1))
            effects -= (effects * shares[:, :, None]).sum(1, keepdims=True)
            effects *= np.sqrt(weight * shares)[:, :, None]
            flat = effects.reshape(-1, FEATURES + 1)
            curve += flat.T @ flat
        weights = weights - np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    """Gather, fit and print, kind by kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=list(KINDS), help="hansa east britannia duel")
    parser.add_argument("--games", type=int, default=2000, help="games of each set-up")
    parser.add_argument("--seed", type=int, default=1_000_000)
    chosen = parser.parse_args()
    for kind in chosen.kinds:
        setups = KINDS[kind]
        prior = np.array([*EVALUATIONS[kind], 0]) / 1000
        prior[-1] = np.log(CALMNESS[1][kind] / 100)
        samples = [gather(setup, chosen.games, chosen.seed) for setup in setups]
        weights = fit(samples, prior)
        for setup, sample in zip(setups, samples, strict=True):
            before, after = surprise(sample, prior), surprise(sample, weights)
            print(f"# {setup.board} {setup.players}: surprise {before:.4f}, fitted {after:.4f}")
        rounded = ", ".join(str(round(1000 * value)) for value in weights[:-1])
        print(f'"{kind}": ({rounded}),  # uncertain {100 * np.exp(weights[-1]):.0f}', flush=True)


if __name__ == "__main__":
    main()
