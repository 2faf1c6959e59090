"""What a message from a table's socket asks for, carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hansa.server.wire import socket as wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hansa.server.hub import Hub
    from hansa.server.model import Entry, Person
    from hansa.server.table import Table

__all__ = ["carry_out"]


async def carry_out(
    hub: Hub, table: Table, person: Person | None, address: str, message: wire.ClientMessage
) -> Sequence[Entry]:
    """Do it; given are the entries of the log that were added for it.

    Raises:
        TableError: what is wrong with it; then nothing has changed.
    """
    match message:
        case wire.Act():
            return await hub.decisions.act(
                table,
                person,
                message.decision,
                message.number,
                revision=message.revision,
                seat=message.seat,
            )
        case wire.Undo():
            return await hub.undo(table, person, message.number, message.to, ask=message.ask)
        case wire.Propose():
            if message.kind == "rematch" and person is not None:
                await hub.check_new_table(person, address)
            await hub.voting.propose(table, person, message.kind, to=message.to, seat=message.seat)
        case wire.Vote():
            await hub.voting.answer(table, person, message.proposal, yes=message.yes)
        case wire.Return():
            await hub.manners.come_back(table, person)
        case wire.Concede():
            await hub.manners.concede(table, person, message.seat)
        case wire.Say():
            if person is not None:
                hub.check_talk(person, address)
            await hub.manners.say(table, person, message.text)
    return ()
