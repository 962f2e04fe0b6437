//! The first lines of a printout: what the turn has brought, in short.

use super::desk::{pp, ranges};
use super::events::{Ending, Event, News, SideReport, counted};
use super::orders::sector_no;
use super::view::View;
use engine::Mark;
use engine::report::{Line, Section};

/// Position, battles, cities, mail and orders that went wrong; nothing before the first turn.
pub fn summary(view: &View) -> Option<Section> {
    if view.turn < 2 || view.power.fell.is_some() || view.over.is_some() {
        return None;
    }
    let power = &view.power;
    let own = view.control.iter().filter(|h| **h == view.seat).count();
    let mut lines: Vec<Line> = vec![
        format!(
            "You hold {} and {}. Income {} PP a turn, stock {} PP, tech level {}, rank {} of {}.",
            cities(power.cities.len()),
            counted(own as i64, "sector"),
            pp(power.income),
            pp(power.stock),
            power.tech,
            view.standing.rank,
            view.seats
        )
        .into(),
    ];
    lines.extend(battles(view).map(Line::from));
    lines.extend(hands(view).map(Line::from));
    lines.extend(missiles(view).map(Line::from));
    let letters = view.events.iter().filter(|e| matches!(e, Event::Message { .. })).count();
    if letters > 0 {
        lines.push(format!("{} came in.", counted(letters as i64, "message")).into());
    }
    let wrong = |e: &Event| match e {
        Event::Line { line, mark, .. } if Mark::of(*mark) == Mark::Error => Some(*line),
        _ => None,
    };
    // Card lines are few.
    let wrong: Vec<u16> = view.events.iter().filter_map(wrong).map(|n| n as u16).collect();
    if !wrong.is_empty() {
        let lines_of = if wrong.len() == 1 { "Line" } else { "Lines" };
        lines.push(format!("{lines_of} {} of your card had errors.", ranges(wrong)).into());
    }
    Some(Section::list("Summary", lines, ""))
}

fn cities(n: usize) -> String {
    if n == 1 { "1 city".to_owned() } else { format!("{n} cities") }
}

/// How the seat's battles ended and what they and attacks on cities cost.
fn battles(view: &View) -> Option<String> {
    let (mut fought, mut won, mut lost) = (0, 0, 0_u32);
    let mut places = Vec::new();
    for event in &view.events {
        let Event::Battle { at, attacker, defender, ending, .. } = event else { continue };
        fought += 1;
        let attacks = attacker.seat == view.seat;
        won += u32::from(match ending {
            Ending::DefenderDestroyed | Ending::DefenderDislodged => attacks,
            Ending::AttackerDestroyed | Ending::AttackerRepelled => !attacks,
            Ending::BothDestroyed => false,
        });
        lost += losses(if attacks { attacker } else { defender });
        let sector = sector_no(view.grid, *at);
        if !places.contains(&sector) {
            places.push(sector);
        }
    }
    let assaults = view.events.iter().filter_map(|e| match e {
        Event::CityAssault { attacker, .. } if attacker.seat == view.seat => Some(losses(attacker)),
        _ => None,
    });
    lost += assaults.sum::<u32>();
    let of = if fought == 1 { "battle" } else { "battles" };
    (fought > 0).then(|| {
        format!(
            "You fought {fought} {of} (in {}), won {won} and lost {}.",
            places.join(", "),
            match lost {
                0 => "nothing".to_owned(),
                1 => "1 regiment or ship".to_owned(),
                n => format!("{n} regiments or ships"),
            }
        )
    })
}

fn losses(side: &SideReport) -> u32 {
    side.losses.iter().map(|l| u32::from(l.before - l.after)).sum()
}

/// Missiles of others that came down on the seat, and atomic strikes anywhere.
fn missiles(view: &View) -> Option<String> {
    let mut hit: Vec<String> = Vec::new();
    for event in &view.events {
        match event {
            Event::Salvo(salvo) if salvo.target == Some(view.seat) => {
                hit.push(format!("Player {} fired missiles at you.", salvo.by));
            }
            Event::News(News::Atomic { by, hit: who }) if who.contains(&view.seat) => {
                let by = if *by == view.seat { "You".to_owned() } else { format!("Player {by}") };
                hit.push(format!("{by} wiped out land of yours with an atomic missile."));
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
            Event::CityTaken { city, by, .. } if *by == view.seat => won.push(*city),
            Event::CityTaken { city, .. }
            | Event::Rebelled { city, .. }
            | Event::CityRazed { city, .. } => lost.push(*city),
            _ => {}
        }
    }
    let told = |what: &str, mut numbers: Vec<u16>| {
        numbers.sort_unstable();
        (!numbers.is_empty()).then(|| format!("{what}: {}.", ranges(numbers)))
    };
    let told = [told("Cities won", won), told("Cities lost", lost)];
    let told: Vec<String> = told.into_iter().flatten().collect();
    (!told.is_empty()).then(|| told.join(" "))
}
