//! Deadlines: calendar rules in a named time zone, and times in words for players.

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, SpanRelativeTo, Timestamp, Zoned};
use serde::{Deserialize, Serialize};
use tongue::{count, say};

/// The longest clock of a game: a year.
const CLOCK_HOURS_MAX: u32 = 366 * 24;

/// The calendar rule for the deadlines of a game's turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// The interval between deadlines, such as `7 days` or `12 hours`; or weekdays, such
    /// as `mon thu`. At least one minute.
    pub every: String,
    /// Local time of day, such as `18:00`, for weekdays and for intervals of whole days. `None`
    /// keeps the time of the first deadline.
    pub at: Option<String>,
    /// Name of the time zone, such as `Europe/London`.
    pub zone: String,
    /// Days without a deadline: `2026-12-25`, `12-25` for every year, or
    /// `2026-12-24..2027-01-02`.
    #[serde(default)]
    pub holidays: Vec<String>,
}

/// A day of every year (month, day), or a span of days including both ends, without deadlines.
enum Holiday {
    Yearly(i8, i8),
    Span(Date, Date),
}

/// A rule, zone or date that can't be read, as a sentence for the game master.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadTime(pub String);

impl Rule {
    /// Checks that the rule can be read.
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
        if time.is_some() && !is_whole_days(&span) {
            let text = "has hours in it, and a time of day goes with whole days only";
            return Err(BadTime(format!("{:?} {text}", self.every)));
        }
        Ok(())
    }

    /// The first deadline of a game that starts at `now`: one interval later, or the
    /// first weekday of the rule that is at least a day away.
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

    /// The deadline after a turn that ran at `now`, before its own deadline `due`. It is one
    /// interval later, at the rule's time of day or else at that of `due`, and at least half an
    /// interval away. With weekdays it is [`Rule::first`].
    ///
    /// # Errors
    /// [`BadTime`] for a rule that [`Rule::check`] would refuse.
    pub fn early(&self, due: Timestamp, now: Timestamp) -> Result<Timestamp, BadTime> {
        if weekdays(&self.every).is_some() || !is_whole_days(&self.span()?) {
            return self.first(now);
        }
        let zone = zone(&self.zone)?;
        let time = match self.time()? {
            Some(time) => time,
            None => due.to_zoned(zone.clone()).time(),
        };
        let usual = |at: Zoned| at.with().time(time).build().map_err(|e| BadTime(e.to_string()));
        let start = now.to_zoned(zone);
        let mut at = usual(self.add(&start, &self.span()?)?)?;
        let after = usual(self.add(&at, &self.span()?)?)?;
        let length = after.timestamp().as_second() - at.timestamp().as_second();
        if (at.timestamp().as_second() - now.as_second()) * 2 < length {
            at = after;
        }
        self.off_holidays(at.timestamp())
    }

    /// The deadline that follows `last` for a turn that ran at `now`.
    ///
    /// A host that was down during deadlines skips those that have passed, and gives players at
    /// least half an interval before the next one.
    ///
    /// # Errors
    /// [`BadTime`] for a rule that [`Rule::check`] would refuse.
    pub fn next(&self, last: Timestamp, now: Timestamp) -> Result<Timestamp, BadTime> {
        let mut at = last.to_zoned(zone(&self.zone)?);
        let late = now > self.step(&at)?.timestamp();
        // The bound ends the search when the clock is wrong: 6,000,000 steps of at least a
        // minute are eleven years.
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

    /// A deadline moved off the holidays: to the next day, or with weekdays the next weekday of the
    /// rule, that is not a holiday. Other deadlines stay.
    ///
    /// # Errors
    /// [`BadTime`] for a rule that [`Rule::check`] would refuse, or when 1000 days or
    /// weekdays in a row are holidays.
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

    /// The deadline after `at`: an interval later, or on the next weekday of the rule.
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

fn is_whole_days(span: &Span) -> bool {
    span.get_hours() == 0 && span.get_minutes() == 0 && span.get_seconds() == 0
}

/// The weekdays of a rule such as `mon thu` or `weekdays`; `None` for an interval.
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
            // 2024 is a leap year, so it has every day that a year may have.
            let day = date(&format!("2024-{text}"))?;
            Ok(Holiday::Yearly(day.month(), day.day()))
        }
        _ => Ok(Holiday::Span(date(text)?, date(text)?)),
    }
}

/// Quiet hours at night, from one full hour to another.
struct Quiet {
    from: i8,
    until: i8,
}

impl Quiet {
    /// Reads `22-7`; an empty text means no quiet hours.
    fn read(text: &str) -> Result<Option<Self>, BadTime> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        let bad = || BadTime(format!("{text:?} are no quiet hours; write for instance \"22-7\""));
        let hour = |part: &str| part.trim().parse::<i8>().ok().filter(|h| (0..24).contains(h));
        let (from, until) = text.split_once('-').ok_or_else(bad)?;
        let (from, until) = hour(from).zip(hour(until)).ok_or_else(bad)?;
        // Quiet hours of a whole day would stop the clocks for ever.
        if from == until { Err(bad()) } else { Ok(Some(Self { from, until })) }
    }

    fn holds(&self, hour: i8) -> bool {
        match self.from < self.until {
            true => (self.from..self.until).contains(&hour),
            false => hour >= self.from || hour < self.until,
        }
    }
}

/// Checks quiet hours such as `22-7`; an empty text is allowed.
///
/// # Errors
/// [`BadTime`] shows the right form.
pub fn check_quiet(text: &str) -> Result<(), BadTime> {
    Quiet::read(text).map(|_| ())
}

/// When a clock ends that begins now, runs for `hours` hours, and stands still in the quiet hours
/// of a zone.
///
/// # Errors
/// [`BadTime`] when the quiet hours or the zone can't be read, or for a clock of more than a
/// year.
pub fn after_hours(
    now: Timestamp,
    hours: u32,
    quiet: &str,
    zone_name: &str,
) -> Result<Timestamp, BadTime> {
    if hours > CLOCK_HOURS_MAX {
        return Err(BadTime(format!("a clock of {hours} hours; {CLOCK_HOURS_MAX} are the most")));
    }
    let mut left = SignedDuration::from_hours(hours.into());
    let Some(quiet) = Quiet::read(quiet)? else { return Ok(later(now, left)) };
    let mut at = now.to_zoned(zone(zone_name)?);
    // Hour by hour, because zones change their clocks at full hours.
    while left > SignedDuration::ZERO || quiet.holds(at.hour()) {
        let past = SignedDuration::from_secs(i64::from(at.minute()) * 60 + i64::from(at.second()))
            + SignedDuration::from_nanos(at.subsec_nanosecond().into());
        let part = SignedDuration::from_hours(1) - past;
        let part = if quiet.holds(at.hour()) { part } else { part.min(left) };
        if !quiet.holds(at.hour()) {
            left -= part;
        }
        at = at.checked_add(part).map_err(|e| BadTime(e.to_string()))?;
    }
    Ok(at.timestamp())
}

/// The instant that is `by` after `at`, or before it if `by` is negative; the earliest or latest
/// possible instant when it is out of range.
pub fn later(at: Timestamp, by: SignedDuration) -> Timestamp {
    let end = if by.is_negative() { Timestamp::MIN } else { Timestamp::MAX };
    at.checked_add(by).unwrap_or(end)
}

/// The time zone with a name such as `Europe/London`.
///
/// # Errors
/// [`BadTime`] when there is no zone of that name.
pub fn zone(name: &str) -> Result<TimeZone, BadTime> {
    // Players type names of zones too.
    let bad = |_| BadTime(say!("{name:?} is no time zone; write for instance \"Europe/London\""));
    TimeZone::get(name).map_err(bad)
}

/// A local date and time as a game master writes it: `2026-12-01 18:00`.
///
/// # Errors
/// [`BadTime`] shows the right form.
pub fn date(text: &str, zone_name: &str) -> Result<Timestamp, BadTime> {
    let bad = || BadTime(format!("{text:?} is no date; write for instance \"2026-12-01 18:00\""));
    let civil = jiff::civil::DateTime::strptime("%Y-%m-%d %H:%M", text).map_err(|_| bad())?;
    Ok(civil.to_zoned(zone(zone_name)?).map_err(|_| bad())?.timestamp())
}

/// A time in a player's zone, such as `Tue 1 Dec 2026, 18:00 GMT`. An unknown zone gives
/// UTC.
pub fn local(at: Timestamp, zone_name: &str) -> String {
    let zone = zone(zone_name).unwrap_or(TimeZone::UTC);
    let at = at.to_zoned(zone);
    let weekday = match at.weekday() {
        Weekday::Monday => say!(weekday: "Mon"),
        Weekday::Tuesday => say!(weekday: "Tue"),
        Weekday::Wednesday => say!(weekday: "Wed"),
        Weekday::Thursday => say!(weekday: "Thu"),
        Weekday::Friday => say!(weekday: "Fri"),
        Weekday::Saturday => say!(weekday: "Sat"),
        Weekday::Sunday => say!(weekday: "Sun"),
    };
    let month = match at.month() {
        1 => say!(month: "Jan"),
        2 => say!(month: "Feb"),
        3 => say!(month: "Mar"),
        4 => say!(month: "Apr"),
        5 => say!(month: "May"),
        6 => say!(month: "Jun"),
        7 => say!(month: "Jul"),
        8 => say!(month: "Aug"),
        9 => say!(month: "Sep"),
        10 => say!(month: "Oct"),
        11 => say!(month: "Nov"),
        _ => say!(month: "Dec"),
    };
    let (day, year) = (at.day(), at.strftime("%Y"));
    let (time, zone) = (at.strftime("%H:%M"), at.strftime("%Z"));
    say!("{weekday} {day} {month} {year}, {time} {zone}")
}

/// The time from `now` to `until` in its two largest units, such as `2 days 3 hours`;
/// `0 minutes` when `until` has passed.
pub fn left(now: Timestamp, until: Timestamp) -> String {
    let minutes = (until.as_second() - now.as_second()).max(0) / 60;
    let (days, hours, minutes) = (minutes / 1440, minutes / 60 % 24, minutes % 60);
    let of_hours = count!(hours, "{hours} hour", "{hours} hours");
    let of_minutes = || count!(minutes, "{minutes} minute", "{minutes} minutes");
    match (days, hours) {
        (0, 0) => of_minutes(),
        (0, _) => format!("{of_hours} {}", of_minutes()),
        _ => format!("{} {of_hours}", count!(days, "{days} day", "{days} days")),
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
        // The 4th at 18:00 is less than half an interval away.
        assert_eq!(next, Ok(at("2026-11-05 18:00")));
    }

    #[test]
    fn a_turn_that_ran_early_keeps_the_usual_time_of_day() {
        let (due, early) = (at("2026-12-08 20:00"), at("2026-12-04 03:27"));
        assert_eq!(rule("7 days", None).early(due, early), Ok(at("2026-12-11 20:00")));
        assert_eq!(rule("7 days", Some("18:00")).early(due, early), Ok(at("2026-12-11 18:00")));
        let hours = rule("36 hours", None).early(due, early);
        assert_eq!(hours, Ok(at("2026-12-05 15:27")), "no time of day is usual");
        // The next hour of the day would be two hours away.
        let (due, early) = (at("2026-12-08 01:00"), at("2026-12-06 23:00"));
        assert_eq!(rule("1 day", None).early(due, early), Ok(at("2026-12-08 01:00")));
        let off = Rule { holidays: vec!["12-08".into()], ..rule("1 day", None) };
        assert_eq!(off.early(due, early), Ok(at("2026-12-09 01:00")));
        let weekdays = rule("mon thu", Some("18:00"));
        assert_eq!(weekdays.early(due, early), weekdays.first(early));
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
        // In autumn the hour comes twice; only the first counts.
        let autumn = nightly.next(at("2026-10-24 01:30"), at("2026-10-24 01:30")).expect("due");
        assert_eq!(local(autumn, "Europe/London"), "Sun 25 Oct 2026, 01:30 BST");
        let next = nightly.next(autumn, autumn).expect("due");
        assert_eq!(local(next, "Europe/London"), "Mon 26 Oct 2026, 01:30 GMT");
    }

    #[test]
    fn a_clock_of_the_game_stands_still_in_quiet_hours() {
        let after = |from: &str, hours: u32, quiet: &str| {
            local(after_hours(at(from), hours, quiet, "Europe/London").expect("a time"), "UTC")
        };
        assert_eq!(after("2026-12-01 20:00", 4, ""), "Wed 2 Dec 2026, 00:00 UTC");
        assert_eq!(after("2026-12-01 20:00", 4, "22-7"), "Wed 2 Dec 2026, 09:00 UTC");
        assert_eq!(after("2026-12-01 23:30", 1, "22-7"), "Wed 2 Dec 2026, 08:00 UTC");
        assert_eq!(after("2026-12-01 12:20", 30, "22-7"), "Thu 3 Dec 2026, 12:20 UTC");
        // A clock never ends at night, when nobody answers.
        assert_eq!(after("2026-12-01 21:00", 1, "22-7"), "Wed 2 Dec 2026, 07:00 UTC");
        assert_eq!(after("2026-12-01 09:00", 4, "12-14"), "Tue 1 Dec 2026, 15:00 UTC");
        // The night when clocks go forward is an hour shorter, and nobody loses that hour.
        assert_eq!(after("2027-03-27 21:00", 2, "22-7"), "Sun 28 Mar 2027, 07:00 UTC");
        for wrong in ["22", "22-22", "25-7", "night", "-7"] {
            assert!(check_quiet(wrong).is_err_and(|e| e.0.contains("22-7")), "{wrong}");
        }
    }

    #[test]
    fn bad_rules_are_refused_with_the_right_form() {
        assert!(rule("soon", None).check().is_err_and(|e| e.0.contains("7 days")));
        assert!(rule("7 days", Some("25:00")).check().is_err_and(|e| e.0.contains("18:00")));
        let moon = Rule { zone: "Moon/Base".into(), ..rule("7 days", None) };
        assert!(moon.check().is_err_and(|e| e.0.contains("Europe/London")));
    }
}
