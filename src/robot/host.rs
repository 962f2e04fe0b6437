//! What the inbox threads of a service share, and one round of an inbox: fetch, judge, move.
//! What is due is run beside it ([`crate::runner`]).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use jiff::Timestamp;

use super::Robot;
use base::cancel::Cancel;
use mail::origin::CheckOrigin;
use mail::{Inbox, RawMessage};
use store::{Lease, StoreError, Worker};

use crate::context::RobotError;
use crate::origins::{Asking, Spent};

/// The same while mails that prove nothing wait for their share of CPU time.
const BEHIND: Duration = Duration::from_secs(10);
/// The longest that a thread waits before it looks again.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// How often a thread asks whether an inbox that another worker has is free.
const TAKEN: Duration = Duration::from_secs(5);

/// After so many rounds in a row that failed, another worker may try.
const TRIED: u32 = 10;
/// How long this one leaves it alone then.
const FAILED: jiff::SignedDuration = jiff::SignedDuration::from_secs(30);

/// How many rounds in a row that fail alike make one line of the log.
const REPEATED: u32 = 30;

/// The part of the room asked for below which nothing is read at all.
const SCARCE: u64 = 4;
/// Fetches of a round that may bring nothing that is wanted while the disk is low.
const SIFTED: u32 = 8;

/// How far a server's clock may be ahead of ours.
const AHEAD: jiff::SignedDuration = jiff::SignedDuration::from_hours(1);
/// How long before the last look into its inbox a mail may have come that was not there then: it
/// lay in another folder.
const ELSEWHERE: jiff::SignedDuration = jiff::SignedDuration::from_hours(30 * 24);
/// The oldest mail of an inbox that was never read before.
const OLDEST: jiff::SignedDuration = jiff::SignedDuration::from_hours(10 * 365 * 24);

/// How exactly it is known when an inbox was last read, as long as nothing waits for it.
const NOTED: jiff::SignedDuration = jiff::SignedDuration::from_secs(30);

/// Wakes the other threads of a service: there may be something to send, to draw, to run.
#[derive(Debug, Clone)]
pub struct Wakes {
    /// The outbox.
    pub outbox: Sender<()>,
    /// The renderer of printouts and echoes.
    pub drawing: Sender<()>,
    /// The runner of steps.
    pub turns: Sender<()>,
    /// Other workers.
    pub others: Sender<()>,
}

impl Wakes {
    /// Wakes nobody.
    pub fn nobody() -> Self {
        let unheard = || std::sync::mpsc::channel().0;
        let (turns, others) = (unheard(), unheard());
        Self { outbox: unheard(), drawing: unheard(), turns, others }
    }

    /// Wakes all of them, and those of other workers; who is not there does not hear it.
    pub fn all(&self) {
        self.here();
        let _ = self.others.send(());
    }

    /// Wakes those of this worker.
    pub fn here(&self) {
        for one in [&self.outbox, &self.drawing, &self.turns] {
            let _ = one.send(());
        }
    }
}

/// What the inbox threads share.
pub struct Host {
    /// The robot that judges mails.
    pub robot: Robot,
    /// Folder of the store.
    data: PathBuf,
    /// Checks where mails come from, when the config says so.
    checker: Option<Arc<dyn CheckOrigin>>,
    /// What name servers of domains have taken today.
    spent: Arc<Mutex<Spent>>,
    /// Mails that name servers are being asked about: inbox and key.
    asked_about: BTreeSet<(String, String)>,
    /// Mails that stay in their mailbox until the disk has room again: inbox and key.
    left: BTreeSet<(String, String)>,
    /// The disk was low when it was last looked at.
    low: bool,
    /// Inboxes that this worker has, where others may have them.
    held: BTreeMap<String, Lease>,
    /// Inboxes that this worker asks for.
    requests: BTreeMap<String, Lease>,
    /// Rounds in a row that failed, by inbox.
    failing: BTreeMap<String, u32>,
    /// Inboxes that this worker could not read, and when it left them to others.
    failed: BTreeMap<String, Timestamp>,
    /// How many inboxes all workers have together; 0: as many as this one likes.
    pub inboxes: usize,
    wakes: Wakes,
}

/// A round that was cut short, in a sentence for the log; what it did is whole.
pub type Round = std::result::Result<(), String>;

impl Host {
    /// What the threads of the inboxes share.
    pub fn new(
        robot: Robot,
        data: PathBuf,
        checker: Option<Arc<dyn CheckOrigin>>,
        wakes: Wakes,
    ) -> Self {
        Self {
            robot,
            data,
            checker,
            spent: Arc::default(),
            asked_about: BTreeSet::new(),
            left: BTreeSet::new(),
            low: false,
            held: BTreeMap::new(),
            requests: BTreeMap::new(),
            failing: BTreeMap::new(),
            failed: BTreeMap::new(),
            inboxes: 0,
            wakes,
        }
    }

    /// Whether this worker has an inbox. One that nobody has it takes, but for those that others ask
    /// for who have fewer; one that it asks for itself is left to it by whoever has too many.
    fn has(&mut self, inbox: &str) -> std::result::Result<bool, String> {
        if !self.robot.shared {
            return Ok(true);
        }
        self.takes(inbox).map_err(|e| e.to_string())
    }

    fn takes(&mut self, inbox: &str) -> std::result::Result<bool, StoreError> {
        let (name, request, now) = (format!("inbox {inbox}"), request_for(inbox), self.robot.now());
        if self.held.contains_key(inbox) {
            return Ok(!self.leaves(inbox)?);
        }
        let share = self.share()?;
        if self.failed.get(inbox).is_some_and(|at| now.duration_since(*at) < FAILED) {
            return Ok(false);
        }
        let has_enough = self.held.len() >= share;
        if has_enough {
            self.withdraw_request(inbox)?;
            if self.robot.store.workers().is_requested(&request, now)? {
                return Ok(false);
            }
        }
        let (lease, requested) =
            self.robot.store.write(|tx| match tx.workers().take_lease(&name, now)? {
                None if !has_enough => Ok((None, tx.workers().take_lease(&request, now)?)),
                taken => Ok::<_, StoreError>((taken, None)),
            })?;
        let Some(lease) = lease else {
            self.requests.extend(requested.map(|request| (inbox.to_owned(), request)));
            return Ok(false);
        };
        tracing::info!(inbox, "this worker has the inbox");
        self.held.insert(inbox.to_owned(), lease);
        self.withdraw_request(inbox)?;
        Ok(true)
    }

    /// Leaves an inbox to another worker that asks for it, when this one has more than its share.
    fn leaves(&mut self, inbox: &str) -> std::result::Result<bool, StoreError> {
        let Some(lease) = self.held.get(inbox).cloned() else { return Ok(false) };
        let (request, now) = (request_for(inbox), self.robot.now());
        if self.held.len() <= self.share()?
            || !self.robot.store.workers().is_requested(&request, now)?
        {
            return Ok(false);
        }
        self.robot.store.write(|tx| tx.workers().give_back(&lease))?;
        self.held.remove(inbox);
        tracing::info!(inbox, "this worker leaves the inbox to another");
        Ok(true)
    }

    /// Asks for an inbox no longer.
    fn withdraw_request(&mut self, inbox: &str) -> std::result::Result<(), StoreError> {
        match self.requests.remove(inbox) {
            Some(request) => self.robot.store.write(|tx| tx.workers().give_back(&request)),
            None => Ok(()),
        }
    }

    /// A round of an inbox has failed. One that this worker can't read it leaves to others, where
    /// there are any.
    fn has_failed(&mut self, inbox: &str) {
        let rounds = self.failing.entry(inbox.to_owned()).or_default();
        *rounds += 1;
        if rounds.is_multiple_of(TRIED)
            && self.readers().is_ok_and(|n| n > 1)
            && let Some(lease) = self.held.remove(inbox)
        {
            self.failed.insert(inbox.to_owned(), self.robot.now());
            // They end by themselves too.
            let _ = self
                .robot
                .store
                .write(|tx| tx.workers().give_back(&lease))
                .and(self.withdraw_request(inbox));
            tracing::warn!(inbox, "this worker can't read the inbox; another may try");
        }
    }

    /// How many inboxes this worker should have, so that no other has much less to do.
    fn share(&self) -> std::result::Result<usize, StoreError> {
        if self.inboxes < 2 {
            return Ok(usize::MAX);
        }
        Ok(self.inboxes.div_ceil(self.readers()?.max(1)))
    }

    /// How many workers read inboxes.
    fn readers(&self) -> std::result::Result<usize, StoreError> {
        let now = self.robot.now();
        let workers = self.robot.store.workers().all()?;
        let reads = |w: &&Worker| w.lives(now) && w.does("inbox");
        Ok(workers.iter().filter(reads).count())
    }
}

/// The name of the lease by which an inbox is asked for.
fn request_for(inbox: &str) -> String {
    format!("request for inbox {inbox}")
}

/// A thread that panicked while it held the lock has changed nothing that is not
/// committed, so the others go on.
fn take(host: &Mutex<Host>) -> MutexGuard<'_, Host> {
    let mut host = host.lock().unwrap_or_else(|e| e.into_inner());
    host.robot.store.hold(None);
    host
}

/// The same for work on an inbox: each commit is made only as long as this worker has it.
fn take_for<'a>(host: &'a Mutex<Host>, inbox: &str) -> MutexGuard<'a, Host> {
    let mut host = take(host);
    let lease = host.held.get(inbox).cloned();
    host.robot.store.hold(lease);
    host
}

/// What went wrong, in a sentence; an inbox that was lost to another worker is no longer ours.
fn describe_failure(host: &mut Host, inbox: &str, e: impl Into<RobotError>) -> String {
    let e = e.into();
    if let RobotError::Store(StoreError::Overtaken(_)) = e {
        tracing::warn!(inbox, "another worker has taken the inbox over");
        host.held.remove(inbox);
    }
    e.to_string()
}

fn now(host: &Mutex<Host>) -> Timestamp {
    take(host).robot.now()
}

/// Whether no step of an inbox is being done.
pub fn is_between_steps(host: &Mutex<Host>) -> bool {
    !matches!(host.try_lock(), Err(TryLockError::WouldBlock))
}

/// Fetches, judges, files, waits; until `stop` is cancelled.
pub fn watch(host: &Mutex<Host>, inbox: &mut dyn Inbox, stop: &Cancel) {
    let (mut last, mut times) = (String::new(), 0_u32);
    while !stop.is_cancelled() {
        match round(host, inbox, stop) {
            Ok(true) => last.clear(),
            Ok(false) => {
                // Another worker reads it; it may die.
                stop.wait(TAKEN);
                continue;
            }
            Err(cause) => {
                times = if cause == last { times + 1 } else { 0 };
                // What goes on for hours is not written every two seconds.
                if times.is_multiple_of(REPEATED) {
                    tracing::warn!(
                        inbox = inbox.name(),
                        cause,
                        "tried again later; \"fieldpost doctor\" says what can be done"
                    );
                }
                last = cause;
            }
        }
        let wait = until_deadline(host);
        if let Err(e) = inbox.wait(wait, stop)
            && !stop.is_cancelled()
        {
            tracing::warn!(inbox = inbox.name(), cause = e.cause, "connection lost");
        }
    }
}

/// One round of an inbox; `false`: another worker has it.
///
/// # Errors
/// A sentence for the log; nothing is lost by it.
pub fn round(
    host: &Mutex<Host>,
    inbox: &mut dyn Inbox,
    stop: &Cancel,
) -> std::result::Result<bool, String> {
    if !take(host).has(inbox.name())? {
        return Ok(false);
    }
    let done = read_and_judge(host, inbox, stop);
    let mut host = take(host);
    match &done {
        Ok(()) => drop(host.failing.remove(inbox.name())),
        Err(_) => host.has_failed(inbox.name()),
    }
    done.map(|()| true)
}

fn read_and_judge(host: &Mutex<Host>, inbox: &mut dyn Inbox, stop: &Cancel) -> Round {
    let started = now(host);
    look_at_disk(host)?;
    let first = look(host, inbox)?;
    if stop.is_cancelled() {
        // Others may do it already; the messages are still where they were.
        return Ok(());
    }
    // The mailbox answers: a deadline that its silence was too long for moves before
    // any card is judged by it.
    note_silence(host, inbox.name(), started)?;
    if !drain(host, inbox, first, stop)? || stop.is_cancelled() {
        return Ok(());
    }
    note_fetched(host, inbox.name(), started)?;
    let host = take(host);
    host.wakes.turns.send(()).unwrap_or_default();
    let due = host.robot.store.outbox().next_send().map_err(|e| e.to_string())?;
    // Also what was queued beside the verdicts: word of a suspended game.
    let now = host.robot.now();
    if due.is_some_and(|at| at <= now) {
        host.wakes.all();
    }
    Ok(())
}

/// Notes that an inbox was read completely: steps wait for that. As long as none does, half a
/// minute's truth is enough.
fn note_fetched(host: &Mutex<Host>, inbox: &str, started: Timestamp) -> Round {
    let mut host = take_for(host, inbox);
    let noted = host.robot.store.workers().fetched_at(inbox).map_err(|e| e.to_string())?;
    let awaited = host.robot.store.is_any_due(started).map_err(|e| e.to_string())?;
    let old = noted.is_none_or(|at| started.duration_since(at) >= NOTED || started < at);
    if awaited || old {
        let done = host.robot.store.write(|tx| tx.workers().fetched(inbox, started));
        done.map_err(|e: StoreError| describe_failure(&mut host, inbox, e))?;
    }
    Ok(())
}

/// Reads an inbox until nothing is left in it, and runs no turn.
///
/// # Errors
/// A sentence for the game master; nothing is lost by it.
pub fn read(host: &Mutex<Host>, inbox: &mut dyn Inbox) -> Round {
    let never = Cancel::default();
    let first = look(host, inbox)?;
    drain(host, inbox, first, &never).map(|_| ())
}

/// What lies in an inbox of this store and has no verdict yet.
///
/// # Errors
/// A sentence when the mailbox can't be read, or is another store's.
pub fn look(
    host: &Mutex<Host>,
    inbox: &mut dyn Inbox,
) -> std::result::Result<Vec<RawMessage>, String> {
    let mark = take(host).robot.reports().mailbox_mark().map_err(|e| e.to_string())?;
    inbox.claim(&mark).map_err(|e| e.cause)?;
    next(host, inbox)
}

/// When a mail came, by what its server says and when its inbox was last read to its end.
///
/// Cards are timed by the server. But one that lost its clock, or made a date up, says 1970, the
/// year 1 or 9999. A mail from the future came now. One that says it came long before the last look
/// at an inbox in which it was not came after that look: its player loses nothing by the mistake.
pub fn came_at(said: Timestamp, last_read: Option<Timestamp>, now: Timestamp) -> Timestamp {
    let earlier = |at: Timestamp, by| at.checked_sub(by).unwrap_or(Timestamp::MIN);
    let (least, otherwise) = match last_read.filter(|at| *at <= now) {
        Some(at) => (earlier(at, ELSEWHERE), at),
        None => (earlier(now, OLDEST), now),
    };
    match said {
        said if said.duration_since(now) > AHEAD => now,
        said if said < least => otherwise,
        said => said,
    }
}

/// Gives mails times that can be.
fn mend_times(host: &Mutex<Host>, inbox: &str, batch: &mut [RawMessage]) -> Round {
    if batch.is_empty() {
        return Ok(());
    }
    let host = take(host);
    let last_read = host.robot.store.workers().fetched_at(inbox).map_err(|e| e.to_string())?;
    let (now, mut mended) = (host.robot.now(), 0_u32);
    for mail in batch {
        let at = came_at(mail.received_at, last_read, now);
        mended += u32::from(at != mail.received_at);
        mail.received_at = at;
    }
    if mended > 0 {
        tracing::warn!(
            inbox,
            mails = mended,
            "the server gives times at which no mail can have come; see to its clock"
        );
    }
    Ok(())
}

/// The next mails that are to be judged: all, or those of players while the disk is low.
fn next(host: &Mutex<Host>, inbox: &mut dyn Inbox) -> std::result::Result<Vec<RawMessage>, String> {
    // What else there is waits for the next round.
    for _ in 0..SIFTED {
        let mut batch = inbox.fetch(&known(host, inbox.name())).map_err(|e| e.cause)?;
        mend_times(host, inbox.name(), &mut batch)?;
        if batch.is_empty() || !is_low(host) {
            return Ok(batch);
        }
        batch.retain(|mail| {
            let mut host = take(host);
            let wanted = host.robot.is_of_player(mail);
            if !wanted {
                host.left.insert((mail.source.clone(), mail.key.clone()));
            }
            wanted
        });
        if !batch.is_empty() {
            return Ok(batch);
        }
    }
    Ok(Vec::new())
}

/// With less free disk than the config asks for, mail of strangers stays in its mailbox, where it
/// can't be lost. Below a quarter of it all mail does, and turns wait with it, for a card may be among it.
fn look_at_disk(host: &Mutex<Host>) -> Round {
    let low = is_low(host);
    let mut host = take(host);
    let least = host.robot.cx.limits.disk_free_mb_min;
    let free = free_mb(&host.data).unwrap_or(u64::MAX);
    if low != host.low {
        tracing::warn!(low, free, least, "mail of players alone is read while the disk is low");
        host.low = low;
    }
    if !low {
        host.left.clear();
    }
    match free < least / SCARCE {
        true => {
            Err("less than a quarter of limits.disk_free_mb_min is free where the store is; no \
                     mail is fetched"
                .to_owned())
        }
        false => Ok(()),
    }
}

/// Whether less room is left than the config asks for.
fn is_low(host: &Mutex<Host>) -> bool {
    let host = take(host);
    free_mb(&host.data).is_some_and(|free| free < host.robot.cx.limits.disk_free_mb_min)
}

/// Keys of an inbox that are stored already.
fn known<'a>(host: &'a Mutex<Host>, source: &str) -> impl Fn(&str) -> bool + 'a {
    let source = source.to_owned();
    move |key: &str| {
        let host = take(host);
        let place = (source.clone(), key.to_owned());
        let left = || host.left.contains(&place) || host.asked_about.contains(&place);
        host.robot.store.mails().is_kept(&source, key).unwrap_or(false) || left()
    }
}

/// Notes the time since this inbox last answered, when it is long.
fn note_silence(host: &Mutex<Host>, source: &str, now: Timestamp) -> Round {
    let mut host = take_for(host, source);
    let key = format!("read {source}");
    let last = host.robot.store.note(&key).map_err(|e| e.to_string())?;
    let last = last.and_then(|t| t.parse::<Timestamp>().ok());
    if let Some(last) = last.filter(|l| *l < now) {
        host.robot.note_outage(last, now).map_err(|e| describe_failure(&mut host, source, e))?;
    }
    // Half a minute's truth is enough, and spares the disk.
    if last.is_none_or(|l| now.duration_since(l) >= NOTED) {
        let at = now.to_string();
        let noted = host.robot.store.write(|tx| tx.set_note(&key, &at));
        noted.map_err(|e: StoreError| describe_failure(&mut host, source, e))?;
    }
    Ok(())
}

/// Judges and files what was fetched, and fetches more until the inbox is empty; `false`: it is left
/// to another worker before.
fn drain(
    host: &Mutex<Host>,
    inbox: &mut dyn Inbox,
    first: Vec<RawMessage>,
    stop: &Cancel,
) -> std::result::Result<bool, String> {
    let source = inbox.name().to_owned();
    // What was asked about before, and not judged, is fetched again.
    let forget = || take(host).asked_about.retain(|(of, _)| *of != source);
    forget();
    let done = drain_asking(host, inbox, first, stop);
    forget();
    done
}

/// Asks name servers about mails, where the config says so: gives those that are to be judged now.
/// Nobody waits for the name servers of others.
fn look_at_origins(
    host: &Mutex<Host>,
    asking: &mut Asking,
    batch: Vec<RawMessage>,
) -> Vec<RawMessage> {
    // While there is other mail, answers are taken as they come.
    let wait = batch.is_empty();
    let mut ready = Vec::new();
    for mail in batch {
        let mut host = take(host);
        match host.robot.domain_of(&mail) {
            (Some(domain), has_secret) => {
                host.asked_about.insert((mail.source.clone(), mail.key.clone()));
                asking.ask(mail, domain, has_secret);
            }
            (None, _) => ready.push(mail),
        }
    }
    let spent = Arc::clone(&take(host).spent);
    let answered = asking.answered(&spent, wait);
    let mut host = take(host);
    for mail in &answered {
        host.asked_about.remove(&(mail.source.clone(), mail.key.clone()));
    }
    ready.extend(answered);
    ready
}

fn drain_asking(
    host: &Mutex<Host>,
    inbox: &mut dyn Inbox,
    first: Vec<RawMessage>,
    stop: &Cancel,
) -> std::result::Result<bool, String> {
    let source = inbox.name().to_owned();
    let mut asking = {
        let host = take(host);
        let clock = Arc::clone(&host.robot.cx.clock);
        host.checker.clone().map(|checker| Asking::new(checker, clock))
    };
    let mut fetched = first;
    loop {
        let is_last = fetched.is_empty();
        let batch = match &mut asking {
            Some(asking) => look_at_origins(host, asking, fetched),
            None => fetched,
        };
        let is_asking = asking.as_ref().is_some_and(|a| !a.is_done());
        // An empty batch has what failed before judged again, once in a round.
        let judged = if batch.is_empty() && is_asking {
            Vec::new()
        } else {
            let mut host = take_for(host, &source);
            let own = host.robot.shared.then_some(source.as_str());
            let judged = host.robot.receive_from(&batch, own);
            judged.map_err(|e| describe_failure(&mut host, &source, e))?
        };
        if !judged.is_empty() {
            take(host).wakes.all();
        }
        let moves = take(host).robot.store.mails().to_move(&source).map_err(|e| e.to_string())?;
        if !moves.is_empty() {
            if let Err(e) = inbox.file(&moves) {
                // The verdicts stand; no game waits for a folder.
                tracing::warn!(inbox = inbox.name(), cause = e.cause, "mails not moved");
                if batch.is_empty() && !is_asking {
                    return Ok(true);
                }
            } else {
                let mut host = take_for(host, &source);
                let moved = host.robot.store.write(|tx| tx.mails().moved(&source, &moves));
                moved.map_err(|e: StoreError| describe_failure(&mut host, &source, e))?;
            }
        }
        // A mail that came during the moves was told of then; IDLE would not tell again.
        let nothing = is_last && batch.is_empty() && moves.is_empty();
        if nothing && !is_asking || stop.is_cancelled() {
            return Ok(true);
        }
        // Where more comes than one worker can read, the inbox is never empty.
        if take(host).leaves(&source).map_err(|e| e.to_string())? {
            return Ok(false);
        }
        // What waits to be asked about waits in memory.
        fetched = match asking.as_ref().is_some_and(Asking::is_full) {
            true => Vec::new(),
            false => next(host, inbox)?,
        };
    }
}

fn until_deadline(host: &Mutex<Host>) -> Duration {
    let host = take(host);
    let (now, next) = (host.robot.now(), host.robot.next_event());
    // What waits for the next minute is looked at again soon.
    let most = if host.robot.is_behind() { BEHIND } else { WAIT_MAX };
    match next {
        // A little after, so that the fetch begins after the deadline.
        // One that has passed waits for something else: another inbox, a server.
        Ok(Some(at)) if at <= now => Duration::from_secs(1),
        Ok(Some(at)) => Duration::try_from(at.duration_since(now))
            .unwrap_or_default()
            .saturating_add(Duration::from_millis(20))
            .min(most),
        _ => most,
    }
}

/// Megabytes that are free where a folder is; `None`: the system does not say.
pub fn free_mb(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize) / 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_can_not_be_is_not_the_time_of_a_card() {
        let at = |text: &str| text.parse::<Timestamp>().expect("a time");
        let (now, read) = (at("2026-11-21T20:00:00Z"), at("2026-11-21T19:58:00Z"));
        for (said, came) in [
            // As servers say it; a card that waited in another folder, too.
            ("2026-11-21T19:59:00Z", "2026-11-21T19:59:00Z"),
            ("2026-11-21T20:00:40Z", "2026-11-21T20:00:40Z"),
            ("2026-11-20T08:00:00Z", "2026-11-20T08:00:00Z"),
            ("2026-10-23T08:00:00Z", "2026-10-23T08:00:00Z"),
            // As no server can mean it.
            ("0001-01-01T00:00:00Z", "2026-11-21T19:58:00Z"),
            ("1970-01-01T00:00:00Z", "2026-11-21T19:58:00Z"),
            ("2026-10-20T08:00:00Z", "2026-11-21T19:58:00Z"),
            ("2026-11-21T21:00:01Z", "2026-11-21T20:00:00Z"),
            ("9999-12-30T00:00:00Z", "2026-11-21T20:00:00Z"),
        ] {
            assert_eq!(came_at(at(said), Some(read), now), at(came), "{said}");
        }
        assert_eq!(came_at(Timestamp::MIN, Some(read), now), read);
        // An inbox that was never read, or was read by a clock that ran ahead.
        for read in [None, Some(at("2027-01-01T00:00:00Z"))] {
            assert_eq!(came_at(at("1970-01-01T00:00:00Z"), read, now), now);
            assert_eq!(came_at(at("2025-01-01T00:00:00Z"), read, now), at("2025-01-01T00:00:00Z"));
        }
    }
}
