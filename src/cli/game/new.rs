//! `fieldpost game new`.

use std::io::Write;
use std::path::PathBuf;

use crate::cli::command::{Context, Run};
use crate::cli::input::{data_files, name_and_value};
use crate::ops::Failure;
use base::schedule::Rule;
use base::terms::Terms;
use robot::gm::setup::NewGame;
use robot::gm::{By, Make};

/// Makes a game that takes seats.
#[derive(Debug, clap::Args)]
pub struct New {
    /// Code of the game: 1 to 8 letters and digits, such as W7.
    game: String,
    /// Engine.
    #[arg(long, visible_alias = "game", default_value = "warlord")]
    engine: String,
    /// Number of seats.
    #[arg(long)]
    seats: u32,
    /// From one deadline to the next, such as "7 days", "36 hours" or "mon thu".
    #[arg(long, default_value = "7 days")]
    every: String,
    /// Local time of the deadline for intervals of whole days.
    #[arg(long)]
    at: Option<String>,
    /// Time zone of the game.
    #[arg(long, default_value = "UTC")]
    zone: String,
    /// Folder with data files that replace the engine's own, such as units.toml.
    #[arg(long)]
    data: Option<PathBuf>,
    /// An option of the engine, such as variant=1939 or absent_turns=6.
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    option: Vec<(String, String)>,
    /// Credits that each printout but the first and the last costs; 0: nothing.
    #[arg(long, default_value_t = 0)]
    fee: u32,
    /// Missed turns after which a computer plays on for a player; 0: never.
    #[arg(long, default_value_t = 0)]
    takeover: u32,
    /// A day without deadline: 2026-12-25, 12-25 each year, 2026-12-24..2027-01-02.
    #[arg(long)]
    holiday: Vec<String>,
    /// A term of the game, such as join=true, early=true, policy=strict,
    /// grace_minutes=30, quorum=5; "game set W7" shows all.
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    set: Vec<(String, String)>,
}

impl Run for New {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let mut robot = context.robot()?;
        let with = |t: Terms, (k, v): &(String, String)| t.with(k, v);
        let terms = self.set.iter().try_fold(Terms::default(), with)?;
        let data = data_files(self.data.as_deref())?;
        let Self { every, at, zone, holiday: holidays, game, .. } = self;
        let made = Make(NewGame {
            code: game,
            engine: self.engine,
            // More than any game has; the robot says how many there may be.
            seats: u8::try_from(self.seats).unwrap_or(u8::MAX),
            rule: Rule { every, at, zone, holidays },
            data,
            options: self.option.into_iter().collect(),
            fee: self.fee,
            takeover: self.takeover,
            terms,
        });
        writeln!(out, "{}", robot.act(By::Shell, &made)?)?;
        Ok(())
    }
}
