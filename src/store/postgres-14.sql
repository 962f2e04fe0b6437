-- The chains of a game's seeds, as JSON; empty in a game that began before there were any.
ALTER TABLE game ADD COLUMN chains TEXT COLLATE "C" NOT NULL DEFAULT '[]';
-- The digests of the reports that seats were sent of a step, with the program that wrote them.
ALTER TABLE turn ADD COLUMN told TEXT COLLATE "C" NOT NULL DEFAULT '';
