//! The events of a turn, category by category.

use super::events::{Category, Event, News};
use super::maps::battles as places_of_battles;
use super::view::View;
use super::words::Words;
use engine::geometry::Place;
use engine::report::{Battle, Block, Line, Section};
use tongue::say;

/// The events as one section for each category; a section with nothing to say has no blocks.
pub fn happened(view: &View, words: &Words) -> Vec<Section> {
    let (bombed, rest) = struck(view);
    let of = |category: Category| -> Vec<&Event> {
        let told = |e: &&&Event| e.category() == category && !is_the_end(view, e);
        rest.iter().filter(told).copied().collect()
    };
    let each = |category: Category| -> Vec<String> {
        of(category).into_iter().map(|e| words.described(e)).collect()
    };
    let fell = |no, at| in_vain(view, no, at);
    let moves = words.movement(&of(Category::Movement), &fell);
    vec![
        listed(
            &say!("Production"),
            words.production(&of(Category::Production)),
            &say!("Nothing was delivered."),
        ),
        listed(&say!("Movement"), moves, &say!("Nothing moved.")),
        battles(view, words, &of(Category::Battles)),
        listed(&say!("Aircraft and bombardment"), words.missions(&bombed), ""),
        listed(&say!("Research and ruins"), each(Category::Ruins), ""),
        listed(&say!("Politics"), each(Category::Politics), ""),
        news(view, words),
    ]
}

/// Fights as cards, their results, and the ground around them as it is now.
fn battles(view: &View, words: &Words, events: &[&Event]) -> Section {
    let city = |at: Place| {
        let own = view.power.cities.iter().map(|(number, c)| (*number, c.at));
        let mut all = own.chain(view.cities.iter().map(|c| (c.number, c.at)));
        all.find(|c| c.1 == at).map(|c| c.0)
    };
    let card = |event: &&Event| words.card(event, city);
    let cards: Vec<Battle> = events.iter().filter_map(card).collect();
    let none = if cards.is_empty() { say!("No battle was fought.") } else { String::new() };
    let mut section = listed(&say!("Battles"), words.fights(events), &none);
    if !cards.is_empty() {
        section.blocks.insert(0, Block::Battles(cards));
    }
    section.blocks.extend(places_of_battles(view));
    section
}

/// Splits the events into strikes from the air with their results, and all others.
fn struck(view: &View) -> (Vec<&Event>, Vec<&Event>) {
    let (mut air, mut rest) = (Vec::new(), Vec::new());
    let mut falling = false;
    for event in &view.events {
        let came_of_it = matches!(
            event,
            Event::Lost { .. }
                | Event::Drowned { .. }
                | Event::GeneralLost { .. }
                | Event::CityRazed { .. }
        );
        match event.category() {
            Category::Air if matches!(event, Event::Wrecked { .. }) => {}
            Category::Air => falling = matches!(event, Event::AirStrike(_) | Event::Salvo(_)),
            _ => falling &= came_of_it,
        }
        match event.category() == Category::Air || falling {
            true => air.push(event),
            false => rest.push(event),
        }
    }
    (air, rest)
}

/// Sentences as a section. Equal sentences in a row are printed once, with their number. Without
/// sentences it shows `none`, or has no blocks if that is empty.
fn listed(heading: &str, texts: Vec<String>, none: &str) -> Section {
    if texts.is_empty() && none.is_empty() {
        return Section { heading: heading.to_owned(), blocks: Vec::new() };
    }
    let lines = texts.chunk_by(|a, b| a == b).map(|same| match same.len() {
        1 => same[0].clone().into(),
        n => {
            let told = same[0].trim_end_matches('.');
            say!("{told} ({n} times).").into()
        }
    });
    Section::list(heading, lines.collect(), none)
}

/// Whether a unit came to a sector that was fought over, and is no longer there.
fn in_vain(view: &View, no: u16, place: Place) -> bool {
    let fought = |e: &Event| match e {
        Event::Battle { at, .. } | Event::CityAssault { at, .. } => *at == place,
        _ => false,
    };
    view.events.iter().any(fought) && view.power.units.get(&no).is_none_or(|u| u.at != place)
}

/// Whether an event is shown with the end of the game, or of this empire.
pub fn is_the_end(view: &View, event: &Event) -> bool {
    match event {
        Event::GameOver { .. } => true,
        Event::Fallen { player } => *player == view.seat,
        _ => false,
    }
}

/// The news of the world (§8), except those that the seat already hears as its own affairs.
pub fn news(view: &View, words: &Words) -> Section {
    let news = view.events.iter().filter_map(|e| match e {
        Event::News(news) => Some((e, news)),
        _ => None,
    });
    let (mut taken, mut lines) = (Vec::new(), Vec::new());
    for (event, news) in news.filter(|(_, news)| !is_own_affair(view, news)) {
        match news {
            News::Taken { .. } => taken.push(words.described(event)),
            _ => lines.push(Line::from(words.described(event))),
        }
    }
    if !taken.is_empty() {
        let cities = taken.join("; ");
        lines.push(say!("Cities that changed hands: {cities}.").into());
    }
    let none = match view.events.iter().any(|e| e.category() == Category::News) {
        true => say!("Nothing beyond your own affairs."),
        false => say!("Nothing that the whole world heard of."),
    };
    Section::list(&say!("World news"), lines, &none)
}

/// Whether the seat already hears of the news in its own politics, or at the end of its empire.
fn is_own_affair(view: &View, news: &News) -> bool {
    let own = |told: &dyn Fn(&Event) -> bool| view.events.iter().any(told);
    match news {
        News::Holding { members, .. } => {
            own(&|e| matches!(e, Event::Holding { members: own, .. } if own == members))
        }
        News::Coalition { members } => {
            own(&|e| matches!(e, Event::CoalitionStands { members: own } if own == members))
        }
        News::LeavesCoalition { player, .. } => {
            own(&|e| matches!(e, Event::CoalitionLeft { player: own, .. } if own == player))
        }
        News::Rebelled { player, .. } | News::Fallen { player } => *player == view.seat,
        _ => false,
    }
}
