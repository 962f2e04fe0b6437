//! A seat and its player: the row, its columns, and its changes.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::db::{Bind, Db, Row, params};
use super::{Result, StoreError, Tx, canonical, json, ms, time, to_json};
use base::terms::{Choices, Contact};
use engine::{Seat, Turn};

/// A seat and its player. An older program may have kept a row, for an act of the game master, that
/// lacks a field; that field is then as in an empty seat.
///
/// A new column is a field here, a row in `COLUMNS` and a step in `super::migrate`; a choice of
/// the player that no statement selects by is only a field of [`Choices`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeatRow {
    /// Code of the game.
    pub game: String,
    /// Number of the seat.
    pub seat: Seat,
    /// The name that the seat goes by in the game.
    pub name: String,
    /// Mail address of the player; may be empty.
    pub address: String,
    /// Name of the player's time zone.
    pub zone: String,
    /// Digest of the seat's password.
    pub password_digest: String,
    /// How other players who meet this seat may reach its player.
    pub contact: Contact,
    /// Whether a card with the right secret may come from any address.
    pub any_address: bool,
    /// Turns in a row without orders.
    pub missed: u32,
    /// Whether a computer plays this seat; nobody gets its mails.
    pub computer: bool,
    /// Language of messages; empty: the engine's first.
    pub language: String,
    /// The turn that the player is ready for.
    pub ready: Turn,
    /// The player's vacation: from and until.
    pub away: Option<(Timestamp, Timestamp)>,
    /// What the player has chosen.
    #[serde(flatten)]
    pub choices: Choices,
    /// Whether the player has left.
    pub resigned: bool,
    /// Whether too many mails came back.
    pub unreachable: bool,
    /// The turn that was open when the player took the seat; the player before knows the secrets up
    /// to it.
    pub since: Turn,
    /// Part of the derivation of its secrets; a higher number ends the older secrets.
    pub epoch: u32,
    /// Mails up to this number of the outbox prove nothing by their Message-ID.
    pub epoch_mail: i64,
}

impl SeatRow {
    /// A seat of a game that has no player yet.
    pub fn empty(game: &str, seat: Seat, zone: &str) -> Self {
        Self { game: game.to_owned(), seat, zone: zone.to_owned(), ..Self::default() }
    }

    /// Whether a person plays this seat.
    pub fn has_player(&self) -> bool {
        !self.computer && !self.resigned
    }

    /// Whether the player is on vacation.
    pub fn is_away(&self, now: Timestamp) -> bool {
        self.away.is_some_and(|(from, until)| from <= now && now < until)
    }
}

/// The value that a statement sets a column to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum To {
    /// The value in the row.
    Row,
    /// This SQL.
    Sql(&'static str),
    /// Its present value: the statement leaves it out.
    Same,
}

/// A column outside the key. Every statement that writes, reads or erases whole rows is built from
/// these, so that no statement can forget a column.
struct Column {
    name: &'static str,
    /// Takes the value from a row.
    value: fn(&SeatRow) -> Box<dyn Bind + '_>,
    /// Reads the value into a row.
    read: fn(&mut SeatRow, &Row) -> Result<()>,
    /// Its value when the seat is first given; [`To::Same`]: the default of its table.
    first: To,
    /// Its value when the seat is given to another player.
    next: To,
    /// Its value when the seat is given back to the player who had it.
    back: To,
    /// Its value when the player is erased.
    erased: To,
}

/// A column that belongs to the player and comes with each new one; erasure sets it to `erased`, in
/// SQL.
const fn of_player(erased: &'static str) -> [To; 4] {
    [To::Row, To::Row, To::Row, To::Sql(erased)]
}

/// A column that is set to `sql` for each new player, and by erasure.
const fn anew(sql: &'static str) -> [To; 4] {
    [To::Same, To::Sql(sql), To::Row, To::Sql(sql)]
}

/// The open turn.
const OPEN: To = To::Sql("(SELECT turn FROM game WHERE code = $1)");

const COLUMNS: &[Column] = &[
    column("name", of_player("''"), |s| Box::new(&*s.name), |s, r| set(&mut s.name, r.get("name"))),
    column(
        "address",
        of_player("''"),
        |s| Box::new(&*s.address),
        |s, r| set(&mut s.address, r.get("address")),
    ),
    // It is derived from the address.
    column("canon", of_player("''"), |s| Box::new(canonical(&s.address)), |_, _| Ok(())),
    column(
        "zone",
        of_player("'UTC'"),
        |s| Box::new(&*s.zone),
        |s, r| set(&mut s.zone, r.get("zone")),
    ),
    column(
        "password_digest",
        of_player("''"),
        |s| Box::new(&*s.password_digest),
        |s, r| set(&mut s.password_digest, r.get("password_digest")),
    ),
    column(
        "contact",
        of_player("'hide'"),
        |s| Box::new(s.contact.as_str()),
        |s, r| {
            s.contact = r.get::<_, String>("contact")?.parse().unwrap_or_default();
            Ok(())
        },
    ),
    column(
        "any_address",
        of_player("0"),
        |s| Box::new(s.any_address),
        |s, r| set(&mut s.any_address, r.get("any_address")),
    ),
    column(
        "computer",
        [To::Row, To::Row, To::Row, To::Same],
        |s| Box::new(s.computer),
        |s, r| set(&mut s.computer, r.get("computer")),
    ),
    column(
        "language",
        of_player("''"),
        |s| Box::new(&*s.language),
        |s, r| set(&mut s.language, r.get("language")),
    ),
    column(
        "missed",
        [To::Same, To::Sql("0"), To::Row, To::Same],
        |s| Box::new(s.missed),
        |s, r| set(&mut s.missed, r.get("missed")),
    ),
    column(
        "ready",
        // A player who gets the seat back looks at the open turn first.
        [To::Same, To::Sql("0"), To::Sql("0"), To::Same],
        |s| Box::new(s.ready),
        |s, r| set(&mut s.ready, r.get("ready")),
    ),
    column(
        "away_from",
        anew("NULL"),
        |s| Box::new(s.away.map(|a| ms(a.0))),
        |s, r| {
            let from: Option<i64> = r.get("away_from")?;
            let until: Option<i64> = r.get("away_until")?;
            s.away = from.zip(until).map(|(from, until)| (time(from), time(until)));
            Ok(())
        },
    ),
    // Read together with the begin.
    column("away_until", anew("NULL"), |s| Box::new(s.away.map(|a| ms(a.1))), |_, _| Ok(())),
    column(
        "choices",
        anew("'{}'"),
        |s| Box::new(to_json(&s.choices)),
        |s, r| set(&mut s.choices, json(&r.get::<_, String>("choices")?)),
    ),
    column(
        "resigned",
        [To::Same, To::Sql("0"), To::Row, To::Sql("1")],
        |s| Box::new(s.resigned),
        |s, r| set(&mut s.resigned, r.get("resigned")),
    ),
    column(
        "unreachable",
        anew("0"),
        |s| Box::new(s.unreachable),
        |s, r| set(&mut s.unreachable, r.get("unreachable")),
    ),
    column(
        "since",
        [OPEN, To::Sql("excluded.since"), OPEN, To::Same],
        |s| Box::new(s.since),
        |s, r| set(&mut s.since, r.get("since")),
    ),
    column(
        "epoch",
        [To::Same, To::Sql("seat.epoch + 1"), To::Same, To::Same],
        |s| Box::new(s.epoch),
        |s, r| set(&mut s.epoch, r.get("epoch")),
    ),
    column(
        "epoch_mail",
        [To::Same, To::Sql("(SELECT coalesce(max(id), 0) FROM outbox)"), To::Same, To::Same],
        |s| Box::new(s.epoch_mail),
        |s, r| set(&mut s.epoch_mail, r.get("epoch_mail")),
    ),
];

const fn column(
    name: &'static str,
    [first, next, back, erased]: [To; 4],
    value: fn(&SeatRow) -> Box<dyn Bind + '_>,
    read: fn(&mut SeatRow, &Row) -> Result<()>,
) -> Column {
    Column { name, value, read, first, next, back, erased }
}

fn set<T>(field: &mut T, read: Result<T>) -> Result<()> {
    *field = read?;
    Ok(())
}

/// A seat as a statement that selects all its columns gives it.
pub(super) fn seat(row: &Row) -> Result<SeatRow> {
    let mut seat = SeatRow::empty(&row.get::<_, String>("game")?, Seat(row.get("seat")?), "");
    COLUMNS.iter().try_for_each(|column| (column.read)(&mut seat, row))?;
    Ok(seat)
}

/// The columns that a statement sets, each with its value in SQL; `$1` and `$2` are the key.
fn terms(to: fn(&Column) -> To) -> Vec<(&'static str, String)> {
    let mut number = 2;
    let term = |column: &Column| match to(column) {
        To::Row => {
            number += 1;
            Some((column.name, format!("${number}")))
        }
        To::Sql(sql) => Some((column.name, sql.to_owned())),
        To::Same => None,
    };
    COLUMNS.iter().filter_map(term).collect()
}

/// Runs a statement that sets columns to the values of a row.
fn exec(tx: &Db, sql: &str, row: &SeatRow, to: fn(&Column) -> To) -> Result<usize> {
    let of_row = COLUMNS.iter().filter(|column| to(column) == To::Row);
    let values: Vec<Box<dyn Bind + '_>> = of_row.map(|column| (column.value)(row)).collect();
    let key = [&row.game as &dyn Bind, &row.seat.0];
    let all: Vec<&dyn Bind> = key.into_iter().chain(values.iter().map(AsRef::as_ref)).collect();
    tx.exec(sql, &all)
}

/// Gives a seat to a player or a computer, if it is free, a computer's or left.
pub(super) fn take(tx: &Db, row: &SeatRow) -> Result<()> {
    let (names, values): (Vec<_>, Vec<_>) = terms(|column| column.first).into_iter().unzip();
    let next = COLUMNS.iter().filter_map(|column| match column.next {
        To::Row => Some(format!("{0} = excluded.{0}", column.name)),
        To::Sql(sql) => Some(format!("{} = {sql}", column.name)),
        To::Same => None,
    });
    let sql = format!(
        "INSERT INTO seat (game, seat, {}) VALUES ($1, $2, {})
         ON CONFLICT (game, seat) DO UPDATE SET {}
         WHERE seat.computer = 1 OR seat.resigned = 1",
        names.join(", "),
        values.join(", "),
        next.collect::<Vec<_>>().join(", ")
    );
    let changed = exec(tx, &sql, row, |column| column.first)?;
    if changed == 0 { Err(StoreError::Taken) } else { Ok(()) }
}

/// Choices that a player has changed. Only these are written, so that other changes made meanwhile
/// stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen(Vec<(String, serde_json::Value)>);

impl Chosen {
    /// The differences between two sets of choices.
    fn between(before: &Choices, after: &Choices) -> Self {
        let fields = |choices: &Choices| match serde_json::to_value(choices) {
            Ok(serde_json::Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let before = fields(before);
        let new = fields(after).into_iter().filter(|(name, value)| before.get(name) != Some(value));
        Self(new.collect())
    }

    /// The choices in a column, changed by these.
    fn over(&self, column: &str) -> Result<String> {
        let mut all: serde_json::Map<String, serde_json::Value> = json(column)?;
        all.extend(self.0.iter().cloned());
        Ok(to_json(&all))
    }
}

/// One change of a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeatChange {
    /// The language of messages.
    Language(String),
    /// The name that the seat goes by in the game.
    Name(String),
    /// The name of the player's time zone.
    Zone(String),
    /// Some of what a player has chosen.
    Choices(Chosen),
    /// How others may reach the player.
    Contact(Contact),
    /// The digest of the new password.
    Password(String),
    /// The new mail address of the player.
    Address(String),
    /// The player's vacation, from and until; `None`: the player is back.
    Away(Option<(Timestamp, Timestamp)>),
    /// The turn that the player is ready for; 0: none.
    Ready(Turn),
    /// The player leaves the seat.
    Resigned,
    /// All secrets of the seat so far end.
    Secrets,
}

impl SeatChange {
    /// Changes some choices, starting from those that the seat has.
    pub fn choices(seat: &SeatRow, choose: impl FnOnce(&mut Choices)) -> Self {
        let mut chosen = seat.choices;
        choose(&mut chosen);
        Self::Choices(Chosen::between(&seat.choices, &chosen))
    }
}

/// Writes a change of a seat.
pub(super) fn change(tx: &Db, game: &str, seat: Seat, what: &SeatChange) -> Result<()> {
    let set = |column: &str, value: &dyn Bind| -> Result<()> {
        let sql = format!("UPDATE seat SET {column} = $3 WHERE game = $1 AND seat = $2");
        tx.exec(&sql, params![game, seat.0, value])?;
        Ok(())
    };
    match what {
        SeatChange::Language(v) => set("language", v),
        SeatChange::Name(v) => set("name", v),
        SeatChange::Zone(v) => set("zone", v),
        SeatChange::Contact(v) => set("contact", &v.as_str()),
        SeatChange::Password(v) => set("password_digest", v),
        SeatChange::Address(v) => {
            set("unreachable", &false)?;
            set("address", v)?;
            set("canon", &canonical(v))?;
            raise_epoch(tx, game, seat)
        }
        SeatChange::Secrets => raise_epoch(tx, game, seat),
        SeatChange::Away(span) => {
            set("away_from", &span.map(|s| ms(s.0)))?;
            set("away_until", &span.map(|s| ms(s.1)))
        }
        SeatChange::Ready(turn) => set("ready", turn),
        SeatChange::Choices(chosen) => {
            // Locks the choices until the commit.
            tx.exec(
                "UPDATE seat SET choices = choices WHERE game = $1 AND seat = $2",
                params![game, seat.0],
            )?;
            let sql = "SELECT choices FROM seat WHERE game = $1 AND seat = $2";
            let now: Option<String> = tx.first(sql, params![game, seat.0], |r| r.get(0))?;
            set("choices", &chosen.over(&now.unwrap_or_default())?)
        }
        SeatChange::Resigned => set("resigned", &true),
    }
}

/// Takes the player out of all seats of an address.
pub(super) fn erase(tx: &Db, canon: &str) -> Result<()> {
    let set = COLUMNS.iter().filter_map(|column| match column.erased {
        To::Sql(sql) => Some(format!("{} = {sql}", column.name)),
        To::Row | To::Same => None,
    });
    let sql = format!("UPDATE seat SET {} WHERE canon = $1", set.collect::<Vec<_>>().join(", "));
    tx.exec(&sql, params![canon])?;
    Ok(())
}

/// Ends all secrets of a seat so far.
fn raise_epoch(tx: &Db, game: &str, seat: Seat) -> Result<()> {
    let sql = "UPDATE seat SET epoch = epoch + 1,
               epoch_mail = (SELECT coalesce(max(id), 0) FROM outbox)
               WHERE game = $1 AND seat = $2";
    tx.exec(sql, params![game, seat.0])?;
    Ok(())
}

impl Tx<'_> {
    /// Gives a seat to a player, or to a computer; a player may follow a computer.
    ///
    /// # Errors
    /// [`StoreError`]; the store refuses a seat that has a player.
    pub fn add_seat(&self, row: &SeatRow) -> Result<()> {
        take(&self.db, row)
    }

    /// Changes a seat.
    pub fn change_seat(&self, code: &str, number: Seat, what: &SeatChange) -> Result<()> {
        change(&self.db, code, number, what)
    }

    /// Restores a seat as it was before another address got it; both players know the secrets up to
    /// the open turn.
    pub fn restore_seat(&self, row: &SeatRow) -> Result<()> {
        let back = terms(|column| column.back).into_iter();
        let back: Vec<String> = back.map(|(name, to)| format!("{name} = {to}")).collect();
        let sql = format!("UPDATE seat SET {} WHERE game = $1 AND seat = $2", back.join(", "));
        exec(&self.db, &sql, row, |column| column.back)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use base::clock::FixedEntropy;
    use base::schedule::Rule;
    use base::terms::{Format, Terms};
    use engine::Setup;

    use super::*;
    use crate::{Game, Status, Step, Store};

    #[test]
    fn a_seat_that_an_act_of_an_older_program_holds_is_read() {
        let seat = SeatRow { name: "Anna".to_owned(), ..SeatRow::empty("W7", Seat(3), "UTC") };
        let kept = serde_json::to_value(&seat).expect("a seat");
        let fields = kept.as_object().expect("fields").clone();
        assert!(fields.len() > 15 && fields.contains_key("reminders"), "{fields:?}");
        for name in fields.keys() {
            let mut older = fields.clone();
            older.remove(name);
            let read: SeatRow = serde_json::from_value(older.into()).expect("it is read");
            assert!(name == "name" || read.name == "Anna", "without {name}: {read:?}");
            assert!(read.choices.reminders, "without {name}: {read:?}");
        }
    }

    /// A store with one game, W7.
    fn with_game(work: impl FnOnce(&mut Store)) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(folder.path(), &FixedEntropy::new(1)).expect("a store");
        let (every, zone) = ("7 days".to_owned(), "UTC".to_owned());
        let game = Game {
            code: "W7".to_owned(),
            engine: "warlord".to_owned(),
            rules_version: 1,
            setup: Setup::default(),
            status: Status::Open,
            suspended_why: String::new(),
            rule: Rule { every, at: None, zone, holidays: Vec::new() },
            turn: 0,
            step: Step::none(),
            deadline: None,
            seed: 1,
            chains: Vec::new(),
            fee: 0,
            takeover: 0,
            terms: Terms::default(),
            revision: 0,
        };
        store.write(|tx| tx.add_game(&game, Timestamp::UNIX_EPOCH)).expect("a game");
        work(&mut store);
    }

    /// A seat in which every value of a player is unusual.
    fn lived_in() -> SeatRow {
        let at = |second| Timestamp::from_second(second).expect("a time");
        SeatRow {
            name: "Anna".to_owned(),
            address: "Anna@players.example".to_owned(),
            password_digest: "digest".to_owned(),
            contact: Contact::Relay,
            any_address: true,
            missed: 2,
            language: "de".to_owned(),
            away: Some((at(1_000), at(2_000))),
            choices: Choices {
                format: Format { html: !Format::default().html, ..Format::default() },
                reminders: false,
            },
            resigned: true,
            unreachable: true,
            ..SeatRow::empty("W7", Seat(3), "Europe/Berlin")
        }
    }

    #[test]
    fn every_column_of_the_table_is_a_row_here() {
        with_game(|store| {
            let sql = "SELECT name FROM pragma_table_info('seat')";
            let all: BTreeSet<String> =
                store.database().all(sql, &[], |r| r.get::<_, String>(0)).expect("columns");
            let known = COLUMNS.iter().map(|c| c.name).chain(["game", "seat"]);
            assert_eq!(known.map(str::to_owned).collect::<BTreeSet<_>>(), all);
        });
    }

    #[test]
    fn what_is_given_back_is_all_that_there_was() {
        with_game(|store| {
            let before = lived_in();
            let other = SeatRow { name: "Ben".to_owned(), ..SeatRow::empty("W7", Seat(3), "UTC") };
            store.write(|tx| tx.add_seat(&other)).expect("a free seat");
            store.write(|tx| tx.restore_seat(&before)).expect("given back");
            assert_eq!(store.games().seat("W7", Seat(3)).expect("reads"), Some(before));
        });
    }

    #[test]
    fn a_new_player_has_nothing_of_the_one_before() {
        with_game(|store| {
            let new = SeatRow {
                name: "Ben".to_owned(),
                address: "ben@players.example".to_owned(),
                ..SeatRow::empty("W7", Seat(3), "UTC")
            };
            store.write(|tx| tx.add_seat(&new)).expect("a free seat");
            let taken = store.write(|tx| tx.add_seat(&lived_in()));
            assert!(matches!(taken, Err(StoreError::Taken)), "it has a player: {taken:?}");
            store.write(|tx| tx.restore_seat(&lived_in())).expect("somebody who left");
            store.write(|tx| tx.add_seat(&new)).expect("a seat that was left");
            let found = store.games().seat("W7", Seat(3)).expect("reads").expect("a seat");
            assert_eq!(found, SeatRow { epoch: 1, ..new });
        });
    }

    #[test]
    fn of_two_choices_made_at_once_neither_is_lost() {
        with_game(|store| {
            let new = SeatRow { name: "Ben".to_owned(), ..SeatRow::empty("W7", Seat(3), "UTC") };
            store.write(|tx| tx.add_seat(&new)).expect("a free seat");
            // Both changes start from the same old seat.
            let before = Choices::default();
            let quiet = Choices { reminders: false, ..before };
            let paper = Format { pdf: true, ..Format::default() };
            let printed = Choices { format: paper, ..before };
            for after in [quiet, printed] {
                let change = SeatChange::Choices(Chosen::between(&before, &after));
                store.write(|tx| tx.change_seat("W7", Seat(3), &change)).expect("chosen");
            }
            let found = store.games().seat("W7", Seat(3)).expect("reads").expect("a seat");
            assert_eq!(found.choices, Choices { format: paper, reminders: false });
        });
    }

    #[test]
    fn of_who_is_erased_nothing_is_left_that_they_said_or_chose() {
        with_game(|store| {
            store.write(|tx| tx.add_seat(&SeatRow::empty("W7", Seat(3), "UTC"))).expect("a seat");
            store.write(|tx| tx.restore_seat(&lived_in())).expect("somebody's");
            store.write(|tx| erase(&tx.db, "anna@players.example")).expect("erased");
            let found = store.games().seat("W7", Seat(3)).expect("reads").expect("a seat");
            let left =
                SeatRow { resigned: true, missed: 2, ..SeatRow::empty("W7", Seat(3), "UTC") };
            assert_eq!(found, left);
        });
    }
}
