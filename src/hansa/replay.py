"""Go through a recorded game in the terminal, decision by decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.console import Console
from rich.text import Text

import hansa
from hansa import display

__all__ = ["Replay"]

HELP = "Enter: next · b: back · a number: to that decision · q: quit"


class Replay:
    """A recorded game with a place in it: `game` as it was when `at` decisions had been played.

    `actions` are all decisions of the record, `comments` what it says of them. The game given is
    left as it is.
    """

    def __init__(self, game: hansa.Game) -> None:
        self.actions = list(game.history)
        self.game = game.copy()
        self.comments = self.game.comments

    @property
    def at(self) -> int:
        """How many decisions have been played at the place shown."""
        return len(self.game.history)

    def go(self, number: int) -> None:
        """To the position after that many decisions, at most to either end of the game."""
        number = max(0, min(number, len(self.actions)))
        while self.at > number:
            self.game.undo()
        while self.at < number:
            self.game.play(self.actions[self.at])

    def steps(self) -> Iterator[tuple[hansa.Action, list[hansa.Event]]]:
        """Each decision with what it brought about; `game` then stands just after it.

        >>> replay = Replay(hansa.Game.new(players=3))
        >>> list(replay.steps())
        []
        """
        self.go(0)
        for action in self.actions:
            yield action, self.game.play(action)

    def lines(self) -> Iterator[Text]:
        """Each decision in words of the notation, with its number and who decided."""
        self.go(0)
        turn = 0
        for number, action in enumerate(self.actions, 1):
            now = self.game.turn
            if now != turn:
                turn = now
                name = self.game.seats.get(self.game.active, "")
                yield Text(f"turn {turn}, {self.game.active} {name}".rstrip(), style="bold")
            yield Text(f"{number:5}  ") + display.piece(self.game.player) + Text(f"  {action}")
            for said in self.comments.get(number, ()):
                yield Text(f"       {said}", style="italic")
            self.game.play(action)

    def show(self, console: Console) -> None:
        """The position at this place, everything open: a record holds no secrets."""
        stock = {player: self.game.stock(player) for player in self.game.players}
        console.print(display.position(self.game.to_dict(), stock))
        if self.game.over:
            console.print(display.scores(self.game.scores(), self.game.winners))

    def walk(self, console: Console, read: Callable[[str], str]) -> None:
        """Step through as the person types; the end of input ends it."""
        self.go(0)
        console.print(Text(HELP, style="dim"))
        while True:
            if self.at:
                console.print(Text(f"{self.at}: {self.actions[self.at - 1]}", style="bold"))
            self.show(console)
            try:
                line = read(f"{self.at}/{len(self.actions)}> ").strip()
            except EOFError:
                return
            if line in ("q", "quit"):
                return
            if not line:
                self.go(self.at + 1)
            elif line == "b":
                self.go(self.at - 1)
            elif line.isascii() and line.isdigit():
                self.go(int(line))
            else:
                console.print(Text(HELP, style="dim"))
