//! `fieldpost check`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use crate::ops::Failure;
use engine::{CardText, Reading, Seat};
use robot::card::Request;
use robot::card::echo::Echo;
use robot::commands::ROWS;
use robot::verdict::worded;

/// Judges a card from a file and files nothing.
#[derive(Debug, clap::Args)]
pub struct Check {
    /// Code of the game.
    #[arg(long)]
    game: String,
    /// Number of the seat.
    #[arg(long)]
    seat: u8,
    /// File with the card; - for standard input.
    card: PathBuf,
}

impl Run for Check {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let robot = context.robot()?;
        let text = match self.card.as_os_str() == "-" {
            true => std::io::read_to_string(std::io::stdin())?,
            false => std::fs::read_to_string(&self.card)
                .map_err(|e| format!("{}: {e}", self.card.display()))?,
        };
        let game = robot.game(&self.game)?;
        if !(1..=game.setup.seats).contains(&self.seat) {
            return Err(format!("game {} has seats 1 to {}", game.code, game.setup.seats).into());
        }
        let rules = robot.games().engine(&game.engine)?;
        let lines: Vec<String> = text.lines().map(mail::normal::normalise).collect();
        let open = robot.open(&game)?;
        let seat = Seat(self.seat);
        let judgement = robot.games().shielded(&game.code, || {
            let reader = open.reader(seat);
            let begins = |line: &str| rules.starts_order(line) || reader.read(line) != Reading::No;
            let card: CardText = Request::read(&lines, usize::MAX, ROWS, &begins).card;
            worded::judged(open.as_ref(), rules, seat, card)
        })?;
        let echo = Echo {
            outcome: "This card was checked and not filed.".to_owned(),
            facts: vec![robot.mailer().due_line(
                &game,
                Some(Seat(self.seat)),
                &game.rule.zone,
                robot.now(),
            )],
            title: "The card as it would stand",
            judgement: &judgement,
            seals: Vec::new(),
            hints: Vec::new(),
        };
        // The marker line is for mails.
        let text = echo.text();
        writeln!(out, "{}", text.split_once("\n\n").map_or(text.as_str(), |(_, t)| t))?;
        Ok(())
    }
}
