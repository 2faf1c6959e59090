"""The WebSocket's door: who comes in, and how many."""

from collections import Counter
from typing import Any, cast

from litestar import WebSocket, websocket
from litestar.params import FromPath
from litestar.types import Empty
from litestar.utils.scope.state import ScopeState

from hansa.server import ties
from hansa.server.border import Caller, TheHub, address_of, checked_id, log_fault, same_site
from hansa.server.errors import TableError
from hansa.server.hub import Hub
from hansa.server.limits import too_many
from hansa.server.realtime import CLOSES, Connection
from hansa.server.table import Table
from hansa.server.wire.socket import Close

__all__ = ["table_socket"]

#: Sockets with which somebody is at a table as a player: a few pages and a telephone. With more of them
#: he is one of those who watch.
_OWN = 3


@websocket("/api/games/{game_id:str}/socket")
async def table_socket(
    socket: WebSocket[Any, Any, Any], hub: TheHub, game_id: FromPath[str]
) -> None:
    """One client at one table (protocol, section 6)."""
    # Accepted before anything is checked: a refused handshake would hide the reason.
    await socket.accept()
    address = address_of(socket)
    hub.addresses[address] += 1
    try:
        connection, after, chat = await _enter(socket, hub, address, game_id)
    except TableError as error:
        await socket.close(CLOSES.get(error.status, Close.UNREADABLE), error.message[:100])
    except Exception as error:  # noqa: BLE001 - the framework would close it, and tell nobody why
        log_fault(socket, error)
        await socket.close(Close.INTERNAL, "internal error")
    else:
        await connection.run(after, chat)
    finally:
        hub.addresses[address] -= 1
        if hub.addresses[address] <= 0:
            del hub.addresses[address]


async def _enter(
    socket: WebSocket[Any, Any, Any], hub: Hub, address: str, game_id: str
) -> tuple[Connection, int | None, int | None]:
    config = hub.config
    if not same_site(socket.headers.get("origin"), socket.headers.get("host"), config.origins):
        raise TableError("cross_site", "Connections from other sites are refused.")
    here = hub.addresses[address]
    if len(hub.connections) >= config.connections or here > config.connections_per_address:
        raise too_many("connections", "Too many connections.")
    caller = await Caller(hub, socket).find()
    if caller.person is not None and caller.person.is_banned():
        # Looks on as a stranger does.
        caller.person = caller.session = None
    person = caller.person
    unheard = (
        await hub.store.read(lambda store: ties.blocked_by(store, person.id)) if person else set()
    )
    # Nothing is waited for from here until the connection listens: it would miss what happens.
    table = await hub.opened(checked_id(game_id))
    if not table.may_watch(person):
        raise TableError("not_allowed", "Only those at this table may see it.")
    seated, extra = bool(table.meta.seats_of(person)), table.count_of(person) >= _OWN
    crowd = len(table.listeners) if seated else table.watching()
    full = (extra or not seated) and crowd >= config.watchers_per_table
    if full and not _make_room(table, caller.address):
        raise too_many("watchers", "Enough people watch this table; come back later.")
    after, chat = _whole(socket, "after"), _whole(socket, "chat")
    connection = Connection(hub, socket, table, caller, extra=extra)
    connection.cursor.unheard = unheard
    # Nobody asks for what the handshake said any more, and it would stay as long as the connection.
    cast("list[Any]", socket.scope["headers"]).clear()
    read = ScopeState.from_scope(socket.scope)
    read.headers = read.cookies = Empty
    return connection, after, chat


def _make_room(table: Table, address: str) -> bool:
    """Whether whoever watches with most places gives one of them up for somebody with fewer."""
    sockets = [one for one in table.listeners if isinstance(one, Connection)]
    watching = [one for one in sockets if one.watches and not one.leaving]
    places = Counter(one.address for one in watching)
    most = max(places, key=places.__getitem__, default=address)
    # Not where they would only change places, and take them from each other for ever.
    if places[most] <= places[address] + 1:
        return False
    last = next(one for one in watching if one.address == most)
    last.leave(Close.TOO_MANY, "others would like to watch")
    return True


def _whole(socket: WebSocket[Any, Any, Any], name: str) -> int | None:
    value = socket.query_params.get(name)
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 9 else None
