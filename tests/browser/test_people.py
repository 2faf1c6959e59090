"""Two browsers at one table, a device passed around, watchers, a lost connection."""

from __future__ import annotations

from tests.browser.conftest import OpenPage
from tests.browser.player import Player, call, create, state


def two_people(open_page: OpenPage) -> tuple[Player, Player, str]:
    """A table of two people and one machine; the second came through the invitation."""
    host = open_page()
    seats = [
        {"kind": "me", "name": "Alheyd"},
        {"kind": "open", "name": "Katrijn"},
        {"kind": "bot", "bot": "greedy", "name": "Gese"},
    ]
    game = create(host, seats=seats, start=False)
    invite = call(host, "GET", f"/games/{game}")["seats"][1]["invite"]
    guest = open_page(invite)
    guest.get_by_label("Your name").fill("Katrijn")
    guest.get_by_role("button", name="Take this seat").click()
    guest.get_by_text("can start the game").wait_for()
    host.goto(f"/g/{game}")
    host.get_by_role("button", name="Start the game").click()
    host.locator("main.table").wait_for()
    guest.locator("main.table").wait_for()
    return Player(host, game), Player(guest, game), game


def test_two_people_displace_undo_and_come_back(open_page: OpenPage) -> None:
    host, guest, game = two_people(open_page)
    now = host.wait_for_turn()
    host.decide("place t groningen-emden/1", now)
    now = host.wait_for_turn()
    host.decide("place t groningen-emden/2", now)
    host.page.get_by_role("button", name="Undo").click()
    host.page.locator(".line", has_text="took back 1 decision").wait_for()
    assert state(host.page, game)["view"]["routes"]["groningen-emden"]["posts"][1] is None
    host.decide("end", host.wait_for_turn())

    now = guest.wait_for_turn()
    # Before it counts: what it costs, and what the one displaced will get.
    guest.page.keyboard.press("d")
    guest.page.locator('.target[data-key="post:groningen-emden/1"]').hover()
    tip = guest.page.get_by_role("tooltip")
    tip.get_by_text("then 1 piece as the fee").wait_for()
    tip.get_by_text("Alheyd may add 1 piece").wait_for()
    guest.page.keyboard.press("Escape")
    guest.decide("displace t groningen-emden/1", now)
    now = guest.wait_for_turn()
    assert now["phase"] == "pay", "trader or merchant: the guest chooses"
    guest.decide("pay t", now)
    now = host.wait_for_turn()
    assert now["phase"] == "displaced"
    assert host.page.locator(".waiting").count() == 1, "the displaced piece waits above its post"
    host.page.get_by_text(
        "put your trader down; you may add 1 piece from your stock."
    ).first.wait_for()
    host.page.get_by_role("button", name="All choices (").click()
    host.page.get_by_role("dialog", name="All choices").get_by_label("Close").click()
    first = next(text for text in now["legal"] if text.startswith("put t"))
    host.decide(first, now)
    if state(host.page, game)["phase"] == "displaced":
        host.decide("done", host.wait_for_turn())

    guest.page.reload()
    guest.page.locator("main.table").wait_for()
    guest.wait_for_turn()
    assert guest.page.locator("text=displaced").count() > 0, "the chronicle survives a reload"


def test_a_lost_connection_is_shown_and_mended(open_page: OpenPage) -> None:
    page = open_page()
    page.add_init_script(
        """
        const Real = window.WebSocket
        window.sockets = []
        window.WebSocket = class extends Real { constructor(...a) { super(...a); window.sockets.push(this) } }
        """
    )
    game = create(page)
    page.goto(f"/g/{game}")
    player = Player(page, game)
    player.decide("place t groningen-emden/1", player.wait_for_turn())
    page.evaluate("window.sockets.at(-1).close()")
    page.get_by_text("The connection is lost").wait_for()
    page.get_by_text("The connection is lost").wait_for(state="detached")
    player.decide("place t groningen-emden/2", player.wait_for_turn())
    assert page.locator(".line", has_text="Groningen–Emden").count() == 2, (
        "nothing missed, nothing twice"
    )


def test_hot_seat_hides_secret_cards_until_the_next_is_ready(open_page: OpenPage) -> None:
    page = open_page()
    seats = [{"kind": "me", "name": name} for name in ("Alheyd", "Bertram", "Katrijn")]
    game = create(page, seats=seats, setup={"missions": True})
    page.goto(f"/g/{game}")
    page.get_by_role("dialog", name="Pass the device to Alheyd").wait_for()
    page.get_by_role("button", name="I am Alheyd").click()
    player = Player(page, game)
    player.decide("end", player.wait_for_turn())
    page.get_by_role("dialog", name="Pass the device to Bertram").wait_for()
    page.get_by_role("button", name="I am Bertram").click()
    assert page.locator(".desk h2").inner_text() == "Bertram"
    assert page.get_by_text("Mission", exact=True).count() == 1


def test_a_watcher_sees_the_game_and_can_decide_nothing(open_page: OpenPage) -> None:
    page = open_page()
    game = create(page)
    watcher = open_page(f"/g/{game}")
    watcher.locator("main.table").wait_for()
    assert watcher.locator(".target").count() == 0
    assert watcher.locator("[data-verb]").count() == 0
    page.goto(f"/g/{game}")
    player = Player(page, game)
    player.decide("place t groningen-emden/1", player.wait_for_turn())
    watcher.locator(".line", has_text="placed a trader on").wait_for()


def test_chat_is_text_and_never_markup(open_page: OpenPage) -> None:
    page = open_page()
    game = create(page)
    page.goto(f"/g/{game}")
    page.get_by_role("tab", name="Chat").click()
    page.get_by_label("Say something").fill("<b>Good luck</b>")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("<b>Good luck</b>").wait_for()


def test_history_has_an_address_for_every_decision(open_page: OpenPage) -> None:
    page = open_page()
    game = create(page)
    page.goto(f"/g/{game}")
    player = Player(page, game)
    player.decide("place t groningen-emden/1", player.wait_for_turn())
    player.decide("place t groningen-emden/2", player.wait_for_turn())
    page.keyboard.press("[")
    page.get_by_text("Decision 1 of 2").first.wait_for()
    assert page.url.endswith(f"/g/{game}#1")
    assert page.locator(".target").count() == 0
    other = open_page(f"/g/{game}#1")
    other.get_by_text("Decision 1 of 2").first.wait_for()
    page.get_by_role("button", name="Back to the game").click()
    page.locator('[data-decision="end"]').wait_for()
