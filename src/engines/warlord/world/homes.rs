//! Home cities of players: places with equal chances.

use super::World;
use crate::tables::WorldTable;
use engine::Dice;
use engine::geometry::Place;

/// Chooses the home cities so that their distances to the next uncontrolled cities are alike: it
/// starts with any choice, swaps homes that differ too much and moves free cities by a sector.
pub(super) fn choose_homes(
    w: &WorldTable,
    world: &mut World,
    seats: u8,
    dice: &mut Dice,
) -> Option<Vec<Place>> {
    let pool = home_sites(w, world);
    if pool.len() < usize::from(seats) {
        return None;
    }
    let mut draft = HomeDraft::new(w, world, pool, usize::from(seats), dice);
    let (mut worst, mut low) = draft.trouble();
    for _ in 0..16_000 {
        if worst == 0 {
            let homes = draft.homes;
            // A city may have been moved off good ground before it was chosen.
            let fit = home_sites(w, world);
            let good = homes.iter().all(|h| fit.contains(h));
            return good.then(|| homes.iter().map(|&h| world.cities[h]).collect());
        }
        let high = low * (100 + w.nearest_spread_percent) / 100;
        let out = |h: &&usize| !(low..=high).contains(&draft.way(**h));
        let out: Vec<usize> = draft.homes.iter().filter(out).copied().collect();
        // Sometimes a home that fits moves too, or the search gets stuck.
        let from = match dice.below("home to move", 4) == 0 || out.is_empty() {
            true => &draft.homes,
            false => &out,
        };
        let home = from[dice.below("home", from.len() as u32) as usize];
        let undo = match dice.below("way to mend", 2) {
            0 => draft.swap(home, dice),
            _ => draft.nudge(home, dice),
        };
        let Some(undo) = undo else { continue };
        let (now, now_low) = draft.trouble();
        // Sometimes a small step back leads out of a dead end.
        let patience = i32::from(dice.below("step back", 25) == 0);
        if now <= worst + patience {
            (worst, low) = (now, now_low);
        } else {
            draft.undo(undo);
        }
    }
    None
}

/// Indices of the cities whose surroundings are fit for a home or can be made so.
fn home_sites(w: &WorldTable, world: &World) -> Vec<usize> {
    let (grid, masses) = (world.grid, world.landmasses());
    let enough_land = |c: Place, radius: i32, percent: usize| {
        // The share is of the full square, even where a pole cuts it.
        let all = (2 * radius as usize + 1).pow(2);
        let land = grid.within(c, radius).filter(|&p| !world.is_sea(p)).count();
        land * 100 >= all * percent
    };
    let fits = |&i: &usize| {
        let c = world.cities[i];
        masses.size_at(c) >= w.home_island_min
            && enough_land(c, w.home_radius, w.home_passable_percent)
            // With too much sea near, no levelling can make its income fair.
            && enough_land(c, w.income_radius, w.income_land_percent)
    };
    (0..world.cities.len()).filter(fits).collect()
}

/// A choice of homes that is being improved.
struct HomeDraft<'a> {
    w: &'a WorldTable,
    world: &'a mut World,
    /// Indices of the cities near each city; moved cities stay near the same ones.
    near: Vec<Vec<usize>>,
    is_home: Vec<bool>,
    homes: Vec<usize>,
    spare: Vec<usize>,
}

enum Undo {
    Swap(usize, usize),
    Nudge(usize, Place),
}

impl<'a> HomeDraft<'a> {
    fn new(
        w: &'a WorldTable,
        world: &'a mut World,
        mut pool: Vec<usize>,
        seats: usize,
        dice: &mut Dice,
    ) -> Self {
        dice.shuffle("home cities", &mut pool);
        let (grid, cities) = (world.grid, &world.cities);
        let close = |i: usize, j: usize| j != i && grid.distance(cities[i], cities[j]) <= 15;
        let near = |i| (0..cities.len()).filter(|&j| close(i, j)).collect();
        let near: Vec<Vec<usize>> = (0..cities.len()).map(near).collect();
        let spare = pool.split_off(seats);
        let mut is_home = vec![false; cities.len()];
        pool.iter().for_each(|&h| is_home[h] = true);
        Self { w, near, is_home, homes: pool, spare, world }
    }

    fn way(&self, home: usize) -> i32 {
        let (grid, cities) = (self.world.grid, &self.world.cities);
        // The nearest distances so far, in order; a missing city counts as far.
        let mut nearest = [30; 8];
        let wanted = &mut nearest[..self.w.nearest_cities.min(8)];
        for &other in self.near[home].iter().filter(|&&j| !self.is_home[j]) {
            let mut way = grid.distance(cities[home], cities[other]);
            for slot in wanted.iter_mut() {
                if way < *slot {
                    std::mem::swap(&mut way, slot);
                }
            }
        }
        wanted.iter().sum()
    }

    /// How far the distances of all homes are outside the best window, and where that window
    /// begins.
    fn trouble(&self) -> (i32, i32) {
        let ways: Vec<i32> = self.homes.iter().map(|&h| self.way(h)).collect();
        let out = |low: i32| {
            let high = low * (100 + self.w.nearest_spread_percent) / 100;
            ways.iter().map(|&s| (low - s).max(0) + (s - high).max(0)).sum::<i32>()
        };
        let lows = *ways.iter().min().unwrap_or(&0)..=*ways.iter().max().unwrap_or(&0);
        lows.map(|low| (out(low), low)).min().unwrap_or((0, 0))
    }

    fn swap(&mut self, home: usize, dice: &mut Dice) -> Option<Undo> {
        let i = self.homes.iter().position(|&h| h == home)?;
        let j = dice.below("spare city", self.spare.len() as u32) as usize;
        (j < self.spare.len()).then(|| self.exchange(i, j))
    }

    fn exchange(&mut self, i: usize, j: usize) -> Undo {
        std::mem::swap(&mut self.homes[i], &mut self.spare[j]);
        self.is_home[self.homes[i]] = true;
        self.is_home[self.spare[j]] = false;
        Undo::Swap(i, j)
    }

    /// Moves a free city near a home by one sector.
    fn nudge(&mut self, home: usize, dice: &mut Dice) -> Option<Undo> {
        let near = &self.near[home];
        let city = *near.get(dice.below("city to nudge", near.len() as u32) as usize)?;
        let (_, to) = self
            .world
            .grid
            .neighbours(self.world.cities[city])
            .nth(dice.below("nudge", 8) as usize)?;
        let old = self.world.cities[city];
        let spaced = self.near[city]
            .iter()
            .all(|&o| self.world.grid.distance(self.world.cities[o], to) >= self.w.city_spacing);
        let coast = self.world.is_coastal(to) || !self.world.is_coastal(old);
        if self.is_home[city] || self.world.is_sea(to) || !spaced || !coast {
            return None;
        }
        self.world.cities[city] = to;
        Some(Undo::Nudge(city, old))
    }

    fn undo(&mut self, undo: Undo) {
        match undo {
            Undo::Swap(i, j) => {
                self.exchange(i, j);
            }
            Undo::Nudge(city, old) => self.world.cities[city] = old,
        }
    }
}
