//! What the calendar brings besides turns: starts, reminders, early runs, waiting for
//! a quorum, outages, offers to the waiting list, alarms about addresses.
//!
//! Each is done once: a row that says so is written in the commit of its mails.

use jiff::{SignedDuration, Timestamp};

use super::intake::is_absent;
use super::letters::Letter;
use super::{Result, Robot, RobotError};
use base::schedule;
use engine::Seat;
use mail::body::MARKER;
use mail::compose::Attachment;
use render::text::para;
use store::{Game, Question, QueuedMail, SeatRow, Status};

/// How long a turn waits for a quorum.
const QUORUM_WAIT: SignedDuration = SignedDuration::from_hours(24);
/// Days for which a seat is offered to one of the waiting list.
const OFFER_DAYS: i64 = 3;

impl Robot {
    /// Does what the calendar brings now; turns are [`Robot::run_due`]'s.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails; a game that can't go on is left.
    pub fn tick(&mut self) -> Result<()> {
        let now = self.clock.now();
        let waited_for = self.store.waited_for()?;
        for game in self.store.all_games()?.iter() {
            let done = match game.status {
                Status::Open => self.start_by_itself(game, now),
                Status::Running => {
                    self.remind(game, now).and_then(|()| match waited_for.contains(&game.code) {
                        true => self.offer_seats(game, now),
                        false => Ok(()),
                    })
                }
                Status::Held | Status::Over => Ok(()),
            };
            match done {
                Err(RobotError::Store(e)) => return Err(e.into()),
                Err(e) => tracing::error!(game = game.code, error = %e, "the calendar waits"),
                Ok(()) => {}
            }
        }
        self.tell_of_addresses(now)
    }

    /// When the calendar next brings something, as far as it is known.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn next_event(&self) -> Result<Option<Timestamp>> {
        let now = self.clock.now();
        let mut next = self.next_deadline()?;
        for game in self.store.all_games()?.iter() {
            let mut times: Vec<Timestamp> = Vec::new();
            match (game.status, game.deadline) {
                (Status::Open, _) => {
                    times.extend(schedule::date(&game.terms.start_on, &game.rule.zone).ok());
                }
                (Status::Running, Some(due)) => {
                    let hours = game.terms.reminders_hours.iter();
                    times.extend(hours.map(|h| due - SignedDuration::from_hours((*h).into())));
                }
                _ => {}
            }
            let ahead = times.into_iter().filter(|t| *t > now).min();
            next = next.into_iter().chain(ahead).min();
        }
        Ok(next)
    }

    fn start_by_itself(&mut self, game: &Game, now: Timestamp) -> Result<()> {
        let seats = self.store.seats(&game.code)?;
        let full = seats.iter().filter(|s| !s.resigned).count() >= usize::from(game.setup.seats);
        let day = schedule::date(&game.terms.start_on, &game.rule.zone).ok();
        let due = day.is_some_and(|at| at <= now);
        if game.terms.start_full && full || due && !seats.is_empty() {
            // Seats that nobody took are played by computers.
            if !full {
                for n in (1..=game.setup.seats).filter(|n| seats.iter().all(|s| s.seat.0 != *n)) {
                    self.add_computer(&game.code, Seat(n))?;
                }
            }
            self.start(&game.code, None, true)?;
        }
        Ok(())
    }

    /// Reminds those without orders, the last of the hours that have come.
    fn remind(&mut self, game: &Game, now: Timestamp) -> Result<()> {
        let Some(due) = game.deadline.filter(|d| *d > now) else { return Ok(()) };
        let left = due.duration_since(now);
        let hours = game.terms.reminders_hours.iter().copied();
        let come = hours.filter(|h| left <= SignedDuration::from_hours((*h).into())).min();
        let Some(hours) = come else { return Ok(()) };
        // A deadline that moves is reminded of anew.
        let what = format!("{hours} hours before {due}");
        if self.store.is_reminded(&game.code, game.turn, &what)? {
            return Ok(());
        }
        let awaited = self.awaited(game)?;
        let mut cards = self.store.cards(&game.code, game.turn)?;
        // A card that was withdrawn is none.
        cards.retain(|_, card| !card.lines.is_empty());
        let seats = self.store.seats(&game.code)?;
        let silent = |s: &&SeatRow| {
            s.has_player()
                && s.reminders
                && !s.is_away(now)
                && s.ready != game.turn
                && awaited.contains(&s.seat)
                && (!cards.contains_key(&s.seat) || game.terms.early)
        };
        let mails: Vec<QueuedMail> = seats
            .iter()
            .filter(silent)
            .filter_map(|s| self.reminder(game, s, cards.contains_key(&s.seat), &what, now))
            .collect();
        let sent = mails.len();
        if self.store.remind(&game.code, game.turn, &what, &mails, now)? && sent > 0 {
            tracing::info!(game = game.code, turn = game.turn, sent, "reminders");
        }
        Ok(())
    }

    fn reminder(
        &self,
        game: &Game,
        row: &SeatRow,
        ordered: bool,
        cause: &str,
        now: Timestamp,
    ) -> Option<QueuedMail> {
        let mut text = format!("{MARKER}\n\n");
        text += &para(&match ordered {
            true => format!(
                "Your orders for turn {} of game {} are on file, but you have not said READY; the \
                 turn would run early if all did.",
                game.turn, game.code
            ),
            false => format!(
                "No orders of yours are on file for turn {} of game {}.",
                game.turn, game.code
            ),
        });
        text += &para(&self.due_line(game, &row.zone, now));
        text += &para(
            "Answer this mail with your orders at the top. RESEND brings the printout again, \
             REMINDERS OFF ends mails like this one.",
        );
        let letter = Letter {
            kind: "reminder",
            to: &row.address,
            turn: game.turn,
            subject: "your orders are awaited".to_owned(),
            text,
            attachments: Vec::new(),
            answers: None,
            cause: cause.to_owned(),
            reply: None,
        };
        self.seat_mail(row, letter, now)
    }

    /// Seats that the open step waits for.
    fn awaited(&mut self, game: &Game) -> Result<Vec<Seat>> {
        let open = self.open(game)?;
        let awaited = self.shielded(&game.code, || open.awaited())?;
        Ok(awaited.seats)
    }

    /// Whether all players whom the turn waits for are ready, in a game that may run
    /// early.
    pub(super) fn all_ready(&mut self, game: &Game, now: Timestamp) -> Result<bool> {
        if !game.terms.early {
            return Ok(false);
        }
        let awaited = self.awaited(game)?;
        let seats = self.store.seats(&game.code)?;
        let mut players = seats
            .iter()
            .filter(|s| s.has_player() && awaited.contains(&s.seat) && !s.is_away(now))
            .peekable();
        Ok(players.peek().is_some() && players.all(|s| s.ready == game.turn))
    }

    /// Whether a due turn waits: once, for a quorum.
    pub(super) fn waits(&mut self, game: &Game, now: Timestamp) -> Result<bool> {
        let quorum = game.terms.quorum as usize;
        let cards = self.store.cards(&game.code, game.turn)?;
        let cards = cards.values().filter(|c| !c.lines.is_empty()).count();
        if cards >= quorum || game.waited == game.turn {
            return Ok(false);
        }
        if game.deadline.is_some_and(|d| d > now) {
            // All are ready early, but they are too few; the turn has its time.
            return Ok(true);
        }
        let at = now + QUORUM_WAIT;
        let why = format!(
            "Only {cards} cards are in and the game asks for {quorum}, so turn {} waits once for a \
             day.",
            game.turn
        );
        let mails =
            self.tell_all(game, Some(at), "the turn waits", &why, &format!("quorum {at}"), now)?;
        self.store.wait_for_quorum((&game.code, game.turn), at, &mails, now)?;
        tracing::warn!(game = game.code, turn = game.turn, cards, "waits for a quorum");
        Ok(true)
    }

    /// Notes that the mailboxes could not be read between two instants, and moves the
    /// deadlines that it was too long for: a player could not send, or got no echo.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn was_unreachable(&mut self, from: Timestamp, until: Timestamp) -> Result<()> {
        let now = self.clock.now();
        let gap = until.duration_since(from);
        let games = self.store.all_games()?;
        let least = games.iter().map(|g| g.terms.outage_minutes).filter(|m| *m > 0).min();
        if least.is_none_or(|m| gap <= SignedDuration::from_mins(m.into())) {
            return Ok(());
        }
        self.store.add_outage(from, until)?;
        tracing::warn!(minutes = gap.as_mins(), "no mail could be read");
        for game in games.iter().filter(|g| g.status == Status::Running) {
            self.move_for_outage(game, until, now)?;
        }
        Ok(())
    }

    fn move_for_outage(&mut self, game: &Game, until: Timestamp, now: Timestamp) -> Result<()> {
        let Some(due) = game.deadline.filter(|_| game.terms.outage_minutes > 0) else {
            return Ok(());
        };
        let day_before = due - SignedDuration::from_hours(24);
        // By their beginnings; a robot that was stopped after it had noted an outage notes it
        // again, and so does each inbox, so what they share counts once.
        let (mut lost, mut counted) = (SignedDuration::ZERO, day_before);
        for (began, ended) in self.store.outages(day_before)? {
            let (from, to) = (began.max(counted), ended.min(due));
            if to > from {
                lost += to.duration_since(from);
                counted = to;
            }
        }
        if lost <= SignedDuration::from_mins(game.terms.outage_minutes.into()) {
            return Ok(());
        }
        let at = due.max(until) + lost;
        let why = format!(
            "The robot could not read mail for {} in the last day before the deadline of turn {}, \
             so the deadline moves.",
            schedule::left(due - lost, due),
            game.turn
        );
        let what = format!("outage before {day_before}");
        // Once for each turn: a deadline that moved is not moved again for the same day.
        if self.store.is_reminded(&game.code, game.turn, "outage")? {
            return Ok(());
        }
        let mails = self.tell_all(game, Some(at), "a later deadline", &why, &what, now)?;
        self.store.move_deadline((&game.code, game.turn), at, "outage", &mails, now)?;
        Ok(())
    }

    /// Offers seats that their players left, or whose players are away for too long,
    /// to the first who waits.
    fn offer_seats(&mut self, game: &Game, now: Timestamp) -> Result<()> {
        let since = now - SignedDuration::from_hours(24 * OFFER_DAYS);
        let waiting = self.store.waiting(&game.code)?;
        if waiting.is_empty() {
            return Ok(());
        }
        for row in self.store.seats(&game.code)? {
            let back = self.store.orders(&game.code, row.seat, game.turn)?.is_some();
            if !(row.resigned || is_absent(game, &row) && !back) {
                continue;
            }
            if self.store.is_offered(&game.code, row.seat, since)? {
                continue;
            }
            // Who was never asked comes before who did not answer.
            let mut next = self.store.waiting(&game.code)?;
            next.retain(|w| w.offered_at.is_none_or(|at| at < since));
            let Some(next) = next.iter().min_by_key(|w| w.offered_at) else { return Ok(()) };
            let value = serde_json::to_string(&next.wish).unwrap_or_default();
            let question = Question {
                id: (self.entropy.word() >> 1).cast_signed(),
                kind: "standby".to_owned(),
                game: Some(game.code.clone()),
                seat: Some(row.seat),
                address: next.address.clone(),
                value,
                asked_at: now,
                done: false,
            };
            let text = format!(
                "Seat {} of game {} ({}) has become free in turn {}, and you are next on the \
                 waiting list. If you want it, answer with the one word YES within {OFFER_DAYS} \
                 days; after that others are asked.",
                row.seat,
                game.code,
                self.engine(&game.engine)?.title(),
                game.turn
            );
            let mail = self.question_mail(&question, "a seat has become free", &text, now);
            if self.store.offer(&question, mail.as_ref(), since, now)? {
                tracing::info!(game = game.code, seat = row.seat.0, "seat offered");
            }
        }
        Ok(())
    }

    /// Tells the game master, once, of seats whose mails come back.
    fn tell_of_addresses(&mut self, now: Timestamp) -> Result<()> {
        for (row, since) in self.store.unreachable()? {
            let what = format!("seat {} unreachable since {since}", row.seat);
            if self.store.is_reminded(&row.game, 0, &what)? {
                continue;
            }
            let text = format!(
                "Mails to seat {} of game {} come back, so it gets none for now. A mail from its \
                 address, or GM SEAT with another address, ends that.",
                row.seat, row.game
            );
            let cause = [row.game.as_str(), what.as_str()];
            let subject = format!("game {}: seat {} can't be reached", row.game, row.seat);
            let mail = self.gm_mail(&subject, &text, &cause, now);
            self.store.remind(&row.game, 0, &what, mail.as_slice(), now)?;
            tracing::warn!(game = row.game, seat = row.seat.0, "mails come back");
        }
        Ok(())
    }

    /// The next deadline as a calendar file (RFC 5545): one event a seat, which each
    /// turn updates.
    pub(super) fn calendar_file(
        &self,
        game: &Game,
        row: &SeatRow,
        now: Timestamp,
    ) -> Option<Attachment> {
        let due = game.deadline.filter(|_| row.format.ics)?;
        let stamp = |at: Timestamp| at.strftime("%Y%m%dT%H%M%SZ").to_string();
        // One instant needs the offset of that instant alone (RFC 5545 §3.6.5).
        let zone = base::schedule::zone(&row.zone).ok()?;
        let local = due.to_zoned(zone);
        let (start, offset) = (local.strftime("%Y%m%dT%H%M%S"), local.strftime("%z"));
        let uid = format!("{}.{}@{}", game.code.to_lowercase(), row.seat, self.identity.domain());
        let lines = [
            "BEGIN:VCALENDAR".to_owned(),
            "VERSION:2.0".to_owned(),
            "PRODID:-//Fieldpost//EN".to_owned(),
            "METHOD:PUBLISH".to_owned(),
            "BEGIN:VTIMEZONE".to_owned(),
            format!("TZID:{}", row.zone),
            "BEGIN:STANDARD".to_owned(),
            "DTSTART:19700101T000000".to_owned(),
            format!("TZOFFSETFROM:{offset}"),
            format!("TZOFFSETTO:{offset}"),
            "END:STANDARD".to_owned(),
            "END:VTIMEZONE".to_owned(),
            "BEGIN:VEVENT".to_owned(),
            format!("UID:{uid}"),
            format!("SEQUENCE:{}", game.turn),
            format!("DTSTAMP:{}", stamp(now)),
            format!("DTSTART;TZID={}:{start}", row.zone),
            format!("SUMMARY:{} turn {}: orders due", game.code, game.turn),
            "TRANSP:TRANSPARENT".to_owned(),
            "BEGIN:VALARM".to_owned(),
            "ACTION:DISPLAY".to_owned(),
            format!("DESCRIPTION:Orders for {} are due", game.code),
            "TRIGGER:-P1D".to_owned(),
            "END:VALARM".to_owned(),
            "END:VEVENT".to_owned(),
            "END:VCALENDAR".to_owned(),
        ];
        Some(Attachment {
            name: "deadline.ics".to_owned(),
            media: "text/calendar; method=PUBLISH; charset=utf-8".into(),
            bytes: lines.iter().flat_map(|l| [l.as_str(), "\r\n"]).collect::<String>().into_bytes(),
        })
    }
}
