"""What somebody has said, and what he was told, is found without looking through all of it."""

from __future__ import annotations

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_index("ix_chat_person", "chat", ["person"])
    op.create_index("ix_calls_person", "calls", ["person"])


def downgrade() -> None:
    """Back."""
    op.drop_index("ix_calls_person", "calls")
    op.drop_index("ix_chat_person", "chat")
