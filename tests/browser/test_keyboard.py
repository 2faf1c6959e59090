"""A whole game with nothing but keys, from the start page to the final score."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route
from tests.browser.conftest import OpenPage
from tests.browser.player import Player, create, until

pytestmark = pytest.mark.timeout(900)
ARROWS = ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")


def tab_to(page: Page, words: str) -> None:
    """Goes through the page with the Tab key to the control that begins with these words."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("words => document.activeElement?.innerText?.startsWith(words)", words):
            return
    raise AssertionError(f"{words!r} is not reached with Tab")


def from_the_list(player: Player, text: str) -> None:
    """L, the decision's own words, Enter."""
    page = player.page
    page.keyboard.press("l")
    page.locator("dialog input").wait_for()
    page.keyboard.type(text)
    page.locator(f'dialog [data-decision="{text}"]').wait_for()
    page.keyboard.press("Enter")


def income(player: Player) -> None:
    """I, and Enter where traders or merchants are to be chosen."""
    before, page = player.shown(), player.page
    page.keyboard.press("i")
    until(
        page,
        """before => document.activeElement?.dataset.confirm === 'income'
            || document.querySelector('main.table').dataset.number !== String(before)""",
        before,
    )
    if player.shown() == before:
        page.keyboard.press("Enter")


def end_turn(player: Player, left: int) -> None:
    page = player.page
    page.keyboard.press("f")
    if left:
        confirm = page.locator('[data-confirm="end"]')
        confirm.wait_for()
        tab_to(page, "End turn")
        page.keyboard.press("Enter")


def decide(player: Player, text: str, now: dict[str, object]) -> None:
    verb = text.split(maxsplit=1)[0]
    player.verbs.add(verb)
    if verb == "end":
        end_turn(player, int(str(now["actions_left"])))
    elif verb == "income" and "income" not in player.done:
        player.done.add("income")
        income(player)
    else:
        from_the_list(player, text)
    player._wait_past(int(str(now["number"])))


def hurry(route: Route) -> None:
    """The same table, but its machines answer at once and the seed is a short game's."""
    wish: dict[str, Any] = route.request.post_data_json or {}
    route.continue_(
        post_data={**wish, "bot_delay": 0, "setup": {**wish["setup"], "seed": 4}, "order": "fixed"}
    )


def test_a_game_by_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page()
    page.route("**/api/games", hurry)
    page.get_by_role("button", name="Play now").wait_for()
    tab_to(page, "Play now")
    page.keyboard.press("Enter")
    page.locator("main.table").wait_for()
    found = re.search(r"/g/(\w+)", page.url)
    assert found
    player = Player(page, found[1])
    page.reload()
    for _ in range(400):
        now = player.wait_for_turn()
        if now is None:
            break
        decide(player, player.advice(now), now)
    page.locator(".accounts").wait_for()
    assert "win" in page.get_by_role("heading", level=1).inner_text()
    assert {"place", "end", "establish"} <= player.verbs


def test_arrows_go_from_place_to_place(open_page: OpenPage) -> None:
    page = open_page()
    game = create(page)
    page.goto(f"/g/{game}")
    player = Player(page, game)
    player.wait_for_turn()
    page.keyboard.press("p")
    seen = set()
    for arrow in ARROWS:
        page.keyboard.press(arrow)
        page.locator(".target:focus").wait_for(state="attached")
        seen.add(page.evaluate("document.activeElement.dataset.key"))
    assert len(seen) >= 3
    # What was chosen is gone: the focus is with the next thing that can be, and its preview comes.
    with page.expect_response(lambda answer: "/preview?number=1" in answer.url):
        page.keyboard.press("Enter")
        player._wait_past(0)
        until(page, "document.activeElement.matches('.target.post')")
    page.keyboard.press("u")
    page.locator(".line", has_text="took back 1 decision").wait_for()
    page.keyboard.press("r")
    until(page, "document.querySelector('main.table').dataset.number === '1'")


def test_the_help_opens_with_a_question_mark(open_page: OpenPage) -> None:
    page = open_page()
    game = create(page)
    page.goto(f"/g/{game}")
    page.locator(".target").first.wait_for(state="attached")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys and help").wait_for()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0
