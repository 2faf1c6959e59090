"""A thinking bot keeps its clock and stops at once.

How close it keeps it is measured by benchmarks/bots.py; here time is an invention, so that other
programs of the machine cannot disturb it, and real time has slack.
"""

from __future__ import annotations

import threading
import time
from itertools import cycle
from types import SimpleNamespace

import pytest

import hansa
from hansa.bots import compiling, create, search
from hansa.bots.search import Search
from hansa.bots.thinking import Tree

CLOSE = 0.05
SLACK = 5.0


@pytest.fixture(scope="module")
def game():
    return hansa.Game.new(players=3, seed=2)


class SlowTree:
    """A tree whose simulations take invented time."""

    now = 0.0
    costs = cycle([0.001])
    players = 3

    def __init__(self, roots, seed, *, fast, turns):
        self.simulations = 0
        self.first = roots[0].legal_ids()[0]

    def run(self, simulations):
        for _ in range(simulations):
            SlowTree.now += next(SlowTree.costs)
            self.simulations += 1

    def stop(self):
        pass

    def options(self):
        return [(self.first, self.simulations, [1.0, 0.0, 0.0])]

    def expected(self, action):
        return []


@pytest.mark.parametrize(
    "costs",
    [[0.0001], [0.001], [0.01], [0.03], [0.0005, 0.0005, 0.0005, 0.012], [0.002] * 20 + [0.04]],
    ids=str,
)
@pytest.mark.parametrize(
    ("settings", "clock", "allowed"),
    [
        ({"time": 0.1}, None, 0.1),
        ({"time": 0.3}, None, 0.3),
        ({"time": 20.0}, 2.0, 2.0 / 25),
        ({"simulations": 10_000_000}, 5.0, 5.0 / 25),
    ],
)
def test_decisions_end_in_time_whatever_a_simulation_takes(
    game, monkeypatch, settings, clock, allowed, costs
):
    SlowTree.now, SlowTree.costs = 0.0, cycle(costs)
    monkeypatch.setattr(search, "Tree", SlowTree)
    monkeypatch.setattr(search, "time", SimpleNamespace(monotonic=lambda: SlowTree.now))
    monkeypatch.setattr(compiling, "load", lambda: True)
    thought = Search(**settings).think(game.view(game.player), game.legal_actions(), clock)
    assert thought.simulations >= 1
    assert allowed / 2 - max(costs) * 3 < SlowTree.now < allowed + CLOSE


def test_real_time_is_kept_too(game):
    bot = create("search:time=0.2")
    begun = time.perf_counter()
    assert bot.choose(game.view(game.player), game.legal_actions()) in game.legal_actions()
    assert time.perf_counter() - begun < 0.2 + SLACK


def test_a_search_stops_at_once(game):
    bot = Search(simulations=10_000_000)
    answered = []

    def think():
        answered.append(bot.choose(game.view(game.player), game.legal_actions()))

    thread = threading.Thread(target=think)
    thread.start()
    while not bot._trees:
        time.sleep(0.01)
    begun = time.perf_counter()
    bot.stop()
    thread.join(timeout=60)
    assert time.perf_counter() - begun < SLACK
    assert answered[0] in game.legal_actions()


def test_a_stop_before_the_first_simulation_is_heard(game, monkeypatch):
    bot = Search(simulations=10_000_000)
    plant = Tree

    def stop_first(*given, **options):
        bot.stop()
        return plant(*given, **options)

    monkeypatch.setattr(search, "Tree", stop_first)
    thought = bot.think(game.view(game.player), game.legal_actions())
    assert thought.simulations == 1
    assert thought.options[0].action in game.legal_actions()


def test_stopping_a_bot_that_does_not_think_is_no_trouble():
    Search(simulations=1).stop()
