"""The bar of actions is whole on every screen and in every language; names can be read; the column opens in place."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.browser.conftest import OpenPage
from tests.browser.player import Player, call, create, state, until

from hansa.svg.data import board_data

SIZES = [
    (360, 640),
    (390, 844),
    (640, 360),
    (667, 375),
    (740, 360),
    (844, 390),
    (1024, 768),
    (1280, 720),
    (1280, 800),
    (1440, 900),
    (3840, 2160),
]
# 1280 × 720, 1280 × 800 and 1440 × 900 at 200 %: half as many pixels each way, each twice as large.
ENLARGED = [(640, 360), (640, 400), (720, 450)]

CUT = """() => {
  const bar = [...document.querySelectorAll('.verbs button, .bottom button')].filter((b) => b.offsetParent)
  const found = []
  for (const button of bar) {
    const name = button.dataset.verb || button.dataset.decision || button.getAttribute('aria-label') || button.innerText
    const r = button.getBoundingClientRect()
    if (r.left < 0 || r.top < 0 || r.right > innerWidth + 0.5 || r.bottom > innerHeight + 0.5)
      found.push(`${name}: outside, ${Math.round(r.left)}–${Math.round(r.right)}, ${Math.round(r.top)}–${Math.round(r.bottom)}`)
    // Round corners are not part of a button; on very large screens it is drawn enlarged.
    const inset = 4.5 * (r.width / button.offsetWidth)
    for (const [x, y] of [[r.left + r.width / 2, r.top + r.height / 2], [r.left + inset, r.top + inset],
      [r.right - inset, r.top + inset], [r.left + inset, r.bottom - inset], [r.right - inset, r.bottom - inset]]) {
      const on = document.elementFromPoint(x, y)
      if (!button.contains(on)) found.push(`${name}: covered by ${on?.className || on?.tagName}`)
    }
    const words = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
    while (words.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(words.currentNode)
      const box = range.getBoundingClientRect()
      if (box.width && (box.left < r.left - 0.5 || box.right > r.right + 0.5 || box.top < r.top - 1 || box.bottom > r.bottom + 1))
        found.push(`${name}: “${words.currentNode.data}” is cut, ${Math.round(box.width)} in ${Math.round(r.width)}`)
    }
  }
  return found
}"""


DECIDING = "async (path) => (await (await fetch(path)).json()).position.legal !== null"


def shown(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    until(page, "([w]) => window.innerWidth === w", [size[0]])
    # Two pictures later every layout has been taken.
    page.evaluate("() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))")


def act(page: Page, game: str, *beginnings: str) -> None:
    """The first legal decisions that begin so, as a program of the same person would send them."""
    for beginning in beginnings:
        until(page, DECIDING, f"/api/games/{game}/state")
        now = state(page, game)
        decision = next(d for d in now["legal"] if d.startswith(beginning))
        call(page, "POST", f"/games/{game}/act", {"number": now["number"], "decision": decision})


def opened(page: Page, game: str) -> None:
    page.goto(f"/g/{game}")
    number = state(page, game)["number"]
    until(page, "(n) => document.querySelector('main.table')?.dataset.number === String(n)", number)
    page.evaluate("() => document.fonts.ready.then(() => true)")


GAMES: dict[str, dict[str, Any]] = {
    "four": {"players": 4},
    "favours": {"players": 4, "setup": {"favours": True, "missions": True}},
    "pawn": {"players": 2, "setup": {"duel": "pawn"}},
    "britannia": {"board": "britannia", "players": 4, "setup": {"border_fee": True}},
}


@pytest.mark.parametrize("language", ["en", "de", "ja"])
@pytest.mark.parametrize("kind", GAMES)
def test_no_button_of_the_bar_is_cut_or_covered(
    open_page: OpenPage, kind: str, language: str
) -> None:
    page = open_page(locale=language)
    game = create(page, **GAMES[kind])
    if kind == "pawn":
        act(page, game, "pawn ")
    act(page, game, "place ")
    opened(page, game)
    page.keyboard.press("u")
    page.locator(".redo:not(:disabled)").wait_for()
    wanted = {"income", "place", "displace", "lift", "establish"}
    wanted |= {"favours": {"favour"}, "pawn": {"pawn", "walk"}, "britannia": {"fee"}}.get(
        kind, set()
    )
    for size in SIZES + ENLARGED:
        shown(page, size)
        assert page.evaluate(CUT) == [], size
        verbs = page.locator("[data-verb]")
        assert {v.get_attribute("data-verb") for v in verbs.all()} == wanted, size
        for always in (".undo:not(.redo)", ".redo", '[data-decision="end"]'):
            assert page.locator(always).count() == 1, (size, always)
    # All of the drawer's tabs are seen: nobody looks for one beyond the edge.
    shown(page, (360, 640))
    page.locator(".grab").click()
    page.locator(".drawer [role=tab]").nth(5).wait_for()
    until(
        page,
        "(() => { const t = document.querySelector('.drawer .tabs'); return t.scrollWidth <= t.clientWidth })()",
    )


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_the_choices_inside_an_action_are_whole_too(open_page: OpenPage, language: str) -> None:
    """With both shapes in supply a displacement asks which one pays."""
    page = open_page(locale=language)
    seats = [{"kind": "me", "name": name} for name in ("Alheyd", "Bertram")]
    game = create(page, players=2, seats=seats, setup={"duel": "neutral"})
    act(page, game, "place t ", "end", "displace t ")
    assert state(page, game)["phase"] == "pay"
    opened(page, game)
    for size in SIZES + ENLARGED:
        shown(page, size)
        assert page.locator('[data-decision^="pay "]').count() == 2
        assert page.evaluate(CUT) == [], size


HEAD = """(words) => {
  const text = document.querySelector('header .prompt .text')
  text.textContent = words
  const bar = document.querySelector('header').getBoundingClientRect()
  return {cut: text.scrollHeight > text.clientHeight + 1, inside: bar.left >= -0.5 && bar.right <= innerWidth + 0.5}
}"""
LONG_WORDS = (
    "Du wurdest verdrängt: Setze die verdrängte Figur und 2 weitere auf freie Posten benachbarter "
    "Handelsstraßen."
)


def test_the_words_above_the_board_are_whole_beside_a_clock(open_page: OpenPage) -> None:
    page = open_page(locale="de")
    clock = {"bank": 3600, "increment": 5, "consequence": "bot"}
    opened(page, create(page, players=4, clock=clock))
    for size in [(1000, 700), (1024, 768), (1280, 720), (2560, 1440), (3840, 2160)]:
        shown(page, size)
        assert page.evaluate(HEAD, LONG_WORDS) == {"cut": False, "inside": True}, size


def test_on_a_phone_held_sideways_the_board_has_its_share(open_page: OpenPage) -> None:
    page = open_page()
    game = create(page, players=5)
    opened(page, game)
    for size in [(640, 360), (667, 375), (740, 360), (844, 390)]:
        shown(page, size)
        board = page.locator(".canvas").bounding_box()
        assert board
        assert board["height"] >= size[1] - 1
        assert board["width"] >= 0.55 * size[0]
        players = page.locator(".scores li button").all()
        assert len(players) == 5
        for button in players:
            box = button.bounding_box()
            assert box
            assert box["x"] + box["width"] <= size[0] + 0.5


NAMES = """() => [...document.querySelectorAll('.board svg.board text')].filter((x) => x.textContent.trim())
  .map((x) => [x.textContent, x.getAttribute('class') || '', parseFloat(getComputedStyle(x).fontSize) * x.getScreenCTM().a])"""


def test_britannia_is_as_large_as_the_window_allows(open_page: OpenPage) -> None:
    """No city's name under 11 pixels, no plaque's figure under 9."""
    page = open_page(viewport={"width": 1440, "height": 900})
    game = create(page, board="britannia", players=4)
    opened(page, game)
    found = page.evaluate(NAMES)
    names = [size for _, kind, size in found if kind.startswith("name")]
    figures = [size for _, kind, size in found if kind.startswith(("num", "tick"))]
    assert len(names) == len(board_data("britannia-45")["cities"])
    assert min(names) >= 11
    assert min(figures) >= 8.5
    board = page.locator("svg.board").bounding_box()
    assert board
    assert board["height"] >= 900 - 56 - 28, "the board has the whole height"


def test_side_tabs_open_where_they_are_and_the_panel_can_be_tall(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1440, "height": 900})
    game = create(page, players=5)
    opened(page, game)
    panel = page.locator(".sidepanel")
    before = panel.bounding_box()
    cards = page.locator("article.card").count()
    for tab in ("score", "chat", "advice", "log"):
        page.locator(f'[data-tab="{tab}"]').click()
        assert page.locator("#tabpanel").count() == 1
        assert panel.bounding_box() == before
        assert page.locator("article.card:visible").count() == cards
    assert before
    page.get_by_role("button", name="Taller").click()
    tall = panel.bounding_box()
    assert tall
    assert tall["height"] > 780
    page.get_by_role("button", name="Shorter again").click()
    assert panel.bounding_box() == before


def test_pins_of_equal_scores_stand_on_each_other(open_page: OpenPage) -> None:
    page = open_page()
    game = create(page, players=5)
    opened(page, game)
    pins = [pin.bounding_box() for pin in page.locator(".pin").all()]
    assert len(pins) == 5
    assert len({round(pin["x"]) for pin in pins if pin}) == 1
    heights = sorted(pin["y"] for pin in pins if pin)
    assert all(b - a > 5 for a, b in itertools.pairwise(heights))


def test_every_decision_can_be_made_on_a_phone_held_sideways(open_page: OpenPage) -> None:
    """A few turns by touch, with nothing but what is seen there."""
    page = open_page(
        viewport={"width": 740, "height": 360},
        has_touch=True,
        is_mobile=True,
        device_scale_factor=2,
    )
    game = create(page, players=3)
    page.goto(f"/g/{game}")
    player = Player(page, game)
    page.locator('[data-tool="whole"]').tap()
    for _ in range(8):
        now = player.wait_for_turn()
        assert now is not None
        player.decide(player.advice(now), now)
    assert page.evaluate(CUT) == []
