-- What printouts are made of: HTML, pictures and files are drawn after the turn is
-- committed. The mail waits in the outbox, with its text, in the state 'drawing'. What is
-- drawn is kept until the seat's next printout, so that it can be sent again in any form.
CREATE TABLE drawing (
  outbox INTEGER PRIMARY KEY REFERENCES outbox(id) ON DELETE CASCADE,
  what_z BLOB NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  done INTEGER NOT NULL
) STRICT;
CREATE INDEX drawing_open ON drawing(outbox) WHERE done = 0;
CREATE INDEX outbox_drawing ON outbox(game, turn) WHERE state = 'drawing';
-- The mail with all that was drawn, until it has been sent; mime_z has its text.
ALTER TABLE outbox ADD COLUMN drawn_z BLOB;
