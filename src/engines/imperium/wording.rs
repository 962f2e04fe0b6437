//! Orders in words: verbs for letters, names of systems and types of units (§13).

use std::sync::LazyLock;

use super::galaxy::Planet;
use super::kinds::Kind;
use super::view::View;
use crate::Imperium;
use engine::wording::form;
use engine::{Forms, Names, Words};
use tongue::mark;

impl Words for Imperium {
    fn wording() -> &'static Forms {
        &FORMS
    }

    fn names(view: &View) -> Names {
        names(view)
    }
}

/// Every order that can be said in words. Other orders are written as in the order table.
pub static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    Forms::new(vec![
        form("B BUILD MAKE", "type n / n type", "B {type} {n}"),
        form("P PLACE", "unit planet / planet unit", "P {unit} {planet}"),
        form("T TERRAFORM", "planet", "T {planet}"),
        form("G UPGRADE", "planet", "G {planet}"),
        form("SEG SEGMENT", "n", "SEG {n}").called(mark!("Plan of segment")),
        form("A ACTIVATE", "place", "A {place}"),
        form("M MOVE GO SAIL SEND FLY", "fleet place+", "M {fleet} {place}"),
        form("C COMBINE", "fleet other:fleet", "C {fleet} {other}"),
        // A fleet that joins another becomes part of it.
        form("JOIN", "fleet other:fleet", "C {other} {fleet}"),
        form("L LOAD", "carrier:unit unit", "L {carrier} {unit}"),
        form("U UNLOAD", "unit planet", "U {unit} {planet}"),
        form("K ATTACK ASSAULT INVADE", "planet", "K {planet}"),
        form("BOMBARD", "planet", "K {planet} B"),
        form("S LEAVE", "fleet place", "S {fleet} {place}"),
        form("F REPAIR", "unit+", "F {unit}"),
        form("F REPAIR", "ALL", "F *"),
        form("X SCRAP", "unit+", "X {unit}"),
        form("R RETREAT", "fleet place+", "R {fleet} {place}"),
        form("E ENGAGE FIGHT", "", "E"),
    ])
});

fn number(word: &str) -> bool {
    (1..=2).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit())
}

fn is_fleet(word: &str) -> bool {
    word == "*" || word.split('+').all(number)
}

/// Whether a word is a unit such as `DD3`: the letters of a type and a number.
fn is_unit(word: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    letters.len() < word.len() && Kind::read(letters).is_some()
}

/// The names of things that orders use.
pub fn names(view: &View) -> Names {
    let mut names = Names::default();
    names.codes("fleet", is_fleet);
    names.codes("unit", is_unit);
    names.codes("place", |w| number(w.trim_end_matches('!')));
    names.codes("planet", |w| Planet::read(w).is_some());
    for kind in Kind::ALL {
        names.add("type", &view.board.tables.unit(kind).name, kind.code());
        names.add("type", kind.code(), kind.code());
    }
    let galaxy = &view.board.galaxy;
    for system in galaxy.all() {
        names.add("place", galaxy.name(system), system.to_string());
        // The only planet of a system also has the system's name.
        if galaxy.row(system).is_some_and(|row| row.planets.len() == 1) {
            names.add("planet", galaxy.name(system), Planet { system, n: 1 }.to_string());
        }
        for n in 1..=galaxy.row(system).map_or(0, |row| row.planets.len() as u8) {
            let name = format!("{} {n}", galaxy.name(system));
            names.add("planet", &name, Planet { system, n }.to_string());
            names.stands("planet", Planet { system, n }.to_string(), system.to_string());
        }
        for fleet in view.board.fleets_in(view.side, system) {
            names.add("fleet", &format!("fleet {fleet}"), fleet.to_string());
            names.stands("fleet", fleet.to_string(), system.to_string());
        }
    }
    for (id, _) in view.board.of(view.side) {
        names.add("unit", &id.name.to_string(), id.name.to_string());
        if let Some(system) = view.board.where_is(id) {
            names.stands("unit", id.name.to_string(), system.to_string());
        }
    }
    names
}
