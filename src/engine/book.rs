//! Books as text: Markdown beside the game's data files, filled in with the values of a game.
//!
//! A rulebook is the file `config/NAME/rulebook.md` (the one of Hex, the example, is in the folder
//! of its engine), and the player's manual is in `config/manual`. So people who read no Rust can
//! read, correct and translate them. A translation lies beside its text as `rulebook.de.md`. A book
//! may use these parts of Markdown: headings, paragraphs, tables, code, and lists that are not
//! nested. A heading begins a chapter. A block of code is shown as it is, and one marked `card` is
//! shown as a card. Values and conditions are written as in a template (`{{ seats }}`,
//! `{% if bombs %}`); their results are text, never Markdown. There are two filters of our own:
//! `rows` makes the rows of a table, `lines` the lines of a block of code. Within code a value can
//! only be inserted with `lines`, and an item of a list has one paragraph.

use std::collections::BTreeMap;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::report::{Align, Block, Section, Table};

/// A book, and its translations by the codes of their languages.
#[derive(Debug, Clone, Copy)]
pub struct Book {
    english: &'static str,
    others: &'static [(&'static str, &'static str)],
}

/// The values of a game by their names in its book.
#[derive(Debug, Clone, Default)]
pub struct Figures(BTreeMap<&'static str, Value>);

impl Figures {
    /// Adds one value: a number, a word, a switch, or a list of these.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.0.insert(name, value.into());
        self
    }
}

impl From<Figures> for Value {
    fn from(figures: Figures) -> Self {
        Self::from(figures.0)
    }
}

impl Book {
    /// A book without translations.
    pub const fn new(english: &'static str) -> Self {
        Self { english, others: &[] }
    }

    /// The same book with its translations.
    #[must_use]
    pub const fn translated(self, others: &'static [(&'static str, &'static str)]) -> Self {
        Self { others, ..self }
    }

    /// Its chapters in the current language, with the values of a game. Without a translation into
    /// that language the whole book is in English, its values too.
    ///
    /// A book that can't be filled in gives no chapters; in builds with debug assertions it panics.
    pub fn chapters(&self, figures: impl FnOnce() -> Figures) -> Vec<Section> {
        let spoken = tongue::now();
        let translated = |code: &str| self.others.iter().find(|(other, _)| *other == code);
        let (language, text) = match spoken.and_then(|spoken| translated(spoken.code())) {
            Some((_, text)) => (spoken, *text),
            None => (None, self.english),
        };
        tongue::within(language, || read(text, &figures())).unwrap_or_else(|fault| {
            debug_assert!(false, "a book can't be filled in: {fault}");
            Vec::new()
        })
    }
}

/// The chapters of a text.
fn read(text: &str, figures: &Figures) -> Result<Vec<Section>, String> {
    let filled =
        environment().render_str(text, &figures.0).map_err(|fault| format!("{fault:#}"))?;
    let mut reader = Reader::default();
    Parser::new_ext(&filled, Options::ENABLE_TABLES).for_each(|event| reader.event(event));
    Ok(reader.chapters)
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let mut blocks = SyntaxConfig::builder();
    blocks.trim_blocks(true).lstrip_blocks(true);
    if let Ok(syntax) = blocks.build() {
        environment.set_syntax(syntax);
    }
    environment.set_formatter(|out, _, value| {
        let text = value.to_string();
        let text = if value.is_safe() { text } else { escaped(&text) };
        Ok(out.write_str(&text)?)
    });
    environment.add_filter("rows", |rows: Vec<Vec<String>>| {
        let row = |cells: &Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
            format!("| {} |", cells.join(" | "))
        };
        Value::from_safe_string(rows.iter().map(row).collect::<Vec<_>>().join("\n"))
    });
    environment.add_filter("lines", |lines: Vec<String>| Value::from_safe_string(lines.join("\n")));
    environment
}

/// Escapes a text so that Markdown finds no markup in it.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            escaped.push('\\');
        }
        // A game's own data file may have a name of several lines.
        escaped.push(if c.is_control() { ' ' } else { c });
    }
    escaped
}

/// Reads the events of Markdown and collects the chapters.
#[derive(Default)]
struct Reader {
    chapters: Vec<Section>,
    /// The text read so far of the current part.
    text: String,
    /// The items read so far of the current list.
    items: Vec<String>,
    columns: Vec<Align>,
    rows: Vec<Vec<String>>,
    cells: Vec<String>,
    in_list: bool,
    /// The number of the list's next item, if its items are numbered.
    number: Option<u64>,
    /// Whether the current block of code is a card.
    card: bool,
}

impl Reader {
    fn event(&mut self, event: Event) {
        match event {
            Event::Text(text) | Event::Code(text) => self.text.push_str(&text),
            Event::SoftBreak | Event::HardBreak => self.text.push(' '),
            Event::Start(Tag::List(first)) => {
                self.in_list = true;
                self.number = first;
            }
            Event::Start(Tag::Item) => {
                if let Some(number) = &mut self.number {
                    self.text = format!("{number}. ");
                    *number += 1;
                }
            }
            Event::Start(Tag::Table(columns)) => {
                self.columns = columns.iter().map(align).collect();
            }
            Event::End(end) => self.end(end),
            Event::Start(Tag::CodeBlock(kind)) => {
                self.card = matches!(&kind, CodeBlockKind::Fenced(word) if &**word == "card");
            }
            _ => {}
        }
    }

    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::Heading(_) => {
                let heading = self.taken();
                self.chapters.push(Section { heading, blocks: Vec::new() });
            }
            TagEnd::Paragraph if !self.in_list => {
                let text = self.taken();
                self.push(Block::Para(text.into()));
            }
            TagEnd::Item => {
                let item = self.taken();
                self.items.push(item);
            }
            TagEnd::List(_) => {
                self.in_list = false;
                let items = std::mem::take(&mut self.items);
                self.push(Block::List(items.into_iter().map(Into::into).collect()));
            }
            TagEnd::CodeBlock => {
                let lines: Vec<String> = self.taken().lines().map(str::to_owned).collect();
                self.push(if self.card { Block::Card(lines) } else { Block::Quote(lines) });
            }
            TagEnd::TableCell => {
                let cell = self.taken();
                self.cells.push(cell);
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                let row = std::mem::take(&mut self.cells);
                self.rows.push(row);
            }
            TagEnd::Table => {
                let mut rows = std::mem::take(&mut self.rows).into_iter();
                let heads = rows.next().unwrap_or_default();
                let columns = heads.into_iter().zip(std::mem::take(&mut self.columns));
                self.push(Block::Table(Table::new(columns, rows.collect())));
            }
            _ => {}
        }
    }

    fn taken(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// Adds a block to the last chapter. Blocks before the first heading belong to no chapter.
    fn push(&mut self, block: Block) {
        if let Some(chapter) = self.chapters.last_mut() {
            chapter.blocks.push(block);
        }
    }
}

fn align(alignment: &Alignment) -> Align {
    match alignment {
        Alignment::Right => Align::Right,
        Alignment::None | Alignment::Left | Alignment::Center => Align::Left,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
<!-- For translators. -->
# 1. The *short* game

{{ seats }} seats, of two
lines `M 1 *`.
{% if bombs %}

- a bomb
- {{ name }}
{% endif %}

| Name | Points |
|---|---:|
{{ points|rows }}

```card
{{ card|lines }}
```

# 2. Nothing

    @ 2A

1. one
2. two
";

    fn figures(bombs: bool) -> Figures {
        let points = vec![vec!["*a|b*".to_owned(), "-1".to_owned()]];
        Figures::default()
            .with("seats", 2)
            .with("bombs", bombs)
            .with("name", "# [x](y) <b>\n1. `")
            .with("points", points)
            .with("card", vec!["M 1 *".to_owned(), "# no".to_owned()])
    }

    #[test]
    fn a_book_is_read_as_it_is_written_and_figures_are_no_markdown() {
        let book = Book::new(TEXT).chapters(|| figures(true));
        assert_eq!(book[0].heading, "1. The short game");
        let table = Table::new(
            [("Name", Align::Left), ("Points", Align::Right)],
            vec![vec!["*a|b*".to_owned(), "-1".to_owned()]],
        );
        assert_eq!(
            book[0].blocks,
            [
                Block::Para("2 seats, of two lines M 1 *.".to_owned().into()),
                Block::List(vec![
                    "a bomb".to_owned().into(),
                    "# [x](y) <b> 1. `".to_owned().into()
                ]),
                Block::Table(table),
                Block::Card(vec!["M 1 *".to_owned(), "# no".to_owned()]),
            ]
        );
        let steps = ["1. one", "2. two"].map(|step| step.to_owned().into());
        assert_eq!(
            book[1].blocks,
            [Block::Quote(vec!["@ 2A".to_owned()]), Block::List(steps.to_vec())]
        );
        let without = Book::new(TEXT).chapters(|| figures(false));
        assert!(!without[0].blocks.iter().any(|block| matches!(block, Block::List(_))));
    }

    #[test]
    fn a_figure_that_is_missing_is_a_fault() {
        let fault = read("# a\n\n{{ b }}\n", &Figures::default()).expect_err("no b");
        assert!(fault.contains("undefined") && fault.contains(":3"), "{fault}");
    }
}
