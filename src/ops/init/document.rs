//! The sample config with the answers in it; its comments stay.

use std::path::Path;

use toml_edit::{DocumentMut, Item, Table, Value};

use super::{Answers, Failure, Login, Place};
use crate::config::SAMPLE;

/// Column at which the sample's comments begin.
const COMMENTS: usize = 34;

/// The config as a text.
///
/// # Errors
/// A sentence about a path that a config can't hold.
pub fn text(answers: &Answers) -> Result<String, Failure> {
    let mut document: DocumentMut = with_places(answers).parse()?;
    let robot = table(&mut document, &["robot"])?;
    set(robot, "address", answers.address.as_str());
    set(robot, "gm", answers.gm.as_str());
    set(robot, "data", utf8(&answers.data)?);
    let ca_file = answers.ca_file.as_deref();
    let login = answers.login.as_ref();
    let inbox = table(&mut document, &["inbox", "main"])?;
    fill(inbox, &answers.inbox, login, ca_file)?;
    let outlet = table(&mut document, &["outlet"])?;
    fill(outlet, &answers.outlet, login, ca_file)?;
    if let Some(at) = answers.dashboard {
        set(table(&mut document, &["web"])?, "dashboard", at.to_string());
    }
    Ok(document.to_string())
}

/// The sample, in which the keys of given answers are no longer commented out.
fn with_places(answers: &Answers) -> String {
    let mut text = SAMPLE.to_owned();
    for (name, place) in [("[inbox.main]", &answers.inbox), ("[outlet]", &answers.outlet)] {
        let Place::Server { port, tls, .. } = place else { continue };
        for (key, there) in [
            ("tls", tls.is_some()),
            ("port", port.is_some()),
            ("ca_file", answers.ca_file.is_some()),
        ] {
            if there {
                text = shown(&text, name, key);
            }
        }
    }
    match answers.dashboard {
        Some(_) => shown(&text, "[web]", "dashboard"),
        None => text,
    }
}

/// The text with one key of a table no longer commented out.
fn shown(text: &str, table: &str, key: &str) -> String {
    let mut here = false;
    let start = format!("# {key} = ");
    let line = |line: &str| {
        if line.starts_with('[') {
            here = line.starts_with(table);
        }
        match here && line.starts_with(&start) {
            true => format!("{}\n", &line[2..]),
            false => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

fn table<'a>(document: &'a mut DocumentMut, names: &[&str]) -> Result<&'a mut Table, Failure> {
    let mut table = document.as_table_mut();
    for name in names {
        let found = table.get_mut(name).and_then(Item::as_table_mut);
        table = found.ok_or_else(|| format!("the sample has no table {name}"))?;
    }
    Ok(table)
}

fn fill(
    table: &mut Table,
    place: &Place,
    login: Option<&Login>,
    ca_file: Option<&Path>,
) -> Result<(), Failure> {
    let (host, port, tls) = match place {
        Place::Server { host, port, tls } => (host, port, tls),
        Place::Folder(path) => {
            for key in ["host", "user", "password_file"] {
                table.remove(key);
            }
            set(table, "kind", "maildir");
            set(table, "path", utf8(path)?);
            return Ok(());
        }
    };
    set(table, "host", host.as_str());
    match login {
        Some(login) => {
            set(table, "user", login.user.as_str());
            set(table, "password_file", utf8(&login.password_file)?);
        }
        None => {
            table.remove("user");
            table.remove("password_file");
        }
    }
    if let Some(tls) = tls {
        set(table, "tls", *tls);
    }
    if let Some(port) = port {
        set(table, "port", i64::from(*port));
    }
    if let Some(path) = ca_file {
        set(table, "ca_file", utf8(path)?);
    }
    Ok(())
}

/// Sets a key; a comment after it stays in its column.
fn set(table: &mut Table, key: &str, value: impl Into<Value>) {
    let mut value: Value = value.into();
    let old = table.get(key).and_then(Item::as_value).and_then(|v| v.decor().suffix());
    let comment = old.and_then(|s| s.as_str()).map(|s| s.trim().to_owned()).unwrap_or_default();
    let width = key.chars().count() + 3 + value.to_string().trim().chars().count();
    let gap = COMMENTS.saturating_sub(width).max(2);
    let suffix = match comment.is_empty() {
        true => String::new(),
        false => format!("{:gap$}{comment}", ""),
    };
    *value.decor_mut() = toml_edit::Decor::new(" ", suffix);
    match table.get_mut(key) {
        Some(item) => *item = Item::Value(value),
        None => {
            table.insert(key, Item::Value(value));
        }
    }
}

fn utf8(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| format!("{}: a config holds UTF-8 only", path.display()).into())
}
