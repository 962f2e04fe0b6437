//! Delivery, income by lines of supply, control by neighbours, ratings (§6, §10).

use super::super::bases::Planes;
use super::super::events::Event;
use super::super::state::{
    BOMBER, Centre, FIGHTER, JET, LEVEL, MISSILE, NOBODY, SHIELD, State, WARHEAD,
};
use super::Field;
use engine::geometry::{Grid, Place};
use engine::graph::{Areas, reached};

/// Step 8: finished work arrives; the centre is ready to build the same again.
pub fn deliver(field: &mut Field) {
    let tables = field.state.tables.clone();
    // Rebels also build.
    for seat in NOBODY..=field.state.seats() {
        let cities: Vec<u16> =
            field.state.powers[usize::from(seat)].cities.keys().copied().collect();
        for number in cities {
            for centre in 0..3 {
                let power = &mut field.state.powers[usize::from(seat)];
                let Some(city) = power.cities.get_mut(&number) else { continue };
                let Centre::Working { item, left, spent } = city.centres[centre] else { continue };
                if left > 1 {
                    city.centres[centre] = Centre::Working { item, left: left - 1, spent };
                    continue;
                }
                city.centres[centre] = Centre::Ready(item);
                let event = match item {
                    LEVEL => {
                        city.level = (city.level + 1).min(tables.rules.economy.level_max);
                        // Walls are built once; only units are built in series [ours].
                        city.centres[centre] = Centre::Idle;
                        Event::LevelsBuilt { city: number, level: city.level }
                    }
                    FIGHTER | BOMBER | JET => {
                        city.hangar.planes += Planes::of(item, 1);
                        Event::PlaneBuilt { city: number, kind: item }
                    }
                    MISSILE | WARHEAD => {
                        let stock = match item {
                            MISSILE => &mut city.hangar.missiles,
                            _ => &mut city.hangar.warheads,
                        };
                        *stock += 1;
                        Event::ArmsBuilt { city: number, kind: item }
                    }
                    SHIELD => {
                        city.shield = true;
                        // A city has only one.
                        city.centres[centre] = Centre::Idle;
                        Event::ArmsBuilt { city: number, kind: item }
                    }
                    _ => {
                        let at = city.at;
                        let unit = power.join_or_form(&tables, item, at, 1);
                        Event::Built { city: number, kind: item, unit }
                    }
                };
                field.record(&[seat], event);
            }
        }
    }
}

/// A flag for each sector, set if a chain of own sectors connects it with a city of the seat.
pub fn supplied(state: &State, seat: u8) -> Vec<bool> {
    let grid = state.grid();
    let cities = state.powers[usize::from(seat)].cities.values().map(|c| c.at);
    let own = |_, next: Place| state.control[usize::from(next.0)] == seat;
    reached(grid.len(), cities, |p| grid.near(p), own)
}

/// Number of regions: groups of supplied sectors that do not touch; `fed` are those of a seat
/// ([`supplied`]).
pub fn regions(grid: Grid, fed: &[bool]) -> usize {
    let in_supply = |p: Place| fed[usize::from(p.0)];
    let places = grid.places().filter(|p| in_supply(*p));
    Areas::of(grid.len(), places, |p| grid.near(p), in_supply).count()
}

/// Adds the income of the turn, which can be spent in the next one.
pub fn income(field: &mut Field) {
    let earned = earnings(&field.state);
    for seat in 1..=field.state.seats() {
        let i = usize::from(seat);
        let (cities, sectors) = earned[i];
        let power = &mut field.state.powers[i];
        power.stock += cities + sectors;
        power.income = cities + sectors;
        power.sector_income = sectors;
        let closing = power.stock;
        field.record(&[seat], Event::Income { cities, sectors });
        let (opening, bill, found) = (field.opening[i], field.papers[i].bill, field.found[i]);
        field.record(&[seat], Event::Ledger { opening, bill, found, closing });
    }
    // Rebels have only the income of their cities.
    let rebels = &mut field.state.powers[usize::from(NOBODY)];
    let cities = rebels.cities.values().filter(|c| c.rebel);
    rebels.stock += cities.map(|c| i64::from(c.income) * 100).sum::<i64>();
}

/// The income of each power from cities and from sectors in supply, in hundredths of PP; one walk
/// over the map serves all.
pub fn earnings(state: &State) -> Vec<(i64, i64)> {
    let grid = state.grid();
    let cities = state.powers.iter().skip(1).flat_map(|p| p.cities.values());
    let cities: Vec<Place> = cities.map(|c| c.at).collect();
    let mut earned = vec![(0, 0); state.powers.len()];
    for (power, earned) in state.powers.iter().zip(&mut earned).skip(1) {
        earned.0 = power.cities.values().map(|c| i64::from(c.income) * 100).sum();
    }
    // A city's own sector pays only through the city.
    let enter = |at: Place, next: Place| {
        let holder = state.control[usize::from(next.0)];
        let same = holder == state.control[usize::from(at.0)];
        if same {
            let pays = state.tables.ground(state.world.ground(next)).income;
            earned[usize::from(holder)].1 += pays;
        }
        same
    };
    reached(grid.len(), cities, |p| grid.near(p), enter);
    earned
}

/// Gives uncontrolled land with enough neighbours of one seat to that seat, for all sectors at
/// once, by the map as it was before (§3).
pub fn claim_surrounded(field: &mut Field) {
    let state = &field.state;
    let need = state.tables.rules.economy.claim_neighbours;
    let mut gains: Vec<(Place, u8)> = Vec::new();
    for place in state.grid().places() {
        let free = state.control[usize::from(place.0)] == 0;
        let closed = state.world.is_sea(place) || state.is_hot(place);
        if !free || closed || field.city_in(place).is_some() {
            continue;
        }
        let near = state.grid().neighbours(place);
        let holders = near.map(|(_, p)| state.control[usize::from(p.0)]).filter(|h| *h != 0);
        // A square has eight neighbours at most.
        let mut found = [(0u8, 0usize); 8];
        for holder in holders {
            if let Some(entry) = found.iter_mut().find(|e| e.0 == holder || e.0 == 0) {
                *entry = (holder, entry.1 + 1);
            }
        }
        gains.extend(found.iter().find(|e| e.1 >= need).map(|e| (place, e.0)));
    }
    for seat in 1..=field.state.seats() {
        let sectors = gains.iter().filter(|(_, s)| *s == seat).count();
        if sectors > 0 {
            // A map has fewer sectors than u16 holds.
            field.record(&[seat], Event::Claimed { sectors: sectors as u16 });
        }
    }
    for (place, seat) in gains {
        field.state.control[usize::from(place.0)] = seat;
        field.state.powers[usize::from(seat)].explore(place);
    }
}

/// The ratings that the printouts compare.
pub fn ratings(field: &mut Field) {
    rate_all(&mut field.state);
    for power in &mut field.state.powers[1..] {
        // Cities are numbered by u16.
        let cities = power.cities.len() as u16;
        power.history.push((cities, power.rating.total(), power.income));
    }
}

/// Rates every seat; a new game's income is what the next turn will bring.
pub fn rate_all(state: &mut State) {
    let earned = if state.turn == 1 { earnings(state) } else { Vec::new() };
    for seat in 1..state.powers.len() {
        if let Some((cities, sectors)) = earned.get(seat)
            && state.powers[seat].income == 0
        {
            state.powers[seat].income = cities + sectors;
        }
        let rating = state.rate(&state.powers[seat]);
        state.powers[seat].rating = rating;
    }
}
