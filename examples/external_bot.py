"""A bot that plays over HTTP, as a person would: take a seat, wait, decide.

    python examples/external_bot.py http://127.0.0.1:8420 INVITE_LINK [TOKEN]

The invite link comes from the host of a table (`/i/…`). The token (POST /api/me/tokens) makes the
bot a known person; without one it plays as a guest. This one decides by chance, but likes to
finish routes: put your own ideas into `choose`.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import httpx


def choose(position: dict[str, Any]) -> str:
    """One of the legal decisions."""
    legal: list[str] = position["legal"]
    routes = [text for text in legal if text.startswith("establish")]
    return random.choice(routes or legal)


def play(server: str, invite: str, token: str | None = None) -> dict[str, Any]:
    """Play until the game is over; gives its result."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with httpx.Client(base_url=server, headers=headers, timeout=60) as http:
        secret = invite.rstrip("/").rsplit("/", 1)[-1]
        joined = http.post(f"/api/invites/{secret}", json={"name": "External bot"})
        joined.raise_for_status()
        game = joined.json()["id"]
        seen: dict[str, int] = {}
        while True:
            asked = http.get(f"/api/games/{game}/state", params=seen)
            asked.raise_for_status()
            state = asked.json()
            table, position = state["table"], state["position"]
            seen = {"after": table["revision"], "version": table["version"], "wait": 25}
            if table["status"] == "over":
                result: dict[str, Any] = table["result"]
                return result
            if position is None or position["legal"] is None:
                continue
            body = {"number": position["number"], "decision": choose(position)}
            answer = http.post(f"/api/games/{game}/act", json=body)
            if answer.status_code != 409:
                answer.raise_for_status()
            # After a 409 somebody took a decision back meanwhile: look again, as after our own.
            seen = {}


if __name__ == "__main__":
    if len(sys.argv) not in {3, 4}:
        sys.exit(__doc__)
    print(play(*sys.argv[1:]))
