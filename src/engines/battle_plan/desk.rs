//! What a card comes to, before anything moves: every order judged against the
//! seat's own position, amounts bounded by what is there, standing orders and
//! default builds filled in (§4 to §8).
//!
//! The echo and the turn take the same [`Paper`] from here, so an echo can't promise
//! what the turn does not do. The desk knows one seat's position and public facts.

use std::collections::{BTreeMap, BTreeSet};

use super::map::{Map, SpaceId};
use super::orders::{self, Entry, Order, PlayerOrder, default_letter};
use super::state::{
    COUNTERSPY, Country, DOLLARS, Forces, ITEMS, NOBODY, Player, SPY, Share, Stance, State,
};
use super::tables::{Messages, Tables};
use super::verbs::{Arm, UnitOrder, Verb};
use engine::press::{self, Addressee, Block};
use engine::{CardText, Told};

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
            // Who else is how popular, and whose spies are there, is not part of it.
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
    /// The figures of the game.
    pub tables: &'a Tables,
    /// The turn that the card is for.
    pub turn: u32,
    /// Number of players.
    pub players: u8,
    /// Who occupies each country.
    pub owners: &'a [u8],
}

/// Why a job is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// An order of the card.
    Card,
    /// A standing order, by slot from 0.
    Standing(usize),
    /// A default build.
    Default,
}

/// An order to the forces of a space as it will be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// What is to be done; the number is what there is.
    pub order: UnitOrder<SpaceId>,
    /// Why it is done.
    pub origin: Origin,
    /// The canal that must be open for it.
    pub canal: Option<SpaceId>,
}

/// A message as it will be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// Seats; everybody for [`Addressee::All`] and news.
    pub to: Addressee,
    /// The sender is not named.
    pub anonymous: bool,
    /// Its lines as they are printed.
    pub text: Vec<String>,
}

/// A canned message: to whom (0 all), which text, about which space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wire {
    /// The receiver; 0 is everybody.
    pub to: u8,
    /// Place of the text in the list, from 0.
    pub text: usize,
    /// The space that it names.
    pub space: Option<SpaceId>,
}

/// Dollars, spies or counterspies on one country, or spread over a player's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// One country.
    Country(SpaceId),
    /// Countries of a player; 0: minors.
    Spread(u8),
}

/// How a standing order fared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Use {
    /// Used, with so many units.
    Used(i64),
    /// Kept for another turn, and why.
    Skipped(String),
}

/// All that a card comes to.
#[derive(Debug, Clone)]
pub struct Paper {
    /// Each order as written, with its verdict, in card order.
    pub told: Vec<(u32, String, Told)>,
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
    /// How each of them fared, by country and slot from 0.
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
    /// Dollars, spies, counterspies that are left, whole.
    left: [i64; 3],
    /// Units of a space that have no order yet.
    free: BTreeMap<(SpaceId, Arm), i64>,
    /// The section that orders belong to.
    section: Section,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Player,
    Space(SpaceId),
    /// A section that is none: unknown code, nothing there.
    Lost,
}

/// Works a card through.
pub fn work(facts: Facts, position: &Position, card: &CardText) -> Paper {
    let (entries, remarks) = orders::read(card);
    let player = position.player.clone();
    let left = [player.cents / 100, player.spies / 100, player.counterspies / 100];
    let mut desk = Desk {
        facts,
        holdings: &position.holdings,
        paper: Paper {
            told: Vec::new(),
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
    };
    for entry in entries {
        desk.entry(entry);
    }
    for (line, text, note) in remarks {
        desk.paper.told.push((line, text, Told::remark(note)));
    }
    desk.use_standing();
    desk.fill_defaults();
    desk.paper.player.cents -= desk.paper.spent * 100;
    desk.paper.player.spies -= (left[1].max(0) - desk.left[1]) * 100;
    desk.paper.player.counterspies -= (left[2].max(0) - desk.left[2]) * 100;
    // Orders keep their order within a line.
    desk.paper.told.sort_by_key(|t| t.0);
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
        // Letters are no orders.
        let counts = !matches!(order, Ok(Order::Press(_)));
        let verdict = match order {
            Err((code, note)) => refuse(code, note),
            Ok(Order::Section(code)) => {
                let told = self.open(code);
                self.paper.told.push((line, text, told));
                return;
            }
            Ok(Order::Player(order)) => self.player(&order),
            Ok(Order::Space(order)) => self.space(&order),
            Ok(Order::Standing(slot, order)) => self.standing(slot, order),
            Ok(Order::Press(block)) => self.press(&block),
        };
        let told = match verdict {
            Ok(told) => {
                self.paper.count += usize::from(counts);
                told
            }
            Err(told) => told,
        };
        self.paper.told.push((line, text, told));
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
            let hint = map.meant(code).map_or_else(String::new, |s| {
                format!("; did you mean {} ({})?", map.code(s), map.name(s))
            });
            Told::error("E05", format!("there is no space {code}{hint}"))
        })
    }

    fn find_country(&self, code: &str) -> Result<SpaceId, Told> {
        let space = self.find(code)?;
        match self.map().is_sea(space) {
            true => Err(Told::error("E06", format!("{code} is a sea; a country is needed"))),
            false => Ok(space),
        }
    }

    /// `@` and `@XXX`.
    fn open(&mut self, code: Option<String>) -> Told {
        let Some(code) = code else {
            self.section = Section::Player;
            return Told::remark("player orders");
        };
        self.section = Section::Lost;
        let space = match self.find(&code) {
            Ok(space) => space,
            Err(told) => return told,
        };
        let Some(holding) = self.holdings.get(&space) else {
            return Told::error("E08", format!("you have no forces in {code}"));
        };
        self.section = Section::Space(space);
        let name = self.map().name(space);
        Told::remark(match holding {
            Holding::Land(c) => {
                let minor = if c.is_minor() { " (minor)" } else { "" };
                format!(
                    "{name}{minor}: I{} A{} N{} F{} M{} X{}",
                    c.industry, c.army, c.navy, c.air, c.missiles, c.antimissiles
                )
            }
            Holding::Sea(f) => format!("{name}: A{} N{} F{}", f.army, f.navy, f.air),
        })
    }

    fn known_player(&self, p: u8) -> Result<u8, Told> {
        let players = self.facts.players;
        match (1..=players).contains(&p) {
            true => Ok(p),
            false => {
                Err(Told::error("E09", format!("there is no player {p}; they are 1 to {players}")))
            }
        }
    }

    fn other_player(&self, p: u8) -> Result<u8, Told> {
        let p = self.known_player(p)?;
        match p == self.me() {
            true => Err(Told::error("E10", format!("{p} is your own number"))),
            false => Ok(p),
        }
    }

    /// Takes `n` of a stock: 0 Dollars, 1 spies, 2 counterspies.
    fn take(&mut self, stock: usize, n: i64) -> Result<(i64, Told), Told> {
        let (name, code) = [("Dollars", "W23"), ("spies", "W22"), ("counterspies", "W22")][stock];
        let left = &mut self.left[stock];
        if *left == 0 {
            return Err(Told::error("E24", format!("no {name} left")));
        }
        let taken = n.min(*left);
        *left -= taken;
        if stock == 0 {
            self.paper.spent += taken;
        }
        let told = match taken < n {
            true => Told::warning(code, format!("reduced to {taken}, all that is left")),
            false => Told::ok(""),
        };
        Ok((taken, told))
    }

    fn player(&mut self, order: &PlayerOrder) -> Verdict {
        match *order {
            PlayerOrder::Stance(p, stance) => self.declare(p, stance),
            PlayerOrder::Gift(p, n) => {
                let p = self.other_player(p)?;
                let (n, told) = self.take(0, n)?;
                self.paper.gifts.push((p, n));
                Ok(told)
            }
            PlayerOrder::Permit(p, yes) => self.permit(p, yes),
            PlayerOrder::Share(p, share) => self.share(p, share),
            PlayerOrder::SpreadSpies(p, n) => {
                self.spread_over(if p == NOBODY { p } else { self.other_player(p)? })?;
                self.place_spies(Where::Spread(p), n)
            }
            PlayerOrder::SpreadCounterspies(p, n) => {
                self.spread_over(if p == NOBODY { p } else { self.known_player(p)? })?;
                self.use_counterspies(Where::Spread(p), n)
            }
            PlayerOrder::SpreadPropaganda(p, n) => {
                self.spread_over(if p == NOBODY { p } else { self.known_player(p)? })?;
                self.pay_propaganda(Where::Spread(p), n)
            }
            PlayerOrder::Spies(n, ref code) => {
                let space = self.find(code)?;
                if self.map().is_sea(space) {
                    return refuse("E25", format!("spies can't be sent to a sea such as {code}"));
                }
                if self.owner(space) == self.me() {
                    return refuse("E25", format!("{code} is yours; it needs no spies of yours"));
                }
                self.place_spies(Where::Country(space), n)
            }
            PlayerOrder::Counterspies(n, ref code) => {
                let space = self.find_country(code)?;
                self.use_counterspies(Where::Country(space), n)
            }
            PlayerOrder::Propaganda(n, ref code) => {
                let space = self.find_country(code)?;
                self.pay_propaganda(Where::Country(space), n)
            }
            PlayerOrder::TrainSpies(n) => self.train(0, SPY, n),
            PlayerOrder::TrainCounterspies(n) => self.train(1, COUNTERSPY, n),
            PlayerOrder::Research(item, n) => self.research(item, n),
            PlayerOrder::Option(which) => self.option(which),
            PlayerOrder::Default(item, proportion) => {
                self.is_built_here(item)?;
                self.paper.player.defaults[item] = proportion;
                Ok(Told::ok(""))
            }
            PlayerOrder::Opinion(p, good, place) => self.opinion(p, good, place),
            PlayerOrder::Wire(p, k, ref code) => self.wire(p, k, code.as_deref()),
        }
    }

    /// Refuses what the variant does not have.
    fn not_here(&self, what: &str) -> Told {
        let title = &self.facts.tables.variant.title;
        Told::error("E29", format!("{what} not in this variant ({title})"))
    }

    /// Bombers come without antimissiles.
    fn is_built_here(&self, item: usize) -> Result<(), Told> {
        match item == Arm::Antimissile as usize && self.facts.tables.variant.bombers {
            true => Err(self.not_here("antimissiles are")),
            false => Ok(()),
        }
    }

    fn declare(&mut self, p: u8, stance: Stance) -> Verdict {
        let p = self.other_player(p)?;
        match stance {
            Stance::Neutral => self.paper.player.stances.remove(&p),
            _ => self.paper.player.stances.insert(p, stance),
        };
        Ok(Told::ok(match stance {
            Stance::Ally => "from now on ally; they are told",
            Stance::Neutral => "from now on neutral",
            Stance::Enemy => "from now on enemy; everybody is told",
        }))
    }

    fn permit(&mut self, p: u8, yes: bool) -> Verdict {
        let p = self.other_player(p)?;
        match yes {
            true => self.paper.player.permits.insert(p),
            false => self.paper.player.permits.remove(&p),
        };
        Ok(Told::ok(""))
    }

    fn share(&mut self, p: u8, share: Share) -> Verdict {
        let p = self.other_player(p)?;
        match share {
            Share::Nothing => self.paper.player.shares.remove(&p),
            _ => self.paper.player.shares.insert(p, share),
        };
        Ok(Told::ok(""))
    }

    fn place_spies(&mut self, place: Where, n: i64) -> Verdict {
        let (n, told) = self.take(1, n)?;
        self.paper.spies.push((place, n));
        Ok(told)
    }

    fn use_counterspies(&mut self, place: Where, n: i64) -> Verdict {
        let (n, told) = self.take(2, n)?;
        self.paper.counterspies.push((place, n));
        Ok(told)
    }

    fn pay_propaganda(&mut self, place: Where, n: i64) -> Verdict {
        let (n, told) = self.take(0, n)?;
        self.paper.propaganda.push((place, n));
        Ok(told)
    }

    fn research(&mut self, item: usize, n: i64) -> Verdict {
        self.is_built_here(item)?;
        let (n, told) = self.take(0, n)?;
        self.paper.research[item] += n;
        Ok(told)
    }

    fn option(&mut self, which: u8) -> Verdict {
        let player = &mut self.paper.player;
        let (switch, on, off) = match which {
            1 => (&mut player.compact, "numbers only", "names beside the numbers"),
            _ => (&mut player.single_list, "one list of spaces", "two lists of spaces"),
        };
        *switch = !*switch;
        Ok(Told::ok(format!("from the next printout: {}", if *switch { on } else { off })))
    }

    /// Puts a player on a place of the good or the bad list (§20.3).
    fn opinion(&mut self, p: u8, good: bool, place: u8) -> Verdict {
        if !self.facts.tables.variant.opinion {
            return Err(self.not_here("world opinion is"));
        }
        let p = if p == NOBODY { p } else { self.other_player(p)? };
        let player = &mut self.paper.player;
        let list = if good { &mut player.good } else { &mut player.bad };
        // Places are 1 to 3, for so many points.
        let at = usize::from(place.clamp(1, 3)) - 1;
        let before = list.iter().position(|q| *q == p && p != NOBODY).filter(|b| *b != at);
        if let Some(before) = before {
            list[before] = NOBODY;
        }
        list[at] = p;
        Ok(match before {
            Some(b) => Told::warning("W32", format!("moved from place {} to {place}", b + 1)),
            None => Told::ok(""),
        })
    }

    /// Sends fixed text `k`, from 1 (§20.2).
    fn wire(&mut self, p: u8, k: i64, code: Option<&str>) -> Verdict {
        let tables = self.facts.tables;
        if tables.variant.messages == Messages::Free {
            let text = "fixed texts are for anonymous games; write PRESS and END here";
            return refuse("E29", text);
        }
        let p = if p == NOBODY { p } else { self.other_player(p)? };
        let (texts, most) = (&tables.canned, tables.figures.messages.canned_a_turn);
        let number = usize::try_from(k).ok().filter(|k| (1..=texts.len()).contains(k));
        let Some(number) = number else {
            return refuse("E33", format!("there is no text {k}; they are 1 to {}", texts.len()));
        };
        if self.paper.wires.len() >= most {
            return refuse("E33", format!("{most} texts may be sent a turn"));
        }
        let about = texts[number - 1].contains("XXX");
        let space = match (about, code) {
            (true, None) => {
                return refuse("E33", format!("text {k} needs a space code: {p}W{k}XXX"));
            }
            (true, Some(code)) => Some(self.find(code)?),
            (false, _) => None,
        };
        self.paper.wires.push(Wire { to: p, text: number - 1, space });
        Ok(Told::ok(text_of(tables, number - 1, space)))
    }

    fn spread_over(&self, p: u8) -> Result<(), Told> {
        match self.facts.owners.contains(&p) {
            true => Ok(()),
            false if p == NOBODY => Err(Told::error("E34", "there are no minors left")),
            false => Err(Told::error("E34", format!("player {p} occupies no country"))),
        }
    }

    fn train(&mut self, which: usize, item: usize, n: i64) -> Verdict {
        let (n, mut told) = self.take(0, n)?;
        self.paper.training[which] += n;
        if told.note.is_empty() {
            let made = n * self.paper.player.multipliers[item];
            told.note = format!("{} next turn", hundredths(made));
        }
        Ok(told)
    }

    /// The space of the section, for orders to spaces.
    fn here(&self) -> Result<SpaceId, Told> {
        match self.section {
            Section::Space(space) => Ok(space),
            Section::Player => Err(Told::error(
                "E07",
                "this is a space order outside a space section; put it below @ and a code",
            )),
            Section::Lost => Err(Told::error("E08", "not used: its section was refused")),
        }
    }

    fn read_target(&self, order: &UnitOrder<String>) -> Result<UnitOrder<SpaceId>, Told> {
        let target = order.target.as_deref().map(|code| self.find(code)).transpose()?;
        Ok(order.map(target))
    }

    /// An order for the forces of a space, for this turn.
    fn space(&mut self, order: &UnitOrder<String>) -> Verdict {
        let from = self.here()?;
        let order = self.read_target(order)?;
        self.possible(from, &order)?;
        self.allowed_now(from, &order)?;
        let canal = self.canal_for(from, &order);
        let (n, mut told) = self.assign(from, &order)?;
        if told.note.is_empty() {
            if let Some(by) = canal.filter(|by| !self.holdings.contains_key(by)) {
                let name = self.code(by);
                let text = format!("conditional: it needs the permission of {name}'s owner then");
                told = Told::warning("W31", text);
            } else if let Verb::Build(arm) = order.verb {
                told = self.forecast_build(from, arm, n);
            }
        }
        let job = Job { order: UnitOrder { n, ..order }, origin: Origin::Card, canal };
        self.paper.jobs.entry(from).or_default().push(job);
        Ok(told)
    }

    /// What so much industry will build there.
    fn forecast_build(&self, from: SpaceId, arm: Arm, n: i64) -> Told {
        let Some(Holding::Land(country)) = self.holdings.get(&from) else { return Told::ok("") };
        let multiplier = self.paper.player.multipliers[arm as usize];
        if multiplier == 0 {
            let text = format!("your multiplier for {} is 0: nothing comes of it", arm.name());
            return Told::warning("no-multiplier", text);
        }
        let made = country.fractions[arm as usize] + n * multiplier;
        if multiplier == 100 && made % 100 == 0 {
            return Told::ok("");
        }
        Told::ok(format!("builds {}", hundredths(made)))
    }

    /// Takes units for an order from what is free in the space.
    fn assign(&mut self, from: SpaceId, order: &UnitOrder<SpaceId>) -> Result<(i64, Told), Told> {
        let arm = order.verb.arm();
        let stock = self.stock(from, arm);
        let free = self.free.entry((from, arm)).or_insert(stock);
        if *free <= 0 {
            let text = format!("no {} left in {}", arm.name(), self.facts.tables.map.code(from));
            return Err(Told::error("E21", text));
        }
        let n = order.n.min(*free);
        *free -= n;
        let told = match n < order.n {
            true => Told::warning("W22", format!("reduced to {n}, all that is left")),
            false => Told::ok(""),
        };
        Ok((n, told))
    }

    fn stock(&self, space: SpaceId, arm: Arm) -> i64 {
        self.holdings.get(&space).map_or(0, |h| h.stock(arm))
    }

    /// The canal that an order of this kind goes through.
    fn canal_for(&self, from: SpaceId, order: &UnitOrder<SpaceId>) -> Option<SpaceId> {
        let by_water = [Verb::ArmyMove, Verb::NavyMove, Verb::NavySupport].contains(&order.verb);
        let to = order.target.filter(|_| by_water)?;
        self.map().canal(from, to).filter(|_| !self.map().adjacent(from, to))
    }

    /// Whether an order can ever be legal for a space: its kind, its range (§6).
    fn possible(&self, from: SpaceId, order: &UnitOrder<SpaceId>) -> Result<(), Told> {
        let wrong = |code: &'static str, text: String| Err(Told::error(code, text));
        let (map, variant) = (self.map(), &self.facts.tables.variant);
        let (verb, here) = (order.verb, self.code(from));
        let at_sea = map.is_sea(from);
        let minor = matches!(self.holdings.get(&from), Some(Holding::Land(c)) if c.is_minor());
        let arm = verb.arm();
        if (verb == Verb::Build(Arm::Antimissile) || verb == Verb::AntimissileMove)
            && variant.bombers
        {
            return wrong("E29", format!("there are no antimissiles in {}", variant.title));
        }
        if at_sea && matches!(arm, Arm::Industry | Arm::Missile | Arm::Antimissile) {
            return wrong("E19", format!("{here} is a sea: nothing is built or fired there"));
        }
        if !at_sea && (arm == Arm::Navy || verb == Verb::Build(Arm::Navy)) && !map.has_coast(from) {
            return wrong("E18", format!("{here} has no coast"));
        }
        let Some(to) = order.target else { return Ok(()) };
        let there = self.code(to);
        let to_sea = map.is_sea(to);
        if minor && (verb.moves() || [Verb::Conquer, Verb::NavyAttack].contains(&verb)) {
            return wrong("E16", format!("{here} is a minor: its forces can't move or conquer"));
        }
        let wants_country = !matches!(
            verb,
            Verb::ArmyMove | Verb::NavyMove | Verb::NavySupport | Verb::AirMove | Verb::AirSupport
        );
        if to_sea && wants_country {
            let code = if arm == Arm::Missile || arm == Arm::Antimissile { "E19" } else { "E06" };
            return wrong(code, format!("{there} is a sea; a country is needed"));
        }
        match arm {
            Arm::Army | Arm::Navy => {
                let through = self.canal_for(from, order).is_some();
                if arm == Arm::Navy && !at_sea && (!to_sea || verb == Verb::NavyAttack) {
                    let text = "a navy in port can only act on a sea next to it".to_owned();
                    return wrong("E17", text);
                }
                if !map.adjacent(from, to) && !through {
                    return wrong("E11", format!("{there} is not next to {here}"));
                }
            }
            Arm::Air => {
                if variant.bombers && at_sea && verb != Verb::AirMove {
                    let text = "bombers at sea can only be landed: FT to a country next to it";
                    return wrong("E29", text.to_owned());
                }
                let close = variant.bombers && verb == Verb::AirMove && (at_sea || to_sea);
                if close && (at_sea && to_sea || !map.adjacent(from, to)) {
                    let text =
                        format!("{there} is not in reach: bombers embark and land next door");
                    return wrong("E12", text);
                }
                if !map.in_air_range(from, to) {
                    return wrong("E12", format!("{there} is not in air range of {here}"));
                }
            }
            _ => {
                let far = verb.attacks() && !variant.bombers;
                if from == to {
                    return wrong("E11", format!("{there} is where they are"));
                }
                if !far && !map.in_air_range(from, to) {
                    return wrong("E12", format!("{there} is not in air range of {here}"));
                }
            }
        }
        Ok(())
    }

    /// Whether an order is legal now (§7, and the peace of the first turn).
    fn allowed_now(&self, from: SpaceId, order: &UnitOrder<SpaceId>) -> Result<(), Told> {
        let wrong = |code: &'static str, text: String| Err(Told::error(code, text));
        let verb = order.verb;
        if verb.attacks() && self.facts.tables.variant.peaceful_start && self.facts.turn == 1 {
            return wrong("E30", "there are no attacks on turn 1".to_owned());
        }
        if let Some(to) = order.target.filter(|_| verb.attacks())
            && self.owner(to) == self.me()
        {
            return wrong("E13", format!("{} is your own country", self.code(to)));
        }
        let jobs = self.paper.jobs.get(&from).map_or(&[][..], Vec::as_slice);
        for job in jobs {
            let other = &job.order;
            if other.verb == verb && other.target == order.target {
                let head = verb.row().head;
                let text = format!("second {head} order of its kind here; combine them");
                return wrong("E15", text);
            }
            if other.target == order.target && conflict(verb, other.verb) {
                let before = self.written(other);
                let text = format!("it conflicts with {before}: no attack and help at once");
                return wrong("E14", text);
            }
        }
        Ok(())
    }

    fn written(&self, order: &UnitOrder<SpaceId>) -> String {
        order.map(order.target.map(|t| self.code(t).to_owned())).to_string()
    }

    /// `/k/ORDER` and `/k/` (§8.1).
    fn standing(&mut self, slot: i64, order: Option<UnitOrder<String>>) -> Verdict {
        let from = match self.section {
            Section::Space(space) if !self.map().is_sea(space) => space,
            Section::Lost => return refuse("E08", "not used: its section was refused"),
            _ => {
                return refuse("E26", "standing orders are for countries only, below @ and a code");
            }
        };
        let slot = match usize::try_from(slot) {
            Ok(slot @ 1..=5) => slot - 1,
            _ => return refuse("E26", "slots are 1 to 5"),
        };
        let order = match order {
            None => None,
            Some(order) => {
                let order = self.read_target(&order)?;
                if let Err(told) = self.possible(from, &order) {
                    let text =
                        format!("never legal for {}, not stored: {}", self.code(from), told.note);
                    return refuse("E27", text);
                }
                Some(order)
            }
        };
        let slots = self.paper.standing.entry(from).or_default();
        let note = match (&slots[slot], &order) {
            (None, None) => "there was no order in this slot",
            (Some(_), None) => "cancelled",
            (Some(_), Some(_)) => "replaces the standing order of this slot",
            (None, Some(_)) => "on file until you change it",
        };
        slots[slot] = order;
        Ok(Told::ok(note))
    }

    /// Standing orders, behind all explicit ones, in the order of their slots.
    fn use_standing(&mut self) {
        let all: Vec<(SpaceId, usize, UnitOrder<SpaceId>)> = self
            .paper
            .standing
            .iter()
            .flat_map(|(space, slots)| {
                let filled = slots.iter().enumerate();
                filled.filter_map(|(i, d)| Some((*space, i, d.clone()?)))
            })
            .collect();
        for (from, slot, order) in all {
            let tried = self
                .possible(from, &order)
                .and_then(|()| self.allowed_now(from, &order))
                .and_then(|()| self.assign(from, &order));
            let how = match tried {
                Ok((n, _)) => {
                    let canal = self.canal_for(from, &order);
                    let job = Job {
                        order: UnitOrder { n, ..order },
                        origin: Origin::Standing(slot),
                        canal,
                    };
                    self.paper.jobs.entry(from).or_default().push(job);
                    Use::Used(n)
                }
                Err(told) => Use::Skipped(told.note),
            };
            self.paper.standing_use.insert((from, slot), how);
        }
        self.warn_of_skipped();
    }

    /// W28: a standing order of this card that is not used this turn.
    fn warn_of_skipped(&mut self) {
        let skipped: BTreeSet<(String, String)> = self
            .paper
            .standing_use
            .iter()
            .filter_map(|((space, slot), how)| match how {
                Use::Skipped(why) => {
                    let order = self.paper.standing[space][*slot].as_ref()?;
                    Some((format!("/{}/{}", slot + 1, self.written(order)), why.clone()))
                }
                Use::Used(_) => None,
            })
            .collect();
        for (_, text, told) in &mut self.paper.told {
            let why = skipped.iter().find(|(written, _)| written == text);
            if let Some((_, why)) = why.filter(|_| told.code == "ok") {
                *told = Told::warning("W28", format!("kept, but not used this turn: {why}"));
            }
        }
    }

    /// Default builds of all industry that is still idle (§8.2).
    fn fill_defaults(&mut self) {
        let lands: Vec<(SpaceId, bool, i64)> = self
            .holdings
            .iter()
            .filter_map(|(s, h)| match h {
                Holding::Land(c) => Some((*s, c.is_minor(), c.industry)),
                Holding::Sea(_) => None,
            })
            .collect();
        for (space, minor, stock) in lands {
            let idle = self.free.get(&(space, Arm::Industry)).copied().unwrap_or(stock);
            let jobs = self.paper.jobs.entry(space).or_default();
            let built: Vec<Arm> = jobs
                .iter()
                .filter_map(|j| match j.order.verb {
                    Verb::Build(arm) => Some(arm),
                    _ => None,
                })
                .collect();
            let coast = self.facts.tables.map.has_coast(space);
            let player = &self.paper.player;
            for (item, n) in
                default_builds(idle, &player.defaults, &player.multipliers, minor, coast, &built)
            {
                let Some(arm) = Arm::ALL.get(item).copied() else {
                    // Dollars are not built by an order; the turn sees what is idle.
                    continue;
                };
                let order = UnitOrder { verb: Verb::Build(arm), n, target: None };
                jobs.push(Job { order, origin: Origin::Default, canal: None });
            }
            if jobs.is_empty() {
                self.paper.jobs.remove(&space);
            }
        }
    }

    /// Messages and news (§17).
    fn press(&mut self, block: &Block) -> Verdict {
        let (figures, variant) = (&self.facts.tables.figures.messages, &self.facts.tables.variant);
        let anonymous = block.opening.anonymous;
        let news = block.opening.to == Addressee::News;
        if variant.messages == Messages::Canned {
            return refuse("E29", "only fixed texts can be sent in this game, such as 3W1");
        }
        if news && !variant.news {
            return refuse("E29", "this variant has no newspaper");
        }
        if let Addressee::Seats(seats) = &block.opening.to {
            for seat in seats {
                let seat = u8::try_from(*seat).unwrap_or(u8::MAX);
                self.other_player(seat)?;
            }
        }
        if news && self.paper.news.is_some() {
            return Err(Told::warning("W36", "dropped: one item a turn is printed"));
        }
        let (lines, columns) = match news {
            true => (figures.news_lines, figures.news_columns),
            false => (figures.lines, figures.columns),
        };
        let named = if anonymous { "without your name" } else { "with your number" };
        let Some(fit) = press::fit(block, lines, columns, named) else {
            return refuse("E03", "there is no text between this line and END");
        };
        let text = fit.text;
        let letter = Letter { to: block.opening.to.clone(), anonymous, text };
        match news {
            true => self.paper.news = Some(letter),
            false => self.paper.letters.push(letter),
        }
        Ok(match fit.whole {
            true => Told::ok(fit.note),
            false => Told::warning("W36", fit.note),
        })
    }
}

/// Attacks and help that one space may not combine on one target (12B).
pub fn conflict(a: Verb, b: Verb) -> bool {
    let clash = |attack: Verb, help: Verb| match attack {
        Verb::Conquer | Verb::Bombard => {
            matches!(
                help,
                Verb::ArmySupport
                    | Verb::ArmyMove
                    | Verb::AirSupport
                    | Verb::AirMove
                    | Verb::NavySupport
                    | Verb::NavyMove
            )
        }
        Verb::MissileArmy => {
            matches!(help, Verb::AntimissileMove | Verb::ArmySupport | Verb::ArmyMove)
        }
        Verb::MissileBase | Verb::MissileIndustry => help == Verb::AntimissileMove,
        Verb::AirArmy => {
            matches!(help, Verb::ArmySupport | Verb::ArmyMove | Verb::AirSupport | Verb::AirMove)
        }
        Verb::AirNavy => {
            matches!(help, Verb::NavySupport | Verb::NavyMove | Verb::AirSupport | Verb::AirMove)
        }
        Verb::AirBase | Verb::AirIndustry => matches!(help, Verb::AirSupport | Verb::AirMove),
        Verb::NavyAttack => matches!(help, Verb::NavySupport | Verb::NavyMove),
        _ => false,
    };
    clash(a, b) || clash(b, a)
}

/// How idle industry is used: place among the default builds, and amount; what
/// falls to Dollars comes as [`DOLLARS`].
pub fn default_builds(
    idle: i64,
    defaults: &[u8; 7],
    multipliers: &[i64; 8],
    minor: bool,
    coast: bool,
    built: &[Arm],
) -> Vec<(usize, i64)> {
    if idle <= 0 {
        return Vec::new();
    }
    let usable = |item: &usize| match Arm::ALL.get(*item) {
        Some(arm) => {
            defaults[*item] > 0
                && !built.contains(arm)
                && (*arm != Arm::Navy || coast)
                && multipliers[*item] > 0
        }
        None => defaults[DOLLARS] > 0 && !minor,
    };
    let items: Vec<usize> = (0..7).filter(usable).collect();
    if items.is_empty() {
        return vec![(if minor { Arm::Army as usize } else { DOLLARS }, idle)];
    }
    let mut proportions: i64 = items.iter().map(|i| i64::from(defaults[*i])).sum();
    let mut rest = idle;
    let mut out = Vec::new();
    for item in items {
        let own = i64::from(defaults[item]);
        // Rounded half up.
        let n = (2 * rest * own + proportions) / (2 * proportions);
        rest -= n;
        proportions -= own;
        if n > 0 {
            out.push((item, n));
        }
    }
    out
}

/// A fixed text with its space filled in.
pub fn text_of(tables: &Tables, text: usize, space: Option<SpaceId>) -> String {
    let said = tables.canned.get(text).map_or("", String::as_str);
    space.map_or_else(|| said.to_owned(), |s| said.replace("XXX", tables.map.code(s)))
}

/// Hundredths as a number: `12`, `0.75`.
pub fn hundredths(n: i64) -> String {
    match n % 100 {
        0 => (n / 100).to_string(),
        rest => format!("{}.{:02}", n / 100, rest.abs()),
    }
}

/// Names of the items, for sentences.
pub fn item_name(item: usize) -> &'static str {
    match item {
        SPY => "Spies",
        COUNTERSPY => "CounterSpies",
        _ => Arm::ALL.get(item).map_or("Dollars", |a| a.name()),
    }
}

/// `A100,N50` of a row of default builds.
pub fn defaults_line(defaults: &[u8; 7]) -> String {
    let set = defaults.iter().enumerate().filter(|(_, n)| **n > 0);
    let parts: Vec<String> = set.map(|(i, n)| format!("{}{n}", default_letter(i))).collect();
    parts.join(",")
}

/// `I20,A100,…` of a row of multipliers.
pub fn multipliers_line(multipliers: &[i64; 8]) -> String {
    let parts: Vec<String> =
        ITEMS.iter().zip(multipliers).map(|(letter, n)| format!("{letter}{n}")).collect();
    parts.join(",")
}
