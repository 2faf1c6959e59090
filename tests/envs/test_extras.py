"""Without the extras, the message says what to install; without numba, everything still runs."""

from __future__ import annotations

import subprocess
import sys

import pytest

PARTS = [
    ("numpy", "hansa.envs", "hansa[rl]"),
    ("pettingzoo", "hansa.envs.pettingzoo", "hansa[rl]"),
    ("gymnasium", "hansa.envs.gymnasium", "hansa[rl]"),
    ("pyspiel", "hansa.envs.openspiel", "hansa[openspiel]"),
]


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("missing", "module", "extra"), PARTS)
def test_what_is_missing_is_named(missing, module, extra):
    done = run(f"import sys; sys.modules['{missing}'] = None; import {module}")
    assert done.returncode == 1
    assert f"ImportError: {module} needs" in done.stderr
    assert f"pip install '{extra}'" in done.stderr


def test_without_numba_a_batch_is_interpreted():
    done = run(
        "import os; os.environ['HANSA_JIT'] = '0'\n"
        "from hansa.envs.batch import BatchEnv\n"
        "env = BatchEnv(2, players=3)\n"
        "env.step(env.sample())\n"
        "print(env.jit, env.decisions.tolist())\n"
        "BatchEnv(2, players=3, jit=True)\n"
    )
    assert done.stdout == "False [1, 1]\n"
    assert "jit=True needs numba: pip install 'hansa[fast]'" in done.stderr
