//! Joining and leaving: double opt-in, waiting lists, addresses that move, erasure.

use jiff::{SignedDuration, Timestamp};

use base::secrets;
use engine::Seat;
use mail::auth::Authenticity;
use mail::mime::same_address;
use store::{
    Effect, Game, JoinRequest, Judged, MailKind, Question, QuestionKind, QueuedMail, Reason,
    SeatChange, SeatRow, Standing, Status, Verdict,
};
use tongue::{count, say};

use super::answers::Answers;
use super::case::{Case, Change, Claim, Tools, verdict_alone};
use crate::calendar::is_absent;
use crate::context::Result;
use crate::persons::other_seat;
use crate::text::{name_fault, printed};

/// Days for which a question waits for its answer.
pub const QUESTION_DAYS: i64 = 14;
/// Questions of one kind to one address within a day, at most.
const QUESTIONS_A_DAY: u32 = 4;

/// Open questions to addresses without a seat, caused by mails that no domain vouches for: within
/// an hour and within a day, at most. First to all addresses, then to those of one domain.
const STRANGERS_MAX: [u32; 2] = [60, 200];
const DOMAIN_MAX: [u32; 2] = [10, 40];
/// Name of the note on when the game master was notified that newcomers get no questions.
const SHUT: &str = "newcomers";

/// Lines of an answer that are repeated, at most.
const LINES_TOLD: usize = 12;

/// The lines of an answer other than YES, as the reply repeats them.
fn not_taken(case: &Case) -> String {
    let lines: Vec<&String> = case.text.above.iter().filter(|l| !l.trim().is_empty()).collect();
    let shown = |l: &&String| format!("\n\n| {}", printed(l.trim()));
    let told: String = lines.iter().take(LINES_TOLD).map(shown).collect();
    match lines.len().saturating_sub(LINES_TOLD) {
        0 => told,
        n => format!("{told}\n\n| {}", count!(n, "and {n} line more", "and {n} lines more")),
    }
}

/// A sentence on why an address gets no second seat in a game.
pub(crate) fn two_seats(game: &Game) -> String {
    say!(
        "Nobody has two seats in game {game}, and that address leads to the mailbox of a player \
         who has one. Nothing was changed.",
        game = game.code
    )
}

/// Asks before an action that only the right person may want, and does it on YES.
#[derive(Clone, Copy)]
pub struct Questions<'a> {
    tools: Tools<'a>,
}

impl<'a> Questions<'a> {
    /// The questions of a store.
    pub fn new(tools: Tools<'a>) -> Self {
        Self { tools }
    }

    fn answers(&self) -> Answers<'a> {
        Answers::new(self.tools)
    }

    /// A new question to an address, about a seat or about none.
    pub fn new_question(
        &self,
        kind: QuestionKind,
        claim: Option<&Claim>,
        address: &str,
        value: &str,
        now: Timestamp,
    ) -> Question {
        Question {
            id: (self.tools.cx.word() >> 1).cast_signed(),
            kind,
            game: claim.map(|c| c.game.code.clone()),
            seat: claim.map(|c| c.seat.seat),
            address: address.to_owned(),
            value: value.to_owned(),
            asked_at: now,
            done: false,
        }
    }

    /// Whether an address was asked one kind of question often enough today. Each kind counts
    /// separately, so that others who cause questions in a player's name block nothing else for
    /// that player.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn asked_enough(&self, kind: QuestionKind, address: &str, case: &Case) -> Result<bool> {
        let day = case.now - SignedDuration::from_hours(24);
        Ok(self.tools.store.people().questions_since(kind, address, day)? >= QUESTIONS_A_DAY
            || self.strangers_enough(address, case)?)
    }

    /// Whether so many questions to strangers are open that a mail without proof causes no more.
    /// Answered ones do not count. A domain from which people play has its own share, so mails in
    /// made-up names shut nobody out there.
    fn strangers_enough(&self, address: &str, case: &Case) -> Result<bool> {
        let store = self.tools.store;
        // If the sender's domain vouches for the asked address, a flood in the names of others does
        // not shut the sender out.
        let own = case.authentic == Authenticity::Pass && same_address(address, &case.from);
        let proven = case.standing.get() == Standing::Proven;
        if own || proven || !store.games().seats_of(address)?.is_empty() {
            return Ok(false);
        }
        let domain = address.rsplit('@').next().unwrap_or_default();
        let (mut all, mut of_domain) = (false, false);
        for (hours, n) in [(1, 0), (24, 1)] {
            let since = case.now - SignedDuration::from_hours(hours);
            all |= store.people().strangers_asked(None, since)? >= STRANGERS_MAX[n];
            of_domain |= store.people().strangers_asked(Some(domain), since)? >= DOMAIN_MAX[n];
        }
        Ok(of_domain || all && !store.people().plays_from(domain)?)
    }

    /// Answers a newcomer who can't be asked now, and notifies the game master once a day.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn not_now(&self, case: &Case) -> Result<Judged> {
        let text = say!(
            "Too many people ask at this host right now, so you can't be asked whether it was you \
             who wrote. Nothing was done; please try again tomorrow."
        );
        let mut judged = self.answers().once_a_day(case, Reason::TooManyQuestions, &text)?;
        let told = self.tools.store.note(SHUT)?.and_then(|t| t.parse::<Timestamp>().ok());
        if told.is_none_or(|at| at + SignedDuration::from_hours(24) <= case.now) {
            let [hour, day] = STRANGERS_MAX;
            let [domain_hour, domain_day] = DOMAIN_MAX;
            let text = format!(
                "So many questions to addresses without a seat are open that newcomers whose \
                 domain does not vouch for their mail are asked no more for now: more than {hour} \
                 of an hour or {day} of a day, or {domain_hour} and {domain_day} of one domain. \
                 Domains from which people play are still asked. \"fieldpost mail list\" shows \
                 who writes; with [auth] check = true in the config, or trust, newcomers from \
                 domains that sign their mail are never shut out."
            );
            judged.effects.push(Effect::Note(SHUT.to_owned(), case.now.to_string()));
            let mail =
                self.tools.mailer().gm_mail("newcomers are shut out", &text, &[SHUT], case.now);
            judged.alarms.extend(mail);
        }
        Ok(judged)
    }

    /// Asks in a separate mail. The note says so.
    pub fn ask(&self, q: Question, subject: &str, text: &str, now: Timestamp) -> Change {
        let mail = self.tools.mailer().question_mail(&q, subject, text, now);
        let note = say!("You are asked in a mail of its own; answer it with YES.");
        Change { note, effects: vec![Effect::Ask(q)], mails: mail.into_iter().collect() }
    }

    /// The answer to a question.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    pub fn answered(&self, case: &Case, id: &str, secret: &str) -> Result<Judged> {
        let id: i64 = id.parse().unwrap_or(-1);
        let right = secrets::same(&self.tools.store.key().question(id), &secret.to_lowercase());
        let found = if right { self.tools.store.people().question(id)? } else { None };
        let Some(q) = found else { return self.answers().refused(case, Reason::WrongSecret) };
        if case.authentic == Authenticity::Fail {
            // As with a card, the domain says that the mail is forged, whatever secret it has.
            let text = say!(
                "Nothing was done: your mail's domain says that it is not from there. Answer the \
                 question with YES in a mail that your provider sends."
            );
            return self.answers().answer(case, Verdict::Rejected, Reason::NotVouched, &text);
        }
        case.standing.set(Standing::Proven);
        if !case.says_yes() {
            let mut text =
                say!("Nothing was done. If you agree, answer the question with the one word YES.");
            let lines = not_taken(case);
            if !lines.is_empty() {
                text += &format!(
                    "\n\n{}{lines}",
                    say!(
                        "Such an answer takes nothing else; orders and commands go in answer to the \
                         newest mail of your game. Not read:"
                    )
                );
            }
            return self.answers().answer(case, Verdict::Rejected, Reason::NotYes, &text);
        }
        let old = case.now - SignedDuration::from_hours(24 * QUESTION_DAYS);
        if q.done || q.asked_at < old {
            let text = say!("This question was answered already, or is too old. Nothing was done.");
            return self.answers().answer(case, Verdict::Rejected, Reason::QuestionOver, &text);
        }
        // The answer is in the language that the sender asked for.
        let preferred = q.language();
        let answered = || match q.kind {
            QuestionKind::Join | QuestionKind::Standby => self.take_seat(case, &q),
            QuestionKind::OldAddress | QuestionKind::NewAddress => self.address_confirmed(case, &q),
            QuestionKind::Resign => self.resigned(case, &q),
            QuestionKind::Forget => self.forgotten(case, &q),
            QuestionKind::Export => self.answers().personal_data(case, &q.address),
            QuestionKind::Practice => self.practice(case, &q),
            QuestionKind::Unknown => self.answers().refused(case, Reason::WrongSecret),
        };
        let mut judged = match preferred.is_empty() {
            true => answered()?,
            false => self.tools.cx.in_language(&preferred, answered)?,
        };
        if judged.verdict == Verdict::Accepted {
            judged.effects.insert(0, Effect::Answered(q.id));
        }
        Ok(judged)
    }

    /// Answers that a practice game begins; the robot makes it right after this mail.
    fn practice(&self, case: &Case, q: &Question) -> Result<Judged> {
        let Ok(engine) = self.tools.games().engine(q.practises()) else {
            return self.answers().refused(case, Reason::WrongSecret);
        };
        let (games, store) = (self.tools.games(), self.tools.store);
        if let Some(game) = games.practice_of(&q.address)? {
            let text = say!("You practise already, in game {game}.", game = game.code);
            return self.answers().answer(case, Verdict::Rejected, Reason::NoPractice, &text);
        }
        let most = self.tools.cx.limits.practice_games_max as usize;
        // Others may have said YES just now, and their games are not made yet.
        if games.practices()?.len() + store.people().practices_wanted()?.len() >= most {
            let text =
                say!("All practice games of this host are taken now. Try again in some days.");
            return self.answers().answer(case, Verdict::Rejected, Reason::NoPractice, &text);
        }
        let text = say!(
            "Your practice game of {title} begins: its first printout comes in a mail of its own.",
            title = engine.title()
        );
        self.answers().answer(case, Verdict::Accepted, Reason::Practice, &text)
    }

    /// Gives the seat, or a place on the waiting list.
    fn take_seat(&self, case: &Case, q: &Question) -> Result<Judged> {
        let Some(code) = &q.game else { return self.answers().refused(case, Reason::WrongSecret) };
        let game = self.tools.games().game(code)?;
        let request: JoinRequest = serde_json::from_str(&q.value).unwrap_or_default();
        let seats = self.tools.store.games().seats(&game.code)?;
        if game.status == Status::Over {
            let text = say!("The game is over.");
            return self.answers().answer(case, Verdict::Rejected, Reason::GameOver, &text);
        }
        if seats.iter().any(|s| s.has_player() && same_address(&s.address, &q.address)) {
            let text = say!("You have a seat in game {game} already.", game = game.code);
            return self.answers().answer(case, Verdict::Rejected, Reason::NotJoined, &text);
        }
        if game.terms.one_seat && other_seat(&seats, None, &q.address).is_some() {
            let text = two_seats(&game);
            return self.answers().answer(case, Verdict::Rejected, Reason::NotJoined, &text);
        }
        let Some(seat) = self.vacant_seat(&game, &seats, q, &request)? else {
            let text = say!(
                "All seats of game {game} are taken. You are on its waiting list, and hear from us \
                 when one becomes free.",
                game = game.code
            );
            let mut judged =
                self.answers().answer(case, Verdict::Accepted, Reason::Waiting, &text)?;
            judged.effects.push(Effect::Wait(game.code.clone(), q.address.clone(), request));
            return Ok(judged);
        };
        let password = secrets::password([self.tools.cx.word(), self.tools.cx.word()]);
        let row = self.taken(&game, seat, &seats, (q, &request), &password)?;
        let mut text = say!(
            "You have seat {seat} of game {game} ({title}). Its password is {password}; you need \
             it only if you write without answering a mail of the robot: then begin with the line \
             \"GAME {game} SEAT {seat} PASSWORD {password}\".",
            game = game.code,
            title = self.tools.games().engine(&game.engine)?.title()
        );
        text += "\n\n";
        let mut mails = Vec::new();
        match game.status {
            Status::Open => text += &say!("The first printout comes when the game starts."),
            _ => {
                text += &say!("The newest printout of your position comes in a mail of its own.");
                mails = self.first_printout(case, q, &game, &row)?;
            }
        }
        if row.name != request.name {
            text.push(' ');
            text +=
                &say!("The name that you wished for is no longer free; NAME gives you another.");
        }
        let replaced = seats.iter().find(|s| s.seat == seat && s.has_player());
        let mut judged = self.answers().answer(case, Verdict::Accepted, Reason::Joined, &text)?;
        if let Some(old) = replaced {
            mails.extend(self.replaced_notice(&game, old, case.now));
            judged.effects.push(Effect::Seat(game.code.clone(), seat, SeatChange::Resigned));
        }
        judged.effects.push(Effect::Take(Box::new(row)));
        judged.seat = Some((game.code.clone(), seat));
        mails.extend(self.tools.mailer().gm_mail(
            &format!("game {}: seat {seat} has a player", game.code),
            &format!("Seat {seat} of game {} was taken by mail.", game.code),
            &[&game.code, "joined", &seat.to_string()],
            case.now,
        ));
        judged.mails.extend(mails);
        Ok(judged)
    }

    /// The row of a seat for the player who takes it, with their wishes.
    fn taken(
        &self,
        game: &Game,
        seat: Seat,
        seats: &[SeatRow],
        (q, request): (&Question, &JoinRequest),
        password: &str,
    ) -> Result<SeatRow> {
        Ok(SeatRow {
            // Somebody else may have taken the name meanwhile.
            name: match name_fault(&request.name, Some(seat), seats) {
                None => request.name.clone(),
                Some(_) => String::new(),
            },
            address: q.address.clone(),
            language: match request.language.is_empty() {
                true => self.tools.store.games().language_of(&q.address)?,
                false => request.language.clone(),
            },
            password_digest: self.tools.store.key().password_digest(&game.code, seat, password),
            contact: request.contact.parse().unwrap_or_default(),
            epoch: seats.iter().find(|s| s.seat == seat).map_or(0, |s| s.epoch + 1),
            ..SeatRow::empty(&game.code, seat, &request.zone)
        })
    }

    /// The seat that somebody gets: the one that they were offered or asked for, if it is vacant,
    /// or any vacant one, if they joined by themselves.
    fn vacant_seat(
        &self,
        game: &Game,
        seats: &[SeatRow],
        q: &Question,
        request: &JoinRequest,
    ) -> Result<Option<Seat>> {
        // Somebody who has just come back keeps the seat.
        let cards = self.tools.store.journal().mailed_cards(&game.code, game.turn)?;
        let row = |n: u8| seats.iter().find(|s| s.seat.0 == n);
        let vacant = |n: u8| {
            let absent = |s: &SeatRow| {
                q.kind == QuestionKind::Standby && is_absent(game, s) && !cards.contains(&s.seat)
            };
            row(n).is_none_or(|s| {
                s.resigned || s.computer && game.status == Status::Open || absent(s)
            })
        };
        let joins = q.kind == QuestionKind::Join;
        let computers: Vec<u8> = match joins && game.status == Status::Running {
            true => self.of_computers(game, seats)?,
            false => Vec::new(),
        };
        let wanted = q.seat.map(|s| s.0).or(request.seat);
        let wanted = wanted.filter(|n| vacant(*n) || computers.contains(n));
        // Without a wanted seat, a free one comes before one of a computer.
        let free = || (1..=game.setup.seats).find(|n| vacant(*n)).or(computers.first().copied());
        let number = wanted.or_else(|| if joins { free() } else { None });
        Ok(number.map(Seat))
    }

    /// Seats that computers play and that are still in the game: a newcomer may take one.
    fn of_computers(&self, game: &Game, seats: &[SeatRow]) -> Result<Vec<u8>> {
        let open = self.tools.games().open(game)?;
        let plays = |s: &&SeatRow| {
            let report = || open.report(s.seat, &s.language).is_some();
            s.computer && self.tools.games().shielded(&game.code, report).unwrap_or(false)
        };
        Ok(seats.iter().filter(plays).map(|s| s.seat.0).collect())
    }

    /// The newest printout for somebody who has taken a seat of a running game.
    fn first_printout(
        &self,
        case: &Case,
        q: &Question,
        game: &Game,
        row: &SeatRow,
    ) -> Result<Vec<QueuedMail>> {
        let open = self.tools.games().open(game)?;
        let printer = self.tools.printer();
        let extras = printer.repeated(game, true, case.now)?;
        // The id of the mail differs from that of the earlier player's printout.
        let again = q.id.to_string();
        printer.printout(game, open.as_ref(), row, &extras, None, &again)
    }

    /// The notice to a player that somebody else has their seat now.
    fn replaced_notice(&self, game: &Game, old: &SeatRow, now: Timestamp) -> Option<QueuedMail> {
        let words = || {
            let text = say!(
                "You sent no orders for so long that somebody from the waiting list has taken your \
                 seat. Thank you for having played."
            );
            (say!("your seat has a new player"), text)
        };
        self.tools.mailer().notice(game, old, &words, "replaced", now)
    }

    /// Handles the answer of one of the two addresses of a move; with the second answer the seat
    /// moves.
    fn address_confirmed(&self, case: &Case, q: &Question) -> Result<Judged> {
        let all = self.tools.store.people().questions_about(&q.value)?;
        let open = all.iter().filter(|o| o.id != q.id && o.asked_at == q.asked_at);
        if open.clone().any(|o| !o.done) {
            let text = say!(
                "Thank you. The other address has not answered yet; the seat moves as soon as it \
                 does."
            );
            return self.answers().answer(case, Verdict::Accepted, Reason::AddressHalf, &text);
        }
        let (Some(code), Some(seat)) = (&q.game, q.seat) else {
            return self.answers().refused(case, Reason::WrongSecret);
        };
        let new = q.value.rsplit(' ').next().unwrap_or_default().to_owned();
        let Some(row) = self.tools.store.games().seat(code, seat)?.filter(SeatRow::has_player)
        else {
            return self.answers().refused(case, Reason::WrongSecret);
        };
        let same = |o: &&Question| o.kind == QuestionKind::OldAddress && o.asked_at == q.asked_at;
        let old = all.iter().find(same).map(|o| o.address.clone());
        if old.is_none_or(|o| !same_address(&o, &row.address)) {
            let text = say!("The seat has another address by now. Nothing was done.");
            return self.answers().answer(case, Verdict::Rejected, Reason::QuestionOver, &text);
        }
        let game = self.tools.games().game(code)?;
        let seats = self.tools.store.games().seats(code)?;
        if game.terms.one_seat && other_seat(&seats, Some(seat), &new).is_some() {
            let text = two_seats(&game);
            return self.answers().answer(case, Verdict::Rejected, Reason::QuestionOver, &text);
        }
        let moved_to = || say!("Seat {seat} of game {code} has moved to another mail address.");
        let text = moved_to();
        let words = || (say!("your seat has a new address"), moved_to());
        let mut judged = case.judged(Verdict::Accepted, Reason::AddressMoved, &text);
        let moved = SeatRow { address: new.clone(), epoch: row.epoch + 1, ..row.clone() };
        let id_key = q.id.to_string();
        judged.mails.extend(self.tools.mailer().notice(
            &game,
            &row,
            &words,
            &format!("old {id_key}"),
            case.now,
        ));
        judged.mails.extend(self.tools.mailer().notice(
            &game,
            &moved,
            &words,
            &format!("new {id_key}"),
            case.now,
        ));
        judged.effects.push(Effect::Seat(code.clone(), seat, SeatChange::Address(new)));
        judged.seat = Some((code.clone(), seat));
        Ok(judged)
    }

    /// Handles the YES of a player who leaves their seat.
    fn resigned(&self, case: &Case, q: &Question) -> Result<Judged> {
        let (Some(code), Some(seat)) = (&q.game, q.seat) else {
            return self.answers().refused(case, Reason::WrongSecret);
        };
        let row = self.tools.store.games().seat(code, seat)?;
        if row.is_none_or(|row| !same_address(&row.address, &q.address)) {
            // The seat has a new player by now.
            return self.answers().refused(case, Reason::WrongSecret);
        }
        let text = say!(
            "You have left seat {seat} of game {code}. Thank you for having played. FORGET as the \
             only word of a mail erases what is stored about you; EXPORT sends it to you before."
        );
        let mut judged = self.answers().answer(case, Verdict::Accepted, Reason::Resigned, &text)?;
        judged.effects.push(Effect::Seat(code.clone(), seat, SeatChange::Resigned));
        judged.seat = Some((code.clone(), seat));
        judged.mails.extend(self.tools.mailer().gm_mail(
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

    /// The words for the first seat that an address still has. `None`: it has none.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn still_plays(&self, address: &str) -> Result<Option<String>> {
        let seats = self.tools.store.games().seats_of(address)?;
        let said = |s: &SeatRow| say!("seat {seat} of game {game}", seat = s.seat, game = s.game);
        Ok(seats.first().map(said))
    }

    /// Erases a person who no longer has a seat.
    fn forgotten(&self, case: &Case, q: &Question) -> Result<Judged> {
        if let Some(still) = self.still_plays(&q.address)? {
            let text = say!("You still have {still}; leave it with RESIGN first.");
            return self.answers().answer(case, Verdict::Rejected, Reason::StillPlays, &text);
        }
        let mut judged =
            verdict_alone(Verdict::Accepted, Reason::Forgotten, "a person was erased", "erased");
        judged.digest = case.digest.clone();
        judged.effects = vec![Effect::Erase(q.address.clone()), Effect::Remove(case.stored.id)];
        let text = say!(
            "Everything that this host stored about you is erased. This mail is the last; it is \
             erased as soon as it has left. Not erased is what others were sent, such as letters \
             that you wrote: they have it, and the host has copies of it as long as their game \
             runs. Mails of yours that lie in the host's mailbox stay there until its game master \
             deletes them."
        );
        let (id_key, subject) = (case.stored.id.to_string(), say!("you are forgotten"));
        let to = (q.address.as_str(), subject.as_str());
        let mail =
            self.tools.mailer().answer_mail(MailKind::Farewell, to, None, &text, &id_key, case.now);
        judged.mails.extend(mail);
        Ok(judged)
    }
}
