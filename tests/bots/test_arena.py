"""The arena: fair seatings, going on after a stop, standings."""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections import Counter
from typing import Any

import pytest

from hansa import arena
from hansa.arena import processes
from hansa.bots import UnknownBot
from hansa.bots.match import Result
from hansa.bots.standings import as_csv, interval, standings, summary, table
from hansa.errors import InvalidSetup
from hansa.setup import Setup


@pytest.mark.parametrize(
    ("bots", "seats", "games"),
    [
        (["a", "b"], 2, 12),
        (["a", "b", "c"], 2, 12),
        (["a", "b"], 4, 12),
        (["a", "b", "b", "b"], 4, 16),
        (["a", "b", "c", "d", "e"], 3, 30),
    ],
)
def test_every_bot_sits_equally_often_in_every_seat(bots, seats, games):
    planned = arena.pairings(bots, Setup(players=seats), games)
    assert len(planned) == games
    for bot in set(bots):
        places = Counter(k for p in planned for k, name in enumerate(p.bots) if name == bot)
        assert len(set(places.values())) == 1, places
        assert len(places) == seats


@pytest.mark.parametrize("games", [8, 10, 23])
def test_however_many_games_no_bot_plays_much_more_than_another(games):
    planned = arena.pairings(list("abcdefg"), Setup(players=3), games)
    played = Counter(name for pairing in planned for name in pairing.bots)
    assert max(played.values()) - min(played.values()) <= 3


def test_bots_meet_in_every_order_round_the_table():
    planned = arena.pairings(list("abcd"), Setup(players=4), 24)
    assert len({pairing.bots for pairing in planned}) == 24
    followed = Counter((p.bots[k], p.bots[(k + 1) % 4]) for p in planned for k in range(4))
    assert set(followed.values()) == {8}


def test_no_game_is_planned_twice():
    planned = arena.pairings(["a", "a", "b"], Setup(players=3, seed=5), 20)
    assert len({(p.bots, p.setup.seed) for p in planned}) == 20
    assert planned[0].setup.seed == 5


def test_a_small_tournament(tmp_path):
    seen = []
    results = arena.run(
        ["greedy", "greedy:care=60"], players=2, games=2, seed=3, workers=1,
        directory=tmp_path, progress=lambda done, total: seen.append((done, total)),
    )  # fmt: skip
    assert seen[0] == (0, 2)
    assert seen[-1] == (2, 2)
    assert {bot["name"] for bot in results["bots"]} == {"greedy", "greedy:care=60"}
    for bot in results["bots"]:
        assert bot["games"] == 2
        assert bot["win_share"] == pytest.approx(bot["wins"] / 2, abs=1e-4)
        assert bot["win_share_low"] <= bot["win_share"] <= bot["win_share_high"]
        assert bot["rating_low"] < bot["rating"] < bot["rating_high"]
    assert sum(bot["wins"] for bot in results["bots"]) == pytest.approx(2)
    json.dumps(results)
    assert "greedy:care=60" in table(results)
    assert table(results).splitlines()[0].count("from") == 2  # of the share and of the rating
    assert "wins by seat: p1 " in summary(results)
    assert "markers" in summary(results)
    assert as_csv(results).count("\n") == 3
    assert len(list(tmp_path.glob("game-*.txt"))) == 2


def test_an_interrupted_tournament_goes_on(tmp_path, monkeypatch):
    def stop(done, total):
        if done == 2:
            raise KeyboardInterrupt

    options: dict[str, Any] = {
        "players": 2, "games": 4, "workers": 1, "directory": tmp_path,
    }  # fmt: skip
    played = []

    def quick(bots, setup, given):
        played.append(bots)
        return result(list(bots), [setup.seed % 2])

    monkeypatch.setattr(processes, "play_match", quick)
    with pytest.raises(KeyboardInterrupt):
        arena.run(["greedy:seed=1", "greedy"], progress=stop, **options)
    with open(tmp_path / "results.jsonl", "a", encoding="utf-8") as file:
        file.write('{"bots": ["gre')
    played.clear()
    results = arena.run(["greedy:seed=1", "greedy"], **options)
    assert len(played) == 2
    assert results["games"] == 4
    played.clear()
    more = arena.run(["greedy:seed=1", "greedy"], **{**options, "games": 6})
    assert (len(played), more["games"]) == (2, 6)
    whole = arena.run(["greedy:seed=1", "greedy"], players=2, games=4, workers=1)
    assert [bot["wins"] for bot in results["bots"]] == [bot["wins"] for bot in whole["bots"]]


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"bots": ["greedy", "random"]}, "bots"),
        ({"seed": 4}, "seed 0 instead of 4"),
        ({"board": "east"}, "board 'hansa' instead of 'east'"),
    ],
)
def test_a_folder_holds_one_tournament(tmp_path, monkeypatch, change, part):
    monkeypatch.setattr(processes, "play_match", lambda bots, setup, given: result(list(bots), [0]))
    options: dict[str, Any] = {"bots": ["greedy", "greedy:seed=1"], "players": 2, "games": 2}
    options |= {"workers": 1, "directory": tmp_path}
    arena.run(**options)
    before = {path.name: path.read_text() for path in tmp_path.iterdir()}
    with pytest.raises(arena.ArenaError, match="holds another tournament") as caught:
        arena.run(**{**options, **change})
    assert part in str(caught.value)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("name", "text"), [("arena.json", "[]"), ("results.jsonl", "nonsense\n{}\n")]
)
def test_a_folder_of_something_else_is_refused(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(arena.ArenaError, match=name):
        arena.run(["greedy"], players=2, games=1, workers=1, directory=tmp_path)
    assert (tmp_path / name).read_text() == text


def test_a_tournament_that_is_stopped_leaves_no_process_behind():
    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    before = set(multiprocessing.active_children())
    with pytest.raises(KeyboardInterrupt):
        arena.run(["greedy"], players=2, games=40, workers=2, progress=stop)
    assert set(multiprocessing.active_children()) <= before


def test_identical_bots_are_one_entry_and_share_per_seat():
    results = [result(["a", "b", "b", "b"], [0]), result(["b", "a", "b", "b"], [2])]
    first, second = standings(results)["bots"]
    assert (first["name"], first["seats"], first["win_share"]) == ("a", 2, 0.5)
    assert (second["name"], second["seats"], second["games"]) == ("b", 6, 2)
    assert second["win_share"] == pytest.approx(1 / 6, abs=1e-4)
    assert second["fair_share"] == 0.25


def test_a_shared_win_counts_half():
    bots = standings([result(["a", "b"], [0, 1])])["bots"]
    assert [bot["wins"] for bot in bots] == [0.5, 0.5]


def result(bots: list[str], winners: list[int]) -> Result:
    n = len(bots)
    totals = [30 if seat in winners else 20 for seat in range(n)]
    return Result(bots, 1, winners, totals, [{"track": 1}] * n, 40, 200, "markers", [0.1] * n)


def test_without_openskill_there_are_no_ratings_and_the_rest_stays(monkeypatch):
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    found = {**standings([result(["a", "b"], [0])] * 3), "games": 3}
    assert "rating" not in found["bots"][0]
    assert "rating" not in table(found)
    found |= {"board": "east", "players": 2, "edition": "bigbox", "seed": 0}
    drawn = arena.chart(found)
    assert "openskill" not in drawn
    assert "3 seats" in drawn


def test_intervals_hold_what_they_bound():
    assert interval(0.0, 0) == (0.0, 1.0)
    low, high = interval(0.5, 100)
    assert low == pytest.approx(0.404, abs=0.001)
    assert high == pytest.approx(0.596, abs=0.001)
    assert interval(1.0, 10)[1] == 1.0


def test_bad_tournaments_are_refused():
    with pytest.raises(UnknownBot):
        arena.run(["nobody"], games=1)
    with pytest.raises(InvalidSetup):
        arena.run(["greedy"], players=6, games=1)
    with pytest.raises(arena.ArenaError):
        arena.run([], games=1)
    with pytest.raises(arena.ArenaError):
        arena.run(["greedy"], games=0)


def test_processes_play_what_one_process_plays():
    options: dict[str, Any] = {"players": 2, "games": 2, "seed": 8}
    one = arena.run(["greedy", "greedy:seed=1"], workers=1, **options)
    two = arena.run(["greedy", "greedy:seed=1"], workers=2, **options)
    assert [bot["mean_score"] for bot in one["bots"]] == [bot["mean_score"] for bot in two["bots"]]
