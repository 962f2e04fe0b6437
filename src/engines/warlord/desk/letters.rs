//! Step 11: puts messages together from codes and their numbers (§12).

use std::collections::BTreeSet;

use super::super::bases::Planes;
use super::super::orders::{Order, read_sector};
use super::super::phrases::ranges;
use super::super::state::Power;
use super::super::tables::{Class, Tables, filled_in};
use super::{Desk, Letter, Param, Sentence};
use engine::Told;
use tongue::say;

/// A message whose lines are being read: its addressee, and each number with its line.
struct Draft {
    line: u32,
    player: u16,
    numbers: Vec<(u32, String)>,
}

/// Step 11, except for the values that the game fills in later.
pub fn write_letters(desk: &mut Desk, orders: &[(u32, Order)]) {
    let mut open: Option<Draft> = None;
    for (line, order) in orders {
        match order {
            Order::Message { player, numbers } => {
                if let Some(done) = open.take() {
                    finish_letter(desk, done);
                }
                let numbers = numbers.iter().map(|n| (*line, n.clone())).collect();
                open = Some(Draft { line: *line, player: *player, numbers });
                desk.paper.told.insert(*line, Told::ok(""));
            }
            Order::Continue { numbers } => {
                let told = match &mut open {
                    Some(draft) => {
                        draft.numbers.extend(numbers.iter().map(|n| (*line, n.clone())));
                        Told::ok("")
                    }
                    None => {
                        let text = say!("there is no Y line above to go on with");
                        Told::error("no-message", text)
                    }
                };
                desk.paper.told.insert(*line, told);
            }
            _ => {}
        }
    }
    if let Some(done) = open.take() {
        finish_letter(desk, done);
    }
}

fn finish_letter(desk: &mut Desk, Draft { line: first, player, numbers }: Draft) {
    let to = match desk.is_everybody(player) {
        true => None,
        false => match desk.other_player(player) {
            Some(to) => Some(to),
            None => {
                let told = desk.no_player(player);
                refuse(desk, first, told, first, &numbers);
                return;
            }
        },
    };
    let sentences = read_codes(desk, &numbers);
    match sentences {
        Ok(sentences) => desk.paper.letters.push(Letter { line: first, to, sentences }),
        Err((line, told)) => refuse(desk, line, told, first, &numbers),
    }
}

/// Refuses a whole message because of a fault in one of its lines.
fn refuse(desk: &mut Desk, line: u32, told: Told, first: u32, numbers: &[(u32, String)]) {
    let mut lines: BTreeSet<u32> = numbers.iter().map(|(l, _)| *l).collect();
    lines.insert(first);
    for other in lines.into_iter().filter(|l| *l != line) {
        let text = say!("not sent because of line {line}");
        desk.paper.told.insert(other, Told::error("not-sent", text));
    }
    desk.paper.told.insert(line, told);
}

/// Reads codes and their parameters over all lines of a message.
fn read_codes(desk: &mut Desk, numbers: &[(u32, String)]) -> Result<Vec<Sentence>, (u32, Told)> {
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut rest = numbers.iter();
    while let Some((line, word)) = rest.next() {
        let code = word.parse().ok();
        let Some(row) = code.and_then(|c| desk.facts.tables.message(c)) else {
            let last = sentences.last().and_then(|s| desk.facts.tables.message(s.code));
            if last.is_some_and(|row| row.says.contains('[')) {
                let text = say!("{word} is no code and is ignored");
                desk.paper.told.insert(*line, Told::warning("ignored", text));
                continue;
            }
            return Err((*line, Told::error("code", say!("{word} is no message code"))));
        };
        let mut params = Vec::new();
        for kind in row.takes.chars() {
            let (code, kinds) = (row.code, || spelled(&row.takes));
            let Some((_, word)) = rest.next() else {
                let text = say!("a number is missing: code {code} takes {kinds}", kinds = kinds());
                return Err((*line, Told::error("code-parameter", text)));
            };
            match param(desk, kind, word) {
                Some(param) => params.push(param),
                None => {
                    let text =
                        say!("{word} does not fit: code {code} takes {kinds}", kinds = kinds());
                    return Err((*line, Told::error("code-parameter", text)));
                }
            }
        }
        sentences.push(Sentence { code: row.code, params });
    }
    Ok(sentences)
}

fn param(desk: &Desk, kind: char, word: &str) -> Option<Param> {
    match kind {
        'S' => {
            let sector = read_sector(word)?;
            sector.on(desk.facts.grid).map(|_| Param::Sector(sector.col, sector.row))
        }
        _ => word.parse().ok().map(Param::Number),
    }
}

fn spelled(takes: &str) -> String {
    let kinds = takes.chars().map(|k| match k {
        'S' => say!(takes: "a sector"),
        _ => say!(takes: "a number"),
    });
    kinds.collect::<Vec<_>>().join(", ")
}

/// The values that the game puts into a sentence, in the order of its brackets.
pub fn values(tables: &Tables, power: &Power, sentence: &Sentence) -> Vec<String> {
    let says = tables.sentence(sentence.code, "");
    let count = |ships: bool| {
        let of_sort =
            power.units.values().filter(|u| (tables.row(u.kind).class == Class::Ship) == ships);
        of_sort.map(|u| if ships { usize::from(u.size) } else { 1 }).sum::<usize>()
    };
    let planes: Planes = power.bases().map(|(.., hangar)| hangar.planes).sum();
    filled_in(says)
        .into_iter()
        .map(|key| match key {
            'C' => power.cities.len().to_string(),
            'A' => (power.cities.len() + power.airbases.len()).to_string(),
            'D' => count(false).to_string(),
            'S' => count(true).to_string(),
            'F' => planes.cover().to_string(),
            'B' => planes.bombers.to_string(),
            'L' => power.tech.to_string(),
            'P' => (power.stock / 100).to_string(),
            _ if power.allies.is_empty() => say!("nobody"),
            _ => ranges(power.allies.iter().map(|&a| a.into())),
        })
        .collect()
}
