//! One mail to one verdict, with everything that it causes, in one commit.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::{SignedDuration, Timestamp};

use super::letters::Letter;
use super::{Result, Robot, RobotError};
use crate::card::echo::Echo;
use crate::card::{COMMANDS, Command, Request, subject_tag};
use crate::engine::{CardText, Judgement, Seat, Section, Topic, Turn};
use crate::mail::body::{MARKER, NewText};
use crate::mail::mime::{self, ParsedMail, Sender, same_address};
use crate::mail::{RawMessage, hygiene};
use crate::render::text::{SAFE, para, sections};
use crate::schedule;
use crate::secrets::{same, sha256_hex};
use crate::store::{Game, Judged, QueuedMail, SeatRow, Status, StoredMail, Verdict};

/// Verdicts of one commit at most; waiting for the disk is what a commit costs.
const COMMIT_MAX: usize = 32;
/// After so many attempts a mail is set aside for a person.
const ATTEMPTS_MAX: u32 = 3;
/// Unproven cards within an hour about which a player is asked.
const HELD_AN_HOUR: u32 = 5;
/// Lines of an unproven card that the question shows.
const HELD_LINES_SHOWN: usize = 60;
/// Turns back that a reply secret is still recognised as an old one.
const OLD_TURNS: Turn = 30;

/// A seat that a mail speaks for, and what proves it.
struct Claim {
    game: Game,
    seat: SeatRow,
    /// Turn that the mail answers or names.
    turn: Option<Turn>,
    proof: Proof,
}

/// How far a mail is proven to come from a seat's player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Proof {
    /// The secret or the password is right and the address fits.
    Proven,
    /// The address is registered, but nothing secret came with it.
    AddressOnly,
    /// The secret is right, but the mail is from another address.
    OtherAddress,
}

/// Whose mail this is.
enum Identity {
    Seat(Box<Claim>),
    /// A game, seat, secret or password that does not fit; which one is not told.
    Refused(&'static str),
    /// The address has several seats, and nothing says which is meant.
    Ambiguous(Vec<SeatRow>),
    Stranger,
}

/// A mail under judgement.
struct Case<'a> {
    stored: &'a StoredMail,
    parsed: &'a ParsedMail,
    from: String,
    request: Request,
    text: NewText,
    now: Timestamp,
    /// A held mail that this one confirms; its card is judged in its place.
    confirms: Option<i64>,
    digest: String,
}

impl Robot {
    /// Stores messages and judges every mail that has no verdict. A mail that
    /// can't be judged now stays for the next call.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails; nothing is lost then.
    pub fn receive(&mut self, messages: &[RawMessage]) -> Result<Vec<i64>> {
        self.store.keep(messages)?;
        let (fresh, tried): (Vec<_>, Vec<_>) =
            self.store.unjudged()?.into_iter().partition(|(_, attempts)| *attempts == 0);
        let mut judged = Vec::new();
        // A mail that was tried before may be what stopped the process then: it
        // goes alone, so that no other mail is blamed for it.
        for (id, _) in tried {
            self.store.next_attempt(id)?;
            judged.extend(self.judge_together(&[id])?);
        }
        if !fresh.is_empty() {
            self.store.first_attempts()?;
        }
        let fresh: Vec<i64> = fresh.into_iter().map(|(id, _)| id).collect();
        for batch in fresh.chunks(COMMIT_MAX) {
            judged.extend(self.judge_together(batch)?);
        }
        Ok(judged)
    }

    /// Judges some mails and commits their verdicts together; each verdict is
    /// still there whole or not at all.
    fn judge_together(&mut self, ids: &[i64]) -> Result<Vec<i64>> {
        self.store.begin()?;
        let done: Result<Vec<(i64, Judged)>> = self.judge_each(ids);
        let done = match done {
            Ok(done) => done,
            Err(e) => {
                self.store.abandon();
                if matches!(e, RobotError::Store(_)) {
                    // A full disk may refuse this too; then a few attempts are lost.
                    let back = ids.iter().try_for_each(|id| self.store.take_back_attempt(*id));
                    back.unwrap_or_else(|e| tracing::warn!(error = %e, "attempts stay counted"));
                }
                return Err(e);
            }
        };
        self.store.commit()?;
        done.iter().for_each(|(id, judged)| log_verdict(*id, judged));
        Ok(done.into_iter().map(|(id, _)| id).collect())
    }

    fn judge_each(&mut self, ids: &[i64]) -> Result<Vec<(i64, Judged)>> {
        let mut done = Vec::new();
        for &id in ids {
            let mail = self.store.stored(id)?;
            match self.judge_mail(&mail) {
                Ok(judged) => {
                    self.store.judge(&mail, &judged, self.clock.now())?;
                    done.push((id, judged));
                }
                Err(RobotError::Store(e)) => return Err(e.into()),
                Err(e) => tracing::error!(mail = id, error = %e, "mail not judged"),
            }
        }
        Ok(done)
    }

    /// Decides about a mail; a panic costs this mail an attempt, and no more.
    fn judge_mail(&mut self, mail: &StoredMail) -> Result<Judged> {
        if mail.attempts > ATTEMPTS_MAX {
            let why = "reading it failed three times; look at it with \"fieldpost mail show\"";
            return Ok(silent(Verdict::Quarantined, "unreadable", why, ""));
        }
        let decided = catch_unwind(AssertUnwindSafe(|| self.decide(mail)));
        decided.unwrap_or_else(|_| {
            Err(RobotError::Refused("reading the mail failed inside the program".to_owned()))
        })
    }

    fn decide(&mut self, mail: &StoredMail) -> Result<Judged> {
        let parsed = match mime::parse(&mail.bytes) {
            Ok(parsed) => parsed,
            Err(e) => return Ok(silent(Verdict::Quarantined, "no-mail", &e.to_string(), "")),
        };
        let digest = content_digest(&parsed, &mail.bytes);
        let done = |verdict, reason, why: &str, from: &str| {
            Ok(Judged { digest: digest.clone(), ..silent(verdict, reason, why, from) })
        };
        if self.store.is_repeat(mail.id, &digest)? {
            let why = "the same mail was delivered before; it has no second effect";
            return done(Verdict::Ignored, "duplicate", why, "");
        }
        if let Some(reason) = hygiene::automatic(&parsed, &self.identity.address) {
            let why = "automatic mail is never answered";
            return done(Verdict::Ignored, reason, why, "");
        }
        let from = match &parsed.sender {
            Sender::One(address) => address.clone(),
            Sender::Missing => {
                return done(Verdict::Quarantined, "no-from", "no From with an address", "");
            }
            Sender::Several => {
                let why = "several From addresses; nobody can be answered or trusted";
                return done(Verdict::Quarantined, "several-from", why, "");
            }
        };
        let now = self.clock.now();
        if mail.size > self.limits.mail_bytes_max {
            return self.too_large(mail, &parsed, &from, &digest, now);
        }
        let tag = subject_tag(&parsed.subject);
        let text = parsed.lines.new_text(&self.open_card(&parsed, &from, tag.as_ref())?);
        let lines = if text.above.iter().any(|l| !l.trim().is_empty()) {
            let both = text.above.iter().chain(&text.in_card);
            both.cloned().collect()
        } else {
            text.in_card.clone()
        };
        let request = Request::read(&lines);
        let case = Case {
            stored: mail,
            parsed: &parsed,
            from,
            request,
            text,
            now,
            confirms: None,
            digest,
        };
        self.settle(case)
    }

    /// The name of the blank card whose typed-in lines are read.
    fn open_card(
        &self,
        parsed: &ParsedMail,
        from: &str,
        tag: Option<&(String, Turn, Seat)>,
    ) -> Result<String> {
        let detail = self.details(parsed).into_iter().find_map(|d| match d.as_slice() {
            [game, seat, _] => Some((game.clone(), seat.parse().ok().map(Seat)?)),
            _ => None,
        });
        let named = detail.or_else(|| tag.map(|(g, _, s)| (g.clone(), *s)));
        let named = match named {
            Some(named) => Some(named),
            None => self.store.seats_of(from)?.first().map(|s| (s.game.clone(), s.seat)),
        };
        let Some((code, seat)) = named else { return Ok(String::new()) };
        let game = self.store.game(&code)?;
        Ok(game.map_or_else(String::new, |g| format!("{} T{} S{seat}", g.code, g.turn)))
    }

    /// Details of plus-addresses that the mail came to, split at full stops.
    fn details(&self, parsed: &ParsedMail) -> Vec<Vec<String>> {
        let Some((local, domain)) = self.identity.address.split_once('@') else {
            return Vec::new();
        };
        let detail = |address: &String| {
            let (to, at) = address.split_once('@')?;
            let (name, detail) = to.split_once('+')?;
            let ours = name.eq_ignore_ascii_case(local) && at.eq_ignore_ascii_case(domain);
            ours.then(|| detail.split('.').map(str::to_owned).collect())
        };
        parsed.recipients.iter().filter_map(detail).collect()
    }

    fn settle(&mut self, case: Case) -> Result<Judged> {
        match self.identify(&case)? {
            Identity::Seat(claim) => self.for_seat(case, *claim),
            Identity::Refused(reason) => self.refused(&case, reason),
            Identity::Ambiguous(seats) => {
                let list: Vec<String> =
                    seats.iter().map(|s| format!("game {} seat {}", s.game, s.seat)).collect();
                let text = format!(
                    "You have several seats: {}. Answer a mail of the seat that you mean, or \
                     begin with the line \"GAME code SEAT number\".",
                    list.join(", ")
                );
                self.answer(&case, Verdict::Rejected, "which-seat", &text)
            }
            Identity::Stranger => self.stranger(&case),
        }
    }

    // ---- who sent it

    fn identify(&mut self, case: &Case) -> Result<Identity> {
        for detail in self.details(case.parsed) {
            match detail.as_slice() {
                [game, seat, secret] => return self.by_secret(case, game, seat, secret),
                [word, game, seat, secret] if word.eq_ignore_ascii_case("confirm") => {
                    return self.by_confirmation(case, game, seat, secret);
                }
                _ => {}
            }
        }
        for id in &case.parsed.answers {
            if let Some((game, seat, turn)) = self.store.sent_as(id)? {
                return self.claim(case, &game, seat, turn, true);
            }
        }
        let heading = &case.request.heading;
        if let (Some(game), Some(seat), Some(password)) =
            (&heading.game, heading.seat, &heading.password)
        {
            let (game, password) = (game.clone(), password.clone());
            return self.by_password(case, &game, seat, &password);
        }
        self.by_address(case)
    }

    fn by_secret(&mut self, case: &Case, code: &str, seat: &str, secret: &str) -> Result<Identity> {
        let wrong = Ok(Identity::Refused("wrong-secret"));
        let Ok(seat) = seat.parse().map(Seat) else { return wrong };
        let Some(game) = self.store.game(code)? else { return wrong };
        let secret = secret.to_lowercase();
        let oldest = game.turn.saturating_sub(OLD_TURNS);
        let key = self.store.key();
        let mut turns = (oldest..=game.turn).rev();
        match turns.find(|t| same(&key.reply(&game.code, seat, *t), &secret)) {
            Some(turn) => self.claim(case, &game.code, seat, Some(turn), true),
            None => wrong,
        }
    }

    fn by_confirmation(
        &mut self,
        case: &Case,
        code: &str,
        seat: &str,
        secret: &str,
    ) -> Result<Identity> {
        let wrong = Ok(Identity::Refused("wrong-secret"));
        let Ok(seat) = seat.parse().map(Seat) else { return wrong };
        let Some(game) = self.store.game(code)? else { return wrong };
        let held = self.store.held_of(&game.code, seat)?;
        let key = self.store.key();
        let right = |id: &&i64| same(&key.confirm(&game.code, seat, **id), &secret.to_lowercase());
        match held.iter().find(right) {
            Some(_) => self.claim(case, &game.code, seat, None, true),
            None => wrong,
        }
    }

    fn by_password(
        &mut self,
        case: &Case,
        code: &str,
        seat: Seat,
        password: &str,
    ) -> Result<Identity> {
        let wrong = Ok(Identity::Refused("wrong-password"));
        let Some(game) = self.store.game(code)? else { return wrong };
        let Some(row) = self.store.seat(&game.code, seat)? else { return wrong };
        let digest = self.store.key().password_digest(&game.code, seat, password);
        match same(&digest, &row.password_digest) {
            true => self.claim(case, &game.code, seat, None, true),
            false => wrong,
        }
    }

    /// Without any proof: the seat of the From address, as heading or subject
    /// narrow it down.
    fn by_address(&mut self, case: &Case) -> Result<Identity> {
        let tag = subject_tag(&case.parsed.subject);
        let heading = &case.request.heading;
        let game = heading.game.clone().or(tag.as_ref().map(|t| t.0.clone()));
        let seat = heading.seat.or(tag.as_ref().map(|t| t.2));
        let mut seats = self.store.seats_of(&case.from)?;
        if seats.is_empty() {
            return Ok(Identity::Stranger);
        }
        seats.retain(|s| {
            game.as_ref().is_none_or(|g| g.eq_ignore_ascii_case(&s.game))
                && seat.is_none_or(|n| n == s.seat)
        });
        match seats.as_slice() {
            [] => Ok(Identity::Refused("no-such-seat")),
            [one] => {
                let (code, seat) = (one.game.clone(), one.seat);
                self.claim(case, &code, seat, tag.map(|t| t.1), false)
            }
            _ => Ok(Identity::Ambiguous(seats)),
        }
    }

    fn claim(
        &mut self,
        case: &Case,
        code: &str,
        seat: Seat,
        turn: Option<Turn>,
        secret: bool,
    ) -> Result<Identity> {
        let wrong = Ok(Identity::Refused("wrong-secret"));
        let Some(game) = self.store.game(code)? else { return wrong };
        let Some(seat) = self.store.seat(&game.code, seat)? else { return wrong };
        let named = &case.request.heading;
        let differs = named.game.as_ref().is_some_and(|g| !g.eq_ignore_ascii_case(&game.code))
            || named.seat.is_some_and(|n| n != seat.seat);
        if differs {
            return Ok(Identity::Refused("two-seats-named"));
        }
        let own = same_address(&case.from, &seat.address);
        let proof = match secret {
            true if own || seat.any_address => Proof::Proven,
            true => Proof::OtherAddress,
            false => Proof::AddressOnly,
        };
        let turn = named.turn.or(turn);
        Ok(Identity::Seat(Box::new(Claim { game, seat, turn, proof })))
    }

    // ---- answers to those who are no seat

    /// The same words whether the game, the seat or the secret is wrong.
    fn refused(&mut self, case: &Case, reason: &'static str) -> Result<Judged> {
        let text = "This mail was not accepted: the game, seat and secret or password that it \
                    came with do not fit together. Answer the newest mail of your game without \
                    changing the address that your mail program fills in, or begin with the \
                    line \"GAME code SEAT number PASSWORD password\".";
        let known = !self.store.seats_of(&case.from)?.is_empty();
        match known {
            true => self.answer(case, Verdict::Rejected, reason, text),
            false => self.once_a_day(case, reason, text),
        }
    }

    fn stranger(&mut self, case: &Case) -> Result<Judged> {
        let help = matches!(case.request.command, Some(Command::Help(_)));
        let text = match help {
            true => self.help_text(None, &[]),
            false => "This is a robot that runs games by mail, and it knows no player at your \
                      address. If you have a seat, write from the address that it was given \
                      to. HELP as the only word of a mail tells more."
                .to_owned(),
        };
        let verdict = if help { Verdict::Accepted } else { Verdict::Rejected };
        let judged = self.once_a_day(case, "unknown-sender", &text)?;
        // Over the budget nothing is answered, and the verdict says so.
        let answered = !judged.mails.is_empty();
        Ok(Judged { verdict: if answered { verdict } else { judged.verdict }, ..judged })
    }

    /// An answer to an unknown address, as far as its budget goes.
    fn once_a_day(&mut self, case: &Case, reason: &'static str, text: &str) -> Result<Judged> {
        let day = case.now - SignedDuration::from_hours(24);
        let sent = self.store.replies_since(&case.from, day)?;
        if sent >= self.limits.stranger_replies_per_day {
            let why = "an unknown address that was answered today already";
            return Ok(self.judged(case, Verdict::Ignored, reason, why));
        }
        self.answer(case, Verdict::Rejected, reason, text)
    }

    fn answer(
        &mut self,
        case: &Case,
        verdict: Verdict,
        reason: &'static str,
        text: &str,
    ) -> Result<Judged> {
        let body = format!("{MARKER}\n\n{}", wrapped(text));
        let cause = case.stored.id.to_string();
        let id = case.parsed.message_id.as_deref();
        let mail = self.stranger_mail(&case.from, id, &body, &cause, case.now);
        let mut judged = self.judged(case, verdict, reason, text);
        self.reply(case, &mut judged, mail.into_iter().collect())?;
        Ok(judged)
    }

    fn too_large(
        &mut self,
        mail: &StoredMail,
        parsed: &ParsedMail,
        from: &str,
        digest: &str,
        now: Timestamp,
    ) -> Result<Judged> {
        let (request, text) = (Request::default(), NewText::default());
        let case = Case {
            stored: mail,
            parsed,
            from: from.to_owned(),
            request,
            text,
            now,
            confirms: None,
            digest: digest.to_owned(),
        };
        let text = format!(
            "Your mail of {} kB was not read; the limit is {} kB. Send the orders alone, as \
             plain text, without attachments.",
            mail.size / 1000,
            self.limits.mail_bytes_max / 1000
        );
        match self.store.seats_of(from)?.is_empty() {
            true => self.once_a_day(&case, "too-large", &text),
            false => self.answer(&case, Verdict::Rejected, "too-large", &text),
        }
    }

    // ---- a seat's mail

    fn for_seat(&mut self, mut case: Case, claim: Claim) -> Result<Judged> {
        if case.request.command == Some(Command::Yes) && claim.proof == Proof::Proven {
            return self.confirmed(case, claim);
        }
        if let Some(Command::Help(topic)) = &case.request.command {
            let topics = self.engine(&claim.game.engine)?.help();
            let text = self.help_text(topic.as_deref(), &topics);
            return self.tell(&case, &claim, Verdict::Accepted, "help", "help", text);
        }
        if let Some(Command::Lang(code)) = &case.request.command {
            return self.choose_language(&case, &claim, code.as_deref());
        }
        if claim.game.status == Status::Open {
            let text = "Your game has not started yet; the first printout will come by mail.";
            return self.tell(
                &case,
                &claim,
                Verdict::Rejected,
                "not-started",
                "not started yet",
                text.into(),
            );
        }
        if let Some((word, right)) = case.request.meant.clone() {
            let text =
                format!("{word:?} is no command; {right} was meant? Nothing was done. {}", forms());
            return self.tell(
                &case,
                &claim,
                Verdict::Rejected,
                "unknown-command",
                "unknown command",
                text,
            );
        }
        if case.request.is_empty() {
            return self.nothing_found(&case, &claim);
        }
        match &case.request.command {
            Some(Command::Status) => return self.status(&case, &claim),
            Some(Command::Rules(chapter)) => {
                let chapter = chapter.clone();
                return self.rules(&case, &claim, chapter.as_deref());
            }
            Some(Command::Resend(turn)) => return self.resend(&case, &claim, *turn),
            _ => {}
        }
        if let Some(refusal) = self.timely(&case, &claim)? {
            return Ok(refusal);
        }
        if claim.proof != Proof::Proven {
            return self.hold_card(&case, &claim);
        }
        if let Some(refusal) = self.over_limits(&mut case, &claim)? {
            return Ok(refusal);
        }
        self.file(&case, &claim)
    }

    /// `YES` to a held card: it counts as if its proof had come with it.
    fn confirmed(&mut self, case: Case, claim: Claim) -> Result<Judged> {
        let secrets: Vec<String> =
            self.details(case.parsed).into_iter().filter_map(|d| d.get(3).cloned()).collect();
        let held = self.store.held_of(&claim.game.code, claim.seat.seat)?;
        let fits = |id: &&i64| {
            let right = self.store.key().confirm(&claim.game.code, claim.seat.seat, **id);
            secrets.is_empty() || secrets.iter().any(|s| same(&s.to_lowercase(), &right))
        };
        if secrets.is_empty() && held.len() > 1 {
            let text = "Several cards wait for a confirmation. Answer the mail that shows the \
                        right one with YES."
                .to_owned();
            return self.tell(
                &case,
                &claim,
                Verdict::Rejected,
                "several-held",
                "which card?",
                text,
            );
        }
        let raw = match held.iter().find(fits) {
            Some(id) => self.store.raw(*id)?.map(|raw| (*id, raw)),
            None => None,
        };
        let Some((id, raw)) = raw else {
            let text = "No card of yours waits for a confirmation.".to_owned();
            return self.tell(
                &case,
                &claim,
                Verdict::Rejected,
                "nothing-held",
                "nothing to confirm",
                text,
            );
        };
        let Ok(parsed) = mime::parse(&raw) else {
            return Ok(self.judged(&case, Verdict::Quarantined, "unreadable", "the held mail"));
        };
        let card = format!("{} T{} S{}", claim.game.code, claim.game.turn, claim.seat.seat);
        let text = parsed.lines.new_text(&card);
        let lines: Vec<String> = text.above.iter().chain(&text.in_card).cloned().collect();
        // The held card was received when it came, not when it was confirmed.
        let received_at = self.store.received_at(id)?.unwrap_or(case.stored.received_at);
        let stored = StoredMail { received_at, ..case.stored.clone() };
        let tag = subject_tag(&parsed.subject).map(|t| t.1);
        let request = Request::read(&lines);
        // Without a word of its own the card was meant for the turn that was open then.
        let then = self.store.mail(id)?.and_then(|m| m.turn);
        let turn = request.heading.turn.or(tag).or(then);
        let mut case = Case { stored: &stored, request, text, confirms: Some(id), ..case };
        let claim = Claim { turn, proof: Proof::Proven, ..claim };
        if let Some(refusal) = self.timely(&case, &claim)? {
            return Ok(refusal);
        }
        if let Some(refusal) = self.over_limits(&mut case, &claim)? {
            return Ok(refusal);
        }
        self.file(&case, &claim)
    }

    fn nothing_found(&mut self, case: &Case, claim: &Claim) -> Result<Judged> {
        let mut text = match case.text.orders_below {
            true => "No new orders were found above the marker line or the quoted mail. What \
                     stands below looks like orders, but old and new can't be told apart \
                     there, so nothing was filed. Write your orders at the top."
                .to_owned(),
            false => {
                "No orders and no command were found in your mail; nothing was changed.".to_owned()
            }
        };
        for part in &case.parsed.left_out {
            text += &format!(" It had {part}.");
        }
        text += &format!(" {}", forms());
        self.tell(case, claim, Verdict::Rejected, "no-orders", "no orders found", text)
    }

    /// Refuses a card for another turn than the open one, or after the deadline.
    fn timely(&mut self, case: &Case, claim: &Claim) -> Result<Option<Judged>> {
        let game = &claim.game;
        let turn = claim.turn.unwrap_or(game.turn);
        let late = game.deadline.is_some_and(|d| case.stored.received_at > d);
        let (reason, subject, text) = match () {
            () if game.status == Status::Over => {
                ("game-over", "the game is over", "The game is over; orders have no effect.".into())
            }
            () if turn < game.turn => (
                "passed-turn",
                "not applied: the turn has passed",
                format!(
                    "These orders are for turn {turn}, which has run. They were not applied. \
                     Turn {} is open; your orders on file for it are below. Send a new card in \
                     answer to this mail.",
                    game.turn
                ),
            ),
            () if turn > game.turn => (
                "future-turn",
                "not applied: the turn is not open yet",
                format!("These orders are for turn {turn}; turn {} is open.", game.turn),
            ),
            () if late => (
                "late",
                "not applied: too late",
                format!(
                    "These orders came {}, after the deadline of turn {}. They were not \
                     applied. The printout that follows opens turn {}; answer it.",
                    schedule::local(case.stored.received_at, &claim.seat.zone),
                    game.turn,
                    game.turn + 1
                ),
            ),
            () => return Ok(None),
        };
        let mut judged = self.judged(case, Verdict::Rejected, reason, &text);
        (judged.seat, judged.turn) = (Some((game.code.clone(), claim.seat.seat)), Some(turn));
        let mails = match game.status {
            Status::Over => {
                self.to_player(case, claim, subject, format!("{MARKER}\n\n{}", para(&text)))
            }
            _ => {
                let judgement = self.on_file(claim)?;
                let body = self.echo(case, claim, &text, "Orders on file", &judgement, &[]);
                self.to_player(case, claim, subject, body)
            }
        };
        self.reply(case, &mut judged, mails)?;
        Ok(Some(judged))
    }

    /// §1 item 7: the registered address is asked, and nothing else happens.
    fn hold_card(&mut self, case: &Case, claim: &Claim) -> Result<Judged> {
        let (game, seat) = (&claim.game, &claim.seat);
        let (reason, what) = match claim.proof {
            Proof::OtherAddress => ("other-address", "from an address that is not registered"),
            _ => ("unproven", "without the secret of your seat"),
        };
        let hour = case.now - SignedDuration::from_hours(1);
        if self.store.held_since(&game.code, seat.seat, hour)? >= HELD_AN_HOUR {
            // Somebody else's flood is no reason to flood the player.
            let why = "an unproven card, over the hourly number of questions to the player";
            return Ok(self.judged(case, Verdict::Ignored, reason, why));
        }
        let secret = self.store.key().confirm(&game.code, seat.seat, case.stored.id);
        let mut body = format!("{MARKER}\n\n");
        body += &para(&format!(
            "A card for your seat came {what}. It is held and has no effect. If it is yours, \
             answer this mail with the one word YES; if not, do nothing."
        ));
        body.push('\n');
        for (line, text) in case.request.card.lines.iter().take(HELD_LINES_SHOWN) {
            let text: String = text.chars().filter(|c| !c.is_control()).take(120).collect();
            body += &format!("{SAFE}{line:>3}  {text}\n");
        }
        body.push('\n');
        body += &para(&self.due_line(game, &seat.zone, case.now));
        let letter = Letter {
            kind: "confirm",
            to: &seat.address,
            turn: game.turn,
            subject: "is this card yours?".to_owned(),
            text: body,
            attachments: Vec::new(),
            answers: None,
            cause: case.stored.id.to_string(),
            reply: Some(format!("confirm.{}.{}.{secret}", game.code, seat.seat)),
        };
        let mail = self.seat_mail(seat, letter, case.now);
        let mut judged = self.judged(case, Verdict::Held, reason, what);
        (judged.seat, judged.turn) = (Some((game.code.clone(), seat.seat)), Some(game.turn));
        self.reply(case, &mut judged, mail.into_iter().collect())?;
        Ok(judged)
    }

    fn over_limits(&mut self, case: &mut Case, claim: &Claim) -> Result<Option<Judged>> {
        let limits = self.limits.clone();
        let lines = case.request.card.lines.len();
        let long =
            case.request.card.lines.iter().find(|l| l.1.chars().count() > limits.line_chars_max);
        let hour = case.now - SignedDuration::from_hours(1);
        let cards = self.store.cards_since(&claim.game.code, claim.seat.seat, hour)?;
        let (reason, text) = match () {
            () if lines > limits.card_lines_max => (
                "too-many-lines",
                format!(
                    "Your card has {lines} lines; a card has at most {}. Nothing was filed. Send \
                     the orders in two mails, the second with ADD as its first line.",
                    limits.card_lines_max
                ),
            ),
            () if long.is_some() => {
                let line = long.map_or(0, |l| l.0);
                let most = limits.line_chars_max;
                (
                    "long-line",
                    format!("Line {line} has more than {most} characters. Nothing was filed."),
                )
            }
            () if cards >= limits.cards_per_hour => (
                "too-many-cards",
                format!(
                    "This is more than {} cards within an hour. Nothing was filed; wait a while.",
                    limits.cards_per_hour
                ),
            ),
            () => return Ok(None),
        };
        self.tell(case, claim, Verdict::Rejected, reason, "nothing filed", text).map(Some)
    }

    /// Files, appends, withdraws or only checks a card, and echoes it.
    fn file(&mut self, case: &Case, claim: &Claim) -> Result<Judged> {
        let (game, seat) = (&claim.game, &claim.seat);
        let before = self.store.orders(&game.code, seat.seat, game.turn)?;
        let sent = case.request.card.clone();
        let command = case.request.command.clone();
        let card = match command {
            Some(Command::Add) => joined(before.as_ref().map(|b| &b.card), &sent),
            Some(Command::Cancel) => CardText::default(),
            _ => sent,
        };
        if card.lines.len() > self.limits.card_lines_max {
            let text = format!(
                "With these lines your orders on file would be {}; a card has at most {}. \
                 Nothing was added.",
                card.lines.len(),
                self.limits.card_lines_max
            );
            return self.tell(
                case,
                claim,
                Verdict::Rejected,
                "too-many-lines",
                "nothing added",
                text,
            );
        }
        let judgement = self.judge_card(claim, &card)?;
        let checked = command == Some(Command::Check);
        let receipt = case.stored.id;
        let (reason, subject, outcome, title) = match command {
            Some(Command::Check) => (
                "checked",
                "checked, not filed",
                "This card was checked and not filed. Your orders on file are as before."
                    .to_owned(),
                "The card as it would stand",
            ),
            Some(Command::Add) => (
                "added",
                "orders added",
                format!("Your lines were added to the orders on file. Receipt {receipt}."),
                "All orders on file",
            ),
            Some(Command::Cancel) => (
                "cancelled",
                "orders withdrawn",
                format!("Your orders were withdrawn; none are on file. Receipt {receipt}."),
                "Orders on file",
            ),
            _ => (
                "filed",
                "orders on file",
                format!("Your orders are on file. Receipt {receipt}."),
                "All orders on file",
            ),
        };
        let outcome = match (case.confirms, &before) {
            (Some(_), _) => format!("{outcome} It was held before and is confirmed now."),
            (None, Some(old)) if reason == "filed" && !old.card.lines.is_empty() => {
                format!("{outcome} It replaces the card that was on file.")
            }
            _ => outcome,
        };
        let seals: Vec<(crate::engine::Seal, String)> = match checked {
            true => Vec::new(),
            false => judgement
                .seals
                .iter()
                .map(|s| (s.clone(), format!("{:016x}", self.entropy.word())))
                .collect(),
        };
        let digest = |(seal, nonce): &(crate::engine::Seal, String)| {
            let digest = sha256_hex(format!("{nonce} {}", seal.text).as_bytes());
            format!("Seal {}: SHA-256 {digest}", seal.key)
        };
        let sealed: Vec<String> = seals.iter().map(digest).collect();
        let body = self.echo(case, claim, &outcome, title, &judgement, &sealed);
        let mails = self.to_player(case, claim, subject, body);
        let mut judged = self.judged(case, Verdict::Accepted, reason, &outcome);
        judged.seat = Some((game.code.clone(), seat.seat));
        judged.turn = Some(game.turn);
        judged.confirms = case.confirms;
        if !checked {
            (judged.orders, judged.seals) = (Some(card), seals);
        }
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    fn judge_card(&mut self, claim: &Claim, card: &CardText) -> Result<Judgement> {
        let open = self.open(&claim.game)?;
        let seat = claim.seat.seat;
        self.shielded(&claim.game.code, || open.judge(seat, card))
    }

    /// The judgement of what is on file now.
    fn on_file(&mut self, claim: &Claim) -> Result<Judgement> {
        let (game, seat) = (&claim.game, &claim.seat);
        let filed = self.store.orders(&game.code, seat.seat, game.turn)?;
        self.judge_card(claim, &filed.map(|f| f.card).unwrap_or_default())
    }

    fn status(&mut self, case: &Case, claim: &Claim) -> Result<Judged> {
        let judgement = self.on_file(claim)?;
        let body =
            self.echo(case, claim, "This is where you stand.", "Orders on file", &judgement, &[]);
        let mut judged = self.judged(case, Verdict::Accepted, "status", "status sent");
        judged.seat = Some((claim.game.code.clone(), claim.seat.seat));
        // A status shows orders, so it goes to the registered address alone.
        let mails = self.to_registered(case, claim, "status", body);
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// The rulebook: its contents, or a chapter by number or by a word of its title.
    fn rules(&mut self, case: &Case, claim: &Claim, chapter: Option<&str>) -> Result<Judged> {
        let open = self.open(&claim.game)?;
        let book = self.shielded(&claim.game.code, || open.rulebook())?;
        let nobody = |_: Seat| String::new();
        let (chosen, found) = match chapter {
            None => (Vec::new(), true),
            Some("ALL") => (book.clone(), true),
            Some(word) => {
                let number = format!("{}.", word.trim_end_matches('.'));
                let fits = |s: &&Section| {
                    let title = s.heading.to_uppercase();
                    title.starts_with(&format!("{number} "))
                        || title.split(|c: char| !c.is_alphanumeric()).any(|w| w == word)
                };
                let found: Vec<Section> = book.iter().filter(fits).cloned().collect();
                let any = !found.is_empty();
                (found, any)
            }
        };
        let mut text = match (book.is_empty(), found) {
            (true, _) => "This game has no rulebook by mail.\n".to_owned(),
            (_, false) => "There is no such chapter.\n".to_owned(),
            (_, true) => sections(&chosen, &nobody),
        };
        if chosen.is_empty() && !book.is_empty() {
            text += "The chapters of the rulebook; RULES with a number or a word sends one, \
                     RULES ALL sends all.\n\n";
            book.iter().for_each(|s| text += &format!("{SAFE}{}\n", s.heading));
        }
        self.tell(case, claim, Verdict::Accepted, "rules", "the rules", text)
    }

    /// Sets the language of messages, or says which there are.
    fn choose_language(
        &mut self,
        case: &Case,
        claim: &Claim,
        code: Option<&str>,
    ) -> Result<Judged> {
        let known = self.engine(&claim.game.engine)?.languages();
        let list = known.join(", ");
        let Some(code) = code.filter(|c| known.contains(c)) else {
            let now = match claim.seat.language.as_str() {
                "" => known.first().copied().unwrap_or("en"),
                code => code,
            };
            let text = format!(
                "Messages of other players come to you in {now}. There are: {list}. LANG with one \
                 of these codes chooses it."
            );
            return self.tell(case, claim, Verdict::Accepted, "language", "languages", text);
        };
        if claim.proof != Proof::Proven {
            let text = "That needs the secret: answer a printout or an echo with it.".to_owned();
            return self.tell(case, claim, Verdict::Rejected, "language", "languages", text);
        }
        let text = format!("From the next printout on messages come to you in {code}.");
        let mut judged =
            self.tell(case, claim, Verdict::Accepted, "language", "language changed", text)?;
        judged.language = Some(code.to_owned());
        Ok(judged)
    }

    /// Sends a printout again: the same text under a new id, to the registered
    /// address.
    fn resend(&mut self, case: &Case, claim: &Claim, turn: Option<Turn>) -> Result<Judged> {
        let (code, seat) = (claim.game.code.clone(), claim.seat.seat);
        let turn = turn.unwrap_or(claim.game.turn);
        let Some(bytes) = self.store.printout(&code, seat, turn)? else {
            let text = format!("There is no printout of turn {turn} for your seat.");
            return self.tell(
                case,
                claim,
                Verdict::Rejected,
                "no-printout",
                "no such printout",
                text,
            );
        };
        let text = mime::parse(&bytes).ok().map(|m| {
            m.lines
                .0
                .into_iter()
                .map(|(d, l)| format!("{}{l}\n", ">".repeat(d)))
                .collect::<String>()
        });
        let subject = format!("your printout of turn {turn}, sent again");
        let mails = self.to_registered(case, claim, &subject, text.unwrap_or_default());
        let mut judged = self.judged(case, Verdict::Accepted, "resent", "printout sent again");
        judged.seat = Some((code, seat));
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    // ---- what is written

    fn echo(
        &self,
        case: &Case,
        claim: &Claim,
        outcome: &str,
        title: &str,
        judgement: &Judgement,
        seals: &[String],
    ) -> String {
        let (game, seat) = (&claim.game, &claim.seat);
        let mut facts = vec![
            format!("Game {}, turn {}, seat {}.", game.code, game.turn, seat.seat),
            format!("Received {}.", schedule::local(case.stored.received_at, &seat.zone)),
            self.due_line(game, &seat.zone, case.now),
        ];
        if game.status == Status::Held {
            facts.push("The game is held by the game master; its turn does not run now.".into());
        }
        for part in &case.parsed.left_out {
            facts.push(format!("Your mail had {part}."));
        }
        let hints = vec![
            "A new card in answer to this mail replaces all orders on file; ADD as its first \
             line appends, CANCEL withdraws, CHECK judges without filing."
                .to_owned(),
        ];
        Echo { outcome: outcome.to_owned(), facts, title, judgement, seals: seals.to_vec(), hints }
            .text()
    }

    /// To the sender, and to the registered address when that is another.
    fn to_player(
        &self,
        case: &Case,
        claim: &Claim,
        subject: &str,
        body: String,
    ) -> Vec<QueuedMail> {
        let other = claim.proof == Proof::Proven && !same_address(&case.from, &claim.seat.address);
        let mut mails = self.to_registered(case, claim, subject, body.clone());
        if other {
            mails.extend(self.letter(case, claim, subject, body, &case.from));
        }
        mails
    }

    fn to_registered(
        &self,
        case: &Case,
        claim: &Claim,
        subject: &str,
        body: String,
    ) -> Vec<QueuedMail> {
        let address = claim.seat.address.clone();
        self.letter(case, claim, subject, body, &address).into_iter().collect()
    }

    fn letter(
        &self,
        case: &Case,
        claim: &Claim,
        subject: &str,
        text: String,
        to: &str,
    ) -> Option<QueuedMail> {
        let letter = Letter {
            kind: "echo",
            to,
            turn: claim.game.turn,
            subject: subject.to_owned(),
            text,
            attachments: Vec::new(),
            answers: case.parsed.message_id.as_deref(),
            cause: format!("{} {to}", case.stored.id),
            reply: None,
        };
        self.seat_mail(&claim.seat, letter, case.now)
    }

    /// A short answer to a seat's player.
    fn tell(
        &mut self,
        case: &Case,
        claim: &Claim,
        verdict: Verdict,
        reason: &'static str,
        subject: &str,
        text: String,
    ) -> Result<Judged> {
        let mut body = format!("{MARKER}\n\n{}\n", wrapped(&text));
        body += &para(&self.due_line(&claim.game, &claim.seat.zone, case.now));
        let mut judged = self.judged(case, verdict, reason, &text);
        judged.seat = Some((claim.game.code.clone(), claim.seat.seat));
        judged.turn = Some(claim.game.turn);
        let mails = self.to_player(case, claim, subject, body);
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// Adds the replies to a verdict, within the budget of the address.
    fn reply(&mut self, case: &Case, judged: &mut Judged, mails: Vec<QueuedMail>) -> Result<()> {
        let hour = case.now - SignedDuration::from_hours(1);
        for mail in mails {
            if self.store.replies_since(&mail.mail.to, hour)? < self.limits.replies_per_hour {
                judged.mails.push(mail);
            } else {
                judged.why += " (not answered: over the hourly budget of the address)";
            }
        }
        Ok(())
    }

    fn judged(&self, case: &Case, verdict: Verdict, reason: &'static str, why: &str) -> Judged {
        Judged { digest: case.digest.clone(), ..silent(verdict, reason, why, &case.from) }
    }

    fn help_text(&self, topic: Option<&str>, topics: &[Topic]) -> String {
        let mut out = String::new();
        if let Some(found) = topic.and_then(|t| topics.iter().find(|x| x.word == t)) {
            out += &format!("{}\n\n{}\n", found.title, para(&found.text));
            found.examples.iter().for_each(|e| out += &format!("{SAFE}{e}\n"));
            return out;
        }
        out += "How to play by mail\n\n";
        out += &para(
            "Answer a printout or an echo with your orders, one a line, above the marker line. \
             Within seconds an echo returns every line with its judgement and shows all orders \
             on file. Until the deadline you may send as many cards as you like; the last one \
             counts. After the deadline the printout of the turn comes by mail.",
        );
        out += "\nCommands, as the first line of a mail:\n";
        COMMANDS.iter().for_each(|(_, form, what)| out += &format!("{SAFE}{form:<16} {what}\n"));
        if !topics.is_empty() {
            out += "\nOrders of this game:\n";
            topics.iter().for_each(|t| out += &format!("{SAFE}{}\n", t.title));
        }
        out
    }
}

/// Paragraphs that are wrapped already stay; others are wrapped.
fn wrapped(text: &str) -> String {
    if text.contains('\n') { text.to_owned() } else { para(text) }
}

fn forms() -> String {
    let words: Vec<&str> = COMMANDS.iter().map(|c| c.0).collect();
    format!("Commands are {}.", words.join(", "))
}

/// A verdict that causes nothing else.
fn silent(verdict: Verdict, reason: &'static str, why: &str, from: &str) -> Judged {
    Judged {
        verdict,
        reason,
        why: why.to_owned(),
        seat: None,
        turn: None,
        sender: from.to_owned(),
        digest: String::new(),
        orders: None,
        seals: Vec::new(),
        language: None,
        confirms: None,
        mails: Vec::new(),
    }
}

/// The orders on file with new lines behind them, numbered on.
fn joined(before: Option<&CardText>, added: &CardText) -> CardText {
    let mut lines = before.map(|c| c.lines.clone()).unwrap_or_default();
    let last = lines.last().map_or(0, |l| l.0);
    let first = added.lines.first().map_or(1, |l| l.0);
    lines.extend(added.lines.iter().map(|(n, text)| (last + 1 + n - first, text.clone())));
    CardText { lines }
}

/// Identity of a mail's content: what every copy of it shares, whatever trace
/// fields its way added.
fn content_digest(parsed: &ParsedMail, bytes: &[u8]) -> String {
    let body = bytes.windows(4).position(|w| w == b"\r\n\r\n").map(|i| i + 4);
    let body = body.or_else(|| bytes.windows(2).position(|w| w == b"\n\n").map(|i| i + 2));
    let field = |name: &str| parsed.header(name).unwrap_or_default().to_owned();
    let head = ["Message-ID", "From", "To", "Subject", "Date"].map(field).join("\n");
    let mut all = head.into_bytes();
    // Line ends differ between copies that took different ways.
    all.extend(bytes[body.unwrap_or(0)..].iter().filter(|b| **b != b'\r'));
    sha256_hex(&all)
}

fn log_verdict(mail: i64, judged: &Judged) {
    let (game, seat) = match &judged.seat {
        Some((game, seat)) => (game.as_str(), seat.0),
        None => ("", 0),
    };
    let (verdict, reason) = (judged.verdict.word(), judged.reason);
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
