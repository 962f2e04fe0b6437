//! The terms of a game: how much proof a mail needs, when a turn may run early or wait, who may
//! join. They are stored with the game; `game set` changes them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tongue::say;

use crate::word::UnknownWord;

/// How much proof a mail needs to act for a seat. There are three kinds of proof: the secret in the
/// reply address, the From address that is registered for the seat, and a domain that vouches for
/// the mail (DKIM, SPF, DMARC). A mail that its domain calls forged (DMARC `fail`) proves nothing
/// under any policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// All three: the secret, the registered address, and a domain that vouches.
    Strict,
    /// The secret and the registered address; or the registered address and a domain
    /// that vouches.
    #[default]
    Normal,
    /// The secret from any address; or only the registered address.
    Open,
}

/// What the players and the game master of a game agreed on. A stored game that lacks a
/// term gets its default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terms {
    /// How much proof a mail needs to act for a seat.
    pub policy: Policy,
    /// Whether a turn of the calendar runs as soon as all awaited players are ready; a step with
    /// its own clock always does.
    pub early: bool,
    /// Minutes after the deadline in which a card still counts.
    pub grace_minutes: u32,
    /// Hours before the deadline at which players without orders get a reminder.
    pub reminders_hours: Vec<u32>,
    /// Longest extension that players may vote for, in days; 0 allows no votes.
    pub extend_days_max: u32,
    /// Cards that a turn needs; with fewer it waits, but only once, for a day. 0: it never waits.
    pub quorum: u32,
    /// Minutes without mail service, within the last day before a deadline, after which the
    /// deadline moves. 0: an outage never moves it.
    pub outage_minutes: u32,
    /// Night hours of the game's zone that do not count for its own clocks, such as `22-7`;
    /// empty: all hours count.
    pub quiet: String,
    /// Whether people may take seats by mail.
    pub join: bool,
    /// Whether nobody may have two seats: an address that leads to the mailbox of another seat's
    /// player is refused a second seat, both by mail and for the game master.
    pub one_seat: bool,
    /// Whether the game starts by itself when all seats are taken.
    pub start_full: bool,
    /// When the game starts by itself, such as `2026-12-01 18:00` in its zone; empty:
    /// it does not.
    pub start_on: String,
    /// Turns that a player may miss before the seat is offered to somebody on the waiting list; 0:
    /// it is never offered.
    pub standby_after: u32,
    /// Turns in a row that all players may let pass before the game waits for word from one of them
    /// or from the game master. It waits sooner if the rules of the game give up silent players
    /// sooner. 0: it never waits.
    pub silent_turns: u32,
    /// Longest vacation of a player, in days.
    pub vacation_days_max: u32,
    /// Whether the game is one player's practice against computers. The robot makes such games; a
    /// game master can't set this term.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub practice: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            policy: Policy::Normal,
            early: false,
            grace_minutes: 0,
            reminders_hours: vec![48, 6],
            extend_days_max: 7,
            quorum: 0,
            outage_minutes: 180,
            quiet: String::new(),
            join: false,
            one_seat: false,
            start_full: false,
            start_on: String::new(),
            standby_after: 3,
            silent_turns: 3,
            vacation_days_max: 60,
            practice: false,
        }
    }
}

impl Terms {
    /// The names of all terms.
    pub fn names() -> Vec<String> {
        let value = serde_json::to_value(Self::default()).unwrap_or_default();
        value.as_object().map(|o| o.keys().cloned().collect()).unwrap_or_default()
    }

    /// The same terms with one of them changed. `value` is JSON, such as `true` or
    /// `[24]`; a term that holds text takes its value without quotes.
    ///
    /// # Errors
    /// A sentence for the game master: it names the term, its right form and its current value, or
    /// says that the term does not exist.
    pub fn with(&self, name: &str, value: &str) -> Result<Self, String> {
        let mut all = serde_json::to_value(self).map_err(|e| e.to_string())?;
        let Some(old) = all.get(name).cloned() else {
            return Err(format!("there is no term {name:?}"));
        };
        let read: serde_json::Value = match old.is_string() {
            true => value.into(),
            false => serde_json::from_str(value).unwrap_or_else(|_| value.into()),
        };
        all[name] = read;
        serde_json::from_value(all).map_err(|e| {
            let form = right_form(&old, &e.to_string());
            format!("{name}={value}: {form}; it is {} now", typed(old))
        })
    }

    /// All terms with their values, as [`Self::with`] takes them, for the game master.
    pub fn listed(&self) -> Vec<(String, String)> {
        let value = serde_json::to_value(self).unwrap_or_default();
        let all = value.as_object().cloned().unwrap_or_default();
        all.into_iter().map(|(name, value)| (name, typed(value))).collect()
    }
}

/// A value as people type it: a text has no quotes.
fn typed(value: serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    }
}

/// The values that a term takes, from its old value and from the error about the new one.
fn right_form(old: &serde_json::Value, wrong: &str) -> String {
    // The known words, each between backticks.
    let known = wrong.split_once("expected ").map_or("", |(_, known)| known);
    let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    match (old, known.as_slice()) {
        (serde_json::Value::Bool(_), _) => "write true or false".to_owned(),
        (serde_json::Value::Number(_), _) => "write a whole number, 0 or more".to_owned(),
        (serde_json::Value::Array(_), _) => {
            "write whole numbers in brackets, such as [48,6]".to_owned()
        }
        (_, [first @ .., last]) if !first.is_empty() => {
            format!("write {} or {last}", first.join(", "))
        }
        _ => wrong.to_owned(),
    }
}

/// How other players may reach a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Contact {
    /// Players who meet the seat get its address.
    Disclose,
    /// They get an address of the robot, which forwards mail to the player.
    Relay,
    /// They get no address.
    #[default]
    Hide,
}

impl Contact {
    /// The word for commands and for the store; [`str::parse`] reads it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Disclose => "disclose",
            Self::Relay => "relay",
            Self::Hide => "hide",
        }
    }
}

impl fmt::Display for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Contact {
    type Err = UnknownWord;

    /// Reads the word in upper or lower case, as players type it.
    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let all = [Self::Disclose, Self::Relay, Self::Hide];
        let found = all.into_iter().find(|c| c.as_str().eq_ignore_ascii_case(word));
        found.ok_or_else(|| UnknownWord {
            kind: "contact setting",
            word: word.to_owned(),
            known: "disclose, relay and hide",
        })
    }
}

/// Choices of a player that no statement of the store selects by: a new choice is a field here.
/// Choices that an older program stored lack newer fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choices {
    /// The form of printouts.
    pub format: Format,
    /// Whether they want reminders before a deadline.
    pub reminders: bool,
}

impl Default for Choices {
    fn default() -> Self {
        Self { format: Format::default(), reminders: true }
    }
}

/// The parts that a player wants of each printout; its plain text always comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Format {
    /// The text as HTML with pictures, beside the plain text.
    pub html: bool,
    /// The printout as a PDF.
    pub pdf: bool,
    /// The printout as JSON, for programs.
    pub json: bool,
    /// A page for choosing orders on the map, to be opened in a browser.
    pub desk: bool,
    /// The next deadline as a calendar file (RFC 5545).
    pub ics: bool,
    /// PDF on Letter paper instead of A4.
    pub letter: bool,
    /// A description of the maps in words, at the end of the printout.
    pub words: bool,
}

impl Default for Format {
    fn default() -> Self {
        Self {
            html: true,
            pdf: false,
            json: false,
            desk: false,
            ics: true,
            letter: false,
            words: true,
        }
    }
}

impl Format {
    /// Applies a player's words, such as `text`, `both` or `nopdf`, in order.
    ///
    /// # Errors
    /// The first unknown word; nothing is changed then.
    pub fn with(mut self, words: &[String]) -> Result<Self, String> {
        for word in words {
            match word.to_lowercase().as_str() {
                "text" => self.html = false,
                "html" | "both" => self.html = true,
                "pdf" => self.pdf = true,
                "nopdf" => self.pdf = false,
                "json" => self.json = true,
                "nojson" => self.json = false,
                "desk" => self.desk = true,
                "nodesk" => self.desk = false,
                "ics" => self.ics = true,
                "noics" => self.ics = false,
                "a4" => (self.pdf, self.letter) = (true, false),
                "letter" => (self.pdf, self.letter) = (true, true),
                "words" => self.words = true,
                "nowords" => self.words = false,
                _ => return Err(word.clone()),
            }
        }
        Ok(self)
    }

    /// Whether a mail needs rendering, because the player wants more than its text.
    pub fn is_drawn(self) -> bool {
        self.html || self.pdf || self.json || self.desk
    }

    /// Whether any wanted part names the orders that may be given.
    pub fn has_orders(self) -> bool {
        self.json || self.desk
    }

    /// The choice in words, for the player: `text and HTML, no PDF, …`.
    pub fn describe(self) -> String {
        let pdf = match (self.pdf, self.letter) {
            (false, _) => say!("no PDF"),
            (true, false) => "PDF (A4)".to_owned(),
            (true, true) => "PDF (Letter)".to_owned(),
        };
        let parts = [
            if self.html { say!("text and HTML") } else { say!("text alone") },
            pdf,
            if self.json { "JSON".to_owned() } else { say!("no JSON") },
            if self.desk { say!("order desk") } else { say!("no order desk") },
            if self.ics { say!("calendar file") } else { say!("no calendar file") },
            if self.words { say!("maps in words") } else { say!("no maps in words") },
        ];
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_setting_is_read_in_any_case_and_nothing_else_is() {
        for contact in [Contact::Disclose, Contact::Relay, Contact::Hide] {
            assert_eq!(contact.as_str().to_uppercase().parse(), Ok(contact));
        }
        let error = "shout".parse::<Contact>().expect_err("no such setting");
        assert!(error.to_string().contains("relay"), "{error}");
    }

    #[test]
    fn a_term_is_changed_by_its_name() {
        let terms = Terms::default();
        assert_eq!(terms.with("policy", "strict").map(|t| t.policy), Ok(Policy::Strict));
        assert_eq!(terms.with("early", "true").map(|t| t.early), Ok(true));
        let hours = terms.with("reminders_hours", "[24, 1]").map(|t| t.reminders_hours);
        assert_eq!(hours, Ok(vec![24, 1]));
        let error = terms.with("quorom", "3").expect_err("misspelt");
        assert!(error.contains("no term \"quorom\""), "{error}");
        let error = terms.with("policy", "lax").expect_err("no such policy");
        assert!(error.contains("write strict, normal or open; it is normal now"), "{error}");
    }
}
