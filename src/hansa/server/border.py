"""The border: who may ask at all, who is asking, and how errors look outside."""

from __future__ import annotations

import asyncio
import re
import traceback
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import structlog
from litestar import Response
from litestar.datastructures import MutableScopeHeaders
from litestar.di import NamedDependency
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException

from hansa.server.accounts import banned
from hansa.server.errors import TableError
from hansa.server.hub import Hub
from hansa.server.keys import digest
from hansa.server.limits import counted
from hansa.server.metrics import HTTP
from hansa.server.queues import ASKED_FROM
from hansa.server.wire.errors import ErrorBody

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    import sqlalchemy as sa
    from litestar import Request
    from litestar.connection import ASGIConnection
    from litestar.types import ASGIApp, Message, Receive, Scope, Send

    from hansa.server.model import Person

__all__ = [
    "Border",
    "Caller",
    "TheCaller",
    "TheHub",
    "dress",
    "on_error",
    "on_http_error",
    "on_table_error",
]

T = TypeVar("T")
COOKIE = "hansa_session"
_YEAR = 34_560_000
#: Seconds after which one is told that one asks too often.
_HELD_UP = 1.0
_SAFE = {"GET", "HEAD", "OPTIONS"}
_ID = re.compile(r"[0-9A-Za-z]{1,24}")
_log = structlog.get_logger()
_BY_STATUS = {
    400: "bad_request",
    401: "who_are_you",
    403: "not_allowed",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many",
}
_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "font-src 'self' data:; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'self'"
)


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The address that limits are counted by (the proxy's word is taken by uvicorn)."""
    return counted(connection.client.host) if connection.client else "unknown"


def same_site(origin: str | None, host: str | None, allowed: tuple[str, ...]) -> bool:
    """Browsers always name the origin of a request that could do harm; programs send none."""
    if origin is None:
        return True
    if origin in allowed:
        return True
    # Compared as text: an origin is nothing but scheme, host and port.
    scheme, _, named = origin.partition("://")
    return bool(host) and scheme in {"http", "https"} and named == host


class Border:
    """Around the whole application: refuses cross-site requests and too many of them.

    Whatever is asked for is counted, addresses that lead nowhere too; `files` of the page by themselves.
    """

    def __init__(self, hub: Hub, files: Container[str], app: ASGIApp) -> None:
        self._hub, self._files, self._app = hub, files, app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at one request."""
        client = scope.get("client")
        address = counted(client[0]) if client else "unknown"
        try:
            await self._check(scope, address)
        except TableError as error:
            await _refuse(scope, send, error)
        else:
            if scope["type"] != ScopeType.WEBSOCKET:
                send = self._paid_for(address, send)
            await self._app(scope, receive, send)

    def _paid_for(self, address: str, send: Send) -> Send:
        """The same, and what is sent is counted."""
        charge = self._hub.answers.charge

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.body":
                charge(address, len(message["body"]))
            await send(message)

        return sending

    async def _check(self, scope: Scope, address: str) -> None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1").lower()
        # Probes on this machine ask by number.
        probe = scope["path"].startswith(("/health", "/metrics"))
        if not probe and not self._hub.config.is_called(host):
            raise TableError(
                "bad_request",
                "This server does not have that name; its host says it with public_url or hosts.",
            )
        ASKED_FROM.set(address)
        if scope["type"] == ScopeType.WEBSOCKET:
            if self._hub.cut_off:
                # Not accepted and closed: so the proxy asks the next worker.
                raise TableError("busy", "The store does not answer here; try again in a moment.")
            # Before it is accepted: a crowd of one address is let in one after the other.
            await self._hub.openings.turn(address)
            return
        if scope["method"] not in _SAFE:
            origin = headers.get(b"origin")
            if not same_site(
                origin.decode("latin-1") if origin is not None else None,
                host or None,
                self._hub.config.origins,
            ):
                raise TableError("cross_site", "Requests from other sites are refused.")
        is_file = scope["path"].lstrip("/") in self._files
        try:
            (self._hub.files if is_file else self._hub.requests).check(address)
            self._hub.answers.check(address)
            self._hub.bodies.check(address)
        except TableError:
            # Refusing takes its time as well: who asks on at once is held up, not the others.
            await asyncio.sleep(_HELD_UP)
            raise
        # Before it has come in: who sends hundreds at once has none of them checked after another.
        self._hub.bodies.charge(address, _announced(headers, self._hub.config.body_bytes))


def _announced(headers: dict[bytes, bytes], most: int) -> int:
    """Bytes of the body that follows; one whose end nobody tells has as many as it may."""
    if b"transfer-encoding" in headers:
        return most
    return min(most, int(headers.get(b"content-length", b"0")))


async def _refuse(scope: Scope, send: Send, error: TableError) -> None:
    """Answer a request, or a handshake as any request is answered."""
    kind = "websocket.http" if scope["type"] == ScopeType.WEBSOCKET else "http"
    body = msgspec.json.encode(error.body())
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        *((name.encode(), value.encode()) for name, value in _when(error).items()),
    ]
    start: Any = {"type": f"{kind}.response.start", "status": error.status, "headers": headers}
    await send(start)
    rest: Any = {"type": f"{kind}.response.body", "body": body}
    await send(rest)


def _when(error: TableError) -> dict[str, str]:
    """The header that says how long to wait, where that is known."""
    if "retry_after" not in error.detail:
        return {}
    return {"retry-after": str(max(1, round(error.detail["retry_after"])))}


class Caller:
    """Who is asking; a guest is made only when one is needed."""

    def __init__(self, hub: Hub, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        self._hub, self._connection = hub, connection
        self.person: Person | None = None
        self.session: str | None = None
        self._cookie: str | None = connection.cookies.get(COOKIE)
        #: A program asks, not a person in a browser.
        self.program = False
        #: Whether he may have what costs much.
        self._let = False

    async def find(self) -> Caller:
        """Read cookie or token."""
        authorization = self._connection.headers.get("authorization")
        if authorization is not None:
            scheme, _, token = authorization.partition(" ")
            if scheme.lower() != "bearer":
                raise TableError("bad_token", "Send a token as `Authorization: Bearer TOKEN`.")
            self.program = True
            self.person = await self._hub.keys.by_token(token.strip())
            self.session = digest(token.strip())
            return self
        self.person = await self._hub.keys.by_cookie(self._cookie)
        self.session = self._hub.keys.session_key(self._cookie) if self.person else None
        return self

    @property
    def address(self) -> str:
        """Where the question comes from."""
        return address_of(self._connection)

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """A read that costs something, at the expense of whoever asks.

        Raises:
            TableError: `too_many` where he has had his share.
        """
        begun = self._let
        self.check_work()
        return await self._hub.heavy.read(self.address, self._id, work, begun=begun)

    def check_work(self) -> None:
        """Raise `too_many` where he has had his share; not in the middle of what he was let begin."""
        if not self._let:
            self._hub.heavy.check(self.address, self._id)
            self._let = True

    def pay_bytes(self, count: int) -> None:
        """Note that much was sent to whoever asks."""
        self._hub.heavy.pay_bytes(self.address, self._id, count)

    @property
    def _id(self) -> str | None:
        return self.person.id if self.person else None

    async def somebody(self, name: str | None = None) -> Person:
        """The person asking; a new guest if there was none."""
        self._check_ban()
        if self.person is None:
            self._hub.guests.check(self.address)
            self.person, self._cookie = await self._hub.accounts.guest(name, self.agent)
            self.set_cookie(self._cookie)
        return self.person

    def known(self) -> Person:
        """The person asking, who must have been here before."""
        if self.person is None:
            raise TableError("who_are_you", "Say who you are first: POST /api/me, or sign in.")
        self._check_ban()
        return self.person

    def _check_ban(self) -> None:
        """Whoever is banned is known, and may look, and nothing else."""
        if self.person is not None and self.person.is_banned():
            raise banned(self.person.banned or 0)

    def owner(self) -> Person:
        """The person asking, in a browser: a program changes nothing about who may be this person.

        Raises:
            TableError: `not_allowed` with a token.
        """
        if self.program:
            raise TableError("not_allowed", "A token cannot do this: sign in with a browser.")
        return self.known()

    @property
    def agent(self) -> str:
        """What the browser says of itself."""
        return self._connection.headers.get("user-agent", "")

    def cookie(self) -> str | None:
        """The cookie as it came, or that of the guest just made."""
        return self._cookie

    def set_cookie(self, value: str | None) -> None:
        """Set or, with None, delete the cookie on the answer."""
        secure = "; Secure" if self._hub.config.secure_cookies else ""
        age = 0 if value is None else _YEAR
        self._connection.state.hansa_cookie = (
            f"{COOKIE}={value or ''}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}"
        )


def checked_id(game: str) -> str:
    """An id that could exist: anything else is not found, whatever it tries."""
    if not _ID.fullmatch(game):
        raise TableError("not_found", "There is no such table.")
    return game


#: What handlers ask for.
TheHub = NamedDependency[Hub]
TheCaller = NamedDependency[Caller]


async def dress(message: Message, scope: Scope) -> None:
    """Put the cookie and the safety headers on every answer."""
    if message["type"] != "http.response.start":
        return
    HTTP.labels(message["status"]).inc()
    headers = MutableScopeHeaders.from_message(message)
    cookie = scope.get("state", {}).get("hansa_cookie")
    if cookie is not None:
        headers.add("set-cookie", cookie)
    headers["x-content-type-options"] = "nosniff"
    # Invite links are secrets: no other site learns them from a Referer.
    headers["referrer-policy"] = "same-origin"
    headers["content-security-policy"] = _POLICY
    if scope["litestar_app"].state.hub.config.secure_cookies:
        headers["strict-transport-security"] = "max-age=31536000"
    if "cache-control" not in headers:
        headers["cache-control"] = "no-store"


def on_table_error(_request: Request[Any, Any, Any], error: TableError) -> Response[Any]:
    """The body of protocol section 2."""
    return Response(error.body(), status_code=error.status, headers=_when(error))


def on_http_error(_request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """The framework's own complaints in the same form."""
    status = error.status_code
    code = _BY_STATUS.get(status, "bad_request" if status < 500 else "internal")
    detail: dict[str, Any] = {}
    if isinstance(error.extra, list):
        detail["fields"] = error.extra
    body = ErrorBody(code=code, message=str(error.detail), detail=detail)
    _let_go(error)
    return Response(body, status_code=status, headers=error.headers)


def _let_go(error: HTTPException) -> None:
    """What was refused shall be gone with its answer.

    The framework keeps what was wrong with a body in a list that its own traceback leads back to: so the
    body, fourteen times as large as it came in, stayed until Python's garbage collector came.
    """
    for frame, _ in traceback.walk_tb(error.__traceback__):
        for held in frame.f_locals.values():
            if isinstance(held, Exception):
                held.__traceback__ = held.__context__ = None


def _arose_in(error: Exception) -> str:
    """The module in which it was raised: the same fault elsewhere is ours."""
    return str([*traceback.walk_tb(error.__traceback__)][-1][0].f_globals["__name__"])


def log_fault(connection: ASGIConnection[Any, Any, Any, Any], error: Exception) -> None:
    """What went wrong here, with everything, for the host alone."""
    _log.error("internal error", path=connection.url.path, exc_info=error)


def on_error(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Our fault: logged with everything, told without anything."""
    if isinstance(error, RecursionError):
        # Brackets within brackets, deeper than anything that was ever meant.
        return on_table_error(request, TableError("bad_request", "This is nested too deeply."))
    if isinstance(error, UnicodeDecodeError) and _arose_in(error).startswith("litestar."):
        # The framework expects every complaint about JSON but this one.
        return on_table_error(request, TableError("bad_request", "This is no UTF-8."))
    log_fault(request, error)
    body = TableError("internal", "Something went wrong here.")
    return Response(body.body(), status_code=body.status)
