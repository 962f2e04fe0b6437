//! A card as JSON: the format for clients that players write.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use mail::normal::normalise;

/// Name and version of the schema.
pub const SCHEMA: &str = "fieldpost/card/1";

/// A card as data. It is mailed as the text of a mail or as a file of type
/// `application/json`, and read as if its lines had been written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "its comments would be part of the published schema")]
pub struct CardFile {
    /// Name and version of this form: `fieldpost/card/1`.
    pub schema: String,
    /// Code of the game, such as `W7`; not needed in an answer to a printout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// The turn that the card is for; the open one when it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// The seat's password; not needed in an answer to a printout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// What becomes of the orders.
    #[serde(default)]
    pub mode: CardMode,
    /// The lines of the card.
    pub orders: Vec<String>,
}

/// What becomes of the orders of a card.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CardMode {
    /// They replace those on file.
    #[default]
    Replace,
    /// They are added to those on file.
    Add,
    /// They are judged and not filed.
    Check,
}

/// Whether a text is meant as a card in JSON.
pub fn is_meant(lines: &[String]) -> bool {
    let mut said = lines.iter().map(|l| l.trim()).filter(|l| !l.is_empty());
    said.next().is_some_and(|l| l.starts_with('{') && (l.len() == 1 || l.contains('"')))
}

/// The lines of a card in JSON, as a player would write them.
///
/// # Errors
/// A sentence that says what is wrong and shows the form.
pub fn lines(text: &[String]) -> Result<Vec<String>, String> {
    let form = r#"{"schema": "fieldpost/card/1", "orders": ["A 12 12387", "M 3 122"]}"#;
    let wrong = |why: String| format!("This is no card in JSON: {why}. Its form is: {form}");
    let card: CardFile =
        serde_json::from_str(&text.join("\n")).map_err(|e| wrong(e.to_string()))?;
    if card.schema != SCHEMA {
        return Err(wrong(format!("its schema is {:?}, this robot reads {SCHEMA}", card.schema)));
    }
    let mut out = Vec::new();
    let plain = |word: &str| word.chars().filter(|c| !c.is_control()).collect::<String>();
    let mut heading = Vec::new();
    heading.extend(card.game.as_ref().map(|game| format!("GAME {}", plain(game))));
    heading.extend(card.seat.map(|seat| format!("SEAT {seat}")));
    if let Some(password) = &card.password {
        if heading.len() < 2 {
            return Err(wrong("a password needs the game and the seat that it is of".to_owned()));
        }
        heading.push(format!("PASSWORD {}", plain(password)));
    }
    if !heading.is_empty() {
        out.push(heading.join(" "));
    }
    if let Some(turn) = card.turn {
        out.push(format!("TURN {turn}"));
    }
    match card.mode {
        CardMode::Replace => {}
        CardMode::Add => out.push("ADD".to_owned()),
        CardMode::Check => out.push("CHECK".to_owned()),
    }
    // An entry of several lines counts as several orders.
    let written = |o: &String| o.lines().map(normalise).collect::<Vec<_>>();
    out.extend(card.orders.iter().flat_map(written));
    Ok(out)
}

/// The schema of a card as JSON, indented.
pub fn schema() -> String {
    let schema = schemars::schema_for!(CardFile);
    // Writing plain data types into memory has no way to fail.
    serde_json::to_string_pretty(&schema).expect("plain data is JSON") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, String> {
        lines(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_card_in_json_is_the_lines_that_a_player_would_write() {
        let text = r#"{"schema": "fieldpost/card/1", "game": "W7", "seat": 3, "turn": 2,
                      "password": "abc", "mode": "add", "orders": ["M 1 3", "A 1 034012"]}"#;
        let lines = read(text).expect("a card");
        assert_eq!(lines, ["GAME W7 SEAT 3 PASSWORD abc", "TURN 2", "ADD", "M 1 3", "A 1 034012"]);
    }

    #[test]
    fn a_text_is_a_card_in_json_by_its_first_line() {
        let meant = |text: &str| is_meant(&text.lines().map(str::to_owned).collect::<Vec<_>>());
        for text in ["{\n  \"orders\": []\n}", "\n {\"orders\": []}", "{ \"schema\":"] {
            assert!(meant(text), "{text}");
        }
        for text in ["", "M 1 3\n{", "{see below}\nM 1 3", "\"M 1 3\""] {
            assert!(!meant(text), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_the_right_form() {
        for text in [
            "{",
            r#"{"schema": "fieldpost/card/2", "orders": []}"#,
            r#"{"schema": "fieldpost/card/1", "order": []}"#,
            r#"{"schema": "fieldpost/card/1", "orders": "M 1 3"}"#,
            r#"{"schema": "fieldpost/card/1", "password": "abc", "orders": ["M 1 3"]}"#,
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains("\"orders\": ["), "{error}");
        }
    }

    #[test]
    fn nothing_in_it_makes_a_heading_of_its_own() {
        let text = r#"{"schema": "fieldpost/card/1", "game": "W7\nGAME W8", "seat": 1,
                      "orders": []}"#;
        assert_eq!(read(text).expect("a card"), ["GAME W7GAME W8 SEAT 1"]);
        let text = r#"{"schema": "fieldpost/card/1", "game": "W8", "orders": ["M 1 3"]}"#;
        assert_eq!(read(text).expect("a card"), ["GAME W8", "M 1 3"]);
    }
}
