"""How each person is told, and what has been told already: queries over an open connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import sqlalchemy as sa

from hansa.server.errors import TableError
from hansa.server.keys import check_same
from hansa.server.model import new_id, now_ms
from hansa.server.schema import calls, people, pushes
from hansa.server.store import changed_rows
from hansa.server.wire.calls import Calls, Device, Lang, PushWish

if TYPE_CHECKING:
    from hansa.server.model import Person
    from hansa.server.tidings import Tiding

__all__ = [
    "Reached",
    "add_device",
    "claim",
    "drop_device",
    "drop_endpoint",
    "forget_old",
    "how",
    "reached",
    "set_mail",
]

_MOST_DEVICES = 10
_DAY = 86_400_000
#: What was told so long ago cannot be told again: its game has been ended as abandoned.
_KEPT_DAYS = 120


class Reached(msgspec.Struct, kw_only=True, frozen=True):
    """The ways that lead to one person."""

    person: str
    lang: Lang
    mail: str | None
    devices: list[PushWish]

    def __bool__(self) -> bool:
        return self.mail is not None or bool(self.devices)


def how(connection: sa.Connection, person: str, asked: str | None = None) -> Calls:
    """The same as that person may see it."""
    mail = connection.execute(sa.select(people.c.mail).where(people.c.id == person)).scalar()
    query = sa.select(pushes.c.id, pushes.c.created).where(pushes.c.person == person)
    rows = connection.execute(query.order_by(pushes.c.created, pushes.c.id))
    return Calls(mail=mail, asked=asked, devices=[Device(id=r.id, created=r.created) for r in rows])


def reached(connection: sa.Connection, person: str) -> Reached:
    """Every way to that person."""
    row = connection.execute(
        sa.select(people.c.mail, people.c.lang).where(people.c.id == person)
    ).first()
    rows = connection.execute(sa.select(pushes).where(pushes.c.person == person))
    devices = [
        PushWish(endpoint=r.endpoint, p256dh=r.p256dh, auth=r.auth, lang=r.lang) for r in rows
    ]
    return Reached(
        person=person,
        lang=row.lang or "en" if row else "en",
        mail=row.mail if row else None,
        devices=devices,
    )


def set_mail(
    connection: sa.Connection, person: str, address: str | None, lang: Lang | None = None
) -> None:
    """Write there from now on, or nowhere.

    A code for a new password that went to the address before is worth nothing: whoever reads the mail
    there may be why it is left.
    """
    values = {"mail": address, "reset_code": None, "reset_until": None}
    values |= {} if lang is None else {"lang": lang}
    connection.execute(people.update().where(people.c.id == person).values(values))


def add_device(connection: sa.Connection, person: Person, wish: PushWish) -> None:
    """A browser of that person; one that was another's is this one's now."""
    check_same(connection, person)
    drop_endpoint(connection, wish.endpoint)
    count = sa.select(sa.func.count()).select_from(pushes).where(pushes.c.person == person.id)
    if connection.execute(count).scalar_one() >= _MOST_DEVICES:
        raise TableError("too_many", f"{_MOST_DEVICES} browsers are enough; end one first.")
    row = {"id": new_id(), "person": person.id, "created": now_ms()}
    connection.execute(pushes.insert(), row | msgspec.structs.asdict(wish))


def drop_device(connection: sa.Connection, person: str, device: str) -> None:
    """Tell that browser no more."""
    mine = sa.and_(pushes.c.person == person, pushes.c.id == device)
    connection.execute(pushes.delete().where(mine))


def drop_endpoint(connection: sa.Connection, endpoint: str) -> None:
    """Its push service does not know it any more."""
    connection.execute(pushes.delete().where(pushes.c.endpoint == endpoint))


def claim(connection: sa.Connection, tiding: Tiding, person: str) -> bool:
    """Whether it is ours to tell: the row's key lets one process say yes, once.

    `person` is empty for the table's webhook.
    """
    row = {"game": tiding.game, "person": person, "what": tiding.key, "at": now_ms()}
    try:
        with connection.begin_nested():
            connection.execute(calls.insert(), row)
    except sa.exc.IntegrityError:
        return False
    return True


def forget_old(connection: sa.Connection) -> int:
    """Forget what was told long ago."""
    old = calls.c.at < now_ms() - _KEPT_DAYS * _DAY
    return changed_rows(connection.execute(calls.delete().where(old)))
