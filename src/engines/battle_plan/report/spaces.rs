//! The map in tables: who holds what, and what is seen there.

use std::collections::BTreeMap;

use super::super::map::SpaceId;
use super::super::state::{Country, Forces, NOBODY};
use super::super::verbs::Arm;
use super::super::view::{Public, View, code, player};
use super::{dash, with_suppressed};
use engine::report::{Align, Block, Line, Section, Table};
use tongue::{mark, say, word};

pub fn owners(view: &View) -> Section {
    let mut players: Vec<_> = view.players.iter().collect();
    players.sort_by_key(|p| (std::cmp::Reverse(p.countries), p.seat));
    let columns = [
        (say!("Player"), Align::Left),
        (say!("Occupied countries"), Align::Right),
        (say!("Remark"), Align::Left),
    ];
    let row = |p: &&Public| {
        let remark = match (p.out, p.dropped) {
            (true, _) => say!("out of the game"),
            (false, true) => say!("sends no orders"),
            _ => String::new(),
        };
        vec![player(view, p.seat), p.countries.to_string(), remark]
    };
    let rows = players.iter().map(row).collect();
    Section::new(say!("Players"), vec![Block::Table(Table::new(columns, rows))])
}

/// Popularity of the players in a minor, by seat, without zeros.
fn popularity(country: &Country) -> String {
    let shown = country.popularity.iter().filter(|(_, v)| **v != 0);
    shown.map(|(p, v)| format!("[{p}]={v}")).collect::<Vec<_>>().join(" ")
}

fn seen_row(view: &View, space: SpaceId, c: &Country) -> Vec<String> {
    let held = if c.is_minor() { "*".to_owned() } else { format!("[{}]", c.owner) };
    let coast = view.tables.map.has_coast(space);
    let spies = c.spies.get(&view.seat).copied().unwrap_or(0);
    vec![
        code(view, space).to_owned(),
        held,
        with_suppressed(c.tax, c.tax_down),
        with_suppressed(c.industry, c.industry_down),
        c.army.to_string(),
        if coast { c.navy.to_string() } else { String::new() },
        with_suppressed(c.air, c.air_down),
        dash(c.missiles),
        dash(c.antimissiles),
        if spies > 0 { spies.to_string() } else { String::new() },
        if c.is_minor() { popularity(c) } else { format!("HPI {}", c.hpi) },
    ]
}

const SPACE_COLUMNS: [(&str, Align); 11] = [
    (mark!("Space"), Align::Left),
    (mark!("Held"), Align::Left),
    (mark!("Tax"), Align::Right),
    (mark!("Ind"), Align::Right),
    (mark!("Army"), Align::Right),
    (mark!("Navy"), Align::Right),
    (mark!("AirF"), Align::Right),
    ("M", Align::Right),
    ("X", Align::Right),
    (mark!("Spies"), Align::Right),
    (mark!("Popularity"), Align::Left),
];

fn space_table(rows: Vec<Vec<String>>) -> Block {
    let columns = SPACE_COLUMNS.map(|(heading, align)| (word(heading), align));
    Block::Table(Table::new(columns, rows))
}

/// An unseen country with its owner or own popularity: `AL [1]`, `AU *`, `GR *=10`.
fn unseen(view: &View, space: SpaceId) -> String {
    match view.owners[usize::from(space.0)] {
        NOBODY => match view.favour.get(&space).copied().unwrap_or(0) {
            0 => format!("{} *", code(view, space)),
            own => format!("{} *={own}", code(view, space)),
        },
        owner => format!("{} [{owner}]", code(view, space)),
    }
}

fn sea_line(view: &View, space: SpaceId, forces: &BTreeMap<u8, Forces>) -> String {
    let side = |(seat, f): (&u8, &Forces)| {
        let parts = [(say!("Army"), f.army), (say!("Navy"), f.navy), (say!("AirF"), f.air)];
        let there: Vec<String> =
            parts.iter().filter(|p| p.1 > 0).map(|(k, n)| format!("{k}={n}")).collect();
        format!("{} ({})", player(view, *seat), there.join(","))
    };
    let sides: Vec<String> = forces.iter().map(side).collect();
    let sides = if sides.is_empty() { say!("empty") } else { sides.join(" ") };
    format!("{} {sides}", code(view, space))
}

/// Countries that are seen, those that are not, and seas; with `U2` a single list.
pub fn spaces(view: &View) -> Vec<Section> {
    let map = &view.tables.map;
    let seas: Vec<Line> =
        view.seas.iter().map(|(s, forces)| sea_line(view, *s, forces).into()).collect();
    let says = say!("<n> is suppressed. Held: * a minor, [n] occupied by player n.");
    if view.position.player.single_list {
        let row = |space: SpaceId| match view.seen.get(&space) {
            Some(country) => seen_row(view, space, country),
            None => {
                let text = unseen(view, space);
                let (code, held) = text.split_once(' ').unwrap_or((&text, ""));
                let (held, own) = held.split_once('=').unwrap_or((held, ""));
                let mut row = vec![code.to_owned(), held.to_owned()];
                row.resize(10, String::new());
                row.push(if own.is_empty() {
                    String::new()
                } else {
                    format!("[{}]={own}", view.seat)
                });
                row
            }
        };
        let rows = map.countries().map(row).collect();
        let mut blocks = vec![space_table(rows), Block::Para(says.into())];
        if !seas.is_empty() {
            blocks.push(Block::List(seas));
        }
        return vec![Section::new(say!("Spaces"), blocks)];
    }
    let rows = view.seen.iter().map(|(s, c)| seen_row(view, *s, c)).collect();
    let mut sections = vec![Section::new(
        say!("Countries that you see"),
        vec![space_table(rows), Block::Para(says.into())],
    )];
    let hidden: Vec<String> = map
        .countries()
        .filter(|s| !view.seen.contains_key(s))
        .map(|s| format!("{:<11}", unseen(view, s)))
        .collect();
    if !hidden.is_empty() {
        let lines = hidden.chunks(6).map(|c| c.concat()).collect();
        sections
            .push(Section::new(say!("Countries that you do not see"), vec![Block::Quote(lines)]));
    }
    if !seas.is_empty() {
        sections.push(Section::new(say!("Seas"), vec![Block::List(seas)]));
    }
    sections
}

/// Sums of the forces that are seen, by player.
pub fn visible(view: &View) -> Section {
    let mut sums: BTreeMap<u8, [i64; 6]> = BTreeMap::new();
    for country in view.seen.values() {
        let sum = sums.entry(country.owner).or_default();
        let arms = [Arm::Industry, Arm::Army, Arm::Navy, Arm::Air, Arm::Missile, Arm::Antimissile];
        for (s, arm) in sum.iter_mut().zip(arms) {
            *s += country.stock(arm);
        }
    }
    for (seat, f) in view.seas.values().flatten() {
        let sum = sums.entry(*seat).or_default();
        sum[1] += f.army;
        sum[2] += f.navy;
        sum[3] += f.air;
    }
    let letters = ["I", "A", "N", "F", "M", "X"].map(|l| (l.to_owned(), Align::Right));
    let columns = [(say!("Player"), Align::Left)].into_iter().chain(letters);
    let row = |(seat, sum): (&u8, &[i64; 6])| {
        let name = if *seat == NOBODY { say!("[minor]") } else { player(view, *seat) };
        let mut row = vec![name];
        row.extend(sum.iter().map(|n| dash(*n)));
        row
    };
    let rows = sums.iter().map(row).collect();
    Section::new(
        say!("Visible forces of all players"),
        vec![Block::Table(Table::new(columns, rows))],
    )
}
