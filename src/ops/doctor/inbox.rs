//! Each inbox: reached, read, and its mails moved.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use jiff::Timestamp;

use super::advice::Server;
use super::host::writable;
use super::report::Report;
use super::{Failure, Visit};
use crate::config::InboxConfig;
use base::clock::{Clock, SystemClock};
use mail::compose::{AutoSubmitted, Draft, compose};
use mail::imap::{Found, ImapAccount, Probe};
use mail::maildir::MaildirInbox;
use mail::{Folder, claim};

/// Seconds that two clocks may differ.
const SKEW_MAX: i64 = 30;

/// Milliseconds after which the announcement of a mail is late.
const NEWS_LATE_MS: i128 = 200;

/// A mailbox that can be read.
pub enum Mailbox {
    Imap { folder: String, probe: Box<Probe> },
    Maildir { root: PathBuf },
}

impl Mailbox {
    /// Ends the session.
    pub fn close(self) {
        if let Self::Imap { probe, .. } = self {
            probe.close();
        }
    }
}

/// Checks an inbox, and gives it if it can be used.
///
/// # Errors
/// When nothing can be printed.
pub fn check(
    visit: &Visit,
    inbox: &InboxConfig,
    bar: &ProgressBar,
    report: &mut Report,
) -> Result<Option<Mailbox>, Failure> {
    match inbox {
        InboxConfig::Maildir { name, path, .. } => {
            bar.finish_and_clear();
            let good = maildir(name, path, report)?
                && alone(visit, &format!("inbox {name}"), &MaildirInbox::marks(path), report)?;
            Ok(good.then(|| Mailbox::Maildir { root: path.clone() }))
        }
        InboxConfig::Imap(account) => imap(visit, account, bar, report),
    }
}

fn imap(
    visit: &Visit,
    account: &ImapAccount,
    bar: &ProgressBar,
    report: &mut Report,
) -> Result<Option<Mailbox>, Failure> {
    let name = format!("inbox {}", account.name);
    let server = Server {
        table: format!("inbox.{}", account.name),
        host: &account.host,
        port: account.port,
        tls: account.tls,
        ca_file: account.ca_file.as_deref(),
        login: Some(&account.login),
        usual: (993, 143),
    };
    let opened = Probe::open(account);
    bar.finish_and_clear();
    let mut probe = match opened {
        Ok(probe) => probe,
        Err(trouble) => {
            report.fail(&name, &server.seen(&trouble), &server.advice(&trouble))?;
            return Ok(None);
        }
    };
    let seen = format!("{}, logged in as {}", server.place(), account.login.user);
    report.ok(&name, &seen)?;
    offers(&name, account, &probe, report)?;
    let marks = probe.marks().unwrap_or_default();
    let good = alone(visit, &name, &marks, report)?
        && folders(&name, account, &mut probe, report)?
        && filing(visit, &name, account, &mut probe, report)?;
    if good && probe.idle {
        news(visit, &name, account, &mut probe, report)?;
    }
    let folder = account.folder.clone();
    Ok(good.then(|| Mailbox::Imap { folder, probe: Box::new(probe) }))
}

/// Whether no other store has marked the mailbox as its own.
fn alone(
    visit: &Visit,
    name: &str,
    marks: &[String],
    report: &mut Report,
) -> Result<bool, Failure> {
    let name = format!("{name}, its store");
    match marks.iter().find(|m| Some(*m) != visit.mark.as_ref()) {
        Some(other) => {
            let mut advice = claim::advice(other);
            advice[..1].make_ascii_uppercase();
            report.fail(&name, &format!("marked by another store: {other}"), &(advice + "."))?;
            Ok(false)
        }
        None if marks.is_empty() => {
            report.ok(&name, "none yet; the first that serves marks it")?;
            Ok(true)
        }
        None => {
            report.ok(&name, "marked by this store, and no other")?;
            Ok(true)
        }
    }
}

/// What the server can do beyond what every server can.
fn offers(
    name: &str,
    account: &ImapAccount,
    probe: &Probe,
    report: &mut Report,
) -> Result<(), Failure> {
    let mut lacks = Vec::new();
    let mut words = Vec::new();
    if !probe.idle {
        words.push("IDLE");
        let seconds = account.poll.as_secs();
        lacks.push(format!(
            "Without IDLE a mail is noticed up to {seconds} seconds late (poll_seconds)."
        ));
    }
    if !probe.moves {
        words.push("MOVE");
        lacks.push("Without MOVE mails are copied and then deleted.".to_owned());
    }
    if !probe.uidplus {
        words.push("UIDPLUS");
        lacks.push("Without UIDPLUS a mail is removed only when the mailbox is.".to_owned());
    }
    let name = format!("{name}, abilities");
    let seen = format!("the server has no {}", words.join(", "));
    match (probe.moves, probe.uidplus) {
        _ if words.is_empty() => report.ok(&name, "IDLE, MOVE, UIDPLUS")?,
        (false, false) => report.fail(
            &name,
            &seen,
            "Without MOVE and UIDPLUS no mail can be moved to the folder of its verdict. Use \
             another server, or fetch the mail into a Maildir.",
        )?,
        _ => report.warn(&name, &seen, &lacks.join(" "))?,
    }
    Ok(())
}

/// The folder that is read and those of the verdicts; missing ones are made, as the robot does.
fn folders(
    name: &str,
    account: &ImapAccount,
    probe: &mut Probe,
    report: &mut Report,
) -> Result<bool, Failure> {
    let name = format!("{name}, folders");
    let mut made = Vec::new();
    for folder in Folder::ALL {
        match probe.make(folder.as_str()) {
            Ok(false) => {}
            Ok(true) => made.push(folder.as_str()),
            Err(e) => {
                let seen = format!("{folder} is missing and can't be made: {e}");
                let advice = "Make it by hand, next to the inbox, or allow the account to. Until \
                              then mails stay in the inbox; their verdicts stand all the same.";
                report.fail(&name, &seen, advice)?;
                return Ok(false);
            }
        }
    }
    if let Err(e) = probe.select(&account.folder) {
        let seen = format!("{} can't be opened: {e}", account.folder);
        let advice = format!("Check folder in [inbox.{}]; it must exist.", account.name);
        report.fail(&name, &seen, &advice)?;
        return Ok(false);
    }
    let verdicts = Folder::ALL.map(Folder::as_str).join(", ");
    let made = match made.is_empty() {
        true => String::new(),
        false => format!(" (made: {})", made.join(", ")),
    };
    report.ok(&name, &format!("{}, {verdicts}{made}", account.folder))?;
    Ok(true)
}

/// Puts a mail into a verdict's folder and removes it; the time that it has there shows the
/// server's clock.
fn filing(
    visit: &Visit,
    name: &str,
    account: &ImapAccount,
    probe: &mut Probe,
    report: &mut Report,
) -> Result<bool, Failure> {
    let name = format!("{name}, filing");
    let before = SystemClock.now();
    let folder = Folder::Accepted.as_str();
    let mail = trial(visit, &visit.id, before)?;
    let tried = probe.append(folder, &mail).and_then(|()| {
        let after = SystemClock.now();
        let found = probe.find(folder, &visit.id, before)?;
        found.iter().try_for_each(|mail| probe.remove(mail))?;
        Ok((after, found))
    });
    let (after, found) = match tried {
        Ok((after, found)) if !found.is_empty() => (after, found),
        tried => {
            let why = tried.err().unwrap_or_else(|| "the mail was not found again".to_owned());
            let advice = "The account must be allowed to write to and delete from its folders; \
                          look at its rights (ACL) and its quota.";
            report.fail(&name, &format!("{folder}: {why}"), advice)?;
            return Ok(false);
        }
    };
    report.ok(&name, &format!("a mail was laid into {folder}, found and removed"))?;
    compare(&account.host, &found, before, after, report)?;
    Ok(true)
}

/// A test mail, which is removed at once.
fn trial(visit: &Visit, id: &str, now: Timestamp) -> Result<Vec<u8>, Failure> {
    let to = &visit.config.address;
    let mut draft = Draft::new(to, "A look by fieldpost doctor", AutoSubmitted::Generated);
    draft.text = "This mail is removed at once.\n".to_owned();
    draft.message_id = id.to_owned();
    Ok(compose(&visit.identity, &draft, now)?.bytes)
}

/// How soon the server announces new mail: every echo leaves that much later.
fn news(
    visit: &Visit,
    name: &str,
    account: &ImapAccount,
    probe: &mut Probe,
    report: &mut Report,
) -> Result<(), Failure> {
    let name = format!("{name}, news");
    let (before, folder) = (SystemClock.now(), Folder::Accepted.as_str());
    let id = format!("news.{}", visit.id);
    let mail = trial(visit, &id, before)?;
    let told = match Probe::open(account) {
        Ok(mut waiting) => {
            let told = waiting.told_after(folder, || probe.append(folder, &mail));
            waiting.close();
            let found = probe.find(folder, &id, before);
            told.and_then(|told| found?.iter().try_for_each(|m| probe.remove(m)).map(|()| told))
        }
        Err(trouble) => Err(trouble.cause),
    };
    let advice = format!(
        "Each echo leaves so much later. Dovecot waits for half a second by itself. Who wants \
         answers at once has the server deliver into a Maildir on this machine, and reads that: \
         kind = \"maildir\" in [inbox.{}].",
        account.name
    );
    match told {
        Ok(Some(after)) if after.as_millis() <= NEWS_LATE_MS => {
            report.ok(&name, &format!("a new mail is told after {} ms", after.as_millis()))?;
        }
        Ok(Some(after)) => {
            let seen = format!("a new mail is told {} ms late", after.as_millis());
            report.warn(&name, &seen, &advice)?;
        }
        Ok(None) => report.warn(&name, "a new mail was not told within 5 seconds", &advice)?,
        Err(why) => {
            let seen = format!("how soon a new mail is told can't be seen: {why}");
            report.warn(&name, &seen, "The robot works all the same; run doctor once more.")?;
        }
    }
    Ok(())
}

/// Compares the server's clock with ours: cards get the time of its clock, deadlines that of ours.
fn compare(
    host: &str,
    found: &[Found],
    before: Timestamp,
    after: Timestamp,
    report: &mut Report,
) -> Result<(), Failure> {
    let Some(mail) = found.first() else { return Ok(()) };
    let name = format!("clock of {host}");
    let skew = skew(mail.received_at, before, after);
    let advice = "Cards are timed by the server's clock and deadlines run by this machine's: have \
                  both set by NTP (chrony, systemd-timesyncd).";
    let seen = match skew {
        0 => "as this machine's".to_owned(),
        s if s > 0 => format!("{s} s ahead of this machine's"),
        s => format!("{} s behind this machine's", -s),
    };
    match skew.abs() > SKEW_MAX {
        true => report.warn(&name, &seen, advice)?,
        false => report.ok(&name, &seen)?,
    }
    Ok(())
}

/// Seconds by which a time lies outside a span; servers give whole seconds.
fn skew(at: Timestamp, before: Timestamp, after: Timestamp) -> i64 {
    let at = at.as_second();
    match () {
        () if at < before.as_second() - 1 => at - before.as_second(),
        () if at > after.as_second() + 1 => at - after.as_second(),
        () => 0,
    }
}

/// Checks that a Maildir exists, can be written, and is on one file system, because moves are
/// renames.
fn maildir(name: &str, root: &Path, report: &mut Report) -> Result<bool, Failure> {
    let name = format!("inbox {name}");
    let shown = root.display();
    if !root.is_dir() {
        let seen = format!("{shown} is not there");
        let advice = "The robot makes it when it serves; have your mail delivered to it.";
        report.warn(&name, &seen, advice)?;
        return Ok(false);
    }
    let folders = Folder::ALL.map(|f| root.join(format!(".{f}")).join("cur"));
    let parts = ["new", "cur", "tmp"].map(|s| root.join(s));
    let there: Vec<PathBuf> =
        parts.into_iter().chain(folders).chain([root.to_owned()]).filter(|p| p.exists()).collect();
    if let Some(path) = there.iter().find(|p| !writable(p)) {
        let seen = format!("{} can't be written by this user", path.display());
        let advice = "Run this as the user that serves, and let that user own the Maildir.";
        report.fail(&name, &seen, advice)?;
        return Ok(false);
    }
    let disk = |path: &PathBuf| std::fs::metadata(path).map(|m| m.dev()).ok();
    if let Some(path) = there.iter().find(|p| disk(p) != disk(&there[0])) {
        let seen = format!("{} is on another file system than the rest", path.display());
        report.fail(&name, &seen, "Mails are moved by renaming: keep the Maildir on one.")?;
        return Ok(false);
    }
    report.ok(&name, &format!("{shown}: writable, on one file system"))?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_no_delay_explains_is_skew() {
        let at = |s: i64| Timestamp::from_second(s).expect("a time");
        let (before, after) = (at(1000), at(1005));
        for (server, expected) in
            [(1000, 0), (1003, 0), (999, 0), (1006, 0), (960, -40), (1045, 40)]
        {
            assert_eq!(skew(at(server), before, after), expected, "{server}");
        }
    }
}
