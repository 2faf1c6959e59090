"""A bot from a file of weights: in the arena, at the table by a name of its host; bots that are objects."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

import hansa
from hansa import arena, bots
from hansa.bots.settings import Setting
from hansa.envs import returns
from hansa.envs.batch import BatchEnv
from hansa.envs.policies import PolicyBot, PolicyNetwork, features
from hansa.server import players, workers
from hansa.server.errors import TableError


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "net.npz"
    PolicyNetwork.fresh("hansa", hidden=4, seed=2).save(path)
    return path


def test_the_bot_decides_as_the_network(file):
    network = PolicyNetwork.load(file)
    bot = bots.create(f"policy:weights={file}", trusted=True)
    env = BatchEnv(2, players=3, version=2, jit=False, seed=5)
    for _ in range(6):
        chosen = network(env.observations, env.legal)
        for row in range(2):
            game = env.game(row)
            assert bot.choose(game.view(game.player), game.legal_actions()).id == chosen[row]
        env.step(chosen)
    drawn = network.sample(env.observations, env.legal, np.random.default_rng(1))
    assert env.legal[np.arange(2), drawn].all()


def test_it_plays_in_the_arena_beside_bots_that_are_objects(file):
    text, mine = f"policy:weights={file}", PolicyBot(PolicyNetwork.load(file), name="mine")
    results = arena.run([text, mine, "greedy"], players=3, games=1, workers=1)
    assert {bot["name"] for bot in results["bots"]} == {text, "mine", "greedy"}
    assert all(bot["faults"] == 0 for bot in results["bots"])


def test_objects_are_sent_to_other_processes():
    results = arena.run([bots.create("greedy"), "random"], players=2, games=2, workers=2)
    assert results["games"] == 2


def test_wrong_bots_are_named():
    named = bots.create("greedy")
    with pytest.raises(arena.ArenaError, match="two bots are called 'greedy'"):
        arena.run([named, bots.create("greedy")], games=1)
    with pytest.raises(arena.ArenaError, match="called 'greedy', as a text is"):
        arena.run([named, "greedy"], games=1)
    with pytest.raises(arena.ArenaError, match="has `name` and `choose`"):
        arena.run([7, "greedy"], games=1)  # type: ignore[list-item]  # as somebody might
    with pytest.raises(arena.ArenaError, match="cannot play on a cluster"):
        arena.run([named, "random"], games=1, ray="local")


def test_files_are_named_by_the_host_alone(file, tmp_path, monkeypatch):
    with pytest.raises(bots.UnknownBot, match="weights names a file, which only the arena may"):
        bots.create(f"policy:weights={file}")
    with pytest.raises(bots.UnknownBot, match="must be a file that is there"):
        bots.create(f"policy:weights={tmp_path / 'none'}", trusted=True)
    with pytest.raises(TableError, match="which only the arena may"):
        players.checked(f"policy:weights={file}")
    monkeypatch.setenv("HANSA_BOTS", f"pupil = policy:weights={file}; calm=greedy:style=keys")
    assert players.checked("pupil") == "pupil"
    faces = {face.spec: face for face in players.catalogue()}
    assert {"pupil", "calm"} <= faces.keys()
    assert "policy" not in faces
    assert str(file) not in faces["pupil"].text
    game = hansa.Game.new(players=3)
    assert (
        bots.create("pupil").choose(game.view("p1"), game.legal_actions()) in game.legal_actions()
    )
    with pytest.raises(bots.UnknownBot, match="the bot 'pupil' of this host has no settings"):
        bots.create("pupil:weights=x")
    for text, wrong in (("greedy=random", "'greedy' already"), ("x", "written name=text")):
        monkeypatch.setenv("HANSA_BOTS", text)
        with pytest.raises(bots.BotError, match=wrong):
            bots.create("random")


def test_a_process_that_thinks_for_the_table_knows_the_hosts_bots(file, monkeypatch):
    monkeypatch.setenv("HANSA_BOTS", f"pupil=policy:weights={file}")
    game = hansa.Game.new(players=3, seed=4)
    legal = [str(action) for action in game.legal_actions()]
    pool = workers.Workers(1, "bot")
    try:
        thought = pool.ask(
            "choose", 60, spec="pupil", view=game.view("p1"), legal=legal, clock=None
        )
        chosen = asyncio.run(thought)
    finally:
        pool.close()
    assert chosen == str(PolicyBot(file).choose(game.view("p1"), game.legal_actions()))


def test_weights_that_are_none_are_refused(file, tmp_path):
    other = tmp_path / "other.npz"
    other.write_bytes(b"no weights")
    with pytest.raises(bots.BotError, match="no weights of a policy"):
        PolicyNetwork.load(other)
    np.savez(other, board="east", version=2, **dict(PolicyNetwork.load(file).weights))  # type: ignore[arg-type]  # by name
    with pytest.raises(bots.BotError, match="weights of another shape"):
        PolicyNetwork.load(other)
    with pytest.raises(bots.BotError, match="policy:weights=FILE"):
        bots.create("policy")
    east = hansa.Game.new(board="east", players=3)
    with pytest.raises(bots.BotError, match="learned board hansa, not east"):
        PolicyBot(file).choose(east.view("p1"), east.legal_actions())


def test_settings_that_are_text():
    short = Setting.text(3, "a word")
    assert short.read("abc") == "abc"
    with pytest.raises(ValueError, match="at most 3 characters"):
        short.read("abcd")


def test_returns_keep_seats_apart():
    paid = np.zeros((3, 2, 2))
    paid[1, 0] = [0, 2]
    paid[2, 0] = [1, -1]
    paid[1, 1] = [5, 0]
    ended = [[0, 0], [0, 1], [1, 0]]
    found = returns([[0, 0], [1, 1], [0, 0]], paid, ended, discount=0.5, after=[[9, 9], [8, 0]])
    assert found.tolist() == [[0.25, 2.5], [1.5, 0.0], [1.0, 4.0]]
    with pytest.raises(ValueError, match=r"\(steps, games\)"):
        returns([0, 1], paid, ended)


def test_features_tell_decisions_apart():
    game = hansa.Game.new(players=3)
    rows = features("hansa")[game.legal_ids()]
    assert len(np.unique(rows, axis=0)) == len(rows)
