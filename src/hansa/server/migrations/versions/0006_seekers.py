"""Who waits for a quick game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "seekers",
        sa.Column("person", sa.String(length=24), nullable=False),
        sa.Column("kind", sa.String(length=200), nullable=False),
        sa.Column("bot", sa.String(length=120), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("game", sa.String(length=24), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_seekers_person")),
        sa.PrimaryKeyConstraint("person", name=op.f("pk_seekers")),
    )
    op.create_index(op.f("ix_seekers_kind"), "seekers", ["kind"])


def downgrade() -> None:
    """Back."""
    op.drop_index(op.f("ix_seekers_kind"), table_name="seekers")
    op.drop_table("seekers")
