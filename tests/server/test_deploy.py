"""The sample settings, the compose file and the example client are true."""

from __future__ import annotations

import configparser
import contextlib
import http.client
import importlib.util
import json
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import threading
import zipfile
from contextlib import closing
from pathlib import Path

import httpx
import psycopg
import pytest
import yaml
from hatchling.builders.wheel import WheelBuilder
from tests.server.harness import Client, Server, play_on
from tests.server.outside import listening
from tests.server.proxy import Proxy
from tests.server.relay import Relay

from hansa.server import run
from hansa.server import store as stores
from hansa.server.config import Config, ConfigError, load, unknown
from hansa.server.store import Store, StoreError

ROOT = Path(__file__).parents[2]


def test_the_sample_shows_every_setting_with_its_default():
    assert load(ROOT / "deploy" / "hansa.toml", environ={}) == Config()
    text = (ROOT / "deploy" / "hansa.toml").read_text(encoding="utf-8")
    for name in Config.__struct_fields__:
        assert f"\n{name} = " in text, name


def test_the_document_says_what_every_module_is_for():
    text = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
    for module in (ROOT / "src" / "hansa" / "server").glob("[!_]*.py"):
        if not module.stem.endswith("_routes"):
            assert f"`{module.stem}`" in text, module.stem


def test_settings_from_the_environment(tmp_path):
    file = tmp_path / "hansa.toml"
    file.write_text("port = 1234\nchat_count = 7\n")
    environ = {"HANSA_PORT": "99", "HANSA_ORIGINS": "https://a,https://b", "HANSA_FSYNC": "false"}
    settings = load(file, environ)
    assert (settings.port, settings.chat_count, settings.fsync) == (99, 7, False)
    assert settings.origins == ("https://a", "https://b")
    assert load(file, environ, port=5).port == 5
    for bad in ("colour = 1\n", "port = 'many'\n", "port = \n"):
        file.write_text(bad)
        with pytest.raises(ConfigError):
            load(file, {})
    with pytest.raises(ConfigError, match="cannot read"):
        load(tmp_path / "missing.toml", {})
    assert unknown({"HANSA_PORT": "1", "HANSA_CACHE": "x", "HANSA_PROT": "1", "HOME": "/"}) == [
        "HANSA_PROT"
    ]


@pytest.mark.parametrize(("name", "value"), [
    ("snapshot_every", "0"), ("bot_workers", "0"), ("requests_per_second", "0"), ("chat_seconds", "0"),
    ("abandon_days", "0"), ("connections", "-5"), ("bot_delay", "-1"), ("idle_seconds", "nan"),
    ("storage_mb", "inf"), ("public_url", "play.example.org"), ("proxies", "nginx"),
])  # fmt: skip
def test_what_nobody_can_mean_is_refused(name, value):
    with pytest.raises(ConfigError, match=f"settings: {name}"):
        load(environ={f"HANSA_{name.upper()}": value})


@pytest.mark.parametrize(("name", "value"), [
    ("default_bot", "nobody"), ("review_bot", "nobody"), ("review_bot", "greedy"),
    ("database", "at home, p4ssw0rd"), ("database", "mysql://x"),
])  # fmt: skip
def test_a_setting_that_cannot_work_is_one_clear_line(tmp_path, monkeypatch, capsys, name, value):
    from hansa.cli import run

    monkeypatch.setenv(f"HANSA_{name.upper()}", value)
    assert run(["serve", "--port", "0", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert name in said
    assert "p4ssw0rd" not in said


def test_the_compose_file_names_real_settings():
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    assert {"database", "worker1", "worker2", "proxy"} == set(compose["services"])
    for name in compose["services"]["worker1"]["environment"]:
        assert name.removeprefix("HANSA_").lower() in Config.__struct_fields__


def test_the_password_of_the_compose_file_is_its_makers_alone(tmp_path):
    """Others of the machine could read it, and with it the key of every cookie."""
    for told in (ROOT / "deploy" / "compose.yaml", ROOT / "docs" / "server.md"):
        (step,) = re.findall(r"\([^()]*> deploy/\.env\)", told.read_text(encoding="utf-8"))
        (tmp_path / told.name / "deploy").mkdir(parents=True)
        subprocess.run(
            ["/bin/sh", "-c", f"umask 022; {step}"], cwd=tmp_path / told.name, check=True
        )
        made = tmp_path / told.name / "deploy" / ".env"
        assert made.read_text(encoding="utf-8").startswith("HANSA_DB_PASSWORD=")
        assert made.stat().st_mode & 0o077 == 0


def _dockerfile(word: str) -> list[str]:
    text = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return re.findall(rf"^{word} (.*)$", text, re.MULTILINE)


def test_the_dockerfile_says_what_is_there():
    """There is no engine to build it here; `tests.server.rehearsal` takes its steps by hand."""
    for line in _dockerfile("COPY"):
        *sources, _ = line.split()
        if not sources[0].startswith("--from"):
            assert all((ROOT / source).exists() for source in sources), line
    for line in _dockerfile("ENV"):
        for pair in line.split():
            name = pair.split("=")[0]
            known = name.removeprefix("HANSA_").lower() in Config.__struct_fields__
            assert known or name == "HANSA_CACHE", name
    assert json.loads(_dockerfile("CMD")[-1]) == ["hansa", "serve"]
    assert _dockerfile("USER") == ["hansa"], "nothing of ours runs as root"
    ignored = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text(encoding="utf-8")
    assert {".git", ".venv", "**/node_modules"} <= set(ignored.splitlines())


def test_the_image_makes_the_page_as_make_does():
    """From a clone: without the pictures nothing was built, and `npm ci` refused our lock."""
    made = "".join(_dockerfile("RUN"))
    recipes = (ROOT / "Makefile").read_text(encoding="utf-8")
    for step in ("docs/_ext/page_book.py web/book", "install --no-save --no-audit"):
        assert step in recipes
        assert made.index(step) < made.index("npm run build"), step


def test_the_unit_goes_on_trying_and_waits_as_long_as_a_stop_takes():
    """A database that comes up later than the machine; a store that hangs when it goes down."""
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]  # systemd's are as written
    unit.read(ROOT / "deploy" / "hansa.service")
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert unit["Service"]["Restart"] == "on-failure"
    assert float(unit["Service"]["RestartSec"]) >= 1
    assert float(unit["Service"]["TimeoutStopSec"]) > run._STOP
    # A database of an older layout may take long; one that hangs is ended whatever it is doing.
    assert (unit["Service"]["Type"], unit["Service"]["TimeoutStartSec"]) == ("notify", "infinity")
    assert unit["Service"]["WatchdogSignal"] == "SIGKILL"
    assert int(unit["Service"]["WatchdogSec"]) >= 2 * stores._PATIENCE
    assert int(unit["Service"]["LimitNOFILE"]) > Config().connections + run._FILES
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    assert compose["services"]["worker1"]["stop_grace_period"] == "15s"


def test_proxy_and_compose_file_fit_together():
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    proxy = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    mounted = compose["services"]["proxy"]["volumes"]
    assert "./nginx.conf:/etc/nginx/nginx.conf:ro" in mounted
    for line in mounted[1:]:
        assert f"include {line.split(':')[1]};" in proxy
    workers = [name for name in compose["services"] if name.startswith("worker")]
    (port,) = _dockerfile("EXPOSE")
    assert re.findall(r"server (\w+):(\d+)", proxy) == [(name, port) for name in workers]
    (longest,) = re.findall(r"proxy_read_timeout (\d+)s", proxy)
    assert int(longest) > 2 * 30, "a long poll and a few pings"
    assert "client_max_body_size 1m;" in proxy
    assert Config().body_bytes <= 1024 * 1024
    for header in ("Upgrade", "Connection", "Host", "X-Forwarded-For"):
        assert f"proxy_set_header {header} " in proxy
    (open_files,) = re.findall(r"worker_rlimit_nofile (\d+);", proxy)
    (connections,) = re.findall(r"worker_connections (\d+);", proxy)
    assert int(open_files) >= 2 * int(connections) >= 2 * Config().connections
    (open_at_once,) = re.findall(r"limit_conn addresses (\d+);", proxy)
    assert int(open_at_once) > 2 * Config().connections_per_address
    for name in workers:
        needs = compose["services"]["proxy"]["depends_on"][name]
        assert needs == {"condition": "service_healthy"}
    for service in compose["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in compose["volumes"] or (ROOT / "deploy" / source).exists()


@pytest.mark.parametrize("name", ["nginx-http.conf", "nginx-tls.conf"])
def test_both_samples_of_the_proxy_serve_the_same(name):
    """`tests.server.rehearsal` plays through each."""
    sample = (ROOT / "deploy" / name).read_text(encoding="utf-8")
    last = sample.rsplit("server {", 1)[1]
    assert "location ^~ /metrics { deny all; }" in last
    assert "location /api/ { proxy_pass http://hansa; }" in last
    assert "location / {\n        proxy_read_timeout 5s;\n        proxy_pass http://hansa;" in last
    # Longer than between two pings, and a worker that hangs is passed over soon.
    assert "location ~ ^/api/games/[^/]+/socket$ {\n        proxy_read_timeout 25s;" in last
    # One of these in a server or location would take the place of all those in nginx.conf.
    assert "proxy_set_header" not in sample


@pytest.mark.skipif(shutil.which("nginx") is None, reason="needs nginx")
def test_the_proxy_keeps_what_is_not_public_and_sends_tries_of_one_address_to_one_worker(tmp_path):
    """Each worker counts tries for itself, and an address can be written in many ways."""
    with listening(status=200) as one, listening(status=200) as other:
        proxy = Proxy(tmp_path, [one.port, other.port])
        try:
            for path in ("/metrics", "/metrics/", "/metrics%2f", "//metrics", "/x/../metrics"):
                assert raw_status(proxy.port, "GET", path) == 403, path
            assert not one.heard + other.heard
            for n in range(30):
                slashes = "/" * (1 + n % 3)
                for path in ("account/reset", "session", "codes/x", "me/calls/mail", "me/farewell"):
                    assert raw_status(proxy.port, "POST", f"{slashes}api/{path}") == 200
            assert sorted(len(worker.heard) for worker in (one, other)) == [0, 150]
            for _ in range(40):
                assert raw_status(proxy.port, "POST", "/api/me") == 200
            assert one.heard
            assert other.heard
        finally:
            proxy.stop()


@pytest.mark.skipif(shutil.which("nginx") is None, reason="needs nginx")
@pytest.mark.parametrize(
    ("behind", "told"),
    [("127.0.0.1", "203.0.113.7"), ("192.0.2.9", "127.0.0.1"), ("", "127.0.0.1")],
)
def test_behind_another_proxy_people_keep_their_addresses(tmp_path, behind, told):
    """Limits are counted by them; the word of anybody else about his own counts for nothing."""
    with listening(status=200) as worker:
        proxy = Proxy(tmp_path, [worker.port], behind=behind)
        try:
            said = {"X-Forwarded-For": "198.51.100.1, 203.0.113.7"}
            httpx.post(f"{proxy.url}/api/me", headers=said, content=b"")
            ((_, headers, _),) = worker.heard
            assert headers["x-forwarded-for"] == told
        finally:
            proxy.stop()


@pytest.mark.skipif(shutil.which("nginx") is None, reason="needs nginx")
def test_whoever_asks_when_all_workers_can_be_asked_again_is_answered(tmp_path):
    """A database that is away for a moment: nobody is shut out by the proxy, meanwhile or afterwards."""
    with listening() as one, listening() as other:
        proxy = Proxy(tmp_path, [one.port, other.port])

        def told(path: str) -> set[int]:
            """Of many games, and so often that each process of nginx has met both workers."""
            return {raw_status(proxy.port, "GET", f"/api/games/k{n}/{path}") for n in range(40)}

        try:
            one.asked = other.asked = 503
            assert told("socket") == {503}, "the workers' own words, none of the proxy's"
            one.asked = other.asked = 200
            assert told("socket") == {200}
        finally:
            proxy.stop()


def decides_at_all(client: Client, games: list[str]) -> None:
    for game in games:
        socket = client.socket(game)
        assert socket.receive()["type"] == "snapshot"
        assert socket.act("end")["type"] == "ack"
        socket.close()


@pytest.mark.skipif(shutil.which("nginx") is None, reason="needs nginx")
def test_whoever_was_led_to_a_worker_that_hangs_plays_on_at_another(tmp_path, postgres):
    """Its port is open and nothing comes back: to the proxy that looked like a long answer."""
    database = postgres.new_database()
    servers = [Server(tmp_path, database=database, proxies="127.0.0.1").start() for _ in range(2)]
    ports = [int(server.url.rsplit(":", 1)[1]) for server in servers]
    proxy = Proxy(tmp_path / "nginx", ports, silence=2)
    hanging = servers[0].process
    assert hanging is not None
    try:
        with Client(proxy, "Alheyd") as client:
            # Half of them belong to either worker.
            games = [client.table("me", "me", "me")["id"] for _ in range(8)]
            hanging.send_signal(signal.SIGSTOP)
            # Whoever comes only now does not wait for it either.
            for _ in range(6):
                assert client.http.get("/").status_code == 200
            decides_at_all(client, games)
    finally:
        hanging.send_signal(signal.SIGCONT)
        proxy.stop()
    assert [server.stop() for server in servers] == [0, 0]


@pytest.mark.skipif(shutil.which("nginx") is None, reason="needs nginx")
def test_whoever_was_at_a_worker_that_lost_the_database_plays_on_at_another(tmp_path, postgres):
    """It answers, so nobody led him away; the others had his game, and his clock ran there."""
    database = postgres.new_database()
    with Relay(database) as relay:
        servers = [
            Server(tmp_path, database=url, proxies="127.0.0.1").start()
            for url in (relay.url, database)
        ]
        proxy = Proxy(tmp_path / "nginx", [int(s.url.rsplit(":", 1)[1]) for s in servers])
        try:
            with Client(proxy, "Alheyd") as client, Client(servers[0]) as there:
                there.http.cookies = client.http.cookies
                # Half of them belong to either worker.
                games = [client.table("me", "me", "me")["id"] for _ in range(6)]
                at_table = there.socket(games[0])
                assert at_table.receive()["type"] == "snapshot"
                relay.cut()
                assert at_table.closed() == 1012
                decides_at_all(client, games)
        finally:
            proxy.stop()
            for server in servers:
                server.kill()


def raw_status(port: int, method: str, path: str) -> int:
    """The address as it is, which clients would tidy."""
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    asking.putrequest(method, path)
    asking.putheader("Content-Length", "0")
    asking.endheaders()
    with contextlib.closing(asking):
        return asking.getresponse().status


def test_the_wheel_holds_all_that_a_server_needs(tmp_path):
    made = Path(next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path))))
    with zipfile.ZipFile(made) as wheel:
        names = set(wheel.namelist())
    package = ROOT / "src" / "hansa"
    for pattern in (
        "server/**/*.py",
        "boards/*.json",
        "art/*.svg",
        "art/*.css",
        "server/static/index.html",
    ):
        wanted = {f"hansa/{f.relative_to(package).as_posix()}" for f in package.glob(pattern)}
        assert wanted, pattern
        assert wanted <= names


def test_the_word_of_a_proxy_counts_only_where_one_is_named(tmp_path):
    """Limits are counted by the client's address: nobody else's word is taken for it."""
    strict = {"requests_per_second": "0.1", "requests_burst": "5"}
    for trusted in (False, True):
        given = {"proxies": "127.0.0.1"} if trusted else {}
        server = Server(tmp_path / str(trusted), **strict, **given).start()
        with httpx.Client(base_url=server.url) as http:
            statuses = [
                http.get("/api/me", headers={"X-Forwarded-For": f"203.0.113.{n}"}).status_code
                for n in range(12)
            ]
        assert (429 in statuses) is not trusted
        assert server.stop() == 0


def test_the_example_client_plays(sqlite_server):
    spec = importlib.util.spec_from_file_location("external", ROOT / "examples" / "external_bot.py")
    assert spec is not None
    assert spec.loader is not None
    external = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(external)
    with sqlite_server.client("Alheyd") as host:
        table = host.table("open", "me", start=False, setup={"duel": "neutral"})
        results: list[dict[str, object]] = []
        link = sqlite_server.url + table["seats"][0]["invite"]
        playing = threading.Thread(
            target=lambda: results.append(external.play(sqlite_server.url, link))
        )
        playing.start()
        socket = host.socket(table["id"])
        socket.wait_for(lambda s: s.table and s.table["seats"][0]["kind"] == "human")
        host.post(f"/api/games/{table['id']}/start")
        socket.wait_for(lambda s: bool(s.position))
        chance = random.Random(1)
        play_on(socket, chance, until=lambda s: s.position["turn"] >= 9)
        assert sum(entry["player"] == "p1" for entry in socket.entries) > 5
        assert socket.ask("concede")["type"] == "ack"
        playing.join(60)
        assert results
        assert results[0]["winners"] == ["p1"]


def test_a_taken_port_is_one_clear_line(tmp_path, sqlite_server, capsys):
    from hansa.cli import run

    port = sqlite_server.url.rsplit(":", 1)[1]
    assert run(["serve", "--port", port, "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "--port" in said


def test_two_servers_do_not_share_one_file(sqlite_server):
    with pytest.raises(RuntimeError, match="another server uses") as failed:
        Server(sqlite_server.data).start()
    assert "Traceback" not in str(failed.value)


def test_an_address_of_no_database_is_one_clear_line():
    with pytest.raises(StoreError, match="cannot read the database's address") as refused:
        Store("postgres secret")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("whole", [False, True])
def test_a_broken_database_is_one_clear_line(tmp_path, whole):
    place = tmp_path / "hansa.sqlite3"
    place.write_text("this is no database, and it is long enough to be read")
    if whole:
        # At first sight: only what is read later is damaged.
        place.unlink()
        store = Store(f"sqlite:///{place}")
        store.migrate()
        store.close()
        with closing(sqlite3.connect(place)) as database:
            query = "SELECT rootpage FROM sqlite_master WHERE name = 'settings'"
            page = database.execute(query).fetchone()[0]
        with place.open("r+b") as file:
            file.seek(4096 * (page - 1))
            file.write(b"x" * 4096)
    with pytest.raises(RuntimeError, match="hansa: cannot use the database") as failed:
        Server(tmp_path).start()
    assert "Traceback" not in str(failed.value)


def test_a_database_without_room_for_another_listener_is_one_clear_line(tmp_path, postgres):
    database = postgres.new_database()
    with psycopg.connect(database, autocommit=True) as host:
        host.execute(
            f"CREATE ROLE poor LOGIN CONNECTION LIMIT 1; "
            f"ALTER DATABASE {host.info.dbname} OWNER TO poor"
        )
    with pytest.raises(RuntimeError, match=r"too many connections.*\nhansa: cannot use") as failed:
        Server(tmp_path, database=database.replace("hansa@", "poor@")).start()
    assert "Traceback" not in str(failed.value)
