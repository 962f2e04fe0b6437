//! What the inbox threads of a service share, and one round of an inbox: fetch, judge, move. Due
//! steps run beside it ([`crate::runner`]).

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

/// The longest that a thread waits while mails that prove nothing wait for their share of CPU time.
const BEHIND: Duration = Duration::from_secs(10);
/// The longest that a thread waits before it looks again.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// How often a thread asks whether an inbox that another worker has is free.
const TAKEN: Duration = Duration::from_secs(5);

/// Failed rounds in a row after which another worker may try.
const TRIED: u32 = 10;
/// How long this worker then leaves the inbox to others.
const FAILED: jiff::SignedDuration = jiff::SignedDuration::from_secs(30);

/// How many failed rounds in a row with the same cause make one line of the log.
const REPEATED: u32 = 30;

/// Nothing is read when less is free than the required disk room divided by this number.
const SCARCE: u64 = 4;
/// The most fetches of a round that bring no mail of a player while the disk is low.
const SIFTED: u32 = 8;

/// How far a server's clock may be ahead of ours.
const AHEAD: jiff::SignedDuration = jiff::SignedDuration::from_hours(1);
/// How long before the last look into its inbox a mail may have come although it was not there
/// then: it was in another folder.
const ELSEWHERE: jiff::SignedDuration = jiff::SignedDuration::from_hours(30 * 24);
/// The greatest age of a mail in an inbox that was never read before.
const OLDEST: jiff::SignedDuration = jiff::SignedDuration::from_hours(10 * 365 * 24);

/// How exactly the time of an inbox's last reading is noted while nothing waits for it.
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
    /// Wakes that reach nobody.
    pub fn nobody() -> Self {
        let unheard = || std::sync::mpsc::channel().0;
        let (turns, others) = (unheard(), unheard());
        Self { outbox: unheard(), drawing: unheard(), turns, others }
    }

    /// Wakes all of them, and those of other workers. A thread that is not there is no error.
    pub fn all(&self) {
        self.here();
        let _ = self.others.send(());
    }

    /// Wakes the threads of this worker.
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
    /// The time that name servers of domains have taken today.
    spent: Arc<Mutex<Spent>>,
    /// Mails that name servers are being asked about: inbox and key.
    asked_about: BTreeSet<(String, String)>,
    /// Mails that stay in their mailbox until the disk has room again: inbox and key.
    left: BTreeSet<(String, String)>,
    /// The disk was low when it was last looked at.
    low: bool,
    /// The leases of the inboxes that this worker has, where several workers share the store.
    held: BTreeMap<String, Lease>,
    /// Inboxes that this worker asks for.
    requests: BTreeMap<String, Lease>,
    /// Rounds in a row that failed, by inbox.
    failing: BTreeMap<String, u32>,
    /// Inboxes that this worker could not read, and when it left them to others.
    failed: BTreeMap<String, Timestamp>,
    /// How many inboxes all workers have together. With 0, this worker takes as many as it can.
    pub inboxes: usize,
    wakes: Wakes,
}

/// The result of a round; the error says in a sentence for the log why it was cut short. What it
/// did until then is complete.
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

    /// Whether this worker has an inbox. It takes an inbox that nobody has, unless it has its share
    /// already and another worker asks for that inbox. A worker with more than its share leaves an
    /// inbox that another asks for.
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

    /// Withdraws this worker's request for an inbox.
    fn withdraw_request(&mut self, inbox: &str) -> std::result::Result<(), StoreError> {
        match self.requests.remove(inbox) {
            Some(request) => self.robot.store.write(|tx| tx.workers().give_back(&request)),
            None => Ok(()),
        }
    }

    /// Notes that a round of an inbox has failed. This worker leaves an inbox that it can't read to
    /// other workers, if there are any.
    fn has_failed(&mut self, inbox: &str) {
        let rounds = self.failing.entry(inbox.to_owned()).or_default();
        *rounds += 1;
        if rounds.is_multiple_of(TRIED)
            && self.readers().is_ok_and(|n| n > 1)
            && let Some(lease) = self.held.remove(inbox)
        {
            self.failed.insert(inbox.to_owned(), self.robot.now());
            // Both leases also run out by themselves.
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

/// The name of the lease by which a worker asks for an inbox.
fn request_for(inbox: &str) -> String {
    format!("request for inbox {inbox}")
}

/// Locks the host. A thread that panicked while it held the lock has changed nothing but what it
/// committed, so the others go on.
fn take(host: &Mutex<Host>) -> MutexGuard<'_, Host> {
    let mut host = host.lock().unwrap_or_else(|e| e.into_inner());
    host.robot.store.hold(None);
    host
}

/// Locks the host for work on an inbox: each commit is made only while this worker has the inbox.
fn take_for<'a>(host: &'a Mutex<Host>, inbox: &str) -> MutexGuard<'a, Host> {
    let mut host = take(host);
    let lease = host.held.get(inbox).cloned();
    host.robot.store.hold(lease);
    host
}

/// Describes a failure in a sentence. If another worker has taken the inbox, this one no longer has
/// it.
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

/// Whether no thread holds the lock of the host at this moment.
pub fn is_between_steps(host: &Mutex<Host>) -> bool {
    !matches!(host.try_lock(), Err(TryLockError::WouldBlock))
}

/// Fetches, judges, files and waits until `stop` is cancelled.
pub fn watch(host: &Mutex<Host>, inbox: &mut dyn Inbox, stop: &Cancel) {
    let (mut last, mut times) = (String::new(), 0_u32);
    while !stop.is_cancelled() {
        match round(host, inbox, stop) {
            Ok(true) => last.clear(),
            Ok(false) => {
                // Another worker reads the inbox; it may die, so try again.
                stop.wait(TAKEN);
                continue;
            }
            Err(cause) => {
                times = if cause == last { times + 1 } else { 0 };
                // A failure that lasts for hours is not logged every two seconds.
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

/// Does one round of an inbox; `false` when another worker has it.
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
        // Other workers may have begun this work; the messages are still where they were.
        return Ok(());
    }
    // The mailbox answers. If it was silent for too long, deadlines move before any card is judged
    // by them.
    note_silence(host, inbox.name(), started)?;
    if !drain(host, inbox, first, stop)? || stop.is_cancelled() {
        return Ok(());
    }
    note_fetched(host, inbox.name(), started)?;
    let host = take(host);
    host.wakes.turns.send(()).unwrap_or_default();
    let due = host.robot.store.outbox().next_send().map_err(|e| e.to_string())?;
    // Also for mails that were queued besides the verdicts, such as the notice of a suspended game.
    let now = host.robot.now();
    if due.is_some_and(|at| at <= now) {
        host.wakes.all();
    }
    Ok(())
}

/// Notes that an inbox was read completely; due steps wait for that. While none does, a note that
/// is half a minute old is enough.
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

/// The mails in an inbox of this store that have no verdict yet.
///
/// # Errors
/// A sentence when the mailbox can't be read, or belongs to another store.
pub fn look(
    host: &Mutex<Host>,
    inbox: &mut dyn Inbox,
) -> std::result::Result<Vec<RawMessage>, String> {
    let mark = take(host).robot.reports().mailbox_mark().map_err(|e| e.to_string())?;
    inbox.claim(&mark).map_err(|e| e.cause)?;
    next(host, inbox)
}

/// The time at which a mail came, from the server's time and the last complete reading of its
/// inbox.
///
/// The server's time decides when a card came. But a server that lost its clock, or made a date up,
/// says 1970, the year 1 or 9999. A mail from the future counts as received now. A mail dated long
/// before the last look at its inbox, which did not find it, counts as received at that look, so
/// its player loses nothing by the mistake.
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

/// Replaces impossible times of mails.
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

/// The next mails to judge: all, or only those of players while the disk is low.
fn next(host: &Mutex<Host>, inbox: &mut dyn Inbox) -> std::result::Result<Vec<RawMessage>, String> {
    // The rest waits for the next round.
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

/// Checks the free disk room. With less than the config asks for, mail of strangers stays in its
/// mailbox, where it can't be lost. With less than a quarter of that, all mail stays there, and
/// turns wait too, because a card may be among it.
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

/// A test of whether the message with a key need not be fetched: it is stored already, left in its
/// mailbox, or being asked about.
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
    // A note that is half a minute old is exact enough, and spares the disk.
    if last.is_none_or(|l| now.duration_since(l) >= NOTED) {
        let at = now.to_string();
        let noted = host.robot.store.write(|tx| tx.set_note(&key, &at));
        noted.map_err(|e: StoreError| describe_failure(&mut host, source, e))?;
    }
    Ok(())
}

/// Judges and files what was fetched, and fetches more until the inbox is empty; `false` when it
/// leaves the inbox to another worker before that.
fn drain(
    host: &Mutex<Host>,
    inbox: &mut dyn Inbox,
    first: Vec<RawMessage>,
    stop: &Cancel,
) -> std::result::Result<bool, String> {
    let source = inbox.name().to_owned();
    // Mails that were asked about but not judged are fetched again.
    let forget = || take(host).asked_about.retain(|(of, _)| *of != source);
    forget();
    let done = drain_asking(host, inbox, first, stop);
    forget();
    done
}

/// Asks name servers about mails, where the config says so, and returns the mails to judge now. No
/// mail waits for the name servers of another domain.
fn look_at_origins(
    host: &Mutex<Host>,
    asking: &mut Asking,
    batch: Vec<RawMessage>,
) -> Vec<RawMessage> {
    // While there is other mail, this does not wait for answers.
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
        // With an empty batch, mails that failed before are judged again, once per round.
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
                // The verdicts are committed; no game waits for a folder.
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
        // The server announced a mail that came during the moves then; IDLE does not announce it
        // again.
        let nothing = is_last && batch.is_empty() && moves.is_empty();
        if nothing && !is_asking || stop.is_cancelled() {
            return Ok(true);
        }
        // Where more comes than one worker can read, the inbox is never empty.
        if take(host).leaves(&source).map_err(|e| e.to_string())? {
            return Ok(false);
        }
        // Mails that wait to be asked about take memory, so no more are fetched when it is full.
        fetched = match asking.as_ref().is_some_and(Asking::is_full) {
            true => Vec::new(),
            false => next(host, inbox)?,
        };
    }
}

fn until_deadline(host: &Mutex<Host>) -> Duration {
    let host = take(host);
    let (now, next) = (host.robot.now(), host.robot.next_event());
    // Mails that wait for the next minute's CPU time are looked at again soon.
    let most = if host.robot.is_behind() { BEHIND } else { WAIT_MAX };
    match next {
        // The wait ends a little late, so that the fetch begins after the deadline. A step whose
        // deadline has passed waits for something else: another inbox, a server.
        Ok(Some(at)) if at <= now => Duration::from_secs(1),
        Ok(Some(at)) => Duration::try_from(at.duration_since(now))
            .unwrap_or_default()
            .saturating_add(Duration::from_millis(20))
            .min(most),
        _ => most,
    }
}

/// Megabytes that are free on the disk of a folder; `None` when the system does not say.
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
            // Times as servers give them, also of a card that waited in another folder.
            ("2026-11-21T19:59:00Z", "2026-11-21T19:59:00Z"),
            ("2026-11-21T20:00:40Z", "2026-11-21T20:00:40Z"),
            ("2026-11-20T08:00:00Z", "2026-11-20T08:00:00Z"),
            ("2026-10-23T08:00:00Z", "2026-10-23T08:00:00Z"),
            // Times that no server can mean.
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
