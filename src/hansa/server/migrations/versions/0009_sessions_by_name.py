"""Sessions have a name, so that one of them can be ended, and say in which browser they are."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.add_column("sessions", sa.Column("id", sa.String(length=24), nullable=True))
    op.add_column("sessions", sa.Column("agent", sa.String(length=200), nullable=True))
    sessions = sa.table("sessions", sa.column("key"), sa.column("id"))
    connection = op.get_bind()
    for key in connection.execute(sa.select(sessions.c.key)).scalars().all():
        name = secrets.token_hex(6)
        connection.execute(sessions.update().where(sessions.c.key == key).values(id=name))
    op.create_index("ix_sessions_id", "sessions", ["id"], unique=True)


def downgrade() -> None:
    """Back."""
    op.drop_index("ix_sessions_id", "sessions")
    op.drop_column("sessions", "agent")
    op.drop_column("sessions", "id")
