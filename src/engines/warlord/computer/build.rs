//! What the cities build, and what goes into research and spies.

use std::collections::BTreeSet;

use super::super::state::{ARTILLERY, BOMBER, Centre, FIGHTER, INFANTRY, TANK, TRANSPORT, TRUCK};
use super::super::tables::Class;
use super::Brain;
use engine::geometry::Place;

/// Regiments of infantry in a city from which on it builds something heavier.
const INFANTRY_ENOUGH: u32 = 25;

impl Brain<'_> {
    pub fn build(&mut self) {
        self.levels();
        let heavy = self.rearm();
        let mut running = self.running();
        let income = self.view.power.income;
        let mut cities: Vec<(u32, u16, Place)> = self
            .power
            .cities
            .iter()
            .map(|(n, c)| (u32::MAX - self.threats.get(n).copied().unwrap_or(0), *n, c.at))
            .collect();
        cities.sort_unstable();
        for (_, number, at) in cities {
            for centre in 0..3 {
                let rich = self.purse > income * 3 + 1500;
                if self.power.cities[&number].centres[centre] != Centre::Idle
                    || (running + 100 > income.max(300) && !rich)
                {
                    continue;
                }
                let item = match heavy.contains(&number) {
                    true => self.heavy_choice(number),
                    false => self.choice(number, at, rich),
                };
                let row = self.view.tables.row(item);
                let (cost, turns) = (row.pp * 100, i64::from(row.turns.max(1)));
                if cost > self.purse {
                    continue;
                }
                self.purse -= cost;
                running += cost / turns;
                self.say(format!("C {number} {item}"));
                if let Some(city) = self.power.cities.get_mut(&number) {
                    city.centres[centre] = Centre::Ready(item);
                }
            }
        }
        self.research(income);
    }

    /// Walls: the first level costs nothing, more where an enemy is near.
    fn levels(&mut self) {
        let cities: Vec<u16> = self.power.cities.keys().copied().collect();
        for number in cities {
            let city = &self.power.cities[&number];
            let planned = super::super::desk::planned_level(city);
            let threat = self.threats.get(&number).copied().unwrap_or(0);
            let cost = i64::from(planned) * self.view.tables.rules.economy.level_cost * 100;
            let wanted = planned == 0 || (threat > 5 && planned < 5);
            let idle = city.centres.iter().position(|c| *c == Centre::Idle);
            let (Some(centre), true) = (idle, wanted && cost <= self.purse) else { continue };
            self.purse -= cost;
            self.say(format!("C {number} 21"));
            if let Some(city) = self.power.cities.get_mut(&number) {
                city.centres[centre] = Centre::Working { item: 21, left: 1, spent: cost };
            }
        }
    }

    /// Where more infantry stands than is of use, a centre that has just delivered
    /// some is freed for heavier things; gives those cities.
    fn rearm(&mut self) -> BTreeSet<u16> {
        let mut heavy = BTreeSet::new();
        let cities: Vec<(u16, Place)> = self.power.cities.iter().map(|(n, c)| (*n, c.at)).collect();
        for (number, at) in cities {
            let here = self.power.units.values().filter(|u| u.at == at && u.kind == INFANTRY);
            let regiments: u32 = here.map(|u| u32::from(u.size)).sum();
            let threat = self.threats.get(&number).copied().unwrap_or(0);
            if regiments < INFANTRY_ENOUGH + threat {
                continue;
            }
            let Some(city) = self.power.cities.get_mut(&number) else { continue };
            let ready = city.centres.iter().position(|c| *c == Centre::Ready(INFANTRY));
            if let Some(centre) = ready {
                city.centres[centre] = Centre::Idle;
                self.say(format!("C {number} {}", 31 + centre));
                heavy.insert(number);
            }
        }
        heavy
    }

    /// What breaks a garrison that infantry alone does not.
    fn heavy_choice(&mut self, city: u16) -> u8 {
        // Place: city.
        match self.dice.at([city.into()]).below("what heavy thing to build", 10) {
            0..5 => BOMBER,
            5..7 => FIGHTER,
            7..9 => TANK,
            _ => ARTILLERY,
        }
    }

    /// Hundredths of PP a turn that running production costs.
    fn running(&self) -> i64 {
        let centres = self.power.cities.values().flat_map(|c| c.centres.iter());
        let cost = |c: &Centre| match c {
            Centre::Ready(item @ 1..=20) | Centre::Working { item: item @ 1..=20, .. } => {
                let row = self.view.tables.row(*item);
                row.pp * 100 / i64::from(row.turns.max(1))
            }
            _ => 0,
        };
        centres.map(cost).sum()
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
        let planes: u32 = self.power.cities.values().map(|c| u32::from(c.fighters)).sum();
        let threatened = self.threats.get(&number).copied().unwrap_or(0) > 4;
        let coastal = self.view.is_coastal(at);
        if threatened {
            return if roll < 80 { INFANTRY } else { ARTILLERY };
        }
        if coastal && self.wants_ships() && count(TRANSPORT) < 2 {
            return TRANSPORT;
        }
        match roll {
            0..8 if count(TRUCK) < 2 + cities / 2 && self.view.turn < 30 => TRUCK,
            8..14 if planes < 2 + cities => FIGHTER,
            // Bombers wear garrisons down that divisions alone do not beat.
            14..44 if self.view.turn > 10 => BOMBER,
            44..60 if rich => TANK,
            60..66 if self.view.turn > 15 => ARTILLERY,
            _ => INFANTRY,
        }
    }

    /// Research gets what is over; a spy looks at a neighbour now and then.
    fn research(&mut self, income: i64) {
        let spare = self.purse / 100;
        if self.view.turn % 6 == u32::from(self.view.seat) % 6 && spare > 6 {
            let met: Vec<u8> = self.view.power.met.keys().copied().collect();
            let strangers = met.into_iter().filter(|p| !self.power.allies.contains(p));
            let strangers: Vec<u8> = strangers.collect();
            if !strangers.is_empty() {
                let dice = self.dice.at([]);
                let pick = dice.below("whom to spy on", strangers.len() as u32) as usize;
                let limit = self.view.tables.rules.economy.spy_limit * i64::from(self.power.tech);
                self.say(format!("I {} {}", strangers[pick], limit.min(4)));
                self.purse -= limit.min(4) * 100;
            }
        }
        let level_max = self.view.tables.rules.research.tech_max;
        let amount = (income / 1000).min(self.purse / 100).min(10);
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
