//! What can happen in a turn, and the one place that puts it into sentences.

use serde::{Deserialize, Serialize};

use super::bases::{BaseNo, Planes};
use super::desk::{Bill, Param, Sentence, pp, ranges};
use super::names::general_name;
use super::orders::sector_no;
use super::state::{NOBODY, SHIELD};
use super::tables::Tables;
use super::works::Task;
use engine::geometry::{Grid, Place};

/// A force in a battle, before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// Unit number; its owner alone is told.
    pub unit: u16,
    /// ID of its type.
    pub kind: u8,
    /// Regiments or ships before the fight.
    pub before: u16,
    /// Regiments or ships that are left.
    pub after: u16,
}

/// What two sides set out with, attacker first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Odds {
    /// Thousandths of strength of both.
    pub strength: [i64; 2],
    /// The best general near, by number from 1, and what he adds in per cent; a side is told of
    /// its own alone.
    pub generals: [Option<(u8, u8)>; 2],
    /// The ground, by its row.
    pub ground: u8,
    /// Per mille of the defender's toughness there.
    pub shelter: i64,
    /// Whether a nameless side is of rebels.
    pub rebels: bool,
}

/// One side of a battle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideReport {
    /// The seat; 0 is the nameless power.
    pub seat: u8,
    /// Each of its units that took part.
    pub losses: Vec<Loss>,
}

/// How a battle ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// The defender was destroyed.
    DefenderDestroyed,
    /// Nothing of the attacker is left.
    AttackerDestroyed,
    /// Nothing of either side is left.
    BothDestroyed,
    /// The defender had to leave.
    DefenderDislodged,
    /// The attacker went back.
    AttackerRepelled,
}

/// What planes were about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mission {
    /// A B order.
    Bombing,
    /// An attack of observers.
    Strafing,
    /// Fighters that defend their base.
    Watch,
    /// Planes on watch met observers.
    Patrol,
    /// A drop of paratroops.
    Drop,
}

/// A strike from the air or by ships' guns (§5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AirStrike {
    /// What kind of strike it was.
    pub mission: Mission,
    /// The sector that was struck.
    pub at: Place,
    /// The seat that struck.
    pub by: u8,
    /// The seat that was struck.
    pub target: u8,
    /// Planes that set out.
    pub sent: Planes,
    /// Bombers that the ships' guns equal.
    pub guns: i64,
    /// Planes that the striker lost.
    pub lost: Planes,
    /// Planes that the base at the target lost.
    pub downed: Planes,
    /// The holder of that base, if it is not the target.
    pub defender: Option<u8>,
    /// Units of the target and what they lost.
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
            downed: Planes::default(),
            defender: None,
            losses,
            walls: None,
        }
    }
}

/// Missiles that were fired at a sector (§11).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Salvo {
    /// The sector.
    pub at: Place,
    /// The seat that fired.
    pub by: u8,
    /// Whether they carried atomic warheads.
    pub atomic: bool,
    /// How many were fired.
    pub fired: u16,
    /// Cities whose defences stopped one each.
    pub stopped: Vec<u16>,
    /// The seat that was hit.
    pub target: Option<u8>,
    /// Its units and what they lost.
    pub losses: SideReport,
    /// Defence levels before and after.
    pub walls: Option<(u8, u8)>,
    /// Planes that were destroyed on the ground.
    pub planes: Planes,
}

/// What engineers found in ruins (§6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Find {
    /// Nothing this time.
    Nothing,
    /// Whole production points.
    Pp(i64),
    /// Whole research points.
    Points(i64),
    /// The tech level that they brought.
    Plans(u8),
    /// There is nothing more to be found here.
    Empty,
}

/// What spies learnt (§7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fact {
    /// Tech level.
    Tech(u8),
    /// Whole PP in stock.
    Stock(i64),
    /// Number of cities.
    Cities(u32),
    /// Number of land units.
    Divisions(u32),
    /// Number of ships.
    Ships(u32),
    /// Number of fighters.
    Fighters(u32),
    /// Number of bombers.
    Bombers(u32),
    /// Number of jets.
    Jets(u32),
    /// Number of missiles.
    Missiles(u32),
    /// Number of atomic warheads.
    Warheads(u32),
    /// Seats on its list of allies.
    Allies(Vec<u8>),
    /// Sum of its rating.
    Rating(i64),
    /// A city of it.
    City {
        /// Number of the city.
        number: u16,
        /// Its sector.
        at: Place,
        /// Defence level afterwards.
        level: u8,
    },
    /// A unit of it.
    Unit {
        /// Its sector.
        at: Place,
        /// ID of the type.
        kind: u8,
        /// Regiments or ships.
        size: u16,
    },
    /// Whole research points.
    Research(i64),
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// A card line and how it came out.
    Line {
        /// Number of the card line.
        line: u32,
        /// The line as sent.
        text: String,
        /// [`engine::Mark`] as a code.
        mark: u8,
        /// What is said beside it.
        note: String,
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
    /// The way was closed; `ground` is what closed it.
    Blocked {
        /// Number of the unit.
        unit: u16,
        /// The sector where it stopped.
        at: Place,
        /// The sector that is closed; `None` is the ice beyond the map.
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
    /// Ships are there, but none has room.
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
        /// What both set out with.
        #[serde(default)]
        odds: Odds,
    },
    /// A unit has won a battle and gained a rank.
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
        /// Defence level after; 0 falls.
        after: u8,
        /// Thousandths of strength of the attacker and of the walls.
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
        /// Where the successor is; `None`: there is none.
        city: Option<u16>,
        /// Name of the lost one.
        #[serde(default)]
        lost: String,
        /// Name of the successor.
        #[serde(default)]
        name: String,
    },
    /// What everybody hears of the world.
    News(News),
    /// A general has learnt.
    Skill {
        /// Number of the general, from 1.
        general: u8,
        /// Points of skill gained this turn.
        gained: u8,
        /// Points of skill now.
        skill: u8,
    },
    /// Sectors became own by their neighbours (§3).
    Claimed {
        /// How many.
        sectors: u16,
    },
    /// What a turn has brought, in hundredths of PP.
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
    /// A base had no place for all planes or missiles that were sent there; they stay.
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
    /// Paratroops came back: there is radiation, or nothing left to drop.
    DropCalledOff {
        /// The sector where they should have landed.
        at: Place,
    },
    /// Planes, missiles and warheads were lost with their base or for want of places.
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
    /// A city is no more.
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
    /// A missile or a warhead was delivered, or a missile defence stands.
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
        /// Points that are done and that are needed; equal when it is finished.
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
    /// A new general of a tech level.
    NewGeneral {
        /// Number of the general, from 1.
        general: u8,
        /// Their name.
        name: String,
        /// Number of the city where they are; `None`: without a city they wait in vain.
        city: Option<u16>,
    },
    /// A satellite picture has come.
    Picture {
        /// The sector in its middle.
        at: Place,
    },
    /// Planes whose base fell while they flew: where they landed, if anywhere.
    BaseLost {
        /// The base that is lost, or has no place for them any more.
        from: BaseNo,
        /// The base where they landed; `None`: they are lost.
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
    /// Hundredths of points; `tech` is the level that was gained.
    Research {
        /// Hundredths of PP paid.
        paid: i64,
        /// Hundredths of research points so far.
        points: i64,
        /// The new tech level, if one was gained.
        tech: Option<u8>,
        /// The chance that there was.
        #[serde(default)]
        per_mille: u32,
    },
    /// Spies have come home.
    SpyReport {
        /// The seat that they looked at.
        player: u8,
        /// Whole PP paid.
        paid: i64,
        /// What they learnt.
        facts: Vec<Fact>,
    },
    /// A coalition was formed or has grown.
    CoalitionStands {
        /// Seats of the coalition.
        members: Vec<u8>,
    },
    /// A member is out of a coalition.
    CoalitionLeft {
        /// The seat that is out.
        player: u8,
        /// Whether the others voted it out.
        expelled: bool,
    },
    /// A city has risen against its power.
    Rebelled {
        /// Number of the city.
        city: u16,
        /// Name of the city.
        name: String,
        /// The sector where it happened.
        at: Place,
    },
    /// An empire has fallen.
    Fallen {
        /// The seat that it is about.
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
        /// Turns in a row.
        turns: u8,
    },
    /// The game has ended.
    GameOver {
        /// Winning seats; none when nobody plays any more.
        winners: Vec<u8>,
    },
    /// Where the PP of the turn went, in hundredths.
    Ledger {
        /// Hundredths of PP when the turn began.
        opening: i64,
        /// What was paid.
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
        /// What it says.
        sentences: Vec<Told>,
    },
    /// A message of one's own went out.
    MessageSent {
        /// The receiver; `None`: everybody.
        to: Option<u8>,
        /// What it says.
        #[serde(default)]
        sentences: Vec<Told>,
    },
}

/// News of the world (§8): numbers of players and cities, nothing of places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum News {
    /// One seat, or a coalition, holds enough cities to win.
    Holding {
        /// One seat, or those of a coalition.
        members: Vec<u8>,
        /// Turns in a row.
        turns: u8,
        /// Turns in a row that win.
        of: u8,
    },
    /// A city changed hands.
    Taken {
        /// Number of the city.
        city: u16,
        /// The seat that lost it.
        from: u8,
        /// The seat that took it.
        by: u8,
        /// Whether rebels lost it.
        rebels: bool,
    },
    /// An atomic strike that came through.
    Atomic {
        /// The seat that fired.
        by: u8,
        /// Seats that lost something.
        hit: Vec<u8>,
    },
    /// A city has risen against its player.
    Rebelled {
        /// Number of the city.
        city: u16,
        /// The seat that lost it.
        player: u8,
    },
    /// An empire has fallen.
    Fallen {
        /// The seat that it is about.
        player: u8,
    },
    /// A coalition was formed or has grown.
    Coalition {
        /// Its seats.
        members: Vec<u8>,
    },
    /// A member is out of a coalition that goes on.
    LeavesCoalition {
        /// The seat that is out.
        player: u8,
        /// Whether the others voted it out.
        expelled: bool,
    },
    /// A coalition is no more.
    CoalitionEnds {
        /// Its last seats.
        members: Vec<u8>,
    },
}

/// A sentence with the values that the game filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The sentence as written.
    pub sentence: Sentence,
    /// Text for each `[..]` of the sentence, in order.
    pub values: Vec<String>,
}

/// An event and the seats that hear of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Happening {
    /// Seats that are told.
    pub to: Vec<u8>,
    /// What happened.
    pub event: Event,
}

/// The part of the printout that an event belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// Lines of the card.
    Orders,
    /// What centres delivered or wait for.
    Production,
    /// Ways and their ends.
    Movement,
    /// Fights over land, at sea and for cities.
    Battles,
    /// Missions of aircraft.
    Air,
    /// Searches of engineers.
    Ruins,
    /// What spies brought, and counter-spying.
    Spying,
    /// Coalitions, rebels, fallen empires, victory.
    Politics,
    /// Income and stock.
    Economy,
    /// Messages sent and received.
    Messages,
    /// What everybody hears.
    News,
}

impl Event {
    /// Where the event is told.
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

/// What sentences need to know.
pub struct Words<'a> {
    /// The figures of the game.
    pub tables: &'a Tables,
    /// Size of the map.
    pub grid: Grid,
    /// The reader's seat.
    pub seat: u8,
    /// The reader's language.
    pub language: &'a str,
}

impl Words<'_> {
    /// An event as the reader hears it; empty for what has its own section.
    pub fn say(&self, event: &Event) -> String {
        match event.category() {
            // Lines, spy reports and messages of others have their own sections.
            Category::Orders | Category::Spying => String::new(),
            Category::Production => self.production(event),
            Category::Movement => self.movement(event),
            Category::Battles => self.battles(event),
            Category::Air => self.air(event),
            Category::Ruins => self.ruins(event),
            Category::Politics => self.politics(event),
            Category::Economy => self.economy(event),
            Category::Messages => self.messages(event),
            Category::News => match event {
                Event::News(news) => self.news(news),
                _ => String::new(),
            },
        }
    }

    /// What centres delivered or wait for.
    fn production(&self, event: &Event) -> String {
        match event {
            Event::Built { city, kind, unit } => {
                let one = force(1, self.kind(*kind));
                format!("City {city} delivers {}: unit {unit}.", one.trim_start_matches("1 "))
            }
            Event::PlaneBuilt { city, kind } => {
                format!("City {city} delivers {} to its airbase.", force(1, self.kind(*kind)))
            }
            Event::ArmsBuilt { city, kind: SHIELD } => {
                format!("A missile defence stands in city {city} now.")
            }
            Event::ArmsBuilt { city, kind } => {
                format!("City {city} delivers {} to its airbase.", self.kind(*kind))
            }
            Event::LevelsBuilt { city, level } => {
                format!("The defences of city {city} are at level {level} now.")
            }
            Event::Waits { city, centre } => {
                format!("Centre {centre} of city {city} waits for production points.")
            }
            _ => String::new(),
        }
    }

    /// Ways and their ends.
    fn movement(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
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
            Event::Beside { unit, at: place, goal, city } => {
                let why = match city {
                    true => "a foreign city can't be entered from the sea",
                    false => "it is closed to the unit",
                };
                let (at, goal) = (at(place), at(goal));
                format!("Unit {unit} ends its advance at {at}, beside its goal {goal}: {why}.")
            }
            Event::Boarded { unit, ship, at: place } => {
                format!("Unit {unit} went aboard unit {ship} at {}.", at(place))
            }
            Event::NoRoom { unit, at: place } => {
                format!("Unit {unit} found no ship with room at {}.", at(place))
            }
            Event::Landed { unit, at: place } => format!("Unit {unit} landed at {}.", at(place)),
            _ => String::new(),
        }
    }

    /// Fights over land, at sea and for cities.
    fn battles(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
            Event::Battle { at: place, phase, attacker, defender, ending, odds } => {
                self.battle(*place, *phase, (attacker, defender), *ending, odds)
            }
            Event::Promoted { unit, rank } => {
                format!("Unit {unit} has risen to {}.", rank_name(*rank))
            }
            Event::Retreated { unit, from, to } => {
                format!("Unit {unit} retreated from {} to {}.", at(from), at(to))
            }
            Event::Lost { unit, kind, size, at: place } => {
                let force = force(*size, self.kind(*kind));
                format!("Unit {unit}, {force}, was lost at {}.", at(place))
            }
            Event::Drowned { unit, kind, size } => {
                let force = force(*size, self.kind(*kind));
                format!("{force} of unit {unit} went down with the ships.")
            }
            Event::CityAssault {
                city,
                at: place,
                attacker,
                owner,
                before,
                after,
                strength,
                rebels,
            } => format!(
                "{} attacked {} at {} with strength {} against {} of its walls: defences {before} \
                 to {after}; {}.",
                self.force(attacker.seat, *rebels, true),
                self.city(*city, *owner, *rebels),
                at(place),
                tenths(strength[0]),
                tenths(strength[1]),
                self.losses(attacker)
            ),
            Event::CityTaken {
                city,
                name,
                at: place,
                from,
                by,
                planes: taken,
                missiles,
                rebels,
            } => {
                let planes = match stored(*taken, *missiles) {
                    spoils if spoils.is_empty() => String::new(),
                    spoils => format!(" with {spoils}"),
                };
                let whose = match (*from, *rebels) {
                    (NOBODY, false) => ", which was free".to_owned(),
                    (from, rebels) => format!(" from {}", self.force(from, rebels, false)),
                };
                format!(
                    "{} took city {city} {name} at {}{whose}{planes}.",
                    self.force(*by, *rebels, true),
                    at(place),
                )
            }
            Event::CityRazed { city, name, at: place } => {
                format!("City {city} {name} at {} is no more; ruins are left.", at(place))
            }
            Event::BaseTaken { base, at: place, from, by, planes, missiles } => {
                let with = match stored(*planes, *missiles) {
                    spoils if spoils.is_empty() => String::new(),
                    spoils => format!(" with {spoils}"),
                };
                format!(
                    "{} took airbase {base} at {} from {}{with}.",
                    self.power(*by, true),
                    at(place),
                    self.power(*from, false)
                )
            }
            Event::NewGeneral { general, name, city: Some(city) } => {
                let name = general_name(name);
                format!("General {general}{name} takes up his post in city {city}.")
            }
            Event::NewGeneral { general, city: None, .. } => {
                format!("There is no city where general {general} could take up his post.")
            }
            Event::GeneralLost { general, city, lost, name } => {
                let (lost, name) = (general_name(lost), general_name(name));
                match city {
                    Some(city) => format!(
                        "General {general}{lost} was lost; a new one,{name}, waits in city {city}."
                    ),
                    None => format!(
                        "General {general}{lost} was lost, and no city is left to send another."
                    ),
                }
            }
            Event::Skill { general, gained, skill } => {
                format!("General {general} gained {gained} skill and has {skill} now.")
            }
            _ => String::new(),
        }
    }

    /// Missions of aircraft.
    fn air(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
            Event::AirStrike(strike) => self.air_strike(strike),
            Event::NothingToStrike { at: place } => {
                format!("The strike at {} found no enemy.", at(place))
            }
            Event::Observed { at: place, planes: sent } => {
                format!("{} observed the area around {}.", planes(*sent), at(place))
            }
            Event::Airlifted { units, to, bombers } => {
                let units = ranges(units.iter().copied());
                let bombers = counted(*bombers, "bomber");
                format!("{bombers} carried units {units} to airbase {to}.")
            }
            Event::Ferried { from, to, planes: sent, missiles } => {
                format!("{} went from airbase {from} to {to}.", sentence(&stored(*sent, *missiles)))
            }
            Event::NoPlace { to, planes: sent } => match stored(*sent, (0, 0)) {
                none if none.is_empty() => {
                    format!("Airbase {to} has no place for more; the rest stays where it was.")
                }
                rest => {
                    format!("Airbase {to} has no place for {rest}, which stay where they were.")
                }
            },
            Event::OutOfReach { at: place } => format!(
                "No plane started for {}: their ship has moved out of reach of it.",
                at(place)
            ),
            Event::Dropped { units, at: place } => {
                let units = ranges(units.iter().copied());
                format!("Paratroops dropped at {}: units {units}.", at(place))
            }
            Event::DropCalledOff { at: place } => {
                format!("The drop at {} was called off; the bombers came back.", at(place))
            }
            Event::Wrecked { base, planes: lost, missiles } => {
                format!("Lost at airbase {base}: {}.", stored(*lost, *missiles))
            }
            Event::Salvo(salvo) => self.salvo(salvo),
            Event::Picture { at: place } => {
                format!("A satellite picture of the area around {} has come.", at(place))
            }
            Event::BaseLost { from, to, planes: sent } => {
                let planes = format!("{} of airbase {from}", planes(*sent));
                match to {
                    Some(to) => format!("{planes} found it lost and landed at {to}."),
                    None => format!("{planes} found it lost and no other within reach: lost."),
                }
            }
            _ => String::new(),
        }
    }

    /// Searches of engineers, and research.
    fn ruins(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
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
            Event::Worked { unit, at: place, task, points, base } => {
                self.work(*unit, *place, *task, *points, *base)
            }
            Event::NoWork { unit, at: place, task } => {
                format!("Unit {unit} found no work at {} ({}).", at(place), task.name())
            }
            Event::Research { paid, points, tech, per_mille } => {
                let paid = format!(
                    "{} PP went into research with a chance of {}",
                    pp(*paid),
                    percent(*per_mille)
                );
                match tech {
                    Some(tech) => format!("{paid}: tech level {tech} is reached!"),
                    None => format!(
                        "{paid}, no success; {} PP spent in vain help the next attempt.",
                        pp(*points)
                    ),
                }
            }
            _ => String::new(),
        }
    }

    /// Coalitions, rebels, fallen empires, victory.
    fn politics(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
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
            _ => String::new(),
        }
    }

    /// What everybody hears; cities that changed hands are told together.
    fn news(&self, news: &News) -> String {
        let all = |seats: &[u8]| ranges(seats.iter().map(|&s| s.into()));
        match news {
            News::Holding { members, turns, of } => {
                let who = match members.as_slice() {
                    [one] if *one == self.seat => "You hold".to_owned(),
                    [one] => format!("Player {one} holds"),
                    all_of_them => format!("The coalition of players {} holds", all(all_of_them)),
                };
                format!("{who} enough cities to win: turn {turns} of {of} in a row.")
            }
            News::Taken { city, from, by, rebels } => {
                let from = if *rebels { "rebels".to_owned() } else { self.holder(*from) };
                let by = if *by == NOBODY { "rebels".to_owned() } else { self.holder(*by) };
                format!("{city} from {from} to {by}")
            }
            News::Atomic { by, hit } => {
                let hit = match hit.as_slice() {
                    [] => "nobody".to_owned(),
                    [one] => self.power(*one, false),
                    all => format!("players {}", ranges(all.iter().map(|&s| s.into()))),
                };
                format!("Atomic strike, fired by {}; hit: {hit}.", self.power(*by, false))
            }
            News::Rebelled { city, player } => {
                format!("City {city} of {} is in the hands of rebels.", self.holder(*player))
            }
            News::Fallen { player } if *player == self.seat => "Your empire has fallen.".to_owned(),
            News::Fallen { player } => format!("The empire of player {player} has fallen."),
            News::Coalition { members } => format!("Players {} form a coalition.", all(members)),
            News::LeavesCoalition { player, expelled } => {
                let how = if *expelled { "was voted out of" } else { "has left" };
                format!("{} {how} the coalition.", self.power(*player, true))
                    .replace("You was", "You were")
                    .replace("You has", "You have")
            }
            News::CoalitionEnds { members } => {
                format!("The coalition of players {} is no more.", all(members))
            }
        }
    }

    /// `player 5`, `you`, `nobody`.
    fn holder(&self, seat: u8) -> String {
        match seat {
            NOBODY => "nobody".to_owned(),
            s => self.power(s, false),
        }
    }

    /// Income, stock and what was paid.
    fn economy(&self, event: &Event) -> String {
        match event {
            Event::CounterSpying { paid } => {
                format!("{} PP were paid for counter-spying.", pp(*paid))
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
            _ => String::new(),
        }
    }

    /// Messages that went out.
    fn messages(&self, event: &Event) -> String {
        match event {
            Event::MessageSent { to, sentences } => {
                let to = to.map_or("all players".to_owned(), |to| format!("player {to}"));
                format!("You wrote to {to}: {}", self.letter(sentences))
            }
            _ => String::new(),
        }
    }

    fn battle(
        &self,
        place: Place,
        phase: u8,
        (attacker, defender): (&SideReport, &SideReport),
        ending: Ending,
        odds: &Odds,
    ) -> String {
        let end = match ending {
            Ending::DefenderDestroyed => "The defender was destroyed.",
            Ending::AttackerDestroyed => "The attacker was destroyed.",
            Ending::BothDestroyed => "Neither side survived.",
            Ending::DefenderDislodged => "The defender had to give way.",
            Ending::AttackerRepelled => "The attack was thrown back.",
        };
        let side = |i: usize, report: &SideReport| {
            let general = odds.generals[i].map_or(String::new(), |(number, skill)| {
                format!(", your general {number} adds {skill} %")
            });
            let strength = tenths(odds.strength[i]);
            format!("strength {strength}{general}: {}", self.losses(report))
        };
        let ground = self.tables.terrain.get(usize::from(odds.ground));
        let mut ground = ground.map_or(String::new(), |row| row.name.clone());
        if odds.shelter > 1000 {
            ground += &format!(", the defender stands {} % firmer", odds.shelter / 10 - 100);
        }
        format!(
            "Phase {phase}, sector {} ({ground}): {} attacked {}. Attacker, {}. Defender, {}. {end}",
            sector_no(self.grid, place),
            self.force(attacker.seat, odds.rebels, true),
            self.force(defender.seat, odds.rebels, false),
            side(0, attacker),
            side(1, defender)
        )
    }

    /// A power in a fight; the nameless one is rebels or the garrison of a free city.
    fn force(&self, seat: u8, rebels: bool, start: bool) -> String {
        match (seat, rebels, start) {
            (NOBODY, true, true) => "Rebels".to_owned(),
            (NOBODY, true, false) => "rebels".to_owned(),
            _ => self.power(seat, start),
        }
    }

    /// A city and its holder.
    fn city(&self, number: u16, owner: u8, rebels: bool) -> String {
        match (owner, rebels) {
            (NOBODY, true) => format!("the rebels' city {number}"),
            (NOBODY, false) => format!("the free city {number}"),
            (owner, _) => format!("city {number} of {}", self.power(owner, false)),
        }
    }

    fn air_strike(&self, s: &AirStrike) -> String {
        let mut force = Vec::new();
        if s.sent.total() > 0 {
            force.push(planes(s.sent));
        }
        if s.guns > 0 {
            force.push(guns(s.guns));
        }
        let verb = match s.mission {
            Mission::Bombing => "struck at",
            Mission::Strafing => "struck from the air at",
            Mission::Watch => "sent the fighters of the base against",
            Mission::Patrol => "met planes on watch of",
            Mission::Drop => "dropped paratroops on",
        };
        let mut text = format!(
            "Sector {}: {} {verb} {} with {}.",
            sector_no(self.grid, s.at),
            self.power(s.by, true),
            self.power(s.target, false),
            force.join(" and ")
        );
        if s.lost.total() > 0 {
            text += &format!(" The striker lost {}.", planes(s.lost));
        }
        if s.downed.total() > 0 {
            text += &format!(" The base lost {}.", planes(s.downed));
        }
        if !s.losses.losses.is_empty() {
            text += &format!(" Hit: {}.", self.losses(&s.losses));
        }
        if let Some((before, after)) = s.walls {
            text += &format!(" Defences {before} to {after}.");
        }
        text
    }

    /// Missiles as both sides hear of them.
    fn salvo(&self, s: &Salvo) -> String {
        let what = match (s.atomic, s.fired) {
            (true, 1) => "an atomic missile".to_owned(),
            (true, n) => format!("{n} atomic missiles"),
            (false, n) => counted(n, "missile"),
        };
        let mut text = format!(
            "Sector {}: {} fired {what}.",
            sector_no(self.grid, s.at),
            self.power(s.by, true)
        );
        if !s.stopped.is_empty() {
            let cities: Vec<String> = s.stopped.iter().map(|c| format!("city {c}")).collect();
            text += &format!(" Stopped by the defences of {}.", joined(&cities));
        }
        if usize::from(s.fired) == s.stopped.len() {
            return text;
        }
        if s.atomic {
            return text + " The sector and all around it is wiped out.";
        }
        match s.target {
            None => text += " Nothing was hit.",
            Some(target) => text += &format!(" Hit: {}.", self.power(target, false)),
        }
        if !s.losses.losses.is_empty() {
            text += &format!(" Its units: {}.", self.losses(&s.losses));
        }
        if let Some((before, after)) = s.walls {
            text += &format!(" Defences {before} to {after}.");
        }
        if s.planes.total() > 0 {
            text += &format!(" Destroyed on the ground: {}.", planes(s.planes));
        }
        text
    }

    /// Engineers' work, done or half done.
    fn work(
        &self,
        unit: u16,
        at: Place,
        task: Task,
        (done, needed): (u16, u16),
        base: Option<u16>,
    ) -> String {
        let at = sector_no(self.grid, at);
        match (task, base) {
            (Task::PullDown, _) => format!("Unit {unit} pulled down the works at {at}."),
            (_, Some(base)) => format!("Unit {unit} finished airbase {base} at {at}."),
            _ if done >= needed => format!("Unit {unit} finished a {} at {at}.", task.name()),
            _ => format!(
                "Unit {unit} worked on a {} at {at}: {done} of {needed} points are done.",
                task.name()
            ),
        }
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
            Fact::Jets(n) => counted(*n, "jet"),
            Fact::Missiles(n) => counted(*n, "missile"),
            Fact::Warheads(n) => counted(*n, "atomic warhead"),
            Fact::Allies(list) if list.is_empty() => "no allies".to_owned(),
            Fact::Allies(list) => format!("allies: {}", ranges(list.iter().map(|&a| a.into()))),
            Fact::Rating(n) => format!("rating {n}"),
            Fact::City { number, at: place, level } => {
                format!("city {number} at {}, defence level {level}", at(place))
            }
            Fact::Unit { at: place, kind, size } => {
                format!("{} at {}", force(*size, self.kind(*kind)), at(place))
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
            format!("{number}{} ({lost})", force(l.before, self.kind(l.kind)))
        };
        side.losses.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    /// A power as the reader calls it.
    pub fn power(&self, seat: u8, start: bool) -> String {
        match seat {
            NOBODY if start => "The garrison of a free city".to_owned(),
            NOBODY => "the garrison of a free city".to_owned(),
            s if s == self.seat && start => "You".to_owned(),
            s if s == self.seat => "you".to_owned(),
            s if start => format!("Player {s}"),
            s => format!("player {s}"),
        }
    }

    fn kind(&self, kind: u8) -> &str {
        &self.tables.row(kind).name
    }

    /// What the reader has written, in quotation marks.
    pub fn letter(&self, sentences: &[Told]) -> String {
        let text: Vec<String> = sentences.iter().map(|told| self.sentence(told)).collect();
        let address = "(your name and address, as far as you disclose them)";
        format!("\"{}\"", text.join(" ").replace('@', address))
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

/// `1 Tank`, `3 Tanks`, `5 Infantry`.
pub fn force(n: u16, name: &str) -> String {
    match name.strip_suffix('s') {
        Some(one) if n == 1 => format!("1 {one}"),
        _ => format!("{n} {name}"),
    }
}

/// `12.5 %` for 125 per mille.
pub fn percent(per_mille: u32) -> String {
    match per_mille % 10 {
        0 => format!("{} %", per_mille / 10),
        tenth => format!("{}.{tenth} %", per_mille / 10),
    }
}

/// `12.5` for 12 500 thousandths.
fn tenths(thousandths: i64) -> String {
    match thousandths / 100 % 10 {
        0 => (thousandths / 1000).to_string(),
        tenth => format!("{}.{tenth}", thousandths / 1000),
    }
}

/// Planes of all types; a type that is not there is not named.
pub fn planes(planes: Planes) -> String {
    match stored(planes, (0, 0)) {
        none if none.is_empty() => counted(0, "fighter"),
        some => some,
    }
}

/// Planes, missiles and warheads, as far as there are any.
pub fn stored(planes: Planes, (missiles, warheads): (u16, u16)) -> String {
    let all = [
        (planes.fighters, "fighter"),
        (planes.jets, "jet"),
        (planes.bombers, "bomber"),
        (missiles, "missile"),
        (warheads, "warhead"),
    ];
    let named = all.iter().filter(|(n, _)| *n > 0).map(|&(n, what)| counted(n, what));
    joined(&named.collect::<Vec<_>>())
}

/// `a`, `a and b`, `a, b and c`.
pub fn joined(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A text with a capital at its start.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + chars.as_str()
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
