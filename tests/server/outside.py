"""What lies outside of a server that tells people who are away: a mail server, a web service, a browser."""

from __future__ import annotations

import base64
import contextlib
import email
import email.policy
import http.server
import json
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def until(met: Callable[[], Any], seconds: float = 60) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := met()):
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)
    return found


class Mailbox:
    """A mail server on 127.0.0.1 that keeps what it gets; it can be told to refuse."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, email.message.EmailMessage]] = []
        self.refuse = 0
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        if self.refuse:
            self.refuse -= 1
            return "451 come again"
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.mails.append((envelope.rcpt_tos[0], mail))
        return "250 OK"

    def to(self, address: str, subject: str) -> list[email.message.EmailMessage]:
        return [
            mail for to, mail in self.mails if to == address and subject in str(mail["subject"])
        ]

    def close(self) -> None:
        self._controller.stop()


class Listener:
    """An HTTP server on 127.0.0.1 that keeps what it is sent."""

    def __init__(self, status: int = 201, location: str = "") -> None:
        heard: list[tuple[str, dict[str, str], bytes]] = []
        here = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                sent = {name.lower(): value for name, value in self.headers.items()}
                heard.append((self.path, sent, body))
                self.send_response(status)
                if location:
                    self.send_header("location", location)
                self.end_headers()

            def do_GET(self) -> None:
                heard.append(("followed", {}, b""))
                self.send_response(here.asked)
                self.end_headers()

            def log_message(self, *_args: object) -> None:
                pass

        self.heard = heard
        #: The status that whoever asks by GET gets.
        self.asked = 200
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.port = self._server.server_port
        self.address = f"http://127.0.0.1:{self.port}/turn"

    def told(self, event: str) -> list[dict[str, Any]]:
        """What came as plain JSON about that."""
        said = [json.loads(body) for _, _, body in self.heard]
        return [one for one in said if one["event"] == event]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextlib.contextmanager
def listening(**how: Any) -> Iterator[Listener]:
    here = Listener(**how)
    try:
        yield here
    finally:
        here.close()


class Browser:
    """What a browser knows of its push subscription; the private half never leaves it."""

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._public = self._key.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        self._auth = secrets.token_bytes(16)
        self.wish = {
            "endpoint": f"http://127.0.0.1:{listener.port}/push/{secrets.token_hex(8)}",
            "p256dh": as_text(self._public),
            "auth": as_text(self._auth),
            "lang": "de",
        }

    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(self.read(body)) for _, _, body in self.listener.heard]

    def read(self, body: bytes) -> bytes:
        """RFC 8188 and 8291, from the receiver's side."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        shared = self._key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        )
        secret = _derived(shared, self._auth, b"WebPush: info\0" + self._public + theirs, 32)
        key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
        opened = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert opened[-1:] == b"\2", "the last record"
        return opened[:-1]


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def as_text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def as_bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


CALLS = {
    "mail_security": "none",
    "mail_host": "127.0.0.1",
    "mail_from": "hansa@club.example",
    "public_url": "http://club.example",
    "hosts": "127.0.0.1",
    "push_services": "127.0.0.1",
    "webhooks": "json,discord,slack",
    "notify_private": "true",
    "notify_after": "0.2",
}
