//! Step 4: battles at sea (§10.8).

use super::super::map::SpaceId;
use super::super::state::Forces;
use super::super::verbs::Arm;
use super::{Count, Event, Field, SeaClash, Support, key, land};

const ARMS: [Arm; 3] = [Arm::Army, Arm::Navy, Arm::Air];

/// The forces of one player in a battle at sea.
struct Fleet {
    owner: u8,
    /// Its parts before the battle.
    began: Vec<Forces>,
    /// The forces of the sea itself first, then supporters in their order.
    parts: Vec<Forces>,
    /// Shots that it fires.
    shots: i64,
    hits: [i64; 3],
}

impl Fleet {
    fn sum(&mut self, arm: Arm) -> i64 {
        self.parts.iter_mut().map(|p| *p.of(arm)).sum()
    }
}

/// Fights in every sea where enemies meet. Supporters go home afterwards.
pub fn battles(field: &mut Field) {
    let seas: Vec<SpaceId> = field.tables.map.seas().collect();
    for at in seas {
        let mut supports = field.supports.remove(&at).unwrap_or_default();
        fight(field, at, &mut supports);
        supports.into_iter().for_each(|s| land::go_home(field, s));
    }
}

fn fight(field: &mut Field, at: SpaceId, supports: &mut [Support]) {
    let mut fleets = muster(field, at, supports);
    let owners: Vec<u8> = fleets.iter().map(|f| f.owner).collect();
    let hostile = |field: &Field, a: u8| owners.iter().any(|b| field.state.enemies(a, *b));
    fleets.retain(|f| hostile(field, f.owner));
    if fleets.is_empty() {
        return;
    }
    let before: Vec<[i64; 3]> = fleets.iter_mut().map(|f| ARMS.map(|arm| f.sum(arm))).collect();
    let figures = field.tables.figures.combat.clone();
    let weights = [figures.sea_weight_army, figures.sea_weight_navy, figures.sea_weight_air];
    for i in 0..fleets.len() {
        let (owner, shots) = (fleets[i].owner, fleets[i].shots);
        let targets: Vec<i64> = fleets
            .iter()
            .zip(&before)
            .flat_map(|(f, n)| {
                let enemy = field.state.enemies(owner, f.owner);
                std::array::from_fn::<i64, 3, _>(|k| if enemy { n[k] * weights[k] } else { 0 })
            })
            .collect();
        // Place: the sea, who shoots; for hits also who is shot at.
        let dice = field.dice.at([key(at), owner.into()]);
        let aimed = dice.scatter("shots at sea", shots, &targets);
        for (fleet, aimed) in fleets.iter_mut().zip(aimed.chunks(3)) {
            fleet.hits[0] += aimed[0];
            let dice = field.dice.at([key(at), owner.into(), fleet.owner.into()]);
            let halved = dice.heads("shots at ships", aimed[1]);
            fleet.hits[1] += dice.heads("shots at ships", halved);
            fleet.hits[2] += dice.heads("shots at planes", aimed[2]);
        }
    }
    let mut sides = Vec::new();
    for (fleet, before) in fleets.iter_mut().zip(&before) {
        let mut counts = [Count::default(); 3];
        for (k, arm) in ARMS.into_iter().enumerate() {
            let pools: Vec<i64> = fleet.parts.iter_mut().map(|p| *p.of(arm)).collect();
            // Place: the sea, whose losses, the arm from 1.
            let dice = field.dice.at([key(at), fleet.owner.into(), k as u32 + 1]);
            let lost = dice.pick("losses at sea", fleet.hits[k], &pools);
            for (part, n) in fleet.parts.iter_mut().zip(&lost) {
                *part.of(arm) -= n;
            }
            counts[k] = Count { sent: before[k], lost: lost.iter().sum() };
            field.lose(arm, counts[k].lost);
        }
        sides.push((fleet.owner, counts));
    }
    for fleet in fleets {
        scatter_back(field, at, fleet, supports);
    }
    field.events.push(Event::SeaClash(SeaClash { at, sides }));
}

/// All forces in a sea by player, with their supporters.
fn muster(field: &Field, at: SpaceId, supports: &[Support]) -> Vec<Fleet> {
    let bombers = field.tables.variant.bombers;
    let mut fleets: Vec<Fleet> = Vec::new();
    for owner in field.seats() {
        let here = field.state.sea(at).get(&owner).copied().unwrap_or_default();
        let mut parts = vec![here];
        // Bombers at sea do not shoot: they are cargo.
        let mut shots = here.navy + if bombers { 0 } else { here.air };
        for support in supports.iter().filter(|s| s.owner == owner) {
            parts.push(support.forces);
            shots += support.forces.navy + support.forces.air;
        }
        if parts.iter().any(|p| !p.is_empty()) {
            let began = parts.clone();
            fleets.push(Fleet { owner, began, parts, shots, hits: [0; 3] });
        }
    }
    fleets
}

/// Returns what is left to the sea and to the supporters.
fn scatter_back(field: &mut Field, at: SpaceId, fleet: Fleet, supports: &mut [Support]) {
    let Fleet { owner, began, parts, .. } = fleet;
    let came =
        std::iter::once(at).chain(supports.iter().filter(|s| s.owner == owner).map(|s| s.from));
    for (from, (before, after)) in came.zip(began.iter().zip(&parts)) {
        let (mut before, mut after) = (*before, *after);
        let arms = ARMS.map(|arm| {
            let sent = *before.of(arm);
            (arm, Count { sent, lost: sent - *after.of(arm) })
        });
        field.note_fight(owner, (from, at), &arms);
    }
    let mut parts = parts.into_iter();
    if let Some(here) = parts.next() {
        let sea = field.state.sea_mut(at);
        if here.is_empty() {
            sea.remove(&owner);
        } else {
            sea.insert(owner, here);
        }
    }
    for (support, left) in supports.iter_mut().filter(|s| s.owner == owner).zip(parts) {
        let lost = support.forces.total() - left.total();
        support.forces = left;
        field.mourn(support.from, owner, lost);
    }
}
