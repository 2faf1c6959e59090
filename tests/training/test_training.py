"""Training from end to end, in small: games are played, learned from, and what came of it plays."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import hansa
from hansa import compiled
from hansa.bots.judge.fitted import EVALUATIONS, kind_of
from hansa.bots.learned.files import read
from hansa.bots.thinking import Tree

ROOT = Path(__file__).parents[2]
COMPILED = compiled.is_available()
LEARNS = COMPILED and importlib.util.find_spec("torch") is not None
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}

pytestmark = pytest.mark.timeout(1800)  # where nothing is compiled yet, it is compiled here


def iterate(out: Path, *options: str) -> str:
    command = [
        sys.executable, "-m", "training", "iterate", "--out", str(out), "--workers", "2",
        "--simulations", "6", "--think", "0.002", "--total", "1", *options,
    ]  # fmt: skip
    done = subprocess.run(
        command, env=ENVIRONMENT, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_one_command_plays_learns_and_goes_on(tmp_path):
    if not LEARNS:
        missing = "torch" if COMPILED else "numba"
        assert importlib.util.find_spec(missing) is None or not COMPILED
        return
    first, second = tmp_path / "one", tmp_path / "two"
    told = iterate(first, "--judged", "480", "--seconds", "8")
    assert "Chances from the judgement" in told
    networks = read((first / "weights.json").read_text("utf-8"))
    assert networks.keys() <= EVALUATIONS.keys()
    assert all(one.has_chances and one.has_promise for one in networks.values())
    game = hansa.Game.new(players=4, seed=1)
    network = (
        networks[kind_of("hansa", 4)] if "hansa" in networks else next(iter(networks.values()))
    )
    tree = Tree([game], seed=1, fast=False, turns=1, network=network)
    tree.run(5)
    assert sum(seen for _, seen, _ in tree.options()) == 5
    told = iterate(
        second, "--seconds", "4", "--weights", str(first / "weights.json"), "--only-networks",
        "--resume", str(first / "course.pt"), "--games", str(first / "games"), "--first", "5000000",
    )  # fmt: skip
    assert "Chances from the judgement" not in told
    assert (second / "games-0.tar").exists()


def test_the_gate_opens_only_for_more_than_a_fair_share(tmp_path):
    if not COMPILED:
        assert not compiled.is_available()
        return
    from training.gate import Match, passed
    from training.report import Log

    log = Log(tmp_path)
    duel = Match("pawn duel", "old", [1.0, 0.0, None])
    assert duel.above == 0
    assert not passed([duel], log)
    assert not passed([duel, Match("hansa", "old", [0.0, 0.0])], log)
    assert passed([duel, Match("hansa", "old", [1.0, 0.0, 0.0])], log)
    told = (tmp_path / "report.txt").read_text("utf-8")
    assert "hansa: new against old: 33.3% of 3" in told
    assert "+0.2 wins beside a fair share: passed" in told


def test_a_game_of_a_seed_is_the_same_again():
    if not COMPILED:
        assert not compiled.is_available()
        return
    from training.selfplay import Shard, play_game
    from training.tables import Searcher

    one, two = Shard(), Shard()
    for shard in (one, two):
        play_game(17, Searcher(simulations=8), shard)
    assert [state.tobytes() for state in one.states] == [state.tobytes() for state in two.states]
    assert [visits.tolist() for visits in one.visits] == [visits.tolist() for visits in two.visits]
    assert one.results[0].sum() == pytest.approx(1)


def test_all_kinds_of_games_are_played():
    if not COMPILED:
        assert not compiled.is_available()
        return
    from training.setups import draw

    drawn = [draw(seed) for seed in range(400)]
    assert {kind_of(setup.board, setup.players) for setup in drawn} == EVALUATIONS.keys()
    assert {setup.players for setup in drawn} == {2, 3, 4, 5}
    assert {setup.duel for setup in drawn} == {None, "pawn", "neutral"}
    for module in ("missions", "favours", "border_fee", "promos"):
        assert any(getattr(setup, module) for setup in drawn), module
