"""Where the pieces are: posts, hands, supply, and the stock that is left of them all."""

from collections import Counter
from collections.abc import Iterator

from tests.oracle.boards import Pos, board_of, is_ship, posts_of, split_post

OWNED = {"t": 27, "m": 4}
TRACKS = {"keys": 4, "actions": 5, "privilege": 3, "book": 3, "bank": 3}
KEYS = [1, 2, 2, 3, 4]
ACTIONS = [2, 3, 3, 4, 4, 5]
BOOK = [2, 3, 4, 5]
BANK = [3, 5, 7, 31]


def owner(piece: str) -> str:
    return piece.split(":", maxsplit=1)[0]


def shape(piece: str) -> str:
    return piece.split(":")[1]


def seats(pos: Pos) -> list[str]:
    """The players in turn order; neutral is none of them."""
    return list(pos["players"])


def clockwise(pos: Pos) -> list[str]:
    """The players from the active one on."""
    order = seats(pos)
    start = order.index(pos["active"])
    return order[start:] + order[:start]


def all_posts(pos: Pos) -> list[str]:
    board = board_of(pos)
    return [post for route in board["routes"] for post in posts_of(board, route)]


def piece_on(pos: Pos, post: str) -> str | None:
    route, index = split_post(post)
    piece: str | None = pos["routes"][route]["posts"][index]
    return piece


def set_post(pos: Pos, post: str, piece: str | None) -> None:
    route, index = split_post(post)
    pos["routes"][route]["posts"][index] = piece


def occupied(pos: Pos) -> dict[str, str]:
    """Every piece that stands on a post."""
    found = {post: piece_on(pos, post) for post in all_posts(pos)}
    return {post: piece for post, piece in found.items() if piece is not None}


def free_posts(pos: Pos) -> list[str]:
    return [post for post in all_posts(pos) if piece_on(pos, post) is None]


def fits(pos: Pos, piece: str, post: str) -> bool:
    """GEO-4: ship posts are for merchants; NEUTRAL-5: and for neutral traders."""
    return not is_ship(board_of(pos), post) or shape(piece) == "m" or owner(piece) == "n"


def pieces_in_hand(pos: Pos) -> Iterator[str]:
    """Pieces in nobody's supply or stock while a decision about them is pending."""
    for task in pos["pending"] or []:
        if task.get("waiting"):
            yield task["waiting"]
        for entry in task.get("hand", []):
            yield entry["piece"]


def placed_pieces(pos: Pos) -> Iterator[str]:
    """Every piece in play outside desk, supply and score track."""
    yield from occupied(pos).values()
    yield from pieces_in_hand(pos)
    for city in pos["cities"].values():
        yield from (piece for piece in city["offices"] + city["extra"] if piece)
    yield from (f"{player}:m" for player in pos["prestige"].values() if player)
    for route in pos["routes"].values():
        yield from (f"{owner(laid)}:t" for laid in route["laid"])


def desk(pos: Pos, player: str) -> dict[str, int]:
    """The pieces still on the five tracks; only the book carries merchants."""
    left = {skill: full - pos["players"][player]["skills"][skill] for skill, full in TRACKS.items()}
    return {"t": sum(left.values()) - left["book"], "m": left["book"]}


def stock(pos: Pos, player: str) -> dict[str, int]:
    """COMP-1: what is left of 27 traders and 4 merchants."""
    placed = Counter(placed_pieces(pos))
    supply, on_desk = pos["players"][player]["supply"], desk(pos, player)
    on_track = {"t": 1, "m": 0}
    return {
        s: OWNED[s] - placed[f"{player}:{s}"] - supply[s] - on_desk[s] - on_track[s] for s in "tm"
    }


def bank_value(pos: Pos, player: str) -> int:
    return int(BANK[pos["players"][player]["skills"]["bank"]])


def book_value(pos: Pos, player: str) -> int:
    return int(BOOK[pos["players"][player]["skills"]["book"]])


def actions_value(pos: Pos, player: str) -> int:
    """TURN-2, without the Favour tile."""
    return int(ACTIONS[pos["players"][player]["skills"]["actions"]])


def develop(pos: Pos, player: str, skill: str) -> None:
    """SKILL-3 and SKILL-6: a piece to the supply, and perhaps an action more this turn."""
    before = actions_value(pos, player)
    pos["players"][player]["skills"][skill] += 1
    pos["players"][player]["supply"]["m" if skill == "book" else "t"] += 1
    if not {"closed", "bought"} & set(pos["flags"]):
        pos["actions_left"] += actions_value(pos, player) - before


def full_skill(pos: Pos, player: str, skill: str) -> bool:
    return bool(pos["players"][player]["skills"][skill] == TRACKS[skill])
