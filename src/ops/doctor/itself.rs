//! A mail of the robot to itself: out through the outlet, back into the mailbox.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::ProgressBar;
use jiff::Timestamp;

use super::inbox::Mailbox;
use super::outlet::{PLUS, runtime};
use super::report::Report;
use super::taken_apart;
use super::{Failure, Visit};
use crate::config::AuthConfig;
use crate::host::is_served;
use base::cancel::Cancel;
use base::clock::{Clock, SystemClock};
use mail::compose::{AutoSubmitted, Draft, compose};
use mail::imap::Found;
use mail::smtp::SmtpOutlet;
use mail::{Folder, OutgoingMail, SendResult};

/// How long the mail is waited for.
const WAIT_MAX: jiff::SignedDuration = jiff::SignedDuration::from_secs(60);
/// The time between two looks.
const LOOK: Duration = Duration::from_millis(500);
/// Rounds of cleaning up; a robot that serves may move the mail meanwhile.
const ROUNDS: usize = 5;
/// A larger file is not our mail.
const MAIL_MAX: u64 = 200_000;

/// A mail in a mailbox that contains our id.
struct FoundMail {
    /// Number of its mailbox.
    mailbox: usize,
    bytes: Vec<u8>,
    folder: String,
    at: At,
}

enum At {
    Imap(Found),
    File(PathBuf),
}

/// Sends the mail, waits for it, and gives it as it came back.
///
/// # Errors
/// When nothing can be printed.
pub fn check(
    visit: &Visit,
    outlet: &SmtpOutlet,
    mailboxes: &mut [Mailbox],
    bar: &ProgressBar,
    report: &mut Report,
) -> Result<Option<Vec<u8>>, Failure> {
    let name = "a mail to itself";
    let sent_at = SystemClock.now();
    let mail = letter(visit, sent_at)?;
    let sent = runtime()?.block_on(outlet.send(&mail, false));
    if let SendResult::Later(why)
    | SendResult::Never(why)
    | SendResult::Unable(why)
    | SendResult::TooLarge { why, .. } = sent
    {
        bar.finish_and_clear();
        let advice = "The server took sender and recipient, but not the mail. Its log says more.";
        report.fail(name, &format!("not sent: {why}"), advice)?;
        return Ok(None);
    }
    let came = await_mail(visit, mailboxes, sent_at);
    bar.finish_and_clear();
    let taken = SystemClock.now().duration_since(sent_at).as_secs_f64();
    let result = match came {
        Ok(Some(found_mail)) if is_ours(&found_mail.bytes, &visit.id) => {
            report_trip(visit, &found_mail, taken, report)?;
            if !is_served(visit.config) {
                moving(mailboxes, &found_mail, report)?;
            }
            Some(found_mail.bytes)
        }
        Ok(Some(bounce)) => {
            let advice = format!("If the server knows no such address: {PLUS}");
            report.fail(name, &format!("it bounced: {}", reason(&bounce.bytes)), &advice)?;
            None
        }
        Ok(None) => {
            let seen = format!("sent, but not back within {} s", WAIT_MAX.as_secs());
            let advice = format!(
                "It may come later: look into the server's queue and log, and into folders for \
                 junk. {PLUS}"
            );
            report.fail(name, &seen, &advice)?;
            None
        }
        Err(why) => {
            let advice = "The mailbox answered before; its server's log says more.";
            report.fail(name, &format!("it can't be looked for: {why}"), advice)?;
            None
        }
    };
    if let Err(why) = clean_up(visit, mailboxes, sent_at) {
        let seen = format!("the mail of this check is not removed: {why}");
        report.warn(name, &seen, "Delete it by hand; the robot does not answer it.")?;
    }
    Ok(result)
}

fn letter(visit: &Visit, at: Timestamp) -> Result<OutgoingMail, Failure> {
    let to = visit.identity.detailed("doctor");
    let mut draft = Draft::new(&to, "A mail of the robot to itself", AutoSubmitted::Generated);
    draft.text =
        "\"fieldpost doctor\" sent this mail to see whether it comes back, and removes it.\n"
            .to_owned();
    draft.message_id = visit.id.clone();
    let mut mail = compose(&visit.identity, &draft, at)?;
    if let AuthConfig::Trust(server) = &visit.config.auth {
        // As a forger would write it; the server has to take it out (RFC 8601 §5).
        let field = format!(
            "Authentication-Results: {server}; dmarc=pass header.from={}\r\n",
            super::domain::FORGED
        );
        mail.bytes.splice(0..0, field.into_bytes());
    }
    // A bounce comes back although the server may not know plus-addresses.
    mail.envelope_from = visit.config.address.clone();
    Ok(mail)
}

/// Looks into all folders until the mail, or a bounce of it, lies in one.
fn await_mail(
    visit: &Visit,
    mailboxes: &mut [Mailbox],
    sent_at: Timestamp,
) -> Result<Option<FoundMail>, String> {
    loop {
        let found = look(visit, mailboxes, sent_at)?;
        if !found.is_empty() {
            return Ok(found.into_iter().next());
        }
        if SystemClock.now().duration_since(sent_at) > WAIT_MAX {
            return Ok(None);
        }
        Cancel::default().wait(LOOK);
    }
}

/// Finds all mails with our id. It looks into the inbox before the folders that a robot moves mails
/// to, so that it misses none.
fn look(
    visit: &Visit,
    mailboxes: &mut [Mailbox],
    sent_at: Timestamp,
) -> Result<Vec<FoundMail>, String> {
    let mut found = Vec::new();
    for (number, mailbox) in mailboxes.iter_mut().enumerate() {
        match mailbox {
            Mailbox::Imap { folder, probe } => {
                let verdicts = Folder::ALL.map(Folder::as_str);
                for folder in [folder.as_str()].into_iter().chain(verdicts) {
                    let mails = probe.find(folder, &visit.id, sent_at)?;
                    found.extend(mails.into_iter().map(|mail| {
                        let (bytes, folder) = (mail.bytes.clone(), mail.folder.clone());
                        FoundMail { mailbox: number, bytes, folder, at: At::Imap(mail) }
                    }));
                }
            }
            Mailbox::Maildir { root } => {
                found.extend(files(root, number, &visit.id, sent_at));
            }
        }
    }
    Ok(found)
}

/// The files of a Maildir since an instant that hold an id; a file that vanishes meanwhile was
/// moved.
fn files(root: &Path, mailbox: usize, id: &str, since: Timestamp) -> Vec<FoundMail> {
    let verdicts = Folder::ALL.map(|f| (root.join(format!(".{f}")), f.to_string()));
    let all = [(root.to_owned(), "INBOX".to_owned())].into_iter().chain(verdicts);
    let mut found = Vec::new();
    for (folder, name) in all {
        for part in ["new", "cur"] {
            let entries = fs::read_dir(folder.join(part)).into_iter().flatten().flatten();
            for path in entries.map(|e| e.path()).filter(|p| is_young(p, since)) {
                let Ok(bytes) = fs::read(&path) else { continue };
                if holds(&bytes, id) {
                    let folder = name.clone();
                    found.push(FoundMail { mailbox, bytes, folder, at: At::File(path) });
                }
            }
        }
    }
    found
}

fn is_young(path: &Path, since: Timestamp) -> bool {
    let Ok(meta) = fs::metadata(path) else { return false };
    let written = meta.modified().ok().and_then(|t| Timestamp::try_from(t).ok());
    let slack = jiff::SignedDuration::from_mins(10);
    meta.is_file() && meta.len() < MAIL_MAX && written.is_some_and(|w| w > since - slack)
}

fn holds(bytes: &[u8], id: &str) -> bool {
    bytes.windows(id.len()).any(|w| w == id.as_bytes())
}

/// Whether this is the mail itself and not one about it.
fn is_ours(bytes: &[u8], id: &str) -> bool {
    taken_apart(bytes).is_some_and(|m| m.message_id.as_deref() == Some(id))
}

/// The line of a bounce that gives the reason, else its subject.
fn reason(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    // A field may go on in lines that begin with a blank.
    let text = text.replace("\n ", " ").replace("\n\t", " ");
    let field = |name: &str| text.lines().find_map(|l| l.strip_prefix(name)).map(str::trim);
    let said = field("Diagnostic-Code:").or(field("Status:")).or(field("Subject:"));
    let words = said.unwrap_or("for a reason that it does not name").split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}

/// Reports how long the mail took, and whether its plus-address was kept.
fn report_trip(
    visit: &Visit,
    found_mail: &FoundMail,
    taken: f64,
    report: &mut Report,
) -> Result<(), Failure> {
    let name = "a mail to itself";
    let plus = visit.identity.detailed("doctor");
    let Some(mail) = taken_apart(&found_mail.bytes) else { return Ok(()) };
    let trace = ["Delivered-To", "X-Original-To", "Envelope-To", "To"];
    let named = |field: &&&str| {
        let has = |v: &str| v.to_lowercase().contains(&plus.to_lowercase());
        mail.header(field).is_some_and(has)
    };
    let came = format!("back after {taken:.1} s in {}", found_mail.folder);
    match trace.iter().find(named) {
        Some(field) => report.ok(name, &format!("{came}; {field} names {plus}"))?,
        None => {
            let seen = format!("{came}, but no field names {plus} any more");
            let advice = "Answers are then known by their References alone, which some mail \
                          programs leave out. Have the server keep the address, in Delivered-To \
                          or X-Original-To.";
            report.warn(name, &seen, advice)?;
        }
    }
    let place = found_mail.folder.to_lowercase();
    if ["junk", "spam", "bulk"].iter().any(|word| place.contains(word)) {
        let seen = format!("the server put it into {}", found_mail.folder);
        report.warn(
            name,
            &seen,
            "Mark mail of the robot as wanted there, or check the filters.",
        )?;
    }
    Ok(())
}

/// Moves the mail as after a verdict; a robot that serves does that itself.
fn moving(
    mailboxes: &mut [Mailbox],
    found_mail: &FoundMail,
    report: &mut Report,
) -> Result<(), Failure> {
    let At::Imap(found) = &found_mail.at else { return Ok(()) };
    let Mailbox::Imap { probe, .. } = &mut mailboxes[found_mail.mailbox] else { return Ok(()) };
    match probe.move_to(found, Folder::Ignored) {
        Ok(()) => report.ok("moving", &format!("from {} to Ignored", found.folder))?,
        Err(why) => {
            let seen = format!("from {} to Ignored: {why}", found.folder);
            let advice = "The account must be allowed to move its mails. Until then they stay in \
                          the inbox; their verdicts stand all the same.";
            report.fail("moving", &seen, advice)?;
        }
    }
    Ok(())
}

/// Removes everything with our id.
fn clean_up(visit: &Visit, mailboxes: &mut [Mailbox], sent_at: Timestamp) -> Result<(), String> {
    // A robot that serves may have taken it before it was removed, and moves it then.
    let mut sure = !is_served(visit.config);
    for _ in 0..ROUNDS {
        let found = look(visit, mailboxes, sent_at)?;
        if found.is_empty() && sure {
            return Ok(());
        }
        if found.is_empty() {
            Cancel::default().wait(LOOK);
        }
        sure |= found.is_empty();
        for found_mail in found {
            match (&found_mail.at, &mut mailboxes[found_mail.mailbox]) {
                (At::Imap(mail), Mailbox::Imap { probe, .. }) => probe.remove(mail)?,
                (At::File(path), _) => match fs::remove_file(path) {
                    Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                        return Err(format!("{}: {e}", path.display()));
                    }
                    _ => {}
                },
                // This can't happen, because a found mail has the number of its mailbox.
                (At::Imap(_), Mailbox::Maildir { .. }) => {}
            }
        }
    }
    Ok(())
}
