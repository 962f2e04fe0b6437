//! The first lines of a printout: what the turn has brought, in short.

use super::events::{Ending, Event, News, SideReport};
use super::orders::sector_no;
use super::phrases::{counted, joined, pp, ranges};
use super::view::View;
use super::words::Words;
use engine::Mark;
use engine::report::{Line, Section};

/// How the empire begins and what wins; later position, battles, cities, mail and orders that
/// went wrong.
pub fn summary(view: &View, words: &Words) -> Option<Section> {
    if view.power.fell.is_some() || view.over.is_some() {
        return None;
    }
    if view.turn < 2 {
        return Some(Section::list("Summary", beginning(view), ""));
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
    if power.cities.is_empty() {
        lines.push("You have no city left; your empire falls with its last unit.".into());
    }
    // Who is about to win is told before all else.
    let holding = view.events.iter().filter(|e| matches!(e, Event::News(News::Holding { .. })));
    lines.extend(holding.map(|e| words.say(e).into()));
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

/// Where the empire begins, what wins, and where to read on.
fn beginning(view: &View) -> Vec<Line> {
    let power = &view.power;
    let home = power.cities.iter().next().map(|(number, city)| {
        format!(
            " Your empire begins in city {number} {} at {}, which brings {} PP a turn.",
            city.name,
            sector_no(view.grid, city.at),
            city.income
        )
    });
    let rules = &view.tables.rules.victory;
    let level = (power.tech > 1).then(|| {
        format!(
            "You begin at tech level {}. RULES brings the chapters of what it can do, HELP and a \
             letter its orders.",
            power.tech
        )
    });
    let mut lines: Vec<Line> = vec![
        format!(
            "You are player {} of {}.{} You have {} PP to spend.",
            view.seat,
            view.seats,
            home.unwrap_or_default(),
            pp(power.stock)
        )
        .into(),
        format!(
            "World Leader is who holds at least {} % of all cities at the end of {} turns in a row.",
            rules.leader_percent, rules.turns
        )
        .into(),
        "The turn card below lists your units and cities, the forms of all orders and what can be \
         built."
            .into(),
    ];
    lines.extend(level.map(Line::from));
    lines
}

fn cities(n: usize) -> String {
    match n {
        0 => "no city".to_owned(),
        1 => "1 city".to_owned(),
        n => format!("{n} cities"),
    }
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
            "You fought {fought} {of} (in {}), won {} and lost {}.",
            places.join(", "),
            if won == 0 { "none".to_owned() } else { won.to_string() },
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
            Event::CityTaken { city, name, by, .. } if *by == view.seat => won.push((*city, name)),
            Event::CityTaken { city, name, .. }
            | Event::Rebelled { city, name, .. }
            | Event::CityRazed { city, name, .. } => lost.push((*city, name)),
            _ => {}
        }
    }
    let told = |what: &str, mut cities: Vec<(u16, &String)>| {
        cities.sort_unstable();
        let noun = if cities.len() == 1 { "city" } else { "cities" };
        let names = cities.iter().map(|(number, name)| format!("{number} {name}"));
        let names: Vec<String> = names.map(|n| n.trim_end().to_owned()).collect();
        (!names.is_empty()).then(|| format!("You {what} {noun} {}.", joined(&names)))
    };
    let told = [told("won", won), told("lost", lost)];
    let told: Vec<String> = told.into_iter().flatten().collect();
    (!told.is_empty()).then(|| told.join(" "))
}
