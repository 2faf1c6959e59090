"""The first layout."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "people",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=True),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("notify", sa.Text(), nullable=True),
        sa.Column("reset_code", sa.String(length=64), nullable=True),
        sa.Column("reset_until", sa.BigInteger(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
        sa.UniqueConstraint("account", name=op.f("uq_people_account")),
    )
    op.create_table(
        "presence",
        sa.Column("process", sa.String(length=24), nullable=False),
        sa.Column("game", sa.String(length=24), nullable=False),
        sa.Column("person", sa.String(length=24), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("process", "game", "person", name=op.f("pk_presence")),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_settings")),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("visibility", sa.String(length=10), nullable=False),
        sa.Column("host", sa.String(length=24), nullable=False),
        sa.Column("setup", sa.JSON(), nullable=False),
        sa.Column("origin", sa.JSON(), nullable=True),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("proposals", sa.JSON(), nullable=False),
        sa.Column("rematch", sa.String(length=24), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["host"], ["people.id"], name=op.f("fk_games_host")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    op.create_index(op.f("ix_games_created"), "games", ["created"], unique=False)
    op.create_index(op.f("ix_games_host"), "games", ["host"], unique=False)
    op.create_index(op.f("ix_games_status"), "games", ["status"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("person", sa.String(length=24), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_sessions_person")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_person"), "sessions", ["person"], unique=False)
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("person", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_tokens_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("key", name=op.f("uq_tokens_key")),
    )
    op.create_index(op.f("ix_tokens_person"), "tokens", ["person"], unique=False)
    op.create_table(
        "chat",
        sa.Column("game", sa.String(length=24), nullable=False),
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("person", sa.String(length=24), nullable=True),
        sa.Column("seat", sa.String(length=4), nullable=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_chat_game")),
        sa.PrimaryKeyConstraint("game", "id", name=op.f("pk_chat")),
    )
    op.create_table(
        "entries",
        sa.Column("game", sa.String(length=24), nullable=False),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("player", sa.String(length=4), nullable=True),
        sa.Column("text", sa.String(length=200), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.String(length=10), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("clocks", sa.Text(), nullable=True),
        sa.Column("points", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_entries_game")),
        sa.PrimaryKeyConstraint("game", "revision", name=op.f("pk_entries")),
    )
    op.create_index("ix_entries_number", "entries", ["game", "number"], unique=False)
    op.create_table(
        "seats",
        sa.Column("game", sa.String(length=24), nullable=False),
        sa.Column("seat", sa.String(length=4), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("person", sa.String(length=24), nullable=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("bot", sa.String(length=120), nullable=True),
        sa.Column("invite", sa.String(length=40), nullable=True),
        sa.Column("standin", sa.String(length=120), nullable=True),
        sa.Column("conceded", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_seats_game")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_seats_person")),
        sa.PrimaryKeyConstraint("game", "seat", name=op.f("pk_seats")),
        sa.UniqueConstraint("invite", name=op.f("uq_seats_invite")),
    )
    op.create_index(op.f("ix_seats_person"), "seats", ["person"], unique=False)
    op.create_table(
        "snapshots",
        sa.Column("game", sa.String(length=24), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_snapshots_game")),
        sa.PrimaryKeyConstraint("game", "number", name=op.f("pk_snapshots")),
    )


def downgrade() -> None:
    """Back."""
    op.drop_table("snapshots")
    op.drop_index(op.f("ix_seats_person"), table_name="seats")
    op.drop_table("seats")
    op.drop_index("ix_entries_number", table_name="entries")
    op.drop_table("entries")
    op.drop_table("chat")
    op.drop_index(op.f("ix_tokens_person"), table_name="tokens")
    op.drop_table("tokens")
    op.drop_index(op.f("ix_sessions_person"), table_name="sessions")
    op.drop_table("sessions")
    op.drop_index(op.f("ix_games_status"), table_name="games")
    op.drop_index(op.f("ix_games_host"), table_name="games")
    op.drop_index(op.f("ix_games_created"), table_name="games")
    op.drop_table("games")
    op.drop_table("settings")
    op.drop_table("presence")
    op.drop_table("people")
