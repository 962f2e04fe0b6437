//! A game that a test plays step by step.

use empire_deluxe::event::What;
use empire_deluxe::field::Field;
use empire_deluxe::game;
use empire_deluxe::stage::{Stage, State};
use empire_deluxe::state::UnitId;
use engine::{BySeat, CardText, Dice, Input, Seat, Sits};

use crate::scene::Scene;

/// A game in progress, played step by step.
pub struct Table {
    pub state: State,
    pub what: Vec<What>,
    pub seed: u64,
    pub sits: BySeat<Sits>,
}

impl Table {
    pub fn new(scene: Scene, stage: Stage, sitting: u32) -> Self {
        let Field { mut world, .. } = scene.field;
        // Nothing is finished in the first turn.
        world.turn = 10;
        let state = State::of(world, stage, sitting);
        Self { state, what: Vec::new(), seed: 1, sits: BySeat::new() }
    }

    pub fn all(scene: Scene) -> Self {
        Self::new(scene, Stage::All, 1)
    }

    pub fn play(&mut self, cards: &[(u8, &str)]) -> &mut Self {
        let cards = cards.iter().map(|(s, text)| (Seat(*s), CardText::new(text))).collect();
        let input = Input { cards: &cards, seats: &self.sits };
        // Players who are far apart would play several turns at once.
        self.state.sitting = self.state.sitting.min(1);
        let done = game::step(self.state.clone(), &input, &mut Dice::new(self.seed));
        self.seed += 1;
        self.state = done.state;
        self.what = done.events.into_iter().map(|e| e.what).collect();
        self
    }

    pub fn at(&self, id: UnitId) -> String {
        self.state.world.unit(id).map_or("gone".into(), |u| self.state.world.ground.called(u.at))
    }

    pub fn idle(&self, id: UnitId) -> bool {
        self.state.world.unit(id).is_some_and(|u| u.orders.is_empty())
    }

    pub fn aboard(&self, id: UnitId) -> usize {
        Field::new(self.state.world.clone()).cargo(id).len()
    }
}
