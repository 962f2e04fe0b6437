//! The first lines of a printout: a short summary of the turn.

use super::events::{Ending, Event, News, SideReport};
use super::orders::sector_no;
use super::phrases::{cities, joined, pp, ranges};
use super::view::View;
use super::words::Words;
use engine::Mark;
use engine::report::{Line, Section};
use tongue::{count, say};

/// In the first turn the start of the empire and the aim; later position, battles, cities, mail and
/// orders that went wrong.
pub fn summary(view: &View, words: &Words) -> Option<Section> {
    if view.power.fell.is_some() || view.over.is_some() {
        return None;
    }
    if view.turn < 2 {
        return Some(Section::list(&say!("Summary"), beginning(view), ""));
    }
    let power = &view.power;
    let own = view.control.iter().filter(|h| **h == view.seat).count();
    let mut lines: Vec<Line> = vec![
        say!(
            "You hold {cities} and {sectors}. Income {income} PP a turn, stock {stock} PP, tech \
             level {tech}, rank {rank} of {seats}.",
            cities = cities(power.cities.len()),
            sectors = count!(n = own, "{n} sector", "{n} sectors"),
            income = pp(power.income),
            stock = pp(power.stock),
            tech = power.tech,
            rank = view.standing.rank,
            seats = view.seats
        )
        .into(),
    ];
    if power.cities.is_empty() {
        lines.push(say!("You have no city left; your empire falls with its last unit.").into());
    }
    // Players about to win come before all else.
    let holding = view.events.iter().filter(|e| matches!(e, Event::News(News::Holding { .. })));
    lines.extend(holding.map(|e| words.described(e).into()));
    lines.extend(battles(view).map(Line::from));
    lines.extend(hands(view).map(Line::from));
    lines.extend(missiles(view).map(Line::from));
    let letters = view.events.iter().filter(|e| matches!(e, Event::Message { .. })).count();
    if letters > 0 {
        let came = count!(n = letters, "{n} message came in.", "{n} messages came in.");
        lines.push(came.into());
    }
    let wrong = |e: &Event| match e {
        Event::Line { line, mark, .. } if Mark::of(*mark) == Mark::Error => Some(*line),
        _ => None,
    };
    // There are few card lines.
    let wrong: Vec<u16> = view.events.iter().filter_map(wrong).map(|n| n as u16).collect();
    if !wrong.is_empty() {
        let told = count!(
            n = wrong.len(),
            "Line {lines} of your card had errors.",
            "Lines {lines} of your card had errors.",
            lines = ranges(wrong)
        );
        lines.push(told.into());
    }
    Some(Section::list(&say!("Summary"), lines, ""))
}

/// Where the empire begins, what wins the game, and where to read on.
fn beginning(view: &View) -> Vec<Line> {
    let power = &view.power;
    let (seat, seats, stock) = (view.seat, view.seats, pp(power.stock));
    let who = match power.cities.iter().next() {
        Some((number, city)) => say!(
            "You are player {seat} of {seats}. Your empire begins in city {number} {name} at {at}, \
             which brings {income} PP a turn. You have {stock} PP to spend.",
            name = city.name,
            at = sector_no(view.grid, city.at),
            income = city.income
        ),
        None => say!("You are player {seat} of {seats}. You have {stock} PP to spend."),
    };
    let rules = &view.tables.rules.victory;
    let level = (power.tech > 1).then(|| {
        say!(
            "You begin at tech level {tech}. RULES lists the chapters on what it allows; HELP and \
             the letter of an order explains that order.",
            tech = power.tech
        )
    });
    let mut lines: Vec<Line> = vec![
        who.into(),
        say!(
            "World Leader is who holds at least {percent} % of all cities at the end of {turns} \
             turns in a row.",
            percent = rules.leader_percent,
            turns = rules.turns
        )
        .into(),
        say!(
            "The turn card below lists your units and cities, the forms of all orders and what can \
             be built."
        )
        .into(),
    ];
    lines.extend(level.map(Line::from));
    lines
}

/// The results of the seat's battles, and the losses in them and in attacks on cities.
fn battles(view: &View) -> Option<String> {
    let (mut fought, mut won, mut lost) = (0, 0, 0_u32);
    let mut places = Vec::new();
    for event in &view.events {
        let (at, is_won) = match event {
            Event::Battle { at, attacker, defender, ending, .. } => {
                let attacks = attacker.seat == view.seat;
                lost += losses(if attacks { attacker } else { defender });
                let is_won = match ending {
                    Ending::DefenderDestroyed | Ending::DefenderDislodged => attacks,
                    Ending::AttackerDestroyed | Ending::AttackerRepelled => !attacks,
                    Ending::BothDestroyed => false,
                };
                (at, is_won)
            }
            // The walls of a city fight as well.
            Event::CityAssault { at, attacker, owner, after, .. } => {
                let attacks = attacker.seat == view.seat;
                if !attacks && *owner != view.seat {
                    continue;
                }
                lost += if attacks { losses(attacker) } else { 0 };
                (at, (*after == 0) == attacks)
            }
            _ => continue,
        };
        fought += 1;
        won += u32::from(is_won);
        let sector = sector_no(view.grid, *at);
        if !places.contains(&sector) {
            places.push(sector);
        }
    }
    (fought > 0).then(|| {
        let won = if won == 0 { say!(battles: "none") } else { won.to_string() };
        let lost = match lost {
            0 => say!(losses: "nothing"),
            n => count!(n, "{n} regiment or ship", "{n} regiments or ships"),
        };
        count!(
            n = fought,
            "You fought {n} battle (in {places}), won {won} and lost {lost}.",
            "You fought {n} battles (in {places}), won {won} and lost {lost}.",
            places = places.join(", ")
        )
    })
}

fn losses(side: &SideReport) -> u32 {
    side.losses.iter().map(|l| u32::from(l.before - l.after)).sum()
}

/// Missiles of others and atomic strikes that hit the seat.
fn missiles(view: &View) -> Option<String> {
    let mut hit: Vec<String> = Vec::new();
    for event in &view.events {
        match event {
            Event::Salvo(salvo) if salvo.target == Some(view.seat) => {
                hit.push(say!("Player {by} fired missiles at you.", by = salvo.by));
            }
            Event::News(News::Atomic { by, hit: who }) if who.contains(&view.seat) => {
                hit.push(match *by == view.seat {
                    true => say!("You wiped out land of yours with an atomic missile."),
                    false => say!("Player {by} wiped out land of yours with an atomic missile."),
                });
            }
            _ => {}
        }
    }
    hit.dedup();
    (!hit.is_empty()).then(|| hit.join(" "))
}

/// Cities that were won and lost.
fn hands(view: &View) -> Option<String> {
    let (mut won, mut lost) = (Vec::new(), Vec::new());
    for event in &view.events {
        match event {
            Event::CityTaken { city, name, by, .. } if *by == view.seat => won.push((*city, name)),
            Event::CityTaken { city, name, .. }
            | Event::Rebelled { city, name, .. }
            | Event::CityRazed { city, name, .. } => lost.push((*city, name)),
            _ => {}
        }
    }
    let named = |mut cities: Vec<(u16, &String)>| {
        cities.sort_unstable();
        let names = cities.iter().map(|(number, name)| format!("{number} {name}"));
        names.map(|n| n.trim_end().to_owned()).collect::<Vec<_>>()
    };
    let (won, lost) = (named(won), named(lost));
    let told = [
        (!won.is_empty()).then(|| {
            let cities = joined(&won);
            count!(n = won.len(), "You won city {cities}.", "You won cities {cities}.")
        }),
        (!lost.is_empty()).then(|| {
            let cities = joined(&lost);
            count!(n = lost.len(), "You lost city {cities}.", "You lost cities {cities}.")
        }),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    (!told.is_empty()).then(|| told.join(" "))
}
