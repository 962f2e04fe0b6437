//! The parts of games: the tables, the world, the words for forces and headings.

use engine::{Dice, Setup};
use warlord::maps::heading;
use warlord::phrases::{force, force_in_words};
use warlord::tables::Tables;
use warlord::world::{GROWN, World};

#[test]
fn embedded_tables_are_sound() {
    assert_eq!(Tables::read(&Setup::default()).map(|_| ()), Ok(()));
}

#[test]
fn every_fault_of_a_data_file_is_named() {
    let data = [("units.toml", "unit = 3"), ("extra.toml", "")];
    let data = data.map(|(n, t)| (n.to_owned(), t.to_owned())).into();
    let faults = Tables::read(&Setup { data, ..Setup::default() }).expect_err("bad files");
    assert!(faults.iter().any(|f| f.starts_with("units.toml:")), "{faults:?}");
    assert!(faults.iter().any(|f| f.starts_with("extra.toml:")), "{faults:?}");
}

/// Seeds of a usual run; `FIELDPOST_WORLDS` sets another number, such as 50.
const SEEDS: u64 = 6;

/// §1: every guarantee, at full size and scaled.
#[test]
fn worlds_keep_every_guarantee() {
    let tables = Tables::embedded();
    let sizes = [2, 3, 6, 12, 25, 50, 99];
    let check = |seed: u64| {
        for seats in [100, sizes[seed as usize % sizes.len()]] {
            let world = World::generate(&tables, seats, &mut Dice::new(seed));
            let world = world.unwrap_or_else(|e| panic!("seed {seed}, {seats} seats: {e:?}"));
            assert_eq!(world.faults(&tables, seats), Vec::<String>::new());
            if seats == 100 {
                assert_eq!((world.grid.cols, world.grid.rows), (320, 99));
                assert_eq!((world.cities.len(), world.ruins.len()), (250, 150));
            }
        }
    };
    let wanted = std::env::vars().find(|(name, _)| name == "FIELDPOST_WORLDS");
    let seeds = wanted.map_or(SEEDS, |(_, n)| n.parse().expect("a number of seeds"));
    // Two at a time: no other test of the crate takes nearly as long.
    std::thread::scope(|scope| {
        scope.spawn(|| (0..seeds).step_by(2).for_each(check));
        (1..seeds).step_by(2).for_each(check);
    });
}

/// A number that identifies the ground of a world.
fn print_of(world: &World) -> u64 {
    let mix = |sum: u64, b: &u8| (sum ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
    world.terrain.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

#[test]
fn games_begun_before_have_the_worlds_that_they_had() {
    let tables = Tables::embedded();
    let print = |seats: u8, dice: Dice| {
        let mut dice = dice;
        print_of(&World::generate(&tables, seats, &mut dice).expect("a world"))
    };
    for (seats, seed, before) in [(12, 7, BEFORE[0]), (100, 8, BEFORE[1])] {
        assert_eq!(print(seats, Dice::new(seed).of_rules(GROWN - 1)), before);
        assert_ne!(print(seats, Dice::new(seed)), before);
    }
}

/// Worlds of version 4: 12 seats with seed 7, 100 with seed 8.
const BEFORE: [u64; 2] = [0x8f89_391c_f2e2_a274, 0x53a8_d072_5aaa_2e58];

#[test]
fn one_seed_gives_one_world() {
    let tables = Tables::embedded();
    let make = |seed| World::generate(&tables, 12, &mut Dice::new(seed)).expect("a world");
    assert_eq!(make(7), make(7));
    assert_ne!(make(7), make(8));
}

#[test]
fn every_type_of_the_tables_is_counted_in_words() {
    for row in &Tables::embedded().units {
        let of = |n| force_in_words(n, &row.name).unwrap_or_else(|| panic!("{}", row.name));
        assert!(of(1).starts_with("1 ") && of(3) == format!("3 {}", row.name), "{}", of(3));
    }
    assert_eq!([force(1, "AA batteries"), force(1, "Infantry")], ["1 AA battery", "1 Infantry"]);
    assert_eq!([force(1, "Scouts"), force(2, "Scouts")], ["1 Scout", "2 Scouts"]);
}

#[test]
fn headings_are_the_nearest_of_eight() {
    for (east, south, name) in [
        (0, -5, "N"),
        (2, -5, "N"),
        (3, -5, "NE"),
        (5, 1, "E"),
        (5, 5, "SE"),
        (-1, 9, "S"),
        (-4, 3, "SW"),
        (-9, 0, "W"),
        (-3, -3, "NW"),
    ] {
        assert_eq!(heading(east, south).name(), name, "{east} {south}");
    }
}
