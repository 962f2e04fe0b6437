//! The table of orders (§13).

use engine::orders::{Bad, OrderRow, among, never, nothing};
use tongue::mark;

use super::reader::{Read, Reader};
use super::{Act, Order, Stand};
use crate::kinds::{Group, Kind};

/// A row of the table of orders. A row with two words describes one choice of the first word.
pub type Row = OrderRow<fn(&Reader, &[&str]) -> Read<Order>>;

/// Every order, in the order of a turn.
pub const ROWS: &[Row] = &[
    Row {
        word: "B",
        form: mark!("B type number"),
        text: mark!(
            "Builds units: the cost is paid at once, and they arrive when their turns are over. \
             Only with the first card of a turn. Counters limit what you may have."
        ),
        examples: &["B DD 2", "B OP 1"],
        starts: unit,
        read: |r, w| r.build(w),
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
        starts: unit,
        read: |r, w| r.place(w),
    },
    Row {
        word: "T",
        form: mark!("T planet"),
        text: mark!(
            "Pays a turn of terraforming an N1 or N2 planet with a connected Outpost of yours: 10 \
             Resources on each of 10 turns (N1) or 8 (N2)."
        ),
        examples: &["T 15.1"],
        starts: digit,
        read: |r, w| r.one_planet(w).map(Order::Terraform),
    },
    Row {
        word: "G",
        form: mark!("G planet"),
        text: mark!(
            "In peace: pays a turn of making an Outpost on an A planet a World, 10 Resources on each \
             of 4 turns."
        ),
        examples: &["G 02.1"],
        starts: digit,
        read: |r, w| r.one_planet(w).map(Order::Upgrade),
    },
    Row {
        word: "I",
        form: "I F|R|N [IF ...]",
        text: mark!(
            "Imperial seat: the appeal at the start of the next turn, for forces (F) or Resources (R), \
             or none (N). Several lines: the first whose condition holds counts, once."
        ),
        examples: &["I F IF !V9", "I R"],
        starts: appeal,
        read: |r, w| r.appeal(w),
    },
    Row {
        word: "W",
        form: mark!("W system ..."),
        text: mark!(
            "Imperial seat: home worlds for forces on loan, the best first; stays until replaced."
        ),
        examples: &["W 38 33"],
        starts: digit,
        read: |r, w| r.systems(w).map(|s| Order::Stand(Stand::Homes(s))),
    },
    Row {
        word: "O",
        form: mark!("O unit|type ..."),
        text: mark!(
            "Imperial seat: what a Frontier Crisis takes first and what Imperial Reinforcements bring \
             first; stays until replaced."
        ),
        examples: &["O SC TR DD"],
        starts: unit,
        read: |r, w| r.removal(w),
    },
    Row {
        word: "SEG",
        form: mark!("SEG number"),
        text: mark!(
            "The blocks below are the plan for this action segment, 1 to 4. Plans for later segments \
             stay on file."
        ),
        examples: &["SEG 2"],
        starts: digit,
        read: |r, w| r.segment(w),
    },
    Row {
        word: "A",
        form: mark!("A system [IF ...]"),
        text: mark!(
            "Begins a block: activate this system and do the orders below. When it is your turn to \
             act, the block that is played is the first that is unused, whose condition is true, \
             that has units of yours in its system, and that has something that can be done."
        ),
        examples: &["A 09 IF E04", "A 04"],
        starts: digit,
        read: |r, w| r.activate(w),
    },
    Row {
        word: "WAIT",
        form: "WAIT [IF ...]",
        text: mark!("Passes once, where it stands in the list of blocks."),
        examples: &["WAIT", "WAIT IF J1"],
        starts: condition,
        read: |r, w| r.cond(w).map(Order::Wait),
    },
    Row {
        word: "HALT",
        form: "HALT IF ...",
        text: mark!(
            "Stops the segment when you are to act and this holds: both may send new cards for the \
             rest of it, by the short clock. Once in a segment, unless your game is set otherwise."
        ),
        examples: &["HALT IF E01"],
        starts: condition,
        read: |r, w| r.halt(w),
    },
    Row {
        word: "M",
        form: mark!("M fleet[+fleet] system[!] ..."),
        text: mark!(
            "Moves fleets together along routes: name each system, or the last alone for the shortest \
             way. ! fights where you may pass. Fleets of scouts alone scout enemy systems."
        ),
        examples: &["M 1+3 04 09", "M 2 09"],
        starts: digit,
        read: |r, w| r.moves(w).map(Order::Act),
    },
    Row {
        word: "D",
        form: mark!("D fleet new unit ..."),
        text: mark!("Divides: these ships, with their cargo, become a new fleet of this number."),
        examples: &["D 2 7 SC2"],
        starts: digit,
        read: |r, w| r.divide(w).map(Order::Act),
    },
    Row {
        word: "C",
        form: mark!("C fleet fleet"),
        text: mark!("Combines: the second fleet joins the first, in the same system."),
        examples: &["C 2 7"],
        starts: digit,
        read: |r, w| r.combine(w).map(Order::Act),
    },
    Row {
        word: "L",
        form: mark!("L carrier unit"),
        text: mark!(
            "Loads a unit from a planet in the system: RT, JT, PD, F aboard TR or AT (one each), F \
             aboard CV or BB."
        ),
        examples: &["L TR1 RT2"],
        starts: unit,
        read: |r, w| r.pair(w).map(|(a, b)| Order::Act(Act::Load(a, b))),
    },
    Row {
        word: "U",
        form: mark!("U carrier planet"),
        text: mark!(
            "Unloads all that is aboard. An Outpost unloaded on a planet without marker and enemy \
             stands there at once."
        ),
        examples: &["U TR2 19.1"],
        starts: unit,
        read: |r, w| r.unload(w).map(Order::Act),
    },
    Row {
        word: "E",
        form: "E",
        text: mark!("Engages the enemy's ships in the activated system."),
        examples: &["E"],
        starts: nothing,
        read: |_, w| if w.is_empty() { Ok(Order::Act(Act::Engage)) } else { Err(Bad::Form) },
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
        starts: digit,
        read: |r, w| r.attack(w).map(Order::Act),
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
        starts: unit,
        read: |r, w| r.land(w).map(Order::Act),
    },
    Row {
        word: "NF",
        form: mark!("NF hex"),
        text: mark!("No fight in this hex."),
        examples: &["NF 3"],
        starts: digit,
        read: |r, w| r.no_fight(w).map(Order::Act),
    },
    Row {
        word: "V",
        form: mark!("V unit carrier"),
        text: mark!(
            "Evacuates a unit from a disputed planet; the enemy there fires at the transport. PD can't \
             leave."
        ),
        examples: &["V RT3 TR1"],
        starts: unit,
        read: |r, w| r.pair(w).map(|(a, b)| Order::Act(Act::Evacuate(a, b))),
    },
    Row {
        word: "S",
        form: mark!("S fleet system|BACK"),
        text: mark!(
            "Leaves for another system through open space, a hex a turn; in segment 1. BACK turns \
             round."
        ),
        examples: &["S 4 02", "S 4 BACK"],
        starts: digit,
        read: |r, w| r.space(w).map(Order::Act),
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
        starts: repair,
        read: |r, w| r.fix(w),
    },
    Row {
        word: "X",
        form: mark!("X unit ..."),
        text: mark!(
            "Scraps damaged ships at your Worlds or Outposts, and monitors, for half their \
             maintenance."
        ),
        examples: &["X TR1"],
        starts: unit,
        read: |r, w| r.scrap(w),
    },
    Row {
        word: "N",
        form: mark!("N STOCK n|*, N PRI type ..., N SKIP unit ..."),
        text: mark!(
            "Maintenance: how many Resources of the stockpile it may use, what is maintained first, \
             what is not. Stays until replaced."
        ),
        examples: &["N STOCK 8", "N PRI CA CL", "N SKIP SC1"],
        starts: |rest| among(rest, &["STOCK", "PRI", "SKIP"]),
        read: |r, w| r.maintain(w),
    },
    Row {
        word: "Y",
        form: mark!("Y group 0-3|E|H"),
        text: mark!(
            "What a group does in space battles: the range it seeks, E keeps away, H stays. Groups: K \
             capital, L light, X auxiliaries, N monitors, F fighters, or a type. Stays until replaced."
        ),
        examples: &["Y K 2", "Y TB 1"],
        starts: unit,
        read: |r, w| r.stance(w),
    },
    Row {
        word: "Q",
        form: mark!("Q B|T|D|S type ..."),
        text: mark!(
            "Targets, the most wanted first: of beams (B), torpedoes (T), defenders against landings \
             and bombardment (D), surface combat (S). Stays until replaced."
        ),
        examples: &["Q T BB CA K"],
        starts: |rest| among(rest, &["B", "T", "D", "S"]) && rest.len() > 1,
        read: |r, w| r.targets(w),
    },
    Row {
        word: "R",
        form: mark!("R fleet|* system ..."),
        text: mark!("Where a fleet, or any, retreats to if it may choose. Stays until replaced."),
        examples: &["R * 04 01"],
        starts: digit,
        read: |r, w| r.retreat(w),
    },
    Row {
        word: "J",
        form: mark!("J planet unit hex"),
        text: mark!("Where a defender stands when the planet is attacked. Stays until replaced."),
        examples: &["J 09.1 PD2 1"],
        starts: digit,
        read: |r, w| r.post(w),
    },
    Row {
        word: "Z FIRST",
        form: mark!("Z FIRST or Z LAST"),
        text: mark!(
            "Whether your side moves first in a round of battle whose initiative you have. LAST is \
             the usual."
        ),
        examples: &["Z FIRST", "Z LAST"],
        starts: never,
        read: |r, w| r.choice(w),
    },
    Row {
        word: "Z FIGHTERS",
        form: "Z FIGHTERS JOIN|STAY",
        text: mark!(
            "Whether fighters on planets join space battles of their system. JOIN is the usual."
        ),
        examples: &["Z FIGHTERS STAY"],
        starts: never,
        read: |r, w| r.choice(w),
    },
    Row {
        word: "Z SCOUTS",
        form: mark!("Z SCOUTS n"),
        text: mark!(
            "How many destroyers you reveal against scouts, each adding one to their roll; all is \
             the usual."
        ),
        examples: &["Z SCOUTS 2", "Z SCOUTS 99"],
        starts: never,
        read: |r, w| r.choice(w),
    },
    Row {
        word: "Z TRUCE",
        form: mark!("Z TRUCE or Z TRUCE NO"),
        text: mark!(
            "Offers that the war ends as a truce; it does at the Close-Out when both offer it."
        ),
        examples: &["Z TRUCE", "Z TRUCE NO"],
        starts: never,
        read: |r, w| r.choice(w),
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
        // Conditions follow an order and begin none.
        starts: never,
        read: |_, _| Err(Bad::Form),
    },
    Row {
        word: "PRESS",
        form: mark!("PRESS seat ... END"),
        text: mark!(
            "A letter to the other player; it comes with the next mail. Its text begins on the next \
             line, and END stands alone below it."
        ),
        examples: &["PRESS 2", "Shall we call it a truce?", "END"],
        starts: never,
        read: |_, _| Err(Bad::Form),
    },
    Row {
        word: "Z",
        form: "Z FIRST, Z LAST, Z FIGHTERS, Z SCOUTS, Z TRUCE",
        text: mark!("Standing choices; HELP Z TRUCE and so on tell of each."),
        examples: &["Z LAST"],
        starts: |rest| among(rest, &["FIRST", "LAST", "FIGHTERS", "SCOUTS", "TRUCE"]),
        read: |r, w| r.choice(w),
    },
];

fn digit(rest: &[&str]) -> bool {
    rest.first().is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit() || c == '*'))
}

/// The most words in a list of units.
const UNITS_MAX: usize = 60;

/// Whether a line begins with a type or a group, with or without a number.
fn unit(rest: &[&str]) -> bool {
    rest.first().is_some_and(|w| is_unit(w)) && rest.len() <= UNITS_MAX
}

fn is_unit(word: &str) -> bool {
    let code: String = word.chars().take_while(char::is_ascii_alphabetic).collect();
    Kind::read(&code).is_some() || Group::read(&code).is_some()
}

fn condition(rest: &[&str]) -> bool {
    rest.is_empty() || among(rest, &["IF"])
}

fn appeal(rest: &[&str]) -> bool {
    among(rest, &["F", "R", "N", "FORCES", "FINANCES", "NONE"]) && rest.len() <= 12
}

fn repair(rest: &[&str]) -> bool {
    let Some(first) = rest.first() else { return false };
    *first == "*" || is_unit(first) && first.chars().any(|c| c.is_ascii_digit())
}
