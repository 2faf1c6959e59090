"""Ratings that nobody has reckoned yet are found without looking through all of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    unreckoned = sa.text("mu IS NULL")
    op.create_index(
        "ix_ratings_open",
        "ratings",
        ["pool", "ended", "game"],
        sqlite_where=unreckoned,
        postgresql_where=unreckoned,
    )


def downgrade() -> None:
    """Back."""
    op.drop_index("ix_ratings_open", "ratings")
