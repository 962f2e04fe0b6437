//! RULES: the rulebook, its contents or a chapter.

use engine::Section;
use render::text::{SAFE, sections};
use store::{Judged, Reason, Verdict};
use tongue::{mark, say};

use crate::book::Book;
use crate::context::Result;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Query, Row, Tools};

/// The command.
pub(super) const ROW: Row = Row {
    word: "RULES",
    form: mark!("RULES [chapter]"),
    help: mark!("the rulebook of your game: contents, a chapter, ALL, or PDF"),
    read: |line| {
        line.with_at_most_one(|chapter| Some(Command::query(Rules(chapter.map(str::to_uppercase)))))
    },
};

/// A chapter by number or by a word of its title, or the contents.
#[derive(Debug)]
struct Rules(Option<String>);

impl PlayerCommand for Rules {
    fn word(&self) -> &'static str {
        ROW.word
    }

    /// The contents are short, chapters are not.
    fn needs_proof(&self) -> bool {
        self.0.is_some()
    }
}

impl Query for Rules {
    /// The answer is one chapter. The whole book gets a separate mail.
    fn beside(&self, tools: Tools, claim: &Claim) -> Result<Option<Vec<Section>>> {
        let Some(word) = self.0.as_deref().filter(|w| !["ALL", "PDF"].contains(w)) else {
            return Ok(None);
        };
        let open = tools.games().open(&claim.game)?;
        let book = tools.games().rulebook(&claim.game, open.as_ref(), Some(claim.seat.seat))?;
        let (chosen, _) = chosen(&book, Some(word));
        Ok((!chosen.is_empty()).then_some(chosen))
    }

    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Judged> {
        let open = tools.games().open(&claim.game)?;
        let book = tools.games().rulebook(&claim.game, open.as_ref(), Some(claim.seat.seat))?;
        if self.0.as_deref() == Some("PDF") && !book.is_empty() {
            return self.paper(tools, case, claim, book);
        }
        let (chosen, found) = chosen(&book, self.0.as_deref());
        let mut text = match (book.is_empty(), found) {
            (true, _) => say!("This game has no rulebook by mail.") + "\n",
            (_, false) => say!("There is no such chapter.") + "\n",
            (_, true) => sections(&chosen),
        };
        if chosen.is_empty() && !book.is_empty() {
            text += &say!(
                "The chapters of the rulebook; RULES with a number or a word sends one, RULES ALL \
                 sends all, RULES PDF a book for paper."
            );
            text += "\n\n";
            book.iter().for_each(|s| text += &format!("{SAFE}{}\n", s.heading));
        }
        let subject = say!("the rules");
        Answers::new(tools).short_answer(
            case,
            claim,
            Verdict::Accepted,
            Reason::Rules,
            &subject,
            text,
        )
    }
}

impl Rules {
    /// The book as a file.
    fn paper(
        &self,
        tools: Tools,
        case: &Case,
        claim: &Claim,
        chapters: Vec<Section>,
    ) -> Result<Judged> {
        let (games, game) = (tools.games(), &claim.game);
        let (engine, open) = (games.engine(&game.engine)?, games.open(game)?);
        let book = games
            .shielded(&game.code, || Book::new(engine, &game.code, chapters, open.as_ref()))?;
        let text = say!(
            "The rulebook of your game comes with this mail as a PDF, with pictures and an index."
        ) + "\n";
        let subject = say!("the rules");
        let what = (Verdict::Accepted, Reason::Rules, subject.as_str());
        Answers::new(tools).short_answer_with(case, claim, what, text, Some(book))
    }
}

/// The chapters that are asked for, and whether there are such.
fn chosen(book: &[Section], chapter: Option<&str>) -> (Vec<Section>, bool) {
    match chapter {
        None => (Vec::new(), true),
        Some("ALL") => (book.to_vec(), true),
        Some(word) => {
            let number = format!("{}.", word.trim_end_matches('.'));
            let fits = |s: &&Section| {
                let title = s.heading.to_uppercase();
                title.starts_with(&format!("{number} "))
                    || title.split(|c: char| !c.is_alphanumeric()).any(|w| w == word)
            };
            let found: Vec<Section> = book.iter().filter(fits).cloned().collect();
            let any = !found.is_empty();
            (found, any)
        }
    }
}
