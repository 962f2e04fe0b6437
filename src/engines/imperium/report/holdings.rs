//! What a seat has: resources, fleets, planets.

use crate::board::{Board, Control, Marker, Place, Spot};
use crate::kinds::{Kind, UnitId};
use crate::supply;
use crate::view::View;
use engine::report::{Align, Block, Line, Table};
use tongue::{count, say};

/// Stockpiles, turn tracks, permissions.
pub(super) fn resources(view: &View) -> Vec<Block> {
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
                    let (unit, when) = (id.name, in_turns(view, turn));
                    due.push(say!("{unit} back {when}"));
                }
                Place::Arriving if side == view.side => {
                    due.push(say!("{unit} now", unit = id.name));
                }
                _ => {}
            }
        }
        let due = if due.is_empty() { say!("nothing") } else { due.join(", ") };
        let stock = purse.stock;
        let text = match side == view.side {
            true => say!("Your stockpile: {stock}. Due: {due}."),
            false => say!("The enemy's stockpile: {stock}. Due: {due}."),
        };
        lines.push(text.into());
    }
    let court = &view.board.court;
    let mut words: Vec<String> = Vec::new();
    if !court.permitted.is_empty() {
        let types: Vec<&str> = court.permitted.iter().map(|k| k.code()).collect();
        words.push(say!("may build {types}", types = types.join(", ")));
    }
    if court.budget > 0 {
        words.push(say!("has {n} more a turn", n = court.budget));
    }
    if court.banned {
        words.push(say!("may not appeal any more in this war"));
    }
    if let Some((from, to)) = court.depression.filter(|d| d.1 >= view.clock) {
        let turns = to + 1 - view.clock.max(from);
        words.push(count!(
            turns,
            "is in depression for {turns} more turn",
            "is in depression for {turns} more turns"
        ));
    }
    if !words.is_empty() {
        lines.push(say!("The Imperial side {does}.", does = words.join(", ")).into());
    }
    for loan in &court.loans {
        let types: Vec<&str> = loan.units.iter().map(|id| id.kind().code()).collect();
        let types = types.join(", ");
        let text = match (loan.offensive, loan.visit) {
            (Some(_), true) => say!(
                "On loan from the Emperor while Glory rises, with gains doubled and losses \
                 tripled: {types}."
            ),
            (Some(_), false) => say!("On loan from the Emperor, while Glory rises: {types}."),
            _ => say!("On loan from the Emperor, to the end of the war: {types}."),
        };
        lines.push(text.into());
    }
    vec![Block::List(lines)]
}

fn in_turns(view: &View, turn: u32) -> String {
    match turn.saturating_sub(view.clock) {
        0 => say!("now"),
        1 => say!("next turn"),
        n => say!("in {n} turns"),
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

/// The name of a unit; for troops with their strength.
fn troop(board: &Board, id: UnitId) -> String {
    match id.kind() {
        Kind::RT | Kind::JT => {
            let dice = board.figures_if(id, false).dice.first().copied().unwrap_or(0);
            format!("{}:{dice}-2", id.name)
        }
        _ => id.name.to_string(),
    }
}

pub(super) fn fleets(view: &View) -> Vec<Block> {
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
                say!("open space, {from} to {to}, hex {k} of {all}")
            }
        };
        let ships: Vec<String> = board.ships(side, *n).map(|id| unit_text(board, id)).collect();
        let jumps = board.slowest(side, *n).map_or(0, |s| s.1);
        rows.push(vec![n.to_string(), place, jumps.to_string(), ships.join(" ")]);
    }
    if rows.is_empty() {
        return vec![Block::Para(say!("You have no fleets.").into())];
    }
    let columns = [
        (say!("Fleet"), Align::Right),
        (say!(place: "At"), Align::Left),
        (say!("Jumps"), Align::Right),
        (say!("Ships"), Align::Left),
    ];
    vec![
        Block::Table(Table::new(columns, rows)),
        Block::Para(
            say!("In brackets: cargo, troops with their dice and defence. *: damaged.").into(),
        ),
    ]
}

pub(super) fn planets(view: &View) -> Vec<Block> {
    let (board, side) = (&view.board, view.side);
    let linked = supply::connected(board, side);
    let mut rows = Vec::new();
    for (planet, land) in &board.planets {
        let units: Vec<UnitId> = board.on(side, *planet).collect();
        let marked = land.marker.is_some_and(|m| m.0 == side);
        if units.is_empty() && !marked {
            continue;
        }
        let mut state: Vec<String> = Vec::new();
        match land.marker {
            Some((owner, marker)) if owner == side => state.push(marker.localized()),
            Some((_, Marker::World)) => state.push(say!("enemy World")),
            Some((_, Marker::Outpost)) => state.push(say!("enemy Outpost")),
            None => state.push(say!("units")),
        }
        if board.control(*planet) == Control::Disputed {
            state.push(say!("disputed"));
        }
        if linked.get(usize::from(planet.system.0) - 1) != Some(&true) {
            state.push(say!("not connected"));
        }
        if land.terraform > 0 {
            state.push(say!("terraforming {n}", n = land.terraform));
        }
        if land.upgrade > 0 {
            state.push(say!("upgrade {n}", n = land.upgrade));
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
        (say!("Planet"), Align::Left),
        (say!("System"), Align::Left),
        (say!("Type"), Align::Left),
        (say!("State"), Align::Left),
        (say!("Units"), Align::Left),
    ];
    vec![Block::Table(Table::new(columns, rows))]
}
