//! Terms and calendar of a game, for the game master.

use crate::card::command::command_list;
use base::schedule::Rule;
use engine::{Engine, Setup, options};
use store::Game;

/// The meaning of each term of a game, those of its calendar first, for the game master.
pub const MEANINGS: [(&str, &str); 19] = [
    ("every", "From one deadline to the next: 7 days, 36 hours, mon thu, weekdays."),
    ("at", "Local time of the deadline, where it comes in whole days or on weekdays."),
    ("zone", "The time zone of the game."),
    ("holidays", "Days without a deadline: 12-25 each year, 2026-12-24..2027-01-02."),
    (
        "policy",
        "The proof that a card needs. strict: secret, address and a domain that vouches; normal: the \
         address and one of the two others; open: the secret or the address.",
    ),
    ("early", "Whether a turn runs as soon as all awaited players are ready."),
    ("grace_minutes", "Minutes after a deadline of the calendar in which a card still counts."),
    (
        "reminders_hours",
        "Hours before the deadline at which who has sent nothing is reminded, and in a game that \
         runs early who is not READY.",
    ),
    ("extend_days_max", "Days by which players may move a deadline by votes; 0: they may not."),
    ("quorum", "Cards that a turn of the calendar needs; with fewer it waits once, for a day."),
    (
        "outage_minutes",
        "Minutes without mail, within the last day, after which a deadline moves; 0: never.",
    ),
    ("quiet", "Night hours in which a clock of the game's own stops, such as 22-7."),
    ("join", "Whether people may take seats by mail."),
    ("one_seat", "Whether nobody may have two seats."),
    ("start_full", "Whether the game starts by itself when all seats are taken."),
    (
        "start_on",
        "When it starts by itself, such as 2026-12-01 18:00, if a player has come; computers take \
         the free seats. Empty: it does not.",
    ),
    ("standby_after", "Missed turns after which the seat is offered to who waits; 0: never."),
    (
        "silent_turns",
        "Turns that all may let pass before the game waits for a word; 0: any number.",
    ),
    ("vacation_days_max", "Days of a player's vacation, at most."),
];

/// What ends the turns of a game, as a sentence without its full stop.
pub fn due(engine: &dyn Engine, rule: &Rule, setup: &Setup) -> String {
    let zone = &rule.zone;
    match (options::has_clock(engine.options()), &rule.at) {
        (true, _) => match options::text(setup, "turn_hours") {
            Some(hours) => {
                format!("A clock of its own ends its turns: turn_hours={hours} ({zone})")
            }
            None => format!("A clock of its own ends its turns ({zone})"),
        },
        (false, Some(at)) => format!("A turn every {} at {at} ({zone})", rule.every),
        (false, None) => format!("A turn every {} ({zone})", rule.every),
    }
}

/// Terms and calendar of a game, a line each.
pub fn terms_text(game: &Game) -> String {
    let rows = terms(game);
    let forms: Vec<String> =
        rows.iter().map(|(name, value, _)| format!("{name}={value}")).collect();
    command_list(rows.iter().zip(&forms).map(|(row, form)| (&*row.0, form.as_str(), row.2)))
}

/// Calendar and terms of a game: the name of each, its value, and what it means.
pub fn terms(game: &Game) -> Vec<(String, String, &'static str)> {
    let rule = &game.rule;
    let calendar = [
        ("every", rule.every.clone()),
        ("at", rule.at.clone().unwrap_or_default()),
        ("zone", rule.zone.clone()),
        ("holidays", rule.holidays.join(",")),
    ];
    let calendar = calendar.map(|(name, value)| (name.to_owned(), value));
    let meaning = |name: &str| MEANINGS.iter().find(|m| m.0 == name).map_or("", |m| m.1);
    let all = calendar.into_iter().chain(game.terms.listed());
    all.map(|(name, value)| (name.clone(), value, meaning(&name))).collect()
}

/// A message to the game master about an unknown term.
pub(super) fn no_such_term(name: &str) -> String {
    let names = MEANINGS.map(|(name, _)| name);
    let near = names.into_iter().min_by_key(|term| strsim::osa_distance(term, name));
    let near = near.map(|term| format!("; did you mean {term}?")).unwrap_or_default();
    format!("there is no term {name:?}{near} The terms are {}", names.join(", "))
}
