//! Battles as printouts show them: a table for each round, then the outcome (§15).

use std::collections::BTreeMap;

use engine::report::{Align, Battle, Block, Force, Line, Table};
use tongue::{count, say};

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
        Spot::System(at) => say!("Battle at {system}", system = board.galaxy.called(at)),
        Spot::Lane { .. } => say!("Battle in open space"),
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
        let one = |(id, damaged, _): &(UnitId, bool, Option<u8>)| match damaged {
            true => say!("{unit} (damaged)", unit = id.name),
            false => id.name.to_string(),
        };
        let name = side.localized();
        let who = match side == story.moving {
            true => say!("{side}, moving in", side = name),
            false => say!("{side}, there before", side = name),
        };
        let odds = say!("resources lost: {n}", n = story.lost[side.i()]);
        Force {
            forces: of().map(one).collect::<Vec<_>>().join(" "),
            odds: if story.loser.is_some() { odds } else { String::new() },
            ..fighter(side, who, (of().count(), of().filter(|b| lost.contains(&b.0)).count()))
        }
    };
    let mut blocks = vec![Block::Battles(vec![Battle {
        place,
        ground: if story.major { say!("a major battle") } else { String::new() },
        sides: vec![force(story.moving), force(story.moving.other())],
        result: outcome(board, story),
        notation: String::new(),
    }])];
    for (n, round) in (1..).zip(&story.rounds) {
        blocks.extend(self::round(n, round));
    }
    blocks
}

/// A side of a battle: its name, its number of units, and its losses.
fn fighter(side: Side, who: String, (units, lost): (usize, usize)) -> Force {
    // A board has only a few hundred units.
    let numbers = (units as u32, units.saturating_sub(lost) as u32);
    Force {
        who,
        seat: Some(side.seat()),
        tint: Some(tint(side)),
        numbers: Some(numbers),
        ..Force::default()
    }
}

fn round(n: usize, round: &Round) -> Vec<Block> {
    let die = |side: Side| {
        let plus = if side == round.edge { " + 1" } else { "" };
        format!("{} {}{plus}", side.localized(), round.dice[side.i()])
    };
    let head = say!(
        "Round {n}. Initiative: {terran}, {imperial}; {side} has it, {first} moves first. {places}",
        terran = die(Side::Terran),
        imperial = die(Side::Imperial),
        side = round.initiative.localized(),
        first = round.first.localized(),
        places = places(&round.areas)
    );
    let mut rows = fired(&say!("beams"), &round.beams, &round.beam_losses);
    rows.extend(fired(&say!("torp."), &round.torpedoes, &round.torpedo_losses));
    let mut blocks = vec![Block::Para(head.into())];
    match rows.is_empty() {
        true => blocks.push(Block::Para(say!("Nobody is in range.").into())),
        false => blocks.push(Block::Table(table(rows))),
    }
    blocks
}

fn table(rows: Vec<Vec<String>>) -> Table {
    Table::new(
        [
            (say!("Weapon"), Align::Left),
            (say!(target: "At"), Align::Left),
            (say!(fire: "By"), Align::Left),
            (say!("Dice"), Align::Left),
            (say!("Hits"), Align::Right),
            (say!("CM"), Align::Left),
            (say!("Effect"), Align::Left),
        ],
        rows,
    )
}

/// The places of both sides on the battle board, with x, y and z as one number.
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
                n => say!("{area} {n} units"),
            })
            .collect();
        say!("{side} in {areas}", side = side.localized(), areas = all.join(", "))
    };
    format!("{}; {}.", side(Side::Terran), side(Side::Imperial))
}

/// Shots by target, with their effect.
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

/// Dice of shots; neighbouring dice with the same need form a group: `66 26 (6+) 35 (4+)`.
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

fn short(side: Side) -> String {
    match side {
        Side::Terran => say!("Ter"),
        Side::Imperial => say!("Imp"),
    }
}

fn effect(loss: &Loss) -> String {
    let text = match loss.harm {
        Harm::None => String::new(),
        Harm::Damaged => say!("damaged"),
        Harm::Destroyed => say!("lost"),
    };
    match loss.cargo.is_empty() {
        true => text,
        false => {
            let cargo = names(loss.cargo.iter().map(|c| c.name));
            say!("{effect} with {cargo}", effect = text)
        }
    }
}

fn outcome(board: &Board, story: &Story) -> String {
    let Some(loser) = story.loser else {
        return say!("The battle goes on.");
    };
    let whose = loser.whose();
    let mut told = vec![say!("{whose} victory.", whose = loser.other().whose())];
    match &story.fate {
        Some(Fate::Destroyed) => told.push(say!("No {whose} ship is left.")),
        Some(Fate::Stays) | None => told.push(match loser {
            Side::Terran => say!("What the Terran side has left stays."),
            Side::Imperial => say!("What the Imperial side has left stays."),
        }),
        Some(Fate::Retreated(fleets)) => told.extend(fleets.iter().map(|(fleet, to)| match to {
            Some(to) => {
                let system = board.galaxy.called(*to);
                say!("{whose} fleet {fleet} retreats to {system}.")
            }
            None => say!("{whose} fleet {fleet} finds no way out and is lost."),
        })),
    }
    if !story.stranded.is_empty() {
        let units = names(story.stranded.iter().map(|id| id.name));
        told.push(say!("Without a place to land: {units}."));
    }
    told.join(" ")
}

/// Fire from orbit and defensive fire.
fn bombardment(b: &ground::Bombardment) -> Vec<Block> {
    let mut blocks = Vec::new();
    let rows = fired(&say!("defence"), &b.defence, &b.losses);
    if !rows.is_empty() {
        blocks.push(Block::Table(table(rows)));
    }
    let dice: Vec<String> = b.dice.iter().map(u8::to_string).collect();
    let hits: Vec<String> = b
        .hits
        .iter()
        .map(|l| {
            count!(
                n = l.hits,
                "{unit} {effect} by {n} hit",
                "{unit} {effect} by {n} hits",
                unit = l.id.name,
                effect = effect(l)
            )
        })
        .collect();
    let hits = if hits.is_empty() { say!("nothing is hit") } else { hits.join(", ") };
    let dice = if dice.is_empty() { say!("none") } else { dice.join(" ") };
    let mut text = count!(
        n = b.factors,
        "Bombardment, {n} torpedo factor, dice {dice}: {hits}.",
        "Bombardment, {n} torpedo factors, dice {dice}: {hits}."
    );
    if b.reverted {
        let more = say!("The planet is what it was before it was terraformed.");
        text = format!("{text} {more}");
    }
    blocks.push(Block::Para(text.into()));
    blocks
}

/// A planetary battle.
pub fn ground(board: &Board, story: &ground::Story) -> Vec<Block> {
    let planet = story.planet;
    let called = board.galaxy.called(planet.system);
    let mut blocks = vec![match story.evacuated.is_empty() {
        true => Block::Battles(vec![siege(board, story)]),
        false => {
            let units = names(story.evacuated.iter().map(|id| id.name));
            let whose = story.invader.whose();
            Block::Para(say!("{whose} units leave {planet} ({called}): {units}.").into())
        }
    }];
    blocks.extend(story.bombardment.iter().flat_map(bombardment));
    let mut lines: Vec<Line> = Vec::new();
    if !story.defenders.is_empty() {
        let all: Vec<String> = story.defenders.iter().map(|(id, hex)| in_hex(*id, *hex)).collect();
        lines.push(say!("Defenders by hex: {units}.", units = all.join(", ")).into());
    }
    if !story.landed.is_empty() {
        let all: Vec<String> = story
            .landed
            .iter()
            .map(|(id, carrier, hex)| match carrier {
                Some(carrier) => say!("{unit} in {hex} from {carrier}", unit = id.name),
                None => in_hex(*id, *hex),
            })
            .collect();
        lines.push(say!("Landed: {units}.", units = all.join(", ")).into());
    }
    if !lines.is_empty() {
        blocks.push(Block::List(lines));
    }
    let rows = fired(&say!("defence"), &story.fire, &story.losses);
    if !rows.is_empty() {
        blocks.push(Block::Para(say!("Defensive fire at the landing:").into()));
        blocks.push(Block::Table(table(rows)));
    }
    if !story.moves.is_empty() {
        let all: Vec<String> = story
            .moves
            .iter()
            .map(|(id, from, to)| say!("{unit} from {from} to {to}", unit = id.name))
            .collect();
        blocks.push(Block::Para(say!("Moves: {units}.", units = all.join(", ")).into()));
    }
    for fight in &story.fights {
        let rows = fired(&say!("hex {hex}", hex = fight.hex), &fight.shots, &fight.losses);
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
    let (all, lost) = (story.all(), story.dead());
    let force = |side: Side, who: String| {
        let there = || all.iter().filter(|id| id.side == side);
        let dead = there().filter(|id| lost.contains(id)).count();
        Force {
            forces: names(there().map(|id| id.name)),
            ..fighter(side, who, (there().count(), dead))
        }
    };
    let (own, other) = (story.invader, story.invader.other());
    let invader = force(own, say!("{side}, attacking", side = own.localized()));
    let defender = force(other, say!("{side}, defending", side = other.localized()));
    let left = |side: Side| story.left().any(|id| id.side == side);
    let end = match (story.captured, story.disputed) {
        (Some(_), _) => say!("The planet falls."),
        (None, true) => say!("The planet is disputed."),
        _ if story.landed.is_empty() && story.fights.is_empty() => say!("Nobody landed."),
        _ if !left(own) => say!("Of the attackers nobody is left."),
        _ if !left(other) => say!("The attackers alone are left."),
        _ => say!("The fight for the planet is over."),
    };
    Battle {
        place: format!("{planet} ({})", board.galaxy.called(planet.system)),
        ground: say!("ground {ground}"),
        sides: vec![invader, defender],
        result: end,
        notation: String::new(),
    }
}

fn in_hex(id: UnitId, hex: u8) -> String {
    say!("{unit} in {hex}", unit = id.name)
}
