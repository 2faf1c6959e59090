"""The reference by itself: games of every set-up come to an end, soundly."""

import random

import pytest
from tests.oracle import reference
from tests.oracle.invariants import complaints, marker_count, never_falls
from tests.oracle.offices import control, has_link, network_size
from tests.oracle.policy import choose
from tests.oracle.rich import rich
from tests.oracle.scoring import region_points
from tests.oracle.setups import fresh, name, setup, spread

SETUPS = list(spread())


@pytest.mark.parametrize("index", range(len(SETUPS)), ids=[name(game) for game in SETUPS])
def test_rich_positions_play_on_soundly(index):
    rng = random.Random(index)
    pos = rich(SETUPS[index], rng)
    markers = marker_count(pos)
    for _ in range(30):
        texts = reference.legal(pos)
        assert bool(texts) != pos["over"]
        if pos["over"]:
            break
        after = reference.play(pos, choose(pos, texts, rng, wild=True))
        assert not complaints(after)
        assert marker_count(after) == markers
        grown = zip(never_falls(pos), never_falls(after), strict=True)
        assert all(old <= new for old, new in grown)
        pos = after


@pytest.mark.parametrize("board", ["hansa", "east", "britannia"])
def test_a_game_comes_to_an_end(board):
    rng = random.Random(3)
    pos = fresh(setup(board, 3, "bigbox"), rng)
    for _ in range(3000):
        if pos["over"]:
            break
        pos = reference.play(pos, choose(pos, reference.legal(pos), rng))
    assert pos["over"]
    assert pos["end_reason"] in {"prestige", "markers", "cities"}


@pytest.mark.rule("CONTROL-1", "CONTROL-2", "CONTROL-3")
def test_control_as_in_example_11():
    pos = fresh(setup("hansa", 3, "bigbox"), random.Random(0))
    minden = pos["cities"]["minden"]
    assert control(pos, "minden") is None
    minden["offices"][:2] = ["p1:t", "p2:t"]
    assert control(pos, "minden") == "p2"
    minden["extra"] = ["p1:t"]
    assert control(pos, "minden") == "p1"
    minden["offices"][2], minden["extra"] = "p1:t", ["p2:t"]
    assert control(pos, "minden") == "p1"
    minden["extra"] = ["p2:t", "p2:t"]
    assert control(pos, "minden") == "p2"


@pytest.mark.rule("LINK-2", "SCORE-F-1", "SCORE-F-2")
def test_link_and_network():
    pos = fresh(setup("hansa", 3, "bigbox"), random.Random(0))
    for city in ("arnheim", "muenster", "minden", "brunswiek"):
        pos["cities"][city]["offices"][0] = "p1:t"
    assert not has_link(pos, "p1")
    pos["cities"]["stendal"]["offices"][0] = "p1:t"
    pos["cities"]["minden"]["extra"] = ["p1:t"]
    pos["cities"]["emden"]["offices"][0] = "p1:m"
    assert has_link(pos, "p1")
    assert network_size(pos, "p1") == 6


@pytest.mark.rule("BRIT-SCORE-1", "BRIT-SCORE-4", "BRIT-SCORE-5")
def test_regions_as_in_example_27():
    pos = fresh(setup("britannia", 4, "bigbox"), random.Random(0))
    cities = pos["cities"]
    cities["cardiff"]["offices"][:4] = ["p3:t", "p4:t", "p1:t", "p1:t"]
    cities["chester"]["offices"] = ["p3:t", "p1:t", "p1:t"]
    cities["conway"]["offices"] = ["p4:t", "p2:t"]
    cities["montgomery"]["offices"] = ["p2:t", "p2:t"]
    assert region_points(pos, "wales") == {"p1": 7, "p2": 4, "p3": 1, "p4": 1}
