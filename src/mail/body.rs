//! Finds the orders in the lines of a mail: only in the player's new text, never in the quoted
//! original.

use base::effort;
use serde::{Deserialize, Serialize};

use super::marker::{CARD_BEGIN, CARD_END, is_marker};
use super::normal::normalise;
use super::quoting::{
    ATTRIBUTION_LINES, is_attribution, is_banner, is_bar, is_footer, is_header_block, is_phone,
    is_rule,
};

/// The lines of a text part, each with its depth of `>` quoting; 0: not quoted. The text itself has
/// no quote marks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines(pub Vec<(usize, String)>);

/// The new text that a player wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewText {
    /// Lines above the marker and above every quote.
    pub above: Vec<String>,
    /// Lines that the player typed between the quoted lines of the open turn's blank card.
    pub in_card: Vec<String>,
    /// Lines below an original in which each line is quoted. They count when there is nothing above
    /// it.
    pub below: Vec<String>,
    /// Unread lines outside every original, each with its class: lines below a signature or a
    /// footer, and a gateway's warning. Blank lines are left out.
    pub left: Vec<(LineClass, String)>,
    /// Whether the mail has an original or any quote.
    pub has_original: bool,
    /// The lines of originals, each with its class and whether it has a quote mark.
    pub unread: Vec<(LineClass, bool, String)>,
    /// Whether secrets of our own mails were in it and were removed.
    pub had_secrets: bool,
}

impl NewText {
    /// Whether an unread part holds lines that look like orders. `starts_order` says whether a line
    /// begins like an order of the mail's game.
    pub fn has_orders_below(&self, starts_order: &dyn Fn(&str) -> bool) -> bool {
        self.unread.iter().any(|(_, _, line)| starts_order(line))
            || self.left.iter().any(|(_, line)| starts_order(line))
    }

    /// Unread lines without a quote mark that are among quoted lines or below them. The original
    /// has quote marks, so these lines may be new.
    pub fn between_quotes(&self) -> impl Iterator<Item = &str> {
        let unread = self.unread.iter().skip_while(|(_, quoted, _)| !quoted);
        let between = unread.filter(|(_, quoted, _)| !quoted).map(|(.., line)| line.as_str());
        // Lines below the whole quote count when nothing is above it.
        let above = self.above.iter().chain(&self.in_card).any(|l| !l.trim().is_empty());
        let below = self.below.iter().filter(move |_| above).map(String::as_str);
        between.chain(below)
    }

    /// Whether a line that looks like an order was taken as the rest of a quoted sentence.
    pub fn has_orders_quoted(&self, starts_order: &dyn Fn(&str) -> bool) -> bool {
        let mut rest =
            self.unread.iter().filter(|(c, quoted, _)| *c == LineClass::Quoted && !quoted);
        rest.any(|(_, _, line)| starts_order(line))
    }
}

/// The class of a line of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineClass {
    /// New text above the original.
    New,
    /// New text between the lines of the quoted blank card.
    InCard,
    /// New text below the original.
    Below,
    /// A warning that a gateway put above the text.
    Banner,
    /// The marker line of our mails. Reading stops here.
    Marker,
    /// `On … NAME wrote:`. Reading stops here.
    Attribution,
    /// The quoted header of the original. Reading stops here.
    HeaderBlock,
    /// `-----Original Message-----` and the like. Reading stops here.
    Bar,
    /// A line with `>` in front.
    Quoted,
    /// `--` on its own line, which begins a signature (RFC 3676 §4.3). Reading stops here.
    Signature,
    /// Below the signature line.
    AfterSignature,
    /// Text that phones, lists, virus scanners and companies append. Reading stops here.
    Footer,
    /// Below the line at which reading stopped.
    Unread,
}

impl LineClass {
    /// Whether the line is the player's new text, and so may hold orders.
    pub fn is_read(self) -> bool {
        matches!(self, Self::New | Self::InCard | Self::Below)
    }

    /// A short name for the game master. Both kinds of signature share one name, so a name can't be
    /// turned back into a class.
    pub fn as_str(self) -> &'static str {
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

impl std::fmt::Display for LineClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// Whether a line opens a section of a card: `@TU`, or only `@`.
fn opens_section(line: &str) -> bool {
    line.trim_start().starts_with('@')
}

/// The lines of plain text.
pub fn plain_lines(text: &str) -> Lines {
    Lines(split(text).map(|l| quote_depth(&l)).collect())
}

/// The lines of `format=flowed` text, with soft line breaks joined and space-stuffing
/// removed (RFC 3676 §4). `delete_space` is the parameter DelSp.
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

/// Splits text into normalised lines.
fn split(text: &str) -> impl Iterator<Item = String> + '_ {
    // A lone CR ends a line too. CRLF ends one line, not two.
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

/// The depth of quoting of a line, and the line without its quote marks.
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
    /// Finds the player's new text. `card` is the name of the open turn's blank card, as in its
    /// first line: `W7 T12 S34`.
    pub fn new_text(&self, card: &str) -> NewText {
        let mut text = NewText::default();
        let classes = self.classify(card);
        let original = self.original(&classes);
        text.has_original = original < classes.len();
        // The section of the card that typed lines belong to, until they open one themselves.
        let mut section: Option<String> = None;
        for (i, ((depth, line), class)) in self.0.iter().zip(classes).enumerate() {
            let quoted = line.trim_start_matches(['|', ' ']);
            if *depth > 0 && opens_section(quoted) {
                section = quoted.split_whitespace().next().map(str::to_owned);
            }
            match class {
                LineClass::New => text.above.push(line.clone()),
                LineClass::InCard => {
                    if !line.trim().is_empty()
                        && let Some(open) = section.take()
                        && !opens_section(line)
                    {
                        text.in_card.push(open);
                    }
                    text.in_card.push(line.clone());
                }
                LineClass::Below => text.below.push(line.clone()),
                // Text below an original may also end with a signature.
                _ if i < original
                    || class == LineClass::AfterSignature && !text.below.is_empty() =>
                {
                    if *depth == 0 && !line.trim().is_empty() {
                        text.left.push((class, line.clone()));
                    }
                }
                _ => text.unread.push((class, *depth > 0, line.clone())),
            }
        }
        text
    }

    /// The index of the first quoted line or first line of an original; the number of lines if
    /// there is none.
    fn original(&self, classes: &[LineClass]) -> usize {
        let lines = &self.0;
        let begins = |i: &usize| match classes[*i] {
            LineClass::Marker | LineClass::Attribution | LineClass::HeaderBlock => true,
            LineClass::Bar => !is_rule(lines, *i),
            // Classification stopped at the footer, so the lines below it are checked here.
            LineClass::Unread | LineClass::AfterSignature => {
                original(lines, *i).is_some() || is_bar(lines, *i) && !is_rule(lines, *i)
            }
            LineClass::Quoted => lines[*i].0 > 0,
            _ => false,
        };
        (0..lines.len()).find(begins).unwrap_or(lines.len())
    }

    /// Whether all new text is on one line: some programs lose the line ends when they turn HTML
    /// into text.
    pub fn glued(&self) -> bool {
        self.written().count() == 1
    }

    /// Whether the new text may be a program's substitute for a page: up to three lines, one of
    /// which mentions HTML or a web address.
    pub fn stands_in(&self) -> bool {
        const LINES: usize = 3;
        let words = ["html", "http://", "https://"];
        let speaks = |l: &str| words.iter().any(|w| l.to_ascii_lowercase().contains(w));
        (1..=LINES).contains(&self.written().count()) && self.written().any(speaks)
    }

    /// Whether this text is not empty and contains no line of the new text of `other`.
    pub fn lacks(&self, other: &Self) -> bool {
        let squeezed = |l: &str| l.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let own: String = self.0.iter().map(|(_, l)| squeezed(l)).collect();
        !own.is_empty() && !other.written().any(|l| own.contains(&squeezed(l)))
    }

    /// Whether the new text has the same characters as that of `other`, on more lines.
    pub fn splits(&self, other: &Self) -> bool {
        let squeezed = |lines: &Self| -> String {
            lines.written().flat_map(str::chars).filter(|c| !c.is_whitespace()).collect()
        };
        self.written().count() > 1 && squeezed(self) == squeezed(other)
    }

    /// The lines of new text that are not blank.
    fn written(&self) -> impl Iterator<Item = &str> {
        let classes = self.classify("");
        let new = self.0.iter().zip(classes).filter(|(_, f)| *f == LineClass::New);
        new.map(|((_, l), _)| l.as_str()).filter(|l| !l.trim().is_empty())
    }

    /// The class of each line, in order. `card` is the name of the open turn's blank card.
    pub fn classify(&self, card: &str) -> Vec<LineClass> {
        let lines = &self.0;
        effort::count(lines.len());
        let mut classes: Vec<LineClass> = Vec::with_capacity(lines.len());
        let mut banner = Banner::default();
        let mut said = false;
        let letters = letters(lines);
        let stop = (0..lines.len()).find_map(|i| {
            // A gateway's banner may be framed by bars, like an original.
            let mut warns =
                lines[i].0 == 0 && original(lines, i).is_none() && banner.holds(&lines[i].1);
            let mut class = match () {
                () if warns => None,
                // A letter's own signature belongs to the letter.
                () if letters[i] => original(lines, i),
                () => stops(lines, i),
            };
            // A footer above all text does not stop reading: companies and phones put their labels
            // there.
            let ends = class == Some(LineClass::Footer)
                || class == Some(LineClass::Bar) && is_rule(lines, i);
            if !said && ends {
                (warns, class) = (true, None);
            }
            said |= class.is_none() && !warns && lines[i].0 == 0 && !lines[i].1.trim().is_empty();
            if class.is_none() {
                classes.push(match lines[i].0 {
                    _ if warns => LineClass::Banner,
                    0 if continues_quote(lines, i) => LineClass::Quoted,
                    0 => LineClass::New,
                    _ => LineClass::Quoted,
                });
            }
            class.map(|f| (i, f))
        });
        let Some((end, why)) = stop else { return classes };
        classes.push(why);
        let after =
            if why == LineClass::Signature { LineClass::AfterSignature } else { LineClass::Unread };
        classes.extend(
            lines[end + 1..].iter().map(|(d, _)| if *d > 0 { LineClass::Quoted } else { after }),
        );
        self.below_quote(end, why, &mut classes);
        self.typed_into_card(end, card, &mut classes);
        classes
    }

    /// Marks the text below an original as new if every line of the original has its `>`: otherwise
    /// a line of the original could pass for new text. `end` is the line at which reading stopped,
    /// `why` its class.
    fn below_quote(&self, end: usize, why: LineClass, classes: &mut [LineClass]) {
        let lines = &self.0;
        if !matches!(why, LineClass::Attribution | LineClass::Marker | LineClass::Bar)
            || lines[end].0 > 0 && why == LineClass::Bar
        {
            return;
        }
        let Some(last) = lines.iter().rposition(|(d, _)| *d > 0) else { return };
        // After an attribution the quote must begin soon.
        let first = lines[end..].iter().position(|(d, _)| *d > 0);
        let led_in = first.is_some_and(|n| n <= ATTRIBUTION_LINES);
        let bare = |i: usize| {
            lines[i].0 == 0
                && (is_marker(lines, i)
                    || is_header_block(lines, i)
                    || i > last && is_attribution(lines, i)
                    || i != end && is_bar(lines, i))
        };
        if !led_in || (end..lines.len()).any(bare) {
            return;
        }
        // The rest of a quoted sentence is not new text.
        let rest = usize::from(continues_quote(lines, last + 1));
        if rest > 0 {
            classes[last + 1] = LineClass::Quoted;
        }
        for i in last + 1 + rest..lines.len() {
            if let Some(class) = stops(lines, i) {
                classes[i] = class;
                if class == LineClass::Signature {
                    classes[i + 1..].fill(LineClass::AfterSignature);
                }
                return;
            }
            classes[i] = LineClass::Below;
        }
    }

    /// Marks lines that the player typed into the quoted blank card `card`: their quote depth is
    /// less than that of the card's first line.
    fn typed_into_card(&self, from: usize, card: &str, classes: &mut [LineClass]) {
        let wanted = format!("{CARD_BEGIN} {card} -").to_lowercase();
        let framed = |i: usize, text: &str| {
            let (depth, line) = &self.0[i];
            *depth > 0 && line.to_lowercase().contains(text)
        };
        // The last match counts: a printout may have other text in such a frame above its card.
        let Some(begin) = (from..self.0.len()).rfind(|i| framed(*i, &wanted)) else { return };
        let Some(end) = (begin..self.0.len()).find(|i| framed(*i, CARD_END)) else { return };
        let depth = self.0[begin].0;
        let inside = self.0.iter().zip(classes).take(end).skip(begin + 1);
        inside.filter(|(line, _)| line.0 < depth).for_each(|(_, class)| *class = LineClass::InCard);
    }
}

/// Finds a gateway's warning above the text, which ends at a blank line.
#[derive(Default)]
struct Banner {
    /// The number of lines so far that are not blank.
    seen: usize,
    /// Whether the last line was part of a banner.
    open: bool,
}

/// The number of lines at the top of a mail in which a banner may begin.
const BANNER_WITHIN: usize = 8;

impl Banner {
    /// Whether the next line is part of a banner.
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
        // The other lines of a banner are sentences; a line with a number may be an order.
        self.open &= !line.contains(|c: char| c.is_ascii_digit());
        self.open
    }
}

/// The first words of letters to other players, and the line that ends one.
const PRESS: &str = "PRESS";
const NEWS: &str = "NEWS";
const END: &str = "END";

/// The width from which programs break the lines of a quote.
const FULL: usize = 66;
/// The least number of words in a full line of a sentence, and the largest number of characters in
/// its last line.
const WORDS_MIN: usize = 6;
const LAST_WORD_MAX: usize = 20;

/// Whether line `i` is the rest of the quoted line above it. Some programs break a quoted line and
/// put no mark on its second half: then the quoted line is full, and its sentence goes on.
fn continues_quote(lines: &[(usize, String)], i: usize) -> bool {
    let Some((0, line)) = lines.get(i) else { return false };
    let above = lines[..i].iter().rev().find(|(d, l)| *d == 0 || !l.trim().is_empty());
    let Some((depth @ 1.., above)) = above else { return false };
    let above = above.trim_end();
    let word = line.split_whitespace().next().map_or(0, |w| w.chars().count());
    // The line must be a sentence, not part of a table, a frame or a digest.
    let words: Vec<&str> = above.split_whitespace().collect();
    let last = words.last().map_or(0, |w| w.chars().count());
    let ends = above.ends_with(|c: char| c.is_alphanumeric() || c == ',');
    let open = words.len() >= WORDS_MIN && last <= LAST_WORD_MAX && ends;
    word > 0 && open && above.chars().count() + 2 * depth + 1 + word > FULL
}

/// The class of a line at which an original begins; `None` for other lines.
fn original(lines: &[(usize, String)], i: usize) -> Option<LineClass> {
    let depth = &lines[i].0;
    if is_marker(lines, i) {
        return Some(LineClass::Marker);
    }
    if is_attribution(lines, i) {
        return Some(LineClass::Attribution);
    }
    (*depth == 0 && is_header_block(lines, i)).then_some(LineClass::HeaderBlock)
}

/// Which lines are part of a letter to another player: below its opening and above its closing
/// word, unless an original begins in between.
fn letters(lines: &[(usize, String)]) -> Vec<bool> {
    let mut within = vec![false; lines.len()];
    let mut opened = None;
    for (i, (depth, line)) in lines.iter().enumerate() {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        if *depth > 0 || first.is_empty() {
            continue;
        }
        let press = first.eq_ignore_ascii_case(PRESS) && words.next().is_some();
        if press || first.eq_ignore_ascii_case(NEWS) {
            opened = Some(i + 1);
        } else if line.trim().eq_ignore_ascii_case(END) {
            opened.take().into_iter().for_each(|from| within[from..i].fill(true));
        } else if opened.is_some() && original(lines, i).is_some() {
            opened = None;
        }
    }
    within
}

/// The class of a line at which reading stops; `None` for other lines.
fn stops(lines: &[(usize, String)], i: usize) -> Option<LineClass> {
    let (depth, line) = &lines[i];
    let begins = original(lines, i);
    if begins.is_some() || *depth > 0 || line.trim().is_empty() {
        return begins;
    }
    if line.trim() == "--" {
        return Some(LineClass::Signature);
    }
    if is_bar(lines, i) {
        return Some(LineClass::Bar);
    }
    (is_phone(line) || is_footer(line)).then_some(LineClass::Footer)
}

#[cfg(test)]
mod tests {
    use super::super::marker::MARKER;
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
    fn what_stands_below_a_footer_and_above_every_original_is_left_and_not_lost() {
        let left = |text: &str| {
            let new = plain_lines(text).new_text("W7 T12 S34");
            let left: Vec<String> = new.left.into_iter().map(|l| l.1).collect();
            (left.join("/"), new.has_original)
        };
        let bar = "_".repeat(20);
        assert_eq!(left(&format!("A 12 2\n{bar}\n\nM 3 1\n")), (format!("{bar}/M 3 1"), false));
        assert_eq!(left("A 12 2\nSent from my HQ\nM 3 1\n").0, "Sent from my HQ/M 3 1");
        assert_eq!(left("A 12 2\n-- \nAnna\nM 3 1\n").0, "-- /Anna/M 3 1");
        let quoted =
            "A 12 2\nSent from my phone\nM 3 1\n\nOn 21.11.26 at 1:36 Robot wrote:\n> C 1 1\n";
        assert_eq!(left(quoted), ("Sent from my phone/M 3 1".to_owned(), true));
        let outlook = format!("A 12 2\n{bar}\nFrom: Robot\nTo: me\nM 3 1\n");
        assert_eq!(left(&outlook), (String::new(), true));
    }

    #[test]
    fn a_signature_within_a_letter_to_a_player_ends_nothing() {
        let all = ["A 12 2", "PRESS 3", "Peace?", "-- ", "Anna", "Sent from my HQ", "END", "M 3 1"];
        assert_eq!(above(&all.join("\n")), all);
        assert_eq!(above(&all.join("\n").replace("PRESS 3", "NEWS")).len(), all.len());
        // Without its end it is still a letter, and also when an original begins first.
        assert_eq!(above(&all[..6].join("\n")), all[..3]);
        assert_eq!(above("PRESS 3\nPeace?\n-- \nAnna\n> END\n"), ["PRESS 3", "Peace?"]);
        let quoted = format!("PRESS 3\nPeace?\n-- \n{MARKER}\nEND\n");
        assert_eq!(above(&quoted), ["PRESS 3", "Peace?"]);
    }

    #[test]
    fn a_label_above_the_text_does_not_end_it() {
        for label in [
            "Confidentiality: Internal",
            "This message is confidential",
            "Legal notice: for its reader alone",
            "Sent from my iPhone",
            "____________________",
        ] {
            assert_eq!(above(&format!("{label}\n\nA 12 2\n")), ["A 12 2"], "{label}");
            assert_eq!(above(&format!("{label}\nA 12 2\n{label}\nM 3 1\n")), ["A 12 2"], "{label}");
        }
    }

    #[test]
    fn the_marker_stops_reading_in_every_form_that_a_program_gives_it() {
        let printout = format!("{MARKER}\n\nOrders on file\nM 3 122\nC 9 1\n");
        let quoted = |mark: &str| printout.lines().map(|l| format!("{mark}{l}\n")).collect();
        let html = |inside: &str| {
            let html = format!("<div>A 12 2</div>{inside}");
            super::super::html::html_lines(&html).expect("read")
        };
        let text = |below: String| plain_lines(&format!("A 12 2\n\n{below}"));
        let all = [
            text(printout.clone()),
            text(quoted("> ")),
            text(quoted(">> ")),
            text(quoted("| ")),
            text(printout.replace("; nothing", ";\nnothing")),
            text(quoted("> ").replace("this line", "this\n> line")),
            text(
                printout.replace(MARKER, "=== Schreiben Sie oberhalb; darunter liest niemand. ==="),
            ),
            flowed_lines(&format!("A 12 2\n\n{}", quoted("> ")), false),
            flowed_lines(
                &format!("A 12 2\n\n{}", printout.replace("; nothing", "; \nnothing")),
                true,
            ),
            html(&format!("<div>{}</div>", printout.replace('\n', "<br>"))),
            html(&format!("<blockquote><p>{}</p></blockquote>", printout.replace('\n', "</p><p>"))),
            html(&format!("<pre>{printout}</pre>")),
            html(&format!("<table><tr><td><b>{MARKER}</b></td></tr></table><p>M 3 122</p>")),
        ];
        for (n, lines) in all.iter().enumerate() {
            let new = lines.new_text("W7 T12 S34");
            let above: Vec<&String> = new.above.iter().filter(|l| !l.trim().is_empty()).collect();
            assert_eq!(above, ["A 12 2"], "form {n}: {lines:?}");
            assert!(new.below.iter().all(|l| l.trim().is_empty()), "form {n}");
        }
    }

    #[test]
    fn the_rest_of_a_quoted_sentence_is_quoted() {
        let long = "> When the second corps had crossed the river, we saw that the city was";
        for (text, new) in [
            (format!("{long}\nM 3 122 at most\n> and so on\nA 12 2"), vec!["A 12 2"]),
            (format!("{long}\n>\nM 3 122 at most\n> and so on\nA 12 2"), vec!["A 12 2"]),
            // Below a finished sentence, or a short one, the text is new.
            (format!("{long} ours.\nA 12 2\n"), vec!["A 12 2"]),
            ("> Where do you go?\nA 12 2\n> And then?\nM 3 1".to_owned(), vec!["A 12 2", "M 3 1"]),
            ("> We go\nA 12 2\n".to_owned(), vec!["A 12 2"]),
            // The last line of a printout is a digest; tables and frames are not sentences.
            (format!("> Dice of turn 1: SHA-256 {}\nA 12 2\n", "5f".repeat(32)), vec!["A 12 2"]),
            (format!("> {}\nA 12 2\n", "-".repeat(70)), vec!["A 12 2"]),
            (format!("> | 1 2 3 4 5 6 7 {}|\nA 12 2\n", " ".repeat(50)), vec!["A 12 2"]),
        ] {
            assert_eq!(above(&text), new, "{text}");
        }
        // With the quote mark, a blank and the word below it, the quoted line is as long as
        // programs make lines; if it is shorter, it was broken on purpose.
        for (letters, new) in [(57, 0), (56, 1)] {
            let words = "When we had crossed the river the others came ";
            let full = format!("> {words}{}", "x".repeat(letters - words.len()));
            assert_eq!(above(&format!("{full}\nenemies\n")).len(), new, "{letters}");
        }
        let torn = "On Wed, 14 Nov 2018 08:14:43 -0200\nJohn\nDoe\n<john@doe.example>\nwrote";
        let reply = plain_lines(&format!("{torn}\n> M 3 122\n\nA 12 2\n"));
        let new = reply.new_text("");
        assert_eq!((new.below.join("").trim(), new.above.join("").trim()), ("A 12 2", ""));
        let below = format!("Robot wrote:\n{long}\nM 3 122 at most\n\nA 12 2\n");
        let new = plain_lines(&below).new_text("");
        assert_eq!(new.below.join("").trim(), "A 12 2");
        // A player who wrote an order there gets a note that it was not read.
        let order = |l: &str| l.starts_with("M 3");
        let told = |text: &str| plain_lines(text).new_text("").has_orders_quoted(&order);
        assert!(told(&below) && told(&format!("{long}\nM 3 122\n")));
        assert!(!told(&format!("{long}\n\nM 3 122\n")) && !told(&format!("{long}\n> M 3 1\n")));
        assert!(!told(&format!("{long}\nat the border\n")));
    }

    #[test]
    fn a_text_is_split_only_by_one_of_the_same_characters_on_more_lines() {
        let splits = |more: &str, one: &str| plain_lines(more).splits(&plain_lines(one));
        assert!(splits("A 1 5\nM 2 3\n", "A 1 5 M 2 3\n"));
        assert!(!splits("A 1 5 M 2 3\n", "A 1 5 M 2 3\n"), "no more lines");
        assert!(!splits("A 1 5\nM 2 4\n", "A 1 5 M 2 3\n"), "other characters");
    }

    #[test]
    fn lines_typed_into_the_quoted_card_of_the_open_turn_are_new() {
        let mail = |turn: u32| {
            format!(
                ">> {MARKER}\n> text\n>> | ---- turn card W7 T{turn} S34 ----\nA 12 2\n>> | unit \
                 12\n>> | ---- end of card ----\nM 3 1\n"
            )
        };
        let typed = |turn| plain_lines(&mail(turn)).new_text("W7 T12 S34").in_card;
        assert_eq!(typed(12), ["A 12 2"]);
        assert_eq!(typed(11), Vec::<String>::new());
    }

    #[test]
    fn text_below_a_quote_is_new_where_every_line_of_the_original_has_its_sign() {
        let led = "On Sat, Nov 21, 2026 at 01:36:00AM -0000, Robot wrote:";
        let below = |text: &str| {
            let all = plain_lines(text).new_text("W7 T12 S34");
            all.below.into_iter().filter(|l| !l.trim().is_empty()).collect::<Vec<_>>()
        };
        assert_eq!(below(&format!("{led}\n\n> M 3 122\n> C 9 1\n\nA 12 2\n")), ["A 12 2"]);
        for bare in [
            MARKER,
            "From: Robot\nSent: Saturday\nTo: me",
            "Am 21.11.26 um 01:36 schrieb Robot:",
            "-----Original Message-----",
        ] {
            let text = format!("{led}\n\n> M 3 122\n\nA 12 2\n\n{bare}\nM 4 1\n");
            assert_eq!(below(&text), Vec::<String>::new(), "{bare}");
        }
        // Too far above a quote, an attribution does not count.
        let text = format!("{led}\nM 3 122\na\nb\nc\nd\ne\n> M 3 122\nA 12 2\n");
        assert_eq!(below(&text), Vec::<String>::new());
    }

    #[test]
    fn below_the_end_of_new_text_each_line_is_quoted_or_unread() {
        let text = format!("A 12 2\n{MARKER}\n> M 3 1\nM 4 1");
        let classes = plain_lines(&text).classify("W7 T12 S34");
        let words: Vec<&str> = classes.iter().map(|class| class.as_str()).collect();
        assert_eq!(words, ["new", "our marker", "quoted", "not read"]);
    }

    #[test]
    fn flowed_text_is_joined_and_unstuffed() {
        let lines = flowed_lines("A 12 \n12387\n From here\n> quoted \n> more\n-- \nme", false);
        let expected =
            [(0, "A 12 12387"), (0, "From here"), (1, "quoted more"), (0, "-- "), (0, "me")];
        assert_eq!(lines.0, expected.map(|(d, l)| (d, l.to_owned())));
    }
}
