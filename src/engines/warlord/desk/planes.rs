//! Step 2: planes are assigned to O, B and V in card order, then to the standing transfers of F,
//! base by base (§5).
//!
//! The nearest base with free planes is used first. Planes on a mission are taken off their base
//! here, and the mission puts them back; planes on watch are never taken. Jets go before fighters.

use super::super::bases::{BaseNo, Planes, Transfer};
use super::super::orders::{Freight, Landing, Order, SectorNo, Who};
use super::super::phrases::{guns as guns_in_words, planes, ranges};
use super::super::state::{BOMBER, FIGHTER, JET, PARATROOPS, Unit, is_land};
use super::{Desk, Drop, Ferry, Lift, Sortie, Wing, second_order};
use crate::desk::missiles;
use crate::desk::works;
use engine::geometry::Place;
use engine::{Mark, Told};
use tongue::{count, say};

/// Step 2.
pub fn assign_planes(desk: &mut Desk, orders: &[(u32, Order)]) {
    desk.paper.standing = desk.power.units.clone();
    desk.each(orders, |desk, line, order| match order {
        Order::Bomb { bombers, sector } => Some(bomb(desk, line, *bombers, *sector)),
        Order::Observe { fighters, sector } => Some(observe(desk, line, *fighters, *sector)),
        Order::Airlift { who, goal } => Some(airlift(desk, orders, line, *who, *goal)),
        Order::Rocket { missiles, atomic, sector } => {
            Some(missiles::rocket(desk, line, *missiles, *atomic, *sector))
        }
        Order::Fly { base, to, cargo } => Some(fly(desk, *base, *to, *cargo)),
        _ => None,
    });
    ferry(desk);
    // The planes that a new transfer flies this turn are known only now, after all missions.
    desk.each(orders, |desk, line, order| match order {
        Order::Fly { base, cargo: Freight::Planes(_), .. } => ferry_note(desk, line, *base),
        _ => None,
    });
}

fn bomb(desk: &mut Desk, line: u32, bombers: u16, sector: SectorNo) -> Told {
    let target = match desk.square(sector) {
        Ok(target) => target,
        Err(told) => return told,
    };
    // Ships fire at a sector only once a turn, so that guns can't be fired without end [ours].
    let before = desk.paper.raids.iter().find(|r| r.target == target && r.guns);
    let before = before.map(|r| r.line);
    let guns = if before.is_some() { 0 } else { guns(desk, target) };
    let mut wings = draw(desk, &[BOMBER], target, bombers);
    let drawn: u16 = wings.iter().map(|w| w.planes.bombers).sum();
    let escort = if drawn > 0 { bombers } else { 0 };
    for wing in draw(desk, &[JET, FIGHTER], target, escort) {
        match wings.iter_mut().find(|w| w.base == wing.base) {
            Some(found) => found.planes += wing.planes,
            None => wings.push(wing),
        }
    }
    let mut cover: Planes = wings.iter().map(|w| w.planes).sum();
    cover.bombers = 0;
    if drawn == 0 && guns == 0 {
        let ships =
            say!("no destroyer, cruiser or battleship of yours lies near enough to {sector}");
        let text = match (bombers, before) {
            (0, Some(first)) => {
                say!("the guns fire at {sector} already, by line {first}; once a turn")
            }
            (0, None) => ships,
            _ => format!("{}; {ships}", none_free(desk, BOMBER, target)),
        };
        return Told::error("nothing-in-range", text);
    }
    desk.paper.raids.push(Sortie { line, target, wings, guns: guns > 0 });
    let flown = match cover.total() {
        0 => count!(drawn, "{drawn} bomber, no escort", "{drawn} bombers, no escort"),
        _ => {
            let cover = planes(cover);
            count!(drawn, "{drawn} bomber with {cover}", "{drawn} bombers with {cover}")
        }
    };
    let note = match (bombers > 0, guns > 0) {
        (true, true) => say!("{flown} and {guns}", guns = guns_in_words(guns)),
        (true, false) => flown,
        (false, _) => guns_in_words(guns),
    };
    all_or_less(note, bombers - drawn)
}

/// Guns reach land only.
fn guns(desk: &Desk, target: Place) -> i64 {
    match (desk.facts.sea)(target) {
        true => 0,
        false => desk.power.guns_at(desk.facts.tables, desk.facts.grid, target),
    }
}

fn observe(desk: &mut Desk, line: u32, fighters: u16, sector: SectorNo) -> Told {
    let target = match desk.square(sector) {
        Ok(target) => target,
        Err(told) => return told,
    };
    if fighters == 0 {
        return Told::error("planes", say!("at least one fighter must fly"));
    }
    let wings = draw(desk, &[JET, FIGHTER], target, fighters);
    let sent: Planes = wings.iter().map(|w| w.planes).sum();
    if sent.total() == 0 {
        return Told::error("nothing-in-range", none_free(desk, FIGHTER, target));
    }
    desk.paper.scouts.push(Sortie { line, target, wings, guns: false });
    let note = match sent.total() {
        1 => say!("{planes}; it reports and does not attack", planes = planes(sent)),
        _ => {
            say!("{planes}; they report and attack the first enemy unit", planes = planes(sent))
        }
    };
    all_or_less(note, fighters - sent.total())
}

/// Why no plane of a type can fly to a target: none is near, or those that are near have something
/// else to do.
fn none_free(desk: &Desk, kind: u8, target: Place) -> String {
    let is_fighter = kind == FIGHTER;
    let radius = desk.facts.tables.radius(kind, desk.power.tech);
    let distance = |at| desk.facts.grid.distance(at, target);
    let near = |base: &BaseNo| desk.power.base_at(*base).is_some_and(|at| distance(at) <= radius);
    let sorties = desk.paper.raids.iter().chain(&desk.paper.scouts).map(|s| (s.line, &s.wings));
    let flights = sorties.chain(desk.paper.lifts.iter().map(|l| (l.line, &l.wings)));
    let flights = flights.chain(desk.paper.drops.iter().map(|d| (d.line, &d.wings)));
    let flies = |w: &Wing| near(&w.base) && w.planes.count(kind) > 0;
    let busy = flights.filter(|(_, wings)| wings.iter().any(flies));
    // There are few card lines.
    let lines: std::collections::BTreeSet<u16> = busy.map(|(line, _)| line as u16).collect();
    let at_home = || {
        let bases = desk.power.bases().map(|(_, at, h)| (distance(at), h.planes.count(kind)));
        bases.filter(|(_, n)| *n > 0)
    };
    let watch: u16 = at_home().filter(|(far, _)| *far <= radius).map(|(_, n)| n).sum();
    let mut why = Vec::new();
    if watch > 0 {
        why.push(match is_fighter {
            true => count!(watch, "{watch} fighter on watch", "{watch} fighters on watch"),
            false => count!(watch, "{watch} bomber on watch", "{watch} bombers on watch"),
        });
    }
    if !lines.is_empty() {
        why.push(count!(
            n = lines.len(),
            "named already in line {lines}",
            "named already in lines {lines}",
            lines = ranges(lines.iter().copied())
        ));
    }
    if !why.is_empty() {
        let why = why.join(", ");
        return match is_fighter {
            true => say!("no fighter is free within {radius} sectors: {why}"),
            false => say!("no bomber is free within {radius} sectors: {why}"),
        };
    }
    match (at_home().map(|(far, _)| far).min(), is_fighter) {
        (Some(far), true) => say!(
            "out of range: fighters fly missions of {radius} sectors, and your nearest base \
             with one is {far} away"
        ),
        (Some(far), false) => say!(
            "out of range: bombers fly missions of {radius} sectors, and your nearest base \
             with one is {far} away"
        ),
        (None, true) => say!("you have no fighter at home"),
        (None, false) => say!("you have no bomber at home"),
    }
}

/// Takes up to `most` free planes of some types off the bases within the radius of a target: type
/// by type in the given order, and the nearest base first.
fn draw(desk: &mut Desk, kinds: &[u8], target: Place, most: u16) -> Vec<Wing> {
    let mut wings: Vec<Wing> = Vec::new();
    let mut left = most;
    for &kind in kinds {
        let radius = desk.facts.tables.radius(kind, desk.power.tech);
        for wing in draw_within(desk, kind, target, left, radius) {
            left -= wing.planes.total();
            match wings.iter_mut().find(|w| w.base == wing.base) {
                Some(found) => found.planes += wing.planes,
                None => wings.push(wing),
            }
        }
    }
    wings
}

pub(super) fn draw_within(
    desk: &mut Desk,
    kind: u8,
    target: Place,
    most: u16,
    radius: i32,
) -> Vec<Wing> {
    let grid = desk.facts.grid;
    let bases = desk.power.bases().map(|(base, at, _)| (grid.distance(at, target), base));
    let mut bases: Vec<(i32, BaseNo)> = bases.filter(|(d, _)| *d <= radius).collect();
    bases.sort_unstable();
    let mut left = most;
    let mut wings = Vec::new();
    for (_, base) in bases {
        let Some(hangar) = desk.power.hangar_mut(base) else { continue };
        let n = hangar.free().count(kind).min(left);
        if n == 0 {
            continue;
        }
        left -= n;
        let planes = Planes::of(kind, n);
        hangar.planes -= planes;
        wings.push(Wing { base, planes });
    }
    wings
}

fn airlift(desk: &mut Desk, orders: &[(u32, Order)], line: u32, who: Who, goal: Landing) -> Told {
    let base = match goal {
        Landing::Base(base @ BaseNo::Land(_)) => base,
        Landing::Base(BaseNo::Ship(_)) => {
            let text = say!("a ship's deck takes planes, no divisions");
            return Told::error("no-airbase", text);
        }
        Landing::Drop(sector) => return drop_at(desk, orders, line, who, sector),
    };
    let Some(goal) = desk.power.base_at(base) else { return desk.no_base(base) };
    let (units, place) = match to_lift(desk, orders, line, who) {
        Ok(found) => found,
        Err(told) => return told,
    };
    let loads = loads(desk, &units, |_| true);
    if loads.is_empty() {
        let text = say!("no land unit that is free and not aboard is there");
        return Told::error("nobody-there", text);
    }
    if !is_airbase(desk, place) {
        let text = say!("units are airlifted from your own airbases only");
        return Told::error("no-airbase", text);
    }
    let reach = desk.facts.tables.reach(BOMBER, desk.power.tech);
    let leg = desk.facts.grid.distance(place, goal);
    if leg == 0 || leg > reach {
        let text = match leg {
            0 => say!("that is where they stand"),
            n => say!("airbase {base} is {n} sectors away; bombers reach {reach}"),
        };
        return Told::error("too-far", text);
    }
    let (lifted, wings, missing) = load(desk, loads, place, reach - leg);
    if lifted.is_empty() {
        let text = say!("{missing} bombers are missing: one is needed for each size point");
        return Told::error("nothing-in-range", text);
    }
    send(desk, line, &lifted);
    let bombers: u16 = wings.iter().map(|w| w.planes.bombers).sum();
    let carried = ranges(lifted.iter().copied());
    desk.paper.lifts.push(Lift { line, units: lifted, to: base, wings });
    let note = count!(
        bombers,
        "{bombers} bomber for units {carried}, to stay at airbase {base}",
        "{bombers} bombers for units {carried}, to stay at airbase {base}"
    );
    short_of(note, missing)
}

/// Drops paratroops from an own airbase into a sector (§11).
fn drop_at(
    desk: &mut Desk,
    orders: &[(u32, Order)],
    line: u32,
    who: Who,
    sector: SectorNo,
) -> Told {
    let gate = desk.facts.tables.tech.gates.drop;
    if desk.power.tech < gate {
        let text = say!(
            "dropping troops into a sector comes with tech level {gate}; V takes the number of \
             an airbase: V unit airbase"
        );
        return Told::error("too-early", text);
    }
    let target = match desk.square(sector) {
        Ok(target) => target,
        Err(told) => return told,
    };
    if (desk.facts.sea)(target) || !desk.power.has_explored(target) {
        let text = say!("{sector} must be land that you have explored");
        return Told::error("not-explored", text);
    }
    if desk.power.known_site(target).is_hot(desk.facts.turn) {
        return Told::error("radiation", say!("there is radiation at {sector}"));
    }
    let (units, place) = match to_lift(desk, orders, line, who) {
        Ok(found) => found,
        Err(told) => return told,
    };
    let loads = loads(desk, &units, |u| u.kind == PARATROOPS);
    if loads.is_empty() {
        let text = say!("only paratroops (ID 9) drop into a sector");
        return Told::error("no-paratroops", text);
    }
    if !is_airbase(desk, place) {
        let text = say!("paratroops start from your own airbases only");
        return Told::error("no-airbase", text);
    }
    let radius = desk.facts.tables.radius(BOMBER, desk.power.tech);
    let leg = desk.facts.grid.distance(place, target);
    if leg == 0 || leg > radius {
        let text = match leg {
            0 => say!("that is where they stand"),
            n => say!("{sector} is {n} sectors away; bombers come back from {radius}"),
        };
        return Told::error("too-far", text);
    }
    let (dropped, wings, missing) = load(desk, loads, place, radius - leg);
    if dropped.is_empty() {
        let text = say!("{missing} bombers are missing: one is needed for each size point");
        return Told::error("nothing-in-range", text);
    }
    send(desk, line, &dropped);
    let bombers: u16 = wings.iter().map(|w| w.planes.bombers).sum();
    let names = ranges(dropped.iter().copied());
    desk.paper.drops.push(Drop { line, units: dropped, target, wings });
    let note = count!(
        bombers,
        "{bombers} bomber drop units {names} at {sector} and come back; they attack in phase \
         1 and cannot retreat",
        "{bombers} bombers drop units {names} at {sector} and come back; they attack in phase \
         1 and cannot retreat"
    );
    short_of(note, missing)
}

/// The land units among these that may fly, with their size points.
fn loads(desk: &Desk, units: &[u16], may: impl Fn(&Unit) -> bool) -> Vec<(u16, u32)> {
    let load = |no: &u16| {
        let unit = desk.power.units.get(no)?;
        let row = desk.facts.tables.row(unit.kind);
        let fits = is_land(row.class) && unit.aboard.is_none() && may(unit);
        fits.then(|| (*no, row.size * u32::from(unit.size)))
    };
    units.iter().filter_map(load).collect()
}

/// Whether an own airbase on land is here.
fn is_airbase(desk: &Desk, place: Place) -> bool {
    desk.power.city_at(place).is_some() || desk.power.airbases.values().any(|a| a.at == place)
}

/// Notes that units that fly have their one order.
fn send(desk: &mut Desk, line: u32, units: &[u16]) {
    for &no in units {
        desk.paper.ordered.insert(no, line);
        if let Some(unit) = desk.power.units.get_mut(&no) {
            unit.goal = None;
        }
    }
}

/// The units that an airlift names, and where they are; for a sector, the units there that have no
/// other order.
fn to_lift(
    desk: &Desk,
    orders: &[(u32, Order)],
    line: u32,
    who: Who,
) -> Result<(Vec<u16>, Place), Told> {
    match who {
        Who::Unit(no) => {
            let Some(unit) = desk.power.units.get(&no) else { return Err(desk.no_unit(no)) };
            let before = moved_before(desk, orders, line, no);
            match before.or_else(|| desk.paper.ordered.get(&no).copied()) {
                Some(first) => Err(second_order(no, first)),
                None => Ok((vec![no], unit.at)),
            }
        }
        Who::Sector(sector) => {
            let place = desk.square(sector)?;
            let here = desk.power.units.iter().filter(|(_, u)| u.at == place);
            let free = here.map(|(n, _)| *n).filter(|n| {
                !desk.paper.ordered.contains_key(n)
                    && moved_before(desk, orders, u32::MAX, *n).is_none()
            });
            Ok((free.collect(), place))
        }
    }
}

/// Draws bombers for units in order, one for each size point, as long as there are enough: returns
/// the units, the planes, and how many the next unit lacks.
fn load(
    desk: &mut Desk,
    loads: Vec<(u16, u32)>,
    place: Place,
    reach: i32,
) -> (Vec<u16>, Vec<Wing>, u16) {
    let (mut lifted, mut wings) = (Vec::new(), Vec::new());
    for (no, load) in loads {
        // A regiment needs one bomber for each size point; sizes are small.
        let need = u16::try_from(load).unwrap_or(u16::MAX);
        let drawn = draw_within(desk, BOMBER, place, need, reach);
        let got: u16 = drawn.iter().map(|w| w.planes.bombers).sum();
        if got < need {
            put_back(desk, &drawn);
            return (lifted, wings, need - got);
        }
        wings.extend(drawn);
        lifted.push(no);
    }
    (lifted, wings, 0)
}

fn put_back(desk: &mut Desk, wings: &[Wing]) {
    for wing in wings {
        if let Some(hangar) = desk.power.hangar_mut(wing.base) {
            hangar.planes += wing.planes;
        }
    }
}

fn fly(desk: &mut Desk, base: BaseNo, to: BaseNo, cargo: Freight) -> Told {
    let Some(from) = desk.power.base_at(base) else { return desk.no_base(base) };
    let wanted = match cargo {
        Freight::Nothing => {
            let hangar = desk.power.hangar_mut(base);
            let ended = hangar.and_then(|h| h.transfer.take()).is_some();
            return Told::ok(match ended {
                true => say!("the transfer ends"),
                false => say!("there was no transfer to end"),
            });
        }
        Freight::Planes(planes) => planes,
        Freight::Arms(missiles, warheads) => {
            return missiles::carry_arms(desk, base, to, missiles, warheads);
        }
    };
    let tables = desk.facts.tables;
    if wanted.jets > 0 && desk.power.tech < tables.row(JET).tech {
        return missiles::too_early(desk, &say!("jets"), tables.row(JET).tech);
    }
    let Some(goal) = desk.power.base_at(to) else { return desk.no_base(to) };
    if to == base {
        return Told::error("too-far", say!("a transfer leads from one airbase to another"));
    }
    let leg = desk.facts.grid.distance(from, goal);
    for kind in [FIGHTER, BOMBER, JET].into_iter().filter(|k| wanted.count(*k) > 0) {
        let reach = tables.reach(kind, desk.power.tech);
        if leg > reach {
            let text = match kind {
                FIGHTER => {
                    say!("airbase {to} is {leg} sectors from {base}; fighters reach {reach}")
                }
                BOMBER => {
                    say!("airbase {to} is {leg} sectors from {base}; bombers reach {reach}")
                }
                _ => say!("airbase {to} is {leg} sectors from {base}; jets reach {reach}"),
            };
            return Told::error("too-far", text);
        }
    }
    if is_submarine(desk, to) {
        return Told::error("no-airbase", say!("a submarine carries missiles, no planes"));
    }
    if let Some(hangar) = desk.power.hangar_mut(base) {
        hangar.transfer = Some(Transfer { to, planes: wanted });
    }
    Told::ok("")
}

/// Whether a base is a submarine, which has tubes and not a deck.
pub(super) fn is_submarine(desk: &Desk, base: BaseNo) -> bool {
    let BaseNo::Ship(no) = base else { return false };
    desk.power.units.get(&no).is_some_and(|u| desk.facts.tables.row(u.kind).places == 0)
}

/// Takes free planes for the standing transfers, base by base.
fn ferry(desk: &mut Desk) {
    let bases: Vec<BaseNo> = desk.power.bases().map(|(base, ..)| base).collect();
    for from in bases {
        let Some(transfer) = desk.power.hangar(from).and_then(|h| h.transfer) else {
            continue;
        };
        let reach = |kind: u8| desk.facts.tables.reach(kind, desk.power.tech);
        let (Some(at), Some(goal)) = (desk.power.base_at(from), desk.power.base_at(transfer.to))
        else {
            continue;
        };
        // A carrier may have sailed too far away.
        let leg = desk.facts.grid.distance(at, goal);
        let mut able = Planes::default();
        for kind in Planes::KINDS.into_iter().filter(|k| leg <= reach(*k)) {
            *able.count_mut(kind) = transfer.planes.count(kind);
        }
        let Some(hangar) = desk.power.hangar_mut(from) else { continue };
        let planes = hangar.free().least(able);
        hangar.planes -= planes;
        if planes.total() > 0 {
            let ferry = Ferry { from, to: transfer.to, planes, missiles: 0, warheads: 0 };
            desk.paper.ferries.push(ferry);
        }
    }
}

/// The answer to a new transfer, with the planes that it flies this turn; `None` if it was refused.
fn ferry_note(desk: &Desk, line: u32, base: BaseNo) -> Option<Told> {
    let fine_so_far = desk.paper.told.get(&line).is_some_and(|t| t.mark == Mark::Ok);
    let transfer = desk.power.hangar(base)?.transfer.filter(|_| fine_so_far)?;
    let now = desk.paper.ferries.iter().find(|f| f.from == base && f.planes.total() > 0);
    let now = now.map_or(Planes::default(), |f| f.planes);
    let note = say!(
        "{planes} to airbase {base} every turn",
        planes = planes(transfer.planes),
        base = transfer.to
    );
    if desk.facts.before && now.total() > 0 && !has_places(desk, transfer.to) {
        let text = say!(
            "{note}; now {planes}, as far as there are places: the others come back",
            planes = planes(now)
        );
        return Some(Told::warning("no-place", text));
    }
    Some(match now {
        now if now == transfer.planes => Told::ok(note),
        now if now.total() == 0 => Told::warning("planes-short", say!("{note}; now none")),
        now => {
            let text = say!("{note}; now {planes}", planes = planes(now));
            Told::warning("planes-short", text)
        }
    })
}

/// Whether a base has places for all planes that are there, on their way to it or coming back to
/// it; bases on land always have.
pub fn has_places(desk: &Desk, base: BaseNo) -> bool {
    let BaseNo::Ship(no) = base else { return true };
    let (Some(unit), Some(deck)) = (desk.power.units.get(&no), desk.power.decks.get(&no)) else {
        return false;
    };
    let paper = &desk.paper;
    let wings = paper.raids.iter().chain(&paper.scouts).flat_map(|s| &s.wings);
    let wings = wings.chain(paper.drops.iter().flat_map(|d| &d.wings));
    let back = wings.filter(|w| w.base == base).map(|w| w.planes);
    let coming = paper.ferries.iter().filter(|f| f.to == base).map(|f| f.planes);
    let all: Planes = back.chain(coming).chain([deck.planes]).sum();
    let places = desk.facts.tables.row(unit.kind).places * u32::from(unit.size);
    all.places() <= places
}

/// The earlier line with a valid A, M or K order for a unit: that order stands, although airlifts
/// are assigned before such orders are issued.
fn moved_before(desk: &Desk, orders: &[(u32, Order)], line: u32, no: u16) -> Option<u32> {
    let names = |order: &Order| match order {
        Order::March { who, .. } => *who == Who::Unit(no),
        Order::Advance { who, aim } => *who == Who::Unit(no) && desk.aim(*aim).is_ok(),
        Order::Engineer { unit, task } => *unit == no && works::may_work(desk, *unit, *task),
        _ => false,
    };
    let above = orders.iter().find(|(l, order)| *l < line && names(order));
    above.filter(|_| desk.power.units.contains_key(&no)).map(|(l, _)| *l)
}

/// An answer that adds how many bombers the next unit lacks.
fn short_of(note: String, missing: u16) -> Told {
    match missing {
        0 => Told::ok(note),
        n => {
            let text = say!("{note}; for the next unit {n} bombers are missing");
            Told::warning("planes-short", text)
        }
    }
}

/// An answer that adds how many planes are not free.
fn all_or_less(note: String, missing: u16) -> Told {
    match missing {
        0 => Told::ok(note),
        n => {
            let text = count!(n, "{note}; {n} more is not free", "{note}; {n} more are not free");
            Told::warning("planes-short", text)
        }
    }
}
