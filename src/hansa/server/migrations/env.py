"""Alembic's entry: works on the connection that `Store.migrate` hands over."""

from __future__ import annotations

from alembic import context

from hansa.server.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
