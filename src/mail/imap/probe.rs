//! A test of an IMAP mailbox, on request of the game master: what the server offers, and whether a
//! mail can be stored there, found, moved and removed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use imap::extensions::idle::{WaitOutcome, stop_on_any};
use imap::types::{Fetch, Flag};
use jiff::{SignedDuration, Timestamp};

use super::{
    ConnectError, Folder, ImapAccount, NOT_UNDERSTOOD, READ_TIMEOUT, Session, Step, connect_client,
    log_in,
};
use crate::connect::one_line;
use base::cancel::Cancel;
use base::clock::{Clock, SystemClock};

/// Time that a server gets to begin watching a folder.
const BEGIN: Duration = Duration::from_millis(100);
/// Longest wait for news of a mail.
const NEWS_MAX: Duration = Duration::from_secs(5);

/// A session with a mailbox that is being tested.
pub struct Probe {
    session: Session,
    /// Whether the server announces new mail at once (IDLE, RFC 2177).
    pub idle: bool,
    /// Whether the server moves mails in one step (MOVE, RFC 6851).
    pub moves: bool,
    /// Whether the server can remove single mails for good (UIDPLUS, RFC 4315).
    pub uidplus: bool,
}

/// A mail that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Name of the folder that the mail is in.
    pub folder: String,
    uid: u32,
    /// When the server received the mail (INTERNALDATE).
    pub received_at: Timestamp,
    /// The whole mail.
    pub bytes: Vec<u8>,
}

impl Probe {
    /// Connects and logs in.
    ///
    /// # Errors
    /// [`ConnectError`] with the step that failed.
    pub fn open(account: &ImapAccount) -> Result<Self, ConnectError> {
        let tls = crate::tls::client_config(account.ca_file.as_deref());
        let tls = tls.map_err(ConnectError::at(Step::Tls))?;
        let opened = guarded(|| Ok(Self::opened(account, &tls)));
        opened.unwrap_or_else(|cause| Err(ConnectError { step: Step::Connect, cause }))
    }

    fn opened(
        account: &ImapAccount,
        tls: &std::sync::Arc<rustls::ClientConfig>,
    ) -> Result<Self, ConnectError> {
        let (client, _) = connect_client(account, tls, READ_TIMEOUT)?;
        let mut session = log_in(client, &account.login).map_err(ConnectError::at(Step::LogIn))?;
        let able = session.capabilities().map_err(ConnectError::at(Step::LogIn))?;
        let (idle, moves) = (able.has_str("IDLE"), able.has_str("MOVE"));
        let uidplus = able.has_str("UIDPLUS");
        Ok(Self { session, idle, moves, uidplus })
    }

    /// The marks of stores in the mailbox ([`crate::claim`]).
    ///
    /// # Errors
    /// The server's error text.
    pub fn marks(&mut self) -> Result<Vec<String>, String> {
        guarded(|| super::marks(&mut self.session))
    }

    /// Selects a folder.
    ///
    /// # Errors
    /// The server's error text.
    pub fn select(&mut self, folder: &str) -> Result<(), String> {
        guarded(|| self.session.select(folder).map(|_| ()))
    }

    /// Makes a folder unless it exists. Returns whether it was missing.
    ///
    /// # Errors
    /// The server's error text.
    pub fn make(&mut self, folder: &str) -> Result<bool, String> {
        guarded(|| super::make_folder(&mut self.session, folder))
    }

    /// Stores a mail in a folder and marks it as read.
    ///
    /// # Errors
    /// The server's error text.
    pub fn append(&mut self, folder: &str, bytes: &[u8]) -> Result<(), String> {
        guarded(|| self.session.append(folder, bytes).flag(Flag::Seen).finish().map(|_| ()))
    }

    /// The mails of a folder that contain the id `id` of one of our mails, received on the day
    /// before `since` or later. A folder that does not exist has none.
    ///
    /// # Errors
    /// A sentence when `id` has characters that our ids never have; otherwise the server's error
    /// text, unless it only refuses to select the folder.
    pub fn find(&mut self, folder: &str, id: &str, since: Timestamp) -> Result<Vec<Found>, String> {
        // The library puts the query into the command without quoting it.
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"@.-_+".contains(&b);
        if !id.bytes().all(plain) {
            return Err(format!("{id:?} is no id of ours"));
        }
        let day = since - jiff::SignedDuration::from_hours(24);
        let day = day.strftime("%-d-%b-%Y");
        let query = format!("UNDELETED SINCE {day} TEXT \"{id}\"");
        guarded(|| {
            match self.session.select(folder) {
                Err(imap::Error::No(_)) => return Ok(Vec::new()),
                selected => selected?,
            };
            let mut uids: Vec<u32> = self.session.uid_search(&query)?.into_iter().collect();
            uids.sort_unstable();
            let mut found = Vec::new();
            for uid in uids {
                let answer =
                    self.session.uid_fetch(uid.to_string(), "(UID INTERNALDATE BODY.PEEK[])")?;
                let mail = answer.iter().find(|f| f.uid == Some(uid));
                found.extend(mail.and_then(|f| read(folder, f)));
            }
            Ok(found)
        })
    }

    /// The time from when `lay` has put a mail into a folder until the server announces it to this
    /// session, which waits there (IDLE, RFC 2177 §3). `None`: no announcement came within five
    /// seconds.
    ///
    /// # Errors
    /// The error text of the server or of `lay`.
    pub fn told_after(
        &mut self,
        folder: &str,
        lay: impl FnOnce() -> Result<(), String> + Send,
    ) -> Result<Option<SignedDuration>, String> {
        self.select(folder)?;
        std::thread::scope(|scope| {
            let laid = scope.spawn(|| {
                Cancel::default().wait(BEGIN);
                lay().map(|()| SystemClock.now())
            });
            let told = guarded(|| {
                let mut handle = self.session.idle();
                handle.timeout(NEWS_MAX).keepalive(false);
                let woken = handle.wait_while(stop_on_any)?;
                Ok((woken == WaitOutcome::MailboxChanged).then(|| SystemClock.now()))
            });
            let laid = laid.join().map_err(|_| "laying a mail failed".to_owned())??;
            Ok(told?.map(|told| told.duration_since(laid).max(SignedDuration::ZERO)))
        })
    }

    /// Moves a mail as the robot does after a verdict. A mail that is gone is not an error.
    ///
    /// # Errors
    /// The server's error text.
    pub fn move_to(&mut self, mail: &Found, folder: Folder) -> Result<(), String> {
        let uid = mail.uid.to_string();
        let moves = self.moves;
        guarded(|| {
            self.session.select(&mail.folder)?;
            if moves {
                return self.session.uid_mv(&uid, folder.as_str());
            }
            self.session.uid_copy(&uid, folder.as_str())?;
            self.session.uid_store(&uid, "+FLAGS.SILENT (\\Deleted)")?;
            self.session.uid_expunge(&uid).map(|_| ())
        })
    }

    /// Removes a mail. Without UIDPLUS it only marks the mail as deleted: a plain EXPUNGE would
    /// also remove mails that others have marked.
    ///
    /// # Errors
    /// The server's error text.
    pub fn remove(&mut self, mail: &Found) -> Result<(), String> {
        let uid = mail.uid.to_string();
        let uidplus = self.uidplus;
        guarded(|| {
            self.session.select(&mail.folder)?;
            self.session.uid_store(&uid, "+FLAGS.SILENT (\\Deleted)")?;
            if uidplus {
                self.session.uid_expunge(&uid)?;
            }
            Ok(())
        })
    }

    /// Ends the session.
    pub fn close(mut self) {
        let _ = guarded(|| self.session.logout());
    }
}

/// The mail in a fetched row. Rows that the server sends unasked have no text and give `None`.
fn read(folder: &str, fetch: &Fetch) -> Option<Found> {
    let received = fetch.internal_date()?.timestamp();
    Some(Found {
        folder: folder.to_owned(),
        uid: fetch.uid?,
        received_at: Timestamp::from_second(received).ok()?,
        bytes: fetch.body()?.to_vec(),
    })
}

/// Runs `act` and turns a panic into an error: the library panics on some answers that
/// servers may give.
fn guarded<T>(act: impl FnOnce() -> imap::error::Result<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(done) => done.map_err(|e| one_line(&e.to_string())),
        Err(_) => Err(NOT_UNDERSTOOD.to_owned()),
    }
}
