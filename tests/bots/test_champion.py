"""The champion plans turns: its tree stays, it answers when all is settled, and games repeat."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest

import hansa
from hansa.bots import champion, compiling, create, search
from hansa.bots.analysis import analyse
from hansa.bots.learned.files import network_of
from hansa.bots.learned.network import Network
from hansa.bots.match import play_match
from hansa.bots.search import is_fast
from hansa.bots.thinking import Tree
from hansa.setup import Setup


def later(decisions: int, **options) -> hansa.Game:
    game, greedy = hansa.Game.new(**options), create("greedy")
    for _ in range(decisions):
        game.play(greedy.choose(game.view(game.player), game.legal_actions()))
    return game


def below(tree: Tree, at: int) -> list[object]:
    """A node and all below it, wherever they lie."""
    node = tree._nodes[at]
    children = range(int(node.first), int(node.first + node.count)) if node.first >= 0 else ()
    seen = (int(node.visits), [round(float(one), 9) for one in node.sums])
    return [seen, *((int(tree._nodes[k].action), below(tree, k)) for k in children)]


def both_ways() -> list[bool]:
    return [False, True] if compiling.is_ready() else [False]


@pytest.mark.parametrize("fast", both_ways())
def test_a_tree_keeps_all_it_knows_of_what_follows(fast):
    game = later(33, players=3, seed=5)
    tree = Tree([game], seed=4, fast=fast, turns=1, network=network_of("hansa"))
    tree.run(300)
    root = tree._nodes[0]
    children = {
        int(tree._nodes[k].action): k for k in range(int(root.first), int(root.first + root.count))
    }
    action, visits, _ = max(tree.options(), key=lambda option: option[1])
    known = below(tree, children[action])
    assert len(known) > 1
    game.play(game.legal_actions()[[one.id for one in game.legal_actions()].index(action)])
    assert tree.follow([game], action)
    assert below(tree, 0) == known
    assert tree.simulations == 0
    tree.run(50)
    assert int(tree._nodes[0].visits) == visits + 50
    assert {number for number, _, _ in tree.options()} <= set(game.legal_ids())


def test_what_was_not_looked_at_cannot_be_followed():
    tree = Tree([later(3, players=3, seed=5)], seed=4, fast=False)
    tree.run(3)
    assert not tree.follow([later(4, players=3, seed=5)], -5)


def test_a_tree_that_looked_at_what_is_not_legal_is_left():
    tree = Tree([later(3, players=3, seed=5)], seed=4, fast=False)
    tree.run(60)
    action, _, _ = max(tree.options(), key=lambda option: option[1])
    assert not tree.follow([later(0, board="east", players=3, seed=5)], action)


def test_the_tree_stays_for_the_turn_and_not_longer(monkeypatch):
    followed = []
    follow = Tree.follow

    def noting(tree, roots, action):
        followed.append((roots[0].turn, roots[0].player))
        return follow(tree, roots, action)

    monkeypatch.setattr(Tree, "follow", noting)
    game = hansa.Game.new(players=2, duel="neutral", seed=3)
    bot = create("champion:simulations=6")
    decided = []
    while game.turn <= 4:
        legal = game.legal_actions()
        if len(legal) > 1:
            decided.append((game.turn, game.player))
        game.play(bot.choose(game.view(game.player), legal))
    assert followed
    assert len(followed) <= len(decided) - len(set(decided))


def test_another_position_than_expected_is_thought_about_anew(monkeypatch):
    monkeypatch.setattr(Tree, "follow", lambda *_: pytest.fail("this tree knows another game"))
    game = hansa.Game.new(players=4, seed=9)
    bot, player = create("champion:simulations=4"), game.player
    found = bot.choose(game.view(player), game.legal_actions())
    game.play([action for action in game.legal_actions() if action != found][-1])
    assert game.player == player
    assert bot.choose(game.view(player), game.legal_actions()) in game.legal_actions()


def test_it_answers_when_nothing_can_change_any_more():
    game = hansa.Game.from_dict({
        "game": {"players": 3},
        "players": {"p1": {"points": 19}, "p2": {"points": 19}},
        "routes": {
            "hamburg-luebeck": {"posts": ["p1:t", "p1:t", "p1:t"]},
            "groningen-emden": {"posts": ["p2:t", "p2:t", "p2:t"]},
        },
    })  # fmt: skip
    bot = champion.Champion(simulations=400)
    seen = []
    harvest = bot._harvest

    def noting(*given, **named):
        seen.append(harvest(*given, **named))
        return seen[-1]

    bot._harvest = noting  # type: ignore[method-assign]
    found = bot.choose(game.view(game.player), game.legal_actions())
    assert found.text == "establish hamburg-luebeck office luebeck"
    assert seen[0].simulations < 400
    assert analyse(game, "champion:simulations=400").simulations == 400


@pytest.mark.parametrize("pace", [1e-7, 10.0], ids=["idle", "busy"])
def test_how_busy_the_machine_is_makes_no_difference(monkeypatch, pace):
    """Where simulations are counted, an answer is settled at the same one, whatever the clock says."""
    ticks = itertools.count()
    monkeypatch.setattr(search, "time", SimpleNamespace(monotonic=lambda: pace * next(ticks)))
    counted = []
    game = later(40, players=3, seed=5)
    bot, turn = champion.Champion(simulations=90), game.turn
    harvest = bot._harvest

    def noting(*given, **named):
        thought = harvest(*given, **named)
        counted.append(thought.simulations)
        return thought

    bot._harvest = noting  # type: ignore[method-assign]
    while game.turn == turn:
        game.play(bot.choose(game.view(game.player), game.legal_actions()))
    assert len(counted) > 1
    assert min(counted) < 90
    assert all(number == 90 or number % search.COUNTED == 1 for number in counted)


def test_a_turn_s_time_is_shared_by_its_decisions():
    bot = champion.Champion(time=2.0)
    assert bot._share(2.0) == pytest.approx(0.8)
    assert bot._share(1.2) == pytest.approx(0.48)
    assert bot._share(-1.0) == pytest.approx(0.1)
    assert champion.Champion(simulations=3)._share(None) is None


def test_it_explores_less_than_a_search_without_networks():
    """What is promising is known, so less is tried (measured in docs/training.md); in duels more of it."""

    def explores(network: Network | None, players: int) -> int:
        tree = Tree([later(3, seed=5, players=players)], seed=4, fast=False, network=network)
        return int(tree._look.explore)

    many, two = network_of("hansa"), network_of("duel")
    assert explores(many, 4) < explores(two, 2) < explores(None, 4)
    assert explores(None, 2) == explores(None, 4)


def test_it_wins_a_short_match_against_greedy():
    setup = Setup(players=2, duel="neutral")
    first = play_match(["champion:simulations=30", "greedy"], setup.with_seed(0))
    second = play_match(["greedy", "champion:simulations=30"], setup.with_seed(1))
    assert (first.winners, second.winners) == ([0], [1])


@pytest.mark.parametrize(
    "setup",
    [Setup(players=2, duel="pawn", seed=3), Setup(board="east", players=2, seed=4)],
    ids=repr,
)
def test_the_same_match_again_is_the_same_game(setup, monkeypatch):
    """Compiled or not, but both times the same: the last digits of their sums may differ."""
    fast = is_fast(None)
    monkeypatch.setattr(champion, "is_fast", lambda _: fast)
    bots = ["champion:simulations=5", "greedy"]
    first, second = play_match(bots, setup), play_match(bots, setup)
    assert first.record == second.record
    assert first.faults == []
