//! Missiles and warheads, built at home first and fired where they do most; defences and
//! satellite pictures.

use super::super::bases::{BaseNo, Hangar};
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
        let (rockets, atomic, drop) = (gates.rockets, gates.atomic, gates.drop);
        if self.power.tech >= gates.satellite {
            self.photograph();
        }
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
        if self.power.tech >= drop && self.level.drops > 0 {
            self.train();
        }
    }

    /// A missile defence for the first city without one, where there are PP to spare.
    fn shield(&mut self, cities: &[u16]) {
        let cost = self.view.tables.row(SHIELD).pp * 100;
        let working = |c: &Centre| matches!(c, Centre::Working { item: SHIELD, .. });
        let coming = self.power.cities.values().any(|c| c.centres.iter().any(working));
        let open = cities.iter().copied().find(|n| !self.power.cities[n].shield);
        let Some(number) = open.filter(|_| !coming) else { return };
        if let Some(centre) = self.free_centre(number).filter(|_| self.can_spare(cost)) {
            self.order(number, centre, SHIELD);
        }
    }

    /// A satellite picture of the main goal, where nobody has looked for long.
    fn photograph(&mut self) {
        let price = self.view.tables.rules.spying.satellite_pp;
        let goal = self.notes.aims.first().and_then(|n| self.targets.get(n));
        let unseen = goal.filter(|c| !self.is_fresh(c.number));
        let Some(at) = unseen.map(|c| c.at) else { return };
        if self.can_spare(price * 100) {
            self.purse -= price * 100;
            let sector = self.sector(at);
            self.say(format!("I {sector} {price}"));
        }
    }

    /// Keeps one centre of each of these cities at missiles or warheads until so many lie ready.
    fn stockpile(&mut self, item: u8, cities: &[u16], most: u16) {
        let lying = |h: &Hangar| if item == MISSILE { h.missiles } else { h.warheads };
        let ready: u16 = self.power.bases().map(|(.., hangar)| lying(hangar)).sum();
        self.keep(item, cities, ready, most);
    }

    /// Keeps one centre of each of these cities at an item, of which so many are there, until
    /// there are enough.
    pub fn keep(&mut self, item: u8, cities: &[u16], ready: u16, most: u16) {
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
            let free = self.free_centre(number).filter(|_| !centres.iter().any(works));
            let Some(centre) = free.filter(|_| self.can_spare(cost)) else { continue };
            coming += 1;
            match again {
                // It begins anew by itself.
                Some(centre) => self.spend(number, centre, item),
                None => self.order(number, centre, item),
            }
        }
    }

    /// Whether half an income is left behind a price in hundredths of PP.
    pub fn can_spare(&self, cost: i64) -> bool {
        cost + self.view.power.income / 2 <= self.purse
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
        let mut loose = 0;
        for base in self.bases_near(at) {
            let Some(hangar) = self.power.hangar(base) else { continue };
            loose += hangar.missiles.saturating_sub(hangar.warheads);
            if hangar.warheads > 0 {
                break;
            }
        }
        loose
    }

    /// Own bases whose missiles reach a place, the nearest first.
    fn bases_near(&self, at: Place) -> Vec<BaseNo> {
        let reach = self.view.tables.row(MISSILE).points as i32;
        let far = |(base, from, _)| (self.view.grid.distance(from, at), base);
        let mut bases: Vec<(i32, BaseNo)> = self.power.bases().map(far).collect();
        bases.retain(|(far, _)| *far <= reach);
        bases.sort_unstable();
        bases.into_iter().map(|(_, base)| base).collect()
    }

    /// Notes that the nearest missiles are gone.
    fn spend_missiles(&mut self, at: Place, mut number: u16) {
        for base in self.bases_near(at) {
            let Some(hangar) = self.power.hangar_mut(base) else { continue };
            let fired = hangar.missiles.min(number);
            hangar.missiles -= fired;
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
                && self.is_fresh(c.number)
                && !self.notes.aims.contains(&c.number)
                && self.power.has_explored(c.at)
                && !near_own(c.at)
                && self.armed(c.at).is_some()
        });
        let best = goals.max_by_key(|c| (self.regiments_at(c.at), c.number)).map(|c| c.at);
        if let Some(at) = best {
            let sector = self.sector(at);
            self.say(format!("R A1 {sector}"));
            let armed = self.armed(at);
            if let Some(hangar) = armed.and_then(|base| self.power.hangar_mut(base)) {
                hangar.missiles -= 1;
                hangar.warheads -= 1;
            }
        }
    }

    /// The nearest base from which a missile with a warhead reaches a place.
    fn armed(&self, at: Place) -> Option<BaseNo> {
        let has = |h: &Hangar| h.missiles.min(h.warheads) > 0;
        self.bases_near(at).into_iter().find(|base| self.power.hangar(*base).is_some_and(has))
    }

    /// Whether the garrison of a foreign city was seen lately.
    fn is_fresh(&self, number: u16) -> bool {
        let seen = self.notes.garrisons.get(&number);
        seen.is_some_and(|g| g.turn + FRESH > self.view.turn)
    }

    /// Regiments last seen in a foreign city.
    fn regiments_at(&self, at: Place) -> u16 {
        let city = self.targets.values().find(|c| c.at == at);
        city.and_then(|c| self.notes.garrisons.get(&c.number)).map_or(0, |g| g.size)
    }
}
