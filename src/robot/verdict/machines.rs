//! Tells people, who get answers, from programs, which do not, where nothing marks a mail as
//! automatic.
//!
//! A program repeats the same words, or it answers the robot's answers at once. A text without an
//! order or a command is answered if its words are new, a limited number of times until a mail of
//! its sender is right. A mail that replies to an answer within minutes gets one too, but until a
//! mail is right only eight times a day if it is proven, else once. The same card, sent again and
//! again in answer to its own echo, is answered twice, and so is a command within minutes. So no
//! loop goes on, and a person always gets a first answer.
//!
//! Mails with and without proof count separately: unproven mails in a player's name never count
//! against the player's proven ones.

use std::collections::BTreeSet;

use base::secrets::sha256_hex;
use jiff::{SignedDuration, Timestamp};
use mail::mime::same_address;
use store::{Judged, MailKind, Reason, Standing, Verdict};

use super::case::{Case, Tools};
use crate::card::subject_tag;
use crate::context::Result;

/// Days for which repeated words of somebody with a seat are recognised.
const KNOWN_DAYS: i64 = 90;
/// Minutes within which a reply to an answer of the robot may come from a program.
const QUICK_MINUTES: i64 = 10;
/// Such quick mails with nothing right that are answered within a day, until one is right: of a
/// proven player, and of others. A person on a phone is as quick as a program, and errs more than
/// once. A program with new words each time gets no more answers than this.
const QUICK_ANSWERED: [u32; 2] = [8, 1];
/// Answers to the same words, at most, where a person may send them as well as a program.
const SAME_ANSWERED: usize = 2;
/// Hexadecimal digits of the digest of a mail's words.
const DIGITS: usize = 24;

/// Removes the answers from a verdict on a mail that seems to come from a program.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub fn hush(tools: Tools, case: &Case, mut judged: Judged) -> Result<Judged> {
    let accepted = judged.verdict == Verdict::Accepted;
    let (words, quick) = (identity(case, accepted), answers_at_once(tools, case)?);
    let signs = Signs { tools, case, words: &words, quick };
    let why = match judged.mails.is_empty() || judged.reason == Reason::GameMaster {
        true => None,
        false => signs.machine(&judged)?,
    };
    (judged.words, judged.quick) = (words, quick);
    let Some(why) = why else { return Ok(judged) };
    judged.why += &format!(" (not answered: {why})");
    if judged.verdict == Verdict::Accepted {
        // A question to a proven sender is not an answer: without it their mail would have no
        // effect.
        let asks = |kind| kind == MailKind::Confirm && judged.standing == Standing::Proven;
        let sender = judged.sender.clone();
        judged.mails.retain(|m| asks(m.kind) || !same_address(&m.mail.to, &sender));
    } else {
        judged.verdict = Verdict::Ignored;
        judged.mails.clear();
    }
    Ok(judged)
}

/// The signs that a person or a program wrote a mail. The store is read only where a sign matters:
/// for most mails, which are right, that is rare.
struct Signs<'a> {
    tools: Tools<'a>,
    case: &'a Case<'a>,
    words: &'a str,
    /// Whether it replies to a recent answer of the robot.
    quick: bool,
}

impl Signs<'_> {
    /// Its sender and standing.
    fn writer(&self) -> (&str, Standing) {
        (&self.case.from, self.case.standing.get())
    }

    fn hours_ago(&self, hours: i64) -> Timestamp {
        self.case.now - SignedDuration::from_hours(hours)
    }

    /// Verdicts on mails of the same sender and standing with the same words that were answered
    /// within `days`, newest first.
    fn verdicts_of_same_words(&self, days: i64) -> Result<Vec<Verdict>> {
        let since = self.hours_ago(24 * days);
        Ok(self.tools.store.mails().said_before(self.writer(), self.words, since)?)
    }

    /// Whether enough quick mails of its sender and standing without a right line were answered
    /// within the day.
    fn quick_answered(&self) -> Result<bool> {
        let most = quick_most(self.writer().1);
        Ok(self.tools.store.mails().quick_answers(self.writer(), most, self.hours_ago(24))?)
    }

    /// Whether it has a command or a mode, even a misspelt or an unclear one.
    fn speaks(&self) -> bool {
        let request = &self.case.request;
        !request.commands.is_empty()
            || request.mode_named
            || request.meant.is_some()
            || request.unclear.is_some()
    }

    /// Whether it is part of a loop with the robot's answers: it comes at once, and the newest
    /// mails of its sender, all within the hour, say the same. Or it is a card, the newest mails
    /// were the same card, and it answers one of the answers.
    fn circles(&self) -> Result<bool> {
        let (store, request) = (self.tools.store, &self.case.request);
        let card = request.has_orders() && request.commands.is_empty();
        if !self.quick && !card {
            return Ok(false);
        }
        let same = store.mails().repeats(self.writer(), self.words, SAME_ANSWERED as u32)?;
        let long = self.hours_ago(24 * KNOWN_DAYS);
        let Some(since) = same.filter(|since| *since >= long) else { return Ok(false) };
        let at_once = self.quick && since >= self.hours_ago(1);
        let answers = &self.case.parsed.answers;
        Ok(at_once || card && store.outbox().answered_since(self.writer(), answers, false, long)?)
    }

    /// Why the writer of a mail is taken for a program. `None`: it is not.
    fn machine(&self, judged: &Judged) -> Result<Option<&'static str>> {
        use Reason::{
            Games, Help, NotVouched, OtherAddress, Rules, TooLarge, UnknownSender, Unproven,
            WrongPassword, WrongSecret,
        };
        let accepted = judged.verdict == Verdict::Accepted;
        let not_accepted = |said: &[Verdict]| said.iter().any(|v| *v != Verdict::Accepted);
        let again = Some("the same words had an answer before");
        let circle = Some("it answers our answers and brings nothing new");
        let anybody = !accepted || matches!(judged.reason, Help | Games | Rules | UnknownSender);
        let only_if = |yes: bool, why: Option<&'static str>| why.filter(|_| yes);
        // A mail with some right lines, whose player is asked whether it is a card.
        let doubted = judged.reason == Reason::Doubtful && !self.case.gives_back();
        Ok(match () {
            // A mail of somebody without a seat.
            () if anybody && self.tools.store.games().seats_of(&self.case.from)?.is_empty() => {
                only_if(!self.verdicts_of_same_words(1)?.is_empty(), again)
            }
            () if accepted || self.speaks() || in_time(judged.reason) => {
                only_if(self.circles()?, circle)
            }
            // A player may send the same card in each turn, and be asked each time.
            () if matches!(judged.reason, Unproven | OtherAddress | NotVouched) => {
                only_if(not_accepted(&self.verdicts_of_same_words(1)?), again)
            }
            () if matches!(judged.reason, WrongSecret | WrongPassword | TooLarge) => {
                only_if(self.verdicts_of_same_words(KNOWN_DAYS)?.len() >= SAME_ANSWERED, again)
            }
            () if not_accepted(&self.verdicts_of_same_words(KNOWN_DAYS)?) => again,
            () if self.quick && !doubted && self.quick_answered()? => circle,
            () => None,
        })
    }
}

/// Quick mails with nothing right that are answered within a day, at most.
fn quick_most(standing: Standing) -> u32 {
    QUICK_ANSWERED[usize::from(standing != Standing::Proven)]
}

/// Whether a mail in which nothing is right is quick, and the last such one that is answered within
/// the day.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub fn is_last_quick(tools: Tools, case: &Case) -> Result<bool> {
    let standing = case.standing.get();
    let day = case.now - SignedDuration::from_hours(24);
    let last = quick_most(standing) - 1;
    Ok(answers_at_once(tools, case)?
        && tools.store.mails().quick_answers((&case.from, standing), last, day)?)
}

/// Whether a mail replies to a recent answer of the robot.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub fn answers_at_once(tools: Tools, case: &Case) -> Result<bool> {
    let since = case.now - SignedDuration::from_mins(QUICK_MINUTES);
    let tagged = subject_tag(&case.parsed.subject).is_some();
    let from = (case.from.as_str(), case.standing.get());
    Ok(tools.store.outbox().answered_since(from, &case.parsed.answers, tagged, since)?)
}

/// Whether a mail was refused only for its time or its size: then a player may have written it.
fn in_time(reason: Reason) -> bool {
    use Reason::*;
    matches!(
        reason,
        Late | PassedTurn
            | FutureTurn
            | GameOver
            | NotStarted
            | TooManyLines
            | TooManyCards
            | OlderCard
    )
}

/// The digest of the words of a mail. For an accepted mail these are its orders and commands,
/// without talk; for others all words. Numbers in sentences do not count, because programs number
/// their mails and write the time. A short line, which may be an order, counts as written.
fn identity(case: &Case, accepted: bool) -> String {
    let (text, request) = (&case.text, &case.request);
    let mode = [format!("{:?}", request.mode), format!("TURN {:?}", request.heading.turn)];
    let card = request.card.lines.iter().map(|l| &l.1);
    let asked = request.command_lines.iter().chain(&mode).filter(|_| accepted);
    let written = text.above.iter().chain(&text.in_card).chain(&text.below);
    let talk = written.filter(|_| !accepted);
    let mut words: BTreeSet<String> = BTreeSet::new();
    for line in card.chain(asked).chain(talk) {
        let mut parts = line.split_whitespace();
        let head = parts.next().unwrap_or_default();
        let order = head.len() <= 2 || !head.starts_with(char::is_alphabetic);
        let more = parts.count();
        if order && more < 5 || more < 2 {
            words.insert(line.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase());
            continue;
        }
        let word = |w: &&str| w.len() > 2 && w.chars().all(char::is_alphabetic);
        let plain = line.split(|c: char| !c.is_alphanumeric()).filter(word);
        words.extend(plain.map(str::to_lowercase));
    }
    let mut identity = sha256_hex(words.into_iter().collect::<Vec<_>>().join("\n").as_bytes());
    identity.truncate(DIGITS);
    identity
}
