"""The picture at the top of README.md: the position that opens these documents.

`python docs/_ext/readme_picture.py` draws it anew into `_static/game.svg`.
"""

from __future__ import annotations

import re
from pathlib import Path

import hansa
from hansa import scenarios, svg

__all__ = ["PICTURE", "draw"]

DOCS = Path(__file__).parents[1]
PICTURE = DOCS / "_static" / "game.svg"


def draw() -> str:
    """The first picture of index.md as a document that follows the reader's theme."""
    page = (DOCS / "index.md").read_text(encoding="utf-8")
    found = re.search(r"^```\{hansa-board\}\n(?::.*\n)*(.*?)^```", page, re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError("docs/index.md opens with no picture")
    [scenario] = scenarios.parse(f"id: picture\n{found[1]}", "index.md")
    game = hansa.Game.from_dict({"game": dict(scenario.game), **(scenario.position or {})})
    control = {city.id: game.control(city.id) for city in game.board.cities}
    return svg.position(game.to_dict(), theme="auto", control=control)


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
