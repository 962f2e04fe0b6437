//! The parts of a game beside its [`Rules`]: each is implemented in the file that has its code.
//! What a game does not define has a default.
//!
//! [`Game`] is all of them together. A game that lacks a part has an empty `impl` of it.

use super::*;

/// What players order: cards read and judged, and help for their orders.
pub trait Cards: Rules {
    /// Whether a line of a mail begins like an order of this game, right or wrong, by the rows from
    /// which [`Cards::help`] is made. The rest of the line may still be judged an error.
    fn starts_order(line: &str) -> bool;
    /// Whether an order contains words that the player chooses, such as a name, so that every
    /// character counts.
    fn takes_text(_line: &str) -> bool {
        false
    }
    /// Judges a card line by line and forecasts its effect. `ahead` is 0 for the open
    /// step, else how many steps later the card is to run.
    fn judge(view: &Self::View, card: &CardText, ahead: u32) -> Judgement;
    /// Letters of a card that the robot sends at once, as separate mails, where the game's rules
    /// allow it; the step does not send them again.
    fn letters(_view: &Self::View, _card: &CardText) -> Vec<press::Letter> {
        Vec::new()
    }
    /// Whether a card may hold free messages (see [`press`]).
    fn press(_state: Option<&Self::State>) -> bool {
        false
    }
    /// Help from the order table.
    fn help(state: Option<&Self::State>) -> Vec<Topic>;
    /// Help as a seat may read it, for games that reveal their orders bit by bit.
    fn help_for(state: &Self::State, _seat: Seat) -> Vec<Topic> {
        Self::help(Some(state))
    }

    /// A small map of what a card orders, for example with arrows, for an echo with pictures; at
    /// most two of its sheets are sent. `None` where a map would show nothing.
    fn sketch(_view: &Self::View, _card: &CardText) -> Option<MapPicture> {
        None
    }
}

/// Orders in other words than a card's.
pub trait Words: Rules {
    /// The verbs with which players may say orders in other words than a card's; see [`wording`].
    fn wording() -> &'static Forms {
        Forms::none()
    }
    /// The sentences with which players may say orders; see [`Frames`].
    fn sentences() -> &'static Frames {
        Frames::none()
    }
    /// The names of the things in orders, as far as a seat knows them.
    fn names(_view: &Self::View) -> Names {
        Names::default()
    }
}

/// The messages that a seat gets after a step.
pub trait Printouts: Rules {
    /// What the seat gets after the last step.
    fn notice(_view: &Self::View) -> Notice {
        Notice::Full
    }
    /// The words of a short mail ([`Notice::Brief`]): what happened, what the game waits for.
    fn brief(_view: &Self::View, _language: &str) -> Vec<Block> {
        Vec::new()
    }
    /// The printout as a document, with the messages of other players in one of
    /// [`Printouts::languages`]; `None` for a seat that is out of the game and has had its last
    /// printout.
    fn report(view: &Self::View, language: &str) -> Option<Report>;
    /// The languages that a player may choose for messages; the first is that of everything else.
    /// Before a game starts there is no state.
    fn languages(_state: Option<&Self::State>) -> &'static [&'static str] {
        &["en"]
    }
}

/// The sentences at the top of a printout, and those for everybody once the game is over.
pub trait Headlines: Rules {
    /// The first sentences of a printout, and what needs orders: made from the view, so that they
    /// reveal no more than the seat may know. This is separate from [`Printouts::report`], because
    /// the short answer to WHAT, the subject of a mail and a war diary need it without the
    /// printout.
    fn headline(_view: &Self::View) -> Headline {
        Headline::default()
    }
    /// Such sentences about a step for everybody, once the game is over: in the third person, the
    /// most important first.
    fn chronicle(_state: &Self::State, _events: &[Self::Event]) -> Vec<Line> {
        Vec::new()
    }
}

/// Texts to read before playing.
pub trait Books: Rules {
    /// The introduction for a newcomer to this seat.
    fn primer(_view: &Self::View) -> Primer {
        Primer::default()
    }
    /// The rulebook, chapter by chapter, with the values of this game.
    fn rulebook(_state: &Self::State) -> Vec<Section> {
        Vec::new()
    }
    /// The rulebook as a seat may read it, where chapters appear in the course of a game.
    fn rulebook_for(state: &Self::State, _seat: Seat) -> Vec<Section> {
        Self::rulebook(state)
    }
}

/// Questions by mail.
pub trait Answers: Rules {
    /// The answer to a question, from the view alone; nothing where the game has none.
    fn answer(_view: &Self::View, _ask: &Ask) -> Vec<Line> {
        Vec::new()
    }
}

/// Pictures beside those of the printout.
pub trait Maps: Rules {
    /// The whole map with all that is hidden, for the game master.
    fn atlas(_state: &Self::State) -> Option<MapPicture> {
        None
    }

    /// The whole map as a seat knows it, always of the same size, for the history that everybody
    /// may watch when the game is over.
    fn seen(_state: &Self::State, _seat: Seat) -> Option<MapPicture> {
        None
    }
}

/// Computer players.
pub trait Computers: Rules {
    /// The card that a computer player writes. It depends only on its seat's view, its own notes of
    /// last time and the dice.
    fn play(_view: &Self::View, _notes: &str, _dice: &mut Dice) -> Play {
        Play::default()
    }
}

/// The invariants after every step, and the course of the game in numbers.
pub trait Audits: Rules {
    /// The faults of a step: every invariant of the game that it broke.
    fn audit(
        _before: (&Self::State, &[Self::Event]),
        _input: &Input,
        _after: (&Self::State, &[Self::Event]),
    ) -> Vec<String> {
        Vec::new()
    }
    /// Numbers after a step, for statistics.
    fn tally(_state: &Self::State, _events: &[Self::Event]) -> Tally {
        Tally::default()
    }
    /// The course of the game so far, for those who may see all of it.
    fn charts(_state: &Self::State) -> Vec<Chart> {
        Vec::new()
    }
}

/// A whole game.
pub trait Game:
    Cards + Words + Printouts + Headlines + Books + Answers + Maps + Computers + Audits
{
}

impl<G: Cards + Words + Printouts + Headlines + Books + Answers + Maps + Computers + Audits> Game
    for G
{
}
