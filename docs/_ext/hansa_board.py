"""The directive `hansa-board`: a picture of a position, drawn when the documents are built.

    ```{hansa-board}
    :caption: Red may put a piece on any free post.
    :show: groningen emden
    :light: groningen-emden/2
    game: {board: hansa, players: 3}
    position: {routes: {groningen-emden: {posts: ["p1:t", null, null]}}}
    play: [place t groningen-emden/3]
    ```

The body is a scenario without its id: `game`, `position`, `play`. With a file as argument the
picture is of that record instead, `after` so many decisions, or a `chart` of it. A position that
is none, or a decision that is not legal, is a warning of the build, and warnings are errors.
"""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

import hansa
from hansa import pictures, scenarios, svg
from hansa.replay import Replay

__all__ = ["THEMES", "HansaBoard", "kept", "played", "setup"]

THEMES = ("light", "dark")
FONTS = Path(__file__).parents[2] / "web/node_modules/@fontsource/alegreya/files"
FACES = {
    "alegreya-latin-700-normal.woff2": "font-weight:700 800",
    "alegreya-latin-500-italic.woff2": "font-style:italic;font-weight:500",
}
VIEW_BOX = re.compile(r'viewBox="([^"]+)"')


class picture(nodes.General, nodes.Element):  # noqa: N801 - docutils names nodes in small letters
    """One picture in both themes, lying in the build's own folder."""


class HansaBoard(SphinxDirective):
    """A board, a position, a decision, or a chart of a record."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {
        "caption": directives.unchanged,
        "alt": directives.unchanged,
        "show": directives.unchanged,
        "light": directives.unchanged,
        "arrows": directives.unchanged,
        "action": directives.unchanged,
        "after": directives.nonnegative_int,
        "chart": lambda given: directives.choice(given, pictures.CHARTS),
        "width": directives.length_or_percentage_or_unitless,
        "desks": directives.flag,
        "letters": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """The figure; a wrong position or option is reported where it stands."""
        try:
            drawn = {theme: self._draw(theme) for theme in THEMES}
        except (ValueError, KeyError, OSError) as error:
            raise self.error(f"hansa-board: {error}") from None
        node = kept(self.env, drawn, self._alt(), self.options.get("width", "100%"))
        figure = nodes.figure("", node, classes=["hansa-board"])
        if "caption" in self.options:
            words, problems = self.parse_inline(self.options["caption"])
            figure += nodes.caption(self.options["caption"], "", *words)
            return [figure, *problems]
        return [figure]

    def _alt(self) -> str:
        given: str = self.options.get("alt", self.options.get("caption", "A board"))
        return re.sub(r"[`*]", "", given)

    def _draw(self, theme: str) -> str:
        if self.options.get("chart"):
            style = pictures.Style(theme=theme)
            return pictures.draw(
                self._record(), style, after=self.options.get("after"), chart=self.options["chart"]
            )
        game = self._game()
        data = game.to_dict()
        if "action" in self.options:
            return svg.action(data, self.options["action"], theme=theme)
        marks: dict[str, Any] = {
            "highlight": _words(self.options.get("light", "")),
            "arrows": _arrows(self.options.get("arrows", "")),
            "control": {city.id: game.control(city.id) for city in game.board.cities},
        }
        wanted = _words(self.options.get("show", ""))
        if wanted:
            return svg.part(data, wanted, **marks).document(self._alt(), theme=theme)
        desks, letters = "desks" in self.options, "letters" in self.options
        return svg.position(data, theme=theme, desks=desks, letters=letters, **marks)

    def _game(self) -> hansa.Game:
        if not self.arguments:
            return played("\n".join(self.content))
        game = Replay(pictures.read_game(self._record()))
        game.go(self.options.get("after", len(game.actions)))
        return game.game

    def _record(self) -> str:
        relative, absolute = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(relative)
        return Path(absolute).read_text(encoding="utf-8")


def kept(env: BuildEnvironment, drawn: dict[str, str], alt: str, width: str) -> picture:
    """A picture in each theme, kept in the build's own folder until pages are written."""
    folder = Path(env.doctreedir) / "hansa-boards"
    folder.mkdir(parents=True, exist_ok=True)
    node = picture(files=[], alt=alt, size=_size(drawn["light"]), width=width)
    for theme in THEMES:
        number = hashlib.sha256(drawn[theme].encode()).hexdigest()[:12]
        file = folder / f"board-{number}-{theme}.svg"
        file.write_text(_with_type(drawn[theme]), encoding="utf-8")
        node["files"].append(str(file))
    return node


def played(text: str) -> hansa.Game:
    """The game a scenario without an id leads to; raises HansaError or ScenarioError."""
    [scenario] = scenarios.parse(f"id: picture\n{text}\n", "picture")
    game = hansa.Game.from_dict({"game": dict(scenario.game), **(scenario.position or {})})
    for step in scenario.play:
        game.play(step.rpartition("> ")[2])
    return game


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _arrows(text: str) -> list[tuple[str, str]]:
    """`a > b, c > d` as pairs."""
    pairs = []
    for one in filter(str.strip, text.split(",")):
        start, between, end = one.partition(">")
        if not between:
            raise ValueError(f"arrows are written 'from > to, from > to', not {one.strip()!r}")
        pairs.append((start.strip(), end.strip()))
    return pairs


def _with_type(drawn: str) -> str:
    """The picture with its typeface inside, where the page's packages are installed.

    A picture shown by `img` cannot use the fonts of the page around it.
    """
    faces = ""
    for name, kind in FACES.items():
        if (FONTS / name).exists():
            data = base64.b64encode((FONTS / name).read_bytes()).decode()
            source = f"src:url(data:font/woff2;base64,{data})"
            faces += f"@font-face{{font-family:Alegreya;{kind};{source}}}"
    return drawn.replace("<title>", f"<style>{faces}</style><title>", 1) if faces else drawn


def _size(drawn: str) -> tuple[int, int]:
    found = VIEW_BOX.search(drawn)
    if found is None:
        raise ValueError("the picture has no viewBox")
    _, _, width, height = (float(number) for number in found[1].split())
    return round(width), round(height)


def visit_picture(self: Any, node: picture) -> None:
    """An `img` a theme; the reader's choice of theme shows one of them."""
    folder = Path(self.builder.outdir) / self.builder.imagedir
    folder.mkdir(parents=True, exist_ok=True)
    width, height = node["size"]
    for theme, file in zip(THEMES, node["files"], strict=True):
        shutil.copyfile(file, folder / Path(file).name)
        self.body.append(
            self.emptytag(
                node,
                "img",
                "",
                src=f"{self.builder.imgpath}/{Path(file).name}",
                alt=node["alt"],
                loading="lazy",
                width=width,
                height=height,
                style=f"width: {node['width']}",
                CLASS=f"only-{theme}",
            )
        )
    raise nodes.SkipNode


def visit_picture_as_text(self: Any, node: picture) -> None:
    """Where no picture can stand, its words."""
    self.add_text(node["alt"])
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_node(picture, html=(visit_picture, None), text=(visit_picture_as_text, None))
    app.add_directive("hansa-board", HansaBoard)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
