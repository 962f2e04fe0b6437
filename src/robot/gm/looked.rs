//! Records when the game master looks at positions. When the game is over, players read how often
//! it happened.

use jiff::SignedDuration;
use store::Status;

use super::{By, Gm};
use crate::context::Result;
use store::NewAct;

/// Minutes within which a page that is shown again counts as one look.
const ONE_LOOK: i64 = 60;
/// The number of newest acts that are searched for the same look.
const ACTS: u32 = 200;

/// A thing that shows positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// A seat's printout, on the command line.
    Printout,
    /// A seat's page on the dashboard.
    Page,
    /// The whole map, on the command line or on the dashboard.
    Map,
    /// A file with the whole game.
    Export,
    /// A copy of the store.
    Copy,
}

impl Sight {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Printout, Self::Page, Self::Map, Self::Export, Self::Copy];

    /// Its word in the record.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Printout => "look-printout",
            Self::Page => "look-page",
            Self::Map => "look-map",
            Self::Export => "look-export",
            Self::Copy => "look-copy",
        }
    }
}

impl Gm<'_> {
    /// Notes a look at a game or at the whole host in the record. A game that has not begun or is
    /// over has no secrets. A page of the dashboard counts once an hour.
    ///
    /// # Errors
    /// [`crate::context::RobotError`] when the store fails, or there is no such game.
    pub fn looked(&self, by: By, game: Option<&str>, sight: Sight, what: &str) -> Result<()> {
        let game = game.map(|code| self.games().game(code)).transpose()?;
        let hides = |s: Status| matches!(s, Status::Running | Status::Suspended);
        if game.as_ref().is_some_and(|g| !hides(g.status)) {
            return Ok(());
        }
        let (code, now) = (game.as_ref().map(|g| g.code.as_str()), self.cx.now());
        let since = now - SignedDuration::from_mins(ONE_LOOK);
        if by == By::Dashboard
            && self.tx.acts(code, ACTS)?.iter().any(|act| {
                act.kind == sight.kind()
                    && act.what == what
                    && act.at > since
                    && act.by == by.as_str()
            })
        {
            return Ok(());
        }
        self.tx.record_act(&NewAct {
            at: now,
            by: by.as_str(),
            game: code,
            kind: sight.kind(),
            what,
            back: "",
        })?;
        Ok(())
    }
}
