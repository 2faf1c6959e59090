"""Networks: inputs stay in their bounds, chances add up to one, files are checked when read."""

from __future__ import annotations

import json
import random
from importlib import resources

import pytest

import hansa
from hansa.bots.judge.fitted import EVALUATIONS, kind_of, weights_of
from hansa.bots.judge.policy import rate_all
from hansa.bots.judge.survey import Survey
from hansa.bots.learned import decisions, files, inputs
from hansa.bots.learned.network import Layers, expect, prepare_promise, promise_of
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.engine import legal
from hansa.setup import PROMOS, Setup

SETUPS = [
    Setup(players=4, seed=5),
    Setup(players=3, missions=True, favours=True, promos=PROMOS, seed=5),
    Setup(players=5, edition="classic", seed=5),
    Setup(board="east", players=3, seed=5),
    Setup(board="britannia", players=4, border_fee=True, seed=5),
    Setup(players=2, duel="pawn", seed=5),
    Setup(board="britannia", players=2, seed=5),
]


def positions(setup: Setup):
    """Some positions of a game that chance plays, by judgement every other time."""
    game, chance = hansa.Game(setup, setup.new_state()), random.Random(3)
    greedy = hansa.bots.create("greedy")
    for number in range(160):
        if game.over:
            return
        choices = game.legal_actions()
        if number % 8 == 0 and len(choices) > 1:
            yield game
        if number % 2:
            game.play(greedy.choose(game.view(game.player), choices))
        else:
            game.play(chance.choice(choices))


def text() -> str:
    return resources.files("hansa.bots.learned").joinpath(files.FILE).read_text("utf-8")


@pytest.mark.parametrize("setup", SETUPS, ids=repr)
def test_chances_add_up_to_one_and_inputs_stay_within_bounds(setup):
    kind = kind_of(setup.board, setup.players)
    weights, network = weights_of(kind), files.network_of(kind)
    survey, layers = Survey(), Layers()
    for game in positions(setup):
        expect(setup.tables, game.state, weights, survey, network, layers)
        shares = layers.shares[: setup.players]
        assert sum(shares) == pytest.approx(1)
        assert min(shares) > 0
        for player in range(setup.players):
            for k, one in enumerate(inputs.INPUTS):
                seen = layers.sight.seen[inputs.OWN * player + k]
                assert one.low <= seen <= one.high, (one, player, game.turn)


@pytest.mark.parametrize("setup", SETUPS, ids=repr)
def test_decisions_are_seen_within_bounds(setup):
    kind = kind_of(setup.board, setup.players)
    weights, network = weights_of(kind), files.network_of(kind)
    survey, layers, buf = Survey(), Layers(), [0] * MAX_LEGAL
    for game in positions(setup):
        state = game.state
        count = legal(setup.tables, state, buf)
        rate_all(setup.tables, state, weights, survey, buf, count)
        best = max(survey.scores[:count])
        scores = survey.scores[:count]
        prepare_promise(setup.tables, state, weights, survey, network, layers)
        for action, score in zip(buf[:count], scores, strict=True):
            promise_of(setup.tables, state, survey, network, layers, action, score, best)
            option = layers.option
            for one, seen in zip(decisions.INPUTS, option.about, strict=True):
                assert one.low <= seen <= one.high, (one, action)
            kind_name = decisions.NAMES[option.names[0]]
            assert kind_name.startswith("kind ")
            assert all(-1 <= name < decisions.NAMED for name in option.names)


def test_who_decides_sees_himself_alike_both_ways():
    setup = Setup(players=4, seed=8)
    weights, survey, layers, one = weights_of(), Survey(), Layers(), Layers()
    buf = [0] * MAX_LEGAL
    for game in positions(setup):
        state = game.state
        inputs.look(setup.tables, state, weights, survey, layers.sight)
        count = legal(setup.tables, state, buf)
        rate_all(setup.tables, state, weights, survey, buf, count)
        inputs.see_decider(setup.tables, state, weights, survey, one.sight)
        at = inputs.OWN * state.player
        assert one.sight.seen[: inputs.OWN] == layers.sight.seen[at : at + inputs.OWN]


def test_the_package_holds_networks_for_every_kind_of_game_and_they_are_small():
    assert len(text()) < 6_000_000
    networks = files.read(text())
    assert networks.keys() == EVALUATIONS.keys()
    assert all(network.has_chances for network in networks.values())


def test_a_file_comes_back_as_it_was_written():
    document = json.loads(text())
    kind, fields = next(iter(document["networks"].items()))
    numbers = {name: files._decode(coded) for name, coded in fields.items()}
    (again,) = files.read(files.write({kind: numbers}, {})).values()
    known = files.read(text())[kind]
    assert all(getattr(again, name) == getattr(known, name) for name in numbers)


def damaged(change) -> str:
    document = json.loads(text())
    change(document)
    return json.dumps(document)


def short(document) -> None:
    fields = document["networks"]["hansa"]
    fields["third"] = files._encode([0.5])
    document["check"] = files._check(document["networks"])


def without_a_field(document) -> None:
    del document["networks"]["hansa"]["first"]
    document["check"] = files._check(document["networks"])


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("{", "not JSON"),
        ("[]", "format"),
        (damaged(lambda document: document.update(format=99)), "format"),
        (damaged(lambda document: document["networks"].pop("east")), "damaged"),
        (damaged(short), "third: 32 numbers, not 1"),
        (damaged(without_a_field), "missing: first"),
    ],
    ids=["json", "list", "format", "damaged", "short", "field"],
)
def test_a_file_that_cannot_be_used_is_refused_with_the_reason(wrong, says):
    with pytest.raises(files.BadWeights, match=says):
        files.read(wrong)


def test_inputs_that_a_file_does_not_know_count_nothing():
    document = json.loads(text())
    at = document["inputs"].index("lead")
    document["inputs"][at] = "something else"
    network = files.read(json.dumps(document))["hansa"]
    at = inputs.OWN - inputs.COMMON
    assert inputs.INPUTS[at].name == "lead"
    assert network.direct[at] == 0
    assert files.network_of("hansa").direct[at] != 0
