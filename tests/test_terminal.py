"""The table in the terminal: what a person can type, and that a whole game can be played."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable

from rich.console import Console

import hansa
from hansa import terminal


def first_useful(game: hansa.Game) -> hansa.Action:
    """A bot for tests that ends its turn at once and otherwise takes what comes first."""
    actions = game.legal_actions()
    return next((action for action in actions if str(action) == "end"), actions[0])


def reader(lines: Iterable[str]) -> Callable[[str], str]:
    remaining = iter(lines)

    def read(_prompt: str) -> str:
        try:
            return next(remaining)
        except StopIteration:
            raise EOFError from None

    return read


def play(*lines: str, game: hansa.Game | None = None, seat: str = "p1") -> tuple[hansa.Game, str]:
    game = game or hansa.Game.new(board="hansa", players=3, seed=5)
    out = io.StringIO()
    bots = {player: first_useful for player in game.to_dict()["players"] if player != seat}
    console = Console(file=out, width=120, highlight=False)
    terminal.Table(game, seat, bots, console=console, read=reader(lines)).run()
    return game, out.getvalue()


def texts(game: hansa.Game) -> list[str]:
    return [str(action) for action in game.history]


def test_a_decision_by_its_text():
    game, _ = play("place t groningen-emden/1")
    assert texts(game) == ["place t groningen-emden/1"]


def test_a_decision_by_its_number():
    fresh = hansa.Game.new(board="hansa", players=3, seed=5)
    game, _ = play("2")
    assert texts(game) == [str(fresh.legal_actions()[1])]


def test_words_show_what_contains_them():
    game, out = play("place groningen-emden/2")
    assert texts(game) == []
    assert "place t groningen-emden/2" in out
    assert "place m groningen-emden/2" in out


def test_a_long_list_is_cut_and_can_be_asked_for():
    _, out = play()
    assert "more; type `place` to see all" in out
    _, out = play("place")
    posts = [
        route["posts"]
        for route in hansa.Game.new(board="hansa", players=3).to_dict()["routes"].values()
    ]
    assert out.count("place m ") >= sum(len(p) for p in posts)


def test_nonsense_is_told_and_changes_nothing():
    game, out = play("dance", "0", "99999", "²", "p2> end")
    assert texts(game) == []
    assert "No legal decision contains 'dance'" in out
    assert "There is no decision 99999" in out


def test_bots_play_until_it_is_my_decision_again():
    game, out = play("end")
    assert texts(game) == ["end", "end", "end"]
    assert "p2: end" in out
    assert game.player == "p1"


def test_undo_takes_back_mine_and_what_bots_did_since():
    game, out = play("end", "undo", "place t groningen-emden/1")
    assert texts(game) == ["place t groningen-emden/1"]
    assert "Taken back." in out


def test_undo_before_my_first_decision():
    game, out = play("undo", seat="p2")
    assert "There is nothing of yours to take back." in out
    assert texts(game) == ["end"]


def test_quit_leaves():
    game, out = play("quit", "end")
    assert texts(game) == []
    assert "You left the game after 0 decisions." in out


def test_help_board_and_scores():
    _, out = play("help", "board", "", "scores")
    assert "take your last decision back" in out
    assert out.count("Cities: no office yet") == 3
    assert "network" in out


def test_save_writes_a_record(tmp_path):
    file = tmp_path / "game.txt"
    game, out = play("place t groningen-emden/1", f"save {file}", f"save {tmp_path}")
    assert hansa.Game.from_record(file.read_text()) == game
    assert "Cannot write" in out


def test_the_other_players_secrets_are_not_shown():
    game = hansa.Game.new(board="hansa", players=4, seed=5, missions=True)
    mission = game.to_dict()["players"]["p1"]["mission"] or []
    _, out = play(game=game)
    assert "Mission of p1: " + ", ".join(mission) in out
    assert "Mission of p2" not in out


def test_to_the_end_of_the_game():
    game = hansa.Game.from_dict(
        {
            "game": {"board": "hansa", "players": 3},
            "players": {"p1": {"points": 19}},
            "routes": {"groningen-emden": {"posts": ["p1:t", "p1:t", "p1:t"]}},
            "cities": {"emden": {"offices": ["p1:t", None]}},
        }
    )
    game, out = play("establish groningen-emden none", game=game)
    assert game.over
    assert "The game is over (prestige). Winner: p1." in out


def test_a_whole_game_against_bots():
    game = hansa.Game.new(board="hansa", players=3, seed=8)
    person = terminal.opponent("greedy")
    out = io.StringIO()
    terminal.Table(
        game,
        "p2",
        {"p1": terminal.opponent("greedy"), "p3": terminal.opponent("random")},
        console=Console(file=out, width=100, highlight=False),
        read=lambda _prompt: str(person(game)),
    ).run()
    assert game.over
    assert f"The game is over ({game.end_reason})" in out.getvalue()
