//! A mail's new text taken apart: heading, commands, orders.

pub mod echo;
pub mod json;

use engine::{CardText, Seat, Turn, press};
use mail::quoting;

/// A command by mail: its word, its form, what it does. Help and parser both read
/// these tables.
pub type Row = (&'static str, &'static str, &'static str);

/// Commands of players.
pub const COMMANDS: &[Row] = &[
    ("HELP", "HELP [topic]", "how to play by mail; the topics stand in its list"),
    ("STATUS", "STATUS", "your orders on file and the deadline"),
    ("RULES", "RULES [chapter]", "the rulebook of your game: contents, a chapter, or ALL"),
    ("RESEND", "RESEND [turn]", "sends a printout again"),
    ("CARD", "CARD", "a blank turn card"),
    ("CHECK", "CHECK", "judges the orders below and files nothing"),
    ("ADD", "ADD", "appends the orders below to those on file"),
    ("CANCEL", "CANCEL", "withdraws your orders on file"),
    ("READY", "READY", "you are done; the turn may run when all are, if the game allows"),
    ("NOTREADY", "NOTREADY", "takes READY back"),
    ("EXTEND", "EXTEND days reason", "votes for a later deadline of this turn"),
    ("VACATION", "VACATION from to", "dates such as 2026-12-20; VACATION OFF ends it"),
    ("PRESS", "PRESS 3,4 [ANON]", "a message, its text, then END, among the orders; or PRESS ALL"),
    ("GAMES", "GAMES", "the games of this host"),
    ("JOIN", "JOIN game [seat]", "takes a seat; more: name=… address=relay zone=Europe/London"),
    ("NAME", "NAME text", "the name that your seat goes by"),
    ("CONTACT", "CONTACT relay", "or disclose, or hide: how those whom you meet reach you"),
    ("ADDRESS", "ADDRESS you@example.org", "moves your seat to another mail address"),
    ("PASSWORD", "PASSWORD new", "a new password, at least 10 characters"),
    ("ZONE", "ZONE Europe/London", "the time zone of your dates"),
    (
        "FORMAT",
        "FORMAT both pdf",
        "or text; pdf a4 letter nopdf, json nojson, ics noics, words nowords",
    ),
    ("LANG", "LANG [code]", "language of other players' messages, such as LANG de"),
    ("REMINDERS", "REMINDERS off", "or on: mails before a deadline"),
    ("RESIGN", "RESIGN", "leaves your seat; you are asked once more"),
    ("EXPORT", "EXPORT", "everything that is stored about you, as a file"),
    ("FORGET", "FORGET", "erases you after you have left; you are asked once more"),
];

/// What becomes of the orders of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// They replace those on file.
    #[default]
    File,
    Add,
    Check,
    /// Those on file are withdrawn.
    Cancel,
}

/// What somebody wishes who wants a seat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Join {
    pub game: String,
    /// A number, or a word that only the game's master can make sense of.
    pub seat: Option<String>,
    pub name: String,
    pub contact: Option<String>,
    pub zone: Option<String>,
}

/// A command as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Help(Option<String>),
    Status,
    Rules(Option<String>),
    Resend(Option<Turn>),
    Card,
    Ready(bool),
    Extend(u32, String),
    /// Two dates as written; `None`: it ends now.
    Vacation(Option<(String, String)>),
    Games,
    Join(Join),
    Name(String),
    Contact(String),
    Address(String),
    Password(String),
    Zone(String),
    Format(Vec<String>),
    /// `None`: which there are.
    Lang(Option<String>),
    Reminders(bool),
    Resign,
    Export,
    Forget,
    /// Confirms a held card, or answers a question.
    Yes,
    /// Everything behind `GM`.
    Gm(String),
}

impl Command {
    /// Whether it changes something and so needs proof.
    pub fn changes(&self) -> bool {
        !matches!(
            self,
            Self::Help(_)
                | Self::Status
                | Self::Rules(_)
                | Self::Resend(_)
                | Self::Card
                | Self::Games
                | Self::Join(_)
                | Self::Export
                | Self::Yes
                | Self::Gm(_)
        )
    }
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
    pub mode: Mode,
    /// Whether a word of the mail chose the mode.
    pub mode_named: bool,
    /// Commands in order.
    pub commands: Vec<Command>,
    pub card: CardText,
    /// A first word that is nearly a command, or one in a wrong form: as written, and
    /// the right form.
    pub meant: Option<(String, &'static str)>,
    /// A second card begins within the first.
    pub two_cards: bool,
    /// What is wrong with a card in JSON that can't be read.
    pub wrong: Option<String>,
}

/// A line as a command.
enum Read {
    No,
    Mode(Mode),
    Command(Command),
    /// Nearly; this is the right form.
    Wrong(&'static str),
}

impl Request {
    /// Reads the new lines of a mail; `starts_order` says which begin as an order of its game
    /// does. Lines keep the numbers that they have in it.
    pub fn read(lines: &[String], starts_order: &dyn Fn(&str) -> bool) -> Self {
        if json::is_meant(lines) {
            return match json::lines(lines) {
                Ok(lines) => Self::read_lines(&lines, starts_order),
                Err(why) => Self { wrong: Some(why), ..Self::default() },
            };
        }
        Self::read_lines(lines, starts_order)
    }

    fn read_lines(lines: &[String], starts_order: &dyn Fn(&str) -> bool) -> Self {
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
                // What a game master tells goes on to the end of the mail.
                if let Some(Command::Gm(said)) = request.commands.last_mut() {
                    let rest = lines.iter().skip(number as usize);
                    rest.for_each(|l| *said += &format!("\n{l}"));
                    break;
                }
                continue;
            }
            if head && !starts_order(text) && is_greeting(text) {
                continue;
            }
            let mut second = Self::default();
            if !head && second.read_heading(text) && second.heading.game.is_some() {
                request.two_cards |= second.heading.seat.is_some();
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
        // PASSWORD alone is the command that sets a new one; below GAME and SEAT it proves.
        let named = self.heading.game.is_some() && self.heading.seat.is_some();
        let proves = first == "PASSWORD" && named && self.heading.password.is_none();
        let known = ["GAME", "SEAT", "TURN"].contains(&first.as_str()) || proves;
        if !known || words.len() < 2 {
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
        let named = text.split_whitespace().next().unwrap_or_default();
        match read_command(text) {
            Read::No => return false,
            Read::Mode(mode) => (self.mode, self.mode_named) = (mode, true),
            Read::Command(command) => self.commands.push(command),
            Read::Wrong(form) => {
                self.meant.get_or_insert((named.chars().take(20).collect(), form));
            }
        }
        true
    }

    /// Whether the mail asks for nothing at all.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
            && !self.mode_named
            && self.meant.is_none()
            && self.wrong.is_none()
            && self.card.lines.is_empty()
    }

    /// Whether it would change something, and so needs proof.
    pub fn changes(&self) -> bool {
        self.mode_named || !self.card.lines.is_empty() || self.commands.iter().any(Command::changes)
    }
}

/// The form of a command.
fn form_of(word: &str) -> &'static str {
    COMMANDS.iter().find(|c| c.0 == word).map_or("HELP", |c| c.1)
}

/// Reads a line as a command. Words of sentences are none: a command stands alone,
/// or what follows has its form; one in capitals with a wrong form is told the right.
fn read_command(text: &str) -> Read {
    let mut words = text.split_whitespace();
    let written = words.next().unwrap_or_default().trim_end_matches(['.', ':', ',', '!']);
    let word = written.to_uppercase();
    let rest: Vec<&str> = words.collect();
    let tail = text.trim().split_once(char::is_whitespace).map_or("", |(_, t)| t.trim());
    let capitals = written == word && written.len() > 2;
    let wrong = || match capitals {
        true => Read::Wrong(form_of(&word)),
        false => Read::No,
    };
    let alone = |command: Command| match rest.as_slice() {
        [] => Read::Command(command),
        _ => wrong(),
    };
    let mode = |mode: Mode| if rest.is_empty() { Read::Mode(mode) } else { Read::No };
    let one = |make: &dyn Fn(Option<&str>) -> Option<Command>| match rest.as_slice() {
        [] => make(None).map_or_else(wrong, Read::Command),
        [argument] => make(Some(argument)).map_or_else(wrong, Read::Command),
        _ => wrong(),
    };
    let upper = |a: Option<&str>| a.map(str::to_uppercase);
    match word.as_str() {
        "HELP" => one(&|a| Some(Command::Help(upper(a)))),
        "STATUS" => alone(Command::Status),
        "RULES" => one(&|a| Some(Command::Rules(upper(a)))),
        "LANG" => one(&|a| Some(Command::Lang(a.map(str::to_lowercase)))),
        "RESEND" => one(&|a| match a {
            None => Some(Command::Resend(None)),
            Some(turn) => turn.parse().ok().map(|t| Command::Resend(Some(t))),
        }),
        "CARD" => alone(Command::Card),
        "CHECK" => mode(Mode::Check),
        "ADD" => mode(Mode::Add),
        "CANCEL" => mode(Mode::Cancel),
        "READY" => alone(Command::Ready(true)),
        "NOTREADY" => alone(Command::Ready(false)),
        "NOT" if rest.len() == 1 && rest[0].eq_ignore_ascii_case("ready") => {
            Read::Command(Command::Ready(false))
        }
        "GAMES" => alone(Command::Games),
        "RESIGN" => alone(Command::Resign),
        "EXPORT" => alone(Command::Export),
        "FORGET" => alone(Command::Forget),
        "YES" => alone(Command::Yes),
        "EXTEND" => match rest.as_slice() {
            [days, reason @ ..] => match days.parse() {
                Ok(days) => {
                    let reason = reason.iter().filter(|w| !["days", "day"].contains(w));
                    let reason = reason.copied().collect::<Vec<_>>().join(" ");
                    Read::Command(Command::Extend(days, reason))
                }
                Err(_) => wrong(),
            },
            [] => wrong(),
        },
        "VACATION" => match rest.as_slice() {
            [off] if ["OFF", "END"].contains(&off.to_uppercase().as_str()) => {
                Read::Command(Command::Vacation(None))
            }
            [from, to] | [from, _, to] => {
                let span = ((*from).to_owned(), (*to).to_owned());
                Read::Command(Command::Vacation(Some(span)))
            }
            _ => wrong(),
        },
        "JOIN" => match rest.first() {
            Some(game) if capitals || rest.len() <= 2 || tail.contains('=') => {
                Read::Command(Command::Join(join(game, tail)))
            }
            _ => wrong(),
        },
        "NAME" if !rest.is_empty() && (capitals || rest.len() <= 2) => {
            Read::Command(Command::Name(tail.to_owned()))
        }
        "CONTACT" | "ADDRESS" | "PASSWORD" | "ZONE" => match rest.as_slice() {
            [one] => {
                let value = (*one).to_owned();
                Read::Command(match word.as_str() {
                    "CONTACT" => Command::Contact(value),
                    "ADDRESS" => Command::Address(value),
                    "PASSWORD" => Command::Password(value),
                    _ => Command::Zone(value),
                })
            }
            _ => wrong(),
        },
        "FORMAT" => {
            let words: Vec<String> =
                rest.iter().map(|w| w.trim_end_matches(',').to_owned()).collect();
            match (words.is_empty(), base::terms::Format::default().with(&words)) {
                (false, Ok(_)) => Read::Command(Command::Format(words)),
                _ => wrong(),
            }
        }
        "REMINDERS" => match rest.as_slice() {
            [w] if w.eq_ignore_ascii_case("on") => Read::Command(Command::Reminders(true)),
            [w] if w.eq_ignore_ascii_case("off") => Read::Command(Command::Reminders(false)),
            _ => wrong(),
        },
        "GM" => Read::Command(Command::Gm(tail.to_owned())),
        // A block among the orders, which the engine reads.
        "PRESS" => Read::No,
        _ => near(&word, rest.len(), capitals),
    }
}

/// The command that a word nearly is.
fn near(word: &str, others: usize, capitals: bool) -> Read {
    if word.len() < 3 || others > 1 && !capitals {
        return Read::No;
    }
    let distance = |c: &&Row| strsim::osa_distance(word, c.0);
    let found = COMMANDS.iter().filter(|c| c.0 != "PRESS" && c.0.len() > 3).min_by_key(distance);
    match found.filter(|c| distance(c) <= if c.0.len() > 6 { 2 } else { 1 }) {
        Some(row) => Read::Wrong(row.1),
        None => Read::No,
    }
}

/// `W7 3 name=Karelia, far north address=relay zone=Europe/London`.
fn join(game: &str, tail: &str) -> Join {
    let mut join = Join { game: game.to_owned(), ..Join::default() };
    let mut key = String::new();
    for word in tail.split_whitespace().skip(1) {
        match word.split_once('=') {
            Some((name, value)) => {
                key = name.to_lowercase();
                match key.as_str() {
                    "name" => join.name = value.to_owned(),
                    "address" | "contact" => join.contact = Some(value.to_owned()),
                    "zone" => join.zone = Some(value.to_owned()),
                    "seat" => join.seat = Some(value.to_owned()),
                    _ => {}
                }
            }
            None if key == "name" => join.name += &format!(" {word}"),
            None if key.is_empty() && join.seat.is_none() => {
                join.seat = Some(
                    word.trim_start_matches(['[', '(']).trim_end_matches([']', ')']).to_owned(),
                );
            }
            None => {}
        }
    }
    join.name = join.name.trim_matches(['"', '\'']).to_owned();
    join
}

/// Words before the orders, such as `Hello,` or `here are my orders:`; no sign by
/// which an order, a section or a message begins.
fn is_greeting(text: &str) -> bool {
    if press::opens(text).is_some() {
        return false;
    }
    let words = text.split_whitespace().count();
    if quoting::is_greeting(text) && words <= 4 && !text.contains(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let short_head = text.split_whitespace().next().is_some_and(|w| w.len() <= 2);
    !text.contains(|c: char| c.is_ascii_digit() || "@#;/".contains(c)) && (!short_head || words > 3)
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
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        Request::read(&lines, &|line| ["A 12 2", "BA 5", "END", "V DARW"].contains(&line))
    }

    #[test]
    fn heading_command_and_orders_are_told_apart() {
        let got = read("Hello robot,\n\nGAME W7 SEAT 34 PASSWORD abc\nadd\nA 12 2\n\nhelp 1\n");
        assert_eq!(got.heading.game.as_deref(), Some("W7"));
        assert_eq!(got.heading.seat, Some(Seat(34)));
        assert_eq!(got.heading.password.as_deref(), Some("abc"));
        assert_eq!(got.mode, Mode::Add);
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
    fn what_the_engine_says_begins_an_order_is_no_greeting() {
        for first in ["END", "V DARW"] {
            assert_eq!(read(first).card.lines, [(1, first.to_owned())]);
        }
        assert_eq!(read("Thanks").card.lines, []);
    }

    #[test]
    fn a_nearly_right_command_names_the_right_one() {
        assert_eq!(read("STATSU").meant, Some(("STATSU".to_owned(), "STATUS")));
        assert_eq!(read("A 12 2").meant, None);
    }

    #[test]
    fn commands_have_their_forms_and_sentences_are_none() {
        let one = |text: &str| read(text).commands.into_iter().next();
        assert_eq!(one("extend 3 days my exams"), Some(Command::Extend(3, "my exams".into())));
        assert_eq!(one("NOT READY"), Some(Command::Ready(false)));
        let span = ("2026-12-20".to_owned(), "2027-01-03".to_owned());
        assert_eq!(one("Vacation 2026-12-20 to 2027-01-03"), Some(Command::Vacation(Some(span))));
        let join = Join {
            game: "W7".into(),
            seat: Some("3".into()),
            name: "Karelia by the sea".into(),
            contact: Some("relay".into()),
            zone: Some("Europe/London".into()),
        };
        let line = "JOIN W7 3 name=Karelia by the sea address=relay zone=Europe/London";
        assert_eq!(one(line), Some(Command::Join(join)));
        assert_eq!(read("VACATION soon").meant.map(|m| m.1), Some("VACATION from to"));
        for prose in ["Ready when you are", "rules are hard to read", "Status quo, I would say"] {
            let got = read(prose);
            assert_eq!((got.commands, got.meant), (Vec::new(), None), "{prose}");
        }
        let both = read("ZONE Europe/Paris\nREADY\nA 12 2\n");
        assert_eq!((both.commands.len(), both.card.lines.len()), (2, 1));
        let told = read("GM TELL W7 all Dear all,\n\nsee you.\n");
        assert_eq!(told.commands, [Command::Gm("TELL W7 all Dear all,\n\nsee you.".into())]);
    }

    #[test]
    fn e13_a_second_card_within_the_first_is_seen() {
        assert!(read("GAME W7 SEAT 1\nA 1 2\nGAME W7 SEAT 2\nA 3 4\n").two_cards);
        assert!(!read("GAME W7 SEAT 1\nA 1 2\n").two_cards);
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
