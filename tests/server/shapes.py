"""Whatever the server says fits its declared type, key for key."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

from hansa.server.wire.addresses import Address, addresses
from hansa.server.wire.shapes import closure

SCHEMA = Path(__file__).parents[2] / "docs" / "wire.schema.json"
#: A board's file and its geometry may say more than a client needs.
_OPEN = "BoardAnswer"


@cache
def definitions() -> dict[str, Any]:
    """All types of the committed schema; a key that is not declared is an error here."""
    defs: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]
    for name in set(defs) - closure([_OPEN], defs):
        if "properties" in defs[name]:
            defs[name]["additionalProperties"] = False
    return defs


@cache
def _validator(name: str, *, part: bool) -> Any:
    defs = definitions()
    if part:
        defs = {key: _without_required(schema) for key, schema in defs.items()}
    return jsonschema_rs.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": defs})


def _without_required(schema: dict[str, Any]) -> dict[str, Any]:
    """`type` stays: it says which of several shapes is meant."""
    kept = [key for key in schema.get("required", ()) if key == "type"]
    return {**schema, "required": kept}


def fits(name: str, value: Any, *, part: bool = False) -> None:
    """Fail unless the value is of that type; `part`: keys may be left out, none may be new."""
    first = next(_validator(name, part=part).iter_errors(value), None)
    assert first is None, f"{name} at {list(first.instance_path)}: {first.message[:400]}"


@cache
def _patterns() -> list[tuple[re.Pattern[str], Address]]:
    return [
        (re.compile(re.sub(r"\{\w+\}", "[^/]+", address.path)), address) for address in addresses()
    ]


def address_of(method: str, path: str) -> Address | None:
    """The declared address that this path belongs to; one without parameters comes first."""
    found = [
        address
        for pattern, address in _patterns()
        if address.method == method and pattern.fullmatch(path.partition("?")[0])
    ]
    return min(found, key=lambda address: address.path.count("{"), default=None)


def answer_fits(method: str, path: str, status: int, body: Any) -> None:
    """Fail unless an HTTP answer is what its address declares."""
    address = address_of(method, path)
    if status >= 400 and path.startswith("/api/"):
        fits("ErrorBody", body)
    elif address is not None and address.answer is not None and status < 300:
        assert status == address.status, f"{method} {path} answers {status}"
        fits(address.answer, body)
