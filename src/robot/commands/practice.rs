//! PRACTICE: asks for a private game against computers. The robot sends a question to the sender's
//! address, and makes the game only on YES.

use engine::Engine;
use store::{Judged, QuestionKind, Reason, Verdict};
use tongue::{mark, say};

use crate::context::Result;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Query, Read, Row, Tools};
use crate::verdict::questions::Questions;

/// The command.
pub(super) const ROW: Row = Row {
    word: "PRACTICE",
    form: "PRACTICE warlord",
    help: mark!("a private game against computers, with lessons; also lang=de"),
    read: |line| {
        let language = line
            .rest()
            .iter()
            .find_map(|w| w.to_lowercase().strip_prefix("lang=").map(str::to_owned));
        let words: Vec<&str> = line.rest().iter().copied().filter(|w| !w.contains('=')).collect();
        let practice = |engine| Command::query(Practice { engine, language });
        match words.len() {
            0 => line.alone(|| practice(None)),
            1..3 => Read::Command(practice(Some(words.join("-").to_lowercase()))),
            _ => line.wrong(),
        }
    },
};

/// The wishes of somebody who wants to practise.
#[derive(Debug)]
struct Practice {
    /// The engine of the game.
    engine: Option<String>,
    /// The code of the language for mails to the player.
    language: Option<String>,
}

/// A line about PRACTICE for those who look for a game; empty where the host has no practice games.
pub(super) fn invitation(tools: Tools) -> String {
    match (tools.cx.limits.practice_games_max, tools.cx.engines.first()) {
        (1.., Some(engine)) => {
            let line = say!(
                "PRACTICE {game} begins a private game against computers, with lessons.",
                game = engine.id()
            );
            format!("\n{line}\n")
        }
        _ => String::new(),
    }
}

impl Practice {
    fn answer(&self, tools: Tools, case: &Case) -> Result<Judged> {
        let preferred = self.language.as_deref();
        let asked = || self.asked(tools, case);
        Answers::new(tools).in_preferred(case, preferred, Reason::NoPractice, asked)
    }

    fn asked(&self, tools: Tools, case: &Case) -> Result<Judged> {
        let (answers, questions) = (Answers::new(tools), Questions::new(tools));
        let refuse = |text: &str| answers.once_a_day(case, Reason::NoPractice, text);
        let most = tools.cx.limits.practice_games_max;
        if most == 0 {
            return refuse(&say!("Nobody practises on this host. GAMES lists what one can join."));
        }
        let known = |e: &&&dyn Engine| self.engine.as_deref() == Some(e.id());
        let Some(engine) = tools.cx.engines.iter().find(known) else {
            let games: Vec<String> =
                tools.cx.engines.iter().map(|e| format!("PRACTICE {}", e.id())).collect();
            return refuse(&say!(
                "What do you want to practise? Write {commands}.",
                commands = games.join(", ")
            ));
        };
        if let Some(game) = tools.games().practice_of(&case.from)? {
            let text = say!(
                "You practise already, in game {game}. RESIGN, in answer to a mail of that game, \
                 ends it; then ask again.",
                game = game.code
            );
            return answers.answer(case, Verdict::Rejected, Reason::NoPractice, &text);
        }
        if tools.games().practices()?.len() >= most as usize {
            return refuse(&say!(
                "All practice games of this host are taken now. Try again in some days."
            ));
        }
        if questions.asked_enough(QuestionKind::Practice, &case.from, case)? {
            return questions.not_now(case);
        }
        let kind = QuestionKind::Practice;
        let language = self.language.clone().unwrap_or_default();
        let value = [engine.id(), &language].join(" ").trim_end().to_owned();
        let q = questions.new_question(kind, None, &case.from, &value, case.now);
        let asked = say!(
            "Somebody, you we hope, asked for a practice game of {game} with this address: a \
             private game against computers, which runs whenever you are ready and teaches as it \
             goes.",
            game = engine.title()
        );
        let answer = say!(
            "If you want it, answer with the one word YES; if not, do nothing, and you hear no \
             more of it."
        );
        let text = format!("{asked} {answer}");
        let subject = say!("a practice game of {game}?", game = engine.title());
        let asked = questions.ask(q, &subject, &text, case.now);
        let mut judged = case.judged(Verdict::Accepted, Reason::PracticeAsked, "asked for YES");
        judged.effects.extend(asked.effects);
        answers.reply(case, &mut judged, asked.mails)?;
        Ok(judged)
    }
}

impl PlayerCommand for Practice {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn for_anybody(&self, tools: Tools, case: &Case) -> Result<Option<Judged>> {
        self.answer(tools, case).map(Some)
    }
}

impl Query for Practice {
    fn act(&self, tools: Tools, case: &Case, _: &Claim) -> Result<Judged> {
        self.answer(tools, case)
    }
}
