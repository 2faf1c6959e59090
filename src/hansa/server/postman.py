"""Carries a message to people and webhooks, and comes again where it was not taken."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import structlog

from hansa.server import calls, hooks
from hansa.server.errors import TableError
from hansa.server.letters import Letter, Letters
from hansa.server.limits import Limiter
from hansa.server.mailing import Mailer, Outcome
from hansa.server.metrics import NOTIFICATIONS
from hansa.server.outward import Door, PrivateAddress, Target
from hansa.server.pushing import Pushing
from hansa.server.tidings import Tiding, board_name, letter_words, sentence
from hansa.server.wire.calls import Lang, PushWish, Ways

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hansa.server.calls import Reached
    from hansa.server.config import Config
    from hansa.server.hooks import Hook
    from hansa.server.store import Store

__all__ = ["Postman"]

_log = structlog.get_logger()
#: Seconds between the tries to deliver one message.
_TRIES = (0.0, 2.0, 60.0)
#: Messages to one webhook: people take longer for a turn, and services refuse more than this.
_HOOK_RATE, _HOOK_BURST = 0.2, 30
#: Codes that are sent at the same time: more than one address may ask for in an hour.
_CODES = 32
#: What an answer means where it is neither a success nor a fault of the moment.
_GONE = {404, 410}


class Postman:
    """E-mail, push and webhooks: all that this server says unasked."""

    def __init__(self, store: Store, config: Config, letters: Letters) -> None:
        self._store, self._config, self._letters = store, config, letters
        self._mailer = Mailer(config)
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="mail")
        #: Nobody's letter waits for a code: how long it took would tell whether there is an account.
        self._coding = ThreadPoolExecutor(_CODES, thread_name_prefix="codes")
        self._door = Door(private=config.notify_private)
        #: For addresses that people name: one that never answers holds up its like, nobody else.
        self._side_door = Door(private=config.notify_private)
        self._hooked = Limiter("messages to a webhook", _HOOK_RATE, _HOOK_BURST)
        self.pushing = Pushing(store, config)

    @property
    def enabled(self) -> bool:
        """Whether the host has set up anything."""
        config = self._config
        return config.sends_mail or config.sends_push or config.calls_webhooks

    @property
    def ways(self) -> Ways:
        """What the host has set up."""
        return Ways(
            mail=self._config.sends_mail,
            push=self.pushing.key,
            webhooks=list(self._config.webhooks) if self._config.calls_webhooks else [],
        )

    async def start(self) -> None:
        """Get the keys."""
        if self._config.sends_push:
            await self.pushing.start()

    async def close(self) -> None:
        """Carry nothing more."""
        for threads in (self._threads, self._coding):
            threads.shutdown(wait=False, cancel_futures=True)
        await self._door.close()
        await self._side_door.close()

    def _page(self, game: str) -> str:
        return f"{self._config.public_url}/g/{game}" if game else self._config.public_url

    # To one person

    async def call(self, ways: Reached, tiding: Tiding) -> None:
        """By every way that leads to somebody."""
        sent = [partial(self.push, device, tiding) for device in ways.devices]
        if ways.mail is not None:
            sent.append(partial(self.write, ways.person, ways.mail, ways.lang, tiding))
        await asyncio.gather(*map(_deliver, sent))

    async def write(self, person: str, address: str, lang: Lang, tiding: Tiding) -> Outcome:
        """A letter: nothing in it was chosen by anybody else."""
        if not self._config.sends_mail:
            return "never"
        stop = self._link(Letter(person=person, address=address, on=False, lang=lang))
        said = sentence(tiding, lang, to_all=False)
        board = f" ({board_name(tiding.board, lang)})" if tiding.board else ""
        body = f"{said}{board}.\n{self._page(tiding.game)}\n\n"
        body += letter_words(lang, "stop").format(link=stop)
        return await self._mail(address, f"Hansa: {said}", body, stop)

    async def push(self, device: PushWish, tiding: Tiding) -> Outcome:
        """To one browser."""
        if self.pushing.key is None:
            return "never"
        board = board_name(tiding.board, device.lang) if tiding.board else ""
        text = msgspec.json.encode(
            {
                "title": sentence(tiding, device.lang, to_all=False),
                "body": " · ".join(filter(None, (tiding.table, board))),
                "path": f"/g/{tiding.game}" if tiding.game else "/",
                "tag": tiding.game or tiding.kind,
                "turn": tiding.kind == "turn",
            }
        )
        try:
            target = self.pushing.target(device.endpoint)
            content, headers = self.pushing.message(device, text)
        except TableError:
            return "never"
        outcome, status = await _knock(self._door, target, content, headers)
        if status in _GONE:
            endpoint = device.endpoint
            await self._store.write(lambda connection: calls.drop_endpoint(connection, endpoint))
        return outcome

    async def ask_to_confirm(self, letter: Letter) -> None:
        """Write to an e-mail address: only who reads it there can have it used."""
        body = letter_words(letter.lang, "ask_text").format(link=self._link(letter))
        subject = letter_words(letter.lang, "ask")
        await _deliver(partial(self._mail, letter.address, subject, body, None))

    async def send_code(self, address: str, account: str, code: str, lang: Lang) -> None:
        """The way to a new password, to the address that is known to be the account's."""
        link = f"{self._config.public_url}/#/me/{account}/{code}"
        body = letter_words(lang, "forgot_text").format(account=account, code=code, link=link)
        send = partial(self._mail, address, letter_words(lang, "forgot"), body, None, self._coding)
        await _deliver(send)

    def _link(self, letter: Letter) -> str:
        return f"{self._config.public_url}/api/notify/{self._letters.write(letter)}"

    async def _mail(
        self,
        to: str,
        subject: str,
        body: str,
        stop: str | None,
        threads: ThreadPoolExecutor | None = None,
    ) -> Outcome:
        send = partial(self._mailer.send, to, subject, body, stop)
        return await asyncio.get_running_loop().run_in_executor(threads or self._threads, send)

    # To a table

    async def post(self, hook: Hook, tiding: Tiding) -> None:
        """To the webhook of a table; what is too much for it is left out."""
        with contextlib.suppress(TableError):
            self._hooked.check(f"{hook.service} {hook.secret}")
            await _deliver(partial(self._post, hook, tiding))

    async def _post(self, hook: Hook, tiding: Tiding) -> Outcome:
        if hook.service not in self.ways.webhooks:
            return "never"
        content = hooks.body(hook, tiding, self._page(tiding.game))
        headers = {"Content-Type": "application/json"}
        door = self._side_door if hook.service == "json" else self._door
        return (await _knock(door, hooks.target(hook, self._config), content, headers))[0]


async def _knock(
    door: Door, target: Target, content: bytes, headers: dict[str, str]
) -> tuple[Outcome, int | None]:
    try:
        status = await door.post(target, content, headers)
    except PrivateAddress:
        _log.warning("message into a private network refused")
        return "never", None
    if status is None or status == 429 or status >= 500:
        return "later", status
    return ("sent" if 200 <= status < 300 else "never"), status


async def _deliver(send: Callable[[], Awaitable[Outcome]]) -> None:
    for wait in _TRIES:
        await asyncio.sleep(wait)
        outcome = await send()
        if outcome != "later":
            NOTIFICATIONS.labels("sent" if outcome == "sent" else "refused").inc()
            return
    NOTIFICATIONS.labels("given up").inc()
    _log.warning("message to somebody who is away given up")
