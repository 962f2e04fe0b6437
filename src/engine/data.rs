//! Data files of a game: those of its setup, the embedded ones where it has none.

use serde::de::DeserializeOwned;

use super::Setup;

/// The embedded files of an engine: name and text.
pub type Embedded = [(&'static str, &'static str)];

/// Reads one file into typed rows; what is wrong goes to `faults`.
pub fn file<T: DeserializeOwned>(
    setup: &Setup,
    embedded: &Embedded,
    name: &str,
    faults: &mut Vec<String>,
) -> Option<T> {
    let own = embedded.iter().find(|(n, _)| *n == name).map(|(_, text)| *text);
    let text = setup.data.get(name).map(String::as_str).or(own)?;
    toml::from_str(text).map_err(|e| faults.push(format!("{name}: {e}"))).ok()
}

/// A sentence for each file of the setup that the engine `title` does not know.
pub fn unknown(setup: &Setup, embedded: &Embedded, title: &str) -> Vec<String> {
    let known = |name: &&String| embedded.iter().any(|(n, _)| n == name);
    let strange = setup.data.keys().filter(|name| !known(name));
    strange.map(|name| format!("{name}: {title} has no such data file")).collect()
}
