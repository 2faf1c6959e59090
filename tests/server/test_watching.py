"""What the host watches: metrics that move, and a dashboard and alerts that name what there is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml
from prometheus_client import REGISTRY
from tests.server.harness import Server

from hansa.server import metrics

ROOT = Path(__file__).parents[2]
ALERTS = yaml.safe_load((ROOT / "deploy" / "alerts.yaml").read_text(encoding="utf-8"))
DASHBOARD = json.loads((ROOT / "deploy" / "grafana.json").read_text(encoding="utf-8"))
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
    queries = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    rules = [rule["expr"] for group in ALERTS["groups"] for rule in group["rules"]]
    assert len(queries) > 15
    assert len(rules) > 5
    known = told()
    for query in queries + rules:
        assert named(query) <= known, query
        assert query.count("(") == query.count(")"), query


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
            client.http.get("/api/games/nothing")
            lines = client.http.get("/metrics").text.splitlines()
        values = {
            name: float(value)
            for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")
        }
        assert values['hansa_decisions_total{by="person"}'] == 1
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
    finally:
        assert server.stop() == 0
