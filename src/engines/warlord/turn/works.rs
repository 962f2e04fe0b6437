//! Step 7, K: engineers build roads, forts and airbases, and pull them down (§11).

use super::super::bases::{Airbase, BaseNo, Hangar};
use super::super::desk::Job;
use super::super::events::Event;
use super::super::works::{Task, Works};
use super::{Field, hangars};
use engine::geometry::Place;

/// Does the job of a unit; a unit that was driven off or is lost does nothing.
pub fn work(field: &mut Field, seat: u8, unit: u16, job: Job) {
    let found = field.state.powers[usize::from(seat)].units.get(&unit).cloned();
    let worker = found.filter(|_| !field.stopped.contains(&(seat, unit)));
    let Some(worker) = worker.filter(|w| w.aboard.is_none()) else {
        return give_back(field, seat, job);
    };
    let at = worker.at;
    if !is_wanted(field, at, job.task) {
        give_back(field, seat, job);
        field.record(&[seat], Event::NoWork { unit, at, task: job.task });
        return;
    }
    if job.task == Task::PullDown {
        pull_down(field, at);
        let points = (1, 1);
        field.record(&[seat], Event::Worked { unit, at, task: job.task, points, base: None });
        return;
    }
    let needed = field.state.tables.work_points(job.task, field.state.world.ground(at));
    let works = field.state.works.entry(at).or_default();
    if job.task == Task::Airbase {
        match (works.base_paid, job.paid) {
            // An ally's engineers have begun it this turn.
            (true, 1..) => give_back(field, seat, job),
            // The airbase that was begun is gone.
            (false, 0) => {
                field.record(&[seat], Event::NoWork { unit, at, task: job.task });
                return;
            }
            _ => works.base_paid = true,
        }
    }
    let works = field.state.works.entry(at).or_default();
    works.add(job.task, worker.size);
    let done = works.points(job.task).min(needed);
    let base = (done >= needed).then(|| finish(field, seat, at, job.task)).flatten();
    let points = (done, needed);
    field.record(&[seat], Event::Worked { unit, at, task: job.task, points, base });
}

/// Whether a work can go on in a sector.
fn is_wanted(field: &Field, at: Place, task: Task) -> bool {
    let works = field.state.works.get(&at).copied().unwrap_or_default();
    let city = field.city_in(at).is_some();
    match task {
        Task::Search => false,
        Task::Road => !works.road,
        Task::Fort => !works.fort && !city,
        Task::Airbase => field.airbase_in(at).is_none() && !city,
        Task::PullDown => works != Works::default() || field.airbase_in(at).is_some(),
    }
}

/// Pays PP for an airbase that is not begun back into the stock.
fn give_back(field: &mut Field, seat: u8, job: Job) {
    field.state.powers[usize::from(seat)].stock += job.paid;
    field.papers[usize::from(seat)].bill.construction -= job.paid;
}

/// Finishes a work; returns the number of a new airbase.
fn finish(field: &mut Field, seat: u8, at: Place, task: Task) -> Option<u16> {
    let works = field.state.works.entry(at).or_default();
    match task {
        Task::Road => (works.road, works.road_points) = (true, 0),
        Task::Fort => (works.fort, works.fort_points) = (true, 0),
        _ => (works.base_points, works.base_paid) = (0, false),
    }
    if *works == Works::default() {
        field.state.works.remove(&at);
    }
    if task != Task::Airbase {
        return None;
    }
    // The number above all airbases, including those of cities.
    let built = field.state.powers.iter().flat_map(|p| p.airbases.keys().copied());
    // Cities are numbered by u16.
    let number = built.max().unwrap_or(0).max(field.state.world.cities.len() as u16) + 1;
    let base = Airbase { at, name: String::new(), hangar: Hangar::default() };
    field.state.powers[usize::from(seat)].airbases.insert(number, base);
    field.airfields.insert(at, (number, seat));
    Some(number)
}

/// Removes all works of a sector, done or begun; planes of an airbase go elsewhere.
fn pull_down(field: &mut Field, at: Place) {
    field.state.works.remove(&at);
    let Some((number, owner)) = field.airfields.remove(&at) else { return };
    let base = field.state.powers[usize::from(owner)].airbases.remove(&number);
    let Some(Airbase { hangar, .. }) = base else { return };
    let planes = hangar.planes;
    let left = Hangar { planes, ..Hangar::default() };
    hangars::gone(field, owner, BaseNo::Land(number), &hangar, &left);
    hangars::put_down(field, owner, BaseNo::Land(number), planes, at);
}
