"""Statistics over recorded games."""

from __future__ import annotations

import pytest

from hansa.bots.match import play_match
from hansa.bots.statistics import gather, report
from hansa.errors import InvalidRecord
from hansa.setup import Setup


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
    text = report(found)
    assert "2 finished games" in text
    assert "Wins by first skill" in text


def test_a_folder_without_games_says_how_to_make_some(tmp_path):
    with pytest.raises(InvalidRecord, match="hansa arena --records"):
        gather(tmp_path)


def test_a_file_that_is_no_record_is_named(tmp_path):
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    with pytest.raises(InvalidRecord, match=r"notes\.txt"):
        gather(tmp_path)
