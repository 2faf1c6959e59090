"""What the host watches: metrics that move, and a dashboard and alerts that name what there is."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from prometheus_client import REGISTRY
from tests.server.harness import Client, Server

from hansa.server import metrics
from hansa.server.config import Config
from hansa.server.errors import TableError
from hansa.server.heavy import Turns

ROOT = Path(__file__).parents[2]
ALERTS = yaml.safe_load((ROOT / "deploy" / "alerts.yaml").read_text(encoding="utf-8"))
DASHBOARD = json.loads((ROOT / "deploy" / "grafana.json").read_text(encoding="utf-8"))
QUERIES = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
RULES = [rule["expr"] for group in ALERTS["groups"] for rule in group["rules"]]
SERVER = ROOT / "src" / "hansa" / "server"
OPERATIONS = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def told() -> set[str]:
    """The names of all samples that a server tells."""
    found = set()
    for family in REGISTRY.collect():
        names = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}
        found |= {f"{family.name}{end}" for end in names.get(family.type, [""])}
    return found


def named(text: str) -> set[str]:
    return set(re.findall(r"\bhansa_\w+", text))


def test_dashboard_and_alerts_name_metrics_that_exist():
    assert len(QUERIES) > 15
    assert len(RULES) > 5
    known = told()
    for query in QUERIES + RULES:
        assert named(query) <= known, query
        assert query.count("(") == query.count(")"), query


def test_labels_and_their_values_are_those_that_are_told():
    """A misspelt one is no error to Prometheus: it finds nothing, for ever."""
    source = "".join(file.read_text(encoding="utf-8") for file in SERVER.glob("*.py"))
    labels = {"le", "instance", "job"}
    for name in metrics.__all__:
        labels |= set(getattr(metrics, name)._labelnames)
    for query in QUERIES + RULES:
        for names in re.findall(r"by \(([^)]*)\)", query):
            assert set(names.split(", ")) <= labels, query
        for label, how, value in re.findall(r'(\w+)(=~|=|!=)"([^"]*)"', query):
            assert label in labels, query
            if label not in {"job", "status"}:
                for one in value.split("|") if how == "=~" else [value]:
                    assert f'"{one}"' in source, query


def seconds(time: str) -> int:
    return int(time[:-1]) * {"s": 1, "m": 60, "h": 3600}[time[-1]]


def test_nobody_is_called_for_what_is_over():
    """A rate is above 0 for its whole window after the last time: a restart of the database was told."""
    pages = [r for g in ALERTS["groups"] for r in g["rules"] if r["labels"]["severity"] == "page"]
    rates = [rule for rule in pages if "rate(" in rule["expr"]]
    assert rates
    for rule in rates:
        (window,) = re.findall(r"\[(\w+)\]", rule["expr"])
        assert seconds(window) < seconds(rule["for"]), rule["alert"]


def test_windows_hold_several_looks_and_bounds_are_those_of_buckets():
    """Else a rate is nothing, and a quantile is a guess between two bounds."""
    (every,) = re.findall(r"scrape_interval: (\d+)s", OPERATIONS)
    for query in QUERIES + RULES:
        for window in re.findall(r"\[(\w+)\]", query):
            assert seconds(window) >= 4 * int(every), query
    judged = [rule for rule in RULES if "histogram_quantile" in rule]
    assert judged
    for rule in judged:
        (name,) = named(rule)
        (metric,) = (
            getattr(metrics, each)
            for each in metrics.__all__
            if getattr(metrics, each)._name == name.removesuffix("_bucket")
        )
        assert float(rule.rpartition("> ")[2]) in metric._upper_bounds, rule


def test_every_metric_is_on_the_dashboard_and_in_the_documents():
    shown = named(json.dumps(DASHBOARD))
    bases = {re.sub(r"_(bucket|sum|count|total)$", "", name) for name in shown}
    for name in metrics.__all__:
        metric = getattr(metrics, name)._name
        assert metric in bases, metric
        assert metric in OPERATIONS, metric


def test_every_alert_says_where_to_read_on():
    titles = set(re.findall(r"^#+ (.*)$", OPERATIONS, re.MULTILINE))
    for group in ALERTS["groups"]:
        for rule in group["rules"]:
            (title,) = re.findall(r'operations\.md, "(.*)"', rule["annotations"]["see"])
            assert title in titles, title
            assert rule["labels"]["severity"] in {"page", "warn"}


def test_panels_do_not_overlap():
    places = [(p["gridPos"]["x"], p["gridPos"]["y"]) for p in DASHBOARD["panels"]]
    assert len(set(places)) == len(places)
    assert len({p["id"] for p in DASHBOARD["panels"]}) == len(places)


def test_metrics_move(tmp_path):
    server = Server(tmp_path, logins_per_minute=3).start()
    try:
        with server.client("Alheyd") as client:
            table = client.table("me", "me", "me")
            socket = client.socket(table["id"])
            socket.receive()
            socket.act("end")
            socket.act("end", number=0)
            wrong = {"account": "nobody", "password": "some password"}
            codes = [client.http.post("/api/session", json=wrong).status_code for _ in range(5)]
            assert codes[-1] == 429
            client.get(f"/api/games/{table['id']}/log")
            act = {"number": 1, "decision": "end"}
            client.post(f"/api/games/{table['id']}/act", act)
            client.http.get("/api/games/nothing")
            lines = client.http.get("/metrics").text.splitlines()
        values = {
            name: float(value)
            for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")
        }
        assert values['hansa_decisions_total{by="person"}'] == 2
        assert values["hansa_act_seconds_count"] == 2, "by WebSocket, and by HTTP"
        assert values['hansa_refusals_total{code="stale_number"}'] == 1
        assert values['hansa_logins_total{outcome="wrong"}'] == 3
        assert values['hansa_limited_total{what="attempts"}'] == 2
        assert values['hansa_http_responses_total{status="404"}'] == 1
        assert values['hansa_http_responses_total{status="429"}'] == 2
        assert values["hansa_commit_seconds_count"] > 3
        assert values["hansa_heavy_read_seconds_count"] == 1
        assert values['hansa_queue_length{queue="commits"}'] >= 0
        assert values['hansa_gc_seconds_count{generation="2"}'] >= 1
        assert values["hansa_connections"] == 1
        assert values["hansa_connections_most"] == Config().connections
        for kind in ("read", "write", "listen"):
            assert values[f'hansa_store_errors_total{{kind="{kind}"}}'] == 0
    finally:
        assert server.stop() == 0


def value(client: Client, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (.*)$", client.http.get("/metrics").text, re.MULTILINE)
    return float(found.group(1)) if found else 0.0


def test_whoever_is_sent_away_is_counted_whatever_there_was_too_much_of(tmp_path):
    """Crowds, watchers and messages were refused and the host saw nothing of it."""
    server = Server(tmp_path, watchers_per_table=1, messages_per_second=0.1).start()
    try:
        with server.client("Alheyd") as host, server.client("Bertram") as guest:
            game = host.table("me", "me", "me")["id"]
            host.socket(game).receive()
            seen = guest.socket(game)
            seen.receive()
            assert guest.socket(game).closed() == 4429
            assert seen.ask("ping")["type"] == "error"
            assert value(host, 'hansa_limited_total{what="watchers"}') == 1
            assert value(host, 'hansa_limited_total{what="messages"}') == 1
    finally:
        assert server.stop() == 0


def test_whoever_has_too_much_under_way_is_counted():
    async def crowd() -> None:
        turns = Turns("lists", 1, 0)
        async with turns.of("somebody"):
            with pytest.raises(TableError):
                await turns.of("somebody").__aenter__()

    before = REGISTRY.get_sample_value("hansa_limited_total", {"what": "lists at once"}) or 0
    asyncio.run(crowd())
    after = REGISTRY.get_sample_value("hansa_limited_total", {"what": "lists at once"})
    assert after == before + 1


def test_a_fault_at_a_websocket_is_logged_and_counted(tmp_path):
    """The framework closed such a connection, and nobody was told why."""
    server = Server(tmp_path).start()
    with server.client("Alheyd") as client:
        game = client.table("me", "me", "me")["id"]
        other = client.table("me", "me", "me")["id"]
        cookies = client.http.cookies
    assert server.stop() == 0
    with closing(sqlite3.connect(tmp_path / "hansa.sqlite3")) as database, database:
        database.execute("UPDATE games SET proposals = '5' WHERE id = ?", (game,))
    server.start()
    try:
        with server.client() as client:
            client.http.cookies = cookies
            assert client.socket(game).closed() == 1011
            assert value(client, 'hansa_logged_total{level="error"}') == 1
            # Nobody else has any part in it.
            assert client.socket(other).receive()["type"] == "snapshot"
    finally:
        assert server.stop() == 0
    assert any("internal error" in line and game in line for line in server.errors)
