"""The one door outward: what an address means, where it may lead, and services with fields of their own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import socket
import ssl
import threading
from typing import Any

import httpcore
import msgspec
import pytest
from tests.server.outside import Browser, listening
from tests.server.proxy import NAME, Proxy
from tests.server.test_hub import in_hub, wish

from hansa.server import hooks, outward
from hansa.server.config import load
from hansa.server.errors import TableError
from hansa.server.outward import Door, PrivateAddress, Target, is_public, parse
from hansa.server.tidings import Tiding
from hansa.server.wire.calls import HookWish, PushWish


@pytest.mark.parametrize(
    "address",
    [
        "https://a@127.0.0.1:8531@1.1.1.1/admin?method=DELETE",
        "json://a@127.0.0.1:8531@1.1.1.1/admin?method=DELETE",
        "https://1.1.1.1:8531/",
        "https://127.0.0.1/",
        "https://0x7f000001/",
        "https://2130706433/",
        "https://127.1/",
        "https://[::1]/",
        "https://example.org\\@127.0.0.1/",
        "https://example.org/a b",
        "https://example.org/\r\nX: y",
        "https://example.org#@127.0.0.1/",
        "http://example.org/",
        "https:///x",
        "https://exämple.org/",
        "//example.org/",
        "https://a..example.org/",
        "https://example.org./",
        "https://-a.example.org/",
        f"https://{'a' * 64}.example.org/",
        f"https://{'a.' * 30}org/",
        "",
    ],
)
def test_an_address_has_one_meaning_or_none(address):
    with pytest.raises(TableError) as refused:
        parse(address)
    assert refused.value.code == "bad_request"


def test_what_is_parsed_is_what_is_called():
    target = parse("https://example.org/in/here?x=1&to=127.0.0.1")
    assert (target.host, target.port, target.path) == (
        "example.org",
        443,
        "/in/here?x=1&to=127.0.0.1",
    )


@pytest.mark.parametrize(
    "number",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.1",
        "224.0.0.1",
        "::1",
        "::",
        "fe80::1%eth0",
        "fd00::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::a00:1",
        "::127.0.0.1",
        "fec0::1",
        "5f00::1",
        "4000::1",
        "2002:7f00:1::",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    ],
)
def test_private_networks_are_refused_after_resolving(number, monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", _answers(number))
    assert not is_public(number)

    async def work() -> None:
        door = Door()
        with pytest.raises(PrivateAddress):
            await door.post(parse("https://innocent.example/"), b"", {})
        await door.close()

    asyncio.run(work())


@pytest.mark.parametrize("number", ["8.8.8.8", "2001:4860:4860::8888", "64:ff9b::808:808"])
def test_the_public_network_is_reached(number):
    assert is_public(number)


def test_one_private_number_among_public_ones_is_enough(monkeypatch):
    """Which of several is tried is chance: none is."""
    mixed = [_answers(number)("", 443)[0] for number in ("8.8.8.8", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: mixed)

    async def work() -> None:
        door = Door()
        with pytest.raises(PrivateAddress):
            await door.post(parse("https://innocent.example/"), b"", {})
        await door.close()

    asyncio.run(work())


def _answers(*numbers: str, asked: list[str] | None = None) -> Any:
    waiting = list(numbers)

    def resolve(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        if asked is not None:
            asked.append(host)
        number = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        family = socket.AF_INET6 if ":" in number else socket.AF_INET
        return [(family, socket.SOCK_STREAM, 6, "", (number, port))]

    return resolve


def test_what_a_name_means_is_asked_once(monkeypatch):
    """A name that is public when it is looked at, and private a moment later, leads nowhere else."""
    asked: list[str] = []
    reached: list[str] = []

    async def connect(_self: Any, host: str, *_: Any) -> None:
        reached.append(host)
        raise httpcore.ConnectError("unreachable")

    async def work() -> None:
        monkeypatch.setattr(socket, "getaddrinfo", _answers("8.8.8.8", "127.0.0.1", asked=asked))
        monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect)
        door = Door()
        assert await door.post(parse("https://rebinding.example/"), b"", {}) is None
        await door.close()

    asyncio.run(work())
    assert (asked, reached) == (["rebinding.example"], ["8.8.8.8"])


def test_a_service_that_never_answers_is_given_up(monkeypatch):
    monkeypatch.setattr(outward, "_PATIENCE", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()

        async def work() -> int | None:
            door = Door(private=True)
            target = parse(f"http://127.0.0.1:{silent.getsockname()[1]}/", private=True)
            try:
                return await door.post(target, b"", {})
            finally:
                await door.close()

        assert asyncio.run(work()) is None


def test_an_answer_that_does_not_begin_is_given_up():
    """Announcements without an end were taken apart until the time was up, by the one event loop."""
    with socket.socket() as service:
        service.bind(("127.0.0.1", 0))
        service.listen()

        def announce() -> None:
            connection, _ = service.accept()
            with connection, contextlib.suppress(OSError):
                connection.sendall(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 5000)
                connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
                while connection.recv(1000):
                    pass

        announcing = threading.Thread(target=announce)
        announcing.start()
        port = service.getsockname()[1]
        assert _posted(Target("http", "127.0.0.1", port, "/")) is None
        announcing.join()


@pytest.mark.skipif(shutil.which("nginx") is None, reason="needs nginx")
def test_https_leads_to_whoever_has_the_certificate(tmp_path, monkeypatch):
    with listening() as service:
        proxy = Proxy(tmp_path, [service.port], tls=True)
        number = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", proxy.port))]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_given, **_more: number)
        target = Target("https", NAME, proxy.port, "/api/x")
        try:
            assert _posted(target) is None
            trusting = ssl.create_default_context(cafile=proxy.certificate)
            where = "httpcore._async.connection.default_ssl_context"
            monkeypatch.setattr(where, lambda: trusting)
            assert _posted(target) == 201
            assert [path for path, _, _ in service.heard] == ["/api/x"]
        finally:
            proxy.stop()


def _posted(target: Target) -> int | None:
    async def work() -> int | None:
        door = Door(private=True)
        try:
            return await door.post(target, b"{}", {})
        finally:
            await door.close()

    return asyncio.run(work())


def test_webhooks_that_never_answer_hold_up_no_push(tmp_path, monkeypatch):
    """One guest's table calls an address that is silent, over and over: others are told all the same."""
    monkeypatch.setattr(outward, "_PATIENCE", 300.0)

    async def work(hub, _person):
        silent.listen(100)
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        made = hooks.hook(HookWish(service="json", address=address), hub.config)
        waiting = [asyncio.ensure_future(hub.postman._post(made, TURN)) for _ in range(30)]
        for _ in range(20):
            came, _ = await asyncio.get_running_loop().sock_accept(silent)
            open_ones.enter_context(came)
        device = msgspec.convert(Browser(service).wish, PushWish)
        assert await hub.postman.push(device, TURN) == "sent"
        assert not any(task.done() for task in waiting)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    with listening() as service, socket.socket() as silent, contextlib.ExitStack() as open_ones:
        silent.setblocking(False)
        silent.bind(("127.0.0.1", 0))
        in_hub(tmp_path, work, **NEAR)


def test_names_that_nobody_answers_for_hold_up_no_push(tmp_path, monkeypatch):
    """The name server of a webhook is silent: others' names are asked for all the same."""
    resolve, answer = socket.getaddrinfo, threading.Event()

    def asked(host: str, *rest: Any, **more: Any) -> Any:
        if host == "silent.example":
            answer.wait()
            raise OSError
        return resolve(host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", asked)

    async def work(hub, _person):
        wish = HookWish(service="json", address="http://silent.example/")
        made = hooks.hook(wish, hub.config)
        waiting = [asyncio.ensure_future(hub.postman._post(made, TURN)) for _ in range(40)]
        await asyncio.sleep(0)
        device = msgspec.convert(Browser(service).wish, PushWish)
        try:
            assert await hub.postman.push(device, TURN) == "sent"
        finally:
            answer.set()
            await asyncio.gather(*waiting)

    with listening() as service:
        in_hub(tmp_path, work, **NEAR)


def test_a_webhook_is_not_flooded(tmp_path):
    """However fast two people decide: what is too much is left out."""

    async def work(hub, _person):
        made = hooks.hook(HookWish(service="json", address=service.address), hub.config)
        for _ in range(60):
            await hub.postman.post(made, TURN)
        assert 30 <= len(service.heard) < 60

    with listening() as service:
        in_hub(tmp_path, work, **NEAR)


# Services with fields of their own

NEAR: dict[str, Any] = {
    "webhooks": ("json",),
    "public_url": "https://club.example",
    "notify_private": True,
    "push_services": ("127.0.0.1",),
}
TURN = Tiding(
    kind="turn",
    key="turn:1",
    game="k7Qm2xWd9aTe",
    table="@everyone *Kontor*",
    board="east",
    who="<!here>",
)


@pytest.mark.parametrize(
    ("service", "address", "host", "path"),
    [
        (
            "discord",
            "https://discord.com/api/webhooks/123456789012345678/" + "a" * 60,
            "discord.com",
            "/api/webhooks/123456789012345678/" + "a" * 60,
        ),
        (
            "discord",
            "https://canary.discord.com/api/v10/webhooks/123456789012345678/" + "a" * 60,
            "discord.com",
            "/api/webhooks/123456789012345678/" + "a" * 60,
        ),
        (
            "slack",
            "https://hooks.slack.com/services/T0123/B0123/" + "c" * 24,
            "hooks.slack.com",
            "/services/T0123/B0123/" + "c" * 24,
        ),
    ],
)
def test_webhooks_of_known_services(service, address, host, path):
    config = load(environ={}, public_url="https://club.example")
    made = hooks.hook(HookWish(service=service, address=address), config)
    target = hooks.target(made, config)
    assert (target.scheme, target.host, target.port, target.path) == ("https", host, 443, path)
    said = json.loads(hooks.body(made, TURN, "https://club.example/g/k7Qm2xWd9aTe"))
    text = said.get("content") or said["text"]
    assert "The Eastern League" in text
    assert "<!here>" not in text
    assert "@everyone" not in text.replace("\\@", "") or service == "slack"
    assert said.get("allowed_mentions", {"parse": []}) == {"parse": []}
    for wrong in (address + "/../x", address.replace("https://", "https://evil.example@"), "x"):
        with pytest.raises(TableError, match="copy its whole address"):
            hooks.hook(HookWish(service=service, address=wrong), config)
    with pytest.raises(TableError, match="discord, slack"):
        hooks.hook(HookWish(service="json", address="https://example.org/x"), config)


def test_a_plain_webhook_goes_through_the_same_door(tmp_path):
    """Allowed by the host, it still leads into no private network."""
    heard: list[int] = []

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "open"))
        made = hooks.hook(HookWish(service="json", address="https://localhost/x"), hub.config)
        outcome = await hub.postman._post(made, TURN)
        heard.append(len(table.meta.seats))
        assert outcome == "never"

    in_hub(tmp_path, work, webhooks=("json",), public_url="https://club.example")
    assert heard == [2]
