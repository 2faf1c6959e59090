"""Everything a client can do wrong, each with one code (docs/protocol.md, section 2)."""

from __future__ import annotations

from typing import Any

__all__ = ["STATUS", "TableError"]

STATUS: dict[str, int] = {
    "bad_request": 400,
    "malformed_decision": 400,
    "invalid_setup": 400,
    "invalid_record": 400,
    "unknown_bot": 400,
    "bad_name": 400,
    "bad_password": 400,
    "who_are_you": 401,
    "wrong_password": 401,
    "bad_token": 401,
    "not_your_seat": 403,
    "not_host": 403,
    "not_allowed": 403,
    "cross_site": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "stale_number": 409,
    "illegal_decision": 409,
    "not_your_decision": 409,
    "not_started": 409,
    "already_started": 409,
    "seat_taken": 409,
    "no_free_seat": 409,
    "game_over": 409,
    "not_over": 409,
    "nothing_to_undo": 409,
    "undo_needs_consent": 409,
    "undo_off": 409,
    "no_such_proposal": 409,
    "proposal_open": 409,
    "name_taken": 409,
    "person_present": 409,
    "rules_changed": 409,
    "too_large": 413,
    "unsupported_media_type": 415,
    "too_many": 429,
    "internal": 500,
    "shutting_down": 503,
    "busy": 503,
}


class TableError(Exception):
    """A request that cannot be carried out; nothing was changed."""

    def __init__(self, code: str, message: str, **detail: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.detail = detail

    @property
    def status(self) -> int:
        """The HTTP status of this code."""
        return STATUS[self.code]

    def to_dict(self) -> dict[str, Any]:
        """The body of an answer, and the middle of a WebSocket `error`."""
        return {"code": self.code, "message": self.message, "detail": self.detail}
