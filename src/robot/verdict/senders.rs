//! Finds the sender of a mail, and what proves it.

use super::case::{Case, Claim, Proof, Tools};
use crate::card::{Heading, subject_tag};
use crate::context::{Context, Result};
use base::passwords;
use base::secrets::same;
use base::terms::Policy;
use engine::{Seat, Turn};
use jiff::SignedDuration;
use mail::auth::{self, Authenticity, Trusted};
use mail::mime::{ParsedMail, same_address};
use store::{Game, Reader, Reason, SeatRow, Tx};

/// Newest mailed steps of a seat whose reply secrets prove anything.
pub const PROVES_STEPS: usize = 4;
/// Wrong passwords for a seat within a day. After them, a password that a person chose is checked
/// only in mails from the registered address.
const GUESSES_A_DAY: u32 = 10;
/// Wrong passwords from that address within an hour. After them, none is checked.
const OWN_GUESSES_AN_HOUR: u32 = 60;
/// Newest mailed steps of a seat whose secrets are recognised, at least as old ones.
pub const OLD_STEPS: u32 = 31;

/// The sender of a mail.
pub enum Origin {
    /// The mail of a seat.
    Seat(Box<Claim>),
    /// The game, seat, secret or password does not fit; the answer does not say which.
    Refused(Reason),
    /// The address has several seats, and nothing says which is meant.
    Ambiguous(Vec<SeatRow>),
    /// A sender that the robot does not know.
    Stranger,
}

/// The way in which a mail is linked to a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    /// A secret or the password.
    Secret,
    /// A secret that is too old to prove anything.
    OldSecret,
    /// Only its From address.
    Address,
}

/// Name of the note on the server that was seen to remove forged results in its name.
const STRIPS: &str = "takes out forged results";

/// The server whose results [auth] trusts. `None`: it trusts none.
///
/// # Errors
/// [`store::StoreError`] when the store fails.
pub fn trusted<'a>(cx: &'a Context, store: &Reader) -> store::Result<Option<Trusted<'a>>> {
    let Some(authserv_id) = &cx.trusted else { return Ok(None) };
    let seen = store.note(STRIPS)?;
    let strips = seen.is_some_and(|server| server.eq_ignore_ascii_case(authserv_id));
    Ok(Some(Trusted { authserv_id, strips }))
}

/// Notes whether a server was seen to remove forged results in its name.
///
/// # Errors
/// [`store::StoreError`] when the store fails.
pub fn note_strips(tx: &Tx, server: &str, strips: bool) -> store::Result<()> {
    tx.set_note(STRIPS, if strips { server } else { "" })
}

/// Finds the sender of a mail.
#[derive(Clone, Copy)]
pub struct Senders<'a> {
    tools: Tools<'a>,
}

impl<'a> Senders<'a> {
    /// A finder of senders.
    pub fn new(tools: Tools<'a>) -> Self {
        Self { tools }
    }

    /// The sender of a mail, known by the secret in its recipient address, by the mail that it
    /// answers, by a password, or only by its From address.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn identify(&self, case: &Case) -> Result<Origin> {
        for detail in self.details(&case.parsed.recipients) {
            match detail.as_slice() {
                [word, ..] if word.eq_ignore_ascii_case("b") => {}
                [game, seat, secret] => return self.by_secret(case, game, seat, secret),
                [word, game, seat, secret] if word.eq_ignore_ascii_case("confirm") => {
                    return self.by_confirmation(case, game, seat, secret);
                }
                _ => {}
            }
        }
        for sent in self.tools.store.outbox().sent_as(&case.parsed.answers)? {
            let (game, seat, turn, to) = (sent.game, sent.seat, sent.turn, sent.to);
            let row = self.tools.store.games().seat(&game, seat)?;
            let holds = |r: &SeatRow| same_address(&r.address, &to) && sent.id > r.epoch_mail;
            if !row.as_ref().is_some_and(holds) {
                // The answered mail went to an earlier player of the seat, or its secrets have
                // ended.
                continue;
            }
            let by = match turn {
                Some(turn) => self.proves(&game, seat, turn)?,
                None => By::Secret,
            };
            return self.claim(case, &game, seat, turn, by);
        }
        let heading = &case.request.heading;
        if let (Some(game), Some(seat), Some(password)) =
            (&heading.game, heading.seat, &heading.password)
        {
            let (game, password) = (game.clone(), password.clone());
            return self.by_password(case, &game, seat, &password);
        }
        self.by_address(case)
    }

    fn by_secret(&self, case: &Case, code: &str, seat: &str, secret: &str) -> Result<Origin> {
        match self.step_of(code, seat, secret)? {
            Some((game, seat, turn)) => {
                let by = self.proves(&game, seat, turn)?;
                self.claim(case, &game, seat, Some(turn), by)
            }
            None => Ok(Origin::Refused(Reason::WrongSecret)),
        }
    }

    /// The game, seat and step whose mails had this reply address. `None`: it is wrong.
    fn step_of(
        &self,
        code: &str,
        seat: &str,
        secret: &str,
    ) -> Result<Option<(String, Seat, Turn)>> {
        let Ok(seat) = seat.parse().map(Seat) else { return Ok(None) };
        let Some(game) = self.tools.store.games().game(code)? else { return Ok(None) };
        let secret = secret.to_lowercase();
        let key = self.tools.store.key();
        let row = self.tools.store.games().seat(&game.code, seat)?;
        let epoch = row.map_or(0, |r| r.epoch);
        let is_right = |turn: &Turn| same(&key.reply(&game.code, seat, epoch, *turn), &secret);
        // Most mails answer one of the open step, so it is tried first.
        let turn = match is_right(&game.turn) {
            true => Some(game.turn),
            false => {
                let steps = self.tools.store.steps().mailed_steps(&game.code, seat, OLD_STEPS)?;
                steps.into_iter().find(is_right)
            }
        };
        Ok(turn.map(|turn| (game.code, seat, turn)))
    }

    /// Whether a mail came to the reply address of some seat, with the right secret.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn bear_secret(&self, parsed: &ParsedMail) -> Result<bool> {
        self.have_secret(&parsed.recipients)
    }

    /// Whether the reply address of some seat, with the right secret, is among these addresses.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn have_secret(&self, addresses: &[String]) -> Result<bool> {
        for detail in self.details(addresses) {
            if let [game, seat, secret] = detail.as_slice()
                && self.step_of(game, seat, secret)?.is_some()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an answer to a mail of a step still proves something: the seat has had mails of only
    /// a few later steps. Steps without a mail to the seat do not count.
    fn proves(&self, game: &str, seat: Seat, step: Turn) -> Result<By> {
        if self.tools.store.games().game(game)?.is_some_and(|g| g.turn == step) {
            return Ok(By::Secret);
        }
        let steps = self.tools.store.steps().mailed_steps(game, seat, OLD_STEPS)?;
        Ok(if steps.iter().take(PROVES_STEPS).any(|s| *s == step) {
            By::Secret
        } else {
            By::OldSecret
        })
    }

    fn by_confirmation(&self, case: &Case, code: &str, seat: &str, secret: &str) -> Result<Origin> {
        let wrong = Ok(Origin::Refused(Reason::WrongSecret));
        let Ok(seat) = seat.parse().map(Seat) else { return wrong };
        let Some(game) = self.tools.store.games().game(code)? else { return wrong };
        let pending = self.tools.store.mails().pending_of(&game.code, seat)?;
        let key = self.tools.store.key();
        let epoch = self.tools.store.games().seat(&game.code, seat)?.map_or(0, |row| row.epoch);
        let right =
            |id: &&i64| same(&key.confirm(&game.code, seat, epoch, **id), &secret.to_lowercase());
        match pending.iter().find(right) {
            Some(_) => self.claim(case, &game.code, seat, None, By::Secret),
            None => wrong,
        }
    }

    fn by_password(&self, case: &Case, code: &str, seat: Seat, password: &str) -> Result<Origin> {
        let wrong = Ok(Origin::Refused(Reason::WrongPassword));
        let Some(game) = self.tools.store.games().game(code)? else { return wrong };
        let Some(row) = self.tools.store.games().seat(&game.code, seat)? else { return wrong };
        // A password that the robot drew can't be guessed, and checking it costs nothing.
        if passwords::is_chosen(&row.password_digest) && self.is_guessed(case, &row)? {
            // Somebody guesses: for now no password is checked, because that is costly. A mail with
            // a password needs the player's YES; the secrets of mails still work.
            return self.claim(case, &game.code, seat, None, By::Address);
        }
        let (key, kept) = (self.tools.store.key(), &row.password_digest);
        match passwords::is_right(key, (&game.code, seat), password, kept) {
            true => self.claim(case, &game.code, seat, None, By::Secret),
            false => wrong,
        }
    }

    /// Whether so many wrong passwords came for a seat that no more are checked. Those from the
    /// registered address count separately, so that guesses of others do not lock the player out.
    fn is_guessed(&self, case: &Case, row: &SeatRow) -> Result<bool> {
        let (store, code) = (self.tools.store, &row.game);
        let day = case.now - SignedDuration::from_hours(24);
        if store.people().wrong_passwords(code, row.seat, day)? < GUESSES_A_DAY {
            return Ok(false);
        }
        let hour = case.now - SignedDuration::from_hours(1);
        Ok(!same_address(&case.from, &row.address)
            || store.people().wrong_passwords_of(code, row.seat, &case.from, hour)?
                >= OWN_GUESSES_AN_HOUR)
    }

    /// Finds the seat of the From address without any proof; heading and subject choose among
    /// several.
    fn by_address(&self, case: &Case) -> Result<Origin> {
        let tag = subject_tag(&case.parsed.subject);
        let heading = &case.request.heading;
        let game = heading.game.clone().or(tag.as_ref().map(|t| t.0.clone()));
        let seat = heading.seat.or(tag.as_ref().map(|t| t.2));
        let mut seats = self.tools.store.games().seats_of(&case.from)?;
        if seats.is_empty() {
            return Ok(Origin::Stranger);
        }
        seats.retain(|s| {
            game.as_ref().is_none_or(|g| g.eq_ignore_ascii_case(&s.game))
                && seat.is_none_or(|n| n == s.seat)
        });
        match seats.as_slice() {
            [] => Ok(Origin::Refused(Reason::NoSuchSeat)),
            [one] => {
                let (code, seat) = (one.game.clone(), one.seat);
                let turn = match (self.tools.store.games().game(&code)?, tag) {
                    // The robot has sent no mail for a future step.
                    (Some(game), Some((_, turn, _))) => {
                        Some(self.step_in(&game, turn)?.min(game.turn))
                    }
                    _ => None,
                };
                self.claim(case, &code, seat, turn, By::Address)
            }
            _ => Ok(Origin::Ambiguous(seats)),
        }
    }

    /// The step that the name of a turn means: the open step if it is part of that turn, else the
    /// newest step that is. For a future turn, it is as many steps ahead as turns.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn step_in(&self, game: &Game, turn: u32) -> Result<Turn> {
        let open = game.step.turns;
        if open.contains(turn) {
            return Ok(game.turn);
        }
        // A campaign counts the turns of each war from 1, so an earlier turn may have a higher
        // number.
        let ran =
            self.tools.store.steps().step_in(&game.code, turn)?.filter(|s| s.number < game.turn);
        Ok(match ran {
            Some(step) => step.number,
            None if turn > open.last => game.turn.saturating_add(turn - open.last),
            None => 0,
        })
    }

    /// The step that a heading names. A title counts only for a future turn: one with an older turn
    /// is left from an earlier card, and the open step is meant.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn named_step(&self, game: &Game, heading: &Heading) -> Result<Option<Turn>> {
        Ok(match (heading.turn, heading.title) {
            (Some(turn), _) => Some(self.step_in(game, turn)?),
            (None, Some(title)) if title > game.step.turns.last => {
                Some(self.step_in(game, title)?).filter(|step| *step > game.turn)
            }
            (None, _) => None,
        })
    }

    fn claim(
        &self,
        case: &Case,
        code: &str,
        seat: Seat,
        turn: Option<Turn>,
        by: By,
    ) -> Result<Origin> {
        let wrong = Ok(Origin::Refused(Reason::WrongSecret));
        let Some(game) = self.tools.store.games().game(code)? else { return wrong };
        // A player who has left, or whose seat a computer plays, proves nothing.
        let Some(seat) =
            self.tools.store.games().seat(&game.code, seat)?.filter(SeatRow::has_player)
        else {
            return wrong;
        };
        let named = &case.request.heading;
        let differs = named.game.as_ref().is_some_and(|g| !g.eq_ignore_ascii_case(&game.code))
            || named.seat.is_some_and(|n| n != seat.seat);
        if differs {
            return Ok(Origin::Refused(Reason::TwoSeatsNamed));
        }
        let own = same_address(&case.from, &seat.address);
        // From another address, an old secret proves nothing, nor does one that the player before
        // knew.
        let secret = by == By::Secret && (own || turn.is_none_or(|t| t > seat.since));
        if !own && !secret {
            return wrong;
        }
        let old_secret = by == By::OldSecret;
        let facts = (secret, own, seat.any_address, case.authentic);
        let proof = proof(game.terms.policy, facts);
        let by_name = self.named_step(&game, named)?;
        let (turn, named) = (by_name.or(turn), by_name.is_some());
        Ok(Origin::Seat(Box::new(Claim { game, seat, turn, named, proof, secret, old_secret })))
    }

    /// Removes the proof of a claim that only a domain vouches for, if the mail may be a replay.
    /// Call it after the whole mail is read.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn settle(&self, case: &Case, claim: &mut Claim) -> Result<()> {
        if claim.proof == Proof::Proven && !claim.secret && self.is_replay(case, &claim.game)? {
            claim.proof = Proof::AddressOnly;
        }
        Ok(())
    }

    /// Whether a mail that only its domain vouches for may be an old one, sent again by somebody
    /// else: its signature has vouched for another mail, or it has orders without a turn and was
    /// signed before the open step began. Parts that a signature does not cover are ignored.
    fn is_replay(&self, case: &Case, game: &Game) -> Result<bool> {
        if case.authentic != Authenticity::Pass {
            return Ok(false);
        }
        let signatures = auth::signatures(case.parsed);
        for signature in &signatures {
            if self.tools.store.mails().has_vouched(&signature.id, case.stored.id)? {
                return Ok(true);
            }
        }
        let opened = game.step.opened_at;
        let fresh = |s: &auth::Signature| s.signed_at.is_some_and(|at| at >= opened);
        let timed = case.request.heading.turn.is_some() || !case.request.has_orders();
        // A forger may add signatures, but can't remove one that vouches.
        Ok(!timed && !signatures.iter().all(fresh))
    }

    /// Whether an address is the robot's, with or without a detail after `+`.
    pub fn is_detailed(&self, address: &str) -> bool {
        let plain = |(local, domain): (&str, &str)| {
            format!("{}@{domain}", local.split('+').next().unwrap_or(local))
        };
        let found = address.split_once('@').map(plain);
        found.is_some_and(|a| same_address(&a, &self.tools.cx.identity.address))
    }

    /// The details of the robot's plus-addresses, split at full stops.
    pub fn details(&self, addresses: &[String]) -> Vec<Vec<String>> {
        let Some((local, domain)) = self.tools.cx.identity.address.split_once('@') else {
            return Vec::new();
        };
        let detail = |address: &String| {
            let (to, at) = address.split_once('@')?;
            let (name, detail) = to.split_once('+')?;
            let ours = name.eq_ignore_ascii_case(local) && at.eq_ignore_ascii_case(domain);
            ours.then(|| detail.split('.').map(str::to_owned).collect())
        };
        addresses.iter().filter_map(detail).collect()
    }
}

/// What a mail proves under a policy. The facts are: whether the secret came with it, whether it is
/// from the registered address, whether the seat allows other addresses, and whether its domain
/// vouches.
fn proof(policy: Policy, facts: (bool, bool, bool, Authenticity)) -> Proof {
    use Authenticity::{Fail, Pass};
    match (policy, facts) {
        // The domain itself says that the mail is forged, whatever secret it has.
        (_, (_, _, _, Fail)) => Proof::NotVouched,
        (Policy::Strict, (true, true, _, Pass)) => Proof::Proven,
        (Policy::Strict, (true, true, ..)) => Proof::NotVouched,
        (Policy::Normal, (true, own, any, _)) if own || any => Proof::Proven,
        (Policy::Open, (true, ..)) => Proof::Proven,
        (_, (true, ..)) => Proof::OtherAddress,
        (Policy::Normal, (false, _, _, Pass)) => Proof::Proven,
        (Policy::Open, (false, ..)) => Proof::Proven,
        (_, (false, ..)) => Proof::AddressOnly,
    }
}
