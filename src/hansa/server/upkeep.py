"""What a host does with the whole store: replay, repair, export, import."""

from __future__ import annotations

import base64
import json
from typing import IO, TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa

import hansa
from hansa.errors import HansaError
from hansa.names import END_REASONS
from hansa.server import archive, ladder, logbook, referee
from hansa.server.hall import ended
from hansa.server.model import Entry, Meta, now_ms
from hansa.server.schema import games, metadata, snapshots

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["UpkeepError", "export", "load", "repair", "replay_all"]


#: Rows that an export holds in memory.
_ROWS = 1000


class UpkeepError(HansaError):
    """Something the host asked for cannot be done."""


class Difference(msgspec.Struct):
    """How a stored game differs from what the present engine makes of it."""

    game: str
    number: int
    what: str


def _decisions(connection: sa.Connection, meta: Meta) -> list[Entry]:
    last = logbook.last_numbers(connection, meta.id)
    return logbook.standing(connection, meta.id, 1, last.number) if last else []


def replay_all(connection: sa.Connection) -> Iterator[Difference | str]:
    """Play every stored game again; gives the id of each that is the same, else a Difference."""
    ids = connection.execute(sa.select(games.c.id).order_by(games.c.created)).scalars().all()
    for game in ids:
        meta = archive.load_meta(connection, game)
        if meta is not None and meta.status != "open":
            yield replay_one(connection, meta) or meta.id


def replay_one(connection: sa.Connection, meta: Meta) -> Difference | None:
    """The first difference of one game."""
    try:
        game = referee.first_position(meta)
    except HansaError as error:
        return Difference(meta.id, 0, f"its start is refused: {error}")
    for entry in _decisions(connection, meta):
        if game.player != entry.player:
            return Difference(meta.id, entry.number, f"{game.player} decides, not {entry.player}")
        try:
            events = referee.told(game.play(entry.text))
        except HansaError as error:
            return Difference(meta.id, entry.number, f"{entry.text!r} is refused: {error}")
        if events != entry.events:
            return Difference(meta.id, entry.number, f"{entry.text!r} has other events")
    return _other_end(meta, game)


def _other_end(meta: Meta, game: hansa.Game) -> Difference | None:
    number = len(game.history)
    played_out = meta.result is not None and meta.result["reason"] == game.end_reason
    if game.over != played_out and (game.over or meta.result is None):
        return Difference(meta.id, number, "the game ends elsewhere")
    if played_out and meta.result is not None:
        scores = {player: dict(parts) for player, parts in game.scores().items()}
        if scores != meta.result["scores"]:
            return Difference(meta.id, number, "other scores")
    return None


def repair(connection: sa.Connection, game_id: str, every: int = 32) -> str:
    """Make a game playable again from its log, and tell what was done.

    Snapshots are made anew. Where a decision can no longer be played, an undo entry takes the
    game back to the one before it: nothing is removed from the log.
    """
    meta = archive.load_meta(connection, game_id)
    if meta is None:
        raise UpkeepError(f"there is no game {game_id}")
    if meta.status == "open":
        return "it has not started: nothing to repair"
    connection.execute(snapshots.delete().where(snapshots.c.game == game_id))
    game = referee.first_position(meta)
    decisions = _decisions(connection, meta)
    good = 0
    for entry in decisions:
        try:
            game.play(entry.text)
        except HansaError:
            break
        good = entry.number
        if good % every == 0:
            logbook.save_snapshot(connection, game_id, good, game.to_dict())
    done = [f"{good} of {len(decisions)} decisions replayed, snapshots made anew"]
    if good < len(decisions):
        _take_back(connection, meta, good, len(decisions), game)
        done.append(f"taken back to decision {good}")
    if game.over and meta.status == "running":
        over = ended(meta, game, str(game.end_reason), now_ms())
        archive.save_meta(connection, over)
        ladder.note(connection, over)
        done.append("marked as over")
    elif not game.over and _was_played_out(meta):
        meta.status, meta.ended, meta.result = "running", None, None
        # Its record lay open: whoever plays on may know the seed, so all are told, and nothing counts.
        meta.options.seeded, meta.options.rated = True, False
        archive.save_meta(connection, meta)
        ladder.forget(connection, game_id)
        done.append("opened again")
    ladder.settle(connection)
    return "; ".join(done)


def _was_played_out(meta: Meta) -> bool:
    return meta.result is not None and meta.result["reason"] in END_REASONS


def _take_back(
    connection: sa.Connection, meta: Meta, to: int, number: int, game: hansa.Game
) -> None:
    last = logbook.last_numbers(connection, meta.id)
    entry = Entry(
        revision=(last.revision if last else 0) + 1,
        number=to,
        kind="undo",
        player=None,
        text=str(number - to),
        turn=referee.turn(game),
        at=now_ms(),
        by="host",
        clocks=last.clocks if last else None,
        next_player=game.player,
        next_turn=referee.turn(game),
    )
    logbook.add_entries(connection, meta.id, [entry])


def export(connection: sa.Connection, file: IO[str]) -> int:
    """Write everything as JSON lines, in an order in which it can be read back."""
    count = 0
    file.write(json.dumps({"hansa": "export", "version": 1}) + "\n")
    for table in metadata.sorted_tables:
        if table.name == "presence":
            continue
        # PostgreSQL would else send all of it at once: more than memory, or its time limit, holds.
        for row in connection.execute(sa.select(table), execution_options={"yield_per": _ROWS}):
            values = {column.name: getattr(row, column.name) for column in table.columns}
            plain = {
                name: {"base64": base64.b64encode(value).decode()}
                if isinstance(value, bytes)
                else value
                for name, value in values.items()
            }
            file.write(json.dumps({"table": table.name, "row": plain}) + "\n")
            count += 1
    return count


def load(connection: sa.Connection, file: IO[str]) -> int:
    """Read an export into an empty store, of either kind.

    Raises:
        UpkeepError: the store has games already, or the file is no export.
    """
    if connection.execute(sa.select(sa.func.count()).select_from(games)).scalar():
        raise UpkeepError("the store is not empty: import into a new one")
    first, count = _line(file.readline(), 1), 0
    if first.get("hansa") != "export" or first.get("version") != 1:
        raise UpkeepError("line 1: this is no export of a Hansa server")
    connection.execute(metadata.tables["settings"].delete())
    for number, text in enumerate(file, start=2):
        line = _line(text, number)
        table = metadata.tables.get(line.get("table", ""))
        if table is None or not isinstance(line.get("row"), dict):
            raise UpkeepError(f"line {number}: no row of a known table")
        try:
            connection.execute(table.insert(), _row(line["row"]))
        except sa.exc.SQLAlchemyError as error:
            raise UpkeepError(f"line {number}: {str(error).splitlines()[0]}") from error
        count += 1
    return count


def _line(text: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UpkeepError(f"line {number}: not JSON: {error}") from error
    if not isinstance(value, dict):
        raise UpkeepError(f"line {number}: not an object")
    return value


def _row(values: dict[str, Any]) -> dict[str, Any]:
    # JSON columns hold mappings too, but never one with this only key.
    return {
        name: base64.b64decode(value["base64"])
        if isinstance(value, dict) and set(value) == {"base64"}
        else value
        for name, value in values.items()
    }
