//! The start countries of games with equal starts: by lot, by wish or as listed (§1.3).

use std::collections::BTreeSet;

use super::map::SpaceId;
use super::tables::Tables;
use engine::{Dice, Setup, options};

/// The start countries of the seats, in their order.
///
/// # Errors
/// One sentence for each code that is not a country or not free, and for an invalid option.
pub fn homes(
    tables: &Tables,
    setup: &Setup,
    revised: bool,
    dice: &mut Dice,
) -> Result<Vec<SpaceId>, Vec<String>> {
    let seats = usize::from(setup.seats);
    // Games that began before there were lots use the set in its order.
    let usual = if revised { "lot" } else { "set" };
    let text = options::text(setup, "starts").unwrap_or(usual).to_lowercase();
    let wishes = options::text(setup, "wishes");
    match &*text {
        "lot" => Ok(shuffled(set(tables, seats, dice), dice)),
        "set" => Ok(set(tables, seats, dice)),
        "wish" => wished(tables, wishes.unwrap_or_default(), seats, dice),
        list => listed(tables, list, seats),
    }
}

/// A balanced set: one of the lines with exactly a country for each seat, otherwise the start of
/// the longest line.
fn set(tables: &Tables, seats: usize, dice: &mut Dice) -> Vec<SpaceId> {
    let lines: Vec<Vec<SpaceId>> =
        tables.variant.starts.iter().map(|line| tables.spaces(line)).collect();
    let exact: Vec<&Vec<SpaceId>> = lines.iter().filter(|l| l.len() == seats).collect();
    let line = match exact.len() {
        0 => lines.iter().max_by_key(|l| l.len()),
        1 => exact.first().copied(),
        n => exact.get(dice.at([]).below("set of starts", n as u32) as usize).copied(),
    };
    line.map(|l| l.iter().take(seats).copied().collect()).unwrap_or_default()
}

fn shuffled(mut spaces: Vec<SpaceId>, dice: &mut Dice) -> Vec<SpaceId> {
    for last in (1..spaces.len()).rev() {
        // A map has fewer than 2^32 spaces.
        let other = dice.at([last as u32]).below("lot", last as u32 + 1);
        spaces.swap(last, other as usize);
    }
    spaces
}

/// The countries that the game master listed, one for each seat.
fn listed(tables: &Tables, list: &str, seats: usize) -> Result<Vec<SpaceId>, Vec<String>> {
    let list = list.to_uppercase().replace(',', " ");
    let codes: Vec<&str> = list.split_whitespace().take(seats).collect();
    let mut faults = Vec::new();
    if codes.len() < seats {
        let have = codes.len();
        faults.push(format!(
            "starts is lot, set, wish, or a list of {seats} countries for {seats} seats; this has {have}"
        ));
    }
    let mut taken = BTreeSet::new();
    for code in codes {
        if country(tables, code).filter(|s| taken.insert(*s)).is_none() {
            faults.push(format!("starts: {code} is no country, or stands there twice"));
        }
    }
    let spaces = list.split_whitespace().take(seats).filter_map(|c| country(tables, c)).collect();
    if faults.is_empty() { Ok(spaces) } else { Err(faults) }
}

fn country(tables: &Tables, code: &str) -> Option<SpaceId> {
    tables.map.find(code).filter(|s| !tables.map.is_sea(*s))
}

/// Gives each seat its first wish that is still free, in an order drawn by lot. A seat without a
/// free wish draws from the set, if possible a country that borders on none taken.
fn wished(
    tables: &Tables,
    text: &str,
    seats: usize,
    dice: &mut Dice,
) -> Result<Vec<SpaceId>, Vec<String>> {
    let text = text.to_uppercase();
    let lists: Vec<&str> = if text.is_empty() { Vec::new() } else { text.split(',').collect() };
    let mut faults = Vec::new();
    if lists.len() > seats {
        faults.push(format!("wishes has {} lists for {seats} seats", lists.len()));
    }
    let strange =
        text.split(|c: char| c == ',' || c.is_whitespace()).filter(|c| !c.is_empty() && *c != "-");
    for code in strange.filter(|c| country(tables, c).is_none()) {
        faults.push(format!("wishes: {code} is no country; a seat without a wish has a -"));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut homes: Vec<Option<SpaceId>> = vec![None; seats];
    let mut turn: Vec<usize> = (0..seats).collect();
    for last in (1..turn.len()).rev() {
        let other = dice.at([last as u32]).below("who chooses first", last as u32 + 1);
        turn.swap(last, other as usize);
    }
    let mut taken: BTreeSet<SpaceId> = BTreeSet::new();
    for seat in &turn {
        let list = lists.get(*seat).copied().unwrap_or_default();
        let mut wishes = list.split_whitespace().filter_map(|c| country(tables, c));
        homes[*seat] = wishes.find(|s| taken.insert(*s));
    }
    // Draw from the set first, then from every other country, so that there are always enough.
    let mut rest = shuffled(set(tables, seats, dice), dice);
    let others = tables.map.countries().filter(|s| !tables.map.row(*s).island);
    rest.extend(shuffled(others.collect(), dice));
    for seat in turn {
        if homes[seat].is_some() {
            continue;
        }
        let free = || rest.iter().filter(|s| !taken.contains(s));
        let alone = |s: &&&SpaceId| taken.iter().all(|t| !tables.map.adjacent(***s, *t));
        let next = free().find(|s| alone(&s)).or_else(|| free().next()).copied();
        taken.extend(next);
        homes[seat] = next;
    }
    Ok(homes.into_iter().flatten().collect())
}
