//! The printout and the short mail (§15).

use engine::report::{Align, Block, Chart, Line, Section, Series, Span, Table, Who, listed};
use engine::{MapPicture, Report, Seat};

use super::board::{Board, Control, Marker, Place, Spot};
use super::event::{Event, Part, What};
use super::galaxy::Planet;
use super::kinds::{Kind, Side, UnitId};
use super::orders::{Aims, Stance};
use super::picture::tint;
use super::standing::Standing;
use super::state::{End, Pause, Spotted, Why};
use super::tables::Tempo;
use super::view::{Scene, View};
use super::{story, words};

pub(super) fn section(heading: &str, blocks: Vec<Block>) -> Section {
    Section { heading: heading.to_owned(), blocks }
}

/// The printout of a seat, with its map and without its blank card.
pub fn report(view: &View, map: MapPicture) -> Report {
    let mut sections = vec![section(&heading(view), scene(view))];
    sections.extend(happened(view));
    let letters = letters(view);
    if !letters.is_empty() {
        sections.push(section("Messages", letters));
    }
    sections.push(section("Glory", glory(view)));
    sections.push(section("Resources", resources(view)));
    sections.push(section("Your fleets", fleets(view)));
    sections.push(section("Your planets", planets(view)));
    sections.push(enemy(view));
    sections.push(section("Star chart", vec![map.into()]));
    sections.push(Section::list("Standing orders", standing(view), "The usual ones alone."));
    sections.extend(plans(view));
    Report { title: format!("{} in Imperium", view.side.name()), sections }
}

/// The short mail: what happened, and what is awaited.
pub fn brief(view: &View) -> Vec<Block> {
    let mut blocks = scene(view);
    for section in happened(view) {
        blocks.extend(section.blocks);
    }
    blocks.extend(letters(view));
    blocks
}

/// What the open step is called.
pub fn when(view: &View) -> String {
    let turn = match view.peace {
        Some(peace) => format!("peace turn {} of {}", peace.turn, peace.of),
        None => format!("turn {}", view.turn),
    };
    let war = if view.options.campaign { format!("war {}, ", view.war) } else { String::new() };
    match &view.scene {
        Scene::Setup => "the set-up".to_owned(),
        Scene::Administration => format!("{war}{turn}"),
        Scene::Action(open) => format!("{war}{turn}, segment {}", open.segment),
        Scene::Over(_) => "the end of the game".to_owned(),
    }
}

fn heading(view: &View) -> String {
    match &view.scene {
        Scene::Over(_) => "The end".to_owned(),
        _ if view.options.campaign => format!("War {}, year {}", view.war, view.year),
        _ => format!("{}, year {}", view.title, view.year),
    }
}

/// What the open step is, and what it asks of the reader.
fn scene(view: &View) -> Vec<Block> {
    let glory = match view.peace {
        Some(_) => format!("Glory will begin at {}.", view.glory),
        None if view.turn == 0 => format!("Glory is {}.", view.glory),
        None => {
            let at = usize::try_from(view.turn).unwrap_or(1).clamp(1, 10) - 1;
            let victory = &view.board.tables.victory;
            let (low, high) = (victory.terran.get(at), victory.imperial.get(at));
            format!(
                "Glory is {}; at the end of this turn {} or less is a Terran victory, {} or more an \
                 Imperial one.",
                view.glory,
                low.copied().unwrap_or(0),
                high.copied().unwrap_or(10)
            )
        }
    };
    let when = when(view);
    let mut letters = when.chars();
    let first: String = letters.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    let lead = format!("{first}{}.", letters.as_str());
    let asks: Line = match &view.scene {
        Scene::Setup => "Place your forces with P, or leave them as they are; and give standing \
                         orders. The other does not see it."
            .into(),
        Scene::Administration if view.peace.is_some() => {
            "It is peace: place arrivals, build, and plan the four segments; fleets keep out of \
             systems of the enemy. The whole turn is one step."
                .into()
        }
        Scene::Administration => match view.options.tempo {
            Tempo::Segment => "Now place arrivals (P), build (B), and plan segment 1.".into(),
            Tempo::Turn => "Now place arrivals (P), build (B), and plan all four segments.".into(),
            Tempo::Activation => {
                "Now place arrivals (P) and build (B). Then the dice fall for segment 1.".into()
            }
        },
        Scene::Action(open) => {
            let (mine, theirs) = (open.left[view.side.i()], open.left[view.side.other().i()]);
            let left = format!("You have {mine} activations left, the enemy has {theirs}.");
            match open.pause {
                Pause::None => format!("Now plan segment {}.", open.segment).into(),
                Pause::Halt(side) if side == view.side => {
                    format!("Your HALT stopped the segment: plan the rest of it. {left}").into()
                }
                Pause::Halt(_) => {
                    format!("The enemy halted the segment: you may plan the rest anew. {left}")
                        .into()
                }
                Pause::Round => {
                    "A round of battle is over: you may change what your ships do with Y, Q and Z."
                        .into()
                }
                Pause::Turn if open.to_act == view.side => {
                    format!("Yours is the next activation: A and its orders, or WAIT. {left}")
                        .into()
                }
                Pause::Turn => format!("The enemy has the next activation. {left}").into(),
            }
        }
        Scene::Over(end) => ending(end),
    };
    vec![Block::Para(format!("{lead} {glory}").into()), Block::Para(asks)]
}

fn ending(end: &End) -> Line {
    let Some(winner) = end.winner else {
        return "The war ends as a truce: nobody has won.".into();
    };
    let why = match end.why {
        Why::Glory => "by Glory",
        Why::Homes => "the enemy's homes are taken",
        Why::Left => "the other has given up",
        Why::Turns | Why::Truce => "",
    };
    Line(vec![
        Span::Plain(format!("{} victory, {why}: ", winner.name())),
        Span::Player(winner.seat()),
        Span::Plain(" has won.".to_owned()),
    ])
}

/// What happened, part by part.
fn happened(view: &View) -> Vec<Section> {
    let mut sections: Vec<(Part, Vec<Block>)> = Vec::new();
    for event in &view.events {
        let blocks = told(view, event);
        if blocks.is_empty() {
            continue;
        }
        match sections.last_mut().filter(|s| s.0 == event.part) {
            Some((_, all)) => extend(all, blocks),
            None => sections.push((event.part, blocks)),
        }
    }
    let name = |part: Part| match part {
        Part::Administration => "Administration".to_owned(),
        Part::Segment(n) => format!("Segment {n}"),
        Part::CloseOut => "Close-Out".to_owned(),
        Part::War => "The war".to_owned(),
    };
    sections.into_iter().map(|(part, blocks)| section(&name(part), blocks)).collect()
}

/// Sentences behind each other are one list.
fn extend(all: &mut Vec<Block>, more: Vec<Block>) {
    for block in more {
        match (all.last_mut(), block) {
            (Some(Block::List(lines)), Block::List(new)) => lines.extend(new),
            (_, block) => all.push(block),
        }
    }
}

fn told(view: &View, event: &Event) -> Vec<Block> {
    let board = &view.board;
    let line = |text: String| vec![Block::List(vec![text.into()])];
    match &event.what {
        What::Said(text) => line(text.clone()),
        What::NotDone(0, why) => line(format!("Not done: {why}.")),
        What::NotDone(number, why) => line(format!("Your line {number} was not done: {why}.")),
        What::Initiative([a, b], civil_war) => {
            let less = if *civil_war { " - 1 (civil war)" } else { "" };
            let b_is = b - u8::from(*civil_war);
            let who = match a.cmp(&b_is) {
                std::cmp::Ordering::Equal => "equal, so nobody acts".to_owned(),
                std::cmp::Ordering::Greater => "Terran initiative".to_owned(),
                std::cmp::Ordering::Less => "Imperial initiative".to_owned(),
            };
            line(format!("Initiative dice: Terran {a}, Imperial {b}{less}: {who}."))
        }
        What::Activated(side, n, system) => {
            line(format!("{}, activation {n}: {}.", side.name(), board.galaxy.called(*system)))
        }
        What::Passed(side) => line(format!("{} passes.", side.name())),
        What::Moved { side, fleets, path, stopped } => {
            let numbers: Vec<String> = fleets.iter().map(u8::to_string).collect();
            let way: Vec<String> = path.iter().map(|s| board.galaxy.called(*s)).collect();
            let stop = if *stopped { ", and is stopped there" } else { "" };
            let word = if fleets.len() == 1 { "fleet" } else { "fleets" };
            line(format!(
                "{} {word} {}: {}{stop}.",
                side.name(),
                numbers.join(" and "),
                way.join(" – ")
            ))
        }
        What::Battle(battle) => story::space(board, battle),
        What::Ground(battle) => story::ground(board, battle),
        What::Glory(cause, change, now) => {
            line(format!("Glory {change:+}, {cause}: it is {now} now."))
        }
        What::Came(_) | What::Gone(_) | What::Hurt(_) | What::Healed(_) | What::Letter(_) => {
            Vec::new()
        }
    }
}

/// Letters of the other; their lines stand as quotes.
fn letters(view: &View) -> Vec<Block> {
    let mut blocks = Vec::new();
    for event in &view.events {
        let What::Letter(letter) = &event.what else { continue };
        let from = letter.from.map_or_else(
            || vec![Span::Plain("somebody who is not named".to_owned())],
            |seat: Seat| vec![Span::Player(seat)],
        );
        let mut line = vec![Span::Plain("From ".to_owned())];
        line.extend(from);
        line.push(Span::Plain(":".to_owned()));
        blocks.push(Block::Para(Line(line)));
        blocks.push(Block::Quote(letter.text.clone()));
    }
    blocks
}

/// Changes of this step, and the course as a chart.
fn glory(view: &View) -> Vec<Block> {
    let mut blocks = Vec::new();
    let changes: Vec<Line> = view
        .events
        .iter()
        .filter_map(|e| match &e.what {
            What::Glory(cause, change, now) => {
                Some(format!("{change:+} {cause}, now {now}").into())
            }
            _ => None,
        })
        .collect();
    blocks.push(match changes.is_empty() {
        true => Block::Para(format!("Nothing changed it; it is {}.", view.glory).into()),
        false => Block::List(changes),
    });
    if view.course.len() > 1 {
        let turns: Vec<String> = view.course.iter().map(|c| c.0.to_string()).collect();
        // Long campaigns show what is recent.
        let from = turns.len().saturating_sub(20);
        blocks.extend(
            listed(&format!("Glory at the end of turns, from {}", from + 1), &turns[from..])
                .into_iter()
                .map(Block::Para),
        );
        blocks.push(Block::Charts(charts(view)));
    }
    for war in &view.wars {
        let end = match war.end.winner {
            Some(side) => format!("{} victory", side.name()),
            None => "truce".to_owned(),
        };
        blocks.push(Block::Para(
            format!("War {}: {end} after {} turns, Glory {}.", war.number, war.turns, war.glory)
                .into(),
        ));
    }
    blocks
}

/// Glory by turn, and planets of both.
fn charts(view: &View) -> Vec<Chart> {
    let glory = view.course.iter().map(|c| i64::from(c.0)).collect();
    let planets = |side: Side| Series {
        who: Who::Seat(side.seat()),
        tint: Some(tint(side)),
        values: view.course.iter().map(|c| i64::from(c.1[side.i()])).collect(),
    };
    vec![
        Chart {
            title: "Glory".into(),
            series: vec![Series {
                who: Who::Seat(view.seat),
                tint: Some(tint(view.side)),
                values: glory,
            }],
        },
        Chart { title: "Worlds and Outposts".into(), series: Side::BOTH.map(planets).to_vec() },
    ]
}

/// Stockpiles, turn tracks, permissions.
fn resources(view: &View) -> Vec<Block> {
    let mut lines: Vec<Line> = Vec::new();
    for side in [view.side, view.side.other()] {
        if side != view.side && !view.options.open_tracks {
            continue;
        }
        let purse = &view.board.purses[side.i()];
        let mut due: Vec<String> = Vec::new();
        for kind in Kind::ALL {
            let mut turns: Vec<u32> =
                purse.track.iter().filter(|d| d.kind == kind).map(|d| d.turn).collect();
            turns.dedup();
            for turn in turns {
                let n = purse.track.iter().filter(|d| d.kind == kind && d.turn == turn).count();
                let many = if n == 1 { String::new() } else { format!("{n} ") };
                due.push(format!("{many}{} {}", kind.code(), in_turns(view, turn)));
            }
        }
        for (id, unit) in view.board.of(side) {
            match unit.place {
                Place::Track(turn) => {
                    due.push(format!("{} back {}", id.name, in_turns(view, turn)))
                }
                Place::Arriving if side == view.side => due.push(format!("{} now", id.name)),
                _ => {}
            }
        }
        let due = if due.is_empty() { "nothing".to_owned() } else { due.join(", ") };
        let whose = if side == view.side { "Your" } else { "The enemy's" };
        lines.push(format!("{whose} stockpile: {}. Due: {due}.", purse.stock).into());
    }
    let court = &view.board.court;
    let mut words: Vec<String> = Vec::new();
    if !court.permitted.is_empty() {
        let types: Vec<&str> = court.permitted.iter().map(|k| k.code()).collect();
        words.push(format!("may build {}", types.join(", ")));
    }
    if court.budget > 0 {
        words.push(format!("has {} more a turn", court.budget));
    }
    if court.banned {
        words.push("may not appeal any more in this war".to_owned());
    }
    if let Some((from, to)) = court.depression.filter(|d| d.1 >= view.clock) {
        let turns = to + 1 - view.clock.max(from);
        words.push(format!("is in depression for {turns} more turns"));
    }
    if !words.is_empty() {
        lines.push(format!("The Imperial side {}.", words.join(", ")).into());
    }
    for loan in &court.loans {
        let types: Vec<&str> = loan.units.iter().map(|id| id.kind().code()).collect();
        let how = match (loan.offensive, loan.visit) {
            (Some(_), true) => "while Glory rises; gains double, losses triple",
            (Some(_), false) => "while Glory rises",
            _ => "to the end of the war",
        };
        lines.push(format!("On loan from the Emperor, {how}: {}.", types.join(", ")).into());
    }
    vec![Block::List(lines)]
}

fn in_turns(view: &View, turn: u32) -> String {
    match turn.saturating_sub(view.clock) {
        0 => "now".to_owned(),
        1 => "next turn".to_owned(),
        n => format!("in {n} turns"),
    }
}

fn unit_text(board: &Board, id: UnitId) -> String {
    let unit = board.units.get(&id);
    let damaged = if unit.is_some_and(|u| u.damaged) { "*" } else { "" };
    let cargo: Vec<String> = board
        .aboard(id)
        .map(|c| {
            let hurt = if board.units.get(&c).is_some_and(|u| u.damaged) { "*" } else { "" };
            format!("{}{hurt}", troop(board, c))
        })
        .collect();
    let cargo = if cargo.is_empty() { String::new() } else { format!("({})", cargo.join(" ")) };
    format!("{}{damaged}{cargo}", id.name)
}

/// A unit with the strength of troops.
fn troop(board: &Board, id: UnitId) -> String {
    match id.kind() {
        Kind::RT | Kind::JT => {
            let dice = board.figures_if(id, false).dice.first().copied().unwrap_or(0);
            format!("{}:{dice}-2", id.name)
        }
        _ => id.name.to_string(),
    }
}

fn fleets(view: &View) -> Vec<Block> {
    let (board, side) = (&view.board, view.side);
    let mut rows = Vec::new();
    for ((owner, n), spot) in &board.fleets {
        if *owner != side {
            continue;
        }
        let place = match spot {
            Spot::System(at) => board.galaxy.called(*at),
            Spot::Lane { from, to, k, .. } => {
                let all = board.galaxy.lane(*from, *to).unwrap_or(1);
                format!("open space, {from} to {to}, hex {k} of {all}")
            }
        };
        let ships: Vec<String> = board.ships(side, *n).map(|id| unit_text(board, id)).collect();
        let jumps = board.slowest(side, *n).map_or(0, |s| s.1);
        rows.push(vec![n.to_string(), place, jumps.to_string(), ships.join(" ")]);
    }
    if rows.is_empty() {
        return vec![Block::Para("You have no fleets.".into())];
    }
    let columns = [
        ("Fleet", Align::Right),
        ("At", Align::Left),
        ("Jumps", Align::Right),
        ("Ships", Align::Left),
    ];
    vec![
        Block::Table(Table::new(columns, rows)),
        Block::Para("In brackets: cargo, troops with their dice and defence. *: damaged.".into()),
    ]
}

fn planets(view: &View) -> Vec<Block> {
    let (board, side) = (&view.board, view.side);
    let linked = board.connected(side);
    let mut rows = Vec::new();
    for (planet, land) in &board.planets {
        let units: Vec<UnitId> = board.on(side, *planet).collect();
        let marked = land.marker.is_some_and(|m| m.0 == side);
        if units.is_empty() && !marked {
            continue;
        }
        let mut state: Vec<String> = Vec::new();
        match land.marker {
            Some((owner, marker)) if owner == side => state.push(marker.name().to_owned()),
            Some((_, marker)) => state.push(format!("enemy {}", marker.name())),
            None => state.push("units".to_owned()),
        }
        if board.control(*planet) == Control::Disputed {
            state.push("disputed".to_owned());
        }
        if linked.get(usize::from(planet.system.0) - 1) != Some(&true) {
            state.push("not connected".to_owned());
        }
        if land.terraform > 0 {
            state.push(format!("terraforming {}", land.terraform));
        }
        if land.upgrade > 0 {
            state.push(format!("upgrade {}", land.upgrade));
        }
        let text = |id: &UnitId| {
            let hurt = if board.units.get(id).is_some_and(|u| u.damaged) { "*" } else { "" };
            let hex = match board.units.get(id).map(|u| u.place) {
                Some(Place::Surface(_, hex)) => format!("@{hex}"),
                _ => String::new(),
            };
            format!("{}{hurt}{hex}", troop(board, *id))
        };
        let units: Vec<String> = units.iter().map(text).collect();
        rows.push(vec![
            planet.to_string(),
            board.galaxy.name(planet.system).to_owned(),
            land.ground.code().to_owned(),
            state.join(", "),
            units.join(" "),
        ]);
    }
    let columns = [
        ("Planet", Align::Left),
        ("System", Align::Left),
        ("Type", Align::Left),
        ("State", Align::Left),
        ("Units", Align::Left),
    ];
    vec![Block::Table(Table::new(columns, rows))]
}

/// What is known of the enemy, with its age.
fn enemy(view: &View) -> Section {
    let board = &view.board;
    let other = view.side.other();
    let mut lines: Vec<Line> = Vec::new();
    for ((owner, n), spot) in &board.fleets {
        if *owner != other {
            continue;
        }
        let place = match spot {
            Spot::System(at) => board.galaxy.called(*at),
            Spot::Lane { origin, .. } => format!("open space, having left {origin}"),
        };
        let mut text = words::fleet(view, *n);
        if let Some(first) = text.get_mut(0..1) {
            first.make_ascii_uppercase();
        }
        lines.push(format!("{text}, in {place}").into());
    }
    for (what, sighting) in &view.known {
        let Spotted::Planet(p) = what else { continue };
        lines.push(
            format!("{p}: {} ({})", words::counted(&sighting.units), words::age(view, sighting))
                .into(),
        );
    }
    let held = |marker| {
        let all: Vec<String> = board.held(other, marker).iter().map(Planet::to_string).collect();
        if all.is_empty() { "none".to_owned() } else { all.join(" ") }
    };
    lines.push(
        format!("Worlds: {}. Outposts: {}.", held(Marker::World), held(Marker::Outpost)).into(),
    );
    Section::list(&format!("The {} side, as far as you know", other.name()), lines, "")
}

/// Standing orders as they are understood, the usual ones left out.
fn standing(view: &View) -> Vec<Line> {
    let s = &view.filed.standing;
    let usual = Standing::default();
    let mut lines: Vec<Line> = Vec::new();
    for (group, stance) in &s.stances {
        let stance = match stance {
            Stance::Range(n) => n.to_string(),
            Stance::Away => "E".to_owned(),
            Stance::Stay => "H".to_owned(),
        };
        lines.push(format!("Stance of {} ({}): {stance}", group.words(), group.code()).into());
    }
    for (aims, groups) in &s.targets {
        let of = match aims {
            Aims::Beams => "beams",
            Aims::Torpedoes => "torpedoes",
            Aims::Defence => "defenders",
            Aims::Surface => "surface combat",
        };
        let list: Vec<&str> = groups.iter().map(|g| g.code()).collect();
        lines.push(format!("Targets of {of}: {}", list.join(" ")).into());
    }
    for (fleet, systems) in &s.retreats {
        let who = fleet.map_or("any fleet".to_owned(), |n| format!("fleet {n}"));
        let list: Vec<String> = systems.iter().map(|s| s.to_string()).collect();
        lines.push(format!("Retreat of {who}: {}", list.join(" ")).into());
    }
    for ((planet, name), hex) in &s.posts {
        lines.push(format!("On {planet}: {name} in hex {hex}").into());
    }
    if let Some(n) = s.stock {
        lines.push(format!("Maintenance takes {n} of the stockpile at most").into());
    }
    let list = |items: Vec<String>| items.join(" ");
    if !s.priority.is_empty() {
        let all = list(s.priority.iter().map(|k| k.code().to_owned()).collect());
        lines.push(format!("Maintained first: {all}").into());
    }
    if !s.skip.is_empty() {
        let all = list(s.skip.iter().map(|n| n.to_string()).collect());
        lines.push(format!("Not maintained: {all}").into());
    }
    if !s.homes.is_empty() {
        let all = list(s.homes.iter().map(|s| s.to_string()).collect());
        lines.push(format!("Arrivals on loan go to: {all}").into());
    }
    if !s.removal.is_empty() {
        lines.push("A list for crises and reinforcements is on file.".into());
    }
    if s.first != usual.first {
        lines.push("With the initiative in battle you move first".into());
    }
    if s.fighters_join != usual.fighters_join {
        lines.push("Fighters on planets stay out of space battles".into());
    }
    if s.scouts != usual.scouts {
        lines.push(format!("Against scouts {} destroyers are revealed at most", s.scouts).into());
    }
    if s.truce {
        lines.push("You offer a truce".into());
    }
    if !view.filed.appeals.is_empty() {
        lines.push("An appeal is on file".into());
    }
    if !view.filed.fixes.is_empty() || !view.filed.scraps.is_empty() {
        lines.push("Repairs or scrapping for this turn are on file".into());
    }
    lines
}

/// Plans that are on file.
fn plans(view: &View) -> Vec<Section> {
    let mut sections = Vec::new();
    for (n, plan) in (1..).zip(&view.filed.plans) {
        let left: Vec<Line> =
            plan.iter().filter(|b| !b.used).map(|b| words::block(view, b).into()).collect();
        if !left.is_empty() {
            let heading = format!("On file for segment {n}");
            sections.push(section(&heading, vec![Block::List(left)]));
        }
    }
    sections
}
