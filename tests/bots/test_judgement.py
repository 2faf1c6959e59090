"""What the judgement thinks of positions of the corpus, as golden text.

Taste cannot be right or wrong, so nothing else notices when a number in it is changed by mistake. Whoever
changes it on purpose writes the text anew (`HANSA_GOLDEN=write`), looks at the difference, and lets the
arena say whether it is better.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.corpus import GAMES
from tests.goldens import check_golden

import hansa
from hansa.bots.judge import evaluation, policy, turns
from hansa.bots.judge.fitted import kind_of, weights_of
from hansa.bots.judge.styles import STYLES, style_of
from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import Weights

GOLDEN = Path(__file__).parents[1] / "golden"
EVERY = 25
"""One of so many decisions is looked at, beside the first of each kind in a game."""
SHOWN = 3


def asked(game: hansa.Game) -> Iterator[tuple[int, hansa.Game]]:
    """Positions of a game in which somebody has a choice, by number."""
    seen: set[str] = set()
    after = hansa.Game(game.setup, game.setup.new_state())
    for number, action in enumerate(game.history):
        if len(after.legal_actions()) > 1 and (number % EVERY == 0 or after.phase not in seen):
            seen.add(after.phase)
            yield number, after
        after.play(action)


def rated(game: hansa.Game, w: Weights) -> list[tuple[str, int]]:
    """Each legal decision with its rating, the best first."""
    legal, survey = game.legal_actions(), Survey()
    ids = [action.id for action in legal]
    policy.rate_all(game.setup.tables, game.state, w, survey, ids, len(ids))
    pairs = zip(legal, survey.scores, strict=False)
    return sorted(((str(action), score) for action, score in pairs), key=lambda one: -one[1])


def opinion(number: int, game: hansa.Game) -> str:
    """A line: the best decisions, a sum over all that none can change unseen, how everybody stands."""
    w = weights_of(kind_of(game.setup.board, len(game.players)))
    found = rated(game, w)
    best = ", ".join(f"{text} {score}" for text, score in found[:SHOWN])
    every = sum(place * score for place, (_, score) in enumerate(found, 1))
    b, s, survey = game.setup.tables, game.state, Survey()
    stands = [evaluation.evaluate(b, s, w, survey, p) for p in range(len(game.players))]
    styles = [rated(game, style_of(style))[0][1] for style in STYLES]
    told = f"{number:4} {game.phase}: {best} | {every} | stands"
    return " ".join([told, *map(str, stands), "| styles", *map(str, styles)])


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.hansa")), ids=lambda path: path.stem)
def test_the_judgement_thinks_of_a_game_what_it_thought(path):
    game = hansa.Game.from_record(path.read_text("utf-8"))
    lines = [opinion(number, position) for number, position in asked(game)]
    check_golden(GOLDEN / f"judgement-{path.stem}.txt", "\n".join([*lines, ""]))


@pytest.mark.parametrize(
    ("supply", "cost", "left", "used"),
    [
        pytest.param(2, 900, 5000, False, id="nothing to do with them"),
        pytest.param(3, 900, 5000, True, id="the supply feeds them"),
        pytest.param(4, 900, 5000, True, id="the supply feeds more"),
        pytest.param(2, 350, 5000, True, id="they finish the plan"),
        pytest.param(2, 351, 5000, False, id="they just do not finish it"),
        pytest.param(2, 900, 0, True, id="it is late"),
    ],
)
def test_extra_actions_are_used_when_they_finish_a_plan_or_can_be_fed(supply, cost, left, used):
    state, survey = hansa.Game.new(players=3, seed=1).state, Survey()
    state.actions_left = 0
    first = 2 * state.active
    state.supply[first], state.supply[first + 1] = supply - 1, 1
    survey.best, survey.left = 0, left
    survey.cost[0] = cost
    assert (turns.rate_plus(state, survey, 3) > 0) is used
