"""Random positions in which rare things are about to happen: full posts, markers, offices, tiles."""

import random

from tests.oracle.boards import Pos, board_of, ends, is_green, special_cities
from tests.oracle.pieces import TRACKS, all_posts, fits, seats, set_post, stock
from tests.oracle.setups import FAVOURS, Setup, fresh, third_marker


def rich(game: Setup, rng: random.Random) -> Pos:
    """A valid position between two decisions of a turn, far from the opening."""
    pos = fresh(game, rng)
    for player in seats(pos):
        pos["players"][player]["supply"] = {"t": 0, "m": 0}
    scatter_skills(pos, rng)
    scatter_offices(pos, rng)
    scatter_posts(pos, rng)
    scatter_markers(pos, rng)
    scatter_tiles_and_points(pos, rng)
    for player in seats(pos):
        left, share = stock(pos, player), rng.choice([0, 0.1, 0.3, 0.6, 1])
        supply = {s: sum(rng.random() < share for _ in range(left[s])) for s in "tm"}
        pos["players"][player]["supply"] = supply
    in_the_turn(pos, rng)
    return pos


def scatter_skills(pos: Pos, rng: random.Random) -> None:
    for player in seats(pos):
        levels = {skill: rng.randint(0, full) for skill, full in TRACKS.items()}
        pos["players"][player]["skills"] = levels


def spare(pos: Pos, player: str, s: str, keep: int = 0) -> bool:
    return player == "n" or stock(pos, player)[s] > keep


def somebody(pos: Pos, rng: random.Random) -> str:
    return rng.choice(seats(pos) + (["n"] if pos["neutral"] else []))


def scatter_offices(pos: Pos, rng: random.Random) -> None:
    board, share = board_of(pos), rng.choice([0.1, 0.4, 0.6])
    almost_all = rng.random() < 0.2
    for city, data in pos["cities"].items():
        size = rng.randint(0, 3) if is_green(board, city) else len(data["offices"])
        count = (
            size if almost_all and rng.random() < 0.3 else round(size * rng.random() * 2 * share)
        )
        for k in range(min(size, count)):
            player = somebody(pos, rng)
            house = board["cities"][city]["houses"]
            s = house[k]["shape"][0] if house and rng.random() < 0.9 else rng.choice("ttm")
            piece = f"{player}:{'t' if player == 'n' else s}"
            if not spare(pos, player, s, 6 if s == "t" else 0):
                break
            if is_green(board, city):
                data["offices"].append(piece)
            else:
                data["offices"][k] = piece
        if data["offices"] and data["offices"][:1] != [None] and not is_green(board, city):
            scatter_extra(pos, city, rng)


def scatter_extra(pos: Pos, city: str, rng: random.Random) -> None:
    while rng.random() < 0.15:
        player = rng.choice(seats(pos))
        if spare(pos, player, "t", 6):
            pos["cities"][city]["extra"].insert(0, f"{player}:t")


def scatter_posts(pos: Pos, rng: random.Random) -> None:
    """Few, many or nearly all posts taken; some routes all of one colour."""
    density = rng.choice([0.1, 0.3, 0.6, 0.9, 1.0])
    for player in rng.sample(seats(pos), len(seats(pos))):
        for route in pos["routes"]:
            wanted = route_is_interesting(pos, route)
            if rng.random() < (0.25 if wanted else 0.06):
                fill_route(pos, route, player, rng)
    for post in rng.sample(all_posts(pos), len(all_posts(pos))):
        if rng.random() < density:
            put_somebody(pos, post, rng)
    for points in pos["prestige"]:
        player = rng.choice(seats(pos))
        if rng.random() < 0.2 and spare(pos, player, "m"):
            pos["prestige"][points] = player


def route_is_interesting(pos: Pos, route: str) -> bool:
    board = board_of(pos)
    special = special_cities(board) & set(ends(board, route))
    return bool(special) or "permanent" in board["routes"][route]


def fill_route(pos: Pos, route: str, player: str, rng: random.Random) -> None:
    for k, piece in enumerate(pos["routes"][route]["posts"], start=1):
        post = f"{route}/{k}"
        for s in rng.sample("tttm", 4):
            if piece is None and fits(pos, f"{player}:{s}", post) and spare(pos, player, s):
                set_post(pos, post, f"{player}:{s}")
                break


def put_somebody(pos: Pos, post: str, rng: random.Random) -> None:
    route, k = post.rsplit("/", 1)
    if pos["routes"][route]["posts"][int(k) - 1] is not None:
        return
    player, s = somebody(pos, rng), rng.choice("tttm")
    piece = f"{player}:{'t' if player == 'n' else s}"
    if spare(pos, player, s) and fits(pos, piece, post):
        set_post(pos, post, piece)


def scatter_markers(pos: Pos, rng: random.Random) -> None:
    game, board = pos["game"], board_of(pos)
    kinds = ["extra-office", "extra-office", "swap", "skill", "plus3", "plus4", third_marker(game)]
    promos = ["exchange", "tribute", "block"] if game["promos"] else []
    pool = kinds + promos * 2
    for data in pos["players"].values():
        data["markers"] = rng.choices(pool, k=rng.randint(0, 6))
        data["used"] = rng.choices(pool, k=rng.randint(0, 4))
        data["plate"] = rng.choices(pool, k=rng.choice([0, 0, 0, 1, 2]))
    pos["supply"] = rng.choices(pool, k=rng.choice([0, 1, 2, 8, 8, 8]))
    pos["discarded"] = rng.choices(pool, k=rng.choice([0, 0, 2]))
    for route, data in pos["routes"].items():
        printed = board["routes"][route]
        ordinary = "permanent" not in printed and printed.get("region", "england") == "england"
        data["marker"] = rng.choice(pool) if ordinary and rng.random() < 0.2 else None
        if promos and rng.random() < 0.15:
            player = rng.choice(seats(pos))
            if spare(pos, player, "t"):
                data["laid"].append(f"{player}:{rng.choice(['tribute', 'tribute', 'block'])}")


def scatter_tiles_and_points(pos: Pos, rng: random.Random) -> None:
    players = seats(pos)
    if pos["game"]["favours"]:
        for tile in list(pos["favours"]):
            if rng.random() < 0.5:
                pos["favours"].remove(tile)
        for tile in FAVOURS:
            if tile not in pos["favours"] and rng.random() < 0.6:
                pos["players"][rng.choice(players)]["favours"].append(tile)
    highest = rng.choice([8, 8, 12, 17, 19, 22])
    for player in players:
        pos["players"][player]["points"] = rng.randint(0, highest)
    if pos["neutral"]:
        pos["neutral"]["points"] = rng.randint(0, highest)
    connected = players + (["n"] if pos["neutral"] else [])
    pos["east_west"] = rng.sample(connected, rng.choice([0, 0, 1, min(3, len(connected))]))
    if pos["game"]["duel"] == "pawn":
        pos["pawn"] = rng.randint(1, 16)


def in_the_turn(pos: Pos, rng: random.Random) -> None:
    """Some turn of some player, at its start or in the middle."""
    seat = rng.randrange(len(seats(pos)))
    pos["active"] = pos["player"] = seats(pos)[seat]
    pos["turn"] = 1 + seat + len(seats(pos)) * rng.randint(0, 30)
    pos["phase"] = "turn"
    pos["actions_left"] = rng.randint(1, 5)
    if rng.random() < 0.5:
        return
    flags = ["touched"]
    pos["acted"] = rng.random() < 0.7
    if pos["game"]["border_fee"] and rng.random() < 0.3:
        flags.insert(0, "fee")
    if pos["game"]["favours"] and not pos["acted"] and rng.random() < 0.3:
        flags.insert(0, "bought")
        pos["actions_left"] = 0
    elif pos["game"]["duel"] == "pawn" and pos["acted"] and rng.random() < 0.2:
        flags.insert(0, "closed")
        pos["actions_left"] = 0
    if pos["game"]["duel"] == "pawn" and ("closed" in flags or rng.random() < 0.4):
        flags.insert(0, "walked")
    pos["flags"] = flags
    permitting = [entry["city"] for entry in board_of(pos)["permissions"]]
    if pos["acted"]:
        pos["permissions_used"] = [city for city in permitting if rng.random() < 0.3]
