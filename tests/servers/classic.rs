//! Classic Warlord between the real servers, with four seats: one player answers at once, one
//! almost too late, one never, and one is a computer.

use std::sync::Arc;

use base::clock::{Clock, FakeClock, FixedEntropy, SystemClock};
use engine::{Dice, Seat};
use jiff::SignedDuration;
use registry::ENGINES;
use store::Store;
use support::letter::Letter;
use support::rig::Rig;

use super::host::{GAME, Process, answer, letters, plain};

const QUICK: u8 = 1;
const SLOW: u8 = 2;
const ABSENT: u8 = 3;

const TURN: i64 = 48;
const LIVE: i64 = 12;

/// Hours that are left of each wait when the slow player answers.
const LEFT: i64 = 3;

/// Steps within which everything that the test looks for must happen.
const STEPS: u32 = 150;

struct Table<'a> {
    rig: &'a Rig,
    robot: Process,
    clock: Arc<FakeClock>,
    /// Cards that players sent, by seat.
    sent: [u32; 4],
}

/// The number of the open step, its name, and the awaited seats.
fn step(store: &Store) -> (u32, String, Vec<Seat>) {
    let game = store.games().game(GAME).expect("a store").expect("the game");
    (game.turn, game.step.label, game.step.awaited)
}

impl Table<'_> {
    fn pass(&mut self, hours: i64) {
        let later = self.clock.now() + SignedDuration::from_hours(hours);
        self.clock.set(later);
        self.robot.act();
    }

    /// Lets hours pass, which ends the open step.
    fn run_out(&mut self, hours: i64) {
        let (open, ..) = step(&self.robot.outbox);
        self.pass(hours);
        let what = format!("end of step {open}");
        self.robot.await_that(self.rig, &what, |store| (step(store).0 > open).then_some(()));
    }

    /// The card of a player who plays as a computer would, with more lines.
    fn card(&self, seat: u8, more: &str) -> String {
        let (open, ..) = step(&self.robot.outbox);
        let saved =
            self.robot.outbox.journal().saved(GAME, open - 1).expect("a store").expect("the step");
        let engine = engine::find(&ENGINES, "classic-warlord").expect("it is there");
        let game = engine.open(&saved).expect("it opens");
        let play = game.play(Seat(seat), "", &mut Dice::new(u64::from(open)));
        let lines: Vec<&str> = play.card.lines.iter().map(|l| l.1.as_str()).collect();
        match lines.join("\n") + "\n" + more {
            blank if blank.trim().is_empty() => "READY".to_owned(),
            card => card,
        }
    }

    /// The mail that asks a seat for its orders in the open step.
    fn asked(&mut self, seat: u8) -> Letter {
        let (open, ..) = step(&self.robot.outbox);
        let what = format!("question of step {open} for seat {seat}");
        // A challenge is a brief.
        let sought = |l: &Letter| l.is("p", open) || l.is("b", open);
        let rig = self.rig;
        self.robot.await_that(rig, &what, |_| letters(rig, seat.into()).into_iter().find(sought))
    }

    /// Mails a card, after which the step runs.
    fn send(&mut self, seat: u8, card: &str) {
        let (open, ..) = step(&self.robot.outbox);
        let letter = self.asked(seat);
        answer(self.rig, seat.into(), &letter, card);
        self.sent[usize::from(seat)] += 1;
        let what = format!("step after {card:?}");
        self.robot.await_that(self.rig, &what, |store| (step(store).0 > open).then_some(()));
    }
}

#[test]
fn a_table_of_a_quick_a_slow_an_absent_player_and_a_computer() {
    let rig = super::servers();
    let folder = tempfile::tempdir().expect("a folder");
    // Dovecot dates incoming mails; from the first wait on the robot's clock is ahead of it.
    let clock = Arc::new(FakeClock::at(SystemClock.now()));
    let clocks = (clock.clone() as _, Arc::new(FixedEntropy::new(5)) as _);
    let options = [("boards", "5"), ("turn_hours", "48"), ("live_hours", "12")];
    let game = ("classic-warlord", 3, &options[..]);
    let robot = Process::new(&rig, folder.path(), &ENGINES, clocks, game);
    let mut table = Table { rig: &rig, robot, clock, sent: [0; 4] };
    // The draft waits for all; a seat without a list takes what is left.
    for (seat, card) in [(QUICK, "S 517 523 526"), (SLOW, "S 518 522 525\nG * LIVE 2/1")] {
        let letter = table.asked(seat);
        answer(&rig, seat.into(), &letter, card);
        let echo = |l: &Letter| l.is("e", 1);
        let sought = |_: &Store| letters(&rig, seat.into()).into_iter().find(echo);
        let echo = table.robot.await_that(&rig, "echo", sought);
        assert!(echo.field("Subject").contains(" on file"), "{}", plain(&echo.body));
        table.sent[usize::from(seat)] += 1;
    }
    table.run_out(TURN + 1);
    let (mut answered, mut passed_by, mut missed) = (0, 0, 0);
    let mut wrote = false;
    for _ in 0..STEPS {
        let (open, label, awaited) = step(&table.robot.outbox);
        let turn = label.ends_with("to move");
        if label == "the end of the game" || turn && answered > 0 && passed_by > 0 && missed > 2 {
            break;
        }
        let [seat] = awaited[..] else { panic!("{label}: {awaited:?}") };
        let challenge = label.contains(" attacks ");
        match seat.0 {
            QUICK => {
                let letter = if wrote { "" } else { "PRESS 2\nAre you still there?\nEND" };
                wrote = true;
                let card = table.card(QUICK, letter);
                table.send(QUICK, &card);
            }
            SLOW if challenge && passed_by == 0 => {
                let asked = table.asked(SLOW);
                let text = plain(&asked.body);
                assert!(text.contains("Answer with Q and a number"), "{text}");
                assert!(text.contains("If no answer comes, 2 is guessed for you."), "{text}");
                assert!(asked.body.lines().count() < 60, "{}", asked.body);
                // A night goes by, and the rest of the line counts.
                table.pass(LIVE - 1);
                assert_eq!(step(&table.robot.outbox).0, open, "there is time left");
                table.run_out(2);
                passed_by += 1;
            }
            SLOW if challenge => {
                table.asked(SLOW);
                table.pass(LIVE - LEFT);
                table.send(SLOW, "Q 1");
                answered += 1;
            }
            SLOW => {
                table.asked(SLOW);
                table.pass(TURN - LEFT);
                let card = table.card(SLOW, "");
                table.send(SLOW, &card);
            }
            ABSENT => {
                table.asked(ABSENT);
                table.run_out(TURN + 1);
                missed += 1;
            }
            seat => panic!("{label}: a computer's seat {seat} is waited for"),
        }
    }
    assert!(answered > 0 && passed_by > 0, "{answered} answered, {passed_by} not");
    let row = |seat| {
        let row = table.robot.outbox.games().seat(GAME, Seat(seat));
        row.expect("a store").expect("a seat")
    };
    // A player who answers almost too late, or lets a line answer, has not missed anything.
    assert_eq!((row(QUICK).missed, row(SLOW).missed), (0, 0));
    assert!(row(ABSENT).missed >= 3, "{:?}", row(ABSENT));
    let texts = |player: u32| -> Vec<String> {
        letters(&rig, player).iter().map(|l| plain(&l.body)).collect()
    };
    // The lines of a card are wrapped and marked with bars.
    let flat = |t: &String| t.replace("| ", "").split_whitespace().collect::<Vec<_>>().join(" ");
    // The last report is still under way.
    let decided = |t: &String| flat(t).contains("against guess 1");
    let reported = |_: &Store| texts(SLOW.into()).iter().any(decided).then_some(());
    table.robot.await_that(&rig, "report of what his answer decided", reported);
    let slow = texts(SLOW.into());
    assert_eq!(slow.iter().filter(|t| t.contains("Are you still there?")).count(), 1, "a letter");
    assert!(!texts(ABSENT.into()).iter().any(|t| t.contains("Are you still there?")));
    // Each is asked once for each of its steps, and reminded at most once.
    let subjects: Vec<String> =
        letters(&rig, QUICK.into()).iter().map(|l| l.field("Subject").to_owned()).collect();
    // A card without orders says that its player is ready.
    let is_echo = |s: &&String| s.contains(" on file") || s.contains("you are ready");
    let echoes = subjects.iter().filter(is_echo).count();
    assert_eq!(echoes as u32, table.sent[usize::from(QUICK)], "{subjects:#?}");
}
