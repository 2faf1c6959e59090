"""A whole SVG document: title, the symbols it uses, colours, body."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

from hansa.svg import theme as themes
from hansa.svg.curves import num
from hansa.svg.symbols import symbols

__all__ = ["document", "place", "text", "used_symbols"]

_USE = re.compile(r'href="#([\w-]+)"|url\(#([\w-]+)\)')
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ID = re.compile(r'\bid="([\w-]+)"')


def text(value: object) -> str:
    """A value as text between tags; signs that XML forbids become question marks."""
    return escape(_FORBIDDEN.sub("?", str(value)))


def place(symbol: str, x: float, y: float, scale: float = 1.0, more: str = "") -> str:
    """A symbol put on the board."""
    if scale == 1:
        return f'<use href="#{symbol}" x="{num(x)}" y="{num(y)}"{more}/>'
    return f'<use href="#{symbol}" transform="translate({num(x)} {num(y)}) scale({num(scale, 3)})"{more}/>'


def used_symbols(body: str, letters: bool | None = None) -> str:
    """The definitions a body refers to, and those these refer to, each once."""
    known, out, queue = symbols(letters), {}, [body]
    while queue:
        for match in _USE.finditer(queue.pop()):
            name = match[1] or match[2]
            if name in known and name not in out:
                out[name] = known[name]
                queue.append(known[name])
    return "".join(out[name] for name in known if name in out)


def document(
    body: str,
    view: tuple[float, float, float, float],
    *,
    title: str,
    description: str = "",
    theme: str = "light",
    size: float | None = None,
    letters: bool = False,
) -> str:
    """The body as a document of its own; raises ValueError for an unknown theme or size.

    `size` is the width in pixels; without it the picture fills what it is put into. Ids carry
    the theme, so that several pictures can stand in one notebook or page.
    """
    if theme not in themes.THEMES:
        raise ValueError(f"unknown theme {theme!r}: use one of {', '.join(themes.THEMES)}")
    if size is not None and not size > 0:
        raise ValueError(f"size {size!r}: give the picture's width in pixels, more than 0")
    x, y, width, height = view
    page = f'<rect x="{num(x)}" y="{num(y)}" width="{num(width)}" height="{num(height)}" fill="var(--panel)"/>'
    content = f"<defs>{used_symbols(body, letters)}</defs>{page}{body}"
    style = ""
    if theme == "auto":
        style = f"<style>{themes.custom_properties(content)}</style>"
    else:
        content = themes.fixed(content, theme)
    content = _own_ids(content, theme + ("-letters" if letters else ""))
    pixels = "" if size is None else f' width="{num(size)}" height="{num(size * height / width)}"'
    about = f"<title>{text(title)}</title>" + (
        f"<desc>{text(description)}</desc>" if description else ""
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="hansa" role="img" '
        'style="font-variant-numeric:lining-nums tabular-nums" '
        f'viewBox="{num(x)} {num(y)} {num(width)} {num(height)}"{pixels}>{about}{style}{content}</svg>\n'
    )


def _own_ids(content: str, suffix: str) -> str:
    content = _ID.sub(rf'id="\1-{suffix}"', content)
    content = re.sub(r'href="#([\w-]+)"', rf'href="#\1-{suffix}"', content)
    return re.sub(r"url\(#([\w-]+)\)", rf"url(#\1-{suffix})", content)
