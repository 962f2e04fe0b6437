//! The echo: a player's card sent back line by line, with a forecast of its results.

use std::borrow::Cow;

use crate::languages::marker;
use crate::text::printed;
use engine::report::{Align, Block, Line, Section, Table};
use engine::{JudgedLine, Judgement, Mark};
use render::text::{SAFE, WIDTH, heading, para, sections};
use render::{Document, Head, Marks};
use tongue::{count, mark, say, word};

/// The parts of an echo.
pub struct Echo<'a> {
    /// First sentence: what was done with the mail.
    pub outcome: String,
    /// Facts in lines under it: receipt, deadline.
    pub facts: Vec<String>,
    /// Heading of the orders: those on file, or those that were only checked.
    pub title: &'a str,
    /// The judgement of each line, and the forecast.
    pub judgement: &'a Judgement,
    /// Lines that are neither orders nor commands: each with its number, where it has one, its text,
    /// and why it is not read.
    pub unread: Vec<Unread>,
    /// The orders on file, where nothing of the mail was filed: then the forecast is theirs.
    pub on_file: Option<&'a Judgement>,
    /// Answers to what else the mail asks.
    pub answers: Vec<Section>,
    /// Digests of sealed lines.
    pub seals: Vec<String>,
    /// Sentences at the end.
    pub hints: Vec<String>,
}

impl Echo<'_> {
    /// The echo as text.
    pub fn text(&self) -> String {
        let mut out = format!("{marker}\n\n{}", para(&self.outcome), marker = marker());
        self.facts.iter().for_each(|f| out += &para(f));
        out.push('\n');
        let (first, lines) = self.worst_first();
        if !first.is_empty() {
            out += &heading(&look_first());
            first.iter().for_each(|(l, note)| out += &line(l, note));
            out.push('\n');
        }
        out += &heading(self.title);
        match lines.is_empty() {
            true => out += &format!("{}\n", say!("No orders.")),
            false => lines.iter().for_each(|(l, note)| out += &line(l, note)),
        }
        out += &format!("{}\n", summary(self.judgement));
        if !self.unread.is_empty() {
            out += &heading(&not_read());
            shown_unread(&self.unread).iter().for_each(|row| out += &unread_line(row));
            out.push('\n');
        }
        if let Some(judgement) = self.on_file {
            out += &format!("{}\n", on_file(judgement));
        }
        out += &sections(self.forecast());
        out += &sections(&self.answers);
        self.seals.iter().for_each(|s| out += &format!("{s}\n"));
        self.hints.iter().for_each(|h| out += &para(h));
        out
    }

    /// The echo as a document, for a mail with HTML: the lines as a table, then the forecast. Also
    /// gives the index of the section before which a map of the orders belongs.
    pub fn document(&self, head: Head, marks: Marks) -> (Document, usize) {
        let section =
            |heading: &str, blocks: Vec<Block>| Section { heading: heading.to_owned(), blocks };
        let facts = self.facts.iter().map(|f| Line::from(f.as_str())).collect();
        let opening = vec![Block::Para(self.outcome.as_str().into()), Block::List(facts)];
        let row = |(l, note): &Noted| {
            let text = l.text.chars().take(LETTERS).collect();
            vec![l.line.to_string(), text, word(l.mark.as_str()).into_owned(), note.to_string()]
        };
        let table = |lines: &[Noted]| {
            let columns = [
                (say!("Line"), Align::Right),
                (say!("Order"), Align::Left),
                (say!("Mark"), Align::Left),
                (say!("Result"), Align::Left),
            ];
            Block::Table(Table::new(columns, lines.iter().map(row).collect()))
        };
        let (first, lines) = self.worst_first();
        let mut lines = match lines.is_empty() {
            true => vec![Block::Para(say!("No orders.").into())],
            false => vec![table(&lines)],
        };
        let summary = summary(self.judgement);
        if !summary.is_empty() {
            lines.push(Block::Para(summary.trim().into()));
        }
        let mut sections = Vec::new();
        if !first.is_empty() {
            sections.push(section(&look_first(), vec![table(&first)]));
        }
        sections.push(section(self.title, lines));
        if !self.unread.is_empty() {
            let columns = [
                (say!("Line"), Align::Right),
                (say!("Words"), Align::Left),
                (say!("Result"), Align::Left),
            ];
            let row = |(number, text, why): (String, String, String)| vec![number, text, why];
            let rows = shown_unread(&self.unread).into_iter().map(row).collect();
            sections.push(section(&not_read(), vec![Block::Table(Table::new(columns, rows))]));
        }
        if let Some(on_file) = self.on_file {
            let all: Vec<Noted> =
                on_file.lines.iter().map(|l| (l, Cow::Borrowed(l.note.as_str()))).collect();
            let lines = match all.is_empty() {
                true => Block::Para(say!("No orders.").into()),
                false => table(&all),
            };
            sections.push(section(&unchanged(), vec![lines]));
        }
        let map_at = sections.len();
        sections.extend(self.forecast().iter().chain(&self.answers).cloned());
        if !self.seals.is_empty() {
            let lines = self.seals.iter().flat_map(|s| s.lines()).map(str::to_owned).collect();
            sections.push(section(&say!("Seals"), vec![Block::Quote(lines)]));
        }
        let hints = self.hints.iter().map(|h| Block::Para(h.as_str().into())).collect();
        sections.push(section(&say!("What next"), hints));
        (Document::new(head, marks, opening, sections), map_at)
    }

    /// The forecast: for the orders on file where nothing was filed, else for the judged orders.
    fn forecast(&self) -> &[Section] {
        &self.on_file.unwrap_or(self.judgement).forecast
    }

    /// The lines with faults, errors first, and then the whole card in its order, where these lines
    /// have only their mark. A card that is short, all right or all wrong is listed only once.
    fn worst_first(&self) -> (Vec<Noted<'_>>, Vec<Noted<'_>>) {
        let all = &self.judgement.lines;
        let told =
            |l: &&JudgedLine| matches!(l.mark, Mark::Error | Mark::Warning) && !l.note.is_empty();
        let whole = |l| -> Noted { (l, Cow::Borrowed(l.note.as_str())) };
        let mut first: Vec<Noted> = all.iter().filter(told).map(whole).collect();
        if first.is_empty() || first.len() == all.len() || all.len() <= SHORT {
            return (Vec::new(), all.iter().map(whole).collect());
        }
        first.sort_by_key(|(l, _)| l.mark != Mark::Error);
        let above = word(SEE_ABOVE);
        let short = |l| if told(&l) { (l, above.clone()) } else { whole(l) };
        (first, all.iter().map(short).collect())
    }
}

/// Heading of the lines that are not read.
pub fn not_read() -> String {
    say!("Not read as orders")
}

/// The orders on file in an answer that changed nothing, as text.
pub fn on_file(judgement: &Judgement) -> String {
    let mut out = heading(&unchanged());
    match judgement.lines.is_empty() {
        true => out += &format!("{}\n", say!("No orders.")),
        false => judgement.lines.iter().for_each(|l| out += &line(l, &l.note)),
    }
    out
}

/// Heading of the orders on file in an echo that changed nothing.
fn unchanged() -> String {
    say!("On file, unchanged")
}

/// Unread lines that are shown, at most.
const UNREAD_TOLD: usize = 20;

/// A judged line, and the note shown beside it.
type Noted<'l> = (&'l JudgedLine, Cow<'l, str>);

/// Note of a line that is explained above.
const SEE_ABOVE: &str = mark!("see above");

/// Heading of what is wrong with a card.
fn look_first() -> String {
    say!("Look at these first")
}

/// Lines of a card that is read at one glance, at most: its faults are not listed above it.
const SHORT: usize = 4;

/// Characters of a line that an echo shows, at most.
const LETTERS: usize = 120;

/// One line with its mark, and its note below when it does not fit beside it.
fn line(judged: &JudgedLine, note: &str) -> String {
    /// Columns of a line before its mark, at least.
    const COLUMN: usize = 22;
    let mark = word(judged.mark.as_str());
    let mut start = format!("{SAFE}{:>3}  ", judged.line);
    // Control characters of a mail never reach a terminal.
    let shown = judged.text.chars().take(LETTERS);
    start.extend(shown.map(|c| if c.is_control() { '?' } else { c }));
    let end = if note.is_empty() { mark } else { [&mark, ": ", note].concat().into() };
    let letters = start.chars().count();
    if letters.max(COLUMN) + 2 + end.chars().count() <= WIDTH {
        let gap = " ".repeat(COLUMN.saturating_sub(letters) + 2);
        return [start.as_str(), &gap, &end, "\n"].concat();
    }
    let wrapped = |text: &str, first: &str| {
        let options = textwrap::Options::new(WIDTH).initial_indent(first);
        textwrap::fill(text, options.subsequent_indent("|        "))
    };
    format!("{}\n{}\n", wrapped(&start, ""), wrapped(&end, "|        "))
}

/// A line that is not read: its number, where it has one, its text, and why.
pub type Unread = (Option<u32>, String, String);

/// The lines that are not read, as they are shown: number, text and reason. If there are too many,
/// the last row says how many more there are.
pub fn shown_unread(unread: &[Unread]) -> Vec<(String, String, String)> {
    let number = |n: &Option<u32>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let shown = |text: &str| printed(text).trim().chars().take(LETTERS).collect();
    let row = |(n, text, why): &Unread| (number(n), shown(text), why.clone());
    let mut rows: Vec<_> = unread.iter().take(UNREAD_TOLD).map(row).collect();
    let more = unread.len().saturating_sub(UNREAD_TOLD);
    if more > 0 {
        let more = count!(more, "{more} line more", "{more} lines more");
        rows.push((String::new(), more, String::new()));
    }
    rows
}

/// A line that is not read, in the columns of the others.
pub fn unread_line((number, text, why): &(String, String, String)) -> String {
    let start = format!("{SAFE}{number:>3}  {text}");
    let gap = " ".repeat(22usize.saturating_sub(start.chars().count()) + 2);
    match start.chars().count() + gap.len() + why.chars().count() {
        _ if why.is_empty() => format!("{start}\n"),
        0..=WIDTH => format!("{start}{gap}{why}\n"),
        _ => {
            let options = textwrap::Options::new(WIDTH).subsequent_indent("|        ");
            let text = textwrap::fill(&start, &options);
            let why = textwrap::fill(why, options.initial_indent("|        "));
            format!("{text}\n{why}\n")
        }
    }
}

fn summary(judgement: &Judgement) -> String {
    let (ok, noted) = (judgement.count(Mark::Ok), judgement.count(Mark::Warning));
    let wrong = judgement.count(Mark::Error);
    let parts = [
        (ok, count!(ok, both: "{ok} ok")),
        (noted, count!(noted, both: "{noted} ok with a note")),
        (wrong, count!(wrong, both: "{wrong} in error")),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|(n, _)| *n > 0).map(|p| p.1).collect();
    if parts.is_empty() { String::new() } else { format!("\n{}.\n", parts.join(", ")) }
}
