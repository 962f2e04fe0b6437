//! A mail's new text taken apart: heading, commands, orders.

pub mod echo;

use crate::engine::{CardText, Seat, Turn, press};

/// Commands by mail that this robot knows, with what they do.
pub const COMMANDS: &[(&str, &str, &str)] = &[
    ("HELP", "HELP [topic]", "how to play by mail; the topics stand in its list"),
    ("STATUS", "STATUS", "your orders on file and the deadline"),
    ("RULES", "RULES [chapter]", "the rulebook of your game: contents, a chapter, or ALL"),
    ("RESEND", "RESEND [turn]", "sends a printout again"),
    ("LANG", "LANG [code]", "language of other players' messages, such as LANG de"),
    ("CHECK", "CHECK", "judges the orders below and files nothing"),
    ("ADD", "ADD", "appends the orders below to those on file"),
    ("CANCEL", "CANCEL", "withdraws your orders on file"),
];

/// A command as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Help(Option<String>),
    Status,
    Rules(Option<String>),
    /// `None`: which there are.
    Lang(Option<String>),
    Resend(Option<Turn>),
    Check,
    Add,
    Cancel,
    /// Confirms a held card.
    Yes,
}

/// `GAME W7 SEAT 34 TURN 12 PASSWORD …`, as far as it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heading {
    pub game: Option<String>,
    pub seat: Option<Seat>,
    pub turn: Option<Turn>,
    pub password: Option<String>,
}

/// What a mail asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    pub heading: Heading,
    pub command: Option<Command>,
    pub card: CardText,
    /// A first word that is nearly a command: as written, and the command.
    pub meant: Option<(String, &'static str)>,
}

impl Request {
    /// Reads the new lines of a mail. Lines keep the numbers that they have in it.
    pub fn read(lines: &[String]) -> Self {
        let mut request = Self::default();
        let numbered = (1u32..).zip(lines);
        let mut orders: Vec<(u32, String)> = Vec::new();
        for (number, line) in numbered {
            let text = line.trim();
            // Lines that begin so are ours, come back from a printout.
            if text.is_empty() || text.starts_with('|') {
                continue;
            }
            let head = orders.is_empty();
            if head && (request.read_heading(text) || request.read_command(text)) {
                continue;
            }
            if head && is_greeting(text) {
                continue;
            }
            orders.push((number, line.trim_end().to_owned()));
        }
        request.card = CardText { lines: orders };
        request
    }

    fn read_heading(&mut self, text: &str) -> bool {
        let words: Vec<&str> = text.split_whitespace().collect();
        let key = |w: &str| w.trim_end_matches(':').to_uppercase();
        let first = words.first().map(|w| key(w)).unwrap_or_default();
        if !["GAME", "SEAT", "TURN", "PASSWORD"].contains(&first.as_str()) || words.len() < 2 {
            return false;
        }
        for pair in words.chunks(2) {
            let [name, value] = pair else { continue };
            match key(name).as_str() {
                "GAME" => self.heading.game = Some((*value).to_owned()),
                "SEAT" => self.heading.seat = value.parse().ok().map(Seat),
                "TURN" => self.heading.turn = value.parse().ok(),
                "PASSWORD" => self.heading.password = Some((*value).to_owned()),
                _ => {}
            }
        }
        true
    }

    fn read_command(&mut self, text: &str) -> bool {
        let mut words = text.split_whitespace();
        let word = words.next().unwrap_or_default().trim_end_matches(['.', ':', ',']);
        let upper = word.to_uppercase();
        let argument = words.next();
        if words.next().is_some() {
            return false;
        }
        let command = match upper.as_str() {
            "HELP" => Command::Help(argument.map(str::to_uppercase)),
            "STATUS" => Command::Status,
            "RULES" => Command::Rules(argument.map(str::to_uppercase)),
            "LANG" => Command::Lang(argument.map(str::to_lowercase)),
            "RESEND" => Command::Resend(argument.and_then(|a| a.parse().ok())),
            "CHECK" => Command::Check,
            "ADD" => Command::Add,
            "CANCEL" => Command::Cancel,
            "YES" => Command::Yes,
            _ => {
                let near = |c: &&(&str, &str, &str)| strsim::osa_distance(&upper, c.0) <= 1;
                let Some(found) = COMMANDS.iter().find(near).filter(|_| upper.len() > 2) else {
                    return false;
                };
                self.meant.get_or_insert((word.chars().take(20).collect(), found.0));
                return true;
            }
        };
        self.command.get_or_insert(command);
        true
    }

    /// Whether the mail asks for nothing at all.
    pub fn is_empty(&self) -> bool {
        self.command.is_none() && self.meant.is_none() && self.card.lines.is_empty()
    }
}

/// Words before the orders, such as `Hello,` or `here are my orders:`; no sign by
/// which an order, a section or a message begins.
fn is_greeting(text: &str) -> bool {
    let short_head = text.split_whitespace().next().is_some_and(|w| w.len() <= 2);
    !text.contains(|c: char| c.is_ascii_digit() || "@#;/".contains(c))
        && press::opens(text).is_none()
        && (!short_head || text.split_whitespace().count() > 3)
}

/// Game, turn and seat of a subject such as `Re: [W7 T12 S34] orders`.
pub fn subject_tag(subject: &str) -> Option<(String, Turn, Seat)> {
    let inside = subject.split('[').skip(1).filter_map(|part| part.split(']').next());
    inside
        .filter_map(|tag| {
            let mut words = tag.split_whitespace();
            let game = words.next()?.to_owned();
            let turn = words.next()?.strip_prefix(['T', 't'])?.parse().ok()?;
            let seat = words.next()?.strip_prefix(['S', 's'])?.parse().ok()?;
            Some((game, turn, Seat(seat)))
        })
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Request {
        Request::read(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn heading_command_and_orders_are_told_apart() {
        let got = read("Hello robot,\n\nGAME W7 SEAT 34 PASSWORD abc\nadd\nA 12 2\n\nhelp 1\n");
        assert_eq!(got.heading.game.as_deref(), Some("W7"));
        assert_eq!(got.heading.seat, Some(Seat(34)));
        assert_eq!(got.heading.password.as_deref(), Some("abc"));
        assert_eq!(got.command, Some(Command::Add));
        assert_eq!(got.card.lines, [(5, "A 12 2".to_owned()), (7, "help 1".to_owned())]);
    }

    #[test]
    fn sections_and_messages_are_no_greetings() {
        for first in ["@TU", "@", "PRESS ALL", "NEWS ANON", "/1/"] {
            assert_eq!(
                read(&format!("Hello there,\n{first}\nBA 5\n")).card.lines.len(),
                2,
                "{first}"
            );
        }
        assert_eq!(read("To whom it may concern\nBA 5\n").card.lines.len(), 1);
    }

    #[test]
    fn a_nearly_right_command_names_the_right_one() {
        assert_eq!(read("STATSU").meant, Some(("STATSU".to_owned(), "STATUS")));
        assert_eq!(read("A 12 2").meant, None);
    }

    #[test]
    fn lines_of_ours_are_never_orders() {
        assert_eq!(read("| A 12 2\n|\n").card, CardText::default());
    }

    #[test]
    fn subjects_carry_game_turn_and_seat() {
        let tag = subject_tag("RE: AW: [W7 T12 S34] your printout");
        assert_eq!(tag, Some(("W7".to_owned(), 12, Seat(34))));
        assert_eq!(subject_tag("[list] hello"), None);
    }
}
