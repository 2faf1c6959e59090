"""The webhook of a table: a fixed list of services, each with an address of its own form.

Of Discord's and Slack's addresses only the secret parts are kept, and put into the service's own
address; a plain one leads wherever the door lets it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from hansa.server.errors import TableError
from hansa.server.outward import Target, parse
from hansa.server.tidings import Tiding, board_name, sentence
from hansa.server.wire.calls import HookService, HookWish, Lang

if TYPE_CHECKING:
    from hansa.server.config import Config

__all__ = ["Hook", "body", "hook", "target"]

_SERVICES: dict[str, tuple[re.Pattern[str], str, str]] = {
    "discord": (
        re.compile(
            r"https://(?:(?:canary|ptb)\.)?discord(?:app)?\.com"
            r"/api(?:/v\d+)?/webhooks/(\d{10,25}/[\w-]{20,120})/?",
            re.ASCII,
        ),
        "discord.com",
        "/api/webhooks/",
    ),
    "slack": (
        re.compile(r"https://hooks\.slack\.com/services/(\w{5,20}/\w{5,20}/\w{10,60})/?", re.ASCII),
        "hooks.slack.com",
        "/services/",
    ),
}


class Hook(msgspec.Struct, kw_only=True, frozen=True):
    """Where the news of a table go, as it is stored."""

    service: HookService
    #: What only the host of the table knows: the secret part, or the whole of a plain address.
    secret: str
    lang: Lang = "en"


def hook(wish: HookWish, config: Config) -> Hook:
    """A webhook that this server may call.

    Raises:
        TableError: `not_allowed` or `bad_request`.
    """
    if wish.service not in config.webhooks:
        allowed = ", ".join(config.webhooks) or "none"
        raise TableError("not_allowed", f"This server calls these webhooks: {allowed}.")
    if wish.service == "json":
        parse(wish.address, private=config.notify_private)
        return Hook(service=wish.service, secret=wish.address, lang=wish.lang)
    found = _SERVICES[wish.service][0].fullmatch(wish.address.strip())
    if found is None:
        raise TableError(
            "bad_request",
            f"This is no webhook of {wish.service}: copy its whole address from there.",
        )
    return Hook(service=wish.service, secret=found[1], lang=wish.lang)


def target(hook: Hook, config: Config) -> Target:
    """Where its messages go."""
    if hook.service == "json":
        return parse(hook.secret, private=config.notify_private)
    _, host, path = _SERVICES[hook.service]
    return Target("https", host, 443, path + hook.secret)


def body(hook: Hook, tiding: Tiding, link: str) -> bytes:
    """The message as the service takes it; names in it call nobody and are no markup."""
    said = sentence(tiding, hook.lang, to_all=True)
    board = board_name(tiding.board, hook.lang)
    made: dict[str, Any]
    if hook.service == "discord":
        text = f"**{_plain(tiding.table)}** · {board}\n{_plain(said)}\n<{link}>"
        made = {"content": text, "allowed_mentions": {"parse": []}}
    elif hook.service == "slack":
        text = f"*{_escaped(tiding.table)}* · {board}\n{_escaped(said)}\n<{link}>"
        made = {"text": text, "link_names": False}
    else:
        made = {
            "event": tiding.kind,
            "text": said,
            "game": tiding.game,
            "table": tiding.table,
            "board": board,
            "who": tiding.who or None,
            "left": tiding.left,
            "link": link,
        }
    return msgspec.json.encode(made)


def _plain(text: str) -> str:
    r"""Discord's markup as plain letters."""
    return re.sub(r"([\\*_~`|>\[\]()#<@:-])", r"\\\1", text)


def _escaped(text: str) -> str:
    """Slack's three letters, and its markup without effect."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([*_~`])", "\u200b\\1", text)
