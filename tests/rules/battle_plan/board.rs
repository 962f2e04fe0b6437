//! A game set up by hand, played turn by turn with cards as text.

use std::collections::BTreeMap;

use battle_plan::BattlePlan;
use battle_plan::desk::Paper;
use battle_plan::event::{Clash, Counter, Event, SeaClash, Side};
use battle_plan::judge;
use battle_plan::map::SpaceId;
use battle_plan::state::{Country, Forces, Player, State};
use battle_plan::view::View;
use engine::{
    BySeat, CardText, Cards, Dice, Input, Judgement, Mark, Printouts, Rules, Seat, Setup, Sits,
};
use render::{filled, text};

/// A game on the table.
pub struct Board {
    pub state: State,
    pub events: Vec<Event>,
    /// The seed of the dice; without one they always fall in the middle.
    pub seed: Option<u64>,
    /// Who plays each seat; seats that are not listed have players.
    pub sits: BySeat<Sits>,
}

/// A setup of a variant with further options.
pub fn setup(variant: &str, seats: u8, options: &[(&str, &str)]) -> Setup {
    let mut all: BTreeMap<String, String> =
        options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    all.insert("variant".to_owned(), variant.to_owned());
    Setup { seats, options: all, ..Setup::default() }
}

impl Board {
    /// The five players of the sample printout: AL, NE, SP, SW, TU.
    pub fn europe() -> Self {
        Self::of("europe", 5, &[("starts", "AL NE SP SW TU")])
    }

    /// Players in these start countries of Europe.
    pub fn starting(starts: &str) -> Self {
        // A test names at most nine.
        let seats = starts.split_whitespace().count() as u8;
        Self::of("europe", seats, &[("starts", starts)])
    }

    pub fn of(variant: &str, seats: u8, options: &[(&str, &str)]) -> Self {
        let mut options = options.to_vec();
        let alike = !["real", "1939"].contains(&variant);
        if alike && !options.iter().any(|(name, _)| *name == "starts") {
            // Boards know who sits where.
            options.push(("starts", "set"));
        }
        let setup = setup(variant, seats, &options);
        let state = BattlePlan::new_game(&setup, &mut Dice::new(1)).expect("a game");
        Self { state, events: Vec::new(), seed: None, sits: BySeat::new() }
    }

    /// The same with real dice.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }

    /// The same board once more.
    pub fn again(&self) -> Self {
        let (state, events, sits) = (self.state.clone(), self.events.clone(), self.sits.clone());
        Self { state, events, sits, seed: self.seed }
    }

    pub fn id(&self, code: &str) -> SpaceId {
        self.state.tables.map.find(code).unwrap_or_else(|| panic!("{code} is on the map"))
    }

    pub fn country(&self, code: &str) -> &Country {
        self.state.country(self.id(code))
    }

    pub fn player(&self, seat: u8) -> &Player {
        self.state.player(seat)
    }

    /// Changes a country by hand.
    pub fn set(mut self, code: &str, change: impl FnOnce(&mut Country)) -> Self {
        let id = self.id(code);
        change(self.state.country_mut(id));
        self.looked()
    }

    /// Changes a player by hand.
    pub fn set_player(mut self, seat: u8, change: impl FnOnce(&mut Player)) -> Self {
        change(self.state.player_mut(seat));
        self.looked()
    }

    /// Gives a country to a player, with nothing but an army.
    pub fn occupied(self, code: &str, owner: u8, army: i64) -> Self {
        self.set(code, |c| {
            c.owner = owner;
            c.hpi = 100;
            (c.army, c.navy, c.air) = (army, 0, 0);
            c.popularity.clear();
        })
    }

    /// A minor that a player controls.
    pub fn controlled(self, code: &str, by: u8) -> Self {
        self.set(code, |c| {
            c.popularity.insert(by, 10);
        })
    }

    /// Forces of a player in a sea.
    pub fn fleet(mut self, code: &str, seat: u8, army: i64, navy: i64, air: i64) -> Self {
        let id = self.id(code);
        self.state.sea_mut(id).insert(seat, Forces { army, navy, air });
        self.looked()
    }

    fn looked(mut self) -> Self {
        self.state.look_around(&BTreeMap::new());
        self
    }

    pub fn sea(&self, code: &str, seat: u8) -> Forces {
        self.state.sea(self.id(code)).get(&seat).copied().unwrap_or_default()
    }

    /// Plays a turn with these cards.
    pub fn turn(mut self, cards: &[(u8, &str)]) -> Self {
        let cards: BySeat<CardText> =
            cards.iter().map(|(seat, text)| (Seat(*seat), CardText::new(text))).collect();
        let mut dice = match self.seed {
            Some(seed) => Dice::new(seed + u64::from(self.state.turn)),
            None => Dice::middling(500),
        };
        let input = Input { cards: &cards, seats: &self.sits };
        let done = BattlePlan::step(self.state, &input, &mut dice);
        self.state = done.state;
        self.events = done.events;
        self
    }

    pub fn view(&self, seat: u8) -> View {
        BattlePlan::view(&self.state, &self.events, Seat(seat))
    }

    pub fn judge(&self, seat: u8, card: &str) -> Judgement {
        BattlePlan::judge(&self.view(seat), &CardText::new(card), 0)
    }

    pub fn paper(&self, seat: u8, card: &str) -> Paper {
        judge::work(&self.view(seat), &CardText::new(card))
    }

    /// The code of each order of a card: `ok`, or its code in the table of bad input.
    pub fn codes(&self, seat: u8, card: &str) -> Vec<&'static str> {
        let told = self.paper(seat, card).told;
        let orders = told.iter().filter(|(_, _, t)| t.mark != Mark::Remark);
        orders.map(|(_, _, t)| t.code).collect()
    }

    /// The note of the last order of a card.
    pub fn note(&self, seat: u8, card: &str) -> String {
        let told = self.paper(seat, card).told;
        let last = told.iter().rfind(|(_, _, t)| t.mark != Mark::Remark);
        last.expect("an order").2.note.clone()
    }

    /// The forecast of a card as text.
    pub fn forecast(&self, seat: u8, card: &str) -> String {
        text::sections(&self.judge(seat, card).forecast)
    }

    /// A seat's printout as text.
    pub fn printout(&self, seat: u8) -> String {
        let report = BattlePlan::report(&self.view(seat), "").expect("the seat plays");
        text::sections(&filled(&report.sections, &|span| address(span)))
    }

    /// One section of it, empty when it is left out.
    pub fn section(&self, seat: u8, heading: &str) -> String {
        let report = BattlePlan::report(&self.view(seat), "").expect("the seat plays");
        let found = report.sections.iter().find(|s| s.heading.starts_with(heading));
        found.map_or_else(String::new, |s| {
            text::sections(&filled(std::slice::from_ref(s), &|span| address(span)))
        })
    }

    pub fn clash(&self, code: &str) -> &Clash {
        let at = self.id(code);
        let found = self.events.iter().find_map(|e| match e {
            Event::Clash(clash) if clash.at == at => Some(clash),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("there was a battle in {code}"))
    }

    /// The forces of one space in a battle.
    pub fn side(&self, code: &str, from: &str) -> Side {
        let from = self.id(from);
        let clash = self.clash(code);
        let side = clash.attackers.iter().find(|s| s.from == from);
        *side.expect("it took part")
    }

    pub fn sea_clash(&self, code: &str) -> &SeaClash {
        let at = self.id(code);
        let found = self.events.iter().find_map(|e| match e {
            Event::SeaClash(clash) if clash.at == at => Some(clash),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("there was a battle in {code}"))
    }

    pub fn counter(&self, code: &str) -> Counter {
        let at = self.id(code);
        let found = self.events.iter().find_map(|e| match e {
            Event::Counter(counter) if counter.at == at => Some(*counter),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("there was a counter-attack in {code}"))
    }
}

/// Addresses as the tests show them.
fn address(span: &engine::report::Span) -> Option<engine::report::Span> {
    use engine::report::Span;
    match span {
        Span::Address(seat) => Some(Span::Chosen(format!("<{seat}>"))),
        _ => None,
    }
}
