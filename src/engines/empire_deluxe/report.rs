//! The printout (§18).

use engine::Report;
use engine::report::Section;

use super::view::View;

/// The printout of a seat.
pub fn report(view: &View) -> Report {
    let title = format!("Player {} in Empire Deluxe", view.seat);
    Report { title, sections: Vec::<Section>::new() }
}
