"""Offices: who stands in a city, who controls it, what founding one brings."""

from collections import Counter

from tests.oracle.boards import COLOURS, Board, Pos, board_of, ends, is_green, neighbours
from tests.oracle.pieces import clockwise, owner, shape


def row(pos: Pos, city: str) -> list[str]:
    """All offices of a city from the left, extra offices first (GEO-6)."""
    data = pos["cities"][city]
    return [piece for piece in data["extra"] + data["offices"] if piece]


def control(pos: Pos, city: str) -> str | None:
    """CONTROL-1 to -3: most offices, then the office furthest to the right."""
    owners = [owner(piece) for piece in row(pos, city)]
    if not owners:
        return None
    most = max(Counter(owners).values())
    return [player for player in owners if owners.count(player) == most][-1]


def rightmost(pos: Pos, city: str) -> str | None:
    """BRIT-PERM-6: the owner of the rightmost office."""
    standing = row(pos, city)
    return owner(standing[-1]) if standing else None


def present(pos: Pos, player: str) -> set[str]:
    """The cities in which a player has an office of any kind."""
    return {c for c in pos["cities"] if player in {owner(piece) for piece in row(pos, c)}}


def networks(pos: Pos, player: str) -> list[set[str]]:
    """SCORE-F-1: the connected sets of neighbouring cities with offices of the player."""
    board, left, found = board_of(pos), present(pos, player), []
    while left:
        network, edge = set[str](), {min(left)}
        while edge:
            network |= edge
            edge = {near for city in edge for near in neighbours(board, city) & left} - network
        found.append(network)
        left = left - network
    return found


def network_size(pos: Pos, player: str) -> int:
    """SCORE-F-2 and -3: offices in the network with most of them."""
    owners = {city: [owner(piece) for piece in row(pos, city)] for city in pos["cities"]}
    sizes = [sum(owners[c].count(player) for c in network) for network in networks(pos, player)]
    return max(sizes, default=0)


def has_link(pos: Pos, player: str) -> bool:
    """LINK-2: both link cities in one chain of neighbouring cities."""
    wanted = set(board_of(pos)["east_west"]["cities"])
    return any(wanted <= network for network in networks(pos, player))


def free_house(pos: Pos, city: str) -> int | None:
    """OFFICE-1: the leftmost free house; a green city has none."""
    if is_green(board_of(pos), city) or None not in pos["cities"][city]["offices"]:
        return None
    return int(pos["cities"][city]["offices"].index(None))


def is_completed(pos: Pos, city: str) -> bool:
    """OFFICE-8; EAST-9: a green city with its first office."""
    offices = pos["cities"][city]["offices"]
    return bool(offices) if is_green(board_of(pos), city) else None not in offices


def completed(pos: Pos) -> int:
    return sum(is_completed(pos, city) for city in pos["cities"])


def covers(pos: Pos, player: str, colour: str) -> bool:
    """SKILL-9: privilege covers its own colour and all lower ones."""
    return COLOURS.index(colour) <= int(pos["players"][player]["skills"]["privilege"])


def can_found(pos: Pos, player: str, city: str, shapes: set[str]) -> bool:
    """OFFICE-1 to -4 for the pieces on a route."""
    house = free_house(pos, city)
    if house is None:
        return False
    printed = board_of(pos)["cities"][city]["houses"][house]
    return printed["shape"][0] in shapes and covers(pos, player, printed["privilege"])


def gain(pos: Pos, player: str, points: int) -> None:
    (pos["neutral"] if player == "n" else pos["players"][player])["points"] += points


def found_in_house(pos: Pos, piece: str, city: str) -> None:
    """OFFICE-10: piece, coin, (counter), link."""
    house = free_house(pos, city)
    assert house is not None
    pos["cities"][city]["offices"][house] = piece
    gain(pos, owner(piece), board_of(pos)["cities"][city]["houses"][house].get("coin", 0))
    reward_link(pos, owner(piece))


def found_extra(pos: Pos, piece: str, city: str) -> None:
    """MARKER-EXTRA-1: left of everything else; EAST-7 in a green city."""
    place = "offices" if is_green(board_of(pos), city) else "extra"
    pos["cities"][city][place].insert(0, piece)
    reward_link(pos, owner(piece))


def found_green(pos: Pos, piece: str, city: str) -> None:
    """EAST-8: right of all others."""
    pos["cities"][city]["offices"].append(piece)
    reward_link(pos, owner(piece))


def reward_link(pos: Pos, player: str) -> None:
    """LINK-4, -5 and -7."""
    if player in pos["east_west"] or not has_link(pos, player):
        return
    points = [*board_of(pos)["east_west"]["points"], 0, 0, 0]
    gain(pos, player, points[len(pos["east_west"])])
    pos["east_west"].append(player)


def pay_control(pos: Pos, route: str) -> None:
    """ROUTE-4 to -6: judged for both cities before anything changes."""
    for player in [control(pos, city) for city in ends(board_of(pos), route)]:
        if player is not None:
            gain(pos, player, 1)


def tributes(pos: Pos, city: str) -> list[tuple[str, int]]:
    """PROMO-TRIBUTE-2, RULING-63: players clockwise with their tributes touching the city."""
    board: Board = board_of(pos)
    laid = [
        mark for r, data in pos["routes"].items() if city in ends(board, r) for mark in data["laid"]
    ]
    counts = [(player, laid.count(f"{player}:tribute")) for player in clockwise(pos)]
    return [(player, count) for player, count in counts if count]


def tribute_tasks(pos: Pos, city: str) -> list[Pos]:
    """What an office just founded in the city lets players decide at once."""
    return [{"task": "react", "player": p, "left": 2 * count} for p, count in tributes(pos, city)]


def shapes_on(pos: Pos, route: str) -> set[str]:
    return {shape(piece) for piece in pos["routes"][route]["posts"] if piece}
