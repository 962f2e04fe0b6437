//! Properties over generated orders, cards and turns.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use engine::geometry::{Direction, Place};
use engine::{Audits, BySeat, CardText, Cards, Dice, Mark, Printouts, Rules, Seat, Setup};
use proptest::prelude::*;
use warlord::Warlord;
use warlord::bases::{BaseNo, Planes};
use warlord::events::{Event, Happening};
use warlord::orders::{self, Aim, Freight, Landing, Named, Order, SectorNo, Who};
use warlord::state::{Centre, State, is_land};
use warlord::tables::{Class, Terrain};

use super::board::input;
use super::brawl::card;

/// A world of four seats, made once.
static WORLD: LazyLock<State> = LazyLock::new(|| {
    let setup = Setup { seats: 4, ..Setup::default() };
    Warlord::new_game(&setup, &mut Dice::new(7)).expect("the embedded tables make a world")
});

/// The same game with the seats' forces side by side, so that turns have battles.
static MELEE: LazyLock<State> = LazyLock::new(|| {
    let mut state = WORLD.clone();
    let home = state.world.cities[0];
    let grid = state.grid();
    // Ground that is open to all units, without a city.
    let near = |p: &Place| {
        let open = state.tables.land_cost(Class::Arm, state.world.ground(*p)).is_some();
        open && state.world.cities.iter().all(|c| c != p)
    };
    let land: Vec<Place> = grid.within(home, 3).filter(near).collect();
    let coast = grid.within(home, 8).filter(|&p| state.world.is_sea(p));
    let sea: Vec<Place> = coast.collect();
    for seat in 2..=4usize {
        for (i, unit) in state.powers[seat].units.values_mut().enumerate() {
            let ship = !is_land(state.tables.row(unit.kind).class);
            let places = if ship { &sea } else { &land };
            // Each seat has its own sectors at first, as it would in a game.
            let own: Vec<Place> = places.iter().copied().skip(seat - 2).step_by(3).collect();
            if let Some(at) = own.get(i % own.len().max(1)) {
                unit.at = *at;
            }
        }
    }
    state
});

/// `cases` cases, and no file of failures in the sources.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

// ---- (a) orders

fn sector() -> impl Strategy<Value = SectorNo> {
    (0u16..=999, 0u16..=99).prop_map(|(col, row)| SectorNo { col, row })
}

fn who() -> impl Strategy<Value = Who> {
    prop_oneof![(0u16..=999).prop_map(Who::Unit), sector().prop_map(Who::Sector)]
}

fn aim() -> impl Strategy<Value = Aim> {
    let heading = (0usize..8).prop_map(|i| Aim::Heading(Direction::ALL[i]));
    prop_oneof![heading, sector().prop_map(Aim::Sector)]
}

fn numbers() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[0-9]{1,5}|[0-9]{3}-[0-9]{2}", 1..6)
}

fn named() -> impl Strategy<Value = Named> {
    prop_oneof![Just(Named::City), Just(Named::Airbase), Just(Named::General)]
}

fn base() -> impl Strategy<Value = BaseNo> {
    prop_oneof![(1u16..=999).prop_map(BaseNo::Land), (1u16..=999).prop_map(BaseNo::Ship)]
}

fn landing() -> impl Strategy<Value = Landing> {
    prop_oneof![base().prop_map(Landing::Base), sector().prop_map(Landing::Drop)]
}

fn freight() -> impl Strategy<Value = Freight> {
    let planes = (0u16..=9, 0u16..=9, 0u16..=9).prop_filter("some plane", |p| p.0 + p.1 + p.2 > 0);
    prop_oneof![
        planes.prop_map(|(fighters, jets, bombers)| {
            Freight::Planes(Planes { fighters, jets, bombers })
        }),
        (1u16..=999).prop_map(|n| Freight::Arms(n, 0)),
        (1u16..=999).prop_map(|n| Freight::Arms(0, n)),
    ]
}

fn order() -> impl Strategy<Value = Order> {
    let (n, b) = (0u16..=999, 0u8..=255);
    let two = (n.clone(), n.clone());
    let moves = prop_oneof![
        (who(), aim()).prop_map(|(who, aim)| Order::Advance { who, aim }),
        (who(), prop::collection::vec(0u8..=8, 1..=60))
            .prop_map(|(who, steps)| Order::March { who, steps }),
        (who(), landing()).prop_map(|(who, goal)| Order::Airlift { who, goal }),
        (n.clone(), b.clone()).prop_map(|(unit, task)| Order::Engineer { unit, task }),
    ];
    let units = prop_oneof![
        two.clone().prop_map(|(general, unit)| Order::Position { general, unit }),
        two.clone().prop_map(|(unit, number)| Order::Split { unit, number }),
        (n.clone(), prop::option::of(1u16..=999))
            .prop_map(|(unit, other)| Order::Link { unit, other }),
        (named(), n.clone(), "[A-Z0-9(.][A-Za-z .,'-]{0,14}[A-Z0-9).]")
            .prop_map(|(what, number, name)| Order::Name { what, number, name }),
    ];
    let air = prop_oneof![
        (n.clone(), sector()).prop_map(|(bombers, sector)| Order::Bomb { bombers, sector }),
        (n.clone(), sector()).prop_map(|(fighters, sector)| Order::Observe { fighters, sector }),
        (n.clone(), any::<bool>(), sector()).prop_map(|(missiles, atomic, sector)| Order::Rocket {
            missiles,
            atomic,
            sector
        }),
        (base(), base(), freight()).prop_map(|(base, to, cargo)| Order::Fly { base, to, cargo }),
        base().prop_map(|base| Order::Fly { base, to: BaseNo::Land(0), cargo: Freight::Nothing }),
        (base(), n.clone()).prop_map(|(base, fighters)| Order::Watch { base, fighters }),
        (sector(), 0u32..=999).prop_map(|(sector, pp)| Order::Picture { sector, pp }),
    ];
    let rest = prop_oneof![
        (n.clone(), b).prop_map(|(city, item)| Order::Construct { city, item }),
        n.clone().prop_map(|player| Order::Declare { player }),
        (0u32..=999).prop_map(|pp| Order::Research { pp }),
        (n.clone(), 0u32..=999).prop_map(|(player, pp)| Order::Investigate { player, pp }),
        (-999i32..=999).prop_map(|player| Order::Coalition { player }),
        (n, numbers()).prop_map(|(player, numbers)| Order::Message { player, numbers }),
        numbers().prop_map(|numbers| Order::Continue { numbers }),
    ];
    prop_oneof![moves, units, air, rest]
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn an_order_that_is_written_and_read_again_is_the_same(order in order()) {
        let text = order.to_string();
        let (orders, faults) = orders::parse(&CardText::new(&text));
        prop_assert_eq!(&faults, &[], "{}", &text);
        prop_assert_eq!(orders, [(1, order)], "{}", &text);
        prop_assert!(Warlord::starts_order(&text), "{}", text);
    }
}

// ---- (b) any text

/// Lines that look like orders more or less, and lines that do not at all.
fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[A-Za-z][ ,\t]?[0-9]{0,6}([ ,\t]{1,2}[-0-9.()]{0,6}){0,4}",
        3 => order().prop_map(|order| order.to_string()),
        2 => (order(), 0usize..20, any::<char>()).prop_map(|(order, at, sign)| {
            let mut text: Vec<char> = order.to_string().chars().collect();
            text.insert(at.min(text.len()), sign);
            text.into_iter().collect()
        }),
        1 => ".{0,60}",
        1 => "(--|\u{2013}|\u{2014})? ?[0-9]{1,3}( [0-9]{1,5}){0,6}",
    ]
}

fn any_card() -> impl Strategy<Value = String> {
    prop::collection::vec(any_line(), 0..12).prop_map(|lines| lines.join("\n"))
}

fn errors(marks: impl Iterator<Item = (u32, Mark)>) -> Vec<u32> {
    marks.filter(|(_, m)| *m == Mark::Error).map(|(line, _)| line).collect()
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn no_text_makes_the_engine_stumble_and_the_turn_keeps_the_echos_word(
        cards in prop::array::uniform4(any_card()),
        seed in any::<u64>(),
    ) {
        let cards: BySeat<CardText> =
            (1..).map(Seat).zip(cards.iter().map(|c| CardText::new(c))).collect();
        let state = MELEE.clone();
        let done = Warlord::step(state.clone(), &input(&cards), &mut Dice::new(seed));
        for (seat, card) in &cards {
            let (_, faults) = orders::parse(card);
            let judged = Warlord::judge(&Warlord::view(&state, &[], *seat), card, 0);
            let lines: Vec<u32> = judged.lines.iter().map(|l| l.line).collect();
            let sent: Vec<u32> = card.lines.iter().map(|l| l.0).collect();
            prop_assert_eq!(lines, sent, "each line is answered");
            prop_assert!(faults.len() <= judged.count(Mark::Error));
            let told = done.events.iter().filter(|h| h.to.contains(&seat.0));
            let told = told.filter_map(|h| match &h.event {
                Event::Line { line, mark, .. } => Some((*line, Mark::of(*mark))),
                _ => None,
            });
            let echoed = judged.lines.iter().map(|l| (l.line, l.mark));
            prop_assert_eq!(errors(echoed), errors(told), "seat {}", seat);
            let view = Warlord::view(&done.state, &done.events, *seat);
            let report = Warlord::report(&view, "de").expect("the seat plays");
            prop_assert!(!report.sections.is_empty());
        }
        let faults = Warlord::audit((&state, &[]), &input(&cards), (&done.state, &done.events));
        prop_assert_eq!(faults, Vec::<String>::new());
        apart(&done.state)?;
    }
}

// ---- (c) turns

/// No land sector is shared by divisions of enemies, no sea by their ships.
fn apart(state: &State) -> Result<(), TestCaseError> {
    let mut there: BTreeMap<Place, Vec<u8>> = BTreeMap::new();
    for power in &state.powers {
        for unit in power.units.values().filter(|u| u.aboard.is_none()) {
            // A regiment may be delivered to a city where a one-sided ally stands.
            if state.world.cities.contains(&unit.at) {
                continue;
            }
            // Ships in a port do not begin a fight.
            if is_land(state.row(unit).class) != state.world.is_sea(unit.at) {
                there.entry(unit.at).or_default().push(power.seat);
            }
        }
    }
    for (place, seats) in there {
        for (a, b) in seats.iter().flat_map(|a| seats.iter().map(move |b| (*a, *b))) {
            let foes = a != 0 && a != b && state.is_hostile(a, b);
            prop_assert!(!foes, "{a} and {b} share {place:?}");
        }
    }
    Ok(())
}

fn play_on(start: &State, seed: u64, turns: usize) -> Result<usize, TestCaseError> {
    let (mut state, mut events) = (start.clone(), Vec::new());
    let mut dice = Dice::new(seed);
    let mut battles = 0;
    for _ in 0..turns {
        let seats = 1..=state.seats();
        let cards: BySeat<CardText> =
            seats.map(|s| (Seat(s), CardText::new(&card(&state, s, &mut dice)))).collect();
        let done = Warlord::step(state.clone(), &input(&cards), &mut dice);
        let faults = Warlord::audit((&state, &events), &input(&cards), (&done.state, &done.events));
        prop_assert_eq!(faults, Vec::<String>::new());
        apart(&done.state)?;
        battles += done.events.iter().filter(|h| matches!(h.event, Event::Battle { .. })).count();
        (state, events) = (done.state, done.events);
    }
    Ok(battles)
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn turns_keep_every_account_and_every_place_in_order(seed in any::<u64>()) {
        let battles = play_on(&MELEE, seed, 6)?;
        prop_assert!(battles > 0, "the seats must have met for this to mean something");
    }
}

// ---- (d) what a seat can't know

/// Report, view and echo of seat 1.
fn knowledge(state: &State, events: &[Happening], card: &str) -> String {
    let view = Warlord::view(state, events, Seat(1));
    let judged = Warlord::judge(&view, &CardText::new(card), 0);
    format!("{view:?}\n{:?}\n{judged:?}", Warlord::report(&view, "de"))
}

/// Changes that seat 1 has no way to notice.
fn unknowable(state: &State, seen: &[bool], dice: &mut Dice) -> State {
    let mut other = state.clone();
    let me = &state.powers[1];
    let hidden = |p: &Place| !seen[usize::from(p.0)];
    let places: Vec<Place> = state.grid().places().filter(hidden).collect();
    let land: Vec<Place> = places.iter().copied().filter(|&p| !state.world.is_sea(p)).collect();
    for power in other.powers.iter_mut().filter(|p| p.seat != 1) {
        for unit in power.units.values_mut().filter(|u| hidden(&u.at)) {
            unit.at = land[dice.below("test", land.len() as u32) as usize];
            unit.rank = 3 - unit.rank;
        }
        power.stock += 12345;
        power.tech += 3;
        power.research += 999;
        power.missed += 1;
        power.pledges.insert(1);
        power.exhausted.extend(me.exhausted.iter());
        power.counter_spying += 2;
        power.allies.insert(1);
        power.generals.iter_mut().for_each(|g| (g.skill, g.name) = (77, "SECRET".to_owned()));
        for city in power.cities.values_mut() {
            city.centres = [Centre::Ready(3); 3];
            city.hangar.planes = Planes { fighters: 9, jets: 9, bombers: 9 };
            (city.hangar.watch, city.hangar.missiles) = (3, 9);
            city.base_name = "SECRET".to_owned();
            if hidden(&city.at) {
                (city.level, city.name) = (9, "SECRET".to_owned());
            }
        }
    }
    let world = Arc::make_mut(&mut other.world);
    for place in land {
        if !me.has_explored(place) {
            world.terrain[usize::from(place.0)] = Terrain::Swamp as u8;
        }
        let i = usize::from(place.0);
        if other.control[i] != 1 {
            other.control[i] = 3;
        }
    }
    other.ruin_finds.iter_mut().for_each(|n| *n = (*n + 1) % 4);
    world.ruins.retain(|&p| me.has_explored(p));
    other
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn what_a_seat_can_not_know_changes_nothing_that_it_is_told(seed in any::<u64>(), near: bool) {
        let mut state = if near { MELEE.clone() } else { WORLD.clone() };
        let mut dice = Dice::new(seed);
        let mut events = Vec::new();
        for _ in 0..3 {
            let orders = card(&state, 1, &mut dice);
            let seen = state.sight_of(&state.powers[1]);
            let other = unknowable(&state, &seen, &mut dice);
            let cards = "A 1 2\nM 40 1\nC 5 1\nC 77 1\nD 3\nY 2 310\nL 1 0\n";
            let all = format!("{cards}{orders}\nA 3 00101\nA 4 02020\nA 5 01030\nA 11 03003");
            prop_assert_eq!(
                knowledge(&state, &events, &all),
                knowledge(&other, &events, &all)
            );
            let cards: BySeat<CardText> =
                (1..=4).map(|s| (Seat(s), CardText::new(&card(&state, s, &mut dice)))).collect();
            let done = Warlord::step(state, &input(&cards), &mut dice);
            (state, events) = (done.state, done.events);
        }
    }
}

#[test]
fn the_numbers_of_enemy_units_in_a_battle_are_their_owners_affair() {
    use super::board::{Board, INFANTRY};
    let fight = |number: u16| {
        let mut board = Board::new(2, "~~~~~\n~AD.~\n~...~\n~~~~~")
            .unit(1, 1, (5, INFANTRY), 'A')
            .unit(2, number, (5, INFANTRY), 'D');
        board.play(&[(1, "M 1 3")]);
        knowledge(&board.state, &board.events, "")
    };
    assert_eq!(fight(1), fight(33));
}
