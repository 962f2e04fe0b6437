//! What a form of the dashboard asks for, and what the game master reads before confirming it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::WebError;
use robot::gm::GmAction;

/// An act as a form asks for it: the fields of the form; the field `act` names the act.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct ActForm(BTreeMap<String, String>);

/// The field that says that an act was confirmed.
pub const TOKEN: &str = "token";

impl ActForm {
    /// The value of a field; empty if it is missing.
    pub fn get(&self, field: &str) -> &str {
        self.0.get(field).map_or("", String::as_str)
    }

    /// The fields that are not empty and whose names begin with `start`, by the rest of the name.
    pub fn behind<'a>(&'a self, start: &'a str) -> impl Iterator<Item = (String, String)> + 'a {
        let named = self.0.iter().filter_map(move |(name, value)| {
            Some((name.strip_prefix(start)?.to_owned(), value.trim().to_owned()))
        });
        named.filter(|(_, value)| !value.is_empty())
    }

    /// The fields that the act is made from: all that are not empty, except the token.
    pub fn asked(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        all.filter(|(name, value)| *name != TOKEN && !value.is_empty())
    }
}

/// An act that was asked for, and what the game master reads before they confirm it.
pub struct ConfirmPage {
    /// The act itself.
    pub act: Box<dyn GmAction>,
    /// Its title.
    pub title: String,
    /// What will happen.
    pub says: Vec<String>,
    /// What the act is based on; when it has changed, it is not done.
    pub state: String,
    /// The page to return to.
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
