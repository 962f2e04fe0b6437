-- Computer players, languages of messages, and a ledger of turn fees.
ALTER TABLE game ADD COLUMN fee INTEGER NOT NULL DEFAULT 0;      -- credits a printout; 0: free
ALTER TABLE game ADD COLUMN takeover INTEGER NOT NULL DEFAULT 0; -- missed turns until a computer plays on; 0: never
ALTER TABLE seat ADD COLUMN computer INTEGER NOT NULL DEFAULT 0; -- no person behind this seat
ALTER TABLE seat ADD COLUMN language TEXT NOT NULL DEFAULT '';   -- of messages; empty: the engine's first

-- The first waiting mail of each recipient is found without a scan.
CREATE INDEX outbox_waiting ON outbox(recipient, id) WHERE state = 'waiting';
CREATE INDEX outbox_printout ON outbox(game, seat, turn) WHERE kind = 'printout';
CREATE INDEX mail_to_move ON mail(source) WHERE moved = 0 AND verdict IS NOT NULL;
CREATE INDEX mail_seat ON mail(game, seat, judged_at);

CREATE TABLE credit (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL, seat INTEGER NOT NULL,
  amount INTEGER NOT NULL,         -- fees are negative
  why TEXT NOT NULL,
  turn INTEGER,                    -- whose printout a fee paid
  at INTEGER NOT NULL,
  UNIQUE (game, seat, turn),
  FOREIGN KEY (game, seat) REFERENCES seat(game, seat)
) STRICT;
