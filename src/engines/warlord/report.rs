//! The printout of a seat, section by section (§10), from its view alone.

use super::desk::{pp, ranges};
use super::events::{Category, Event, Words, counted, rank_name};
use super::orders::sector_no;
use super::sheets;
use super::state::{Centre, City, NOBODY, Target, Unit};
use super::tables::{Class, Terrain};
use super::view::{Ground, Spotted, View};
use crate::engine::geometry::Place;
use crate::engine::report::{Align, Block, Cell, Line, MapPicture, Section, Span, Table};
use crate::engine::{Mark, Report, Seat};

/// Makes the printout; `None` for a seat that is out of the game and has had its
/// last one.
pub fn report(view: &View, language: &str) -> Option<Report> {
    let gone = |turn: u32| turn + 1 < view.turn && view.over.is_none();
    if view.power.fell.is_some_and(gone) {
        return None;
    }
    let words = Words { tables: &view.tables, grid: view.grid, seat: view.seat, language };
    let mut sections = ending(view, &words);
    if view.turn > 1 {
        sections.push(orders(view));
        sections.push(told(view, &words, Category::Production, "Production", true));
        sections.push(told(view, &words, Category::Movement, "Movement", true));
        sections.push(told(view, &words, Category::Battles, "Battles", true));
        sections.push(told(view, &words, Category::Air, "Aircraft and bombardment", false));
        sections.push(told(view, &words, Category::Ruins, "Research and ruins", false));
        sections.push(told(view, &words, Category::Politics, "Politics", false));
    }
    sections.push(messages(view, &words));
    sections.push(addresses(view));
    if view.turn == 1 {
        sections.push(world_map(view));
    }
    sections.push(strategic_map(view));
    sections.push(generals(view));
    sections.push(forces(view));
    sections.push(spotted(view));
    sections.extend(tactical_maps(view));
    sections.push(economy(view, &words));
    sections.push(ratings(view));
    sections.push(alliances(view));
    sections.extend(sheets::spy_reports(view, &words));
    sections.extend(sheets::coalition_sheet(view));
    sections.extend(sheets::tech_sheet(view));
    if view.over.is_none() && view.power.fell.is_none() {
        sections.push(card(view));
    }
    sections.retain(|s| !s.blocks.is_empty());
    Some(Report { title: format!("Empire {}", view.seat), sections })
}

/// What happened in one category; without events it says so or is left out.
fn told(view: &View, words: &Words, category: Category, heading: &str, always: bool) -> Section {
    let events = view.events.iter().filter(|e| e.category() == category);
    let lines: Vec<Line> = events.map(|e| words.say(e).into()).collect();
    if lines.is_empty() && !always {
        return Section { heading: heading.to_owned(), blocks: Vec::new() };
    }
    let none = match category {
        Category::Production => "Nothing was delivered.",
        Category::Movement => "Nothing moved.",
        _ => "No battle was fought.",
    };
    Section::list(heading, lines, none)
}

/// First of all the end of the game, or of this empire.
fn ending(view: &View, words: &Words) -> Vec<Section> {
    let ends = |e: &&Event| match e {
        Event::GameOver { .. } => true,
        Event::Fallen { player } => *player == view.seat,
        _ => false,
    };
    let mut lines: Vec<Line> =
        view.events.iter().filter(ends).map(|e| words.say(e).into()).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    lines.push("The whole map is open to you below, with every city and its holder.".into());
    vec![Section::list("The end", lines, "")]
}

/// The word that a mark is printed as.
pub fn mark_word(mark: Mark) -> &'static str {
    match mark {
        Mark::Ok => "ok",
        Mark::Warning => "ok, but",
        Mark::Remark => "--",
        Mark::Error => "error",
    }
}

fn orders(view: &View) -> Section {
    let row = |event: &Event| match event {
        Event::Line { line, text, mark, note } => {
            let mark = mark_word(Mark::of(*mark)).to_owned();
            Some(vec![line.to_string(), text.clone(), mark, note.clone()])
        }
        _ => None,
    };
    let rows: Vec<Vec<String>> = view.events.iter().filter_map(row).collect();
    let heading = format!("Orders of turn {}", view.turn - 1);
    if rows.is_empty() {
        let text = "No orders came in; advances, production and other standing orders went on.";
        return Section::list(&heading, Vec::new(), text);
    }
    let columns = vec![
        ("Line", Align::Right),
        ("Order", Align::Left),
        ("", Align::Left),
        ("Result", Align::Left),
    ];
    Section { heading, blocks: vec![Block::Table(Table::new(columns, rows))] }
}

fn messages(view: &View, words: &Words) -> Section {
    let mut lines = Vec::new();
    for event in &view.events {
        match event {
            Event::Message { from, broadcast, sentences } => {
                let kind = if *broadcast { "Broadcast sent" } else { "Message" };
                lines.push(Line::from(format!("{kind} from player {from} follows....")));
                let mut spans = Vec::new();
                for told in sentences {
                    let text = words.sentence(told);
                    let mut parts = text.split('@');
                    spans.extend(parts.next().map(|p| Span::Plain(p.to_owned())));
                    for part in parts {
                        spans.push(Span::Address(Seat(*from)));
                        spans.push(Span::Plain(part.to_owned()));
                    }
                    spans.push(Span::Plain(" ".to_owned()));
                }
                lines.push(Line(spans));
            }
            Event::MessageSent { .. } => lines.push(words.say(event).into()),
            _ => {}
        }
    }
    Section::list("Messages", lines, "No message came in.")
}

/// Players whose forces were met this turn, with the turn of the first meeting.
fn addresses(view: &View) -> Section {
    let this_turn = view.power.met.iter().filter(|(_, m)| m.last == view.turn - 1);
    let line = |(other, meeting): (&u8, &super::state::Meeting)| {
        let when = match meeting.first {
            0 => "met at the start".to_owned(),
            turn => format!("first met in turn {turn}"),
        };
        let start = Span::Plain(format!("Player {other}, {when}: "));
        Line(vec![start, Span::Address(Seat(*other))])
    };
    let none = "No forces of another player were met.";
    Section::list("Addresses", this_turn.map(line).collect(), none)
}

/// The first printout's map: continents and oceans, nothing else.
fn world_map(view: &View) -> Section {
    let grid = view.grid;
    // So many sectors to a sign that the globe fits: land where most of them are.
    let wide = i32::from(grid.cols.div_ceil(70)).max(2);
    let high = wide;
    let (cols, rows) = (i32::from(grid.cols) / wide, i32::from(grid.rows) / high);
    let cell = |c: i32, r: i32| {
        let squares = (0..high).flat_map(|y| (0..wide).map(move |x| (c * wide + x, r * high + y)));
        let land = squares.filter_map(|(x, y)| grid.at(x, y)).filter(|&p| !view.is_sea(p)).count();
        let home = view
            .power
            .cities
            .values()
            .any(|city| grid.col(city.at) / wide == c && grid.row(city.at) / high == r);
        let land = land as i32 * 2 >= wide * high;
        let sign = if home {
            "@"
        } else if land {
            "#"
        } else {
            "."
        };
        let ground = if land { "land" } else { "sea" };
        Cell { text: vec![sign.to_owned()], ground, holder: None }
    };
    let cells = (0..rows).flat_map(|r| (0..cols).map(move |c| cell(c, r))).collect();
    let map = MapPicture {
        title: format!("{wide} by {high} sectors to a sign"),
        columns: (0..cols).map(|c| format!("{:03}", c * wide + 1)).collect(),
        rows: (0..rows).map(|r| format!("{:02}", r * high + 1)).collect(),
        square_width: 1,
        cells,
        legend: legend(&[("#", "land"), (".", "sea"), ("@", "your home")]),
    };
    Section { heading: "The world".to_owned(), blocks: vec![Block::Map(map)] }
}

fn legend(items: &[(&str, &str)]) -> Vec<(String, String)> {
    items.iter().map(|(s, m)| ((*s).to_owned(), (*m).to_owned())).collect()
}

/// Columns and rows that hold everything the seat knows.
fn known_area(view: &View) -> (Vec<i32>, Vec<i32>) {
    let grid = view.grid;
    let known = |p: &Place| view.power.has_explored(*p) || view.cities.iter().any(|c| c.at == *p);
    let mut cols = vec![false; usize::from(grid.cols)];
    let mut rows = vec![false; usize::from(grid.rows)];
    for place in grid.places().filter(known) {
        cols[grid.col(place) as usize] = true;
        rows[grid.row(place) as usize] = true;
    }
    let first = rows.iter().position(|r| *r).unwrap_or(0) as i32;
    let last = rows.iter().rposition(|r| *r).unwrap_or(0) as i32;
    (around_the_globe(&cols), (first..=last).collect())
}

/// The shortest run of columns that holds all known ones: it begins after the
/// widest unknown gap.
fn around_the_globe(known: &[bool]) -> Vec<i32> {
    let n = known.len();
    let gap = |start: usize| (0..n).take_while(|i| !known[(start + i) % n]).count();
    let starts = (0..n).filter(|&s| !known[s] && known[(s + n - 1) % n]);
    let widest = starts.max_by_key(|&s| (gap(s), n - s));
    let (start, count) = match widest {
        Some(s) => ((s + gap(s)) % n, n - gap(s)),
        None => (0, n),
    };
    (0..count).map(|i| ((start + i) % n) as i32).collect()
}

fn strategic_map(view: &View) -> Section {
    let grid = view.grid;
    let (cols, rows) = known_area(view);
    let squares = rows.iter().flat_map(|&r| cols.iter().filter_map(move |&c| grid.at(c, r)));
    let cells = squares.map(|p| strategic_cell(view, p)).collect();
    let mut signs: Vec<(String, String)> = legend(&[
        ("@", "your city"),
        ("C", "city of a player"),
        ("c", "uncontrolled or reported city"),
        ("?", "ruins"),
        ("x", "ruins that are empty"),
        ("*", "your division"),
        ("$", "your ships"),
        ("!", "foreign force"),
        ("+", "your land"),
        ("-", "your land without supply"),
        ("#", "foreign land"),
    ]);
    for terrain in &view.tables.terrain {
        let own = match terrain.own.as_str() {
            "+" | "~" => String::new(),
            own => format!(" (yours {own})"),
        };
        signs.push((terrain.sign.clone(), format!("{}{own}", terrain.name)));
    }
    let map = MapPicture {
        title: "Blank: not explored.".to_owned(),
        columns: cols.iter().map(|c| format!("{:03}", c + 1)).collect(),
        rows: rows.iter().map(|r| format!("{:02}", r + 1)).collect(),
        square_width: 1,
        cells,
        legend: signs,
    };
    Section { heading: "Strategic map".to_owned(), blocks: vec![Block::Map(map)] }
}

fn strategic_cell(view: &View, place: Place) -> Cell {
    let i = usize::from(place.0);
    let holder = view.control[i];
    let row = match view.ground[i] {
        Ground::Known(terrain) => Some(view.tables.ground(terrain)),
        Ground::UnknownLand => None,
    };
    let known_city = view.cities.iter().find(|c| c.at == place);
    let own = |u: &&Unit| u.at == place && u.aboard.is_none();
    let own_unit = view.power.units.values().find(own);
    let foreign_city = known_city.map(|c| c.seen.owner.is_some_and(|o| o != NOBODY));
    let sign = match (own_unit, foreign_city, row) {
        _ if view.power.city_at(place).is_some() => "@",
        (_, Some(true), _) => "C",
        (_, Some(false), _) => "c",
        _ if view.spotted.iter().any(|s| s.at == place) => "!",
        (Some(unit), ..) if view.tables.row(unit.kind).class == Class::Ship => "$",
        (Some(_), ..) => "*",
        _ if view.power.exhausted.contains(&place) => "x",
        _ if view.ruins.contains(&place) => "?",
        (None, None, None) if holder != view.seat => " ",
        _ if holder == view.seat && !view.supplied[i] => "-",
        (_, _, Some(row)) if holder == view.seat => &row.own,
        _ if holder != NOBODY => "#",
        (_, _, Some(row)) => &row.sign,
        _ => "+",
    };
    let ground = match view.ground[i] {
        Ground::Known(Terrain::Sea) => "sea",
        Ground::Known(_) => "land",
        Ground::UnknownLand => "",
    };
    let holder = (holder != NOBODY).then_some(Seat(holder));
    Cell { text: vec![sign.to_owned()], ground, holder }
}

fn general_name(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" {name}") }
}

fn generals(view: &View) -> Section {
    let line = |(number, general): (usize, &super::state::General)| {
        let at = view.power.general_at(general);
        let at = at.map_or("lost".to_owned(), |p| sector_no(view.grid, p));
        let name = general_name(&general.name);
        format!("{number}) {at} ({}){name}", general.skill).into()
    };
    let lines = (1..).zip(&view.power.generals).map(line).collect();
    Section::list("Generals", lines, "You have no general.")
}

/// Own forces and all known cities by sector.
fn forces(view: &View) -> Section {
    let generals: Vec<Place> =
        view.power.generals.iter().filter_map(|g| view.power.general_at(g)).collect();
    let star = |at: Place| if generals.contains(&at) { "* " } else { "  " };
    let sector = |at: Place| format!("{}{}", star(at), sector_no(view.grid, at));
    let mut rows: Vec<(Place, u8, u16, Vec<String>)> = Vec::new();
    for (number, city) in &view.power.cities {
        let cells = [sector(city.at), number.to_string(), String::new(), city.name.clone()];
        let cells = cells.into_iter().chain([city.level.to_string(), "Your city".to_owned()]);
        rows.push((city.at, 0, *number, cells.collect()));
    }
    for city in &view.cities {
        let (level, comment) = match city.seen.owner {
            None => ("?".to_owned(), "Reported".to_owned()),
            Some(NOBODY) => (city.seen.level.to_string(), "Uncontrolled".to_owned()),
            Some(o) if view.power.allies.contains(&o) => {
                (city.seen.level.to_string(), format!("Ally {o}"))
            }
            Some(o) => (city.seen.level.to_string(), format!("Enemy {o}")),
        };
        let name = city.seen.name.clone();
        let cells = [sector(city.at), city.number.to_string(), String::new(), name, level, comment];
        rows.push((city.at, 0, city.number, cells.into()));
    }
    for (number, unit) in &view.power.units {
        let row = view.tables.row(unit.kind);
        let rank = rank_name(unit.rank)[..1].to_owned();
        let cells = [
            sector(unit.at),
            number.to_string(),
            rank,
            row.name.clone(),
            unit.size.to_string(),
            comment(view, unit),
        ];
        rows.push((unit.at, 1, *number, cells.into()));
    }
    rows.sort_by_key(|r| (r.0, r.1, r.2));
    let columns = vec![
        ("  Sector", Align::Left),
        ("Number", Align::Right),
        ("Rank", Align::Left),
        ("Name", Align::Left),
        ("Size", Align::Right),
        ("Comment", Align::Left),
    ];
    let rows = rows.into_iter().map(|r| r.3).collect();
    let blocks = vec![
        Block::Table(Table::new(columns, rows)),
        Block::Para("The size of a city is its defence level; * marks a general.".into()),
    ];
    Section { heading: "Forces and cities".to_owned(), blocks }
}

fn comment(view: &View, unit: &Unit) -> String {
    let goal = unit.goal.map(|g| match g.target {
        Target::Sector(to) => format!("A {}", sector_no(view.grid, to)),
        Target::Heading(d) => format!("A {}", d.code()),
    });
    let transit = unit.aboard.map(|_| "In Transit".to_owned());
    transit.into_iter().chain(goal).collect::<Vec<_>>().join(", ")
}

fn spotted(view: &View) -> Section {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let alike = |a: &&[Spotted]| (a[0].at, a[0].owner, a[0].ships);
    let mut sorted: Vec<Spotted> = view.spotted.clone();
    sorted.sort_by_key(|s| (s.at, s.owner, s.ships));
    let key = |s: &Spotted| (s.at, s.owner, s.ships);
    for group in sorted.chunk_by(|a, b| key(a) == key(b)) {
        let (at, owner, ships) = alike(&group);
        let size: u32 = group.iter().map(|s| u32::from(s.size)).sum();
        let owner = match owner {
            NOBODY => "nobody".to_owned(),
            o if view.power.allies.contains(&o) => format!("{o} (ally)"),
            o => o.to_string(),
        };
        let what = counted(size, if ships { "ship" } else { "regiment" });
        rows.push(vec![sector_no(view.grid, at), owner, what]);
    }
    if rows.is_empty() {
        return Section::list("Spotted forces", Vec::new(), "No foreign force is in sight.");
    }
    let columns = vec![("Sector", Align::Left), ("Owner", Align::Left), ("Force", Align::Left)];
    Section {
        heading: "Spotted forces".to_owned(),
        blocks: vec![Block::Table(Table::new(columns, rows))],
    }
}

/// Seven by seven sectors around each general and each observation.
fn tactical_maps(view: &View) -> Vec<Section> {
    let sight = &view.tables.rules.sight;
    let mut maps = Vec::new();
    let mut shown: Vec<Place> = Vec::new();
    for (number, general) in (1..).zip(&view.power.generals) {
        // One map serves generals who stand together.
        let Some(centre) = view.power.general_at(general).filter(|at| !shown.contains(at)) else {
            continue;
        };
        shown.push(centre);
        let name = general_name(&general.name);
        let at = sector_no(view.grid, centre);
        let heading = format!("Tactical map: general {number}{name} at {at}");
        maps.push(tactical_map(view, heading, centre, sight.general));
    }
    for &centre in &view.power.observed {
        if !shown.contains(&centre) {
            shown.push(centre);
            let heading = format!("Observation around {}", sector_no(view.grid, centre));
            maps.push(tactical_map(view, heading, centre, sight.observation));
        }
    }
    maps
}

fn tactical_map(view: &View, heading: String, centre: Place, range: i32) -> Section {
    let grid = view.grid;
    let (col, row) = (grid.col(centre), grid.row(centre));
    let rows: Vec<i32> = (row - range..=row + range).collect();
    let cols: Vec<i32> = (col - range..=col + range).collect();
    let mut rest = Vec::new();
    let mut cells = Vec::new();
    for &r in &rows {
        for &c in &cols {
            cells.push(grid.at(c, r).map_or_else(ice, |p| tactical_cell(view, p, &mut rest)));
        }
    }
    let wrap = |c: &i32| format!("{:03}", c.rem_euclid(i32::from(grid.cols)) + 1);
    let edge = |r: &i32| match grid.at(0, *r) {
        Some(_) => format!("{:02}", r + 1),
        None => "--".to_owned(),
    };
    let picture = MapPicture {
        title: "Each sector: site; ground and largest unit; holder.".to_owned(),
        columns: cols.iter().map(wrap).collect(),
        rows: rows.iter().map(edge).collect(),
        square_width: 8,
        cells,
        legend: unit_legend(view),
    };
    let mut blocks = vec![Block::Map(picture)];
    if !rest.is_empty() {
        blocks.push(Block::List(rest));
    }
    Section { heading, blocks }
}

fn ice() -> Cell {
    Cell { text: vec![String::new(), "ice".to_owned(), String::new()], ..Cell::default() }
}

fn unit_legend(view: &View) -> Vec<(String, String)> {
    let grounds = view.tables.terrain.iter().map(|t| (t.code.clone(), t.name.clone()));
    let moving = view.tables.units.iter().filter(|u| u.class != Class::Plane);
    let units = moving.map(|u| (u.code.clone(), u.name.clone()));
    units.chain(grounds).collect()
}

fn tactical_cell(view: &View, place: Place, rest: &mut Vec<Line>) -> Cell {
    let i = usize::from(place.0);
    let own_city = view.power.city_at(place).map(|(n, _)| n);
    let foreign_city = view.cities.iter().find(|c| c.at == place).map(|c| c.number);
    let site = match own_city.or(foreign_city) {
        Some(number) => format!("city{number}"),
        None if view.ruins.contains(&place) => "ruins".to_owned(),
        None => String::new(),
    };
    let own = view.power.units.values().filter(|u| u.at == place && u.aboard.is_none());
    let mut units: Vec<(u16, u8, u8)> = own.map(|u| (u.size, u.kind, view.seat)).collect();
    let foreign = view.spotted.iter().filter(|s| s.at == place);
    units.extend(foreign.filter_map(|s| Some((s.size, s.kind?, s.owner))));
    units.sort_by_key(|u| std::cmp::Reverse((u.0, u.1)));
    let code = match view.ground[i] {
        Ground::Known(terrain) => view.tables.ground(terrain).code.clone(),
        Ground::UnknownLand => "..".to_owned(),
    };
    let text = |&(size, kind, _): &(u16, u8, u8)| format!("{}{size}", view.tables.row(kind).code);
    let largest = units.first().map_or_else(String::new, text);
    if units.len() > 1 {
        let all = units.iter().map(|u| {
            let owner = if u.2 == view.seat { String::new() } else { format!(" of {}", u.2) };
            format!("{} {}{owner}", u.0, view.tables.row(u.1).name)
        });
        let all: Vec<String> = all.collect();
        rest.push(format!("{}: {}", sector_no(view.grid, place), all.join(", ")).into());
    }
    let holder = match view.control[i] {
        NOBODY => String::new(),
        h if h == view.seat && view.supplied[i] => "yours".to_owned(),
        h if h == view.seat => "(yours)".to_owned(),
        h => format!("of {h}"),
    };
    Cell {
        text: vec![site, format!("{code} {largest}"), holder],
        ground: "land",
        holder: (view.control[i] != NOBODY).then_some(Seat(view.control[i])),
    }
}

fn economy(view: &View, words: &Words) -> Section {
    let power = &view.power;
    let mut lines: Vec<Line> = Vec::new();
    let told = view.events.iter().filter(|e| e.category() == Category::Economy);
    lines.extend(told.map(|e| words.say(e).into()));
    lines.push(format!("Stock: {} PP. Tech level {}.", pp(power.stock), power.tech).into());
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
        ("Centre 1", Align::Left),
        ("Centre 2", Align::Left),
        ("Centre 3", Align::Left),
    ];
    let mut blocks = vec![Block::List(lines), Block::Table(Table::new(columns, rows))];
    blocks.extend(airbases(view));
    Section { heading: "Economy".to_owned(), blocks }
}

fn city_row(view: &View, number: u16, city: &City) -> Vec<String> {
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
    let busy = |c: &City| c.fighters + c.bombers + c.watch > 0 || c.transfer.is_some();
    let rows: Vec<Vec<String>> = view
        .power
        .cities
        .iter()
        .filter(|(_, c)| busy(c))
        .map(|(number, city)| {
            let every_turn = city.transfer.map_or(String::new(), |t| {
                format!("{} fighters, {} bombers to {}", t.fighters, t.bombers, t.to)
            });
            vec![
                number.to_string(),
                city.base_name.clone(),
                city.fighters.to_string(),
                city.watch.to_string(),
                city.bombers.to_string(),
                every_turn,
            ]
        })
        .collect();
    let columns = vec![
        ("Airbase", Align::Right),
        ("Name", Align::Left),
        ("Fighters", Align::Right),
        ("On watch", Align::Right),
        ("Bombers", Align::Right),
        ("Every turn", Align::Left),
    ];
    (!rows.is_empty()).then_some(Block::Table(Table::new(columns, rows)))
}

fn item_name(view: &View, item: u8) -> String {
    match item {
        21..=23 => format!("{} level", item - 20),
        _ => view.tables.row(item).name.clone(),
    }
}

fn ratings(view: &View) -> Section {
    let s = &view.standing;
    let r = &s.own;
    let lines = vec![
        Line::from(format!("Your rating is {}, rank {} of {}.", r.total(), s.rank, view.seats)),
        format!(
            "Its parts: tech {}, forces {}, cities {}, defence levels {}, income {}.",
            r.tech, r.forces, r.cities, r.levels, r.income
        )
        .into(),
        format!("In the game: best {}, median {}, worst {}.", s.best, s.median, s.worst).into(),
    ];
    Section::list("Ratings", lines, "")
}

fn alliances(view: &View) -> Section {
    let allies = view.power.allies.iter().map(|&a| u16::from(a));
    let lines = match view.power.allies.is_empty() {
        true => Vec::new(),
        false => vec![format!("Your allies: {}.", ranges(allies)).into()],
    };
    let mut lines: Vec<Line> = lines;
    if !view.coalition.is_empty() {
        let members = ranges(view.coalition.iter().map(|&m| m.into()));
        lines.push(format!("Your coalition: players {members}.").into());
    }
    let offers: Vec<u16> =
        view.power.pledges.difference(&view.coalition).map(|&p| p.into()).collect();
    if !offers.is_empty() {
        lines.push(format!("You offer a coalition to: {}.", ranges(offers)).into());
    }
    Section::list("Alliances", lines, "You have declared no ally.")
}

/// The blank card: what there is to be ordered.
fn card(view: &View) -> Section {
    let mut lines = Vec::new();
    for (number, unit) in &view.power.units {
        let name = &view.tables.row(unit.kind).name;
        let at = sector_no(view.grid, unit.at);
        let comment = comment(view, unit);
        let comment = if comment.is_empty() { comment } else { format!(" ({comment})") };
        lines.push(format!("unit {number}: {} {name} at {at}{comment}", unit.size));
    }
    for (number, city) in &view.power.cities {
        let row = city_row(view, *number, city);
        lines.push(format!("city {number} {}: {}, {}, {}", city.name, row[3], row[4], row[5]));
    }
    lines.push(format!("stock: {} PP", pp(view.power.stock)));
    lines.extend(sheets::quick_reference(&view.tables));
    Section {
        heading: format!("Turn card for turn {}", view.turn),
        blocks: vec![Block::Card(lines)],
    }
}
