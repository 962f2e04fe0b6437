//! The introduction for newcomers: the aim, how to read a printout, a first card.

use std::borrow::Cow;

use super::kinds::{Edition, Kind};
use super::production;
use super::view::View;
use engine::Primer;
use tongue::say;

/// The primer of a seat.
pub fn primer(view: &View) -> Primer {
    let start = match view.world.options.edition {
        Edition::Basic => say!("You begin with one city, and see the whole world."),
        _ => say!("You begin with one city, and know hardly anything of the world."),
    };
    let aim = say!(
        "{start} Build land units, take the cities that nobody has, cross the sea with transports, \
         and be the last player left."
    );
    let reading = vec![
        say!(
            "A square is x,y: x counts from the left, y from the top. Cities and units have \
             numbers; orders name those, or names that you give."
        ),
        say!(
            "On the text map capitals are your units and small letters those of others; the signs \
             are explained below it."
        ),
        say!(
            "Kinds of units have two letters, such as AR Army, FI Fighter, TR Transport; whole \
             words do as well."
        ),
    ];
    Primer { aim, reading, orders: orders(view).unwrap_or_default() }
}

/// A first card: what the first city builds, with explanations.
fn orders(view: &View) -> Option<Vec<(String, String)>> {
    let at = view.world.cities_of(view.seat).next()?;
    let city = view.known()?.cities.get(&at)?.number;
    let options = &view.world.options;
    let (foot, plane) = (options.edition.foot(), Kind::Fi);
    let mut list = vec![foot, foot];
    // Aircraft see farthest for their price; without aircraft, ships come next.
    list.extend([plane, Kind::Tr].into_iter().filter(|k| options.builds(*k)));
    let base = production::base(&view.world, view.seat);
    let time = production::time(&view.world, view.world.city(at)?, foot, base);
    let codes: Vec<&str> = list.iter().map(|k| k.code()).collect();
    let names: Vec<Cow<str>> = list.iter().map(|k| k.localized()).collect();
    let turn = view.world.turn + time;
    Some(vec![
        (
            format!("P {city} {}", codes.join(" ")),
            say!(
                "City {city} builds {kinds}, one after the other; the first is there in turn \
                 {turn}.",
                kinds = names.join(", ")
            ),
        ),
        (
            format!("Z {city} E *"),
            say!(
                "Every new unit explores, and attacks what comes next to it at even chances or \
                 better."
            ),
        ),
        ("CLOSE".to_owned(), say!("You are done: nobody waits for you.")),
    ])
}
