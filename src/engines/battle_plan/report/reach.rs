//! The codes with their names, and for each own space its neighbours and its air range: players by
//! mail have no map from the rulebook at hand.

use std::collections::BTreeSet;

use super::super::map::SpaceId;
use super::super::orders::starts_order;
use super::super::view::{View, code};
use super::left_out;
use engine::report::{Align, Block, Section, Table, listed};
use tongue::say;

/// The most spaces of a map whose codes are all listed.
const SMALL: usize = 60;

/// Codes, neighbours, ranges.
pub fn reach(view: &View) -> Section {
    let map = &view.tables.map;
    let own: Vec<SpaceId> = view.position.holdings.keys().copied().collect();
    if own.is_empty() {
        return left_out();
    }
    let mut known: BTreeSet<SpaceId> = own.iter().copied().collect();
    let mut rows = Vec::new();
    for space in own {
        let near = map.neighbours(space);
        let far = map.air_range(space);
        known.extend(near.iter().chain(far));
        let mut beside: Vec<String> = near.iter().map(|s| code(view, *s).to_owned()).collect();
        let canals = map.seas().filter_map(|to| Some((to, map.canal(space, to)?)));
        let by_canal = |(to, by): (SpaceId, SpaceId)| {
            say!("({place} by {canal})", place = code(view, to), canal = code(view, by))
        };
        beside.extend(canals.map(by_canal));
        let far: Vec<&str> =
            far.iter().filter(|s| !near.contains(s)).map(|s| code(view, *s)).collect();
        rows.push(vec![code(view, space).to_owned(), codes(&beside), codes(&far)]);
    }
    let all = map.len() <= SMALL;
    known.extend(view.seen.keys().chain(view.seas.keys()));
    let named = map.all().filter(|s| all || known.contains(s));
    let names: Vec<String> = named.map(|s| format!("{} {}", code(view, s), map.name(s))).collect();
    let columns = [
        (say!("Space"), Align::Left),
        (say!("Next to it"), Align::Left),
        (say!("Also in air range"), Align::Left),
    ];
    let codes = Block::List(listed(&say!("Codes"), &names));
    Section::new(say!("Codes and ranges"), vec![codes, Block::Table(Table::new(columns, rows))])
}

/// Codes side by side. A code that also begins an order, such as Baltic States' BA, never begins a
/// wrapped line.
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
