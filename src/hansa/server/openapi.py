"""The OpenAPI document: every HTTP address, by machine."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
from litestar.openapi import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin

from hansa.server.blobs import Blob
from hansa.server.wire import shapes

if TYPE_CHECKING:
    from litestar import Litestar, Request

__all__ = ["METHODS", "Describing", "Document", "described", "kept", "says"]

METHODS = ("get", "post", "put", "delete")


def described(app: Litestar) -> dict[str, Any]:
    """What the routes say of themselves in the types of the protocol, and how all of them refuse."""
    return _completed(app.openapi_schema.to_schema())


def says(answer: Any, status: int = 200) -> dict[int, ResponseSpec]:
    """What a route gives, of this shape, where its types do not say so: as bytes, or with a status."""
    return {status: ResponseSpec(data_container=answer, generate_examples=False)}


def kept(answer: Any) -> dict[int, ResponseSpec]:
    """The same of what never changes (`blobs`): nothing for whoever names its tag."""
    same = "Not modified: it is what the tag in If-None-Match says."
    return says(answer) | {304: ResponseSpec(None, generate_examples=False, description=same)}


class Document:
    """The same as bytes, made once and not in the event loop: it takes a fifth of a second."""

    def __init__(self) -> None:
        self._made: asyncio.Future[Blob] | None = None

    async def of(self, app: Litestar) -> Blob:
        """Those of this application."""
        if self._made is None:
            self._made = asyncio.ensure_future(
                asyncio.to_thread(lambda: Blob.of_json(described(app)))
            )
        return await asyncio.shield(self._made)


class Describing(JsonRenderPlugin):
    """The framework's own address of the document gives the same."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """The document as JSON."""
        return super().render(request, _completed(openapi_schema))


def _completed(document: dict[str, Any]) -> dict[str, Any]:
    document["components"]["schemas"] = _types({*document["components"]["schemas"], "ErrorBody"})
    body = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}
    refusal = {"description": "Refused; nothing changed.", "content": body}
    for operations in document["paths"].values():
        for method in METHODS:
            if method in operations:
                # The framework's own guess at a 400 is of another shape.
                operations[method]["responses"].pop("400", None)
                operations[method]["responses"] |= {"4XX": refusal, "5XX": refusal}
    return document


def _types(named: set[str]) -> dict[str, Any]:
    """These as the protocol declares them: the framework takes keys for needed that may be missing,
    and for optional that are always sent.
    """
    declared = shapes.document()["$defs"]
    used = {name: declared[name] for name in sorted(shapes.closure(named, declared))}
    moved = msgspec.json.encode(used).replace(b"#/$defs/", b"#/components/schemas/")
    return dict(msgspec.json.decode(moved))
