//! Questions of players: what is known of a square, ways, odds, who plays.

use super::combat::{self, Attacker, Target};
use super::ground::Terrain;
use super::view::View;
use super::words;
use crate::EmpireDeluxe;
use engine::geometry::Place;
use engine::{Answers, Ask, Line};
use tongue::{count, say};

impl Answers for EmpireDeluxe {
    fn answer(view: &View, ask: &Ask) -> Vec<Line> {
        answer(view, ask)
    }
}

/// The answer to a question; empty where a square or a unit does not exist.
pub fn answer(view: &View, ask: &Ask) -> Vec<Line> {
    let place = |word: &str| {
        let (x, y) = word.split_once(',')?;
        let (x, y): (i32, i32) = (x.parse().ok()?, y.parse().ok()?);
        view.world.ground.grid.at(x.checked_sub(1)?, y.checked_sub(1)?)
    };
    match ask {
        Ask::Look(at) => place(at).map(|at| look(view, at)).unwrap_or_default(),
        Ask::Distance(from, to) => match (place(from), place(to)) {
            (Some(from), Some(to)) => distance(view, from, to),
            _ => Vec::new(),
        },
        Ask::Odds(unit, at) => match (unit.parse(), place(at)) {
            (Ok(unit), Some(at)) => odds(view, unit, at),
            _ => Vec::new(),
        },
        Ask::Who => who(view),
    }
}

fn look(view: &View, at: Place) -> Vec<Line> {
    let called = view.world.ground.called(at);
    let Some(known) = view.known().filter(|k| k.has_seen(at)) else {
        return vec![say!("You have not seen {called} yet.").into()];
    };
    let mut lines: Vec<Line> =
        vec![format!("{called}: {}.", view.world.ground.at(at).localized()).into()];
    if let Some(city) = known.cities.get(&at) {
        let (number, turn) = (city.number, city.turn);
        let told = match city.owner {
            Some(seat) if seat == view.seat => say!("City {number}, yours, seen in turn {turn}."),
            Some(seat) => say!("City {number}, of player {seat}, seen in turn {turn}."),
            None => say!("City {number}, nobody's, seen in turn {turn}."),
        };
        lines.push(told.into());
    }
    if let Some(side) = view.world.side(view.seat) {
        for (number, unit) in side.units.iter().filter(|(_, u)| u.at == at) {
            lines.push(say!("Your {unit}.", unit = words::called(*number, unit)).into());
        }
    }
    if let Some(mark) = known.marks.get(&at) {
        let (kind, owner, turn) = (mark.kind.localized(), mark.owner, mark.turn);
        let told = match mark.here {
            true => say!("{kind} of player {owner}, in sight."),
            false => say!("{kind} of player {owner}, seen in turn {turn}."),
        };
        lines.push(told.into());
    }
    lines
}

fn distance(view: &View, from: Place, to: Place) -> Vec<Line> {
    let ground = &view.world.ground;
    let far = ground.grid.distance(from, to);
    let (from, to) = (ground.called(from), ground.called(to));
    let mut lines: Vec<Line> = vec![
        count!(far, "From {from} to {to}: {far} square.", "From {from} to {to}: {far} squares.")
            .into(),
    ];
    let options = &view.world.options;
    for kind in super::kinds::Kind::ALL {
        let Some(figure) = options.figure(kind).filter(|f| f.moves > 0) else { continue };
        let moves = i32::from(figure.moves).max(1);
        let turns = (far + moves - 1) / moves;
        let steps = count!(moves, "{moves} move a turn", "{moves} moves a turn");
        let told = count!(
            turns,
            "{kind}: {steps}, {turns} turn where nothing is in the way.",
            "{kind}: {steps}, {turns} turns where nothing is in the way.",
            kind = kind.localized(),
        );
        lines.push(told.into());
    }
    lines
}

fn odds(view: &View, number: u16, at: Place) -> Vec<Line> {
    let called = view.world.ground.called(at);
    let unit = view.world.side(view.seat).and_then(|s| s.units.get(&number));
    let (Some(unit), Some(known)) = (unit, view.known()) else {
        return vec![say!("You have no unit {number}.").into()];
    };
    let ground = &view.world.ground;
    let options = &view.world.options;
    let attacker = Attacker { kind: unit.kind, damage: unit.damage.into(), on: ground.at(unit.at) };
    let on = ground.at(at);
    let target = match (on, known.cities.get(&at), known.marks.get(&at)) {
        (Terrain::City, Some(city), _) if city.owner != Some(view.seat) => {
            Target::City { neutral: city.owner.is_none(), held: 0 }
        }
        (_, _, Some(mark)) => Target::Unit(mark.kind, 0),
        _ => return vec![say!("You know of no enemy at {called}.").into()],
    };
    let who = words::called(number, unit);
    if let Err(why) = combat::may_attack(options, attacker, target, on) {
        return vec![say!("{who} against {called}: {why}.", why = why.words()).into()];
    }
    let chance = combat::fight(options, attacker, target, on).odds().per_mille();
    let what = match target {
        Target::City { .. } => say!("the city"),
        Target::Unit(kind, _) => say!("an undamaged {kind}", kind = kind.localized()),
    };
    let (whole, tenth) = (chance / 10, chance % 10);
    vec![say!("{who} wins against {what} at {called} with a chance of {whole}.{tenth} %.").into()]
}

fn who(view: &View) -> Vec<Line> {
    let line = |(n, side): (usize, &super::view::PublicSide)| {
        let own = n == usize::from(view.seat.0);
        let who = if own { say!("Player {n} (you)") } else { say!("Player {n}") };
        match side.out {
            Some(turn) => say!("{who}: out since turn {turn}.").into(),
            None => say!("{who}: plays.").into(),
        }
    };
    (1..).zip(&view.sides).map(line).collect()
}
