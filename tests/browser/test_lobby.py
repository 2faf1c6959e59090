"""Finding opponents: an open table in the lobby, and a quick game, with two real browsers."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.browser.conftest import OpenPage
from tests.browser.player import call, create
from tests.browser.test_site import fits

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
SEATS = [{"kind": "me", "name": "Alheyd"}, {"kind": "bot", "bot": "greedy"}, {"kind": "open"}]


def test_two_people_meet_in_the_lobby_and_by_a_quick_game(open_page: OpenPage) -> None:
    host = open_page()
    call(host, "POST", "/me", {"name": "Alheyd"})
    game = create(
        host,
        seats=SEATS,
        start=False,
        visibility="open",
        name="Friday",
        clock={"bank": 600, "increment": 10, "consequence": "bot"},
    )
    host.goto(f"/g/{game}")
    # The lobby says what is played, how fast and by whom; one click, a name, and one sits there.
    guest = open_page("/#/watch", **PHONE)
    row = guest.locator(f'[data-table="{game}"]')
    expect(row).to_contain_text("Friday")
    expect(row).to_contain_text("Quick: 10 min + 10 s")
    expect(row).to_contain_text("Journeyman")
    fits(guest, "the lobby on a phone")
    row.get_by_role("button", name="Sit down").click()
    guest.get_by_label("Your name").fill("Bertram")
    guest.get_by_role("button", name="Sit down").click()
    host.get_by_text("Bertram sat down.").wait_for()
    # Whoever has a name here sits down at once.
    third = open_page("/#/me")
    third.get_by_label("Name at the table").fill("Katrijn")
    third.get_by_role("button", name="Save").first.click()
    third.get_by_text("Saved").wait_for()
    guest.get_by_role("button", name="Leave the table").click()
    third.goto("/#/watch")
    third.locator(f'[data-table="{game}"]').get_by_role("button", name="Sit down").click()
    host.get_by_text("Katrijn sat down.").wait_for()
    # From her profile she is followed, and then asked to another table with a click.
    host.get_by_role("link", name="Katrijn").click()
    host.get_by_role("button", name="Follow").click()
    host.get_by_text("You follow this person").wait_for()
    another = create(host, seats=SEATS, start=False)
    host.goto(f"/g/{another}")
    host.get_by_role("button", name="Invite", exact=True).click()
    host.get_by_role("button", name="Invited").wait_for()
    third.goto("/#/ladder")
    invited = third.locator(f'[data-invited="{another}"]')
    expect(invited).to_contain_text("Alheyd invites you to a table.")
    invited.get_by_role("link", name="To the table").click()
    third.get_by_role("button", name="Sit down").click()
    host.get_by_text("Katrijn sat down.").wait_for()
    # A quick game: both want the same and find each other.
    guest.goto("/#/watch")
    third.goto("/#/watch")
    _search(guest)
    guest.get_by_text("Waiting: 1 of 2 players").wait_for()
    _search(third)
    for page in (guest, third):
        page.locator("main.table").wait_for()
    assert guest.url == third.url
    # Alone with machines, at once.
    host.goto("/#/watch")
    host.get_by_label("Your name").fill("Alheyd")
    host.get_by_label("Add machines").select_option(label="at once")
    host.get_by_role("button", name="Find a game").click()
    host.locator("main.table").wait_for()


def _search(page: Page) -> None:
    page.get_by_role("radio", name="2", exact=True).check(force=True)
    page.get_by_label("Add machines").select_option(label="never: people only")
    page.get_by_role("button", name="Find a game").click()
