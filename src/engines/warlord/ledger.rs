//! The economy of a printout.

use super::bases::{BaseNo, Hangar};
use super::events::{Category, Event};
use super::orders::sector_no;
use super::phrases::{percent, planes, pp};
use super::state::{Centre, City, JET, LEVEL, MISSILE};
use super::view::View;
use super::words::Words;
use engine::geometry::Place;
use engine::report::{Align, Block, Line, Section, Table};

/// Stock, income, research, land, what centres make and what lies at bases.
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
        lines.push(format!("Stock: {} PP.", pp(power.stock)).into());
    }
    lines.push(research(view).into());
    let own = |p: &Place| view.control[usize::from(p.0)] == view.seat;
    let sectors = view.grid.places().filter(own).count();
    let fed = view.grid.places().filter(|p| own(p) && view.supplied[usize::from(p.0)]).count();
    let regions = match view.regions {
        1 => "1 region".to_owned(),
        n => format!("{n} regions"),
    };
    lines.push(format!("Sectors: {sectors}, of them {fed} in supply, in {regions}.").into());
    let rows = power.cities.iter().map(|(n, c)| city_row(view, *n, c)).collect();
    let columns = vec![
        ("City", Align::Right),
        ("Name", Align::Left),
        ("PP", Align::Right),
        ("Centre one", Align::Left),
        ("Centre two", Align::Left),
        ("Centre three", Align::Left),
    ];
    let mut blocks = vec![Block::List(lines)];
    if !power.cities.is_empty() {
        blocks.push(Block::Table(Table::new(columns, rows)));
    }
    blocks.extend(airbases(view));
    Section { heading: "Economy".to_owned(), blocks }
}

/// The tech level, and what the next one asks for.
fn research(view: &View) -> String {
    let (power, rules) = (&view.power, &view.tables.rules.research);
    if power.tech >= rules.tech_max {
        return format!("Tech level {}, the highest.", power.tech);
    }
    let chance = |n: i64| percent(rules.chance(power.tech, n * 100, power.research));
    let so_far = match power.research {
        0 => "nothing".to_owned(),
        spent => format!("{} PP", pp(spent)),
    };
    format!(
        "Tech level {}. Spent on level {} so far: {so_far}; 1 PP in a turn reaches it with a chance \
         of {}, 5 PP with one of {}.",
        power.tech,
        power.tech + 1,
        chance(1),
        chance(5)
    )
}

/// A city with its income and what its centres make.
pub fn city_row(view: &View, number: u16, city: &City) -> Vec<String> {
    let centre = |c: &Centre| match c {
        Centre::Idle => "idle".to_owned(),
        Centre::Ready(item) => format!("{} next", item_name(view, *item)),
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
            (None, Some(built)) => format!("at {}", sector_no(view.grid, built.at)),
            (None, None) => String::new(),
        },
        BaseNo::Ship(no) => {
            power.units.get(&no).map_or(String::new(), |u| view.tables.row(u.kind).name.clone())
        }
    };
    // Columns of what only higher levels have come with them.
    let has = |id: u8| power.tech >= view.tables.row(id).tech;
    let row = |(base, _, h): (BaseNo, Place, &Hangar)| {
        let every_turn =
            h.transfer.map_or(String::new(), |t| format!("{} to {}", planes(t.planes), t.to));
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
    let mut columns =
        vec![("Airbase", Align::Right), ("Name", Align::Left), ("Fighters", Align::Right)];
    columns.extend(has(JET).then_some(("Jets", Align::Right)));
    columns.extend([("On watch", Align::Right), ("Bombers", Align::Right)]);
    columns.extend(has(MISSILE).then_some(("Missiles", Align::Right)));
    columns.push(("Every turn", Align::Left));
    (!rows.is_empty()).then_some(Block::Table(Table::new(columns, rows)))
}

fn item_name(view: &View, item: u8) -> String {
    match item {
        LEVEL => "a defence level".to_owned(),
        _ => view.tables.row(item).name.clone(),
    }
}
