//! The rules in words, `config/empire-deluxe/rulebook.md`, with the numbers of the game.

use crate::view::View;
use crate::{EmpireDeluxe, primer};
use engine::book::{Book, Figures};
use engine::{Books, Primer, Section};

use super::combat::{self, Attacker, Target};
use super::forecast::tenths;
use super::ground::Terrain;
use super::kinds::{Class, Edition, Kind};
use super::orders::ROWS;
use super::stage::State;
use super::tables::{Figure, Options, Order};

const BOOK: Book = Book::new(include_str!("../../../config/empire-deluxe/rulebook.md"));

impl Books for EmpireDeluxe {
    fn primer(view: &View) -> Primer {
        primer::primer(view)
    }

    fn rulebook(state: &State) -> Vec<Section> {
        BOOK.chapters(|| figures(state))
    }
}

/// The numbers by their names in the book.
fn figures(state: &State) -> Figures {
    let options = &state.world.options;
    let grid = &state.world.ground.grid;
    let (cargo, city, efficiency) = (&options.cargo, &options.city, &options.efficiency);
    let sequential = options.order == Order::Sequential;
    let handicaps = options.handicaps.iter().any(|h| *h != 100);
    let orders = ROWS.iter().map(|r| vec![r.form.to_owned(), r.text.to_owned()]);
    let codes = options.kinds.keys().map(|kind| kind.code());
    Figures::default()
        .with("seats", state.world.sides.len())
        .with("edition", options.edition.word())
        .with("basic", options.edition == Edition::Basic)
        .with("advanced", options.advanced())
        .with("columns", grid.cols)
        .with("rows", grid.rows)
        .with("wrap", options.wrap)
        .with("foot", options.edition.foot().name())
        .with("units", options.kinds.keys().map(|kind| unit(options, *kind)).collect::<Vec<_>>())
        .with("simultaneous", !sequential)
        .with("impulses", options.kinds.values().map(|f| f.moves).max().unwrap_or(1))
        .with("parts", options.parts)
        .with("sitting", if options.sitting { options.turn.sitting } else { 0 })
        .with("flies", flies(options))
        .with("transport_places", cargo.transport.places)
        .with("transport_lost", cargo.transport.lost)
        .with("carriers", options.figure(Kind::Ca).is_some())
        .with("carrier_places", cargo.carrier.places)
        .with("carrier_lost", cargo.carrier.lost)
        .with("city_sight", city.sight)
        .with("marks", options.turn.marks)
        .with("sees_submarines", city.sees_submarines)
        .with("codes", codes.collect::<Vec<_>>())
        .with("odds", odds(options))
        .with("bombed", efficiency.bombed)
        .with("specialised", efficiency.specialised)
        .with("fast", efficiency.fast)
        .with("slow", efficiency.slow)
        .with("improved", efficiency.improved)
        .with("crowded", efficiency.crowded)
        .with("floor", efficiency.floor)
        .with("handicaps", if handicaps { options.handicaps.clone() } else { Vec::new() })
        .with("turn_hours", options.turn_hours)
        .with("press", options.press)
        .with("orders", orders.collect::<Vec<_>>())
}

/// The row of a kind in the table of units.
fn unit(options: &Options, kind: Kind) -> Vec<String> {
    let Some(f) = options.figure(kind) else { return Vec::new() };
    let dash = |n: u32| if n == 0 { "–".to_owned() } else { n.to_string() };
    vec![
        kind.code().to_owned(),
        kind.name().to_owned(),
        dash(f.moves.into()),
        dash(f.range.into()),
        f.damage.to_string(),
        dash(f.attack.into()),
        f.defense.to_string(),
        f.shot.to_string(),
        dash(f.turns),
        f.sight.to_string(),
    ]
}

/// The range of each kind of aircraft.
fn flies(options: &Options) -> Vec<Figures> {
    let flies = options.kinds.iter().filter(|(kind, _)| kind.class() == Class::Air);
    let plane = |(kind, f): (&Kind, &Figure)| {
        Figures::default().with("name", kind.name()).with("moves", f.moves).with("range", f.range)
    };
    flies.map(plane).collect()
}

/// The chances of each kind against every kind, computed as in a fight.
fn odds(options: &Options) -> Vec<Vec<String>> {
    let targets: Vec<Kind> = options.kinds.keys().copied().collect();
    let cell = |kind: Kind, target: Target, on: Terrain| -> String {
        let from = if kind.class() == Class::Sea { Terrain::Water } else { Terrain::Clear };
        let attacker = Attacker { kind, damage: 0, on: from };
        match combat::may_attack(options, attacker, target, on) {
            Ok(()) => tenths(combat::fight(options, attacker, target, on).odds().per_mille()),
            Err(_) => "–".to_owned(),
        }
    };
    let row = |kind: &Kind| {
        let ground = |target: &Kind| match (target.class(), kind.class()) {
            (Class::Sea, _) | (Class::Air, Class::Sea) => Terrain::Water,
            _ => Terrain::Clear,
        };
        let against = |t: &Kind| cell(*kind, Target::Unit(*t, 0), ground(t));
        let neutral = kind.class() == Class::Land;
        let city = cell(*kind, Target::City { neutral, held: 0 }, Terrain::City);
        let cells = [kind.code().to_owned()].into_iter().chain(targets.iter().map(against));
        cells.chain([city]).collect::<Vec<_>>()
    };
    let attackers = targets.iter().filter(|k| options.figure(**k).is_some_and(|f| f.attack > 0));
    attackers.map(row).collect()
}
