//! What to do about a connection that failed, by the step that failed and by what the server said.

use std::path::Path;

use mail::account::{Login, Password, TlsMode};
use mail::connect::{ConnectError, Step};

/// A server as the config names it.
pub struct Server<'a> {
    /// Table of the config, such as `inbox.main`.
    pub table: String,
    /// Name or address of the machine.
    pub host: &'a str,
    /// The port that the robot connects to.
    pub port: u16,
    /// How the connection is encrypted.
    pub tls: TlsMode,
    /// Authority of the certificate, instead of the system's.
    pub ca_file: Option<&'a Path>,
    /// The login; a server on this machine may need none.
    pub login: Option<&'a Login>,
    /// The ports that are usual for TLS from the first byte and for STARTTLS.
    pub usual: (u16, u16),
}

impl Server<'_> {
    /// Its address and encryption.
    pub fn place(&self) -> String {
        let how = match self.tls {
            TlsMode::Implicit => "TLS",
            TlsMode::Starttls => "STARTTLS",
            TlsMode::None => "no encryption",
        };
        format!("{}:{} with {how}", self.host, self.port)
    }

    /// What failed, in a few words.
    pub fn seen(&self, trouble: &ConnectError) -> String {
        let said = match trouble.cause.contains("os error 11)") {
            // The error of a read that has timed out.
            true => "no answer in time",
            false => trouble.cause.as_str(),
        };
        let step = match trouble.step {
            Step::Connect => "no connection",
            Step::Tls => "no encryption",
            Step::LogIn => "no login",
            Step::Folder => "no folder",
            Step::Sender => "the sender is refused",
        };
        format!("{}: {step}: {said}", self.place())
    }

    /// What to do.
    pub fn advice(&self, trouble: &ConnectError) -> String {
        match trouble.step {
            Step::Connect => self.about_port(&trouble.cause),
            Step::Tls => self.about_tls(&trouble.cause),
            Step::LogIn => self.about_login(&trouble.cause),
            Step::Folder => format!("Check folder in [{}].", self.table),
            Step::Sender => "The account must be allowed to send as the robot's address and its \
                             plus-addresses: bounces come back to them. Ask the provider, or log \
                             in as the robot's own account."
                .to_owned(),
        }
    }

    fn about_port(&self, cause: &str) -> String {
        let (tls, starttls) = self.usual;
        let table = &self.table;
        if cause.contains("lookup") || cause.contains("resolve") || cause.contains("no address") {
            return format!(
                "No name server knows {}. Check host in [{table}] for a slip, and whether this \
                 machine has DNS.",
                self.host
            );
        }
        format!(
            "Check host and port in [{table}]: usual are {tls} with tls = \"implicit\" and \
             {starttls} with tls = \"starttls\". If they are right, the server is down or a \
             firewall is between."
        )
    }

    fn about_tls(&self, cause: &str) -> String {
        let (tls, starttls) = self.usual;
        let table = &self.table;
        let has = |word: &str| cause.contains(word);
        if has("CA file") || has("No such file") {
            return format!("Check ca_file in [{table}]: a file with certificates in PEM form.");
        }
        if has("UnknownIssuer") || has("BadSignature") || has("CaUsedAsEndEntity") {
            return match self.ca_file {
                Some(path) => format!(
                    "The certificate does not come from the authority in {}. Name the right one \
                     as ca_file in [{table}], or drop the key to trust the system's.",
                    path.display()
                ),
                None => format!(
                    "This machine does not know the certificate's authority. Install the package \
                     ca-certificates, or name the authority's file as ca_file in [{table}]."
                ),
            };
        }
        if has("not valid for name") || has("NotValidForName") {
            return format!("Write the name that stands in the certificate as host in [{table}].");
        }
        if has("xpired") || has("NotValidYet") || has("not valid yet") {
            return "The certificate's time is over or has not begun: have it renewed, or set \
                    this machine's clock."
                .to_owned();
        }
        format!(
            "Check port and tls in [{table}]: {tls} goes with tls = \"implicit\", {starttls} with \
             tls = \"starttls\". Nothing secret was sent."
        )
    }

    fn about_login(&self, cause: &str) -> String {
        if ["password file", "environment variable"].iter().any(|w| cause.starts_with(w)) {
            return "This user finds no password there. What systemd hands to the service \
                    (LoadCredential) is there for the service alone: run doctor with systemd-run \
                    --pipe --wait and the same LoadCredential."
                .to_owned();
        }
        let secret = match self.login.map(|l| &l.secret) {
            Some(Password::File(path)) => format!("the password in {}", path.display()),
            Some(Password::Env(name)) => format!("the password in the variable {name}"),
            Some(Password::Command(words)) => {
                let program = words.first().map_or("the command", String::as_str);
                format!("what {program} prints")
            }
            None => "whether the server wants a login".to_owned(),
        };
        format!(
            "Check user in [{}] and {secret}. Large providers take no account password from \
             programs: they want an app password, or a token (token_command).",
            self.table
        )
    }
}
