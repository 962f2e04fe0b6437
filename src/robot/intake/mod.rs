//! One mail to one verdict, with everything that it causes, in one commit.
//!
//! Here is the way of a mail; `sender` tells whose it is, `card` files or holds
//! its orders, `settings` changes what a player chooses, `people` is joining and
//! leaving, `commands` tells, `gm` is the game master's, `relay` forwards, `returned`
//! reads bounces, `replies` writes what goes back, `explain` says why.

mod card;
mod commands;
mod explain;
mod gm;
mod people;
mod relay;
mod replies;
mod returned;
mod sender;
mod settings;

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::{SignedDuration, Timestamp};

use super::{Result, Robot, RobotError, refuse};
use crate::card::{Command, Request, subject_tag};
use base::secrets::sha256_hex;
use engine::{Seat, Turn};
use mail::auth::Authenticity;
use mail::body::{NewText, looks_like_order};
use mail::mime::{ParsedMail, Sender, same_address};
use mail::reader::ReaderError;
use mail::{RawMessage, hygiene, quoting};
use replies::forms;
use store::{Effect, Game, Judged, SeatRow, Status, StoredMail, Verdict};

/// Verdicts of one commit at most; waiting for the disk is what a commit costs.
const COMMIT_MAX: usize = 32;
/// After so many attempts a mail is set aside for a person.
const ATTEMPTS_MAX: u32 = 3;

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
    /// The address is right, but its domain does not vouch for the mail as the game
    /// asks.
    NotVouched,
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
    /// What the mail's domain says of it.
    authentic: Authenticity,
}

pub use people::is_absent;
pub use settings::plain_name;

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
        // A disk may turn out to be full only when all is to be kept.
        let done = self.judge_each(ids).and_then(|done| {
            self.store.commit()?;
            Ok(done)
        });
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
        done.iter().for_each(|(id, judged)| log_verdict(*id, judged));
        Ok(done.into_iter().map(|(id, _)| id).collect())
    }

    fn judge_each(&mut self, ids: &[i64]) -> Result<Vec<(i64, Judged)>> {
        let mut done = Vec::new();
        for &id in ids {
            let mail = self.store.stored(id)?;
            if self.store.has_verdict(id)? {
                // Another process was faster.
                continue;
            }
            self.store.begin_mail()?;
            let judged = self.judge_mail(&mail).and_then(|judged| {
                self.store.judge(&mail, &judged, self.clock.now())?;
                Ok(judged)
            });
            match judged {
                Ok(judged) => {
                    self.store.keep_mail()?;
                    done.push((id, judged));
                }
                Err(RobotError::Store(e)) if !e.is_about_data() => return Err(e.into()),
                Err(e) => {
                    // What it has done up to there goes with it; it has its next attempt.
                    let attempts = self.store.attempts(id)?;
                    self.store.forget_mail()?;
                    if attempts < mail.attempts {
                        // The machine's fault: it is not counted.
                        self.store.take_back_attempt(id)?;
                    }
                    if let RobotError::Engine(game, why) = &e {
                        self.hold(game, why)?;
                    }
                    tracing::error!(mail = id, error = %e, "mail not judged");
                }
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
        let read = match self.reader.read(&mail.bytes) {
            Ok(read) => read,
            Err(e) => {
                if matches!(e, ReaderError::NotStarted(_)) {
                    // The machine's fault, not the mail's.
                    self.store.take_back_attempt(mail.id)?;
                }
                return refuse(e.to_string());
            }
        };
        let parsed = match read {
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
        if let Some(id) = &parsed.message_id
            && self.store.is_ours(id)?
        {
            return done(Verdict::Ignored, "own-mail", "a mail of this robot came back", "");
        }
        if let Some(judged) = self.returned(&parsed, &digest)? {
            return Ok(judged);
        }
        if let Some(reason) = hygiene::automatic(&parsed, &self.identity.address) {
            let why = "automatic mail is never answered";
            let silent = done(Verdict::Ignored, reason, why, "");
            return match reason {
                "mailing-list" => self.through_a_list(mail, &parsed, digest),
                _ => silent,
            };
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
        let mut case = Case {
            stored: mail,
            parsed: &parsed,
            from,
            request: Request::default(),
            text: NewText::default(),
            now: self.clock.now(),
            confirms: None,
            digest,
            authentic: self.authentic(mail, &parsed),
        };
        if mail.size > self.limits.mail_bytes_max {
            return self.too_large(&case);
        }
        case.text = self.new_text(&case.from, &parsed)?;
        let lines = written(&case.text);
        case.request = Request::read(&lines);
        if let Some(refusal) = self.join_attachment(&mut case)? {
            return Ok(refusal);
        }
        self.settle(case)
    }

    /// What is known of a mail's origin, from wherever the config says.
    fn authentic(&self, mail: &StoredMail, parsed: &ParsedMail) -> Authenticity {
        match &self.trusted {
            Some(authserv_id) => mail::auth::from_header(parsed, authserv_id),
            None => mail.authenticity,
        }
    }

    /// The new text of a mail.
    fn new_text(&self, from: &str, parsed: &ParsedMail) -> Result<NewText> {
        let tag = subject_tag(&parsed.subject);
        Ok(parsed.lines.new_text(&self.open_card(parsed, from, tag.as_ref())?))
    }

    /// Orders in an attached text file count when there are none in the mail itself;
    /// different ones in both are refused.
    fn join_attachment(&mut self, case: &mut Case) -> Result<Option<Judged>> {
        let Some(file) = &case.parsed.attached else { return Ok(None) };
        let tag = subject_tag(&case.parsed.subject);
        let text = file.new_text(&self.open_card(case.parsed, &case.from, tag.as_ref())?);
        let attached = Request::read(&written(&text));
        if attached.wrong.is_some() && case.request.commands.is_empty() {
            case.request.wrong = attached.wrong;
            return Ok(None);
        }
        let same = attached.card.text() == case.request.card.text();
        if attached.card.lines.is_empty() || same {
            return Ok(None);
        }
        if case.request.card.lines.is_empty() {
            let (heading, more) = (&mut case.request.heading, attached.heading);
            heading.game = heading.game.take().or(more.game);
            heading.seat = heading.seat.or(more.seat);
            heading.turn = heading.turn.or(more.turn);
            heading.password = heading.password.take().or(more.password);
            if !case.request.mode_named {
                (case.request.mode, case.request.mode_named) = (attached.mode, attached.mode_named);
            }
            case.request.card = attached.card;
            return Ok(None);
        }
        let text = "Your mail has orders in its text and others in an attached file; which of \
                    them count can't be told, so nothing was filed. Send one of the two.";
        self.answer(case, Verdict::Rejected, "two-cards", text).map(Some)
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

    fn settle(&mut self, case: Case) -> Result<Judged> {
        for detail in self.details(case.parsed) {
            let detail: Vec<String> = detail.iter().map(|d| d.to_lowercase()).collect();
            let detail: Vec<&str> = detail.iter().map(String::as_str).collect();
            match detail.as_slice() {
                ["yes", id, secret] => return self.answered(&case, id, secret),
                ["gm", secret] => return self.by_game_master(&case, Some(secret)),
                ["to", game, to, from, secret] => {
                    let alias = ((*game).to_owned(), (*to).to_owned(), (*from).to_owned());
                    return self.relay(&case, alias, secret);
                }
                ["stop", game, seat, secret] => {
                    return self.stop_reminders(&case, game, seat, secret);
                }
                _ => {}
            }
        }
        if let [Command::Gm(_), ..] = case.request.commands.as_slice()
            && same_address(&case.from, &self.gm)
        {
            return self.by_game_master(&case, None);
        }
        let identity = self.identify(&case)?;
        let proven = matches!(&identity, Identity::Seat(c) if c.proof == Proof::Proven);
        if !proven && let Some(judged) = self.flood(&case)? {
            return Ok(judged);
        }
        match identity {
            Identity::Seat(claim) => self.for_seat(case, *claim),
            Identity::Refused(reason) => self.refused(&case, reason),
            Identity::Ambiguous(seats) => {
                if let Some(judged) = self.for_anybody(&case)? {
                    return Ok(judged);
                }
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

    /// Mails that nothing proves are neither read nor kept over a number an hour; who
    /// writes them in a player's name does not keep that player out.
    fn flood(&mut self, case: &Case) -> Result<Option<Judged>> {
        let hour = case.now - SignedDuration::from_hours(1);
        if self.store.unproven_since(&case.from, hour)? < self.limits.mails_per_hour {
            return Ok(None);
        }
        let why = "too many unproven mails from this address within an hour; not read, not kept";
        let mut judged = self.judged(case, Verdict::Ignored, "flood", why);
        judged.effects.push(Effect::Shred(case.stored.id));
        Ok(Some(judged))
    }

    fn for_seat(&mut self, case: Case, claim: Claim) -> Result<Judged> {
        let yes = case.request.commands.first() == Some(&Command::Yes);
        if yes && claim.proof == Proof::Proven {
            return self.confirmed(case, claim);
        }
        if let Some(judged) = self.for_anybody(&case)? {
            return Ok(judged);
        }
        let mut judged = self.act(case, &claim)?;
        if claim.proof == Proof::Proven && judged.verdict == Verdict::Accepted {
            // A mail that came from there shows that the address is well.
            judged.effects.push(Effect::Reachable(claim.seat.address.clone()));
        }
        Ok(judged)
    }

    /// Does what a mail of a seat asks for.
    fn act(&mut self, mut case: Case, claim: &Claim) -> Result<Judged> {
        if case.request.two_cards {
            let text = "Your mail holds two cards, for two seats; nothing was filed. Send each \
                        in a mail of its own.";
            return self.tell(
                &case,
                claim,
                Verdict::Rejected,
                "two-cards",
                "two cards",
                text.into(),
            );
        }
        if let Some((word, right)) = case.request.meant.clone() {
            let text = format!(
                "{word:?} is no command in that form; is this meant? {right}\n\nNothing was done. {}",
                forms()
            );
            let subject = "unknown command";
            return self.tell(&case, claim, Verdict::Rejected, "unknown-command", subject, text);
        }
        if let Some(why) = case.request.wrong.clone() {
            let subject = "a card that can't be read";
            return self.tell(&case, claim, Verdict::Rejected, "bad-json", subject, why);
        }
        if case.request.is_empty() {
            return self.nothing_found(&case, claim);
        }
        let orders = |l: &(u32, String)| looks_like_order(&l.1);
        if quoting::is_away(&case.parsed.subject)
            && case.request.commands.is_empty()
            && !case.request.mode_named
            && !case.request.card.lines.iter().any(orders)
        {
            let why = "a vacation reply without any sign but its subject";
            return Ok(self.judged(&case, Verdict::Ignored, "away", why));
        }
        if case.request.changes() && claim.proof != Proof::Proven {
            return self.hold_card(&case, claim);
        }
        let done = self.settings(&case, claim)?;
        let orders = case.request.mode_named || !case.request.card.lines.is_empty();
        let asked = case.request.commands.iter().find(|c| !c.changes()).cloned();
        let mut notes = done.notes.clone();
        if let Some(dropped) = asked.as_ref().filter(|_| orders || !done.notes.is_empty()) {
            let word = format!("{dropped:?}");
            let word = word.split(['(', ' ']).next().unwrap_or_default().to_uppercase();
            notes.push(format!("{word} was left out: it has an answer of its own; send it alone."));
        }
        let mut judged = match (orders, asked) {
            (true, _) => self.orders(&mut case, claim, &notes)?,
            (false, Some(command)) if done.notes.is_empty() => self.told(&case, claim, &command)?,
            (false, _) => {
                let (verdict, reason) = match done.refused {
                    true => (Verdict::Rejected, "not-changed"),
                    false => (Verdict::Accepted, done.reason),
                };
                let subject = done.subject.clone();
                self.tell(&case, claim, verdict, reason, &subject, notes.join("\n\n"))?
            }
        };
        judged.effects.extend(done.effects);
        self.reply(&case, &mut judged, done.mails)?;
        Ok(judged)
    }

    /// The card of a mail: in time, within limits, filed.
    fn orders(&mut self, case: &mut Case, claim: &Claim, notes: &[String]) -> Result<Judged> {
        if claim.game.status == Status::Open {
            let text = "Your game has not started yet; the first printout will come by mail.";
            let subject = "not started yet";
            return self.tell(case, claim, Verdict::Rejected, "not-started", subject, text.into());
        }
        if let Some(refusal) = self.timely(case, claim)? {
            return Ok(refusal);
        }
        if let Some(refusal) = self.over_limits(case, claim)? {
            return Ok(refusal);
        }
        self.file(case, claim, notes)
    }
}

/// The lines of a card: what stands above the original, and what was typed into the
/// quoted card; what stands below only when there is nothing else.
fn written(text: &NewText) -> Vec<String> {
    let says = |lines: &[String]| lines.iter().any(|l| !l.trim().is_empty());
    if !says(&text.above) {
        return if text.in_card.is_empty() { text.below.clone() } else { text.in_card.clone() };
    }
    let all: Vec<String> = text.above.iter().chain(&text.in_card).cloned().collect();
    match says(&text.below) && Request::read(&all).is_empty() {
        true => text.above.iter().chain(&text.below).cloned().collect(),
        false => all,
    }
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
        effects: Vec::new(),
        mails: Vec::new(),
    }
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
