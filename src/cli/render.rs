//! `fieldpost render`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use crate::ops::Failure;
use crate::render_files::{self, Form};
use engine::Seat;
use robot::gm::{By, Sight};

/// Writes a seat's printout of a turn as files: text, HTML, PDF, JSON, pictures.
#[derive(Debug, clap::Args)]
pub struct Render {
    /// Code of the game.
    game: String,
    /// Number of the seat.
    seat: u8,
    /// The turn or step that the printout opened, as players read it: `7`, or `"turn 2, segment 1"`;
    /// the newest by default.
    turn: Option<String>,
    /// Formats, one or several; text is printed if it is the only one and no folder is named.
    #[arg(long, value_delimiter = ',', default_value = "text")]
    format: Vec<Form>,
    /// Folder for the files.
    #[arg(long)]
    out: Option<PathBuf>,
}

impl Run for Render {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let mut robot = context.robot()?;
        let turn = match &self.turn {
            Some(named) => robot.reports().step_called(&self.game, named)?,
            None => robot.game(&self.game)?.turn,
        };
        let (game, seat) = (self.game.as_str(), Seat(self.seat));
        let step = robot.reports().step_label(&self.game, turn)?;
        let what = format!("printout of seat {seat} in {step} shown");
        robot.looked(By::Shell, Some(game), Sight::Printout, &what)?;
        if self.out.is_none() && self.format == [Form::Text] {
            let document = robot.reports().document_of(game, seat, turn)?;
            write!(out, "{}", render::text::document(&document))?;
            return Ok(());
        }
        let folder = self.out.unwrap_or_else(|| PathBuf::from("."));
        let what = (game, seat, turn);
        for path in render_files::printout(&mut robot, what, &self.format, &folder)? {
            writeln!(out, "{}", path.display())?;
        }
        Ok(())
    }
}
