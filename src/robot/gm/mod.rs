//! The game master. Each thing that they do to a running game is an action. An action has its own
//! file with its command by mail ([`Row`]), what it does and what undoes it. By shell, mail or
//! dashboard, an action and its row in the record are one commit.

pub mod back;
pub mod credit;
pub mod deadline;
pub mod hold;
pub mod looked;
pub mod make;
mod moved;
pub mod practice;
pub mod release;
pub mod resend;
pub mod run;
pub mod seat;
pub mod set;
pub mod setup;
pub mod status;
pub mod tell;
pub mod terms;
pub mod undo;
pub mod withdraw;

use std::fmt::Debug;

use base::schedule;
use engine::Seat;
use store::{ActRow, Game, NewAct, Tx};

use crate::context::{Context, Result, refuse};
use crate::games::Games;
use crate::mailer::Mailer;
use crate::printouts::Printer;

pub use credit::Credit;
pub use deadline::Deadline;
pub use hold::Hold;
pub use looked::Sight;
pub use make::{Make, Start};
pub use release::Release;
pub use resend::Resend;
pub use run::Run;
pub use seat::{AddSeat, GiveSeat};
pub use set::Set;
pub use tell::Tell;
pub use undo::Undo;
pub use withdraw::Withdraw;

/// Characters of a text that the record shows, at most.
const QUOTED_CHARS: usize = 60;

/// Actions that a list shows, at most.
const ACTS_SHOWN: u32 = 40;

/// The text of a list without actions.
pub(crate) const NO_ACTS: &str = "Nothing was done yet.\n";

/// Where an action came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// From the command line.
    Shell,
    /// From a mail of the game master.
    Mail,
    /// From the dashboard in a browser.
    Dashboard,
}

impl By {
    /// Word in the record.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Mail => "mail",
            Self::Dashboard => "dashboard",
        }
    }
}

/// Something that the game master does.
pub trait GmAction: Debug {
    /// Does it, within the caller's unit of work.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] says what is wrong; the caller must then roll the
    /// unit of work back.
    fn apply(&self, gm: &Gm) -> Result<Done>;

    /// The number of the action that this one undoes.
    fn undoes(&self) -> Option<i64> {
        None
    }

    /// The game whose step it runs: steps that follow at once are run after it.
    fn runs(&self) -> Option<&str> {
        None
    }
}

/// A question of the game master, which changes nothing.
pub trait GmQuery: Debug {
    /// The answer.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] says what is wrong.
    fn answer(&self, gm: &Gm) -> Result<String>;
}

/// The outcome of an action: for the record, for undoing it, and for whoever did it.
pub struct Done {
    game: Option<String>,
    kind: &'static str,
    /// The text for the record, without addresses.
    what: String,
    back: Option<back::Back>,
    /// A few sentences for whoever did it.
    pub said: String,
}

impl Done {
    fn of_game(
        game: &Game,
        kind: &'static str,
        what: String,
        back: Option<back::Back>,
        said: String,
    ) -> Self {
        Self { game: Some(game.code.clone()), kind, what, back, said }
    }

    /// An action about the host. Without `back` it can't be undone.
    pub(crate) fn of_host(
        kind: &'static str,
        what: String,
        back: Option<back::Back>,
        said: String,
    ) -> Self {
        Self { game: None, kind, what, back, said }
    }
}

/// A command of the game master by mail, written after `GM`.
pub struct Row {
    /// Its word, in capitals.
    pub word: &'static str,
    /// Its form with examples.
    pub form: &'static str,
    /// What it does, in a few words.
    pub help: &'static str,
    /// Reads the words after the command's own.
    pub read: fn(&Words) -> Result<Asked>,
}

/// What a command of the game master asks for.
#[derive(Debug)]
pub enum Asked {
    /// An action, and perhaps a query whose answer follows the result.
    Action(Box<dyn GmAction>, Option<Box<dyn GmQuery>>),
    /// A query.
    Query(Box<dyn GmQuery>),
    /// The words do not have the form.
    Wrong,
}

/// The words of a command.
pub struct Words<'a> {
    rest: Vec<&'a str>,
    more: String,
}

impl<'a> Words<'a> {
    /// The words after the command's own, and the lines below it.
    pub fn new(rest: &[&'a str], more: String) -> Self {
        Self { rest: rest.to_vec(), more }
    }

    /// The words after the command's own.
    pub fn rest(&self) -> &[&'a str] {
        &self.rest
    }

    /// The words from the given index on, as one text.
    pub fn tail(&self, from: usize) -> String {
        self.rest.get(from..).unwrap_or_default().join(" ")
    }

    /// The lines below the command's.
    pub fn more(&self) -> &str {
        &self.more
    }

    /// The command asks for an action.
    ///
    /// # Errors
    /// None.
    pub fn action(&self, action: impl GmAction + 'static) -> Result<Asked> {
        Ok(Asked::Action(Box::new(action), None))
    }

    /// The command asks for an action, and a query whose answer follows it.
    fn action_then(
        &self,
        action: impl GmAction + 'static,
        then: Box<dyn GmQuery>,
    ) -> Result<Asked> {
        Ok(Asked::Action(Box::new(action), Some(then)))
    }

    /// The command asks for a query.
    ///
    /// # Errors
    /// None.
    pub fn query(&self, query: impl GmQuery + 'static) -> Result<Asked> {
        Ok(Asked::Query(Box::new(query)))
    }

    /// The words do not have the form.
    ///
    /// # Errors
    /// None.
    pub fn wrong(&self) -> Result<Asked> {
        Ok(Asked::Wrong)
    }
}

/// The game master's work within one unit of work.
#[derive(Clone, Copy)]
pub struct Gm<'a> {
    pub(crate) cx: &'a Context,
    pub(crate) tx: &'a Tx<'a>,
}

impl<'a> Gm<'a> {
    /// The game master within a unit of work.
    pub fn new(cx: &'a Context, tx: &'a Tx<'a>) -> Self {
        Self { cx, tx }
    }

    /// The games, as this unit of work sees them.
    pub fn games(&self) -> Games<'a> {
        Games::new(self.cx, self.tx)
    }

    fn mailer(&self) -> Mailer<'a> {
        Mailer::new(self.cx, self.tx)
    }

    fn printer(&self) -> Printer<'a> {
        Printer::new(self.cx, self.tx)
    }

    /// Does one thing, writes it into the record, and says what was done.
    ///
    /// # Errors
    /// As [`GmAction::apply`].
    pub fn act(&self, by: By, action: &dyn GmAction) -> Result<String> {
        let done = action.apply(self)?;
        let back = done.back.as_ref().map_or_else(String::new, |b| {
            // Plain data can't fail.
            serde_json::to_string(b).expect("plain data is JSON")
        });
        let id = self.tx.record_act(&NewAct {
            at: self.cx.now(),
            by: by.as_str(),
            game: done.game.as_deref(),
            kind: done.kind,
            what: &done.what,
            back: &back,
        })?;
        if let Some(undone) = action.undoes() {
            self.tx.mark_undone(undone, id)?;
        }
        let (kind, by) = (done.kind, by.as_str());
        tracing::info!(act = id, kind, by, game = done.game.as_deref(), "game master");
        Ok(done.said)
    }
}

/// Reads a seat's number.
///
/// # Errors
/// [`crate::context::RobotError::Refused`] when the text is not a number.
fn number(text: &str) -> Result<Seat> {
    text.parse().map(Seat).or_else(|_| refuse(format!("{text:?} is no seat number")))
}

/// A text on one line.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}

/// The beginning of a text as the record shows it, with addresses hidden.
fn quoted(text: &str) -> String {
    let hidden =
        |word: &str| if word.contains('@') { "(address)".to_owned() } else { word.to_owned() };
    let words: Vec<String> = plain(text).split(' ').map(hidden).collect();
    words.join(" ").chars().take(QUOTED_CHARS).collect()
}

/// The newest acts of a game, or of all games, each with its number and a summary.
///
/// # Errors
/// [`crate::context::RobotError::Refused`] when there is no such game.
pub fn acts(games: Games, store: &store::Reader, game: Option<&str>) -> Result<Vec<(i64, String)>> {
    let code = game.map(|g| games.game(g)).transpose()?.map(|g| g.code);
    Ok(store.acts(code.as_deref(), ACTS_SHOWN)?.iter().map(|row| (row.id, summary(row))).collect())
}

/// A summary of an act on one line.
fn summary(row: &ActRow) -> String {
    let state = match row.undone_by {
        Some(by) => format!(" (undone by act {by})"),
        // A look changes nothing.
        None if row.kind.starts_with("look-") => String::new(),
        None if row.back.is_empty() => " (for good)".to_owned(),
        None => String::new(),
    };
    let at = schedule::local(row.at, "UTC");
    let game = row.game.as_deref().unwrap_or("-");
    format!("{at}  {:<9}  {game:<8}  {}{state}", row.by, row.what)
}
