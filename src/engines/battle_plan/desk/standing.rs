//! Standing orders (§8.1).

use std::collections::BTreeSet;

use super::super::map::SpaceId;
use super::super::verbs::UnitOrder;
use super::{Act, Desk, Job, Origin, Section, Use, Verdict, refuse};
use engine::Told;
use tongue::say;

/// `/k/ORDER` and `/k/` (§8.1).
pub(super) fn standing(desk: &mut Desk, slot: i64, order: Option<UnitOrder<String>>) -> Verdict {
    let from = match desk.section {
        Section::Space(space) if !desk.map().is_sea(space) => space,
        Section::Lost => return refuse("E08", say!("not used: its section was refused")),
        _ => {
            let text = say!("standing orders are for countries only, below @ and a code");
            return refuse("E26", text);
        }
    };
    let slot = match usize::try_from(slot) {
        Ok(slot @ 1..=5) => slot - 1,
        _ => return refuse("E26", say!("slots are 1 to 5")),
    };
    let order = match order {
        None => None,
        Some(order) => {
            let order = desk.read_target(&order)?;
            if let Err(told) = desk.possible(from, &order) {
                let (place, why) = (desk.code(from), told.note);
                return refuse("E27", say!("never legal for {place}, not stored: {why}"));
            }
            Some(order)
        }
    };
    let slots = desk.paper.standing.entry(from).or_default();
    let note = match (&slots[slot], &order) {
        (None, None) => say!("there was no order in this slot"),
        (Some(_), None) => say!("cancelled"),
        (Some(_), Some(_)) => say!("replaces the standing order of this slot"),
        (None, Some(_)) => say!("on file until you change it"),
    };
    slots[slot].clone_from(&order);
    desk.act = Some(Act::Standing(from, slot, order));
    Ok(Told::ok(note))
}

/// Uses the standing orders after all explicit ones, in the order of their slots.
pub(super) fn use_standing(desk: &mut Desk) {
    let all: Vec<(SpaceId, usize, UnitOrder<SpaceId>)> = desk
        .paper
        .standing
        .iter()
        .flat_map(|(space, slots)| {
            let filled = slots.iter().enumerate();
            filled.filter_map(|(i, d)| Some((*space, i, d.clone()?)))
        })
        .collect();
    for (from, slot, order) in all {
        let tried = desk
            .possible(from, &order)
            .and_then(|()| desk.allowed_now(from, &order))
            .and_then(|()| desk.assign(from, &order));
        let how = match tried {
            Ok((n, _)) => {
                let canal = desk.canal_for(from, &order);
                let job =
                    Job { order: UnitOrder { n, ..order }, origin: Origin::Standing(slot), canal };
                desk.paper.jobs.entry(from).or_default().push(job);
                Use::Used(n)
            }
            Err(told) => Use::Skipped(told.note),
        };
        desk.paper.standing_use.insert((from, slot), how);
    }
    warn_of_skipped(desk);
}

/// Warns (W28) of standing orders of this card that are not used this turn.
pub(super) fn warn_of_skipped(desk: &mut Desk) {
    let skipped: BTreeSet<(String, String)> = desk
        .paper
        .standing_use
        .iter()
        .filter_map(|((space, slot), how)| match how {
            Use::Skipped(why) => {
                let order = desk.paper.standing[space][*slot].as_ref()?;
                Some((format!("/{}/{}", slot + 1, desk.written(order)), why.clone()))
            }
            Use::Used(_) => None,
        })
        .collect();
    for (_, text, told) in &mut desk.paper.told {
        let why = skipped.iter().find(|(written, _)| written == text);
        if let Some((_, why)) = why.filter(|_| told.code == "ok") {
            *told = Told::warning("W28", say!("kept, but not used this turn: {why}"));
        }
    }
}
