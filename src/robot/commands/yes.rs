//! YES: confirms a pending card, or answers a question. Both are handled where the card or the
//! question is found; this file answers a YES that belongs to neither.

use store::Judged;

use crate::context::Result;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Query, Row, Tools, YES};
use crate::verdict::filing::Filing;

/// The command; HELP does not list it, because the mails that ask for it say so.
pub(super) const ROW: Row =
    Row { word: YES, form: "HELP", help: "", read: |line| line.alone(|| Command::query(Yes)) };

#[derive(Debug)]
struct Yes;

impl PlayerCommand for Yes {
    fn word(&self) -> &'static str {
        ROW.word
    }
}

impl Query for Yes {
    fn needs_start(&self) -> bool {
        false
    }

    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Judged> {
        Filing::new(tools, claim).nothing_found(case, claim)
    }
}
