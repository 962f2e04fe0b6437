//! VACATION: dates on which nobody waits for a player.

use base::schedule;
use jiff::SignedDuration;
use store::{Reason, SeatChange};
use tongue::{count, mark, say};

use crate::context::Result;
use crate::verdict::case::{
    Case, Change, Changed, Claim, Command, PlayerCommand, Read, Row, Setting, Tools,
};

/// The command.
pub(super) const ROW: Row = Row {
    word: "VACATION",
    form: mark!("VACATION from to"),
    help: mark!("dates such as 2026-12-20; VACATION OFF ends it"),
    read: |line| match line.rest() {
        [off] if ["OFF", "END"].contains(&off.to_uppercase().as_str()) => {
            Read::Command(Command::setting(Vacation(None)))
        }
        [from, to] | [from, _, to] => {
            let span = ((*from).to_owned(), (*to).to_owned());
            Read::Command(Command::setting(Vacation(Some(span))))
        }
        _ => line.wrong(),
    },
};

/// The two dates as written. `None`: the vacation ends now.
#[derive(Debug)]
struct Vacation(Option<(String, String)>);

impl PlayerCommand for Vacation {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }
}

impl Setting for Vacation {
    fn reason(&self) -> (Reason, &'static str) {
        (Reason::Vacation, mark!("your vacation"))
    }

    fn act(&self, _: Tools, case: &Case, claim: &Claim) -> Result<Changed> {
        let zone = &claim.seat.zone;
        let Some((from, to)) = &self.0 else {
            return Ok(Ok(Change::of_seat(claim, say!("Welcome back."), SeatChange::Away(None))));
        };
        let day = |text: &str, at: &str| schedule::date(&format!("{text} {at}"), zone);
        // Days without a year, as in a sentence, are the next ones that end in the future.
        let with_year = |text: &String, year: i16| match text.strip_prefix("--") {
            Some(day) => format!("{year:04}-{day}"),
            None => text.clone(),
        };
        let year = case.now.to_zoned(jiff::tz::TimeZone::UTC).year();
        let ends = |year: i16| day(&with_year(to, year), "23:59").ok();
        let ahead = i16::from(ends(year).is_some_and(|to| to <= case.now));
        let last = year + ahead;
        // From December to January.
        let first = last - i16::from(from.starts_with("--") && from > to);
        let (from, to) = (with_year(from, first), with_year(to, last));
        let (Ok(from), Ok(to)) = (day(&from, "00:00"), day(&to, "23:59")) else {
            return Ok(Err(say!("Write dates like this: VACATION 2026-12-20 2027-01-03.")));
        };
        let until = to + SignedDuration::from_mins(1);
        let most = i64::from(claim.game.terms.vacation_days_max);
        if until <= from || until <= case.now {
            return Ok(Err(say!("That vacation ends before it begins, or has ended already.")));
        }
        // A day is one hour longer when the clocks go back.
        if until.duration_since(from) > SignedDuration::from_hours(24 * most + 25) {
            return Ok(Err(count!(
                most,
                "A vacation in this game lasts {most} day at most.",
                "A vacation in this game lasts {most} days at most."
            )));
        }
        let note = say!(
            "Your vacation is noted, from {from} to {to}. Meanwhile you are not reminded, nobody waits \
             for you, and missed turns do not count; your standing orders go on. Cards that you \
             send count all the same.",
            from = schedule::local(from, zone),
            to = schedule::local(to, zone)
        );
        Ok(Ok(Change::of_seat(claim, note, SeatChange::Away(Some((from, until))))))
    }
}
