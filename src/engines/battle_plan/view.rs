//! What one seat may know. Echo, forecast and printout are made from a view only (§15).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::desk::Position;
use super::event::{Clash, Count, Counter, Event, Ledger, SeaClash, Side};
use super::map::SpaceId;
use super::state::{Country, End, Forces, Mark, NOBODY, Player, Share, Stance, State};
use super::tables::Tables;
use super::verbs::UnitOrder;

/// A player as everybody knows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Public {
    /// The player's number.
    pub seat: u8,
    /// The name of the country or position that they began with.
    pub name: String,
    /// Countries that they occupy.
    pub countries: usize,
    /// The players whom they call enemies, as far as everybody knows.
    pub enemies: Vec<u8>,
    /// Whether they no longer hold anything.
    pub out: bool,
    /// Whether they have left or send no orders.
    pub dropped: bool,
    /// How many players list them as good and as bad, and the change of popularity that results.
    pub opinion: (usize, usize, i64),
}

/// The knowledge about one kind of units in a battle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// It is not known whether there were any.
    Nothing,
    /// They were there.
    There,
    /// Their number and losses.
    Counted(Count),
}

/// One side of a battle as the seat knows it: army, navy, air force, missiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenSide {
    /// Where they came from.
    pub from: SpaceId,
    /// The seat that gave the orders, if it is known; otherwise [`NOBODY`].
    pub owner: u8,
    /// Army, navy, air force, missiles.
    pub kinds: [Known; 4],
}

/// A battle as the seat knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenClash {
    /// The country.
    pub at: SpaceId,
    /// Its own forces.
    pub home: SeenSide,
    /// Attacking forces.
    pub attackers: Vec<SeenSide>,
    /// The seat that took it.
    pub captured: Option<u8>,
    /// Whether the seat saw all numbers.
    pub whole: bool,
}

/// Everything that a seat knows.
#[derive(Debug, Clone)]
pub struct View {
    /// The tables of the game.
    pub tables: Arc<Tables>,
    /// The turn whose orders are being collected.
    pub turn: u32,
    /// See [`State::revised`].
    pub revised: bool,
    /// The seat whose view it is.
    pub seat: u8,
    /// The seat's own position.
    pub position: Position,
    /// All players as everybody knows them.
    pub players: Vec<Public>,
    /// The occupier of each country.
    pub owners: Vec<u8>,
    /// Countries that are seen. For countries of others, spies of others, standing orders and
    /// fractions are left out.
    pub seen: BTreeMap<SpaceId, Country>,
    /// Own standing orders of minors that nobody controls; these orders rest.
    pub resting: BTreeMap<SpaceId, [Option<UnitOrder<SpaceId>>; 5]>,
    /// Own popularity in minors that are not seen.
    pub favour: BTreeMap<SpaceId, i64>,
    /// Seas that are seen.
    pub seas: BTreeMap<SpaceId, BTreeMap<u8, Forces>>,
    /// Players who call the seat an ally.
    pub allied_by: Vec<u8>,
    /// Players who share something with the seat, and how much.
    pub shared_by: Vec<(u8, Share)>,
    /// Battles on land.
    pub clashes: Vec<SeenClash>,
    /// Battles at sea.
    pub sea_clashes: Vec<SeaClash>,
    /// Counter-attacks, each with whether all numbers are known.
    pub counters: Vec<(Counter, bool)>,
    /// Other events that the seat knows.
    pub events: Vec<Event>,
    /// Where the seat's cents came from and went.
    pub ledger: Option<Ledger>,
    /// Own values, turn by turn.
    pub history: Vec<Mark>,
    /// How the game ended.
    pub over: Option<End>,
}

impl View {
    /// Cuts a seat's view out of the state and the events of the last turn.
    pub fn of(state: &State, events: &[Event], seat: u8) -> Self {
        let position = Position::of(state, seat);
        let over = state.over.clone();
        let (sees, watched) = sights(state, seat);
        let whole = over.is_some();
        let mut seen = BTreeMap::new();
        let mut favour = BTreeMap::new();
        for (space, country) in state.lands() {
            if whole || sees.contains(&space) {
                seen.insert(space, cut(country, seat));
            } else if country.is_minor() {
                let own = country.popularity.get(&seat).copied().unwrap_or(0);
                favour.insert(space, own);
            }
        }
        let seas = state.tables.map.seas().filter(|s| whole || sees.contains(s));
        let seas = seas.map(|s| (s, state.sea(s).clone())).collect();
        let others = state.players.iter().filter(|p| p.seat != seat);
        let allied_by =
            others.clone().filter(|p| p.stance(seat) == Stance::Ally).map(|p| p.seat).collect();
        let shared = others.map(|p| (p.seat, p.share(seat)));
        let shared_by = shared.filter(|(_, s)| *s != Share::Nothing).collect();
        let mut view = Self {
            tables: Arc::clone(&state.tables),
            turn: state.turn,
            revised: state.revised,
            seat,
            position,
            players: state.players.iter().map(|p| public(state, p.seat)).collect(),
            owners: state.countries.iter().map(|c| c.owner).collect(),
            seen,
            resting: resting(state, seat),
            favour,
            seas,
            allied_by,
            shared_by,
            clashes: Vec::new(),
            sea_clashes: Vec::new(),
            counters: Vec::new(),
            events: Vec::new(),
            ledger: None,
            history: state.history.iter().map(|h| h[usize::from(seat) - 1]).collect(),
            over,
        };
        for event in events {
            view.hear(event, &sees, &watched);
        }
        view
    }

    /// Adds what the seat learns from an event.
    fn hear(&mut self, event: &Event, sees: &BTreeSet<SpaceId>, watched: &BTreeSet<SpaceId>) {
        let me = self.seat;
        let told = match event {
            Event::Clash(clash) => {
                let whole = watched.contains(&clash.at);
                let tables = Arc::clone(&self.tables);
                let had = |s: SpaceId| tables.map.is_sea(s) && sees.contains(&s);
                self.clashes.push(see_clash(clash, me, whole, had));
                return;
            }
            Event::SeaClash(clash) => {
                // A seat that took part learns of the battle, even if it no longer sees the sea.
                if sees.contains(&clash.at) || clash.sides.iter().any(|(s, _)| *s == me) {
                    self.sea_clashes.push(clash.clone());
                }
                return;
            }
            Event::Counter(counter) => {
                let whole = watched.contains(&counter.at);
                let mut seen = *counter;
                if !whole {
                    (seen.defending, seen.returning) = (Count::default(), Count::default());
                }
                self.counters.push((seen, whole));
                return;
            }
            Event::Ledger { seat, ledger } => {
                if *seat == me {
                    self.ledger = Some(*ledger);
                }
                return;
            }
            Event::Letter { from, to, text, .. } => {
                if to.contains(&me) {
                    // No view contains the writer of an anonymous message.
                    self.events.push(Event::Letter {
                        from: *from,
                        sender: NOBODY,
                        to: vec![me],
                        text: text.clone(),
                    });
                }
                return;
            }
            Event::Revolution { .. } | Event::Caught { .. } | Event::News { .. } | Event::Over => {
                true
            }
            Event::Passage { holder, .. } => *holder == me,
            Event::Closed { player, .. } => *player == me,
            Event::GiftOfDollars { from, to, .. } | Event::GiftOfForces { from, to, .. } => {
                *from == me || *to == me
            }
            Event::Wire { to, .. } => to.contains(&me),
            Event::Line { seat, .. } | Event::Diary { seat, .. } => *seat == me,
            Event::Out { .. } => true,
            Event::Flow { .. } | Event::SpyFlow { .. } => false,
        };
        if told {
            self.events.push(event.clone());
        }
    }

    /// Public facts about a player.
    pub fn public(&self, seat: u8) -> &Public {
        &self.players[usize::from(seat) - 1]
    }

    /// The holder of a country as far as the seat knows: its owner, or the controller of a minor
    /// that is seen.
    pub fn holder(&self, space: SpaceId) -> u8 {
        match self.owners[usize::from(space.0)] {
            NOBODY => self.seen.get(&space).map_or(NOBODY, Country::controller),
            owner => owner,
        }
    }

    /// Whether either has declared the other an enemy.
    pub fn enemy(&self, other: u8) -> bool {
        self.enemy_by(&self.position.player, other)
    }

    /// Whether either has declared the other an enemy, with the declarations of `player`.
    fn enemy_by(&self, player: &Player, other: u8) -> bool {
        other != self.seat
            && other != NOBODY
            && (player.stance(other) == Stance::Enemy
                || self.public(other).enemies.contains(&self.seat))
    }

    /// Whether the seat is out of the game.
    pub fn is_out(&self) -> bool {
        self.public(self.seat).out
    }

    /// Hostile spaces around each own country and all spaces around it, as far as they are known,
    /// with the declarations of `player`.
    pub fn blockades(&self, player: &Player) -> BTreeMap<SpaceId, (usize, usize)> {
        let map = &self.tables.map;
        let own = map.countries().filter(|s| self.owners[usize::from(s.0)] == self.seat);
        let enemy = |other: u8| self.enemy_by(player, other);
        let hostile = |space: &SpaceId| match map.is_sea(*space) {
            false => enemy(self.holder(*space)),
            true => self.seas.get(space).is_some_and(|forces| {
                let count = |wanted: &dyn Fn(u8) -> bool| -> i64 {
                    forces.iter().filter(|(s, _)| wanted(**s)).map(|(_, f)| f.navy).sum()
                };
                let friend = |s: u8| s == self.seat || !enemy(s) && self.allied_by.contains(&s);
                count(&|s| enemy(s)) > count(&friend)
            }),
        };
        let counted = |space: SpaceId| {
            let around = map.neighbours(space);
            (space, (around.iter().filter(|s| hostile(s)).count(), around.len()))
        };
        own.map(counted).collect()
    }
}

fn resting(state: &State, seat: u8) -> BTreeMap<SpaceId, [Option<UnitOrder<SpaceId>>; 5]> {
    let rests = |c: &Country| c.holder() == NOBODY && c.standing_by == seat;
    let rest = state.lands().filter(|(_, c)| rests(c));
    rest.map(|(s, c)| (s, c.standing.clone())).collect()
}

fn public(state: &State, seat: u8) -> Public {
    let player = state.player(seat);
    let listed = |good: bool| {
        let on = |p: &&super::state::Player| {
            let list = if good { &p.good } else { &p.bad };
            list.contains(&seat)
        };
        state.players.iter().filter(on).count()
    };
    let mut net = 0;
    for other in &state.players {
        for (points, (good, bad)) in (1i64..).zip(other.good.iter().zip(&other.bad)) {
            net += i64::from(*good == seat) * points - i64::from(*bad == seat) * points;
        }
    }
    Public {
        seat,
        name: player.name.clone(),
        countries: state.occupied(seat).count(),
        enemies: player.declared(Stance::Enemy),
        out: player.out.is_some(),
        dropped: player.dropped,
        opinion: (listed(true), listed(false), net),
    }
}

/// Spaces and battles that a seat sees, including those that others share with it. What a sharer
/// gets from others is not passed on (§13.3).
fn sights(state: &State, seat: u8) -> (BTreeSet<SpaceId>, BTreeSet<SpaceId>) {
    let own = state.player(seat);
    let (mut sees, mut watched) = (own.sees.clone(), own.watched.clone());
    for player in state.players.iter().filter(|p| p.seat != seat) {
        let shown = |space: &&SpaceId| match player.share(seat) {
            Share::Full => true,
            Share::Partial => {
                state.tables.map.is_sea(**space) || state.country(**space).owner != player.seat
            }
            Share::Nothing => false,
        };
        sees.extend(player.sees.iter().filter(shown));
        watched.extend(player.watched.iter().filter(shown));
    }
    (sees, watched)
}

/// A country as a seat sees it.
fn cut(country: &Country, seat: u8) -> Country {
    let spies = country.spies.iter().filter(|(s, _)| **s == seat).map(|(s, n)| (*s, *n)).collect();
    let mut cut = Country { spies, ..country.clone() };
    if country.holder() != seat {
        cut.standing = Default::default();
        cut.fractions = [0; 6];
    }
    cut
}

/// A battle as a seat sees it. If it is not watched, it shows only kinds of units, except for the
/// seat's own ships and missiles and for forces from a sea where the seat had forces.
fn see_clash(
    clash: &Clash,
    me: u8,
    whole: bool,
    had_forces: impl Fn(SpaceId) -> bool,
) -> SeenClash {
    let side = |side: &Side, attacks: bool| {
        let own = attacks && side.owner == me;
        let all = whole || attacks && had_forces(side.from);
        let kind = |count: Count, partly: bool| match () {
            () if count.sent == 0 => Known::Nothing,
            () if all || partly => Known::Counted(count),
            () => Known::There,
        };
        SeenSide {
            from: side.from,
            // The owner of ships from a sea and the controller of a minor are not public.
            owner: if all || own { side.owner } else { NOBODY },
            kinds: [
                kind(side.army, false),
                kind(side.navy, own),
                kind(side.air, false),
                kind(side.missiles, own),
            ],
        }
    };
    let mut attackers: Vec<SeenSide> = Vec::new();
    for seen in clash.attackers.iter().map(|s| side(s, true)) {
        // Fleets of unknown owners from the same sea appear as one.
        let twin = |s: &&mut SeenSide| s.from == seen.from && s.owner == NOBODY;
        match attackers.iter_mut().find(twin).filter(|_| seen.owner == NOBODY) {
            Some(same) => {
                for (known, more) in same.kinds.iter_mut().zip(seen.kinds) {
                    if *known == Known::Nothing {
                        *known = more;
                    }
                }
            }
            None => attackers.push(seen),
        }
    }
    let home = side(&clash.home, false);
    SeenClash { at: clash.at, home, attackers, captured: clash.captured, whole }
}

/// A player by number and name, or by number only if the seat prefers that: `[5] Turkey`.
pub fn player(view: &View, seat: u8) -> String {
    let name = &view.public(seat).name;
    if view.position.player.compact { format!("[{seat}]") } else { format!("[{seat}] {name}") }
}

/// The code of a space.
pub fn code(view: &View, space: SpaceId) -> &str {
    view.tables.map.code(space)
}
