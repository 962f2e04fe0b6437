//! All formats say the same.

use base::terms::Format;
use engine::report::Block;
use render::text::flat;
use render::{Document, data, pdf, picture, raster, text};

use super::mail_html;
use super::stage::{Shown, all};

/// Every word of a document, in order, without things that maps say only by signs.
fn words(document: &Document) -> Vec<String> {
    let mut said = Vec::new();
    let mut add = |text: &str| said.extend(text.split_whitespace().map(str::to_owned));
    for block in document.blocks() {
        match block {
            Block::Para(line) => add(&flat(line)),
            Block::List(lines) => lines.iter().for_each(|l| add(&flat(l))),
            Block::Table(t) => {
                t.columns.iter().for_each(|c| add(&c.0));
                t.rows.iter().flatten().for_each(|c| add(c));
            }
            Block::Map(map) => add(&map.title),
            Block::Charts(_) => {}
            Block::Battles(cards) => {
                for card in cards {
                    for text in [&card.title(), &card.result, &card.notation] {
                        add(text);
                    }
                    for side in &card.sides {
                        for text in [&side.who, &side.counted(), &side.forces, &side.odds] {
                            add(text);
                        }
                    }
                }
            }
            Block::Quote(lines) | Block::Card(lines) => lines.iter().for_each(|l| add(l)),
        }
    }
    document.sections.iter().for_each(|s| add(&s.heading));
    said
}

/// Only letters and digits, because formats break lines in different places.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn missing(said: &[String], form: &str) -> Vec<String> {
    let form = squeezed(form);
    said.iter().filter(|w| !form.contains(&squeezed(w))).cloned().collect()
}

/// The visible text of a page.
fn visible(html: &str) -> String {
    let body = html.split("<body").nth(1).expect("a body");
    let mut out = String::new();
    let mut inside = true;
    for c in body.chars() {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                out.push(' ');
            }
            c if !inside => out.push(c),
            _ => {}
        }
    }
    let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    plain.iter().fold(out, |text, (from, to)| text.replace(from, to))
}

#[test]
fn text_html_and_json_say_every_word_of_the_document() {
    for Shown { name, document, .. } in all() {
        let said = words(document);
        assert!(said.len() > 200, "{name}");
        assert_eq!(missing(&said, &text::document(document)), [""; 0], "text of {name}");
        let json = String::from_utf8(data::document(document)).expect("UTF-8");
        assert_eq!(missing(&said, &json), [""; 0], "JSON of {name}");
    }
    for shown in all() {
        let said = words(&shown.document);
        assert_eq!(missing(&said, &visible(&shown.html())), [""; 0], "HTML of {}", shown.name);
    }
}

/// The output of a program of poppler-utils about a PDF.
fn told_by(program: &str, options: &[&str], shown: &Shown) -> String {
    let bytes = pdf::document(&shown.document, &shown.drawn, pdf::Paper::A4).expect("a PDF");
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("printout.pdf");
    std::fs::write(&file, bytes).expect("written");
    let mut command = std::process::Command::new(program);
    command.args(options).arg(&file);
    if program == "pdftotext" {
        command.arg("-");
    }
    let told = command.output().expect("poppler-utils; tests/run installs them");
    String::from_utf8_lossy(&told.stdout).into_owned()
}

#[test]
fn paper_says_every_word_of_the_document_but_no_map_in_words() {
    for shown in all() {
        let Shown { name, document, .. } = shown;
        let told = told_by("pdftotext", &["-layout", "-enc", "UTF-8"], shown);
        let said = words(&document.clone().without_words());
        assert_eq!(missing(&said, &told), [""; 0], "{name}");
        assert!(!told.contains("The maps in words"), "{name}");
        let pages = told.matches('\u{c}').count();
        assert!(told.contains(&format!("page {pages} of {pages}")), "{name}");
        if document.head.due.is_empty() {
            continue;
        }
        let last = told.trim_end_matches('\u{c}').rsplit('\u{c}').next().expect("a page");
        assert!(last.contains("to fill in by hand"), "the card is the last page of {name}");
    }
}

#[test]
fn paper_tells_programs_that_read_it_aloud_what_each_part_is() {
    for shown in all() {
        let name = &shown.name;
        assert!(told_by("pdfinfo", &[], shown).contains("Tagged:          yes"), "{name}");
        let parts = told_by("pdfinfo", &["-struct-text"], shown);
        let count = |part: &str| parts.lines().filter(|l| l.trim_start().starts_with(part)).count();
        assert_eq!(count("H1"), 1, "{name}: {parts}");
        let sections = shown.document.clone().without_words().sections.len();
        // The card to fill in by hand has a heading too.
        assert!(count("H2") >= sections, "{name}: {} of {sections}", count("H2"));
        let tables = shown.document.blocks().filter(|b| matches!(b, Block::Table(_))).count();
        assert_eq!(count("Table"), tables, "{name}");
        assert!(count("TR") > tables && count("TH") > tables, "{name}");
        assert_eq!(count("Figure"), shown.drawn.iter().flatten().count(), "{name}");
    }
}

#[test]
fn the_html_is_what_mail_programs_keep() {
    for shown in all() {
        let html = shown.html();
        assert_eq!(mail_html::faults(&html), [""; 0], "{}", shown.name);
        let bare = render::html::document(&shown.document, &shown.drawn, &|_| None);
        assert_eq!(mail_html::faults(&bare), [""; 0], "{} without pictures", shown.name);
    }
}

#[test]
fn every_picture_is_a_small_png_and_named_in_the_html() {
    for shown in all() {
        let html = shown.html();
        let pictures: Vec<_> = shown.drawn.iter().flatten().collect();
        assert!(!pictures.is_empty(), "{}", shown.name);
        for picture in pictures {
            let png = raster::png(&picture.svg).expect("drawn");
            assert!(png.len() < 240_000, "{} of {}: {}", picture.name, shown.name, png.len());
            assert!(html.contains(&format!("cid:{}@fieldpost", picture.name)));
            assert!(!picture.alt.is_empty());
        }
        let mut names: Vec<_> = shown.drawn.iter().flatten().map(|p| &p.name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), shown.drawn.iter().flatten().count(), "{}", shown.name);
    }
}

#[test]
fn each_map_and_what_stands_on_it_is_told_in_words() {
    for Shown { name, document, .. } in all() {
        let told = squeezed(&text::document(document));
        for block in document.blocks() {
            let Block::Map(map) = block else { continue };
            assert!(!map.words.is_empty() || map.square_width == 0, "{} of {name}", map.id);
            for piece in map.pieces.iter().filter(|p| !p.name.is_empty()) {
                assert!(told.contains(&squeezed(&piece.name)), "{} of {name}", piece.name);
            }
            for sheet in picture::sheets(map) {
                assert!(raster::tree(&sheet.svg).is_ok(), "{} of {name}", map.id);
            }
        }
    }
}

#[test]
fn the_json_is_as_its_schema_says() {
    let schema: serde_json::Value = serde_json::from_str(&data::schema()).expect("JSON");
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("turn.schema.json", schema).expect("a schema");
    let schema = compiler.compile("turn.schema.json", &mut schemas).expect("a schema");
    for Shown { name, document, .. } in all() {
        let json: serde_json::Value =
            serde_json::from_slice(&data::document(document)).expect("JSON");
        let fault = schemas.validate(&json, schema).err().map(|e| e.to_string());
        assert_eq!(fault, None, "{name}");
        let back: data::TurnFile = serde_json::from_value(json).expect("the same type");
        assert_eq!(back, data::TurnFile::of(document));
    }
}

#[test]
fn the_schemas_for_clients_are_those_of_the_program() {
    for (file, schema) in
        [("turn.schema.json", data::schema()), ("card.schema.json", robot::card::json::schema())]
    {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("config").join(file);
        if std::env::vars().any(|(k, _)| k == "UPDATE_EXPECT") {
            std::fs::write(&path, &schema).expect("written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(kept, schema, "\"fieldpost schema\" prints the new {file}");
    }
}

#[test]
fn a_player_may_go_without_the_maps_in_words() {
    let shown = &all()[0];
    let words = text::document(&shown.document);
    let without = text::document(&shown.document.clone().without_words());
    assert!(words.contains("The maps in words") && !without.contains("The maps in words"));
    assert!(Format::default().words, "everybody has them who does not say otherwise");
}

#[test]
fn the_json_of_the_demos_last_turns_is_the_same_on_every_machine() {
    for game in ["warlord", "battle-plan"] {
        let shown = all().iter().rfind(|s| s.name.starts_with(game)).expect("a printout");
        let file = data::TurnFile::of(&shown.document);
        let json = serde_json::to_string_pretty(&file).expect("plain data") + "\n";
        let folder = format!("mailbox-fixtures/campaigns/{game}-demo");
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("turn.json");
        if std::env::vars().any(|(k, _)| k == "UPDATE_EXPECT") {
            std::fs::write(&path, &json).expect("written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == json, "{}: UPDATE_EXPECT=1 rewrites it", path.display());
    }
}
