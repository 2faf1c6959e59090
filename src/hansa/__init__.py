"""Hansa Teutonica: rules, bots and a table to play at."""

from importlib import import_module
from typing import Any

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
    "analyse",  # given by __getattr__ below
]


def __getattr__(name: str) -> Any:
    """`hansa.analyse` comes with the bots, which are loaded only when it is asked for."""
    if name == "analyse":
        return import_module("hansa.bots.analysis").analyse
    raise AttributeError(f"module 'hansa' has no attribute {name!r}")
