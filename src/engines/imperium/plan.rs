//! The lines of a card as plans of segments (§12.3).

use engine::Told;
use tongue::say;

use super::orders::{Entry, Order};
use super::standing::{Block, What};
use super::tables::Limits;

/// The blocks of a card, and the errors in the order of its lines.
#[derive(Debug, Default)]
pub struct Planned {
    /// Blocks of the segments 1 to 4.
    pub plans: [Vec<Block>; 4],
    /// Errors and warnings, with the index of the entry.
    pub faults: Vec<(usize, Told)>,
    /// Each act by the index of its entry, with its segment and block.
    pub acts: Vec<(usize, u8, usize)>,
}

/// Sorts the lines of a card into blocks. `open` is the segment of lines without `SEG`; `warn` is
/// whether such lines get a warning.
pub fn assemble(entries: &[Entry], open: u8, warn: bool, limits: &Limits) -> Planned {
    let mut planned = Planned::default();
    let mut segment = open.clamp(1, 4);
    let mut named = false;
    // Whether the last SEG was wrong.
    let mut lost = false;
    // Whether the last A, WAIT or HALT of the card can take acts.
    let mut last: Option<bool> = None;
    for (at, entry) in entries.iter().enumerate() {
        let Ok(order) = &entry.read else {
            // A wrong A makes its acts wrong, too; a wrong SEG its blocks.
            match entry.word.as_str() {
                "A" | "WAIT" | "HALT" => last = Some(false),
                "SEG" => (lost, last) = (true, Some(false)),
                _ => {}
            }
            continue;
        };
        let (cond, what) = match order {
            Order::Segment(n) => {
                (segment, named, lost, last) = (*n, true, false, None);
                continue;
            }
            Order::Activate(system, cond) => (cond, What::Activate(*system, Vec::new())),
            Order::Wait(cond) => (cond, What::Wait),
            Order::Halt(cond) => (cond, What::Halt),
            Order::Act(act) => {
                let plan = &mut planned.plans[usize::from(segment) - 1];
                let index = plan.len().wrapping_sub(1);
                match plan.last_mut().filter(|_| last == Some(true)).map(|b| &mut b.what) {
                    Some(What::Activate(_, acts)) => {
                        acts.push((entry.line, act.clone()));
                        planned.acts.push((at, segment, index));
                    }
                    _ if last == Some(false) => {
                        let note = say!("not done: the line above that it belongs to is wrong");
                        planned.faults.push((at, Told::error("no-activation", note)));
                    }
                    _ => {
                        let note =
                            say!("which activation? Write A and the system above it, such as A 09");
                        planned.faults.push((at, Told::error("no-activation", note)));
                    }
                }
                continue;
            }
            _ => continue,
        };
        if lost {
            let note = say!("not done: the SEG above is wrong");
            planned.faults.push((at, Told::error("no-segment", note)));
            last = Some(false);
            continue;
        }
        if !named && warn && matches!(order, Order::Activate(..)) {
            let note = say!("taken for segment {segment}; SEG {segment} above it says so");
            planned.faults.push((at, Told::warning("no-segment", note)));
            named = true;
        }
        let plan = &mut planned.plans[usize::from(segment) - 1];
        if plan.len() >= limits.blocks {
            let note = say!("a segment has at most {blocks} blocks", blocks = limits.blocks);
            planned.faults.push((at, Told::error("too-many", note)));
            last = Some(false);
            continue;
        }
        last = matches!(what, What::Activate(..)).then_some(true);
        plan.push(Block { line: entry.line, cond: cond.clone(), what, used: false });
    }
    planned
}
