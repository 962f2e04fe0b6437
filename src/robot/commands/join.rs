//! JOIN: asks for a seat. The robot sends a question to the sender's address, and gives a seat only
//! on YES.

use base::schedule;
use base::terms::Contact;
use mail::mime::same_address;
use store::{Game, JoinRequest, Judged, Question, QuestionKind, Reason, Standing, Status, Verdict};
use tongue::{mark, say};

use super::{contact, games};
use crate::context::Result;
use crate::persons::other_seat;
use crate::text::{name_fault, plain_name};
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Query, Read, Row, Tools};
use crate::verdict::questions::{Questions, two_seats};

/// The command.
pub(super) const ROW: Row = Row {
    word: "JOIN",
    form: mark!("JOIN game [seat]"),
    help: mark!("takes a seat; also name=... address=relay zone=Europe/Rome lang=de"),
    read: |line| match line.rest() {
        [game, more @ ..] if line.in_capitals() || more.len() < 2 || line.tail().contains('=') => {
            Read::Command(Command::query(Join::read(game, line.tail())))
        }
        _ => line.wrong(),
    },
};

/// Reason of the verdict when no question is sent.
const REASON: Reason = Reason::NotJoined;

/// The wishes of somebody who wants a seat.
#[derive(Debug, Default)]
struct Join {
    /// Code of the game.
    game: String,
    /// The wanted seat, as written. If it is not a number of a seat, any free seat will do.
    seat: Option<String>,
    /// The wanted name of the seat.
    name: String,
    /// The word that says how others may reach the player.
    contact: Option<String>,
    /// The name of the player's time zone.
    zone: Option<String>,
    /// The code of the language for mails to the player.
    language: Option<String>,
}

impl Join {
    /// Reads `W7 3 name=Karelia, far north address=relay zone=Europe/London lang=de`.
    fn read(game: &str, tail: &str) -> Self {
        let mut join = Self { game: game.to_owned(), ..Self::default() };
        let mut key = String::new();
        for word in tail.split_whitespace().skip(1) {
            match word.split_once('=') {
                Some((name, value)) => {
                    key = name.to_lowercase();
                    match key.as_str() {
                        "name" => join.name = value.to_owned(),
                        "address" | "contact" => join.contact = Some(value.to_owned()),
                        "zone" => join.zone = Some(value.to_owned()),
                        "lang" | "language" => join.language = Some(value.to_lowercase()),
                        "seat" => join.seat = Some(value.to_owned()),
                        _ => {}
                    }
                }
                None if key == "name" => join.name += &format!(" {word}"),
                None if key.is_empty() && join.seat.is_none() => {
                    let word = word.trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
                    join.seat = Some(word.to_owned());
                }
                None => {}
            }
        }
        join.name = join.name.trim_matches(['"', '\'']).to_owned();
        join
    }

    fn answer(&self, tools: Tools, case: &Case) -> Result<Judged> {
        let preferred = self.language.as_deref();
        Answers::new(tools).in_preferred(case, preferred, REASON, || self.asked(tools, case))
    }

    fn asked(&self, tools: Tools, case: &Case) -> Result<Judged> {
        let (answers, questions) = (Answers::new(tools), Questions::new(tools));
        let refuse = |text: &str| answers.once_a_day(case, REASON, text);
        let found = tools.store.games().game(&self.game)?.filter(|g| g.status != Status::Over);
        let Some(game) = found else {
            let games = games::text(tools)?;
            let none = say!("There is no such game to join.");
            return refuse(&format!("{none}\n\n{games}"));
        };
        if !game.terms.join {
            // Strangers do not learn the address of the game master.
            let plays = !tools.store.games().seats_of(&case.from)?.is_empty();
            let known = plays && case.standing.get() == Standing::Proven;
            let (game, gm) = (&game.code, &tools.cx.gm);
            return refuse(&match known {
                true => say!(
                    "Nobody joins game {game} by mail: its game master ({gm}) gives its seats."
                ),
                false => {
                    say!("Nobody joins game {game} by mail: its game master gives its seats.")
                }
            });
        }
        if questions.asked_enough(QuestionKind::Join, &case.from, case)? {
            return questions.not_now(case);
        }
        let seats = tools.store.games().seats(&game.code)?;
        if seats.iter().any(|s| s.has_player() && same_address(&s.address, &case.from)) {
            let text = say!("You have a seat in game {game} already.", game = game.code);
            return answers.answer(case, Verdict::Rejected, REASON, &text);
        }
        if game.terms.one_seat && other_seat(&seats, None, &case.from).is_some() {
            return answers.answer(case, Verdict::Rejected, REASON, &two_seats(&game));
        }
        let contact = match self.contact.as_deref().map(str::parse) {
            None => Contact::Hide,
            Some(Ok(contact)) => contact,
            Some(Err(_)) => return refuse(&say!("address= is one of disclose, relay and hide.")),
        };
        let zone = self.zone.clone().unwrap_or_else(|| game.rule.zone.clone());
        if let Err(e) = schedule::zone(&zone) {
            return refuse(&format!("{e}."));
        }
        let (seat, noted) = self.seat(&game);
        let name = plain_name(&self.name);
        if let Some(fault) = name_fault(&name, None, &seats) {
            return refuse(&say!("{fault} JOIN {game} with another one.", game = game.code));
        }
        let language = self.language.clone().unwrap_or_default();
        let request =
            JoinRequest { seat, name, contact: contact.as_str().to_owned(), zone, language };
        let value = serde_json::to_string(&request).unwrap_or_default();
        let q = Question {
            game: Some(game.code.clone()),
            ..questions.new_question(QuestionKind::Join, None, &case.from, &value, case.now)
        };
        let asked = say!(
            "Somebody, you we hope, asked for a seat in game {game} ({title}) with this address.",
            game = game.code,
            title = tools.games().engine(&game.engine)?.title()
        );
        let answer = say!(
            "If you want it, answer with the one word YES; if not, do nothing, and you hear no \
             more of it."
        );
        let text = format!("{asked}{noted} {answer}\n\n{}", contact::sentence(contact));
        let subject = say!("a seat in game {game}?", game = game.code);
        let asked = questions.ask(q, &subject, &text, case.now);
        let mut judged = case.judged(Verdict::Accepted, Reason::JoinAsked, "asked for YES");
        judged.effects.extend(asked.effects);
        answers.reply(case, &mut judged, asked.mails)?;
        Ok(judged)
    }

    /// The number of the wanted seat, and a sentence if there is no such seat.
    fn seat(&self, game: &Game) -> (Option<u8>, String) {
        let Some(word) = &self.seat else { return (None, String::new()) };
        match word.parse::<u8>() {
            Ok(n) if (1..=game.setup.seats).contains(&n) => (Some(n), String::new()),
            _ => {
                let range = game.setup.seats;
                let word: String = word.chars().take(20).collect();
                let noted = say!(
                    "Seats have the numbers 1 to {range}; {word:?} is none, so any free one is \
                     taken."
                );
                (None, format!(" {noted}"))
            }
        }
    }
}

impl PlayerCommand for Join {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn for_anybody(&self, tools: Tools, case: &Case) -> Result<Option<Judged>> {
        self.answer(tools, case).map(Some)
    }
}

impl Query for Join {
    fn act(&self, tools: Tools, case: &Case, _: &Claim) -> Result<Judged> {
        self.answer(tools, case)
    }
}
