"""How a game stands: everything that can be read off a position, one thing at a time."""

from __future__ import annotations

from hansa.boards import Board
from hansa.errors import InvalidPosition
from hansa.names import CATEGORIES, END_REASONS, OWNERS, PLAYERS, PRESTIGE_SPACES, SHAPES, SKILLS
from hansa.notation import marker_name, markers_at, offices_beside
from hansa.pending import phase, piece_text
from hansa.rules import offices, scoring
from hansa.rules.codes import AT_MARKERS, AT_PLATE, AT_USED
from hansa.rules.state import State
from hansa.setup import Setup

__all__ = ["Standing"]


class Standing:
    """A position to look at. Asking costs what is asked for: `to_dict` is for all of it.

    >>> game = hansa.Game.new(board="hansa", players=3, seed=7)
    >>> game.points("p1"), game.supply("p2"), game.skills("p3")["keys"]
    (0, {'t': 6, 'm': 1}, 0)
    >>> game.post("groningen-emden/1"), game.offices("emden")
    (None, [None, None])
    """

    __slots__ = ("_setup", "_state")

    _setup: Setup
    _state: State

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

    # Whose turn it is.

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

    # The end.

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

    # A player's desk.

    def points(self, player: str) -> int:
        """A player's points on the track."""
        return self._state.points[self._seat(player)]

    def supply(self, player: str) -> dict[str, int]:
        """A player's supply, as `{"t": 5, "m": 1}`."""
        return self._pieces(self._state.supply, player)

    def stock(self, player: str) -> dict[str, int]:
        """A player's stock, as `{"t": 6, "m": 0}`."""
        return self._pieces(self._state.stock, player)

    def _pieces(self, numbers: list[int], player: str) -> dict[str, int]:
        p = self._seat(player)
        return {letter: numbers[2 * p + k] for k, letter in enumerate(SHAPES)}

    def skills(self, player: str) -> dict[str, int]:
        """The level of each of a player's skills: pieces already taken off its track."""
        p = self._seat(player)
        return {skill: self._state.skills[5 * p + k] for k, skill in enumerate(SKILLS)}

    def markers(self, player: str) -> list[str]:
        """A player's unused markers, in the order they came."""
        return markers_at(self._state, AT_MARKERS + 3 * self._seat(player))

    def used(self, player: str) -> list[str]:
        """A player's used markers, in the order they came."""
        return markers_at(self._state, AT_USED + 3 * self._seat(player))

    def plate(self, player: str) -> list[str]:
        """The markers on a player's plate, in the order they came; others may not know them."""
        return markers_at(self._state, AT_PLATE + 3 * self._seat(player))

    # The board.

    def post(self, post: str) -> str | None:
        """What stands on a post: a piece such as `p1:t`, or None."""
        return piece_text(self._state.post[self._place(post, "post", self._setup.post_numbers)])

    def offices(self, city: str) -> list[str | None]:
        """The offices of a city: one entry a house from the left; a green city: all of them."""
        k = self._place(city, "city", self._setup.city_numbers)
        if self.board.cities[k].green:
            return [*offices_beside(self._state, k)]
        first, end = self._setup.tables.city_first[k : k + 2]
        return [piece_text(v) for v in self._state.house[first:end]]

    def extra_offices(self, city: str) -> list[str]:
        """The extra offices of a city from the left; the last stands next to house 1."""
        k = self._place(city, "city", self._setup.city_numbers)
        return [] if self.board.cities[k].green else offices_beside(self._state, k)

    def marker(self, route: str) -> str | None:
        """The marker that lies at a route."""
        return marker_name(
            self._state.route_marker[self._place(route, "route", self._setup.route_numbers)]
        )

    def prestige(self, space: int) -> str | None:
        """Whose merchant stands on the prestige space worth 7, 8, 9 or 11."""
        if space not in PRESTIGE_SPACES:
            raise InvalidPosition(f"{space!r} is no prestige space: one of 7, 8, 9, 11")
        owner = self._state.prestige[PRESTIGE_SPACES.index(space)]
        return PLAYERS[owner - 1] if owner else None

    def control(self, city: str) -> str | None:
        """Who controls a city: a player, `n`, or None."""
        number = self._place(city, "city", self._setup.city_numbers)
        owner = offices.control(self._setup.tables, self._state, number)
        return OWNERS[owner] if owner >= 0 else None

    @property
    def completed(self) -> int:
        """The completed-cities counter."""
        return self._state.completed

    def _seat(self, player: str) -> int:
        if player not in self.players:
            raise InvalidPosition(
                f"{player!r} does not play here: one of {', '.join(self.players)}"
            )
        return PLAYERS.index(player)

    def _place(self, name: str, what: str, numbers: dict[str, int]) -> int:
        number = numbers.get(name)
        if number is None:
            raise InvalidPosition(f"{name!r} is no {what} of board {self.board.id}")
        return number
