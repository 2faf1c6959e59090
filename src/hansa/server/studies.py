"""Studies: kept trees of variations, checked by playing them, written as records and read back."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec
import sqlalchemy as sa

import hansa
from hansa.records import Variation, parse_record
from hansa.server.errors import TableError
from hansa.server.model import new_id, now_ms
from hansa.server.schema import studies
from hansa.server.wire.studies import MOST_NODES, StudyFace, StudyNode, StudyRow, StudyWish

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["add", "as_text", "change", "checked", "delete", "find", "listed", "read", "written"]

_MOST = 200
"""Studies that one person may keep."""


# Kept in the database


def as_text(nodes: list[StudyNode]) -> str:
    """A tree as it is stored."""
    return msgspec.json.encode(nodes).decode()


def add(connection: sa.Connection, person: str, wish: StudyWish, nodes: str) -> str:
    """Keep a new study, its tree as text; its id."""
    count = sa.select(sa.func.count()).where(studies.c.person == person)
    if connection.execute(count).scalar_one() >= _MOST:
        raise TableError("too_many", f"You have {_MOST} studies; delete some first.")
    row = {
        "id": new_id(),
        "person": person,
        "name": wish.name,
        "game": wish.game,
        "number": wish.number,
        "comment": wish.comment,
        "nodes": nodes,
        "changed": now_ms(),
    }
    connection.execute(studies.insert(), row)
    return str(row["id"])


def change(connection: sa.Connection, study: str, wish: StudyWish, nodes: str) -> None:
    """Keep another name and tree; where it came from stays."""
    values = {
        "name": wish.name,
        "comment": wish.comment,
        "nodes": nodes,
        "changed": now_ms(),
    }
    connection.execute(studies.update().where(studies.c.id == study).values(**values))


def delete(connection: sa.Connection, study: str) -> None:
    """Forget it."""
    connection.execute(studies.delete().where(studies.c.id == study))


def find(connection: sa.Connection, study: str, person: str | None) -> tuple[StudyFace, int]:
    """The study of that id, and how many bytes it takes.

    Raises:
        TableError: `not_found`.
    """
    row = connection.execute(sa.select(studies).where(studies.c.id == study)).first()
    if row is None:
        raise TableError("not_found", "There is no such study.")
    face = StudyFace(
        id=row.id,
        name=row.name,
        game=row.game,
        number=row.number,
        changed=row.changed,
        yours=row.person == person,
        comment=row.comment,
        nodes=msgspec.json.decode(row.nodes, type=list[StudyNode]),
    )
    return face, len(row.nodes)


def listed(connection: sa.Connection, person: str) -> list[StudyRow]:
    """Somebody's studies, the last changed first; their trees, which may be long, are left where they are."""
    columns = studies.c["id", "name", "game", "number", "changed"]
    query = sa.select(*columns).where(studies.c.person == person)
    query = query.order_by(studies.c.changed.desc())
    return [
        StudyRow(id=row.id, name=row.name, game=row.game, number=row.number, changed=row.changed)
        for row in connection.execute(query)
    ]


# As a tree of decisions


def checked(start: hansa.Game, nodes: list[StudyNode]) -> None:
    """Play every variation.

    Raises:
        TableError: `bad_request` or `illegal_decision`, naming the decision.
    """
    after = {-1: start}
    left = defaultdict(int, {node.parent: 0 for node in nodes})
    for node in nodes:
        left[node.parent] += 1
    for k, node in enumerate(nodes):
        if node.parent >= k or node.parent not in after:
            raise TableError("bad_request", f"Decision {k} of the study stands before its parent.")
        game = after[node.parent].copy()
        try:
            game.play(node.text)
        except hansa.HansaError as error:
            raise TableError("illegal_decision", f"Decision {k} of the study: {error}") from error
        left[node.parent] -= 1
        if not left[node.parent]:  # nothing else branches off there
            del after[node.parent]
        if left.get(k):
            after[k] = game


def _children(nodes: list[StudyNode]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for k, node in enumerate(nodes):
        found[node.parent].append(k)
    return found


def written(game: hansa.Game, start: hansa.Game, study: StudyFace) -> str:
    """The record of a game with the study's variations; `start` is where the study begins.

    What the study shares with the game stands in the game itself; after the last decision of the
    game its first line goes on.
    """
    nodes, children = study.nodes, _children(study.nodes)
    whole, position, at, here = game.copy(), start.copy(), -1, study.number
    history = [str(action) for action in game.history]
    whole.headers["Study"] = study.name
    if study.comment:
        whole.comments.setdefault(here, []).append(study.comment)
    while following := children.get(at):
        ended = here >= len(history)
        same = [k for k in following if not ended and nodes[k].text == history[here]]
        main = following[0] if ended else next(iter(same), None)
        others = [_line(nodes, children, k, position.copy()) for k in following if k != main]
        if others:
            whole.variations.setdefault(here, []).extend(others)
        if main is None:
            break
        if ended:
            whole.play(nodes[main].text)
        position.play(nodes[main].text)
        here += 1
        if nodes[main].comment:
            whole.comments.setdefault(here, []).append(nodes[main].comment)
        at = main
    return whole.record()


def _line(
    nodes: list[StudyNode], children: dict[int, list[int]], first: int, game: hansa.Game
) -> Variation:
    """A variation from a decision on: the first child goes on, the others might be instead."""
    line, at = Variation(), first
    while True:
        line.decisions.append((game.player, nodes[at].text))
        game.play(nodes[at].text)
        if nodes[at].comment:
            line.comments[len(line.decisions)] = [nodes[at].comment]
        following = children.get(at, [])
        if not following:
            return line
        others = [_line(nodes, children, k, game.copy()) for k in following[1:]]
        if others:
            line.variations[len(line.decisions)] = others
        at = following[0]


def read(text: str) -> tuple[str, str, list[StudyNode]]:
    """Name, comment and tree of a record; all of it is the study, from the first decision on.

    Raises:
        TableError: `invalid_record`.
    """
    try:
        record = parse_record(text)
    except hansa.InvalidRecord as error:
        raise TableError("invalid_record", str(error)) from error
    nodes = list(_read(record))
    if len(nodes) > MOST_NODES:
        raise TableError(
            "invalid_record", f"A study has at most {MOST_NODES} decisions, not {len(nodes)}."
        )
    return record.headers.get("Study", ""), "\n".join(record.comments.get(0, ())), nodes


def _read(record: Variation) -> Iterator[StudyNode]:
    """The decisions in an order in which each stands after its parent."""
    made: list[StudyNode] = []

    def walk(line: Variation, parent: int) -> None:
        places = [parent]
        for number, (_, text) in enumerate(line.decisions):
            said = "\n".join(line.comments.get(number + 1, ()))
            made.append(StudyNode(parent=places[-1], text=text, comment=said[:2000]))
            places.append(len(made) - 1)
        for number, others in sorted(line.variations.items()):
            for other in others:
                walk(other, places[number])

    walk(record, -1)
    return iter(made)
