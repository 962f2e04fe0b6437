//! Games in which every seat gives all kinds of orders, mostly to near spaces and mostly possible
//! ones: the result of each turn is pinned. Later versions must play running games in the same way,
//! so a rule that changes by accident shows here. A change on purpose raises `RULES_VERSION` and
//! puts the new hashes here.

use std::sync::Arc;

use engine::{Audits, BySeat, CardText, Dice, Input, Rules, Seat};

use super::board::*;
use super::journal::brief;
use battle_plan::BattlePlan;
use battle_plan::event::Event;
use battle_plan::map::SpaceId;
use battle_plan::orders::ROWS;
use battle_plan::state::{Forces, ITEMS, Stance, State};
use battle_plan::tables::Tables;

/// The code of a neighbour, or sometimes of any space.
fn near(state: &State, from: SpaceId, dice: &mut Dice) -> String {
    let map = &state.tables.map;
    let around = map.neighbours(from);
    let places: Vec<SpaceId> = match dice.below("far", 8) {
        0 => map.all().collect(),
        _ => around.to_vec(),
    };
    map.code(places[dice.below("where", places.len() as u32) as usize]).to_owned()
}

/// A card of orders of all kinds for what a seat holds.
fn card(state: &State, seat: u8, dice: &mut Dice) -> String {
    let map = &state.tables.map;
    let mut lines = vec!["@".to_owned()];
    let other = |dice: &mut Dice| dice.below("who", state.players.len() as u32 + 1);
    for _ in 0..dice.below("orders", 9) {
        let (who, n) = (other(dice), 1 + dice.below("number", 30));
        let item = ITEMS[dice.below("item", 8) as usize];
        let code = near(state, SpaceId(dice.below("about", map.len() as u32) as u16), dice);
        lines.push(match dice.below("order", 18) {
            0 => format!("{who}A"),
            1 => format!("{who}N"),
            2..=4 => format!("{who}E"),
            5 => format!("{who}D{n}"),
            6 => format!("{who}K"),
            7 => format!("{who}{}", ["F", "H", "Z"][n as usize % 3]),
            8 => format!("{who}S{n}"),
            9 => format!("{who}C{n}"),
            10 => format!("{who}P{n}"),
            11 => format!("S{n}{code}"),
            12 => format!("C{n}{code}"),
            13 => format!("P{n}{code}"),
            14 => format!("TS{n} TC{n}"),
            15 => format!("R{item}{n}"),
            16 => format!("B{}{}", ["D", "I", "A", "N", "F", "M", "X"][n as usize % 7], n % 9),
            _ => format!("{who}G{} {who}B{}", 1 + n % 3, 1 + n % 2),
        });
    }
    for space in map.all() {
        let held = if map.is_sea(space) {
            state.sea(space).contains_key(&seat)
        } else {
            state.country(space).holder() == seat
        };
        if !held {
            continue;
        }
        lines.push(format!("@{}", map.code(space)));
        for row in ROWS.iter().filter(|row| row.read.in_space()) {
            if !dice.chance("verb", 300) {
                continue;
            }
            let n = 1 + dice.below("units", 12) * dice.below("more", 3);
            let code = near(state, space, dice);
            let code = if row.form.ends_with('n') { "" } else { &code };
            let slot = 1 + dice.below("slot", 40);
            let standing = if slot <= 5 { format!("/{slot}/") } else { String::new() };
            lines.push(format!("{standing}{}{n}{code}", row.word));
        }
    }
    lines.join("\n")
}

/// A number below the limit, often none at all.
fn some(dice: &mut Dice, limit: u32) -> i64 {
    match dice.below("none", 3) {
        0 => 0,
        _ => i64::from(dice.below("some", limit)),
    }
}

/// The variant with countries and fleets of all players mixed.
fn crowd(variant: &str, seats: u8, revised: bool, dice: &mut Dice) -> Board {
    // Players have the names of their start countries.
    let tables = Tables::read(&setup(variant, seats, &[])).expect("tables").of_age(revised);
    let starts = tables.variant.starts.iter();
    let mut line = starts.filter(|s| s.split_whitespace().count() == usize::from(seats));
    let options: Vec<(&str, &str)> =
        line.next().map(|s| ("starts", s.as_str())).into_iter().collect();
    let mut board = Board::of(variant, seats, &options);
    board.state.tables = Arc::new(tables);
    let map = board.state.tables.map.clone();
    for space in map.countries() {
        let coast = map.has_coast(space);
        let country = board.state.country_mut(space);
        // About half are minors.
        let owner = dice.below("owner", u32::from(seats) * 2) as u8;
        country.owner = if owner > seats { 0 } else { owner };
        country.limit = 20 + some(dice, 30);
        country.industry = some(dice, 20);
        country.industry_down = some(dice, 8);
        (country.tax, country.tax_down) = (some(dice, 90), some(dice, 30));
        (country.army, country.air, country.air_down) =
            (some(dice, 30), some(dice, 20), some(dice, 8));
        country.navy = if coast { some(dice, 15) } else { 0 };
        (country.missiles, country.antimissiles) = (some(dice, 6), some(dice, 4));
        country.fractions = [0; 6].map(|_| some(dice, 99));
        country.hpi = 100 + some(dice, 60) - some(dice, 90);
        for seat in 1..=seats {
            let (likes, spies) = (some(dice, 12) - some(dice, 12), some(dice, 5));
            if country.owner == 0 && likes != 0 {
                country.popularity.insert(seat, likes);
            }
            if spies > 0 {
                country.spies.insert(seat, spies);
            }
        }
        if country.owner != 0 {
            country.popularity.clear();
        }
    }
    for sea in map.seas() {
        for seat in 1..=seats {
            let forces = Forces { army: some(dice, 12), navy: some(dice, 12), air: some(dice, 9) };
            if dice.chance("fleet", 400) && !forces.is_empty() {
                board.state.sea_mut(sea).insert(seat, forces);
            }
        }
    }
    for player in &mut board.state.players {
        player.cents = some(dice, 90_000);
        (player.spies, player.counterspies) = (some(dice, 3000), some(dice, 3000));
        player.multipliers = [0; 8].map(|_| 80 + some(dice, 90));
        for other in (1..=seats).filter(|o| *o != player.seat) {
            let stance = [Stance::Ally, Stance::Neutral, Stance::Enemy, Stance::Enemy];
            player.stances.insert(other, stance[dice.below("stance", 4) as usize]);
        }
    }
    board
}

/// The results of games of three turns under the rules before their revision, a hash for each five
/// games.
fn old_brawls(variant: &str, seats: u8, games: u64) -> String {
    pinned(variant, seats, games, false)
}

/// The results of games under the present rules.
fn brawls(variant: &str, seats: u8, games: u64) -> String {
    pinned(variant, seats, games, true)
}

fn pinned(variant: &str, seats: u8, games: u64, revised: bool) -> String {
    let seeds: Vec<u64> = (0..games).collect();
    let five = |five: &[u64]| {
        let told: Vec<String> =
            five.iter().map(|seed| brawl(variant, seats, *seed, revised)).collect();
        brief(&told, &(), &[])
    };
    seeds.chunks(5).map(five).collect::<Vec<_>>().join(" ")
}

fn brawl(variant: &str, seats: u8, seed: u64, revised: bool) -> String {
    let mut dice = Dice::stream(seed);
    let mut board = crowd(variant, seats, revised, &mut dice);
    board.state.revised = revised;
    let mut told = String::new();
    for turn in 0..3 {
        let written = |s| (Seat(s), CardText::new(&card(&board.state, s, &mut dice)));
        let cards: BySeat<CardText> = (1..=seats).map(written).collect();
        let input = Input { cards: &cards, seats: &board.sits };
        let mut own = Dice::new(seed * 100 + turn);
        let done = BattlePlan::step(board.state.clone(), &input, &mut own);
        let before = (&board.state, &board.events[..]);
        let faults = BattlePlan::audit(before, &input, (&done.state, &done.events));
        assert_eq!(faults, Vec::<String>::new(), "{variant}, seed {seed}, turn {turn}");
        told += &brief(&done.state, &done.events, own.log());
        (board.state, board.events) = (done.state, done.events);
    }
    told
}

#[test]
fn games_begun_before_of_four_in_europe_go_on_as_they_were() {
    assert_eq!(
        old_brawls("europe", 4, 50),
        "972ddb53 d0a8055f af0ec684 a9ac6a88 02610ea5 c5b518cc 9f6fbc4c 9fae70a9 72234c31 \
        7dea7a34"
    );
}

#[test]
fn games_begun_before_of_nine_in_europe_go_on_as_they_were() {
    assert_eq!(
        old_brawls("europe", 9, 30),
        "30dbe474 076731f5 f33d84ed c61a8f98 96b10043 c0bc3d99"
    );
}

#[test]
fn games_begun_before_of_1939_go_on_as_they_were() {
    assert_eq!(old_brawls("1939", 13, 10), "5bfd1f65 2436b89f");
}

#[test]
fn games_begun_before_of_real_forces_go_on_as_they_were() {
    assert_eq!(old_brawls("real", 20, 10), "325fa69c 57607a7b");
}

#[test]
fn brawls_of_four_in_europe_go_as_ever() {
    assert_eq!(
        brawls("europe", 4, 50),
        "16081a8f c0b52130 9c68f6a5 e1ee46e2 25c92b4b 1b14d64e 5b4acd6c c0df394a 7965ac86 \
        0c33276f"
    );
}

#[test]
fn brawls_of_nine_in_europe_go_as_ever() {
    assert_eq!(brawls("europe", 9, 30), "d2f3f205 58de9e2f 873345f8 666e8f10 9c95a993 962f12c8");
}

#[test]
fn brawls_of_1939_go_as_ever() {
    assert_eq!(brawls("1939", 13, 10), "1589e602 10fa3520");
}

#[test]
fn brawls_of_real_forces_go_as_ever() {
    assert_eq!(brawls("real", 20, 10), "b6d4e9f8 762c201e");
}

/// A step keeps its verdicts on wrong orders, so their sentences stay as they are.
#[test]
fn verdicts_that_a_step_keeps_are_as_ever() {
    const WRONG: &str = "3Q 3Q5 3A5 3D 3D0 3G9 300A 3W1XXXX U3 RF0 BA500 TS S1 XY5 AC5UK 3\n\
        @TU 2A BD5 BI5GR ATO5GR AC UK5 AT0GR AT999999GR TS5 /9/BA5 /x BA5I\n@ZZZ BA5";
    let board = Board::of("europe", 9, &[]);
    let cards = [(Seat(1), CardText::new(WRONG))].into();
    let input = Input { cards: &cards, seats: &board.sits };
    let done = BattlePlan::step(board.state.clone(), &input, &mut Dice::new(1));
    let kept: Vec<_> = done.events.iter().filter(|e| matches!(e, Event::Line { .. })).collect();
    assert!(kept.len() > 20, "{kept:?}");
    assert_eq!(brief(&kept, &(), &[]), "2d7dd5b5");
}
