"""The one door outward: whatever this server sends to an address that a person named.

An address is taken apart once, by one pattern, into host, port and path; its name is resolved once,
where the connection is made, and the connection goes to the very number that was looked at. So
neither a second parser nor a second answer of a name server leads anywhere else. Redirects are
answers like any other: nobody follows them.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import httpcore
import msgspec

from hansa.server.errors import TableError

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable

__all__ = ["Door", "PrivateAddress", "Target", "is_public", "parse"]

#: Seconds for one message: name, connection, request and answer together.
_PATIENCE = 10.0
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_ADDRESS = re.compile(
    rf"(?P<scheme>https?)://(?P<host>{_LABEL}(?:\.{_LABEL}){{0,20}})"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<path>/[A-Za-z0-9._~!$&'()*+,;=:@%/?-]{0,900})?"
)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
#: All that has ever been given out of the sixth version: what lies beside it has meanings of its own.
_UNICAST = ipaddress.ip_network("2000::/3")
#: Of several numbers of one name so many are tried.
_TRIED = 3
#: Bytes of an answer that are read: its status and what else stands before its text.
_BEGINNING = 16_384


class PrivateAddress(OSError):
    """A connection into a private network, refused before its first byte."""


class Target(msgspec.Struct, frozen=True):
    """Where a message goes: the parts, never put together to be parsed again."""

    scheme: str
    host: str
    port: int
    path: str


def parse(address: str, *, private: bool = False) -> Target:
    """The parts of an address; `private` allows plain http and other ports too.

    Raises:
        TableError: `bad_request`.
    """
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise TableError("bad_request", "This is no address of the form https://host/path.")
    scheme = found["scheme"]
    usual = 443 if scheme == "https" else 80
    target = Target(scheme, found["host"], int(found["port"] or usual), found["path"] or "/")
    if not private and (scheme != "https" or target.port != 443 or _is_number(target.host)):
        raise TableError("bad_request", "Only https://name/… without a port can be called.")
    if not 0 < target.port < 65_536:
        raise TableError("bad_request", "There is no such port.")
    return target


def _is_number(host: str) -> bool:
    """No name of a host ends in a label of figures: that is an address, however it is written."""
    last = host.rpartition(".")[2]
    return re.fullmatch(r"[0-9]+|0x[0-9a-f]*", last) is not None


def is_public(number: str) -> bool:
    """Whether an IP address belongs to the public network, also where it wraps another one."""
    try:
        found = ipaddress.ip_address(number.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if found in _NAT64:
            inner = ipaddress.IPv4Address(found.packed[-4:])
        if found.teredo is not None:
            return False
        if inner is not None:
            return is_public(str(inner))
        if found not in _UNICAST:
            return False
    return found.is_global and not found.is_multicast


class Door:
    """Sends; `private` opens it to the host's own networks too (tests, a club behind one router)."""

    def __init__(self, *, private: bool = False) -> None:
        # Of its own: a name server that is silent holds a thread for longer than anybody waits for it.
        self._names = ThreadPoolExecutor(4, thread_name_prefix="names")
        self._pool = httpcore.AsyncConnectionPool(
            max_connections=20,
            max_keepalive_connections=0,
            network_backend=_Pinned(private, self._names),
        )

    async def post(self, target: Target, content: bytes, headers: dict[str, str]) -> int | None:
        """The status of the answer, whose text nobody reads; None where there was none.

        Raises:
            PrivateAddress: the name leads into a private network.
        """
        url = httpcore.URL(
            scheme=target.scheme, host=target.host, port=target.port, target=target.path
        )
        given = [("User-Agent", "Hansa"), *headers.items()]
        try:
            async with (
                asyncio.timeout(_PATIENCE),
                self._pool.stream("POST", url, headers=given, content=content) as answer,
            ):
                return int(answer.status)
        except PrivateAddress:
            raise
        except (
            OSError,
            httpcore.NetworkError,
            httpcore.ProtocolError,
            httpcore.TimeoutException,
        ):
            return None

    async def close(self) -> None:
        """Let every connection go."""
        self._names.shutdown(wait=False, cancel_futures=True)
        await self._pool.aclose()


class _Pinned(httpcore.AsyncNetworkBackend):
    """Resolves a name once, looks at what it means, and connects to just that."""

    def __init__(self, private: bool, names: ThreadPoolExecutor) -> None:
        self._private, self._names = private, names
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to what the name means now."""
        loop = asyncio.get_running_loop()
        resolve = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = await loop.run_in_executor(self._names, resolve)
        numbers = [str(entry[4][0]) for entry in found]
        if not self._private and not all(map(is_public, numbers)):
            raise PrivateAddress("this address leads into a private network")
        error: Exception = OSError(f"{host} has no address")
        for number in numbers[:_TRIED]:
            try:
                return _Brief(
                    await self._network.connect_tcp(
                        number, port, timeout, local_address, socket_options
                    )
                )
            except httpcore.ConnectError as failed:
                error = failed
        raise error


class _Brief(httpcore.AsyncNetworkStream):
    """A connection on which an answer has a beginning and nothing else.

    Whoever is called could go on announcing one for ever (`103 Early Hints`), and taking each
    announcement apart would leave the event loop no time for anybody.
    """

    def __init__(self, stream: httpcore.AsyncNetworkStream) -> None:
        self._stream, self._left = stream, _BEGINNING

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - as above
        if not self._left:
            raise httpcore.ReadError("this answer does not begin")
        found = await self._stream.read(min(max_bytes, self._left), timeout)
        self._left -= len(found)
        return found

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - as above
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - as above
    ) -> httpcore.AsyncNetworkStream:
        return _Brief(await self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
