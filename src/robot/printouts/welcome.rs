//! The sections of the first printout before the position.

use super::{Printer, document};
use crate::context::Result;
use engine::report::{Align, Block, Line, Section, Table, bound};
use engine::{CardText, Mark, Match, Primer, Seat, Until};
use mail::mime::one_mailbox;
use store::{Game, SeatRow};
use tongue::{count, mark, say, word};

/// A table of orders and what they do.
fn with_what_they_do(orders: Vec<(String, String)>) -> Table {
    let rows = orders.into_iter().map(|(order, does)| vec![order, bound(&does)]);
    let columns = [(say!("Order"), Align::Left), (say!("What it does"), Align::Left)];
    Table::new(columns, rows.collect())
}

/// The heading of the first section for a newcomer; [`word`] translates it.
pub const FIRST_TURN: &str = mark!("Your first turn");

/// The words of a calendar's interval: its units, or days of the week.
const INTERVAL: [&str; 19] = [
    mark!("minute"),
    mark!("minutes"),
    mark!("hour"),
    mark!("hours"),
    mark!("day"),
    mark!("days"),
    mark!("week"),
    mark!("weeks"),
    mark!("month"),
    mark!("months"),
    mark!("year"),
    mark!("years"),
    mark!("mon"),
    mark!("tue"),
    mark!("wed"),
    mark!("thu"),
    mark!("fri"),
    mark!("sat"),
    mark!("sun"),
];

/// The interval of a calendar, such as `7 days` or `mon thu`, in the player's language.
fn interval(every: &str) -> String {
    let said = |part: &str| match INTERVAL.iter().find(|known| **known == part) {
        Some(known) => word(known).into_owned(),
        None => part.to_owned(),
    };
    every.split(' ').map(said).collect::<Vec<_>>().join(" ")
}

impl Printer<'_> {
    /// The introduction for somebody who knows nothing of the game: its aim, how to read the
    /// printout, orders for this seat to copy, where to find help.
    ///
    /// # Errors
    /// [`crate::RobotError::Engine`] when the engine fails.
    pub(crate) fn first_turn(
        &self,
        game: &Game,
        open: &dyn Match,
        row: &SeatRow,
    ) -> Result<Option<Section>> {
        let primer = self.primer(game, open, row.seat)?;
        if primer.aim.is_empty() {
            return Ok(None);
        }
        let mut blocks = vec![Block::Para(bound(&primer.aim).into())];
        if !primer.reading.is_empty() {
            blocks.push(Block::List(primer.reading.iter().map(|r| bound(r).into()).collect()));
        }
        if !primer.orders.is_empty() {
            let copy = count!(
                n = primer.orders.len(),
                "A good first order for you. To give orders, answer this mail and write them at \
                 the top, one on each line; copy what you like from the left column:",
                "Good first orders for you. To give orders, answer this mail and write them at the \
                 top, one on each line; copy what you like from the left column:"
            );
            blocks.push(Block::Para(copy.into()));
            blocks.push(Block::Table(with_what_they_do(primer.orders)));
        }
        let mut help = say!(
            "Within seconds your orders come back with a judgement of each, and what will come of \
             them. Words do as well as letters and numbers. HELP as the only word of a mail explains \
             the orders, HELP and a word that one thing."
        );
        if !self.games().engine(&game.engine)?.plays_at_once() || !game.runs_early() {
            help += &say!(" Send a better card as often as you like.");
        }
        blocks.push(Block::Para(bound(&help).into()));
        if game.terms.early && matches!(game.step.until, Until::Calendar) {
            let says = match self.is_alone(game, row.seat)? {
                true => say!(
                    "Done? Write READY on a line of its own, below your orders or as the whole \
                     mail: the turn runs at once, because all others are computers."
                ),
                false => say!(
                    "Done? Write READY on a line of its own, below your orders or as the whole \
                     mail: the turn runs as soon as all have."
                ),
            };
            blocks.push(Block::Para(bound(&says).into()));
        }
        Ok(Some(Section { heading: word(FIRST_TURN).into_owned(), blocks }))
    }

    /// Whether nobody but this seat has a player.
    fn is_alone(&self, game: &Game, seat: Seat) -> Result<bool> {
        let seats = self.store.games().seats(&game.code)?;
        Ok(!seats.iter().any(|s| s.seat != seat && s.has_player()))
    }

    /// The engine's introduction for a newcomer, with only those orders that have no error.
    fn primer(&self, game: &Game, open: &dyn Match, seat: Seat) -> Result<Primer> {
        self.games().shielded(&game.code, || {
            let mut primer = open.primer(seat);
            primer.orders.retain(|(order, _)| {
                let judged = open.judge(seat, &CardText::new(order), 0);
                !judged.lines.iter().any(|l| l.mark == Mark::Error)
            });
            primer
        })
    }

    /// Good orders for the present position of a seat, with what they do. `None`: there are none.
    ///
    /// # Errors
    /// [`crate::RobotError::Engine`] when the engine fails.
    pub(crate) fn good_orders(
        &self,
        game: &Game,
        open: &dyn Match,
        seat: Seat,
    ) -> Result<Option<Table>> {
        let orders = self.primer(game, open, seat)?.orders;
        Ok((!orders.is_empty()).then(|| with_what_they_do(orders)))
    }

    /// The welcome and how to play by mail, for the first printout.
    pub(super) fn welcome(
        &self,
        game: &Game,
        open: &dyn Match,
        row: &SeatRow,
        title: &str,
    ) -> Result<Vec<Section>> {
        let engine = self.games().engine(&game.engine)?;
        let every = interval(&game.rule.every);
        let every = match &game.rule.at {
            Some(at) => say!("{every} at {at}"),
            None => every,
        };
        let (code, seat, seats) = (&game.code, row.seat, game.setup.seats);
        let zone = &game.rule.zone;
        let pace = match game.step.until {
            _ if game.terms.practice => say!(
                "This is practice, against computers: with READY on a line of its own, below your \
                 orders or alone, the turn runs at once. With neither a card nor READY for 14 days \
                 it ends."
            ),
            Until::Calendar => say!(
                "A turn runs every {every}, time zone {zone}; after each, a printout like this \
                 one comes by mail."
            ),
            _ => say!(
                "It goes on as soon as those who are awaited have sent their cards, or their time \
                 is up; each mail says whose turn it is and when orders are due."
            ),
        };
        // A player with a chosen name has it everywhere.
        let title = if row.name.is_empty() { title } else { &row.name };
        let welcome = say!(
            "Welcome to {engine} game {code}! You have seat {seat} of {seats}: {title}. {pace} \
             Nothing but mail is needed.",
            engine = engine.title()
        );
        let how = self.how_to_play(game, open, seat)?;
        let how: Vec<Line> = how.iter().map(|text| bound(text).into()).collect();
        Ok(vec![
            Section::list(&say!("Welcome"), Vec::new(), &welcome),
            Section::list(&say!("How to play by mail"), how, ""),
        ])
    }

    /// How to play by mail, a line each.
    fn how_to_play(&self, game: &Game, open: &dyn Match, seat: Seat) -> Result<Vec<String>> {
        let (engine, code) = (self.games().engine(&game.engine)?, &game.code);
        let mut how: Vec<String> = vec![
            say!(
                "Orders: answer any mail of the game and write them at the top, above everything \
                 that your program quotes. Or write them between the lines of the turn card at the \
                 end of this printout."
            ),
            say!(
                "Without a mail to answer: write to {robot} and begin with the line \"GAME {code} \
                 SEAT {seat} PASSWORD ...\".",
                robot = self.cx.identity.address
            ),
            match engine.plays_at_once() && game.runs_early() {
                true => document::at_once(),
                false => say!(
                    "A new card replaces the one before; ADD as its first line adds to it, CHECK \
                     only judges, CANCEL empties it, CANCEL 3 takes back its line 3. The last card received before the deadline \
                     counts."
                ),
            },
            say!(
                "VACATION with two dates keeps your seat while you are away; EXTEND asks all for \
                 more time; READY says that you need no more."
            ),
            say!(
                "FORMAT chooses how printouts come: text alone or with HTML and pictures, also as \
                 PDF for paper and JSON for programs; a program may send your card as JSON too."
            ),
        ];
        if self.games().shielded(&game.code, || open.press())? {
            how.push(say!(
                "Messages to other players stand in your card, between PRESS with their numbers \
                 and END; they come with the next printouts."
            ));
        }
        if engine.has_dice() {
            how.push(match engine.tells_seeds(game.rules_version) {
                _ if !game.chains.is_empty() => say!(
                    "Nobody chooses the dice: they come from a chain of secret numbers, whose end \
                     is in each printout, and from all cards of a turn. When the game is over, \
                     everything is opened in one file, from which anybody can play it again."
                ),
                true => say!(
                    "The dice are settled before the orders: each printout has the digest of a \
                     secret number, and the next one the number itself."
                ),
                false => say!(
                    "The dice are settled before the orders: each printout ends with the digest of \
                     a secret number, and when the game is over all the numbers are opened."
                ),
            });
        }
        how.push(self.seats_of_game_master(game)?);
        Ok(how)
    }

    /// A sentence on whether the game master, who could see all positions, plays too.
    fn seats_of_game_master(&self, game: &Game) -> Result<String> {
        let mailbox = one_mailbox(&self.cx.gm);
        let theirs = |s: &SeatRow| s.has_player() && one_mailbox(&s.address) == mailbox;
        let seats: Vec<String> = self
            .store
            .games()
            .seats(&game.code)?
            .iter()
            .filter(|s| theirs(s))
            .map(|s| s.seat.to_string())
            .collect();
        Ok(match seats.is_empty() {
            true => say!(
                "The game master, who runs this host, has no seat in this game. Whenever they look \
                 at positions, it is recorded; the last printout says how often."
            ),
            false => say!(
                "The game master, who runs this host, plays too: seat {seats}. Whenever they look \
                 at positions, it is recorded; the last printout says how often.",
                seats = seats.join(", ")
            ),
        })
    }
}
