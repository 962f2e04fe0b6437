//! Inbox and outlet over Maildir folders. They are the default without a mail server, and work with
//! any program that delivers to a Maildir.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;

use super::claim::{self, Claim};
use super::{Folder, Inbox, InboxError, OutgoingMail, RawMessage, SendResult};
use base::cancel::Cancel;
use base::secrets::sha256_hex;

/// Messages of one fetch.
const BATCH: usize = 200;

/// An inbox over a Maildir. The folders of verdicts are Maildirs below it, with a dot in
/// front (Maildir++).
#[derive(Debug)]
pub struct MaildirInbox {
    name: String,
    root: PathBuf,
    bytes_max: u64,
    poll: Duration,
    /// The files of the last fetch, so that filing need not search for them again.
    fetched: BTreeMap<String, PathBuf>,
}

impl MaildirInbox {
    /// Opens the Maildir `root` and makes missing folders. `name` is the inbox's name in the
    /// config; only the start is read of messages over `bytes_max` octets; `poll` is the time
    /// between looks.
    ///
    /// # Errors
    /// [`InboxError`] when the folders can't be made.
    pub fn open(
        name: &str,
        root: &Path,
        bytes_max: u64,
        poll: Duration,
    ) -> Result<Self, InboxError> {
        let (name, root, fetched) = (name.to_owned(), root.to_owned(), BTreeMap::new());
        let inbox = Self { name, root, bytes_max, poll, fetched };
        for folder in Folder::ALL {
            make(&inbox.folder(folder)).map_err(|e| inbox.error(&e))?;
        }
        make(&inbox.root).map_err(|e| inbox.error(&e))?;
        Ok(inbox)
    }

    fn folder(&self, folder: Folder) -> PathBuf {
        self.root.join(format!(".{folder}"))
    }

    fn error(&self, cause: &io::Error) -> InboxError {
        let cause = format!("{}: {cause}", self.root.display());
        InboxError { inbox: self.name.clone(), cause }
    }

    /// All messages received at `at` or later, including those in the folders of
    /// verdicts. The key of a message in such a folder begins with the name of the folder.
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

    /// The marks of stores in the Maildir `root`; none where it can't be read.
    pub fn marks(root: &Path) -> Vec<String> {
        let entries = fs::read_dir(root).into_iter().flatten().flatten();
        let names = entries.filter_map(|e| e.file_name().to_str().map(str::to_owned));
        let marks = names.filter_map(|n| n.strip_prefix('.').map(str::to_owned));
        marks.filter(|name| claim::is_mark(name)).collect()
    }

    /// The files of `new` and `cur` by unique name.
    fn list(&self) -> io::Result<BTreeMap<String, PathBuf>> {
        list(&self.root)
    }

    /// Puts a file into a folder, or removes it. The result says whether it was there.
    fn put(&self, key: &str, folder: Folder, path: &Path) -> Result<bool, InboxError> {
        let done = match folder {
            Folder::Removed => fs::remove_file(path),
            _ => fs::rename(path, self.folder(folder).join("cur").join(format!("{key}:2,S"))),
        };
        match done {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
            done => done.map(|()| true).map_err(|e| self.error(&e)),
        }
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
            checked_from: String::new(),
        })
    }
}

/// The files of a Maildir's `new` and `cur` by unique name.
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

/// A file name without its flags: the unique name.
fn unique(name: &str) -> &str {
    name.split(":2,").next().unwrap_or(name)
}

/// The delivery time at the start of a unique name; without one, the file's own time.
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

    fn claim(&mut self, mark: &str) -> Result<(), InboxError> {
        let own = self.root.join(format!(".{mark}"));
        // The second look sees our own mark, and any mark that was made at the same instant.
        for _ in 0..2 {
            match claim::judge(mark, &Self::marks(&self.root)) {
                Claim::Held => break,
                Claim::Free => make(&own).map_err(|e| self.error(&e))?,
                Claim::Taken(other) => {
                    let _ = fs::remove_dir_all(&own);
                    let cause = format!("{}: {}", self.root.display(), claim::advice(&other));
                    return Err(InboxError { inbox: self.name.clone(), cause });
                }
            }
        }
        Ok(())
    }

    fn fetch(&mut self, skip: &dyn Fn(&str) -> bool) -> Result<Vec<RawMessage>, InboxError> {
        let listed = self.list().map_err(|e| self.error(&e))?;
        let mut found = Vec::new();
        self.fetched = listed.into_iter().filter(|(k, _)| !skip(k)).take(BATCH).collect();
        for (key, path) in &self.fetched {
            match self.read(key, path) {
                Ok(message) => found.push(message),
                // Another program has moved or flagged it since the listing.
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                // One unreadable file must not block the mails after it.
                Err(e) => tracing::warn!(inbox = self.name, key, error = %e, "can't be read"),
            }
        }
        found.sort_by(|a, b| (a.received_at, &a.key).cmp(&(b.received_at, &b.key)));
        Ok(found)
    }

    fn file(&mut self, moves: &[(String, Folder)]) -> Result<(), InboxError> {
        let mut left = Vec::new();
        for (key, folder) in moves {
            let done = match self.fetched.remove(key) {
                Some(path) => self.put(key, *folder, &path)?,
                None => false,
            };
            if !done {
                left.push((key, *folder));
            }
        }
        if left.is_empty() {
            return Ok(());
        }
        // These were fetched earlier, or another program has moved or flagged them since.
        let listed = self.list().map_err(|e| self.error(&e))?;
        for (key, folder) in left {
            if let Some(path) = listed.get(key) {
                self.put(key, folder, path)?;
            }
        }
        Ok(())
    }

    fn wait(&mut self, timeout: Duration, cancel: &Cancel) -> Result<(), InboxError> {
        cancel.wait(timeout.min(self.poll));
        Ok(())
    }
}

/// Delivers a message to the Maildir `root` under a given unique name. A message of the
/// same name is replaced.
///
/// # Errors
/// When the file can't be written and synced to disk.
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

    /// The Maildir of a recipient: the folder of that name below `root`. For an address that is not
    /// a safe file name, the folder is `other-` and a digest of the address.
    pub fn dir(&self, recipient: &str) -> PathBuf {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "@-_+.".contains(c);
        let safe =
            recipient.chars().all(plain) && !recipient.starts_with('.') && recipient.len() < 120;
        let digest = || format!("other-{}", &sha256_hex(recipient.as_bytes())[..16]);
        self.root.join(if safe { recipient.to_owned() } else { digest() })
    }

    /// Delivers mails, each with its own time, and syncs the disk once. A mail that was cut short
    /// is sent again: a repeat with the same time replaces it.
    pub fn send(&self, mails: &[(&OutgoingMail, Timestamp)]) -> Vec<SendResult> {
        let all: Vec<io::Result<()>> = mails.iter().map(|(mail, at)| self.put(mail, *at)).collect();
        let kept = fs::File::open(&self.root).and_then(|root| Ok(rustix::fs::syncfs(root)?));
        let result = |one: io::Result<()>| match (one, &kept) {
            (Ok(()), Ok(())) => SendResult::Sent,
            (Err(e), _) => SendResult::Later(e.to_string()),
            (Ok(()), Err(e)) => SendResult::Later(e.to_string()),
        };
        all.into_iter().map(result).collect()
    }

    /// Puts a mail into its place; it may reach the disk later.
    fn put(&self, mail: &OutgoingMail, at: Timestamp) -> io::Result<()> {
        let id = &sha256_hex(mail.message_id.as_bytes())[..16];
        let name = format!("{}.{id}.fieldpost", at.as_second());
        let dir = self.dir(&mail.to);
        let tmp = dir.join("tmp").join(&name);
        if let Err(e) = fs::write(&tmp, &mail.bytes) {
            if e.kind() != io::ErrorKind::NotFound {
                return Err(e);
            }
            make(&dir)?;
            fs::write(&tmp, &mail.bytes)?;
        }
        let new = dir.join("new").join(&name);
        fs::rename(tmp, new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail(to: &str, id: &str, text: &str) -> OutgoingMail {
        OutgoingMail {
            to: to.to_owned(),
            envelope_from: "robot@x.example".to_owned(),
            message_id: id.to_owned(),
            bytes: text.as_bytes().to_vec(),
            bounce: String::new(),
        }
    }

    #[test]
    fn mails_are_put_into_folders_together_and_a_repeat_replaces_its_mail() {
        let folder = tempfile::tempdir().expect("a folder");
        let outlet = MaildirOutlet::new(folder.path());
        let at = Timestamp::from_second(1_780_000_000).expect("a time");
        let (a, b) = (mail("a@x.example", "1", "one"), mail("b@x.example", "2", "two"));
        let again = mail("a@x.example", "1", "one, whole");
        for batch in [vec![(&a, at), (&b, at)], vec![(&again, at)]] {
            let sent = outlet.send(&batch);
            assert!(sent.iter().all(|s| matches!(s, SendResult::Sent)), "{sent:?}");
        }
        let texts = |to: &str| -> Vec<String> {
            let files = fs::read_dir(outlet.dir(to).join("new")).expect("a Maildir").flatten();
            files.map(|f| fs::read_to_string(f.path()).expect("a mail")).collect()
        };
        assert_eq!(
            (texts("a@x.example"), texts("b@x.example")),
            (vec!["one, whole".to_owned()], vec!["two".to_owned()])
        );
    }

    #[test]
    fn a_mail_that_has_no_place_is_tried_later_and_holds_up_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let outlet = MaildirOutlet::new(folder.path());
        // A file takes the place of its Maildir's folder.
        fs::write(folder.path().join("a@x.example"), "").expect("a file");
        let at = Timestamp::from_second(1_780_000_000).expect("a time");
        let (a, b) = (mail("a@x.example", "1", "one"), mail("b@x.example", "2", "two"));
        let sent = outlet.send(&[(&a, at), (&b, at)]);
        assert!(matches!(sent[..], [SendResult::Later(_), SendResult::Sent]), "{sent:?}");
    }

    #[test]
    fn what_was_fetched_is_filed_also_where_another_program_has_flagged_it_since() {
        let root = tempfile::tempdir().expect("a folder");
        let mut inbox =
            MaildirInbox::open("post", root.path(), 1000, Duration::ZERO).expect("a Maildir");
        for name in ["1780000000.a", "1780000000.b", "1780000000.c"] {
            deliver(root.path(), name, b"A 1 2").expect("delivered");
        }
        let fetched = inbox.fetch(&|key| key == "1780000000.c").expect("mails");
        assert_eq!(fetched.len(), 2);
        let path = |name: &str| root.path().join(name);
        fs::rename(path("new/1780000000.b"), path("cur/1780000000.b:2,S")).expect("flagged");
        let folder = Folder::ALL[0];
        let moves: Vec<_> =
            ["a", "b", "c", "d"].map(|n| (format!("1780000000.{n}"), folder)).into();
        inbox.file(&moves).expect("moved");
        let mut filed: Vec<_> = fs::read_dir(inbox.folder(folder).join("cur"))
            .expect("a folder")
            .map(|e| e.expect("a file").file_name().to_string_lossy().into_owned())
            .collect();
        filed.sort();
        assert_eq!(filed, ["a", "b", "c"].map(|n| format!("1780000000.{n}:2,S")));
        assert!(inbox.fetch(&|_| false).expect("mails").is_empty());
    }
}
