-- What mails prove of their sender counts apart: the newest of a standing are found without those of
-- others, however many came in the same name.
CREATE INDEX mail_standing ON mail(sender, standing, judged_at, id, words);
CREATE INDEX mail_quick ON mail(sender, standing, judged_at)
  WHERE quick = 1 AND verdict <> 'accepted';
