"""No bot uses what its seat cannot know."""

from __future__ import annotations

import copy
import sys
from pathlib import Path

import pytest

import hansa
from hansa.bots import catalogue, create
from hansa.bots.registry import _OURS

LINE_BOT = Path(__file__).parents[2] / "examples" / "line_bot.py"
EXTERNAL = f"external:command={sys.executable} {LINE_BOT},time=60"
SPECS = [
    "random",
    "greedy",
    "greedy:care=40",
    "search:simulations=4",
    "search:simulations=6,threads=2",
    "champion:simulations=4",
    EXTERNAL,
]


def later(game: hansa.Game, decisions: int) -> hansa.Game:
    greedy = create("greedy")
    for _ in range(decisions):
        if game.over:
            break
        game.play(greedy.choose(game.view(game.player), game.legal_actions()))
    return game


def with_other_secrets(game: hansa.Game) -> hansa.Game:
    """The same game to whoever decides: supply, plates and others' missions are exchanged."""
    data = copy.deepcopy(game.to_dict())
    data["supply"] = data["supply"][::-1]
    data["game"]["seed"] += 1
    viewer = game.player
    others = [name for name in data["players"] if name != viewer]
    if data["game"]["missions"]:
        one, two = others[:2]
        first, second = data["players"][one], data["players"][two]
        first["mission"], second["mission"] = second["mission"], first["mission"]
    hidden = [p for name, p in data["players"].items() if name != viewer or game.phase != "plate"]
    for player in hidden:
        for k in range(len(player["plate"])):
            player["plate"][k], data["supply"][k] = data["supply"][k], player["plate"][k]
    return hansa.Game.from_dict(data)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("decisions", [0, 25, 60, 61, 62, 110])
def test_games_that_differ_only_in_secrets_are_decided_alike(spec, decisions):
    game = later(hansa.Game.new(players=3, seed=21, missions=True, favours=True), decisions)
    twin = with_other_secrets(game)
    assert twin.to_dict() != game.to_dict()
    assert twin.view(game.player) == game.view(game.player)
    answers = []
    for position in (game, twin):
        bot = create(spec, trusted=True)
        answers.append(bot.choose(position.view(position.player), position.legal_actions()))
        close = getattr(bot, "close", None)
        if close is not None:
            close()
    assert answers[0] == answers[1]


def test_every_bot_there_is_is_looked_at():
    ours = {spec.partition(":")[0] for spec in SPECS}
    levels = {entry["name"] for entry in catalogue() if entry["level"]}
    assert levels <= ours
    assert set(_OURS) == ours


def test_each_simulation_deals_hidden_markers_anew_and_keeps_the_others():
    from hansa.bots.tree.layout import Lookahead
    from hansa.bots.tree.sampling import reshuffle
    from hansa.rules.codes import AT_MARKERS, AT_SUPPLY

    game = later(hansa.Game.new(players=3, seed=5), 80)
    state = game.state.copy()
    before = list(state.mark)
    look, orders = Lookahead(seed=1), set()
    start, end = state.mark_start[AT_SUPPLY], state.mark_start[AT_SUPPLY + 1]
    for _ in range(20):
        reshuffle(state, look)
        orders.add(tuple(state.mark[start:end]))
        assert sorted(state.mark) == sorted(before)
        for player in range(3):
            own = slice(*state.mark_start[AT_MARKERS + 3 * player : AT_MARKERS + 3 * player + 2])
            assert state.mark[own] == before[own]
    assert len(orders) > 10


def test_a_player_keeps_the_plate_he_looks_at():
    from hansa.bots.tree.layout import Lookahead
    from hansa.bots.tree.sampling import reshuffle
    from hansa.rules.codes import AT_PLATE

    game = hansa.Game.new(players=3, seed=5)
    while game.phase != "plate":
        game = later(game, 1)
    state = game.state.copy()
    viewer = state.player
    plate = slice(*state.mark_start[AT_PLATE + 3 * viewer : AT_PLATE + 3 * viewer + 2])
    seen = state.mark[plate]
    assert seen
    look = Lookahead(seed=1, viewer=viewer)
    for _ in range(10):
        reshuffle(state, look)
        assert state.mark[plate] == seen
