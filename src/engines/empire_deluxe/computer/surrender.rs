//! When a computer player gives up (§14).

use engine::Seat;

use super::Mind;
use crate::kinds::Class;
use crate::state::Unit;

/// A war of two is lost from this turn on if an enemy seems to have more than so many cities for
/// every ten of the player's own. The longer the war has lasted, the fewer are enough.
const BEATEN: [(u32, usize); 4] = [(265, 12), (240, 15), (200, 18), (120, 20)];
/// The same limits while more than two players are left.
const BEATEN_OF_MANY: [(u32, usize); 4] = [(250, 15), (225, 20), (190, 30), (150, 40)];
/// From this turn on, a player who is not ahead gives up; the second number is for more than two
/// players.
const ENDLESS: u32 = 285;
const ENDLESS_OF_MANY: u32 = 265;
/// From this turn on, when two players are left, one that may be behind gives up.
const LAST: u32 = 290;
/// From this turn on, cities that the player has not seen count as taken, one percent more each
/// turn.
const TAKEN: usize = 150;

/// Whether the player has no hope: no city, and no unit that could take one.
pub(super) fn is_lost(mind: &Mind) -> bool {
    if !mind.cities.is_empty() {
        return false;
    }
    let foot = mind.view.world.options.edition.foot();
    let goals = mind.need.keys().copied().chain(mind.frontier(foot));
    let near = mind.nearest(goals, foot);
    let hope = |u: &Unit| {
        u.kind.class() == Class::Land && (u.aboard.is_some() || near[usize::from(u.at.0)].is_some())
    };
    mind.units(hope).is_empty()
}

/// Whether one enemy is so far ahead that the war is decided.
pub(super) fn is_beaten(mind: &Mind) -> bool {
    let turn = mind.view.world.turn;
    // The players check in different turns, so that equals do not give up at the same time.
    let seats = mind.view.seats().count().max(1);
    let step = usize::try_from(turn / mind.view.sitting.max(1)).unwrap_or(0);
    if step % seats != usize::from(mind.seat().0) % seats {
        return false;
    }
    let left = mind.view.seats().filter(|s| mind.view.plays(*s)).count();
    let (steps, endless) = match left {
        0..=2 => (BEATEN, ENDLESS),
        _ => (BEATEN_OF_MANY, ENDLESS_OF_MANY),
    };
    let own = mind.cities.len().max(1);
    let others = mind.view.seats().filter(|s| *s != mind.seat() && mind.view.plays(*s));
    let most = others.map(|s| cities_of(mind, s)).max().unwrap_or(0);
    let times = steps.iter().find(|(from, _)| turn >= *from).map(|s| s.1);
    // When two players are left, each may think that it is ahead; so unknown cities count for the
    // other.
    let free = mind.known.cities.values().filter(|c| c.owner.is_none()).count();
    let world = &mind.view.world;
    let rest = world.options.cities_on(world.ground.grid).saturating_sub(mind.cities.len() + free);
    if turn >= LAST && left <= 2 && rest >= mind.cities.len() {
        return true;
    }
    turn >= endless && most >= own || times.is_some_and(|times| 10 * most > times * own)
}

/// The estimated number of an enemy's cities: the known ones, and a share of the unknown ones that
/// grows as the war lasts.
fn cities_of(mind: &Mind, enemy: Seat) -> usize {
    let foreign = mind.known.cities.values().filter(|c| c.owner != Some(mind.seat()));
    let known = foreign.clone().filter(|c| c.owner == Some(enemy)).count();
    let foreign = foreign.count();
    let world = &mind.view.world;
    let all = world.options.cities_on(world.ground.grid);
    let hidden = all.saturating_sub(mind.cities.len() + foreign);
    let taken = usize::try_from(world.turn).unwrap_or(0).saturating_sub(TAKEN).min(100);
    known + hidden * known * taken / (100 * foreign.max(1))
}
