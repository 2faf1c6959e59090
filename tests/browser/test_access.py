"""axe-core in every state of the table and at the end; the end's doors. The pages beside the table: test_site."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from playwright.sync_api import Page
from tests.browser.conftest import OpenPage
from tests.browser.player import Player, create, until, upload

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"


def violations(page: Page, within: str = "", *, board: bool = True, only: str = "") -> list[str]:
    """What axe-core finds; pictures of boards that nobody is meant to read are left out.

    The board to play on has thousands of shapes: it need not be read every time.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found = page.evaluate(
        """([within, without, only]) => axe.run({include: [within || 'html'], exclude: ['.hero', '.picture', ...without]}, {resultTypes: ['violations'], ...only})
          .then(r => r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ')))""",
        [within, [] if board else ["svg.board"], {"runOnly": [only]} if only else {}],
    )
    return list(found)


def wear(page: Page, theme: Literal["light", "dark"]) -> None:
    """Changes the theme and waits until every colour has arrived."""
    page.emulate_media(color_scheme=theme)
    until(page, f"document.documentElement.dataset.theme === '{theme}'")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 250)))")


def in_both_themes(page: Page, *, board: bool = False) -> list[str]:
    """Everything by daylight; at night only what the night changes."""
    found = violations(page, board=board)
    wear(page, "dark")
    found += violations(page, board=board, only="color-contrast")
    wear(page, "light")
    return found


def test_no_state_of_the_table_has_barriers(open_page: OpenPage) -> None:
    page = open_page()
    game = create(page, players=4, clock={"bank": 3600, "increment": 5, "consequence": "bot"})
    page.goto(f"/g/{game}")
    player = Player(page, game)
    player.decide("place t groningen-emden/1", player.wait_for_turn())
    player.wait_for_turn()
    assert in_both_themes(page, board=True) == [], "one's own turn"
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("switch", name="Confirm every choice").click()
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    page.keyboard.press("i")
    page.get_by_role("dialog", name="Take 3 traders").wait_for()
    assert violations(page, board=False) == [], "a card"
    page.keyboard.press("Escape")
    page.locator('[data-thing="city:emden"]').dispatch_event("click")
    page.locator(".info .why").wait_for()
    assert in_both_themes(page) == [], "why not"
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    page.get_by_role("tab", name="Score").click()
    assert in_both_themes(page) == [], "score and overlay"
    page.get_by_role("tab", name="Analysis").click()
    page.get_by_label("Which machine").select_option("greedy")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".opinion").first.wait_for()
    assert in_both_themes(page) == [], "analysis"
    page.keyboard.press("l")
    page.get_by_role("dialog").wait_for()
    assert violations(page, board=False) == [], "the list of choices"
    page.keyboard.press("Escape")
    page.keyboard.press("[")
    page.get_by_text("Decision 0 of 1").first.wait_for()
    assert violations(page, board=False) == [], "looking back"


def test_the_phone_has_no_barriers(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    game = create(page, board="britannia", players=5)
    page.goto(f"/g/{game}")
    page.locator(".target").first.wait_for(state="attached")
    assert in_both_themes(page) == [], "the board"
    page.locator(".grab").tap()
    for tab in ("Desk", "Players", "Chronicle"):
        page.locator(".drawer").get_by_role("tab", name=tab).tap()
        assert violations(page, board=False) == [], tab


def finish(page: Page, game: str) -> None:
    """Ends a game by giving up in the only way that needs no play."""
    page.goto(f"/g/{game}")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog", name="Give up").get_by_role("button", name="Give up").click()


def test_the_end_has_no_barriers(open_page: OpenPage) -> None:
    page = open_page()
    game = upload(page)
    page.goto(f"/g/{game}")
    page.locator(".chart svg").wait_for()
    page.get_by_role("button", name="One decision back").click()
    page.locator(".what").wait_for()
    page.get_by_role("button", name="Ask a machine").click()
    page.locator(".opinion").first.wait_for()
    assert in_both_themes(page) == []
    assert page.locator(".picture .arrows g").count() >= 1


def test_giving_up_ends_in_the_score_and_its_doors_open(open_page: OpenPage) -> None:
    page = open_page()
    game = create(page, players=2, setup={"duel": "neutral"})
    finish(page, game)
    page.locator(".accounts").wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    assert download.value.suggested_filename == f"hansa-{game}.txt"
    page.get_by_role("button", name="Replay").click()
    page.locator("main.table").wait_for()
    page.locator(".top").get_by_role("button", name="Score").click()
    page.get_by_role("button", name="Play again").click()
    page.locator("main.table").wait_for()
    assert game not in page.url


def test_what_stands_on_the_board_can_be_heard(open_page: OpenPage) -> None:
    page = open_page()
    game = upload(page)
    page.goto(f"/g/{game}#120")
    page.get_by_text("Decision 120 of").first.wait_for()
    heard = page.get_by_role("list", name="Offices and markers").get_by_role("listitem")
    said = heard.all_inner_texts()
    assert any("house 1: " in words and " (p" in words for words in said)
    assert any("free, " in words and ", for a " in words for words in said), "houses to be had"
    assert any("controlled by " in words for words in said)
    assert any(words.startswith("Markers, ") for words in said)
    pieces = page.get_by_role("list", name="Pieces on the routes").get_by_role("listitem")
    assert " (p" in pieces.first.inner_text()
    assert any(
        "Extra office" in words or "Swap offices" in words or "more actions" in words
        for words in said
    )
    ends = page.get_by_role("list", name="How the game may end").get_by_role("listitem")
    assert "of 20" in ends.first.inner_text()
