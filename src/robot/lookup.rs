//! Where the rulebook has a word.

use engine::report::{Block, Line, Section, Span};

/// Whether a text has all words of a topic, in one number or the other.
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

/// The lines of a book with a topic, each behind the chapter that it is of, those that say most
/// first; and all chapters that have it.
pub fn found(book: &[Section], topic: &str) -> (Vec<(String, String)>, Vec<String>) {
    let has = |text: &str| has(text, topic);
    let mut found = Vec::new();
    let mut chapters = Vec::new();
    for section in book {
        let titled = has(&section.heading);
        let lines = section.blocks.iter().flat_map(|b| said(b, &has, titled));
        let lines: Vec<String> = lines.collect();
        if !lines.is_empty() || titled {
            chapters.push(section.heading.clone());
            found.extend(lines.into_iter().map(|l| (section.heading.clone(), l, !titled)));
        }
    }
    // A chapter of that name first, then what says what it is.
    let topic = topic.to_uppercase();
    let tells = |line: &str| {
        let line = line.to_uppercase();
        [format!("({topic})"), format!("{topic} IS "), format!("{topic} ARE ")]
            .iter()
            .any(|sign| line.contains(sign.as_str()))
    };
    found.sort_by_key(|(_, line, elsewhere)| (*elsewhere, !tells(line)));
    (found.into_iter().map(|(chapter, line, _)| (chapter, line)).collect(), chapters)
}

/// What a block of the rulebook says with a word: its sentences, or rows of its table.
fn said(block: &Block, has: &dyn Fn(&str) -> bool, all: bool) -> Vec<String> {
    let line = |l: &Line| -> String {
        let span = |s: &Span| match s {
            Span::Plain(text) | Span::Chosen(text) => text.clone(),
            _ => String::new(),
        };
        l.0.iter().map(span).collect()
    };
    let kept = |text: &String| all || has(text);
    match block {
        Block::Para(l) => Some(line(l)).filter(kept).into_iter().collect(),
        Block::List(lines) => lines.iter().map(line).filter(kept).collect(),
        Block::Table(table) => {
            let row = |cells: &Vec<String>| {
                let heads = table.columns.iter().map(|(head, _)| head.as_ref());
                let cells = heads.zip(cells).filter(|(_, cell)| !cell.is_empty());
                cells.map(|(head, cell)| format!("{head} {cell}")).collect::<Vec<_>>().join(", ")
            };
            table.rows.iter().map(row).filter(|r| has(r)).collect()
        }
        _ => Vec::new(),
    }
}
