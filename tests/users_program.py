"""What somebody might write with the library: it must pass `mypy --strict` against the wheel."""

from __future__ import annotations

from collections.abc import Sequence

import hansa
from hansa import bots, svg
from hansa.bots import View


class Cautious:
    """A bot: the first decision that is no Income."""

    name = "cautious"

    def choose(
        self, view: View, legal: Sequence[hansa.Action], clock: float | None = None
    ) -> hansa.Action:
        """Never takes long."""
        assert clock is None or clock > 0
        assert view["player"] in view["players"]
        return next((action for action in legal if action.verb != "income"), legal[0])


def best(game: hansa.Game) -> str:
    """What a short search would do, and what it expects."""
    found = hansa.analyse(game, "search:simulations=2")
    share: float = found.options[0].value
    return f"{found.options[0].decision} {share:.2f}"


def main() -> None:
    """Play a little, look at it from all sides."""
    game = hansa.Game.new(board="east", players=3, seed=1)
    bot: bots.Bot = Cautious()
    for _ in range(12):
        events: list[hansa.Event] = game.play(
            bot.choose(game.view(game.player), game.legal_actions())
        )
        assert events
    points: int = game.to_dict()["players"]["p1"]["points"]
    post: str | None = game.to_dict()["routes"]["elbing-braunsberg"]["posts"][0]
    assert points == game.points("p1")
    assert post == game.post("elbing-braunsberg/1")
    city: str | None = hansa.Action.from_id(game.legal_ids()[0], "east").city
    assert city is None or game.control(city) is None
    ways: int = hansa.perft(game, 1)
    assert ways == len(game.legal_actions())
    assert hansa.Game.from_line(game.to_line()) == hansa.Game.unpack(game.pack()) == game
    assert svg.position(game.to_dict()).startswith("<svg")
    assert game.is_legal(best(game).rpartition(" ")[0])
    game.undo()


if __name__ == "__main__":
    main()
