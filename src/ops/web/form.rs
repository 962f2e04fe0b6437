//! What a form of the dashboard asks for, and what its game master reads before they confirm it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::WebError;
use robot::gm::GmAction;

/// An act as a form names it: its fields, of which `act` says what it is.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct ActForm(BTreeMap<String, String>);

/// The field that says that an act was confirmed.
pub const TOKEN: &str = "token";

impl ActForm {
    /// What a field has; empty where it is not there.
    pub fn get(&self, field: &str) -> &str {
        self.0.get(field).map_or("", String::as_str)
    }

    /// The fields whose names begin so, by the rest of the name, that are not empty.
    pub fn behind<'a>(&'a self, start: &'a str) -> impl Iterator<Item = (String, String)> + 'a {
        let named = self.0.iter().filter_map(move |(name, value)| {
            Some((name.strip_prefix(start)?.to_owned(), value.trim().to_owned()))
        });
        named.filter(|(_, value)| !value.is_empty())
    }

    /// What the act is made from: all fields that have something, but the token.
    pub fn asked(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        all.filter(|(name, value)| *name != TOKEN && !value.is_empty())
    }
}

/// An act that was asked for, and what the game master reads before they confirm it.
pub struct ConfirmPage {
    /// What is done.
    pub act: Box<dyn GmAction>,
    /// What it is called.
    pub title: String,
    /// What will happen.
    pub says: Vec<String>,
    /// What the act is based on; when it has changed, it is not done.
    pub state: String,
    /// The page that one comes back to.
    pub back: String,
}

/// The number of a mail, of an act in the record, or of seats.
///
/// # Errors
/// [`WebError::Refused`] when the form has none.
pub fn number(form: &ActForm) -> Result<i64, WebError> {
    let bad = |_| WebError::Refused("There is no such number.".to_owned());
    form.get("number").parse().map_err(bad)
}
