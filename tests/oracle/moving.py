"""Pieces lifted from posts and put down again: Move, `move3`, `perm-move2`, `replace3`, `remove3`."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations
from typing import Any

from tests.oracle.boards import Pos, board_of, is_ship, split_post
from tests.oracle.pieces import fits, free_posts, occupied, owner, piece_on, set_post, shape
from tests.oracle.tasks import Task, Words, begin
from tests.oracle.travel import own_row, post_region

Entry = dict[str, Any]
"""A piece in hand and the post it was lifted from."""


def may_lift(pos: Pos, mode: str, piece: str) -> bool:
    """Move: own pieces; `perm-move2`: any; the markers: those of others."""
    mine = bool(owner(piece) == pos["active"])
    return {"move": mine, "perm-move2": True}.get(mode, not mine)


def may_go(pos: Pos, mode: str, entry: Entry, post: str) -> bool:
    """Shape of the post and the table of borders (BRIT-MOVE-1, BRIT-MARK-1, BORDER-FEE-1)."""
    if not fits(pos, entry["piece"], post):
        return False
    country = post_region(pos, entry["post"])
    if mode == "move":
        return "fee" in pos["flags"] or post_region(pos, post) in own_row(country)
    return post_region(pos, post) == country


def all_can_stand(pos: Pos, mode: str, hand: list[Entry], posts: set[str]) -> bool:
    """Whether every piece in hand finds a post of its own among these, by trying."""
    if not hand:
        return True
    return any(
        may_go(pos, mode, hand[0], post) and all_can_stand(pos, mode, hand[1:], posts - {post})
        for post in sorted(posts, key=lambda post: post != hand[0]["post"])
    )


def can_rearrange(pos: Pos, mode: str, lifted: Iterable[Entry], free: list[str]) -> bool:
    """Whether these pieces, all lifted, can be put so that some post holds something else."""
    hand = list(lifted)
    if any(may_go(pos, mode, entry, post) for entry in hand for post in free):
        return True
    return any(
        all(may_go(pos, mode, entry, to["post"]) for entry, to in zip(hand, target, strict=True))
        and any(entry["piece"] != to["piece"] for entry, to in zip(hand, target, strict=True))
        for target in permutations(hand)
    )


def first_lifts(pos: Pos, mode: str, allowance: int) -> set[str]:
    """The posts whose piece may be lifted first, because some continuation changes the posts.

    What can be reached by lifting and putting in turn can be reached by lifting all at first
    (RULING-14). A piece put back has used up one of the allowance.
    """
    free = free_posts(pos)
    entries = [
        {"piece": piece, "post": post}
        for post, piece in occupied(pos).items()
        if may_lift(pos, mode, piece)
    ]
    sample = representatives(pos, entries, allowance)
    elsewhere = any(
        can_rearrange(pos, mode, hand, free)
        for size in range(1, allowance)
        for hand in combinations(sample, size)
    )
    if elsewhere:
        return {entry["post"] for entry in entries}
    return {
        entry["post"]
        for entry in entries
        if any(
            can_rearrange(pos, mode, [entry, *others], free)
            for size in range(allowance)
            for others in combinations([e for e in sample if e is not entry], size)
        )
    }


def representatives(pos: Pos, entries: list[Entry], allowance: int) -> list[Entry]:
    """Of pieces that cannot be told apart (piece, kind of post, country) as many as can be lifted."""
    seen: Counter[tuple[str, bool, str]] = Counter()
    chosen = []
    for entry in entries:
        post = entry["post"]
        kind = (entry["piece"], is_ship(board_of(pos), post), post_region(pos, post))
        seen[kind] += 1
        if seen[kind] <= allowance:
            chosen.append(entry)
    return chosen


def start_move(pos: Pos, mode: str, allowance: int, post: str | None = None) -> None:
    """MOVE-7: what the posts held is remembered; a Move begins with lifting the piece of a post."""
    task = move_task(pos, mode, allowance)
    if post is not None:
        Move().decide(pos, task, ["lift", post])
    begin(pos, [task])


def move_task(pos: Pos, mode: str, allowance: int) -> Pos:
    return {
        "task": "move",
        "mode": mode,
        "left": allowance,
        "begun": False,
        "hand": [],
        "before": occupied(pos),
    }


class Move(Task):
    """Lifting and putting in the order of lifting, within the allowance."""

    def options(self, pos: Pos, task: Pos) -> set[str]:
        mode = task["mode"]
        if mode != "perm-move2" and not task["begun"]:
            return {f"lift {post}" for post in first_lifts(pos, mode, task["left"])}
        texts = self.puts(pos, task) if task["hand"] else set()
        if task["left"]:
            texts |= {
                f"lift {post}"
                for post, piece in occupied(pos).items()
                if may_lift(pos, mode, piece) and not self.is_closed(task, post)
            }
        if not task["hand"] and (mode == "perm-move2" or occupied(pos) != task["before"]):
            texts |= set() if task.get("duty") else {"done"}
        return texts

    def is_closed(self, task: Pos, post: str) -> bool:
        """BRIT-MARK-8: the pieces of the route that is being established stay."""
        return split_post(post)[0] == task.get("duty")

    def puts(self, pos: Pos, task: Pos) -> set[str]:
        head, others = task["hand"][0], task["hand"][1:]
        free = set(free_posts(pos))
        posts = {
            post
            for post in free
            if may_go(pos, task["mode"], head, post)
            and all_can_stand(pos, task["mode"], others, free - {post})
        }
        if not others and not task["left"] and task["mode"] != "perm-move2":
            standing = occupied(pos)
            changing = {p for p in posts if standing | {p: head["piece"]} != task["before"]}
            posts = changing or posts
        return {f"put {shape(head['piece'])} {post}" for post in posts}

    def decide(self, pos: Pos, task: Pos, words: Words) -> None:
        task["begun"] = True
        if words[0] == "done":
            self.finish(pos, task)
        elif words[0] == "lift":
            task["hand"].append({"piece": piece_on(pos, words[1]), "post": words[1]})
            task["left"] -= 1
            set_post(pos, words[1], None)
        else:
            set_post(pos, words[2], task["hand"].pop(0)["piece"])

    def advance(self, pos: Pos, task: Pos) -> bool:
        if not task["hand"] and not task["left"]:
            self.finish(pos, task)
            return True
        return super().advance(pos, task)


class Replace3(Task):
    """MARKER-REPLACE3-1 and -2, RULING-29: each put down on another post before the next."""

    def posts_for(self, pos: Pos, entry: Entry) -> set[str]:
        free = set(free_posts(pos)) - {entry["post"]}
        return {post for post in free if may_go(pos, "replace3", entry, post)}

    def options(self, pos: Pos, task: Pos) -> set[str]:
        if task["hand"]:
            entry = task["hand"][0]
            return {f"put {shape(entry['piece'])} {p}" for p in self.posts_for(pos, entry)}
        lifts = {
            f"lift {post}"
            for post, piece in occupied(pos).items()
            if task["left"]
            and may_lift(pos, "replace3", piece)
            and self.posts_for(pos, {"piece": piece, "post": post})
        }
        return lifts | ({"done"} if task["left"] < 3 else set())

    def decide(self, pos: Pos, task: Pos, words: Words) -> None:
        if words[0] == "done":
            self.finish(pos, task)
        elif words[0] == "lift":
            task["hand"] = [{"piece": piece_on(pos, words[1]), "post": words[1]}]
            task["left"] -= 1
            set_post(pos, words[1], None)
        else:
            set_post(pos, words[2], task["hand"].pop(0)["piece"])


class Remove3(Task):
    """MARKER-REMOVE-1: up to three pieces to their owners' supplies; neutral ones leave."""

    def options(self, pos: Pos, task: Pos) -> set[str]:
        takes = {f"take {post}" for post in occupied(pos)} if task["left"] else set()
        return takes | ({"done"} if task["left"] < 3 else set())

    def decide(self, pos: Pos, task: Pos, words: Words) -> None:
        if words[0] == "done":
            self.finish(pos, task)
            return
        piece = piece_on(pos, words[1])
        assert piece is not None
        set_post(pos, words[1], None)
        task["left"] -= 1
        if owner(piece) != "n":
            pos["players"][owner(piece)]["supply"][shape(piece)] += 1
