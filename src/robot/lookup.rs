//! Finds a word in the rulebook.

use engine::report::{Block, Line, Section, Span, Table};

/// Whether a text has all words of a topic, in singular or plural.
pub fn has(text: &str, topic: &str) -> bool {
    let text = words(text);
    words(topic).iter().all(|word| {
        let one = word.strip_suffix('S').unwrap_or(word);
        text.iter().any(|t| t == word || t == one || t.strip_suffix('S') == Some(one))
    })
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
    words.map(str::to_uppercase).collect()
}

/// The lines of a book that have a topic, each with its chapter, the most useful first; and all
/// chapters that have the topic.
pub fn found(book: &[Section], topic: &str) -> (Vec<(String, String)>, Vec<String>) {
    let mut found = Vec::new();
    let mut chapters = Vec::new();
    for section in book {
        let titled = has(&section.heading, topic);
        let lines = passages(section, topic, titled);
        if !lines.is_empty() || titled {
            chapters.push(section.heading.clone());
            found.extend(lines.into_iter().map(|l| (&section.heading, l, !titled)));
        }
    }
    // A chapter with the topic in its title comes first, then passages that define the topic.
    let topic = topic.to_uppercase();
    let tells = |line: &String| {
        let line = line.to_uppercase();
        [format!("({topic})"), format!("{topic} IS "), format!("{topic} ARE ")]
            .iter()
            .any(|sign| line.contains(sign.as_str()))
    };
    found.sort_by_key(|(_, lines, elsewhere)| (*elsewhere, !lines.iter().any(tells)));
    let each = |(chapter, lines, _): (&String, Vec<String>, bool)| {
        lines.into_iter().map(|line| (chapter.clone(), line)).collect::<Vec<_>>()
    };
    (found.into_iter().flat_map(each).collect(), chapters)
}

/// The passages of a chapter that have a topic: paragraphs, lines of lists, and rows of each table
/// below the paragraph that explains it. If the chapter's title has the topic, all its paragraphs
/// and lists count.
fn passages(section: &Section, topic: &str, titled: bool) -> Vec<Vec<String>> {
    let mut out = Vec::new();
    // The paragraph above the next block, unless it is in the result already.
    let mut legend: Option<String> = None;
    for block in &section.blocks {
        let above = legend.take();
        match block {
            Block::Para(l) => {
                let text = plain(l);
                match titled || has(&text, topic) {
                    true => out.push(vec![text]),
                    false => legend = Some(text),
                }
            }
            Block::List(lines) => {
                let told = lines.iter().map(plain).filter(|text| titled || has(text, topic));
                out.extend(told.map(|text| vec![text]));
            }
            Block::Table(table) => {
                let rows: Vec<String> =
                    rows_in_words(table).filter(|row| has(row, topic)).collect();
                if !rows.is_empty() {
                    out.push(above.into_iter().chain(rows).collect());
                }
            }
            _ => {}
        }
    }
    out
}

/// The rows of a table in words: each cell after the head of its column.
pub(crate) fn rows_in_words(table: &Table) -> impl Iterator<Item = String> {
    table.rows.iter().map(|cells| {
        let heads = table.columns.iter().map(|(head, _)| head.as_ref());
        let cells = heads.zip(cells).filter(|(_, cell)| !cell.is_empty());
        let told = |(head, cell): (&str, &String)| format!("{head} {cell}").trim_start().to_owned();
        cells.map(told).collect::<Vec<_>>().join(", ")
    })
}

/// The words of a line.
pub(crate) fn plain(line: &Line) -> String {
    let span = |s: &Span| match s {
        Span::Plain(text) | Span::Chosen(text) => text.clone(),
        _ => String::new(),
    };
    line.0.iter().map(span).collect()
}
