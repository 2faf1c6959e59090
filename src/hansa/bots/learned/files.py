"""The networks' file: numbers of half precision by name, checked when they are read."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from hansa.bots.judge.fitted import USUAL
from hansa.bots.learned.decisions import INPUTS as ABOUT_INPUTS
from hansa.bots.learned.decisions import NAMES
from hansa.bots.learned.inputs import INPUTS
from hansa.bots.learned.network import NARROW, UNITS, WIDE, Network

__all__ = ["BadWeights", "network_of", "read", "write"]

FORMAT = 1
FILE = "weights.json"
OWN_NAMES = tuple(one.name for one in INPUTS)
ABOUT_NAMES = tuple(one.name for one in ABOUT_INPUTS)
ROWS: dict[str, tuple[str, int]] = {
    "direct": ("inputs", 1),
    "first": ("inputs", WIDE),
    "own": ("inputs", UNITS),
    "about": ("about", UNITS),
    "promise_direct": ("about", 1),
    "names": ("names", UNITS),
}
"""Fields with a row for each name of a list, and how long the row is."""
OTHERS: dict[str, int] = {
    "first_bias": WIDE,
    "second": WIDE * NARROW,
    "second_bias": NARROW,
    "third": NARROW,
    "own_bias": UNITS,
    "promise": UNITS,
}
"""All other fields, and how long they are."""
OURS: dict[str, tuple[str, ...]] = {
    "inputs": OWN_NAMES, "about": ABOUT_NAMES, "names": NAMES,
}  # fmt: skip
PROMISE = ("own", "about", "promise_direct", "names", "own_bias", "promise")
"""Fields of the network that rates decisions; all others tell chances."""


class BadWeights(ValueError):
    """A file of weights that cannot be used, and why."""


def write(networks: Mapping[str, Mapping[str, Sequence[float]]], made: Mapping[str, Any]) -> str:
    """The text of a file: networks by kind of game, each by field, and how they were made."""
    coded = {
        kind: {name: _encode(values) for name, values in sorted(fields.items())}
        for kind, fields in sorted(networks.items())
    }
    document = {
        "format": FORMAT,
        "made": dict(made),
        **{name: list(names) for name, names in OURS.items()},
        "check": _check(coded),
        "networks": coded,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _encode(values: Sequence[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(values)}e", *values)).decode()


def _check(coded: Mapping[str, Mapping[str, str]]) -> int:
    return zlib.crc32(json.dumps(coded, sort_keys=True).encode())


def read(text: str) -> dict[str, Network]:
    """Networks by kind of game; raises BadWeights with what is wrong.

    Inputs that the file does not know, such as markers of an extension, count nothing.
    """
    try:
        document = json.loads(text)
    except ValueError as error:
        raise BadWeights(f"weights: not JSON: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadWeights(f"weights: not a file of format {FORMAT}; make it anew with training/")
    if document["check"] != _check(document["networks"]):
        raise BadWeights("weights: the file is damaged: its check sum is another")
    return {kind: _network(document, kind) for kind in document["networks"]}


def _network(document: Mapping[str, Any], kind: str) -> Network:
    fields = {name: _decode(text) for name, text in document["networks"][kind].items()}
    network = Network()
    for name, (list_name, width) in ROWS.items():
        if name not in fields:
            continue
        theirs = {one: k for k, one in enumerate(document[list_name])}
        _require(kind, name, fields[name], width * len(theirs))
        values: list[float] = []
        for one in OURS[list_name]:
            at = theirs.get(one)
            row = [0.0] * width if at is None else fields[name][width * at : width * (at + 1)]
            values.extend(row)
        setattr(network, name, values)
    for name, length in OTHERS.items():
        if name in fields:
            _require(kind, name, fields[name], length)
            setattr(network, name, fields[name])
    network.has_chances = int("third" in fields)
    network.has_promise = int("promise" in fields)
    for present, names in (
        (network.has_chances, {*ROWS, *OTHERS} - {*PROMISE}),
        (network.has_promise, {*PROMISE}),
    ):
        if present and (missing := names - fields.keys()):
            raise BadWeights(f"weights of {kind}: missing: {', '.join(sorted(missing))}")
    return network


def _decode(text: str) -> list[float]:
    data = base64.b64decode(text)
    return list(struct.unpack(f"<{len(data) // 2}e", data))


def _require(kind: str, name: str, values: Sequence[float], length: int) -> None:
    if len(values) != length:
        raise BadWeights(f"weights of {kind}: {name}: {length} numbers, not {len(values)}")


@cache
def _shipped() -> dict[str, Network]:
    return read(files("hansa.bots.learned").joinpath(FILE).read_text("utf-8"))


def network_of(kind: str) -> Network:
    """The network that the package holds for a kind of game, shared and never changed."""
    return _shipped().get(kind) or _shipped()[USUAL]
