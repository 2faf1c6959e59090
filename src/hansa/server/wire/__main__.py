"""Write what is made from the types: the TypeScript, the JSON schema and the tables.

python -m hansa.server.wire            # writes, and names what changed
python -m hansa.server.wire --check    # only tells what is old; status 1 if anything is
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from hansa.server.wire import documents, shapes, typescript

__all__ = ["main", "outdated"]

#: The checkout: an installed package has nothing to write.
ROOT = Path(__file__).resolve().parents[4]


def _made() -> Iterator[tuple[Path, str]]:
    protocol = ROOT / "docs" / "protocol.md"
    schema = json.dumps(shapes.document(), indent=1, ensure_ascii=False)
    yield ROOT / "docs" / "wire.schema.json", schema + "\n"
    yield ROOT / "web" / "src" / "lib" / "wire.ts", typescript.written()
    yield ROOT / "web" / "src" / "lib" / "catalogue.ts", typescript.catalogue()
    yield protocol, documents.filled(protocol.read_text(encoding="utf-8"))


def outdated() -> list[tuple[Path, str]]:
    """The files that differ from what the types say, with their new text."""
    return [
        (file, text)
        for file, text in _made()
        if not file.exists() or file.read_text(encoding="utf-8") != text
    ]


def main(arguments: list[str]) -> int:
    """Write or check."""
    old = outdated()
    for file, text in old:
        if "--check" not in arguments:
            file.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{file.relative_to(ROOT)}\n")
    return int("--check" in arguments and bool(old))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
