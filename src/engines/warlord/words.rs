//! Events in sentences, as their reader sees them; each category has its own file.

mod air;
mod battles;
mod economy;
mod movement;
mod politics;

pub use politics::{coalition_ends, coalition_stands, holding};

use super::desk::Param;
use super::events::{Category, Event, Loss, SideReport, Told};
use super::phrases::force;
use super::state::NOBODY;
use super::tables::Tables;
use engine::geometry::Grid;
use tongue::say;

/// The data that sentences need.
pub struct Words<'a> {
    /// The tables of the game.
    pub tables: &'a Tables,
    /// Size of the map.
    pub grid: Grid,
    /// The reader's seat.
    pub seat: u8,
    /// The reader's language.
    pub language: &'a str,
}

impl Words<'_> {
    /// An event as the reader sees it; empty for events that have their own section.
    pub fn described(&self, event: &Event) -> String {
        match event.category() {
            // Lines and spy reports have their own sections.
            Category::Orders | Category::Spying => String::new(),
            Category::Production => self.production(&[event]).concat(),
            Category::Movement => self.standing(event),
            Category::Battles => self.battles(event),
            Category::Air => self.air(event),
            Category::Ruins => self.ruins(event),
            Category::Politics => self.politics(event),
            Category::Economy => self.economy(event, None),
            Category::Messages => self.messages(event),
            Category::News => match event {
                Event::News(news) => self.news(news),
                _ => String::new(),
            },
        }
    }

    /// Messages that went out.
    fn messages(&self, event: &Event) -> String {
        match event {
            Event::MessageSent { to, sentences } => {
                let letter = self.letter(sentences);
                match to {
                    Some(player) => say!("You wrote to player {player}: {letter}"),
                    None => say!("You wrote to all players: {letter}"),
                }
            }
            _ => String::new(),
        }
    }

    /// The name of a power for the reader.
    pub fn power(&self, seat: u8, start: bool) -> String {
        match seat {
            NOBODY if start => say!("The garrison of a free city"),
            NOBODY => say!("the garrison of a free city"),
            s if s == self.seat && start => say!("You"),
            s if s == self.seat => say!("you"),
            seat if start => say!("Player {seat}"),
            seat => say!("player {seat}"),
        }
    }

    /// `player 5`, `you`, `nobody`.
    fn holder(&self, seat: u8) -> String {
        match seat {
            NOBODY => say!("nobody"),
            s => self.power(s, false),
        }
    }

    /// A power in a fight; the nameless one is rebels or the garrison of a free city.
    fn force(&self, seat: u8, rebels: bool, start: bool) -> String {
        match (seat, rebels, start) {
            (NOBODY, true, true) => say!("Rebels"),
            (NOBODY, true, false) => say!("rebels"),
            _ => self.power(seat, start),
        }
    }

    /// Forces of a side with losses; only the owner sees unit numbers.
    fn losses(&self, side: &SideReport) -> String {
        let one = |l: &Loss| {
            let (unit, force) = (l.unit, force(l.before, self.kind(l.kind)));
            match (side.seat == self.seat, l.before - l.after) {
                (true, 0) => say!("unit {unit}, {force} (none lost)"),
                (true, n) => say!("unit {unit}, {force} ({n} lost)"),
                (false, 0) => say!("{force} (none lost)"),
                (false, n) => say!("{force} ({n} lost)"),
            }
        };
        side.losses.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    fn kind(&self, kind: u8) -> &str {
        &self.tables.row(kind).name
    }

    /// A message of the reader, in quotation marks.
    pub fn letter(&self, sentences: &[Told]) -> String {
        let text: Vec<String> = sentences.iter().map(|told| self.sentence(told)).collect();
        let address = say!("(your name and address, as far as you disclose them)");
        say!("\"{text}\"", text = text.join(" ").replace('@', &address))
    }

    /// A sentence of a message; `@` stays for the caller to fill in.
    pub fn sentence(&self, told: &Told) -> String {
        let mut text = self.tables.sentence(told.sentence.code, self.language).to_owned();
        for (i, param) in told.sentence.params.iter().enumerate() {
            let value = match param {
                Param::Number(n) => n.to_string(),
                Param::Sector(col, row) => format!("{col:03}-{row:02}"),
            };
            text = text.replace(&format!("{{{}}}", i + 1), &value);
        }
        let mut values = told.values.iter();
        while let (Some(start), Some(end)) = (text.find('['), text.find(']')) {
            let value = values.next().map_or("?", String::as_str);
            text.replace_range(start..=end, value);
        }
        text
    }
}
