//! Write an engine.
//!
//! An engine is one game: its rules, its printout, its help, its computer player. This chapter
//! says how to write one. The example is Hex, in `src/engines/hex`: a board, two players who
//! move one after the other, nothing hidden on the board. Have it open beside this text.
//!
//! # A new game in six steps
//!
//! 1. **The folder.** Make `src/engines/NAME` with `Cargo.toml`, `lib.rs` and the files you
//!    need. Copy Hex's `Cargo.toml` and change the package name (`fieldpost-NAME`), the name of
//!    the library and of the test, and the path of the test. Of the `[dev-dependencies]` keep
//!    what your tests use: `fieldpost-render` for the map as text, the others if you need them.
//!    The workspace finds the folder by itself. Begin every file with a line `//! What it is.`,
//!    and let no two files use each other; `lib.rs` alone, which names all others, is used by them.
//!    Call files as Hex does: what stands in `options.rs`, `tables.rs`, `rulebook.rs`, `audit.rs`
//!    and `computer` is not translated.
//! 2. **Types.** Write what is saved ([`Rules::State`]), what one seat may know
//!    ([`Rules::View`]) and what happened in a step ([`Rules::Event`]).
//! 3. **Orders.** Write one table of orders: a row ([`OrderRow`](crate::orders::OrderRow)) has
//!    word, form, explanation, examples, what such an order begins with, and what reads it. The
//!    reader, the help, the errors and the hints of the blank card come from it.
//! 4. **Rules.** Implement [`Rules`] for an empty struct, and each of the [parts](crate::parts)
//!    in the file that has its code. Functions with a default can wait until the game is
//!    registered, and a part that has nothing else is an empty `impl`. The crate gives the engine
//!    as a static, so that all its code is built with it:
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
//! Then `cargo run -- sim --engine NAME --seats 2` plays whole games of computers and checks
//! each step, and `fieldpost game new W7 --engine NAME --seats 2` makes games of it. `Cargo.lock`
//! changes by itself; it belongs to the change. (Hex has no such lines, for it is an example and no
//! product. Its tests use it directly.)
//!
//! # When it is registered
//!
//! Then tests of the host ask more of it than of a game that only runs:
//!
//! * **Lessons** ([`Rules::practice`]): `config/NAME/lessons.toml` with three of them, read by
//!   [`Practice::new`](crate::Practice::new).
//! * **Words** ([`Words::wording`]): one form at least, and its name with a value behind it is
//!   read as the order, such as `Play stone C4`. The name stands in `TERMS` of
//!   `src/render/desk/words.rs`, too; a test compares them.
//! * **Options**: `computers` ([`OptionRow::computers`](crate::OptionRow::computers)), read by
//!   [`Chosen::strengths`](crate::options::Chosen::strengths).
//! * **A map** in the first printout of seat 1: the rulebook on paper shows how a game looks.
//! * **Every language**: `UPDATE_EXPECT=1 cargo test -p fieldpost-tongue --test sentences` adds the
//!   new sentences to `config/languages` with empty texts, which the test refuses until somebody
//!   has translated them.
//! * **Places that list games**: the help of `src/cli/play.rs` and `src/cli/demo.rs` (with
//!   `tests/ops/cli/help.txt` and `deploy/MANUAL.md`, which `UPDATE_EXPECT=1 cargo test --test ops`
//!   writes), the table of `README.md`, `src/lib.rs`, and `GAMES` of
//!   `tests/printouts/headlines.rs`, which plays whole games and asks their headlines.
//!
//! Run `cargo test -p fieldpost-robot`, `cargo test --test ops` and `cargo test --test printouts`
//! then; each plays every registered game.
//!
//! A setup comes from the game master: [`Rules::new_game`] answers with a sentence for each
//! option that is wrong, and gives all of them at once. Say what they are as rows
//! ([`Rules::OPTIONS`]) and read them with [`Chosen`](crate::options::Chosen), which does that. An
//! option that goes with another says so in its row
//! ([`OptionRow::only`](crate::OptionRow::only)); the host refuses it where it has no effect, and
//! names that are none. `fieldpost options`, the dashboard's form, the manual and the rulebook's last chapter
//! show the rows. Seats are numbered from 1.
//!
//! An engine may use the crates that engines have already: `fieldpost-engine` and a few for
//! plain data (the list is `ENGINE_CRATES` in `tests/architecture/crates.rs`). It never uses
//! another engine.
//!
//! # The smallest engine
//!
//! These have no default: `ID`, `TITLE`, `RULES_VERSION`, [`Rules::seats`], [`Rules::data`],
//! [`Rules::new_game`], [`Rules::view`], [`Cards::starts_order`], [`Cards::judge`],
//! [`Rules::step`], [`Printouts::report`], [`Rules::wait`], [`Rules::result`], [`Cards::help`]. For a
//! computer player add [`Computers::play`]; without it `fieldpost sim` plays nothing but missed
//! turns. For two who alternate add [`Printouts::notice`] and [`Printouts::brief`], or everybody
//! gets a full printout after every move. With [`Headlines::headline`] a printout begins with what
//! matters; with [`Books::primer`] the first one says how to begin; with [`Words::wording`] and
//! [`Words::names`] orders may be said in words, and chosen on the order desk
//! ([`Names::stands`](crate::Names::stands) says where what can be ordered stands,
//! [`Names::squares`](crate::Names::squares) how a square of the map is written);
//! [`Rules::practice`] is the game in which a newcomer practises, with its lessons.
//!
//! # What is called when, and for whom
//!
//! | function | when | for whom |
//! |---|---|---|
//! | [`Rules::seats`], [`Rules::data`] | a game is made | the game master |
//! | [`Rules::new_game`] | when a game is made, to check its options; when it starts, to make its world | nobody; faults go to the game master |
//! | [`Rules::wait`] | after each step | the host: whom it awaits, until when |
//! | [`Rules::view`] | before anything that a seat sees, does or is told | one seat |
//! | [`Printouts::notice`] | after each step | one seat: full printout, short mail or nothing |
//! | [`Printouts::report`] | for a full printout, a blank card, a repeat | one seat |
//! | [`Printouts::brief`] | for a short mail | one seat |
//! | [`Headlines::headline`] | for a full printout, its subject, WHAT, the war diary at the end | one seat |
//! | [`Books::primer`] | at the head of the first printout, and for HELP FIRST TURN | one seat |
//! | [`Answers::answer`] | for LOOK, DISTANCE, ODDS and WHO | one seat |
//! | [`Words::wording`], [`Words::names`] | for lines of a card that are wrong as they stand, for places in questions, for `turn.json` and the order desk | the seat of the card |
//! | [`Rules::practice`] | for PRACTICE, `fieldpost play`, their printouts, the picture of a rulebook | nobody |
//! | [`Headlines::chronicle`] | for the public war diary, when the game is over | anybody |
//! | [`Cards::starts_order`] | for lines of a mail, before anybody knows whether they are orders | whoever wrote the mail |
//! | [`Cards::judge`] | for each card, and for what is on file when STATUS is asked; with `ahead` above 0 for a card that is sent in advance | the seat of the card |
//! | [`Cards::sketch`] | with the echo of a card, where its player has pictures | the seat of the card |
//! | [`Computers::play`] | just before a step runs, for awaited seats of computers and of players who are absent too long | the seat alone |
//! | [`Rules::step`] | once a step; again in a replay | all |
//! | [`Rules::result`] | after each step; `Some` ends the game; a draw is two seats of rank 1 | all |
//! | [`Cards::help`] | HELP by mail, and the pages; without a state before the game starts | anybody |
//! | [`Books::rulebook`] | RULES by mail, and the pages | anybody |
//! | [`Cards::press`], [`Printouts::languages`] | for cards with letters, for LANG and HELP | anybody |
//! | [`Audits::charts`] | when the game is over, and for the game master | who may see all |
//! | [`Maps::atlas`] | `fieldpost atlas`, the dashboard | the game master |
//! | [`Audits::audit`], [`Audits::tally`] | trials and tests | you |
//!
//! All of them are pure: the same arguments give the same answer, on every machine and in
//! every year. A step that was run is run again in a replay, and the hash of state, events and
//! rolls must come out the same. The host may also run a step, throw it away and run
//! it once more later.
//!
//! # Steps, and who is awaited
//!
//! One call of [`Rules::step`] is a *step*. [`Rules::wait`] says of the open step whose cards
//! hold it up, what ends the wait, and what players call it. The label stands within a
//! sentence: `turn 14, Red to move`. Beside it stand the turns that it speaks of, by the game's own
//! count ([`Turns`](crate::Turns)): subjects have them, and players name them. A game whose turns have several
//! steps, or whose steps play several turns, sets `STEP_IS_TURN` to false.
//!
//! A game in which all move together waits for everybody by the calendar
//! ([`Wait::turn`](crate::Wait::turn)). A game in which one moves after the other, such as Hex,
//! waits for one seat by a clock of its own. Three things end a wait
//! ([`Until`](crate::Until)):
//!
//! * [`Until::Calendar`](crate::Until::Calendar): the game master's calendar.
//! * [`Until::Clock`](crate::Until::Clock): a clock of the game, which begins when the step opens.
//!   Give it a name, and an option `NAME_hours` ([`OptionRow::hours`](crate::OptionRow::hours))
//!   from which its hours are read. Hex has `turn_hours`. Hours of the night, by the
//!   game's term `quiet` (such as `22-7`), do not count; the host sees to that.
//! * [`Until::Now`](crate::Until::Now): the step follows at once, without any card. Dice that fall
//!   after a challenge are such a step. Do not return it for ever: each step must come
//!   nearer to one that waits, or to the end.
//!
//! A step also runs early, when each awaited seat says that it is done. A card says so by
//! itself if [`Judgement::ready`](crate::Judgement) is set: Hex sets it for a card with
//! a move that can be played, and only when it is that seat's turn. A game in which every card
//! without errors does sets `AT_ONCE`, and printouts say so before a card is sent.
//! READY says the same for a seat without orders, which then plays an empty card.
//! A card that was sent in advance is judged again when its step opens, and that answer counts.
//! A step that awaits nobody, but has a clock or the calendar, is a pause: it runs when that ends.
//!
//! The step is run with the cards on file of *all* seats, not only of the awaited. Ignore what
//! is not due, or carry it over (see [below](#carried-lines)): a card that is neither is gone
//! when the step has run, so its judgement should say that it comes too early. A card may be
//! missing although its seat was awaited: the clock ran out. Decide what that means and say so
//! in the rulebook. In Hex the turn goes by, and the second time in a row loses. A turn that the
//! rules skip, as when a player can't move, is part of the step that leads to it: note it in the
//! state, so that printouts tell it, and await the next who can move. When the game is over,
//! [`Rules::wait`] names no seats, and [`Rules::step`] must still do no harm.
//!
//! # Who sits where
//!
//! [`Input::sits`](crate::Input::sits) says of each seat whether a person plays it, a computer,
//! or nobody ([`Sits`](crate::Sits)). The host tells you in the step and at no other time.
//! `RESIGN` is a command of the host, so do not write an order for it: the seat is
//! [`Sits::Left`](crate::Sits::Left) then. Nobody waits for a seat that was left, so if only
//! that seat is awaited, a step with a clock of its own runs at once; one of the calendar keeps
//! the calendar. In Hex it has lost; in a game of many its forces may stand still. A seat that was
//! never given is [`Sits::Left`](crate::Sits::Left) too, from the first step on.
//!
//! A player who sent nothing is a player still. If your rules speak of missed turns, do not count
//! cards: [`Input::missed`](crate::Input::missed) gives the host's count, which knows of turns that
//! were run by hand, of vacations and of READY. Say in
//! [`Rules::given_up_after`](crate::Rules::given_up_after) after how many a seat counts as given up:
//! when all players are silent, the host lets the game wait before that.
//!
//! # Notices
//!
//! After a step each seat gets a full printout, a short mail or nothing
//! ([`Notice`](crate::Notice)). The host adds the names, the deadline and the file for the
//! calendar, for seats that are awaited alone. So a printout never says until when something is
//! due. In a game of alternate moves the next to move gets
//! [`Notice::Full`](crate::Notice::Full) and the other [`Notice::Brief`](crate::Notice::Brief);
//! at the end both get the full one.
//! Only a full printout costs its player a fee. Make [`Printouts::brief`] a few lines: what
//! happened, who is to move. Each step has its mails, also one that follows at once, so
//! answer [`Notice::None`](crate::Notice::None) for steps that tell nobody anything.
//!
//! # Cards, lines and errors
//!
//! A card is numbered lines ([`CardText`](crate::CardText)).
//! [`syntax::words`](crate::syntax::words) splits a line and forgives commas, brackets, item
//! numbers and comments. [`Cards::judge`] returns at least one
//! [`JudgedLine`](crate::JudgedLine) for each line, with the line's own number:
//!
//! * [`Mark::Ok`](crate::Mark::Ok): will be done as written; the note may say what it means.
//! * [`Mark::Warning`](crate::Mark::Warning): will be done otherwise, or not be needed.
//! * [`Mark::Remark`](crate::Mark::Remark): no order, such as a comment.
//! * [`Mark::Error`](crate::Mark::Error): will not be done. Say what is wrong *and* what the
//!   right form is, with an example: `the form is PLAY place, such as PLAY C4`.
//!
//! [`Told`](crate::Told) makes marks with notes. Judge with the same reader that the step uses,
//! or the two will drift apart. A step must never trust that a card was judged: it gets every
//! line as it was mailed. The judgement knows the view alone, so it can't betray anything.
//! With `ahead` above 0 a card is for a later step; judge its form, and leave out what depends on
//! the position of today.
//!
//! [`Cards::starts_order`] is asked about lines of letters too. `C4` and `PLAY C4` are orders,
//! `Play well!` and `If you like` are not. A wrong order (`PLAY Z99`) still begins as one: its
//! sender wants to hear what is wrong with it. Words of the host, such as `STATUS`, `READY` or
//! `HELP`, are taken before an engine is asked: `ROWS` of `src/robot/commands/mod.rs` has them all,
//! and `GAME`, `SEAT`, `TURN` and `PASSWORD` head a card. Do not use them for orders. Mind
//! orders of one letter: a signature or a `P.S.` is no order, so ask for what must follow.
//!
//! # Carried lines
//!
//! What stays in force over many steps, such as a stance, belongs to the state. A *line* that
//! waits for its moment can go on file again: give it back in
//! [`Stepped::carried`](crate::Stepped). It comes back in the next step as a card of that seat,
//! even when nothing was mailed. A newer card replaces it. Hex does so with `IF C4
//! D5`, an answer that is prepared for a stone of the other. Carried lines are secret as cards
//! are: they are in no state, so no view can show them. Carry the order as it would be typed,
//! for it is read again. Carry nothing that can never be done any more, and nothing when the
//! game is over. A carried line makes nobody present: whoever mails nothing has missed.
//!
//! # Seals
//!
//! Sometimes a player must commit to a thing before it is shown, such as a number in a duel.
//! Name it in [`Judgement::seals`](crate::Judgement): a [`Seal`](crate::Seal) has a key and a
//! text. The host files it with a random nonce, and tells the sender its digest. Put
//! [`Span::Seal`](crate::report::Span::Seal) into the printouts of the others: they read the
//! digest there, before the thing is opened. List the key in
//! [`Stepped::opened`](crate::Stepped) in any later step, and all printouts show text and
//! nonce. All that are left are opened when the game is over. Make keys that tell steps apart,
//! such as `guard-7`: a newer seal of the same key takes the name over. A card in advance is for a
//! later step: count `ahead` in. Cards of computer players are judged and sealed as those of people
//! are. The engine itself keeps the text in its state if it needs it. Hex has no seals; the game in `tests/support/toy.rs`
//! has.
//!
//! # Dice and places
//!
//! Roll with the [`Dice`](crate::Dice) you are given and with nothing else. Each roll is named
//! by a purpose, and stands at a place: `dice.at([sector, seat]).below("duel", 6)`. A roll
//! follows from the seed, the purpose and the place. So who knows one roll knows nothing of
//! another. Name the place before each group of rolls ([`Dice::at`](crate::Dice::at)), in
//! numbers of the game; a place stays until another is named. Do not change the order, the
//! purposes or the places of rolls within a version of the rules. A game that rolls nothing
//! sets `DICE` to `false`, and its players hear of no seeds. The dice of [`Computers::play`] are
//! others than those of the step, and a computer may roll them even then.
//!
//! # Computer players
//!
//! [`Computers::play`] gets a view, the notes of last time and dice, and returns a card and new
//! notes. It sees what a person sees, and writes lines that a person could mail. Notes are text
//! of at most [`NOTES_MAX`](crate::NOTES_MAX) bytes; longer ones are dropped. They may be
//! empty, old or from another hand, because the computer also plays for people who are absent:
//! read them with care. Let the player pass its own judgement in a test. Be quick: a host plays
//! many games. For ways and distances there is [`graph`](crate::graph), for squares and
//! hexagons [`geometry`](crate::geometry).
//!
//! # The headline
//!
//! A printout begins with three to seven sentences ([`Headlines::headline`]), then come the deadline,
//! what needs orders, the first section with a map, and all the rest. Say what happened into a
//! [`Draft`](crate::headline::Draft), each sentence with its
//! [`Weight`](crate::headline::Weight): what the reader lost comes first, then what was destroyed of
//! his, what he gained, battles won, whom he met, what became of others, progress. Actor, verb,
//! object, place with name and code, number. Join equal ones
//! ([`some`](crate::headline::some)): `You lost Ambry, Bell and 2 more cities to player 21.` No
//! dice. Begin with a word in upper case that is no order, never with
//! [`Span::Player`](crate::report::Span::Player), which may be `seat 3`. On the first turn say who the reader is,
//! where he begins, what comes first. What needs orders is at most three lines: units without
//! orders, cities that build nothing, money, an answer that is awaited; none when nothing does.
//!
//! [`Headlines::chronicle`] tells a step in the same sentences in the third person, from state and
//! events. It is read when the game is over, so it may tell all. War diaries are made from the
//! journal by these two functions: nothing is stored for them. Where a turn takes several steps,
//! tell of it in the step that ends it, and set
//! [`Headline::told`](crate::Headline) to 0 in the others.
//!
//! # The printout and its maps
//!
//! A [`Report`](crate::Report) is sections of blocks: paragraphs, lists, tables, maps, quotes
//! and the blank card ([`Block`](crate::Block)). It has no layout; text, HTML, PDF, JSON and
//! pictures are made from it. It must be complete as plain text. Words that a player chose go
//! into [`Span::Chosen`](crate::report::Span::Chosen), names of players are
//! [`Span::Player`](crate::report::Span::Player), addresses
//! [`Span::Address`](crate::report::Span::Address); the host fills these in as far as people
//! agree. Hints on how to order stand in [`Block::Card`](crate::Block::Card) alone: no other
//! line of print may be read as an order.
//!
//! A [`MapPicture`](crate::MapPicture) is data as well:
//!
//! * **Kind.** [`Grid`](crate::report::MapKind::Grid) for squares or hexagons in rows,
//!   [`Regions`](crate::report::MapKind::Regions) for outlines,
//!   [`Graph`](crate::report::MapKind::Graph) for boxes with links. A board is a grid in the style
//!   [`Board`](crate::report::GridStyle::Board); without `hexes` its places are squares. `columns`
//!   and `rows` are the labels of its rim: in the text those of the columns stand above, those of
//!   the rows on both sides. Hex's rhombus stands in such a grid with a rim of
//!   labels (`Frame` in `src/engines/hex/report.rs`).
//! * **Terrain.** Rows of a table; a cell has the number of its row. `in_legend: false` for the
//!   usual ground.
//! * **Symbols and pieces.** What may stand on the map, each with a shape, and what stands where. A
//!   piece has a holder and a side as its reader sees it.
//! * **Colours.** [`SeatColour`](crate::report::SeatColour) if seats have colours in the game.
//! * **Last move.** Places that are marked; of regions and graphs also arrows from place to place.
//! * **Text.** `square_width` letters for each place, from the cell's `text`, with a `legend` of
//!   signs. Regions have no text map; print a table instead.
//! * **Of an echo.** [`Cards::sketch`] gives a small one of what a card orders, such as the own
//!   routes drawn as arrows; Hex's is the board with the stone.
//! * **Words.** The same in words, for who can't see: `pieces_in_words` and its sisters write
//!   most of them.
//!
//! Look at a picture of a late game with your own eyes: in an empty folder, `fieldpost init` asks
//! for what a host needs (a Maildir will do); then `game new H1 --engine NAME --seats 2`,
//! `game start H1 --computers`, `turn run H1` until it is late, and
//! `render H1 1 --format html,png --out FOLDER`.
//!
//! # Views keep secrets
//!
//! Give [`Rules::View`] no field for what the seat may not know; then no report, judgement or
//! computer can tell it. Filter the events as well. In Hex the view is the whole state, because
//! the board is open and prepared answers are not part of it. Letters that players write to
//! each other in a card ([`press`](crate::press)) are allowed only if [`Cards::press`] says so;
//! the engine takes them out and makes them part of the receivers' views.
//!
//! # Sentences
//!
//! What a player reads is said with `say!` and `count!` of the crate [`tongue`], whole sentences
//! with named slots; names of units and other words of data files with [`tongue::word`]. A step runs
//! in no language, and what it leaves behind is data that a report says later: a typed event, or
//! where it is a sentence, such as why an order was not carried out, a [`tongue::Note`]:
//! `NotDone(line, say!("you have no fleet {fleet}").into())`, and `note.localized()` in the report. Within
//! a step a sentence is no text yet, so nothing is cut out of one, looked for in one, or begun with a
//! capital there. A `String` with a sentence in a state or an event shows its marks.
//! What a step is called ([`Wait::label`](crate::Wait)) is stored in
//! English and said part by part. `tests/sentences` finds what was forgotten, and compares every
//! sentence with the files of `config/languages`; `UPDATE_EXPECT=1` writes new ones into them.
//! The rulebook is a text of its own, `rulebook.md` ([`book`](crate::book)), into which the game fills
//! its figures; a translation stands beside it, `rulebook.de.md`, and names the text it is of.
//!
//! # Saved states
//!
//! State and events are saved as MessagePack with named fields. Games run for years, and
//! programs change in between:
//!
//! * A **new field** needs `#[serde(default)]`, so that old games load, and
//!   `skip_serializing_if` for that default, so that old steps keep their hash in a replay.
//!   [`Grid`](crate::geometry::Grid) does so.
//! * A field or a variant is **never renamed** and never changes its type. A new variant is fine.
//! * Use `BTreeMap` and `Vec`, which have an order. No `HashMap`, no floats.
//! * Keep one truth. Hex saves the moves alone, and the board follows from them.
//!
//! # Versions of the rules
//!
//! Raise `RULES_VERSION` when the same input would give another outcome: another result of
//! a battle, another order of rolls. Wording is no rule, but the English of a sentence that a step
//! keeps is its name: it stays, or the hash of old steps is another. A game keeps the version it began
//! with. `RULES_VERSION_OLDEST` is the oldest one that this program still plays *exactly as it
//! was*; games of older ones are suspended, and the game master is told. A card is judged
//! without the version. So if old games go on by old rules, write the difference into the state
//! when a game is made ([`Dice::rules`](crate::Dice::rules) tells the version then), as a field
//! whose default is the old way. `STREAM_DICE_UNTIL` is for games that began before dice had
//! places; a new engine leaves it alone.
//!
//! # Tests to write
//!
//! * **Rules**, case by case, on small boards (`tests/rules/hex/rules.rs`).
//! * **Orders**: every error with its right form; prose is no order; each example of the help
//!   is one.
//! * **The headline**: the loss of the reader first, equal ones joined, three to seven sentences on the first
//!   turn, a quiet one and a wild one (`tests/rules/hex/headline.rs`).
//! * **The printout**: the text map letter by letter; the view of one seat is the same whatever
//!   the others' secrets are.
//! * **A trial**: [`TrialOf`](crate::trial::TrialOf) plays whole games of computers; call
//!   [`Trial::audit`](crate::Trial::audit) after each step. It also replays the step. Hex plays
//!   fifty games.
//! * **An audit** ([`Audits::audit`]) with all that must hold: what is counted adds up, nobody
//!   moves twice, the winner has won. Count anew from the state instead of asking the code that
//!   made it. Break each invariant once, in a test.
//! * **Property tests**: any cards, good and bad, over many steps, with seats that are left. The
//!   audit finds nothing, a second run is equal, carried lines are orders.
//! * **By mail**: `tests/robot/hex.rs` plays through the real host with a clock that
//!   the test sets. It needs a line in `src/robot/Cargo.toml`, so it is for games whose steps are
//!   new to the host.
//! * **A page of coverage**: a game with a written specification lists its paragraphs in
//!   `tests/rules/NAME/paragraphs.toml`, each with its tests; a row of `GAMES` in
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
//! * Read a clock, a file, the environment, the network, a global that changes, or any chance
//!   but its dice.
//! * Use floats, hash order, threads, or the address of a thing.
//! * Name an address, a mail, another engine, or the host.
//! * Panic. Cards are written by strangers: no index, no unchecked sum, no number that is
//!   trusted. A panic suspends the whole game until the game master has looked.
//! * Loop without an end that is easy to see, or take more than a moment.
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
