//! Copies of a host whose store is a database, and back.
//!
//! A copy is made by `pg_dump`, in its own format; if that program is missing, the copy is a store
//! file, as hosts without a database have it. Both can be put back, but only into an empty
//! database: the former database stays as it is.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use jiff::Timestamp;

use super::Failure;
use super::part::Part;
use base::clock::SystemEntropy;
use store::copy::{self, Contents};
use store::{FILE, Place, Server, Store, check_server, copy_store};

/// PostgreSQL's own programs.
pub const DUMP: &str = "pg_dump";
const RESTORE: &str = "pg_restore";

/// Whether a program can be found.
pub fn is_there(program: &str) -> bool {
    let asked = Command::new(program).arg("--version").stdout(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

/// Copies a database into a file; `program` makes the copy, or, if it is missing, this program
/// does.
///
/// # Errors
/// A sentence that says what to do.
pub fn copy(server: &Server, part: &Part, program: &str) -> Result<Contents, Failure> {
    let contents = Store::connect(server, &SystemEntropy)?.contents()?;
    if !is_there(program) {
        as_file(server, part.path())?;
        return Ok(copy::inspect(part.path(), false)?);
    }
    let file = part.path();
    run(server, program, |command| {
        command.args(["--format=custom", "--no-owner"]).arg("-f").arg(file)
    })?;
    // What can't be listed can't be put back.
    let mut list = Command::new(RESTORE);
    list.arg("--list").arg(file);
    ended(list, RESTORE)?;
    Ok(contents)
}

/// Writes a database into a file of a store.
fn as_file(server: &Server, file: &Path) -> Result<(), Failure> {
    let beside = file.parent().unwrap_or(Path::new("."));
    let scratch = Scratch::beside(beside)?;
    let (from, to) = (Place::Server(Box::new(server.clone())), Place::Folder(scratch.0.clone()));
    copy_store(&from, &to, &SystemEntropy, |_| {})?;
    copy::snapshot(&scratch.0.join(FILE), file)?;
    Ok(())
}

/// Puts a copy into an empty database.
///
/// # Errors
/// A sentence that says what to do; a copy that was not put back wholly is not used.
pub fn put_back(server: &Server, from: &Path, now: Timestamp) -> Result<Contents, Failure> {
    if !is_empty(server)? {
        return Err(format!(
            "{} holds a host. A copy goes into an empty database: make one (createdb), name it in \
             robot.store, and restore again; what is in this one stays",
            server.shown()
        )
        .into());
    }
    match copy::inspect(from, false) {
        Ok(contents) if contents.is_export => {
            let from = from.display();
            return Err(format!("{from} holds one game; \"fieldpost import\" takes it in").into());
        }
        Ok(_) => {
            let beside = from.parent().filter(|f| !f.as_os_str().is_empty());
            let scratch = Scratch::beside(beside.unwrap_or(Path::new(".")))?;
            copy::snapshot(from, &scratch.0.join(FILE))?;
            let to = Place::Server(Box::new(server.clone()));
            copy_store(&Place::Folder(scratch.0.clone()), &to, &SystemEntropy, |_| {})?;
        }
        Err(e) if !from.is_file() => return Err(e.into()),
        // The file has the format of `pg_dump`, or is not a copy, which `pg_restore` reports.
        Err(_) => run(server, RESTORE, |command| {
            command
                .args(["--clean", "--if-exists", "--no-owner", "--no-privileges"])
                .args(["--single-transaction", "--exit-on-error"])
                .arg(from)
        })?,
    }
    let mut store = Store::connect(server, &SystemEntropy)?;
    let contents = store.contents()?;
    let why = format!("the store was put back from a copy at {now}; what came after is forgotten");
    store.write(|tx| tx.note_restored(&why, now))?;
    Ok(contents)
}

/// Whether a database holds no host. A database without a schema stays without one, because an
/// older copy brings its own.
fn is_empty(server: &Server) -> Result<bool, Failure> {
    let fresh = check_server(server)?.schema == 0;
    Ok(fresh || Store::connect(server, &SystemEntropy)?.is_empty()?)
}

/// Runs one of PostgreSQL's programs over a database.
fn run(
    server: &Server,
    program: &str,
    arguments: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<(), Failure> {
    let (address, variables) = server.for_programs()?;
    let mut command = Command::new(program);
    command.envs(variables);
    command.arg("-d").arg(address);
    arguments(&mut command);
    ended(command, program)
}

fn ended(mut command: Command, program: &str) -> Result<(), Failure> {
    let done = command.stdin(Stdio::null()).output().map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => {
            format!("{program} is not there; install the package postgresql-client")
        }
        _ => format!("{program}: {e}"),
    })?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let line = said.lines().find(|l| !l.trim().is_empty()).unwrap_or("it does not say why");
    Err(format!("{program} failed: {}", base::text::tame(line)).into())
}

/// A temporary folder, removed when it is dropped.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn beside(folder: &Path) -> Result<Self, Failure> {
        use base::clock::Entropy;
        use std::os::unix::fs::DirBuilderExt;
        let path = folder.join(format!(".fieldpost-{:016x}", SystemEntropy.word()));
        let made = std::fs::DirBuilder::new().mode(0o700).create(&path);
        made.map_err(|e| super::part::unwritable(&path, &e))?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
