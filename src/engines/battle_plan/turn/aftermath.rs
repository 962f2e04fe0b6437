//! Steps 5, 6 and 7: the way home, counter-attacks, evacuation (§10.9).

use super::super::diary::{Cause, Entry};
use super::super::map::SpaceId;
use super::super::state::{Forces, NOBODY, Stance};
use super::super::verbs::Arm;
use super::land::loss;
use super::{Capture, Count, Counter, Event, Field, Support, key, put_to_sea};

/// Step 5: survivors come home, or find that their home was taken.
pub fn return_home(field: &mut Field) {
    for Support { from, owner, forces, .. } in std::mem::take(&mut field.homeward) {
        let Some(capture) = field.captures.get_mut(&from) else {
            let home = field.state.country_mut(from);
            home.army += forces.army;
            home.navy += forces.navy;
            home.air += forces.air;
            continue;
        };
        capture.returning += forces.army;
        if capture.old.owner == NOBODY {
            // Ships and planes of a conquered minor fall to the conqueror, as those at home did.
            let home = field.state.country_mut(from);
            home.navy += forces.navy;
            home.air_down += forces.air;
        } else {
            debug_assert_eq!(capture.old.owner, owner);
            capture.fleeing.0 += forces.navy;
            capture.fleeing.1 += forces.air;
        }
    }
}

/// Step 6: armies that find their home conquered attack the conqueror.
pub fn counter_attacks(field: &mut Field) {
    let places: Vec<SpaceId> = field.captures.keys().copied().collect();
    for at in places {
        let Some(capture) = field.captures.get(&at).cloned() else { continue };
        let sent = capture.returning;
        if sent <= 0 {
            continue;
        }
        // Place of the rolls: the country, and 1 because the battle is over.
        let place = [key(at), 1];
        let dice = field.dice.at(place);
        let hits = capture.saved_hits + dice.heads("spare planes", capture.spare_air);
        let returning = sent - hits.min(sent);
        let defending = field.state.country(at).army;
        let trusted = capture.old.owner != NOBODY
            && field.state.player(capture.by).stance(capture.old.owner) == Stance::Ally;
        let handicap = field.tables.figures.combat.ally_handicap_percent;
        let (a, d) = (returning * if trusted { handicap } else { 100 }, defending * 100);
        let (left, held) = match a.cmp(&d) {
            std::cmp::Ordering::Greater => {
                (returning - loss(field.dice.at(place), returning, d, a), 0)
            }
            std::cmp::Ordering::Less => {
                (0, defending - loss(field.dice.at(place), defending, a, d))
            }
            std::cmp::Ordering::Equal if defending > 0 => {
                (0, field.dice.at(place).heads("one left", 1))
            }
            std::cmp::Ordering::Equal => (0, 0),
        };
        let recaptured = left > 0;
        field.events.push(Event::Counter(Counter {
            at,
            conqueror: capture.by,
            defending: Count { sent: defending, lost: defending - held },
            owner: capture.old.owner,
            returning: Count { sent, lost: sent - left },
            recaptured,
        }));
        field.lose(Arm::Army, sent - left + defending - held);
        let (came, stood) = (Count { sent, lost: sent - left }, defending - held);
        field.note_fight(capture.old.owner, (at, at), &[(Arm::Army, came)]);
        let stood = Count { sent: defending, lost: stood };
        field.note_fight(capture.by, (at, at), &[(Arm::Army, stood)]);
        mourn_conquerors(field, at, &capture, defending - held);
        let country = field.state.country_mut(at);
        country.army = if recaptured { left } else { held };
        if recaptured {
            country.owner = capture.old.owner;
            country.hpi = capture.old.hpi;
            country.fractions = capture.old.fractions;
            country.popularity.clone_from(&capture.old.popularity);
            if capture.old.owner != NOBODY {
                country.navy += capture.fleeing.0;
                country.air += capture.fleeing.1;
            }
        }
        if let Some(kept) = field.captures.get_mut(&at) {
            kept.recaptured = recaptured;
            if recaptured {
                kept.fleeing = (0, 0);
            }
        }
    }
}

/// Conquerors that fall in step 6 did not survive (§12): each takes back the popularity that it
/// gave its country as a survivor, and costs what any unit lost abroad costs.
fn mourn_conquerors(field: &mut Field, at: SpaceId, capture: &Capture, lost: i64) {
    if !field.state.revised {
        return;
    }
    let pools: Vec<i64> = capture.conquerors.iter().map(|(_, n)| *n).collect();
    // Place of the rolls: the country, and 1 because the battle is over.
    let parts = field.dice.at([key(at), 1]).pick("fallen conquerors", lost, &pools);
    for ((from, _), part) in capture.conquerors.iter().zip(parts) {
        // A sea has no popularity.
        field.please(*from, Cause::Conquerors, -part);
        field.mourn(*from, capture.by, part);
    }
}

/// Step 7: navy and air force leave countries that stay lost.
pub fn evacuate(field: &mut Field) {
    // A seat does not see a sea that its forces reach only in flight (§15).
    for seat in field.seats() {
        for sea in super::seas_of(&field.state, seat) {
            field.see(seat, sea);
        }
    }
    let lost: Vec<(SpaceId, Capture)> = field
        .captures
        .iter()
        .filter(|(_, c)| !c.recaptured)
        .map(|(s, c)| (*s, c.clone()))
        .collect();
    for (at, capture) in lost {
        let (navy, air) = capture.fleeing;
        let owner = capture.old.owner;
        if navy > 0 {
            let map = &field.tables.map;
            let seas: Vec<SpaceId> =
                map.neighbours(at).iter().copied().filter(|s| map.is_sea(*s)).collect();
            let own = |s: &&SpaceId| field.state.sea(**s).get(&owner).is_some_and(|f| f.navy > 0);
            let friendly: Vec<SpaceId> = seas.iter().filter(own).copied().collect();
            let choice = if friendly.is_empty() { &seas } else { &friendly };
            if let Some(sea) = one_of(field, at, choice) {
                put_to_sea(&mut field.state, owner, sea, Forces { navy, ..Forces::default() });
                let (from, to, arm, n) = (at, sea, Arm::Navy, navy);
                field.note(owner, Entry::Moved { from, to, arm, n, fled: true });
            }
        }
        if air > 0 {
            fly_out(field, at, owner, air);
        }
    }
}

/// Moves the air force of a lost country to a country of its owner in range, a neighbour first,
/// otherwise to a sea in range. If there is none, it is captured.
fn fly_out(field: &mut Field, at: SpaceId, owner: u8, air: i64) {
    let map = &field.tables.map;
    let own = |s: &SpaceId| !map.is_sea(*s) && field.state.country(*s).owner == owner;
    let near: Vec<SpaceId> = map.neighbours(at).iter().copied().filter(own).collect();
    let far: Vec<SpaceId> = map.air_range(at).iter().copied().filter(own).collect();
    let close_sea =
        |s: &SpaceId| map.is_sea(*s) && (!field.tables.variant.bombers || map.adjacent(at, *s));
    let seas: Vec<SpaceId> = map.air_range(at).iter().copied().filter(close_sea).collect();
    let choice = [near, far].into_iter().find(|l| !l.is_empty()).unwrap_or_default();
    if let Some(to) = one_of(field, at, &choice) {
        field.state.country_mut(to).air += air;
        field.note(owner, Entry::Moved { from: at, to, arm: Arm::Air, n: air, fled: true });
    } else if let Some(sea) = one_of(field, at, &seas) {
        put_to_sea(&mut field.state, owner, sea, Forces { air, ..Forces::default() });
        field.note(owner, Entry::Moved { from: at, to: sea, arm: Arm::Air, n: air, fled: true });
    } else {
        field.state.country_mut(at).air_down += air;
    }
}

/// The space to which forces of a lost country flee.
fn one_of(field: &mut Field, lost: SpaceId, list: &[SpaceId]) -> Option<SpaceId> {
    match list {
        [] => None,
        [one] => Some(*one),
        several => {
            let sides = several.len() as u32;
            // Place: the lost country.
            Some(several[field.dice.at([key(lost)]).below("evacuation", sides) as usize])
        }
    }
}
