"""What the host can watch (Prometheus, `GET /metrics`)."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

__all__ = [
    "ACT_SECONDS",
    "BOT_SECONDS",
    "COMMIT_SECONDS",
    "CONNECTIONS",
    "CONNECTIONS_MOST",
    "DECISIONS",
    "GC_SECONDS",
    "HEAVY_SECONDS",
    "HTTP",
    "LIMITED",
    "LOGGED",
    "LOGINS",
    "LOOP_LAG",
    "NOTIFICATIONS",
    "QUEUE",
    "REFUSALS",
    "STORE_ERRORS",
    "TABLES",
]

DECISIONS = Counter("hansa_decisions", "Decisions stored, by who made them", ["by"])
REFUSALS = Counter("hansa_refusals", "Decisions refused, by code", ["code"])
LOGINS = Counter("hansa_logins", "Tries to sign in, by outcome", ["outcome"])
LIMITED = Counter("hansa_limited", "Requests sent away, by what there was too much of", ["what"])
HTTP = Counter("hansa_http_responses", "HTTP answers, by status", ["status"])
LOGGED = Counter("hansa_logged", "Lines of the log, also those left out, by level", ["level"])
STORE_ERRORS = Counter("hansa_store_errors", "Times the database did not answer", ["kind"])
COMMIT_SECONDS = Histogram(
    "hansa_commit_seconds",
    "One commit of the database, with all that waited for it",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5),
)
QUEUE = Gauge("hansa_queue_length", "What waits or is under way, by queue", ["queue"])
NOTIFICATIONS = Counter("hansa_notifications", "Messages to people who are away", ["outcome"])
CONNECTIONS = Gauge("hansa_connections", "Open WebSockets")
CONNECTIONS_MOST = Gauge("hansa_connections_most", "WebSockets that are let in at the most")
TABLES = Gauge("hansa_live_tables", "Tables held in memory")
ACT_SECONDS = Histogram(
    "hansa_act_seconds",
    "From a person's decision to its durable storage",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5),
)
BOT_SECONDS = Histogram(
    "hansa_bot_seconds", "A bot's thinking time", buckets=(0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30)
)
GC_SECONDS = Histogram(
    "hansa_gc_seconds",
    "Pauses of the garbage collector, by generation",
    ["generation"],
    buckets=(0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1),
)
HEAVY_SECONDS = Histogram(
    "hansa_heavy_read_seconds",
    "Processor time of expensive reads",
    buckets=(0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5),
)
LOOP_LAG = Histogram(
    "hansa_loop_lag_seconds",
    "How late the event loop comes to what is due",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5),
)

# Told from the start: of what is there only since its first time, Prometheus does not see that it grew.
for _counter, _values in (
    (LOGGED, ("warning", "error", "critical")),
    (STORE_ERRORS, ("read", "write", "listen")),
    (NOTIFICATIONS, ("sent", "refused", "given up")),
):
    for _value in _values:
        _counter.labels(_value)
