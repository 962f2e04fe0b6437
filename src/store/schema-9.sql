-- Raw bytes of mails that nothing proves are kept in a ring: the newest in all, and of an address.
CREATE INDEX mail_ring ON mail(id)
  WHERE standing <> 'proven' AND raw_z IS NOT NULL
  AND verdict IN ('accepted', 'rejected', 'ignored');
CREATE INDEX mail_ring_sender ON mail(sender, id)
  WHERE standing <> 'proven' AND raw_z IS NOT NULL
  AND verdict IN ('accepted', 'rejected', 'ignored');
CREATE INDEX mail_ring_quarantine ON mail(id)
  WHERE raw_z IS NOT NULL AND verdict = 'quarantined';

-- Mails whose verdict is committed and whose move is not done.
DROP INDEX mail_to_move;
CREATE INDEX mail_to_move ON mail(source) WHERE moved <> 1 AND verdict IS NOT NULL;

-- How a seat's printouts last named the players whom it knows, so that a change reaches it.
CREATE TABLE shown (
  game TEXT NOT NULL, reader INTEGER NOT NULL, seat INTEGER NOT NULL,
  words TEXT NOT NULL,
  PRIMARY KEY (game, reader, seat)
) STRICT;
