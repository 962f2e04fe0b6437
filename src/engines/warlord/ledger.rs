//! The economy of a printout.

use std::borrow::Cow;

use super::bases::{BaseNo, Hangar};
use super::events::{Category, Event};
use super::orders::sector_no;
use super::phrases::{percent, planes, pp};
use super::state::{Centre, City, JET, LEVEL, MISSILE};
use super::view::View;
use super::words::Words;
use engine::geometry::Place;
use engine::report::{Align, Block, Line, Section, Table};
use tongue::{count, say};

/// Stock, income, research, land, work of centres and contents of bases.
pub fn economy(view: &View, words: &Words) -> Section {
    let power = &view.power;
    let mut lines: Vec<Line> = Vec::new();
    let income = view.events.iter().find_map(|e| match e {
        Event::Income { cities, sectors } => Some((*cities, *sectors)),
        _ => None,
    });
    let told = view.events.iter().filter(|e| e.category() == Category::Economy);
    let told = told.map(|e| words.economy(e, income)).filter(|text| !text.is_empty());
    lines.extend(told.map(Line::from));
    if !view.events.iter().any(|e| matches!(e, Event::Ledger { .. })) {
        lines.push(say!("Stock: {stock} PP.", stock = pp(power.stock)).into());
    }
    lines.push(research(view).into());
    let own = |p: &Place| view.control[usize::from(p.0)] == view.seat;
    let sectors = view.grid.places().filter(own).count();
    let fed = view.grid.places().filter(|p| own(p) && view.supplied[usize::from(p.0)]).count();
    let regions = count!(n = view.regions, "{n} region", "{n} regions");
    lines.push(say!("Sectors: {sectors}, of them {fed} in supply, in {regions}.").into());
    let rows = power.cities.iter().map(|(n, c)| city_row(view, *n, c)).collect();
    let columns = vec![
        (say!("City"), Align::Right),
        (say!("Name"), Align::Left),
        ("PP".to_owned(), Align::Right),
        (say!("Centre one"), Align::Left),
        (say!("Centre two"), Align::Left),
        (say!("Centre three"), Align::Left),
    ];
    let mut blocks = vec![Block::List(lines)];
    if !power.cities.is_empty() {
        blocks.push(Block::Table(Table::new(columns, rows)));
    }
    blocks.extend(airbases(view));
    Section { heading: say!("Economy"), blocks }
}

/// The tech level, and the cost of the next one.
fn research(view: &View) -> String {
    let (power, rules) = (&view.power, &view.tables.rules.research);
    if power.tech >= rules.tech_max {
        return say!("Tech level {tech}, the highest.", tech = power.tech);
    }
    let chance = |n: i64| percent(rules.chance(power.tech, n * 100, power.research));
    let spent = match power.research {
        0 => say!(spent: "nothing"),
        spent => format!("{} PP", pp(spent)),
    };
    say!(
        "Tech level {tech}. Spent on level {next} so far: {spent}; 1 PP in a turn reaches it with \
         a chance of {one}, 5 PP with one of {five}.",
        tech = power.tech,
        next = power.tech + 1,
        one = chance(1),
        five = chance(5)
    )
}

/// A city with its income and the work of its centres.
pub fn city_row(view: &View, number: u16, city: &City) -> Vec<String> {
    let centre = |c: &Centre| match c {
        Centre::Idle => say!(centre: "idle"),
        Centre::Ready(item) => say!("{item} next", item = item_name(view, *item)),
        Centre::Working { item, left, .. } => format!("{} ({left})", item_name(view, *item)),
    };
    let mut row = vec![number.to_string(), city.name.clone(), city.income.to_string()];
    row.extend(city.centres.iter().map(centre));
    row
}

/// Bases with planes or standing orders.
fn airbases(view: &View) -> Option<Block> {
    let power = &view.power;
    let busy = |base: &BaseNo, h: &Hangar| {
        let built = matches!(base, BaseNo::Land(no) if power.airbases.contains_key(no));
        !h.is_empty() || h.watch > 0 || h.transfer.is_some() || built
    };
    let name = |base: BaseNo| match base {
        BaseNo::Land(no) => match (power.cities.get(&no), power.airbases.get(&no)) {
            (Some(city), _) => city.base_name.clone(),
            (None, Some(built)) if !built.name.is_empty() => built.name.clone(),
            (None, Some(built)) => say!("at {at}", at = sector_no(view.grid, built.at)),
            (None, None) => String::new(),
        },
        BaseNo::Ship(no) => {
            let kind = power.units.get(&no).map(|u| tongue::word(&view.tables.row(u.kind).name));
            kind.map_or(String::new(), Cow::into_owned)
        }
    };
    // Columns for things of higher levels appear only at those levels.
    let has = |id: u8| power.tech >= view.tables.row(id).tech;
    let row = |(base, _, h): (BaseNo, Place, &Hangar)| {
        let every_turn = h.transfer.map_or(String::new(), |t| transfer(&planes(t.planes), t.to));
        let mut row = vec![base.to_string(), name(base), h.planes.fighters.to_string()];
        row.extend(has(JET).then(|| h.planes.jets.to_string()));
        row.extend([h.watch.to_string(), h.planes.bombers.to_string()]);
        row.extend(has(MISSILE).then(|| match h.warheads {
            0 => h.missiles.to_string(),
            n => format!("{}, {n} A", h.missiles),
        }));
        row.push(every_turn);
        row
    };
    let rows: Vec<Vec<String>> = power.bases().filter(|(b, _, h)| busy(b, h)).map(row).collect();
    let number = |heading: String| (heading, Align::Right);
    let mut columns = vec![
        (say!("Airbase"), Align::Right),
        (say!("Name"), Align::Left),
        number(say!("Fighters")),
    ];
    columns.extend(has(JET).then(|| number(say!("Jets"))));
    columns.extend([number(say!("On watch")), number(say!("Bombers"))]);
    columns.extend(has(MISSILE).then(|| number(say!("Missiles"))));
    columns.push((say!("Every turn"), Align::Left));
    (!rows.is_empty()).then_some(Block::Table(Table::new(columns, rows)))
}

fn item_name(view: &View, item: u8) -> String {
    match item {
        LEVEL => say!("a defence level"),
        _ => tongue::word(&view.tables.row(item).name).into_owned(),
    }
}

/// Planes that change their base every turn.
fn transfer(planes: &str, base: BaseNo) -> String {
    say!("{planes} to {base}")
}
