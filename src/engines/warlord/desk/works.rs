//! Step 6, K: engineers search ruins and build works (§6, §11).

use super::super::phrases::pp;
use super::super::state::ENGINEER;
use super::super::tables::{Tables, Terrain};
use super::super::works::{Task, Works};
use super::{Desk, Job};
use engine::Told;
use engine::geometry::Place;
use std::collections::{BTreeMap, BTreeSet};
use tongue::{say, word};

/// Does the job of a unit in a sector; `false` when nothing is left to do.
fn works_on(
    works: &mut Works,
    base: &mut bool,
    job: &Job,
    size: u16,
    tables: &Tables,
    ground: Terrain,
) -> bool {
    let wanted = match job.task {
        Task::Search => true,
        Task::Road => !works.road,
        Task::Fort => !works.fort,
        Task::Airbase => !*base && (works.base_paid || job.paid > 0),
        Task::PullDown => *works != Works::default() || *base,
    };
    if !wanted {
        return false;
    }
    if job.task == Task::PullDown {
        (*works, *base) = (Works::default(), false);
        return true;
    }
    works.base_paid |= job.task == Task::Airbase;
    works.add(job.task, size);
    if works.points(job.task) >= tables.work_points(job.task, ground) {
        match job.task {
            Task::Road => (works.road, works.road_points) = (true, 0),
            Task::Fort => (works.fort, works.fort_points) = (true, 0),
            _ => (*base, works.base_points, works.base_paid) = (true, 0, false),
        }
    }
    true
}

pub(super) fn engineer(desk: &mut Desk, line: u32, unit: u16, task: u8) -> Told {
    let known = desk.known(unit).cloned();
    if known.as_ref().is_some_and(|u| u.kind != ENGINEER) {
        return Told::error("no-engineers", say!("unit {unit} is no engineer division"));
    }
    let Some(task) = Task::of(task) else { return no_task(desk, task) };
    let gate = task.gate(&desk.facts.tables.tech.gates);
    if desk.power.tech < gate {
        let text = say!(
            "task {number} ({name}) comes with tech level {gate}; yours is {own}",
            number = task as u8 + 1,
            name = word(task.name()),
            own = desk.power.tech
        );
        return Told::error("too-early", text);
    }
    if let Some(at) = known.as_ref().map(|u| u.at)
        && let Some(told) = no_ground(desk, unit, at, task)
    {
        return told;
    }
    let aboard = known.is_some_and(|u| u.aboard.is_some());
    if aboard {
        return Told::error("aboard", say!("unit {unit} is aboard; it works ashore only"));
    }
    let price = price_of(desk, unit, task);
    if price > desk.power.stock {
        let text = say!(
            "an airbase needs {price} PP when it is begun and you have {stock}",
            price = pp(price),
            stock = pp(desk.power.stock)
        );
        return Told::error("short-of-pp", text);
    }
    if let Err(told) = desk.take(line, unit) {
        return told;
    }
    desk.power.stock -= price;
    desk.paper.bill.construction += price;
    if let Some(unit) = desk.power.units.get_mut(&unit) {
        unit.goal = None;
    }
    desk.paper.jobs.insert(unit, Job { line, task, paid: price });
    let known = desk.known(unit).map(|u| u.at);
    let empty = known.is_some_and(|at| desk.power.exhausted.contains(&at));
    if task == Task::Search && empty {
        let text = say!("the ruins are known to be empty: it stays there and finds nothing");
        return Told::warning("empty-ruins", text);
    }
    let size = desk.known(unit).map_or(0, |u| u.size);
    let done = known.map_or(0, |at| desk.power.known_site(at).works.points(task)) + size;
    Told::ok(work_note(desk, unit, task, price, done))
}

/// Counts the work of several engineers in a sector, who work one after the other, by number: the
/// works after all of them, and the units for whom nothing is left to do.
pub(super) fn count_works(desk: &mut Desk) {
    let mut sites: BTreeMap<Place, Vec<u16>> = BTreeMap::new();
    for (no, job) in &desk.paper.jobs {
        let at = desk.known(*no).map(|u| u.at).filter(|_| job.task != Task::Search);
        sites.entry(at.unwrap_or(Place(u16::MAX))).or_default().push(*no);
    }
    sites.remove(&Place(u16::MAX));
    for (at, units) in sites.into_iter().filter(|(_, units)| units.len() > 1) {
        let ground = (desk.facts.ground)(at).unwrap_or(Terrain::Open);
        let site = desk.power.known_site(at);
        let (mut works, mut base) = (site.works, site.base.is_some());
        let mut idle = BTreeSet::new();
        for no in &units {
            let (Some(job), Some(unit)) = (desk.paper.jobs.get(no), desk.known(*no)) else {
                continue;
            };
            if !works_on(&mut works, &mut base, job, unit.size, desk.facts.tables, ground) {
                idle.insert(*no);
            }
        }
        for no in units {
            let Some(job) = desk.paper.jobs.get(&no).copied() else { continue };
            let finished = match job.task {
                Task::Road => works.road,
                Task::Fort => works.fort,
                _ => base,
            };
            let done = if finished { u16::MAX } else { works.points(job.task) };
            let told = match idle.contains(&no) {
                true => Told::warning(
                    "no-work",
                    say!("nothing is left for unit {no} to do there in this turn"),
                ),
                false => Told::ok(work_note(desk, no, job.task, job.paid, done)),
            };
            desk.paper.told.insert(job.line, told);
        }
    }
}

/// Whether engineers could do a task where they stand.
pub(super) fn may_work(desk: &Desk, unit: u16, task: u8) -> bool {
    let (Some(found), Some(task)) = (desk.power.units.get(&unit), Task::of(task)) else {
        return false;
    };
    let known = task.gate(&desk.facts.tables.tech.gates) <= desk.power.tech;
    found.kind == ENGINEER
        && found.aboard.is_none()
        && known
        && no_ground(desk, unit, found.at, task).is_none()
}

/// Why a task is impossible where a unit stands.
fn no_ground(desk: &Desk, unit: u16, at: Place, task: Task) -> Option<Told> {
    let site = desk.power.known_site(at);
    let in_city = desk.power.city_at(at).is_some() || (desk.facts.city)(at);
    let (code, text) = match task {
        Task::Search if !(desk.facts.ruined)(at) => {
            ("no-ruins", say!("there are no ruins where unit {unit} stands"))
        }
        Task::Road if site.works.road => ("done", say!("there is a road where unit {unit} stands")),
        Task::Fort if in_city => ("city", say!("no fort is built in a city")),
        Task::Airbase if in_city => ("city", say!("no airbase is built in a city")),
        Task::Fort if site.works.fort => ("done", say!("there is a fort where unit {unit} stands")),
        Task::Airbase if site.base.is_some() => {
            ("done", say!("there is an airbase where unit {unit} stands"))
        }
        Task::PullDown if site.works == Default::default() && site.base.is_none() => {
            ("nothing", say!("there are no works where unit {unit} stands"))
        }
        _ => return None,
    };
    Some(Told::error(code, text))
}

/// Hundredths of PP for an airbase, due when it is begun; paid once for each sector.
fn price_of(desk: &Desk, unit: u16, task: Task) -> i64 {
    let Some(at) = desk.known(unit).map(|u| u.at) else { return 0 };
    let begun = desk.power.known_site(at).works.base_paid
        || desk.paper.jobs.iter().any(|(other, job)| {
            job.paid > 0 && desk.power.units.get(other).is_some_and(|u| u.at == at)
        });
    match task == Task::Airbase && !begun {
        true => desk.facts.tables.rules.works.base_pp * 100,
        false => 0,
    }
}

/// The work that a unit does; `done` points are done after this turn.
fn work_note(desk: &Desk, unit: u16, task: Task, price: i64, done: u16) -> String {
    let Some(found) = desk.known(unit) else { return String::new() };
    let ground = (desk.facts.ground)(found.at).unwrap_or(Terrain::Open);
    let needed = desk.facts.tables.work_points(task, ground);
    let done = done.min(needed);
    match task {
        Task::Search => say!("searches the ruins and does not move"),
        Task::PullDown => say!("pulls down the works of its sector and does not move"),
        Task::Road => {
            say!("works on a road and does not move: {done} of {needed} points after this turn")
        }
        Task::Fort => {
            say!("works on a fort and does not move: {done} of {needed} points after this turn")
        }
        Task::Airbase if price == 0 => {
            say!("works on a airbase and does not move: {done} of {needed} points after this turn")
        }
        Task::Airbase => say!(
            "works on a airbase for {price} PP and does not move: {done} of {needed} points \
             after this turn",
            price = pp(price)
        ),
    }
}

fn no_task(desk: &Desk, task: u8) -> Told {
    let gates = &desk.facts.tables.tech.gates;
    let known = Task::ALL.iter().filter(|t| t.gate(gates) <= desk.power.tech);
    let known = known.map(|t| format!("{} ({})", *t as u8 + 1, word(t.name())));
    let known = known.collect::<Vec<_>>().join(", ");
    let text = say!("{task} is no task; you know {known}");
    Told::error("task", text)
}
