//! What units learn about the map on their way (§3, §10).

use super::super::state::NOBODY;
use super::super::works::Site;
use super::Field;
use engine::geometry::Place;

/// Adds the ground around a sector, and the cities there, to a power's knowledge.
pub fn note(field: &mut Field, seat: u8, around: Place, sight: i32) {
    if seat == NOBODY {
        return;
    }
    let grid = field.state.grid();
    for place in grid.within(around, sight) {
        field.state.powers[usize::from(seat)].explore(place);
        if let Some((number, owner)) = field.city_in(place) {
            field.state.note_city(seat, number, owner);
        }
        let (works, fallout) = (&field.state.works, &field.state.fallout);
        let site = Site {
            works: works.get(&place).copied().unwrap_or_default(),
            base: field.airbase_in(place),
            hot_until: fallout.get(&place).copied().unwrap_or(0),
        };
        let power = &mut field.state.powers[usize::from(seat)];
        match site == Site::default() {
            true => drop(power.sites.remove(&place)),
            false => drop(power.sites.insert(place, site)),
        }
    }
}
