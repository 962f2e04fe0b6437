//! Questions of players: what is known of a sector, ways, odds, who has been met.

use super::judge::{describe, forecast_of};
use super::orders;
use super::phrases::force;
use super::state::NOBODY;
use super::view::View;
use engine::geometry::{PathFinder, Place};
use engine::report::Span;
use engine::{Ask, Line, Seat};

/// The answer to a question; nothing where a place or a unit is none.
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
    let mut lines: Vec<Line> = vec![format!("Sector {}.", describe(view, at)).into()];
    let mut say = |text: String| lines.push(text.into());
    if let Some((number, city)) = view.power.city_at(at) {
        say(format!("Your city {number}, defence level {}.", city.level));
    }
    for city in view.cities.iter().filter(|c| c.at == at) {
        let seen = &city.seen;
        let who = match (seen.owner, seen.rebel) {
            (_, true) => "rebels held it".to_owned(),
            (None, _) => "known by report only".to_owned(),
            (Some(NOBODY), _) => "nobody's".to_owned(),
            (Some(owner), _) => format!("of player {owner}"),
        };
        let level = match seen.owner {
            Some(_) => format!(", defence level {}", seen.level),
            None => String::new(),
        };
        say(format!("City {} {}: {who}{level}, as of turn {}.", city.number, seen.name, seen.turn));
    }
    for (no, unit) in view.power.units.iter().filter(|(_, u)| u.at == at) {
        say(format!("Your unit {no}: {}.", force(unit.size, &view.tables.row(unit.kind).name)));
    }
    for spotted in view.spotted.iter().filter(|s| s.at == at) {
        let what = match spotted.kind {
            Some(kind) => format!("mostly {}", view.tables.row(kind).name),
            None => "of an unknown kind".to_owned(),
        };
        say(format!("In sight: {} regiments of player {}, {what}.", spotted.size, spotted.owner));
    }
    lines
}

fn distance(view: &View, from: Place, to: Place) -> Vec<Line> {
    let far = view.grid.distance(from, to);
    let mut lines: Vec<Line> = vec![
        format!("From {} to {}: {far} sectors.", describe(view, from), describe(view, to)).into(),
    ];
    // A unit of each kind that stands there, or of each that is had.
    let mut shown = Vec::new();
    let here = view.power.units.values().any(|u| u.at == from);
    for (no, unit) in &view.power.units {
        let row = view.tables.row(unit.kind);
        if here && unit.at != from || shown.contains(&unit.kind) {
            continue;
        }
        shown.push(unit.kind);
        let standing = super::state::Unit { at: from, ..unit.clone() };
        let (_, text) =
            forecast_of(view, &mut PathFinder::default(), (row.class, row.points), &standing, to);
        let who = if here { format!("Your unit {no}") } else { "A unit".to_owned() };
        lines.push(format!("{who} of {} there: {text}.", row.name).into());
    }
    lines
}

/// Strength against strength, by the formula of the rulebook, without luck.
fn odds(view: &View, no: u16, at: Place) -> Vec<Line> {
    let Some(unit) = view.power.units.get(&no) else {
        return vec![format!("You have no unit {no}.").into()];
    };
    let rules = &view.tables.rules.combat;
    let row = view.tables.row(unit.kind);
    let blow = |size: i64, attack: i64, rank: i64| {
        size * attack * (1000 + 10 * rules.rank_bonus_percent * rank) / 1000
    };
    let own = blow(i64::from(unit.size), row.attack, i64::from(unit.rank));
    let who = force(unit.size, &row.name);
    let mut lines: Vec<Line> =
        vec![format!("Your unit {no}, {who}: strength {own}, without generals.").into()];
    let mut theirs = 0;
    let mut unknown = false;
    for spotted in view.spotted.iter().filter(|s| s.at == at) {
        let size = i64::from(spotted.size);
        match spotted.kind {
            Some(kind) => theirs += blow(size, view.tables.row(kind).attack, 0),
            None => unknown = true,
        }
    }
    let city = view.cities.iter().find(|c| c.at == at);
    let level = city.filter(|c| c.seen.owner.is_some()).map_or(0, |c| i64::from(c.seen.level));
    if let Some(city) = city {
        unknown |= city.seen.owner.is_none();
        theirs += level * rules.city_level_attack;
    }
    if theirs == 0 && !unknown {
        lines.push(format!("At {} no enemy is in sight.", describe(view, at)).into());
        return lines;
    }
    let most = if unknown { " at least, for part of it is not known" } else { "" };
    lines.push(format!("What you know at {}: strength {theirs}{most}.", describe(view, at)).into());
    let ratio = rules.dislodge_ratio;
    let says = match () {
        () if theirs > 0 && own >= theirs * ratio => {
            format!(
                "You are {ratio} times as strong or more: they are driven out in the first round."
            )
        }
        () if unknown && theirs == 0 => "Who is there can't be told: a city that nobody holds has \
                                         a garrison of its own, often of some regiments. Look \
                                         first, with fighters or a single regiment, or send \
                                         several units."
            .to_owned(),
        () if own > theirs && unknown => {
            "You are stronger than what is known; what is not known may turn that.".to_owned()
        }
        () if own > theirs => {
            "You are stronger; it may take rounds, and cost regiments.".to_owned()
        }
        () if own == theirs => "You are as strong as they are.".to_owned(),
        () => "They are stronger.".to_owned(),
    };
    lines.push(says.into());
    lines.push(
        format!(
            "Each round luck is {} to {} % on both sides; ground and defence levels shelter who \
             defends.",
            rules.luck_low / 10,
            rules.luck_high / 10
        )
        .into(),
    );
    lines
}

fn who(view: &View) -> Vec<Line> {
    let standing = &view.standing;
    let mut lines: Vec<Line> = vec![
        format!(
            "You are player {} of {}, rank {}; the best rating is {}, the median {}.",
            view.seat, view.seats, standing.rank, standing.best, standing.median
        )
        .into(),
    ];
    for (player, meeting) in &view.power.met {
        let mut spans = vec![
            Span::Player(Seat(*player)),
            Span::Plain(format!(
                ", player {player}: met in turn {}, last in turn {}",
                meeting.first, meeting.last
            )),
        ];
        if view.power.allies.contains(player) {
            spans.push(Span::Plain("; you call them your ally".to_owned()));
        }
        spans.push(Span::Plain(".".to_owned()));
        lines.push(Line(spans));
    }
    if view.power.met.is_empty() {
        lines.push("You have met nobody so far.".into());
    }
    lines
}
