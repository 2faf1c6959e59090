"""The friendly face: errors, undo, copies, records, views, ids."""

from __future__ import annotations

import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.playing import mixed

import hansa
from hansa.action import actions_of
from hansa.boards import FAMILIES
from hansa.records import parse_record
from hansa.rules import engine
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.state import pack


def played(decisions: int = 80, **setup) -> hansa.Game:
    game = hansa.Game.new(**{"seed": 5, **setup})
    chance = random.Random(1)
    for _ in range(decisions):
        game.play(mixed(game, chance))
    return game


class TestErrors:
    @pytest.mark.parametrize(
        ("text", "error"),
        [
            ("place t groningen-emden/9", hansa.MalformedAction),
            ("place x groningen-emden/1", hansa.MalformedAction),
            ("plaice t groningen-emden/1", hansa.MalformedAction),
            ("income 01 0", hansa.MalformedAction),
            ("income 1", hansa.MalformedAction),
            ("pawn 17", hansa.MalformedAction),
            ("use extra-office", hansa.MalformedAction),
            ("lay perm-move2 groningen-emden", hansa.MalformedAction),
            (" end", hansa.MalformedAction),
            ("", hansa.MalformedAction),
            ("income 99 0", hansa.IllegalAction),
            ("use swap hamburg 99", hansa.IllegalAction),
            ("establish groningen-emden office hamburg", hansa.IllegalAction),
            ("establish groningen-emden prestige 10", hansa.IllegalAction),
            ("place t stralsund-malmoe/1", hansa.IllegalAction),
            ("done", hansa.IllegalAction),
            (-1, hansa.IllegalAction),
            (10**9, hansa.IllegalAction),
            (hansa.Action("green dresden t"), hansa.IllegalAction),
        ],
    )
    def test_nothing_changes(self, text, error):
        game = hansa.Game.new(seed=7)
        before = game.pack(), game.history
        with pytest.raises(error) as caught:
            game.play(text)
        assert (game.pack(), game.history) == before
        assert str(caught.value)

    def test_an_illegal_action_names_what_is_allowed(self):
        game = hansa.Game.new(seed=7)
        game.play("place t groningen-emden/1")
        with pytest.raises(hansa.IllegalAction, match=r"p1 decides in turn 1.*allowed: place"):
            game.play("place t groningen-emden/1")

    def test_a_decision_of_a_wrong_type(self):
        with pytest.raises(TypeError):
            hansa.Game.new().play(True)  # the point of the test

    def test_the_same_id_on_another_board_is_another_decision(self):
        action = hansa.Game.new(board="east", players=4).legal_actions()[-1]
        with pytest.raises(hansa.IllegalAction):
            hansa.Game.new(board="hansa", players=4).play(action)

    def test_nothing_to_undo(self):
        with pytest.raises(hansa.NothingToUndo):
            hansa.Game.new().undo()

    def test_after_the_end_nothing_is_legal(self):
        game = hansa.Game.from_dict(
            {"game": {"board": "hansa"}, "over": True, "end_reason": "cities"}
        )
        assert game.legal_actions() == []
        with pytest.raises(hansa.IllegalAction, match="over"):
            game.play("end")


def test_undo_goes_back_to_the_start_byte_by_byte():
    game = hansa.Game.new(board="britannia", players=4, seed=3)
    chance = random.Random(4)
    trail = []
    for _ in range(150):
        trail.append(game.pack())
        game.play(mixed(game, chance))
    for before in reversed(trail):
        game.undo()
        assert game.pack() == before
    with pytest.raises(hansa.NothingToUndo):
        game.undo()


def test_the_game_after_a_decision_leaves_this_one():
    """Nothing is kept for the way back, which is found by playing again."""
    game = hansa.Game.new(board="britannia", players=4, seed=3)
    same, chance, trail = game.copy(), random.Random(4), []
    for _ in range(80):
        trail.append(game.pack())
        decision = mixed(game, chance)
        events, before = same.play(decision), game
        game, told = before.after(decision)
        assert told == events
        assert game.pack() == same.pack()
        assert before.pack() == trail[-1]
    with pytest.raises(hansa.IllegalAction):
        game.after(-1)
    for earlier in reversed(trail):
        game.undo()
        assert game.pack() == earlier


def test_copies_are_independent():
    game = played()
    twin = game.copy()
    assert twin == game
    assert hash(twin) == hash(game)
    assert twin.history == game.history
    twin.play(twin.legal_actions()[0])
    assert twin != game
    game.undo()
    assert len(game.history) == 79


def test_equality_is_of_positions():
    assert hansa.Game.new(seed=1) != hansa.Game.new(seed=2)
    assert hansa.Game.new(seed=1) != "a game"
    one, other = hansa.Game.new(players=3), hansa.Game.new(players=3)
    for game, posts in ((one, "12"), (other, "21")):
        for post in posts:
            game.play(f"place t groningen-emden/{post}")
    assert one == other


def test_the_same_seed_gives_the_same_game():
    assert hansa.Game.new(seed=9).to_dict() == hansa.Game.new(seed=9).to_dict()
    supplies = {tuple(hansa.Game.new(seed=seed).to_dict()["supply"]) for seed in range(20)}
    assert len(supplies) > 15


def test_records_keep_seats_and_result():
    game = played(40)
    game.seats = {"p1": "Ada", "p2": "Ürsel"}
    text = game.record()
    again = hansa.Game.from_record(text)
    assert again == game
    assert again.seats == game.seats
    assert again.history == game.history
    assert again.record() == text


def test_a_record_of_a_patched_position_starts_there():
    game = hansa.Game.from_dict({"game": {"players": 3}, "players": {"p1": {"points": 4}}})
    game.play("income 1 0")
    assert hansa.Game.from_record(game.record()) == game


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("Hansa record 1", "Record"), "line 1"),
        (lambda text: text.replace("Setup:", "Setup: nonsense"), "no JSON"),
        (lambda text: "\n".join(x for x in text.splitlines() if "Setup" not in x), "Setup"),
        (lambda text: text.replace("p1> ", "p2> ", 1), "p1 decides"),
        (lambda text: text.replace("p1> ", "p1> dance ", 1), "line"),
        (lambda text: text + "hello\n", "expected 'p1> DECISION'"),
        (lambda text: text.replace('"players": 4', '"players": 9'), "players"),
    ],
)
def test_records_that_cannot_be_replayed_name_the_place(change, message):
    text = played(10).record()
    with pytest.raises(hansa.InvalidRecord, match=message):
        hansa.Game.from_record(change(text))


def test_a_false_result_is_noticed():
    game = hansa.Game.from_dict(
        {"game": {"players": 3}, "players": {"p1": {"points": 20}}, "actions_left": 1}
    )
    game.play("income 1 0")
    assert game.over
    with pytest.raises(hansa.InvalidRecord, match="Result"):
        hansa.Game.from_record(game.record().replace('"winners": ["p1"]', '"winners": ["p2"]'))


@settings(max_examples=150, deadline=None)
@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_random_text_is_refused_politely(text):
    with pytest.raises(hansa.MalformedAction):
        hansa.Action.parse(text + "?")
    with pytest.raises(hansa.InvalidRecord):
        hansa.Game.from_record(text)
    with pytest.raises(hansa.InvalidRecord):
        hansa.Game.from_record("Hansa record 1\n" + text)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["p1", "p1:t"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(list(hansa.Game.new().to_dict()))


@settings(max_examples=150, deadline=None)
@given(KEYS, JSON)
def test_random_data_is_a_position_or_refused_politely(key, value):
    try:
        game = hansa.Game.from_dict({key: value})
    except hansa.HansaError:
        return
    assert hansa.Game.from_dict(game.to_dict()) == game


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_random_changes_of_pending_are_refused_or_play_on(data):
    game = hansa.Game.from_dict(
        {
            "game": {"players": 3},
            "routes": {"groningen-emden": {"posts": ["p2:m", None, None]}},
            "players": {"p1": {"supply": {"t": 4, "m": 1}}, "p2": {"supply": {"t": 6, "m": 0}}},
        }
    )
    game.play("displace t groningen-emden/1")
    position = json.loads(json.dumps(game.to_dict()))
    frame = data.draw(st.sampled_from(position["pending"]["stack"]))
    frame[data.draw(st.sampled_from(list(frame)))] = data.draw(
        st.sampled_from(["p1", "p3", "t", None, 0, 1, 2, 30, "finish", "displaced", "move"])
    )
    for key in ("player", "phase"):
        position.pop(key)
    try:
        changed = hansa.Game.from_dict(position)
    except hansa.InvalidPosition:
        return
    chance = random.Random(1)
    for _ in range(10):
        changed.play(chance.choice(changed.legal_actions()))


def test_ids_name_each_decision_once():
    for family in FAMILIES:
        actions = actions_of(family)
        assert all(0 <= number < hansa.ACTIONS for number in actions)
        assert len({action.text for action in actions.values()}) == len(actions)
        for number, action in actions.items():
            assert hansa.Action.parse(action.text).id == number


def test_both_sides_of_a_board_share_ids():
    small = hansa.Game.new(players=3).legal_actions()
    large = {action.text: action.id for action in hansa.Game.new(players=4).legal_actions()}
    shared = [action for action in small if action.text in large]
    assert len(shared) > 100
    assert all(large[action.text] == action.id for action in shared)


def test_actions_can_be_pickled_and_pasted_back():
    action = hansa.Action.parse("establish groningen-emden skill book")
    assert pickle.loads(pickle.dumps(action)) == action  # our own bytes
    assert repr(action) == "Action('establish groningen-emden skill book')"
    assert action.verb == "establish"


def test_play_takes_actions_texts_and_ids():
    games = [hansa.Game.new(seed=1) for _ in range(3)]
    action = games[0].legal_actions()[30]
    games[0].play(action)
    games[1].play(str(action))
    games[2].play(action.id)
    assert games[0] == games[1] == games[2]


def test_a_view_of_a_stranger_is_refused():
    with pytest.raises(hansa.InvalidPosition, match="p5"):
        hansa.Game.new(players=3).view("p5")


def test_boards_answer_by_name():
    board = hansa.Board.load("east")
    assert board.city("danzig").name == "Danzig"
    assert board.route("stralsund-malmoe").sea
    assert "waren" in board.neighbours("wismar")
    with pytest.raises(KeyError, match="east"):
        board.city("arnheim")
    with pytest.raises(hansa.InvalidSetup):
        hansa.Board.load("mars")


class TestRecordsOfEarlierRules:
    """BRIT-MARK-7 changed what decisions lead to: old records are read, and say so."""

    text = (Path(__file__).parent / "records" / "before-rules-2.hansa").read_text("utf-8")

    def test_they_say_why_they_no_longer_replay(self):
        with pytest.raises(hansa.InvalidRecord, match="under version 1 of the rules") as refused:
            hansa.Game.from_record(self.text)
        assert "they are at 2 now" in str(refused.value)

    def test_they_can_still_be_read(self):
        record = parse_record(self.text)
        assert record.rules == 1
        assert record.result is not None
        assert len(record.decisions) > 500

    def test_only_set_ups_whose_rules_changed_name_them(self):
        old, new = hansa.Game.new(board="britannia"), hansa.Game.new("britannia", edition="classic")
        assert "Rules:" not in old.record()
        assert "Rules: 2\n" in new.record()
        assert hansa.Game.from_record(new.record()) == new

    def test_a_wrong_number_is_refused(self):
        with pytest.raises(hansa.InvalidRecord, match="line 3: Rules is a small whole number"):
            parse_record(
                hansa.Game.new("britannia", edition="classic")
                .record()
                .replace("Rules: 2", "Rules: new")
            )


class TestState:
    def test_it_is_the_state_of_the_position_and_goes_with_its_tables(self):
        game = played()
        assert game.pack().endswith(pack(game.state))
        buffer = [0] * MAX_LEGAL
        number = engine.legal(game.setup.tables, game.state, buffer)
        assert buffer[:number] == game.legal_ids()
        game.undo()
        assert game.pack().endswith(pack(game.state))

    def test_a_copy_of_it_can_be_played_on(self):
        game = played()
        before, other = pack(game.state), game.state.copy()
        engine.apply(game.setup.tables, other, game.legal_ids()[0])
        assert pack(other) != before
        assert pack(game.state) == before

    def test_it_cannot_be_replaced(self):
        game: Any = hansa.Game.new()
        with pytest.raises(AttributeError):
            game.state = game.state.copy()


def emptied(game: hansa.Game) -> hansa.Game:
    """The same position, but everything p1 holds in stock and supply stands in London."""
    data: Any = game.to_dict()
    for shape, (stock, supply) in zip(
        "tm", zip(game.state.stock, game.state.supply, strict=True), strict=False
    ):
        data["cities"]["london"]["extra"] += [f"p1:{shape}"] * (stock + supply)
    data["players"]["p1"]["supply"] = {"t": 0, "m": 0}
    return hansa.Game.from_dict(data)


@pytest.mark.rule("BRIT-MARK-5", "RULING-44")
def test_with_neither_stock_nor_supply_pieces_of_the_board_go_abroad():
    """No game on the printed boards gets there (RULING-44): two pieces have just come back."""
    game = hansa.Game.new(board="britannia", players=4)
    data: Any = game.to_dict()
    data["routes"]["southampton-calais"]["posts"] = ["p1:m", "p1:m", "p1:t"]
    data["routes"]["conway-chester"]["posts"][0] = "p1:t"
    data["players"]["p1"] |= {"supply": {"t": 5, "m": 0}}
    data["players"]["p1"]["skills"]["book"] = 1
    game = hansa.Game.from_dict(data)
    game.play("establish southampton-calais office calais")
    game = emptied(game)
    texts = {str(action) for action in game.legal_actions()}
    assert texts == {"lift conway-chester/1", "done"}
    game.play("lift conway-chester/1")
    targets = {str(action) for action in game.legal_actions()}
    assert "put t glasgow-falkirk/1" in targets
    assert "put t conway-chester/1" not in targets
    assert all(text.startswith("put t ") for text in targets)
    game.play("put t glasgow-falkirk/1")
    posts = game.to_dict()["routes"]
    assert posts["conway-chester"]["posts"][0] is None
    assert posts["glasgow-falkirk"]["posts"][0] == "p1:t"
    assert game.phase == "perm-place2-abroad"  # the second piece


@pytest.mark.rule("DUEL-PAWN-5", "DUEL-PAWN-6")
def test_events_tell_a_free_walk_of_the_pawn_from_a_paid_one():
    game = hansa.Game.new(players=2, duel="pawn", seed=1)
    while game.phase != "turn":
        game.play(game.legal_actions()[0])
    for verb, free in (("walk", True), ("pawn", False)):
        action = next(action for action in game.legal_actions() if action.verb == verb)
        (moved,) = [e for e in game.play(action) if e.type == "pawn-moved"]
        assert moved.to_dict()["free"] is free
