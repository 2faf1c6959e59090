"""Game: the friendly face of the engine."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from functools import wraps
from importlib import import_module
from typing import Any, Concatenate, ParamSpec, SupportsIndex, cast

from hansa.action import ACTIONS, Action, actions_of
from hansa.errors import (
    HansaError,
    IllegalAction,
    InvalidRecord,
    MalformedAction,
    NothingToUndo,
)
from hansa.events import Event, events_of
from hansa.information import fill_in, view_of
from hansa.lines import read_line, write_line
from hansa.notation import read_position, write_position
from hansa.packing import read_packed, write_packed
from hansa.past import Kept, Past
from hansa.records import Record, Variation, parse_record
from hansa.rules import engine
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.state import State, flat
from hansa.setup import Setup
from hansa.standing import Standing
from hansa.typed import PositionData

__all__ = ["Game"]

SHOWN_ALTERNATIVES = 8


Given = ParamSpec("Given")


def _with_options_of(
    setup: Callable[Given, Setup],
) -> Callable[
    [Callable[[type[Game], Setup], Game]], Callable[Concatenate[type[Game], Given], Game]
]:
    """Let a method be called with the options of a set-up, which are written down only there."""

    def decorate(
        method: Callable[[type[Game], Setup], Game],
    ) -> Callable[Concatenate[type[Game], Given], Game]:
        @wraps(method)
        def new(cls: type[Game], /, *args: Given.args, **options: Given.kwargs) -> Game:
            return method(cls, setup(*args, **options))

        shown = inspect.signature(setup).parameters.values()
        own = inspect.Parameter("cls", inspect.Parameter.POSITIONAL_ONLY)
        new.__signature__ = inspect.Signature([own, *shown])  # type: ignore[attr-defined]  # for help()
        return new

    return decorate


class Game(Standing):
    """A game of Hansa Teutonica: a position, and the decisions that led to it.

    >>> game = hansa.Game.new(board="hansa", players=3, seed=7)
    >>> game.player, game.phase
    ('p1', 'turn')
    >>> events = game.play("place t groningen-emden/1")
    >>> game.to_dict()["routes"]["groningen-emden"]["posts"]
    ['p1:t', None, None]
    >>> game.undo()
    >>> game.history
    []
    """

    __slots__ = (
        "_hash",
        "_legal",
        "_past",
        "_patched",
        "comments",
        "headers",
        "seats",
        "variations",
    )

    def __init__(self, setup: Setup, state: State, *, patched: bool = False) -> None:
        self._setup = setup
        self._state = state
        self._patched = patched
        self._past = Past(state)
        self._legal: list[int] | None = None
        self._hash: int | None = None
        self.seats: dict[str, str] = {}
        """Names of the people at the seats, for records."""
        self.headers: dict[str, str] = {}
        """What else a record says of the game: event, place, date."""
        self.comments: dict[int, list[str]] = {}
        """What is said of the game after so many decisions."""
        self.variations: dict[int, list[Variation]] = {}
        """What might have been decided instead of the decision with that number, from 0."""

    # Beginnings.

    @classmethod
    @_with_options_of(Setup)
    def new(cls, setup: Setup) -> Game:
        """A new game; raises InvalidSetup for what the CFG rules forbid."""
        return cls(setup, setup.new_state())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Game:
        """The position of `to_dict`, or of a patch of a fresh set-up; raises InvalidPosition."""
        setup, state = read_position(data)
        return cls(setup, state, patched=True)

    @classmethod
    def from_line(cls, text: str) -> Game:
        """The position of `to_line`; raises InvalidPosition or InvalidSetup.

        >>> game = hansa.Game.new(board="east", players=3, seed=5)
        >>> hansa.Game.from_line(game.to_line()) == game
        True
        """
        return cls.from_dict(read_line(text))

    @classmethod
    def unpack(cls, data: bytes | bytearray | memoryview) -> Game:
        """The game of `pack`: the same position, without its history; raises InvalidPosition."""
        setup, state = read_packed(data)
        return cls(setup, state, patched=True)

    @classmethod
    def from_view(cls, view: Mapping[str, Any], seed: int) -> Game:
        """A game that looks like this view: what it hides is filled in at random."""
        return cls.from_dict(fill_in(view, seed))

    @classmethod
    def from_record(cls, text: str | Record) -> Game:
        """Replay a record; raises InvalidRecord with the line that cannot be played.

        Of several in one text: `[Game.from_record(one) for one in parse_records(text)]`.
        """
        record = text if isinstance(text, Record) else parse_record(text)
        try:
            if record.position is not None:
                game = cls.from_dict({**record.position, "game": record.setup})
            else:
                setup = Setup.from_dict(record.setup)
                game = cls(setup, setup.new_state())
        except HansaError as error:
            raise InvalidRecord(f"the start of the record: {error}") from None
        game.seats, game.headers = dict(record.seats), dict(record.headers)
        try:
            game._replay(record)
            game._check_result(record)
        except InvalidRecord as error:
            if record.rules == game.setup.rules_version:
                raise
            raise InvalidRecord(
                f"{error} (the record was written under version {record.rules} of the rules for "
                f"this set-up; they are at {game.setup.rules_version} now, and it no longer "
                "replays; hansa.records.parse_record still reads it)"
            ) from None
        return game

    def _replay(self, record: Variation) -> None:
        """Carry out the decisions, and keep what is said of them and their variations."""
        steps = zip(record.decisions, record.lines, strict=True)
        for number, ((player, decision), line) in enumerate(steps):
            for other in record.variations.get(number, ()):
                self.copy()._replay(other)
            if player != self.player:
                raise InvalidRecord(f"line {line}: {self.player} decides here, not {player}")
            try:
                self._play(self._find(decision))
            except HansaError as error:
                raise InvalidRecord(f"line {line}: {error}") from None
        self.comments, self.variations = deepcopy((record.comments, record.variations))

    def _check_result(self, record: Record) -> None:
        if record.result is not None and record.result != self._result():
            raise InvalidRecord("Result: the decisions lead to another result")

    # What is being decided.

    def legal_ids(self) -> list[int]:
        """The ids of all legal decisions, ascending: the order of `legal_actions`."""
        return self._listed()[:]

    def _listed(self) -> list[int]:
        """The same, kept until something is decided: nobody else may have it."""
        if self._legal is None:
            buffer = [0] * MAX_LEGAL
            n = engine.legal(self._setup.tables, self._state, buffer)
            self._legal = buffer[:n]
        return self._legal

    def legal_actions(self) -> list[Action]:
        """All legal decisions by ascending id; empty only when the game is over."""
        names = actions_of(self._setup.board)
        return [names[number] for number in self._listed()]

    def is_legal(self, action: Action | str | SupportsIndex) -> bool:
        """Whether a decision, its text or its id may be played now; no decision at all is not."""
        try:
            self._find(action)
        except (IllegalAction, MalformedAction):
            return False
        return True

    # Playing.

    def play(self, action: Action | str | SupportsIndex) -> list[Event]:
        """Carry out a decision and tell what happened.

        Raises MalformedAction for text that is no decision, IllegalAction for one that is not
        legal now; then nothing has changed.
        """
        number = self._find(action)
        if not os.environ.get("HANSA_DEBUG"):
            return self._play(number)
        from hansa import invariants  # noqa: PLC0415  # it reads games: only for debugging

        before = invariants.check(self, whole=not self._patched)
        events = self._play(number)
        invariants.check_step(before, invariants.check(self, whole=not self._patched), events)
        return events

    def _find(self, action: Action | str | SupportsIndex) -> int:
        """The id of a legal decision."""
        if isinstance(action, str):
            action = Action(action)
        if isinstance(action, Action):
            if action.id in self._listed() and self._name(action.id) == action.text:
                return action.id
            raise IllegalAction(self._refusal(action.text))
        if isinstance(action, bool) or not isinstance(action, SupportsIndex):
            raise TypeError(f"a decision is an Action, a text or an id, not {action!r}")
        action = action.__index__()  # integers of numpy are integers
        if action not in self._listed():
            known = 0 <= action < ACTIONS and action in actions_of(self._setup.board)
            raise IllegalAction(self._refusal(self._name(action) if known else f"id {action}"))
        return action

    def _name(self, number: int) -> str:
        return actions_of(self._setup.board)[number].text

    def _refusal(self, text: str) -> str:
        """What is wrong, where we are, and what would be allowed."""
        if self.over:
            return f"{text!r} is not legal: the game is over"
        legal = [action.text for action in self.legal_actions()]
        similar = [
            other for other in legal if other.split(" ")[0] == text.split(" ", maxsplit=1)[0]
        ] or legal
        shown = ", ".join(similar[:SHOWN_ALTERNATIVES])
        more = len(similar) - SHOWN_ALTERNATIVES
        rest = f" and {more} more" if more > 0 else ""
        here = f"{self.player} decides in turn {self.turn}, phase {self.phase}"
        return f"{text!r} is not legal now ({here}); allowed: {shown}{rest}"

    def after(self, action: Action | str | SupportsIndex) -> tuple[Game, list[Event]]:
        """The game after a decision and what happened; this one stays as it is.

        For those who keep many games: the new one holds no former state, so it takes half the memory
        of a copy that was played on. It can be taken back all the same, less fast. Raises as `play`.
        """
        number = self._find(action)
        twin = self.copy()
        return twin, twin._play(number, keep=False)

    def _play(self, number: int, *, keep: bool = True) -> list[Event]:
        s = self._state
        before = Kept(s.copy(), self._legal, self._hash) if keep else None
        s.events = []
        engine.apply(self._setup.tables, s, number)
        noted, s.events = s.events, None
        self._legal = self._hash = None
        self._past.add(number, before, s)
        return events_of(self.board, noted)

    def undo(self) -> None:
        """Take the last decision back; raises NothingToUndo."""
        if not self._past.ids:
            raise NothingToUndo("no decision has been made since this position was set up")
        self._state, self._legal, self._hash = self._past.back(self._setup.tables)
        if self.comments or self.variations:
            self._forget(len(self._past.ids))

    def _forget(self, number: int) -> None:
        """What was said of decisions goes with them."""
        self.comments = {k: said for k, said in self.comments.items() if k <= number}
        self.variations = {k: others for k, others in self.variations.items() if k < number}

    @property
    def history(self) -> list[Action]:
        """The decisions so far, in order."""
        names = actions_of(self._setup.board)
        return [names[number] for number in self._past.ids]

    def copy(self) -> Game:
        """An independent copy with the same history."""
        twin = Game.__new__(Game)
        twin._setup, twin._patched = self._setup, self._patched
        twin._state = self._state.copy()
        twin._past = self._past.copy()
        twin._legal, twin._hash = self._legal, self._hash
        twin.seats, twin.headers = dict(self.seats), dict(self.headers)
        twin.comments, twin.variations = deepcopy((self.comments, self.variations))
        return twin

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.copy()

    # As data and text.

    def to_dict(self) -> PositionData:
        """The whole position as plain data."""
        return write_position(self._setup, self._state)

    def view(self, player: str | None) -> PositionData:
        """The same form without what the player (None: a watcher) may not know."""
        if player is not None:
            self._seat(player)
        return cast("PositionData", view_of(self.to_dict(), player))

    def to_line(self) -> str:
        """The whole position in one line of printable ASCII; docs/records.md tells its form."""
        return write_line(self.to_dict())

    def pack(self) -> bytes:
        """The position as bytes: its set-up, then its state; `unpack` reads them."""
        return write_packed(self._setup, self._state)

    def record(self) -> str:
        """The whole game as text."""
        replay = Game(self._setup, self._past.start)
        start = None
        if self._patched:
            start = {key: value for key, value in replay.to_dict().items() if key != "game"}
        record = Record(
            setup={**self._setup.to_dict()},
            seats=self.seats,
            headers=self.headers,
            position=start,
            comments=self.comments,
            variations=self.variations,
        )
        record.rules = self._setup.rules_version
        turns = []
        for number in self._past.ids:
            turns.append(replay.turn)
            record.decisions.append((replay.player, self._name(number)))
            engine.apply(self._setup.tables, replay._state, number)
        if self.over:
            record.result = self._result()
        return record.to_text(turns)

    def add_variation(self, number: int, decisions: Iterable[Action | str | SupportsIndex]) -> None:
        """Keep what might have been decided instead of decision `number` (from 0), and then.

        Raises as `play` does; then nothing is kept.

        >>> game = hansa.Game.new(players=3)
        >>> _ = game.play("place t groningen-emden/1")
        >>> game.add_variation(0, ["income 1 0", "income 2 0", "end"])
        >>> print(game.record().partition("# turn 1")[2].strip())
        p1> place t groningen-emden/1
        (
          p1> income 1 0
          p1> income 2 0
          p1> end
        )
        """
        if not 0 <= number < len(self._past.ids):
            raise IllegalAction(f"there is no decision {number} to vary")
        other, kept = self.copy(), Variation()
        while len(other._past.ids) > number:
            other.undo()
        for decision in decisions:
            found = other._find(decision)
            kept.decisions.append((other.player, other._name(found)))
            other._play(found)
        if kept.decisions:
            self.variations.setdefault(number, []).append(kept)

    def _result(self) -> dict[str, Any] | None:
        if not self.over:
            return None
        totals = {player: points["total"] for player, points in self.scores().items()}
        return {"end_reason": self.end_reason, "winners": self.winners, "totals": totals}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._setup == other._setup and flat(self._state) == flat(other._state)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self._setup, flat(self._state)))
        return self._hash

    def _repr_svg_(self) -> str:
        """How a notebook shows the game; loaded only then, so that importing hansa stays quick."""
        return str(import_module("hansa.svg").position(self.to_dict(), theme="auto"))

    def __str__(self) -> str:
        """The whole position to be read by people; loaded only then, as above."""
        return str(import_module("hansa.display").text(self))

    def __repr__(self) -> str:
        setup = self._setup
        state = "over" if self.over else f"turn {self.turn}, {self.player} decides ({self.phase})"
        return f"<Game {setup.board_id}, {setup.players} players, {setup.edition}: {state}>"
