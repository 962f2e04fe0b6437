//! Checks whether the host can do its work, and says what to do where it cannot.

mod advice;
mod domain;
mod host;
mod inbox;
mod itself;
mod outlet;
mod report;

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use indicatif::ProgressBar;

use super::Failure;
use crate::config::Config;
use base::clock::{Entropy, SystemEntropy};
use mail::compose::Sender;
use report::Report;

/// What all checks know.
struct Visit<'a> {
    config: &'a Config,
    identity: Sender,
    /// Id of every mail of this visit, without brackets.
    id: String,
    /// The mark of the store in its mailboxes, if it has one.
    mark: Option<String>,
}

/// Checks everything that the config at `path` names. With `no_mail` it sends no mail to the robot
/// itself.
///
/// # Errors
/// When a check failed; each was printed with what to do.
pub fn run(no_mail: bool, path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let mut report = Report::new(out);
    let config = match Config::load(path) {
        Ok(config) => config,
        Err(e) => {
            let advice = "Mend this first; nothing else can be checked without it.";
            report.fail("config", &e.to_string(), advice)?;
            return report.end();
        }
    };
    let mut visit = Visit::of(&config);
    if host::check(&visit, path, &mut report)? {
        visit.mark =
            Some(crate::host::robot(&config, &registry::ENGINES)?.reports().mailbox_mark()?);
    }
    let mut mailboxes = Vec::new();
    for inbox in &config.inboxes {
        let bar = spinner("reading the mailbox");
        mailboxes.extend(inbox::check(&visit, inbox, &bar, &mut report)?);
    }
    let whole = mailboxes.len() == config.inboxes.len();
    let bar = spinner("asking the outlet");
    let outlet = outlet::check(&visit, &bar, &mut report)?;
    let came = match (no_mail, outlet) {
        (true, _) => None,
        (false, outlet::Reached::Folder) => {
            let seen = "not tried: another program takes it from the outlet's folder";
            report.ok("a mail to itself", seen)?;
            None
        }
        (false, outlet::Reached::Open(outlet)) if whole => {
            let bar = spinner("waiting for a mail to itself");
            itself::check(&visit, &outlet, &mut mailboxes, &bar, &mut report)?
        }
        (false, _) => {
            report.warn("a mail to itself", "not tried", "Mend first what failed above.")?;
            None
        }
    };
    mailboxes.into_iter().for_each(inbox::Mailbox::close);
    let bar = spinner("asking name servers");
    domain::check(&visit, came.as_deref(), &bar, &mut report)?;
    report.end()
}

impl<'a> Visit<'a> {
    fn of(config: &'a Config) -> Self {
        let identity = Sender {
            name: config.name.clone(),
            address: config.address.clone(),
            from: config.from.clone(),
        };
        let id = format!("doctor.{:016x}@{}", SystemEntropy.word(), identity.domain());
        Self { config, identity, id, mark: None }
    }
}

/// Shows on a terminal that something is waited for; gone when it is dropped.
fn spinner(what: &'static str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(what);
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// A mail that came, as a separate process reads it; `None` if it can't be read.
fn taken_apart(bytes: &[u8]) -> Option<mail::mime::ParsedMail> {
    mail::reader::Reader::subprocess().ok()?.read(bytes).ok()?.ok()
}
