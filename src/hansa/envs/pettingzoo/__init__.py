"""The game for PettingZoo: several agents that decide in turn (AEC).

>>> from hansa.envs.pettingzoo import hansa_v1
>>> env = hansa_v1.env(board="hansa", players=3)
>>> env.reset(seed=7)
>>> env.agent_selection
'p1'
"""

from . import hansa_v1

__all__ = ["hansa_v1"]
