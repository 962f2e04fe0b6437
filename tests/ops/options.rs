//! Options of games: one way to write them in all games, and one list of them wherever they are
//! shown.

use std::collections::BTreeMap;

use engine::options::{Usual, Values, explained};
use engine::{Dice, Engine, OptionRow, Saved, Setup};
use registry::ENGINES;

use super::cli::fieldpost;

/// What a game is made of when these options are written, with as few seats as take them; else
/// all that is wrong.
fn made(engine: &dyn Engine, options: &[(&str, &str)]) -> Result<Saved, Vec<String>> {
    let options: BTreeMap<String, String> =
        options.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let made = [2, 4, 10, 13].into_iter().filter(|n| engine.seats().contains(n)).map(|seats| {
        let setup = Setup { seats, options: options.clone(), ..Setup::default() };
        engine.new_game(&setup, &mut Dice::new(7).of_rules(engine.rules_version()))
    });
    let mut faults = Vec::new();
    for one in made {
        match one {
            Ok(saved) => return Ok(saved),
            Err(more) => faults.extend(more),
        }
    }
    Err(faults)
}

fn rows() -> impl Iterator<Item = (&'static dyn Engine, &'static OptionRow)> {
    ENGINES.iter().flat_map(|engine| engine.options().iter().map(move |row| (*engine, row)))
}

/// What an option needs beside it to have an effect.
fn beside(row: &OptionRow) -> &'static [(&'static str, &'static str)] {
    match row.name {
        "battle_ask" => &[("battle", "round")],
        "length" => &[("variant", "1939")],
        "parts" => &[("order", "sequential")],
        "positions" => &[("variant", "real")],
        "wishes" => &[("starts", "wish")],
        _ => &[],
    }
}

fn with<'a>(row: &OptionRow, name: &'a str, text: &'a str) -> Vec<(&'a str, &'a str)> {
    [beside(row), &[(name, text)]].concat()
}

#[test]
fn the_usual_value_of_an_option_is_what_a_game_has_without_it() {
    for (engine, row) in rows() {
        let Usual::Is(usual) = row.usual else { continue };
        // Strengths that are written are kept, also usual ones.
        if usual.is_empty() || matches!(row.values, Values::Strengths) {
            continue;
        }
        let without = made(engine, beside(row)).expect("a game");
        let written = made(engine, &with(row, row.name, usual));
        assert!(written.as_ref() == Ok(&without), "{} {}", engine.id(), row.name);
    }
}

#[test]
fn each_word_of_an_option_is_taken_and_does_something() {
    for (engine, row) in rows() {
        let words: Vec<&str> = match row.values {
            Values::Words(words) => words.iter().map(|w| w.word).collect(),
            Values::Switch => vec!["on", "off"],
            _ => continue,
        };
        let games: Vec<Saved> = words
            .iter()
            .map(|word| made(engine, &with(row, row.name, word)).expect("a word of the row"))
            .collect();
        for (i, game) in games.iter().enumerate() {
            let same = games[..i].iter().any(|other| other.state == game.state);
            assert!(!same, "{}: {}={} does nothing", engine.id(), row.name, words[i]);
        }
    }
}

#[test]
fn case_quotes_and_hyphens_of_an_option_do_not_count_in_any_game() {
    for (engine, row) in rows() {
        let (text, other) = match row.values {
            Values::Words(words) => (words[words.len() - 1].word, ""),
            Values::Switch => ("on", "TRUE"),
            Values::Number(_, most) => (&*most.to_string().leak(), ""),
            Values::Numbers(_, most) => (&*most.to_string().leak(), ""),
            Values::Strengths => ("hard", "Expert"),
            Values::Text(_) => continue,
        };
        let plain = made(engine, &with(row, row.name, text)).expect("a value of the row");
        let name = row.name.to_uppercase().replace('_', "-");
        let quoted = format!(" \"{}\" ", text.to_uppercase().replace('-', "_"));
        for text in [&*quoted, if other.is_empty() { &quoted } else { other }] {
            let dressed = made(engine, &with(row, &name, text));
            assert!(dressed.as_ref() == Ok(&plain), "{}: {name}={text}", engine.id());
        }
    }
}

#[test]
fn nothing_that_is_written_as_an_option_is_passed_over_in_silence() {
    for (engine, row) in rows() {
        let faults = made(engine, &with(row, row.name, "1z")).expect_err("no value of any option");
        assert!(faults.iter().any(|f| f.starts_with(row.name)), "{}: {faults:?}", engine.id());
        let twice = [(row.name, row.usual()), (&*row.name.to_uppercase(), row.usual())];
        let faults = made(engine, &twice).expect_err("it is there twice");
        let told = format!("{} is set twice", row.name);
        assert!(faults.contains(&told), "{}: {faults:?}", engine.id());
    }
    for (id, options) in [
        ("battle-plan", [("variant", "europe"), ("length", "exact25")]),
        ("battle-plan", [("variant", "europe"), ("positions", "USA")]),
        ("battle-plan", [("variant", "1939"), ("starts", "set")]),
        ("battle-plan", [("starts", "lot"), ("wishes", "TU, SP")]),
        ("empire-deluxe", [("order", "simultaneous"), ("parts", "2")]),
        ("imperium", [("battle", "standing"), ("battle_ask", "60")]),
    ] {
        let engine = engine::find(&ENGINES, id).expect("an engine");
        let faults = made(engine, &options).expect_err("one without effect");
        assert!(faults.iter().any(|f| f.contains("with")), "{id}: {faults:?}");
    }
    for engine in ENGINES.iter() {
        let faults = made(*engine, &[("map", "anything")]).expect_err("no option of any game");
        assert!(faults[0].contains("has no option \"map\"; its options are "), "{faults:?}");
        let faults = made(*engine, &[("computer", "hard")]).expect_err("no option of any game");
        assert!(faults[0].ends_with("; did you mean computers?"), "{faults:?}");
    }
}

#[test]
fn the_command_lists_the_options_of_a_game_or_of_all() {
    let dir = tempfile::tempdir().expect("a folder");
    let (ok, all, _) = fieldpost(dir.path(), &["options"]);
    assert!(ok);
    for (engine, row) in rows() {
        assert!(all.contains(engine.title()) && all.contains(row.name), "{}: {all}", row.name);
    }
    let (ok, one, _) = fieldpost(dir.path(), &["options", "imperium"]);
    assert!(ok && one.contains("tempo") && !one.contains("leader_percent"), "{one}");
    let (ok, _, error) = fieldpost(dir.path(), &["options", "chess"]);
    assert!(!ok && error.contains("there are warlord, battle-plan"), "{error}");
}

/// The options of all games as the manual has them.
fn chapter() -> String {
    let mut text = String::new();
    for engine in ENGINES.iter() {
        text += &format!(
            "\n### {}\n\n| option | usual | what it does |\n|---|---|---|\n",
            engine.title()
        );
        for row in engine.options() {
            text += &format!("| `{}` | {} | {} |\n", row.name, row.usual(), explained(row));
        }
    }
    text
}

#[test]
fn the_game_masters_manual_has_the_options_of_all_games() {
    const BEGIN: &str = "<!-- Made from the rows of the games. -->\n";
    const END: &str = "<!-- End of the options. -->\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/MANUAL.md");
    let manual = std::fs::read_to_string(path).expect("the manual");
    let (before, rest) = manual.split_once(BEGIN).expect("where the options begin");
    let (_, after) = rest.split_once(END).expect("where they end");
    let made = format!("{before}{BEGIN}{}\n{END}{after}", chapter());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &made).expect("the manual");
        return;
    }
    assert!(made == manual, "deploy/MANUAL.md: run with UPDATE_EXPECT=1 and look at the change");
}
