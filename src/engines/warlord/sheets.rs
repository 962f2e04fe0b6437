//! Sheets that come with some printouts: spy reports, the sheet on coalitions, tech sheets, and the
//! quick reference of every turn card.

use super::events::{Event, Find};
use super::orders::ROWS;
use super::state::{BOMBER, FIGHTER};
use super::tables::{Class, Tables, UnitRow};
use super::turn::politics::share;
use super::view::View;
use super::words::Words;
use engine::report::{Block, Line, Section};
use tongue::say;

/// The reports of spies, at the end of the printout.
pub fn spy_reports(view: &View, words: &Words) -> Option<Section> {
    let mut lines: Vec<Line> = Vec::new();
    for event in &view.events {
        let Event::SpyReport { player, paid, facts } = event else { continue };
        let known: Vec<String> = facts.iter().map(|f| words.fact(f)).collect();
        let known = match known.is_empty() {
            true => say!("nothing was learnt"),
            false => known.join("; "),
        };
        lines.push(say!("Player {player}, for {paid} PP: {known}.").into());
    }
    (!lines.is_empty()).then(|| Section::list(&say!("Spy reports"), lines, ""))
}

/// The rules of coalitions, in the turn in which they may first be formed (§8).
pub fn coalition_sheet(view: &View) -> Option<Section> {
    let rules = &view.tables.rules.victory;
    if view.turn != rules.coalition_turn || view.over.is_some() {
        return None;
    }
    // The share grows with the number of members up to a limit.
    let full = (2..).find(|n| share(rules, *n) == share(rules, n + 1)).unwrap_or(2);
    let share_of = |n: u32| {
        let share = share(rules, n);
        match n == full {
            true => say!("{n} or more members {share} %"),
            false => say!("{n} members {share} %"),
        }
    };
    let shares: Vec<String> = (2..=full).map(share_of).collect();
    let lines = vec![
        Line::from(say!(
            "From this turn on players may win together. A coalition stands when each of its \
             members has ordered J for each other; J 0 leaves it, J -player votes to expel a \
             member, and a majority of the others decides. Members are allies of each other."
        )),
        say!(
            "A coalition wins when it holds its share of all surviving cities at the end of \
             {turns} turns in a row: {shares}.",
            turns = rules.turns,
            shares = shares.join(", ")
        )
        .into(),
    ];
    Some(Section::list(&say!("Coalitions"), lines, ""))
}

/// The orders and units that a new tech level brings (§11).
pub fn tech_sheet(view: &View) -> Option<Section> {
    let gained = view.events.iter().filter_map(|e| match e {
        Event::Research { tech, .. } => *tech,
        Event::Dug { find: Find::Plans(tech), .. } => Some(*tech),
        _ => None,
    });
    let tech = gained.max()?;
    let tables = &view.tables;
    let reach = |kind| (tables.radius(kind, tech), tables.reach(kind, tech));
    let ((fighter, fighter_far), (bomber, bomber_far)) = (reach(FIGHTER), reach(BOMBER));
    let mut lines: Vec<Line> = Vec::new();
    for level in tables.tech.level.iter().filter(|l| l.tech == tech) {
        lines.extend(level.teaches.iter().map(|text| tongue::word(text).into_owned().into()));
    }
    lines.extend([
        say!(
            "Fighters fly missions of {fighter} sectors and transfers of {fighter_far}; bombers \
             {bomber} and {bomber_far}."
        )
        .into(),
        say!(
            "Each order may put up to {limit} PP into spies; counter-spying may take up to as much \
             a turn.",
            limit = tables.rules.economy.spy_limit * i64::from(tech)
        )
        .into(),
        say!(
            "The chance of the next level is the PP of a turn divided by {divisor}; what was spent \
             on it in vain raises it. Your spies do better against players of lower levels.",
            divisor = tables.rules.research.divisor(tech)
        )
        .into(),
    ]);
    let mut section = Section::list(&say!("Tech sheet: level {tech}"), lines, "");
    let orders: Vec<String> = tables
        .tech
        .level
        .iter()
        .filter(|l| l.tech == tech)
        .flat_map(|l| l.orders.iter().cloned())
        .collect();
    let built: Vec<String> =
        tables.units.iter().filter(|u| u.tech == tech).map(unit_line).collect();
    if !built.is_empty() {
        let head = say!("ID name             turns PP attack defence move size");
        section.blocks.push(Block::Card(std::iter::once(head).chain(built).collect()));
    }
    if !orders.is_empty() {
        section.blocks.push(Block::Para(say!("Orders as they are written:").into()));
        section.blocks.push(Block::Card(orders));
    }
    Some(section)
}

/// Half of the width of a line.
const HALF: usize = 39;

/// One page for the blank card: the forms of all orders, and the items that can be built.
pub fn quick_reference(tables: &Tables, tech: u8) -> Vec<String> {
    let mut lines = vec![String::new(), say!("orders")];
    let known = ROWS.iter().filter(|r| r.is_known(tables, tech));
    let forms = known
        .flat_map(|r| r.forms(tables, tech).into_iter().map(|form| (tongue::word(r.name), form)));
    let forms: Vec<String> =
        forms.map(|(name, form)| format!("{name}: {}", tongue::word(form))).collect();
    for pair in forms.chunks(2) {
        // Two forms share a line if both are short enough.
        match pair {
            [first, second] if [first, second].iter().all(|f| f.chars().count() <= HALF) => {
                lines.push(format!("{first:<HALF$} {second}"));
            }
            pair => lines.extend(pair.iter().cloned()),
        }
    }
    lines.push(say!("directions: 1 N, 2 NE, 3 E, 4 SE, 5 S, 6 SW, 7 W, 8 NW; 0 waits"));
    lines.push(String::new());
    lines.push(say!("ID name             turns PP attack defence move size"));
    lines.extend(tables.units.iter().filter(|u| u.tech <= tech).map(unit_line));
    lines.push(say!("21-23: 1 to 3 defence levels; 31-37: halt centres"));
    lines.push(say!("HELP and a letter explains an order, HELP CODES lists the messages,"));
    lines.push(say!("RULES lists the chapters of the rulebook"));
    lines
}

fn unit_line(row: &UnitRow) -> String {
    let size = match row.class {
        Class::Inf | Class::Arm => row.size.to_string(),
        _ => String::new(),
    };
    let line = format!(
        "{:>2} {:<16} {:>5} {:>2} {:>6} {:>7} {:>4} {size:>4}",
        row.id,
        tongue::word(&row.name),
        row.turns,
        row.pp,
        row.attack,
        row.defence,
        row.points
    );
    line.trim_end().to_owned()
}
