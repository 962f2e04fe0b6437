//! A game that keeps a ledger: what each seat ordered in which turn, which only that seat sees. It
//! fails where a card says so, which an engine must never do.

use std::ops::RangeInclusive;

use engine::report::{Block, Line, Section, Span};
use engine::{
    Answers, Audits, Books, CardText, Cards, Computers, Dice, Headlines, Input, JudgedLine,
    Judgement, Maps, Mark, Printouts, Report, Rules, Score, Seat, Setup, Stepped, Topic, Wait,
    Words,
};

pub struct Ledger;

/// How many steps there were, and the cards of each seat with the number of its step.
type Entries = (u32, u8, Vec<(u32, u8, String)>);

impl Rules for Ledger {
    type State = Entries;
    /// A seat's own entries, the number of steps, the seats of the game.
    type View = (u32, u8, Vec<String>);
    type Event = String;
    const ID: &'static str = "ledger";
    const TITLE: &'static str = "Ledger";
    const RULES_VERSION: u32 = 1;
    fn seats() -> RangeInclusive<u8> {
        2..=9
    }
    fn data() -> &'static [(&'static str, &'static str)] {
        &[]
    }
    fn new_game(setup: &Setup, _: &mut Dice) -> Result<Entries, Vec<String>> {
        Ok((0, setup.seats, Vec::new()))
    }
    fn view(state: &Entries, _: &[String], seat: Seat) -> Self::View {
        let own = state.2.iter().filter(|e| e.1 == seat.0).map(|e| e.2.clone()).collect();
        (state.0, state.1, own)
    }
    fn step(
        (steps, seats, mut entries): Entries,
        input: &Input,
        dice: &mut Dice,
    ) -> Stepped<Entries, String> {
        for (seat, card) in input.cards {
            let text = card.text();
            assert!(!text.contains("M 666"), "the ledger burns");
            entries.push((steps + 1, seat.0, format!("{} {}", text.trim(), dice.word("luck"))));
        }
        Stepped::new((steps + 1, seats, entries), Vec::new())
    }
    fn wait(state: &Entries) -> Wait {
        Wait::turn(state.0 + 1, (1..=state.1).map(Seat).collect())
    }
    fn result(_: &Entries) -> Option<Vec<Score>> {
        None
    }
}

impl Cards for Ledger {
    fn starts_order(line: &str) -> bool {
        line.starts_with("M ")
    }
    fn judge(_: &Self::View, card: &CardText, _: u32) -> Judgement {
        let line = |(line, text): &(u32, String)| JudgedLine {
            line: *line,
            text: text.clone(),
            mark: Mark::Ok,
            note: String::new(),
        };
        Judgement { lines: card.lines.iter().map(line).collect(), ..Judgement::default() }
    }
    fn help(_: Option<&Entries>) -> Vec<Topic> {
        Vec::new()
    }
}

impl Words for Ledger {}

impl Printouts for Ledger {
    fn report((steps, seats, own): &Self::View, _: &str) -> Option<Report> {
        let met =
            |seat| Line(vec![Span::Plain(format!("Met {seat}: ")), Span::Address(Seat(seat))]);
        let lines: Vec<Line> = (1..=*seats).map(met).collect();
        let own: Vec<Line> = own.iter().map(|e| Line::from(format!("Entry {e}"))).collect();
        let sections = vec![
            Section::list("Entries", own, &format!("None in {steps} steps.")),
            Section { heading: "Met".into(), blocks: vec![Block::List(lines)] },
        ];
        Some(Report { title: "Ledger".into(), sections })
    }
}

impl Headlines for Ledger {}

impl Books for Ledger {}

impl Answers for Ledger {}

impl Maps for Ledger {}

impl Computers for Ledger {}

impl Audits for Ledger {}
