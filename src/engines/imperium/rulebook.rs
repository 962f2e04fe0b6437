//! The rulebook for players, `config/imperium/rulebook.md`, with the numbers of a game.

use crate::view::View;
use crate::{Imperium, primer};
use engine::book::{Book, Figures as BookFigures};
use engine::report::Section;
use engine::{Books, Primer};

use super::galaxy::Galaxy;
use super::kinds::{Kind, Side};
use super::orders::ROWS;
use super::state::State;
use super::tables::{Figures, Tables, Tempo};

const BOOK: Book = Book::new(include_str!("../../../config/imperium/rulebook.md"));

impl Books for Imperium {
    fn primer(view: &View) -> Primer {
        primer::primer(view)
    }

    fn rulebook(state: &State) -> Vec<Section> {
        BOOK.chapters(|| figures(state))
    }
}

/// The numbers, keyed by their names in the book.
fn figures(state: &State) -> BookFigures {
    let tables = &state.board.tables;
    let options = &state.options;
    let (income, works, upkeep) = (&tables.income, &tables.works, &tables.upkeep);
    let hexes: Vec<String> =
        tables.hexes.iter().map(|(g, n)| format!("{} {n}", g.code())).collect();
    let lines = tables.victory.terran.iter().zip(&tables.victory.imperial);
    let victory: Vec<String> =
        (1..).zip(lines).map(|(n, (t, i))| format!("{n}: {t} / {i}")).collect();
    let tempo = match options.tempo {
        Tempo::Segment => "segment",
        Tempo::Activation => "activation",
        Tempo::Turn => "turn",
    };
    let orders = ROWS.iter().map(|r| {
        let example = r.examples.first().copied().unwrap_or_default();
        vec![r.form.to_owned(), example.to_owned()]
    });
    BookFigures::default()
        .with("campaign", options.campaign)
        .with("hexes", hexes.join(", "))
        .with("terran_home", income.terran_home)
        .with("terran_connected", income.terran_connected)
        .with("terran_unconnected", income.terran_unconnected)
        .with("outpost", income.outpost)
        .with("imperial_budget", income.imperial_budget)
        .with("world", income.world)
        .with("work_cost", works.cost)
        .with("terraform_n1", works.terraform_n1)
        .with("terraform_n2", works.terraform_n2)
        .with("upgrade", works.upgrade)
        .with("halts_max", options.halts_max)
        .with("battle_rounds", options.battle_rounds)
        .with("battle_ask", options.battle_ask)
        .with("upkeep_world", upkeep.world)
        .with("upkeep_outpost", upkeep.outpost)
        .with("upkeep_ground", upkeep.ground)
        .with("victory", victory.join(", "))
        .with("tempo", tempo)
        .with("turn_hours", options.turn_hours)
        .with("live_hours", options.live_hours)
        .with("units", units(tables))
        .with("orders", orders.collect::<Vec<_>>())
        .with("systems", systems(&state.board.galaxy))
}

/// The rows of all types in the table of units.
fn units(tables: &Tables) -> Vec<Vec<String>> {
    let rows = Kind::ALL.into_iter().map(|kind| {
        let unit = tables.unit(kind);
        let text = |side: Side| match tables.of(side, kind) {
            Some(f) if kind.is_troops() => {
                let dice: Vec<String> = f.dice.iter().map(u32::to_string).collect();
                format!("dice {} D{} ×{} C{}/{}", dice.join(" "), f.d, f.count, f.cost, f.turns)
            }
            f => of_ship(f),
        };
        vec![kind.code().to_owned(), unit.name.clone(), text(Side::Terran), text(Side::Imperial)]
    });
    rows.collect()
}

fn of_ship(f: Option<&Figures>) -> String {
    let Some(f) = f else { return "–".to_owned() };
    let fighters = if f.f > 0 { format!(" F{}", f.f) } else { String::new() };
    format!(
        "B{} T{} D{} CM{}{fighters} M{} ×{} C{}/{}",
        f.b, f.t, f.d, f.cm, f.m, f.count, f.cost, f.turns
    )
}

/// The rows of all systems.
fn systems(galaxy: &Galaxy) -> Vec<Vec<String>> {
    let rows = galaxy.all().zip(&galaxy.systems).map(|(system, row)| {
        let near: Vec<String> = galaxy.near(system).map(|s| s.to_string()).collect();
        let planets: Vec<&str> = row.planets.iter().map(|g| g.code()).collect();
        let star = if row.star == row.name { String::new() } else { row.star.clone() };
        vec![system.to_string(), row.name.clone(), star, planets.join(" "), near.join(" ")]
    });
    rows.collect()
}
