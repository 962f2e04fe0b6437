//! The order table: one row an order, from which parser, help and hints come.

use super::fields::{Args, Bad, bad, name_in};
use super::{Aim, Landing, Named, Order, Who};
use crate::state::{CARRIER, JET};
use crate::tables::Tables;
use engine::geometry::Direction;
use tongue::{mark, say};

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
    pub(super) read: Read,
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
    pub fn sentences(&self, tables: &Tables, tech: u8) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.help).chain(self.known(tables, tech).map(|l| l.help))
    }

    /// The same as a paragraph, in English.
    pub fn explained(&self, tables: &Tables, tech: u8) -> String {
        self.sentences(tables, tech).collect::<Vec<_>>().join(" ")
    }

    /// The examples that a tech level knows.
    pub fn shown(&self, tables: &Tables, tech: u8) -> Vec<String> {
        let later = self.known(tables, tech).flat_map(|l| l.examples);
        self.examples.iter().chain(later).map(|e| (*e).to_owned()).collect()
    }
}

/// Every order of the game.
pub const ROWS: &[Row] = &[
    Row {
        letter: "A",
        name: mark!("Advance"),
        form: mark!("A unit|sector sector|direction"),
        examples: &["A 12 12387", "A 10221 2"],
        help: mark!(
            "Moves a unit, or all units in a sector, every turn until it arrives, is blocked or \
             gets a new order; it steers round ground that is known to be closed and ends beside a \
             goal that is. Directions: 1 N, 2 NE, 3 E, 4 SE, 5 S, 6 SW, 7 W, 8 NW."
        ),
        since: None,
        later: &[],
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
    Row {
        letter: "B",
        name: mark!("Bomb or bombard"),
        form: mark!("B bombers|0 sector"),
        examples: &["B 5 22344", "B 0 12323"],
        help: mark!(
            "Bombers, with as many fighters if the target is in their range, and all ships in \
             range strike a sector before movement; 0 bombers: ships only."
        ),
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            Ok(Order::Bomb {
                bombers: a.number(0, mark!("number of bombers"))?,
                sector: a.sector(1)?,
            })
        },
    },
    Row {
        letter: "C",
        name: mark!("Construct"),
        form: mark!("C city id"),
        examples: &["C 23 1", "C 23 18", "C 23 21", "C 23 36"],
        help: mark!(
            "Starts the item with this ID in the first idle centre of the city; a finished centre \
             builds the same again. 21, 22, 23 build one to three defence levels, one a centre; 31 \
             to 37 halt centres 1, 2, 3, 1+2, 1+3, 2+3, all."
        ),
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            Ok(Order::Construct {
                city: a.number(0, mark!("city number"))?,
                item: a.small(1, mark!("ID"))?,
            })
        },
    },
    Row {
        letter: "D",
        name: mark!("Declare"),
        form: mark!("D player"),
        examples: &["D 24"],
        help: mark!(
            "Makes a player your ally, or an ally an enemy again. Your units neither attack an \
             ally nor take its land; the ally may still attack you. At most eight."
        ),
        since: None,
        later: &[],
        read: |a| {
            a.count(1)?;
            Ok(Order::Declare { player: a.number(0, mark!("player number"))? })
        },
    },
    Row {
        letter: "E",
        name: mark!("Research"),
        form: mark!("E pp"),
        examples: &["E 5"],
        help: mark!(
            "Spends production points on research; what was spent in vain raises the chance of \
             later attempts. The echo tells the chance."
        ),
        since: None,
        later: &[],
        read: |a| {
            a.count(1)?;
            Ok(Order::Research { pp: a.number(0, mark!("number of PP"))?.into() })
        },
    },
    Row {
        letter: "F",
        name: mark!("Fly"),
        form: mark!("F base base fb"),
        examples: &["F 123 32 23", "F 123 0 0"],
        help: mark!(
            "Every turn f fighters and b bombers (one digit each) fly from the first base to the \
             second; F base 0 0 ends it."
        ),
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
        read: |a| {
            a.count(3)?;
            let (base, to) = (a.base(0)?, a.base(1)?);
            Ok(Order::Fly { base, to, cargo: a.freight(2, to)? })
        },
    },
    Row {
        letter: "I",
        name: mark!("Investigate"),
        form: mark!("I player amount"),
        examples: &["I 34 20", "I 10 3", "I 10 0"],
        help: mark!(
            "Spends up to 5 PP a tech level on spying. With your own number it is counter-spying, \
             paid every turn until you order 0 or spy on somebody."
        ),
        since: None,
        later: &[Later {
            gate: |t| t.tech.gates.satellite,
            form: mark!("I sector 20"),
            examples: &["I 12323 20"],
            help: mark!(
                "With a sector it buys a satellite picture of the area around it, for 20 PP."
            ),
        }],
        read: |a| {
            a.count(2)?;
            let pp = a.number(1, mark!("number of PP"))?.into();
            if let Who::Sector(sector) = a.who(0)? {
                return Ok(Order::Picture { sector, pp });
            }
            Ok(Order::Investigate { player: a.number(0, mark!("player number"))?, pp })
        },
    },
    Row {
        letter: "J",
        name: mark!("Coalition"),
        form: mark!("J player"),
        examples: &["J 24", "J 0", "J -24"],
        help: mark!("Joins or invites a player from turn 15 on; 0 leaves, -player votes to expel."),
        since: None,
        later: &[],
        read: |a| {
            a.count(1)?;
            match a.words[0].parse() {
                Ok(player) => Ok(Order::Coalition { player }),
                Err(_) => bad("not-a-number", say!("that is no player number")),
            }
        },
    },
    Row {
        letter: "K",
        name: mark!("Engineering"),
        form: mark!("K unit task"),
        examples: &["K 23 1"],
        help: mark!("Engineers search the ruins in their sector (task 1) and stay where they are."),
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
        read: |a| {
            a.count(2)?;
            Ok(Order::Engineer {
                unit: a.number(0, mark!("unit number"))?,
                task: a.small(1, mark!("task"))?,
            })
        },
    },
    Row {
        letter: "L",
        name: mark!("Link"),
        form: mark!("L unit unit|0"),
        examples: &["L 2 3", "L 2 0"],
        help: mark!(
            "Joins units of one type in one sector under the lowest number, at most 45; 0 takes \
             all of the type there. Ranks are averaged by regiments."
        ),
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            let other = Some(a.number(1, mark!("unit number"))?).filter(|&n| n != 0);
            Ok(Order::Link { unit: a.number(0, mark!("unit number"))?, other })
        },
    },
    Row {
        letter: "M",
        name: mark!("Move"),
        form: mark!("M unit|sector digits"),
        examples: &["M 3 122", "M 03454 0011"],
        help: mark!(
            "Moves a unit, or all units in a sector, exactly along the direction digits, one a \
             phase; 0 waits a phase."
        ),
        since: None,
        later: &[],
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
    Row {
        letter: "N",
        name: mark!("Name"),
        form: mark!("N 1-3 number name"),
        examples: &["N 1 1 GRAAK", "N 2 32 POOTON", "N 3 1 SLAVER"],
        help: mark!(
            "Names a city (1), an airbase (2) or a general (3): at most 12 characters, blanks \
             allowed."
        ),
        since: None,
        later: &[],
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
    Row {
        letter: "O",
        name: mark!("Observe"),
        form: mark!("O fighters sector"),
        examples: &["O 5 20120"],
        help: mark!(
            "Fighters report on seven by seven sectors after movement; two or more attack the \
             first enemy unit that they find."
        ),
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            let fighters = a.number(0, mark!("number of fighters"))?;
            Ok(Order::Observe { fighters, sector: a.sector(1)? })
        },
    },
    Row {
        letter: "P",
        name: mark!("Position general"),
        form: mark!("P general unit"),
        examples: &["P 2 34"],
        help: mark!("Sends a general to one of your units."),
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            let general = a.number(0, mark!("general's number"))?;
            Ok(Order::Position { general, unit: a.number(1, mark!("unit number"))? })
        },
    },
    Row {
        letter: "R",
        name: mark!("Rocket"),
        form: mark!("R missiles sector"),
        examples: &["R 2 12323"],
        help: mark!(
            "Fires missiles from the nearest bases at ground that you have explored, before \
             bombers fly: at units, else at defence levels, then at planes."
        ),
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
        read: |a| {
            a.count(2)?;
            let (atomic, missiles) = match a.lettered(0, 'A') {
                Some(count) => (true, count),
                None => (false, a.number(0, mark!("number of missiles"))?),
            };
            Ok(Order::Rocket { missiles, atomic, sector: a.sector(1)? })
        },
    },
    Row {
        letter: "S",
        name: mark!("Split"),
        form: mark!("S unit number"),
        examples: &["S 3 2"],
        help: mark!(
            "Parts so many regiments or ships from a unit; the new unit takes the lowest free \
             number and can be ordered in the same card."
        ),
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            let number = a.number(1, mark!("number of regiments"))?;
            Ok(Order::Split { unit: a.number(0, mark!("unit number"))?, number })
        },
    },
    Row {
        letter: "V",
        name: mark!("Airlift"),
        form: mark!("V unit|sector airbase"),
        examples: &["V 2 23", "V 22211 45"],
        help: mark!(
            "Bombers, one a size point, carry units from one of your airbases to another within 50 \
             sectors and stay there."
        ),
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
        name: mark!("On watch"),
        form: mark!("W airbase fighters"),
        examples: &["W 123 5"],
        help: mark!(
            "Keeps fighters at a base for its defence, turn after turn; they fly nothing else."
        ),
        since: None,
        later: &[],
        read: |a| {
            a.count(2)?;
            let base = a.base(0)?;
            Ok(Order::Watch { base, fighters: a.number(1, mark!("number of fighters"))? })
        },
    },
    Row {
        letter: "Y",
        name: mark!("Message"),
        form: mark!("Y player|101 codes..."),
        examples: &["Y 10 151 155 117"],
        help: mark!(
            "Sends coded sentences to a player, or to all with 101 (in games of more than 100 \
             seats with 0); each code is followed by its numbers. The list of codes is in HELP \
             CODES."
        ),
        since: None,
        later: &[],
        read: |a| {
            if a.words.len() < 2 {
                return bad("too-few", say!("a message needs an addressee and at least one code"));
            }
            let numbers = a.words[1..].iter().map(|w| (*w).to_owned()).collect();
            Ok(Order::Message { player: a.number(0, mark!("player number"))?, numbers })
        },
    },
    Row {
        letter: "--",
        name: mark!("Continue message"),
        form: mark!("-- codes..."),
        examples: &["-- 20 123"],
        help: mark!("Goes on with the message of the line above."),
        since: None,
        later: &[],
        read: |a| {
            if a.words.is_empty() {
                return bad("too-few", say!("no codes given"));
            }
            Ok(Order::Continue { numbers: a.words.iter().map(|w| (*w).to_owned()).collect() })
        },
    },
];

/// The row of a letter.
pub fn row(letter: &str) -> Option<&'static Row> {
    ROWS.iter().find(|r| r.letter == letter)
}
