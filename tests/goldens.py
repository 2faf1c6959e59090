"""Golden text: compared as it is; `HANSA_GOLDEN=write` writes it anew for a review."""

from __future__ import annotations

import os
from pathlib import Path


def check_golden(path: Path, text: str) -> None:
    """Compare a text with the file; the difference is shown by pytest."""
    if os.environ.get("HANSA_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.exists(), f"{path.name} is missing: run with HANSA_GOLDEN=write and review it"
    assert text == path.read_text("utf-8")
