"""Positions in one line and as bytes: every position of every set-up goes there and back."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.playing import mixed

import hansa
from hansa import scenarios
from hansa.lines import FIELDS
from hansa.rules.catalogue import FRAMES
from hansa.setup import all_setups

SETUPS = [setup.with_seed(k) for k, setup in enumerate(all_setups())]


def positions(setup: hansa.Setup, decisions: int, every: int) -> list[hansa.Game]:
    game, chance, found = hansa.Game(setup, setup.new_state()), random.Random(setup.seed), []
    for k in range(decisions):
        if k % every == 0:
            found.append(game.copy())
        if game.over:
            break
        game.play(mixed(game, chance))
    return [*found, game]


@pytest.mark.parametrize("setup", SETUPS[::5], ids=repr)
def test_every_position_goes_there_and_back(setup):
    for game in positions(setup, 220, 11):
        line = game.to_line()
        again = hansa.Game.from_line(line)
        assert again == game
        assert again.to_dict() == game.to_dict()
        assert again.to_line() == line
        assert line.isascii()
        assert line.isprintable()
        packed = game.pack()
        assert hansa.Game.unpack(packed) == game
        assert hansa.Game.unpack(packed).pack() == packed
        assert hansa.Game.unpack(memoryview(bytearray(packed))).legal_ids() == game.legal_ids()


def told(scenario: scenarios.Scenario) -> list[hansa.Game]:
    """The positions of a scenario, as far as it can be played."""
    found: list[hansa.Game] = []
    with contextlib.suppress(hansa.HansaError):
        game = hansa.Game.from_dict({**(scenario.position or {}), "game": scenario.game})
        found.append(game.copy())
        for step in scenario.play:
            game.play(step.rpartition("> ")[2])
            found.append(game.copy())
    return found


def test_inside_things_too():
    """The scenarios stop in the middle of everything there is."""
    phases = set()
    for path in sorted((Path(__file__).parent / "scenarios").glob("*.yaml")):
        for scenario in scenarios.load(path):
            for game in told(scenario):
                phases.add(game.phase)
                assert hansa.Game.from_line(game.to_line()).to_dict() == game.to_dict()
    asked = {frame.name for frame in FRAMES if frame.legal is not None and not frame.phase}
    assert phases >= asked | {"turn", "neutral", "income", "tribute", "move", "move3", "perm-move2"}


def test_the_middle_of_a_game_is_short():
    lengths = []
    for setup in SETUPS[::4]:
        for game in positions(setup, 300, 20)[5:]:
            lengths.append(len(game.to_line()))
    assert sorted(lengths)[len(lengths) * 9 // 10] < 400


def test_the_form_is_pinned():
    game = hansa.Game.new(board="hansa", players=3, seed=7)
    game.play("place t groningen-emden/1")
    assert game.to_line() == PINNED
    assert len(PINNED.split(" ")) == 1 + len(FIELDS)


PINNED = (
    "hansa1 hansa/3/bigbox/7 1,p1,1,at 0,4.1,00000/0,6.1,00000/0,7.1,00000 42a58 17a2b4h6 57 - .... "
    "dhcecbabaead - -"
)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda line: "", "begins with 'hansa1' and has 11 fields"),
        (lambda line: line + " x", "begins with 'hansa1'"),
        (lambda line: line.replace("hansa/3", "atlantis/3"), "unknown board 'atlantis'"),
        (lambda line: line.replace("hansa/3", "hansa/9"), "players must be a whole number"),
        (lambda line: line.replace("p1", "p7"), "active"),
        (lambda line: line.replace(" 42a", " 41a"), "posts: 100 instead of 101"),
        (lambda line: line.replace(" 42a", " 42?"), "posts"),
        (lambda line: line.replace(" 42a", " 99999999999a"), "more than there are"),
        (lambda line: line[:-1] + "dance.p1", "unknown pending decision 'dance'"),
        (lambda line: line[:-1] + "finish.p1", "nothing of this waits"),
    ],
)
def test_damaged_lines_say_what_is_wrong(change, message):
    game = hansa.Game.new(board="hansa", players=3, seed=7)
    game.play("place t groningen-emden/1")
    with pytest.raises(hansa.HansaError, match=message):
        hansa.Game.from_line(change(game.to_line()))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_damage_ends_in_another_error(data):
    setup = data.draw(st.sampled_from(SETUPS))
    game = positions(setup, data.draw(st.integers(0, 60)), 100)[-1]
    line = game.to_line()
    at = data.draw(st.integers(0, len(line) - 1))
    sign = data.draw(st.characters(min_codepoint=32, max_codepoint=126))
    for damaged in (line[:at] + sign + line[at + 1 :], line[:at], line[:at] + sign + line[at:]):
        with contextlib.suppress(hansa.HansaError):
            hansa.Game.from_line(damaged)
    packed = bytearray(game.pack())
    packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(hansa.HansaError):
        hansa.Game.unpack(bytes(packed))


def test_other_things_are_refused():
    with pytest.raises(hansa.InvalidPosition, match="a position in one line is a text"):
        hansa.Game.from_line(7)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(hansa.InvalidPosition, match="made of bytes"):
        hansa.Game.unpack("text")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(hansa.InvalidPosition, match="another version of hansa"):
        hansa.Game.unpack(b"1234")


class TestIsLegal:
    game = hansa.Game.new(board="hansa", players=3, seed=7)

    @pytest.mark.parametrize("what", ["end", hansa.Action("end"), 1, "income 1 0"])
    def test_what_may_be_played(self, what):
        assert self.game.is_legal(what)

    @pytest.mark.parametrize(
        "what", ["done", "dance", "", 0, -5, 10**9, "place t conway-chester/1"]
    )
    def test_what_may_not(self, what):
        assert not self.game.is_legal(what)

    def test_an_action_equals_its_text(self):
        assert "end" in self.game.legal_actions()
        assert "done" not in self.game.legal_actions()
        with pytest.raises(TypeError):
            self.game.is_legal(1.5)  # type: ignore[arg-type]  # on purpose
