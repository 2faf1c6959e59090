"""What the table offers beside playing: reasons, cancelling, overlays, scores, clocks, advice, desks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import OpenPage
from tests.browser.player import Player, call, create, state, until, upload


def seated(open_page: OpenPage, **more: Any) -> tuple[Page, Player]:
    page = open_page()
    game = create(page, **more)
    page.goto(f"/g/{game}")
    player = Player(page, game)
    player.wait_for_turn()
    return page, player


def click_thing(page: Page, key: str) -> None:
    """Something that does not glow: its shape lies under what does."""
    page.locator(f'[data-thing="{key}"]').first.dispatch_event("click")


def test_why_not_is_answered_with_the_rule(open_page: OpenPage) -> None:
    page, player = seated(open_page)
    click_thing(page, "route:groningen-emden")
    card = page.locator(".info.pinned")
    expect(card).to_contain_text("On Groningen–Emden 0 of 3 posts are yours; all must be.")
    rule = card.get_by_role("link", name="Routes · ROUTE-1").first
    assert rule.get_attribute("href") == "/#/rules/ROUTE-1"
    expect(page.locator(".prompt")).to_contain_text("0 of 3 posts are yours")
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    player.decide("place t groningen-emden/1", player.wait_for_turn())
    player.wait_for_turn()
    page.keyboard.press("p")
    click_thing(page, "post:groningen-emden/1")
    expect(page.locator(".prompt")).to_contain_text("Your own piece stands there already.")


def test_reasons_speak_the_language_of_the_page(open_page: OpenPage) -> None:
    page = open_page(locale="de")
    game = create(page, board="britannia", players=3)
    page.goto(f"/g/{game}")
    Player(page, game).wait_for_turn()
    click_thing(page, "post:conway-montgomery/1")
    expect(page.locator(".info.pinned")).to_contain_text("Wales verlangt eine Erlaubnis")


def test_desks_explain_themselves_and_those_of_others_open(open_page: OpenPage) -> None:
    page, _ = seated(open_page)
    page.get_by_role("button", name="Book: 2").click()
    expect(page.locator(".info.pinned")).to_contain_text(
        "How many pieces of one's own a Move may lift"
    )
    page.locator(".info.pinned").get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Bertram").click()
    desk = page.get_by_role("dialog", name="Bertram")
    expect(desk.get_by_role("button", name="Keys: 1")).to_be_visible()
    page.keyboard.press("Escape")
    expect(desk).to_have_count(0)


def test_an_action_half_done_is_left_as_a_whole(open_page: OpenPage) -> None:
    """Two pieces lifted and one put down: Cancel goes back to before the Move."""
    page, player = seated(open_page)
    for text in ("place t groningen-emden/1", "place t groningen-emden/2", "end"):
        player.decide(text, player.wait_for_turn())
    now = player.wait_for_turn()
    while now["phase"] != "turn":
        player.decide(now["legal"][0], now)
        now = player.wait_for_turn()
    own = [text for text in now["legal"] if text.startswith("lift")]
    assert len(own) >= 2
    start = now["number"]
    player.decide(own[0], now)
    player.decide(own[1], player.wait_for_turn())
    assert page.locator(".waiting").count() == 2
    page.get_by_role("button", name="Cancel").click()
    until(
        page,
        "start => document.querySelector('main.table').dataset.number === String(start)",
        start,
    )
    assert page.locator(".waiting").count() == 0
    page.keyboard.press("r")
    page.locator(".waiting").first.wait_for(state="attached")


def test_a_verb_or_a_card_is_left_with_escape(open_page: OpenPage) -> None:
    page, player = seated(open_page)
    place = page.locator('[data-verb="place"]')
    page.keyboard.press("p")
    expect(place).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(place).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("switch", name="Confirm every choice").click()
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    # There are no merchants to choose from: nothing is asked but whether it is meant.
    page.keyboard.press("i")
    card = page.get_by_role("dialog", name="Take 3 traders")
    card.wait_for()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    assert player.shown() == 0


def test_overlays_tell_whose_and_how_many(open_page: OpenPage) -> None:
    page, player = seated(open_page)
    player.decide("place t goettingen-quedlinburg/1", player.wait_for_turn())
    player.decide("place t goettingen-quedlinburg/2", player.wait_for_turn())
    for name in ("Who controls", "Largest networks", "Nearly full routes"):
        page.keyboard.press("o")
        expect(page.locator(".legend")).to_contain_text(name)
        expect(page.locator(".legend span")).to_have_count(3)
    expect(page.locator(".overlay .road")).to_have_count(1)
    page.keyboard.press("o")
    expect(page.locator(".legend")).to_have_count(0)


def test_the_score_can_be_looked_at_and_hidden(open_page: OpenPage) -> None:
    page, _ = seated(open_page)
    page.get_by_role("tab", name="Score").click()
    expect(page.locator(".scores tfoot td")).to_have_count(3)
    page.get_by_role("button", name="Hide", exact=True).click()
    expect(page.locator(".scores tfoot")).to_have_count(0)
    expect(page.locator(".estimate")).to_have_count(0)
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".scores tfoot td")).to_have_count(3)


def test_clocks_run_and_say_what_happens(open_page: OpenPage) -> None:
    page, _ = seated(open_page, clock={"bank": 3600, "increment": 5, "consequence": "lose"})
    clock = page.locator(".prompt").get_by_role("timer")
    first = clock.inner_text()
    assert first.startswith(("59:", "1:00:00"))
    said = re.compile(r"^(59:\d\d|1:00:00) left to think\. When it is up, the seat gives up\.$")
    expect(clock).to_have_accessible_name(said)
    expect(clock).not_to_have_text(first)
    assert page.locator("article.card").get_by_role("timer").count() == 2


def test_a_hint_has_bars_and_arrows_and_can_be_followed(open_page: OpenPage) -> None:
    page, player = seated(open_page)
    page.get_by_role("tab", name="Analysis").click()
    page.get_by_label("Which machine").select_option("greedy")
    page.get_by_role("button", name="Ask", exact=True).click()
    best = page.locator(".opinion").first
    best.wait_for()
    assert page.locator(".arrows g").count() >= 1
    best.click()
    player._wait_past(0)
    expect(page.locator(".arrows g")).to_have_count(0)


def test_pieces_can_be_dragged(open_page: OpenPage) -> None:
    page, player = seated(open_page)

    def drag(source: str, post: str) -> None:
        for place, press in (
            (source, page.mouse.down),
            (f'[data-thing="post:{post}"]', page.mouse.up),
        ):
            box = page.locator(place).first.bounding_box()
            assert box is not None
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
            press()

    drag('[data-key="supply:t"]', "groningen-emden/1")
    player._wait_past(0)
    routes = state(page, player.game)["view"]["routes"]
    assert routes["groningen-emden"]["posts"][0] == "p1:t"
    # From post to post it is a Move; the board stays where it is.
    before = page.locator("svg.board").get_attribute("viewBox")
    drag('.target[data-key="post:groningen-emden/1"]', "groningen-emden/3")
    player._wait_past(2)
    routes = state(page, player.game)["view"]["routes"]
    assert [bool(piece) for piece in routes["groningen-emden"]["posts"]] == [False, False, True]
    assert page.locator("svg.board").get_attribute("viewBox") == before


def test_hints_are_for_the_whole_turn(open_page: OpenPage) -> None:
    page, player = seated(open_page)
    asked: list[str] = []
    page.on("request", lambda r: asked.append(r.url) if r.url.endswith("/analysis") else None)
    page.get_by_role("button", name="Hints").click()
    prompt = page.locator(".prompt .text")
    expect(prompt).to_contain_text("Hint:")
    assert page.locator(".arrows g").count() >= 1
    with page.expect_response(lambda r: r.url.endswith("/analysis")) as answer:
        page.get_by_role("button", name="Hints").click()
        page.get_by_role("button", name="Hints").click()
    plan = [line.removeprefix("p1> ") for line in answer.value.json()["turn"]]
    assert plan[-1] == "end"
    expect(prompt).to_contain_text("Hint:")
    asked.clear()
    player.decide(plan[0], player.wait_for_turn())
    # What is decided as the machine would have needs no second question.
    expect(prompt).to_contain_text("Hint:")
    assert asked == []
    page.get_by_role("button", name="Hints").click()
    expect(prompt).not_to_contain_text("Hint:")
    expect(page.locator(".arrows g")).to_have_count(0)


def test_the_chronicle_lights_places_and_filters(open_page: OpenPage) -> None:
    page, player = seated(open_page)
    player.decide("place t groningen-emden/1", player.wait_for_turn())
    player.decide("end", player.wait_for_turn())
    now = player.wait_for_turn()
    assert now["number"] > 3
    page.locator(".line", has_text="placed a trader on Groningen–Emden").hover()
    assert page.locator(".mark").count() >= 1
    everything = page.locator(".line").count()
    page.get_by_role("button", name="Since my last turn", exact=True).click()
    assert 0 < page.locator(".line").count() < everything
    expect(page.locator(".line", has_text="You placed")).to_have_count(0)


def test_history_plays_by_itself_and_stops(open_page: OpenPage) -> None:
    page = open_page()
    game = upload(page, "hansa-23-3-bigbox-102")
    page.goto(f"/g/{game}#3")
    page.get_by_text("Decision 3 of").first.wait_for()
    page.get_by_role("button", name="Play or pause").click()
    page.get_by_text("Decision 4 of").first.wait_for()
    page.get_by_role("button", name="Play or pause").click()
    place = page.url
    page.keyboard.press("]")
    until(page, "place => location.href !== place", place)
    page.get_by_role("tab", name="Analysis").click()
    page.get_by_label("Which machine").select_option("greedy")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".opinion").first.wait_for()


def test_a_study_is_a_table_of_ones_own(open_page: OpenPage) -> None:
    """From the end to any position, all seats one's own; a machine may be asked there."""
    page = open_page()
    game = upload(page)
    page.goto(f"/g/{game}")
    page.get_by_role("button", name="One decision back").click()
    page.locator(".what").wait_for()
    page.get_by_role("link", name="Study from here").click()
    page.locator("main.table").wait_for()
    assert f"/#/study/{game}/" in page.url
    page.locator("[data-decision], .target").first.wait_for(state="attached")
    page.get_by_role("tab", name="Analysis").click()
    page.get_by_label("Which machine").select_option("greedy")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".opinion").first.wait_for()


def forked_from(page: Page, game: str) -> Any:
    """Where the table that just opened was forked from."""
    until(page, "game => !location.href.includes(game)", game)
    page.locator("main.table").wait_for()
    return call(page, "GET", f"/games/{page.url.rsplit('/', 1)[1]}")["forked_from"]


def test_score_and_table_look_at_the_same_position(open_page: OpenPage) -> None:
    page = open_page()
    game = upload(page)
    page.goto(f"/g/{game}")
    page.get_by_role("button", name="Replay").click()
    page.get_by_text("Decision 0 of").first.wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("Decision 1 of").first.wait_for()
    page.goto(f"/g/{game}#119")
    page.locator(".top").get_by_role("button", name="Score", exact=True).click()
    expect(page.locator(".scrubber .where")).to_contain_text("119/")
    page.get_by_role("link", name="Study from here").click()
    until(page, "place => location.hash === place", f"#/study/{game}/119")


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_no_button_of_the_history_leaves_the_screen(open_page: OpenPage, language: str) -> None:
    page = open_page(locale=language)
    page.goto(f"/g/{upload(page)}#119")
    page.locator(".scrubber .where", has_text="119/").wait_for()
    for width in (320, 390, 768, 820, 1024, 1200, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        until(
            page,
            """width => innerWidth === width && [...document.querySelectorAll('header button, .scrubber *, .line button')]
                .every(x => x.getBoundingClientRect().right <= width && x.getBoundingClientRect().left >= 0)""",
            width,
        )


def test_the_menu_forks_the_position_shown(open_page: OpenPage) -> None:
    page = open_page()
    game = upload(page)
    page.goto(f"/g/{game}#57")
    page.get_by_text("Decision 57 of").first.wait_for()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Play on from here").click()
    assert forked_from(page, game) == {"game": game, "number": 57}


def establish(page: Page, game: str) -> tuple[str, int]:
    """Plays until a route of one's own was established; what was gained, how many posts it had."""
    player = Player(page, game)
    for _ in range(60):
        now = player.wait_for_turn()
        text = player.advice(now)
        player.decide(text, now)
        verb, *words = text.split()
        if verb == "establish":
            return words[1], len(now["view"]["routes"][words[0]]["posts"])
    raise AssertionError("no route was ever full")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_pieces_of_an_established_route_are_seen_leaving(
    open_page: OpenPage, motion: str
) -> None:
    page = open_page(reduced_motion=motion)
    game = create(page, setup={"seed": 7})
    page.goto(f"/g/{game}")
    gain, posts = establish(page, game)
    leaving = page.locator(".board .leaving")
    expect(leaving).to_have_count(posts - 1 if gain == "office" else posts)
    still = page.locator(".board .leaving.still")
    expect(still).to_have_count(leaving.count() if motion == "reduce" else 0)
    until(
        page,
        "() => [...document.querySelectorAll('.leaving')].every(e => getComputedStyle(e).opacity === '0')",
    )


def test_a_mission_is_marked_on_the_board_and_explains_itself(open_page: OpenPage) -> None:
    page, player = seated(open_page, setup={"seed": 7, "missions": True})
    cities = call(page, "GET", f"/games/{player.game}/state")["position"]["view"]["players"]
    expect(page.locator(".board .mission.p1")).to_have_count(len(cities["p1"]["mission"]))
    assert page.locator("rect.mark").count() == 0
    page.locator(".desk .city").first.hover()
    expect(page.locator("rect.mark")).to_have_count(1)
    expect(page.locator(".info")).to_contain_text("5 more if you control all three")


def test_a_province_shows_what_belongs_to_it(open_page: OpenPage) -> None:
    seats = [{"kind": "bot", "bot": "greedy", "name": "Bertram"}, {"kind": "me", "name": "Alheyd"}]
    page, player = seated(open_page, players=2, seats=seats, setup={"seed": 3, "duel": "pawn"})
    page.locator('.target[data-key="province:6"] .hit').hover()
    expect(page.locator(".provinces .lit")).to_have_count(1)
    expect(page.locator(".tip")).to_contain_text("Place the pawn in 6 · Middle Weser")
    expect(page.locator(".tip")).not_to_contain_text("1 action")
    player.decide("pawn 6", player.wait_for_turn())
    player.wait_for_turn()
    expect(page.locator(".chronicle")).to_contain_text("You placed the pawn in 6 · Middle Weser")
