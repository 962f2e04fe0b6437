//! Empire Deluxe with six seats in the middle of a war, with as many units as a server must handle.

use ::empire_deluxe::EmpireDeluxe;
use ::empire_deluxe::field::Field;
use ::empire_deluxe::kinds::{Class, Kind};
use ::empire_deluxe::stage::State;
use divan::Bencher;
use engine::geometry::Place;
use engine::graph::Areas;
use engine::trial::TrialOf;
use engine::{
    BySeat, CardText, Cards, Computers, Dice, Input, Printouts, Rules, Seat, Setup, Trial,
};

/// Turns that computers have played.
const TURNS: u32 = 60;

/// A war of six on a map of this size, with `units` units, each under way to a square that its
/// player knows.
fn crowded(size: &str, units: usize) -> State {
    let options = [("size".to_owned(), size.to_owned())].into();
    let setup = Setup { seats: 6, options, ..Setup::default() };
    let mut trial = TrialOf::<EmpireDeluxe>::new(&setup, 1).expect("a game");
    for _ in 0..TURNS {
        trial.write_cards();
        trial.step();
    }
    let state = trial.state().clone();
    let mut field = Field::new(state.world.clone());
    let grid = field.world.ground.grid;
    let kinds = [Kind::Ar, Kind::Ar, Kind::De, Kind::Tr, Kind::Fi];
    let seats: Vec<Seat> = field.world.seats().collect();
    let mut count = field.world.units().count();
    for n in 0.. {
        if count >= units {
            break;
        }
        let seat = seats[n % seats.len()];
        let kind = kinds[n / seats.len() % kinds.len()];
        let cities: Vec<Place> = field.world.cities_of(seat).collect();
        if let Some(at) = cities.get(n % cities.len().max(1)) {
            field.make(seat, kind, *at);
            count += 1;
        }
    }
    let mut world = field.world;
    for (number, seat) in seats.iter().enumerate() {
        let known = world.side(*seat).expect("a seat").known.clone();
        // The known squares that it can reach: the land or the sea on which it is.
        let areas = |sea: bool| {
            let open = |p: Place| known.has_seen(p) && world.ground.at(p).is_land() != sea;
            let city = |p: Place| world.city(p).is_some_and(|c| c.owner == Some(*seat));
            let fits = move |p: Place| open(p) || city(p);
            Areas::of(grid.len(), grid.places(), |p| grid.near(p), fits)
        };
        let (land, sea) = (areas(false), areas(true));
        let side = world.side_mut(*seat).expect("a seat");
        for (n, unit) in side.units.values_mut().enumerate() {
            let areas = if unit.kind.class() == Class::Sea { &sea } else { &land };
            let area = areas.at(unit.at);
            let near = grid.within(unit.at, 25).filter(|p| areas.at(*p) == area && area.is_some());
            let goals: Vec<Place> = near.collect();
            let Some(to) = goals.get((n * 37 + number) % goals.len().max(1)) else { continue };
            unit.orders = vec![::empire_deluxe::orders::Task::Go(*to, Default::default())];
        }
    }
    State { world, ..state }
}

fn turn(bencher: Bencher, size: &str, units: usize) {
    let state = crowded(size, units);
    let cards: BySeat<CardText> = BySeat::new();
    bencher.with_inputs(|| state.clone()).bench_local_values(|state| {
        let input = Input { cards: &cards, seats: &BySeat::new() };
        EmpireDeluxe::step(state, &input, &mut Dice::new(9))
    });
}

/// A turn of 2,000 units on 100 by 60 squares.
#[divan::bench]
fn empire_deluxe_turn(bencher: Bencher) {
    turn(bencher, "100x60", 2000);
}

/// A turn of 6,000 units on the largest map.
#[divan::bench(sample_count = 10)]
fn empire_deluxe_largest_turn(bencher: Bencher) {
    turn(bencher, "254x254", 6000);
}

/// The views and printouts of six, as text.
#[divan::bench(sample_count = 20)]
fn empire_deluxe_printouts(bencher: Bencher) {
    let state = crowded("100x60", 2000);
    bencher.bench_local(|| {
        let text = |seat: Seat| {
            let view = EmpireDeluxe::view(&state, &[], seat);
            let report = EmpireDeluxe::report(&view, "").expect("it plays");
            render::text::sections(&report.sections).len()
        };
        state.world.seats().map(text).sum::<usize>()
    });
}

/// The echo of a card of 400 lines.
#[divan::bench(sample_count = 20)]
fn empire_deluxe_echo(bencher: Bencher) {
    let state = crowded("100x60", 2400);
    let view = EmpireDeluxe::view(&state, &[], Seat(1));
    let side = state.world.side(Seat(1)).expect("a seat");
    let line = |(number, unit): (&u16, &::empire_deluxe::state::Unit)| {
        let ::empire_deluxe::orders::Task::Go(to, _) = unit.orders.first()? else { return None };
        Some(format!("M {number} {}", state.world.ground.called(*to)))
    };
    let lines: Vec<String> = side.units.iter().filter_map(line).take(400).collect();
    assert!(lines.len() > 300, "{} lines", lines.len());
    let card = CardText::of(&lines);
    bencher.bench_local(|| EmpireDeluxe::judge(&view, &card, 0));
}

/// The card of a computer.
#[divan::bench(sample_count = 20)]
fn empire_deluxe_computer(bencher: Bencher) {
    let state = crowded("100x60", 2000);
    let view = EmpireDeluxe::view(&state, &[], Seat(1));
    bencher.bench_local(|| EmpireDeluxe::play(&view, "", &mut Dice::new(1)));
}
