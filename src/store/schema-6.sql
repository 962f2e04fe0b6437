-- The step: what the open step of a game waits for, and what the steps before waited for.
CREATE TABLE step (
  game TEXT NOT NULL REFERENCES game(code),
  number INTEGER NOT NULL,         -- the game's turn while it is open
  label TEXT NOT NULL,             -- what players call it, such as 'turn 14, Red to move'
  awaited TEXT NOT NULL,           -- JSON: the seats whose cards hold it up
  clock TEXT NOT NULL,             -- calendar, now, or the name of a clock of the game
  hours INTEGER,                   -- how long that clock runs
  opened_at INTEGER NOT NULL,
  due_at INTEGER,                  -- NULL: it has no deadline
  PRIMARY KEY (game, number)
) STRICT;
-- Of games that run, every seat that was given counts as awaited until the step has run.
INSERT INTO step SELECT code, turn, 'turn ' || turn,
  (SELECT json_group_array(seat) FROM seat WHERE seat.game = code), 'calendar', NULL,
  coalesce((SELECT ran_at FROM turn WHERE turn.game = code AND turn.turn = game.turn - 1),
    created_at), deadline
FROM game WHERE turn > 0 AND status <> 'over';
ALTER TABLE game DROP COLUMN deadline;
-- A quorum is waited for once by a row of 'reminded'.
INSERT OR IGNORE INTO reminded SELECT code, waited, 'quorum' FROM game WHERE waited > 0;
ALTER TABLE game DROP COLUMN waited;

-- Who sat where when a turn ran, what computers noted, and the seals that it opened.
ALTER TABLE turn ADD COLUMN seats TEXT NOT NULL DEFAULT '[]';
ALTER TABLE turn ADD COLUMN notes TEXT NOT NULL DEFAULT '[]';
ALTER TABLE turn ADD COLUMN seals TEXT NOT NULL DEFAULT '[]';

-- A card that says itself that its sender is done; lines of it that an earlier step carried over.
ALTER TABLE orders ADD COLUMN done INTEGER NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN carried INTEGER NOT NULL DEFAULT 0;

-- The turn that opened a seal; NULL: it is closed.
ALTER TABLE seal ADD COLUMN opened INTEGER;
CREATE INDEX seal_name ON seal(game, seat, key, turn);

-- The steps of which a seat had mail prove an answer of it.
CREATE INDEX outbox_seat ON outbox(game, seat, turn) WHERE game IS NOT NULL;
