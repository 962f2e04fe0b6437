//! Worlds (§2.2).

use empire_deluxe::EmpireDeluxe;
use empire_deluxe::ground::{Ground, Terrain};
use empire_deluxe::tables;
use empire_deluxe::world::{self, Made};
use engine::geometry::Place;
use engine::graph;
use engine::{Dice, Rules, Setup};

fn made(seats: u8, options: &[(&str, &str)], seed: u64) -> Made {
    let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let options = tables::read(&Setup { seats, options, ..Setup::default() }).expect("options");
    world::make(&options, seats, &mut Dice::new(seed)).expect("a world")
}

fn share(ground: &Ground, of: Terrain) -> usize {
    ground.grid.places().filter(|p| ground.at(*p) == of).count()
}

#[test]
fn a_world_has_its_water_its_cities_and_its_terrain() {
    let basic = made(2, &[("edition", "basic")], 1).ground;
    assert_eq!((basic.grid.cols, basic.grid.rows, basic.cities().len()), (50, 50, 44));
    assert_eq!(share(&basic, Terrain::Water), 50 * 50 * 65 / 100);
    let plain = [Terrain::Rough, Terrain::River, Terrain::Forest, Terrain::Mountain];
    assert!(plain.iter().all(|t| share(&basic, *t) == 0), "all land is clear");
    let rich = made(4, &[("edition", "advanced"), ("size", "120x80"), ("wrap", "on")], 2).ground;
    assert!(rich.grid.wrap && rich.cities().len() == 88);
    let land = rich.grid.len() - share(&rich, Terrain::Water);
    let percent = |t| share(&rich, t) * 100 / land;
    assert!((4..=6).contains(&percent(Terrain::Mountain)), "{}", percent(Terrain::Mountain));
    assert!((8..=12).contains(&percent(Terrain::Rough)), "{}", percent(Terrain::Rough));
    assert!((8..=17).contains(&percent(Terrain::Forest)), "{}", percent(Terrain::Forest));
    assert!(share(&rich, Terrain::River) > 20, "rivers flow");
    // The same seed gives the same world, another seed another world.
    assert_eq!(made(2, &[], 3), made(2, &[], 3));
    assert_ne!(made(2, &[], 3), made(2, &[], 4));
    // A saved map reads back the same.
    let again = Ground::read(&rich.text(), true).expect("a map");
    assert_eq!(again, rich);
}

/// Steps over land from a city to the others, ascending.
fn on_foot(ground: &Ground, from: Place) -> Vec<u32> {
    let land = |_: Place, p: Place| ground.at(p).is_land();
    let far = graph::distances(ground.grid.len(), [from], |p| ground.grid.near(p), land);
    let others = ground.cities().iter().filter(|c| **c != from);
    let mut steps: Vec<u32> = others.filter_map(|c| far[usize::from(c.0)]).collect();
    steps.sort_unstable();
    steps
}

#[test]
fn starts_are_coastal_far_apart_and_never_alone() {
    for seed in 0..40 {
        for seats in [2, 4, 6] {
            let Made { ground, starts } = made(seats, &[], seed);
            assert_eq!(starts.len(), usize::from(seats));
            for (n, start) in starts.iter().enumerate() {
                assert!(ground.at(*start) == Terrain::City && ground.is_coast(*start));
                let near = on_foot(&ground, *start);
                assert!(near.first().is_some_and(|d| *d <= 9), "seed {seed}: {near:?}");
                for other in &starts[n + 1..] {
                    assert!(
                        ground.grid.distance(*start, *other) >= 8,
                        "seed {seed}, {seats} seats"
                    );
                }
            }
        }
    }
}

/// Cities that a start would have after twenty turns if every attack won: armies appear in
/// turns 7, 12 and 17 and walk to the nearest city.
fn reach(ground: &Ground, start: Place) -> usize {
    let near = on_foot(ground, start);
    let armies = [14, 9, 4];
    let mut left: Vec<u32> = near.clone();
    let mut taken = 1;
    for steps in armies {
        // The farthest that it can still take, so that the nearer ones stay for the later.
        if let Some(at) = left.iter().rposition(|d| *d <= steps) {
            left.remove(at);
            taken += 1;
        }
    }
    taken
}

#[test]
fn nobody_begins_with_much_less_within_reach_than_the_others() {
    for seed in 0..200 {
        let seats = 2 + (seed % 5) as u8;
        let Made { ground, starts } = made(seats, &[], seed);
        let mut reached: Vec<usize> = starts.iter().map(|s| reach(&ground, *s)).collect();
        reached.sort_unstable();
        let median = reached[reached.len() / 2];
        assert!(reached[0] * 10 >= median * 8, "seed {seed}: {reached:?}");
    }
}

#[test]
fn a_world_without_room_is_refused_with_what_to_do() {
    let options = [("size".to_owned(), "20x20".to_owned()), ("water".to_owned(), "90".to_owned())];
    let setup = Setup { seats: 6, options: options.into(), ..Setup::default() };
    let options = tables::read(&setup).expect("options");
    let refused = world::make(&options, 6, &mut Dice::new(1)).expect_err("refused");
    assert!(refused.contains("take a larger map, or less water"), "{refused}");
}

#[test]
fn a_map_of_ones_own_is_played_on_and_its_faults_are_told() {
    let game = |map: &str| {
        let data = [("map.txt".to_owned(), map.to_owned())].into();
        let setup = Setup { seats: 2, data, ..Setup::default() };
        EmpireDeluxe::new_game(&setup, &mut Dice::new(1))
    };
    let map = ".........\n.*-*.....\n.........\n.....*-*.\n.........\n";
    let state = game(map).expect("a game");
    assert_eq!(state.world.ground.text(), map);
    let starts = state.world.cities.iter().filter(|c| c.owner.is_some()).count();
    assert_eq!((state.world.cities.len(), starts), (4, 2));
    let faults = game("...\n.?.\n").expect_err("a wrong sign");
    assert!(faults[0].contains("line 2 of the map has '?', which is no sign"), "{faults:?}");
    let faults = game("....\n.**.\n....\n...\n").expect_err("a short line");
    assert!(faults[0].contains("line 4 of the map is not as long as the first"), "{faults:?}");
    let faults = game("....\n.*..\n....\n").expect_err("no room");
    assert!(faults[0].contains("it has no 2 coastal cities"), "{faults:?}");
}
