"""A batch to train in: opponents inside it, what is paid, what ends, what is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.envs.playing import SETUPS, seen

import hansa
from hansa.bots import create
from hansa.bots.judge import policy
from hansa.bots.judge.fitted import weights_of
from hansa.bots.judge.survey import Survey
from hansa.envs import encode, layout
from hansa.envs.batch import BatchEnv
from hansa.setup import Setup, all_setups

MIXED: list[dict[str, Any]] = [
    {"board": "hansa", "players": 2},
    {"board": "east", "players": 4, "edition": "classic"},
    {"board": "britannia", "players": 3, "border_fee": True},
]


def first_legal(observations: Any, legal: Any) -> Any:
    """A policy: the highest legal id."""
    assert len(observations) == len(legal)
    return legal.shape[1] - 1 - np.argmax(legal[:, ::-1], axis=1)


@pytest.mark.parametrize("opponent", ["greedy", "random", "sensible", first_legal])
def test_after_a_step_the_learner_decides_again(jit, opponent):
    with BatchEnv(
        3, players=3, opponents=opponent, seat="p2", reward="points", seed=4, jit=jit
    ) as env:
        track = np.zeros((3, 3))
        for _ in range(12):
            env.step(env.sample("sensible"))
            track += env.rewards
            assert (env.players == 1).all()
            for row in range(3):
                game = env.game(row)
                assert game.player == "p2"
                assert np.flatnonzero(env.legal[row]).tolist() == game.legal_ids()
                assert (env.observations[row] == seen(game, 1)).all()
                assert [game.points(seat) for seat in game.players] == track[row].tolist()
        assert (env.decisions > 24).all()


def test_greedy_inside_decides_as_the_bot_judges():
    """What the opponents did is among the best by the judgement, decision after decision."""
    env = BatchEnv(1, players=3, opponents="greedy", seat="p1", seed=3, jit=False)
    for _ in range(15):
        game = env.game(0)
        action = int(env.sample("sensible")[0])
        env.step([action])
        _follow(game, action, env.game(0))


def _follow(game: hansa.Game, action: int, target: hansa.Game) -> None:
    """From one position of the learner to his next, every opponent's decision one of the best."""
    ways = [game.copy()]
    ways[0].play(action)
    for _ in range(60):
        if any(way == target for way in ways):
            return
        found = []
        for way in ways:
            if way.player == "p1":
                continue
            ids = way.legal_ids()
            del ids[policy.with_pieces_left(way.setup.tables, way.state, ids, len(ids)) :]
            survey = Survey()
            policy.rate_all(way.setup.tables, way.state, weights_of(), survey, ids, len(ids))
            best = max(survey.scores[: len(ids)])
            for k, number in enumerate(ids):
                if survey.scores[k] == best:
                    found.append(way.copy())
                    found[-1].play(number)
        ways = list({way.to_line(): way for way in found}.values())
    raise AssertionError("no line of best decisions leads there")


def test_bots_and_seats_in_turn():
    """One opponent for each seat clockwise; without a fixed seat every game has another."""
    asked: list[str] = []

    class Watching:
        name = "watching"

        def choose(self, view, legal, clock=None):
            asked.append(view["player"])
            return create("random").choose(view, legal)

    env = BatchEnv(3, players=3, opponents=[Watching(), "random"], seat=None, jit=False, seed=6)
    assert env.players.tolist() == [0, 1, 2]
    env.step(env.sample())
    assert set(asked) <= {"p2", "p3", "p1"}
    assert len(asked) >= 2
    texts = BatchEnv(1, players=3, opponents="greedy:style=keys", jit=False)
    texts.step(texts.sample())
    assert texts.players.tolist() == [0]


def test_several_rewards_and_totals_as_if_ended(jit):
    kinds = ("win", "share", "score", "points", "gain")
    with BatchEnv(4, players=3, reward=kinds, opponents="greedy", seed=2, jit=jit) as env:
        start = env.scores()
        earned, ended = np.zeros((4, 3, 5)), 0
        for _ in range(500):
            before = env.seeds.copy()
            env.step(env.sample("sensible"))
            earned += env.rewards
            for row in np.flatnonzero(env.terminated):
                ended += 1
                totals = env.final_scores[row]
                assert (earned[row, :, 3] == totals).all()
                assert (earned[row, :, 4] == totals - start[row]).all()
                assert earned[row, :, 1].sum() == pytest.approx(1.0)
                assert earned[row, :, 0].sum() == pytest.approx(0.0, abs=1e-6)
                assert earned[row, :, 2] == pytest.approx(totals - (sum(totals) - totals) / 2)
                assert env.seeds[row] == before[row] + 4
                last = env.layout.split(env.final_observations[row])
                assert last["game"][0][
                    [f.name for f in env.layout.blocks[0].features].index("over")
                ]
                assert last["seats"][0][0] == 1, "the learner's eyes"
                earned[row] = 0.0
            if ended >= 2:
                break
        assert ended >= 2


def test_scores_are_those_of_the_games(jit):
    with BatchEnv(6, setups=MIXED, seed=3, jit=jit) as env:
        for _ in range(40):
            env.step(env.sample("sensible"))
        for row, totals in enumerate(env.scores()):
            game = env.game(row)
            wanted = [game.scores()[seat]["total"] for seat in game.players]
            assert totals[: len(wanted)].tolist() == wanted


def test_set_ups_mixed_in_one_batch(jit):
    with BatchEnv(6, setups=MIXED, seed=3, version=2, jit=jit, threads=2) as env:
        games = [hansa.Game.new(**MIXED[row % 3], seed=3 + row) for row in range(6)]
        assert env.rewards.shape == (6, 4)
        for _ in range(25):
            actions = env.sample("sensible")
            env.step(actions)
            for row, game in enumerate(games):
                game.play(int(actions[row]))
                row_of = encode(game, version=2)
                assert (env.observations[row, : len(row_of)] == row_of).all()
                assert (env.observations[row, len(row_of) :] == 0).all()
                assert env.game(row) == game
        for seat in (0, 1):
            shown = env.observe(seat)
            for row, game in enumerate(games):
                row_of = encode(game, game.players[seat], version=2)
                assert (shown[row, : len(row_of)] == row_of).all()
        assert env.setup_of(4) == Setup(**MIXED[1], seed=7)


def test_lists_instead_of_masks(jit):
    with BatchEnv(3, players=4, masks=False, jit=jit) as env:
        assert env.legal.shape == (3, 0)
        for _ in range(30):
            env.step(env.sample("sensible"))
            for row in range(3):
                listed = env.legal_ids[row, : env.legal_counts[row]]
                assert listed.tolist() == env.game(row).legal_ids()
        with pytest.raises(hansa.IllegalAction, match="game 0 of the batch: id -1 "):
            env.step([-1, -1, -1])


def test_decisions_without_a_choice_are_skipped(jit):
    with BatchEnv(4, board="east", players=3, skip_forced=True, seed=1, jit=jit) as env:
        steps = 0
        while (env.decisions == steps).all():
            assert (env.legal_counts > 1).all()
            env.step(env.sample("sensible"))
            steps += 1
            assert steps < 200, "somebody must have been forced"


@pytest.mark.parametrize("opponent", [None, "greedy", first_legal])
def test_copies_and_saved_batches_go_on_alike(jit, opponent):
    options: dict[str, Any] = {"setups": MIXED, "opponents": opponent, "reward": "gain"}
    with BatchEnv(3, **options, seed=2, jit=jit) as env:
        for _ in range(8):
            env.step(env.sample("sensible"))
        kept, twin = env.save(), env.copy()
        trace = []
        for _ in range(10):
            env.step(env.sample("sensible"))
            twin.step(twin.sample("sensible"))
            assert (env.observations == twin.observations).all()
            assert (env.rewards == twin.rewards).all()
            trace.append((env.observations.copy(), env.legal_counts.copy()))
        env.restore(kept)
        for observations, counts in trace:
            env.step(env.sample("sensible"))
            assert (env.observations == observations).all()
            assert (env.legal_counts == counts).all()
        with pytest.raises(ValueError, match="other options"):
            BatchEnv(2, **options, jit=jit).restore(kept)
        with pytest.raises(ValueError, match="not what a batch saved"):
            env.restore(b"nothing")


def test_a_batch_goes_on_from_games(jit):
    games = []
    for number, setup in enumerate(SETUPS[:4]):
        game = hansa.Game.new(**setup, seed=number)
        for _ in range(9):
            game.play(game.legal_ids()[-1])
        games.append(game)
    with BatchEnv.from_games(games, reward="points", jit=jit) as env:
        for row, game in enumerate(games):
            assert env.game(row) == game
            assert np.flatnonzero(env.legal[row]).tolist() == game.legal_ids()
        env.step([game.legal_ids()[0] for game in games])
        for row, game in enumerate(games):
            before = [game.points(seat) for seat in game.players]
            game.play(game.legal_ids()[0])
            after = [game.points(seat) for seat in game.players]
            paid = [a - b for a, b in zip(after, before, strict=True)]
            assert env.rewards[row, : len(paid)].tolist() == paid
            assert env.game(row) == game


def test_an_illegal_decision_may_end_a_game(jit):
    with BatchEnv(3, players=3, opponents="random", illegal_reward=-1.0, jit=jit) as env:
        actions = env.sample()
        actions[1] = 0
        seeds = env.seeds.copy()
        env.step(actions)
        assert env.terminated.tolist() == [False, True, False]
        assert env.rewards.tolist() == [[0, 0, 0], [-1, 0, 0], [0, 0, 0]]
        assert (env.seeds - seeds).tolist() == [0, 3, 0]


def test_what_is_wrong_is_named():
    over = next(iter(all_setups())).with_seed(1)
    with pytest.raises(hansa.InvalidSetup, match="one for all, or 2 of them, not 3"):
        BatchEnv(1, players=3, opponents=["random"] * 3, jit=False)
    with pytest.raises(hansa.InvalidSetup, match="an opponent is a text as 'greedy'"):
        BatchEnv(1, players=3, opponents=7, jit=False)  # type: ignore[arg-type]  # as somebody might
    with pytest.raises(hansa.InvalidSetup, match="seat must be one of p1, p2, p3 or None"):
        BatchEnv(1, players=3, opponents="random", seat="p4", jit=False)
    with pytest.raises(hansa.InvalidSetup, match="give setups, or players, not both"):
        BatchEnv(1, setups=[over], players=3, jit=False)
    with pytest.raises(hansa.InvalidSetup, match="unknown reward 'fame'"):
        BatchEnv(1, reward=("win", "fame"), jit=False)
    env = BatchEnv(2, players=3, jit=False)
    with pytest.raises(ValueError, match="seats are p1 to p3, not 'p4'"):
        env.observe("p4")
    for answer, error in (
        ([0], "a policy gives 2 whole"),
        ([0, 0], "opponent's id 0 is not legal"),
    ):
        with pytest.raises((ValueError, hansa.IllegalAction), match=error):
            BatchEnv(2, players=3, opponents=lambda *_, ids=answer: ids, seat="p2", jit=False)
    finished = hansa.Game.from_dict(
        {"game": {"players": 3}, "over": True, "end_reason": "prestige"}
    )
    with pytest.raises(ValueError, match="game 0 is over"):
        BatchEnv.from_games([finished], jit=False)
    assert layout("hansa", 2).version == 2
