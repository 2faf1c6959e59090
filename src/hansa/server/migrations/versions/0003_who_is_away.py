"""Since when somebody is away, and what a decision showed: votes look at both."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    with op.batch_alter_table("seats") as table:
        table.add_column(sa.Column("away", sa.BigInteger(), nullable=True))
    with op.batch_alter_table("entries") as table:
        table.add_column(sa.Column("shown", sa.Boolean(), nullable=True))


def downgrade() -> None:
    """Back."""
    with op.batch_alter_table("entries") as table:
        table.drop_column("shown")
    with op.batch_alter_table("seats") as table:
        table.drop_column("away")
