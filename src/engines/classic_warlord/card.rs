//! The blank card, with orders that its seat could send (§10).

use engine::report::{Block, Section};
use engine::{CardText, Mark, Seat};
use tongue::{say, word};

use super::board::Kind;
use super::draft;
use super::judge;
use super::map::Place;
use super::orders::{Amount, ROWS};
use super::picture::colour;
use super::plan::{self, Odds};
use super::turn::{Phase, Referee, Turn};
use super::view::{Scene, View};

/// The most items of an example.
const ITEMS: usize = 6;

/// Orders that appear only with an example for this seat.
const OWN: [&str; 6] = ["S", "H", "A", "P", "M", "K"];

/// Orders that appear only on a card with attacks.
const OF_ATTACKS: [&str; 2] = ["IF", "Z"];

/// The blank card of a seat that plays.
pub fn card(view: &View) -> Option<Section> {
    if matches!(view.scene, Scene::Over(_)) || !view.plays(view.seat) {
        return None;
    }
    let mut hints =
        vec![say!("you are {who}, seat {seat}", who = colour(view.seat), seat = view.seat)];
    let examples = examples(view);
    let example =
        |word: &str| examples.iter().find(|line| line.split(' ').next() == Some(word)).cloned();
    let attacks = example("K").is_some();
    let answers = view.asked().is_some();
    for row in ROWS {
        let own = example(row.word);
        let shown = match row.word {
            "Q" => answers,
            _ if answers => false,
            word if OWN.contains(&word) => own.is_some(),
            word if OF_ATTACKS.contains(&word) => attacks,
            "V" => !matches!(view.scene, Scene::Draft(_)),
            word => ["G", "PRESS"].contains(&word),
        };
        if shown {
            let line = own.unwrap_or_else(|| row.examples[0].to_owned());
            // A long example would not fit beside the form of the order.
            let words: Vec<&str> = line.split(' ').take(ITEMS).collect();
            let (form, example) = (word(row.form), words.join(" "));
            hints.push(say!("{form:<34} such as  {example}"));
        }
    }
    Some(Section::new(say!("Your card"), vec![Block::Card(hints)]))
}

/// Orders that the seat could send now, one of each kind that is possible.
fn examples(view: &View) -> Vec<String> {
    let other: Option<Seat> = view.seats().find(|s| *s != view.seat && view.plays(*s));
    let mut lines: Vec<String> = other.map(|seat| format!("PRESS {seat}")).into_iter().collect();
    if view.picks() {
        let free = draft::legal(&view.board).into_iter().take(3);
        let names: Vec<String> = free.map(|p| number(view, p).to_string()).collect();
        lines.push(format!("S {}", names.join(" ")));
    }
    let Some(turn) = view.own_turn() else { return lines };
    // The orders of a computer in the plain style are good examples, unless they depend on earlier
    // orders.
    let odds = Odds::of(&view.options.even);
    let rules = (&view.options, &odds);
    let planned = plan::plan(&view.board, turn.clone(), rules, plan::PLAIN, true).0;
    let alone = |line: &String| {
        let judged = judge::judge(view, &CardText::new(line), 0);
        judged.lines.iter().all(|l| l.mark != Mark::Error)
    };
    lines.extend(planned.into_iter().filter(alone));
    let shots = [shot(view, turn, Kind::H), shot(view, turn, Kind::A)];
    let others = [placed(view, turn), moved(view, turn), attack(view, turn)];
    lines.extend(shots.into_iter().chain(others).flatten());
    lines
}

fn number(view: &View, at: Place) -> u16 {
    view.board.map().region(at).number
}

/// Tries an order on a copy of the board.
fn tried<T>(view: &View, turn: &Turn, order: impl FnOnce(&mut Referee) -> T) -> T {
    let (mut board, mut turn) = (view.board.clone(), turn.clone());
    order(&mut Referee { board: &mut board, turn: &mut turn, options: &view.options })
}

/// The best shot of a bomb of this kind: it costs others the most and the seat the least.
fn shot(view: &View, turn: &Turn, kind: Kind) -> Option<String> {
    let of_kind = |p: &Place| view.board.bomb(*p).is_some_and(|b| b.kind == kind);
    let from = view.board.held(view.seat).find(of_kind)?;
    let far = view.board.map().distances(from);
    let units = view.board.bomb(from)?.units;
    let reached =
        view.board.map().places().filter(|p| far[usize::from(p.0)].is_some_and(|d| d <= units));
    let shots = reached.filter_map(|to| {
        let done = tried(view, turn, |referee| match kind {
            Kind::H => referee.fire_h(from, to),
            Kind::A => referee.fire_a(from, to, &[]).map(|(shot, _)| shot),
        });
        let shot = done.ok()?;
        let lost = shot.lost();
        let own = i64::from(lost.get(&view.seat).copied().unwrap_or(0));
        let all: i64 = lost.values().map(|n| i64::from(*n)).sum();
        Some((all - 2 * own, to, shot.unit))
    });
    // Among equal shots the first.
    let (_, to, unit) = shots.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    let line =
        format!("{} {} {}", kind.name().chars().next()?, number(view, from), number(view, to));
    Some(unit.map_or(line.clone(), |unit| format!("{line} {}", number(view, unit))))
}

fn placed(view: &View, turn: &Turn) -> Option<String> {
    if turn.phase > Phase::Armies {
        return None;
    }
    let mut held = view.board.held(view.seat);
    let at = held.find(|p| tried(view, turn, |r| r.put(*p, Amount::Number(1)).is_ok()))?;
    Some(format!("P {} 1", number(view, at)))
}

/// Pairs of a region of the seat and one next to it.
fn pairs(view: &View) -> impl Iterator<Item = (Place, Place)> + '_ {
    view.board.held(view.seat).flat_map(|a| view.board.map().near(a).map(move |b| (a, b)))
}

fn moved(view: &View, turn: &Turn) -> Option<String> {
    let fits =
        |(a, b): &(Place, Place)| tried(view, turn, |r| r.march(*a, *b, Amount::Number(1)).is_ok());
    let (from, to) = pairs(view).find(fits)?;
    Some(format!("M {} {} 1", number(view, from), number(view, to)))
}

fn attack(view: &View, turn: &Turn) -> Option<String> {
    let fits = |(a, b): &(Place, Place)| tried(view, turn, |r| r.target(*a, *b).is_ok());
    let (from, to) = pairs(view).find(fits)?;
    Some(format!("K {} {} 1", number(view, from), number(view, to)))
}
