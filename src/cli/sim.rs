//! `fieldpost sim`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use super::input::{data_files, name_and_value};
use crate::ops::Failure;
use crate::sim;
use engine::{Setup, options};
use registry::ENGINES;

/// Plays whole games of computer players without mail and checks the rules.
#[derive(Debug, clap::Args)]
pub struct Sim {
    /// Engine.
    #[arg(long, visible_alias = "game", default_value = "warlord")]
    engine: String,
    /// Number of seats; as many as the game takes if it is not given.
    #[arg(long)]
    seats: Option<u8>,
    /// Turns at most; a game ends before when it is won.
    #[arg(long, default_value_t = 75, value_parser = clap::value_parser!(u32).range(1..))]
    turns: u32,
    /// Seed of the first game.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games, each with the next seed.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Games that are played at a time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// How many seats, the last ones, send no more cards from turn 11 on.
    #[arg(long, default_value_t = 0)]
    absent: u8,
    /// Skips the checks after each turn.
    #[arg(long)]
    unchecked: bool,
    /// Folder for the charts of the game.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Folder with data files that replace the engine's own, such as rules.toml.
    #[arg(long)]
    data: Option<PathBuf>,
    /// Two strengths of computers, such as hard:normal, that take the seats in turn; each seed is
    /// played twice, with sides exchanged. With --data a strength may have other figures.
    #[arg(long, value_name = "ONE:OTHER", value_parser = two_strengths)]
    between: Option<[String; 2]>,
    /// Figures for the table, such as stock; a wrong name lists them all.
    #[arg(long, value_delimiter = ',')]
    columns: Vec<String>,
    /// An option of the engine, such as variant=1939.
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    option: Vec<(String, String)>,
}

/// Reads `hard:normal`.
fn two_strengths(text: &str) -> Result<[String; 2], String> {
    match text.split(':').collect::<Vec<_>>()[..] {
        [one, other] if one != other => Ok([one, other].map(str::to_owned)),
        _ => Err("two different strengths, such as hard:normal".to_owned()),
    }
}

impl Run for Sim {
    fn run(self, _: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let engine = engine::named(&ENGINES, &self.engine)?;
        let range = engine.seats();
        let seats = self.seats.unwrap_or(*range.end());
        if !range.contains(&seats) {
            let (title, least, most) = (engine.title(), range.start(), range.end());
            return Err(format!("{title} takes {least} to {most} seats, not {seats}").into());
        }
        if self.absent >= seats {
            return Err(format!("of {seats} seats at most {} can leave", seats - 1).into());
        }
        if self.between.is_some() && self.option.iter().any(|(name, _)| name == "computers") {
            return Err("--between sets the option computers; leave one of them out".into());
        }
        let data = data_files(self.data.as_deref())?;
        let setup = Setup { seats, data, options: self.option.into_iter().collect() };
        let passed_over = options::passed_over(engine.title(), engine.options(), &setup);
        if !passed_over.is_empty() {
            return Err(passed_over.join("\n").into());
        }
        let plan = sim::Plan {
            setup,
            turns: self.turns,
            seed: self.seed,
            seeds: self.seeds,
            jobs: self.jobs.into(),
            absent: self.absent,
            unchecked: self.unchecked,
            report: self.report,
            between: self.between,
            columns: self.columns,
        };
        sim::run(engine, &plan, out)
    }
}
