//! Charts of the standing of the seats of a game, for the game master only.

use super::WebError;
use engine::Chart;
use robot::Robot;
use store::Game;

/// The charts of a game after its last turn, of all its seats.
///
/// # Errors
/// [`WebError`] when the journal can't be read.
pub fn charts(robot: &mut Robot, game: &Game) -> Result<Vec<Chart>, WebError> {
    if game.turn == 0 {
        return Ok(Vec::new());
    }
    let found = robot.reports().atlas_after(game, game.turn - 1, None)?;
    let long = |c: &Chart| c.series.iter().any(|s| s.values.len() > 1);
    Ok(found.map(|(_, charts)| charts).unwrap_or_default().into_iter().filter(long).collect())
}

/// Size of a chart in units.
pub const CHART: (u32, u32) = (480, 260);
