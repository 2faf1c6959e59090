"""What "How to play" shows is what the engine plays by: tables and pictures follow its data."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from hansa import names
from hansa.boards import BOARD_IDS, load
from hansa.rules.catalogue import MARKERS, PERMANENTS

ROOT = Path(__file__).parent.parent
LANGUAGES = ("en", "de", "ja")


@pytest.fixture
def book(monkeypatch) -> ModuleType:
    """The maker of pictures and tables: it lies beside the documents, not in the package."""
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_ext"))
    import book

    yield book
    for name in ("book", "page_book", "page_words", "reference"):
        sys.modules.pop(name, None)


def column(book: ModuleType, kind: str, number: int, language: str = "en") -> list[str]:
    return [row[number] for row in book.table(kind, language)[1]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_marker_has_its_row_with_picture_and_numbers(book, language):
    rows = book.table("markers", language)[1]
    assert len(rows) == len(MARKERS)
    for row, marker in zip(rows, MARKERS, strict=True):
        assert row[0].startswith(f"![marker-{marker.name}]")
        assert row[5].endswith(f"[{marker.rule}]")
        if not marker.promo:
            assert [row[3], row[4]] == [str(marker.copies.get(e, "–")) for e in names.EDITIONS]
    assert [row[0].split("`")[1] for row in book.table("permanents", language)[1]] == [
        marker.name for marker in PERMANENTS
    ]


def test_markers_that_change_change_their_tables(book, monkeypatch):
    more = [
        dataclasses.replace(m, copies={**m.copies, "classic": 9}) if m.name == "swap" else m
        for m in MARKERS
    ]
    before = dict(zip(column(book, "editions", 0), column(book, "editions", 2), strict=True))
    monkeypatch.setattr(book, "MARKERS", more)
    assert column(book, "markers", 3)[1] == "9"
    after = dict(zip(column(book, "editions", 0), column(book, "editions", 2), strict=True))
    assert {rule for rule in before if before[rule] != after[rule]} == {"OPT-2", "OPT-4", "OPT-6"}
    assert (after["OPT-2"], after["OPT-4"], after["OPT-6"]) == ("23", "9", "20; the 21th")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reference_says_of_the_editions_what_the_engine_counts(book, language):
    assert book.table("editions", language)[1] == book.reference.table_about("OPT-1", language)[1]


@pytest.mark.parametrize("board_id", BOARD_IDS)
def test_the_facts_of_a_board_are_those_of_its_file(book, board_id):
    board, facts = load(board_id), dict(book.facts(board_id, "en"))
    coins = [f"{c.name} {h.coin}" for c in board.cities for h in c.houses if h.coin]
    assert facts["Coins"] == ", ".join(coins)
    assert facts["Taverns"].count("–") == sum(route.tavern for route in board.routes) == 3
    assert facts["On the board"].startswith(
        f"{len(board.cities)} cities, {len(board.routes)} routes"
    )
    assert ("Green cities" in facts) == any(city.green for city in board.cities)
    assert ("Permissions" in facts) == ("Countries" in facts) == bool(board.permissions)
    permanent = [route for route in board.routes if route.permanent]
    assert facts.get("Permanent markers", "").count("*") == 2 * len(permanent)


def test_a_board_that_changes_changes_its_facts(book, monkeypatch):
    changed = dataclasses.replace(load("east"), completed_cities_end=3, prestige_values=(1, 2))
    monkeypatch.setattr(book, "load", lambda _: changed)
    facts = dict(book.facts("east", "en"))
    assert facts["Ends with"] == "3 completed cities"
    assert facts["Prestige city"] == "Königsberg (1 / 2)"


def test_the_worked_account_is_the_games_own(book):
    assert book.table("account", "en")[1] == [
        ["On the track", "14"],
        ["Full skills", "8"],
        ["Markers", "6"],
        ["Prestige", "9"],
        ["Cities", "8"],
        ["Network", "28"],
        ["**Total**", "**73**"],
    ]
    assert "A 14 + B 8 + C 6 + D 9 + E 8 + F 28 = 73" in book.reference.example("EX-21", "en")[1]


def test_every_picture_is_used_and_the_same_in_all_languages(book):
    import page_book

    shown: set[str] = set()
    for language in LANGUAGES:
        reference = book.reference.source(language).read_text("utf-8")
        texts = (page_book.text_of(language), reference)
        shown |= {name for text in texts for name in page_book.named_in(text, "picture", "steps")}
    assert shown == set(book.pictures())
    for name in sorted(shown):
        drawn = [book.frames(name, language) for language in LANGUAGES]
        assert len({tuple(part.view for part in parts) for parts in drawn}) == 1, name
        if not book.has_words(name):
            seen = {
                "".join(page_book.NOT_FOR_PAGES.sub("", p.markup()) for p in parts)
                for parts in drawn
            }
            assert len(seen) == 1, name


def test_what_the_page_gets_has_words_in_its_language(book):
    import page_book

    said = {one: json.dumps(page_book.language_data(one), ensure_ascii=False) for one in LANGUAGES}
    assert "Swap offices" not in said["de"] + said["ja"]
    assert "Vorrat" in said["de"]
    assert "ストック" in said["ja"]


def test_what_does_not_exist_is_said(book):
    with pytest.raises(KeyError, match="NONE-1 has no table"):
        book.table("NONE-1", "en")
    with pytest.raises(KeyError, match="EX-99 is no example"):
        book.reference.example("EX-99", "en")
