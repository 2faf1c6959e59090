"""The game for PettingZoo: several agents that decide in turn (AEC).

Importing it registers `hansa_v1` for `pettingzoo.make`, where PettingZoo has a registry.

>>> from hansa.envs.pettingzoo import hansa_v1
>>> env = hansa_v1.env(board="hansa", players=3)
>>> env.reset(seed=7)
>>> env.agent_selection
'p1'
"""

try:
    import pettingzoo
except ImportError as error:
    raise ImportError("hansa.envs.pettingzoo needs PettingZoo: pip install 'hansa[rl]'") from error

from . import hansa_v1

__all__ = ["hansa_v1"]

# The registry came with PettingZoo 1.26; it writes versions as Gymnasium does.
if hasattr(pettingzoo, "register") and "hansa-v1" not in pettingzoo.aec_registry:
    pettingzoo.register("aec", "hansa_v1", entry_point="hansa.envs.pettingzoo.hansa_v1:env")
