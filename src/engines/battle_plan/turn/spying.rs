//! Step 10: spies are hunted, and each seat's sights are set (§13, §15).

use std::collections::BTreeSet;

use super::super::map::SpaceId;
use super::super::state::NOBODY;
use super::{Event, Field, key};

/// Checks every placed spy, then records what all seats see.
pub fn check(field: &mut Field) {
    let mut all_caught = 0;
    let countries: Vec<SpaceId> = field.tables.map.countries().collect();
    let percent = field.tables.figures.spies.caught_percent;
    for space in countries {
        for (seat, spies) in field.state.country(space).spies.clone() {
            let hunters: i64 = field
                .counterspies
                .iter()
                .filter(|((at, by), _)| *at == space && *by != seat)
                .map(|(_, n)| *n)
                .sum();
            // Limit the counterspies, so that a die has enough faces.
            let hunters = u32::try_from(hunters).unwrap_or(u32::MAX / 200).min(u32::MAX / 200);
            let faces = 100 * (hunters + 1);
            // Place: the country, the owner of the spies.
            let dice = field.dice.at([key(space), seat.into()]);
            let left = (0..spies).filter(|_| dice.below("spy", faces) < 100 - percent);
            let left = left.count() as i64;
            let caught = spies - left;
            if caught > 0 {
                all_caught += caught;
                field.events.push(Event::Caught { player: seat, at: space, spies: caught });
            }
            let placed = &mut field.state.country_mut(space).spies;
            if left > 0 {
                placed.insert(seat, left);
            } else {
                placed.remove(&seat);
            }
        }
    }
    field.events.push(Event::SpyFlow {
        trained: 0,
        caught: all_caught * 100,
        counterspies_trained: 0,
        counterspies_used: 0,
    });
    let sights = std::mem::take(&mut field.sights);
    field.state.look_around(&sights);
    watch(field);
}

/// Records the battles that each seat saw with all numbers: those in a country that it held or
/// holds or where it still has a spy, and those where its army or air force attacked or any of its
/// forces helped.
fn watch(field: &mut Field) {
    let mut watched = vec![BTreeSet::new(); field.state.players.len()];
    for event in &field.events {
        let Event::Clash(clash) = event else { continue };
        let mut seats: BTreeSet<u8> = clash.supporters.clone();
        seats.insert(clash.holder);
        let country = field.state.country(clash.at);
        seats.insert(country.holder());
        seats.extend(country.spies.keys());
        let fought = clash.attackers.iter().filter(|s| s.army.sent > 0 || s.air.sent > 0);
        seats.extend(fought.map(|s| s.owner));
        for seat in seats.into_iter().filter(|s| *s != NOBODY) {
            watched[usize::from(seat) - 1].insert(clash.at);
        }
    }
    for (player, watched) in field.state.players.iter_mut().zip(watched) {
        player.watched = watched;
    }
}
