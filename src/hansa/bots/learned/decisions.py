"""What a network sees of a decision: names, order and bounds of its inputs, and the way to them.

The deciding player's own inputs (`inputs.py`) are seen once for all his decisions; each decision
adds numbers of its own and names: its kind, what it is decided in, the skill and marker it is
about.
"""

from __future__ import annotations

from hansa.bots.judge.survey import Survey
from hansa.bots.judge.turns import best_around
from hansa.bots.learned.inputs import Input
from hansa.bots.record import real, record, whole
from hansa.grammar import MARKER_NAMES
from hansa.names import SKILLS
from hansa.rules.catalogue import DECISIONS, FRAMES
from hansa.rules.duel import PAWN, WALK
from hansa.rules.establish import EST_OFFICE, EST_SKILL
from hansa.rules.ids import AT_POST, AT_ROUTE
from hansa.rules.income import INCOME
from hansa.rules.pieces import is_mine
from hansa.rules.skills import USE_SKILL
from hansa.rules.state import State
from hansa.rules.tables import Tables

INPUTS: tuple[Input, ...] = (
    # What the judgement thinks of it.
    Input("behind", -8, 0),
    Input("score", -2, 6),
    Input("is-best", 0, 1),
    Input("is-close", 0, 1),
    # The route it is about.
    Input("at-route", 0, 1),
    Input("rank", 0, 6),
    Input("value", -2, 6),
    Input("cost", 0, 4),
    Input("missing", 0, 2),
    Input("own", 0, 2),
    Input("others", 0, 2),
    Input("rival", 0, 2),
    Input("rival-missing", 0, 2),
    Input("rival-full", 0, 1),
    Input("best-route", 0, 1),
    Input("by-move", 0, 2),
    Input("wants-merchant", 0, 1),
    Input("marker", 0, 1),
    Input("own-ends", 0, 1),
    Input("others-ends", 0, 1),
    # The piece, the city, the rest.
    Input("merchant", 0, 1),
    Input("ship", 0, 1),
    Input("displaces-merchant", 0, 1),
    Input("office", -2, 6),
    Input("traders", 0, 8),
    Input("merchants", 0, 2),
    Input("pawn-gain", -6, 6),
)
ABOUT = len(INPUTS)
"""Numbers that tell of one decision."""
NAMES: tuple[str, ...] = (
    *(f"kind {decision.text}" for decision in DECISIONS),
    "frame",
    *(f"frame {frame.name}" for frame in FRAMES),
    *(f"skill {skill}" for skill in SKILLS),
    *(f"marker {marker}" for marker in MARKER_NAMES),
)
"""Things a decision may name that are the same on every board."""
AT_FRAME = len(DECISIONS)
AT_SKILL = AT_FRAME + 1 + len(FRAMES)
AT_MARKER = AT_SKILL + len(SKILLS)
NAMED = len(NAMES)
NAMES_EACH = 4
"""A decision names at most so many; -1 stands for none."""
NOTHING = -1
VERBS = tuple(decision.id for decision in DECISIONS)
"""Numbers that name a kind of decision, ascending."""


@record
class Option:
    """One decision as a network sees it."""

    about: list[float] = real(ABOUT)
    names: list[int] = whole(NAMES_EACH)


def kind_of(verb: int) -> int:
    """The place of a kind of decision among all of them."""
    for k in range(len(VERBS)):
        if VERBS[k] == verb:
            return k
    return NOTHING


def describe(b: Tables, s: State, v: Survey, o: Option, action: int, score: int, best: int) -> None:
    """See one decision of whoever decides; the position is surveyed, planned and rated for him."""
    x = o.about
    for k in range(ABOUT):
        x[k] = 0.0
    for k in range(NAMES_EACH):
        o.names[k] = NOTHING
    x[0] = max((score - best) / 70.0, -8.0)
    x[1] = min(max(score / 300.0, -2.0), 6.0)
    x[2] = 1.0 if score == best else 0.0
    x[3] = 1.0 if best - score < 35 else 0.0
    verb = b.id_verb[action]
    o.names[0] = kind_of(verb)
    o.names[1] = AT_FRAME
    if s.depth > 0:
        o.names[1] = AT_FRAME + s.frame_kind[s.depth - 1]
    if verb >= AT_ROUTE:
        describe_route(b, s, v, o, b.id_route[action])
        describe_gain(b, v, o, verb, action)
    elif verb >= AT_POST:
        post = b.id_post[action]
        describe_route(b, s, v, o, b.post_route[post])
        x[20] = b.id_shape[action]
        x[21] = b.post_ship[post]
        if s.post[post] != 0 and s.post[post] & 1 == 0:
            x[22] = 1.0
    elif verb == INCOME:
        x[24] = min(b.id_traders[action] / 2.0, 8.0)
        x[25] = b.id_merchants[action] / 2.0
    elif verb == PAWN or verb == WALK:
        here = best_around(b, v, s.pawn)
        x[26] = min(max((best_around(b, v, b.id_province[action]) - here) / 100.0, -6.0), 6.0)
    elif verb == USE_SKILL:
        o.names[2] = AT_SKILL + b.id_skill[action]
    if b.id_marker[action] > 0:
        o.names[3] = AT_MARKER + b.id_marker[action] - 1


def describe_route(b: Tables, s: State, v: Survey, o: Option, route: int) -> None:
    """The route a decision is about: the plan there, and who stands in the way."""
    x = o.about
    length = b.route_first[route + 1] - b.route_first[route]
    own = length - v.missing[route]
    others = 0
    most = 0
    for rival in range(s.players):
        held = 0
        for post in range(b.route_first[route], b.route_first[route + 1]):
            if is_mine(s.post[post], rival):
                held += 1
        if rival != s.player:
            others += held
            if held > most:
                most = held
    x[4] = 1.0
    x[5] = min(v.rank[route] / 100.0, 6.0)
    x[6] = min(max(v.value[route] / 300.0, -2.0), 6.0)
    x[7] = min(v.cost[route] / 250.0, 4.0)
    x[8] = v.missing[route] / 4.0
    x[9] = own / 4.0
    x[10] = others / 4.0
    x[11] = most / 4.0
    x[12] = (length - most) / 4.0
    x[13] = 1.0 if most == length else 0.0
    x[14] = 1.0 if route == v.best else 0.0
    x[15] = v.by_move[route] / 4.0
    x[16] = 1.0 if v.wants[route] == 2 else 0.0
    x[17] = 1.0 if s.route_marker[route] != 0 else 0.0
    for end in range(2):
        owner = v.control[b.route_city[2 * route + end]]
        if owner == s.player:
            x[18] += 0.5
        elif owner >= 0:
            x[19] += 0.5


def describe_gain(b: Tables, v: Survey, o: Option, verb: int, action: int) -> None:
    """What establishing is to bring."""
    if verb == EST_SKILL:
        o.names[2] = AT_SKILL + b.id_skill[action]
    elif verb == EST_OFFICE:
        city = b.route_city[2 * b.id_route[action] + b.id_end[action]]
        o.about[23] = min(max(v.office[city] / 300.0, -2.0), 6.0)
