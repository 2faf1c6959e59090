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
from sphinx.util.docutils import SphinxDirective

import hansa
from hansa import pictures, scenarios, svg
from hansa.replay import Replay

__all__ = ["HansaBoard", "setup"]

THEMES = ("light", "dark")
MARGIN = 26.0
"""Board units around the places shown."""
LEAST_SHARE = 0.42
"""A part of a board is never lower than this share of its width: a strip looks like an accident."""
FONTS = Path(__file__).parents[2] / "web/node_modules/@fontsource/alegreya/files"
FACES = {
    "alegreya-latin-700-normal.woff2": "font-weight:700 800",
    "alegreya-latin-500-italic.woff2": "font-style:italic;font-weight:500",
}
VIEW_BOX = re.compile(r'viewBox="([^"]+)"')

View = tuple[float, float, float, float]


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
        node = picture(files=[], alt=self._alt(), size=_size(drawn["light"]))
        for theme, text in drawn.items():
            node["files"].append(self._keep(theme, text))
        node["width"] = self.options.get("width", "100%")
        figure = nodes.figure("", node, classes=["hansa-board"])
        if "caption" in self.options:
            words, problems = self.parse_inline(self.options["caption"])
            figure += nodes.caption(self.options["caption"], "", *words)
            return [figure, *problems]
        return [figure]

    def _alt(self) -> str:
        given: str = self.options.get("alt", self.options.get("caption", "A board"))
        return re.sub(r"[`*]", "", given)

    def _keep(self, theme: str, text: str) -> str:
        folder = Path(self.env.doctreedir) / "hansa-boards"
        folder.mkdir(parents=True, exist_ok=True)
        number = hashlib.sha256(text.encode()).hexdigest()[:12]
        file = folder / f"board-{number}-{theme}.svg"
        file.write_text(_with_type(text), encoding="utf-8")
        return str(file)

    def _draw(self, theme: str) -> str:
        if self.options.get("chart"):
            style = pictures.Style(theme=theme)
            return pictures.draw(
                self._record(), style, after=self.options.get("after"), chart=self.options["chart"]
            )
        game = self._game()
        data = game.to_dict()
        if "action" in self.options:
            drawn = svg.action(data, self.options["action"], theme=theme)
        else:
            drawn = svg.position(
                data,
                theme=theme,
                desks="desks" in self.options,
                letters="letters" in self.options,
                highlight=_words(self.options.get("light", "")),
                arrows=_arrows(self.options.get("arrows", "")),
                control={city.id: game.control(city.id) for city in game.board.cities},
            )
        wanted = _words(self.options.get("show", ""))
        return _cut(drawn, _part(game.board.id, wanted)) if wanted else drawn

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


def _part(board_id: str, places: list[str]) -> View:
    """The part of a board that shows these cities and routes."""
    geometry = svg.geometry(board_id)
    boxes = [box for name in places for box in _boxes(geometry, name)]
    left, top = min(box[0] for box in boxes) - MARGIN, min(box[1] for box in boxes) - MARGIN
    width = max(box[0] + box[2] for box in boxes) + MARGIN - left
    height = max(box[1] + box[3] for box in boxes) + MARGIN - top
    missing = LEAST_SHARE * width - height
    if missing > 0:
        top, height = top - missing / 2, height + missing
    _, _, most_width, most_height = geometry["view"]
    left, top = max(0.0, left), max(0.0, top)
    left, top = max(0.0, min(left, most_width - width)), max(0.0, min(top, most_height - height))
    return left, top, min(width, most_width), min(height, most_height)


def _boxes(geometry: dict[str, Any], name: str) -> list[list[float]]:
    if name in geometry["cities"]:
        city = geometry["cities"][name]
        badges = [[b["x"] - 14, b["y"] - 14, 28, 28] for b in city["badges"] + city["permits"]]
        return [city["rect"], city["label"]["rect"], *badges]
    if name in geometry["routes"]:
        posts = geometry["routes"][name]["posts"]
        return [[post["x"] - 16, post["y"] - 16, 32, 32] for post in posts]
    if name in ("prestige", "completed", "link") and geometry.get(name):
        return [geometry[name]["rect"]]
    raise ValueError(f"{name!r} is no city or route of {geometry['board']}")


def _cut(drawn: str, view: View) -> str:
    return VIEW_BOX.sub('viewBox="' + " ".join(f"{number:.1f}" for number in view) + '"', drawn, 1)


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
