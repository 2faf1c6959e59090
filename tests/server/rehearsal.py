"""The steps of Dockerfile and compose.yaml without Docker, and a game through the result.

    python -m tests.server.rehearsal

Builds page and wheel from what git has, as the image does, installs the wheel with the pinned
requirements into an empty environment, starts PostgreSQL, two workers with the compose file's settings
and nginx with the files of deploy/, all on 127.0.0.1, and plays a game whose players the proxy sends to
one worker; then some decisions by https, with a certificate of its own. Needs the system's PostgreSQL,
nginx and openssl, and Node (that of `make page`, or its own). What went wrong is told; the exit status
says whether anything did.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import venv
from pathlib import Path
from typing import Any

import httpx
import yaml
from tests.server.harness import Client, Server, pick, play_on
from tests.server.postgres import Postgres
from tests.server.proxy import NAME, Proxy, free_port
from websockets.sync.client import connect

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")


def say(text: str) -> None:
    """One step."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def build(folder: Path) -> Path:
    """What the image's first stages make of a clone; gives the folder of the wheel."""
    clone, wheels = folder / "clone", folder / "wheels"
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    # There is no make in the image: nothing is built but what its steps say.
    for name in set(listed.split("\0")) - {"", "Makefile"}:
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, clone / name)
    here = str(Path(sys.executable).parent)
    environ = os.environ | {"PATH": f"{here}{os.pathsep}{os.environ['PATH']}"}
    for step in re.findall(r"^RUN (PYTHONPATH=.*|cd web .*)$", DOCKERFILE, re.MULTILINE):
        line = ["sh", "-c", step]
        subprocess.run(line, cwd=clone, check=True, env=environ, stdout=subprocess.DEVNULL)
        say(step)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    options = ["--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels)]
    subprocess.run([*pip, "wheel", *options, str(clone)], check=True)
    return wheels


def install(folder: Path) -> Path:
    """What the image contains; gives its `hansa`."""
    wheels = build(folder)
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


def play_securely(proxy: Proxy, decisions: int = 30) -> None:
    """By https and wss as a browser would, which knows the name and trusts the certificate."""
    moved = proxy.redirected()
    assert (moved.status_code, moved.headers["location"]) == (301, f"https://{NAME}/g/x")
    trust = ssl.create_default_context(cafile=proxy.certificate)
    headers = {"Host": NAME, "Origin": f"https://{NAME}"}
    with httpx.Client(base_url=proxy.url, verify=trust, headers=headers) as http:

        def post(path: str, body: dict[str, Any]) -> httpx.Response:
            return http.post(path, json=body, extensions={"sni_hostname": NAME})

        me = post("/api/me", {"name": "Alheyd"})
        assert {"Secure", "HttpOnly"} <= set(me.headers["set-cookie"].split("; "))
        assert me.headers.get_list("strict-transport-security") == ["max-age=31536000"]
        made = post(
            "/api/games", {"setup": {"players": 3}, "seats": [{"kind": "me"}] * 3, "start": True}
        )
        cookie = f"hansa_session={http.cookies['hansa_session']}"
    line = socket.create_connection(("127.0.0.1", proxy.port))
    url = f"wss://{NAME}/api/games/{made.json()['id']}/socket"
    with connect(url, sock=line, ssl=trust, additional_headers={"Cookie": cookie}) as each:
        position = json.loads(each.recv())["position"]
        for chance in map(random.Random, range(decisions)):
            act = {"type": "act", "number": position["number"], "decision": pick(position, chance)}
            each.send(json.dumps(act))
            while (heard := json.loads(each.recv()))["type"] != "update":
                assert heard["type"] in {"ack", "table"}, heard
            position = heard["position"]
    assert position["number"] == decisions
    say(f"{decisions} decisions by https")


def main() -> None:
    """All of it, and everything is stopped again."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hansa-rehearsal-")))
        hansa = install(folder)
        postgres = Postgres.start()
        stack.callback(postgres.stop)
        database = postgres.new_database()
        ports = [free_port(), free_port()]
        proxy = Proxy(folder / "http", ports)
        stack.callback(proxy.stop)
        settings = environment(folder, database, proxy.url)
        workers = [start_worker(hansa, settings, each) for each in ports]
        say(f"two workers are ready: {hansa}")
        play(proxy.url, ports)
        by_https = settings | {
            "HANSA_PUBLIC_URL": f"https://{NAME}",
            "HANSA_SECURE_COOKIES": "true",
        }
        ports = [free_port()]
        secure = Proxy(folder / "https", ports, tls=True)
        stack.callback(secure.stop)
        workers.append(start_worker(hansa, by_https, *ports))
        play_securely(secure)
        for worker in workers:
            worker.terminate()
        assert [worker.wait(30) for worker in workers] == [0, 0, 0]
        say("all stopped with status 0")


if __name__ == "__main__":
    main()
