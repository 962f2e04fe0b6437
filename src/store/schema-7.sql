-- A game is suspended, a mail is pending or discarded: one word for each.
UPDATE game SET status = 'suspended' WHERE status = 'held';
UPDATE mail SET verdict = 'pending' WHERE verdict = 'held';
UPDATE mail SET reason = 'discarded' WHERE reason = 'dropped';
UPDATE mail SET reason = 'several-pending' WHERE reason = 'several-held';
UPDATE mail SET reason = 'nothing-pending' WHERE reason = 'nothing-held';
ALTER TABLE game RENAME COLUMN held_why TO suspended_why;
ALTER TABLE held RENAME TO pending;
ALTER TABLE address RENAME COLUMN suspended_at TO suppressed_at;

-- Steps that had run before steps were kept: when one of them is taken back, it is open again.
INSERT OR IGNORE INTO step SELECT t.game, t.turn, 'turn ' || t.turn,
  (SELECT json_group_array(seat) FROM seat WHERE seat.game = t.game), 'calendar', NULL,
  coalesce((SELECT b.ran_at FROM turn b WHERE b.game = t.game AND b.turn = t.turn - 1),
    game.created_at), t.ran_at
FROM turn t JOIN game ON game.code = t.game WHERE t.turn > 0;
