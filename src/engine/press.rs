//! Letters to other players that are written in a card: blocks of free text from a line `PRESS 3`
//! or `NEWS` to a line `END`.
//!
//! An engine takes them out of a card before it reads orders. The robot's reader of cards asks
//! [`opens`] so that it does not mistake the first line of a letter for a greeting.

use serde::{Deserialize, Serialize};
use tongue::{count, say};

use super::{CardText, Seat, Told};

/// To whom a block goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Addressee {
    /// These seats, as written.
    Seats(Vec<u32>),
    /// Somebody by name, as written. The robot replaces it by seats where it knows the name.
    Named(String),
    /// Everybody.
    All,
    /// The newspaper.
    News,
}

/// The first line of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// To whom the text goes.
    pub to: Addressee,
    /// The sender wishes not to be named.
    pub anonymous: bool,
}

/// A block of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Card line of the opening.
    pub line: u32,
    /// The contents of its first line.
    pub opening: Opening,
    /// The lines of the text with their numbers in the card, including blank lines between them.
    pub text: Vec<(u32, String)>,
    /// The card line of `END`; `None`: there is none, and the text goes to the end of the card.
    pub end: Option<u32>,
}

/// The most words of a name.
const NAME_MAX: usize = 4;

/// Whether a line ends a block.
pub fn ends(line: &str) -> bool {
    line.trim().eq_ignore_ascii_case("END")
}

/// Reads an opening: `PRESS 3`, `PRESS TO 3,4 ANON`, `TO 3`, `PRESS ALL`, `NEWS`, `NEWS ANON`,
/// `PRESS Finland`. A line with anything else in it does not open a block, and a name of several
/// words needs `PRESS` in capitals: "press on with it" is a sentence.
pub fn opens(line: &str) -> Option<Opening> {
    let parts = line.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty());
    let mut written: Vec<&str> = parts.map(|w| w.trim_end_matches(':')).collect();
    let is = |w: &str, word: &str| w.eq_ignore_ascii_case(word);
    let anonymous =
        written.len() > 1 && written.last().is_some_and(|w| is(w, "ANON") || is(w, "ANONYMOUS"));
    if anonymous {
        written.pop();
    }
    let (first, who) = written.split_first()?;
    let who = match who {
        [to, who @ ..] if is(first, "PRESS") && is(to, "TO") => who,
        who => who,
    };
    let number = |w: &&str| w.trim_matches(['[', ']']).parse().ok();
    let to = match who {
        [] if is(first, "NEWS") => Addressee::News,
        [all] if is(all, "ALL") && (is(first, "PRESS") || is(first, "TO")) => Addressee::All,
        [_, ..] if is(first, "PRESS") || is(first, "TO") => {
            match who.iter().map(number).collect::<Option<Vec<u32>>>() {
                Some(seats) => Addressee::Seats(seats),
                None if *first == "PRESS" && who.len() <= NAME_MAX
                    || is(first, "PRESS") && who.len() == 1 =>
                {
                    Addressee::Named(who.join(" "))
                }
                None => return None,
            }
        }
        _ => return None,
    };
    Some(Opening { to, anonymous })
}

/// The answer to a letter to a name that no player has.
pub fn nobody(name: &str) -> String {
    let name = name.replace(steers, " ");
    say!("nobody here is called {name}; write PRESS and the number of a seat")
}

/// Splits a card into its blocks and everything else.
pub fn split(card: &CardText) -> (Vec<Block>, CardText) {
    let mut blocks: Vec<Block> = Vec::new();
    let mut rest = CardText::default();
    let mut open = false;
    for (number, line) in &card.lines {
        match blocks.last_mut().filter(|_| open) {
            Some(block) if ends(line) => {
                block.end = Some(*number);
                open = false;
            }
            Some(block) => {
                // Cards leave blank lines out and keep their numbers.
                let last = block.text.last().map_or(block.line, |l| l.0);
                if *number > last + 1 && !block.text.is_empty() {
                    block.text.push((*number - 1, String::new()));
                }
                block.text.push((*number, line.clone()));
            }
            None => match opens(line) {
                Some(opening) => {
                    blocks.push(Block { line: *number, opening, text: Vec::new(), end: None });
                    open = true;
                }
                None => rest.lines.push((*number, line.clone())),
            },
        }
    }
    (blocks, rest)
}

/// Whether a character moves or turns those around it instead of being visible: control characters,
/// line ends, and marks that turn the direction of writing (Unicode Standard Annex #9).
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}')
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
}

/// The text of a block as it may be printed, wrapped at `columns`, without control characters and
/// without anything that looks like a frame of the printout. The number says how many lines were
/// cut off after the first `lines`.
pub fn fitted(block: &Block, lines: usize, columns: usize) -> (Vec<String>, usize) {
    let clean = |text: &str| -> String {
        let text = text.replace(steers, " ");
        text.trim_end().replace("----", "- - ").replace("====", "= = ")
    };
    let mut out: Vec<String> = Vec::new();
    for (_, text) in &block.text {
        let text = clean(text);
        let wrapped = textwrap::wrap(&text, columns);
        out.extend(wrapped.iter().map(|l| l.to_string()));
    }
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    let cut = out.len().saturating_sub(lines);
    out.truncate(lines);
    (out, cut)
}

/// A block as it will be printed, with a note for its sender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitted {
    /// Its lines.
    pub text: Vec<String>,
    /// How long it is and whether it is signed, or what is wrong with its end.
    pub note: String,
    /// Whether it ends with `END` and nothing was cut off.
    pub whole: bool,
}

/// Cuts a block to `lines` lines of `columns` characters; `named` says how it is signed. `None` if
/// it has no text.
pub fn fit(block: &Block, lines: usize, columns: usize, named: &str) -> Option<Fitted> {
    let (text, cut) = fitted(block, lines, columns);
    let of = count!(n = text.len(), "{n} line", "{n} lines");
    let note = match (cut, block.end) {
        (0, Some(_)) => format!("{of}, {named}"),
        (0, None) => say!("{of}, {named}; no END, so all below belongs to it"),
        _ => count!(
            cut,
            "{cut} line cut off; at most {lines} of {columns}",
            "{cut} lines cut off; at most {lines} of {columns}"
        ),
    };
    let whole = cut == 0 && block.end.is_some();
    (!text.is_empty()).then_some(Fitted { text, note, whole })
}

/// A letter as it will be printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// Who wrote it; `None`: the sender wishes not to be named.
    pub from: Option<Seat>,
    /// Who gets it.
    pub to: Vec<Seat>,
    /// Its lines.
    pub text: Vec<String>,
}

impl Letter {
    /// The letter as one of its receivers sees it; `None` for every other seat.
    pub fn for_seat(&self, seat: Seat) -> Option<Self> {
        self.to.contains(&seat).then(|| Self { to: vec![seat], ..self.clone() })
    }
}

/// The letter of a block in the card of a seat, of at most `lines` lines and `columns` columns, and
/// the note for its sender.
///
/// # Errors
/// What is wrong with it; then nobody gets it.
pub fn letter(
    block: &Block,
    sender: Seat,
    seats: impl Iterator<Item = Seat>,
    (lines, columns): (usize, usize),
) -> Result<(Letter, Told), Told> {
    let others: Vec<Seat> = seats.filter(|seat| *seat != sender).collect();
    let seat = |n: &u32| others.iter().copied().find(|seat| u32::from(seat.0) == *n).ok_or(*n);
    let to = match &block.opening.to {
        Addressee::All => Ok(others.clone()),
        Addressee::Seats(list) => list.iter().map(seat).collect(),
        Addressee::Named(name) => return Err(Told::error("no-seat", nobody(name))),
        Addressee::News => {
            let note = say!("there is no newspaper; PRESS ALL writes to all");
            return Err(Told::error("no-news", note));
        }
    };
    let mut to = to.map_err(|n| {
        let others: Vec<String> = others.iter().map(Seat::to_string).collect();
        let seats = others.join(", ");
        let note = say!("you can't write to {n}; there are {seats}");
        Told::error("no-seat", note)
    })?;
    to.sort_unstable();
    to.dedup();
    let anonymous = block.opening.anonymous;
    let named = if anonymous { say!("without your name") } else { say!("with your name") };
    let Some(fit) = fit(block, lines, columns, &named) else {
        return Err(Told::error("no-text", say!("there is no text between this line and END")));
    };
    let told = match fit.whole {
        true => Told::ok(fit.note),
        false => Told::warning("unfit", fit.note),
    };
    let text = fit.text;
    Ok((Letter { from: (!anonymous).then_some(sender), to, text }, told))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_read_and_nothing_else_is() {
        let seats = |line: &str| opens(line).map(|o| (o.to, o.anonymous));
        assert_eq!(seats("press 3"), Some((Addressee::Seats(vec![3]), false)));
        assert_eq!(seats("PRESS TO 3, 4 anonymous"), Some((Addressee::Seats(vec![3, 4]), true)));
        assert_eq!(seats("To [2]:"), Some((Addressee::Seats(vec![2]), false)));
        assert_eq!(seats("NEWS ANON"), Some((Addressee::News, true)));
        assert_eq!(seats("PRESS ALL"), Some((Addressee::All, false)));
        let named = |name: &str| Some((Addressee::Named(name.to_owned()), false));
        assert_eq!(seats("press Finland:"), named("Finland"));
        assert_eq!(seats("PRESS to Baltic States"), named("Baltic States"));
        for other in [
            "PRESS",
            "To whom it may concern",
            "TO all players",
            "To Finland",
            "ANON",
            "press on 3",
            "Press on with the attack",
            "PRESS releases are not what we send to you",
        ] {
            assert_eq!(seats(other), None, "{other}");
        }
    }

    #[test]
    fn a_block_keeps_its_blank_lines_and_ends_at_end() {
        let card = CardText::new("2A\nPRESS 2\nDear two,\n\nBA5 is no order here.\nend\n3E\n");
        let (blocks, rest) = split(&card);
        assert_eq!(rest.lines, [(1, "2A".to_owned()), (7, "3E".to_owned())]);
        assert_eq!(blocks[0].end, Some(6));
        let (text, cut) = fitted(&blocks[0], 18, 50);
        assert_eq!(
            (text, cut),
            (vec!["Dear two,".into(), "".into(), "BA5 is no order here.".into()], 0)
        );
    }

    #[test]
    fn a_long_text_is_wrapped_then_cut() {
        let card = CardText::new(&format!("NEWS\n{}\u{7}\n", "word ".repeat(40)));
        let (blocks, _) = split(&card);
        let (text, cut) = fitted(&blocks[0], 3, 40);
        assert_eq!((text.len(), cut), (3, 2));
        assert!(text.iter().all(|l| l.len() <= 40 && !l.contains('\u{7}')));
        assert_eq!(blocks[0].end, None);
    }
}
