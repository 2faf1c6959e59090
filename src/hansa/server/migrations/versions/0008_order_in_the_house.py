"""Reports, admins, what they did, and who is muted or banned."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.add_column("people", sa.Column("admin", sa.Boolean(), nullable=True))
    op.add_column("people", sa.Column("muted_until", sa.BigInteger(), nullable=True))
    op.add_column("people", sa.Column("banned_until", sa.BigInteger(), nullable=True))
    op.create_table(
        "reports",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.String(length=24), nullable=False),
        sa.Column("game", sa.String(length=24), nullable=True),
        sa.Column("about", sa.String(length=24), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("settled", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["by"], ["people.id"], name="fk_reports_by"),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
    )
    op.create_index("ix_reports_by", "reports", ["by"])
    op.create_table(
        "deeds",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.String(length=40), nullable=False),
        sa.Column("what", sa.String(length=10), nullable=False),
        sa.Column("subject", sa.String(length=40), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_deeds"),
    )
    op.create_index("ix_deeds_at", "deeds", ["at"])


def downgrade() -> None:
    """Back."""
    op.drop_table("deeds")
    op.drop_table("reports")
    for column in ("banned_until", "muted_until", "admin"):
        op.drop_column("people", column)
