//! Questions of players: facts about a sector, ways, odds, players met.

use std::collections::BTreeMap;

use super::judge::{describe, forecast_of, quay};
use super::odds::Odds;
use super::orders;
use super::phrases::force;
use super::state::NOBODY;
use super::view::View;
use crate::Warlord;
use engine::geometry::{PathFinder, Place};
use engine::report::{Gap, Span};
use engine::{Answers, Ask, Line, Seat};
use tongue::{count, say, word};

impl Answers for Warlord {
    fn answer(view: &View, ask: &Ask) -> Vec<Line> {
        answer(view, ask)
    }
}

/// The answer to a question; empty if a place or a unit does not exist.
pub fn answer(view: &View, ask: &Ask) -> Vec<Line> {
    let place = |word: &str| orders::read_sector(word)?.on(view.grid);
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
    let mut lines: Vec<Line> = vec![say!("Sector {place}.", place = describe(view, at)).into()];
    let mut tell = |text: String| lines.push(text.into());
    if let Some((number, city)) = view.power.city_at(at) {
        tell(say!("Your city {number}, defence level {level}.", level = city.level));
    }
    for city in view.cities.iter().filter(|c| c.at == at) {
        let seen = &city.seen;
        let (number, name, level, turn) = (city.number, &seen.name, seen.level, seen.turn);
        tell(match (seen.owner, seen.rebel) {
            (Some(_), true) => say!(
                "City {number} {name}: rebels held it, defence level {level}, as of turn {turn}."
            ),
            (None, true) => say!("City {number} {name}: rebels held it, as of turn {turn}."),
            (None, _) => say!("City {number} {name}: known by report only, as of turn {turn}."),
            (Some(NOBODY), _) => {
                say!("City {number} {name}: nobody's, defence level {level}, as of turn {turn}.")
            }
            (Some(owner), _) => say!(
                "City {number} {name}: of player {owner}, defence level {level}, as of turn \
                 {turn}."
            ),
        });
    }
    for (no, unit) in view.power.units.iter().filter(|(_, u)| u.at == at) {
        let force = force(unit.size, &view.tables.row(unit.kind).name);
        tell(say!("Your unit {no}: {force}."));
    }
    for spotted in view.spotted.iter().filter(|s| s.at == at) {
        let size = spotted.size;
        let owner = match spotted.owner {
            NOBODY if view.is_garrison(at) => say!("a garrison"),
            NOBODY => say!("rebels"),
            player => say!("player {player}"),
        };
        tell(match spotted.kind {
            Some(kind) => count!(
                size,
                "In sight: {size} regiment of {owner}, mostly {kind}.",
                "In sight: {size} regiments of {owner}, mostly {kind}.",
                kind = word(&view.tables.row(kind).name)
            ),
            None => count!(
                size,
                "In sight: {size} regiment of {owner}, of an unknown kind.",
                "In sight: {size} regiments of {owner}, of an unknown kind."
            ),
        });
    }
    lines
}

fn distance(view: &View, from: Place, to: Place) -> Vec<Line> {
    let far = view.grid.distance(from, to);
    let (start, goal) = (describe(view, from), describe(view, to));
    let mut lines: Vec<Line> = vec![
        count!(
            far,
            "From {start} to {goal}: {far} sector.",
            "From {start} to {goal}: {far} sectors."
        )
        .into(),
    ];
    // One unit of each kind in the sector; if none is there, one of each kind that the seat has.
    let mut shown = Vec::new();
    let here = view.power.units.values().any(|u| u.at == from);
    for (no, unit) in &view.power.units {
        let row = view.tables.row(unit.kind);
        if here && unit.at != from || shown.contains(&unit.kind) {
            continue;
        }
        shown.push(unit.kind);
        let standing = super::state::Unit { at: from, ..unit.clone() };
        let goal = (to, quay(view, &BTreeMap::new(), *no, to));
        let (_, text) =
            forecast_of(view, &mut PathFinder::default(), (row.class, row.points), &standing, goal);
        let kind = word(&row.name);
        let text = match here {
            true => say!("Your unit {no} of {kind} there: {text}."),
            false => say!("A unit of {kind} there: {text}."),
        };
        lines.push(text.into());
    }
    lines
}

/// The strengths of both sides, by the formula of the rulebook, without luck.
fn odds(view: &View, no: u16, at: Place) -> Vec<Line> {
    let Some(unit) = view.power.units.get(&no) else {
        return vec![say!("You have no unit {no}.").into()];
    };
    let (who, place) = (force(unit.size, &view.tables.row(unit.kind).name), describe(view, at));
    let odds = Odds::of(view, &[no], at);
    let strength = odds.own_strength();
    let mut lines: Vec<Line> = vec![say!("Your unit {no}, {who}: {strength}.").into()];
    if odds.is_quiet() {
        lines.push(say!("At {place} no enemy is in sight.").into());
        return lines;
    }
    lines.push(say!("What you know at {place}: {theirs}.", theirs = odds.their_strength()).into());
    lines.push(odds.verdict().into());
    let rules = &view.tables.rules.combat;
    let luck = say!(
        "Each round luck is {low} to {high} % on both sides; ground and defence levels shelter \
         who defends.",
        low = rules.luck_low / 10,
        high = rules.luck_high / 10
    );
    lines.push(luck.into());
    lines
}

fn who(view: &View) -> Vec<Line> {
    let standing = &view.standing;
    let own = say!(
        "You are player {seat} of {seats}, rank {rank}; the best rating is {best}, the median \
         {median}.",
        seat = view.seat,
        seats = view.seats,
        rank = standing.rank,
        best = standing.best,
        median = standing.median
    );
    let mut lines: Vec<Line> = vec![own.into()];
    for (player, meeting) in &view.power.met {
        let (who, first, last) = (Gap(0), meeting.first, meeting.last);
        let text = match view.power.allies.contains(player) {
            true => say!(
                "{who}, player {player}: met in turn {first}, last in turn {last}; you call them \
                 your ally."
            ),
            false => say!("{who}, player {player}: met in turn {first}, last in turn {last}."),
        };
        lines.push(Line::filled(&text, [Span::Player(Seat(*player))]));
    }
    if view.power.met.is_empty() {
        lines.push(say!("You have met nobody so far.").into());
    }
    lines
}
