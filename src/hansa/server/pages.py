"""The page: files built from `web/`, read once; every page address gets the same document."""

import mimetypes
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from hansa.server.blobs import Blob
from hansa.server.errors import TableError

__all__ = ["Pages", "page", "start_page"]

_BUILT = Path(__file__).parent / "static"
_PLAIN = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Hansa</title>
<style>body{font:17px/1.5 Georgia,serif;max-width:40em;margin:4em auto;padding:0 1em}</style>
<h1>Hansa</h1><p>The server runs, but the page has not been built.</p>
<p>In a checkout of the project: <code>make page</code>, then start the server again.</p>
<p>Programs can play without it: see <a href="/openapi.json">openapi.json</a> and
docs/protocol.md; <a href="/health">health</a> tells how the server is.</p></html>
"""


class Pages:
    """All files in memory by their address: an address that is no file cannot reach one."""

    def __init__(self, folder: Path = _BUILT) -> None:
        self.files: dict[str, Blob] = {}
        self.index = Blob(_PLAIN, "text/html; charset=utf-8")
        if not (folder / "index.html").is_file():
            return
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                self._add(file, file.relative_to(folder).as_posix())
        self.index = self.files["index.html"]

    def _add(self, file: Path, name: str) -> None:
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        if kind.startswith("text/") or kind == "application/javascript":
            kind += "; charset=utf-8"
        # Vite puts a hash of the content into the names of assets: they never change.
        hashed = name.startswith("assets/")
        cache = "public, max-age=31536000, immutable" if hashed else "no-cache"
        self.files[name] = Blob(file.read_bytes(), kind, cache)


ThePages = NamedDependency[Pages]


@get("/", include_in_schema=False)
async def start_page(request: Request[Any, Any, Any], pages: ThePages) -> Response[bytes]:
    """The page."""
    return pages.index.answer(request)


@get("/{path:path}", include_in_schema=False)
async def page(
    request: Request[Any, Any, Any], pages: ThePages, path: FromPath[str]
) -> Response[bytes]:
    """A file of the page, or the page itself for its own addresses."""
    name = path.strip("/")
    found = pages.files.get(name)
    if found is not None:
        return found.answer(request)
    if name.startswith("api/") or "." in name.rsplit("/", 1)[-1]:
        raise TableError("not_found", "There is nothing at this address.")
    return pages.index.answer(request)
