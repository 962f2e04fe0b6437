//! The result of a card before anything moves: every order judged against the seat's own position,
//! amounts limited to what is there, standing orders and default builds filled in (§4 to §8).
//!
//! The echo and the turn use the same [`Paper`], so an echo never promises what the turn does not
//! do. The desk knows one seat's position and public facts.

mod builds;
mod forces;
mod player;
mod post;
mod standing;

pub use builds::{builds_alone, default_builds};
pub use forces::conflict;

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::map::{Map, SpaceId};
use super::orders::{self, Entry, Order, PlayerOrder, default_letter};
use super::state::{COUNTERSPY, Country, Forces, ITEMS, Player, SPY, State};
use super::tables::Tables;
use super::verbs::{Arm, UnitOrder};
use engine::press::Addressee;
use engine::{CardText, Told};
use tongue::{gapped, mark, say, word};

/// Something that a seat gives orders for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holding {
    /// A country that it occupies, or a minor that it controls.
    Land(Box<Country>),
    /// Own forces in a sea.
    Sea(Forces),
}

impl Holding {
    /// Units of an arm that can be ordered.
    pub fn stock(&self, arm: Arm) -> i64 {
        match (self, arm) {
            (Self::Land(country), _) => country.stock(arm),
            (Self::Sea(forces), Arm::Army) => forces.army,
            (Self::Sea(forces), Arm::Navy) => forces.navy,
            (Self::Sea(forces), Arm::Air) => forces.air,
            (Self::Sea(_), _) => 0,
        }
    }
}

/// A seat's own position.
#[derive(Debug, Clone)]
pub struct Position {
    /// The player's settings and treasury.
    pub player: Player,
    /// What the seat gives orders for.
    pub holdings: BTreeMap<SpaceId, Holding>,
}

impl Position {
    /// Cuts a seat's position out of the state.
    pub fn of(state: &State, seat: u8) -> Self {
        let lands = state.lands().filter(|(_, c)| c.holder() == seat);
        let lands = lands.map(|(s, c)| {
            // Spies of others in the country are not part of the position.
            (s, Holding::Land(Box::new(Country { spies: BTreeMap::new(), ..c.clone() })))
        });
        let sea = |s: SpaceId| {
            let forces = state.sea(s).get(&seat).copied().filter(|f| !f.is_empty())?;
            Some((s, Holding::Sea(forces)))
        };
        let seas = state.tables.map.seas().filter_map(sea);
        Self { player: state.player(seat).clone(), holdings: lands.chain(seas).collect() }
    }
}

/// Public facts that orders are judged by.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The tables of the game.
    pub tables: &'a Tables,
    /// The turn that the card is for.
    pub turn: u32,
    /// Number of players.
    pub players: u8,
    /// The occupier of each country.
    pub owners: &'a [u8],
    /// See [`State::revised`].
    pub revised: bool,
}

/// Where a job comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// An order of the card.
    Card,
    /// A standing order, by its slot from 0.
    Standing(usize),
    /// A default build.
    Default,
}

/// An order to the forces of a space as it will be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The order, with the number that is available.
    pub order: UnitOrder<SpaceId>,
    /// Where it comes from.
    pub origin: Origin,
    /// The canal that must be open for it.
    pub canal: Option<SpaceId>,
}

impl Job {
    /// The canal that must be open for it and that the seat does not hold.
    pub fn shut(&self, position: &Position) -> Option<SpaceId> {
        self.canal.filter(|by| !position.holdings.contains_key(by))
    }
}

/// A message as it will be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The receivers by seat; everybody for [`Addressee::All`] and news.
    pub to: Addressee,
    /// Whether the sender is not named.
    pub anonymous: bool,
    /// Its lines as they are printed.
    pub text: Vec<String>,
}

/// A fixed text to be sent: its receiver, the text and a space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wire {
    /// The receiver; 0 is everybody.
    pub to: u8,
    /// The index of the text in the list, from 0.
    pub text: usize,
    /// The space that it names.
    pub space: Option<SpaceId>,
}

/// Where Dollars, spies or counterspies go: one country, or spread over those of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// One country.
    Country(SpaceId),
    /// The countries of a player; 0: minors.
    Spread(u8),
}

/// What became of a standing order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Use {
    /// Used, with this number of units.
    Used(i64),
    /// Kept for another turn, with the reason.
    Skipped(String),
}

/// An accepted order, with the number that can be carried out and its space resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// An order of the player.
    Player(PlayerOrder),
    /// An order to the forces of a space.
    Unit(SpaceId, UnitOrder<SpaceId>),
    /// A standing order of a country and its slot from 0; `None` cancels it.
    Standing(SpaceId, usize, Option<UnitOrder<SpaceId>>),
}

/// The result of a card.
#[derive(Debug, Clone)]
pub struct Paper {
    /// Each order as written, with its verdict, in card order.
    pub told: Vec<(u32, String, Told)>,
    /// The act of each order, if it was accepted.
    pub acts: Vec<Option<Act>>,
    /// The player after declarations and settings, with everything spent.
    pub player: Player,
    /// Accepted orders.
    pub count: usize,
    /// Whole Dollars that are spent.
    pub spent: i64,
    /// Receiver and whole Dollars.
    pub gifts: Vec<(u8, i64)>,
    /// Dollars by item.
    pub research: [i64; 8],
    /// Dollars on spies and counterspies.
    pub training: [i64; 2],
    /// Whole Dollars.
    pub propaganda: Vec<(Where, i64)>,
    /// Spies that go out.
    pub spies: Vec<(Where, i64)>,
    /// Counterspies that are used.
    pub counterspies: Vec<(Where, i64)>,
    /// Orders to forces that will be tried, by space.
    pub jobs: BTreeMap<SpaceId, Vec<Job>>,
    /// Standing orders after the card, by country and slot.
    pub standing: BTreeMap<SpaceId, [Option<UnitOrder<SpaceId>>; 5]>,
    /// What became of each of them, by country and slot from 0.
    pub standing_use: BTreeMap<(SpaceId, usize), Use>,
    /// Messages.
    pub letters: Vec<Letter>,
    /// The item for the newspaper.
    pub news: Option<Letter>,
    /// Fixed texts.
    pub wires: Vec<Wire>,
}

/// A desk at work.
struct Desk<'a> {
    facts: Facts<'a>,
    holdings: &'a BTreeMap<SpaceId, Holding>,
    paper: Paper,
    /// Dollars, spies and counterspies that are left, in whole units.
    left: [i64; 3],
    /// Units of a space that have no order yet.
    free: BTreeMap<(SpaceId, Arm), i64>,
    /// The section that orders belong to.
    section: Section,
    /// The act of the current order, and the amount that it took from a stock.
    act: Option<Act>,
    taken: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Player,
    Space(SpaceId),
    /// No valid section: the code is unknown, or the seat has nothing there.
    Lost,
}

/// Works through a card.
pub fn work(facts: Facts, position: &Position, card: &CardText) -> Paper {
    let (entries, remarks) = orders::read_as(card, facts.revised);
    let player = position.player.clone();
    let left = [player.cents / 100, player.spies / 100, player.counterspies / 100];
    let mut desk = Desk {
        facts,
        holdings: &position.holdings,
        paper: Paper {
            told: Vec::new(),
            acts: Vec::new(),
            player,
            count: 0,
            spent: 0,
            gifts: Vec::new(),
            research: [0; 8],
            training: [0; 2],
            propaganda: Vec::new(),
            spies: Vec::new(),
            counterspies: Vec::new(),
            jobs: BTreeMap::new(),
            standing: standing_of(position),
            standing_use: BTreeMap::new(),
            letters: Vec::new(),
            news: None,
            wires: Vec::new(),
        },
        left: left.map(|n| n.max(0)),
        free: BTreeMap::new(),
        section: Section::Player,
        act: None,
        taken: None,
    };
    for entry in entries {
        desk.entry(entry);
    }
    for (line, text, note) in remarks {
        desk.set_verdict(line, text, Told::remark(word(note)));
    }
    standing::use_standing(&mut desk);
    builds::fill_defaults(&mut desk);
    desk.paper.player.cents -= desk.paper.spent * 100;
    desk.paper.player.spies -= (left[1].max(0) - desk.left[1]) * 100;
    desk.paper.player.counterspies -= (left[2].max(0) - desk.left[2]) * 100;
    // A stable sort keeps the order of orders within a line.
    let Paper { told, acts, .. } = &mut desk.paper;
    let mut both: Vec<_> = std::mem::take(told).into_iter().zip(acts.drain(..)).collect();
    both.sort_by_key(|(t, _)| t.0);
    (desk.paper.told, desk.paper.acts) = both.into_iter().unzip();
    desk.paper
}

fn standing_of(position: &Position) -> BTreeMap<SpaceId, [Option<UnitOrder<SpaceId>>; 5]> {
    let country = |(space, holding): (&SpaceId, &Holding)| match holding {
        Holding::Land(c) => Some((*space, c.standing.clone())),
        Holding::Sea(_) => None,
    };
    position.holdings.iter().filter_map(country).collect()
}

type Verdict = Result<Told, Told>;

fn refuse(code: &'static str, note: impl Into<String>) -> Verdict {
    Err(Told::error(code, note))
}

impl Desk<'_> {
    fn entry(&mut self, entry: Entry) {
        let Entry { line, text, order } = entry;
        // Messages do not count as orders.
        let counts = !matches!(order, Ok(Order::Press(_)));
        let verdict = match order {
            Err((code, note)) => refuse(code, note),
            Ok(Order::Section(code)) => {
                let told = self.open(code);
                self.set_verdict(line, text, told);
                return;
            }
            Ok(Order::Player(order)) => {
                let verdict = self.player(&order);
                let taken = self.taken.take();
                self.act = Some(Act::Player(taken.map_or(order.clone(), |n| order.of(n))));
                verdict
            }
            Ok(Order::Space(order)) => self.space(&order),
            Ok(Order::Standing(slot, order)) => standing::standing(self, slot, order),
            Ok(Order::Press(block)) => post::press(self, &block),
        };
        let told = match verdict {
            Ok(told) => {
                self.paper.count += usize::from(counts);
                told
            }
            Err(told) => {
                self.act = None;
                told
            }
        };
        self.set_verdict(line, text, told);
    }

    fn set_verdict(&mut self, line: u32, text: String, told: Told) {
        self.paper.told.push((line, text, told));
        let act = self.act.take();
        self.paper.acts.push(act);
    }

    fn map(&self) -> &Map {
        &self.facts.tables.map
    }

    fn code(&self, space: SpaceId) -> &str {
        self.facts.tables.map.code(space)
    }

    fn me(&self) -> u8 {
        self.paper.player.seat
    }

    fn owner(&self, country: SpaceId) -> u8 {
        self.facts.owners[usize::from(country.0)]
    }

    fn find(&self, code: &str) -> Result<SpaceId, Told> {
        let map = self.map();
        map.find(code).ok_or_else(|| {
            let text = match map.meant(code) {
                Some(s) => say!(
                    "there is no space {code}; did you mean {meant} ({name})?",
                    meant = map.code(s),
                    name = map.name(s)
                ),
                None => say!("there is no space {code}"),
            };
            Told::error("E05", text)
        })
    }

    fn find_country(&self, code: &str) -> Result<SpaceId, Told> {
        let space = self.find(code)?;
        match self.map().is_sea(space) {
            true => Err(Told::error("E06", say!("{code} is a sea; a country is needed"))),
            false => Ok(space),
        }
    }

    /// Opens a section: `@` or `@XXX`.
    fn open(&mut self, code: Option<String>) -> Told {
        let Some(code) = code else {
            self.section = Section::Player;
            return Told::remark(say!("player orders"));
        };
        self.section = Section::Lost;
        let space = match self.find(&code) {
            Ok(space) => space,
            Err(told) => return told,
        };
        let Some(holding) = self.holdings.get(&space) else {
            return Told::error("E08", say!("you have no forces in {code}"));
        };
        self.section = Section::Space(space);
        let name = self.map().name(space);
        Told::remark(match holding {
            Holding::Land(c) => {
                let forces = format!(
                    "I{} A{} N{} F{} M{} X{}",
                    c.industry, c.army, c.navy, c.air, c.missiles, c.antimissiles
                );
                match c.is_minor() {
                    true => say!("{name} (minor): {forces}"),
                    false => format!("{name}: {forces}"),
                }
            }
            Holding::Sea(f) => format!("{name}: A{} N{} F{}", f.army, f.navy, f.air),
        })
    }

    fn known_player(&self, p: u8) -> Result<u8, Told> {
        let players = self.facts.players;
        match (1..=players).contains(&p) {
            true => Ok(p),
            false => {
                Err(Told::error("E09", say!("there is no player {p}; they are 1 to {players}")))
            }
        }
    }

    fn other_player(&self, p: u8) -> Result<u8, Told> {
        let p = self.known_player(p)?;
        match p == self.me() {
            true => Err(Told::error("E10", say!("{p} is your own number"))),
            false => Ok(p),
        }
    }

    /// Takes `n` from a stock: 0 Dollars, 1 spies, 2 counterspies.
    fn take(&mut self, stock: usize, n: i64) -> Result<(i64, Told), Told> {
        let left = &mut self.left[stock];
        if *left == 0 {
            let text = match stock {
                0 => say!("no Dollars left"),
                1 => say!("no spies left"),
                _ => say!("no counterspies left"),
            };
            return Err(Told::error("E24", text));
        }
        let taken = n.min(*left);
        *left -= taken;
        self.taken = Some(taken);
        if stock == 0 {
            self.paper.spent += taken;
        }
        let code = if stock == 0 { "W23" } else { "W22" };
        let told = match taken < n {
            true => Told::warning(code, say!("reduced to {taken}, all that is left")),
            false => Told::ok(""),
        };
        Ok((taken, told))
    }
}

/// A fixed text with its space filled in.
pub fn text_of(tables: &Tables, text: usize, space: Option<SpaceId>) -> String {
    let text = tables.canned.get(text).map_or("", String::as_str);
    match space {
        Some(space) => gapped(text, "XXX", tables.map.code(space)),
        None => word(text).into_owned(),
    }
}

/// Hundredths as a decimal number: `12`, `0.75`.
pub fn hundredths(n: i64) -> String {
    match n % 100 {
        0 => (n / 100).to_string(),
        rest => format!("{}.{:02}", n / 100, rest.abs()),
    }
}

/// The name of a research item, for sentences.
pub fn item_name(item: usize) -> Cow<'static, str> {
    match item {
        SPY => word(mark!("Spies")),
        COUNTERSPY => word(mark!("CounterSpies")),
        _ => word(Arm::ALL.get(item).map_or(mark!("Dollars"), |a| a.name())),
    }
}

/// A row of default builds as orders write it: `A100,N50`.
pub fn defaults_line(defaults: &[u8; 7]) -> String {
    let set = defaults.iter().enumerate().filter(|(_, n)| **n > 0);
    let parts: Vec<String> = set.map(|(i, n)| format!("{}{n}", default_letter(i))).collect();
    parts.join(",")
}

/// A row of multipliers as text: `I20,A100,…`.
pub fn multipliers_line(multipliers: &[i64; 8]) -> String {
    let parts: Vec<String> =
        ITEMS.iter().zip(multipliers).map(|(letter, n)| format!("{letter}{n}")).collect();
    parts.join(",")
}
