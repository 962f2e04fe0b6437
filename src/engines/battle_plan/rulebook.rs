//! The rulebook for players: `config/battle-plan/rulebook.md` for the game's variant, with the
//! numbers of its data files, the connections of its map and, in 1939, the victory points.

use crate::view::View;
use crate::{BattlePlan, primer};

use super::map::SpaceId;
use super::state::State;
use super::tables::Tables;
use super::worth::Item;
use engine::book::{Book, Figures};
use engine::{Books, Primer, Section};

const BOOK: Book = Book::new(include_str!("../../../config/battle-plan/rulebook.md"));

impl Books for BattlePlan {
    fn primer(view: &View) -> Primer {
        primer::primer(view)
    }

    fn rulebook(state: &State) -> Vec<Section> {
        BOOK.chapters(|| figures(&state.tables))
    }
}

/// The numbers, keyed by their names in the book.
fn figures(tables: &Tables) -> Figures {
    let f = &tables.figures;
    Figures::default()
        .with("variant", tables.variant.name.clone())
        .with("player_army", f.player.army)
        .with("player_navy", f.player.navy)
        .with("player_air", f.player.air)
        .with("landlocked_air", f.player.landlocked_air)
        .with("player_industry", f.player.industry)
        .with("player_limit", f.player.limit)
        .with("player_tax", f.player.tax)
        .with("minor_army", f.minor.army)
        .with("minor_navy", f.minor.navy)
        .with("minor_air", f.minor.air)
        .with("minor_landlocked_air", f.minor.landlocked_air)
        .with("island_army", f.minor.island_army)
        .with("island_navy", f.minor.island_navy)
        .with("minor_industry", f.minor.industry)
        .with("minor_limit", f.minor.limit)
        .with("minor_tax", f.minor.tax)
        .with("home_popularity", f.player.popularity)
        .with("dollars", f.player.dollars)
        .with("spies", f.player.spies)
        .with("counterspies", f.player.counterspies)
        .with("interest", f.economy.interest_percent)
        .with("recovery", f.economy.recovery_percent)
        .with("blockade", f.economy.blockade_percent)
        .with("catch", f.spies.caught_percent)
        .with("neighbour_tax", f.economy.neighbour_percent)
        .with("own_propaganda", f.popularity.own_propaganda)
        .with("foreign_propaganda", f.popularity.foreign_propaganda)
        .with("decay", f.popularity.decay_percent)
        .with("gift", f.popularity.gift)
        .with("missile_gift", f.popularity.missile_gift)
        .with("missile_hits", f.combat.missile_hits)
        .with("missile_popularity", f.combat.missile_popularity)
        .with("message_lines", f.messages.lines)
        .with("message_columns", f.messages.columns)
        .with("news_lines", f.messages.news_lines)
        .with("news_columns", f.messages.news_columns)
        .with("canned", f.messages.canned_a_turn)
        .with("missed", f.play.missed_turns)
        .with("connections", connections(tables))
        .with("powers", powers(tables))
}

/// The neighbours of each space, and the other spaces in air range.
fn connections(tables: &Tables) -> Vec<Vec<String>> {
    let map = &tables.map;
    let codes = |list: &mut dyn Iterator<Item = SpaceId>| {
        list.map(|s| map.code(s)).collect::<Vec<_>>().join(" ")
    };
    let row = |space: SpaceId| {
        let near = map.neighbours(space);
        let far = map.air_range(space).iter().copied().filter(|s| !map.adjacent(space, *s));
        vec![
            map.code(space).to_owned(),
            map.name(space).to_owned(),
            format!("{} ({})", codes(&mut near.iter().copied()), codes(&mut far.into_iter())),
        ]
    };
    map.all().map(row).collect()
}

/// The victory points of each power of 1939.
fn powers(tables: &Tables) -> Vec<Figures> {
    let row = |item: &Item| {
        let worth = if item.worth == 0 { String::new() } else { item.worth.to_string() };
        vec![worth, item.in_words(|p| tables.power_name(p))]
    };
    let powers = tables.powers.iter().map(|power| {
        Figures::default()
            .with("name", power.name.clone())
            .with("points", power.points.iter().map(row).collect::<Vec<_>>())
    });
    powers.collect()
}
