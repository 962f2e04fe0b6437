//! A command of the game master on the dashboard, written as in a mail: a question is answered at
//! once, an act is confirmed first.

use jiff::Timestamp;
use maud::{Markup, html};

use super::WebError;
use super::form::{ActForm, ConfirmPage};
use super::views::{ask, page, table};
use crate::ops::gm_command;
use base::text::capital;
use robot::Robot;
use robot::gm::{Asked, By};
use robot::gm_commands::{self, ROWS};

/// The word of a form that has a command.
pub const WORD: &str = "command";

/// The field for a command, and the list of them.
pub fn field() -> Markup {
    let rows = ROWS.iter().map(|row| vec![html! { code { (row.form) } }, html! { (row.help) }]);
    html! {
        div .acts {
            (ask(&[("act", WORD)], "Go on", html! {
                label { "As in a mail, such as GM SET W7 early=true"
                    textarea name="line" rows="2" required {} }
            }))
        }
        details {
            summary { "All commands" }
            (table("Commands of the game master", &["Form", "What it does"], rows.collect()))
        }
    }
}

/// The command in a form, without its `GM`.
fn line(form: &ActForm) -> String {
    let text = form.get("line").replace('\r', "");
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((gm, rest)) if gm.eq_ignore_ascii_case("gm") => rest.trim_start().to_owned(),
        None if text.eq_ignore_ascii_case("gm") => String::new(),
        _ => text.to_owned(),
    }
}

/// The answer to a command that changes nothing; `None` when it does something.
///
/// # Errors
/// [`WebError::Refused`] when there is no such command, or it is not written as it must be.
pub fn answer(robot: &mut Robot, form: &ActForm) -> Result<Option<Markup>, WebError> {
    let line = line(form);
    match gm_commands::read(&line)? {
        (_, Asked::Action(..)) => Ok(None),
        (_, Asked::Query(_)) => {
            let text = gm_command::command(robot, By::Dashboard, &line)?;
            Ok(Some(shown(&line, &text, robot.now())))
        }
        (row, Asked::Wrong) => Ok(gm_commands::wrong(row)?),
    }
}

fn shown(line: &str, text: &str, now: Timestamp) -> Markup {
    let text: Vec<&str> =
        text.lines().map(|line| line.strip_prefix("| ").unwrap_or(line)).collect();
    let body = html! {
        pre { (text.join("\n")) }
        p { a href="/acts" { "Go on" } }
    };
    page(&format!("GM {line}"), "/acts", now, body)
}

/// The page that confirms a command that does something.
///
/// # Errors
/// As [`answer`].
pub fn command(robot: &Robot, form: &ActForm) -> Result<ConfirmPage, WebError> {
    let line = line(form);
    let (row, asked) = gm_commands::read(&line)?;
    let Asked::Action(act, _) = asked else { return Ok(gm_commands::wrong(row)?) };
    // A second click must not do it twice.
    let last = robot.store.acts(None, 1)?.first().map_or(0, |row| row.id);
    let mut says = vec![format!("{}.", capital(row.help))];
    says.extend(line.lines().skip(1).map(str::to_owned));
    Ok(ConfirmPage {
        act,
        title: format!("GM {}", line.lines().next().unwrap_or_default()),
        says,
        state: format!("after act {last}"),
        back: "/acts".to_owned(),
    })
}
