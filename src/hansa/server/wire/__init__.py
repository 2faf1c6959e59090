"""Everything that travels between server and client, declared once.

What the server reads and sends is made of these types. From them `python -m hansa.server.wire`
writes the TypeScript of the page (`web/src/lib/wire.ts`), the JSON schema
(`docs/wire.schema.json`) and the tables of `docs/protocol.md`; a test fails while they are old.

A message more: a type here, a line in `ClientMessage`, `ServerMessage` or a route, and `make generate`.
"""
