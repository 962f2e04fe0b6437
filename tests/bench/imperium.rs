//! Imperium in the middle of a war of two computers.

use ::imperium::Imperium;
use ::imperium::event::{Event, What};
use ::imperium::kinds::Side;
use ::imperium::state::{Stage, State};
use divan::Bencher;
use engine::Strength;
use engine::trial::TrialOf;
use engine::{
    BySeat, CardText, Cards, Computers, Dice, Input, Printouts, Rules, Seat, Setup, Trial,
};

/// The steps of the middle of a war: from turn 3 to turn 8.
const MIDDLE: std::ops::Range<u32> = 10..32;

/// A step of a war: the game before it, its cards, and what happened.
struct Moment {
    before: State,
    cards: BySeat<CardText>,
    after: State,
    events: Vec<Event>,
}

/// The steps of a war of two computers.
fn war() -> Vec<Moment> {
    let options = [("computers".to_owned(), "hard".to_owned())].into();
    let setup = Setup { seats: 2, options, ..Setup::default() };
    let mut trial = TrialOf::<Imperium>::new(&setup, 9).expect("a game");
    let mut moments = Vec::new();
    for _ in 0..MIDDLE.end {
        let before = trial.state().clone();
        trial.write_cards();
        let cards = trial.cards().clone();
        trial.step();
        let (after, events) = (trial.state().clone(), trial.events().to_vec());
        moments.push(Moment { before, cards, after, events });
    }
    moments
}

/// The segment with most fighting in the middle of the war.
fn hottest() -> Moment {
    let fights = |m: &Moment| {
        m.events.iter().filter(|e| matches!(e.what, What::Battle(_) | What::Ground(_))).count()
    };
    let middle = war().into_iter().skip(MIDDLE.start as usize);
    let segments = middle.filter(|m| matches!(m.before.stage, Stage::Action(_)));
    let hottest = segments.max_by_key(fights).expect("a segment");
    assert!(fights(&hottest) > 0, "nobody fought");
    hottest
}

/// A segment with the plans of two computers.
#[divan::bench]
fn imperium_segment(bencher: Bencher) {
    let Moment { before, cards, .. } = hottest();
    bencher.with_inputs(|| before.clone()).bench_local_values(|state| {
        let input = Input { cards: &cards, seats: &BySeat::new() };
        Imperium::step(state, &input, &mut Dice::new(9))
    });
}

/// The longest plan: 300 lines in 40 blocks, each of which moves a fleet into the next system,
/// to a fight where the enemy is.
fn longest(view: &<Imperium as Rules>::View) -> CardText {
    let board = &view.board;
    let places: Vec<_> = board
        .galaxy
        .all()
        .flat_map(|at| board.fleets_in(view.side, at).map(move |fleet| (at, fleet)))
        .collect();
    assert!(!places.is_empty(), "no fleets");
    let mut lines = vec![format!("SEG {}", view.segment())];
    for (at, fleet) in places.iter().cycle().take(40) {
        let near: Vec<_> = board.galaxy.near(*at).collect();
        let enemy = near.iter().find(|s| board.fleets_in(view.side.other(), **s).next().is_some());
        let to = enemy.unwrap_or(&near[0]);
        lines.push(format!("A {at} IF O{at} !E45 !G11 T1"));
        lines.push(format!("M {fleet} {to}"));
        lines.extend(near.iter().cycle().take(5).map(|s| format!("M {fleet} {s}!")));
    }
    lines.resize(300, "R * 04 01 24 33".to_owned());
    CardText::of(&lines)
}

/// The echo of the longest plan, with odds of its battles.
#[divan::bench]
fn imperium_echo(bencher: Bencher) {
    let Moment { before, .. } = hottest();
    let view = Imperium::view(&before, &[], Seat(1));
    let card = longest(&view);
    assert_eq!(card.lines.len(), 300);
    bencher.bench_local(|| Imperium::judge(&view, &card, 0));
}

/// The views and printouts of both seats in three steps, as text.
#[divan::bench]
fn imperium_printouts(bencher: Bencher) {
    let middle: Vec<Moment> = war().into_iter().skip(20).take(3).collect();
    bencher.bench_local(|| {
        let text = |moment: &Moment, side: Side| {
            let view = Imperium::view(&moment.after, &moment.events, side.seat());
            let report = Imperium::report(&view, "").expect("it plays");
            render::text::sections(&report.sections).len()
        };
        let both =
            |moment: &Moment| Side::BOTH.map(|side| text(moment, side)).iter().sum::<usize>();
        middle.iter().map(both).sum::<usize>()
    });
}

/// The cards of both computers in all steps of the middle of the war, by strength.
#[divan::bench(args = ["easy", "normal", "hard"])]
fn imperium_computers(bencher: Bencher, strength: &str) {
    let strength = match strength {
        "easy" => Strength::Easy,
        "normal" => Strength::Normal,
        _ => Strength::Hard,
    };
    let views = |moment: Moment| {
        let mut state = moment.before;
        state.options.computers = vec![strength];
        Side::BOTH.map(|side| Imperium::view(&state, &[], side.seat()))
    };
    let views: Vec<_> = war().into_iter().skip(MIDDLE.start as usize).flat_map(views).collect();
    bencher.bench_local(|| {
        let lines = |view| Imperium::play(view, "", &mut Dice::new(1)).card.lines.len();
        views.iter().map(lines).sum::<usize>()
    });
}
