"""Writes the text that is generated from declarations; `make generate` runs it."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType


def main() -> None:
    """The dispatch of the rules, without the face of the package, which could not be loaded yet."""
    package = Path(__file__).parents[1] / "src" / "hansa"
    bare = ModuleType("hansa")
    bare.__path__ = [str(package)]
    sys.modules["hansa"] = bare
    import_module("hansa.generate").main(None)


if __name__ == "__main__":
    main()
