-- What tells a person from a machine: the words of a mail, without what changes by itself, and
-- whether it answers an answer of ours.
ALTER TABLE mail ADD COLUMN words TEXT NOT NULL DEFAULT '';
ALTER TABLE mail ADD COLUMN quick INTEGER NOT NULL DEFAULT 0;

-- What a turn was made from, as one digest; empty for turns that ran before it was kept.
ALTER TABLE turn ADD COLUMN made TEXT NOT NULL DEFAULT '';

-- Signatures of domains that vouched for mails: none vouches twice.
CREATE TABLE signature (id TEXT PRIMARY KEY, mail INTEGER NOT NULL, seen_at INTEGER NOT NULL) STRICT;

-- Secrets of a seat end with the reason that they were given for: the derivation has an epoch,
-- and mails up to a number of the outbox prove nothing by their Message-ID.
ALTER TABLE seat ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seat ADD COLUMN epoch_mail INTEGER NOT NULL DEFAULT 0;

-- The From address that a check of a mail's origin was about.
ALTER TABLE mail ADD COLUMN checked_from TEXT NOT NULL DEFAULT '';

-- What a mail proved of its sender: its answers count with those of its like alone.
ALTER TABLE mail ADD COLUMN standing TEXT NOT NULL DEFAULT 'stranger';
UPDATE mail SET standing = 'proven' WHERE verdict = 'accepted' AND game IS NOT NULL;
