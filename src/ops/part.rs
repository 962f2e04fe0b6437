//! Files that appear whole or not at all, and that only their owner can read.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::Failure;

/// A file under a temporary name beside its place; removed if it is dropped before it was put
/// there.
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
    to: PathBuf,
}

impl Part {
    /// An empty file, readable by its owner, for the place `to`, where nothing may be.
    ///
    /// # Errors
    /// A sentence with the path and the cause.
    pub fn of(to: &Path) -> Result<Self, Failure> {
        if to.symlink_metadata().is_ok() {
            return Err(taken(to));
        }
        Self::instead_of(to)
    }

    /// An empty file that takes the place of what lies at `to`, by [`Part::replace`].
    ///
    /// # Errors
    /// A sentence with the path and the cause.
    pub fn instead_of(to: &Path) -> Result<Self, Failure> {
        let name = to.file_name().ok_or_else(|| format!("{} names no file", to.display()))?;
        let path = to.with_file_name(format!(".{}.part", name.to_string_lossy()));
        let new = || OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let made = new().or_else(|e| match e.kind() {
            // Left by a process that was stopped.
            io::ErrorKind::AlreadyExists => fs::remove_file(&path).and_then(|()| new()),
            _ => Err(e),
        });
        made.map_err(|e| unwritable(to, &e))?;
        Ok(Self { path, to: to.to_owned() })
    }

    /// Its temporary path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes it to the disk, moves it to its place and gives its size in bytes. A file that has
    /// appeared there meanwhile is not overwritten.
    ///
    /// # Errors
    /// A sentence with the path and the cause; nothing is left then.
    pub fn put(self) -> Result<u64, Failure> {
        let bad = |e: io::Error| format!("{}: {e}", self.to.display());
        let size = sync(&self.path).map_err(bad)?;
        match fs::hard_link(&self.path, &self.to) {
            Ok(()) => {}
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => return Err(taken(&self.to)),
            // Not every file system has links.
            Err(_) if self.to.symlink_metadata().is_ok() => return Err(taken(&self.to)),
            Err(_) => fs::rename(&self.path, &self.to).map_err(bad)?,
        }
        sync_folder(&self.to).map_err(bad)?;
        Ok(size)
    }

    /// Like [`Part::put`], but replaces what lies at its place.
    ///
    /// # Errors
    /// A sentence with the path and the cause; what was there still is.
    pub fn replace(self) -> Result<(), Failure> {
        let bad = |e: io::Error| format!("{}: {e}", self.to.display());
        sync(&self.path).map_err(bad)?;
        fs::rename(&self.path, &self.to).map_err(bad)?;
        Ok(sync_folder(&self.to).map_err(bad)?)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        for end in ["", "-journal", "-wal", "-shm"] {
            let mut name = self.path.clone().into_os_string();
            name.push(end);
            // It may be missing already.
            let _ = fs::remove_file(name);
        }
    }
}

/// A sentence that a file or folder can't be written, why, and what to do.
pub fn unwritable(path: &Path, why: &io::Error) -> String {
    format!("{} can't be written: {why}; name a place where this user may write", path.display())
}

fn taken(to: &Path) -> Failure {
    format!("{} is there already, and nothing is overwritten; name another file", to.display())
        .into()
}

fn sync(path: &Path) -> io::Result<u64> {
    let file = File::open(path)?;
    file.sync_all()?;
    Ok(file.metadata()?.len())
}

/// Makes sure that the name of a file is on the disk.
///
/// # Errors
/// As the system gives it.
pub fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
