//! The introduction for newcomers.

use super::view::View;
use engine::Primer;
use tongue::say;

/// The primer of a seat.
pub fn primer(view: &View) -> Primer {
    let aim = match view.seat.0 {
        1 => say!(
            "Place stones by turns and be the first to join the upper edge with the lower one by \
             a chain of yours."
        ),
        _ => say!(
            "Place stones by turns and be the first to join the left edge with the right one by \
             a chain of yours."
        ),
    };
    Primer {
        aim,
        reading: vec![say!("A place is a letter for its column and the number of its row.")],
        orders: vec![("PLAY C3".to_owned(), say!("Places your stone on C3."))],
    }
}
