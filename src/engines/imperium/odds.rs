//! The outcome of a space battle, from many trial battles with what is known.

use std::collections::BTreeMap;

use engine::Dice;

use super::board::{Board, Place, Spot, Unit};
use super::galaxy::System;
use super::kinds::{Kind, Side, UnitId};
use super::space::Battle;
use super::standing::Standing;
use super::state::{Sighting, Spotted};
use super::view::View;

/// The outcome of many trial battles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Odds {
    /// Of 100 battles, how many the own side wins.
    pub wins: u32,
    /// Resources lost on average, by side.
    pub lost: [u32; 2],
    /// Whether the battle would count for Glory.
    pub major: bool,
}

/// A board for trial battles: tables and map of a game, without units.
pub struct Paper {
    board: Board,
    /// Whether units on the planets of a system join in.
    joins: bool,
}

impl Paper {
    /// A trial board for the game of a view.
    pub fn of(view: &View) -> Self {
        let mut board = view.board.clone();
        board.units.clear();
        board.fleets.clear();
        Self { board, joins: false }
    }

    /// A trial board on which monitors and fighters on own planets fight, too.
    pub fn with_planets(view: &View) -> Self {
        Self { joins: true, ..Self::of(view) }
    }

    /// The odds of a battle in a system: these fleets as they are on `own`, against what is known
    /// of the enemy there. `None`: nothing is known of an enemy fleet, or a side has nothing that
    /// fights.
    pub fn battle(
        &mut self,
        own: &Board,
        (view, orders): (&View, &Standing),
        fleets: &[u8],
        at: System,
        trials: u32,
    ) -> Option<Odds> {
        let (side, enemy) = (view.side, view.side.other());
        let mut units: BTreeMap<UnitId, Unit> = BTreeMap::new();
        let mut here: BTreeMap<(Side, u8), Spot> = BTreeMap::new();
        for fleet in fleets {
            here.insert((side, *fleet), Spot::System(at));
            for ship in own.ships(side, *fleet) {
                for id in own.aboard(ship).chain([ship]) {
                    units.extend(own.units.get(&id).map(|u| (id, *u)));
                }
            }
        }
        for (fleet, sighting) in enemies(own, view, at) {
            let sighting = sighting?;
            here.insert((enemy, fleet), Spot::System(at));
            add(&mut units, enemy, sighting, |_| Place::Fleet(fleet));
        }
        for planet in own.galaxy.planets(at) {
            let Some(sighting) = view.known.get(&Spotted::Planet(planet)) else { continue };
            add(&mut units, enemy, sighting, |_| Place::Box(planet));
        }
        for planet in own.galaxy.planets(at).filter(|_| self.joins) {
            let joins = |id: &UnitId| match id.kind() {
                Kind::M => true,
                Kind::F => orders.fighters_join,
                _ => false,
            };
            let joining = own.on(side, planet).filter(joins);
            units.extend(joining.filter_map(|id| Some((id, *own.units.get(&id)?))));
        }
        units.retain(|id, _| !id.kind().is_troops());
        let fights = |s: Side| {
            let has = |(id, u): (&UnitId, &Unit)| {
                id.side == s
                    && (matches!(u.place, Place::Fleet(_))
                        || matches!(id.kind(), Kind::M | Kind::F))
            };
            units.iter().any(has)
        };
        if !fights(side) || !fights(enemy) {
            return None;
        }
        let theirs = Standing::default();
        let mut standing = [&theirs, &theirs];
        standing[side.i()] = orders;
        let (mut wins, mut lost, mut major) = (0, [0u64; 2], false);
        let mut dice = Dice::stream(u64::from(at.0) + 1);
        for _ in 0..trials {
            self.board.units.clone_from(&units);
            self.board.fleets.clone_from(&here);
            let spot = Spot::System(at);
            let mut battle = Battle::begin(&self.board, spot, side, BTreeMap::new(), standing);
            while !battle.over() {
                battle.round(&mut self.board, standing, &mut dice, [0, 0]);
            }
            let value = battle.story.lost;
            battle.end(&mut self.board, standing);
            wins += u32::from(battle.story.loser == Some(enemy));
            major |= battle.story.major;
            for s in Side::BOTH {
                lost[s.i()] += u64::from(value[s.i()]);
            }
        }
        let mean = |n: u64| u32::try_from(n / u64::from(trials.max(1))).unwrap_or(u32::MAX);
        Some(Odds { wins: 100 * wins / trials.max(1), lost: lost.map(mean), major })
    }
}

/// Enemy fleets in a system, each with what is known of it.
pub fn enemies<'a>(
    board: &'a Board,
    view: &'a View,
    at: System,
) -> impl Iterator<Item = (u8, Option<&'a Sighting>)> + 'a {
    let known = |n: u8| view.known.get(&Spotted::Fleet(n));
    board.fleets_in(view.side.other(), at).map(move |n| (n, known(n)))
}

fn add(
    units: &mut BTreeMap<UnitId, Unit>,
    side: Side,
    sighting: &Sighting,
    place: impl Fn(Kind) -> Place,
) {
    let mut carrier = None;
    for seen in &sighting.units {
        if !matches!(seen.kind, Kind::CV | Kind::BB) || seen.n == 0 {
            continue;
        }
        carrier = carrier.or(Some(UnitId::new(side, seen.kind, seen.n).name));
    }
    for seen in &sighting.units {
        if seen.n == 0 || matches!(seen.kind, Kind::PD | Kind::OP) {
            continue;
        }
        let at = match (place(seen.kind), seen.kind, carrier) {
            (Place::Fleet(_), Kind::F, Some(carrier)) => Place::Aboard(carrier),
            (Place::Fleet(_), Kind::F, None) => continue,
            (place, ..) => place,
        };
        let unit = Unit { place: at, damaged: seen.damaged, moved: false };
        units.insert(UnitId::new(side, seen.kind, seen.n), unit);
    }
}
