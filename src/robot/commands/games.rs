//! GAMES: the games of this host, for anybody.

use engine::report::{Block, Section};
use render::text::{SAFE, fill};
use store::{Judged, Reason, Status, Verdict};
use tongue::{count, mark, say};

use super::practice;
use crate::context::Result;
use crate::mailer::step_name;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Query, Row, Tools};

/// The command.
pub(super) const ROW: Row = Row {
    word: "GAMES",
    form: "GAMES",
    help: mark!("the games of this host"),
    read: |line| line.alone(|| Command::query(Games)),
};

/// Games that a mail lists, at most.
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
    fn beside(&self, tools: Tools, _: &Claim) -> Result<Option<Vec<Section>>> {
        let lines = text(tools)?.lines().map(str::to_owned).collect();
        let blocks = vec![Block::Quote(lines)];
        Ok(Some(vec![Section { heading: ROW.word.to_owned(), blocks }]))
    }

    fn act(&self, tools: Tools, case: &Case, _: &Claim) -> Result<Judged> {
        self.answer(tools, case)
    }
}

/// The games, a line each, and how to join one.
pub(super) fn text(tools: Tools) -> Result<String> {
    let (mut games, mut more) = (tools.store.games().all()?, 0);
    // Games that nobody can join by mail or look at are not listed.
    games.retain(|g| (g.terms.join || g.status == Status::Over) && !g.terms.practice);
    if games.len() > GAMES_MAX {
        // Games that take players come first, then games that are not over.
        games.sort_by_key(|g| (!g.terms.join, g.status == Status::Over));
        more = games.split_off(GAMES_MAX).len();
    }
    if games.is_empty() {
        let none = say!("No game of this host takes players by mail now.");
        return Ok(format!("{none}\n{}", practice::invitation(tools)));
    }
    let mut out = format!("{}\n\n", say!("Games of this host:"));
    for game in games {
        let seats = tools.store.games().seats(&game.code)?;
        let computers = seats.iter().filter(|s| s.computer && !s.resigned).count();
        let taken = seats.iter().filter(|s| !s.resigned).count();
        let free = usize::from(game.setup.seats).saturating_sub(taken);
        let label = step_name(&game.step.label);
        let state = match (game.status, computers) {
            (Status::Open, _) => count!(
                n = free + computers,
                "takes players, {n} seat free",
                "takes players, {n} seats free"
            ),
            (Status::Over, _) => say!("is over"),
            (_, 0) => count!(free, "{label}, {free} seat free", "{label}, {free} seats free"),
            (_, n) => count!(
                free,
                "{label}, {free} seat free, {n} played by computers that a newcomer may take",
                "{label}, {free} seats free, {n} played by computers that a newcomer may take"
            ),
        };
        let title = tools.games().engine(&game.engine).map_or("", |e| e.title());
        let line = count!(
            seats = game.setup.seats,
            "{title}, {seats} seat: {state}",
            "{title}, {seats} seats: {state}"
        );
        out += &fill(&format!("{SAFE}{:<8} {line}", game.code), "", SAFE);
    }
    if more > 0 {
        out += &format!("{SAFE}{}\n", say!("and {more} more"));
    }
    let join = say!(
        "JOIN with the code of a game asks for a seat; if none is free, you join its waiting list."
    );
    Ok(format!("{out}\n{join}\n{}", practice::invitation(tools)))
}
