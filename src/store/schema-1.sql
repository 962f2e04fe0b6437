-- Everything that the robot knows. Times are milliseconds since 1970 UTC;
-- *_z columns are zstd-compressed.
CREATE TABLE host (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;

CREATE TABLE game (
  code TEXT PRIMARY KEY,
  engine TEXT NOT NULL,
  rules_version INTEGER NOT NULL,
  setup TEXT NOT NULL,
  status TEXT NOT NULL,            -- open, running, held, over
  held_why TEXT NOT NULL DEFAULT '',
  rule TEXT NOT NULL,
  turn INTEGER NOT NULL,           -- whose orders are collected; 0 before the start
  deadline INTEGER,
  seed INTEGER NOT NULL,           -- of the open turn, secret until it has run
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE seat (
  game TEXT NOT NULL REFERENCES game(code),
  seat INTEGER NOT NULL,
  name TEXT NOT NULL,
  address TEXT NOT NULL,
  zone TEXT NOT NULL,
  password_digest TEXT NOT NULL,
  disclose INTEGER NOT NULL,
  any_address INTEGER NOT NULL,
  missed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (game, seat)
) STRICT;
CREATE INDEX seat_address ON seat(address COLLATE NOCASE);

-- The journal: what each turn was made from and what came of it.
CREATE TABLE turn (
  game TEXT NOT NULL REFERENCES game(code),
  turn INTEGER NOT NULL,           -- the turn that ran; 0 is the making of the game
  rules_version INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  cards TEXT NOT NULL,
  state_z BLOB NOT NULL,
  events_z BLOB NOT NULL,
  dice_z BLOB NOT NULL,
  hash TEXT NOT NULL,              -- SHA-256 of state, events and dice
  ran_at INTEGER NOT NULL,
  PRIMARY KEY (game, turn)
) STRICT;

CREATE TABLE orders (
  game TEXT NOT NULL, seat INTEGER NOT NULL, turn INTEGER NOT NULL,
  card TEXT NOT NULL,
  mail INTEGER REFERENCES mail(id),
  received_at INTEGER NOT NULL,
  PRIMARY KEY (game, seat, turn)
) STRICT;

CREATE TABLE seal (
  game TEXT NOT NULL, turn INTEGER NOT NULL, seat INTEGER NOT NULL,
  key TEXT NOT NULL, nonce TEXT NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (game, turn, seat, key)
) STRICT;

-- One row a message: first stored, then judged.
CREATE TABLE mail (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL, key TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  raw_z BLOB,
  digest TEXT NOT NULL DEFAULT '',
  attempts INTEGER NOT NULL DEFAULT 0,
  verdict TEXT,                    -- accepted, held, rejected, ignored, quarantined
  reason TEXT NOT NULL DEFAULT '',
  why TEXT NOT NULL DEFAULT '',
  game TEXT, seat INTEGER, turn INTEGER,
  sender TEXT NOT NULL DEFAULT '',
  judged_at INTEGER,
  moved INTEGER NOT NULL DEFAULT 0,
  UNIQUE (source, key)
) STRICT;
CREATE INDEX mail_digest ON mail(digest) WHERE digest <> '';
CREATE INDEX mail_open ON mail(verdict, moved);

CREATE TABLE held (
  mail INTEGER PRIMARY KEY REFERENCES mail(id),
  game TEXT NOT NULL, seat INTEGER NOT NULL,
  used INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  recipient TEXT NOT NULL,
  kind TEXT NOT NULL,              -- echo, printout, confirm, answer, gm
  game TEXT, seat INTEGER, turn INTEGER,
  message_id TEXT NOT NULL UNIQUE,
  envelope_from TEXT NOT NULL,
  mime_z BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting',   -- waiting, sent, failed
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL,
  last_error TEXT NOT NULL DEFAULT '',
  cause INTEGER REFERENCES mail(id)
) STRICT;
CREATE INDEX outbox_due ON outbox(state, next_at);
CREATE INDEX outbox_recipient ON outbox(recipient COLLATE NOCASE, created_at);
