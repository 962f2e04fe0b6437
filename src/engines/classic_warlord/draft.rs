//! The draft: how mountains are taken at the start (§4).

use std::collections::{BTreeMap, BTreeSet};

use engine::Seat;
use engine::graph::Areas;

use super::board::Board;
use super::map::{Category, Map, Place};

/// Mountains that may still be taken: those that do not touch an occupied one.
pub fn legal(board: &Board) -> BTreeSet<Place> {
    let map = board.map();
    let open = |p: &Place| {
        map.category(*p) == Category::Mountains
            && board.owner(*p).is_none()
            && map
                .near(*p)
                .all(|n| map.category(n) != Category::Mountains || board.owner(n).is_none())
    };
    map.places().filter(open).collect()
}

/// Whether at least `wanted` of these regions can be chosen so that no two touch.
pub fn has_room(map: &Map, places: &BTreeSet<Place>, wanted: usize) -> bool {
    if wanted == 0 {
        return true;
    }
    // Usually it is enough to take the region with the fewest neighbours each time.
    let mut left = places.clone();
    let mut found = 0;
    while let Some(next) = fewest(map, &left) {
        found += 1;
        take(map, &mut left, next);
    }
    found >= wanted || most(map, places) >= wanted
}

/// The exact size of the largest set of these regions of which no two touch, computed for each
/// connected part.
pub fn most(map: &Map, places: &BTreeSet<Place>) -> usize {
    let areas =
        Areas::of(map.len(), places.iter().copied(), |p| map.near(p), |p| places.contains(&p));
    let mut parts = vec![BTreeSet::new(); areas.count()];
    for place in places {
        if let Some(area) = areas.at(*place) {
            parts[area as usize].insert(*place);
        }
    }
    parts.iter().map(|part| most_of_part(map, part)).sum()
}

fn most_of_part(map: &Map, part: &BTreeSet<Place>) -> usize {
    // A region with at most one neighbour is in some largest set.
    let degree = |p: &Place| map.near(*p).filter(|n| part.contains(n)).count();
    let Some(leaf) = fewest(map, part) else { return 0 };
    if degree(&leaf) <= 1 {
        let mut rest = part.clone();
        take(map, &mut rest, leaf);
        return 1 + most(map, &rest);
    }
    // Otherwise try both cases: the region with the most neighbours is in the set, or it is not.
    let Some(hub) = part.iter().copied().max_by_key(|p| (degree(p), std::cmp::Reverse(*p))) else {
        return 0;
    };
    let mut with = part.clone();
    take(map, &mut with, hub);
    let mut without = part.clone();
    without.remove(&hub);
    (1 + most(map, &with)).max(most(map, &without))
}

/// The region with the fewest neighbours in the set; among equal ones the lowest.
fn fewest(map: &Map, places: &BTreeSet<Place>) -> Option<Place> {
    let degree = |p: &Place| map.near(*p).filter(|n| places.contains(n)).count();
    places.iter().copied().min_by_key(|p| (degree(p), *p))
}

/// Removes a region, and all that touch it, from a set.
fn take(map: &Map, places: &mut BTreeSet<Place>, at: Place) {
    places.remove(&at);
    map.near(at).for_each(|n| {
        places.remove(&n);
    });
}

/// The progress of a draft.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Draft {
    /// Seats that still pick in this round, in their order.
    pub left: Vec<Seat>,
    /// The round, from 1.
    pub round: u32,
}

impl Draft {
    /// The draft before its first pick; `None` when there is no room for even one round.
    pub fn begin(board: &Board, order: &[Seat]) -> Option<Self> {
        has_room(board.map(), &legal(board), order.len())
            .then(|| Self { left: order.to_vec(), round: 1 })
    }

    /// Whether a seat that picks now may take a region: enough must be left for those who pick
    /// after it in this round (§4.3).
    pub fn allows(&self, board: &Board, legal: &BTreeSet<Place>, at: Place) -> bool {
        let mut rest = legal.clone();
        if !rest.contains(&at) {
            return false;
        }
        take(board.map(), &mut rest, at);
        has_room(board.map(), &rest, self.left.len().saturating_sub(1))
    }

    /// One pick: the first possible region of the list, else the lowest possible one.
    pub fn pick(
        &mut self,
        board: &mut Board,
        wishes: &[Place],
        order: &[Seat],
    ) -> Option<(Seat, Place)> {
        let seat = self.left.first().copied()?;
        let legal = legal(board);
        let wished = wishes.iter().copied().find(|p| self.allows(board, &legal, *p));
        let at =
            wished.or_else(|| legal.iter().copied().find(|p| self.allows(board, &legal, *p)))?;
        board.set(at, seat, 1);
        self.left.remove(0);
        if self.left.is_empty() && has_room(board.map(), &self::legal(board), order.len()) {
            self.left = order.to_vec();
            self.round += 1;
        }
        Some((seat, at))
    }

    /// How many mountains a seat gets in the whole draft if nobody else has wishes: by its list,
    /// and after that by number. With the wishes of others it may be one more or less.
    pub fn foreseen(&self, board: &Board, seat: Seat, wishes: &[Place]) -> usize {
        let (order, wishes) = (self.left.clone(), BTreeMap::from([(seat, wishes.to_vec())]));
        let picks = self.clone().run(&mut board.clone(), &wishes, &order);
        picks.iter().filter(|(of, _)| *of == seat).count()
    }

    /// Runs all remaining picks, by the lists of the seats.
    pub fn run(
        mut self,
        board: &mut Board,
        wishes: &BTreeMap<Seat, Vec<Place>>,
        order: &[Seat],
    ) -> Vec<(Seat, Place)> {
        let mut picks = Vec::new();
        while let Some(seat) = self.left.first() {
            let own = wishes.get(seat).map_or(&[][..], Vec::as_slice);
            match self.pick(board, own, order) {
                Some(pick) => picks.push(pick),
                // A round begins only if there is room for all. If a seat can't pick all the same,
                // the draft ends.
                None => break,
            }
        }
        picks
    }
}
