"""People are told by e-mail or push, once; tables can be archived.

Addresses of free form are gone. Those that are e-mail addresses stay: they had answered a letter.
"""

from __future__ import annotations

import re

import sqlalchemy as sa
import structlog
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_MAIL = re.compile(r"[\w.+'-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+", re.ASCII)


def upgrade() -> None:
    """Forward."""
    # Plain SQL: both stores know it, and SQLite need not copy the table for it.
    op.execute("ALTER TABLE people RENAME COLUMN notify TO mail")
    op.add_column("people", sa.Column("lang", sa.String(length=2), nullable=True))
    _keep_mails(op.get_bind())
    op.create_table(
        "pushes",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("person", sa.String(length=24), nullable=False),
        sa.Column("endpoint", sa.String(length=1000), nullable=False),
        sa.Column("p256dh", sa.String(length=120), nullable=False),
        sa.Column("auth", sa.String(length=40), nullable=False),
        sa.Column("lang", sa.String(length=2), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_pushes_person"),
        sa.PrimaryKeyConstraint("id", name="pk_pushes"),
        sa.UniqueConstraint("endpoint", name="uq_pushes_endpoint"),
    )
    op.create_index("ix_pushes_person", "pushes", ["person"])
    op.create_table(
        "calls",
        sa.Column("game", sa.String(length=24), nullable=False),
        sa.Column("person", sa.String(length=24), nullable=False),
        sa.Column("what", sa.String(length=40), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_calls_game"),
        sa.PrimaryKeyConstraint("game", "person", "what", name="pk_calls"),
    )
    op.create_index("ix_calls_at", "calls", ["at"])
    op.create_table(
        "archived",
        sa.Column("person", sa.String(length=24), nullable=False),
        sa.Column("game", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_archived_person"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_archived_game"),
        sa.PrimaryKeyConstraint("person", "game", name="pk_archived"),
    )
    op.create_index("ix_archived_game", "archived", ["game"])


def _keep_mails(connection: sa.Connection) -> None:
    people = sa.table("people", sa.column("id"), sa.column("mail"))
    rows = connection.execute(sa.select(people).where(people.c.mail.is_not(None))).all()
    dropped = [row.id for row in rows if not _MAIL.fullmatch(row.mail)]
    for person in dropped:
        connection.execute(people.update().where(people.c.id == person).values(mail=None))
    if dropped:
        structlog.get_logger().warning(
            "addresses for notifications of a form that is gone were dropped", people=len(dropped)
        )


def downgrade() -> None:
    """Back."""
    for table in ("archived", "calls", "pushes"):
        op.drop_table(table)
    op.drop_column("people", "lang")
    op.execute("ALTER TABLE people RENAME COLUMN mail TO notify")
