"""Everything a client can do wrong: one code each, its HTTP status and what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

__all__ = ["CODES", "ErrorBody", "ErrorCode"]

CODES: dict[str, tuple[int, str]] = {
    "bad_request": (400, "unreadable or of the wrong shape"),
    "malformed_decision": (400, "this text is no decision"),
    "invalid_setup": (400, "the rules do not allow this set-up"),
    "invalid_record": (400, "this record cannot be replayed"),
    "unknown_bot": (400, "there is no such bot, or it would think too long"),
    "bad_name": (400, "a name is empty, too long or not to be shown"),
    "bad_password": (400, "a password has 8 to 200 characters"),
    "who_are_you": (401, "no cookie or token where one is needed"),
    "wrong_password": (401, "account and password, or code, do not fit together"),
    "bad_token": (401, "this token is not, or no longer, good"),
    "not_your_seat": (403, "somebody else sits there"),
    "not_host": (403, "only the host may do that"),
    "not_allowed": (403, "this is not allowed to you, or not now"),
    "banned": (403, "the admins let you only look, for a time (`detail.until`)"),
    "muted": (403, "the admins let you not chat, for a time"),
    "needs_account": (403, "a rated game is for people with an account: make one, or sign in"),
    "blocked": (403, "somebody there does not want to play with you"),
    "cross_site": (403, "a request from another site"),
    "not_found": (404, "it does not exist, or you may not see it"),
    "method_not_allowed": (405, "this address does not take that method"),
    "stale_number": (409, "the table has gone on: look again (`detail.number`, `detail.revision`)"),
    "illegal_decision": (409, "the rules do not allow it now"),
    "not_your_decision": (409, "somebody else decides (`detail.player`)"),
    "not_started": (409, "the game has not started"),
    "already_started": (409, "the game has started"),
    "seat_taken": (409, "somebody sits there already"),
    "not_rated": (409, "this table cannot be rated: the message says why"),
    "colour_taken": (409, "somebody else has chosen this colour"),
    "no_free_seat": (409, "no seat is free; or, at the start, some still are"),
    "game_over": (409, "the game is over"),
    "not_over": (409, "this is possible only after the end"),
    "nothing_to_undo": (409, "nothing has been decided yet"),
    "undo_needs_consent": (409, "the others must agree (`detail.reason`)"),
    "undo_shown": (409, "something hidden has been shown since: nobody goes back behind that"),
    "undo_off": (409, "at this table taking back always needs asking"),
    "no_such_proposal": (409, "this proposal is decided or never was"),
    "proposal_open": (409, "your last proposal is not decided yet"),
    "has_account": (409, "you have an account already"),
    "keeps_seat": (
        409,
        "whoever is there, or away for a short time, keeps the seat (`detail.deadline`)",
    ),
    "time_was_up": (409, "your time was up: a machine finishes the turn, then come back"),
    "rules_changed": (409, "this game was played under other rules and cannot be shown"),
    "too_much_stored": (
        409,
        "your tables and studies take all that is kept for one person (`detail.bytes`)",
    ),
    "too_large": (413, "more than the server takes"),
    "unsupported_media_type": (415, "this is no JSON"),
    "too_many": (429, "too often, or too many (`detail.retry_after` in seconds)"),
    "internal": (500, "something went wrong here; nothing is told, all is logged"),
    "shutting_down": (503, "the server is restarting"),
    "busy": (503, "too much at once: try again"),
}

if TYPE_CHECKING:
    ErrorCode = str
else:
    ErrorCode = Literal[tuple(CODES)]


class ErrorBody(msgspec.Struct, kw_only=True):
    """Every 4xx and 5xx of `/api`."""

    code: ErrorCode
    message: Annotated[str, Meta(description="a sentence in English that says what to do")]
    detail: Annotated[dict[str, Any], Meta(description="what a program may want to know of it")]
