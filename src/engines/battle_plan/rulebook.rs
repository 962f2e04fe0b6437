//! The rulebook for players: chapters of `rulebook.toml` for the game's variant, with
//! the figures of its data files, then the connections of its map and, in 1939, the
//! victory points.

use crate::view::View;
use crate::{BattlePlan, primer};
use serde::Deserialize;

use super::map::SpaceId;
use super::state::State;
use super::tables::Tables;
use engine::report::{Align, Block, Table};
use engine::{Books, Primer, Section};

impl Books for BattlePlan {
    fn primer(view: &View) -> Primer {
        primer::primer(view)
    }

    fn rulebook(state: &State) -> Vec<Section> {
        rulebook(state)
    }
}

const TEXT: &str = include_str!("../../../config/battle-plan/rulebook.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Book {
    chapter: Vec<Chapter>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Chapter {
    heading: String,
    #[serde(default)]
    only: Vec<String>,
    #[serde(default)]
    para: Vec<String>,
    #[serde(default)]
    list: Vec<String>,
    #[serde(default)]
    table: Vec<Rows>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// All chapters of the game's variant.
pub fn rulebook(state: &State) -> Vec<Section> {
    let tables = &*state.tables;
    let figures = figures(tables);
    // A test proves that the embedded book can be read.
    let book: Book = engine::data::from_toml(TEXT).unwrap_or(Book { chapter: Vec::new() });
    let variant = &tables.variant.name;
    let printed = |c: &&Chapter| c.only.is_empty() || c.only.contains(variant);
    let mut sections: Vec<Section> =
        book.chapter.iter().filter(printed).map(|c| chapter(c, &figures)).collect();
    sections.push(connections(tables));
    sections.extend(victory_points(tables));
    sections
}

/// A chapter with its figures filled in; lines that look like orders stand as
/// quotes, so that they can't be read as such.
fn chapter(chapter: &Chapter, figures: &[(&str, i64)]) -> Section {
    let fill = |text: &String| filled(text, figures);
    let para = |text: &String| {
        let text = fill(text);
        match looks_like_an_order(&text) {
            true => Block::Quote(vec![text]),
            false => Block::Para(text.into()),
        }
    };
    let mut blocks: Vec<Block> = chapter.para.iter().map(para).collect();
    if chapter.list.iter().any(|l| looks_like_an_order(l)) {
        blocks.push(Block::Quote(chapter.list.iter().map(fill).collect()));
    } else if !chapter.list.is_empty() {
        blocks.push(Block::List(chapter.list.iter().map(|l| fill(l).into()).collect()));
    }
    for table in &chapter.table {
        let columns = table.columns.iter().map(|c| (c.clone(), Align::Left));
        let rows = table.rows.iter().map(|r| r.iter().map(fill).collect()).collect();
        blocks.push(Block::Table(Table::new(columns, rows)));
    }
    let (number, title) = chapter.heading.split_once(' ').unwrap_or((&chapter.heading, ""));
    Section { heading: format!("{number}. {title}"), blocks }
}

fn looks_like_an_order(text: &str) -> bool {
    ["@", "/", "PRESS ", "TO ", "NEWS", "END"].iter().any(|s| text.starts_with(s))
}

/// The figures by their names in the book.
pub fn figures(tables: &Tables) -> Vec<(&'static str, i64)> {
    let f = &tables.figures;
    // Line and column limits are far below any number's limit.
    let size = |n: usize| n as i64;
    vec![
        ("player_army", f.player.army),
        ("player_navy", f.player.navy),
        ("player_air", f.player.air),
        ("landlocked_air", f.player.landlocked_air),
        ("player_industry", f.player.industry),
        ("player_limit", f.player.limit),
        ("player_tax", f.player.tax),
        ("minor_army", f.minor.army),
        ("minor_navy", f.minor.navy),
        ("minor_air", f.minor.air),
        ("minor_landlocked_air", f.minor.landlocked_air),
        ("island_army", f.minor.island_army),
        ("island_navy", f.minor.island_navy),
        ("minor_industry", f.minor.industry),
        ("minor_limit", f.minor.limit),
        ("minor_tax", f.minor.tax),
        ("home_popularity", f.player.popularity),
        ("dollars", f.player.dollars),
        ("spies", f.player.spies),
        ("counterspies", f.player.counterspies),
        ("interest", f.economy.interest_percent),
        ("recovery", f.economy.recovery_percent),
        ("blockade", f.economy.blockade_percent),
        ("catch", i64::from(f.spies.caught_percent)),
        ("neighbour_tax", f.economy.neighbour_percent),
        ("own_propaganda", f.popularity.own_propaganda),
        ("foreign_propaganda", f.popularity.foreign_propaganda),
        ("decay", f.popularity.decay_percent),
        ("gift", f.popularity.gift),
        ("missile_gift", f.popularity.missile_gift),
        ("missile_hits", f.combat.missile_hits),
        ("missile_popularity", f.combat.missile_popularity),
        ("message_lines", size(f.messages.lines)),
        ("message_columns", size(f.messages.columns)),
        ("news_lines", size(f.messages.news_lines)),
        ("news_columns", size(f.messages.news_columns)),
        ("canned", size(f.messages.canned_a_turn)),
        ("missed", i64::from(f.play.missed_turns)),
    ]
}

fn filled(text: &str, figures: &[(&str, i64)]) -> String {
    figures.iter().fold(text.to_owned(), |text, (name, value)| match text.contains('{') {
        true => text.replace(&format!("{{{name}}}"), &value.to_string()),
        false => text,
    })
}

/// What lies next to what, and what is in air range beyond.
fn connections(tables: &Tables) -> Section {
    let map = &tables.map;
    let codes = |list: &mut dyn Iterator<Item = SpaceId>| {
        list.map(|s| map.code(s)).collect::<Vec<_>>().join(" ")
    };
    let row = |space: SpaceId| {
        let near = map.neighbours(space);
        let far = map.air_range(space).iter().copied().filter(|s| !map.adjacent(space, *s));
        vec![
            map.code(space).to_owned(),
            map.name(space).to_owned(),
            format!("{} ({})", codes(&mut near.iter().copied()), codes(&mut far.into_iter())),
        ]
    };
    let columns = ["Code", "Space", "Next to it (in air range)"];
    let columns = columns.map(|c| (c, Align::Left));
    let table = Table::new(columns, map.all().map(row).collect());
    Section { heading: "25. Connections".to_owned(), blocks: vec![Block::Table(table)] }
}

/// The lists of all powers of 1939.
fn victory_points(tables: &Tables) -> Option<Section> {
    if tables.powers.is_empty() {
        return None;
    }
    let mut blocks = Vec::new();
    for (seat, power) in (1..).zip(&tables.powers) {
        blocks.push(Block::Para(format!("[{seat}] {}:", power.name).into()));
        let row = |item: &super::worth::Item| {
            let worth = if item.worth == 0 { String::new() } else { item.worth.to_string() };
            vec![worth, item.says(|p| tables.power_name(p))]
        };
        let columns = vec![("Points".to_owned(), Align::Right), ("For".to_owned(), Align::Left)];
        let rows = power.points.iter().map(row).collect();
        blocks.push(Block::Table(Table::new(columns, rows)));
    }
    Some(Section { heading: "26. Victory points".to_owned(), blocks })
}
