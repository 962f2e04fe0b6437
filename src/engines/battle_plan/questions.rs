//! Questions of players: facts about a space, routes, odds, players.

use super::judge;
use super::map::SpaceId;
use super::odds::{beside, duel};
use super::state::NOBODY;
use super::verbs::Arm;
use super::view::{View, player};
use super::words;
use crate::BattlePlan;
use engine::{Answers, Ask, CardText, Line};
use tongue::{count, say};

impl Answers for BattlePlan {
    fn answer(view: &View, ask: &Ask) -> Vec<Line> {
        answer(view, ask)
    }
}

/// The answer to a question; empty if it names an unknown space.
pub fn answer(view: &View, ask: &Ask) -> Vec<Line> {
    let space = |code: &str| view.tables.map.find(code);
    match ask {
        Ask::Look(at) => space(at).map(|at| look(view, at)).unwrap_or_default(),
        Ask::Distance(from, to) => match (space(from), space(to)) {
            (Some(from), Some(to)) => distance(view, from, to),
            _ => Vec::new(),
        },
        Ask::Odds(from, at) => match space(at) {
            Some(at) => odds(view, from, at),
            None => match (from.parse(), at.parse()) {
                (Ok(a), Ok(d)) => vec![duel(a, d, 100).into()],
                _ => Vec::new(),
            },
        },
        Ask::Who => who(view),
    }
}

fn look(view: &View, at: SpaceId) -> Vec<Line> {
    let map = &view.tables.map;
    let near: Vec<String> = map
        .neighbours(at)
        .iter()
        .map(|s| format!("{} {}", map.code(*s), place_in_words(view, *s)))
        .collect();
    let mut lines: Vec<Line> = vec![
        format!("{} {}.", map.code(at), place_in_words(view, at)).into(),
        say!("Next to it: {places}.", places = near.join(", ")).into(),
    ];
    if let Some(c) = view.seen.get(&at) {
        lines.push(
            say!(
                "Seen there: army {army}, navy {navy}, air force {air}, missiles {missiles}, \
                 antimissiles {antimissiles}, industry {industry}, tax {tax}.",
                army = c.army,
                navy = c.navy,
                air = c.air,
                missiles = c.missiles,
                antimissiles = c.antimissiles,
                industry = c.industry,
                tax = c.tax
            )
            .into(),
        );
    } else if !map.is_sea(at) {
        lines.push(say!("You do not see what stands there; spies would tell.").into());
    }
    if let Some(forces) = view.seas.get(&at) {
        for (seat, f) in forces {
            let text = say!(
                "{who}: army {army}, navy {navy}, air force {air}.",
                who = player(view, *seat),
                army = f.army,
                navy = f.navy,
                air = f.air
            );
            lines.push(text.into());
        }
    }
    lines
}

fn distance(view: &View, from: SpaceId, to: SpaceId) -> Vec<Line> {
    let map = &view.tables.map;
    let steps = |allowed: &dyn Fn(SpaceId) -> bool| {
        let near = |s: SpaceId| map.neighbours(s).iter().copied();
        let all = engine::graph::distances(map.len(), [from], near, |_, to| allowed(to));
        all.get(usize::from(to.0)).copied().flatten()
    };
    let told = |n: Option<u32>| match n {
        None => say!("no way"),
        Some(n) => count!(n, "{n} space", "{n} spaces"),
    };
    let (land, all) = (told(steps(&|s| !map.is_sea(s))), told(steps(&|_| true)));
    let (start, goal) = (map.name(from), map.name(to));
    let way = match map.in_air_range(from, to) {
        true => say!(
            "From {start} to {goal}: {land} over land alone, {all} over land and sea; within air \
             range."
        ),
        false => say!(
            "From {start} to {goal}: {land} over land alone, {all} over land and sea; out of air \
             range."
        ),
    };
    let says = say!(
        "Army and navy move one space at a time; only navy, with what it carries, crosses \
              seas."
    );
    vec![way.into(), says.into()]
}

/// The odds of a number of army, or of the army in an own space, against a country.
fn odds(view: &View, from: &str, at: SpaceId) -> Vec<Line> {
    let map = &view.tables.map;
    let own = match (from.parse::<i64>(), map.find(from)) {
        (Ok(n), _) => Some(n),
        (_, Some(space)) => view.position.holdings.get(&space).map(|h| h.stock(Arm::Army)),
        _ => None,
    };
    let Some(own) = own else {
        let says = say!("Begin with a number of army, or with a space where you have some.");
        return vec![says.into()];
    };
    match view.seen.get(&at) {
        Some(c) => vec![
            say!("{own} army against what you see in {place}:", place = map.name(at)).into(),
            judge::odds(view, &judge::work(view, &CardText::default()), (own, at), c).into(),
            beside().into(),
        ],
        None => {
            let place = map.name(at);
            let says =
                say!("You do not see the army in {place}; ODDS with two numbers tells of any.");
            vec![says.into()]
        }
    }
}

fn who(view: &View) -> Vec<Line> {
    let line = |p: &super::view::Public| {
        let mut parts = vec![match p.countries {
            0 => say!("holds no country"),
            n => count!(n, "holds {n} country", "holds {n} countries"),
        }];
        if p.out {
            parts.push(say!("out of the game"));
        }
        if p.enemies.contains(&view.seat) {
            parts.push(say!("calls you enemy"));
        }
        if view.allied_by.contains(&p.seat) {
            parts.push(say!("calls you ally"));
        }
        format!("{}: {}.", player(view, p.seat), parts.join(", ")).into()
    };
    let minors = view.owners.iter().filter(|o| **o == NOBODY).count();
    let mut lines: Vec<Line> = view.players.iter().map(line).collect();
    lines.push(
        count!(minors, "Nobody's: {minors} country.", "Nobody's: {minors} countries.").into(),
    );
    lines
}

/// A space in words, as the view knows it: `Ukraine (minor)`, `Spain ([2] Spain, your enemy)`,
/// `Black Sea`.
fn place_in_words(view: &View, space: SpaceId) -> String {
    words::place(view, &judge::work(view, &CardText::default()), space)
}
