-- Printouts whose HTML, pictures and files are still to be made: the mail itself waits in
-- the outbox, with its text, in the state 'drawing'.
CREATE TABLE drawing (
  outbox INTEGER PRIMARY KEY REFERENCES outbox(id) ON DELETE CASCADE,
  what_z BLOB NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX outbox_drawing ON outbox(game, turn) WHERE state = 'drawing';
