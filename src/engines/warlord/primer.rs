//! The primer for a newcomer: the aim, how to read a printout, a first card.

use super::orders::sector_no;
use super::phrases::force;
use super::state::{NOBODY, is_land};
use super::view::View;
use engine::Primer;
use tongue::say;

/// The primer of a seat.
pub fn primer(view: &View) -> Primer {
    let rules = &view.tables.rules.victory;
    let aim = say!(
        "You lead one of {seats} empires in a world that nobody knows yet. Find cities, send units \
         to take them, and build more units with the production points (PP) that they bring. \
         Whoever holds {percent} % of all cities at the end of {turns} turns in a row is World \
         Leader and has won.",
        seats = view.seats,
        percent = rules.leader_percent,
        turns = rules.turns
    );
    let mut reading = Vec::new();
    if let Some((number, city)) = view.power.cities.first_key_value() {
        let sector = sector_no(view.grid, city.at);
        let (column, row) = sector.split_at(3);
        reading.push(say!(
            "A sector is five digits: your city {number} {name} lies at {sector}, in column \
             {column} (counted from the west) and row {row} (from the north). In orders its name \
             does as well.",
            name = city.name
        ));
    }
    reading.push(say!(
        "Under \"Forces and cities\" a line with a rank and a size is a unit of yours, and its \
         number is what orders name; the other lines are cities."
    ));
    reading.push(say!(
        "Directions are 1 N, 2 NE and so on clockwise to 8 NW; N or NORTHEAST do as well. Units \
         find their way to a sector by themselves, over as many turns as it takes."
    ));
    Primer { aim, reading, orders: orders(view) }
}

/// A first card that advances on the nearest city, builds something and pays for research.
fn orders(view: &View) -> Vec<(String, String)> {
    let mut orders = Vec::new();
    let grid = view.grid;
    let fights = |no: &u16| {
        let unit = &view.power.units[no];
        let row = view.tables.row(unit.kind);
        is_land(row.class) && row.attack > 0
    };
    // The fastest of the units that fight, then the largest.
    let rank = |no: &u16| {
        let unit = &view.power.units[no];
        (view.tables.row(unit.kind).points, unit.size, std::cmp::Reverse(*no))
    };
    let units = view.power.units.keys().copied().filter(fights);
    if let Some(no) = units.max_by_key(rank)
        && let Some(unit) = view.power.units.get(&no)
    {
        let foreign = view.cities.iter().filter(|c| c.seen.owner != Some(view.seat));
        let nearest = foreign.min_by_key(|c| (grid.distance(unit.at, c.at), c.number));
        if let Some(city) = nearest {
            let sector = sector_no(grid, city.at);
            let who = force(unit.size, &view.tables.row(unit.kind).name);
            let far = grid.distance(unit.at, city.at);
            orders.push((
                format!("A {no} {sector}"),
                say!(
                    "Advance: unit {no}, {who}, sets out for {city}, the nearest city that you \
                     know, {far} sectors away, and takes it if it can. {held}, so send several \
                     units. \"Advance {no} to {city}\" says the same.",
                    city = city.seen.name,
                    held = match city.seen.owner {
                        Some(NOBODY) => say!("A city that nobody holds has a garrison"),
                        Some(player) => say!("It belongs to player {player}, who will defend it"),
                        None => say!("Who holds it is not known"),
                    }
                ),
            ));
        }
    }
    if let Some((number, city)) = view.power.cities.first_key_value()
        && let Some(row) = view.tables.units.first()
    {
        orders.push((
            format!("C {number} {}", row.id),
            say!(
                "Construct: a production centre of {city} builds {unit} (item {item} of the list \
                 in the turn card), for {pp} PP. A city has several centres; write the line once \
                 for each.",
                city = city.name,
                unit = tongue::word(&row.name),
                item = row.id,
                pp = row.pp
            ),
        ));
    }
    let spent = view.power.stock.min(5);
    if spent > 0 {
        orders.push((
            format!("E {spent}"),
            say!(
                "Research: {spent} of your PP go into the next tech level, which brings better \
                 units; the more, the sooner."
            ),
        ));
    }
    orders
}
