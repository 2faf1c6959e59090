"""A server of our own on loopback, a real Chromium, and pages that must stay without errors."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
#: Milliseconds for what should come at once: a machine with much else to do takes longer.
PATIENCE = 60_000
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


expect.set_options(timeout=PATIENCE)


def chromium() -> str:
    """The browser of this machine; HANSA_CHROMIUM names another one."""
    given = os.environ.get("HANSA_CHROMIUM")
    found = given or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if not found:
        pytest.fail(
            "The tests of the page drive Chromium: apt-get install chromium, or set HANSA_CHROMIUM."
        )
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not (ROOT / "src/hansa/server/static/index.html").exists():
        pytest.fail("The page is not built: run `make page` first.")
    port, folder = free_port(), tmp_path_factory.mktemp("table")
    address = f"http://127.0.0.1:{port}"
    command = [str(Path(sys.executable).with_name("hansa")), "play", "--no-browser"]
    log = (folder / "log").open("w")
    process = subprocess.Popen(
        [*command, "--port", str(port), "--data", str(folder)],
        stdout=log,
        stderr=log,
        cwd=folder,
        # Nobody wants to wait a minute to see what happens to somebody who is away.
        # Reviews are worth nothing here, but soon there.
        env={
            **os.environ,
            "HANSA_ABSENCE_LEAST": "1",
            "HANSA_AWAY_AFTER": "0.3",
            "HANSA_REVIEW_BOT": "search:simulations=2",
        },
    )
    try:
        wait_for(f"{address}/health", process, folder / "log")
        yield address
    finally:
        process.terminate()
        process.wait(20)
        log.close()


def wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(300):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=2):  # noqa: S310 - our own server
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"The server did not start: {log.read_text()[-2000:]}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield running
        running.close()


#: Chosen before the page looks, and only once: what a test chooses later stays.
_PACE = """try { localStorage['hansa.settings'] ??= JSON.stringify({machines: '%s'}) } catch {}"""
OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, server: str) -> Iterator[OpenPage]:
    """Opens pages of separate people; afterwards none may have had an error or a failed request."""
    contexts, complaints = [], []

    def open_one(path: str = "/", machines: str = "once", **options: Any) -> Page:
        settings: dict[str, Any] = {
            "viewport": {"width": 1440, "height": 900},
            "reduced_motion": "reduce",
            "locale": "en",
            # Keeping the page's files for later is tested once, not paid for in every test.
            "service_workers": "block",
            **options,
        }
        context = browser.new_context(base_url=server, **settings)
        # Who tests something else does not wait for what machines do.
        context.add_init_script(_PACE % machines)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on(
            "console",
            lambda said: (
                complaints.append(f"console: {said.text}")
                # Who takes the network away must expect that.
                if said.type == "error" and "ERR_INTERNET_DISCONNECTED" not in said.text
                else None
            ),
        )
        page.on(
            "response",
            lambda r: complaints.append(f"{r.status} {r.url}") if r.status >= 400 else None,
        )
        page.goto(path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []
