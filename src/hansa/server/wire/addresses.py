"""The HTTP addresses, read off the routes themselves."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from hansa.server.app import create_app
from hansa.server.config import load
from hansa.server.openapi import METHODS, described

__all__ = ["Address", "addresses"]


class Address(NamedTuple):
    """One thing that can be asked over HTTP."""

    method: str
    path: str
    tag: str
    query: tuple[str, ...]
    #: The type of the body that is sent, and of the answer; None: none, or no JSON.
    body: str | None
    answer: str | None
    status: int
    text: str


@cache
def addresses() -> tuple[Address, ...]:
    """All of them, in order."""
    paths = described(create_app(load(environ={})))["paths"]
    return tuple(
        _address(method, path, operations[method])
        for path, operations in sorted(paths.items())
        for method in METHODS
        if method in operations
    )


def _address(method: str, path: str, operation: dict[str, Any]) -> Address:
    status = next(code for code in operation["responses"] if code.startswith("2"))
    return Address(
        method=method.upper(),
        path=path,
        tag=operation["tags"][0],
        query=tuple(one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"),
        body=_type(operation.get("requestBody", {})),
        answer=_type(operation["responses"][status]),
        status=int(status),
        text=" ".join(operation["description"].split()),
    )


def _type(content: dict[str, Any]) -> str | None:
    schema = content.get("content", {}).get("application/json", {}).get("schema", {})
    return schema["$ref"].rpartition("/")[2] if "$ref" in schema else None
