//! What changed for the seat, by cause: builds, moves, losses, popularity.

use std::collections::BTreeMap;

use super::super::judge::words::{counted, noun};
use super::super::map::SpaceId;
use super::super::turn::Event;
use super::super::turn::diary::{Cause, Entry};
use super::super::verbs::Arm;
use super::super::view::{View, code};
use super::{left_out, section};
use engine::report::{Block, Line, Section, listed};

/// Forces space by space, losses in all, popularity.
pub fn changes(view: &View) -> Section {
    let entries = view.events.iter().find_map(|e| match e {
        Event::Diary { entries, .. } => Some(entries.as_slice()),
        _ => None,
    });
    let Some(entries) = entries else { return left_out("What changed") };
    let mut spaces: BTreeMap<SpaceId, Vec<String>> = BTreeMap::new();
    let mut lost: BTreeMap<Arm, i64> = BTreeMap::new();
    let mut homes: Vec<Line> = Vec::new();
    // Minors that feel the same share a line.
    let mut minors: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in entries {
        match entry {
            Entry::Popularity { at, home, before, after, by } => {
                let (at, causes) = (code(view, *at), causes(by));
                let words = format!("{before} to {after}");
                if *home {
                    homes.extend(listed(&format!("HPI of {at} {words}"), &causes));
                } else {
                    let words = format!("Your popularity {words}, {}", causes.join(", "));
                    minors.entry(words).or_default().push(at.to_owned());
                }
            }
            Entry::Fought { arm, lost: fallen, .. } if *arm != Arm::Missile => {
                *lost.entry(*arm).or_default() += fallen;
            }
            _ => {}
        }
        for (space, words) in told(view, entry) {
            spaces.entry(space).or_default().push(words);
        }
    }
    let mut lines: Vec<Line> = Vec::new();
    let mut same: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (space, words) in &spaces {
        match words.as_slice() {
            [one] if one.starts_with("built") => {
                same.entry(one).or_default().push(code(view, *space).to_owned());
            }
            _ => lines.extend(listed(code(view, *space), words)),
        }
    }
    for (words, codes) in same {
        lines.extend(listed(&format!("No more than {words}"), &codes));
    }
    let fallen: Vec<String> =
        lost.iter().filter(|(_, n)| **n > 0).map(|(arm, n)| counted(*n, *arm)).collect();
    lines.extend(listed("Lost in all", &fallen));
    lines.append(&mut homes);
    for (words, codes) in minors {
        lines.extend(listed(&words, &codes));
    }
    if lines.is_empty() {
        return left_out("What changed");
    }
    section("What changed", vec![Block::List(lines)])
}

/// What an entry says of forces, by the space that it is told under.
fn told(view: &View, entry: &Entry) -> Vec<(SpaceId, String)> {
    let code = |space: SpaceId| code(view, space);
    match *entry {
        Entry::Built { at, arm, n } => vec![(at, format!("built {}", counted(n, arm)))],
        Entry::Moved { from, to, arm, n, fled } => {
            let units = counted(n, arm);
            let how = if fled { "fled to" } else { "to" };
            let came = if fled { "in flight from" } else { "from" };
            let mut both = vec![(from, format!("{units} {how} {}", code(to)))];
            // What was given away is no longer the seat's to be told of.
            if view.position.holdings.contains_key(&to) {
                both.push((to, format!("{units} {came} {}", code(from))));
            }
            both
        }
        Entry::Fought { from, at, arm, sent, lost, stay } => {
            fought(view, (from, at), (arm, sent), (lost, stay))
        }
        Entry::Captured { at, arm, n } => {
            // The planes of a minor recover under their new flag.
            let down = if arm == Arm::Air { " (suppressed)" } else { "" };
            vec![(at, format!("captured {}{down}", counted(n, arm)))]
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
        let stopped = if lost > 0 { format!(" ({lost} stopped)") } else { String::new() };
        return vec![(from, format!("{units} fired at {at_code}{stopped}"))];
    }
    if arm == Arm::Antimissile {
        return vec![(at, format!("{units} used up"))];
    }
    let how = match (lost, stay) {
        (0, 0) => "none lost".to_owned(),
        (lost, 0) if lost == sent => "all lost".to_owned(),
        (lost, 0) => format!("{lost} lost"),
        (0, stay) => format!("{stay} stay there"),
        (lost, stay) => format!("{lost} lost and {stay} stay there"),
    };
    if from == at {
        // Who defended without a loss is told by the battle.
        return match lost {
            0 => Vec::new(),
            _ => vec![(at, format!("lost {lost} of {sent} {} here", noun(arm)))],
        };
    }
    let mut both = vec![(from, format!("{units} fought at {at_code} ({how})"))];
    if stay > 0 {
        both.push((at, format!("{} from {}", counted(stay, arm), code(view, from))));
    }
    both
}

/// Why popularity changed, and by how much.
fn causes(by: &[(Cause, i64)]) -> Vec<String> {
    let cause = |(cause, n): &(Cause, i64)| {
        let why = match cause {
            Cause::Fading => "as it fades",
            Cause::Propaganda => "by your propaganda",
            Cause::Foreign => "by propaganda of others",
            Cause::Dollars => "for Dollars built",
            Cause::Conquerors => "for conquerors that live",
            Cause::Losses => "for units lost abroad",
            Cause::Missiles => "by missiles that hit",
            Cause::World => "by world opinion",
            Cause::Gifts => "for gifts",
            Cause::Attack => "for your attack",
        };
        format!("{n:+} {why}")
    };
    by.iter().map(cause).collect()
}
