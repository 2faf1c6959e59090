"""Play in the terminal: a person at one seat, bots at the others.

Works with a keyboard and with lines piped in: the end of input leaves the game in good order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from rich.console import Console
from rich.text import Text

import hansa
from hansa import bots, display

__all__ = ["Chooser", "Table", "opponent"]

#: How a bot's seat decides: from the game to one of its legal actions.
Chooser = Callable[[hansa.Game], hansa.Action]

HELP = """\
  a number        play the decision with that number
  a decision      play it, written out: place t groningen-emden/1
  any words       show the decisions that contain them all
  undo            take your last decision back, and what the bots did since
  board           show the whole position again
  scores          what everybody would score if the game ended now
  save FILE       write the record of the game so far
  quit            leave
"""


def opponent(spec: str) -> Chooser:
    """A bot by its name, for example `greedy`; it sees only what its seat may know.

    Raises UnknownBot, saying which there are.
    """
    bot = bots.create(spec)

    def choose(game: hansa.Game) -> hansa.Action:
        return bot.choose(game.view(game.player), game.legal_actions())

    return choose


class Table:
    """One game between a person and bots.

    `bots` maps every other seat to its chooser. `read` gives the next line typed and raises
    EOFError at the end, as `input` does.
    """

    def __init__(
        self,
        game: hansa.Game,
        seat: str,
        bots: Mapping[str, Chooser],
        *,
        console: Console,
        read: Callable[[str], str],
        save: Path | None = None,
    ) -> None:
        self.game = game
        self.seat = seat
        self.bots = bots
        self.console = console
        self.read = read
        self.save = save
        self._turn_shown = 0

    def run(self) -> None:
        """Play until the game is over or the person leaves; then save if asked to."""
        self._say(f"You are {self.seat}. Type `help` for what you can type.")
        going = True
        while going and not self.game.over:
            going = self._ask() if self.game.player == self.seat else self._bot()
        if self.game.over:
            self._show_board()
            self._show_scores()
            winners = " and ".join(self.game.winners)
            self._say(f"The game is over ({self.game.end_reason}). Winner: {winners}.")
        else:
            count = len(self.game.history)
            self._say(f"You left the game after {count} decision{'' if count == 1 else 's'}.")
        if self.save is not None:
            self._write(self.save)

    def _bot(self) -> bool:
        player = self.game.player
        action = self.bots[player](self.game)
        line = display.piece(player) + Text(f": {action}")
        self.game.play(action)
        self.console.print(line)
        return True

    def _ask(self) -> bool:
        """One decision of the person, or one command; False to leave."""
        actions = [str(action) for action in self.game.legal_actions()]
        if self.game.turn != self._turn_shown:
            self._show_board()
        self._show_prompt(actions)
        while True:
            try:
                line = self.read(f"{self.seat}> ").strip()
            except EOFError:
                return False
            if line in ("quit", "exit"):
                return False
            if line == "undo":
                self._undo()
                return True
            action = self._chosen(line, actions)
            if action is not None:
                self.game.play(action)
                return True
            self._other(line, actions)

    def _show_prompt(self, actions: list[str]) -> None:
        desk = self.game.view(self.seat)["players"][self.seat]
        supply = f"{desk['supply']['t']}t {desk['supply']['m']}m"
        self.console.print()
        self._say(
            f"Your decision ({self.game.phase}); actions left {self.game.actions_left}, supply {supply}:"
        )
        self.console.print(display.decisions(actions))

    @staticmethod
    def _chosen(line: str, actions: list[str]) -> str | None:
        if line in actions:
            return line
        if line.isascii() and line.isdigit() and 1 <= int(line) <= len(actions):
            return actions[int(line) - 1]
        return None

    def _other(self, line: str, actions: list[str]) -> None:
        word, _, rest = line.partition(" ")
        if line == "help":
            self.console.print(Text(HELP.rstrip()))
        elif line in ("", "board"):
            self._show_board()
            self._show_prompt(actions)
        elif line == "scores":
            self._show_scores()
        elif word == "save" and rest:
            self._write(Path(rest))
        else:
            self._filter(line, actions)

    def _filter(self, line: str, actions: list[str]) -> None:
        words = line.split()
        chosen = [action for action in actions if all(word in action for word in words)]
        if chosen:
            self.console.print(display.decisions(actions, chosen=chosen))
        elif line.isdigit():
            self._say(f"There is no decision {line}: type 1 to {len(actions)}.")
        else:
            self._say(f"No legal decision contains {line!r}. Type `help` for what you can type.")

    def _undo(self) -> None:
        """Back to the person's last decision: bots would decide alike, so theirs go too."""
        probe = self.game.copy()
        steps = 0
        while probe.history:
            probe.undo()
            steps += 1
            if probe.player == self.seat:
                break
        if not steps or probe.player != self.seat:
            self._say("There is nothing of yours to take back.")
            return
        for _ in range(steps):
            self.game.undo()
        self._say("Taken back.")

    def _write(self, path: Path) -> None:
        try:
            path.write_text(self.game.record(), encoding="utf-8")
        except OSError as error:
            self._say(f"Cannot write {path}: {error.strerror}")
        else:
            self._say(f"The record is in {path}.")

    def _show_board(self) -> None:
        self._turn_shown = self.game.turn
        stock = {player: self.game.stock(player) for player in self.game.players}
        self.console.print()
        self.console.print(display.position(self.game.view(self.seat), stock))

    def _show_scores(self) -> None:
        self.console.print(display.scores(self.game.scores(), self.game.winners))

    def _say(self, text: str) -> None:
        self.console.print(Text(text))
