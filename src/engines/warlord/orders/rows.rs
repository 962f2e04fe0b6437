//! The order table: one row for each order; parser, help and hints are made from it.

use super::fields::{Args, Bad, bad, name_in};
use super::{Aim, Landing, Named, Order, Who};
use crate::state::{CARRIER, JET};
use crate::tables::Tables;
use engine::geometry::Direction;
use engine::orders::OrderRow;
use tongue::{mark, say};

/// Reads the fields after the letter.
pub type Read = fn(&Args) -> Result<Order, Bad>;

/// One row of the order table: an order by its letter, with its name and what tech levels add to
/// it.
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// The tech level that brings it, if it is not known from the start.
    since: Option<Gate>,
    /// What tech levels add to it.
    later: &'static [Later],
    /// The order as it is known from the start.
    pub order: OrderRow<Read>,
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
        std::iter::once(self.order.form).chain(later).collect()
    }

    /// The sentences of explanation that a tech level knows.
    pub fn sentences(&self, tables: &Tables, tech: u8) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.order.text).chain(self.known(tables, tech).map(|l| l.help))
    }

    /// The explanation as one paragraph, in English.
    pub fn explained(&self, tables: &Tables, tech: u8) -> String {
        self.sentences(tables, tech).collect::<Vec<_>>().join(" ")
    }

    /// The examples of the order that are valid at a tech level.
    pub fn shown(&self, tables: &Tables, tech: u8) -> Vec<String> {
        let later = self.known(tables, tech).flat_map(|l| l.examples);
        self.order.examples.iter().chain(later).map(|e| (*e).to_owned()).collect()
    }
}

/// Whether a word counts as a number: `S15`, `M3` and `A1` do.
pub fn is_number(word: &str) -> bool {
    let word = word.trim_start_matches('-');
    let lettered = word.strip_prefix(['S', 's', 'M', 'm', 'A', 'a']);
    lettered.unwrap_or(word).starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a number is next.
fn number(rest: &[&str]) -> bool {
    rest.first().is_some_and(|word| is_number(word))
}

/// Whether there are numbers and nothing else.
fn numbers(rest: &[&str]) -> bool {
    number(rest) && rest.iter().all(|word| is_number(word))
}

/// Every order of the game.
pub const ROWS: &[Row] = &[
    Row {
        name: mark!("Advance"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "A",
            form: mark!("A unit|sector sector|direction"),
            text: mark!(
                "Moves a unit, or all units in a sector, every turn until it arrives, is blocked or \
                 gets a new order; it steers round ground that is known to be closed and ends beside a \
                 goal that is. Directions: 1 N, 2 NE, 3 E, 4 SE, 5 S, 6 SW, 7 W, 8 NW."
            ),
            examples: &["A 12 12387", "A 10221 2"],
            starts: number,
            read: |a| {
                a.count(2)?;
                let aim = match a.words[1] {
                    w if w.len() < 4 && !w.contains('-') => {
                        let code = a.small(1, mark!("direction 1-8 or sector"))?;
                        match Direction::from_code(code) {
                            Some(d) => Aim::Heading(d),
                            None => return bad("direction", say!("{code} is no direction 1-8")),
                        }
                    }
                    _ => Aim::Sector(a.sector(1)?),
                };
                Ok(Order::Advance { who: a.who(0)?, aim })
            },
        },
    },
    Row {
        name: mark!("Bomb or bombard"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "B",
            form: mark!("B bombers|0 sector"),
            text: mark!(
                "Bombers, with as many fighters if the target is in their range, and all ships in \
                 range strike a sector before movement; 0 bombers: ships only."
            ),
            examples: &["B 5 22344", "B 0 12323"],
            starts: number,
            read: |a| {
                a.count(2)?;
                Ok(Order::Bomb {
                    bombers: a.number(0, mark!("number of bombers"))?,
                    sector: a.sector(1)?,
                })
            },
        },
    },
    Row {
        name: mark!("Construct"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "C",
            form: mark!("C city id"),
            text: mark!(
                "Starts the item with this ID in the first idle centre of the city; a finished centre \
                 builds the same again. 21, 22, 23 build one to three defence levels, one a centre; 31 \
                 to 37 halt centres 1, 2, 3, 1+2, 1+3, 2+3, all."
            ),
            examples: &["C 23 1", "C 23 18", "C 23 21", "C 23 36"],
            starts: number,
            read: |a| {
                a.count(2)?;
                Ok(Order::Construct {
                    city: a.number(0, mark!("city number"))?,
                    item: a.small(1, mark!("ID"))?,
                })
            },
        },
    },
    Row {
        name: mark!("Declare"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "D",
            form: mark!("D player"),
            text: mark!(
                "Makes a player your ally, or an ally an enemy again. Your units neither attack an \
                 ally nor take its land; the ally may still attack you. At most eight."
            ),
            examples: &["D 24"],
            starts: number,
            read: |a| {
                a.count(1)?;
                Ok(Order::Declare { player: a.number(0, mark!("player number"))? })
            },
        },
    },
    Row {
        name: mark!("Research"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "E",
            form: mark!("E pp"),
            text: mark!(
                "Spends production points on research; what was spent in vain raises the chance of \
                 later attempts. The echo tells the chance."
            ),
            examples: &["E 5"],
            starts: number,
            read: |a| {
                a.count(1)?;
                Ok(Order::Research { pp: a.number(0, mark!("number of PP"))?.into() })
            },
        },
    },
    Row {
        name: mark!("Fly"),
        since: None,
        later: &[
            Later {
                gate: |t| t.row(CARRIER).tech,
                form: mark!("F base S15 fb"),
                examples: &["F 23 S15 42"],
                help: mark!("S and a unit's number name a carrier."),
            },
            Later {
                gate: |t| t.row(JET).tech,
                form: mark!("F base base fbj"),
                examples: &["F 123 32 203"],
                help: mark!("A third digit counts jets."),
            },
            Later {
                gate: |t| t.tech.gates.rockets,
                form: mark!("F base base M3"),
                examples: &["F 23 41 M3"],
                help: mark!("M and a number carries missiles, once and without a plane."),
            },
            Later {
                gate: |t| t.tech.gates.atomic,
                form: mark!("F base base A1"),
                examples: &["F 23 S17 A1"],
                help: mark!("A and a number carries warheads in the same way."),
            },
        ],
        order: OrderRow {
            word: "F",
            form: mark!("F base base fb"),
            text: mark!(
                "Every turn f fighters and b bombers (one digit each) fly from the first base to the \
                 second; F base 0 0 ends it."
            ),
            examples: &["F 123 32 23", "F 123 0 0"],
            starts: number,
            read: |a| {
                a.count(3)?;
                let (base, to) = (a.base(0)?, a.base(1)?);
                Ok(Order::Fly { base, to, cargo: a.freight(2, to)? })
            },
        },
    },
    Row {
        name: mark!("Investigate"),
        since: None,
        later: &[Later {
            gate: |t| t.tech.gates.satellite,
            form: mark!("I sector 20"),
            examples: &["I 12323 20"],
            help: mark!(
                "With a sector it buys a satellite picture of the area around it, for 20 PP."
            ),
        }],
        order: OrderRow {
            word: "I",
            form: mark!("I player amount"),
            text: mark!(
                "Spends up to 5 PP a tech level on spying. With your own number it is counter-spying, \
                 paid every turn until you order 0 or spy on somebody."
            ),
            examples: &["I 34 20", "I 10 3", "I 10 0"],
            starts: number,
            read: |a| {
                a.count(2)?;
                let pp = a.number(1, mark!("number of PP"))?.into();
                if let Who::Sector(sector) = a.who(0)? {
                    return Ok(Order::Picture { sector, pp });
                }
                Ok(Order::Investigate { player: a.number(0, mark!("player number"))?, pp })
            },
        },
    },
    Row {
        name: mark!("Coalition"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "J",
            form: mark!("J player"),
            text: mark!(
                "Joins or invites a player from turn 15 on; 0 leaves, -player votes to expel."
            ),
            examples: &["J 24", "J 0", "J -24"],
            starts: number,
            read: |a| {
                a.count(1)?;
                match a.words[0].parse() {
                    Ok(player) => Ok(Order::Coalition { player }),
                    Err(_) => bad("not-a-number", say!("that is no player number")),
                }
            },
        },
    },
    Row {
        name: mark!("Engineering"),
        since: None,
        later: &[
            Later {
                gate: |t| t.tech.gates.road,
                form: "",
                examples: &["K 12 2", "K 12 5"],
                help: mark!(
                    "Task 2 builds a road, 5 pulls down the works of the sector; each regiment \
                     gives a work point a turn."
                ),
            },
            Later {
                gate: |t| t.tech.gates.fort,
                form: "",
                examples: &["K 12 3"],
                help: mark!("Task 3 builds a fort."),
            },
            Later {
                gate: |t| t.tech.gates.airbase,
                form: "",
                examples: &["K 12 4"],
                help: mark!("Task 4 builds an airbase, for 10 PP when it begins."),
            },
        ],
        order: OrderRow {
            word: "K",
            form: mark!("K unit task"),
            text: mark!(
                "Engineers search the ruins in their sector (task 1) and stay where they are."
            ),
            examples: &["K 23 1"],
            starts: number,
            read: |a| {
                a.count(2)?;
                Ok(Order::Engineer {
                    unit: a.number(0, mark!("unit number"))?,
                    task: a.small(1, mark!("task"))?,
                })
            },
        },
    },
    Row {
        name: mark!("Link"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "L",
            form: mark!("L unit unit|0"),
            text: mark!(
                "Joins units of one type in one sector under the lowest number, at most 45; 0 takes \
                 all of the type there. Ranks are averaged by regiments."
            ),
            examples: &["L 2 3", "L 2 0"],
            starts: number,
            read: |a| {
                a.count(2)?;
                let other = Some(a.number(1, mark!("unit number"))?).filter(|&n| n != 0);
                Ok(Order::Link { unit: a.number(0, mark!("unit number"))?, other })
            },
        },
    },
    Row {
        name: mark!("Move"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "M",
            form: mark!("M unit|sector digits"),
            text: mark!(
                "Moves a unit, or all units in a sector, exactly along the direction digits, one a \
                 phase; 0 waits a phase."
            ),
            examples: &["M 3 122", "M 03454 0011"],
            starts: number,
            read: |a| {
                a.count(2)?;
                let mut steps = Vec::new();
                for (i, c) in a.words[1].chars().enumerate() {
                    match c.to_digit(10) {
                        Some(d @ 0..=8) => steps.push(d as u8),
                        _ => {
                            let text =
                                say!("{c:?} in place {place} is no direction 0-8", place = i + 1);
                            return bad("direction", text);
                        }
                    }
                }
                if steps.len() > 60 {
                    return bad("too-long", say!("more than 60 steps"));
                }
                Ok(Order::March { who: a.who(0)?, steps })
            },
        },
    },
    Row {
        name: mark!("Name"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "N",
            form: mark!("N 1-3 number name"),
            text: mark!(
                "Names a city (1), an airbase (2) or a general (3): at most 12 characters, blanks \
                 allowed."
            ),
            examples: &["N 1 1 GRAAK", "N 2 32 POOTON", "N 3 1 SLAVER"],
            starts: number,
            read: |a| {
                let what = match a.number(0, mark!("kind 1-3"))? {
                    1 => Named::City,
                    2 => Named::Airbase,
                    3 => Named::General,
                    n => return bad("kind", say!("{n} is no kind: 1 city, 2 airbase, 3 general")),
                };
                let number = a.number(1, mark!("number"))?;
                let name = name_in(a.tail);
                if name.is_empty() {
                    return bad("too-few", say!("the name is missing"));
                }
                if name.chars().any(char::is_control) {
                    return bad("name", say!("a name has no control characters"));
                }
                Ok(Order::Name { what, number, name: name.to_owned() })
            },
        },
    },
    Row {
        name: mark!("Observe"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "O",
            form: mark!("O fighters sector"),
            text: mark!(
                "Fighters report on seven by seven sectors after movement; two or more attack the \
                 first enemy unit that they find."
            ),
            examples: &["O 5 20120"],
            starts: number,
            read: |a| {
                a.count(2)?;
                let fighters = a.number(0, mark!("number of fighters"))?;
                Ok(Order::Observe { fighters, sector: a.sector(1)? })
            },
        },
    },
    Row {
        name: mark!("Position general"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "P",
            form: mark!("P general unit"),
            text: mark!("Sends a general to one of your units."),
            examples: &["P 2 34"],
            starts: number,
            read: |a| {
                a.count(2)?;
                let general = a.number(0, mark!("general's number"))?;
                Ok(Order::Position { general, unit: a.number(1, mark!("unit number"))? })
            },
        },
    },
    Row {
        name: mark!("Rocket"),
        since: Some(|t| t.tech.gates.rockets),
        later: &[Later {
            gate: |t| t.tech.gates.atomic,
            form: mark!("R A1 sector"),
            examples: &["R A1 12323"],
            help: mark!(
                "With A before the number each missile carries an atomic warhead of its base: the \
                 sector and all around it is wiped out, your own things too."
            ),
        }],
        order: OrderRow {
            word: "R",
            form: mark!("R missiles sector"),
            text: mark!(
                "Fires missiles from the nearest bases at ground that you have explored, before \
                 bombers fly: at units, else at defence levels, then at planes."
            ),
            examples: &["R 2 12323"],
            starts: number,
            read: |a| {
                a.count(2)?;
                let (atomic, missiles) = match a.lettered(0, 'A') {
                    Some(count) => (true, count),
                    None => (false, a.number(0, mark!("number of missiles"))?),
                };
                Ok(Order::Rocket { missiles, atomic, sector: a.sector(1)? })
            },
        },
    },
    Row {
        name: mark!("Split"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "S",
            form: mark!("S unit number"),
            text: mark!(
                "Parts so many regiments or ships from a unit; the new unit takes the lowest free \
                 number and can be ordered in the same card."
            ),
            examples: &["S 3 2"],
            starts: number,
            read: |a| {
                a.count(2)?;
                let number = a.number(1, mark!("number of regiments"))?;
                Ok(Order::Split { unit: a.number(0, mark!("unit number"))?, number })
            },
        },
    },
    Row {
        name: mark!("Airlift"),
        since: None,
        later: &[Later {
            gate: |t| t.tech.gates.drop,
            form: mark!("V unit sector"),
            examples: &["V 31 12387"],
            help: mark!(
                "Paratroops drop into an explored land sector within the bombers' radius; the \
                 bombers come back, the troops attack in phase 1 and cannot retreat."
            ),
        }],
        order: OrderRow {
            word: "V",
            form: mark!("V unit|sector airbase"),
            text: mark!(
                "Bombers, one a size point, carry units from one of your airbases to another within 50 \
                 sectors and stay there."
            ),
            examples: &["V 2 23", "V 22211 45"],
            starts: number,
            read: |a| {
                a.count(2)?;
                let goal = match a.who(1) {
                    Ok(Who::Sector(sector)) => Landing::Drop(sector),
                    _ => Landing::Base(a.base(1)?),
                };
                Ok(Order::Airlift { who: a.who(0)?, goal })
            },
        },
    },
    Row {
        name: mark!("On watch"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "W",
            form: mark!("W airbase fighters"),
            text: mark!(
                "Keeps fighters at a base for its defence, turn after turn; they fly nothing else."
            ),
            examples: &["W 123 5"],
            starts: number,
            read: |a| {
                a.count(2)?;
                let base = a.base(0)?;
                Ok(Order::Watch { base, fighters: a.number(1, mark!("number of fighters"))? })
            },
        },
    },
    Row {
        name: mark!("Message"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "Y",
            form: mark!("Y player|101 codes..."),
            text: mark!(
                "Sends coded sentences to a player, or to all with 101 (in games of more than 100 \
                 seats with 0); each code is followed by its numbers. The list of codes is in HELP \
                 CODES."
            ),
            examples: &["Y 10 151 155 117"],
            starts: number,
            read: |a| {
                if a.words.len() < 2 {
                    return bad(
                        "too-few",
                        say!("a message needs an addressee and at least one code"),
                    );
                }
                let numbers = a.words[1..].iter().map(|w| (*w).to_owned()).collect();
                Ok(Order::Message { player: a.number(0, mark!("player number"))?, numbers })
            },
        },
    },
    Row {
        name: mark!("Continue message"),
        since: None,
        later: &[],
        order: OrderRow {
            word: "--",
            form: mark!("-- codes..."),
            text: mark!("Goes on with the message of the line above."),
            examples: &["-- 20 123"],
            starts: numbers,
            read: |a| {
                if a.words.is_empty() {
                    return bad("too-few", say!("no codes given"));
                }
                Ok(Order::Continue { numbers: a.words.iter().map(|w| (*w).to_owned()).collect() })
            },
        },
    },
];

/// The row of a letter.
pub fn row(letter: &str) -> Option<&'static Row> {
    ROWS.iter().find(|r| r.order.word == letter)
}
