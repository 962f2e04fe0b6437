//! Ways over land: the cost of marches from where a force stands.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::tables::Class;
use super::super::view::View;
use engine::geometry::{Grid, Place};

/// Movement points that a march may take at most.
const COST_MAX: u16 = 48;

/// Points to each sector; `u16::MAX` where no way of [`COST_MAX`] leads.
pub type Points = Rc<Vec<u16>>;

/// Searches over one seat's map, each made once.
pub struct Fields {
    grid: Grid,
    /// Cost of entering each sector, 0 when closed: infantry's, armour's.
    costs: [Vec<u8>; 2],
    made: BTreeMap<(Place, bool), Points>,
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
        Self { grid: view.grid, costs: [cost(Class::Inf), cost(Class::Arm)], made: BTreeMap::new() }
    }

    /// Points that it takes from a sector to all others.
    pub fn from(&mut self, at: Place, class: Class) -> Points {
        let armour = class == Class::Arm;
        if let Some(made) = self.made.get(&(at, armour)) {
            return Rc::clone(made);
        }
        let made = Rc::new(self.flood(at, &self.costs[usize::from(armour)]));
        self.made.insert((at, armour), Rc::clone(&made));
        made
    }

    /// Costs are small, so places wait in a list for each cost.
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
