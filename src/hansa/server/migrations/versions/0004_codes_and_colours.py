"""A table has a code to say aloud, a seat the colour its person chose."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    with op.batch_alter_table("games") as table:
        table.add_column(sa.Column("code", sa.String(length=12), nullable=True))
        table.create_index("ix_games_code", ["code"], unique=True)
    with op.batch_alter_table("seats") as table:
        table.add_column(sa.Column("colour", sa.String(length=4), nullable=True))


def downgrade() -> None:
    """Back."""
    with op.batch_alter_table("seats") as table:
        table.drop_column("colour")
    with op.batch_alter_table("games") as table:
        table.drop_index("ix_games_code")
        table.drop_column("code")
