-- What tells a person from a machine: the words of a mail, without what changes by itself, and
-- whether it answers an answer of ours.
ALTER TABLE mail ADD COLUMN words TEXT NOT NULL DEFAULT '';
ALTER TABLE mail ADD COLUMN quick INTEGER NOT NULL DEFAULT 0;
