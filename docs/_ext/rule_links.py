"""Every rule id is a place one can link to, and every mention of one leads there.

`rules.html#DISPLACE-3` is the address of DISPLACE-3, `rules.de.html#DISPLACE-3` in German. Written
`DISPLACE-3` on any page or in any docstring, an id becomes a link into the reference of that
page's language; so do the short forms after it, as in "CONTROL-1, -2", and the names of groups of
rules, as in MARKER-PUT.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

__all__ = ["defined", "links_in", "setup"]

PAGES = sorted(file.stem for file in Path(__file__).parents[1].glob("rules*.md"))
#: `- **TURN-8** —` a rule, `| RULING-1 |` a row of a table, `**EX-1 Setup.**` a worked example.
DEFINITION = re.compile(
    r"^(?:- \*\*([A-Z][A-Z0-9-]*-\d+)\*\*|\| ([A-Z][A-Z0-9-]*-\d+) \||\*\*(EX-\d+)\b)", re.MULTILINE
)
#: Kana and kanji are letters too, but no part of an id.
MENTION = re.compile(
    r"(?<![A-Za-z0-9-])([A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*)(-\d+)?(?![A-Za-z0-9-])"
)
FOLLOWING = re.compile(r"([,、]? ?(?:to |and |bis |und |から|と)?)(-(\d+))(?!\d)")
NO_LINKS = (nodes.literal, nodes.literal_block, nodes.reference, nodes.title, nodes.raw)


def defined(text: str) -> set[str]:
    """The ids of all rules a text of rules defines."""
    return {next(filter(None, found)) for found in DEFINITION.findall(text)}


def links_in(text: str, known: set[str]) -> Iterator[tuple[str, str | None]]:
    """The text in pieces, each with the rule it names, if any.

    >>> list(links_in("see TURN-1, -2.", {"TURN-1", "TURN-2"}))
    [('see ', None), ('TURN-1', 'TURN-1'), (', ', None), ('-2', 'TURN-2'), ('.', None)]
    """
    at = 0
    for found in MENTION.finditer(text):
        family, rule = found[1], found[0]
        if found[2] is None and "-" in family:
            rule = f"{family}-1"
        if rule not in known or found.start() < at:
            continue
        if found.start() > at:
            yield text[at : found.start()], None
        yield found[0], rule
        at = found.end()
        while (more := FOLLOWING.match(text, at)) and f"{family}-{more[3]}" in known:
            yield more[1], None
            yield more[2], f"{family}-{more[3]}"
            at = more.end()
    if at < len(text):
        yield text[at:], None


def reference_for(docname: str) -> str:
    """The reference in the language of a page."""
    language = docname.rpartition(".")[2]
    return f"rules.{language}" if f"rules.{language}" in PAGES else "rules"


def name_places(app: Sphinx, doctree: nodes.document) -> None:
    """Give each rule on a page of rules its id."""
    if app.env.docname not in PAGES:
        return
    left = set(app.env.hansa_rules)  # type: ignore[attr-defined]  # set below
    for item in doctree.findall(nodes.list_item):
        _name(item, next(item.findall(nodes.strong), None), left)
    for row in doctree.findall(nodes.row):
        _name(row, next(row.findall(nodes.paragraph), None), left)
    for strong in doctree.findall(nodes.strong):
        if strong.astext().startswith("EX-") and isinstance(strong.parent, nodes.paragraph):
            _name(strong.parent, strong, left)


def _name(place: nodes.Element, words: nodes.Element | None, left: set[str]) -> None:
    """The first place that begins with an id is the rule; later ones are about it."""
    rule = words.astext().split(" ", 1)[0] if words is not None else ""
    if rule in left:
        left.remove(rule)
        place["ids"].append(rule)
        place["classes"].append("rule")


def make_links(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Turn mentions into links."""
    known = app.env.hansa_rules  # type: ignore[attr-defined]  # set below
    wanted = reference_for(docname)
    page = "" if docname == wanted else app.builder.get_relative_uri(docname, wanted)
    for text in list(doctree.findall(nodes.Text)):
        if any(isinstance(above, NO_LINKS) for above in _parents(text)):
            continue
        pieces = list(links_in(str(text), known))
        if all(rule is None for _, rule in pieces):
            continue
        text.parent.replace(
            text,
            [
                nodes.reference("", words, internal=True, refuri=f"{page}#{rule}", classes=["rule"])
                if rule
                else nodes.Text(words)
                for words, rule in pieces
            ],
        )


def _parents(node: nodes.Node) -> Iterator[nodes.Node]:
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def read_rules(app: Sphinx) -> None:
    """The ids there are, before any page is read."""
    rules = Path(app.srcdir, "rules.md").read_text(encoding="utf-8")
    app.env.hansa_rules = defined(rules)  # type: ignore[attr-defined]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the hooks."""
    app.connect("builder-inited", read_rules)
    app.connect("doctree-read", name_places)
    app.connect("doctree-resolved", make_links)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
