//! What people write in their own words: sentences and questions that newcomers wrote from two
//! printouts of each game, before the robot could read them. Each is sent as a mail.
//!
//! A position is frozen as a state in `understood/`, so that a list stays true whatever computers
//! play today; beside it is the printout that its writers had. The sentences of a list are never
//! changed. What each of them should do was added later, from the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use engine::{Saved, Seat, Setup};
use registry::ENGINES;
use robot::limits::Limits;
use serde::Deserialize;
use store::{MailRow, Verdict};

use crate::talk::*;
use support::host::*;

/// A position of a game: its file, engine, seats, and the least number of steps that computers play
/// from seed 1 to make it.
pub(crate) struct Position {
    name: &'static str,
    engine: &'static str,
    seats: u8,
    steps: u32,
}

const fn position(name: &'static str, engine: &'static str, seats: u8, steps: u32) -> Position {
    Position { name, engine, seats, steps }
}

const POSITIONS: [Position; 10] = [
    position("warlord-first", "warlord", 6, 0),
    position("warlord-later", "warlord", 6, 14),
    position("battle-plan-first", "battle-plan", 6, 0),
    position("battle-plan-later", "battle-plan", 6, 5),
    position("classic-warlord-first", "classic-warlord", 4, 0),
    position("classic-warlord-later", "classic-warlord", 4, 14),
    position("empire-deluxe-first", "empire-deluxe", 4, 0),
    position("empire-deluxe-later", "empire-deluxe", 4, 24),
    position("imperium-first", "imperium", 2, 0),
    position("imperium-later", "imperium", 2, 9),
];

fn folder() -> PathBuf {
    support::root().join("tests/robot/understood")
}

/// A folder with other lists, where `FIELDPOST_UNDERSTOOD` names one.
fn others() -> Option<PathBuf> {
    std::env::var_os("FIELDPOST_UNDERSTOOD").map(PathBuf::from).filter(|p| p.is_dir())
}

impl Position {
    fn file(&self, end: &str) -> PathBuf {
        folder().join(format!("{}.{end}", self.name))
    }

    /// Plays it up to a step that waits for seat 1.
    fn made(&self) -> Saved {
        let setup = Setup { seats: self.seats, ..Setup::default() };
        let engine = engine::find(&ENGINES, self.engine).expect("an engine");
        let mut trial = engine.trial(&setup, 1).expect("a game");
        let awaited =
            |saved: &Saved| engine.open(saved).expect("a game").wait().seats.contains(&Seat(1));
        for step in 0.. {
            if step >= self.steps && awaited(&trial.saved()) {
                break;
            }
            trial.write_cards();
            trial.step();
        }
        trial.saved()
    }

    /// A host whose game is in this position, with years until the deadline.
    pub(crate) fn host(&self, language: &str) -> Host {
        let mut host = Host::with(&ENGINES, self.engine, self.seats, Limits::default());
        let packed = [fs::read(self.file("state")).ok(), fs::read(self.file("events")).ok()];
        let [Some(state), Some(events)] = packed else {
            panic!("{}: no position; UPDATE_EXPECT=1 makes it", self.name)
        };
        let sql = "UPDATE turn SET state_z = $1, events_z = $2 WHERE game = 'W7' AND turn = 0";
        host.robot.store.database().exec(sql, &[&state, &events]).expect("a position");
        host.robot.games().close("W7");
        let later = host.robot.now() + jiff::SignedDuration::from_hours(24 * 4_000);
        host.robot.store.write(|tx| tx.set_deadline("W7", later)).expect("a deadline");
        if language != "en" {
            let row = host.receive(host.card(1, &format!("LANG {language}\n")));
            assert_eq!(row.verdict, Some(Verdict::Accepted), "{}", row.why);
        }
        host
    }
}

#[test]
fn each_position_has_the_printout_that_its_writers_had() {
    for position in &POSITIONS {
        let update = std::env::var_os("UPDATE_EXPECT").is_some();
        if update && !position.file("state").exists() {
            let saved = position.made();
            let packed = |bytes: &[u8]| zstd::stream::encode_all(bytes, 19).expect("packed");
            fs::write(position.file("state"), packed(&saved.state)).expect("written");
            fs::write(position.file("events"), packed(&saved.events)).expect("written");
        }
        let host = position.host("en");
        let document = host.robot.reports().document_of("W7", Seat(1), 1).expect("a printout");
        let text = render::text::document(&document);
        if update && !position.file("txt").exists() {
            fs::write(position.file("txt"), &text).expect("written");
        }
        // A printout may be worded better by now; what it tells of the forces is the same.
        let numbers = |text: &str| {
            let words = text.split(|c: char| !c.is_alphanumeric());
            words.filter(|w| w.len() > 2).map(str::to_lowercase).collect::<BTreeSet<_>>()
        };
        let had = fs::read_to_string(position.file("txt")).expect("a printout");
        let (had, has) = (numbers(&had), numbers(&text));
        let kept = had.intersection(&has).count();
        assert!(kept * 10 >= had.len() * 9, "{}: {kept} of {} words", position.name, had.len());
    }
}

/// A list of sentences and questions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    say: Vec<Sentence>,
    ask: Vec<Question>,
}

/// A sentence, and what it should do.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sentence {
    /// `first` or `later`.
    on: String,
    kind: String,
    en: String,
    de: Option<String>,
    /// The sentence above it in the same mail.
    after: Option<String>,
    /// The orders that it means.
    want: Option<Vec<String>>,
    /// Other sets of orders that are as right.
    #[serde(default)]
    or: Vec<Vec<String>>,
    /// It has to be asked about.
    #[serde(default)]
    unclear: bool,
    /// The game has no such order, or it can't be done.
    #[serde(default)]
    refused: bool,
    /// It changes nothing, and nothing is wrong with it.
    #[serde(default)]
    nothing: bool,
    /// The command of the robot that it means.
    command: Option<String>,
    /// The seat that it is a letter to, or ALL.
    press: Option<String>,
}

/// A question, and what a right answer contains.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    on: String,
    en: String,
    de: Option<String>,
    tells: Vec<String>,
}

/// What became of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// It did what it should.
    Right,
    /// It was asked about although it is clear, and what it means is among the choices.
    Asked,
    /// What it was asked to mean is not what it means.
    Misled,
    /// It was shown and refused although it can be done.
    Refused,
    /// The answer does not show it.
    Vanished,
    /// Something else was done.
    Wrong,
}

/// Orders as they are compared: in capitals, without blanks that say nothing, in any order.
fn plain<'l>(lines: impl IntoIterator<Item = &'l str>) -> Vec<String> {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
    let mut all: Vec<String> = lines.into_iter().map(words).filter(|l| !l.is_empty()).collect();
    all.sort();
    all
}

/// Cards of Battle Plan as single orders, each with its section.
fn sectioned(card: &str) -> String {
    let mut section = "@".to_owned();
    let mut out = Vec::new();
    for word in card.split_whitespace() {
        match word.starts_with('@') {
            true => section = word.to_uppercase(),
            false => out.push(format!("{section} {word}")),
        }
    }
    out.join("\n")
}

/// Lets a day pass, so that answers are not limited by those of before, and takes back the orders
/// on file.
fn afresh(host: &mut Host) {
    host.pass(25 * 60);
    if !host.on_file(1).is_empty() {
        // No two mails are the same.
        let now = host.robot.now();
        let row = host.receive(host.card(1, &format!("CANCEL\n; {now}\n")));
        assert_eq!(row.verdict, Some(Verdict::Accepted), "{}", row.why);
    }
}

/// The orders of a card, as they are compared.
type Cards<'c> = dyn Fn(&str) -> Vec<String> + 'c;

/// Reasons of verdicts on mails that change or ask nothing.
const VAIN: [&str; 4] = ["no-orders", "unreadable-card", "asked-back", "doubtful-card"];

impl Sentence {
    /// Sends it, and says what became of it.
    fn fate(&self, position: &Position, host: &mut Host, text: &str, german: bool) -> Fate {
        afresh(host);
        let mut mail = text.to_owned() + "\n";
        if let Some(above) = self.after.as_ref().filter(|_| !german) {
            mail = format!("{above}\n{mail}");
        }
        let row = host.receive(host.card(1, &mail));
        let answers: Vec<Got> = host.answers(&row);
        let own = answers.iter().filter(|m| m.to.contains(&player(1)));
        let said = flat(&own.map(|m| m.text.as_str()).collect::<Vec<_>>().join("\n"));
        // A line goes on behind the bar of the next one.
        let said = said.replace(" | ", " ");
        let filed = host.on_file(1);
        let cards = |text: &str| match position.engine {
            "battle-plan" => plain(sectioned(text).lines()),
            _ => plain(text.lines()),
        };
        let filed = cards(&filed);
        let key = format!("choices W7 {}", Seat(1));
        let choices = match host.robot.store.note(&key).expect("a note") {
            Some(note) if said.contains("1: ") => note,
            _ => String::new(),
        };
        // Behind the orders stands the line.
        let orders = |choice: &str| choice.split('\u{1f}').next().unwrap_or_default().to_owned();
        let choices: Vec<Vec<String>> =
            choices.lines().skip(1).map(|line| cards(&orders(line).replace(';', "\n"))).collect();
        self.judged(&row, &filed, &said, text, (&choices, &cards))
    }

    fn judged(
        &self,
        row: &MailRow,
        filed: &[String],
        said: &str,
        text: &str,
        (choices, cards): (&[Vec<String>], &Cards<'_>),
    ) -> Fate {
        // The orders of the sentence above are filed with it.
        let wanted = self.want.iter().chain(&self.or);
        let holds = |want: &Vec<String>| {
            let want = cards(&want.join("\n"));
            match self.after {
                None => want == filed,
                Some(_) => want.iter().all(|order| filed.contains(order)),
            }
        };
        let shown: String = flat(text).chars().take(14).collect();
        let shown = said.to_lowercase().contains(&shown.to_lowercase());
        let asked = !choices.is_empty();
        let offered = |want: &Vec<String>| choices.contains(&cards(&want.join("\n")));
        let reason = row.reason.as_str();
        let commanded =
            row.verdict == Some(Verdict::Accepted) && filed.is_empty() && !VAIN.contains(&reason);
        let meant = self.want.is_none() || wanted.clone().any(offered);
        let not_done = match (asked, shown) {
            (true, _) if meant => Fate::Asked,
            (true, _) => Fate::Misled,
            (false, true) => Fate::Refused,
            (false, false) => Fate::Vanished,
        };
        let above = self.after.is_some();
        match () {
            () if self.want.is_some() => match () {
                () if wanted.clone().any(holds) => Fate::Right,
                () if !filed.is_empty() && !above => Fate::Wrong,
                () => not_done,
            },
            // A letter goes as it is.
            () if self.press.is_some() && filed.iter().any(|order| order.contains("PRESS")) => {
                Fate::Right
            }
            () if !filed.is_empty() && !above => Fate::Wrong,
            () if self.unclear => {
                if asked {
                    Fate::Right
                } else {
                    not_done
                }
            }
            () if self.refused => match (commanded, shown) {
                (true, _) => Fate::Wrong,
                (false, true) => Fate::Right,
                (false, false) => Fate::Vanished,
            },
            () if self.nothing => {
                if commanded {
                    Fate::Wrong
                } else {
                    Fate::Right
                }
            }
            () if self.command.is_some() => {
                let meant = self.command.as_deref().unwrap_or_default().to_lowercase();
                let meant = meant.get(..4).unwrap_or(&meant).to_owned();
                match reason.contains(&meant) || row.why.to_lowercase().contains(&meant) {
                    true => Fate::Right,
                    false if commanded => Fate::Wrong,
                    false => not_done,
                }
            }
            () => {
                let to = self.press.as_deref().unwrap_or_default();
                match said.contains(&format!("PRESS {to}")) {
                    true => Fate::Right,
                    false => not_done,
                }
            }
        }
    }
}

/// What became of the sentences of a list.
#[derive(Default)]
struct Table {
    /// By language and kind.
    fates: BTreeMap<(&'static str, String), Vec<Fate>>,
    /// Those that failed.
    failed: Vec<String>,
    /// Questions, and those that were answered, by language.
    asked: BTreeMap<&'static str, (usize, usize)>,
}

impl Table {
    fn of(engine: &str) -> Self {
        let folder = others().unwrap_or_else(folder);
        let text = fs::read_to_string(folder.join(format!("{engine}.toml"))).expect("a list");
        let list: List = toml::from_str(&text).expect("a list");
        let mut table = Self::default();
        for (on, language) in [("first", "en"), ("later", "en"), ("first", "de"), ("later", "de")] {
            let position = at(engine, on);
            let mut host = position.host(language);
            let german = language == "de";
            for sentence in list.say.iter().filter(|s| s.on == on) {
                let text = if german { sentence.de.as_ref() } else { Some(&sentence.en) };
                // In German the sentence above it may be missing.
                let Some(text) = text.filter(|_| !german || sentence.after.is_none()) else {
                    continue;
                };
                let fate = sentence.fate(position, &mut host, text, german);
                let key = (language, sentence.kind.clone());
                table.fates.entry(key).or_default().push(fate);
                if fate != Fate::Right {
                    let want = sentence.want.clone().unwrap_or_default().join(", ");
                    table.failed.push(format!(
                        "{fate:?} {language} {text:?} {want} | {filed}",
                        filed = host.on_file(1).replace('\n', ", ")
                    ));
                }
            }
            for question in list.ask.iter().filter(|q| q.on == on) {
                let text = if german { question.de.as_ref() } else { Some(&question.en) };
                let Some(text) = text else { continue };
                afresh(&mut host);
                let row = host.receive(host.card(1, &format!("{text}\n")));
                let said = host.answers(&row).iter().map(|m| flat(&m.text)).collect::<String>();
                let said = said.to_lowercase();
                let told = question.tells.iter().all(|t| said.contains(&t.to_lowercase()));
                let asked = table.asked.entry(language).or_default();
                asked.0 += 1;
                asked.1 += usize::from(told);
                if !told {
                    let tells = question.tells.join(", ");
                    let said: String =
                        said.split("you asked").nth(1).unwrap_or(&said).chars().take(300).collect();
                    table
                        .failed
                        .push(format!("Unanswered {language} {on} {text:?} {tells} | {said}"));
                }
            }
        }
        table
    }

    /// How many sentences had a fate, and how many there are.
    fn count(&self, fate: Fate) -> usize {
        self.fates.values().flatten().filter(|f| **f == fate).count()
    }

    fn all(&self) -> usize {
        self.fates.values().map(Vec::len).sum()
    }
}

/// A position of a game: `first`, or `later`.
pub(crate) fn at(engine: &str, on: &str) -> &'static Position {
    let name = format!("{engine}-{on}");
    POSITIONS.iter().find(|p| p.name == name).unwrap_or_else(|| panic!("{name} is no position"))
}

/// What holds for a list: the per cent of sentences that do what they should, at least; how many do
/// something else or vanish, at most; the per cent of questions that are answered, at least.
struct Floor {
    engine: &'static str,
    right: usize,
    wrong: usize,
    vanished: usize,
    answered: usize,
}

const fn floor(
    engine: &'static str,
    right: usize,
    wrong: usize,
    vanished: usize,
    answered: usize,
) -> Floor {
    Floor { engine, right, wrong, vanished, answered }
}

const FLOORS: [Floor; 5] = [
    floor("warlord", 85, 1, 0, 55),
    floor("battle-plan", 70, 4, 0, 62),
    floor("classic-warlord", 67, 1, 0, 53),
    floor("empire-deluxe", 83, 2, 0, 50),
    floor("imperium", 74, 1, 0, 62),
];

fn holds(engine: &str) {
    let floor = FLOORS.iter().find(|f| f.engine == engine).expect("a floor");
    let table = Table::of(engine);
    let all = table.all();
    let fates =
        [Fate::Right, Fate::Asked, Fate::Misled, Fate::Refused, Fate::Vanished, Fate::Wrong];
    let counts = fates.map(|f| table.count(f));
    println!("{engine}: {fates:?} {counts:?} of {all}, questions {:?}", table.asked);
    if std::env::var_os("FIELDPOST_UNDERSTOOD").is_some() {
        for ((language, kind), fates) in &table.fates {
            let right = fates.iter().filter(|f| **f == Fate::Right).count();
            println!("  {language} {kind}: {right} of {}", fates.len());
        }
        table.failed.iter().for_each(|line| println!("  {line}"));
    }
    if others().is_some() {
        return;
    }
    let answered: usize = table.asked.values().map(|a| a.1).sum();
    let asked: usize = table.asked.values().map(|a| a.0).sum();
    assert!(counts[0] * 100 >= floor.right * all, "right: {} of {all}", counts[0]);
    assert!(counts[5] <= floor.wrong, "wrong: {}", counts[5]);
    assert!(counts[4] <= floor.vanished, "vanished: {}", counts[4]);
    assert!(answered * 100 >= floor.answered * asked, "answered: {answered} of {asked}");
}

#[test]
fn sentences_about_warlord_are_understood() {
    holds("warlord");
}

#[test]
fn sentences_about_battle_plan_are_understood() {
    holds("battle-plan");
}

#[test]
fn sentences_about_classic_warlord_are_understood() {
    holds("classic-warlord");
}

#[test]
fn sentences_about_empire_deluxe_are_understood() {
    holds("empire-deluxe");
}

#[test]
fn sentences_about_imperium_are_understood() {
    holds("imperium");
}

/// Readings of all sentences of a list with a change: those that are orders though they must not be.
fn read_though(engine: &str, change: &dyn Fn(&str) -> String) -> Vec<String> {
    let text = fs::read_to_string(folder().join(format!("{engine}.toml"))).expect("a list");
    let list: List = toml::from_str(&text).expect("a list");
    let mut found = Vec::new();
    for on in ["first", "later"] {
        let position = at(engine, on);
        let read = |end: &str| fs::read(position.file(end)).expect("a position");
        let unpacked = |end: &str| zstd::stream::decode_all(&read(end)[..]).expect("a position");
        let saved = Saved { state: unpacked("state"), events: unpacked("events") };
        let open = engine::find(&ENGINES, engine).expect("an engine").open(&saved).expect("a game");
        for sentence in list.say.iter().filter(|s| s.on == on && s.want.is_some()) {
            for text in [Some(&sentence.en), sentence.de.as_ref()].into_iter().flatten() {
                // A line in the form of a card has no words to change.
                let reader = open.reader(Seat(1));
                let plain = !text.contains(|c: char| c.is_ascii_digit() && text.len() < 12);
                if !plain || reader.is_coded(text) {
                    continue;
                }
                let changed = change(text);
                let reading = open.reader(Seat(1)).read(&changed);
                if let engine::Reading::Orders(orders) = reading
                    && !orders.is_empty()
                {
                    found.push(format!("{engine}: {changed:?} is {orders:?}"));
                }
            }
        }
    }
    found
}

#[test]
fn what_is_not_to_be_done_or_hangs_on_something_is_no_order() {
    let engines = ["warlord", "battle-plan", "classic-warlord", "empire-deluxe", "imperium"];
    let changes: [&dyn Fn(&str) -> String; 4] = [
        &|text| format!("Do not do this: {text}"),
        &|text| format!("Unless we are attacked: {text}"),
        &|text| format!("glorbingly {text}"),
        &|text| format!("Falls der Feind kommt, {text}"),
    ];
    for change in changes {
        let found: Vec<String> =
            engines.iter().flat_map(|engine| read_though(engine, change)).collect();
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

/// What is on file after a mail with a text, as one line.
fn filed_by(engine: &str, on: &str, text: &str) -> String {
    let mut host = at(engine, on).host("en");
    host.receive(host.card(1, &format!("{text}\n")));
    flat(&host.on_file(1))
}

#[test]
fn what_newer_ways_of_speaking_mean_is_filed() {
    for (engine, on, text, filed) in [
        // A number is taken back within a sentence, and counts stand with an x.
        ("warlord", "first", "put eight points no sorry make it ten points into research", "E 10"),
        ("empire-deluxe", "first", "Queue city 1: TR x1, AR x2, DE x1", "P 1 TR AR AR DE"),
        ("imperium", "later", "build 2 destroyers 1 scout", "B DD 2 B SC 1"),
        ("imperium", "first", "the light squadrons close to point-blank, range 0", "Y L 0"),
        ("empire-deluxe", "later", "Fighter 5 returns to the nearest field and refuels.", "R 5"),
        // A line corrects the one above, which is in the form of a card.
        ("warlord", "first", "A 7 04826\nno wait, Elkirk instead", "A 7 04126"),
        ("battle-plan", "first", "@RO AC40BU\nmake that thirty", "AC30BU"),
        ("empire-deluxe", "later", "M 8+9 65,5\nlet them explore instead", "E 8+9"),
        // Places by where they lie.
        ("warlord", "later", "unit 13 goes to the nearest enemy city", "A 13 04826"),
        ("warlord", "first", "march unit 2 to the ruins north-west of us", "A 2 04516"),
        ("warlord", "first", "Einheit 5 geht zu den nördlichen Ruinen", "A 5 04516"),
        ("battle-plan", "first", "conquer the country west of me with 45 army", "AC45HU"),
        ("empire-deluxe", "later", "army 8 attacks the nearest enemy city", "A 8 56,2"),
        // What is not to be done, and what is.
        ("warlord", "first", "unit 9 does not move, it stays in the capital", "M 9 0"),
        ("imperium", "first", "put DD1 into fleet 2 at 04.1\nand DD2 too", "P DD2 04.1 2"),
        ("warlord", "later", "Einheit 9 geht nicht nach 04110, sie bleibt stehen", "M 9 0"),
        ("empire-deluxe", "later", "army 9 must not go to 64,11, it should stay", "S 9"),
        // Attacks, and what hangs on them.
        ("classic-warlord", "first", "guess 2 whenever somebody attacks me", "G * 2"),
        ("classic-warlord", "first", "Bei jedem Angriff auf mich rate eine 1", "G * 1"),
        ("classic-warlord", "later", "whoever attacks Vojvodina, guess 2 there", "G 264 2"),
        (
            "classic-warlord",
            "later",
            "if that attack wins, attack 649 from 264 with 1",
            "IF W K 264 649 1 FI",
        ),
        // A segment is meant of all of its sentence.
        (
            "imperium",
            "later",
            "fleet 4 goes from 61 Cygni to Barnard's Star in the second segment",
            "SEG 2 A 15 M 4 04",
        ),
        (
            "imperium",
            "first",
            "both TBs of fleet 1 go over to fleet 3",
            "P TB1 01.1 3 P TB2 01.1 3",
        ),
        ("imperium", "first", "in battle shoot at cruisers first, destroyers after that", "Q T CR"),
        ("battle-plan", "later", "Zeig Italien nicht mehr, was ich sehe", "4Z"),
        // Who is there already does not come; one of several is one.
        (
            "warlord",
            "later",
            "all units that have nothing to do come home to Peladale",
            "A 2 04819 A 4 04819 A 6 04819",
        ),
        ("warlord", "later", "have one of our planes take a peek at Elvestad", "O 1 04219"),
        ("empire-deluxe", "first", "two armies, then go back to fighters", "P 1 AR AR FI"),
        ("empire-deluxe", "later", "the fighter flies home to city 4 and lands there", "M 5 64,10"),
        // Parts, sizes and exceptions.
        ("battle-plan", "later", "a third of my money goes into army research", "RA23"),
        ("warlord", "later", "send 15 of the 28 infantry to Elvestad", "S 1 15"),
        ("warlord", "first", "every infantry except the fourth goes to Elkirk", "A 3 04126"),
        // Reasons and politeness say nothing.
        ("warlord", "first", "unit 3 goes to Elkirk because nobody minds the place", "A 3 04126"),
        ("warlord", "first", "I'd be most grateful, if unit 3 could go to Elkirk", "A 3 04126"),
        ("imperium", "later", "activate 15 only if the enemy is still at 04", "A 15 IF E04"),
    ] {
        let has = filed_by(engine, on, text);
        assert!(has.contains(filed), "{text}: {has}");
    }
}

#[test]
fn numbers_steps_and_what_is_not_wanted_are_what_people_mean() {
    let mut wrong = Vec::new();
    for (engine, on, text, filed) in [
        // A range; a kind with numbers behind it is these alone.
        ("warlord", "first", "units 1 to 3 attack Isdilund", "A 1 04826 A 2 04826 A 3 04826"),
        ("empire-deluxe", "later", "armies 8 to 10 attack 56,2", "A 8 56,2 A 9 56,2 A 10 56,2"),
        (
            "warlord",
            "first",
            "infantry 1 through 3 attack Isdilund",
            "A 1 04826 A 2 04826 A 3 04826",
        ),
        ("warlord", "first", "unit 1 to 5, unit 2 to Elkirk", "A 1 5 A 2 04126"),
        ("imperium", "first", "F1 to F3 start at Sol", "P F1 01.1 P F2 01.1 P F3 01.1"),
        ("imperium", "later", "repair DD3 to DD5", "F DD3 DD4 DD5"),
        ("imperium", "later", "fleet 4 to 8", "A 15 M 4 8"),
        ("classic-warlord", "first", "mountains 514 to 516", "S 514 515 516"),
        ("classic-warlord", "first", "mountains 514 and 516", "S 514 516"),
        // A number of steps is no unit.
        ("warlord", "first", "unit 3, two sectors south", "M 3 55"),
        ("warlord", "first", "fall back with unit 3, two sectors south", "M 3 55"),
        // A vote against it is none for it.
        ("classic-warlord", "later", "I vote against a draw", "V NODRAW"),
        ("classic-warlord", "later", "I don't want a draw", "V NODRAW"),
        ("classic-warlord", "later", "I want a draw", "V DRAW"),
        ("battle-plan", "later", "against an alliance with Italy", "@ 4N"),
        ("battle-plan", "later", "keine Allianz mit Italien", "@ 4N"),
        ("battle-plan", "later", "an alliance with Italy", "@ 4A"),
        // Where something is stands beside where it belongs to.
        ("imperium", "first", "put SC5 at Sol in fleet 1", "P SC5 01.1 1"),
        (
            "imperium",
            "first",
            "DD1 and DD2 go to Barnard's Star and join fleet 2",
            "P DD1 04.1 2 P DD2 04.1 2",
        ),
        ("imperium", "first", "no, wait, range 1 for the light ships", "Y L 1"),
        ("imperium", "first", "wait, DD1 goes to Sol", "P DD1 01.1"),
        // New units go on, and the army of a city is no unit of a kind.
        ("empire-deluxe", "later", "new units of city 6 walk to 74,3", "Z 6 M 74,3"),
        (
            "empire-deluxe",
            "later",
            "every new unit of city 6 goes to 56,2 and attacks",
            "Z 6 A 56,2",
        ),
        ("empire-deluxe", "later", "army 6 goes to 56,2 and attacks", "A 6 56,2"),
        ("battle-plan", "first", "thirty squadrons join the assault on Bulgaria", "@RO FA30BU"),
        ("battle-plan", "later", "raid Hungary with 2 army from Yugoslavia", "@YU AB2HU"),
        ("battle-plan", "later", "we're neutral with Italy now", "@ 4N"),
        (
            "battle-plan",
            "first",
            "take bulgaria with thirty army and uh let the planes hit the army in yugoslavia",
            "@RO AC30BU @ @RO FA30YU",
        ),
        ("warlord", "first", "the engineers, number five, to oh five one two oh", "A 5 05120"),
        ("warlord", "first", "my infantry, units 1 and 2, goes to Elkirk", "A 1 04126 A 2 04126"),
        ("warlord", "first", "infantry from all three centres", "C 1 1 C 1 1 C 1 1"),
    ] {
        let has = filed_by(engine, on, text);
        if has.trim_end_matches(" @") != filed {
            wrong.push(format!("{text}: {has}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_people_count_and_what_makes_it_is_asked_where_both_are_possible() {
    let mut host = at("battle-plan", "later").host("en");
    // Four of industry make five army there.
    let row = host.receive(host.card(1, "Turkey builds 10 army\n"));
    let told = flat(&answer(&host, &row)).replace(" | ", " ");
    assert!(told.contains("1: @TU BA8") && told.contains("2: @TU BA10"), "{told}");
    host.receive(host.card(1, "2\n"));
    assert_eq!(host.on_file(1).trim(), "@TU BA10 @");
    let mut host = at("battle-plan", "first").host("en");
    host.receive(host.card(1, "build 10 army\n"));
    assert_eq!(host.on_file(1).trim(), "@RO BA10 @", "one makes one");
}

#[test]
fn of_a_long_sentence_each_part_is_read_and_what_it_means_is_asked() {
    for (engine, on, text, asked, left) in [
        (
            "warlord",
            "first",
            "Now dear, my late husband always spoke of that lovely part of the country with great \
             fondness, so might the trucks drive down to Elkirk",
            "1: A 8 04126",
            "my late husband",
        ),
        (
            "classic-warlord",
            "later",
            "Reinforce Beirut with two; I hear that Yellow is massing troops at Damascus again.",
            "1: P 707 2",
            "I hear that Yellow",
        ),
        (
            "imperium",
            "first",
            "Dear umpire, the neighbours came over for tea last night, it was very pleasant, and \
             we spoke of nothing but the weather, so I would like scout SC1 to begin at Ross 248",
            "1: P SC1 10.1",
            "the neighbours came over",
        ),
    ] {
        let mut host = at(engine, on).host("en");
        let row = host.receive(host.card(1, &format!("{text}\n")));
        let told = flat(&answer(&host, &row)).replace(" | ", " ");
        assert!(told.contains(asked) && told.contains(left), "{text}: {told}");
        assert!(!host.on_file(1).lines().any(|line| line != text), "{text}");
        let asked = asked.trim_start_matches("1: ");
        host.receive(host.card(1, "1\n"));
        assert_eq!(host.on_file(1).trim(), asked);
    }
    // What takes back is never left out.
    let mut host = at("warlord", "first").host("en");
    let row = host.receive(host.card(1, "I say, forget the trucks, unit 3 goes to Elkirk\n"));
    assert!(!flat(&answer(&host, &row)).contains("1: A 3"), "{}", host.on_file(1));
}

#[test]
fn a_correction_takes_the_place_of_what_the_line_above_said_last() {
    for (engine, on, text, filed) in [
        ("warlord", "first", "A 7 04826\nno wait, Elkirk instead", "A 7 04126"),
        ("warlord", "first", "tanks go to Isdilund\nno wait, to Elkirk", "A 7 04126"),
        (
            "warlord",
            "first",
            "unit 1 to Isdilund and unit 2 to Isdilund\nno sorry, to Elkirk",
            "A 1 04826 A 2 04126",
        ),
        // What stays instead is something else.
        ("warlord", "first", "A 7 04826\nunit 8 stays instead", "A 7 04826 M 8 0"),
        ("battle-plan", "first", "@RO AC40BU\nmake that thirty", "@RO AC30BU @RO"),
        ("empire-deluxe", "later", "M 8 65,5\nlet it explore instead", "E 8"),
        // Orders that were joined can't be taken apart: it is asked.
        ("empire-deluxe", "first", "an army, then a fighter\nno wait, a transport", "P 1 AR FI"),
        ("imperium", "later", "fleet 4 goes to Sol\nno wait, to 16", "A 15 M 4 16"),
    ] {
        let mut host = at(engine, on).host("en");
        let row = host.receive(host.card(1, &format!("{text}\n")));
        let has = host.on_file(1);
        let last = text.lines().last().unwrap_or_default();
        let orders = has.lines().filter(|line| *line != last);
        let orders = orders.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
        assert_eq!(orders, filed, "{text}");
        // The words of both lines are shown.
        let told = flat(&answer(&host, &row)).replace(" | ", " ");
        assert!(text.lines().all(|line| told.contains(line)), "{text}: {told}");
    }
}

#[test]
fn a_correction_of_a_line_that_is_not_read_changes_no_other_line() {
    for (engine, on, text, filed) in [
        (
            "warlord",
            "first",
            "unit 8 goes to Isdilund\nunit 4 gallops to Elkirk\nno wait, make it unit 9",
            "A 8 04826",
        ),
        (
            "warlord",
            "first",
            "unit 8 goes to Isdilund\nunit 4 gallops to Elkirk\nno wait, to Isdilund",
            "A 8 04826",
        ),
        (
            "imperium",
            "later",
            "fleet 4 goes to Sol\nfleet 5 gallops to Sol\nno wait, to 16",
            "A 15 M 4 01",
        ),
    ] {
        let mut host = at(engine, on).host("en");
        let row = host.receive(host.card(1, &format!("{text}\n")));
        let has = host.on_file(1);
        let orders = has.lines().filter(|line| !text.contains(line.trim()));
        let orders = orders.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
        let told = flat(&answer(&host, &row)).replace(" | ", " ");
        assert!(orders == filed || orders.is_empty(), "{text}: {has}");
        assert!(
            told.contains("gallops\" is not understood") && !told.contains("means 2:"),
            "{told}"
        );
    }
}

#[test]
fn a_reason_says_nothing_but_an_order_in_it_is_not_lost() {
    for (text, filed) in [
        ("unit 1 goes to Elkirk because nobody minds the place", "A 1 04126"),
        (
            "unit 1 goes to Elkirk because it is near, unit 2 attacks Isdilund",
            "A 1 04126 A 2 04826",
        ),
        ("unit 1 goes to Elkirk because it is near and unit 2 attacks Isdilund", ""),
        ("unit 1 goes to Elkirk, weil Einheit 2 nach Isdilund geht", ""),
    ] {
        let mut host = at("warlord", "first").host("en");
        host.receive(host.card(1, &format!("{text}\n")));
        let has = host.on_file(1);
        let orders = has.lines().filter(|line| *line != text);
        let orders = orders.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
        assert_eq!(orders, filed, "{text}");
    }
}

#[test]
fn what_is_not_to_be_done_is_never_filed_whatever_is_said_behind_it() {
    for (engine, text, not) in [
        ("imperium", "fleet 4 does not go to Sol, it stays put", "M 4"),
        ("imperium", "fleet 4 does not go to Sol, it goes at once", "M 4"),
        ("warlord", "unit 9 does not go to 04110, it goes on", "04110"),
        ("warlord", "unit 9 does not attack 04110, it really does not", "04110"),
        ("empire-deluxe", "army 9 must not go to 64,11, it must hurry", "64,11"),
        ("battle-plan", "the army in Turkey does not go to Greece, it stays", "GR"),
        ("classic-warlord", "do not attack 210 from 201 with 2, it is too strong", "210"),
    ] {
        let mut host = at(engine, "later").host("en");
        host.receive(host.card(1, &format!("{text}\n")));
        let has = host.on_file(1);
        let filed: Vec<&str> = has.lines().filter(|line| *line != text).collect();
        assert!(!filed.iter().any(|line| line.contains(not)), "{text}: {has}");
    }
}

#[test]
fn a_mail_of_one_line_that_is_understood_in_part_is_asked_about() {
    for (engine, on, text, order) in [
        ("warlord", "first", "Ab heute gilt Spieler 2 als unser Freund", "D 2"),
        ("imperium", "first", "Offer the Imperials a truce", "Z TRUCE"),
        ("empire-deluxe", "first", "Fang bitte mit einer Armee an", "P 1 AR"),
        // The words stand in no order of a row.
        (
            "battle-plan",
            "first",
            "Good evening! Might I trouble you to have thirty-eight of my army take Ukraine this \
             week, the grain there would come in so handy.",
            "@RO AC38UK",
        ),
    ] {
        let mut host = at(engine, on).host("en");
        let row = host.receive(host.card(1, &format!("{text}\n")));
        assert_eq!(host.on_file(1).trim(), "", "{text}");
        let told = flat(&answer(&host, &row)).replace(" | ", " ");
        assert!(told.contains(&format!("without it this means 1: {order}")), "{text}: {told}");
        host.receive(host.card(1, "1\n"));
        assert!(host.on_file(1).contains(order), "{text}: {}", host.on_file(1));
    }
}

#[test]
fn a_choice_by_number_is_taken_among_other_lines() {
    for (answer_with, filed) in [
        ("1\nunit 8 goes to Isdilund\n", "A 3 04126 A 8 04826"),
        ("number 1, please\n", "A 3 04126"),
        ("ADD\nunit 8 goes to Isdilund\n1\n", "A 8 04826 A 3 04126"),
        // No such choice was offered.
        ("7\nunit 8 goes to Isdilund\n", "7 A 8 04826"),
    ] {
        let mut host = at("warlord", "first").host("en");
        host.receive(host.card(1, "unit 3 gallops to Elkirk\n"));
        let row = host.receive(host.card(1, answer_with));
        let has = host.on_file(1);
        assert_eq!(has.split_whitespace().collect::<Vec<_>>().join(" "), filed, "{answer_with}");
        // The sentence stands beside its order, and the number.
        if filed.contains("A 3") {
            let told = flat(&answer(&host, &row)).replace(" | ", " ");
            assert!(told.contains("(unit 3 gallops to Elkirk)"), "{told}");
        }
    }
}

#[test]
fn a_letter_in_a_sentence_is_told_to_be_none_in_a_game_that_takes_no_letters() {
    for text in [
        "Message to player 3: Hello neighbour, let us be friends.",
        "Tell player 3: Hello neighbour, shall we be friends?",
        "Please write to player 3: Hello neighbour.",
    ] {
        let mut host = at("warlord", "first").host("en");
        let row = host.receive(host.card(1, &format!("unit 8 goes to Isdilund\n{text}\n")));
        let told = flat(&answer(&host, &row)).replace(" | ", " ");
        assert!(told.contains("this game takes no PRESS"), "{text}: {told}");
        assert!(!told.contains("You asked"), "{told}");
    }
}

#[test]
fn what_takes_back_is_never_left_out_of_what_is_asked() {
    for (engine, on, text) in [
        ("battle-plan", "later", "Forget the enemy declaration against Italy."),
        ("warlord", "first", "Sorry, forget the fighter, it should stay at home"),
        ("warlord", "first", "Sorry, forget the fighter"),
        ("imperium", "first", "Scout SC4 goes to fleet 2"),
        (
            "warlord",
            "first",
            "General Lorimer goes along with unit 7, and Garran stays where he is.",
        ),
    ] {
        let mut host = at(engine, on).host("en");
        let row = host.receive(host.card(1, &format!("{text}\n")));
        let has = host.on_file(1).split_whitespace().collect::<Vec<_>>().join(" ");
        let told = flat(&answer(&host, &row)).replace(" | ", " ");
        let nothing = "no orders of yours are on file that it could take back";
        assert_eq!(told.contains(nothing), text.contains("orget"), "{told}");
        for wrong in ["4E", "C 1 18", "B SC", "P 2 7"] {
            assert!(!has.contains(wrong) && !told.contains(wrong), "{text}: {has} {told}");
        }
    }
}

#[test]
fn what_would_turn_an_order_round_is_never_left_out_of_what_is_asked() {
    let mut wrong = Vec::new();
    for (engine, text, not) in [
        ("battle-plan", "I refuse an alliance with Italy", "4A"),
        ("battle-plan", "an alliance against Italy", "4A"),
        ("battle-plan", "no peace with Italy", "4Z"),
        ("battle-plan", "Italy is no friend of mine", "4Z"),
        ("warlord", "declare war on player 5", "D 5"),
        ("warlord", "against an alliance with player 5", "D 5"),
    ] {
        let mut host = at(engine, "later").host("en");
        let row = host.receive(host.card(1, &format!("{text}\n")));
        let told = flat(&answer(&host, &row));
        if told.contains(not) || host.on_file(1).contains(not) {
            wrong.push(format!("{text}: {told}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_names_or_counts_is_never_left_out_of_what_is_asked() {
    for (engine, on, text) in [
        // Of a train of 8 trucks only 3.
        ("warlord", "first", "Split unit 8 so that 3 trucks go their own way."),
        // Not the field that the tower is on, and the rest of what is where.
        ("battle-plan", "later", "leave 10 army in Albania and send the rest to Yugoslavia"),
        ("imperium", "first", "spend all 15 on a big battleship"),
        ("imperium", "first", "send half of fleet 2 home to Sol"),
    ] {
        let mut host = at(engine, on).host("en");
        let row = host.receive(host.card(1, &format!("{text}\n")));
        let told = flat(&answer(&host, &row));
        assert!(!told.contains("without it this means"), "{text}: {told}");
    }
}

#[test]
fn an_order_whose_verb_is_not_known_is_asked_about() {
    let mut host = at("warlord", "first").host("en");
    let row = host.receive(host.card(1, "unit 3 gallops to Elkirk\n"));
    // A note goes on behind the bar of the next line.
    let told = flat(&answer(&host, &row)).replace(" | ", " ");
    assert!(
        told.contains("\"gallops\" is not understood; without it this means 1: A 3 04126"),
        "{told}"
    );
    host.receive(host.card(1, "1\n"));
    assert_eq!(host.on_file(1).trim(), "A 3 04126");
}
