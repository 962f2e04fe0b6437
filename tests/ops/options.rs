//! Options of games: one way to write them in all games, and one list of them wherever they are
//! shown.

use std::collections::{BTreeMap, BTreeSet};

use base::terms::Terms;
use engine::options::{Chapter, Usual, Values, chapter, explained, passed_over};
use engine::{Dice, Engine, OptionRow, Saved, Setup};
use registry::ENGINES;
use robot::gm::terms::MEANINGS;

use super::cli::fieldpost;

/// The game with these options, for the smallest number of seats that allows them; else all faults,
/// and options without effect.
fn made(engine: &dyn Engine, options: &[(&str, &str)]) -> Result<Saved, Vec<String>> {
    let options: BTreeMap<String, String> =
        options.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let made = [2, 4, 10, 13].into_iter().filter(|n| engine.seats().contains(n)).map(|seats| {
        let setup = Setup { seats, options: options.clone(), ..Setup::default() };
        let idle = passed_over(engine.title(), engine.options(), &setup);
        let made = engine.new_game(&setup, &mut Dice::new(7).of_rules(engine.rules_version()));
        match made {
            Ok(saved) if idle.is_empty() => Ok(saved),
            made => Err([made.err().unwrap_or_default(), idle].concat()),
        }
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

/// Other options that an option needs to have an effect.
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
        ("battle-plan", [("variant", "anonymous"), ("letters", "at-once")]),
        ("imperium", [("battle", "standing"), ("battle_ask", "60")]),
        ("imperium", [("halts_max", "0"), ("live_hours", "12")]),
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
fn a_game_that_was_made_with_what_is_refused_now_is_made_again_as_it_was() {
    for (id, options) in [
        ("warlord", [("map", "anything"), ("speed", "1")]),
        ("battle-plan", [("starts", "lot"), ("wishes", "TU, SP")]),
        ("empire-deluxe", [("order", "simultaneous"), ("parts", "2")]),
        ("imperium", [("map", "anything"), ("battle_ask", "60")]),
    ] {
        let engine = engine::find(&ENGINES, id).expect("an engine");
        let options = options.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
        let setup = Setup { seats: *engine.seats().start(), options, ..Setup::default() };
        let idle = passed_over(engine.title(), engine.options(), &setup);
        assert!(!idle.is_empty(), "{id}: it is refused now");
        let dice = || Dice::new(7).of_rules(engine.rules_version());
        assert!(engine.new_game(&setup, &mut dice()).is_ok(), "{id}");
    }
}

#[test]
fn a_game_tells_its_players_what_was_chosen_and_nothing_that_does_not_count() {
    let written = |options: &[(&str, &str)], data: &[(&str, &str)], id: &str| {
        let own = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        let engine = engine::find(&ENGINES, id).expect("an engine");
        let (options, data) = (options.iter().map(own).collect(), data.iter().map(own).collect());
        let setup = Setup { seats: 3, options, data };
        let about = Chapter::Game { setup: &setup, usual: engine.data() };
        render::text::sections(chapter(engine.options(), about).as_slice())
    };
    let empire = |options, data| written(options, data, "empire-deluxe");
    let text = empire(&[("COMPUTERS", "novice, expert easy"), ("Order", "SIMULTANEOUS")], &[]);
    assert!(text.contains("easy hard easy") && text.contains("simultaneous"), "{text}");
    assert!(text.contains("as usual: 65") && !text.contains("parts"), "{text}");
    let text = empire(&[], &[("map.txt", "a map")]);
    assert!(!text.contains("smooth"), "{text}");
    let text = empire(&[("water", "50")], &[("rules.toml", "other figures")]);
    assert!(text.contains("unless"), "{text}");
    assert!(text.contains("as usual: off") && text.contains("50"), "{text}");
    let text = written(&[("starts", "BU HU NE")], &[], "battle-plan");
    let starts = text.lines().find(|line| line.contains("starts")).expect("its row");
    assert_eq!(starts.split_whitespace().nth(2), Some("set"), "{starts}");
    assert!(!text.contains("HU"), "{text}");
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
    assert!(!ok && error.contains("there are: warlord, battle-plan"), "{error}");
}

/// The parts of the manual that come from the code, by the names of their places.
fn made_from_code() -> [(&'static str, String); 3] {
    let dir = tempfile::tempdir().expect("a folder");
    let (ok, help, _) = fieldpost(dir.path(), &["--help"]);
    assert!(ok);
    let commands = help.split("\nOptions:").next().unwrap_or_default().trim_end();
    let usual: BTreeMap<String, String> = Terms::default().listed().into_iter().collect();
    let mut terms = "| term | usual | what it means |\n|---|---|---|\n".to_owned();
    for (name, meaning) in MEANINGS {
        let usual = usual.get(name).map_or("", String::as_str);
        terms += &format!("| `{name}` | {usual} | {meaning} |\n");
    }
    let mut options = String::new();
    for engine in ENGINES.iter() {
        let title = engine.title();
        options += &format!("### {title}\n\n| option | usual | what it does |\n|---|---|---|\n");
        for row in engine.options() {
            options += &format!("| `{}` | {} | {} |\n", row.name, row.usual(), explained(row));
        }
        options.push('\n');
    }
    [("commands", format!("```\n{commands}\n```\n")), ("terms", terms), ("options", options)]
}

#[test]
fn the_game_masters_manual_has_the_commands_the_terms_and_the_options_of_the_code() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/MANUAL.md");
    let manual = std::fs::read_to_string(path).expect("the manual");
    let mut made = manual.clone();
    for (name, text) in made_from_code() {
        let (begin, end) = (format!("<!-- {name}: made from the code -->\n"), "<!-- end -->\n");
        let (before, rest) = made.split_once(&begin).expect("where it begins");
        let (_, after) = rest.split_once(end).expect("where it ends");
        made = format!("{before}{begin}\n{}\n\n{end}{after}", text.trim_end());
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &made).expect("the manual");
        return;
    }
    assert!(made == manual, "deploy/MANUAL.md: run with UPDATE_EXPECT=1 and look at the change");
}

#[test]
fn every_term_is_shown_as_it_is_typed() {
    let changed = [("policy", "strict"), ("quiet", "22-7"), ("reminders_hours", "[24]")];
    let terms =
        changed.into_iter().try_fold(Terms::default(), |t, (name, value)| t.with(name, value));
    let shown = terms.expect("terms").listed();
    for (name, value) in changed {
        assert!(shown.contains(&(name.to_owned(), value.to_owned())), "{shown:?}");
    }
    for (name, value) in &shown {
        let typed = Terms::default().with(name, value).expect("what is shown can be typed");
        assert!(typed.listed().contains(&(name.clone(), value.clone())), "{name}={value}");
    }
}

#[test]
fn every_term_has_a_meaning() {
    // Only the robot makes games of practice.
    let terms: BTreeSet<String> = Terms::names().into_iter().filter(|n| n != "practice").collect();
    let calendar = ["every", "at", "zone", "holidays"].map(str::to_owned);
    let all: BTreeSet<String> = terms.into_iter().chain(calendar).collect();
    assert_eq!(MEANINGS.map(|m| m.0.to_owned()).into_iter().collect::<BTreeSet<_>>(), all);
}

#[test]
fn every_choice_gives_a_whole_rulebook() {
    let mut whole = 0;
    for (engine, row) in rows() {
        let words: Vec<&str> = match row.values {
            Values::Words(words) => words.iter().map(|word| word.word).collect(),
            Values::Switch => vec!["on", "off"],
            Values::Number(least, most) if least == 0 && most > 0 => vec!["0", "1"],
            _ => continue,
        };
        for word in words {
            // A missing value in the rulebook causes a panic here.
            let Ok(saved) = made(engine, &with(row, row.name, word)) else { continue };
            let book = engine.open(&saved).expect("it opens").rulebook();
            assert!(book.len() > 8, "{} {}={word}", engine.id(), row.name);
            let text = render::text::sections(&book);
            assert!(!text.contains("{{") && !text.contains("{%"), "{text}");
            whole += 1;
        }
    }
    assert!(whole > 40, "{whole} books");
}
