//! What came after a copy, judged again from the mailboxes: each mail at the time at
//! which it was received, turns between them where their deadlines lay.
//!
//! Mails are read where they lie, in the folders of their verdicts; none is moved. A mail that the
//! copy already has is recognised by its content, and has no second effect.

use std::io::Write;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::Failure;
use crate::config::{Config, InboxConfig};
use base::clock::{Clock, FakeClock, SystemClock};
use base::text::count;
use mail::imap::ImapInbox;
use mail::maildir::MaildirInbox;
use mail::{Inbox, RawMessage};
use registry::ENGINES;
use robot::host::came_at;
use robot::{Robot, RobotError};
use store::Reason;

/// How much older than the newest mail of the copy a mail may be and still be read: it may have
/// come by another way, or waited.
const MARGIN: SignedDuration = SignedDuration::from_hours(1);

/// The result of reading mails again.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Again {
    /// Mails that the copy did not know.
    pub judged: usize,
    /// Mails that it knew.
    pub known: usize,
    /// Turns that ran between them.
    pub turns: u32,
}

/// Reads and judges what came since the newest mail of the store.
///
/// # Errors
/// A sentence that says what to do; what was judged until then stays judged.
pub fn run(config: &Config, newest: Timestamp, out: &mut dyn Write) -> Result<(), Failure> {
    let messages = fetch(config, newest - MARGIN).map_err(|e| {
        format!("the store was put back, but no mail was read: {e}. Try the same command again")
    })?;
    let clock = Arc::new(FakeClock::at(newest));
    let mut robot = crate::host::robot_with(config, &ENGINES, clock.clone())?;
    let done = judge_again(&mut robot, &clock, messages)?;
    let Again { judged, known, turns } = done;
    writeln!(
        out,
        "Judged again: {} that the copy did not know. Known already: {known}. {} ran between them. \
         Answers up to two days old are sent again.",
        count(judged as u64, "mail"),
        count(turns, "turn")
    )?;
    Ok(())
}

/// All mails since an instant, wherever they lie.
fn fetch(config: &Config, since: Timestamp) -> Result<Vec<RawMessage>, Failure> {
    let mut found = Vec::new();
    for inbox in &config.inboxes {
        found.extend(match inbox {
            InboxConfig::Maildir { name, path, poll } => {
                let most = config.limits.mail_bytes_max;
                MaildirInbox::open(name, path, most, *poll)?.received_since(since)?
            }
            InboxConfig::Imap(account) => {
                let mut inbox = ImapInbox::new(account.clone())?;
                tracing::info!(inbox = inbox.name(), "mails are read again");
                inbox.received_since(since)?
            }
        });
    }
    let now = SystemClock.now();
    for mail in &mut found {
        mail.received_at = came_at(mail.received_at, None, now);
    }
    if let Some(checker) = crate::host::checker(config)? {
        for mail in &mut found {
            (mail.authenticity, mail.checked_from) = checker.check(&mail.bytes);
        }
    }
    Ok(found)
}

/// Judges mails in the order of their receipt, with the clock set to the time of each.
///
/// # Errors
/// [`RobotError`] when the store fails.
pub fn judge_again(
    robot: &mut Robot,
    clock: &FakeClock,
    mut messages: Vec<RawMessage>,
) -> Result<Again, RobotError> {
    messages.sort_by(|a, b| (a.received_at, &a.key).cmp(&(b.received_at, &b.key)));
    let mut done = Again::default();
    for message in messages {
        if robot.store.mails().is_kept(&message.source, &message.key)? {
            done.known += 1;
            continue;
        }
        let at = message.received_at;
        done.turns += run_before(robot, clock, at)?;
        clock.set(at.max(clock.now()));
        let (source, key) = (message.source.clone(), message.key.clone());
        for id in robot.receive(&[message])? {
            let row = robot.store.mails().mail(id)?;
            match row.is_some_and(|r| r.reason == Reason::Duplicate) {
                true => done.known += 1,
                false => done.judged += 1,
            }
        }
        leave_in_place(robot, &source, &key)?;
        // The inbox counts as read at that time, so that no outage is seen before the next mail.
        robot.store.write(|tx| tx.set_note(&format!("read {source}"), &at.to_string()))?;
        // Games in which all are ready, and those that start when they are full.
        done.turns += robot.run_due(at - SignedDuration::from_secs(1))?;
        robot.tick()?;
    }
    Ok(done)
}

/// A mail that lies in a folder of verdicts stays there.
fn leave_in_place(robot: &mut Robot, source: &str, key: &str) -> Result<(), RobotError> {
    let mut moves = robot.store.mails().to_move(source)?;
    let in_folder = |f: mail::Folder| key.starts_with(&format!("{f}/"));
    moves.retain(|(k, _)| k == key && mail::Folder::ALL.into_iter().any(in_folder));
    Ok(robot.store.write(|tx| tx.mails().moved(source, &moves))?)
}

/// Runs the turns whose deadlines lie before an instant, each at its own.
fn run_before(robot: &mut Robot, clock: &FakeClock, at: Timestamp) -> Result<u32, RobotError> {
    let mut run = 0;
    while let Some(due) = robot.reports().next_deadline()?.filter(|due| *due < at) {
        let then = due + SignedDuration::from_secs(1);
        clock.set(then.max(clock.now()));
        let now = robot.run_due(then)?;
        run += now;
        // A turn may wait, for a quorum or forever.
        if now == 0 && robot.reports().next_deadline()? == Some(due) {
            break;
        }
    }
    Ok(run)
}
