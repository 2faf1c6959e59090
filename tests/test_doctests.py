"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import hansa

MODULES = sorted(
    info.name
    for info in pkgutil.walk_packages(hansa.__path__, "hansa.")
    if not info.name.startswith("hansa.server.migrations")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module, extraglobs={"hansa": hansa})
    assert result.failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    assert any(test.examples for test in finder.find(hansa.Game))
