//! Steps 2 and 5 for missiles: R fires them, F carries them to another base, once (§11).

use super::super::bases::{BaseNo, Planes};
use super::super::orders::SectorNo;
use super::super::phrases::stored;
use super::super::state::{BOMBER, MISSILE};
use super::{Desk, Ferry, Salvo};
use engine::Told;
use tongue::say;

/// The answer to an order that only a later tech level allows.
pub(super) fn too_early(desk: &Desk, what: &str, gate: u8) -> Told {
    let own = desk.power.tech;
    let text = say!("{what} come with tech level {gate}; yours is {own}");
    Told::error("too-early", text)
}

/// R: the nearest bases and submarines fire first.
pub(super) fn rocket(
    desk: &mut Desk,
    line: u32,
    count: u16,
    atomic: bool,
    sector: SectorNo,
) -> Told {
    let gates = &desk.facts.tables.tech.gates;
    if desk.power.tech < gates.rockets {
        return too_early(desk, &say!("missiles"), gates.rockets);
    }
    if atomic && desk.power.tech < gates.atomic {
        return too_early(desk, &say!("atomic warheads"), gates.atomic);
    }
    let target = match desk.square(sector) {
        Ok(target) => target,
        Err(told) => return told,
    };
    if count == 0 {
        return Told::error("missiles", say!("at least one missile must fly: R 2 12323"));
    }
    if !desk.power.has_explored(target) {
        return Told::error("not-explored", say!("{sector} must be explored first"));
    }
    // The reach of missiles does not grow with the tech level [ours].
    let (grid, reach) = (desk.facts.grid, desk.facts.tables.row(MISSILE).points as i32);
    let mut near: Vec<(i32, BaseNo)> =
        desk.power.bases().map(|(base, at, _)| (grid.distance(at, target), base)).collect();
    near.retain(|(far, _)| *far <= reach);
    near.sort_unstable();
    let (mut left, mut batteries) = (count, Vec::new());
    for (_, base) in near {
        let Some(hangar) = desk.power.hangar_mut(base) else { continue };
        let ready = if atomic { hangar.missiles.min(hangar.warheads) } else { hangar.missiles };
        let fired = ready.min(left);
        if fired == 0 {
            continue;
        }
        hangar.missiles -= fired;
        hangar.warheads -= if atomic { fired } else { 0 };
        left -= fired;
        batteries.push((base, fired));
    }
    if batteries.is_empty() {
        let text = match atomic {
            true => {
                say!("no missile with a warhead of yours lies within {reach} sectors of {sector}")
            }
            false => say!("no missile of yours lies within {reach} sectors of {sector}"),
        };
        return Told::error("nothing-in-range", text);
    }
    let from = batteries.iter().map(|(base, n)| say!("{n} from airbase {base}"));
    let note = from.collect::<Vec<_>>().join(", ");
    let hits_own = atomic && is_near_own(desk, target);
    desk.paper.salvos.push(Salvo { line, target, atomic, batteries });
    if left > 0 {
        let text = say!("{note}; there are no more in reach");
        return Told::warning("missiles-short", text);
    }
    match hits_own {
        true => {
            Told::warning("own-ground", say!("{note}; you have land, units or a base in the blast"))
        }
        false => Told::ok(note),
    }
}

/// Whether a strike at the target would also wipe out something of the seat's own.
fn is_near_own(desk: &Desk, target: engine::geometry::Place) -> bool {
    let radius = desk.facts.tables.rules.missiles.atomic_radius;
    let near = |at| desk.facts.grid.distance(at, target) <= radius;
    desk.power.units.values().any(|u| near(u.at)) || desk.power.bases().any(|(_, at, _)| near(at))
}

/// F with M or A: moves missiles and warheads to another base, once and without a plane.
pub(super) fn carry_arms(
    desk: &mut Desk,
    from: BaseNo,
    to: BaseNo,
    missiles: u16,
    warheads: u16,
) -> Told {
    let gates = &desk.facts.tables.tech.gates;
    if desk.power.tech < gates.rockets {
        return too_early(desk, &say!("missiles"), gates.rockets);
    }
    if warheads > 0 && desk.power.tech < gates.atomic {
        return too_early(desk, &say!("atomic warheads"), gates.atomic);
    }
    let (Some(at), Some(goal)) = (desk.power.base_at(from), desk.power.base_at(to)) else {
        return desk.no_base(to);
    };
    if desk.is_carrier(to) {
        return Told::error("no-airbase", say!("a carrier takes planes, no missiles"));
    }
    if missiles + warheads == 0 {
        return Told::error("missiles", say!("at least one must be carried: F 23 41 M3"));
    }
    let reach = desk.facts.tables.reach(BOMBER, desk.power.tech);
    let leg = desk.facts.grid.distance(at, goal);
    if to == from || leg > reach {
        let text = say!("airbase {to} is {leg} sectors from {from}; 1 to {reach} will do");
        return Told::error("too-far", text);
    }
    let Some(hangar) = desk.power.hangar_mut(from) else { return desk.no_base(from) };
    let taken = (missiles.min(hangar.missiles), warheads.min(hangar.warheads));
    if taken == (0, 0) {
        let text = match warheads > 0 {
            true => say!("no warhead lies at airbase {from}"),
            false => say!("no missile lies at airbase {from}"),
        };
        return Told::error("no-missiles", text);
    }
    (hangar.missiles, hangar.warheads) = (hangar.missiles - taken.0, hangar.warheads - taken.1);
    let fits = !desk.facts.before || has_tubes(desk, to, taken);
    let ferry = Ferry { from, to, planes: Planes::default(), missiles: taken.0, warheads: taken.1 };
    desk.paper.ferries.push(ferry);
    let note = say!("{cargo} to airbase {to}", cargo = stored(Planes::default(), taken));
    match (taken == (missiles, warheads), fits) {
        (true, true) => Told::ok(note),
        (true, false) => {
            Told::warning("no-place", say!("{note}, as far as it has tubes free; the others stay"))
        }
        (false, _) => Told::warning("missiles-short", say!("{note}; there are no more")),
    }
}

/// Whether a base has enough free tubes for missiles and warheads, besides those that are already
/// on the way to it; bases on land always have room.
fn has_tubes(desk: &Desk, base: BaseNo, (missiles, warheads): (u16, u16)) -> bool {
    let BaseNo::Ship(no) = base else { return true };
    let (Some(unit), Some(deck)) = (desk.power.units.get(&no), desk.power.decks.get(&no)) else {
        return false;
    };
    // There are few ships and tubes.
    let tubes = desk.facts.tables.row(unit.kind).tubes as u16 * unit.size;
    let coming = desk.paper.ferries.iter().filter(|f| f.to == base);
    let (m, w) = coming.fold((0, 0), |(m, w), f| (m + f.missiles, w + f.warheads));
    deck.missiles + m + missiles <= tubes && deck.warheads + w + warheads <= tubes
}
