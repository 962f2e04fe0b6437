//! Coalitions, rebels, fallen empires and the news of the world.

use super::Words;
use crate::events::{Event, News};
use crate::orders::sector_no;
use crate::phrases::ranges;
use crate::state::NOBODY;
use engine::geometry::Place;

impl Words<'_> {
    /// Coalitions, rebels, fallen empires, victory.
    pub(super) fn politics(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
            Event::CoalitionStands { members } => {
                let members = ranges(members.iter().map(|&m| m.into()));
                format!("Players {members} form a coalition and are allies of each other.")
            }
            Event::CoalitionLeft { player, expelled } => {
                let how = if *expelled { "was voted out of" } else { "left" };
                match *player == self.seat {
                    true if *expelled => "You were voted out of the coalition.".to_owned(),
                    true => "You left the coalition.".to_owned(),
                    false => format!("Player {player} {how} the coalition."),
                }
            }
            Event::Rebelled { city, name, at: place } => {
                format!("City {city} {name} at {} has risen against you.", at(place))
            }
            Event::Fallen { player } if *player == self.seat => {
                "Your empire has fallen: no city and no unit is left.".to_owned()
            }
            Event::Fallen { player } => format!("The empire of player {player} has fallen."),
            Event::Holding { members, cities, total, turns } => {
                let who = match members.as_slice() {
                    [_] => "You hold".to_owned(),
                    _ => "Your coalition holds".to_owned(),
                };
                let of = self.tables.rules.victory.turns;
                format!(
                    "{who} {cities} of {total} cities, enough to win: turn {turns} of {of} in a row."
                )
            }
            Event::GameOver { winners } => match winners.as_slice() {
                [] => "The game is over; nobody is left to play it.".to_owned(),
                [one] if *one == self.seat => "The game is over: you are World Leader!".to_owned(),
                [one] => format!("The game is over: player {one} is World Leader."),
                all => {
                    let names = ranges(all.iter().map(|&m| m.into()));
                    match all.contains(&self.seat) {
                        true => {
                            format!("The game is over: your coalition has won, players {names}!")
                        }
                        false => {
                            format!("The game is over: the coalition of players {names} has won.")
                        }
                    }
                }
            },
            _ => String::new(),
        }
    }

    /// What everybody hears; cities that changed hands are told together.
    pub(super) fn news(&self, news: &News) -> String {
        let all = |seats: &[u8]| ranges(seats.iter().map(|&s| s.into()));
        match news {
            News::Holding { members, turns, of } => {
                let who = match members.as_slice() {
                    [one] if *one == self.seat => "You hold".to_owned(),
                    [one] => format!("Player {one} holds"),
                    all_of_them => format!("The coalition of players {} holds", all(all_of_them)),
                };
                format!("{who} enough cities to win: turn {turns} of {of} in a row.")
            }
            News::Taken { city, from, by, rebels } => {
                let from = if *rebels { "rebels".to_owned() } else { self.holder(*from) };
                let by = if *by == NOBODY { "rebels".to_owned() } else { self.holder(*by) };
                format!("{city} from {from} to {by}")
            }
            News::Atomic { by, hit } => {
                let hit = match hit.as_slice() {
                    [] => "nobody".to_owned(),
                    [one] => self.power(*one, false),
                    all => format!("players {}", ranges(all.iter().map(|&s| s.into()))),
                };
                format!("Atomic strike, fired by {}; hit: {hit}.", self.power(*by, false))
            }
            News::Rebelled { city, player } if *player == self.seat => {
                format!("Your city {city} is in the hands of rebels.")
            }
            News::Rebelled { city, player } => {
                format!("City {city} of {} is in the hands of rebels.", self.holder(*player))
            }
            News::Fallen { player } if *player == self.seat => "Your empire has fallen.".to_owned(),
            News::Fallen { player } => format!("The empire of player {player} has fallen."),
            News::Coalition { members } => format!("Players {} form a coalition.", all(members)),
            News::LeavesCoalition { player, expelled } => {
                let how = if *expelled { "was voted out of" } else { "has left" };
                format!("{} {how} the coalition.", self.power(*player, true))
                    .replace("You was", "You were")
                    .replace("You has", "You have")
            }
            News::CoalitionEnds { members } => {
                format!("The coalition of players {} is no more.", all(members))
            }
        }
    }
}
