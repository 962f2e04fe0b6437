//! A rulebook as a page: its chapters, with links to each.

use maud::{Markup, html};

use super::pages::frame;
use engine::report::{Align, Block, Section, Table};
use render::text::flat;

/// The page of a book.
pub fn page(title: &str, sections: &[Section]) -> String {
    let body = html! {
        p { a href="../index.html" { "All games" } }
        nav aria-label="Chapters" {
            ul .plain { @for (i, section) in (1..).zip(sections) {
                li { a href=(format!("#chapter-{i}")) { (section.heading) } }
            } }
        }
        div .book {
            @for (i, section) in (1..).zip(sections) {
                section aria-labelledby=(format!("chapter-{i}")) {
                    h2 id=(format!("chapter-{i}")) { (section.heading) }
                    @for block in &section.blocks { (self::block(block)) }
                }
            }
        }
    };
    frame(title, "../", body)
}

/// Books have neither maps nor charts.
fn block(block: &Block) -> Markup {
    html! {
        @match block {
            Block::Para(line) => { p { (flat(line)) } },
            Block::List(lines) => { ul { @for line in lines { li { (flat(line)) } } } },
            Block::Table(table) => { (self::table(table)) },
            Block::Quote(lines) | Block::Card(lines) => { pre { (lines.join("\n")) } },
            Block::Map(map) => { ul { @for line in &map.words { li { (flat(line)) } } } },
            Block::Charts(_) | Block::Battles(_) => {},
        }
    }
}

fn table(table: &Table) -> Markup {
    let side = |align: Align| (align == Align::Right).then_some("number");
    html! {
        table {
            thead { tr {
                @for (heading, align) in &table.columns {
                    th scope="col" class=[side(*align)] { (heading) }
                }
            } }
            tbody {
                @for row in &table.rows { tr {
                    @for (cell, (_, align)) in row.iter().zip(&table.columns) {
                        td class=[side(*align)] { (cell.trim_end()) }
                    }
                } }
            }
        }
    }
}
