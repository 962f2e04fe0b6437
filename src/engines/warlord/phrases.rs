//! Numbers, forces and lists as every text of the game writes them.

use super::bases::Planes;

/// `1 fighter`, `3 fighters`.
pub fn counted(n: impl Into<i64>, what: &str) -> String {
    match n.into() {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// `1 Tank`, `3 Tanks`, `1 AA battery`, `5 Infantry`.
pub fn force(n: u16, name: &str) -> String {
    match (name.strip_suffix("ies"), name.strip_suffix('s')) {
        (Some(one), _) if n == 1 => format!("1 {one}y"),
        (_, Some(one)) if n == 1 => format!("1 {one}"),
        _ => format!("{n} {name}"),
    }
}

/// `unit 5`, `units 5-7, 9`.
pub fn units(numbers: &[u16]) -> String {
    let what = if numbers.len() == 1 { "unit" } else { "units" };
    format!("{what} {}", ranges(numbers.iter().copied()))
}

/// `12.5 %` for 125 per mille.
pub fn percent(per_mille: u32) -> String {
    match per_mille % 10 {
        0 => format!("{} %", per_mille / 10),
        tenth => format!("{}.{tenth} %", per_mille / 10),
    }
}

/// `12.5` for 12 500 thousandths.
pub fn tenths(thousandths: i64) -> String {
    match thousandths / 100 % 10 {
        0 => (thousandths / 1000).to_string(),
        tenth => format!("{}.{tenth}", thousandths / 1000),
    }
}

/// Planes of all types; a type that is not there is not named.
pub fn planes(planes: Planes) -> String {
    match stored(planes, (0, 0)) {
        none if none.is_empty() => counted(0, "fighter"),
        some => some,
    }
}

/// Planes, missiles and warheads, as far as there are any.
pub fn stored(planes: Planes, (missiles, warheads): (u16, u16)) -> String {
    let all = [
        (planes.fighters, "fighter"),
        (planes.jets, "jet"),
        (planes.bombers, "bomber"),
        (missiles, "missile"),
        (warheads, "warhead"),
    ];
    let named = all.iter().filter(|(n, _)| *n > 0).map(|&(n, what)| counted(n, what));
    joined(&named.collect::<Vec<_>>())
}

/// `a`, `a and b`, `a, b and c`.
pub fn joined(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Guns of ships, measured in bombers.
pub fn guns(bombers: i64) -> String {
    match bombers {
        1 => "ships' guns that equal a bomber".to_owned(),
        n => format!("ships' guns that equal {n} bombers"),
    }
}

/// Name of a rank.
pub fn rank_name(rank: u8) -> &'static str {
    ["Novice", "Seasoned", "Veteran", "Elite"][usize::from(rank.min(3))]
}

/// Hundredths of PP as players read them.
pub fn pp(hundredths: i64) -> String {
    match hundredths % 100 {
        0 => (hundredths / 100).to_string(),
        _ => format!("{}.{:02}", hundredths / 100, hundredths % 100),
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

/// What became of the defences of a city.
pub fn defences(before: u8, after: u8) -> String {
    match before == after {
        true => format!("defences stay at {after}"),
        false => format!("defences {before} to {after}"),
    }
}
