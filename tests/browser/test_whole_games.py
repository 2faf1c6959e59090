"""Whole games against machines, played by clicking."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import OpenPage
from tests.browser.player import Player, create

# A whole game is some hundred clicks; on a busy machine each may take its time.
pytestmark = pytest.mark.timeout(900)


@pytest.mark.parametrize(
    ("board", "players"),
    [("hansa", 4), ("east", 3), ("britannia", 4)],
    ids=["hansa", "east", "britannia"],
)
def test_a_game_is_played_to_its_end_by_clicking(
    open_page: OpenPage, board: str, players: int
) -> None:
    page = open_page()
    game = create(page, board=board, players=players, setup={"seed": 5})
    player = Player(page, game)
    page.goto(f"/g/{game}")
    decisions = player.play_on()
    assert decisions > 10
    page.get_by_role("heading", level=1).wait_for()
    assert "win" in page.get_by_role("heading", level=1).inner_text()
    assert page.locator(".accounts ol li").count() == players
    assert page.get_by_role("img", name="Points, turn by turn").count() == 1


@pytest.mark.parametrize("duel", ["pawn", "neutral"])
def test_two_player_modes(open_page: OpenPage, duel: str) -> None:
    page = open_page()
    game = create(page, players=2, setup={"duel": duel, "seed": 3})
    player = Player(page, game)
    page.goto(f"/g/{game}")
    for _ in range(40):
        now = player.wait_for_turn()
        if now is None:
            break
        player.decide(player.advice(now), now)
    assert "place" in player.verbs


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
    page.get_by_role("button", name="Open the table").click()
    page.locator("main.table").wait_for()
    assert page.locator("article.card").count() == 2
