//! The map: boards, regions, categories, links (§2, §3).
//!
//! A game knows only the regions of its own boards. Regions out of play are not on its map (§3.2),
//! so no other file needs to check for them.

use std::sync::{Arc, LazyLock};

use engine::graph::{self, Node};
use serde::{Deserialize, Serialize};
use tongue::mark;

/// The embedded map.
pub const EMBEDDED: &str = include_str!("../../../config/classic-warlord/map.toml");

/// The regions of a board have numbers from 1 to this one.
const PER_BOARD: u16 = 99;

/// A region of the game's map, by its place in [`Map::regions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Place(pub u16);

impl Node for Place {
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The category of land in a region (§2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// `Y`
    MegaCity,
    /// `R`
    Key,
    /// `G`
    Rural,
    /// `B`
    Mountains,
    /// `S`
    Sea,
    /// `W`
    Light,
}

impl Category {
    /// Every category, in the order of the rulebook.
    pub const ALL: [Self; 6] =
        [Self::MegaCity, Self::Key, Self::Rural, Self::Mountains, Self::Sea, Self::Light];

    /// The letter in data files and in the scopes of guesses.
    pub fn letter(self) -> char {
        match self {
            Self::MegaCity => 'Y',
            Self::Key => 'R',
            Self::Rural => 'G',
            Self::Mountains => 'B',
            Self::Sea => 'S',
            Self::Light => 'W',
        }
    }

    /// The category with a letter.
    pub fn of(letter: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| letter.len() == 1 && letter.starts_with(c.letter()))
    }

    /// Its name in English.
    pub fn name(self) -> &'static str {
        match self {
            Self::MegaCity => mark!("mega city"),
            Self::Key => mark!("key region"),
            Self::Rural => mark!("rural"),
            Self::Mountains => mark!("mountains"),
            Self::Sea => mark!("sea"),
            Self::Light => mark!("lightly populated"),
        }
    }
}

/// A region of the map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The number `bnn`: the board, then the number on it.
    pub number: u16,
    /// Its category of land.
    pub category: Category,
    /// The middle of the region in tenths of a degree, east and north.
    pub at: (i32, i32),
    /// Its name.
    pub name: String,
    /// The regions that share a boundary with it, ascending.
    pub near: Vec<Place>,
}

impl Region {
    /// The number of its board.
    pub fn board(&self) -> u8 {
        // A number has at most three digits.
        (self.number / 100) as u8
    }
}

/// The regions in play, ascending by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map {
    /// Number and name of each board in play.
    pub boards: Vec<(u8, String)>,
    /// The regions.
    pub regions: Vec<Region>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "name")]
    _name: String,
    #[serde(rename = "version")]
    _version: u32,
    board: Vec<BoardRows>,
    links: LinkRows,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardRows {
    id: u8,
    name: String,
    regions: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkRows {
    rows: String,
}

impl Map {
    /// Reads a map file.
    ///
    /// # Errors
    /// One sentence for each row that can't be read or does not fit the others.
    pub fn read(text: &str) -> Result<Self, Vec<String>> {
        let file: File =
            engine::data::from_toml(text).map_err(|e| vec![format!("map.toml: {e}")])?;
        let mut faults = Vec::new();
        let mut map = Self { boards: Vec::new(), regions: Vec::new() };
        for board in file.board {
            for row in rows(&board.regions) {
                match region(row) {
                    Some(region) if region.board() == board.id => map.regions.push(region),
                    Some(region) => faults
                        .push(format!("map.toml: {} is not of board {}", region.number, board.id)),
                    None => faults.push(format!(
                        "map.toml: {row:?} is no region; a row is number, category (one of YRGBSW), \
                         longitude and latitude times ten, name"
                    )),
                }
            }
            map.boards.push((board.id, board.name));
        }
        map.regions.sort_by_key(|r| r.number);
        for pair in map.regions.windows(2).filter(|p| p[0].number == p[1].number) {
            faults.push(format!("map.toml: {} is there twice", pair[0].number));
        }
        for row in rows(&file.links.rows) {
            let ends: Option<Vec<Place>> =
                row.split(' ').map(|n| map.find(n.parse().ok()?)).collect();
            match ends.as_deref() {
                Some([a, b]) if a < b => {
                    map.regions[a.index()].near.push(*b);
                    map.regions[b.index()].near.push(*a);
                }
                _ => faults.push(format!(
                    "map.toml: {row:?} is no link; a row is two regions, the lower number first"
                )),
            }
        }
        for region in &mut map.regions {
            region.near.sort_unstable();
            if region.near.windows(2).any(|pair| pair[0] == pair[1]) {
                faults.push(format!("map.toml: a link of {} is there twice", region.number));
            }
        }
        if faults.is_empty() { Ok(map) } else { Err(faults) }
    }

    /// The part of the map with only these boards.
    pub fn part(&self, boards: &[u8]) -> Self {
        let kept = |r: &Region| boards.contains(&r.board());
        let mut next = 0;
        let place = |r: &Region| {
            let number = next;
            next += u16::from(kept(r));
            kept(r).then_some(Place(number))
        };
        let places: Vec<Option<Place>> = self.regions.iter().map(place).collect();
        let regions = self.regions.iter().filter(|r| kept(r)).map(|region| Region {
            near: region.near.iter().filter_map(|n| places[n.index()]).collect(),
            ..region.clone()
        });
        Self {
            boards: self.boards.iter().filter(|b| boards.contains(&b.0)).cloned().collect(),
            regions: regions.collect(),
        }
    }

    /// The number of regions.
    pub fn len(&self) -> usize {
        self.regions.len()
    }

    /// Whether there are no regions.
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    /// Every region, ascending.
    pub fn places(&self) -> impl DoubleEndedIterator<Item = Place> + use<> {
        // A map has fewer regions than there are numbers of three digits.
        (0..self.regions.len() as u16).map(Place)
    }

    /// The region with this number.
    pub fn find(&self, number: u16) -> Option<Place> {
        let found = self.regions.binary_search_by_key(&number, |r| r.number).ok()?;
        u16::try_from(found).ok().map(Place)
    }

    /// The region at a place.
    pub fn region(&self, at: Place) -> &Region {
        &self.regions[at.index()]
    }

    /// The category of a region.
    pub fn category(&self, at: Place) -> Category {
        self.region(at).category
    }

    /// The regions that share a boundary with this one.
    pub fn near(&self, at: Place) -> impl Iterator<Item = Place> + use<'_> {
        self.region(at).near.iter().copied()
    }

    /// Whether two regions share a boundary.
    pub fn touch(&self, a: Place, b: Place) -> bool {
        self.region(a).near.binary_search(&b).is_ok()
    }

    /// A region for readers: number and name.
    pub fn called(&self, at: Place) -> String {
        let region = self.region(at);
        format!("{} {}", region.number, region.name)
    }

    /// Boundaries between a region and each region (§2); `None` where no way leads.
    pub fn distances(&self, from: Place) -> Vec<Option<u32>> {
        graph::distances(self.len(), [from], |p| self.near(p), |_, _| true)
    }

    /// The numbers of the regions in play, as in `501–575, 601–675`.
    pub fn numbers(&self) -> String {
        let span = |board: &(u8, String)| {
            let of = |r: &&Region| r.board() == board.0;
            let first = self.regions.iter().find(of)?.number;
            let last = self.regions.iter().rfind(of)?.number;
            Some(format!("{first}–{last}"))
        };
        self.boards.iter().filter_map(span).collect::<Vec<_>>().join(", ")
    }

    /// Whether ways connect all regions.
    pub fn is_connected(&self) -> bool {
        graph::Areas::of(self.len(), self.places(), |p| self.near(p), |_| true).count() <= 1
    }
}

/// The rows of a text that are not empty.
fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|l| !l.is_empty())
}

fn region(row: &str) -> Option<Region> {
    let mut words = row.splitn(5, ' ');
    let number: u16 = words.next()?.parse().ok()?;
    let category = Category::of(words.next()?)?;
    let at = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let name = words.next().filter(|n| !n.is_empty())?.to_owned();
    let whole = (100..1000).contains(&number) && (1..=PER_BOARD).contains(&(number % 100));
    whole.then_some(Region { number, category, at, name, near: Vec::new() })
}

/// The embedded map, read only once.
static WHOLE: LazyLock<Arc<Map>> = LazyLock::new(|| {
    // A test ensures that it can be read.
    let none = |_| Map { boards: Vec::new(), regions: Vec::new() };
    Arc::new(Map::read(EMBEDDED).unwrap_or_else(none))
});

/// The map of one game. It is read from its source, and only the source is saved. A game on the
/// embedded map saves no copy of it; a test pins the rows of that map by a digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Source", into = "Source")]
pub struct Ground {
    source: Source,
    map: Arc<Map>,
}

/// The source of a game's map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Source {
    /// The boards in play.
    boards: Vec<u8>,
    /// The text of the map, if it is not the embedded one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl Ground {
    /// The boards of the embedded map, or of a game master's own map; an empty list means all.
    ///
    /// # Errors
    /// One sentence for each fault of the map, and for boards that it does not have.
    pub fn new(boards: &[u8], text: Option<&str>) -> Result<Self, Vec<String>> {
        let text = text.filter(|t| *t != EMBEDDED).map(str::to_owned);
        let whole = match &text {
            None => Arc::clone(&WHOLE),
            Some(text) => Arc::new(Map::read(text)?),
        };
        let all = || whole.boards.iter().map(|b| b.0).collect();
        let boards: Vec<u8> = if boards.is_empty() { all() } else { boards.to_vec() };
        let known = |b: &&u8| whole.boards.iter().any(|(id, _)| id == *b);
        if let Some(strange) = boards.iter().find(|b| !known(b)) {
            let names: Vec<String> =
                whole.boards.iter().map(|(id, name)| format!("{id} {name}")).collect();
            let names = names.join(", ");
            return Err(vec![format!("boards: there is no board {strange}; there are {names}")]);
        }
        let map = Arc::new(whole.part(&boards));
        Ok(Self { source: Source { boards, text }, map })
    }
}

impl TryFrom<Source> for Ground {
    type Error = String;

    fn try_from(source: Source) -> Result<Self, String> {
        Self::new(&source.boards, source.text.as_deref()).map_err(|faults| faults.join("; "))
    }
}

impl From<Ground> for Source {
    fn from(ground: Ground) -> Self {
        ground.source
    }
}

impl std::ops::Deref for Ground {
    type Target = Map;

    fn deref(&self) -> &Map {
        &self.map
    }
}
