"""Bots: programs that play, from pure chance to tree search.

>>> from hansa.bots import create
>>> game = hansa.Game.new(players=3)
>>> bot = create("greedy")
>>> action = bot.choose(game.view(game.player), game.legal_actions())
>>> action in game.legal_actions()
True
"""

from .protocol import Bot, BotError, UnknownBot, View
from .registry import LEVELS, Level, catalogue, create, names
from .settings import Setting

__all__ = [
    "LEVELS",
    "Bot",
    "BotError",
    "Level",
    "Setting",
    "UnknownBot",
    "View",
    "catalogue",
    "create",
    "names",
]
