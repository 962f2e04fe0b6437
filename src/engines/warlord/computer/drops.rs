//! Paratroops wait where bombers stand, and drop on cities that are hardly held, or that
//! missiles hit first.

use super::super::bases::BaseNo;
use super::super::state::{BOMBER, NOBODY, PARATROOPS, Unit};
use super::super::view::KnownCity;
use super::Brain;
use super::force::{Force, remains, shelter, weaken};
use super::war::Fight;
use engine::geometry::Place;

impl Brain<'_> {
    /// The own city where paratroops and their bombers gather: where most bombers stand, else
    /// the nearest to a foreign city.
    pub fn find_drop_base(&self) -> Option<(u16, Place)> {
        let grid = self.view.grid;
        let far = |at: Place| self.targets.values().map(|c| grid.distance(c.at, at)).min();
        let bases = self.power.cities.iter().filter_map(|(n, c)| {
            let bombers = c.hangar.planes.bombers;
            Some((std::cmp::Reverse(bombers), far(c.at)?, *n, c.at))
        });
        bases.min().map(|(_, _, number, at)| (number, at))
    }

    /// Builds bombers and as many paratroops at one base.
    pub fn train(&mut self) {
        let Some((number, at)) = self.drop_base else { return };
        let most = self.level.drops;
        let bombers = self.power.cities[&number].hangar.planes.bombers;
        self.keep(BOMBER, &[number], bombers, most);
        let troops = self.paratroops_at(at).map(|(_, unit)| unit.size).sum();
        self.keep(PARATROOPS, &[number], troops, most.min(bombers));
    }

    /// Paratroops at a base.
    fn paratroops_at(&self, at: Place) -> impl Iterator<Item = (u16, &Unit)> {
        let here = move |u: &Unit| u.kind == PARATROOPS && u.at == at && u.aboard.is_none();
        self.power.units.iter().filter(move |(_, u)| here(u)).map(|(n, u)| (*n, u))
    }

    /// Whether a unit waits at its base for a drop.
    pub fn waits_for_drop(&self, unit: &Unit) -> bool {
        let drops = self.level.drops > 0 && unit.kind == PARATROOPS;
        drops && self.drop_base.is_some_and(|(_, at)| at == unit.at)
    }

    /// Drops what the bombers carry on a city in sight that falls to it.
    pub fn drop_troops(&mut self) {
        if self.level.drops == 0 || self.power.tech < self.view.tables.tech.gates.drop {
            return;
        }
        let Some((base, from)) = self.drop_base else { return };
        let bombers = self.power.cities[&base].hangar.free().bombers;
        let idle = self.paratroops_at(from).filter(|(n, _)| !self.busy.contains(n));
        let Some((size, no, rank)) = idle.map(|(n, u)| (u.size, n, u.rank)).max() else { return };
        let goes = size.min(bombers);
        if goes == 0 {
            return;
        }
        let force = Force::of(&self.view.tables, PARATROOPS, goes, rank);
        let Some(at) = self.drop_zone(from, force) else { return };
        let unit = if goes < size { self.split(no, goes) } else { no };
        self.busy.insert(unit);
        let sector = self.sector(at);
        self.say(format!("V {unit} {sector}"));
        self.fights.push(Fight { at, unit, weight: force.attack, turns: 1 });
        if let Some(hangar) = self.power.hangar_mut(BaseNo::Land(base)) {
            hangar.planes.bombers -= goes;
        }
    }

    /// The city that a drop takes: a player's before others, the nearest first.
    fn drop_zone(&self, from: Place, force: Force) -> Option<Place> {
        let grid = self.view.grid;
        let radius = self.view.tables.radius(BOMBER, self.power.tech);
        let tables = &self.view.tables;
        // Missiles help where no other city is stormed.
        let alone = self.fights.iter().all(|f| f.turns > 1);
        let takes = |c: &KnownCity| {
            let walls = self.level_of(c);
            let hit = if alone { self.salvo(c.at) * 100 / shelter(tables, walls) } else { 0 };
            let garrison = weaken(self.garrison_in(c), hit).times(self.level.odds_seen);
            remains(tables, force, garrison, walls).is_some()
        };
        let open = self.targets.values().filter(|c| {
            grid.distance(c.at, from) <= radius
                && self.power.has_explored(c.at)
                && !self.power.known_site(c.at).is_hot(self.view.turn)
                && self.notes.garrisons.get(&c.number).is_some_and(|g| g.turn == self.view.turn)
                && !self.fights.iter().any(|f| f.at == c.at && f.turns <= 1)
                && takes(c)
        });
        let free = |c: &KnownCity| c.seen.owner.is_none_or(|o| o == NOBODY);
        open.min_by_key(|c| (free(c), grid.distance(c.at, from), c.number)).map(|c| c.at)
    }
}
