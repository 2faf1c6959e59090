"""What the others do can be followed: pace, pause and step, once more since one's last turn, the last decision."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import OpenPage
from tests.browser.player import Player, call, create, state, upload

DEVICES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 720}},
    "phone": {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True},
}


@pytest.mark.parametrize("device", DEVICES)
def test_a_turn_of_machines_is_followed_and_told_again(open_page: OpenPage, device: str) -> None:
    page = open_page(machines="calm", **DEVICES[device])
    game = create(page)
    page.goto(f"/g/{game}")
    player = Player(page, game)
    player.decide("end", player.wait_for_turn())
    ticker = page.get_by_role("group", name="What the others do")
    expect(ticker).to_contain_text("Bertram")
    ticker.get_by_role("button", name="Pause").click()
    # The machines have gone on meanwhile; the page shows it when it is told to.
    expect(ticker).not_to_have_attribute("data-waiting", "0")
    shown = player.shown()
    assert shown < state(page, game)["number"]
    ticker.get_by_role("button", name="One step").click()
    expect(page.locator("main.table")).to_have_attribute("data-number", str(shown + 1))
    page.evaluate(
        """() => { const kept = JSON.parse(localStorage['hansa.settings'])
                   localStorage['hansa.settings'] = JSON.stringify({...kept, machines: 'quick'}) }"""
    )
    page.reload()
    now = player.wait_for_turn()
    page.get_by_role("button", name="Show what happened since my last turn").click()
    again = page.get_by_role("group", name="What happened since my last turn")
    expect(again).to_contain_text("Bertram")
    again.get_by_role("button", name="Pause").click()
    assert "#" in page.url
    again.get_by_role("button", name="Back to the game").click()
    expect(again).to_have_count(0)
    expect(page.locator("[data-decision=end]")).to_be_visible()
    assert player.shown() == now["number"]


def test_the_last_decision_is_seen_before_the_end(open_page: OpenPage) -> None:
    page = open_page()
    finished = upload(page)
    face = call(page, "GET", f"/games/{finished}")
    last = state(page, finished)["number"] - 1
    seats = [{"kind": "me", "name": seat["name"]} for seat in face["seats"]]
    wish = {"number": last, "seats": seats, "name": "", "order": "fixed", "start": True}
    game = call(page, "POST", f"/games/{finished}/fork", wish)["id"]
    text = call(page, "GET", f"/games/{finished}/log")["log"][-1]["text"]
    page.clock.install()
    page.goto(f"/g/{game}")
    page.locator("main.table").wait_for()
    now = state(page, game)
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    body = {"number": now["number"], "decision": text}
    call(page, "POST", f"/games/{game}/act", body)
    expect(page.locator(".ticker b").first).to_be_visible()
    expect(page.locator(".accounts")).to_have_count(0)
    page.clock.run_for(10_000)
    page.locator(".accounts").wait_for()
    expect(page.locator(".winner")).to_contain_text("What decided it")
    expect(page.locator(".story").first).to_contain_text("largest network")
