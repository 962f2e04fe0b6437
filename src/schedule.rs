//! Deadlines: a calendar rule in a named zone, and what time means to a player.

use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Span, SpanRelativeTo, Timestamp, Zoned};
use serde::{Deserialize, Serialize};

/// When turns are due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// From one deadline to the next, such as `7 days` or `12 hours`.
    pub every: String,
    /// Local time of day for intervals of whole days; `None`: as it comes.
    pub at: Option<String>,
    /// Name of the time zone, such as `Europe/London`.
    pub zone: String,
}

/// A rule or date that makes no sense, as a sentence for the game master.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadTime(pub String);

impl Rule {
    /// Checks the rule.
    ///
    /// # Errors
    /// [`BadTime`] names the part that can't be read and shows the right form.
    pub fn check(&self) -> Result<(), BadTime> {
        let span = self.span()?;
        let whole = span.get_hours() == 0 && span.get_minutes() == 0 && span.get_seconds() == 0;
        if self.time()?.is_some() && !whole {
            let text = "has hours in it, and a time of day goes with whole days only";
            return Err(BadTime(format!("{:?} {text}", self.every)));
        }
        zone(&self.zone)?;
        Ok(())
    }

    /// The first deadline of a game that starts at `now`: one interval ahead.
    ///
    /// # Errors
    /// [`BadTime`] for a rule that [`Rule::check`] would refuse.
    pub fn first(&self, now: Timestamp) -> Result<Timestamp, BadTime> {
        let start = now.to_zoned(zone(&self.zone)?);
        let next = self.add(&start, &self.span()?)?;
        Ok(self.at_time(next)?.timestamp())
    }

    /// The deadline that follows `last` for a turn that ran at `now`.
    ///
    /// A robot that was down over deadlines skips those that have passed, and
    /// gives players at least half an interval for the next.
    ///
    /// # Errors
    /// [`BadTime`] for a rule that [`Rule::check`] would refuse.
    pub fn next(&self, last: Timestamp, now: Timestamp) -> Result<Timestamp, BadTime> {
        let (span, zone) = (self.span()?, zone(&self.zone)?);
        let mut at = last.to_zoned(zone);
        let late = now > self.add(&at, &span)?.timestamp();
        // A minute a step is the least; the bound only keeps a wrong clock harmless.
        for _ in 0..6_000_000 {
            at = self.at_time(self.add(&at, &span)?)?;
            let ahead = at.timestamp().as_second() - now.as_second();
            let length = self.add(&at, &span)?.timestamp().as_second() - at.timestamp().as_second();
            if ahead > 0 && (!late || ahead * 2 >= length) {
                return Ok(at.timestamp());
            }
        }
        Err(BadTime(format!("no deadline of {:?} lies ahead; is the clock right?", self.every)))
    }

    fn add(&self, at: &Zoned, span: &Span) -> Result<Zoned, BadTime> {
        at.checked_add(*span).map_err(|e| BadTime(e.to_string()))
    }

    fn at_time(&self, at: Zoned) -> Result<Zoned, BadTime> {
        match self.time()? {
            None => Ok(at),
            Some(time) => at.with().time(time).build().map_err(|e| BadTime(e.to_string())),
        }
    }

    fn span(&self) -> Result<Span, BadTime> {
        let span: Span = self.every.parse().map_err(|_| self.bad_span())?;
        let minute = Span::new().minutes(1);
        let days = SpanRelativeTo::days_are_24_hours();
        let short = span.compare((minute, days)).map_err(|_| self.bad_span())?.is_lt();
        if short { Err(self.bad_span()) } else { Ok(span) }
    }

    fn bad_span(&self) -> BadTime {
        let text =
            "is no interval; write for instance \"7 days\" or \"36 hours\", at least a minute";
        BadTime(format!("{:?} {text}", self.every))
    }

    fn time(&self) -> Result<Option<Time>, BadTime> {
        let Some(text) = &self.at else { return Ok(None) };
        let bad = |_| BadTime(format!("{text:?} is no time of day; write for instance \"18:00\""));
        Time::strptime("%H:%M", text).map(Some).map_err(bad)
    }
}

/// A time zone by name.
///
/// # Errors
/// [`BadTime`] when there is none of that name.
pub fn zone(name: &str) -> Result<TimeZone, BadTime> {
    let bad =
        |_| BadTime(format!("{name:?} is no time zone; write for instance \"Europe/London\""));
    TimeZone::get(name).map_err(bad)
}

/// A date and time as a game master writes it: `2026-12-01 18:00`.
///
/// # Errors
/// [`BadTime`] shows the right form.
pub fn date(text: &str, zone_name: &str) -> Result<Timestamp, BadTime> {
    let bad = || BadTime(format!("{text:?} is no date; write for instance \"2026-12-01 18:00\""));
    let civil = jiff::civil::DateTime::strptime("%Y-%m-%d %H:%M", text).map_err(|_| bad())?;
    Ok(civil.to_zoned(zone(zone_name)?).map_err(|_| bad())?.timestamp())
}

/// An instant in a player's own zone, such as `Tue 1 Dec 2026, 18:00 GMT`.
pub fn local(at: Timestamp, zone_name: &str) -> String {
    let zone = zone(zone_name).unwrap_or(TimeZone::UTC);
    at.to_zoned(zone).strftime("%a %-d %b %Y, %H:%M %Z").to_string()
}

/// Time left in the two largest units, such as `2 days 3 hours`.
pub fn left(now: Timestamp, until: Timestamp) -> String {
    let minutes = (until.as_second() - now.as_second()).max(0) / 60;
    let (days, hours, minutes) = (minutes / 1440, minutes / 60 % 24, minutes % 60);
    let unit = |n: i64, name: &str| match n {
        1 => format!("1 {name}"),
        n => format!("{n} {name}s"),
    };
    match (days, hours) {
        (0, 0) => unit(minutes, "minute"),
        (0, _) => format!("{} {}", unit(hours, "hour"), unit(minutes, "minute")),
        _ => format!("{} {}", unit(days, "day"), unit(hours, "hour")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(every: &str, at: Option<&str>) -> Rule {
        Rule { every: every.into(), at: at.map(Into::into), zone: "Europe/London".into() }
    }

    fn at(text: &str) -> Timestamp {
        date(text, "Europe/London").expect("a date")
    }

    #[test]
    fn a_weekly_deadline_keeps_its_local_time_over_the_end_of_summer_time() {
        let weekly = rule("7 days", Some("18:00"));
        let next = weekly.next(at("2026-10-21 18:00"), at("2026-10-21 18:00"));
        assert_eq!(next, Ok(at("2026-10-28 18:00")));
        assert_eq!(local(at("2026-10-28 18:00"), "Europe/London"), "Wed 28 Oct 2026, 18:00 GMT");
    }

    #[test]
    fn a_robot_that_was_down_over_deadlines_catches_up_once() {
        let daily = rule("1 day", Some("18:00"));
        let next = daily.next(at("2026-11-01 18:00"), at("2026-11-04 09:00"));
        // The 4th at 18:00 is less than half a day ahead.
        assert_eq!(next, Ok(at("2026-11-05 18:00")));
    }

    #[test]
    fn bad_rules_are_refused_with_the_right_form() {
        assert!(rule("soon", None).check().is_err_and(|e| e.0.contains("7 days")));
        assert!(rule("7 days", Some("25:00")).check().is_err_and(|e| e.0.contains("18:00")));
        let moon = Rule { zone: "Moon/Base".into(), ..rule("7 days", None) };
        assert!(moon.check().is_err_and(|e| e.0.contains("Europe/London")));
    }
}
