"""The lesson is gone through whole, by clicking, in every language."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from tests.browser.conftest import OpenPage
from tests.browser.player import Player, create, until

STEPS = 18


def step(page: Page) -> int:
    value = page.locator(".tutor progress").get_attribute("value")
    return int(value or 0)


def read_on(page: Page) -> None:
    """Leaves what is only to be read; tasks stay."""
    button = page.locator(".tutor .btn.primary")
    while button.count() and step(page) < STEPS - 1:
        before = step(page)
        button.click()
        moved = "before => Number(document.querySelector('.tutor progress').value) !== before"
        until(page, moved, before)


def test_the_start_page_leads_into_the_lesson(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("button", name="Learn in ten minutes").click()
    page.get_by_text("Welcome. You are a merchant").wait_for()
    page.reload()
    page.get_by_text("Welcome. You are a merchant").wait_for()


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_the_whole_lesson(open_page: OpenPage, language: str) -> None:
    page = open_page(locale=language)
    game = create(page, players=3, name="Tutorial", setup={"seed": 14})
    page.goto(f"/g/{game}")
    page.locator(".tutor").wait_for()
    assert step(page) == 0
    read_on(page)
    assert step(page) == 3, "the first task waits to be done"
    player = Player(page, game)
    player.decide("place t groningen-emden/1", player.wait_for_turn())
    player.decide("place t groningen-emden/2", player.wait_for_turn())
    player.decide("end", player.wait_for_turn())
    said = {page.locator(".tutor .words").inner_text()}
    for _ in range(80):
        read_on(page)
        said.add(page.locator(".tutor .words").inner_text())
        now = player.wait_for_turn()
        if now is None or step(page) >= 14:
            break
        player.decide(player.advice(now), now)
    read_on(page)
    assert step(page) >= 14, "office and skill were gained by playing"
    page.locator(".tutor a").wait_for()
    if page.locator(".tutor .btn.quiet").count():
        # Nobody need stand in the way in a game among gentle machines: displacing may be skipped.
        page.locator(".tutor .btn.quiet").click()
    read_on(page)
    assert step(page) == STEPS - 1
    page.locator(".tutor .btn.primary").click()
    assert page.locator(".tutor").count() == 0
    assert len(said) > 5
