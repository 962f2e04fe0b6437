//! What the game master does, by command line, mail or dashboard alike: each act is one
//! commit with its row in the record of acts, by which it can be undone.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Result, Robot, RobotError, refuse};
use base::schedule;
use engine::{Seat, Turn};
use store::{ActRow, Game, NewAct, SeatChange, SeatRow, Status, Verdict};

/// Characters of a text that the record shows.
const QUOTED_CHARS: usize = 60;

/// Acts that a list shows.
const ACTS_SHOWN: u32 = 40;

/// Where an act came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Shell,
    Mail,
    Dashboard,
}

impl By {
    /// Word in the record.
    pub fn word(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Mail => "mail",
            Self::Dashboard => "dashboard",
        }
    }
}

/// One thing that the game master does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Stops a game.
    Hold { game: String, why: String },
    /// Lets a held game go on.
    Release { game: String },
    /// Moves the open turn's deadline to a date in the game's zone.
    Deadline { game: String, at: String },
    /// Runs the open turn now.
    Run { game: String },
    /// Takes the last turn back.
    Withdraw { game: String },
    /// Gives a seat to an address.
    Seat { game: String, seat: Seat, address: String },
    /// Mails a text to a player, or to all.
    Tell { game: String, seat: Option<Seat>, text: String },
    /// Changes a term of a game.
    Set { game: String, name: String, value: String },
    /// Enters a payment.
    Credit { game: String, seat: Seat, amount: i64, why: String },
    /// Lets a mail count that was set aside.
    ReleaseMail { mail: i64 },
    /// Lays a mail to rest that was set aside.
    DropMail { mail: i64 },
    /// Sends mails again that could not be sent: one, or all.
    Resend { mail: Option<i64> },
    /// Undoes an earlier act, by its number in the record.
    Undo { act: i64 },
}

/// What an act leaves behind: for the record, for its undoing, for whoever did it.
struct Done {
    game: Option<String>,
    kind: &'static str,
    /// For the record: no addresses.
    what: String,
    back: Option<Back>,
    said: String,
}

/// What undoes an act.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Back {
    /// The game goes on, as long as it waits for the same reason in the same turn.
    Go {
        why: String,
        turn: Turn,
    },
    Hold {
        why: String,
        turn: Turn,
        had_deadline: bool,
    },
    /// From what it was set to, back to what it was.
    Deadline {
        turn: Turn,
        set: Timestamp,
        at: Timestamp,
    },
    Withdraw {
        turn: Turn,
    },
    /// A turn that was taken back runs again, with the same cards and seed.
    RunAgain {
        turn: Turn,
        deadline: Option<Timestamp>,
    },
    /// The seat before; `None`: nobody had it.
    Seat {
        seat: Seat,
        before: Option<Box<SeatRow>>,
        now: String,
    },
    Told {
        ids: Vec<String>,
    },
    Set {
        name: String,
        value: String,
    },
    Credit {
        seat: Seat,
        amount: i64,
    },
    Dropped {
        mail: i64,
        held: bool,
        reason: String,
    },
}

impl Robot {
    /// Does one thing for the game master and says what was done, in a sentence or a few.
    ///
    /// # Errors
    /// [`RobotError::Refused`] says what is wrong; nothing is changed then.
    pub fn master(&mut self, by: By, act: &Act) -> Result<String> {
        // A command by mail is a part of the commit of its verdict.
        let own = !self.store.in_commit();
        if own {
            self.store.begin()?;
        }
        let done = catch_unwind(AssertUnwindSafe(|| self.recorded(by, act)));
        let done = match done {
            Ok(done) => done,
            Err(panic) if own => {
                // Else the write lock would be held for ever.
                self.store.abandon();
                drop(panic);
                return refuse("the program failed inside; nothing was done, see the log");
            }
            Err(panic) => resume_unwind(panic),
        };
        match (done, own) {
            (Ok(said), true) => {
                self.store.commit()?;
                Ok(said)
            }
            (Err(e), true) => {
                self.store.abandon();
                if let RobotError::Engine(game, why) = &e {
                    // The hold of a failed engine went with the rest.
                    self.hold(game, why)?;
                }
                Err(e)
            }
            (done, false) => done,
        }
    }

    /// The newest acts of a game, or of all, a line each.
    ///
    /// # Errors
    /// [`RobotError::Refused`] when there is no such game.
    pub fn acts_text(&self, game: Option<&str>) -> Result<String> {
        let code = game.map(|g| self.game(g)).transpose()?.map(|g| g.code);
        Ok(listed(&self.store.acts(code.as_deref(), ACTS_SHOWN)?))
    }

    fn recorded(&mut self, by: By, act: &Act) -> Result<String> {
        let done = self.perform(act)?;
        let back = done.back.as_ref().map_or_else(String::new, |b| {
            // Plain data has no way to fail.
            serde_json::to_string(b).expect("plain data is JSON")
        });
        let id = self.store.record_act(&NewAct {
            at: self.clock.now(),
            by: by.word(),
            game: done.game.as_deref(),
            kind: done.kind,
            what: &done.what,
            back: &back,
        })?;
        if let Act::Undo { act } = act {
            self.store.mark_undone(*act, id)?;
        }
        let (kind, by) = (done.kind, by.word());
        tracing::info!(act = id, kind, by, game = done.game.as_deref(), "game master");
        Ok(done.said)
    }

    fn perform(&mut self, act: &Act) -> Result<Done> {
        match act {
            Act::Hold { game, why } => self.holding(game, why),
            Act::Release { game } => self.releasing(game),
            Act::Deadline { game, at } => self.moving_deadline(game, at),
            Act::Run { game } => self.running(game),
            Act::Withdraw { game } => self.withdrawing(game),
            Act::Seat { game, seat, address } => self.giving(game, *seat, address),
            Act::Tell { game, seat, text } => self.telling(game, *seat, text),
            Act::Set { game, name, value } => self.term(game, name, value),
            Act::Credit { game, seat, amount, why } => self.crediting(game, *seat, *amount, why),
            Act::ReleaseMail { mail } => {
                let said = self.release_mail(*mail)?;
                Ok(of_host("mail-release", format!("mail {mail} was judged anew"), None, said))
            }
            Act::DropMail { mail } => self.dropping(*mail),
            Act::Resend { mail } => {
                let now = self.clock.now();
                let said = match self.store.send_again(*mail, now)? {
                    0 => return refuse("there is nothing to send again; \"mail unsent\" lists it"),
                    1 => "One mail is in the outbox again.".to_owned(),
                    n => format!("{n} mails are in the outbox again."),
                };
                let what = mail.map_or("all unsent mails were sent again".to_owned(), |id| {
                    format!("mail {id} was sent again")
                });
                Ok(of_host("resend", what, None, said))
            }
            Act::Undo { act } => self.undoing(*act),
        }
    }

    fn holding(&mut self, game: &str, why: &str) -> Result<Done> {
        let game = self.game(game)?;
        let why: String = plain(why).chars().take(200).collect();
        let why = if why.is_empty() { "the game master holds it".to_owned() } else { why };
        if !self.store.hold(&game.code, &why)? {
            let status = game.status.word();
            return refuse(format!(
                "game {} is {status}; it does not run, so it can't be held",
                game.code
            ));
        }
        let said = format!("Game {} is held: no turn runs.", game.code);
        let back = Back::Go { why: why.clone(), turn: game.turn };
        Ok(of_game(&game, "hold", format!("held: {}", quoted(&why)), Some(back), said))
    }

    fn releasing(&mut self, game: &str) -> Result<Done> {
        let game = self.game(game)?;
        self.release(&game.code)?;
        let (why, turn) = (game.held_why.clone(), game.turn);
        let back = Back::Hold { why, turn, had_deadline: game.deadline.is_some() };
        let said = format!("Game {} goes on.", game.code);
        Ok(of_game(&game, "release", "let go on".to_owned(), Some(back), said))
    }

    fn moving_deadline(&mut self, game: &str, at: &str) -> Result<Done> {
        let game = self.game(game)?;
        let at = self.set_deadline(&game.code, at)?;
        let local = schedule::local(at, &game.rule.zone);
        let turn = game.turn;
        let back = game.deadline.map(|was| Back::Deadline { turn, set: at, at: was });
        let what = format!("deadline of turn {} moved to {local}", game.turn);
        let said = format!("The deadline is {local}; all players are told.");
        Ok(of_game(&game, "deadline", what, back, said))
    }

    fn running(&mut self, game: &str) -> Result<Done> {
        let game = self.game(game)?;
        self.run_turn(&game.code)?;
        let now = self.game(&game.code)?;
        if now.status == Status::Held {
            // What held it is kept: this is no act of the game master.
            return Err(RobotError::Engine(game.code, now.held_why));
        }
        let back = (now.turn == game.turn + 1).then_some(Back::Withdraw { turn: game.turn });
        let said = format!(
            "Turn {} of game {} has run; its printouts are on their way.",
            game.turn, game.code
        );
        Ok(of_game(&game, "run", format!("turn {} run by hand", game.turn), back, said))
    }

    fn withdrawing(&mut self, game: &str) -> Result<Done> {
        let game = self.game(game)?;
        let turn = self.undo(&game.code)?;
        let back = Back::RunAgain { turn, deadline: game.deadline };
        let said = format!(
            "Turn {turn} of game {} is taken back and the game is held; all players are told. \
             Let it go on for a new deadline, or undo this to run the turn again as it was.",
            game.code
        );
        Ok(of_game(&game, "withdraw", format!("turn {turn} taken back"), Some(back), said))
    }

    fn giving(&mut self, game: &str, seat: Seat, address: &str) -> Result<Done> {
        let game = self.game(game)?;
        let before = self.store.seat(&game.code, seat)?.map(Box::new);
        let password = self.give_seat(&game.code, seat, address)?;
        let now = self.store.seat(&game.code, seat)?.map(|s| s.address).unwrap_or_default();
        let said = format!(
            "Seat {seat} of game {} has the address {now}. Its password, shown only now: {password}",
            game.code
        );
        let back = Some(Back::Seat { seat, before, now });
        Ok(of_game(&game, "seat", format!("seat {seat} given to another address"), back, said))
    }

    fn telling(&mut self, game: &str, seat: Option<Seat>, text: &str) -> Result<Done> {
        let game = self.game(game)?;
        // The same words may be told twice, but not at the same instant.
        let cause = format!("{} {text}", self.clock.now());
        let ids = self.tell_players(&game.code, seat, text, &cause)?;
        let whom = seat.map_or("all players".to_owned(), |s| format!("seat {s}"));
        let first = quoted(text.lines().next().unwrap_or_default());
        let (n, code) = (ids.len(), &game.code);
        let said = match n {
            1 => format!("1 player of game {code} is told."),
            _ => format!("{n} players of game {code} are told."),
        };
        let what = format!("{whom} told: {first:?}");
        Ok(of_game(&game, "tell", what, Some(Back::Told { ids }), said))
    }

    fn term(&mut self, game: &str, name: &str, value: &str) -> Result<Done> {
        let game = self.game(game)?;
        let terms = self.terms_text(&game.code)?;
        let before = terms.lines().find_map(|l| {
            let (n, v) = l.trim_start_matches("| ").split_once('=')?;
            (n == name).then(|| v.to_owned())
        });
        self.set_term(&game.code, name, value)?;
        let back = before.clone().map(|value| Back::Set { name: name.to_owned(), value });
        let what = format!("{name}={value}, before {}", before.unwrap_or_default());
        let said =
            format!("Set. The terms of game {}:\n\n{}", game.code, self.terms_text(&game.code)?);
        Ok(of_game(&game, "set", what, back, said))
    }

    fn crediting(&mut self, game: &str, seat: Seat, amount: i64, why: &str) -> Result<Done> {
        let game = self.game(game)?;
        let left = self.add_credit(&game.code, seat, amount, why)?;
        let said = format!("Seat {seat} of game {} has {left} credits.", game.code);
        let back = Some(Back::Credit { seat, amount });
        Ok(of_game(&game, "credit", format!("seat {seat}: {amount:+} credits"), back, said))
    }

    fn dropping(&mut self, mail: i64) -> Result<Done> {
        let row = self.store.mail(mail)?;
        let said = self.drop_mail(mail)?;
        let back = row.and_then(|row| {
            let held = row.verdict? == Verdict::Held;
            Some(Back::Dropped { mail, held, reason: row.reason })
        });
        Ok(of_host("mail-drop", format!("mail {mail} was laid to rest"), back, said))
    }

    fn undoing(&mut self, id: i64) -> Result<Done> {
        let Some(row) = self.store.act(id)? else {
            return refuse("there is no such act; \"fieldpost act list\" or GM ACTS shows them");
        };
        if let Some(by) = row.undone_by {
            return refuse(format!("act {id} was undone already, by act {by}"));
        }
        if row.back.is_empty() {
            return refuse(format!("act {id} ({}) can't be undone: {}", row.kind, row.what));
        }
        let later = self.store.acts(row.game.as_deref(), 1000)?.into_iter().find(|later| {
            later.id > id
                && later.kind == row.kind
                && later.can_be_undone()
                && overlaps(&row, later)
        });
        if let Some(later) = later {
            return refuse(format!(
                "act {} ({}) came after it; undo that first",
                later.id, later.what
            ));
        }
        let back: Back = serde_json::from_str(&row.back)
            .map_err(|e| store::StoreError::Corrupt(e.to_string()))?;
        // Of a turn that ran or was taken back the undoing can be undone as well.
        let (said, back) = match (&row.game, back) {
            (Some(code), back) => {
                let game = self.game(code)?;
                match back {
                    Back::Withdraw { turn } if turn + 1 == game.turn => {
                        let done = self.withdrawing(code)?;
                        (done.said, done.back)
                    }
                    Back::RunAgain { turn, deadline } if turn == game.turn => {
                        (self.run_again(&game, deadline)?, Some(Back::Withdraw { turn }))
                    }
                    back => (self.take_back(&game, back, &row)?, None),
                }
            }
            (None, back) => (self.take_back_of_host(back)?, None),
        };
        let what = format!("act {id} undone: {}", row.what);
        Ok(Done { game: row.game, kind: "undo", what, back, said })
    }

    fn take_back(&mut self, game: &Game, back: Back, act: &ActRow) -> Result<String> {
        let (code, id) = (game.code.clone(), act.id);
        match back {
            Back::Go { why, turn } => {
                let same = game.held_why == why && game.turn == turn && game.deadline.is_some();
                if !same || !self.store.release(&code)? {
                    return refuse(format!(
                        "game {code} does not wait for that any more; see \"game show {code}\""
                    ));
                }
                Ok(format!("Game {code} goes on as if it had not been held."))
            }
            Back::Hold { why, turn, had_deadline } => {
                if game.turn != turn || !self.store.hold(&code, &why)? {
                    return refuse(format!("game {code} has gone on since; hold it anew"));
                }
                if !had_deadline {
                    self.store.set_deadline(&code, None)?;
                }
                self.tell_of_undo(
                    game,
                    "The game master holds the game again; you hear when it goes on.",
                    id,
                )?;
                Ok(format!("Game {code} is held again; all players are told."))
            }
            Back::Deadline { turn, set, at } if game.deadline == Some(set) || game.turn != turn => {
                self.deadline_back(game, turn, at)
            }
            Back::Deadline { .. } => refuse("the deadline was moved again since"),
            Back::Withdraw { turn } | Back::RunAgain { turn, .. } => refuse(format!(
                "turn {turn} of game {code} is not the last any more; the open turn is {}",
                game.turn
            )),
            Back::Seat { seat, before, now } => self.seat_back(game, seat, before, &now, act),
            Back::Told { ids } => match self.store.withdraw(&ids)? {
                0 => refuse("the mails are on their way already; tell the players otherwise"),
                n if n == ids.len() => Ok("The mails had not left yet; they are withdrawn.".into()),
                n => {
                    Ok(format!("{n} of {} mails had not left yet; those are withdrawn.", ids.len()))
                }
            },
            Back::Set { name, value } => {
                self.set_term(&code, &name, &value)?;
                Ok(format!("{name}={value} again in game {code}."))
            }
            Back::Credit { seat, amount } => {
                let why = format!("act {id} undone");
                let left = self.add_credit(&code, seat, -amount, &why)?;
                Ok(format!("Seat {seat} of game {code} has {left} credits."))
            }
            Back::Dropped { .. } => self.take_back_of_host(back),
        }
    }

    fn take_back_of_host(&mut self, back: Back) -> Result<String> {
        let Back::Dropped { mail, held, reason } = back else {
            return refuse("this act belongs to no game any more");
        };
        let verdict = if held { Verdict::Held } else { Verdict::Quarantined };
        match self.store.lay_aside_again(mail, verdict, &reason)? {
            true => Ok(format!("Mail {mail} is set aside again.")),
            false => refuse(format!("mail {mail} was judged otherwise meanwhile")),
        }
    }

    fn deadline_back(&mut self, game: &Game, turn: Turn, at: Timestamp) -> Result<String> {
        if game.turn != turn {
            return refuse(format!("turn {turn} of game {} has run meanwhile", game.code));
        }
        let now = self.clock.now();
        let local = schedule::local(at, &game.rule.zone);
        if at <= now {
            return refuse(format!("the deadline before, {local}, has passed; set another"));
        }
        self.deadline_to(game, at, "The game master moved the deadline back.", now)?;
        Ok(format!("The deadline is {local} again; all players are told."))
    }

    /// Runs a turn again that was taken back. The next deadline stays what it was, as long
    /// as it lies ahead.
    fn run_again(&mut self, game: &Game, deadline: Option<Timestamp>) -> Result<String> {
        if game.status == Status::Held && !self.store.release(&game.code)? {
            return refuse(format!("game {} is not held any more", game.code));
        }
        let now = self.clock.now();
        self.run_turn_until(&game.code, deadline.filter(|at| *at > now))?;
        if self.game(&game.code)?.turn == game.turn {
            let why = self.game(&game.code)?.held_why;
            return Err(RobotError::Engine(game.code.clone(), why));
        }
        Ok(format!(
            "Turn {} of game {} ran again, with the cards on file and the same dice; the new \
             printouts say that they replace the old ones.",
            game.turn, game.code
        ))
    }

    fn seat_back(
        &mut self,
        game: &Game,
        seat: Seat,
        before: Option<Box<SeatRow>>,
        now: &str,
        act: &ActRow,
    ) -> Result<String> {
        let row = self.store.seat(&game.code, seat)?;
        let Some(row) = row.filter(|r| r.has_player() && r.address == now) else {
            return refuse(format!("seat {seat} of game {} has changed hands since", game.code));
        };
        let at = self.clock.now();
        let cause = format!("undo {}", act.id);
        let text = "The game master took back that he gave you this seat. If that was not agreed, \
                    write to him.";
        let mail = self.notice(game, &row, "the seat is not yours any more", text, &cause, at);
        self.store.post(mail.as_slice(), at)?;
        // What came from the other player meanwhile is not the seat's.
        self.store.forget_orders((&game.code, seat, game.turn), act.at)?;
        match before {
            None if self.store.ledger(&game.code, seat)?.is_empty() => {
                self.store.empty_seat(&game.code, seat)?;
            }
            // Its payments stay with it.
            None => self.store.change_seat(&game.code, seat, &SeatChange::Resigned)?,
            Some(before) => {
                self.store.restore_seat(&before)?;
                if before.has_player() {
                    self.newcomer_printout(game, seat, &cause)?;
                }
            }
        }
        Ok(format!(
            "Seat {seat} of game {} is as it was before; who had it is told. Orders that came \
             meanwhile are withdrawn.",
            game.code
        ))
    }

    fn tell_of_undo(&mut self, game: &Game, text: &str, id: i64) -> Result<()> {
        let now = self.clock.now();
        let cause = format!("undo {id}");
        let mails = self.tell_all(game, None, "the game waits", text, &cause, now)?;
        Ok(self.store.post(&mails, now)?)
    }
}

/// A text on one line.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}

/// The beginning of a text as the record shows it, where no address stays.
fn quoted(text: &str) -> String {
    let hidden =
        |word: &str| if word.contains('@') { "(address)".to_owned() } else { word.to_owned() };
    let words: Vec<String> = plain(text).split(' ').map(hidden).collect();
    words.join(" ").chars().take(QUOTED_CHARS).collect()
}

/// Whether the later of two acts of a kind changed what the earlier one did.
fn overlaps(earlier: &ActRow, later: &ActRow) -> bool {
    let back = |row: &ActRow| serde_json::from_str::<Back>(&row.back).ok();
    match (back(earlier), back(later)) {
        (Some(Back::Seat { seat, .. }), Some(Back::Seat { seat: other, .. })) => seat == other,
        (Some(Back::Set { name, .. }), Some(Back::Set { name: other, .. })) => name == other,
        (Some(Back::Deadline { .. }), Some(Back::Deadline { .. })) => true,
        _ => false,
    }
}

/// Acts in lines, newest first.
fn listed(acts: &[ActRow]) -> String {
    if acts.is_empty() {
        return "Nothing was done yet.\n".to_owned();
    }
    let line = |row: &ActRow| {
        let state = match row.undone_by {
            Some(by) => format!(" (undone by act {by})"),
            None if row.back.is_empty() => " (for good)".to_owned(),
            None => String::new(),
        };
        let at = schedule::local(row.at, "UTC");
        let game = row.game.as_deref().unwrap_or("-");
        format!("| {:>5}  {at}  {:<9}  {game:<8}  {}{state}\n", row.id, row.by, row.what)
    };
    acts.iter().map(line).collect()
}

fn of_game(
    game: &Game,
    kind: &'static str,
    what: String,
    back: Option<Back>,
    said: String,
) -> Done {
    Done { game: Some(game.code.clone()), kind, what, back, said }
}

fn of_host(kind: &'static str, what: String, back: Option<Back>, said: String) -> Done {
    Done { game: None, kind, what, back, said }
}
