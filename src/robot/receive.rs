//! From mails to verdicts: mails are stored first, then taken apart and judged on a state of the
//! store that keeps nobody waiting. Each verdict is committed with everything that it causes.
//!
//! A commit takes a verdict as judged if the rows that it rests on are unchanged. If they are not,
//! or if the verdict causes more than that of a card does, the mail is judged again within the
//! commit. Mails that bear a proof go first. Strangers and unproven mails share a budget of CPU
//! time per minute, and wait when it is used up.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use base::terms::Policy;
use mail::RawMessage;
use mail::auth::Authenticity;
use mail::mime::{Author, same_address};
use mail::reader::{Apart, ReaderError};
use store::{
    Effect, Judged, Reader, Reason, SeatChange, Standing, Store, StoreError, StoredMail, Tx,
    Verdict,
};

use crate::Robot;
use crate::commands::ROWS;
use crate::context::{Context, Result, RobotError};
use crate::gm::Gm;
use crate::gm_commands;
use crate::intake::{Decision, Intake, Taken};
use crate::mailer::Mailer;
use crate::suspend::suspend;
use crate::verdict::case::{Tools, verdict_alone};
use crate::verdict::senders::{self, Senders};
use crate::{persons, silence};

/// The most verdicts of one commit; the cost of a commit is the wait for the disk.
const COMMIT_MAX: usize = 32;
/// Attempts after which a mail goes into quarantine.
const ATTEMPTS_MAX: u32 = 3;
/// The most bytes of a mail that may be judged within a commit because another mail of its sender
/// comes before it.
const WITHIN_MAX: u64 = 16_000;
/// CPU time after which a mail is set aside instead of being judged again; the slowest known mail
/// takes a tenth of it.
const MAIL_CPU_MAX: Duration = Duration::from_secs(1);
/// Bytes of a mail that are searched for signs of a proof.
const SIGNS_WITHIN: usize = 64_000;
/// The most addresses with a detail that are looked at there.
const ADDRESSES_MAX: usize = 4;
/// Name of the note that says when the game master last heard of a mail that was set aside.
const ASIDE: &str = "slow mail";

/// A mail to judge, and the result of reading it; `None` when reading it failed too often.
type Read = (StoredMail, Option<Taken>);

impl Robot {
    /// Stores messages and judges every mail that has no verdict. A mail that
    /// can't be judged now stays for the next call.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails; nothing is lost then.
    pub fn receive(&mut self, messages: &[RawMessage]) -> Result<Vec<i64>> {
        self.receive_from(messages, None)
    }

    /// Stores messages and judges mails that have no verdict: those of the inbox `source`, or of
    /// all inboxes without one. Where several workers share a store, the worker that has an inbox
    /// judges its mails, in their order.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails; nothing is lost then.
    pub fn receive_from(
        &mut self,
        messages: &[RawMessage],
        source: Option<&str>,
    ) -> Result<Vec<i64>> {
        if !messages.is_empty() {
            self.store.write(|tx| tx.mails().store_raw(messages))?;
        }
        let (fresh, tried): (Vec<_>, Vec<_>) = self
            .store
            .mails()
            .unjudged_of(source)?
            .into_iter()
            .partition(|(_, attempts)| *attempts == 0);
        let mut judged = Vec::new();
        // A mail that was tried before may have stopped the process then. It is judged alone, so
        // that no other mail is blamed for it.
        for (id, _) in tried {
            if !self.spared.remove(&id) {
                self.store.write(|tx| tx.mails().next_attempt(id))?;
            }
            judged.extend(judge_counted(self, &[id])?);
        }
        if !fresh.is_empty() {
            self.store.write(|tx| tx.mails().first_attempts(source))?;
        }
        let mut fresh: Vec<i64> = fresh.into_iter().map(|(id, _)| id).collect();
        self.spent.waiting = false;
        proven_first(self, &mut fresh)?;
        judged.extend(judge_counted(self, &fresh)?);
        Ok(judged)
    }

    /// Whether mails that prove nothing wait for the next minute.
    pub fn is_behind(&self) -> bool {
        self.spent.waiting
    }

    /// Whether a mail that is not stored yet bears the secret of a seat, or comes in the name of a
    /// player or the game master and is small enough for an unproven card. A mail that can't be
    /// read counts, because it may be anything.
    pub fn is_of_player(&mut self, mail: &RawMessage) -> bool {
        let Ok(Ok(taken)) = self.cx.reader.read(&mail.bytes) else { return true };
        let tools = Tools { cx: &self.cx, store: &self.store, rows: ROWS };
        if Senders::new(tools).bear_secret(&taken).unwrap_or(true) {
            return true;
        }
        let Author::One(from) = &taken.author else { return false };
        let plays = self.store.games().seats_of(from).map_or(true, |seats| !seats.is_empty());
        let small = mail.size <= self.cx.limits.unproven_bytes_max;
        small && (plays || same_address(from, &self.cx.gm))
    }
}

/// Puts mails that may bear a proof before the others, if there are more mails than one commit
/// takes.
fn proven_first(robot: &Robot, ids: &mut [i64]) -> Result<()> {
    if ids.len() <= COMMIT_MAX {
        return Ok(());
    }
    let mut others = BTreeSet::new();
    for id in ids.iter() {
        let bytes = robot.store.mails().raw(*id)?.unwrap_or_default();
        if !shows_proof(robot, &bytes) {
            others.insert(*id);
        }
    }
    ids.sort_by_key(|id| others.contains(id));
    Ok(())
}

/// Whether a mail shows a sign of a proof: an address of ours with a detail, the Message-ID of a
/// mail of ours, a password. A mail that only looks so gains a place in the queue.
fn shows_proof(robot: &Robot, bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(SIGNS_WITHIN)];
    let text = String::from_utf8_lossy(start).to_ascii_lowercase();
    let (local, domain) =
        robot.cx.identity.address.split_once('@').unwrap_or((&robot.cx.identity.address, ""));
    let (local, domain) = (local.to_ascii_lowercase(), domain.to_ascii_lowercase());
    let answers = |field: &str| {
        let found = text.split_once(field).and_then(|(_, rest)| rest.split("\n\n").next());
        found.is_some_and(|rest| rest.contains(&format!("@{domain}>")))
    };
    text.contains(&format!("{local}+"))
        || answers("\nin-reply-to:")
        || answers("\nreferences:")
        || text.contains("password")
}

/// Judges mails whose attempts are counted already. When the store fails, neither the mails that it
/// failed for nor those after them lose an attempt.
fn judge_counted(robot: &mut Robot, ids: &[i64]) -> Result<Vec<i64>> {
    let mut judged = Vec::new();
    for (n, batch) in ids.chunks(COMMIT_MAX).enumerate() {
        match judge_together(robot, batch) {
            Ok(done) => judged.extend(done),
            Err(e) => {
                spare(robot, &ids[n * COMMIT_MAX..]);
                return Err(e);
            }
        }
    }
    Ok(judged)
}

/// Takes attempts back. A full disk may refuse that too; then they count as the next attempts of
/// these mails, as long as this process lives.
fn spare(robot: &mut Robot, ids: &[i64]) {
    let back =
        robot.store.write(|tx| ids.iter().try_for_each(|id| tx.mails().take_back_attempt(*id)));
    back.unwrap_or_else(|e: StoreError| {
        tracing::warn!(error = %e, "attempts at mails can't be taken back yet");
        robot.spared.extend(ids);
    });
}

/// Judges some mails and commits their verdicts together. Each verdict is still kept completely or
/// not at all.
fn judge_together(robot: &mut Robot, ids: &[i64]) -> Result<Vec<i64>> {
    // A slow mail delays only the mails after it, since nothing is locked yet. If a mail has a
    // verdict already, another process was faster.
    let waiting = robot.store.mails().waiting_mails(ids)?;
    let with_secret = with_secret(robot, &waiting)?;
    let mut mails = Vec::new();
    for mail in waiting {
        let apart = if with_secret.contains(&mail.id) { Apart::Shared } else { Apart::Alone };
        mails.extend(take_apart(robot, mail, apart)?);
    }
    leave_waiting(robot, &mut mails)?;
    let mut judged = Vec::new();
    while !mails.is_empty() {
        let rest = mails.split_off(together(&mails));
        judged.extend(judge_wave(robot, &mails)?);
        mails = rest;
    }
    Ok(judged)
}

/// Puts mails that may bear a proof first. Once the budget is used up, leaves mails that prove
/// nothing for the next minute. No turn waits for them: without a proof they are not cards.
fn leave_waiting(robot: &mut Robot, mails: &mut Vec<Read>) -> Result<()> {
    let mut proven = BTreeSet::new();
    for (mail, taken) in mails.iter() {
        if shows_proof(robot, &mail.bytes) || may_act(robot, mail, taken.as_ref())? {
            proven.insert(mail.id);
        }
    }
    mails.sort_by_key(|(mail, _)| !proven.contains(&mail.id));
    if !robot.spent.is_over(robot.cx.now()) {
        return Ok(());
    }
    let waiting: Vec<i64> =
        mails.iter().map(|(m, _)| m.id).filter(|id| !proven.contains(id)).collect();
    mails.retain(|(mail, _)| proven.contains(&mail.id));
    if waiting.is_empty() {
        return Ok(());
    }
    if !robot.spent.waiting {
        tracing::warn!("mails that prove nothing wait: their CPU time of this minute is used up");
    }
    robot.spent.waiting = true;
    robot.store.write(|tx| {
        waiting.iter().try_for_each(|id| {
            tx.mails().take_back_attempt(*id)?;
            tx.mails().is_for(*id, "")
        })
    })?;
    Ok(())
}

/// Whether a mail may act for a seat: by a secret, because its domain vouches for it, or only by
/// its address where a game's policy is open. A mail that could not be taken apart counts, because
/// it may be anything.
fn may_act(robot: &Robot, mail: &StoredMail, taken: Option<&Taken>) -> Result<bool> {
    let Some(Ok(parsed)) = taken else { return Ok(true) };
    let tools = Tools { cx: &robot.cx, store: &robot.store, rows: ROWS };
    let vouched = match senders::trusted(&robot.cx, &robot.store)? {
        Some(server) => mail::auth::from_header(parsed, server) == Authenticity::Pass,
        None => mail.authenticity == Authenticity::Pass,
    };
    if vouched || Senders::new(tools).bear_secret(parsed)? {
        return Ok(true);
    }
    let Author::One(from) = &parsed.author else { return Ok(false) };
    for seat in robot.store.games().seats_of(from)? {
        if robot.store.games().game(&seat.game)?.is_some_and(|g| g.terms.policy == Policy::Open) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Judges mails in parallel on one state of the store, and commits the verdicts that still hold
/// then.
fn judge_wave(robot: &mut Robot, mails: &[Read]) -> Result<Vec<i64>> {
    let before = robot.store.version_seen()?;
    let first = first_of_sender(mails);
    let decided = decide(robot, mails, &first)?;
    for of in decided.iter().flatten() {
        if of.decision.as_ref().is_ok_and(|d| d.judged.standing != Standing::Proven) {
            robot.spent.cpu += of.cpu;
        }
    }
    let cx = &robot.cx;
    // The disk may turn out to be full only at the commit.
    let mut commit = |apart: bool| {
        robot.store.write(|tx| {
            let same = tx.is_alone() && tx.version_seen()? == before;
            commit_each(cx, tx, mails, &decided, (same, apart))
        })
    };
    let done = match commit(false) {
        Ok(done) => done,
        Err(RobotError::Store(e)) if !e.is_about_data() => return Err(e.into()),
        // One of the mails can't be kept. Each taken separately, the others can.
        Err(_) => commit(true)?,
    };
    done.iter().for_each(|(id, judged)| log_verdict(*id, judged));
    Ok(done.into_iter().map(|(id, _)| id).collect())
}

/// Decides about each mail that `which` selects, with as many threads as there are connections.
fn decide(robot: &mut Robot, mails: &[Read], which: &[bool]) -> Result<Vec<Option<Decided>>> {
    let next = AtomicUsize::new(0);
    let cx = &robot.cx;
    let work = |store: &mut Store| {
        store.snapshot(|reader| {
            let mut found = Vec::new();
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                let Some((mail, taken)) = mails.get(n) else { break };
                if let Some(taken) = taken.as_ref().filter(|_| which[n]) {
                    found.push((n, decide_one(cx, reader, mail, taken)));
                }
            }
            Ok::<_, StoreError>(found)
        })
    };
    let helpers =
        if which.iter().filter(|w| **w).count() > 1 { &mut robot.judges[..] } else { &mut [] };
    let store = &mut robot.store;
    let found = std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> =
            helpers.iter_mut().map(|helper| scope.spawn(move || work(helper))).collect();
        let mut found = work(store)?;
        for other in others {
            // What a helper could not do is judged within the commit.
            found.extend(other.join().ok().and_then(std::result::Result::ok).unwrap_or_default());
        }
        Ok::<_, StoreError>(found)
    })?;
    let mut decided: Vec<Option<Decided>> = mails.iter().map(|_| None).collect();
    found.into_iter().for_each(|(n, of)| decided[n] = Some(of));
    Ok(decided)
}

/// The mails that have the reply address of a seat in their heads, with its right secret. Only that
/// is known of them, since they are not taken apart yet.
fn with_secret(robot: &mut Robot, mails: &[StoredMail]) -> Result<BTreeSet<i64>> {
    let cx = &robot.cx;
    if matches!(cx.reader, mail::reader::Reader::InProcess) {
        return Ok(BTreeSet::new());
    }
    robot.store.snapshot(|store| {
        let senders = Senders::new(Tools { cx, store, rows: ROWS });
        let mut found = BTreeSet::new();
        for mail in mails {
            if senders.have_secret(&addresses_in(&mail.bytes, &cx.identity.address))? {
                found.insert(mail.id);
            }
        }
        Ok(found)
    })
}

/// Takes a mail apart; `None` when it can't be read now.
fn take_apart(robot: &mut Robot, mail: StoredMail, apart: Apart) -> Result<Option<Read>> {
    let id = mail.id;
    if mail.attempts > ATTEMPTS_MAX {
        return Ok(Some((mail, None)));
    }
    let reader = &robot.cx.reader;
    // What failed among others is tried again alone.
    let apart = if mail.attempts > 1 { Apart::Alone } else { apart };
    let read = catch_unwind(AssertUnwindSafe(|| reader.read_as(&mail.bytes, apart)));
    match read {
        Ok(Ok(taken)) => Ok(Some((mail, Some(taken)))),
        Ok(Err(e)) => {
            if matches!(e, ReaderError::NotStarted(_)) {
                // The machine's fault, not the mail's.
                robot.store.write(|tx| tx.mails().take_back_attempt(id))?;
            }
            tracing::error!(mail = id, error = %e, "mail not judged");
            Ok(None)
        }
        Err(_) => {
            tracing::error!(mail = id, "mail not judged: reading it failed");
            Ok(None)
        }
    }
}

/// Words in the head of a mail that look like an address of ours with a detail.
fn addresses_in(bytes: &[u8], own: &str) -> Vec<String> {
    let own = own.split('@').next().unwrap_or_default().to_ascii_lowercase() + "+";
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(SIGNS_WITHIN)]);
    let head = ["\r\n\r\n", "\n\n"].iter().filter_map(|end| start.find(end)).min();
    let head = &start[..head.unwrap_or(start.len())];
    let words = head.split(|c: char| c.is_whitespace() || "<>,;:()\"".contains(c));
    let addresses = words.filter(|word| word.to_ascii_lowercase().starts_with(&own));
    addresses.take(ADDRESSES_MAX).map(str::to_owned).collect()
}

/// A decision about a mail that was made outside of a commit.
struct Decided {
    decision: Result<Decision>,
    /// The CPU time that it took.
    cpu: Duration,
}

fn decide_one(cx: &Context, reader: &Reader, mail: &StoredMail, taken: &Taken) -> Decided {
    let _working = cx.at_work.begin(mail.id);
    let begun = cx.clock.spent();
    let decision = Intake::new(cx, reader).judge(mail, taken);
    let cpu = cx.clock.spent().saturating_sub(begun);
    Decided { decision, cpu }
}

/// The parties that a mail seems to come from: its sender, and the seats of its addresses.
fn parties(taken: Option<&Taken>) -> Vec<String> {
    let Some(Ok(parsed)) = taken else { return Vec::new() };
    let from = match &parsed.author {
        Author::One(from) => Some(from.to_ascii_lowercase()),
        _ => None,
    };
    let detail = |address: &String| {
        let (local, _) = address.split_once('@')?;
        let (_, detail) = local.split_once('+')?;
        detail.rsplit_once('.').map(|(seat, _)| seat.to_ascii_lowercase())
    };
    from.into_iter().chain(parsed.recipients.iter().filter_map(detail)).collect()
}

/// Whether each mail is the first of its parties. A later mail of a party is judged when the one
/// before has its verdict.
fn first_of_sender(mails: &[Read]) -> Vec<bool> {
    let mut seen = BTreeSet::new();
    let first = |(_, taken): &Read| {
        let all = parties(taken.as_ref());
        let first = all.iter().all(|party| !seen.contains(party));
        seen.extend(all);
        first
    };
    mails.iter().map(first).collect()
}

/// How many of these mails go into one commit: all before the first that is too large to be judged
/// within it.
fn together(mails: &[Read]) -> usize {
    let first = first_of_sender(mails);
    let large = |(n, first): (usize, &bool)| !first && mails[n].0.size > WITHIN_MAX;
    let end = first.iter().enumerate().position(large).unwrap_or(mails.len());
    end.max(1)
}

/// Commits mails in their order. `same` says that nobody else has committed anything since they
/// were decided. With `apart`, each mail can be taken back alone; without it, one that can't be
/// kept fails the whole commit.
fn commit_each(
    cx: &Context,
    tx: &Tx,
    mails: &[Read],
    decided: &[Option<Decided>],
    (same, apart): (bool, bool),
) -> Result<Vec<(i64, Judged)>> {
    let mut done: Vec<(i64, Judged)> = Vec::new();
    let mut now = tx.look(|store| Now::of(store, mails, decided, same))?;
    let mut changed = false;
    for (n, ((mail, taken), of)) in mails.iter().zip(decided).enumerate() {
        if changed && of.is_some() {
            // An earlier mail may have changed what this decision rests on.
            now = tx.look(|store| Now::of(store, &mails[n..], &decided[n..], false))?;
            changed = false;
        }
        if now.judged.contains(&mail.id) {
            // Another process was faster.
            continue;
        }
        let decision = of.as_ref().and_then(|of| of.decision.as_ref().ok());
        let copies = |other: &(i64, Judged)| {
            decision
                .is_some_and(|d| !d.judged.digest.is_empty() && other.1.digest == d.judged.digest)
        };
        let decision =
            decision.filter(|_| now.holding.contains(&mail.id) && !done.iter().any(copies));
        let aside = set_aside_for(taken.as_ref(), of.as_ref());
        let judged = match (decision, &aside) {
            (Some(decision), None) => {
                let judged = &decision.judged;
                let heard = now.heard.contains(&mail.id);
                let conclude = |tx: &Tx| conclude(cx, tx, mail, judged, heard);
                // A game that waited may go on because of it.
                changed |= heard;
                match apart {
                    true => tx.savepoint(conclude),
                    false => conclude(tx),
                }
                .map(|()| judged.clone())
            }
            _ => {
                changed = true;
                tx.savepoint(|tx| match (taken, &aside) {
                    (Some(taken), None) => judge(cx, tx, mail, taken),
                    (_, why) => set_aside(cx, tx, mail, why.as_deref().unwrap_or_default()),
                })
            }
        };
        match judged {
            Ok(judged) => done.push((mail.id, judged)),
            Err(RobotError::Store(e)) if !e.is_about_data() => return Err(e.into()),
            Err(e) if decision.is_some() && !apart => return Err(e),
            Err(e) => {
                // What the mail has caused so far is taken back; the mail gets its next attempt.
                if let RobotError::Engine(game, why) = &e {
                    suspend(cx, tx, game, why)?;
                    tx.mails().is_for(mail.id, game)?;
                }
                tracing::error!(mail = mail.id, error = %e, "mail not judged");
            }
        }
    }
    Ok(done)
}

/// Why a mail is set aside, if it is.
fn set_aside_for(taken: Option<&Taken>, of: Option<&Decided>) -> Option<String> {
    if taken.is_none() {
        return Some("reading or judging it failed three times".to_owned());
    }
    let cpu = of.map(|of| of.cpu).filter(|cpu| *cpu > MAIL_CPU_MAX)?;
    let (ms, most) = (cpu.as_millis(), MAIL_CPU_MAX.as_millis());
    Some(format!("judging it took {ms} ms of CPU time, more than {most}"))
}

/// What a commit finds out about the mails that were decided before it began.
struct Now {
    /// Mails that another process has judged meanwhile.
    judged: BTreeSet<i64>,
    /// Mails for which the same would be decided now.
    holding: BTreeSet<i64>,
    /// Those of them from which a game may learn that its players write.
    heard: BTreeSet<i64>,
}

impl Now {
    /// `same` says that nobody has committed anything meanwhile.
    fn of(store: &Reader, mails: &[Read], decided: &[Option<Decided>], same: bool) -> Result<Self> {
        let ids: Vec<i64> = mails.iter().map(|(mail, _)| mail.id).collect();
        let judged = store.mails().with_verdict(&ids)?;
        let (mut holding, mut heard) = (BTreeSet::new(), BTreeSet::new());
        let decisions = || {
            let all = ids.iter().zip(decided);
            all.filter_map(|(id, of)| Some((*id, of.as_ref()?.decision.as_ref().ok()?)))
        };
        let repeated = match same {
            true => BTreeSet::new(),
            false => {
                let digests = decisions().map(|(_, of)| of.judged.digest.clone());
                store.mails().repeated(&digests.filter(|d| !d.is_empty()).collect::<Vec<_>>())?
            }
        };
        for (id, decision) in decisions() {
            let repeats = (!same).then(|| repeated.contains(&decision.judged.digest));
            if !holds(decision, store, repeats)? {
                continue;
            }
            holding.insert(id);
            if silence::may_hear(store, &decision.judged)? {
                heard.insert(id);
            }
        }
        Ok(Self { judged, holding, heard })
    }
}

/// Whether the decision about a mail would be the same now. `repeats` says whether its content was
/// judged before; `None` means that nothing has changed since the decision.
fn holds(decision: &Decision, store: &Reader, repeats: Option<bool>) -> Result<bool> {
    let Decision { judged, basis, command } = decision;
    let of_a_card = |effect: &Effect| match effect {
        Effect::Orders(_) | Effect::Reachable(_) => true,
        Effect::Seat(_, _, SeatChange::Ready(_)) => true,
        Effect::Shred(..) | Effect::Remove(_) | Effect::EraseRaw(_) => true,
        // A signature vouches once.
        Effect::Signed(..) => repeats.is_none(),
        _ => false,
    };
    if command.is_some() || !judged.alarms.is_empty() || !judged.effects.iter().all(of_a_card) {
        return Ok(false);
    }
    match (repeats, basis) {
        (Some(repeats), _) if repeats != (judged.reason == Reason::Duplicate) => Ok(false),
        (Some(_), Some(basis)) => basis.holds(store),
        _ => Ok(true),
    }
}

/// Sets aside a mail that took too long or can't be read. If it were judged within a commit,
/// everybody would wait for it.
fn set_aside(cx: &Context, tx: &Tx, mail: &StoredMail, why: &str) -> Result<Judged> {
    let told = format!("{why}; look at it with \"fieldpost mail show\"");
    let mut judged = verdict_alone(Verdict::Quarantined, Reason::Unreadable, &told, "");
    let now = cx.now();
    let told = tx.note(ASIDE)?.and_then(|at| at.parse::<Timestamp>().ok());
    if told.is_none_or(|at| at + SignedDuration::from_hours(1) <= now) {
        let text = format!(
            "Mail {id} was set aside unjudged: {why}. \"fieldpost mail show {id}\" shows it, \
             \"fieldpost mail quarantine\" lists those that were set aside; a fault of the program \
             may be behind it.",
            id = mail.id
        );
        judged.effects.push(Effect::Note(ASIDE.to_owned(), now.to_string()));
        let told = Mailer::new(cx, tx).gm_mail("a mail was set aside", &text, &[ASIDE], now);
        judged.alarms.extend(told);
    }
    tracing::error!(mail = mail.id, why, "mail set aside");
    tx.mails().judge(mail, &judged, now)?;
    Ok(judged)
}

/// Judges one mail, carries out what its verdict says, and writes it down.
fn judge(cx: &Context, tx: &Tx, mail: &StoredMail, taken: &Taken) -> Result<Judged> {
    let _working = cx.at_work.begin(mail.id);
    let decision = Intake::new(cx, tx).judge(mail, taken)?;
    let mut judged = decision.judged;
    if let Some(said) = decision.command {
        command(cx, tx, mail, &said, &mut judged)?;
    }
    conclude(cx, tx, mail, &judged, true)?;
    Ok(judged)
}

/// Stores a verdict with all its effects, and checks what it shows about its sender. `heard` says
/// whether a game may learn from it that its players write.
fn conclude(cx: &Context, tx: &Tx, mail: &StoredMail, judged: &Judged, heard: bool) -> Result<()> {
    tx.mails().judge(mail, judged, cx.now())?;
    if heard {
        silence::heard(cx, tx, judged)?;
    }
    persons::signed(cx, tx, mail.id, judged)
}

/// Carries out a command of the game master. What a refused command has done until then is taken
/// back.
fn command(
    cx: &Context,
    tx: &Tx,
    mail: &StoredMail,
    said: &str,
    judged: &mut Judged,
) -> Result<()> {
    let done = tx.savepoint(|tx| gm_commands::carry_out(&Gm::new(cx, tx), said));
    let text = match done {
        Ok(text) => text,
        Err(RobotError::Store(e)) => return Err(e.into()),
        Err(e) => {
            if let RobotError::Engine(game, why) = &e {
                suspend(cx, tx, game, why)?;
            }
            judged.verdict = Verdict::Rejected;
            let why = e.to_string();
            let end = if why.ends_with(['.', '?']) { "" } else { "." };
            format!("Nothing was done: {why}{end}")
        }
    };
    let (id_key, now) = (mail.id.to_string(), cx.now());
    let subject = judged.why.to_lowercase();
    let answer = Mailer::new(cx, tx).gm_mail(&subject, &text, &["answer", &id_key], now);
    judged.mails.extend(answer);
    tracing::info!(mail = mail.id, command = judged.why, "game master by mail");
    Ok(())
}

fn log_verdict(mail: i64, judged: &Judged) {
    let (game, seat) = match &judged.seat {
        Some((game, seat)) => (game.as_str(), seat.0),
        None => ("", 0),
    };
    let (verdict, reason) = (judged.verdict.as_str(), judged.reason.as_str());
    let turn = judged.turn.unwrap_or(0);
    tracing::info!(
        mail,
        game,
        seat,
        turn,
        verdict,
        reason,
        replies = judged.mails.len(),
        "verdict"
    );
}
