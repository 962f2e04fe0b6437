//! One turn, as a list of phases that can be laid beside the rulebook (§9).

pub mod economy;
pub mod land;
pub mod politics;
pub mod sea;
pub mod spying;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::desk::{self, Facts, Paper, Position};
use super::map::SpaceId;
use super::state::{Country, Forces, NOBODY, State};
use super::tables::Tables;
use super::verbs::{Arm, Verb};
use engine::press::Addressee;
use engine::{CardText, Dice, Input, Seat, Sits};

/// One phase of a turn.
pub type Phase = fn(&mut Field);

/// The turn in its order; numbers are the steps of §9.
pub const PHASES: &[(&str, Phase)] = &[
    ("cards are judged", read_cards),
    ("0a: declarations, permits, shares, options, defaults, standing orders", declare),
    ("0b: gifts, research, training, propaganda; spies go out", economy::spend),
    ("1: moves, gifts of forces", moves),
    ("2: builds", economy::build),
    ("3: forces leave for battle", depart),
    ("3a: battles at the border", land::borders),
    ("3b-3k: land combat", land::battles),
    ("4: sea combat", sea::battles),
    ("5: survivors go home", land::return_home),
    ("6: counter-attacks", land::counter_attacks),
    ("6a: popularity", politics::popularity),
    ("6b: revolutions", politics::revolutions),
    ("6c: control, standing orders of lost countries", politics::control),
    ("7: evacuation", land::evacuate),
    ("7a: recovery, suppression, blockade", economy::suppress),
    ("8: interest, income, built Dollars, gifts", economy::income),
    ("9: research and training", economy::learn),
    ("10: spies are checked; who sees what", spying::check),
    ("11: messages", post),
    ("11: the end, ratings", politics::ending),
];

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
    /// Who comes home; [`NOBODY`]: the forces of a minor.
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
        note: String,
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
    /// A seat has lost the last thing that it held.
    Out {
        /// The seat that it is about.
        seat: u8,
    },
    /// The game is over.
    Over,
}

/// Forces on their way to a battle on land or back from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Where they came from.
    pub from: SpaceId,
    /// Who gave their orders.
    pub owner: u8,
    /// Armies that stay if they win.
    pub conquer: i64,
    /// Armies that come back.
    pub bombard: i64,
    /// Navy.
    pub navy: i64,
    /// Against army, navy, airbase, industry.
    pub air: [i64; 4],
    /// Against army, airbase, industry.
    pub missiles: [i64; 3],
    /// Missiles that were stopped.
    pub stopped: i64,
    /// What set out: army, navy, air force, missiles.
    pub sent: [i64; 4],
}

impl Group {
    fn new(from: SpaceId, owner: u8) -> Self {
        Self {
            from,
            owner,
            conquer: 0,
            bombard: 0,
            navy: 0,
            air: [0; 4],
            missiles: [0; 3],
            stopped: 0,
            sent: [0; 4],
        }
    }

    /// All its armies.
    pub fn army(&self) -> i64 {
        self.conquer + self.bombard
    }

    /// All its air force.
    pub fn planes(&self) -> i64 {
        self.air.iter().sum()
    }
}

/// Forces that help a space for a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Support {
    /// Where they came from.
    pub from: SpaceId,
    /// Who gave their orders.
    pub owner: u8,
    /// What is left of them.
    pub forces: Forces,
    /// What set out.
    pub sent: Forces,
}

/// A country that was captured in this turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    /// As it was, without its army.
    pub old: Country,
    /// Who took it.
    pub by: u8,
    /// Where their armies in it came from, and how many.
    pub conquerors: Vec<(SpaceId, i64)>,
    /// Missile hits and air force beyond the defending army, for step 6.
    pub saved_hits: i64,
    /// Air force beyond the defending army, for step 6.
    pub spare_air: i64,
    /// Armies that come home to it.
    pub returning: i64,
    /// Navy and air force of the old owner that must leave.
    pub fleeing: (i64, i64),
    /// Whether armies that came home took it back.
    pub recaptured: bool,
}

/// Everything that a turn works on.
pub struct Field<'a> {
    /// The figures of the game.
    pub tables: Arc<Tables>,
    /// The game as it stands.
    pub state: State,
    /// Cards, and how seats stand.
    pub input: Input<'a>,
    /// The dice of the turn.
    pub dice: &'a mut Dice,
    /// What has happened so far.
    pub events: Vec<Event>,
    /// By seat minus 1.
    pub papers: Vec<Paper>,
    /// Where cents came from and went, by seat minus 1.
    pub ledgers: Vec<Ledger>,
    /// As the turn began, by country.
    pub owners: Vec<u8>,
    /// Who gave the orders of each country as the turn began.
    pub holders: Vec<u8>,
    /// Suppressed tax, industry and air force as the turn began, by country.
    pub down: Vec<(i64, i64, i64)>,
    /// Suppressed in this turn: industry, air force.
    pub hit: Vec<(i64, i64)>,
    /// Recovering air force that was lost, by country.
    pub recovering_lost: Vec<i64>,
    /// Groups by target, and support by the space that is helped.
    pub groups: BTreeMap<SpaceId, Vec<Group>>,
    /// Support by the space that is helped.
    pub supports: BTreeMap<SpaceId, Vec<Support>>,
    /// Forces on their way home to countries.
    pub homeward: Vec<Support>,
    /// Countries that were captured in this turn.
    pub captures: BTreeMap<SpaceId, Capture>,
    /// Change of home popularity, and of a player's popularity in a minor.
    pub esteem: BTreeMap<SpaceId, i64>,
    /// Change of a player's popularity in a minor.
    pub favour: BTreeMap<(SpaceId, u8), i64>,
    /// Air force that moved into a country in this turn.
    pub flown_in: BTreeMap<SpaceId, i64>,
    /// Minors attacked by army or air force of a player.
    pub attacked: BTreeSet<(SpaceId, u8)>,
    /// Dollars of propaganda by country and player, counterspies likewise.
    pub propaganda: BTreeMap<(SpaceId, u8), i64>,
    /// Counterspies by country and player.
    pub counterspies: BTreeMap<(SpaceId, u8), i64>,
    /// Industry built in this turn.
    pub new_industry: Vec<(SpaceId, i64)>,
    /// Cents built, and given by others, by seat minus 1.
    pub built: Vec<i64>,
    /// Cents given by others, by seat minus 1.
    pub received: Vec<i64>,
    /// What each seat sees beside what it holds afterwards.
    pub sights: BTreeMap<u8, BTreeSet<SpaceId>>,
    /// What became of the units of each arm.
    pub flows: BTreeMap<Arm, Flow>,
}

impl<'a> Field<'a> {
    /// Lays a turn out.
    pub fn new(state: State, input: Input<'a>, dice: &'a mut Dice) -> Self {
        let (lands, seats) = (state.countries.len(), state.players.len());
        let down = state.countries.iter().map(|c| (c.tax_down, c.industry_down, c.air_down));
        Self {
            tables: Arc::clone(&state.tables),
            owners: state.countries.iter().map(|c| c.owner).collect(),
            holders: state.countries.iter().map(Country::holder).collect(),
            down: down.collect(),
            hit: vec![(0, 0); lands],
            recovering_lost: vec![0; lands],
            input,
            dice,
            events: Vec::new(),
            papers: Vec::new(),
            ledgers: vec![Ledger::default(); seats],
            groups: BTreeMap::new(),
            supports: BTreeMap::new(),
            homeward: Vec::new(),
            captures: BTreeMap::new(),
            esteem: BTreeMap::new(),
            favour: BTreeMap::new(),
            flown_in: BTreeMap::new(),
            attacked: BTreeSet::new(),
            propaganda: BTreeMap::new(),
            counterspies: BTreeMap::new(),
            new_industry: Vec::new(),
            built: vec![0; seats],
            received: vec![0; seats],
            sights: BTreeMap::new(),
            flows: BTreeMap::new(),
            state,
        }
    }

    /// Runs all phases and gives the state and the events after.
    pub fn run(mut self) -> (State, Vec<Event>) {
        for (_, phase) in PHASES {
            phase(&mut self);
        }
        for (arm, flow) in &self.flows {
            self.events.push(Event::Flow { arm: *arm, flow: *flow });
        }
        self.state.turn += 1;
        (self.state, self.events)
    }

    /// Seats in order.
    pub fn seats(&self) -> std::ops::RangeInclusive<u8> {
        // A game has at most 79 seats.
        1..=self.state.players.len() as u8
    }

    /// Notes units that were lost.
    pub fn lose(&mut self, arm: Arm, n: i64) {
        self.flows.entry(arm).or_default().lost += n;
    }

    /// Losses away from home cost popularity where the forces came from (§12).
    pub fn mourn(&mut self, from: SpaceId, owner: u8, lost: i64) {
        if lost <= 0 || self.tables.map.is_sea(from) {
            return;
        }
        match self.owners[usize::from(from.0)] {
            NOBODY => *self.favour.entry((from, owner)).or_default() -= lost,
            _ => *self.esteem.entry(from).or_default() -= lost,
        }
    }

    /// What a seat sees without holding it.
    pub fn see(&mut self, seat: u8, space: SpaceId) {
        self.sights.entry(seat).or_default().insert(space);
    }
}

/// Judges every card, an empty one for who sent none.
fn read_cards(field: &mut Field) {
    let players = field.state.players.len() as u8;
    for seat in field.seats() {
        let none = CardText::default();
        let card = field.input.cards.get(&Seat(seat));
        let position = Position::of(&field.state, seat);
        let facts = Facts {
            tables: &field.tables,
            turn: field.state.turn,
            players,
            owners: &field.owners,
            revised: field.state.revised,
        };
        let paper = desk::work(facts, &position, card.unwrap_or(&none));
        for (line, text, told) in &paper.told {
            field.events.push(Event::Line {
                seat,
                line: *line,
                text: text.clone(),
                mark: told.mark.code(),
                note: told.note.clone(),
            });
        }
        let (sees, most) = (seas_of(&field.state, seat), field.tables.figures.play.missed_turns);
        for sea in sees {
            field.see(seat, sea);
        }
        let player = field.state.player_mut(seat);
        player.missed = match field.input.sits(Seat(seat)) {
            // G33 counts turns of players who may come back; who has left is dropped at once.
            Sits::Left => player.missed.saturating_add(1).max(most),
            Sits::Player if card.is_none() => player.missed.saturating_add(1),
            Sits::Player | Sits::Computer => 0,
        };
        player.dropped = player.missed >= most;
        field.ledgers[usize::from(seat) - 1].opening = player.cents;
        field.papers.push(paper);
    }
    for (i, holder) in field.holders.clone().into_iter().enumerate() {
        if holder != NOBODY {
            // Countries have the first numbers.
            field.see(holder, SpaceId(i as u16));
        }
    }
}

/// Seas where a seat has forces.
fn seas_of(state: &State, seat: u8) -> Vec<SpaceId> {
    let there = |s: &SpaceId| state.sea(*s).get(&seat).is_some_and(|f| !f.is_empty());
    state.tables.map.seas().filter(there).collect()
}

/// Step 0a.
fn declare(field: &mut Field) {
    let revised = field.state.revised;
    for (i, paper) in field.papers.iter().enumerate() {
        let old = &field.state.players[i];
        let mut new = paper.player.clone();
        (new.missed, new.dropped) = (old.missed, old.dropped);
        if new.dropped {
            (new.good, new.bad) = ([NOBODY; 3], [NOBODY; 3]);
        }
        let seat = new.seat;
        field.state.players[i] = new;
        for (space, slots) in &paper.standing {
            let country = field.state.country_mut(*space);
            country.standing.clone_from(slots);
            if revised {
                let any = slots.iter().any(Option::is_some);
                country.standing_by = if any { seat } else { NOBODY };
            }
        }
    }
}

/// Step 1: units that move arrive, and change their owner where they are gifts.
fn moves(field: &mut Field) {
    for seat in field.seats() {
        let jobs = field.papers[usize::from(seat) - 1].jobs.clone();
        for (from, list) in jobs {
            for job in list {
                let (Some(to), true) = (job.order.target, job.order.verb.moves()) else { continue };
                let (arm, n) = (job.order.verb.arm(), job.order.n);
                if let Some(by) = job.canal
                    && !pass(field, seat, by, (from, to), arm, n)
                {
                    continue;
                }
                take(&mut field.state, seat, from, arm, n);
                arrive(field, seat, to, arm, n);
            }
        }
    }
}

/// Whether units may go through a canal; its holder is told, or the player.
pub fn pass(
    field: &mut Field,
    player: u8,
    by: SpaceId,
    (from, to): (SpaceId, SpaceId),
    arm: Arm,
    n: i64,
) -> bool {
    let holder = field.holders[usize::from(by.0)];
    let open = holder == player
        || (holder != NOBODY && field.state.player(holder).permits.contains(&player));
    if !open {
        field.events.push(Event::Closed { player, by, from, to, arm, n });
    } else if holder != player {
        field.events.push(Event::Passage { holder, player, by, from, to, arm, n });
    }
    open
}

/// A space in the place of a roll: from 1, as 0 is nowhere.
pub fn key(space: SpaceId) -> u32 {
    u32::from(space.0) + 1
}

/// Takes units of a seat out of a space.
pub fn take(state: &mut State, seat: u8, from: SpaceId, arm: Arm, n: i64) {
    if state.tables.map.is_sea(from) {
        let sea = state.sea_mut(from);
        if let Some(forces) = sea.get_mut(&seat) {
            *forces.of(arm) -= n;
            if forces.is_empty() {
                sea.remove(&seat);
            }
        }
    } else {
        *state.country_mut(from).stock_mut(arm) -= n;
    }
}

/// Puts units of a seat into a sea.
pub fn put_to_sea(state: &mut State, seat: u8, sea: SpaceId, forces: Forces) {
    if forces.is_empty() {
        return;
    }
    let there = state.sea_mut(sea).entry(seat).or_default();
    there.army += forces.army;
    there.navy += forces.navy;
    there.air += forces.air;
}

fn arrive(field: &mut Field, seat: u8, to: SpaceId, arm: Arm, n: i64) {
    if field.tables.map.is_sea(to) {
        let mut forces = Forces::default();
        *forces.of(arm) = n;
        put_to_sea(&mut field.state, seat, to, forces);
        return;
    }
    let owner = field.owners[usize::from(to.0)];
    *field.state.country_mut(to).stock_mut(arm) += n;
    if arm == Arm::Air {
        *field.flown_in.entry(to).or_default() += n;
    }
    if owner == NOBODY {
        let figures = &field.tables.figures.popularity;
        let worth = match arm {
            Arm::Missile | Arm::Antimissile => figures.missile_gift,
            _ => figures.gift,
        };
        *field.favour.entry((to, seat)).or_default() += worth * n;
    } else if owner != seat {
        field.events.push(Event::GiftOfForces { from: seat, to: owner, at: to, arm, n });
    }
}

/// Step 3: everything with an order to fight or to help leaves its space.
fn depart(field: &mut Field) {
    for seat in field.seats() {
        let jobs = field.papers[usize::from(seat) - 1].jobs.clone();
        for (from, list) in jobs {
            for job in list {
                let (verb, n) = (job.order.verb, job.order.n);
                let Some(to) = job.order.target.filter(|_| !verb.moves()) else { continue };
                if let Some(by) = job.canal
                    && !pass(field, seat, by, (from, to), verb.arm(), n)
                {
                    continue;
                }
                take(&mut field.state, seat, from, verb.arm(), n);
                send(field, seat, from, to, verb, n);
            }
        }
    }
}

fn send(field: &mut Field, seat: u8, from: SpaceId, to: SpaceId, verb: Verb, n: i64) {
    let support = [Verb::ArmySupport, Verb::NavySupport, Verb::AirSupport].contains(&verb);
    if support {
        let list = field.supports.entry(to).or_default();
        let at = list.iter().position(|s| s.from == from && s.owner == seat).unwrap_or_else(|| {
            let none = Forces::default();
            list.push(Support { from, owner: seat, forces: none, sent: none });
            list.len() - 1
        });
        *list[at].forces.of(verb.arm()) += n;
        *list[at].sent.of(verb.arm()) += n;
        if field.tables.map.is_sea(to) {
            field.see(seat, to);
        }
        return;
    }
    let list = field.groups.entry(to).or_default();
    let at = list.iter().position(|g| g.from == from && g.owner == seat).unwrap_or_else(|| {
        list.push(Group::new(from, seat));
        list.len() - 1
    });
    let group = &mut list[at];
    let (place, arm) = match verb {
        Verb::Conquer => (&mut group.conquer, 0),
        Verb::Bombard => (&mut group.bombard, 0),
        Verb::NavyAttack => (&mut group.navy, 1),
        Verb::AirArmy => (&mut group.air[0], 2),
        Verb::AirNavy => (&mut group.air[1], 2),
        Verb::AirBase => (&mut group.air[2], 2),
        Verb::AirIndustry => (&mut group.air[3], 2),
        Verb::MissileArmy => (&mut group.missiles[0], 3),
        Verb::MissileBase => (&mut group.missiles[1], 3),
        _ => (&mut group.missiles[2], 3),
    };
    *place += n;
    group.sent[arm] += n;
    if arm == 3 {
        field.lose(Arm::Missile, n);
        field.state.missile_fired = true;
    }
    let by_army_or_air = arm == 0 || arm == 2;
    if by_army_or_air && field.owners[usize::from(to.0)] == NOBODY {
        field.attacked.insert((to, seat));
    }
}

/// Step 11: what players wrote to each other.
fn post(field: &mut Field) {
    for seat in field.seats() {
        let i = usize::from(seat) - 1;
        let others: Vec<u8> = field.seats().filter(|s| *s != seat).collect();
        let paper = &field.papers[i];
        for letter in &paper.letters {
            let to = match &letter.to {
                Addressee::Seats(seats) => {
                    seats.iter().filter_map(|s| u8::try_from(*s).ok()).collect()
                }
                _ => others.clone(),
            };
            field.events.push(Event::Letter {
                from: (!letter.anonymous).then_some(seat),
                sender: seat,
                to,
                text: letter.text.clone(),
            });
        }
        if let Some(news) = &paper.news {
            let from = (!news.anonymous).then_some(seat);
            field.events.push(Event::News { from, text: news.text.clone() });
        }
        for wire in &paper.wires {
            let to = if wire.to == NOBODY { others.clone() } else { vec![wire.to] };
            // There are 20 texts.
            let text = wire.text as u16;
            field.events.push(Event::Wire { from: seat, to, text, space: wire.space });
        }
    }
}
