//! Questions of players: what is known of a region, ways, odds, who plays.

use super::map::Place;
use super::view::View;
use engine::{Ask, Line, Seat};

/// The answer to a question; nothing where a region is none.
pub fn answer(view: &View, ask: &Ask) -> Vec<Line> {
    let place = |word: &str| view.board.map().find(word.parse().ok()?);
    match ask {
        Ask::Look(at) => place(at).map(|at| look(view, at)).unwrap_or_default(),
        Ask::Distance(from, to) => match (place(from), place(to)) {
            (Some(from), Some(to)) => distance(view, from, to),
            _ => Vec::new(),
        },
        Ask::Odds(from, at) => match (place(from), place(at)) {
            (Some(from), Some(at)) => odds(view, from, at),
            _ => Vec::new(),
        },
        Ask::Who => who(view),
    }
}

fn held(view: &View, at: Place) -> String {
    match view.board.owner(at) {
        Some(seat) if seat == view.seat => format!("yours, {} armies", view.board.armies(at)),
        Some(seat) => format!("seat {seat}, {} armies", view.board.armies(at)),
        None => "nobody's".to_owned(),
    }
}

fn look(view: &View, at: Place) -> Vec<Line> {
    let map = view.board.map();
    let near: Vec<String> =
        map.near(at).map(|p| format!("{} ({})", map.called(p), held(view, p))).collect();
    let mut lines: Vec<Line> = vec![
        format!("{}, {}: {}.", map.called(at), map.category(at).name(), held(view, at)).into(),
        format!("Next to it: {}.", near.join(", ")).into(),
    ];
    if view.board.bomb(at).is_some() {
        lines.push("A bomb is sited there.".into());
    }
    lines
}

fn distance(view: &View, from: Place, to: Place) -> Vec<Line> {
    let map = view.board.map();
    let all = map.distances(from);
    let far = all.get(usize::from(to.0)).copied().flatten();
    let far = far.map_or("no way leads there".to_owned(), |n| match n {
        1 => "next to each other".to_owned(),
        n => format!("{n} boundaries"),
    });
    vec![format!("From {} to {}: {far}.", map.called(from), map.called(to)).into()]
}

fn odds(view: &View, from: Place, at: Place) -> Vec<Line> {
    let map = view.board.map();
    let armies = view.board.armies(from);
    if view.board.owner(from) != Some(view.seat) || armies < 2 || !map.touch(from, at) {
        return vec![
            "An attack needs a region of yours with 2 armies or more, and one next to it.".into(),
        ];
    }
    let most = armies.min(6);
    vec![
        format!(
            "{} has {armies} armies, so your number is 1 to {most}, against {} armies in {}.",
            map.called(from),
            view.board.armies(at),
            map.called(at)
        )
        .into(),
        format!(
            "Against a guess without any hint a number is found once in {most} attacks; found, it \
             costs so many armies as it says, else the defender loses one."
        )
        .into(),
        "Many armies allow high numbers, which advance more and cost more when they are guessed."
            .into(),
    ]
}

fn who(view: &View) -> Vec<Line> {
    let line = |(n, side): (u8, &super::view::PublicSide)| {
        let regions =
            view.board.map().places().filter(|p| view.board.owner(*p) == Some(Seat(n))).count();
        let you = if n == view.seat.0 { " (you)" } else { "" };
        match side.out {
            Some(round) => format!("Seat {n}{you}: out since round {round}.").into(),
            None => format!("Seat {n}{you}: {regions} regions.").into(),
        }
    };
    (1..).zip(&view.sides).map(line).collect()
}
