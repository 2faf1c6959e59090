"""The final scoring, as if the game ended now, and the winners."""

from tests.oracle.boards import Pos, board_of
from tests.oracle.offices import control, network_size, present, row
from tests.oracle.pieces import KEYS, full_skill, owner, seats


def marker_points(count: int) -> int:
    """SCORE-C-1."""
    return [0, 1, 3, 3, 6, 6, 10, 10, 15, 15, 21][min(count, 10)]


def markers_owned(pos: Pos, player: str) -> int:
    """Used, unused and laid ones (PROMO-2); the plate belongs to nobody (END-7)."""
    data = pos["players"][player]
    laid = [mark for route in pos["routes"].values() for mark in route["laid"]]
    return len(data["markers"]) + len(data["used"]) + sum(owner(mark) == player for mark in laid)


def controlled(pos: Pos, player: str) -> set[str]:
    return {city for city in pos["cities"] if control(pos, city) == player}


def region_points(pos: Pos, region: str) -> dict[str, int]:
    """BRIT-SCORE-1 to -6: 7, 4 and 2 by controlled cities, then offices; ties share, rounded down."""
    cities = {c for c, data in board_of(pos)["cities"].items() if region in data["regions"]}
    rank = {}
    for player in [*seats(pos), "n"]:
        offices = sum(owner(piece) == player for city in cities for piece in row(pos, city))
        if offices:
            rank[player] = (len(controlled(pos, player) & cities), offices)
    points, places = {}, [7, 4, 2, 0, 0, 0]
    for standing in sorted(set(rank.values()), reverse=True):
        tied = [player for player in rank if rank[player] == standing]
        covered, places = places[: len(tied)], places[len(tied) :]
        points.update(dict.fromkeys(tied, sum(covered) // len(tied)))
    return points


def regions(pos: Pos, player: str) -> int:
    abroad = [region for region in board_of(pos)["regions"] if region != "england"]
    return sum(region_points(pos, region).get(player, 0) for region in abroad)


def mission(pos: Pos, player: str) -> int:
    """MISSION-4 and -5."""
    card = pos["players"][player]["mission"]
    if card is None:
        return 0
    bonus = 5 if set(card) <= controlled(pos, player) else 0
    return len(set(card) & present(pos, player)) + bonus


def score(pos: Pos, player: str) -> dict[str, int]:
    data = pos["players"][player]
    full = sum(full_skill(pos, player, s) for s in ("actions", "privilege", "book", "bank"))
    spaces = [int(points) for points, holder in pos["prestige"].items() if holder == player]
    parts = {
        "track": data["points"],
        "skills": full * (7 if "skill" in data["favours"] else 4),
        "markers": marker_points(markers_owned(pos, player)),
        "prestige": sum(spaces),
        "cities": len(controlled(pos, player)) * (4 if "city" in data["favours"] else 2),
        "network": network_size(pos, player) * KEYS[data["skills"]["keys"]],
        "missions": mission(pos, player),
        "regions": regions(pos, player),
    }
    return parts | {"total": sum(parts.values())}


def scores(pos: Pos) -> dict[str, dict[str, int]]:
    return {player: score(pos, player) for player in seats(pos)}


def winners(pos: Pos) -> list[str]:
    """TIE-1 to -5; nobody before the end."""
    if not pos["over"]:
        return []
    table = scores(pos)
    keys = {player: [table[player]["total"]] for player in table}
    if pos["game"]["edition"] == "bigbox":
        for player, key in keys.items():
            key += [-pos["players"][player]["skills"]["actions"], table[player]["network"]]
    return [player for player in keys if keys[player] == max(keys.values())]
