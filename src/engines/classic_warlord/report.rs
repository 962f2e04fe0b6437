//! The printout and the short mail (§10).

use crate::{ClassicWarlord, card, picture};
use engine::report::{Align, Battle, Block, Force, Gap, Line, Section, Span, Table, capital};
use engine::{MapPicture, Notice, Printouts, Report, Seat};
use tongue::{count, say, word};

use super::board::Kind;
use super::draft;
use super::judge::{outcome, put_words};
use super::map::{Category, Place};
use super::picture::{colour, tint};
use super::state::{End, Event, Why};
use super::turn::{Hit, Shot, Strike, Target};
use super::view::{Scene, View};

impl Printouts for ClassicWarlord {
    fn notice(view: &View) -> Notice {
        let concerned = view.events.iter().any(|e| match e {
            Event::Struck(_, strike) => strike.target.defender == view.seat,
            Event::Shot(_, shot) => shot.fallen.iter().any(|f| f.1 == view.seat),
            Event::Out(seat) => *seat == view.seat,
            _ => false,
        });
        match &view.scene {
            Scene::Over(_) => Notice::Full,
            _ if view.own_turn().is_some() || view.picks() => Notice::Full,
            Scene::Challenge(turn, asked) => {
                let [a, b] = [turn.seat, asked.target.defender];
                if [a, b].contains(&view.seat) { Notice::Brief } else { Notice::None }
            }
            // The turn goes on, and its mail comes when it is over.
            _ if !view.whole => Notice::None,
            _ if concerned => Notice::Full,
            _ if view.options.digest && !view.has_letters() => Notice::None,
            _ => Notice::Brief,
        }
    }

    fn brief(view: &View, _: &str) -> Vec<Block> {
        brief(view)
    }

    fn report(view: &View, _: &str) -> Option<Report> {
        let mut report = report(view, picture::maps(view));
        report.sections.extend(card::card(view));
        Some(report)
    }
}

/// From this many attacks of one region on another, they share one line.
const MERGED: usize = 5;

/// The printout of a seat, with its maps but without its blank card.
pub fn report(view: &View, maps: Vec<MapPicture>) -> Report {
    let mut sections = vec![Section::new(heading(view), vec![Block::List(scene(view))])];
    let (cards, rest) = (battles(view), happened(view, true));
    if !cards.is_empty() || !rest.is_empty() {
        let cards = (!cards.is_empty()).then_some(Block::Battles(cards));
        let rest = (!rest.is_empty()).then_some(Block::List(rest));
        sections.push(Section::new(say!("What happened"), cards.into_iter().chain(rest).collect()));
    }
    if view.has_letters() {
        sections.push(Section::new(say!("Messages"), messages(view)));
    }
    if view.picks() {
        sections.push(mountains(view));
    }
    sections.push(Section::new(say!("Standing"), vec![Block::Table(standing(view))]));
    let maps: Vec<Block> = maps.into_iter().map(Block::from).collect();
    if !maps.is_empty() {
        sections.push(Section::new(say!("Map"), maps));
    }
    if !matches!(view.scene, Scene::Over(_)) && view.board.lives(view.seat) {
        sections.push(Section::new(say!("Your empires"), empires(view)));
        let none = say!("No enemy is near.");
        sections.push(Section::list(&say!("Threats"), threats(view), &none));
        sections.push(policies(view));
    }
    Report { title: say!("{who} in Classic Warlord", who = colour(view.seat)), sections }
}

/// The short mail: a question for a guess, or the events.
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

fn heading(view: &View) -> String {
    match &view.scene {
        Scene::Over(_) => say!("The end"),
        Scene::Draft(_) => say!("The draft"),
        _ if view.own_turn().is_some() => say!("Your turn"),
        _ if view.asked().is_some() => say!("Your guess"),
        _ => say!("Another's turn"),
    }
}

/// The mountains that may be taken, with their surroundings.
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
    let heading = say!("Mountains that are free, and their neighbours");
    Section::list(&heading, lines, &say!("None is left."))
}

/// A seat's colour and the name of its player.
pub(super) fn who(seat: Seat) -> Vec<Span> {
    vec![Span::Plain(format!("{} (", colour(seat))), Span::Player(seat), Span::Plain(")".into())]
}

/// The gap for the seat of a sentence, and the gap for another one.
const WHO: Gap = Gap(0);
const WHOM: Gap = Gap(1);

/// A sentence about a seat, with [`WHO`] in it.
fn about(seat: Seat, text: &str) -> Line {
    Line::filled_with(text, [who(seat)])
}

/// The open step, and what it asks of the reader.
fn scene(view: &View) -> Vec<Line> {
    let map = view.board.map();
    match &view.scene {
        Scene::Draft(draft) if view.picks() => vec![
            say!(
                "Round {round} of the draft: list mountains that you would like to begin on, the \
                 best first, with S.",
                round = draft.round
            )
            .into(),
        ],
        Scene::Draft(_) => vec![say!("Mountains are taken; it is another's pick.").into()],
        Scene::Turn(turn) if turn.seat == view.seat => {
            let (who, round) = (colour(view.seat), view.round);
            let text = match turn.part {
                1 => say!("You are {who}; round {round}."),
                part => say!("You are {who}; round {round}, part {part}."),
            };
            vec![text.into()]
        }
        Scene::Turn(turn) => vec![about(turn.seat, &say!("{who} is to move.", who = WHO))],
        Scene::Challenge(turn, asked) => {
            let Target { from, to, armies: (here, there), bounds, two, .. } = asked.target;
            let attacks = say!(
                "{who} attacks {to} from {from}: {here} against {there}, number {bounds}.",
                who = WHO,
                to = map.called(to),
                from = map.called(from)
            );
            let seal = Span::Seal(turn.seat, asked.seal.clone());
            let mut lines = vec![
                about(turn.seat, &attacks),
                Line::filled(&say!("The number is sealed: {seal}", seal = Gap(0)), [seal]),
            ];
            if let Some((rest, nth)) = &asked.rest {
                let guess = match two {
                    true => say!("Answer with Q and two numbers from {bounds}."),
                    false => say!("Answer with Q and a number from {bounds}."),
                };
                lines.push(guess.into());
                let (draw, _) = rest.of(*nth);
                lines.push(say!("If no answer comes, {draw} is guessed for you.").into());
            } else {
                let text = say!("The guess of {who} is awaited.", who = WHO);
                lines.push(about(asked.target.defender, &text));
            }
            lines
        }
        Scene::Over(end) => vec![ending(end)],
    }
}

/// Why a game is over.
pub(super) fn why(end: &End) -> String {
    match end.why {
        Why::Last => say!("nobody else is left"),
        Why::Nobody => say!("nobody is left"),
        Why::Votes => say!("all voted for it"),
        Why::Rounds => say!("the last round was played"),
    }
}

fn ending(end: &End) -> Line {
    if end.winners.is_empty() {
        return say!("The game is over without a winner: {why}.", why = why(end)).into();
    }
    let mut names: Vec<Span> = Vec::new();
    for (n, seat) in end.winners.iter().enumerate() {
        names.extend((n > 0).then(|| Span::Plain(", ".to_owned())));
        names.extend(who(*seat));
    }
    let text = count!(
        n = end.winners.len(),
        "{who} has won: {why}.",
        "{who} share the draw: {why}.",
        who = WHO,
        why = why(end)
    );
    Line::filled_with(&text, [names])
}

/// Attacks as panels: successive attacks of one region on another share a panel.
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

/// The panel of attacks of one region on another: the number of each with its guesses.
fn battle(view: &View, seat: Seat, run: &[&Strike]) -> Battle {
    let map = view.board.map();
    let Target { from, to, armies: (here, there), defender, .. } = run[0].target;
    let lost = |failed: bool| -> u32 {
        run.iter().filter(|s| (s.hit == Hit::Failed) == failed).map(|s| s.lost).sum()
    };
    let pair = |s: &&Strike| {
        let guesses: Vec<String> = s.guesses.iter().map(u32::to_string).collect();
        let number = s.number;
        match guesses.is_empty() {
            true => say!("{number} without a guess"),
            false => say!("{number} against guess {guesses}", guesses = both(&guesses)),
        }
    };
    let pairs: Vec<String> = run.iter().map(pair).collect();
    let failed = run.iter().filter(|s| s.hit == Hit::Failed).count();
    let units = run.iter().filter(|s| s.unit.is_some()).count();
    let side = |seat: Seat, who: String, before: u32, lost: u32| Force {
        who,
        seat: Some(seat),
        tint: Some(tint(seat)),
        numbers: Some((before, before.saturating_sub(lost))),
        ..Force::default()
    };
    let attacker = Force {
        forces: say!("from {place}", place = map.called(from)),
        odds: say!("numbers: {pairs}", pairs = pairs.join(", ")),
        ..side(seat, say!("{who}, attacking", who = colour(seat)), here, lost(true))
    };
    let defends = say!("{who}, defending", who = colour(defender));
    let last = run.last().map_or(Hit::Failed, |s| s.hit);
    let result = match (run.len(), last) {
        (1, hit) => capital(&outcome(hit)),
        (n, Hit::Captured) => say!("Taken after {n} attacks, of which {failed} failed"),
        (n, _) => say!("{n} attacks, of which {failed} failed; the region is held"),
    };
    let result = match units {
        0 => format!("{result}."),
        _ => say!("{result}; A-units won: {units}."),
    };
    Battle {
        place: map.called(to),
        ground: word(map.category(to).name()).into_owned(),
        sides: vec![attacker, side(defender, defends, there, lost(false))],
        result,
        notation: String::new(),
    }
}

/// The guesses as text: there are at most two.
fn both(guesses: &[String]) -> String {
    match guesses {
        [one, two] => say!("{one} and {two}"),
        guesses => guesses.concat(),
    }
}

/// The events in their order; `carded` leaves out those that have a panel.
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
            other => lines.extend(described(view, other)),
        }
    }
    let map = view.board.map();
    let picks = drafted.into_iter().map(|(seat, places)| {
        let names: Vec<String> = places.iter().map(|p| map.called(*p)).collect();
        about(seat, &say!("{who} took {places}.", who = WHO, places = names.join(", ")))
    });
    picks.chain(lines).collect()
}

/// Whether an event is another attack of the same region on the same target.
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
    let (to, from) = (map.called(to), map.called(from));
    let (times, pairs, won) = (strikes.len(), pairs.join(", "), strikes.len() - guessed);
    let text = match last.hit {
        Hit::Captured => say!(
            "{who} attacked {whom}, {to} from {from} {times} times ({here} against {there} at \
             first), number/guess {pairs}: {won} won, the last took it, {guessed} guessed; \
             A-units {units}.",
            who = WHO,
            whom = WHOM
        ),
        _ => say!(
            "{who} attacked {whom}, {to} from {from} {times} times ({here} against {there} at \
             first), number/guess {pairs}: {won} won, {guessed} guessed; A-units {units}.",
            who = WHO,
            whom = WHOM
        ),
    };
    Some(Line::filled_with(&text, [who(*seat), who(defender)]))
}

fn described(view: &View, event: &Event) -> Option<Line> {
    let map = view.board.map();
    let says = |seat: Seat, text: String| Some(about(seat, &text));
    match event {
        Event::Picked(..) | Event::Began(..) | Event::Letter(_) => None,
        Event::Shot(seat, shot) => says(*seat, shot_words(view, shot)),
        Event::Claimed(seat, empires) => {
            let all: u32 = empires.iter().map(|e| e.1).sum();
            let armies = count!(n = all, "{n} extra army", "{n} extra armies");
            let empires = count!(n = empires.len(), "{n} empire", "{n} empires");
            says(*seat, say!("{who} claimed {armies} for {empires}.", who = WHO))
        }
        Event::Placed(seat, placed, by_robot) => {
            let placed = put_words(view, placed);
            let text = match by_robot {
                true => say!("{who}: {placed} (by the robot).", who = WHO),
                false => format!("{WHO}: {placed}."),
            };
            says(*seat, text)
        }
        Event::Marched(seat, from, to, n) => {
            let (from, to) = (map.called(*from), map.called(*to));
            says(*seat, say!("{who} moved {n} from {from} to {to}.", who = WHO))
        }
        Event::Challenged(..) => None,
        Event::Struck(seat, strike) => {
            let parts = [who(*seat), who(strike.target.defender)];
            Some(Line::filled_with(&strike_words(view, strike), parts))
        }
        Event::NotDone(_, number, why) => {
            Some(say!("Your line {number}: {why}.", why = why.localized()).into())
        }
        Event::Paused(_) => None,
        Event::Missed(seat) => {
            says(*seat, say!("{who} sent no card; the turn went by.", who = WHO))
        }
        Event::Out(seat) => says(*seat, say!("{who} has no army left and is out.", who = WHO)),
        Event::Garrison(seat) => says(
            *seat,
            say!("{who} is played by nobody; the armies stand as a garrison.", who = WHO),
        ),
        Event::Back(seat) => says(*seat, say!("{who} is played again.", who = WHO)),
        Event::Voted(seat, true) => says(*seat, say!("{who} votes for a draw.", who = WHO)),
        Event::Voted(seat, false) => {
            says(*seat, say!("{who} votes for a draw no longer.", who = WHO))
        }
        Event::Ended(end) => Some(ending(end)),
    }
}

/// Letters of others. Their lines are quotes, so that none of them can be read as an order.
fn messages(view: &View) -> Vec<Block> {
    let mut blocks = Vec::new();
    for event in &view.events {
        let Event::Letter(letter) = event else { continue };
        blocks.push(Block::Para(match letter.from {
            Some(seat) => about(seat, &say!("From {who}:", who = WHO)),
            None => say!("From somebody who is not named:").into(),
        }));
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
        .map(|(at, kind)| {
            say!("{kind} on {place}", kind = word(kind.name()), place = map.called(*at))
        })
        .collect();
    let mut sentences = vec![
        say!(
            "{who} fired the {kind} of {from} at {to}.",
            who = WHO,
            kind = word(shot.kind.name()),
            from = map.called(shot.from),
            to = map.called(shot.to)
        ),
        say!("Radioactive: {places}.", places = names(&shot.splats)),
        say!("Devastated: {places}.", places = names(&shot.devastated)),
        match lost.is_empty() {
            true => say!("Armies lost: none."),
            false => say!("Armies lost: {armies}.", armies = lost.join(", ")),
        },
    ];
    if !chain.is_empty() {
        sentences.push(say!("These went off too: {bombs}.", bombs = chain.join(", ")));
    }
    if let Some(unit) = shot.unit {
        sentences.push(say!("H-unit on {place}.", place = map.called(unit)));
    }
    sentences.join(" ")
}

fn strike_words(view: &View, strike: &Strike) -> String {
    let map = view.board.map();
    let Target { from, to, armies: (here, there), .. } = strike.target;
    let guesses: Vec<String> = strike.guesses.iter().map(u32::to_string).collect();
    let guessed = match guesses.as_slice() {
        [] => say!("no guess"),
        guesses => say!("guess {guesses}", guesses = both(guesses)),
    };
    let (to, from) = (map.called(to), map.called(from));
    let (number, outcome) = (strike.number, outcome(strike.hit));
    match strike.unit.map(|unit| map.region(unit).number) {
        None => say!(
            "{who} attacked {whom}, {to} from {from} ({here} against {there}): number {number}, \
             {guessed} – {outcome}.",
            who = WHO,
            whom = WHOM
        ),
        Some(unit) => say!(
            "{who} attacked {whom}, {to} from {from} ({here} against {there}): number {number}, \
             {guessed} – {outcome}, A-unit on {unit}.",
            who = WHO,
            whom = WHOM
        ),
    }
}

fn count(view: &View, seat: Seat, category: Category) -> usize {
    view.board.held(seat).filter(|p| view.board.map().category(*p) == category).count()
}

fn standing(view: &View) -> Table {
    let right = |name: String| (name, Align::Right);
    let row = |seat: Seat| {
        let empires = view.board.empires(seat);
        let claim: u32 = empires.iter().map(|e| view.board.extra(e)).sum();
        let units = |kind: Kind| -> u32 {
            let bombs = view.board.held(seat).filter_map(|p| view.board.bomb(p));
            bombs.filter(|b| b.kind == kind).map(|b| b.units).sum()
        };
        let side = view.side(seat);
        let state = match side {
            Some(s) if s.out.is_some() => say!("out"),
            Some(s) if s.garrison => say!("garrison"),
            Some(s) if s.draw => say!("for a draw"),
            _ => String::new(),
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
            state,
        ]
    };
    let letter = |letter: &str| right(letter.to_owned());
    let columns = [
        (say!("Seat"), Align::Left),
        right(say!("Empires")),
        right(say!("Regions")),
        letter("Y"),
        letter("R"),
        letter("G"),
        right(say!("Armies")),
        letter("A"),
        letter("H"),
        right(say!("Extra")),
        (say!("State"), Align::Left),
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
        lines.push(say!("{extra} extra: {places}", places = places.join(", ")).into());
    }
    vec![
        Block::List(lines),
        Block::Para(say!("Behind a name: armies, and the bomb with its units.").into()),
    ]
}

/// Enemy stacks next to the reader's regions, and bombs that can reach these.
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
            let (who, near) = (colour(owner), near.join(", "));
            lines.push(say!("{who} {armies} on {name}, next to {near}").into());
        }
        if let Some(bomb) = view.board.bomb(at) {
            let far = map.distances(at);
            let reaches = |p: &Place| far[usize::from(p.0)].is_some_and(|d| d <= bomb.units);
            let own = view.board.held(view.seat).filter(reaches).count();
            if own > 0 {
                let (who, kind) = (colour(owner), word(bomb.kind.name()));
                let text = count!(
                    far = bomb.units,
                    "{who} {kind} on {name} reaches {far} boundary: {own} of your regions",
                    "{who} {kind} on {name} reaches {far} boundaries: {own} of your regions",
                    name = map.called(at)
                );
                lines.push(text.into());
            }
        }
    }
    lines
}

fn policies(view: &View) -> Section {
    let lines: Vec<String> = view.policies.iter().map(|f| f.policy.to_string()).collect();
    let heading = say!("Your guesses");
    match lines.is_empty() {
        true => {
            let none = say!("None on file: E is guessed for you.");
            Section::list(&heading, Vec::new(), &none)
        }
        false => Section::new(&heading, vec![Block::Quote(lines)]),
    }
}
