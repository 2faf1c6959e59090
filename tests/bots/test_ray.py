"""The arena on a real Ray cluster of this machine: the same games, the same results."""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import subprocess
import sys
from typing import Any

import pytest

from hansa import arena
from hansa.arena import cluster
from hansa.setup import Setup

BOTS = ["greedy", "greedy:care=60"]
OPTIONS: dict[str, Any] = {"players": 2, "seed": 8}
HANSA = [sys.executable, "-c", "from hansa.cli import main; main()"]
# One token for the cluster and for who plays on it, made for this run alone.
ENVIRONMENT = {
    **os.environ,
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(16),
}

# A cluster of its own process, as a machine elsewhere would be: until its input ends.
CLUSTER = """
import sys, ray
info = ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
print(info.address_info["address"], flush=True)
sys.stdin.read()
ray.shutdown()
"""


def without_times(results: dict[str, Any]) -> dict[str, Any]:
    for bot in results["bots"]:
        del bot["seconds_per_decision"]
    return results


@pytest.fixture
def address():
    with subprocess.Popen(
        [sys.executable, "-c", CLUSTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, env=ENVIRONMENT,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate(timeout=60)


def on_ray(*arguments: str) -> subprocess.CompletedProcess[str]:
    """By the command, so that nothing of Ray stays in the process of the tests."""
    command = [*HANSA, "arena", *BOTS, "--players", "2", "--seed", "8", *arguments]
    return subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=200, env=ENVIRONMENT
    )


def told_what_to_install() -> bool:
    """Where Ray is not installed, the command says what to do; nothing else can be shown there."""
    if importlib.util.find_spec("ray") is not None:
        return False
    done = on_ray("--games", "1", "--ray")
    assert (done.returncode, "pip install 'hansa[ray]'" in done.stderr) == (2, True)
    return True


def test_a_cluster_of_this_machine_goes_on_with_what_was_begun_without_it(tmp_path):
    if told_what_to_install():
        return
    games, results = tmp_path / "games", tmp_path / "results.json"
    arena.run(BOTS, games=1, workers=1, directory=games, **OPTIONS)
    done = on_ray("--games", "3", "--ray", "--workers", "2",
                  "--records", str(games), "--json", str(results))  # fmt: skip
    assert done.returncode == 0, done.stderr
    whole = arena.run(BOTS, games=3, workers=1, **OPTIONS)
    assert without_times(json.loads(results.read_text())) == without_times(whole)
    assert len(list(games.glob("game-*.txt"))) == 3


def test_a_cluster_elsewhere_plays_the_same_games(tmp_path, request):
    if told_what_to_install():
        return
    results = tmp_path / "results.json"
    done = on_ray("--games", "2", "--ray-address", request.getfixturevalue("address"),
                  "--json", str(results))  # fmt: skip
    assert done.returncode == 0, done.stderr
    whole = arena.run(BOTS, games=2, workers=1, **OPTIONS)
    assert without_times(json.loads(results.read_text())) == without_times(whole)


def test_without_ray_it_says_what_to_install(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(cluster, "import_module", missing)
    with pytest.raises(arena.ArenaError, match=r"pip install 'hansa\[ray\]'"):
        arena.run(BOTS, games=1, ray="local", **OPTIONS)


def test_an_address_where_nobody_listens_is_told_at_once():
    with pytest.raises(arena.ArenaError, match=r"no Ray cluster at 127\.0\.0\.1:1"):
        cluster._knock("127.0.0.1:1")
    cluster._knock("auto")


def test_a_machine_with_another_version_does_not_play():
    with pytest.raises(arena.ArenaError, match="install the same everywhere"):
        cluster._play(["greedy", "greedy"], Setup(players=2), "0.0, rules 0")


def test_of_a_far_traceback_the_last_line_is_told():
    error = ValueError("Traceback:\n  somewhere\nKeyError: 'x'\n")
    assert cluster._reason(error) == "KeyError: 'x'"
