//! The parts of a game beside its [`Rules`]: each is implemented in the file that has its code, and
//! what a game lacks is provided.
//!
//! [`Game`] is all of them together. A game that has nothing of a part says so in an empty `impl`.

use super::*;

/// What players order: cards read and judged, and help for their orders.
pub trait Cards: Rules {
    /// Whether a line of a mail begins as an order of this game does, right or wrong: from
    /// the rows that [`Cards::help`] is made of. What follows may be judged an error.
    fn starts_order(line: &str) -> bool;
    /// Whether an order takes words of the player's own, such as a name, in which every sign counts.
    fn takes_text(_line: &str) -> bool {
        false
    }
    /// Judges a card line by line and forecasts its effect. `ahead` is 0 for the open
    /// step, else how many steps later the card is to run.
    fn judge(view: &Self::View, card: &CardText, ahead: u32) -> Judgement;
    /// Letters of a card that go on at once where the game's rules let them, as mails of their
    /// own; the step sends none of them again.
    fn letters(_view: &Self::View, _card: &CardText) -> Vec<press::Letter> {
        Vec::new()
    }
    /// Whether a card may hold free messages (see [`press`]).
    fn press(_state: Option<&Self::State>) -> bool {
        false
    }
    /// Help from the order table.
    fn help(state: Option<&Self::State>) -> Vec<Topic>;
    /// Help as a seat may read it, where games teach their orders bit by bit.
    fn help_for(state: &Self::State, _seat: Seat) -> Vec<Topic> {
        Self::help(Some(state))
    }

    /// A small map of what a card orders, such as with arrows, for an echo that has pictures; two
    /// of its sheets are sent at most. `None` where a map would say nothing.
    fn sketch(_view: &Self::View, _card: &CardText) -> Option<MapPicture> {
        None
    }
}

/// How players say orders in other words than a card's.
pub trait Words: Rules {
    /// How players say orders in other words than a card's; see [`wording`].
    fn wording() -> &'static Forms {
        Forms::none()
    }
    /// What the things of its orders are called, as far as a seat knows them.
    fn names(_view: &Self::View) -> Names {
        Names::default()
    }
}

/// What a step sends to a seat.
pub trait Printouts: Rules {
    /// What this seat is sent now that a step has led here.
    fn notice(_view: &Self::View) -> Notice {
        Notice::Full
    }
    /// The words of a short mail ([`Notice::Brief`]): what happened, what is awaited.
    fn brief(_view: &Self::View, _language: &str) -> Vec<Block> {
        Vec::new()
    }
    /// The printout as a document, the messages of other players in a language of
    /// [`Printouts::languages`]; `None` for a seat that is out of the game and has had
    /// its last one.
    fn report(view: &Self::View, language: &str) -> Option<Report>;
    /// Languages that a player may choose for messages; the first is that of
    /// everything else. Before a game starts there is no state.
    fn languages(_state: Option<&Self::State>) -> &'static [&'static str] {
        &["en"]
    }
}

/// What is said first, to a seat and once the game is over.
pub trait Headlines: Rules {
    /// What a printout begins with, and what needs orders: made from the view alone, no more
    /// than the seat may know. It is apart from [`Printouts::report`], for the short answer to WHAT,
    /// the subject of a mail and a war diary want it without the printout.
    fn headline(_view: &Self::View) -> Headline {
        Headline::default()
    }
    /// The same sentences of a step as everybody may read them once the game is over: in the
    /// third person, the most important first.
    fn chronicle(_state: &Self::State, _events: &[Self::Event]) -> Vec<Line> {
        Vec::new()
    }
}

/// What there is to read before one plays.
pub trait Books: Rules {
    /// What a newcomer to this seat is told before all else.
    fn primer(_view: &Self::View) -> Primer {
        Primer::default()
    }
    /// The rulebook, chapter by chapter, with the figures of this game.
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

    /// The whole map as a seat knows it, always of the same size, for the course that all see when
    /// the game is over.
    fn seen(_state: &Self::State, _seat: Seat) -> Option<MapPicture> {
        None
    }
}

/// Computer players.
pub trait Computers: Rules {
    /// The card that a computer player writes, from its seat's view and its own notes of
    /// last time alone.
    fn play(_view: &Self::View, _notes: &str, _dice: &mut Dice) -> Play {
        Play::default()
    }
}

/// What must hold after every step, and the course of the game in figures.
pub trait Audits: Rules {
    /// What is wrong with a step: every invariant of the game that it broke.
    fn audit(
        _before: (&Self::State, &[Self::Event]),
        _input: &Input,
        _after: (&Self::State, &[Self::Event]),
    ) -> Vec<String> {
        Vec::new()
    }
    /// Figures after a step, for statistics.
    fn tally(_state: &Self::State, _events: &[Self::Event]) -> Tally {
        Tally::default()
    }
    /// The course of the game so far, for who may see all of it.
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
