//! Orders in words: verbs for letters, names of cities, generals and types, compass words, lists of
//! units (§9).

use std::sync::LazyLock;

use super::orders::{self, sector_no};
use super::view::View;
use crate::Warlord;
use engine::geometry::Direction;
use engine::wording::form;
use engine::{Forms, Names, Words};

impl Words for Warlord {
    fn wording() -> &'static Forms {
        &FORMS
    }

    fn names(view: &View) -> Names {
        names(view)
    }
}

/// The words of every order that has some; other orders are written as their form says.
pub static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    Forms::new(vec![
        form(
            "A ADVANCE GO MARCH ATTACK SEND TAKE CAPTURE CONQUER",
            "units* goal / goal units* / units* RUINS goal",
            "A {units} {goal}",
        ),
        form("MOVE", "units* place / place units*", "A {units} {place}"),
        form("M MOVE WALK STEP", "units* steps&", "M {units} {steps}"),
        form(
            "B BOMB BOMBARD",
            "n place / place n / n BOMBER|BOMBERS place / place n BOMBER|BOMBERS",
            "B {n} {place}",
        ),
        form("C CONSTRUCT BUILD MAKE PRODUCE TRAIN", "city item / item city", "C {city} {item}"),
        form("CONSTRUCT BUILD MAKE PRODUCE TRAIN", "made", "C {made}"),
        form("D DECLARE ALLY", "n / ALLY|ALLIANCE n", "D {n}"),
        form(
            "E RESEARCH SPEND PUT INVEST",
            "n / n PP|POINT|POINTS / n PP|POINT|POINTS RESEARCH / n RESEARCH",
            "E {n}",
        ),
        form("STOP HALT HOLD STAY WAIT", "units* / units* HOME|HERE|THERE", "M {units} 0"),
        form("I INVESTIGATE SPY", "place n", "I {place} {n}"),
        form("J COALITION", "n", "J {n}"),
        form("K ENGINEERING ENGINEER", "units* task / task units*", "K {units} {task}"),
        form("BUILD", "units* work / work units*", "K {units} {work}"),
        form("SEARCH", "RUINS units* / units* RUINS / units*", "K {units} 1"),
        form("L LINK MERGE ADD", "units other:units", "L {units} {other}"),
        form(
            "O OBSERVE SCOUT WATCH",
            "n place / place n / n FIGHTER|FIGHTERS place / place n FIGHTER|FIGHTERS",
            "O {n} {place}",
        ),
        form(
            "P POSITION PUT GENERAL",
            "general units / units general / general GO|GOES units",
            "P {general} {units}",
        ),
        form("R ROCKET FIRE", "n place / place n", "R {n} {place}"),
        form("S SPLIT PART DIVIDE", "units n", "S {units} {n}"),
        form("V AIRLIFT LIFT", "units* base:n", "V {units} {base}"),
        form("V AIRLIFT DROP", "units* place / place units*", "V {units} {place}"),
    ])
});

fn digits(word: &str) -> bool {
    !word.is_empty() && word.len() < 4 && word.bytes().all(|b| b.is_ascii_digit())
}

fn is_sector(word: &str) -> bool {
    word.len() > 3 && orders::read_sector(word).is_some()
}

/// Names of the things in orders, as far as a seat knows them.
pub fn names(view: &View) -> Names {
    let mut names = Names::default();
    names.codes("units", digits);
    names.codes("city", digits);
    names.codes("item", digits);
    names.codes("general", digits);
    names.codes("place", is_sector);
    names.codes("goal", |w| is_sector(w) || matches!(w.as_bytes(), [b'1'..=b'8']));
    names.codes("steps", |w| !w.is_empty() && w.bytes().all(|b| (b'0'..=b'8').contains(&b)));
    names.codes("task", |w| matches!(w.as_bytes(), [b'1'..=b'5']));
    names.squares("{column}{row}", &["place", "goal"]);
    let own = view.power.cities.values().map(|c| (c.name.as_str(), c.at));
    let seen = view.cities.iter().map(|c| (c.seen.name.as_str(), c.at));
    for (name, at) in own.chain(seen) {
        names.add("place", name, sector_no(view.grid, at));
        names.add("goal", name, sector_no(view.grid, at));
    }
    for at in &view.ruins {
        names.add("goal", "ruins", sector_no(view.grid, *at));
        names.add("place", "ruins", sector_no(view.grid, *at));
    }
    for city in &view.cities {
        names.add("numbered", &city.number.to_string(), sector_no(view.grid, city.at));
    }
    for (number, city) in &view.power.cities {
        names.add("city", &city.name, number.to_string());
        names.stands("city", number.to_string(), sector_no(view.grid, city.at));
        names.add("numbered", &number.to_string(), sector_no(view.grid, city.at));
    }
    for row in &view.tables.units {
        names.add("item", &row.name, row.id.to_string());
        // A player with one city need not name it.
        if let (1, Some(city)) = (view.power.cities.len(), view.power.cities.keys().next()) {
            names.add("made", &row.name, format!("{city} {}", row.id));
        }
    }
    for (number, unit) in &view.power.units {
        let kind = &view.tables.row(unit.kind).name;
        names.add("units", kind, number.to_string());
        names.add("units", &format!("{kind} {number}"), number.to_string());
        names.stands("units", number.to_string(), sector_no(view.grid, unit.at));
    }
    for (number, general) in (1..).zip(&view.power.generals) {
        names.add("general", &general.name, i32::to_string(&number));
    }
    for direction in (1..=8).filter_map(Direction::from_code) {
        for name in compass(direction.name()) {
            names.add("goal", &name, direction.code().to_string());
            names.add("steps", &name, direction.code().to_string());
        }
    }
    for (task, name) in [("1", "ruins"), ("2", "road"), ("3", "fort"), ("4", "airbase")] {
        names.add("task", name, task);
        names.add("work", name, task);
    }
    names
}

/// A direction as people write it: `NW`, `NORTHWEST`, `NORTH-WEST`.
fn compass(short: &str) -> Vec<String> {
    let long = |c: char| match c {
        'N' => "NORTH",
        'S' => "SOUTH",
        'E' => "EAST",
        _ => "WEST",
    };
    let parts: Vec<&str> = short.chars().map(long).collect();
    vec![short.to_owned(), parts.concat(), parts.join("-"), parts.join(" ")]
}
