//! Crowded worlds in which every seat gives all kinds of orders, mostly to near sectors and mostly
//! possible ones: the result of each turn is pinned. Later versions must play running games in the
//! same way, so a rule that changes by accident shows here. A change on purpose raises
//! `RULES_VERSION` and puts the new hashes here.

use std::ops::Range;
use std::sync::Arc;

use engine::geometry::Place;
use engine::{Audits, BySeat, CardText, Dice, Rules, Seat};
use warlord::Warlord;
use warlord::orders::sector_no;
use warlord::state::{Billet, Coalition, General, State, Unit, is_land};

use super::board::{Board, input};
use super::journal::brief;

const SEATS: u8 = 4;
/// Kinds of divisions and flotillas.
const KINDS: [u8; 18] = [1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 11, 12, 13, 14, 15, 17];
/// Signs of grounds; those that all units can pass are more frequent.
const LAND: [char; 12] = ['.', '.', '.', ',', ':', 'm', 'n', '_', 'f', 's', '^', '.'];

/// A card of orders that mostly make sense for the seat.
pub fn card(state: &State, seat: u8, dice: &mut Dice) -> String {
    let power = &state.powers[usize::from(seat)];
    let grid = state.grid();
    let mut lines = Vec::new();
    for (no, unit) in &power.units {
        let (col, row) = (grid.col(unit.at), grid.row(unit.at));
        let dx = dice.between("test", -5, 5) as i32;
        let dy = dice.between("test", -5, 5) as i32;
        let goal = grid.at(col + dx, row + dy).map(|p| sector_no(grid, p));
        let digits: String = (0..6).map(|_| dice.below("test", 9).to_string()).collect();
        match dice.below("test", 12) {
            0..=3 => lines.push(format!("M {no} {digits}")),
            4..=6 => lines.extend(goal.map(|g| format!("A {no} {g}"))),
            7 => lines.push(format!("M {} {digits}", sector_no(grid, unit.at))),
            8 => lines.push(format!("L {no} 0")),
            9 => lines.push(format!("S {no} {}", 1 + dice.below("test", 4))),
            10 => lines.push(format!("P {} {no}", 1 + dice.below("test", 2))),
            _ => lines.push(format!("K {no} {}", 1 + dice.below("test", 9))),
        }
    }
    for (number, city) in &power.cities {
        let near = |dice: &mut Dice| {
            let dx = dice.between("test", -6, 6) as i32;
            let dy = dice.between("test", -6, 6) as i32;
            grid.at(grid.col(city.at) + dx, grid.row(city.at) + dy).map(|p| sector_no(grid, p))
        };
        let (a, b) = (near(dice), near(dice));
        lines.extend(a.map(|at| format!("B {} {at}", dice.below("test", 4))));
        lines.extend(b.map(|at| format!("O {} {at}", 1 + dice.below("test", 3))));
        let n = dice.below("test", 4);
        match dice.below("test", 8) {
            0 => lines.push(format!("W {number} {n}")),
            1 => lines.push(format!("E {n}")),
            2 => lines.push(format!("I {} {n}", 1 + dice.below("test", 4))),
            3 => lines.extend(near(dice).map(|at| {
                let atomic = if dice.chance("test", 300) { "A" } else { "" };
                format!("R {atomic}{} {at}", 1 + n)
            })),
            4 => lines.push(format!("V {} {}", 1 + n, 1 + dice.below("test", 8))),
            5 => lines.push(format!("F {number} {} {n}1", 1 + dice.below("test", 8))),
            _ => {}
        }
        match dice.below("test", 6) {
            0 => lines.extend(near(dice).map(|at| format!("I {at} 20"))),
            1 => {
                let ship = power.decks.keys().next().copied().unwrap_or(1);
                lines.push(format!("F {number} S{ship} {n}2{n}"));
                lines.push(format!("F S{ship} {number} 11"));
                lines.push(format!("W S{ship} {n}"));
            }
            2 => {
                let ship = power.decks.keys().last().copied().unwrap_or(1);
                lines.push(format!("F {number} S{ship} M{}", 1 + n));
                lines.push(format!("F {number} {} A1", 1 + dice.below("test", 8)));
            }
            3 => {
                let here = power.units.iter().find(|(_, u)| u.kind == 9 && u.at == city.at);
                let no = here.map_or(1, |(no, _)| *no);
                lines.extend(near(dice).map(|at| format!("V {no} {at}")));
            }
            _ => {}
        }
        let items = [1, 2, 3, 4, 5, 6, 8, 9, 10, 13, 15, 17, 18, 19, 20, 24, 25, 26, 36];
        let item = items[dice.below("test", items.len() as u32) as usize];
        lines.push(format!("C {number} {item}"));
    }
    if dice.chance("test", 80) {
        lines.push(format!("D {}", 1 + dice.below("test", 4)));
    }
    if dice.chance("test", 200) {
        lines.push(format!("J {}", dice.between("test", -4, 4)));
    }
    lines.join("\n")
}

/// A small world of islands, with units and cities of everybody everywhere.
fn crowd(dice: &mut Dice) -> State {
    const COLS: usize = 24;
    const ROWS: usize = 10;
    let sea: Vec<bool> = (0..COLS * ROWS / 4).map(|_| dice.chance("sea", 400)).collect();
    let mut drawing = String::new();
    let mut spots = ('A'..='J').peekable();
    for row in 0..ROWS {
        for col in 0..COLS {
            let land = LAND[dice.below("ground", 12) as usize];
            let sign = if sea[row / 2 * COLS / 2 + col / 2] { '~' } else { land };
            let spot = dice.chance("city", 60).then(|| spots.next()).flatten();
            drawing.push(spot.unwrap_or(sign));
        }
        drawing.push('\n');
    }
    let mut board = Board::new(SEATS, &drawing);
    let last = *spots.peek().unwrap_or(&'K');
    for (number, spot) in (1..).zip('A'..last) {
        board = board
            .city(number, dice.below("holder", 5) as u8, spot)
            .level(number, dice.below("level", 5) as u8)
            .planes(number, dice.below("planes", 9) as u16, dice.below("planes", 9) as u16);
    }
    let mut state = board.state;
    for power in &mut state.powers[1..] {
        for city in power.cities.values_mut() {
            city.shield = dice.chance("shield", 300);
            city.hangar.planes.jets = dice.below("jets", 5) as u16;
            city.hangar.planes.bombers += 6;
            city.hangar.missiles = dice.below("missiles", 6) as u16;
            city.hangar.warheads = dice.below("warheads", 3) as u16;
        }
    }
    let grid = state.grid();
    let cities = state.world.cities.clone();
    let all = (0..grid.len()).map(|i| Place(i as u16)).filter(|p| !cities.contains(p));
    let all: Vec<Place> = all.collect();
    for seat in 1..=SEATS {
        // Each seat has its own sectors at first, as it would in a game.
        let own: Vec<Place> =
            all.iter().copied().filter(|p| p.0 % u16::from(SEATS) + 1 == u16::from(seat)).collect();
        for no in 1..=24 {
            let kind = KINDS[dice.below("kind", KINDS.len() as u32) as usize];
            let at = own[dice.below("where", own.len() as u32) as usize];
            let class = state.tables.row(kind).class;
            let stands = match is_land(class) {
                true => state.tables.land_cost(class, state.world.ground(at)).is_some(),
                false => state.world.is_sea(at),
            };
            if stands {
                let unit = Unit {
                    kind,
                    at,
                    size: 1 + dice.below("size", 12) as u16,
                    rank: dice.below("rank", 4) as u8,
                    aboard: None,
                    goal: None,
                };
                let tables = Arc::clone(&state.tables);
                let power = &mut state.powers[usize::from(seat)];
                power.units.insert(no, unit);
                power.deck(&tables, no);
                let crowded = dice.below("deck", 9) as u16;
                if let Some(deck) = power.decks.get_mut(&no) {
                    match kind {
                        15 => deck.planes.fighters = crowded,
                        _ => deck.missiles = crowded.min(4),
                    }
                }
            }
        }
        let power = &mut state.powers[usize::from(seat)];
        let bases: Vec<Place> = power.cities.values().map(|c| c.at).collect();
        for at in bases {
            let unit = Unit { kind: 9, at, size: 3, rank: 0, aboard: None, goal: None };
            let no = power.free_number();
            power.units.insert(no, unit);
        }
        let billets: Vec<Billet> = (power.units.keys().map(|n| Billet::Unit(*n)))
            .chain(power.cities.keys().map(|n| Billet::City(*n)))
            .collect();
        for _ in 0..2 {
            let billet = billets[dice.below("billet", billets.len() as u32) as usize];
            let skill = dice.below("skill", 100) as u8;
            let name = String::new();
            power.generals.push(General { name, skill, gained: 0, billet: Some(billet) });
        }
        power.stock = i64::from(dice.below("stock", 9000));
        power.tech = 1 + dice.below("tech", 10) as u8;
        power.counter_spying = i64::from(dice.below("counter", 5));
        let ally = 1 + dice.below("ally", 12) as u8;
        power.allies.extend((ally <= SEATS && ally != seat).then_some(ally));
    }
    if dice.chance("coalition", 500) {
        state.powers[1].allies.insert(2);
        state.powers[2].allies.insert(1);
        state.coalitions.push(Coalition { members: [1, 2].into(), held: 0 });
    }
    for _ in 0..4 {
        let at = all[dice.below("ruins", all.len() as u32) as usize];
        if !state.world.is_sea(at) && !state.world.ruins.contains(&at) {
            Arc::make_mut(&mut state.world).ruins.push(at);
            state.ruin_finds.push(0);
        }
    }
    state
}

/// The results of games of four turns, a hash for each ten games.
fn brawls(seeds: Range<u64>) -> String {
    let seeds: Vec<u64> = seeds.collect();
    let tens = seeds.chunks(10);
    tens.map(|ten| brief(&ten.iter().map(|seed| brawl(*seed)).collect::<Vec<_>>(), &(), &[]))
        .collect::<Vec<_>>()
        .join(" ")
}

fn brawl(seed: u64) -> String {
    let mut dice = Dice::stream(seed);
    let (mut state, mut events) = (crowd(&mut dice), Vec::new());
    let mut told = String::new();
    for turn in 0..4 {
        let written = |s| (Seat(s), CardText::new(&card(&state, s, &mut dice)));
        let cards: BySeat<CardText> = (1..=SEATS).map(written).collect();
        let mut own = Dice::new(seed * 100 + turn);
        let done = Warlord::step(state.clone(), &input(&cards), &mut own);
        let before = (&state, &events[..]);
        let faults = Warlord::audit(before, &input(&cards), (&done.state, &done.events));
        assert_eq!(faults, Vec::<String>::new(), "seed {seed}, turn {turn}");
        told += &brief(&done.state, &done.events, own.log());
        (state, events) = (done.state, done.events);
    }
    told
}

#[test]
fn first_brawls_go_as_ever() {
    assert_eq!(
        brawls(0..100),
        "887c5554 5aa8908d e9879f14 9950b765 3fb28f46 c0c336cd b3060b91 986bf896 \
         3f37a43e beee3585"
    );
}

#[test]
fn more_brawls_go_as_ever() {
    assert_eq!(
        brawls(100..200),
        "438c00be 94cdfdf5 688aa04b fb5677a7 9207a420 4bebbe2e c89735db dfdabc87 \
         03e1c551 6e2baad3"
    );
}
