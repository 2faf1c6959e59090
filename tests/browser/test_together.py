"""People at one table, each with a browser of their own: votes, stand-ins, a rematch."""

from __future__ import annotations

import contextlib
from typing import Any

from playwright.sync_api import Error, Page, expect
from tests.browser.conftest import OpenPage
from tests.browser.player import Player, call, create, state, until

NAMES = ("Alheyd", "Bertram", "Katrijn")
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def sit_down(open_page: OpenPage, count: int = 2, *devices: Any, **more: Any) -> list[Player]:
    """So many people at a running table; the first is the host and begins."""
    pages = [open_page(**(devices[n] if n < len(devices) else {})) for n in range(count)]
    seats = [{"kind": "me", "name": NAMES[0]}, *({"kind": "open"} for _ in pages[1:])]
    if count == 2:
        seats.append({"kind": "bot", "bot": "greedy", "name": "Gese"})
    game = create(pages[0], seats=seats, start=False, **more)
    links = call(pages[0], "GET", f"/games/{game}")["seats"]
    for name, seat, page in zip(NAMES[1:], links[1:], pages[1:], strict=False):
        invite = seat["invite"].replace("/i/", "/invites/")
        call(page, "POST", invite, {"name": name})
    call(pages[0], "POST", f"/games/{game}/start", {})
    players = [Player(page, game) for page in pages]
    for page in pages:
        page.goto(f"/g/{game}")
        page.locator("main.table").wait_for()
    return players


def vote(page: Page, kind: str) -> Any:
    return page.locator(f'[data-vote="{kind}"]')


def test_an_undo_is_asked_for_refused_and_granted(open_page: OpenPage) -> None:
    host, guest = sit_down(open_page, 2, {}, PHONE)
    host.decide("place t groningen-emden/1", host.wait_for_turn())
    host.decide("end", host.wait_for_turn())
    ask = host.page.get_by_role("button", name="Ask to undo")
    ask.click()
    mine, theirs = vote(host.page, "undo"), vote(guest.page, "undo")
    expect(mine).to_contain_text("You ask to take back 1 decision")
    expect(theirs).to_contain_text("Alheyd asks to take back 1 decision")
    expect(theirs).to_contain_text("Alheyd ended the turn")
    expect(theirs).to_contain_text("Agreed: Alheyd")
    expect(mine).to_contain_text("Waiting for Bertram")
    expect(ask).to_have_count(0)
    box = theirs.get_by_role("button", name="Agree").bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["x"] + box["width"] <= 360
    theirs.get_by_role("button", name="Refuse").click()
    expect(mine).to_have_count(0)
    expect(host.page.locator(".line", has_text="Bertram said no to the undo")).to_be_visible()
    expect(host.page.get_by_role("status")).to_contain_text("Bertram said no to the undo")
    assert host.shown() == 2
    ask.click()
    theirs.get_by_role("button", name="Agree").click()
    until(host.page, "() => document.querySelector('main.table').dataset.number === '1'")
    host.wait_for_turn()
    # All of it is still told after a reload, to each in his own words.
    host.page.reload()
    host.page.locator(".line", has_text="Bertram said no to the undo").wait_for()
    host.page.locator(".line", has_text="You took back 1 decision").wait_for()


def test_nobody_answers_in_time(open_page: OpenPage) -> None:
    host, guest = sit_down(open_page, absence=1)
    host.decide("end", host.wait_for_turn())
    guest.page.locator("main.table[data-number='1']").wait_for()
    host.page.get_by_role("button", name="Ask to undo").click()
    told = "Not everybody answered you: nothing is taken back"
    host.page.locator(".line", has_text=told).wait_for()
    guest.page.locator(".line", has_text="Not everybody answered Alheyd").wait_for()
    assert host.shown() == 1


def test_a_machine_takes_over_and_gives_back(open_page: OpenPage) -> None:
    host, guest = sit_down(open_page, absence=2)
    host.decide("end", host.wait_for_turn())
    game, away = host.game, guest.page
    away.goto("about:blank")
    banner = host.page.locator('[data-banner="away"]')
    expect(banner).to_contain_text("Bertram is away. The seat is kept for")
    button = banner.get_by_role("button", name="Ask for a machine in place of Bertram")
    button.click()
    host.wait_for_turn()
    away.goto(f"/g/{game}")
    lent = away.locator('[data-banner="standin"]')
    expect(lent).to_contain_text("A machine plays for you")
    assert away.locator(".target, [data-decision]").count() == 0, "nothing is asked of him"
    offered = away.get_by_role("button", name="undo", disabled=False)
    assert offered.count() == 0, "and nothing offered in vain"
    away.locator(".line", has_text="A machine plays for you").wait_for()
    host.page.locator(".line", has_text="A machine plays for Bertram").wait_for()
    lent.get_by_role("button", name="Take my seat back").click()
    expect(lent).to_have_count(0)
    away.locator(".line", has_text="You are back").wait_for()
    host.page.locator(".line", has_text="Bertram is back").wait_for()
    host.decide("end", host.wait_for_turn())
    back = Player(away, game)
    back.wait_for_turn()
    away.reload()
    away.locator(".line", has_text="You are back").wait_for()


def test_a_third_person_decides_about_the_second(open_page: OpenPage) -> None:
    host, guest, third = sit_down(open_page, 3, absence=1)
    host.decide("end", host.wait_for_turn())
    guest.page.goto("about:blank")
    ask = host.page.get_by_role("button", name="Ask for a machine in place of Bertram")
    asked = vote(third.page, "standin")
    agree = asked.get_by_role("button", name="Agree")

    def standin() -> Any:
        return call(host.page, "GET", f"/games/{host.game}")["seats"][1]["standin"]

    ask.click()
    heard = ""
    # The vote is open as long as the seat was kept, a second: who is slower is asked again.
    while standin() is None:
        with contextlib.suppress(Error):
            if agree.count():
                heard = asked.inner_text(timeout=2000)
                agree.click(timeout=2000)
            elif ask.count():
                ask.click(timeout=2000)
    assert "Alheyd asks for a machine in place of Bertram, who is away" in heard
    third.wait_for_turn()


def test_a_rematch_begins_with_the_last_yes(open_page: OpenPage) -> None:
    host, guest = sit_down(open_page)
    host.page.get_by_role("button", name="Menu").click()
    menu = host.page.get_by_role("dialog", name="Menu")
    expect(menu).to_contain_text("your seat is kept for 1 day")
    host.page.get_by_role("button", name="Ask to stop the game").click()
    vote(guest.page, "end").get_by_role("button", name="Agree").click()
    host.page.get_by_role("button", name="Play again").click()
    # He has gone elsewhere on the site, and hears of it there.
    guest.page.goto("/#/rules")
    notice = guest.page.get_by_role("status").filter(has_text="Alheyd wants to play again")
    notice.get_by_role("link", name="Look").click()
    assert call(host.page, "GET", f"/games/{host.game}")["rematch"] is None
    vote(guest.page, "rematch").get_by_role("button", name="Agree").click()
    for page in (host.page, guest.page):
        page.locator("main.table").wait_for()
        assert host.game not in page.url


def test_one_goes_offline_in_the_middle_of_a_decision(open_page: OpenPage) -> None:
    host, guest = sit_down(open_page)
    now = host.wait_for_turn()
    live = host.page.locator(".scrubber, header").get_by_text("live", exact=True)
    live.first.wait_for()
    host.page.context.set_offline(True)
    lost = host.page.locator('[data-link="lost"]')
    lost.wait_for()
    expect(live).to_have_count(0)
    host.target("post:groningen-emden/1").locator(".hit").last.click()
    expect(lost).to_contain_text("Your decision has not been sent yet")
    assert host.shown() == now["number"]
    host.page.context.set_offline(False)
    until(host.page, "() => document.querySelector('main.table').dataset.number === '1'")
    expect(lost).to_have_count(0)
    guest.page.locator("main.table[data-number='1']").wait_for()
    assert guest.page.locator(".line", has_text="placed a trader").count() == 1, "once"
    # What the others did meanwhile is told when one is back.
    host.decide("end", host.wait_for_turn())
    guest.wait_for_turn()
    host.page.context.set_offline(True)
    lost.wait_for()
    guest.decide("end", guest.wait_for_turn())
    host.page.context.set_offline(False)
    expect(host.page.locator('[data-link="missed"]')).to_contain_text("Bertram ended the turn")


def test_a_line_that_dies_without_a_word_is_noticed(open_page: OpenPage) -> None:
    page = open_page()
    page.add_init_script(
        """
        const Real = window.WebSocket
        window.deaf = false
        window.WebSocket = class extends Real {
          set onmessage(hear) { super.onmessage = (event) => window.deaf || hear(event) }
        }
        """
    )
    game = create(page)
    page.goto(f"/g/{game}")
    Player(page, game).wait_for_turn()
    page.evaluate("window.deaf = true")
    page.locator('[data-link="lost"]').wait_for()
    page.evaluate("window.deaf = false")
    page.locator('[data-link="lost"]').wait_for(state="detached")
    Player(page, game).wait_for_turn()


def test_a_turn_is_prepared_and_played_when_it_comes(open_page: OpenPage) -> None:
    host, guest = sit_down(open_page, 2, {}, PHONE)
    page = guest.page
    page.get_by_role("button", name="Prepare").tap()
    expect(page.get_by_text("nothing is played yet")).to_be_visible()
    for k in (1, 2):
        guest.target(f"post:minden-brunswiek/{k}").locator(".hit").last.tap()
        page.locator(f'[data-confirm="place t minden-brunswiek/{k}"]').tap()
        page.locator(f"main.table[data-number='{k}']").wait_for()
    page.get_by_role("button", name="Keep for my turn").tap()
    waiting = page.get_by_role("button", name="Prepared: 2")
    expect(waiting).to_be_visible()
    assert page.locator(".arrows > g").count() == 2, "what was prepared is seen on the board"
    assert host.shown() == 0, "and nothing of it is played"
    host.decide("end", host.wait_for_turn())
    page.locator("main.table[data-number='3']").wait_for()
    posts = state(page, guest.game)["view"]["routes"]["minden-brunswiek"]["posts"]
    assert posts[:2] == ["p2:t", "p2:t"]
    expect(waiting).to_have_count(0)


def test_what_cannot_be_played_any_more_is_offered_as_a_draft(open_page: OpenPage) -> None:
    host, guest = sit_down(open_page)
    page = guest.page
    page.keyboard.press("v")
    expect(page.get_by_text("nothing is played yet")).to_be_visible()
    for k in (2, 1):
        guest.target(f"post:osnabrueck-bremen/{k}").locator(".hit").last.click()
        page.locator(f"main.table[data-number='{3 - k}']").wait_for()
    page.get_by_role("button", name="Keep for my turn").click()
    host.decide("place m osnabrueck-bremen/1", host.wait_for_turn())
    host.decide("end", host.wait_for_turn())
    draft = page.get_by_role("alertdialog", name="this is what you prepared")
    expect(draft).to_contain_text("is no longer possible")
    assert guest.shown() == 2, "nothing was played without asking"
    draft.get_by_role("button", name="Play the first one").click()
    page.locator("main.table[data-number='3']").wait_for()
    posts = state(page, guest.game)["view"]["routes"]["osnabrueck-bremen"]["posts"]
    assert posts[:2] == ["p1:m", "p2:t"]
    expect(draft).to_have_count(0)
