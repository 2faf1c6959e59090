"""Who follows or blocks whom, and who is asked to which table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    with op.batch_alter_table("people") as table:
        table.add_column(sa.Column("seen", sa.BigInteger(), nullable=True))
    op.create_table(
        "ties",
        sa.Column("person", sa.String(length=24), nullable=False),
        sa.Column("other", sa.String(length=24), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_ties_person")),
        sa.ForeignKeyConstraint(["other"], ["people.id"], name=op.f("fk_ties_other")),
        sa.PrimaryKeyConstraint("person", "other", name=op.f("pk_ties")),
    )
    op.create_index(op.f("ix_ties_other"), "ties", ["other"])
    op.create_table(
        "invitations",
        sa.Column("game", sa.String(length=24), nullable=False),
        sa.Column("person", sa.String(length=24), nullable=False),
        sa.Column("sender", sa.String(length=24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_invitations_game")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_invitations_person")),
        sa.ForeignKeyConstraint(["sender"], ["people.id"], name=op.f("fk_invitations_sender")),
        sa.PrimaryKeyConstraint("game", "person", name=op.f("pk_invitations")),
    )
    op.create_index(op.f("ix_invitations_person"), "invitations", ["person"])


def downgrade() -> None:
    """Back."""
    op.drop_index(op.f("ix_invitations_person"), table_name="invitations")
    op.drop_table("invitations")
    op.drop_index(op.f("ix_ties_other"), table_name="ties")
    op.drop_table("ties")
    with op.batch_alter_table("people") as table:
        table.drop_column("seen")
