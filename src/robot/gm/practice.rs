//! Practice games: makes one, and ends one that its player has left.

use base::schedule::Rule;
use base::terms::{Contact, Terms};
use engine::{Engine, Seat};
use store::Game;
use tongue::say;

use super::Gm;
use super::setup::{NewGame, NewSeat};
use crate::context::Result;

/// The seat of the player.
const SEAT: Seat = Seat(1);
/// The time between deadlines: a game that is left for so long ends.
const EVERY: &str = "14 days";

/// A practice game as it is made.
fn new_game(engine: &dyn Engine, code: &str, zone: &str) -> NewGame {
    let practice = engine.practice();
    NewGame {
        code: code.to_owned(),
        engine: engine.id().to_owned(),
        seats: practice.seats,
        rule: Rule {
            every: EVERY.to_owned(),
            at: None,
            zone: zone.to_owned(),
            holidays: Vec::new(),
        },
        data: Default::default(),
        options: practice.options,
        fee: 0,
        takeover: 0,
        terms: Terms {
            practice: true,
            early: true,
            reminders_hours: vec![7 * 24],
            standby_after: 0,
            ..Terms::default()
        },
    }
}

impl Gm<'_> {
    /// Makes and starts a practice game for an address; gives its code.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] says what is wrong.
    pub fn practice(&self, engine: &str, address: &str) -> Result<String> {
        let engine = self.games().engine(engine)?;
        let mut number = 1;
        let code = loop {
            let code = format!("P{number}");
            if self.tx.games().game(&code)?.is_none() {
                break code;
            }
            number += 1;
        };
        let game = new_game(engine, &code, "UTC");
        let seats = game.seats;
        self.new_game(game)?;
        self.add_seat(&NewSeat {
            game: code.clone(),
            seat: SEAT,
            address: address.to_owned(),
            name: String::new(),
            zone: None,
            contact: Contact::Hide,
            any_address: false,
        })?;
        for seat in (1..=seats).map(Seat).filter(|s| *s != SEAT) {
            self.add_computer(&code, seat)?;
        }
        self.start(&code, None, false)?;
        Ok(code)
    }

    /// Ends a practice game that was left, and notifies its player, if it still has one.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn end_practice(&self, game: &Game) -> Result<()> {
        if !self.tx.end_game(&game.code)? {
            return Ok(());
        }
        let now = self.cx.now();
        let words = || {
            let text = say!(
                "No card came for a while, so your practice game {code} is over. PRACTICE {engine} \
                 begins another one.",
                code = game.code,
                engine = game.engine
            );
            (say!("your practice game is over"), text)
        };
        for row in self.tx.games().seats(&game.code)?.iter().filter(|s| s.has_player()) {
            let mail = self.mailer().notice(game, row, &words, "practice is over", now);
            self.tx.outbox().post(mail.as_slice(), now)?;
        }
        self.games().close(&game.code);
        tracing::info!(game = game.code, "practice game ended");
        Ok(())
    }
}
