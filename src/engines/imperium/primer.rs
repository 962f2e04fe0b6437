//! The introduction for a newcomer: the aim, how to read a printout, a first card.

use super::kinds::Side;
use super::orders::{self, Order};
use super::view::View;
use engine::{CardText, Primer};
use tongue::say;

/// The primer of a seat.
pub fn primer(view: &View) -> Primer {
    let glory = view.glory;
    let aim = match view.side {
        Side::Terran => say!(
            "You lead the Terran side, which is small and builds fast, in a war between the stars. \
             Take Worlds and Outposts and beat the enemy's fleets: that moves Glory, which stands at \
             {glory}, and you win the war when it is low enough."
        ),
        Side::Imperial => say!(
            "You lead the Imperial side, which is rich and far from home, in a war between the \
             stars. Take Worlds and Outposts and beat the enemy's fleets: that moves Glory, which \
             stands at {glory}, and you win the war when it is high enough."
        ),
    };
    let galaxy = &view.board.galaxy;
    let mut reading = Vec::new();
    if let Some(system) = galaxy.all().next() {
        reading.push(say!(
            "A system has two digits, {system} is {name}; its planets are {system}.1 and so on. In \
             orders names do as well.",
            name = galaxy.name(system)
        ));
    }
    reading.push(say!(
        "A unit is a type and a number, such as DD3; fleets have numbers of their own. HELP and a \
         type, such as HELP DD, says what it can do."
    ));
    reading.push(say!(
        "A turn has an administration, in which you build, and four segments, in which you \
         activate systems one after the other: a line A and a system, and below it what the \
         fleets there do."
    ));
    let mut orders = match view.side {
        Side::Terran => vec![
            (
                "Y K 0".to_owned(),
                say!(
                    "In space battles your capital ships close to range 0, where beams hit best; \
                     without an order they seek range 1. It stays so until you change it."
                ),
            ),
            (
                "Y CV 1".to_owned(),
                say!("Carriers are capital ships without beams: they stay at range 1."),
            ),
            (
                "Y CS 1".to_owned(),
                say!("Strike cruisers, which fight with torpedoes, stay at range 1."),
            ),
        ],
        Side::Imperial => vec![
            (
                "Y L 1".to_owned(),
                say!(
                    "In space battles your light ships seek range 1, where your torpedoes hit as \
                     well and beams hardly do; without an order they close to range 0. It stays so \
                     until you change it."
                ),
            ),
            (
                "I F".to_owned(),
                say!(
                    "You appeal to the Emperor for forces, once a turn. It costs nothing, but 2 or 3 \
                     on its two dice (1 time of 12) ends all appeals of this war."
                ),
            ),
        ],
    };
    orders.retain(|(order, _)| changes(view, order));
    Primer { aim, reading, orders }
}

/// Whether an order differs from what is on file.
fn changes(view: &View, order: &str) -> bool {
    let entries = orders::read(&view.board, view.side, &CardText::new(order));
    entries.iter().any(|entry| match &entry.read {
        Ok(Order::Stand(stand)) => {
            let mut then = view.filed.standing.clone();
            then.set(stand, usize::MAX);
            then != view.filed.standing
        }
        Ok(Order::Appeal(what, cond)) => !view.filed.appeals.contains(&(*what, cond.clone())),
        _ => true,
    })
}
