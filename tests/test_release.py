"""A build has the page or fails, its links lead somewhere, and strangers can use what it makes."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from hatchling.builders.wheel import WheelBuilder
from tests import release

import hansa
from hansa import cli

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def building() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HANSA_REPOSITORY", "https://code.example/club/hansa")
        made = next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("dist"))))
    return Path(made)


class TestPage:
    def hook(self, building, root: Path):
        return building.PageHook(str(root), {}, None, None, str(root), "wheel")

    def test_without_it_there_is_no_wheel(self, building, tmp_path):
        with pytest.raises(RuntimeError, match="build the page first, with `make page`"):
            self.hook(building, tmp_path).initialize("standard", {})

    def test_it_is_built_where_its_sources_are(self, building, tmp_path):
        page = tmp_path / building.PAGE
        recipe = f"page:\n\tmkdir -p {page.parent}\n\ttouch {page}\n"
        (tmp_path / "Makefile").write_text(recipe)
        self.hook(building, tmp_path).initialize("standard", {})
        assert page.exists()

    def test_pip_builds_it_in_a_clone_where_make_calls_pip(self, building, monkeypatch, tmp_path):
        """`pip install .` failed: a folder that is being built already is not built."""
        page = tmp_path / building.PAGE
        recipe = (
            f'page:\n\ttest -z "$$PIP_BUILD_TRACKER"\n\tmkdir -p {page.parent}\n\ttouch {page}\n'
        )
        (tmp_path / "Makefile").write_text(recipe)
        monkeypatch.setenv("PIP_BUILD_TRACKER", str(tmp_path))
        self.hook(building, tmp_path).initialize("standard", {})
        assert page.exists()

    def test_a_failure_ends_the_build(self, building, tmp_path):
        (tmp_path / "Makefile").write_text("page:\n\tfalse\n")
        with pytest.raises(subprocess.CalledProcessError):
            self.hook(building, tmp_path).initialize("standard", {})

    def test_an_editable_install_needs_none(self, building, tmp_path):
        self.hook(building, tmp_path).initialize("editable", {})


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("https://code.example/club/hansa.git", "https://code.example/club/hansa"),
        ("git@code.example:club/hansa.git", "https://code.example/club/hansa"),
        ("ssh://git@code.example/club/hansa", "https://code.example/club/hansa"),
        ("/srv/git/hansa.git", None),
        ("../hansa", None),
    ],
)
def test_the_address_is_where_the_checkout_came_from(
    building, monkeypatch, tmp_path, given, address
):
    monkeypatch.delenv("HANSA_REPOSITORY", raising=False)
    git = [str(shutil.which("git")), "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "remote", "add", "origin", given], check=True)
    assert building.repository(tmp_path) == address


def test_links_become_whole_addresses(building):
    text = "![a](docs/a.svg) [b](b.md#c) [d](#e) [f](https://f.example/)"
    assert building.absolute(text, "https://x.example/y") == (
        "![a](https://x.example/y/raw/HEAD/docs/a.svg) [b](https://x.example/y/blob/HEAD/b.md#c) "
        "[d](#e) [f](https://f.example/)"
    )


def test_what_an_index_shows(wheel):
    about = release.metadata(wheel)
    assert about["Version"] == hansa.__version__
    assert "Source, https://code.example/club/hansa" in about.get_all("Project-URL", [])
    text = str(about.get_payload())
    assert "](https://code.example/club/hansa/raw/HEAD/docs/_static/game.svg)" in text
    assert "](docs/" not in text


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing but the wheel; gives its Python."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    return folder / "bin" / "python"


def test_the_standard_library_is_enough_to_play(installed, tmp_path):
    assert "total" in release.told(tmp_path, installed, "-c", release.GAME)


def test_a_users_program_passes_the_strictest_check(installed, tmp_path):
    release.check_types(installed, tmp_path, release.USER)


def test_a_learners_program_passes_the_strictest_check(tmp_path):
    release.check_types(Path(sys.executable), tmp_path, release.LEARNER)


def test_the_command_without_a_word_is_its_help(capsys):
    assert cli.run([]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Usage: hansa [OPTIONS] COMMAND")
    assert "  arena " in said.out
    assert said.err == ""


def test_the_package_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "hansa", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"hansa {hansa.__version__}\n"


def test_the_workflow_publishes_only_what_was_checked():
    flow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    jobs = flow["jobs"]
    steps = [step.get("run", "") for step in jobs["build"]["steps"]]
    assert ".ci/run" in steps
    assert any("make release" in step for step in steps)
    assert jobs["publish"]["needs"] == "build"
    assert jobs["build"]["env"]["HANSA_REPOSITORY"].startswith("${{ github.server_url }}/")


def test_the_citation_is_of_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == hansa.__version__
    assert cited["license"] == "MIT"
    assert {"cff-version", "message", "title", "authors"} <= cited.keys()
