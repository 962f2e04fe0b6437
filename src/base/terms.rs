//! The terms of a game: who is believed, when a turn may run early or wait, who may
//! join. Stored with the game, changed by `game set`.

use serde::{Deserialize, Serialize};

/// How much proof a mail needs to act for a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// The secret, the registered address, and a domain that vouches for the mail.
    Strict,
    /// The secret and the registered address; or the address and a domain that
    /// vouches for it.
    #[default]
    Normal,
    /// The secret from anywhere, or the registered address alone, as long as its
    /// domain does not call the mail forged.
    Open,
}

/// What a game's players and its game master agreed on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terms {
    pub policy: Policy,
    /// The turn runs as soon as all awaited players are ready.
    pub early: bool,
    /// Cards that come so long after the deadline still count.
    pub grace_minutes: u32,
    /// Hours before the deadline at which those without orders are reminded.
    pub reminders_hours: Vec<u32>,
    /// Longest extension that players may vote for; 0: no votes.
    pub extend_days_max: u32,
    /// With fewer cards in, a turn waits once for a day; 0: it never waits.
    pub quorum: u32,
    /// A longer time without mail in the last day before a deadline moves it; 0:
    /// nothing does.
    pub outage_minutes: u32,
    /// Players may take seats by mail.
    pub join: bool,
    /// The game starts by itself when all seats are taken.
    pub start_full: bool,
    /// The game starts by itself at this time, such as `2026-12-01 18:00` in its
    /// zone; empty: it does not.
    pub start_on: String,
    /// Missed turns after which somebody from the waiting list is offered the seat;
    /// 0: never.
    pub standby_after: u32,
    /// Days that a player may be on vacation at a time.
    pub vacation_days_max: u32,
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
            join: false,
            start_full: false,
            start_on: String::new(),
            standby_after: 3,
            vacation_days_max: 60,
        }
    }
}

impl Terms {
    /// Names of all terms.
    pub fn names() -> Vec<String> {
        let value = serde_json::to_value(Self::default()).unwrap_or_default();
        value.as_object().map(|o| o.keys().cloned().collect()).unwrap_or_default()
    }

    /// The terms with one changed, written as `early=true` or `reminders_hours=[24]`.
    ///
    /// # Errors
    /// A sentence that names the term and shows what it holds now.
    pub fn with(&self, name: &str, value: &str) -> Result<Self, String> {
        let mut all = serde_json::to_value(self).map_err(|e| e.to_string())?;
        let Some(old) = all.get(name).cloned() else {
            let near = Self::names();
            let near = near.iter().min_by_key(|n| strsim::osa_distance(n, name));
            let near = near.map(|n| format!("; {n} is meant?")).unwrap_or_default();
            return Err(format!(
                "there is no term {name:?}{near} The terms are {}",
                Self::names().join(", ")
            ));
        };
        let read: serde_json::Value = match old.is_string() {
            true => value.into(),
            false => serde_json::from_str(value).unwrap_or_else(|_| value.into()),
        };
        all[name] = read;
        serde_json::from_value(all).map_err(|e| format!("{name}={value}: {e}; it is {old} now"))
    }

    /// All terms as `name=value`, for the game master.
    pub fn listed(&self) -> Vec<String> {
        let value = serde_json::to_value(self).unwrap_or_default();
        let all = value.as_object().cloned().unwrap_or_default();
        all.into_iter().map(|(k, v)| format!("{k}={v}")).collect()
    }
}

/// How others may reach a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Contact {
    /// Those who meet the seat learn its address.
    Disclose,
    /// They get an address of the robot that forwards to it.
    Relay,
    /// Neither.
    #[default]
    Hide,
}

impl Contact {
    /// Word in commands and in the store.
    pub fn word(self) -> &'static str {
        match self {
            Self::Disclose => "disclose",
            Self::Relay => "relay",
            Self::Hide => "hide",
        }
    }

    /// The inverse of [`Contact::word`].
    pub fn of(word: &str) -> Option<Self> {
        let all = [Self::Disclose, Self::Relay, Self::Hide];
        all.into_iter().find(|c| c.word().eq_ignore_ascii_case(word))
    }
}

/// Which parts a player wants of each printout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Format {
    pub html: bool,
    pub text: bool,
    pub pdf: bool,
    pub json: bool,
    /// The next deadline as a calendar file.
    pub ics: bool,
    /// PDF on Letter paper instead of A4.
    pub letter: bool,
    /// What maps show, in words at the end of a printout.
    pub words: bool,
}

impl Default for Format {
    fn default() -> Self {
        Self {
            html: true,
            text: true,
            pdf: false,
            json: false,
            ics: true,
            letter: false,
            words: true,
        }
    }
}

impl Format {
    /// Applies words such as `text`, `both`, `nopdf`.
    ///
    /// # Errors
    /// The word that is none.
    pub fn with(mut self, words: &[String]) -> Result<Self, String> {
        for word in words {
            match word.to_lowercase().as_str() {
                "text" => (self.text, self.html) = (true, false),
                "html" => (self.text, self.html) = (true, true),
                "both" => (self.text, self.html) = (true, true),
                "pdf" => self.pdf = true,
                "nopdf" => self.pdf = false,
                "json" => self.json = true,
                "nojson" => self.json = false,
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

    /// Whether more is to be made of a printout than its text.
    pub fn is_drawn(self) -> bool {
        self.html || self.pdf || self.json
    }

    /// For the player.
    pub fn told(self) -> String {
        let yes = |on: bool, name: &str| format!("{}{name}", if on { "" } else { "no " });
        let body = if self.html { "text and HTML" } else { "text alone" };
        let pdf = match (self.pdf, self.letter) {
            (false, _) => "no PDF",
            (true, false) => "PDF (A4)",
            (true, true) => "PDF (Letter)",
        };
        format!(
            "{body}, {pdf}, {}, {}, {}",
            yes(self.json, "JSON"),
            yes(self.ics, "calendar file"),
            yes(self.words, "maps in words")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_changed_by_its_name() {
        let terms = Terms::default();
        assert_eq!(terms.with("policy", "strict").map(|t| t.policy), Ok(Policy::Strict));
        assert_eq!(terms.with("early", "true").map(|t| t.early), Ok(true));
        let hours = terms.with("reminders_hours", "[24, 1]").map(|t| t.reminders_hours);
        assert_eq!(hours, Ok(vec![24, 1]));
        let error = terms.with("quorom", "3").expect_err("misspelt");
        assert!(error.contains("quorum is meant?"), "{error}");
        let error = terms.with("policy", "lax").expect_err("no such policy");
        assert!(error.contains("strict") && error.contains("normal"), "{error}");
    }
}
