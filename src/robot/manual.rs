//! The player's manual: one text, which HELP MANUAL sends and the public pages show.
//!
//! It is `config/manual/player.md`, so that it can be read where the sources are.

use engine::book::{Book, Figures};
use engine::report::Section;

const TEXT: &str = include_str!("../../config/manual/player.md");

/// The manual, chapter by chapter.
pub fn chapters() -> Vec<Section> {
    Book::new(TEXT).chapters(Figures::default)
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
