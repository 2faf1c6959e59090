"""Phone with touch, languages, sizes, themes."""

from __future__ import annotations

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


SMALL = """() => [...document.querySelectorAll('main button, main a, main select, main input, .info button, .info a')]
  .filter((e) => e.offsetParent && !e.matches('.who, [role=tab]')).map((e) => [e.getBoundingClientRect(), e])
  .filter(([r]) => r.width && Math.min(r.width, r.height) < 40).map(([r, e]) => `${e.getAttribute('aria-label') || e.innerText} ${r.width} x ${r.height}`)"""


def test_everything_on_the_phone_is_large_enough_for_a_thumb(open_page: OpenPage) -> None:
    """A player's name is the label of his whole card; the card is what is touched."""
    page = open_page(**PHONE)
    game = create(page, board="hansa", players=4)
    page.goto(f"/g/{game}")
    page.locator(".target").first.wait_for(state="attached")
    assert page.evaluate(SMALL) == []
    board = page.locator(".canvas").bounding_box()
    assert board
    assert board["height"] > 0.55 * 844, "the board is not squeezed"
    page.locator(".grab").tap()
    for tab in page.locator(".drawer [role=tab]").all():
        tab.tap()
        assert page.evaluate(SMALL) == [], tab.inner_text()
    assert not overflows(page)


def test_a_tap_on_anything_explains_it(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    game = create(page)
    page.goto(f"/g/{game}")
    page.locator(".target").first.wait_for(state="attached")
    page.locator('[data-thing="city:minden"]').dispatch_event("click")
    card = page.locator(".info.pinned")
    card.get_by_text("posts are yours; all must be").wait_for()
    box = card.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    card.get_by_role("button", name="Close").tap()
    assert card.count() == 0


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
