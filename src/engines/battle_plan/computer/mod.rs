//! Computer players: each sees only its view and writes its card in the lines that players use.
//!
//! A new plan is made each turn. It decides who is a friend (`politics`), attacks what looks weak
//! enough (`war`), moves everything idle towards the nearest front (`march`), and spends money and
//! builds (`money`). The numbers of a [`Mind`] decide how well it plays.

mod march;
mod money;
mod politics;
mod prize;
mod war;

use std::collections::{BTreeMap, BTreeSet};

use super::desk::Holding;
use super::map::{Map, SpaceId};
use super::mind::Mind;
use super::state::{Country, NOBODY};
use super::tables::usual_minds;
use super::variants::Ending;
use super::verbs::{Arm, UnitOrder, Verb};
use super::view::View;
use crate::BattlePlan;
use engine::graph::distances;
use engine::{CardText, Computers, Dice, Play, Seat, Strength};

impl Computers for BattlePlan {
    fn play(view: &View, _notes: &str, dice: &mut Dice) -> Play {
        play(view, dice).into()
    }
}

/// The turn of a Real Forces game after which computers seek peace with everybody.
const PEACE_AFTER: u32 = 16;

/// A plan under way.
struct Plan<'a> {
    view: &'a View,
    mind: &'a Mind,
    dice: &'a mut Dice,
    /// Units that have no order yet.
    free: BTreeMap<(SpaceId, Arm), i64>,
    orders: BTreeMap<SpaceId, Vec<UnitOrder<SpaceId>>>,
    player_orders: Vec<String>,
    /// Whole Dollars that are left.
    dollars: i64,
    spies: i64,
    /// Steps from each space to the nearest country that may be attacked.
    distance: Vec<u32>,
    attacked: BTreeSet<SpaceId>,
    /// Victory points that each space is worth.
    prizes: Vec<i64>,
    /// The player who is too far ahead, if any.
    leader: Option<u8>,
}

/// The card of a seat, played with the strength that the game gives it.
pub fn play(view: &View, dice: &mut Dice) -> CardText {
    let strength = Strength::of(&view.tables.computers, Seat(view.seat), Strength::Normal);
    match &view.tables.minds {
        Some(minds) => play_as(view, minds.of(strength), dice),
        None => play_as(view, usual_minds().of(strength), dice),
    }
}

/// The card of a seat that plays by the numbers of `mind`.
pub fn play_as(view: &View, mind: &Mind, dice: &mut Dice) -> CardText {
    if view.is_out() || view.over.is_some() {
        return CardText::default();
    }
    let mut free = BTreeMap::new();
    for (space, holding) in &view.position.holdings {
        for arm in [Arm::Army, Arm::Navy, Arm::Air, Arm::Missile, Arm::Antimissile] {
            free.insert((*space, arm), holding.stock(arm));
        }
    }
    let own = &view.position.player;
    let mut plan = Plan {
        view,
        mind,
        dice,
        free,
        orders: BTreeMap::new(),
        player_orders: Vec::new(),
        dollars: own.cents / 100,
        spies: own.spies / 100,
        distance: Vec::new(),
        attacked: BTreeSet::new(),
        prizes: prize::prizes(view),
        leader: None,
    };
    plan.leader = plan.who_leads();
    plan.distance = plan.distances();
    plan.attack();
    plan.advance();
    plan.declare();
    plan.spend();
    plan.set_builds();
    plan.card()
}

impl Plan<'_> {
    fn map(&self) -> &Map {
        &self.view.tables.map
    }

    fn me(&self) -> u8 {
        self.view.seat
    }

    /// The player who occupies a country; nobody for a sea.
    fn owner(&self, space: SpaceId) -> u8 {
        self.view.owners.get(usize::from(space.0)).copied().unwrap_or(NOBODY)
    }

    fn is_own(&self, space: SpaceId) -> bool {
        !self.map().is_sea(space) && self.owner(space) == self.me()
    }

    /// Whether the game has reached the part in which players make peace.
    fn peace(&self) -> bool {
        self.view.tables.variant.ending == Ending::Allies && self.view.turn > PEACE_AFTER
    }

    /// Whether attacks are allowed at all this turn.
    fn may_attack(&self) -> bool {
        !(self.view.tables.variant.peaceful_start && self.view.turn == 1)
    }

    /// Whether a country may be attacked: it is neither own nor a friend's.
    fn is_target(&self, space: SpaceId) -> bool {
        let owner = self.owner(space);
        !self.map().is_sea(space) && owner != self.me() && !self.is_friend(owner)
    }

    fn free(&self, space: SpaceId, arm: Arm) -> i64 {
        self.free.get(&(space, arm)).copied().unwrap_or(0)
    }

    /// Gives an order and takes the units for it.
    fn order(&mut self, from: SpaceId, verb: Verb, n: i64, target: Option<SpaceId>) {
        let arm = verb.arm();
        let n = n.min(self.free(from, arm));
        if n <= 0 {
            return;
        }
        if let Some(left) = self.free.get_mut(&(from, arm)) {
            *left -= n;
        }
        let list = self.orders.entry(from).or_default();
        match list.iter_mut().find(|d| d.verb == verb && d.target == target) {
            Some(same) => same.n += n,
            None => list.push(UnitOrder { verb, n, target }),
        }
    }

    /// Army, air force and antimissiles that probably defend a country.
    fn defence(&self, space: SpaceId) -> (i64, i64, i64) {
        if let Some(c) = self.view.seen.get(&space) {
            let grows = c.industry * self.mind.growth / 100 + 1;
            return (c.army + grows, c.air + c.air_down / 4 + grows / 2, c.antimissiles);
        }
        let turn = i64::from(self.view.turn);
        match self.owner(space) {
            NOBODY => {
                let row = self.map().row(space);
                let industry = row.i82.max(row.i39).max(6);
                (2 * industry + 2 * turn, industry + 2 * turn, 0)
            }
            _ => (60 + 8 * turn, 40 + 5 * turn, 0),
        }
    }

    /// Steps from each space to the nearest target, over own land and safe seas. If a player's
    /// country is next to an own one, only players' countries are targets.
    fn distances(&self) -> Vec<u32> {
        let map = self.map();
        let of_player = |s: &SpaceId| self.owner(*s) != NOBODY;
        let next_door = |s: SpaceId| map.neighbours(s).iter().any(|n| self.is_own(*n));
        let all = || map.countries().filter(|s| self.is_target(*s));
        let players = self.mind.to_players && all().filter(of_player).any(next_door);
        let targets = all().filter(|s| !players || of_player(s));
        let near = |space| map.neighbours(space).iter().copied();
        let passable = |_, next| self.is_own(next) || self.is_safe_sea(next);
        let steps = distances(map.len(), targets, near, passable);
        steps.into_iter().map(|s| s.unwrap_or(u32::MAX)).collect()
    }

    /// Whether the space is a sea where hostile ships and planes do not outnumber own ones, as far
    /// as is known.
    fn is_safe_sea(&self, space: SpaceId) -> bool {
        if !self.map().is_sea(space) {
            return false;
        }
        let Some(forces) = self.view.seas.get(&space) else { return true };
        let hostile: i64 =
            forces.iter().filter(|(s, _)| self.view.enemy(**s)).map(|(_, f)| f.navy + f.air).sum();
        let own = forces.get(&self.me()).map_or(0, |f| f.navy + f.air);
        hostile <= own
    }

    /// Writes the card.
    fn card(self) -> CardText {
        let map = &self.view.tables.map;
        let mut lines = Vec::new();
        if !self.player_orders.is_empty() {
            lines.push("@".to_owned());
            lines.extend(self.player_orders.chunks(10).map(|c| c.join(" ")));
        }
        for (space, orders) in &self.orders {
            let mut line = format!("@{}", map.code(*space));
            for order in orders {
                let code = order.target.map(|t| map.code(t).to_owned());
                line += &format!(" {}", order.map(code));
            }
            lines.push(line);
        }
        if lines.is_empty() {
            // A card without orders still shows that the player is there.
            lines.push("@".to_owned());
        }
        CardText::numbered(1, lines.iter().map(String::as_str))
    }

    fn own_countries(&self) -> Vec<(SpaceId, Country)> {
        let own = |(s, h): (&SpaceId, &Holding)| match h {
            Holding::Land(c) if !c.is_minor() => Some((*s, (**c).clone())),
            _ => None,
        };
        self.view.position.holdings.iter().filter_map(own).collect()
    }
}
