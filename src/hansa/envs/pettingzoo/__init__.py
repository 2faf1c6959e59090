"""The game for PettingZoo: several agents that decide in turn (AEC).

Importing it registers `hansa_v1` and `hansa_v2` for `pettingzoo.make`, where PettingZoo has a registry.

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

from . import hansa_v1, hansa_v2

__all__ = ["hansa_v1", "hansa_v2"]

# The registry came with PettingZoo 1.26; it writes versions as Gymnasium does.
if hasattr(pettingzoo, "register"):
    for _name in __all__:
        if _name.replace("_", "-") not in pettingzoo.aec_registry:
            pettingzoo.register("aec", _name, entry_point=f"hansa.envs.pettingzoo.{_name}:env")
