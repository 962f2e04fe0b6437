//! Chances of fights (§8.5), exactly and by rolls.

use empire_deluxe::combat::{Attacker, Target, fight, may_attack};
use empire_deluxe::ground::Terrain;
use empire_deluxe::kinds::{Class, Edition, Kind};
use empire_deluxe::tables::{self, Options};
use engine::{Dice, Setup};

pub fn options(edition: Edition) -> Options {
    let options = [("edition".to_owned(), edition.word().to_owned())].into();
    tables::read(&Setup { seats: 2, options, ..Setup::default() }).expect("options")
}

/// The ground on which a target moves, as in the tables.
fn ground(attacker: Kind, target: Option<Kind>) -> Terrain {
    match target.map(Kind::class) {
        None => Terrain::City,
        Some(Class::Sea) => Terrain::Water,
        Some(Class::Air) if attacker.class() == Class::Sea => Terrain::Water,
        Some(_) => Terrain::Clear,
    }
}

const STANDARD: &str = "\
AR 50.0 50.0 29.6 12.5 – 0.4 0.0 0.4 50.0
FI 50.0 50.0 29.6 12.5 44.4 0.4 0.0 0.4 –
TR – 70.4 50.0 21.0 25.0 0.1 0.0 0.3 –
DE – 87.5 79.0 50.0 44.4 2.0 0.0 5.5 –
SU – 75.0 88.9 75.0 66.7 12.5 6.2 31.2 –
CR 100.0 99.6 99.9 98.0 96.3 50.0 14.5 88.7 –
BA 100.0 100.0 100.0 100.0 98.8 85.5 50.0 99.4 –
CA – 96.1 94.5 70.1 68.8 0.9 0.0 8.8 –";

const ADVANCED: &str = "\
IN 50.0 25.0 50.0 50.0 50.0 29.6 12.5 – 0.4 0.0 0.4 50.0
AM 75.0 50.0 75.0 75.0 50.0 59.3 31.2 – 0.4 0.0 2.0 75.0
FI 50.0 25.0 50.0 50.0 66.7 29.6 12.5 44.4 0.4 0.0 0.4 50.0
BO 50.0 50.0 50.0 33.3 50.0 44.4 25.0 66.7 6.2 1.6 6.2 50.0
TR – – – 48.8 36.0 50.0 21.0 25.0 0.1 0.0 0.3 –
DE – – – 70.4 55.6 79.0 50.0 44.4 2.0 0.0 5.5 –
SU – – – 55.6 33.3 88.9 75.0 66.7 12.5 6.2 31.2 –
CR 100.0 100.0 100.0 96.1 80.2 99.9 98.0 96.3 50.0 14.5 88.7 –
BA 100.0 100.0 100.0 99.2 91.2 100.0 100.0 98.8 85.5 50.0 99.4 –
CA – – – 96.1 80.2 94.5 70.1 68.8 0.9 0.0 8.8 –";

const OF_STANDARD: [&str; 9] = ["AR", "FI", "TR", "DE", "SU", "CR", "BA", "CA", "CY"];
const OF_ADVANCED: [&str; 12] =
    ["IN", "AM", "AB", "FI", "BO", "TR", "DE", "SU", "CR", "BA", "CA", "CY"];

/// Every cell of a table: attacker, target (`None` is a city), percent in tenths or nothing.
fn cells(table: &str, columns: &[&str]) -> Vec<(Kind, Option<Kind>, Option<u32>)> {
    let mut cells = Vec::new();
    for row in table.lines() {
        let mut words = row.split(' ');
        let attacker = Kind::of(words.next().expect("a kind")).expect("a kind");
        for (column, word) in columns.iter().zip(words) {
            let tenths = word.replace('.', "").parse().ok();
            cells.push((attacker, Kind::of(column), tenths));
        }
    }
    cells
}

fn all_cells() -> Vec<(Options, Kind, Option<Kind>, Option<u32>)> {
    let standard = cells(STANDARD, &OF_STANDARD).into_iter();
    let advanced = cells(ADVANCED, &OF_ADVANCED).into_iter();
    let both =
        standard.map(|c| (Edition::Standard, c)).chain(advanced.map(|c| (Edition::Advanced, c)));
    both.map(|(edition, (a, d, odds))| (options(edition), a, d, odds)).collect()
}

fn pair(attacker: Kind, target: Option<Kind>) -> (Attacker, Target) {
    let on = if attacker.class() == Class::Sea { Terrain::Water } else { Terrain::Clear };
    let attacker = Attacker { kind: attacker, damage: 0, on };
    let city = Target::City { neutral: false, held: 0 };
    (attacker, target.map_or(city, |kind| Target::Unit(kind, 0)))
}

#[test]
fn every_cell_of_both_tables_is_exact() {
    let cells = all_cells();
    assert_eq!(cells.len(), 192);
    for (options, attacker, target, odds) in cells {
        let on = ground(attacker, target);
        let (who, what) = pair(attacker, target);
        let may = may_attack(&options, who, what, on).is_ok();
        // A transport cannot fight units ashore, so the table has no number.
        assert_eq!(may, odds.is_some(), "{attacker:?} {target:?}");
        if let Some(odds) = odds {
            let is = fight(&options, who, what, on).odds().per_mille();
            assert_eq!(is, odds, "{attacker:?} attacks {target:?}");
        }
    }
}

#[test]
fn rolls_come_out_as_the_tables_say() {
    const FIGHTS: i64 = 100_000;
    let cells: Vec<_> = all_cells().into_iter().filter(|c| c.3.is_some()).collect();
    assert_eq!(cells.len(), 160);
    for (n, (options, attacker, target, _)) in cells.into_iter().enumerate() {
        let on = ground(attacker, target);
        let (who, what) = pair(attacker, target);
        let fight = fight(&options, who, what, on);
        let mut dice = Dice::new(n as u64);
        let won = (0..FIGHTS).filter(|_| fight.run(&mut dice).won).count() as i64;
        // The exact chance, in parts of a million; the table rounds it.
        let odds = fight.odds();
        let chance = i64::try_from(odds.won * 1_000_000 / odds.of).expect("a part of a million");
        let expected = FIGHTS * chance / 1_000_000;
        let spread = (FIGHTS * chance / 1_000 * (1_000_000 - chance) / 1_000_000_000).isqrt();
        assert!((won - expected).abs() <= 5 * spread + 3, "{attacker:?} {target:?}: {won}");
    }
}

#[test]
fn each_modifier_counts_where_it_should() {
    let advanced = options(Edition::Advanced);
    let of = |kind: Kind, damage: u32, target: Target, on: Terrain| {
        let from = if kind.class() == Class::Sea { Terrain::Water } else { Terrain::Clear };
        let attacker = Attacker { kind, damage, on: from };
        fight(&advanced, attacker, target, on).odds().per_mille()
    };
    let infantry = Target::Unit(Kind::In, 0);
    for on in [Terrain::Forest, Terrain::Mountain, Terrain::River] {
        assert_eq!(of(Kind::In, 0, infantry, on), 333, "{on:?}");
    }
    assert_eq!(of(Kind::In, 0, infantry, Terrain::Rough), 500);
    assert_eq!(of(Kind::Am, 0, infantry, Terrain::Forest), 556);
    // A river shields only against land units.
    assert_eq!(of(Kind::Fi, 0, infantry, Terrain::River), 500);
    assert_eq!(of(Kind::Ba, 0, infantry, Terrain::Forest), 1000);
    assert_eq!(of(Kind::Cr, 0, Target::Unit(Kind::Ab, 0), Terrain::Clear), 1000);
    // A neutral city wears down, and no further than a quarter.
    let held = |held| of(Kind::In, 0, Target::City { neutral: true, held }, Terrain::City);
    assert_eq!([held(0), held(1), held(2), held(3), held(9)], [500, 571, 667, 800, 800]);
    let enemy = Target::City { neutral: false, held: 3 };
    assert_eq!(of(Kind::In, 0, enemy, Terrain::City), 500);
    // A crippled unit attacks at half strength; in the other editions at full strength.
    let crippled = of(Kind::De, 2, Target::Unit(Kind::De, 2), Terrain::Water);
    assert_eq!(crippled, 333);
    let standard = options(Edition::Standard);
    let attacker = Attacker { kind: Kind::De, damage: 2, on: Terrain::Water };
    let same = fight(&standard, attacker, Target::Unit(Kind::De, 2), Terrain::Water);
    assert_eq!(same.odds().per_mille(), 500);
    let army = Attacker { kind: Kind::Ar, damage: 0, on: Terrain::Clear };
    let neutral = Target::City { neutral: true, held: 4 };
    assert_eq!(fight(&standard, army, neutral, Terrain::City).odds().per_mille(), 500);
}
