//! Checks of the answers, with a sentence about each wrong answer.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use rustls::pki_types::ServerName;

use super::Place;
use mail::mime::canonical;

/// An address that can be written to.
pub fn address(text: &str) -> Result<String, String> {
    let none = || format!("{} is no mail address; write it like robot@example.org", quoted(text));
    let address = canonical(text).ok_or_else(none)?;
    address.parse::<lettre::Address>().map_err(|_| none())?;
    Ok(address)
}

/// The robot's own address, to which it adds details.
pub fn robot(text: &str) -> Result<String, String> {
    let address = address(text)?;
    match address.split_once('@') {
        Some((local, domain)) if local.contains('+') => {
            let plain = local.split('+').next().unwrap_or_default();
            Err(format!(
                "leave out the + and what follows it; the robot makes such addresses itself: \
                 {plain}@{domain}"
            ))
        }
        _ => Ok(address),
    }
}

/// The game master's address, which must not be the robot's: mails of the robot to itself
/// are not read.
pub fn game_master(text: &str, robot: &str) -> Result<String, String> {
    let address = address(text)?;
    let plain = match address.split_once('@') {
        Some((local, domain)) => {
            format!("{}@{domain}", local.split('+').next().unwrap_or_default())
        }
        None => address.clone(),
    };
    match plain.eq_ignore_ascii_case(robot) {
        true => Err("the robot does not read mail from itself; give an address of your own".into()),
        false => Ok(address),
    }
}

/// A folder that is there or can be made.
pub fn folder(text: &str) -> Result<PathBuf, String> {
    let path = path(text)?;
    match path.exists() && !path.is_dir() {
        true => Err(format!("{} is a file; name a folder", path.display())),
        false => Ok(path),
    }
}

/// A file that may still be missing.
pub fn password_file(text: &str) -> Result<PathBuf, String> {
    let path = path(text)?;
    match path.is_dir() {
        true => Err(format!("{} is a folder; name the file with the password", path.display())),
        false => Ok(path),
    }
}

/// A file with certificates of authorities.
pub fn ca_file(text: &str) -> Result<PathBuf, String> {
    let path = path(text)?;
    mail::tls::client_config(Some(&path)).map(|_| path)
}

/// A path that means the same from every folder; the robot may be started from another.
fn path(text: &str) -> Result<PathBuf, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("name a path".to_owned());
    }
    if text.starts_with('~') {
        return Err(format!("{} means nothing to the robot; write the whole path", quoted(text)));
    }
    if text.chars().any(char::is_control) {
        return Err(format!("{} holds control characters", quoted(text)));
    }
    std::path::absolute(text).map_err(|e| format!("{}: {e}", quoted(text)))
}

/// A server as `HOST`, `HOST:PORT` or `[IPV6]:PORT`, with the encryption that its port has.
pub fn server(text: &str) -> Result<Place, String> {
    let text = text.trim();
    let bad = || format!("{} is no server; write HOST or HOST:PORT", quoted(text));
    let (host, port) = match text.strip_prefix('[').and_then(|t| t.split_once(']')) {
        Some((host, "")) => (host, None),
        Some((host, rest)) => (host, Some(rest.strip_prefix(':').ok_or_else(bad)?)),
        None if text.parse::<IpAddr>().is_ok() => (text, None),
        None => match text.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        },
    };
    let number = |p: &str| match p.parse::<u16>() {
        Ok(port) if port > 0 => Ok(port),
        _ => Err(format!("{} is no port; write a number from 1 to 65535", quoted(p))),
    };
    let port = port.map(number).transpose()?;
    ServerName::try_from(host.to_owned()).map_err(|_| bad())?;
    let tls = port.and_then(usual_tls);
    Ok(Place::Server { host: host.to_owned(), port, tls })
}

/// The encryption that a well-known port has (RFC 8314).
fn usual_tls(port: u16) -> Option<&'static str> {
    match port {
        465 | 993 => Some("implicit"),
        143 | 587 => Some("starttls"),
        _ => None,
    }
}

/// A server, or a folder by its path.
pub fn place(text: &str) -> Result<Place, String> {
    match text.trim().starts_with(['/', '.', '~']) {
        true => folder(text).map(Place::Folder),
        false => server(text),
    }
}

/// How a connection is encrypted.
pub fn tls(text: &str) -> Result<&'static str, String> {
    let known = ["implicit", "starttls", "none"];
    let word = text.trim().to_lowercase();
    let found = known.into_iter().find(|k| *k == word);
    found.ok_or_else(|| format!("{} is none of implicit, starttls and none", quoted(text)))
}

/// A name to log in with.
pub fn user(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text.is_empty() || text.chars().any(char::is_control) {
        true => Err("write the name that the mail servers know, often the whole address".into()),
        false => Ok(text.to_owned()),
    }
}

/// An address of this machine; `none`: no dashboard.
pub fn dashboard(text: &str) -> Result<Option<SocketAddr>, String> {
    if text.trim() == "none" {
        return Ok(None);
    }
    let at: SocketAddr = text
        .trim()
        .parse()
        .map_err(|_| format!("{} is no address with a port; write 127.0.0.1:8025", quoted(text)))?;
    match at.ip().is_loopback() {
        true => Ok(Some(at)),
        false => Err(format!(
            "{at} could be reached from outside; write 127.0.0.1:{} and go there through ssh -L",
            at.port()
        )),
    }
}

/// An answer as a sentence may show it.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}
