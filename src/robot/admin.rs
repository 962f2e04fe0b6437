//! What the game master does: makes games, gives seats, starts.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::deadline::{Post, fee_of};
use super::{Result, Robot, refuse};
use crate::engine::{Dice, Engine, Seat, Setup};
use crate::schedule::{self, Rule};
use crate::secrets;
use crate::store::{Entry, Game, NextTurn, SeatRow, Status, StoreError, TurnRecord, turn_hash};

/// A game as the game master makes it.
#[derive(Debug, Clone)]
pub struct NewGame {
    pub code: String,
    pub engine: String,
    pub seats: u8,
    pub rule: Rule,
    /// Data files that replace the engine's own.
    pub data: BTreeMap<String, String>,
    /// Options of the engine by name.
    pub options: BTreeMap<String, String>,
    /// Credits that a printout costs; 0: nothing.
    pub fee: u32,
    /// Missed turns after which a computer plays on; 0: never.
    pub takeover: u32,
}

/// A seat as the game master gives it.
#[derive(Debug, Clone)]
pub struct NewSeat {
    pub game: String,
    pub seat: Seat,
    pub address: String,
    pub name: String,
    /// `None`: the game's zone.
    pub zone: Option<String>,
    pub disclose: bool,
    pub any_address: bool,
}

impl Robot {
    /// Makes a game that takes seats.
    ///
    /// # Errors
    /// [`super::RobotError::Refused`] says what is wrong and what to write.
    pub fn new_game(&mut self, new: NewGame) -> Result<()> {
        let NewGame { code, engine, seats, rule, data, options, fee, takeover } = new;
        let good = |c: char| c.is_ascii_alphanumeric();
        if code.is_empty() || code.len() > 8 || !code.chars().all(good) {
            return refuse(format!("{code:?} is no game code; use 1 to 8 letters and digits"));
        }
        let engine = self.engine(&engine)?;
        if !engine.seats().contains(&seats) {
            let range = engine.seats();
            return refuse(format!(
                "{} takes {} to {} seats",
                engine.title(),
                range.start(),
                range.end()
            ));
        }
        rule.check().or_else(|e| refuse(e.to_string()))?;
        if self.store.game(&code)?.is_some() {
            return refuse(format!("there is a game {code} already"));
        }
        let setup = Setup { seats, options, data: with_defaults(engine, data) };
        // Wrong options and data files are told now, not when the game starts.
        let made = self.shielded(&code, || engine.new_game(&setup, &mut Dice::new(0)))?;
        made.or_else(|faults| refuse(faults.join("\n")))?;
        let game = Game {
            code: code.to_uppercase(),
            engine: engine.id().to_owned(),
            rules_version: engine.rules_version(),
            setup,
            status: Status::Open,
            held_why: String::new(),
            rule,
            turn: 0,
            deadline: None,
            seed: self.entropy.word(),
            fee: fee.into(),
            takeover,
        };
        self.store.add_game(&game, self.clock.now())?;
        tracing::info!(game = game.code, engine = game.engine, seats, "game made");
        Ok(())
    }

    /// Gives a seat to a player and tells the password of that seat.
    ///
    /// # Errors
    /// [`super::RobotError::Refused`] says what is wrong and what to write.
    pub fn add_seat(&mut self, new: &NewSeat) -> Result<String> {
        let game = self.game(&new.game)?;
        let Some(address) = crate::mail::mime::canonical(&new.address) else {
            return refuse(format!("{:?} is no mail address", new.address));
        };
        if address.parse::<lettre::Address>().is_err() {
            return refuse(format!("{address:?} is an address that no mail can be sent to"));
        }
        if !(1..=game.setup.seats).contains(&new.seat.0) {
            return refuse(format!("game {} has seats 1 to {}", game.code, game.setup.seats));
        }
        let zone = new.zone.clone().unwrap_or(game.rule.zone);
        schedule::zone(&zone).or_else(|e| refuse(e.to_string()))?;
        let name: String = new.name.chars().filter(|c| !c.is_control()).take(30).collect();
        let password = secrets::password([self.entropy.word(), self.entropy.word()]);
        let row = SeatRow {
            game: game.code.clone(),
            seat: new.seat,
            name,
            address,
            zone,
            password_digest: self.store.key().password_digest(&game.code, new.seat, &password),
            disclose: new.disclose,
            any_address: new.any_address,
            missed: 0,
            computer: false,
            language: String::new(),
        };
        match self.store.add_seat(&row) {
            Err(StoreError::Taken) => refuse(format!("seat {} is taken", new.seat)),
            other => Ok(other?),
        }?;
        tracing::info!(game = game.code, seat = new.seat.0, "seat given");
        Ok(password)
    }

    /// Gives a free seat to a computer player.
    ///
    /// # Errors
    /// [`super::RobotError::Refused`] when there is no such seat or it is taken.
    pub fn add_computer(&mut self, code: &str, seat: Seat) -> Result<()> {
        let game = self.game(code)?;
        if !(1..=game.setup.seats).contains(&seat.0) {
            return refuse(format!("game {} has seats 1 to {}", game.code, game.setup.seats));
        }
        if self.store.seat(&game.code, seat)?.is_some() {
            return refuse(format!("seat {seat} is taken"));
        }
        let row = SeatRow {
            game: game.code.clone(),
            seat,
            name: String::new(),
            address: String::new(),
            zone: game.rule.zone.clone(),
            password_digest: String::new(),
            disclose: false,
            any_address: false,
            missed: 0,
            computer: true,
            language: String::new(),
        };
        self.store.add_seat(&row)?;
        tracing::info!(game = game.code, seat = seat.0, "seat given to a computer");
        Ok(())
    }

    /// Enters a payment for printouts. When the printout of the open turn waits
    /// for it, it is paid and sent.
    ///
    /// # Errors
    /// [`super::RobotError::Refused`] when the seat has no player.
    pub fn add_credit(&mut self, code: &str, seat: Seat, amount: i64, why: &str) -> Result<i64> {
        let game = self.game(code)?;
        let row = self.store.seat(&game.code, seat)?.filter(|r| !r.computer);
        let Some(row) = row else { return refuse(format!("seat {seat} has no player")) };
        let now = self.clock.now();
        let why: String = why.chars().filter(|c| !c.is_control()).take(80).collect();
        let mut entries = vec![Entry { amount, why, turn: None, at: now }];
        let mut mails = Vec::new();
        let balance = self.store.credit(&game.code, seat)? + amount;
        let waits = game.fee > 0
            && game.status == Status::Running
            && game.turn > 1
            && balance >= game.fee
            && !self.store.is_paid(&game.code, seat, game.turn)?;
        if waits {
            let open = self.open(&game)?;
            let before = self.store.seed_of(&game.code, game.turn - 1)?;
            let post = Post { seed_before: before, now, ..Post::default() };
            mails = self.printout(&game, open.as_ref(), &row, &post, Some(balance - game.fee))?;
            // A fallen empire gets no printout, and pays for none.
            if !mails.is_empty() {
                entries.push(fee_of(&game, now));
            }
        }
        self.store.pay(&game.code, seat, &entries, &mails, now)?;
        Ok(self.store.credit(&game.code, seat)?)
    }

    /// A game by code.
    ///
    /// # Errors
    /// [`super::RobotError::Refused`] with the codes that there are.
    pub fn game(&self, code: &str) -> Result<Game> {
        if let Some(game) = self.store.game(code)? {
            return Ok(game);
        }
        let codes: Vec<String> = self.store.games()?.into_iter().map(|g| g.code).collect();
        match codes.is_empty() {
            true => refuse("there is no game yet; make one with \"fieldpost game new\""),
            false => refuse(format!("no game {code}; there are: {}", codes.join(", "))),
        }
    }

    /// Starts a game: makes its world and mails the first printouts.
    ///
    /// # Errors
    /// [`super::RobotError::Refused`] when it runs already or has free seats
    /// that were not asked to stay free.
    pub fn start(&mut self, code: &str, deadline: Option<&str>, with_free: bool) -> Result<()> {
        let game = self.game(code)?;
        if game.status != Status::Open {
            return refuse(format!("game {} has started already", game.code));
        }
        let seats = self.store.seats(&game.code)?;
        let free: Vec<String> = (1..=game.setup.seats)
            .filter(|n| seats.iter().all(|s| s.seat.0 != *n))
            .map(|n| n.to_string())
            .collect();
        if !free.is_empty() && !with_free {
            return refuse(format!(
                "seats {} of game {} are free; give them with \"fieldpost seat add\", or start \
                 with --with-free-seats",
                free.join(", "),
                game.code
            ));
        }
        let now = self.clock.now();
        let deadline = match deadline {
            Some(text) => schedule::date(text, &game.rule.zone),
            None => game.rule.first(now),
        };
        let deadline = deadline.or_else(|e| refuse(e.to_string()))?;
        if deadline <= now {
            return refuse("the first deadline must lie ahead");
        }
        self.open_world(&game, deadline, now)
    }

    fn open_world(&mut self, game: &Game, deadline: Timestamp, now: Timestamp) -> Result<()> {
        let engine = self.engine(&game.engine)?;
        let mut dice = Dice::new(game.seed);
        let made = self.shielded(&game.code, || engine.new_game(&game.setup, &mut dice))?;
        let saved = made.or_else(|faults| refuse(faults.join("\n")))?;
        let record = TurnRecord {
            turn: 0,
            rules_version: engine.rules_version(),
            seed: game.seed,
            cards: BTreeMap::new(),
            hash: turn_hash(&saved, dice.log()),
            saved,
        };
        let next = NextTurn {
            turn: 1,
            seed: self.entropy.word(),
            status: Status::Running,
            deadline: Some(deadline),
            carried: BTreeMap::new(),
            fees: Vec::new(),
            on_file: BTreeMap::new(),
        };
        let opened = Game {
            turn: 1,
            seed: next.seed,
            status: Status::Running,
            deadline: Some(deadline),
            ..game.clone()
        };
        let failed = |e: crate::engine::LoadError| {
            super::RobotError::Engine(game.code.clone(), e.to_string())
        };
        let open = engine.open(&record.saved).map_err(failed)?;
        let post = Post { now, ..Post::default() };
        let (mails, _) = self.printouts(&opened, open.as_ref(), &post)?;
        let dice_log: &[_] = dice.log();
        self.store.run_turn(&game.code, &record, dice_log, &next, &mails, now)?;
        tracing::info!(game = game.code, seats = game.setup.seats, "game started");
        Ok(())
    }
}

/// The data files of a setup: the host's own, and the engine's for the rest, so
/// that a later version of the engine makes the same world from it.
fn with_defaults(engine: &dyn Engine, own: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut data: BTreeMap<String, String> =
        engine.data().iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect();
    data.extend(own);
    data
}
