//! Coalitions, rebels, fallen empires and the news of the world.

use super::Words;
use crate::events::{Event, News};
use crate::orders::sector_no;
use crate::phrases::ranges;
use crate::state::NOBODY;
use engine::geometry::Place;
use tongue::say;

impl Words<'_> {
    /// Coalitions, rebels, fallen empires, victory.
    pub(super) fn politics(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
            Event::CoalitionStands { members } => {
                let members = ranges(members.iter().map(|&m| m.into()));
                say!("Players {members} form a coalition and are allies of each other.")
            }
            Event::CoalitionLeft { player, expelled } => match (*player == self.seat, expelled) {
                (true, true) => say!("You were voted out of the coalition."),
                (true, false) => say!("You left the coalition."),
                (false, true) => say!("Player {player} was voted out of the coalition."),
                (false, false) => say!("Player {player} left the coalition."),
            },
            Event::Rebelled { city, name, at: place } => {
                say!("City {city} {name} at {at} has risen against you.", at = at(place))
            }
            Event::Fallen { player } if *player == self.seat => {
                say!("Your empire has fallen: no city and no unit is left.")
            }
            Event::Fallen { player } => say!("The empire of player {player} has fallen."),
            Event::Holding { members, cities, total, turns } => {
                let of = self.tables.rules.victory.turns;
                match members.as_slice() {
                    [_] => say!(
                        "You hold {cities} of {total} cities, enough to win: turn {turns} of {of} \
                         in a row."
                    ),
                    _ => say!(
                        "Your coalition holds {cities} of {total} cities, enough to win: turn \
                         {turns} of {of} in a row."
                    ),
                }
            }
            Event::GameOver { winners } => match winners.as_slice() {
                [] => say!("The game is over; nobody is left to play it."),
                [one] if *one == self.seat => say!("The game is over: you are World Leader!"),
                [one] => say!("The game is over: player {one} is World Leader."),
                all => {
                    let names = ranges(all.iter().map(|&m| m.into()));
                    match all.contains(&self.seat) {
                        true => say!("The game is over: your coalition has won, players {names}!"),
                        false => {
                            say!("The game is over: the coalition of players {names} has won.")
                        }
                    }
                }
            },
            _ => String::new(),
        }
    }

    /// News that everybody hears; those of cities that changed hands are only parts of a sentence.
    pub(super) fn news(&self, news: &News) -> String {
        match news {
            News::Holding { members, turns, of } => holding(self.seat, members, *turns, *of),
            News::Taken { city, from, by, rebels } => {
                let from = if *rebels { say!("rebels") } else { self.holder(*from) };
                let by = if *by == NOBODY { say!("rebels") } else { self.holder(*by) };
                say!("{city} from {from} to {by}")
            }
            News::Atomic { by, hit } => {
                let hit = match hit.as_slice() {
                    [] => say!("nobody"),
                    [one] => self.power(*one, false),
                    all => say!("players {players}", players = numbers(all)),
                };
                let by = self.power(*by, false);
                say!("Atomic strike, fired by {by}; hit: {hit}.")
            }
            News::Rebelled { city, player } if *player == self.seat => {
                say!("Your city {city} is in the hands of rebels.")
            }
            News::Rebelled { city, player } => {
                let holder = self.holder(*player);
                say!("City {city} of {holder} is in the hands of rebels.")
            }
            News::Fallen { player } if *player == self.seat => say!("Your empire has fallen."),
            News::Fallen { player } => say!("The empire of player {player} has fallen."),
            News::Coalition { members } => coalition_stands(members),
            News::LeavesCoalition { player, expelled } => match (*player == self.seat, expelled) {
                (true, true) => say!("You were voted out of the coalition."),
                (true, false) => say!("You have left the coalition."),
                (false, true) => say!("Player {player} was voted out of the coalition."),
                (false, false) => say!("Player {player} has left the coalition."),
            },
            News::CoalitionEnds { members } => coalition_ends(members),
        }
    }
}

fn numbers(seats: &[u8]) -> String {
    ranges(seats.iter().map(|&s| s.into()))
}

/// Who holds enough cities to win, as one reader sees it.
pub fn holding(reader: u8, members: &[u8], turns: u8, of: u8) -> String {
    match members {
        [one] if *one == reader => {
            say!("You hold enough cities to win: turn {turns} of {of} in a row.")
        }
        [one] => say!("Player {one} holds enough cities to win: turn {turns} of {of} in a row."),
        all => say!(
            "The coalition of players {players} holds enough cities to win: turn {turns} of {of} \
             in a row.",
            players = numbers(all)
        ),
    }
}

/// A coalition was formed or has grown.
pub fn coalition_stands(members: &[u8]) -> String {
    say!("Players {players} form a coalition.", players = numbers(members))
}

/// A coalition ended.
pub fn coalition_ends(members: &[u8]) -> String {
    say!("The coalition of players {players} is no more.", players = numbers(members))
}
