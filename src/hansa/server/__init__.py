"""The table: an authority that people can trust with their games.

`run.run` starts it; `app.create_app` makes the ASGI application. What it says over HTTP and
WebSocket is written in docs/protocol.md.
"""

from __future__ import annotations

__all__ = ["PROTOCOL"]

#: Raised when a client of the former number could break.
PROTOCOL = 1
