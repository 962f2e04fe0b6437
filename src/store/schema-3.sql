-- Terms of a game, what players choose by mail, questions that wait for an answer,
-- the health of addresses, and what was sent by the calendar.
ALTER TABLE game ADD COLUMN terms TEXT NOT NULL DEFAULT '{}';
ALTER TABLE game ADD COLUMN revision INTEGER NOT NULL DEFAULT 0; -- turns that were taken back
ALTER TABLE game ADD COLUMN waited INTEGER NOT NULL DEFAULT 0;   -- last turn that waited for a quorum
ALTER TABLE turn ADD COLUMN missed TEXT NOT NULL DEFAULT '[]';   -- missed counts before it, for a turn taken back

ALTER TABLE seat ADD COLUMN contact TEXT NOT NULL DEFAULT 'hide'; -- disclose, relay, hide
UPDATE seat SET contact = 'disclose' WHERE disclose = 1;
ALTER TABLE seat DROP COLUMN disclose;
ALTER TABLE seat ADD COLUMN ready INTEGER NOT NULL DEFAULT 0;     -- turn that its player is ready for
ALTER TABLE seat ADD COLUMN away_from INTEGER;
ALTER TABLE seat ADD COLUMN away_until INTEGER;
ALTER TABLE seat ADD COLUMN format TEXT NOT NULL DEFAULT '{}';
ALTER TABLE seat ADD COLUMN reminders INTEGER NOT NULL DEFAULT 1;
ALTER TABLE seat ADD COLUMN resigned INTEGER NOT NULL DEFAULT 0;  -- its player has left
ALTER TABLE seat ADD COLUMN since INTEGER NOT NULL DEFAULT 0;     -- open turn when its player took it
ALTER TABLE seat ADD COLUMN unreachable INTEGER NOT NULL DEFAULT 0;

ALTER TABLE mail ADD COLUMN auth TEXT NOT NULL DEFAULT '';        -- pass, fail, or nothing known
CREATE INDEX mail_sender ON mail(sender COLLATE NOCASE, judged_at) WHERE sender <> '';

ALTER TABLE outbox ADD COLUMN bounce TEXT NOT NULL DEFAULT '';    -- token of its return path
ALTER TABLE outbox ADD COLUMN expires_at INTEGER;                 -- of no use after; NULL: retry_days
CREATE INDEX outbox_bounce ON outbox(bounce) WHERE bounce <> '';
CREATE INDEX outbox_caused ON outbox(cause) WHERE cause IS NOT NULL;
CREATE INDEX outbox_created ON outbox(created_at);

-- Questions whose answer is YES to a secret address.
CREATE TABLE question (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,              -- join, old-address, new-address, resign, forget, standby
  game TEXT, seat INTEGER,
  address TEXT NOT NULL,           -- who is asked
  value TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX question_address ON question(address COLLATE NOCASE, asked_at);

-- Who waits for a seat, first come first served.
CREATE TABLE waiting (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL REFERENCES game(code),
  address TEXT NOT NULL,
  wish TEXT NOT NULL,              -- name, contact, zone as JSON
  since INTEGER NOT NULL,
  offered_at INTEGER,
  UNIQUE (game, address)
) STRICT;

CREATE TABLE vote (
  game TEXT NOT NULL, turn INTEGER NOT NULL, seat INTEGER NOT NULL,
  days INTEGER NOT NULL, reason TEXT NOT NULL,
  PRIMARY KEY (game, turn, seat)
) STRICT;

-- Mails by the calendar that were sent, so that none is sent twice.
CREATE TABLE reminded (
  game TEXT NOT NULL, turn INTEGER NOT NULL, what TEXT NOT NULL,
  PRIMARY KEY (game, turn, what)
) STRICT;

-- Addresses that mails came back from.
CREATE TABLE address (
  address TEXT PRIMARY KEY COLLATE NOCASE,
  bounces INTEGER NOT NULL DEFAULT 0,
  suspended_at INTEGER,
  list_told_at INTEGER
) STRICT;

-- Times in which no mail could be read.
CREATE TABLE outage (began INTEGER NOT NULL, ended INTEGER NOT NULL) STRICT;
