"""A part of a board shows the places asked for, and what players have, in any language."""

from __future__ import annotations

import re

import pytest
from tests.test_svg_documents import SVG, check

import hansa
from hansa import svg
from hansa.svg.crop import around, within
from hansa.svg.geometry import shared_geometry

GAME = hansa.Game.new(board="hansa", players=3, seed=7).to_dict()


def groups(text: str) -> set[str]:
    return set(re.findall(r'<g id="((?:city|route)-[\w-]+?)(?:-light)?"', text))


def test_what_is_far_away_is_not_drawn():
    part = svg.part(GAME, ["hamburg", "luebeck"])
    text = part.document("Hamburg and Lübeck")
    check(text)
    assert {"city-hamburg", "city-luebeck", "route-hamburg-luebeck"} <= groups(text)
    assert not {"city-coellen", "route-coellen-warburg"} & groups(text)
    assert len(text) < len(svg.position(GAME))
    assert part.view == part.frame


def test_the_whole_board_without_its_ribbon():
    part = svg.part(GAME)
    assert part.frame == (0.0, 0.0, *shared_geometry("hansa-23")["size"])
    assert len(groups(part.furniture)) == 27 + 32


@pytest.mark.parametrize("board_id", ["hansa-45", "east", "britannia-45"])
def test_every_city_is_inside_its_own_part(board_id: str):
    geo = shared_geometry(board_id)
    for name, city in geo["cities"].items():
        x, y, width, height = around(geo, [name])
        left, top, wide, high = city["rect"]
        assert x <= left
        assert y <= top
        assert left + wide <= x + width
        assert top + high <= y + height
        assert name in within(geo, (x, y, width, height))["cities"]


def test_panels_are_places_too():
    shown = svg.part(GAME, ["coellen", "warburg", "prestige"]).furniture
    assert "Prestige spaces" in shown
    assert "Completed cities" not in shown
    with pytest.raises(ValueError, match="'atlantis' is no city"):
        svg.part(GAME, ["atlantis"])


def test_supply_and_stock_in_another_language():
    german = {"supply": "Vorrat", "stock": "Lager", "keys": "Schlüssel"}
    part = svg.part(GAME, None, stores_of=["p1"], desks_of=["p2"], words=german)
    root = check(part.document("what they have"))
    said = [node.text for node in root.iter(f"{SVG}text")]
    assert said.count("VORRAT") == 2
    assert "Schlüssel" in said
    assert "Actions" in said
    assert not any(word in said for word in ("SUPPLY", "STOCK", "Keys"))
    assert said[said.index("VORRAT") + 1] == "5"  # SETUP-10: the first seat's traders


def test_a_page_may_bring_its_own_ground():
    part = svg.part(GAME, ["hamburg"])
    assert '<g class="ground">' in part.markup()
    assert '<g class="ground">' not in part.markup('<use href="#ground"/>')
    assert '<use href="#ground"/>' in part.markup('<use href="#ground"/>')
