//! Bombers on the target of a strike; fighters look at cities and coasts.

use super::super::state::{BOMBER, FIGHTER, NOBODY};
use super::Brain;
use engine::geometry::Place;

impl Brain<'_> {
    pub fn fly(&mut self) {
        self.bomb();
        self.observe();
    }

    fn in_radius(&self, kind: u8, at: Place) -> u16 {
        let radius = self.view.tables.radius(kind, self.power.tech);
        let near = |c: &&super::super::state::City| self.view.grid.distance(c.at, at) <= radius;
        let bases = self.power.cities.values().filter(near);
        bases.map(|c| if kind == FIGHTER { c.free_fighters() } else { c.bombers }).sum()
    }

    fn bomb(&mut self) {
        let enemy = |s: &&super::super::view::Spotted| {
            s.owner != NOBODY && !s.ships && !self.power.allies.contains(&s.owner)
        };
        let spotted: Vec<_> = self.view.spotted.iter().filter(enemy).collect();
        let near_home = spotted.iter().filter(|s| {
            let near = |c: &super::super::state::City| self.view.grid.distance(c.at, s.at) <= 4;
            self.power.cities.values().any(near)
        });
        let threat = near_home.max_by_key(|s| (s.size, s.at)).map(|s| s.at);
        let Some(target) = threat.or(self.focus).or_else(|| self.softest()) else { return };
        let bombers = self.in_radius(BOMBER, target);
        if bombers > 0 {
            let sector = self.sector(target);
            self.say(format!("B {bombers} {sector}"));
            // The escort is away too.
            self.take_fighters(target, bombers);
        }
    }

    /// The hostile city nearest to an own one, within the bombers' reach.
    fn softest(&self) -> Option<Place> {
        let grid = self.view.grid;
        let far = |at: Place| {
            self.power.cities.values().map(|c| grid.distance(c.at, at)).min().unwrap_or(i32::MAX)
        };
        let held = self.targets.values().filter(|c| c.seen.owner.is_some());
        let near = held.filter(|c| self.in_radius(BOMBER, c.at) > 0);
        near.min_by_key(|c| (far(c.at), c.number)).map(|c| c.at)
    }

    /// One fighter looks at the city that is known worst, or beyond the known
    /// land; two attack what they find there.
    fn observe(&mut self) {
        let grid = self.view.grid;
        let mut wanted: Vec<(u32, u16, Place)> = self
            .targets
            .values()
            .filter(|c| self.in_radius(FIGHTER, c.at) > 0)
            .map(|c| (c.seen.owner.map_or(0, |_| c.seen.turn + 1), c.number, c.at))
            .collect();
        wanted.sort_unstable();
        // Above all the city that is being worn down: what is left of its garrison?
        let softest = self.softest();
        wanted.sort_by_key(|(_, _, at)| Some(*at) != softest);
        for (_, number, at) in wanted.into_iter().take(3) {
            let free = self.in_radius(FIGHTER, at);
            if free == 0 {
                continue;
            }
            let owner = self.targets.get(&number).and_then(|c| c.seen.owner);
            let foe = owner.is_some_and(|o| o != NOBODY);
            let fighters = if foe && free >= 4 { 2 } else { 1 };
            let sector = self.sector(at);
            self.say(format!("O {fighters} {sector}"));
            self.take_fighters(at, fighters);
        }
        if let Some((_, city)) = self.power.cities.iter().find(|(_, c)| c.free_fighters() > 0) {
            let radius = self.view.tables.radius(FIGHTER, self.power.tech);
            let far = grid.within(city.at, radius);
            let unknown = |p: &Place| !self.view.is_sea(*p) && !self.view.power.has_explored(*p);
            let unknown: Vec<Place> = far.filter(unknown).collect();
            if !unknown.is_empty() {
                let dice = self.dice.at([]);
                let pick = dice.below("where to look", unknown.len() as u32) as usize;
                let sector = self.sector(unknown[pick]);
                self.say(format!("O 1 {sector}"));
            }
        }
    }

    /// Notes that the nearest fighters within their radius are away.
    fn take_fighters(&mut self, at: Place, mut number: u16) {
        let grid = self.view.grid;
        let radius = self.view.tables.radius(FIGHTER, self.power.tech);
        let mut bases: Vec<(i32, u16)> =
            self.power.cities.iter().map(|(n, c)| (grid.distance(c.at, at), *n)).collect();
        bases.retain(|(far, _)| *far <= radius);
        bases.sort_unstable();
        for (_, base) in bases {
            let Some(city) = self.power.cities.get_mut(&base) else { continue };
            let taken = city.free_fighters().min(number);
            city.fighters -= taken;
            number -= taken;
        }
    }
}
