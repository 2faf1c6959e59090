"""What the active player may do between actions."""

from itertools import product

from tests.oracle.boards import Pos, board_of, posts_of, provinces_in_walk, region, split_post
from tests.oracle.displacing import displace
from tests.oracle.establishing import choices, establish, is_full
from tests.oracle.markers import use, uses
from tests.oracle.moving import first_lifts, start_move
from tests.oracle.offices import rightmost
from tests.oracle.pieces import (
    bank_value,
    book_value,
    fits,
    owner,
    piece_on,
    set_post,
    shape,
    stock,
)
from tests.oracle.tasks import Words, begin, push

FLAGS = ["walked", "closed", "bought", "fee", "touched"]


def flag(pos: Pos, *names: str) -> None:
    pos["flags"] = [name for name in FLAGS if name in pos["flags"] or name in names]


def permission(pos: Pos, route: str) -> str | None:
    """BRIT-PERM-2 to -7, RULING-34: the city whose permission would be used; "" where none is needed."""
    board = board_of(pos)
    country = region(board, route)
    if country == "england" or "fee" in pos["flags"]:
        return ""
    for entry in board["permissions"]:
        if (
            country in entry["regions"]
            and entry["city"] not in pos["permissions_used"]
            and rightmost(pos, entry["city"]) == pos["active"]
        ):
            return str(entry["city"])
    return None


def in_reach(pos: Pos, route: str) -> bool:
    """DUEL-PAWN-7."""
    if pos["game"]["duel"] != "pawn":
        return True
    return route in board_of(pos)["provinces"][pos["pawn"]]["routes"]


def blocks(pos: Pos, route: str) -> int:
    return sum(mark.endswith(":block") for mark in pos["routes"][route]["laid"])


def incomes(pos: Pos) -> set[str]:
    left, most = stock(pos, pos["active"]), bank_value(pos, pos["active"])
    splits = product(range(left["t"] + 1), range(left["m"] + 1))
    return {f"income {t} {m}" for t, m in splits if 1 <= t + m <= most}


def placements(pos: Pos) -> set[str]:
    """Place and Displace."""
    player, board, texts = pos["active"], board_of(pos), set[str]()
    supply = pos["players"][player]["supply"]
    size = supply["t"] + supply["m"]
    for route in board["routes"]:
        if not in_reach(pos, route) or permission(pos, route) is None:
            continue
        for post in posts_of(board, route):
            target = piece_on(pos, post)
            if target is None:
                verb, needed = "place", 1 + blocks(pos, route)
            elif owner(target) != player:
                verb, needed = "displace", 3 if shape(target) == "m" else 2
            else:
                continue
            texts |= {
                f"{verb} {s} {post}"
                for s in "tm"
                if supply[s] and size >= needed and fits(pos, f"{player}:{s}", post)
            }
    return texts


def establishments(pos: Pos) -> set[str]:
    return {
        f"establish {route} {choice}"
        for route in pos["routes"]
        if is_full(pos, route, pos["active"]) and in_reach(pos, route)
        for choice in choices(pos, route)
    }


def actions(pos: Pos) -> set[str]:
    texts = incomes(pos) | placements(pos) | establishments(pos)
    texts |= {f"lift {p}" for p in first_lifts(pos, "move", book_value(pos, pos["active"]))}
    if pos["game"]["duel"] == "pawn":
        others = set(board_of(pos)["provinces"]) - {pos["pawn"]}
        texts |= {f"pawn {province}" for province in others}
    return texts


def free_decisions(pos: Pos) -> set[str]:
    """What costs no action."""
    texts = {"end"} | uses(pos)
    markers = pos["players"][pos["active"]]["markers"]
    if pos["game"]["duel"] == "pawn" and "walked" not in pos["flags"]:
        texts |= {f"walk {p}" for p in provinces_in_walk(board_of(pos), pos["pawn"])}
    if "touched" not in pos["flags"] and len(markers) >= 2:
        texts |= {f"favour {tile}" for tile in pos["favours"]}
    if pos["game"]["border_fee"] and "fee" not in pos["flags"]:
        texts |= {f"fee {marker}" for marker in markers}
    return texts


def options(pos: Pos) -> set[str]:
    if pos["game"]["duel"] == "pawn" and pos["pawn"] is None:
        return {f"pawn {province}" for province in board_of(pos)["provinces"]}
    return free_decisions(pos) | (actions(pos) if pos["actions_left"] > 0 else set())


def act(pos: Pos) -> None:
    """An action is counted with its first decision."""
    pos["actions_left"] -= 1
    pos["acted"] = True


def use_permission(pos: Pos, post: str) -> None:
    city = permission(pos, split_post(post)[0])
    if city:
        pos["permissions_used"].append(city)


def decide(pos: Pos, words: Words) -> None:
    if pos["game"]["duel"] == "pawn" and pos["pawn"] is None:
        pos["pawn"] = int(words[1])
        return
    if words == ["end"]:
        push(pos, [{"task": "plate"}])
        return
    flag(pos, "touched")
    data = pos["players"][pos["active"]]
    match words:
        case ["use", *what]:
            use(pos, what)
        case ["walk", province]:
            pos["pawn"] = int(province)
            flag(pos, "walked")
            if pos["acted"]:
                flag(pos, "closed")
                pos["actions_left"] = 0
        case ["favour", tile]:
            pos["favours"].remove(tile)
            data["favours"].append(tile)
            flag(pos, "bought")
            pos["actions_left"] = 0
            push(pos, [{"task": "spend", "left": 2}])
        case ["fee", marker]:
            data["markers"].remove(marker)
            pos["discarded"].append(marker)
            flag(pos, "fee")
        case _:
            act(pos)
            take_action(pos, words)


def take_action(pos: Pos, words: Words) -> None:
    player = pos["active"]
    supply = pos["players"][player]["supply"]
    match words:
        case ["income", t, m]:
            supply["t"] += int(t)
            supply["m"] += int(m)
            begin(pos, income_reactions(pos))
        case ["place", s, post]:
            use_permission(pos, post)
            supply[s] -= 1
            set_post(pos, post, f"{player}:{s}")
            begin(pos, [{"task": "pay", "left": blocks(pos, split_post(post)[0])}])
        case ["displace", s, post]:
            use_permission(pos, post)
            displace(pos, s, post)
        case ["lift", post]:
            start_move(pos, "move", book_value(pos, player), post)
        case ["establish", route, *choice]:
            establish(pos, route, choice)
        case ["pawn", province]:
            pos["pawn"] = int(province)
            begin(pos, [])


def income_reactions(pos: Pos) -> list[Pos]:
    """FAVOUR-INCOME-1."""
    return [
        {"task": "react", "player": player, "left": 1}
        for player, data in pos["players"].items()
        if player != pos["active"] and "income" in data["favours"]
    ]
