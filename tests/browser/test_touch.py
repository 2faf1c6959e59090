"""Fingers on the board, as the device sends them: drag, pinch, double tap, a thumb beside a post, the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.browser.fingers import PHONE, SIDEWAYS, Fingers, Point
from tests.browser.player import call, create, state, until

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.browser.conftest import OpenPage


def table(open_page: OpenPage, device: dict[str, Any], **more: Any) -> tuple[Page, Fingers, str]:
    page = open_page(**device)
    game = create(page, **more)
    page.goto(f"/g/{game}")
    page.locator(".target").first.wait_for(state="attached")
    return page, Fingers(page), game


PLACES = """() => { const r = document.querySelector('.canvas').getBoundingClientRect()
  return {frame: [r.x, r.y, r.width, r.height], posts: Object.fromEntries([...document.querySelectorAll('.target.post')].map((t) => {
    const b = t.querySelector('.hit').getBoundingClientRect()
    return [t.dataset.key, [b.x + b.width / 2, b.y + b.height / 2]] }))} }"""


def middle(page: Page) -> Point:
    """A place in the middle of the board where nothing can be chosen, and no button floats."""
    x, y, w, h = page.evaluate(PLACES)["frame"]
    found = page.evaluate(
        """([x, y, w, h]) => { for (let dy = 0; dy < h / 3; dy += 7) for (let dx = 0; dx < w / 4; dx += 7)
            for (const [px, py] of [[x + w / 2 + dx, y + h / 2 + dy], [x + w / 2 - dx, y + h / 2 - dy]]) {
              const far = [...document.querySelectorAll('.target .hit')].every((t) => { const b = t.getBoundingClientRect()
                return Math.hypot(b.x + b.width / 2 - px, b.y + b.height / 2 - py) > 30 })
              const on = document.elementFromPoint(px, py)
              if (far && on?.closest('svg.board') && !on.closest('.target')) return [px, py] } }""",
        [x, y, w, h],
    )
    assert found
    return (found[0], found[1])


def offset(before: dict[str, Point], after: dict[str, Point]) -> Point:
    key = next(iter(before.keys() & after.keys()))
    return (after[key][0] - before[key][0], after[key][1] - before[key][1])


@pytest.mark.parametrize("device", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
def test_one_finger_moves_the_board_exactly_with_it(
    open_page: OpenPage, device: dict[str, Any]
) -> None:
    """Also where the finger lands on a post: its own capture must not end the drag."""
    page, fingers, _ = table(open_page, device)
    places = page.evaluate(PLACES)
    x, y, w, h = places["frame"]
    start = min(
        places["posts"].values(),
        key=lambda p: abs(p[0] - x - w / 2) + abs(p[1] - y - h / 2),
    )
    for dx, dy in ((-50, -40), (35, 60)):
        before = page.evaluate(PLACES)["posts"]
        fingers.drag(tuple(start), (start[0] + dx, start[1] + dy))
        moved = offset(before, page.evaluate(PLACES)["posts"])
        assert moved[0] == pytest.approx(dx, abs=1)
        assert moved[1] == pytest.approx(dy, abs=1)
    assert page.locator(".card").count() == 0, "a drag chooses nothing"


def test_two_fingers_zoom_around_the_place_between_them(open_page: OpenPage) -> None:
    page, fingers, _ = table(open_page, PHONE)
    at = middle(page)
    before = page.evaluate(PLACES)["posts"]
    fingers.pinch(at, 80, 128)
    after = page.evaluate(PLACES)["posts"]
    for key in before:
        for axis in (0, 1):
            wanted = at[axis] + (before[key][axis] - at[axis]) * 1.6
            assert after[key][axis] == pytest.approx(wanted, abs=2), key


def test_a_double_tap_shows_the_whole_board_and_comes_back(open_page: OpenPage) -> None:
    page, fingers, _ = table(open_page, PHONE)
    whole = "() => Number(document.querySelector('svg.board').getAttribute('viewBox').split(' ')[2]) >= 998"
    assert not page.evaluate(whole)
    at = middle(page)
    fingers.tap(at)
    fingers.tap(at)
    until(page, whole)
    at = middle(page)
    fingers.tap(at)
    fingers.tap(at)
    until(page, f"() => !({whole})()")


def test_there_is_a_way_back_from_the_whole_board(open_page: OpenPage) -> None:
    page, _, _ = table(open_page, PHONE)
    before = page.evaluate(PLACES)["posts"]
    page.locator('[data-tool="whole"]').tap()
    page.get_by_role("button", name="Back to the part seen before").tap()
    assert offset(before, page.evaluate(PLACES)["posts"]) == (0, 0)


def test_a_thumb_beside_a_post_means_the_nearest_one(open_page: OpenPage) -> None:
    """Forty pixels are enough for every choice: 19 beside its middle it is still the one chosen."""
    page, fingers, _ = table(open_page, PHONE)
    places = page.evaluate(PLACES)
    x, y, w, h = places["frame"]
    key, at = next(
        (k, p)
        for k, p in places["posts"].items()
        if x + 70 < p[0] < x + w - 130 and y + 170 < p[1] < y + h - 60
    )
    fingers.tap((at[0] - 13, at[1] + 13))
    confirm = page.locator(".card [data-confirm]")
    confirm.wait_for()
    nearest = min(
        places["posts"].items(),
        key=lambda item: (item[1][0] - at[0] + 13) ** 2 + (item[1][1] - at[1] - 13) ** 2,
    )[0]
    assert nearest.removeprefix("post:") in (confirm.get_attribute("data-confirm") or "")
    assert key in places["posts"]


def decide(page: Page, game: str, decision: str) -> None:
    number = state(page, game)["number"]
    answer = call(page, "POST", f"/games/{game}/act", {"number": number, "decision": decision})
    assert "code" not in answer, answer


def test_the_view_stays_with_the_piece_in_hand(open_page: OpenPage) -> None:
    """Lifting a piece leaves the whole board open for it; the view does not run away to show that."""
    page = open_page(**PHONE)
    game = create(page)
    decide(page, game, "place t groningen-emden/1")
    page.goto(f"/g/{game}")
    page.locator('.target[data-key="post:groningen-emden/1"]').wait_for(state="attached")
    page.locator('[data-tool="whole"]').tap()
    page.locator('[data-tool="whole"]').tap()
    box = page.locator("svg.board").get_attribute("viewBox")
    decide(page, game, "lift groningen-emden/1")
    page.locator(".waiting").wait_for(state="attached")
    held = page.locator(".waiting").first.bounding_box()
    canvas = page.locator(".canvas").bounding_box()
    assert held
    assert canvas
    inside = canvas["x"] <= held["x"] <= canvas["x"] + canvas["width"]
    assert inside
    assert canvas["y"] <= held["y"] <= canvas["y"] + canvas["height"]
    if page.locator("svg.board").get_attribute("viewBox") != box:
        page.locator('[data-tool="back"]').tap()
        assert page.locator("svg.board").get_attribute("viewBox") == box
