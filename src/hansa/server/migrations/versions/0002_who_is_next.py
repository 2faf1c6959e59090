"""Each log entry says whose decision follows: a list of tables replays nothing."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    with op.batch_alter_table("entries") as table:
        table.add_column(sa.Column("next_player", sa.String(length=4), nullable=True))
        table.add_column(sa.Column("next_turn", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Back."""
    with op.batch_alter_table("entries") as table:
        table.drop_column("next_turn")
        table.drop_column("next_player")
