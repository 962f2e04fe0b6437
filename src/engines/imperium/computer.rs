//! The computer player (§20): from its seat's view alone.
//!
//! It thinks on paper, segment by segment: every system with units of its own gets an
//! activation with all that is useful there, and activations stand in the plan by how urgent
//! they are, for the dice decide how many there will be.

use std::collections::{BTreeMap, BTreeSet};

use engine::{CardText, Dice, Play};

use super::admin::{self, Placing};
use super::board::{Board, Control, Marker, Place, Spot};
use super::closeout;
use super::galaxy::{HOMES, Planet, SOL, System, TERRAN_CORE};
use super::kinds::{Class, Kind, Side, UnitId};
use super::odds::{self, Paper};
use super::state::{Pause, Spotted};
use super::tables::{Strength, Tempo};
use super::view::{Scene, View};

/// How a strength thinks.
struct Mind {
    /// Own worth against the enemy's, in hundredths, from which on it attacks.
    odds: i64,
    /// Whether it looks at what the enemy may bring against it.
    reply: bool,
    /// Whether it tries battles on paper.
    tries: bool,
    /// Of 1000 decisions, those that are second best.
    blunders: u32,
}

fn mind(strength: Strength) -> Mind {
    match strength {
        Strength::Easy => Mind { odds: 200, reply: false, tries: false, blunders: 250 },
        Strength::Normal => Mind { odds: 150, reply: true, tries: false, blunders: 50 },
        Strength::Hard => Mind { odds: 125, reply: true, tries: true, blunders: 0 },
    }
}

/// What an unknown fleet, World or Outpost is reckoned to be worth.
const UNKNOWN_FLEET: i64 = 18;
const UNKNOWN_WORLD: i64 = 16;
const UNKNOWN_OUTPOST: i64 = 3;

/// Battles that are tried for a decision.
const TRIALS: u32 = 12;

/// The card of a computer player.
pub fn play(view: &View, dice: &mut Dice) -> Play {
    let mut lines: Vec<String> = Vec::new();
    match &view.scene {
        Scene::Over(_) => return Play::default(),
        Scene::Setup => {
            lines.extend(stances(view.side));
            // Damage at a base is mended for less than maintenance would have cost.
            if view.options.strength(view.seat) > Strength::Easy {
                lines.push("N STOCK 0".to_owned());
            }
            lines.extend(appeal(view));
        }
        Scene::Administration => {
            let mut thinker = Thinker::new(view, dice);
            lines.extend(thinker.build());
            lines.extend(appeal(view));
            let last = match (view.options.tempo, view.peace) {
                (Tempo::Turn, _) | (_, Some(_)) => 4,
                _ => 1,
            };
            lines.extend(thinker.segments(1..=last));
            lines.push("F *".to_owned());
        }
        Scene::Action(open) => {
            let last = if view.options.tempo == Tempo::Turn { 4 } else { open.segment };
            let asked = open.pause != Pause::Turn || open.to_act == view.side;
            if asked && open.pause != Pause::Round {
                let mut thinker = Thinker::new(view, dice);
                lines.extend(thinker.segments(open.segment..=last));
            }
            lines.push("F *".to_owned());
        }
    }
    Play::from(CardText::of(&lines))
}

/// Torpedoes hit as well from the next area, where beams hardly do.
fn stances(side: Side) -> Vec<String> {
    let lines: &[&str] = match side {
        Side::Terran => &["Y K 0", "Y L 0", "Y CS 1", "Y CV 1"],
        Side::Imperial => &["Y K 1", "Y L 1", "W 33 38 35"],
    };
    lines.iter().map(|l| (*l).to_owned()).collect()
}

fn appeal(view: &View) -> Option<String> {
    let may = view.side == Side::Imperial && !view.board.court.banned && view.peace.is_none();
    may.then(|| "I F".to_owned())
}

/// An activation that is being planned.
#[derive(Default)]
struct Activation {
    urgency: i64,
    lines: Vec<String>,
}

struct Thinker<'a> {
    view: &'a View,
    side: Side,
    mind: Mind,
    dice: &'a mut Dice,
    /// The board as it will be if all goes well.
    board: Board,
    /// Free planets that an Outpost is under way to.
    taken: BTreeSet<Planet>,
    /// Systems that scouts are under way to.
    scouted: BTreeSet<System>,
    /// Systems that groups are under way to.
    aimed: BTreeMap<System, i64>,
}

impl<'a> Thinker<'a> {
    fn new(view: &'a View, dice: &'a mut Dice) -> Self {
        let mut board = view.board.clone();
        if matches!(view.scene, Scene::Administration) {
            Placing::default().rest(&mut board, view.side);
        }
        Self {
            view,
            side: view.side,
            mind: mind(view.options.strength(view.seat)),
            dice,
            board,
            taken: BTreeSet::new(),
            scouted: BTreeSet::new(),
            aimed: BTreeMap::new(),
        }
    }

    fn enemy(&self) -> Side {
        self.side.other()
    }

    fn peace(&self) -> bool {
        self.view.peace.is_some()
    }

    fn cost(&self, side: Side, kind: Kind) -> i64 {
        self.board.tables.cost(side, kind).into()
    }

    // --- construction ---

    fn build(&mut self) -> Vec<String> {
        let side = self.side;
        let standing = &self.view.filed.standing;
        let bill = closeout::bill(&self.board, side, standing, self.peace());
        let hurt: i64 = self
            .board
            .of(side)
            .filter(|(_, u)| u.damaged)
            .map(|(id, _)| i64::from(self.board.figures(id).m))
            .sum();
        let stock = i64::from(self.board.purses[side.i()].stock);
        let mut money =
            stock - i64::from(bill.stock) - if self.peace() { 2 * hurt } else { hurt.clamp(5, 12) };
        let mut lines = Vec::new();
        let peace = self.peace();
        let price = |board: &Board, kind: Kind| i64::from(admin::price(board, side, kind, peace));
        let mut order = |this: &mut Self, kind: Kind, n: i64, money: &mut i64| {
            let each = price(&this.board, kind);
            let left = this.board.left(side, kind).map_or(99, i64::from);
            let n = n.min(*money / each.max(1)).min(left);
            if n > 0 && admin::forbidden(&this.board, side, kind).is_none() {
                *money -= n * each;
                lines.push(format!("B {} {n}", kind.code()));
                let due = super::board::Due { turn: self_turn(this.view), kind };
                this.board.purses[side.i()].track.extend((0..n).map(|_| due));
            }
        };
        let war_left = 10 - i64::from(self.view.turn.min(10));
        let long = peace || war_left >= 5;
        let count = |this: &Self, kind: Kind| i64::from(this.board.counted(side, kind));
        // Outposts pay for themselves in some turns.
        if long && self.free_planets().len() > 2 {
            let carriers = count(self, Kind::TR);
            let outposts = count(self, Kind::OP);
            order(self, Kind::OP, (2 - outposts).max(0), &mut money);
            order(self, Kind::TR, (4 - carriers).clamp(0, 1), &mut money);
        }
        let troops = count(self, Kind::RT) + count(self, Kind::JT);
        let wanted = if war_left < 2 { 0 } else { 7 };
        order(self, Kind::JT, (5 - count(self, Kind::JT)).clamp(0, 1), &mut money);
        order(self, Kind::RT, (wanted - troops).clamp(0, 2), &mut money);
        order(self, Kind::AT, (2 - count(self, Kind::AT)).clamp(0, 1), &mut money);
        order(self, Kind::SC, (3 - count(self, Kind::SC)).clamp(0, 1), &mut money);
        // The costliest that is affordable and comes in time. Without capital ships on both sides
        // a lost battle rarely costs Glory, so the weaker side builds none.
        let weaker = self.is_weaker();
        let mut kinds: Vec<Kind> = Kind::ALL
            .into_iter()
            .filter(|k| {
                let class = self.board.tables.class(*k);
                let turns = self.board.tables.of(side, *k).map_or(9, |f| i64::from(f.turns));
                matches!(class, Class::Capital | Class::Light)
                    && !matches!(k, Kind::CV | Kind::SC)
                    && (class == Class::Light || !weaker || peace)
                    && (peace || turns <= war_left)
            })
            .collect();
        kinds.sort_by_key(|k| (std::cmp::Reverse(self.cost(side, *k)), *k));
        // Nothing holds a World as cheaply as monitors do.
        let monitors = 3 * i64::try_from(self.board.held(side, Marker::World).len()).unwrap_or(1);
        if weaker || peace {
            order(self, Kind::M, (monitors.min(4) - count(self, Kind::M)).clamp(0, 1), &mut money);
        }
        for kind in kinds {
            let at_once = if self.board.tables.class(kind) == Class::Light { 3 } else { 1 };
            order(self, kind, at_once, &mut money);
        }
        lines
    }

    /// Free planets that an Outpost could stand on, connected to one's own, nearest first.
    fn free_planets(&self) -> Vec<Planet> {
        let board = &self.board;
        let own: Vec<System> = board
            .planets
            .iter()
            .filter(|(_, l)| l.marker.is_some_and(|m| m.0 == self.side))
            .map(|(p, _)| p.system)
            .collect();
        let far = board.galaxy.jumps(own, |_| true);
        let near = |p: &Planet| far.get(usize::from(p.system.0) - 1).copied().flatten();
        let mut free: Vec<Planet> = board
            .planets
            .iter()
            .filter(|(p, l)| {
                l.marker.is_none()
                    && !self.taken.contains(p)
                    && near(p).is_some_and(|d| d <= 2)
                    && !board.occupied(self.enemy(), p.system)
                    && board.control(**p) != Control::Disputed
                    && !self.lurks(**p)
            })
            .map(|(p, _)| *p)
            .collect();
        free.sort_by_key(|p| (near(p), *p));
        free
    }

    // --- what is known of the enemy ---

    /// What the enemy's fleets and monitors in a system are reckoned to be worth.
    fn enemy_worth(&self, at: System) -> i64 {
        let enemy = self.enemy();
        let mut worth = 0;
        for (_, sighting) in odds::enemies(&self.board, self.view, at) {
            worth += sighting.map_or_else(
                || self.unknown_fleet(),
                |s| s.units.iter().map(|u| self.seen_worth(enemy, u)).sum(),
            );
        }
        for planet in self.board.galaxy.planets(at) {
            let Some(s) = self.view.known.get(&Spotted::Planet(planet)) else { continue };
            let flying = s.units.iter().filter(|u| matches!(u.kind, Kind::M | Kind::F));
            worth += flying.map(|u| self.seen_worth(enemy, u) * 5 / 4).sum::<i64>();
        }
        worth
    }

    /// What an unknown fleet is reckoned to be worth: forces on loan are known to be somewhere.
    fn unknown_fleet(&self) -> i64 {
        if self.side == Side::Imperial {
            return UNKNOWN_FLEET;
        }
        let loans = self.board.court.loans.iter().flat_map(|l| &l.units);
        let lent: i64 = loans.map(|id| self.cost(id.side, id.kind())).sum();
        let enemy = self.enemy();
        let unknown = self
            .board
            .fleets
            .keys()
            .filter(|(s, n)| *s == enemy && !self.view.known.contains_key(&Spotted::Fleet(*n)))
            .count();
        UNKNOWN_FLEET + lent / i64::try_from(unknown.max(1)).unwrap_or(1)
    }

    fn seen_worth(&self, side: Side, unit: &super::state::Seen) -> i64 {
        let cost = self.cost(side, unit.kind);
        match (self.board.tables.class(unit.kind), unit.damaged) {
            (Class::Ground | Class::Marker, _) => 0,
            (_, true) => cost / 2,
            (_, false) => cost,
        }
    }

    /// What the enemy has on planets of a system beyond ships.
    fn ground_worth(&self, at: System) -> i64 {
        let enemy = self.enemy();
        let mut worth = 0;
        for planet in self.board.galaxy.planets(at) {
            let Some((owner, marker)) = self.board.marker(planet) else { continue };
            if owner != enemy {
                continue;
            }
            worth += match (self.view.known.get(&Spotted::Planet(planet)), marker) {
                (Some(s), _) => s.units.iter().map(|u| self.cost(enemy, u.kind) / 2).sum(),
                (None, Marker::World) => UNKNOWN_WORLD,
                (None, Marker::Outpost) => UNKNOWN_OUTPOST,
            };
        }
        worth
    }

    /// Whether the enemy's fleets are reckoned to be worth more than one's own.
    fn is_weaker(&self) -> bool {
        let theirs: i64 =
            self.board.enemy_fleets(self.side).into_iter().map(|s| self.enemy_worth(s)).sum();
        let ours: i64 = self
            .board
            .of(self.side)
            .filter(|(id, _)| self.armed(*id))
            .map(|(id, _)| i64::from(self.board.worth(id)))
            .sum();
        theirs > ours
    }

    /// Enemy worth that could come to a system in one move.
    fn threat(&self, at: System) -> i64 {
        let far = self.board.galaxy.jumps([at], |_| true);
        let near = |s: System| far.get(usize::from(s.0) - 1).copied().flatten();
        let systems: BTreeSet<System> = self.board.enemy_fleets(self.side);
        systems
            .into_iter()
            .filter(|s| *s != at && near(*s).is_some_and(|d| d <= 4))
            .map(|s| self.enemy_worth(s))
            .sum()
    }

    // --- own groups ---

    fn unmoved(&self, fleet: u8) -> bool {
        let moved = |id: UnitId| self.board.units.get(&id).is_some_and(|u| u.moved);
        !self.board.ships(self.side, fleet).any(moved)
    }

    fn is_war(&self, fleet: u8) -> bool {
        self.board.ships(self.side, fleet).any(|id| self.armed(id))
    }

    fn armed(&self, id: UnitId) -> bool {
        matches!(self.board.class(id), Class::Capital | Class::Light) && id.kind() != Kind::SC
    }

    fn is_scouts(&self, fleet: u8) -> bool {
        self.board.ships(self.side, fleet).all(|id| id.kind() == Kind::SC)
    }

    fn fleet_worth(&self, fleet: u8) -> i64 {
        let ships = self.board.ships(self.side, fleet).filter(|id| self.armed(*id));
        ships.map(|id| i64::from(self.board.worth(id))).sum()
    }

    fn troops_aboard(&self, fleets: &[u8]) -> Vec<UnitId> {
        let ships = fleets.iter().flat_map(|f| self.board.ships(self.side, *f));
        let aboard = ships.flat_map(|s| self.board.aboard(s));
        aboard.filter(|id| id.kind().is_troops()).collect()
    }

    // --- the plan ---

    fn segments(&mut self, segments: std::ops::RangeInclusive<u8>) -> Vec<String> {
        let mut lines = Vec::new();
        let first = *segments.start();
        for segment in segments {
            if segment > first {
                for unit in self.board.units.values_mut() {
                    unit.moved = false;
                }
                self.taken.clear();
                self.scouted.clear();
                self.aimed.clear();
            }
            let mut plan = self.activations();
            plan.retain(|(_, a)| !a.lines.is_empty());
            plan.sort_by_key(|(at, a)| (std::cmp::Reverse(a.urgency), *at));
            if plan.is_empty() {
                continue;
            }
            lines.push(format!("SEG {segment}"));
            for (at, activation) in plan {
                lines.push(format!("A {at}"));
                lines.extend(activation.lines);
            }
        }
        lines
    }

    fn activations(&mut self) -> Vec<(System, Activation)> {
        let mut systems: Vec<System> =
            self.board.galaxy.all().filter(|s| self.board.present(self.side, *s)).collect();
        // The strongest group chooses first.
        systems.sort_by_key(|s| {
            let fleets = self.board.fleets_in(self.side, *s);
            let worth: i64 = fleets.map(|f| self.fleet_worth(f)).sum();
            (std::cmp::Reverse(worth), *s)
        });
        systems.into_iter().map(|at| (at, self.activation(at))).collect()
    }

    fn activation(&mut self, at: System) -> Activation {
        let mut act = Activation::default();
        let fleets: Vec<u8> = self.board.fleets_in(self.side, at).collect();
        let still: Vec<u8> = fleets.iter().copied().filter(|f| self.unmoved(*f)).collect();
        self.settle(at, &still, &mut act);
        let mut war: Vec<u8> = still.iter().copied().filter(|f| self.is_war(*f)).collect();
        self.with_troops(&still, &mut war);
        if self.attack(at, &war, &mut act) {
            return act;
        }
        self.occupy(at, &war, &mut act);
        self.load(at, &war, &mut act);
        self.load(at, &still, &mut act);
        self.with_troops(&still, &mut war);
        self.scouts(at, &still, &mut act);
        self.carriers(at, (&still, &war), &mut act);
        if !war.is_empty() {
            self.group(at, &war, &mut act);
        }
        act
    }

    /// Transports with troops go with a group.
    fn with_troops(&self, still: &[u8], war: &mut Vec<u8>) {
        if !war.is_empty() {
            let more = still.iter().copied().filter(|f| !self.troops_aboard(&[*f]).is_empty());
            war.extend(more);
            war.sort_unstable();
            war.dedup();
        }
    }

    /// Outposts are put down where they are.
    fn settle(&mut self, at: System, fleets: &[u8], act: &mut Activation) {
        let ships: Vec<UnitId> =
            fleets.iter().flat_map(|f| self.board.ships(self.side, *f)).collect();
        for ship in ships {
            if !self.board.aboard(ship).any(|c| c.kind() == Kind::OP) {
                continue;
            }
            let free = self.free_planets().into_iter().find(|p| p.system == at);
            let Some(planet) = free else { continue };
            act.lines.push(format!("U {} {planet}", ship.name));
            act.urgency = act.urgency.max(30);
            self.taken.insert(planet);
            let cargo: Vec<UnitId> = self.board.aboard(ship).collect();
            for id in cargo {
                self.board.units.remove(&id);
            }
            if let Some(land) = self.board.planets.get_mut(&planet) {
                land.marker = Some((self.side, Marker::Outpost));
            }
        }
    }

    /// Attacks a planet here, or enemy ships. True: nobody leaves.
    fn attack(&mut self, at: System, war: &[u8], act: &mut Activation) -> bool {
        if self.peace() || self.board.court.talks {
            return false;
        }
        let enemy = self.enemy();
        let own: i64 = war.iter().map(|f| self.fleet_worth(*f)).sum();
        let ships = self.board.fleets_in(enemy, at).next().is_some()
            || self.view.known.iter().any(|(w, s)| match w {
                Spotted::Planet(p) => p.system == at && s.units.iter().any(|u| u.kind == Kind::M),
                Spotted::Fleet(_) => false,
            });
        if ships {
            if own > 0 && 100 * own >= self.mind.odds * self.enemy_worth(at) {
                act.lines.push("E".to_owned());
                act.urgency = act.urgency.max(60);
                return true;
            }
            return false;
        }
        let disputed = self.board.disputed();
        let here: Vec<Planet> = self.board.galaxy.planets(at).collect();
        let on = here.iter().copied().find(|p| disputed.contains(p));
        if let Some(planet) = on {
            act.lines.push(format!("K {planet}"));
            let mut troops = self.troops_aboard(war);
            troops.retain(|id| self.board.fits(id.kind(), planet));
            self.land(planet, &troops, act);
            self.search(planet, act);
            act.urgency = act.urgency.max(50);
            return !war.is_empty();
        }
        let mut targets: Vec<Planet> = here
            .into_iter()
            .filter(|p| self.board.marker(*p).is_some_and(|m| m.0 == enemy) || self.lurks(*p))
            .collect();
        targets.sort_by_key(|p| (self.defenders(*p).len(), *p));
        let Some(planet) = targets.first().copied().filter(|_| own > 0) else { return false };
        let mut troops = self.troops_aboard(war);
        troops.retain(|id| self.board.fits(id.kind(), planet));
        let defenders = self.defenders(planet);
        let guns = defenders.iter().filter(|k| matches!(k, Kind::PD | Kind::F)).count();
        let garrison = defenders.iter().filter(|k| k.is_troops()).count();
        let unknown = !self.view.known.contains_key(&Spotted::Planet(planet));
        let factors: u32 = war
            .iter()
            .flat_map(|f| self.board.ships(self.side, *f))
            .map(|id| self.board.figures(id).t)
            .sum();
        let bombs = (guns > 0 || unknown) && factors >= 3 && !self.is_terraformed(planet);
        // In a siege that nothing can break a few land at a time.
        let siege = troops.len() > 1 && self.threat(at) < own / 2;
        let enough = !troops.is_empty() && (troops.len() > garrison || siege);
        let lands = enough && (guns <= 1 || factors < 6);
        if !bombs && !lands {
            return guns > 0 && factors >= 3;
        }
        act.lines.push(if bombs { format!("K {planet} B") } else { format!("K {planet}") });
        if lands {
            self.land(planet, &troops, act);
        }
        act.urgency = act.urgency.max(70);
        // With troops or bombs to spare the group goes on in the next segment.
        lands || guns > 0
    }

    /// Whether enemy units were seen on a planet without a marker.
    fn lurks(&self, planet: Planet) -> bool {
        let seen = self.view.known.get(&Spotted::Planet(planet));
        self.board.marker(planet).is_none() && seen.is_some_and(|s| !s.units.is_empty())
    }

    /// Whether a campaign is won by holding a planet, and it is not held yet.
    fn is_goal(&self, planet: Planet) -> bool {
        let goals: &[Planet] = match self.side {
            Side::Terran => &HOMES,
            Side::Imperial => &TERRAN_CORE,
        };
        goals.contains(&planet) && self.board.control(planet) != Control::Held(self.side)
    }

    /// Troops take planets that a campaign is won by and nobody holds.
    fn occupy(&mut self, at: System, war: &[u8], act: &mut Activation) {
        let free =
            |p: &Planet| self.is_goal(*p) && self.board.marker(*p).is_none() && !self.lurks(*p);
        let Some(planet) = self.board.galaxy.planets(at).find(free) else { return };
        let fits = |id: &UnitId| self.board.fits(id.kind(), planet);
        let unit = self.troops_aboard(war).into_iter().find(fits);
        let Some(Place::Aboard(ship)) =
            unit.and_then(|id| self.board.units.get(&id)).map(|u| u.place)
        else {
            return;
        };
        act.lines.push(format!("U {ship} {planet}"));
        act.urgency = act.urgency.max(45);
        let cargo: Vec<UnitId> =
            self.board.aboard(UnitId { side: self.side, name: ship }).collect();
        for id in cargo {
            self.board.put(id, Place::Box(planet));
        }
    }

    fn is_terraformed(&self, planet: Planet) -> bool {
        super::ground::is_terraformed(&self.board, planet)
    }

    /// Types that are known to stand on a planet.
    fn defenders(&self, planet: Planet) -> Vec<Kind> {
        match self.view.known.get(&Spotted::Planet(planet)) {
            Some(s) => s.units.iter().map(|u| u.kind).filter(|k| *k != Kind::M).collect(),
            None if self.board.marker(planet).is_some_and(|m| m.1 == Marker::World) => {
                vec![Kind::PD, Kind::RT]
            }
            None => Vec::new(),
        }
    }

    /// Where troops land: among the defenders if they may, else next to them and in; defenders
    /// without orders stand in the first hexes.
    fn land(&mut self, planet: Planet, troops: &[UnitId], act: &mut Activation) {
        let hexes = self.board.hexes(planet);
        let disputed = self.board.disputed().contains(&planet);
        let count = u8::try_from(self.defenders(planet).len()).unwrap_or(hexes).min(hexes);
        let mut used: BTreeMap<u8, usize> = BTreeMap::new();
        for (n, id) in troops.iter().enumerate() {
            let drops = matches!(
                self.board.units.get(id).map(|u| u.place),
                Some(Place::Aboard(carrier)) if carrier.kind == Kind::AT
            ) && id.kind() == Kind::JT;
            // All together, five in a hex, and not where the planetary defence stands.
            let goal = count.saturating_sub(u8::try_from(n / 5).unwrap_or(0)).max(1);
            let free = |h: &u8| *h > count && used.get(h).copied().unwrap_or(0) < 5;
            let path = match (count, disputed) {
                // Whoever is there after all stands in the first hexes.
                (0, false) => vec![hexes],
                _ if drops => vec![goal],
                _ => {
                    let beside =
                        (1..=hexes).filter(free).find(|h| super::galaxy::hexes_touch(*h, goal));
                    match beside.or_else(|| (1..=hexes).find(free)) {
                        Some(h) if super::galaxy::hexes_touch(h, goal) => vec![h, goal],
                        Some(h) => vec![h],
                        None => continue,
                    }
                }
            };
            *used.entry(path[0]).or_default() += 1;
            let path: Vec<String> = path.iter().map(u8::to_string).collect();
            act.lines.push(format!("H {} {}", id.name, path.join(" ")));
        }
    }

    /// Troops on a disputed planet look for enemies in the next hexes.
    fn search(&mut self, planet: Planet, act: &mut Activation) {
        let hexes = self.board.hexes(planet);
        let units: Vec<(UnitId, u8)> = super::ground::on_hexes(&self.board, planet, self.side);
        let fought = self.fought(planet);
        for (id, hex) in units.into_iter().filter(|(id, _)| id.kind().is_troops()) {
            if fought.contains(&hex) {
                continue;
            }
            let near: Vec<u8> =
                (1..=hexes).filter(|h| super::galaxy::hexes_touch(hex, *h)).collect();
            if near.is_empty() {
                continue;
            }
            // There are six at most.
            let n = self.dice.below("search", near.len() as u32) as usize;
            act.lines.push(format!("H {} {}", id.name, near[n]));
        }
    }

    /// Hexes in which there was fighting in the last step.
    fn fought(&self, planet: Planet) -> BTreeSet<u8> {
        let mut hexes = BTreeSet::new();
        for event in &self.view.events {
            if let super::event::What::Ground(story) = &event.what
                && story.planet == planet
            {
                hexes.extend(story.fights.iter().map(|f| f.hex));
            }
        }
        hexes
    }

    /// Troops go aboard transports of a war group, one stays on each planet with a marker.
    fn load(&mut self, at: System, war: &[u8], act: &mut Activation) {
        if self.peace() {
            return;
        }
        let planets: Vec<Planet> = self.board.galaxy.planets(at).collect();
        let mut spare: Vec<UnitId> = Vec::new();
        for planet in planets {
            if self.board.control(planet) != Control::Held(self.side) {
                continue;
            }
            let mut troops: Vec<UnitId> = self
                .board
                .at(self.side, Place::Box(planet))
                .filter(|id| id.kind().is_troops())
                .collect();
            troops.sort_by_key(|id| std::cmp::Reverse(self.board.ground_dice(*id)));
            let keep = usize::from(self.board.marker(planet).is_some_and(|m| m.1 == Marker::World));
            troops.truncate(troops.len().saturating_sub(keep));
            troops.retain(|id| self.board.units.get(id).is_some_and(|u| !u.damaged && !u.moved));
            spare.extend(troops);
        }
        // Jump troops go aboard attack transports first.
        spare.sort_by_key(|id| {
            (id.kind() != Kind::JT, std::cmp::Reverse(self.board.ground_dice(*id)))
        });
        for id in spare {
            let ships: Vec<UnitId> =
                war.iter().flat_map(|f| self.board.ships(self.side, *f)).collect();
            let mut empty: Vec<UnitId> = ships
                .into_iter()
                .filter(|s| {
                    matches!(s.kind(), Kind::AT | Kind::TR) && self.board.has_berth(*s, id.kind())
                })
                .collect();
            empty.sort_by_key(|s| ((s.kind() == Kind::AT) != (id.kind() == Kind::JT), s.name));
            let Some(ship) = empty.first() else { continue };
            act.lines.push(format!("L {} {}", ship.name, id.name));
            self.board.put(id, Place::Aboard(ship.name));
        }
    }

    /// Scouts look at enemy systems that are not known, or not of late.
    fn scouts(&mut self, at: System, fleets: &[u8], act: &mut Activation) {
        if self.peace() || self.board.court.talks {
            return;
        }
        for fleet in fleets {
            if !self.is_scouts(*fleet) {
                continue;
            }
            let far = self.board.galaxy.jumps([at], |_| true);
            let near = |s: System| far.get(usize::from(s.0) - 1).copied().flatten();
            let jumps = self.board.slowest(self.side, *fleet).map_or(0, |s| s.1);
            let mut goals: Vec<System> = self
                .board
                .galaxy
                .all()
                .filter(|s| {
                    self.board.occupied(self.enemy(), *s)
                        && !self.scouted.contains(s)
                        && near(*s).is_some_and(|d| d > 0 && d <= jumps)
                        && self.staleness(*s) > 0
                })
                .collect();
            goals.sort_by_key(|s| (std::cmp::Reverse(self.staleness(*s)), near(*s), *s));
            let Some(goal) = goals.first().copied() else { continue };
            self.scouted.insert(goal);
            act.lines.push(format!("M {fleet} {goal}"));
            act.urgency = act.urgency.max(20);
            self.go(&[*fleet], goal);
        }
    }

    /// Turns since a system of the enemy was seen, more for fleets.
    fn staleness(&self, at: System) -> u32 {
        let age = |s: Option<&super::state::Sighting>| {
            s.map_or(8, |s| self.view.clock.saturating_sub(s.turn))
        };
        let fleets: u32 = odds::enemies(&self.board, self.view, at).map(|(_, s)| 2 * age(s)).sum();
        let enemy = self.enemy();
        let held = self
            .board
            .galaxy
            .planets(at)
            .filter(|p| self.board.marker(*p).is_some_and(|m| m.0 == enemy));
        fleets + held.map(|p| age(self.view.known.get(&Spotted::Planet(p)))).sum::<u32>()
    }

    /// Transports bring Outposts to free planets, and come home.
    fn carriers(&mut self, at: System, (fleets, war): (&[u8], &[u8]), act: &mut Activation) {
        for fleet in fleets {
            let waits = self.is_war(*fleet) || self.is_scouts(*fleet) || !self.unmoved(*fleet);
            if waits || war.contains(fleet) {
                continue;
            }
            let ships: Vec<UnitId> = self.board.ships(self.side, *fleet).collect();
            let loaded: Vec<UnitId> = ships
                .iter()
                .copied()
                .filter(|s| self.board.aboard(*s).any(|c| c.kind() == Kind::OP))
                .collect();
            if !loaded.is_empty() {
                let free = self.free_planets();
                let from = self.board.galaxy.jumps([at], |s| !self.board.occupied(self.enemy(), s));
                let near = |s: System| from.get(usize::from(s.0) - 1).copied().flatten();
                let mut free: Vec<Planet> =
                    free.into_iter().filter(|p| near(p.system).is_some()).collect();
                free.sort_by_key(|p| (near(p.system), *p));
                // Each Outpost goes its own way.
                let mut parts = loaded.iter().copied().peekable();
                while let Some(ship) = parts.next() {
                    let Some(planet) = free.iter().copied().find(|p| !self.taken.contains(p))
                    else {
                        break;
                    };
                    let alone = parts.peek().is_none() && loaded.len() == ships.len();
                    let number =
                        if alone { Some(*fleet) } else { self.board.free_fleet(self.side) };
                    let Some(number) = number.filter(|_| planet.system != at) else { continue };
                    self.taken.insert(planet);
                    if !alone {
                        act.lines.push(format!("D {fleet} {number} {}", ship.name));
                        self.board.fleets.insert((self.side, number), Spot::System(at));
                        self.board.put(ship, Place::Fleet(number));
                    }
                    self.walk(&[number], at, planet.system, act, 25);
                }
                continue;
            }
            // Troops wait for a group, the empty go where Outposts and troops arrive.
            let home = self.home();
            let rally = self.rally();
            let to = if self.troops_aboard(&[*fleet]).is_empty() { home } else { rally.or(home) };
            if let Some(to) = to.filter(|to| *to != at) {
                self.walk(&[*fleet], at, to, act, 8);
            }
        }
    }

    /// The World where one's arrivals gather.
    fn home(&self) -> Option<System> {
        let worlds = self.board.held(self.side, Marker::World);
        let first = match self.side {
            Side::Terran => worlds.iter().find(|p| **p == SOL),
            Side::Imperial => worlds.iter().find(|p| HOMES.contains(p)),
        };
        first.or(worlds.first()).map(|p| p.system)
    }

    /// Where the strongest group is.
    fn rally(&self) -> Option<System> {
        let mut best: Option<(i64, System)> = None;
        for system in self.board.galaxy.all() {
            let fleets = self.board.fleets_in(self.side, system);
            let worth: i64 = fleets.map(|f| self.fleet_worth(f)).sum();
            if worth > 0 && best.is_none_or(|(w, _)| worth > w) {
                best = Some((worth, system));
            }
        }
        best.map(|b| b.1)
    }

    /// Moves fleets towards a goal over systems without enemies, as far as they come.
    fn walk(
        &mut self,
        fleets: &[u8],
        from: System,
        to: System,
        act: &mut Activation,
        urgency: i64,
    ) {
        let jumps = fleets.iter().filter_map(|f| self.board.slowest(self.side, *f)).map(|s| s.1);
        let Some(jumps) = jumps.min() else { return };
        let closed = |s: System| self.board.occupied(self.enemy(), s);
        let far = self.board.galaxy.jumps([to], |s| s == from || !closed(s));
        let left = |s: System| far.get(usize::from(s.0) - 1).copied().flatten();
        let mut at = from;
        let mut path = Vec::new();
        while path.len() < jumps as usize && at != to {
            let Some(here) = left(at) else { break };
            let next = self.board.galaxy.near(at).find(|n| left(*n).is_some_and(|d| d + 1 == here));
            let Some(next) = next.filter(|n| !closed(*n)) else { break };
            path.push(next.to_string());
            at = next;
        }
        if path.is_empty() {
            return;
        }
        let numbers: Vec<String> = fleets.iter().map(u8::to_string).collect();
        act.lines.push(format!("M {} {}", numbers.join("+"), path.join(" ")));
        act.urgency = act.urgency.max(urgency);
        self.go(fleets, at);
    }

    fn go(&mut self, fleets: &[u8], to: System) {
        for fleet in fleets {
            self.board.fleets.insert((self.side, *fleet), Spot::System(to));
            let ships: Vec<UnitId> = self.board.ships(self.side, *fleet).collect();
            for id in ships {
                if let Some(unit) = self.board.units.get_mut(&id) {
                    unit.moved = true;
                }
            }
        }
    }

    // --- groups ---

    /// Where a war group goes: to what it can take, to what it must hold, to the others.
    fn group(&mut self, at: System, war: &[u8], act: &mut Activation) {
        let own: i64 = war.iter().map(|f| self.fleet_worth(*f)).sum();
        let jumps = war.iter().filter_map(|f| self.board.slowest(self.side, *f)).map(|s| s.1).min();
        let Some(jumps) = jumps.filter(|j| *j > 0) else { return };
        let far = self.board.galaxy.jumps([at], |_| true);
        let near = |s: System| far.get(usize::from(s.0) - 1).copied().flatten().map(i64::from);
        let troops = self.troops_aboard(war).len();
        let mut options: Vec<(i64, System)> = Vec::new();
        for goal in self.board.galaxy.all() {
            let Some(d) = near(goal) else { continue };
            let mut score = self.value(goal, own, troops, war);
            if score <= 0 {
                continue;
            }
            let moves = (d + i64::from(jumps) - 1) / i64::from(jumps).max(1);
            score -= 2 * moves + d;
            if let Some(sent) = self.aimed.get(&goal).filter(|_| goal != at) {
                score -= sent / 4;
            }
            if score > 0 {
                options.push((score, goal));
            }
        }
        options.sort_by_key(|(score, goal)| (std::cmp::Reverse(*score), *goal));
        let second = options.len() > 1 && self.dice.below("second best", 1000) < self.mind.blunders;
        let chosen = options.get(usize::from(second)).copied();
        let Some((score, goal)) = chosen else {
            // Too weak for anything: to the others.
            let rally = self.rally().filter(|r| *r != at);
            if let Some(rally) = rally.filter(|_| self.guard(at) == 0) {
                self.walk(war, at, rally, act, 10);
            }
            return;
        };
        if goal == at {
            return;
        }
        *self.aimed.entry(goal).or_default() += own;
        self.strike(at, war, goal, score, act);
    }

    /// Moves a group to its goal, or towards it as far as is safe.
    fn strike(&mut self, at: System, war: &[u8], goal: System, score: i64, act: &mut Activation) {
        let jumps = war.iter().filter_map(|f| self.board.slowest(self.side, *f)).map(|s| s.1).min();
        let Some(jumps) = jumps else { return };
        let closed = |s: System| s != goal && self.board.occupied(self.enemy(), s);
        let from_goal = self.board.galaxy.jumps([goal], |s| s == at || !closed(s));
        let direct = from_goal.get(usize::from(at.0) - 1).copied().flatten();
        let Some(direct) = direct else {
            // The way leads over other enemy systems: the first of them is met on it.
            if self.peace() || self.board.court.talks {
                return;
            }
            if let Some(path) = self.board.galaxy.path(at, goal) {
                let next = path.iter().copied().find(|s| self.board.occupied(self.enemy(), *s));
                if let Some(next) = next.filter(|n| *n != goal) {
                    let own: i64 = war.iter().map(|f| self.fleet_worth(*f)).sum();
                    if 100 * own >= self.mind.odds * self.enemy_worth(next) {
                        self.strike(at, war, next, score, act);
                    }
                }
            }
            return;
        };
        let numbers: Vec<String> = war.iter().map(u8::to_string).collect();
        let urgency = 35 + score.clamp(0, 20);
        if direct <= jumps {
            let fight = if self.board.occupied(self.enemy(), goal) { "!" } else { "" };
            let mut path = Vec::new();
            let mut here = at;
            while here != goal {
                let left = |s: System| from_goal.get(usize::from(s.0) - 1).copied().flatten();
                let now = left(here).unwrap_or(0);
                let next =
                    self.board.galaxy.near(here).find(|n| left(*n).is_some_and(|d| d + 1 == now));
                let Some(next) = next else { return };
                path.push(next.to_string());
                here = next;
            }
            act.lines.push(format!("M {} {}{fight}", numbers.join("+"), path.join(" ")));
            act.urgency = act.urgency.max(urgency);
            self.go(war, goal);
            return;
        }
        // Up to the last safe system before it.
        self.walk(war, at, goal, act, urgency - 10);
    }

    /// What a goal is worth to a group; 0: nothing, or it is too dangerous.
    fn value(&mut self, goal: System, own: i64, troops: usize, war: &[u8]) -> i64 {
        let enemy = self.enemy();
        let guard = self.guard(goal);
        if self.peace() || self.board.court.talks {
            // Nobody enters systems with enemies.
            let enemies = self.board.occupied(enemy, goal) || self.enemy_worth(goal) > 0;
            return if enemies { 0 } else { guard };
        }
        let ships = self.enemy_worth(goal);
        let present = self.board.fleets_in(enemy, goal).next().is_some();
        let mut value = guard;
        for planet in self.board.galaxy.planets(goal) {
            match self.board.marker(planet) {
                Some((side, marker)) if side == enemy => {
                    let prize = if marker == Marker::World { 45 } else { 24 };
                    let fits = |id: &UnitId| self.board.fits(id.kind(), planet);
                    let able = self.troops_aboard(war).iter().filter(|id| fits(id)).count();
                    let garrison = self.defenders(planet);
                    let troops = garrison.iter().filter(|k| k.is_troops()).count();
                    value += match able {
                        0 => prize / 6,
                        n if n > troops => prize - 2 * i64::try_from(garrison.len()).unwrap_or(0),
                        _ => prize / 3,
                    };
                }
                Some(_) if present => value += 12,
                None if self.is_goal(planet) || self.lurks(planet) => {
                    let fits = |id: &UnitId| self.board.fits(id.kind(), planet);
                    let able = self.troops_aboard(war).iter().any(fits);
                    let prize = if self.is_goal(planet) { 30 } else { 9 };
                    value += if able { prize } else { prize / 6 };
                }
                _ => {}
            }
        }
        let _ = troops;
        if present {
            value += (ships / 2).min(16);
        }
        if value == 0 || !present && value == guard {
            return value;
        }
        let against = ships + self.ground_worth(goal) / 2;
        if 100 * own < self.odds_now() * against {
            return 0;
        }
        if self.mind.tries && present {
            let mut paper = Paper::of(self.view);
            let board = &self.board;
            if let Some(odds) = paper.battle(board, self.view, war, goal, TRIALS)
                && odds.wins < 60
            {
                return 0;
            }
        }
        if self.mind.reply {
            let reply = self.threat(goal);
            if 100 * reply > 160 * own {
                value -= 5;
            }
        }
        value.max(0)
    }

    /// Near the end of a war it risks more when Glory is against it, and less when it is not.
    fn odds_now(&self) -> i64 {
        let ahead = match self.side {
            Side::Terran => 5 - self.view.glory,
            Side::Imperial => self.view.glory - 5,
        };
        // War after war a campaign is decided by who dares.
        let wars = i64::from(self.view.war.saturating_sub(1));
        let least = if wars > 12 { 40 } else { 85 };
        let odds = (self.mind.odds - 8 * wars).max(least);
        let late = self.view.turn >= 6;
        match (late, ahead) {
            (true, 2..) if self.view.war == 1 => odds + 60,
            (true, ..=-1) => odds - 25,
            _ => odds,
        }
    }

    /// What it is worth to stand in a system of one's own that the enemy threatens.
    fn guard(&self, at: System) -> i64 {
        let mut worth = 0;
        for planet in self.board.galaxy.planets(at) {
            if let Some((side, marker)) = self.board.marker(planet)
                && side == self.side
            {
                worth += if marker == Marker::World { 12 } else { 2 };
            }
        }
        if worth == 0 {
            return 0;
        }
        let threat = self.threat(at) / 2 + self.enemy_worth(at);
        let fleets = self.board.fleets_in(self.side, at);
        let moved: i64 = fleets.filter(|f| !self.unmoved(*f)).map(|f| self.fleet_worth(f)).sum();
        let monitors: i64 = self
            .board
            .monitors(self.side, at)
            .map(|id| i64::from(self.board.worth(id)) * 3 / 2)
            .sum();
        if threat > moved + monitors + 5 { worth } else { 0 }
    }
}

fn self_turn(view: &View) -> u32 {
    view.clock + 1
}
