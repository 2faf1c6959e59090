"""The OpenAPI document: every HTTP address, by machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hansa.server.wire import shapes

if TYPE_CHECKING:
    from litestar import Litestar

__all__ = ["METHODS", "described"]

METHODS = ("get", "post", "put", "delete")


def described(app: Litestar) -> dict[str, Any]:
    """What the routes say of themselves, and the one form in which all of them refuse."""
    document = app.openapi_schema.to_schema()
    document["components"]["schemas"]["ErrorBody"] = shapes.document()["$defs"]["ErrorBody"]
    body = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}
    refusal = {"description": "Refused; nothing changed.", "content": body}
    for path, operations in document["paths"].items():
        if path.startswith("/api/"):
            for method in METHODS:
                if method in operations:
                    # The framework's own guess at a 400 is of another shape.
                    operations[method]["responses"].pop("400", None)
                    operations[method]["responses"] |= {"4XX": refusal, "5XX": refusal}
    return document
