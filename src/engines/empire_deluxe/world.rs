//! The making of a world (§2.2): heights, water, cities, terrain, fair starts.

use engine::Dice;
use engine::geometry::{Grid, Place};
use engine::graph::{self, Areas};

use super::ground::{Ground, Terrain};
use super::kinds::Edition;
use super::tables::{Options, WorldFigures};

/// The most worlds that are drawn until one has room for all.
const ATTEMPTS: u32 = 60;

/// The steps on land within which the other cities of a start are counted: what its first three
/// armies can reach before the twentieth turn, the third army first.
const RINGS: [u32; 3] = [4, 9, 14];

/// The fewest squares between two starts of a random world.
const STARTS_APART: i32 = 8;

/// The fewest squares between cities when one is moved to a start that is poor in cities.
const APART: i32 = 3;

/// The maker of a world, with its options and size.
struct Maker<'a> {
    options: &'a Options,
    grid: Grid,
}

/// A world with the first city of each seat, in the order of seats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The ground.
    pub ground: Ground,
    /// The first city of each seat.
    pub starts: Vec<Place>,
}

/// Makes a world.
///
/// # Errors
/// A sentence when there is no room for all seats.
pub fn make(options: &Options, seats: u8, dice: &mut Dice) -> Result<Made, String> {
    let (cols, rows) = options.size;
    let grid = if options.wrap { Grid::globe(cols, rows) } else { Grid::flat(cols, rows) };
    let maker = Maker { options, grid };
    for attempt in 0..ATTEMPTS {
        let seed = dice.at([attempt]).word("world");
        if let Some(made) = maker.draw(&mut Chance(seed), seats) {
            return Ok(made);
        }
    }
    Err(format!(
        "size: {cols}x{rows} with {} % water has no room for {seats} starts; take a larger map, or \
         less water",
        options.world.water
    ))
}

/// Starts on a map that was given as a file: some of its cities.
///
/// # Errors
/// A sentence when there is no room for all seats.
pub fn settle(options: &Options, ground: Ground, seats: u8) -> Result<Made, String> {
    let grid = ground.grid;
    let maker = Maker { options, grid };
    let starts = maker.starts(&ground, seats).ok_or_else(|| {
        format!("map: it has no {seats} coastal cities with another city on their land")
    })?;
    Ok(Made { ground, starts })
}

/// Random numbers for making worlds: the many heights of a world are not rolls of the game.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        // For such small numbers the bias is negligible.
        (self.next() % n.max(1) as u64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The other cities around a start, counted within each ring.
type Riches = [u32; RINGS.len()];

impl Maker<'_> {
    fn figures(&self) -> &WorldFigures {
        &self.options.world
    }

    /// How many cities a map of this size has.
    fn cities(&self) -> usize {
        self.options.cities_on(self.grid)
    }

    fn draw(&self, chance: &mut Chance, seats: u8) -> Option<Made> {
        let heights = self.field(chance, self.figures().smooth);
        let mut order: Vec<usize> = (0..self.grid.len()).collect();
        order.sort_by_key(|i| heights[*i]);
        let wet = self.grid.len() * self.figures().water as usize / 100;
        let mut squares = vec![Terrain::Clear; self.grid.len()];
        order[..wet].iter().for_each(|i| squares[*i] = Terrain::Water);
        let cities = self.found(chance, &squares)?;
        if self.options.edition == Edition::Advanced {
            self.dress(chance, &mut squares, &heights, &order[wet..]);
        }
        for city in &cities {
            squares[usize::from(city.0)] = Terrain::City;
        }
        let mut ground = Ground::new(self.grid, squares);
        let starts = self.starts(&ground, seats)?;
        if self.least_apart(&starts) < STARTS_APART {
            return None;
        }
        ground = self.even_out(chance, ground, &starts)?;
        let mut reached: Vec<u32> = starts.iter().map(|s| self.reach(&ground, *s)).collect();
        reached.sort_unstable();
        let median = reached[reached.len() / 2];
        (reached[0] * 100 >= median * self.figures().fair).then_some(Made { ground, starts })
    }

    /// The number of cities that a start's first armies take if each wins: each army takes the
    /// farthest city that it can reach, and leaves the nearer ones to later armies.
    fn reach(&self, ground: &Ground, start: Place) -> u32 {
        let riches = self.riches(ground, start);
        // The last army reaches only the first ring, and each earlier army one ring more.
        let taken = riches.iter().fold(0, |taken: u32, within| (taken + 1).min(*within));
        1 + taken
    }

    /// Random numbers that are averaged with their neighbours `passes` times.
    fn field(&self, chance: &mut Chance, passes: u32) -> Vec<u32> {
        // Averages of whole numbers keep three more digits.
        let mut field: Vec<u32> =
            (0..self.grid.len()).map(|_| chance.below(1000) as u32 * 1000).collect();
        for _ in 0..passes {
            let mean = |place: Place| {
                let near = self.grid.near(place).chain([place]);
                let (sum, n) = near.fold((0, 0), |(s, n), p| (s + field[usize::from(p.0)], n + 1));
                sum / n
            };
            field = self.grid.places().map(mean).collect();
        }
        field
    }

    /// The places of the cities: on land, as far from each other as possible.
    fn found(&self, chance: &mut Chance, squares: &[Terrain]) -> Option<Vec<Place>> {
        let mut land: Vec<Place> =
            self.grid.places().filter(|p| squares[usize::from(p.0)].is_land()).collect();
        let wanted = self.cities();
        chance.shuffle(&mut land);
        let mut apart = i32::try_from((land.len() / wanted.max(1)).isqrt()).ok()?;
        let mut cities: Vec<Place> = Vec::new();
        while cities.len() < wanted && apart > 0 {
            for place in &land {
                let free = cities.iter().all(|c| self.grid.distance(*c, *place) >= apart);
                if free && cities.len() < wanted {
                    cities.push(*place);
                }
            }
            apart -= 1;
        }
        cities.sort_unstable();
        (cities.len() == wanted).then_some(cities)
    }

    /// Mountains, rough land, forests and rivers.
    fn dress(&self, chance: &mut Chance, squares: &mut [Terrain], heights: &[u32], land: &[usize]) {
        let figures = self.figures();
        let part = |percent: u32| land.len() * percent as usize / 100;
        let (peaks, rough) = (part(figures.mountain), part(figures.rough));
        let from_top = |n: usize| land.len().saturating_sub(n);
        land[from_top(peaks)..].iter().for_each(|i| squares[*i] = Terrain::Mountain);
        land[from_top(peaks + rough)..from_top(peaks)]
            .iter()
            .for_each(|i| squares[*i] = Terrain::Rough);
        let mut rest: Vec<usize> = land[..from_top(peaks + rough)].to_vec();
        let woods = self.field(chance, figures.smooth);
        rest.sort_by_key(|i| (woods[*i], *i));
        let wood = rest.len() * figures.forest as usize / 100;
        rest[rest.len() - wood..].iter().for_each(|i| squares[*i] = Terrain::Forest);
        let springs: Vec<usize> = land[from_top(peaks)..].to_vec();
        let rivers = self.cities() / figures.city_rivers.max(1) as usize;
        for _ in 0..rivers.min(springs.len()) {
            let spring = springs[chance.below(springs.len())];
            // A place has 16 bits, and the grid has no more squares.
            self.flow(Place(spring as u16), squares, heights);
        }
    }

    /// Draws a river: downhill from a spring to the water.
    fn flow(&self, spring: Place, squares: &mut [Terrain], heights: &[u32]) {
        let mut seen = vec![spring];
        let mut here = spring;
        loop {
            let height = |p: &Place| (heights[usize::from(p.0)], p.0);
            let next = self.grid.near(here).filter(|p| !seen.contains(p)).min_by_key(height);
            let Some(next) = next.filter(|_| seen.len() < self.grid.len()) else { return };
            match squares[usize::from(next.0)] {
                Terrain::Water | Terrain::River => return,
                Terrain::Mountain => {}
                _ => squares[usize::from(next.0)] = Terrain::River,
            }
            seen.push(next);
            here = next;
        }
    }

    /// Landmasses: connected land, including cities.
    fn masses(&self, ground: &Ground) -> Areas {
        let land = |p: Place| ground.at(p).is_land();
        Areas::of(self.grid.len(), self.grid.places(), |p| self.grid.near(p), land)
    }

    /// Other cities that a start can reach over land, by ring.
    fn riches(&self, ground: &Ground, start: Place) -> Riches {
        let far = self.on_foot(ground, start);
        let mut riches = [0; RINGS.len()];
        for city in ground.cities().iter().filter(|c| **c != start) {
            if let Some(d) = far[usize::from(city.0)] {
                for (ring, n) in RINGS.iter().zip(&mut riches) {
                    *n += u32::from(d <= *ring);
                }
            }
        }
        riches
    }

    fn on_foot(&self, ground: &Ground, from: Place) -> Vec<Option<u32>> {
        let land = |_: Place, p: Place| ground.at(p).is_land();
        graph::distances(self.grid.len(), [from], |p| self.grid.near(p), land)
    }

    /// A start for each seat: a coastal city on a landmass with another one, far from the
    /// others (§2.2).
    fn starts(&self, ground: &Ground, seats: u8) -> Option<Vec<Place>> {
        let masses = self.masses(ground);
        let cities_on =
            |area: Option<u32>| ground.cities().iter().filter(|c| masses.at(**c) == area).count();
        let fits = |p: &Place| ground.is_coast(*p) && cities_on(masses.at(*p)) >= 2;
        let fitting: Vec<Place> = ground.cities().iter().copied().filter(fits).collect();
        let riches: Vec<(u32, Place)> =
            fitting.iter().map(|p| (self.riches(ground, *p).iter().sum(), *p)).collect();
        let seats = usize::from(seats);
        // The richest half comes first, so that no start among them is without other cities.
        let mut by_riches = riches.clone();
        by_riches.sort_by_key(|(n, p)| (std::cmp::Reverse(*n), *p));
        let mut pool: Vec<Place> = by_riches.iter().map(|r| r.1).collect();
        pool.truncate((pool.len() / 2).max(seats));
        if pool.len() < seats {
            return None;
        }
        let mut best: Option<(i32, Vec<Place>)> = None;
        for first in &pool {
            let mut chosen = vec![*first];
            while chosen.len() < seats {
                let apart = |p: &Place| {
                    chosen.iter().map(|c| self.grid.distance(*c, *p)).min().unwrap_or(0)
                };
                let free = pool.iter().filter(|p| !chosen.contains(p));
                let next = free.max_by_key(|p| (apart(p), std::cmp::Reverse(**p)))?;
                chosen.push(*next);
            }
            let least = self.least_apart(&chosen);
            if best.as_ref().is_none_or(|(n, _)| least > *n) {
                best = Some((least, chosen));
            }
        }
        best.map(|(_, chosen)| chosen)
    }

    fn least_apart(&self, places: &[Place]) -> i32 {
        let pairs = places
            .iter()
            .enumerate()
            .flat_map(|(n, a)| places[n + 1..].iter().map(|b| self.grid.distance(*a, *b)));
        pairs.min().unwrap_or(i32::MAX)
    }

    /// Moves cities that are far from all starts to starts that have fewer near them than the
    /// median start; `None` where that can't be done.
    fn even_out(&self, chance: &mut Chance, ground: Ground, starts: &[Place]) -> Option<Ground> {
        let mut ground = ground;
        let riches: Vec<Riches> = starts.iter().map(|s| self.riches(&ground, *s)).collect();
        let wanted: Vec<u32> = (0..RINGS.len())
            .map(|ring| {
                let mut all: Vec<u32> = riches.iter().map(|r| r[ring]).collect();
                all.sort_unstable();
                all[all.len() / 2].max(u32::from(ring > 0))
            })
            .collect();
        for (ring, within) in RINGS.iter().enumerate() {
            let before = if ring == 0 { 1 } else { RINGS[ring - 1] };
            for start in starts {
                while self.riches(&ground, *start)[ring] < wanted[ring] {
                    ground = self.move_city(chance, &ground, starts, *start, (before, *within))?;
                }
            }
        }
        Some(ground)
    }

    /// Moves the city that is farthest from all starts to a place at the given number of steps from
    /// one of them.
    fn move_city(
        &self,
        chance: &mut Chance,
        ground: &Ground,
        starts: &[Place],
        start: Place,
        (before, within): (u32, u32),
    ) -> Option<Ground> {
        let far = self.on_foot(ground, start);
        let rings: Vec<Vec<Option<u32>>> =
            starts.iter().map(|s| self.on_foot(ground, *s)).collect();
        // No start loses a city of its rings.
        let widest = RINGS[RINGS.len() - 1];
        let nobodys =
            |p: &&Place| rings.iter().all(|r| r[usize::from(p.0)].is_none_or(|d| d > widest));
        let lonely =
            |p: &&Place| starts.iter().map(|s| self.grid.distance(*s, **p)).min().unwrap_or(0);
        let from = *ground.cities().iter().filter(nobodys).max_by_key(|p| (lonely(p), p.0))?;
        let takes = |p: &Place| {
            let ring = far[usize::from(p.0)].is_some_and(|d| d > before.max(2) && d <= within);
            let apart = |c: &Place| self.grid.distance(*c, *p) >= APART;
            ring && ground.at(*p) != Terrain::City && ground.cities().iter().all(apart)
        };
        let room: Vec<Place> = self.grid.places().filter(takes).collect();
        let to = *room.get(chance.below(room.len()))?;
        let change = |p: Place| match p {
            p if p == from => Terrain::Clear,
            p if p == to => Terrain::City,
            p => ground.at(p),
        };
        Some(Ground::new(self.grid, self.grid.places().map(change).collect()))
    }
}
