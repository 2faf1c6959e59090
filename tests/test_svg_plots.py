"""Sheets of statistics: the figures given are the figures shown, and nothing runs into another."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from hansa.svg import plots

SHARES = [
    plots.Share("search:time=0.2", 0.75, 0.468, 0.911, "rating 31.2 ± 8.0"),
    plots.Share("greedy", 0.083, 0.03, 0.2, "rating 20.1 ± 4.0"),
]


def words(text: str) -> list[str]:
    root = ET.fromstring(text)
    texts = list(root.iter("{http://www.w3.org/2000/svg}text"))
    return [(list(item.itertext()) or [""])[-1] for item in texts]  # a title stands before it


def sheet(*panels: plots.Panel, theme: str = "light") -> str:
    return plots.sheet("A title & more", "what it is about", panels, theme=theme)


@pytest.mark.parametrize("theme", ["light", "dark", "print", "auto"])
def test_shares_are_shown_against_what_is_fair(theme):
    shown = words(sheet(plots.shares("Wins", SHARES, 0.25), theme=theme))
    assert "A title & more" in shown
    assert {"75.0 %", "8.3 %", "fair 25 %", "rating 31.2 ± 8.0", "100 %"} <= set(shown)


def test_what_is_surely_better_or_worse_than_fair_looks_so():
    body = plots.shares("Wins", SHARES, 0.25).body
    assert body.count("var(--good)") == body.count("var(--warn)") == 2
    assert "--good" not in plots.shares("Wins", SHARES).body


def test_small_shares_have_a_scale_of_their_own():
    few = [plots.Share("a", 0.1, 0.05, 0.2)]
    assert "25 %" in words(sheet(plots.shares("Wins", few)))
    assert "100 %" not in words(sheet(plots.shares("Wins", few)))


def test_accounts_are_stacked_with_their_total():
    row = {"track": 10.25, "cities": 8.0, "network": 0.0, "total": 18.25}
    shown = words(sheet(plots.stacks("Points", {"greedy": row})))
    assert {"10.2", "8.0", "18.2", "On the track", "Cities"} <= set(shown)
    assert "Network" not in shown


def test_bars_and_columns_tell_their_values():
    shown = words(sheet(plots.bars("Routes", {"a – b": (2.5, "2.50"), "c – d": (0.0, "0.00")})))
    assert {"a – b", "2.50", "0.00"} <= set(shown)
    shown = words(sheet(plots.columns("Length", {"9": 3, "10": 0, "11": 5}, "rounds")))
    assert {"9", "3", "11", "5", "rounds"} <= set(shown)
    assert plots.columns("Nothing", {}, "").body


def test_a_name_that_is_too_long_is_cut_and_kept_as_a_title():
    name = "external:command=python3 /a/very/long/path/to/a/program/that/plays.py"
    panel = plots.bars("Routes", {name: (1, "1")})
    assert "…" in panel.body
    assert f"<title>{name}</title>" in panel.body


def test_panels_lie_below_each_other():
    one = plots.bars("Routes", {"a": (1, "1")})
    two = ET.fromstring(sheet(one, one))
    lone = ET.fromstring(sheet(one))
    heights = [float(root.attrib["viewBox"].split()[3]) for root in (lone, two)]
    assert heights[1] - heights[0] > one.height


def test_an_unknown_theme_is_refused():
    with pytest.raises(ValueError, match="unknown theme"):
        sheet(theme="neon")
