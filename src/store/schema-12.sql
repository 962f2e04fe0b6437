-- Addresses are compared in one form, without the case of their letters: where the form that was
-- given is still needed, it stands beside.
ALTER TABLE seat ADD COLUMN canon TEXT NOT NULL DEFAULT '';
UPDATE seat SET canon = lower(address);
DROP INDEX seat_address;
CREATE INDEX seat_canon ON seat(canon);
ALTER TABLE outbox ADD COLUMN canon TEXT NOT NULL DEFAULT '';
UPDATE outbox SET canon = lower(recipient);
DROP INDEX outbox_recipient;
-- What was proven of whoever an answer goes to: how many of a kind there were is answered by the
-- index alone.
ALTER TABLE outbox ADD COLUMN standing TEXT NOT NULL DEFAULT '';
UPDATE outbox SET standing = coalesce((SELECT standing FROM mail WHERE id = outbox.cause), '');
CREATE INDEX outbox_canon ON outbox(canon, created_at, standing, kind, cause);
DROP INDEX outbox_created;
CREATE INDEX outbox_created ON outbox(created_at, standing, cause, canon);
DROP INDEX outbox_waiting;
CREATE INDEX outbox_waiting ON outbox(canon, id) WHERE state = 'waiting';
ALTER TABLE question ADD COLUMN canon TEXT NOT NULL DEFAULT '';
UPDATE question SET canon = lower(address);
DROP INDEX question_address;
CREATE INDEX question_canon ON question(canon, asked_at);
ALTER TABLE waiting ADD COLUMN canon TEXT NOT NULL DEFAULT '';
UPDATE waiting SET canon = lower(address);
UPDATE address SET address = lower(address);
DROP INDEX mail_sender;
UPDATE mail SET sender = lower(sender), checked_from = lower(checked_from);
CREATE INDEX mail_sender ON mail(sender, judged_at, verdict, reason, standing, words, quick);
CREATE INDEX mail_words ON mail(sender, words, judged_at);

CREATE INDEX outbox_echo ON outbox(canon, id) WHERE state = 'drawing' AND kind = 'echo';
-- Cards that a turn was made from, without reading them all.
ALTER TABLE turn ADD COLUMN card_count INTEGER NOT NULL DEFAULT 0;
UPDATE turn SET card_count = json_array_length(cards);
CREATE INDEX turn_ran ON turn(ran_at);
CREATE INDEX turn_hash ON turn(game, turn, hash);
-- What there is to forget is found without reading what was forgotten.
CREATE INDEX mail_raw ON mail(received_at) WHERE raw_z IS NOT NULL;

-- What several workers on one store know of each other. Who they are, and when each was last seen.
CREATE TABLE worker (
  owner TEXT PRIMARY KEY,          -- of a process; no other has the same
  name TEXT NOT NULL,              -- as its config or its machine calls it
  machine TEXT NOT NULL, pid INTEGER NOT NULL,
  roles TEXT NOT NULL,             -- inbox, turns, drawing, outbox, web, with blanks between
  version TEXT NOT NULL,           -- of the program
  began_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;
-- Work that one of them does at a time. A lease that is taken anew has a higher term, by which a
-- worker that was overtaken is told from the one that has it.
CREATE TABLE lease (
  name TEXT PRIMARY KEY,           -- "inbox main", "step W7", "calendar"
  owner TEXT NOT NULL,
  term INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;
-- When the last complete fetch of a mailbox began: a step waits for it.
CREATE TABLE mailbox (name TEXT PRIMARY KEY, fetched_at INTEGER NOT NULL) STRICT;
ALTER TABLE outbox ADD COLUMN owner TEXT NOT NULL DEFAULT '';   -- who sends it now
ALTER TABLE drawing ADD COLUMN owner TEXT NOT NULL DEFAULT '';  -- who draws it now
ALTER TABLE drawing ADD COLUMN until INTEGER NOT NULL DEFAULT 0;

-- When each game must be looked at next: 0, at once, after whatever changes it.
CREATE TABLE look (
  game TEXT PRIMARY KEY,
  at INTEGER NOT NULL DEFAULT 0,
  stamp INTEGER NOT NULL DEFAULT 0 -- another one after each change
) STRICT;
INSERT INTO look (game) SELECT code FROM game;
CREATE INDEX look_at ON look(at, game);
CREATE INDEX game_status ON game(status);
CREATE INDEX seat_unreachable ON seat(game) WHERE unreachable = 1;
CREATE TRIGGER look_new AFTER INSERT ON game BEGIN
  INSERT INTO look (game) VALUES (NEW.code) ON CONFLICT (game) DO NOTHING;
END;
CREATE TRIGGER look_gone AFTER DELETE ON game BEGIN
  DELETE FROM look WHERE game = OLD.code;
END;
CREATE TRIGGER look_game AFTER UPDATE ON game BEGIN
  UPDATE look SET at = 0, stamp = stamp + 1 WHERE game = NEW.code;
END;
CREATE TRIGGER look_step_insert AFTER INSERT ON step BEGIN
  UPDATE look SET at = 0, stamp = stamp + 1 WHERE game = NEW.game;
END;
CREATE TRIGGER look_step_update AFTER UPDATE ON step BEGIN
  UPDATE look SET at = 0, stamp = stamp + 1 WHERE game = NEW.game;
END;
CREATE TRIGGER look_step_delete AFTER DELETE ON step BEGIN
  UPDATE look SET at = 0, stamp = stamp + 1 WHERE game = OLD.game;
END;
CREATE TRIGGER look_seat_insert AFTER INSERT ON seat BEGIN
  UPDATE look SET at = 0, stamp = stamp + 1 WHERE game = NEW.game;
END;
CREATE TRIGGER look_seat_update AFTER UPDATE ON seat BEGIN
  UPDATE look SET at = 0, stamp = stamp + 1 WHERE game = NEW.game;
END;
CREATE TRIGGER look_seat_delete AFTER DELETE ON seat BEGIN
  UPDATE look SET at = 0, stamp = stamp + 1 WHERE game = OLD.game;
END;
CREATE TRIGGER look_orders_insert AFTER INSERT ON orders BEGIN
  UPDATE look SET at = 0, stamp = stamp + 1 WHERE game = NEW.game;
END;
CREATE TRIGGER look_orders_update AFTER UPDATE ON orders BEGIN
  UPDATE look SET at = 0, stamp = stamp + 1 WHERE game = NEW.game;
END;
CREATE TRIGGER look_orders_delete AFTER DELETE ON orders BEGIN
  UPDATE look SET at = 0, stamp = stamp + 1 WHERE game = OLD.game;
END;
CREATE TRIGGER look_waiting_insert AFTER INSERT ON waiting BEGIN
  UPDATE look SET at = 0, stamp = stamp + 1 WHERE game = NEW.game;
END;
CREATE TRIGGER look_waiting_update AFTER UPDATE ON waiting BEGIN
  UPDATE look SET at = 0, stamp = stamp + 1 WHERE game = NEW.game;
END;
CREATE TRIGGER look_waiting_delete AFTER DELETE ON waiting BEGIN
  UPDATE look SET at = 0, stamp = stamp + 1 WHERE game = OLD.game;
END;
