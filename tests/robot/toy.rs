//! A toy engine that does what Warlord does not: one awaited seat, a short clock,
//! a step that follows at once, seals, carried lines, an end, and a panic.

use std::ops::RangeInclusive;

use engine::report::{Block, Section};
use engine::{
    Awaited, BySeat, CardText, Dice, Engine, EngineOf, Fault, JudgedLine, Judgement, MAIN_CLOCK,
    Mark, Report, Rules, Score, Seal, Seat, Setup, Stepped, Topic,
};
use robot::limits::Limits;
use store::Status;

use support::host::{Host, got};

struct Toy;

/// Steps so far, and the words that were played.
type Played = (u32, Vec<String>);

impl Rules for Toy {
    type State = Played;
    type View = Played;
    type Order = String;
    type Event = String;

    const ID: &'static str = "toy";
    const TITLE: &'static str = "Toy";
    const RULES_VERSION: u32 = 1;

    fn seats() -> RangeInclusive<u8> {
        2..=2
    }
    fn data() -> &'static [(&'static str, &'static str)] {
        &[]
    }
    fn new_game(_: &Setup, _: &mut Dice) -> Result<Played, Vec<String>> {
        Ok((0, Vec::new()))
    }
    fn view(state: &Played, _: &[String], _: Seat) -> Played {
        state.clone()
    }
    fn parse(card: &CardText) -> (Vec<(u32, String)>, Vec<Fault>) {
        (card.lines.clone(), Vec::new())
    }
    fn judge(_: &Played, card: &CardText) -> Judgement {
        let line = |(line, text): &(u32, String)| JudgedLine {
            line: *line,
            text: text.clone(),
            mark: Mark::Ok,
            note: String::new(),
        };
        let seals = card.lines.iter().map(|(n, t)| Seal { key: n.to_string(), text: t.clone() });
        Judgement {
            lines: card.lines.iter().map(line).collect(),
            seals: seals.collect(),
            ..Judgement::default()
        }
    }
    fn step(state: Played, cards: &BySeat<CardText>, _: &mut Dice) -> Stepped<Played, String> {
        let (steps, mut words) = state;
        words.extend(cards.values().map(CardText::text));
        assert!(!words.iter().any(|w| w.contains("boom")), "the toy broke");
        let opened = cards.keys().map(|s| (*s, "1".to_owned())).collect();
        let wait = |(s, c): (&Seat, &CardText)| {
            c.text().contains("wait").then(|| (*s, vec!["kept 1".to_owned()]))
        };
        let carried = cards.iter().filter_map(wait).collect();
        Stepped { state: (steps + 1, words), events: Vec::new(), carried, opened }
    }
    fn report(view: &Played, _: &str) -> Option<Report> {
        let block = Block::Para(format!("{} steps, words: {:?}", view.0, view.1).into());
        let section = Section { heading: "Toy".into(), blocks: vec![block] };
        Some(Report { title: "Toy".into(), sections: vec![section] })
    }
    fn awaited(state: &Played) -> Awaited {
        match state.0 {
            1 => Awaited { seats: vec![Seat(2)], clock: "live" },
            2 => Awaited { seats: Vec::new(), clock: MAIN_CLOCK },
            _ => Awaited { seats: vec![Seat(1)], clock: MAIN_CLOCK },
        }
    }
    fn result(state: &Played) -> Option<Vec<Score>> {
        (state.0 >= 4).then(|| vec![Score { seat: Seat(1), rank: 1, points: 1 }])
    }
    fn help() -> Vec<Topic> {
        Vec::new()
    }
}

static TOYS: &[&dyn Engine] = &[&EngineOf::<Toy>::new()];

fn toy() -> Host {
    Host::with(TOYS, "toy", 2, Limits::default())
}

fn turn(host: &Host) -> u32 {
    host.robot.game("W7").expect("the game").turn
}

#[test]
fn a_short_clock_and_a_step_that_follows_at_once_are_kept() {
    let mut host = toy();
    host.run_turn();
    assert_eq!(turn(&host), 2);
    let game = host.robot.game("W7").expect("the game");
    let now = base::clock::Clock::now(host.clock.as_ref());
    let hours = game.deadline.map(|d| (d.as_second() - now.as_second()) / 3600);
    assert_eq!(hours, Some(24), "the live clock is a day when no option says otherwise");
    // The next step awaits nobody, so the one behind it runs with it.
    host.run_turn();
    assert_eq!(turn(&host), 4);
}

#[test]
fn seals_are_committed_to_in_the_echo_and_opened_in_the_printout() {
    let mut host = toy();
    let row = host.receive(host.card(1, "secret 5\n"));
    let echo = host.answers(&row).remove(0).text;
    let digest = echo.lines().find_map(|l| l.strip_prefix("Seal 1: SHA-256 ")).expect("a digest");
    let digest = digest.to_owned();
    host.run_turn();
    let printout = host.robot.store.printout("W7", Seat(2), 2).expect("a store").expect("one");
    let text = got(&printout).text.replace('\n', " ");
    let nonce = text.split("nonce ").nth(1).and_then(|n| n.split('.').next()).expect("a nonce");
    let again = base::secrets::sha256_hex(format!("{nonce} secret 5").as_bytes());
    assert_eq!(again, digest, "{text}");
}

#[test]
fn carried_lines_are_on_file_in_the_next_step() {
    let mut host = toy();
    host.receive(host.card(1, "wait 1\n"));
    host.run_turn();
    assert_eq!(host.on_file(1), "kept 1\n");
}

#[test]
fn the_end_of_a_game_stops_its_turns() {
    let mut host = toy();
    host.run_turn();
    host.run_turn();
    host.run_turn();
    let game = host.robot.game("W7").expect("the game");
    assert_eq!((game.status, game.deadline), (Status::Over, None));
    let row = host.receive(host.card(1, "more 1\n"));
    assert_eq!(row.reason, "game-over");
}

#[test]
fn a_panic_in_an_engine_holds_that_game_and_tells_the_game_master() {
    let mut host = toy();
    host.receive(host.card(1, "boom 1\n"));
    assert_eq!(host.pass_deadline(), 0);
    let game = host.robot.game("W7").expect("the game");
    assert_eq!((game.status, game.turn), (Status::Held, 1));
    assert!(game.held_why.contains("the toy broke"), "{}", game.held_why);
    assert!(host.told_game_master().contains("fieldpost replay W7"));
    // Mails still get verdicts.
    let row = host.receive(host.card(2, "STATUS\n"));
    assert_eq!(row.reason, "status");
}
