//! Empire Deluxe between the real servers: a whole duel with a computer, card by card; and three
//! people and a computer who all move at once, with one slow and one absent player.

use std::sync::Arc;

use base::clock::{Clock, FakeClock, FixedEntropy, SystemClock};
use engine::{Dice, Mark, Seat};
use jiff::SignedDuration;
use registry::ENGINES;
use store::Store;
use support::letter::Letter;
use support::rig::Rig;

use super::host::{GAME, Process, answer, letters, plain};

const ENGINE: &str = "empire-deluxe";

/// Steps after which a duel on a small map must be over.
const STEPS: u32 = 900;

struct Table<'a> {
    rig: &'a Rig,
    robot: Process,
    clock: Arc<FakeClock>,
}

/// The number of the open step, and the awaited seats.
fn step(store: &Store) -> (u32, Vec<Seat>) {
    let game = store.games().game(GAME).expect("a store").expect("the game");
    (game.turn, game.step.awaited)
}

fn is_over(store: &Store) -> bool {
    store.games().game(GAME).expect("a store").is_none_or(|g| g.status != store::Status::Running)
}

impl<'a> Table<'a> {
    fn new(rig: &'a Rig, folder: &std::path::Path, players: u8, options: &[(&str, &str)]) -> Self {
        // Dovecot dates incoming mails; from the first wait on the robot's clock is ahead of it.
        let clock = Arc::new(FakeClock::at(SystemClock.now()));
        let clocks = (clock.clone() as _, Arc::new(FixedEntropy::new(7)) as _);
        let robot = Process::new(rig, folder, &ENGINES, clocks, (ENGINE, players, options));
        Self { rig, robot, clock }
    }

    /// The card of a player who plays as a computer would; its echo must have no error.
    fn card(&self, seat: u8) -> String {
        let (open, _) = step(&self.robot.outbox);
        let saved =
            self.robot.outbox.journal().saved(GAME, open - 1).expect("a store").expect("the step");
        let engine = engine::find(&ENGINES, ENGINE).expect("it is there");
        let game = engine.open(&saved).expect("it opens");
        let play = game.play(Seat(seat), "", &mut Dice::new(u64::from(open)));
        let judged = game.judge(Seat(seat), &play.card, 0);
        assert_eq!(judged.count(Mark::Error), 0, "{:?}", judged.lines);
        let lines: Vec<&str> = play.card.lines.iter().map(|l| l.1.as_str()).collect();
        lines.join("\n") + "\nCLOSE"
    }

    fn asked(&mut self, seat: u8) -> Letter {
        let (open, _) = step(&self.robot.outbox);
        let what = format!("question of step {open} for seat {seat}");
        let sought = |l: &Letter| l.is("p", open);
        let rig = self.rig;
        self.robot.await_that(rig, &what, |_| letters(rig, seat.into()).into_iter().find(sought))
    }

    /// Mails a card; returns its echo.
    fn send(&mut self, seat: u8, card: &str) -> Letter {
        let letter = self.asked(seat);
        let (open, _) = step(&self.robot.outbox);
        answer(self.rig, seat.into(), &letter, card);
        let rig = self.rig;
        let sought = |_: &Store| letters(rig, seat.into()).into_iter().find(|l| l.is("e", open));
        self.robot.await_that(rig, "echo", sought)
    }

    /// Acts until the open step has run, and the steps after it that wait only for computers.
    fn runs(&mut self, open: u32) {
        let what = format!("end of step {open}");
        let persons = |awaited: &[Seat], last: u8| awaited.iter().any(|s| s.0 < last);
        let last = self.robot.outbox.games().game(GAME).expect("a store").expect("it").setup.seats;
        self.robot.await_that(self.rig, &what, |store| {
            let (now, awaited) = step(store);
            (is_over(store) || now > open && persons(&awaited, last)).then_some(())
        });
    }
}

#[test]
fn a_whole_duel_with_a_computer_needs_no_deadline() {
    let rig = super::servers();
    let folder = tempfile::tempdir().expect("a folder");
    let options = [("size", "40x30"), ("computers", "expert novice")];
    let mut table = Table::new(&rig, folder.path(), 1, &options);
    let begun = table.clock.now();
    let mut cards = 0;
    while !is_over(&table.robot.outbox) {
        let (open, awaited) = step(&table.robot.outbox);
        assert_eq!(awaited, [Seat(1)], "nobody waits for the computer");
        assert!(cards < STEPS, "a duel of {cards} cards");
        let card = table.card(1);
        let letter = table.asked(1);
        // A person takes some minutes; the robot would not read a thousand mails an hour.
        table.clock.set(table.clock.now() + SignedDuration::from_mins(10));
        answer(table.rig, 1, &letter, &card);
        cards += 1;
        table.runs(open);
    }
    let took = table.clock.now().duration_since(begun);
    assert!(took < SignedDuration::from_mins(10 * i64::from(cards) + 1), "no deadline passed");
    let end = |l: &Letter| plain(&l.body).contains("nobody else is left");
    let sought = |_: &Store| letters(&rig, 1).into_iter().find(end);
    let last = plain(&table.robot.await_that(&rig, "last printout", sought).body);
    assert!(last.contains("You have won: nobody else is left."), "{last}");
    assert!(last.contains("The world as it is") && last.contains("What player 2 knew"), "{last}");
    assert!(cards > 20, "{cards}");
}

#[test]
fn three_persons_and_a_computer_move_at_once() {
    let rig = super::servers();
    let folder = tempfile::tempdir().expect("a folder");
    let options = [("size", "40x30"), ("order", "simultaneous"), ("press", "on")];
    let mut table = Table::new(&rig, folder.path(), 3, &options);
    for round in 0..12 {
        let (open, _) = step(&table.robot.outbox);
        let letter = if round == 3 { "\nPRESS 2\nPeace until turn 60?\nEND\n" } else { "" };
        let first = format!("{}{letter}", table.card(1).trim_end_matches("CLOSE")) + "\nCLOSE";
        let echo = table.send(1, &first);
        let text = plain(&echo.body);
        assert!(echo.field("Subject").contains(" on file"), "{text}");
        assert_eq!(step(&table.robot.outbox).0, open, "two more are awaited");
        let second = table.card(2);
        table.send(2, &second);
        // The third stays away every other turn: the time runs out for all.
        if round % 2 == 0 {
            let third = table.card(3);
            table.send(3, &third);
        } else {
            let later = table.clock.now() + SignedDuration::from_hours(73);
            table.clock.set(later);
        }
        table.runs(open);
    }
    let row = |seat| {
        let row = table.robot.outbox.games().seat(GAME, Seat(seat));
        row.expect("a store").expect("a seat")
    };
    assert_eq!((row(1).missed, row(2).missed), (0, 0));
    assert!(row(3).missed <= 1, "{:?}", row(3));
    let texts = |player: u32| -> Vec<String> {
        letters(&rig, player).iter().map(|l| plain(&l.body)).collect()
    };
    let got =
        |player| texts(player).iter().filter(|t| t.contains("| Peace until turn 60?")).count();
    assert_eq!((got(2), got(3)), (1, 0), "a letter to one");
    // The mails of a seat show only its own units by number.
    let shown = texts(2).into_iter().next_back().expect("a mail");
    assert!(shown.contains("Orders"), "{shown}");
}
