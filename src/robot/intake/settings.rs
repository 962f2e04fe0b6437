//! What a player chooses by mail: readiness, votes, vacations, names, addresses.

use jiff::{SignedDuration, Timestamp};

use super::Intake;
use super::{Case, Claim};
use crate::card::Command;
use crate::context::Result;
use crate::text::plain_name;
use base::schedule;
use base::terms::Contact;
use mail::mime::{canonical, same_address};
use store::{Effect, Game, Judged, Question, QueuedMail, SeatChange, SeatRow, Status, Verdict};

/// Characters that a password has at least.
const PASSWORD_MIN: usize = 10;
/// Questions that may be asked of one address within a day.
pub(super) const QUESTIONS_A_DAY: u32 = 4;
/// Characters of a reason for an extension.
const REASON_MAX: usize = 100;

/// What the settings of a mail come to.
#[derive(Default)]
pub(super) struct Done {
    /// A sentence for each.
    pub notes: Vec<String>,
    pub effects: Vec<Effect>,
    pub mails: Vec<QueuedMail>,
    /// One of them was refused.
    pub refused: bool,
    pub reason: &'static str,
    pub subject: String,
}

/// What one setting comes to; the error is the sentence that refuses it.
pub(super) type Set = std::result::Result<(String, Vec<Effect>, Vec<QueuedMail>), String>;

impl Intake<'_> {
    /// Carries out every command of a mail that changes something but orders.
    pub(super) fn settings(&self, case: &Case, claim: &Claim) -> Result<Done> {
        let mut done = Done { reason: "settings", subject: "settings".into(), ..Done::default() };
        for command in case.request.commands.clone() {
            if !command.changes() {
                continue;
            }
            (done.reason, done.subject) = named(&command);
            match self.setting(case, claim, &command)? {
                Ok((note, effects, mails)) => {
                    done.notes.push(note);
                    done.effects.extend(effects);
                    done.mails.extend(mails);
                }
                Err(note) => {
                    done.notes.push(note);
                    done.refused = true;
                }
            }
        }
        Ok(done)
    }

    fn setting(&self, case: &Case, claim: &Claim, command: &Command) -> Result<Set> {
        let (game, seat) = (&claim.game, &claim.seat);
        let set = |note: String, change: SeatChange| {
            Ok(Ok((note, vec![Effect::Seat(game.code.clone(), seat.seat, change)], Vec::new())))
        };
        match command {
            Command::Ready(on) => Ok(self.ready(game, seat, *on)),
            Command::Extend(days, reason) => self.extend(case, claim, *days, reason),
            Command::Vacation(span) => Ok(vacation(game, seat, span.as_ref(), case.now)),
            Command::Name(name) => {
                let name = plain_name(name);
                set(format!("Your seat goes by the name {name:?} now."), SeatChange::Name(name))
            }
            Command::Contact(word) => match word.parse() {
                Ok(contact) => set(told_contact(contact), SeatChange::Contact(contact)),
                Err(_) => Ok(Err(format!(
                    "{word:?} is none of disclose, relay and hide; nothing was changed."
                ))),
            },
            Command::Address(to) => self.move_address(case, claim, to),
            Command::Password(new) => {
                let length = new.chars().count();
                if !(PASSWORD_MIN..=100).contains(&length) {
                    return Ok(Err(format!(
                        "A password has {PASSWORD_MIN} to 100 characters; it was not changed."
                    )));
                }
                let digest = self.store.key().password_digest(&game.code, seat.seat, new);
                let change =
                    Effect::Seat(game.code.clone(), seat.seat, SeatChange::Password(digest));
                let note = "Your password was changed. If that was not you, tell the game master \
                            at once.";
                // The mail that holds it is not kept, nor one that waited with it.
                let mut shred = vec![change, Effect::Shred(case.stored.id)];
                shred.extend(case.confirms.map(Effect::Shred));
                Ok(Ok((note.to_owned(), shred, Vec::new())))
            }
            Command::Zone(name) => match schedule::zone(name) {
                Ok(_) => {
                    let now = schedule::local(case.now, name);
                    set(
                        format!("Your dates are shown in {name} from now on; it is {now} there."),
                        SeatChange::Zone(name.clone()),
                    )
                }
                Err(e) => Ok(Err(format!("{e}. Nothing was changed."))),
            },
            Command::Format(words) => match seat.format.with(words) {
                Ok(format) => set(
                    format!("Printouts come as {} from the next one on.", format.describe()),
                    SeatChange::Format(format),
                ),
                Err(word) => Ok(Err(format!("FORMAT knows no {word:?}; nothing was changed."))),
            },
            Command::Lang(code) => self.choose_language(claim, code.as_deref()),
            Command::Reminders(on) => {
                let note = if *on {
                    "You are reminded before deadlines."
                } else {
                    "You get no more reminders."
                };
                set(note.to_owned(), SeatChange::Reminders(*on))
            }
            Command::Resign => self.question(
                case,
                claim,
                "resign",
                "Do you really leave your seat? Your position goes to a computer or to somebody \
                 from the waiting list, and there is no way back.",
            ),
            Command::Forget => self.ask_forget(case, &seat.address),
            _ => Ok(Ok((String::new(), Vec::new(), Vec::new()))),
        }
    }

    fn ready(&self, game: &Game, seat: &SeatRow, on: bool) -> Set {
        let label = &game.step.label;
        if game.status != Status::Running {
            return Err("There is no open turn that you could be ready for.".to_owned());
        }
        if !game.step.awaits(seat.seat) {
            let note = format!(
                "Nothing of yours is awaited in {label}, so nobody waits for you to be ready."
            );
            return Ok((note, Vec::new(), Vec::new()));
        }
        let turn = if on { game.turn } else { 0 };
        let note = match (on, game.terms.early) {
            (false, _) => "You are not ready any more.".to_owned(),
            (true, true) => format!(
                "You are ready for {label}. It runs as soon as all players are who are awaited; a \
                 new card does not change that, NOTREADY does."
            ),
            (true, false) => format!(
                "You are ready for {label}, and get no reminder. This game waits for its deadline."
            ),
        };
        let change = SeatChange::Ready(turn);
        Ok((note, vec![Effect::Seat(game.code.clone(), seat.seat, change)], Vec::new()))
    }

    /// A vote; when more than half of the players want it the deadline moves by the
    /// fewest days among their votes.
    fn extend(&self, case: &Case, claim: &Claim, days: u32, reason: &str) -> Result<Set> {
        let game = &claim.game;
        let most = game.terms.extend_days_max;
        let Some(due) = game.deadline.filter(|_| game.status == Status::Running) else {
            return Ok(Err("There is no deadline that could be moved.".to_owned()));
        };
        if most == 0 {
            return Ok(Err("In this game only the game master moves deadlines.".to_owned()));
        }
        if !(1..=most).contains(&days) {
            return Ok(Err(format!("A vote is for 1 to {most} days, such as EXTEND 2 exams.")));
        }
        let moved = format!("voted {}", game.turn);
        if self.store.is_reminded(&game.code, game.turn, "extended")? {
            return Ok(Err("The deadline of this turn was moved by a vote already.".to_owned()));
        }
        let reason: String = reason.chars().filter(|c| !c.is_control()).take(REASON_MAX).collect();
        let mut votes = self.store.votes(&game.code, game.turn)?;
        votes.retain(|(s, ..)| *s != claim.seat.seat);
        votes.push((claim.seat.seat, days, reason.clone()));
        let seats = self.store.seats(&game.code)?;
        let active = seats.iter().filter(|s| s.has_player()).count();
        let vote = Effect::Vote {
            game: game.code.clone(),
            turn: game.turn,
            seat: claim.seat.seat,
            days,
            reason,
        };
        if votes.len() * 2 <= active {
            let needed = active / 2 + 1;
            let note = format!(
                "Your vote for {days} more days counts; {} of {needed} votes are in.",
                votes.len()
            );
            return Ok(Ok((note, vec![vote], Vec::new())));
        }
        let fewest = votes.iter().map(|v| v.1).min().unwrap_or(days);
        let at = due + SignedDuration::from_hours(24 * i64::from(fewest));
        let at = game.rule.off_holidays(at).unwrap_or(at);
        let reasons: Vec<String> =
            votes.iter().filter(|v| !v.2.is_empty()).map(|v| format!("\"{}\"", v.2)).collect();
        let why = format!("The players voted for a later deadline. {}", reasons.join(", "));
        let mails = self.mailer().tell_all(
            &game.clone(),
            Some(at),
            "a later deadline",
            &why,
            &moved,
            case.now,
        )?;
        let note = format!("Your vote decided it: the deadline moves by {fewest} days.");
        let effect = Effect::Deadline { game: game.code.clone(), turn: game.turn, at };
        Ok(Ok((note, vec![effect], mails)))
    }

    fn move_address(&self, case: &Case, claim: &Claim, to: &str) -> Result<Set> {
        let (game, seat) = (&claim.game, &claim.seat);
        let Some(new) = canonical(to).filter(|a| a.parse::<lettre::Address>().is_ok()) else {
            return Ok(Err(format!(
                "{:?} is no mail address; nothing was changed.",
                to.chars().take(60).collect::<String>()
            )));
        };
        if same_address(&new, &seat.address) || same_address(&new, &self.cx.identity.address) {
            return Ok(Err("That is no new address; nothing was changed.".to_owned()));
        }
        let day = case.now - SignedDuration::from_hours(24);
        if self.store.questions_since(&seat.address, day)? >= QUESTIONS_A_DAY
            || self.store.questions_since(&new, day)? >= QUESTIONS_A_DAY
        {
            return Ok(Err("That was asked often enough today; try again tomorrow.".to_owned()));
        }
        let value = format!("{} {} {new}", game.code, seat.seat);
        let about = format!("Seat {} of game {}", seat.seat, game.code);
        let mut effects = Vec::new();
        let mut mails = Vec::new();
        let both = [
            ("old-address", seat.address.clone(), "is to move to another mail address"),
            ("new-address", new.clone(), "is to move to this mail address"),
        ];
        for (kind, address, what) in both {
            let text = format!(
                "{about} {what}. If you want that, answer with the one word YES; if not, do \
                 nothing. Nothing changes until both addresses have answered."
            );
            let q = self.new_question(kind, Some(claim), &address, &value, case.now);
            mails.extend(self.mailer().question_mail(
                &q,
                "is this address yours?",
                &text,
                case.now,
            ));
            effects.push(Effect::Ask(q));
        }
        let note = "Both addresses, the old one and the new one, are asked now; when both have \
                    answered YES the seat moves.";
        Ok(Ok((note.to_owned(), effects, mails)))
    }

    /// Asks a player once more before something that can't be undone.
    fn question(&self, case: &Case, claim: &Claim, kind: &str, text: &str) -> Result<Set> {
        let q = self.new_question(kind, Some(claim), &claim.seat.address, "", case.now);
        let text = format!("{text} Answer with the one word YES; to stay, do nothing.");
        let mails = self.mailer().question_mail(&q, "are you sure?", &text, case.now);
        let note = "You are asked in a mail of its own; answer it with YES.".to_owned();
        Ok(Ok((note, vec![Effect::Ask(q)], mails.into_iter().collect())))
    }

    pub(super) fn new_question(
        &self,
        kind: &str,
        claim: Option<&Claim>,
        address: &str,
        value: &str,
        now: Timestamp,
    ) -> Question {
        Question {
            id: (self.cx.word() >> 1).cast_signed(),
            kind: kind.to_owned(),
            game: claim.map(|c| c.game.code.clone()),
            seat: claim.map(|c| c.seat.seat),
            address: address.to_owned(),
            value: value.to_owned(),
            asked_at: now,
            done: false,
        }
    }

    /// The language of messages, or which there are.
    fn choose_language(&self, claim: &Claim, code: Option<&str>) -> Result<Set> {
        let known = match claim.game.status {
            Status::Open => self.games().engine(&claim.game.engine)?.languages(),
            _ => self.games().open(&claim.game)?.languages(),
        };
        let list = known.join(", ");
        let Some(code) = code.filter(|c| known.contains(c)) else {
            let now = match claim.seat.language.as_str() {
                "" => known.first().copied().unwrap_or("en"),
                code => code,
            };
            let text = format!(
                "Messages of other players come to you in {now}. There are: {list}. LANG with one \
                 of these codes chooses it."
            );
            return Ok(Ok((text, Vec::new(), Vec::new())));
        };
        let note = format!("From the next printout on messages come to you in {code}.");
        let (game, change) = (claim.game.code.clone(), SeatChange::Language(code.to_owned()));
        Ok(Ok((note, vec![Effect::Seat(game, claim.seat.seat, change)], Vec::new())))
    }

    /// A mail to the address that ends reminders: one click in a mail program.
    pub(super) fn stop_reminders(
        &self,
        case: &Case,
        game: &str,
        seat: &str,
        secret: &str,
    ) -> Result<Judged> {
        let seat = engine::Seat(seat.parse().unwrap_or(0));
        let game = self.store.game(game)?.map(|g| g.code).unwrap_or_default();
        let right =
            base::secrets::same(&self.store.key().stop(&game, seat), &secret.to_lowercase());
        if !right {
            return self.refused(case, "wrong-secret");
        }
        let why = "reminders of this seat ended";
        let mut judged = self.judged(case, Verdict::Accepted, "no-reminders", why);
        judged.effects.push(Effect::Seat(game.clone(), seat, SeatChange::Reminders(false)));
        judged.seat = Some((game, seat));
        Ok(judged)
    }
}

fn named(command: &Command) -> (&'static str, String) {
    let (reason, subject) = match command {
        Command::Ready(true) => ("ready", "you are ready"),
        Command::Ready(false) => ("not-ready", "you are not ready"),
        Command::Extend(..) => ("vote", "your vote"),
        Command::Vacation(_) => ("vacation", "your vacation"),
        Command::Lang(_) => ("language", "languages"),
        Command::Resign => ("resign-asked", "leaving"),
        Command::Forget => ("forget-asked", "erasing your data"),
        Command::Address(_) => ("address-asked", "a new address"),
        Command::Password(_) => ("password", "your password was changed"),
        _ => ("settings", "settings changed"),
    };
    (reason, subject.to_owned())
}

pub(super) fn told_contact(contact: Contact) -> String {
    match contact {
        Contact::Disclose => "Players whom you meet learn your mail address.",
        Contact::Relay => {
            "Players whom you meet get an address of the robot that forwards to you; yours is not \
             shown."
        }
        Contact::Hide => "Nobody learns your mail address, and nobody can write to you by mail.",
    }
    .to_owned()
}

fn vacation(game: &Game, seat: &SeatRow, span: Option<&(String, String)>, now: Timestamp) -> Set {
    let set = |note: String, span: Option<(Timestamp, Timestamp)>| {
        let change = SeatChange::Away(span);
        Ok((note, vec![Effect::Seat(game.code.clone(), seat.seat, change)], Vec::new()))
    };
    let Some((from, to)) = span else { return set("Welcome back.".to_owned(), None) };
    let day = |text: &str, at: &str| schedule::date(&format!("{text} {at}"), &seat.zone);
    let (Ok(from), Ok(to)) = (day(from, "00:00"), day(to, "23:59")) else {
        return Err("Dates are written so: VACATION 2026-12-20 2027-01-03.".to_owned());
    };
    let until = to + SignedDuration::from_mins(1);
    let most = i64::from(game.terms.vacation_days_max);
    if until <= from || until <= now {
        return Err("That vacation is over before it begins.".to_owned());
    }
    if until.duration_since(from) > SignedDuration::from_hours(24 * most + 25) {
        return Err(format!("A vacation in this game lasts {most} days at most."));
    }
    let note = format!(
        "Your vacation is noted, from {} to {}. Meanwhile you are not reminded, nobody waits for \
         you, and missed turns do not count; your standing orders go on. Cards that you send count \
         all the same.",
        schedule::local(from, &seat.zone),
        schedule::local(to, &seat.zone)
    );
    set(note, Some((from, until)))
}
