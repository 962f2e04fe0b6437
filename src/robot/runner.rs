//! What happens by itself, beside the inboxes: due steps run, the calendar is kept, what is too
//! old is forgotten.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use base::cancel::Cancel;
use jiff::{SignedDuration, Timestamp};

use crate::Robot;
use crate::context::Result;
use crate::host::Wakes;

/// How often the runner looks for what other processes and workers have done, as they may not wake
/// it.
const LOOK: Duration = Duration::from_secs(2);
/// How far the clocks of two workers may be apart; the store's clock corrects each now and then.
const APART: SignedDuration = SignedDuration::from_millis(500);
/// How often to look for mails that are too old to be kept raw.
const TIDY: SignedDuration = SignedDuration::from_hours(6);
/// How many failed rounds in a row with the same cause make one line of the log.
const REPEATED: u32 = 30;

/// Runs what is due.
pub struct Runner {
    /// The robot that runs steps.
    pub robot: Robot,
    /// Names of all inboxes of the host: each may hold cards of any game.
    inboxes: Vec<String>,
    wakes: Wakes,
    /// How far the clocks of two workers may be apart.
    pub apart: SignedDuration,
    /// When old mails were last looked for.
    tidied: Option<Timestamp>,
}

impl Runner {
    /// A runner for a host with these inboxes, whoever reads them.
    pub fn new(robot: Robot, inboxes: Vec<String>, wakes: Wakes) -> Self {
        // A worker that is alone has only one clock.
        let apart = if robot.shared { APART } else { SignedDuration::ZERO };
        Self { robot, inboxes, wakes, apart, tidied: None }
    }

    /// Runs what is due until `stop` is cancelled; a message on `woken` says that there may be
    /// something.
    pub fn run_all(mut self, woken: &Receiver<()>, stop: &Cancel) {
        let (mut last, mut times) = (String::new(), 0_u32);
        while !stop.is_cancelled() {
            let done = catch_unwind(AssertUnwindSafe(|| self.round()));
            let cause = match done {
                Ok(Ok(_)) => String::new(),
                Ok(Err(e)) => e.to_string(),
                Err(_) => "the runner failed inside; it begins anew".to_owned(),
            };
            times = if cause == last { times + 1 } else { 0 };
            if !cause.is_empty() && times.is_multiple_of(REPEATED) {
                tracing::warn!(cause, "steps are looked at again later");
            }
            last = cause;
            self.wait(woken, stop);
        }
    }

    /// Does one round, and returns the number of games in which a step ran.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails; nothing is lost by it.
    pub fn round(&mut self) -> Result<u32> {
        let started = self.robot.now();
        let mut since = Timestamp::MAX;
        for inbox in &self.inboxes {
            since =
                since.min(self.robot.store.workers().fetched_at(inbox)?.unwrap_or(Timestamp::MIN));
        }
        self.judge_nobodys()?;
        // The time of a fetch is by the clock of the worker that fetched.
        let since = since.checked_sub(self.apart).unwrap_or(since);
        let run = self.robot.run_due(since)?;
        self.robot.tick()?;
        // Also for what this round has queued: reminders, notices, the notice of a suspended game.
        let due = self.robot.store.outbox().next_send()?;
        if run > 0 || due.is_some_and(|at| at <= self.robot.now()) {
            let _ = self.wakes.outbox.send(());
            let _ = self.wakes.drawing.send(());
        }
        if run > 0 {
            let _ = self.wakes.others.send(());
        }
        if self.tidied.is_none_or(|at| started.duration_since(at) > TIDY) {
            // What is left waits for the next round.
            let done = self.robot.leased("tidy", Robot::forget_some_mails)?;
            if !done.is_some_and(|(_, more)| more) {
                self.tidied = Some(started);
            }
        }
        Ok(run)
    }

    /// Judges mails of inboxes that the config no longer names. Where workers share a store, the
    /// worker that has an inbox judges its mails; nobody has these, and games would wait for them.
    fn judge_nobodys(&mut self) -> Result<()> {
        if !self.robot.shared {
            return Ok(());
        }
        for source in self.robot.store.mails().unjudged_sources()? {
            if !self.inboxes.contains(&source) {
                let judge = |robot: &mut Robot| robot.receive_from(&[], Some(&source));
                self.robot.leased("inbox of nobody", judge)?;
            }
        }
        Ok(())
    }

    /// Waits for a wake, the next event or the next look.
    fn wait(&self, woken: &Receiver<()>, stop: &Cancel) {
        let (now, next) = (self.robot.now(), self.robot.next_event());
        let left = match next {
            Ok(Some(at)) if at > now => Duration::try_from(at.duration_since(now))
                .unwrap_or_default()
                .saturating_add(Duration::from_millis(20))
                .min(LOOK),
            // After an event's time has passed, it waits for something else: an inbox, a verdict.
            _ => LOOK,
        };
        await_word(woken, left, stop);
    }
}

/// Waits for a wake, no longer than `at_most`, and returns whether one came. Cancelling `stop`
/// sends no wake, so this checks it often.
pub fn await_word(woken: &Receiver<()>, at_most: Duration, stop: &Cancel) -> bool {
    let look = Duration::from_millis(100);
    let mut left = at_most;
    while !left.is_zero() && !stop.is_cancelled() {
        let part = left.min(look);
        if woken.recv_timeout(part).is_ok() {
            while woken.try_recv().is_ok() {}
            return true;
        }
        left -= part;
    }
    false
}
