"""Names, settings and levels of bots."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from hansa import bots
from hansa.bots.registry import is_search
from hansa.bots.settings import parse


@pytest.mark.parametrize(
    "spec", ["random", "greedy", "greedy:seed=3", "search:simulations=2,seed=3"]
)
def test_a_text_makes_a_bot_that_bears_it_as_name(spec):
    assert bots.create(spec).name == spec


@pytest.mark.parametrize(
    ("spec", "part"),
    [
        ("", "a bot is named by a text"),
        ("Greedy", "small letters"),
        ("nobody", "there are champion, external, greedy, policy, random, search"),
        ("greedy:speed=1", "no setting 'speed'; this bot knows seed, care, style"),
        ("greedy:seed", "key=value"),
        ("greedy:", "key=value"),
        ("greedy:seed=1,seed=2", "given twice"),
        ("greedy:seed=-1", "whole number from 0"),
        ("greedy:seed=1.5", "whole number"),
        ("greedy:style=wild", "one of network, prestige, keys, displacer, markers, ender"),
        ("search:time=soon", "seconds from"),
        ("search:time=0", "seconds from"),
        ("search:time=nan", "seconds from"),
        ("search:threads=0", "from 1 to 64"),
    ],
)
def test_a_wrong_text_is_refused_with_what_is_allowed(spec, part):
    with pytest.raises(bots.UnknownBot) as caught:
        bots.create(spec)
    assert part in str(caught.value)


def test_who_searches_is_known_by_name():
    specs = ["champion:time=1", "search", "greedy", "external:command=x", "nobody"]
    assert [is_search(spec) for spec in specs] == [True, True, False, False, False]


def test_a_text_that_is_none_is_refused():
    with pytest.raises(bots.UnknownBot):
        parse(7)  # type: ignore[arg-type]  # what a careless caller passes


def test_levels_go_up_and_each_has_its_sentence():
    listed = bots.catalogue()
    assert [entry["level"] for entry in listed] == list(range(1, len(listed) + 1))
    for entry in listed:
        assert entry["title"]
        assert entry["text"].endswith(".")
        bots.create(entry["spec"])


OWN_BOT = """
from hansa.bots import Setting

class Steady:
    settings = {"place": Setting.whole(0, 9, "which decision it takes")}

    def __init__(self, place=0):
        self.name, self.place = "steady", place

    def choose(self, view, legal, clock=None):
        return legal[self.place % len(legal)]
"""
USE_IT = """
import hansa
from hansa import bots
game, bot = hansa.Game.new(), bots.create("steady:place=2")
assert bot.choose(game.view("p1"), game.legal_actions()) == game.legal_actions()[2]
assert bots.catalogue()[-1]["text"] == "From another package: steady:Steady."
print(bots.names())
"""


def test_installing_a_package_adds_its_bot(tmp_path):
    """As pip would lay it down: the module, and beside it what it offers."""
    about = tmp_path / "steady-1.0.dist-info"
    about.mkdir()
    (tmp_path / "steady.py").write_text(OWN_BOT)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: steady\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[hansa.bots]\nsteady = steady:Steady\n")
    done = subprocess.run(
        [sys.executable, "-c", USE_IT], check=False, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "'steady'" in done.stdout


def test_a_bot_of_another_package_is_found(monkeypatch):
    from importlib import metadata

    from hansa.bots import registry

    point = metadata.EntryPoint("echo", "hansa.bots.random_bot:Random", "hansa.bots")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point])
    registry._makers.cache_clear()
    try:
        assert "echo" in bots.names()
        assert bots.create("echo:seed=2").name == "echo:seed=2"
        assert bots.catalogue()[-1]["name"] == "echo"
    finally:
        registry._makers.cache_clear()


def test_a_bot_of_another_package_that_cannot_be_loaded_is_told(monkeypatch):
    from importlib import metadata

    from hansa.bots import registry

    point = metadata.EntryPoint("broken", "no_such_package:Bot", "hansa.bots")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point])
    registry._makers.cache_clear()
    try:
        with pytest.raises(bots.BotError, match="broken"):
            bots.create("broken")
    finally:
        registry._makers.cache_clear()
