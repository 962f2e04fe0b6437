//! Where the orders are: new text above the marker, never the quoted original.

use serde::{Deserialize, Serialize};

use super::normal::normalise;
use super::quoting::{is_attribution, is_banner, is_bar, is_footer, is_header_block, is_phone};

/// The line that opens every mail of ours; reading stops here.
pub const MARKER: &str = "=== Write your orders above this line; nothing below it is read. ===";
/// The part of the marker by which it is found again, however it was quoted.
const MARKER_CORE: &str = "write your orders above this line";
/// How the blank card begins and ends in a printout.
pub const CARD_BEGIN: &str = "turn card";
pub const CARD_END: &str = "end of card";

/// Lines of a text part, each with its depth of `>` quoting.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines(pub Vec<(usize, String)>);

/// What a player newly wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewText {
    /// Lines above the marker and every quote.
    pub above: Vec<String>,
    /// Lines typed between the quoted lines of the blank card of the open turn.
    pub in_card: Vec<String>,
    /// Lines below an original that is quoted line by line; read when there is
    /// nothing above.
    pub below: Vec<String>,
    /// Whether something that looks like orders stands where it is not read.
    pub orders_below: bool,
    /// Whether it stands below the player's signature.
    pub orders_signed: bool,
}

/// What becomes of a line of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// New text.
    New,
    /// Typed between the lines of the quoted blank card.
    InCard,
    /// New text below the original.
    Below,
    /// A gateway's warning above the text.
    Banner,
    /// The marker line of our mails: reading stops.
    Marker,
    /// `On … NAME wrote:`.
    Attribution,
    /// A quoted header of the original.
    HeaderBlock,
    /// `-----Original Message-----` and the like.
    Bar,
    /// Quoted.
    Quoted,
    /// `-- ` alone.
    Signature,
    /// Below the signature.
    AfterSignature,
    /// Of a phone, a list, a scanner or a lawyer.
    Footer,
    /// Below where reading stopped.
    Unread,
}

impl Fate {
    /// Whether the line may be part of a card.
    pub fn is_read(self) -> bool {
        matches!(self, Self::New | Self::InCard | Self::Below)
    }

    /// For the game master.
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::InCard => "in the card",
            Self::Below => "new, below",
            Self::Banner => "banner",
            Self::Marker => "our marker",
            Self::Attribution => "attribution",
            Self::HeaderBlock => "quoted header",
            Self::Bar => "bar",
            Self::Quoted => "quoted",
            Self::Signature | Self::AfterSignature => "signature",
            Self::Footer => "footer",
            Self::Unread => "not read",
        }
    }
}

/// Lines of plain text.
pub fn plain_lines(text: &str) -> Lines {
    Lines(split(text).map(|l| quote_depth(&l)).collect())
}

/// Lines of `format=flowed` text: soft breaks joined, stuffing undone (RFC 3676
/// §4).
pub fn flowed_lines(text: &str, delete_space: bool) -> Lines {
    let mut out: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for line in split(text) {
        let depth = line.chars().take_while(|c| *c == '>').count();
        let rest = &line[depth..];
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        let soft = rest.ends_with(' ') && rest != "-- ";
        let kept = if soft && delete_space { &rest[..rest.len() - 1] } else { rest };
        match out.last_mut() {
            Some((last, text)) if open && *last == depth && rest != "-- " => text.push_str(kept),
            _ => out.push((depth, kept.to_owned())),
        }
        open = soft;
    }
    for (depth, line) in &mut out {
        if *depth == 0 {
            (*depth, *line) = quote_depth(line);
        }
    }
    Lines(out)
}

fn split(text: &str) -> impl Iterator<Item = String> + '_ {
    // A CR alone ends a line too; with its LF it ends one, not two.
    let ends = |c: char| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(at) = text.find(ends) else {
            rest = None;
            return Some(normalise(text));
        };
        let end = if text[at..].starts_with("\r\n") {
            2
        } else {
            text[at..].chars().next().map_or(1, char::len_utf8)
        };
        rest = Some(&text[at + end..]);
        Some(normalise(&text[..at]))
    })
}

fn quote_depth(line: &str) -> (usize, String) {
    let mut depth = 0;
    let mut rest = line;
    while let Some(inner) = rest.strip_prefix('>') {
        depth += 1;
        rest = inner.strip_prefix(' ').unwrap_or(inner);
    }
    (depth, if depth == 0 { line.to_owned() } else { rest.to_owned() })
}

impl Lines {
    /// Finds what the player newly wrote. `card` is the name of the open turn's
    /// blank card, as its first line gives it.
    pub fn new_text(&self, card: &str) -> NewText {
        let fates = self.fates(card);
        let of = |wanted: Fate| -> Vec<String> {
            let lines = self.0.iter().zip(&fates).filter(|(_, f)| **f == wanted);
            lines.map(|((_, l), _)| l.clone()).collect()
        };
        let unread = self.0.iter().zip(&fates).filter(|(_, f)| !f.is_read());
        let orders_below = unread.clone().any(|((_, l), _)| looks_like_order(l));
        let signed = unread
            .clone()
            .any(|((d, l), f)| *d == 0 && *f == Fate::AfterSignature && looks_like_order(l));
        let below = of(Fate::Below);
        NewText {
            above: of(Fate::New),
            in_card: of(Fate::InCard),
            below,
            orders_below,
            orders_signed: signed,
        }
    }

    /// Whether all new text stands in one line, as a program writes that loses the line
    /// ends of its HTML.
    pub fn glued(&self) -> bool {
        self.written().count() == 1
    }

    /// Whether these are the same letters in more lines.
    pub fn splits(&self, other: &Self) -> bool {
        let squeezed = |lines: &Self| -> String {
            lines.written().flat_map(str::chars).filter(|c| !c.is_whitespace()).collect()
        };
        self.written().count() > 1 && squeezed(self) == squeezed(other)
    }

    /// New lines with something in them.
    fn written(&self) -> impl Iterator<Item = &str> {
        let fates = self.fates("");
        let new = self.0.iter().zip(fates).filter(|(_, f)| *f == Fate::New);
        new.map(|((_, l), _)| l.as_str()).filter(|l| !l.trim().is_empty())
    }

    /// What becomes of each line.
    pub fn fates(&self, card: &str) -> Vec<Fate> {
        let lines = &self.0;
        let mut fates: Vec<Fate> = Vec::with_capacity(lines.len());
        let mut banner = Banner::default();
        let stop = (0..lines.len()).find_map(|i| {
            // What a gateway puts above may be framed like an original.
            let warns =
                lines[i].0 == 0 && original(lines, i).is_none() && banner.holds(&lines[i].1);
            let fate = if warns { None } else { stops(lines, i) };
            if fate.is_none() {
                fates.push(match lines[i].0 {
                    _ if warns => Fate::Banner,
                    0 => Fate::New,
                    _ => Fate::Quoted,
                });
            }
            fate.map(|f| (i, f))
        });
        let Some((end, why)) = stop else { return fates };
        fates.push(why);
        let after = if why == Fate::Signature { Fate::AfterSignature } else { Fate::Unread };
        fates.extend(
            lines[end + 1..].iter().map(|(d, _)| if *d > 0 { Fate::Quoted } else { after }),
        );
        self.below_quote(end, why, &mut fates);
        self.typed_into_card(end, card, &mut fates);
        fates
    }

    /// Text below an original: only where every line of the original carries its
    /// `>`, so that nothing of it can be mistaken for new.
    fn below_quote(&self, end: usize, why: Fate, fates: &mut [Fate]) {
        let lines = &self.0;
        if !matches!(why, Fate::Attribution | Fate::Marker | Fate::Bar)
            || lines[end].0 > 0 && why == Fate::Bar
        {
            return;
        }
        let Some(last) = lines.iter().rposition(|(d, _)| *d > 0) else { return };
        // An attribution may be wrapped; then the quote must begin.
        let first = lines[end..].iter().position(|(d, _)| *d > 0);
        let led_in = first.is_some_and(|n| n <= 3);
        let bare = |i: usize| {
            lines[i].0 == 0
                && (is_marker(&lines[i].1)
                    || is_header_block(lines, i)
                    || i > last && is_attribution(lines, i)
                    || i != end && is_bar(lines, i))
        };
        let whole = last > end || lines[end].0 > 0;
        if !led_in || !whole || (end..lines.len()).any(bare) {
            return;
        }
        for i in last + 1..lines.len() {
            if let Some(fate) = stops(lines, i) {
                fates[i] = fate;
                if fate == Fate::Signature {
                    fates[i + 1..].fill(Fate::AfterSignature);
                }
                return;
            }
            fates[i] = Fate::Below;
        }
    }

    /// Lines that are quoted less deep than the first and last line of the blank card
    /// around them.
    fn typed_into_card(&self, from: usize, card: &str, fates: &mut [Fate]) {
        let wanted = format!("{CARD_BEGIN} {card}").to_lowercase();
        let framed = |i: usize, text: &str| {
            let (depth, line) = &self.0[i];
            *depth > 0 && line.to_lowercase().contains(text)
        };
        let Some(begin) = (from..self.0.len()).find(|i| framed(*i, &wanted)) else { return };
        let Some(end) = (begin..self.0.len()).find(|i| framed(*i, CARD_END)) else { return };
        let depth = self.0[begin].0;
        let inside = self.0.iter().zip(fates).take(end).skip(begin + 1);
        inside.filter(|(line, _)| line.0 < depth).for_each(|(_, fate)| *fate = Fate::InCard);
    }
}

/// A warning of a gateway above the text: from its first line to a blank one.
#[derive(Default)]
struct Banner {
    /// Lines that have been looked at.
    seen: usize,
    open: bool,
}

/// Lines at the top in which a banner may begin.
const BANNER_WITHIN: usize = 8;

impl Banner {
    fn holds(&mut self, line: &str) -> bool {
        if line.trim().is_empty() {
            self.open = false;
            return false;
        }
        self.seen += 1;
        if self.seen <= BANNER_WITHIN && is_banner(line) {
            self.open = true;
            return true;
        }
        // Its other lines are sentences; an order has a number.
        self.open &= !line.contains(|c: char| c.is_ascii_digit());
        self.open
    }
}

/// Whether an original begins at a line.
fn original(lines: &[(usize, String)], i: usize) -> Option<Fate> {
    let (depth, line) = &lines[i];
    if is_marker(line) {
        return Some(Fate::Marker);
    }
    if is_attribution(lines, i) {
        return Some(Fate::Attribution);
    }
    (*depth == 0 && is_header_block(lines, i)).then_some(Fate::HeaderBlock)
}

/// Why reading stops at a line.
fn stops(lines: &[(usize, String)], i: usize) -> Option<Fate> {
    let (depth, line) = &lines[i];
    let begins = original(lines, i);
    if begins.is_some() || *depth > 0 || line.trim().is_empty() {
        return begins;
    }
    if line.trim() == "--" {
        return Some(Fate::Signature);
    }
    if is_bar(lines, i) {
        return Some(Fate::Bar);
    }
    (is_phone(line) || is_footer(line)).then_some(Fate::Footer)
}

/// Whether a line is the marker, however it was quoted.
pub fn is_marker(line: &str) -> bool {
    // Most lines have no such sign; looking for it is cheap.
    line.contains("===") && line.to_lowercase().contains(MARKER_CORE)
}

/// A short word and a number: what any game's orders look like.
pub fn looks_like_order(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (head, next) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let letters = head.len() <= 2 && head.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    letters && !head.is_empty() && next.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above(text: &str) -> Vec<String> {
        let all = plain_lines(text).new_text("W7 T12 S34").above;
        all.into_iter().filter(|l| !l.trim().is_empty()).collect()
    }

    #[test]
    fn reading_stops_at_the_marker_however_it_is_quoted() {
        for quote in ["", "> ", ">> ", "| "] {
            let text = format!("A 12 2\n\n{quote}{MARKER}\n{quote}M 3 122\nM 3 122\n");
            assert_eq!(above(&text), ["A 12 2"], "{quote:?}");
        }
    }

    #[test]
    fn reading_stops_at_quotes_of_many_programs() {
        let quotes = [
            "On Sat, Nov 21, 2026 at 01:36:00AM -0000, Robot wrote:\nM 3 122",
            "On Saturday the 21st of November Fieldpost the robot\n<robot@fieldpost.example> wrote:\nM 3 122",
            "Am 21.11.26 um 01:36 schrieb Robot:\nM 3 122",
            "On 9 Jun 2026, at 3:00, Robot <robot@fieldpost.example> wrote:\nM 3 122",
            "-----Original Message-----\nM 3 122",
            "________________________________\nFrom: Robot\nM 3 122",
            "From: Robot\nSent: Saturday\nTo: me\nM 3 122",
            "-- \nM 3 122",
            "Sent from my iPhone\nM 3 122",
        ];
        for quote in quotes {
            assert_eq!(above(&format!("A 12 2\n\n{quote}\n")), ["A 12 2"], "{quote}");
        }
    }

    #[test]
    fn lines_typed_into_the_quoted_card_of_the_open_turn_are_new() {
        let mail = |turn: u32| {
            format!(
                "> {MARKER}\n> text\n> | ---- turn card W7 T{turn} S34 ----\nA 12 2\n> | unit 12\n\
                 > | ---- end of card ----\nM 3 1\n"
            )
        };
        let typed = |turn| plain_lines(&mail(turn)).new_text("W7 T12 S34").in_card;
        assert_eq!(typed(12), ["A 12 2"]);
        assert_eq!(typed(11), Vec::<String>::new());
    }

    #[test]
    fn flowed_text_is_joined_and_unstuffed() {
        let lines = flowed_lines("A 12 \n12387\n From here\n> quoted \n> more\n-- \nme", false);
        let expected =
            [(0, "A 12 12387"), (0, "From here"), (1, "quoted more"), (0, "-- "), (0, "me")];
        assert_eq!(lines.0, expected.map(|(d, l)| (d, l.to_owned())));
    }
}
