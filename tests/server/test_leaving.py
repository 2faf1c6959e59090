"""An account with a row in every table that refers to people: all of it is exported, and goes."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from tests.server.test_hub import in_hub, wish

from hansa.server import hooks, schema
from hansa.server.errors import TableError
from hansa.server.model import NOBODY, now_ms
from hansa.server.own import my_data
from hansa.server.wire.order import MyData

#: What belongs to the others as well stays, without a name.
STAYS = {("games", "host"), ("seats", "person"), ("ratings", "person"), ("chat", "person")}
#: Columns that name people without a reference.
LOOSE = {("chat", "person"), ("calls", "person")}


def references(to: str) -> Iterator[sa.Column[Any]]:
    for table in schema.metadata.sorted_tables:
        for column in table.c:
            refers = any(key.column.table.name == to for key in column.foreign_keys)
            if refers or (to == "people" and (table.name, column.name) in LOOSE):
                yield column


def filled(column: sa.Column[Any], who: str, other: str, game: str) -> dict[str, Any]:
    """A row of `column`'s table whose `column` is `who`."""
    people, games = set(references("people")), set(references("games"))
    values: dict[str, Any] = {}
    for each in column.table.c:
        if each is column:
            values[each.name] = who
        elif each in people:
            values[each.name] = other
        elif each in games:
            values[each.name] = game
        elif isinstance(each.type, sa.String):
            values[each.name] = f"own {secrets.token_hex(60)}"[: each.type.length or 60]
        elif isinstance(each.type, sa.LargeBinary):
            values[each.name] = b""
        elif isinstance(each.type, sa.Integer | sa.Float):
            values[each.name] = now_ms() % 2**31
    return values


def own_data(connection: sa.Connection, person: str) -> MyData:
    return msgspec.json.decode(b"".join(my_data(connection, person)), type=MyData)


def test_who_is_named_is_found_by_an_index():
    """For each guest who went all invitations were looked through, by what guards the keys too: 14,400
    guests and 20,000 invitations took longer than three minutes, in the thread that writes.
    """
    for column in references("people"):
        firsts = [next(iter(index.columns)) for index in column.table.indexes]
        firsts.append(next(iter(column.table.primary_key.columns)))
        assert any(first is column for first in firsts), column


def test_nothing_is_looked_through_for_who_goes(tmp_path):
    """All that anybody had ever said was: fifty who went at once held up all decisions for a second."""
    said = list[tuple[str, Any]]()

    def note(_connection: Any, _cursor: Any, statement: str, given: Any, *_: Any) -> None:
        if statement.startswith(("DELETE", "UPDATE")):
            said.append((statement, given))

    async def work(hub, person):
        sa.event.listen(sa.Engine, "before_cursor_execute", note)
        try:
            await hub.farewell.leave(person, "")
        finally:
            sa.event.remove(sa.Engine, "before_cursor_execute", note)

        def plans(connection: sa.Connection) -> list[str]:
            asked = [(f"EXPLAIN QUERY PLAN {statement}", given) for statement, given in said]
            return [row.detail for each in asked for row in connection.exec_driver_sql(*each)]

        found = await hub.store.read(plans)
        assert any(" chat " in f"{plan} " for plan in found)
        assert [plan for plan in found if plan.startswith("SCAN")] == []

    in_hub(tmp_path, work, rounds=False)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request):
    if request.param == "sqlite":
        return {}
    return {"database": request.getfixturevalue("postgres").new_database()}


def test_nothing_keeps_an_account_from_going(tmp_path, database):
    async def work(hub, other):
        person, _ = await hub.accounts.guest("Bertram")
        person = await hub.accounts.register(person, "bertram", "long enough")
        played = await hub.lobby.create(person, wish("me", "me", start=True))
        await hub.lobby.create(person, wish("me", "open"))
        played.meta.options.hook = hooks.Hook(service="slack", secret="T0/B0/x", lang="en")
        theirs = await hub.lobby.create(other, wish("me", "open"))
        made = [c for c in references("people") if c.table.name not in {"games", "seats"}]
        assert len(made) >= 12

        def fill(connection):
            for column in made:
                row = filled(column, person.id, other.id, theirs.id)
                connection.execute(column.table.insert(), row)
            return own_data(connection, person.id)

        data = await hub.store.write(fill)
        lists = [name for name, rows in vars_of(data).items() if isinstance(rows, list)]
        assert [name for name in lists if not getattr(data, name)] == []
        await hub.farewell.leave(person, "long enough")

        rows = await hub.store.read(lambda connection: left(connection, person.id))
        assert {where for where, count in rows.items() if count} == STAYS
        after = await hub.store.read(lambda connection: own_data(connection, person.id))
        assert after.person["name"] == NOBODY
        assert "bertram" not in str(after).lower()
        assert (await hub.hall.open(played.id)).meta.options.hook is None

    in_hub(tmp_path, work, **database)


def test_who_leaves_gives_up_also_what_a_machine_plays_for_him(tmp_path):
    async def work(hub, person):
        other, _ = await hub.accounts.guest("Bertram")
        table = await hub.lobby.create(person, wish("me", "open", "random", order="fixed"))
        await hub.lobby.join(table, other, None, None)
        await hub.lobby.start(table, person)
        table.meta.seats[1].standin = "greedy"
        await hub.farewell.leave(other, "")
        assert table.meta.seats[1].conceded
        assert [s.seat for s in table.meta.seats if s.conceded] == ["p2"]

    in_hub(tmp_path, work)


@pytest.mark.parametrize("asks", [0, 1])
def test_who_leaves_plays_no_rematch(tmp_path, asks):
    """His yes was good for ever: a game began with a seat to which nobody could come."""

    async def work(hub, person):
        other, _ = await hub.accounts.guest("Bertram")
        third, _ = await hub.accounts.guest("Katrijn")
        table = await hub.lobby.create(person, wish("me", "open", "open", order="fixed"))
        for somebody in (other, third):
            await hub.lobby.join(table, somebody, None, None)
        await hub.lobby.start(table, person)
        await hub.manners.close(table, "closed")
        for somebody in (person, other)[:: -1 if asks else 1]:
            await hub.voting.play_again(table, somebody)
        (asked,) = table.meta.proposals
        assert asked.waiting == ["p3"]
        await hub.farewell.leave(other, "")
        assert table.meta.proposals == []
        with pytest.raises(TableError, match="no longer open"):
            await hub.voting.answer(table, third, asked.id, yes=True)
        assert table.meta.rematch is None

    in_hub(tmp_path, work)


def left(connection: sa.Connection, person: str) -> dict[tuple[str, str], int]:
    """How many rows still name somebody, by column."""
    return {
        (column.table.name, column.name): connection.execute(
            sa.select(sa.func.count()).where(column == person)
        ).scalar_one()
        for column in references("people")
    }


def vars_of(data: Any) -> dict[str, Any]:
    return {name: getattr(data, name) for name in data.__struct_fields__}


def test_old_guests_go_but_for_those_whom_something_names(tmp_path, database):
    """One row that keeps a guest must not keep the sweep from all others."""
    free = {"sessions", "pushes", "archived", "chat", "calls"}

    async def work(hub, other):
        theirs = await hub.lobby.create(other, wish("me", "open"))
        kept: list[str] = []
        gone: list[str] = []
        for column in references("people"):
            if column.table.name in {"games", "seats", "ratings"}:
                continue  # whoever sits, hosts or is rated has a seat
            guest, _ = await hub.accounts.guest("Guest")
            (gone if column.table.name in free else kept).append(guest.id)
            row = filled(column, guest.id, other.id, theirs.id)
            await hub.store.write(
                lambda connection, row=row, table=column.table: connection.execute(
                    table.insert(), row
                )
            )

        def age(connection):
            connection.execute(schema.people.update().values(created=1))

        await hub.store.write(age)
        await hub.housekeeping.sweep()
        rows = sa.select(schema.people.c.id)
        stay = await hub.store.read(lambda connection: set(connection.execute(rows).scalars()))
        assert stay == {*kept, other.id}

    in_hub(tmp_path, work, **database)
