"""`python -m hansa.bots`: compile the search now instead of when it is first needed."""

from __future__ import annotations

import sys

from .compiling import prepare

if __name__ == "__main__":
    sys.exit(0 if prepare(lambda line: print(line, file=sys.stderr)) else 1)  # noqa: T201  # a command
