//! A deadline as a calendar file (RFC 5545): one event, which each later file updates.

use jiff::Timestamp;

/// An instant that a calendar shall show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Stays the same for all events of a seat, so that a calendar has one of them.
    pub uid: String,
    /// Grows with each update.
    pub sequence: u32,
    /// When this was written.
    pub stamp: Timestamp,
    /// When the event is.
    pub at: Timestamp,
    /// Name of the reader's time zone, such as `Europe/London`.
    pub zone: String,
    /// What it is, on one line.
    pub summary: String,
    /// What the reminder of the day before says.
    pub alarm: String,
}

impl Event {
    /// The file; `None` when there is no such zone.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let stamp = self.stamp.strftime("%Y%m%dT%H%M%SZ");
        // One instant needs the offset of that instant alone (RFC 5545 §3.6.5).
        let local = self.at.to_zoned(jiff::tz::TimeZone::get(&self.zone).ok()?);
        let (start, offset) = (local.strftime("%Y%m%dT%H%M%S"), local.strftime("%z"));
        let lines = [
            "BEGIN:VCALENDAR".to_owned(),
            "VERSION:2.0".to_owned(),
            "PRODID:-//Fieldpost//EN".to_owned(),
            "METHOD:PUBLISH".to_owned(),
            "BEGIN:VTIMEZONE".to_owned(),
            format!("TZID:{}", self.zone),
            "BEGIN:STANDARD".to_owned(),
            "DTSTART:19700101T000000".to_owned(),
            format!("TZOFFSETFROM:{offset}"),
            format!("TZOFFSETTO:{offset}"),
            "END:STANDARD".to_owned(),
            "END:VTIMEZONE".to_owned(),
            "BEGIN:VEVENT".to_owned(),
            format!("UID:{}", self.uid),
            format!("SEQUENCE:{}", self.sequence),
            format!("DTSTAMP:{stamp}"),
            format!("DTSTART;TZID={}:{start}", self.zone),
            format!("SUMMARY:{}", escaped(&self.summary)),
            "TRANSP:TRANSPARENT".to_owned(),
            "BEGIN:VALARM".to_owned(),
            "ACTION:DISPLAY".to_owned(),
            format!("DESCRIPTION:{}", escaped(&self.alarm)),
            "TRIGGER:-P1D".to_owned(),
            "END:VALARM".to_owned(),
            "END:VEVENT".to_owned(),
            "END:VCALENDAR".to_owned(),
        ];
        Some(lines.iter().flat_map(|l| [l.as_str(), "\r\n"]).collect::<String>().into_bytes())
    }
}

/// Text as a property value (RFC 5545 §3.3.11).
fn escaped(text: &str) -> String {
    let plain = text.chars().filter(|c| !c.is_control());
    plain
        .flat_map(|c| if matches!(c, '\\' | ';' | ',') { vec!['\\', c] } else { vec![c] })
        .collect()
}
