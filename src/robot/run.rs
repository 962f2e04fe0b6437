//! What happens by itself: due steps are run, the calendar is kept.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use base::cancel::Cancel;
use engine::Until;
use jiff::{SignedDuration, Timestamp};
use store::{Change, Game, Look, Status};

use crate::Robot;
use crate::calendar::Calendar;
use crate::context::{Result, RobotError, refuse};
use crate::games::{Games, at_rest};
use crate::gm::Gm;
use crate::practice;
use crate::silence::Silence;
use crate::turns::{Turns, log};
use crate::{drawing, persons, sending, silence, steps};

/// Steps that may follow each other at once; after more, the game is suspended, because its engine
/// would go on for ever.
const STEPS_AT_ONCE_MAX: u32 = 100;
/// Steps of one game that are run before others have their turn.
const STEPS_IN_A_ROW: u32 = 200;
/// How soon a game is looked at again after its calendar could not be kept.
const TRIED_AGAIN: SignedDuration = SignedDuration::from_mins(10);

impl Robot {
    /// Runs the steps that follow one that is kept already. A failure here suspends the game or is
    /// left to the next look; it does not undo what was kept.
    pub(crate) fn go_on(&mut self, code: &str) {
        let done = match follow(self, code) {
            Err(RobotError::Engine(code, why)) => self.suspend(&code, &why),
            other => other,
        };
        if let Err(error) = done {
            tracing::error!(game = code, %error, "the steps that follow wait");
        }
    }

    /// Runs every step that is due, and those that follow at once. `fetched_since` is when the last
    /// complete fetch of all inboxes began. A step runs at its deadline only if that fetch began no
    /// earlier than the deadline, so that no card received in time is left out.
    ///
    /// # Errors
    /// [`RobotError::Store`]; a game whose engine fails is suspended and others go on.
    pub fn run_due(&mut self, fetched_since: Timestamp) -> Result<u32> {
        let now = self.cx.now();
        let looks = self.store.to_look_at(now)?;
        let mut run = 0;
        for game in looks.iter().map(|l| &l.game) {
            if game.status != Status::Running {
                note_wait(self, game, now)?;
                continue;
            }
            match run_if_due(self, game, now, fetched_since) {
                Ok(ran) => run += u32::from(ran),
                Err(RobotError::Engine(code, why)) => self.suspend(&code, &why)?,
                // Asked again, it would fail again, and keep all other games waiting.
                Err(RobotError::Store(e)) if e.is_about_data() => {
                    self.suspend(&game.code, &e.to_string())?;
                }
                Err(RobotError::Store(e)) => return Err(e.into()),
                Err(e) => {
                    tracing::error!(game = game.code, turn = game.turn, error = %e, "turn not run")
                }
            }
        }
        Ok(run)
    }

    /// Does work that only one worker does at a time; `None` when another does it. Each commit
    /// within it is made only while this worker has the lease of that name. A worker that is alone
    /// needs no lease.
    ///
    /// # Errors
    /// The error of `work`, or [`store::StoreError::Overtaken`] when the lease was lost meanwhile.
    pub fn leased<T>(
        &mut self,
        name: &str,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<T>> {
        if !self.shared {
            return work(self).map(Some);
        }
        let now = self.cx.now();
        let Some(lease) = self.store.write(|tx| tx.workers().take_lease(name, now))? else {
            return Ok(None);
        };
        self.store.hold(Some(lease.clone()));
        let done = catch_unwind(AssertUnwindSafe(|| work(self)));
        self.store.hold(None);
        let back = self.store.write(|tx| tx.workers().give_back(&lease));
        match done {
            // If `work` failed, a lease that can't be given back runs out by itself.
            Ok(done) => done.and_then(|done| Ok(back.map(|()| Some(done))?)),
            Err(panic) => resume_unwind(panic),
        }
    }

    /// Runs a game's open step now, and those that follow at once.
    ///
    /// # Errors
    /// [`RobotError::Engine`] when the engine fails: the game is to be suspended.
    pub fn run_turn(&mut self, code: &str) -> Result<()> {
        let game = self.game(code)?;
        if game.status != Status::Running {
            return refuse(at_rest(&game));
        }
        match run_step(self, &game)? {
            true => follow(self, code),
            // If the turn is still the same, a card came meanwhile, and the step runs with it.
            // Otherwise another process has run it.
            false if self.game(code)?.turn == game.turn => self.run_turn(code),
            false => Ok(()),
        }
    }

    /// Draws every printout and echo that waits for it, at once.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn draw_mails(&mut self) -> Result<usize> {
        let now = self.cx.now();
        Ok(drawing::draw(&mut self.store, &self.cx, &|| now, &|| {}, &Cancel::default())?)
    }

    /// Does what the calendar causes now, except for steps, which [`Robot::run_due`] runs.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails; a game that can't go on is left out.
    pub fn tick(&mut self) -> Result<()> {
        self.leased("calendar", keep_calendar).map(|_| ())
    }

    /// When something next happens by itself, as far as it is known. A time that has passed means
    /// that something has changed, or waits for an inbox or a verdict.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn next_event(&self) -> Result<Option<Timestamp>> {
        Ok(self.store.next_look()?)
    }

    /// Notes that the mailboxes could not be read between two instants. If that was too long for a
    /// game, moves its deadline, because a player could not send, or got no echo.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn note_outage(&mut self, from: Timestamp, until: Timestamp) -> Result<()> {
        let now = self.cx.now();
        let gap = until.duration_since(from);
        let games = self.store.games_that_are(Status::Running)?;
        let least = games.iter().map(|g| g.terms.outage_minutes).filter(|m| *m > 0).min();
        if least.is_none_or(|m| gap <= SignedDuration::from_mins(m.into())) {
            return Ok(());
        }
        self.store.write(|tx| tx.add_outage(from, until))?;
        tracing::warn!(minutes = gap.as_mins(), "no mail could be read");
        for game in &games {
            if Calendar::new(&self.cx, &self.store).outage(game, until, now)?.is_some() {
                change(self, &game.code, now, |calendar, game| calendar.outage(game, until, now))?;
            }
        }
        Ok(())
    }

    /// A game by code.
    ///
    /// # Errors
    /// [`RobotError::Refused`] with the codes that there are.
    pub fn game(&self, code: &str) -> Result<Game> {
        Games::new(&self.cx, &self.store).game(code)
    }
}

/// Runs a game's open step if it is due and has enough cards; returns whether it ran.
fn run_if_due(
    robot: &mut Robot,
    game: &Game,
    now: Timestamp,
    fetched_since: Timestamp,
) -> Result<bool> {
    if practice::end_if_left(robot, game)? {
        return Ok(false);
    }
    if !is_due(robot, game, now, fetched_since)? {
        note_wait(robot, game, now)?;
        return Ok(false);
    }
    if practice::end_if_missed(robot, game)? {
        return Ok(false);
    }
    if Silence::new(&robot.cx, &robot.store).holds(game, now)? {
        let cx = &robot.cx;
        robot.store.write(|tx| silence::hold(cx, tx, &game.code, game.turn))?;
        return Ok(false);
    }
    if Calendar::new(&robot.cx, &robot.store).quorum(game, now)?.is_some() {
        note_wait(robot, game, now)?;
        change(robot, &game.code, now, |calendar, game| calendar.quorum(game, now))?;
        return Ok(false);
    }
    // The worker that has the lease runs the step; no other spends its time on it.
    let ran = robot.leased(&format!("step {}", game.code), |robot| robot.run_turn(&game.code))?;
    Ok(ran.is_some())
}

/// Logs what a due step waits for, once, until it waits for something else.
fn note_wait(robot: &mut Robot, game: &Game, now: Timestamp) -> Result<()> {
    let waits = Calendar::new(&robot.cx, &robot.store).waits_for(game, now)?;
    let Some(waits_for) = waits else {
        robot.waits.remove(&game.code);
        return Ok(());
    };
    let said = (game.turn, waits_for);
    if robot.waits.get(&game.code) != Some(&said) {
        let (turn, waits_for) = (said.0, said.1.as_str());
        tracing::info!(game = game.code, turn, waits_for, "a due step waits");
        robot.waits.insert(game.code.clone(), said);
    }
    Ok(())
}

/// Whether a step is to run now: it follows at once, its deadline and its grace are over, or no
/// awaited player may still answer. Everything that was received before must have its verdict.
fn is_due(robot: &Robot, game: &Game, now: Timestamp, fetched_since: Timestamp) -> Result<bool> {
    let at_once = game.step.until == Until::Now;
    let over = steps::ends(game).is_some_and(|d| d <= now && (at_once || d <= fetched_since));
    if !over && !steps::is_settled(&robot.store, game, now)? {
        return Ok(false);
    }
    // A mail that has no verdict yet may be a card for this step.
    let until = if over { steps::ends(game).unwrap_or(now) } else { now };
    Ok(!robot.store.mails().awaits_verdict(&game.code, until)?)
}

/// Runs the open step of a game again and again, as long as it need not wait for anybody.
fn follow(robot: &mut Robot, code: &str) -> Result<()> {
    let mut at_once = 0;
    for _ in 0..STEPS_IN_A_ROW {
        let game = robot.game(code)?;
        if practice::end_if_left(robot, &game)? {
            return Ok(());
        }
        at_once = if game.step.until == Until::Now { at_once + 1 } else { 0 };
        if at_once > STEPS_AT_ONCE_MAX {
            let why = "its steps follow each other without end".to_owned();
            return Err(RobotError::Engine(game.code, why));
        }
        if !steps::is_settled(&robot.store, &game, robot.cx.now())? || !run_step(robot, &game)? {
            return Ok(());
        }
    }
    Ok(())
}

/// Runs one step. Returns whether it was kept; it is not when the game changed meanwhile.
fn run_step(robot: &mut Robot, game: &Game) -> Result<bool> {
    let cx = &robot.cx;
    let ran = robot.store.snapshot(|reader| Turns::new(cx, reader).decide(game, None))?;
    let now = robot.cx.now();
    let kept = robot
        .store
        .write(|tx| tx.run_turn(&game.code, &ran.record, &ran.rolls, &ran.next, &ran.mails, now))?;
    if kept {
        log(game, &ran);
    }
    Ok(kept)
}

fn keep_calendar(robot: &mut Robot) -> Result<()> {
    practice::begin_practices(robot)?;
    let now = robot.cx.now();
    // Games that this changes are looked at once more, to find when to look at them next.
    for _ in 0..2 {
        let mut looked = Vec::new();
        for Look { game, stamp, at } in robot.store.to_look_at(now)? {
            let next = match look(robot, &game, now) {
                Err(RobotError::Store(e)) if !e.is_about_data() => return Err(e.into()),
                Err(e) => {
                    tracing::error!(game = game.code, error = %e, "the calendar waits");
                    // Its step runs all the same.
                    let ends = match steps::is_settled(&robot.store, &game, now)? {
                        true => Some(game.step.opened_at),
                        false => steps::ends(&game),
                    };
                    let again = now + TRIED_AGAIN;
                    Some(ends.map_or(again, |ends| ends.min(again)))
                }
                Ok(next) => next,
            };
            // A game that waits for an inbox or a verdict keeps its time.
            if next != Some(at) {
                looked.push((game.code, stamp, next));
            }
        }
        if looked.is_empty() {
            break;
        }
        robot.store.write(|tx| tx.looked(&looked))?;
    }
    let calendar = Calendar::new(&robot.cx, &robot.store);
    let mut lost = calendar.unreachable_seats(now)?;
    lost.extend(sending::changes(&robot.cx, &robot.store, now)?);
    for change in &lost {
        robot.store.write(|tx| tx.apply(change, now))?;
    }
    Ok(())
}

/// Does what the calendar causes in a game, and returns when to look at it next.
fn look(robot: &mut Robot, game: &Game, now: Timestamp) -> Result<Option<Timestamp>> {
    let waited_for = !robot.store.people().waiting(&game.code)?.is_empty();
    if game.status != Status::Over {
        for change in persons::doubles(&robot.cx, &robot.store, game, now)? {
            robot.store.write(|tx| tx.apply(&change, now))?;
        }
    }
    match game.status {
        Status::Open => start_by_itself(robot, game, now)?,
        Status::Running => calendar(robot, game, waited_for, now)?,
        Status::Suspended | Status::Over => {}
    }
    Calendar::new(&robot.cx, &robot.store).next_event(game, waited_for, now)
}

fn calendar(robot: &mut Robot, game: &Game, waited_for: bool, now: Timestamp) -> Result<()> {
    for change in Calendar::new(&robot.cx, &robot.store).changes(game, waited_for, now)? {
        let sent = change.mails.len();
        if robot.store.write(|tx| tx.apply(&change, now))? && sent > 0 {
            tracing::info!(game = game.code, turn = game.turn, sent, "calendar");
        }
    }
    Ok(())
}

fn start_by_itself(robot: &mut Robot, game: &Game, now: Timestamp) -> Result<()> {
    if !Calendar::new(&robot.cx, &robot.store).starts(game, now)? {
        return Ok(());
    }
    let cx = &robot.cx;
    robot.store.write(|tx| Gm::new(cx, tx).start_with_computers(&game.code))?;
    robot.go_on(&game.code);
    Ok(())
}

/// Decides and makes a change of a game in one commit, from the game as it is then, so that a
/// deadline that somebody else has moved meanwhile is not moved back.
fn change(
    robot: &mut Robot,
    code: &str,
    now: Timestamp,
    decide: impl Fn(&Calendar, &Game) -> Result<Option<Change>>,
) -> Result<()> {
    let cx = &robot.cx;
    robot.store.write(|tx| {
        let Some(game) = tx.games().game(code)?.filter(|g| g.status == Status::Running) else {
            return Ok(());
        };
        match decide(&Calendar::new(cx, tx), &game)? {
            Some(change) => Ok(tx.apply(&change, now).map(|_| ())?),
            None => Ok(()),
        }
    })
}
