"""The types as TypeScript, for the page."""

from __future__ import annotations

import textwrap
from typing import Any, get_args

import msgspec

from hansa.server.wire import shapes
from hansa.server.wire.errors import ErrorCode
from hansa.server.wire.house import own
from hansa.server.wire.words import WORDS

__all__ = ["catalogue", "notation", "written"]

_HEAD = """\
/**
 * Everything that travels between page and server.
 * Written by `python -m hansa.server.wire` from `hansa.server.wire`: change it there.
 */
"""
_CATALOGUE_HEAD = """\
/**
 * Decisions and markers of the house. Written by `python -m hansa.server.wire` from the rules: change it there.
 */
import type { House } from './wire'
"""
_WIDTH = 116
_NAMED = {
    frozenset(get_args(kind)): name for name, kind in {**WORDS, "ErrorCode": ErrorCode}.items()
}
_PLAIN = {
    "boolean": "boolean",
    "integer": "number",
    "null": "null",
    "number": "number",
    "string": "string",
}


def written() -> str:
    """The whole file."""
    parts = [_HEAD]
    parts += [
        _alias(name, [_literal(value) for value in get_args(kind)])
        for name, kind in sorted({**WORDS, "ErrorCode": ErrorCode}.items())
    ]
    for name, schema in shapes.document()["$defs"].items():
        if "properties" in schema:
            parts.append(_interface(name, schema))
        else:
            parts.append(_alias(name, [notation(one) for one in schema["anyOf"]]))
    return "\n".join(parts)


def catalogue() -> str:
    """What the house has by itself, for a page that has not asked its server yet."""
    given = msgspec.to_builtins(own())
    lines = [
        _CATALOGUE_HEAD,
        "export const HOUSE: House = {",
        "  forms: [",
        *(f"    '{form}'," for form in given["forms"]),
        "  ],",
        "  markers: [",
    ]
    for marker in given["markers"]:
        parts = ", ".join(f"{key}: {_literal(value)}" for key, value in marker.items())
        lines.append(f"    {{ {parts} }},")
    return "\n".join([*lines, "  ],", "  words: {},", "  icons: '',", "}", ""])


def notation(schema: dict[str, Any]) -> str:
    """One type, as it stands after a key."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "enum" in schema:
        named = _NAMED.get(frozenset(schema["enum"]))
        return named or " | ".join(_literal(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(notation(one) for one in schema["anyOf"])
    if schema.get("type") == "array":
        return _array(schema)
    if schema.get("type") == "object":
        return _mapping(schema)
    return _PLAIN[schema["type"]] if "type" in schema else "unknown"


def _literal(value: str | bool) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value).lower()


def _array(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(notation(one) for one in schema['prefixItems'])}]"
    inner = notation(schema["items"])
    return f"({inner})[]" if "|" in inner else f"{inner}[]"


def _mapping(schema: dict[str, Any]) -> str:
    inner = (
        notation(schema["additionalProperties"])
        if schema.get("additionalProperties")
        else "unknown"
    )
    if "propertyNames" in schema:
        return f"Partial<Record<{notation(schema['propertyNames'])}, {inner}>>"
    return f"Record<string, {inner}>"


def _alias(name: str, members: list[str]) -> str:
    line = f"export type {name} = {' | '.join(members)}"
    if len(line) <= _WIDTH:
        return line + "\n"
    return f"export type {name} =\n" + "".join(f"  | {member}\n" for member in members)


def _interface(name: str, schema: dict[str, Any]) -> str:
    lines = [*_comment(schema["description"], ""), f"export interface {name} {{"]
    for key, given in schema["properties"].items():
        mark = "" if key in schema["required"] else "?"
        lines += [
            *_comment(given.get("description", ""), "  "),
            f"  {key}{mark}: {notation(given)}",
        ]
    return "\n".join([*lines, "}", ""])


def _comment(text: str, indent: str) -> list[str]:
    if not text:
        return []
    if len(text) <= _WIDTH - 8 and "\n" not in text:
        return [f"{indent}/** {text} */"]
    lines = [part for line in text.splitlines() for part in textwrap.wrap(line, _WIDTH - 6) or [""]]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]
