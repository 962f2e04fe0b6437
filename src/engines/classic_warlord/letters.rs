//! Letters between seats (§14.20): free, and nothing in them binds anybody.

use engine::press::{self, Addressee, Block};
use engine::{Seat, Told};
use serde::{Deserialize, Serialize};

use super::tables::Options;

/// A letter as it will be printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// Who wrote it; `None`: who wishes not to be named.
    pub from: Option<Seat>,
    /// Who gets it.
    pub to: Vec<Seat>,
    /// Its lines.
    pub text: Vec<String>,
}

impl Letter {
    /// As one of those sees it whom it goes to; the others see nothing of it.
    pub fn for_seat(&self, seat: Seat) -> Option<Self> {
        self.to.contains(&seat).then(|| Self { to: vec![seat], ..self.clone() })
    }
}

/// The letter of a block in the card of a seat, and what to say of it.
///
/// # Errors
/// What is wrong with it; then nobody gets it.
pub fn letter(
    block: &Block,
    sender: Seat,
    seats: impl Iterator<Item = Seat>,
    options: &Options,
) -> Result<(Letter, Told), Told> {
    let others: Vec<Seat> = seats.filter(|seat| *seat != sender).collect();
    let seat = |n: &u32| others.iter().copied().find(|seat| u32::from(seat.0) == *n).ok_or(*n);
    let to = match &block.opening.to {
        Addressee::All => Ok(others.clone()),
        Addressee::Seats(list) => list.iter().map(seat).collect(),
        Addressee::News => {
            return Err(Told::error("no-news", "there is no newspaper; PRESS ALL writes to all"));
        }
    };
    let mut to = to.map_err(|n| {
        let others: Vec<String> = others.iter().map(Seat::to_string).collect();
        let note = format!("you can't write to {n}; there are {}", others.join(", "));
        Told::error("no-seat", note)
    })?;
    to.sort_unstable();
    to.dedup();
    let (lines, columns) = (options.limits.letter_lines, options.limits.letter_columns);
    let anonymous = block.opening.anonymous;
    let named = if anonymous { "without your name" } else { "with your name" };
    let Some(fit) = press::fit(block, lines, columns, named) else {
        return Err(Told::error("no-text", "there is no text between this line and END"));
    };
    let told = match fit.whole {
        true => Told::ok(fit.note),
        false => Told::warning("unfit", fit.note),
    };
    let text = fit.text;
    Ok((Letter { from: (!anonymous).then_some(sender), to, text }, told))
}
