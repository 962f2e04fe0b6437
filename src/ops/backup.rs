//! Copies of the whole store while the robot runs, and back.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::Failure;
use super::dump;
use super::part::{Part, sync_folder, unwritable};
use super::refetch;
use crate::config::Config;
use crate::host as place;
use base::clock::{Clock, SystemClock};
use base::text::{count, size};
use store::copy::{self, Contents};
use store::{FILE, Place, StoreError};

/// A finished copy.
#[derive(Debug)]
pub struct Copied {
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// What the copy holds.
    pub contents: Contents,
    /// Older copies that were removed.
    pub removed: Vec<PathBuf>,
}

/// Copies the store of a config and prints what the copy holds. For `to` and `keep` see [`copy()`].
///
/// # Errors
/// A sentence that says what to do; a copy that is not whole is not left behind.
pub fn run(
    config: &Config,
    to: &Path,
    keep: Option<usize>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let done = copy_of(&config.store, to, keep, SystemClock.now())?;
    let Contents { games, turns, .. } = done.contents;
    let (path, size) = (done.path.display(), size(done.size));
    writeln!(out, "{path}: {size}, {}, {}", count(games, "game"), count(turns, "turn"))?;
    done.removed.iter().try_for_each(|old| writeln!(out, "{}: removed", old.display()))?;
    writeln!(
        out,
        "It holds the host's key, and all mails and addresses: keep it like a password."
    )?;
    Ok(())
}

/// Copies the store in `data` to a new file, or into a folder under a name made of the time. In a
/// folder only the newest `keep` copies stay, this one included; older ones are removed.
///
/// # Errors
/// A sentence that says what to do; a copy that is not whole is not left behind.
pub fn copy(
    data: &Path,
    to: &Path,
    keep: Option<usize>,
    now: Timestamp,
) -> Result<Copied, Failure> {
    copy_of(&Place::Folder(data.to_owned()), to, keep, now)
}

/// Like [`copy()`], for a store in a folder or a database.
///
/// # Errors
/// A sentence that says what to do; a copy that is not whole is not left behind.
pub fn copy_of(
    store: &Place,
    to: &Path,
    keep: Option<usize>,
    now: Timestamp,
) -> Result<Copied, Failure> {
    let in_folder = to.is_dir() || to.as_os_str().as_encoded_bytes().ends_with(b"/");
    if keep.is_some() && !in_folder {
        return Err(format!("--keep wants a folder; write {}/", to.display()).into());
    }
    let path = match in_folder {
        true => {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(to)
                .map_err(|e| unwritable(to, &e))?;
            to.join(name(now, ending(store)))
        }
        false => to.to_owned(),
    };
    let part = Part::of(&path)?;
    let contents = match store {
        Place::Server(server) => dump::copy(server, &part, dump::DUMP)?,
        Place::Folder(data) => {
            copy::snapshot(&data.join(FILE), part.path())?;
            copy::inspect(part.path(), false).map_err(|e| {
                format!(
                    "the copy is not sound, so it was not kept: {e}. If that happens again, the \
                     store itself is damaged: keep the copies that you have"
                )
            })?
        }
    };
    let size = part.put()?;
    let removed = match keep {
        Some(keep) => remove_older(to, &path, keep)?,
        None => Vec::new(),
    };
    Ok(Copied { path, size, contents, removed })
}

/// The name of a copy made at an instant; names sort by time.
fn name(now: Timestamp, ending: &str) -> String {
    format!("fieldpost-{}.{ending}", now.strftime("%Y%m%dT%H%M%SZ"))
}

/// The ending of the names of copies of a store.
fn ending(store: &Place) -> &'static str {
    let dumped = store.server().is_some() && dump::is_there(dump::DUMP);
    if dumped { "dump" } else { "sqlite" }
}

/// Whether a file has the name of a copy, with digits where they belong.
fn is_copy(name: &str) -> bool {
    let forms = ["fieldpost-00000000T000000Z.sqlite", "fieldpost-00000000T000000Z.dump"];
    let fits = |(c, f): (char, char)| if f == '0' { c.is_ascii_digit() } else { c == f };
    forms.iter().any(|f| name.len() == f.len() && name.chars().zip(f.chars()).all(fits))
}

/// Removes all copies but the newest, and never the one that was just made.
fn remove_older(folder: &Path, new: &Path, keep: usize) -> Result<Vec<PathBuf>, Failure> {
    let bad = |e: io::Error| format!("{}: {e}", folder.display());
    let mut copies = Vec::new();
    for entry in fs::read_dir(folder).map_err(bad)? {
        let entry = entry.map_err(bad)?;
        let plain = entry.file_type().map_err(bad)?.is_file();
        if plain && entry.file_name().to_str().is_some_and(is_copy) {
            copies.push(entry.path());
        }
    }
    copies.sort();
    let old = copies.len().saturating_sub(keep);
    let mut removed: Vec<PathBuf> = copies.drain(..old).collect();
    removed.retain(|path| path != new);
    removed.iter().try_for_each(fs::remove_file).map_err(bad)?;
    sync_folder(new).map_err(bad)?;
    Ok(removed)
}

/// A store that was put back.
#[derive(Debug)]
pub struct Restored {
    /// What the copy held.
    pub contents: Contents,
    /// The place of the store that was there before.
    pub before: Option<PathBuf>,
}

/// Puts a copy in the place of the store of a config. With `refetch` it reads mails again that
/// came after the copy, from all folders of the mailboxes, and judges them at their time.
///
/// # Errors
/// A sentence that says what to do; the store is as it was then.
pub fn restore(
    config: &Config,
    from: &Path,
    refetch: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    // No robot may serve while this runs, nor while mails are judged again.
    let lock = place::lock(config)?;
    let now = SystemClock.now();
    let done = match &config.store {
        Place::Folder(data) => put_back(data, from, now)?,
        Place::Server(server) => {
            Restored { contents: dump::put_back(server, from, now)?, before: None }
        }
    };
    let Contents { games, turns, .. } = done.contents;
    let (games, turns) = (count(games, "game"), count(turns, "turn"));
    writeln!(out, "The store is that of the copy: {games}, {turns}.")?;
    if let Some(before) = &done.before {
        writeln!(out, "What was there before: {}", before.display())?;
    }
    let newest = done.contents.newest;
    let since = newest.map_or("its beginning".to_owned(), |at| at.to_string());
    writeln!(out, "\nThe newest mail that the copy knows was received {since}.")?;
    match (refetch, newest) {
        (true, Some(newest)) => refetch::run(config, newest, out)?,
        (true, None) => writeln!(out, "It knows no mail at all, so none is read again.")?,
        (false, _) => write!(out, "{FORGOTTEN}")?,
    }
    write!(out, "{TO_DO}")?;
    drop(lock);
    Ok(())
}

const FORGOTTEN: &str = "\
Everything after that is forgotten: cards, joins, votes, commands. Those mails lie in the
folders Accepted, Rejected, Ignored and Quarantine of the mailbox. Before you start the robot,
restore the copy again with --refetch, which judges them again at their time; or move them to
the inbox by hand, which is enough when no turn has run since. Not there are mails that set a
PASSWORD or confirmed FORGET: the passwords are those of the copy, and who was forgotten since is
to be erased again (fieldpost person erase).
";

const TO_DO: &str = "
Before you start the robot:
- What you did at the command line since the copy is gone: deadlines, holds, seats, payments.
  Do it again (fieldpost game list, game show W7). To suspend a game until you have
  checked it: fieldpost game hold W7 restored
- A turn that ran after the copy runs again with the same seed. With the same cards it comes out
  the same, and its printouts have the Message-IDs of the first ones, so a mail program may show
  them once. One line differs: the digest of the next turn's dice, which are drawn anew; the
  later one holds. Where cards are missing another turn comes out: then tell the players which
  printout holds (fieldpost game tell W7 all \"...\").
- Mails that wait in the copy's outbox and had left since are sent again, under the same
  Message-IDs. What players had answered with YES since the copy is asked again.
";

/// Puts a copy in the place of the store of a folder; nobody may serve it.
///
/// # Errors
/// A sentence that says what to do; the store is as it was then.
pub fn put_back(data: &Path, from: &Path, now: Timestamp) -> Result<Restored, Failure> {
    let store = data.join(FILE);
    fs::create_dir_all(data).map_err(|e| format!("{}: {e}", data.display()))?;
    let same = |a: &Path| fs::canonicalize(a).ok();
    if same(from).is_some() && same(from) == same(&store) {
        return Err(format!("{} is the store itself, no copy", from.display()).into());
    }
    let contents = copy::inspect(from, false)?;
    if contents.is_export {
        let from = from.display();
        return Err(format!("{from} holds one game; \"fieldpost import\" takes it in").into());
    }
    let part = Part::instead_of(&store)?;
    copy::snapshot(from, part.path())?;
    copy::migrate(part.path())?;
    let why = format!("the store was put back from a copy at {now}; what came after is forgotten");
    copy::note_restored(part.path(), &why, now)?;
    copy::inspect(part.path(), false)?;
    owned_like(data, part.path());
    let before = set_aside(&store, now)?;
    part.replace()?;
    Ok(Restored { contents, before })
}

/// Gives the present store a second name. Its own name stays until the copy takes it, so that there
/// is a store at every instant.
fn set_aside(store: &Path, now: Timestamp) -> Result<Option<PathBuf>, Failure> {
    let with = |path: &Path, end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    let aside = with(store, &format!(".before-restore-{}", now.strftime("%Y%m%dT%H%M%SZ")));
    if store.exists() {
        match copy::close(store) {
            Err(StoreError::Busy) => {
                return Err("another program has the store open; stop it first".into());
            }
            // A damaged store is kept as it is, with the files beside it.
            Err(e) => tracing::warn!(error = %e, "the store that was there is damaged"),
            Ok(()) => {}
        }
    }
    // SQLite would take these files for parts of the new store.
    for end in ["-wal", "-shm", "-journal"] {
        match fs::rename(with(store, end), with(&aside, end)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                return Err(format!("{}{end}: {e}", store.display()).into());
            }
            _ => {}
        }
    }
    if !store.exists() {
        return Ok(None);
    }
    let linked = fs::hard_link(store, &aside).or_else(|e| match e.kind() {
        io::ErrorKind::AlreadyExists => Err(e),
        _ => fs::copy(store, &aside).and_then(|_| fs::File::open(&aside)?.sync_all()),
    });
    linked.map_err(|e| format!("{}: {e}; nothing was changed", aside.display()))?;
    Ok(Some(aside))
}

/// Gives files to the owner of their folder, whichever user restores, because the robot must be
/// able to write them.
fn owned_like(data: &Path, file: &Path) {
    let (Ok(folder), Ok(own)) = (fs::metadata(data), fs::metadata(file)) else { return };
    if folder.uid() == own.uid() {
        return;
    }
    for path in [file.to_owned(), data.join("serve.lock")] {
        if let Err(e) = std::os::unix::fs::chown(&path, Some(folder.uid()), Some(folder.gid())) {
            tracing::warn!(error = %e, "give the store to the user whom the robot runs as");
        }
    }
}
