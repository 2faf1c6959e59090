"""axe-core at the table and at the end; the end's doors. The pages beside the table: test_site."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page
from tests.browser.conftest import OpenPage
from tests.browser.player import Player, call, create, state

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"


def violations(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found = page.evaluate(
        "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ')))"
    )
    return list(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_table_has_no_barriers(open_page: OpenPage, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    game = create(page, players=4)
    page.goto(f"/g/{game}")
    player = Player(page, game)
    player.decide("place t groningen-emden/1", player.wait_for_turn())
    player.wait_for_turn()
    assert violations(page) == []
    page.keyboard.press("i")
    page.get_by_role("dialog", name="Income").wait_for()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    page.get_by_role("dialog").wait_for()
    assert violations(page) == []


def finish(page: Page, game: str) -> None:
    """Ends a game by giving up in the only way that needs no play: everybody leaves it to the server."""
    page.goto(f"/g/{game}")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog", name="Give up").get_by_role("button", name="Give up").click()


def test_the_end_has_no_barriers_and_its_doors_open(open_page: OpenPage) -> None:
    page = open_page()
    game = create(page)
    player = Player(page, game)
    page.goto(f"/g/{game}")
    while (now := state(page, game)) and not now["over"]:
        if now["legal"] is not None:
            call(
                page,
                "POST",
                f"/games/{game}/act",
                {"number": now["number"], "decision": player.advice(now)},
            )
    page.locator(".accounts").wait_for()
    assert violations(page) == []
    page.get_by_role("button", name="Ask a machine").click()
    page.locator(".opinion").wait_for()
    page.get_by_role("button", name="Replay").click()
    page.locator("main.table").wait_for()
    page.get_by_role("button", name="Score").click()
    page.get_by_role("button", name="Play again").click()
    page.locator("main.table").wait_for()
    assert game not in page.url


def test_giving_up_ends_in_the_score(open_page: OpenPage) -> None:
    page = open_page()
    game = create(page, players=2, setup={"duel": "neutral"})
    finish(page, game)
    page.locator(".accounts").wait_for()
