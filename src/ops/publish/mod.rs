//! Public pages: games, standings, rulebooks, maps of games that are over; as files, or
//! one by one for the public listener.
//!
//! While a game is not over, the pages show only what any player knows of it: its rules, its turn
//! and deadline, and how many seats are free. They show names of seats, standings, charts, war
//! diaries, maps and the game's file with its seeds and cards only when the game is over. They
//! never show addresses, messages or the game master's reasons.

mod book;
mod feed;
mod files;
mod pages;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::Failure;
use super::overview::Overview;
use crate::render_files;
use engine::options::{self, Chapter};
use engine::{Dice, Match, Seat, Setup, Turn};
use render::{chart, picture};
use robot::{self, Robot, RobotError};
use store::{Game, Status};

/// Size of a chart in units.
const CHART: (u32, u32) = (900, 480);

/// Pictures of an animated course, at most: about a minute.
const COURSE_PICTURES: u32 = 80;

/// One public file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its media type.
    pub media: &'static str,
    /// Its contents.
    pub bytes: Vec<u8>,
}

impl Page {
    fn new(media: &'static str, text: impl Into<String>) -> Self {
        Self { media, bytes: text.into().into_bytes() }
    }
}

/// What a path leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PublicPath {
    Index,
    Feed,
    Style,
    Script,
    Icon,
    Game(String),
    /// The war diary of a game that is over.
    Diary(String),
    /// A finished game, as a file that anybody can replay.
    File(String),
    /// The map of a game that is over, after a turn.
    Map(String, Turn),
    /// The course of a game that is over as an animated picture; with a seat, as that seat knew it.
    Course(String, Option<Seat>),
    /// A chart of a game that is over, numbered from 0.
    Chart(String, usize),
    /// How to play by mail.
    Manual,
    /// The rulebook of an engine with its default numbers.
    EngineBook(String),
    /// The rulebook of a game with its own numbers.
    GameBook(String),
}

impl PublicPath {
    /// What a path names; nothing else is public.
    fn of(path: &str) -> Option<Self> {
        match path {
            "index.html" => return Some(Self::Index),
            "feed.xml" => return Some(Self::Feed),
            "style.css" => return Some(Self::Style),
            "app.js" => return Some(Self::Script),
            "icon.svg" => return Some(Self::Icon),
            "rules/how-to-play.html" => return Some(Self::Manual),
            _ => {}
        }
        let code = |text: &str| {
            let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
            (!text.is_empty() && text.chars().all(good)).then(|| text.to_uppercase())
        };
        if let Some(book) = path.strip_prefix("rules/").and_then(|p| p.strip_suffix(".html")) {
            return match book.strip_prefix("game-") {
                Some(game) => code(game).map(Self::GameBook),
                None => Some(Self::EngineBook(book.to_owned())),
            };
        }
        let name = path.strip_prefix("games/")?;
        if let Some(game) = name.strip_suffix("-diary.html") {
            return code(game).map(Self::Diary);
        }
        if let Some(game) = name.strip_suffix(".fieldpost.json") {
            return code(game).map(Self::File);
        }
        if let Some(game) = name.strip_suffix(".html") {
            return code(game).map(Self::Game);
        }
        if let Some(film) = name.strip_suffix(".png") {
            let (game, seat) = film.split_once("-course")?;
            let seat = match seat {
                "" => None,
                seat => Some(Seat(seat.strip_prefix('-')?.parse().ok()?)),
            };
            // One path for each picture, as below.
            let what = Self::Course(code(game)?, seat);
            return (what.path() == path).then_some(what);
        }
        let mut parts = name.strip_suffix(".svg")?.split('-');
        let (game, kind, number) = (code(parts.next()?)?, parts.next()?, parts.next()?);
        // One path for each picture: no sign, no leading zeros.
        let number = number.parse::<Turn>().ok().filter(|n| n.to_string() == number)?;
        match (kind, parts.next()) {
            ("map", None) => Some(Self::Map(game, number)),
            ("chart", None) => Some(Self::Chart(game, number as usize)),
            _ => None,
        }
    }

    fn path(&self) -> String {
        match self {
            Self::Index => "index.html".to_owned(),
            Self::Feed => "feed.xml".to_owned(),
            Self::Style => "style.css".to_owned(),
            Self::Script => "app.js".to_owned(),
            Self::Icon => "icon.svg".to_owned(),
            Self::Manual => "rules/how-to-play.html".to_owned(),
            Self::Game(code) => format!("games/{}.html", code.to_lowercase()),
            Self::Diary(code) => format!("games/{}-diary.html", code.to_lowercase()),
            Self::File(code) => format!("games/{}.fieldpost.json", code.to_lowercase()),
            Self::Map(code, turn) => format!("games/{}-map-{turn}.svg", code.to_lowercase()),
            Self::Course(code, None) => format!("games/{}-course.png", code.to_lowercase()),
            Self::Course(code, Some(seat)) => {
                format!("games/{}-course-{seat}.png", code.to_lowercase())
            }
            Self::Chart(code, n) => format!("games/{}-chart-{n}.svg", code.to_lowercase()),
            Self::EngineBook(id) => format!("rules/{id}.html"),
            Self::GameBook(code) => format!("rules/game-{}.html", code.to_lowercase()),
        }
    }
}

/// Every path that is public now.
///
/// # Errors
/// [`RobotError`] when the store fails.
pub fn paths(robot: &mut Robot) -> robot::Result<Vec<String>> {
    let mut all = vec![
        PublicPath::Index,
        PublicPath::Feed,
        PublicPath::Style,
        PublicPath::Script,
        PublicPath::Icon,
        PublicPath::Manual,
    ];
    all.extend(robot.engines().iter().map(|e| PublicPath::EngineBook(e.id().to_owned())));
    for game in robot.store.games().all()?.into_iter().filter(is_public) {
        let code = || game.code.clone();
        all.extend([PublicPath::Game(code()), PublicPath::GameBook(code())]);
        let Some(end) = end_of(robot, &game)? else { continue };
        all.extend([PublicPath::Diary(code()), PublicPath::File(code())]);
        if end.atlas().is_some() {
            all.extend((0..game.turn).map(|turn| PublicPath::Map(code(), turn)));
        }
        all.extend(courses(&game, &*end).into_iter().map(|seat| PublicPath::Course(code(), seat)));
        all.extend((0..end.charts().len()).map(|n| PublicPath::Chart(code(), n)));
    }
    Ok(all.iter().map(PublicPath::path).collect())
}

/// The page of a path; `None` when there is none.
///
/// # Errors
/// [`RobotError`] when the store fails, or an engine does.
pub fn page(robot: &mut Robot, path: &str) -> robot::Result<Option<Page>> {
    let Some(what) = PublicPath::of(path) else { return Ok(None) };
    Ok(match what {
        PublicPath::Index => Some(Page::new("text/html", pages::index(robot)?)),
        PublicPath::Feed => Some(Page::new("application/atom+xml", feed::feed(robot)?)),
        PublicPath::Style => Some(Page::new("text/css", super::page::STYLE)),
        PublicPath::Script => Some(Page::new("text/javascript", super::page::SCRIPT)),
        PublicPath::Icon => Some(Page::new("image/svg+xml", super::page::ICON)),
        PublicPath::Manual => {
            let (mut chapters, title) = (robot::manual::chapters(), "How to play by mail");
            // Its first heading is that of the page.
            if let Some(first) = chapters.first_mut() {
                first.heading = "In short".to_owned();
            }
            Some(Page::new("text/html", book::page(title, &chapters)))
        }
        PublicPath::Game(code) => match robot.store.games().game(&code)?.filter(is_public) {
            Some(game) => Some(Page::new("text/html", pages::game(robot, &game)?)),
            None => None,
        },
        PublicPath::Diary(code) => match over(robot, &code)? {
            Some(game) if end_of(robot, &game)?.is_some() => {
                Some(Page::new("text/html", pages::diary(robot, &game)?))
            }
            _ => None,
        },
        PublicPath::File(code) => match over(robot, &code)? {
            Some(game) => {
                let file = robot.reports().game_file(&game.code)?;
                file.map(|text| Page::new("application/json", text))
            }
            None => None,
        },
        PublicPath::Map(code, turn) => map(robot, &code, turn)?,
        PublicPath::Course(code, seat) => course(robot, &code, seat)?,
        PublicPath::Chart(code, number) => chart_of(robot, &code, number)?,
        PublicPath::EngineBook(id) => engine_book(robot, &id)?,
        PublicPath::GameBook(code) => match robot.store.games().game(&code)?.filter(is_public) {
            Some(game) => game_book(robot, &game)?,
            None => None,
        },
    })
}

/// A stamp of what a slow page is made from: while the stamp stays the same, so does the page.
/// `None` for pages that are made each time.
///
/// # Errors
/// [`RobotError`] when the store fails.
pub fn stamp(robot: &Robot, path: &str) -> robot::Result<Option<String>> {
    let version = env!("CARGO_PKG_VERSION");
    Ok(match PublicPath::of(path) {
        Some(PublicPath::Map(code, turn)) => over(robot, &code)?
            .and(robot.store.journal().hash_of(&code, turn)?)
            .map(|hash| format!("{version} {hash}")),
        Some(PublicPath::Chart(code, _) | PublicPath::Course(code, _) | PublicPath::File(code)) => {
            match over(robot, &code)? {
                Some(game) => robot.store.journal().hash_of(&code, game.turn.saturating_sub(1))?,
                None => None,
            }
            .map(|hash| format!("{version} {hash}"))
        }
        // The name of a player who leaves is removed, so the names are a part of the stamp.
        Some(PublicPath::Diary(code)) => match over(robot, &code)? {
            Some(game) => {
                let hash = robot.store.journal().hash_of(&code, game.turn.saturating_sub(1))?;
                let seats = robot.store.games().seats(&code)?;
                let names: Vec<&str> = seats.iter().map(|s| s.name.as_str()).collect();
                let names = base::secrets::sha256_hex(names.join("\n").as_bytes());
                hash.map(|hash| format!("{version} {hash} {names}"))
            }
            None => None,
        },
        Some(PublicPath::EngineBook(id)) => {
            let engine = engine::find(robot.engines(), &id);
            engine.map(|e| format!("{version} {}", e.rules_version()))
        }
        Some(PublicPath::GameBook(code)) => robot
            .store
            .games()
            .game(&code)?
            .map(|game| format!("{version} {} {}", game.engine, game.rules_version)),
        _ => None,
    })
}

/// A game by its code, when it is over.
fn over(robot: &Robot, code: &str) -> robot::Result<Option<Game>> {
    Ok(robot.store.games().game(code)?.filter(|g| g.status == Status::Over && is_public(g)))
}

/// Whether a game has public pages: one player's practice has none.
fn is_public(game: &Game) -> bool {
    !game.terms.practice
}

/// The host as public pages show it.
fn seen(robot: &Robot) -> robot::Result<Overview> {
    let mut seen = Overview::of(robot, robot.now()).map_err(RobotError::from)?;
    let private: Vec<String> =
        robot.store.games().all()?.into_iter().filter(|g| !is_public(g)).map(|g| g.code).collect();
    seen.games.retain(|g| !private.contains(&g.code));
    Ok(seen)
}

/// The final state of a game that is over; `None` for all others, and for a game that this program
/// can no longer read.
fn end_of(robot: &mut Robot, game: &Game) -> robot::Result<Option<std::sync::Arc<dyn Match>>> {
    if game.status != Status::Over {
        return Ok(None);
    }
    match robot.open(game) {
        Ok(open) => Ok(Some(open)),
        Err(RobotError::Store(e)) => Err(e.into()),
        Err(_) => Ok(None),
    }
}

fn map(robot: &mut Robot, code: &str, turn: Turn) -> robot::Result<Option<Page>> {
    let Some(game) = over(robot, code)?.filter(|g| turn < g.turn) else { return Ok(None) };
    let map = robot.reports().atlas_after(&game, turn, None)?;
    let drawn = map.and_then(|(map, _)| picture::whole(&map));
    Ok(drawn.map(|sheet| Page::new("image/svg+xml", sheet.svg)))
}

/// The courses that are shown of a game that is over: the whole one and that of each seat, if the
/// game keeps what each seat knew; else none.
fn courses(game: &Game, end: &dyn Match) -> Vec<Option<Seat>> {
    let seats = (1..=game.setup.seats).map(Seat).filter(|s| end.seen(*s).is_some());
    let seats: Vec<Option<Seat>> = seats.map(Some).collect();
    if seats.is_empty() { seats } else { [vec![None], seats].concat() }
}

fn course(robot: &mut Robot, code: &str, seat: Option<Seat>) -> robot::Result<Option<Page>> {
    let Some(game) = over(robot, code)? else { return Ok(None) };
    let Some(end) = end_of(robot, &game)? else { return Ok(None) };
    if !courses(&game, &*end).contains(&seat) {
        return Ok(None);
    }
    let film = render_files::course(robot, &game, seat, COURSE_PICTURES)
        .or_else(|e| robot::refuse(e.to_string()))?;
    Ok(film.map(|bytes| Page { media: "image/png", bytes }))
}

fn chart_of(robot: &mut Robot, code: &str, number: usize) -> robot::Result<Option<Page>> {
    let Some(game) = over(robot, code)? else { return Ok(None) };
    let Some(end) = end_of(robot, &game)? else { return Ok(None) };
    let charts = end.charts();
    let Some(chart) = charts.get(number) else { return Ok(None) };
    let svg = chart::svg(chart, &[], CHART);
    Ok(Some(Page::new("image/svg+xml", svg)))
}

/// The book of a game is made only from its setup, so it shows nothing of the game's world.
fn game_book(robot: &mut Robot, game: &Game) -> robot::Result<Option<Page>> {
    let title = format!("Rules of game {}", game.code);
    let setup = robot.store.games().setup(&game.code)?.unwrap_or_default();
    book_of(robot, &game.engine, &setup, true, &title)
}

fn engine_book(robot: &mut Robot, id: &str) -> robot::Result<Option<Page>> {
    let Some(engine) = engine::find(robot.engines(), id) else { return Ok(None) };
    let title = format!("Rules of {}", engine.title());
    let setup = Setup { seats: *engine.seats().start(), ..Setup::default() };
    book_of(robot, id, &setup, false, &title)
}

/// The rulebook of a setup, with its options: their values in a game, else all possible values.
fn book_of(
    robot: &mut Robot,
    engine: &str,
    setup: &Setup,
    is_game: bool,
    title: &str,
) -> robot::Result<Option<Page>> {
    let Some(engine) = engine::find(robot.engines(), engine) else { return Ok(None) };
    let about = match is_game {
        true => Chapter::Game { setup, usual: engine.data() },
        false => Chapter::Engine,
    };
    // A game that fails here is not suspended.
    let made = catch_unwind(AssertUnwindSafe(|| {
        let saved = engine.new_game(setup, &mut Dice::new(0)).ok()?;
        Some(engine.open(&saved).ok()?.rulebook())
    }));
    let Some(mut sections) = made.ok().flatten() else { return Ok(None) };
    sections.extend(options::chapter(engine.options(), about));
    Ok(Some(Page::new("text/html", book::page(title, &sections))))
}

/// Writes all pages into `folder` and removes earlier ones that are no longer pages.
///
/// # Errors
/// When the store or the folder fails.
pub fn run(robot: &mut Robot, folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let mut site = files::Site::open(folder)?;
    let paths = paths(robot)?;
    for path in &paths {
        let stamp = stamp(robot, path)?;
        if stamp.is_some() && site.has(path, stamp.as_deref()) {
            site.keep(path);
            continue;
        }
        if let Some(page) = page(robot, path)? {
            site.write(path, &page.bytes, stamp)?;
        }
    }
    let done = site.close()?;
    writeln!(
        out,
        "{} pages in {}: {} written, {} as they were, {} taken away.",
        done.written + done.same,
        folder.display(),
        done.written,
        done.same,
        done.gone
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_one_page_and_nothing_else_is_one() {
        let w7 = || "W7".to_owned();
        for what in [
            PublicPath::Index,
            PublicPath::Feed,
            PublicPath::Game(w7()),
            PublicPath::Map(w7(), 12),
            PublicPath::File(w7()),
            PublicPath::Course(w7(), None),
            PublicPath::Course(w7(), Some(Seat(2))),
            PublicPath::Chart(w7(), 0),
            PublicPath::EngineBook("battle-plan".to_owned()),
            PublicPath::GameBook(w7()),
        ] {
            assert_eq!(PublicPath::of(&what.path()), Some(what.clone()), "{what:?}");
        }
        for path in [
            "",
            "../x",
            "games/W7.html",
            "games/w7-map-01.svg",
            "games/w7-map-+1.svg",
            "games/w7-map-1-2.svg",
            "games/w7-course-02.png",
            "games/w7-course-.png",
            "games/w7-course2.png",
            "games/w7-course-2.svg",
            "games/.html",
            "games/w7/../x.html",
            "fieldpost.sqlite",
        ] {
            assert_eq!(PublicPath::of(path), None, "{path}");
        }
    }
}
