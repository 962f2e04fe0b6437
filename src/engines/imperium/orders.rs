//! Orders: one table, from which the reader, the help and the errors are made (§13).

use engine::press;
use engine::syntax::words;
use engine::{CardText, Told, Topic};
use serde::{Deserialize, Serialize};
use tongue::{mark, say, word as said};

use super::board::Board;
use super::galaxy::{Planet, System, number};
use super::kinds::{Group, Kind, Name, Side};

/// A row of the table of orders.
pub struct Row {
    /// The first word.
    pub word: &'static str,
    /// The right form.
    pub form: &'static str,
    /// What it does, in sentences.
    pub text: &'static str,
    /// Lines as a player would write them.
    pub examples: &'static [&'static str],
}

/// Every order, in the order of a turn.
pub const ROWS: [Row; 36] = [
    Row {
        word: "B",
        form: mark!("B type number"),
        text: mark!(
            "Builds units: the cost is paid at once, and they arrive when their turns are over. \
             Only with the first card of a turn. Counters limit what you may have."
        ),
        examples: &["B DD 2", "B OP 1"],
    },
    Row {
        word: "P",
        form: mark!("P unit planet [fleet] or P unit carrier"),
        text: mark!(
            "Where an arrival goes: to a World of yours, ships into a fleet there; or cargo aboard \
             an empty transport at a World. No World gets its second unit before all have one. Names \
             of arrivals stand in your printout; a type means the next of it. In the set-up it places \
             whatever you have."
        ),
        examples: &["P DD7 01.1 3", "P OP TR2"],
    },
    Row {
        word: "T",
        form: mark!("T planet"),
        text: mark!(
            "Pays a turn of terraforming an N1 or N2 planet with a connected Outpost of yours: 10 \
             Resources on each of 10 turns (N1) or 8 (N2)."
        ),
        examples: &["T 15.1"],
    },
    Row {
        word: "G",
        form: mark!("G planet"),
        text: mark!(
            "In peace: pays a turn of making an Outpost on an A planet a World, 10 Resources on each \
             of 4 turns."
        ),
        examples: &["G 02.1"],
    },
    Row {
        word: "I",
        form: "I F|R|N [IF ...]",
        text: mark!(
            "Imperial seat: the appeal at the start of the next turn, for forces (F) or Resources (R), \
             or none (N). Several lines: the first whose condition holds counts, once."
        ),
        examples: &["I F IF !V9", "I R"],
    },
    Row {
        word: "W",
        form: mark!("W system ..."),
        text: mark!(
            "Imperial seat: home worlds for forces on loan, the best first; stays until replaced."
        ),
        examples: &["W 38 33"],
    },
    Row {
        word: "O",
        form: mark!("O unit|type ..."),
        text: mark!(
            "Imperial seat: what a Frontier Crisis takes first and what Imperial Reinforcements bring \
             first; stays until replaced."
        ),
        examples: &["O SC TR DD"],
    },
    Row {
        word: "SEG",
        form: mark!("SEG number"),
        text: mark!(
            "The blocks below are the plan for this action segment, 1 to 4. Plans for later segments \
             stay on file."
        ),
        examples: &["SEG 2"],
    },
    Row {
        word: "A",
        form: mark!("A system [IF ...]"),
        text: mark!(
            "Begins a block: activate this system and do the orders below. When it is your turn to \
             act, the first block counts that is unused, whose condition holds, whose system holds \
             units of yours, and of which something can be done."
        ),
        examples: &["A 09 IF E04", "A 04"],
    },
    Row {
        word: "WAIT",
        form: "WAIT [IF ...]",
        text: mark!("Passes once, where it stands in the list of blocks."),
        examples: &["WAIT", "WAIT IF J1"],
    },
    Row {
        word: "HALT",
        form: "HALT IF ...",
        text: mark!(
            "Stops the segment when you are to act and this holds: both may send new cards for the \
             rest of it, by the short clock. Once in a segment."
        ),
        examples: &["HALT IF E01"],
    },
    Row {
        word: "M",
        form: mark!("M fleet[+fleet] system[!] ..."),
        text: mark!(
            "Moves fleets together along routes: name each system, or the last alone for the shortest \
             way. ! fights where you may pass. Fleets of scouts alone scout enemy systems."
        ),
        examples: &["M 1+3 04 09", "M 2 09"],
    },
    Row {
        word: "D",
        form: mark!("D fleet new unit ..."),
        text: mark!("Divides: these ships, with their cargo, become a new fleet of this number."),
        examples: &["D 2 7 SC2"],
    },
    Row {
        word: "C",
        form: mark!("C fleet fleet"),
        text: mark!("Combines: the second fleet joins the first, in the same system."),
        examples: &["C 2 7"],
    },
    Row {
        word: "L",
        form: mark!("L carrier unit"),
        text: mark!(
            "Loads a unit from a planet in the system: RT, JT, PD, F aboard TR or AT (one each), F \
             aboard CV or BB."
        ),
        examples: &["L TR1 RT2"],
    },
    Row {
        word: "U",
        form: mark!("U carrier planet"),
        text: mark!(
            "Unloads all that is aboard. An Outpost unloaded on a planet without marker and enemy \
             stands there at once."
        ),
        examples: &["U TR2 19.1"],
    },
    Row {
        word: "E",
        form: "E",
        text: mark!("Engages the enemy's ships in the activated system."),
        examples: &["E"],
    },
    Row {
        word: "K",
        form: mark!("K planet [B [fleet ...]]"),
        text: mark!(
            "Attacks a planet: with B your ships (or these fleets) bombard it first. H lines below \
             say who lands where; without B and H all troops aboard land. Not by fleets that came in \
             this segment, and not while enemy ships or monitors are there."
        ),
        examples: &["K 09.1 B", "K 09.1"],
    },
    Row {
        word: "H",
        form: mark!("H unit hex ..."),
        text: mark!(
            "Lands a unit on a hex of the planet that the block attacks, and moves it on: troops 1 \
             hex, jump troops 3, fighters any. Only fighters, and jump troops from AT, land among \
             defenders."
        ),
        examples: &["H JT1 5 4"],
    },
    Row {
        word: "NF",
        form: mark!("NF hex"),
        text: mark!("No fight in this hex."),
        examples: &["NF 3"],
    },
    Row {
        word: "V",
        form: mark!("V unit carrier"),
        text: mark!(
            "Evacuates a unit from a disputed planet; the enemy there fires at the transport. PD can't \
             leave."
        ),
        examples: &["V RT3 TR1"],
    },
    Row {
        word: "S",
        form: mark!("S fleet system|BACK"),
        text: mark!(
            "Leaves for another system through open space, a hex a turn; in segment 1. BACK turns \
             round."
        ),
        examples: &["S 4 02", "S 4 BACK"],
    },
    Row {
        word: "F",
        form: mark!("F *|unit ...|unit+unit"),
        text: mark!(
            "Repairs at the Close-Out: ships at your Worlds and Outposts or with an AR, troops and PD \
             in such boxes. F * repairs what the stockpile pays, costliest first. F3+F4 makes one of two \
             reduced fighters or monitors."
        ),
        examples: &["F DD3 CL1", "F *", "F F3+F4"],
    },
    Row {
        word: "X",
        form: mark!("X unit ..."),
        text: mark!(
            "Scraps damaged ships at your Worlds or Outposts, and monitors, for half their \
             maintenance."
        ),
        examples: &["X TR1"],
    },
    Row {
        word: "N",
        form: mark!("N STOCK n|*, N PRI type ..., N SKIP unit ..."),
        text: mark!(
            "Maintenance: how many Resources of the stockpile it may use, what is maintained first, \
             what is not. Stays until replaced."
        ),
        examples: &["N STOCK 8", "N PRI CA CL", "N SKIP SC1"],
    },
    Row {
        word: "Y",
        form: mark!("Y group 0-3|E|H"),
        text: mark!(
            "What a group does in space battles: the range it seeks, E keeps away, H stays. Groups: K \
             capital, L light, X auxiliaries, N monitors, F fighters, or a type. Stays until replaced."
        ),
        examples: &["Y K 2", "Y TB 1"],
    },
    Row {
        word: "Q",
        form: mark!("Q B|T|D|S type ..."),
        text: mark!(
            "Targets, the most wanted first: of beams (B), torpedoes (T), defenders against landings \
             and bombardment (D), surface combat (S). Stays until replaced."
        ),
        examples: &["Q T BB CA K"],
    },
    Row {
        word: "R",
        form: mark!("R fleet|* system ..."),
        text: mark!("Where a fleet, or any, retreats to if it may choose. Stays until replaced."),
        examples: &["R * 04 01"],
    },
    Row {
        word: "J",
        form: mark!("J planet unit hex"),
        text: mark!("Where a defender stands when the planet is attacked. Stays until replaced."),
        examples: &["J 09.1 PD2 1"],
    },
    Row {
        word: "Z FIRST",
        form: mark!("Z FIRST or Z LAST"),
        text: mark!(
            "Whether your side moves first in a round of battle whose initiative you have. LAST is \
             the usual."
        ),
        examples: &["Z FIRST", "Z LAST"],
    },
    Row {
        word: "Z FIGHTERS",
        form: "Z FIGHTERS JOIN|STAY",
        text: mark!(
            "Whether fighters on planets join space battles of their system. JOIN is the usual."
        ),
        examples: &["Z FIGHTERS STAY"],
    },
    Row {
        word: "Z SCOUTS",
        form: mark!("Z SCOUTS n"),
        text: mark!(
            "How many destroyers you reveal against scouts, each adding one to their roll; all is \
             the usual."
        ),
        examples: &["Z SCOUTS 2", "Z SCOUTS 99"],
    },
    Row {
        word: "Z TRUCE",
        form: mark!("Z TRUCE or Z TRUCE NO"),
        text: mark!(
            "Offers that the war ends as a truce; it does at the Close-Out when both offer it."
        ),
        examples: &["Z TRUCE", "Z TRUCE NO"],
    },
    Row {
        word: "IF",
        form: mark!("... IF word ..."),
        text: mark!(
            "Conditions of A, WAIT, HALT and I; all must hold, ! in front turns one round. E09 an enemy \
             fleet is in 09, O04 a fleet of yours is, F2@09 your fleet 2 is in 09, C09.1 you hold the \
             planet, D09.1 it is disputed, I2 you have 2 activations left or more, J1 the other has, G7 \
             Glory is 7 or more, T3 it is turn 3 or later, V9 the last Intervention roll was 9."
        ),
        examples: &["A 09 IF E04 !E33"],
    },
    Row {
        word: "PRESS",
        form: mark!("PRESS seat ... END"),
        text: mark!(
            "A letter to the other player; it comes with the next mail. Its text begins on the next \
             line, and END stands alone below it."
        ),
        examples: &["PRESS 2", "Shall we call it a truce?", "END"],
    },
    Row {
        word: "Z",
        form: "Z FIRST, Z LAST, Z FIGHTERS, Z SCOUTS, Z TRUCE",
        text: mark!("Standing choices; HELP Z TRUCE and so on tell of each."),
        examples: &["Z LAST"],
    },
];

/// What a condition asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Test {
    /// `E`: an enemy fleet is in a system.
    Enemy(System),
    /// `O`: an own fleet is.
    Own(System),
    /// `F`: this own fleet is.
    Fleet(u8, System),
    /// `C`: the seat holds a planet.
    Holds(Planet),
    /// `D`: a planet is disputed.
    Disputed(Planet),
    /// `I`: activations left.
    Mine(u8),
    /// `J`: those of the other.
    Theirs(u8),
    /// `G`: Glory at least.
    Glory(u8),
    /// `T`: turn at least.
    Turn(u8),
    /// `V`: the last Intervention roll.
    Roll(u8),
}

/// A word of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    /// What is asked.
    pub test: Test,
    /// True if it must not hold.
    pub not: bool,
}

/// Words that must all hold; none: always.
pub type Cond = Vec<Term>;

/// What an appeal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Appeal {
    /// Forces.
    Forces,
    /// Finances.
    Finances,
    /// Nothing.
    None,
}

/// A unit, or the next of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Piece {
    /// This unit.
    Unit(Name),
    /// Any of a type.
    Kind(Kind),
}

/// Where `P` puts something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Goal {
    /// On a planet, ships into a fleet there.
    Planet(Planet, Option<u8>),
    /// Aboard a ship.
    Carrier(Name),
}

/// A system of a path, and whether to fight there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leg {
    /// The system.
    pub to: System,
    /// Whether to fight where one might pass.
    pub fight: bool,
}

/// An order within an activation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Act {
    /// `M`
    Move(Vec<u8>, Vec<Leg>),
    /// `D`
    Divide(u8, u8, Vec<Name>),
    /// `C`
    Combine(u8, u8),
    /// `L`
    Load(Name, Name),
    /// `U`
    Unload(Name, Planet),
    /// `E`
    Engage,
    /// `K`: bombarded or not, and by which fleets (none: all).
    Attack(Planet, Option<Vec<u8>>),
    /// `H`
    Land(Name, Vec<u8>),
    /// `NF`
    NoFight(u8),
    /// `V`
    Evacuate(Name, Name),
    /// `S`; `None`: back.
    Space(u8, Option<System>),
}

/// How a group behaves in space battles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stance {
    /// It seeks this range.
    Range(u8),
    /// It keeps away.
    Away,
    /// It stays where it is.
    Stay,
}

/// Lists of targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Aims {
    /// Beams.
    Beams,
    /// Torpedoes.
    Torpedoes,
    /// Defenders of a planet against ships.
    Defence,
    /// Surface combat.
    Surface,
}

/// An order that stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stand {
    /// `N STOCK`; `None`: all.
    Stock(Option<u32>),
    /// `N PRI`
    Priority(Vec<Kind>),
    /// `N SKIP`
    Skip(Vec<Name>),
    /// `Y`
    Stance(Group, Stance),
    /// `Q`
    Targets(Aims, Vec<Group>),
    /// `R`
    Retreat(Option<u8>, Vec<System>),
    /// `J`
    Post(Planet, Name, u8),
    /// `W`
    Homes(Vec<System>),
    /// `O`
    Removal(Vec<Piece>),
    /// `Z FIRST`, `Z LAST`
    First(bool),
    /// `Z FIGHTERS`
    FightersJoin(bool),
    /// `Z SCOUTS`
    Scouts(u8),
    /// `Z TRUCE`
    Truce(bool),
}

/// What `F` repairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fix {
    /// All that the stockpile pays.
    All,
    /// A unit.
    Unit(Name),
    /// Two reduced units become one.
    Pair(Name, Name),
}

/// An order as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// `B`
    Build(Kind, u32),
    /// `P`
    Place(Piece, Goal),
    /// `T`
    Terraform(Planet),
    /// `G`
    Upgrade(Planet),
    /// `I`
    Appeal(Appeal, Cond),
    /// `SEG`
    Segment(u8),
    /// `A`
    Activate(System, Cond),
    /// `WAIT`
    Wait(Cond),
    /// `HALT`
    Halt(Cond),
    /// Within an activation.
    Act(Act),
    /// `F`
    Fix(Vec<Fix>),
    /// `X`
    Scrap(Vec<Name>),
    /// An order that stays.
    Stand(Stand),
    /// `PRESS`
    Press(press::Block),
}

/// A line of a card with an order on it, right or wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number in the card.
    pub line: u32,
    /// Its first word, upper case.
    pub word: String,
    /// What it says, or what is wrong with it.
    pub read: Result<Order, Told>,
}

/// The orders of a card, in their order.
pub fn read(board: &Board, side: Side, card: &CardText) -> Vec<Entry> {
    let limits = &board.tables.limits;
    let (letters, rest) = press::split(card);
    let mut entries = Vec::new();
    for (line, text) in &rest.lines {
        let Some(read) = order(board, side, text) else { continue };
        let read = match entries.len() < limits.lines {
            true => read,
            false => {
                let note = say!("a card has at most {lines} lines", lines = limits.lines);
                Err(Told::error("too-many", note))
            }
        };
        let word = words(text).map(|w| w.head).unwrap_or_default();
        entries.push(Entry { line: *line, word, read });
    }
    for (n, block) in letters.into_iter().enumerate() {
        let line = block.line;
        let read = match n < limits.letters {
            true => Ok(Order::Press(block)),
            false => {
                let note = say!("a card has at most {letters} letters", letters = limits.letters);
                Err(Told::error("too-many", note))
            }
        };
        entries.push(Entry { line, word: "PRESS".to_owned(), read });
    }
    entries.sort_by_key(|e| e.line);
    entries
}

/// The right form of an order, as an error.
fn form(word: &str) -> Told {
    let row = ROWS.iter().find(|row| row.word == word).unwrap_or(&ROWS[0]);
    let (form, example) = (said(row.form), row.examples[0]);
    Told::error("form", say!("the form is {form}, such as {example}"))
}

type Read<T> = Result<T, Told>;

struct Reader<'a> {
    board: &'a Board,
    side: Side,
}

/// Reads a line; `None`: there is nothing on it.
fn order(board: &Board, side: Side, text: &str) -> Option<Read<Order>> {
    let parts = words(text)?;
    let reader = Reader { board, side };
    let rest = parts.rest.as_slice();
    let act = |act: Read<Act>| act.map(Order::Act);
    Some(match parts.head.as_str() {
        "B" => reader.build(rest),
        "P" => reader.place(rest),
        "T" => reader.one_planet("T", rest).map(Order::Terraform),
        "G" => reader.one_planet("G", rest).map(Order::Upgrade),
        "I" => reader.appeal(rest),
        "W" => reader.systems("W", rest).map(|s| Order::Stand(Stand::Homes(s))),
        "O" => reader.removal(rest),
        "SEG" => reader.segment(rest),
        "A" => reader.activate(rest),
        "WAIT" => reader.cond("WAIT", rest).map(Order::Wait),
        "HALT" => match rest {
            [] => {
                let note = say!("HALT needs a condition: HALT IF E01");
                Err(Told::error("no-condition", note))
            }
            rest => reader.cond("HALT", rest).map(Order::Halt),
        },
        "M" => act(reader.moves(rest)),
        "D" => act(reader.divide(rest)),
        "C" => act(reader.combine(rest)),
        "L" => act(reader.pair("L", rest).map(|(a, b)| Act::Load(a, b))),
        "U" => act(reader.unload(rest)),
        "E" if rest.is_empty() => Ok(Order::Act(Act::Engage)),
        "K" => act(reader.attack(rest)),
        "H" => act(reader.land(rest)),
        "NF" => match rest {
            [hex] if number(hex).is_some() => {
                Ok(Order::Act(Act::NoFight(number(hex).unwrap_or(0))))
            }
            _ => Err(form("NF")),
        },
        "V" => act(reader.pair("V", rest).map(|(a, b)| Act::Evacuate(a, b))),
        "S" => act(reader.space(rest)),
        "F" => reader.fix(rest),
        "X" => match rest {
            [] => Err(form("X")),
            units => units.iter().map(|w| reader.unit(w)).collect::<Read<_>>().map(Order::Scrap),
        },
        "N" => reader.maintain(rest),
        "Y" => reader.stance(rest),
        "Q" => reader.targets(rest),
        "R" => reader.retreat(rest),
        "J" => reader.post(rest),
        "Z" => reader.choice(rest),
        word => Err(match ROWS.iter().find(|row| row.word == word) {
            Some(row) => form(row.word),
            None => {
                let known: Vec<&str> =
                    ROWS.iter().map(|row| row.word).filter(|w| !w.contains(' ')).collect();
                let known = known.join(", ");
                Told::error("unknown", say!("there is no such order; HELP explains {known}"))
            }
        }),
    })
}

impl Reader<'_> {
    fn system(&self, word: &str) -> Read<System> {
        let all = self.board.galaxy.systems.len();
        let known = number(word).map(System).filter(|s| self.board.galaxy.row(*s).is_some());
        known
            .ok_or_else(|| Told::error("no-system", say!("systems are 01 to {all:02}, not {word}")))
    }

    fn systems(&self, row: &str, words: &[&str]) -> Read<Vec<System>> {
        if words.is_empty() {
            return Err(form(row));
        }
        words.iter().map(|w| self.system(w)).collect()
    }

    fn planet(&self, word: &str) -> Read<Planet> {
        let Some(planet) = Planet::read(word) else {
            let note = say!("a planet is a system and a number such as 01.2, not {word}");
            return Err(Told::error("no-planet", note));
        };
        let system = self.system(&planet.system.to_string())?;
        let count = self.board.galaxy.planets(system).count();
        let has = match count {
            1 => say!("{system} has planet 1 alone"),
            n => say!("{system} has planets 1–{n}"),
        };
        match self.board.galaxy.ground(planet) {
            Some(_) => Ok(planet),
            None => Err(Told::error("no-planet", has)),
        }
    }

    fn one_planet(&self, row: &str, rest: &[&str]) -> Read<Planet> {
        match rest {
            [planet] => self.planet(planet),
            _ => Err(form(row)),
        }
    }

    fn unit(&self, word: &str) -> Read<Name> {
        Name::read(word, self.side).ok_or_else(|| {
            let note = match Kind::read(word) {
                Some(kind) => {
                    say!("which {word}? Write its number, such as {code}1", code = kind.code())
                }
                None => say!("a unit is a type and a number such as DD7, not {word}"),
            };
            Told::error("no-unit", note)
        })
    }

    fn kind(&self, word: &str) -> Read<Kind> {
        Kind::read(word).ok_or_else(|| {
            let known: Vec<&str> =
                Kind::ALL.iter().filter(|k| k.built_by(self.side)).map(|k| k.code()).collect();
            let types = known.join(" ");
            Told::error("no-type", say!("there is no type {word}; you have {types}"))
        })
    }

    fn piece(&self, word: &str) -> Read<Piece> {
        // Where both could stand a word is the type; B-1 is the unit (§2.1).
        match Kind::read(word) {
            Some(kind) => Ok(Piece::Kind(kind)),
            None => self.unit(word).map(Piece::Unit),
        }
    }

    fn group(&self, word: &str) -> Read<Group> {
        Group::read(word).ok_or_else(|| {
            let note = say!("{word} is no group: K, L, X, N, F or a type such as BB");
            Told::error("no-group", note)
        })
    }

    fn fleet(&self, word: &str) -> Read<u8> {
        let most = self.board.tables.limits.fleets;
        number(word).filter(|n| (1..=most).contains(n)).ok_or_else(|| {
            Told::error("no-fleet", say!("fleets have numbers from 1 to {most}, not {word}"))
        })
    }

    fn hex(&self, word: &str) -> Read<u8> {
        number(word).filter(|n| (1..=19).contains(n)).ok_or_else(|| {
            Told::error("no-hex", say!("hexes have numbers from 1 to 19 at most, not {word}"))
        })
    }

    fn build(&self, rest: &[&str]) -> Read<Order> {
        let (kind, count) = match rest {
            [kind] => (kind, "1"),
            [kind, count] => (kind, *count),
            _ => return Err(form("B")),
        };
        let kind = self.kind(kind)?;
        let count = number(count).filter(|n| *n > 0).ok_or_else(|| form("B"))?;
        Ok(Order::Build(kind, u32::from(count)))
    }

    fn place(&self, rest: &[&str]) -> Read<Order> {
        let (piece, to, fleet) = match rest {
            [piece, to] => (piece, to, None),
            [piece, to, fleet] => (piece, to, Some(self.fleet(fleet)?)),
            _ => return Err(form("P")),
        };
        // A Terran B1 is a unit where no list of types is meant.
        let piece = match Name::read(piece, self.side) {
            Some(name) => Piece::Unit(name),
            None => self.piece(piece)?,
        };
        if to.contains('.') {
            return Ok(Order::Place(piece, Goal::Planet(self.planet(to)?, fleet)));
        }
        match fleet {
            None => Ok(Order::Place(piece, Goal::Carrier(self.unit(to)?))),
            Some(_) => Err(form("P")),
        }
    }

    fn appeal(&self, rest: &[&str]) -> Read<Order> {
        let (what, cond) = rest.split_first().ok_or_else(|| form("I"))?;
        let what = match what.to_uppercase().as_str() {
            "F" | "FORCES" => Appeal::Forces,
            "R" | "FINANCES" => Appeal::Finances,
            "N" | "NONE" => Appeal::None,
            _ => return Err(form("I")),
        };
        Ok(Order::Appeal(what, self.cond("I", cond)?))
    }

    fn removal(&self, rest: &[&str]) -> Read<Order> {
        if rest.is_empty() {
            return Err(form("O"));
        }
        let pieces: Read<Vec<Piece>> = rest.iter().map(|w| self.piece(w)).collect();
        pieces.map(|p| Order::Stand(Stand::Removal(p)))
    }

    fn segment(&self, rest: &[&str]) -> Read<Order> {
        match rest {
            [n] => match number(n).filter(|n| (1..=4).contains(n)) {
                Some(n) => Ok(Order::Segment(n)),
                None => Err(Told::error("no-segment", say!("segments are 1 to 4"))),
            },
            _ => Err(form("SEG")),
        }
    }

    fn activate(&self, rest: &[&str]) -> Read<Order> {
        let (system, cond) = rest.split_first().ok_or_else(|| form("A"))?;
        Ok(Order::Activate(self.system(system)?, self.cond("A", cond)?))
    }

    fn cond(&self, row: &str, rest: &[&str]) -> Read<Cond> {
        let Some((first, terms)) = rest.split_first() else { return Ok(Vec::new()) };
        if !first.eq_ignore_ascii_case("IF") || terms.is_empty() {
            return Err(form(row));
        }
        terms.iter().map(|w| self.term(w)).collect()
    }

    fn term(&self, word: &str) -> Read<Term> {
        let unknown = || {
            let note = say!(
                "{word} is no condition; conditions are E09, O04, F2@09, C09.1, D09.1, I2, J1, G7, \
                 T3, V9, and ! in front"
            );
            Told::error("no-condition", note)
        };
        let (not, rest) = match word.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        let letter = rest.chars().next().ok_or_else(unknown)?;
        let what = rest.get(letter.len_utf8()..).unwrap_or_default();
        let plain = || number(what).ok_or_else(unknown);
        let test = match letter.to_ascii_uppercase() {
            'E' => Test::Enemy(self.system(what)?),
            'O' => Test::Own(self.system(what)?),
            'F' => {
                let (fleet, at) = what.split_once('@').ok_or_else(unknown)?;
                Test::Fleet(self.fleet(fleet)?, self.system(at)?)
            }
            'C' => Test::Holds(self.planet(what)?),
            'D' => Test::Disputed(self.planet(what)?),
            'I' => Test::Mine(plain()?),
            'J' => Test::Theirs(plain()?),
            'G' => Test::Glory(plain()?),
            'T' => Test::Turn(plain()?),
            'V' => Test::Roll(plain()?),
            _ => return Err(unknown()),
        };
        Ok(Term { test, not })
    }

    fn moves(&self, rest: &[&str]) -> Read<Act> {
        let (fleets, path) = rest.split_first().ok_or_else(|| form("M"))?;
        if path.is_empty() {
            return Err(form("M"));
        }
        let fleets: Read<Vec<u8>> = fleets.split('+').map(|w| self.fleet(w)).collect();
        let mut fleets = fleets?;
        fleets.sort_unstable();
        fleets.dedup();
        let leg = |word: &&str| {
            let fight = word.ends_with('!');
            Ok(Leg { to: self.system(word.trim_end_matches('!'))?, fight })
        };
        Ok(Act::Move(fleets, path.iter().map(leg).collect::<Read<_>>()?))
    }

    fn divide(&self, rest: &[&str]) -> Read<Act> {
        match rest {
            [fleet, new, units @ ..] if !units.is_empty() => {
                let units: Read<Vec<Name>> = units.iter().map(|w| self.unit(w)).collect();
                Ok(Act::Divide(self.fleet(fleet)?, self.fleet(new)?, units?))
            }
            _ => Err(form("D")),
        }
    }

    fn combine(&self, rest: &[&str]) -> Read<Act> {
        match rest {
            [a, b] => Ok(Act::Combine(self.fleet(a)?, self.fleet(b)?)),
            _ => Err(form("C")),
        }
    }

    fn pair(&self, row: &str, rest: &[&str]) -> Read<(Name, Name)> {
        match rest {
            [a, b] => Ok((self.unit(a)?, self.unit(b)?)),
            _ => Err(form(row)),
        }
    }

    fn unload(&self, rest: &[&str]) -> Read<Act> {
        match rest {
            [carrier, planet] => Ok(Act::Unload(self.unit(carrier)?, self.planet(planet)?)),
            _ => Err(form("U")),
        }
    }

    fn attack(&self, rest: &[&str]) -> Read<Act> {
        match rest {
            [planet] => Ok(Act::Attack(self.planet(planet)?, None)),
            [planet, b, fleets @ ..] if b.eq_ignore_ascii_case("B") => {
                let fleets: Read<Vec<u8>> = fleets.iter().map(|w| self.fleet(w)).collect();
                let mut fleets = fleets?;
                fleets.sort_unstable();
                fleets.dedup();
                Ok(Act::Attack(self.planet(planet)?, Some(fleets)))
            }
            _ => Err(form("K")),
        }
    }

    fn land(&self, rest: &[&str]) -> Read<Act> {
        match rest {
            [unit, hexes @ ..] if !hexes.is_empty() => {
                let hexes: Read<Vec<u8>> = hexes.iter().map(|w| self.hex(w)).collect();
                Ok(Act::Land(self.unit(unit)?, hexes?))
            }
            _ => Err(form("H")),
        }
    }

    fn space(&self, rest: &[&str]) -> Read<Act> {
        match rest {
            [fleet, back] if back.eq_ignore_ascii_case("BACK") => {
                Ok(Act::Space(self.fleet(fleet)?, None))
            }
            [fleet, to] => Ok(Act::Space(self.fleet(fleet)?, Some(self.system(to)?))),
            _ => Err(form("S")),
        }
    }

    fn fix(&self, rest: &[&str]) -> Read<Order> {
        if rest.is_empty() {
            return Err(form("F"));
        }
        let fix = |word: &&str| match word.split_once('+') {
            _ if *word == "*" => Ok(Fix::All),
            Some((a, b)) => Ok(Fix::Pair(self.unit(a)?, self.unit(b)?)),
            None => self.unit(word).map(Fix::Unit),
        };
        Ok(Order::Fix(rest.iter().map(fix).collect::<Read<_>>()?))
    }

    fn maintain(&self, rest: &[&str]) -> Read<Order> {
        let (word, rest) = rest.split_first().ok_or_else(|| form("N"))?;
        let stand = match (word.to_uppercase().as_str(), rest) {
            ("STOCK", ["*"]) => Stand::Stock(None),
            ("STOCK", [n]) => {
                let n = n.parse().ok().filter(|n: &u32| *n <= 99_999);
                Stand::Stock(Some(n.ok_or_else(|| form("N"))?))
            }
            ("PRI", kinds) if !kinds.is_empty() => {
                Stand::Priority(kinds.iter().map(|w| self.kind(w)).collect::<Read<_>>()?)
            }
            ("SKIP", units) => {
                Stand::Skip(units.iter().map(|w| self.unit(w)).collect::<Read<_>>()?)
            }
            _ => return Err(form("N")),
        };
        Ok(Order::Stand(stand))
    }

    fn stance(&self, rest: &[&str]) -> Read<Order> {
        let [group, stance] = rest else { return Err(form("Y")) };
        let stance = match stance.to_uppercase().as_str() {
            "E" => Stance::Away,
            "H" => Stance::Stay,
            other => match number(other).filter(|n| *n <= 3) {
                Some(n) => Stance::Range(n),
                None => return Err(form("Y")),
            },
        };
        Ok(Order::Stand(Stand::Stance(self.group(group)?, stance)))
    }

    fn targets(&self, rest: &[&str]) -> Read<Order> {
        let (list, groups) = rest.split_first().ok_or_else(|| form("Q"))?;
        let aims = match list.to_uppercase().as_str() {
            "B" => Aims::Beams,
            "T" => Aims::Torpedoes,
            "D" => Aims::Defence,
            "S" => Aims::Surface,
            _ => return Err(form("Q")),
        };
        if groups.is_empty() {
            return Err(form("Q"));
        }
        let groups: Read<Vec<Group>> = groups.iter().map(|w| self.group(w)).collect();
        Ok(Order::Stand(Stand::Targets(aims, groups?)))
    }

    fn retreat(&self, rest: &[&str]) -> Read<Order> {
        let (fleet, systems) = rest.split_first().ok_or_else(|| form("R"))?;
        let fleet = if *fleet == "*" { None } else { Some(self.fleet(fleet)?) };
        Ok(Order::Stand(Stand::Retreat(fleet, self.systems("R", systems)?)))
    }

    fn post(&self, rest: &[&str]) -> Read<Order> {
        let [planet, unit, hex] = rest else { return Err(form("J")) };
        let (planet, unit, hex) = (self.planet(planet)?, self.unit(unit)?, self.hex(hex)?);
        if hex > self.board.hexes(planet) {
            return Err(no_hex(self.board, planet));
        }
        Ok(Order::Stand(Stand::Post(planet, unit, hex)))
    }

    fn choice(&self, rest: &[&str]) -> Read<Order> {
        let upper: Vec<String> = rest.iter().map(|w| w.to_uppercase()).collect();
        let words: Vec<&str> = upper.iter().map(String::as_str).collect();
        let stand = match words.as_slice() {
            ["FIRST"] => Stand::First(true),
            ["LAST"] => Stand::First(false),
            ["FIGHTERS", "JOIN"] => Stand::FightersJoin(true),
            ["FIGHTERS", "STAY"] => Stand::FightersJoin(false),
            ["FIGHTERS", ..] => return Err(form("Z FIGHTERS")),
            ["SCOUTS", n] => match number(n) {
                Some(n) => Stand::Scouts(n),
                None => return Err(form("Z SCOUTS")),
            },
            ["TRUCE"] => Stand::Truce(true),
            ["TRUCE", "NO"] => Stand::Truce(false),
            _ => return Err(form("Z")),
        };
        Ok(Order::Stand(stand))
    }
}

/// A hex that a planet does not have.
pub fn no_hex(board: &Board, planet: Planet) -> Told {
    Told::error("no-hex", say!("{planet} has hexes 1–{n}", n = board.hexes(planet)))
}

/// Whether a line of a mail begins as an order, right or wrong.
pub fn starts_order(line: &str) -> bool {
    let Some(parts) = words(line) else { return false };
    let rest = parts.rest.as_slice();
    let digit = |w: &str| w.starts_with(|c: char| c.is_ascii_digit() || c == '*');
    let first = rest.first().copied().unwrap_or_default();
    let unit = |w: &str| {
        let code: String = w.chars().take_while(char::is_ascii_alphabetic).collect();
        Kind::read(&code).is_some() || Group::read(&code).is_some()
    };
    let among = |list: &[&str]| list.iter().any(|w| first.eq_ignore_ascii_case(w));
    match parts.head.as_str() {
        "E" => rest.is_empty(),
        "SEG" | "A" | "M" | "D" | "C" | "K" | "NF" | "S" | "R" | "T" | "G" | "W" | "J" => {
            digit(first)
        }
        "WAIT" => rest.is_empty() || among(&["IF"]),
        "HALT" => rest.is_empty() || among(&["IF"]),
        "B" | "P" | "O" | "L" | "U" | "V" | "H" | "X" | "Y" => {
            unit(first) && rest.len() <= 60 && !first.is_empty()
        }
        "F" => first == "*" || unit(first) && first.chars().any(|c| c.is_ascii_digit()),
        "I" => among(&["F", "R", "N", "FORCES", "FINANCES"]) && rest.len() <= 12,
        "N" => among(&["STOCK", "PRI", "SKIP"]),
        "Q" => among(&["B", "T", "D", "S"]) && rest.len() > 1,
        "PRESS" => press::opens(line).is_some(),
        "Z" => among(&["FIRST", "LAST", "FIGHTERS", "SCOUTS", "TRUCE"]),
        _ => false,
    }
}

/// Help, a topic for each row.
pub fn help() -> Vec<Topic> {
    let topic = |row: &Row| Topic {
        word: row.word.to_owned(),
        title: said(row.form).into_owned(),
        text: said(row.text).into_owned(),
        examples: row.examples.iter().map(|e| (*e).to_owned()).collect(),
    };
    ROWS.iter().map(topic).collect()
}

/// How an act is written.
pub fn act_text(act: &Act) -> String {
    let join = |items: Vec<String>, with: &str| items.join(with);
    let fleets = |list: &[u8]| join(list.iter().map(u8::to_string).collect(), "+");
    match act {
        Act::Move(list, legs) => {
            let leg = |l: &Leg| format!("{}{}", l.to, if l.fight { "!" } else { "" });
            format!("M {} {}", fleets(list), join(legs.iter().map(leg).collect(), " "))
        }
        Act::Divide(fleet, new, units) => {
            let units = join(units.iter().map(Name::to_string).collect(), " ");
            format!("D {fleet} {new} {units}")
        }
        Act::Combine(a, b) => format!("C {a} {b}"),
        Act::Load(carrier, unit) => format!("L {carrier} {unit}"),
        Act::Unload(carrier, planet) => format!("U {carrier} {planet}"),
        Act::Engage => "E".to_owned(),
        Act::Attack(planet, None) => format!("K {planet}"),
        Act::Attack(planet, Some(list)) => {
            let list: Vec<String> = list.iter().map(|f| format!(" {f}")).collect();
            format!("K {planet} B{}", list.concat())
        }
        Act::Land(unit, hexes) => {
            format!("H {unit} {}", join(hexes.iter().map(u8::to_string).collect(), " "))
        }
        Act::NoFight(hex) => format!("NF {hex}"),
        Act::Evacuate(unit, carrier) => format!("V {unit} {carrier}"),
        Act::Space(fleet, Some(to)) => format!("S {fleet} {to}"),
        Act::Space(fleet, None) => format!("S {fleet} BACK"),
    }
}
