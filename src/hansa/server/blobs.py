"""Answers that never change: kept once, compressed once, asked for again by their tag."""

from __future__ import annotations

import gzip
import hashlib
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Response

if TYPE_CHECKING:
    from litestar import Request

__all__ = ["Blob"]

_LEAST = 1000


class Blob:
    """Bytes with a type and a tag."""

    def __init__(self, data: bytes, media_type: str, cache: str = "no-cache") -> None:
        self.data = data
        self.media_type = media_type
        self.cache = cache
        self.tag = f'"{hashlib.sha256(data).hexdigest()[:24]}"'
        packed = gzip.compress(data, 6, mtime=0) if len(data) > _LEAST else data
        self.packed = packed if len(packed) < len(data) else None

    @classmethod
    def of_json(cls, value: Any) -> Blob:
        """Plain data as JSON."""
        return cls(msgspec.json.encode(value), "application/json")

    def answer(self, request: Request[Any, Any, Any]) -> Response[bytes]:
        """The bytes, or only "not modified"."""
        headers = {"etag": self.tag, "cache-control": self.cache, "vary": "Accept-Encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(b"", status_code=304, headers=headers, media_type=self.media_type)
        if self.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(self.packed, headers=headers, media_type=self.media_type)
        return Response(self.data, headers=headers, media_type=self.media_type)
