//! Steps 3 and 4: production stops; PP go into construction, spies and research
//! (§6, §7).

use super::super::orders::Order;
use super::super::state::{Centre, City};
use super::super::tables::{Class, Tables, UnitRow};
use super::{Desk, Inquiry, pp};
use engine::{Mark, Told};

impl Desk<'_> {
    /// Step 3: production stops.
    pub fn halts(&mut self, orders: &[(u32, Order)]) {
        self.each(orders, |desk, line, order| match order {
            Order::Construct { city, item: item @ 31..=37 } => Some(desk.halt(line, *city, *item)),
            _ => None,
        });
    }

    fn halt(&mut self, line: u32, number: u16, item: u8) -> Told {
        let centres: &[usize] = match item {
            31 => &[0],
            32 => &[1],
            33 => &[2],
            34 => &[0, 1],
            35 => &[0, 2],
            36 => &[1, 2],
            _ => &[0, 1, 2],
        };
        let Some(city) = self.power.cities.get_mut(&number) else { return self.no_city(number) };
        let mut lost = 0;
        for &i in centres {
            if let Centre::Working { spent, .. } = city.centres[i] {
                lost += spent;
            }
            city.centres[i] = Centre::Idle;
        }
        let stopped = centres.iter().map(|&i| (line, i));
        self.paper.halted.entry(number).or_default().extend(stopped);
        let names: Vec<String> = centres.iter().map(|i| (i + 1).to_string()).collect();
        let mut note = format!("centre {} halted", names.join(" and "));
        if lost > 0 {
            note += &format!("; {} PP spent there are lost", pp(lost));
        }
        Told::ok(note)
    }

    /// Step 4: PP are deducted for C, I and E in card order, then for restarts.
    pub fn spend(&mut self, orders: &[(u32, Order)]) {
        // An order that names no player settles nothing: the budget goes on.
        self.paper.spied = orders.iter().any(|(_, o)| match o {
            Order::Investigate { player, .. } => {
                *player == u16::from(self.power.seat) || self.other_player(*player).is_some()
            }
            _ => false,
        });
        if !self.paper.spied {
            self.pay_counter_spying();
        }
        self.each(orders, |desk, line, order| match order {
            Order::Construct { item: 31..=37, .. } => None,
            Order::Construct { city, item } => Some(desk.construct(line, *city, *item)),
            Order::Investigate { player, pp } => Some(desk.investigate(line, *player, *pp)),
            Order::Research { pp } => Some(desk.research(*pp)),
            _ => None,
        });
        self.restart_centres();
    }

    /// Pays the standing budget, or as much of it as there is.
    fn pay_counter_spying(&mut self) -> i64 {
        // Of several orders in a card the last one counts, and the limit is a turn's.
        let paid = &mut self.paper.bill.counter_spying;
        self.power.stock += std::mem::take(paid);
        *paid = (self.power.counter_spying * 100).min(self.power.stock).max(0);
        self.power.stock -= *paid;
        *paid
    }

    fn spy_limit(&self) -> i64 {
        self.facts.tables.rules.economy.spy_limit * i64::from(self.power.tech)
    }

    fn investigate(&mut self, line: u32, player: u16, amount: u32) -> Told {
        let limit = self.spy_limit();
        if player != u16::from(self.power.seat) {
            return self.spy(line, player, amount);
        }
        self.power.counter_spying = i64::from(amount).min(limit);
        let paid = self.pay_counter_spying();
        if amount == 0 {
            return Told::ok("counter-spying ends");
        }
        let note = format!("{} PP for counter-spying now and every turn", pp(paid));
        if i64::from(amount) > limit {
            let text = format!("{note}; the limit is {limit} PP");
            return Told::warning("over-limit", text);
        }
        if paid < self.power.counter_spying * 100 {
            return Told::warning("short-of-pp", format!("{note}: the stock has no more"));
        }
        Told::ok(note)
    }

    /// Spies on another player; that ends counter-spying (§7).
    fn spy(&mut self, line: u32, player: u16, amount: u32) -> Told {
        let Some(target) = self.other_player(player) else { return self.no_player(player) };
        let limit = self.spy_limit();
        self.power.counter_spying = 0;
        self.pay_counter_spying();
        let wanted = i64::from(amount);
        let paid = wanted.min(limit).min(self.power.stock / 100).max(0);
        self.power.stock -= paid * 100;
        self.paper.bill.spying += paid * 100;
        if paid > 0 {
            self.paper.inquiries.push(Inquiry { line, player: target, pp: paid });
        }
        let note = format!("{paid} PP for spying on player {target}");
        if wanted > limit {
            let text = format!("{note}; the limit of an order is {limit} PP");
            return Told::warning("over-limit", text);
        }
        if wanted > paid {
            return Told::warning("short-of-pp", format!("{note}: the stock has no more"));
        }
        Told::ok(note)
    }

    fn research(&mut self, amount: u32) -> Told {
        let rules = &self.facts.tables.rules.research;
        if self.power.tech >= rules.tech_max {
            let text = format!("tech level {} is the highest there is", rules.tech_max);
            return Told::error("tech-max", text);
        }
        let paid = i64::from(amount).min(self.power.stock / 100).max(0);
        self.power.stock -= paid * 100;
        self.paper.bill.research += paid * 100;
        let points = self.power.research + self.paper.bill.research;
        let note = format!("{paid} PP for research, {} points in all", pp(points));
        match i64::from(amount) > paid {
            true => Told::warning("short-of-pp", format!("{note}: the stock has no more")),
            false => Told::ok(note),
        }
    }

    fn construct(&mut self, line: u32, number: u16, item: u8) -> Told {
        let Some(city) = self.power.cities.get(&number) else { return self.no_city(number) };
        if let 21..=23 = item {
            if planned_level(city) >= self.facts.tables.rules.economy.level_max {
                return Told::error("level-max", "the city has the highest defence level, 9");
            }
        } else {
            let Some(row) = self.facts.tables.unit(item) else { return self.no_item(item) };
            if row.class == Class::Ship && !self.facts.is_coastal(city.at) {
                let text = format!("city {number} is not on the coast and builds no ships");
                return Told::error("inland", text);
            }
        }
        let (centre, replaced) = self.choose_centre(line, number);
        let started = self.start(number, centre, item);
        let place = format!("centre {}", centre + 1);
        let mut told = match started {
            Ok((turns, cost)) => {
                let ready = self.facts.turn + u32::from(turns) - 1;
                let what = self.item_name(item);
                Told::ok(format!(
                    "{place}: {what} for {} PP, ready at the end of turn {ready}",
                    pp(cost)
                ))
            }
            Err(cost) => {
                let text = format!(
                    "{place} waits: it needs {} PP, {} are left",
                    pp(cost),
                    pp(self.power.stock)
                );
                Told::warning("short-of-pp", text)
            }
        };
        if replaced {
            told.mark = Mark::Warning;
            told.code = "replaced";
            told.note += "; all centres were busy, what this one had is lost";
        }
        told
    }

    /// The centre that a construct order uses (§6), and whether work is lost.
    fn choose_centre(&mut self, line: u32, number: u16) -> (usize, bool) {
        let halted = self.paper.halted.entry(number).or_default();
        let centres = &self.power.cities[&number].centres;
        let fresh = |&(l, i): &(u32, usize)| l < line && centres[i] == Centre::Idle;
        if let Some(at) = halted.iter().position(fresh) {
            return (halted.remove(at).1, false);
        }
        let idle = centres.iter().position(|c| *c == Centre::Idle);
        let ready = || centres.iter().position(|c| matches!(c, Centre::Ready(_)));
        match idle.or_else(ready) {
            Some(i) => (i, false),
            None => (2, true),
        }
    }

    /// Starts an item if the PP are there; else the centre waits for them.
    fn start(&mut self, number: u16, centre: usize, item: u8) -> Result<(u8, i64), i64> {
        let Some(city) = self.power.cities.get_mut(&number) else { return Err(0) };
        // The centre's old work does not count towards the price of levels.
        city.centres[centre] = Centre::Ready(item);
        let (turns, cost) = price(self.facts.tables, city, item);
        if cost > self.power.stock {
            return Err(cost);
        }
        self.power.stock -= cost;
        self.paper.bill.construction += cost;
        city.centres[centre] = Centre::Working { item, left: turns, spent: cost };
        Ok((turns, cost))
    }

    /// Centres that are ready begin again, by city number and centre.
    fn restart_centres(&mut self) {
        let cities: Vec<u16> = self.power.cities.keys().copied().collect();
        for number in cities {
            for centre in 0..3 {
                if let Centre::Ready(item) = self.power.cities[&number].centres[centre] {
                    // Short of PP it stays ready, which is what the rule wants.
                    let _ = self.start(number, centre, item);
                }
            }
        }
    }
}

/// Turns and price in hundredths of PP of an item at a city.
///
/// Levels cost five times the current level for each; levels in work at other
/// centres count as built, so that two centres pay what one would [ours].
fn price(tables: &Tables, city: &City, item: u8) -> (u8, i64) {
    if let 21..=23 = item {
        let e = &tables.rules.economy;
        let from = planned_level(city);
        let to = (from + (item - 20)).min(e.level_max);
        return (1, (from..to).map(|level| e.level_cost * i64::from(level) * 100).sum());
    }
    tables.unit(item).map_or((1, 0), |row: &UnitRow| (row.turns, row.pp * 100))
}

/// The level that a city will have when the work of all its centres is done.
pub fn planned_level(city: &City) -> u8 {
    let in_work = city.centres.iter().map(|c| match c {
        Centre::Working { item: item @ 21..=23, .. } => item - 20,
        _ => 0,
    });
    city.level + in_work.sum::<u8>()
}
