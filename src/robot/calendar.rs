//! What the calendar causes besides turns: starts, reminders, waits for a quorum, offers to the
//! waiting list, deadlines that move after an outage, alarms about addresses.
//!
//! Everything here is a [`Change`]: this code only reads the store to find it, and a row in the
//! commit of its mails makes sure that it happens only once.

use base::schedule;
use engine::{Seat, Until};
use jiff::{SignedDuration, Timestamp};
use render::text::para;
use store::{
    Change, Effect, Game, MailKind, Question, QuestionKind, QueuedMail, Reader, SeatRow, Status,
};
use tongue::{count, say};

use crate::context::{Context, Result};
use crate::games::Games;
use crate::languages::marker;
use crate::mailer::{Mailer, SeatMail, step_name};
use crate::silence::Silence;
use crate::steps;

/// How long a turn waits for a quorum.
const QUORUM_WAIT: SignedDuration = SignedDuration::from_hours(24);
/// Days for which a seat is offered to one person on the waiting list.
const OFFER_DAYS: i64 = 3;
/// The start of the note that a deadline has moved for outages; the instant up to which they are
/// counted follows.
const OUTAGE_UNTIL: &str = "outage until ";
/// The earliest reminder comes when a step's time divided by this number has passed.
const REMINDED_AFTER: i32 = 3;

/// Finds what the calendar causes.
#[derive(Clone, Copy)]
pub struct Calendar<'a> {
    cx: &'a Context,
    store: &'a Reader,
}

impl<'a> Calendar<'a> {
    /// The calendar of a store.
    pub fn new(cx: &'a Context, store: &'a Reader) -> Self {
        Self { cx, store }
    }

    fn games(&self) -> Games<'a> {
        Games::new(self.cx, self.store)
    }

    fn mailer(&self) -> Mailer<'a> {
        Mailer::new(self.cx, self.store)
    }

    /// The changes that are due now in a running game, besides its turn. `waited_for` says whether
    /// somebody waits for one of its seats.
    ///
    /// # Errors
    /// [`crate::context::RobotError`] when the store fails or its engine is not there.
    pub fn changes(&self, game: &Game, waited_for: bool, now: Timestamp) -> Result<Vec<Change>> {
        let mut changes: Vec<Change> = self.reminders(game, now)?.into_iter().collect();
        changes.extend(Silence::new(self.cx, self.store).warning(game, now)?);
        if waited_for {
            changes.extend(self.offers(game, now)?);
        }
        Ok(changes)
    }

    /// When to look at a game next if nothing changes it. A time that has passed means that the
    /// game waits for an inbox or a verdict. `waited_for` says whether somebody waits for one of
    /// its seats.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn next_event(
        &self,
        game: &Game,
        waited_for: bool,
        now: Timestamp,
    ) -> Result<Option<Timestamp>> {
        let mut times: Vec<Timestamp> = Vec::new();
        match game.status {
            Status::Open => {
                let start = schedule::date(&game.terms.start_on, &game.rule.zone);
                times.extend(start.ok().filter(|t| *t > now));
            }
            Status::Running => {
                // A deadline that has passed stays in the list: the step waits for something else.
                times.extend(steps::ends(game));
                times.extend(reminded_at(game).into_iter().map(|r| r.1).filter(|t| *t > now));
                // Players who go away or come back may change whether the step can run.
                let seats = self.store.games().seats(&game.code)?;
                let away = seats.iter().filter_map(|s| s.away).flat_map(|(from, to)| [from, to]);
                times.extend(away.filter(|t| *t > now));
                if waited_for {
                    // An offer that nobody took then goes to the next person.
                    let days = SignedDuration::from_hours(24 * OFFER_DAYS);
                    let over = days + SignedDuration::from_millis(1);
                    let waiting = self.store.people().waiting(&game.code)?;
                    let asked = waiting.into_iter().filter_map(|w| w.offered_at);
                    times.extend(asked.map(|at| at + over).filter(|t| *t > now));
                    // Something else may end an offer, such as a question that was forgotten.
                    times.push(now + SignedDuration::from_hours(1));
                }
                if steps::is_settled(self.store, game, now)? && !self.waits_for_cards(game, now)? {
                    times.push(game.step.opened_at);
                }
            }
            // The log says what it waits for when its deadline passes.
            Status::Suspended => times.extend(steps::ends(game).filter(|t| *t > now)),
            Status::Over => {}
        }
        Ok(times.into_iter().min())
    }

    /// Whether a step that could run early has too few cards for that.
    fn waits_for_cards(&self, game: &Game, now: Timestamp) -> Result<bool> {
        Ok(game.deadline.is_some_and(|d| d > now) && self.quorum(game, now)?.is_some())
    }

    /// What a step waits for although its time is up or nobody holds it up, for the log and for the
    /// game master. `None` when it is not due, or runs now.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn waits_for(&self, game: &Game, now: Timestamp) -> Result<Option<String>> {
        let ends = steps::ends(game);
        let local = |at: Timestamp| schedule::local(at, &game.rule.zone);
        if game.status == Status::Suspended {
            let why = || format!("the game master: it is suspended ({})", game.suspended_why);
            return Ok(ends.is_none_or(|at| at <= now).then(why));
        }
        if game.status != Status::Running {
            return Ok(None);
        }
        let over = ends.filter(|at| *at <= now);
        let grace = ends.filter(|at| *at > now && game.deadline.is_some_and(|due| due <= now));
        let settled = steps::is_settled(self.store, game, now)?;
        if over.is_none() && !settled {
            return Ok(grace.map(|at| format!("late cards: the time of grace ends {}", local(at))));
        }
        if self.store.mails().awaits_verdict(&game.code, over.unwrap_or(now))? {
            return Ok(Some("a mail without a verdict, which may be a card for it".to_owned()));
        }
        if over.is_none() && self.quorum(game, now)?.is_some() {
            let quorum = game.terms.quorum;
            return Ok(Some(format!("its deadline: fewer than {quorum} cards are in (quorum)")));
        }
        let inbox = "an inbox that was not read completely since its deadline".to_owned();
        Ok(over.is_some().then_some(inbox))
    }

    /// Whether an open game starts by itself now, with computers on the seats that nobody took.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn starts(&self, game: &Game, now: Timestamp) -> Result<bool> {
        let day = schedule::date(&game.terms.start_on, &game.rule.zone).ok();
        let due = day.is_some_and(|at| at <= now);
        if game.status != Status::Open || !(due || game.terms.start_full) {
            return Ok(false);
        }
        let seats = self.store.games().seats(&game.code)?;
        let full = seats.iter().filter(|s| !s.resigned).count() >= usize::from(game.setup.seats);
        Ok(game.terms.start_full && full || due && !seats.is_empty())
    }

    /// Reminds awaited players who have sent nothing, or who have not said READY in a game that
    /// runs early. Only the latest reminder hour that has passed counts.
    fn reminders(&self, game: &Game, now: Timestamp) -> Result<Option<Change>> {
        let Some(due) = game.deadline.filter(|d| *d > now) else { return Ok(None) };
        let come = reminded_at(game).into_iter().filter(|(_, at)| *at <= now);
        let Some((hours, _)) = come.min_by_key(|(hours, _)| *hours) else { return Ok(None) };
        // When the deadline moves, the reminders start again.
        let what = format!("{hours} hours before {due}");
        if self.store.people().is_reminded(&game.code, game.turn, &what)? {
            return Ok(None);
        }
        let sent = self.store.journal().ordered(&game.code, game.turn)?;
        let seats = self.store.games().seats(&game.code)?;
        let silent = |s: &&SeatRow| {
            s.has_player()
                && s.choices.reminders
                && !s.is_away(now)
                && s.ready != game.turn
                && game.step.awaits(s.seat)
                && sent.get(&s.seat).is_none_or(|card| game.runs_early() && !card.done)
        };
        let mails: Vec<QueuedMail> = seats
            .iter()
            .filter(silent)
            .filter_map(|s| {
                let reminder = || self.reminder(game, s, sent.contains_key(&s.seat), &what, now);
                self.cx.in_language(&s.language, reminder)
            })
            .collect();
        let once = Some((game.code.clone(), game.turn, what));
        Ok(Some(Change { once, mails, ..Change::default() }))
    }

    fn reminder(
        &self,
        game: &Game,
        row: &SeatRow,
        ordered: bool,
        id_key: &str,
        now: Timestamp,
    ) -> Option<QueuedMail> {
        let mut text = format!("{marker}\n\n", marker = marker());
        let (label, code) = (step_name(&game.step.label), &game.code);
        text += &para(&match ordered {
            true => say!(
                "Your orders for {label} of game {code} are on file, but you have not said READY; \
                 it would run early if all did."
            ),
            false => say!("No orders of yours are on file for {label} of game {code}."),
        });
        text += &para(&self.mailer().due_line(game, Some(row.seat), &row.zone, now));
        text += &para(&say!(
            "Answer this mail with your orders at the top. RESEND brings the printout again, \
             REMINDERS OFF ends mails like this one."
        ));
        let letter = SeatMail {
            kind: MailKind::Reminder,
            to: &row.address,
            turn: game.turn,
            turns: game.step.turns,
            subject: say!("your orders are awaited"),
            text,
            attachments: Vec::new(),
            answers: None,
            id_key: id_key.to_owned(),
            reply: None,
        };
        self.mailer().seat_mail(row, letter, now)
    }

    /// The change by which a due turn of the calendar waits once because it has too few cards;
    /// `None` when it need not wait. The change is empty before the deadline: all players are done
    /// early, but with too few cards, so the turn keeps its whole time.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn quorum(&self, game: &Game, now: Timestamp) -> Result<Option<Change>> {
        if game.terms.quorum == 0 || game.step.until != Until::Calendar {
            return Ok(None);
        }
        let seats = self.store.games().seats(&game.code)?;
        let here = seats.iter().filter(|s| s.has_player() && game.step.awaits(s.seat)).count();
        let quorum = (game.terms.quorum as usize).min(here);
        let sent = self.store.journal().ordered(&game.code, game.turn)?;
        let cards = sent.keys().filter(|s| game.step.awaits(**s)).count();
        if cards >= quorum || self.store.people().is_reminded(&game.code, game.turn, "quorum")? {
            return Ok(None);
        }
        if game.deadline.is_some_and(|d| d > now) {
            return Ok(Some(Change::default()));
        }
        let at = now + QUORUM_WAIT;
        let words = || {
            let label = step_name(&game.step.label);
            let why = count!(
                cards,
                "Only {cards} card is in and the game asks for {quorum}, so it waits with {label} once for a day.",
                "Only {cards} cards are in and the game asks for {quorum}, so it waits with {label} \
                 once for a day."
            );
            (say!("the turn waits"), why)
        };
        let id_key = format!("quorum {at}");
        let mails = self.mailer().tell_all(game, Some(at), &words, &id_key, now)?;
        tracing::warn!(game = game.code, turn = game.turn, cards, "waits for a quorum");
        let once = Some((game.code.clone(), game.turn, "quorum".to_owned()));
        let due = Effect::Due { game: game.code.clone(), turn: game.turn, at };
        Ok(Some(Change { once, effects: vec![due], mails }))
    }

    /// Moves the deadline of a game that lost too much of its last day because the mailboxes could
    /// not be read; the outage ended at `until`.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn outage(&self, game: &Game, until: Timestamp, now: Timestamp) -> Result<Option<Change>> {
        let moves = game.terms.outage_minutes > 0 && game.step.until != Until::Now;
        let Some(due) = game.deadline.filter(|_| moves) else { return Ok(None) };
        let day_before = schedule::later(due, -SignedDuration::from_hours(24));
        // An outage for which the deadline has moved does not move it again.
        let moved_for = self.store.people().reminded(&game.code, game.turn, OUTAGE_UNTIL)?;
        let moved_for = moved_for.iter().filter_map(|text| text.parse().ok()).max();
        // In the order of their beginnings. Each inbox notes an outage, and so does a robot that
        // starts again after it has noted one, so overlaps count only once.
        let mut lost = SignedDuration::ZERO;
        let mut counted = moved_for.map_or(day_before, |at: Timestamp| at.max(day_before));
        for (began, ended) in self.store.people().outages(day_before)? {
            let (from, to) = (began.max(counted), ended.min(due));
            if to > from {
                lost += to.duration_since(from);
                counted = to;
            }
        }
        if lost <= SignedDuration::from_mins(game.terms.outage_minutes.into()) {
            return Ok(None);
        }
        let at = schedule::later(due.max(until), lost);
        let words = || {
            let why = say!(
                "The robot could not read mail for {time} in the last day before the deadline of \
                 {label}, so the deadline moves.",
                time = schedule::left(due - lost, due),
                label = step_name(&game.step.label)
            );
            (say!("a later deadline"), why)
        };
        let what = format!("{OUTAGE_UNTIL}{counted}");
        let mails = self.mailer().tell_all(game, Some(at), &words, &what, now)?;
        let once = Some((game.code.clone(), game.turn, what));
        let due = Effect::Due { game: game.code.clone(), turn: game.turn, at };
        Ok(Some(Change { once, effects: vec![due], mails }))
    }

    /// Offers each seat whose player has left, or is away for too long, to the next person on the
    /// waiting list.
    fn offers(&self, game: &Game, now: Timestamp) -> Result<Vec<Change>> {
        let since = now - SignedDuration::from_hours(24 * OFFER_DAYS);
        let mut waiting = self.store.people().waiting(&game.code)?;
        // People who were never asked come before those who did not answer.
        waiting.retain(|w| w.offered_at.is_none_or(|at| at < since));
        waiting.sort_by_key(|w| w.offered_at);
        let mut next = waiting.into_iter();
        let mut changes = Vec::new();
        if next.len() == 0 {
            return Ok(changes);
        }
        let sent = self.store.journal().mailed_cards(&game.code, game.turn)?;
        for row in self.store.games().seats(&game.code)? {
            let absent = is_absent(game, &row) && !sent.contains(&row.seat);
            if !(row.resigned || absent)
                || self.store.people().is_offered(&game.code, row.seat, since)?
            {
                continue;
            }
            let Some(next) = next.next() else { break };
            let value = serde_json::to_string(&next.request).unwrap_or_default();
            let question = Question {
                id: (self.cx.word() >> 1).cast_signed(),
                kind: QuestionKind::Standby,
                game: Some(game.code.clone()),
                seat: Some(row.seat),
                address: next.address.clone(),
                value,
                asked_at: now,
                done: false,
            };
            let title = self.games().engine(&game.engine)?.title();
            let asked = || {
                let text = count!(
                    days = OFFER_DAYS,
                    "Seat {seat} of game {game} ({title}) has become free in {label}, and you are \
                     next on the waiting list. If you want it, answer with the one word YES within \
                     {days} day; after that others are asked.",
                    "Seat {seat} of game {game} ({title}) has become free in {label}, and you are \
                     next on the waiting list. If you want it, answer with the one word YES within \
                     {days} days; after that others are asked.",
                    seat = row.seat,
                    game = game.code,
                    label = step_name(&game.step.label)
                );
                let subject = say!("a seat has become free");
                self.mailer().question_mail(&question, &subject, &text, now)
            };
            let language = self.store.games().language_of(&next.address)?;
            let mail = self.cx.in_language(&language, asked);
            tracing::info!(game = game.code, seat = row.seat.0, "seat offered");
            let effects =
                vec![Effect::Offered(game.code.clone(), next.address), Effect::Ask(question)];
            changes.push(Change { once: None, effects, mails: mail.into_iter().collect() });
        }
        Ok(changes)
    }

    /// Reports to the game master, once, the seats whose mails come back.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn unreachable_seats(&self, now: Timestamp) -> Result<Vec<Change>> {
        let mut changes = Vec::new();
        for (row, since) in self.store.people().unreachable()? {
            let what = format!("seat {} unreachable since {since}", row.seat);
            if self.store.people().is_reminded(&row.game, 0, &what)? {
                continue;
            }
            let text = format!(
                "Mails to seat {} of game {} come back, so it gets none for now. A mail from its \
                 address, or GM SEAT with another address, ends that.",
                row.seat, row.game
            );
            let subject = format!("game {}: seat {} can't be reached", row.game, row.seat);
            let id_key = [row.game.as_str(), what.as_str()];
            let mails = self.mailer().gm_mail(&subject, &text, &id_key, now).into_iter().collect();
            tracing::warn!(game = row.game, seat = row.seat.0, "mails come back");
            changes.push(Change { once: Some((row.game, 0, what)), effects: Vec::new(), mails });
        }
        Ok(changes)
    }
}

/// The reminders of a step, each with its hours before the deadline and its instant. None comes
/// before a third of the step's time has passed.
fn reminded_at(game: &Game) -> Vec<(u32, Timestamp)> {
    let Some(due) = game.deadline else { return Vec::new() };
    let third = due.duration_since(game.step.opened_at) / REMINDED_AFTER;
    let earliest = game.step.opened_at + third;
    let hours = game.terms.reminders_hours.iter().copied();
    let before = |h: u32| schedule::later(due, -SignedDuration::from_hours(h.into()));
    let all = hours.map(|h| (h, before(h)));
    all.filter(|(_, at)| *at >= earliest).collect()
}

/// Whether a seat's player has missed so many turns that somebody else may have the seat.
pub fn is_absent(game: &Game, seat: &SeatRow) -> bool {
    let after = game.terms.standby_after;
    seat.has_player() && after > 0 && seat.missed >= after
}

/// Seats that nobody has taken.
pub fn free_seats(game: &Game, seats: &[SeatRow]) -> Vec<Seat> {
    let free = |n: &u8| seats.iter().all(|s| s.seat.0 != *n);
    (1..=game.setup.seats).filter(free).map(Seat).collect()
}
