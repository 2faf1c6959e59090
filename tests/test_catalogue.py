"""What the rule modules declare: complete, consistent, and derived from nowhere else."""

from __future__ import annotations

import copy
import hashlib
import pickle
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from tests.goldens import check_golden
from tests.test_lines import told

import hansa
from hansa import grammar, pending, scenarios
from hansa.boards import BOARD_IDS, FAMILIES, load, side
from hansa.bots.judge import inside, policy, turns
from hansa.bots.judge.fitted import weights_of
from hansa.bots.judge.survey import Survey
from hansa.errors import InvalidExtension
from hansa.generate import dispatch
from hansa.rules import capacity, catalogue, engine, ids, numbering, stack
from hansa.rules.catalogue import DECISIONS, FRAMES, MARKERS, PERMANENTS
from hansa.rules.declare import Decision
from hansa.rules.state import FRAME_FIELDS, STACK, STATE_FIELDS, State, pack
from hansa.rules.tables import NO_VERB, Tables, table_fields, tables
from hansa.setup import Options, Setup
from hansa.svg.decision import PICTURES
from hansa.svg.symbols import icon_names

HERE = Path(__file__).parent
ROOT = HERE.parent
DECISIONS_BY_ID = {decision.id: decision for decision in DECISIONS}


def test_the_dispatch_is_as_the_declarations_say():
    text = (ROOT / "src/hansa/rules/dispatch.py").read_text("utf-8")
    assert text == dispatch(), "run: make generate"


def test_ids_and_texts_are_pinned():
    """One line a kind; every single id of every board is in the digest of its family."""
    lines = [f"{d.id} {d.text}" for d in DECISIONS]
    for family in ("hansa", "east", "britannia"):
        pairs = sorted((number, text) for number, text in grammar.texts(family))
        digest = hashlib.sha256(repr(pairs).encode()).hexdigest()
        lines.append(f"{family}: {len(pairs)} decisions, {digest}")
    lines.append(f"{hansa.ACTIONS} ids")
    check_golden(HERE / "golden" / "ids.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_text_is_read_back_as_what_was_written(family):
    for number, text in grammar.texts(family):
        action = hansa.Action(text)
        assert action.id == number
        assert hansa.Action.from_id(number, family) == text
        assert action.verb == text.split(" ")[0]


def written(action: hansa.Action) -> str:
    """The text of a decision, from its fields alone."""
    gains: dict[str, list[object]] = {
        "office": [action.city],
        "extra": [action.city, action.shape],
        "skill": [action.skill],
        "prestige": [action.prestige],
    }
    uses: dict[str, list[object]] = {
        "skill": [action.skill],
        "swap": [action.city, action.house],
        "exchange": [action.player, action.takes],
    }
    words: dict[str, list[object]] = {
        "income": [action.traders, action.merchants],
        "establish": [action.route, action.gain, *gains.get(str(action.gain), [])],
        "use": [action.marker, *uses.get(str(action.marker), [])],
        "lay": [action.marker, action.route],
        "neutral": [action.route, action.city],
        "green": [action.city, action.shape],
        "take": [action.post or action.shape],
        "put": [action.shape, action.post],
    }
    words["place"] = words["displace"] = words["put"]
    plain: list[object] = [action.shape, action.post, action.tile, action.marker, action.province]
    found = words.get(action.verb, [word for word in plain if word is not None])
    if action.marker in ("tribute", "block") and action.verb == "use":
        found = [action.marker, action.route]
    return " ".join(map(str, [action.verb, *found]))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_decision_is_its_fields(family):
    for _, text in grammar.texts(family):
        action = hansa.Action(text)
        assert written(action) == text
        assert (action.amount is None) == (action.verb != "income")
        assert action.post is None or action.post.startswith(f"{action.route}/")


@pytest.mark.parametrize("board_id", BOARD_IDS)
def test_tables_know_what_every_id_means_and_the_way_back(board_id):
    b, board = tables(board_id), load(board_id)
    for post, place in enumerate(p for route in board.routes for p in route.posts):
        number = hansa.Action(f"lift {place.id}").id
        assert b.id_post[number] == post
        assert DECISIONS_BY_ID[b.id_verb[number]].text == "lift {post}"
    for marker in MARKERS:
        assert b.id_marker[b.fee_id[marker.number]] == marker.number
        assert hansa.Action(f"spend {marker.name}").id == b.spend_id[marker.number]
        route = board.routes[0].id
        assert hansa.Action(f"lay {marker.name} {route}").id == (
            b.lay_id[marker.number] + b.route_step[0]
        )
    meant = {number for number, _ in grammar.texts(board.family)}
    assert {n for n, verb in enumerate(b.id_verb) if verb != NO_VERB} == meant


def test_an_id_taken_twice_is_refused(monkeypatch):
    again = Decision(hansa.Action("end").id, "dance {skill}")
    monkeypatch.setattr(numbering, "DECISIONS", (*DECISIONS, again))
    with pytest.raises(InvalidExtension, match=r"dance .* id 1 is taken; 2749 is free"):
        numbering._Layout()


def test_ids_grow_at_the_end_and_nothing_moves(monkeypatch):
    """A larger board and two more markers: old ids stay, new ones come after all of them."""
    before = numbering._layout()
    sizes = dict(numbering._sizes())
    larger = {**sizes, "marker": sizes["marker"] + 2, "post": 140, "route": 45, "house": 110}
    monkeypatch.setattr(numbering, "_sizes", lambda: larger)
    after = numbering._Layout()
    assert after.bases.items() >= before.bases.items()
    for field in ("post", "route"):
        assert after.steps[field][: len(before.steps[field])] == before.steps[field]
    grown = set(after.bases.values()) - set(before.bases.values())
    assert min(grown) >= before.size
    lay = next(d for d in DECISIONS if d.text == "lay {marker} {route}")
    single = [after.bases[d.text, v] for d in DECISIONS for v in _grown(after, before, d)]
    blocks = [after.bases[lay.text, (m,)] + s for m in (11, 12) for s in after.steps["route"]]
    assert len(set(single)) == len(single)
    assert len(set(blocks)) == len(blocks)
    assert after.size > max(blocks)


def _grown(after: Any, before: Any, decision: Decision) -> list[tuple[int, ...]]:
    block = numbering._block(decision)
    return (
        []
        if block
        else [v for t, v in after.bases if t == decision.text and (t, v) not in before.bases]
    )


def test_capacities_are_those_of_the_largest_board():
    assert max(len(load(b).cities) for b in BOARD_IDS) == capacity.MAX_CITIES
    assert max(tables(b).n_posts for b in BOARD_IDS) == capacity.MAX_POSTS
    assert ids.NEW == numbering.ACTION_IDS, "nothing of the house lies beyond the pinned ids"


@pytest.mark.rule("SETUP-1")
def test_the_side_follows_from_the_number_of_players():
    assert [side("hansa", n) for n in (2, 3, 4, 5)] == [
        "hansa-23",
        "hansa-23",
        "hansa-45",
        "hansa-45",
    ]
    assert [side("east", n) for n in (2, 5)] == ["east", "east"]
    assert Setup("britannia", 3).board_id == "britannia-23"
    with pytest.raises(hansa.InvalidSetup, match="unknown board 'atlantis'"):
        side("atlantis", 3)


def test_the_options_of_a_set_up_are_the_same_everywhere():
    names = {option.name for option in fields(Setup)}
    assert set(get_type_hints(Options)) == names - {"seed"}
    hints, given = get_type_hints(Setup), get_type_hints(Options)
    assert all(given[name] == hints[name] for name in given)


def test_records_have_the_fields_their_classes_promise():
    assert set(State.__slots__) == {name for name, _, _ in STATE_FIELDS} | {"events"}
    annotated = set(get_type_hints(State)) - {"events"}
    assert annotated == {name for name, _, _ in STATE_FIELDS}
    assert set(get_type_hints(Tables)) == {name for name, _, _ in table_fields()}


def test_a_frame_that_is_done_leaves_nothing_behind():
    s = State()
    clean = pack(s)
    d = stack.push(s, 3, 2)
    for name in FRAME_FIELDS:
        getattr(s, f"frame_{name}")[d] = 7
    stack.pop(s)
    assert pack(s) == clean


def test_every_frame_can_wait_and_uses_names_of_the_state():
    names = {frame.name for frame in FRAMES}
    for frame in FRAMES:
        assert set(frame.fields) <= set(FRAME_FIELDS)
        assert set(frame.on) <= names | {""}
    assert len(FRAMES) < 127
    assert STACK >= 4


def test_an_unknown_frame_is_loud():
    """It used to become the placing of the pawn."""
    game = hansa.Game.new(players=3)
    s = game._state
    stack.push(s, len(FRAMES) + 1, 0)
    with pytest.raises(ValueError, match="no such pending decision"):
        engine.legal(game.setup.tables, s, [0] * capacity.MAX_LEGAL)
    with pytest.raises(ValueError, match="no such pending decision"):
        engine.apply(game.setup.tables, s, 0)
    with pytest.raises(ValueError, match="no such pending decision"):
        engine.settle(game.setup.tables, s)
    with pytest.raises(LookupError, match="unknown kind of pending decision"):
        pending.phase(s)


def test_an_id_without_meaning_is_loud():
    game = hansa.Game.new(board="hansa", players=3)
    nothing = game.setup.tables.id_verb.index(NO_VERB)
    with pytest.raises(ValueError, match="no such decision in the turn"):
        engine.apply(game.setup.tables, game._state, nothing)


def test_every_kind_of_decision_has_a_picture_and_every_marker_an_icon():
    assert {d.text.split(" ")[0] for d in DECISIONS} == set(PICTURES)
    for name in [m.name for m in MARKERS] + [m.name for m in PERMANENTS]:
        assert f"marker-{name}" in icon_names()


def test_judgement_rates_every_kind_of_decision():
    """One of the turn that it does not know would be used at once; one inside taken at random."""
    assert {d.id for d in DECISIONS if d.legal is not None} == set(turns.RATED)
    assert {f.number for f in FRAMES if f.legal is not None} == set(inside.RATED)


def test_every_kind_of_decision_is_judged_in_its_place():
    """The tables say what is rated; this asks the ratings themselves, in all that scenarios show."""
    seen_turn, seen_inside = set(), set()
    for path in sorted((HERE / "scenarios").glob("*.yaml")):
        for scenario in scenarios.load(path):
            for game in told(scenario):
                b, s = game.setup.tables, game.state
                ids, survey = game.legal_ids(), Survey()
                policy.rate_all(b, s, weights_of(), survey, ids, len(ids))
                if s.depth == 0:
                    seen_turn |= {b.id_verb[number] for number in ids}
                else:
                    seen_inside.add(s.frame_kind[s.depth - 1])
    assert seen_turn == set(turns.RATED)
    assert seen_inside == set(inside.RATED)


def test_every_marker_names_a_rule_that_there_is():
    rules = (ROOT / "docs/rules.md").read_text("utf-8")
    for rule in {m.rule for m in MARKERS} | {m.rule for m in PERMANENTS}:
        assert f"**{rule}**" in rules


@pytest.mark.rule("COMP-2", "COMP-3")
def test_the_mix_of_markers():
    def mix(edition: str) -> dict[str, int]:
        return {m.name: m.copies[edition] for m in MARKERS if edition in m.copies}

    assert sum(mix("classic").values()) == 16
    assert sum(mix("bigbox").values()) == 15
    assert mix("bigbox")["move3"] == 2
    assert tuple(m for m in MARKERS if m.promo) == catalogue.PROMOS


class TestGamesAndActionsKeepToThemselves:
    def test_legal_ids_are_the_callers_own(self):
        game = hansa.Game.new()
        game.legal_ids().clear()
        assert "end" in game.legal_actions()
        game.legal_actions().clear()
        assert game.legal_ids()

    @pytest.mark.parametrize(
        "twin", [copy.copy, copy.deepcopy, hansa.Game.copy, lambda g: pickle.loads(pickle.dumps(g))]
    )
    def test_copies_are_independent(self, twin):
        game = hansa.Game.new(seed=3)
        game.play("place t groningen-emden/1")
        other = twin(game)
        assert other == game
        other.play("place t groningen-emden/2")
        assert other != game
        assert len(game.history) == 1
        other.undo()
        assert other == game

    def test_actions_never_change(self):
        action = hansa.Action("end")
        with pytest.raises(AttributeError, match="an action never changes"):
            action.text = "done"
        with pytest.raises(AttributeError, match="an action never changes"):
            del action.id
        assert copy.deepcopy(action) == "end"
        assert pickle.loads(pickle.dumps(action)) == action
