"""The pages beside the table: barriers, the form, whose turn it is, rooms, accounts, rules, installing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.browser.conftest import OpenPage
from tests.browser.player import call, create, until, upload
from tests.browser.test_access import violations
from tests.browser.test_devices import PHONE, overflows

DESKTOP = {"viewport": {"width": 1440, "height": 900}}


@contextmanager
def careless_page(browser: Browser, server: str, **options: Any) -> Iterator[Page]:
    """A page whose failed requests are what the test is about."""
    settings = {"locale": "en", "reduced_motion": "reduce", "service_workers": "block", **options}
    context = browser.new_context(base_url=server, **settings)
    page = context.new_page()
    page.set_default_timeout(15_000)
    try:
        yield page
    finally:
        context.close()


def open_table(page: Page, **more: Any) -> Any:
    """A table that waits for Katrijn and for anybody."""
    seats = [
        {"kind": "me", "name": "Alheyd"},
        {"kind": "open", "name": "Katrijn"},
        {"kind": "open"},
    ]
    setup = {"board": "hansa", "players": 3}
    wish = {"setup": setup, "seats": seats, "order": "fixed", "bot_delay": 0, **more}
    table = call(page, "POST", "/games", wish)
    assert "id" in table, table
    return table


def see(page: Page, path: str, wait: str = "main h1") -> None:
    page.goto(path)
    page.locator(wait).first.wait_for()
    until(page, "document.fonts.status === 'loaded'")


def fits(page: Page, where: str) -> None:
    """Nothing runs over the edge once the page has settled at a new width."""
    for _ in range(20):
        if not overflows(page):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"runs over: {where}")


def _as_admin(route: Route) -> None:
    """What admins see, told by nobody: only the command line makes one."""
    report = {"id": "r1", "at": 1, "by": "a", "by_name": "Katrijn", "about": "b", "game": "k7"}
    said = {
        "reports": {
            "reports": [{**report, "about_name": "Bertram", "table": "", "reason": "rude"}]
        },
        "deeds": {"deeds": []},
    }
    route.fulfill(json=said.get(route.request.url.rpartition("/")[2], {}))


@pytest.mark.parametrize(
    ("device", "scheme"),
    [(DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light"), (PHONE, "dark")],
    ids=["desktop-light", "desktop-dark", "phone-light", "phone-dark"],
)
def test_no_page_has_barriers(open_page: OpenPage, device: dict[str, Any], scheme: str) -> None:
    page = open_page(color_scheme=scheme, **device)
    page.locator("main h1").wait_for()
    assert violations(page) == []
    table = open_table(page, clock={"bank": 1500, "increment": 20, "consequence": "bot"})
    lesson = create(page, players=3, name="Tutorial")
    mine = [{"kind": "me", "name": name} for name in ("Alheyd", "Bertram", "Katrijn")]
    passed = create(page, seats=mine, setup={"missions": True})
    screens = {
        "/": ".tables a",
        "/#/new": "main h1",
        "/#/watch": "main h1",
        "/#/stats": "main h1",
        "/#/me": "main form",
        "/#/nowhere": "main h1",
        table["watch"]: "main h1",
        table["seats"][1]["invite"]: "main form",
    }
    screens |= {"/#/ladder": "main h1", "/#/puzzles": "main h1", "/#/studies": "main h1"}
    for path, wait in screens.items():
        see(page, path, wait)
        assert violations(page) == [], path
    name = f"axe-{table['id'].lower()}"
    call(page, "POST", "/account", {"account": name, "password": "eight letters"})
    for path, wait in (("/#/me", "text=Your data"), ("/#/order", "text=Reports")):
        page.route("**/api/admin/**", _as_admin)
        see(page, path, wait)
        assert violations(page) == [], path
    for path, wait in ((f"/g/{lesson}", ".tutor"), (f"/g/{passed}", ".cover")):
        see(page, path, wait)
        assert violations(page, wait) == [], path
    see(page, "/#/new")
    page.get_by_label("2", exact=True).check(force=True)
    page.locator("label.board").nth(1).click()
    page.locator("#pace").select_option("own")
    page.get_by_text("More", exact=True).click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog", name="Menu").wait_for()
    assert violations(page) == []


@pytest.mark.parametrize(
    ("device", "scheme", "language"), [(DESKTOP, "light", "de"), (PHONE, "dark", "ja")]
)
def test_the_reference_has_no_barriers(
    open_page: OpenPage, device: dict[str, Any], scheme: str, language: str
) -> None:
    page = open_page("/#/rules/reference", color_scheme=scheme, locale=language, **device)
    page.locator("#rule-INV-9").wait_for(state="attached")
    assert violations(page) == []
    assert not overflows(page)


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_the_form_is_whole_at_every_width(open_page: OpenPage, language: str) -> None:
    """Nothing runs over, and no word of a choice is cut off."""
    page = open_page("/#/new", locale=language)
    page.locator(".seats, ol li").first.wait_for()
    page.get_by_role("radio", name="2", exact=True).check(force=True)
    page.locator("#pace").select_option("usual")
    page.add_style_tag(content=".picture { display: none !important }")  # drawn anew at every width
    for width in (320, 390, 600, 820, 1021, 1440, 3840):
        page.set_viewport_size({"width": width, "height": 900})
        cut = page.evaluate(
            """[...document.querySelectorAll('.segments label, .words, .btn, select, .row label')]
              .filter(e => e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > innerWidth + 1)
              .map(e => e.textContent.trim().slice(0, 40))"""
        )
        assert cut == [], f"{language} at {width}"
        fits(page, f"{language} at {width}")


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_no_page_runs_over(open_page: OpenPage, language: str) -> None:
    page = open_page(locale=language)
    table = open_table(page)
    paths = ("/", "/#/watch", "/#/stats", "/#/me", "/#/nowhere", table["watch"])
    over = f"/g/{upload(page)}"
    for path in (f"{over}#5", *paths, table["seats"][1]["invite"], over):
        see(page, path)
        for width in (320, 390, 820, 1024, 1200, 1440, 3840):
            page.set_viewport_size({"width": width, "height": 800})
            fits(page, f"{path} in {language} at {width}")


def test_the_clock_of_the_form_is_the_clock_of_the_table(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("link", name=re.compile("^New game")).click()
    page.get_by_label("Time to think").select_option("quick")
    page.get_by_text("10 minutes each, and 10 seconds more").wait_for()
    page.get_by_role("radio", name="Give up").check(force=True)
    page.get_by_role("button", name="Start the game").click()
    page.locator("main.table").wait_for()
    game = page.url.rsplit("/", 1)[1]
    clock = call(page, "GET", f"/games/{game}")["clock"]
    assert clock == {"bank": 600, "increment": 10, "consequence": "lose"}


def test_lists_tab_and_icon_say_whose_turn_it_is(open_page: OpenPage) -> None:
    host = open_page()
    table = open_table(host)
    guest = open_page(table["seats"][1]["invite"])
    guest.get_by_label("Your name").fill("Katrijn")
    guest.get_by_role("button", name="Take this seat").click()
    guest.get_by_text("starts the game when").wait_for()
    see(host, table["watch"])
    host.get_by_label("Who plays at seat 3").select_option(index=1)
    guest.get_by_text("can start the game").wait_for()
    host.get_by_role("button", name="Start the game").click()
    host.locator("main.table").wait_for()
    until(host, "document.title.startsWith('(1) ')")
    see(host, "/", ".tables a")
    host.locator(".tables a", has_text="Your turn").wait_for()
    assert host.title() == "(1) Hansa"
    assert host.locator('link[rel="icon"]').get_attribute("href") == "/icon-turn.svg"
    see(guest, "/", ".tables a")
    guest.locator(".tables a", has_text="Alheyd's turn").wait_for()
    assert guest.title() == "Hansa"

    call(host, "POST", f"/games/{table['id']}/act", {"number": 0, "decision": "end"})
    guest.reload()
    guest.locator(".tables a", has_text="Your turn").wait_for()
    until(guest, "document.title.startsWith('(1) ')")
    host.reload()
    host.locator(".tables a", has_text="Katrijn's turn").wait_for()
    assert host.title() == "Hansa"


def test_a_game_to_watch_is_seen_in_the_list(open_page: OpenPage) -> None:
    host = open_page()
    game = create(host, board="east", visibility="open")
    watcher = open_page("/#/watch")
    row = watcher.locator(f'a[href="/g/{game}"]')
    row.get_by_role("img", name=re.compile("Eastern League")).wait_for()
    for width in (320, 390, 820, 1024, 3840):
        watcher.set_viewport_size({"width": width, "height": 800})
        fits(watcher, f"a game to watch at {width}")
    assert violations(watcher) == []
    row.click()
    watcher.locator("main.table").wait_for()


def test_a_room_is_filled_freed_and_closed(open_page: OpenPage) -> None:
    page = open_page()
    table = open_table(page, visibility="open")
    see(page, table["watch"])
    start = page.get_by_role("button", name="Start the game")
    assert start.is_disabled()
    watcher = open_page("/#/watch")
    card = watcher.locator(f'[data-table="{table["id"]}"]')
    card.get_by_role("button", name="Sit down").click()
    watcher.get_by_label("Your name").fill("Gese")
    watcher.get_by_role("button", name="Sit down").click()
    page.get_by_text("Gese sat down.").wait_for()
    page.get_by_role("button", name="Free this seat").click()
    page.get_by_text("Waiting for 2 more players").wait_for()
    watcher.get_by_text("has freed your seat").wait_for()
    page.get_by_role("button", name="Close the table").click()
    question = page.get_by_role("dialog", name="Close the table")
    question.get_by_role("button", name="Close the table").click()
    watcher.get_by_text("The host has closed this table.").wait_for()
    watcher.get_by_role("link", name="Open a table of my own").wait_for()
    page.get_by_role("button", name=re.compile("^Play now")).wait_for()


def test_a_profile_that_loads_late_leaves_what_was_typed_meanwhile(open_page: OpenPage) -> None:
    page = open_page()
    held: list[Route] = []
    arrived: list[bool] = []

    def hold(route: Route) -> None:
        if route.request.method == "GET" and not arrived:
            held.append(route)
        else:
            route.continue_()

    page.route("**/api/me", hold)
    page.goto("/#/me")
    page.get_by_label("Name at the table").fill("Katrijn")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").wait_for()
    arrived.append(True)
    for route in held:
        route.fulfill(json={"person": None, "ways": {"mail": False, "push": None, "webhooks": []}})
    page.get_by_label("Account name").wait_for()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_label("Name at the table")).to_have_value("Katrijn")


def test_an_account_keeps_its_tables(open_page: OpenPage) -> None:
    page = open_page()
    game = create(page)
    see(page, "/#/me", "main form")
    page.get_by_label("Name at the table").fill("Alheyd von Lübeck")
    page.get_by_role("button", name="Save").first.click()
    page.get_by_text("Saved.").wait_for()
    page.get_by_label("Account name").fill("Alheyd")
    page.get_by_label("Password").fill("sea and salt")
    expect(page.get_by_label("Account name")).to_have_value(re.compile(r"^alheyd-\d{4}$"))
    account = page.get_by_label("Account name").input_value()
    page.locator("form button", has_text="Make an account").click()
    page.get_by_text(f"Your account is called {account}").wait_for()
    page.get_by_text(f"Signed in as {account}.").wait_for()
    page.get_by_label("What for").fill("my bot")
    page.get_by_role("button", name="Make a token").click()
    page.locator("code", has_text="hansa_").wait_for()
    page.get_by_role("button", name="Delete “my bot”").click()
    page.get_by_text("None yet.").wait_for()

    other = open_page("/#/me", locale="de")
    other.locator(".segments label", has_text="Anmelden").click()
    other.get_by_label("Kontoname").fill(account)
    other.get_by_label("Passwort").fill("sea and salt")
    other.locator("form button", has_text="Anmelden").click()
    other.get_by_text(f"Angemeldet als {account}.").first.wait_for()
    see(other, "/", ".tables a")
    assert other.locator(f'a[href="/g/{game}"]').count() == 1
    # Who signs out before the page has asked for all it shows leaves a question of nobody behind.
    with other.expect_response("**/api/me/calls"):
        see(other, "/#/me", "main form")
    other.get_by_role("button", name="Abmelden").click()
    other.get_by_text("Du spielst als Gast").first.wait_for()


@pytest.mark.parametrize(
    ("language", "field", "query", "words"),
    [
        ("en", "Search the rules", "ship post merchant", "A ship post takes a merchant only"),
        ("de", "Regeln durchsuchen", "Schiffsposten Kaufmann nur", "nimmt nur einen Kaufmann auf"),
        ("ja", "ルールを検索", "船の村 商人だけ", "船の村には商人だけを置ける"),
    ],
)
def test_the_rules_in_every_language(
    open_page: OpenPage, language: str, field: str, query: str, words: str
) -> None:
    page = open_page("/#/rules/DISPLACE-4", locale=language)
    rule = page.locator("#rule-DISPLACE-4")
    rule.wait_for()
    assert "here" in (rule.get_attribute("class") or "")
    rule.locator('a[href="/#/rules/RULING-5"]').click()
    page.locator("tr#rule-RULING-5.here").wait_for()
    page.get_by_label(field).fill(query)
    page.locator("#rule-GEO-4", has_text=words).wait_for()
    assert page.locator("#rule-DISPLACE-4").count() == 0


def test_a_wrong_address_and_a_dead_invitation_are_said(browser: Browser, server: str) -> None:
    with careless_page(browser, server) as page:
        for path, text in {
            "/#/nowhere": "There is no such page.",
            "/nowhere": "There is no such page.",
            "/g/nosuchtable0": "There is no such table.",
            "/i/nosuchinvitation": "This invitation does not exist any more.",
        }.items():
            page.goto(path)
            page.get_by_role("heading", name=text).wait_for()
            assert violations(page) == [], path
        page.get_by_role("link", name="Start page").click()
        page.get_by_role("button", name=re.compile("^Play now")).wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_server_that_is_gone_is_said(browser: Browser, server: str, scheme: str) -> None:
    with careless_page(browser, server, color_scheme=scheme) as page:
        page.route("**/api/**", lambda route: route.abort())
        for path in ("/", "/#/watch", "/#/stats", "/#/new", "/#/me"):
            page.goto(path)
            page.get_by_role("alert").filter(has_text="does not answer").first.wait_for()
            assert violations(page) == [], path
        page.goto("/#/watch")
        page.get_by_role("alert").filter(has_text="does not answer").wait_for()
        page.unroute("**/api/**")
        page.get_by_role("button", name="Try again").click()
        page.get_by_text("no games to watch").or_(page.locator(".panel a")).first.wait_for()


def test_the_page_installs_and_opens_without_its_server(browser: Browser, server: str) -> None:
    with careless_page(browser, server, service_workers="allow") as page:
        page.goto("/")
        manifest = page.evaluate("fetch('/manifest.webmanifest').then(r => r.json())")
        for icon in manifest["icons"]:
            assert page.request.get(icon["src"]).ok, icon
        assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        until(page, "caches.match('/').then(Boolean)")
        page.context.set_offline(True)
        page.reload()
        page.get_by_text("The server does not answer").wait_for()
        page.context.set_offline(False)
        page.get_by_role("button", name="Try again").click()
        page.get_by_text("No tables yet.").wait_for()
        _a_message_shows(page, server)


def _a_message_shows(page: Page, server: str) -> None:
    """What the server pushes is shown by the service worker, one for each table."""
    page.context.grant_permissions(["notifications"], origin=server)
    client = page.context.new_cdp_session(page)
    known: list[str] = []
    client.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda e: known.extend(r["registrationId"] for r in e["registrations"]),
    )
    client.send("ServiceWorker.enable")
    until(page, "navigator.serviceWorker.ready.then(() => true)")
    while not known:
        page.wait_for_timeout(20)
    for title in ("Your game begins", "It is your turn"):
        said = {"title": title, "body": "Kontor", "path": "/g/k7", "tag": "k7", "turn": True}
        client.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": server, "registrationId": known[-1], "data": json.dumps(said)},
        )
    until(
        page,
        """navigator.serviceWorker.ready.then(r => r.getNotifications())
        .then(n => n.length === 1 && n[0].title === 'It is your turn' && n[0].data.path === '/g/k7')""",
    )


def test_the_first_load_is_small(open_page: OpenPage) -> None:
    page = open_page()
    sizes: list[int] = []
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    client.send("Network.setCacheDisabled", {"cacheDisabled": True})
    client.on("Network.loadingFinished", lambda e: sizes.append(int(e["encodedDataLength"])))
    page.reload(wait_until="networkidle")
    assert 0 < sum(sizes) < 350_000


def test_the_question_mark_helps_everywhere_and_sounds_are_off(open_page: OpenPage) -> None:
    page = open_page("/#/watch")
    page.locator("main h1").wait_for()
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys and help").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    assert page.get_by_role("switch", name="Sounds").get_attribute("aria-checked") == "false"
