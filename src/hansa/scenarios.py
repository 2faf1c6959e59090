"""Scenarios: rules as examples, in YAML, run against the engine.

A scenario sets a game up, plays decisions and says what must hold afterwards. The form is the
contract's section 5 (`docs/contract.md`); `hansa check FILE…` runs files of them.

    >>> from hansa import scenarios
    >>> text = "{id: fresh, rules: [TURN-1], game: {board: hansa, players: 3}, expect: {turn: 1}}"
    >>> [scenario] = scenarios.parse(text)
    >>> scenarios.run(scenario)
    []
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import yaml

import hansa

__all__ = ["Outcome", "Scenario", "ScenarioError", "check", "load", "parse", "run"]

#: The name a scenario gives an error, and the error it means.
ERRORS: dict[str, type[Exception]] = {
    "illegal": hansa.IllegalAction,
    "malformed": hansa.MalformedAction,
    "invalid-position": hansa.InvalidPosition,
    "invalid-setup": hansa.InvalidSetup,
}
LOADING_ERRORS = ("invalid-position", "invalid-setup")
SETUP_KEYS = frozenset(option.name for option in fields(hansa.Setup))
SHOWN_DIFFERENCES = 4
SHOWN_ACTIONS = 8
WHO_DECIDES = re.compile(r"(\w+)>\s+(.*)", re.DOTALL)


class ScenarioError(ValueError):
    """A scenario file that is not one; the message names the document and the place."""


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """One example: a game, the decisions played in it, and what must hold afterwards."""

    id: str
    rules: tuple[str, ...] = ()
    game: Mapping[str, Any] = field(default_factory=dict)
    position: Mapping[str, Any] | None = None
    play: tuple[str, ...] = ()
    legal: tuple[str, ...] = ()
    illegal: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None
    error: str | None = None
    expect: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What came of one scenario: its id and the differences, none if it holds."""

    id: str
    differences: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether the scenario holds."""
        return not self.differences

    def __str__(self) -> str:
        if self.ok:
            return f"ok {self.id}"
        shown = "; ".join(self.differences[:SHOWN_DIFFERENCES])
        more = len(self.differences) - SHOWN_DIFFERENCES
        text = shown if more <= 0 else f"{shown}; and {more} more"
        return f"FAIL {self.id}: {' '.join(text.split())}"


# --- reading ---------------------------------------------------------------------------------


class _Loader(yaml.SafeLoader):
    """Safe YAML in which `n`, `no`, `off`, `07` and `1:30` stay text, as the notation needs."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - the library's own way to start afresh

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: ARG002 - inherited
        """A mapping whose keys are the text as written (`7` is `"7"`), each at most once."""
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(
                    None, None, "a key must be a plain word", key.start_mark
                )
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key.value!r} stands here twice", key.start_mark
                )
            seen.add(key.value)
        return {key.value: self.construct_object(value, deep=True) for key, value in node.value}


for _tag, _pattern, _first in (
    ("tag:yaml.org,2002:null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("tag:yaml.org,2002:bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("tag:yaml.org,2002:int", r"-?(?:0|[1-9][0-9]*)", list("-0123456789")),
):
    _Loader.add_implicit_resolver(_tag, re.compile(rf"(?:{_pattern})\Z"), _first)


def parse(text: str, source: str = "scenario") -> list[Scenario]:
    """The scenarios of a text; raises ScenarioError at the first that is none."""
    scenarios = []
    for where, document in _documents(text, source):
        try:
            scenarios.append(_scenario(document))
        except ScenarioError as error:
            raise ScenarioError(f"{where}: {error}") from None
    return scenarios


def load(path: Path) -> list[Scenario]:
    """The scenarios of a file; raises ScenarioError, or OSError if it can't be read."""
    return parse(_text_of(path), path.name)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ScenarioError(f"not a text file in UTF-8: {error.reason}") from None


def _documents(text: str, source: str) -> list[tuple[str, Any]]:
    try:
        documents = [d for d in yaml.load_all(text, _Loader) if d is not None]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error)
        raise ScenarioError(f"{source}{line}: not YAML as expected: {problem}") from None
    except (ValueError, RecursionError) as error:  # values and depths past all sense
        raise ScenarioError(f"{source}: not YAML as expected: {error}") from None
    if not documents:
        raise ScenarioError(f"{source}: no scenario in it")
    return [(f"{source}, document {k}", d) for k, d in enumerate(documents, 1)]


def _scenario(document: Any) -> Scenario:
    if not isinstance(document, dict):
        raise ScenarioError("a scenario is a mapping that begins with `id:`")
    name = document.get("id")
    if not isinstance(name, str | int) or isinstance(name, bool) or not str(name):
        raise ScenarioError("`id` is missing or not a name")
    known = list(Scenario.__dataclass_fields__)
    for key in document:
        if key not in known:
            raise ScenarioError(f"unknown key {key!r}; known are {', '.join(known)}")
    error = document.get("error")
    if error is not None and (not isinstance(error, str) or error not in ERRORS):
        raise ScenarioError(f"error {error!r}; known are {', '.join(ERRORS)}")
    play = _texts(document, "play") or ()
    if error is not None and error not in LOADING_ERRORS and not play:
        raise ScenarioError(f"error {error} needs a last step in `play` that fails")
    position = _mapping(document, "position")
    if position and "game" in position:
        raise ScenarioError("`game` stands beside `position`, not in it")
    return Scenario(
        id=str(name),
        rules=_texts(document, "rules") or (),
        game=_mapping(document, "game") or {},
        position=position,
        play=play,
        legal=_texts(document, "legal") or (),
        illegal=_texts(document, "illegal") or (),
        only=_texts(document, "only"),
        error=error,
        expect=_mapping(document, "expect") or {},
    )


def _texts(document: dict[str, Any], key: str) -> tuple[str, ...] | None:
    value = document.get(key)
    if value is None:
        return None
    if not isinstance(value, list):
        raise ScenarioError(f"`{key}` must be a list")
    for entry in value:
        if isinstance(entry, bool) or not isinstance(entry, str | int):
            raise ScenarioError(f"`{key}` must hold lines of text, not {entry!r}")
    return tuple(str(entry) for entry in value)


def _mapping(document: dict[str, Any], key: str) -> dict[str, Any] | None:
    value = document.get(key)
    if value is not None and not isinstance(value, dict):
        raise ScenarioError(f"`{key}` must be a mapping")
    return value


# --- running ---------------------------------------------------------------------------------


def check(path: Path) -> Iterator[Outcome]:
    """Run each scenario of a file; whatever goes wrong is an outcome, never an exception."""
    try:
        documents = _documents(_text_of(path), path.name)
    except (OSError, ScenarioError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        yield Outcome(str(path), (f"cannot be read: {reason}",))
        return
    for where, document in documents:
        try:
            scenario = _scenario(document)
        except ScenarioError as error:
            name = document.get("id") if isinstance(document, dict) else None
            yield Outcome(str(where if name is None else name), (str(error),))
            continue
        try:
            yield Outcome(scenario.id, tuple(run(scenario)))
        except Exception as error:  # noqa: BLE001 - one crash must not hide the other scenarios
            yield Outcome(scenario.id, (f"crashed: {type(error).__name__}: {error}",))


def run(scenario: Scenario) -> list[str]:
    """What differed, one line each; empty if the scenario holds.

    Errors of the engine other than the contract's four are not caught.
    """
    try:
        game = _start(scenario)
    except tuple(ERRORS.values()) as error:
        return _after_failed_loading(scenario, error)
    if scenario.error in LOADING_ERRORS:
        return [f"loading: expected {scenario.error}, but the position was accepted"]
    differences = _play(scenario, game)
    if differences:
        return differences
    return [*_compare_actions(scenario, game), *_compare_expected(scenario, game)]


def _start(scenario: Scenario) -> hansa.Game:
    # Unknown words of the set-up go through from_dict too: naming them is the engine's task.
    if scenario.position is None and SETUP_KEYS.issuperset(scenario.game):
        return hansa.Game.new(**scenario.game)
    return hansa.Game.from_dict({"game": dict(scenario.game), **(scenario.position or {})})


def _kind(error: Exception) -> str:
    """The contract's name of an error: that of its nearest class."""
    names = {kind: name for name, kind in ERRORS.items()}
    return next((names[c] for c in type(error).__mro__ if c in names), type(error).__name__)


def _after_failed_loading(scenario: Scenario, error: Exception) -> list[str]:
    kind = _kind(error)
    if scenario.error != kind:
        wanted = f"expected {scenario.error}, got" if scenario.error in LOADING_ERRORS else "got"
        return [f"loading: {wanted} {kind}: {error}"]
    if scenario.legal or scenario.illegal or scenario.only is not None or scenario.expect:
        return ["loading failed as expected, so nothing else can be checked"]
    return []


def _play(scenario: Scenario, game: hansa.Game) -> list[str]:
    """Play the steps; the last must fail if the scenario says so. What went wrong."""
    last = len(scenario.play)
    for number, step in enumerate(scenario.play, 1):
        who, text = _step(step)
        if who is not None and game.player != who:
            return [f"step {number} `{step}`: {who} should decide, but {game.player} does"]
        if scenario.error is not None and number == last:
            return _play_failing(game, text, scenario.error)
        try:
            game.play(text)
        except (hansa.IllegalAction, hansa.MalformedAction) as error:
            return [f"step {number} `{text}`: {_kind(error)}: {error}"]
    return []


def _step(step: str) -> tuple[str | None, str]:
    match = WHO_DECIDES.fullmatch(step)
    return (match[1], match[2]) if match else (None, step)


def _play_failing(game: hansa.Game, text: str, wanted: str) -> list[str]:
    before, decisions = game.to_dict(), len(game.history)
    try:
        game.play(text)
    except (hansa.IllegalAction, hansa.MalformedAction) as error:
        if _kind(error) != wanted:
            return [f"last step `{text}`: expected {wanted}, got {_kind(error)}: {error}"]
    else:
        return [f"last step `{text}`: expected {wanted}, but it was played"]
    changes = _differences(before, game.to_dict(), "")
    if len(game.history) != decisions:
        changes.append(f"history: expected {decisions} decisions, got {len(game.history)}")
    return [f"the failing step changed {change}" for change in changes]


# --- comparing -------------------------------------------------------------------------------


def matches(pattern: str, action: str) -> bool:
    """Whether an action fits a pattern: `*` is one word, at the end one or more."""
    wanted, words = pattern.split(), action.split()
    if wanted and wanted[-1] == "*" and len(words) > len(wanted):
        words = words[: len(wanted)]
    return len(wanted) == len(words) and all(
        w in ("*", word) for w, word in zip(wanted, words, strict=True)
    )


def _compare_actions(scenario: Scenario, game: hansa.Game) -> list[str]:
    actions = [str(action) for action in game.legal_actions()]
    found = []
    for pattern in scenario.legal:
        if not any(matches(pattern, action) for action in actions):
            found.append(f"legal: `{pattern}` is not legal; {_some_legal(pattern, actions)}")
    for pattern in scenario.illegal:
        against = [action for action in actions if matches(pattern, action)]
        if against:
            found.append(f"illegal: {_listed(against)} is legal for {game.player}")
    if scenario.only is not None:
        missing = [f"`{action}`" for action in scenario.only if action not in actions]
        extra = [action for action in actions if action not in scenario.only]
        if missing:
            found.append(f"only: not legal: {', '.join(missing)}")
        if extra:
            found.append(f"only: legal too: {_listed(extra)}")
    return found


def _some_legal(pattern: str, actions: list[str]) -> str:
    verb = pattern.partition(" ")[0]
    alike = [action for action in actions if action.partition(" ")[0] == verb]
    return f"legal are {_listed(alike or actions)}" if actions else "nothing is legal"


def _listed(actions: list[str]) -> str:
    shown = ", ".join(f"`{action}`" for action in actions[:SHOWN_ACTIONS])
    more = len(actions) - SHOWN_ACTIONS
    return shown if more <= 0 else f"{shown} and {more} more"


def _compare_expected(scenario: Scenario, game: hansa.Game) -> list[str]:
    position: dict[str, Any] = {**game.to_dict()}
    for player, desk in position["players"].items():
        desk["stock"] = game.stock(player)
    actual: dict[str, Any] = {
        **position,
        "winners": list(game.winners),
        "completed": game.completed,
        "control": {city: game.control(city) for city in position["cities"]},
        "scores": game.scores(),
        "count": _lengths(position),
    }
    return _differences(scenario.expect, actual, "")


def _lengths(part: Any) -> Any:
    """The same tree with every list replaced by its length."""
    if isinstance(part, dict):
        return {key: _lengths(value) for key, value in part.items()}
    return len(part) if isinstance(part, list) else part


def _differences(expected: Any, actual: Any, path: str) -> list[str]:
    """Each place where the expected part is not so: mappings key by key, all else whole."""
    if not isinstance(expected, Mapping) or not isinstance(actual, Mapping):
        same = expected == actual and isinstance(expected, bool) == isinstance(actual, bool)
        return [] if same else [f"{path}: expected {_shown(expected)}, got {_shown(actual)}"]
    found = []
    for key, value in expected.items():
        place = f"{path}.{key}" if path else str(key)
        if key in actual:
            found += _differences(value, actual[key], place)
        else:
            found.append(f"{place}: expected {_shown(value)}, but there is no such part")
    return found


def _shown(value: Any) -> str:
    """A value as it would stand in the scenario file."""
    text: str = yaml.safe_dump(value, default_flow_style=True, width=10**6, allow_unicode=True)
    return text.removesuffix("\n...\n").strip()
