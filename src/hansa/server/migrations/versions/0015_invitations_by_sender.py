"""Who sent an invitation is found without looking through all of them, also by what guards the keys."""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_index("ix_invitations_sender", "invitations", ["sender"])


def downgrade() -> None:
    """Back."""
    op.drop_index("ix_invitations_sender", "invitations")
