//! Imperium between the real servers: two people write the cards that computers would, through a
//! whole war in which a step is a segment, and through two turns in which a step is an activation.

use std::path::Path;
use std::sync::Arc;

use base::clock::{Clock, FakeClock, FixedEntropy, SystemClock};
use engine::{Dice, Mark, Match, Seat};
use jiff::SignedDuration;
use registry::ENGINES;
use store::{Status, Store};
use support::letter::Letter;
use support::rig::Rig;

use super::host::{GAME, Process, answer, letters, plain};

const ENGINE: &str = "imperium";

/// Steps after which a war must be over.
const STEPS: u32 = 100;

struct Table<'a> {
    rig: &'a Rig,
    robot: Process,
    clock: Arc<FakeClock>,
    /// Mails that each seat sent, turn by turn.
    sent: Vec<(String, [u32; 2])>,
}

/// The number of the open step, its name, and the awaited seats.
fn step(store: &Store) -> (u32, String, Vec<Seat>) {
    let game = store.games().game(GAME).expect("a store").expect("the game");
    (game.turn, game.step.label, game.step.awaited)
}

fn is_over(store: &Store) -> bool {
    store.games().game(GAME).expect("a store").is_none_or(|g| g.status != Status::Running)
}

/// The turn of a step: the text before the comma.
fn turn(label: &str) -> String {
    label.split(',').next().unwrap_or_default().to_owned()
}

impl<'a> Table<'a> {
    fn new(rig: &'a Rig, folder: &Path, seed: u64, options: &[(&str, &str)]) -> Self {
        // Dovecot dates incoming mails; from the first wait on the robot's clock is ahead of it.
        let clock = Arc::new(FakeClock::at(SystemClock.now()));
        let clocks = (clock.clone() as _, Arc::new(FixedEntropy::new(seed)) as _);
        let robot = Process::of_people(rig, folder, &ENGINES, clocks, (ENGINE, 2, options));
        Self { rig, robot, clock, sent: Vec::new() }
    }

    /// The game as it stands before the open step.
    fn open(&self) -> Box<dyn Match> {
        let (open, ..) = step(&self.robot.outbox);
        let saved =
            self.robot.outbox.journal().saved(GAME, open - 1).expect("a store").expect("the step");
        engine::find(&ENGINES, ENGINE).expect("it is there").open(&saved).expect("it opens")
    }

    /// The card that a computer would write; its echo must have no error.
    fn card(&self, seat: Seat) -> String {
        let (open, ..) = step(&self.robot.outbox);
        let game = self.open();
        let play = game.play(seat, "", &mut Dice::new(u64::from(open)));
        let judged = game.judge(seat, &play.card, 0);
        assert_eq!(judged.count(Mark::Error), 0, "{:?}", judged.lines);
        let lines = play.card.lines.iter().map(|l| format!("{}\n", l.1));
        lines.collect::<String>() + "READY"
    }

    /// The mail that asks a seat for its orders in the open step.
    fn asked(&mut self, seat: Seat) -> Letter {
        let (open, ..) = step(&self.robot.outbox);
        let what = format!("question of step {open} for seat {seat}");
        // A seat that did not act in the last activation got a brief about it.
        let sought = |l: &Letter| l.is("p", open) || l.is("b", open);
        let rig = self.rig;
        let player = u32::from(seat.0);
        self.robot.await_that(rig, &what, |_| letters(rig, player).into_iter().find(sought))
    }

    /// All awaited seats mail a card, and the step runs.
    fn play(&mut self) {
        let (open, label, awaited) = step(&self.robot.outbox);
        let turn = turn(&label);
        if self.sent.last().is_none_or(|last| last.0 != turn) {
            self.sent.push((turn, [0, 0]));
        }
        for seat in awaited {
            let card = self.card(seat);
            let letter = self.asked(seat);
            // A person takes some minutes; the robot would not read a thousand mails an hour.
            self.clock.set(self.clock.now() + SignedDuration::from_mins(10));
            answer(self.rig, seat.0.into(), &letter, &card);
            let (_, sent) = self.sent.last_mut().expect("a turn");
            sent[usize::from(seat.0) - 1] += 1;
        }
        let what = format!("end of step {open}, {label}");
        let ran = |store: &Store| (is_over(store) || step(store).0 > open).then_some(());
        self.robot.await_that(self.rig, &what, ran);
    }

    /// Prints the mails that each seat sent in each turn.
    fn count(&self, tempo: &str) {
        for (turn, [terran, imperial]) in &self.sent {
            println!("{tempo}, {turn}: {terran} mails of seat 1, {imperial} of seat 2");
        }
    }

    /// No deadline passed, and nobody missed one.
    fn nobody_waited(&self, begun: jiff::Timestamp) {
        let mails: u32 = self.sent.iter().flat_map(|s| s.1).sum();
        let took = self.clock.now().duration_since(begun);
        assert_eq!(took, SignedDuration::from_mins(10 * i64::from(mails)));
        for seat in [1, 2].map(Seat) {
            let row = self.robot.outbox.games().seat(GAME, seat).expect("a store").expect("a seat");
            assert_eq!(row.missed, 0, "seat {seat}");
        }
    }
}

#[test]
fn a_whole_war_by_mail_needs_four_mails_a_turn() {
    let rig = super::servers();
    let folder = tempfile::tempdir().expect("a folder");
    let mut table = Table::new(&rig, folder.path(), 5, &[("computers", "hard easy")]);
    let begun = table.clock.now();
    let mut steps = 0;
    while !is_over(&table.robot.outbox) {
        assert!(steps < STEPS, "a war of {steps} steps");
        let (_, label, awaited) = step(&table.robot.outbox);
        assert_eq!(awaited, [Seat(1), Seat(2)], "{label}");
        table.play();
        steps += 1;
    }
    table.count("segment");
    table.nobody_waited(begun);
    for (turn, sent) in &table.sent {
        // A war ends with the Close-Out of a turn, never within one.
        let each = if turn == "the set-up" { 1 } else { 4 };
        assert_eq!(*sent, [each; 2], "{turn}");
    }
    let result = table.open().result().expect("a result");
    let outcome = match &result[..] {
        [terran, imperial] if terran.rank < imperial.rank => "Terran victory, by Glory",
        [terran, imperial] if terran.rank > imperial.rank => "Imperial victory, by Glory",
        _ => "The war ends as a truce",
    };
    println!("{} turns: {outcome}", table.sent.len() - 1);
    let (end, ..) = step(&table.robot.outbox);
    for player in [1, 2] {
        let sought = |_: &Store| letters(&rig, player).into_iter().find(|l| l.is("p", end));
        let last = plain(&table.robot.await_that(&rig, "the end", sought).body);
        assert!(last.contains(outcome), "{last}");
    }
}

#[test]
fn who_is_to_act_is_asked_and_nobody_else() {
    let rig = super::servers();
    let folder = tempfile::tempdir().expect("a folder");
    let options = [("tempo", "activation"), ("computers", "normal")];
    let mut table = Table::new(&rig, folder.path(), 7, &options);
    let begun = table.clock.now();
    let mut acted = [0, 0];
    loop {
        let (_, label, awaited) = step(&table.robot.outbox);
        if turn(&label) == "turn 3" || is_over(&table.robot.outbox) {
            break;
        }
        let both = label == "the set-up" || !label.contains(',');
        assert_eq!(awaited.len(), if both { 2 } else { 1 }, "{label}");
        if let [seat] = awaited[..] {
            let name = if seat == Seat(1) { "Terran" } else { "Imperial" };
            assert!(label.ends_with(&format!("{name} to act")), "{label}");
            acted[usize::from(seat.0) - 1] += 1;
        }
        table.play();
    }
    table.count("activation");
    table.nobody_waited(begun);
    assert!(acted.iter().all(|n| *n > 4), "{acted:?} activations");
    // The seat that is not to act gets a brief about each activation too.
    let briefs = |player| letters(&rig, player).iter().filter(|l| l.id().contains(".b.")).count();
    assert!(briefs(1) > 0 && briefs(2) > 0, "{} and {} briefs", briefs(1), briefs(2));
}
