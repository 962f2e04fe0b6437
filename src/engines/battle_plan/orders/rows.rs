//! The table of orders (§5, §6): its letters, help and readers.

use engine::orders::OrderRow;
use tongue::{mark, say};

use super::super::state::{ITEMS, Share, Stance};
use super::super::verbs::{Arm, Verb};
use super::{PlayerOrder, Wrong};

/// An order: the word is its name in HELP, the letters begin it in a card.
pub type Row = OrderRow<Reads, &'static [Letters]>;

/// The kind of an order, and how it is made from what was written.
#[derive(Debug, Clone, Copy)]
pub enum Reads {
    /// An order of the player, below `@`.
    Player(fn(Given) -> Result<PlayerOrder, Wrong>),
    /// An order to the forces of a space, below `@` and its code.
    Space(Verb),
}

impl Reads {
    /// Whether the order belongs below a space.
    pub fn in_space(self) -> bool {
        matches!(self, Self::Space(_))
    }
}

/// Letters that begin an order, and what comes before and after them.
#[derive(Debug, Clone, Copy)]
pub struct Letters {
    /// The alternatives, in capitals.
    pub heads: &'static [&'static str],
    /// Whether the number of a player comes before them.
    pub to_player: bool,
    /// The number after them.
    pub number: Number,
    /// The code of a space after the number.
    pub code: Code,
}

/// Which number an order has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// No number.
    None,
    /// A number of 1 or more.
    Count,
    /// A number from 0 to 100.
    Proportion,
}

/// Whether an order has the code of a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// No code.
    None,
    /// A code is optional.
    May,
    /// A code is required.
    Must,
}

/// The parts of an order as they were written.
#[derive(Debug)]
pub struct Given<'a> {
    /// The letters.
    pub head: &'a str,
    /// The player whose number comes before them; 0 if there is none.
    pub player: u8,
    /// The number after them; 0 if there is none.
    pub n: i64,
    /// The code; empty if there is none.
    pub code: String,
}

const fn letters(heads: &'static [&'static str], number: Number, code: Code) -> Letters {
    Letters { heads, to_player: false, number, code }
}

const fn to_player(heads: &'static [&'static str], number: Number) -> Letters {
    Letters { heads, to_player: true, number, code: Code::None }
}

const fn player(
    word: &'static str,
    form: &'static str,
    text: &'static str,
    examples: &'static [&'static str],
    starts: &'static [Letters],
    read: fn(Given) -> Result<PlayerOrder, Wrong>,
) -> Row {
    Row { word, form, text, examples, starts, read: Reads::Player(read) }
}

/// The row of an order to forces: it has a number, and then a code if the forces go anywhere.
const fn space(
    verb: Verb,
    form: &'static str,
    text: &'static str,
    examples: &'static [&'static str],
    starts: &'static [Letters],
) -> Row {
    Row { word: starts[0].heads[0], form, text, examples, starts, read: Reads::Space(verb) }
}

const fn build(head: &'static [&'static str]) -> Letters {
    letters(head, Number::Count, Code::None)
}

const fn go(head: &'static [&'static str]) -> Letters {
    letters(head, Number::Count, Code::Must)
}

/// All orders: those of the player, and those to the forces of a space.
pub const ROWS: &[Row] = &[
    player(
        "STANCE",
        "pA pN pE",
        mark!("declare player p ally, neutral or enemy"),
        &["2A", "3E"],
        &[to_player(&["A", "N", "E"], Number::None)],
        |g| {
            let stance = match g.head {
                "A" => Stance::Ally,
                "N" => Stance::Neutral,
                _ => Stance::Enemy,
            };
            Ok(PlayerOrder::Stance(g.player, stance))
        },
    ),
    player(
        "GIFT",
        "pDn",
        mark!("give n Dollars to player p"),
        &["4D25"],
        &[to_player(&["D"], Number::Count)],
        |g| Ok(PlayerOrder::Gift(g.player, g.n)),
    ),
    player(
        "PERMIT",
        "pK pX",
        mark!("let player p pass your straits and canals, or not"),
        &["2K"],
        &[to_player(&["K", "X"], Number::None)],
        |g| Ok(PlayerOrder::Permit(g.player, g.head == "K")),
    ),
    player(
        "SHARE",
        "pF pH pZ",
        mark!(
            "show player p everything that you see, everything but your own countries, or \
             nothing"
        ),
        &["2F", "6H", "1Z"],
        &[to_player(&["F", "H", "Z"], Number::None)],
        |g| {
            let share = match g.head {
                "F" => Share::Full,
                "H" => Share::Partial,
                _ => Share::Nothing,
            };
            Ok(PlayerOrder::Share(g.player, share))
        },
    ),
    player(
        "SPIES",
        "SnCCC pSn",
        mark!("send n spies to CCC, or spread them over p's countries"),
        &["S1GB", "3S10", "0S8"],
        &[go(&["S"]), to_player(&["S"], Number::Count)],
        |g| {
            Ok(match g.code.is_empty() {
                true => PlayerOrder::SpreadSpies(g.player, g.n),
                false => PlayerOrder::Spies(g.n, g.code),
            })
        },
    ),
    player(
        "COUNTERSPIES",
        "CnCCC pCn",
        mark!("use n counterspies in CCC this turn, or spread them over p's countries"),
        &["C1TU", "1C10"],
        &[go(&["C"]), to_player(&["C"], Number::Count)],
        |g| {
            Ok(match g.code.is_empty() {
                true => PlayerOrder::SpreadCounterspies(g.player, g.n),
                false => PlayerOrder::Counterspies(g.n, g.code),
            })
        },
    ),
    player(
        "TRAIN",
        "TSn TCn",
        mark!("train spies or counterspies for n Dollars"),
        &["TS5"],
        &[letters(&["TS", "TC"], Number::Count, Code::None)],
        |g| {
            Ok(match g.head {
                "TS" => PlayerOrder::TrainSpies(g.n),
                _ => PlayerOrder::TrainCounterspies(g.n),
            })
        },
    ),
    player(
        "RESEARCH",
        "RIn RAn RNn RFn RMn RXn RSn RCn",
        mark!("spend n Dollars on the multiplier of that item"),
        &["RF20"],
        &[letters(&["RI", "RA", "RN", "RF", "RM", "RX", "RS", "RC"], Number::Count, Code::None)],
        |g| {
            let item = ITEMS.iter().position(|item| g.head[1..].starts_with(*item));
            Ok(PlayerOrder::Research(item.unwrap_or(0), g.n))
        },
    ),
    player(
        "PROPAGANDA",
        "PnCCC pPn",
        mark!("spend n Dollars on propaganda in CCC, or spread them over p's countries"),
        &["P10CY", "3P30"],
        &[go(&["P"]), to_player(&["P"], Number::Count)],
        |g| {
            Ok(match g.code.is_empty() {
                true => PlayerOrder::SpreadPropaganda(g.player, g.n),
                false => PlayerOrder::Propaganda(g.n, g.code),
            })
        },
    ),
    player(
        "OPTION",
        "U1 U2",
        mark!("numbers instead of names; one list of spaces (again: back)"),
        &["U2"],
        &[letters(&["U"], Number::Count, Code::None)],
        |g| match g.n {
            1 => Ok(PlayerOrder::Option(1)),
            2 => Ok(PlayerOrder::Option(2)),
            n => Err(("E01", say!("options are U1 and U2, not U{n}"))),
        },
    ),
    player(
        "DEFAULT",
        "BIn BAn BNn BFn BMn BXn BDn",
        mark!("proportion (0 to 100) of what idle industry builds"),
        &["BA50 BN25 BF25"],
        &[letters(&["BI", "BA", "BN", "BF", "BM", "BX", "BD"], Number::Proportion, Code::None)],
        |g| {
            let arm = Arm::ALL.iter().position(|arm| g.head[1..].starts_with(arm.letter()));
            match u8::try_from(g.n) {
                Ok(n @ 0..=100) => Ok(PlayerOrder::Default(arm.unwrap_or(Arm::ALL.len()), n)),
                _ => Err(("E04", say!("a default proportion must be 0 to 100"))),
            }
        },
    ),
    player(
        "OPINION",
        "pG3 pG2 pG1 pB3 pB2 pB1",
        mark!("put player p on your list of good or bad powers (games with world opinion)"),
        &["4B3", "0G2"],
        &[to_player(&["G", "B"], Number::Count)],
        |g| match u8::try_from(g.n) {
            Ok(place @ 1..=3) => Ok(PlayerOrder::Opinion(g.player, g.head == "G", place)),
            _ => Err(("E01", say!("places of a list are 1 to 3, not {n}", n = g.n))),
        },
    ),
    player(
        "WIRE",
        "pWk pWkXXX",
        mark!("send fixed text k to player p (anonymous games)"),
        &["3W11UK"],
        &[Letters { code: Code::May, ..to_player(&["W"], Number::Count) }],
        |g| Ok(PlayerOrder::Wire(g.player, g.n, Some(g.code).filter(|code| !code.is_empty()))),
    ),
    space(
        Verb::Build(Arm::Industry),
        "BIn",
        mark!("n industry build industry"),
        &["BI5"],
        &[build(&["BI"])],
    ),
    space(
        Verb::Build(Arm::Army),
        "BAn",
        mark!("n industry build army"),
        &["BA5"],
        &[build(&["BA"])],
    ),
    space(
        Verb::Build(Arm::Navy),
        "BNn",
        mark!("n industry build navy"),
        &["BN5"],
        &[build(&["BN"])],
    ),
    space(
        Verb::Build(Arm::Air),
        "BFn",
        mark!("n industry build air force"),
        &["BF5"],
        &[build(&["BF"])],
    ),
    space(
        Verb::Build(Arm::Missile),
        "BMn",
        mark!("n industry build missiles"),
        &["BM5"],
        &[build(&["BM"])],
    ),
    space(
        Verb::Build(Arm::Antimissile),
        "BXn",
        mark!("n industry build antimissiles"),
        &["BX5"],
        &[build(&["BX"])],
    ),
    space(Verb::ArmyMove, "ATnXXX", mark!("move n army to XXX"), &["AT5UK"], &[go(&["AT"])]),
    space(Verb::Conquer, "ACnCCC", mark!("conquer CCC with n army"), &["AC5UK"], &[go(&["AC"])]),
    space(
        Verb::Bombard,
        "ABnCCC",
        mark!("attack CCC with n army and come back"),
        &["AB5UK"],
        &[go(&["AB"])],
    ),
    space(
        Verb::ArmySupport,
        "ASnCCC",
        mark!("defend CCC with n army and come back"),
        &["AS5UK"],
        &[go(&["AS"])],
    ),
    space(Verb::NavyMove, "NTnXXX", mark!("move n navy to XXX"), &["NT5UK"], &[go(&["NT"])]),
    space(
        Verb::NavySupport,
        "NSnXXX",
        mark!("support XXX with n navy"),
        &["NS5UK"],
        &[go(&["NS"])],
    ),
    space(
        Verb::NavyAttack,
        "NNnCCC",
        mark!("attack the navy in CCC with n navy"),
        &["NN5UK"],
        &[go(&["NN"])],
    ),
    space(Verb::AirMove, "FTnXXX", mark!("move n air force to XXX"), &["FT5UK"], &[go(&["FT"])]),
    space(
        Verb::AirSupport,
        "FSnXXX",
        mark!("support XXX with n air force"),
        &["FS5UK"],
        &[go(&["FS"])],
    ),
    space(
        Verb::AirArmy,
        "FAnCCC",
        mark!("attack the army in CCC with n air force"),
        &["FA5UK"],
        &[go(&["FA"])],
    ),
    space(
        Verb::AirNavy,
        "FNnCCC",
        mark!("attack the navy in CCC with n air force"),
        &["FN5UK"],
        &[go(&["FN"])],
    ),
    space(
        Verb::AirBase,
        "FFnCCC",
        mark!("attack the airbase in CCC with n air force"),
        &["FF5UK"],
        &[go(&["FF"])],
    ),
    space(
        Verb::AirIndustry,
        "FInCCC",
        mark!("attack the industry in CCC with n air force"),
        &["FI5UK"],
        &[go(&["FI"])],
    ),
    space(Verb::MissileMove, "MTnCCC", mark!("move n missiles to CCC"), &["MT5UK"], &[go(&["MT"])]),
    space(
        Verb::MissileArmy,
        "MAnCCC",
        mark!("fire n missiles at the army in CCC"),
        &["MA5UK"],
        &[go(&["MA"])],
    ),
    space(
        Verb::MissileBase,
        "MFnCCC",
        mark!("fire n missiles at the airbase in CCC"),
        &["MF5UK"],
        &[go(&["MF"])],
    ),
    space(
        Verb::MissileIndustry,
        "MInCCC",
        mark!("fire n missiles at the industry in CCC"),
        &["MI5UK"],
        &[go(&["MI"])],
    ),
    space(
        Verb::AntimissileMove,
        "XTnCCC",
        mark!("move n antimissiles to CCC"),
        &["XT5UK"],
        &[go(&["XT"])],
    ),
];

/// The row of an order, and the letters of the row that were found.
pub(super) type Found = (&'static Row, &'static Letters);

fn with(head: &str, to_player: bool) -> impl Iterator<Item = Found> {
    let all = ROWS.iter().flat_map(|row| row.starts.iter().map(move |letters| (row, letters)));
    all.filter(move |(_, l)| l.to_player == to_player && l.heads.contains(&head))
}

/// The order that letters begin in one of the two sections. `BD` is also found below a space, where
/// it is refused with its own message.
pub(super) fn find(head: &str, in_space: bool) -> Option<Found> {
    with(head, false).find(|(row, _)| row.read.in_space() == in_space || head == "BD")
}

/// The order that a letter begins after a player's number.
pub(super) fn behind_player(letter: &str) -> Option<Found> {
    with(letter, true).next()
}

/// The row of an order to forces.
pub fn row_of(verb: Verb) -> &'static Row {
    let of_verb = |row: &&Row| matches!(row.read, Reads::Space(v) if v == verb);
    // Every verb has a row; a test proves it.
    ROWS.iter().find(of_verb).unwrap_or(&ROWS[0])
}
