-- What is asked of a sender's mails when the next one comes is answered by the index alone: behind
-- it lie the texts. The index of before left out mails without a sender, and SQLite takes such an
-- index only for statements that say so too: none did.
DROP INDEX mail_sender;
CREATE INDEX mail_sender
  ON mail(sender COLLATE NOCASE, judged_at, verdict, reason, standing, words, quick);
