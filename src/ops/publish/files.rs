//! Pages as files: each written whole or not at all, and only our own files removed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use crate::ops::Failure;

/// The list of files that this program wrote into a folder, with what each was made from.
const LIST: &str = ".fieldpost-pages.json";

/// A folder of pages while it is written.
pub struct Site {
    folder: PathBuf,
    before: BTreeMap<String, String>,
    now: BTreeMap<String, String>,
    done: Written,
}

/// What was done to a folder.
#[derive(Debug, Default)]
pub struct Written {
    /// Files that are new or have other bytes now.
    pub written: usize,
    /// Files that had the same bytes already.
    pub same: usize,
    /// Files that are no longer pages.
    pub gone: usize,
}

impl Site {
    /// Opens the folder, and makes it if it does not exist.
    ///
    /// # Errors
    /// A sentence when it can't be made, or its list is not ours.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(folder).map_err(|e| at(folder, &e))?;
        opened(folder, 0o755).map_err(|e| at(folder, &e))?;
        let list = folder.join(LIST);
        let before = match fs::read_to_string(&list) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|e| format!("{}: {e}; take it away and publish anew", list.display()))?,
            Err(e) if e.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(e) => return Err(at(&list, &e).into()),
        };
        let (now, done) = (BTreeMap::new(), Written::default());
        Ok(Self { folder: folder.to_owned(), before, now, done })
    }

    /// Whether a file exists that was made with the same stamp.
    pub fn has(&self, path: &str, stamp: Option<&str>) -> bool {
        self.before.get(path).map(String::as_str) == stamp && self.folder.join(path).is_file()
    }

    /// Leaves a file as it is.
    pub fn keep(&mut self, path: &str) {
        self.now.insert(path.to_owned(), self.before.get(path).cloned().unwrap_or_default());
        self.done.same += 1;
    }

    /// Writes a file, unless it has these bytes already.
    ///
    /// # Errors
    /// A sentence with the path.
    pub fn write(
        &mut self,
        path: &str,
        bytes: &[u8],
        stamp: Option<String>,
    ) -> Result<(), Failure> {
        self.now.insert(path.to_owned(), stamp.unwrap_or_default());
        match fs::read(self.folder.join(path)) {
            Ok(old) if old == bytes => self.done.same += 1,
            _ => {
                put(&self.folder.join(path), bytes)?;
                self.done.written += 1;
            }
        }
        Ok(())
    }

    /// Removes files that were written before and are no longer pages, and writes the list.
    ///
    /// # Errors
    /// A sentence with the path.
    pub fn close(mut self) -> Result<Written, Failure> {
        let stale = self.before.keys().filter(|p| !self.now.contains_key(*p));
        for path in stale.filter(|p| is_inside(p)) {
            match fs::remove_file(self.folder.join(path)) {
                Ok(()) => self.done.gone += 1,
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => return Err(at(&self.folder.join(path), &e).into()),
            }
        }
        let list = serde_json::to_vec_pretty(&self.now)?;
        put(&self.folder.join(LIST), &list)?;
        Ok(self.done)
    }
}

/// Whether a path of the list lies within the folder, whoever wrote the list.
fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components().peekable();
    parts.peek().is_some() && parts.all(|c| matches!(c, Component::Normal(_)))
}

/// Writes a file beside its place and moves it there, so that no reader finds half of it.
fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |e: io::Error| at(path, &e);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
        opened(folder, 0o755).map_err(failed)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    let written = fs::File::create(&new).and_then(|mut file| {
        file.write_all(bytes)?;
        opened(&new, 0o644)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&new, path)).map_err(|e| {
        // A half-written file is of no use.
        let _ = fs::remove_file(&new);
        failed(e)
    })?;
    Ok(())
}

/// Lets everybody read a page, so that the web server can.
fn opened(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
}

fn at(path: &Path, e: &io::Error) -> String {
    format!("{}: {e}", path.display())
}
