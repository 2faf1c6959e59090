"""Arrays of a batch as bytes, and back into the same arrays."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np

__all__ = ["restored", "saved"]

Arrays = Mapping[str, np.ndarray[Any, Any]]


def saved(arrays: Arrays) -> bytes:
    """The arrays by name, in numpy's own form."""
    file = io.BytesIO()
    named: dict[str, Any] = dict(arrays)
    np.savez_compressed(file, **named)
    return file.getvalue()


def restored(data: bytes, arrays: Arrays) -> None:
    """Write what was saved into arrays of the same names and shapes.

    Raises ValueError for anything else, nothing changed.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as kept:
            found = {name: kept[name] for name in kept.files}
    except (ValueError, OSError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        raise ValueError(f"not what a batch saved: {error}") from None
    if {name: array.shape for name, array in found.items()} != {
        name: array.shape for name, array in arrays.items()
    }:
        raise ValueError("saved by a batch with other options: make one with the same")
    for name, array in arrays.items():
        array[...] = found[name]
