//! The commands of players by mail. Each has its own file with its row, the parser of its line, and
//! what it does. READY and NOTREADY share a file; so do the words that say what becomes of orders,
//! and the questions.

mod address;
mod ask;
mod card;
mod contact;
mod export;
mod extend;
mod forget;
mod format;
mod games;
mod gm;
mod help;
mod join;
mod lang;
mod modes;
mod name;
mod password;
mod practice;
mod press;
mod ready;
pub mod reminders;
mod resend;
mod resign;
mod rules;
mod secrets;
mod status;
mod vacation;
mod what;
mod yes;
mod zone;

use crate::verdict::case::Row;

/// The commands in the order of HELP, then those that HELP does not list. A new command needs a
/// file and a line here.
pub const ROWS: &[Row] = &[
    help::ROW,
    status::ROW,
    what::ROW,
    ask::LOOK,
    ask::DISTANCE,
    ask::ODDS,
    ask::WHO,
    ask::MAP,
    ask::HISTORY,
    rules::ROW,
    resend::ROW,
    card::ROW,
    modes::CHECK,
    modes::ADD,
    modes::CANCEL,
    ready::ROW,
    ready::NOT_READY,
    extend::ROW,
    vacation::ROW,
    press::ROW,
    games::ROW,
    join::ROW,
    practice::ROW,
    name::ROW,
    contact::ROW,
    address::ROW,
    password::ROW,
    secrets::ROW,
    zone::ROW,
    format::ROW,
    lang::ROW,
    reminders::ROW,
    resign::ROW,
    export::ROW,
    forget::ROW,
    ready::NOT,
    yes::ROW,
    gm::ROW,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::signs::Game;
    use crate::verdict::case::Request;

    fn read(text: &str) -> Request {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        Request::read(&lines, 100, ROWS, &Game::of(&|line| line == "A 12 2"))
    }

    /// The first command of a text, as the question about an unproven mail shows it.
    fn one(text: &str) -> String {
        read(text).commands.first().map_or_else(String::new, |c| format!("{c:?}"))
    }

    #[test]
    fn commands_have_their_forms() {
        for (line, shown) in [
            ("extend 3 days my exams", "Extend(3, \"my exams\")"),
            ("NOT READY", "Ready(false)"),
            ("notready", "Ready(false)"),
            (
                "Vacation 2026-12-20 to 2027-01-03",
                "Vacation(Some((\"2026-12-20\", \"2027-01-03\")))",
            ),
            ("VACATION off", "Vacation(None)"),
            (
                "JOIN W7 3 name=Karelia by the sea address=relay zone=Europe/London",
                "Join { game: \"W7\", seat: Some(\"3\"), name: \"Karelia by the sea\", \
                 contact: Some(\"relay\"), zone: Some(\"Europe/London\"), language: None }",
            ),
            ("NAME Karelia, far to the north", "Name(\"Karelia, far to the north\")"),
            ("LANG DE", "Lang(Some(\"de\"))"),
            ("REMINDERS OFF", "Reminders(false)"),
            ("YES please", "Yes"),
            ("FORMAT both, pdf", "Format([\"both\", \"pdf\"])"),
            ("GM TELL W7 all Dear all,\n\nsee you.", "Gm(\"TELL W7 all Dear all,\\n\\nsee you.\")"),
        ] {
            assert_eq!(one(line), shown);
        }
    }

    #[test]
    fn a_wrong_form_is_answered_with_the_right_one_and_a_sentence_is_no_command() {
        for (line, form) in [
            ("STATSU", "STATUS"),
            ("VACATION soon", "VACATION from to"),
            ("name", "NAME text"),
            // Words of more than six letters may have two wrong letters.
            ("HLP", "HELP [topic]"),
            ("RESGIN", "RESIGN"),
            ("VACASION", "VACATION from to"),
            ("VACASIOM", "VACATION from to"),
        ] {
            assert_eq!(read(line).meant.map(|m| m.1), Some(form), "{line}");
        }
        for word in ["RESGIM", "VOCASIOM", "HALF"] {
            assert_eq!(read(word).meant, None, "{word}");
        }
        for prose in [
            "Ready when you are",
            "rules are hard to read",
            "Status quo, I would say",
            "What happened to my fleet?",
            "WHAT A GAME",
            "Name of the game",
            "Add it all up",
            "Not now",
            "A 12 2",
        ] {
            let got = read(prose);
            assert!(got.commands.is_empty() && got.meant.is_none(), "{prose}: {got:?}");
        }
    }

    #[test]
    fn no_mail_and_no_log_shows_a_new_password() {
        assert_eq!(one("PASSWORD something-secret"), "PASSWORD …");
    }

    #[test]
    fn every_word_has_one_row_and_misspelt_words_are_never_taken_for_press() {
        for (i, row) in ROWS.iter().enumerate() {
            assert!(ROWS.iter().skip(i + 1).all(|other| other.word != row.word), "{}", row.word);
        }
        assert_eq!(read("PRES").meant, None);
        let words: Vec<&str> = ROWS.iter().filter(|r| r.is_listed()).map(|r| r.word).collect();
        assert!(!words.contains(&"YES") && !words.contains(&"GM"));
    }
}
