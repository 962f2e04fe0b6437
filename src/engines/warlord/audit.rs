//! Checks of what must hold after every turn, whatever was ordered, and the numbers that show a
//! designer how a game goes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::bases::{BaseNo, Planes};
use super::events::{Event, Find, Happening, SideReport};
use super::state::{Billet, Centre, MISSILE, NOBODY, Power, State, WARHEAD, is_land};
use super::tables::{Class, Terrain};
use super::turn::Field;
use super::turn::economy::supplied;
use super::view::View;
use super::{Warlord, judge};
use engine::geometry::Place;
use engine::report::{Chart, Series, Who};
use engine::trial::{Standing, Tally};
use engine::{Audits, BySeat, CardText, Dice, Input, Mark, Printouts, Seat};

impl Audits for Warlord {
    fn audit(
        before: (&State, &[Happening]),
        input: &Input,
        after: (&State, &[Happening]),
    ) -> Vec<String> {
        audit(before, input.cards, after)
    }

    fn tally(state: &State, events: &[Happening]) -> Tally {
        tally(state, events)
    }

    fn charts(state: &State) -> Vec<Chart> {
        charts(state)
    }
}

type Moment<'a> = (&'a State, &'a [Happening]);

/// Every invariant that a turn broke.
pub fn audit(before: Moment, cards: &BySeat<CardText>, after: Moment) -> Vec<String> {
    let mut faults = Vec::new();
    units(after.0, &mut faults);
    cities(after.0, &mut faults);
    bases(after.0, &mut faults);
    politics(after.0, &mut faults);
    for seat in 1..=after.0.seats() {
        let heard: Vec<&Event> =
            after.1.iter().filter(|h| h.to.contains(&seat)).map(|h| &h.event).collect();
        let (old, new) = (power(before.0, seat), power(after.0, seat));
        ledger(old, new, &heard, &mut faults);
        losses(before.0, (old, new), &heard, &mut faults);
        holdings(old, new, &heard, &mut faults);
        production(before.0, (old, new), &heard, &mut faults);
        if let Some(card) = cards.get(&Seat(seat)) {
            echo(before, card, &heard, seat, &mut faults);
        }
    }
    // Two seats each turn, so that every seat is checked in the course of a game.
    for i in 0..2 {
        let seat = 1 + ((after.0.turn * 2 + i) % u32::from(after.0.seats())) as u8;
        supply(after.0, seat, &mut faults);
        secrecy(after, seat, &mut faults);
        if let (Some(card), 0) = (cards.get(&Seat(seat)), i) {
            hidden_ground(before.0, card, seat, &mut faults);
        }
    }
    faults
}

/// Checks that the results of a seat's orders do not depend on ground that its units never see: the
/// turn runs again with that ground changed, and the results must be the same. All other seats
/// stand still in both runs.
pub fn hidden_ground(before: &State, card: &CardText, seat: u8, faults: &mut Vec<String>) {
    let mut still = before.clone();
    for power in still.powers.iter_mut().filter(|p| p.seat != seat) {
        power.units.values_mut().for_each(|u| u.goal = None);
        power.cities.values_mut().for_each(|c| c.hangar.transfer = None);
    }
    let cards = BySeat::from([(Seat(seat), card.clone())]);
    let run = |state: State| {
        let input = Input { cards: &cards, seats: &BySeat::new() };
        let (state, events) = Field::new(state, input, &mut Dice::new(1)).run();
        let heard = events.into_iter().filter(|h| h.to.contains(&seat)).map(|h| h.event);
        (power(&state, seat).clone(), heard.collect::<Vec<_>>())
    };
    let one = run(still.clone());
    let struck: Vec<Place> = one.1.iter().filter_map(struck).collect();
    turn_over(&mut still, |p| !one.0.has_explored(p) && !struck.contains(&p));
    if run(still) != one {
        faults.push(format!("seat {seat}: its orders tell of ground that nobody has seen"));
    }
}

/// Opens the hidden land that is closed to vehicles, and closes the hidden land that is open.
fn turn_over(state: &mut State, hidden: impl Fn(Place) -> bool) {
    let world = Arc::make_mut(&mut state.world);
    for place in world.grid.places().filter(|p| hidden(*p)) {
        if !world.is_sea(place) {
            let open = state.tables.land_cost(Class::Arm, world.ground(place)).is_some();
            let other = if open { Terrain::Swamp } else { Terrain::Open };
            world.terrain[usize::from(place.0)] = other as u8;
        }
    }
}

/// The place that bombs or missiles hit.
fn struck(event: &Event) -> Option<Place> {
    match event {
        Event::AirStrike(strike) => Some(strike.at),
        Event::Salvo(salvo) => Some(salvo.at),
        _ => None,
    }
}

fn power(state: &State, seat: u8) -> &Power {
    &state.powers[usize::from(seat)]
}

fn units(state: &State, faults: &mut Vec<String>) {
    let most = state.tables.rules.economy.division_max;
    let owners = state.city_owners();
    // A unit that came by a road stays where it is when the road is pulled down.
    let roads = state.powers.iter().any(|p| p.tech >= state.tables.tech.gates.road);
    for power in &state.powers {
        let seat = power.seat;
        for (no, unit) in &power.units {
            let mut wrong = |what: &str| faults.push(format!("seat {seat}, unit {no}: {what}"));
            if !(1..=most).contains(&unit.size) {
                wrong("size out of range");
            }
            let sea = state.world.is_sea(unit.at);
            let class = state.row(unit).class;
            let city = state.world.cities.iter().position(|c| *c == unit.at);
            match unit.aboard {
                Some(ship) => match power.units.get(&ship) {
                    Some(carrier) if carrier.at == unit.at => {}
                    _ => wrong("aboard a ship that is not there"),
                },
                None if is_land(class) && sea => wrong("land unit at sea"),
                None if class == Class::Ship && !sea => {
                    let friend = city
                        .map(|i| owners[i])
                        .is_some_and(|o| o == seat || power.allies.contains(&o));
                    if !friend && seat != NOBODY {
                        wrong("ships ashore in a foreign port");
                    }
                }
                None if is_land(class)
                    && state.land_cost(class, unit.at).is_none()
                    && city.is_none()
                    && !roads =>
                {
                    wrong("on ground that is closed to it");
                }
                None => {}
            }
            let load: u32 = power
                .cargo(*no)
                .filter_map(|n| power.units.get(&n))
                .map(|u| state.row(u).size * u32::from(u.size))
                .sum();
            if load > state.row(unit).carries * u32::from(unit.size) {
                wrong("carries more than it can");
            }
        }
        for general in &power.generals {
            let rules = &state.tables.rules.generals;
            let there = match general.billet {
                None => true,
                Some(Billet::Unit(no)) => power.units.contains_key(&no),
                Some(Billet::City(no)) => power.cities.contains_key(&no),
            };
            if !there || general.skill > rules.skill_max || general.gained > rules.gain_max_a_turn {
                faults.push(format!("seat {seat}: a general out of place or out of range"));
            }
        }
    }
}

fn cities(state: &State, faults: &mut Vec<String>) {
    let mut holders = vec![0u32; state.world.cities.len()];
    for power in &state.powers {
        for (number, city) in &power.cities {
            let i = usize::from(*number) - 1;
            holders[i] += 1;
            let control = state.control[usize::from(city.at.0)];
            if control != power.seat || city.at != state.world.cities[i] {
                faults.push(format!("city {number}: held by {}, sector by {control}", power.seat));
            }
            if city.level > state.tables.rules.economy.level_max {
                faults.push(format!("city {number}: level {}", city.level));
            }
        }
    }
    for (i, n) in holders.iter().enumerate() {
        // Cities are numbered by u16.
        if *n == u32::from(!state.razed.contains(&(i as u16 + 1))) {
            continue;
        }
        faults.push(format!("city {}: {n} holders", i + 1));
    }
    let wet = state.grid().places().filter(|p| state.world.is_sea(*p));
    for place in wet.filter(|p| state.control[usize::from(p.0)] != NOBODY) {
        faults.push(format!("sea sector {} has an owner", place.0));
    }
}

/// Decks belong to ships and hold no more than they can; the numbers of airbases are above those of
/// the cities, and no two are the same; nobody holds a sector with radiation.
fn bases(state: &State, faults: &mut Vec<String>) {
    let mut numbers = BTreeSet::new();
    for power in &state.powers {
        let seat = power.seat;
        for (no, deck) in &power.decks {
            let fits = power.units.get(no).is_some_and(|unit| {
                let row = state.row(unit);
                let tubes = u16::from(row.tubes) * unit.size;
                let needed = deck.planes.places();
                needed <= row.places * u32::from(unit.size)
                    && deck.missiles.max(deck.warheads) <= tubes
            });
            if !fits {
                let base = BaseNo::Ship(*no);
                faults.push(format!("seat {seat}: {base} holds more than it can"));
            }
        }
        let ships = power.units.iter().filter(|(_, u)| {
            let row = state.row(u);
            row.places + u32::from(row.tubes) > 0
        });
        for (no, _) in ships.filter(|(no, _)| !power.decks.contains_key(no)) {
            faults.push(format!("seat {seat}, unit {no}: without its deck"));
        }
        for (no, base) in &power.airbases {
            let city = usize::from(*no) <= state.world.cities.len();
            if city || !numbers.insert(*no) || state.world.is_sea(base.at) {
                faults.push(format!("seat {seat}: airbase {no} out of place"));
            }
        }
        for (no, unit) in power.units.iter().filter(|(_, u)| state.is_hot(u.at)) {
            if is_land(state.row(unit).class) && unit.aboard.is_none() {
                faults.push(format!("seat {seat}, unit {no}: in radiation"));
            }
        }
    }
    let hot = state.fallout.keys().filter(|p| state.is_hot(**p));
    for place in hot.filter(|p| state.control[usize::from(p.0)] != NOBODY) {
        faults.push(format!("sector {}: radiation has an owner", place.0));
    }
}

fn politics(state: &State, faults: &mut Vec<String>) {
    for power in &state.powers[1..] {
        if power.allies.len() > state.tables.rules.alliance.allies_max {
            faults.push(format!("seat {}: too many allies", power.seat));
        }
        let member = |c: &&super::state::Coalition| c.members.contains(&power.seat);
        if state.coalitions.iter().filter(member).count() > 1 {
            faults.push(format!("seat {}: in two coalitions", power.seat));
        }
        let partners = state.coalition_of(power.seat).into_iter().flatten();
        for other in partners.filter(|o| **o != power.seat && !power.allies.contains(o)) {
            faults.push(format!("seat {}: member {other} is no ally", power.seat));
        }
    }
}

/// No PP come from nothing: the ledger of the turn adds up, and starts and ends with the stock.
fn ledger(old: &Power, new: &Power, heard: &[&Event], faults: &mut Vec<String>) {
    let found: i64 = heard
        .iter()
        .map(|e| match e {
            Event::Dug { find: Find::Pp(n), .. } => n * 100,
            _ => 0,
        })
        .sum();
    let income: i64 = heard
        .iter()
        .map(|e| match e {
            Event::Income { cities, sectors } => cities + sectors,
            _ => 0,
        })
        .sum();
    let told = heard.iter().find_map(|e| match e {
        Event::Ledger { opening, bill, found, closing } => Some((opening, bill, found, closing)),
        _ => None,
    });
    let Some((opening, bill, told_found, closing)) = told else {
        faults.push(format!("seat {}: no ledger", new.seat));
        return;
    };
    let paid = bill.construction + bill.research + bill.spying + bill.counter_spying;
    let adds_up = *closing == opening - paid + found + income && *told_found == found;
    if !adds_up || *opening != old.stock || *closing != new.stock || new.stock < 0 {
        faults.push(format!("seat {}: the ledger does not add up", new.seat));
    }
}

/// Every regiment, ship and plane that is gone was lost in an event that its owner received, and
/// none came from nowhere.
fn losses(state: &State, (old, new): (&Power, &Power), heard: &[&Event], faults: &mut Vec<String>) {
    let mut expected: BTreeMap<u8, i64> = regiments(old);
    let mut stored = stock(old);
    let mut base_fell = false;
    let seat = new.seat;
    for event in heard {
        let mut side = |report: &SideReport| {
            for loss in report.losses.iter().filter(|_| report.seat == seat) {
                *expected.entry(loss.kind).or_default() -= i64::from(loss.before - loss.after);
            }
        };
        match event {
            Event::Battle { attacker, defender, .. } => {
                side(attacker);
                side(defender);
            }
            Event::CityAssault { attacker, .. } => side(attacker),
            Event::AirStrike(strike) => {
                side(&strike.losses);
                if strike.by == seat {
                    change(&mut stored, strike.lost, (0, 0), -1);
                }
                if strike.defender.unwrap_or(strike.target) == seat {
                    change(&mut stored, strike.downed, (0, 0), -1);
                }
            }
            Event::Salvo(salvo) => {
                side(&salvo.losses);
                if salvo.by == seat {
                    let warheads = if salvo.atomic { salvo.fired } else { 0 };
                    change(&mut stored, Planes::default(), (salvo.fired, warheads), -1);
                }
                if salvo.target == Some(seat) {
                    change(&mut stored, salvo.planes, (0, 0), -1);
                }
            }
            Event::Wrecked { planes, missiles, .. } => change(&mut stored, *planes, *missiles, -1),
            Event::Lost { kind, size, .. } | Event::Drowned { kind, size, .. } => {
                *expected.entry(*kind).or_default() -= i64::from(*size);
            }
            Event::Built { kind, .. } => *expected.entry(*kind).or_default() += 1,
            Event::PlaneBuilt { kind, .. } => {
                change(&mut stored, Planes::of(*kind, 1), (0, 0), 1);
            }
            Event::ArmsBuilt { kind: MISSILE, .. } => {
                change(&mut stored, Planes::default(), (1, 0), 1);
            }
            Event::ArmsBuilt { kind: WARHEAD, .. } => {
                change(&mut stored, Planes::default(), (0, 1), 1);
            }
            Event::CityTaken { by, planes, missiles, .. }
            | Event::BaseTaken { by, planes, missiles, .. }
                if *by == seat =>
            {
                change(&mut stored, *planes, *missiles, 1);
            }
            Event::BaseLost { to: None, planes, .. } => change(&mut stored, *planes, (0, 0), -1),
            Event::CityTaken { .. } | Event::BaseTaken { .. } | Event::Rebelled { .. } => {
                base_fell = true;
            }
            _ => {}
        }
    }
    explained(state, new, (expected, stored, base_fell), faults);
}

/// Whether a power has exactly the regiments and stocks that the events explain; where a base fell,
/// its stocks may be smaller.
fn explained(
    state: &State,
    new: &Power,
    (expected, stored, base_fell): (BTreeMap<u8, i64>, [i64; 5], bool),
    faults: &mut Vec<String>,
) {
    let seat = new.seat;
    let now = regiments(new);
    for (kind, expected) in expected {
        let have = now.get(&kind).copied().unwrap_or(0);
        if have != expected {
            let name = &state.tables.row(kind).name;
            faults.push(format!("seat {seat}: {have} {name}, {expected} are explained"));
        }
    }
    let have = stock(new);
    let explained = match base_fell {
        true => have.iter().zip(stored).all(|(have, told)| *have <= told),
        false => have == stored,
    };
    if !explained {
        faults.push(format!(
            "seat {seat}: fighters, jets, bombers, missiles, warheads {have:?}, {stored:?} are \
             explained"
        ));
    }
}

/// Fighters, jets, bombers, missiles and warheads at all bases of a power.
fn stock(power: &Power) -> [i64; 5] {
    let mut sum = [0; 5];
    for (.., hangar) in power.bases() {
        change(&mut sum, hangar.planes, (hangar.missiles, hangar.warheads), 1);
    }
    sum
}

fn change(stored: &mut [i64; 5], planes: Planes, (missiles, warheads): (u16, u16), sign: i64) {
    let all = [planes.fighters, planes.jets, planes.bombers, missiles, warheads];
    stored.iter_mut().zip(all).for_each(|(sum, n)| *sum += sign * i64::from(n));
}

fn regiments(power: &Power) -> BTreeMap<u8, i64> {
    let mut found = BTreeMap::new();
    for unit in power.units.values() {
        *found.entry(unit.kind).or_default() += i64::from(unit.size);
    }
    found
}

/// Cities come and go by conquest and rebellion only.
fn holdings(old: &Power, new: &Power, heard: &[&Event], faults: &mut Vec<String>) {
    let mut expected = old.cities.len() as i64;
    for event in heard {
        match event {
            Event::CityTaken { by, .. } if *by == new.seat => expected += 1,
            Event::CityTaken { .. } | Event::Rebelled { .. } | Event::CityRazed { .. } => {
                expected -= 1;
            }
            _ => {}
        }
    }
    if expected != new.cities.len() as i64 {
        faults.push(format!(
            "seat {}: {} cities, {expected} explained",
            new.seat,
            new.cities.len()
        ));
    }
}

/// Nothing is delivered that was not paid for.
fn production(
    state: &State,
    (old, new): (&Power, &Power),
    heard: &[&Event],
    faults: &mut Vec<String>,
) {
    let in_work = |power: &Power| -> i64 {
        let centres = power.cities.values().flat_map(|c| c.centres);
        centres.map(|c| if let Centre::Working { spent, .. } = c { spent } else { 0 }).sum()
    };
    let mut delivered = 0;
    let mut paid = in_work(old);
    for event in heard {
        match event {
            Event::Built { kind, .. }
            | Event::PlaneBuilt { kind, .. }
            | Event::ArmsBuilt { kind, .. } => {
                delivered += state.tables.row(*kind).pp * 100;
            }
            Event::Ledger { bill, .. } => paid += bill.construction,
            _ => {}
        }
    }
    if in_work(new) + delivered > paid {
        faults.push(format!("seat {}: {delivered} delivered of {paid} paid", new.seat));
    }
}

/// An order is refused in the turn exactly when the echo called it an error.
fn echo(before: Moment, card: &CardText, heard: &[&Event], seat: u8, faults: &mut Vec<String>) {
    let view = View::of(before.0, before.1, seat);
    let judged = judge::judge(&view, card);
    let results = heard.iter().filter_map(|e| match e {
        Event::Line { line, mark, .. } => Some((*line, engine::Mark::of(*mark))),
        _ => None,
    });
    let results: BTreeMap<u32, Mark> = results.collect();
    for line in &judged.lines {
        let result = results.get(&line.line).copied();
        let refused = |m: Mark| m == Mark::Error;
        if result.map(refused) != Some(refused(line.mark)) {
            let text = &line.text;
            faults.push(format!("seat {seat}: {text:?} echoed {:?}, came {result:?}", line.mark));
        }
    }
}

/// Lines of supply follow the rule: all own sectors that are connected with a city, and no others.
fn supply(state: &State, seat: u8, faults: &mut Vec<String>) {
    let fed = supplied(state, seat);
    let grid = state.grid();
    // Labels spread until nothing changes: slow, but independent of the method of the engine.
    let mut label: Vec<bool> = vec![false; grid.len()];
    power(state, seat).cities.values().for_each(|c| label[usize::from(c.at.0)] = true);
    loop {
        let mut grew = false;
        for place in grid.places() {
            let i = usize::from(place.0);
            if !label[i] && state.control[i] == seat {
                let near = grid.neighbours(place).any(|(_, p)| label[usize::from(p.0)]);
                label[i] = near;
                grew |= near;
            }
        }
        if !grew {
            break;
        }
    }
    if label != fed {
        faults.push(format!("seat {seat}: lines of supply are not those of the rule"));
    }
}

/// A seat's printout and echo stay the same when everything that it can't know
/// is changed.
fn secrecy(after: Moment, seat: u8, faults: &mut Vec<String>) {
    let (state, events) = after;
    if power(state, seat).fell.is_some() || state.over.is_some() {
        return;
    }
    let altered = altered(state, seat);
    let (one, two) = (View::of(state, events, seat), View::of(&altered, events, seat));
    let card = CardText::new("A 1 2\nI 1 2\nC 1 1\nO 1 10010\nB 3 10010\nJ 2\nK 5 1");
    let same = Warlord::report(&one, "") == Warlord::report(&two, "")
        && judge::judge(&one, &card) == judge::judge(&two, &card);
    if !same {
        faults.push(format!("seat {seat}: its view tells what it can't know"));
    }
}

/// A game that looks the same to one seat but differs in all that this seat can't see.
pub fn altered(state: &State, seat: u8) -> State {
    let mut other = state.clone();
    let viewer = power(state, seat);
    let seen = state.sight_of(viewer);
    let unseen = |at: Place| !seen[usize::from(at.0)];
    for power in other.powers.iter_mut().filter(|p| p.seat != seat) {
        power.stock += 7_777;
        power.research += 555;
        power.tech += 1;
        power.counter_spying += 1;
        power.generals.iter_mut().for_each(|g| g.skill = (g.skill + 1) % 100);
        for city in power.cities.values_mut() {
            city.hangar.planes.fighters += 3;
            city.hangar.missiles += 1;
            city.hangar.watch += 1;
            city.centres = [Centre::Ready(1); 3];
            if unseen(city.at) {
                city.level = (city.level + 1) % 9;
            }
        }
        let shown = |u: &super::state::Unit| !unseen(u.at) && state.makes_out(viewer, u);
        let hidden = |(_, u): &(&u16, &super::state::Unit)| !shown(u);
        let hidden: Vec<u16> = power.units.iter().filter(hidden).map(|(n, _)| *n).collect();
        for (i, no) in hidden.into_iter().enumerate() {
            match (i % 2, power.units.get_mut(&no)) {
                (0, Some(unit)) => unit.size = unit.size % 45 + 1,
                _ => drop(power.units.remove(&no)),
            }
        }
    }
    for (i, holder) in other.control.iter_mut().enumerate() {
        let foreign = *holder != seat && *holder != NOBODY;
        if foreign && !seen[i] {
            *holder = NOBODY;
        }
    }
    other.ruin_finds.iter_mut().for_each(|n| *n = (*n + 1) % 4);
    turn_over(&mut other, |p| !viewer.has_explored(p));
    other
}

/// The numbers of a turn.
pub fn tally(state: &State, events: &[Happening]) -> Tally {
    let standing = |p: &Power| Standing {
        seat: Seat(p.seat),
        plays: p.fell.is_none() && !state.is_dropped(p),
        points: p.rating.total(),
        places: p.cities.len() as u32,
    };
    let count =
        |wanted: fn(&Event) -> bool| events.iter().filter(|h| wanted(&h.event)).count() as i64;
    let sum = |of: &dyn Fn(&Power) -> i64| state.powers[1..].iter().map(of).sum::<i64>();
    let ship = |k: u8| state.tables.row(k).class == Class::Ship;
    let regiments = |p: &Power, ships: bool| {
        let of = p.units.values().filter(|u| ship(u.kind) == ships);
        of.map(|u| i64::from(u.size)).sum::<i64>()
    };
    let events = vec![
        ("battles", count(|e| matches!(e, Event::Battle { .. }))),
        ("taken", count(|e| matches!(e, Event::CityTaken { .. }))),
        ("from players", count(|e| matches!(e, Event::CityTaken { from, .. } if *from != NOBODY))),
        ("assaults", count(|e| matches!(e, Event::CityAssault { .. }))),
        ("air strikes", count(|e| matches!(e, Event::AirStrike(_)))),
        (
            "finds",
            count(|e| {
                matches!(e, Event::Dug { find: Find::Pp(_) | Find::Points(_) | Find::Plans(_), .. })
            }),
        ),
        ("spy reports", count(|e| matches!(e, Event::SpyReport { .. }))),
        ("messages", count(|e| matches!(e, Event::Message { .. }))),
        ("landings", count(|e| matches!(e, Event::Landed { .. }))),
        ("paratroops", count(|e| matches!(e, Event::Dropped { .. }))),
        ("works", count(|e| matches!(e, Event::Worked { .. }))),
        ("warheads", count(|e| matches!(e, Event::Salvo(s) if s.atomic))),
    ];
    let seats = 1..=state.seats();
    let fed = seats.flat_map(|seat| supplied(state, seat)).filter(|fed| *fed).count() as i64;
    let idle_centres = |p: &Power| {
        let centres = p.cities.values().flat_map(|c| &c.centres);
        centres.filter(|c| **c == Centre::Idle).count() as i64
    };
    let in_cities = |p: &Power| {
        let inside = p.units.values().filter(|u| p.city_at(u.at).is_some() && !ship(u.kind));
        inside.map(|u| i64::from(u.size)).sum::<i64>()
    };
    let generals_out = |p: &Power| {
        let out = |g: &&super::state::General| matches!(g.billet, Some(Billet::Unit(_)));
        p.generals.iter().filter(out).count() as i64
    };
    let levels = vec![
        ("income", sum(&|p| p.income) / 100),
        ("regiments", sum(&|p| regiments(p, false))),
        ("ships", sum(&|p| regiments(p, true))),
        ("contacts", sum(&|p| p.met.len() as i64)),
        ("tech levels", sum(&|p| i64::from(p.tech))),
        ("allies", sum(&|p| p.allies.len() as i64)),
        ("coalitions", state.coalitions.len() as i64),
        ("sectors", state.control.iter().filter(|c| **c != NOBODY).count() as i64),
        ("in supply", fed),
        ("stock", sum(&|p| p.stock) / 100),
        ("idle centres", sum(&idle_centres)),
        ("in cities", sum(&in_cities)),
        ("generals out", sum(&generals_out)),
    ];
    Tally {
        seats: state.powers[1..].iter().map(standing).collect(),
        events,
        levels,
        order: Vec::new(),
    }
}

/// Rating, cities and income of all seats over the turns.
pub fn charts(state: &State) -> Vec<Chart> {
    let chart = |title, of: fn(&(u16, i64, i64)) -> i64| {
        let series = |p: &Power| Series {
            who: Who::Seat(Seat(p.seat)),
            tint: None,
            values: p.history.iter().map(of).collect(),
        };
        Chart {
            title: Cow::Borrowed(title),
            series: state.powers[1..].iter().map(series).collect(),
        }
    };
    vec![
        chart("Rating", |h| h.1),
        chart("Cities", |h| i64::from(h.0)),
        chart("Income in PP", |h| h.2 / 100),
    ]
}
