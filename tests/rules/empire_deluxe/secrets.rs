//! Secrets (§7): two worlds that differ only in them look the same to a seat.

use empire_deluxe::EmpireDeluxe;
use empire_deluxe::ground::{Ground, Terrain};
use empire_deluxe::kinds::Kind;
use empire_deluxe::stage::State;
use engine::geometry::Place;
use engine::trial::{Trial, TrialOf};
use engine::{Headlines, Printouts, Rules, Seat, Setup};

/// A game of computers after some steps.
fn played(options: &[(&str, &str)], seed: u64, steps: u32) -> State {
    let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let setup = Setup { seats: 2, options, ..Setup::default() };
    let mut trial: TrialOf<EmpireDeluxe> = TrialOf::new(&setup, seed).expect("a game");
    for _ in 0..steps {
        trial.write_cards();
        trial.step();
    }
    trial.state().clone()
}

/// Everything that the first player must not know, changed.
fn scrambled(state: &State) -> State {
    let mut other = state.clone();
    let known = state.world.side(Seat(1)).expect("a seat").known.clone();
    // Land that it has not seen is water, and water land; cities there stay where they are.
    let grid = state.world.ground.grid;
    let flip = |at: Place| match state.world.ground.at(at) {
        terrain if known.has_seen(at) => terrain,
        Terrain::Water => Terrain::Mountain,
        Terrain::City => Terrain::City,
        _ => Terrain::Water,
    };
    other.world.ground = Ground::new(grid, grid.places().map(flip).collect());
    // Builds and efficiency of others.
    for city in other.world.cities.iter_mut().filter(|c| c.owner != Some(Seat(1))) {
        (city.list, city.done, city.efficiency) = (vec![Kind::Ba], 17, 77);
        (city.held, city.speciality) = (3, Some(Kind::Fi));
    }
    // Units out of sight are gone, others have damage, orders and names.
    let seen = |at: &Place| known.marks.get(at).is_some_and(|m| m.here);
    for seat in [Seat(2)] {
        let side = other.world.side_mut(seat).expect("a seat");
        side.units.retain(|_, u| seen(&u.at));
        for unit in side.units.values_mut() {
            unit.name = "Secret".to_owned();
            unit.orders.clear();
            unit.left = 1;
        }
        side.numbered += 50;
        side.default = Some(Kind::Tr);
    }
    other.world.boarded += 9;
    other
}

#[test]
fn two_worlds_that_differ_in_secrets_look_the_same() {
    for (edition, steps) in [("standard", 30), ("standard", 90), ("advanced", 60)] {
        for seed in 1..4 {
            let state = played(&[("edition", edition), ("size", "60x40")], seed, steps);
            let other = scrambled(&state);
            assert_ne!(state, other);
            let look = |state: &State| {
                let view = EmpireDeluxe::view(state, &[], Seat(1));
                let report = EmpireDeluxe::report(&view, "");
                let headline = EmpireDeluxe::headline(&view);
                format!("{view:?} {report:?} {headline:?}")
            };
            assert_eq!(look(&state), look(&other), "{edition}, seed {seed}");
        }
    }
}

#[test]
fn nothing_of_the_others_is_in_a_view() {
    let state = played(&[("size", "60x40")], 2, 60);
    let view = EmpireDeluxe::view(&state, &[], Seat(1));
    let other = view.world.side(Seat(2)).expect("a seat");
    assert_eq!((other.known.explored(), other.known.cities.len()), (0, 0));
    let grid = state.world.ground.grid;
    let known = view.known().expect("a seat");
    for at in grid.places().filter(|p| !known.has_seen(*p)) {
        assert_eq!(view.world.ground.at(at), Terrain::Clear);
    }
    for (id, unit) in view.world.units().filter(|(id, _)| id.seat != Seat(1)) {
        assert!(known.marks.get(&unit.at).is_some_and(|m| m.here), "{id:?} is not in sight");
    }
}
