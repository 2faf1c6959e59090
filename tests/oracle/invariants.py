"""What holds in every position (INV), as one list of complaints."""

from tests.oracle.boards import Pos, board_of, is_green
from tests.oracle.pieces import TRACKS, fits, occupied, pieces_in_hand, seats, stock


def complaints(pos: Pos) -> list[str]:
    """Empty if the position is sound."""
    found = []
    for player in seats(pos):
        data = pos["players"][player]
        if min(*stock(pos, player).values(), *data["supply"].values()) < 0:
            found.append(f"INV-1: {player} has more pieces than he owns")
        if any(not 0 <= data["skills"][skill] <= full for skill, full in TRACKS.items()):
            found.append(f"INV-6: skill steps of {player}")
    for city, data in pos["cities"].items():
        houses = [office is not None for office in data["offices"]]
        if not is_green(board_of(pos), city) and houses != sorted(houses, reverse=True):
            found.append(f"INV-2: gap in {city}")
    for post, piece in occupied(pos).items():
        if not fits(pos, piece, post):
            found.append(f"INV-8: {piece} on {post}")
    if len(pos["east_west"]) != len(set(pos["east_west"])):
        found.append("INV-7: somebody is rewarded twice")
    if pos["pending"] is None and list(pieces_in_hand(pos)):
        found.append("a piece is in hand although nothing is pending")
    return found


def marker_count(pos: Pos) -> int:
    """INV-4: every marker, wherever it is."""
    held = [data[key] for data in pos["players"].values() for key in ("markers", "used", "plate")]
    routes = list(pos["routes"].values())
    on_board = sum(route["marker"] is not None for route in routes)
    laid = sum(len(route["laid"]) for route in routes)
    return sum(map(len, held)) + on_board + laid + len(pos["supply"]) + len(pos["discarded"])


def never_falls(pos: Pos) -> list[int]:
    """INV-5: figures that only grow."""
    figures = [pos["turn"], len(pos["east_west"]), len(pos["discarded"])]
    for data in pos["players"].values():
        figures += [data["points"], *data["skills"].values()]
    for city in pos["cities"].values():
        figures += [len(city["extra"]), sum(office is not None for office in city["offices"])]
    return figures
