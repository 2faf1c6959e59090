"""A newcomer's first half hour: lesson, first game with hints, its review, a first puzzle; every screen kept as a picture.

`HANSA_SHOTS=folder` keeps the pictures there, to be looked at.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.browser.conftest import OpenPage
from tests.browser.fingers import PHONE, Thumb
from tests.browser.player import Player
from tests.browser.test_lesson import STEPS, step

pytestmark = pytest.mark.timeout(1800)
DESKTOP = {"viewport": {"width": 1280, "height": 720}}


class Album:
    """Pictures in the order they were seen."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page, self.folder, self.count = page, folder, 0
        folder.mkdir(parents=True, exist_ok=True)

    def keep(self, name: str) -> None:
        self.count += 1
        self.page.screenshot(path=self.folder / f"{self.count:02}-{name}.png")


def player_of(page: Page, by: type[Player]) -> Player:
    page.locator("main.table").wait_for()
    return by(page, page.url.rpartition("/g/")[2].partition("#")[0])


def read_on(album: Album, player: Player) -> None:
    """Reads what the lesson says, page by page, until it asks for something."""
    button = album.page.locator(".tutor .btn.primary")
    while button.count() and step(album.page) < STEPS - 1:
        album.keep(f"lesson-{step(album.page):02}")
        before = step(album.page)
        player.press(button)
        album.page.locator(f'.tutor progress:not([value="{before}"])').wait_for(state="attached")


def take_the_lesson(album: Album, player: Player) -> None:
    page, skip = album.page, album.page.locator(".tutor .btn.quiet")
    for _ in range(120):
        read_on(album, player)
        if step(page) >= STEPS - 1:
            break
        now = player.wait_for_turn()
        if now is None or (step(page) >= 15 and skip.count()):
            player.press(skip)
            continue
        album.keep(f"lesson-{step(page):02}-task")
        player.decide(player.advice(now), now)
    assert step(page) == STEPS - 1
    page.locator(".tutor .bravo").wait_for()
    album.keep("lesson-end")


def play_a_game(album: Album, player: Player) -> None:
    for count in range(400):
        now = player.wait_for_turn()
        if now is None:
            return
        # The hint brings what it speaks of into sight: whoever taps before misses.
        album.page.get_by_text("A machine thinks").first.wait_for(state="hidden")
        if count < 6 or count % 10 == 0:
            album.keep(f"game-{count:03}-{now['phase']}")
        player.decide(player.advice(now), now)
    raise AssertionError("the game did not end")


@pytest.mark.parametrize(
    ("device", "by"), [(DESKTOP, Player), (PHONE, Thumb)], ids=["desktop", "phone"]
)
def test_the_first_half_hour_of_a_newcomer(
    open_page: OpenPage, tmp_path: Path, device: dict[str, Any], by: type[Player]
) -> None:
    page = open_page(**device)
    shots = Path(os.environ.get("HANSA_SHOTS", tmp_path)) / str(device["viewport"]["width"])
    album = Album(page, shots)
    page.get_by_role("button", name="Learn in ten minutes").wait_for()
    album.keep("start")
    page.get_by_role("button", name="Learn in ten minutes").click()
    take_the_lesson(album, player_of(page, by))
    page.locator(".tutor .btn.primary").click()
    page.locator('[data-tool="hints"][aria-pressed="true"]').wait_for()
    play_a_game(album, player_of(page, by))
    page.locator(".accounts").wait_for()
    album.keep("end")
    page.get_by_role("button", name="Review the game").click()
    page.get_by_role("progressbar").or_(page.locator(".chances")).first.wait_for()
    album.keep("review-working")
    page.get_by_role("img", name="Chance to win, turn by turn").wait_for(timeout=600_000)
    album.keep("review")
    page.get_by_role("button", name="Replay").click()
    page.locator("main.table").wait_for()
    album.keep("review-board")
    page.goto("/#/puzzles")
    page.locator("a.cell").first.wait_for()
    album.keep("puzzles")
    page.locator("a.cell").first.click()
    page.locator("main.table .target").first.wait_for(state="attached")
    album.keep("puzzle")
