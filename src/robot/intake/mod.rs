//! One mail to one verdict, with everything that it causes, in one commit.
//!
//! Here is the way of a mail; `sender` tells whose it is, `card` files or holds
//! its orders, `commands` answers the rest, `replies` writes what goes back.

mod card;
mod commands;
mod replies;
mod sender;

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::Timestamp;

use super::{Result, Robot, RobotError};
use crate::card::{Command, Request, subject_tag};
use crate::engine::{Seat, Turn};
use crate::mail::body::NewText;
use crate::mail::mime::{self, ParsedMail, Sender};
use crate::mail::{RawMessage, hygiene};
use crate::secrets::sha256_hex;
use crate::store::{Game, Judged, SeatRow, Status, StoredMail, Verdict};
use replies::forms;

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
