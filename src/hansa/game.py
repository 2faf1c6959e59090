"""Game: the friendly face of the engine."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from typing import Any, Concatenate, ParamSpec, SupportsIndex

from hansa.action import ACTIONS, Action, actions_of
from hansa.boards import Board
from hansa.errors import (
    HansaError,
    IllegalAction,
    InvalidPosition,
    InvalidRecord,
    MalformedAction,
    NothingToUndo,
)
from hansa.events import Event, events_of
from hansa.information import fill_in, view_of
from hansa.lines import read_line, write_line
from hansa.names import CATEGORIES, END_REASONS, OWNERS, PLAYERS, SHAPES
from hansa.notation import read_position, write_position
from hansa.packing import read_packed, write_packed
from hansa.pending import phase
from hansa.records import Record, parse_record
from hansa.rules import engine, offices, scoring
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.state import State, pack, unpack
from hansa.setup import Setup

__all__ = ["Game"]

SNAPSHOT_EVERY = 32
"""Decisions between two kept states: undo replays at most so many."""
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


class Game:
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
        "_history",
        "_legal",
        "_patched",
        "_setup",
        "_snapshots",
        "_state",
        "seats",
    )

    def __init__(self, setup: Setup, state: State, *, patched: bool = False) -> None:
        self._setup = setup
        self._state = state
        self._patched = patched
        self._history: list[int] = []
        self._snapshots = [pack(state)]
        self._legal: list[int] | None = None
        self.seats: dict[str, str] = {}
        """Names of the people at the seats, for records."""

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
    def from_record(cls, text: str) -> Game:
        """Replay a record; raises InvalidRecord with the line that cannot be played."""
        record = parse_record(text)
        try:
            if record.position is not None:
                game = cls.from_dict({**record.position, "game": record.setup})
            else:
                setup = Setup.from_dict(record.setup)
                game = cls(setup, setup.new_state())
        except HansaError as error:
            raise InvalidRecord(f"the start of the record: {error}") from None
        game.seats = record.seats
        try:
            game._replay(record)
        except InvalidRecord as error:
            if record.rules == game.setup.rules_version:
                raise
            raise InvalidRecord(
                f"{error} (the record was written under version {record.rules} of the rules for "
                f"this set-up; they are at {game.setup.rules_version} now, and it no longer "
                "replays; hansa.records.parse_record still reads it)"
            ) from None
        return game

    def _replay(self, record: Record) -> None:
        for (player, decision), line in zip(record.decisions, record.lines, strict=True):
            if player != self.player:
                raise InvalidRecord(f"line {line}: {self.player} decides here, not {player}")
            try:
                self._play(self._find(decision))
            except HansaError as error:
                raise InvalidRecord(f"line {line}: {error}") from None
        if record.result is not None and record.result != self._result():
            raise InvalidRecord("Result: the decisions lead to another result")

    # What is being decided.

    @property
    def setup(self) -> Setup:
        """The set-up, seed included."""
        return self._setup

    @property
    def board(self) -> Board:
        """The board it is played on."""
        return self._setup.board_data

    @property
    def state(self) -> State:
        """The state the rules work on, with all that is hidden: to read; change a `copy()` of it.

        It goes with `setup.tables`, and is another object after `undo`.
        """
        return self._state

    @property
    def players(self) -> tuple[str, ...]:
        """The players in turn order."""
        return PLAYERS[: self._state.players]

    @property
    def player(self) -> str:
        """Whose decision it is, not always whose turn."""
        return PLAYERS[self._state.player]

    @property
    def active(self) -> str:
        """Whose turn it is."""
        return PLAYERS[self._state.active]

    @property
    def phase(self) -> str:
        """A short word for what is being decided."""
        return phase(self._state)

    @property
    def turn(self) -> int:
        """The number of the turn, from 1."""
        return self._state.turn

    @property
    def actions_left(self) -> int:
        """Actions left in this turn."""
        return self._state.actions_left

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

    def _play(self, number: int) -> list[Event]:
        s = self._state
        s.events = []
        engine.apply(self._setup.tables, s, number)
        noted, s.events = s.events, None
        self._legal = None
        self._history.append(number)
        if len(self._history) % SNAPSHOT_EVERY == 0:
            self._snapshots.append(pack(s))
        return events_of(self.board, noted)

    def undo(self) -> None:
        """Take the last decision back; raises NothingToUndo."""
        if not self._history:
            raise NothingToUndo("no decision has been made since this position was set up")
        self._history.pop()
        del self._snapshots[len(self._history) // SNAPSHOT_EVERY + 1 :]
        state = unpack(self._snapshots[-1])
        for number in self._history[(len(self._snapshots) - 1) * SNAPSHOT_EVERY :]:
            engine.apply(self._setup.tables, state, number)
        self._state = state
        self._legal = None

    @property
    def history(self) -> list[Action]:
        """The decisions so far, in order."""
        names = actions_of(self._setup.board)
        return [names[number] for number in self._history]

    def copy(self) -> Game:
        """An independent copy with the same history."""
        twin = Game.__new__(Game)
        twin._setup, twin._patched = self._setup, self._patched
        twin._state = self._state.copy()
        twin._history, twin._snapshots = self._history[:], self._snapshots[:]
        twin._legal = None if self._legal is None else self._legal[:]
        twin.seats = dict(self.seats)
        return twin

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.copy()

    # How it stands.

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._state.over)

    @property
    def end_reason(self) -> str | None:
        """`prestige`, `markers` or `cities`; None until the end."""
        return END_REASONS[self._state.end_reason]

    @property
    def winners(self) -> list[str]:
        """Who won, in seat order; several after a tie that stays one; [] until the end."""
        if not self.over:
            return []
        b, s = self._setup.tables, self._state
        return [PLAYERS[p] for p in range(s.players) if scoring.is_winner(b, s, p)]

    def scores(self) -> dict[str, dict[str, int]]:
        """Points by category and in all; before the end as if it ended now."""
        b, s = self._setup.tables, self._state
        scores = {}
        for p in range(s.players):
            points = {name: scoring.category(b, s, p, k) for k, name in enumerate(CATEGORIES)}
            scores[PLAYERS[p]] = {**points, "total": sum(points.values())}
        return scores

    def stock(self, player: str) -> dict[str, int]:
        """A player's stock, as `{"t": 6, "m": 0}`."""
        p = self._seat(player)
        return {letter: self._state.stock[2 * p + k] for k, letter in enumerate(SHAPES)}

    @property
    def completed(self) -> int:
        """The completed-cities counter."""
        return self._state.completed

    def control(self, city: str) -> str | None:
        """Who controls a city: a player, `n`, or None."""
        number = self._setup.city_numbers.get(city)
        if number is None:
            raise InvalidPosition(f"{city!r} is no city of board {self.board.id}")
        owner = offices.control(self._setup.tables, self._state, number)
        return OWNERS[owner] if owner >= 0 else None

    def _seat(self, player: str) -> int:
        if player not in self.players:
            raise InvalidPosition(
                f"{player!r} does not play here: one of {', '.join(self.players)}"
            )
        return PLAYERS.index(player)

    # As data and text.

    def to_dict(self) -> dict[str, Any]:
        """The whole position as plain data."""
        return write_position(self._setup, self._state)

    def view(self, player: str | None) -> dict[str, Any]:
        """The same form without what the player (None: a watcher) may not know."""
        if player is not None:
            self._seat(player)
        return view_of(self.to_dict(), player)

    def to_line(self) -> str:
        """The whole position in one line of printable ASCII; docs/records.md tells its form."""
        return write_line(self.to_dict())

    def pack(self) -> bytes:
        """The position as bytes: its set-up, then its state; `unpack` reads them."""
        return write_packed(self._setup, self._state)

    def record(self) -> str:
        """The whole game as text."""
        replay = Game(self._setup, unpack(self._snapshots[0]))
        start = None
        if self._patched:
            start = {key: value for key, value in replay.to_dict().items() if key != "game"}
        record = Record(self._setup.to_dict(), seats=self.seats, position=start)
        record.rules = self._setup.rules_version
        turns = []
        for number in self._history:
            turns.append(replay.turn)
            record.decisions.append((replay.player, self._name(number)))
            engine.apply(self._setup.tables, replay._state, number)
        if self.over:
            record.result = self._result()
        return record.to_text(turns)

    def _result(self) -> dict[str, Any] | None:
        if not self.over:
            return None
        totals = {player: points["total"] for player, points in self.scores().items()}
        return {"end_reason": self.end_reason, "winners": self.winners, "totals": totals}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._setup == other._setup and pack(self._state) == pack(other._state)

    def __hash__(self) -> int:
        return hash((self._setup, pack(self._state)))

    def _repr_svg_(self) -> str:
        """How a notebook shows the game; loaded only then, so that importing hansa stays quick."""
        return str(import_module("hansa.svg").position(self.to_dict(), theme="auto"))

    def __repr__(self) -> str:
        setup = self._setup
        state = "over" if self.over else f"turn {self.turn}, {self.player} decides ({self.phase})"
        return f"<Game {setup.board_id}, {setup.players} players, {setup.edition}: {state}>"
