//! People are answered, machines are not: what tells them apart where nothing marks a mail as
//! automatic.
//!
//! A machine says the same words again, or it answers our answers at once. A text without an
//! order or a command is answered when its words are new, and so often until a mail of its sender is
//! right; a mail that answers one of our answers within minutes, eight times a day until one is right
//! where it is proven, else once; the same card, sent
//! again and again as the answer to its own echo, twice, and so is a command within minutes. So
//! nothing goes round in a circle, and a person is never met with silence at first.
//!
//! Mails count by what they prove: those in a player's name without a proof count against each
//! other, and never against what the player proves.

use std::collections::BTreeSet;

use base::secrets::sha256_hex;
use jiff::{SignedDuration, Timestamp};
use mail::mime::same_address;
use store::{Judged, MailKind, Reason, Standing, Verdict};

use super::case::{Case, Tools};
use crate::card::subject_tag;
use crate::context::Result;

/// Days for which the words of somebody with a seat are known again.
const KNOWN_DAYS: i64 = 90;
/// Minutes within which somebody who answers an answer of ours may be a machine.
const QUICK_MINUTES: i64 = 10;
/// Mails that come so soon and bring nothing right that are answered within a day, until one is
/// right: to a player who is proven, and to others. A person on a phone is as quick as a program,
/// and errs more often than once; a program whose words are new each time hears no more than this.
const QUICK_ANSWERED: [u32; 2] = [8, 1];
/// Answers that the same words get that a machine and a person may send alike.
const SAME_ANSWERED: usize = 2;
/// Hexadecimal digits of the identity of words.
const DIGITS: usize = 24;

/// A verdict without the answers that a machine would get.
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
        // A question to who is proven is no answer: without it nothing would come of their word.
        let asks = |kind| kind == MailKind::Confirm && judged.standing == Standing::Proven;
        let sender = judged.sender.clone();
        judged.mails.retain(|m| asks(m.kind) || !same_address(&m.mail.to, &sender));
    } else {
        judged.verdict = Verdict::Ignored;
        judged.mails.clear();
    }
    Ok(judged)
}

/// What a mail shows of who, or what, wrote it. What the store has of it is asked for where it
/// matters: of most mails, which are right, little.
struct Signs<'a> {
    tools: Tools<'a>,
    case: &'a Case<'a>,
    words: &'a str,
    /// It answers an answer of ours that was written a short while ago.
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

    /// Verdicts of mails of its standing with the same words that had an answer within some days,
    /// newest first.
    fn verdicts_of_same_words(&self, days: i64) -> Result<Vec<Verdict>> {
        let since = self.hours_ago(24 * days);
        Ok(self.tools.store.mails().said_before(self.writer(), self.words, since)?)
    }

    /// Whether so many quick mails of its standing were answered within the day, although nothing
    /// came of them, that no more are.
    fn quick_answered(&self) -> Result<bool> {
        let most = quick_most(self.writer().1);
        Ok(self.tools.store.mails().quick_answers(self.writer(), most, self.hours_ago(24))?)
    }

    /// Whether it has a command or says what becomes of its orders.
    fn speaks(&self) -> bool {
        let request = &self.case.request;
        !request.commands.is_empty()
            || request.mode_named
            || request.meant.is_some()
            || request.unclear.is_some()
    }

    /// Whether it goes round with our answers: it comes at once, and the newest mails of its sender,
    /// all within the hour, say the same; or it is a card, they were the same card, and it answers
    /// what we answered.
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

    /// Why the writer of a mail is taken for a machine.
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
        // A card with right lines, of whose player it is asked whether it is one.
        let doubted = judged.reason == Reason::Doubtful && !self.case.gives_back();
        Ok(match () {
            // What anybody may ask for.
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

/// Mails that come soon after ours and bring nothing right that are answered within a day.
fn quick_most(standing: Standing) -> u32 {
    QUICK_ANSWERED[usize::from(standing != Standing::Proven)]
}

/// Whether a mail in which nothing is right comes so soon that it is the last such one to be
/// answered within the day.
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

/// Whether a mail answers an answer of ours that was written a short while ago.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub fn answers_at_once(tools: Tools, case: &Case) -> Result<bool> {
    let since = case.now - SignedDuration::from_mins(QUICK_MINUTES);
    let tagged = subject_tag(&case.parsed.subject).is_some();
    let from = (case.from.as_str(), case.standing.get());
    Ok(tools.store.outbox().answered_since(from, &case.parsed.answers, tagged, since)?)
}

/// Whether a mail was refused for its time or its number alone; its words are those of a
/// player.
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

/// The identity of the words of a mail: of one that is accepted its orders and commands, whatever talk
/// stands beside them; of others all words. Figures of sentences do not count, because programs
/// count their mails and write the time; a short line, which may be an order, counts as it is.
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
