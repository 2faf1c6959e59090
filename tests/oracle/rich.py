"""Random positions in which rare things are about to happen: full posts, markers, offices, tiles."""

import json
import random

from tests.oracle.boards import Pos, board_of, is_green
from tests.oracle.crowds import (
    crowd,
    impoverish,
    sail,
    scatter_posts,
    somebody,
    spare,
    sprinkle,
)
from tests.oracle.invariants import marker_count
from tests.oracle.offices import free_house
from tests.oracle.pieces import TRACKS, seats, stock
from tests.oracle.scoring import scores
from tests.oracle.setups import FAVOURS, Setup, fresh, third_marker


def rich(game: Setup, rng: random.Random) -> Pos:
    """A valid position between two decisions of a turn, far from the opening."""
    pos = fresh(game, rng)
    for player in seats(pos):
        pos["players"][player]["supply"] = {"t": 0, "m": 0}
    in_the_turn(pos, rng)
    at_sea = [] if game["board"] == "hansa" else [sail, sail, sail]
    aim = rng.choice([None, None, crowd, impoverish, sprinkle, *at_sea])
    scatter_skills(pos, rng, developed=aim is crowd)
    if aim is sail:
        sail(pos, rng)
    if aim is not crowd:
        scatter_offices(pos, rng)
    if aim is None:
        scatter_posts(pos, rng)
    elif aim is not sail:
        aim(pos, rng)
    scatter_markers(pos, rng)
    thin_out(pos)
    scatter_tiles_and_points(pos, rng)
    if rng.random() < 0.5:
        permit(pos)
    hand_out(pos, rng, generously=aim is crowd or aim is sail)
    return pos


def tied(game: Setup, rng: random.Random) -> Pos:
    """A finished game in which some players, often all, have the same total."""
    pos = rich(game, rng)
    pos |= {"over": True, "end_reason": "prestige", "phase": "over", "actions_left": 0}
    highest = max(data["skills"]["actions"] for data in pos["players"].values())
    level = {"actions": highest} if rng.random() < 0.6 else {}
    for data in pos["players"].values():
        data["points"], data["skills"] = 0, data["skills"] | level
        data["supply"], data["plate"] = {"t": 0, "m": 0}, []
    totals = {player: row["total"] for player, row in scores(pos).items()}
    goal = max(totals.values())
    for player in rng.sample(seats(pos), rng.randint(2, len(seats(pos)))):
        pos["players"][player]["points"] = goal - totals[player]
    return pos


def permit(pos: Pos) -> None:
    """The active player gets the rightmost office of the cities that give permissions."""
    for city in [entry["city"] for entry in board_of(pos)["permissions"]]:
        house = free_house(pos, city)
        if house is not None and spare(pos, pos["active"], "t"):
            pos["cities"][city]["offices"][house] = f"{pos['active']}:t"


def hand_out(pos: Pos, rng: random.Random, *, generously: bool) -> None:
    """Stock to supply: nothing, something or all of it."""
    for player in seats(pos):
        left, share = stock(pos, player), rng.choice([0, 0.1, 0.3, 0.6, 1])
        if generously and player == pos["active"]:
            share = 1
        supply = {s: sum(rng.random() < share for _ in range(left[s])) for s in "tm"}
        pos["players"][player]["supply"] = supply


def scatter_skills(pos: Pos, rng: random.Random, *, developed: bool) -> None:
    for player in seats(pos):
        levels = {s: full if developed else rng.randint(0, full) for s, full in TRACKS.items()}
        pos["players"][player]["skills"] = levels


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


def scatter_markers(pos: Pos, rng: random.Random) -> None:
    game, board = pos["game"], board_of(pos)
    kinds = ["extra-office", "extra-office", "swap", "skill", "plus3", "plus4", third_marker(game)]
    promos = ["exchange", "tribute", "block"] if game["promos"] else []
    pool = kinds + promos * 2
    for data in pos["players"].values():
        data["markers"] = rng.choices(pool, k=rng.randint(0, 5))
        data["used"] = rng.choices(pool, k=rng.randint(0, 4))
        data["plate"] = rng.choices(pool, k=rng.choice([0, 0, 0, 1, 2]))
    pos["supply"] = rng.choices(pool, k=rng.choice([0, 1, 2, 8, 8, 8]))
    pos["discarded"] = rng.choices(pool, k=rng.choice([0, 0, 2]))
    for route, data in pos["routes"].items():
        printed = board["routes"][route]
        ordinary = "permanent" not in printed and printed.get("region", "england") == "england"
        data["marker"] = rng.choice(pool) if ordinary and rng.random() < 0.15 else None
        if promos and rng.random() < 0.15:
            player = rng.choice(seats(pos))
            if spare(pos, player, "t"):
                data["laid"].append(f"{player}:{rng.choice(['tribute', 'tribute', 'block'])}")


def thin_out(pos: Pos) -> None:
    """Stay below the 64 markers, 24 of them `tribute` or `block`, that the engine stores."""
    lists = [(data, key) for data in pos["players"].values() for key in ("used", "markers")]
    for data, key in [(pos, "supply"), *lists]:
        if marker_count(pos) > 60 or laid_or_to_lay(pos) > 22:
            data[key] = [kind for kind in data[key] if kind not in {"tribute", "block"}][:3]


def laid_or_to_lay(pos: Pos) -> int:
    text = json.dumps(pos)
    return text.count("tribute") + text.count("block")


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
