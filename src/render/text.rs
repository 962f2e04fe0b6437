//! A document as text of at most 78 columns, complete in itself.

use super::{Document, Marks};
use engine::Seat;
use engine::report::{
    Align, Battle, Block, Cell, Force, HexRows, Line, MapKind, MapPicture, Section, Span, Table,
};
use tongue::say;

/// Columns of a line.
pub const WIDTH: usize = 78;

/// Prefix of every line that we send and that might look like an order: with it
/// no line can be read as one.
pub const SAFE: &str = "| ";

/// The whole printout: marker line, headline, deadline, what needs orders, sections, the blank
/// card in its frame.
pub fn document(document: &Document) -> String {
    let head = &document.head;
    let mut out = format!("{}\n\n", document.marks.marker);
    out += &about(&head.game, &head.label, head.seat, &head.name);
    let headline = document.headline();
    if !headline.is_empty() {
        out += &format!("\n{}", items(headline));
    }
    if !head.due.is_empty() {
        out += if headline.is_empty() { "" } else { "\n" };
        out += &para(&head.due);
    }
    document.after_headline().iter().for_each(|b| out += &render_block(b));
    out.push('\n');
    for section in &document.sections {
        let body = sections(std::slice::from_ref(section));
        if !section.blocks.iter().any(|b| matches!(b, Block::Card(_))) {
            out += &body;
            continue;
        }
        out += &heading(&section.heading);
        out += &card(section, &document.marks);
        out.push('\n');
    }
    format!("{}\n", out.trim_end())
}

/// What a mail is about: the game, its open step, the reader's seat and name, if there is one.
pub fn about(game: &str, step: &str, seat: Seat, name: &str) -> String {
    let step = tongue::label(step);
    let about = match name {
        "" => say!("Game {game}, {step}, seat {seat}."),
        name => say!("Game {game}, {step}, seat {seat} ({name})."),
    };
    fill(&about, "", SAFE)
}

/// The blank card between a first and a last line by which typed-in orders are found
/// again, without its heading.
pub fn card(section: &Section, marks: &Marks) -> String {
    let [begin, end] = &marks.card_frame;
    let lines: String = section.blocks.iter().map(render_block).collect();
    format!("{SAFE}{begin}\n{}\n{SAFE}{end}\n", lines.trim_end())
}

/// A line with the prefix by which it can't be read as an order.
pub fn safe(line: &str) -> String {
    format!("{SAFE}{line}").trim_end().to_owned()
}

/// Renders sections one under the other.
pub fn sections(sections: &[Section]) -> String {
    let mut out = String::new();
    for section in sections {
        out += &heading(&section.heading);
        for (i, block) in section.blocks.iter().enumerate() {
            // A list, a table or a map follows directly below the words that lead to it.
            let leads = i > 0
                && matches!(section.blocks[i - 1], Block::Para(_))
                && !matches!(block, Block::Para(_));
            if i > 0 && !leads && !matches!(block, Block::Charts(_)) {
                out.push('\n');
            }
            out += &render_block(block);
        }
        out.push('\n');
    }
    out
}

/// An underlined heading.
pub fn heading(text: &str) -> String {
    format!("{text}\n{}\n", "-".repeat(textwrap::core::display_width(text)))
}

/// Running text, wrapped.
pub fn para(text: &str) -> String {
    fill(text, "", "")
}

/// Paragraphs that are wrapped already stay; long lines are wrapped.
pub fn wrapped(text: &str) -> String {
    text.lines().map(|l| if l.is_empty() { "\n".to_owned() } else { fill(l, "", "") }).collect()
}

/// Wraps a text with `first` before its first line and `rest` before the others; ends with a line
/// end.
pub fn fill(text: &str, first: &str, rest: &str) -> String {
    // Most lines fit, and plain ASCII is as wide as it is long.
    if text.is_ascii() && first.len() + text.len() <= WIDTH && !text.contains('\n') {
        return format!("{}\n", format!("{first}{text}").trim_end());
    }
    let options = textwrap::Options::new(WIDTH).initial_indent(first).subsequent_indent(rest);
    format!("{}\n", textwrap::fill(text, options))
}

fn render_block(block: &Block) -> String {
    match block {
        Block::Para(line) => fill(&flat(line), "", next_indent(line, "")),
        Block::List(lines) => items(lines),
        Block::Table(t) => table(t),
        Block::Map(picture) => map(picture),
        // A table beside them says the same.
        Block::Charts(_) => String::new(),
        Block::Battles(cards) => cards.iter().map(battle).collect::<Vec<_>>().join("\n"),
        Block::Quote(lines) | Block::Card(lines) => lines.iter().map(|l| safe(l) + "\n").collect(),
    }
}

/// Characters of a bar.
const BAR: u32 = 24;

/// A fight as a card, each of its lines with the prefix by which it can't be read as an order.
fn battle(battle: &Battle) -> String {
    let (inner, most) = (format!("{SAFE}  "), battle.most());
    let indent = format!("{inner}  ");
    let mut out = fill(&battle.title(), SAFE, &inner);
    let wide = |s: &Force| textwrap::core::display_width(&s.who);
    let who = battle.sides.iter().map(wide).max().unwrap_or(0).min(26);
    for side in &battle.sides {
        let (left, lost) = side.bar(most, BAR);
        let letters = |sign: &str, n: u32| sign.repeat(n as usize);
        let bar = format!("{}{}", letters("#", left), letters("-", lost));
        let line = match side.is_counted() {
            false => side.who.clone(),
            true => {
                let gap = " ".repeat(who.saturating_sub(wide(side)));
                format!("{}{gap}  {bar:<24}  {}", side.who, side.counted())
            }
        };
        out += &fill(&line, &inner, &indent);
        let told: Vec<&str> =
            [side.forces.as_str(), &side.odds].into_iter().filter(|t| !t.is_empty()).collect();
        if !told.is_empty() {
            out += &fill(&told.join("; "), &indent, &indent);
        }
    }
    for text in [&battle.result, &battle.notation] {
        if !text.is_empty() {
            out += &fill(text, &inner, &inner);
        }
    }
    out
}

/// Items under each other.
pub fn items(lines: &[Line]) -> String {
    lines.iter().map(|l| fill(&flat(l), "* ", next_indent(l, "  "))).collect()
}

/// How the further lines of a wrapped line begin. If a player's words may begin one of them, it has
/// the prefix by which nothing can be read as an order.
fn next_indent<'a>(line: &Line, usual: &'a str) -> &'a str {
    match line.0.iter().any(|s| matches!(s, Span::Chosen(_) | Span::Player(_))) {
        true => SAFE,
        false => usual,
    }
}

/// A line as plain text; addresses are filled in before a document is rendered.
pub fn flat(line: &Line) -> String {
    let span = |s: &Span| match s {
        Span::Plain(text) | Span::Chosen(text) => text.clone(),
        Span::Player(seat) => say!("seat {seat}"),
        Span::Address(_) | Span::Seal(..) => String::new(),
    };
    let text: String = line.0.iter().map(span).collect();
    text.trim_end().to_owned()
}

/// A table with a safe prefix on each row, because rows may quote orders. The last column takes
/// what is left of the line and wraps.
pub fn table(table: &Table) -> String {
    let last = table.columns.len().saturating_sub(1);
    let wide = |i: usize| {
        let cells =
            table.rows.iter().filter_map(|r| r.get(i)).map(|c| textwrap::core::display_width(c));
        let heading = textwrap::core::display_width(&table.columns[i].0);
        let most = cells.max().unwrap_or(0).max(heading);
        if i == last { most } else { most.min(30) }
    };
    let mut widths: Vec<usize> = (0..table.columns.len()).map(wide).collect();
    let mut before: usize = widths[..last].iter().map(|w| w + 2).sum();
    // The widest columns become narrower until the last has room.
    while before + 8 + SAFE.len() > WIDTH
        && let Some(widest) = widths[..last].iter_mut().max().filter(|w| **w > 4)
    {
        *widest -= 1;
        before -= 1;
    }
    if let Some(w) = widths.last_mut() {
        *w = (*w).min(WIDTH.saturating_sub(SAFE.len() + before).max(8));
    }
    let head: Vec<String> = table.columns.iter().map(|c| c.0.to_string()).collect();
    let rows = std::iter::once(&head).chain(&table.rows);
    rows.map(|row| table_row(table, &widths, row)).collect()
}

fn table_row(table: &Table, widths: &[usize], row: &[String]) -> String {
    let wrapped: Vec<Vec<String>> = row
        .iter()
        .zip(widths)
        .map(|(cell, &w)| match textwrap::core::display_width(cell) > w {
            true => {
                let lines = textwrap::wrap(cell.trim(), textwrap::Options::new(w));
                lines.iter().map(|l| l.to_string()).collect()
            }
            false => vec![cell.clone()],
        })
        .collect();
    let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
    let mut out = String::new();
    for i in 0..height {
        let mut line = SAFE.to_owned();
        for (c, lines) in wrapped.iter().enumerate() {
            let cell = lines.get(i).map_or("", String::as_str);
            let fill = " ".repeat(widths[c].saturating_sub(textwrap::core::display_width(cell)));
            line += &match table.columns[c].1 {
                Align::Left => format!("{cell}{fill}  "),
                Align::Right => format!("{fill}{cell}  "),
            };
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// What a text map is made of, whatever form the places have.
struct Plan<'a> {
    columns: Vec<&'a str>,
    rows: Vec<&'a str>,
    /// Row by row; `None` where a graph has no node.
    cells: Vec<Option<&'a Cell>>,
    /// Rows of hexagons that are farther east.
    offset: Option<HexRows>,
    /// Lines of a row, at least.
    high: usize,
}

impl<'a> Plan<'a> {
    /// The plan of a grid or of a graph; `None` for regions, which are described in words.
    fn of(map: &'a MapPicture) -> Option<Self> {
        match &map.kind {
            MapKind::Grid(grid) => Some(Self {
                columns: grid.columns.iter().map(String::as_str).collect(),
                rows: grid.rows.iter().map(String::as_str).collect(),
                cells: grid.cells.iter().map(Some).collect(),
                offset: grid.hexes,
                high: 0,
            }),
            MapKind::Regions(_) => None,
            MapKind::Graph(graph) => {
                let (wide, high) = (usize::from(graph.size.0), usize::from(graph.size.1));
                let mut cells = vec![None; wide * high];
                for node in &graph.nodes {
                    let (x, y) = (usize::from(node.at.0), usize::from(node.at.1));
                    if x < wide && y < high {
                        cells[y * wide + x] = Some(&node.cell);
                    }
                }
                let lines = graph.nodes.iter().map(|n| n.cell.text.len()).max();
                Some(Self {
                    columns: vec![""; wide],
                    rows: vec![""; high],
                    cells,
                    offset: None,
                    high: lines.unwrap_or(0),
                })
            }
        }
    }

    /// Characters by which a row is farther east.
    fn shift(&self, row: usize, square: usize) -> usize {
        match self.offset {
            Some(HexRows::Odd) if row % 2 == 1 => square / 2,
            Some(HexRows::Even) if row.is_multiple_of(2) => square / 2,
            _ => 0,
        }
    }
}

/// A map in panels that fit the line, with coordinates on each.
fn map(picture: &MapPicture) -> String {
    let mut out = match picture.title.as_str() {
        "" => String::new(),
        title => para(title),
    };
    let square = picture.square_width;
    let Some(plan) = Plan::of(picture).filter(|_| square > 0) else { return out };
    let label = plan.rows.iter().map(|r| r.len()).max().unwrap_or(0) + 1;
    // Room for the safe prefix, the label on both sides and the squares.
    let half = if plan.offset.is_some() { square / 2 } else { 0 };
    let room = WIDTH.saturating_sub(SAFE.len() + 2 * label + half);
    let per_panel = (room / square).max(1);
    let columns = plan.columns.len();
    for first in (0..columns).step_by(per_panel) {
        let panel = first..(first + per_panel).min(columns);
        out += &column_labels(&plan.columns[panel.clone()], square, label);
        for (r, row_label) in plan.rows.iter().enumerate() {
            let cells = &plan.cells[r * columns + panel.start..r * columns + panel.end];
            let lines = |cell: &Option<&Cell>| cell.map_or(0, |c| c.text.len());
            let height = cells.iter().map(lines).max().unwrap_or(0).max(plan.high);
            let shift = " ".repeat(plan.shift(r, square));
            for line in 0..height {
                let middle = line == height / 2;
                let edge = if middle { *row_label } else { "" };
                let mut text = format!("{SAFE}{edge:<label$}{shift}");
                for cell in cells {
                    let part = cell.and_then(|c| c.text.get(line)).map_or("", String::as_str);
                    text += &format!("{part:<square$.square$}");
                }
                out += format!("{text} {edge}").trim_end();
                out.push('\n');
            }
        }
        out.push('\n');
    }
    if picture.legend.is_empty() {
        return out;
    }
    let signs = picture.legend.iter().map(|(sign, means)| format!("{sign} {means}"));
    out + &para(&say!("Signs: {signs}.", signs = signs.collect::<Vec<_>>().join(";  ")))
}

/// Column numbers: upright digits over narrow squares, plain over wide ones.
fn column_labels(labels: &[&str], square: usize, label: usize) -> String {
    if labels.iter().all(|l| l.is_empty()) {
        return String::new();
    }
    let pad = " ".repeat(label);
    if square > 4 {
        let line: String = labels.iter().map(|l| format!("{l:<square$}")).collect();
        return format!("{}\n", format!("{SAFE}{pad}{line}").trim_end());
    }
    let digits = labels.iter().map(|l| l.len()).max().unwrap_or(0);
    let line = |d: usize| {
        let digit = |l: &&str| format!("{:<square$}", l.chars().nth(d).unwrap_or(' '));
        let text: String = labels.iter().map(digit).collect();
        format!("{}\n", format!("{SAFE}{pad}{text}").trim_end())
    };
    (0..digits).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_wrap_their_last_column_within_the_line() {
        let rows = vec![vec!["1".into(), "a long result ".repeat(12)]];
        let table = Table::new([("Line", Align::Right), ("Result", Align::Left)], rows);
        let text = super::table(&table);
        assert!(text.lines().count() > 2);
        assert!(text.lines().all(|l| l.len() <= WIDTH && l.starts_with('|')), "{text}");
    }
}
