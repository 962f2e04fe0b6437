//! Ways over land and sea: the cost of marches from where a force stands.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::tables::Class;
use super::super::view::View;
use engine::geometry::{Grid, Place};

/// Movement points that a march may take at most.
const COST_MAX: u16 = 48;

/// Points to each sector; `u16::MAX` where no way of at most [`COST_MAX`] leads.
pub type Points = Rc<Vec<u16>>;

/// Searches over one seat's map; each is made only once.
pub struct Fields {
    grid: Grid,
    /// Cost of entering each sector, 0 when closed: for infantry, armour and ships.
    costs: [Vec<u8>; 3],
    made: BTreeMap<(Place, usize), Points>,
}

impl Fields {
    pub fn of(view: &View) -> Self {
        let cost = |class: Class| {
            let of = |p: Place| match view.is_sea(p) {
                true => 0,
                // Costs are small table values.
                false => view.cost(class, p).unwrap_or(0) as u8,
            };
            view.grid.places().map(of).collect()
        };
        let sea = view.grid.places().map(|p| u8::from(view.is_sea(p))).collect();
        let costs = [cost(Class::Inf), cost(Class::Arm), sea];
        Self { grid: view.grid, costs, made: BTreeMap::new() }
    }

    /// Movement points over land from a sector to all others.
    pub fn from(&mut self, at: Place, class: Class) -> Points {
        self.over(at, usize::from(class == Class::Arm))
    }

    /// Sectors that ships cross from a sector to all others.
    pub fn sea(&mut self, at: Place) -> Points {
        self.over(at, 2)
    }

    /// The sectors of infantry's cheapest way to a goal, the goal first; empty where there is no
    /// way.
    pub fn way(&mut self, from: Place, goal: Place) -> Vec<Place> {
        let points = self.from(from, Class::Inf);
        let mut way = Vec::new();
        let mut at = goal;
        while at != from {
            let here = points[usize::from(at.0)];
            let before = here.checked_sub(u16::from(self.costs[0][usize::from(at.0)]));
            let back = |p: &Place| Some(points[usize::from(p.0)]) == before;
            let next = self.grid.near(at).find(back).filter(|_| here < u16::MAX);
            let Some(next) = next else { return Vec::new() };
            way.push(at);
            at = next;
        }
        way
    }

    fn over(&mut self, at: Place, way: usize) -> Points {
        if let Some(made) = self.made.get(&(at, way)) {
            return Rc::clone(made);
        }
        let made = Rc::new(self.flood(at, &self.costs[way]));
        self.made.insert((at, way), Rc::clone(&made));
        made
    }

    /// The costs from `start` to all places. As costs are small, places wait in one list for each
    /// cost.
    fn flood(&self, start: Place, costs: &[u8]) -> Vec<u16> {
        let mut points = vec![u16::MAX; costs.len()];
        let mut waiting: Vec<Vec<Place>> = vec![Vec::new(); usize::from(COST_MAX) + 1];
        points[usize::from(start.0)] = 0;
        waiting[0].push(start);
        for cost in 0..=COST_MAX {
            while let Some(at) = waiting[usize::from(cost)].pop() {
                if points[usize::from(at.0)] != cost {
                    continue;
                }
                for next in self.grid.near(at) {
                    let step = u16::from(costs[usize::from(next.0)]);
                    let there = cost + step;
                    if step > 0 && there <= COST_MAX && there < points[usize::from(next.0)] {
                        points[usize::from(next.0)] = there;
                        waiting[usize::from(there)].push(next);
                    }
                }
            }
        }
        points
    }
}
