"""Displace: the active player takes a post, the owner finds new ones."""

from tests.oracle.boards import Pos, board_of, region, split_post
from tests.oracle.pieces import occupied, owner, piece_on, seats, set_post, shape, stock
from tests.oracle.tasks import Task, Words, begin
from tests.oracle.travel import anywhere, nearest, on_route, own_row, post_region


def displace(pos: Pos, new_shape: str, post: str) -> None:
    """RULING-4: the target is lifted, the new piece stands, the fee is paid, the owner places."""
    target = piece_on(pos, post)
    assert target is not None
    route = split_post(post)[0]
    pos["players"][pos["active"]]["supply"][new_shape] -= 1
    set_post(pos, post, f"{pos['active']}:{new_shape}")
    fee = {"task": "pay", "left": 2 if shape(target) == "m" else 1}
    if owner(target) == "n":
        other = next(player for player in seats(pos) if player != pos["active"])
        begin(pos, [fee, {"task": "neutral-displaced", "player": other, "route": route, "left": 2}])
        return
    double = shape(target) == "m" or "double" in pos["players"][owner(target)]["favours"]
    resettle: Pos = {
        "task": "displaced",
        "player": owner(target),
        "route": route,
        "waiting": target,
        "left": 2 if double else 1,
        "hand": [],
        "placed": [],
    }
    begin(pos, [fee, resettle])


class Displaced(Task):
    """DISPLACE-6 to -15 with their rulings and favours."""

    def posts_for(self, pos: Pos, task: Pos, piece: str) -> set[str]:
        """Where a piece that does not come from the board may go."""
        if "anywhere" in pos["players"][task["player"]]["favours"]:
            return anywhere(pos, piece)
        countries = own_row(region(board_of(pos), task["route"]))
        return nearest(pos, piece, task["route"], countries)

    def posts_for_waiting(self, pos: Pos, task: Pos) -> set[str]:
        """RULING-12: if nowhere else, the displaced route."""
        piece = task["waiting"]
        return self.posts_for(pos, task, piece) or on_route(pos, piece, task["route"])

    def posts_for_lifted(self, pos: Pos, task: Pos, piece: str, left: str) -> set[str]:
        """RULING-13: both rows of borders hold, the post it left does not count."""
        if "anywhere" in pos["players"][task["player"]]["favours"]:
            return anywhere(pos, piece, left)
        countries = own_row(region(board_of(pos), task["route"])) & own_row(post_region(pos, left))
        return nearest(pos, piece, task["route"], countries, left)

    def source(self, pos: Pos, task: Pos) -> dict[str, int] | None:
        """DISPLACE-9: stock, then supply, then (None) the own pieces on posts."""
        for pieces in (stock(pos, task["player"]), pos["players"][task["player"]]["supply"]):
            if any(pieces.values()):
                return dict(pieces)
        return None

    def liftable(self, pos: Pos, task: Pos) -> set[str]:
        own = {p: piece for p, piece in occupied(pos).items() if owner(piece) == task["player"]}
        return {
            post
            for post, piece in own.items()
            if post not in task["placed"] and self.posts_for_lifted(pos, task, piece, post)
        }

    def options(self, pos: Pos, task: Pos) -> set[str]:
        if task["hand"]:
            piece, left = task["hand"][0]["piece"], task["hand"][0]["post"]
            found = self.posts_for_lifted(pos, task, piece, left)
            return {f"put {shape(piece)} {post}" for post in found}
        texts = set[str]()
        if task["waiting"]:
            own = shape(task["waiting"])
            texts |= {f"put {own} {post}" for post in self.posts_for_waiting(pos, task)}
        else:
            own = ""
            texts |= {"done"}
        if not task["left"]:
            return texts
        source = self.source(pos, task)
        if source is None:
            return texts | {f"lift {post}" for post in self.liftable(pos, task)}
        for s in "tm":
            if source[s] and s != own:
                found = self.posts_for(pos, task, f"{task['player']}:{s}")
                texts |= {f"put {s} {post}" for post in found}
        return texts

    def decide(self, pos: Pos, task: Pos, words: Words) -> None:
        if words[0] == "done":
            self.finish(pos, task)
        elif words[0] == "lift":
            task["hand"] = [{"piece": piece_on(pos, words[1]), "post": words[1]}]
            task["left"] -= 1
            set_post(pos, words[1], None)
        else:
            self.put(pos, task, words[1], words[2])

    def put(self, pos: Pos, task: Pos, s: str, post: str) -> None:
        if task["hand"]:
            task["hand"] = []
        elif task["waiting"] and shape(task["waiting"]) == s:
            task["waiting"] = None
        else:
            task["left"] -= 1
            if not any(stock(pos, task["player"]).values()):
                pos["players"][task["player"]]["supply"][s] -= 1
        set_post(pos, post, f"{task['player']}:{s}")
        task["placed"].append(post)

    def advance(self, pos: Pos, task: Pos) -> bool:
        """RULING-12: without any post the displaced piece goes to its owner's stock."""
        if task["waiting"] and not task["hand"] and not self.posts_for_waiting(pos, task):
            task["waiting"] = None
            return True
        return super().advance(pos, task)


class NeutralDisplaced(Task):
    """NEUTRAL-7 to -9, RULING-48: two traders, compulsory while there are posts."""

    def options(self, pos: Pos, task: Pos) -> set[str]:
        countries = {region(board_of(pos), task["route"])}
        found = nearest(pos, "n:t", task["route"], countries)
        if not found and task["left"] == 2:
            found = on_route(pos, "n:t", task["route"])
        return {f"put t {post}" for post in found} if task["left"] else set()

    def decide(self, pos: Pos, task: Pos, words: Words) -> None:
        set_post(pos, words[2], "n:t")
        task["left"] -= 1

    def advance(self, pos: Pos, task: Pos) -> bool:
        if self.options(pos, task):
            return False
        if task["left"]:
            task["left"] -= 1
        else:
            self.finish(pos, task)
        return True
