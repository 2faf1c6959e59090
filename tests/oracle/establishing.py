"""Establish a route: points, marker, one choice, permanent marker."""

from tests.oracle.boards import Pos, board_of, ends, is_green, region, split_post
from tests.oracle.moving import move_task
from tests.oracle.offices import (
    can_found,
    covers,
    found_extra,
    found_green,
    found_in_house,
    pay_control,
    shapes_on,
    tribute_tasks,
)
from tests.oracle.paying import turn_over
from tests.oracle.pieces import (
    develop,
    fits,
    free_posts,
    full_skill,
    occupied,
    owner,
    piece_on,
    set_post,
    shape,
    stock,
)
from tests.oracle.tasks import Task, Words, begin, draw, push


def is_full(pos: Pos, route: str, player: str) -> bool:
    """ROUTE-1."""
    return all(piece and owner(piece) == player for piece in pos["routes"][route]["posts"])


def choices(pos: Pos, route: str) -> set[str]:
    """Step 3: what `establish ROUTE …` may go on with."""
    board, player = board_of(pos), pos["active"]
    shapes = shapes_on(pos, route)
    found = {"none"}
    for city in ends(board, route):
        if can_found(pos, player, city, shapes):
            found |= {f"office {city}"}
        if "extra-office" in pos["players"][player]["markers"] and (
            is_green(board, city) or any(pos["cities"][city]["offices"])
        ):
            found |= {f"extra {city} {s}" for s in shapes}
        skills = board["cities"][city]["skills"]
        found |= {f"skill {skill}" for skill in skills if not full_skill(pos, player, skill)}
        if city == board["prestige"]["city"] and "m" in shapes:
            found |= {
                f"prestige {space['points']}"
                for space in board["prestige"]["spaces"]
                if covers(pos, player, space["privilege"])
                and pos["prestige"][str(space["points"])] is None
            }
    return found


def establish(pos: Pos, route: str, choice: Words) -> None:
    """Points, marker, then the gain and step 4; on Britannia of old the printed marker before it."""
    begin(pos, [])
    pay_control(pos, route)
    fresh = pos["routes"][route]["marker"]
    if fresh is not None:
        pos["routes"][route]["marker"] = None
        pos["players"][pos["active"]]["markers"].append(fresh)
        draw(pos)
    printed = board_of(pos)["routes"][route].get("permanent")
    gain = {"task": "gain", "route": route, "choice": choice, "printed": printed}
    if printed and pos["game"]["board"] == "britannia" and pos["game"]["edition"] == "classic":
        # BRIT-MARK-7 to -10: in step 2, compulsory, and step 4 has nothing left to do.
        push(pos, [effect(printed) | {"duty": route}, gain | {"printed": None}])
    else:
        push(pos, [gain])


def effect(printed: str) -> Pos:
    return {"task": printed, "left": 2, "hand": [], "placed": []}


class Gain(Task):
    """Step 3, and what others and step 4 have to decide afterwards."""

    def advance(self, pos: Pos, task: Pos) -> bool:
        self.finish(pos, task)
        posts = pos["routes"][task["route"]]["posts"]
        pieces = [shape(piece) for piece in posts]
        posts[:] = [None] * len(pieces)
        later = step3(pos, pieces, task["choice"])
        step4 = [effect(task["printed"])] if task["printed"] else []
        if task["printed"] == "perm-place2-route":
            step4[0]["hand"] = [{"piece": f"{pos['active']}:{s}", "post": None} for s in pieces]
        push(pos, [*later, *step4])
        return True


def step3(pos: Pos, pieces: list[str], choice: Words) -> list[Pos]:
    """Take the piece that is used from `pieces`; returns the reactions to a new office."""
    player = pos["active"]
    match choice:
        case ["office", city]:
            house = pos["cities"][city]["offices"].index(None)
            s = board_of(pos)["cities"][city]["houses"][house]["shape"][0]
            pieces.remove(s)
            found_in_house(pos, f"{player}:{s}", city)
            return tribute_tasks(pos, city)
        case ["extra", city, s]:
            pieces.remove(s)
            turn_over(pos, "extra-office")
            found_extra(pos, f"{player}:{s}", city)
            return tribute_tasks(pos, city)
        case ["skill", skill]:
            develop(pos, player, skill)
        case ["prestige", points]:
            pieces.remove("m")
            pos["prestige"][points] = player
    return []


class PermMove2(Task):
    """EAST-15, BRIT-MARK-2: becomes a Move of any two pieces."""

    def advance(self, pos: Pos, task: Pos) -> bool:
        self.finish(pos, task)
        push(pos, [move_task(pos, "perm-move2", 2) | {"duty": task.get("duty")}])
        return True


class PermPrivilege(Task):
    """EAST-16: by itself."""

    def advance(self, pos: Pos, task: Pos) -> bool:
        self.finish(pos, task)
        if not full_skill(pos, pos["active"], "privilege"):
            develop(pos, pos["active"], "privilege")
        return True


class PermGreen(Task):
    """EAST-17, RULING-41."""

    def options(self, pos: Pos, task: Pos) -> set[str]:
        board, supply = board_of(pos), pos["players"][pos["active"]]["supply"]
        green = [city for city in board["cities"] if is_green(board, city)]
        return {f"green {city} {s}" for city in green for s in "tm" if supply[s]} | {"done"}

    def decide(self, pos: Pos, task: Pos, words: Words) -> None:
        self.finish(pos, task)
        if words[0] == "green":
            pos["players"][pos["active"]]["supply"][words[2]] -= 1
            found_green(pos, f"{pos['active']}:{words[2]}", words[1])
            push(pos, tribute_tasks(pos, words[1]))


class PermPlace2Route(Task):
    """EAST-18, RULING-40: up to two of the pieces in hand; the others go to stock with the task."""

    def options(self, pos: Pos, task: Pos) -> set[str]:
        texts = {
            f"put {shape(entry['piece'])} {post}"
            for entry in task["hand"]
            for post in free_posts(pos)
            if task["left"] and fits(pos, entry["piece"], post)
        }
        return texts | {"done"}

    def decide(self, pos: Pos, task: Pos, words: Words) -> None:
        if words[0] == "done":
            self.finish(pos, task)
            return
        entry = next(entry for entry in task["hand"] if shape(entry["piece"]) == words[1])
        task["hand"].remove(entry)
        task["left"] -= 1
        set_post(pos, words[2], entry["piece"])


class PermPlace2Abroad(Task):
    """BRIT-MARK-3 to -5, RULING-44: source tested for each piece."""

    def posts_for(self, pos: Pos, piece: str, left: str | None = None) -> set[str]:
        board = board_of(pos)
        return {
            post
            for post in free_posts(pos)
            if post != left
            and region(board, split_post(post)[0]) != "england"
            and fits(pos, piece, post)
        }

    def sources(self, pos: Pos) -> list[dict[str, int]]:
        left = [stock(pos, pos["active"])]
        if pos["game"]["edition"] == "bigbox":
            left.append(pos["players"][pos["active"]]["supply"])
        return left

    def options(self, pos: Pos, task: Pos) -> set[str]:
        return self.choices(pos, task) - ({"done"} if task.get("duty") else set())

    def choices(self, pos: Pos, task: Pos) -> set[str]:
        player = pos["active"]
        if task["hand"]:
            entry = task["hand"][0]
            found = self.posts_for(pos, entry["piece"], entry["post"])
            return {f"put {shape(entry['piece'])} {post}" for post in found}
        if not task["left"]:
            return {"done"}
        for source in self.sources(pos):
            if any(source.values()):
                return {"done"} | {
                    f"put {s} {post}"
                    for s in "tm"
                    if source[s]
                    for post in self.posts_for(pos, f"{player}:{s}")
                }
        if pos["game"]["edition"] == "classic":
            return {"done"}
        return {"done"} | {
            f"lift {post}"
            for post, piece in occupied(pos).items()
            if owner(piece) == player
            and post not in task["placed"]
            and self.posts_for(pos, piece, post)
        }

    def decide(self, pos: Pos, task: Pos, words: Words) -> None:
        if words[0] == "done":
            self.finish(pos, task)
            return
        if words[0] == "lift":
            task["hand"] = [{"piece": piece_on(pos, words[1]), "post": words[1]}]
            task["left"] -= 1
            set_post(pos, words[1], None)
            return
        if task["hand"]:
            task["hand"] = []
        else:
            task["left"] -= 1
            if not any(stock(pos, pos["active"]).values()):
                pos["players"][pos["active"]]["supply"][words[1]] -= 1
        set_post(pos, words[2], f"{pos['active']}:{words[1]}")
        task["placed"].append(words[2])
