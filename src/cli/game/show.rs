//! `fieldpost game show`.

use std::io::Write;

use crate::cli::command::{Context, Run};
use crate::ops::Failure;
use base::schedule;
use robot::Robot;
use robot::gm::terms::due;
use store::{Game, SeatRow, Status};

/// Shows a game with its seats: who has orders on file, and who is ready.
#[derive(Debug, clap::Args)]
pub struct Show {
    /// Code of the game.
    game: String,
}

impl Run for Show {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let robot = context.robot()?;
        let game = robot.game(&self.game)?;
        let (status, zone) = (game.status.as_str(), &game.rule.zone);
        writeln!(out, "Game {}: {}, {status}, {} seats", game.code, game.engine, game.setup.seats)?;
        if !game.suspended_why.is_empty() {
            writeln!(out, "Suspended: {}", game.suspended_why)?;
        }
        if !game.setup.options.is_empty() {
            let options = game.setup.options.iter().map(|(name, value)| format!("{name}={value}"));
            let options: Vec<String> = options.collect();
            writeln!(out, "Options: {}", options.join(", "))?;
        }
        // A game of an engine that this program lacks is shown as well.
        if let Ok(engine) = robot.games().engine(&game.engine) {
            writeln!(out, "{}", due(engine, &game.rule, &game.setup))?;
        }
        match game.status {
            Status::Open => writeln!(out, "\"fieldpost game start {}\" starts it", game.code)?,
            _ => writeln!(out, "{}", robot.mailer().due_line(&game, None, zone, robot.now()))?,
        }
        if game.status == Status::Running
            && let Some(what) = robot.reports().waits_for(&game)?
        {
            writeln!(out, "It is due and waits for {what}")?;
        }
        for seat in robot.store.games().seats(&game.code)? {
            writeln!(out, "seat {:>3}  {}", seat.seat, seat_line(&robot, &game, &seat)?)?;
        }
        let counts = robot.store.outbox().outbox_counts()?;
        let (waiting, sent, failed) = (counts.waiting, counts.sent, counts.failed);
        writeln!(out, "Outbox: {waiting} waiting, {sent} sent, {failed} failed")?;
        Ok(())
    }
}

/// Who plays a seat, and what they have on file for the open turn.
fn seat_line(robot: &Robot, game: &Game, seat: &SeatRow) -> Result<String, Failure> {
    if seat.computer {
        return Ok("a computer player".to_owned());
    }
    let filed = robot.store.mails().orders(&game.code, seat.seat, game.turn)?;
    let orders = filed.map_or("no orders".to_owned(), |f| {
        let (lines, at) = (f.card.lines.len(), schedule::local(f.received_at, &game.rule.zone));
        format!("{lines} orders, {at}")
    });
    let ready = if game.turn > 0 && seat.ready == game.turn { ", ready" } else { "" };
    let missed = if seat.missed > 0 { format!(", missed {}", seat.missed) } else { String::new() };
    let away = game.takeover > 0 && seat.missed >= game.takeover;
    let away = if away { ", the computer plays on" } else { "" };
    let credit = match game.fee {
        0 => String::new(),
        _ => format!(", credit {}", robot.store.credit(&game.code, seat.seat)?),
    };
    Ok(format!("{:<30} {orders}{ready}{missed}{away}{credit}", seat.name))
}
