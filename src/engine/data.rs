//! Data files of a game: its setup's own, or the embedded ones where the setup has none.

pub use codec::from_toml;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer};

use super::Setup;

/// The embedded files of an engine: name and text.
pub type Embedded = [(&'static str, &'static str)];

/// Reads one file into typed rows; faults go to `faults`.
pub fn file<T: DeserializeOwned>(
    setup: &Setup,
    embedded: &Embedded,
    name: &str,
    faults: &mut Vec<String>,
) -> Option<T> {
    let own = embedded.iter().find(|(n, _)| *n == name).map(|(_, text)| *text);
    let text = setup.data.get(name).map(String::as_str).or(own)?;
    from_toml(text).map_err(|e| faults.push(format!("{name}: {e}"))).ok()
}

/// Reads the values of computer players from a saved game; for `deserialize_with`. Values in an
/// older format become `None`, so that the game goes on with the usual ones.
///
/// # Errors
/// Those of the format, when the bytes are not a value at all.
pub fn known<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    from: D,
) -> Result<Option<T>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Saved<T> {
        Known(T),
        Other(IgnoredAny),
    }
    Ok(match Saved::deserialize(from)? {
        Saved::Known(figures) => Some(figures),
        Saved::Other(_) => None,
    })
}

/// A sentence for each file of the setup that the engine `title` does not know.
pub fn unknown(setup: &Setup, embedded: &Embedded, title: &str) -> Vec<String> {
    let known = |name: &&String| embedded.iter().any(|(n, _)| n == name);
    let strange = setup.data.keys().filter(|name| !known(name));
    strange.map(|name| format!("{name}: {title} has no such data file")).collect()
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Figures {
        odds: i64,
        builds: [u8; 3],
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Tables {
        #[serde(deserialize_with = "known")]
        figures: Option<Figures>,
        turn: u32,
    }

    #[test]
    fn figures_of_an_earlier_form_give_way_in_the_format_of_saved_games() {
        #[derive(Serialize)]
        struct Earlier {
            odds: i64,
            raids: u8,
        }
        #[derive(Serialize)]
        struct Before {
            figures: Earlier,
            turn: u32,
        }
        let now = Tables { figures: Some(Figures { odds: 150, builds: [1, 2, 3] }), turn: 7 };
        let bytes = codec::to_bytes(&now).expect("plain data");
        assert_eq!(codec::from_bytes::<Tables>(&bytes).expect("reads"), now);
        let before = Before { figures: Earlier { odds: 150, raids: 3 }, turn: 7 };
        let bytes = codec::to_bytes(&before).expect("plain data");
        let read = codec::from_bytes::<Tables>(&bytes).expect("reads");
        assert_eq!(read, Tables { figures: None, turn: 7 });
    }
}
