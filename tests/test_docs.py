"""What the documents show works: Python blocks run, YAML scenarios hold, links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hansa import scenarios

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES += sorted((ROOT / "docs").glob("*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def blocks(page: Path, language: str) -> list[str]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for kind, text in found if kind == language]


def named(pages: list[Path]) -> list[object]:
    return [pytest.param(page, id=page.name) for page in pages]


@pytest.mark.parametrize("page", named([p for p in PAGES if blocks(p, "python")]))
def test_python_blocks_run_from_top_to_bottom(page):
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), names)  # noqa: S102 - our own documents


@pytest.mark.parametrize("page", named(PAGES))
def test_scenarios_hold(page):
    for block in blocks(page, "yaml"):
        if block.startswith("id:"):
            for scenario in scenarios.parse(block, page.name):
                assert scenarios.run(scenario) == []


@pytest.mark.parametrize("page", named(PAGES))
def test_links_within_the_project_lead_somewhere(page):
    targets = [t for t in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in t]
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert missing == []
