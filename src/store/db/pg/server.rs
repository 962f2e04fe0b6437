//! A PostgreSQL server: its address, and the bell that its workers ring.

use super::{AUTHORITIES, CONNECT_MAX, IDLE, TIMEOUTS, UNANSWERED, Variables};
use crate::{Result, StoreError, migrate};
use mail::account::Password;
use postgres::config::{Host, SslMode, TargetSessionAttrs};
use postgres::fallible_iterator::FallibleIterator;
use postgres::{Client, Config, NoTls};
use std::error::Error;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use tokio_postgres_rustls::MakeRustlsConnect;

/// Where a database is, and how to log in to it.
#[derive(Clone)]
pub struct Server {
    config: Config,
    /// The address as it was given, without a password.
    shown: String,
    /// The password, if one is needed.
    password: Option<Password>,
    /// Authorities instead of the system's.
    ca_file: Option<PathBuf>,
}

/// Why an address of a database can't be used, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ServerError(String);

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Server").field(&self.shown).finish()
    }
}

impl PartialEq for Server {
    fn eq(&self, other: &Self) -> bool {
        (&self.shown, &self.password, &self.ca_file)
            == (&other.shown, &other.password, &other.ca_file)
    }
}

impl Server {
    /// Reads an address such as `postgres://fieldpost@db.example.org/fieldpost`, in the form of
    /// libpq. The connection to another machine uses TLS.
    ///
    /// # Errors
    /// [`ServerError`] says what to write instead.
    pub fn new(
        url: &str,
        password: Option<Password>,
        ca_file: Option<PathBuf>,
    ) -> std::result::Result<Self, ServerError> {
        let bad = |why: String| Err(ServerError(why));
        // The certificate is checked in every mode.
        let plain = url.replace("sslmode=verify-full", "sslmode=require");
        let plain = plain.replace("sslmode=verify-ca", "sslmode=require");
        let mut config = match Config::from_str(&plain) {
            Ok(config) => config,
            Err(e) => {
                let e = e.source().map_or_else(|| e.to_string(), ToString::to_string);
                return bad(format!(
                    "is no address of a database ({e}); write one such as \
                     \"postgres://fieldpost@db.example.org/fieldpost\""
                ));
            }
        };
        if config.get_password().is_some() {
            return bad("has the password in it; write the address without, and one of \
                 store_password_file, store_password_env and store_password_command"
                .to_owned());
        }
        if config.get_hosts().is_empty() || config.get_dbname().is_none_or(str::is_empty) {
            return bad("names no host or no database; write \
                        \"postgres://USER@HOST/DATABASE\""
                .to_owned());
        }
        let here = |host: &Host| match host {
            Host::Unix(_) => true,
            Host::Tcp(name) => {
                let ip = name.parse::<std::net::IpAddr>();
                name.eq_ignore_ascii_case("localhost") || ip.is_ok_and(|ip| ip.is_loopback())
            }
        };
        let there = config.get_hostaddrs().iter().any(|ip| !ip.is_loopback());
        let local = config.get_hosts().iter().all(here) && !there;
        let says = url.contains("sslmode=");
        match config.get_ssl_mode() {
            SslMode::Disable | SslMode::Prefer if !local && says => {
                return bad(
                    "would send all mails over a network in the clear; write sslmode=require"
                        .to_owned(),
                );
            }
            _ if says => {}
            _ if local => _ = config.ssl_mode(SslMode::Disable),
            _ => _ = config.ssl_mode(SslMode::Require),
        }
        if config.get_target_session_attrs() == TargetSessionAttrs::Any {
            // Of several hosts, the one that is not a standby now.
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        let options = config.get_options().unwrap_or_default().to_owned();
        config
            .options(&format!("{TIMEOUTS} {options}"))
            .application_name("fieldpost")
            .connect_timeout(CONNECT_MAX)
            .keepalives_idle(IDLE)
            .tcp_user_timeout(UNANSWERED);
        Ok(Self { config, shown: url.to_owned(), password, ca_file })
    }

    /// The address, without a password.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The address and the environment variables by which libpq's own programs, such as `pg_dump`,
    /// reach the database; the password is among the variables.
    ///
    /// # Errors
    /// A sentence when the password can't be read.
    pub fn for_programs(&self) -> std::result::Result<(String, Variables), String> {
        let mut variables = Vec::new();
        if let Some(password) = &self.password {
            variables.push(("PGPASSWORD", password.read()?));
        }
        if self.config.get_ssl_mode() == SslMode::Require {
            // They check as strictly as this program itself.
            let file = self.ca_file.clone().unwrap_or_else(|| AUTHORITIES.into());
            if !file.exists() {
                return Err(format!(
                    "{} with the certificate authorities is not there; name one in store_ca_file",
                    file.display()
                ));
            }
            variables.push(("PGSSLMODE", "verify-full".to_owned()));
            variables.push(("PGSSLROOTCERT", file.display().to_string()));
        }
        let (address, words) = self.shown.split_once('?').unwrap_or((&self.shown, ""));
        let words: Vec<&str> = words.split('&').filter(|w| !w.starts_with("sslmode=")).collect();
        Ok((format!("{address}?{}", words.join("&")), variables))
    }

    pub(crate) fn connect(&self) -> Result<Client> {
        let error = |e: String| StoreError::Open(self.shown.clone(), e);
        let mut config = self.config.clone();
        if let Some(password) = &self.password {
            config.password(password.read().map_err(error)?);
        }
        let client = if config.get_ssl_mode() == SslMode::Disable {
            config.connect(NoTls)
        } else {
            let tls = mail::tls::client_config(self.ca_file.as_deref()).map_err(error)?;
            config.connect(MakeRustlsConnect::new(tls.as_ref().clone()))
        };
        client.map_err(|e| error(migrate::server_error(&e)))
    }
}

/// Tells other workers that there may be something to do, and hears it from them. It only saves
/// time: a worker that hears nothing still looks by itself.
pub struct Bell {
    /// Present until the bell is dropped.
    client: Option<Client>,
    own: i32,
}

impl Drop for Bell {
    fn drop(&mut self) {
        // On a separate thread, like the connection of a store.
        let gone = self.client.take();
        let named = std::thread::Builder::new().name("connection".to_owned());
        let _ = named.spawn(move || drop(gone));
    }
}

impl Bell {
    const RING: &str = "NOTIFY fieldpost";

    /// Listens on a database.
    ///
    /// # Errors
    /// [`StoreError::Open`] when it can't be reached.
    pub fn at(server: &Server) -> Result<Self> {
        let mut client = server.connect()?;
        let error = |e: postgres::Error| StoreError::Lost(migrate::server_error(&e));
        client.batch_execute("LISTEN fieldpost").map_err(error)?;
        let own = client.query_one("SELECT pg_backend_pid()", &[]).map_err(error)?.get(0);
        Ok(Self { client: Some(client), own })
    }

    /// Rings for all other workers.
    ///
    /// # Errors
    /// [`StoreError::Lost`] when the connection is gone.
    pub fn ring(&mut self) -> Result<()> {
        let Some(client) = &mut self.client else { return Ok(()) };
        client.batch_execute(Self::RING).map_err(|e| StoreError::Lost(migrate::server_error(&e)))
    }

    /// Waits until another worker rings, for at most `at_most`. The result says whether one rang.
    ///
    /// # Errors
    /// [`StoreError::Lost`] when the connection is gone.
    pub fn hear(&mut self, at_most: Duration) -> Result<bool> {
        let Some(client) = &mut self.client else { return Ok(false) };
        let mut heard = client.notifications();
        let mut within = heard.timeout_iter(at_most);
        loop {
            match within.next().map_err(|e| StoreError::Lost(migrate::server_error(&e)))? {
                None => return Ok(false),
                Some(word) if word.process_id() != self.own => return Ok(true),
                Some(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use postgres::config::SslMode;

    use super::*;

    fn refused(url: &str) -> String {
        Server::new(url, None, None).expect_err("it is refused").to_string()
    }

    #[test]
    fn an_address_says_how_it_is_to_be_written() {
        let with_password = "postgres://robot:secret@localhost/fieldpost";
        assert!(refused(with_password).contains("store_password_file"), "a password");
        assert!(!refused(with_password).contains("secret"), "it is not shown");
        let open = "postgres://robot@db.example.org/fieldpost?sslmode=disable";
        assert!(refused(open).contains("sslmode=require"), "in the clear");
        assert!(refused("postgres://robot@db.example.org").contains("DATABASE"), "no database");
        assert!(refused("mysql://x").contains("postgres://"), "another kind");
    }

    #[test]
    fn another_machine_is_talked_to_over_tls() {
        let mode = |url: &str| Server::new(url, None, None).expect("good").config.get_ssl_mode();
        assert_eq!(mode("postgres://robot@db.example.org/fieldpost"), SslMode::Require);
        assert_eq!(mode("postgres://robot@localhost/fieldpost"), SslMode::Disable);
        assert_eq!(mode("postgres:///fieldpost?host=/run/postgresql"), SslMode::Disable);
    }
}
