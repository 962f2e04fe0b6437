//! Numbers, forces and lists as all texts of the game write them.

use std::borrow::Cow;

use super::bases::Planes;
use tongue::{count, mark, say};

/// `1 Tank`, `3 Tanks`, `1 AA battery`, `5 Infantry`: `n` of a type, by its name in the tables. A
/// type without words of its own gets the English plural.
pub fn force(n: u16, name: &str) -> String {
    force_in_words(n, name).unwrap_or_else(|| {
        match (name.strip_suffix("ies"), name.strip_suffix('s')) {
            (Some(one), _) if n == 1 => format!("1 {one}y"),
            (_, Some(one)) if n == 1 => format!("1 {one}"),
            _ => format!("{n} {name}"),
        }
    })
}

/// `n` of a type in the words of the language; `None` for a type that no table has.
pub fn force_in_words(n: u16, name: &str) -> Option<String> {
    Some(match name {
        "Infantry" => count!(n, both: "{n} Infantry"),
        "Engineers" => count!(n, "{n} Engineer", "{n} Engineers"),
        "Tanks" => count!(n, "{n} Tank", "{n} Tanks"),
        "Trucks" => count!(n, "{n} Truck", "{n} Trucks"),
        "Artillery" => count!(n, both: "{n} Artillery"),
        "AA batteries" => count!(n, "{n} AA battery", "{n} AA batteries"),
        "Mechanised" => count!(n, both: "{n} Mechanised"),
        "Heavy tanks" => count!(n, "{n} Heavy tank", "{n} Heavy tanks"),
        "Paratroops" => count!(n, "{n} Paratroop", "{n} Paratroops"),
        "Destroyers" => count!(n, "{n} Destroyer", "{n} Destroyers"),
        "Cruisers" => count!(n, "{n} Cruiser", "{n} Cruisers"),
        "Battleships" => count!(n, "{n} Battleship", "{n} Battleships"),
        "Transports" => count!(n, "{n} Transport", "{n} Transports"),
        "Submarines" => count!(n, "{n} Submarine", "{n} Submarines"),
        "Carriers" => count!(n, "{n} Carrier", "{n} Carriers"),
        "Missile cruisers" => count!(n, "{n} Missile cruiser", "{n} Missile cruisers"),
        "Nuclear subs" => count!(n, "{n} Nuclear sub", "{n} Nuclear subs"),
        "Fighters" => count!(n, "{n} Fighter", "{n} Fighters"),
        "Bombers" => count!(n, "{n} Bomber", "{n} Bombers"),
        "Jets" => count!(n, "{n} Jet", "{n} Jets"),
        "Missiles" => count!(n, "{n} Missile", "{n} Missiles"),
        "Warheads" => count!(n, "{n} Warhead", "{n} Warheads"),
        "Missile defence" => count!(n, both: "{n} Missile defence"),
        _ => return None,
    })
}

/// `unit 5`, `units 5-7, 9`.
pub fn units(numbers: &[u16]) -> String {
    let named = ranges(numbers.iter().copied());
    count!(n = numbers.len(), "unit {numbers}", "units {numbers}", numbers = named)
}

/// `12.5 %` for 125 per mille.
pub fn percent(per_mille: u32) -> String {
    match per_mille % 10 {
        0 => format!("{} %", per_mille / 10),
        tenth => say!("{whole}.{tenth} %", whole = per_mille / 10),
    }
}

/// `12.5` for 12 500 thousandths.
pub fn tenths(thousandths: i64) -> String {
    match thousandths / 100 % 10 {
        0 => (thousandths / 1000).to_string(),
        tenth => say!("{whole}.{tenth}", whole = thousandths / 1000),
    }
}

/// Planes of all types; types without planes are left out.
pub fn planes(planes: Planes) -> String {
    match stored(planes, (0, 0)) {
        none if none.is_empty() => count!(n = 0, "{n} fighter", "{n} fighters"),
        some => some,
    }
}

/// Planes, missiles and warheads; kinds that are missing are left out.
pub fn stored(planes: Planes, (missiles, warheads): (u16, u16)) -> String {
    let Planes { fighters, jets, bombers } = planes;
    let all = [
        (fighters, count!(n = fighters, "{n} fighter", "{n} fighters")),
        (jets, count!(n = jets, "{n} jet", "{n} jets")),
        (bombers, count!(n = bombers, "{n} bomber", "{n} bombers")),
        (missiles, count!(n = missiles, "{n} missile", "{n} missiles")),
        (warheads, count!(n = warheads, "{n} warhead", "{n} warheads")),
    ];
    let there = all.into_iter().filter(|(n, _)| *n > 0).map(|(_, named)| named);
    joined(&there.collect::<Vec<_>>())
}

/// `a`, `a and b`, `a, b and c`.
pub fn joined(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => say!("{first} and {last}", first = first.join(", ")),
    }
}

/// Guns of ships, measured in bombers.
pub fn guns(bombers: i64) -> String {
    count!(n = bombers, "ships' guns that equal a bomber", "ships' guns that equal {n} bombers")
}

/// Name of a rank.
pub fn rank_name(rank: u8) -> Cow<'static, str> {
    const RANKS: [&str; 4] = [mark!("Novice"), mark!("Seasoned"), mark!("Veteran"), mark!("Elite")];
    tongue::word(RANKS[usize::from(rank.min(3))])
}

/// Hundredths of PP as players read them, in PP.
pub fn pp(hundredths: i64) -> String {
    match hundredths % 100 {
        0 => (hundredths / 100).to_string(),
        part => say!("{whole}.{part:02}", whole = hundredths / 100),
    }
}

/// `1-3, 7` for 1 2 3 7.
pub fn ranges(numbers: impl IntoIterator<Item = u16>) -> String {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for n in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == n => *last = n,
            _ => runs.push((n, n)),
        }
    }
    let text = |&(a, b): &(u16, u16)| if a == b { a.to_string() } else { format!("{a}-{b}") };
    runs.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// How an attack changed the defences of a city.
pub fn defences(before: u8, after: u8) -> String {
    match before == after {
        true => say!("defences stay at {after}"),
        false => say!("defences {before} to {after}"),
    }
}

/// `n` cities in words.
pub fn cities(n: usize) -> String {
    match n {
        0 => say!("no city"),
        n => count!(n, "{n} city", "{n} cities"),
    }
}
