//! Writes a commented config from a few answers.

mod checks;
mod document;
mod questions;

use std::fs::OpenOptions;
use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::Failure;
use crate::config::Config;
use questions::Questions;

// The doc comments are the help of "fieldpost init". In a terminal it asks for what is missing.
/// Asks a few questions, or takes flags, and writes a commented config.
#[derive(Debug, Default, clap::Args)]
pub struct Args {
    /// The robot's address, where players write.
    #[arg(long)]
    pub address: Option<String>,
    /// The game master's address, yours.
    #[arg(long)]
    pub gm: Option<String>,
    /// Folder of the store.
    #[arg(long, value_name = "DIR")]
    pub data: Option<String>,
    /// IMAP server of the robot's mailbox.
    #[arg(long, value_name = "HOST[:PORT]", conflicts_with = "maildir")]
    pub imap: Option<String>,
    /// Encryption of IMAP: implicit, starttls, or none on this machine only.
    #[arg(long, value_name = "MODE")]
    pub imap_tls: Option<String>,
    /// Maildir of the robot, instead of an IMAP server.
    #[arg(long, value_name = "DIR")]
    pub maildir: Option<String>,
    /// SMTP server that sends the robot's mail.
    #[arg(long, value_name = "HOST[:PORT]", conflicts_with = "outbox_dir")]
    pub smtp: Option<String>,
    /// Encryption of SMTP: implicit, starttls, or none on this machine only.
    #[arg(long, value_name = "MODE")]
    pub smtp_tls: Option<String>,
    /// Folder for the robot's mail, instead of an SMTP server.
    #[arg(long, value_name = "DIR")]
    pub outbox_dir: Option<String>,
    /// Name by which the servers know the robot.
    #[arg(long)]
    pub user: Option<String>,
    /// File with the password of both servers.
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<String>,
    /// Authority of both servers' certificates, instead of the system's.
    #[arg(long, value_name = "FILE")]
    pub ca_file: Option<String>,
    /// Address of this machine for the dashboard, such as 127.0.0.1:8025.
    #[arg(long, value_name = "ADDRESS")]
    pub dashboard: Option<String>,
    /// Never asks; a missing answer is an error.
    #[arg(long)]
    pub yes: bool,
    /// Overwrites a config that is there.
    #[arg(long)]
    pub force: bool,
}

/// All answers, each checked.
#[derive(Debug)]
struct Answers {
    address: String,
    gm: String,
    data: PathBuf,
    inbox: Place,
    outlet: Place,
    login: Option<Login>,
    ca_file: Option<PathBuf>,
    dashboard: Option<SocketAddr>,
}

/// Where mail comes from or goes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Folder(PathBuf),
    Server {
        host: String,
        port: Option<u16>,
        /// Its word in the config; `None` for the usual one.
        tls: Option<&'static str>,
    },
}

/// The login for both servers.
#[derive(Debug)]
struct Login {
    user: String,
    password_file: PathBuf,
    /// A password that was typed and has to be written into the file.
    typed: Option<String>,
}

/// Asks what the flags leave open and writes the config to `path`.
///
/// # Errors
/// A sentence that says what to do.
pub fn run(args: &Args, path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    if path.exists() && !args.force {
        let shown = path.display();
        return Err(format!(
            "{shown} is there already; edit it, or overwrite it with --force, or write another \
             with --config FILE"
        )
        .into());
    }
    let asks = !args.yes && std::io::stdin().is_terminal();
    if asks {
        writeln!(out, "A few questions; Enter takes what stands in brackets.\n")?;
    }
    let answers = Questions { args, config: path, asks }.ask_all()?;
    let text = document::text(&answers)?;
    // A wrong config is refused before anything is written.
    Config::parse(&text)?;
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    if let Some(Login { password_file, typed: Some(password), .. }) = &answers.login {
        write(password_file, &format!("{password}\n"), 0o600)?;
        writeln!(out, "Wrote the password to {}.", password_file.display())?;
    }
    write(path, &text, 0o600)?;
    Config::load(path)?;
    writeln!(out, "Wrote {}; it holds every setting with what it does.", path.display())?;
    remarks(&answers, out)?;
    next_steps(path, out)
}

/// Writes a whole file with these rights, whatever rights it had before.
fn write(path: &Path, text: &str, mode: u32) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    let error = |e: std::io::Error| format!("{}: {e}", path.display());
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(mode);
    let mut file = options.open(path).map_err(error)?;
    // The rights are set before the secret is in the file.
    file.set_permissions(std::fs::Permissions::from_mode(mode)).map_err(error)?;
    file.write_all(text.as_bytes()).map_err(error)?;
    file.sync_all().map_err(error)?;
    Ok(())
}

/// Prints what is left to do.
fn remarks(answers: &Answers, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(Login { password_file, .. }) = &answers.login
        && !password_file.exists()
    {
        let shown = password_file.display();
        writeln!(out, "{shown} is not there yet: put the password into it, mode 600.")?;
    }
    if let Place::Server { .. } = answers.inbox {
        let says = "Some mail servers tell of new mail late, Dovecot by half a second as a rule: \
                    each echo leaves so\nmuch later. `doctor` measures it. A Maildir on this \
                    machine (--maildir) is read at once.";
        writeln!(out, "{says}")?;
    }
    Ok(())
}

fn next_steps(path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let program = match path == Path::new("robot.toml") {
        true => "fieldpost".to_owned(),
        false => format!("fieldpost --config {}", path.display()),
    };
    writeln!(out, "\nNext:")?;
    for (step, why) in [
        ("doctor", "checks servers, folders and domain"),
        ("game new W7 --seats 12", "makes a game"),
        ("seat add W7 1 anna@example.org", "gives its seats to players"),
        ("game start W7 --computers", "starts it; computers take the free seats"),
        ("serve", "runs the robot"),
    ] {
        writeln!(out, "  {program} {step:<32} {why}")?;
    }
    Ok(())
}
