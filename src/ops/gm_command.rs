//! A command of the game master, written as in a mail, from a shell or a dashboard.

use robot::gm::{Asked, By};
use robot::gm_commands::{read, wrong};
use robot::{Robot, RobotError};

/// Carries out a command, without its `GM`, as one unit of work, and gives the answer.
///
/// # Errors
/// [`RobotError::Refused`] says what is wrong and shows the right form; nothing is changed then.
pub fn command(robot: &mut Robot, by: By, said: &str) -> Result<String, RobotError> {
    let mut answers = Vec::new();
    let query = match read(said)? {
        (_, Asked::Action(action, then)) => {
            answers.push(robot.act(by, action.as_ref())?);
            then
        }
        (_, Asked::Query(query)) => Some(query),
        (row, Asked::Wrong) => return wrong(row),
    };
    if let Some(query) = query {
        answers.push(robot.as_game_master(|gm| query.answer(gm))?);
    }
    Ok(answers.join("\n\n"))
}
