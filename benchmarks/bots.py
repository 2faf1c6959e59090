"""Speed of the bots: simulations, threads, decisions, clocks. Run: python benchmarks/bots.py

Every figure stands beside a baseline of the same run. What one thread does is counted by the
second of the processor's time, which other programs take little from; threads and clocks by the
second of real time. `--load 2` keeps so many other processes busy meanwhile.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier

import numpy as np

from hansa import compiled
from hansa.bench import BENCH_SETUPS
from hansa.bots import Bot, compiling, create
from hansa.bots.judge.fitted import kind_of
from hansa.bots.learned.files import network_of
from hansa.bots.search import Search
from hansa.bots.thinking import Tree
from hansa.game import Game
from hansa.rules.capacity import MAX_LEGAL
from hansa.setup import Setup

STRETCH = 1.0
"""Seconds of one measurement; the best of three counts, for other programs disturb."""
DEPTHS = (4, 25, 60, 100)
"""Decisions into the games that are measured: from the opening to contested routes."""
RANDOM_DECISIONS = 100_000
"""A random game that has not ended by then is given up."""
CLOCKED = 40
THREADS = (1, 2, 4)


def middle_of(setup: Setup, decisions: int) -> Game:
    """A game some way in, played by greedy."""
    game, greedy = Game(setup, setup.new_state()), create("greedy")
    for _ in range(decisions):
        if not game.over:
            game.play(greedy.choose(game.view(game.player), game.legal_actions()))
    return game


def best_of_three(measure: Callable[[], float]) -> float:
    """The best, because disturbances only slow things down."""
    return max(measure() for _ in range(3))


def simulations(games: Sequence[Game], *, fast: bool, learned: bool = False) -> float:
    """Simulations per second of the processor's time, in new trees of one position after another."""
    done, spent, each = 0, 0.0, 500 if fast else 4
    for game in cycle(games):
        network = network_of(kind_of(game.setup.board, len(game.players))) if learned else None
        tree = Tree([game], 7, fast=fast, network=network)
        begun = time.thread_time()
        tree.run(each)
        spent += time.thread_time() - begun
        done += tree.simulations
        if spent > STRETCH and done % (each * len(games)) == 0:
            return done / spent
    raise ValueError("no game to measure")


def random_games(game: Game) -> float:
    """Compiled, uniformly random games to the end, per second: what a simulation replaces."""
    board, kernels = compiled.board_record(game.setup.board_id), compiled.kernels()
    buf, played, begun = np.zeros(MAX_LEGAL, np.int64), 0, time.thread_time()
    while time.thread_time() - begun < STRETCH:
        states = compiled.state_records([game.state])
        kernels.play_random(board, states, 0, buf, played + 1, RANDOM_DECISIONS)
        played += 1
    return played / (time.thread_time() - begun)


def show_simulations() -> None:
    """By board: compiled, interpreted, with networks as `champion` has them, and random games."""
    print(
        "simulations per second, one thread   compiled  interpreted   ratio   champion   ratio"
        "   random games"
    )
    for board_id, setup in BENCH_SETUPS.items():
        games = [middle_of(setup, depth) for depth in DEPTHS]
        fast = best_of_three(lambda games=games: simulations(games, fast=True))
        slow = best_of_three(lambda games=games: simulations(games, fast=False))
        own = best_of_three(lambda games=games: simulations(games, fast=True, learned=True))
        chance = best_of_three(lambda games=games: random_games(games[0]))
        print(
            f"  {board_id:33}{fast:10,.0f}{slow:13,.1f}{fast / slow:7.0f}x{own:11,.0f}"
            f"{own / fast:7.2f}x{chance:15,.1f}"
        )


def thinking(name: str, threads: int, depth: int = 60) -> tuple[float, float]:
    """Simulations a second of one decision: of real time, and of the processor's."""
    game = middle_of(BENCH_SETUPS["hansa-45"], depth)
    bot = create(f"{name}:time={STRETCH},threads={threads}")
    if not isinstance(bot, Search):
        raise TypeError(f"{name} does not search")
    view, legal = game.view(game.player), game.legal_actions()
    begun = time.process_time()
    thought = bot.think(view, legal)
    worked = time.process_time() - begun
    return thought.simulations / thought.seconds, thought.simulations / worked


def _alone(name: str, ready: Barrier, told: Queue[float]) -> None:
    """A search of one thread in a process of its own, that begins when all are ready."""
    compiling.simulate()
    thinking(name, 1)
    ready.wait()
    told.put(thinking(name, 1)[0])


def side_by_side(name: str, processes: int) -> float:
    """Simulations a second of as many processes: what the machine has to give."""
    context = multiprocessing.get_context("spawn")
    ready, told = context.Barrier(processes), context.Queue()
    workers = [context.Process(target=_alone, args=(name, ready, told)) for _ in range(processes)]
    for worker in workers:
        worker.start()
    rates = [told.get() for _ in workers]
    for worker in workers:
        worker.join()
    return sum(rates)


def show_threads() -> None:
    """A whole decision with more threads, against one, and against as many processes.

    Processes share nothing but the machine: where they grow no more than threads do, its cores,
    caches and other programs are the limit; where they grow more, something in the program is. On
    a machine with other things to do the last column means most: what a thread does in a second of the
    processor's time, which locks and caches would lessen.
    """
    print(
        f"threads on {os.cpu_count()} cores       simulations a second   growth   processes"
        "   growth   each thread"
    )
    for name in ("search", "champion"):
        first: tuple[float, float] | None = None
        for threads in THREADS:
            runs = [thinking(name, threads) for _ in range(3)]
            real, worked = (max(run[k] for run in runs) for k in (0, 1))
            first = first or (real, worked)
            apart = max(side_by_side(name, threads) for _ in range(2)) if threads > 1 else real
            print(
                f"  {name:<10}{threads:<14}{real:21,.0f}{real / first[0]:8.2f}x{apart:12,.0f}"
                f"{apart / first[0]:8.2f}x{worked / first[1]:13.0%}"
            )


def decisions(bot: Bot, game: Game) -> float:
    """Decisions per second, as a table asks for them: view and legal decisions included."""
    made, begun, now = 0, time.thread_time(), game.copy()
    while time.thread_time() - begun < STRETCH:
        if now.over:
            now = game.copy()
        now.play(bot.choose(now.view(now.player), now.legal_actions()))
        made += 1
    return made / (time.thread_time() - begun)


def show_decisions() -> None:
    """Greedy against chance, which only looks at the view."""
    print("decisions per second, interpreted      greedy      random")
    for board_id, setup in BENCH_SETUPS.items():
        game = middle_of(setup, 20)
        rates = [
            best_of_three(lambda name=name, game=game: decisions(create(name), game))
            for name in ("greedy", "random")
        ]
        print(f"  {board_id:33}{rates[0]:10,.0f}{rates[1]:12,.0f}")


def show_clock() -> None:
    """How far decisions run over their time, and how soon a search stops."""
    for budget in (0.05, 0.2):
        bot, over = create(f"search:time={budget}"), []
        for k in range(CLOCKED):
            game = middle_of(BENCH_SETUPS["hansa-45"].with_seed(k), 10 + 3 * k % 90)
            view, legal = game.view(game.player), game.legal_actions()
            begun = time.perf_counter()
            bot.choose(view, legal)
            over.append(time.perf_counter() - begun - budget)
        within = sum(late <= 0.05 for late in over)
        print(
            f"time={budget}: latest answer {1000 * max(over):+.1f} ms,"
            f" within 50 ms {within} of {CLOCKED}"
        )
    late = [stopping(k) for k in range(10)]
    print(f"stop: answers after {1000 * max(late):.1f} ms at most")


def stopping(seed: int) -> float:
    """Seconds from `stop()` to the answer."""
    game, bot = middle_of(BENCH_SETUPS["hansa-45"].with_seed(seed), 60), Search(time=30)
    thread = threading.Thread(
        target=bot.choose, args=(game.view(game.player), game.legal_actions())
    )
    thread.start()
    time.sleep(0.3)
    begun = time.perf_counter()
    bot.stop()
    thread.join()
    return time.perf_counter() - begun


def _busy() -> None:
    while True:
        pass


@contextmanager
def loaded(processes: int) -> Iterator[None]:
    """Other processes that want every core they can get."""
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=_busy, daemon=True) for _ in range(processes)]
    for process in others:
        process.start()
    try:
        yield
    finally:
        for process in others:
            process.terminate()


def main() -> None:
    """Measure and print, with the machine's load before and after."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--load", type=int, default=0, metavar="N", help="busy processes meanwhile")
    parser.add_argument("--only", choices=["simulations", "threads", "decisions", "clock"])
    options = parser.parse_args()
    compiled.warm_up(print)
    if not compiling.prepare(print):
        parser.error("the search cannot be compiled here: pip install 'hansa[fast]'")
    compiling.simulate()
    parts = {
        "simulations": show_simulations,
        "threads": show_threads,
        "decisions": show_decisions,
        "clock": show_clock,
    }
    print(f"load average {os.getloadavg()[0]:.2f} at the start, {options.load} busy processes")
    with loaded(options.load):
        for name, show in parts.items():
            if options.only in (None, name):
                show()
    print(f"load average {os.getloadavg()[0]:.2f} at the end")


if __name__ == "__main__":
    main()
