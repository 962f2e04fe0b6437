//! Warships that go along with landings, carriers with their planes, submarines with missiles.

use super::super::bases::{BOMBER, BaseNo, FIGHTER, Planes};
use super::super::state::{
    BATTLESHIP, CARRIER, CRUISER, City, MISSILE_CRUISER, NUCLEAR_SUBMARINE, Unit,
};
use super::Brain;
use engine::geometry::Place;

/// Warships in the order in which they are wanted.
const WARSHIPS: [u8; 3] = [MISSILE_CRUISER, BATTLESHIP, CRUISER];
/// Planes of each type that a carrier takes aboard.
const AIR_GROUP: u16 = 4;

/// Whether ships of a type go along with landings.
fn escorts(kind: u8) -> bool {
    WARSHIPS.contains(&kind) || matches!(kind, CARRIER | NUCLEAR_SUBMARINE)
}

impl Brain<'_> {
    /// The ship that landings lack, `None` when they lack none; `count` tells how many of a
    /// type there are or come.
    pub fn missing_escort(&self, count: &dyn Fn(u8) -> u32) -> Option<u8> {
        let known = |kind: &u8| self.view.tables.row(*kind).tech <= self.power.tech;
        let warship = WARSHIPS.into_iter().find(known);
        let warships: u32 = WARSHIPS.iter().map(|kind| count(*kind)).sum();
        let planes = self.power.cities.values().map(|c| c.hangar.free()).max_by_key(|p| p.total());
        let wanted = |kind: &u8| match *kind {
            CARRIER => planes.is_some_and(|p| p.fighters + p.bombers > 1),
            // Tubes without missiles are of no use.
            _ => self.power.cities.values().any(|c| c.hangar.missiles > c.hangar.warheads),
        };
        let lacks = |kind: &u8| known(kind) && count(*kind) == 0 && wanted(kind);
        let most = u32::from(self.level.escorts);
        let warship = warship.filter(|_| warships < most);
        // The first warship comes before what it is to guard.
        let guarded = [CARRIER, NUCLEAR_SUBMARINE].into_iter().find(lacks);
        guarded.filter(|_| warships.min(most) > 0).or(warship)
    }

    /// Escorts go where troops are about to land, else to the nearest port; decks and tubes
    /// are filled on the way.
    pub fn escort(&mut self, landings: &[Place]) {
        self.end_transfers();
        let ports = self.power.cities.values().map(|c| c.at);
        let ports: Vec<Place> = ports.filter(|at| self.view.is_coastal(*at)).collect();
        for ship in self.idle_ships() {
            let Some(flotilla) = self.power.units.get(&ship).cloned() else { continue };
            if !escorts(flotilla.kind) {
                continue;
            }
            match flotilla.kind {
                CARRIER => self.fill_deck(ship, &flotilla),
                NUCLEAR_SUBMARINE => self.fill_tubes(ship, &flotilla),
                _ => {}
            }
            let far = |at: &Place| (self.view.grid.distance(*at, flotilla.at), *at);
            let goal = landings.iter().copied().min_by_key(far);
            let goal = goal.or_else(|| ports.iter().copied().min_by_key(far));
            if let Some(at) = goal.filter(|at| *at != flotilla.at) {
                self.advance(ship, at);
            }
        }
    }

    /// Transfers to ships last one turn.
    fn end_transfers(&mut self) {
        let to_ship = |c: &City| matches!(c.hangar.transfer.map(|t| t.to), Some(BaseNo::Ship(_)));
        let ended = self.power.cities.iter().filter(|(_, c)| to_ship(c)).map(|(n, _)| *n);
        for city in ended.collect::<Vec<u16>>() {
            self.say(format!("F {city} 0 0"));
            if let Some(city) = self.power.cities.get_mut(&city) {
                city.hangar.transfer = None;
            }
        }
    }

    /// The nearest own city within reach that has something to give.
    fn giver(&self, to: Place, reach: i32, gives: impl Fn(&City) -> bool) -> Option<u16> {
        let far = |(n, c): (&u16, &City)| (self.view.grid.distance(c.at, to), *n);
        let givers = self.power.cities.iter().filter(|(_, c)| gives(c));
        givers.map(far).min().filter(|(far, _)| *far <= reach).map(|(_, number)| number)
    }

    /// Planes of the nearest city that has some go aboard a carrier; those of paratroops stay.
    fn fill_deck(&mut self, ship: u16, flotilla: &Unit) {
        let aboard = self.power.decks.get(&ship).map(|deck| deck.planes).unwrap_or_default();
        let reach = self.view.tables.reach(FIGHTER, self.power.tech);
        let drops = self.drop_base.filter(|_| self.level.drops > 0).map(|(_, at)| at);
        let lacking = |c: &City| {
            let free = c.hangar.free();
            let of = |kind| free.count(kind).min(AIR_GROUP.saturating_sub(aboard.count(kind)));
            let bombers = if drops == Some(c.at) { 0 } else { of(BOMBER) };
            Planes { fighters: of(FIGHTER), bombers, jets: 0 }
        };
        let Some(base) = self.giver(flotilla.at, reach, |c| lacking(c).total() > 0) else {
            return;
        };
        let Some(city) = self.power.cities.get_mut(&base) else { return };
        let planes = lacking(city);
        city.hangar.planes -= planes;
        self.say(format!("F {base} S{ship} {}{}", planes.fighters, planes.bombers));
    }

    /// Missiles of the nearest city fill a submarine's tubes.
    fn fill_tubes(&mut self, ship: u16, flotilla: &Unit) {
        let row = self.view.tables.row(NUCLEAR_SUBMARINE);
        let aboard = self.power.decks.get(&ship).map_or(0, |deck| deck.missiles);
        let empty = (u16::from(row.tubes) * flotilla.size).saturating_sub(aboard);
        let reach = self.view.tables.reach(BOMBER, self.power.tech);
        let loose = |c: &City| c.hangar.missiles.saturating_sub(c.hangar.warheads).min(empty);
        let Some(base) = self.giver(flotilla.at, reach, |c| loose(c) > 0) else { return };
        let Some(city) = self.power.cities.get_mut(&base) else { return };
        let taken = loose(city);
        city.hangar.missiles -= taken;
        self.say(format!("F {base} S{ship} M{taken}"));
    }
}
