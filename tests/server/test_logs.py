"""What libraries log has our form, and a line that repeats itself is written a few times only."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import threading
import time
import warnings

import pytest
import structlog

from hansa.server.config import load
from hansa.server.logs import set_up_logging
from hansa.server.workers import Workers


@pytest.fixture
def own_logging():
    root = logging.getLogger()
    handlers, level, hook = root.handlers[:], root.level, threading.excepthook
    yield root
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)
    threading.excepthook = hook
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
        logging.getLogger("psycopg").warning("error ignored in rollback on %r", object())
        asyncio_says = f"Task exception was never retrieved\nTask-{number}"
        logging.getLogger("asyncio").error(asyncio_says)
    written = capsys.readouterr().err
    assert written.count("error ignored in rollback") == 10
    assert written.count("never retrieved") == 10


def test_warnings_and_threads_and_workers_have_the_same_form(
    own_logging, capsys, monkeypatch, tmp_path
):
    set_up_logging(load(environ={}, log_json=True))
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn("old ways", stacklevel=1)

    def fail() -> None:
        raise RuntimeError("something unheard of")

    thread = threading.Thread(target=fail, name="somebody")
    thread.start()
    thread.join()
    # As a bot might that comes from elsewhere.
    (tmp_path / "sitecustomize.py").write_text("import sys; print('thinking', file=sys.stderr)")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    workers = Workers(1, "test")
    asyncio.run(workers.ask("warm", 60, spec="random"))
    workers.close()
    written = ""
    while "thinking" not in written:
        # A thread reads what workers print.
        time.sleep(0.01)
        written += capsys.readouterr().err
    lines = [json.loads(line) for line in written.splitlines()]
    assert "old ways" in lines[0]["event"]
    assert (lines[1]["event"], lines[1]["thread"]) == ("a thread ended", "somebody")
    assert "unheard of" in lines[1]["exception"]
    assert (lines[2]["event"], lines[2]["text"]) == ("said by a worker", "thinking")
