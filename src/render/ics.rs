//! A deadline as a calendar file (RFC 5545), published by its host (RFC 5546 §3.2.1): one event,
//! which each later file updates. The library folds and escapes.

use chrono::TimeDelta;
use icalendar::{Alarm, Calendar, Component, EventLike, Property, Trigger};
use jiff::Timestamp;

/// An instant that a calendar is to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Stays the same for all events of a seat, so that a calendar has one of them.
    pub uid: String,
    /// When this was written. A later file replaces an earlier one.
    pub stamp: Timestamp,
    /// When the event is. It is written in UTC: each calendar shows it in its reader's own zone.
    pub at: Timestamp,
    /// Name and address of its publisher.
    pub organizer: (String, String),
    /// What it is, on one line.
    pub summary: String,
    /// What the reminder of the day before says.
    pub alarm: String,
}

impl Event {
    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let utc = |at: Timestamp| at.strftime("%Y%m%dT%H%M%SZ").to_string();
        let (name, address) = &self.organizer;
        // A parameter has no quotes in it (RFC 5545 §3.2).
        let name: String = name.chars().filter(|c| !c.is_control() && *c != '"').collect();
        let mut organizer = Property::new("ORGANIZER", format!("mailto:{address}"));
        organizer.add_parameter("CN", &format!("\"{name}\""));
        let day_before = Trigger::before_start(TimeDelta::days(1));
        // The library would take these values from chance or from the clock, so they are given to
        // it.
        let alarm = Alarm::display(&self.alarm, day_before)
            .uid(&format!("alarm.{}", self.uid))
            .add_property("DTSTAMP", utc(self.stamp))
            .done();
        let event = icalendar::Event::new()
            .uid(&self.uid)
            // Minutes, so that each file has a higher number than those before, whatever has
            // changed.
            .sequence(u32::try_from(self.stamp.as_second() / 60).unwrap_or_default())
            .add_property("DTSTAMP", utc(self.stamp))
            .add_property("DTSTART", utc(self.at))
            .summary(&self.summary)
            .add_property("TRANSP", "TRANSPARENT")
            .append_property(organizer)
            .alarm(alarm)
            .done();
        let mut calendar = Calendar::empty();
        calendar
            .append_property(("VERSION", "2.0"))
            .append_property(("PRODID", "-//Fieldpost//EN"))
            .append_property(("METHOD", "PUBLISH"))
            .push(event);
        calendar.done().to_string().into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_a_published_event_whose_lines_are_folded() {
        let at = |text: &str| text.parse::<Timestamp>().expect("an instant");
        let mut event = Event {
            uid: "w7.34@example.org".to_owned(),
            stamp: at("2026-11-21T10:00:30Z"),
            at: at("2026-11-28T18:00:00Z"),
            organizer: ("The \"Fieldpost\" robot".to_owned(), "robot@example.org".to_owned()),
            summary: format!("W7 turn 12: orders due; bring {}", "maps, ".repeat(20)),
            alarm: "Orders for W7 are due".to_owned(),
        };
        let written = |event: &Event| String::from_utf8(event.bytes()).expect("text");
        let file = written(&event);
        assert_eq!(file, written(&event), "nothing of it is by lot");
        assert!(file.split("\r\n").all(|line| line.len() <= 75), "RFC 5545 §3.1: {file}");
        assert!(!file.replace("\r\n", "").contains('\n'));
        let whole = file.replace("\r\n ", "");
        for line in [
            "METHOD:PUBLISH",
            "UID:w7.34@example.org",
            "DTSTAMP:20261121T100030Z",
            "DTSTART:20261128T180000Z",
            "ORGANIZER;CN=\"The Fieldpost robot\":mailto:robot@example.org",
            "DESCRIPTION:Orders for W7 are due",
        ] {
            assert!(whole.lines().any(|l| l == line), "{line}: {whole}");
        }
        assert!(whole.contains("SUMMARY:W7 turn 12: orders due\\; bring maps\\, maps"), "{whole}");
        let sequence = |file: &str| -> u32 {
            let line = file.lines().find_map(|l| l.strip_prefix("SEQUENCE:")).expect("a number");
            line.parse().expect("a number")
        };
        event.stamp = at("2026-11-21T10:02:00Z");
        assert!(sequence(&written(&event)) > sequence(&file), "a moved deadline is newer");
    }
}
