"""Starts servers fast: everything is imported and made once, each server is a forked process.

    python forker.py DATA

Each line on stdin forks one; the answer is `PID ADDRESS`. Ending it is the caller's.
"""

from __future__ import annotations

import os
import sys

from hansa.server.app import create_app
from hansa.server.config import load
from hansa.server.logs import set_up_logging
from hansa.server.run import serve


def main() -> None:
    """Fork a server for each line."""
    settings = load(host="127.0.0.1", port=0, data=sys.argv[1])
    set_up_logging(settings)
    app = create_app(settings)
    for _ in sys.stdin:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            os.dup2(writing, 1)
            sys.stdout = os.fdopen(1, "w", buffering=1)
            serve(app, settings)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            address = pipe.readline().split()[-1]
        sys.stdout.write(f"{child} {address}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
