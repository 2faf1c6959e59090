"""Settings: safe defaults, then a TOML file, then the environment (`HANSA_…`), then the caller."""

from __future__ import annotations

import ipaddress
import math
import os
import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import msgspec

from hansa.errors import HansaError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Config", "ConfigError", "is_near", "load", "unknown"]

#: Settings of former versions, and what to do about them.
_GONE = {
    "notify_mail": "set mail_host, mail_user, mail_password and mail_from instead",
    "notify_schemes": "people choose e-mail or push, tables have a webhook (`webhooks`)",
}
#: Where the settings lie, and what the engine itself looks at.
_NOT_SETTINGS = {
    "HANSA_BOTS",
    "HANSA_CONFIG",
    "HANSA_CACHE",
    "HANSA_EXTENSIONS",
    "HANSA_JIT",
    "HANSA_DEBUG",
}


#: A `Host` header: a name or a number, and a port.
_NAMED = re.compile(r"(\[[0-9a-f:.]+\]|[0-9a-z._-]+)(?::[0-9]{1,5})?")
#: Numbers of which 0 says something: any port, at once, no least.
_MAY_BE_NOTHING = {
    "port",
    "mail_port",
    "bot_delay",
    "clock_least",
    "absence_least",
    "away_after",
    "idle_seconds",
    "notify_after",
}


class ConfigError(HansaError):
    """A setting that is unknown or of the wrong kind."""


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Everything a host may choose; `deploy/hansa.toml` is the commented sample."""

    host: str = "127.0.0.1"
    port: int = 8420
    data: str = ""
    #: Empty: SQLite in the data folder. Else an SQLAlchemy address (postgresql+psycopg://…).
    database: str = ""
    #: fsync at every commit (SQLite): survives a power cut, not only a crash of the program.
    fsync: bool = True
    #: Further origins that may send requests (https://play.example.org), besides the server's own.
    origins: tuple[str, ...] = ()
    #: Names this server is asked by (play.example.org) besides that of `public_url`; neither: any, or,
    #: where it listens on this machine alone and trusts no proxy, `localhost` and numbers.
    hosts: tuple[str, ...] = ()
    #: Cookies only over https, and browsers told to use nothing else; set it behind a proxy that speaks https.
    secure_cookies: bool = False
    #: Trust X-Forwarded-For of these proxies.
    proxies: tuple[str, ...] = ()

    message_bytes: int = 4096
    body_bytes: int = 1_000_000
    #: A request must have come in as a whole after so many seconds.
    request_seconds: float = 15.0
    connections: int = 5000
    connections_per_address: int = 500
    #: People who wait for a quick game; fewer than are looked at for each of them (`quick`).
    seekers_per_address: int = 15
    #: Of one connection; all of an address have five times as many.
    messages_per_second: float = 20.0
    requests_per_second: float = 50.0
    requests_burst: int = 400
    #: Bytes of answers to one address in a second, on average and at once.
    answers_share: float = 5_000_000.0
    answers_burst: float = 300_000_000.0
    #: The same of bodies of requests: taken apart, one is fourteen times as large.
    bodies_share: float = 1_000_000.0
    bodies_burst: float = 10_000_000.0
    tables_per_hour: int = 120
    guests_per_hour: int = 600
    logins_per_minute: int = 10
    #: Account names tried from one address.
    accounts_per_hour: int = 30
    analyses_per_minute: int = 120
    uploads_per_hour: int = 60
    reports_per_day: int = 20
    #: What one person's tables and studies may take in the store.
    storage_mb: float = 200.0
    #: Bytes that one person may have kept in a second, on average and at once.
    bytes_share: float = 1_000.0
    bytes_burst: float = 20_000_000.0
    #: Tables of one host that wait or run at the same time.
    tables_at_once: int = 200
    #: Logs, records, old positions: processor time of one person, on average and at once.
    work_share: float = 0.1
    work_burst: float = 3.0
    #: Thinking time of bots at the tables of one host, on average and at once; then they hurry.
    bot_share: float = 0.5
    bot_burst: float = 300.0
    watchers_per_table: int = 300
    #: Codes of tables tried from one address, and those that were none.
    codes_per_minute: int = 30
    wrong_codes_per_hour: int = 60
    chat_length: int = 500
    chat_count: int = 5
    chat_seconds: float = 10.0
    clock_least: float = 10.0
    #: Seconds: the least that a table may grant somebody who is away.
    absence_least: float = 60.0
    #: Seconds after which somebody who left is away: a reload of the page is no absence.
    away_after: float = 10.0
    slow_reader_seconds: float = 30.0
    live_tables: int = 5000
    idle_seconds: float = 300.0

    #: Reviews of games: thinking time for one person, on average and at once.
    review_share: float = 0.1
    review_burst: float = 300.0
    #: The search that reviews games.
    review_bot: str = "champion:time=0.3"

    bot_workers: int = 2
    #: Processes for analyses, reviews and records; one address has one of them at a time.
    study_workers: int = 2
    bot_delay: float = 0.4
    default_bot: str = "greedy"
    #: A running game without a decision for so long is ended as abandoned.
    abandon_days: float = 60.0
    #: A table nobody started is removed after so long.
    stale_open_days: float = 14.0
    snapshot_every: int = 32

    #: The club's mail account; with it and `public_url` people may be told by e-mail.
    mail_host: str = ""
    #: 0: the usual one of the security chosen.
    mail_port: int = 0
    #: "starttls", "tls" from the first byte, or "none" (a mail server on this machine).
    mail_security: Literal["starttls", "tls", "none"] = "starttls"
    mail_user: str = ""
    mail_password: str = ""
    mail_from: str = ""
    #: Letters to one mailbox and of one person that nobody has agreed to yet, and new webhooks of one
    #: person; five times as many from one address.
    letters_per_hour: int = 5
    #: Web Push, with `public_url`.
    push: bool = True
    #: Hosts of the push services that browsers may name, with all below them.
    push_services: tuple[str, ...] = (
        "fcm.googleapis.com",
        "push.services.mozilla.com",
        "push.apple.com",
        "notify.windows.com",
    )
    #: Services a table's webhook may be of, with `public_url`: "discord", "slack", "json".
    webhooks: tuple[Literal["discord", "slack", "json"], ...] = ("discord", "slack")
    #: Let push and plain webhooks lead into private networks, by http and any port.
    notify_private: bool = False
    #: Who left while it was his turn is told after so many seconds.
    notify_after: float = 60.0
    #: How this server calls itself in notifications and printed links.
    public_url: str = ""
    log_level: str = "info"
    log_json: bool = False

    def is_called(self, host: str) -> bool:
        """Whether a request may name this host, with or without a port."""
        names = _names(self.hosts, self.public_url)
        found = _NAMED.fullmatch(host)
        name = found[1].strip("[]") if found is not None else ""
        if names or self.proxies or not is_near(self.host):
            return not names or name in names
        # Only browsers on this machine come here. Another site could give its own name our number
        # (DNS rebinding) and so have theirs ask us what it likes; it cannot do so with a number.
        return is_near(name) or _is_number(name)

    @property
    def sends_mail(self) -> bool:
        """Whether the host has set up e-mail."""
        return bool(self.mail_host and self.mail_from and self.public_url)

    @property
    def sends_push(self) -> bool:
        """Whether the host has set up push."""
        return self.push and bool(self.public_url)

    @property
    def calls_webhooks(self) -> bool:
        """Whether the host has set up webhooks."""
        return bool(self.webhooks and self.public_url)

    def folder(self) -> Path:
        """Where the embedded database lies."""
        if self.data:
            return Path(self.data).expanduser()
        base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
        return Path(base).expanduser() / "hansa"

    def url(self) -> str:
        """The database's address."""
        return self.database or f"sqlite:///{self.folder() / 'hansa.sqlite3'}"


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=4096)
def is_near(name: str) -> bool:
    """Whether this name or number leads to the very machine that asks, and nowhere else."""
    if _is_number(name):
        return ipaddress.ip_address(name).is_loopback
    return name == "localhost" or name.endswith(".localhost")


@lru_cache(maxsize=16)
def _names(hosts: tuple[str, ...], public_url: str) -> frozenset[str]:
    """What this server is called, as browsers say it; nothing: anything."""
    addresses = [f"http://{host}" for host in hosts] + ([public_url] if public_url else [])
    return frozenset(map(_host, addresses))


def _host(address: str) -> str:
    """The name in an address, without its port, as it travels; empty where there is none."""
    try:
        return (urlsplit(address).hostname or "").encode("idna").decode()
    except ValueError:
        return ""


def load(
    file: str | Path | None = None,
    environ: Mapping[str, str] | None = None,
    **chosen: Any,
) -> Config:
    """Put the settings together; what is None in `chosen` counts as not chosen."""
    environ = os.environ if environ is None else environ
    values: dict[str, Any] = {}
    file = file or environ.get("HANSA_CONFIG")
    if file:
        values |= _from_file(Path(file))
    values |= _from_environment(environ)
    values |= {key: value for key, value in chosen.items() if value is not None}
    for name, instead in _GONE.items():
        if name in values or f"HANSA_{name.upper()}" in environ:
            raise ConfigError(f"settings: {name} is gone: {instead} (docs/server.md)")
    try:
        config = msgspec.convert(values, Config, strict=False)
    except msgspec.ValidationError as error:
        raise ConfigError(f"settings: {error}") from error
    _check_numbers(config)
    _check_names(config)
    # Links are put together with it.
    return msgspec.structs.replace(config, public_url=config.public_url.rstrip("/"))


def _check_numbers(config: Config) -> None:
    """What nobody can mean: it would go wrong later, where nobody sees why."""
    for name in Config.__struct_fields__:
        value = getattr(config, name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if not math.isfinite(value) or value < 0 or (value == 0 and name not in _MAY_BE_NOTHING):
            raise ConfigError(f"settings: {name} is {value:g}, and must be more than 0")


def _check_names(config: Config) -> None:
    """A server without a name that can be said would refuse everything."""
    url = config.public_url
    if url and not (url.startswith(("http://", "https://")) and _host(url)):
        raise ConfigError(f"settings: public_url is like https://play.example.org, not {url}")
    for host in config.hosts:
        if "/" in host or not _host(f"http://{host}"):
            raise ConfigError(f"settings: hosts are like play.example.org, not {host}")
    for proxy in config.proxies:
        try:
            ipaddress.ip_network(proxy, strict=False)
        except ValueError as error:
            raise ConfigError(f"settings: proxies: {error}") from error


def unknown(environ: Mapping[str, str] | None = None) -> list[str]:
    """Names in the environment that look like settings of ours but are none."""
    environ = os.environ if environ is None else environ
    known = {f"HANSA_{name.upper()}" for name in Config.__struct_fields__} | _NOT_SETTINGS
    return sorted(name for name in environ if name.startswith("HANSA_") and name not in known)


def _from_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the settings in {path}: {error.strerror}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name in Config.__struct_fields__:
        text = environ.get(f"HANSA_{name.upper()}")
        if text is None:
            continue
        listed = isinstance(getattr(Config(), name), tuple)
        values[name] = [part for part in text.split(",") if part] if listed else text
    return values
