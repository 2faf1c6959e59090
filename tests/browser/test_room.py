"""The waiting room: people arrive by one link or a code, the host arranges, all talk."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.conftest import OpenPage
from tests.browser.player import call, create
from tests.browser.test_site import fits

OPEN = [{"kind": "me", "name": "Alheyd"}, {"kind": "open"}, {"kind": "open"}]
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def test_three_people_meet_by_one_link_and_a_code(open_page: OpenPage) -> None:
    host = open_page()
    game = create(host, seats=OPEN, start=False)
    host.goto(f"/g/{game}")
    code = host.locator("[data-code]").inner_text()
    # By the address of the table: what it is, who sits there, a name, one click.
    guest = open_page(f"/g/{game}", **PHONE)
    guest.get_by_role("heading", name="Alheyd's table").wait_for()
    fits(guest, "the room on a phone")
    guest.get_by_label("Your name").fill("Bertram")
    guest.get_by_role("button", name="Sit down").click()
    host.get_by_text("Bertram sat down.").wait_for()
    # By the code that somebody said, at a seat of one's own choice.
    third = open_page()
    third.get_by_label("Do you have a code?").fill(code.upper())
    third.get_by_role("button", name="To the table").click()
    third.get_by_label("Your name").fill("Katrijn")
    # Everybody talks, and sees what is unread.
    host.get_by_label("Say something").fill("Welcome!")
    host.get_by_role("button", name="Send").click()
    # On the phone the chat lies below the edge of the screen: read is what was seen.
    guest.get_by_text("Welcome!").scroll_into_view_if_needed()
    guest.get_by_label("Colour of Bertram").select_option(label="Purple")
    host.locator('[data-seat="p2"].p5').wait_for()
    host.get_by_text("Start by itself").click()
    third.get_by_text("The game begins as soon as all seats are taken.").wait_for()
    third.locator('[data-seat="p3"]').get_by_role("button", name="Sit here").click()
    for page in (host, guest, third):
        page.locator("main.table").wait_for()
    # He plays in the colour he chose: its mark, and the colour itself.
    assert guest.locator('.scores li.p2 use[href="#mark-p5"]').count() == 1
    colour = "getComputedStyle(document.body).getPropertyValue('--p2')"
    box = "getComputedStyle(document.documentElement).getPropertyValue('--p5')"
    assert guest.evaluate(colour) == guest.evaluate(box)
    host.get_by_role("tab", name="Chat").click()
    host.get_by_label("Say something").fill("Good luck!")
    host.get_by_role("button", name="Send").click()
    expect(guest.locator(".grab .unread")).to_contain_text("1")
    guest.locator(".grab").click()
    guest.get_by_text("Good luck!").wait_for()
    guest.locator(".chat .name", has_text="Alheyd").first.click()
    guest.get_by_role("button", name="Mute Alheyd").click()
    expect(guest.get_by_text("Good luck!")).to_have_count(0)
    guest.get_by_text("Alheyd is muted.").wait_for()


def test_no_dead_ends(open_page: OpenPage) -> None:
    host = open_page()
    game = create(host, seats=OPEN, start=False)
    seats = call(host, "GET", f"/games/{game}")["seats"]
    guest = open_page(seats[1]["invite"])
    guest.get_by_label("Your name").fill("Bertram")
    guest.get_by_role("button", name="Take this seat").click()
    guest.get_by_text("starts the game when").wait_for()
    # Somebody else follows the same link: another seat is offered.
    late = open_page(seats[1]["invite"])
    late.get_by_role("heading", name="Bertram sits there already.").wait_for()
    late.get_by_role("link", name="Take another seat").click()
    late.get_by_label("Your name").fill("Katrijn")
    late.get_by_role("button", name="Sit down").click()
    late.get_by_text("can start the game").wait_for()
    # The table is full.
    watcher = open_page(f"/g/{game}")
    watcher.get_by_text("All seats are taken. You can watch here").wait_for()
    watcher.get_by_role("link", name="Open a table of my own").wait_for()
    # The host moves people, chooses how strong a machine is, and begins.
    host.goto(f"/g/{game}")
    host.get_by_role("button", name="Move seat 2 up").click()
    expect(host.locator('[data-seat="p1"]')).to_contain_text("Bertram")
    host.locator('[data-seat="p3"]').get_by_role("button", name="Free this seat").click()
    late.get_by_text("Alheyd has freed your seat.").wait_for()
    levels = host.get_by_label("Who plays at seat 3").locator("option")
    assert levels.count() > 3
    host.get_by_label("Who plays at seat 3").select_option(index=2)
    host.get_by_role("button", name="Start the game").click()
    for page in (host, guest, late, watcher):
        page.locator("main.table").wait_for()
    assert watcher.locator(".target").count() == 0
    # A link to a seat of a running game leads to watching it.
    last = open_page(seats[1]["invite"])
    last.get_by_role("link", name="Watch the game").click()
    last.locator("main.table").wait_for()
