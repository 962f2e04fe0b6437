//! The lessons in the first printouts of a practice game.

use engine::Engine;
use engine::report::{Line, Section, bound};
use store::Game;
use tongue::{say, word};

/// The lesson of a printout of a practice game. `None`: no lesson is left, or the game is not for
/// practice.
pub fn lesson(engine: &dyn Engine, game: &Game) -> Option<Section> {
    if !game.terms.practice {
        return None;
    }
    let lessons = engine.practice().lessons;
    let number = usize::try_from(game.turn).ok()?;
    let points = lessons.get(number.checked_sub(1)?)?;
    let lines: Vec<Line> = points.iter().map(|p| bound(&word(p)).into()).collect();
    let heading = say!("Lesson {number} of {last}", last = lessons.len());
    Some(Section::list(&heading, lines, ""))
}
