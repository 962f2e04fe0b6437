//! Limits of what a mail, a sender and a card may ask of the robot.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

/// CPU time per minute for mails that prove nothing; the mails left over wait.
const UNPROVEN_CPU: Duration = Duration::from_secs(6);

/// Limits of what a mail and a sender may ask of the robot.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// A larger mail is answered, but not read.
    pub mail_bytes_max: u64,
    /// A larger mail that nothing proves is not held until its player confirms it.
    pub unproven_bytes_max: u64,
    /// Lines of a card.
    pub card_lines_max: usize,
    /// Characters of one line of a card.
    pub line_chars_max: usize,
    /// Cards of one seat within an hour.
    pub cards_per_hour: u32,
    /// Replies to one address within an hour, to mails that are proven.
    pub replies_per_hour: u32,
    /// Replies to one address within a day, to mails that are proven.
    pub replies_per_day: u32,
    /// Replies to all addresses within an hour, to mails that are proven; above it none are sent,
    /// and the game master is notified.
    pub replies_per_hour_total: u32,
    /// Replies to one address within an hour, to mails that nothing proves.
    pub unproven_replies_per_hour: u32,
    /// Replies to one address within a day, to mails that nothing proves.
    pub unproven_replies_per_day: u32,
    /// Replies to all addresses within an hour, to unproven mails in the name of a seat; above it
    /// none of these are sent, and the game master is notified.
    pub unproven_replies_per_hour_total: u32,
    /// Replies to all strangers together within an hour; above it none of these are sent, and the
    /// game master is notified.
    pub stranger_replies_per_hour_total: u32,
    /// Replies within a day to one address that has no seat.
    pub stranger_replies_per_day: u32,
    /// Unproven mails from one address within an hour; more are not kept.
    pub mails_per_hour: u32,
    /// A larger mail of ours goes out in parts.
    pub sent_bytes_max: usize,
    /// With less free disk room only mail of players is fetched, and with less than a quarter of it
    /// none, so that turns have room.
    pub disk_free_mb_min: u64,
    /// Bounces after which an address gets no more mail.
    pub bounce_limit: u32,
    /// Days for which raw mails are kept.
    pub keep_raw_days: i64,
    /// Days for which attempts to send a mail go on.
    pub retry_days: i64,
    /// Practice games at a time, of all players together; 0 allows none.
    pub practice_games_max: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            mail_bytes_max: 2_000_000,
            unproven_bytes_max: 200_000,
            card_lines_max: 400,
            line_chars_max: 500,
            cards_per_hour: 60,
            replies_per_hour: 60,
            replies_per_day: 300,
            replies_per_hour_total: 5000,
            unproven_replies_per_hour: 6,
            unproven_replies_per_day: 20,
            unproven_replies_per_hour_total: 300,
            stranger_replies_per_hour_total: 200,
            stranger_replies_per_day: 3,
            mails_per_hour: 500,
            sent_bytes_max: 5_000_000,
            disk_free_mb_min: 200,
            bounce_limit: mail::dsn::BOUNCES_MAX,
            keep_raw_days: 400,
            retry_days: 5,
            practice_games_max: 0,
        }
    }
}

/// What mails that prove nothing have cost within a minute.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    since: Timestamp,
    /// CPU time within the minute that began at `since`.
    pub cpu: Duration,
    /// Some of them wait.
    pub waiting: bool,
}

impl Spent {
    /// Whether their share of this minute is used up.
    pub fn is_over(&mut self, now: Timestamp) -> bool {
        if now.duration_since(self.since) >= SignedDuration::from_mins(1) || now < self.since {
            (self.since, self.cpu) = (now, Duration::ZERO);
        }
        self.cpu >= UNPROVEN_CPU
    }
}
