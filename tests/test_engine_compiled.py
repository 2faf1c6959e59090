"""Compiled and interpreted give the same traces, states and results."""

from __future__ import annotations

from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("numba")

import hansa  # noqa: E402  # only where the extra `fast` is installed
from hansa import compiled  # noqa: E402
from hansa.batch import Batch  # noqa: E402
from hansa.rules import kernels as interpreted  # noqa: E402
from hansa.rules.capacity import MAX_LEGAL  # noqa: E402
from hansa.rules.state import STATE_SIZE, pack, unpack  # noqa: E402
from hansa.setup import Setup, all_setups  # noqa: E402

SETUPS = [setup.with_seed(k) for k, setup in enumerate(all_setups())][::4]
DECISIONS = 250


@pytest.fixture(scope="module")
def kernels():
    assert compiled.is_available()
    return compiled.kernels()


@pytest.mark.parametrize("setup", SETUPS, ids=repr)
def test_identical_traces(kernels, setup):
    slow_state, slow_out = setup.new_state(), [0] * (2 * DECISIONS)
    fast_states = compiled.state_records([setup.new_state()])
    fast_out = np.zeros(2 * DECISIONS, np.int64)
    boards = compiled.board_record(setup.board_id)
    slow = interpreted.trace(
        [setup.tables], [slow_state], 0, [0] * MAX_LEGAL, 77, DECISIONS, slow_out
    )
    fast = kernels.trace(
        boards, fast_states, 0, np.zeros(MAX_LEGAL, np.int64), 77, DECISIONS, fast_out
    )
    assert slow == fast
    assert slow_out == fast_out.tolist()
    assert fast_states.tobytes() == pack(slow_state)


def test_a_state_is_one_small_record():
    assert STATE_SIZE < 1024
    assert compiled.state_dtype().itemsize == STATE_SIZE
    game = hansa.Game.new(seed=4)
    game.play("place t groningen-emden/1")
    assert pack(unpack(pack(game.state))) == pack(game.state)
    record = compiled.state_records([game.state])
    assert record["turn"][0] == 1
    assert record.tobytes() == pack(game.state)


class TestBatch:
    setup = Setup("britannia", 4)

    def test_compiled_and_interpreted_agree(self, kernels):
        fast = Batch.new(self.setup, range(5), jit=True, threads=2)
        slow = Batch.new(self.setup, range(5), jit=False)
        seeds = [3, 4, 5, 6, 7]
        assert fast.playout(seeds, 80).tolist() == slow.playout(seeds, 80).tolist()
        assert fast.states.tobytes() == slow.states.tobytes()
        assert (fast.legal_masks() == slow.legal_masks()).all()
        assert (fast.results()[0] == slow.results()[0]).all()

    def test_masks_are_those_of_the_game(self, kernels):
        batch = Batch.new(self.setup, range(3))
        batch.playout([1, 2, 3], 50)
        for i, mask in enumerate(batch.legal_masks()):
            assert np.flatnonzero(mask).tolist() == batch.game(i).legal_ids()

    def test_apply_plays_and_refuses(self, kernels):
        batch = Batch.new(self.setup, range(3))
        first = [int(np.flatnonzero(mask)[5]) for mask in batch.legal_masks()]
        batch.apply(first)
        game = hansa.Game(self.setup.with_seed(1), self.setup.with_seed(1).new_state())
        game.play(first[1])
        assert batch.game(1) == game
        before = batch.states.tobytes()
        for wrong in ([0, 0, 0], [-1, 1, 1], [10**6, 1, 1]):
            with pytest.raises(hansa.IllegalAction, match="game 0"):
                batch.apply(wrong)
        with pytest.raises(ValueError, match="one action a game"):
            batch.apply([1])
        assert batch.states.tobytes() == before

    def test_playouts_end_games_and_results_tell_the_winners(self, kernels):
        batch = Batch.new(self.setup, range(4))
        batch.playout([1, 2, 3, 4], 100_000)
        assert batch.over.all()
        totals, wins = batch.results()
        for i in range(len(batch)):
            game = batch.game(i)
            assert game.winners == [name for k, name in enumerate(batch.names()) if wins[i, k]]
            assert [p["total"] for p in game.scores().values()] == totals[i, :4].tolist()
        before = batch.states.tobytes()
        batch.apply_trusted(np.ones(4, np.int64))
        assert batch.states.tobytes() == before

    def test_games_of_different_set_ups_do_not_mix(self):
        games = [hansa.Game.new(players=3), hansa.Game.new(players=4)]
        with pytest.raises(hansa.InvalidSetup):
            Batch.from_games(games)
        assert len(Batch.from_games(games[:1]).copy()) == 1


def test_switched_off_by_the_environment(monkeypatch):
    monkeypatch.setenv("HANSA_JIT", "0")
    assert not compiled.is_available()
    assert not compiled.is_warm()
    assert not compiled.warm_up()
    assert not Batch.new(Setup(), [1]).jit


def test_a_cache_that_cannot_be_written_is_passed_over(monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    monkeypatch.setenv("HANSA_CACHE", str(blocked))
    compiled.cache_directory.cache_clear()
    try:
        directory = compiled.cache_directory()
        assert directory is not None
        assert blocked not in directory.parents
    finally:
        compiled.cache_directory.cache_clear()


def test_the_cache_is_keyed_by_all_that_compiled_code_depends_on(monkeypatch):
    """Constants of the rules come from the boards: a change there must not meet stale code."""
    package = Path(hansa.__file__).parent
    needed = {
        *package.glob("rules/*.py"),
        *package.glob("boards/*.py"),
        *package.glob("boards/*.json"),
    }
    assert needed <= set(compiled.compiled_from())
    compiled.cache_directory.cache_clear()
    try:
        before = compiled.cache_directory()
        real = compiled._identity
        changed = package / "boards" / "slots.py"
        monkeypatch.setattr(compiled, "_identity", lambda p: real(p) + bytes(p == changed))
        compiled.cache_directory.cache_clear()
        assert compiled.cache_directory() != before
    finally:
        compiled.cache_directory.cache_clear()


def test_compiled_code_is_loud_about_what_it_does_not_know(kernels):
    boards = compiled.board_record("hansa-45")
    states = compiled.state_records([Setup().new_state()])
    states["depth"], states["frame_kind"][0, 0] = 1, 120
    with pytest.raises(ValueError, match="no such pending decision"):
        kernels.play_random(boards, states, 0, np.zeros(MAX_LEGAL, np.int64), 1, 1)
