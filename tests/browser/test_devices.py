"""Phone with touch, keyboard alone, languages, themes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page
from tests.browser.conftest import OpenPage
from tests.browser.player import Player, create

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def overflows(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth + 1"))


def test_on_the_phone_a_tap_chooses_and_the_card_confirms(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    game = create(page)
    page.goto(f"/g/{game}")
    post = page.locator(".target.post:not(.quiet)").first
    post.wait_for(state="attached")
    seen = page.evaluate(
        """() => { const r = document.querySelector('.canvas').getBoundingClientRect()
          return [...document.querySelectorAll('.target.post')].map(t => [t.dataset.key, t.querySelector('.hit').getBoundingClientRect()])
            .filter(([, b]) => b.x > r.x + 20 && b.right < r.right - 120 && b.y > r.y + 160 && b.bottom < r.bottom - 60).map(([k, b]) => [k, b.x + b.width / 2, b.y + b.height / 2]) }"""
    )
    key, x, y = seen[len(seen) // 2]
    page.touchscreen.tap(x, y)
    confirm = page.locator(".card [data-confirm]")
    confirm.wait_for()
    assert key.removeprefix("post:") in (confirm.get_attribute("data-confirm") or "")
    confirm.tap()
    page.get_by_role("button", name="Desk · Players · Chronicle").tap()
    page.get_by_role("tab", name="Chronicle").tap()
    page.get_by_text("placed a trader on").first.wait_for()
    assert not overflows(page)


def test_the_phone_shows_desk_players_and_chronicle(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    game = create(page, players=5)
    page.goto(f"/g/{game}")
    page.get_by_role("button", name="Desk · Players · Chronicle").tap()
    page.get_by_text("Supply", exact=True).wait_for()
    page.get_by_role("tab", name="Players").tap()
    assert page.locator("article.card").count() == 4
    page.get_by_role("button", name="Back to board").last.tap()
    assert page.locator(".drawer").count() == 0


def test_a_game_by_keyboard_alone(open_page: OpenPage) -> None:
    """Nothing but keys from the start page to the last decision of three turns."""
    page = open_page()
    page.get_by_role("button", name="Play now").wait_for()
    page.keyboard.press("Tab")
    for _ in range(12):
        if page.evaluate("document.activeElement?.innerText?.startsWith('Play now')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("main.table").wait_for()
    game = re.search(r"/g/(\w+)", page.url)
    assert game
    player = Player(page, game[1])
    for turn in range(3):
        now = player.wait_for_turn()
        while now is not None and now["phase"] != "turn":
            page.keyboard.press("l")
            page.locator("dialog input").wait_for()
            page.keyboard.press("Enter")
            player._wait_past(now["number"])
            now = player.wait_for_turn()
        assert now is not None
        number = now["number"]
        if turn == 1:
            page.keyboard.press("i")
            page.locator('.card [data-confirm="income"]').wait_for()
            page.keyboard.press("Enter")
        else:
            page.keyboard.press("p")
            page.keyboard.press("ArrowRight")
            page.locator(".target:focus").wait_for(state="attached")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
        player._wait_past(number)
        now = player.wait_for_turn()
        assert now is not None
        page.keyboard.press("f")
        if now["actions_left"]:
            page.locator('[data-confirm="end"]').wait_for()
            page.locator('[data-confirm="end"]').press("Enter")
        player._wait_past(now["number"])


def test_the_help_opens_with_a_question_mark(open_page: OpenPage) -> None:
    page = open_page()
    game = create(page)
    page.goto(f"/g/{game}")
    page.locator(".target").first.wait_for(state="attached")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys and help").wait_for()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


@pytest.mark.parametrize(
    ("language", "play", "prompt"),
    [
        ("de", "Sofort spielen", "Wähle eine Aktion."),
        ("ja", "すぐに遊ぶ", "アクションを選んでください。"),
    ],
)
def test_the_whole_way_in_another_language(
    open_page: OpenPage, language: str, play: str, prompt: str
) -> None:
    page = open_page(locale=language)
    page.get_by_role("button", name=play).wait_for()
    game = create(page)
    page.goto(f"/g/{game}")
    page.get_by_text(prompt).first.wait_for()
    assert page.locator("html").get_attribute("lang") == language
    player = Player(page, game)
    player.decide("place t groningen-emden/1", player.wait_for_turn())
    text = page.locator(".line").last.text_content() or ""
    assert "placed" not in text
    assert "Groningen–Emden" in text
    assert not overflows(page)


@pytest.mark.parametrize("size", [(390, 844), (820, 1180), (1024, 768), (1440, 900), (2560, 1440)])
def test_nothing_runs_over_at_any_size(open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page(viewport={"width": size[0], "height": size[1]}, locale="de")
    page.get_by_role("button", name="Sofort spielen").wait_for()
    assert not overflows(page)
    game = create(page, players=4)
    for path in ("/#/new", f"/g/{game}"):
        page.goto(path)
        page.locator("main").wait_for()
        page.wait_for_timeout(300)
        assert not overflows(page)
    board = page.locator(".canvas").bounding_box()
    assert board
    assert board["width"] * board["height"] > 0.3 * size[0] * size[1], "the board is the hero"


def test_the_dark_theme_follows_the_system_and_the_wish(open_page: OpenPage) -> None:
    page = open_page(color_scheme="dark")
    page.get_by_role("button", name="Play now").wait_for()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.get_by_role("button", name="Theme").click()
    assert page.locator("html").get_attribute("data-theme") == "light"
    page.reload()
    page.get_by_role("button", name="Play now").wait_for()
    assert page.locator("html").get_attribute("data-theme") == "light"
