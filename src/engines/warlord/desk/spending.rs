//! Steps 3 and 4: production stops; PP go into construction, spies and research
//! (§6, §7).

use super::super::orders::{Order, SectorNo};
use super::super::phrases::{percent, pp};
use super::super::state::{Centre, City, LEVEL, SHIELD};
use super::super::tables::{Class, Tables, UnitRow};
use super::{Desk, Inquiry};
use engine::{Mark, Told};
use tongue::{count, say, word};

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
        let note = say!("{centres} halted", centres = self::centres(centres));
        Told::ok(match lost {
            0 => note,
            lost => say!("{note}; {lost} PP lost there", lost = pp(lost)),
        })
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
            Order::Picture { sector, pp } => Some(desk.picture(*sector, *pp)),
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
            return Told::ok(say!("counter-spying ends"));
        }
        let budget = self.power.counter_spying;
        let note = match paid < budget * 100 {
            true => say!(
                "now {paid} PP for counter-spying, {budget} a turn from when the stock has them",
                paid = pp(paid)
            ),
            false => say!("{paid} PP for counter-spying now and every turn", paid = pp(paid)),
        };
        if i64::from(amount) > limit {
            let text = say!("{note}; the limit is {limit} PP");
            return Told::warning("over-limit", text);
        }
        if paid < budget * 100 {
            return Told::warning("short-of-pp", note);
        }
        Told::ok(note)
    }

    /// Spies on another player; that ends counter-spying (§7).
    fn spy(&mut self, line: u32, player: u16, amount: u32) -> Told {
        let Some(target) = self.other_player(player) else { return self.no_player(player) };
        let limit = self.spy_limit();
        let guarded = std::mem::take(&mut self.power.counter_spying) > 0;
        self.pay_counter_spying();
        let wanted = i64::from(amount);
        let paid = wanted.min(limit).min(self.power.stock / 100).max(0);
        self.power.stock -= paid * 100;
        self.paper.bill.spying += paid * 100;
        if paid > 0 {
            self.paper.inquiries.push(Inquiry { line, player: target, pp: paid });
        }
        let note = say!("{paid} PP for spying on player {target}");
        let mut told = if wanted > limit {
            Told::warning("over-limit", say!("{note}; the limit of an order is {limit} PP"))
        } else if wanted > paid {
            Told::warning("short-of-pp", say!("{note}, the stock has no more"))
        } else {
            Told::ok(note)
        };
        if guarded {
            told.note = say!("{note}; your counter-spying ends with it", note = told.note);
        }
        told
    }

    /// A satellite picture of fixed price (§11).
    fn picture(&mut self, sector: SectorNo, amount: u32) -> Told {
        let tables = self.facts.tables;
        let (gate, price) = (tables.tech.gates.satellite, tables.rules.spying.satellite_pp);
        if self.power.tech < gate {
            return self.too_early(&say!("satellite pictures"), gate);
        }
        let at = match self.square(sector) {
            Ok(at) => at,
            Err(told) => return told,
        };
        if self.paper.pictures.contains(&at) {
            return Told::error("second-order", say!("a picture of {sector} is ordered already"));
        }
        if i64::from(amount) < price {
            let text = say!("a satellite picture costs {price} PP: I {sector} {price}");
            return Told::error("too-little", text);
        }
        if price * 100 > self.power.stock {
            let left = pp(self.power.stock);
            let text = say!("a satellite picture costs {price} PP and you have {left}");
            return Told::error("short-of-pp", text);
        }
        self.power.stock -= price * 100;
        self.paper.bill.spying += price * 100;
        self.paper.pictures.push(at);
        let side = 2 * tables.rules.spying.satellite_radius + 1;
        let note = say!("{price} PP for a picture of {side} by {side} sectors around {sector}");
        match i64::from(amount) > price {
            true => Told::warning("over-limit", say!("{note}; it costs no more")),
            false => Told::ok(note),
        }
    }

    fn research(&mut self, amount: u32) -> Told {
        let rules = &self.facts.tables.rules.research;
        if self.power.tech >= rules.tech_max {
            let text = say!("tech level {level} is the highest there is", level = rules.tech_max);
            return Told::error("tech-max", text);
        }
        let paid = i64::from(amount).min(self.power.stock / 100).max(0);
        self.power.stock -= paid * 100;
        self.paper.bill.research += paid * 100;
        let (tech, before, now) = (self.power.tech, self.power.research, self.paper.bill.research);
        let chance = percent(rules.chance(tech, now, before));
        let level = tech + 1;
        let note = match now > paid * 100 {
            true => say!(
                "{paid} PP for research, {all} in this turn: tech level {level} with a chance of \
                 {chance}",
                all = pp(now)
            ),
            false => say!("{paid} PP for research: tech level {level} with a chance of {chance}"),
        };
        match i64::from(amount) > paid {
            true => Told::warning("short-of-pp", say!("{note}; the stock has no more")),
            false => Told::ok(note),
        }
    }

    fn construct(&mut self, line: u32, number: u16, item: u8) -> Told {
        let Some(city) = self.power.cities.get(&number) else { return self.no_city(number) };
        // §6: a centre builds one level at a time.
        let (item, wanted) = match item {
            21..=23 => (LEVEL, item - 20),
            _ => (item, 1),
        };
        let mut count = wanted;
        if item == LEVEL {
            let most = self.facts.tables.rules.economy.level_max;
            count = count.min(most.saturating_sub(planned_level(city)));
            if count == 0 {
                let text = say!("the city has the highest defence level, 9");
                return Told::error("level-max", text);
            }
        } else {
            let Some(row) = self.facts.tables.unit(item) else { return self.no_item(item) };
            if row.tech > self.power.tech {
                return self.too_early(&format!("{} (ID {item})", word(&row.name)), row.tech);
            }
            if item == SHIELD && (city.shield || builds(city, SHIELD)) {
                let text = say!("city {number} has a missile defence, and one is all it takes");
                return Told::error("shield", text);
            }
            if row.class == Class::Ship && !self.facts.is_coastal(city.at) {
                let text = say!("city {number} is not on the coast and builds no ships");
                return Told::error("inland", text);
            }
        }
        let mut works = Works::default();
        for _ in 0..count {
            self.occupy(line, number, item, &mut works);
        }
        let what = match works.started.len() {
            n if item == LEVEL => count!(n, "{n} defence level", "{n} defence levels"),
            _ => self.item_name(item),
        };
        let mut told = Told::ok("");
        let mut notes = Vec::new();
        if !works.started.is_empty() {
            let ready = self.facts.turn + u32::from(works.turns) - 1;
            let (centres, cost) = (centres(&works.started), pp(works.cost));
            notes.push(say!("{centres}: {what} for {cost} PP, ready at the end of turn {ready}"));
        }
        let left = pp(self.power.stock);
        for group in works.waiting.chunk_by(|a, b| a.1 == b.1) {
            (told.mark, told.code) = (Mark::Warning, "short-of-pp");
            let indices: Vec<usize> = group.iter().map(|(centre, _)| *centre).collect();
            let (names, cost) = (centres(&indices), pp(group[0].1));
            notes.push(count!(
                n = indices.len(),
                "{names} waits: it needs {cost} PP and you have {left}",
                "{names} wait: each needs {cost} PP and you have {left}"
            ));
        }
        if count < wanted {
            (told.mark, told.code) = (Mark::Warning, "level-max");
            notes.push(say!("more than level 9 there is not"));
        }
        if works.lost {
            (told.mark, told.code) = (Mark::Warning, "replaced");
        }
        notes.extend(works.ended);
        told.note = notes.join("; ");
        told
    }

    /// Puts an item into the centre that is its turn, and says what that ends.
    fn occupy(&mut self, line: u32, number: u16, item: u8, works: &mut Works) {
        let centre = self.choose_centre(line, number, &works.taken);
        works.taken.push(centre);
        let before = self.power.cities[&number].centres[centre];
        let ordered = self.paper.constructed.insert((number, centre), line);
        let (old, spent) = match before {
            Centre::Idle => (None, 0),
            Centre::Ready(old) => (Some(self.item_name(old)), 0),
            Centre::Working { item: old, spent, .. } => (Some(self.item_name(old)), spent),
        };
        let above = ordered.filter(|above| self.facts.before && *above != line);
        if let (Some(above), Some(old)) = (above, &old)
            && let Some(told) = self.paper.told.get_mut(&above)
        {
            if told.mark == Mark::Ok {
                (told.mark, told.code) = (Mark::Warning, "replaced");
            }
            told.note = say!("{note}; line {line} drops {old}", note = told.note);
        }
        if let Some(old) = old {
            works.lost |= ordered.is_some() || matches!(before, Centre::Working { .. });
            let ended = match (ordered, before) {
                (Some(above), _) => say!("this drops {old} of line {above}"),
                // Ordered again, it would have begun by itself.
                (None, Centre::Ready(next)) if next == item => {
                    say!("it was next there without an order")
                }
                (None, Centre::Ready(_)) => say!("this ends {old}, which was next there"),
                _ => say!("all centres were busy: this gives up {old}"),
            };
            works.ended.push(match spent {
                0 => ended,
                spent => say!("{ended}, {lost} PP lost", lost = pp(spent)),
            });
        }
        match self.start(number, centre, item) {
            Ok((turns, cost)) => {
                works.started.push(centre);
                works.cost += cost;
                works.turns = turns;
            }
            Err(cost) => works.waiting.push((centre, cost)),
        }
    }

    /// The centre that a construct order uses (§6); those that the order has taken already
    /// are left alone.
    fn choose_centre(&mut self, line: u32, number: u16, taken: &[usize]) -> usize {
        let halted = self.paper.halted.entry(number).or_default();
        let centres = &self.power.cities[&number].centres;
        let fresh = |&(l, i): &(u32, usize)| l < line && centres[i] == Centre::Idle;
        if let Some(at) = halted.iter().position(fresh) {
            return halted.remove(at).1;
        }
        let free = |i: &usize| !taken.contains(i);
        let idle = (0..3).find(|i| free(i) && centres[*i] == Centre::Idle);
        let ready = || (0..3).find(|i| free(i) && matches!(centres[*i], Centre::Ready(_)));
        idle.or_else(ready).or_else(|| (0..3).rev().find(free)).unwrap_or(2)
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

/// Whether a centre of a city has an item in work, or waits to begin it.
fn builds(city: &City, wanted: u8) -> bool {
    let item = |centre: &Centre| match centre {
        Centre::Idle => None,
        Centre::Ready(item) | Centre::Working { item, .. } => Some(*item),
    };
    city.centres.iter().any(|c| item(c) == Some(wanted))
}

/// Turns and price in hundredths of PP of an item at a city.
///
/// A level costs five times the current one; levels in work at other centres count as
/// built [ours].
fn price(tables: &Tables, city: &City, item: u8) -> (u8, i64) {
    if item == LEVEL {
        return (1, tables.rules.economy.level_cost * i64::from(planned_level(city)) * 100);
    }
    tables.unit(item).map_or((1, 0), |row: &UnitRow| (row.turns, row.pp * 100))
}

/// The level that a city will have when the work of all its centres is done.
pub fn planned_level(city: &City) -> u8 {
    let walls = |c: &&Centre| matches!(c, Centre::Working { item: LEVEL, .. });
    // A city has three centres.
    city.level + city.centres.iter().filter(walls).count() as u8
}

/// What comes of one construct order.
#[derive(Default)]
struct Works {
    /// Centres that it has taken, from 0.
    taken: Vec<usize>,
    /// Those of them that are at work.
    started: Vec<usize>,
    /// Those that wait for PP, and for how many hundredths.
    waiting: Vec<(usize, i64)>,
    /// Hundredths of PP that were paid.
    cost: i64,
    /// Turns until it is delivered.
    turns: u8,
    /// What it ends, in words.
    ended: Vec<String>,
    /// Whether work or an order of the same card is lost.
    lost: bool,
}

/// `centre 1`, `centres 1, 2 and 3`.
fn centres(indices: &[usize]) -> String {
    let names: Vec<String> = indices.iter().map(|i| (i + 1).to_string()).collect();
    match names.split_last() {
        Some((last, [])) => say!("centre {last}"),
        Some((last, rest)) => say!("centres {first} and {last}", first = rest.join(", ")),
        None => String::new(),
    }
}
