//! HELP: how to play by mail, the commands, and the topics of a game.

use engine::{Seat, Topic};
use render::text::{SAFE, para};
use store::{Game, Judged, Reason, Status, Verdict};

use crate::context::Result;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Query, Row, Tools};

/// The command.
pub(super) const ROW: Row = Row {
    word: "HELP",
    form: "HELP [topic]",
    help: "how to play by mail; the topics stand in its list",
    read: |line| {
        line.with_at_most_one(|topic| Some(Command::query(Help(topic.map(str::to_uppercase)))))
    },
};

/// Help about a topic, or all in short.
#[derive(Debug)]
struct Help(Option<String>);

impl PlayerCommand for Help {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn for_game_master(&self) -> Option<String> {
        Some(ROW.word.to_owned())
    }

    fn for_stranger(&self, tools: Tools, case: &Case) -> Result<Option<Judged>> {
        let text = text(tools, None, &[], &[]);
        let mut judged = Answers::new(tools).once_a_day(case, Reason::UnknownSender, &text)?;
        // Over the budget nothing is answered, and the verdict says so.
        if !judged.mails.is_empty() {
            judged.verdict = Verdict::Accepted;
        }
        Ok(Some(judged))
    }
}

impl Query for Help {
    fn needs_start(&self) -> bool {
        false
    }

    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Judged> {
        let hidden: &[&str] =
            if has_press(tools, &claim.game)? { &[] } else { &[super::press::ROW.word] };
        let text =
            text(tools, self.0.as_deref(), &topics(tools, &claim.game, claim.seat.seat)?, hidden);
        Answers::new(tools).tell(case, claim, Verdict::Accepted, Reason::Help, "help", text)
    }
}

/// Help of a game, as it stands.
fn topics(tools: Tools, game: &Game, seat: Seat) -> Result<Vec<Topic>> {
    match game.status {
        Status::Open => Ok(tools.games().engine(&game.engine)?.help()),
        _ => {
            let open = tools.games().open(game)?;
            tools.games().shielded(&game.code, || open.help(seat))
        }
    }
}

/// Whether cards of a game may hold messages to other players, as it stands.
fn has_press(tools: Tools, game: &Game) -> Result<bool> {
    match game.status {
        Status::Open => Ok(tools.games().engine(&game.engine)?.press()),
        _ => {
            let open = tools.games().open(game)?;
            tools.games().shielded(&game.code, || open.press())
        }
    }
}

/// Help on a topic, or on all but the commands that are hidden.
fn text(tools: Tools, topic: Option<&str>, topics: &[Topic], hidden: &[&str]) -> String {
    let mut out = String::new();
    if let Some(found) = topic.and_then(|t| topics.iter().find(|x| x.word == t)) {
        out += &format!("{}\n\n{}\n", found.title, para(&found.text));
        found.examples.iter().for_each(|e| out += &format!("{SAFE}{e}\n"));
        return out;
    }
    out += "How to play by mail\n\n";
    out += &para(
        "Answer a printout or an echo with your orders above the marker line. \
         Within seconds an echo returns every line with its judgement and shows all orders \
         on file. Until the deadline you may send as many cards as you like; the last one \
         counts. After the deadline the printout of the turn comes by mail.",
    );
    out += "\nCommands, as the first line of a mail:\n";
    out += &tools.command_table(hidden);
    if !topics.is_empty() {
        out += "\nOrders of this game:\n";
        topics.iter().for_each(|t| out += &format!("{SAFE}{}\n", t.title));
    }
    out
}
