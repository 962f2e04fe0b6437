//! The work of the game master on games: makes and starts them, gives seats, sets terms, takes
//! turns back.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use base::schedule::{self, Rule};
use base::secrets;
use base::terms::{Contact, Terms};
use engine::{BySeat, LoadError, Notice, Seat, Sits, Turn};
use render::text::{SAFE, fill};
use store::{
    Entry, Game, NextTurn, QueuedMail, SeatChange, SeatRow, Status, Step, StoreError, Told,
    TurnRecord, turn_hash,
};
use tongue::say;

use super::Gm;
use super::terms::{MEANINGS, no_such_term};
use crate::context::{Result, RobotError, refuse};
use crate::games::at_rest;
use crate::mailer::step_name;
use crate::persons;
use crate::printouts::{PrintoutExtras, fee_of};
use crate::seeds::{Secret, drawn, setup_digest};
use crate::silence::SILENT;
use crate::steps;
use crate::text::{name_fault, plain_name};
use crate::turns::Turns;

/// Credits that are entered at a time, at most.
const CREDIT_MAX: u64 = 1_000_000;
/// Days that a deadline may lie ahead, at most.
const DEADLINE_DAYS_MAX: i64 = 36_600;
/// Hours before a deadline at which a reminder may be sent, at most: a year.
const REMINDER_HOURS_MAX: u32 = 366 * 24;
/// Minutes of grace, and minutes without mail that move a deadline, at most: four weeks.
const TERM_MINUTES_MAX: u32 = 28 * 24 * 60;

/// A game as the game master makes it.
#[derive(Debug, Clone)]
pub struct NewGame {
    /// Its code: 1 to 8 letters and digits.
    pub code: String,
    /// Id of the engine that runs it.
    pub engine: String,
    /// Number of seats.
    pub seats: u8,
    /// When its turns are due.
    pub rule: Rule,
    /// Data files that replace the engine's own.
    pub data: BTreeMap<String, String>,
    /// Options of the engine by name.
    pub options: BTreeMap<String, String>,
    /// Credits that a printout costs; 0: nothing.
    pub fee: u32,
    /// Missed turns after which a computer plays on; 0: never.
    pub takeover: u32,
    /// The terms that its players and the game master agreed on.
    pub terms: Terms,
}

/// A seat as the game master gives it.
#[derive(Debug, Clone)]
pub struct NewSeat {
    /// Code of the game.
    pub game: String,
    /// Number of the seat.
    pub seat: Seat,
    /// Mail address of the player.
    pub address: String,
    /// The name of the seat in the game.
    pub name: String,
    /// `None`: the game's zone.
    pub zone: Option<String>,
    /// How others who meet this seat may reach its player.
    pub contact: Contact,
    /// Whether a card with the right secret may come from any address.
    pub any_address: bool,
}

impl Gm<'_> {
    /// Makes a game that takes seats.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] says what is wrong and what to write.
    pub fn new_game(&self, new: NewGame) -> Result<()> {
        let NewGame { code, engine, seats, rule, data, options, fee, takeover, terms } = new;
        let engine = self.games().engine(&engine)?;
        rule.check().or_else(|e| refuse(e.to_string()))?;
        check_terms(&terms, &rule)?;
        let setup = self.games().setup(engine, &code, seats, options, data)?;
        let code = code.to_uppercase();
        let (chains, seed) = drawn(self.cx, &code);
        let game = Game {
            chains,
            code,
            engine: engine.id().to_owned(),
            rules_version: engine.rules_version(),
            setup,
            status: Status::Open,
            suspended_why: String::new(),
            rule,
            turn: 0,
            step: Step::none(),
            deadline: None,
            seed,
            fee: fee.into(),
            takeover,
            terms,
            revision: 0,
        };
        self.tx.add_game(&game, self.cx.now())?;
        tracing::info!(game = game.code, engine = game.engine, seats, "game made");
        Ok(())
    }

    /// Gives a seat to a player and returns the password of that seat.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] says what is wrong and what to write.
    pub fn add_seat(&self, new: &NewSeat) -> Result<String> {
        let game = self.games().game(&new.game)?;
        let address = good_address(&new.address)?;
        if !(1..=game.setup.seats).contains(&new.seat.0) {
            return refuse(format!("game {} has seats 1 to {}", game.code, game.setup.seats));
        }
        let zone = new.zone.clone().unwrap_or(game.rule.zone);
        schedule::zone(&zone).or_else(|e| refuse(e.to_string()))?;
        let name = plain_name(&new.name);
        let seats = self.tx.games().seats(&game.code)?;
        name_fault(&name, Some(new.seat), &seats).map_or(Ok(()), refuse)?;
        if game.terms.one_seat
            && let Some(other) = persons::other_seat(&seats, Some(new.seat), &address)
        {
            return refuse(format!(
                "that address leads to the mailbox of seat {other}, and nobody may have two seats \
                 of game {0}; \"fieldpost game set {0} one_seat=false\" allows it",
                game.code
            ));
        }
        let password = secrets::password([self.cx.word(), self.cx.word()]);
        let row = SeatRow {
            name,
            language: self.tx.games().language_of(&address)?,
            address,
            password_digest: self.tx.key().password_digest(&game.code, new.seat, &password),
            contact: new.contact,
            any_address: new.any_address,
            ..SeatRow::empty(&game.code, new.seat, &zone)
        };
        match self.tx.add_seat(&row) {
            Err(StoreError::Taken) => refuse(format!("seat {} is taken", new.seat)),
            other => Ok(other?),
        }?;
        tracing::info!(game = game.code, seat = new.seat.0, "seat given");
        Ok(password)
    }

    /// Gives a seat to a player as [`Gm::add_seat`] does, and mails the open turn's printout if the
    /// game runs.
    ///
    /// # Errors
    /// As [`Gm::add_seat`].
    pub fn add_player(&self, new: &NewSeat) -> Result<String> {
        let password = self.add_seat(new)?;
        let game = self.games().game(&new.game)?;
        self.newcomer_printout(&game, new.seat, &format!("{}", self.cx.now()))?;
        Ok(password)
    }

    /// Gives a free seat to a computer player.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] when there is no such seat or it is taken.
    pub fn add_computer(&self, code: &str, seat: Seat) -> Result<()> {
        let game = self.games().game(code)?;
        if !(1..=game.setup.seats).contains(&seat.0) {
            return refuse(format!("game {} has seats 1 to {}", game.code, game.setup.seats));
        }
        if self.tx.games().seat(&game.code, seat)?.is_some_and(|s| !s.resigned) {
            return refuse(format!("seat {seat} is taken"));
        }
        let row = SeatRow { computer: true, ..SeatRow::empty(&game.code, seat, &game.rule.zone) };
        self.tx.add_seat(&row)?;
        tracing::info!(game = game.code, seat = seat.0, "seat given to a computer");
        Ok(())
    }

    /// Enters a payment for printouts. If the printout of the open turn waits for the payment, it
    /// is paid and sent. Returns the new credit.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] when the seat has no player.
    pub fn add_credit(&self, code: &str, seat: Seat, amount: i64, why: &str) -> Result<i64> {
        let game = self.games().game(code)?;
        let row = self.tx.games().seat(&game.code, seat)?.filter(SeatRow::has_player);
        let Some(row) = row else { return refuse(format!("seat {seat} has no player")) };
        if amount.unsigned_abs() > CREDIT_MAX {
            return refuse(format!("{amount} credits at a time; {CREDIT_MAX} are the most"));
        }
        let now = self.cx.now();
        let why: String = why.chars().filter(|c| !c.is_control()).take(80).collect();
        let mut entries = vec![Entry { amount, why, turn: None, at: now }];
        let mut mails = Vec::new();
        let balance = self.tx.credit(&game.code, seat)?.saturating_add(amount);
        let waits = game.fee > 0
            && game.status == Status::Running
            && game.turn > 1
            && balance >= game.fee
            && !self.tx.is_paid(&game.code, seat, game.turn)?;
        if waits {
            let open = self.games().open(&game)?;
            let notice = self.games().shielded(&game.code, || open.notice(seat))?;
            if notice == Notice::Full {
                let extras = self.printer().repeated(&game, false, now)?;
                let left = Some(balance - game.fee);
                mails = self.printer().printout(&game, open.as_ref(), &row, &extras, left, "")?;
            }
            // A seat that is out of the game gets no printout and pays nothing.
            if !mails.is_empty() {
                entries.push(fee_of(&game, now));
            }
        }
        self.tx.pay(&game.code, seat, &entries, &mails, now)?;
        Ok(self.tx.credit(&game.code, seat)?)
    }

    /// Moves the open turn's deadline and notifies all players.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] for a date that makes no sense.
    pub fn set_deadline(&self, code: &str, date: &str) -> Result<Timestamp> {
        let game = self.games().game(code)?;
        let at = schedule::date(date, &game.rule.zone).or_else(|e| refuse(e.to_string()))?;
        let now = self.cx.now();
        if at <= now {
            return refuse("the deadline must lie ahead; GM RUN or \"turn run\" runs it now");
        }
        if at.duration_since(now) > SignedDuration::from_hours(24 * DEADLINE_DAYS_MAX) {
            return refuse("the deadline is more than a hundred years ahead; is the year right?");
        }
        if game.turn == 0 || game.status == Status::Over {
            return refuse(format!("game {} has no open turn", game.code));
        }
        let why = || {
            let label = step_name(&game.step.label);
            say!("The game master moved the deadline of {label}.")
        };
        self.deadline_to(&game, at, &why, now)?;
        Ok(at)
    }

    /// Moves the open turn's deadline and notifies all players of the reason.
    pub(super) fn deadline_to(
        &self,
        game: &Game,
        at: Timestamp,
        why: &dyn Fn() -> String,
        now: Timestamp,
    ) -> Result<()> {
        let what = format!("moved by the game master to {at} at {now}");
        let words = || (say!("a new deadline"), why());
        let mails = self.mailer().tell_all(game, Some(at), &words, &what, now)?;
        self.tx.set_deadline(&game.code, at)?;
        self.tx.outbox().post(&mails, now)?;
        tracing::info!(game = game.code, turn = game.turn, "deadline moved");
        Ok(())
    }

    /// Lets a suspended game go on. A step without a deadline gets a new one.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] when it is not suspended.
    pub fn release(&self, code: &str) -> Result<()> {
        let game = self.games().game(code)?;
        if let Some(moved) = self.tx.moved_game(&game.code)? {
            return self.release_moved(&game, &moved);
        }
        if !self.tx.release(&game.code)? {
            return refuse(format!("game {} is not suspended", game.code));
        }
        if game.suspended_why == SILENT {
            // The count of turns that all players let pass starts again.
            self.tx.count_anew(&game.code, None)?;
        }
        if game.deadline.is_none() {
            let now = self.cx.now();
            self.tx.set_deadline(&game.code, steps::due_again(self.tx, &game, now)?)?;
        }
        let (game, now) = (self.games().game(code)?, self.cx.now());
        let words = || (say!("the game goes on"), say!("Game {code} goes on.", code = game.code));
        let id_key = format!("released {now}");
        let mails = self.mailer().tell_all(&game, None, &words, &id_key, now)?;
        self.tx.outbox().post(&mails, now)?;
        tracing::info!(game = game.code, "game released");
        Ok(())
    }

    /// Takes the last turn of a game back; see [`Gm::undo_to`].
    ///
    /// # Errors
    /// As [`Gm::undo_to`].
    pub fn undo(&self, code: &str) -> Result<Turn> {
        self.undo_to(code, None)
    }

    /// Takes back the last turn of a game, if nobody has answered it yet, or all turns from `to`
    /// on. Notifies all players, in one mail each, and suspends the game. Cards for turns after the
    /// one that is open again are withdrawn: the printouts that they answered are void.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] when there is nothing to take back, or somebody
    /// has sent a card since the last turn ran.
    pub fn undo_to(&self, code: &str, to: Option<Turn>) -> Result<Turn> {
        let game = self.games().game(code)?;
        let now = self.cx.now();
        let last = game.turn.saturating_sub(1);
        // A named turn is taken back with all its steps.
        let steps = self.tx.steps().of(&game.code)?;
        // The first step of the newest turn with the number: a campaign counts the turns of each
        // war from 1.
        let of_turn = |turn| {
            let ran = steps.iter().filter(|s| s.number <= last);
            let newest = ran.skip_while(|s| !s.turns.contains(turn));
            newest.take_while(|s| s.turns.contains(turn)).last().map(|s| s.number)
        };
        let named = to.map(|turn| (turn, of_turn(turn)));
        if last > 0
            && let Some((turn, None)) = named
        {
            return refuse(format!(
                "turn {turn} of game {} has not run; the last that has is {}, and the one that you \
                 name is open again then",
                game.code,
                self.tx.steps().step_label(&game.code, last)?
            ));
        }
        let to = named.and_then(|(_, step)| step).unwrap_or(last);
        let mut undone = self.tx.undo_turn(&game.code)?;
        while let Some(turn) = undone.filter(|turn| *turn > to) {
            self.tx.withdraw_orders(&game.code, turn)?;
            undone = self.tx.undo_turn(&game.code)?;
        }
        let Some(turn) = undone else {
            return refuse(format!(
                "no turn of game {0} can be taken back: none has run since the last was, or a \
                 player has sent a card since; \"fieldpost act list\" shows what was done, and \
                 \"fieldpost game release {0}\" lets a suspended game go on",
                game.code
            ));
        };
        self.games().close(&game.code);
        let suspended = self.games().game(code)?;
        let words = || {
            if turn < last {
                let text = say!(
                    "The game master took game {code} back to {label}, open again now: the \
                     printouts since are void. Your orders are on file as they \
                     were, and may be changed again; cards that you sent for later turns are \
                     withdrawn. The game is suspended; you will hear when it goes on.",
                    label = step_name(&suspended.step.label),
                    code = game.code
                );
                return (say!("turns were taken back"), text);
            }
            let text = say!(
                "The game master took back {label} of game {code}: its printout is void. Your \
                 orders are on file as they were, and may be changed again. The game is \
                 suspended; you will hear when it goes on.",
                label = step_name(&suspended.step.label),
                code = game.code
            );
            (say!("a turn was taken back"), text)
        };
        let id_key = format!("undo {}", suspended.revision);
        let mails = self.mailer().tell_all(&suspended, None, &words, &id_key, now)?;
        self.tx.outbox().post(&mails, now)?;
        tracing::warn!(game = game.code, turn, "turn taken back");
        Ok(turn)
    }

    /// Gives a seat to an address: a free one, one that its player left, or one whose player moves
    /// or is replaced. Returns the seat's new password.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] says what is wrong.
    pub fn give_seat(&self, code: &str, seat: Seat, address: &str) -> Result<String> {
        let game = self.games().game(code)?;
        let address = good_address(address)?;
        let now = self.cx.now();
        let old = self.tx.games().seat(&game.code, seat)?.filter(SeatRow::has_player);
        if let Some(old) = &old {
            let words = || {
                let text = say!(
                    "The game master gave your seat to another mail address. If that was not \
                     agreed, write to them."
                );
                (say!("your seat has a new address"), text)
            };
            let id_key = format!("moved {now}");
            let mail = self.mailer().notice(&game, old, &words, &id_key, now);
            self.tx.outbox().post(mail.as_slice(), now)?;
            self.tx.change_seat(&game.code, seat, &SeatChange::Resigned)?;
        }
        let password = self.add_seat(&NewSeat {
            game: game.code.clone(),
            seat,
            address,
            name: old.as_ref().map(|o| o.name.clone()).unwrap_or_default(),
            zone: old.as_ref().map(|o| o.zone.clone()),
            contact: Contact::Hide,
            any_address: false,
        })?;
        self.newcomer_printout(&game, seat, &format!("{now}"))?;
        Ok(password)
    }

    /// Mails the open turn's printout to the new player of a seat.
    pub(super) fn newcomer_printout(&self, game: &Game, seat: Seat, again: &str) -> Result<()> {
        if !matches!(game.status, Status::Running | Status::Suspended) || game.turn == 0 {
            return Ok(());
        }
        let Some(row) = self.tx.games().seat(&game.code, seat)? else { return Ok(()) };
        let now = self.cx.now();
        let open = self.games().open(game)?;
        let extras = self.printer().repeated(game, true, now)?;
        let mails = self.printer().printout(game, open.as_ref(), &row, &extras, None, again)?;
        Ok(self.tx.outbox().post(&mails, now)?)
    }

    /// Mails a text to all players of a game, or to one. Returns the ids of the mails.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] when there is no text or no such player.
    pub fn tell_players(
        &self,
        code: &str,
        seat: Option<Seat>,
        text: &str,
        id_key: &str,
    ) -> Result<Vec<String>> {
        let game = self.games().game(code)?;
        if text.trim().is_empty() {
            return refuse("there is no text to tell");
        }
        let seats = self.tx.games().seats(&game.code)?;
        let chosen: Vec<&SeatRow> =
            seats.iter().filter(|s| s.has_player() && seat.is_none_or(|n| n == s.seat)).collect();
        if chosen.is_empty() {
            return refuse(format!("game {} has no such player", game.code));
        }
        let now = self.cx.now();
        let safe = |l: &str| fill(l, SAFE, SAFE);
        let quoted: String = text.lines().map(safe).collect();
        let words = || {
            (
                say!("from the game master"),
                format!("{}\n\n{quoted}", say!("The game master writes:")),
            )
        };
        let id_key = format!("told {id_key}");
        let mails: Vec<QueuedMail> = chosen
            .iter()
            .filter_map(|row| self.mailer().notice(&game, row, &words, &id_key, now))
            .collect();
        self.tx.outbox().post(&mails, now)?;
        Ok(mails.into_iter().map(|m| m.mail.message_id).collect())
    }

    /// Changes a term of a game, or a part of its calendar: `every`, `at`, `zone`,
    /// `holidays`.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] names the term and the right form.
    pub fn set_term(&self, code: &str, name: &str, value: &str) -> Result<()> {
        let game = self.games().game(code)?;
        let (mut terms, mut rule) = (game.terms.clone(), game.rule.clone());
        match name {
            "every" => rule.every = value.to_owned(),
            "at" => rule.at = Some(value.to_owned()).filter(|v| !v.is_empty()),
            "zone" => rule.zone = value.to_owned(),
            "holidays" => {
                rule.holidays =
                    value.split([',', ' ']).filter(|d| !d.is_empty()).map(str::to_owned).collect();
            }
            _ => match MEANINGS.iter().any(|(term, _)| *term == name) {
                true => terms = terms.with(name, value).or_else(refuse)?,
                false => return refuse(no_such_term(name)),
            },
        }
        rule.check().or_else(|e| refuse(e.to_string()))?;
        check_terms(&terms, &rule)?;
        self.tx.set_terms(&game.code, &terms, &rule)?;
        tracing::info!(game = game.code, term = name, "term set");
        Ok(())
    }

    /// Terms and calendar of a game, a line each.
    ///
    /// # Errors
    /// [`RobotError::Refused`] when there is no such game.
    pub fn terms_text(&self, code: &str) -> Result<String> {
        Ok(super::terms::terms_text(&self.games().game(code)?))
    }

    /// Starts a game: makes its world and mails the first printouts.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] when it runs already, or has free seats without
    /// `with_free`.
    pub fn start(&self, code: &str, deadline: Option<&str>, with_free: bool) -> Result<()> {
        let game = self.games().game(code)?;
        if game.status != Status::Open {
            return refuse(format!(
                "game {0} has started already; \"fieldpost game show {0}\" says where it stands",
                game.code
            ));
        }
        let seats = self.tx.games().seats(&game.code)?;
        let free: Vec<String> = (1..=game.setup.seats)
            .filter(|n| seats.iter().all(|s| s.seat.0 != *n))
            .map(|n| n.to_string())
            .collect();
        if !free.is_empty() && !with_free {
            return refuse(format!(
                "seats {} of game {} are free; give them with \"fieldpost seat add\", or start \
                 with --computers, which play them until a player comes, or with \
                 --with-free-seats",
                free.join(", "),
                game.code
            ));
        }
        let now = self.cx.now();
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

    fn open_world(&self, game: &Game, deadline: Timestamp, now: Timestamp) -> Result<()> {
        let engine = self.games().engine(&game.engine)?;
        let setup = self.tx.games().setup(&game.code)?.unwrap_or_default();
        let made = setup_digest(&game.engine, game.rules_version, &setup);
        let dice_seed = Secret::of(game)?.dice(&made);
        let mut dice = engine.dice(game.rules_version, dice_seed);
        let made = self.games().shielded(&game.code, || engine.new_game(&setup, &mut dice))?;
        let saved = made.or_else(|faults| refuse(faults.join("\n")))?;
        let failed = |e: LoadError| RobotError::Engine(game.code.clone(), e.to_string());
        let open = engine.open(&saved).map_err(failed)?;
        let wait = self.games().shielded(&game.code, || open.wait())?;
        let step = steps::opened(self.tx, game, 1, wait, Some(deadline), now)?;
        let status = Status::Running;
        let seed = if game.chains.is_empty() { self.cx.word() } else { 0 };
        let opened = Game {
            turn: 1,
            seed,
            status,
            deadline: step.due_at,
            step: step.clone(),
            ..game.clone()
        };
        let reports = self.printer().reports(&opened, open.as_ref())?;
        let record = TurnRecord {
            told: Told {
                program: env!("CARGO_PKG_VERSION").to_owned(),
                reports: reports.iter().map(|(s, d)| (*s, d.clone())).collect(),
            },
            turn: 0,
            rules_version: game.rules_version,
            seed: dice_seed,
            cards: BySeat::new(),
            seats: BySeat::<Sits>::new(),
            notes: BySeat::new(),
            seals: Vec::new(),
            hash: turn_hash(&saved, dice.log()),
            saved,
        };
        let next = NextTurn {
            step,
            seed,
            chains: game.chains.clone(),
            status,
            carried: BySeat::new(),
            in_advance: BySeat::new(),
            sealed: Vec::new(),
            fees: Vec::new(),
            on_file: BySeat::new(),
            missed: Vec::new(),
            present: Vec::new(),
        };
        let extras = PrintoutExtras { reports, ..PrintoutExtras::at(now) };
        let (mails, _) = self.printer().printouts(&opened, open.as_ref(), &extras)?;
        self.tx.run_turn(&game.code, &record, dice.log(), &next, &mails, now)?;
        tracing::info!(game = game.code, seats = game.setup.seats, "game started");
        Ok(())
    }

    /// Gives the seats that nobody took to computers, and starts the game.
    ///
    /// # Errors
    /// [`RobotError::Refused`] when it runs already.
    pub fn start_with_computers(&self, code: &str) -> Result<()> {
        self.fill_with_computers(code)?;
        self.start(code, None, true)
    }

    /// Gives the seats that nobody took to computers.
    ///
    /// # Errors
    /// [`RobotError::Refused`] when there is no such game.
    pub fn fill_with_computers(&self, code: &str) -> Result<()> {
        let game = self.games().game(code)?;
        for seat in crate::calendar::free_seats(&game, &self.tx.games().seats(&game.code)?) {
            self.add_computer(&game.code, seat)?;
        }
        Ok(())
    }

    /// Runs a game's open step now. The next deadline is `wanted`, or else the calendar's own.
    /// Steps that follow at once run the next time the calendar is checked.
    ///
    /// # Errors
    /// [`RobotError::Engine`] when the engine fails: the caller should suspend the game.
    pub fn run_turn(&self, code: &str, wanted: Option<Timestamp>) -> Result<()> {
        let game = self.games().game(code)?;
        if game.status != Status::Running {
            return refuse(at_rest(&game));
        }
        let ran = Turns::new(self.cx, self.tx).decide(&game, wanted)?;
        let now = self.cx.now();
        let kept =
            self.tx.run_turn(&game.code, &ran.record, &ran.rolls, &ran.next, &ran.mails, now)?;
        match kept {
            true => {
                crate::turns::log(&game, &ran);
                Ok(())
            }
            // Within a unit of work nothing else changes the game.
            false => refuse(format!("game {code} changed while its turn ran; try again")),
        }
    }
}

/// An address that mail can be sent to.
fn good_address(address: &str) -> Result<String> {
    let Some(address) = mail::mime::canonical(address) else {
        return refuse(format!("{address:?} is no mail address"));
    };
    match address.parse::<lettre::Address>() {
        Ok(_) => Ok(address),
        Err(_) => refuse(format!("{address:?} is an address that no mail can be sent to")),
    }
}

fn check_terms(terms: &Terms, rule: &Rule) -> Result<()> {
    schedule::check_quiet(&terms.quiet).or_else(|e| refuse(format!("quiet: {e}")))?;
    let within = |name: &str, value: u32, most: u32| match value > most {
        true => refuse(format!("{name}: {value} is too much; {most} is the most")),
        false => Ok(()),
    };
    within("grace_minutes", terms.grace_minutes, TERM_MINUTES_MAX)?;
    within("outage_minutes", terms.outage_minutes, TERM_MINUTES_MAX)?;
    let longest = terms.reminders_hours.iter().max().copied().unwrap_or_default();
    within("reminders_hours", longest, REMINDER_HOURS_MAX)?;
    if !terms.start_on.is_empty() {
        schedule::date(&terms.start_on, &rule.zone)
            .or_else(|e| refuse(format!("start_on: {e}")))?;
    }
    Ok(())
}
