"""Records that live: headers, comments and variations are kept, several games share a file."""

from __future__ import annotations

import copy
import pickle
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.playing import mixed

import hansa
from hansa import cli
from hansa.records import HEADERS, MOST_NESTED, parse_record, parse_records

ROOT = Path(__file__).parent.parent
TEXT = """\
Hansa record 1
Setup: {"board": "hansa", "players": 3, "edition": "bigbox", "seed": 7, "missions": false, "favours": false, "promos": [], "duel": null, "border_fee": false}
Seats: {"p1": "Ada"}
Event: Club evening: the third
Date: 2026-11-16

# Everybody was tired.
# turn 1
p1> place t groningen-emden/1
# Too slow?
(
  # He thought of this.
  p1> income 2 0
  (
    p1> income 1 0
  )
  p1> end
  # It would be p2's turn.
)
(
  p1> end
)
p1> end
# turn 2
p2> income 3 0
# To be continued.
"""


def test_everything_is_kept():
    game = hansa.Game.from_record(TEXT)
    assert game.record() == TEXT
    assert game.headers == {"Event": "Club evening: the third", "Date": "2026-11-16"}
    assert game.comments == {
        0: ["Everybody was tired."],
        1: ["Too slow?"],
        3: ["To be continued."],
    }
    first, second = game.variations[0]
    assert first.decisions == [("p1", "income 2 0"), ("p1", "end")]
    assert first.comments == {0: ["He thought of this."], 2: ["It would be p2's turn."]}
    assert first.variations[0][0].decisions == [("p1", "income 1 0")]
    assert second.decisions == [("p1", "end")]


@pytest.mark.parametrize("form", ["\ufeff" + TEXT, TEXT.replace("\n", "\r\n"), TEXT + "\n\n"])
def test_other_editors(form):
    assert hansa.Game.from_record(form).record() == TEXT


def test_a_comment_may_stand_after_the_mark_of_a_turn():
    moved = TEXT.replace("# Everybody was tired.\n# turn 1\n", "# turn 1\n# Everybody was tired.\n")
    assert hansa.Game.from_record(moved).record() == TEXT


@pytest.mark.parametrize(
    "made", [hansa.Game.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))]
)
def test_copies_have_their_own(made):
    game = hansa.Game.from_record(TEXT)
    twin = made(game)
    twin.headers["Event"] = "another"
    twin.comments[0].append("more")
    twin.variations[0][0].comments[0].append("more")
    twin.add_variation(0, ["income 1 0"])
    assert game.record() == TEXT
    assert len(twin.variations[0]) == 3


def test_what_is_said_of_a_decision_goes_with_it():
    game = hansa.Game.from_record(TEXT)
    game.undo()
    assert sorted(game.comments) == [0, 1]
    game.undo()
    game.undo()
    assert game.comments == {0: ["Everybody was tired."]}
    assert game.variations == {}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  p1> income 2 0", "  p1> income 9 0", "line 13: 'income 9 0' is not legal now"),
        ("    p1> income 1 0", "    p2> income 1 0", "line 15: p1 decides here, not p2"),
        ("(\n  p1> end\n)\n", "(\n  p1> end\n", "line 25: a variation is not closed"),
        ("p1> end\n# turn 2", ")\n# turn 2", "no variation is open here"),
        ("# turn 1\n", "(\n", "no decision to vary stands above"),
        ("Date:", "Event:", "line 5: Event occurs twice"),
        ("Date:", "date:", "line 5: expected 'p1> DECISION'"),
        ("Hansa record 1", "notes\nHansa record 1", "line 1: a record begins with"),
    ],
)
def test_mistakes_are_named(old, new, message):
    assert old in TEXT
    with pytest.raises(hansa.InvalidRecord, match=message):
        hansa.Game.from_record(TEXT.replace(old, new, 1))


def test_variations_are_not_nested_without_end():
    deep = "p1> end\n(\n" * (MOST_NESTED + 1) + "p1> end\n" + ")\n" * (MOST_NESTED + 1)
    text = hansa.Game.new(players=3).record() + deep
    with pytest.raises(hansa.InvalidRecord, match="nested 20 deep"):
        parse_record(text)


@pytest.mark.parametrize("name", ["Setup", "two words", "event", "", "A:b"])
def test_names_of_headers_are_checked(name):
    game = hansa.Game.new()
    game.headers[name] = "x"
    with pytest.raises(hansa.InvalidRecord, match="is no name for a header"):
        game.record()


def test_a_variation_is_checked_like_play():
    game = hansa.Game.from_record(TEXT)
    for number, decisions in ((0, ["done"]), (5, ["end"]), (-1, ["end"])):
        with pytest.raises(hansa.IllegalAction):
            game.add_variation(number, decisions)
    assert game.record() == TEXT


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)
SAID = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
NAMES = st.from_regex(r"[A-Z][A-Za-z0-9_-]{0,12}", fullmatch=True).filter(
    lambda n: n not in HEADERS
)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_records_with_variations_go_there_and_back(data):
    chance = random.Random(data.draw(st.integers(0, 99)))
    game = hansa.Game.new(players=data.draw(st.integers(2, 5)), seed=3)
    for _ in range(data.draw(st.integers(1, 30))):
        game.play(mixed(game, chance))
    length = len(game.history)
    game.headers = data.draw(st.dictionaries(NAMES, SAID, max_size=3))
    comments = st.dictionaries(st.integers(0, length), st.lists(SAID, min_size=1, max_size=2))
    game.comments = data.draw(comments)
    for number in data.draw(st.lists(st.integers(0, length - 1), max_size=3)):
        other = game.copy()
        while len(other.history) > number:
            other.undo()
        for _ in range(chance.randrange(1, 6)):
            other.play(mixed(other, chance))
        game.add_variation(number, other.history[number:])
    text = game.record()
    again = hansa.Game.from_record(text)
    assert again.record() == text
    assert again == game
    assert again.headers == game.headers
    kept = {k: [[d for (d,) in zip(v.decisions)] for v in vs] for k, vs in again.variations.items()}
    assert kept == {k: [v.decisions for v in vs] for k, vs in game.variations.items()}


def run(capsys, *arguments: object) -> tuple[int, str, str]:
    status = cli.run([str(argument) for argument in arguments])
    output = capsys.readouterr()
    return status, output.out, output.err


class TestSeveralGames:
    texts = (
        (ROOT / "examples/games/duel.txt").read_text("utf-8"),
        (ROOT / "examples/games/east-four.txt").read_text("utf-8"),
    )

    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        path = tmp_path / "games.txt"
        path.write_text("\n\n".join(self.texts), encoding="utf-8-sig")
        return path

    def test_they_are_read_one_by_one(self, file):
        games = [hansa.Game.from_record(one) for one in parse_records(file.read_text("utf-8"))]
        assert [game.record() for game in games] == [*self.texts]

    def test_one_that_cannot_be_played_names_the_line_of_the_file(self):
        text = "".join(self.texts).replace("p1> place m tangermuende-brandenburg/2", "p1> done")
        line = text.splitlines().index("p1> done") + 1
        with pytest.raises(hansa.InvalidRecord, match=f"line {line}: 'done' is not legal"):
            hansa.Game.from_record(parse_records(text)[1])

    def test_one_is_asked_for(self):
        with pytest.raises(hansa.InvalidRecord, match="there are 2 games in it"):
            hansa.Game.from_record("".join(self.texts))

    @pytest.mark.parametrize("command", ["show", "replay", "svg", "analyse", "review"])
    def test_the_command_asks_which(self, capsys, file, command):
        for options in ([], ["--game", 3]):
            status, _, err = run(capsys, command, file, *options)
            assert (status, err) == (2, "hansa: name the game, --game 1 to 2\n")

    def test_the_command_takes_one(self, capsys, file):
        status, out, _ = run(capsys, "show", file, "--game", 2)
        assert status == 0
        assert "danzig" in out

    def test_a_game_of_a_single_one_may_be_named(self, capsys):
        assert run(capsys, "show", ROOT / "examples/games/duel.txt", "--game", 1)[0] == 0


def test_replay_shows_what_was_said(capsys, tmp_path):
    (tmp_path / "game.txt").write_text(TEXT, encoding="utf-8")
    _, out, _ = run(capsys, "replay", tmp_path / "game.txt")
    assert "Too slow?" in out
    assert "To be continued." in out


def test_checking_nothing_is_an_error(capsys, tmp_path):
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    status, _, err = run(capsys, "check", tmp_path)
    assert status == 2
    assert err == f"hansa: no scenario in {tmp_path}\n"


def test_stats_say_what_they_left_out(capsys, tmp_path):
    (tmp_path / "game.txt").write_text(TestSeveralGames.texts[0], encoding="utf-8")
    (tmp_path / "readme.txt").write_text("hello", encoding="utf-8")
    status, out, err = run(capsys, "stats", tmp_path)
    assert status == 0
    assert "1 finished games" in out
    assert err == "skipped readme.txt: line 1: a record begins with 'Hansa record 1'\n"
