"""The sample settings, the compose file and the example client are true."""

from __future__ import annotations

import importlib.util
import random
import threading
from pathlib import Path

import pytest
import yaml
from tests.server.harness import Server, play_on

from hansa.server.config import Config, ConfigError, load

ROOT = Path(__file__).parents[2]


def test_the_sample_shows_every_setting_with_its_default():
    assert load(ROOT / "deploy" / "hansa.toml", environ={}) == Config()
    text = (ROOT / "deploy" / "hansa.toml").read_text(encoding="utf-8")
    for name in Config.__struct_fields__:
        assert f"\n{name} = " in text, name


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


def test_the_compose_file_names_real_settings():
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    assert {"database", "worker1", "worker2", "proxy"} == set(compose["services"])
    for name in compose["services"]["worker1"]["environment"]:
        assert name.removeprefix("HANSA_").lower() in Config.__struct_fields__


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


def test_a_broken_database_is_one_clear_line(tmp_path):
    (tmp_path / "hansa.sqlite3").write_text("this is no database, and it is long enough to be read")
    with pytest.raises(RuntimeError, match="cannot open the database") as failed:
        Server(tmp_path).start()
    assert "Traceback" not in str(failed.value)
