//! What a line that can't be carried out was meant to be: words for letters, names of cities,
//! generals and kinds, compass words, lists of units.

use super::orders::{self, Row, sector_no};
use super::view::View;
use engine::geometry::Direction;
use engine::{CardText, syntax};

/// Words that players put before and between the fields, and that say nothing.
const FILLERS: [&str; 18] = [
    "TO", "INTO", "IN", "AT", "THE", "UNIT", "UNITS", "CITY", "SECTOR", "FROM", "WITH", "OF", "BY",
    "AND", "GENERAL", "PLAYER", "TOWARDS", "UP",
];

/// Words for the letters of orders, besides the names of the orders.
const WORDS: [(&str, &str); 22] = [
    ("GO", "A"),
    ("MARCH", "A"),
    ("ATTACK", "A"),
    ("SEND", "A"),
    ("WALK", "M"),
    ("STEP", "M"),
    ("BUILD", "C"),
    ("MAKE", "C"),
    ("PRODUCE", "C"),
    ("ALLY", "D"),
    ("BOMBARD", "B"),
    ("SPY", "I"),
    ("JOIN", "L"),
    ("MERGE", "L"),
    ("RENAME", "N"),
    ("SCOUT", "O"),
    ("LOOK", "O"),
    ("GENERAL", "P"),
    ("FIRE", "R"),
    ("PART", "S"),
    ("DROP", "V"),
    ("GUARD", "W"),
];

/// Lines that one line may stand for, at most.
const LINES_MAX: usize = 20;
/// Fields of a line that is looked at, at most.
const FIELDS_MAX: usize = 24;

/// The orders that a line was meant to be, each as a card writes it; empty where nothing is found
/// or more than one thing.
pub fn meant(view: &View, line: &str) -> Vec<String> {
    let Some(words) = syntax::words(line) else { return Vec::new() };
    let Some(row) = row_of(&words.head) else { return Vec::new() };
    let fields: Vec<String> = words.rest.iter().filter_map(|w| telling(w)).collect();
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    if fields.len() > FIELDS_MAX {
        return Vec::new();
    }
    let found = match row.letter {
        "A" => with_units(view, &fields, |rest| goal(view, rest)),
        "M" => with_units(view, &fields, steps),
        "C" => construction(view, &fields),
        "B" | "O" => strike(view, &fields),
        "P" => position(view, &fields),
        _ => Some(vec![fields.join(" ")]),
    };
    let lines = found.into_iter().flatten().map(|f| format!("{} {f}", row.letter));
    let lines: Vec<String> = lines.take(LINES_MAX + 1).collect();
    let read = |line: &String| orders::parse(&CardText::new(line));
    let right = |line: &String| {
        let (orders, faults) = read(line);
        orders.len() == 1 && faults.is_empty()
    };
    let same = lines.len() == 1 && lines.first().map(read) == Some(read(&line.to_owned()));
    match lines.len() <= LINES_MAX && !same && lines.iter().all(right) {
        true => lines,
        false => Vec::new(),
    }
}

/// A word in capitals, without signs around it; `None` where it says nothing.
fn telling(word: &str) -> Option<String> {
    let word = word.trim_matches(['"', '\'', '.', ':', '!']).to_uppercase();
    (!FILLERS.contains(&word.as_str())).then_some(word)
}

/// Whether these words are a name, with or without words such as `city` in it.
fn is_name(words: &[&str], name: &str) -> bool {
    let name: Vec<String> = name.split_whitespace().filter_map(telling).collect();
    !name.is_empty() && name == words
}

/// The order that a first word names: its letter, a word of its name, another word for it.
fn row_of(head: &str) -> Option<&'static Row> {
    if let Some(row) = orders::row(head) {
        return Some(row);
    }
    let named = |r: &&Row| r.name.to_uppercase().split(' ').any(|w| w.len() > 2 && w == head);
    let word = || WORDS.iter().find(|(word, _)| *word == head);
    orders::ROWS.iter().find(named).or_else(|| orders::row(word()?.1))
}

/// A list of own units and what follows it: `1-4`, `1 3`, `5`. The last number belongs to what
/// follows where nothing else does.
fn with_units(
    view: &View,
    fields: &[&str],
    then: impl Fn(&[&str]) -> Option<String>,
) -> Option<Vec<String>> {
    let listed = |w: &&&str| w.chars().all(|c| c.is_ascii_digit() || c == '-');
    let numbers = fields.iter().take_while(listed).count();
    let cut = if numbers == fields.len() { numbers.checked_sub(1)? } else { numbers };
    let (who, rest) = fields.split_at(cut);
    let rest = then(rest)?;
    let mut units: Vec<u16> = Vec::new();
    for word in who {
        match word.split_once('-') {
            None if word.len() > 3 => return None,
            None => units.push(word.parse().ok()?),
            Some((first, last)) => {
                let (first, last): (u16, u16) = (first.parse().ok()?, last.parse().ok()?);
                units.extend((first..=last).take(LINES_MAX + 1));
            }
        }
    }
    let own = units.iter().all(|no| view.power.units.contains_key(no));
    (own && !units.is_empty()).then(|| units.iter().map(|no| format!("{no} {rest}")).collect())
}

/// Where an advance leads: a sector, a city, a direction.
fn goal(view: &View, words: &[&str]) -> Option<String> {
    match words {
        [word] if word.chars().all(|c| c.is_ascii_digit()) => Some((*word).to_owned()),
        [word] if direction(word).is_some() => direction(word).map(|d| d.code().to_string()),
        _ => place(view, words),
    }
}

/// The sector of a place: its number, or the name of a city.
fn place(view: &View, words: &[&str]) -> Option<String> {
    if let [word] = words
        && orders::read_sector(word).is_some()
    {
        return Some((*word).to_owned());
    }
    let own = view.power.cities.values().map(|c| (c.name.as_str(), c.at));
    let all = own.chain(view.cities.iter().map(|c| (c.seen.name.as_str(), c.at)));
    let mut found = all.filter(|(name, _)| is_name(words, name));
    let (_, at) = found.next()?;
    found.all(|(_, other)| other == at).then(|| sector_no(view.grid, at))
}

/// The digits of a march: compass words, or digits as they are.
fn steps(words: &[&str]) -> Option<String> {
    let digits = words.iter().map(|w| match direction(w) {
        Some(d) => Some(d.code().to_string()),
        None => w.chars().all(|c| ('0'..='8').contains(&c)).then(|| (*w).to_owned()),
    });
    digits.collect::<Option<String>>().filter(|d| !d.is_empty())
}

/// A compass word: `NW`, `NORTHWEST`, `NORTH-WEST`.
fn direction(word: &str) -> Option<Direction> {
    let mut short = word.replace('-', "");
    for (long, letter) in [("NORTH", "N"), ("SOUTH", "S"), ("EAST", "E"), ("WEST", "W")] {
        short = short.replace(long, letter);
    }
    (1..=8).filter_map(Direction::from_code).find(|d| d.name() == short)
}

/// An own city by number or name, and an item by ID or name.
fn construction(view: &View, fields: &[&str]) -> Option<Vec<String>> {
    let number = |words: &[&str]| -> Option<u16> {
        let mut named = view.power.cities.iter().filter(|(_, c)| is_name(words, &c.name));
        match words {
            [word] if word.chars().all(|c| c.is_ascii_digit()) => word.parse().ok(),
            _ => named.next().map(|(no, _)| *no).filter(|_| named.next().is_none()),
        }
    };
    let item = |words: &[&str]| -> Option<u8> {
        let name = words.join(" ");
        let plural = |n: &str| format!("{n}S");
        let is = |n: &str| n == name || plural(n) == name || n == plural(&name);
        let mut rows = view.tables.units.iter().filter(|r| is(&r.name.to_uppercase()));
        match words {
            [word] if word.chars().all(|c| c.is_ascii_digit()) => word.parse().ok(),
            _ => rows.next().map(|r| r.id).filter(|_| rows.next().is_none()),
        }
    };
    // Either may have several words, and either may come first.
    let cuts = 1..fields.len();
    let both = |(a, b): (&[&str], &[&str])| Some((number(a)?, item(b)?));
    let mut found: Vec<(u16, u8)> = cuts
        .flat_map(|cut| {
            let (a, b) = fields.split_at(cut);
            let turned = b.iter().chain(a).all(|w| w.chars().all(|c| c.is_ascii_digit()));
            [both((a, b)), both((b, a)).filter(|_| !turned)]
        })
        .flatten()
        .collect();
    found.dedup();
    match found[..] {
        [(city, item)] => Some(vec![format!("{city} {item}")]),
        _ => None,
    }
}

/// A number of planes and a place.
fn strike(view: &View, fields: &[&str]) -> Option<Vec<String>> {
    let (planes, rest) = fields.split_first()?;
    Some(vec![format!("{planes} {}", place(view, rest)?)])
}

/// A general by number or name, and a unit.
fn position(view: &View, fields: &[&str]) -> Option<Vec<String>> {
    let (unit, general) = fields.split_last()?;
    let mut named = (1..).zip(&view.power.generals).filter(|(_, g)| is_name(general, &g.name));
    let number: u16 = match general {
        [word] if word.chars().all(|c| c.is_ascii_digit()) => word.parse().ok()?,
        _ => named.next().map(|(n, _)| n).filter(|_| named.next().is_none())?,
    };
    Some(vec![format!("{number} {unit}")])
}
