//! The computer player (§20): it uses its seat's view only.
//!
//! It plans on a trial board, segment by segment. Every system with own units gets an activation
//! with all useful orders. The plan has the most urgent activations first, because the dice decide
//! how many there will be.

mod build;
mod enemy;
mod ground;
mod groups;
mod transports;

use std::collections::{BTreeMap, BTreeSet};

use engine::{CardText, Computers, Dice, Play, Strength};

use super::admin::Placing;
use super::board::Board;
use super::galaxy::{Planet, System};
use super::kinds::{Class, Kind, Side, UnitId};
use super::state::Pause;
use super::tables::Tempo;
use super::view::{Scene, View};
use crate::Imperium;

impl Computers for Imperium {
    fn play(view: &View, _notes: &str, dice: &mut Dice) -> Play {
        play(view, dice)
    }
}

/// How a strength plays.
struct Mind {
    /// Own worth in per cent of the enemy's from which it attacks.
    odds: i64,
    /// Whether it considers the forces that the enemy may send against it.
    reply: bool,
    /// Whether it tries battles on a trial board.
    tries: bool,
    /// How many of 1000 decisions are second best.
    blunders: u32,
}

fn mind(strength: Strength) -> Mind {
    match strength {
        Strength::Easy => Mind { odds: 200, reply: false, tries: false, blunders: 250 },
        Strength::Normal => Mind { odds: 150, reply: true, tries: false, blunders: 50 },
        Strength::Hard => Mind { odds: 125, reply: true, tries: true, blunders: 0 },
    }
}

/// The estimated worth of an unknown fleet, World or Outpost.
const UNKNOWN_FLEET: i64 = 18;
const UNKNOWN_WORLD: i64 = 16;
const UNKNOWN_OUTPOST: i64 = 3;

/// The number of trial battles for a decision.
const TRIALS: u32 = 12;

/// The card of a computer player.
pub fn play(view: &View, dice: &mut Dice) -> Play {
    let mut lines: Vec<String> = Vec::new();
    match &view.scene {
        Scene::Over(_) => return Play::default(),
        Scene::Setup => {
            lines.extend(stances(view.side));
            // Repairing damage at a base costs less than maintenance.
            if view.options.strength(view.seat) > Strength::Easy {
                lines.push("N STOCK 0".to_owned());
            }
            lines.extend(appeal(view));
        }
        Scene::Administration => {
            let mut thinker = Thinker::new(view, dice);
            lines.extend(thinker.build());
            lines.extend(appeal(view));
            let last = match (view.options.tempo, view.peace) {
                (Tempo::Turn, _) | (_, Some(_)) => 4,
                _ => 1,
            };
            lines.extend(thinker.segments(1..=last));
            lines.push("F *".to_owned());
        }
        Scene::Action(open) => {
            let last = if view.options.tempo == Tempo::Turn { 4 } else { open.segment };
            let asked = open.pause != Pause::Turn || open.to_act == view.side;
            if asked && open.pause != Pause::Round {
                let mut thinker = Thinker::new(view, dice);
                lines.extend(thinker.segments(open.segment..=last));
            }
            lines.push("F *".to_owned());
        }
    }
    Play::from(CardText::of(&lines))
}

/// Torpedoes hit as well from the next area, but beams hardly do.
fn stances(side: Side) -> Vec<String> {
    let lines: &[&str] = match side {
        Side::Terran => &["Y K 0", "Y L 0", "Y CS 1", "Y CV 1"],
        Side::Imperial => &["Y K 1", "Y L 1", "W 33 38 35"],
    };
    lines.iter().map(|l| (*l).to_owned()).collect()
}

fn appeal(view: &View) -> Option<String> {
    let may = view.side == Side::Imperial && !view.board.court.banned && view.peace.is_none();
    may.then(|| "I F".to_owned())
}

/// An activation that is being planned.
#[derive(Default)]
struct Activation {
    urgency: i64,
    lines: Vec<String>,
}

struct Thinker<'a> {
    view: &'a View,
    side: Side,
    mind: Mind,
    dice: &'a mut Dice,
    /// The board as it will be if the plan succeeds.
    board: Board,
    /// Free planets to which an Outpost is on its way.
    taken: BTreeSet<Planet>,
    /// Systems to which scouts are on their way.
    scouted: BTreeSet<System>,
    /// Systems to which groups are on their way, with their worth.
    aimed: BTreeMap<System, i64>,
}

impl<'a> Thinker<'a> {
    fn new(view: &'a View, dice: &'a mut Dice) -> Self {
        let mut board = view.board.clone();
        if matches!(view.scene, Scene::Administration) {
            Placing::default().rest(&mut board, view.side);
        }
        Self {
            view,
            side: view.side,
            mind: mind(view.options.strength(view.seat)),
            dice,
            board,
            taken: BTreeSet::new(),
            scouted: BTreeSet::new(),
            aimed: BTreeMap::new(),
        }
    }

    fn enemy(&self) -> Side {
        self.side.other()
    }

    fn peace(&self) -> bool {
        self.view.peace.is_some()
    }

    fn cost(&self, side: Side, kind: Kind) -> i64 {
        self.board.tables.cost(side, kind).into()
    }

    fn unmoved(&self, fleet: u8) -> bool {
        let moved = |id: UnitId| self.board.units.get(&id).is_some_and(|u| u.moved);
        !self.board.ships(self.side, fleet).any(moved)
    }

    fn is_war(&self, fleet: u8) -> bool {
        self.board.ships(self.side, fleet).any(|id| self.armed(id))
    }

    fn armed(&self, id: UnitId) -> bool {
        matches!(self.board.class(id), Class::Capital | Class::Light) && id.kind() != Kind::SC
    }

    fn is_scouts(&self, fleet: u8) -> bool {
        self.board.ships(self.side, fleet).all(|id| id.kind() == Kind::SC)
    }

    fn fleet_worth(&self, fleet: u8) -> i64 {
        let ships = self.board.ships(self.side, fleet).filter(|id| self.armed(*id));
        ships.map(|id| i64::from(self.board.worth(id))).sum()
    }

    fn troops_aboard(&self, fleets: &[u8]) -> Vec<UnitId> {
        let ships = fleets.iter().flat_map(|f| self.board.ships(self.side, *f));
        let aboard = ships.flat_map(|s| self.board.aboard(s));
        aboard.filter(|id| id.kind().is_troops()).collect()
    }

    fn segments(&mut self, segments: std::ops::RangeInclusive<u8>) -> Vec<String> {
        let mut lines = Vec::new();
        let first = *segments.start();
        for segment in segments {
            if segment > first {
                for unit in self.board.units.values_mut() {
                    unit.moved = false;
                }
                self.taken.clear();
                self.scouted.clear();
                self.aimed.clear();
            }
            let mut plan = self.activations();
            plan.retain(|(_, a)| !a.lines.is_empty());
            plan.sort_by_key(|(at, a)| (std::cmp::Reverse(a.urgency), *at));
            if plan.is_empty() {
                continue;
            }
            lines.push(format!("SEG {segment}"));
            for (at, activation) in plan {
                lines.push(format!("A {at}"));
                lines.extend(activation.lines);
            }
        }
        lines
    }

    fn activations(&mut self) -> Vec<(System, Activation)> {
        let mut systems: Vec<System> =
            self.board.galaxy.all().filter(|s| self.board.present(self.side, *s)).collect();
        // The strongest group chooses first.
        systems.sort_by_key(|s| {
            let fleets = self.board.fleets_in(self.side, *s);
            let worth: i64 = fleets.map(|f| self.fleet_worth(f)).sum();
            (std::cmp::Reverse(worth), *s)
        });
        systems.into_iter().map(|at| (at, self.activation(at))).collect()
    }

    fn activation(&mut self, at: System) -> Activation {
        let mut act = Activation::default();
        let fleets: Vec<u8> = self.board.fleets_in(self.side, at).collect();
        let still: Vec<u8> = fleets.iter().copied().filter(|f| self.unmoved(*f)).collect();
        ground::settle(self, at, &still, &mut act);
        let mut war: Vec<u8> = still.iter().copied().filter(|f| self.is_war(*f)).collect();
        self.with_troops(&still, &mut war);
        if ground::attack(self, at, &war, &mut act) {
            return act;
        }
        ground::occupy(self, at, &war, &mut act);
        ground::load(self, at, &war, &mut act);
        ground::load(self, at, &still, &mut act);
        self.with_troops(&still, &mut war);
        self.scouts(at, &still, &mut act);
        self.carriers(at, (&still, &war), &mut act);
        if !war.is_empty() {
            self.group(at, &war, &mut act);
        }
        act
    }

    /// Adds transports with troops to a group.
    fn with_troops(&self, still: &[u8], war: &mut Vec<u8>) {
        if !war.is_empty() {
            let more = still.iter().copied().filter(|f| !self.troops_aboard(&[*f]).is_empty());
            war.extend(more);
            war.sort_unstable();
            war.dedup();
        }
    }
}
