"""Touches as the device sends them, and a person who plays a whole game by nothing else."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tests.browser.player import Player

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Locator, Page

__all__ = ["PHONE", "SIDEWAYS", "Fingers", "Point", "Thumb"]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SIDEWAYS = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True}

Point = tuple[float, float]


class Fingers:
    """Touches through the browser's own protocol: they pass everything that real ones pass."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.time = time.time()

    def send(self, kind: str, *points: Point) -> None:
        """A touch a fiftieth of a second after the one before, however busy the machine is."""
        touches = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        self.time += 0.02
        event = {"type": kind, "touchPoints": touches, "timestamp": self.time}
        self.session.send("Input.dispatchTouchEvent", event)

    def drag(self, start: Point, end: Point, steps: int = 12) -> None:
        self.send("touchStart", start)
        for i in range(1, steps + 1):
            share = i / steps
            self.send("touchMove", between(start, end, share))
        # The finger rests before it goes: after a throw the browser would take the next tap for its end.
        for x in (end[0] + 0.5, end[0]):
            self.rest()
            self.send("touchMove", (x, end[1]))
        self.send("touchEnd")

    def pinch(self, middle: Point, apart: float, then: float) -> None:
        x, y = middle
        self.send("touchStart", (x - apart / 2, y))
        self.send("touchStart", (x - apart / 2, y), (x + apart / 2, y))
        for i in range(1, 11):
            half = (apart + (then - apart) * i / 10) / 2
            self.send("touchMove", (x - half, y), (x + half, y))
        self.send("touchEnd")

    def rest(self) -> None:
        """A moment as anybody takes it between two gestures: two taps are no double tap then."""
        self.time = max(self.time + 0.4, time.time())

    def tap(self, at: Point) -> None:
        self.send("touchStart", at)
        self.send("touchEnd")


def between(a: Point, b: Point, share: float) -> Point:
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


WHERE = """(thing) => {
  const r = (thing.querySelector?.('.hit:last-of-type') ?? thing).getBoundingClientRect()
  const [x, y] = [r.x + r.width / 2, r.y + r.height / 2]
  const on = document.elementFromPoint(x, y)
  const c = document.querySelector('.canvas').getBoundingClientRect()
  const free = Boolean(on && (thing.contains(on) || on.closest('svg.board')))
  return {at: [x, y], free, canvas: [c.x, c.y, c.width, c.height]}
}"""


class Thumb(Player):
    """Taps and drags alone: what is out of sight is brought into sight first."""

    def __init__(self, page: Page, game: str) -> None:
        super().__init__(page, game)
        self.fingers = Fingers(page)

    def press(self, thing: Locator) -> None:
        thing.wait_for()
        thing.scroll_into_view_if_needed()
        box = thing.bounding_box()
        assert box, "nothing to tap on"
        self.fingers.rest()
        self.fingers.tap((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))

    def _click(self, key: str) -> None:
        thing = self.target(key)
        thing.wait_for(state="attached")
        for _ in range(12):
            found = thing.evaluate(WHERE)
            if found["free"]:
                self.fingers.rest()
                self.fingers.tap(tuple(found["at"]))
                return
            self._bring(found)
        raise AssertionError(f"{key} could not be brought into sight")

    def _bring(self, found: dict[str, Any]) -> None:
        """Drags the board so that the thing comes towards its middle."""
        x, y, w, h = found["canvas"]
        middle = (x + w / 2, y + h / 2)
        most = (w / 2 - 12, h / 2 - 12)
        way = [max(-m, min(m, c - t)) for m, c, t in zip(most, middle, found["at"], strict=True)]
        start = (middle[0] - way[0] / 2, middle[1] - way[1] / 2)
        self.fingers.rest()
        self.fingers.drag(start, (start[0] + way[0], start[1] + way[1]))

    def open_list(self) -> None:
        self.press(self.page.locator(".strip .list"))
