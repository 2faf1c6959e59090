"""What cannot be carried out, each with one code (`wire.errors`)."""

from __future__ import annotations

from typing import Any

from hansa.server.wire.errors import CODES, ErrorBody, ErrorCode

__all__ = ["TableError"]


class TableError(Exception):
    """A request that cannot be carried out; nothing was changed."""

    def __init__(self, code: ErrorCode, message: str, **detail: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.detail = detail

    @property
    def status(self) -> int:
        """The HTTP status of this code."""
        return CODES[self.code][0]

    def body(self) -> ErrorBody:
        """The body of an answer."""
        return ErrorBody(code=self.code, message=self.message, detail=self.detail)
