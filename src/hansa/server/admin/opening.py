"""What every command of the host needs: its options, the store, how a day is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Annotated, TypeVar

import sqlalchemy as sa
import typer

from hansa.server import archive, upkeep
from hansa.server.config import load
from hansa.server.errors import TableError
from hansa.server.hall import tell
from hansa.server.model import Meta
from hansa.server.standing import tell_person
from hansa.server.store import Store
from hansa.server.writing import Conflict

__all__ = [
    "Config",
    "Data",
    "GameId",
    "change",
    "day",
    "for_people",
    "found",
    "in_store",
    "opened",
]

T = TypeVar("T")
#: How often a change of a game that is being played is tried.
_TRIES = 100
Data = Annotated[str | None, typer.Option("--data", help="The server's data folder.")]
Config = Annotated[str | None, typer.Option("--config", help="The server's settings file.")]
GameId = Annotated[str, typer.Argument(metavar="GAME", help="The game's id.")]


@contextmanager
def opened(data: str | None, config: str | None, *, new: bool = False) -> Iterator[Store]:
    """The server's store, as it is set up; only with `new` one that is not there yet."""
    settings = load(config, data=data)
    store = Store(settings.url())
    try:
        if not new and not store.exists():
            raise upkeep.UpkeepError(
                f"there is no store at {store.url.database}: name the server's --data or --config"
            )
        store.migrate(by_host=True)
        yield store
    finally:
        store.close()


def in_store(work: Callable[[sa.Connection], T], data: str | None, config: str | None) -> T:
    """Look into it; nobody who plays waits for that."""
    with opened(data, config) as store:
        return store.see(work)


def change(
    work: Callable[[sa.Connection], T], game: str, data: str | None, config: str | None
) -> T:
    """Change one game. An embedded store must be ours alone; a shared one's servers are told."""
    with opened(data, config) as store:
        store.claim(patience=0.0)

        def change(connection: sa.Connection) -> T:
            done = work(connection)
            if store.shared:
                tell(connection, game, 0, "admin")
            return done

        for _ in range(_TRIES):
            # Somebody decided there in the same moment.
            with suppress(Conflict):
                return store.now(change)
        raise upkeep.UpkeepError(f"{game} is played too fast: stop the servers, or try again")


def day(milliseconds: int | None) -> str:
    """A moment for people, in UTC."""
    if milliseconds is None:
        return "-"
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def found(connection: sa.Connection, game: str) -> Meta:
    """The game of that id.

    Raises:
        UpkeepError: there is none.
    """
    meta = archive.load_meta(connection, game)
    if meta is None:
        raise upkeep.UpkeepError(f"there is no game {game}")
    return meta


def for_people(
    work: Callable[[sa.Connection], T], data: str | None, config: str | None, person: str = ""
) -> T:
    """Change something about people: the server may go on, it asks the store each time.

    What is open of `person` is looked at again by the servers of a shared store.
    """
    with opened(data, config) as store:

        def change(connection: sa.Connection) -> T:
            done = work(connection)
            if store.shared and person:
                tell_person(connection, person, "admin")
            return done

        try:
            return store.now(change)
        except TableError as error:
            raise upkeep.UpkeepError(error.message) from error
