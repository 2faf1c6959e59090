"""HTTP: how one is told while away (protocol, section 1), and the links in letters.

Opening a link only asks: programs that look at mail open links too. The button answers, and so does
the one click of a mail program (RFC 8058).
"""

from html import escape
from typing import Annotated

from litestar import Controller, MediaType, Response, delete, get, post, put
from litestar.params import FromPath, JSONBody, PathParameter
from litestar.status_codes import HTTP_200_OK

from hansa.server import calls
from hansa.server.border import TheCaller, TheHub, checked_id
from hansa.server.errors import TableError
from hansa.server.hooks import hook
from hansa.server.hub import Hub
from hansa.server.letters import Letter
from hansa.server.mailing import is_mail
from hansa.server.model import Person
from hansa.server.table_routes import GameId, opened
from hansa.server.tidings import Tiding, letter_words
from hansa.server.wire.calls import Calls, HookWish, MailWish, PushWish, Tested, TestWish
from hansa.server.wire.table import TableFace

__all__ = ["CallRoutes", "HookRoutes", "answer_letter", "open_letter"]

Token = Annotated[str, PathParameter(max_length=600)]
_PAGE = """<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>Hansa</title>
<meta name="viewport" content="width=device-width">
<style>body{{font:17px/1.5 Georgia,serif;max-width:32em;margin:4em auto;padding:0 1em}}
button{{font:inherit;padding:.4em 1.2em}}p{{overflow-wrap:anywhere}}</style>
<h1>Hansa</h1>{body}</html>
"""


def _page(letter: Letter, said: str, after: str) -> Response[str]:
    text = escape(letter_words(letter.lang, said).format(address=letter.address))
    body = f"<p>{text}</p>{after}"
    return Response(_PAGE.format(lang=letter.lang, body=body), media_type=MediaType.HTML)


@get("/api/notify/{token:str}", include_in_schema=False)
async def open_letter(hub: TheHub, token: Token) -> Response[str]:
    """Ask what the link is for."""
    letter = hub.letters.open(token)
    button = f'<form method="post"><button>{letter_words(letter.lang, "yes")}</button></form>'
    return _page(letter, "shall" if letter.on else "shall_not", button)


@post("/api/notify/{token:str}", include_in_schema=False, status_code=200)
async def answer_letter(hub: TheHub, token: Token) -> Response[str]:
    """Do it."""
    letter = hub.letters.open(token)
    await hub.letters.answer(letter)
    home = f'<p><a href="/">{letter_words(letter.lang, "home")}</a></p>'
    return _page(letter, "will" if letter.on else "will_not", home)


async def _how(hub: Hub, person: Person, asked: str | None = None) -> Calls:
    return await hub.store.read(lambda connection: calls.how(connection, person.id, asked))


class CallRoutes(Controller):
    """How one is told while away."""

    path = "/api"
    tags = ("people",)

    @get("/me/calls")
    async def calls(self, hub: TheHub, caller: TheCaller) -> Calls:
        """How one is told, while away, that it is one's turn."""
        return await _how(hub, caller.owner())

    @put("/me/calls/mail")
    async def mail(self, hub: TheHub, caller: TheCaller, data: JSONBody[MailWish]) -> Calls:
        """Be told by e-mail: a letter goes there, and the address is used once it is answered.

        Whoever has an account says its password: the address gets the code for a forgotten one.
        """
        person = caller.owner()
        if not hub.config.sends_mail:
            raise TableError("not_allowed", "This server sends no e-mail.")
        if not is_mail(data.address):
            raise TableError("bad_request", "This is no e-mail address.")
        if person.account is not None:
            hub.logins.check(person.id)
            await hub.accounts.check_password(person, data.password)
        hub.check_letter(person, caller.address, data.address)
        letter = await hub.letters.ask(person, data.address, data.lang)
        hub.spawn(hub.postman.ask_to_confirm(letter))
        return await _how(hub, person, data.address)

    @delete("/me/calls/mail", status_code=HTTP_200_OK)
    async def no_mail(self, hub: TheHub, caller: TheCaller) -> Calls:
        """No more e-mail."""
        person = caller.owner()
        await hub.store.write(lambda connection: calls.set_mail(connection, person.id, None))
        return await _how(hub, person)

    @post("/me/calls/devices", status_code=HTTP_200_OK)
    async def push(self, hub: TheHub, caller: TheCaller, data: JSONBody[PushWish]) -> Calls:
        """Be told by push in the browser that says so."""
        person = caller.owner()
        if hub.postman.pushing.key is None:
            raise TableError("not_allowed", "This server sends no push messages.")
        hub.postman.pushing.target(data.endpoint)
        hub.postman.pushing.message(data, b"")
        await hub.store.write(lambda connection: calls.add_device(connection, person, data))
        return await _how(hub, person)

    @delete("/me/calls/devices/{device:str}", status_code=HTTP_200_OK)
    async def no_push(self, hub: TheHub, caller: TheCaller, device: FromPath[str]) -> Calls:
        """Tell that browser no more."""
        person, wanted = caller.owner(), checked_id(device)
        await hub.store.write(lambda connection: calls.drop_device(connection, person.id, wanted))
        return await _how(hub, person)

    @post("/me/calls/test", status_code=HTTP_200_OK)
    async def test(self, hub: TheHub, caller: TheCaller, data: JSONBody[TestWish]) -> Tested:
        """Send oneself a message as it will look, and say what came of it."""
        person = caller.owner()
        ways = await hub.store.read(lambda connection: calls.reached(connection, person.id))
        tiding = Tiding(kind="test", key="", game="", table="", board="")
        if data.way == "mail" and ways.mail is not None:
            hub.check_letter(person, caller.address, ways.mail)
            done = await hub.postman.write(person.id, ways.mail, ways.lang, tiding)
            return Tested(outcome=done)
        if data.way == "push" and ways.devices:
            hub.check_trial(person, caller.address)
            sent = [await hub.postman.push(device, tiding) for device in ways.devices]
            return Tested(outcome="sent" if "sent" in sent else sent[0])
        raise TableError("not_found", "Nothing is set up there yet.")


class HookRoutes(Controller):
    """The webhook of a table."""

    path = "/api"
    tags = ("tables",)

    @put("/games/{game_id:str}/hook")
    async def set_hook(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[HookWish]
    ) -> TableFace:
        """The host has a webhook told what happens at this table; it gets a first message."""
        table = await opened(hub, caller, game_id)
        person, made = caller.known(), hook(data, hub.config)
        if data.service not in hub.postman.ways.webhooks:
            raise TableError("not_allowed", "This server calls no webhooks.")
        hub.check_hook(person, caller.address)
        await hub.lobby.set_hook(table, person, made)
        hello = Tiding(
            kind="hello",
            key="",
            game=table.id,
            table=table.meta.name,
            board=table.meta.options.board,
        )
        hub.spawn(hub.postman.post(made, hello))
        return table.face(person)

    @delete("/games/{game_id:str}/hook", status_code=HTTP_200_OK)
    async def no_hook(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> TableFace:
        """The host ends that."""
        table = await opened(hub, caller, game_id)
        await hub.lobby.set_hook(table, caller.known(), None)
        return table.face(caller.person)
