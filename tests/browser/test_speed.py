"""Quick and still: how long an answer takes, that nothing jumps, that a long chronicle scrolls.

The limits are far above what a quiet machine needs: they catch a fault, not a busy neighbour.
"""

from __future__ import annotations

from tests.browser.conftest import OpenPage
from tests.browser.player import Player, create, upload

WATCH = """
window.shifted = 0
new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) window.shifted += e.value }).observe({ type: 'layout-shift', buffered: true })
"""
FRAME = "await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def test_a_click_is_answered_at_once_and_nothing_jumps(open_page: OpenPage) -> None:
    page = open_page()
    page.add_init_script(WATCH)
    game = create(page)
    page.goto(f"/g/{game}")
    player = Player(page, game)
    player.wait_for_turn()
    waited = page.evaluate(
        f"""async () => {{
          const hit = document.querySelector('.target.post:not(.quiet) .hit')
          const start = performance.now()
          hit.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))
          {FRAME}
          return [performance.now() - start, document.querySelectorAll('.sent, .target').length]
        }}"""
    )
    assert waited[0] < 1500
    player._wait_past(0)
    player.decide("end", player.wait_for_turn())
    player.wait_for_turn()
    assert page.evaluate("window.shifted") < 0.05


def test_a_long_chronicle_scrolls(open_page: OpenPage) -> None:
    page = open_page()
    game = upload(page, "britannia-45-4-classic-194")
    page.goto(f"/g/{game}#3")
    page.get_by_role("tab", name="Chronicle").click()
    page.locator(".chronicle .line").first.wait_for()
    lines, frames = page.evaluate(
        """async () => {
          const list = document.querySelector('.chronicle ol')
          const frames = []
          let last = performance.now()
          for (let i = 0; i < 60; i++) {
            list.scrollTop = i * 120
            await new Promise((done) => requestAnimationFrame(done))
            frames.push(performance.now() - last)
            last = performance.now()
          }
          return [list.querySelectorAll('.line').length, frames.sort((a, b) => a - b)]
        }"""
    )
    assert lines > 100
    assert frames[len(frames) // 2] < 250
