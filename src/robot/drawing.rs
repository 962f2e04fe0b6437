//! Turns the text of printouts and echoes into the formats that a player chose: HTML with pictures,
//! PDF, JSON.
//!
//! The commit of a turn has the text of its printouts, the commit of a verdict the text of its
//! echo, and both say what to draw for them. Drawing takes seconds for a large game, so several
//! threads do it beside the robot: first what was begun, then echoes, then printouts. The printouts
//! of a turn leave together when the last one is done; an echo leaves when its map is done. What
//! can't be drawn leaves as text. Later mails to the same player wait until the echo has left.

use std::borrow::Cow;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::context::{Context, RobotError};
use crate::games::Games;
use crate::languages::{catalogue, marker};
use crate::mailer::with_return_path;
use base::cancel::Cancel;
use base::secrets::HostKey;
use base::terms::Format;
use engine::report::Section;
use engine::{CardText, MapPicture, Match, Seat, Turn};
use mail::OutgoingMail;
use mail::compose::{Attachment, Draft, Page, Sender, compose};
use render::desk::{self, Answer};
use render::pdf::Paper;
use render::raster::{PictureError, png};
use render::{Document, Picture, data, html, pdf, pictures};
use store::{Drawing, MailKind, QueuedMail, Store, StoreError, ToDraw};
use tongue::{say, within};

/// Attempts to draw a mail before it leaves as text only.
const ATTEMPTS_MAX: u32 = 2;
/// Mails that are taken from the store beyond those that are being drawn: enough that no thread
/// waits for the store, and so few that an echo waits for few printouts.
const AHEAD: usize = 1;

/// What is to be drawn for a printout or an echo.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Job {
    /// The mail with its text.
    pub draft: Draft,
    /// What it says.
    pub document: Document,
    /// The formats that the player wants.
    pub format: Format,
    /// The mail's date.
    pub at: Timestamp,
    /// The mail has at most two pictures of each map: the part for a narrow screen, where there is
    /// one, and the whole map or its index.
    #[serde(default)]
    pub small: bool,
    /// A map that is made when the mail is drawn, and the position at which its section is
    /// inserted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<(usize, OrdersMap)>,
    /// The words of the index if the document is a rulebook, which is attached as a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<Vec<String>>,
}

/// The map of a card's orders. It is made when the mail is drawn, so that judging a card does not
/// wait for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrdersMap {
    /// Code of the game.
    pub game: String,
    /// The turn that was open.
    pub turn: Turn,
    /// Hash of the turn before.
    pub hash: String,
    /// The seat whose card it is.
    pub seat: Seat,
    /// The card.
    pub card: CardText,
}

impl Job {
    /// The job as the store keeps it.
    pub fn drawing(&self) -> Drawing {
        match codec::to_bytes(self) {
            Ok(bytes) => {
                let to_do = self.format.is_drawn() || self.book.is_some();
                Drawing { what: Some(bytes), to_do, waits: false }
            }
            Err(e) => {
                tracing::error!(error = %e, "a mail stays text");
                Drawing::default()
            }
        }
    }

    /// Reads a job as the store keeps it.
    ///
    /// # Errors
    /// When another version of this program wrote it.
    pub fn of(bytes: &[u8]) -> Result<Self, codec::CodecError> {
        codec::from_bytes(bytes)
    }
}

/// Something that keeps a mail from being drawn.
#[derive(Debug, thiserror::Error)]
enum Undrawn {
    #[error("{0}")]
    Picture(#[from] PictureError),
    #[error("its job can't be read: {0}")]
    Job(#[from] codec::CodecError),
    #[error("{0}")]
    Mail(#[from] mail::compose::ComposeError),
    #[error("drawing failed: {0}")]
    Panic(String),
}

/// A drawn mail, and further mails with what did not fit into it.
struct Drawn {
    mail: OutgoingMail,
    more: Vec<OutgoingMail>,
}

/// Draws everything that waits for it, until `stop` is cancelled, and returns how many mails were
/// tried. Calls `word` whenever some of them may be ready to leave.
///
/// # Errors
/// [`StoreError`] as the store gives it; nothing is lost by it.
pub fn draw(
    store: &mut Store,
    cx: &Context,
    now: &dyn Fn() -> Timestamp,
    word: &dyn Fn(),
    stop: &Cancel,
) -> Result<usize, StoreError> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    // More threads than this help nobody.
    let threads = threads.min(8);
    let key = store.key().clone();
    // The outgoing server may take less than the config says.
    let sent_bytes_max = store.sent_bytes_max(cx.limits.sent_bytes_max, now())?;
    let (give, take) = mpsc::channel::<Task>();
    let (done, finished) = mpsc::channel();
    let take = Mutex::new(take);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (take, key, done) = (&take, &key, done.clone());
            let identity = &cx.identity;
            scope.spawn(move || {
                // The robot has priority; where the system refuses this, they share.
                let _ = rustix::process::nice(10);
                while let Some(task) = next(take) {
                    let drawn = shielded(task.job, task.game, identity, key, sent_bytes_max);
                    let _ = done.send((task.id, task.attempts, drawn));
                }
            });
        }
        drop(done);
        // The threads end when `give` is dropped.
        let give = give;
        let (mut tried, mut begun) = (0, 0);
        loop {
            // What is begun is finished, so that no attempt is lost.
            let room = if stop.is_cancelled() { 0 } else { threads + AHEAD - begun };
            if room > 0 {
                // A mail that was tried before is drawn alone: it begins when nothing else is being
                // drawn, and ends before more is taken.
                let (room, at) = (room as u32, now());
                let rows =
                    store.write(|tx| tx.outbox().to_draw(ATTEMPTS_MAX, room, begun > 0, at))?;
                begun += rows.len();
                tried += rows.len();
                for row in rows {
                    let _ = give.send(Task::of(row, &Games::new(cx, store))?);
                }
            }
            // Threads end only when `give` is dropped, so a result comes.
            let finished = || finished.recv().ok();
            let Some((id, attempts, drawn)) = (begun > 0).then(finished).flatten() else {
                return Ok(tried);
            };
            // Each is stored as soon as it is done, so that none is held in memory.
            keep(store, (id, attempts), drawn, now())?;
            word();
            begun -= 1;
        }
    })
}

/// A mail that a thread is to draw.
struct Task {
    /// Its number, and the tries before this one.
    id: i64,
    attempts: u32,
    job: Result<Job, codec::CodecError>,
    /// The game from which its map is made.
    game: Option<Arc<dyn Match>>,
}

impl Task {
    fn of(row: ToDraw, games: &Games) -> Result<Self, StoreError> {
        let job = Job::of(&row.what);
        let map = job.as_ref().ok().and_then(|job| job.map.as_ref());
        let open = |(_, map): &(usize, OrdersMap)| {
            let open = || games.open_as(&map.game, map.turn, &map.hash);
            match games.shielded(&map.game, open).flatten() {
                Ok(game) => Ok(game),
                Err(RobotError::Store(e)) => Err(e),
                Err(e) => {
                    // A fault in a small map suspends no game.
                    tracing::error!(game = map.game, error = %e, "an echo has no map");
                    Ok(None)
                }
            }
        };
        let game = map.map(open).transpose()?.flatten();
        Ok(Self { id: row.id, attempts: row.attempts, job, game })
    }
}

/// The next mail for a thread; `None` when no more will come.
fn next(take: &Mutex<mpsc::Receiver<Task>>) -> Option<Task> {
    take.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

fn keep(
    store: &mut Store,
    (id, attempts): (i64, u32),
    drawn: Result<Drawn, Undrawn>,
    now: Timestamp,
) -> Result<(), StoreError> {
    match drawn {
        Ok(Drawn { mail, more }) => {
            let about = store.outbox().whose(id)?;
            let more: Vec<QueuedMail> = more
                .into_iter()
                .map(|mail| QueuedMail {
                    kind: MailKind::Part,
                    seat: about.clone().map(|(game, seat, _)| (game, seat)),
                    turn: about.as_ref().map(|(_, _, turn)| *turn),
                    expires_at: None,
                    mail,
                    drawing: Drawing { waits: true, ..Drawing::default() },
                    shows: Vec::new(),
                })
                .collect();
            store.write(|tx| tx.outbox().drawn(id, &mail.bytes, &more, now))
        }
        Err(e) => {
            tracing::error!(mail = id, attempt = attempts + 1, error = %e, "a mail could not be drawn");
            Ok(())
        }
    }
}

fn shielded(
    job: Result<Job, codec::CodecError>,
    game: Option<Arc<dyn Match>>,
    identity: &Sender,
    key: &HostKey,
    most: usize,
) -> Result<Drawn, Undrawn> {
    let act = || {
        let mut job = job?;
        within(catalogue(&job.draft.language.clone()), || {
            if let (Some((at, map)), Some(game)) = (job.map.take(), game) {
                put_map(&mut job.document, at, &map, game.as_ref());
            }
            make(&job, identity, key, most)
        })
    };
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Err(Undrawn::Panic(text.to_owned()))
    })
}

/// Puts the map of a card's orders into an echo. If the map shows nothing, or the engine fails, the
/// echo stays as it is.
fn put_map(document: &mut Document, at: usize, of: &OrdersMap, game: &dyn Match) {
    let sketch = || game.sketch(of.seat, &of.card);
    match catch_unwind(AssertUnwindSafe(sketch)) {
        Ok(None) => {}
        Ok(Some(map)) => {
            let map = MapPicture { words: Vec::new(), ..map };
            document.insert(at, Section { heading: say!("On the map"), blocks: vec![map.into()] });
        }
        Err(_) => tracing::error!(game = of.game, "an echo has no map: the engine failed"),
    }
}

/// Makes the mail of a job. What would make it larger than `most` bytes goes into further mails:
/// the pictures first, then the files.
fn make(job: &Job, identity: &Sender, key: &HostKey, most: usize) -> Result<Drawn, Undrawn> {
    let mut drawn = pictures(&job.document);
    if job.small {
        drawn.iter_mut().for_each(|sheets| sheets.truncate(2));
    }
    let mut draft = job.draft.clone();
    let mut files = job.draft.attachments.clone();
    files.extend(attached(job, &drawn, identity)?);
    if job.format.html {
        let (page, left) = page(job, &drawn)?;
        draft.page = Some(page);
        files.extend(left);
    }
    let of_files =
        |files: &[Attachment]| -> usize { files.iter().map(|f| weight(f.bytes.len())).sum() };
    let text = weight(draft.text.len());
    let mut of_page = draft.page.as_ref().map_or(0, |p| {
        weight(p.html.len()) + p.inline.iter().map(|i| weight(i.1.bytes.len())).sum::<usize>()
    });
    let mut apart = Vec::new();
    if job.small && text + of_page > most {
        // The text says everything that the page says.
        (draft.page, of_page) = (None, 0);
    }
    if text + of_page > most
        && let Some(page) = &mut draft.page
    {
        // The page keeps the names of its pictures, which follow as files.
        let bare = html::document(&job.document, &drawn, &|_| None);
        apart.extend(std::mem::take(&mut page.inline).into_iter().map(|(_, file)| file));
        of_page = weight(bare.len());
        page.html = bare;
    }
    if text + of_page > most {
        draft.page = None;
        of_page = 0;
    }
    if text + of_page + of_files(&files) > most {
        apart.append(&mut files);
    }
    draft.attachments = files;
    let mail = |draft: &Draft| -> Result<OutgoingMail, Undrawn> {
        Ok(with_return_path(compose(identity, draft, job.at)?, identity, key))
    };
    let mut more = Vec::new();
    for (n, files) in (2..).zip(filled(apart, most)) {
        let text = format!(
            "{marker}\n\n{}\n",
            say!("Files of your printout of {step}.", step = job.document.head.label),
            marker = marker()
        );
        let (id, domain) =
            job.draft.message_id.split_once('@').unwrap_or((&job.draft.message_id, ""));
        let part = Draft {
            subject: say!("{subject} (files, part {n})", subject = job.draft.subject),
            text,
            page: None,
            attachments: files,
            message_id: format!("{id}.{n}@{domain}"),
            references: vec![job.draft.message_id.clone()],
            ..job.draft.clone()
        };
        more.push(mail(&part)?);
    }
    Ok(Drawn { mail: mail(&draft)?, more })
}

/// The bytes of a part as it is sent: base64 makes a line of 78 from 57 bytes, quoted-printable is
/// usually not longer, and a part has a header.
fn weight(bytes: usize) -> usize {
    bytes.div_ceil(57) * 78 + 500
}

/// Bytes of a mail's header and of the text that introduces its files.
const MAIL: usize = 2_000;

/// Distributes files over mails of at most `most` bytes.
fn filled(files: Vec<Attachment>, most: usize) -> Vec<Vec<Attachment>> {
    let mut mails: Vec<Vec<Attachment>> = Vec::new();
    let mut used = most;
    for file in files {
        let size = weight(file.bytes.len());
        if used + size > most {
            mails.push(Vec::new());
            used = MAIL;
        }
        used += size;
        if let Some(last) = mails.last_mut() {
            last.push(file);
        }
    }
    mails
}

/// The files that a player wants with a printout.
fn attached(
    job: &Job,
    drawn: &[Vec<Picture>],
    identity: &Sender,
) -> Result<Vec<Attachment>, Undrawn> {
    let mut files = Vec::new();
    let head = &job.document.head;
    let name = head.file_name();
    let paper = if job.format.letter { Paper::Letter } else { Paper::A4 };
    if let Some(terms) = &job.book {
        files.push(Attachment {
            name: format!("{}-rules.pdf", head.game.to_lowercase()),
            media: Cow::Borrowed("application/pdf"),
            bytes: pdf::book(&job.document, terms, drawn, paper)?,
        });
    }
    if job.format.pdf {
        files.push(Attachment {
            name: format!("{name}.pdf"),
            media: Cow::Borrowed("application/pdf"),
            bytes: pdf::document(&job.document, drawn, paper)?,
        });
    }
    if job.format.desk && !head.over {
        let to = job.draft.reply_address(identity).unwrap_or_else(|| identity.address.clone());
        let answer = Answer::of(&job.document, &to, &job.draft.subject);
        files.push(Attachment {
            name: format!("{name}-desk.html"),
            media: Cow::Borrowed("text/html"),
            bytes: desk::document(&job.document, &answer).into_bytes(),
        });
    }
    if job.format.json {
        files.push(Attachment {
            name: "turn.json".to_owned(),
            media: Cow::Borrowed("application/json"),
            bytes: data::document(&job.document),
        });
    }
    Ok(files)
}

/// A picture as a file of a mail.
fn file(picture: &Picture) -> Result<Attachment, PictureError> {
    Ok(Attachment {
        name: format!("{}.png", picture.name),
        media: Cow::Borrowed("image/png"),
        bytes: png(&picture.svg)?,
    })
}

/// The HTML of a document with its pictures as PNG, and the pictures that are not in it because the
/// page had to be cut.
fn page(job: &Job, drawn: &[Vec<Picture>]) -> Result<(Page, Vec<Attachment>), PictureError> {
    // Unique in the world, as the mail's own id is (RFC 2045 §7).
    let id = |picture: &Picture| format!("{}.{}", picture.name, job.draft.message_id);
    let html = html::document(&job.document, drawn, &|p| Some(format!("cid:{}", id(p))));
    let (mut inline, mut left) = (Vec::new(), Vec::new());
    for picture in drawn.iter().flatten() {
        let file = file(picture)?;
        match html.contains(&format!("cid:{}\"", id(picture))) {
            true => inline.push((id(picture), file)),
            false => left.push(file),
        }
    }
    Ok((Page { html, inline }, left))
}
