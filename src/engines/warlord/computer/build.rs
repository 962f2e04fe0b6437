//! What the cities build, and what goes into research and spies.

use super::super::state::{
    BATTERY, BOMBER, Centre, ENGINEER, FIGHTER, HEAVY_TANK, INFANTRY, JET, LEVEL, MECHANISED, TANK,
    TRANSPORT, TRUCK, WARHEAD,
};
use super::super::tables::Class;
use super::Brain;
use engine::geometry::Place;

/// Turns after which trucks and bombers make way for infantry, or come.
const TRUCK_TURNS: u32 = 20;
const BOMBER_TURN: u32 = 10;
/// Turns in which everything goes into infantry.
const FIGHTER_TURN: u32 = 3;
/// Sectors within which a foreign city makes a front.
const FRONT_RANGE: i32 = 8;
/// Hundredths of PP of income from which on more goes into research.
const RICH_INCOME: i64 = 2000;

impl Brain<'_> {
    pub fn build(&mut self) {
        self.levels();
        self.arm();
        self.research();
        let mut cities: Vec<(u32, u16, Place)> = self
            .power
            .cities
            .iter()
            .map(|(n, c)| (u32::MAX - self.threats.get(n).copied().unwrap_or(0), *n, c.at))
            .collect();
        cities.sort_unstable();
        for (_, number, at) in cities {
            for centre in 0..3 {
                self.occupy(number, centre, at);
            }
        }
    }

    /// Chooses anew what a centre that is not at work does next.
    fn occupy(&mut self, number: u16, centre: usize, at: Place) {
        let next = match self.power.cities[&number].centres[centre] {
            Centre::Idle => None,
            Centre::Ready(item) => Some(item),
            Centre::Working { .. } => return,
        };
        if self.purse < 100 {
            return;
        }
        let rich = self.purse > self.view.power.income * 3 / 2;
        let item = self.choice(number, at, rich);
        let cost = self.view.tables.row(item).pp * 100;
        let item = if cost > self.purse { INFANTRY } else { item };
        if next == Some(item) {
            // It begins anew by itself.
            self.spend(number, centre, item);
            return;
        }
        if self.free_centre(number) != Some(centre) {
            self.say(format!("C {number} {}", 31 + centre));
        }
        self.order(number, centre, item);
    }

    /// The centre that an order takes where none is halted: the first idle one, else the
    /// first that is ready.
    pub fn free_centre(&self, number: u16) -> Option<usize> {
        let centres = &self.power.cities.get(&number)?.centres;
        let idle = centres.iter().position(|c| *c == Centre::Idle);
        idle.or_else(|| centres.iter().position(|c| matches!(c, Centre::Ready(_))))
    }

    /// Orders an item at the centre that is free.
    pub fn order(&mut self, number: u16, centre: usize, item: u8) {
        self.say(format!("C {number} {item}"));
        self.spend(number, centre, item);
    }

    /// Notes that a centre is paid and at work.
    pub fn spend(&mut self, number: u16, centre: usize, item: u8) {
        let row = self.view.tables.row(item);
        let (left, spent) = (row.turns, row.pp * 100);
        self.purse -= spent;
        self.set(number, centre, Centre::Working { item, left, spent });
    }

    /// Walls: the first level costs nothing, more where an enemy is near.
    fn levels(&mut self) {
        let cities: Vec<u16> = self.power.cities.keys().copied().collect();
        for number in cities {
            let city = &self.power.cities[&number];
            let planned = super::super::desk::planned_level(city);
            let threat = self.threats.get(&number).copied().unwrap_or(0);
            let cost = i64::from(planned) * self.view.tables.rules.economy.level_cost * 100;
            let rich = self.purse > 2 * self.view.power.income;
            let front = threat > 5 || rich && self.enemy_near(city.at, FRONT_RANGE);
            let wanted = planned == 0 || front && planned < self.level.walls;
            let free = |i: &usize| rich || city.centres[*i] == Centre::Idle;
            let centre = self.free_centre(number).filter(free);
            let (Some(centre), true) = (centre, wanted && cost <= self.purse) else { continue };
            self.purse -= cost;
            self.say(format!("C {number} {LEVEL}"));
            self.set(number, centre, Centre::Working { item: LEVEL, left: 1, spent: cost });
        }
    }

    fn choice(&mut self, number: u16, at: Place, rich: bool) -> u8 {
        // Place: city.
        let roll = self.dice.at([number.into()]).below("what to build", 100);
        let count = |kind: u8| -> u32 {
            let centres = self.power.cities.values().flat_map(|c| c.centres.iter());
            let coming = centres.filter(
                |c| matches!(c, Centre::Ready(i) | Centre::Working { item: i, .. } if *i == kind),
            );
            let units = self.power.units.values().filter(|u| u.kind == kind);
            units.map(|u| u32::from(u.size)).sum::<u32>() + coming.count() as u32
        };
        let cities = self.power.cities.len() as u32;
        let (mut cover, mut bombers) = (count(FIGHTER) + count(JET), count(BOMBER));
        for city in self.power.cities.values() {
            cover += u32::from(city.hangar.planes.cover());
            bombers += u32::from(city.hangar.planes.bombers);
        }
        let has = |kind: u8| self.view.tables.row(kind).tech <= self.power.tech;
        let turn = self.view.turn;
        if self.threats.get(&number).copied().unwrap_or(0) > 4 {
            return INFANTRY;
        }
        if self.struck.contains(&at) && rich && has(BATTERY) && !self.has_battery(at) {
            return BATTERY;
        }
        let coastal = self.view.is_coastal(at);
        if coastal && self.level.landings > 0 && self.wants_ships() {
            if count(TRANSPORT) < 2 {
                return TRANSPORT;
            }
            if let Some(ship) = self.missing_escort(&count).filter(|_| rich) {
                return ship;
            }
        }
        let (most_cover, most_bombers) = (
            self.level.fighters + cities * self.level.fighters / 4,
            cities * self.level.bombers / 4,
        );
        match roll {
            0..6 if count(TRUCK) < 2 + cities / 2 && turn < TRUCK_TURNS => TRUCK,
            6..12 if rich && self.wants_engineers(count(ENGINEER)) => ENGINEER,
            _ if cover < most_cover && rich && has(JET) => JET,
            _ if cover < most_cover && turn > FIGHTER_TURN => FIGHTER,
            _ if bombers < most_bombers && rich && turn > BOMBER_TURN => BOMBER,
            n if n >= 40 && n < 40 + self.level.tanks && rich => {
                [HEAVY_TANK, MECHANISED].into_iter().find(|k| has(*k)).unwrap_or(TANK)
            }
            _ => INFANTRY,
        }
    }

    /// Whether batteries stand in a city, or are under construction there.
    fn has_battery(&self, at: Place) -> bool {
        let working = |c: &Centre| matches!(c, Centre::Working { item: BATTERY, .. });
        let builds = self.power.city_at(at).is_some_and(|(_, c)| c.centres.iter().any(working));
        builds || self.power.units.values().any(|u| u.kind == BATTERY && u.at == at)
    }

    /// Research is paid steadily; a spy looks at a neighbour now and then.
    fn research(&mut self) {
        let income = self.view.power.income;
        let spare = self.purse / 100;
        if self.view.turn % 6 == u32::from(self.view.seat) % 6 && spare > 6 {
            let met: Vec<u8> = self.view.power.met.keys().copied().collect();
            let strangers = met.into_iter().filter(|p| !self.power.allies.contains(p));
            let strangers: Vec<u8> = strangers.collect();
            if !strangers.is_empty() {
                let dice = self.dice.at([]);
                let pick = dice.below("whom to spy on", strangers.len() as u32) as usize;
                let limit = self.view.tables.rules.economy.spy_limit * i64::from(self.power.tech);
                let pay = limit.min(2);
                self.say(format!("I {} {pay}", strangers[pick]));
                self.purse -= pay * 100;
            }
        }
        let quiet = self.threats.values().all(|t| *t == 0);
        let rich = income >= RICH_INCOME || quiet && self.view.turn > 20;
        let percent = if rich { self.level.research_rich } else { self.level.research };
        // Parts of a PP are saved up: paid in full every few turns.
        let due = income * percent / 100 * i64::from(self.view.turn) / 100;
        let before = income * percent / 100 * i64::from(self.view.turn - 1) / 100;
        // What lies idle in the stock goes into research too, but for what the centres cost
        // in infantry, and weapons.
        let tables = &self.view.tables;
        let centres = 3 * self.power.cities.len() as i64 * tables.row(INFANTRY).pp * 100;
        let armed = self.power.tech >= tables.tech.gates.rockets;
        let weapons = if armed { tables.row(WARHEAD).pp * 100 } else { 0 };
        let kept = centres.max(income * self.level.stock / 100) + weapons;
        let idle = (self.purse - kept) / 100;
        let amount = (due - before).max(idle).min(self.purse / 100);
        let level_max = self.view.tables.rules.research.tech_max;
        if amount > 0 && self.view.turn > 8 && self.power.tech < level_max {
            self.say(format!("E {amount}"));
            self.purse -= amount * 100;
        }
    }

    /// Whether there is nothing left to take on the continents where it stands.
    pub fn wants_ships(&self) -> bool {
        let own: Vec<Option<u32>> =
            self.power.cities.values().map(|c| self.continent(c.at)).collect();
        let ashore = self.targets.values().any(|c| own.contains(&self.continent(c.at)));
        (!ashore || self.stuck) && self.view.turn > 5
    }

    /// Ships of a kind that can be ordered about: not busy, by number.
    pub fn idle_ships(&self) -> Vec<u16> {
        let ship =
            |u: &super::super::state::Unit| self.view.tables.row(u.kind).class == Class::Ship;
        let free = self.power.units.iter().filter(|(n, u)| ship(u) && !self.busy.contains(n));
        free.map(|(n, _)| *n).collect()
    }
}
