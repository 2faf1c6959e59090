"""The tables of the database. `entries` is the truth; the rest is people, places and caches."""

from __future__ import annotations

import sqlalchemy as sa

__all__ = [
    "archived",
    "calls",
    "chat",
    "deeds",
    "entries",
    "games",
    "invitations",
    "metadata",
    "people",
    "presence",
    "pushes",
    "ratings",
    "reports",
    "reviews",
    "seats",
    "seekers",
    "sessions",
    "settings",
    "snapshots",
    "studies",
    "ties",
    "tokens",
]

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

settings = sa.Table(
    "settings",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

people = sa.Table(
    "people",
    metadata,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("account", sa.String(40), unique=True),
    sa.Column("password", sa.Text),
    # An e-mail address that answered its letter, and the language to write in.
    sa.Column("mail", sa.Text),
    sa.Column("lang", sa.String(2)),
    # Admins keep order; whoever is muted does not chat, whoever is banned only looks.
    sa.Column("admin", sa.Boolean),
    sa.Column("muted_until", sa.BigInteger),
    sa.Column("banned_until", sa.BigInteger),
    sa.Column("reset_code", sa.String(64)),
    sa.Column("reset_until", sa.BigInteger),
    sa.Column("created", sa.BigInteger, nullable=False),
    # When the page was last open.
    sa.Column("seen", sa.BigInteger),
)

sessions = sa.Table(
    "sessions",
    metadata,
    # Only the hash is kept: who reads the database cannot sign in with it.
    sa.Column("key", sa.String(64), primary_key=True),
    # How its owner names it, to end it; and what the browser said of itself.
    sa.Column("id", sa.String(24), unique=True),
    sa.Column("agent", sa.String(200)),
    sa.Column("person", sa.String(24), sa.ForeignKey("people.id"), nullable=False, index=True),
    sa.Column("created", sa.BigInteger, nullable=False),
)

tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("key", sa.String(64), nullable=False, unique=True),
    sa.Column("person", sa.String(24), sa.ForeignKey("people.id"), nullable=False, index=True),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)

games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("name", sa.String(120), nullable=False),
    sa.Column("status", sa.String(10), nullable=False, index=True),
    sa.Column("visibility", sa.String(10), nullable=False),
    sa.Column("host", sa.String(24), sa.ForeignKey("people.id"), nullable=False, index=True),
    # Set-up as the engine takes it, the secret seed among it.
    sa.Column("setup", sa.JSON, nullable=False),
    # A fork's first position; null: the set-up's own.
    sa.Column("origin", sa.JSON),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("rules", sa.String(40), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False, index=True),
    sa.Column("started", sa.BigInteger),
    sa.Column("ended", sa.BigInteger),
    sa.Column("result", sa.JSON),
    sa.Column("proposals", sa.JSON, nullable=False),
    sa.Column("rematch", sa.String(24)),
    # To be said aloud; it leads to the table.
    sa.Column("code", sa.String(12), unique=True),
    sa.Column("version", sa.Integer, nullable=False),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("game", sa.String(24), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seat", sa.String(4), primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("person", sa.String(24), sa.ForeignKey("people.id"), index=True),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("bot", sa.String(120)),
    sa.Column("invite", sa.String(40), unique=True),
    sa.Column("standin", sa.String(120)),
    sa.Column("conceded", sa.Boolean, nullable=False, default=False),
    # Since when its person is not at the table; null: there, or nobody has noticed yet.
    sa.Column("away", sa.BigInteger),
    sa.Column("colour", sa.String(4)),
)

entries = sa.Table(
    "entries",
    metadata,
    sa.Column("game", sa.String(24), sa.ForeignKey("games.id"), primary_key=True),
    # The key makes two processes agree on one next entry: the slower one is refused.
    sa.Column("revision", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("player", sa.String(4)),
    sa.Column("text", sa.String(200), nullable=False),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("by", sa.String(10), nullable=False),
    sa.Column("events", sa.Text, nullable=False),
    sa.Column("clocks", sa.Text),
    # Everybody's total where a turn ended: the score chart needs no replay.
    sa.Column("points", sa.Text),
    # Whose decision follows, and its turn: lists of tables need no replay either.
    sa.Column("next_player", sa.String(4)),
    sa.Column("next_turn", sa.Integer),
    # Whether it showed somebody what was hidden: nobody goes back behind it.
    sa.Column("shown", sa.Boolean),
    sa.Index("ix_entries_number", "game", "number"),
)

snapshots = sa.Table(
    "snapshots",
    metadata,
    sa.Column("game", sa.String(24), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
)

reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("game", sa.String(24), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("made", sa.BigInteger, nullable=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
)

studies = sa.Table(
    "studies",
    metadata,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("person", sa.String(24), sa.ForeignKey("people.id"), nullable=False, index=True),
    sa.Column("name", sa.String(120), nullable=False),
    # The finished game it came from, and the decisions before it begins.
    sa.Column("game", sa.String(24), sa.ForeignKey("games.id"), nullable=False, index=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("comment", sa.Text, nullable=False),
    sa.Column("nodes", sa.Text, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),
)

chat = sa.Table(
    "chat",
    metadata,
    sa.Column("game", sa.String(24), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    # Looked through for each person who goes, unless there is an index; so are `calls`.
    sa.Column("person", sa.String(24), index=True),
    sa.Column("seat", sa.String(4)),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)

presence = sa.Table(
    "presence",
    metadata,
    # Which process holds a connection of whom; rows of a process that died grow old.
    sa.Column("process", sa.String(24), primary_key=True),
    sa.Column("game", sa.String(24), primary_key=True),
    sa.Column("person", sa.String(24), primary_key=True),
    sa.Column("seen", sa.BigInteger, nullable=False),
)

#: Ordered by its letters' codes everywhere, whatever language a database sorts by.
_PLAIN_ID = sa.String(24).with_variant(sa.String(24, collation="C"), "postgresql")

ratings = sa.Table(
    "ratings",
    metadata,
    # One line a seat of each rated game. Made from `games` alone, so that it can be made again.
    sa.Column("game", _PLAIN_ID, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seat", sa.String(4), primary_key=True),
    sa.Column("person", sa.String(24), sa.ForeignKey("people.id")),
    sa.Column("bot", sa.String(120)),
    sa.Column("pool", sa.String(8), nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False),
    sa.Column("rank", sa.Integer, nullable=False),
    # A person's rating after the game; null: not reckoned yet.
    sa.Column("mu", sa.Float),
    sa.Column("sigma", sa.Float),
    sa.Column("gain", sa.Float),
    sa.Index("ix_ratings_pool", "pool", "ended", "game"),
    sa.Index("ix_ratings_person", "person", "pool", "ended", "game"),
    # Asked for before every look at a rating: hardly ever is there one.
    sa.Index(
        "ix_ratings_open",
        "pool",
        "ended",
        "game",
        sqlite_where=sa.text("mu IS NULL"),
        postgresql_where=sa.text("mu IS NULL"),
    ),
)

pushes = sa.Table(
    "pushes",
    metadata,
    # Browsers that are told by Web Push.
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("person", sa.String(24), sa.ForeignKey("people.id"), nullable=False, index=True),
    sa.Column("endpoint", sa.String(1000), nullable=False, unique=True),
    sa.Column("p256dh", sa.String(120), nullable=False),
    sa.Column("auth", sa.String(40), nullable=False),
    sa.Column("lang", sa.String(2), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)

calls = sa.Table(
    "calls",
    metadata,
    # What has been told: the key makes several processes agree on who tells it, once. An empty
    # person is the table's webhook.
    sa.Column("game", sa.String(24), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("person", sa.String(24), primary_key=True, index=True),
    sa.Column("what", sa.String(40), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False, index=True),
)

archived = sa.Table(
    "archived",
    metadata,
    # Tables that somebody does not want to see among his own any more.
    sa.Column("person", sa.String(24), sa.ForeignKey("people.id"), primary_key=True),
    sa.Column("game", sa.String(24), sa.ForeignKey("games.id"), primary_key=True, index=True),
)

reports = sa.Table(
    "reports",
    metadata,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("by", sa.String(24), sa.ForeignKey("people.id"), nullable=False, index=True),
    # A table or a person that is gone by now is still a report.
    sa.Column("game", sa.String(24)),
    sa.Column("about", sa.String(24)),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("settled", sa.BigInteger),
)

deeds = sa.Table(
    "deeds",
    metadata,
    # What admins did: nothing removes a row.
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False, index=True),
    sa.Column("by", sa.String(40), nullable=False),
    sa.Column("what", sa.String(10), nullable=False),
    sa.Column("subject", sa.String(40), nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
)

seekers = sa.Table(
    "seekers",
    metadata,
    # Who waits for a quick game: one search a person.
    sa.Column("person", sa.String(24), sa.ForeignKey("people.id"), primary_key=True),
    # What those who play together agree on, as JSON.
    sa.Column("kind", sa.String(200), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    # When this person asked last.
    sa.Column("seen", sa.BigInteger, nullable=False),
    # From when on machines may take free seats; null: never.
    sa.Column("until", sa.BigInteger),
    sa.Column("game", sa.String(24)),
    # Who has waited longest is found without looking at all who wait for the same.
    sa.Index("ix_seekers_kind", "kind", "created", "person"),
)

ties = sa.Table(
    "ties",
    metadata,
    # Whom somebody follows or blocks: one or the other.
    sa.Column("person", sa.String(24), sa.ForeignKey("people.id"), primary_key=True),
    sa.Column("other", sa.String(24), sa.ForeignKey("people.id"), primary_key=True, index=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)

invitations = sa.Table(
    "invitations",
    metadata,
    sa.Column("game", sa.String(24), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("person", sa.String(24), sa.ForeignKey("people.id"), primary_key=True, index=True),
    # Looked through for each person who goes, unless there is an index.
    sa.Column("sender", sa.String(24), sa.ForeignKey("people.id"), nullable=False, index=True),
    sa.Column("at", sa.BigInteger, nullable=False),
)
