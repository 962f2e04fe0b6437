//! One step: the move of the awaited seat, and the answers that were prepared for it.

use std::collections::BTreeMap;

use engine::{BySeat, CardText, Input, Seat, Sits, Stepped};

use super::board::{Spot, other};
use super::orders;
use super::state::{Action, End, MISSES_ALLOWED, Move, Order, State, Why};

/// Prepared answers of each seat: the place of the stone, and the answer.
type Answers = BTreeMap<Seat, Vec<(Spot, Order)>>;

impl State {
    /// Runs the open step: the move of the awaited seat, then every answer that was prepared.
    pub fn step(mut self, input: &Input) -> Stepped<Self, Move> {
        let before = self.moves.len();
        let mut answers = answers(input.cards);
        if let Some(seat) = self.to_move() {
            let gone = [seat, other(seat)].into_iter().find(|s| input.sits(*s) == Sits::Left);
            match gone {
                Some(gone) => self.over = Some(End { winner: other(gone), why: Why::Left }),
                None => self.turn(seat, input, &mut answers),
            }
        }
        self.step += 1;
        let events = self.moves[before..].to_vec();
        let carried = self.carried(&answers);
        Stepped { carried, ..Stepped::new(self, events) }
    }

    /// Plays a seat's own move, and the answers to it.
    fn turn(&mut self, seat: Seat, input: &Input, answers: &mut Answers) {
        let card = input.cards.get(&seat);
        let board = self.board();
        let allowed = |order: &Order| self.allows(&board, *order);
        let own = card.and_then(|card| orders::moves(card).into_iter().rfind(allowed));
        match own {
            Some(order) => self.play(seat, order, false),
            None => self.miss(seat, input.absent(seat)),
        }
        // Each answer is used up, so the loop ends.
        while let Some((seat, order)) = self.answer(answers) {
            self.play(seat, order, true);
        }
    }

    /// Takes the prepared answer to the newest stone, if there is one.
    fn answer(&self, answers: &mut Answers) -> Option<(Seat, Order)> {
        let seat = self.to_move()?;
        let Action::Stone(newest) = self.moves.last()?.action else { return None };
        let board = self.board();
        let own = answers.get_mut(&seat)?;
        let fits = |(to, order): &(Spot, Order)| *to == newest && self.allows(&board, *order);
        // As with moves, the last one counts.
        let place = own.iter().rposition(fits)?;
        Some((seat, own.remove(place).1))
    }

    fn play(&mut self, seat: Seat, order: Order, prepared: bool) {
        let action = match order {
            Order::Stone(spot) => Action::Stone(spot),
            Order::Swap => Action::Swap,
        };
        self.moves.push(Move { seat, action, prepared });
        if self.board().joins(seat) {
            self.over = Some(End { winner: seat, why: Why::Joined });
        }
    }

    /// Records a turn without a stone. `absent` is the robot's count of turns that the player has
    /// let pass; without it, for old steps and for cards without a move, the missed moves of the
    /// game are counted.
    fn miss(&mut self, seat: Seat, absent: Option<u32>) {
        let own = self.moves.iter().rev().filter(|m| m.seat == seat);
        let before = own.take_while(|m| m.action == Action::Missed).count();
        let missed = absent.map_or(before + 1, |turns| turns as usize);
        self.moves.push(Move { seat, action: Action::Missed, prepared: false });
        if missed > MISSES_ALLOWED {
            self.over = Some(End { winner: other(seat), why: Why::Silent });
        }
    }

    /// Puts the answers that may still be played on file again.
    fn carried(&self, answers: &Answers) -> BySeat<Vec<String>> {
        let board = self.board();
        let waits = |(to, order): &&(Spot, Order)| {
            board.is_free(*to)
                && match order {
                    Order::Stone(spot) => board.is_free(*spot),
                    // Only the first stone can be answered with a swap.
                    Order::Swap => self.swap && self.moves.is_empty(),
                }
        };
        let mut carried = BySeat::new();
        for (seat, own) in answers.iter().filter(|_| self.over.is_none()) {
            let lines: Vec<String> = own
                .iter()
                .filter(waits)
                .map(|(to, order)| orders::answer_line(*to, *order))
                .collect();
            if !lines.is_empty() {
                carried.insert(*seat, lines);
            }
        }
        carried
    }
}

fn answers(cards: &BySeat<CardText>) -> Answers {
    cards.iter().map(|(seat, card)| (*seat, orders::answers(card))).collect()
}
