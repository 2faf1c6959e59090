"""Pictures, tables and examples of "How to play" for the page, as JSON; `make page` runs it.

`python docs/_ext/page_book.py web/book` writes `shared.json` (symbols, grounds, pictures without
words) and a file a language (pictures with words, tables, examples). The page itself reads the text.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import book
import page_words
import reference

from hansa import svg
from hansa.svg.document import used_symbols

__all__ = ["language_data", "named_in", "shared_data", "text_of"]

DOCS = Path(__file__).parents[1]
DIRECTIVE = re.compile(r"^```\{hansa-(\w+)\} (\S+)", re.MULTILINE)
#: Many pictures stand on one page: ids would repeat, and titles are English.
NOT_FOR_PAGES = re.compile(
    r"<title>.*?</title>|(?<=<g) id=\"[\w-]+\"|(?<=<path) id=\"roads-[\w-]+\""
)


def text_of(language: str) -> str:
    """The text of the book."""
    name = "how-to-play.md" if language == "en" else f"how-to-play.{language}.md"
    return (DOCS / name).read_text(encoding="utf-8")


def named_in(text: str, *kinds: str) -> list[str]:
    """What the directives of these kinds name, in order."""
    return [name for kind, name in DIRECTIVE.findall(text) if kind in kinds]


def _markup(part: svg.Part) -> dict[str, Any]:
    ground = f'<use href="#ground-{part.board}"/>'
    return {
        "board": part.board if part.frame else "",
        "view": [round(number, 1) for number in part.view],
        "svg": NOT_FOR_PAGES.sub("", part.markup(ground)),
    }


def _pictures(language: str, *, with_words: bool) -> dict[str, list[dict[str, Any]]]:
    names = named_in(text_of(language), "picture", "steps")
    return {
        name: [_markup(part) for part in book.frames(name, language)]
        for name in names
        if book.has_words(name) is with_words
    }


def shared_data() -> dict[str, Any]:
    """What all languages share."""
    pictures = _pictures("en", with_words=False)
    boards = dict.fromkeys(p["board"] for parts in pictures.values() for p in parts if p["board"])
    grounds = {board: svg.ground(board) for board in boards}
    worded = [p["svg"] for parts in _pictures("en", with_words=True).values() for p in parts]
    drawn = [p["svg"] for parts in pictures.values() for p in parts] + worded
    signs = re.findall(r"!\[([\w-]+)\]", json.dumps(_tables("en")))
    used = "".join([*grounds.values(), *drawn, *(f'<use href="#{sign}"/>' for sign in signs)])
    return {"defs": f"<defs>{used_symbols(used)}</defs>", "grounds": grounds, "pictures": pictures}


def _tables(language: str) -> dict[str, dict[str, Any]]:
    tables = {}
    for name in named_in(text_of(language), "table"):
        head, rows = book.table(name, language)
        tables[name] = {"head": head, "rows": rows}
    return tables


def language_data(language: str) -> dict[str, Any]:
    """What a language has of its own."""
    examples = named_in(text_of(language), "example")
    return {
        "pictures": _pictures(language, with_words=True),
        "tables": _tables(language),
        "examples": {name: reference.example(name, language) for name in examples},
        "words": {key: book.words(language)[key] for key in ("example", "before", "after")},
    }


def main(folder: Path) -> None:
    """Write everything."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {"shared": shared_data()}
    files |= {language: language_data(language) for language in page_words.LANGUAGES}
    for name, data in files.items():
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
