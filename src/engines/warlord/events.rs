//! What can happen in a turn; `words` puts it into sentences.

mod fights;
mod lore;

use serde::{Deserialize, Serialize};
use tongue::Note;

use super::bases::{BaseNo, Planes};
use super::desk::Bill;
use super::works::Task;
use engine::geometry::Place;

pub use fights::{AirStrike, Ending, Loss, Mission, Odds, Salvo, SideReport};
pub use lore::{Fact, Find, News, Told};

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// A card line and how it came out.
    Line {
        /// Number of the card line.
        line: u32,
        /// The line as written on the card.
        text: String,
        /// [`engine::Mark`] as a code.
        mark: u8,
        /// The answer to the line.
        note: Note,
    },
    /// Units delivered by a city.
    Built {
        /// Number of the city.
        city: u16,
        /// ID of the type.
        kind: u8,
        /// The unit that it joined or made.
        unit: u16,
    },
    /// Planes delivered.
    PlaneBuilt {
        /// Number of the city.
        city: u16,
        /// ID of the type.
        kind: u8,
    },
    /// Defence levels of a city are built.
    LevelsBuilt {
        /// Number of the city.
        city: u16,
        /// Defence level afterwards.
        level: u8,
    },
    /// A centre found too few PP.
    Waits {
        /// Number of the city.
        city: u16,
        /// Production centre, 1 to 3.
        centre: u8,
    },
    /// PP were paid for counter-spying.
    CounterSpying {
        /// Hundredths of PP paid.
        paid: i64,
    },
    /// A unit is not where it began the turn.
    Moved {
        /// Number of the unit.
        unit: u16,
        /// The sector where it began.
        from: Place,
        /// The sector where it is now.
        to: Place,
    },
    /// An advance has come to its end.
    Arrived {
        /// Number of the unit.
        unit: u16,
        /// The sector where it happened.
        at: Place,
    },
    /// The way was closed.
    Blocked {
        /// Number of the unit.
        unit: u16,
        /// The sector where it stopped.
        at: Place,
        /// The closed sector; `None` for the ice beyond the map.
        toward: Option<Place>,
    },
    /// No way leads to the goal of an advance.
    NoWay {
        /// Number of the unit.
        unit: u16,
        /// The sector where it stands.
        at: Place,
    },
    /// An advance ends beside its goal, which the unit can't enter.
    Beside {
        /// Number of the unit.
        unit: u16,
        /// The sector where it stands.
        at: Place,
        /// Its goal.
        goal: Place,
        /// Whether a foreign city is there.
        city: bool,
    },
    /// A unit went aboard.
    Boarded {
        /// Number of the unit.
        unit: u16,
        /// Number of the flotilla.
        ship: u16,
        /// The sector where it happened.
        at: Place,
    },
    /// Ships were there, but none had room.
    NoRoom {
        /// Number of the unit.
        unit: u16,
        /// The sector where it happened.
        at: Place,
    },
    /// A unit went ashore.
    Landed {
        /// Number of the unit.
        unit: u16,
        /// The sector where it happened.
        at: Place,
    },
    /// Two powers fought in a sector (§4).
    Battle {
        /// The sector where it happened.
        at: Place,
        /// Movement phase, from 1.
        phase: u8,
        /// The side that attacked.
        attacker: SideReport,
        /// The side that was attacked.
        defender: SideReport,
        /// How it ended.
        ending: Ending,
        /// The strengths of both sides, and what added to them.
        #[serde(default)]
        odds: Odds,
    },
    /// A unit won a battle and gained a rank.
    Promoted {
        /// Number of the unit.
        unit: u16,
        /// Its rank now, 0 to 3.
        rank: u8,
    },
    /// A unit withdrew from a lost battle.
    Retreated {
        /// Number of the unit.
        unit: u16,
        /// The sector that it left.
        from: Place,
        /// The sector where it is now.
        to: Place,
    },
    /// A unit that had nowhere to retreat, or went down with its ship.
    Lost {
        /// Number of the unit.
        unit: u16,
        /// ID of the type.
        kind: u8,
        /// Regiments or ships.
        size: u16,
        /// The sector where it happened.
        at: Place,
    },
    /// Regiments that went down with part of their ships.
    Drowned {
        /// Number of the unit.
        unit: u16,
        /// ID of the type.
        kind: u8,
        /// Regiments or ships.
        size: u16,
    },
    /// An attack on the walls of a city.
    CityAssault {
        /// Number of the city.
        city: u16,
        /// The sector where it happened.
        at: Place,
        /// The side that attacked.
        attacker: SideReport,
        /// The seat that held the city.
        owner: u8,
        /// Defence level before.
        before: u8,
        /// Defence level after; at 0 the city falls.
        after: u8,
        /// Strength of the attacker and of the walls, in thousandths.
        #[serde(default)]
        strength: [i64; 2],
        /// Whether rebels attacked or held the city.
        #[serde(default)]
        rebels: bool,
    },
    /// A city changed hands.
    CityTaken {
        /// Number of the city.
        city: u16,
        /// Name of the city.
        name: String,
        /// The sector where it happened.
        at: Place,
        /// The seat that lost it.
        from: u8,
        /// The seat that took it.
        by: u8,
        /// Planes that were captured.
        planes: Planes,
        /// Missiles and warheads that were captured.
        missiles: (u16, u16),
        /// Whether rebels took or lost it.
        #[serde(default)]
        rebels: bool,
    },
    /// A general was lost, and a successor took over.
    GeneralLost {
        /// Number of the general, from 1.
        general: u8,
        /// The sector where it happened.
        #[serde(default)]
        at: Option<Place>,
        /// The city where the successor is; `None` if there is no successor.
        city: Option<u16>,
        /// Name of the lost general.
        #[serde(default)]
        lost: String,
        /// Name of the successor.
        #[serde(default)]
        name: String,
    },
    /// News that everybody hears.
    News(News),
    /// A general has learned from fights.
    Skill {
        /// Number of the general, from 1.
        general: u8,
        /// Points of skill gained this turn.
        gained: u8,
        /// Points of skill now.
        skill: u8,
    },
    /// Sectors became own because of their neighbours (§3).
    Claimed {
        /// How many.
        sectors: u16,
    },
    /// Income of the turn, in hundredths of PP.
    Income {
        /// From cities.
        cities: i64,
        /// From sectors in supply.
        sectors: i64,
    },
    /// A strike from the air or by ships' guns.
    AirStrike(Box<AirStrike>),
    /// A strike found no enemy.
    NothingToStrike {
        /// The sector where it happened.
        at: Place,
    },
    /// An observation was flown.
    Observed {
        /// The sector where it happened.
        at: Place,
        /// Fighters and jets.
        planes: Planes,
    },
    /// Units were flown to another base.
    Airlifted {
        /// Their numbers.
        units: Vec<u16>,
        /// The airbase.
        to: BaseNo,
        /// Bombers that carried them and stay there.
        bombers: u16,
    },
    /// Planes changed their base.
    Ferried {
        /// The base that they left.
        from: BaseNo,
        /// Their new base.
        to: BaseNo,
        /// Their number.
        planes: Planes,
        /// Missiles and warheads.
        missiles: (u16, u16),
    },
    /// A base had no place for some of the planes or missiles that were sent there; these stay
    /// where they were.
    NoPlace {
        /// The base.
        to: BaseNo,
        /// Planes that stay where they were.
        planes: Planes,
    },
    /// Observers of a ship that had moved too far away did not start.
    OutOfReach {
        /// The sector that they were to look at.
        at: Place,
    },
    /// Paratroops were dropped.
    Dropped {
        /// Their numbers.
        units: Vec<u16>,
        /// The sector where they landed.
        at: Place,
    },
    /// Paratroops came back: the target had radiation, or none were left to drop.
    DropCalledOff {
        /// The sector where they should have landed.
        at: Place,
    },
    /// Planes, missiles and warheads were lost with their base, or because there was no place for
    /// them.
    Wrecked {
        /// The base.
        base: BaseNo,
        /// Planes that are lost.
        planes: Planes,
        /// Missiles and warheads that are lost.
        missiles: (u16, u16),
    },
    /// Missiles were fired.
    Salvo(Box<Salvo>),
    /// A city was razed.
    CityRazed {
        /// Number of the city.
        city: u16,
        /// Name of the city.
        name: String,
        /// The sector where it stood.
        at: Place,
    },
    /// An airbase of engineers changed hands.
    BaseTaken {
        /// Number of the airbase.
        base: u16,
        /// The sector where it is.
        at: Place,
        /// The seat that lost it.
        from: u8,
        /// The seat that took it.
        by: u8,
        /// Planes that were captured.
        planes: Planes,
        /// Missiles and warheads that were captured.
        missiles: (u16, u16),
    },
    /// A missile or a warhead was delivered, or a missile defence was built.
    ArmsBuilt {
        /// Number of the city.
        city: u16,
        /// ID of the type.
        kind: u8,
    },
    /// Engineers worked.
    Worked {
        /// Number of the unit.
        unit: u16,
        /// The sector where it worked.
        at: Place,
        /// What it worked at.
        task: Task,
        /// Points done and points needed; equal when the work is finished.
        points: (u16, u16),
        /// Number of the airbase that is finished.
        base: Option<u16>,
    },
    /// Engineers found no work: they were driven off, or it was done already.
    NoWork {
        /// Number of the unit.
        unit: u16,
        /// The sector where it stands.
        at: Place,
        /// What it was to do.
        task: Task,
    },
    /// A tech level brought a new general.
    NewGeneral {
        /// Number of the general, from 1.
        general: u8,
        /// Their name.
        name: String,
        /// Number of the city where they are; `None` if there is no city, and so no post for them.
        city: Option<u16>,
    },
    /// A satellite picture was taken.
    Picture {
        /// The sector in its middle.
        at: Place,
    },
    /// Planes whose base fell while they flew, or had no place for them; they landed elsewhere or
    /// are lost.
    BaseLost {
        /// The base that is lost or has no place for them.
        from: BaseNo,
        /// The base where they landed; `None` if they are lost.
        to: Option<BaseNo>,
        /// Their number.
        planes: Planes,
    },
    /// Engineers searched ruins.
    Dug {
        /// Number of the unit.
        unit: u16,
        /// The sector where it happened.
        at: Place,
        /// What they found.
        find: Find,
    },
    /// Research was paid for.
    Research {
        /// Hundredths of PP paid.
        paid: i64,
        /// Hundredths of research points so far.
        points: i64,
        /// The new tech level, if one was gained.
        tech: Option<u8>,
        /// The chance of a new level, per mille.
        #[serde(default)]
        per_mille: u32,
    },
    /// Spies came home.
    SpyReport {
        /// The seat that they looked at.
        player: u8,
        /// Whole PP paid.
        paid: i64,
        /// What they learned.
        facts: Vec<Fact>,
    },
    /// A coalition was formed or has grown.
    CoalitionStands {
        /// Seats of the coalition.
        members: Vec<u8>,
    },
    /// A member left its coalition or was voted out.
    CoalitionLeft {
        /// The seat that left.
        player: u8,
        /// Whether the others voted it out.
        expelled: bool,
    },
    /// A city rose against its power.
    Rebelled {
        /// Number of the city.
        city: u16,
        /// Name of the city.
        name: String,
        /// The sector where it happened.
        at: Place,
    },
    /// An empire fell.
    Fallen {
        /// The fallen seat.
        player: u8,
    },
    /// One seat, or a coalition, holds enough cities to win.
    Holding {
        /// One seat, or those of a coalition.
        members: Vec<u8>,
        /// Cities that they hold.
        cities: u32,
        /// Cities of the world.
        total: u32,
        /// Turns in a row for which they have held enough.
        turns: u8,
    },
    /// The game ended.
    GameOver {
        /// Winning seats; none if nobody plays any longer.
        winners: Vec<u8>,
    },
    /// Where the PP of the turn went, in hundredths.
    Ledger {
        /// Hundredths of PP when the turn began.
        opening: i64,
        /// The payments.
        bill: Bill,
        /// Hundredths of PP found in ruins.
        found: i64,
        /// Hundredths of PP at the end.
        closing: i64,
    },
    /// A message from another player.
    Message {
        /// The sender's seat.
        from: u8,
        /// Whether it went to everybody.
        broadcast: bool,
        /// Its sentences.
        sentences: Vec<Told>,
    },
    /// An own message went out.
    MessageSent {
        /// The receiver; `None`: everybody.
        to: Option<u8>,
        /// Its sentences.
        #[serde(default)]
        sentences: Vec<Told>,
    },
}

/// An event and the seats that hear of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Happening {
    /// Seats that receive the event.
    pub to: Vec<u8>,
    /// What happened.
    pub event: Event,
}

/// The part of the printout that an event belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// Lines of the card.
    Orders,
    /// Deliveries of centres, and centres that wait.
    Production,
    /// Ways of units and how they ended.
    Movement,
    /// Fights over land, at sea and for cities.
    Battles,
    /// Missions of aircraft.
    Air,
    /// Searches of engineers.
    Ruins,
    /// Reports of spies, and counter-spying.
    Spying,
    /// Coalitions, rebels, fallen empires, victory.
    Politics,
    /// Income and stock.
    Economy,
    /// Messages sent and received.
    Messages,
    /// News that everybody hears.
    News,
}

impl Event {
    /// The part of the printout that shows the event.
    pub fn category(&self) -> Category {
        match self {
            Self::Line { .. } => Category::Orders,
            Self::Built { .. }
            | Self::PlaneBuilt { .. }
            | Self::LevelsBuilt { .. }
            | Self::ArmsBuilt { .. }
            | Self::Waits { .. } => Category::Production,
            Self::Moved { .. }
            | Self::Arrived { .. }
            | Self::Blocked { .. }
            | Self::NoWay { .. }
            | Self::Beside { .. }
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
            | Self::CityRazed { .. }
            | Self::BaseTaken { .. }
            | Self::NewGeneral { .. }
            | Self::GeneralLost { .. }
            | Self::Skill { .. } => Category::Battles,
            Self::AirStrike(_)
            | Self::NothingToStrike { .. }
            | Self::Observed { .. }
            | Self::Airlifted { .. }
            | Self::Ferried { .. }
            | Self::NoPlace { .. }
            | Self::OutOfReach { .. }
            | Self::Dropped { .. }
            | Self::DropCalledOff { .. }
            | Self::Wrecked { .. }
            | Self::Salvo(_)
            | Self::Picture { .. }
            | Self::BaseLost { .. } => Category::Air,
            Self::Dug { .. }
            | Self::Worked { .. }
            | Self::NoWork { .. }
            | Self::Research { .. } => Category::Ruins,
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
            Self::News(_) => Category::News,
        }
    }
}
