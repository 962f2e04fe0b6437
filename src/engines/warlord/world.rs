//! A new world made with dice: land and sea, terrain, cities, ruins (§1).
//!
//! All calculations use integers. A world that misses one of the guarantees of §1 is thrown away,
//! and the next one is tried; [`World::faults`] is the check, and the tests use the same one.

mod homes;

use serde::{Deserialize, Serialize};

use self::homes::choose_homes;
use super::tables::{Class, Tables, Terrain, WorldTable};
use engine::Dice;
use engine::geometry::{Grid, Place};
use engine::graph::Areas;

/// The most worlds that are tried; the embedded tables need few.
const TRIES_MAX: u32 = 400;

/// The ground and the sites of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct World {
    /// Size of the map.
    pub grid: Grid,
    /// [`Terrain`] of each sector.
    #[serde(with = "serde_bytes")]
    pub terrain: Vec<u8>,
    /// Sites of cities; the first has number 1. The home city of seat `n` is city `n`.
    pub cities: Vec<Place>,
    /// Ruined cities.
    pub ruins: Vec<Place>,
}

impl World {
    /// The ground of a sector.
    pub fn ground(&self, place: Place) -> Terrain {
        Terrain::of(self.terrain[usize::from(place.0)])
    }

    /// Whether a sector is sea.
    pub fn is_sea(&self, place: Place) -> bool {
        self.ground(place) == Terrain::Sea
    }

    /// Whether a city here can build ships and let them enter.
    pub fn is_coastal(&self, place: Place) -> bool {
        self.grid.neighbours(place).any(|(_, p)| self.is_sea(p))
    }

    /// Makes a world for `seats` seats.
    ///
    /// # Errors
    /// One sentence when the tables leave no room for such a world.
    pub fn generate(tables: &Tables, seats: u8, dice: &mut Dice) -> Result<Self, Vec<String>> {
        let mut last = Vec::new();
        for _ in 0..TRIES_MAX {
            let Some(world) = attempt(tables, seats, dice) else { continue };
            last = world.faults(tables, seats);
            if last.is_empty() {
                return Ok(world);
            }
        }
        last.push(format!("no world of these tables fits {seats} seats; loosen world.toml"));
        Err(last)
    }

    /// Every guarantee of §1 that this world misses.
    pub fn faults(&self, tables: &Tables, seats: u8) -> Vec<String> {
        let plan = Plan::new(&tables.world, seats);
        let w = &tables.world;
        let mut faults = Vec::new();
        let mut claim = |good: bool, what: String| {
            if !good {
                faults.push(what);
            }
        };
        let land = self.grid.places().filter(|&p| !self.is_sea(p)).count();
        let percent = land * 100 / self.grid.len();
        claim((35..=42).contains(&percent), format!("{percent} % land"));
        let masses = self.landmasses();
        let continents = masses.sizes().iter().filter(|&&n| n >= plan.continent_land).count();
        claim(plan.continents.contains(&continents), format!("{continents} continents"));
        claim(self.cities.len() == plan.cities, format!("{} cities", self.cities.len()));
        claim(self.ruins.len() == plan.ruins, format!("{} ruins", self.ruins.len()));
        let coastal = self.cities.iter().filter(|&&c| self.is_coastal(c)).count();
        claim(coastal * 2 >= self.cities.len(), format!("{coastal} coastal cities"));
        for (i, &city) in self.cities.iter().enumerate() {
            let others = self.cities.iter().filter(|&&o| o != city);
            let near = others.map(|&o| self.grid.distance(city, o)).min().unwrap_or(0);
            let good = (w.city_spacing..=w.city_nearest_max).contains(&near);
            claim(good && !self.is_sea(city), format!("city {} is {near} from the next", i + 1));
        }
        let homes = &self.cities[..usize::from(seats)];
        for (i, &home) in homes.iter().enumerate() {
            let around = self.grid.within(home, w.home_radius).count();
            let passable = self.passable_near(tables, home);
            claim(passable * 100 >= around * 60, format!("home {}: {passable} passable", i + 1));
            let size = masses.size_at(home);
            claim(size >= w.home_island_min, format!("home {}: island of {size}", i + 1));
        }
        let incomes: Vec<i64> = homes.iter().map(|&h| self.potential(tables, h)).collect();
        claim(spread_within(&incomes, 15), format!("income potentials {incomes:?}"));
        let free = &self.cities[usize::from(seats)..];
        let ways: Vec<i64> = homes.iter().map(|&h| self.nearest(w, h, free)).collect();
        claim(spread_within(&ways, 15), format!("ways to the next cities {ways:?}"));
        faults
    }

    fn passable_near(&self, tables: &Tables, home: Place) -> usize {
        let near = self.grid.within(home, tables.world.home_radius);
        near.filter(|&p| tables.land_cost(Class::Arm, self.ground(p)).is_some()).count()
    }

    /// Income of all sectors around a home city, in hundredths of a PP.
    fn potential(&self, tables: &Tables, home: Place) -> i64 {
        let near = self.grid.within(home, tables.world.income_radius);
        near.map(|p| tables.ground(self.ground(p)).income).sum()
    }

    /// Sum of the distances from a home to the nearest uncontrolled cities.
    fn nearest(&self, w: &WorldTable, home: Place, free: &[Place]) -> i64 {
        let mut ways: Vec<i32> = free.iter().map(|&c| self.grid.distance(home, c)).collect();
        ways.sort_unstable();
        ways.iter().take(w.nearest_cities).map(|&d| i64::from(d)).sum()
    }

    fn landmasses(&self) -> Areas {
        let grid = self.grid;
        Areas::of(grid.len(), grid.places(), |p| grid.near(p), |p| !self.is_sea(p))
    }
}

/// Whether the largest value is at most `percent` per cent above the least.
fn spread_within(values: &[i64], percent: i64) -> bool {
    match (values.iter().min(), values.iter().max()) {
        (Some(low), Some(high)) => high * 100 <= low * (100 + percent),
        _ => true,
    }
}

/// Sizes and numbers of a world, scaled to its seats.
struct Plan {
    grid: Grid,
    cities: usize,
    ruins: usize,
    continents: std::ops::RangeInclusive<usize>,
    continent_land: usize,
}

impl Plan {
    fn new(w: &WorldTable, seats: u8) -> Self {
        let scale = u32::from(seats).max(w.seats_min);
        let area = u32::from(w.cols) * u32::from(w.rows) * scale / w.seats;
        let rows = (u32::from(w.rows).pow(2) * scale / w.seats).isqrt();
        let rows = rows.clamp(u32::from(w.rows_min.min(w.rows)), u32::from(w.rows));
        let share = |n: usize| n * scale as usize / w.seats as usize;
        let land = area as usize * w.land_percent as usize / 100;
        // The values of the table are small; the divisions keep the results within u16.
        let grid = Grid::globe((area / rows) as u16, rows as u16);
        Self {
            grid,
            cities: share(w.cities as usize).max(usize::from(seats)),
            ruins: share(w.ruins as usize),
            continents: share(w.continents_min).max(1)..=w.continents_max,
            continent_land: w.continent_land_min.min(land / 8),
        }
    }
}

/// Smooth noise from a seed, the same on every computer.
struct Noise(u64);

impl Noise {
    fn hash(&self, x: i32, y: i32) -> i64 {
        let mut z = self.0 ^ (u64::from(x as u32) << 32 | u64::from(y as u32));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 48) as i64
    }

    /// Value noise of one scale, 0 to 65535; wraps after `cols` columns.
    fn layer(&self, cols: i32, x: i32, y: i32, scale: i32, salt: i32) -> i64 {
        let across = (cols / scale).max(1);
        // Columns are stretched so that a whole number of cells goes round.
        let fx = i64::from(x) * i64::from(across) * 1024 / i64::from(cols);
        let (cx, tx) = ((fx / 1024) as i32, fx % 1024);
        let (cy, ty) = (y / scale, i64::from(y % scale) * 1024 / i64::from(scale));
        let (tx, ty) = (smooth(tx), smooth(ty));
        let at = |dx: i32, dy: i32| self.hash((cx + dx) % across + salt * 4096, cy + dy);
        let north = at(0, 0) * (1024 - tx) + at(1, 0) * tx;
        let south = at(0, 1) * (1024 - tx) + at(1, 1) * tx;
        (north * (1024 - ty) + south * ty) >> 20
    }

    /// Three octaves, 0 to 65535.
    fn fractal(&self, cols: i32, x: i32, y: i32, scale: i32) -> i64 {
        let layer = |n: i32, salt: i32| self.layer(cols, x, y, (scale / n).max(2), salt);
        (layer(1, 1) * 4 + layer(2, 2) * 2 + layer(4, 3)) / 7
    }
}

/// `3t² − 2t³` on 0 to 1024.
fn smooth(t: i64) -> i64 {
    (t * t * (3 * 1024 - 2 * t)) >> 20
}

/// One try; `None` when some step finds no room.
fn attempt(tables: &Tables, seats: u8, dice: &mut Dice) -> Option<World> {
    let w = &tables.world;
    let plan = Plan::new(w, seats);
    let noise = Noise(dice.word("world noise"));
    let mut world = World {
        grid: plan.grid,
        terrain: shape(w, &plan, &noise, dice),
        cities: Vec::new(),
        ruins: Vec::new(),
    };
    let continents =
        world.landmasses().sizes().iter().filter(|&&n| n >= plan.continent_land).count();
    if !plan.continents.contains(&continents) {
        return None;
    }
    world.cities = sites(w, &plan, &world, dice)?;
    cut_inlets(&mut world, dice);
    let homes = choose_homes(w, &mut world, seats, dice)?;
    paint(&mut world, &noise);
    let free = world.cities.iter().filter(|c| !homes.contains(c)).copied();
    let cities: Vec<Place> = homes.iter().copied().chain(free).collect();
    world.cities = cities;
    clear_ground(tables, &mut world, &homes, dice);
    level_incomes(tables, &mut world, &homes, dice);
    place_ruins(w, &plan, &mut world, dice);
    Some(world)
}

/// Land and sea: continents grow around centres, kept apart by channels.
fn shape(w: &WorldTable, plan: &Plan, noise: &Noise, dice: &mut Dice) -> Vec<u8> {
    let grid = plan.grid;
    let scale = grid.len() * w.continents_max / (usize::from(w.cols) * usize::from(w.rows));
    let most = scale.clamp(*plan.continents.start(), *plan.continents.end());
    let count = dice.between("continents", *plan.continents.start() as i64, most as i64);
    let centres = continent_centres(grid, count as usize, dice);
    // The radius of `count` round continents.
    let radius = (grid.len() as i64 * 100 / 320 / count.max(1)).isqrt();
    let heights: Vec<i64> = match dice.rules() >= GROWN {
        true => grown(grid, &centres, radius, noise, dice),
        false => grid.places().map(|p| cut(grid, &centres, radius, noise, p)).collect(),
    };
    let mut sorted = heights.clone();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let shore = sorted[grid.len() * w.land_percent as usize / 100];
    let ground = |h: &i64| if *h > shore { Terrain::Open } else { Terrain::Sea };
    heights.iter().map(|h| ground(h) as u8).collect()
}

/// The first version of the rules whose worlds use `grown`.
pub const GROWN: u32 = 5;

/// Heights of a world without straight lines. Distances to the centres are measured on a map that
/// noise has bent, each continent has its own reach, and noise sets the width of channels and ice.
fn grown(grid: Grid, centres: &[Place], radius: i64, noise: &Noise, dice: &mut Dice) -> Vec<i64> {
    let (cols, rows) = (i32::from(grid.cols), i32::from(grid.rows));
    let reach = |centre: &Place| (*centre, dice.between("continent reach", 85, 115));
    let centres: Vec<(Place, i64)> = centres.iter().map(reach).collect();
    // The most squares by which the map is bent; short ways stay apart.
    let bend = (radius / 2).clamp(3, 9);
    // The most rows from the edges of the map that may be ice.
    let icy = i64::from(rows / 5).clamp(4, 14);
    let height = |p: Place| {
        let (x, y) = (grid.col(p), grid.row(p));
        let swing = |salt: i32| {
            let (coarse, fine) =
                (noise.layer(cols, x, y, 18, salt), noise.layer(cols, x, y, 7, salt + 1));
            (coarse * 2 + fine - 3 * 32768) * bend * FINE / (3 * 32768)
        };
        let swing = (swing(4), swing(6));
        let ways = centres.iter().map(|&(c, reach)| bent_way(grid, (p, c), swing) * 100 / reach);
        let mut ways: Vec<i64> = ways.collect();
        ways.sort_unstable();
        let own = ways[0] * 16 / FINE;
        // A square at the same distance from two centres is in the channel.
        let channel = ways.get(1).map_or(i64::MAX, |second| second - ways[0]);
        let wide = 4 * FINE + noise.layer(cols, x, y, 12, 8) * 3 * FINE / 65536;
        let rough = (noise.fractal(cols, x, y, 24) - 32768) * radius / 3000;
        let pole = i64::from(y.min(rows - 1 - y)) * FINE;
        let edge = (noise.layer(cols, x, y, 17, 9) * 2 + noise.layer(cols, x, y, 7, 10)) * icy;
        let edge = 2 * FINE + edge * FINE / (3 * 65536);
        let ice = (edge - pole).max(0) * radius * 3 / FINE;
        let strait = wide.saturating_sub(channel).max(0) * radius * 3 / FINE;
        rough - own - ice - strait
    };
    grid.places().map(height).collect()
}

/// The height of a square in worlds of earlier versions, which have straight channels.
fn cut(grid: Grid, centres: &[Place], radius: i64, noise: &Noise, p: Place) -> i64 {
    let (cols, rows) = (i32::from(grid.cols), i32::from(grid.rows));
    let (x, y) = (grid.col(p), grid.row(p));
    let mut ways: Vec<i64> = centres.iter().map(|&c| crow_way(grid, p, c)).collect();
    ways.sort_unstable();
    let channel = ways.get(1).map_or(i64::MAX, |second| second - ways[0]);
    let rough = (noise.fractal(cols, x, y, 24) - 32768) * radius / 3000;
    let pole = i64::from(y.min(rows - 1 - y));
    let ice = if pole < 4 { (4 - pole) * radius * 6 } else { 0 };
    let strait = if channel < 4 { (4 - channel) * radius * 3 } else { 0 };
    rough - ways[0] * 16 - ice - strait
}

/// Parts of a square, the unit in which bent distances are measured.
const FINE: i64 = 16;

/// Straight distance between two squares, in parts of one, after noise has moved the first by
/// `swing`.
fn bent_way(grid: Grid, (from, to): (Place, Place), swing: (i64, i64)) -> i64 {
    let dx = i64::from(grid.across(from, to)) * FINE + swing.0;
    let dy = i64::from(grid.row(from) - grid.row(to)) * FINE + swing.1;
    (dx * dx + dy * dy).isqrt()
}

/// Straight distance in whole squares.
fn crow_way(grid: Grid, a: Place, b: Place) -> i64 {
    bent_way(grid, (a, b), (0, 0)) / FINE
}

/// Centres that are far from each other: each is the best of some random squares.
fn continent_centres(grid: Grid, count: usize, dice: &mut Dice) -> Vec<Place> {
    let (cols, rows) = (i64::from(grid.cols), i64::from(grid.rows));
    let mut centres: Vec<Place> = Vec::new();
    while centres.len() < count {
        let mut best: Option<(i64, Place)> = None;
        for _ in 0..12 {
            let col = dice.between("continent column", 0, cols - 1) as i32;
            let row = dice.between("continent row", rows / 5, rows - 1 - rows / 5) as i32;
            let Some(place) = grid.at(col, row) else { continue };
            let room = centres.iter().map(|&c| crow_way(grid, place, c)).min();
            let room = room.unwrap_or(i64::MAX);
            if best.is_none_or(|(most, _)| room > most) {
                best = Some((room, place));
            }
        }
        centres.extend(best.map(|(_, place)| place));
    }
    centres
}

/// Sites of all cities. Rows of sites are seven sectors apart and may shift by one, so that two
/// rows are never nearer than the spacing. Within a row, sites are the spacing and a small random
/// distance apart.
fn sites(w: &WorldTable, plan: &Plan, world: &World, dice: &mut Dice) -> Option<Vec<Place>> {
    let (grid, spacing) = (world.grid, w.city_spacing);
    let masses = world.landmasses();
    let cols = i32::from(grid.cols);
    let first_row = dice.between("site rows", 2, 5) as i32;
    let mut found: Vec<Place> = Vec::new();
    for base in (first_row..i32::from(grid.rows) - 2).step_by(spacing as usize + 1) {
        let start = dice.between("site start", 0, i64::from(cols) - 1) as i32;
        let mut offset = 0;
        while offset <= cols - spacing {
            let shift = dice.below("site shift", 2) as i32;
            let options = [shift, 1 - shift].map(|dy| grid.at(start + offset, base + dy));
            let land = |p: &Place| !world.is_sea(*p) && masses.size_at(*p) >= 6;
            let options: Vec<Place> = options.into_iter().flatten().filter(land).collect();
            let coast = options.iter().find(|&&p| world.is_coastal(p));
            match coast.or(options.first()) {
                Some(&site) => {
                    found.push(site);
                    offset += spacing + i32::from(dice.chance("site gap", 300));
                }
                None => offset += 1,
            }
        }
    }
    thin_out(w, plan, world, found, dice)
}

/// Drops sites that are too far from others, then inland ones, until the number is right.
fn thin_out(
    w: &WorldTable,
    plan: &Plan,
    world: &World,
    mut found: Vec<Place>,
    dice: &mut Dice,
) -> Option<Vec<Place>> {
    let grid = world.grid;
    let lonely = |all: &[Place], c: Place| {
        let near = |o: &&Place| **o != c && grid.distance(**o, c) <= w.city_nearest_max;
        all.iter().find(near).is_none()
    };
    while let Some(i) = (0..found.len()).find(|&i| lonely(&found, found[i])) {
        found.swap_remove(i);
    }
    dice.shuffle("sites to drop", &mut found);
    found.sort_by_key(|&c| world.is_coastal(c));
    let mut i = 0;
    while found.len() > plan.cities && i < found.len() {
        let gone = found.remove(i);
        // A drop that leaves a neighbour too far from others is undone.
        let near = |o: &&Place| grid.distance(**o, gone) <= w.city_nearest_max;
        if found.iter().filter(near).any(|&o| lonely(&found, o)) {
            found.insert(i, gone);
            i += 1;
        }
    }
    found.sort_unstable();
    (found.len() == plan.cities).then_some(found)
}

/// Cuts fjords to inland cities until half of all cities lie on the coast.
fn cut_inlets(world: &mut World, dice: &mut Dice) {
    let grid = world.grid;
    let mut inland: Vec<Place> =
        world.cities.iter().filter(|&&c| !world.is_coastal(c)).copied().collect();
    dice.shuffle("inlets", &mut inland);
    let way_to_sea = |world: &World, c: Place| {
        grid.within(c, 6).filter(|&p| world.is_sea(p)).map(|p| (grid.distance(c, p), p)).min()
    };
    inland.sort_by_key(|&c| way_to_sea(world, c).map_or(i32::MAX, |(d, _)| d));
    let coastal = world.cities.len() - inland.len();
    let missing = world.cities.len().div_ceil(2).saturating_sub(coastal);
    let mut cut = 0;
    for city in inland {
        if cut >= missing {
            break;
        }
        let Some((_, mut at)) = way_to_sea(world, city) else { continue };
        while grid.distance(at, city) > 1 {
            let nearer = |p: &Place| (grid.distance(*p, city), crow_way(grid, *p, city), p.0);
            let next = grid.neighbours(at).map(|(_, p)| p);
            let Some(next) = next.filter(|p| !world.cities.contains(p)).min_by_key(nearer) else {
                break;
            };
            at = next;
            world.terrain[usize::from(at.0)] = Terrain::Sea as u8;
        }
        cut += 1;
    }
}

/// Paints terrain in regions: mountains with hills around them, dry belts near the tropics, wet
/// ground near coasts, woods and forests where rain falls.
fn paint(world: &mut World, noise: &Noise) {
    let grid = world.grid;
    let (cols, rows) = (i32::from(grid.cols), i32::from(grid.rows));
    let ridges = Noise(noise.0 ^ 0x5151);
    let rain = Noise(noise.0 ^ 0xa7a7);
    let detail = Noise(noise.0 ^ 0x3c3c);
    for place in grid.places() {
        if world.is_sea(place) {
            continue;
        }
        let (x, y) = (grid.col(place), grid.row(place));
        // Mountains follow the line where the noise has its middle value.
        let ridge = (ridges.fractal(cols, x, y, 22) - 32768).abs();
        let wet = rain.fractal(cols, x, y, 14) + (detail.layer(cols, x, y, 3, 7) - 32768) / 6;
        // 0 at the equator, 100 at a pole.
        let latitude = (2 * y - rows).abs() * 100 / rows;
        let coast = world.is_coastal(place);
        let dry_belt = (15..45).contains(&latitude);
        let terrain = match () {
            () if ridge < 1100 => Terrain::Mountains,
            () if ridge < 2900 => Terrain::Hills,
            () if latitude > 82 => Terrain::Barren,
            () if dry_belt && wet < 27500 => Terrain::Desert,
            () if wet < 22500 => Terrain::Barren,
            () if wet > 43000 && (coast || wet > 46000) => Terrain::Swamp,
            () if wet > 41500 => Terrain::Marsh,
            () if wet > 38500 => Terrain::Forest,
            () if wet > 34500 => Terrain::Woods,
            () => Terrain::Open,
        };
        world.terrain[usize::from(place.0)] = terrain as u8;
    }
    for city in world.cities.clone() {
        let at = &mut world.terrain[usize::from(city.0)];
        if *at != Terrain::Hills as u8 {
            *at = Terrain::Open as u8;
        }
    }
}

/// Opens closed ground around homes until armour can move there.
fn clear_ground(tables: &Tables, world: &mut World, homes: &[Place], dice: &mut Dice) {
    let w = &tables.world;
    for &home in homes {
        let mut near: Vec<Place> = world.grid.within(home, w.home_radius).collect();
        let need = near.len() * w.home_passable_percent / 100;
        let mut have = world.passable_near(tables, home);
        dice.shuffle("ground to clear", &mut near);
        for place in near {
            if have >= need {
                break;
            }
            let opened = match world.ground(place) {
                Terrain::Forest => Terrain::Woods,
                Terrain::Swamp => Terrain::Marsh,
                Terrain::Mountains => Terrain::Hills,
                _ => continue,
            };
            world.terrain[usize::from(place.0)] = opened as u8;
            have += 1;
        }
    }
}

/// Makes the land around homes richer or poorer, one sector at a time, until the possible incomes
/// are nearly equal. Homes share land, so a change is made only when it brings all homes that it
/// affects, taken together, nearer to the target.
fn level_incomes(tables: &Tables, world: &mut World, homes: &[Place], dice: &mut Dice) {
    let (w, grid) = (&tables.world, world.grid);
    let mut values: Vec<i64> = homes.iter().map(|&h| world.potential(tables, h)).collect();
    let target = income_target(tables, world, homes, &values);
    let radius = i64::from(w.income_radius);
    let mut order: Vec<usize> = (0..homes.len()).collect();
    for _ in 0..4_000 {
        if spread_within(&values, w.income_spread_percent) {
            return;
        }
        // The homes farthest from the target come first.
        order.sort_by_key(|&i| std::cmp::Reverse((values[i] - target).abs()));
        for &i in order.iter().take(homes.len().div_ceil(4)) {
            let dx = dice.between("levelled column", -radius, radius) as i32;
            let dy = dice.between("levelled row", -radius, radius) as i32;
            let place = grid.at(grid.col(homes[i]) + dx, grid.row(homes[i]) + dy);
            let Some(place) = place.filter(|p| !world.cities.contains(p)) else { continue };
            let old = world.ground(place);
            let new = match values[i] < target {
                true => richer(old),
                false => poorer(old, grid.row(place) * 2 < i32::from(grid.rows)),
            };
            let change = tables.ground(new).income - tables.ground(old).income;
            let touched = (0..homes.len())
                .filter(|&j| grid.distance(homes[j], place) <= w.income_radius)
                .collect::<Vec<_>>();
            let miss = |v: i64| (v - target) * (v - target);
            let gain: i64 =
                touched.iter().map(|&j| miss(values[j]) - miss(values[j] + change)).sum();
            if gain > 0 {
                world.terrain[usize::from(place.0)] = new as u8;
                touched.iter().for_each(|&j| values[j] += change);
            }
        }
    }
}

/// The income to which all homes are brought: the median, or less if the home with the least land
/// can't reach it.
fn income_target(tables: &Tables, world: &World, homes: &[Place], values: &[i64]) -> i64 {
    let richest = tables.ground(Terrain::Open).income;
    let radius = tables.world.income_radius;
    let land =
        |&h: &Place| world.grid.within(h, radius).filter(|&p| !world.is_sea(p)).count() as i64;
    let ceiling = homes.iter().map(land).min().unwrap_or(0) * richest * 80 / 100;
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).map_or(0, |&middle| middle.min(ceiling))
}

fn richer(old: Terrain) -> Terrain {
    match old {
        Terrain::Barren | Terrain::Desert | Terrain::Marsh => Terrain::Hills,
        Terrain::Mountains | Terrain::Swamp | Terrain::Forest => Terrain::Woods,
        Terrain::Hills => Terrain::Woods,
        Terrain::Woods => Terrain::Open,
        Terrain::Open | Terrain::Sea => old,
    }
}

fn poorer(old: Terrain, north: bool) -> Terrain {
    match old {
        Terrain::Open => Terrain::Woods,
        Terrain::Woods => Terrain::Hills,
        Terrain::Hills if north => Terrain::Barren,
        Terrain::Hills => Terrain::Desert,
        Terrain::Forest => Terrain::Marsh,
        _ => old,
    }
}

fn place_ruins(w: &WorldTable, plan: &Plan, world: &mut World, dice: &mut Dice) {
    let mut land: Vec<Place> = world.grid.places().filter(|&p| !world.is_sea(p)).collect();
    dice.shuffle("ruins", &mut land);
    for place in land {
        if world.ruins.len() == plan.ruins {
            break;
        }
        let taken = world.cities.iter().chain(&world.ruins);
        let near = |other: &Place| world.grid.distance(*other, place) < w.ruin_spacing;
        if !taken.into_iter().any(near) {
            world.ruins.push(place);
        }
    }
    world.ruins.sort_unstable();
}
