//! Questions of players: what is known of a region, ways, odds, who plays.

use super::map::Place;
use super::view::View;
use crate::ClassicWarlord;
use engine::{Answers, Ask, Line, Seat};
use tongue::{count, say, word};

impl Answers for ClassicWarlord {
    fn answer(view: &View, ask: &Ask) -> Vec<Line> {
        answer(view, ask)
    }
}

/// The answer to a question; empty where a region does not exist.
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
    let armies = view.board.armies(at);
    match view.board.owner(at) {
        Some(seat) if seat == view.seat => {
            count!(armies, "yours, {armies} army", "yours, {armies} armies")
        }
        Some(seat) => {
            count!(armies, "seat {seat}, {armies} army", "seat {seat}, {armies} armies")
        }
        None => say!("nobody's"),
    }
}

fn look(view: &View, at: Place) -> Vec<Line> {
    let map = view.board.map();
    let near: Vec<String> =
        map.near(at).map(|p| format!("{} ({})", map.called(p), held(view, p))).collect();
    let mut lines: Vec<Line> = vec![
        format!("{}, {}: {}.", map.called(at), word(map.category(at).name()), held(view, at))
            .into(),
        say!("Next to it: {places}.", places = near.join(", ")).into(),
    ];
    if view.board.bomb(at).is_some() {
        lines.push(say!("A bomb is sited there.").into());
    }
    lines
}

fn distance(view: &View, from: Place, to: Place) -> Vec<Line> {
    let map = view.board.map();
    let all = map.distances(from);
    let far = all.get(usize::from(to.0)).copied().flatten();
    let far = match far {
        None => say!("no way leads there"),
        Some(1) => say!("next to each other"),
        Some(n) => count!(n, "{n} boundary", "{n} boundaries"),
    };
    vec![say!("From {from} to {to}: {far}.", from = map.called(from), to = map.called(to)).into()]
}

fn odds(view: &View, from: Place, at: Place) -> Vec<Line> {
    let map = view.board.map();
    let armies = view.board.armies(from);
    if view.board.owner(from) != Some(view.seat) || armies < 2 || !map.touch(from, at) {
        return vec![
            say!("An attack needs a region of yours with 2 armies or more, and one next to it.")
                .into(),
        ];
    }
    let most = armies.min(6);
    vec![
        say!(
            "{from} has {armies} armies, so your number is 1 to {most}, against {there} armies in \
             {to}.",
            from = map.called(from),
            there = view.board.armies(at),
            to = map.called(at)
        )
        .into(),
        say!(
            "Against a guess without any hint a number is found once in {most} attacks; found, it \
             costs so many armies as it says, else the defender loses one."
        )
        .into(),
        say!(
            "Many armies allow high numbers, which advance more and cost more when they are \
             guessed."
        )
        .into(),
    ]
}

fn who(view: &View) -> Vec<Line> {
    let line = |(n, side): (u8, &super::view::PublicSide)| {
        let regions =
            view.board.map().places().filter(|p| view.board.owner(*p) == Some(Seat(n))).count();
        let who = match n == view.seat.0 {
            true => say!("Seat {n} (you)"),
            false => say!("Seat {n}"),
        };
        match side.out {
            Some(round) => say!("{who}: out since round {round}.").into(),
            None => count!(regions, "{who}: {regions} region.", "{who}: {regions} regions.").into(),
        }
    };
    (1..).zip(&view.sides).map(line).collect()
}
