//! Mailboxes and sending against servers of our own.

mod liars;
