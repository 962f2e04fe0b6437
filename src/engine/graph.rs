//! Search in anything that has places and neighbours: a grid, a list of regions, a graph.
//!
//! Every search visits places in an order that follows from its arguments alone, so the
//! same game gives the same answer on every machine.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

/// A place that a map numbers from 0.
pub trait Node: Copy + Ord {
    /// Its number.
    fn index(self) -> usize;
}

impl Node for usize {
    fn index(self) -> usize {
        self
    }
}

/// The places that can be reached from `starts`, which are included, on a map of `len` places.
/// `enter` says whether a neighbour can be entered from a reached place; it is called only for
/// neighbours that are not reached yet, and if it returns true, that neighbour is reached.
pub fn reached<N: Node, I: IntoIterator<Item = N>>(
    len: usize,
    starts: impl IntoIterator<Item = N>,
    neighbours: impl Fn(N) -> I,
    mut enter: impl FnMut(N, N) -> bool,
) -> Vec<bool> {
    let mut seen = vec![false; len];
    let mut open: Vec<N> = starts.into_iter().collect();
    open.iter().for_each(|n| seen[n.index()] = true);
    while let Some(at) = open.pop() {
        for next in neighbours(at) {
            if !seen[next.index()] && enter(at, next) {
                seen[next.index()] = true;
                open.push(next);
            }
        }
    }
    seen
}

/// The steps from the nearest of `starts` to each of `len` places; `None` where no way leads.
/// `enter` says whether a neighbour can be entered from a place.
pub fn distances<N: Node, I: IntoIterator<Item = N>>(
    len: usize,
    starts: impl IntoIterator<Item = N>,
    neighbours: impl Fn(N) -> I,
    enter: impl Fn(N, N) -> bool,
) -> Vec<Option<u32>> {
    let mut steps: Vec<Option<u32>> = vec![None; len];
    let mut open: VecDeque<(N, u32)> = VecDeque::new();
    for start in starts {
        if steps[start.index()].replace(0).is_none() {
            open.push_back((start, 0));
        }
    }
    while let Some((at, far)) = open.pop_front() {
        for next in neighbours(at) {
            if steps[next.index()].is_none() && enter(at, next) {
                steps[next.index()] = Some(far + 1);
                open.push_back((next, far + 1));
            }
        }
    }
    steps
}

/// Connected places: each belongs to one area or to none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Areas {
    /// Number of the area of each place.
    area: Vec<Option<u32>>,
    /// Number of places in each area.
    sizes: Vec<usize>,
}

impl Areas {
    /// The areas of the `places` that are `inside`, on a map of `len` places. Areas are numbered
    /// from 0 in the order of their first places.
    pub fn of<N: Node, I: IntoIterator<Item = N>>(
        len: usize,
        places: impl IntoIterator<Item = N>,
        neighbours: impl Fn(N) -> I,
        inside: impl Fn(N) -> bool,
    ) -> Self {
        let mut area: Vec<Option<u32>> = vec![None; len];
        let mut sizes = Vec::new();
        let mut open: Vec<N> = Vec::new();
        for start in places {
            if area[start.index()].is_some() || !inside(start) {
                continue;
            }
            // Areas are far fewer than a `u32` can count.
            let this = Some(sizes.len() as u32);
            let mut size = 0;
            area[start.index()] = this;
            open.push(start);
            while let Some(at) = open.pop() {
                size += 1;
                for next in neighbours(at) {
                    if area[next.index()].is_none() && inside(next) {
                        area[next.index()] = this;
                        open.push(next);
                    }
                }
            }
            sizes.push(size);
        }
        Self { area, sizes }
    }

    /// Number of areas.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The number of places of each area, indexed by its number.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Number of the area of a place; `None` when it is in none.
    pub fn at(&self, place: impl Node) -> Option<u32> {
        self.area.get(place.index()).copied().flatten()
    }

    /// The number of places in the area of a place; 0 when it is in none.
    pub fn size_at(&self, place: impl Node) -> usize {
        self.at(place).and_then(|area| self.sizes.get(area as usize)).copied().unwrap_or(0)
    }
}

/// Places in the order of their distance from a start, each with its number of steps; the start
/// comes first. See [`outward`].
#[derive(Debug)]
pub struct Outward<N, F> {
    seen: BTreeSet<N>,
    open: VecDeque<(N, u32)>,
    last: Option<(N, u32)>,
    next: F,
}

/// Walks outward from a place. `next` gives the neighbours that can be entered from a place; it is
/// called only when the walk goes on, so that a caller may stop early.
pub fn outward<N: Node, I: IntoIterator<Item = N>, F: FnMut(N) -> I>(
    start: N,
    next: F,
) -> Outward<N, F> {
    Outward { seen: BTreeSet::from([start]), open: VecDeque::from([(start, 0)]), last: None, next }
}

impl<N: Node, I: IntoIterator<Item = N>, F: FnMut(N) -> I> Iterator for Outward<N, F> {
    type Item = (N, u32);

    fn next(&mut self) -> Option<(N, u32)> {
        if let Some((at, far)) = self.last.take() {
            for next in (self.next)(at) {
                if self.seen.insert(next) {
                    self.open.push_back((next, far + 1));
                }
            }
        }
        self.last = self.open.pop_front();
        self.last
    }
}

/// Working memory of [`Search::route`], kept between calls so that many searches on one map
/// need no new memory.
#[derive(Debug)]
pub struct Search<N> {
    seen: Vec<u32>,
    cost: Vec<u32>,
    round: u32,
    heap: BinaryHeap<Reverse<(u32, u32, N)>>,
}

impl<N: Ord> Default for Search<N> {
    fn default() -> Self {
        Self { seen: Vec::new(), cost: Vec::new(), round: 0, heap: BinaryHeap::new() }
    }
}

impl<N: Node> Search<N> {
    /// The cheapest way from `from` to `to`: its places without the first. Between ways of the same
    /// cost, each step goes to the earliest neighbour. `None` when there is no way.
    ///
    /// Neighbours must be mutual. `enter` gives the cost of entering a place from another, at least
    /// 1, or `None` when it is closed. `least` gives a lower bound of the cost from `from` to a
    /// place; 0 is always right, a better bound is faster. The search runs backwards from the goal,
    /// so that every place of every cheapest way has its exact cost.
    pub fn route<I: IntoIterator<Item = N>>(
        &mut self,
        len: usize,
        (from, to): (N, N),
        neighbours: impl Fn(N) -> I,
        enter: impl Fn(N, N) -> Option<u32>,
        least: impl Fn(N) -> u32,
    ) -> Option<Vec<N>> {
        if from == to {
            return Some(Vec::new());
        }
        self.begin(len);
        self.reach(to, 0, least(to));
        let mut best = u32::MAX;
        while let Some(Reverse((total, cost, at))) = self.heap.pop() {
            if total > best {
                break;
            }
            if self.known(at) != Some(cost) {
                continue;
            }
            if at == from {
                best = cost;
                continue;
            }
            for next in neighbours(at) {
                let Some(step) = enter(next, at) else { continue };
                let there = cost + step;
                if self.known(next).is_none_or(|old| there < old) {
                    self.reach(next, there, least(next));
                }
            }
        }
        (best != u32::MAX).then(|| self.walk(from, to, neighbours, enter))
    }

    /// Walks from `from` to `to` along the costs that the search has left.
    fn walk<I: IntoIterator<Item = N>>(
        &self,
        from: N,
        to: N,
        neighbours: impl Fn(N) -> I,
        enter: impl Fn(N, N) -> Option<u32>,
    ) -> Vec<N> {
        let mut way = Vec::new();
        let mut at = from;
        while at != to {
            let here = self.known(at);
            let next = neighbours(at).into_iter().find(|&next| {
                let step = enter(at, next);
                matches!((here, self.known(next), step),
                    (Some(h), Some(n), Some(s)) if n + s == h)
            });
            // Every place of a cheapest way has such a neighbour.
            let Some(next) = next else { break };
            way.push(next);
            at = next;
        }
        way
    }

    fn begin(&mut self, len: usize) {
        self.heap.clear();
        if self.seen.len() != len || self.round == u32::MAX {
            self.seen = vec![0; len];
            self.cost = vec![0; len];
            self.round = 0;
        }
        self.round += 1;
    }

    fn known(&self, place: N) -> Option<u32> {
        let i = place.index();
        (self.seen[i] == self.round).then(|| self.cost[i])
    }

    fn reach(&mut self, place: N, cost: u32, left: u32) {
        let i = place.index();
        self.seen[i] = self.round;
        self.cost[i] = cost;
        self.heap.push(Reverse((cost + left, cost, place)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rings of five, linked by 4-5, and a place on its own.
    const LINKS: [&[usize]; 11] = [
        &[1, 4],
        &[0, 2],
        &[1, 3],
        &[2, 4],
        &[0, 3, 5],
        &[4, 6, 9],
        &[5, 7],
        &[6, 8],
        &[7, 9],
        &[5, 8],
        &[],
    ];

    fn near(node: usize) -> impl Iterator<Item = usize> {
        LINKS[node].iter().copied()
    }

    #[test]
    fn what_can_be_reached_is_what_has_a_distance() {
        let open = |_: usize, to: usize| to != 6;
        let steps = distances(11, [1, 1], near, open);
        let far = [Some(1), Some(0), Some(1), Some(2), Some(2), Some(3), None, Some(6), Some(5)];
        assert_eq!(steps[..9], far);
        assert_eq!(steps[9..], [Some(4), None]);
        let seen = reached(11, [1], near, open);
        assert_eq!(seen, steps.iter().map(Option::is_some).collect::<Vec<_>>());
        assert_eq!(reached(11, [0; 0], near, open), [false; 11]);
    }

    #[test]
    fn areas_are_numbered_by_their_first_places() {
        let areas = Areas::of(11, 0..11, near, |n| n != 4);
        assert_eq!(areas.sizes(), [4, 5, 1]);
        assert_eq!(areas.count(), 3);
        assert_eq!([3, 4, 9, 10, 99].map(|n| areas.at(n)), [Some(0), None, Some(1), Some(2), None]);
        assert_eq!([0, 4, 5].map(|n| areas.size_at(n)), [4, 0, 5]);
    }

    #[test]
    fn a_walk_outward_comes_to_near_places_first_and_may_stop() {
        let asked = std::cell::Cell::new(0);
        let next = |n| {
            asked.set(asked.get() + 1);
            near(n)
        };
        let walk: Vec<(usize, u32)> = outward(3, next).take(4).collect();
        assert_eq!(walk, [(3, 0), (2, 1), (4, 1), (1, 2)]);
        assert_eq!(asked.get(), 3, "nothing is asked beyond what is taken");
        assert_eq!(outward(3, near).count(), 10);
    }

    #[test]
    fn the_cheapest_way_is_the_one_that_trying_all_finds() {
        let enter = |a: usize, b: usize| (b != 7).then_some(1 + (a * 3 + b * 5) as u32 % 4);
        // Lowers costs until nothing changes: slow, but independent of the search.
        let best = |from: usize| {
            let mut cost = vec![u32::MAX; 11];
            cost[from] = 0;
            for _ in 0..11 {
                for at in 0..11 {
                    for next in near(at) {
                        let there = enter(at, next).and_then(|c| cost[at].checked_add(c));
                        cost[next] = cost[next].min(there.unwrap_or(u32::MAX));
                    }
                }
            }
            cost
        };
        let mut search = Search::default();
        for from in 0..11 {
            for (to, cost) in best(from).into_iter().enumerate() {
                let way = search.route(11, (from, to), near, enter, |_| 0);
                let sum = way.map(|way| {
                    let steps = std::iter::once(&from).chain(&way).zip(&way);
                    steps.map(|(a, b)| enter(*a, *b).expect("open")).sum::<u32>()
                });
                assert_eq!(sum, (cost < u32::MAX).then_some(cost), "{from} to {to}");
            }
        }
    }
}
