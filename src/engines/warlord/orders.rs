//! The order table: one row an order, from which parser, help and hints come (§9).

use super::bases::{BaseNo, Planes};
use super::state::{CARRIER, JET};
use super::tables::Tables;
use engine::geometry::{Direction, Grid, Place};
use engine::syntax::{self, Words};
use engine::{CardText, Fault, Topic};

/// A sector as written: column and row from 1, not yet looked up on a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectorNo {
    /// Column, from 1.
    pub col: u16,
    /// Row, from 1.
    pub row: u16,
}

impl SectorNo {
    /// The sector's square; `None` off the map.
    pub fn on(self, grid: Grid) -> Option<Place> {
        let inside = (1..=grid.cols).contains(&self.col) && (1..=grid.rows).contains(&self.row);
        inside.then(|| grid.at(i32::from(self.col) - 1, i32::from(self.row) - 1)).flatten()
    }
}

/// The five digits of a square.
pub fn sector_no(grid: Grid, place: Place) -> String {
    format!("{:03}{:02}", grid.col(place) + 1, grid.row(place) + 1)
}

/// A unit, or all units in a sector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// A unit by number.
    Unit(u16),
    /// All units in a sector.
    Sector(SectorNo),
}

/// Where an advance leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// To this sector.
    Sector(SectorNo),
    /// On and on in this direction.
    Heading(Direction),
}

/// Where a V order leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Landing {
    /// To an airbase.
    Base(BaseNo),
    /// By parachute into a sector.
    Drop(SectorNo),
}

/// What an F order carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freight {
    /// Nothing more: the standing transfer ends.
    Nothing,
    /// Planes, every turn.
    Planes(Planes),
    /// Missiles and warheads, once.
    Arms(u16, u16),
}

/// What a name order names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// A city.
    City,
    /// An airbase.
    Airbase,
    /// A general.
    General,
}

/// One order as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// A: moves turn after turn.
    Advance {
        /// Which units.
        who: Who,
        /// Where to.
        aim: Aim,
    },
    /// B: strikes a sector.
    Bomb {
        /// Number of bombers; 0: ships' guns alone.
        bombers: u16,
        /// The target.
        sector: SectorNo,
    },
    /// C: starts production in a city.
    Construct {
        /// Number of the city.
        city: u16,
        /// ID of a unit, 21 to 23 for levels, 31 to 37 for halts.
        item: u8,
    },
    /// D: makes or ends an alliance.
    Declare {
        /// The player's number.
        player: u16,
    },
    /// E: pays for research.
    Research {
        /// Whole PP.
        pp: u32,
    },
    /// F: changes the base of planes, or of missiles.
    Fly {
        /// The airbase.
        base: BaseNo,
        /// The other airbase; number 0 in a cancellation.
        to: BaseNo,
        /// What is carried.
        cargo: Freight,
    },
    /// I: a satellite picture.
    Picture {
        /// The sector in its middle.
        sector: SectorNo,
        /// Whole PP.
        pp: u32,
    },
    /// I: spies, or guards against spies.
    Investigate {
        /// The player's number.
        player: u16,
        /// Whole PP.
        pp: u32,
    },
    /// J: joins, leaves or expels.
    Coalition {
        /// The player's number; 0 leaves, a negative number expels.
        player: i32,
    },
    /// K: lets engineers work.
    Engineer {
        /// Number of the unit.
        unit: u16,
        /// What to do; see [`Task`](super::works::Task).
        task: u8,
    },
    /// `None`: all of the type in the sector.
    Link {
        /// Number of the unit.
        unit: u16,
        /// Number of the other unit.
        other: Option<u16>,
    },
    /// Direction codes, 0 waits.
    March {
        /// Which units.
        who: Who,
        /// Direction codes, one a phase.
        steps: Vec<u8>,
    },
    /// N: names a city, an airbase or a general.
    Name {
        /// What is named.
        what: Named,
        /// Its number.
        number: u16,
        /// The new name.
        name: String,
    },
    /// O: looks at a sector from the air.
    Observe {
        /// Number of fighters.
        fighters: u16,
        /// The target.
        sector: SectorNo,
    },
    /// P: sends a general to a unit.
    Position {
        /// Number of the general, from 1.
        general: u16,
        /// Number of the unit.
        unit: u16,
    },
    /// R: fires missiles.
    Rocket {
        /// Number of missiles.
        missiles: u16,
        /// Whether each carries a warhead.
        atomic: bool,
        /// The target.
        sector: SectorNo,
    },
    /// S: parts a unit.
    Split {
        /// Number of the unit.
        unit: u16,
        /// Regiments or ships that are parted.
        number: u16,
    },
    /// V: flies units to another base.
    Airlift {
        /// Which units.
        who: Who,
        /// Where they land.
        goal: Landing,
    },
    /// W: keeps fighters for the defence.
    Watch {
        /// The airbase.
        base: BaseNo,
        /// Number of fighters.
        fighters: u16,
    },
    /// Numbers behind the addressee; sectors of messages stay as written.
    Message {
        /// The receiver's number; 101 is everybody.
        player: u16,
        /// Codes and their numbers, as written.
        numbers: Vec<String>,
    },
    /// `--`: goes on with a message.
    Continue {
        /// Codes and their numbers, as written.
        numbers: Vec<String>,
    },
}

type Read = fn(&Args) -> Result<Order, Bad>;

/// One row of the order table.
pub struct Row {
    /// The letter that begins it.
    pub letter: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How it is written.
    pub form: &'static str,
    /// Lines as a player would write them.
    pub examples: &'static [&'static str],
    /// What it does.
    pub help: &'static str,
    /// The tech level that brings it, if it is not known from the start.
    since: Option<Gate>,
    /// What tech levels add to it.
    later: &'static [Later],
    read: Read,
}

/// A tech level in the tables of a game.
type Gate = fn(&Tables) -> u8;

/// What a tech level adds to an order.
pub struct Later {
    gate: Gate,
    form: &'static str,
    examples: &'static [&'static str],
    help: &'static str,
}

impl Row {
    /// Whether a tech level knows the order.
    pub fn is_known(&self, tables: &Tables, tech: u8) -> bool {
        self.since.is_none_or(|gate| gate(tables) <= tech)
    }

    fn known(&self, tables: &Tables, tech: u8) -> impl Iterator<Item = &Later> {
        self.later.iter().filter(move |l| (l.gate)(tables) <= tech)
    }

    /// All forms that a tech level knows.
    pub fn forms(&self, tables: &Tables, tech: u8) -> Vec<&'static str> {
        let later = self.known(tables, tech).map(|l| l.form).filter(|form| !form.is_empty());
        std::iter::once(self.form).chain(later).collect()
    }

    /// The sentences of explanation that a tech level knows.
    pub fn explained(&self, tables: &Tables, tech: u8) -> String {
        let later = self.known(tables, tech).map(|l| l.help);
        std::iter::once(self.help).chain(later).collect::<Vec<_>>().join(" ")
    }

    /// The examples that a tech level knows.
    pub fn shown(&self, tables: &Tables, tech: u8) -> Vec<String> {
        let later = self.known(tables, tech).flat_map(|l| l.examples);
        self.examples.iter().chain(later).map(|e| (*e).to_owned()).collect()
    }
}

/// Why a line could not be read.
struct Bad {
    code: &'static str,
    text: String,
}

fn bad<T>(code: &'static str, text: impl Into<String>) -> Result<T, Bad> {
    Err(Bad { code, text: text.into() })
}

/// The fields of one line.
struct Args<'a> {
    words: &'a [&'a str],
    tail: &'a str,
}

impl Args<'_> {
    fn count(&self, expected: usize) -> Result<(), Bad> {
        let got = self.words.len();
        match got.cmp(&expected) {
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Less => {
                bad("too-few", format!("{got} of {expected} numbers given"))
            }
            std::cmp::Ordering::Greater => {
                bad("too-many", format!("{got} numbers given where {expected} are expected"))
            }
        }
    }

    fn number(&self, i: usize, what: &str) -> Result<u16, Bad> {
        let word = self.words.get(i).copied().unwrap_or_default();
        match word.parse() {
            Ok(n) if word.bytes().all(|b| b.is_ascii_digit()) => Ok(n),
            _ if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) => {
                bad("too-large", format!("{} is more than any {what} can be", shown(word)))
            }
            _ => bad("not-a-number", format!("{:?} is no {what}", shown(word))),
        }
    }

    fn small(&self, i: usize, what: &str) -> Result<u8, Bad> {
        let n = self.number(i, what)?;
        u8::try_from(n).or_else(|_| bad("too-large", format!("{n} is no {what}")))
    }

    fn sector(&self, i: usize) -> Result<SectorNo, Bad> {
        let word = self.words.get(i).copied().unwrap_or_default();
        match read_sector(word) {
            Some(sector) => Ok(sector),
            None => {
                bad("not-a-sector", format!("{:?} is no sector number like 12387", shown(word)))
            }
        }
    }

    /// The number behind a letter, such as `S15` or `A1`.
    fn lettered(&self, i: usize, letter: char) -> Option<u16> {
        let word = self.words.get(i)?;
        let digits = word.strip_prefix([letter, letter.to_ascii_lowercase()])?;
        digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))
    }

    /// An airbase: a number, or S and the number of a unit.
    fn base(&self, i: usize) -> Result<BaseNo, Bad> {
        match self.lettered(i, 'S') {
            Some(unit) => Ok(BaseNo::Ship(unit)),
            None => self.number(i, "airbase number").map(BaseNo::Land),
        }
    }

    /// Digits for fighters, bombers and jets; M or A and a number; 0 behind base 0.
    fn freight(&self, i: usize, to: BaseNo) -> Result<Freight, Bad> {
        if let Some(missiles) = self.lettered(i, 'M') {
            return Ok(Freight::Arms(missiles, 0));
        }
        if let Some(warheads) = self.lettered(i, 'A') {
            return Ok(Freight::Arms(0, warheads));
        }
        let word = self.words.get(i).copied().unwrap_or_default();
        let all = self.number(i, "group of digits fb or fbj")?;
        match (to, all) {
            (BaseNo::Land(0), 0) => Ok(Freight::Nothing),
            (_, 1..) if word.len() <= 3 => {
                // A single digit counts bombers; a third one counts jets.
                let (both, jets) = if word.len() == 3 { (all / 10, all % 10) } else { (all, 0) };
                let planes = Planes { fighters: both / 10, bombers: both % 10, jets };
                Ok(Freight::Planes(planes))
            }
            _ => bad("pair", "fighters, bombers and jets are one digit each, such as 23 or 231"),
        }
    }

    /// 4–5 digits or a dash make a sector, 1–3 digits a unit.
    fn who(&self, i: usize) -> Result<Who, Bad> {
        let word = self.words.get(i).copied().unwrap_or_default();
        match word.len() > 3 || word.contains('-') {
            true => self.sector(i).map(Who::Sector),
            false => self.number(i, "unit number").map(Who::Unit),
        }
    }
}

/// A word of the player's as an error shows it: short, without control characters.
fn shown(word: &str) -> String {
    word.chars().filter(|c| !c.is_control()).take(20).collect()
}

/// Reads `26149`, `261-49` and, with a leading zero lost, `3454`.
pub fn read_sector(word: &str) -> Option<SectorNo> {
    let (col, row) = match word.split_once('-') {
        Some((col, row)) => (col, row),
        None if (4..=5).contains(&word.len()) && word.is_ascii() => word.split_at(word.len() - 2),
        None => return None,
    };
    let digits = |w: &str, most: usize| {
        (1..=most).contains(&w.len()) && w.bytes().all(|b| b.is_ascii_digit())
    };
    if !digits(col, 3) || !digits(row, 2) {
        return None;
    }
    Some(SectorNo { col: col.parse().ok()?, row: row.parse().ok()? })
}

/// Every order of the game.
pub const ROWS: &[Row] = &[
    Row {
        letter: "A",
        name: "Advance",
        form: "A unit|sector sector|direction",
        examples: &["A 12 12387", "A 10221 2"],
        help: "Moves a unit, or all units in a sector, every turn until it arrives, is blocked or \
               gets a new order; it steers round ground that is known to be closed and ends beside \
               a goal that is. Directions: 1 N, 2 NE, 3 E, 4 SE, 5 S, 6 SW, 7 W, 8 NW.",
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            let aim = match a.words[1] {
                w if w.len() < 4 && !w.contains('-') => {
                    let code = a.small(1, "direction 1-8 or sector")?;
                    match Direction::from_code(code) {
                        Some(d) => Aim::Heading(d),
                        None => return bad("direction", format!("{code} is no direction 1-8")),
                    }
                }
                _ => Aim::Sector(a.sector(1)?),
            };
            Ok(Order::Advance { who: a.who(0)?, aim })
        },
    },
    Row {
        letter: "B",
        name: "Bomb or bombard",
        form: "B bombers|0 sector",
        examples: &["B 5 22344", "B 0 12323"],
        help: "Bombers, with as many fighters if the target is in their range, and all ships in \
               range strike a sector before movement; 0 bombers: ships only.",
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            Ok(Order::Bomb { bombers: a.number(0, "number of bombers")?, sector: a.sector(1)? })
        },
    },
    Row {
        letter: "C",
        name: "Construct",
        form: "C city id",
        examples: &["C 23 1", "C 23 18", "C 23 21", "C 23 36"],
        help: "Starts the item with this ID in the first idle centre of the city; a finished \
               centre builds the same again. 21, 22, 23 build one to three defence levels, one a \
               centre; 31 to 37 halt centres 1, 2, 3, 1+2, 1+3, 2+3, all.",
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            Ok(Order::Construct { city: a.number(0, "city number")?, item: a.small(1, "ID")? })
        },
    },
    Row {
        letter: "D",
        name: "Declare",
        form: "D player",
        examples: &["D 24"],
        help: "Makes a player your ally, or an ally an enemy again. Your units neither attack an \
               ally nor take its land; the ally may still attack you. At most eight.",
        since: None,
        later: &[],
        read: |a| {
            a.count(1)?;
            Ok(Order::Declare { player: a.number(0, "player number")? })
        },
    },
    Row {
        letter: "E",
        name: "Research",
        form: "E pp",
        examples: &["E 5"],
        help: "Spends production points on research; what was spent in vain raises the chance of \
               later attempts. The echo tells the chance.",
        since: None,
        later: &[],
        read: |a| {
            a.count(1)?;
            Ok(Order::Research { pp: a.number(0, "number of PP")?.into() })
        },
    },
    Row {
        letter: "F",
        name: "Fly",
        form: "F base base fb",
        examples: &["F 123 32 23", "F 123 0 0"],
        help: "Every turn f fighters and b bombers (one digit each) fly from the first base to \
               the second; F base 0 0 ends it.",
        since: None,
        later: &[
            Later {
                gate: |t| t.row(CARRIER).tech,
                form: "F base S15 fb",
                examples: &["F 23 S15 42"],
                help: "S and a unit's number name a carrier.",
            },
            Later {
                gate: |t| t.row(JET).tech,
                form: "F base base fbj",
                examples: &["F 123 32 203"],
                help: "A third digit counts jets.",
            },
            Later {
                gate: |t| t.tech.gates.rockets,
                form: "F base base M3",
                examples: &["F 23 41 M3"],
                help: "M and a number carries missiles, once and without a plane.",
            },
            Later {
                gate: |t| t.tech.gates.atomic,
                form: "F base base A1",
                examples: &["F 23 S17 A1"],
                help: "A and a number carries warheads in the same way.",
            },
        ],
        read: |a| {
            a.count(3)?;
            let (base, to) = (a.base(0)?, a.base(1)?);
            Ok(Order::Fly { base, to, cargo: a.freight(2, to)? })
        },
    },
    Row {
        letter: "I",
        name: "Investigate",
        form: "I player amount",
        examples: &["I 34 20", "I 10 3", "I 10 0"],
        help: "Spends up to 5 PP a tech level on spying. With your own number it is counter-\
               spying, paid every turn until you order 0 or spy on somebody.",
        since: None,
        later: &[Later {
            gate: |t| t.tech.gates.satellite,
            form: "I sector 20",
            examples: &["I 12323 20"],
            help: "With a sector it buys a satellite picture of the area around it, for 20 PP.",
        }],
        read: |a| {
            a.count(2)?;
            let pp = a.number(1, "number of PP")?.into();
            if let Who::Sector(sector) = a.who(0)? {
                return Ok(Order::Picture { sector, pp });
            }
            Ok(Order::Investigate { player: a.number(0, "player number")?, pp })
        },
    },
    Row {
        letter: "J",
        name: "Coalition",
        form: "J player",
        examples: &["J 24", "J 0", "J -24"],
        help: "Joins or invites a player from turn 15 on; 0 leaves, -player votes to expel.",
        since: None,
        later: &[],
        read: |a| {
            a.count(1)?;
            match a.words[0].parse() {
                Ok(player) => Ok(Order::Coalition { player }),
                Err(_) => bad("not-a-number", "that is no player number"),
            }
        },
    },
    Row {
        letter: "K",
        name: "Engineering",
        form: "K unit task",
        examples: &["K 23 1"],
        help: "Engineers search the ruins in their sector (task 1) and stay where they are.",
        since: None,
        later: &[
            Later {
                gate: |t| t.tech.gates.road,
                form: "",
                examples: &["K 12 2", "K 12 5"],
                help: "Task 2 builds a road, 5 pulls down the works of the sector; each regiment \
                       gives a work point a turn.",
            },
            Later {
                gate: |t| t.tech.gates.fort,
                form: "",
                examples: &["K 12 3"],
                help: "Task 3 builds a fort.",
            },
            Later {
                gate: |t| t.tech.gates.airbase,
                form: "",
                examples: &["K 12 4"],
                help: "Task 4 builds an airbase, for 10 PP when it begins.",
            },
        ],
        read: |a| {
            a.count(2)?;
            Ok(Order::Engineer { unit: a.number(0, "unit number")?, task: a.small(1, "task")? })
        },
    },
    Row {
        letter: "L",
        name: "Link",
        form: "L unit unit|0",
        examples: &["L 2 3", "L 2 0"],
        help: "Joins units of one type in one sector under the lowest number, at most 45; 0 takes \
               all of the type there. Ranks are averaged by regiments.",
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            let other = Some(a.number(1, "unit number")?).filter(|&n| n != 0);
            Ok(Order::Link { unit: a.number(0, "unit number")?, other })
        },
    },
    Row {
        letter: "M",
        name: "Move",
        form: "M unit|sector digits",
        examples: &["M 3 122", "M 03454 0011"],
        help: "Moves a unit, or all units in a sector, exactly along the direction digits, one a \
               phase; 0 waits a phase.",
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            let mut steps = Vec::new();
            for (i, c) in a.words[1].chars().enumerate() {
                match c.to_digit(10) {
                    Some(d @ 0..=8) => steps.push(d as u8),
                    _ => {
                        let text = format!("{c:?} in place {} is no direction 0-8", i + 1);
                        return bad("direction", text);
                    }
                }
            }
            if steps.len() > 60 {
                return bad("too-long", "more than 60 steps");
            }
            Ok(Order::March { who: a.who(0)?, steps })
        },
    },
    Row {
        letter: "N",
        name: "Name",
        form: "N 1-3 number name",
        examples: &["N 1 1 GRAAK", "N 2 32 POOTON", "N 3 1 SLAVER"],
        help: "Names a city (1), an airbase (2) or a general (3): at most 12 characters, blanks \
               allowed.",
        since: None,
        later: &[],
        read: |a| {
            let what = match a.number(0, "kind 1-3")? {
                1 => Named::City,
                2 => Named::Airbase,
                3 => Named::General,
                n => return bad("kind", format!("{n} is no kind: 1 city, 2 airbase, 3 general")),
            };
            let number = a.number(1, "number")?;
            let name = name_in(a.tail);
            if name.is_empty() {
                return bad("too-few", "the name is missing");
            }
            if name.chars().any(char::is_control) {
                return bad("name", "a name has no control characters");
            }
            Ok(Order::Name { what, number, name: name.to_owned() })
        },
    },
    Row {
        letter: "O",
        name: "Observe",
        form: "O fighters sector",
        examples: &["O 5 20120"],
        help: "Fighters report on seven by seven sectors after movement; two or more attack the \
               first enemy unit that they find.",
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            let fighters = a.number(0, "number of fighters")?;
            Ok(Order::Observe { fighters, sector: a.sector(1)? })
        },
    },
    Row {
        letter: "P",
        name: "Position general",
        form: "P general unit",
        examples: &["P 2 34"],
        help: "Sends a general to one of your units.",
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            let general = a.number(0, "general's number")?;
            Ok(Order::Position { general, unit: a.number(1, "unit number")? })
        },
    },
    Row {
        letter: "R",
        name: "Rocket",
        form: "R missiles sector",
        examples: &["R 2 12323"],
        help: "Fires missiles from the nearest bases at ground that you have explored, before \
               bombers fly: at units, else at defence levels, then at planes.",
        since: Some(|t| t.tech.gates.rockets),
        later: &[Later {
            gate: |t| t.tech.gates.atomic,
            form: "R A1 sector",
            examples: &["R A1 12323"],
            help: "With A before the number each missile carries an atomic warhead of its base: \
                   the sector and all around it is wiped out, your own things too.",
        }],
        read: |a| {
            a.count(2)?;
            let (atomic, missiles) = match a.lettered(0, 'A') {
                Some(count) => (true, count),
                None => (false, a.number(0, "number of missiles")?),
            };
            Ok(Order::Rocket { missiles, atomic, sector: a.sector(1)? })
        },
    },
    Row {
        letter: "S",
        name: "Split",
        form: "S unit number",
        examples: &["S 3 2"],
        help: "Parts so many regiments or ships from a unit; the new unit takes the lowest free \
               number and can be ordered in the same card.",
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            let number = a.number(1, "number of regiments")?;
            Ok(Order::Split { unit: a.number(0, "unit number")?, number })
        },
    },
    Row {
        letter: "V",
        name: "Airlift",
        form: "V unit|sector airbase",
        examples: &["V 2 23", "V 22211 45"],
        help: "Bombers, one a size point, carry units from one of your airbases to another within \
               50 sectors and stay there.",
        since: None,
        later: &[Later {
            gate: |t| t.tech.gates.drop,
            form: "V unit sector",
            examples: &["V 31 12387"],
            help: "Paratroops drop into an explored land sector within the bombers' radius; the \
                   bombers come back, the troops attack in phase 1 and cannot retreat.",
        }],
        read: |a| {
            a.count(2)?;
            let goal = match a.who(1) {
                Ok(Who::Sector(sector)) => Landing::Drop(sector),
                _ => Landing::Base(a.base(1)?),
            };
            Ok(Order::Airlift { who: a.who(0)?, goal })
        },
    },
    Row {
        letter: "W",
        name: "On watch",
        form: "W airbase fighters",
        examples: &["W 123 5"],
        help: "Keeps fighters at a base for its defence, turn after turn; they fly nothing else.",
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            let base = a.base(0)?;
            Ok(Order::Watch { base, fighters: a.number(1, "number of fighters")? })
        },
    },
    Row {
        letter: "Y",
        name: "Message",
        form: "Y player|101 codes...",
        examples: &["Y 10 151 155 117"],
        help: "Sends coded sentences to a player, or to all with 101 (in games of more than 100 \
               seats with 0); each code is followed by \
               its numbers. The list of codes is in HELP CODES.",
        since: None,
        later: &[],
        read: |a| {
            if a.words.len() < 2 {
                return bad("too-few", "a message needs an addressee and at least one code");
            }
            let numbers = a.words[1..].iter().map(|w| (*w).to_owned()).collect();
            Ok(Order::Message { player: a.number(0, "player number")?, numbers })
        },
    },
    Row {
        letter: "--",
        name: "Continue message",
        form: "-- codes...",
        examples: &["-- 20 123"],
        help: "Goes on with the message of the line above.",
        since: None,
        later: &[],
        read: |a| {
            if a.words.is_empty() {
                return bad("too-few", "no codes given");
            }
            Ok(Order::Continue { numbers: a.words.iter().map(|w| (*w).to_owned()).collect() })
        },
    },
];

/// The name behind `N kind number`, untouched but for its ends.
fn name_in(tail: &str) -> &str {
    let skip = |text: &str| {
        let text = text.trim_start_matches([' ', '\t', ',', '(', '[']);
        text.trim_start_matches(|c: char| c.is_ascii_digit() || ".)]".contains(c)).len()
    };
    let after_kind = &tail[tail.len() - skip(tail)..];
    let after_number = &after_kind[after_kind.len() - skip(after_kind)..];
    after_number.trim_start_matches(',').trim()
}

/// The row of a letter.
pub fn row(letter: &str) -> Option<&'static Row> {
    ROWS.iter().find(|r| r.letter == letter)
}

/// Whether a line begins as an order does: the letter of a row and a number, or a name of
/// a row and nothing but numbers.
pub fn starts_order(line: &str) -> bool {
    let line = continuation(line);
    let Some(Words { head, rest, .. }) = syntax::words(&line) else { return false };
    let number = |w: &&str| {
        // `S15`, `M3` and `A1` count as numbers.
        let w = w.trim_start_matches('-');
        let lettered = w.strip_prefix(['S', 's', 'M', 'm', 'A', 'a']);
        lettered.unwrap_or(w).starts_with(|c: char| c.is_ascii_digit())
    };
    if head == "--" {
        return !rest.is_empty() && rest.iter().all(number);
    }
    if row(&head).is_some() {
        return rest.first().is_some_and(number);
    }
    // A name has three words at most; `on` and `or` are no names.
    let names = |r: &Row| r.name.to_uppercase().split(' ').any(|w| w.len() > 2 && w == head);
    let Some(row) = ROWS.iter().find(|r| names(r)) else { return false };
    let numbers = rest.iter().take_while(|w| number(w)).count();
    let words = if row.letter == "N" && numbers >= 2 { 3 } else { 0 };
    numbers > 0 && rest.len() - numbers <= words
}

/// Reads a card; lines that are no order become faults.
pub fn parse(card: &CardText) -> (Vec<(u32, Order)>, Vec<Fault>) {
    let (mut orders, mut faults) = (Vec::new(), Vec::new());
    for (line, text) in &card.lines {
        match parse_line(text) {
            None => {}
            Some(Ok(order)) => orders.push((*line, order)),
            Some(Err((code, text))) => faults.push(Fault { line: *line, code, text }),
        }
    }
    (orders, faults)
}

/// Reads one line; `None` for a blank line or a comment.
fn parse_line(text: &str) -> Option<Result<Order, (&'static str, String)>> {
    let text = continuation(text);
    let Words { head, rest, tail } = syntax::words(&text)?;
    if is_prose(&head, &text) {
        return None;
    }
    let Some(row) = row(&head) else {
        return Some(Err(("unknown-order", unknown(&head))));
    };
    let read = (row.read)(&Args { words: &rest, tail });
    Some(read.map_err(|b| (b.code, format!("{}; the form is {}", b.text, row.form))))
}

/// Words around the orders, such as a greeting: a word that is no order's name,
/// and no number anywhere.
fn is_prose(head: &str, text: &str) -> bool {
    let named = ROWS.iter().any(|r| r.name.to_uppercase().split(' ').any(|w| w == head));
    head.chars().count() > 2 && !named && !text.contains(|c: char| c.is_ascii_digit())
}

/// What is said beside a line that is no order: nothing beside comments and blank lines.
pub fn left_alone(text: &str) -> String {
    let words = syntax::words(text).is_some();
    if words { "no order, left alone".to_owned() } else { String::new() }
}

/// Mail programs put an em or en dash where `--` was typed.
fn continuation(text: &str) -> std::borrow::Cow<'_, str> {
    let start = text.trim_start();
    match start.strip_prefix(['\u{2013}', '\u{2014}']) {
        Some(rest) => format!("-- {rest}").into(),
        None => text.into(),
    }
}

fn unknown(head: &str) -> String {
    let letters: Vec<&str> = ROWS.iter().map(|r| r.letter).collect();
    let named = ROWS.iter().find(|r| {
        let name = r.name.to_uppercase();
        head.len() > 1 && name.split(' ').any(|word| word == head)
    });
    match named {
        Some(row) => format!("orders begin with a letter; for {} write {}", row.name, row.form),
        None if head.is_empty() => format!(
            "the letter of the order is missing before the numbers; the letters are {}",
            letters.join(" ")
        ),
        None => format!("{:?} is no order; the letters are {}", shown(head), letters.join(" ")),
    }
}

/// One help topic for each order that a tech level knows, and one for the message codes.
pub fn help(tables: &Tables, tech: u8) -> Vec<Topic> {
    let topic = |row: &Row| Topic {
        word: row.letter.to_owned(),
        title: format!("{}: {}", row.name, row.forms(tables, tech).join(" or ")),
        text: row.explained(tables, tech),
        examples: row.shown(tables, tech),
    };
    let known = ROWS.iter().filter(|row| row.is_known(tables, tech));
    let mut topics: Vec<Topic> = known.map(topic).collect();
    topics.extend(level_topics(tables, tech));
    let codes = &tables.messages;
    topics.push(Topic {
        word: "CODES".to_owned(),
        title: "Message codes".to_owned(),
        text: "Codes for Y and --, with the kinds of their numbers: X number, S sector.".to_owned(),
        examples: codes.iter().map(|m| format!("{} {} {}", m.code, m.takes, m.says)).collect(),
    });
    topics
}

/// A topic for each tech level that has been reached.
fn level_topics(tables: &Tables, tech: u8) -> Vec<Topic> {
    let topic = |level: &super::tables::LevelRow| Topic {
        word: format!("LEVEL{}", level.tech),
        title: format!("Tech level {}", level.tech),
        text: level.teaches.join(" "),
        examples: level.orders.clone(),
    };
    tables.tech.level.iter().filter(|level| level.tech <= tech).map(topic).collect()
}

impl std::fmt::Display for SectorNo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:03}{:02}", self.col, self.row)
    }
}

impl std::fmt::Display for Who {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unit(no) => write!(f, "{no}"),
            Self::Sector(sector) => write!(f, "{sector}"),
        }
    }
}

/// The order as a card writes it; reading it again gives the same order.
impl std::fmt::Display for Order {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Advance { who, aim: Aim::Sector(s) } => write!(f, "A {who} {s}"),
            Self::Advance { who, aim: Aim::Heading(d) } => write!(f, "A {who} {}", d.code()),
            Self::Bomb { bombers, sector } => write!(f, "B {bombers} {sector}"),
            Self::Construct { city, item } => write!(f, "C {city} {item}"),
            Self::Declare { player } => write!(f, "D {player}"),
            Self::Research { pp } => write!(f, "E {pp}"),
            Self::Fly { base, cargo: Freight::Nothing, .. } => write!(f, "F {base} 0 0"),
            Self::Fly { base, to, cargo: Freight::Planes(p) } => {
                write!(f, "F {base} {to} {}{}", p.fighters, p.bombers)?;
                if p.jets > 0 { write!(f, "{}", p.jets) } else { Ok(()) }
            }
            Self::Fly { base, to, cargo: Freight::Arms(0, warheads) } => {
                write!(f, "F {base} {to} A{warheads}")
            }
            Self::Fly { base, to, cargo: Freight::Arms(missiles, _) } => {
                write!(f, "F {base} {to} M{missiles}")
            }
            Self::Picture { sector, pp } => write!(f, "I {sector} {pp}"),
            Self::Investigate { player, pp } => write!(f, "I {player} {pp}"),
            Self::Coalition { player } => write!(f, "J {player}"),
            Self::Engineer { unit, task } => write!(f, "K {unit} {task}"),
            Self::Link { unit, other } => write!(f, "L {unit} {}", other.unwrap_or(0)),
            Self::March { who, steps } => {
                write!(f, "M {who} ")?;
                steps.iter().try_for_each(|s| write!(f, "{s}"))
            }
            Self::Name { what, number, name } => write!(f, "N {} {number} {name}", *what as u8 + 1),
            Self::Observe { fighters, sector } => write!(f, "O {fighters} {sector}"),
            Self::Position { general, unit } => write!(f, "P {general} {unit}"),
            Self::Rocket { missiles, atomic, sector } => {
                write!(f, "R {}{missiles} {sector}", if *atomic { "A" } else { "" })
            }
            Self::Split { unit, number } => write!(f, "S {unit} {number}"),
            Self::Airlift { who, goal: Landing::Base(base) } => write!(f, "V {who} {base}"),
            Self::Airlift { who, goal: Landing::Drop(sector) } => write!(f, "V {who} {sector}"),
            Self::Watch { base, fighters } => write!(f, "W {base} {fighters}"),
            Self::Message { player, numbers } => write!(f, "Y {player} {}", numbers.join(" ")),
            Self::Continue { numbers } => write!(f, "-- {}", numbers.join(" ")),
        }
    }
}
