//! The spaces of a map: countries and seas, their neighbours and their air ranges (§2, §19).

use std::collections::{BTreeMap, BTreeSet};

use engine::graph::Node;
use serde::{Deserialize, Serialize};

/// The number of a space on the map: countries first, then seas, each sorted by code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SpaceId(pub u16);

impl Node for SpaceId {
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A row of a map file; the keys are explained in `europe.toml` and `world.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpaceRow {
    /// Its code in orders.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Whether it is a sea.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sea: bool,
    /// Codes of the countries with a common border.
    #[serde(default)]
    pub land: String,
    /// Codes of the seas on its coast; for a sea, codes of the seas next to it.
    #[serde(default)]
    pub seas: String,
    /// Whether it is an island.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub island: bool,
    /// Whether air force reaches across this sea.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub star: bool,
    /// The player who owned it in 1939; 0: a minor.
    #[serde(default)]
    pub original: u8,
    /// Industry in 1939.
    #[serde(default)]
    pub i39: i64,
    /// Industry in 1982.
    #[serde(default)]
    pub i82: i64,
    /// Column and row of the schematic map.
    pub at: [u8; 2],
}

/// A strait or canal: two seas that are linked through a country (§14).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CanalRow {
    /// The code of the country that it runs through.
    pub by: String,
    /// Codes of the two seas.
    pub links: [String; 2],
}

/// A map file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapFile {
    /// Pairs of codes that are in air range although the rule does not say so.
    #[serde(default)]
    pub dotted: String,
    /// Codes of spaces on the northern ice.
    #[serde(default)]
    pub icepack: String,
    /// All spaces.
    pub space: Vec<SpaceRow>,
    /// Straits and canals.
    #[serde(default)]
    pub canal: Vec<CanalRow>,
}

impl MapFile {
    /// The part of the map with the given codes; all of it if there are none.
    pub fn part(mut self, codes: &str, icepack: bool) -> Self {
        if !icepack {
            self.icepack.clear();
        }
        if codes.is_empty() {
            return self;
        }
        let kept: BTreeSet<&str> = codes.split_whitespace().collect();
        let only = |list: &str| -> String {
            let left: Vec<&str> = list.split_whitespace().filter(|c| kept.contains(c)).collect();
            left.join(" ")
        };
        self.space.retain(|s| kept.contains(s.code.as_str()));
        for space in &mut self.space {
            space.land = only(&space.land);
            space.seas = only(&space.seas);
        }
        self.dotted = {
            let both = |pair: &&str| pair.split('-').all(|c| kept.contains(c));
            self.dotted.split_whitespace().filter(both).collect::<Vec<_>>().join(" ")
        };
        self.canal.retain(|c| kept.contains(c.by.as_str()));
        self
    }
}

/// A map with its links computed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "MapFile", into = "MapFile")]
pub struct Map {
    file: MapFile,
    countries: usize,
    by_code: BTreeMap<String, SpaceId>,
    next_to: Vec<Vec<SpaceId>>,
    in_range: Vec<BTreeSet<SpaceId>>,
    canals: Vec<(SpaceId, SpaceId, SpaceId)>,
}

impl From<MapFile> for Map {
    fn from(file: MapFile) -> Self {
        Self::new(file)
    }
}

impl From<Map> for MapFile {
    fn from(map: Map) -> Self {
        map.file
    }
}

fn insert(list: &mut Vec<SpaceId>, space: SpaceId) {
    if let Err(at) = list.binary_search(&space) {
        list.insert(at, space);
    }
}

impl Map {
    /// Computes the links of a map file.
    pub fn new(mut file: MapFile) -> Self {
        file.space.sort_by(|a, b| (a.sea, &a.code).cmp(&(b.sea, &b.code)));
        let countries = file.space.iter().filter(|s| !s.sea).count();
        // A map has far fewer spaces than a `SpaceId` can number.
        let numbers = (0..).map(SpaceId);
        let by_code: BTreeMap<String, SpaceId> =
            file.space.iter().map(|s| s.code.clone()).zip(numbers).collect();
        let find = |code: &str| by_code.get(code).copied();
        let mut next_to = vec![Vec::new(); file.space.len()];
        for (space, row) in (0..).map(SpaceId).zip(&file.space) {
            for other in row.land.split_whitespace().chain(row.seas.split_whitespace()) {
                let Some(other) = find(other) else { continue };
                insert(&mut next_to[usize::from(space.0)], other);
                insert(&mut next_to[usize::from(other.0)], space);
            }
        }
        let canal = |c: &CanalRow| Some((find(&c.by)?, find(&c.links[0])?, find(&c.links[1])?));
        let canals = file.canal.iter().filter_map(canal).collect();
        let mut map = Self {
            countries,
            by_code,
            in_range: vec![BTreeSet::new(); file.space.len()],
            next_to,
            canals,
            file,
        };
        map.in_range = map.ranges();
        map
    }

    /// Air ranges: neighbours, spaces beyond one country, star seas, arrows of the map, the
    /// northern ice.
    fn ranges(&self) -> Vec<BTreeSet<SpaceId>> {
        let mut near: Vec<BTreeSet<SpaceId>> = Vec::new();
        for space in self.all() {
            let mut reach: BTreeSet<SpaceId> = self.neighbours(space).iter().copied().collect();
            for between in self.neighbours(space) {
                let behind = self.neighbours(*between);
                if !self.is_sea(*between) {
                    reach.extend(behind);
                } else if self.row(*between).star && !self.is_sea(space) {
                    reach.extend(behind.iter().filter(|s| !self.is_sea(**s)));
                }
            }
            near.push(reach);
        }
        let mut link = |a: SpaceId, b: SpaceId| {
            near[usize::from(a.0)].insert(b);
            near[usize::from(b.0)].insert(a);
        };
        for pair in self.file.dotted.split_whitespace() {
            let mut ends = pair.split('-').filter_map(|c| self.find(c));
            if let (Some(a), Some(b)) = (ends.next(), ends.next()) {
                link(a, b);
            }
        }
        let ice: Vec<SpaceId> =
            self.file.icepack.split_whitespace().filter_map(|c| self.find(c)).collect();
        for (i, a) in ice.iter().enumerate() {
            ice[..i].iter().for_each(|b| link(*a, *b));
        }
        for (space, reach) in self.all().zip(&mut near) {
            reach.remove(&space);
        }
        near
    }

    /// Pairs that are in air range by an arrow of the map.
    pub fn arrows(&self) -> impl Iterator<Item = (SpaceId, SpaceId)> {
        self.file.dotted.split_whitespace().filter_map(|pair| {
            let mut ends = pair.split('-').map(|c| self.find(c));
            Some((ends.next()??, ends.next()??))
        })
    }

    /// The faults of the file: unknown codes, one-sided borders.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut seen = BTreeSet::new();
        for row in &self.file.space {
            let code = &row.code;
            if !seen.insert(code) {
                faults.push(format!("{code} stands twice on the map"));
            }
            for other in row.land.split_whitespace() {
                let back = self.find(other).map(|o| self.row(o));
                if back.is_none_or(|b| b.sea || !b.land.split_whitespace().any(|c| c == code)) {
                    faults.push(format!("{code} borders on {other}, but not the other way"));
                }
            }
            for other in row.seas.split_whitespace() {
                if self.find(other).is_none_or(|o| !self.is_sea(o)) {
                    faults.push(format!("{code} lies on {other}, which is no sea"));
                }
            }
        }
        faults
    }

    /// Number of spaces.
    pub fn len(&self) -> usize {
        self.file.space.len()
    }

    /// Whether there is no space at all.
    pub fn is_empty(&self) -> bool {
        self.file.space.is_empty()
    }

    /// Number of countries; they have the first numbers.
    pub fn country_count(&self) -> usize {
        self.countries
    }

    /// Every space, in order.
    pub fn all(&self) -> impl Iterator<Item = SpaceId> + use<> {
        // A map has far fewer spaces than a `u16` can number.
        (0..self.len() as u16).map(SpaceId)
    }

    /// Every country, in order.
    pub fn countries(&self) -> impl Iterator<Item = SpaceId> + use<> {
        self.all().take(self.countries)
    }

    /// Every sea, in order.
    pub fn seas(&self) -> impl Iterator<Item = SpaceId> + use<> {
        self.all().skip(self.countries)
    }

    /// The row of a space of this map.
    pub fn row(&self, space: SpaceId) -> &SpaceRow {
        &self.file.space[usize::from(space.0)]
    }

    /// The code of a space.
    pub fn code(&self, space: SpaceId) -> &str {
        &self.row(space).code
    }

    /// The name of a space.
    pub fn name(&self, space: SpaceId) -> &str {
        &self.row(space).name
    }

    /// Whether a space is a sea.
    pub fn is_sea(&self, space: SpaceId) -> bool {
        usize::from(space.0) >= self.countries
    }

    /// Whether a country lies on a sea.
    pub fn has_coast(&self, space: SpaceId) -> bool {
        self.neighbours(space).iter().any(|s| self.is_sea(*s))
    }

    /// The neighbours of a space, without those across canals.
    pub fn neighbours(&self, space: SpaceId) -> &[SpaceId] {
        &self.next_to[usize::from(space.0)]
    }

    /// Whether two spaces are neighbours; canals do not count.
    pub fn adjacent(&self, a: SpaceId, b: SpaceId) -> bool {
        self.neighbours(a).binary_search(&b).is_ok()
    }

    /// Spaces in air range of a space, its neighbours included.
    pub fn air_range(&self, space: SpaceId) -> &BTreeSet<SpaceId> {
        &self.in_range[usize::from(space.0)]
    }

    /// Whether two spaces are in air range of each other.
    pub fn in_air_range(&self, a: SpaceId, b: SpaceId) -> bool {
        self.air_range(a).contains(&b)
    }

    /// The country whose canal links two seas.
    pub fn canal(&self, a: SpaceId, b: SpaceId) -> Option<SpaceId> {
        let links = |c: &&(SpaceId, SpaceId, SpaceId)| [(c.1, c.2), (c.2, c.1)].contains(&(a, b));
        self.canals.iter().find(links).map(|c| c.0)
    }

    /// The space with a code; the code must be in capitals.
    pub fn find(&self, code: &str) -> Option<SpaceId> {
        self.by_code.get(code).copied()
    }

    /// The space that a wrong code probably means: one whose name begins with it, otherwise the one
    /// with the nearest code.
    pub fn meant(&self, code: &str) -> Option<SpaceId> {
        let named = self.all().find(|s| self.name(*s).to_uppercase().starts_with(code));
        let near = || {
            let distance = |s: &SpaceId| strsim::osa_distance(code, self.code(*s));
            self.all().filter(|s| distance(s) == 1).min_by_key(distance)
        };
        named.filter(|_| code.len() > 1).or_else(near)
    }
}
