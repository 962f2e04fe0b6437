//! Rulebooks as PDF: a table of contents with the right pages, chapters, a picture, an index.

use engine::{Dice, Setup};
use registry::ENGINES;
use render::pdf::Paper;
use render::text::flat;
use robot::book::Book;

/// The pages of a book as poppler reads them.
fn pages(bytes: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.pdf");
    std::fs::write(&file, bytes).expect("written");
    let told = std::process::Command::new("pdftotext")
        .args(["-layout", "-enc", "UTF-8"])
        .args([file.as_os_str(), std::ffi::OsStr::new("-")])
        .output()
        .expect("poppler-utils; tests/run installs them");
    let text = String::from_utf8_lossy(&told.stdout).into_owned();
    text.trim_end_matches('\u{c}').split('\u{c}').map(str::to_owned).collect()
}

#[test]
fn the_contents_of_a_rulebook_name_the_pages_on_which_its_chapters_begin() {
    for engine in ENGINES.iter() {
        let practice = engine.practice();
        let setup = Setup { seats: practice.seats, options: practice.options, ..Setup::default() };
        let saved = engine.new_game(&setup, &mut Dice::new(3)).expect("a game");
        let open = engine.open(&saved).expect("open");
        let chapters = open.rulebook();
        let book = Book::new(*engine, "W7", chapters.clone(), open.as_ref());
        let pages = pages(&book.pdf(Paper::A4).expect("a book"));
        let name = engine.id();
        let squeezed = |t: &str| t.split_whitespace().collect::<Vec<_>>().join(" ");
        for section in &book.document.sections {
            let line = pages[0]
                .lines()
                .chain(pages[1].lines())
                .find(|l| squeezed(l).starts_with(&squeezed(&section.heading)));
            let line = line.unwrap_or_else(|| panic!("{name}: {} is listed", section.heading));
            let page = line.split_whitespace().last().expect("a page");
            let page: usize = page.parse().unwrap_or_else(|_| panic!("{name}: {line}"));
            let there = &pages[page - 1];
            assert!(
                there.lines().any(|l| squeezed(l) == squeezed(&section.heading)),
                "{name}: {} is not on page {page}",
                section.heading
            );
        }
        let told = squeezed(&pages.concat());
        for section in chapters.iter().filter(|s| !s.blocks.is_empty()) {
            if let Some(engine::Block::Para(line)) = section.blocks.first() {
                let first: String = flat(line).chars().take(40).collect();
                assert!(told.contains(&squeezed(&first)), "{name}: {first}");
            }
        }
        assert!(told.contains("How a game looks"), "{name} has a picture");
        let index = pages.iter().rev().find(|p| p.lines().any(|l| l.trim() == "Index"));
        let index = index.unwrap_or_else(|| panic!("{name} has an index"));
        assert!(index.contains(": "), "{name}: {index}");
    }
}
