"""What the house knows by name: decisions, markers, and the words and icons of extensions."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from hansa import extensions
from hansa.rules.catalogue import DECISIONS, MARKERS, PERMANENTS

__all__ = ["House", "MarkerFace", "house", "own"]

LANGUAGES = ("en", "de", "ja")


class MarkerFace(msgspec.Struct, kw_only=True, frozen=True):
    """A kind of marker."""

    name: str
    rule: Annotated[str, Meta(description="the rule that explains it")]
    promo: bool
    laid: Annotated[bool, Meta(description="it stays at a route for the rest of the game")]
    permanent: Annotated[bool, Meta(description="printed on a board")]


class House(msgspec.Struct, kw_only=True, frozen=True):
    """Everything that decisions and markers are called, extensions included."""

    forms: Annotated[list[str], Meta(description="how each kind of decision is written")]
    markers: list[MarkerFace]
    words: Annotated[
        dict[str, dict[str, str]], Meta(description="words of extensions, by language")
    ]
    icons: Annotated[str, Meta(description="icons of extensions, as symbols of SVG")]


def own() -> House:
    """The house without what stands in files of extensions; with none, all of it."""
    ordinary = [
        MarkerFace(name=m.name, rule=m.rule, promo=m.promo, laid=m.laid, permanent=False)
        for m in MARKERS
    ]
    printed = [
        MarkerFace(name=m.name, rule=m.rule, promo=False, laid=False, permanent=True)
        for m in PERMANENTS
    ]
    forms = [decision.text for decision in DECISIONS]
    return House(forms=forms, markers=ordinary + printed, words={}, icons="")


def house() -> House:
    """The house with its extensions."""
    words: dict[str, dict[str, str]] = {}
    for language in LANGUAGES:
        for file in extensions.files("words", f"{language}.json"):
            words.setdefault(language, {}).update(msgspec.json.decode(file.read_bytes()))
    icons = "".join(file.read_text("utf-8") for file in extensions.files("icons", "*.svg"))
    return msgspec.structs.replace(own(), words=words, icons=icons)
