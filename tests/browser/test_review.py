"""After a game: its review, the better turn tried on the board; puzzles and studies."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.browser.conftest import OpenPage
from tests.browser.player import GAMES, call, until
from tests.browser.test_access import in_both_themes, violations

import hansa
from hansa.bots import puzzles


def short(page: Page, decisions: int = 9) -> str:
    """A game that ended after a few turns, as a table."""
    game = hansa.Game.from_record((GAMES / "hansa-23-3-bigbox-102.hansa").read_text())
    while len(game.history) > decisions:
        game.undo()
    return str(call(page, "POST", "/records", {"record": game.record()})["id"])


def test_a_game_is_reviewed_and_tried_otherwise(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1280, "height": 720})
    game = short(page)
    page.goto(f"/g/{game}#review")
    page.get_by_role("button", name="Review the game").click()
    page.get_by_role("img", name="Chance to win, turn by turn").wait_for(timeout=240_000)
    assert in_both_themes(page) == [], "the review under the result"
    # Everybody else finds it there, without asking again.
    other = open_page(f"/g/{game}#review", viewport={"width": 360, "height": 640})
    other.get_by_role("img", name="Chance to win, turn by turn").wait_for()
    assert other.evaluate("document.documentElement.scrollWidth") <= 360
    # Beside the board the turn is judged; a study of it is played by the usual gestures.
    page.get_by_role("button", name="Replay").click()
    page.get_by_role("tab", name="Review").wait_for()
    page.get_by_role("heading", name="Turn 1, p1:").wait_for()
    assert violations(page, ".sidepanel") == [], "the review beside the board"
    page.goto(f"/#/study/{game}/0")
    page.get_by_role("link", name="Back to the game").wait_for()
    assert violations(page, board=False) == [], "a study"
    page.locator('.target[data-key="post:groningen-emden/1"]').click()
    until(page, "document.querySelector('main').dataset.number === '1'")
    page.keyboard.press("u")
    until(page, "document.querySelector('main').dataset.number === '0'")
    page.get_by_role("link", name="Back to the game").click()
    page.get_by_role("tab", name="Review").wait_for()
    # Whatever is advised for one position goes when it is left.
    page.keyboard.press("ArrowRight")
    until(page, "location.hash === '#1'")
    expect(page.locator(".arrows g")).to_have_count(0)
    assert call(page, "GET", f"/games/{game}")["number"] == 9, "nothing of it was kept"


def test_a_puzzle_is_solved_on_the_board(open_page: OpenPage) -> None:
    one = next(iter(puzzles.load().values()))
    steps = [step.partition("> ") for step in one.turn]
    own = [text for player, _, text in steps if player == one.game().player]
    page = open_page("/#/puzzles")
    page.get_by_role("heading", name="Puzzles").wait_for()
    page.locator(f'a.cell[href="/#/puzzles/{one.id}"]').wait_for()
    assert in_both_themes(page) == [], "the list of puzzles"
    page.goto(f"/#/puzzles/{one.id}")
    page.get_by_role("heading", name="Find your best turn").wait_for()
    assert violations(page, ".sidepanel") == [], "a puzzle"
    # With actions left the end asks for a second word.
    page.get_by_role("button", name="End turn").click()
    page.locator('[data-confirm="end"]').click()
    page.get_by_text("Not the best turn.").wait_for()
    page.get_by_role("button", name="Try again").click()
    until(page, "document.querySelector('main').dataset.number === '0'")
    for decision in own:
        number = int(page.locator("main").get_attribute("data-number") or 0)
        page.get_by_role("button", name="All choices").click()
        page.locator(f'dialog [data-decision="{decision}"]').click()
        until(page, f"Number(document.querySelector('main').dataset.number) > {number}")
    page.get_by_text("Right!").wait_for()
    assert violations(page, ".sidepanel") == [], "a puzzle that is solved"
    # What was solved is remembered, also after a reload.
    page.get_by_role("link", name="All puzzles").click()
    page.reload()
    page.locator(f'a.solved[href="/#/puzzles/{one.id}"]').wait_for()
