//! A private PostgreSQL server, in a temporary folder with a socket; and the choice of the store's
//! backend for a run of the tests.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use base::cancel::Cancel;
use base::clock::Entropy;
use store::{Server, Store};

/// The variable that says which store is tested: `postgres` for a server, else files.
pub const BACKEND: &str = "FIELDPOST_TEST_STORE";
/// The variable with more options for connections, such as another isolation level.
const OPTIONS: &str = "FIELDPOST_TEST_STORE_OPTIONS";
/// The number of databases that are kept: finished tests no longer need theirs, and each takes 20
/// MB.
const KEPT: u32 = 60;
/// The file in a store's folder that has the address of its database.
const ADDRESS: &str = "database";

#[expect(clippy::disallowed_methods, reason = "tests are told by their environment")]
fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Whether stores of this run are databases.
pub fn is_tested() -> bool {
    environment(BACKEND).is_some_and(|backend| backend == "postgres")
}

/// Opens the store that belongs to a folder: the file in it, or the database whose address is in
/// it.
pub fn open(folder: &Path, entropy: &dyn Entropy) -> store::Result<Store> {
    if !is_tested() {
        return Store::open(folder, entropy);
    }
    let note = folder.join(ADDRESS);
    if !note.exists() {
        std::fs::create_dir_all(folder).expect("a folder");
        std::fs::write(&note, Cluster::shared().database()).expect("a note");
    }
    let url = std::fs::read_to_string(&note).expect("a note");
    Store::connect(&server(&url), entropy)
}

/// The server of an address.
pub fn server(url: &str) -> Server {
    let options = environment(OPTIONS).unwrap_or_default();
    let url = if options.is_empty() { url.to_owned() } else { format!("{url}&options={options}") };
    Server::new(&url, None, None).expect("a good address")
}

/// A server with its databases. It ends with this process, in whatever way that ends.
pub struct Cluster {
    folder: tempfile::TempDir,
    bin: PathBuf,
    /// It waits for the end of its input pipe.
    keeper: Child,
    settings: Vec<String>,
    made: AtomicU32,
}

/// A command as the user that may run a server: none of them runs as root.
fn as_user(program: &Path) -> Command {
    if !rustix::process::geteuid().is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
    command
}

/// Gives a folder to that user.
fn owned(folder: &Path) {
    if rustix::process::geteuid().is_root() {
        let mut chown = Command::new("chown");
        chown.arg("postgres").arg(folder);
        ran(chown, "chown");
    }
}

fn ran(mut command: Command, what: &str) -> String {
    let done = command.output().unwrap_or_else(|e| panic!("{what}: {e}"));
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{what}: {said}");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

impl Cluster {
    /// The server of this process.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(|| {
            let cluster = Self::start(&["-c", "fsync=off", "-c", "full_page_writes=off"]);
            let model = cluster.url("postgres");
            cluster.run(&model, "CREATE DATABASE model");
            let entropy = base::clock::FixedEntropy::new(1);
            let store = Store::connect(&server(&cluster.url("model")), &entropy);
            // Each store has its own key.
            let gone =
                store.expect("a store").database().batch("DELETE FROM host; DELETE FROM unit");
            gone.expect("an empty store");
            cluster
        })
    }

    /// Starts a server with some settings.
    ///
    /// # Panics
    /// When PostgreSQL is not there; `tests/run` installs it.
    pub fn start(settings: &[&str]) -> Self {
        let found = std::fs::read_dir("/usr/lib/postgresql").expect("PostgreSQL is installed");
        let mut versions: Vec<PathBuf> = found.flatten().map(|e| e.path()).collect();
        versions.sort();
        let bin = versions.pop().expect("a version of PostgreSQL").join("bin");
        let folder = tempfile::Builder::new().prefix("pg").tempdir_in("/tmp").expect("a folder");
        owned(folder.path());
        let data = folder.path().join("data");
        let mut init = as_user(&bin.join("initdb"));
        init.args(["--auth=trust", "--no-sync", "--locale=C.UTF-8", "--encoding=UTF8"]);
        init.args(["--username=fieldpost", "--pgdata"]).arg(&data).current_dir("/tmp");
        ran(init, "initdb");
        let made = AtomicU32::new(0);
        let keeper = Self::keep(&bin, folder.path(), settings);
        let settings = settings.iter().map(|s| (*s).to_owned()).collect();
        let cluster = Self { folder, bin, keeper, settings, made };
        cluster.wait();
        cluster
    }

    /// Stops the server at once, as a crash would, and starts it again.
    pub fn crash(&mut self) {
        self.stop("immediate");
        self.start_again();
    }

    /// Stops the server; `how` is a mode of `pg_ctl`.
    pub fn stop(&mut self, how: &str) {
        let mut stop = as_user(&self.bin.join("pg_ctl"));
        stop.args(["stop", "-w", "-m", how, "-D"]).arg(self.folder.path().join("data"));
        stop.current_dir("/tmp");
        ran(stop, "pg_ctl");
        if let Some(mut pipe) = self.keeper.stdin.take() {
            let _ = std::io::Write::write_all(&mut pipe, b"again\n");
        }
        let _ = self.keeper.wait();
    }

    fn start_again(&mut self) {
        let settings: Vec<&str> = self.settings.iter().map(String::as_str).collect();
        self.keeper = Self::keep(&self.bin, self.folder.path(), &settings);
        self.wait();
    }

    /// A server that follows this one, and may take its place.
    pub fn standby(&self) -> Self {
        let folder = tempfile::Builder::new().prefix("pg").tempdir_in("/tmp").expect("a folder");
        owned(folder.path());
        let mut copy = as_user(&self.bin.join("pg_basebackup"));
        copy.args(["-R", "-X", "stream", "-c", "fast", "--no-sync", "-U", "fieldpost", "-h"]);
        copy.arg(self.folder.path()).arg("-D").arg(folder.path().join("data"));
        copy.current_dir("/tmp");
        ran(copy, "pg_basebackup");
        let bin = self.bin.clone();
        let settings: Vec<&str> = self.settings.iter().map(String::as_str).collect();
        let keeper = Self::keep(&bin, folder.path(), &settings);
        let (settings, made) = (self.settings.clone(), AtomicU32::new(0));
        let standby = Self { folder, bin, keeper, settings, made };
        standby.wait();
        standby
    }

    /// Makes a standby take the place of the server that it followed.
    pub fn promote(&self) {
        let mut promote = as_user(&self.bin.join("pg_ctl"));
        promote.args(["promote", "-w", "-D"]).arg(self.folder.path().join("data"));
        promote.current_dir("/tmp");
        ran(promote, "pg_ctl");
    }

    /// The folder of its socket.
    pub fn socket(&self) -> &Path {
        self.folder.path()
    }

    /// Runs the server until this process closes the input pipe or ends; then the folder is
    /// removed, unless the word `again` came through the pipe.
    fn keep(bin: &Path, folder: &Path, settings: &[&str]) -> Child {
        let script = "folder=$1; shift; \"$@\" & server=$!; read -r word; kill -INT $server; \
                      wait $server; [ \"$word\" = again ] || rm -rf \"$folder\"";
        let mut command = as_user(Path::new("/bin/sh"));
        command.args(["-c", script, "sh"]).arg(folder).arg(bin.join("postgres"));
        command.arg("-D").arg(folder.join("data")).arg("-k").arg(folder);
        command.args(["-c", "listen_addresses=", "-c", "max_connections=300"]);
        command.args(["-c", "log_min_messages=fatal"]).args(settings).current_dir("/tmp");
        let log = std::fs::File::create(folder.join("log")).expect("a log");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(log);
        command.spawn().expect("the server starts")
    }

    fn wait(&self) {
        let never = Cancel::default();
        for _ in 0..600 {
            let mut ready = Command::new(self.bin.join("pg_isready"));
            ready.arg("-q").arg("-h").arg(self.folder.path());
            if ready.status().is_ok_and(|s| s.success()) {
                return;
            }
            never.wait(std::time::Duration::from_millis(50));
        }
        panic!(
            "the server does not start: {:?}",
            std::fs::read_to_string(self.folder.path().join("log"))
        );
    }

    /// The address of a database.
    pub fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?user=fieldpost&host={}", self.folder.path().display())
    }

    /// Runs statements by psql.
    pub fn run(&self, url: &str, sql: &str) -> String {
        let mut psql = Command::new(self.bin.join("psql"));
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, url]);
        ran(psql, sql)
    }

    /// Makes a database read its time from a file, in milliseconds; returns the file's path.
    pub fn tell_time(&self, url: &str) -> PathBuf {
        let name = url.trim_start_matches("postgres:///").split('?').next().unwrap_or_default();
        let file = self.folder.path().join(format!("{name}.time"));
        std::fs::write(&file, "0").expect("a file");
        let sql = format!(
            "CREATE SCHEMA told;
             CREATE FUNCTION told.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
               $$ SELECT to_timestamp(pg_read_file('{}')::numeric / 1000) $$;
             ALTER DATABASE {name} SET search_path = told, pg_catalog, public",
            file.display()
        );
        self.run(url, &sql);
        file
    }

    /// A new empty database; returns its address.
    pub fn database_anew(&self) -> String {
        let name = format!("t{}", self.made.fetch_add(1, Ordering::Relaxed));
        self.run(&self.url("postgres"), &format!("CREATE DATABASE {name}"));
        self.url(&name)
    }

    /// A new database with an empty store; returns its address.
    pub fn database(&self) -> String {
        let n = self.made.fetch_add(1, Ordering::Relaxed);
        let name = format!("t{n}");
        self.run(&self.url("postgres"), &format!("CREATE DATABASE {name} TEMPLATE model"));
        if let Some(old) = n.checked_sub(KEPT) {
            // A database that a test still uses can't be dropped, and stays.
            let mut drop = Command::new(self.bin.join("psql"));
            let sql = format!("DROP DATABASE IF EXISTS t{old}");
            drop.args(["-X", "-q", "-c", &sql, &self.url("postgres")]);
            let _ = drop.stderr(Stdio::null()).status();
        }
        self.url(&name)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}
