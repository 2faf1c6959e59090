"""What libraries log has our form, and a line that repeats itself is written a few times only."""

from __future__ import annotations

import logging

import pytest
import structlog

from hansa.server.config import load
from hansa.server.logs import set_up_logging


@pytest.fixture
def own_logging():
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield root
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def test_a_library_that_repeats_itself_is_written_ten_times(own_logging, capsys):
    set_up_logging(load(environ={}))
    for _ in range(15):
        logging.getLogger("somebody").error("the disk is full")
    written = capsys.readouterr().err
    assert written.count("the disk is full") == 10
    assert "Traceback" not in written


def test_a_line_that_differs_in_an_address_only_is_of_the_same_kind(own_logging, capsys):
    """Else an outage fills the disk: each broken connection has an address of its own."""
    set_up_logging(load(environ={}))
    for number in range(15):
        logging.getLogger("psycopg").warning("error ignored terminating %r", object())
        asyncio_says = f"Task exception was never retrieved\nTask-{number}"
        logging.getLogger("asyncio").error(asyncio_says)
    written = capsys.readouterr().err
    assert written.count("error ignored terminating") == 10
    assert written.count("never retrieved") == 10
