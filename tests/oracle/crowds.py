"""Pieces strewn over the posts, each way to make another rare rule likely."""

import random

from tests.oracle.boards import (
    Pos,
    board_of,
    ends,
    first_ordinary_post,
    is_ship,
    posts_of,
    special_cities,
    split_post,
)
from tests.oracle.pieces import all_posts, fits, free_posts, seats, set_post, stock


def spare(pos: Pos, player: str, s: str, keep: int = 0) -> bool:
    return player == "n" or stock(pos, player)[s] > keep


def somebody(pos: Pos, rng: random.Random) -> str:
    return rng.choice(seats(pos) + (["n"] if pos["neutral"] else []))


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


def crowd(pos: Pos, rng: random.Random) -> None:
    """Hardly a free post: displaced pieces find none, moved pieces can only change places."""
    board, active = board_of(pos), pos["active"]
    pos["players"][active]["supply"] = {"t": 3, "m": rng.randint(0, 1)}
    ships = [post for post in all_posts(pos) if is_ship(board, post)]
    one_route = posts_of(board, rng.choice(list(pos["routes"])))
    some = rng.sample(all_posts(pos), rng.randint(1, 4))
    left_free = rng.choice([[], [], one_route[1:], one_route[1:], some, ships])
    only_traders = rng.random() < 0.5
    for post in sorted(free_posts(pos), key=lambda post: post not in ships):
        players = [*seats(pos), *(["n"] * 3 if pos["neutral"] else [])]
        for player in rng.sample(players, len(players)):
            plain = player == "n" or (only_traders and player == active)
            if post not in left_free:
                for s in "t" if plain else rng.choice(["tm", "tm", "mt"]):
                    put(pos, post, player, s)
    pos["players"][active]["supply"] = {"t": 0, "m": 0}


def impoverish(pos: Pos, rng: random.Random) -> None:
    """The others have everything on posts: what they may add comes from the board."""
    for player in seats(pos):
        if player == pos["active"]:
            for post in rng.sample(free_posts(pos), 4):
                put(pos, post, player, "t")
            continue
        for post in rng.sample(free_posts(pos), len(free_posts(pos))):
            put(pos, post, player, "m" if spare(pos, player, "m") else "t")


def sail(pos: Pos, rng: random.Random) -> None:
    """The active player is about to establish routes with permanent markers."""
    board, player = board_of(pos), pos["active"]
    pos["players"][player]["skills"]["book"] = 3
    permanent = [route for route, data in board["routes"].items() if "permanent" in data]
    for route in rng.sample(permanent, len(permanent)):
        for post in posts_of(board, route):
            put(pos, post, player, "m" if is_ship(board, post) else "t")
        if pos["game"]["promos"] and rng.random() < 0.5 and spare(pos, player, "t"):
            pos["routes"][route]["laid"].append(f"{player}:tribute")
    for post in rng.sample(all_posts(pos), 30):
        put_somebody(pos, post, rng)


def sprinkle(pos: Pos, rng: random.Random) -> None:
    """A piece on nearly every route, so that plate markers hardly find one."""
    board, gaps = board_of(pos), rng.choice([0, 0, 1, 4])
    for route in rng.sample(list(pos["routes"]), len(pos["routes"]) - gaps):
        player = "n" if pos["neutral"] and rng.random() < 0.8 else somebody(pos, rng)
        put(pos, first_ordinary_post(board, route), player, "t")
    for player in seats(pos):
        pos["players"][player]["plate"] = ["swap"]


def put(pos: Pos, post: str, player: str, s: str) -> None:
    route, index = split_post(post)
    taken = pos["routes"][route]["posts"][index] is not None
    if not taken and spare(pos, player, s) and fits(pos, f"{player}:{s}", post):
        set_post(pos, post, f"{player}:{s}")
