-- A step may be part of a turn, or play several; players know it by these. NULL: its number.
ALTER TABLE step ADD COLUMN first_turn BIGINT;
ALTER TABLE step ADD COLUMN last_turn BIGINT;
