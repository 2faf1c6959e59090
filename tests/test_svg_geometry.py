"""Nothing touches what it must not: names, houses, stalls, roads and markers on all five boards."""

from __future__ import annotations

import itertools
import json
from math import dist
from typing import TYPE_CHECKING, Any

import pytest

from hansa import svg
from hansa.boards import BOARD_IDS as BOARDS
from hansa.svg import cities, places, rows, stalls
from hansa.svg.curves import Rect, sample
from hansa.svg.data import board_data
from hansa.svg.furniture import pins, spread

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(params=BOARDS)
def geo(request: pytest.FixtureRequest) -> dict[str, Any]:
    return svg.geometry(request.param)


def posts(geo: dict[str, Any]) -> dict[str, tuple[float, float]]:
    return {
        post["id"]: (post["x"], post["y"])
        for route in geo["routes"].values()
        for post in route["posts"]
    }


def test_geometry_is_plain_json(geo: dict[str, Any]) -> None:
    assert json.loads(json.dumps(geo)) == geo
    assert len(json.dumps(geo)) < 120_000


def test_geometry_is_a_copy(geo: dict[str, Any]) -> None:
    geo["cities"].clear()
    assert svg.geometry(geo["board"])["cities"]


def test_every_city_route_and_post_has_a_place(geo: dict[str, Any]) -> None:
    data = board_data(geo["board"])
    assert set(geo["cities"]) == {city["id"] for city in data["cities"]}
    assert set(geo["routes"]) == {route["id"] for route in data["routes"]}
    for route in data["routes"]:
        assert len(geo["routes"][route["id"]]["posts"]) == len(route["posts"])


def test_names_are_clear_of_posts(geo: dict[str, Any]) -> None:
    radius = cities.POST * geo["scale"]
    for name, town in geo["cities"].items():
        for post, point in posts(geo).items():
            assert Rect(*town["label"]["rect"]).distance(point) >= radius, (name, post)


def rows_and_stalls(geo: dict[str, Any]) -> Iterator[tuple[str, int, dict[str, Rect]]]:
    """Every city with 0, 1, 2 … extra offices: its houses and what stands beside them."""
    k = geo["scale"]
    for name, town in geo["cities"].items():
        for extra, row in enumerate(town["rows"]):
            x, y, w, h = town["rect"]
            rects = {"houses": Rect(x + row["shift"], y, w, h)}
            if row["stalls"]:
                left, right = row["stalls"][0], row["stalls"][-1] + stalls.STALL * k
                rects["stalls"] = Rect(left, row["y"] - 26.5 * k, right - left, 26.5 * k)
            yield name, extra, rects


def test_any_number_of_extra_offices_is_clear_of_posts(geo: dict[str, Any]) -> None:
    radius = cities.POST * geo["scale"]
    for name, extra, rects in rows_and_stalls(geo):
        for what, rect in rects.items():
            for post, point in posts(geo).items():
                assert rect.distance(point) >= radius - 0.01, (name, extra, what, post)


def test_any_number_of_extra_offices_is_clear_of_other_cities(geo: dict[str, Any]) -> None:
    for name, extra, rects in rows_and_stalls(geo):
        for other, town in geo["cities"].items():
            for part in (town["rect"], town["label"]["rect"]) if other != name else ():
                for what, rect in rects.items():
                    assert not rect.overlaps(Rect(*part)), (name, extra, what, other)


def test_two_and_more_extra_offices_cover_no_marker(geo: dict[str, Any]) -> None:
    """One stands where the search for markers keeps room for it if it can."""
    spots = {name: (r["marker"]["x"], r["marker"]["y"]) for name, r in geo["routes"].items()}
    for name, extra, rects in rows_and_stalls(geo):
        wide = extra > 1 and len(geo["cities"][name]["rows"][extra]["stalls"]) > 1
        for route, point in spots.items() if wide else ():
            distance = rects["stalls"].distance(point)
            assert distance >= places.MARKER * geo["scale"] - 0.01, (name, extra, route)


def test_every_extra_office_has_a_place_of_its_own(geo: dict[str, Any]) -> None:
    for name, town in geo["cities"].items():
        if town["green"]:
            continue
        assert len(town["rows"]) == rows.MAX_EXTRA + 1
        for extra, row in enumerate(town["rows"]):
            assert len(row["extra"]) == extra
            assert row["shared"] == (extra > len(row["stalls"]))
            for (x, y, size), (x2, y2, other) in itertools.combinations(row["extra"], 2):
                apart = 16.6 * min(size, other)
                assert max(abs(x - x2), abs(y - y2)) >= apart, (name, extra)
            left = [x for x, _, _ in row["extra"]]
            in_stalls = left[extra - len(row["stalls"]) + 1 :] if row["stalls"] else []
            assert in_stalls == sorted(in_stalls)  # GEO-6: the newest is outermost


def test_names_do_not_touch_each_other_or_houses(geo: dict[str, Any]) -> None:
    towns = geo["cities"]
    for name, town in towns.items():
        for other, neighbour in towns.items():
            if name != other:
                label = Rect(*town["label"]["rect"])
                assert not label.overlaps(Rect(*neighbour["label"]["rect"])), (name, other)
                assert not label.overlaps(Rect(*neighbour["rect"])), (name, other)


def test_roads_do_not_run_through_names(geo: dict[str, Any]) -> None:
    """A road may start under its own city's name; it never crosses a name."""
    for route_id, route in geo["routes"].items():
        line = sample(places.route_points(geo["board"], route_id))
        for name, town in geo["cities"].items():
            x, y, w, h = town["label"]["rect"]
            own = name in route["cities"]
            body = Rect(x, y, w, h - 4 * geo["scale"]) if own else Rect(x, y, w, h)
            assert all(body.distance(point) > 0 for point in line), (route_id, name)


def test_roads_keep_clear_of_other_cities_and_of_badges(geo: dict[str, Any]) -> None:
    """Half a road's width from houses and names it has nothing to do with, and from every badge."""
    k = geo["scale"]
    for route_id, route in geo["routes"].items():
        line = sample(places.route_points(geo["board"], route_id))
        for name, town in geo["cities"].items():
            for badge in town["badges"]:
                assert min(dist((badge["x"], badge["y"]), p) for p in line) >= 18 * k, route_id
            for part in () if name in route["cities"] else (town["rect"], town["label"]["rect"]):
                assert min(Rect(*part).distance(p) for p in line) >= 3.6 * k, (route_id, name)


def test_posts_do_not_touch_each_other(geo: dict[str, Any]) -> None:
    points = list(posts(geo).items())
    for i, (first, a) in enumerate(points):
        for second, b in points[i + 1 :]:
            assert dist(a, b) > 2 * cities.POST * geo["scale"], (first, second)


def test_markers_are_clear_of_everything(geo: dict[str, Any]) -> None:
    radius = places.MARKER * geo["scale"]
    things = places.obstacles(geo["board"])
    air = 2 * geo["scale"]
    spots = {name: (r["marker"]["x"], r["marker"]["y"]) for name, r in geo["routes"].items()}
    for name, point in spots.items():
        assert things.clearance(point) >= radius + air, (geo["board"], name)
        for other, place in spots.items():
            if other > name:
                assert dist(point, place) >= 2 * radius - 1, (name, other)


def test_laid_markers_are_clear_of_posts_where_they_are_played() -> None:
    for board_id in ("hansa-45", "hansa-23"):
        geo = svg.geometry(board_id)
        for name, route in geo["routes"].items():
            for spot, (post, point) in itertools.product(route["laid"], posts(geo).items()):
                apart = dist((spot["x"], spot["y"]), point)
                assert apart >= places.LAID + cities.POST + 1, (name, post)


def test_soldiers_and_provinces_are_clear_of_posts() -> None:
    """A soldier is 7 wide to either side and 16 high; the number of a province stands in a ring of 8.5."""
    geo = svg.geometry("hansa-23")
    rings = [(item["x"], item["y"], 10.0) for item in (*geo["soldiers"], *geo["provinces"])]
    for x, y, radius in rings:
        for post, point in posts(geo).items():
            assert dist((x, y), point) >= radius + cities.POST + 2, post


def test_nothing_is_cut_off(geo: dict[str, Any]) -> None:
    width, height = geo["size"]
    frame = Rect(12, 12, width - 24, height - 24)
    rects = [geo["prestige"]["rect"], geo["completed"]["rect"], geo["link"]["rect"]]
    for town in geo["cities"].values():
        rects += [town["rect"], town["label"]["rect"], *(row["plinth"] for row in town["rows"])]
    for x, y, w, h in rects:
        assert frame.x <= x
        assert frame.y <= y
        assert x + w <= frame.x + frame.w
        assert y + h <= frame.y + frame.h


def test_panels_cover_nothing(geo: dict[str, Any]) -> None:
    panels = [Rect(*geo[part]["rect"]) for part in ("prestige", "completed", "link")]
    panels += [Rect(*item["rect"]) for item in geo["countries"]]
    for panel in panels:
        for point in posts(geo).values():
            assert panel.distance(point) > cities.POST * geo["scale"]
        for town in geo["cities"].values():
            assert not panel.overlaps(Rect(*town["rect"]))
            assert not panel.overlaps(Rect(*town["label"]["rect"]))


def test_provinces_and_soldiers_belong_to_the_pawn_duel() -> None:
    geo = svg.geometry("hansa-23")
    assert [item["id"] for item in geo["provinces"]] == list(range(1, 17))
    assert len(geo["soldiers"]) == 4
    assert svg.geometry("hansa-45")["provinces"] == []


def test_permits_stand_where_permissions_come_from() -> None:
    def flags(board_id: str) -> dict[str, list[str]]:
        towns = svg.geometry(board_id)["cities"].items()
        return {
            name: [flag["region"] for flag in town["permits"]]
            for name, town in towns
            if town["permits"]
        }

    assert flags("britannia-45") == {
        "cardiff": ["wales"],
        "carlisle": ["scotland"],
        "london": ["wales", "scotland"],
    }
    assert flags("britannia-23") == {"cardiff": ["wales"], "london": ["wales"]}


def test_pins_of_one_score_stand_on_each_other() -> None:
    found = pins({"p1": 3, "p2": 0, "p3": 3, "p4": 3}, 30, 40, 940, 1)
    assert [(player, x, rise) for player, x, _, rise in found] == [
        ("p2", 40, 0),
        ("p1", 130, 0),
        ("p3", 130, 10.5),
        ("p4", 130, 21),
    ]


def test_pins_spread_but_stay_near() -> None:
    assert spread([100, 300], 16, 0, 1000) == [100, 300]
    assert spread([100, 100, 100], 16, 0, 1000) == [84, 100, 116]
    assert spread([0, 0], 16, 10, 1000) == [10, 26]
    crowd = spread([100, 105, 110, 400], 16, 0, 1000)
    assert all(b - a >= 16 - 1e-9 for a, b in itertools.pairwise(crowd))
    assert crowd[3] == 400
