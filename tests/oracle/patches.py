"""Scenarios told to the reference: patches of the opening, expectations about a position."""

import random
from typing import Any

from tests.oracle import reference
from tests.oracle.boards import Pos
from tests.oracle.offices import completed, control
from tests.oracle.pieces import stock
from tests.oracle.scoring import scores, winners
from tests.oracle.setups import fresh, setup

Scenario = dict[str, Any]


def merged(whole: Any, patch: Any) -> Any:
    """Mappings key by key, everything else as the patch says."""
    if not isinstance(whole, dict) or not isinstance(patch, dict):
        return patch
    return whole | {key: merged(whole.get(key), value) for key, value in patch.items()}


def patched(scenario: Scenario) -> Pos:
    """The position a scenario begins with."""
    options = dict(scenario["game"])
    board, players = options.pop("board"), options.pop("players")
    game = setup(board, players, options.pop("edition", "bigbox"), **options)
    patch = scenario.get("position") or {}
    pos: Pos = merged(fresh(game, random.Random(0)), patch)
    waiting = game["duel"] == "pawn" and pos["pawn"] is None
    pos["phase"] = "over" if pos["over"] else "setup" if waiting else "turn"
    pos["player"] = "p2" if waiting else pos["active"]
    return pos


def matches(pattern: str, text: str) -> bool:
    """`*` stands for one word, at the end for one or more."""
    wanted, words = pattern.split(), text.split()
    if wanted[-1] == "*" and len(words) > len(wanted):
        words = words[: len(wanted)]
    pairs = list(zip(wanted, words, strict=False))
    return len(wanted) == len(words) and all(a in {"*", b} for a, b in pairs)


def derived(pos: Pos) -> Pos:
    """The position with all that `expect` may name besides."""
    players = {
        player: data | {"stock": stock(pos, player)} for player, data in pos["players"].items()
    }
    lists = {key: len(value) for key, value in pos.items() if isinstance(value, list)}
    return pos | {
        "players": players,
        "winners": winners(pos),
        "completed": completed(pos),
        "control": {city: control(pos, city) for city in pos["cities"]},
        "scores": scores(pos),
        "count": lists,
    }


def unmet(expected: Any, found: Any, place: str = "") -> list[str]:
    """What an expectation misses: mappings key by key, the rest whole."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return [
            line
            for key, value in expected.items()
            for line in unmet(value, found.get(str(key)), f"{place}.{key}")
        ]
    return [] if expected == found else [f"{place[1:]}: expected {expected}, found {found}"]


def failures(scenario: Scenario) -> list[str]:
    """What the reference says differently from the scenario."""
    pos = patched(scenario)
    steps = list(scenario.get("play") or [])
    last = steps.pop() if scenario.get("error") else None
    for step in steps:
        player, text = step.split("> ") if "> " in step else (pos["player"], step)
        if player != pos["player"]:
            return [f"{step}: {pos['player']} decides"]
        if text not in reference.legal(pos):
            return [f"{text} is not legal; {pos['phase']}: {sorted(reference.legal(pos))[:30]}"]
        pos = reference.play(pos, text)
    texts, found = reference.legal(pos), list[str]()
    if last is not None and last.split("> ")[-1] in texts:
        found.append(f"{last} is legal")
    for pattern in scenario.get("legal") or []:
        if not any(matches(pattern, text) for text in texts):
            found.append(f"{pattern} is not legal")
    for pattern in scenario.get("illegal") or []:
        found += [f"{text} is legal" for text in texts if matches(pattern, text)]
    if scenario.get("only") is not None and set(scenario["only"]) != texts:
        found.append(f"only {sorted(scenario['only'])}, found {sorted(texts)}")
    wanted = {k: v for k, v in (scenario.get("expect") or {}).items() if k != "pending"}
    if wanted.get("phase") not in {"turn", "setup"}:
        wanted.pop("phase", None)
    return found + unmet(wanted, derived(pos))
