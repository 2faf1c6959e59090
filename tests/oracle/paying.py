"""Fees, reactions and the price of a favour: pieces and markers that change their place."""

from tests.oracle.boards import Pos
from tests.oracle.pieces import stock
from tests.oracle.tasks import Task, Words


class Pay(Task):
    """DISPLACE-3 and -4, PROMO-BLOCK-2: pieces from supply to stock, by the payer's choice."""

    def options(self, pos: Pos, task: Pos) -> set[str]:
        supply = pos["players"][pos["active"]]["supply"]
        return {f"pay {s}" for s in "tm" if supply[s]} if task["left"] else set()

    def decide(self, pos: Pos, task: Pos, words: Words) -> None:
        pos["players"][pos["active"]]["supply"][words[1]] -= 1
        task["left"] -= 1

    def advance(self, pos: Pos, task: Pos) -> bool:
        """Asked while both shapes are there and more than is still to be paid."""
        supply = pos["players"][pos["active"]]["supply"]
        if supply["t"] and supply["m"] and 0 < task["left"] < supply["t"] + supply["m"]:
            return False
        while task["left"]:
            supply["t" if supply["t"] else "m"] -= 1
            task["left"] -= 1
        self.finish(pos, task)
        return True


class React(Task):
    """FAVOUR-INCOME-1, PROMO-TRIBUTE-2: up to so many pieces from stock to supply."""

    def options(self, pos: Pos, task: Pos) -> set[str]:
        left = stock(pos, task["player"])
        return {f"take {s}" for s in "tm" if left[s] and task["left"]} | {"done"}

    def decide(self, pos: Pos, task: Pos, words: Words) -> None:
        if words[0] == "done":
            self.finish(pos, task)
            return
        pos["players"][task["player"]]["supply"][words[1]] += 1
        task["left"] -= 1


class Spend(Task):
    """FAVOUR-3: two unused markers turned over without effect."""

    def options(self, pos: Pos, task: Pos) -> set[str]:
        return {f"spend {marker}" for marker in pos["players"][pos["active"]]["markers"]}

    def decide(self, pos: Pos, task: Pos, words: Words) -> None:
        turn_over(pos, words[1])
        task["left"] -= 1

    def advance(self, pos: Pos, task: Pos) -> bool:
        """Asked while two or more kinds are there and more markers than still to be paid."""
        markers = pos["players"][pos["active"]]["markers"]
        if len(set(markers)) > 1 and 0 < task["left"] < len(markers):
            return False
        for marker in markers[: task["left"]]:
            turn_over(pos, marker)
        self.finish(pos, task)
        return True


def turn_over(pos: Pos, marker: str) -> None:
    """The first marker of that kind becomes a used one."""
    data = pos["players"][pos["active"]]
    data["markers"].remove(marker)
    data["used"].append(marker)
