"""Plays through the page: every decision is made by clicking the things that a person would click."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

import hansa
from hansa.bots.registry import create as create_bot

__all__ = ["Player", "call", "create", "state", "until", "upload"]

GAMES = Path(__file__).parents[1] / "games"
ADVISER = create_bot("greedy")


def call(page: Page, method: str, path: str, body: Any = None) -> Any:
    """Asks the server as the page's own person."""
    return page.evaluate(
        """async ([method, path, body]) => {
            const answer = await fetch('/api' + path, {method, headers: body ? {'Content-Type': 'application/json'} : {}, body})
            return answer.json()
        }""",
        [method, path, None if body is None else json.dumps(body)],
    )


def create(
    page: Page, *, board: str = "hansa", players: int = 3, seats: Any = None, **more: Any
) -> str:
    """A table whose machines answer at once; the first seat is the page's person."""
    setup = {"board": board, "players": players, **more.pop("setup", {})}
    names = ["Alheyd", "Bertram", "Katrijn", "Detmar", "Gese"][:players]
    default = [{"kind": "me", "name": names[0]}] + [
        {"kind": "bot", "bot": "greedy", "name": name} for name in names[1:]
    ]
    wish = {
        "setup": setup,
        "seats": seats or default,
        "order": "fixed",
        "bot_delay": 0,
        "start": True,
        **more,
    }
    table = call(page, "POST", "/games", wish)
    assert "id" in table, table
    return str(table["id"])


def upload(page: Page, name: str = "hansa-45-4-bigbox-127") -> str:
    """A game that is over, from the collection of finished games."""
    record = (GAMES / f"{name}.hansa").read_text()
    return str(call(page, "POST", "/records", {"record": record})["id"])


def until(page: Page, expression: str, arg: Any = None) -> None:
    """Waits until the page says yes. Asked again and again: the page forbids text to run as code."""
    for _ in range(1200):
        if page.evaluate(expression, arg):
            return
        time.sleep(0.05)
    raise AssertionError(f"never came true: {expression}")


def state(page: Page, game: str) -> Any:
    return call(page, "GET", f"/games/{game}/state")["position"]


class Player:
    """One person at the page."""

    def __init__(self, page: Page, game: str) -> None:
        self.page, self.game = page, game
        self.latest: Any = None
        page.on("websocket", lambda socket: socket.on("framereceived", self._hear))
        self.verbs: set[str] = set()
        self.done: set[str] = set()

    def _hear(self, frame: str | bytes) -> None:
        """Reads along what the server tells the page: spares asking for it again."""
        said = json.loads(frame)
        if said["type"] in {"snapshot", "update"} and said["position"]:
            self.latest = said["position"]

    def wait_for_turn(self) -> Any:
        """The position when it is this person's decision and the page shows it; None when over."""
        ready = self.page.locator("main.table [data-decision], main.table .target, .accounts")
        # A machine may have to be started for it, which others' work holds up.
        for _ in range(6000):
            if ready.count():
                now = self.latest or state(self.page, self.game)
                if now["over"]:
                    return None
                if now["legal"] is not None and self.shown() == now["number"]:
                    return now
            time.sleep(0.03)
        raise AssertionError("no decision came to this person")

    def shown(self) -> int:
        """How many decisions the page knows of; -1 where it shows no table."""
        asked = "() => Number(document.querySelector('main.table')?.dataset.number ?? -1)"
        return int(self.page.evaluate(asked))

    def advice(self, now: Any) -> str:
        """What the simple machine would do, so that games end."""
        legal = [hansa.Action(text) for text in now["legal"]]
        return str(ADVISER.choose(now["view"], legal))

    def decide(self, text: str, now: Any) -> None:
        self.verbs.add(text.split(maxsplit=1)[0])
        verb, *words = text.split()
        getattr(self, f"_{verb}", self._plain)(text, words, now)
        self._wait_past(now["number"])

    def _wait_past(self, number: int) -> None:
        for _ in range(2000):
            if self.page.locator("main.table").count() == 0 or self.shown() != number:
                return
            time.sleep(0.03)
        raise AssertionError(f"decision {number} had no effect on the page")

    # -- the thing itself

    def press(self, thing: Locator) -> None:
        thing.click()

    def open_list(self) -> None:
        self.page.keyboard.press("l")

    def target(self, key: str) -> Locator:
        return self.page.locator(f'.target[data-key="{key}"]')

    def _click(self, key: str) -> None:
        found = self.target(key)
        found.wait_for(state="attached")
        hit = found.locator(".hit")
        self.press(hit.last if hit.count() else found)

    def _option(self, text: str) -> None:
        """The alternative on the card, if the click left several."""
        option = self.page.locator(f'.card [data-decision="{text}"]')
        confirm = self.page.locator(f'.card [data-confirm="{text}"]')
        for _ in range(250):
            if option.count():
                self.press(option)
                return
            if confirm.count():
                self.press(confirm)
                return
            if self.shown_changed():
                return
            time.sleep(0.02)

    def shown_changed(self) -> bool:
        return self._before != self.shown()

    def _at_post(self, text: str, shape: str | None, post: str) -> None:
        self._before = self.shown()
        stack = self.page.locator(f'[data-key="supply:{shape}"]')
        if shape and stack.count() and stack.first.get_attribute("aria-pressed") == "false":
            self.press(stack.first)
        self._click(f"post:{post}")
        self._option(text)

    def _place(self, text: str, words: list[str], now: Any) -> None:
        self._at_post(text, words[0], words[1])

    _displace = _put = _place

    def _lift(self, text: str, words: list[str], now: Any) -> None:
        self._at_post(text, None, words[0])

    def _take(self, text: str, words: list[str], now: Any) -> None:
        if "/" in words[0]:
            self._at_post(text, None, words[0])
        else:
            self._plain(text, words, now)

    def _establish(self, text: str, words: list[str], now: Any) -> None:
        """A click on a piece of the full route; if it could also be lifted, the card tells apart."""
        self._before = self.shown()
        self._click(f"post:{words[0]}/1")
        self._option(text)

    def _lay(self, text: str, words: list[str], now: Any) -> None:
        self._before = self.shown()
        self._click(f"route:{words[1]}")
        self._option(text)

    def _neutral(self, text: str, words: list[str], now: Any) -> None:
        self._before = self.shown()
        self._click(f"city:{words[1]}")
        self._option(text)

    def _green(self, text: str, words: list[str], now: Any) -> None:
        self._before = self.shown()
        self._click(f"city:{words[0]}")
        self._option(text)

    def _province(self, text: str, words: list[str], now: Any) -> None:
        if now["phase"] == "turn":
            self.press(self.page.locator(f'[data-verb="{text.split(maxsplit=1)[0]}"]'))
        self._before = self.shown()
        self._click(f"province:{words[0]}")
        self._option(text)

    _pawn = _walk = _province

    def _use(self, text: str, words: list[str], now: Any) -> None:
        self._before = self.shown()
        self.press(self.page.locator(f'[data-key="marker:{words[0]}"]').first)
        self._option(text)

    def _income(self, text: str, words: list[str], now: Any) -> None:
        sizes = {x: sum(map(int, x.split()[1:])) for x in now["legal"] if x.startswith("income")}
        fullest = [x for x in sizes if sizes[x] == max(sizes.values())]
        if len(fullest) == 1:
            self._all_or_listed(text, fullest[0])
            return
        self.press(self.page.locator('[data-verb="income"]'))
        card = self.page.locator(".card")
        for index in (1, 0):
            row = card.locator(".stepper").nth(index)
            row.wait_for()
            for _ in range(40):
                have, want = int(row.locator("output").inner_text()), int(words[index])
                if have == want:
                    break
                self.press(row.locator("button").nth(0 if have > want else 1))
        self.press(card.locator('[data-confirm="income"]'))

    def _all_or_listed(self, text: str, all_of_it: str) -> None:
        """Where the shapes leave no choice all is taken at once; fewer stand in the list."""
        if text == all_of_it:
            self._before = self.shown()
            self.press(self.page.locator('[data-verb="income"]'))
            self._option(text)
        else:
            self.open_list()
            self.press(self.page.locator(f'dialog [data-decision="{text}"]'))

    def _listed(self, text: str, words: list[str], now: Any) -> None:
        """What is dear is chosen from the card of its verb, which asks once more."""
        verb = text.split(maxsplit=1)[0]
        self.press(self.page.locator(f'[data-verb="{verb}"]'))
        option = self.page.locator(f'.card [data-decision="{text}"]')
        confirm = self.page.locator(f'.card [data-confirm="{text}"]')
        option.or_(confirm).wait_for()
        if option.count():
            self.press(option)
        self.press(confirm)

    _favour = _fee = _listed

    def _end(self, text: str, words: list[str], now: Any) -> None:
        self.press(self.page.locator('[data-decision="end"]').first)
        if now["actions_left"]:
            self.press(self.page.locator('[data-confirm="end"]'))

    def _plain(self, text: str, words: list[str], now: Any) -> None:
        self.press(self.page.locator(f'[data-decision="{text}"]').first)
        confirm = self.page.locator(f'.card [data-confirm="{text}"]')
        if confirm.count():
            self.press(confirm)

    def play_on(self, most: int = 400) -> int:
        """Plays to the end of the game; how many decisions that took."""
        for count in range(most):
            now = self.wait_for_turn()
            if now is None:
                return count
            self.decide(self.advice(now), now)
        raise AssertionError("the game did not end")
