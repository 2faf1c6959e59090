"""Markers used between actions."""

from tests.oracle.boards import Pos, board_of, is_green
from tests.oracle.moving import Replace3, first_lifts, start_move
from tests.oracle.paying import turn_over
from tests.oracle.pieces import TRACKS, develop, full_skill, occupied, owner
from tests.oracle.tasks import Words, begin


def swaps(pos: Pos) -> set[str]:
    """MARKER-SWAP-1 to -5, RULING-26: neighbouring houses with different pieces."""
    texts = set()
    for city, data in pos["cities"].items():
        if is_green(board_of(pos), city):
            continue
        for k, (left, right) in enumerate(zip(data["offices"], data["offices"][1:], strict=False)):
            if not left or not right or left == right:
                continue
            if pos["game"]["edition"] == "classic" or pos["active"] in {owner(left), owner(right)}:
                texts |= {f"use swap {city} {k + 1}"}
    return texts


def exchanges(pos: Pos) -> set[str]:
    """PROMO-EXCHANGE-1, RULING-63."""
    return {
        f"use exchange {player} {marker}"
        for player, data in pos["players"].items()
        if player != pos["active"]
        for marker in data["used"]
        if marker != "exchange"
    }


def has_replaceable(pos: Pos) -> bool:
    return bool(Replace3().options(pos, {"left": 3, "hand": []}))


def uses(pos: Pos) -> set[str]:
    player = pos["active"]
    data = pos["players"][player]
    texts = set[str]()
    for marker in set(data["markers"]):
        match marker:
            case "plus3" | "plus4":
                if not {"closed", "bought"} & set(pos["flags"]):
                    texts |= {f"use {marker}"}
            case "skill":
                open_tracks = [skill for skill in TRACKS if not full_skill(pos, player, skill)]
                texts |= {f"use skill {skill}" for skill in open_tracks}
            case "swap":
                texts |= swaps(pos)
            case "remove3":
                texts |= {"use remove3"} if occupied(pos) else set()
            case "replace3":
                texts |= {"use replace3"} if has_replaceable(pos) else set()
            case "move3":
                texts |= {"use move3"} if first_lifts(pos, "move3", 3) else set()
            case "exchange":
                texts |= exchanges(pos)
            case "tribute" | "block":
                if data["supply"]["t"]:
                    texts |= {f"use {marker} {route}" for route in pos["routes"]}
    return texts


def use(pos: Pos, what: Words) -> None:
    """MARKER-USE-4: used at once; the promo markers go where they belong instead."""
    player = pos["active"]
    data = pos["players"][player]
    turn_over(pos, what[0])
    match what:
        case ["plus3"] | ["plus4"]:
            pos["actions_left"] += int(what[0][-1])
            begin(pos, [])
        case ["skill", skill]:
            develop(pos, player, skill)
            begin(pos, [])
        case ["swap", city, house]:
            offices, k = pos["cities"][city]["offices"], int(house)
            offices[k - 1], offices[k] = offices[k], offices[k - 1]
            begin(pos, [])
        case ["move3"]:
            start_move(pos, "move3", 3)
        case ["remove3"] | ["replace3"]:
            begin(pos, [{"task": what[0], "left": 3, "hand": []}])
        case ["exchange", other, marker]:
            theirs = pos["players"][other]["used"]
            data["used"].pop()
            theirs.remove(marker)
            theirs.append("exchange")
            data["markers"].append(marker)
            begin(pos, [])
        case ["tribute" | "block" as kind, route]:
            data["used"].pop()
            data["supply"]["t"] -= 1
            pos["routes"][route]["laid"].append(f"{player}:{kind}")
            begin(pos, [])
