//! The printout and the short mail (§10).

use engine::report::{Align, Battle, Block, Force, Line, Section, Span, Table, capital};
use engine::{MapPicture, Report, Seat};

use super::board::Kind;
use super::draft;
use super::judge::{outcome, put_words};
use super::map::{Category, Place};
use super::picture::{colour, tint};
use super::state::{End, Event, Why};
use super::turn::{Hit, Shot, Strike, Target};
use super::view::{Scene, View};

/// Attacks of one region on another that are told in one line from so many on.
const MERGED: usize = 5;

/// The printout of a seat, with its maps and without its blank card.
pub fn report(view: &View, maps: Vec<MapPicture>) -> Report {
    let mut sections = vec![section(heading(view), vec![Block::List(scene(view))])];
    let (cards, rest) = (battles(view), happened(view, true));
    if !cards.is_empty() || !rest.is_empty() {
        let cards = (!cards.is_empty()).then_some(Block::Battles(cards));
        let rest = (!rest.is_empty()).then_some(Block::List(rest));
        sections.push(section("What happened", cards.into_iter().chain(rest).collect()));
    }
    if view.has_letters() {
        sections.push(section("Messages", messages(view)));
    }
    if view.picks() {
        sections.push(mountains(view));
    }
    sections.push(section("Standing", vec![Block::Table(standing(view))]));
    let maps: Vec<Block> = maps.into_iter().map(Block::from).collect();
    if !maps.is_empty() {
        sections.push(section("Map", maps));
    }
    if !matches!(view.scene, Scene::Over(_)) && view.board.lives(view.seat) {
        sections.push(section("Your empires", empires(view)));
        sections.push(Section::list("Threats", threats(view), "No enemy is near."));
        sections.push(policies(view));
    }
    Report { title: format!("{} in Classic Warlord", colour(view.seat)), sections }
}

/// The short mail: a guess that is asked for, or what happened.
pub fn brief(view: &View) -> Vec<Block> {
    let mut blocks = vec![Block::List(scene(view))];
    if view.asked().is_none() {
        let told = happened(view, false);
        if !told.is_empty() {
            blocks.push(Block::List(told));
        }
        blocks.extend(messages(view));
    }
    blocks
}

pub(super) fn section(heading: &str, blocks: Vec<Block>) -> Section {
    Section { heading: heading.to_owned(), blocks }
}

fn heading(view: &View) -> &'static str {
    match &view.scene {
        Scene::Over(_) => "The end",
        Scene::Draft(_) => "The draft",
        _ if view.own_turn().is_some() => "Your turn",
        _ if view.asked().is_some() => "Your guess",
        _ => "Another's turn",
    }
}

/// Mountains that may be taken, with what lies around them.
fn mountains(view: &View) -> Section {
    let map = view.board.map();
    let line = |at: Place| -> Line {
        let near: Vec<String> = map
            .near(at)
            .map(|n| format!("{}{}", map.region(n).number, map.category(n).letter()))
            .collect();
        format!("{}: {}", map.called(at), near.join(", ")).into()
    };
    let lines = draft::legal(&view.board).into_iter().map(line).collect();
    Section::list("Mountains that are free, and their neighbours", lines, "None is left.")
}

/// A seat's colour and the name of its player.
fn who(seat: Seat) -> Vec<Span> {
    vec![Span::Plain(format!("{} (", colour(seat))), Span::Player(seat), Span::Plain(")".into())]
}

/// Words with seats between them.
fn line(parts: Vec<Vec<Span>>) -> Line {
    Line(parts.into_iter().flatten().collect())
}

fn plain(text: impl Into<String>) -> Vec<Span> {
    vec![Span::Plain(text.into())]
}

/// What the open step is, and what it asks of the reader.
fn scene(view: &View) -> Vec<Line> {
    let map = view.board.map();
    match &view.scene {
        Scene::Draft(draft) if view.picks() => vec![
            format!(
                "Round {} of the draft: list mountains that you would like to begin on, the best \
                 first, with S.",
                draft.round
            )
            .into(),
        ],
        Scene::Draft(_) => vec!["Mountains are taken; it is another's pick.".into()],
        Scene::Turn(turn) if turn.seat == view.seat => {
            let part = match turn.part {
                1 => String::new(),
                part => format!(", part {part}"),
            };
            vec![format!("You are {}; round {}{part}.", colour(view.seat), view.round).into()]
        }
        Scene::Turn(turn) => vec![line(vec![who(turn.seat), plain(" is to move.")])],
        Scene::Challenge(turn, asked) => {
            let Target { from, to, armies: (here, there), bounds, two, .. } = asked.target;
            let mut lines = vec![line(vec![
                who(turn.seat),
                plain(format!(
                    " attacks {} from {}: {here} against {there}, number {bounds}.",
                    map.called(to),
                    map.called(from)
                )),
            ])];
            lines.push(Line(vec![
                Span::Plain("The number is sealed: ".into()),
                Span::Seal(turn.seat, asked.seal.clone()),
            ]));
            if let Some((rest, nth)) = &asked.rest {
                let guess = if two { "two numbers" } else { "a number" };
                lines.push(format!("Answer with Q and {guess} from {bounds}.").into());
                let (draw, _) = rest.of(*nth);
                lines.push(format!("If no answer comes, {draw} is guessed for you.").into());
            } else {
                lines.push(line(vec![
                    plain("The guess of "),
                    who(asked.target.defender),
                    plain(" is awaited."),
                ]));
            }
            lines
        }
        Scene::Over(end) => vec![ending(end)],
    }
}

fn ending(end: &End) -> Line {
    let mut parts = Vec::new();
    for (n, seat) in end.winners.iter().enumerate() {
        parts.push(plain(if n > 0 { ", " } else { "" }));
        parts.push(who(*seat));
    }
    let won = if end.winners.len() == 1 { " has won" } else { " share the draw" };
    parts.push(plain(match end.why {
        Why::Last => format!("{won}: nobody else is left."),
        Why::Nobody => format!("{won}: nobody is left."),
        Why::Votes => format!("{won}: all voted for it."),
        Why::Rounds => format!("{won}: the last round was played."),
    }));
    line(parts)
}

/// Attacks as cards: those of one region on another that follow each other are one.
fn battles(view: &View) -> Vec<Battle> {
    let mut runs: Vec<(Seat, Vec<&Strike>)> = Vec::new();
    for event in &view.events {
        let Event::Struck(seat, strike) = event else { continue };
        let way = |s: &Strike| (s.target.from, s.target.to, s.target.defender);
        match runs.last_mut().filter(|(by, run)| by == seat && way(run[0]) == way(strike)) {
            Some((_, run)) => run.push(strike),
            None => runs.push((*seat, vec![strike])),
        }
    }
    runs.iter().map(|(seat, run)| battle(view, *seat, run)).collect()
}

/// The card of attacks of one region on another; the number of each with its guesses.
fn battle(view: &View, seat: Seat, run: &[&Strike]) -> Battle {
    let map = view.board.map();
    let Target { from, to, armies: (here, there), defender, .. } = run[0].target;
    let lost = |failed: bool| -> u32 {
        run.iter().filter(|s| (s.hit == Hit::Failed) == failed).map(|s| s.lost).sum()
    };
    let pair = |s: &&Strike| {
        let guesses: Vec<String> = s.guesses.iter().map(u32::to_string).collect();
        match guesses.is_empty() {
            true => format!("{} without a guess", s.number),
            false => format!("{} against guess {}", s.number, guesses.join(" and ")),
        }
    };
    let pairs: Vec<String> = run.iter().map(pair).collect();
    let failed = run.iter().filter(|s| s.hit == Hit::Failed).count();
    let units = run.iter().filter(|s| s.unit.is_some()).count();
    let side = |seat: Seat, part: &str, before: u32, lost: u32| Force {
        who: format!("{}, {part}", colour(seat)),
        seat: Some(seat),
        tint: Some(tint(seat)),
        numbers: Some((before, before.saturating_sub(lost))),
        ..Force::default()
    };
    let attacker = Force {
        forces: format!("from {}", map.called(from)),
        odds: format!("numbers: {}", pairs.join(", ")),
        ..side(seat, "attacking", here, lost(true))
    };
    let last = run.last().map_or(Hit::Failed, |s| s.hit);
    let mut result = match (run.len(), last) {
        (1, hit) => capital(outcome(hit)),
        (n, Hit::Captured) => format!("Taken after {n} attacks, of which {failed} failed"),
        (n, _) => format!("{n} attacks, of which {failed} failed; the region is held"),
    };
    if units > 0 {
        result += &format!("; A-units won: {units}");
    }
    Battle {
        place: map.called(to),
        ground: map.category(to).name().to_owned(),
        sides: vec![attacker, side(defender, "defending", there, lost(false))],
        result: result + ".",
        notation: String::new(),
    }
}

/// What happened, in its order; `carded` leaves out what stands on cards.
fn happened(view: &View, carded: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut drafted: Vec<(Seat, Vec<Place>)> = Vec::new();
    let mut events = &view.events[..];
    while let Some((event, rest)) = events.split_first() {
        if carded && matches!(event, Event::Struck(..)) {
            events = rest;
            continue;
        }
        let run = 1 + rest.iter().take_while(|e| repeats(event, e)).count();
        if run >= MERGED {
            lines.extend(attacks(view, &events[..run]));
            events = &events[run..];
            continue;
        }
        events = rest;
        match event {
            Event::Picked(seat, at) => match drafted.iter_mut().find(|d| d.0 == *seat) {
                Some((_, places)) => places.push(*at),
                None => drafted.push((*seat, vec![*at])),
            },
            other => lines.extend(told(view, other)),
        }
    }
    let map = view.board.map();
    let picks = drafted.into_iter().map(|(seat, places)| {
        let names: Vec<String> = places.iter().map(|p| map.called(*p)).collect();
        line(vec![who(seat), plain(format!(" took {}.", names.join(", ")))])
    });
    picks.chain(lines).collect()
}

/// Whether an event is another attack of the same region on the same one.
fn repeats(first: &Event, other: &Event) -> bool {
    let of = |e: &Event| match e {
        Event::Struck(seat, s) => Some((*seat, s.target.from, s.target.to, s.target.defender)),
        _ => None,
    };
    of(first).is_some() && of(first) == of(other)
}

/// Many attacks of one region on another, in one line.
fn attacks(view: &View, events: &[Event]) -> Option<Line> {
    let strikes: Vec<&Strike> = events
        .iter()
        .filter_map(|e| if let Event::Struck(_, strike) = e { Some(strike) } else { None })
        .collect();
    let (Event::Struck(seat, first), last) = (events.first()?, strikes.last()?) else {
        return None;
    };
    let map = view.board.map();
    let Target { from, to, armies: (here, there), defender, .. } = first.target;
    let pair = |s: &&Strike| {
        let guesses: Vec<String> = s.guesses.iter().map(u32::to_string).collect();
        format!("{}/{}", s.number, guesses.join("+"))
    };
    let pairs: Vec<String> = strikes.iter().map(pair).collect();
    let guessed = strikes.iter().filter(|s| s.hit == Hit::Failed).count();
    let units = strikes.iter().filter(|s| s.unit.is_some()).count();
    let taken = if last.hit == Hit::Captured { ", the last took it" } else { "" };
    let text = format!(
        ", {} from {} {} times ({here} against {there} at first), number/guess {}: {} won{taken}, \
         {guessed} guessed; A-units {units}.",
        map.called(to),
        map.called(from),
        strikes.len(),
        pairs.join(", "),
        strikes.len() - guessed,
    );
    Some(line(vec![who(*seat), plain(" attacked "), who(defender), plain(text)]))
}

fn told(view: &View, event: &Event) -> Option<Line> {
    let map = view.board.map();
    let says = |seat: Seat, text: String| Some(line(vec![who(seat), plain(text)]));
    match event {
        Event::Picked(..) | Event::Began(..) | Event::Letter(_) => None,
        Event::Shot(seat, shot) => says(*seat, shot_words(view, shot)),
        Event::Claimed(seat, empires) => {
            let all: u32 = empires.iter().map(|e| e.1).sum();
            let count = empires.len();
            let word = if count == 1 { "empire" } else { "empires" };
            let armies = if all == 1 { "army" } else { "armies" };
            says(*seat, format!(" claimed {all} extra {armies} for {count} {word}."))
        }
        Event::Placed(seat, placed, by_robot) => {
            let by = if *by_robot { " (by the robot)" } else { "" };
            says(*seat, format!(": {}{by}.", put_words(view, placed)))
        }
        Event::Marched(seat, from, to, n) => {
            let text = format!(" moved {n} from {} to {}.", map.called(*from), map.called(*to));
            says(*seat, text)
        }
        Event::Challenged(..) => None,
        Event::Struck(seat, strike) => Some(line(vec![
            who(*seat),
            plain(" attacked "),
            who(strike.target.defender),
            plain(strike_words(view, strike)),
        ])),
        Event::NotDone(_, number, why) => Some(format!("Your line {number}: {why}.").into()),
        Event::Paused(_) => None,
        Event::Missed(seat) => says(*seat, " sent no card; the turn went by.".into()),
        Event::Out(seat) => says(*seat, " has no army left and is out.".into()),
        Event::Garrison(seat) => {
            says(*seat, " is played by nobody; the armies stand as a garrison.".into())
        }
        Event::Back(seat) => says(*seat, " is played again.".into()),
        Event::Voted(seat, true) => says(*seat, " votes for a draw.".into()),
        Event::Voted(seat, false) => says(*seat, " votes for a draw no longer.".into()),
        Event::Ended(end) => Some(ending(end)),
    }
}

/// Letters of others. Their lines stand as quotes, so that none of them can be taken for an
/// order.
fn messages(view: &View) -> Vec<Block> {
    let mut blocks = Vec::new();
    for event in &view.events {
        let Event::Letter(letter) = event else { continue };
        let from = letter.from.map_or_else(|| plain("somebody who is not named"), who);
        blocks.push(Block::Para(line(vec![plain("From "), from, plain(":")])));
        blocks.push(Block::Quote(letter.text.clone()));
    }
    blocks
}

fn shot_words(view: &View, shot: &Shot) -> String {
    let map = view.board.map();
    let names = |places: &[Place]| -> String {
        places.iter().map(|p| map.called(*p)).collect::<Vec<_>>().join(", ")
    };
    let lost: Vec<String> =
        shot.lost().into_iter().map(|(seat, n)| format!("{} {n}", colour(seat))).collect();
    let chain: Vec<String> = shot
        .chain
        .iter()
        .map(|(at, kind)| format!("{} on {}", kind.name(), map.called(*at)))
        .collect();
    let mut text = format!(
        " fired the {} of {} at {}. Radioactive: {}. Devastated: {}. Armies lost: {}.",
        shot.kind.name(),
        map.called(shot.from),
        map.called(shot.to),
        names(&shot.splats),
        names(&shot.devastated),
        if lost.is_empty() { "none".to_owned() } else { lost.join(", ") }
    );
    if !chain.is_empty() {
        text += &format!(" These went off too: {}.", chain.join(", "));
    }
    if let Some(unit) = shot.unit {
        text += &format!(" H-unit on {}.", map.called(unit));
    }
    text
}

fn strike_words(view: &View, strike: &Strike) -> String {
    let map = view.board.map();
    let Target { from, to, armies: (here, there), .. } = strike.target;
    let guesses: Vec<String> = strike.guesses.iter().map(u32::to_string).collect();
    let guessed = match guesses.as_slice() {
        [] => "no guess".to_owned(),
        guesses => format!("guess {}", guesses.join(" and ")),
    };
    let mut text = format!(
        ", {} from {} ({here} against {there}): number {}, {guessed} – {}",
        map.called(to),
        map.called(from),
        strike.number,
        outcome(strike.hit)
    );
    if let Some(unit) = strike.unit {
        text += &format!(", A-unit on {}", map.region(unit).number);
    }
    text + "."
}

fn count(view: &View, seat: Seat, category: Category) -> usize {
    view.board.held(seat).filter(|p| view.board.map().category(*p) == category).count()
}

fn standing(view: &View) -> Table {
    let right = |name: &'static str| (name, Align::Right);
    let row = |seat: Seat| {
        let empires = view.board.empires(seat);
        let claim: u32 = empires.iter().map(|e| view.board.extra(e)).sum();
        let units = |kind: Kind| -> u32 {
            let bombs = view.board.held(seat).filter_map(|p| view.board.bomb(p));
            bombs.filter(|b| b.kind == kind).map(|b| b.units).sum()
        };
        let side = view.side(seat);
        let state = match side {
            Some(s) if s.out.is_some() => "out",
            Some(s) if s.garrison => "garrison",
            Some(s) if s.draw => "for a draw",
            _ => "",
        };
        vec![
            format!("{} {}", seat, colour(seat)),
            empires.len().to_string(),
            view.board.held(seat).count().to_string(),
            count(view, seat, Category::MegaCity).to_string(),
            count(view, seat, Category::Key).to_string(),
            count(view, seat, Category::Rural).to_string(),
            view.board.total(seat).to_string(),
            units(Kind::A).to_string(),
            units(Kind::H).to_string(),
            if side.is_some_and(|s| s.garrison) { "0".to_owned() } else { claim.to_string() },
            state.to_owned(),
        ]
    };
    let columns = [
        ("Seat", Align::Left),
        right("Empires"),
        right("Regions"),
        right("Y"),
        right("R"),
        right("G"),
        right("Armies"),
        right("A"),
        right("H"),
        right("Extra"),
        ("State", Align::Left),
    ];
    Table::new(columns, view.order.iter().copied().map(row).collect())
}

fn empires(view: &View) -> Vec<Block> {
    let map = view.board.map();
    let mut lines = Vec::new();
    for empire in view.board.empires(view.seat) {
        let extra = view.board.extra(&empire);
        let place = |p: &Place| {
            let bomb = view.board.bomb(*p).map(|b| {
                let letter = if b.kind == Kind::A { 'A' } else { 'H' };
                format!(" {letter}{}", b.units)
            });
            let (name, armies) = (map.called(*p), view.board.armies(*p));
            format!("{name} {armies}{}", bomb.unwrap_or_default())
        };
        let places: Vec<String> = empire.iter().map(place).collect();
        lines.push(format!("{extra} extra: {}", places.join(", ")).into());
    }
    vec![
        Block::List(lines),
        Block::Para("Behind a name: armies, and the bomb with its units.".into()),
    ]
}

/// Enemy stacks next to own regions, and bombs that reach them.
fn threats(view: &View) -> Vec<Line> {
    let map = view.board.map();
    let mut lines = Vec::new();
    for at in map.places() {
        let Some(owner) = view.board.owner(at).filter(|o| *o != view.seat) else { continue };
        let near: Vec<String> = map
            .near(at)
            .filter(|n| view.board.holds(view.seat, *n))
            .map(|n| format!("{} ({})", map.region(n).number, view.board.armies(n)))
            .collect();
        if view.board.armies(at) > 1 && !near.is_empty() {
            let (name, armies) = (map.called(at), view.board.armies(at));
            let text = format!("{} {armies} on {name}, next to {}", colour(owner), near.join(", "));
            lines.push(text.into());
        }
        if let Some(bomb) = view.board.bomb(at) {
            let far = map.distances(at);
            let reaches = |p: &Place| far[usize::from(p.0)].is_some_and(|d| d <= bomb.units);
            let own = view.board.held(view.seat).filter(reaches).count();
            if own > 0 {
                let (kind, name) = (bomb.kind.name(), map.called(at));
                let far = match bomb.units {
                    1 => "1 boundary".to_owned(),
                    units => format!("{units} boundaries"),
                };
                let text = format!(
                    "{} {kind} on {name} reaches {far}: {own} of your regions",
                    colour(owner)
                );
                lines.push(text.into());
            }
        }
    }
    lines
}

fn policies(view: &View) -> Section {
    let lines: Vec<String> = view.policies.iter().map(|f| f.policy.to_string()).collect();
    match lines.is_empty() {
        true => Section::list("Your guesses", Vec::new(), "None on file: E is guessed for you."),
        false => section("Your guesses", vec![Block::Quote(lines)]),
    }
}
