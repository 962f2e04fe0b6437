//! Practice games: one player against computers. They begin when their player has said YES, run
//! whenever that player is ready, and end by themselves when the player has left.

use store::{Game, MailKind, Question, Status};
use tongue::say;

use crate::Robot;
use crate::context::{Result, RobotError, refuse};
use crate::games::Games;
use crate::mailer::Mailer;
use crate::turns::Turns;

/// Makes the games of those who have confirmed that they want to practise. Each is one commit,
/// with the note that it was made.
///
/// # Errors
/// [`RobotError::Store`] when the store fails.
pub(crate) fn begin_practices(robot: &mut Robot) -> Result<()> {
    for request in robot.store.people().practices_wanted()? {
        match begin_practice(robot, &request) {
            Ok(code) => {
                tracing::info!(game = code, engine = request.practises(), "practice game begins");
                robot.go_on(&code);
            }
            Err(RobotError::Store(e)) if !e.is_about_data() => return Err(e.into()),
            Err(e) => {
                tracing::error!(engine = request.practises(), error = %e, "no practice game was made");
                // Tried again, it would fail again.
                no_practice(robot, &request)?;
            }
        }
    }
    // Suspended games run no step, but their player may have left all the same.
    for game in robot.store.games_that_are(Status::Suspended)? {
        end_if_left(robot, &game)?;
    }
    Ok(())
}

fn begin_practice(robot: &mut Robot, request: &Question) -> Result<String> {
    let most = robot.cx.limits.practice_games_max as usize;
    robot.as_game_master(|gm| {
        let games = Games::new(gm.cx, gm.tx);
        if games.practices()?.len() >= most || games.practice_of(&request.address)?.is_some() {
            return refuse("all practice games are taken, or this address already has one");
        }
        let code = gm.practice(request.practises(), &request.address)?;
        gm.tx.practice_began(request.id, &code)?;
        Ok(code)
    })
}

/// Tells somebody who said YES that there is no game for them.
fn no_practice(robot: &mut Robot, request: &Question) -> Result<()> {
    let now = robot.cx.now();
    let words = || {
        let text = say!(
            "Your practice game could not be made: all are taken now, or you have one. \
             PRACTICE {game} asks for one again.",
            game = request.practises()
        );
        let subject = say!("no practice game");
        let about = (request.address.as_str(), subject.as_str());
        let key = format!("practice {}", request.id);
        let mailer = Mailer::new(&robot.cx, &robot.store);
        mailer.answer_mail(MailKind::Notice, about, None, &text, &key, now)
    };
    let language = robot.store.games().language_of(&request.address)?;
    let mail = robot.cx.in_language(&language, words);
    Ok(robot.store.write(|tx| {
        tx.practice_began(request.id, "")?;
        tx.outbox().post(mail.as_slice(), now)
    })?)
}

/// Ends a practice game if its player has resigned or the player's seat is out of the game; returns
/// whether it did.
///
/// # Errors
/// [`RobotError::Store`] when the store fails.
pub(crate) fn end_if_left(robot: &mut Robot, game: &Game) -> Result<bool> {
    if !game.terms.practice {
        return Ok(false);
    }
    let seats = robot.store.games().seats(&game.code)?;
    let left = match seats.iter().find(|s| s.has_player()) {
        None => true,
        // A seat that is not awaited may be out of the game; then it has no report.
        Some(row) if game.status == Status::Running && !game.step.awaits(row.seat) => {
            let games = Games::new(&robot.cx, &robot.store);
            let open = games.open(game)?;
            games.shielded(&game.code, || open.report(row.seat, &row.language).is_none())?
        }
        Some(_) => false,
    };
    if left {
        robot.as_game_master(|gm| gm.end_practice(game))?;
    }
    Ok(left)
}

/// Ends a practice game if its player let the whole time of a step pass; returns whether it did.
///
/// # Errors
/// [`RobotError::Store`] when the store fails.
pub(crate) fn end_if_missed(robot: &mut Robot, game: &Game) -> Result<bool> {
    let missed = game.terms.practice
        && !Turns::new(&robot.cx, &robot.store).missed(game, robot.cx.now())?.is_empty();
    if missed {
        robot.as_game_master(|gm| gm.end_practice(game))?;
    }
    Ok(missed)
}
