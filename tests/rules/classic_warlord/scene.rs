//! A scene on the map: the holders of regions, the seat to move, the cards.

use classic_warlord::ClassicWarlord;
use classic_warlord::board::{Bomb, Kind};
use classic_warlord::map::Place;
use classic_warlord::state::{Event, Stage, State};
use classic_warlord::turn::{Phase, Shot, Strike, Turn};
use classic_warlord::view::View;
use engine::{BySeat, CardText, Cards, Dice, Input, Judgement, Rules, Seat, Setup, Sits};

/// A game in the middle of a turn.
pub struct Scene {
    pub state: State,
    pub events: Vec<Event>,
    pub opened: Vec<(Seat, String)>,
    pub carried: BySeat<Vec<String>>,
    pub sits: BySeat<Sits>,
    pub seed: u64,
}

/// A setup of a number of seats with options.
pub fn setup(seats: u8, options: &[(&str, &str)]) -> Setup {
    let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Setup { seats, options, ..Setup::default() }
}

/// A sea in a corner, where a seat without anything else has an army.
const CORNERS: [u16; 7] = [541, 540, 151, 152, 243, 325, 828];

impl Scene {
    /// An empty board of these options, seats in the order of their numbers.
    pub fn with(seats: u8, options: &[(&str, &str)]) -> Self {
        let made = ClassicWarlord::new_game(&setup(seats, options), &mut Dice::new(1));
        let mut state = made.expect("a game");
        state.order.sort();
        state.round = 1;
        Self {
            state,
            events: Vec::new(),
            opened: Vec::new(),
            carried: BySeat::new(),
            sits: BySeat::new(),
            seed: 1,
        }
    }

    /// An empty board with the usual options on all boards.
    pub fn new(seats: u8) -> Self {
        Self::with(seats, &[])
    }

    pub fn at(&self, number: u16) -> Place {
        self.state.board.map().find(number).unwrap_or_else(|| panic!("no region {number}"))
    }

    /// Armies of a seat.
    pub fn put(mut self, seat: u8, armies: &[(u16, u32)]) -> Self {
        for (number, n) in armies {
            let at = self.at(*number);
            self.state.board.set(at, Seat(seat), *n);
        }
        self
    }

    pub fn bomb(mut self, number: u16, kind: Kind, units: u32) -> Self {
        let at = self.at(number);
        self.state.board.site(at, Some(Bomb { kind, units }));
        self
    }

    /// Makes it this seat's turn; a seat without an army gets one in a corner.
    pub fn turn_of(mut self, seat: u8) -> Self {
        for seat in self.state.seats() {
            if !self.state.board.lives(seat)
                && let Some(at) = self.state.board.map().find(CORNERS[usize::from(seat.0) - 1])
            {
                self.state.board.set(at, seat, 1);
            }
        }
        let side = self.state.side_mut(Seat(seat)).expect("a seat");
        side.turns += 1;
        let number = side.turns;
        self.state.stage = Stage::Turn(Turn::new(Seat(seat), number));
        self
    }

    /// Runs the open step with these cards.
    pub fn play(&mut self, cards: &[(u8, &str)]) -> &mut Self {
        let cards = cards.iter().map(|(s, text)| (Seat(*s), CardText::new(text))).collect();
        let input = Input { cards: &cards, seats: &self.sits };
        let mut dice = Dice::new(self.seed);
        let done = ClassicWarlord::step(self.state.clone(), &input, &mut dice);
        self.seed += 1;
        (self.state, self.events) = (done.state, done.events);
        (self.opened, self.carried) = (done.opened, done.carried);
        self
    }

    pub fn view(&self, seat: u8) -> View {
        ClassicWarlord::view(&self.state, &self.events, Seat(seat))
    }

    pub fn judged(&self, seat: u8, card: &str) -> Judgement {
        ClassicWarlord::judge(&self.view(seat), &CardText::new(card), 0)
    }

    /// Moves the turn past its extra armies: nothing can be placed.
    pub fn moving(mut self) -> Self {
        if let Stage::Turn(turn) = &mut self.state.stage {
            turn.phase = Phase::Moves;
        }
        self
    }

    /// The note of each line of a card.
    pub fn notes(&self, seat: u8, card: &str) -> Vec<String> {
        let lines = self.judged(seat, card).lines;
        lines.into_iter().map(|l| format!("{}: {}", l.mark.as_str(), l.note)).collect()
    }

    pub fn armies(&self, number: u16) -> u32 {
        self.state.board.armies(self.at(number))
    }

    /// Who holds a region; 0: nobody.
    pub fn owner(&self, number: u16) -> u8 {
        self.state.board.owner(self.at(number)).map_or(0, |s| s.0)
    }

    pub fn splat(&self, number: u16) -> bool {
        self.state.board.land(self.at(number)).splat
    }

    /// Kind and units of the bomb on a region.
    pub fn bomb_at(&self, number: u16) -> Option<(Kind, u32)> {
        self.state.board.bomb(self.at(number)).map(|b| (b.kind, b.units))
    }

    /// The first bomb that was fired in the last step.
    pub fn shot(&self) -> Shot {
        let shot = self.events.iter().find_map(|e| match e {
            Event::Shot(_, shot) => Some(shot.clone()),
            _ => None,
        });
        shot.unwrap_or_else(|| panic!("no shot: {:?}", self.events))
    }

    /// The attacks of the last step.
    pub fn strikes(&self) -> Vec<&Strike> {
        fn struck(event: &Event) -> Option<&Strike> {
            if let Event::Struck(_, strike) = event { Some(strike) } else { None }
        }
        self.events.iter().filter_map(struck).collect()
    }

    /// Why lines of the last step's cards were not done.
    pub fn not_done(&self) -> Vec<String> {
        fn why(event: &Event) -> Option<String> {
            if let Event::NotDone(_, _, why) = event { Some(why.to_string()) } else { None }
        }
        self.events.iter().filter_map(why).collect()
    }

    /// Numbers of regions.
    pub fn numbers<'a>(&self, places: impl IntoIterator<Item = &'a Place>) -> Vec<u16> {
        places.into_iter().map(|p| self.state.board.map().region(*p).number).collect()
    }
}
