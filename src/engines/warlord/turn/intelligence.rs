//! Engineers at ruins (K), research (E) and spies (I): steps 7, 9 and 12.

use std::collections::BTreeMap;

use super::super::bases::Hangar;
use super::super::desk::{Inquiry, Job};
use super::super::events::{Event, Fact, Find};
use super::super::names;
use super::super::state::{General, JET, MISSILE, Power, State, WARHEAD};
use super::super::tables::Class;
use super::super::works::Task;
use super::{Field, works};

/// Step 7, K: engineers that are still at their ruins find something or not (§6); others
/// build (§11).
pub fn dig(field: &mut Field) {
    for seat in 1..=field.state.seats() {
        let jobs: BTreeMap<u16, Job> = std::mem::take(&mut field.papers[usize::from(seat)].jobs);
        for (unit, job) in jobs {
            if job.task != Task::Search {
                works::work(field, seat, unit, job);
                continue;
            }
            let Some(found) = field.state.powers[usize::from(seat)].units.get(&unit) else {
                continue;
            };
            let (at, regiments) = (found.at, u32::from(found.size));
            let ruin = field.state.world.ruins.iter().position(|&p| p == at);
            let (Some(ruin), false) = (ruin, field.stopped.contains(&(seat, unit))) else {
                continue;
            };
            let find = search(field, seat, (unit, regiments), ruin);
            if find == Find::Empty {
                field.state.powers[usize::from(seat)].exhausted.insert(at);
            }
            field.record(&[seat], Event::Dug { unit, at, find });
        }
    }
}

/// The find of a unit of some regiments at a ruin.
fn search(field: &mut Field, seat: u8, (unit, regiments): (u16, u32), ruin: usize) -> Find {
    let rules = field.state.tables.rules.ruins.clone();
    if field.state.ruin_finds[ruin] >= rules.finds_max {
        return Find::Empty;
    }
    let chance = rules.chance_percent + rules.regiment_percent * regiments;
    // Place of the whole search: number of the ruin, power, unit. Worlds have few ruins.
    let dice = field.dice.at([ruin as u32 + 1, seat.into(), unit.into()]);
    if !dice.chance("search of ruins", chance.min(rules.chance_max_percent) * 10) {
        return Find::Nothing;
    }
    field.state.ruin_finds[ruin] += 1;
    let plans = dice.below("kind of find", 100) < rules.plans_percent;
    let tech_max = field.state.tables.rules.research.tech_max;
    let power = &mut field.state.powers[usize::from(seat)];
    if plans && power.tech < tech_max {
        power.tech += 1;
        return Find::Plans(power.tech);
    }
    if dice.below("points or PP", 2) == 0 {
        let pp = dice.between("PP found", rules.pp_low, rules.pp_high);
        field.state.powers[usize::from(seat)].stock += pp * 100;
        field.found[usize::from(seat)] += pp * 100;
        return Find::Pp(pp);
    }
    let points = dice.between("points found", rules.points_low, rules.points_high);
    field.state.powers[usize::from(seat)].research += points * 100;
    Find::Points(points)
}

/// Step 9: a power that paid for research this turn may gain a level (§6).
pub fn research(field: &mut Field) {
    let rules = field.state.tables.rules.research.clone();
    for seat in 1..=field.state.seats() {
        let paid = field.papers[usize::from(seat)].bill.research;
        let power = &mut field.state.powers[usize::from(seat)];
        if paid == 0 || power.tech >= rules.tech_max {
            continue;
        }
        let per_mille = rules.chance(power.tech, paid, power.research);
        power.research += paid;
        // Place of the roll: the power.
        let gained = field.dice.at([seat.into()]).chance("research", per_mille);
        let power = &mut field.state.powers[usize::from(seat)];
        if gained {
            power.tech += 1;
            power.research = 0;
        }
        let (points, tech) = (power.research, gained.then_some(power.tech));
        field.record(&[seat], Event::Research { paid, points, tech, per_mille });
    }
}

/// Gives posts to the generals that a new tech level brings (§11).
pub fn new_generals(field: &mut Field) {
    for seat in 1..=field.state.seats() {
        let (tables, before) = (field.state.tables.clone(), field.techs[usize::from(seat)]);
        let now = field.state.powers[usize::from(seat)].tech;
        let mut due = tables.generals(now) - tables.generals(before);
        loop {
            let power = &mut field.state.powers[usize::from(seat)];
            if power.fell.is_some() || due == 0 {
                break;
            }
            due -= 1;
            power.generals.push(General { name: String::new(), skill: 0, gained: 0, billet: None });
            let index = power.generals.len() - 1;
            let taken: Vec<String> = power.generals.iter().map(|g| g.name.clone()).collect();
            // Place of the roll: the power.
            let name = names::general(&taken, field.dice.at([seat.into()]));
            let power = &mut field.state.powers[usize::from(seat)];
            let city = power.replace_general(index, name.clone());
            // There are few generals.
            field.record(&[seat], Event::NewGeneral { general: index as u8 + 1, name, city });
        }
    }
}

/// Step 12: the results of spies and satellites (§7, §11).
pub fn spy(field: &mut Field) {
    for seat in 1..=field.state.seats() {
        let pictures = std::mem::take(&mut field.papers[usize::from(seat)].pictures);
        pictures.iter().for_each(|&at| field.record(&[seat], Event::Picture { at }));
        field.state.powers[usize::from(seat)].pictures = pictures;
    }
    for seat in 1..=field.state.seats() {
        for inquiry in std::mem::take(&mut field.papers[usize::from(seat)].inquiries) {
            inquire(field, seat, inquiry);
        }
    }
}

fn inquire(field: &mut Field, seat: u8, Inquiry { player, pp, .. }: Inquiry) {
    let rules = field.state.tables.rules.spying.clone();
    // Place of the roll: the power that spies, and its target.
    let dice = field.dice.at([seat.into(), player.into()]);
    let luck = dice.between("luck of spies", rules.luck_low, rules.luck_high);
    let counter = field.papers[usize::from(player)].bill.counter_spying / 100;
    let own = i64::from(field.state.powers[usize::from(seat)].tech);
    let theirs = i64::from(field.state.powers[usize::from(player)].tech);
    let skill = (100 + rules.tech_percent * (own - theirs)).max(0);
    let divisor = rules.counter_divisor.max(1);
    let gained = pp * luck * divisor * skill / (divisor + counter) / 100 / 1000;
    let target = &field.state.powers[usize::from(player)];
    let facts: Vec<Fact> =
        secrets(&field.state, target).take(usize::try_from(gained).unwrap_or(0)).collect();
    for fact in &facts {
        if let Fact::City { number, .. } = fact {
            field.state.note_city(seat, *number, player);
        }
    }
    if theirs > own {
        field.state.powers[usize::from(seat)].research += pp * rules.research_percent;
    }
    field.record(&[seat], Event::SpyReport { player, paid: pp, facts });
}

/// The secrets of a power, in the order in which spies learn them.
fn secrets<'a>(state: &'a State, power: &'a Power) -> impl Iterator<Item = Fact> + 'a {
    let ship = |kind: u8| state.tables.row(kind).class == Class::Ship;
    let sum = |of: fn(&Hangar) -> u16| {
        power.bases().map(|(.., hangar)| u32::from(of(hangar))).sum::<u32>()
    };
    let divisions = power.units.values().filter(|u| !ship(u.kind)).count() as u32;
    let ships =
        power.units.values().filter(|u| ship(u.kind)).map(|u| u32::from(u.size)).sum::<u32>();
    let plain = [
        Fact::Tech(power.tech),
        Fact::Stock(power.stock / 100),
        Fact::Cities(power.cities.len() as u32),
        Fact::Divisions(divisions),
        Fact::Ships(ships),
        Fact::Fighters(sum(|h| h.planes.fighters)),
        Fact::Bombers(sum(|h| h.planes.bombers)),
        Fact::Allies(power.allies.iter().copied().collect()),
        Fact::Rating(power.rating.total()),
    ];
    let cities = power.cities.iter().map(|(number, city)| Fact::City {
        number: *number,
        at: city.at,
        level: city.level,
    });
    let grid = state.grid();
    let mut units: Vec<_> = power.units.values().map(|u| (u.at, u.kind, u.size)).collect();
    units.sort_by_key(|&(at, kind, size)| (grid.col(at), grid.row(at), kind, size));
    let units = units.into_iter().map(|(at, kind, size)| Fact::Unit { at, kind, size });
    let research = std::iter::once(Fact::Research(power.research / 100));
    // Spies report weapons of higher levels only if the power has reached these levels.
    let later = [
        (state.tables.row(JET).tech, Fact::Jets(sum(|h| h.planes.jets))),
        (state.tables.row(MISSILE).tech, Fact::Missiles(sum(|h| h.missiles))),
        (state.tables.row(WARHEAD).tech, Fact::Warheads(sum(|h| h.warheads))),
    ];
    let later = later.into_iter().filter(|(tech, _)| *tech <= power.tech).map(|(_, fact)| fact);
    plain.into_iter().chain(later).chain(cities).chain(units).chain(research)
}
