"""The steps of Dockerfile and compose.yaml without Docker, and a game through the result.

    python -m tests.server.rehearsal

Builds the wheel, installs it with the pinned requirements into an empty environment, starts
PostgreSQL, two workers with the compose file's settings and nginx with deploy/nginx.conf, all on
127.0.0.1, and plays a game whose players the proxy sends to one worker. Needs the system's
PostgreSQL and nginx, and the page built (`make page`). What went wrong is told; the exit status
says whether anything did.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import venv
from pathlib import Path
from typing import Any

import httpx
import yaml
from tests.server.harness import Client, Server, play_on
from tests.server.postgres import Postgres

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")


def say(text: str) -> None:
    """One step."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def install(folder: Path) -> Path:
    """What the image contains; gives its `hansa`."""
    if not (ROOT / "src/hansa/server/static/index.html").is_file():
        raise SystemExit("build the page first: make page")
    wheels = folder / "wheels"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels), str(ROOT)]
    subprocess.run([*pip, *build], check=True)
    made = next(wheels.glob("hansa-*.whl"))
    say(f"wheel: {made.name}, {made.stat().st_size // 1000} kB")
    venv.create(folder / "image", with_pip=True)
    inside = folder / "image" / "bin"
    pip = [str(inside / "python"), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    subprocess.run([*pip, "-r", str(ROOT / "requirements" / "play.txt")], check=True)
    subprocess.run([*pip, "--no-deps", str(made)], check=True)
    say("installed with the pinned requirements")
    return inside / "hansa"


def environment(folder: Path, database: str, address: str) -> dict[str, str]:
    """ENV of the Dockerfile, then what the compose file sets."""
    line = re.search(r"^ENV (.*)$", DOCKERFILE, re.MULTILINE)
    assert line is not None
    chosen = dict(pair.split("=", 1) for pair in line.group(1).split())
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    given = {"HANSA_DB_PASSWORD": "secret", "HANSA_PUBLIC_URL": address}
    for name, value in compose["services"]["worker1"]["environment"].items():
        chosen[name] = re.sub(
            r"\$\{(\w+):[-?]([^}]*)\}", lambda m: given.get(m[1], m[2]), str(value)
        )
    # Where this rehearsal differs: the places of folders and of the database, and who is the proxy.
    chosen |= {"HANSA_HOST": "127.0.0.1", "HANSA_DATA": str(folder), "HANSA_DATABASE": database}
    chosen |= {"HANSA_CACHE": str(folder / "cache"), "HANSA_PROXIES": "127.0.0.1"}
    return {k: v for k, v in os.environ.items() if not k.startswith("HANSA_")} | chosen


def start_worker(hansa: Path, settings: dict[str, str], port: int) -> subprocess.Popen[str]:
    """CMD of the Dockerfile; waits until it says that it is ready."""
    command = json.loads(DOCKERFILE.rsplit("CMD ", 1)[1])
    process = subprocess.Popen(
        [str(hansa), *command[1:]],
        env=settings | {"HANSA_PORT": str(port)},
        stdout=subprocess.PIPE,
        cwd=settings["HANSA_DATA"],
        text=True,
    )
    assert process.stdout is not None
    if "ready" not in process.stdout.readline():
        raise SystemExit("a worker did not start")
    return process


def start_proxy(folder: Path, workers: list[int], port: int) -> subprocess.Popen[bytes]:
    """Nginx with our configuration; only the addresses are others."""
    ours = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    for number, worker in enumerate(workers, start=1):
        ours = ours.replace(f"worker{number}:8420", f"127.0.0.1:{worker}")
    ours = ours.replace("listen 80;", f"listen 127.0.0.1:{port};")
    (folder / "hansa.conf").write_text(ours, encoding="utf-8")
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/nginx.pid; error_log stderr warn; user root;\n"
        f"events {{}}\nhttp {{ access_log off; client_body_temp_path {folder}/body;\n"
        f"proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u;\n"
        f"scgi_temp_path {folder}/s; include {folder}/hansa.conf; }}\n",
        encoding="utf-8",
    )
    command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    subprocess.run([*command, "-t", "-q"], check=True)
    return subprocess.Popen(command)


def play(address: str, workers: list[int]) -> None:
    """A whole game between two people whose WebSockets end at the same worker."""
    server = Server(Path())
    server.url = address
    with server.client("Alheyd") as one, server.client("Bertram") as two:
        table = one.table("me", "open", "greedy", start=False, bot_delay=0)
        two.post(table["seats"][1]["invite"].replace("/i/", "/api/invites/"))
        one.post(f"/api/games/{table['id']}/start")
        sockets = [one.socket(table["id"]), two.socket(table["id"])]
        for each in sockets:
            each.receive()
        spread = [_connections(worker) for worker in workers]
        say(f"WebSockets at the workers: {spread}")
        assert sorted(spread) == [0, 2], "the proxy spreads one game over workers"
        failed: list[BaseException] = []
        threads = [
            threading.Thread(target=_play_one, args=(each, seed, failed))
            for seed, each in enumerate(sockets)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failed, failed
        last = sockets[0].position["revision"]
        for each in sockets:
            assert [e["revision"] for e in each.entries] == list(range(1, last + 1))
        say(f"a game of {last} decisions; won by {sockets[0].position['winners']}")
        _look_around(one)


def _play_one(each: Any, seed: int, failed: list[BaseException]) -> None:
    try:
        play_on(each, random.Random(seed), most=5000)
    except BaseException as error:  # noqa: BLE001 - told by the main thread
        failed.append(error)


def _connections(port: int) -> int:
    return int(httpx.get(f"http://127.0.0.1:{port}/health").json()["connections"])


def _look_around(client: Client) -> None:
    """What a browser and a stranger get through the proxy."""
    assert client.http.get("/metrics").status_code == 403, "metrics are not for everybody"
    page = client.http.get("/")
    assert "text/html" in page.headers["content-type"]
    assert "has not been built" not in page.text
    script = re.findall(r'src="(/assets/[^"]+)"', page.text)[0]
    assert "immutable" in client.http.get(script).headers["cache-control"]
    foreign = client.http.post("/api/me", json={}, headers={"Origin": "https://evil.example"})
    assert foreign.status_code == 403
    own = client.http.post(
        "/api/me", json={}, headers={"Origin": str(client.http.base_url).rstrip("/")}
    )
    assert own.status_code == 200
    assert client.http.post("/api/records", content=b"x" * 2_000_000).status_code == 413


def main() -> None:
    """All of it, and everything is stopped again."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hansa-rehearsal-")))
        hansa = install(folder)
        postgres = Postgres.start()
        stack.callback(postgres.stop)
        database = postgres.new_database()
        ports, port = [free_port(), free_port()], free_port()
        address = f"http://127.0.0.1:{port}"
        settings = environment(folder, database, address)
        workers = [start_worker(hansa, settings, each) for each in ports]
        say(f"two workers are ready: {hansa}")
        proxy = start_proxy(folder, ports, port)
        stack.callback(proxy.wait)
        stack.callback(proxy.terminate)
        time.sleep(0.5)
        play(address, ports)
        for worker in workers:
            worker.terminate()
        assert [worker.wait(30) for worker in workers] == [0, 0]
        say("both stopped with status 0")


if __name__ == "__main__":
    main()
