//! What changed for the seat, by cause: builds, moves, losses, popularity.

use std::collections::{BTreeMap, BTreeSet};

use super::super::diary::{Cause, Entry};
use super::super::event::Event;
use super::super::map::SpaceId;
use super::super::verbs::Arm;
use super::super::view::{View, code};
use super::super::words::{counted, part};
use super::left_out;
use engine::report::{Block, Line, Section, listed};
use tongue::say;

/// Forces space by space, losses in all, popularity.
pub fn changes(view: &View) -> Section {
    let entries = view.events.iter().find_map(|e| match e {
        Event::Diary { entries, .. } => Some(entries.as_slice()),
        _ => None,
    });
    let Some(entries) = entries else { return left_out() };
    let mut spaces: BTreeMap<SpaceId, Vec<String>> = BTreeMap::new();
    // Spaces where more than builds happened.
    let mut busy: BTreeSet<SpaceId> = BTreeSet::new();
    let mut lost: BTreeMap<Arm, i64> = BTreeMap::new();
    let mut homes: Vec<Line> = Vec::new();
    // Minors with the same changes share a line.
    let mut minors: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in entries {
        match entry {
            Entry::Popularity { at, home, before, after, by } => {
                let (at, causes) = (code(view, *at), causes(by));
                if *home {
                    let lead = say!("HPI of {at} {before} to {after}");
                    homes.extend(listed(&lead, &causes));
                } else {
                    let causes = causes.join(", ");
                    let words = say!("Your popularity {before} to {after}, {causes}");
                    minors.entry(words).or_default().push(at.to_owned());
                }
            }
            Entry::Fought { arm, lost: fallen, .. } if *arm != Arm::Missile => {
                *lost.entry(*arm).or_default() += fallen;
            }
            _ => {}
        }
        for (space, words) in described(view, entry) {
            if !matches!(entry, Entry::Built { .. }) {
                busy.insert(space);
            }
            spaces.entry(space).or_default().push(words);
        }
    }
    let mut lines: Vec<Line> = Vec::new();
    let mut same: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (space, words) in &spaces {
        match words.as_slice() {
            [one] if !busy.contains(space) => {
                same.entry(one).or_default().push(code(view, *space).to_owned());
            }
            _ => lines.extend(listed(code(view, *space), words)),
        }
    }
    for (words, codes) in same {
        lines.extend(listed(&say!("No more than {words}"), &codes));
    }
    let fallen: Vec<String> =
        lost.iter().filter(|(_, n)| **n > 0).map(|(arm, n)| counted(*n, *arm)).collect();
    lines.extend(listed(&say!("Lost in all"), &fallen));
    lines.append(&mut homes);
    for (words, codes) in minors {
        lines.extend(listed(&words, &codes));
    }
    if lines.is_empty() {
        return left_out();
    }
    Section::new(say!("What changed"), vec![Block::List(lines)])
}

/// The text of an entry about forces, with the space that it is listed under.
fn described(view: &View, entry: &Entry) -> Vec<(SpaceId, String)> {
    let code = |space: SpaceId| code(view, space);
    match *entry {
        Entry::Built { at, arm, n } => vec![(at, say!("built {units}", units = counted(n, arm)))],
        Entry::Moved { from, to, arm, n, fled } => {
            let units = counted(n, arm);
            let (home, goal) = (code(from), code(to));
            let left = match fled {
                true => say!("{units} fled to {goal}"),
                false => say!("{units} to {goal}"),
            };
            let mut both = vec![(from, left)];
            // Units that were given away no longer belong to the seat.
            if view.position.holdings.contains_key(&to) {
                let came = match fled {
                    true => say!("{units} in flight from {home}"),
                    false => say!("{units} from {home}"),
                };
                both.push((to, came));
            }
            both
        }
        Entry::Fought { from, at, arm, sent, lost, stay } => {
            fought(view, (from, at), (arm, sent), (lost, stay))
        }
        Entry::Captured { at, arm, n } => {
            // The planes of a captured minor are suppressed at first.
            let units = counted(n, arm);
            let text = match arm {
                Arm::Air => say!("captured {units} (suppressed)"),
                _ => say!("captured {units}"),
            };
            vec![(at, text)]
        }
        Entry::Popularity { .. } => Vec::new(),
    }
}

fn fought(
    view: &View,
    (from, at): (SpaceId, SpaceId),
    (arm, sent): (Arm, i64),
    (lost, stay): (i64, i64),
) -> Vec<(SpaceId, String)> {
    let units = counted(sent, arm);
    let at_code = code(view, at);
    if arm == Arm::Missile {
        let text = match lost {
            1.. => say!("{units} fired at {at_code} ({lost} stopped)"),
            _ => say!("{units} fired at {at_code}"),
        };
        return vec![(from, text)];
    }
    if arm == Arm::Antimissile {
        return vec![(at, say!("{units} used up"))];
    }
    let how = match (lost, stay) {
        (0, 0) => say!("none lost"),
        (lost, 0) if lost == sent => say!("all lost"),
        (lost, 0) => say!("{lost} lost"),
        (0, stay) => say!("{stay} stay there"),
        (lost, stay) => say!("{lost} lost and {stay} stay there"),
    };
    if from == at {
        // The report of the battle already shows a defence without losses.
        return match lost {
            0 => Vec::new(),
            _ => vec![(at, say!("lost {units} here", units = part(lost, sent, arm)))],
        };
    }
    let mut both = vec![(from, say!("{units} fought at {at_code} ({how})"))];
    if stay > 0 {
        let units = counted(stay, arm);
        both.push((at, say!("{units} from {home}", home = code(view, from))));
    }
    both
}

/// Why popularity changed, and by how much.
fn causes(by: &[(Cause, i64)]) -> Vec<String> {
    let cause = |(cause, n): &(Cause, i64)| match cause {
        Cause::Fading => say!("{n:+} as it fades"),
        Cause::Propaganda => say!("{n:+} by your propaganda"),
        Cause::Foreign => say!("{n:+} by propaganda of others"),
        Cause::Dollars => say!("{n:+} for Dollars built"),
        Cause::Conquerors => say!("{n:+} for conquerors that live"),
        Cause::Losses => say!("{n:+} for units lost abroad"),
        Cause::Missiles => say!("{n:+} by missiles that hit"),
        Cause::World => say!("{n:+} by world opinion"),
        Cause::Gifts => say!("{n:+} for gifts"),
        Cause::Attack => say!("{n:+} for your attack"),
    };
    by.iter().map(cause).collect()
}
