-- What the game master did, with what undoes it; data files of games.
CREATE TABLE act (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  by TEXT NOT NULL,                -- shell, mail, dashboard
  game TEXT,                       -- NULL: the host
  kind TEXT NOT NULL,              -- hold, release, deadline, run, withdraw, seat, tell, ...
  what TEXT NOT NULL,              -- one sentence, without addresses
  back TEXT NOT NULL DEFAULT '',   -- JSON of what undoes it; empty: nothing does
  undone_by INTEGER REFERENCES act(id)
) STRICT;
CREATE INDEX act_game ON act(game, id);

-- The data files of a setup, apart from what is read all the time: they are needed to make
-- the world, and to make it again. The last column, so that nobody reads past it.
ALTER TABLE game ADD COLUMN data TEXT NOT NULL DEFAULT '{}';
UPDATE game SET data = json_extract(setup, '$.data'), setup = json_set(setup, '$.data', json('{}'))
WHERE json_type(setup, '$.data') = 'object';
