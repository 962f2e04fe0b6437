//! The parts of the last printout on the whole game: the standing, its course, the player's record
//! and war diary, the seeds.

use super::{Printer, PrintoutExtras};
use crate::context::Result;
use crate::diary;
use base::chain::{Value, hex};
use base::secrets::seed_digest;
use engine::report::{Align, Block, Line, Section, Table, Who};
use engine::{Chart, Score, Seat, Turn};
use mail::compose::Attachment;
use store::{Game, SeatRow, Status};
use tongue::{count, say, word};

/// Seats of the final chart that a table lists too, and the step between its turns.
const COURSE_SEATS: usize = 6;
const COURSE_STEP: usize = 5;

impl Printer<'_> {
    /// The war diary of a seat: the first lines of its printouts in each turn of a game that is
    /// over.
    pub(super) fn war_diary(
        &self,
        game: &Game,
        row: &SeatRow,
        post: &PrintoutExtras,
    ) -> Result<Option<Section>> {
        let own = post.diaries.iter().find(|(seat, _)| *seat == row.seat);
        let Some((_, diary)) = own.filter(|(_, diary)| !diary.is_empty()) else { return Ok(None) };
        let lines = self.filled(game, row, diary::lines(diary))?;
        Ok(Some(Section { heading: say!("War diary"), blocks: vec![Block::List(lines)] }))
    }

    /// How often the game master looked at positions while the game went on.
    pub(super) fn looks(&self, game: &Game) -> Result<Section> {
        let heading = say!("What the game master looked at");
        let looks = self.store.looks(&game.code)?;
        let said = |(kind, n): &(String, u32)| {
            let n = *n;
            let text = match kind.as_str() {
                "look-printout" => count!(
                    n,
                    "{n} printout of a seat, on the command line",
                    "{n} printouts of seats, on the command line"
                ),
                "look-page" => count!(
                    n,
                    "{n} page of a seat, on the dashboard",
                    "{n} pages of seats, on the dashboard"
                ),
                "look-map" => count!(n, "the whole map, {n} time", "the whole map, {n} times"),
                "look-export" => count!(
                    n,
                    "a file with the whole game, written {n} time",
                    "a file with the whole game, written {n} times"
                ),
                "look-copy" => count!(
                    n,
                    "a copy of all that the host keeps, made {n} time",
                    "a copy of all that the host keeps, made {n} times"
                ),
                _ => count!(
                    n,
                    "a seat given to an address by hand, {n} time",
                    "a seat given to an address by hand, {n} times"
                ),
            };
            Line::from(text)
        };
        if looks.is_empty() {
            let none = say!("The record has no look at any position while the game went on.");
            return Ok(Section { heading, blocks: vec![Block::Para(none.into())] });
        }
        let all = looks.iter().map(said).collect();
        Ok(Section { heading, blocks: vec![Block::List(all)] })
    }

    /// The games of this kind that a player has won, including this one. `None`: the engine has no
    /// ranks.
    pub(super) fn record(
        &self,
        game: &Game,
        row: &SeatRow,
        result: &[Score],
    ) -> Result<Option<Section>> {
        let engine = self.games().engine(&game.engine)?;
        let ranks = engine.ranks();
        if ranks.is_empty() || !row.has_player() {
            return Ok(None);
        }
        let has_won = |scores: &[Score], seat: Seat| {
            let best = scores.iter().filter(|s| s.rank == 1 && s.points > 0);
            best.map(|s| s.seat).collect::<Vec<_>>() == [seat]
        };
        let (mut played, mut won) = (1, u32::from(has_won(result, row.seat)));
        for other in self.store.games().all_seats_of(&row.address)? {
            let Some(before) = self.store.games().game(&other.game)? else { continue };
            let same = before.engine == game.engine && before.status == Status::Over;
            if !same || before.code == game.code {
                continue;
            }
            let Some(saved) = self.store.journal().saved(&before.code, before.turn - 1)? else {
                continue;
            };
            // A game of an older version may no longer open; then it does not count.
            let Ok(open) = engine.open(&saved) else { continue };
            let scores = self.games().shielded(&before.code, || open.result())?;
            played += 1;
            won += u32::from(scores.is_some_and(|s| has_won(&s, other.seat)));
        }
        let rank = ranks.iter().rev().find(|(wins, _)| won >= *wins).map_or("", |r| r.1);
        let mut text = say!(
            "Your games of {title} on this host: {played}, of which you have won {won}. Your rank \
             is {rank}.",
            title = engine.title(),
            rank = word(rank)
        );
        if let Some((wins, name)) = ranks.iter().find(|(wins, _)| won < *wins) {
            text.push(' ');
            text += &count!(
                n = wins - won,
                "One more victory makes you {name}.",
                "{n} more victories make you {name}.",
                name = word(name)
            );
        }
        let blocks = vec![Block::Para(text.into())];
        Ok(Some(Section { heading: say!("Your record"), blocks }))
    }
}

/// The final standing, best first.
pub(super) fn standing(result: &[Score], seats: &[SeatRow]) -> Section {
    let mut scores: Vec<&Score> = result.iter().collect();
    scores.sort_by_key(|s| (s.rank, s.seat));
    let name = |seat: Seat| match seats.iter().find(|r| r.seat == seat) {
        Some(row) if row.computer => say!("(computer)"),
        Some(row) => row.name.clone(),
        None => say!("(nobody)"),
    };
    let row = |s: &&Score| {
        vec![s.rank.to_string(), s.seat.to_string(), name(s.seat), s.points.to_string()]
    };
    let columns = vec![
        (say!("Rank"), Align::Right),
        (say!("Seat"), Align::Right),
        (say!("Name"), Align::Left),
        (say!("Points"), Align::Right),
    ];
    let table = Table::new(columns, scores.iter().map(row).collect());
    Section { heading: say!("Final standing"), blocks: vec![Block::Table(table)] }
}

/// The course of a game that is over.
pub(super) fn course(post: &PrintoutExtras) -> Option<Section> {
    let first = post.charts.first()?;
    let mut best = first.series.clone();
    best.sort_by_key(|s| std::cmp::Reverse(s.values.last().copied()));
    best.truncate(COURSE_SEATS);
    let turns = best.iter().map(|s| s.values.len()).max().unwrap_or(0);
    let heading = |who: Who| match who {
        Who::Seat(seat) => say!("Seat {seat}"),
        Who::Best => say!("Best"),
        Who::Median => say!("Median"),
    };
    let columns = best.iter().map(|s| (heading(s.who), Align::Right));
    let columns = std::iter::once((say!("Turn"), Align::Right)).chain(columns);
    let told = |turn: &usize| turn.is_multiple_of(COURSE_STEP) || *turn == turns;
    let row = |turn: usize| {
        let value = |s: &engine::Series| s.values.get(turn - 1).map(i64::to_string);
        let cells = best.iter().map(|s| value(s).unwrap_or_default());
        std::iter::once(turn.to_string()).chain(cells).collect()
    };
    let rows = (1..=turns).filter(told).map(row).collect();
    let says = say!("{title} of the best seats:", title = word(&first.title));
    let said = |c: &Chart| Chart { title: word(&c.title).into_owned().into(), ..c.clone() };
    Some(Section {
        heading: say!("The course of the game"),
        blocks: vec![
            Block::Para(says.into()),
            Block::Table(Table::new(columns, rows)),
            Block::Charts(post.charts.iter().map(said).collect()),
        ],
    })
}

/// Every seed of a game that is over.
pub(super) fn seeds(game: &Game, post: &PrintoutExtras) -> Vec<Block> {
    match (post.values.is_empty(), post.seeds.is_empty()) {
        (false, _) => of_chain(post),
        (true, false) => each_drawn(game, post),
        (true, true) => Vec::new(),
    }
}

/// The digest by which a printout is found in the game's file, and, when the game is over, a note
/// on the file itself.
pub(super) fn whole(game: &Game, seat: Seat, post: &PrintoutExtras) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(digest) = post.reports.get(&seat) {
        let says = say!(
            "SHA-256 of this report in English, for the game's file: {digest}",
            digest = as_word(digest)
        );
        blocks.push(Block::Para(says.into()));
    }
    if !post.file.is_empty() {
        let says = say!(
            "{file} is the whole game: its setup, its dice and all cards without letters. \
             \"fieldpost replay {file}\" plays it again on any machine and says whether it came \
             out as it was told. Where it is not attached to this mail it is too large for one: \
             the game's public page has it, or ask the game master.",
            file = file_name(&game.code)
        );
        blocks.push(Block::Para(says.into()));
    }
    blocks
}

/// A digest as one word that does not begin an order, even at the start of a line.
pub(super) fn as_word(digest: &str) -> String {
    format!("sha256:{digest}")
}

/// The seeds of a game that began before chains existed.
fn each_drawn(game: &Game, post: &PrintoutExtras) -> Vec<Block> {
    let columns = [
        (say!("Step"), Align::Right),
        (say!("Seed"), Align::Left),
        ("SHA-256".to_owned(), Align::Left),
    ];
    let row = |(turn, seed): &(Turn, u64)| {
        let digest = seed_digest(&game.code, *turn, *seed);
        vec![turn.to_string(), format!("{seed:016x}"), digest[..16].to_owned() + "..."]
    };
    let rows = post.seeds.iter().map(row).collect();
    let says = say!(
        "Every seed of the game. That of step 0 made the world; the digests of the others stood in \
         the printouts before their steps ran."
    );
    vec![Block::Para(says.into()), Block::Table(Table::new(columns, rows))]
}

/// Every value of the chain of seeds.
fn of_chain(post: &PrintoutExtras) -> Vec<Block> {
    let columns = [(say!("Step"), Align::Right), (say!("Seed"), Align::Left)];
    let row = |(turn, value): &(Turn, Value)| vec![turn.to_string(), hex(value)];
    let rows = post.values.iter().map(row).collect();
    let says = say!(
        "Every seed of the game, as bytes in hexadecimal. The SHA-256 of each is the seed above \
         it, and that of step 0 stood in every printout."
    );
    vec![Block::Para(says.into()), Block::Table(Table::new(columns, rows))]
}

/// The name of the file with a whole game.
pub fn file_name(game: &str) -> String {
    format!("{game}.fieldpost.json")
}

/// The whole game as a file attached to its last printout. `None`: it is too large for a mail, or
/// there is no file.
pub(super) fn game_file(game: &Game, post: &PrintoutExtras, most: usize) -> Option<Attachment> {
    // The file grows by a third when encoded, and the printout needs room too.
    let fits = !post.file.is_empty() && post.file.len() <= most / 2;
    fits.then(|| Attachment {
        name: file_name(&game.code),
        media: "application/json".into(),
        bytes: post.file.as_bytes().to_vec(),
    })
}
