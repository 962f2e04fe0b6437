//! Tests: sentences in two languages, labels, words, and invalid files.

use std::sync::LazyLock;

use super::*;

static GERMAN: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::read("de", include_str!("tests/de.po")).expect("the file is right")
});

static POLISH: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::read("pl", include_str!("tests/pl.po")).expect("the file is right")
});

fn lost(n: u8) -> String {
    count!(n, "{n} ship is lost", "{n} ships are lost")
}

#[test]
fn a_sentence_is_english_until_a_language_holds() {
    let (unit, place) = ("unit 3", "PELAMERE");
    let said = || say!("{unit} goes to {place}");
    assert_eq!(said(), "unit 3 goes to PELAMERE");
    assert_eq!(within(Some(&GERMAN), said), "nach PELAMERE zieht unit 3");
    assert_eq!(said(), "unit 3 goes to PELAMERE");
}

#[test]
fn slots_have_formats_numbers_and_brackets() {
    let said = || say!("{:>3} of {1:02} {{}}", 7, 5);
    assert_eq!(said(), "  7 of 05 {}");
    assert_eq!(within(Some(&GERMAN), said), "von 05   7 {}");
    assert_eq!(say!("{a}{b:?}", a = 1 + 1, b = "x"), "2\"x\"");
}

#[test]
fn numbers_take_the_forms_that_their_language_has() {
    assert_eq!([lost(1), lost(2)], ["1 ship is lost", "2 ships are lost"]);
    let german = within(Some(&GERMAN), || [lost(1), lost(0)]);
    assert_eq!(german, ["1 Schiff ist weg", "0 Schiffe sind weg"]);
    let many = |n: u8| count!(n, both: "{n} Infantry {of}", of = "yours");
    assert_eq!([many(1), many(2)], ["1 Infantry yours", "2 Infantry yours"]);
    let german = within(Some(&GERMAN), || [many(1), many(2)]);
    assert_eq!(german, ["ein Fußvolk, yours", "2 Fußvölker, yours"]);
    let polish = within(Some(&POLISH), || [lost(1), lost(3), lost(5), lost(22)]);
    assert_eq!(polish, ["statek", "statki", "statków", "statki"]);
}

#[test]
fn what_has_no_translation_is_english_and_a_word_may_have_a_sort() {
    within(Some(&GERMAN), || {
        assert_eq!(say!("Nobody has this"), "Nobody has this");
        assert_eq!([say!("March"), say!(month: "March")], ["March", "März"]);
        assert_eq!(word(mark!("Infantry")), "Fußvolk");
        let english = ["Fußvolk", "März", "Engineers"].map(english);
        assert_eq!(english, ["Infantry", "March", "Engineers"]);
        assert_eq!(word("Engineers"), "Engineers");
        // Entries that translators' programs leave in a file.
        assert_eq!([word("Gone"), word("Since")], ["Gone", "seither"]);
    });
}

#[test]
fn a_label_is_said_part_by_part_with_its_numbers() {
    assert_eq!(label("turn 14, segment 2"), "turn 14, segment 2");
    within(Some(&GERMAN), || {
        assert_eq!(label("turn 14, segment 2"), "Runde 14, segment 2");
        assert_eq!(label("peace turn 3 of 12"), "Friedensrunde 3 von 12");
        assert_eq!(label("turn 9, Red attacks Blue"), "Runde 9, Blue wird von Rot angegriffen");
        assert_eq!(label("Blue waits"), "Blue waits");
        assert_eq!(label(""), "");
    });
}

#[test]
fn a_stored_sentence_is_said_again_by_what_it_came_from() {
    let stored = "unit 3, Infantry goes to PELAMERE";
    assert_eq!(retold(stored), stored);
    within(Some(&GERMAN), || {
        assert_eq!(retold("unit 3 goes to PELAMERE"), "nach PELAMERE zieht unit 3");
        assert_eq!(retold("5 ships are lost"), "5 Schiffe sind weg");
        assert_eq!(retold("1 ship is lost"), "1 Schiff ist weg");
        assert_eq!(retold("Infantry goes to PELAMERE"), "nach PELAMERE zieht Fußvolk");
        let two = "Infantry goes to A; 7 ships are lost";
        assert_eq!(retold(two), "nach A zieht Fußvolk; 7 Schiffe sind weg");
        // Too few words outside of slots, or no known sentence.
        assert_eq!(retold("3 of 4 {}"), "3 of 4 {}");
        assert_eq!(retold("nobody has said this"), "nobody has said this");
        assert_eq!(retold("Infantry"), "Fußvolk");
        assert_eq!(retold(&"x".repeat(1000)), "x".repeat(1000));
    });
}

#[test]
fn a_language_ends_with_what_is_within_also_in_a_panic() {
    let panics = || within(Some(&GERMAN), || panic!("as a test"));
    assert!(std::panic::catch_unwind(panics).is_err());
    assert!(now().is_none());
    within(Some(&GERMAN), || {
        assert_eq!(within(None, || word("Infantry")), "Infantry");
        assert_eq!(now().map(Catalogue::code), Some("de"));
    });
}

#[test]
fn a_file_that_is_wrong_is_refused_with_the_sentence() {
    let head = "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\n";
    let wrong = |file: &str| {
        Catalogue::read("de", &(head.to_owned() + file)).map(|_| ()).unwrap_err().to_string()
    };
    assert!(wrong("msgid \"x {y}\"\nmsgstr \"x {y\"\n").contains("x {y"));
    let forms = "msgid \"one\"\nmsgid_plural \"many\"\nmsgstr[0] \"eins\"\n";
    assert!(wrong(forms).contains("\"many\" does not have the 2 forms of de"));
    let three = forms.to_owned() + "msgstr[1] \"zwei\"\nmsgstr[2] \"drei\"\n";
    assert!(wrong(&three).contains("does not have the 2 forms"));
    let twice = "msgid \"x\"\nmsgstr \"1\"\n\nmsgid \"y\"\nmsgid_plural \"x\"\nmsgstr[0] \"2\"\nmsgstr[1] \"3\"\n";
    assert!(wrong(twice).contains("twice"));
    assert!(wrong("msgid \"x\"\nmsgstr \"\\q\"\n").contains("de"));
}

/// A text said as data, in a note that was kept and read again.
fn noted(act: impl FnOnce() -> String) -> Note {
    let note = Note::from(as_data(act));
    let kept = serde_json::to_string(&note).expect("it can be kept");
    assert_eq!(serde_json::from_str::<Note>(&kept).expect("it can be read"), note);
    note
}

#[test]
fn what_is_said_as_data_is_said_again_in_every_language() {
    let unit = || word("Infantry").into_owned();
    let order = || say!("{unit} goes to {place}", unit = unit(), place = "PELAMERE");
    let both = noted(|| format!("{}; {}", order(), lost(2)));
    assert_eq!(both.localized(), "Infantry goes to PELAMERE; 2 ships are lost");
    let german = within(Some(&GERMAN), || both.to_string());
    assert_eq!(german, "nach PELAMERE zieht Fußvolk; 2 Schiffe sind weg");
    let one = noted(|| lost(1));
    assert_eq!(one.localized(), "1 ship is lost");
    assert_eq!(within(Some(&GERMAN), || one.to_string()), "1 Schiff ist weg");
    // A sentence within a slot, a sort, a format, a bracket; names are not words.
    let all = noted(|| {
        let place = say!(month: "March");
        let unit = say!("{:>3} of {1:02} {{}}", 7, 5);
        say!("{unit} goes to {place}") + "Infantry"
    });
    assert_eq!(all.localized(), "  7 of 05 {} goes to MarchInfantry");
    let german = within(Some(&GERMAN), || all.to_string());
    assert_eq!(german, "nach März zieht von 05   7 {}Infantry");
    // Something like a sort is one only if it was written as one.
    assert_eq!(noted(|| say!("conditional: {unit}", unit = 3)).localized(), "conditional: 3");
    let gap = || gapped("Infantry XXX", "XXX", "UK");
    assert_eq!(
        (gap(), noted(gap).localized().into_owned()),
        ("Infantry UK".to_owned(), "Infantry UK".to_owned())
    );
    // Within a language, sentences are not data.
    assert_eq!(as_data(|| within(Some(&GERMAN), || lost(2))), "2 Schiffe sind weg");
}

#[test]
fn a_note_of_an_older_program_is_a_text() {
    let old: Note = serde_json::from_str("\"5 ships are lost\"").expect("a text");
    assert_eq!(serde_json::to_string(&old).expect("a text"), "\"5 ships are lost\"");
    assert_eq!(old.localized(), "5 ships are lost");
    assert_eq!(within(Some(&GERMAN), || old.to_string()), "5 Schiffe sind weg");
    assert_eq!(Note::from(lost(5)), old, "nothing is data outside");
    assert!(Note::from("").is_empty() && !old.is_empty());
}

#[test]
fn marks_that_do_not_fit_are_dropped() {
    let deep = (0..20).fold(String::new(), |inner, _| {
        as_data(|| say!("{unit} goes to {place}", unit = inner, place = "A"))
    });
    let begun = as_data(|| lost(3));
    let cut = begun.trim_end_matches('\u{3}');
    let wild = ["\u{1}", "a\u{2}b", "\u{3}", "\u{1}x\u{2}many\u{2}\u{3}", cut, &deep];
    for text in wild {
        let note = noted(|| text.to_owned());
        assert!(!note.localized().contains(['\u{1}', '\u{2}', '\u{3}']), "{note}");
    }
    assert_eq!(Note::from("a\u{2}b").localized(), "ab");
    // Nested sentences are read only up to a limited depth.
    assert!(Note::from(deep.as_str()).localized().contains("{place}"), "{deep:?}");
}
