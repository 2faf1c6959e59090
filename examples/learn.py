"""Learn to play from nothing, with numpy alone: python examples/learn.py --out net.npz

Two steps. First a fresh network imitates `greedy`: thousands of positions, and for each what the
judgement would do there (cross entropy). Then it goes on by its own games against a frozen copy of
itself, by policy gradient: decisions that brought more than usual become likelier. What it was after
the first step stays as the mark to reach.

Afterwards the file is a bot: hansa arena policy:weights=net.npz greedy random --games 60
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hansa.envs import returns
from hansa.envs.batch import BatchEnv
from hansa.envs.policies import PolicyNetwork, features

Array = npt.NDArray[Any]
Policy = Callable[[Array, Array], Array]
SETUP: dict[str, Any] = {"board": "hansa", "players": 3}
FIRST, SECOND, TINY = 0.9, 0.999, 1e-8


class Adam:
    """Steps along gradients, each weight at its own pace (Kingma and Ba)."""

    def __init__(self, weights: dict[str, Array], rate: float) -> None:
        self._weights, self._rate, self._steps = weights, rate, 0
        self._means = {name: np.zeros_like(part) for name, part in weights.items()}
        self._squares = {name: np.zeros_like(part) for name, part in weights.items()}

    def step(self, gradients: dict[str, Array]) -> None:
        """One step downhill."""
        self._steps += 1
        for name, gradient in gradients.items():
            mean, square = self._means[name], self._squares[name]
            mean += (1 - FIRST) * (gradient - mean)
            square += (1 - SECOND) * (gradient**2 - square)
            first, second = 1 - FIRST**self._steps, 1 - SECOND**self._steps
            self._weights[name] -= self._rate * (mean / first) / (np.sqrt(square / second) + TINY)


def gradients(
    network: PolicyNetwork, observations: Array, legal: Array, chosen: Array, worth: Array
) -> tuple[dict[str, Array], float]:
    """Of the mean of `worth` times the surprise about the chosen decisions; and the mean surprise."""
    seen, units = network.units(observations)
    embedded = network.embedded()
    logits = np.where(legal, units @ embedded.T, np.float32(-1e9))
    logits -= logits.max(axis=1, keepdims=True)
    chances = np.exp(logits)
    chances /= chances.sum(axis=1, keepdims=True)
    rows = np.arange(len(chosen))
    surprise = float(-np.log(chances[rows, chosen] + 1e-9).mean())
    chances[rows, chosen] -= 1
    chances *= (worth / len(chosen)).astype(np.float32)[:, None]
    back = (chances @ embedded) * (units > 0)
    return {
        "hidden": seen.T @ back,
        "bias": back.sum(axis=0),
        "meaning": features(network.board).T @ (chances.T @ units),
    }, surprise


def imitate(network: PolicyNetwork, games: int, seconds: float, seed: int) -> float:
    """Do what `greedy` would do; the mean surprise about it at the end.

    Half of the games follow the network's own decisions, so that it also learns to find its way
    back from where it would come to.
    """
    adam, chance, surprise = Adam(network.weights, 4e-3), np.random.default_rng(seed), 0.0
    with BatchEnv(games, **SETUP, seed=seed, version=2, skip_forced=True) as env:
        end = time.process_time() + seconds
        while time.process_time() < end:
            wanted = env.sample("greedy")
            found, now = gradients(
                network, env.observations, env.legal, wanted, np.ones(games, np.float32)
            )
            surprise += 0.02 * (now - surprise) if surprise else now
            adam.step(found)
            own = network.sample(env.observations, env.legal, chance)
            env.step(np.where(np.arange(games) % 2 == 0, wanted, own))
    return surprise


def improve(network: PolicyNetwork, games: int, seconds: float, seed: int, steps: int) -> None:
    """Play against a frozen copy; what brought more than usual becomes likelier."""
    adam, chance = Adam(network.weights, 2e-4), np.random.default_rng(seed)
    options: dict[str, Any] = {**SETUP, "seat": None, "skip_forced": True, "version": 2}
    with BatchEnv(
        games, opponents=network.frozen(), reward=("win", "gain"), seed=seed, **options
    ) as env:
        end = time.process_time() + seconds
        while time.process_time() < end:
            shown, masks, chosen, players, paid, ended = ([] for _ in range(6))
            for _ in range(steps):
                actions = network.sample(env.observations, env.legal, chance)
                shown.append(env.observations.copy())
                masks.append(env.legal.copy())
                chosen.append(actions)
                players.append(env.players.copy())
                env.step(actions)
                # Points as if the game ended now, beside winning: there is something to learn from
                # in every turn, and what others gain counts against one's own.
                gain = env.rewards[..., 1]
                others = (gain.sum(axis=1, keepdims=True) - gain) / (gain.shape[1] - 1)
                paid.append(env.rewards[..., 0] + (gain - others) / 20)
                ended.append(env.terminated | env.truncated)
            worth = returns(players, paid, ended, discount=0.97).reshape(-1)
            worth = (worth - worth.mean()) / (worth.std() + 1e-6)
            order = chance.permutation(len(worth))
            flat = [np.concatenate(part) for part in (shown, masks, chosen)]
            for part in np.array_split(order, max(1, len(order) // 1024)):
                seen, legal, done = (array[part] for array in flat)
                adam.step(gradients(network, seen, legal, done, worth[part])[0])


def wins(policy: Policy, opponents: str | Policy, games: int, most: int, seed: int) -> float:
    """The share of the wins of one policy among others of one kind.

    A game that is not over after so many decisions counts as it then stands.
    """
    options: dict[str, Any] = {**SETUP, "seat": None, "version": 2, "reward": "share"}
    with BatchEnv(
        games, opponents=opponents, seed=seed, auto_reset=False, max_decisions=most, **options
    ) as env:
        share = 0.0
        while not (env.terminated | env.truncated).all():
            env.step(policy(env.observations, env.legal))
            share += float(env.rewards[np.arange(games), env.learners].sum())
        best = env.final_scores == env.final_scores.max(axis=1, keepdims=True)
        standing = best[np.arange(games), env.learners] / best.sum(axis=1)
        return (share + float(standing[env.truncated].sum())) / games


def main() -> None:
    """Learn, keep, and say how good it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="file for the network")
    parser.add_argument("--seconds", type=float, default=240.0, help="of a core, to imitate")
    parser.add_argument("--improve", type=float, default=60.0, help="of a core, to improve")
    parser.add_argument("--games", type=int, default=256, help="played side by side")
    parser.add_argument("--steps", type=int, default=32, help="between two looks back")
    parser.add_argument("--hidden", type=int, default=64, help="units of the network")
    parser.add_argument("--match", type=int, default=300, help="games to measure by")
    parser.add_argument("--most", type=int, default=2000, help="decisions in a game to measure by")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    network = PolicyNetwork.fresh("hansa", hidden=given.hidden, seed=given.seed)
    surprise = imitate(network, given.games, given.seconds, given.seed)
    print(f"imitation: mean surprise {surprise:.2f}", flush=True)
    imitation = network.frozen()
    improve(network, given.games, given.improve, given.seed + 10**6, given.steps)
    network.save(given.out)
    print(f"written: {given.out}, after {time.process_time():.0f} seconds of a core", flush=True)
    opponents: dict[str, str | Policy] = {
        "random": "random", "its imitation of greedy": imitation, "greedy": "greedy",
    }  # fmt: skip
    for name, opponent in opponents.items():
        share = wins(network.frozen(), opponent, given.match, given.most, given.seed + 2 * 10**6)
        print(
            f"against two of {name}: {100 * share:.1f} % of {given.match} games won (level: 33.3 %)"
        )


if __name__ == "__main__":
    main()
