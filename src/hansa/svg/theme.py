"""Colours and type: the tokens of `hansa.art`, as custom properties or written out."""

from __future__ import annotations

import re
from functools import cache

from hansa.svg.data import read_art

__all__ = ["THEMES", "custom_properties", "fixed", "tokens"]

THEMES = ("light", "dark", "print", "auto")

_BLOCK = re.compile(r"(?P<selector>[^{}]+)\{(?P<body>[^{}]*)\}")
_TOKEN = re.compile(r"--([\w-]+)\s*:\s*([^;]+);")
_VAR = re.compile(r"var\(--([\w-]+)(?:,([^()]*))?\)")
_USED = re.compile(r"var\(--([\w-]+)")


@cache
def tokens(theme: str) -> dict[str, str]:
    """Name → value for `light`, `dark` or `print`; raises ValueError for another name."""
    if theme not in THEMES or theme == "auto":
        raise ValueError(f"unknown theme {theme!r}: use one of {', '.join(THEMES)}")
    css = re.sub(r"/\*.*?\*/", "", read_art("tokens.css"), flags=re.DOTALL)
    out: dict[str, str] = {}
    for block in _BLOCK.finditer(css):
        selector = block["selector"]
        if "root" in selector or f"={theme}]" in selector:
            out.update({name: value.strip() for name, value in _TOKEN.findall(block["body"])})
    return out


def custom_properties(markup: str) -> str:
    """A style sheet with the tokens the markup uses: light, and dark where the reader's system is dark."""
    used = sorted(set(_USED.findall(markup)))

    def block(theme: str) -> str:
        values = tokens(theme)
        return "".join(f"--{name}:{values[name]};" for name in used if name in values)

    dark = "".join(f"--{name}:{tokens('dark')[name]};" for name in used if _differs(name))
    return f".hansa{{{block('light')}}}@media(prefers-color-scheme:dark){{.hansa{{{dark}}}}}"


def _differs(name: str) -> bool:
    return name in tokens("dark") and tokens("dark")[name] != tokens("light").get(name)


def fixed(markup: str, theme: str) -> str:
    """The markup with every token written out, so that any viewer of SVG shows the right colours."""
    values = tokens(theme)

    def value(match: re.Match[str]) -> str:
        found = values.get(match[1], match[2])
        if found is None:
            raise ValueError(f"the drawing uses an unknown token --{match[1]}")
        return found.replace('"', "'")

    return _VAR.sub(value, markup)
