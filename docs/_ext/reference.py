"""What the book takes from the reference: its examples and tables, in the reader's language."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

__all__ = ["Table", "example", "printed_names", "source", "table_about"]

DOCS = Path(__file__).parents[1]
#: `**EX-2 Income.** Bank 5, stock … *INCOME-1 to -3, TURN-7.*`
EXAMPLE = re.compile(r"^\*\*(EX-\d+) (.+?)[.。]\*\* (.*?) ?\*([^*]+?)[.。]\*$", re.MULTILINE)
TABLE = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE)

Table = tuple[list[str], list[list[str]]]
"""Its head and its rows; every cell a line of Markdown."""


def source(language: str) -> Path:
    """The reference in a language."""
    return DOCS / ("rules.md" if language == "en" else f"rules.{language}.md")


@cache
def _text(language: str) -> str:
    return source(language).read_text(encoding="utf-8")


def example(rule: str, language: str) -> tuple[str, str, str]:
    """Title and text of a worked example, and the rules it shows, itself last; raises KeyError."""
    for name, title, text, ids in EXAMPLE.findall(_text(language)):
        if name == rule:
            return title, text, f"{ids}, {name}"
    raise KeyError(f"{rule} is no example of {source(language).name}")


def table_about(rule: str, language: str) -> Table:
    """The table that has the rule as a row, else the first of the chapter that has the rule.

    Columns that only name sources are left out. Raises KeyError where there is none.
    """
    row = f"\n| {rule} |"
    for chapter in re.split(r"^##+ ", _text(language), flags=re.MULTILINE):
        tables = TABLE.findall(chapter)
        if row in chapter:
            return _read(next(text for text in tables if row in text))
        if f"- **{rule}**" in chapter and tables:
            return _read(tables[0])
    raise KeyError(f"{rule} has no table in {source(language).name}")


def _read(text: str) -> Table:
    head, _, *rows = (
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()
    )
    kept = [i for i, title in enumerate(head) if title != "sources"]
    return [head[i] for i in kept], [[row[i] for i in kept] for row in rows]


@cache
def printed_names() -> dict[str, dict[str, str]]:
    """How the printed rules call the markers: code → source → name, from the glossary of sources."""
    tables = map(_read, TABLE.findall(_text("en")))
    head, rows = next((head, rows) for head, rows in tables if head[0] == "marker")
    return {row[0].strip("`"): dict(zip(head[2:], row[2:], strict=True)) for row in rows}
