"""What can go wrong, said precisely: each error names the place and what would be allowed."""

from __future__ import annotations

__all__ = [
    "HansaError",
    "IllegalAction",
    "InvalidExtension",
    "InvalidPosition",
    "InvalidRecord",
    "InvalidSetup",
    "MalformedAction",
    "NothingToUndo",
]


class HansaError(ValueError):
    """The common parent of all errors of this package."""


class InvalidSetup(HansaError):
    """A set-up that the CFG rules forbid, an unknown name or a wrong number."""


class InvalidExtension(HansaError):
    """An extension that cannot join: a folder, board or marker that does not fit the house."""


class InvalidPosition(HansaError):
    """Data that describe no position; the message names the place."""


class InvalidRecord(HansaError):
    """Text that is no record of a game, or one whose decisions cannot be replayed."""


class MalformedAction(HansaError):
    """Text that is no decision on any board."""


class IllegalAction(HansaError):
    """A well-formed decision that is not legal now."""


class NothingToUndo(HansaError):
    """`undo` before the first decision."""
