//! Printouts and maps as files, for the game master to look at.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::builder::Resettable;

use engine::{Seat, Turn};
use render::course::{self, Shown};
use render::desk::{self, Answer};
use render::pdf::Paper;
use render::picture::Sheet;
use render::raster::{Film, PictureError, png};
use render::{Document, data, html, pdf, picture, pictures, text};
use robot::{Robot, RobotError};
use store::{Game, Status};

/// Milliseconds that a turn is shown in a course.
pub const FRAME_MS: u16 = 700;

/// A format of a printout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// As it is mailed.
    // In the help the word says enough.
    #[value(help = Resettable::Reset)]
    Text,
    /// A page with its pictures beside it.
    Html,
    /// On A4.
    Pdf,
    /// On Letter.
    Letter,
    /// For programs that help players.
    #[value(help = Resettable::Reset)]
    Json,
    /// A page on which orders are chosen, without the address that they go to.
    #[value(help = Resettable::Reset)]
    Desk,
    /// The pictures alone.
    Png,
    /// The pictures alone, before they become pixels.
    #[value(help = Resettable::Reset)]
    Svg,
}

/// Something that kept files from being written.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The robot could not give what was to be written.
    #[error(transparent)]
    Robot(#[from] RobotError),
    /// A picture could not be drawn.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A file could not be written.
    #[error("{0} can't be written: {1}; name a folder in which this user may write")]
    File(PathBuf, std::io::Error),
    /// There is nothing to write, with the reason.
    #[error("{0}")]
    Nothing(String),
}

/// Writes a seat's printout in these formats into a folder; gives the files.
///
/// # Errors
/// [`RenderError`] when there is no such printout or a file can't be written.
pub fn printout(
    robot: &mut Robot,
    (game, seat, turn): (&str, Seat, Turn),
    forms: &[Form],
    folder: &Path,
) -> Result<Vec<PathBuf>, RenderError> {
    let document = robot.reports().document_of(game, seat, turn)?;
    files(&document, &document.head.file_name(), forms, folder)
}

/// Writes a document in these formats into a folder; the names of all files begin with `name`.
///
/// # Errors
/// [`RenderError`] when a file can't be made or written.
pub fn files(
    document: &Document,
    name: &str,
    forms: &[Form],
    folder: &Path,
) -> Result<Vec<PathBuf>, RenderError> {
    let drawn = pictures(document);
    let mut written = Vec::new();
    let mut write = |name: &str, bytes: &[u8]| -> Result<(), RenderError> {
        let path = put(folder, name, bytes)?;
        if !written.contains(&path) {
            written.push(path);
        }
        Ok(())
    };
    for form in forms {
        match form {
            Form::Text => write(&format!("{name}.txt"), text::document(document).as_bytes())?,
            Form::Json => write(&format!("{name}.json"), &data::document(document))?,
            Form::Desk => {
                let answer = Answer { deadline: document.head.due.clone(), ..Answer::default() };
                let page = desk::document(document, &answer);
                write(&format!("{name}-desk.html"), page.as_bytes())?;
            }
            Form::Pdf | Form::Letter => {
                let paper = if *form == Form::Pdf { Paper::A4 } else { Paper::Letter };
                write(&format!("{name}.pdf"), &pdf::document(document, &drawn, paper)?)?;
            }
            Form::Html => {
                let source = |p: &render::Picture| Some(format!("{name}-{}.png", p.name));
                let page = html::document(document, &drawn, &source);
                write(&format!("{name}.html"), page.as_bytes())?;
            }
            Form::Png | Form::Svg => {}
        }
        for picture in drawn.iter().flatten() {
            match form {
                Form::Html | Form::Png => {
                    write(&format!("{name}-{}.png", picture.name), &png(&picture.svg)?)?;
                }
                Form::Svg => {
                    write(&format!("{name}-{}.svg", picture.name), picture.svg.as_bytes())?;
                }
                _ => {}
            }
        }
    }
    Ok(written)
}

/// Writes the whole map of a game as it stands, and its course turn by turn as an animated PNG; for
/// a game that is over also what each seat knew, turn by turn. Gives the files.
///
/// # Errors
/// [`RenderError`] when the game has no map or a file can't be written.
pub fn atlas(
    robot: &mut Robot,
    game: &str,
    frame_ms: u16,
    folder: &Path,
    mut progress: impl FnMut(Turn),
) -> Result<Vec<PathBuf>, RenderError> {
    let game = robot.game(game)?;
    let code = game.code.to_lowercase();
    let none = || RenderError::Nothing(format!("game {} has no map to be drawn", game.code));
    let every: Vec<Turn> = (0..game.turn).collect();
    let mut page = Vec::new();
    let (film, last) = film(robot, &game, None, &every, Some(&mut page), &mut progress)?;
    let sheet = last.ok_or_else(none)?;
    let of = |shown: &[Shown], whose: &str| {
        course::page(&format!("The course of game {}{whose}", game.code), shown)
    };
    let mut written = vec![
        put(folder, &format!("{code}-atlas.svg"), sheet.svg.as_bytes())?,
        put(folder, &format!("{code}-atlas.png"), &png(&sheet.svg)?)?,
        put(folder, &format!("{code}-course.png"), &film.png(frame_ms)?)?,
        put(folder, &format!("{code}-course.html"), of(&page, "").as_bytes())?,
    ];
    if game.status == Status::Over {
        for seat in (1..=game.setup.seats).map(Seat) {
            page.clear();
            let (film, last) =
                self::film(robot, &game, Some(seat), &every, Some(&mut page), &mut progress)?;
            if last.is_some() {
                let name = format!("{code}-seat-{seat}-course");
                written.push(put(folder, &format!("{name}.png"), &film.png(frame_ms)?)?);
                let page = of(&page, &format!(" as seat {seat} saw it"));
                written.push(put(folder, &format!("{name}.html"), page.as_bytes())?);
            }
        }
    }
    Ok(written)
}

/// The course of a game as an animated PNG of at most `pictures` pictures, including the last turn,
/// as all see it or as a seat saw it; `None` without a map.
///
/// # Errors
/// [`RenderError`] when the journal can't be read or a picture can't be drawn.
pub fn course(
    robot: &mut Robot,
    game: &Game,
    seat: Option<Seat>,
    pictures: u32,
) -> Result<Option<Vec<u8>>, RenderError> {
    let apart = game.turn.div_ceil(pictures.max(1)).max(1);
    let mut turns: Vec<Turn> =
        (0..game.turn).rev().step_by(usize::try_from(apart).unwrap_or(usize::MAX)).collect();
    turns.reverse();
    let (film, last) = film(robot, game, seat, &turns, None, &mut |_| {})?;
    Ok(last.is_some().then(|| film.png(FRAME_MS)).transpose()?)
}

/// The course of a game over some turns, as all see it or as a seat saw it, with its last map;
/// `page` also gets each picture by itself. A picture shows the number of its turn and who led.
fn film(
    robot: &mut Robot,
    game: &Game,
    seat: Option<Seat>,
    turns: &[Turn],
    mut page: Option<&mut Vec<Shown>>,
    progress: &mut impl FnMut(Turn),
) -> Result<(Film, Option<Sheet>), RenderError> {
    let mut film = Film::new(1);
    let mut last: Option<Sheet> = None;
    let names = names(robot, game)?;
    let name = |seat: u8| match names.get(&seat) {
        Some(name) => format!("{seat} {name}"),
        None => format!("seat {seat}"),
    };
    for &turn in turns {
        let Some((map, charts)) = robot.reports().atlas_after(game, turn, seat)? else { continue };
        let Some(sheet) = picture::whole(&map) else { continue };
        // A step in which nothing changes on the map gets no picture.
        if last.as_ref().is_none_or(|l| l.svg != sheet.svg) {
            let chart = course::measure(&charts);
            let leaders = chart.map_or_else(Vec::new, |c| course::leaders(c, name));
            let measure = chart.map_or("", |c| &c.title);
            let label = match turn {
                0 => "The start".to_owned(),
                _ => format!("After {}", step_label(robot, game, turn)?),
            };
            let drawn = course::picture(&sheet, &label, measure, &leaders);
            film.add(&drawn.svg)?;
            if let Some(page) = &mut page {
                let mut one = Film::new(1);
                one.add(&drawn.svg)?;
                page.push(Shown { label, alt: drawn.alt, png: one.png(0)? });
            }
        }
        last = Some(sheet);
        progress(turn);
    }
    Ok((film, last))
}

/// The name of a step of a game, as players know it.
fn step_label(robot: &Robot, game: &Game, step: Turn) -> Result<String, RobotError> {
    Ok(robot.store.steps().step_label(&game.code, step)?)
}

/// Characters of a player's name beside a picture, at most.
const NAME: usize = 24;

/// The names of the players of a game; a mail address is not shown.
fn names(robot: &Robot, game: &Game) -> Result<BTreeMap<u8, String>, RobotError> {
    let seats = robot.store.games().seats(&game.code).map_err(RobotError::from)?;
    let public = seats.into_iter().filter(|s| !s.name.is_empty() && !s.name.contains('@'));
    Ok(public.map(|s| (s.seat.0, s.name.chars().take(NAME).collect())).collect())
}

fn put(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, RenderError> {
    let path = folder.join(name);
    let failed = |e| RenderError::File(path.clone(), e);
    std::fs::create_dir_all(folder).map_err(failed)?;
    std::fs::write(&path, bytes).map_err(failed)?;
    Ok(path)
}
