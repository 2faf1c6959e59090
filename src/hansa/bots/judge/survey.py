"""What one survey of a position for one player leaves for the judgements after it."""

from __future__ import annotations

from hansa.bots.judge.weights import Features
from hansa.bots.record import part, record, whole
from hansa.rules.capacity import MAX_CITIES, MAX_LEGAL, MAX_ROUTES

FAR = 99
"""More cities than any link could be missing."""
FROM_A, FROM_B = 0, MAX_CITIES


@record
class Survey:
    """Cities as they are, routes as plans, and how good each legal decision is."""

    left: int = whole()
    """How much of the game is left, in percent."""
    keys_worth: int = whole()
    """What one more office in the network is worth."""
    largest: int = whole()
    """Size of the largest network."""
    link_missing: int = whole()
    """Cities still missing for the link."""
    link_reward: int = whole()
    """What the link is worth now; 0 when it is had, or all rewards are gone."""
    presence: int = whole()
    """Cities with own offices, as bits."""
    best: int = whole()
    """The route with the best plan, -1 without any."""
    best_rank: int = whole()
    on_board: int = whole()
    """Own pieces on posts."""
    lead: int = whole()
    """Own total less the best other total, if the game ended now."""
    # By city.
    control: list[int] = whole(MAX_CITIES)
    """Owner, -1 for nobody."""
    mine: list[int] = whole(MAX_CITIES)
    """Own offices."""
    network: list[int] = whole(MAX_CITIES)
    """Size of the own network the city belongs to."""
    network_id: list[int] = whole(MAX_CITIES)
    """Its first city."""
    link_steps: list[int] = whole(2 * MAX_CITIES)
    """Cities missing on the way from each link city, this one included: rows FROM_A and FROM_B."""
    degree: list[int] = whole(MAX_CITIES)
    """Routes that end in the city."""
    office: list[int] = whole(MAX_CITIES)
    """What one more own office in a house is worth."""
    extra: list[int] = whole(MAX_CITIES)
    """What an extra office is worth; filled in only for who holds such a marker."""
    # By route.
    value: list[int] = whole(MAX_ROUTES)
    """What establishing the route would bring."""
    cost: list[int] = whole(MAX_ROUTES)
    """Actions until then, in hundredths."""
    rank: list[int] = whole(MAX_ROUTES)
    """Value an action; what plans are compared by."""
    wants: list[int] = whole(MAX_ROUTES)
    """1: the plan wants a merchant on the route, 2: and none stands there yet."""
    missing: list[int] = whole(MAX_ROUTES)
    """Posts not yet own."""
    by_move: list[int] = whole(MAX_ROUTES)
    """Posts that one Move would fill."""
    # How the player stands, and what he may do.
    features: Features = part(Features)
    scores: list[int] = whole(MAX_LEGAL)
    """By place among the legal decisions."""


@record
class Sample:
    """A position as one of its players saw it, and the points he had in the end."""

    features: Features = part(Features)
    player: int = whole()
    total: int = whole()
