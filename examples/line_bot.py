"""A whole external bot: speaks the line protocol of docs/bots.md with the standard library alone.

Try it: hansa arena "external:command=python3 examples/line_bot.py" random --players 2 --games 2
"""

import json
import random
import sys
from typing import Any


def rate(text: str, view: dict[str, Any]) -> int:
    """Routes first, then skills: a little sense, so that it finishes games."""
    words = text.split()
    if words[0] == "establish":
        return {"skill": 50, "office": 45, "prestige": 60, "extra": 40}.get(words[2], 30)
    if words[0] in ("place", "put"):
        route = words[2].split("/")[0]
        mine = f"{view['player']}:"
        own: int = sum((post or "").startswith(mine) for post in view["routes"][route]["posts"])
        return 10 + own
    return {"income": 5, "displace": 6, "take": 4, "end": 1}.get(words[0], 2)


def main() -> None:
    """Answer line by line until told to quit."""
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "hansa":
            print("ready line-bot", flush=True)
        elif word == "decide":
            request = json.loads(rest)
            view, legal = request["view"], request["legal"]
            best = max(rate(text, view) for text in legal)
            good = [text for text in legal if rate(text, view) == best]
            print(f"info {len(good)} equally good", flush=True)
            print(f"decision {random.Random(len(rest)).choice(good)}", flush=True)
        elif word == "quit":
            return


if __name__ == "__main__":
    main()
