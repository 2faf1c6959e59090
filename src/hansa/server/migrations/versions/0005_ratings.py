"""What rated games tell about those who played them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "ratings",
        sa.Column(
            "game",
            sa.String(length=24).with_variant(sa.String(length=24, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("seat", sa.String(length=4), nullable=False),
        sa.Column("person", sa.String(length=24), nullable=True),
        sa.Column("bot", sa.String(length=120), nullable=True),
        sa.Column("pool", sa.String(length=8), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=True),
        sa.Column("sigma", sa.Float(), nullable=True),
        sa.Column("gain", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_ratings_game")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_ratings_person")),
        sa.PrimaryKeyConstraint("game", "seat", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_pool", "ratings", ["pool", "ended", "game"])
    op.create_index("ix_ratings_person", "ratings", ["person", "pool", "ended", "game"])


def downgrade() -> None:
    """Back."""
    op.drop_index("ix_ratings_person", table_name="ratings")
    op.drop_index("ix_ratings_pool", table_name="ratings")
    op.drop_table("ratings")
