//! The public list of games, and a page for each.

use maud::{DOCTYPE, Markup, html};

use super::{PublicPath, end_of};
use crate::ops::overview::{GameView, SeatState};
use crate::ops::page::slider;
use crate::ops::page::{head, tamed};
use base::schedule;
use base::text::capital;
use engine::report::{Line, Span};
use engine::{BySeat, Match, Score, Seat, Turns};
use robot::{self, Robot};
use store::{Game, Status};

/// A public page; `root` leads to the folder of the list.
pub fn frame(title: &str, root: &str, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(title, root, Some("feed.xml")))
            body {
                a .skip href="#main" { "Skip to the page" }
                header { nav aria-label="Site" {
                    strong { "Fieldpost" }
                    ul {
                        li { a href=(format!("{root}index.html")) { "Games" } }
                        li { a href=(format!("{root}feed.xml")) { "Feed" } }
                    }
                } }
                main #main tabindex="-1" {
                    h1 { (title) }
                    (body)
                }
            }
        }
    };
    tamed(page).into_string()
}

/// The list of all games.
///
/// # Errors
/// [`RobotError`] when the store fails.
pub fn index(robot: &mut Robot) -> robot::Result<String> {
    let seen = super::seen(robot)?;
    let part = |heading: &str, status: &[Status]| {
        let games: Vec<&GameView> =
            seen.games.iter().filter(|g| status.contains(&g.status)).collect();
        html! {
            @if !games.is_empty() {
                section {
                    h2 { (heading) }
                    (table(&games))
                }
            }
        }
    };
    let books: Vec<_> = robot.engines().iter().map(|e| (e.id(), e.title())).collect();
    let body = html! {
        p { "These are wargames for many players, played by mail: nothing but a mail program is \
             needed. You mail your orders; within seconds they come back with a judgement of each \
             line, and after the deadline a printout with maps and reports tells what happened. A \
             turn takes some minutes of a week, a game some months." }
        (begin(robot, &seen.games))
        @if seen.games.is_empty() { p { "There is no game yet." } }
        (part("Games that take players", &[Status::Open]))
        (part("Games that are played", &[Status::Running, Status::Suspended]))
        (part("Games that are over", &[Status::Over]))
        section {
            h2 { "Rules" }
            ul {
                li { a href=(PublicPath::Manual.path()) { "How to play by mail" } }
                @for (id, title) in books {
                    li { a href=(PublicPath::EngineBook(id.to_owned()).path()) { (title) } }
                }
            }
        }
    };
    Ok(frame(&robot.cx.identity.name, "", body))
}

/// How somebody begins: links that prepare the mails.
fn begin(robot: &Robot, games: &[GameView]) -> Markup {
    let address = &robot.cx.identity.address;
    let joined: Vec<&GameView> =
        games.iter().filter(|g| g.join && g.status != Status::Over).collect();
    let practice = robot.cx.limits.practice_games_max > 0;
    html! {
        @if practice || !joined.is_empty() {
            section {
                h2 { "How to begin" }
                p { "Each of these opens a mail that is written already; send it, and answer the \
                     question that comes back with YES. If nothing opens, write to " (address) "." }
                ul {
                    @for game in joined { li {
                        a href=(mail_to(address, &format!("JOIN {}", game.code))) {
                            "Join game " (game.code)
                        }
                        " (" (game.title) ", " (seats(game)) ")"
                    } }
                    @if practice { @for engine in robot.engines() { li {
                        a href=(mail_to(address, &format!("PRACTICE {}", engine.id()))) {
                            "Practise " (engine.title())
                        }
                        " alone, against computers, with lessons"
                    } } }
                }
            }
        }
    }
}

/// A link that opens a mail with one line in it (RFC 6068).
fn mail_to(address: &str, line: &str) -> String {
    let line = line.replace(' ', "%20");
    // These may occur in an address, but not in a link.
    let address = address.replace('%', "%25").replace('+', "%2B").replace('&', "%26");
    format!("mailto:{address}?subject={line}&body={line}%0D%0A")
}

fn table(games: &[&GameView]) -> Markup {
    let columns = ["Game", "Rules", "Turn", "Seats", "Next deadline"];
    html! {
        table role="table" {
            thead role="rowgroup" { tr role="row" {
                @for column in columns { th scope="col" role="columnheader" { (column) } }
            } }
            tbody role="rowgroup" {
                @for game in games {
                    tr role="row" {
                        th scope="row" role="rowheader" data-label="Game" {
                            a href=(PublicPath::Game(game.code.clone()).path()) { (game.code) }
                        }
                        td role="cell" data-label="Rules" { (game.title) }
                        td role="cell" data-label="Turn" { (turn(game)) }
                        td role="cell" data-label="Seats" { (seats(game)) }
                        td role="cell" data-label="Next deadline" { (deadline(game)) }
                    }
                }
            }
        }
    }
}

/// The open turn, or the last one.
fn turn(game: &GameView) -> String {
    match game.status {
        // After the last turn a step opens that nobody plays.
        Status::Over if game.turns == Turns::one(game.turn) => {
            game.turn.saturating_sub(1).to_string()
        }
        _ => game.turns.to_string(),
    }
}

/// How many seats are taken and free, which does not show who has them.
fn seats(game: &GameView) -> String {
    let (taken, all) = (game.taken(), game.seats.len());
    match all - taken {
        0 => format!("all {all} taken"),
        free => format!("{taken} taken, {free} free"),
    }
}

fn deadline(game: &GameView) -> Markup {
    html! {
        @match (game.status, game.deadline) {
            (Status::Running, Some(at)) => {
                time datetime=(at) { (schedule::local(at, &game.zone)) }
            },
            (Status::Suspended, _) => { "suspended" },
            _ => { "–" },
        }
    }
}

/// The page of a game.
///
/// # Errors
/// [`RobotError`] when the store fails.
pub fn game(robot: &mut Robot, game: &Game) -> robot::Result<String> {
    let seen = super::seen(robot)?;
    let Some(view) = seen.game(&game.code) else { return robot::refuse("the game is gone") };
    let end = end_of(robot, game)?;
    let labels = if end.is_some() { robot.reports().step_labels(game)? } else { Vec::new() };
    let book = format!("../{}", PublicPath::GameBook(game.code.clone()).path());
    let status = match game.status {
        Status::Open => "takes players",
        Status::Running => "is played",
        Status::Suspended => "is suspended",
        Status::Over => "is over",
    };
    let rolls = engine::find(robot.engines(), &game.engine).is_some_and(|e| e.has_dice());
    let body = html! {
        dl .facts {
            div { dt { "Rules" } dd { (view.title) ", " a href=(book) { "the rulebook" } } }
            div { dt { "State" } dd { (status) } }
            div { dt { "Turn" } dd { (turn(view)) } }
            div { dt { "Seats" } dd { (seats(view)) } }
            div { dt { "Next deadline" } dd { (deadline(view)) } }
            @for chain in game.chains.iter().filter(|_| rolls) {
                div { dt { "SHA-256 of the seed of step " (chain.told.first) }
                    dd { code { (chain.told.end) } } }
            }
        }
        (join(robot, view))
        @match &end {
            Some(end) => { (ending(game, view, &labels, end.as_ref())) },
            None if game.status == Status::Over => {
                p { "How it ended can’t be shown by this version of the program." }
            },
            None => {},
        }
    };
    Ok(frame(&format!("Game {} – {}", game.code, view.title), "../", body))
}

fn join(robot: &Robot, game: &GameView) -> Markup {
    let free = game.seats_that(SeatState::Free).count();
    let address = &robot.cx.identity.address;
    html! {
        @if game.status != Status::Over {
            section {
                h2 { "How to join" }
                @if game.join {
                    p { a href=(mail_to(address, &format!("JOIN {}", game.code))) {
                            "Write the mail that asks for a seat"
                        }
                        ", and answer the question that comes back with YES. Or write to "
                        (address) " with this line, with your own words behind the signs:" }
                    pre { "JOIN " (game.code) " name=YourName zone=Europe/London" }
                    @if free == 0 { p { "No seat is free now; you join the waiting list." } }
                } @else {
                    p { "This game takes players through its game master." }
                }
            }
        }
    }
}

/// Standing, charts and map of a game that is over.
fn ending(game: &Game, view: &GameView, labels: &[String], end: &dyn Match) -> Markup {
    let names: BySeat<String> = view.seats.iter().map(|s| (s.seat, name(s))).collect();
    let mut scores: Vec<Score> = end.result().unwrap_or_default();
    scores.sort_by_key(|s| (s.rank, s.seat));
    let charts = end.charts();
    html! {
        section {
            h2 { "Final standing" }
            table {
                thead { tr {
                    th scope="col" .number { "Rank" } th scope="col" .number { "Seat" }
                    th scope="col" { "Name" } th scope="col" .number { "Points" }
                } }
                tbody { @for score in &scores { tr {
                    td .number { (score.rank) } td .number { (score.seat) }
                    td { (names.get(&score.seat).map_or("", String::as_str)) }
                    td .number { (score.points) }
                } } }
            }
        }
        p { a href=(sibling(&PublicPath::Diary(game.code.clone()))) {
            "Its war diary, turn by turn"
        } }
        p { a href=(sibling(&PublicPath::File(game.code.clone()))) { "The whole game as a file" }
            ", with its seeds and cards but no letters: " code { "fieldpost replay FILE" }
            " plays it again on any machine and says whether all of it fits." }
        @if !charts.is_empty() {
            section {
                h2 { "Its course" }
                @for (i, chart) in charts.iter().enumerate() {
                    figure { img src=(sibling(&PublicPath::Chart(game.code.clone(), i)))
                        alt=(format!("{} of all seats, turn by turn", chart.title))
                        width=(super::CHART.0) height=(super::CHART.1); }
                }
            }
        }
        @if end.atlas().is_some() { (map(game, labels)) }
        (courses(game, end, &names))
    }
}

/// The war diary of a game that is over, turn by turn.
///
/// # Errors
/// [`RobotError`] when the store fails, or an engine does.
pub fn diary(robot: &mut Robot, game: &Game) -> robot::Result<String> {
    let seen = super::seen(robot)?;
    let Some(view) = seen.game(&game.code) else { return robot::refuse("the game is gone") };
    let names: BySeat<String> = view.seats.iter().map(|s| (s.seat, name(s))).collect();
    let span = |span: &Span| match span {
        Span::Plain(text) | Span::Chosen(text) => text.clone(),
        Span::Player(seat) => names.get(seat).cloned().unwrap_or_else(|| format!("seat {seat}")),
        Span::Address(_) | Span::Seal(..) => String::new(),
    };
    let text = |line: &Line| line.0.iter().map(span).collect::<String>();
    let diary = robot.reports().diary(game)?;
    let body = html! {
        p { "What happened in each turn of "
            a href=(sibling(&PublicPath::Game(game.code.clone()))) { "game " (game.code) }
            ", the most important first." }
        @if diary.is_empty() { p { "Nothing was told of this game." } }
        @for (label, sentences) in &diary {
            section {
                h2 { (capital(label)) }
                ul { @for sentence in sentences { li { (text(sentence)) } } }
            }
        }
    };
    Ok(frame(&format!("War diary of game {}", game.code), "../", body))
}

/// Without a script, a link to each map; with one, a slider.
fn map(game: &Game, labels: &[String]) -> Markup {
    let last = game.turn.saturating_sub(1);
    let label = labels.last().map_or("", String::as_str);
    let file = |turn: u32| sibling(&PublicPath::Map(game.code.clone(), turn));
    let any = format!("{}-map-@.svg", game.code.to_lowercase());
    html! {
        section {
            h2 { "Its map" }
            (slider(None, labels, last))
            figure .map {
                a #map-link href=(file(last)) {
                    img #map src=(file(last)) data-source=(any)
                        alt=(format!("The whole map of game {}", game.code));
                }
                figcaption { "The whole map after " span #map-turn { (label) } "." }
            }
            details { summary { "All maps" }
                ul { @for (turn, label) in (0..).zip(labels) { li { a href=(file(turn)) { "After " (label) } } } }
            }
        }
    }
}

/// Links to animated pictures of the course, as all see it now and as each seat saw it.
fn courses(game: &Game, end: &dyn Match, names: &BySeat<String>) -> Markup {
    let shown = super::courses(game, end);
    let called = |seat: Option<Seat>| match seat {
        None => "All of it".to_owned(),
        Some(seat) => {
            format!("As seat {seat} saw it: {}", names.get(&seat).map_or("", String::as_str))
        }
    };
    html! {
        @if !shown.is_empty() {
            section {
                h2 { "Its course as animated pictures" }
                ul { @for seat in shown { li {
                    a href=(sibling(&PublicPath::Course(game.code.clone(), seat))) { (called(seat)) }
                } } }
            }
        }
    }
}

/// A file in the same folder as the page of a game.
fn sibling(what: &PublicPath) -> String {
    what.path().trim_start_matches("games/").to_owned()
}

/// The name of a seat as the last printouts have it; a mail address is not shown.
pub(super) fn name(seat: &crate::ops::overview::SeatView) -> String {
    match seat.state {
        SeatState::Computer => "(computer)".to_owned(),
        SeatState::Free if seat.name.is_empty() => "(nobody)".to_owned(),
        _ if seat.name.contains('@') => format!("seat {}", seat.seat),
        _ => seat.name.clone(),
    }
}
