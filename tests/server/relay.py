"""A way to PostgreSQL that can be cut: what goes that way is lost, and nobody gets through again."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Self

import sqlalchemy as sa


class Relay:
    """Carries what is sent on 127.0.0.1 to a database, and back."""

    def __init__(self, database: str) -> None:
        self._target = sa.make_url(database)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = [self._listening]
        port = self._listening.getsockname()[1]
        #: The database's address by this way.
        self.url = self._target.set(port=port).render_as_string(hide_password=False)

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()

    def cut(self) -> None:
        """From now on nobody is there."""
        for end in self._open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                there = socket.create_connection(("127.0.0.1", self._target.port or 5432))
                self._open += [here, there]
                for one, other in ((here, there), (there, here)):
                    threading.Thread(target=_carry, args=(one, other), daemon=True).start()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
