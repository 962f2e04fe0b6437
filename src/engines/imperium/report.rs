//! The printout and the short mail (§15).

mod holdings;

use engine::report::{Block, Chart, Gap, Line, Section, Series, Span, Who, bind, capital, listed};
use engine::{MapPicture, Notice, Printouts, Report, Seat};
use tongue::{count, mark, say};

use self::holdings::{fleets, planets, resources};
use super::board::{Marker, Spot};
use super::event::{Event, Part, What};
use super::galaxy::Planet;
use super::kinds::Side;
use super::orders::{Aims, Stance};
use super::picture::tint;
use super::standing::Standing;
use super::state::{End, Pause, Spotted, Why};
use super::tables::Tempo;
use super::view::{Scene, View};
use super::{story, words};
use crate::{Imperium, card, picture};

impl Printouts for Imperium {
    fn notice(view: &View) -> Notice {
        match &view.scene {
            Scene::Action(open) => match open.pause {
                Pause::None => Notice::Full,
                Pause::Halt(_) | Pause::Round => Notice::Brief,
                Pause::Turn if open.to_act == view.side => Notice::Full,
                Pause::Turn => Notice::Brief,
            },
            _ => Notice::Full,
        }
    }

    fn brief(view: &View, _: &str) -> Vec<Block> {
        let mut blocks = brief(view);
        bind(&mut blocks);
        blocks
    }

    fn report(view: &View, _: &str) -> Option<Report> {
        let mut report = report(view, picture::map(view));
        report.sections.extend(card::card(view));
        report.sections.iter_mut().for_each(|s| bind(&mut s.blocks));
        Some(report)
    }
}

// The name of the first war in the standard scenario. States store it, so it needs a translation.
const _: &str = mark!("First Interstellar War");

/// The printout of a seat, with its map and without its blank card.
pub fn report(view: &View, map: MapPicture) -> Report {
    let mut sections = vec![Section::new(heading(view), scene(view))];
    sections.extend(happened(view));
    let letters = letters(view);
    if !letters.is_empty() {
        sections.push(Section::new(say!("Messages"), letters));
    }
    sections.push(Section::new(say!("Glory"), glory(view)));
    sections.push(Section::new(say!("Resources"), resources(view)));
    sections.push(Section::new(say!("Your fleets"), fleets(view)));
    sections.push(Section::new(say!("Your planets"), planets(view)));
    sections.push(enemy(view));
    sections.push(Section::new(say!("Star chart"), vec![map.into()]));
    let usual = say!("The usual ones alone.");
    sections.push(Section::list(&say!("Standing orders"), standing(view), &usual));
    sections.extend(plans(view));
    let title = match view.side {
        Side::Terran => say!("Terran in Imperium"),
        Side::Imperial => say!("Imperial in Imperium"),
    };
    Report { title, sections }
}

/// The short mail: what happened, and what is expected of the seat.
pub fn brief(view: &View) -> Vec<Block> {
    let mut blocks = scene(view);
    for section in happened(view) {
        blocks.extend(section.blocks);
    }
    blocks.extend(letters(view));
    blocks
}

/// The name of the open step.
pub fn when(view: &View) -> String {
    let turn = match view.peace {
        Some(peace) => say!("peace turn {turn} of {of}", turn = peace.turn, of = peace.of),
        None => say!("turn {turn}", turn = view.turn),
    };
    let turn = match view.options.campaign {
        true => say!("war {war}, {turn}", war = view.war),
        false => turn,
    };
    match &view.scene {
        Scene::Setup => say!("the set-up"),
        Scene::Administration => turn,
        Scene::Action(open) => say!("{turn}, segment {segment}", segment = open.segment),
        Scene::Over(_) => say!("the end of the game"),
    }
}

fn heading(view: &View) -> String {
    match &view.scene {
        Scene::Over(_) => say!("The end"),
        _ if view.options.campaign => {
            say!("War {war}, year {year}", war = view.war, year = view.year)
        }
        _ => say!("{war}, year {year}", war = tongue::word(&view.title), year = view.year),
    }
}

/// The open step, and what it asks of the reader.
fn scene(view: &View) -> Vec<Block> {
    let glory = match view.peace {
        Some(_) => say!("Glory will begin at {glory}.", glory = view.glory),
        None if view.turn == 0 => say!("Glory is {n}.", n = view.glory),
        None => {
            let at = usize::try_from(view.turn).unwrap_or(1).clamp(1, 10) - 1;
            let victory = &view.board.tables.victory;
            let (low, high) = (victory.terran.get(at), victory.imperial.get(at));
            say!(
                "Glory is {glory}; at the end of this turn {low} or less is a Terran victory, {high} \
                 or more an Imperial one.",
                glory = view.glory,
                low = low.copied().unwrap_or(0),
                high = high.copied().unwrap_or(10)
            )
        }
    };
    let lead = format!("{}.", capital(&when(view)));
    let asks: Line = match &view.scene {
        Scene::Setup => say!(
            "Place your forces with P, or leave them as they are; and give standing orders. The \
             other does not see it."
        )
        .into(),
        Scene::Administration if view.peace.is_some() => say!(
            "It is peace: place arrivals, build, and plan the four segments; fleets keep out of \
             systems of the enemy. The whole turn is one step."
        )
        .into(),
        Scene::Administration => match view.options.tempo {
            Tempo::Segment => say!("Now place arrivals (P), build (B), and plan segment 1."),
            Tempo::Turn => say!("Now place arrivals (P), build (B), and plan all four segments."),
            Tempo::Activation => {
                say!("Now place arrivals (P) and build (B). Then the dice fall for segment 1.")
            }
        }
        .into(),
        Scene::Action(open) => {
            let (mine, theirs) = (open.left[view.side.i()], open.left[view.side.other().i()]);
            let left = count!(
                mine,
                "You have {mine} activation left, the enemy has {theirs}.",
                "You have {mine} activations left, the enemy has {theirs}."
            );
            let with_left = |text: String| format!("{text} {left}");
            match open.pause {
                Pause::None => say!("Now plan segment {segment}.", segment = open.segment),
                Pause::Halt(side) if side == view.side => {
                    with_left(say!("Your HALT stopped the segment: plan the rest of it."))
                }
                Pause::Halt(_) => {
                    with_left(say!("The enemy halted the segment: you may plan the rest anew."))
                }
                Pause::Round => say!(
                    "A round of battle is over: you may change what your ships do with Y, Q and Z."
                ),
                Pause::Turn if open.to_act == view.side => {
                    with_left(say!("Yours is the next activation: A and its orders, or WAIT."))
                }
                Pause::Turn => with_left(say!("The enemy has the next activation.")),
            }
            .into()
        }
        Scene::Over(end) => ending(end),
    };
    vec![Block::Para(format!("{lead} {glory}").into()), Block::Para(asks)]
}

fn ending(end: &End) -> Line {
    let Some(winner) = end.winner else {
        return say!("The war ends as a truce: nobody has won.").into();
    };
    let (whose, player) = (winner.whose(), Gap(0));
    let text = match end.why {
        Why::Glory => say!("{whose} victory, by Glory: {player} has won."),
        Why::Homes => say!("{whose} victory, the enemy's homes are taken: {player} has won."),
        Why::Left => say!("{whose} victory, the other has given up: {player} has won."),
        Why::Turns | Why::Truce => {
            say!("{whose} victory, at the end of the last turn: {player} has won.")
        }
    };
    Line::filled(&text, [Span::Player(winner.seat())])
}

/// The events, part by part.
fn happened(view: &View) -> Vec<Section> {
    let mut sections: Vec<(Part, Vec<Block>)> = Vec::new();
    for event in &view.events {
        let blocks = described(view, event);
        if blocks.is_empty() {
            continue;
        }
        match sections.last_mut().filter(|s| s.0 == event.part) {
            Some((_, all)) => extend(all, blocks),
            None => sections.push((event.part, blocks)),
        }
    }
    let name = |part: Part| match part {
        Part::Administration => say!("Administration"),
        Part::Segment(segment) => say!("Segment {segment}"),
        Part::CloseOut => say!("Close-Out"),
        Part::War => say!("The war"),
    };
    sections.into_iter().map(|(part, blocks)| Section::new(name(part), blocks)).collect()
}

/// Adds blocks; neighbouring lists become one list.
fn extend(all: &mut Vec<Block>, more: Vec<Block>) {
    for block in more {
        match (all.last_mut(), block) {
            (Some(Block::List(lines)), Block::List(new)) => lines.extend(new),
            (_, block) => all.push(block),
        }
    }
}

fn described(view: &View, event: &Event) -> Vec<Block> {
    let board = &view.board;
    let line = |text: String| vec![Block::List(vec![text.into()])];
    match &event.what {
        What::Said(text) => line(text.localized().into_owned()),
        What::NotDone(0, why) => line(say!("Not done: {note}.", note = why.localized())),
        What::NotDone(number, why) => {
            let note = why.localized();
            line(say!("Your line {number} was not done: {note}."))
        }
        What::Initiative([a, b], civil_war) => {
            let b_is = b - u8::from(*civil_war);
            let b = if *civil_war { say!("{b} - 1 (civil war)") } else { b.to_string() };
            line(match a.cmp(&b_is) {
                std::cmp::Ordering::Equal => {
                    say!("Initiative dice: Terran {a}, Imperial {b}: equal, so nobody acts.")
                }
                std::cmp::Ordering::Greater => {
                    say!("Initiative dice: Terran {a}, Imperial {b}: Terran initiative.")
                }
                std::cmp::Ordering::Less => {
                    say!("Initiative dice: Terran {a}, Imperial {b}: Imperial initiative.")
                }
            })
        }
        What::Activated(side, n, system) => {
            let (side, system) = (side.localized(), board.galaxy.called(*system));
            line(say!("{side}, activation {n}: {system}."))
        }
        What::Passed(side) => line(say!("{who} passes.", who = side.who())),
        What::Moved { side, fleets, path, stopped } => {
            let (whose, n) = (side.whose(), fleets.len());
            let fleets = words::joined(fleets.iter().map(u8::to_string));
            let way: Vec<String> = path.iter().map(|s| board.galaxy.called(*s)).collect();
            let way = way.join(" – ");
            line(match stopped {
                true => count!(
                    n,
                    "{whose} fleet {fleets}: {way}, and is stopped there.",
                    "{whose} fleets {fleets}: {way}, and are stopped there."
                ),
                false => {
                    count!(n, "{whose} fleet {fleets}: {way}.", "{whose} fleets {fleets}: {way}.")
                }
            })
        }
        What::Battle(battle) => story::space(board, battle),
        What::Ground(battle) => story::ground(board, battle),
        What::Glory(cause, change, now) => {
            let cause = cause.localized();
            line(say!("Glory {change:+}, {cause}: it is {now} now."))
        }
        What::Came(_) | What::Gone(_) | What::Hurt(_) | What::Healed(_) | What::Letter(_) => {
            Vec::new()
        }
    }
}

/// Messages of the other side; their lines appear as quotes.
fn letters(view: &View) -> Vec<Block> {
    let mut blocks = Vec::new();
    for event in &view.events {
        let What::Letter(letter) = &event.what else { continue };
        let from = letter.from.map_or_else(
            || Span::Plain(say!("somebody who is not named")),
            |seat: Seat| Span::Player(seat),
        );
        blocks.push(Block::Para(Line::filled(&say!("From {player}:", player = Gap(0)), [from])));
        blocks.push(Block::Quote(letter.text.clone()));
    }
    blocks
}

/// Changes of Glory in this step, and its course as a chart.
fn glory(view: &View) -> Vec<Block> {
    let mut blocks = Vec::new();
    let changes: Vec<Line> = view
        .events
        .iter()
        .filter_map(|e| match &e.what {
            What::Glory(cause, change, now) => {
                let cause = cause.localized();
                Some(say!("{change:+} {cause}, now {now}").into())
            }
            _ => None,
        })
        .collect();
    blocks.push(match changes.is_empty() {
        true => Block::Para(say!("Nothing changed it; it is {glory}.", glory = view.glory).into()),
        false => Block::List(changes),
    });
    if view.course.len() > 1 {
        let turns: Vec<String> = view.course.iter().map(|c| c.0.to_string()).collect();
        // In long campaigns, show only the latest turns.
        let from = turns.len().saturating_sub(20);
        blocks.extend(
            listed(
                &say!("Glory at the end of turns, from {turn}", turn = from + 1),
                &turns[from..],
            )
            .into_iter()
            .map(Block::Para),
        );
        blocks.push(Block::Charts(charts(view)));
    }
    for war in &view.wars {
        let end = match war.end.winner {
            Some(side) => say!("{whose} victory", whose = side.whose()),
            None => say!("truce"),
        };
        let text = count!(
            turns = war.turns,
            "War {war}: {end} after {turns} turn, Glory {glory}.",
            "War {war}: {end} after {turns} turns, Glory {glory}.",
            war = war.number,
            glory = war.glory
        );
        blocks.push(Block::Para(text.into()));
    }
    blocks
}

/// Glory by turn, and planets of both sides.
fn charts(view: &View) -> Vec<Chart> {
    let glory = view.course.iter().map(|c| i64::from(c.0)).collect();
    let planets = |side: Side| Series {
        who: Who::Seat(side.seat()),
        tint: Some(tint(side)),
        values: view.course.iter().map(|c| i64::from(c.1[side.i()])).collect(),
    };
    vec![
        Chart {
            title: say!("Glory").into(),
            series: vec![Series {
                who: Who::Seat(view.seat),
                tint: Some(tint(view.side)),
                values: glory,
            }],
        },
        Chart {
            title: say!("Worlds and Outposts").into(),
            series: Side::BOTH.map(planets).to_vec(),
        },
    ]
}

/// The knowledge of the enemy, with its age.
fn enemy(view: &View) -> Section {
    let board = &view.board;
    let other = view.side.other();
    let mut lines: Vec<Line> = Vec::new();
    for ((owner, n), spot) in &board.fleets {
        if *owner != other {
            continue;
        }
        let fleet = capital(&words::fleet(view, *n));
        let text = match spot {
            Spot::System(at) => say!("{fleet}, in {system}", system = board.galaxy.called(*at)),
            Spot::Lane { origin, .. } => say!("{fleet}, in open space, having left {origin}"),
        };
        lines.push(text.into());
    }
    for (what, sighting) in &view.known {
        let Spotted::Planet(p) = what else { continue };
        lines.push(
            format!("{p}: {} ({})", words::counted(&sighting.units), words::age(view, sighting))
                .into(),
        );
    }
    let held = |marker| {
        let all: Vec<String> = board.held(other, marker).iter().map(Planet::to_string).collect();
        if all.is_empty() { say!("none") } else { all.join(" ") }
    };
    let (worlds, outposts) = (held(Marker::World), held(Marker::Outpost));
    lines.push(say!("Worlds: {worlds}. Outposts: {outposts}.").into());
    Section::list(&say!("{side}, as far as you know", side = other.the_side()), lines, "")
}

/// Standing orders as the game understands them, without the usual ones.
fn standing(view: &View) -> Vec<Line> {
    let s = &view.filed.standing;
    let usual = Standing::default();
    let mut lines: Vec<Line> = Vec::new();
    for (group, stance) in &s.stances {
        let stance = match stance {
            Stance::Range(n) => n.to_string(),
            Stance::Away => "E".to_owned(),
            Stance::Stay => "H".to_owned(),
        };
        let (words, code) = (group.words(), group.code());
        lines.push(say!("Stance of {words} ({code}): {stance}").into());
    }
    for (aims, groups) in &s.targets {
        let list: Vec<&str> = groups.iter().map(|g| g.code()).collect();
        let list = list.join(" ");
        let text = match aims {
            Aims::Beams => say!("Targets of beams: {list}"),
            Aims::Torpedoes => say!("Targets of torpedoes: {list}"),
            Aims::Defence => say!("Targets of defenders: {list}"),
            Aims::Surface => say!("Targets of surface combat: {list}"),
        };
        lines.push(text.into());
    }
    for (fleet, systems) in &s.retreats {
        let list: Vec<String> = systems.iter().map(|s| s.to_string()).collect();
        let list = list.join(" ");
        let text = match fleet {
            None => say!("Retreat of any fleet: {list}"),
            Some(fleet) => say!("Retreat of fleet {fleet}: {list}"),
        };
        lines.push(text.into());
    }
    for ((planet, name), hex) in &s.posts {
        lines.push(say!("On {planet}: {unit} in hex {hex}", unit = name).into());
    }
    if let Some(n) = s.stock {
        lines.push(say!("Maintenance takes {n} of the stockpile at most").into());
    }
    let list = |items: Vec<String>| items.join(" ");
    if !s.priority.is_empty() {
        let all = list(s.priority.iter().map(|k| k.code().to_owned()).collect());
        lines.push(say!("Maintained first: {all}").into());
    }
    if !s.skip.is_empty() {
        let all = list(s.skip.iter().map(|n| n.to_string()).collect());
        lines.push(say!("Not maintained: {all}").into());
    }
    if !s.homes.is_empty() {
        let all = list(s.homes.iter().map(|s| s.to_string()).collect());
        lines.push(say!("Arrivals on loan go to: {all}").into());
    }
    if !s.removal.is_empty() {
        lines.push(say!("A list for crises and reinforcements is on file.").into());
    }
    if s.first != usual.first {
        lines.push(say!("With the initiative in battle you move first").into());
    }
    if s.fighters_join != usual.fighters_join {
        lines.push(say!("Fighters on planets stay out of space battles").into());
    }
    if s.scouts != usual.scouts {
        let text = count!(
            n = s.scouts,
            "Against scouts {n} destroyer is revealed at most",
            "Against scouts {n} destroyers are revealed at most"
        );
        lines.push(text.into());
    }
    if s.truce {
        lines.push(say!("You offer a truce").into());
    }
    if !view.filed.appeals.is_empty() {
        lines.push(say!("An appeal is on file").into());
    }
    if !view.filed.fixes.is_empty() || !view.filed.scraps.is_empty() {
        lines.push(say!("Repairs or scrapping for this turn are on file").into());
    }
    lines
}

/// Plans that are on file.
fn plans(view: &View) -> Vec<Section> {
    let mut sections = Vec::new();
    for (n, plan) in (1..).zip(&view.filed.plans) {
        let left: Vec<Line> =
            plan.iter().filter(|b| !b.used).map(|b| words::block(view, b).into()).collect();
        if !left.is_empty() {
            let heading = say!("On file for segment {segment}", segment = n);
            sections.push(Section::new(heading, vec![Block::List(left)]));
        }
    }
    sections
}
