//! A look at an IMAP mailbox by a person's command: what it offers, and a mail of our own
//! that is laid down, found again and removed.

use std::panic::{AssertUnwindSafe, catch_unwind};

use imap::types::{Fetch, Flag};
use jiff::Timestamp;

use super::{Folder, ImapAccount, Session, Step, Trouble, greeted, log_in};

/// A mailbox that is looked at.
pub struct Probe {
    session: Session,
    /// New mail is told of at once.
    pub idle: bool,
    /// Mails can be moved in one step.
    pub moves: bool,
    /// Single mails can be removed for good.
    pub uidplus: bool,
}

/// A mail that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub folder: String,
    uid: u32,
    /// When the server took it (INTERNALDATE).
    pub received_at: Timestamp,
    pub bytes: Vec<u8>,
}

impl Probe {
    /// Connects and logs in.
    ///
    /// # Errors
    /// [`Trouble`] with the step that failed.
    pub fn open(account: &ImapAccount) -> Result<Self, Trouble> {
        let tls = crate::tls::client_config(account.ca_file.as_deref());
        let tls = tls.map_err(Trouble::at(Step::Tls))?;
        let opened = guarded(|| Ok(Self::opened(account, &tls)));
        opened.unwrap_or_else(|cause| Err(Trouble { step: Step::Connect, cause }))
    }

    fn opened(
        account: &ImapAccount,
        tls: &std::sync::Arc<rustls::ClientConfig>,
    ) -> Result<Self, Trouble> {
        let (client, _) = greeted(account, tls)?;
        let mut session = log_in(client, &account.login).map_err(Trouble::at(Step::LogIn))?;
        let able = session.capabilities().map_err(Trouble::at(Step::LogIn))?;
        let (idle, moves) = (able.has_str("IDLE"), able.has_str("MOVE"));
        let uidplus = able.has_str("UIDPLUS");
        Ok(Self { session, idle, moves, uidplus })
    }

    /// Makes a folder the current one.
    ///
    /// # Errors
    /// What the server says.
    pub fn select(&mut self, folder: &str) -> Result<(), String> {
        guarded(|| self.session.select(folder).map(|_| ()))
    }

    /// Makes a folder unless it is there; says whether it was missing.
    ///
    /// # Errors
    /// What the server says.
    pub fn make(&mut self, folder: &str) -> Result<bool, String> {
        guarded(|| {
            let there = self.session.list(Some(""), Some(folder))?.iter().next().is_some();
            if !there {
                self.session.create(folder)?;
            }
            Ok(!there)
        })
    }

    /// Lays a mail into a folder, as read.
    ///
    /// # Errors
    /// What the server says.
    pub fn append(&mut self, folder: &str, bytes: &[u8]) -> Result<(), String> {
        guarded(|| self.session.append(folder, bytes).flag(Flag::Seen).finish().map(|_| ()))
    }

    /// The mails of a folder that hold an id of ours anywhere, received since the day before
    /// `since`. A folder that is not there holds none.
    ///
    /// # Errors
    /// What the server says, when it is no plain refusal.
    pub fn find(&mut self, folder: &str, id: &str, since: Timestamp) -> Result<Vec<Found>, String> {
        // The library puts the query into the command as it is.
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

    /// Moves a mail as the robot does after a verdict; one that is gone is no error.
    ///
    /// # Errors
    /// What the server says.
    pub fn move_to(&mut self, mail: &Found, folder: Folder) -> Result<(), String> {
        let uid = mail.uid.to_string();
        let moves = self.moves;
        guarded(|| {
            self.session.select(&mail.folder)?;
            if moves {
                return self.session.uid_mv(&uid, folder.name());
            }
            self.session.uid_copy(&uid, folder.name())?;
            self.session.uid_store(&uid, "+FLAGS.SILENT (\\Deleted)")?;
            self.session.uid_expunge(&uid).map(|_| ())
        })
    }

    /// Removes a mail; without UIDPLUS it is only marked as deleted, for nobody else's marks may
    /// take effect.
    ///
    /// # Errors
    /// What the server says.
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

/// Rows that the server sends unasked have no text.
fn read(folder: &str, fetch: &Fetch) -> Option<Found> {
    let received = fetch.internal_date()?.timestamp();
    Some(Found {
        folder: folder.to_owned(),
        uid: fetch.uid?,
        received_at: Timestamp::from_second(received).ok()?,
        bytes: fetch.body()?.to_vec(),
    })
}

/// The library panics on some answers that servers may give.
fn guarded<T>(act: impl FnOnce() -> imap::error::Result<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(done) => done.map_err(|e| e.to_string()),
        Err(_) => Err("the server's answer was not understood".to_owned()),
    }
}
