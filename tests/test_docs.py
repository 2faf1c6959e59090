"""What the documents show works: examples run and print what they say, scenarios and records hold,
links lead somewhere, and the whole builds without a warning.
"""

from __future__ import annotations

import doctest
import importlib.util
import re
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest
import typer.main
from typer.core import TyperGroup

import hansa
from hansa import cli, scenarios

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES += sorted((ROOT / "docs").rglob("[!_]*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def blocks(page: Path, language: str) -> list[str]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for kind, text in found if kind == language]


def named(pages: list[Path]) -> list[object]:
    return [pytest.param(page, id=str(page.relative_to(ROOT))) for page in pages]


@pytest.mark.parametrize("page", named([p for p in PAGES if blocks(p, "python")]))
def test_python_blocks_run_from_top_to_bottom(page):
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), names)  # noqa: S102 - our own documents


@pytest.mark.parametrize("page", named([p for p in PAGES if blocks(p, "pycon")]))
def test_interactive_examples_print_what_they_say(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    typed = "\n".join(blocks(page, "pycon"))
    test = doctest.DocTestParser().get_doctest(typed, {}, page.name, str(page), 0)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=flags).run(test, out=report.append)
    assert result.attempted
    assert not result.failed, "".join(report)


@pytest.mark.parametrize("page", named(PAGES))
def test_records_replay(page):
    for block in blocks(page, "text"):
        if block.startswith("Hansa record"):
            assert hansa.Game.from_record(block).record() == block


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


IMPORT = re.compile(
    r"^(?:>>> )?(?:from|import) (hansa(?:\.\w+)*)(?: import ([\w, ]+))?", re.MULTILINE
)


def test_what_the_documents_import_is_in_the_reference():
    reference = "".join(page.read_text("utf-8") for page in (ROOT / "docs/api").glob("*.md"))
    files = [*PAGES, *sorted((ROOT / "examples").glob("*.py"))]
    inside = {"hansa.rules", "hansa.rules.state"}  # the page about the engine looks inside
    for file in files:
        for module, names in IMPORT.findall(file.read_text("utf-8")):
            wanted = {module}
            if module in {"hansa", "hansa.envs.pettingzoo"} and names:
                wanted = {f"{module}.{name}" for name in names.split(", ") if name.islower()}
            for name in wanted - inside:
                assert f"module:: {name}\n" in reference or name == "hansa", (file.name, name)


EXTENDING = ROOT / "docs" / "extending.md"


def test_no_task_of_extending_touches_more_than_six_files():
    tasks = EXTENDING.read_text("utf-8").split("\n## ")[1:]
    assert len(tasks) == 8
    for task in tasks:
        title, rows = task.splitlines()[0], re.findall(r"^\| (.*?) \|", task, re.MULTILINE)
        cells = [cell for cell in rows if cell not in {"file", "---"}]
        files = [name for cell in cells for name in re.findall(r"`([\w/.-]+)`", cell)]
        assert 1 <= len(files) + sum("`" not in cell for cell in cells) <= 6, title


def test_files_that_extending_names_are_there_or_new():
    text = EXTENDING.read_text("utf-8")
    new = {
        "gift.py",
        "isle.json",
        "fr.ts",
        "rules.fr.md",
        "how-to-play.fr.md",
        "my_bot.py",
        "Club.svelte",
    }
    named = set(re.findall(r"`((?:src|web|docs|tests|benchmarks)/[\w/.-]+)`", text))
    assert len(named) > 20
    for name in named:
        exists = (ROOT / name).exists()
        assert exists != (Path(name).name in new), name


def test_the_picture_of_the_readme_is_of_today():
    readme_picture = extension("readme_picture")
    drawn, kept = readme_picture.draw(), readme_picture.PICTURE.read_text("utf-8")
    parts = re.compile(r"<title>[^<]*</title>|<use href=\"[^\"]+\"")
    assert parts.findall(kept) == parts.findall(drawn), "python docs/_ext/readme_picture.py"
    assert len(kept.encode()) < 250_000


def unknown_words(line: str) -> list[str]:
    """Commands and options in a line of shell that `hansa` does not have."""
    command = typer.main.get_command(cli.app)
    assert isinstance(command, TyperGroup)
    wrong = []
    for part in line.split("|"):
        words = shlex.split(part, comments=True)
        if not words or Path(words[0]).name != "hansa" or len(words) < 2:
            continue
        if words[1] not in command.commands:
            wrong += [words[1]] * (words[1] != "--version")
            continue
        if command.commands[words[1]].context_settings.get("ignore_unknown_options"):
            continue  # it hands its words on
        known = {
            text
            for option in command.commands[words[1]].params
            for text in (*option.opts, *option.secondary_opts)
        }
        given = [word.partition("=")[0] for word in words[2:] if word.startswith("-")]
        wrong += [f"{words[1]} {word}" for word in given if word not in {*known, "-", "--help"}]
    return wrong


@pytest.mark.parametrize("page", named([p for p in PAGES if blocks(p, "sh")]))
def test_commands_and_options_exist(page):
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    assert [word for line in lines for word in unknown_words(line)] == []


def test_unknown_commands_are_found():
    assert unknown_words("hansa dance") == ["dance"]
    assert unknown_words("hansa new --bord east | hansa show - --legal") == ["new --bord"]


def extension(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / "_ext" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_mentions_of_rules_become_links():
    rule_links = extension("rule_links")
    known = {"CONTROL-1", "CONTROL-2", "MARKER-PUT-1", "MARKER-PUT-3"}
    text = "By CONTROL-1, -2 and MARKER-PUT-3 (MARKER-PUT), not PUT-3, CONTROL or -9."
    pieces = list(rule_links.links_in(text, known))
    assert [(words, rule) for words, rule in pieces if rule] == [
        ("CONTROL-1", "CONTROL-1"),
        ("-2", "CONTROL-2"),
        ("MARKER-PUT-3", "MARKER-PUT-3"),
        ("MARKER-PUT", "MARKER-PUT-1"),
    ]
    assert "".join(words for words, _ in pieces) == text


class Anchors(HTMLParser):
    """The ids of a page, and where its links go."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.pictures: set[str] = set()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids.add(given.get("id") or "")
        if tag == "a":
            self.links.add(given.get("href") or "")
        if tag == "img":
            assert given.get("alt") or given.get("class") == "sidebar-logo", given
            self.pictures.add(given.get("src") or "")


def read(page: Path) -> Anchors:
    found = Anchors()
    found.feed(page.read_text(encoding="utf-8"))
    return found


def build(out: Path, doctrees: Path) -> None:
    """The documents as a reader gets them; warnings are errors."""
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", doctrees, ROOT / "docs", out],
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr


def broken_links(pages: dict[Path, Anchors]) -> list[str]:
    """Links to places within the documents that are not there."""
    broken = []
    for page, found in pages.items():
        for link in found.links:
            file, _, place = link.partition("#")
            target = (page.parent / file).resolve() if file else page
            if "://" in link or not place or target not in pages:
                continue
            if place not in pages[target].ids:
                broken.append(f"{page.name}: {link}")
    return broken


def test_the_documents_build_and_everything_in_them_leads_somewhere(tmp_path):
    """One build for all: it takes longer than everything else here."""
    out = tmp_path / "html"
    build(out, tmp_path / "doctrees")
    pages = {page: read(page) for page in out.rglob("*.html") if "_modules" not in page.parts}
    rules = extension("rule_links").defined((ROOT / "docs" / "rules.md").read_text("utf-8"))
    assert rules <= pages[out / "rules.html"].ids
    assert broken_links(pages) == []
    pictures = {
        (page.parent / source).resolve()
        for page, found in pages.items()
        for source in found.pictures
    }
    assert [picture for picture in pictures if not picture.exists()] == []
    drawn = [picture.name for picture in pictures if picture.name.startswith("board-")]
    assert len(drawn) > 30
    assert sum("-dark" in name for name in drawn) == sum("-light" in name for name in drawn)


def test_a_wrong_picture_stops_the_build():
    hansa_board = extension("hansa_board")
    with pytest.raises(hansa.InvalidPosition, match="merchants"):
        hansa_board.played("game: {players: 3}\nposition: {prestige: {'7': p1}}")
    with pytest.raises(hansa.IllegalAction, match="establish"):
        hansa_board.played("game: {players: 3}\nplay: [establish groningen-emden none]")
