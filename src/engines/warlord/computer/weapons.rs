//! Missiles and warheads, built at home first and fired where they do most; defences and
//! satellite pictures.

use super::super::state::{Centre, City, MISSILE, NOBODY, SHIELD, WARHEAD};
use super::Brain;
use super::force::Force;
use engine::geometry::Place;

/// The turn before which infantry is worth more.
const ARMS_TURN: u32 = 15;
/// Regiments of a city that is worth a warhead.
const ATOMIC_REGIMENTS: u16 = 12;
/// Turns for which a garrison that was seen is believed to be there.
const FRESH: u32 = 6;

impl Brain<'_> {
    /// Orders missiles, and a warhead for one of them; stops what is enough.
    pub fn arm(&mut self) {
        if self.view.turn < ARMS_TURN {
            return;
        }
        let gates = &self.view.tables.tech.gates;
        let (rockets, atomic) = (gates.rockets, gates.atomic);
        let mut cities: Vec<u16> = self.power.cities.keys().copied().collect();
        // The home city first, as it is lost last.
        cities.sort_by_key(|n| (*n != u16::from(self.view.seat), *n));
        if self.power.tech >= atomic
            && let Some(home) = cities.first()
        {
            self.stockpile(WARHEAD, &[*home], self.level.warheads);
        }
        if self.power.tech >= rockets {
            let most = self.level.missiles * cities.len() as u16;
            self.stockpile(MISSILE, &cities, most);
        }
        if self.view.tables.row(SHIELD).tech <= self.power.tech {
            self.shield(&cities);
        }
        if self.power.tech >= gates.satellite {
            self.photograph();
        }
    }

    /// A missile defence for the first city without one, where there are PP to spare.
    fn shield(&mut self, cities: &[u16]) {
        let cost = self.view.tables.row(SHIELD).pp * 100;
        let working = |c: &Centre| matches!(c, Centre::Working { item: SHIELD, .. });
        let coming = self.power.cities.values().any(|c| c.centres.iter().any(working));
        let open = cities.iter().copied().find(|n| !self.power.cities[n].shield);
        let Some(number) = open.filter(|_| !coming) else { return };
        if cost + 2 * self.view.power.income > self.purse {
            return;
        }
        let centres = &self.power.cities[&number].centres;
        let idle = centres.iter().position(|c| *c == Centre::Idle);
        let ready = || centres.iter().position(|c| matches!(c, Centre::Ready(_)));
        if let Some(centre) = idle.or_else(ready) {
            self.purse -= cost;
            self.say(format!("C {number} {SHIELD}"));
            self.set(number, centre, Centre::Working { item: SHIELD, left: 3, spent: cost });
        }
    }

    /// A satellite picture of the main goal, where nobody has looked for long.
    fn photograph(&mut self) {
        let price = self.view.tables.rules.spying.satellite_pp;
        let goal = self.notes.aims.first().and_then(|n| self.targets.get(n));
        let unseen = goal.filter(|c| !self.notes.garrisons.contains_key(&c.number));
        let Some(at) = unseen.map(|c| c.at) else { return };
        if price * 100 + 2 * self.view.power.income <= self.purse {
            self.purse -= price * 100;
            let sector = self.sector(at);
            self.say(format!("I {sector} {price}"));
        }
    }

    /// Keeps one centre of each of these cities at an item until so many lie ready.
    fn stockpile(&mut self, item: u8, cities: &[u16], most: u16) {
        let lying = |c: &City| if item == MISSILE { c.hangar.missiles } else { c.hangar.warheads };
        let ready: u16 = self.power.cities.values().map(lying).sum();
        let cost = self.view.tables.row(item).pp * 100;
        let mut coming = 0;
        for &number in cities {
            let centres = self.power.cities[&number].centres;
            let works = |c: &Centre| matches!(c, Centre::Working { item: i, .. } if *i == item);
            let again = centres.iter().position(|c| *c == Centre::Ready(item));
            coming += u16::from(centres.iter().any(works));
            if ready + coming >= most {
                if let Some(centre) = again {
                    self.say(format!("C {number} {}", 31 + centre));
                    self.set(number, centre, Centre::Idle);
                }
                continue;
            }
            // What is next at a centre makes way.
            let free = centres.iter().position(|c| *c == Centre::Idle);
            let next = || centres.iter().position(|c| matches!(c, Centre::Ready(_)));
            let (Some(centre), false) = (again.or(free).or_else(next), centres.iter().any(works))
            else {
                continue;
            };
            if cost + self.view.power.income / 2 > self.purse {
                continue;
            }
            self.purse -= cost;
            coming += 1;
            if again.is_none() {
                self.say(format!("C {number} {item}"));
            }
            self.set(number, centre, Centre::Working { item, left: 2, spent: cost });
        }
    }

    /// Notes what a centre does from now on.
    pub fn set(&mut self, number: u16, centre: usize, to: Centre) {
        if let Some(city) = self.power.cities.get_mut(&number) {
            city.centres[centre] = to;
        }
    }

    /// Missiles on cities that are stormed now and on forces before own cities; a warhead
    /// on a large garrison of who leads or attacked, never near own ground.
    pub fn fire(&mut self) {
        let gates = &self.view.tables.tech.gates;
        let (rockets, atomic) = (gates.rockets, gates.atomic);
        if self.power.tech >= atomic {
            self.fire_warhead();
        }
        if self.power.tech < rockets {
            return;
        }
        let damage = self.view.tables.rules.missiles.damage;
        let mut wanted: Vec<(i64, Place, i64)> = Vec::new();
        for fight in self.fights.iter().filter(|f| f.turns <= 1) {
            if let Some(city) = self.targets.values().find(|c| c.at == fight.at) {
                let tough = self.garrison_in(city).defence / 1000;
                let walls = i64::from(city.seen.level) * damage / 2;
                wanted.push((fight.weight, fight.at, tough + walls));
            }
        }
        for s in self.view.spotted.iter().filter(|s| self.is_enemy(s)) {
            let near = |c: &City| self.view.grid.distance(c.at, s.at) <= 3;
            let city = self.view.cities.iter().any(|c| c.at == s.at);
            let tough = Force::seen(&self.view.tables, s).defence / 1000;
            if !city && tough >= damage && self.power.cities.values().any(near) {
                wanted.push((tough * 1000, s.at, tough));
            }
        }
        wanted.sort_unstable_by_key(|(worth, at, _)| (std::cmp::Reverse(*worth), *at));
        for (_, at, tough) in wanted {
            // Shelter takes a part of what falls.
            let enough = u16::try_from(tough * 5 / 4 / damage + 1).unwrap_or(u16::MAX);
            let ready = self.loose(at).min(enough);
            if ready > 0 && self.power.has_explored(at) {
                let sector = self.sector(at);
                self.say(format!("R {ready} {sector}"));
                self.spend_missiles(at, ready);
            }
        }
    }

    /// The damage that the missiles in reach of a place do to what stands there, in
    /// thousandths.
    pub fn salvo(&self, at: Place) -> i64 {
        if self.power.tech < self.view.tables.tech.gates.rockets || !self.power.has_explored(at) {
            return 0;
        }
        i64::from(self.loose(at)) * self.view.tables.rules.missiles.damage * 1000
    }

    /// Missiles that may fly to a place without a warhead: the nearest fly first, and
    /// one stays for each warhead that lies beside it.
    fn loose(&self, at: Place) -> u16 {
        let reach = self.view.tables.row(MISSILE).points as i32;
        let grid = self.view.grid;
        let mut bases: Vec<(i32, u16)> =
            self.power.cities.iter().map(|(n, c)| (grid.distance(c.at, at), *n)).collect();
        bases.retain(|(far, _)| *far <= reach);
        bases.sort_unstable();
        let mut loose = 0;
        for (_, base) in bases {
            let hangar = &self.power.cities[&base].hangar;
            loose += hangar.missiles.saturating_sub(hangar.warheads);
            if hangar.warheads > 0 {
                break;
            }
        }
        loose
    }

    /// Notes that the nearest missiles are gone.
    fn spend_missiles(&mut self, at: Place, mut number: u16) {
        let mut bases: Vec<(i32, u16)> = self
            .power
            .cities
            .iter()
            .map(|(n, c)| (self.view.grid.distance(c.at, at), *n))
            .collect();
        bases.sort_unstable();
        for (_, base) in bases {
            let Some(city) = self.power.cities.get_mut(&base) else { continue };
            let fired = city.hangar.missiles.min(number);
            city.hangar.missiles -= fired;
            number -= fired;
        }
    }

    fn fire_warhead(&mut self) {
        let radius = self.view.tables.rules.missiles.atomic_radius;
        let grid = self.view.grid;
        let near_own = |at: Place| {
            let near = |p: Place| grid.distance(p, at) <= radius + 1;
            self.power.units.values().any(|u| near(u.at))
                || self.power.cities.values().any(|c| near(c.at))
        };
        let guilty = |owner: u8| {
            owner != NOBODY
                && (self.leader == Some(owner) || self.notes.attacks.contains_key(&owner))
        };
        let goals = self.targets.values().filter(|c| {
            c.seen.owner.is_some_and(guilty)
                && self.regiments_at(c.at) >= ATOMIC_REGIMENTS
                && self
                    .notes
                    .garrisons
                    .get(&c.number)
                    .is_some_and(|g| g.turn + FRESH > self.view.turn)
                && !self.notes.aims.contains(&c.number)
                && self.power.has_explored(c.at)
                && !near_own(c.at)
                && self.armed(c.at, |c| c.hangar.missiles.min(c.hangar.warheads)) > 0
        });
        let best = goals.max_by_key(|c| (self.regiments_at(c.at), c.number)).map(|c| c.at);
        if let Some(at) = best {
            let sector = self.sector(at);
            self.say(format!("R A1 {sector}"));
            let reach = self.view.tables.row(MISSILE).points as i32;
            let mut bases: Vec<(i32, u16)> =
                self.power.cities.iter().map(|(n, c)| (grid.distance(c.at, at), *n)).collect();
            bases.sort_unstable();
            let armed = bases.into_iter().find(|(far, n)| {
                let hangar = &self.power.cities[n].hangar;
                *far <= reach && hangar.missiles.min(hangar.warheads) > 0
            });
            if let Some(city) = armed.and_then(|(_, n)| self.power.cities.get_mut(&n)) {
                city.hangar.missiles -= 1;
                city.hangar.warheads -= 1;
            }
        }
    }

    /// What lies ready within the reach of missiles from a sector.
    fn armed(&self, at: Place, of: impl Fn(&City) -> u16) -> u16 {
        let reach = self.view.tables.row(MISSILE).points as i32;
        let near = |c: &&City| self.view.grid.distance(c.at, at) <= reach;
        self.power.cities.values().filter(near).map(of).sum()
    }

    /// Regiments last seen in a foreign city.
    fn regiments_at(&self, at: Place) -> u16 {
        let city = self.targets.values().find(|c| c.at == at);
        city.and_then(|c| self.notes.garrisons.get(&c.number)).map_or(0, |g| g.size)
    }
}
