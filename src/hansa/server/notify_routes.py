"""The links in e-mails: yes, write to me; and no more of it.

Opening a link only asks: programs that look at mail open links too. The button answers.
"""

from html import escape
from typing import Annotated

from litestar import MediaType, Response, get, post
from litestar.params import PathParameter

from hansa.server.border import TheHub
from hansa.server.letters import Letter

__all__ = ["answer_letter", "open_letter"]

Token = Annotated[str, PathParameter(max_length=600)]
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Hansa</title>
<meta name="viewport" content="width=device-width">
<style>body{{font:17px/1.5 Georgia,serif;max-width:32em;margin:4em auto;padding:0 1em}}
button{{font:inherit;padding:.4em 1.2em}}</style>
<h1>Hansa</h1>{body}</html>
"""


def _page(body: str) -> Response[str]:
    return Response(_PAGE.format(body=body), media_type=MediaType.HTML)


def _says(letter: Letter) -> str:
    return "write to" if letter.on else "no longer write to"


@get("/api/notify/{token:str}", include_in_schema=False)
async def open_letter(hub: TheHub, token: Token) -> Response[str]:
    """Ask what the link is for."""
    letter = hub.letters.open(token)
    return _page(
        f"<p>Shall Hansa {_says(letter)} <b>{escape(letter.address)}</b> when it is your turn?</p>"
        '<form method="post"><button>Yes</button></form>'
    )


@post("/api/notify/{token:str}", include_in_schema=False, status_code=200)
async def answer_letter(hub: TheHub, token: Token) -> Response[str]:
    """Do it."""
    letter = hub.letters.open(token)
    await hub.letters.answer(letter)
    return _page(f"<p>Done: Hansa will {_says(letter)} <b>{escape(letter.address)}</b>.</p>")
