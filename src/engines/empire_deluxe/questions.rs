//! Questions of players: what is known of a square, ways, odds, who plays.

use super::combat::{self, Attacker, Target};
use super::ground::Terrain;
use super::view::View;
use super::words;
use engine::geometry::Place;
use engine::{Ask, Line};

/// The answer to a question; nothing where a square or a unit is none.
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
        return vec![format!("You have not seen {called} yet.").into()];
    };
    let mut lines: Vec<Line> =
        vec![format!("{called}: {}.", view.world.ground.at(at).name()).into()];
    if let Some(city) = known.cities.get(&at) {
        let whose = match city.owner {
            Some(seat) if seat == view.seat => "yours".to_owned(),
            Some(seat) => format!("of player {seat}"),
            None => "nobody's".to_owned(),
        };
        lines.push(format!("City {}, {whose}, seen in turn {}.", city.number, city.turn).into());
    }
    if let Some(side) = view.world.side(view.seat) {
        for (number, unit) in side.units.iter().filter(|(_, u)| u.at == at) {
            lines.push(format!("Your {}.", words::called(*number, unit)).into());
        }
    }
    if let Some(mark) = known.marks.get(&at) {
        let when =
            if mark.here { "in sight".to_owned() } else { format!("seen in turn {}", mark.turn) };
        lines.push(format!("{} of player {}, {when}.", mark.kind.name(), mark.owner).into());
    }
    lines
}

fn distance(view: &View, from: Place, to: Place) -> Vec<Line> {
    let ground = &view.world.ground;
    let far = ground.grid.distance(from, to);
    let mut lines: Vec<Line> = vec![
        format!("From {} to {}: {far} squares.", ground.called(from), ground.called(to)).into(),
    ];
    let options = &view.world.options;
    for kind in super::kinds::Kind::ALL {
        let Some(figure) = options.figure(kind).filter(|f| f.moves > 0) else { continue };
        let moves = i32::from(figure.moves).max(1);
        let turns = (far + moves - 1) / moves;
        lines.push(
            format!(
                "{}: {moves} moves a turn, {turns} turns where nothing is in the way.",
                kind.name()
            )
            .into(),
        );
    }
    lines
}

fn odds(view: &View, number: u16, at: Place) -> Vec<Line> {
    let called = view.world.ground.called(at);
    let unit = view.world.side(view.seat).and_then(|s| s.units.get(&number));
    let (Some(unit), Some(known)) = (unit, view.known()) else {
        return vec![format!("You have no unit {number}.").into()];
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
        _ => return vec![format!("You know of no enemy at {called}.").into()],
    };
    let who = words::called(number, unit);
    if let Err(why) = combat::may_attack(options, attacker, target, on) {
        return vec![format!("{who} against {called}: {}.", why.words()).into()];
    }
    let chance = combat::fight(options, attacker, target, on).odds().per_mille();
    let what = match target {
        Target::City { .. } => "the city".to_owned(),
        Target::Unit(kind, _) => format!("an undamaged {}", kind.name()),
    };
    vec![
        format!(
            "{who} wins against {what} at {called} with a chance of {}.{} %.",
            chance / 10,
            chance % 10
        )
        .into(),
    ]
}

fn who(view: &View) -> Vec<Line> {
    let line = |(n, side): (usize, &super::view::PublicSide)| {
        let you = if n == usize::from(view.seat.0) { " (you)" } else { "" };
        match side.out {
            Some(turn) => format!("Player {n}{you}: out since turn {turn}.").into(),
            None => format!("Player {n}{you}: plays.").into(),
        }
    };
    (1..).zip(&view.sides).map(line).collect()
}
