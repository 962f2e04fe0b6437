//! Orders in words: verbs for letters, names of cities and kinds, compass words (§16).

use std::borrow::Cow;
use std::sync::LazyLock;

use super::kinds::Kind;
use super::orders::key;
use super::view::View;
use super::words;
use crate::EmpireDeluxe;
use engine::geometry::Direction;
use engine::wording::form;
use engine::{Forms, Names, Words};
use tongue::{mark, say};

impl Words for EmpireDeluxe {
    fn wording() -> &'static Forms {
        &FORMS
    }

    fn names(view: &View) -> Names {
        names(view)
    }
}

/// Every order that can be said in words; others are written in their own form.
pub static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    Forms::new(vec![
        form(
            "M MOVE GO SAIL FLY SEND ADVANCE MARCH",
            "units place / place units",
            "M {units} {place}",
        ),
        form("D STEP MOVE M GO SAIL FLY ATTACK A", "units pad&", "D {units} {pad}"),
        form(
            "A ATTACK STORM ASSAULT TAKE CAPTURE CONQUER INVADE",
            "units place / place units",
            "A {units} {place}",
        ),
        form("S SENTRY GUARD SLEEP HOLD", "units", "S {units}"),
        form("E EXPLORE SCOUT", "units", "E {units}"),
        form("L LOAD BOARD", "units unit / units ABOARD unit", "L {units} {unit}"),
        form("U UNLOAD LAND", "unit place / unit", "U {unit} {place}"),
        form("U UNLOAD LAND", "unit", "U {unit}"),
        form("R RETURN REPAIR", "units", "R {units}"),
        form("W WAIT", "units n TURN|TURNS / units n", "W {units} {n}"),
        form("K FORGET CLEAR", "units", "K {units}"),
        form("P PRODUCE BUILD MAKE", "city kind+ / kind+ city", "P {city} {kind}"),
        form("PD", "kind", "PD {kind}").called(mark!("Captured cities build")),
        form("CLOSE DONE", "/ IM / I AM", "CLOSE").called(mark!("Done")),
        form("NEW EVERY ALL", "NEW UNIT|UNITS EXPLORE / NEW UNIT|UNITS EXPLORES", "Z ALL E *")
            .called(mark!("New units explore")),
        form("NEW", "UNIT|UNITS EXPLORE|EXPLORES", "Z ALL E *"),
        form("CITIES", "THAT I TAKE BUILD kind / I TAKE BUILD kind", "PD {kind}"),
    ])
});

fn digits(word: &str) -> bool {
    !word.is_empty() && word.len() < 6 && word.bytes().all(|b| b.is_ascii_digit())
}

/// `13-16`, `3+9`, `ALL`.
fn are_units(word: &str) -> bool {
    let list = word.starts_with(|c: char| c.is_ascii_digit())
        && word.bytes().all(|b| b.is_ascii_digit() || b == b'-' || b == b'+');
    list || word == "ALL"
}

fn is_square(word: &str) -> bool {
    word.split_once(',').is_some_and(|(x, y)| digits(x) && digits(y))
}

/// The names of the things in orders, as far as a seat knows them.
pub fn names(view: &View) -> Names {
    let mut names = Names::default();
    names.codes("units", are_units);
    names.codes("unit", digits);
    names.codes("city", digits);
    names.codes("place", is_square);
    names.codes("pad", |w| digits(w) && !w.contains('0'));
    names.squares("{column},{row}", &["place"]);
    let Some(side) = view.world.side(view.seat) else { return names };
    for (at, name) in &side.known.names {
        names.add("place", name, view.world.ground.called(*at));
        if let Some(city) = side.known.cities.get(at) {
            names.add("city", name, city.number.to_string());
        }
    }
    for (at, city) in &side.known.cities {
        names.add("numbered", &city.number.to_string(), view.world.ground.called(*at));
        if city.owner == Some(view.seat) {
            let number = city.number.to_string();
            names.add("city", &format!("city {number}"), number.clone());
            names.add("city", &say!("city {n}", n = number), number);
        }
        names.stands("city", city.number.to_string(), view.world.ground.called(*at));
    }
    for (number, unit) in &side.units {
        for sort in ["units", "unit"] {
            for kind in called(unit.kind) {
                names.add(sort, &kind, number.to_string());
                names.add(sort, &format!("{kind} {number}"), number.to_string());
            }
            names.stands(sort, number.to_string(), view.world.ground.called(unit.at));
        }
        names.add("units", &unit.name, number.to_string());
        names.add("unit", &unit.name, number.to_string());
    }
    for kind in Kind::ALL {
        for name in called(kind) {
            names.add("kind", &name, kind.code());
        }
        names.add("kind", kind.code(), kind.code());
    }
    for direction in Direction::ALL {
        let long: String = direction.name().chars().map(whole).collect::<Vec<_>>().concat();
        for name in [direction.name(), long.as_str(), &words::way(direction)] {
            names.add("pad", name, key(direction).to_string());
        }
    }
    names
}

/// A kind in English, as the rulebook has it, and in the reader's language.
fn called(kind: Kind) -> [Cow<'static, str>; 2] {
    [kind.name().into(), kind.localized()]
}

fn whole(letter: char) -> &'static str {
    match letter {
        'N' => "NORTH",
        'S' => "SOUTH",
        'E' => "EAST",
        _ => "WEST",
    }
}
