"""Speed of the environments, side by side with others' in the same run, as ratios.

    python benchmarks/envs.py [--seconds 2] [--games 1024] [--threads 2] [--json FILE]

Every figure is a rate of one process while random legal decisions are played; times are those of
the processor, because wall-clock time measures the neighbours too (`--wall` for wall-clock).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pyspiel
from open_spiel.python import games as _games  # noqa: F401  # registers those written in Python

import hansa.envs.gymnasium  # registers ours
import hansa.envs.openspiel  # noqa: F401  # as above
from hansa.envs import preparing
from hansa.envs.batch import BatchEnv
from hansa.envs.pettingzoo import hansa_v1
from hansa.envs.single import SingleGame
from hansa.setup import Setup

Clock = Callable[[], float]


def rate(clock: Clock, seconds: float, work: Callable[[], int]) -> float:
    """How many things a second, after one warm-up."""
    work()
    begun, done = clock(), 0
    while clock() - begun < seconds:
        done += work()
    return done / (clock() - begun)


def aec(env: Any) -> Callable[[], int]:
    """A hundred steps with observations and masks, as a learner takes them."""
    chance = random.Random(1)
    env.reset(seed=1)

    def work() -> int:
        for _ in range(100):
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                seen = env.last()[0]
            env.step(chance.choice(np.flatnonzero(seen["action_mask"]).tolist()))
        return 100

    return work


def spiel(text: str) -> Callable[[], int]:
    """A hundred decisions of an OpenSpiel game, with the observation where it has one."""
    game, chance = pyspiel.load_game(text), random.Random(1)
    states = [game.new_initial_state()]

    def work() -> int:
        for _ in range(100):
            state = states[0]
            if state.is_terminal():
                state = states[0] = game.new_initial_state()
            if state.is_chance_node():
                state.apply_action(chance.choice(state.legal_actions()))
                continue
            state.observation_tensor(state.current_player())
            state.apply_action(chance.choice(state.legal_actions()))
        return 100

    return work


def observations(jit: bool) -> Callable[[], int]:
    """A hundred observations of one position."""
    setup = Setup(players=4)
    single = SingleGame(setup, jit=jit)

    def work() -> int:
        for _ in range(100):
            single.observe(0)
        return 100

    return work


def encoder_in_batches(games: int) -> Callable[[], int]:
    """Observations and masks of many games in the middle of play."""
    env = BatchEnv(games, players=4, threads=1)
    for _ in range(50):
        env.step(env.sample("sensible"))

    def work() -> int:
        env.look()
        return games

    return work


def batch(games: int, threads: int, policy: str, **options: Any) -> Callable[[], int]:
    """One step of all games; drawing the decisions is part of it."""
    env = BatchEnv(games, players=4, threads=threads, **options)

    def work() -> int:
        env.step(env.sample(policy))
        return games

    return work


def deals(games: int) -> Callable[[], int]:
    """Fresh games, with their first observation."""
    env = BatchEnv(games, players=4, threads=1)

    def work() -> int:
        env.reset()
        return games

    return work


def learner(opponents: str) -> Callable[[], int]:
    """Twenty steps of one learner against bots, as Gymnasium steps one environment."""
    env, chance = gymnasium.make("Hansa-v2", players=4, opponents=opponents), random.Random(1)
    shown = [env.reset(seed=1)[0]]

    def work() -> int:
        for _ in range(20):
            action = chance.choice(np.flatnonzero(shown[0]["action_mask"]).tolist())
            shown[0], _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                shown[0] = env.reset()[0]
        return 20

    return work


def pgx(name: str, games: int) -> Callable[[], int]:
    """One step of all games of pgx on the processor: random legal decisions, compiled by JAX."""
    import jax  # noqa: PLC0415  # asked for only where it is installed
    import jax.numpy as jnp  # noqa: PLC0415  # as above
    import pgx as theirs  # noqa: PLC0415  # as above

    env = theirs.make(name)
    state = [jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), games))]
    key = [jax.random.PRNGKey(2)]
    again = jax.vmap(
        theirs.auto_reset(env.step, env.init) if hasattr(theirs, "auto_reset") else env.step
    )

    @jax.jit  # type: ignore[untyped-decorator]  # JAX is no dependency
    def step(state: Any, key: Any) -> tuple[Any, Any]:
        key, drawn, fresh = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        return again(
            state, jax.random.categorical(drawn, logits), jax.random.split(fresh, games)
        ), key

    def work() -> int:
        state[0], key[0] = step(state[0], key[0])
        state[0].observation.block_until_ready()
        return games

    return work


def classic(name: str) -> Any:
    """One of PettingZoo's own games."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pettingzoo.make("aec", f"classic/{name}")


def measure(clock: Clock, seconds: float, games: int, threads: int) -> dict[str, float]:
    """Every figure by its name."""
    jobs: dict[str, Callable[[], Callable[[], int]]] = {
        "observation, interpreted": lambda: observations(jit=False),
        "observation, compiled": lambda: observations(jit=True),
        "observation and mask in a batch, compiled": lambda: encoder_in_batches(games),
        "AEC hansa_v1, interpreted": lambda: aec(hansa_v1.env(players=4, jit=False)),
        "AEC hansa_v1, compiled": lambda: aec(hansa_v1.env(players=4, jit=True)),
        "AEC PettingZoo connect_four_v3": lambda: aec(classic("connect_four_v3")),
        "AEC PettingZoo chess_v6": lambda: aec(classic("chess_v6")),
        "batch, 1 thread, uniform": lambda: batch(games, 1, "uniform"),
        "batch, 1 thread, sensible": lambda: batch(games, 1, "sensible"),
        "batch, 1 thread, uniform, lists only": lambda: batch(games, 1, "uniform", masks=False),
        "batch, 1 thread, uniform, version 2": lambda: batch(games, 1, "uniform", version=2),
        "deals in a batch": lambda: deals(games),
        "learner against greedy, one environment": lambda: learner("greedy"),
        "learner against greedy, batch": lambda: batch(games, 1, "sensible", opponents="greedy"),
        "learner against random, one environment": lambda: learner("random"),
        "learner against random, batch": lambda: batch(games, 1, "sensible", opponents="random"),
        f"batch, {threads} threads, uniform (wall-clock)": lambda: batch(games, threads, "uniform"),
        "OpenSpiel hansa": lambda: spiel("hansa(players=4)"),
        "OpenSpiel own chess": lambda: spiel("chess"),
        "OpenSpiel own backgammon": lambda: spiel("backgammon"),
        "OpenSpiel own python_tic_tac_toe": lambda: spiel("python_tic_tac_toe"),
    }
    if importlib.util.find_spec("pgx") is not None:
        for name in ("backgammon", "connect_four"):
            jobs[f"pgx {name}"] = partial(pgx, name, games)
    else:
        print("pgx is not installed: its games are not measured")
    found = {}
    for name, make in jobs.items():
        wall = time.perf_counter if "wall-clock" in name else clock
        found[name] = rate(wall, seconds, make())
        print(f"{name:45} {found[name]:12,.0f} /s", flush=True)
    return found


PAIRS = (
    ("AEC hansa_v1, compiled", "AEC PettingZoo connect_four_v3"),
    ("AEC hansa_v1, compiled", "AEC PettingZoo chess_v6"),
    ("AEC hansa_v1, interpreted", "AEC PettingZoo connect_four_v3"),
    ("batch, 1 thread, uniform", "AEC PettingZoo connect_four_v3"),
    ("batch, 1 thread, uniform", "AEC PettingZoo chess_v6"),
    ("batch, 1 thread, uniform", "OpenSpiel own chess"),
    ("batch, 1 thread, uniform", "OpenSpiel own backgammon"),
    ("learner against greedy, batch", "learner against greedy, one environment"),
    ("learner against random, batch", "learner against random, one environment"),
    ("batch, 1 thread, uniform", "pgx backgammon"),
    ("batch, 1 thread, uniform", "pgx connect_four"),
    ("OpenSpiel hansa", "OpenSpiel own python_tic_tac_toe"),
    ("OpenSpiel hansa", "OpenSpiel own chess"),
)


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure")
    parser.add_argument("--games", type=int, default=1024, help="in a batch")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--wall", action="store_true", help="wall-clock instead of processor time")
    parser.add_argument("--json", help="also write the figures to this file")
    given = parser.parse_args()
    preparing.prepare(print)
    clock = time.perf_counter if given.wall else time.process_time
    found = measure(clock, given.seconds, given.games, given.threads)
    print()
    ratios = {
        f"{one} / {other}": found[one] / found[other] for one, other in PAIRS if other in found
    }
    for name, ratio in ratios.items():
        print(f"{name:75} {ratio:9.2f}")
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump({"rates": found, "ratios": ratios}, file, indent=1)


if __name__ == "__main__":
    main()
