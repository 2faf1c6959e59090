"""The sample nginx in front of real workers; only addresses, names and folders are others."""

from __future__ import annotations

import re
import socket
import subprocess
from pathlib import Path

import httpx

DEPLOY = Path(__file__).parents[2] / "deploy"
#: The host that the sample with certificates names.
NAME = "play.example.org"


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Proxy:
    """One nginx on 127.0.0.1; a worker may be silent for so many seconds, where the sample allows less
    than for a long poll. It may be behind another proxy, of that address.
    """

    def __init__(
        self,
        folder: Path,
        workers: list[int],
        *,
        tls: bool = False,
        silence: int = 25,
        behind: str = "",
    ) -> None:
        self.folder, self.tls, self._silence, self._behind = folder, tls, silence, behind
        self.port = free_port()
        folder.mkdir(parents=True, exist_ok=True)
        #: Who has to be trusted for the certificate.
        self.certificate = folder / "fullchain.pem"
        if tls:
            _certify(folder)
        (folder / "hansa.conf").write_text(self._server(), encoding="utf-8")
        (folder / "nginx.conf").write_text(self._main(workers), encoding="utf-8")
        command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]
        subprocess.run([*command, "-t", "-q"], check=True)
        self.process = subprocess.Popen([*command, "-g", "daemon off;"])
        while not self._listens():
            if self.process.poll() is not None:
                raise RuntimeError("nginx did not start")

    @property
    def url(self) -> str:
        """Where a browser would go."""
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    def _main(self, workers: list[int]) -> str:
        ours = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
        (line,) = re.findall(r"^ *server worker1:8420(.*);\n", ours, re.MULTILINE)
        ours = re.sub(r"^ *server worker\d:8420.*\n", "", ours, flags=re.MULTILINE)
        listed = "".join(f"server 127.0.0.1:{port}{line};\n" for port in workers)
        ours = ours.replace("consistent;\n", f"consistent;\n{listed}")
        paths = "".join(
            f"{kind}_temp_path {self.folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        ours = ours.replace("http {\n", f"http {{\naccess_log off;\n{paths}")
        ours = ours.replace("/etc/nginx/", f"{self.folder}/")
        # All who are measured come from one address.
        ours = re.sub(r"limit_conn addresses \d+;", "limit_conn addresses 65000;", ours)
        return f"pid {self.folder}/nginx.pid; error_log stderr warn; user root;\n{ours}"

    def _server(self) -> str:
        name = "nginx-tls.conf" if self.tls else "nginx-http.conf"
        ours = (DEPLOY / name).read_text(encoding="utf-8")
        ours = ours.replace(f"/etc/letsencrypt/live/{NAME}", str(self.folder))
        for sample in (25, 5):
            brief = min(sample, self._silence)
            ours = ours.replace(f"proxy_read_timeout {sample}s;", f"proxy_read_timeout {brief}s;")
        if self._behind:
            ours = ours.replace(
                "# set_real_ip_from 192.0.2.1;", f"set_real_ip_from {self._behind};"
            )
            ours = ours.replace("# real_ip_header", "real_ip_header")
        if self.tls:
            ours = ours.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
            return ours.replace("listen 443 ", f"listen 127.0.0.1:{self.port} ")
        return ours.replace("listen 80;", f"listen 127.0.0.1:{self.port};")

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def redirected(self) -> httpx.Response:
        """What somebody gets who comes by http."""
        text = (self.folder / "hansa.conf").read_text(encoding="utf-8")
        port = re.findall(r"listen 127\.0\.0\.1:(\d+);", text)[0]
        return httpx.get(f"http://127.0.0.1:{port}/g/x", headers={"Host": NAME})

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait()


def _certify(folder: Path) -> None:
    """A certificate of one's own for the name of the sample."""
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
            *("-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")),
        ],
        check=True,
        capture_output=True,
    )
