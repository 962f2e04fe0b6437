//! Battles as a reader follows them: a table for each round, then the outcome (§15).

use std::collections::{BTreeMap, BTreeSet};

use engine::report::{Align, Battle, Block, Force, Line, Table};

use super::board::{Board, Harm, Spot};
use super::fire::Shot;
use super::ground;
use super::kinds::{Name, Side, UnitId};
use super::picture::tint;
use super::space::{Combatant, Fate, Loss, Round, Story};

fn names(ids: impl IntoIterator<Item = Name>) -> String {
    ids.into_iter().map(|n| n.to_string()).collect::<Vec<_>>().join(" ")
}

/// A space battle: its card, then its rounds.
pub fn space(board: &Board, story: &Story) -> Vec<Block> {
    let place = match story.spot {
        Spot::System(at) => format!("at {}", board.galaxy.called(at)),
        Spot::Lane { .. } => "in open space".to_owned(),
    };
    let lost: Vec<UnitId> = story
        .rounds
        .iter()
        .flat_map(|r| r.beam_losses.iter().chain(&r.torpedo_losses))
        .filter(|l| l.harm == Harm::Destroyed)
        .flat_map(|l| std::iter::once(l.id).chain(l.cargo.iter().copied()))
        .chain(story.stranded.iter().copied())
        .collect();
    let force = |side: Side| {
        let of = || story.began.iter().filter(move |b| b.0.side == side);
        let one = |(id, damaged, _): &(UnitId, bool, Option<u8>)| {
            format!("{}{}", id.name, if *damaged { " (damaged)" } else { "" })
        };
        let part = if side == story.moving { "moving in" } else { "there before" };
        let odds = format!("resources lost: {}", story.lost[side.i()]);
        Force {
            forces: of().map(one).collect::<Vec<_>>().join(" "),
            odds: if story.loser.is_some() { odds } else { String::new() },
            ..fighter(side, part, (of().count(), of().filter(|b| lost.contains(&b.0)).count()))
        }
    };
    let mut blocks = vec![Block::Battles(vec![Battle {
        place: format!("Battle {place}"),
        ground: if story.major { "a major battle".to_owned() } else { String::new() },
        sides: vec![force(story.moving), force(story.moving.other())],
        result: outcome(board, story),
        notation: String::new(),
    }])];
    for (n, round) in (1..).zip(&story.rounds) {
        blocks.extend(self::round(n, round));
    }
    blocks
}

/// A side of a battle: how many units there were, and how many were lost.
fn fighter(side: Side, part: &str, (units, lost): (usize, usize)) -> Force {
    // A board has some hundred units.
    let numbers = (units as u32, units.saturating_sub(lost) as u32);
    Force {
        who: format!("{}, {part}", side.name()),
        seat: Some(side.seat()),
        tint: Some(tint(side)),
        numbers: Some(numbers),
        ..Force::default()
    }
}

fn round(n: usize, round: &Round) -> Vec<Block> {
    let die = |side: Side| {
        let plus = if side == round.edge { " + 1" } else { "" };
        format!("{} {}{plus}", side.name(), round.dice[side.i()])
    };
    let head = format!(
        "Round {n}. Initiative: {}, {}; {} has it, {} moves first. {}",
        die(Side::Terran),
        die(Side::Imperial),
        round.initiative.name(),
        round.first.name(),
        places(&round.areas),
    );
    let mut rows = fired("beams", &round.beams, &round.beam_losses);
    rows.extend(fired("torp.", &round.torpedoes, &round.torpedo_losses));
    let mut blocks = vec![Block::Para(head.into())];
    match rows.is_empty() {
        true => blocks.push(Block::Para("Nobody is in range.".into())),
        false => blocks.push(Block::Table(table(rows))),
    }
    blocks
}

fn table(rows: Vec<Vec<String>>) -> Table {
    Table::new(
        [
            ("Weapon", Align::Left),
            ("At", Align::Left),
            ("By", Align::Left),
            ("Dice", Align::Left),
            ("Hits", Align::Right),
            ("CM", Align::Left),
            ("Effect", Align::Left),
        ],
        rows,
    )
}

/// Where both sides stand on the battle board, x, y and z in one number.
fn places(areas: &[Combatant]) -> String {
    let side = |side: Side| {
        let mut by: BTreeMap<String, Vec<Name>> = BTreeMap::new();
        for unit in areas.iter().filter(|u| u.id.side == side) {
            by.entry(unit.area.to_string()).or_default().push(unit.id.name);
        }
        let all: Vec<String> = by
            .into_iter()
            .map(|(area, units)| match units.len() {
                0..=4 => format!("{area} {}", names(units)),
                n => format!("{area} {n} units"),
            })
            .collect();
        format!("{} in {}", side.name(), all.join(", "))
    };
    format!("{}; {}.", side(Side::Terran), side(Side::Imperial))
}

/// Shots by target, with what they did.
fn fired(weapon: &str, shots: &[Shot], losses: &[Loss]) -> Vec<Vec<String>> {
    let mut by: BTreeMap<UnitId, Vec<&Shot>> = BTreeMap::new();
    for shot in shots {
        by.entry(shot.at).or_default().push(shot);
    }
    by.into_iter()
        .map(|(at, shots)| {
            let loss = losses.iter().find(|l| l.id == at);
            let hits: u32 = shots.iter().map(|s| s.hits()).sum();
            let cm = loss.map_or(String::new(), |l| {
                l.cm.iter().map(u8::to_string).collect::<Vec<_>>().join("")
            });
            vec![
                weapon.to_owned(),
                format!("{} {}", short(at.side), at.name),
                names(shots.iter().map(|s| s.by.name)),
                dice(&shots),
                hits.to_string(),
                cm,
                loss.map_or(String::new(), effect),
            ]
        })
        .collect()
}

/// Dice of shots, those with one need behind each other: `66 26 (6+) 35 (4+)`.
fn dice(shots: &[&Shot]) -> String {
    let mut text = String::new();
    for (n, shot) in shots.iter().enumerate() {
        let faces: Vec<String> = shot.dice.iter().map(u8::to_string).collect();
        let gap = if n > 0 { " " } else { "" };
        text += &format!("{gap}{}", faces.join(""));
        if shots.get(n + 1).is_none_or(|next| next.need != shot.need) {
            text += &format!(" ({}+)", shot.need);
        }
    }
    text
}

fn short(side: Side) -> &'static str {
    match side {
        Side::Terran => "Ter",
        Side::Imperial => "Imp",
    }
}

fn effect(loss: &Loss) -> String {
    let text = match loss.harm {
        Harm::None => "",
        Harm::Damaged => "damaged",
        Harm::Destroyed => "lost",
    };
    match loss.cargo.is_empty() {
        true => text.to_owned(),
        false => format!("{text} with {}", names(loss.cargo.iter().map(|c| c.name))),
    }
}

fn outcome(board: &Board, story: &Story) -> String {
    let Some(loser) = story.loser else {
        return "The battle goes on.".to_owned();
    };
    let winner = loser.other();
    let mut text = format!("{} victory.", winner.name());
    match &story.fate {
        Some(Fate::Destroyed) => text += &format!(" No {} ship is left.", loser.name()),
        Some(Fate::Stays) | None => {
            text += &format!(" What the {} side has left stays.", loser.name());
        }
        Some(Fate::Retreated(fleets)) => {
            for (fleet, to) in fleets {
                text += &match to {
                    Some(to) => format!(
                        " {} fleet {fleet} retreats to {}.",
                        loser.name(),
                        board.galaxy.called(*to)
                    ),
                    None => {
                        format!(" {} fleet {fleet} finds no way out and is lost.", loser.name())
                    }
                };
            }
        }
    }
    if !story.stranded.is_empty() {
        let lost = names(story.stranded.iter().map(|id| id.name));
        text += &format!(" Without a place to land: {lost}.");
    }
    text
}

/// A planetary battle.
pub fn ground(board: &Board, story: &ground::Story) -> Vec<Block> {
    let planet = story.planet;
    let called = board.galaxy.called(planet.system);
    let mut blocks = vec![match story.evacuated.is_empty() {
        true => Block::Battles(vec![siege(board, story)]),
        false => {
            let who = names(story.evacuated.iter().map(|id| id.name));
            let side = story.invader.name();
            Block::Para(format!("{side} units leave {planet} ({called}): {who}.").into())
        }
    }];
    if let Some(b) = &story.bombardment {
        let rows = fired("defence", &b.defence, &b.losses);
        if !rows.is_empty() {
            blocks.push(Block::Table(table(rows)));
        }
        let dice: Vec<String> = b.dice.iter().map(u8::to_string).collect();
        let hits: Vec<String> = b
            .hits
            .iter()
            .map(|l| format!("{} {} by {}", l.id.name, effect(l), many(l.hits)))
            .collect();
        let hits = if hits.is_empty() { "nothing is hit".to_owned() } else { hits.join(", ") };
        let dice = if dice.is_empty() { "none".to_owned() } else { dice.join(" ") };
        let reverted = match b.reverted {
            true => " The planet is what it was before it was terraformed.",
            false => "",
        };
        blocks.push(Block::Para(
            format!("Bombardment, {} torpedo factors, dice {dice}: {hits}.{reverted}", b.factors)
                .into(),
        ));
    }
    let mut lines: Vec<Line> = Vec::new();
    if !story.defenders.is_empty() {
        let all: Vec<String> =
            story.defenders.iter().map(|(id, hex)| format!("{} in {hex}", id.name)).collect();
        lines.push(format!("Defenders by hex: {}.", all.join(", ")).into());
    }
    if !story.landed.is_empty() {
        let from = |c: &Option<Name>| c.map_or(String::new(), |c| format!(" from {c}"));
        let all: Vec<String> = story
            .landed
            .iter()
            .map(|(id, carrier, hex)| format!("{} in {hex}{}", id.name, from(carrier)))
            .collect();
        lines.push(format!("Landed: {}.", all.join(", ")).into());
    }
    if !lines.is_empty() {
        blocks.push(Block::List(lines));
    }
    let rows = fired("defence", &story.fire, &story.losses);
    if !rows.is_empty() {
        blocks.push(Block::Para("Defensive fire at the landing:".into()));
        blocks.push(Block::Table(table(rows)));
    }
    if !story.moves.is_empty() {
        let all: Vec<String> = story
            .moves
            .iter()
            .map(|(id, from, to)| format!("{} from {from} to {to}", id.name))
            .collect();
        blocks.push(Block::Para(format!("Moves: {}.", all.join(", ")).into()));
    }
    for fight in &story.fights {
        let rows = fired(&format!("hex {}", fight.hex), &fight.shots, &fight.losses);
        if !rows.is_empty() {
            blocks.push(Block::Table(table(rows)));
        }
    }
    blocks
}

/// The card of a planetary battle.
fn siege(board: &Board, story: &ground::Story) -> Battle {
    let planet = story.planet;
    let ground = board.land(planet).map_or("", |l| l.ground.code());
    let lost: Vec<UnitId> = story
        .all_losses()
        .filter(|l| l.harm == Harm::Destroyed)
        .flat_map(|l| std::iter::once(l.id).chain(l.cargo.iter().copied()))
        .collect();
    // Of a planet that was disputed before, those who fight on are on it already.
    let shots = || story.fights.iter().flat_map(|f| &f.shots);
    let fought = || shots().flat_map(|s| [s.by, s.at]).chain(story.moves.iter().map(|m| m.0));
    let came = story.landed.iter().map(|l| l.0).chain(story.defenders.iter().map(|d| d.0));
    let all: BTreeSet<UnitId> = came.chain(fought()).collect();
    let force = |side: Side, part: &str| {
        let there = || all.iter().filter(|id| id.side == side);
        let dead = there().filter(|id| lost.contains(id)).count();
        Force {
            forces: names(there().map(|id| id.name)),
            ..fighter(side, part, (there().count(), dead))
        }
    };
    let invader = force(story.invader, "attacking");
    let defender = force(story.invader.other(), "defending");
    let end = match (story.captured, story.disputed) {
        (Some(_), _) => "The planet falls.",
        (None, true) => "The planet is disputed.",
        _ if story.landed.is_empty() && story.fights.is_empty() => "Nobody landed.",
        _ => "The fight for the planet is over.",
    };
    Battle {
        place: format!("{planet} ({})", board.galaxy.called(planet.system)),
        ground: format!("ground {ground}"),
        sides: vec![invader, defender],
        result: end.to_owned(),
        notation: String::new(),
    }
}

fn many(hits: u32) -> String {
    if hits == 1 { "1 hit".to_owned() } else { format!("{hits} hits") }
}
