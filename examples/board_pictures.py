"""Draw all five boards, a position and a decision as SVG files.

Run: python examples/board_pictures.py pictures --theme dark
"""

from __future__ import annotations

import argparse
from pathlib import Path

import hansa
from hansa import svg
from hansa.boards import BOARD_IDS


def pictures(theme: str) -> dict[str, str]:
    """The name of each picture and its text."""
    drawn = {board_id: svg.board(board_id, theme=theme) for board_id in BOARD_IDS}
    game = hansa.Game.from_dict(
        {
            "game": {"board": "hansa", "players": 3},
            "routes": {"minden-hannover": {"posts": ["p1:t", "p1:t", "p1:t"]}},
            "cities": {"minden": {"offices": ["p2:t", "p3:t", None, None]}},
        }
    )
    drawn["position"] = svg.position(
        game.to_dict(),
        theme=theme,
        desks=True,
        highlight=["minden-hannover"],
        names={"p1": "Ada", "p2": "Bela", "p3": "Chiara"},
    )
    decision = "establish minden-hannover office hannover"
    drawn["decision"] = svg.action(game.to_dict(), decision, theme=theme)
    drawn["card"] = svg.card(decision, theme=theme)
    return drawn


def main() -> None:
    """Write the pictures into a folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--theme", default="light", help="light, dark, print or auto")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, text in pictures(options.theme).items():
        file = options.folder / f"{name}.svg"
        file.write_text(text, encoding="utf-8")
        print(f"{file}: {len(text):,} characters")


if __name__ == "__main__":
    main()
