//! Sentences that saved steps hold: each can be said again in another language.

use std::collections::BTreeSet;

use imperium::retold::{TALES, read, retold};

/// Sources whose sentences events hold.
const SOURCES: [&str; 9] = [
    include_str!("../../../src/engines/imperium/acts.rs"),
    include_str!("../../../src/engines/imperium/admin.rs"),
    include_str!("../../../src/engines/imperium/closeout.rs"),
    include_str!("../../../src/engines/imperium/court.rs"),
    include_str!("../../../src/engines/imperium/ground.rs"),
    include_str!("../../../src/engines/imperium/siege.rs"),
    include_str!("../../../src/engines/imperium/step.rs"),
    include_str!("../../../src/engines/imperium/travel.rs"),
    include_str!("../../../src/engines/imperium/war.rs"),
];

/// A literal, which begins behind its first quote, and what follows it.
fn literal(source: &str) -> (String, &str) {
    let (mut text, mut letters) = (String::new(), source.char_indices().peekable());
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (text, &source[at + 1..]),
            '\\' if letters.next_if(|(_, l)| *l == '\n').is_some() => {
                while letters.next_if(|(_, l)| l.is_whitespace()).is_some() {}
            }
            '\\' => text.extend(letters.next().map(|(_, letter)| letter)),
            letter => text.push(letter),
        }
    }
    panic!("a literal without an end: {text}");
}

/// The sentences of a source: for one, and for several.
fn sentences(source: &str) -> BTreeSet<(String, String)> {
    let mut all = BTreeSet::new();
    for call in ["say!(", "count!("] {
        for after in source.split(call).skip(1) {
            let (_, text) = after.split_once('"').expect("a literal");
            let (one, behind) = literal(text);
            // One sentence may be for both.
            let second = behind.trim_start().strip_prefix(',').map(str::trim_start);
            let second = second.filter(|_| call == "count!(").and_then(|s| s.strip_prefix('"'));
            let other = second.map_or_else(|| one.clone(), |text| literal(text).0);
            all.insert((one, other));
        }
    }
    all
}

#[test]
fn every_sentence_of_a_step_can_be_said_again() {
    let written: BTreeSet<_> = SOURCES.into_iter().flat_map(sentences).collect();
    let mut known: BTreeSet<_> =
        TALES.iter().map(|t| (t.one.to_owned(), t.other.to_owned())).collect();
    assert_eq!(known.len(), TALES.len(), "one stands there twice");
    // It stands with the orders, which are read and not stored.
    let hexes = "{planet} has hexes 1–{n}".to_owned();
    assert!(known.remove(&(hexes.clone(), hexes)));
    let missing: Vec<_> = written.difference(&known).collect();
    let gone: Vec<_> = known.difference(&written).collect();
    assert!(missing.is_empty() && gone.is_empty(), "missing {missing:?}, gone {gone:?}");
}

#[test]
fn a_sentence_is_read_as_itself() {
    let value = |slot: &str| match slot {
        "who" | "whose" => "Terran",
        "called" => "09 Barnard's Star",
        "head" => "Imperial Intervention 3 + 4 = 7",
        "note" => "you have no DD7",
        "parts" => "10 for the region + 3 for 3 Worlds - 2 for the depression",
        "joined" => "35.1 and 38.1",
        "n" | "turns" | "most" => "2",
        _ => "DD7",
    };
    for (at, tale) in TALES.iter().enumerate() {
        let template = tongue::Template::read(tale.other).expect("it is a sentence");
        let slots: Vec<(&str, String)> =
            template.slots().into_iter().map(|s| (s, value(s).to_owned())).collect();
        let text = template.fill(&slots);
        let first =
            TALES.iter().position(|t| read(t.one, &text).or(read(t.other, &text)).is_some());
        assert_eq!(first, Some(at), "{text}");
        let found = read(tale.other, &text).expect("it is this one");
        assert!(slots.iter().all(|(slot, text)| found.contains(&(slot, text))), "{text}");
    }
}

#[test]
fn a_sentence_is_said_again_with_what_is_in_it() {
    static GERMAN: std::sync::LazyLock<tongue::Catalogue> = std::sync::LazyLock::new(|| {
        let file = include_str!("../../../config/languages/de.po");
        tongue::Catalogue::read("de", file).expect("the file is right")
    });
    let said = |text: &str| tongue::within(Some(&GERMAN), || retold(text).into_owned());
    let income = "Imperial income 12: 10 for the region + 3 for 3 Worlds - 1 for the \
                  depression. The stockpile is 20.";
    let line = "Line 3: DD: 5 DD cost 25, you have 12: 2 for 10, due in 1 turn; 2 left.";
    let tales = [
        (
            income,
            "Einkommen des Imperiums: 12 (10 für die Region + 3 für 3 Welten - 1 für die \
             Wirtschaftskrise). Im Vorrat sind 20.",
        ),
        (line, "Zeile 3: DD: 5 DD kosten 25, du hast 12: 2 für 10, fertig in 1 Runde; übrig 2."),
        (
            "33.1 has its unit; 35.1 and 38.1 come first",
            "33.1 hat schon eine Einheit; 35.1 und 38.1 kommen zuerst",
        ),
        (
            "Terran captures the Imperial Outpost on 09.1.",
            "Terra erobert den Außenposten des Imperiums auf 09.1.",
        ),
        ("L TR1 RT2: you have no RT2", "L TR1 RT2: du hast keine Einheit RT2"),
        ("Who knows?", "Who knows?"),
    ];
    for (english, german) in tales {
        assert_eq!(retold(english), english);
        assert_eq!(said(english), german);
    }
}
