//! The number of turns of a sitting (§4).

use engine::geometry::Place;
use engine::{Seat, graph};

use super::kinds::Kind;
use super::production;
use super::state::{City, World, can_build};

/// Turns of a sitting (§4): as many as are possible without a meeting of two players.
pub fn sitting(world: &World) -> u32 {
    let options = &world.options;
    if !options.sitting {
        return 1;
    }
    let playing: Vec<Seat> =
        world.seats().filter(|s| world.side(*s).is_some_and(|s| s.out.is_none())).collect();
    let sight = if options.advanced() { 2 } else { 1 };
    let mut least = options.turn.sitting;
    let grid = world.ground.grid;
    let places = |seat: Seat| -> Vec<Place> {
        let units = world.side(seat).map(|s| s.units.values().map(|u| u.at).collect::<Vec<_>>());
        world.cities_of(seat).chain(units.unwrap_or_default()).collect()
    };
    for (n, a) in playing.iter().enumerate() {
        let far = graph::distances(grid.len(), places(*a), |p| grid.near(p), |_, _| true);
        for b in &playing[n + 1..] {
            let apart = places(*b).into_iter().filter_map(|p| far[usize::from(p.0)]).min();
            let Some(apart) = apart else { continue };
            let speed = (fastest(world, *a) + fastest(world, *b)).max(1);
            least = least.min(apart.saturating_sub(sight + 1) / speed);
        }
    }
    least.clamp(1, options.turn.sitting)
}

/// The speed of the fastest unit that a seat has, or will have soon.
fn fastest(world: &World, seat: Seat) -> u32 {
    let options = &world.options;
    let moves = |kind| options.figure(kind).map_or(0, |f| u32::from(f.moves));
    let units = world.side(seat).map(|s| s.units.values().map(|u| moves(u.kind)).max());
    let base = production::base(world, seat);
    let soon = world.cities_of(seat).filter_map(|at| {
        let city = world.city(at)?;
        let finishes = |kind: &Kind| {
            let begun = city.list.first() == Some(kind);
            let fresh = City { last: None, ..city.clone() };
            let done = if begun { city.done } else { 0 };
            let of = if begun { city } else { &fresh };
            let left = production::time(world, of, *kind, base).saturating_sub(done);
            options.builds(*kind)
                && can_build(&world.ground, at, *kind)
                && left <= options.turn.within
        };
        Kind::ALL.into_iter().filter(finishes).map(moves).max()
    });
    let foot = moves(options.edition.foot());
    soon.chain(units.flatten()).max().unwrap_or(0).max(foot)
}
