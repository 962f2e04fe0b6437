//! Computer players against each other and against a simple script: their strengths, what they may
//! know, and that none of their lines is refused.

use std::collections::{BTreeMap, BTreeSet};

use engine::trial::computer_dice;
use engine::{BySeat, CardText, Cards, Dice, Input, Mark, Play, Rules, Seat, Setup, Sits};
use warlord::Warlord;
use warlord::computer::play_at;
use warlord::events::Happening;
use warlord::level::{Level, Levels};
use warlord::state::{Centre, INFANTRY, State};
use warlord::view::View;

/// Who writes a seat's cards.
#[derive(Clone, Copy)]
enum Player<'a> {
    Computer(&'a Level),
    Script,
}

/// A game whose cards are written as a test wants them.
struct Table {
    state: State,
    events: Vec<Happening>,
    notes: BTreeMap<Seat, String>,
    seed: u64,
    turn: u32,
}

impl Table {
    fn new(seats: u8, seed: u64) -> Self {
        let setup = Setup { seats, ..Setup::default() };
        let state = Warlord::new_game(&setup, &mut Dice::new(seed)).expect("a world");
        Self { state, events: Vec::new(), notes: BTreeMap::new(), seed, turn: 0 }
    }

    fn salt(&self) -> u64 {
        self.seed ^ u64::from(self.turn + 1) << 32
    }

    fn card(&self, seat: Seat, view: &View, level: &Level) -> Play {
        let notes = self.notes.get(&seat).map(String::as_str).unwrap_or_default();
        play_at(view, notes, &mut computer_dice(self.salt(), seat), level)
    }

    /// One turn; `look` sees each seat's view and what it plays.
    fn step<'a>(
        &mut self,
        who: impl Fn(Seat) -> Player<'a>,
        mut look: impl FnMut(&Self, Seat, &View, &Play),
    ) {
        let (mut cards, mut sits): (BySeat<CardText>, BySeat<Sits>) = Default::default();
        for seat in Warlord::wait(&self.state).seats {
            let view = Warlord::view(&self.state, &self.events, seat);
            let play = match who(seat) {
                Player::Computer(level) => self.card(seat, &view, level),
                Player::Script => Play::from(script(&view)),
            };
            look(self, seat, &view, &play);
            sits.insert(seat, Sits::Computer);
            cards.insert(seat, play.card);
            self.notes.insert(seat, play.notes);
        }
        let input = Input { cards: &cards, seats: &sits };
        let done = Warlord::step(self.state.clone(), &input, &mut Dice::new(self.salt()));
        (self.state, self.events) = (done.state, done.events);
        self.turn += 1;
    }

    fn cities(&self, seat: u8) -> usize {
        self.state.powers[usize::from(seat)].cities.len()
    }
}

/// A simple player: infantry in every centre, and from 14 regiments on all but three march on the
/// nearest foreign city.
fn script(view: &View) -> CardText {
    let sector = |place| warlord::orders::sector_no(view.grid, place);
    let mut lines = Vec::new();
    for (number, city) in &view.power.cities {
        let idle = city.centres.iter().filter(|c| **c == Centre::Idle);
        lines.extend(idle.map(|_| format!("C {number} 1")));
        let units = view.power.units.iter().filter(|(_, u)| u.at == city.at);
        let here: Vec<_> = units.filter(|(_, u)| u.kind == INFANTRY).collect();
        let regiments: u16 = here.iter().map(|(_, u)| u.size).sum();
        let far = |at| view.grid.distance(at, city.at);
        let goal = view.cities.iter().min_by_key(|c| (far(c.at), c.number));
        let Some(goal) = goal.filter(|_| regiments >= 14) else { continue };
        for (i, (number, unit)) in here.into_iter().enumerate() {
            if i > 0 || unit.size > 3 {
                lines.push(format!("A {number} {}", sector(goal.at)));
            }
        }
    }
    CardText::of(&lines)
}

/// Cities of the odd and of the even seats after a game between two players, one on each half.
fn contest(seed: u64, turns: u32, odd: Player<'_>, even: Player<'_>) -> [usize; 2] {
    let mut table = Table::new(8, seed);
    let who = |seat: Seat| if seat.0 % 2 == 1 { odd } else { even };
    for _ in 0..turns {
        table.step(who, |_, _, _, _| {});
        if table.state.over.is_some() {
            break;
        }
    }
    let held = |of: u8| (1..=8).filter(|s| s % 2 == of).map(|s| table.cities(s)).sum();
    [held(1), held(0)]
}

/// Cities of two players over some games, each played from both sides.
fn duel(seeds: std::ops::RangeInclusive<u64>, one: Player<'_>, two: Player<'_>) -> [usize; 2] {
    seeds.fold([0, 0], |sum, seed| {
        let (there, back) = (contest(seed, 45, one, two), contest(seed, 45, two, one));
        [sum[0] + there[0] + back[1], sum[1] + there[1] + back[0]]
    })
}

#[test]
fn easy_beats_a_plain_script() {
    let easy = Levels::default().easy;
    let [below, above] = duel(1..=3, Player::Script, Player::Computer(&easy));
    assert!(above > below, "{below} to {above}");
}

#[test]
fn normal_beats_easy() {
    let Levels { easy, normal, .. } = Levels::default();
    let [below, above] = duel(1..=3, Player::Computer(&easy), Player::Computer(&normal));
    assert!(above > below, "{below} to {above}");
}

#[test]
fn hard_beats_easy() {
    let Levels { easy, hard, .. } = Levels::default();
    let [below, above] = duel(1..=3, Player::Computer(&easy), Player::Computer(&hard));
    assert!(above > below, "{below} to {above}");
}

#[test]
fn a_plain_infantry_script_ends_among_the_last_of_twelve() {
    let normal = Levels::default().normal;
    let mut places = Vec::new();
    for seed in 1..=8 {
        let mut table = Table::new(12, seed);
        let mine = 1 + (seed * 5 % 12) as u8;
        let who =
            |seat: Seat| if seat.0 == mine { Player::Script } else { Player::Computer(&normal) };
        while table.turn < 60 && table.state.over.is_none() {
            table.step(who, |_, _, _, _| {});
        }
        let standing = |seat: u8| {
            let power = &table.state.powers[usize::from(seat)];
            (power.cities.len(), power.rating.total())
        };
        places.push(1 + (1..=12).filter(|s| standing(*s) > standing(mine)).count());
    }
    // A lonely start may carry it for a while.
    assert!(places.iter().filter(|place| **place >= 8).count() >= 6, "{places:?}");
}

#[test]
fn no_line_of_a_computer_is_refused_and_its_notes_stay_short() {
    let Levels { easy, normal, hard } = Levels::default();
    let levels = [easy, normal, hard];
    let mut table = Table::new(15, 9);
    for _ in 0..50 {
        table.step(
            |seat| Player::Computer(&levels[usize::from(seat.0 % 3)]),
            |table, seat, view, play| {
                let judged = Warlord::judge(view, &play.card, 0);
                let wrong: Vec<_> = judged.lines.iter().filter(|l| l.mark == Mark::Error).collect();
                assert!(wrong.is_empty(), "turn {}, seat {seat}: {wrong:?}", table.turn + 1);
                assert!(play.notes.len() <= engine::NOTES_MAX, "{} bytes", play.notes.len());
            },
        );
    }
}

#[test]
fn computers_of_the_highest_level_build_and_fire_missiles_and_no_line_is_refused() {
    let normal = Levels::default().normal;
    let mut table = Table::new(8, 1);
    for power in &mut table.state.powers[1..] {
        power.tech = 10;
    }
    let mut letters: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..60 {
        table.step(
            |_| Player::Computer(&normal),
            |table, seat, view, play| {
                let judged = Warlord::judge(view, &play.card, 0);
                let wrong: Vec<_> = judged.lines.iter().filter(|l| l.mark == Mark::Error).collect();
                assert!(wrong.is_empty(), "turn {}, seat {seat}: {wrong:?}", table.turn + 1);
                for order in ["R A1 ", " 24\n", " 25\n"] {
                    *letters.entry(order).or_default() += play.card.text().matches(order).count();
                }
            },
        );
    }
    assert!(letters.values().all(|n| *n > 0), "{letters:?}");
}

#[test]
fn what_a_computer_can_not_know_changes_nothing_in_its_card() {
    let normal = Levels::default().normal;
    let mut table = Table::new(8, 4);
    for turn in 1..=24 {
        table.step(
            |_| Player::Computer(&normal),
            |table, seat, _, play| {
                if turn % 4 == 0 {
                    let other = warlord::audit::altered(&table.state, seat.0);
                    let view = Warlord::view(&other, &table.events, seat);
                    assert_eq!(table.card(seat, &view, &normal), *play, "turn {turn}, seat {seat}");
                }
            },
        );
    }
}

#[test]
fn strengths_are_an_option_for_all_seats_or_for_each() {
    use engine::Strength::{Easy, Hard, Normal};
    let tables = |text: &str| {
        let options = [("computers".to_owned(), text.to_owned())].into();
        Warlord::new_game(&Setup { seats: 3, options, ..Setup::default() }, &mut Dice::new(1))
    };
    let strengths = |text: &str| {
        let state = tables(text).expect("a fitting option");
        [1, 2, 3].map(|seat| state.tables.strength(seat))
    };
    assert_eq!(strengths("hard"), [Hard; 3]);
    assert_eq!(strengths("easy normal hard"), [Easy, Normal, Hard]);
    let usual = Warlord::new_game(&Setup { seats: 3, ..Setup::default() }, &mut Dice::new(1));
    assert_eq!(usual.expect("a world").tables.strength(2), Normal);
    for wrong in ["good", "easy hard", ""] {
        let faults = tables(wrong).expect_err("no such strengths");
        assert!(faults[0].starts_with("computers is easy, normal or hard"), "{faults:?}");
    }
}

#[test]
fn a_game_that_was_saved_with_figures_of_an_earlier_form_goes_on_with_the_usual_ones() {
    let state = Table::new(3, 1).state;
    let mut saved = serde_json::to_value(&state).expect("a state is saved");
    assert!(saved["tables"].get("computer").is_none(), "usual figures are not saved");
    saved["tables"]["computer"] = serde_json::json!({ "easy": { "fighters": 6 } });
    let back: State = serde_json::from_value(saved).expect("it loads");
    assert_eq!(back.tables.computer, Levels::default());
    let mut retuned = state;
    std::sync::Arc::make_mut(&mut retuned.tables).computer.normal.odds += 1;
    let text = serde_json::to_string(&retuned).expect("a state is saved");
    let back: State = serde_json::from_str(&text).expect("it loads");
    assert_eq!(back.tables.computer, retuned.tables.computer);
}

/// The values of a strength, each changed by itself: 0 becomes 60, every other value 0.
fn altered(level: &Level) -> Vec<(String, Level)> {
    let serde_json::Value::Object(keys) = serde_json::to_value(level).expect("plain data") else {
        panic!("figures by name")
    };
    let change = |(key, value): (&String, &serde_json::Value)| {
        let mut other = keys.clone();
        other[key] = serde_json::json!(if *value == serde_json::json!(0) { 60 } else { 0 });
        let level = serde_json::from_value(other.into()).expect("figures of the same kind");
        (key.clone(), level)
    };
    keys.iter().map(change).collect()
}

#[test]
fn every_figure_of_the_file_changes_a_card() {
    let Levels { easy, normal, .. } = Levels::default();
    let mut idle: BTreeSet<String> = altered(&normal).into_iter().map(|(key, _)| key).collect();
    for (level, seed, tech) in [(&normal, 6, 1), (&normal, 2, 9), (&easy, 6, 1)] {
        let others = altered(level);
        let mut table = Table::new(8, seed);
        table.state.powers.iter_mut().for_each(|p| p.tech = tech);
        for _ in 0..60 {
            if idle.is_empty() {
                return;
            }
            table.step(
                |_| Player::Computer(level),
                |table, seat, view, play| {
                    let open = others.iter().filter(|(key, _)| idle.contains(key));
                    let changed = open.filter(|(_, l)| table.card(seat, view, l).card != play.card);
                    let changed: Vec<&String> = changed.map(|(key, _)| key).collect();
                    for key in changed {
                        idle.remove(key);
                    }
                },
            );
        }
    }
    assert!(idle.is_empty(), "{idle:?} change nothing");
}
