//! LANG: the language of other players' messages.

use store::{Reason, SeatChange, Status};

use crate::context::Result;
use crate::verdict::case::{
    Case, Change, Changed, Claim, Command, PlayerCommand, Row, Setting, Tools,
};

/// The command.
pub(super) const ROW: Row = Row {
    word: "LANG",
    form: "LANG [code]",
    help: "language of other players' messages, such as LANG de",
    read: |line| {
        line.with_at_most_one(|code| Some(Command::setting(Lang(code.map(str::to_lowercase)))))
    },
};

/// Its code; `None` asks for the list.
#[derive(Debug)]
struct Lang(Option<String>);

impl PlayerCommand for Lang {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }
}

impl Setting for Lang {
    fn reason(&self) -> (Reason, &'static str) {
        (Reason::Language, "languages")
    }

    fn act(&self, tools: Tools, _: &Case, claim: &Claim) -> Result<Changed> {
        let known = match claim.game.status {
            Status::Open => tools.games().engine(&claim.game.engine)?.languages(),
            _ => tools.games().open(&claim.game)?.languages(),
        };
        let Some(code) = self.0.as_deref().filter(|c| known.contains(c)) else {
            let now = match claim.seat.language.as_str() {
                "" => known.first().copied().unwrap_or("en"),
                code => code,
            };
            return Ok(Ok(Change::none(format!(
                "Messages of other players come to you in {now}. There are: {}. LANG with one of \
                 these codes chooses it.",
                known.join(", ")
            ))));
        };
        let note = format!("From the next printout on messages come to you in {code}.");
        Ok(Ok(Change::of_seat(claim, note, SeatChange::Language(code.to_owned()))))
    }
}
