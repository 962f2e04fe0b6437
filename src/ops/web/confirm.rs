//! How the game master acts on the dashboard: a first page says what will happen, and its form does
//! it, with a token that is good only for this act on this state.
//!
//! So no other site can make the game master's browser do anything, and nobody confirms what has
//! changed since they read it.

use std::sync::Arc;

use axum::Form;
use axum::extract::State;
use axum::response::Html;
use jiff::Timestamp;
use maud::{Markup, html};

use super::command;
use super::form::{ActForm, ConfirmPage, TOKEN, number};
use super::new_game::make;
use super::pages::found;
use super::views::page;
use super::{Page, Shared, WebError};
use crate::ops::overview::{Overview, SeatState};
use base::schedule;
use base::secrets::{HostKey, same};
use base::text::{capital, count, steers};
use engine::Seat;
use robot::Robot;
use robot::gm::{
    By, Deadline, GiveSeat, GmAction, Hold, Release, Resend, Run, Start, Tell, Undo, Withdraw,
};
use robot::quarantine::{DiscardMail, ReleaseMail};
use store::{Game, SeatRow, Status, Verdict};

/// Hours for which a confirmation is good, the one that has begun included.
const GOOD_HOURS: i64 = 2;
/// Characters of a reason, at most.
const WHY_MAX: usize = 200;
/// Characters of a message to players, at most.
const LETTER_MAX: usize = 10_000;

/// The page that says what will happen and asks whether to do it.
pub async fn ask(State(shared): State<Arc<Shared>>, Form(form): Form<ActForm>) -> Page {
    let page = shared
        .ask(move |robot, shared| {
            if form.get("act") == command::WORD
                && let Some(answer) = command::answer(robot, &form)?
            {
                return Ok(answer);
            }
            let asked = page_of(robot, &form)?;
            let token = token(&shared.key, &form, &asked.state, hour(robot.now()));
            Ok(question(&form, &asked, &token, robot.now()))
        })
        .await?;
    Ok(Html(page.into_string()))
}

fn question(form: &ActForm, asked: &ConfirmPage, token: &str, now: Timestamp) -> Markup {
    let body = html! {
        @for sentence in &asked.says { p { (sentence) } }
        form method="post" action="/do" .last-word {
            @for (name, value) in form.asked() { input type="hidden" name=(name) value=(value); }
            input type="hidden" name=(TOKEN) value=(token);
            button type="submit" .sure { "Yes: " (asked.title) }
            a href=(asked.back) { "No, go back" }
        }
    };
    page(&format!("{}?", capital(&asked.title)), "", now, body)
}

/// Does what was confirmed, and gives a page that says so.
pub async fn act(State(shared): State<Arc<Shared>>, Form(form): Form<ActForm>) -> Page {
    let page = shared
        .ask(move |robot, shared| {
            // A page elsewhere can't know the token, whatever act it asks for.
            if form.get(TOKEN).is_empty() {
                return Err(WebError::Stale(
                    "This was not confirmed; nothing was done.".to_owned(),
                ));
            }
            let asked = page_of(robot, &form)?;
            let now = hour(robot.now());
            let good = |hour| same(form.get(TOKEN), &token(&shared.key, &form, &asked.state, hour));
            if !(now + 1 - GOOD_HOURS..=now).any(good) {
                let told = "What you confirmed is not what is there now, or it was long ago: \
                            nothing was done. Look again, and confirm anew.";
                return Err(WebError::Stale(told.to_owned()));
            }
            let said = robot.act(By::Dashboard, asked.act.as_ref())?;
            Ok(done(&asked, &said, robot.now()))
        })
        .await?;
    Ok(Html(page.into_string()))
}

fn done(asked: &ConfirmPage, said: &str, now: Timestamp) -> Markup {
    let body = html! {
        p role="status" .good { (said) }
        p { a href=(asked.back) { "Go on" } " · " a href="/acts" { "The record of acts" } }
    };
    page("Done", "", now, body)
}

fn hour(now: Timestamp) -> i64 {
    now.as_second() / 3600
}

fn token(key: &HostKey, form: &ActForm, state: &str, hour: i64) -> String {
    let hour = hour.to_string();
    // Browsers differ in the ends of lines that they send.
    let fields: Vec<(&str, String)> =
        form.asked().map(|(name, value)| (name, value.replace('\r', ""))).collect();
    let fields = fields.iter().flat_map(|(name, value)| [*name, value.as_str()]);
    let parts: Vec<&str> = ["form"].into_iter().chain(fields).chain([state, &hour]).collect();
    key.dashboard(&parts)
}

/// Checks what a form asks for, as far as that can be done before the act.
type Ask = fn(&Robot, &ActForm) -> Result<ConfirmPage, WebError>;

/// Every act of the dashboard by the word that a form has for it.
const ACTS: &[(&str, Ask)] = &[
    ("hold", |robot, form| of_game(robot, form, hold)),
    ("release", |robot, form| of_game(robot, form, release)),
    ("deadline", |robot, form| of_game(robot, form, deadline)),
    ("run", |robot, form| of_game(robot, form, run)),
    ("withdraw", |robot, form| of_game(robot, form, withdraw)),
    (command::WORD, command::command),
    ("make", make),
    ("start", start),
    ("seat", seat),
    ("tell", tell),
    ("release-mail", |robot, form| of_mail(robot, form, release_mail)),
    ("drop-mail", |robot, form| of_mail(robot, form, drop_mail)),
    ("resend", resend),
    ("undo", undo),
];

fn page_of(robot: &Robot, form: &ActForm) -> Result<ConfirmPage, WebError> {
    match ACTS.iter().find(|(act, _)| *act == form.get("act")) {
        Some((_, ask)) => ask(robot, form),
        None => Err(WebError::Refused("There is no such act.".to_owned())),
    }
}

fn of_game(
    robot: &Robot,
    form: &ActForm,
    ask: fn(&Robot, &Game, &ActForm) -> OfGame,
) -> Result<ConfirmPage, WebError> {
    let game = found(robot, form.get("game"))?;
    let (act, title, says) = ask(robot, &game, form)?;
    let status = game.status.as_str();
    let state = format!("{} {} {status} {:?}", game.turn, game.revision, game.deadline);
    Ok(ConfirmPage { act, title, says, state, back: format!("/games/{}", game.code) })
}

/// An act on a game with its title and what will happen.
type OfGame = Result<(Box<dyn GmAction>, String, Vec<String>), WebError>;

/// Refuses an act that does not fit the state of a game.
fn only_if(yes: bool, game: &Game, why: &str) -> Result<(), WebError> {
    match yes {
        true => Ok(()),
        false => Err(WebError::Refused(format!("Game {} {why}.", game.code))),
    }
}

fn hold(_: &Robot, game: &Game, form: &ActForm) -> OfGame {
    only_if(game.status == Status::Running, game, "does not run")?;
    let code = game.code.clone();
    let why = match form.get("why").trim() {
        "" => "the game master suspended it".to_owned(),
        why => why.chars().filter(|c| !steers(*c)).take(WHY_MAX).collect(),
    };
    let says = format!(
        "No turn of game {code} runs until you let it go on. Cards still come in. The \
         reason that is noted: {why}"
    );
    let title = format!("suspend game {code}");
    Ok((Box::new(Hold { game: code, why }), title, vec![says]))
}

fn release(_: &Robot, game: &Game, _: &ActForm) -> OfGame {
    only_if(game.status == Status::Suspended, game, "is not suspended")?;
    let code = game.code.clone();
    let due = match game.deadline {
        Some(at) => {
            let label = &game.step.label;
            format!("The deadline of {label} is {}.", schedule::local(at, &game.rule.zone))
        }
        None => "It gets the next deadline of its calendar.".to_owned(),
    };
    let says = format!("Game {code} goes on, and all its players are told. {due}");
    let title = format!("let game {code} go on");
    Ok((Box::new(Release { game: code }), title, vec![says]))
}

fn deadline(robot: &Robot, game: &Game, form: &ActForm) -> OfGame {
    let (code, turn, zone) = (game.code.clone(), game.turn, &game.rule.zone);
    only_if(turn > 0 && game.status != Status::Over, game, "has no open turn")?;
    // A browser's field has a T between date and time.
    let at = form.get("at").trim().replacen('T', " ", 1);
    let to = schedule::date(&at, zone).map_err(|e| WebError::Refused(e.to_string()))?;
    if to <= robot.now() {
        let told = "The deadline must lie ahead; “Run the turn now” runs it now.";
        return Err(WebError::Refused(told.to_owned()));
    }
    let old = game.deadline.map_or("no deadline".to_owned(), |d| schedule::local(d, zone));
    let says = format!(
        "The deadline of {} of game {code} moves from {old} to {}, in {}. All its \
         players are told.",
        game.step.label,
        schedule::local(to, zone),
        schedule::left(robot.now(), to)
    );
    let title = format!("move the deadline of game {code}");
    Ok((Box::new(Deadline { game: code, at }), title, vec![says]))
}

fn run(robot: &Robot, game: &Game, _: &ActForm) -> OfGame {
    only_if(game.status == Status::Running, game, "does not run")?;
    let code = game.code.clone();
    let title = format!("run {} of game {code} now", game.step.label);
    let says = before_run(robot, &code)?;
    Ok((Box::new(Run { game: code }), title, says))
}

fn withdraw(robot: &Robot, game: &Game, _: &ActForm) -> OfGame {
    only_if(game.turn > 1, game, "has no turn that could be taken back")?;
    let code = game.code.clone();
    let label = robot.reports().step_label(&code, game.turn - 1)?;
    let says = format!(
        "Takes back {label} of game {code}: the printout becomes void, the cards are on file \
         again, and the game is suspended. All its players are told. It is refused if a player \
         has sent a card since."
    );
    let title = format!("take {label} of game {code} back");
    Ok((Box::new(Withdraw { game: code, to: None }), title, vec![says]))
}

/// A game whose seats are to be filled: its seats, how many are taken, and the state that an act on
/// it is based on.
fn of_seats(
    robot: &Robot,
    form: &ActForm,
) -> Result<(Game, Vec<SeatRow>, usize, String), WebError> {
    let game = found(robot, form.get("game"))?;
    let seats = robot.store.games().seats(&game.code)?;
    let taken = seats.iter().filter(|s| !s.resigned).count();
    let state = format!("{} {} {taken}", game.turn, game.status.as_str());
    Ok((game, seats, taken, state))
}

fn start(robot: &Robot, form: &ActForm) -> Result<ConfirmPage, WebError> {
    let (game, _, taken, state) = of_seats(robot, form)?;
    only_if(game.status == Status::Open, &game, "has started already")?;
    let (code, back) = (game.code.clone(), format!("/games/{}", game.code));
    let free = usize::from(game.setup.seats).saturating_sub(taken);
    let computers = !form.get("yes").is_empty();
    let says = match (free, computers) {
        (0, _) => "All seats are taken.".to_owned(),
        (n, true) => format!("Computers take the {}.", count(n, "free seat")),
        (n, false) => {
            let told = "give them to players, or let computers play them";
            let told = format!("Game {code} has {}: {told}.", count(n, "free seat"));
            return Err(WebError::Refused(told));
        }
    };
    let says = vec![says, "Its world is made and its first printouts leave.".to_owned()];
    let title = format!("start game {code}");
    let act = Box::new(Start { game: code, computers, free: false, deadline: None });
    Ok(ConfirmPage { act, title, says, state, back })
}

fn seat(robot: &Robot, form: &ActForm) -> Result<ConfirmPage, WebError> {
    let (game, seats, _, state) = of_seats(robot, form)?;
    let (code, back) = (game.code.clone(), format!("/games/{}", game.code));
    let seat = seat_of(form)?;
    let had = seats.iter().find(|s| s.seat == seat).filter(|s| s.has_player());
    let address = form.get("address").trim().to_owned();
    let mut says = vec![format!("Seat {seat} of game {code} goes to {address}.")];
    says.push(match had {
        Some(_) => "It has a player, who is told and gets no more mails of it.".to_owned(),
        None => "It has no player now.".to_owned(),
    });
    let title = format!("give seat {seat} of game {code}");
    let state = format!("{state} {}", had.map_or("", |s| s.address.as_str()));
    let act = Box::new(GiveSeat { game: code, seat, address });
    Ok(ConfirmPage { act, title, says, state, back })
}

fn seat_of(form: &ActForm) -> Result<Seat, WebError> {
    let bad = |_| WebError::Refused("There is no such seat.".to_owned());
    form.get("number").parse().map(Seat).map_err(bad)
}

/// A message to the players of a game, or to one.
fn tell(robot: &Robot, form: &ActForm) -> Result<ConfirmPage, WebError> {
    let game = found(robot, form.get("game"))?;
    let text: String = form.get("text").replace('\r', "").trim().chars().take(LETTER_MAX).collect();
    if text.is_empty() {
        return Err(WebError::Refused("The letter is empty; nothing was sent.".to_owned()));
    }
    let seat = (!form.get("number").is_empty()).then(|| seat_of(form)).transpose()?;
    let whom = seat.map_or("all players".to_owned(), |seat| format!("the player of seat {seat}"));
    let mut says = vec![format!("{} of game {} get this letter:", capital(&whom), game.code)];
    says.extend(text.lines().map(str::to_owned));
    // A second click must not send it twice.
    let last = robot.store.acts(Some(&game.code), 1)?.first().map_or(0, |row| row.id);
    let (code, back) = (game.code.clone(), format!("/games/{}", game.code));
    let title = format!("write to {whom} of game {code}");
    let act = Box::new(Tell { game: code, seat, text });
    Ok(ConfirmPage { act, title, says, state: format!("after act {last}"), back })
}

/// What the game master should know before a turn runs: whose cards are missing, how early it is.
fn before_run(robot: &Robot, code: &str) -> Result<Vec<String>, WebError> {
    let seen = Overview::of(robot, robot.now())?;
    let game = seen.game(code).ok_or(WebError::Failed)?;
    let early = match game.deadline {
        Some(at) if at > seen.at => {
            format!(", {} before its deadline", schedule::left(seen.at, at))
        }
        _ => String::new(),
    };
    let missing: Vec<String> =
        game.seats_that(SeatState::Missing).map(|s| s.seat.to_string()).collect();
    let mut says = vec![format!(
        "Game {code} runs {} now{early}, with the cards that are on file, and the printouts \
         leave. It can be taken back only until a player answers.",
        game.label
    )];
    says.push(match missing.is_empty() {
        true => "No card is missing.".to_owned(),
        false => format!("Cards are missing of seats {}.", missing.join(", ")),
    });
    Ok(says)
}

/// An act on a mail with its title and what will happen.
type OfMail = (Box<dyn GmAction>, String, String);

fn of_mail(
    robot: &Robot,
    form: &ActForm,
    ask: fn(i64, Option<String>) -> OfMail,
) -> Result<ConfirmPage, WebError> {
    let mail = number(form)?;
    let row = robot.store.mails().mail(mail)?;
    let in_quarantine = match row.as_ref().and_then(|r| r.verdict) {
        Some(Verdict::Quarantined) => true,
        Some(Verdict::Pending) => robot.store.mails().pending(mail)?.is_some(),
        _ => false,
    };
    let Some(row) = row.filter(|_| in_quarantine) else {
        return Err(WebError::Refused(format!("No mail {mail} is in quarantine.")));
    };
    let pending = (row.verdict == Some(Verdict::Pending)).then(|| match (&row.game, row.seat) {
        (Some(game), Some(seat)) => format!("seat {seat} of game {game}"),
        _ => "nobody that is known".to_owned(),
    });
    let (act, title, says) = ask(mail, pending);
    let state = row.verdict.map_or("", Verdict::as_str).to_owned();
    Ok(ConfirmPage { act, title, says: vec![says], state, back: "/quarantine".to_owned() })
}

/// Lets a mail count that is in quarantine or waits for the YES of a seat's player.
fn release_mail(mail: i64, pending: Option<String>) -> OfMail {
    let (title, says) = match pending {
        Some(of) => (
            format!("let mail {mail} count"),
            format!("Mail {mail} counts as if the player of {of} had said YES."),
        ),
        None => (
            format!("judge mail {mail} anew"),
            format!(
                "Mail {mail} gets a new verdict with the next mails, and what follows from it."
            ),
        ),
    };
    (Box::new(ReleaseMail { mail }), title, says)
}

fn drop_mail(mail: i64, _: Option<String>) -> OfMail {
    let says = format!("Mail {mail} does nothing, and nobody is told.");
    (Box::new(DiscardMail { mail }), format!("discard mail {mail}"), says)
}

fn resend(robot: &Robot, form: &ActForm) -> Result<ConfirmPage, WebError> {
    let counts = robot.store.outbox().outbox_counts()?;
    let (act, title, says) = match form.get("number").is_empty() {
        true => (
            Box::new(Resend { mail: None }),
            "send all failed mails again".to_owned(),
            "All mails that failed or came back go into the outbox again. Those of turns that \
             were taken back stay."
                .to_owned(),
        ),
        false => {
            let mail = number(form)?;
            (
                Box::new(Resend { mail: Some(mail) }),
                format!("send mail {mail} again"),
                format!("Mail {mail} goes into the outbox again, to the same address."),
            )
        }
    };
    // A second click must not send the mails twice.
    let state = format!("{} {} {}", counts.waiting, counts.sent, counts.failed);
    Ok(ConfirmPage { act, title, says: vec![says], state, back: "/outbox".to_owned() })
}

fn undo(robot: &Robot, form: &ActForm) -> Result<ConfirmPage, WebError> {
    let act = number(form)?;
    let row = robot.store.act(act)?;
    let what = row.as_ref().map_or_else(String::new, |r| format!(": {}", r.what));
    let undone = row.and_then(|r| r.undone_by);
    Ok(ConfirmPage {
        act: Box::new(Undo { act }),
        title: format!("undo act {act}"),
        says: vec![
            format!("Act {act}{what}"),
            "What it changed is put back as it was before.".to_owned(),
        ],
        state: format!("{undone:?}"),
        back: "/acts".to_owned(),
    })
}
