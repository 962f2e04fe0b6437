//! Joining and leaving: double opt-in, waiting lists, addresses that move, erasure.

use jiff::SignedDuration;

use super::Intake;
use super::settings::{QUESTIONS_A_DAY, Set, told_contact};
use super::{Case, silent};
use crate::calendar::is_absent;
use crate::card::{Command, Join};
use crate::context::Result;
use crate::printouts::Post;
use crate::text::plain_name;
use base::schedule;
use base::secrets;
use base::terms::Contact;
use engine::Seat;
use mail::compose::Attachment;
use mail::mime::same_address;
use render::text::SAFE;
use store::{Effect, Judged, Question, SeatChange, SeatRow, Status, Verdict, Wish};

/// Days that a question waits for its answer.
const QUESTION_DAYS: i64 = 14;

impl Intake<'_> {
    /// Commands that need no seat.
    pub(super) fn for_anybody(&self, case: &Case) -> Result<Option<Judged>> {
        let Some(command) = case.request.commands.first().cloned() else { return Ok(None) };
        match command {
            Command::Games => {
                let text = self.games_text()?;
                let mut judged = self.once_a_day(case, "games", &text)?;
                if !judged.mails.is_empty() {
                    judged.verdict = Verdict::Accepted;
                }
                Ok(Some(judged))
            }
            Command::Join(join) => self.join(case, &join).map(Some),
            Command::Export => self.export(case).map(Some),
            _ => Ok(None),
        }
    }

    fn games_text(&self) -> Result<String> {
        let mut out = "Games of this host:\n\n".to_owned();
        for game in self.store.games()? {
            let seats = self.store.seats(&game.code)?;
            let taken = seats.iter().filter(|s| !s.resigned).count();
            let free = usize::from(game.setup.seats).saturating_sub(taken);
            let state = match game.status {
                Status::Open if game.terms.join => format!("takes players, {free} seats free"),
                Status::Open => "takes players through the game master".to_owned(),
                Status::Over => "is over".to_owned(),
                _ => format!("turn {}, {free} seats free", game.turn),
            };
            let title = self.games().engine(&game.engine).map_or("", |e| e.title());
            let seats = game.setup.seats;
            out += &format!("{SAFE}{:<8} {title}, {seats} seats: {state}\n", game.code);
        }
        out += "\nJOIN with the code of a game asks for a seat; when none is free you come on \
                its waiting list.\n";
        Ok(out)
    }

    /// Asks the address that wants to join; nothing is given before it answers.
    fn join(&self, case: &Case, join: &Join) -> Result<Judged> {
        let refuse = |robot: &Self, text: &str| robot.once_a_day(case, "not-joined", text);
        let Some(game) = self.store.game(&join.game)?.filter(|g| g.status != Status::Over) else {
            let text = self.games_text()?;
            return refuse(self, &format!("There is no such game to join.\n\n{text}"));
        };
        if !game.terms.join {
            let text = format!(
                "Game {} takes players through its game master: {}.",
                game.code, self.cx.gm
            );
            return refuse(self, &text);
        }
        let day = case.now - SignedDuration::from_hours(24);
        if self.store.questions_since(&case.from, day)? >= QUESTIONS_A_DAY {
            let why = "an address that was asked often enough today";
            return Ok(self.judged(case, Verdict::Ignored, "too-many-questions", why));
        }
        let seats = self.store.seats(&game.code)?;
        if seats.iter().any(|s| s.has_player() && same_address(&s.address, &case.from)) {
            let text = format!("You have a seat in game {} already.", game.code);
            return self.answer(case, Verdict::Rejected, "not-joined", &text);
        }
        let contact = match join.contact.as_deref().map(str::parse) {
            None => Contact::Hide,
            Some(Ok(contact)) => contact,
            Some(Err(_)) => return refuse(self, "address= is one of disclose, relay and hide."),
        };
        let zone = join.zone.clone().unwrap_or_else(|| game.rule.zone.clone());
        if let Err(e) = schedule::zone(&zone) {
            return refuse(self, &format!("{e}."));
        }
        let mut noted = String::new();
        let seat = match &join.seat {
            None => None,
            Some(word) => match word.parse::<u8>() {
                Ok(n) if (1..=game.setup.seats).contains(&n) => Some(n),
                _ => {
                    let range = game.setup.seats;
                    noted = format!(
                        " Seats have the numbers 1 to {range}; {:?} is none, so any free one is \
                         taken.",
                        word.chars().take(20).collect::<String>()
                    );
                    None
                }
            },
        };
        let name = plain_name(&join.name);
        let wish = Wish { seat, name, contact: contact.as_str().to_owned(), zone };
        let value = serde_json::to_string(&wish).unwrap_or_default();
        let q = Question {
            game: Some(game.code.clone()),
            ..self.new_question("join", None, &case.from, &value, case.now)
        };
        let mut text = format!(
            "Somebody, you we hope, asked for a seat in game {} ({}) with this address.{noted} If \
             you want it, answer with the one word YES; if not, do nothing, and you hear no more \
             of it.",
            game.code,
            self.games().engine(&game.engine)?.title()
        );
        text += &format!("\n\n{}", told_contact(contact));
        let mail = self.mailer().question_mail(
            &q,
            &format!("a seat in game {}?", game.code),
            &text,
            case.now,
        );
        let mut judged = self.judged(case, Verdict::Accepted, "join-asked", "asked for YES");
        judged.effects.push(Effect::Ask(q));
        self.reply(case, &mut judged, mail.into_iter().collect())?;
        Ok(judged)
    }

    /// The answer to a question.
    pub(super) fn answered(&self, case: &Case, id: &str, secret: &str) -> Result<Judged> {
        let id: i64 = id.parse().unwrap_or(-1);
        let right = secrets::same(&self.store.key().question(id), &secret.to_lowercase());
        let found = if right { self.store.question(id)? } else { None };
        let Some(q) = found else { return self.refused(case, "wrong-secret") };
        if case.request.commands.first() != Some(&Command::Yes) {
            let text = "Nothing was done. If you agree, answer the question with the one word YES.";
            return self.answer(case, Verdict::Rejected, "not-yes", text);
        }
        let old = case.now - SignedDuration::from_hours(24 * QUESTION_DAYS);
        if q.done || q.asked_at < old {
            let text = "This question was answered already, or is too old. Nothing was done.";
            return self.answer(case, Verdict::Rejected, "question-over", text);
        }
        let mut judged = match q.kind.as_str() {
            "join" | "standby" => self.take_seat(case, &q)?,
            "old-address" | "new-address" => self.address_confirmed(case, &q)?,
            "resign" => self.resigned(case, &q)?,
            "forget" => self.forgotten(case, &q)?,
            _ => self.refused(case, "wrong-secret")?,
        };
        if judged.verdict == Verdict::Accepted {
            judged.effects.insert(0, Effect::Answered(q.id));
        }
        Ok(judged)
    }

    /// Gives the seat, or a place on the waiting list.
    fn take_seat(&self, case: &Case, q: &Question) -> Result<Judged> {
        let Some(code) = &q.game else { return self.refused(case, "wrong-secret") };
        let game = self.games().game(code)?;
        let wish: Wish = serde_json::from_str(&q.value).unwrap_or_default();
        let seats = self.store.seats(&game.code)?;
        if game.status == Status::Over {
            return self.answer(case, Verdict::Rejected, "game-over", "The game is over.");
        }
        if seats.iter().any(|s| s.has_player() && same_address(&s.address, &q.address)) {
            let text = format!("You have a seat in game {} already.", game.code);
            return self.answer(case, Verdict::Rejected, "not-joined", &text);
        }
        // Somebody who has just come back keeps the seat.
        let cards = self.store.mailed_cards(&game.code, game.turn)?;
        let vacant = |n: u8| {
            let row = seats.iter().find(|s| s.seat.0 == n);
            let absent = |s: &SeatRow| {
                q.kind == "standby" && is_absent(&game, s) && !cards.contains(&s.seat)
            };
            row.is_none_or(|s| s.resigned || s.computer && game.status == Status::Open || absent(s))
        };
        let wanted = q.seat.map(|s| s.0).or(wish.seat).filter(|n| vacant(*n));
        let free = || (1..=game.setup.seats).find(|n| vacant(*n));
        let Some(number) = wanted.or_else(|| if q.kind == "join" { free() } else { None }) else {
            let text = format!(
                "All seats of game {} are taken. You are on its waiting list, and hear from us \
                 when one becomes free.",
                game.code
            );
            let mut judged = self.answer(case, Verdict::Accepted, "waiting", &text)?;
            judged.effects.push(Effect::Wait(game.code.clone(), q.address.clone(), wish));
            return Ok(judged);
        };
        let seat = Seat(number);
        let password = secrets::password([self.cx.word(), self.cx.word()]);
        let digest = self.store.key().password_digest(&game.code, seat, &password);
        let row = SeatRow {
            name: wish.name,
            address: q.address.clone(),
            password_digest: digest,
            contact: wish.contact.parse().unwrap_or_default(),
            ..SeatRow::empty(&game.code, seat, &wish.zone)
        };
        let mut text = format!(
            "You have seat {seat} of game {} ({}). Its password is {password}; you need it only \
             if you write without answering a mail of the robot: then begin with the line \"GAME \
             {} SEAT {seat} PASSWORD {password}\".\n\n",
            game.code,
            self.games().engine(&game.engine)?.title(),
            game.code
        );
        let mut mails = Vec::new();
        match game.status {
            Status::Open => text += "The first printout comes when the game starts.",
            _ => {
                text += "The newest printout of your position comes in a mail of its own.";
                let open = self.games().open(&game)?;
                let before = self.store.seed_of(&game.code, game.turn - 1)?;
                let tells = self.games().engine(&game.engine)?.tells_seeds(game.rules_version);
                let post = Post {
                    seed_before: before.filter(|_| game.turn > 1 && tells),
                    newcomer: true,
                    now: case.now,
                    ..Post::default()
                };
                // Its id differs from that of the printout that the player before got.
                mails = self.printer().printout(
                    &game,
                    open.as_ref(),
                    &row,
                    &post,
                    None,
                    &q.id.to_string(),
                )?;
            }
        }
        let replaced = seats.iter().find(|s| s.seat == seat && s.has_player());
        let mut judged = self.answer(case, Verdict::Accepted, "joined", &text)?;
        if let Some(old) = replaced {
            let farewell = "You sent no orders for so long that somebody from the waiting list \
                            has taken your seat. Thank you for having played.";
            mails.extend(self.mailer().notice(
                &game,
                old,
                "your seat has a new player",
                farewell,
                "replaced",
                case.now,
            ));
            judged.effects.push(Effect::Seat(game.code.clone(), seat, SeatChange::Resigned));
        }
        judged.effects.push(Effect::Take(Box::new(row)));
        judged.seat = Some((game.code.clone(), seat));
        mails.extend(self.mailer().gm_mail(
            &format!("game {}: seat {seat} has a player", game.code),
            &format!("Seat {seat} of game {} was taken by mail.", game.code),
            &[&game.code, "joined", &seat.to_string()],
            case.now,
        ));
        judged.mails.extend(mails);
        Ok(judged)
    }

    fn address_confirmed(&self, case: &Case, q: &Question) -> Result<Judged> {
        let all = self.store.questions_about(&q.value)?;
        let open = all.iter().filter(|o| o.id != q.id && o.asked_at == q.asked_at);
        if open.clone().any(|o| !o.done) {
            let text = "Thank you. The other address has not answered yet; the seat moves as \
                        soon as it does.";
            return self.answer(case, Verdict::Accepted, "address-half", text);
        }
        let (Some(code), Some(seat)) = (&q.game, q.seat) else {
            return self.refused(case, "wrong-secret");
        };
        let new = q.value.rsplit(' ').next().unwrap_or_default().to_owned();
        let Some(row) = self.store.seat(code, seat)?.filter(SeatRow::has_player) else {
            return self.refused(case, "wrong-secret");
        };
        let same = |o: &&Question| o.kind == "old-address" && o.asked_at == q.asked_at;
        let old = all.iter().find(same).map(|o| o.address.clone());
        if old.is_none_or(|o| !same_address(&o, &row.address)) {
            let text = "The seat has another address by now. Nothing was done.";
            return self.answer(case, Verdict::Rejected, "question-over", text);
        }
        let game = self.games().game(code)?;
        let text = format!("Seat {seat} of game {code} has moved to another mail address.");
        let mut judged = self.judged(case, Verdict::Accepted, "address-moved", &text);
        let moved = SeatRow { address: new.clone(), ..row.clone() };
        let subject = "your seat has a new address";
        let cause = q.id.to_string();
        judged.mails.extend(self.mailer().notice(
            &game,
            &row,
            subject,
            &text,
            &format!("old {cause}"),
            case.now,
        ));
        judged.mails.extend(self.mailer().notice(
            &game,
            &moved,
            subject,
            &text,
            &format!("new {cause}"),
            case.now,
        ));
        judged.effects.push(Effect::Seat(code.clone(), seat, SeatChange::Address(new)));
        judged.seat = Some((code.clone(), seat));
        Ok(judged)
    }

    fn resigned(&self, case: &Case, q: &Question) -> Result<Judged> {
        let (Some(code), Some(seat)) = (&q.game, q.seat) else {
            return self.refused(case, "wrong-secret");
        };
        let text = format!(
            "You have left seat {seat} of game {code}. Thank you for having played. FORGET as the \
             only word of a mail erases what is stored about you; EXPORT sends it to you before."
        );
        let mut judged = self.answer(case, Verdict::Accepted, "resigned", &text)?;
        judged.effects.push(Effect::Seat(code.clone(), seat, SeatChange::Resigned));
        judged.seat = Some((code.clone(), seat));
        judged.mails.extend(self.mailer().gm_mail(
            &format!("game {code}: the player of seat {seat} has left"),
            &format!(
                "The player of seat {seat} of game {code} resigned. The waiting list is asked; \
                 \"fieldpost seat add\" or GM SEAT gives the seat to somebody else."
            ),
            &[code, "resigned", &seat.to_string()],
            case.now,
        ));
        Ok(judged)
    }

    /// Asks before a person is erased.
    pub(super) fn ask_forget(&self, case: &Case, address: &str) -> Result<Set> {
        if let Some(still) = self.still_plays(address)? {
            return Ok(Err(format!(
                "You still have {still}; leave it with RESIGN, then send FORGET again."
            )));
        }
        let q = self.new_question("forget", None, address, "", case.now);
        let text = "Everything that is stored about you is to be erased: your address, your \
                    name, your mails, the mails to you. What remains of you in the games has no \
                    name. Answer with the one word YES; to keep it all, do nothing.";
        let mail = self.mailer().question_mail(&q, "erase everything about you?", text, case.now);
        let note = "You are asked in a mail of its own; answer it with YES.".to_owned();
        Ok(Ok((note, vec![Effect::Ask(q)], mail.into_iter().collect())))
    }

    fn still_plays(&self, address: &str) -> Result<Option<String>> {
        let seats = self.store.seats_of(address)?;
        Ok(seats.first().map(|s| format!("seat {} of game {}", s.seat, s.game)))
    }

    fn forgotten(&self, case: &Case, q: &Question) -> Result<Judged> {
        if let Some(still) = self.still_plays(&q.address)? {
            let text = format!("You still have {still}; leave it with RESIGN first.");
            return self.answer(case, Verdict::Rejected, "still-plays", &text);
        }
        let mut judged = silent(Verdict::Accepted, "forgotten", "a person was erased", "erased");
        judged.digest = case.digest.clone();
        judged.effects = vec![Effect::Erase(q.address.clone()), Effect::Shred(case.stored.id)];
        let text = "Everything that was stored about you is erased. This mail is the last; it is \
                    erased as soon as it has left.";
        let cause = case.stored.id.to_string();
        let to = (q.address.as_str(), "you are forgotten");
        let mail = self.mailer().answer_mail("farewell", to, None, text, &cause, case.now);
        judged.mails.extend(mail);
        Ok(judged)
    }

    /// Everything that is stored about a person, to the address that it is stored
    /// under.
    fn export(&self, case: &Case) -> Result<Judged> {
        let address = case.from.clone();
        let data = self.data_of(&address)?;
        let day = case.now - SignedDuration::from_hours(24);
        if self.store.mails_with(&address, "exported", day)? > 0 {
            let why = "the data of this address was sent today already";
            return Ok(self.judged(case, Verdict::Ignored, "exported", why));
        }
        let text = "The attached file holds what is stored about you: your seats, your mails and \
                    what became of them, the mails to you. The mails themselves are kept for a \
                    limited time; the game master can send you copies.";
        let file = Attachment {
            name: "fieldpost-data.json".to_owned(),
            media: "application/json".into(),
            bytes: data.into_bytes(),
        };
        let mut judged = self.judged(case, Verdict::Accepted, "exported", "data sent");
        let cause = case.stored.id.to_string();
        let mail = self.mailer().file_mail(
            &address,
            "what is stored about you",
            text,
            file,
            &cause,
            case.now,
        );
        self.reply(case, &mut judged, mail.into_iter().collect())?;
        Ok(judged)
    }

    /// What is stored about a person, as JSON.
    ///
    /// # Errors
    /// [`super::super::RobotError::Store`] when the store fails.
    pub fn data_of(&self, address: &str) -> Result<String> {
        let seats: Vec<serde_json::Value> = self
            .store
            .all_seats_of(address)?
            .iter()
            .map(|s| {
                serde_json::json!({
                    "game": s.game, "seat": s.seat.0, "name": s.name, "address": s.address,
                    "zone": s.zone, "contact": s.contact.as_str(), "language": s.language,
                    "format": s.format.describe(), "reminders": s.reminders, "left": s.resigned,
                    "away": s.away.map(|(f, u)| [f.to_string(), u.to_string()]),
                })
            })
            .collect();
        let received: Vec<serde_json::Value> = self
            .store
            .mails_of(address)?
            .iter()
            .map(|m| {
                let raw = self.store.raw(m.id).ok().flatten();
                serde_json::json!({
                    "received": m.received_at.to_string(), "size": m.size,
                    "verdict": m.verdict.map(|v| v.word()), "reason": m.reason,
                    "game": m.game, "seat": m.seat, "turn": m.turn,
                    "mail": raw.map(|r| String::from_utf8_lossy(&r).into_owned()),
                })
            })
            .collect();
        let sent: Vec<serde_json::Value> = self
            .store
            .mails_to(address)?
            .iter()
            .map(|(kind, at, state)| serde_json::json!({"kind": kind, "written": at.to_string(), "state": state}))
            .collect();
        let all = serde_json::json!({
            "address": address, "seats": seats, "mails_from_you": received, "mails_to_you": sent,
        });
        Ok(serde_json::to_string_pretty(&all).unwrap_or_default())
    }
}
