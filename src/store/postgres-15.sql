-- What a seat has filed, and what waits for its YES, is counted without what others send in its name.
CREATE INDEX mail_card ON mail(game, seat, judged_at, reason)
  WHERE reason IN ('filed', 'added', 'cancelled', 'checked');
CREATE INDEX mail_pending ON mail(game, seat, judged_at, verdict) WHERE verdict = 'pending';
