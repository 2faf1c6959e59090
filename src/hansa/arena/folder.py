"""The folder of a tournament: every game's record, and what an interrupted one goes on from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import hansa
from hansa.bots.match import Result

from .pairing import Pairing
from .protocol import ArenaError

__all__ = ["Folder"]

PLAN = "arena.json"
RESULTS = "results.jsonl"


class Folder:
    """Keeps one tournament; raises ArenaError for a folder that holds another."""

    def __init__(self, directory: Path, bots: Sequence[str], setup: hansa.Setup) -> None:
        self._directory = directory
        plan = {
            "bots": list(bots),
            "setup": setup.to_dict(),
            "version": hansa.__version__,
            "rules": hansa.RULES_VERSION,
        }
        path = directory / PLAN
        if path.exists():
            self._compare(plan, path)
        directory.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(plan, indent=1) + "\n", encoding="utf-8")

    def _compare(self, plan: dict[str, Any], path: Path) -> None:
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            different = [key for key in plan if kept[key] != plan[key]]
        except (ValueError, TypeError, KeyError):
            raise ArenaError(f"{path}: not the plan of a tournament") from None
        if different:
            told = "; ".join(f"{key} {_short(kept[key], plan[key])}" for key in different)
            raise ArenaError(
                f"{self._directory} holds another tournament ({told}): name another folder,"
                " or repeat the command it was made with"
            )

    def keep(self, pairing: Pairing, result: Result) -> None:
        """The record, and a line from which an interrupted tournament goes on."""
        path = self._directory / f"game-{pairing.number + 1:05d}.txt"
        path.write_text(result.record, encoding="utf-8")
        line = {**asdict(result), "record": "", "key": pairing.key}
        with open(self._directory / RESULTS, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def kept(self, planned: Sequence[Pairing]) -> dict[int, Result]:
        """Results of an earlier run of the very same games, by their numbers."""
        path = self._directory / RESULTS
        if not path.exists():
            return {}
        text = path.read_text(encoding="utf-8")
        whole, _, half = text.rpartition("\n")
        if half:
            # A run killed while writing leaves half a line: that game is played again.
            path.write_text(whole + "\n" if whole else "", encoding="utf-8")
        by_key = {pairing.key: pairing for pairing in planned}
        found = {}
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                data = json.loads(line)
                pairing = by_key.get(data.pop("key"))
                result = Result(**data)
            except (ValueError, TypeError, KeyError, AttributeError):
                raise ArenaError(f"{path}, line {number}: no result of a game") from None
            if pairing is not None:
                found[pairing.number] = result
        return found


def _short(kept: Any, wanted: Any) -> str:
    """What differs, of a set-up only the parts that do."""
    if isinstance(kept, dict) and isinstance(wanted, dict):
        return ", ".join(
            f"{key} {kept.get(key)!r} instead of {value!r}"
            for key, value in wanted.items()
            if kept.get(key) != value
        )
    return f"{kept!r} instead of {wanted!r}"
