"""Writes `rules/dispatch.py`: which function lists, carries out or settles what, as plain branches.

`make generate` runs it after a decision, a frame or a marker was declared; for an extension run
`python -m hansa.generate FOLDER`. Compiled code cannot look functions up in a table, so the
table is written out; a test keeps it current, nobody edits it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from hansa.rules.catalogue import DECISIONS, FRAMES, PERMANENTS
from hansa.rules.declare import ACTION
from hansa.rules.numbering import fields_of

HEAD = '''"""Which function lists, carries out or settles what. Written by hansa/generate.py: do not edit."""

from __future__ import annotations

{imports}


'''
Function = Callable[..., Any]


def _branches(cases: list[tuple[int, str, list[str]]], variable: str) -> Iterator[str]:
    for number, what, body in cases:
        yield f"    if {variable} == {number}:  # {what}"
        yield from (f"        {line}" for line in body)


def _legal_turn() -> Iterator[str]:
    """Every function that lists decisions of the turn once, where the first of its ids belongs."""
    yield "def legal_turn(b: Tables, s: State, buf: list[int]) -> int:"
    yield '    """TURN-3, -8, -10: actions while some are left, markers at any time, and `end`."""'
    yield "    n = 0"
    yield "    held = kinds(s, AT_MARKERS + 3 * s.active)"
    offered = [decision for decision in DECISIONS if decision.legal is not None]
    for legal, group in groupby(offered, key=lambda decision: decision.legal):
        costs = {decision.costs for decision in group}
        call = f"n = {_name(legal)}(b, s, buf, n)"
        yield from _guarded(_conditions(costs), call)
    yield "    return n"


def _conditions(costs: set[str | int | None]) -> list[str]:
    if None in costs:
        return []
    bits = " | ".join(f"BITS[{cost}]" for cost in sorted(costs - {ACTION}, key=str))
    held = [f"held & ({bits}) != 0" if "|" in bits else f"held & {bits} != 0"] if bits else []
    return (["s.actions_left > 0"] if ACTION in costs else []) + held


def _guarded(conditions: list[str], call: str) -> Iterator[str]:
    if conditions:
        yield f"    if {' or '.join(conditions)}:"
        yield f"        {call}"
    else:
        yield f"    {call}"


def _begin() -> Iterator[str]:
    yield "def begin(b: Tables, s: State, action: int) -> None:"
    yield '    """Carry out a decision of the turn; what it leads to waits on the stack."""'
    yield "    verb = b.id_verb[action]"
    cases = []
    for decision in DECISIONS:
        if decision.apply is None:
            continue
        given = "".join(f", b.id_{field}[action]" for field in fields_of(decision))
        body = [f"{_name(decision.apply)}(b, s{given})", "return"]
        if decision.costs is not None:
            body.insert(0, "begin_action(s)" if decision.costs == ACTION else "begin_effect(s)")
        cases.append((decision.id, decision.text, body))
    yield from _branches(cases, "verb")
    yield '    raise ValueError("no such decision in the turn")'


def _pending(part: str, head: str, doc: str, call: str) -> Iterator[str]:
    yield head
    yield f'    """{doc}"""'
    yield "    kind = s.frame_kind[s.depth - 1]"
    cases = []
    for frame in FRAMES:
        function = getattr(frame, part)
        if function is None and part == "settle":
            cases.append((frame.number, frame.name, ["return begin_permanent(b, s)"]))
        elif function is not None:
            body = call.format(_name(function)).split("; ")
            cases.append((frame.number, frame.name, body))
    yield from _branches(cases, "kind")
    yield '    raise ValueError("no such pending decision")'


def _begin_permanent() -> Iterator[str]:
    yield "def begin_permanent(b: Tables, s: State) -> bool:"
    yield '    """RULING-39: the permanent marker on top of the stack: use it now or lose it."""'
    yield "    marker = s.frame_marker[s.depth - 1]"
    yield "    pop(s)"
    cases = [
        (marker.number, marker.name, [f"{_name(marker.begin)}(b, s)", "return False"])
        for marker in PERMANENTS
    ]
    yield from _branches(cases, "marker")
    yield '    raise ValueError("no such permanent marker")'


_named: dict[str, str] = {}
"""The functions named so far, with the modules they come from."""


def _name(function: Function | None) -> str:
    if function is None:
        raise TypeError("there is no function to name")
    module = function.__module__.rpartition(".")[2]
    if _named.setdefault(function.__name__, module) != module:
        raise ValueError(f"two functions are called {function.__name__}: rename one of them")
    return function.__name__


def _imports() -> Iterator[str]:
    extra = {"AT_MARKERS": "codes", "BITS": "codes", "State": "state", "Tables": "tables"}
    extra |= {"begin_action": "turn", "begin_effect": "turn", "kinds": "pool", "pop": "stack"}
    by_module = sorted((module, name) for name, module in {**_named, **extra}.items())
    for module, found in groupby(by_module, key=lambda pair: pair[0]):
        names = [name for _, name in found]
        line = f"from .{module} import {', '.join(names)}"
        if len(line) <= 100:
            yield line
        else:
            yield f"from .{module} import ("
            yield from (f"    {name}," for name in names)
            yield ")"


def dispatch() -> str:
    """The text of the module for all that is declared here."""
    _named.clear()
    parts = [
        _legal_turn(),
        _begin(),
        _pending(
            "legal",
            "def legal_pending(b: Tables, s: State, buf: list[int]) -> int:",
            "What may be decided about the top frame.",
            "return {}(b, s, buf)",
        ),
        _pending(
            "apply",
            "def apply_pending(b: Tables, s: State, action: int) -> None:",
            "Carry out a decision about the top frame.",
            "{}(b, s, action); return",
        ),
        _pending(
            "settle",
            "def settle_pending(b: Tables, s: State) -> bool:",
            "Whether the top frame has something to ask; if not, it is done.",
            "return {}(b, s)",
        ),
        _begin_permanent(),
    ]
    body = "\n\n\n".join("\n".join(part) for part in parts)
    return HEAD.format(imports="\n".join(_imports())) + body + "\n"


def main(folder: str | None) -> None:
    """Write the dispatch of the house, or, in a process that knows it, of an extension."""
    if folder is None:
        (Path(__file__).parent / "rules" / "dispatch.py").write_text(dispatch(), "utf-8")
        return
    target = Path(folder) / "rules" / "dispatch.py"
    code = "from hansa.generate import dispatch; print(dispatch(), end='')"
    environment = {**os.environ, "HANSA_EXTENSIONS": folder}
    done = subprocess.run(  # noqa: S603  # ourselves, with the extension
        [sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True
    )
    target.write_text(done.stdout, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
