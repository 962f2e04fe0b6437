//! EXTEND: a vote for a later deadline.

use jiff::SignedDuration;

use engine::Seat;
use store::{Effect, Reason, Status};
use tongue::{count, mark, say};

use crate::context::Result;
use crate::verdict::case::{
    Case, Change, Changed, Claim, Command, PlayerCommand, Read, Row, Setting, Tools,
};

/// Characters of a reason that are kept, at most.
const REASON_MAX: usize = 100;

/// The command.
pub(super) const ROW: Row = Row {
    word: "EXTEND",
    form: mark!("EXTEND days reason"),
    help: mark!("votes for a later deadline of this turn"),
    read: |line| match line.rest() {
        [days, reason @ ..] => match days.parse() {
            Ok(days) => {
                let reason = reason.iter().filter(|w| !["days", "day"].contains(w));
                let reason = reason.copied().collect::<Vec<_>>().join(" ");
                Read::Command(Command::setting(Extend(days, reason)))
            }
            Err(_) => line.wrong(),
        },
        [] => line.wrong(),
    },
};

/// How many days later, and why.
#[derive(Debug)]
struct Extend(u32, String);

impl PlayerCommand for Extend {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }
}

impl Setting for Extend {
    fn reason(&self) -> (Reason, &'static str) {
        (Reason::Vote, mark!("your vote"))
    }

    /// When more than half of the players have voted, the deadline moves by the fewest days among
    /// their votes.
    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Changed> {
        let (game, days) = (&claim.game, self.0);
        let most = game.terms.extend_days_max;
        let Some(due) = game.deadline.filter(|_| game.status == Status::Running) else {
            return Ok(Err(say!("There is no deadline that could be moved.")));
        };
        if most == 0 {
            return Ok(Err(say!("In this game only the game master moves deadlines.")));
        }
        if !(1..=most).contains(&days) {
            return Ok(Err(count!(
                most,
                "A vote is for {most} day, such as EXTEND 1 exams.",
                "A vote is for 1 to {most} days, such as EXTEND 2 exams."
            )));
        }
        if tools.store.people().is_reminded(&game.code, game.turn, "extended")? {
            return Ok(Err(say!("The deadline of this turn was moved by a vote already.")));
        }
        let plain = self.1.chars().filter(|c| !c.is_control());
        let reason: String = plain.take(REASON_MAX).collect();
        let mut votes = tools.store.people().votes(&game.code, game.turn)?;
        votes.retain(|(s, ..)| *s != claim.seat.seat);
        votes.push((claim.seat.seat, days, reason.clone()));
        let seats = tools.store.games().seats(&game.code)?;
        let active = seats.iter().filter(|s| s.has_player()).count();
        if votes.len() * 2 <= active {
            let (game, turn, seat) = (game.code.clone(), game.turn, claim.seat.seat);
            let note = count!(
                days,
                "Your vote for {days} more day counts; {given} of {needed} votes are in.",
                "Your vote for {days} more days counts; {given} of {needed} votes are in.",
                given = votes.len(),
                needed = active / 2 + 1
            );
            let vote = Effect::Vote { game, turn, seat, days, reason };
            return Ok(Ok(Change { effects: vec![vote], ..Change::none(note) }));
        }
        let fewest = votes.iter().map(|v| v.1).min().unwrap_or(days);
        let at = due + SignedDuration::from_hours(24 * i64::from(fewest));
        let at = game.rule.off_holidays(at).unwrap_or(at);
        let id_key = format!("voted {}", game.turn);
        let words = || (say!("a later deadline"), reasons(&votes));
        let mails = tools.mailer().tell_all(game, Some(at), &words, &id_key, case.now)?;
        let note = count!(
            fewest,
            "Your vote decided it: the deadline moves by {fewest} day.",
            "Your vote decided it: the deadline moves by {fewest} days."
        );
        let moved = Effect::Deadline { game: game.code.clone(), turn: game.turn, at };
        Ok(Ok(Change { note, effects: vec![moved], mails }))
    }
}

/// A sentence to the players with the reasons of the votes.
fn reasons(votes: &[(Seat, u32, String)]) -> String {
    let given = votes.iter().filter(|v| !v.2.is_empty());
    let reasons: Vec<String> = given.map(|v| format!("\"{}\"", v.2)).collect();
    format!("{} {}", say!("The players voted for a later deadline."), reasons.join(", "))
}
