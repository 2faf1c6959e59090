"""Whole games against machines, played by clicking."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import OpenPage
from tests.browser.fingers import PHONE, SIDEWAYS, Thumb
from tests.browser.player import Player, call, create

# A whole game is some hundred clicks; on a busy machine each may take its time.
pytestmark = pytest.mark.timeout(900)


# Set-ups in which machines of this kind come to the end after some fifty decisions of one's own.
GAMES: dict[str, dict[str, Any]] = {
    "hansa-23": {"board": "hansa", "players": 3, "setup": {"seed": 1}},
    "hansa-45": {"board": "hansa", "players": 4, "setup": {"seed": 4}},
    "east": {"board": "east", "players": 3, "setup": {"seed": 10}},
    "britannia-23": {"board": "britannia", "players": 3, "setup": {"seed": 8}},
    "britannia-45": {"board": "britannia", "players": 4, "setup": {"seed": 4}},
    "pawn duel": {"board": "hansa", "players": 2, "setup": {"duel": "pawn", "seed": 10}},
    "neutral duel": {"board": "hansa", "players": 2, "setup": {"duel": "neutral", "seed": 4}},
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_to_its_end_by_clicking(open_page: OpenPage, name: str) -> None:
    page = open_page()
    game = create(page, **GAMES[name])
    player = Player(page, game)
    page.goto(f"/g/{game}")
    decisions = player.play_on()
    assert decisions > 10
    page.locator(".accounts").wait_for()
    assert "win" in page.get_by_role("heading", level=1).inner_text()
    result = call(page, "GET", f"/games/{game}")["result"]
    assert result["reason"] in {"prestige", "markers", "cities"}
    shown = page.locator(".accounts ol li strong").all_inner_texts()
    assert sorted(map(int, shown)) == sorted(s["total"] for s in result["scores"].values())
    assert page.get_by_role("img", name="Points, turn by turn").count() == 1
    assert {"place", "end", "establish"} <= player.verbs


@pytest.mark.parametrize("device", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
def test_a_game_is_played_to_its_end_by_touch(open_page: OpenPage, device: dict[str, Any]) -> None:
    """Nothing but fingers on the glass, as the device sends them: what is out of sight is dragged into it."""
    page = open_page(**device)
    game = create(page, **GAMES["britannia-45"])
    player = Thumb(page, game)
    page.goto(f"/g/{game}")
    assert player.play_on() > 10
    page.locator(".accounts").wait_for()
    assert call(page, "GET", f"/games/{game}")["result"]["reason"] in {
        "prestige",
        "markers",
        "cities",
    }
    assert {"place", "end", "establish"} <= player.verbs


def test_two_clicks_start_a_game(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("button", name="Play now").click()
    page.locator("main.table").wait_for()
    assert "/g/" in page.url


def test_the_form_opens_the_table_it_shows(open_page: OpenPage) -> None:
    page = open_page("/#/new")
    page.get_by_text("East", exact=False).first.wait_for()
    page.locator("label", has=page.locator('input[name=players][value="3"]')).click()
    page.locator("label.board", has_text="Eastern").click()
    missions = page.get_by_role("switch", name="Missions")
    expect(missions).to_be_disabled()
    page.get_by_role("button", name="Start the game").click()
    page.locator("main.table").wait_for()
    assert page.locator("article.card").count() == 2
