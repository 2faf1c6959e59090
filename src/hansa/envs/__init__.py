"""Environments for learning: observations as arrays, and the common interfaces.

`hansa.envs.pettingzoo` (several agents in turn), `hansa.envs.gymnasium` (one learner against
bots), `hansa.envs.batch` (thousands of games in place), `hansa.envs.openspiel`. They come with
the extra `hansa[rl]`, the last one with `hansa[openspiel]`.
"""

try:
    import numpy  # noqa: F401, ICN001  # only to say what to do without it
except ImportError as error:
    raise ImportError("hansa.envs needs numpy: pip install 'hansa[rl]'") from error

from .decoding import decode
from .layout import Block, Feature, Layout, layout
from .meanings import ActionTable, BoardGraph, actions, graph
from .observing import encode
from .returning import returns

__all__ = [
    "ActionTable",
    "Block",
    "BoardGraph",
    "Feature",
    "Layout",
    "actions",
    "decode",
    "encode",
    "graph",
    "layout",
    "returns",
]
