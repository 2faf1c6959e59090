"""Every picture is valid, small, complete in itself and readable by a screen reader."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

import hansa
from hansa import svg
from hansa.boards import BOARD_IDS as BOARDS
from hansa.svg.data import board_data
from hansa.svg.symbols import symbols
from hansa.svg.theme import THEMES, tokens

SVG = "{http://www.w3.org/2000/svg}"
LIMIT = 150_000
SETUPS = {
    "hansa-23": {"board": "hansa", "players": 3},
    "hansa-45": {"board": "hansa", "players": 5},
    "east": {"board": "east", "players": 5},
    "britannia-23": {"board": "britannia", "players": 3},
    "britannia-45": {"board": "britannia", "players": 5},
}


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)


def check(text: str) -> ET.Element:
    """Well-formed, every reference has its target, every id stands once."""
    root = parsed(text)
    ids = [item.get("id") for item in root.iter() if item.get("id")]
    assert len(ids) == len(set(ids))
    referred = set(re.findall(r'href="#([\w-]+)"', text)) | set(
        re.findall(r"url\(#([\w-]+)\)", text)
    )
    assert referred <= set(ids)
    assert root.find(f"{SVG}title") is not None
    return root


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("board_id", BOARDS)
def test_empty_board(board_id: str, theme: str) -> None:
    text = svg.board(board_id, theme=theme)
    root = check(text)
    assert len(text.encode()) < LIMIT
    data = board_data(board_id)
    groups = {item.get("id", "") for item in root.iter(f"{SVG}g")}
    for city in data["cities"]:
        assert any(name.startswith(f"city-{city['id']}-") for name in groups)
    for route in data["routes"]:
        assert any(name.startswith(f"route-{route['id']}-") for name in groups)


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_fixed_themes_need_no_custom_properties(theme: str) -> None:
    assert "var(" not in svg.board("east", theme=theme)


def test_auto_theme_follows_the_reader() -> None:
    text = svg.board("east", theme="auto")
    assert "prefers-color-scheme:dark" in text
    assert tokens("dark")["land"] in text
    assert tokens("light")["land"] in text


@pytest.mark.parametrize("board_id", BOARDS)
def test_full_position_with_desks_stays_small(board_id: str) -> None:
    text = svg.position(crowded(board_id), desks=True)
    check(text)
    assert len(text.encode()) < 250_000


def crowded(board_id: str) -> dict[str, object]:
    """Every post and house taken, a marker on each route, two stalls in each city."""
    setup = SETUPS[board_id]
    game = hansa.Game.new(**setup)  # type: ignore[arg-type]
    data = game.to_dict()
    board, players = board_data(board_id), int(str(setup["players"]))
    for n, route in enumerate(board["routes"]):
        data["routes"][route["id"]]["posts"] = [
            f"p{(n + i) % players + 1}:{'m' if post.get('ship') or i % 3 == 2 else 't'}"
            for i, post in enumerate(route["posts"])
        ]
        data["routes"][route["id"]]["marker"] = None if route.get("permanent") else "plus3"
    for n, city in enumerate(board["cities"]):
        if city.get("green"):
            data["cities"][city["id"]]["offices"] = [f"p{i + 1}:t" for i in range(4)]
            continue
        data["cities"][city["id"]]["offices"] = [
            f"p{(n + i) % players + 1}:{house['shape'][0]}"
            for i, house in enumerate(city["houses"])
        ]
        data["cities"][city["id"]]["extra"] = ["p1:t", "p2:m"]
    return {**data}


def test_size_sets_the_pixels() -> None:
    root = parsed(svg.board("hansa-45", size=600))
    assert root.get("width") == "600"
    assert float(str(root.get("height"))) == pytest.approx(600 * 743.2 / 1000, abs=0.1)


def test_two_themes_may_share_a_page() -> None:
    light, dark = (parsed(svg.board("east", theme=theme)) for theme in ("light", "dark"))
    ids = [{item.get("id") for item in root.iter() if item.get("id")} for root in (light, dark)]
    assert not ids[0] & ids[1]


def test_fragments_for_the_page() -> None:
    known = set(symbols())
    for board_id in BOARDS:
        ground = svg.ground(board_id)
        own = set(re.findall(r'\bid="([\w-]+)"', ground))
        referred = set(re.findall(r'href="#([\w-]+)"', ground)) | set(
            re.findall(r"url\(#([\w-]+)\)", ground)
        )
        assert referred <= own | known
        parsed(ground.replace("<g", '<g xmlns="http://www.w3.org/2000/svg"', 1))
        assert len(ground) < 60_000
    parsed(svg.defs())


def test_every_token_of_the_drawing_exists() -> None:
    drawn = svg.defs() + "".join(svg.ground(board_id) for board_id in BOARDS)
    switches = {"mark", "letter", "ih", "grain", "vignette"}
    for name in set(re.findall(r"var\(--([\w-]+)", drawn)) - switches:
        for theme in ("light", "dark", "print"):
            assert name in tokens(theme), name


def test_pictures_are_the_same_every_time() -> None:
    assert svg.board("britannia-45") == svg.board("britannia-45")


def test_letters_replace_house_marks() -> None:
    data = hansa.Game.new(board="hansa", players=3).to_dict()
    data["routes"]["groningen-emden"]["posts"] = ["p1:t", None, "p2:m"]
    assert ">R</text>" in svg.position(data, letters=True)
    assert ">R</text>" not in svg.position(data)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: svg.board("atlantis"), "atlantis"),
        (lambda: svg.board("east", theme="neon"), "neon"),
        (lambda: svg.board("east", size=0), "size"),
        (lambda: svg.ground("east", "neon"), "neon"),
        (lambda: svg.geometry("hansa"), "hansa-45"),
    ],
)
def test_wrong_wishes_are_named(call, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
