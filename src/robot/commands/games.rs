//! GAMES: the games of this host, for anybody.

use render::text::SAFE;
use store::{Judged, Reason, Status, Verdict};

use crate::context::Result;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Query, Row, Tools};

/// The command.
pub(super) const ROW: Row = Row {
    word: "GAMES",
    form: "GAMES",
    help: "the games of this host",
    read: |line| line.alone(|| Command::query(Games)),
};

/// Games that a mail lists.
const GAMES_MAX: usize = 30;

#[derive(Debug)]
struct Games;

impl Games {
    fn answer(&self, tools: Tools, case: &Case) -> Result<Judged> {
        let mut judged = Answers::new(tools).once_a_day(case, Reason::Games, &text(tools)?)?;
        if !judged.mails.is_empty() {
            judged.verdict = Verdict::Accepted;
        }
        Ok(judged)
    }
}

impl PlayerCommand for Games {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn for_anybody(&self, tools: Tools, case: &Case) -> Result<Option<Judged>> {
        self.answer(tools, case).map(Some)
    }
}

impl Query for Games {
    fn act(&self, tools: Tools, case: &Case, _: &Claim) -> Result<Judged> {
        self.answer(tools, case)
    }
}

/// The games, a line each, and how to join one.
pub(super) fn text(tools: Tools) -> Result<String> {
    let mut out = "Games of this host:\n\n".to_owned();
    let (mut games, mut more) = (tools.store.games()?, 0);
    if games.len() > GAMES_MAX {
        // Those that take players, and those that are played, are what one wants to know of.
        games.sort_by_key(|g| (!g.terms.join, g.status == Status::Over));
        more = games.split_off(GAMES_MAX).len();
    }
    for game in games {
        let seats = tools.store.seats(&game.code)?;
        let taken = seats.iter().filter(|s| !s.resigned).count();
        let free = usize::from(game.setup.seats).saturating_sub(taken);
        let state = match game.status {
            Status::Open if game.terms.join => format!("takes players, {free} seats free"),
            Status::Open => "takes players through the game master".to_owned(),
            Status::Over => "is over".to_owned(),
            _ => format!("turn {}, {free} seats free", game.turn),
        };
        let title = tools.games().engine(&game.engine).map_or("", |e| e.title());
        let seats = game.setup.seats;
        out += &format!("{SAFE}{:<8} {title}, {seats} seats: {state}\n", game.code);
    }
    if more > 0 {
        out += &format!("{SAFE}and {more} more\n");
    }
    out += "\nJOIN with the code of a game asks for a seat; if none is free, you join its \
            waiting list.\n";
    Ok(out)
}
