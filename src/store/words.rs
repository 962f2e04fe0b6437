//! The fixed words of the store: states of games, verdicts and their reasons, kinds and states of
//! our mails, kinds of questions.
//!
//! Only this file gives values their words: statements are written with the values, and listings
//! show the words. A written word keeps its meaning forever; a word that this program does not know
//! reads as the default of its type, which does no harm.

use std::str::FromStr;

use super::db::words_as_values;
use strum::{Display, EnumIter, EnumString, IntoEnumIterator, IntoStaticStr};

use mail::Folder;
use mail::hygiene::Automatic;

/// Why the robot itself gave up one of our mails; such a mail is never sent again.
pub(super) const TAKEN_BACK: &str = "taken back";
/// The reason for mails of a turn that was taken back.
pub(super) const TURN_TAKEN_BACK: &str = "the turn was taken back";
/// The reason for a mail that was not sent in time.
pub(super) const OF_NO_USE: &str = "it came to be of no use";

/// Values under the names that statements use.
pub(super) mod sql {
    use super::{MailKind, MailState, QuestionKind, Reason, Status, Verdict};

    pub const OPEN: Status = Status::Open;
    pub const RUNNING: Status = Status::Running;
    pub const SUSPENDED: Status = Status::Suspended;
    pub const OVER: Status = Status::Over;

    pub const ACCEPTED: Verdict = Verdict::Accepted;
    pub const PENDING: Verdict = Verdict::Pending;
    pub const REJECTED: Verdict = Verdict::Rejected;
    pub const IGNORED: Verdict = Verdict::Ignored;
    pub const QUARANTINED: Verdict = Verdict::Quarantined;

    pub const FILED: Reason = Reason::Filed;
    pub const ADDED: Reason = Reason::Added;
    pub const CANCELLED: Reason = Reason::Cancelled;
    pub const CHECKED: Reason = Reason::Checked;
    pub const RELAYED: Reason = Reason::Relayed;
    pub const LATE: Reason = Reason::Late;
    pub const PASSED_TURN: Reason = Reason::PassedTurn;
    pub const DISCARDED: Reason = Reason::Discarded;
    pub const RESTORED: Reason = Reason::Restored;
    pub const WRONG_SECRET: Reason = Reason::WrongSecret;
    pub const WRONG_PASSWORD: Reason = Reason::WrongPassword;

    pub const RELAY: MailKind = MailKind::Relay;
    pub const RECEIPT: MailKind = MailKind::Receipt;
    pub const CONFIRM: MailKind = MailKind::Confirm;
    pub const PRINTOUT: MailKind = MailKind::Printout;
    pub const PART: MailKind = MailKind::Part;
    pub const ECHO: MailKind = MailKind::Echo;

    pub const DRAWING: MailState = MailState::Drawing;
    pub const WAITING: MailState = MailState::Waiting;
    pub const SENT: MailState = MailState::Sent;
    pub const SUPPRESSED: MailState = MailState::Suppressed;
    pub const BOUNCED: MailState = MailState::Bounced;
    pub const FAILED: MailState = MailState::Failed;

    pub const STANDBY: QuestionKind = QuestionKind::Standby;
}

/// The state of a game.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Display, EnumIter, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Status {
    /// Takes seats.
    Open,
    /// Its turns are played.
    Running,
    /// Stopped by a fault or the game master.
    #[default]
    Suspended,
    /// It has ended.
    Over,
}

/// The robot's decision about a mail.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Display, EnumIter, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Verdict {
    /// The robot did what it asked.
    Accepted,
    /// It waits for the word of its registered sender.
    Pending,
    /// It did nothing, and the sender got an answer.
    Rejected,
    /// It did nothing, silently, by a rule.
    Ignored,
    /// It could not be read, and is kept for a person.
    #[default]
    Quarantined,
}

impl Verdict {
    /// The word for a mail's verdict in listings; `waiting`: it has none yet.
    pub fn word_of(verdict: Option<Self>) -> &'static str {
        verdict.map_or("waiting", Self::as_str)
    }

    /// Folder of the mailbox for this verdict.
    pub fn folder(self) -> Folder {
        match self {
            Self::Accepted => Folder::Accepted,
            Self::Pending | Self::Quarantined => Folder::Quarantine,
            Self::Rejected => Folder::Rejected,
            Self::Ignored => Folder::Ignored,
        }
    }
}

/// What a mail proves about its sender.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Display, EnumIter, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Standing {
    /// Its sender is proven.
    Proven,
    /// It names a sender with a seat, but proves nothing.
    Unproven,
    /// Its sender is unknown.
    #[default]
    Stranger,
}

/// Why a mail has its verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Display, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Reason {
    /// An automatic mail, which is never answered, and the sign of that.
    #[strum(transparent)]
    Automatic(Automatic),
    /// The same mail already had its verdict.
    Duplicate,
    /// One of our mails came back.
    Bounce,
    /// One of our mails is late.
    Delayed,
    /// One of our mails arrived.
    Delivered,
    /// It had its verdict before the store was put back.
    Restored,
    /// Too many unproven mails from one address.
    Flood,
    /// The automatic reply of somebody on vacation.
    Away,
    /// It could not be read.
    Unreadable,
    /// It is not a mail.
    NoMail,
    /// It names no sender.
    NoFrom,
    /// It names several senders.
    SeveralFrom,
    /// It is over the limit of size.
    TooLarge,
    /// The address is unknown.
    UnknownSender,
    /// The sender has several seats.
    WhichSeat,
    /// The secret is not that of the seat.
    WrongSecret,
    /// The password is not that of the seat.
    WrongPassword,
    /// The named seat is not the sender's.
    NoSuchSeat,
    /// It names two seats.
    TwoSeatsNamed,
    /// A card or a setting without proof.
    Unproven,
    /// Proven, but from an address that is not the seat's.
    OtherAddress,
    /// Its domain does not vouch for it.
    NotVouched,
    /// A card with fewer right lines than wrong ones.
    Doubtful,
    /// A YES that does not say which pending card it means.
    SeveralPending,
    /// A YES, but nothing is pending.
    NothingPending,
    /// A card is on file.
    Filed,
    /// Lines were added to the card on file.
    Added,
    /// The orders were withdrawn.
    Cancelled,
    /// A card was judged and not filed.
    Checked,
    /// Two cards in one mail.
    TwoCards,
    /// No line of the card is an order.
    UnreadableCard,
    /// A card as JSON, but the JSON is wrong.
    BadJson,
    /// A card over the limit of lines.
    TooManyLines,
    /// Over the limit of cards an hour.
    TooManyCards,
    /// A newer card is on file.
    OlderCard,
    /// A card after the deadline.
    Late,
    /// A card for a turn that has run.
    PassedTurn,
    /// A card for a turn too far ahead.
    FutureTurn,
    /// The game is over.
    GameOver,
    /// The game has not started.
    NotStarted,
    /// Neither an order nor a command.
    NoOrders,
    /// Questions in sentences, which were answered.
    Question,
    /// A command in a wrong form.
    UnknownCommand,
    /// Too many commands in one mail, one of them twice, or several that ask a question.
    TooManyCommands,
    /// Settings were changed.
    Settings,
    /// A setting was refused.
    NotChanged,
    /// The language of messages was changed.
    Language,
    /// The password was changed.
    Password,
    /// A vacation begins or ends.
    Vacation,
    /// A vote for a later deadline.
    Vote,
    /// The player does not want to wait for the deadline.
    Ready,
    /// The player wants the whole time.
    NotReady,
    /// Reminders were stopped by their link.
    NoReminders,
    /// Both addresses are asked about a move.
    AddressAsked,
    /// One of the two addresses has agreed to a move.
    AddressHalf,
    /// The seat has another address.
    AddressMoved,
    /// The state of a seat.
    Status,
    /// A blank card.
    Card,
    /// There is no blank card now.
    NoCard,
    /// A printout was sent again.
    Resent,
    /// There is no printout of that turn.
    NoPrintout,
    /// How to play by mail.
    Help,
    /// The games of the host.
    Games,
    /// The rulebook, or a chapter of it.
    Rules,
    /// Asked whether the address wants the seat.
    JoinAsked,
    /// Asked whether the address wants to practise.
    PracticeAsked,
    /// A practice game begins.
    Practice,
    /// No practice game for the sender.
    NoPractice,
    /// The sender has a seat.
    Joined,
    /// No seat for the sender.
    NotJoined,
    /// The sender is on the waiting list.
    Waiting,
    /// The sender asked too often today.
    TooManyQuestions,
    /// An answer to a question other than YES.
    NotYes,
    /// The question is answered or too old.
    QuestionOver,
    /// Asked whether the player wants to leave.
    ResignAsked,
    /// The player has left.
    Resigned,
    /// Asked whether the person is to be erased.
    ForgetAsked,
    /// A person was erased.
    Forgotten,
    /// A person with a seat is not erased.
    StillPlays,
    /// Asked whether what is stored about a person is to be sent.
    ExportAsked,
    /// What is stored about a person was sent.
    Exported,
    /// The sender has no mail with that receipt.
    NoSuchMail,
    /// A letter was passed on to another player.
    Relayed,
    /// The seat does not take letters.
    NoLetters,
    /// Over the limit of letters an hour.
    TooManyLetters,
    /// A letter without a text.
    EmptyLetter,
    /// A letter that was passed on before.
    RepeatedLetter,
    /// A command of the game master.
    GameMaster,
    /// A mail from the game master without a command.
    NoGmCommand,
    /// A command in the game master's name without the secret.
    GmUnproven,
    /// A command from somebody who is not the game master.
    NotGameMaster,
    /// The game master discarded it.
    Discarded,
    /// No reason yet, or a word that this program does not know.
    #[default]
    #[strum(serialize = "")]
    Unknown,
}

impl From<Automatic> for Reason {
    fn from(automatic: Automatic) -> Self {
        Self::Automatic(automatic)
    }
}

impl FromStr for Reason {
    type Err = strum::ParseError;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let all = Self::iter().chain(Automatic::iter().map(Self::from));
        all.into_iter().find(|r| r.as_str() == word).ok_or(strum::ParseError::VariantNotFound)
    }
}

/// The kind of one of our mails.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Display, EnumIter, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum MailKind {
    /// A seat's printout of a turn.
    Printout,
    /// A further mail of a printout that is too large for one mail.
    Part,
    /// The short notice of a step in which another seat was to move.
    Brief,
    /// The judged card, or another answer to a seat.
    Echo,
    /// An answer to somebody without a seat.
    Answer,
    /// A question that is answered with YES.
    Confirm,
    /// A letter from another player.
    Relay,
    /// The fate of a letter, for its writer.
    Receipt,
    /// The deadline is near.
    Reminder,
    /// Short news of a game.
    Notice,
    /// A mail to the game master.
    Gm,
    /// The last mail to an erased person.
    Farewell,
    /// A word that this program does not know.
    #[default]
    Unknown,
}

impl MailKind {
    /// Whether it answers somebody's mail, so that it is only of use for days and nobody needs a
    /// report of its fate.
    pub fn is_answer(self) -> bool {
        matches!(self, Self::Echo | Self::Answer | Self::Confirm | Self::Receipt)
    }
}

/// The state of one of our mails.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Display, EnumIter, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum MailState {
    /// Its pictures are still to be drawn.
    Drawing,
    /// It has not left.
    Waiting,
    /// It has left.
    Sent,
    /// Its address gets no mail now.
    Suppressed,
    /// It came back.
    Bounced,
    /// It will not leave.
    Failed,
    /// A word that this program does not know.
    #[default]
    Unknown,
}

/// The subject of a question.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Display, EnumIter, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum QuestionKind {
    /// Whether somebody wants a seat.
    Join,
    /// Whether somebody on the waiting list wants a seat that nobody plays.
    Standby,
    /// Whether a seat may leave this address.
    OldAddress,
    /// Whether a seat may move to this address.
    NewAddress,
    /// Whether a player leaves.
    Resign,
    /// Whether a person is erased.
    Forget,
    /// Whether what is stored about a person is sent to them.
    Export,
    /// Whether somebody wants to practise. The question holds the engine's id, and the game's code
    /// when the game exists.
    Practice,
    /// A word that this program does not know.
    #[default]
    Unknown,
}

/// Lets the store write a type as its word and read it back.
macro_rules! stored_as_word {
    ($($name:ident),+) => {
        words_as_values!($($name),+);
        $(impl $name {
            /// Its word in the store and in listings.
            pub fn as_str(self) -> &'static str {
                self.into()
            }
        })+
    };
}

stored_as_word!(Status, Verdict, Standing, Reason, MailKind, MailState, QuestionKind);

#[cfg(test)]
mod tests {
    use std::fmt::{Debug, Display};

    use super::*;
    use crate::db::{Arg, FromRead};

    fn words<T>() -> Vec<String>
    where
        T: IntoEnumIterator + Display + FromStr<Err: Debug> + Debug + PartialEq + Copy,
    {
        let word = |value: T| {
            let word = value.to_string();
            assert_eq!(word.parse::<T>().ok(), Some(value), "{word}");
            word
        };
        let mut words: Vec<String> = T::iter().map(word).collect();
        words.sort();
        assert!(words.windows(2).all(|w| w[0] != w[1]), "{words:?}");
        words
    }

    #[test]
    fn every_value_has_its_word_and_is_read_back_by_it() {
        assert_eq!(words::<Status>(), ["open", "over", "running", "suspended"]);
        let verdicts = ["accepted", "ignored", "pending", "quarantined", "rejected"];
        assert_eq!(words::<Verdict>(), verdicts);
        assert_eq!(words::<Standing>(), ["proven", "stranger", "unproven"]);
        assert!(words::<Reason>().contains(&"unreadable-card".to_owned()));
        for automatic in Automatic::iter() {
            let reason = Reason::from(automatic);
            assert_eq!(reason.as_str(), automatic.to_string());
            assert_eq!(reason.as_str().parse(), Ok(reason));
        }
        let states = ["bounced", "drawing", "failed", "sent", "suppressed", "unknown", "waiting"];
        assert_eq!(words::<MailState>(), states);
        assert!(words::<MailKind>().contains(&"printout".to_owned()));
        assert!(words::<QuestionKind>().contains(&"old-address".to_owned()));
    }

    #[test]
    fn a_word_of_a_newer_program_does_no_harm() {
        let moon = Arg::Text("moon");
        assert_eq!(Reason::from_read(moon), Ok(Reason::Unknown));
        assert_eq!(Verdict::from_read(moon), Ok(Verdict::Quarantined));
        assert_eq!(Status::from_read(moon), Ok(Status::Suspended));
    }
}
