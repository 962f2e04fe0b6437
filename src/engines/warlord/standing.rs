//! The standing of all seats when the game is over.

use super::state::{Power, State};

/// The final standing of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Final {
    /// The seat.
    pub seat: u8,
    /// Its place from 1; winners share the first.
    pub rank: u32,
    /// Its rating.
    pub points: i64,
    /// Cities that it holds.
    pub cities: usize,
    /// The turn in which it fell.
    pub fell: Option<u32>,
}

/// All seats by number, once the game is over. Winners rank first, then seats that have not fallen,
/// each by rating.
pub fn finals(state: &State) -> Option<Vec<Final>> {
    let over = state.over.as_ref()?;
    let won = |p: &Power| over.winners.contains(&p.seat);
    let powers = &state.powers[1..];
    let rank = |p: &Power| {
        let key = |x: &Power| (won(x), x.fell.is_none(), x.rating.total());
        // There are at most 200 seats.
        if won(p) { 1 } else { powers.iter().filter(|q| key(q) > key(p)).count() as u32 + 1 }
    };
    let end = |p: &Power| Final {
        seat: p.seat,
        rank: rank(p),
        points: p.rating.total(),
        cities: p.cities.len(),
        fell: p.fell,
    };
    Some(powers.iter().map(end).collect())
}
