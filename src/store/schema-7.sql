-- A game is suspended, a mail is pending or discarded: one word for each.
UPDATE game SET status = 'suspended' WHERE status = 'held';
UPDATE mail SET verdict = 'pending' WHERE verdict = 'held';
UPDATE mail SET reason = 'discarded' WHERE reason = 'dropped';
UPDATE mail SET reason = 'several-pending' WHERE reason = 'several-held';
UPDATE mail SET reason = 'nothing-pending' WHERE reason = 'nothing-held';
