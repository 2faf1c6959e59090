"""Who has waited longest for a quick game is found without looking at all who wait for the same.

Which machines somebody wants he says with each question; nobody else needs to know.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.drop_index("ix_seekers_kind", "seekers")
    with op.batch_alter_table("seekers") as table:
        table.drop_column("bot")
    op.create_index("ix_seekers_kind", "seekers", ["kind", "created", "person"])


def downgrade() -> None:
    """Back."""
    op.drop_index("ix_seekers_kind", "seekers")
    op.add_column("seekers", sa.Column("bot", sa.String(length=120), nullable=True))
    op.create_index("ix_seekers_kind", "seekers", ["kind"])
