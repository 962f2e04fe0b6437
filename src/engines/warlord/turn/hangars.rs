//! Planes and missiles at their bases: planes at home, free places, and losses with a base (§5,
//! §11).

use super::super::bases::{BaseNo, Hangar, Planes};
use super::super::events::Event;
use super::super::state::BOMBER;
use super::Field;
use engine::Dice;
use engine::geometry::Place;

/// Fighters and jets of a seat at its bases in a sector.
pub fn cover(field: &Field, seat: u8, at: Place) -> Planes {
    let bases = field.state.powers[usize::from(seat)].bases();
    let here = bases.filter(|(_, place, _)| *place == at).map(|(.., hangar)| hangar.planes);
    let all: Planes = here.sum();
    Planes { bombers: 0, ..all }
}

/// Takes planes that were shot down from the bases of a seat in a sector, base by base.
pub fn take(field: &mut Field, seat: u8, at: Place, mut lost: Planes) {
    let power = &mut field.state.powers[usize::from(seat)];
    let here: Vec<BaseNo> =
        power.bases().filter(|(_, place, _)| *place == at).map(|(base, ..)| base).collect();
    for base in here {
        let Some(hangar) = power.hangar_mut(base) else { continue };
        let gone = hangar.planes.least(lost);
        hangar.planes -= gone;
        lost -= gone;
    }
}

/// One of these planes, each as likely as any other; none if there are none.
pub fn any_plane(dice: &mut Dice, planes: Planes) -> Planes {
    if planes.total() == 0 {
        return Planes::default();
    }
    let mut pick = dice.below("plane hit", planes.total().into());
    // Fighters are counted first, so that old games give the same results.
    for kind in [super::super::state::FIGHTER, super::super::state::JET] {
        let there = u32::from(planes.count(kind));
        if pick < there {
            return Planes::of(kind, 1);
        }
        pick -= there;
    }
    Planes::of(BOMBER, 1)
}

/// Free places of a base, without limit on land. Planes that observe later in the turn keep theirs.
fn room(field: &Field, seat: u8, base: BaseNo) -> u32 {
    let BaseNo::Ship(no) = base else { return u32::MAX };
    let power = &field.state.powers[usize::from(seat)];
    let (Some(unit), Some(hangar)) = (power.units.get(&no), power.decks.get(&no)) else {
        return 0;
    };
    let scouts = field.papers[usize::from(seat)].scouts.iter().flat_map(|s| &s.wings);
    let away: Planes = scouts.filter(|w| w.base == base).map(|w| w.planes).sum();
    let all = field.state.row(unit).places * u32::from(unit.size);
    all.saturating_sub(hangar.planes.places() + away.places())
}

/// As many of the planes as a base has places for, jets first, bombers last; none if the base is
/// lost.
pub fn fitting(field: &Field, seat: u8, base: BaseNo, planes: Planes) -> Planes {
    if field.state.powers[usize::from(seat)].hangar(base).is_none() {
        return Planes::default();
    }
    let mut room = room(field, seat, base);
    let mut fit = Planes::default();
    for kind in Planes::KINDS {
        let most = u32::from(planes.count(kind)).min(room / Planes::places_of(kind));
        room -= most * Planes::places_of(kind);
        *fit.count_mut(kind) = most as u16;
    }
    fit
}

/// As many missiles and warheads as a base takes: any number on land, as many of each as a
/// submarine has free tubes, none on a carrier.
pub fn arms_fitting(field: &Field, seat: u8, base: BaseNo, arms: (u16, u16)) -> (u16, u16) {
    let power = &field.state.powers[usize::from(seat)];
    let Some(hangar) = power.hangar(base) else { return (0, 0) };
    let BaseNo::Ship(no) = base else { return arms };
    let Some(unit) = power.units.get(&no) else { return (0, 0) };
    // There are few ships and tubes.
    let tubes = field.state.row(unit).tubes as u16 * unit.size;
    let free = |has: u16| tubes.saturating_sub(has);
    (arms.0.min(free(hangar.missiles)), arms.1.min(free(hangar.warheads)))
}

/// Puts missiles and warheads back into the base that they came from, if it still exists.
pub fn store(field: &mut Field, seat: u8, base: BaseNo, arms: (u16, u16)) {
    if let Some(hangar) = field.state.powers[usize::from(seat)].hangar_mut(base) {
        (hangar.missiles, hangar.warheads) = (hangar.missiles + arms.0, hangar.warheads + arms.1);
    }
}

/// Puts planes down at a base. Those that find no place there go to the nearest other bases within
/// reach; those that find none are lost.
pub fn put_down(field: &mut Field, seat: u8, base: BaseNo, planes: Planes, from: Place) {
    let fit = fitting(field, seat, base, planes);
    if let Some(hangar) = field.state.powers[usize::from(seat)].hangar_mut(base) {
        hangar.planes += fit;
    }
    let mut left = planes - fit;
    if left.total() == 0 {
        return;
    }
    let grid = field.state.grid();
    let bases = field.state.powers[usize::from(seat)].bases();
    let mut near: Vec<(i32, BaseNo)> =
        bases.map(|(other, at, _)| (grid.distance(at, from), other)).collect();
    near.sort_unstable();
    for (far, other) in near {
        let mut able = Planes::default();
        for kind in Planes::KINDS {
            if far <= reach(field, seat, kind) {
                *able.count_mut(kind) = left.count(kind);
            }
        }
        let fit = fitting(field, seat, other, able);
        if fit.total() == 0 {
            continue;
        }
        if let Some(hangar) = field.state.powers[usize::from(seat)].hangar_mut(other) {
            hangar.planes += fit;
        }
        left -= fit;
        field.record(&[seat], Event::BaseLost { from: base, to: Some(other), planes: fit });
    }
    if left.total() > 0 {
        field.record(&[seat], Event::BaseLost { from: base, to: None, planes: left });
    }
}

/// Loses planes and missiles aboard for which there are no longer places; each plane is equally
/// likely.
pub fn shrink(field: &mut Field, seat: u8, ship: u16) {
    let tables = field.state.tables.clone();
    let power = &mut field.state.powers[usize::from(seat)];
    let (Some(unit), Some(hangar)) = (power.units.get(&ship), power.decks.get_mut(&ship)) else {
        return;
    };
    let row = tables.row(unit.kind);
    let (places, tubes) = (row.places * u32::from(unit.size), row.tubes as u16 * unit.size);
    let before = hangar.clone();
    // Place of the rolls: the base, and its owner.
    let dice = field.dice.at([dice_no(BaseNo::Ship(ship)), seat.into()]);
    while hangar.planes.places() > places {
        hangar.planes -= any_plane(dice, hangar.planes);
    }
    hangar.missiles = hangar.missiles.min(tubes);
    hangar.warheads = hangar.warheads.min(tubes);
    let after = hangar.clone();
    gone(field, seat, BaseNo::Ship(ship), &before, &after);
}

/// Records the losses of a hangar for its seat.
pub fn gone(field: &mut Field, seat: u8, base: BaseNo, before: &Hangar, after: &Hangar) {
    let planes = before.planes - after.planes;
    let missiles = (before.missiles - after.missiles, before.warheads - after.warheads);
    if planes.total() + missiles.0 + missiles.1 > 0 {
        field.record(&[seat], Event::Wrecked { base, planes, missiles });
    }
}

/// Half of the contents of a captured base; the rest is destroyed.
pub fn half(hangar: &Hangar) -> Hangar {
    let mut planes = Planes::default();
    for kind in Planes::KINDS {
        *planes.count_mut(kind) = hangar.planes.count(kind) / 2;
    }
    Hangar {
        planes,
        missiles: hangar.missiles / 2,
        warheads: hangar.warheads / 2,
        ..Hangar::default()
    }
}

/// Planes that look for another base have their full one-way reach.
fn reach(field: &Field, seat: u8, kind: u8) -> i32 {
    field.state.tables.reach(kind, field.state.powers[usize::from(seat)].tech)
}

/// The number of a base in the dice: cities and airbases by number, ships above them.
fn dice_no(base: BaseNo) -> u32 {
    match base {
        BaseNo::Land(no) => no.into(),
        BaseNo::Ship(no) => 100_000 + u32::from(no),
    }
}
