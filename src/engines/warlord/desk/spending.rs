//! Steps 3 and 4: production is halted; PP go into construction, spies and research (§6, §7).

use super::super::orders::{Order, SectorNo};
use super::super::phrases::{percent, pp};
use super::super::state::{Centre, City, LEVEL, SHIELD};
use super::super::tables::{Class, Tables, UnitRow};
use super::{Desk, Inquiry};
use crate::desk::missiles;
use engine::{Mark, Told};
use tongue::{count, say, word};

/// Step 3: halts production.
pub fn halts(desk: &mut Desk, orders: &[(u32, Order)]) {
    desk.each(orders, |desk, line, order| match order {
        Order::Construct { city, item: item @ 31..=37 } => Some(halt(desk, line, *city, *item)),
        _ => None,
    });
}

fn halt(desk: &mut Desk, line: u32, number: u16, item: u8) -> Told {
    let centres: &[usize] = match item {
        31 => &[0],
        32 => &[1],
        33 => &[2],
        34 => &[0, 1],
        35 => &[0, 2],
        36 => &[1, 2],
        _ => &[0, 1, 2],
    };
    let Some(city) = desk.power.cities.get_mut(&number) else { return desk.no_city(number) };
    let mut lost = 0;
    for &i in centres {
        if let Centre::Working { spent, .. } = city.centres[i] {
            lost += spent;
        }
        city.centres[i] = Centre::Idle;
    }
    let stopped = centres.iter().map(|&i| (line, i));
    desk.paper.halted.entry(number).or_default().extend(stopped);
    let note = say!("{centres} halted", centres = self::centres(centres));
    Told::ok(match lost {
        0 => note,
        lost => say!("{note}; {lost} PP lost there", lost = pp(lost)),
    })
}

/// Step 4: PP are paid for C, I and E in card order, then for restarts.
pub fn spend(desk: &mut Desk, orders: &[(u32, Order)]) {
    // An I order with an unknown player changes nothing: the standing budget is paid as usual.
    desk.paper.spied = orders.iter().any(|(_, o)| match o {
        Order::Investigate { player, .. } => {
            *player == u16::from(desk.power.seat) || desk.other_player(*player).is_some()
        }
        _ => false,
    });
    if !desk.paper.spied {
        pay_counter_spying(desk);
    }
    desk.each(orders, |desk, line, order| match order {
        Order::Construct { item: 31..=37, .. } => None,
        Order::Construct { city, item } => Some(construct(desk, line, *city, *item)),
        Order::Investigate { player, pp } => Some(investigate(desk, line, *player, *pp)),
        Order::Picture { sector, pp } => Some(picture(desk, *sector, *pp)),
        Order::Research { pp } => Some(research(desk, *pp)),
        _ => None,
    });
    restart_centres(desk);
}

/// Pays the standing budget, or as much of it as the stock allows.
fn pay_counter_spying(desk: &mut Desk) -> i64 {
    // The last of several orders in a card counts, and the limit is for the whole turn.
    let paid = &mut desk.paper.bill.counter_spying;
    desk.power.stock += std::mem::take(paid);
    *paid = (desk.power.counter_spying * 100).min(desk.power.stock).max(0);
    desk.power.stock -= *paid;
    *paid
}

fn spy_limit(desk: &Desk) -> i64 {
    desk.facts.tables.rules.economy.spy_limit * i64::from(desk.power.tech)
}

fn investigate(desk: &mut Desk, line: u32, player: u16, amount: u32) -> Told {
    let limit = spy_limit(desk);
    if player != u16::from(desk.power.seat) {
        return spy(desk, line, player, amount);
    }
    desk.power.counter_spying = i64::from(amount).min(limit);
    let paid = pay_counter_spying(desk);
    if amount == 0 {
        return Told::ok(say!("counter-spying ends"));
    }
    let budget = desk.power.counter_spying;
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
fn spy(desk: &mut Desk, line: u32, player: u16, amount: u32) -> Told {
    let Some(target) = desk.other_player(player) else { return desk.no_player(player) };
    let limit = spy_limit(desk);
    let guarded = std::mem::take(&mut desk.power.counter_spying) > 0;
    pay_counter_spying(desk);
    let wanted = i64::from(amount);
    let paid = wanted.min(limit).min(desk.power.stock / 100).max(0);
    desk.power.stock -= paid * 100;
    desk.paper.bill.spying += paid * 100;
    if paid > 0 {
        desk.paper.inquiries.push(Inquiry { line, player: target, pp: paid });
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

/// A satellite picture at its fixed price (§11).
fn picture(desk: &mut Desk, sector: SectorNo, amount: u32) -> Told {
    let tables = desk.facts.tables;
    let (gate, price) = (tables.tech.gates.satellite, tables.rules.spying.satellite_pp);
    if desk.power.tech < gate {
        return missiles::too_early(desk, &say!("satellite pictures"), gate);
    }
    let at = match desk.square(sector) {
        Ok(at) => at,
        Err(told) => return told,
    };
    if desk.paper.pictures.contains(&at) {
        return Told::error("second-order", say!("a picture of {sector} is ordered already"));
    }
    if i64::from(amount) < price {
        let text = say!("a satellite picture costs {price} PP: I {sector} {price}");
        return Told::error("too-little", text);
    }
    if price * 100 > desk.power.stock {
        let left = pp(desk.power.stock);
        let text = say!("a satellite picture costs {price} PP and you have {left}");
        return Told::error("short-of-pp", text);
    }
    desk.power.stock -= price * 100;
    desk.paper.bill.spying += price * 100;
    desk.paper.pictures.push(at);
    let side = 2 * tables.rules.spying.satellite_radius + 1;
    let note = say!("{price} PP for a picture of {side} by {side} sectors around {sector}");
    match i64::from(amount) > price {
        true => Told::warning("over-limit", say!("{note}; it costs no more")),
        false => Told::ok(note),
    }
}

fn research(desk: &mut Desk, amount: u32) -> Told {
    let rules = &desk.facts.tables.rules.research;
    if desk.power.tech >= rules.tech_max {
        let text = say!("tech level {level} is the highest there is", level = rules.tech_max);
        return Told::error("tech-max", text);
    }
    let paid = i64::from(amount).min(desk.power.stock / 100).max(0);
    desk.power.stock -= paid * 100;
    desk.paper.bill.research += paid * 100;
    let (tech, before, now) = (desk.power.tech, desk.power.research, desk.paper.bill.research);
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

fn construct(desk: &mut Desk, line: u32, number: u16, item: u8) -> Told {
    let Some(city) = desk.power.cities.get(&number) else { return desk.no_city(number) };
    // §6: a centre builds one level at a time.
    let (item, wanted) = match item {
        21..=23 => (LEVEL, item - 20),
        _ => (item, 1),
    };
    let mut count = wanted;
    if item == LEVEL {
        let most = desk.facts.tables.rules.economy.level_max;
        count = count.min(most.saturating_sub(planned_level(city)));
        if count == 0 {
            let text = say!("the city has the highest defence level, 9");
            return Told::error("level-max", text);
        }
    } else {
        let Some(row) = desk.facts.tables.unit(item) else { return desk.no_item(item) };
        if row.tech > desk.power.tech {
            return missiles::too_early(
                desk,
                &format!("{} (ID {item})", word(&row.name)),
                row.tech,
            );
        }
        if item == SHIELD && (city.shield || builds(city, SHIELD)) {
            let text = say!("city {number} has a missile defence, and one is all it takes");
            return Told::error("shield", text);
        }
        if row.class == Class::Ship && !desk.facts.is_coastal(city.at) {
            let text = say!("city {number} is not on the coast and builds no ships");
            return Told::error("inland", text);
        }
    }
    let mut works = Works::default();
    for _ in 0..count {
        occupy(desk, line, number, item, &mut works);
    }
    let what = match works.started.len() {
        n if item == LEVEL => count!(n, "{n} defence level", "{n} defence levels"),
        _ => desk.item_name(item),
    };
    let mut told = Told::ok("");
    let mut notes = Vec::new();
    if !works.started.is_empty() {
        let ready = desk.facts.turn + u32::from(works.turns) - 1;
        let (centres, cost) = (centres(&works.started), pp(works.cost));
        notes.push(say!("{centres}: {what} for {cost} PP, ready at the end of turn {ready}"));
    }
    let left = pp(desk.power.stock);
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

/// Puts an item into the next centre of a city, and notes what that ends.
fn occupy(desk: &mut Desk, line: u32, number: u16, item: u8, works: &mut Works) {
    let centre = choose_centre(desk, line, number, &works.taken);
    works.taken.push(centre);
    let before = desk.power.cities[&number].centres[centre];
    let ordered = desk.paper.constructed.insert((number, centre), line);
    let (old, spent) = match before {
        Centre::Idle => (None, 0),
        Centre::Ready(old) => (Some(desk.item_name(old)), 0),
        Centre::Working { item: old, spent, .. } => (Some(desk.item_name(old)), spent),
    };
    let above = ordered.filter(|above| desk.facts.before && *above != line);
    if let (Some(above), Some(old)) = (above, &old)
        && let Some(told) = desk.paper.told.get_mut(&above)
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
            // The item would have started again without the order.
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
    match start(desk, number, centre, item) {
        Ok((turns, cost)) => {
            works.started.push(centre);
            works.cost += cost;
            works.turns = turns;
        }
        Err(cost) => works.waiting.push((centre, cost)),
    }
}

/// The centre that a construct order uses (§6), except those that the order has already taken.
fn choose_centre(desk: &mut Desk, line: u32, number: u16, taken: &[usize]) -> usize {
    let halted = desk.paper.halted.entry(number).or_default();
    let centres = &desk.power.cities[&number].centres;
    let fresh = |&(l, i): &(u32, usize)| l < line && centres[i] == Centre::Idle;
    if let Some(at) = halted.iter().position(fresh) {
        return halted.remove(at).1;
    }
    let free = |i: &usize| !taken.contains(i);
    let idle = (0..3).find(|i| free(i) && centres[*i] == Centre::Idle);
    let ready = || (0..3).find(|i| free(i) && matches!(centres[*i], Centre::Ready(_)));
    idle.or_else(ready).or_else(|| (0..3).rev().find(free)).unwrap_or(2)
}

/// Starts an item if there are enough PP; otherwise the centre waits for them.
fn start(desk: &mut Desk, number: u16, centre: usize, item: u8) -> Result<(u8, i64), i64> {
    let Some(city) = desk.power.cities.get_mut(&number) else { return Err(0) };
    // The centre's old work does not count towards the price of levels.
    city.centres[centre] = Centre::Ready(item);
    let (turns, cost) = price(desk.facts.tables, city, item);
    if cost > desk.power.stock {
        return Err(cost);
    }
    desk.power.stock -= cost;
    desk.paper.bill.construction += cost;
    city.centres[centre] = Centre::Working { item, left: turns, spent: cost };
    Ok((turns, cost))
}

/// Starts the items of ready centres again, by city number and centre.
fn restart_centres(desk: &mut Desk) {
    let cities: Vec<u16> = desk.power.cities.keys().copied().collect();
    for number in cities {
        for centre in 0..3 {
            if let Centre::Ready(item) = desk.power.cities[&number].centres[centre] {
                // With too few PP the centre stays ready, as the rule demands.
                let _ = start(desk, number, centre, item);
            }
        }
    }
}

/// Whether a centre of a city builds an item, or waits to begin it.
fn builds(city: &City, wanted: u8) -> bool {
    let item = |centre: &Centre| match centre {
        Centre::Idle => None,
        Centre::Ready(item) | Centre::Working { item, .. } => Some(*item),
    };
    city.centres.iter().any(|c| item(c) == Some(wanted))
}

/// Turns of an item at a city, and its price in hundredths of PP.
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

/// The result of one construct order.
#[derive(Default)]
struct Works {
    /// Centres that it has taken, from 0.
    taken: Vec<usize>,
    /// Those of them that are at work.
    started: Vec<usize>,
    /// Those of them that wait for PP, and the hundredths that they need.
    waiting: Vec<(usize, i64)>,
    /// Hundredths of PP that were paid.
    cost: i64,
    /// Turns until the delivery.
    turns: u8,
    /// The works that it ends, in words.
    ended: Vec<String>,
    /// Whether work, or another order of the same card, is lost.
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
