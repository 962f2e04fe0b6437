//! LANG: the language of the mails to a player.

use store::{Reason, SeatChange, Status};
use tongue::say;

use crate::context::Result;
use crate::languages::{self, CODES};
use crate::verdict::case::{
    Case, Change, Changed, Claim, Command, PlayerCommand, Row, Setting, Tools,
};

/// The command.
pub(super) const ROW: Row = Row {
    word: "LANG",
    form: "LANG [code]",
    help: tongue::mark!("the language of your mails, such as LANG de"),
    read: |line| {
        line.with_at_most_one(|code| Some(Command::setting(Lang(code.map(str::to_lowercase)))))
    },
};

/// The code of the language; `None` asks for the list.
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
        (Reason::Language, tongue::mark!("languages"))
    }

    fn act(&self, tools: Tools, _: &Case, claim: &Claim) -> Result<Changed> {
        // A game may know more languages, for messages of players.
        let of_game = match claim.game.status {
            Status::Open => tools.games().engine(&claim.game.engine)?.languages(),
            _ => tools.games().open(&claim.game)?.languages(),
        };
        let known: Vec<&str> = CODES
            .iter()
            .copied()
            .chain(of_game.iter().copied().filter(|c| !languages::is_known(c)))
            .collect();
        let Some(code) = self.0.as_deref().filter(|c| known.contains(c)) else {
            let now = tools.cx.language_of(&claim.seat.language);
            let listed = |code: &&str| format!("{code} ({})", languages::name(code));
            let known = known.iter().map(listed).collect::<Vec<_>>().join(", ");
            return Ok(Ok(Change::none(say!(
                "Your mails come in {now}. There are: {known}. LANG with one of these codes \
                 chooses it."
            ))));
        };
        let note = match languages::is_known(code) {
            // The note is already in the chosen language.
            true => tools.cx.in_language(code, || {
                let name = languages::name(code);
                say!("From now on your mails come in this language: {name}.")
            }),
            false => say!("From the next printout on messages of other players come in {code}."),
        };
        Ok(Ok(Change::of_seat(claim, note, SeatChange::Language(code.to_owned()))))
    }
}
