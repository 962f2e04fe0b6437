//! Steps 6a to 6c and 11: popularity, revolutions, control, the end (§12, §18).

use std::collections::{BTreeMap, BTreeSet};

use super::super::diary::{Cause, Entry};
use super::super::map::SpaceId;
use super::super::points;
use super::super::state::{Mark, NOBODY, Player, Stance};
use super::super::variants::Ending;
use super::{Event, Field, economy, key};

/// Step 6a: home popularity of occupied countries, popularity in minors.
pub fn popularity(field: &mut Field) {
    let opinion = opinion(field);
    let countries: Vec<SpaceId> = field.tables.map.countries().collect();
    for space in countries {
        // A conqueror begins with new popularity; earlier changes do not count for them.
        if field.captures.get(&space).is_some_and(|c| !c.recaptured) {
            continue;
        }
        match field.state.country(space).owner {
            NOBODY => minor(field, space),
            owner => {
                let mut by = occupied(field, space, owner);
                by.push((Cause::World, opinion.get(&owner).copied().unwrap_or(0)));
                let before = field.state.country(space).hpi;
                let after = before + by.iter().map(|(_, n)| n).sum::<i64>();
                field.state.country_mut(space).hpi = after;
                note_popularity(field, owner, space, (before, after), by);
            }
        }
    }
}

fn note_popularity(
    field: &mut Field,
    seat: u8,
    at: SpaceId,
    (before, after): (i64, i64),
    mut by: Vec<(Cause, i64)>,
) {
    by.retain(|(_, n)| *n != 0);
    if !by.is_empty() {
        let home = field.state.country(at).owner == seat;
        field.note(seat, Entry::Popularity { at, home, before, after, by });
    }
}

/// The changes of home popularity except those by world opinion.
fn occupied(field: &mut Field, space: SpaceId, owner: u8) -> Vec<(Cause, i64)> {
    let figures = field.tables.figures.popularity.clone();
    let deeds = field.esteem.iter().filter(|((at, _), _)| *at == space);
    let mut by: Vec<(Cause, i64)> = deeds.map(|((_, cause), n)| (*cause, *n)).collect();
    let (mut own, mut foreign) = (0, 0);
    for (payer, dollars) in propaganda_in(field, space) {
        let scale =
            if payer == owner { figures.own_propaganda } else { figures.foreign_propaganda };
        let root = economy::root_milli(dollars * scale);
        // Place: the country, the payer.
        let dice = field.dice.at([key(space), payer.into()]);
        let moved = dice.round("propaganda", root, 1000);
        match payer == owner {
            true => own += moved,
            false => foreign -= moved,
        }
    }
    by.extend([(Cause::Propaganda, own), (Cause::Foreign, foreign)]);
    by
}

fn propaganda_in(field: &Field, space: SpaceId) -> Vec<(u8, i64)> {
    let here = field.propaganda.range((space, 0)..=(space, u8::MAX));
    here.map(|((_, by), dollars)| (*by, *dollars)).collect()
}

/// Applies decay, propaganda, gifts and losses; then an attacker's popularity falls to 0.
fn minor(field: &mut Field, space: SpaceId) {
    let decay = field.tables.figures.popularity.decay_percent;
    let before = field.state.country(space).popularity.clone();
    let mut indices = before.clone();
    let mut causes: BTreeMap<u8, Vec<(Cause, i64)>> = BTreeMap::new();
    let mut because = |by: u8, cause, n| causes.entry(by).or_default().push((cause, n));
    for (by, index) in indices.iter_mut().filter(|(_, v)| **v > 0) {
        // Place: the country, the player.
        let dice = field.dice.at([key(space), (*by).into()]);
        let fades = dice.round("decay", *index * decay, 100);
        *index -= fades;
        because(*by, Cause::Fading, -fades);
    }
    for (by, dollars) in propaganda_in(field, space) {
        *indices.entry(by).or_default() += dollars;
        because(by, Cause::Propaganda, dollars);
    }
    let deeds = (space, 0, Cause::Fading)..=(space, u8::MAX, Cause::Attack);
    for ((_, by, cause), change) in field.favour.range(deeds) {
        *indices.entry(*by).or_default() += change;
        because(*by, *cause, *change);
    }
    for (_, by) in field.attacked.range((space, 0)..=(space, u8::MAX)) {
        if let Some(index) = indices.get_mut(by) {
            because(*by, Cause::Attack, (*index).min(0) - *index);
            *index = (*index).min(0);
        }
    }
    indices.retain(|_, v| *v != 0);
    for (seat, by) in causes {
        let of = |indices: &BTreeMap<u8, i64>| indices.get(&seat).copied().unwrap_or(0);
        note_popularity(field, seat, space, (of(&before), of(&indices)), by);
    }
    field.state.country_mut(space).popularity = indices;
}

/// What the lists of all players add to home popularity, by player (§20.3).
pub fn opinion(field: &Field) -> BTreeMap<u8, i64> {
    let mut net = BTreeMap::new();
    for player in &field.state.players {
        for (place, (good, bad)) in (1i64..).zip(player.good.iter().zip(&player.bad)) {
            *net.entry(*good).or_default() += place;
            *net.entry(*bad).or_default() -= place;
        }
    }
    net.remove(&NOBODY);
    net
}

/// Step 6b: revolutions.
pub fn revolutions(field: &mut Field) {
    let countries: Vec<SpaceId> = field.tables.map.countries().collect();
    for space in countries {
        let country = field.state.country_mut(space);
        if country.owner == NOBODY || country.hpi > 0 {
            continue;
        }
        let was = std::mem::replace(&mut country.owner, NOBODY);
        country.hpi = 0;
        country.popularity.clear();
        // A former owner does not get back a conquered country by this: their ships and planes
        // still leave in step 7.
        field.events.push(Event::Revolution { at: space, was });
    }
}

/// Step 6c: deletes standing orders of countries that another player took. A tie in popularity only
/// suspends those of a minor.
pub fn control(field: &mut Field) {
    let revised = field.state.revised;
    let before = field.holders.iter().zip(&field.owners);
    for (country, (holder, owner)) in field.state.countries.iter_mut().zip(before) {
        let now = country.holder();
        let lost = match revised {
            true if now == NOBODY => *owner != NOBODY,
            true => now != country.standing_by,
            false => now != *holder,
        };
        if lost {
            country.standing = Default::default();
            country.standing_by = NOBODY;
        }
    }
}

/// Step 11: players who are out, values of the turn, the end of the game.
pub fn ending(field: &mut Field) {
    let turn = field.state.turn;
    for seat in field.seats() {
        let owns = field.state.occupied(seat).next().is_some();
        let controls = field.state.countries.iter().any(|c| c.holder() == seat);
        let sails = !super::seas_of(&field.state, seat).is_empty();
        let player = field.state.player_mut(seat);
        if owns {
            player.last_land = turn;
        }
        if !owns && !controls && !sails && player.out.is_none() {
            player.out = Some(turn);
            field.events.push(Event::Out { seat });
        }
    }
    let marks = field.seats().map(|seat| Mark {
        // A map has fewer countries than a `u16` can count.
        countries: field.state.occupied(seat).count() as u16,
        industry: field.state.industry_of(seat),
        cents: field.state.player(seat).cents,
    });
    let marks = marks.collect();
    field.state.history.push(marks);
    if over(field) {
        field.state.over = Some(points::end(&field.state));
        field.events.push(Event::Over);
    }
}

fn over(field: &mut Field) -> bool {
    let state = &field.state;
    let owners: BTreeSet<u8> =
        state.countries.iter().map(|c| c.owner).filter(|o| *o != NOBODY).collect();
    if owners.len() <= 1 {
        return true;
    }
    match state.tables.variant.ending {
        Ending::Last => false,
        Ending::Allies => {
            let left: Vec<_> =
                state.players.iter().filter(|p| p.out.is_none() && !p.dropped).collect();
            let all = |p: &&Player| {
                left.iter().all(|q| q.seat == p.seat || p.stance(q.seat) == Stance::Ally)
            };
            left.iter().all(all)
        }
        Ending::Points => {
            let length = &state.tables.figures.length;
            let (printout, percent) = (length.printout, length.chance_percent);
            let exact = state.tables.exact_length;
            // The printout of this turn has the number of the next turn.
            let dice = field.dice.at([]);
            state.turn + 1 >= printout && (exact || dice.below("length", 100) < percent)
        }
    }
}
