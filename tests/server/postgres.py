"""A real PostgreSQL for the tests: the system's binaries, a throw-away folder, a plain user."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg


class Postgres:
    """One cluster on a free port of 127.0.0.1."""

    def __init__(self, folder: Path, port: int, prefix: list[str], control: str) -> None:
        self.folder, self.port, self.prefix, self.control = folder, port, prefix, control
        self.fsync = False
        self._count = 0

    @classmethod
    def start(cls, *, fsync: bool = False) -> Postgres:
        binaries = _binaries()
        folder = Path(tempfile.mkdtemp(prefix="hansa-pg-"))
        prefix: list[str] = []
        if os.getuid() == 0:
            # PostgreSQL refuses to run as root.
            user = _plain_user()
            shutil.chown(folder, user)
            prefix = ["setpriv", "--reuid", user, "--regid", _group(user), "--clear-groups"]
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        _run(
            [
                *prefix,
                str(binaries / "initdb"),
                "-D",
                str(folder / "data"),
                "-U",
                "hansa",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--no-sync",
            ]
        )
        cluster = cls(folder, port, prefix, str(binaries / "pg_ctl"))
        cluster.fsync = fsync
        cluster.run()
        return cluster

    def run(self) -> None:
        """Start it, also after it was killed; returns when it answers."""
        options = (
            f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 "
            f"-c fsync={'on' if self.fsync else 'off'} -c max_connections=60 -c shared_buffers=16MB"
        )
        log = str(self.folder / "log")
        self._control("-w", "-l", log, "-o", options, "start")

    def kill(self) -> None:
        """SIGKILL to the server and all its processes; what was written is with the system."""
        noted = self.folder / "data" / "postmaster.pid"
        first = self.first()
        children = Path(f"/proc/{first}/task/{first}/children").read_text(encoding="ascii")
        gone = [first, *map(int, children.split())]
        for pid in gone:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        while any(_runs(pid) for pid in gone):
            time.sleep(0.01)
        # Where nobody collects the dead, the number in these would be taken for a server.
        noted.unlink()
        (self.folder / f".s.PGSQL.{self.port}.lock").unlink()

    def first(self) -> int:
        """The number of the process from which all others come."""
        noted = self.folder / "data" / "postmaster.pid"
        return int(noted.read_text(encoding="ascii").split()[0])

    def new_database(self) -> str:
        self._count += 1
        name = f"hansa{self._count}"
        with psycopg.connect(self._dsn("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self._dsn(name)

    def _dsn(self, name: str) -> str:
        return f"postgresql://hansa@127.0.0.1:{self.port}/{name}"

    def stop(self) -> None:
        self._control("-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _control(self, *arguments: str) -> None:
        _run([*self.prefix, self.control, "-D", str(self.folder / "data"), *arguments])


def _runs(pid: int) -> bool:
    """Whether there is such a process that has not ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def _binaries() -> Path:
    """The newest system PostgreSQL."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    path = shutil.which("initdb")
    if path is None:
        raise RuntimeError("install PostgreSQL (package postgresql) for the server's tests")
    return Path(path).resolve().parent


def _plain_user() -> str:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise RuntimeError("no user to run PostgreSQL as")


def _group(user: str) -> str:
    return str(pwd.getpwnam(user).pw_gid)


def _run(command: list[str]) -> None:
    done = subprocess.run(
        command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd="/"
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
