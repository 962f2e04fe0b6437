//! The game master by mail: the same things as on the command line, from anywhere.

use jiff::SignedDuration;

use super::super::acts::{Act, By};
use super::super::letters::weeks;
use super::super::{Result, Robot, RobotError};
use super::commands::command_list;
use super::{Case, Claim, Proof};
use crate::card::{Command, GM_COMMANDS};
use base::schedule;
use base::secrets::same;
use engine::Seat;
use mail::auth::Authenticity;
use mail::mime::{self, same_address};
use store::{Judged, Status, Verdict};

/// Weeks for which the secret of the game master's mails is good.
const GOOD_WEEKS: i64 = 5;
/// Mails that a list shows.
const SHOWN: u32 = 20;

impl Robot {
    /// Commands of the game master. Without the secret he is sent one: the answer to
    /// any mail of the robot to him carries it.
    pub(super) fn by_game_master(&mut self, case: &Case, secret: Option<&str>) -> Result<Judged> {
        let this = weeks(case.now);
        let right = secret.is_some_and(|s| {
            let s = s.to_lowercase();
            (this - GOOD_WEEKS..=this).any(|w| same(&self.store.key().game_master(w), &s))
        });
        if !same_address(&case.from, &self.gm) || case.authentic == Authenticity::Fail {
            return self.refused(case, "not-game-master");
        }
        if !right {
            let text = "A command came in your name without the secret of your mails. If it was \
                        yours, send it again as an answer to this mail; if not, somebody tries.";
            let cause = case.stored.id.to_string();
            let mail = self.gm_mail("prove yourself", text, &["prove", &cause], case.now);
            let mut judged =
                self.judged(case, Verdict::Held, "gm-unproven", "asked for the secret");
            self.reply(case, &mut judged, mail.into_iter().collect())?;
            return Ok(judged);
        }
        let said = match case.request.commands.first() {
            Some(Command::Gm(said)) => said.clone(),
            Some(Command::Help(_)) => "HELP".to_owned(),
            Some(Command::Status) => "STATUS".to_owned(),
            _ => String::new(),
        };
        let day = case.now - SignedDuration::from_hours(24);
        if said.is_empty() && self.store.mails_with(&case.from, "no-gm-command", day)? > 0 {
            let why = "no command of the game master; told so within the day";
            return Ok(self.judged(case, Verdict::Ignored, "no-gm-command", why));
        }
        let reason = if said.is_empty() { "no-gm-command" } else { "game-master" };
        // What a refused command has done up to there is taken back.
        self.store.mark()?;
        let (verdict, text) = match self.game_master(&said) {
            Ok(text) => (Verdict::Accepted, text),
            Err(RobotError::Store(e)) => return Err(e.into()),
            Err(e) => {
                self.store.back_to_mark()?;
                if let RobotError::Engine(game, why) = &e {
                    self.hold(game, why)?;
                }
                let why = e.to_string();
                let end = if why.ends_with(['.', '?']) { "" } else { "." };
                (Verdict::Rejected, format!("Nothing was done: {why}{end}"))
            }
        };
        let word = said.split_whitespace().next().unwrap_or("?").to_uppercase();
        let why = format!("GM {}", word.chars().take(20).collect::<String>());
        let mut judged = self.judged(case, verdict, reason, &why);
        let cause = case.stored.id.to_string();
        let mail = self.gm_mail(&why.to_lowercase(), &text, &["answer", &cause], case.now);
        judged.mails.extend(mail);
        tracing::info!(mail = case.stored.id, command = word, "game master by mail");
        Ok(judged)
    }

    fn game_master(&mut self, said: &str) -> Result<String> {
        let line = said.lines().next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        let wrong = |form: &str| Err(RobotError::Refused(format!("the form is {form}")));
        let form = |word: &str| GM_COMMANDS.iter().find(|c| c.0 == word).map_or("GM HELP", |c| c.1);
        let word = words.first().map(|w| w.to_uppercase()).unwrap_or_default();
        let rest = words.get(1..).unwrap_or_default();
        let tail = |n: usize| rest.get(n..).unwrap_or_default().join(" ");
        let name = |text: &str| text.to_owned();
        let mut act = |act: Act| self.master(By::Mail, &act);
        match (word.as_str(), rest) {
            ("" | "HELP", _) => Ok(format!(
                "Commands of the game master, as the first line of an answer to this mail:\n\n{}",
                command_list(GM_COMMANDS)
            )),
            ("STATUS", []) => self.host_status(),
            ("STATUS", [game, ..]) => self.game_status(game),
            ("DEADLINE", [game, _, ..]) => act(Act::Deadline { game: name(game), at: tail(1) }),
            ("HOLD", [game, ..]) => act(Act::Hold { game: name(game), why: tail(1) }),
            ("RELEASE", [game]) => {
                let said = self.master(By::Mail, &Act::Release { game: name(game) })?;
                Ok(format!("{said} {}", self.game_status(game)?))
            }
            ("RUN", [game]) => act(Act::Run { game: name(game) }),
            ("UNDO", [what, id]) if what.eq_ignore_ascii_case("act") => {
                act(Act::Undo { act: id.parse().unwrap_or(-1) })
            }
            ("UNDO", [game]) => act(Act::Withdraw { game: name(game) }),
            ("ACTS", []) => self.acts_text(None),
            ("ACTS", [game]) => self.acts_text(Some(game)),
            ("SEAT", [game, seat, address]) => {
                act(Act::Seat { game: name(game), seat: number(seat)?, address: name(address) })
            }
            ("TELL", [game, whom, ..]) => {
                let more: Vec<&str> = said.lines().skip(1).collect();
                let text = format!("{}\n{}", tail(2), more.join("\n")).trim().to_owned();
                let seat = match whom.eq_ignore_ascii_case("all") {
                    true => None,
                    false => Some(number(whom)?),
                };
                act(Act::Tell { game: name(game), seat, text })
            }
            ("CREDIT", [game, seat, amount, ..]) => {
                let Ok(amount) = amount.parse() else { return wrong(form("CREDIT")) };
                let why = match tail(3) {
                    why if why.is_empty() => "payment".to_owned(),
                    why => why,
                };
                act(Act::Credit { game: name(game), seat: number(seat)?, amount, why })
            }
            ("SET", [game, _, ..]) => {
                let set = tail(1);
                let Some((term, value)) = set.split_once('=') else { return wrong(form("SET")) };
                let (term, value) = (name(term.trim()), name(value.trim()));
                act(Act::Set { game: name(game), name: term, value })
            }
            ("QUARANTINE", [what, id]) if what.eq_ignore_ascii_case("release") => {
                act(Act::ReleaseMail { mail: id.parse().unwrap_or(-1) })
            }
            ("QUARANTINE", [what, id]) if what.eq_ignore_ascii_case("drop") => {
                act(Act::DropMail { mail: id.parse().unwrap_or(-1) })
            }
            ("QUARANTINE", _) => self.quarantine_text(),
            (known, _) if GM_COMMANDS.iter().any(|c| c.0 == known) => wrong(form(known)),
            (unknown, _) => {
                let near = GM_COMMANDS.iter().min_by_key(|c| strsim::osa_distance(c.0, unknown));
                let near = near.map_or("GM HELP", |c| c.1);
                super::super::refuse(format!("there is no GM {unknown}; {near} is meant?"))
            }
        }
    }

    /// Mails that were set aside, newest first.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn quarantine_text(&self) -> Result<String> {
        let mails = self.store.set_aside(SHOWN)?;
        if mails.is_empty() {
            return Ok("No mail is set aside.\n".to_owned());
        }
        let mut out = "Mails that were set aside, newest first:\n\n".to_owned();
        for mail in mails {
            let verdict = mail.verdict.map_or("", |v| v.word());
            let seat = match (&mail.game, mail.seat) {
                (Some(game), Some(seat)) => format!("{game} seat {seat}"),
                _ => String::new(),
            };
            let at = schedule::local(mail.received_at, "UTC");
            out += &format!("| {:>6}  {at}  {verdict} ({}) {seat}\n", mail.id, mail.reason);
        }
        Ok(out)
    }

    /// Lets a mail count that was set aside: a held card as if its player had said
    /// YES; one that could not be read is tried anew.
    ///
    /// # Errors
    /// [`RobotError::Refused`] when no such mail was set aside.
    pub fn release_mail(&mut self, id: i64) -> Result<String> {
        if let Some((code, seat)) = self.store.held(id)? {
            let (Some(raw), Some(row)) = (self.store.raw(id)?, self.store.seat(&code, seat)?)
            else {
                return super::super::refuse(format!("mail {id} is not kept any more"));
            };
            let parsed = mime::parse(&raw).map_err(|e| RobotError::Refused(e.to_string()))?;
            let (stored, now) = (self.store.stored(id)?, self.now());
            let claim =
                Claim { game: self.game(&code)?, seat: row, turn: None, proof: Proof::Proven };
            let held = Case {
                stored: &stored,
                parsed: &parsed,
                from: claim.seat.address.clone(),
                request: Default::default(),
                text: Default::default(),
                now,
                confirms: None,
                digest: String::new(),
                authentic: Authenticity::Unknown,
            };
            let judged = self.confirm_held(held, &claim, id, &parsed)?;
            self.store.also(&stored, &judged, now)?;
            return Ok(format!("Mail {id}: {} ({}).", judged.verdict.word(), judged.reason));
        }
        match self.store.judge_again(id)? {
            true => Ok(format!("Mail {id} is judged anew with the next mails.")),
            false => super::super::refuse(format!("no mail {id} was set aside")),
        }
    }

    /// Lays a mail to rest that was set aside.
    ///
    /// # Errors
    /// [`RobotError::Refused`] when no such mail was set aside.
    pub fn drop_mail(&mut self, id: i64) -> Result<String> {
        match self.store.drop_mail(id)? {
            true => Ok(format!("Mail {id} is laid to rest.")),
            false => super::super::refuse(format!("no mail {id} was set aside")),
        }
    }

    fn host_status(&mut self) -> Result<String> {
        let mut out = "The games of this host:\n\n".to_owned();
        for game in self.store.games()? {
            out += &format!("{}\n", self.game_line(&game)?);
        }
        let tally = self.store.tally()?;
        let aside = self.store.set_aside(1000)?.len();
        out += &format!(
            "\nOutbox: {} waiting, {} sent, {} failed. Set aside: {aside}.\n",
            tally.waiting, tally.sent, tally.failed
        );
        Ok(out)
    }

    fn game_line(&self, game: &store::Game) -> Result<String> {
        let due =
            game.deadline.map_or("no deadline".to_owned(), |d| schedule::local(d, &game.rule.zone));
        let seats = self.store.seats(&game.code)?;
        let players = seats.iter().filter(|s| s.has_player()).count();
        let cards = self.store.cards(&game.code, game.turn)?.len();
        let status = game.status.word();
        let held = if game.status == Status::Held {
            format!(" ({})", game.held_why)
        } else {
            String::new()
        };
        Ok(format!(
            "{}: {status}{held}, turn {}, due {due}, {cards} of {players} cards in",
            game.code, game.turn
        ))
    }

    fn game_status(&mut self, code: &str) -> Result<String> {
        let game = self.game(code)?;
        let mut out = format!("{}\n\n", self.game_line(&game)?);
        let cards = self.store.cards(&game.code, game.turn)?;
        let now = self.now();
        for seat in self.store.seats(&game.code)? {
            let state = match () {
                () if seat.computer => "a computer",
                () if seat.resigned => "nobody",
                () if cards.contains_key(&seat.seat) => "has orders on file",
                () if seat.is_away(now) => "on vacation",
                () => "no orders yet",
            };
            let ready = if seat.ready == game.turn && game.turn > 0 { ", ready" } else { "" };
            let lost = if seat.unreachable { ", mails come back" } else { "" };
            let missed =
                if seat.missed > 0 { format!(", missed {}", seat.missed) } else { String::new() };
            out += &format!(
                "| seat {:>3}  {:<30} {state}{ready}{missed}{lost}\n",
                seat.seat, seat.name
            );
        }
        let waiting = self.store.waiting(&game.code)?.len();
        out +=
            &format!("\n{waiting} on the waiting list. Terms:\n\n{}", self.terms_text(&game.code)?);
        Ok(out)
    }
}

fn number(text: &str) -> Result<Seat> {
    text.parse().map(Seat).or_else(|_| super::super::refuse(format!("{text:?} is no seat number")))
}
