//! What the game master does on a page: first it says what will happen, then a second form
//! does it, with a token that is good for this act on this state alone.

use std::sync::Arc;

use axum::Form;
use axum::extract::State;
use axum::response::Html;
use jiff::Timestamp;
use maud::{Markup, html};
use serde::Deserialize;

use super::pages::{Page, found};
use super::views::{page, tame, upper};
use super::{Desk, Trouble};
use base::schedule;
use base::secrets::{HostKey, same};
use robot::Robot;
use robot::acts::{Act, By};
use store::{Status, Verdict};

/// Hours for which a confirmation is good, the one that has begun included.
const GOOD_HOURS: i64 = 2;
/// Letters of a reason.
const WHY_MAX: usize = 200;

/// What a form asks for; fields that an act has no use for are empty.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Wish {
    act: String,
    game: String,
    why: String,
    at: String,
    /// Of a mail, or of an act in the record.
    number: String,
    token: String,
}

/// An act with what will come of it, and where one goes then.
struct Plan {
    act: Act,
    title: String,
    /// What will happen.
    says: Vec<String>,
    /// What the act is based on; when it has changed, it is not done.
    state: String,
    back: String,
}

/// Says what will happen and asks for the last word.
pub async fn confirm(State(desk): State<Arc<Desk>>, Form(wish): Form<Wish>) -> Page {
    let page = desk
        .ask(move |robot, desk| {
            let plan = plan(robot, &wish)?;
            let token = token(&desk.key, &wish, &plan.state, hour(robot.now()));
            Ok(question(&wish, &plan, &token, robot.now()))
        })
        .await?;
    Ok(Html(page.into_string()))
}

fn question(wish: &Wish, plan: &Plan, token: &str, now: Timestamp) -> Markup {
    let fields = [
        ("act", &wish.act),
        ("game", &wish.game),
        ("why", &wish.why),
        ("at", &wish.at),
        ("number", &wish.number),
    ];
    let body = html! {
        @for sentence in &plan.says { p { (sentence) } }
        form method="post" action="/do" .last-word {
            @for (name, value) in fields.iter().filter(|f| !f.1.is_empty()) {
                input type="hidden" name=(name) value=(value);
            }
            input type="hidden" name="token" value=(token);
            button type="submit" .sure { "Yes: " (plan.title) }
            a href=(plan.back) { "No, go back" }
        }
    };
    page(&format!("{}?", upper(&plan.title)), "", now, body)
}

/// Does what was confirmed.
pub async fn act(State(desk): State<Arc<Desk>>, Form(wish): Form<Wish>) -> Page {
    let page = desk
        .ask(move |robot, desk| {
            // A page elsewhere can't know the token, whatever act it asks for.
            if wish.token.is_empty() {
                return Err(Trouble::Stale("This was not confirmed; nothing was done.".to_owned()));
            }
            let plan = plan(robot, &wish)?;
            let now = hour(robot.now());
            let good = |hour| same(&wish.token, &token(&desk.key, &wish, &plan.state, hour));
            if !(now + 1 - GOOD_HOURS..=now).any(good) {
                let told = "What you confirmed is not what is there now, or it was long ago: \
                            nothing was done. Look again, and confirm anew.";
                return Err(Trouble::Stale(told.to_owned()));
            }
            let said = robot.master(By::Dashboard, &plan.act)?;
            Ok(done(&plan, &said, robot.now()))
        })
        .await?;
    Ok(Html(page.into_string()))
}

fn done(plan: &Plan, said: &str, now: Timestamp) -> Markup {
    let body = html! {
        p role="status" .good { (tame(said)) }
        p { a href=(plan.back) { "Go on" } " · " a href="/acts" { "The record of acts" } }
    };
    page("Done", "", now, body)
}

fn hour(now: Timestamp) -> i64 {
    now.as_second() / 3600
}

fn token(key: &HostKey, wish: &Wish, state: &str, hour: i64) -> String {
    let Wish { act, game, why, at, number, token: _ } = wish;
    key.dashboard(&["form", act, game, why, at, number, state, &hour.to_string()])
}

/// What a form asks for, checked as far as it can be before it is done.
fn plan(robot: &Robot, wish: &Wish) -> Result<Plan, Trouble> {
    match wish.act.as_str() {
        "hold" | "release" | "deadline" | "run" | "withdraw" => of_game(robot, wish),
        "release-mail" | "drop-mail" => of_mail(robot, wish),
        "resend" => of_outbox(robot, wish),
        "undo" => of_record(robot, wish),
        _ => Err(Trouble::Refused("There is no such act.".to_owned())),
    }
}

fn of_game(robot: &Robot, wish: &Wish) -> Result<Plan, Trouble> {
    let game = found(robot, &wish.game)?;
    let (code, turn) = (game.code.clone(), game.turn);
    let runs = |yes: bool, why: &str| match yes {
        true => Ok(()),
        false => Err(Trouble::Refused(format!("Game {} {why}.", game.code))),
    };
    let (act, title, says) = match wish.act.as_str() {
        "hold" => {
            runs(game.status == Status::Running, "does not run")?;
            let why = match wish.why.trim() {
                "" => "the game master holds it".to_owned(),
                why => tame(why).chars().take(WHY_MAX).collect(),
            };
            let says = format!(
                "No turn of game {code} runs until you let it go on. Cards still come in. The \
                 reason that is noted: {why}"
            );
            (Act::Hold { game: code.clone(), why }, format!("hold game {code}"), vec![says])
        }
        "release" => {
            runs(game.status == Status::Held, "is not held")?;
            let due = match game.deadline {
                Some(at) => format!("Turn {turn} is due {}.", schedule::local(at, &game.rule.zone)),
                None => "It gets the next deadline of its calendar.".to_owned(),
            };
            let says = format!("Game {code} goes on, and all its players are told. {due}");
            let title = format!("let game {code} go on");
            (Act::Release { game: code.clone() }, title, vec![says])
        }
        "deadline" => {
            runs(turn > 0 && game.status != Status::Over, "has no open turn")?;
            // A browser's field has a T between date and time.
            let at = wish.at.trim().replacen('T', " ", 1);
            let to = schedule::date(&at, &game.rule.zone);
            let to = to.map_err(|e| Trouble::Refused(e.to_string()))?;
            if to <= robot.now() {
                let told = "The deadline must lie ahead; “Run the turn now” runs it now.";
                return Err(Trouble::Refused(told.to_owned()));
            }
            let old = game
                .deadline
                .map_or("no deadline".to_owned(), |d| schedule::local(d, &game.rule.zone));
            let says = format!(
                "The deadline of turn {turn} of game {code} moves from {old} to {}, in {}. All \
                 its players are told.",
                schedule::local(to, &game.rule.zone),
                schedule::left(robot.now(), to)
            );
            let title = format!("move the deadline of game {code}");
            (Act::Deadline { game: code.clone(), at }, title, vec![says])
        }
        "run" => {
            runs(game.status == Status::Running, "does not run")?;
            let title = format!("run turn {turn} of game {code} now");
            (Act::Run { game: code.clone() }, title, before_run(robot, &code)?)
        }
        _ => {
            runs(turn > 1, "has no turn that could be taken back")?;
            let says = format!(
                "Turn {} of game {code} is taken back: its printout becomes void, the cards of \
                 that turn are on file again, and the game is held. All its players are told. It \
                 is refused if a player has sent a card since.",
                turn - 1
            );
            let title = format!("take turn {} of game {code} back", turn - 1);
            (Act::Withdraw { game: code.clone() }, title, vec![says])
        }
    };
    let status = game.status.word();
    let state = format!("{turn} {} {status} {:?}", game.revision, game.deadline);
    Ok(Plan { act, title, says, state, back: format!("/games/{code}") })
}

fn before_run(robot: &Robot, code: &str) -> Result<Vec<String>, Trouble> {
    use crate::ops::overview::{Overview, SeatState};
    let seen = Overview::of(robot, robot.now())?;
    let game = seen.game(code).ok_or(Trouble::Failed)?;
    let early = match game.deadline {
        Some(at) if at > seen.at => {
            format!(", {} before its deadline", schedule::left(seen.at, at))
        }
        _ => String::new(),
    };
    let missing: Vec<String> =
        game.seats_that(SeatState::Missing).map(|s| s.seat.to_string()).collect();
    let mut says = vec![format!(
        "Turn {} of game {code} runs now{early}, with the cards that are on file, and its \
         printouts leave. It can be taken back only until a player answers.",
        game.turn
    )];
    says.push(match missing.is_empty() {
        true => "No card is missing.".to_owned(),
        false => format!("Cards are missing of seats {}.", missing.join(", ")),
    });
    Ok(says)
}

fn number(wish: &Wish) -> Result<i64, Trouble> {
    let bad = |_| Trouble::Refused("There is no such number.".to_owned());
    wish.number.parse().map_err(bad)
}

fn of_mail(robot: &Robot, wish: &Wish) -> Result<Plan, Trouble> {
    let mail = number(wish)?;
    let row = robot.store.mail(mail)?;
    let aside = match row.as_ref().and_then(|r| r.verdict) {
        Some(Verdict::Quarantined) => true,
        Some(Verdict::Held) => robot.store.held(mail)?.is_some(),
        _ => false,
    };
    let Some(row) = row.filter(|_| aside) else {
        return Err(Trouble::Refused(format!("No mail {mail} is set aside.")));
    };
    let held = row.verdict == Some(Verdict::Held);
    let of = match (&row.game, row.seat) {
        (Some(game), Some(seat)) => format!("seat {seat} of game {game}"),
        _ => "nobody that is known".to_owned(),
    };
    let (act, title, says) = match wish.act.as_str() {
        "release-mail" if held => (
            Act::ReleaseMail { mail },
            format!("let mail {mail} count"),
            format!("Mail {mail} counts as if the player of {of} had said YES."),
        ),
        "release-mail" => (
            Act::ReleaseMail { mail },
            format!("judge mail {mail} anew"),
            format!(
                "Mail {mail} gets a new verdict with the next mails, and what follows from it."
            ),
        ),
        _ => (
            Act::DropMail { mail },
            format!("lay mail {mail} to rest"),
            format!("Mail {mail} does nothing, and nobody is told."),
        ),
    };
    let state = row.verdict.map_or("", Verdict::word).to_owned();
    Ok(Plan { act, title, says: vec![says], state, back: "/quarantine".to_owned() })
}

fn of_outbox(robot: &Robot, wish: &Wish) -> Result<Plan, Trouble> {
    let tally = robot.store.tally()?;
    let (act, title, says) = match wish.number.is_empty() {
        true => (
            Act::Resend { mail: None },
            "send all failed mails again".to_owned(),
            "All mails that failed or came back go into the outbox again. Those of turns that \
             were taken back stay."
                .to_owned(),
        ),
        false => {
            let mail = number(wish)?;
            (
                Act::Resend { mail: Some(mail) },
                format!("send mail {mail} again"),
                format!("Mail {mail} goes into the outbox again, to the same address."),
            )
        }
    };
    // Sent twice it would come twice.
    let state = format!("{} {} {}", tally.waiting, tally.sent, tally.failed);
    Ok(Plan { act, title, says: vec![says], state, back: "/outbox".to_owned() })
}

fn of_record(robot: &Robot, wish: &Wish) -> Result<Plan, Trouble> {
    let act = number(wish)?;
    let row = robot.store.act(act)?;
    let what = row.as_ref().map_or_else(String::new, |r| format!(": {}", r.what));
    let undone = row.and_then(|r| r.undone_by);
    Ok(Plan {
        act: Act::Undo { act },
        title: format!("undo act {act}"),
        says: vec![
            format!("Act {act}{what}"),
            "What it changed is put back as it was before.".to_owned(),
        ],
        state: format!("{undone:?}"),
        back: "/acts".to_owned(),
    })
}
