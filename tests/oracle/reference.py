"""The reference: what may be decided in a position, and the position a decision leads to.

Slow and plain on purpose. A position has the form of `Game.to_dict()`, but `pending` is this
package's own: null or a list of tasks. Start from a position in which nothing is pending.
"""

import copy

from tests.oracle import turn
from tests.oracle.boards import Pos
from tests.oracle.displacing import Displaced, NeutralDisplaced
from tests.oracle.ending import Judge, Plate, Resolve
from tests.oracle.establishing import (
    Gain,
    PermGreen,
    PermMove2,
    PermPlace2Abroad,
    PermPlace2Route,
    PermPrivilege,
)
from tests.oracle.moving import Move, Remove3, Replace3
from tests.oracle.paying import Pay, React, Spend
from tests.oracle.tasks import Task

TASKS: dict[str, Task] = {
    "pay": Pay(),
    "react": React(),
    "spend": Spend(),
    "displaced": Displaced(),
    "neutral-displaced": NeutralDisplaced(),
    "move": Move(),
    "remove3": Remove3(),
    "replace3": Replace3(),
    "gain": Gain(),
    "perm-move2": PermMove2(),
    "perm-privilege": PermPrivilege(),
    "perm-green": PermGreen(),
    "perm-place2-route": PermPlace2Route(),
    "perm-place2-abroad": PermPlace2Abroad(),
    "resolve": Resolve(),
    "judge": Judge(),
    "plate": Plate(),
}


def legal(pos: Pos) -> set[str]:
    """The texts of all decisions that `pos["player"]` may make."""
    if pos["over"]:
        return set()
    if pos["pending"]:
        task = pos["pending"][0]
        return TASKS[task["task"]].options(pos, task)
    return turn.options(pos)


def play(pos: Pos, text: str) -> Pos:
    """The position after the decision and all that happens by itself."""
    if text not in legal(pos):
        raise ValueError(f"{text!r} is not legal here")
    after = copy.deepcopy(pos)
    words = text.split()
    if after["pending"]:
        task = after["pending"][0]
        turn.flag(after, "touched")
        TASKS[task["task"]].decide(after, task, words)
    else:
        turn.decide(after, words)
    settle(after)
    return after


def settle(pos: Pos) -> None:
    """Carry on until somebody has to decide."""
    while pos["pending"]:
        task = pos["pending"][0]
        kind = TASKS[task["task"]]
        if not kind.advance(pos, task):
            pos["player"], pos["phase"] = kind.who(pos, task), task["task"]
            return
    pos["pending"] = None
    pos["player"], pos["phase"] = pos["active"], "over" if pos["over"] else "turn"
