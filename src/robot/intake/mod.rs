//! From one mail to one verdict, with everything that it causes, in one commit.
//!
//! This file follows a mail from its bytes to what handles it: an answer, the orders on file,
//! a command. `game_master` judges the game master's mails, `explain` says why a mail was
//! judged as it was.

pub(crate) mod explain;
mod game_master;
mod requests;

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::SignedDuration;

use base::secrets::sha256_hex;
use mail::auth::Authenticity;
use mail::body::Lines;
use mail::hygiene::{self, Automatic};
use mail::mime::{Author, ParsedMail, Unreadable, same_address};
use mail::quoting;
use store::{Effect, Judged, Reader, Reason, SeatRow, Standing, Status, StoredMail, Verdict};

use tongue::say;

use crate::card::{Mode, subject_tag};
use crate::commands::{ROWS, reminders};
use crate::context::{Context, Result, RobotError};
use crate::unread;
use crate::verdict::about::{About, HEAD_LINES};
use crate::verdict::answers::Answers;
use crate::verdict::case::{Basis, Case, Claim, GM, Proof, Tools, verdict_alone};
use crate::verdict::letters::{Alias, Letters};
use crate::verdict::machines;
use crate::verdict::pending::{Found, Pending};
use crate::verdict::questions::Questions;
use crate::verdict::read::Reading;
use crate::verdict::returned::Returned;
use crate::verdict::scrub::Scrub;
use crate::verdict::senders::{self, Origin, Senders};
use crate::verdict::untold::passed_over;
use crate::verdict::{changes, choices};
use game_master::GameMaster;

pub use crate::verdict::case::Decision;

/// The most bytes that are kept of a mail with a password when nothing proves the mail.
const UNPROVEN_KEPT: usize = 16_000;
/// Judges mails. It only reads the store: what a mail causes is in its [`Decision`], which the one
/// commit of its verdict carries out.
#[derive(Clone, Copy)]
pub struct Intake<'a> {
    tools: Tools<'a>,
}

/// A mail as its reader took it apart, or why that failed.
pub type Taken = std::result::Result<ParsedMail, Unreadable>;

impl<'a> Intake<'a> {
    /// A judge over a store.
    pub fn new(cx: &'a Context, store: &'a Reader) -> Self {
        Self { tools: Tools { cx, store, rows: ROWS } }
    }

    fn answers(&self) -> Answers<'a> {
        Answers::new(self.tools)
    }

    /// Decides about a mail that was taken apart.
    ///
    /// # Errors
    /// [`RobotError`]; a panic becomes an error that costs this mail an attempt, and nothing more.
    pub fn judge(&self, mail: &StoredMail, taken: &Taken) -> Result<Decision> {
        let decided = catch_unwind(AssertUnwindSafe(|| self.decide(mail, taken)));
        let mut decision = decided.unwrap_or_else(|_| {
            Err(RobotError::Refused("reading the mail failed inside the program".to_owned()))
        })?;
        self.shred(mail, taken, &mut decision.judged);
        Ok(decision)
    }

    /// Makes the store keep a mail without the login passwords in it, whatever its verdict is.
    fn shred(&self, mail: &StoredMail, taken: &Taken, judged: &mut Judged) {
        let removed = |e: &Effect| matches!(e, Effect::Remove(id) if *id == mail.id);
        let Ok(parsed) = taken else { return };
        if judged.effects.iter().any(removed) {
            return;
        }
        if let Some(mut kept) = mail::shred::without_passwords(parsed) {
            if judged.verdict != Verdict::Pending && judged.standing != Standing::Proven {
                kept.truncate(UNPROVEN_KEPT);
            }
            judged.effects.push(Effect::Shred(mail.id, kept));
        }
    }

    /// Judges the card of a seat whose player is known, and files nothing.
    ///
    /// # Errors
    /// [`RobotError`]; nothing was kept.
    pub fn check(&self, mail: &StoredMail, parsed: &ParsedMail, claim: Claim) -> Result<Judged> {
        let mut claim = claim;
        let mut case = Case::new(mail, parsed, claim.seat.address.clone(), self.tools.cx.now());
        case.standing.set(Standing::Proven);
        let language = claim.seat.language.clone();
        self.tools.cx.in_language(&language, || {
            if let Some(refusal) = self.read_whole(&mut case, &mut claim)? {
                return Ok(refusal);
            }
            claim.proof = Proof::Proven;
            if case.request.mode == Mode::File {
                case.request.mode = Mode::Check;
            }
            self.for_seat(&case, &claim)
        })
    }

    fn decide(&self, mail: &StoredMail, taken: &Taken) -> Result<Decision> {
        let parsed = match taken {
            Ok(parsed) => parsed,
            Err(e) => {
                return Ok(
                    verdict_alone(Verdict::Quarantined, Reason::NoMail, &e.to_string(), "").into()
                );
            }
        };
        let digest = content_digest(parsed, &mail.bytes);
        let done = |verdict, reason, why: &str, from: &str| {
            Ok(Judged { digest: digest.clone(), ..verdict_alone(verdict, reason, why, from) }
                .into())
        };
        let message_id = parsed.message_id.as_deref();
        let (repeats, ours) = self.tools.store.mails().seen_before(mail.id, &digest, message_id)?;
        if repeats {
            let why = "the same mail was delivered before; it has no second effect";
            return done(Verdict::Ignored, Reason::Duplicate, why, "");
        }
        if ours {
            return done(
                Verdict::Ignored,
                Automatic::OwnMail.into(),
                "a mail of this robot came back",
                "",
            );
        }
        if let Some(judged) = Returned::new(self.tools).report(parsed, &digest)? {
            return Ok(judged.into());
        }
        if let Some(automatic) = hygiene::automatic(parsed, &self.tools.cx.identity.address) {
            let mut judged = match automatic {
                Automatic::MailingList => {
                    Returned::new(self.tools).through_a_list(mail, parsed, digest)?
                }
                _ => {
                    let why = "automatic mail is never answered";
                    Judged { digest, ..verdict_alone(Verdict::Ignored, automatic.into(), why, "") }
                }
            };
            if unread::may_hold_orders(automatic) {
                self.note_orders(mail, parsed, &mut judged)?;
            }
            return Ok(judged.into());
        }
        let from = match &parsed.author {
            Author::One(address) => address.clone(),
            Author::Missing => {
                return done(Verdict::Quarantined, Reason::NoFrom, "no From with an address", "");
            }
            Author::Several => {
                let why = "several From addresses; nobody can be answered or trusted";
                return done(Verdict::Quarantined, Reason::SeveralFrom, why, "");
            }
        };
        let language = self.tools.store.games().language_of(&from)?;
        let case = Case::new(mail, parsed, from, self.tools.cx.now());
        let case = Case { digest, authentic: self.authentic(mail, parsed)?, ..case };
        self.tools.cx.in_language(&language, || self.of_sender(case))
    }

    /// Notes the seat whose orders are in a mail that is not read because of a mark that servers
    /// and programs set. The mail must have the secret of the seat. The seat's next printout
    /// reports it.
    fn note_orders(
        &self,
        mail: &StoredMail,
        parsed: &ParsedMail,
        judged: &mut Judged,
    ) -> Result<()> {
        let Author::One(from) = &parsed.author else { return Ok(()) };
        let mut case = Case::new(mail, parsed, from.clone(), self.tools.cx.now());
        case.authentic = self.authentic(mail, parsed)?;
        if mail.size > self.tools.cx.limits.mail_bytes_max {
            return Ok(());
        }
        self.read_head(&mut case)?;
        let Origin::Seat(claim) = Senders::new(self.tools).identify(&case)? else { return Ok(()) };
        if claim.proof != Proof::Proven || !claim.secret {
            return Ok(());
        }
        let about = About::seat(self.tools, &claim.game, claim.seat.seat);
        let request = about.read(&about.written(&about.new_text(&parsed.lines)));
        if request.card.lines.iter().any(|l| about.starts_order(&l.1)) {
            judged.seat = Some((claim.game.code.clone(), claim.seat.seat));
            judged.turn = Some(claim.game.turn);
            judged.sender.clone_from(from);
            judged.why += "; it has the secret of a seat, and orders that were not read";
            let (code, seat, turn) = (&claim.game.code, claim.seat.seat, claim.game.turn);
            let note = unread::noted(self.tools.store, code, (turn, seat, mail.received_at))?;
            judged.effects.push(note);
        }
        Ok(())
    }

    /// Decides about a mail that has a sender, in the language of one of the sender's seats until
    /// it is known which seat the mail is for.
    fn of_sender(&self, mut case: Case) -> Result<Decision> {
        let (mail, parsed) = (case.stored, case.parsed);
        if mail.size > self.tools.cx.limits.mail_bytes_max {
            return machines::hush(self.tools, &case, self.answers().too_large(&case)?)
                .map(Decision::from);
        }
        let mut decision = self.dispatch(&mut case)?;
        decision.basis = case.basis.take();
        decision.judged = machines::hush(self.tools, &case, decision.judged)?;
        let has_password = case.request.commands.iter().any(|c| c.is_secret());
        if has_password && decision.judged.verdict != Verdict::Pending {
            // Refused or not, a mail that holds a password is not kept.
            decision.judged.effects.push(Effect::Remove(mail.id));
        }
        if case.authentic == Authenticity::Pass {
            let ids: Vec<String> =
                mail::auth::signatures(parsed).into_iter().map(|s| s.id).collect();
            if !ids.is_empty() {
                decision.judged.effects.push(Effect::Signed(mail.id, ids));
            }
        }
        Ok(decision)
    }

    /// Reads what shows whose a mail is: its commands and its heading. A mail of the game master is
    /// read completely, because a command in it may have a text.
    fn read_head(&self, case: &mut Case) -> Result<()> {
        let about = About::mail(self.tools, case.parsed, &case.from)?;
        case.text = about.new_text(&case.parsed.lines);
        case.card = about.card.clone();
        let lines = about.written(&case.text);
        case.request = match same_address(&case.from, &self.tools.cx.gm) {
            true => about.read_some(&lines, usize::MAX),
            false => about.read(&lines),
        };
        if let Some(file) = &case.parsed.attached
            && case.request.card.lines.is_empty()
        {
            let attached = about.read(&about.written(&about.new_text(file)));
            case.request.heading.fill(attached.heading);
        }
        Ok(())
    }

    /// Reads a whole mail of a seat, with the words of its game. If it is too large for a mail
    /// without proof, reads only its first lines. `Some` is the refusal of the mail.
    fn read_whole(&self, case: &mut Case, claim: &mut Claim) -> Result<Option<Judged>> {
        let most = self.tools.cx.limits.unproven_bytes_max;
        let reading = Reading::new(self.tools, claim);
        let about = &reading.about;
        if claim.proof != Proof::Proven && case.stored.size > most {
            case.request = about.read_some(&about.written(&case.text), HEAD_LINES);
            return Ok(None);
        }
        if about.card != case.card {
            case.text = about.new_text(&case.parsed.lines);
        }
        let mut scrub = Scrub::new(self.tools, &claim.seat)?;
        scrub.take_out(&mut case.text)?;
        case.request = about.read(&about.written(&case.text));
        choices::take(self.tools.store, claim, &mut case.request)?;
        if claim.game.status == Status::Running {
            changes::take(&reading, claim, &mut case.request)?;
        }
        let file = case.parsed.attached.as_ref();
        if let Some(refusal) = self.join_attachment(case, file, (about, &mut scrub))? {
            return Ok(Some(refusal));
        }
        let heading = &case.request.heading;
        let other =
            heading.game.as_ref().is_some_and(|g| !g.eq_ignore_ascii_case(&claim.game.code))
                || heading.seat.is_some_and(|n| n != claim.seat.seat);
        if other {
            // This heading is below the head, and the claim was made without it.
            return self.refused(case, Reason::TwoSeatsNamed).map(Some);
        }
        Senders::new(self.tools).settle(case, claim)?;
        Ok(None)
    }

    /// What is known of a mail's origin, from the source that the config names.
    fn authentic(&self, mail: &StoredMail, parsed: &ParsedMail) -> Result<Authenticity> {
        Ok(match senders::trusted(self.tools.cx, self.tools.store)? {
            Some(server) => mail::auth::from_header(parsed, server),
            // Two programs may read one header in two ways, so only the address that was checked
            // counts.
            None if mail.authenticity == Authenticity::Pass => match &parsed.author {
                Author::One(from) if same_address(from, &mail.checked_from) => Authenticity::Pass,
                _ => Authenticity::Unknown,
            },
            None => mail.authenticity,
        })
    }

    /// Orders in an attached text file count when there are none in the mail itself;
    /// different ones in both are refused.
    fn join_attachment(
        &self,
        case: &mut Case,
        file: Option<&Lines>,
        (about, scrub): (&About, &mut Scrub),
    ) -> Result<Option<Judged>> {
        let Some(file) = file else { return Ok(None) };
        let mut text = about.new_text(file);
        scrub.take_out(&mut text)?;
        case.text.had_secrets |= text.had_secrets;
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
            case.request.heading.fill(attached.heading);
            case.request.over = attached.over;
            if !case.request.mode_named {
                (case.request.mode, case.request.mode_named) = (attached.mode, attached.mode_named);
            }
            case.request.card = attached.card;
            case.request.leads = attached.leads;
            case.request.sentences += attached.sentences;
            case.request.asides.extend(attached.asides);
            case.request.misplaced.extend(attached.misplaced);
            return Ok(None);
        }
        let text = say!(
            "Your mail has orders in its text and others in an attached file; which of them count \
             can't be told, so nothing was filed. Send one of the two."
        );
        self.answers().answer(case, Verdict::Rejected, Reason::TwoCards, &text).map(Some)
    }

    /// Hands a mail to the code that handles it: by the address that it came to, by its first word,
    /// or by the seat that it is from.
    fn dispatch(&self, case: &mut Case) -> Result<Decision> {
        self.read_head(case)?;
        if let Some(decision) = self.by_its_address(case)? {
            return Ok(decision);
        }
        if case.begins_with(GM) && same_address(&case.from, &self.tools.cx.gm) {
            return GameMaster::new(self.tools).judge(case, None);
        }
        let identity = Senders::new(self.tools).identify(case)?;
        let proven = matches!(&identity, Origin::Seat(c) if c.proof == Proof::Proven);
        case.standing.set(match &identity {
            Origin::Seat(_) if proven => Standing::Proven,
            Origin::Seat(_) | Origin::Ambiguous(_) => Standing::Unproven,
            _ if self.tools.store.games().seats_of(&case.from)?.is_empty() => Standing::Stranger,
            _ => Standing::Unproven,
        });
        // Mails that nothing proves are counted before they are read.
        if !proven && let Some(judged) = self.flood(case)? {
            return Ok(judged.into());
        }
        let unknown = !matches!(&identity, Origin::Seat(_));
        if unknown && case.request.commands.is_empty() && quoting::is_away(&case.parsed.subject) {
            let why = "a vacation reply without any sign but its subject";
            return Ok(case.judged(Verdict::Ignored, Reason::Away, why).into());
        }
        let judged = match identity {
            Origin::Seat(claim) => {
                let language = claim.seat.language.clone();
                self.tools.cx.in_language(&language, || self.of_seat(case, *claim))
            }
            Origin::Refused(reason) => self.refused(case, reason),
            Origin::Ambiguous(seats) => self.which_seat(case, &seats),
            Origin::Stranger => self.for_stranger(case),
        };
        judged.map(Decision::from)
    }

    /// Refuses a mail. A wrong password counts against the seat that it was for.
    fn refused(&self, case: &Case, reason: Reason) -> Result<Judged> {
        let mut judged = self.answers().refused(case, reason)?;
        let heading = &case.request.heading;
        if let (Reason::WrongPassword, Some(code), Some(seat)) =
            (reason, &heading.game, heading.seat)
            && let Some(game) = self.tools.store.games().game(code)?
        {
            judged.seat = Some((game.code, seat));
        }
        Ok(judged)
    }

    /// A mail to an address of the robot that serves one purpose.
    fn by_its_address(&self, case: &Case) -> Result<Option<Decision>> {
        for detail in Senders::new(self.tools).details(&case.parsed.recipients) {
            let detail: Vec<String> = detail.iter().map(|d| d.to_lowercase()).collect();
            let detail: Vec<&str> = detail.iter().map(String::as_str).collect();
            let judged = match detail.as_slice() {
                ["yes", id, secret] => Questions::new(self.tools).answered(case, id, secret)?,
                ["gm", secret] => {
                    return GameMaster::new(self.tools).judge(case, Some(secret)).map(Some);
                }
                ["to", game, to, from, secret] => {
                    Letters::new(self.tools).forward(case, Alias { game, to, from, secret })?
                }
                ["stop", game, seat, secret] => {
                    reminders::stop(self.tools, case, game, seat, secret)?
                }
                _ => continue,
            };
            return Ok(Some(judged.into()));
        }
        Ok(None)
    }

    /// Ignores mails that nothing proves above an hourly number: they are neither read nor kept.
    /// Whoever writes them in a player's name does not keep that player out.
    fn flood(&self, case: &Case) -> Result<Option<Judged>> {
        let hour = case.now - SignedDuration::from_hours(1);
        let most = self.tools.cx.limits.mails_per_hour;
        if self.tools.store.people().unproven_since(&case.from, hour, most)? < most {
            return Ok(None);
        }
        let why = "too many unproven mails from this address within an hour; not read, not kept";
        let mut judged = case.judged(Verdict::Ignored, Reason::Flood, why);
        judged.effects.push(Effect::EraseRaw(case.stored.id));
        Ok(Some(judged))
    }

    /// A command that needs no seat, if the mail begins with one.
    fn for_anybody(&self, case: &Case) -> Result<Option<Judged>> {
        match case.request.commands.first() {
            Some(command) => command.for_anybody(self.tools, case),
            None => Ok(None),
        }
    }

    /// A mail of somebody who has no seat.
    fn for_stranger(&self, case: &Case) -> Result<Judged> {
        if let Some(judged) = self.for_anybody(case)? {
            return Ok(judged);
        }
        if let Some(command) = case.request.commands.first()
            && let Some(judged) = command.for_stranger(self.tools, case)?
        {
            return Ok(judged);
        }
        let text = say!(
            "This is a robot that runs games by mail, and it knows no player at your address. If \
             you have a seat, write from the address that it was given to. HELP as the only word \
             of a mail tells more, GAMES lists the games, and JOIN with the code of a game asks \
             for a seat."
        );
        self.answers().once_a_day(case, Reason::UnknownSender, &text)
    }

    /// A mail of somebody who has several seats, and does not say which one is meant.
    fn which_seat(&self, case: &Case, seats: &[SeatRow]) -> Result<Judged> {
        if let Some(judged) = self.for_anybody(case)? {
            return Ok(judged);
        }
        let said = |s: &SeatRow| say!("game {game} seat {seat}", game = s.game, seat = s.seat);
        let list: Vec<String> = seats.iter().map(said).collect();
        let text = say!(
            "You have several seats: {seats}. Answer a mail of the seat that you mean, or begin \
             with the line \"GAME code SEAT number\".",
            seats = list.join(", ")
        );
        self.answers().answer(case, Verdict::Rejected, Reason::WhichSeat, &text)
    }

    /// Reads a mail of a seat and does what it asks for.
    fn of_seat(&self, case: &mut Case, mut claim: Claim) -> Result<Judged> {
        let before = claim.proof;
        let (game, seat) = (claim.game.clone(), claim.seat.clone());
        case.basis.replace(Some(Basis { game, seat, orders: None }));
        if let Some(refusal) = self.read_whole(case, &mut claim)? {
            return Ok(refusal);
        }
        if claim.proof != before {
            // An old mail, sent again by somebody.
            case.standing.set(Standing::Unproven);
            if let Some(judged) = self.flood(case)? {
                return Ok(judged);
            }
        }
        self.for_seat(case, &claim)
    }

    fn for_seat(&self, case: &Case, claim: &Claim) -> Result<Judged> {
        // Only without orders is a command that anybody may send answered on its own.
        let orders = case.request.has_orders();
        if !orders && case.says_yes() && claim.proof == Proof::Proven {
            return match Pending::new(self.tools).find(case, claim)? {
                Found::Card(id, parsed) => self.confirm_pending(case, claim, id, &parsed),
                Found::Answered(judged) => Ok(judged),
            };
        }
        let alone = !orders
            && case.request.commands.len() == 1
            && passed_over(self.tools, case, claim, false).is_empty();
        if alone && let Some(judged) = self.for_anybody(case)? {
            return Ok(judged);
        }
        let mut judged = self.handle_request(case, claim)?;
        if claim.proof == Proof::Proven && judged.verdict == Verdict::Accepted {
            // A mail that came from there shows that the address works.
            judged.effects.push(Effect::Reachable(claim.seat.address.clone()));
        }
        Ok(judged)
    }

    /// Does what a pending mail asks for, as if its proof had come with it.
    ///
    /// # Errors
    /// [`RobotError`]; the mail then has its next attempt.
    pub fn confirm_pending(
        &self,
        case: &Case,
        claim: &Claim,
        id: i64,
        parsed: &ParsedMail,
    ) -> Result<Judged> {
        let about = About::seat(self.tools, &claim.game, claim.seat.seat);
        let mut text = about.new_text(&parsed.lines);
        let mut scrub = Scrub::new(self.tools, &claim.seat)?;
        scrub.take_out(&mut text)?;
        // The pending card was received when it came, not when it was confirmed.
        let received_at =
            self.tools.store.mails().received_at(id)?.unwrap_or(case.stored.received_at);
        let stored = StoredMail { received_at, ..case.stored.clone() };
        let tag = subject_tag(&parsed.subject).map(|t| t.1);
        let request = about.read(&about.written(&text));
        // A card that names no turn was meant for the turn that was open when it came.
        let then = self.tools.store.mails().mail(id)?.and_then(|m| m.turn);
        let senders = Senders::new(self.tools);
        let by_name = senders.named_step(&claim.game, &request.heading)?;
        let named = by_name.is_some();
        let turn = match (by_name, tag) {
            (Some(step), _) => Some(step),
            (None, Some(turn)) => {
                let open = claim.game.turn.min(then.unwrap_or(claim.game.turn));
                Some(senders.step_in(&claim.game, turn)?.min(open))
            }
            (None, None) => then,
        };
        let from = case.from.clone();
        let mut case = Case {
            request,
            text,
            confirms: Some(id),
            digest: case.digest.clone(),
            authentic: case.authentic,
            standing: case.standing.clone(),
            ..Case::new(&stored, case.parsed, from, case.now)
        };
        let file = parsed.attached.as_ref();
        if let Some(refusal) = self.join_attachment(&mut case, file, (&about, &mut scrub))? {
            return Ok(refusal);
        }
        let claim = Claim {
            game: claim.game.clone(),
            seat: claim.seat.clone(),
            turn,
            named,
            proof: Proof::Proven,
            secret: claim.secret,
            old_secret: false,
        };
        let mut judged = self.handle_request(&case, &claim)?;
        if judged.verdict == Verdict::Accepted {
            judged.effects.push(Effect::Confirmed(id));
        }
        Ok(judged)
    }
}

/// Digest of a mail's content: the same for every copy of it, whatever trace fields were added on
/// the way.
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
