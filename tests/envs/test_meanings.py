"""What ids and places mean as numbers: every word of a decision is found again, graphs are the boards'."""

from __future__ import annotations

import numpy as np
import pytest

import hansa
from hansa.boards import BOARD_IDS, FAMILIES
from hansa.envs import actions, encode, graph, layout


@pytest.mark.parametrize("family", FAMILIES)
def test_every_legal_decision_is_known_and_names_what_its_text_names(family):
    table = actions(family)
    game = hansa.Game.new(board=family, players=3, seed=3)
    for step in range(60):
        for action in game.legal_actions():
            row = table.row(action.id)
            assert table.known[action.id]
            for name, words in table.words.items():
                value = getattr(action, name)
                assert (row[name] == -1) == (value is None)
                assert value is None or words[row[name]] == str(value)
            assert row["traders"] == (-1 if action.traders is None else action.traders)
        game.play(game.legal_actions()[step % len(game.legal_actions())])


def test_a_row_says_where_the_observation_tells_of_the_post():
    """Row `post` of the block `posts` changes when the piece is placed there."""
    game = hansa.Game.new(players=4, seed=2)
    action = hansa.Action.parse("place t groningen-emden/2")
    at = actions("hansa").row(action.id)["post"]
    before = layout("hansa").split(encode(game, "p1"))["posts"]
    game.play(action)
    after = layout("hansa").split(encode(game, "p1"))["posts"]
    assert np.flatnonzero((before != after).any(axis=1)).tolist() == [at]


def test_different_ids_are_told_apart():
    table = actions("britannia")
    rows = table.numbers[table.known]
    assert len(np.unique(rows, axis=0)) == len(rows)


def test_an_unknown_board_is_refused():
    with pytest.raises(hansa.InvalidSetup, match="unknown board"):
        actions("venice")
    with pytest.raises(hansa.InvalidSetup, match="unknown board"):
        graph("venice-23")


@pytest.mark.parametrize("board_id", BOARD_IDS)
def test_graphs_are_those_of_the_boards(board_id):
    board, found = hansa.Board.load(board_id), graph(board_id)
    rows = {block.name: block.rows for block in layout(board.family).blocks}
    assert found.routes[:, 0].sum() == len(board.routes)
    assert found.cities[:, 0].sum() == len(board.cities)
    assert found.houses[:, 0].sum() == sum(len(city.houses) for city in board.cities)
    for route in board.routes:
        k = rows["routes"].index(route.id)
        assert {rows["cities"][city] for city in found.route_cities[k]} == set(route.cities)
        mine = np.flatnonzero(found.post_route == k)
        assert {rows["posts"][post] for post in mine} == {post.id for post in route.posts}
        assert found.post_adjacency[np.ix_(mine, mine)].sum() == 2 * (len(mine) - 1)
    for city in board.cities:
        k = rows["cities"].index(city.id)
        assert found.city_adjacency[k].sum() == len(board.routes_of(city.id))
    assert (found.route_adjacency == found.route_adjacency.T).all()
    assert found.route_adjacency.diagonal().sum() == 0
