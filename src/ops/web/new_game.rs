//! A new game: its form, made from the options of its rules, and what is asked before it is made.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Html;
use maud::{Markup, html};

use super::form::{ActForm, ConfirmPage, number};
use super::views::{ask, page};
use super::{Page, Shared, WebError};
use base::schedule::Rule;
use base::terms::Terms;
use base::text::capital;
use engine::options::{self, Usual, Values};
use engine::{Engine, OptionRow};
use registry::ENGINES;
use robot::Robot;
use robot::gm::Make;
use robot::gm::setup::NewGame;
use robot::gm::terms::due;

/// The prefix of the name of an option in the form.
const OPTION: &str = "option.";
/// How often a turn is due by default.
const EVERY: &str = "7 days";

/// Links to the forms, one for each game.
pub fn choices() -> Markup {
    html! {
        ul .plain { @for engine in ENGINES.iter() {
            li {
                a href=(format!("/new/{}", engine.id())) { (engine.title()) }
                ", " (seats_of(*engine)) " seats"
            }
        } }
    }
}

/// The form of a new game of some rules.
pub async fn form(State(shared): State<Arc<Shared>>, Path(id): Path<String>) -> Page {
    let none = || WebError::NotFound("There are no such rules.".to_owned());
    let engine = engine::find(&ENGINES, &id).ok_or_else(none)?;
    let now = shared.ask(|robot, _| Ok(robot.now())).await?;
    let (least, most) = engine.seats().into_inner();
    let body = ask(
        &[("act", "make"), ("engine", engine.id())],
        "Make a game",
        html! {
            div .fields {
                label { "Code" input name="game" required maxlength="8" pattern="[A-Za-z0-9]+"; }
                label {
                    "Seats, " (seats_of(engine))
                    input type="number" name="number" required min=(least) max=(most) value=(least);
                }
                @if !options::has_clock(engine.options()) {
                    label { "A turn every" input name="every" required value=(EVERY); }
                    label { "At" input type="time" name="at" value="18:00"; }
                }
                label { "Time zone" input name="zone" required value="UTC"; }
                label .check {
                    input type="checkbox" name="yes" value="join"; "Anybody may join by mail"
                }
            }
            @if !engine.options().is_empty() {
                fieldset {
                    legend { "Options" }
                    div .fields { @for row in engine.options() { (field(row)) } }
                }
            }
        },
    );
    let title = format!("New game of {}", engine.title());
    Ok(Html(page(&title, "/", now, html! { div .acts { (body) } }).into_string()))
}

/// The field of an option; if it is left as it is, the game has the usual value.
fn field(row: &OptionRow) -> Markup {
    let name = format!("{OPTION}{}", row.name);
    let usual = match row.usual {
        Usual::Is("") => String::new(),
        Usual::Is(text) | Usual::Depends(text) => format!("usual: {text}"),
    };
    let choices: Vec<(&str, String)> = match row.values {
        Values::Words(words) => {
            words.iter().map(|w| (w.word, format!("{}: {}", w.word, w.help))).collect()
        }
        Values::Switch => ["on", "off"].map(|word| (word, word.to_owned())).to_vec(),
        _ => Vec::new(),
    };
    html! {
        label {
            strong { (row.name) }
            span .fine {
                (row.help) @if let Some(needs) = row.needs { " It goes with " (needs.with) "." }
            }
            @match row.values {
                Values::Words(_) | Values::Switch => {
                    select name=(name) {
                        option value="" { (usual) }
                        @for (word, says) in choices { option value=(word) { (says) } }
                    }
                },
                Values::Number(least, most) => {
                    input type="number" name=(name) min=(least) max=(most) placeholder=(usual);
                },
                values => {
                    input name=(name) placeholder=(usual);
                    span .fine { (capital(&values.to_string())) }
                },
            }
        }
    }
}

/// How many seats a game of an engine may have.
fn seats_of(engine: &dyn Engine) -> String {
    let (least, most) = engine.seats().into_inner();
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// A new game from the values of the form; all other terms are the usual ones.
pub fn make(robot: &Robot, form: &ActForm) -> Result<ConfirmPage, WebError> {
    let field = |name: &str| form.get(name).trim().to_owned();
    // More than any game has; the robot says how many there may be.
    let seats = u8::try_from(number(form)?).unwrap_or(u8::MAX);
    let at = Some(field("at")).filter(|at| !at.is_empty());
    let every = Some(field("every")).filter(|every| !every.is_empty()).unwrap_or(EVERY.to_owned());
    let rule = Rule { every, at, zone: field("zone"), holidays: vec![] };
    rule.check().map_err(|e| WebError::Refused(capital(&e.to_string())))?;
    let engine = robot.games().engine(form.get("engine"))?;
    let code = field("game").to_uppercase();
    let options: BTreeMap<String, String> = form.behind(OPTION).collect();
    let setup = robot.games().setup(engine, &code, seats, options.clone(), BTreeMap::new())?;
    let terms = Terms { join: !form.get("yes").is_empty(), ..Terms::default() };
    let join = match terms.join {
        true => "Anybody may join it by mail: GAMES lists it.",
        false => "You give its seats yourself.",
    };
    let due = due(engine, &rule, &setup);
    let title = engine.title();
    let mut says = vec![format!("Game {code} of {title} is made with {seats} seats. {due}.")];
    says.extend(options.iter().map(|(name, value)| format!("{name} = {value}")));
    says.push(join.to_owned());
    says.push(
        "It starts when you say so, and can be undone as long as nobody has a seat.".to_owned(),
    );
    let title = format!("make game {code}");
    let new = NewGame {
        code: code.clone(),
        engine: engine.id().to_owned(),
        seats,
        rule,
        data: BTreeMap::new(),
        options,
        fee: 0,
        takeover: 0,
        terms,
    };
    let back = format!("/new/{}", engine.id());
    Ok(ConfirmPage { act: Box::new(Make(new)), title, says, state: String::new(), back })
}
