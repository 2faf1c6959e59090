"""Positions, decisions and charts as pictures; bad input is named by its place."""

from __future__ import annotations

import itertools
import random
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import hansa
from hansa import svg
from hansa.setup import all_setups
from hansa.svg import state
from hansa.svg.data import board_data
from hansa.svg.reading import read as read_position
from hansa.svg.theme import tokens


def fresh(board: str = "hansa", players: int = 3, **setup: Any) -> dict[str, Any]:
    return {**hansa.Game.new(board=board, players=players, **setup).to_dict()}


def outline(text: str) -> list[str]:
    """Titles and symbols in drawing order: the structure without the numbers."""
    found = re.findall(
        r"<title>([^<]*)</title>|<use href=\"#(?:(piece|marker|favour|permit|pawn|soldier|done|stall|hall)([\w-]*))-light\"",
        text,
    )
    return [title or f"{kind}{rest}" for title, kind, rest in found]


def shown(text: str, title: str) -> list[str]:
    """The symbols drawn in the group with this title."""
    group = next(
        part for part in re.split(r"(?=<g id=|<g><title>)", text) if f"<title>{title}" in part
    )
    return re.findall(r'<use href="#([\w-]+)-light"', group)


def test_pieces_stand_on_their_posts() -> None:
    data = fresh()
    data["routes"]["groningen-emden"]["posts"] = ["p1:t", None, "p2:m"]
    text = svg.position(data)
    assert shown(text, "Groningen–Emden") == ["post", "piece-t-p1", "post", "post", "piece-m-p2"]


def test_city_shows_offices_stalls_control_and_completion() -> None:
    data = fresh()
    data["cities"]["minden"]["offices"] = ["p1:t", "p2:t", "p2:t", "p1:t"]
    data["cities"]["minden"]["extra"] = ["p3:m"]
    text = svg.position(data)
    symbols = shown(text, "Minden")
    assert symbols.count("piece-t-p1") == 2
    assert symbols.count("piece-t-p2") == 2
    assert "stall" in symbols
    assert "piece-m-p3" in symbols
    assert "done" in symbols
    assert "Minden: Gold merchant, Red trader, Blue trader, Blue trader, Red trader" in text


@pytest.mark.parametrize("city", ["goslar", "minden"])
@pytest.mark.parametrize("count", range(13))
def test_every_extra_office_can_be_read(city: str, count: int) -> None:
    """Up to eight stand there; the roof counts the others; the title names them all in order."""
    data = fresh()
    data["cities"][city]["extra"] = [f"p{i % 3 + 1}:{'tm'[i % 2]}" for i in range(count)]
    text = svg.position(data)
    drawn = [name for name in shown(text, city.capitalize()) if name.startswith("piece")]
    shapes = [f"piece-{'tm'[i % 2]}-p{i % 3 + 1}" for i in range(count)]
    assert drawn == shapes[max(0, count - 8) :]
    assert (f">+{count - 8}<" in text) == (count > 8)
    words = [
        f"{('Red', 'Blue', 'Gold')[i % 3]} {('trader', 'merchant')[i % 2]}" for i in range(count)
    ]
    assert f"<title>{city.capitalize()}{': ' if words else ''}{', '.join(words)}</title>" in text


@pytest.mark.parametrize("count", range(7))
def test_every_laid_marker_is_drawn_in_a_place_of_its_own(count: int) -> None:
    data = fresh(promos=["block", "tribute"])
    data["routes"]["groningen-emden"]["laid"] = [f"p{i % 3 + 1}:block" for i in range(count)]
    found = re.findall(
        r'block of p\d, groningen-emden</title><use href="#marker-block-light" '
        r'transform="translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)',
        svg.position(data),
    )
    assert len(found) == count
    for (x, y, size), (x2, y2, other) in itertools.combinations(found, 2):
        apart = max(abs(float(x) - float(x2)), abs(float(y) - float(y2)))
        assert apart >= 29.5 * min(float(size), float(other))


def test_coin_goes_with_the_first_office() -> None:
    data = fresh()
    assert "coin" in shown(svg.position(data), "Groningen<")
    data["cities"]["groningen"]["offices"] = ["p1:t", None]
    assert "coin" not in shown(svg.position(data), "Groningen:")


@pytest.mark.parametrize(
    ("offices", "extra", "owner"),
    [
        ([None, None], [], None),
        ([("t", "p1"), ("t", "p2")], [], "p2"),
        ([("t", "p1"), ("t", "p2")], [("t", "p1")], "p1"),
        ([("t", "p1"), ("t", "p2"), ("t", "p1")], [("t", "p2")], "p1"),
        ([("t", "p1"), ("t", "p2"), ("t", "p1")], [("t", "p2"), ("m", "p2")], "p2"),
    ],
)
@pytest.mark.rule("CONTROL-1", "CONTROL-2", "CONTROL-3")
def test_control_shown(offices: Any, extra: Any, owner: str | None) -> None:
    assert state.controller(offices, extra) == owner


def test_control_may_be_told() -> None:
    colour = tokens("light")["p2"]

    def bars(text: str) -> int:
        return text.count(f'fill="{colour}" stroke="{tokens("light")["house-edge"]}"')

    assert bars(svg.position(fresh())) == 0
    assert bars(svg.position(fresh(), control={"minden": "p2"})) == 1
    with pytest.raises(hansa.InvalidPosition, match=r"control\.atlantis"):
        svg.position(fresh(), control={"atlantis": "p1"})


def test_markers_permanent_markers_and_taverns() -> None:
    data = fresh("east", 3)
    for route in data["routes"].values():
        route["marker"] = None
    assert "tavern, stettin-kulm" in svg.position(data)
    data["routes"]["stettin-kulm"]["marker"] = "plus4"
    text = svg.position(data)
    assert "plus4, stettin-kulm" in text
    assert "perm-green, malmoe-visby" in text


def test_laid_promo_markers_carry_their_trader() -> None:
    data = fresh()
    data["routes"]["emden-osnabrueck"]["laid"] = ["p2:block"]
    text = svg.position(data)
    assert shown(text, "block of p2, emden-osnabrueck") == ["marker-block", "piece-t-p2"]


def test_pawn_duel_shows_provinces_and_soldiers() -> None:
    data = fresh("hansa", 2)
    assert "Border Osnabrück|Münster" in svg.position(data)
    data["pawn"] = 6
    text = svg.position(data)
    assert shown(text, "Province 6: Middle Weser") == ["pawn"]
    assert "Province 5" not in svg.position(fresh("hansa", 3))


def test_a_view_hides_what_it_must() -> None:
    game = hansa.Game.new(board="hansa", players=3, missions=True, seed=4)
    text = svg.position(game.view("p1"), desks=True)
    assert text.count("secret</text>") == 2
    names = {city["id"]: city["name"] for city in board_data("hansa-23")["cities"]}
    own = game.to_dict()["players"]["p1"]["mission"] or []
    assert " · ".join(names[city] for city in own) in text


def test_desks_show_names_levels_and_stock() -> None:
    data = fresh()
    text = svg.position(data, desks=True, names={"p1": "Alheyd <3", "p2": "Bertram"})
    assert "Desk of Alheyd &lt;3" in text
    assert "Desk of Gold" in text
    data["players"]["p1"]["skills"]["keys"] = 9
    with pytest.raises(hansa.InvalidPosition, match=r"players\.p1\.skills\.keys"):
        svg.position(data, desks=True)


def test_structure_of_a_small_position(snapshot) -> None:
    data = fresh("hansa", 2)
    data["pawn"] = 9
    data["routes"]["muenster-minden"]["posts"] = ["p1:t", "p2:m", None]
    data["cities"]["minden"]["offices"] = ["p1:t", "p2:t", None, None]
    data["cities"]["emden"] = {"offices": ["p2:m", "p1:t"], "extra": ["p1:t"]}
    data["prestige"]["8"] = "p1"
    data["east_west"] = ["p2"]
    data["favours"] = ["city"]
    assert outline(svg.position(data, highlight=["minden", "muenster-minden/3"])) == snapshot


PLAYED = [
    ("hansa", 4, {}),
    ("hansa", 2, {}),
    ("hansa", 5, {"favours": True, "missions": True}),
    ("east", 5, {}),
    ("britannia", 5, {}),
    ("britannia", 2, {}),
    ("hansa", 3, {"promos": ("exchange", "block", "tribute")}),
]


@pytest.mark.parametrize(("board", "players", "setup"), PLAYED)
def test_positions_of_played_games(board: str, players: int, setup: dict[str, Any]) -> None:
    """Every position of a game can be drawn, also in the middle of an action; sums agree with the game."""
    chance = random.Random(f"{board} {players}")
    game = hansa.Game.new(board=board, players=players, seed=11, **setup)
    for number in range(240):
        if game.over:
            break
        action = chance.choice(game.legal_actions())
        if number % 40 == 0 or (game.phase != "turn" and number % 9 == 0):
            data = game.to_dict()
            read = read_position(data)
            assert {city: game.control(city) for city in data["cities"]} == read.control
            assert game.completed == read.completed
            for player in data["players"]:
                assert read.stock(player) == game.stock(player), (number, data["pending"])
            ET.fromstring(svg.action(data, str(action)))
            ET.fromstring(svg.position(game.view(None), desks=True))
        game.play(action)


@pytest.mark.parametrize(
    "text",
    [
        "income 2 1",
        "place t groningen-emden/1",
        "displace m groningen-emden/2",
        "lift groningen-emden/2",
        "put t emden-osnabrueck/1",
        "take groningen-emden/2",
        "take t",
        "establish groningen-emden none",
        "establish groningen-emden office emden",
        "establish groningen-emden extra emden t",
        "establish groningen-emden skill book",
        "establish coellen-warburg prestige 8",
        "use plus3",
        "use skill bank",
        "use swap minden 2",
        "use exchange p2 plus3",
        "use tribute groningen-emden",
        "use block groningen-emden",
        "favour city",
        "spend plus3",
        "fee swap",
        "neutral groningen-emden emden",
        "lay plus4 groningen-emden",
        "pay m",
        "end",
        "done",
    ],
)
def test_every_decision_has_a_picture(text: str) -> None:
    data = fresh()
    data["routes"]["groningen-emden"]["posts"] = [None, "p2:t", None]
    picture = svg.action(data, text)
    ET.fromstring(picture)
    assert text in picture


@pytest.mark.parametrize(
    "text", ["income 1 1", "use plus3", "lay swap emden-stade", "favour city", "end"]
)
def test_a_decision_by_itself(text: str) -> None:
    ET.fromstring(svg.card(text))
    assert text in svg.card(text, theme="dark")


@pytest.mark.parametrize("text", ["", "dance", "use cannon"])
def test_a_card_of_nothing(text: str) -> None:
    with pytest.raises(hansa.MalformedAction):
        svg.card(text)


def test_decisions_of_the_other_boards() -> None:
    duel = fresh("hansa", 2)
    assert ">pawn 7</tspan>" in svg.action(duel, "pawn 7")
    duel["pawn"] = 3
    assert ">walk 2</tspan>" in svg.action(duel, "walk 2")
    assert ">green waren m</tspan>" in svg.action(fresh("east", 3), "green waren m")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dance",
        "place x groningen-emden/1",
        "place t groningen-emden/9",
        "place t atlantis/1",
        "establish atlantis none",
        "establish groningen-emden office minden",
        "establish groningen-emden skill keys",
        "establish groningen-emden party",
        "establish coellen-warburg prestige 5",
        "use cannon",
        "use exchange p2",
        "pawn 99",
        "lay plus4 atlantis",
        "green emden t",
    ],
)
def test_a_text_that_is_no_decision_is_refused(text: str) -> None:
    with pytest.raises(hansa.MalformedAction):
        svg.action(fresh(), text)


@pytest.mark.parametrize(
    "place",
    [
        "atlantis",
        "minden:9",
        "minden:keys",
        "groningen-emden/4",
        "prestige:5",
        "province:99",
        "pawn",
    ],
)
def test_a_place_that_is_none_is_named(place: str) -> None:
    with pytest.raises(ValueError, match=re.escape(place)):
        svg.position(fresh(), highlight=[place])


def broken(path: str, value: Any) -> dict[str, Any]:
    data = fresh()
    *parents, last = path.split(".")
    spot = data
    for key in parents:
        spot = spot[key]
    spot[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("game.board", "mars", "game.board"),
        ("game.players", 9, "game.players"),
        ("game.players", "three", "game.players"),
        ("routes.atlantis", {}, "routes.atlantis"),
        ("routes.groningen-emden.posts", ["p1:t"], "routes.groningen-emden.posts"),
        ("routes.groningen-emden.posts", ["p1:x", None, None], r"posts\[0\]"),
        ("routes.groningen-emden.posts", [7, None, None], r"posts\[0\]"),
        ("routes.groningen-emden.marker", "cannon", "routes.groningen-emden.marker"),
        ("routes.groningen-emden.laid", ["p9:block"], "routes.groningen-emden.laid"),
        ("cities.atlantis", {}, "cities.atlantis"),
        ("cities.minden.offices", [None], "cities.minden.offices"),
        ("cities.minden.extra", ["p1"], r"cities.minden.extra\[0\]"),
        ("players.p5", {}, "players.p5"),
        ("players.p1.points", "many", "players.p1.points"),
        ("prestige.5", "p1", "prestige.5"),
        ("prestige.7", "p9", "prestige.7"),
        ("east_west", ["nobody"], "east_west"),
        ("favours", ["luck"], "favours"),
        ("pawn", 99, "pawn"),
        ("player", "p9", "player"),
        ("routes", [], "routes"),
    ],
)
def test_bad_positions_name_the_place(path: str, value: Any, words: str) -> None:
    with pytest.raises(hansa.InvalidPosition, match=words):
        svg.position(broken(path, value))


@pytest.mark.parametrize("data", [None, [], "hansa", {}, {"game": None}])
def test_what_is_no_position_at_all(data: Any) -> None:
    with pytest.raises(hansa.InvalidPosition):
        svg.position(data)


@pytest.mark.parametrize("setup", list(all_setups(((),))), ids=repr)
def test_every_set_up_has_a_picture(setup):
    game = hansa.Game(setup, setup.new_state())
    assert svg.position(game.to_dict()).startswith("<svg")
