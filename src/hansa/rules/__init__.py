"""The game itself: one struct of state, plain functions over it, one module a rule area.

Every function takes the tables of a board `b` and a state `s`. The same text runs interpreted
(over the slotted objects of `tables` and `state`) and compiled (over numpy records, see
`hansa.compiled`), so the modules keep to integers, fixed-size fields, loops and early returns.
Modules of extensions are modules of this package too.
"""

from hansa import extensions

__path__ = [*(str(folder / "rules") for folder in extensions.folders()), *__path__]
