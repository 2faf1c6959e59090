"""A bot that misbehaves costs itself, never the game."""

from __future__ import annotations

from typing import Any

import hansa
from hansa.bots.match import decide


class Bad:
    name = "bad"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def choose(self, view: Any, legal: Any, clock: float | None = None) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_whatever_a_bot_answers_the_game_goes_on():
    game = hansa.Game.new(players=3)
    for answer in ("place t nowhere/1", "establish x none", "", None, 17, ValueError("no"), "end "):
        action, fault = decide(Bad(answer), game)
        assert action in game.legal_actions()
        assert fault is not None
        assert "bad" in fault


def test_the_text_of_a_decision_will_do():
    game = hansa.Game.new(players=3)
    assert decide(Bad("end"), game) == (hansa.Action.parse("end"), None)
