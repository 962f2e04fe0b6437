//! The events of a turn, for the printouts and the checks.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tongue::Note;

use super::diary::Entry;
use super::map::SpaceId;
use super::verbs::Arm;

/// Units that took part and those that were lost; for missiles, those fired and those stopped.
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
    /// The seat that gave their orders.
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

/// A land battle (§10), as it is printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clash {
    /// The space where it happened.
    pub at: SpaceId,
    /// The holder before the battle.
    pub holder: u8,
    /// The forces of the country and its supporters.
    pub home: Side,
    /// Attacking forces by the space that they came from.
    pub attackers: Vec<Side>,
    /// The seat that took the country.
    pub captured: Option<u8>,
    /// Seats that supported it.
    pub supporters: BTreeSet<u8>,
}

/// A sea battle, with the losses of each player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeaClash {
    /// The space where it happened.
    pub at: SpaceId,
    /// Each seat with its army, navy and air force.
    pub sides: Vec<(u8, [Count; 3])>,
}

/// A counter-attack (§10.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counter {
    /// The space where it happened.
    pub at: SpaceId,
    /// The seat that took the country before.
    pub conqueror: u8,
    /// The conqueror's armies.
    pub defending: Count,
    /// The seat whose armies come home; `NOBODY`: a minor.
    pub owner: u8,
    /// Armies that come home.
    pub returning: Count,
    /// Whether they took the country back.
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

/// Units of an arm that were built and lost on the whole map.
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
        /// The seat that occupied it.
        was: u8,
    },
    /// Spies were caught.
    Caught {
        /// The owner of the spies.
        player: u8,
        /// The space where it happened.
        at: SpaceId,
        /// How many.
        spies: i64,
    },
    /// Forces went through a canal of `holder`.
    Passage {
        /// The holder of the canal's country.
        holder: u8,
        /// The owner of the forces.
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
    /// Forces found a canal closed.
    Closed {
        /// The owner of the forces.
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
        /// The seat that signed it; `None`: it is anonymous.
        from: Option<u8>,
        /// The seat that wrote it, for the checks.
        sender: u8,
        /// The receivers.
        to: Vec<u8>,
        /// Its lines.
        text: Vec<String>,
    },
    /// A piece of news.
    News {
        /// The seat that signed it; `None`: it is anonymous.
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
        /// The index of the text in the list, from 0.
        text: u16,
        /// The space that it names.
        space: Option<SpaceId>,
    },
    /// The verdict on an order, for its player only.
    Line {
        /// The seat that it is about.
        seat: u8,
        /// The number of the line in the card.
        line: u32,
        /// The order as written.
        text: String,
        /// [`engine::Mark`] as a code.
        mark: u8,
        /// The note beside it.
        note: Note,
    },
    /// Where a seat's cents came from and went.
    Ledger {
        /// The seat that it is about.
        seat: u8,
        /// The amounts.
        ledger: Ledger,
    },
    /// Units built and lost, for the checks of the rules; it is never printed.
    Flow {
        /// The arm.
        arm: Arm,
        /// Its units built and lost.
        flow: Flow,
    },
    /// Spies trained and caught, in hundredths, for the checks.
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
    /// What happened to a seat's forces and popularity.
    Diary {
        /// The seat that it is about.
        seat: u8,
        /// The entries, in the order of the turn.
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
