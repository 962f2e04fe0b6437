//! The codes with their names, and for each own space its neighbours and what is in air range:
//! who plays by mail has no map of the rulebook at hand.

use std::collections::BTreeSet;

use super::super::map::SpaceId;
use super::super::orders::starts_order;
use super::super::view::{View, code};
use super::{left_out, section};
use engine::report::{Align, Block, Section, Table, listed};

/// Spaces that a map may have for all its codes to be told.
const SMALL: usize = 60;

/// Codes, neighbours, ranges.
pub fn reach(view: &View) -> Section {
    let map = &view.tables.map;
    let own: Vec<SpaceId> = view.position.holdings.keys().copied().collect();
    if own.is_empty() {
        return left_out("Codes and ranges");
    }
    let mut known: BTreeSet<SpaceId> = own.iter().copied().collect();
    let mut rows = Vec::new();
    for space in own {
        let near = map.neighbours(space);
        let far = map.air_range(space);
        known.extend(near.iter().chain(far));
        let mut beside: Vec<String> = near.iter().map(|s| code(view, *s).to_owned()).collect();
        let canals = map.seas().filter_map(|to| Some((to, map.canal(space, to)?)));
        beside.extend(canals.map(|(to, by)| format!("({} by {})", code(view, to), code(view, by))));
        let far: Vec<&str> =
            far.iter().filter(|s| !near.contains(s)).map(|s| code(view, *s)).collect();
        rows.push(vec![code(view, space).to_owned(), codes(&beside), codes(&far)]);
    }
    let all = map.len() <= SMALL;
    known.extend(view.seen.keys().chain(view.seas.keys()));
    let named = map.all().filter(|s| all || known.contains(s));
    let names: Vec<String> = named.map(|s| format!("{} {}", code(view, s), map.name(s))).collect();
    let columns =
        [("Space", Align::Left), ("Next to it", Align::Left), ("Also in air range", Align::Left)];
    let blocks =
        vec![Block::List(listed("Codes", &names)), Block::Table(Table::new(columns, rows))];
    section("Codes and ranges", blocks)
}

/// Codes side by side; one that also begins an order, such as Baltic States' BA, never stands
/// first on a wrapped line.
fn codes(all: &[impl AsRef<str>]) -> String {
    let mut text = String::new();
    for code in all.iter().map(AsRef::as_ref) {
        let blank = match (text.is_empty(), starts_order(code)) {
            (true, _) => "",
            (false, true) => "\u{a0}",
            (false, false) => " ",
        };
        text += blank;
        text += code;
    }
    text
}
