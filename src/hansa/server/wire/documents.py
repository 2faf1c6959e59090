"""The tables of `docs/protocol.md`, each between two marks.

    <!-- wire: errors -->
    …written here…
    <!-- /wire -->

What stands between them is made from the types and the routes; around them is prose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from hansa.server.votes import VOTES
from hansa.server.wire import shapes
from hansa.server.wire.addresses import addresses
from hansa.server.wire.errors import CODES
from hansa.server.wire.events import EVENTS
from hansa.server.wire.socket import Close
from hansa.server.wire.typescript import notation

__all__ = ["UnknownTable", "filled"]

_PLACE = re.compile(r"<!-- wire: (\w+)((?: [\w-]+)*) -->\n.*?<!-- /wire -->", re.DOTALL)


class UnknownTable(ValueError):
    """A mark asks for something that is not on the wire."""


def filled(text: str) -> str:
    """The document with all its tables up to date; the rest stays as it is.

    Raises:
        UnknownTable: a mark names no table, or something that does not exist.
    """

    def table(found: re.Match[str]) -> str:
        kind, names = found[1], found[2].split()
        if kind not in _TABLES:
            raise UnknownTable(f"{kind!r}: one of {', '.join(sorted(_TABLES))}")
        made = _TABLES[kind](names)
        return f"<!-- wire: {' '.join((kind, *names))} -->\n{made}<!-- /wire -->"

    return _PLACE.sub(table, text)


def _rows(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    columns = list(head)
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines
    )


def _type(name: str) -> dict[str, Any]:
    try:
        return dict(shapes.document()["$defs"][name])
    except KeyError:
        raise UnknownTable(f"there is no type {name}") from None


def _oneline(text: str) -> str:
    return " ".join(text.split())


def _keys(schema: dict[str, Any], without: Iterable[str] = ()) -> str:
    """The keys of a type as they would be written; those with `?` may be left out."""
    shown = []
    for key, given in schema["properties"].items():
        if key not in without:
            one = f"{key}: {notation(given)}"
            shown.append(one if key in schema["required"] else one.replace(":", "?:", 1))
    return f"`{', '.join(shown)}`" if shown else ""


def _errors(_names: list[str]) -> str:
    return _rows(
        ("HTTP", "code", "meaning"),
        ((str(status), f"`{code}`", text) for code, (status, text) in CODES.items()),
    )


def _requests(tags: list[str]) -> str:
    chosen = [one for one in addresses() if one.tag in tags]
    if {one.tag for one in chosen} != set(tags):
        raise UnknownTable(f"no address has one of the tags {', '.join(tags)}")
    return _rows(
        ("request", "body", "answer", "what"),
        (
            (
                f"`{one.method} {one.path}{'?' + '&'.join(one.query) if one.query else ''}`",
                f"`{one.body}`" if one.body else "",
                f"{one.status if one.status != 200 else ''} {f'`{one.answer}`' if one.answer else 'text'}".strip(),
                one.text,
            )
            for one in chosen
        ),
    )


def _types(names: list[str]) -> str:
    return "\n".join(_one_type(name) for name in names)


def _one_type(name: str) -> str:
    schema = _type(name)
    rows = (
        (
            f"`{key}`" if key in schema["required"] else f"`{key}?`",
            f"`{notation(given)}`",
            _oneline(given.get("description", "")),
        )
        for key, given in schema["properties"].items()
    )
    return f"**`{name}`**: {_oneline(schema['description'])}\n\n{_rows(('key', 'type', 'meaning'), rows)}"


def _events(_names: list[str]) -> str:
    return _rows(
        ("type", "keys", "meaning"),
        (
            (f"`{type_}`", _keys(_type(event.__name__), {"type"}), _oneline(event.__doc__ or ""))
            for type_, event in EVENTS.items()
        ),
    )


def _messages(unions: list[str]) -> str:
    rows = []
    for union in unions:
        for one in _type(union)["anyOf"]:
            schema = _type(notation(one))
            (tag,) = schema["properties"]["type"]["enum"]
            rows.append(
                (f"`{tag}`", _keys(schema, {"type", "re"}), _oneline(schema["description"]))
            )
    return _rows(("type", "keys", "meaning"), rows)


def _closing(_names: list[str]) -> str:
    return _rows(("code", "meaning"), ((str(int(code)), code.meaning) for code in Close))


def _votes(_names: list[str]) -> str:
    return _rows(
        ("vote", "what it does", "when it may be asked for", "who is asked", "silence"),
        ((f"`{kind}`", v.does, v.when, v.asked, v.silence) for kind, v in VOTES.items()),
    )


_TABLES: dict[str, Callable[[list[str]], str]] = {
    "closing": _closing,
    "errors": _errors,
    "events": _events,
    "messages": _messages,
    "requests": _requests,
    "types": _types,
    "votes": _votes,
}
