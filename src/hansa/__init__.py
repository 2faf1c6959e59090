"""Hansa Teutonica: rules, bots and a table to play at."""

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
from hansa.setup import Setup

__version__ = "0.1.0"
CONTRACT = 1
"""The version of the contract that other programs may rely on."""

__all__ = [
    "ACTIONS",
    "CONTRACT",
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
]
