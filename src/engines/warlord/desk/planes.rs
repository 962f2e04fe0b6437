//! Step 2: planes are assigned to O, B and V in card order, then to the standing
//! transfers of F by airbase (§5).
//!
//! The nearest base with planes free is used first. Planes on a mission are
//! taken off their base here and put back by the mission; fighters on watch are
//! never taken.

use super::super::events::{counted, planes};
use super::super::orders::{Order, SectorNo, Who};
use super::super::state::{BOMBER, ENGINEER, FIGHTER, Transfer, Unit, is_land};
use super::{Desk, Ferry, Lift, Sortie, Wing, ranges, second_order};
use engine::geometry::Place;
use engine::{Mark, Told};

impl Desk<'_> {
    /// Step 2.
    pub fn assign_planes(&mut self, orders: &[(u32, Order)]) {
        self.paper.standing = self.power.units.clone();
        self.each(orders, |desk, line, order| match order {
            Order::Bomb { bombers, sector } => Some(desk.bomb(line, *bombers, *sector)),
            Order::Observe { fighters, sector } => Some(desk.observe(line, *fighters, *sector)),
            Order::Airlift { who, base } => Some(desk.airlift(orders, line, *who, *base)),
            Order::Rocket { .. } if desk.power.tech < 7 => {
                Some(Told::error("too-early", "missiles are not known before tech level 7"))
            }
            Order::Rocket { .. } => Some(Told::error("no-missiles", "you have no missiles")),
            Order::Fly { base, to, planes } => Some(desk.fly(*base, *to, *planes)),
            _ => None,
        });
        self.ferry();
        // What flies now is known only here, after all missions.
        self.each(orders, |desk, line, order| match order {
            Order::Fly { base, planes: Some(_), .. } => desk.ferry_note(line, *base),
            _ => None,
        });
    }

    fn bomb(&mut self, line: u32, bombers: u16, sector: SectorNo) -> Told {
        let target = match self.square(sector) {
            Ok(target) => target,
            Err(told) => return told,
        };
        if let Some(first) = self.paper.raids.iter().find(|r| r.target == target) {
            // One strike a sector, so that guns can't be fired without end [ours].
            let text = format!("line {} strikes {sector} already, which stands", first.line);
            return Told::error("second-order", text);
        }
        let mut wings = self.draw(BOMBER, target, bombers);
        let drawn: u16 = wings.iter().map(|w| w.bombers).sum();
        let escort = if drawn > 0 { bombers } else { 0 };
        for wing in self.draw(FIGHTER, target, escort) {
            match wings.iter_mut().find(|w| w.base == wing.base) {
                Some(found) => found.fighters = wing.fighters,
                None => wings.push(wing),
            }
        }
        let fighters: u16 = wings.iter().map(|w| w.fighters).sum();
        let guns = self.guns(target);
        if drawn == 0 && guns == 0 {
            let ships =
                format!("no destroyer, cruiser or battleship of yours lies next to {sector}");
            let text = match bombers {
                0 => ships,
                _ => format!("{}; {ships}", self.none_free(BOMBER, target)),
            };
            return Told::error("nothing-in-range", text);
        }
        self.paper.raids.push(Sortie { line, target, wings });
        let mut parts = Vec::new();
        if bombers > 0 {
            let escort = if fighters == 0 {
                ", no escort".to_owned()
            } else {
                format!(" with {}", counted(fighters, "fighter"))
            };
            parts.push(format!("{}{escort}", counted(drawn, "bomber")));
        }
        if guns > 0 {
            parts.push(super::super::events::guns(guns));
        }
        let note = parts.join(" and ");
        match drawn < bombers {
            true => {
                let text = format!("{note}; {} not free", missing(bombers - drawn));
                Told::warning("planes-short", text)
            }
            false => Told::ok(note),
        }
    }

    /// Guns reach land only.
    fn guns(&self, target: Place) -> i64 {
        match (self.facts.sea)(target) {
            true => 0,
            false => self.power.guns_at(self.facts.tables, self.facts.grid, target),
        }
    }

    fn observe(&mut self, line: u32, fighters: u16, sector: SectorNo) -> Told {
        let target = match self.square(sector) {
            Ok(target) => target,
            Err(told) => return told,
        };
        if fighters == 0 {
            return Told::error("planes", "at least one fighter must fly");
        }
        let wings = self.draw(FIGHTER, target, fighters);
        let drawn: u16 = wings.iter().map(|w| w.fighters).sum();
        if drawn == 0 {
            return Told::error("nothing-in-range", self.none_free(FIGHTER, target));
        }
        self.paper.scouts.push(Sortie { line, target, wings });
        let note = match drawn {
            1 => "1 fighter; it reports and does not attack".to_owned(),
            n => format!("{n} fighters; they report and attack the first enemy unit"),
        };
        match drawn < fighters {
            true => {
                let text = format!("{note}; {} not free", missing(fighters - drawn));
                Told::warning("planes-short", text)
            }
            false => Told::ok(note),
        }
    }

    /// Why no plane of a type flies to a target: none is near, or those that are have
    /// something else to do.
    fn none_free(&self, kind: u8, target: Place) -> String {
        let name = if kind == FIGHTER { "fighter" } else { "bomber" };
        let radius = self.facts.tables.radius(kind, self.power.tech);
        let distance = |at| self.facts.grid.distance(at, target);
        let near =
            |base: &u16| self.power.cities.get(base).is_some_and(|c| distance(c.at) <= radius);
        let of = |w: &Wing| if kind == FIGHTER { w.fighters } else { w.bombers };
        let sorties = self.paper.raids.iter().chain(&self.paper.scouts).map(|s| (s.line, &s.wings));
        let flights = sorties.chain(self.paper.lifts.iter().map(|l| (l.line, &l.wings)));
        let busy = flights.filter(|(_, wings)| wings.iter().any(|w| near(&w.base) && of(w) > 0));
        // Card lines are few.
        let lines: std::collections::BTreeSet<u16> = busy.map(|(line, _)| line as u16).collect();
        let at_home = |c: &super::super::state::City| match kind {
            FIGHTER => c.fighters,
            _ => c.bombers,
        };
        let cities = self.power.cities.values();
        let watch: u16 = cities.clone().filter(|c| distance(c.at) <= radius).map(at_home).sum();
        let mut why = Vec::new();
        if watch > 0 {
            why.push(format!("{} on watch", counted(watch, name)));
        }
        if !lines.is_empty() {
            let what = if lines.len() == 1 { "line" } else { "lines" };
            why.push(format!("named already in {what} {}", ranges(lines)));
        }
        if !why.is_empty() {
            return format!("no {name} is free within {radius} sectors: {}", why.join(", "));
        }
        let nearest = cities.filter(|c| at_home(c) > 0).map(|c| distance(c.at)).min();
        match nearest {
            Some(far) => format!(
                "out of range: {name}s fly missions of {radius} sectors, and your nearest base \
                 with one is {far} away"
            ),
            None => format!("you have no {name} at home"),
        }
    }

    /// Takes up to `most` free planes of a type off the bases within the radius
    /// of a target, the nearest base first.
    fn draw(&mut self, kind: u8, target: Place, most: u16) -> Vec<Wing> {
        let radius = self.facts.tables.radius(kind, self.power.tech);
        self.draw_within(kind, target, most, radius)
    }

    fn draw_within(&mut self, kind: u8, target: Place, most: u16, radius: i32) -> Vec<Wing> {
        let grid = self.facts.grid;
        let distance = |at| grid.distance(at, target);
        let mut bases: Vec<(i32, u16)> =
            self.power.cities.iter().map(|(n, c)| (distance(c.at), *n)).collect();
        bases.retain(|(d, _)| *d <= radius);
        bases.sort_unstable();
        let mut left = most;
        let mut wings = Vec::new();
        for (_, base) in bases {
            let Some(city) = self.power.cities.get_mut(&base) else { continue };
            let free = if kind == FIGHTER { city.free_fighters() } else { city.bombers };
            let n = free.min(left);
            if n == 0 {
                continue;
            }
            left -= n;
            let (fighters, bombers) = if kind == FIGHTER { (n, 0) } else { (0, n) };
            city.fighters -= fighters;
            city.bombers -= bombers;
            wings.push(Wing { base, fighters, bombers });
        }
        wings
    }

    fn airlift(&mut self, orders: &[(u32, Order)], line: u32, who: Who, base: u16) -> Told {
        let Some(goal) = self.power.cities.get(&base).map(|c| c.at) else {
            return self.no_city(base);
        };
        let (units, place) = match self.to_lift(orders, line, who) {
            Ok(found) => found,
            Err(told) => return told,
        };
        let liftable = |no: &u16| {
            let unit = self.power.units.get(no)?;
            let row = self.facts.tables.row(unit.kind);
            let fits = is_land(row.class) && unit.aboard.is_none();
            fits.then(|| (*no, row.size * u32::from(unit.size)))
        };
        let loads: Vec<(u16, u32)> = units.iter().filter_map(liftable).collect();
        if loads.is_empty() {
            return Told::error(
                "nobody-there",
                "no land unit that is free and not aboard is there",
            );
        }
        if self.power.city_at(place).is_none() {
            return Told::error("no-airbase", "units are airlifted from your own airbases only");
        }
        let reach = self.facts.tables.reach(BOMBER, self.power.tech);
        let leg = self.facts.grid.distance(place, goal);
        if leg == 0 || leg > reach {
            let text = match leg {
                0 => "that is where they stand".to_owned(),
                n => format!("airbase {base} is {n} sectors away; bombers reach {reach}"),
            };
            return Told::error("too-far", text);
        }
        let (lifted, wings, missing) = self.load(loads, place, reach - leg);
        if lifted.is_empty() {
            let text = format!("{missing} bombers are missing: one is needed for each size point");
            return Told::error("nothing-in-range", text);
        }
        for &no in &lifted {
            self.paper.ordered.insert(no, line);
            if let Some(unit) = self.power.units.get_mut(&no) {
                unit.goal = None;
            }
        }
        let bombers: u16 = wings.iter().map(|w| w.bombers).sum();
        let carried = ranges(lifted.iter().copied());
        self.paper.lifts.push(Lift { line, units: lifted, to: base, wings });
        let note = format!(
            "{} for units {carried}, to stay at airbase {base}",
            counted(bombers, "bomber")
        );
        match missing {
            0 => Told::ok(note),
            n => {
                let text = format!("{note}; for the next unit {n} bombers are missing");
                Told::warning("planes-short", text)
            }
        }
    }

    /// The units that an airlift names and where they are; those of a sector as far as
    /// they have no other order.
    fn to_lift(
        &self,
        orders: &[(u32, Order)],
        line: u32,
        who: Who,
    ) -> Result<(Vec<u16>, Place), Told> {
        match who {
            Who::Unit(no) => {
                let Some(unit) = self.power.units.get(&no) else { return Err(self.no_unit(no)) };
                let before = self.moved_before(orders, line, no);
                match before.or_else(|| self.paper.ordered.get(&no).copied()) {
                    Some(first) => Err(second_order(no, first)),
                    None => Ok((vec![no], unit.at)),
                }
            }
            Who::Sector(sector) => {
                let place = self.square(sector)?;
                let here = self.power.units.iter().filter(|(_, u)| u.at == place);
                let free = here.map(|(n, _)| *n).filter(|n| {
                    !self.paper.ordered.contains_key(n)
                        && self.moved_before(orders, u32::MAX, *n).is_none()
                });
                Ok((free.collect(), place))
            }
        }
    }

    /// Draws bombers for units and their size points, in order, as long as there are
    /// enough: units, planes, and how many the next unit lacks.
    fn load(
        &mut self,
        loads: Vec<(u16, u32)>,
        place: Place,
        reach: i32,
    ) -> (Vec<u16>, Vec<Wing>, u16) {
        let (mut lifted, mut wings) = (Vec::new(), Vec::new());
        for (no, load) in loads {
            // A regiment has one bomber a size point; sizes are small.
            let need = u16::try_from(load).unwrap_or(u16::MAX);
            let drawn = self.draw_within(BOMBER, place, need, reach);
            let got: u16 = drawn.iter().map(|w| w.bombers).sum();
            if got < need {
                self.put_back(&drawn);
                return (lifted, wings, need - got);
            }
            wings.extend(drawn);
            lifted.push(no);
        }
        (lifted, wings, 0)
    }

    fn put_back(&mut self, wings: &[Wing]) {
        for wing in wings {
            if let Some(city) = self.power.cities.get_mut(&wing.base) {
                city.fighters += wing.fighters;
                city.bombers += wing.bombers;
            }
        }
    }

    fn fly(&mut self, base: u16, to: u16, planes: Option<(u8, u8)>) -> Told {
        let Some(from) = self.power.cities.get(&base) else { return self.no_city(base) };
        let Some((fighters, bombers)) = planes else {
            let ended = from.transfer.is_some();
            if let Some(city) = self.power.cities.get_mut(&base) {
                city.transfer = None;
            }
            let note = if ended { "the transfer ends" } else { "there was no transfer to end" };
            return Told::ok(note);
        };
        let Some(goal) = self.power.cities.get(&to) else { return self.no_city(to) };
        let leg = self.facts.grid.distance(from.at, goal.at);
        let reach = |kind: u8| self.facts.tables.reach(kind, self.power.tech);
        for (kind, n) in [(FIGHTER, fighters), (BOMBER, bombers)] {
            if n > 0 && leg > reach(kind) {
                let name = self.facts.tables.row(kind).name.to_lowercase();
                let text = format!(
                    "airbase {to} is {leg} sectors from {base}; {name} reach {}",
                    reach(kind)
                );
                return Told::error("too-far", text);
            }
        }
        if to == base {
            return Told::error("too-far", "a transfer leads from one airbase to another");
        }
        if let Some(city) = self.power.cities.get_mut(&base) {
            city.transfer = Some(Transfer { to, fighters, bombers });
        }
        Told::ok("")
    }

    /// Takes what the standing transfers find free, base by base.
    fn ferry(&mut self) {
        let bases: Vec<u16> = self.power.cities.keys().copied().collect();
        for from in bases {
            let Some(Transfer { to, fighters, bombers }) = self.power.cities[&from].transfer else {
                continue;
            };
            if !self.power.cities.contains_key(&to) {
                continue;
            }
            let Some(city) = self.power.cities.get_mut(&from) else { continue };
            let fighters = u16::from(fighters).min(city.free_fighters());
            let bombers = u16::from(bombers).min(city.bombers);
            city.fighters -= fighters;
            city.bombers -= bombers;
            if fighters + bombers > 0 {
                self.paper.ferries.push(Ferry { from, to, fighters, bombers });
            }
        }
    }

    /// What a new transfer flies this turn; nothing to say of a refused one.
    fn ferry_note(&self, line: u32, base: u16) -> Option<Told> {
        let fine_so_far = self.paper.told.get(&line).is_some_and(|t| t.mark == Mark::Ok);
        let transfer = self.power.cities.get(&base)?.transfer.filter(|_| fine_so_far)?;
        let now = self.paper.ferries.iter().find(|f| f.from == base);
        let (f, b) = now.map_or((0, 0), |f| (f.fighters, f.bombers));
        let wanted = planes(transfer.fighters.into(), transfer.bombers.into());
        let note = format!("{wanted} to airbase {} every turn", transfer.to);
        let short = f < u16::from(transfer.fighters) || b < u16::from(transfer.bombers);
        Some(match short {
            true => {
                let text = format!("{note}; now {}", planes(f, b));
                Told::warning("planes-short", text)
            }
            false => Told::ok(note),
        })
    }

    /// The line above with a valid A, M or K for a unit: it stands, although
    /// airlifts are assigned before such orders are issued.
    fn moved_before(&self, orders: &[(u32, Order)], line: u32, no: u16) -> Option<u32> {
        let digs = |u: &Unit| u.kind == ENGINEER && (self.facts.ruined)(u.at);
        let engineers = |n: &u16| self.power.units.get(n).is_some_and(digs);
        let names = |order: &Order| match order {
            Order::March { who, .. } => *who == Who::Unit(no),
            Order::Advance { who, aim } => *who == Who::Unit(no) && self.aim(*aim).is_ok(),
            Order::Engineer { unit, task } => *unit == no && *task == 1 && engineers(unit),
            _ => false,
        };
        let above = orders.iter().find(|(l, order)| *l < line && names(order));
        above.filter(|_| self.power.units.contains_key(&no)).map(|(l, _)| *l)
    }
}

/// `1 more is`, `3 more are`.
fn missing(n: u16) -> String {
    if n == 1 { "1 more is".to_owned() } else { format!("{n} more are") }
}
