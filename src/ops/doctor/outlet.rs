//! The outlet: reached, logged in, and our own addresses taken.

use std::path::Path;
use std::time::Duration;

use indicatif::ProgressBar;

use super::advice::Server;
use super::host::writable;
use super::report::Report;
use super::{Failure, Visit};
use crate::config::OutletConfig;
use mail::smtp::{SmtpAccount, SmtpOutlet};

/// Time limit of the whole conversation.
const ASK_MAX: Duration = Duration::from_secs(30);

/// How far a mail can get.
pub enum Reached {
    /// Into a folder, where another program takes over.
    Folder,
    Open(Box<SmtpOutlet>),
    Closed,
}

/// Checks the outlet.
///
/// # Errors
/// When nothing can be printed.
pub fn check(visit: &Visit, bar: &ProgressBar, report: &mut Report) -> Result<Reached, Failure> {
    match &visit.config.outlet {
        OutletConfig::Maildir(path) => {
            bar.finish_and_clear();
            folder(path, report)
        }
        OutletConfig::Smtp(account) => smtp(visit, account, bar, report),
    }
}

fn folder(path: &Path, report: &mut Report) -> Result<Reached, Failure> {
    let shown = path.display();
    let there = path.ancestors().find(|f| f.exists());
    let there = there.filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if there.is_dir() && writable(there) {
        report.ok("outlet", &format!("{shown} can be written"))?;
        return Ok(Reached::Folder);
    }
    let advice = format!("Make it and give it to the user that serves: mkdir -p {shown}");
    report.fail("outlet", &format!("{shown} can't be written by this user"), &advice)?;
    Ok(Reached::Closed)
}

fn smtp(
    visit: &Visit,
    account: &SmtpAccount,
    bar: &ProgressBar,
    report: &mut Report,
) -> Result<Reached, Failure> {
    let server = Server {
        table: "outlet".to_owned(),
        host: &account.host,
        port: account.port,
        tls: account.tls,
        ca_file: account.ca_file.as_deref(),
        login: account.login.as_ref(),
        usual: (465, 587),
    };
    let outlet = match SmtpOutlet::new(account.clone()) {
        Ok(outlet) => outlet,
        Err(why) => {
            bar.finish_and_clear();
            let advice = "Check ca_file in [outlet]: a file with certificates in PEM form.";
            report.fail("outlet", &why, advice)?;
            return Ok(Reached::Closed);
        }
    };
    let (plain, plus) = (visit.config.address.as_str(), visit.identity.detailed("doctor"));
    let from = visit.identity.detailed("bounce");
    let asked = runtime()?.block_on(outlet.probe(&from, &[plain, &plus], ASK_MAX));
    bar.finish_and_clear();
    let said = match asked {
        Ok(said) => said,
        Err(trouble) => {
            report.fail("outlet", &server.seen(&trouble), &server.advice(&trouble))?;
            return Ok(Reached::Closed);
        }
    };
    let who = match &account.login {
        Some(login) => format!("logged in as {}", login.user),
        None => "without a login".to_owned(),
    };
    let seen = format!("{}, {who}", server.place());
    report.ok("outlet", &seen)?;
    match recipients(plain, &plus, &said, report)? {
        true => Ok(Reached::Open(Box::new(outlet))),
        false => Ok(Reached::Closed),
    }
}

/// Whether the server takes mail for the robot, with and without a detail.
fn recipients(
    plain: &str,
    plus: &str,
    said: &[Result<(), String>],
    report: &mut Report,
) -> Result<bool, Failure> {
    let refused = |n: usize| said.get(n).and_then(|s| s.as_ref().err());
    match (refused(0), refused(1)) {
        (None, None) => {
            report.ok("outlet, addresses", &format!("{plain} and {plus} are taken"))?;
            Ok(true)
        }
        (Some(why), _) => {
            let advice = "The server knows no such mailbox, or does not send for this login. \
                          Check robot.address, and [outlet].";
            report.fail("outlet, addresses", &format!("{plain} is refused: {why}"), advice)?;
            Ok(false)
        }
        (None, Some(why)) => {
            let seen = format!("{plain} is taken, but {plus} is refused: {why}");
            report.fail("outlet, addresses", &seen, PLUS)?;
            Ok(false)
        }
    }
}

/// How to make a server deliver plus-addresses.
pub const PLUS: &str = "Players answer to plus-addresses: the mailbox's server must deliver \
     robot+anything@… to the robot. Switch it on: Postfix and Dovecot: recipient_delimiter = +; \
     Exim: local_part_suffix = +*; many providers call it subaddresses or aliases.";

/// The runtime of the outlet.
///
/// # Errors
/// When the runtime can't be started.
pub fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}
