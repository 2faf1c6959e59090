"""The weights of the judgement; `fitted.py` has their values. Points are counted in hundredths."""

from __future__ import annotations

from hansa.bots.record import part, record, whole
from hansa.rules.catalogue import MARKERS
from hansa.rules.codes import SKILL_STEPS

STEPS = sum(SKILL_STEPS)
"""Steps of all skills together."""
STEP_FIRST = tuple(sum(SKILL_STEPS[:skill]) for skill in range(len(SKILL_STEPS)))
"""Where the steps of a skill begin among those of all skills."""


@record
class Features:
    """What is worth knowing of a player's position, or how much of that counts, in thousandths."""

    constant: int = whole()
    total: int = whole()
    """Points if the game ended now."""
    steps: list[int] = whole(STEPS)
    supply: int = whole()
    merchants: int = whole()
    """Those in the supply once more."""
    posts: int = whole()
    """Own pieces on posts."""
    nearest: int = whole()
    """What the best plan will bring, by how near it is."""
    near: int = whole()
    """The same of all other plans."""
    link: int = whole()
    unused: list[int] = whole(len(MARKERS))
    """By kind of marker."""
    offices: int = whole()
    network: int = whole()
    wait: int = whole()
    """Turns of others before the own one."""
    ahead: int = whole()
    """How much of the game is left."""
    cities: int = whole()
    """Cities controlled."""
    tile: int = whole()
    later: int = whole()
    """How much is left, squared."""
    stock: int = whole()


@record
class Weights:
    """How the judgement weighs things against each other; never changed while one plays."""

    # Skills.
    steps: list[int] = whole(STEPS)
    """What each step of a skill is worth with the whole game ahead; of keys, for each office."""
    full_near: int = whole()
    """Percent of the points of a full track that its last step but one is worth."""
    full_far: int = whole()
    """The same of earlier steps."""
    # Markers.
    marker_scale: int = whole()
    """Percent of the points that one more marker scores."""
    use: list[int] = whole(len(MARKERS))
    """What using a marker is worth, by its kind."""
    # Offices.
    network_growth: int = whole()
    """By how many offices a network grows in a whole game."""
    keys_later: int = whole()
    """By how much an office in the network will be worth more, with the whole game ahead."""
    seed_share: int = whole()
    """Percent of an office in the network that one outside it is worth."""
    flow: int = whole()
    """What control of a city brings in a whole game, for each of its routes."""
    guard: int = whole()
    """One more office where one controls already."""
    link_scale: int = whole()
    """Percent of the link's points."""
    # Plans.
    gift: int = whole()
    """What each piece given to a displaced player costs, shared among all."""
    risk: int = whole()
    """Percent of a plan's value that is left where others may come first."""
    move_cost: int = whole()
    """Hundredths of an action for each piece that comes by a Move."""
    piece_cost: int = whole()
    """Hundredths of an action for as many pieces as one Income brings."""
    short_cost: int = whole()
    """The same for pieces that are not in the supply yet."""
    short_fixed: int = whole()
    """Hundredths of an action if any is missing."""
    for_others: int = whole()
    """What a point for another player costs, shared among all."""
    # Decisions.
    income_rich: int = whole()
    """Percent of an Income's value with three pieces or more."""
    income_poor: int = whole()
    """The same with fewer."""
    prestige_scale: int = whole()
    """Hundredths for each point of a prestige space."""
    in_way: int = whole()
    """What each piece of another player is worth beside which one stands."""
    lay_length: int = whole()
    """What each post of a route where a marker is laid is worth."""
    extra_kept: int = whole()
    """What an extra-office marker is worth unused, with the whole game ahead."""
    winning_end: int = whole()
    """What the end of the game is worth to the leader."""
    losing_end: int = whole()
    """What it costs who is far behind."""
    # Modules.
    mission: int = whole()
    """What an office in a city of the own card is worth."""
    region: int = whole()
    """What an office counts for the rank in a country."""
    permission: int = whole()
    """What an office in a city with a permission is worth, with the whole game ahead."""
    # The rest.
    action: int = whole()
    """What an action is worth."""
    completes: int = whole()
    """What completing a city is worth beside the office."""
    move_from: int = whole()
    """Percent of the best plan's rank up to which a plan gives pieces to it."""
    # The evaluation.
    evaluation: Features = part(Features)
    calm: int = whole()
    """Hundredths of a point that count little even at the very end."""
    uncertain: int = whole()
    """Hundredths of them more for each percent of the game that is left."""
