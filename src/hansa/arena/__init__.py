"""The arena: bots against bots, fairly seated, and what the results tell.

>>> from hansa import arena
>>> results = arena.run(["greedy", "random"], players=2, games=2, workers=1)  # doctest: +SKIP
>>> [bot["name"] for bot in results["bots"]]  # doctest: +SKIP
['greedy', 'random']
"""

from hansa.bots.standings import as_csv, table

from .charts import chart
from .pairing import Pairing, pairings
from .protocol import ArenaError
from .tournament import run

__all__ = ["ArenaError", "Pairing", "as_csv", "chart", "pairings", "run", "table"]
