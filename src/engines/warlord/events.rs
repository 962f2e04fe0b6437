//! What can happen in a turn, and the one place that puts it into sentences.

use serde::{Deserialize, Serialize};

use super::desk::{Bill, Param, Sentence, pp, ranges};
use super::orders::sector_no;
use super::state::NOBODY;
use super::tables::Tables;
use engine::geometry::{Grid, Place};

/// A force in a battle, before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// Unit number; its owner alone is told.
    pub unit: u16,
    pub kind: u8,
    pub before: u16,
    pub after: u16,
}

/// One side of a battle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideReport {
    pub seat: u8,
    pub losses: Vec<Loss>,
}

/// How a battle ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// The defender was destroyed.
    DefenderDestroyed,
    AttackerDestroyed,
    BothDestroyed,
    /// The defender had to leave.
    DefenderDislodged,
    /// The attacker went back.
    AttackerRepelled,
}

/// Planes of both types.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planes {
    pub fighters: u16,
    pub bombers: u16,
}

impl Planes {
    /// Both together.
    pub fn total(self) -> u16 {
        self.fighters + self.bombers
    }
}

/// What planes were about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mission {
    Bombing,
    /// An attack of observers.
    Strafing,
    /// Fighters that defend their base.
    Watch,
}

/// A strike from the air or by ships' guns (§5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AirStrike {
    pub mission: Mission,
    pub at: Place,
    pub by: u8,
    pub target: u8,
    pub sent: Planes,
    /// Bombers that the ships' guns equal.
    pub guns: i64,
    /// Planes that the striker lost.
    pub lost: Planes,
    /// Fighters that the base at the target lost.
    pub downed: u16,
    /// The holder of that base, if it is not the target.
    pub defender: Option<u8>,
    pub losses: SideReport,
    /// Defence levels before and after, where bombs fell on walls.
    pub walls: Option<(u8, u8)>,
}

impl AirStrike {
    /// A strike that has done nothing yet.
    pub fn new(mission: Mission, at: Place, by: u8, target: u8, sent: Planes) -> Self {
        let losses = SideReport { seat: target, losses: Vec::new() };
        Self {
            mission,
            at,
            by,
            target,
            sent,
            guns: 0,
            lost: Planes::default(),
            downed: 0,
            defender: None,
            losses,
            walls: None,
        }
    }
}

/// What engineers found in ruins (§6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Find {
    Nothing,
    Pp(i64),
    Points(i64),
    /// The tech level that they brought.
    Plans(u8),
    /// There is nothing more to be found here.
    Empty,
}

/// What spies learnt (§7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fact {
    Tech(u8),
    Stock(i64),
    Cities(u32),
    Divisions(u32),
    Ships(u32),
    Fighters(u32),
    Bombers(u32),
    Allies(Vec<u8>),
    Rating(i64),
    City { number: u16, at: Place, level: u8 },
    Unit { at: Place, kind: u8, size: u16 },
    Research(i64),
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// A card line and how it came out.
    Line {
        line: u32,
        text: String,
        mark: u8,
        note: String,
    },
    /// Units delivered by a city.
    Built {
        city: u16,
        kind: u8,
        unit: u16,
    },
    /// Planes delivered.
    PlaneBuilt {
        city: u16,
        kind: u8,
    },
    LevelsBuilt {
        city: u16,
        level: u8,
    },
    /// A centre found too few PP.
    Waits {
        city: u16,
        centre: u8,
    },
    CounterSpying {
        paid: i64,
    },
    Moved {
        unit: u16,
        from: Place,
        to: Place,
    },
    Arrived {
        unit: u16,
        at: Place,
    },
    /// The way was closed; `ground` is what closed it.
    Blocked {
        unit: u16,
        at: Place,
        toward: Option<Place>,
    },
    NoWay {
        unit: u16,
        at: Place,
    },
    Boarded {
        unit: u16,
        ship: u16,
        at: Place,
    },
    NoRoom {
        unit: u16,
        at: Place,
    },
    Landed {
        unit: u16,
        at: Place,
    },
    Battle {
        at: Place,
        phase: u8,
        attacker: SideReport,
        defender: SideReport,
        ending: Ending,
    },
    Promoted {
        unit: u16,
        rank: u8,
    },
    Retreated {
        unit: u16,
        from: Place,
        to: Place,
    },
    /// A unit that had nowhere to retreat, or went down with its ship.
    Lost {
        unit: u16,
        kind: u8,
        size: u16,
        at: Place,
    },
    /// Regiments that went down with part of their ships.
    Drowned {
        unit: u16,
        kind: u8,
        size: u16,
    },
    CityAssault {
        city: u16,
        at: Place,
        attacker: SideReport,
        owner: u8,
        before: u8,
        after: u8,
    },
    CityTaken {
        city: u16,
        name: String,
        at: Place,
        from: u8,
        by: u8,
        fighters: u16,
        bombers: u16,
    },
    GeneralLost {
        general: u8,
        city: Option<u16>,
    },
    Skill {
        general: u8,
        gained: u8,
        skill: u8,
    },
    Claimed {
        sectors: u16,
    },
    Income {
        cities: i64,
        sectors: i64,
    },
    AirStrike(Box<AirStrike>),
    /// A strike found no enemy.
    NothingToStrike {
        at: Place,
    },
    Observed {
        at: Place,
        fighters: u16,
    },
    Airlifted {
        units: Vec<u16>,
        to: u16,
        bombers: u16,
    },
    Ferried {
        from: u16,
        to: u16,
        fighters: u16,
        bombers: u16,
    },
    /// Planes whose base fell while they flew: where they landed, if anywhere.
    BaseLost {
        from: u16,
        to: Option<u16>,
        fighters: u16,
        bombers: u16,
    },
    Dug {
        unit: u16,
        at: Place,
        find: Find,
    },
    /// Hundredths of points; `tech` is the level that was gained.
    Research {
        paid: i64,
        points: i64,
        tech: Option<u8>,
    },
    SpyReport {
        player: u8,
        paid: i64,
        facts: Vec<Fact>,
    },
    CoalitionStands {
        members: Vec<u8>,
    },
    CoalitionLeft {
        player: u8,
        expelled: bool,
    },
    Rebelled {
        city: u16,
        name: String,
        at: Place,
    },
    Fallen {
        player: u8,
    },
    /// One seat, or a coalition, holds enough cities to win.
    Holding {
        members: Vec<u8>,
        cities: u32,
        total: u32,
        turns: u8,
    },
    GameOver {
        winners: Vec<u8>,
    },
    /// Where the PP of the turn went, in hundredths.
    Ledger {
        opening: i64,
        bill: Bill,
        found: i64,
        closing: i64,
    },
    Message {
        from: u8,
        broadcast: bool,
        sentences: Vec<Told>,
    },
    MessageSent {
        to: Option<u8>,
    },
}

/// A sentence with the values that the game filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    pub sentence: Sentence,
    /// Text for each `[..]` of the sentence, in order.
    pub values: Vec<String>,
}

/// An event and the seats that hear of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Happening {
    pub to: Vec<u8>,
    pub event: Event,
}

/// The part of the printout that an event belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    Orders,
    Production,
    Movement,
    Battles,
    Air,
    Ruins,
    Spying,
    Politics,
    Economy,
    Messages,
}

impl Event {
    /// Where the event is told.
    pub fn category(&self) -> Category {
        match self {
            Self::Line { .. } => Category::Orders,
            Self::Built { .. }
            | Self::PlaneBuilt { .. }
            | Self::LevelsBuilt { .. }
            | Self::Waits { .. } => Category::Production,
            Self::Moved { .. }
            | Self::Arrived { .. }
            | Self::Blocked { .. }
            | Self::NoWay { .. }
            | Self::Boarded { .. }
            | Self::NoRoom { .. }
            | Self::Landed { .. } => Category::Movement,
            Self::Battle { .. }
            | Self::Promoted { .. }
            | Self::Retreated { .. }
            | Self::Lost { .. }
            | Self::Drowned { .. }
            | Self::CityAssault { .. }
            | Self::CityTaken { .. }
            | Self::GeneralLost { .. }
            | Self::Skill { .. } => Category::Battles,
            Self::AirStrike(_)
            | Self::NothingToStrike { .. }
            | Self::Observed { .. }
            | Self::Airlifted { .. }
            | Self::Ferried { .. }
            | Self::BaseLost { .. } => Category::Air,
            Self::Dug { .. } | Self::Research { .. } => Category::Ruins,
            Self::SpyReport { .. } => Category::Spying,
            Self::CoalitionStands { .. }
            | Self::CoalitionLeft { .. }
            | Self::Rebelled { .. }
            | Self::Fallen { .. }
            | Self::Holding { .. }
            | Self::GameOver { .. } => Category::Politics,
            Self::CounterSpying { .. }
            | Self::Claimed { .. }
            | Self::Income { .. }
            | Self::Ledger { .. } => Category::Economy,
            Self::Message { .. } | Self::MessageSent { .. } => Category::Messages,
        }
    }
}

/// What sentences need to know.
pub struct Words<'a> {
    pub tables: &'a Tables,
    pub grid: Grid,
    /// The reader's seat.
    pub seat: u8,
    /// The reader's language.
    pub language: &'a str,
}

impl Words<'_> {
    /// An event as the reader hears it; empty for what has its own section.
    pub fn say(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
            Event::Line { .. } | Event::Message { .. } | Event::SpyReport { .. } => String::new(),
            Event::Built { city, kind, unit } => {
                format!("City {city} delivers {}: unit {unit}.", self.kind(*kind))
            }
            Event::PlaneBuilt { city, kind } => {
                format!("City {city} delivers {} to its airbase.", self.kind(*kind))
            }
            Event::LevelsBuilt { city, level } => {
                format!("The defences of city {city} are at level {level} now.")
            }
            Event::Waits { city, centre } => {
                format!("Centre {centre} of city {city} waits for production points.")
            }
            Event::CounterSpying { paid } => {
                format!("{} PP were paid for counter-spying.", pp(*paid))
            }
            Event::Moved { unit, from, to } => {
                format!("Unit {unit} moved from {} to {}.", at(from), at(to))
            }
            Event::Arrived { unit, at: place } => {
                format!("Unit {unit} has reached its goal {}.", at(place))
            }
            Event::Blocked { unit, at: place, toward } => match toward {
                Some(next) => format!(
                    "Unit {unit} stopped at {}: the way into {} is closed.",
                    at(place),
                    at(next)
                ),
                None => format!("Unit {unit} stopped at {}: the ice bars the way.", at(place)),
            },
            Event::NoWay { unit, at: place } => {
                format!("Unit {unit} found no way to its goal and stays at {}.", at(place))
            }
            Event::Boarded { unit, ship, at: place } => {
                format!("Unit {unit} went aboard unit {ship} at {}.", at(place))
            }
            Event::NoRoom { unit, at: place } => {
                format!("Unit {unit} found no ship with room at {}.", at(place))
            }
            Event::Landed { unit, at: place } => format!("Unit {unit} landed at {}.", at(place)),
            Event::Battle { at: place, phase, attacker, defender, ending } => {
                self.battle(*place, *phase, attacker, defender, *ending)
            }
            Event::Promoted { unit, rank } => {
                format!("Unit {unit} has risen to {}.", rank_name(*rank))
            }
            Event::Retreated { unit, from, to } => {
                format!("Unit {unit} retreated from {} to {}.", at(from), at(to))
            }
            Event::Lost { unit, kind, size, at: place } => {
                let kind = self.kind(*kind);
                format!("Unit {unit}, {size} {kind}, was lost at {}.", at(place))
            }
            Event::Drowned { unit, kind, size } => {
                format!("{size} {} of unit {unit} went down with their ships.", self.kind(*kind))
            }
            Event::CityAssault { city, at: place, attacker, owner, before, after } => format!(
                "{} attacked city {city} of {} at {}: defences {before} to {after}; {}.",
                self.power(attacker.seat, true),
                self.power(*owner, false),
                at(place),
                self.losses(attacker)
            ),
            Event::CityTaken { city, name, at: place, from, by, fighters, bombers } => {
                let planes = match (fighters, bombers) {
                    (0, 0) => String::new(),
                    _ => format!(" with {}", planes(*fighters, *bombers)),
                };
                format!(
                    "{} took city {city} {name} at {} from {}{planes}.",
                    self.power(*by, true),
                    at(place),
                    self.power(*from, false)
                )
            }
            Event::GeneralLost { general, city } => match city {
                Some(city) => {
                    format!("General {general} was lost; a new one waits in city {city}.")
                }
                None => format!("General {general} was lost, and no city is left to send another."),
            },
            Event::Skill { general, gained, skill } => {
                format!("General {general} gained {gained} skill and has {skill} now.")
            }
            Event::Claimed { sectors } => {
                format!(
                    "{} surrounded by your land joined the empire.",
                    counted(*sectors, "sector")
                )
            }
            Event::Income { cities, sectors } => format!(
                "Income: {} PP from cities, {} PP from sectors in supply.",
                pp(*cities),
                pp(*sectors)
            ),
            Event::AirStrike(strike) => self.air_strike(strike),
            Event::NothingToStrike { at: place } => {
                format!("The strike at {} found no enemy.", at(place))
            }
            Event::Observed { at: place, fighters } => {
                format!("{} observed the area around {}.", planes(*fighters, 0), at(place))
            }
            Event::Airlifted { units, to, bombers } => {
                let units = ranges(units.iter().copied());
                format!("{} carried units {units} to airbase {to}.", planes(0, *bombers))
            }
            Event::Ferried { from, to, fighters, bombers } => {
                format!("{} flew from airbase {from} to {to}.", planes(*fighters, *bombers))
            }
            Event::BaseLost { from, to, fighters, bombers } => {
                let planes = format!("{} of airbase {from}", planes(*fighters, *bombers));
                match to {
                    Some(to) => format!("{planes} found it lost and landed at {to}."),
                    None => format!("{planes} found it lost and no other within reach: lost."),
                }
            }
            Event::Dug { unit, at: place, find } => {
                let found = match find {
                    Find::Nothing => "found nothing this turn".to_owned(),
                    Find::Pp(n) => format!("found {n} PP"),
                    Find::Points(n) => format!("found old papers worth {n} research points"),
                    Find::Plans(tech) => format!("found old plans: tech level {tech} is reached"),
                    Find::Empty => "found the ruins empty; nothing is left there".to_owned(),
                };
                format!("Unit {unit} searched the ruins at {} and {found}.", at(place))
            }
            Event::Research { paid, points, tech } => match tech {
                Some(tech) => {
                    format!("{} PP went into research: tech level {tech} is reached!", pp(*paid))
                }
                None => format!(
                    "{} PP went into research, no success yet; {} points are gathered.",
                    pp(*paid),
                    pp(*points)
                ),
            },
            Event::CoalitionStands { members } => {
                let members = ranges(members.iter().map(|&m| m.into()));
                format!("Players {members} form a coalition and are allies of each other.")
            }
            Event::CoalitionLeft { player, expelled } => {
                let how = if *expelled { "was voted out of" } else { "left" };
                match *player == self.seat {
                    true if *expelled => "You were voted out of the coalition.".to_owned(),
                    true => "You left the coalition.".to_owned(),
                    false => format!("Player {player} {how} the coalition."),
                }
            }
            Event::Rebelled { city, name, at: place } => {
                format!("City {city} {name} at {} has risen against you.", at(place))
            }
            Event::Fallen { player } if *player == self.seat => {
                "Your empire has fallen: no city and no unit is left.".to_owned()
            }
            Event::Fallen { player } => format!("The empire of player {player} has fallen."),
            Event::Holding { members, cities, total, turns } => {
                let who = match members.as_slice() {
                    [_] => "You hold".to_owned(),
                    _ => "Your coalition holds".to_owned(),
                };
                format!("{who} {cities} of {total} cities, enough to win: turn {turns} in a row.")
            }
            Event::GameOver { winners } => match winners.as_slice() {
                [] => "The game is over; nobody is left to play it.".to_owned(),
                [one] if *one == self.seat => "The game is over: you are World Leader!".to_owned(),
                [one] => format!("The game is over: player {one} is World Leader."),
                all => {
                    let names = ranges(all.iter().map(|&m| m.into()));
                    format!("The game is over: the coalition of players {names} has won.")
                }
            },
            Event::Ledger { opening, bill, found, closing } => {
                let mut text = format!("The stock was {} PP", pp(*opening));
                let spent = [
                    ("construction", bill.construction),
                    ("research", bill.research),
                    ("spies", bill.spying),
                    ("counter-spying", bill.counter_spying),
                ];
                for (what, amount) in spent.iter().filter(|(_, amount)| *amount > 0) {
                    text += &format!(", {} went into {what}", pp(*amount));
                }
                if *found > 0 {
                    text += &format!(", {} were found", pp(*found));
                }
                format!("{text}; with the income it is {} PP.", pp(*closing))
            }
            Event::MessageSent { to: Some(to) } => format!("Your message to player {to} was sent."),
            Event::MessageSent { to: None } => "Your broadcast was sent to all players.".to_owned(),
        }
    }

    fn battle(
        &self,
        place: Place,
        phase: u8,
        attacker: &SideReport,
        defender: &SideReport,
        ending: Ending,
    ) -> String {
        let end = match ending {
            Ending::DefenderDestroyed => "The defender was destroyed.",
            Ending::AttackerDestroyed => "The attacker was destroyed.",
            Ending::BothDestroyed => "Neither side survived.",
            Ending::DefenderDislodged => "The defender had to give way.",
            Ending::AttackerRepelled => "The attack was thrown back.",
        };
        format!(
            "Phase {phase}, sector {}: {} attacked {}. Attacker: {}. Defender: {}. {end}",
            sector_no(self.grid, place),
            self.power(attacker.seat, true),
            self.power(defender.seat, false),
            self.losses(attacker),
            self.losses(defender)
        )
    }

    fn air_strike(&self, s: &AirStrike) -> String {
        let mut force = Vec::new();
        if s.sent.total() > 0 {
            force.push(planes(s.sent.fighters, s.sent.bombers));
        }
        if s.guns > 0 {
            force.push(guns(s.guns));
        }
        let verb = match s.mission {
            Mission::Bombing => "struck at",
            Mission::Strafing => "struck from the air at",
            Mission::Watch => "sent the fighters of the base against",
        };
        let mut text = format!(
            "Sector {}: {} {verb} {} with {}.",
            sector_no(self.grid, s.at),
            self.power(s.by, true),
            self.power(s.target, false),
            force.join(" and ")
        );
        if s.lost.total() > 0 {
            let lost = planes(s.lost.fighters, s.lost.bombers);
            text += &format!(" The striker lost {lost}.");
        }
        if s.downed > 0 {
            text += &format!(" The base lost {}.", planes(s.downed, 0));
        }
        if !s.losses.losses.is_empty() {
            text += &format!(" Hit: {}.", self.losses(&s.losses));
        }
        if let Some((before, after)) = s.walls {
            text += &format!(" Defences {before} to {after}.");
        }
        text
    }

    /// One thing that spies learnt of a player.
    pub fn fact(&self, fact: &Fact) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match fact {
            Fact::Tech(n) => format!("tech level {n}"),
            Fact::Stock(n) => format!("{n} production points in stock"),
            Fact::Cities(1) => "1 city".to_owned(),
            Fact::Cities(n) => format!("{n} cities"),
            Fact::Divisions(n) => counted(*n, "division"),
            Fact::Ships(n) => counted(*n, "ship"),
            Fact::Fighters(n) => counted(*n, "fighter"),
            Fact::Bombers(n) => counted(*n, "bomber"),
            Fact::Allies(list) if list.is_empty() => "no allies".to_owned(),
            Fact::Allies(list) => format!("allies: {}", ranges(list.iter().map(|&a| a.into()))),
            Fact::Rating(n) => format!("rating {n}"),
            Fact::City { number, at: place, level } => {
                format!("city {number} at {}, defence level {level}", at(place))
            }
            Fact::Unit { at: place, kind, size } => {
                format!("{size} {} at {}", self.kind(*kind), at(place))
            }
            Fact::Research(n) => format!("{n} research points gathered"),
        }
    }

    /// Forces of a side with losses; unit numbers are the owner's affair.
    fn losses(&self, side: &SideReport) -> String {
        let one = |l: &Loss| {
            let number = match side.seat == self.seat {
                true => format!("unit {}, ", l.unit),
                false => String::new(),
            };
            let lost = match l.before - l.after {
                0 => "none lost".to_owned(),
                n => format!("{n} lost"),
            };
            format!("{number}{} {} ({lost})", l.before, self.kind(l.kind))
        };
        side.losses.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    /// A power as the reader calls it.
    pub fn power(&self, seat: u8, start: bool) -> String {
        match seat {
            NOBODY if start => "An uncontrolled force".to_owned(),
            NOBODY => "an uncontrolled force".to_owned(),
            s if s == self.seat && start => "You".to_owned(),
            s if s == self.seat => "you".to_owned(),
            s if start => format!("Player {s}"),
            s => format!("player {s}"),
        }
    }

    fn kind(&self, kind: u8) -> &str {
        &self.tables.row(kind).name
    }

    /// The sentences of a message; `@` stays for the caller to fill in.
    pub fn sentence(&self, told: &Told) -> String {
        let mut text = self.tables.sentence(told.sentence.code, self.language).to_owned();
        for (i, param) in told.sentence.params.iter().enumerate() {
            let value = match param {
                Param::Number(n) => n.to_string(),
                Param::Sector(col, row) => format!("{col:03}-{row:02}"),
            };
            text = text.replace(&format!("{{{}}}", i + 1), &value);
        }
        let mut values = told.values.iter();
        while let (Some(start), Some(end)) = (text.find('['), text.find(']')) {
            let value = values.next().map_or("?", String::as_str);
            text.replace_range(start..=end, value);
        }
        text
    }
}

/// `1 fighter`, `3 fighters`.
pub fn counted(n: impl Into<i64>, what: &str) -> String {
    match n.into() {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// Planes of both types; a type that is not there is not named.
pub fn planes(fighters: u16, bombers: u16) -> String {
    match (fighters, bombers) {
        (f, 0) => counted(f, "fighter"),
        (0, b) => counted(b, "bomber"),
        (f, b) => format!("{} and {}", counted(f, "fighter"), counted(b, "bomber")),
    }
}

/// Guns of ships, measured in bombers.
pub fn guns(bombers: i64) -> String {
    match bombers {
        1 => "ships' guns that equal a bomber".to_owned(),
        n => format!("ships' guns that equal {n} bombers"),
    }
}

/// Name of a rank.
pub fn rank_name(rank: u8) -> &'static str {
    ["Novice", "Seasoned", "Veteran", "Elite"][usize::from(rank.min(3))]
}
