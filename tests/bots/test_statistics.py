"""Statistics over recorded games."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansa.bots.match import play_match
from hansa.bots.statistic_charts import charts
from hansa.bots.statistics import gather, of_records, report
from hansa.errors import InvalidRecord
from hansa.records import Record
from hansa.setup import Setup

ROOT = Path(__file__).parents[2]


def test_a_corpus_of_games_is_counted(tmp_path):
    for seed in range(2):
        result = play_match(["greedy", "greedy:seed=1"], Setup(players=2, seed=seed))
        (tmp_path / f"game-{seed}.txt").write_text(result.record, encoding="utf-8")
    found = gather(tmp_path)
    assert found["games"] == 2
    assert sum(found["end_reasons"].values()) == 2
    assert sum(one["win_share"] for one in found["seats"].values()) == pytest.approx(1)
    assert sum(one["number"] for one in found["first_skills"].values()) == 4
    assert all(often > 0 for often in found["routes"].values())
    assert sum(one["number"] for one in found["first_routes"].values()) == 4
    assert sum(found["rounds"].values()) == 2
    assert found["setups"] == {"hansa, 2 players": 2}
    assert all(one["fair"] == 0.5 for one in found["seats"].values())
    text = report(found)
    assert "2 finished games" in text
    assert "Wins by first skill" in text
    drawn = charts(found, theme="dark")
    assert set(drawn) == {"first-skills", "routes", "ends", "seats", "length"}
    assert all("2 finished games: 2 × hansa, 2 players" in text for text in drawn.values())
    assert "Seat 1" in drawn["seats"]


def a_game(
    players: int, decisions: list[tuple[str, str]], winner: str | None, turns: int | None
) -> Record:
    totals = {f"p{k + 1}": 10 for k in range(players)}
    result = {"end_reason": "prestige", "winners": [winner], "totals": totals}
    return Record(
        decisions, setup={"board": "east"}, result=result if winner else None, turns=turns
    )


def test_openings_are_what_each_player_did_first():
    one = [("p1", "place t a-b/1"), ("p1", "establish a-b skill actions"), ("p2", "establish c-d none"),
           ("p1", "establish c-d skill keys"), ("p2", "use skill book")]  # fmt: skip
    found = of_records(
        [a_game(3, one, "p1", 14), a_game(2, [], "p2", None), a_game(2, [], None, 3)]
    )
    assert (found["games"], found["unfinished"]) == (2, 1)
    assert found["first_skills"]["actions"]["win_share"] == 1.0
    assert found["first_skills"]["book"]["number"] == 1
    assert found["first_skills"]["none"]["number"] == 3
    assert found["first_routes"]["a-b"]["number"] == found["first_routes"]["c-d"]["number"] == 1
    assert found["routes"] == {"c-d": 1.0, "a-b": 0.5}
    assert (found["rounds"], found["mean_rounds"]) == ({"5": 1}, 5.0)
    assert found["seats"]["p1"]["fair"] == pytest.approx(5 / 12, abs=1e-4)
    assert "1 unfinished ones are left out" in report(found)
    assert "fair" not in charts(found)["seats"]  # not the same for all of these games


def test_a_folder_without_games_says_how_to_make_some(tmp_path):
    with pytest.raises(InvalidRecord, match="hansa arena --records"):
        gather(tmp_path)


def test_a_file_that_is_no_record_is_left_out_and_named(tmp_path):
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "picture.txt").write_bytes(b"\xff\xd8")
    with pytest.raises(InvalidRecord, match=r"notes\.txt is none: line 1: a record begins"):
        gather(tmp_path)
    games = (ROOT / "examples/games/duel.txt").read_text("utf-8")
    (tmp_path / "games.txt").write_text(games + "\n" + games, encoding="utf-8-sig")
    found = gather(tmp_path)
    assert found["games"] == 2
    assert found["skipped"] == {
        "more/picture.txt": "not a text file in UTF-8",
        "notes.txt": "line 1: a record begins with 'Hansa record 1'",
    }
