//! Deadlines: a calendar rule in a named zone, and what time means to a player.

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Span, SpanRelativeTo, Timestamp, Zoned};
use serde::{Deserialize, Serialize};

/// When turns are due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// From one deadline to the next, such as `7 days` or `12 hours`; or weekdays, such
    /// as `mon thu`.
    pub every: String,
    /// Local time of day for intervals of whole days; `None`: as it comes.
    pub at: Option<String>,
    /// Name of the time zone, such as `Europe/London`.
    pub zone: String,
    /// Days without a deadline: `2026-12-25`, `12-25` in each year, or
    /// `2026-12-24..2027-01-02`.
    #[serde(default)]
    pub holidays: Vec<String>,
}

/// A day or a span of days on which nothing is due.
enum Holiday {
    Yearly(i8, i8),
    Span(Date, Date),
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
        zone(&self.zone)?;
        self.holidays.iter().try_for_each(|h| holiday(h).map(|_| ()))?;
        let time = self.time()?;
        if weekdays(&self.every).is_some() {
            return match time {
                Some(_) => Ok(()),
                None => Err(BadTime(format!(
                    "{:?} needs a time of day, such as at = \"18:00\"",
                    self.every
                ))),
            };
        }
        let span = self.span()?;
        let whole = span.get_hours() == 0 && span.get_minutes() == 0 && span.get_seconds() == 0;
        if time.is_some() && !whole {
            let text = "has hours in it, and a time of day goes with whole days only";
            return Err(BadTime(format!("{:?} {text}", self.every)));
        }
        Ok(())
    }

    /// The first deadline of a game that starts at `now`: one interval ahead, or the
    /// first of its weekdays that leaves a day.
    ///
    /// # Errors
    /// [`BadTime`] for a rule that [`Rule::check`] would refuse.
    pub fn first(&self, now: Timestamp) -> Result<Timestamp, BadTime> {
        let start = now.to_zoned(zone(&self.zone)?);
        if weekdays(&self.every).is_some() {
            let tomorrow = self.add(&start, &Span::new().days(1))?;
            return self.off_holidays(self.step(&tomorrow)?.timestamp());
        }
        self.off_holidays(self.step(&start)?.timestamp())
    }

    /// The deadline that follows `last` for a turn that ran at `now`.
    ///
    /// A robot that was down over deadlines skips those that have passed, and
    /// gives players at least half an interval for the next.
    ///
    /// # Errors
    /// [`BadTime`] for a rule that [`Rule::check`] would refuse.
    pub fn next(&self, last: Timestamp, now: Timestamp) -> Result<Timestamp, BadTime> {
        let mut at = last.to_zoned(zone(&self.zone)?);
        let late = now > self.step(&at)?.timestamp();
        // A minute a step is the least; the bound only keeps a wrong clock harmless.
        for _ in 0..6_000_000 {
            at = self.step(&at)?;
            let ahead = at.timestamp().as_second() - now.as_second();
            let length = self.step(&at)?.timestamp().as_second() - at.timestamp().as_second();
            if ahead > 0 && (!late || ahead * 2 >= length) {
                return self.off_holidays(at.timestamp());
            }
        }
        Err(BadTime(format!("no deadline of {:?} lies ahead; is the clock right?", self.every)))
    }

    /// The same deadline, or the first day after it that is no holiday; with weekdays,
    /// the next of them.
    ///
    /// # Errors
    /// [`BadTime`] for a rule that [`Rule::check`] would refuse.
    pub fn off_holidays(&self, at: Timestamp) -> Result<Timestamp, BadTime> {
        let days: Vec<Holiday> =
            self.holidays.iter().map(|h| holiday(h)).collect::<Result<_, _>>()?;
        let mut at = at.to_zoned(zone(&self.zone)?);
        for _ in 0..1000 {
            if !days.iter().any(|h| h.holds(at.date())) {
                return Ok(at.timestamp());
            }
            at = match weekdays(&self.every) {
                Some(_) => self.step(&at)?,
                None => self.add(&at, &Span::new().days(1))?,
            };
        }
        Err(BadTime("the holidays leave no day for a deadline".to_owned()))
    }

    /// The deadline after one: an interval later, or the next of the weekdays.
    fn step(&self, at: &Zoned) -> Result<Zoned, BadTime> {
        let Some(days) = weekdays(&self.every) else {
            return self.at_time(self.add(at, &self.span()?)?);
        };
        let mut day = at.clone();
        for _ in 0..8 {
            let due = self.at_time(day.clone())?;
            if due > *at && days.contains(&due.weekday()) {
                return Ok(due);
            }
            day = self.add(&day, &Span::new().days(1))?;
        }
        Err(self.bad_span())
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
        let text = "is no interval; write for instance \"7 days\", \"36 hours\" or \"mon thu\"";
        BadTime(format!("{:?} {text}", self.every))
    }

    fn time(&self) -> Result<Option<Time>, BadTime> {
        let Some(text) = &self.at else { return Ok(None) };
        let bad = |_| BadTime(format!("{text:?} is no time of day; write for instance \"18:00\""));
        Time::strptime("%H:%M", text).map(Some).map_err(bad)
    }
}

/// Weekdays of a rule such as `mon thu` or `weekdays`; `None` when it is an interval.
fn weekdays(text: &str) -> Option<Vec<Weekday>> {
    use Weekday::{Friday, Monday, Saturday, Sunday, Thursday, Tuesday, Wednesday};
    if text.trim().eq_ignore_ascii_case("weekdays") {
        return Some(vec![Monday, Tuesday, Wednesday, Thursday, Friday]);
    }
    let names = [
        ("mon", Monday),
        ("tue", Tuesday),
        ("wed", Wednesday),
        ("thu", Thursday),
        ("fri", Friday),
        ("sat", Saturday),
        ("sun", Sunday),
    ];
    let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|w| !w.is_empty());
    let day = |word: &str| {
        let word = word.to_lowercase();
        let day = names.iter().find(|(name, _)| word.starts_with(name))?;
        word.chars().all(char::is_alphabetic).then_some(day.1)
    };
    let days: Option<Vec<Weekday>> = words.map(day).collect();
    days.filter(|d| !d.is_empty())
}

impl Holiday {
    fn holds(&self, day: Date) -> bool {
        match self {
            Self::Yearly(month, on) => day.month() == *month && day.day() == *on,
            Self::Span(from, to) => *from <= day && day <= *to,
        }
    }
}

fn holiday(text: &str) -> Result<Holiday, BadTime> {
    let bad = || {
        let forms = "write 2026-12-25, 12-25 or 2026-12-24..2027-01-02";
        BadTime(format!("{text:?} is no holiday; {forms}"))
    };
    let date = |text: &str| text.parse::<Date>().map_err(|_| bad());
    if let Some((from, to)) = text.split_once("..") {
        return Ok(Holiday::Span(date(from)?, date(to)?));
    }
    match text.split('-').count() {
        2 => {
            // A leap year has every day.
            let day = date(&format!("2024-{text}"))?;
            Ok(Holiday::Yearly(day.month(), day.day()))
        }
        _ => Ok(Holiday::Span(date(text)?, date(text)?)),
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
        let (every, at) = (every.into(), at.map(Into::into));
        Rule { every, at, zone: "Europe/London".into(), holidays: Vec::new() }
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
    fn weekdays_follow_each_other_and_skip_holidays() {
        let twice = rule("mon thu", Some("18:00"));
        // The 1st of December 2026 is a Tuesday.
        assert_eq!(
            twice.next(at("2026-11-30 18:00"), at("2026-11-30 18:00")),
            Ok(at("2026-12-03 18:00"))
        );
        assert_eq!(
            twice.next(at("2026-12-03 18:00"), at("2026-12-03 18:01")),
            Ok(at("2026-12-07 18:00"))
        );
        assert_eq!(twice.first(at("2026-12-02 17:00")), Ok(at("2026-12-03 18:00")));
        assert_eq!(twice.first(at("2026-12-02 19:00")), Ok(at("2026-12-07 18:00")));
        let holidays = vec!["2026-12-24..2027-01-02".to_owned(), "01-04".to_owned()];
        let off = Rule { holidays, ..twice };
        assert_eq!(
            off.next(at("2026-12-21 18:00"), at("2026-12-21 18:00")),
            Ok(at("2027-01-07 18:00"))
        );
        let weekly = Rule { holidays: vec!["12-25".into()], ..rule("7 days", Some("18:00")) };
        assert_eq!(
            weekly.next(at("2026-12-18 18:00"), at("2026-12-18 18:00")),
            Ok(at("2026-12-26 18:00"))
        );
        assert!(rule("mon thu", None).check().is_err_and(|e| e.0.contains("18:00")));
        assert!(Rule { holidays: vec!["soon".into()], ..rule("7 days", None) }.check().is_err());
    }

    #[test]
    fn a_deadline_in_the_missing_hour_of_spring_is_an_hour_later_and_not_lost() {
        // On the 28th of March 2027 the hour from 1 to 2 does not exist in London.
        let nightly = rule("1 day", Some("01:30"));
        let spring = nightly.next(at("2027-03-27 01:30"), at("2027-03-27 01:30")).expect("due");
        assert_eq!(local(spring, "Europe/London"), "Sun 28 Mar 2027, 02:30 BST");
        let after = nightly.next(spring, spring).expect("due");
        assert_eq!(local(after, "Europe/London"), "Mon 29 Mar 2027, 01:30 BST");
        // In autumn the hour comes twice; the first counts, and once.
        let autumn = nightly.next(at("2026-10-24 01:30"), at("2026-10-24 01:30")).expect("due");
        assert_eq!(local(autumn, "Europe/London"), "Sun 25 Oct 2026, 01:30 BST");
        let next = nightly.next(autumn, autumn).expect("due");
        assert_eq!(local(next, "Europe/London"), "Mon 26 Oct 2026, 01:30 GMT");
    }

    #[test]
    fn bad_rules_are_refused_with_the_right_form() {
        assert!(rule("soon", None).check().is_err_and(|e| e.0.contains("7 days")));
        assert!(rule("7 days", Some("25:00")).check().is_err_and(|e| e.0.contains("18:00")));
        let moon = Rule { zone: "Moon/Base".into(), ..rule("7 days", None) };
        assert!(moon.check().is_err_and(|e| e.0.contains("Europe/London")));
    }
}
