//! The colour of each player, the same wherever players stand beside each other.

use engine::Seat;
use engine::report::Tint;

/// Colours in the order of seats: neighbours in the list differ for every eye.
const COLOURS: [Tint; 24] = [
    Tint::new(4, 0, 14),
    Tint::new(14, 12, 2),
    Tint::new(5, 13, 15),
    Tint::new(10, 4, 0),
    Tint::new(0, 7, 6),
    Tint::new(14, 6, 10),
    Tint::new(9, 10, 8),
    Tint::new(4, 8, 15),
    Tint::new(5, 5, 7),
    Tint::new(10, 8, 5),
    Tint::new(9, 13, 8),
    Tint::new(15, 4, 0),
    Tint::new(3, 9, 9),
    Tint::new(6, 6, 12),
    Tint::new(11, 9, 12),
    Tint::new(14, 10, 11),
    Tint::new(8, 3, 4),
    Tint::new(8, 1, 9),
    Tint::new(8, 6, 9),
    Tint::new(6, 7, 4),
    Tint::new(9, 1, 1),
    Tint::new(10, 6, 7),
    Tint::new(9, 10, 15),
    Tint::new(14, 9, 5),
];

/// The colour of a seat; beyond the last they come again, so a number stands beside it.
pub(super) fn player(seat: Seat) -> Tint {
    COLOURS[usize::from(seat.0).saturating_sub(1) % COLOURS.len()]
}

#[cfg(test)]
mod tests {
    use super::super::tints::hex;
    use super::*;

    #[test]
    fn each_of_24_seats_has_its_own_colour() {
        let all: Vec<String> = (1..=24).map(|n| hex(player(Seat(n)))).collect();
        assert_eq!((&all[0][..], &all[1][..], &all[23][..]), ("#40e", "#ec2", "#e95"));
        let mut apart = all.clone();
        apart.sort();
        apart.dedup();
        assert_eq!(apart.len(), 24);
        assert_eq!(hex(player(Seat(25))), all[0], "then they come again");
    }
}
