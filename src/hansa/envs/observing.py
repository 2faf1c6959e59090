"""One position as the row of numbers of the environments, for whoever holds a game or a view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hansa.errors import InvalidSetup
from hansa.game import Game
from hansa.information import fill_in
from hansa.names import PLAYERS

from .complete import observe
from .layout import layout, where

__all__ = ["encode"]


def encode(
    seen: Game | Mapping[str, Any], seat: str | None = None, *, version: int = 1
) -> npt.NDArray[np.int8]:
    """What a seat (None: whoever decides) sees, in the order of `layout(board, version)`.

    A view (`Game.view`) does as well as a game: nothing hidden is in the numbers. The layout
    names each of them; `decode` makes the view again of a row of version 2. Raises InvalidPosition, InvalidSetup.

    >>> import hansa.envs
    >>> game = hansa.Game.new(players=3, seed=7)
    >>> row = hansa.envs.encode(game, "p2")
    >>> row.shape, bool((row == hansa.envs.encode(game.view("p2"), "p2")).all())
    ((2884,), True)
    >>> places = hansa.envs.layout("hansa")
    >>> int(row[places.index("seats", "me", "supply t")])
    6
    """
    game = seen if isinstance(seen, Game) else Game.from_dict(fill_in(seen, 0))
    seats = PLAYERS[: game.setup.players]
    if seat is None:
        seat = game.player
    if seat not in seats:
        raise InvalidSetup(f"no seat {seat!r}: one of {', '.join(seats)}")
    setup = game.setup
    row = np.zeros(layout(setup.board, version).size, np.int8)
    viewer = seats.index(seat)
    observe(setup.tables, game.state, viewer, where(setup, version), row, 0)
    return row
