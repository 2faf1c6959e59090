"""Hansa Teutonica: rules, bots and a table to play at."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hansa.action import ACTIONS, Action
from hansa.boards import Board
from hansa.errors import (
    HansaError,
    IllegalAction,
    InvalidPosition,
    InvalidRecord,
    InvalidSetup,
    MalformedAction,
    NothingToUndo,
)
from hansa.events import Event
from hansa.game import Game
from hansa.setup import RULES_VERSION, Setup

if TYPE_CHECKING:  # the real ones are given by __getattr__ below
    from hansa.bots.analysis import analyse
    from hansa.counting import perft

__version__ = "0.1.0"
CONTRACT = 1
"""The version of the contract that other programs may rely on."""

__all__ = [
    "ACTIONS",
    "CONTRACT",
    "RULES_VERSION",
    "Action",
    "Board",
    "Event",
    "Game",
    "HansaError",
    "IllegalAction",
    "InvalidPosition",
    "InvalidRecord",
    "InvalidSetup",
    "MalformedAction",
    "NothingToUndo",
    "Setup",
    "__version__",
    "analyse",
    "perft",
]

_LATER = {"analyse": "hansa.bots.analysis", "perft": "hansa.counting"}


def __getattr__(name: str) -> Any:
    """What not everybody needs is loaded only when it is asked for."""
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'hansa' has no attribute {name!r}")
