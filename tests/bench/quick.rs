//! Rows that need no server: turns, printouts, reading mails, growth of the store.

use std::sync::Arc;

use base::clock::{FakeClock, FixedEntropy};
use engine::{Dice, Match, Seat};
use robot::Robot;
use robot::outbox::Outlet;

use crate::report::{Row, median, now, size, taken, time};
use crate::stage::{self, Stage};
use crate::{battle_plan, late, mails, printouts as forms};

const SEATS: u8 = 100;

fn step(open: &dyn Match) -> f64 {
    let cards = late::cards(open);
    median(15, || {
        std::hint::black_box(open.step(
            &engine::Input { cards: &cards, seats: &engine::BySeat::new() },
            &mut Dice::new(9),
        ));
    })
}

/// A turn from cards to the new state.
pub fn turn() -> Vec<Row> {
    let world = battle_plan::open(("equal", 25, 30));
    vec![
        Row::new("a turn of Warlord, 100 seats, turn 60", time(step(late::open(SEATS).as_ref()))),
        Row::new("a turn of Battle Plan, world, 25 seats, turn 30", time(step(world.as_ref()))),
    ]
}

/// All printouts of the late game.
pub fn printouts() -> Vec<Row> {
    let open = late::open(SEATS);
    let seats = open.wait().seats;
    let text = |seat: &Seat| {
        let report = open.report(*seat, "en").expect("the seat plays");
        render::text::sections(&report.sections).len()
    };
    let told = median(5, || {
        std::hint::black_box(seats.iter().map(text).sum::<usize>());
    });
    let documents = forms::documents();
    let (mut store, _dir) = forms::queued(&documents);
    let drawn = taken(|| assert_eq!(forms::draw_all(&mut store), documents.len()));
    let of = format!("{} printouts of turn 60, 100 seats", documents.len());
    vec![
        Row::new(format!("{of}: report and text, one core"), time(told)),
        Row::new(format!("{of}: HTML and PNG by the robot, all cores"), time(drawn)),
    ]
}

/// Mails parsed and decided.
pub fn intake() -> Vec<Row> {
    let rate = |plain: bool| {
        let mails = mails::samples(plain);
        let taken = median(7, || {
            std::hint::black_box(mails.iter().map(|m| mails::decide(m)).sum::<usize>());
        });
        format!("{:.0} a second", mails.len() as f64 * 1000.0 / taken)
    };
    vec![
        Row::new("replies parsed and decided, plain text", rate(true)),
        Row::new("replies parsed and decided, half of them HTML", rate(false))
            .aim("3,000 a second"),
    ]
}

/// The growth of the store in a turn of the late game.
pub fn disk() -> Vec<Row> {
    let of = "the store grows in a turn of Warlord, 100 seats, turn 62";
    vec![
        Row::new(format!("{of}: journal and cards alone"), size(grown(false))),
        Row::new(format!("{of}: with 100 printouts that were sent"), size(grown(true))),
    ]
}

/// Bytes of the second turn: data that the first keeps for drawing again is gone by then.
fn grown(players: bool) -> f64 {
    let dir = stage::folder("disk");
    let (clock, entropy) = (Arc::new(FakeClock::at(now())), Arc::new(FixedEntropy::new(7)));
    let mut robot = stage::robot(&dir, clock.clone(), entropy);
    let players = if players { SEATS } else { 0 };
    let saved = late::saved(SEATS);
    Stage { players, ..Stage::warlord("W7", SEATS, 60, saved) }.set(&mut robot);
    let outlet = Outlet::Maildir(mail::maildir::MaildirOutlet::new(&dir.join("sent")));
    let turn = |robot: &mut Robot| {
        robot.run_turn("W7").expect("runs");
        stage::send(&mut robot.store, &outlet, clock.as_ref());
        stage::bytes(&robot.store)
    };
    let before = turn(&mut robot);
    // Each player sends the same card again.
    let sql = "INSERT OR IGNORE INTO orders (game, seat, turn, card, received_at)
               SELECT game, seat, turn + 1, card, received_at FROM orders WHERE turn = 61";
    robot.store.connection().execute(sql, []).expect("cards are filed");
    turn(&mut robot) - before
}
