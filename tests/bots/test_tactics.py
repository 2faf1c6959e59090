"""A search that looks ahead finds the one right decision, and beats who never does.

The judgement that guides the search is often right by itself. So in most of these positions it is
wrong, or finds several decisions good, and only what the search makes of the futures tells: a
search that prefers bad ones fails here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import pytest

import hansa
from hansa.bots import create
from hansa.bots.match import play_match
from hansa.setup import Setup

SIMULATIONS = 200
NONE = {"t": 0, "m": 0}
FEW = {"t": 2, "m": 0}


def full(player: str, length: int, merchants: int = 0) -> list[str]:
    """The posts of a route that a player may establish."""
    return [f"{player}:m"] * merchants + [f"{player}:t"] * (length - merchants)


def players(mine: dict[str, Any], *others: dict[str, Any]) -> dict[str, Any]:
    return {f"p{seat}": one for seat, one in enumerate((mine, *others), start=1)}


@dataclass(frozen=True)
class Tactic:
    """A position, and what whoever decides has to do there."""

    id: str
    why: str
    best: str
    """The decision; * stands for whatever is gained beside it."""
    position: dict[str, Any]
    play: tuple[str, ...] = field(default=())
    """What is played before the decision."""


# A marker gives more actions at once: who takes it first has both routes in the same turn.
# Name, game, turn, my points, the others' points, the marker, its route and posts, the other route.
MORE_ACTIONS: list[tuple[str, dict[str, Any], int, int, int, str, str, int, str]] = [
    ("hansa-45", {"players": 4}, 41, 6, 16, "plus4", "goslar-magdeburg", 2, "coellen-warburg"),
    (
        "east", {"board": "east", "players": 3}, 31, 4, 12,
        "plus3", "stettin-kulm", 3, "danzig-koenigsberg",
    ),
    (
        "britannia-23", {"board": "britannia", "players": 3}, 31, 4, 13,
        "plus3", "richmond-lancaster", 2, "plymouth-salisbury",
    ),
    (
        "britannia-45", {"board": "britannia", "players": 5}, 51, 4, 14,
        "plus4", "richmond-lancaster", 2, "plymouth-salisbury",
    ),
]  # fmt: skip
PLUS_FIRST = [
    Tactic(
        f"{marker}-before-the-prize-{name}",
        "its actions establish the route to the prestige city too",
        f"establish {first} office *",
        {
            "game": game,
            "turn": turn,
            "actions_left": 1,
            "players": players(
                {"points": mine, "supply": NONE, "skills": {"privilege": 1}},
                *[{"points": theirs}] * (game["players"] - 1),
            ),
            "routes": {
                first: {"posts": full("p1", length), "marker": marker},
                prize: {"posts": full("p1", 4, merchants=1)},
            },
        },
    )
    for name, game, turn, mine, theirs, marker, first, length, prize in MORE_ACTIONS
] + [
    Tactic(
        "plus4-and-a-coin-before-the-prize",
        "a point short of the end and behind: the coin, then with plus4 the seven points too",
        "establish groningen-emden office groningen",
        {
            "game": {"players": 3},
            "turn": 31,
            "actions_left": 1,
            "players": players(
                {"points": 18, "supply": {"t": 1, "m": 0}},
                {"points": 14, "skills": {"bank": 3, "actions": 5}},
                {"points": 10},
            ),
            "routes": {
                "groningen-emden": {"posts": full("p1", 3), "marker": "plus4"},
                "coellen-warburg": {"posts": full("p1", 4, merchants=1)},
            },
        },
    )
]

# Every free prestige space is open to who has all privileges: the dearest one is best.
# Name, game, turn, my points, the others' points, the route.
SPACES: list[tuple[str, dict[str, Any], int, int, int, str]] = [
    ("hansa-45", {"players": 4}, 41, 5, 17, "coellen-warburg"),
    ("east", {"board": "east", "players": 4}, 41, 5, 17, "danzig-koenigsberg"),
    ("britannia", {"board": "britannia", "players": 3}, 31, 8, 18, "plymouth-salisbury"),
    ("pawn", {"players": 2, "duel": "pawn"}, 21, 5, 19, "coellen-warburg"),
]
DEAREST_SPACE = [
    Tactic(
        f"the-dearest-prestige-space-{name}",
        "eleven points rather than nine, eight or seven",
        f"establish {route} prestige 11",
        {
            "game": game,
            "turn": turn,
            "actions_left": 1,
            "pawn": 15 if "duel" in game else None,
            "players": players(
                {"points": mine, "supply": FEW, "skills": {"privilege": 3}},
                *[{"points": theirs}] * (game["players"] - 1),
            ),
            "routes": {route: {"posts": full("p1", 4, merchants=1)}},
        },
    )
    for name, game, turn, mine, theirs, route in SPACES
]

SKILLS = [
    Tactic(
        f"the-fourth-action-{board}",
        "with most of the game ahead nothing is worth as much as an action in every turn",
        "use skill actions",
        {
            "game": {"board": board, "players": 4},
            "turn": 21,
            "actions_left": 0,
            "players": players(
                {"points": 5, "markers": ["skill"], "skills": {"actions": 2}},
                *[{"points": 6, "skills": {"actions": 3}}] * 3,
            ),
        },
    )
    for board in ("hansa", "east")
] + [
    Tactic(
        "the-last-step-of-a-track",
        "near the end a full track scores four points; the judgement still wants actions",
        "use skill privilege",
        {
            "game": {"players": 4},
            "turn": 60,
            "actions_left": 0,
            "players": players(
                {"points": 14, "supply": FEW, "markers": ["skill"], "skills": {"privilege": 2}},
                *[{"points": 17}] * 3,
            ),
        },
    ),
    Tactic(
        "an-action-just-in-time-pawn",
        "no action is left, but a step of that skill gives one: enough for the prize (SKILL-6)",
        "use skill actions",
        {
            "game": {"players": 2, "duel": "pawn"},
            "turn": 21,
            "actions_left": 0,
            "pawn": 15,
            "players": players(
                {"points": 7, "supply": NONE, "markers": ["skill"], "skills": {"bank": 2}},
                {"points": 15},
            ),
            "routes": {"coellen-warburg": {"posts": full("p1", 4, merchants=1)}},
        },
    ),
]

# NEUTRAL-13: the neutral office goes where the other one loses control, not where I do.
NEUTRAL_OFFICE = [
    Tactic(
        f"the-neutral-office-goes-to-the-other-{name}",
        "it takes the control of a city from whoever has it",
        f"neutral {mine}-{theirs} {theirs}",
        {
            "game": game,
            "turn": 30,
            "actions_left": 1,
            "players": players({"points": 10}, {"points": 10}),
            "cities": {
                mine: {"offices": ["p1:t", *[None] * (mine_houses - 1)]},
                theirs: {"offices": ["p2:t", *[None] * (their_houses - 1)]},
            },
            "routes": {f"{mine}-{theirs}": {"posts": ["n:t"] * 3}},
        },
        play=(before,),
    )
    for name, game, mine, mine_houses, theirs, their_houses, before in (
        ("hansa", {"players": 2, "duel": "neutral"}, "minden", 4, "hannover", 2,
         "place t kampen-arnheim/2"),
        ("east", {"board": "east", "players": 2}, "thorn", 3, "krakau", 3,
         "place t breslau-krakau/2"),
        ("britannia", {"board": "britannia", "players": 2}, "coventry", 2, "nottingham", 2,
         "place t bristol-salisbury/2"),
    )
]  # fmt: skip

ENDS = [
    Tactic(
        "not-the-end-while-behind",
        "the coin of Groningen would end the game, two points behind; the judgement takes it",
        "establish goslar-magdeburg office goslar",
        {
            "game": {"players": 3},
            "turn": 31,
            "actions_left": 1,
            "players": players(
                {"points": 19, "supply": {"t": 1, "m": 0}},
                {"points": 18, "skills": {"bank": 3}},
                {"points": 12},
            ),
            "cities": {"hamburg": {"offices": ["p2:t", None, None]}},
            "routes": {
                "groningen-emden": {"posts": full("p1", 3)},
                "goslar-magdeburg": {"posts": full("p1", 2)},
            },
        },
    ),
    Tactic(
        "the-swap-before-the-end",
        "the route ends the game: control of Hannover has to be won before it, not after",
        "use swap hannover 1",
        {
            "game": {"players": 3},
            "actions_left": 1,
            "players": players(
                {"points": 19, "supply": {"t": 1, "m": 0}, "markers": ["swap"]},
                {"points": 19, "skills": {"bank": 3}},
                {"points": 5},
            ),
            "cities": {
                "hannover": {"offices": ["p1:t", "p2:t"]},
                "duisburg": {"offices": ["p1:t"]},
            },
            "routes": {
                "duisburg-dortmund": {"posts": full("p1", 2)},
                "hannover-lueneburg": {"posts": full("p2", 3)},
            },
        },
    ),
    Tactic(
        "the-coin-that-wins-neutral",
        "now or never: the other one ends the game in his next turn",
        "establish groningen-emden office groningen",
        {
            "game": {"players": 2, "duel": "neutral"},
            "turn": 31,
            "actions_left": 1,
            "players": players(
                {"points": 19, "supply": {"t": 1}, "skills": {"book": 2}}, {"points": 19}
            ),
            "cities": {"hannover": {"offices": ["p2:t", None]}},
            "routes": {
                "groningen-emden": {"posts": full("p1", 3)},
                "hannover-lueneburg": {"posts": full("p2", 3)},
            },
        },
    ),
    Tactic(
        "the-route-that-wins-pawn",
        "one route gives the twentieth point to me, the other to him",
        "establish bremen-minden *",
        {
            "game": {"players": 2, "duel": "pawn"},
            "turn": 31,
            "actions_left": 1,
            "pawn": 6,
            "players": players({"points": 19, "supply": NONE}, {"points": 19}),
            "cities": {
                "minden": {"offices": ["p1:t", None, None, None]},
                "hannover": {"offices": ["p2:t", None]},
            },
            "routes": {
                "bremen-minden": {"posts": full("p1", 3)},
                "bremen-hannover": {"posts": full("p1", 3)},
            },
        },
    ),
]

TACTICS = [*PLUS_FIRST, *DEAREST_SPACE, *SKILLS, *NEUTRAL_OFFICE, *ENDS]


def position_of(tactic: Tactic) -> hansa.Game:
    game = hansa.Game.from_dict(tactic.position)
    for decision in tactic.play:
        game.play(decision)
    return game


@pytest.mark.parametrize("bot", ["search", "champion"])
@pytest.mark.parametrize("tactic", TACTICS, ids=lambda tactic: tactic.id)
def test_who_looks_ahead_finds_the_one_right_decision(tactic, bot):
    game = position_of(tactic)
    found = create(f"{bot}:simulations={SIMULATIONS}").choose(
        game.view(game.player), game.legal_actions()
    )
    assert fnmatchcase(found.text, tactic.best), tactic.why


def test_the_positions_leave_a_choice_and_are_not_all_found_without_looking_ahead():
    greedy, misjudged = create("greedy"), []
    for tactic in TACTICS:
        game = position_of(tactic)
        legal = [str(action) for action in game.legal_actions()]
        right = [text for text in legal if fnmatchcase(text, tactic.best)]
        assert right, tactic.id
        assert len(right) < len(legal), tactic.id
        if str(greedy.choose(game.view(game.player), game.legal_actions())) not in right:
            misjudged.append(tactic.id)
    assert len(misjudged) >= 5, misjudged


@pytest.mark.parametrize(
    "setup",
    [
        Setup(players=2, duel="pawn"),
        Setup(board="east", players=2),
        Setup(players=2, duel="neutral"),
    ],
    ids=repr,
)
def test_search_beats_greedy_clearly(setup):
    # Few simulations are enough, and quick where nothing is compiled.
    first = play_match(["search:simulations=6", "greedy"], setup.with_seed(0))
    second = play_match(["greedy", "search:simulations=6"], setup.with_seed(1))
    assert (first.winners, second.winners) == ([0], [1])
    lead = first.totals[0] - first.totals[1] + second.totals[1] - second.totals[0]
    assert lead > 20
