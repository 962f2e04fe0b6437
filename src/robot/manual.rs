//! The player's manual: one text, which HELP MANUAL sends and the public pages show.
//!
//! It is `config/manual/player.md`, so that it can be read where the sources are. Of Markdown it uses
//! headings, paragraphs, lists and indented lines. It is English, as rulebooks are.

use engine::report::{Block, Line, Section};

const TEXT: &str = include_str!("../../config/manual/player.md");

/// The manual, chapter by chapter.
pub fn chapters() -> Vec<Section> {
    let mut chapters: Vec<Section> = Vec::new();
    for piece in TEXT.split("\n\n") {
        let piece = piece.trim_matches('\n');
        if let Some(heading) = piece.strip_prefix('#') {
            let heading = heading.trim_start_matches('#').trim().to_owned();
            chapters.push(Section { heading, blocks: Vec::new() });
        } else if let Some(chapter) = chapters.last_mut() {
            chapter.blocks.push(block(piece));
        }
    }
    chapters
}

fn block(piece: &str) -> Block {
    if piece.starts_with("    ") {
        return Block::Quote(piece.lines().map(|l| l.trim().to_owned()).collect());
    }
    match piece.strip_prefix("- ") {
        Some(items) => Block::List(items.split("\n- ").map(line).collect()),
        None => Block::Para(line(piece)),
    }
}

/// What Markdown writes in several lines, and marks as code.
fn line(text: &str) -> Line {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('`', "").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_is_read_as_it_is_written() {
        let all = chapters();
        assert_eq!(all[0].heading, "How to play by mail");
        assert_eq!(all[1].heading, "Your first card");
        let shown = render::text::sections(&all);
        assert!(shown.contains("A 12 12387") && shown.contains("\"schema\": \"fieldpost/card/1\""));
        assert!(shown.contains("FORMAT desk adds a page"));
        for mark in ["`", "##", "**"] {
            assert!(!shown.contains(mark), "{mark}");
        }
        assert!(all.iter().all(|chapter| !chapter.blocks.is_empty()));
        assert!(shown.lines().all(|line| line.len() <= 78), "{shown}");
    }

    #[test]
    fn every_command_of_the_manual_is_one() {
        let also = ["ADD", "ANON", "CANCEL", "CHECK", "END", "GAME", "TURN"];
        let known = |word: &str| {
            also.contains(&word) || crate::commands::ROWS.iter().any(|row| row.word == word)
        };
        let spans = TEXT.split('`').skip(1).step_by(2);
        let words = spans.filter_map(|span| span.split([' ', '\n']).next());
        let named: Vec<&str> =
            words.filter(|w| w.len() > 2 && w.chars().all(|c| c.is_ascii_uppercase())).collect();
        assert!(named.len() > 40, "{named:?}");
        let strange: Vec<&&str> = named.iter().filter(|word| !known(word)).collect();
        assert!(strange.is_empty(), "no commands: {strange:?}");
        let told = |row: &&crate::verdict::case::Row| !row.is_listed() || named.contains(&row.word);
        let left_out: Vec<&str> =
            crate::commands::ROWS.iter().filter(|row| !told(row)).map(|row| row.word).collect();
        assert!(left_out.is_empty(), "not in the manual: {left_out:?}");
    }
}
