//! Inbox and outlet over Maildir folders: the embedded default, and real use
//! behind any program that delivers to a Maildir.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;

use super::{Folder, Inbox, InboxError, OutgoingMail, RawMessage, SendResult};
use base::secrets::sha256_hex;
use base::stop::Stop;

/// Messages of one fetch.
const BATCH: usize = 200;

/// A Maildir that is read.
#[derive(Debug)]
pub struct MaildirInbox {
    name: String,
    root: PathBuf,
    bytes_max: u64,
    poll: Duration,
}

impl MaildirInbox {
    /// Opens a Maildir and makes its folders.
    ///
    /// # Errors
    /// [`InboxError`] when the folders can't be made.
    pub fn open(
        name: &str,
        root: &Path,
        bytes_max: u64,
        poll: Duration,
    ) -> Result<Self, InboxError> {
        let inbox = Self { name: name.to_owned(), root: root.to_owned(), bytes_max, poll };
        for folder in Folder::ALL {
            make(&inbox.folder(folder)).map_err(|e| inbox.error(&e))?;
        }
        make(root).map_err(|e| inbox.error(&e))?;
        Ok(inbox)
    }

    fn folder(&self, folder: Folder) -> PathBuf {
        self.root.join(format!(".{folder}"))
    }

    fn error(&self, cause: &io::Error) -> InboxError {
        let cause = format!("{}: {cause}", self.root.display());
        InboxError { inbox: self.name.clone(), cause }
    }

    /// All messages received since an instant, those too that lie in the folders of
    /// verdicts; the key of such a one begins with the name of its folder.
    ///
    /// # Errors
    /// [`InboxError`] when the folders can't be read.
    pub fn received_since(&self, at: Timestamp) -> Result<Vec<RawMessage>, InboxError> {
        let folders = Folder::ALL.map(|f| (format!("{f}/"), self.folder(f)));
        let mut found = Vec::new();
        for (name, dir) in folders.into_iter().chain([(String::new(), self.root.clone())]) {
            for (key, path) in list(&dir).map_err(|e| self.error(&e))? {
                let message = self.read(&key, &path).map_err(|e| self.error(&e))?;
                if message.received_at >= at {
                    found.push(RawMessage { key: format!("{name}{key}"), ..message });
                }
            }
        }
        Ok(found)
    }

    /// Files of `new` and `cur` by unique name.
    fn list(&self) -> io::Result<BTreeMap<String, PathBuf>> {
        list(&self.root)
    }

    fn read(&self, key: &str, path: &Path) -> io::Result<RawMessage> {
        use std::io::Read;
        let file = fs::File::open(path)?;
        let meta = file.metadata()?;
        let mut bytes = Vec::new();
        file.take(self.bytes_max + 1).read_to_end(&mut bytes)?;
        Ok(RawMessage {
            source: self.name.clone(),
            key: key.to_owned(),
            received_at: received(key, &meta),
            bytes,
            size: meta.len(),
            authenticity: Default::default(),
        })
    }
}

/// Files of a Maildir's `new` and `cur` by unique name.
fn list(dir: &Path) -> io::Result<BTreeMap<String, PathBuf>> {
    let mut found = BTreeMap::new();
    for sub in ["new", "cur"] {
        for entry in fs::read_dir(dir.join(sub))? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                continue;
            }
            if let Some(name) = entry.file_name().to_str().filter(|n| !n.starts_with('.')) {
                found.insert(unique(name).to_owned(), entry.path());
            }
        }
    }
    Ok(found)
}

/// The name without its flags.
fn unique(name: &str) -> &str {
    name.split(":2,").next().unwrap_or(name)
}

/// The delivery time that begins a unique name, else the file's own.
fn received(key: &str, meta: &fs::Metadata) -> Timestamp {
    let seconds = key.split('.').next().and_then(|s| s.parse().ok());
    let named = seconds.filter(|s| *s > 0).and_then(|s| Timestamp::from_second(s).ok());
    let file = || meta.modified().ok().and_then(|t| Timestamp::try_from(t).ok());
    named.or_else(file).unwrap_or_default()
}

fn make(dir: &Path) -> io::Result<()> {
    ["new", "cur", "tmp"].iter().try_for_each(|sub| fs::create_dir_all(dir.join(sub)))
}

impl Inbox for MaildirInbox {
    fn name(&self) -> &str {
        &self.name
    }

    fn fetch(&mut self, skip: &dyn Fn(&str) -> bool) -> Result<Vec<RawMessage>, InboxError> {
        let listed = self.list().map_err(|e| self.error(&e))?;
        let mut found = Vec::new();
        for (key, path) in listed.iter().filter(|(k, _)| !skip(k)).take(BATCH) {
            match self.read(key, path) {
                Ok(message) => found.push(message),
                // Moved or flagged by another program between the listing and now.
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                // One odd file must not stop the mails behind it.
                Err(e) => tracing::warn!(inbox = self.name, key, error = %e, "can't be read"),
            }
        }
        found.sort_by(|a, b| (a.received_at, &a.key).cmp(&(b.received_at, &b.key)));
        Ok(found)
    }

    fn file(&mut self, moves: &[(String, Folder)]) -> Result<(), InboxError> {
        let listed = self.list().map_err(|e| self.error(&e))?;
        for (key, folder) in moves {
            let Some(path) = listed.get(key) else { continue };
            let to = self.folder(*folder).join("cur").join(format!("{key}:2,S"));
            match fs::rename(path, to) {
                Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(self.error(&e)),
                _ => {}
            }
        }
        Ok(())
    }

    fn wait(&mut self, at_most: Duration, stop: &Stop) -> Result<(), InboxError> {
        stop.wait(at_most.min(self.poll));
        Ok(())
    }
}

/// Puts a message into a Maildir under a name of our own; the same name again
/// replaces the message.
///
/// # Errors
/// When the file can't be written whole and to disk.
pub fn deliver(root: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    make(root)?;
    let tmp = root.join("tmp").join(name);
    let mut file = fs::File::create(&tmp)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(tmp, root.join("new").join(name))
}

/// An outlet with a Maildir for each recipient.
#[derive(Debug, Clone)]
pub struct MaildirOutlet {
    root: PathBuf,
}

impl MaildirOutlet {
    /// An outlet that writes below `root`.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// The Maildir of a recipient; a name that is no plain file name is
    /// replaced by one that can't be mistaken for another's.
    pub fn dir(&self, recipient: &str) -> PathBuf {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "@-_+.".contains(c);
        let safe =
            recipient.chars().all(plain) && !recipient.starts_with('.') && recipient.len() < 120;
        let digest = || format!("other-{}", &sha256_hex(recipient.as_bytes())[..16]);
        self.root.join(if safe { recipient.to_owned() } else { digest() })
    }

    /// Delivers one mail; a repeat of the same mail replaces it.
    pub fn send(&self, mail: &OutgoingMail, at: Timestamp) -> SendResult {
        let name = format!(
            "{}.{}.fieldpost",
            at.as_second(),
            &sha256_hex(mail.message_id.as_bytes())[..16]
        );
        match deliver(&self.dir(&mail.to), &name, &mail.bytes) {
            Ok(()) => SendResult::Sent,
            Err(e) => SendResult::Later(e.to_string()),
        }
    }
}
