"""Mutation testing of a sample: python scripts/mutants.py [--sample N] [--seed S] [PART…]   (make mutants)

Cosmic Ray changes one thing in a copy of the code (a comparison, a number, an operator), the tests run,
and whoever survives is printed with his change: a line that no test holds.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkResult

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / ".venv" / "bin" / "python"
SHARED = ("src", "tests", "docs", "pyproject.toml")

# What is changed, what is left out (runs compiled only; is generated; taste, not rules), and the
# tests that should notice.
PARTS = {
    "rules": (
        "src/hansa/rules",
        ("kernels.py", "dispatch.py", "policy.py"),
        "tests/test_scenarios.py tests/test_engine_game.py tests/test_catalogue.py",
    ),
    "judge": ("src/hansa/bots/judge", ("playing.py",), "tests/bots/test_judgement.py"),
}


def configuration(part: str) -> str:
    """What Cosmic Ray is told; -x, because the first test that fails has killed the mutant."""
    module, left_out, tests = PARTS[part]
    excluded = ", ".join(f'"{module}/{name}"' for name in left_out)
    command = f"{PYTHON} -m pytest -x -q -p no:cacheprovider --timeout=0 {tests}"
    return f"""[cosmic-ray]
module-path = "{module}"
timeout = 1200.0
excluded-modules = [{excluded}]
test-command = "env HANSA_JIT=0 PYTHONPATH=src {command}"

[cosmic-ray.distributor]
name = "local"
"""


def keep_a_sample(db: WorkDB, size: int, seed: int) -> None:
    """All but the sample counts as skipped. Annotations do nothing at run time: no mutant of theirs."""
    waiting = sorted(db.pending_work_items, key=lambda item: str(item.mutations))
    able = [item for item in waiting if "BitOr" not in item.mutations[0].operator_name]
    chosen = {item.job_id for item in random.Random(seed).sample(able, min(size, len(able)))}
    skipped = WorkResult(worker_outcome=WorkerOutcome.SKIPPED)
    db.set_multiple_results([i.job_id for i in waiting if i.job_id not in chosen], skipped)


def survivors(db: WorkDB) -> tuple[int, list[str]]:
    """How many mutants were tried, and the changes that no test noticed."""
    tried = [r for _, r in db.results if r.worker_outcome != WorkerOutcome.SKIPPED]
    return len(tried), [r.diff or "" for r in tried if r.test_outcome == TestOutcome.SURVIVED]


def run(part: str, size: int, seed: int) -> None:
    """Mutate and test one part in a copy of the project."""
    tool = [sys.executable, "-m", "cosmic_ray.cli"]
    with tempfile.TemporaryDirectory() as folder:
        for name in SHARED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, Path(folder, name), ignore=shutil.ignore_patterns("static"))
            else:
                shutil.copy(source, folder)
        Path(folder, "mutants.toml").write_text(configuration(part))
        subprocess.run([*tool, "init", "mutants.toml", "mutants.db"], cwd=folder, check=True)  # noqa: S603  # our own command
        session = Path(folder, "mutants.db")
        with use_db(session, WorkDB.Mode.open) as db:
            keep_a_sample(db, size, seed)
        subprocess.run([*tool, "exec", "mutants.toml", "mutants.db"], cwd=folder, check=True)  # noqa: S603  # our own command
        with use_db(session, WorkDB.Mode.open) as db:
            tried, alive = survivors(db)
    sys.stdout.write(f"{part}: {tried} mutants, {len(alive)} survived (seed {seed})\n")
    sys.stdout.write("\n".join([*alive, ""]))


def main() -> None:
    """Each part in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=" or ".join(PARTS))
    parser.add_argument("--sample", type=int, default=60, help="mutants of each part")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for part in options.parts or PARTS:
        run(part, options.sample, options.seed)


if __name__ == "__main__":
    main()
