//! `fieldpost rules`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use crate::ops::Failure;
use render::pdf::Paper;
use robot::book::Book;

/// Prints the rulebook of a game, with the figures of its data files, or writes it as a PDF.
#[derive(Debug, clap::Args)]
pub struct Rules {
    /// Code of the game.
    game: String,
    /// Writes a book for paper, with pictures and an index, into this file.
    #[arg(long, value_name = "FILE")]
    pdf: Option<PathBuf>,
    /// The book on Letter paper instead of A4.
    #[arg(long, requires = "pdf")]
    letter: bool,
}

impl Run for Rules {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let robot = context.robot()?;
        let game = robot.game(&self.game)?;
        let open = robot.open(&game)?;
        let chapters = robot.games().rulebook(&game, open.as_ref(), None)?;
        let Some(path) = self.pdf else {
            write!(out, "{}", render::text::sections(&chapters))?;
            return Ok(());
        };
        let engine = robot.games().engine(&game.engine)?;
        let book = robot
            .games()
            .shielded(&game.code, || Book::new(engine, &game.code, chapters, open.as_ref()))?;
        let paper = if self.letter { Paper::Letter } else { Paper::A4 };
        std::fs::write(&path, book.pdf(paper)?)
            .map_err(|e| format!("{} can't be written: {e}", path.display()))?;
        writeln!(out, "{}", path.display())?;
        Ok(())
    }
}
