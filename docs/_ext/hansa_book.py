"""Directives of "How to play" and the reference: pictures, tables and examples made by `book.py`.

    ```{hansa-picture} control
    :caption: Blue controls Minden.
    ```

    ```{hansa-steps} place
    :before: The post is free.
    :after: Red stands there.
    ```

`hansa-table NAME` is a table of the engine's data, the facts of a board, or a table of the
reference that holds a rule; `hansa-example EX-4` is that example. The language is the page's own:
`how-to-play.de` speaks German.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import book
import page_words
import reference
from docutils import nodes
from docutils.parsers.rst import directives
from hansa_board import THEMES, kept
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hansa import svg
from hansa.svg.document import document, place

__all__ = ["setup"]

SYMBOL = re.compile(r"!\[([\w-]+)\] ?")
IDS = re.compile(r"\s*\[((?:[A-Z][A-Z0-9]*-)+\d+[^\]]*)\]")


class BookDirective(SphinxDirective, ABC):
    """What every part of the book has: a name, and a language."""

    required_arguments = 1

    @property
    def language(self) -> str:
        """The language of the page it stands on."""
        last = self.env.docname.rpartition(".")[2]
        return last if last in page_words.LANGUAGES else "en"

    def run(self) -> list[nodes.Node]:
        """The part; what cannot be made is reported where it stands."""
        for file in (book.FILE, reference.source(self.language)):
            self.env.note_dependency(str(file))
        try:
            return self.make(self.arguments[0])
        except (KeyError, ValueError) as error:
            raise self.error(f"{self.name}: {error}") from None

    @abstractmethod
    def make(self, name: str) -> list[nodes.Node]:
        """The part of that name."""

    def inline(self, text: str) -> list[nodes.Node]:
        """A line of Markdown, with names in place of codes."""
        words, problems = self.parse_inline(page_words.named(text, self.language))
        return [*words, *problems]

    def figure(self, part: svg.Part, caption: str) -> nodes.figure:
        """One picture with its words; the picture itself is the same in every language."""
        alt = re.sub(r"[`*]", "", caption)
        drawn = {theme: part.document("", theme=theme) for theme in THEMES}
        figure = nodes.figure("", kept(self.env, drawn, alt, "100%"), classes=["hansa-board"])
        figure += nodes.caption(caption, "", *self.inline(caption))
        return figure


class HansaPicture(BookDirective):
    """One picture; of two the first."""

    option_spec: ClassVar[dict[str, Any]] = {"caption": directives.unchanged_required}

    def make(self, name: str) -> list[nodes.Node]:
        """The picture with its caption."""
        return [self.figure(book.frames(name, self.language)[0], self.options["caption"])]


class HansaSteps(BookDirective):
    """Two pictures side by side: before and after."""

    option_spec: ClassVar[dict[str, Any]] = {
        "before": directives.unchanged_required,
        "after": directives.unchanged_required,
    }

    def make(self, name: str) -> list[nodes.Node]:
        """Both pictures with their captions."""
        words = book.words(self.language)
        parts = zip(book.frames(name, self.language), ("before", "after"), strict=True)
        figures = [
            self.figure(part, f"**{words[when]}.** {self.options[when]}") for part, when in parts
        ]
        return [nodes.container("", *figures, classes=["steps"])]


class HansaExample(BookDirective):
    """A worked example of the reference."""

    def make(self, name: str) -> list[nodes.Node]:
        """A box with its title, its text, and the rules it shows."""
        title, text, ids = reference.example(name, self.language)
        said = f"{book.words(self.language)['example']}: {title}"
        return [
            nodes.admonition(
                "",
                nodes.title(said, "", *self.inline(said)),
                nodes.paragraph("", "", *self.inline(f"{text} [{ids}]")),
                classes=["example"],
            )
        ]


class HansaTable(BookDirective):
    """A table made of data."""

    def make(self, name: str) -> list[nodes.Node]:
        """The table; rows of the reference keep their number as the last thing in the row."""
        head, rows = book.table(name, self.language)
        width = len(rows[0])
        group = nodes.tgroup(cols=width)
        group += [nodes.colspec(colwidth=1) for _ in range(width)]
        if head:
            group += nodes.thead("", self._row(head))
        group += nodes.tbody("", *map(self._row, rows))
        return [nodes.table("", group, classes=["book", name])]

    def _row(self, cells: list[str]) -> nodes.row:
        return nodes.row("", *(nodes.entry("", self._cell(cell)) for cell in cells))

    def _cell(self, text: str) -> nodes.paragraph:
        found = SYMBOL.match(text)
        if not found:
            return nodes.paragraph("", "", *self.inline(text))
        drawn = {
            theme: document(place(found[1], 0, 0), (-16, -16, 32, 32), title="", theme=theme)
            for theme in THEMES
        }
        sign = kept(self.env, drawn, text[found.end() :].strip(), "2.2em")
        return nodes.paragraph("", "", sign, nodes.Text(" "), *self.inline(text[found.end() :]))


def mark_ids(app: Sphinx, doctree: nodes.document) -> None:
    """The numbers at the end of a paragraph are smaller than its words."""
    if not app.env.docname.startswith("how-to-play"):
        return
    next(doctree.findall(nodes.section))["classes"].append("two-columns")
    for text in list(doctree.findall(nodes.Text)):
        said, out, at = str(text), [], 0
        for found in IDS.finditer(said):
            out += [nodes.Text(said[at : found.start()] + " ")]
            out += [nodes.inline(found[1], found[1], classes=["ids"])]
            at = found.end()
        if at:
            text.parent.replace(text, [*out, nodes.Text(said[at:])])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives."""
    app.add_directive("hansa-picture", HansaPicture)
    app.add_directive("hansa-steps", HansaSteps)
    app.add_directive("hansa-example", HansaExample)
    app.add_directive("hansa-table", HansaTable)
    app.connect("doctree-read", mark_ids)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
