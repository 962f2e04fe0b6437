//! Standing orders (§8.1).

use std::collections::BTreeSet;

use super::super::map::SpaceId;
use super::super::verbs::UnitOrder;
use super::{Act, Desk, Job, Origin, Section, Use, Verdict, refuse};
use engine::Told;
use tongue::say;

impl Desk<'_> {
    /// `/k/ORDER` and `/k/` (§8.1).
    pub(super) fn standing(&mut self, slot: i64, order: Option<UnitOrder<String>>) -> Verdict {
        let from = match self.section {
            Section::Space(space) if !self.map().is_sea(space) => space,
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
                let order = self.read_target(&order)?;
                if let Err(told) = self.possible(from, &order) {
                    let (place, why) = (self.code(from), told.note);
                    return refuse("E27", say!("never legal for {place}, not stored: {why}"));
                }
                Some(order)
            }
        };
        let slots = self.paper.standing.entry(from).or_default();
        let note = match (&slots[slot], &order) {
            (None, None) => say!("there was no order in this slot"),
            (Some(_), None) => say!("cancelled"),
            (Some(_), Some(_)) => say!("replaces the standing order of this slot"),
            (None, Some(_)) => say!("on file until you change it"),
        };
        slots[slot].clone_from(&order);
        self.act = Some(Act::Standing(from, slot, order));
        Ok(Told::ok(note))
    }

    /// Standing orders, behind all explicit ones, in the order of their slots.
    pub(super) fn use_standing(&mut self) {
        let all: Vec<(SpaceId, usize, UnitOrder<SpaceId>)> = self
            .paper
            .standing
            .iter()
            .flat_map(|(space, slots)| {
                let filled = slots.iter().enumerate();
                filled.filter_map(|(i, d)| Some((*space, i, d.clone()?)))
            })
            .collect();
        for (from, slot, order) in all {
            let tried = self
                .possible(from, &order)
                .and_then(|()| self.allowed_now(from, &order))
                .and_then(|()| self.assign(from, &order));
            let how = match tried {
                Ok((n, _)) => {
                    let canal = self.canal_for(from, &order);
                    let job = Job {
                        order: UnitOrder { n, ..order },
                        origin: Origin::Standing(slot),
                        canal,
                    };
                    self.paper.jobs.entry(from).or_default().push(job);
                    Use::Used(n)
                }
                Err(told) => Use::Skipped(told.note),
            };
            self.paper.standing_use.insert((from, slot), how);
        }
        self.warn_of_skipped();
    }

    /// W28: a standing order of this card that is not used this turn.
    pub(super) fn warn_of_skipped(&mut self) {
        let skipped: BTreeSet<(String, String)> = self
            .paper
            .standing_use
            .iter()
            .filter_map(|((space, slot), how)| match how {
                Use::Skipped(why) => {
                    let order = self.paper.standing[space][*slot].as_ref()?;
                    Some((format!("/{}/{}", slot + 1, self.written(order)), why.clone()))
                }
                Use::Used(_) => None,
            })
            .collect();
        for (_, text, told) in &mut self.paper.told {
            let why = skipped.iter().find(|(written, _)| written == text);
            if let Some((_, why)) = why.filter(|_| told.code == "ok") {
                *told = Told::warning("W28", say!("kept, but not used this turn: {why}"));
            }
        }
    }
}
