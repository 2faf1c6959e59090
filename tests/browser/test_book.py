"""How to play, in the page: by mouse and on a phone, on paper, without the server, and led to from the table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.conftest import OpenPage
from tests.browser.player import create, until
from tests.browser.test_access import violations
from tests.browser.test_devices import PHONE, overflows
from tests.browser.test_site import DESKTOP, careless_page

SECTIONS = 12
PICTURES = 38


def read_book(page: Page) -> None:
    """All of it is there, letters too."""
    page.locator("#how-reference").wait_for(state="attached")
    until(page, "document.fonts.status === 'loaded'")


@pytest.mark.parametrize(
    ("device", "scheme", "language"),
    [(DESKTOP, "light", "en"), (PHONE, "dark", "ja"), (PHONE, "light", "de")],
    ids=["desktop", "phone-ja", "phone-de"],
)
def test_it_is_whole_without_barriers(
    open_page: OpenPage, device: dict[str, Any], scheme: str, language: str
) -> None:
    page = open_page("/#/rules", color_scheme=scheme, locale=language, **device)
    read_book(page)
    assert page.locator(".book section").count() == SECTIONS
    drawn = page.locator(".book figure svg[role=img]")
    assert drawn.count() == PICTURES
    empty = "all => all.filter(e => e.getBoundingClientRect().height < 20 || !e.getAttribute('aria-label')).length"
    assert drawn.evaluate_all(empty) == 0
    drawn.last.scroll_into_view_if_needed()
    expect(drawn.last.locator("use").first).to_be_attached()
    assert violations(page) == []
    assert not overflows(page)


def test_the_rules_door_opens_it_and_the_reference_is_one_click_away(open_page: OpenPage) -> None:
    page = open_page("/#/watch")
    page.locator("header").get_by_role("link", name="Rules").click()
    page.get_by_role("heading", name="The aim").wait_for()
    page.get_by_role("button", name="End and scoring").click()
    expect(page.get_by_role("heading", name="End and scoring")).to_be_in_viewport()
    page.get_by_text("Example: Final scoring").click()
    expect(page.get_by_text("A 14 + B 8 + C 6 + D 9 + E 8 + F 28 = 73")).to_be_visible()
    page.locator("#how-actions").get_by_role("link", name="INCOME-1", exact=True).first.click()
    page.locator("#rule-INCOME-1.here").wait_for()
    page.locator(".doors").get_by_role("link", name="How to play").click()
    expect(page.locator("#how-actions .text.here")).to_be_in_viewport()
    page.locator(".doors").get_by_role("link", name="Reference").click()
    page.locator("#rule-INCOME-1.here").wait_for()


def test_an_address_finds_its_place(open_page: OpenPage) -> None:
    page = open_page("/#/rules/how/boards")
    expect(page.get_by_role("heading", name="The boards")).to_be_in_viewport()
    page.goto("/#/rules/how/MARKER-SWAP")
    expect(page.locator(".here")).to_contain_text("Swap offices.")
    page.goto("/#/rules/how/OPT-10")
    expect(page.locator("tr.here")).to_contain_text("tie for the win")
    page.goto("/#/rules/how/FIX-3")  # nobody has to learn misprints
    page.locator("tr#rule-FIX-3.here").wait_for()


def test_on_a_phone_a_chapter_is_chosen_from_a_list(open_page: OpenPage) -> None:
    page = open_page("/#/rules", **PHONE)
    read_book(page)
    page.locator("main select").select_option("duels")
    expect(page.get_by_role("heading", name="Two players")).to_be_in_viewport()
    example = page.locator("#how-duels details").first
    example.locator("summary").tap()
    expect(example).to_have_attribute("open", "")
    assert not overflows(page)


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_it_prints_as_some_ten_pages(open_page: OpenPage, language: str) -> None:
    page = open_page("/#/rules", locale=language, color_scheme="dark")
    read_book(page)
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))
    assert 8 <= len(pages) <= 14
    # Afterwards everything is as it was.
    assert page.locator("html").get_attribute("data-theme") != "print"
    assert page.locator(".book details[open]").count() == 0
    page.emulate_media(media="print")
    for hidden in ("header", "nav", ".doors", "input[type=search]"):
        expect(page.locator(hidden).first).to_be_hidden()


def test_cards_and_the_bar_lead_into_it(open_page: OpenPage) -> None:
    page = open_page()
    page.goto(f"/g/{create(page, players=3)}")
    page.locator("main.table .verbs").wait_for()
    page.locator('[data-verb="establish"]').click(force=True)  # it says why not
    expect(page.locator(".prompt a")).to_have_attribute("href", "/#/rules/how/ROUTE-1")
    page.locator('[data-thing="route:groningen-emden"]').first.dispatch_event("click")
    card = page.locator(".info.pinned")
    expect(card.get_by_role("link", name="Routes · ROUTE-1")).to_have_attribute(
        "href", "/#/rules/ROUTE-1"
    )
    with page.expect_popup() as opened:
        card.get_by_role("link", name="How to play").click()
    expect(opened.value.locator(".text.here")).to_contain_text("you may establish it")


def test_it_can_be_read_without_the_server_by_who_never_opened_it(
    browser: Browser, server: str
) -> None:
    with careless_page(browser, server, service_workers="allow", locale="de") as page:
        page.goto("/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        until(
            page,
            """caches.open('hansa-page').then(c => c.keys()).then(all => ['Rules-', 'shared-', 'de-', 'how-to-play.de-',
              'rules.de-'].every(name => all.some(r => new URL(r.url).pathname.startsWith('/assets/' + name))))""",
        )
        page.context.set_offline(True)
        page.goto("/#/rules")
        read_book(page)
        page.get_by_role("heading", name="Das Ziel").wait_for()
        page.reload()
        read_book(page)
        page.locator(".doors").get_by_role("link", name="Nachschlagen").click()
        page.locator("#rule-GEO-1").wait_for()
