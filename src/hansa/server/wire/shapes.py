"""The JSON schema of everything that travels, made from the types by msgspec."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, get_type_hints, is_typeddict

import msgspec

from hansa.server import PROTOCOL
from hansa.server.wire import (
    answers,
    asking,
    boards,
    calls,
    circle,
    errors,
    house,
    log,
    order,
    people,
    positions,
    prepared,
    puzzles,
    quick,
    ratings,
    reviews,
    setups,
    socket,
    studies,
    table,
)
from hansa.server.wire.events import EVENTS, GameEvent
from hansa.server.wire.socket import ClientMessage, ServerMessage

__all__ = ["TYPES", "UNIONS", "closure", "document", "published"]

_MODULES = (
    answers, asking, boards, calls, circle, errors, house, log, order, people, positions, prepared,
    puzzles, quick, ratings, reviews, setups, socket, studies, table,
)  # fmt: skip
#: Types that are one of several.
UNIONS: dict[str, Any] = {
    "ClientMessage": ClientMessage,
    "GameEvent": GameEvent,
    "ServerMessage": ServerMessage,
}


def _is_shape(thing: Any) -> bool:
    return is_typeddict(thing) or (inspect.isclass(thing) and issubclass(thing, msgspec.Struct))


#: Every type with keys, by name.
TYPES: dict[str, Any] = {
    name: getattr(module, name)
    for module in _MODULES
    for name in module.__all__
    if _is_shape(getattr(module, name)) and name != "TableOptions"
} | {event.__name__: event for event in EVENTS.values()}


@cache
def _components() -> dict[str, Any]:
    _, made = msgspec.json.schema_components(
        [*TYPES.values(), *UNIONS.values()], ref_template="#/$defs/{name}"
    )
    for name, schema in made.items():
        _tidy(TYPES[name], schema)
    asked = {name for name, kind in TYPES.items() if _is_asked(kind)}
    said = set(TYPES) - closure(asked, made)
    for name in said:
        _always_sent(made[name])
    return dict(sorted(made.items()))


def _is_asked(kind: Any) -> bool:
    """What clients write: the bodies of requests, which take no other keys, and their messages."""
    if is_typeddict(kind):
        return False
    return bool(kind.__struct_config__.forbid_unknown_fields) or kind in ClientMessage.__args__


def _tidy(kind: Any, schema: dict[str, Any]) -> None:
    """Keys in the order of their declaration, and a docstring without its indentation."""
    if is_typeddict(kind):
        given = schema["properties"]
        schema["properties"] = {name: given[name] for name in get_type_hints(kind)}
        schema["required"] = [name for name in schema["properties"] if name in schema["required"]]
    schema["description"] = inspect.cleandoc(kind.__doc__)


def _always_sent(schema: dict[str, Any]) -> None:
    """A default is for whoever makes the message: it is sent all the same."""
    for name, given in schema["properties"].items():
        if given.pop("default", schema) is not schema:
            schema["required"].append(name)
    schema["required"] = [name for name in schema["properties"] if name in schema["required"]]


def closure(names: Iterable[str], components: dict[str, Any]) -> set[str]:
    """These types and all they are made of."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _refs(components[name])
    return found


def _refs(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        for part in schema.values():
            yield from _refs(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _refs(part)


@cache
def _unions() -> dict[str, Any]:
    made, _ = msgspec.json.schema_components(UNIONS.values(), ref_template="#/$defs/{name}")
    return dict(zip(UNIONS, made, strict=True))


def _by_name(schema: Any) -> Any:
    """The same, where a union that has a name is called by it."""
    if isinstance(schema, list):
        return [_by_name(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    for name, union in _unions().items():
        if schema == union:
            return {"$ref": f"#/$defs/{name}"}
    return {key: _by_name(part) for key, part in schema.items()}


@cache
def document() -> dict[str, Any]:
    """The whole schema; `$defs` names every type."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Hansa, protocol {PROTOCOL}",
        "$defs": dict(sorted({**_by_name(_components()), **_unions()}.items())),
    }


def published(union: str, place: str) -> dict[str, Any]:
    """One union with all it is made of, for a document in which it stands at `place`."""
    parts = document()["$defs"]
    used = closure([union], parts) - {union}
    moved = msgspec.json.encode(
        {**parts[union], "$defs": {name: parts[name] for name in sorted(used)}}
    )
    return dict(msgspec.json.decode(moved.replace(b"#/$defs/", f"#/{place}/$defs/".encode())))
