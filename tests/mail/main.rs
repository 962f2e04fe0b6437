//! Mailboxes and sending against servers of the tests.

mod liars;
