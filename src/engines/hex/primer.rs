//! What a newcomer is told before all else.

use super::view::View;
use engine::Primer;

/// The primer of a seat.
pub fn primer(view: &View) -> Primer {
    let edges = match view.seat.0 {
        1 => "the upper edge with the lower one",
        _ => "the left edge with the right one",
    };
    Primer {
        aim: format!("Place stones by turns and be the first to join {edges} by a chain of yours."),
        reading: vec!["A place is a letter for its column and the number of its row.".to_owned()],
        orders: vec![("PLAY C3".to_owned(), "Places your stone on C3.".to_owned())],
    }
}
