//! One mail to one verdict, with everything that it causes, in one commit.
//!
//! Here is the way of a mail; `sender` tells whose it is, `card` files or holds
//! its orders, `settings` changes what a player chooses, `people` is joining and
//! leaving, `commands` tells, `gm` is the game master's, `relay` forwards, `returned`
//! reads bounces, `replies` writes what goes back, `explain` says why.

mod card;
mod commands;
mod explain;
mod master;
mod people;
mod relay;
mod replies;
mod returned;
mod sender;
mod settings;

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::{SignedDuration, Timestamp};

use crate::card::{Command, Request, subject_tag};
use base::secrets::sha256_hex;
use engine::{Engine, Seat, Turn};
use mail::auth::Authenticity;
use mail::body::{Lines, NewText};
use mail::mime::{Author, ParsedMail, Unreadable, same_address};
use mail::{hygiene, quoting};
use replies::forms;

pub use commands::command_list;
use store::{Effect, Game, Judged, Reader, SeatRow, Status, StoredMail, Verdict};

use crate::context::{Context, Result, RobotError};
use crate::games::Games;
use crate::mailer::Mailer;
use crate::printouts::Printer;

/// A seat that a mail speaks for, and what proves it.
pub(crate) struct Claim {
    pub(crate) game: Game,
    pub(crate) seat: SeatRow,
    /// Turn that the mail answers or names.
    pub(crate) turn: Option<Turn>,
    /// The card itself names that turn.
    pub(crate) named: bool,
    pub(crate) proof: Proof,
}

/// How far a mail is proven to come from a seat's player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
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
pub(crate) struct Case<'a> {
    pub(crate) stored: &'a StoredMail,
    pub(crate) parsed: &'a ParsedMail,
    pub(crate) from: String,
    pub(crate) request: Request,
    pub(crate) text: NewText,
    pub(crate) now: Timestamp,
    /// A held mail that this one confirms; its card is judged in its place.
    pub(crate) confirms: Option<i64>,
    pub(crate) digest: String,
    /// What the mail's domain says of it.
    pub(crate) authentic: Authenticity,
}

/// Judges mails. It reads alone: what a mail causes is its [`Decision`], which the one commit
/// of its verdict carries out.
#[derive(Clone, Copy)]
pub struct Intake<'a> {
    cx: &'a Context,
    store: &'a Reader,
}

/// What was decided of a mail.
#[derive(Debug, Clone)]
pub struct Decision {
    /// The verdict with everything that it changes and sends.
    pub judged: Judged,
    /// What the game master, who is proven, commands; its answer is still to be written.
    pub command: Option<String>,
}

impl From<Judged> for Decision {
    fn from(judged: Judged) -> Self {
        Self { judged, command: None }
    }
}

/// A mail as its reader took it apart, or why it is none.
pub type Taken = std::result::Result<ParsedMail, Unreadable>;

impl<'a> Intake<'a> {
    /// A judge over a store.
    pub fn new(cx: &'a Context, store: &'a Reader) -> Self {
        Self { cx, store }
    }

    fn games(&self) -> Games<'a> {
        Games::new(self.cx, self.store)
    }

    fn mailer(&self) -> Mailer<'a> {
        Mailer::new(self.cx, self.store)
    }

    fn printer(&self) -> Printer<'a> {
        Printer::new(self.cx, self.store)
    }

    /// Decides about a mail that was taken apart; `None`: it could not be, too often.
    ///
    /// # Errors
    /// [`RobotError`]; a panic is one that costs this mail an attempt, and no more.
    pub fn judge(&self, mail: &StoredMail, taken: Option<&Taken>) -> Result<Decision> {
        let Some(taken) = taken else {
            let why = "reading it failed three times; look at it with \"fieldpost mail show\"";
            return Ok(silent(Verdict::Quarantined, "unreadable", why, "").into());
        };
        let decided = catch_unwind(AssertUnwindSafe(|| self.decide(mail, taken)));
        decided.unwrap_or_else(|_| {
            Err(RobotError::Refused("reading the mail failed inside the program".to_owned()))
        })
    }

    fn decide(&self, mail: &StoredMail, taken: &Taken) -> Result<Decision> {
        let parsed = match taken {
            Ok(parsed) => parsed,
            Err(e) => {
                return Ok(silent(Verdict::Quarantined, "no-mail", &e.to_string(), "").into());
            }
        };
        let digest = content_digest(parsed, &mail.bytes);
        let done = |verdict, reason, why: &str, from: &str| {
            Ok(Judged { digest: digest.clone(), ..silent(verdict, reason, why, from) }.into())
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
        if let Some(judged) = self.returned(parsed, &digest)? {
            return Ok(judged.into());
        }
        if let Some(reason) = hygiene::automatic(parsed, &self.cx.identity.address) {
            let why = "automatic mail is never answered";
            let silent = done(Verdict::Ignored, reason, why, "");
            return match reason {
                "mailing-list" => self.through_a_list(mail, parsed, digest).map(Decision::from),
                _ => silent,
            };
        }
        let from = match &parsed.author {
            Author::One(address) => address.clone(),
            Author::Missing => {
                return done(Verdict::Quarantined, "no-from", "no From with an address", "");
            }
            Author::Several => {
                let why = "several From addresses; nobody can be answered or trusted";
                return done(Verdict::Quarantined, "several-from", why, "");
            }
        };
        let mut case = Case {
            stored: mail,
            parsed,
            from,
            request: Request::default(),
            text: NewText::default(),
            now: self.cx.now(),
            confirms: None,
            digest,
            authentic: self.authentic(mail, parsed),
        };
        if mail.size > self.cx.limits.mail_bytes_max {
            return self.too_large(&case).map(Decision::from);
        }
        let about = self.about(parsed, &case.from)?;
        case.text = about.new_text(&parsed.lines);
        let lines = about.written(&case.text);
        case.request = about.read(&lines);
        if let Some(refusal) = self.join_attachment(&mut case, &about)? {
            return Ok(refusal.into());
        }
        self.settle(case)
    }

    /// What is known of a mail's origin, from wherever the config says.
    fn authentic(&self, mail: &StoredMail, parsed: &ParsedMail) -> Authenticity {
        match &self.cx.trusted {
            Some(authserv_id) => mail::auth::from_header(parsed, authserv_id),
            None => mail.authenticity,
        }
    }

    /// Orders in an attached text file count when there are none in the mail itself;
    /// different ones in both are refused.
    fn join_attachment(&self, case: &mut Case, about: &About) -> Result<Option<Judged>> {
        let Some(file) = &case.parsed.attached else { return Ok(None) };
        let text = about.new_text(file);
        let attached = about.read(&about.written(&text));
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

    /// What a mail is about, as far as it shows before anything is proven: the seat of its
    /// address or its subject, else the first seat of whom it says it is from.
    fn about(&self, parsed: &ParsedMail, from: &str) -> Result<About> {
        let detail = self.details(parsed).into_iter().find_map(|d| match d.as_slice() {
            [game, seat, _] => Some((game.clone(), seat.parse().ok().map(Seat)?)),
            _ => None,
        });
        let named = detail.or_else(|| subject_tag(&parsed.subject).map(|(g, _, s)| (g, s)));
        let named = match named {
            Some(named) => Some(named),
            None => self.store.seats_of(from)?.first().map(|s| (s.game.clone(), s.seat)),
        };
        let Some((code, seat)) = named else { return Ok(self.about_any()) };
        match self.store.game(&code)? {
            Some(game) => Ok(self.about_seat(&game, seat)),
            None => Ok(self.about_any()),
        }
    }

    fn about_any(&self) -> About {
        About { card: String::new(), engines: self.cx.engines.to_vec() }
    }

    fn about_seat(&self, game: &Game, seat: Seat) -> About {
        let engine = self.games().engine(&game.engine).ok();
        let engines = engine.map_or_else(|| self.cx.engines.to_vec(), |e| vec![e]);
        About { card: format!("{} T{} S{seat}", game.code, game.turn), engines }
    }

    fn settle(&self, case: Case) -> Result<Decision> {
        for detail in self.details(case.parsed) {
            let detail: Vec<String> = detail.iter().map(|d| d.to_lowercase()).collect();
            let detail: Vec<&str> = detail.iter().map(String::as_str).collect();
            match detail.as_slice() {
                ["yes", id, secret] => return self.answered(&case, id, secret).map(Decision::from),
                ["gm", secret] => return self.by_game_master(&case, Some(secret)),
                ["to", game, to, from, secret] => {
                    let alias = ((*game).to_owned(), (*to).to_owned(), (*from).to_owned());
                    return self.relay(&case, alias, secret).map(Decision::from);
                }
                ["stop", game, seat, secret] => {
                    return self.stop_reminders(&case, game, seat, secret).map(Decision::from);
                }
                _ => {}
            }
        }
        if let [Command::Gm(_), ..] = case.request.commands.as_slice()
            && same_address(&case.from, &self.cx.gm)
        {
            return self.by_game_master(&case, None);
        }
        let identity = self.identify(&case)?;
        let proven = matches!(&identity, Identity::Seat(c) if c.proof == Proof::Proven);
        if !proven && let Some(judged) = self.flood(&case)? {
            return Ok(judged.into());
        }
        let judged = match identity {
            Identity::Seat(claim) => self.for_seat(case, *claim),
            Identity::Refused(reason) => self.refused(&case, reason),
            Identity::Ambiguous(seats) => {
                if let Some(judged) = self.for_anybody(&case)? {
                    return Ok(judged.into());
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
        };
        judged.map(Decision::from)
    }

    /// Mails that nothing proves are neither read nor kept over a number an hour; who
    /// writes them in a player's name does not keep that player out.
    fn flood(&self, case: &Case) -> Result<Option<Judged>> {
        let hour = case.now - SignedDuration::from_hours(1);
        if self.store.unproven_since(&case.from, hour)? < self.cx.limits.mails_per_hour {
            return Ok(None);
        }
        let why = "too many unproven mails from this address within an hour; not read, not kept";
        let mut judged = self.judged(case, Verdict::Ignored, "flood", why);
        judged.effects.push(Effect::Shred(case.stored.id));
        Ok(Some(judged))
    }

    fn for_seat(&self, case: Case, claim: Claim) -> Result<Judged> {
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
    fn act(&self, mut case: Case, claim: &Claim) -> Result<Judged> {
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
        let about = self.about_seat(&claim.game, claim.seat.seat);
        let orders = |l: &(u32, String)| about.starts_order(&l.1);
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
    fn orders(&self, case: &mut Case, claim: &Claim, notes: &[String]) -> Result<Judged> {
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

/// What a mail is about: how its new text is told from the rest, and orders from words.
struct About {
    /// Name of the blank card whose typed-in lines are read; empty: none.
    card: String,
    /// The engine of its game, or all where no game shows.
    engines: Vec<&'static dyn Engine>,
}

impl About {
    fn starts_order(&self, line: &str) -> bool {
        self.engines.iter().any(|e| e.starts_order(line))
    }

    fn new_text(&self, lines: &Lines) -> NewText {
        lines.new_text(&self.card, &|line| self.starts_order(line))
    }

    fn read(&self, lines: &[String]) -> Request {
        Request::read(lines, &|line| self.starts_order(line))
    }

    /// The lines of a card: what stands above the original, and what was typed into the
    /// quoted card; what stands below only when there is nothing else.
    fn written(&self, text: &NewText) -> Vec<String> {
        let says = |lines: &[String]| lines.iter().any(|l| !l.trim().is_empty());
        if !says(&text.above) {
            return match text.in_card.is_empty() {
                true => text.below.clone(),
                false => text.in_card.clone(),
            };
        }
        let all: Vec<String> = text.above.iter().chain(&text.in_card).cloned().collect();
        match says(&text.below) && self.read(&all).is_empty() {
            true => text.above.iter().chain(&text.below).cloned().collect(),
            false => all,
        }
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
        alarms: Vec::new(),
    }
}

/// Identity of a mail's content: what every copy of it shares, whatever trace
/// fields its way added.
pub(crate) fn content_digest(parsed: &ParsedMail, bytes: &[u8]) -> String {
    let body = bytes.windows(4).position(|w| w == b"\r\n\r\n").map(|i| i + 4);
    let body = body.or_else(|| bytes.windows(2).position(|w| w == b"\n\n").map(|i| i + 2));
    let field = |name: &str| parsed.header(name).unwrap_or_default().to_owned();
    let head = ["Message-ID", "From", "To", "Subject", "Date"].map(field).join("\n");
    let mut all = head.into_bytes();
    // Line ends differ between copies that took different ways.
    all.extend(bytes[body.unwrap_or(0)..].iter().filter(|b| **b != b'\r'));
    sha256_hex(&all)
}
