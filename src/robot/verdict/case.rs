//! A mail under judgement, and the traits of players' commands.
//!
//! The traits are declared here; each command implements them in its own file in `commands`. So
//! answers and filing can show commands without knowing any of them.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Debug};
use std::sync::Arc;

use jiff::Timestamp;

use base::terms::Choices;
use mail::auth::Authenticity;
use mail::body::NewText;
use mail::hygiene;
use mail::mime::ParsedMail;
use store::{
    Effect, Filed, FiledOrders, Game, Judged, QueuedMail, Reader, Reason, SeatChange, SeatRow,
    Standing, StoredMail, Verdict,
};
use tongue::{mark, say};

use crate::card;
use crate::card::command::command_list;
use crate::context::{Context, Result};
use crate::games::Games;
use crate::mailer::Mailer;
use crate::printouts::Printer;
use engine::{Section, Turn};

/// The word that confirms a card or answers a question.
pub const YES: &str = "YES";
/// The word before a command of the game master.
pub const GM: &str = "GM";

/// Bytes of a short mail, at most: a mail without proof may cause one, whatever its own size.
const SHORT_BYTES: usize = 4000;

/// What a mail asks for.
pub type Request = card::Request<Command>;
/// The row of a player's command.
pub type Row = card::command::Row<Command>;
/// The result of reading a line with a row.
pub type Read = card::command::Read<Command>;

/// The tools for judging mails.
#[derive(Clone, Copy)]
pub struct Tools<'a> {
    /// The identity and the limits of the robot.
    pub cx: &'a Context,
    /// The store with all data.
    pub store: &'a Reader,
    /// All commands.
    pub rows: &'static [Row],
}

impl<'a> Tools<'a> {
    /// The games.
    pub fn games(&self) -> Games<'a> {
        Games::new(self.cx, self.store)
    }

    /// The writer of mails.
    pub fn mailer(&self) -> Mailer<'a> {
        Mailer::new(self.cx, self.store)
    }

    /// The writer of printouts.
    pub fn printer(&self) -> Printer<'a> {
        Printer::new(self.cx, self.store)
    }

    /// The commands, a line or two each; without those that `hidden` names.
    pub fn command_table(&self, hidden: &[&str]) -> String {
        let rows = self.listed().filter(|r| !hidden.contains(&r.word));
        command_list(rows.map(|r| (r.word, r.form, r.help)))
    }

    /// A sentence that names all commands.
    pub fn command_words(&self) -> String {
        let words: Vec<&str> = self.listed().map(|r| r.word).collect();
        say!("Commands are {words}; HELP explains them.", words = words.join(", "))
    }

    fn listed(&self) -> impl Iterator<Item = &'static Row> + use<> {
        self.rows.iter().filter(|r| r.is_listed())
    }
}

/// A mail under judgement.
pub struct Case<'a> {
    /// The mail as it came.
    pub stored: &'a StoredMail,
    /// The parsed mail.
    pub parsed: &'a ParsedMail,
    /// Its From address, not proven yet.
    pub from: String,
    /// What it asks for.
    pub request: Request,
    /// Its new text.
    pub text: NewText,
    /// Name of the blank card by which the new text was found.
    pub card: String,
    /// The time of the judgement.
    pub now: Timestamp,
    /// A mail pending confirmation that this one confirms; its card is judged in its place.
    pub confirms: Option<i64>,
    /// The digest of its content.
    pub digest: String,
    /// Whether the domain of the sender vouches for it.
    pub authentic: Authenticity,
    /// The standing of its sender as proven so far; it chooses the budget that the answers count
    /// in.
    pub standing: Cell<Standing>,
    /// The rows that the decision rests on.
    pub basis: RefCell<Option<Basis>>,
    /// Whether a separate answer, not an echo, has named the lines that were not read.
    pub told: Cell<bool>,
}

impl<'a> Case<'a> {
    /// A parsed mail whose request is not read yet.
    pub fn new(
        stored: &'a StoredMail,
        parsed: &'a ParsedMail,
        from: String,
        now: Timestamp,
    ) -> Self {
        Self {
            stored,
            parsed,
            from,
            request: Request::default(),
            text: NewText::default(),
            card: String::new(),
            now,
            confirms: None,
            digest: String::new(),
            authentic: Authenticity::Unknown,
            standing: Cell::default(),
            basis: RefCell::default(),
            told: Cell::default(),
        }
    }

    /// Whether it may be a mail of the player that a mail system returns in their name: it reads
    /// like a report, and no order comes first.
    pub fn gives_back(&self) -> bool {
        !self.request.leads && hygiene::may_be_report(self.parsed)
    }

    /// Whether a verdict sends too much for a mail without proof: one mail that is not short and
    /// has more than twice its size.
    pub fn causes_too_much(&self, judged: &Judged) -> bool {
        let twice = usize::try_from(self.stored.size).unwrap_or(usize::MAX).saturating_mul(2);
        judged.mails.iter().any(|m| m.mail.bytes.len() > twice.max(SHORT_BYTES))
    }

    /// Whether its first command is the word YES.
    pub fn says_yes(&self) -> bool {
        self.begins_with(YES)
    }

    /// Whether its first command has this word.
    pub fn begins_with(&self, word: &str) -> bool {
        self.request.commands.first().is_some_and(|c| c.word() == word)
    }

    /// A verdict about this mail without effects or mails yet.
    pub fn judged(&self, verdict: Verdict, reason: Reason, why: &str) -> Judged {
        Judged { digest: self.digest.clone(), ..verdict_alone(verdict, reason, why, &self.from) }
    }
}

/// A verdict without effects, mails or alarms.
pub fn verdict_alone(verdict: Verdict, reason: Reason, why: &str, from: &str) -> Judged {
    Judged {
        verdict,
        reason,
        why: why.to_owned(),
        seat: None,
        turn: None,
        sender: from.to_owned(),
        digest: String::new(),
        words: String::new(),
        quick: false,
        standing: Standing::default(),
        effects: Vec::new(),
        mails: Vec::new(),
        alarms: Vec::new(),
    }
}

/// The rows that a decision about a seat's mail rests on: if they change, the decision may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basis {
    /// The game, with its open step.
    pub game: Game,
    /// The seat.
    pub seat: SeatRow,
    /// The turn whose orders on file were read, and the identity of these orders.
    pub orders: Option<(Turn, Option<Filed>)>,
}

impl Basis {
    /// The identity of the orders on file.
    pub fn name(orders: Option<&FiledOrders>) -> Option<Filed> {
        orders.map(|filed| (filed.received_at, filed.mail))
    }

    /// Whether the rows are still the same.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn holds(&self, store: &Reader) -> Result<bool> {
        let code = &self.game.code;
        if store.games().game(code)?.as_ref() != Some(&self.game)
            || store.games().seat(code, self.seat.seat)?.as_ref() != Some(&self.seat)
        {
            return Ok(false);
        }
        let Some((turn, filed)) = &self.orders else { return Ok(true) };
        Ok(store.mails().filed(code, *turn)?.get(&self.seat.seat) == filed.as_ref())
    }
}

/// The decision about a mail.
#[derive(Debug, Clone)]
pub struct Decision {
    /// The verdict with everything that it changes and sends.
    pub judged: Judged,
    /// The rows that it rests on. `None`: it concerns no seat.
    pub basis: Option<Basis>,
    /// The command of a proven game master; its answer is not written yet.
    pub command: Option<String>,
}

impl From<Judged> for Decision {
    fn from(judged: Judged) -> Self {
        Self { judged, basis: None, command: None }
    }
}

/// A seat that a mail speaks for, and what proves it.
#[derive(Clone)]
pub struct Claim {
    /// The game.
    pub game: Game,
    /// The seat.
    pub seat: SeatRow,
    /// The turn that the mail answers or names.
    pub turn: Option<Turn>,
    /// Whether the card itself names that turn.
    pub named: bool,
    /// How far the mail is proven to come from the seat's player.
    pub proof: Proof,
    /// Whether it came with a secret of the seat, or its password.
    pub secret: bool,
    /// Whether it came with a secret of the seat that is too old to prove anything.
    pub old_secret: bool,
}

impl Claim {
    /// The claim after effects, as far as answers show them: new secrets, a new zone, deadline and
    /// language.
    pub fn after(&self, effects: &[Effect]) -> Self {
        let mut after = self.clone();
        for effect in effects {
            match effect {
                Effect::Seat(_, _, SeatChange::Secrets) => after.seat.epoch += 1,
                Effect::Seat(_, _, SeatChange::Zone(zone)) => after.seat.zone.clone_from(zone),
                Effect::Seat(_, _, SeatChange::Language(code)) => {
                    after.seat.language.clone_from(code)
                }
                Effect::Deadline { at, .. } => after.game.deadline = Some(*at),
                _ => {}
            }
        }
        after
    }
}

/// How far a mail is proven to come from a seat's player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
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

/// A player's command as read from a mail.
#[derive(Clone)]
pub enum Command {
    /// It changes something and so needs proof.
    Setting(Arc<dyn Setting>),
    /// It asks for something and changes nothing.
    Query(Arc<dyn Query>),
}

impl Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setting(setting) => setting.fmt(f),
            Self::Query(query) => query.fmt(f),
        }
    }
}

impl Command {
    /// A command that changes something.
    pub fn setting(setting: impl Setting + 'static) -> Self {
        Self::Setting(Arc::new(setting))
    }

    /// A command that changes nothing.
    pub fn query(query: impl Query + 'static) -> Self {
        Self::Query(Arc::new(query))
    }

    /// The setting, when it changes something.
    pub fn as_setting(&self) -> Option<&dyn Setting> {
        match self {
            Self::Setting(setting) => Some(setting.as_ref()),
            Self::Query(_) => None,
        }
    }

    /// The query, when it changes nothing.
    pub fn as_query(&self) -> Option<&dyn Query> {
        match self {
            Self::Setting(_) => None,
            Self::Query(query) => Some(query.as_ref()),
        }
    }
}

impl std::ops::Deref for Command {
    type Target = dyn PlayerCommand;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Setting(setting) => setting.as_ref(),
            Self::Query(query) => query.as_ref(),
        }
    }
}

impl Request {
    /// Whether it needs a proof of its sender: it has orders, or a command that needs one.
    pub fn needs_proof(&self) -> bool {
        self.has_orders() || self.commands.iter().any(|c| c.needs_proof())
    }

    /// Whether it is about orders: it has lines of a card, or names the mode.
    pub fn has_orders(&self) -> bool {
        self.mode_named || !self.card.lines.is_empty()
    }
}

/// The part that all commands of players share.
pub trait PlayerCommand: Debug + Send + Sync {
    /// Its word.
    fn word(&self) -> &'static str;

    /// Whether the text after its word is a secret.
    fn is_secret(&self) -> bool {
        false
    }

    /// Whether it is carried out only for a proven sender: it changes something, or has a long
    /// answer.
    fn needs_proof(&self) -> bool {
        false
    }

    /// The text after `GM` that it stands for in a mail of the game master. `None`: it is not for
    /// them.
    fn for_game_master(&self) -> Option<String> {
        None
    }

    /// Answers anybody, with or without a seat. `None`: it needs a seat.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    fn for_anybody(&self, _tools: Tools, _case: &Case) -> Result<Option<Judged>> {
        Ok(None)
    }

    /// Answers an address without a seat in its own way. `None`: the sender gets the answer for
    /// unknown addresses.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    fn for_stranger(&self, _tools: Tools, _case: &Case) -> Result<Option<Judged>> {
        Ok(None)
    }
}

/// A command that changes something about a seat.
pub trait Setting: PlayerCommand {
    /// Reason of the verdict and subject of the answer, when nothing else decides them;
    /// [`tongue::word`] translates the subject.
    fn reason(&self) -> (Reason, &'static str) {
        (Reason::Settings, mark!("settings changed"))
    }

    /// The change for a seat whose player is proven.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Changed>;
}

/// A command that changes nothing.
pub trait Query: PlayerCommand {
    /// Whether it makes sense only when the game has started.
    fn needs_start(&self) -> bool {
        true
    }

    /// The question about the game; several such questions in one mail get one answer.
    fn question(&self) -> Option<&Question> {
        None
    }

    /// Its answer for a mail with an echo or other answers. `None`: it gets a separate mail.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    fn beside(&self, _tools: Tools, _claim: &Claim) -> Result<Option<Vec<Section>>> {
        Ok(None)
    }

    /// Answers a seat.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Judged>;
}

/// A question of a player about their own knowledge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The kind of question.
    pub kind: Kind,
    /// The words after the command.
    pub words: Vec<String>,
}

/// The kinds of questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// LOOK: what is known of a place.
    Look,
    /// DISTANCE: how far it is from one place to another.
    Distance,
    /// ODDS: how a fight would come out.
    Odds,
    /// WHO: which players are known.
    Who,
    /// MAP: a picture of the map around a place.
    Map,
    /// HISTORY: what happened in the last turns.
    History,
}

/// The result of a setting. The error is the sentence that refuses it.
pub type Changed = std::result::Result<Change, String>;

/// A change that a setting makes.
pub struct Change {
    /// The sentence that reports it.
    pub note: String,
    /// The effects of the change.
    pub effects: Vec<Effect>,
    /// Mails that go out with it.
    pub mails: Vec<QueuedMail>,
}

impl Change {
    /// A sentence and no change.
    pub fn none(note: impl Into<String>) -> Self {
        Self { note: note.into(), effects: Vec::new(), mails: Vec::new() }
    }

    /// A change of the seat itself.
    pub fn of_seat(claim: &Claim, note: impl Into<String>, change: SeatChange) -> Self {
        let effect = Effect::Seat(claim.game.code.clone(), claim.seat.seat, change);
        Self { note: note.into(), effects: vec![effect], mails: Vec::new() }
    }

    /// A change of the player's choices.
    pub fn of_choices(
        claim: &Claim,
        note: impl Into<String>,
        choose: impl FnOnce(&mut Choices),
    ) -> Self {
        Self::of_seat(claim, note, SeatChange::choices(&claim.seat, choose))
    }
}

/// The number of a line, moved by `moved`.
pub(super) fn numbered_on(line: u32, moved: i64) -> u32 {
    u32::try_from(i64::from(line) + moved).unwrap_or(line)
}
