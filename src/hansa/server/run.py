"""Start the table: `hansa play` on this machine, `hansa serve` for a club."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING

import structlog
import uvicorn

from hansa.bots import compiling
from hansa.server.app import create_app
from hansa.server.config import Config, ConfigError, load, unknown
from hansa.server.lean import lean
from hansa.server.logs import set_up_logging
from hansa.server.patience import patient
from hansa.server.store import StoreError
from hansa.server.supervised import READY, STOPPING, keep_telling, tell

if sys.platform != "win32":
    import resource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import FrameType

    from litestar import Litestar

__all__ = ["run", "serve"]

_log = structlog.get_logger()
#: Seconds for requests under way when told to stop, and for all of it: systemd and Docker wait 15.
_REQUESTS, _STOP = 5, 14.0
#: Files beside those of the people who are connected: requests, the store, workers.
_FILES = 1000
#: New connections that are taken at a time, and that may wait.
_AT_A_TIME, _WAITING = 4, 4096


def run(
    host: str | None = None,
    port: int | None = None,
    data: str | Path | None = None,
    *,
    browser: bool = False,
    prepare: bool = False,
    config: str | Path | None = None,
) -> None:
    """Serve until told to stop; prints the address when ready.

    With `prepare` the bots that think ahead are compiled before somebody asks for one.

    Raises:
        ConfigError: a setting that cannot be used, for example a port that is taken.
    """
    settings = load(config, host=host, port=port, data=None if data is None else str(data))
    set_up_logging(settings)
    _doubt(settings)
    if prepare:
        compiling.begin()
    serve(create_app(settings), settings, browser=browser)


def _doubt(settings: Config) -> None:
    """What can be meant, but hardly is: the host is told."""
    for name in unknown():
        _log.warning("no such setting", name=name)
    if settings.public_url.startswith("https:") and not settings.secure_cookies:
        _log.warning(
            "cookies may travel without https: set secure_cookies", url=settings.public_url
        )


def serve(app: Litestar, settings: Config, *, browser: bool = False) -> None:
    """Serve an application made with these settings."""
    _allow_files(settings.connections)
    listening = _listen(settings)
    try:
        # Before uvicorn: what is wrong with the database is then one clear line.
        app.state.hub.store.claim()
        app.state.hub.store.migrate()
    except StoreError:
        listening.close()
        raise
    server = _Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=True,
            # Of the two parsers the one that bounds the size of headers.
            http=patient(settings),
            ws=lean(),
            ws_max_size=settings.message_bytes,
            # Compression would cost far more memory than a connection's cursor.
            ws_per_message_deflate=False,
            ws_ping_interval=20,
            ws_ping_timeout=20,
            timeout_graceful_shutdown=_REQUESTS,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=list(settings.proxies),
            # asyncio takes as many at a time: between them whoever is here already has his turn.
            backlog=_AT_A_TIME,
        ),
        _address(settings, listening),
        browser=browser,
    )
    # Bots think in threads: let the event loop have its turn soon.
    sys.setswitchinterval(0.002)
    # uvloop's, where there is one: it takes a sixth less for a decision.
    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(server.serve(sockets=[listening]))


class _Server(uvicorn.Server):
    """Says where it is when it is there, and tells clients before it goes."""

    def __init__(self, config: uvicorn.Config, address: str, *, browser: bool) -> None:
        super().__init__(config)
        self._address, self._browser = address, browser
        self._telling: asyncio.Task[None] | None = None

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Being told to stop is a good end: exit status 0, unlike uvicorn's own."""
        loop = asyncio.get_running_loop()
        told = (signal.SIGINT, signal.SIGTERM)
        for number in told:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in told:
                loop.remove_signal_handler(number)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Told to stop: that takes a moment, and never longer than whoever told is going to wait."""
        if not self.should_exit:
            late = threading.Timer(_STOP, _give_up)
            late.daemon = True
            late.start()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        hub = self.config.app.state.hub  # type: ignore[union-attr]  # our own application
        # Before uvicorn, as above.
        await hub.start()
        await super().startup(sockets)
        for each in sockets or ():
            # The rest of a crowd waits in the system.
            each.listen(_WAITING)
        if self.started and not self.should_exit:
            hub.keeper.begin()
            print(f"Hansa is ready at {self._address}", flush=True)  # noqa: T201 - the contract: print the address
            tell(READY)
            self._telling = asyncio.create_task(keep_telling())
            if self._browser:
                webbrowser.open(self._address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Before uvicorn cuts the connections: finish decisions and say goodbye.
        tell(STOPPING)
        hub = self.config.app.state.hub  # type: ignore[union-attr]  # our own application
        await hub.say_goodbye()
        await super().shutdown(sockets)


def _allow_files(connections: int) -> None:
    """A socket for everybody: where a shell starts it, the system's first answer is 1,024 often."""
    if sys.platform == "win32":
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _FILES
    if most != resource.RLIM_INFINITY and most < wanted:
        _log.warning("fewer open files than connections", files=most, connections=connections)
    allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    if now != resource.RLIM_INFINITY and now < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))


def _give_up() -> None:
    """A store that hangs, most likely: nothing acknowledged is lost, whatever way this ends."""
    _log.error("cannot stop in time", seconds=_STOP)
    os._exit(1)


def _listen(settings: Config) -> socket.socket:
    """Bind first, so that a taken port is one clear line and port 0 can be told."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = None
    try:
        # asyncio switches Nagle's delay off only where the protocol is named.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host, settings.port))
    except (OSError, OverflowError) as error:
        if listening is not None:
            listening.close()
        raise ConfigError(
            f"cannot listen on {settings.host} port {settings.port}: {error}; "
            "choose another with --port"
        ) from error
    os.set_inheritable(listening.fileno(), False)
    return listening


def _address(settings: Config, listening: socket.socket) -> str:
    host = settings.host
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - only asked for, not chosen
        host = "localhost"
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listening.getsockname()[1]}"
