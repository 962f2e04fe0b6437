-- What the game master did, with what undoes it.
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
