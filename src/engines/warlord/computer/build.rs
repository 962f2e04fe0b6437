//! What the cities build, and what goes into research and spies.

use super::super::state::{BOMBER, Centre, FIGHTER, INFANTRY, TANK, TRANSPORT, TRUCK};
use super::super::tables::Class;
use super::Brain;
use engine::geometry::Place;

/// Turns after which trucks and bombers make way for infantry, or come.
const TRUCK_TURNS: u32 = 20;
const BOMBER_TURN: u32 = 10;
/// Hundredths of PP of income from which on more goes into research.
const RICH_INCOME: i64 = 2000;

impl Brain<'_> {
    pub fn build(&mut self) {
        self.levels();
        self.research();
        self.arm();
        let income = self.view.power.income;
        // What runs on by itself is paid before anything new.
        self.purse -= self.restarts();
        let mut cities: Vec<(u32, u16, Place)> = self
            .power
            .cities
            .iter()
            .map(|(n, c)| (u32::MAX - self.threats.get(n).copied().unwrap_or(0), *n, c.at))
            .collect();
        cities.sort_unstable();
        for (_, number, at) in cities {
            for centre in 0..3 {
                if self.power.cities[&number].centres[centre] != Centre::Idle || self.purse < 100 {
                    continue;
                }
                let rich = self.purse > income * 3 / 2;
                let item = self.choice(number, at, rich);
                let cost = self.view.tables.row(item).pp * 100;
                let (item, cost) = if cost > self.purse { (INFANTRY, 100) } else { (item, cost) };
                self.purse -= cost;
                self.say(format!("C {number} {item}"));
                if let Some(city) = self.power.cities.get_mut(&number) {
                    city.centres[centre] = Centre::Ready(item);
                }
            }
        }
    }

    /// Hundredths of PP that centres ready to restart will take this turn.
    fn restarts(&self) -> i64 {
        let centres = self.power.cities.values().flat_map(|c| c.centres.iter());
        let cost = |c: &Centre| match c {
            Centre::Ready(item @ (1..=20 | 24..=26)) => self.view.tables.row(*item).pp * 100,
            _ => 0,
        };
        centres.map(cost).sum()
    }

    /// Walls: the first level costs nothing, more where an enemy is near.
    fn levels(&mut self) {
        let cities: Vec<u16> = self.power.cities.keys().copied().collect();
        for number in cities {
            let city = &self.power.cities[&number];
            let planned = super::super::desk::planned_level(city);
            let threat = self.threats.get(&number).copied().unwrap_or(0);
            let cost = i64::from(planned) * self.view.tables.rules.economy.level_cost * 100;
            let wanted = planned == 0 || (threat > 5 && planned < self.level.walls);
            let idle = city.centres.iter().position(|c| *c == Centre::Idle);
            let (Some(centre), true) = (idle, wanted && cost <= self.purse) else { continue };
            self.purse -= cost;
            self.say(format!("C {number} 21"));
            if let Some(city) = self.power.cities.get_mut(&number) {
                city.centres[centre] = Centre::Working { item: 21, left: 1, spent: cost };
            }
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
        let planes: u32 =
            self.power.cities.values().map(|c| u32::from(c.hangar.planes.fighters)).sum();
        let threatened = self.threats.get(&number).copied().unwrap_or(0) > 4;
        let coastal = self.view.is_coastal(at);
        if threatened {
            return INFANTRY;
        }
        if coastal && self.level.landings > 0 && self.wants_ships() && count(TRANSPORT) < 2 {
            return TRANSPORT;
        }
        let (fighters, bombers) = (self.level.fighters, self.level.bombers);
        match roll {
            0..6 if count(TRUCK) < 2 + cities / 2 && self.view.turn < TRUCK_TURNS => TRUCK,
            n if n < fighters + 6 && n >= 6 && planes < 2 + cities => FIGHTER,
            n if n >= 12 && n < 12 + bombers && self.view.turn > BOMBER_TURN => BOMBER,
            n if n >= 40 && n < 40 + self.level.tanks && rich => TANK,
            _ => INFANTRY,
        }
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
        let amount = (due - before).min(self.purse / 100);
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
