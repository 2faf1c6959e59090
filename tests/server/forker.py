"""Starts servers fast: everything is imported once, each server is a forked process.

Commands on stdin: `start DATA [DATABASE]` answers `PID ADDRESS`; the process is the caller's to end.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Fork a server for each line."""
    import hansa.server.run as server

    for line in sys.stdin:
        data, _, database = line.split(" ", 1)[1].strip().partition(" ")
        if database:
            os.environ["HANSA_DATABASE"] = database
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            os.dup2(writing, 1)
            sys.stdout = os.fdopen(1, "w", buffering=1)
            server.run(host="127.0.0.1", port=0, data=data)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            address = pipe.readline().split()[-1]
        sys.stdout.write(f"{child} {address}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
