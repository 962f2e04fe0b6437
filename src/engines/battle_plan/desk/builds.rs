//! Default builds (§8.2).

use super::super::map::SpaceId;
use super::super::state::DOLLARS;
use super::super::verbs::{Arm, UnitOrder, Verb};
use super::{Desk, Holding, Job, Origin};

/// Adds the default builds of all industry that is still idle (§8.2).
pub(super) fn fill_defaults(desk: &mut Desk) {
    let lands: Vec<(SpaceId, bool, i64)> = desk
        .holdings
        .iter()
        .filter_map(|(s, h)| match h {
            Holding::Land(c) => Some((*s, c.is_minor(), c.industry)),
            Holding::Sea(_) => None,
        })
        .collect();
    for (space, minor, stock) in lands {
        let idle = desk.free.get(&(space, Arm::Industry)).copied().unwrap_or(stock);
        let jobs = desk.paper.jobs.entry(space).or_default();
        let built: Vec<Arm> = jobs
            .iter()
            .filter_map(|j| match j.order.verb {
                Verb::Build(arm) => Some(arm),
                _ => None,
            })
            .collect();
        let coast = desk.facts.tables.map.has_coast(space);
        let player = &desk.paper.player;
        for (item, n) in
            default_builds(idle, &player.defaults, &player.multipliers, minor, coast, &built)
        {
            let Some(arm) = Arm::ALL.get(item).copied() else {
                // No order builds Dollars; the turn takes the industry that is left idle.
                continue;
            };
            let order = UnitOrder { verb: Verb::Build(arm), n, target: None };
            jobs.push(Job { order, origin: Origin::Default, canal: None });
        }
        if jobs.is_empty() {
            desk.paper.jobs.remove(&space);
        }
    }
}

/// The builds of a minor that nobody controls: army, navy and air force in equal parts.
pub fn builds_alone(idle: i64, multiplier: i64, coast: bool) -> Vec<(usize, i64)> {
    let mut defaults = [0; 7];
    for arm in [Arm::Army, Arm::Navy, Arm::Air] {
        defaults[arm as usize] = 1;
    }
    default_builds(idle, &defaults, &[multiplier; 8], true, coast, &[])
}

/// The use of idle industry: the index among the default builds, and the amount. What goes to
/// Dollars has the index [`DOLLARS`].
pub fn default_builds(
    idle: i64,
    defaults: &[u8; 7],
    multipliers: &[i64; 8],
    minor: bool,
    coast: bool,
    built: &[Arm],
) -> Vec<(usize, i64)> {
    if idle <= 0 {
        return Vec::new();
    }
    let usable = |item: &usize| match Arm::ALL.get(*item) {
        Some(arm) => {
            defaults[*item] > 0
                && !built.contains(arm)
                && (*arm != Arm::Navy || coast)
                && multipliers[*item] > 0
        }
        None => defaults[DOLLARS] > 0 && !minor,
    };
    let items: Vec<usize> = (0..7).filter(usable).collect();
    if items.is_empty() {
        return vec![(if minor { Arm::Army as usize } else { DOLLARS }, idle)];
    }
    let mut proportions: i64 = items.iter().map(|i| i64::from(defaults[*i])).sum();
    let mut rest = idle;
    let mut out = Vec::new();
    for item in items {
        let own = i64::from(defaults[item]);
        // Rounded half up.
        let n = (2 * rest * own + proportions) / (2 * proportions);
        rest -= n;
        proportions -= own;
        if n > 0 {
            out.push((item, n));
        }
    }
    out
}
