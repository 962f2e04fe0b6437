//! Write an engine.
//!
//! An engine is one game: its rules, its printout, its help, its computer player. This chapter says
//! how to write one. The example is Hex, in `src/engines/hex`: a board, two players who move in
//! turn, nothing hidden on the board. Have it open beside this text.
//!
//! # A new game in six steps
//!
//! 1. **The folder.** Make `src/engines/NAME` with `Cargo.toml`, `lib.rs` and the files you need.
//!    Copy Hex's `Cargo.toml` and change the package name (`fieldpost-NAME`), the name of the
//!    library and of the test, and the path of the test. Keep only the `[dev-dependencies]` that
//!    your tests use: `fieldpost-render` for the map as text, the others if you need them. The
//!    workspace finds the folder by itself. Begin every file with a line `//! What it is.` No two
//!    files may use each other, except that all files may use `lib.rs`, which names all of them.
//!    Name the files as Hex does, because texts in `options.rs`, `tables.rs`, `rulebook.rs`,
//!    `audit.rs` and `computer` are not translated.
//! 2. **Types.** Write the types for the saved data ([`Rules::State`]), the knowledge of one seat
//!    ([`Rules::View`]) and the events of a step ([`Rules::Event`]).
//! 3. **Orders.** Write one table of orders. A row ([`OrderRow`](crate::orders::OrderRow)) has the
//!    word of the order, its form, an explanation, examples, a test for lines that begin such an
//!    order, and a function that reads it. The reader, the help, the errors and the hints of the
//!    blank card are made from this table.
//! 4. **Rules.** Implement [`Rules`] for an empty struct, and each of the [parts](crate::parts) in
//!    the file that has its code. Functions with a default can wait until the game is registered. A
//!    part without code of its own is an empty `impl`. The crate has the engine as a static, so
//!    that all its code is compiled with this crate:
//!
//!    ```text
//!    pub static ENGINE: &dyn Engine = &EngineOf::<Hex>::new();
//!    ```
//! 5. **Tests.** Put them into `tests/rules/NAME/main.rs`, and name that file in the engine's
//!    `Cargo.toml` under `[[test]]`. See [below](#tests-to-write).
//! 6. **Two lines.** One in `src/registry/Cargo.toml`, one in `src/registry/lib.rs`:
//!
//!    ```toml
//!    fieldpost-hex = { path = "../engines/hex" }
//!    ```
//!    ```text
//!    hex::ENGINE,
//!    ```
//!
//! Then `cargo run -- sim --engine NAME --seats 2` plays whole games of computers and checks each
//! step, and `fieldpost game new W7 --engine NAME --seats 2` makes a game of it. `Cargo.lock`
//! changes by itself; commit this change too. (Hex has no such lines, because it is an example and
//! not a product. Its tests use it directly.)
//!
//! # When it is registered
//!
//! When a game is registered, tests of the host require more of it:
//!
//! * **Lessons** ([`Rules::practice`]): `config/NAME/lessons.toml` with three lessons, read by
//!   [`Practice::new`](crate::Practice::new).
//! * **Words** ([`Words::wording`]): at least one form. Its name followed by a value must be read
//!   as the order, as in `Play stone C4`. Add the name to `TERMS` of `src/render/desk/words.rs`,
//!   too; a test compares them.
//! * **Options**: at least `computers` ([`OptionRow::computers`](crate::OptionRow::computers)),
//!   read by [`Chosen::strengths`](crate::options::Chosen::strengths).
//! * **A map** in the first printout of seat 1: the printed rulebook uses it to show the game.
//! * **Every language**:
//!   `UPDATE_EXPECT=1 cargo test -p fieldpost-tongue --test sentences` adds the new sentences to
//!   `config/languages` with empty texts; the test fails until somebody has translated them.
//! * **Places that list games**: the help of `src/cli/play.rs` and `src/cli/demo.rs` (with
//!   `tests/ops/cli/help.txt` and `deploy/MANUAL.md`, which `UPDATE_EXPECT=1 cargo test --test ops`
//!   writes), the table of `README.md`, `src/lib.rs`, and `GAMES` of
//!   `tests/printouts/headlines.rs`, which plays whole games and checks their headlines.
//!
//! Then run `cargo test -p fieldpost-robot`, `cargo test --test ops` and
//! `cargo test --test printouts`; each plays every registered game.
//!
//! The game master makes the setup. [`Rules::new_game`] returns a sentence for each wrong option,
//! all of them at once. Describe the options as rows ([`Rules::OPTIONS`]) and read them with
//! [`Chosen`](crate::options::Chosen), which collects these sentences. An option that has an effect
//! only together with another says so in its row ([`OptionRow::only`](crate::OptionRow::only)); the
//! host refuses it where it has no effect, and it refuses unknown names. `fieldpost options`, the
//! dashboard's form, the manual and the rulebook's last chapter show the rows. Seats are numbered
//! from 1.
//!
//! An engine may use the crates that engines already use: `fieldpost-engine` and a few for plain
//! data (the list is `ENGINE_CRATES` in `tests/architecture/crates.rs`). It never uses another
//! engine.
//!
//! # The smallest engine
//!
//! These have no default: `ID`, `TITLE`, `RULES_VERSION`, [`Rules::seats`], [`Rules::data`],
//! [`Rules::new_game`], [`Rules::view`], [`Cards::starts_order`], [`Cards::judge`],
//! [`Rules::step`], [`Printouts::report`], [`Rules::wait`], [`Rules::result`], [`Cards::help`]. For
//! a computer player add [`Computers::play`]; without it `fieldpost sim` plays nothing but missed
//! turns. For a game in which players alternate add [`Printouts::notice`] and [`Printouts::brief`],
//! or everybody gets a full printout after every move. Further functions are useful:
//!
//! * [`Headlines::headline`] begins a printout with the most important sentences.
//! * [`Books::primer`] explains in the first printout how to begin.
//! * [`Words::wording`] and [`Words::names`] let players say orders in words, and choose them on
//!   the order desk. ([`Names::stands`](crate::Names::stands) says on which place something is that
//!   can get an order, [`Names::squares`](crate::Names::squares) how a square of the map is
//!   written.)
//! * [`Words::sentences`] are rows of verbs with roles, with which players say orders as sentences;
//!   [`frame`](crate::wording::frame) is one row. Each game but the smallest has some.
//! * [`Rules::practice`] is the game in which a newcomer practises, with its lessons.
//!
//! # What is called when, and for whom
//!
//! | function | when | for whom |
//! |---|---|---|
//! | [`Rules::seats`], [`Rules::data`] | when a game is made | the game master |
//! | [`Rules::new_game`] | when a game is made, to check its options; when it starts, to make its world | nobody; faults go to the game master |
//! | [`Rules::wait`] | after each step | the host, which learns whose cards it waits for, and until when |
//! | [`Rules::view`] | before anything that a seat sees, does or receives | one seat |
//! | [`Printouts::notice`] | after each step | one seat: full printout, short mail or nothing |
//! | [`Printouts::report`] | for a full printout, a blank card, a repeat | one seat |
//! | [`Printouts::brief`] | for a short mail | one seat |
//! | [`Headlines::headline`] | for a full printout, its subject, WHAT, the war diary at the end | one seat |
//! | [`Books::primer`] | at the head of the first printout, and for HELP FIRST TURN | one seat |
//! | [`Answers::answer`] | for LOOK, DISTANCE, ODDS and WHO | one seat |
//! | [`Words::wording`], [`Words::names`] | for lines of a card that are not orders in the usual form, for places in questions, for `turn.json` and the order desk | the seat of the card |
//! | [`Rules::practice`] | for PRACTICE and `fieldpost play`, their printouts, the picture of a rulebook | nobody |
//! | [`Headlines::chronicle`] | for the public war diary, when the game is over | anybody |
//! | [`Cards::starts_order`] | for lines of a mail, before it is known whether they are orders | whoever wrote the mail |
//! | [`Cards::judge`] | for each card, and for the card on file at STATUS; with `ahead` above 0 for a card that is sent in advance | the seat of the card |
//! | [`Cards::sketch`] | with the echo of a card, if its player gets pictures | the seat of the card |
//! | [`Computers::play`] | just before a step runs, for awaited seats of computers and of players who are absent too long | only that seat |
//! | [`Rules::step`] | once a step; again in a replay | all |
//! | [`Rules::result`] | after each step; `Some` ends the game; a draw is two seats of rank 1 | all |
//! | [`Cards::help`] | HELP by mail, and the web pages; without a state before the game starts | anybody |
//! | [`Books::rulebook`] | RULES by mail, and the web pages | anybody |
//! | [`Cards::press`], [`Printouts::languages`] | for cards with letters, for LANG and HELP | anybody |
//! | [`Audits::charts`] | when the game is over, and for the game master | those who may see everything |
//! | [`Maps::atlas`] | `fieldpost atlas`, the dashboard | the game master |
//! | [`Audits::audit`], [`Audits::tally`] | trials and tests | you |
//!
//! All these functions are pure: the same arguments give the same answer, on every machine and in
//! every year. A replay runs each step again, and the hash of state, events and rolls must come out
//! the same. The host may also run a step, throw it away and run it again later.
//!
//! # Steps, and the seats that they wait for
//!
//! One call of [`Rules::step`] is a *step*. For the open step, [`Rules::wait`] says whose cards it
//! waits for, what ends the wait, and the label of the step for players. The label must fit within
//! a sentence: `turn 14, Red to move`. Besides the label there are the turns that it names, by the
//! game's own count ([`Turns`](crate::Turns)); subjects of mails contain them, and players refer to
//! them. A game whose turns have several steps, or whose steps play several turns, sets
//! `STEP_IS_TURN` to false.
//!
//! A game in which all move together waits for everybody by the calendar
//! ([`Wait::turn`](crate::Wait::turn)). A game in which players move in turn, such as Hex, waits
//! for one seat by the game's own clock. Three things end a wait ([`Until`](crate::Until)):
//!
//! * [`Until::Calendar`](crate::Until::Calendar): the game master's calendar.
//! * [`Until::Clock`](crate::Until::Clock): a clock of the game, which begins when the step opens.
//!   Give it a name, and an option `NAME_hours` ([`OptionRow::hours`](crate::OptionRow::hours))
//!   from which its hours are read. Hex has `turn_hours`. Hours of the night, by the
//!   game's term `quiet` (such as `22-7`), do not count; the host sees to that.
//! * [`Until::Now`](crate::Until::Now): the step follows at once, without any card. An example is a
//!   step that only rolls the dice after a challenge. Do not return it for ever: each step must
//!   come nearer to one that waits, or to the end.
//!
//! A step also runs early, when each awaited seat says that it is done. A card says so by itself if
//! [`Judgement::ready`](crate::Judgement) is set: Hex sets it for a card with a possible move, and
//! only when it is that seat's turn. A game that sets it for every card without errors also sets
//! `AT_ONCE`, and printouts then warn players before they send a card. READY says the same for a
//! seat without orders, which then plays an empty card. A card that was sent in advance is judged
//! again when its step opens, and that judgement counts. A step that waits for nobody, but has a
//! clock or the calendar, is a pause: it runs when that ends.
//!
//! The step runs with the cards on file of *all* seats, not only of the awaited ones. Ignore lines
//! that are not due, or carry them over (see [below](#carried-lines)). Ignored lines are gone when
//! the step has run, so the judgement should say that they come too early. An awaited seat may have
//! no card, because its clock ran out. Decide what that means and say so in the rulebook. In Hex
//! such a turn passes, and the second one in a row loses the game. A turn that the rules skip, for
//! example because a player can't move, is part of the step that leads to it: note it in the state,
//! so that printouts report it, and wait for the next player who can move. When the game is over,
//! [`Rules::wait`] names no seats, and [`Rules::step`] must still do no harm.
//!
//! # Who plays a seat
//!
//! [`Input::sits`](crate::Input::sits) says for each seat whether a person plays it, a computer, or
//! nobody ([`Sits`](crate::Sits)). The host gives this only in the step. `RESIGN` is a command of
//! the host, so do not write an order for it: the seat becomes [`Sits::Left`](crate::Sits::Left).
//! Nobody waits for such a seat. If a step waits for it only, one with the game's own clock
//! runs at once; a step of the calendar keeps its date. In Hex a seat that was left has lost; in a
//! game of many its forces may stay where they are. A seat that was never taken is
//! [`Sits::Left`](crate::Sits::Left) too, from the first step on.
//!
//! A player who sent nothing is still a player. If your rules speak of missed turns, do not count
//! cards: [`Input::missed`](crate::Input::missed) gives the host's count, which considers turns
//! that were run by hand, vacations and READY.
//! [`Rules::given_up_after`](crate::Rules::given_up_after) says after how many missed turns a seat
//! counts as given up; when all players are silent, the host pauses the game before that.
//!
//! # Notices
//!
//! After a step each seat gets a full printout, a short mail or nothing
//! ([`Notice`](crate::Notice)). The host adds the names, and for awaited seats the deadline and the
//! calendar file. So a printout itself never mentions a deadline. In a game in which players move
//! in turn, the next player gets [`Notice::Full`](crate::Notice::Full) and the other
//! [`Notice::Brief`](crate::Notice::Brief); at the end both get the full printout.
//! Only a full printout costs its player a fee. Make [`Printouts::brief`] a few lines: what
//! happened, who is to move. Each step sends mails, even one that follows at once, so return
//! [`Notice::None`](crate::Notice::None) for a step without news.
//!
//! # Cards, lines and errors
//!
//! A card consists of numbered lines ([`CardText`](crate::CardText)).
//! [`syntax::words`](crate::syntax::words) splits a line and tolerates commas, brackets, item
//! numbers and comments. [`Cards::judge`] returns at least one [`JudgedLine`](crate::JudgedLine)
//! for each line, with the number of that line:
//!
//! * [`Mark::Ok`](crate::Mark::Ok): will be done as written; the note may explain the meaning.
//! * [`Mark::Warning`](crate::Mark::Warning): will be done with a difference, or is not needed.
//! * [`Mark::Remark`](crate::Mark::Remark): not an order, for example a comment.
//! * [`Mark::Error`](crate::Mark::Error): will not be done. Say what is wrong *and* what the
//!   right form is, with an example: `the form is PLAY place, such as PLAY C4`.
//!
//! [`Told`](crate::Told) makes marks with notes. Judge with the same reader that the step uses, or
//! the two will drift apart. A step must never rely on the judgement: it gets every line as it was
//! mailed. The judgement sees only the view, so it can't reveal secrets. With `ahead` above 0 a
//! card is for a later step; judge its form, and ignore whatever depends on the present position.
//!
//! [`Cards::starts_order`] also gets lines of ordinary letters. `C4` and `PLAY C4` are orders,
//! `Play well!` and `If you like` are not. A wrong order (`PLAY Z99`) still begins like an order:
//! its sender wants to know what is wrong with it. Words of the host, such as `STATUS`, `READY` or
//! `HELP`, are taken before an engine is asked: `ROWS` of `src/robot/commands/mod.rs` has them all,
//! and `GAME`, `SEAT`, `TURN` and `PASSWORD` head a card. Do not use them for orders. Be careful
//! with orders of one letter: a signature or a `P.S.` is not an order, so check the words that must
//! follow.
//!
//! # Carried lines
//!
//! An order that stays in force over many steps, such as a stance, belongs to the state. A *line*
//! that waits for its moment can go on file again: return it in
//! [`Stepped::carried`](crate::Stepped). In the next step it is the card of that seat, even when
//! nothing was mailed. A newer card replaces it. Hex does so with `IF C4 D5`, an answer that is
//! prepared for a stone of the other player. Carried lines are as secret as cards: they are not in
//! the state, so no view can show them. Carry the order as a player would type it, because it is
//! read again. Carry nothing that can never be done, and nothing when the game is over. A carried
//! line does not count as sent: whoever mails nothing has missed the turn.
//!
//! # Seals
//!
//! Sometimes a player must be committed to something before it is shown, such as a number in a
//! duel. Name it in [`Judgement::seals`](crate::Judgement): a [`Seal`](crate::Seal) has a key and a
//! text. The host files it with a random nonce, and sends its digest to the sender of the card. Put
//! [`Span::Seal`](crate::report::Span::Seal) into the printouts of the others: it shows them the
//! digest before the text is opened. List the key in [`Stepped::opened`](crate::Stepped) in any
//! later step, and all printouts show text and nonce. All seals that are left are opened when the
//! game is over. Use different keys in different steps, such as `guard-7`: a newer seal of the same
//! key takes the name over. A card in advance is for a later step, so use `ahead` to compute the
//! key. Cards of computer players are judged and sealed like those of people. If the engine needs
//! the text later, it keeps the text in its state. Hex has no seals, but the game in
//! `tests/support/toy.rs` does.
//!
//! # Dice and places
//!
//! Roll only with the [`Dice`](crate::Dice) that you get. Each roll has a purpose and a place:
//! `dice.at([sector, seat]).below("duel", 6)`. A roll follows from the seed, the purpose and the
//! place. So a player who knows one roll knows nothing about the others. Name the place before each
//! group of rolls ([`Dice::at`](crate::Dice::at)), in numbers of the game; a place stays until
//! another is named. Do not change the order, the purposes or the places of rolls within a version
//! of the rules. A game that rolls nothing sets `DICE` to `false`, and seeds are never mentioned to
//! its players. [`Computers::play`] gets other dice than the step, and a computer may roll them
//! even in a game without dice.
//!
//! # Computer players
//!
//! [`Computers::play`] gets a view, the notes of last time and dice, and returns a card and new
//! notes. It sees only what a person would see, and writes only lines that a person could mail.
//! Notes are text of at most [`NOTES_MAX`](crate::NOTES_MAX) bytes; longer ones are dropped. They
//! may be empty, old or from another writer, because the computer also plays for absent people; so
//! do not trust them. Test that all its cards pass the judgement. Be quick: a host plays many
//! games. Use [`graph`](crate::graph) for ways and distances, and [`geometry`](crate::geometry) for
//! squares and hexagons.
//!
//! # The headline
//!
//! A printout begins with three to seven sentences ([`Headlines::headline`]). The deadline follows,
//! then what needs orders, the first section with a map, and all the rest. Put the events into a
//! [`Draft`](crate::headline::Draft) as sentences with their [`Weight`](crate::headline::Weight):
//! what the reader lost comes first, then the reader's destroyed forces, gains, battles won,
//! players met, the fate of others, progress. A sentence has actor, verb, object, place with name
//! and code, and number. Join similar sentences ([`some`](crate::headline::some)):
//! `You lost Ambry, Bell and 2 more cities to player 21.` Do not mention dice. Begin with a word in
//! upper case that is not an order, never with [`Span::Player`](crate::report::Span::Player), which
//! may be `seat 3`. On the first turn say who the reader is, where they begin, and what comes
//! first. The part that needs orders has at most three lines: units without orders, cities that
//! build nothing, money, an answer that is awaited. It is empty when nothing needs orders.
//!
//! [`Headlines::chronicle`] reports a step in the same sentences in the third person, from state
//! and events. It is read when the game is over, so it may reveal everything. War diaries are made
//! from the journal by these two functions: nothing is stored for them. Where a turn takes several
//! steps, report it in the step that ends it, and set [`Headline::told`](crate::Headline) to 0 in
//! the others.
//!
//! # The printout and its maps
//!
//! A [`Report`](crate::Report) has sections of blocks: paragraphs, lists, tables, maps, quotes and
//! the blank card ([`Block`](crate::Block)). It has no layout; text, HTML, PDF, JSON and pictures
//! are made from it. It must be complete as plain text. Use
//! [`Span::Chosen`](crate::report::Span::Chosen) for words that a player chose,
//! [`Span::Player`](crate::report::Span::Player) for names of players, and
//! [`Span::Address`](crate::report::Span::Address) for addresses; the host fills in names and
//! addresses as far as players consent. Put hints on how to order only into
//! [`Block::Card`](crate::Block::Card): no other printed line may look like an order.
//!
//! A [`MapPicture`](crate::MapPicture) is data as well:
//!
//! * **Kind.** [`Grid`](crate::report::MapKind::Grid) for squares or hexagons in rows,
//!   [`Regions`](crate::report::MapKind::Regions) for outlines,
//!   [`Graph`](crate::report::MapKind::Graph) for boxes with links. A board is a grid in the style
//!   [`Board`](crate::report::GridStyle::Board); without `hexes` its places are squares. `columns`
//!   and `rows` are the labels of its rim: in the text map the labels of columns are above it,
//!   those of rows on both sides. Hex's rhombus lies in such a grid with a rim of labels (`Frame`
//!   in `src/engines/hex/report.rs`).
//! * **Terrain.** Rows of a table; a cell has the number of its row. Set `in_legend: false` for the
//!   usual ground.
//! * **Symbols and pieces.** The kinds of things on the map, each with a shape, and the things
//!   themselves with their places. A piece has a holder and a side: the reader's own, an ally's or
//!   another player's.
//! * **Colours.** [`SeatColour`](crate::report::SeatColour) if seats have colours in the game.
//! * **Last move.** Marked places; maps of regions and graphs may also have arrows from place to
//!   place.
//! * **Text.** `square_width` characters for each place, from the cell's `text`, with a `legend` of
//!   signs. Regions have no text map; print a table instead.
//! * **Sketch of an echo.** [`Cards::sketch`] gives a small map of what a card orders, for example
//!   with arrows for the player's routes; that of Hex is the board with the stone.
//! * **Words.** The map in words, for those who can't see it: `pieces_in_words` and similar
//!   functions write most of them.
//!
//! Look at a picture of a late game yourself. In an empty folder, `fieldpost init` asks for what a
//! host needs (a Maildir will do). Then run `game new H1 --engine NAME --seats 2`,
//! `game start H1 --computers`, `turn run H1` until the game is old enough, and
//! `render H1 1 --format html,png --out FOLDER`.
//!
//! # Views keep secrets
//!
//! Give [`Rules::View`] no field for what the seat may not know; then no report, judgement or
//! computer can reveal it. Filter the events as well. In Hex the view is the whole state, because
//! the board is open and prepared answers are not part of it. Letters that players write to each
//! other in a card ([`press`](crate::press)) are allowed only if [`Cards::press`] says so; the
//! engine takes them out and adds them to the receivers' views.
//!
//! # Sentences
//!
//! Make sentences for players with `say!` and `count!` of the crate [`tongue`]: whole sentences
//! with named slots. Use [`tongue::word`] for names of units and other words of data files. A step
//! runs without a language. It leaves only data that a report puts into words later: a typed event,
//! or, for a sentence such as the reason why an order was not carried out, a [`tongue::Note`]:
//! `NotDone(line, say!("you have no fleet {fleet}").into())`, and `note.localized()` in the report.
//! Within a step a sentence is not a final text yet: do not cut parts out of it, search in it, or
//! give it a capital. A `String` with such a sentence in a state or an event would show its
//! internal marks. The label of a step ([`Wait::label`](crate::Wait)) is stored in English and
//! translated part by part. `tests/sentences` finds texts that were forgotten, and compares every
//! sentence with the files of `config/languages`; `UPDATE_EXPECT=1` writes new sentences into them.
//! The rulebook is a separate text, `rulebook.md` ([`book`](crate::book)), into which the game
//! fills its numbers. A translation lies beside it as `rulebook.de.md`, and names the text that it
//! translates.
//!
//! # Saved states
//!
//! State and events are saved as MessagePack with named fields. Games run for years, and
//! programs change in between:
//!
//! * A **new field** needs `#[serde(default)]`, so that old games can be loaded, and
//!   `skip_serializing_if` for that default, so that old steps keep their hash in a replay.
//!   [`Grid`](crate::geometry::Grid) does so.
//! * A field or a variant is **never renamed** and never changes its type. A new variant is fine.
//! * Use `BTreeMap` and `Vec`, which have an order. No `HashMap`, no floats.
//! * Keep one truth. Hex saves only the moves, and the board follows from them.
//!
//! # Versions of the rules
//!
//! Raise `RULES_VERSION` when the same input would give another outcome: another result of a
//! battle, another order of rolls. Other wording needs no new version, except for a sentence that a
//! step keeps: it is saved by its English text, so that text must stay, or the hash of old steps
//! changes. A game keeps the version that it began with. `RULES_VERSION_OLDEST` is the oldest
//! version that this program still plays *exactly as before*; games of older versions are
//! suspended, and the host informs the game master. A judgement does not know the version. So if
//! old games go on by old rules, write the difference into the state when a game is made
//! ([`Dice::rules`](crate::Dice::rules) gives the version then), as a field whose default is the
//! old way. `STREAM_DICE_UNTIL` is for games that began before dice had places; do not set it in a
//! new engine.
//!
//! # Tests to write
//!
//! * **Rules**, case by case, on small boards (`tests/rules/hex/rules.rs`).
//! * **Orders**: every error shows the right form; prose is never an order; each example of the
//!   help is an order.
//! * **The headline**: the reader's losses come first, similar sentences are joined, and there are
//!   three to seven of them on the first turn, a quiet turn and a wild one
//!   (`tests/rules/hex/headline.rs`).
//! * **The printout**: the text map, character by character; the view of a seat does not depend on
//!   the others' secrets.
//! * **A trial**: [`TrialOf`](crate::trial::TrialOf) plays whole games of computers; call
//!   [`Trial::audit`](crate::Trial::audit) after each step. It also replays the step. Hex plays
//!   fifty games.
//! * **An audit** ([`Audits::audit`]) of all invariants: sums are right, nobody moves twice, the
//!   winner has won. Count from the state again instead of calling the code that made it. Break
//!   each invariant in a test.
//! * **Property tests**: any cards, good and bad, over many steps, with seats that are left. The
//!   audit finds nothing, a second run gives the same result, carried lines are orders.
//! * **By mail**: `tests/robot/hex.rs` plays through the real host with a clock that the test sets.
//!   It needs a line in `src/robot/Cargo.toml`, so write such a test only if the host does not yet
//!   know the game's kind of steps.
//! * **A page of coverage**: a game with a written specification lists its paragraphs in
//!   `tests/rules/NAME/paragraphs.toml`, each with its tests. A row of `GAMES` in
//!   `tests/architecture/coverage.rs` keeps the page complete.
//!
//! Run `cargo fmt --all`, `cargo clippy -p fieldpost-NAME --all-targets`, `cargo test -p
//! fieldpost-NAME` and `cargo test --test architecture`. The smallest useful test is ten lines: a
//! [`TrialOf`](crate::trial::TrialOf), a loop of
//! [`write_cards`](crate::Trial::write_cards), [`step`](crate::Trial::step) and
//! [`audit`](crate::Trial::audit), and an end when there is a
//! [`result`](crate::Trial::result) (`tests/rules/hex/games.rs`).
//!
//! # What an engine must never do
//!
//! * Read a clock, a file, the environment, the network, a global that changes, or any randomness
//!   except its dice.
//! * Use floats, hash order, threads, or memory addresses.
//! * Mention an address, a mail, another engine, or the host.
//! * Panic. Cards are written by strangers: do not index, do not add without checks, do not trust a
//!   number. A panic suspends the whole game until the game master has looked.
//! * Loop without an obvious end, or take more than a moment.
//! * Print a line that could be read as an order, outside of the blank card.
//! * Decide anything in [`Rules::view`], [`Printouts::report`] or [`Cards::judge`]: these may be called
//!   any number of times, or not at all.
//!
//! [`Rules`]: crate::Rules
//! [`Rules::OPTIONS`]: crate::Rules::OPTIONS
//! [`Rules::State`]: crate::Rules::State
//! [`Rules::View`]: crate::Rules::View
//! [`Rules::Event`]: crate::Rules::Event
//! [`Rules::seats`]: crate::Rules::seats
//! [`Rules::data`]: crate::Rules::data
//! [`Rules::new_game`]: crate::Rules::new_game
//! [`Rules::view`]: crate::Rules::view
//! [`Cards::starts_order`]: crate::Cards::starts_order
//! [`Cards::judge`]: crate::Cards::judge
//! [`Rules::step`]: crate::Rules::step
//! [`Printouts::notice`]: crate::Printouts::notice
//! [`Printouts::brief`]: crate::Printouts::brief
//! [`Printouts::report`]: crate::Printouts::report
//! [`Printouts::languages`]: crate::Printouts::languages
//! [`Cards::press`]: crate::Cards::press
//! [`Rules::wait`]: crate::Rules::wait
//! [`Rules::result`]: crate::Rules::result
//! [`Cards::help`]: crate::Cards::help
//! [`Books::rulebook`]: crate::Books::rulebook
//! [`Computers::play`]: crate::Computers::play
//! [`Audits::audit`]: crate::Audits::audit
//! [`Audits::tally`]: crate::Audits::tally
//! [`Maps::atlas`]: crate::Maps::atlas
//! [`Cards::sketch`]: crate::Cards::sketch
//! [`Audits::charts`]: crate::Audits::charts
//! [`Headlines::headline`]: crate::Headlines::headline
//! [`Headlines::chronicle`]: crate::Headlines::chronicle
//! [`Rules::practice`]: crate::Rules::practice
//! [`Books::primer`]: crate::Books::primer
//! [`Answers::answer`]: crate::Answers::answer
//! [`Words::wording`]: crate::Words::wording
//! [`Words::names`]: crate::Words::names
//! [`Words::sentences`]: crate::Words::sentences
