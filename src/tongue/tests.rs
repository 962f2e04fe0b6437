//! Sentences in two languages, labels, words, and files that are wrong.

use std::sync::LazyLock;

use super::*;

static GERMAN: LazyLock<Catalogue> = LazyLock::new(|| {
    let file = r#"
        [game]
        "{unit} goes to {place}" = "nach {place} zieht {unit}"
        "{0} of {1} {{}}" = "von {1} {0} {{}}"
        "{n} ships are lost" = { one = "{n} Schiff ist weg", other = "{n} Schiffe sind weg" }
        "{n} Infantry {of}" = { one = "ein Fußvolk, {of}", other = "{n} Fußvölker, {of}" }
        "month: March" = "März"
        "turn {0}" = "Runde {0}"
        "peace turn {0} of {1}" = "Friedensrunde {0} von {1}"
        "{0} attacks {1}" = "{1} wird von {0} angegriffen"
        "Red" = "Rot"
        "Infantry" = "Fußvolk"
    "#;
    Catalogue::read("de", file).expect("the file is right")
});

static POLISH: LazyLock<Catalogue> = LazyLock::new(|| {
    let file = r#"
        [game]
        "{n} ships are lost" = { one = "statek", few = "statki", many = "statków", other = "statku" }
    "#;
    Catalogue::read("pl", file).expect("the file is right")
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
        assert_eq!(retold("Infantry goes to PELAMERE"), "nach PELAMERE zieht Fußvolk");
        let two = "Infantry goes to A; 7 ships are lost";
        assert_eq!(retold(two), "nach A zieht Fußvolk; 7 Schiffe sind weg");
        // Too little of its own, or nothing that is known.
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
    let wrong = |file: &str| Catalogue::read("de", file).map(|_| ()).unwrap_err().to_string();
    assert!(wrong("[a]\n\"x {y}\" = \"x {y\"").contains("x {y"));
    assert!(wrong("[a]\n\"x\" = { one = \"1\" }").contains("other"));
    assert!(wrong("[a]\n\"x\" = { some = \"1\", other = \"2\" }").contains("some"));
    assert!(wrong("[a]\n\"x\" = \"1\"\n[b]\n\"x\" = \"2\"").contains("twice"));
    assert!(wrong("[a]\n\"x\" = 1").contains("no text"));
    assert!(wrong("[").contains("de"));
}
