//! A game that keeps a ledger: what each seat ordered in which turn, for its eyes alone. It
//! fails where a card says so, as engines must not.

use std::ops::RangeInclusive;

use engine::report::{Block, Line, Section, Span};
use engine::{
    Awaited, BySeat, CardText, Dice, Fault, JudgedLine, Judgement, MAIN_CLOCK, Mark, Report, Rules,
    Score, Seat, Setup, Stepped, Topic,
};

pub struct Ledger;

/// How many steps there were, and the cards of each seat with the number of its step.
type Entries = (u32, u8, Vec<(u32, u8, String)>);

impl Rules for Ledger {
    type State = Entries;
    /// A seat's own entries, the steps, the seats of the game.
    type View = (u32, u8, Vec<String>);
    type Order = String;
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
    fn parse(card: &CardText) -> (Vec<(u32, String)>, Vec<Fault>) {
        (card.lines.clone(), Vec::new())
    }
    fn judge(_: &Self::View, card: &CardText) -> Judgement {
        let line = |(line, text): &(u32, String)| JudgedLine {
            line: *line,
            text: text.clone(),
            mark: Mark::Ok,
            note: String::new(),
        };
        Judgement { lines: card.lines.iter().map(line).collect(), ..Judgement::default() }
    }
    fn step(
        (steps, seats, mut entries): Entries,
        cards: &BySeat<CardText>,
        dice: &mut Dice,
    ) -> Stepped<Entries, String> {
        for (seat, card) in cards {
            let text = card.text();
            assert!(!text.contains("M 666"), "the ledger burns");
            entries.push((steps + 1, seat.0, format!("{} {}", text.trim(), dice.word("luck"))));
        }
        let state = (steps + 1, seats, entries);
        Stepped { state, events: Vec::new(), carried: BySeat::new(), opened: Vec::new() }
    }
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
    fn awaited(state: &Entries) -> Awaited {
        Awaited { seats: (1..=state.1).map(Seat).collect(), clock: MAIN_CLOCK }
    }
    fn result(_: &Entries) -> Option<Vec<Score>> {
        None
    }
    fn help() -> Vec<Topic> {
        Vec::new()
    }
}
