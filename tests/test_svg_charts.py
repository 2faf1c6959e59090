"""Charts: the figures given are the figures shown."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from hansa import svg

SCORES = {
    "p1": {
        "track": 27,
        "skills": 8,
        "markers": 3,
        "prestige": 0,
        "cities": 8,
        "network": 18,
        "total": 64,
    },
    "p2": {
        "track": 31,
        "skills": 4,
        "markers": 6,
        "prestige": 9,
        "cities": 10,
        "network": 21,
        "total": 81,
    },
}


def words(text: str) -> list[str]:
    root = ET.fromstring(text)
    return [item.text or "" for item in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("theme", ["light", "dark", "print", "auto"])
def test_prestige_chart(theme: str) -> None:
    series = {"p1": [0, 0, 3, 7, 7, 9, 12, 14, 20], "p2": [0, 1, 1, 1, 4, 4, 8, 8, 20]}
    text = svg.prestige_chart(series, names={"p1": "Alheyd & Co"}, theme=theme)
    assert words(text).count("20") == 3  # two players and the grid
    assert "Alheyd & Co" in words(text)
    assert len(text) < 20_000


def test_score_chart_ranks_and_adds_up() -> None:
    shown = words(svg.score_chart(SCORES))
    assert shown.index("81") < shown.index("64")
    assert "On the track" in shown
    assert "Mission" not in shown


def test_equal_totals_share_a_rank() -> None:
    same = {"p1": {"track": 5}, "p2": {"track": 5}, "p3": {"track": 2}}
    shown = words(svg.score_chart(same))
    assert shown.count("1") == 2
    assert "3" in shown


def test_single_turn_and_zero_points() -> None:
    assert svg.prestige_chart({"p1": [0]})
    assert svg.score_chart({"p1": {"track": 0, "total": 0}})


@pytest.mark.parametrize("series", [{}, {"p1": []}, {"p1": [0, 1], "p2": [0]}, {"p9": [0]}])
def test_bad_series(series) -> None:
    with pytest.raises(ValueError):
        svg.prestige_chart(series)


@pytest.mark.parametrize(
    "scores",
    [{}, {"p9": {"track": 1}}, {"p1": {"luck": 1}}, {"p1": {"track": 3, "total": 4}}],
)
def test_bad_scores(scores) -> None:
    with pytest.raises(ValueError):
        svg.score_chart(scores)


def test_long_names_are_cut_and_kept_as_titles() -> None:
    names = {"p1": "Alheyd von der Wisch zu Lübeck", "p2": "Gese"}
    for text in (
        svg.score_chart({"p1": {"track": 3}, "p2": {"track": 1}}, names=names),
        svg.prestige_chart({"p1": [0, 3], "p2": [0, 1]}, names=names),
    ):
        assert "<title>Alheyd von der Wisch zu Lübeck</title>Alheyd" in text
        assert "…</text>" in text
        assert ">Gese</text>" in text
