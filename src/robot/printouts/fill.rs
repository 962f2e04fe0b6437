//! Fills what only the robot knows into the text of an engine: names, addresses, seals.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::Printer;
use crate::context::Result;
use base::terms::Contact;
use engine::Seat;
use engine::report::{Block, Gap, Line, Section, Span};
use render::{Document, filled};
use store::{Game, OpenedSeal, SeatRow};
use tongue::say;

impl Printer<'_> {
    /// Sections with what only the robot knows filled in, as far as this seat may know it. The
    /// players whose addresses they show are noted in `shown`.
    pub(super) fn fill(
        &self,
        game: &Game,
        row: &SeatRow,
        (sections, sealed): (&[Section], &[OpenedSeal]),
        shown: &mut BTreeMap<Seat, String>,
    ) -> Result<Vec<Section>> {
        let seats = self.store.games().seats(&game.code)?;
        let seal = |seat: Seat, key: &str| {
            let new = sealed.iter().find(|s| s.seat == seat && s.key == key).cloned();
            let filed =
                || self.store.journal().seal(&game.code, game.turn, seat, key).ok().flatten();
            let found = new.or_else(filed);
            match found {
                Some(seal) => format!("SHA-256 {}", seal.digest()),
                None => say!("(no seal of that name is filed)"),
            }
        };
        let player = |seat: Seat| {
            let found = seats.iter().find(|s| s.seat == seat && !s.name.is_empty());
            found.map_or_else(|| say!("seat {seat}"), |s| s.name.clone())
        };
        let noted = RefCell::new(shown);
        let address = |of: Seat| {
            let words = self.address_of(&seats, of, row.seat);
            noted.borrow_mut().insert(of, words.clone());
            words
        };
        Ok(filled(sections, &|span| match span {
            Span::Address(of) => Some(Span::Chosen(address(*of))),
            Span::Player(of) => Some(Span::Chosen(player(*of))),
            Span::Seal(of, key) => Some(Span::Plain(seal(*of, key))),
            Span::Plain(_) | Span::Chosen(_) => None,
        }))
    }

    /// Lines with names filled in.
    pub(crate) fn filled(&self, game: &Game, row: &SeatRow, lines: Vec<Line>) -> Result<Vec<Line>> {
        let section = Section { heading: String::new(), blocks: vec![Block::List(lines)] };
        let filled = self.fill(game, row, (&[section], &[]), &mut BTreeMap::new())?;
        let lines = filled.into_iter().flat_map(|s| s.blocks).flat_map(|b| match b {
            Block::List(lines) => lines,
            _ => Vec::new(),
        });
        Ok(lines.collect())
    }

    /// Sections of an answer, with names filled in as far as this seat may know them.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the store fails.
    pub fn shown(&self, game: &Game, row: &SeatRow, all: &[Section]) -> Result<Vec<Section>> {
        self.fill(game, row, (all, &[]), &mut BTreeMap::new())
    }

    /// A section on players whose address this seat has seen before, and whose address is different
    /// now.
    pub(super) fn changed_addresses(
        &self,
        game: &Game,
        reader: Seat,
        shown: &mut BTreeMap<Seat, String>,
    ) -> Result<Option<Section>> {
        let (seats, mut lines) = (self.store.games().seats(&game.code)?, Vec::new());
        for (of, before) in self.store.games().shown(&game.code, reader)? {
            let now = self.address_of(&seats, of, reader);
            if shown.contains_key(&of) || now == before {
                continue;
            }
            let told = say!("Player {of}: {address}", address = Gap(0));
            lines.push(Line::filled(&told, [Span::Chosen(now.clone())]));
            shown.insert(of, now);
        }
        let heading = say!("Addresses that have changed");
        Ok((!lines.is_empty()).then(|| Section::list(&heading, lines, "")))
    }

    /// A printout that was sent before, with the present addresses, and a list of the addresses in
    /// it. An old address that is not unique stays; the next printout names every change.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn readdressed(
        &self,
        game: &Game,
        reader: Seat,
        document: Document,
    ) -> Result<(Document, Vec<(Seat, String)>)> {
        let seats = self.store.games().seats(&game.code)?;
        let shown = self.store.games().shown(&game.code, reader)?;
        // Words that several players share, such as those for hidden addresses, do not identify a
        // player.
        let only = |words: &str| {
            let mut of = shown.iter().filter(|(_, before)| before == words);
            of.next().filter(|_| of.next().is_none()).map(|(seat, _)| *seat)
        };
        let told = RefCell::new(BTreeMap::new());
        let sections = filled(&document.sections, &|span| match span {
            Span::Chosen(words) => {
                let of = only(words)?;
                let now = self.address_of(&seats, of, reader);
                told.borrow_mut().insert(of, now.clone());
                Some(Span::Chosen(now))
            }
            _ => None,
        });
        Ok((Document { sections, ..document }, told.into_inner().into_iter().collect()))
    }

    /// Name and address of a seat as another seat may read them: only with consent.
    fn address_of(&self, seats: &[SeatRow], of: Seat, reader: Seat) -> String {
        let Some(row) = seats.iter().find(|s| s.seat == of) else {
            return say!("(nobody plays this seat)");
        };
        let named = |address: &str| match row.name.is_empty() {
            true => address.to_owned(),
            false => format!("{} <{address}>", row.name),
        };
        match row.contact {
            _ if row.computer => say!("(a computer plays this seat)"),
            _ if row.resigned => say!("(nobody plays this seat)"),
            Contact::Disclose => named(&row.address),
            Contact::Relay => named(&self.mailer().alias(&row.game, of, reader)),
            Contact::Hide => say!("(does not disclose an address; messages reach the seat)"),
        }
    }
}
