//! R: missiles, atomic strikes, and the defences against both (§11).

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::bases::{BaseNo, Hangar, Planes};
use super::super::desk::{Paper, Salvo};
use super::super::events::{Event, News, Salvo as Report, SideReport};
use super::super::state::{Billet, NOBODY};
use super::{Field, air, combat, hangars};
use engine::geometry::Place;

/// Step 5, R: salvos in the order of seats and cards; each defence tries only once a turn.
pub fn salvos(field: &mut Field) {
    let mut spent = BTreeSet::new();
    for seat in 1..=field.state.seats() {
        for salvo in std::mem::take(&mut field.papers[usize::from(seat)].salvos) {
            fire(field, seat, &salvo, &mut spent);
        }
    }
}

fn fire(field: &mut Field, seat: u8, salvo: &Salvo, spent: &mut BTreeSet<u16>) {
    let at = salvo.target;
    // A base that an earlier salvo wiped out fires nothing.
    let stands =
        |field: &Field, base: BaseNo| field.state.powers[usize::from(seat)].hangar(base).is_some();
    for &(base, lost) in &salvo.batteries {
        if stands(field, base) {
            continue;
        }
        let missiles = (lost, if salvo.atomic { lost } else { 0 });
        field.record(&[seat], Event::Wrecked { base, planes: Planes::default(), missiles });
    }
    let fired: u16 =
        salvo.batteries.iter().filter(|(base, _)| stands(field, *base)).map(|(_, n)| *n).sum();
    let first = field.events.len();
    let (mut came, mut stopped) = (0, Vec::new());
    if fired == 0 {
        return;
    }
    for missile in 0..fired {
        match intercept(field, seat, at, missile, spent) {
            Some(city) => stopped.push(city),
            None => came += 1,
        }
    }
    for (_, owner) in &stopped {
        combat::meet(field, seat, *owner);
    }
    let mut report = Report {
        at,
        by: seat,
        atomic: salvo.atomic,
        fired,
        stopped: stopped.iter().map(|(city, _)| *city).collect(),
        target: None,
        losses: SideReport { seat: NOBODY, losses: Vec::new() },
        walls: None,
        planes: Planes::default(),
    };
    let mut to: Vec<u8> = vec![seat];
    to.extend(stopped.iter().map(|(_, owner)| *owner));
    if came > 0 && salvo.atomic {
        let hit = detonate(field, at, seat);
        to.extend(&hit);
        field.tell_at(first, &to, Event::Salvo(Box::new(report)));
        field.news(News::Atomic { by: seat, hit });
        return;
    }
    if came > 0 {
        explode(field, &mut report, came);
        to.extend(report.target);
    }
    field.tell_at(first, &to, Event::Salvo(Box::new(report)));
}

/// The defence that stops a missile. Those within reach try, the nearest first, then by number,
/// each only once a turn.
fn intercept(
    field: &mut Field,
    seat: u8,
    at: Place,
    missile: u16,
    spent: &mut BTreeSet<u16>,
) -> Option<(u16, u8)> {
    let rules = field.state.tables.rules.missiles.clone();
    let grid = field.state.grid();
    let mut near: Vec<(i32, u16, u8)> = Vec::new();
    for power in field.state.powers.iter().filter(|p| field.state.is_hostile(p.seat, seat)) {
        for (number, city) in power.cities.iter().filter(|(_, c)| c.shield) {
            near.push((grid.distance(city.at, at), *number, power.seat));
        }
    }
    near.retain(|(far, number, _)| *far <= rules.shield_range && !spent.contains(number));
    near.sort_unstable();
    for (_, number, owner) in near {
        spent.insert(number);
        // Place of the roll: sector, attacker, missile, city.
        let place = [at.0.into(), seat.into(), missile.into(), number.into()];
        if field.dice.at(place).chance("missile stopped", rules.shield_percent * 10) {
            return Some((number, owner));
        }
    }
    None
}

/// Missiles that come through hit units like bombs, else walls, then planes.
fn explode(field: &mut Field, report: &mut Report, came: u16) {
    let rules = field.state.tables.rules.missiles.clone();
    let (at, seat) = (report.at, report.by);
    let Some((target, units)) = air::find_target(field, seat, at) else { return };
    report.target = Some(target);
    combat::meet(field, seat, target);
    if !units.is_empty() {
        let shelter = combat::shelter(field, target, at);
        let damage = rules.damage * i64::from(came) * 1000;
        report.losses = air::hit_units(field, (at, seat), (target, units), (damage, shelter));
        return;
    }
    let mut left = came;
    let city = field.state.powers[usize::from(target)].cities.values_mut().find(|c| c.at == at);
    if let Some(city) = city.filter(|c| c.level > 0) {
        let before = city.level;
        while left > 0 && city.level > 0 {
            city.level = city.level.saturating_sub(rules.levels);
            left -= 1;
        }
        report.walls = Some((before, city.level));
    }
    report.planes = wreck(field, report, target, rules.damage * i64::from(left));
}

/// The planes on the ground that `points` of damage destroy; each is equally likely.
fn wreck(field: &mut Field, report: &Report, target: u8, points: i64) -> Planes {
    let at = report.at;
    let tables = field.state.tables.clone();
    let mut wrecked = Planes::default();
    let bases: Vec<BaseNo> = field.state.powers[usize::from(target)]
        .bases()
        .filter(|(_, place, _)| *place == at)
        .map(|(base, ..)| base)
        .collect();
    let mut left = points;
    for base in bases {
        while let Some(hangar) = field.state.powers[usize::from(target)].hangar(base) {
            // Place of the rolls: sector, attacker, owner of the base.
            let dice = field.dice.at([at.0.into(), report.by.into(), target.into()]);
            let hit = hangars::any_plane(dice, hangar.planes);
            let tough: i64 = Planes::KINDS
                .map(|kind| i64::from(hit.count(kind)) * tables.row(kind).defence)
                .iter()
                .sum();
            if hit.total() == 0 || tough > left {
                break;
            }
            left -= tough;
            wrecked += hit;
            if let Some(hangar) = field.state.powers[usize::from(target)].hangar_mut(base) {
                hangar.planes -= hit;
            }
        }
    }
    wrecked
}

/// Destroys everything in the sector and around it; returns the players who were hit.
fn detonate(field: &mut Field, at: Place, by: u8) -> Vec<u8> {
    let rules = field.state.tables.rules.missiles.clone();
    let ring: Vec<Place> = field.state.grid().within(at, rules.atomic_radius).collect();
    let mut hit: BTreeSet<u8> = BTreeSet::new();
    for seat in NOBODY..=field.state.seats() {
        if wipe_out(field, seat, &ring) {
            hit.insert(seat);
        }
    }
    let until = field.state.turn + rules.radiation_turns;
    for place in ring {
        field.state.works.remove(&place);
        if !field.state.world.is_sea(place) {
            field.state.fallout.insert(place, until);
            let holder = std::mem::take(&mut field.state.control[usize::from(place.0)]);
            hit.insert(holder);
        }
    }
    hit.remove(&NOBODY);
    for &seat in hit.iter().filter(|s| **s != by) {
        combat::meet(field, by, seat);
    }
    hit.into_iter().collect()
}

/// Destroys what a power has in these sectors; returns whether there was anything.
fn wipe_out(field: &mut Field, seat: u8, ring: &[Place]) -> bool {
    let power = &field.state.powers[usize::from(seat)];
    let inside = |at: &Place| ring.contains(at);
    let bases: Vec<BaseNo> =
        power.bases().filter(|(_, at, _)| inside(at)).map(|(base, ..)| base).collect();
    let units: Vec<u16> =
        power.units.iter().filter(|(_, u)| inside(&u.at)).map(|(no, _)| *no).collect();
    let any = !bases.is_empty() || !units.is_empty();
    for base in bases {
        let hangar = field.state.powers[usize::from(seat)].hangar_mut(base);
        let mut before = hangar.map(std::mem::take).unwrap_or_default();
        grounded(&mut field.papers[usize::from(seat)], base, &mut before);
        hangars::gone(field, seat, base, &before, &Hangar::default());
        match base {
            BaseNo::Land(no) if usize::from(no) <= field.state.world.cities.len() => {
                raze_city(field, seat, no);
            }
            BaseNo::Land(no) => {
                field.state.powers[usize::from(seat)].airbases.remove(&no);
                field.airfields.retain(|_, (number, _)| *number != no);
            }
            BaseNo::Ship(_) => {}
        }
    }
    for no in units {
        let Some(unit) = field.state.powers[usize::from(seat)].units.get(&no).cloned() else {
            continue;
        };
        let told = Event::Lost { unit: no, kind: unit.kind, size: unit.size, at: unit.at };
        field.record(&[seat], told);
        combat::remove(field, seat, no);
    }
    any
}

/// Planes and missiles that were to start from a base this turn are lost with it.
fn grounded(paper: &mut Paper, base: BaseNo, lost: &mut Hangar) {
    let sorties = paper.raids.iter_mut().chain(&mut paper.scouts).map(|s| &mut s.wings);
    let lifts = paper.lifts.iter_mut().map(|l| &mut l.wings);
    let drops = paper.drops.iter_mut().map(|d| &mut d.wings);
    for wings in sorties.chain(lifts).chain(drops) {
        wings.retain(|wing| {
            if wing.base == base {
                lost.planes += wing.planes;
            }
            wing.base != base
        });
    }
    paper.ferries.retain(|ferry| {
        if ferry.from == base {
            lost.planes += ferry.planes;
            lost.missiles += ferry.missiles;
            lost.warheads += ferry.warheads;
        }
        ferry.from != base
    });
}

/// Turns a city into ruins like others; it no longer counts as a city.
fn raze_city(field: &mut Field, seat: u8, number: u16) {
    let power = &mut field.state.powers[usize::from(seat)];
    let Some(city) = power.cities.remove(&number) else { return };
    field.owners[usize::from(number) - 1] = NOBODY;
    field.sites[usize::from(city.at.0)] = 0;
    field.state.razed.insert(number);
    Arc::make_mut(&mut field.state.world).ruins.push(city.at);
    field.state.ruin_finds.push(0);
    field.record(&[seat], Event::CityRazed { city: number, name: city.name, at: city.at });
    combat::lose_generals(field, seat, Billet::City(number), city.at);
}
