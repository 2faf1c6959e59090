"""What is pending: a list of tasks, the first of which is being carried out.

A task is plain data (`{"task": name, …}`); the class of that name says who decides,
what he may say, what his words do, and what happens by itself.
"""

from tests.oracle.boards import Pos

Words = list[str]


class Task:
    """A task whose end is reached by itself as soon as only `done` is left to say."""

    def who(self, pos: Pos, task: Pos) -> str:
        return str(task.get("player", pos["active"]))

    def options(self, pos: Pos, task: Pos) -> set[str]:
        """What may be said now; some tasks ask nothing."""
        return set()

    def decide(self, pos: Pos, task: Pos, words: Words) -> None:
        """What those words do."""
        raise AssertionError(f"{task['task']} asks nothing and was told {words}")

    def finish(self, pos: Pos, task: Pos) -> None:
        """Leave the list; subclasses add what the end of the task brings."""
        pos["pending"].remove(task)

    def advance(self, pos: Pos, task: Pos) -> bool:
        """Do what needs no decision; False if somebody must be asked."""
        if self.options(pos, task) <= {"done"}:
            self.finish(pos, task)
            return True
        return False


def push(pos: Pos, tasks: list[Pos]) -> None:
    """Tasks that come before all that is pending."""
    pos["pending"] = [*tasks, *(pos["pending"] or [])]


def begin(pos: Pos, tasks: list[Pos]) -> None:
    """An action or effect: its tasks, then full neutral routes (RULING-50), then the end (END-4)."""
    push(pos, [*tasks, {"task": "resolve"}, {"task": "judge", "markers": False}])


def draw(pos: Pos) -> None:
    """MARKER-TAKE-2 and -4: a marker to the plate, or the end of the game after this action."""
    if pos["supply"]:
        pos["players"][pos["active"]]["plate"].append(pos["supply"].pop(0))
        return
    for task in pos["pending"]:
        if task["task"] == "judge":
            task["markers"] = True
