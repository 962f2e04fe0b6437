//! What happens in a turn, as it is told and checked.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tongue::Note;

use super::diary::Entry;
use super::map::SpaceId;
use super::verbs::Arm;

/// Units that took part, and those that were lost; for missiles fired and stopped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Those that took part, or were fired.
    pub sent: i64,
    /// Those that were lost, or stopped.
    pub lost: i64,
}

/// The forces of one space in a battle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// Where they came from.
    pub from: SpaceId,
    /// Who gave their orders.
    pub owner: u8,
    /// Army.
    pub army: Count,
    /// Navy.
    pub navy: Count,
    /// Air force.
    pub air: Count,
    /// Missiles.
    pub missiles: Count,
}

/// A land battle (§10), as printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clash {
    /// The space where it happened.
    pub at: SpaceId,
    /// Who held it before.
    pub holder: u8,
    /// The country with its supporters.
    pub home: Side,
    /// Attacking forces by the space that they came from.
    pub attackers: Vec<Side>,
    /// Who took the country.
    pub captured: Option<u8>,
    /// Seats that supported it.
    pub supporters: BTreeSet<u8>,
}

/// A sea battle, by player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeaClash {
    /// The space where it happened.
    pub at: SpaceId,
    /// Seat; army, navy, air force.
    pub sides: Vec<(u8, [Count; 3])>,
}

/// A counter-attack (§10.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counter {
    /// The space where it happened.
    pub at: SpaceId,
    /// Who took the country before.
    pub conqueror: u8,
    /// The conqueror's armies.
    pub defending: Count,
    /// Who comes home; `NOBODY`: the forces of a minor.
    pub owner: u8,
    /// Armies that come home.
    pub returning: Count,
    /// Whether they took it back.
    pub recaptured: bool,
}

/// Where the cents of a turn came from and went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// Cents when the turn began.
    pub opening: i64,
    /// Cents spent.
    pub spent: i64,
    /// Cents of interest.
    pub interest: i64,
    /// Cents of income.
    pub income: i64,
    /// Cents that idle industry built.
    pub built: i64,
    /// Cents given by others.
    pub received: i64,
    /// Cents at the end.
    pub closing: i64,
}

/// What became of the units of an arm on the whole map.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flow {
    /// Units built.
    pub built: i64,
    /// Units lost or used up.
    pub lost: i64,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// A battle on land.
    Clash(Clash),
    /// A battle at sea.
    SeaClash(SeaClash),
    /// A counter-attack.
    Counter(Counter),
    /// An occupied country became a minor.
    Revolution {
        /// The space where it happened.
        at: SpaceId,
        /// Who occupied it.
        was: u8,
    },
    /// Spies were caught.
    Caught {
        /// Whose they were.
        player: u8,
        /// The space where it happened.
        at: SpaceId,
        /// How many.
        spies: i64,
    },
    /// Forces went through a canal of `holder`.
    Passage {
        /// Who holds the country of the canal.
        holder: u8,
        /// Whose forces they are.
        player: u8,
        /// The country that the canal runs through.
        by: SpaceId,
        /// The space that they left.
        from: SpaceId,
        /// The space that they went to.
        to: SpaceId,
        /// Their arm.
        arm: Arm,
        /// How many.
        n: i64,
    },
    /// They did not.
    Closed {
        /// Whose forces they are.
        player: u8,
        /// The country that the canal runs through.
        by: SpaceId,
        /// The space where they stayed.
        from: SpaceId,
        /// The space that they wanted to reach.
        to: SpaceId,
        /// Their arm.
        arm: Arm,
        /// How many.
        n: i64,
    },
    /// Dollars were given.
    GiftOfDollars {
        /// The giver.
        from: u8,
        /// The receiver.
        to: u8,
        /// Whole Dollars.
        dollars: i64,
    },
    /// Forces were given.
    GiftOfForces {
        /// The giver.
        from: u8,
        /// The receiver.
        to: u8,
        /// The space where it happened.
        at: SpaceId,
        /// Their arm.
        arm: Arm,
        /// How many.
        n: i64,
    },
    /// A message.
    Letter {
        /// Who signed it; `None`: nobody.
        from: Option<u8>,
        /// Who wrote it, for the checks.
        sender: u8,
        /// The receivers.
        to: Vec<u8>,
        /// Its lines.
        text: Vec<String>,
    },
    /// A piece of news.
    News {
        /// Who signed it; `None`: nobody.
        from: Option<u8>,
        /// Its lines.
        text: Vec<String>,
    },
    /// A fixed text.
    Wire {
        /// The sender.
        from: u8,
        /// The receivers.
        to: Vec<u8>,
        /// Place of the text in the list, from 0.
        text: u16,
        /// The space that it names.
        space: Option<SpaceId>,
    },
    /// An order as it came out, for its player alone.
    Line {
        /// The seat that it is about.
        seat: u8,
        /// Number of the card line.
        line: u32,
        /// The order as written.
        text: String,
        /// [`engine::Mark`] as a code.
        mark: u8,
        /// What is said beside it.
        note: Note,
    },
    /// Where a seat's cents came from and went.
    Ledger {
        /// The seat that it is about.
        seat: u8,
        /// The figures.
        ledger: Ledger,
    },
    /// For the checks of the rules; printed for nobody.
    Flow {
        /// The arm.
        arm: Arm,
        /// What became of it.
        flow: Flow,
    },
    /// Spies trained and caught, hundredths; for the checks.
    SpyFlow {
        /// Spies trained.
        trained: i64,
        /// Spies caught.
        caught: i64,
        /// Counterspies trained.
        counterspies_trained: i64,
        /// Counterspies used.
        counterspies_used: i64,
    },
    /// What became of a seat's forces and popularity.
    Diary {
        /// The seat that it is about.
        seat: u8,
        /// In the order of the turn.
        entries: Vec<Entry>,
    },
    /// A seat has lost the last thing that it held.
    Out {
        /// The seat that it is about.
        seat: u8,
    },
    /// The game is over.
    Over,
}
