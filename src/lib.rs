//! Fieldpost: a play-by-email host for classic wargames.
//!
//! # The map of the code
//!
//! Each crate knows those above it in this table, and no other; Cargo keeps that. Within the
//! larger ones `tests/architecture` keeps a table of files.
//!
//! | crate | folder | what it is | what it knows |
//! |---|---|---|---|
//! | `tongue` | `src/tongue` | sentences in the reader's language; `say!` and `count!` | nothing else |
//! | `codec` | `src/codec` | states as bytes and back; values from TOML | nothing else |
//! | `domains` | `src/domains` | which domains belong together | nothing else |
//! | [`engine`] | `src/engine` | the one face of all games: rules, steps, dice, geometry, maps, reports, faults; the chapter "Write an engine" | `codec`, `tongue` |
//! | [`base`] | `src/base` | clock, cancelling, deadlines, secrets, and the terms that players and game master agreed on | [`engine`] |
//! | `warlord`, `battle_plan`, `classic_warlord`, `empire_deluxe`, `imperium`, `hex` | `src/engines/*` | one game each; `hex` is the example that tests play | [`engine`], `tongue` |
//! | [`registry`] | `src/registry` | the list of engines: with the defaults and examples of [`cli`] the only place that names one | the engines |
//! | [`render`] | `src/render` | documents to text, HTML, PDF, JSON, calendar files and pictures | [`engine::report`] |
//! | [`mail`] | `src/mail` | mailboxes, MIME, where the orders are, whose mail it is, what is never answered, composing, sending | [`base`], `codec`, `domains`, `tongue` |
//! | [`store`] | `src/store` | SQLite or PostgreSQL: a reader, and one unit of work that writes; the leases of workers | [`base`], [`engine`], [`mail`] |
//! | [`robot`] | `src/robot` | one mail to one verdict, one due step to one run; its modules stand in its own docs | all of the above; engines as `&dyn Engine` |
//! | `fieldpost` | `src/` | the program: [`cli`], [`config`], [`ops`], [`demo`], [`play`], [`sim`], what starts threads ([`serve`], [`mod@host`]) | everything |
//! | `support` | `tests/support` | hosts, mails and games for tests; a toy game with every kind of step | everything |
//!
//! Rule tests belong to their engine's crate, robot tests to the robot's, so that a change is
//! tested without building what does not depend on it: `cargo test -p fieldpost-warlord`,
//! `cargo test -p fieldpost-robot`.
//!
//! # Words
//!
//! | word | what it means |
//! |---|---|
//! | seat | a place in a game, by number; a player, a computer or nobody has it |
//! | step | one go of a game: it opens, waits for the cards of some seats, and runs; most games call it a turn. [`store::Step`], [`engine::Wait`] |
//! | awaited | a seat whose card the open step waits for |
//! | card | the orders of a seat for a step, as lines; the newest replaces the one before |
//! | echo | the answer to a card: every line with its judgement, and a forecast |
//! | printout | what a seat gets after a step: report, maps, turn card |
//! | brief | a short mail to a seat whom a step hardly concerns. [`engine::Notice`] |
//! | deadline | when the open step runs at the latest; of the game's calendar, or of a clock of its own ([`engine::Until`]) |
//! | quiet hours | hours in which a clock of a game does not run |
//! | seal | an order that is kept secret until a later step opens it |
//! | chain | the seeds of a game: each has the one before as its SHA-256, the end is told at the start, all are opened when the game is over ([`base::chain`]) |
//! | game's file | a game that is over, from which anybody can play it again ([`robot::game_file`]) |
//! | journal | every step with its seed, cards, notes and hash of the state; a game can be computed again from it |
//! | verdict | what became of a mail: accepted, rejected, ignored, pending, quarantined |
//! | pending (mail) | it lacks proof, and the registered address is asked |
//! | suspended (game) | it runs no step until the game master releases it |
//! | terms | what a game allows: proof, joining, early runs, vacations |
//! | option | how a game is played, chosen when it is made; a row of its engine ([`engine::options`]) |
//! | backend | what keeps the store: SQLite in a file, or PostgreSQL on a server |
//! | part of the store | what is read and written together, such as `store.mails()` |
//! | lease | the right of one worker to an inbox, a step or a mail, until a time |
//! | savepoint | what is undone alone when a part of a unit of work fails |
//! | quarantine | mails that wait for the game master |
//! | game master | who runs the host; an act of theirs is a [`robot::gm::GmAction`] |
//!
//! Verbs that functions are named by, for "tell" and "say" alone mean any of these:
//!
//! | verb | what such a function does |
//! |---|---|
//! | record | adds an event to what a step leaves behind |
//! | described, in words | gives a value, such as an event, in words |
//! | localized | gives a name or a sentence in the reader's language |
//! | verdict, set a verdict | decides what becomes of a line or a mail |
//! | answer | gives what somebody gets who asked |
//! | notify | sends a mail that is no answer to a command, or what a phone shows |
//! | summary | gives one line of a list |
//! | filled | puts values into the gaps of a sentence |
//! | note | adds a sentence to what a step leaves behind |
//!
//! `say!` and `count!` say every sentence; `GM TELL` is a command. Where "tell" has an object in its
//! name, such as `tell_players`, mails are sent.
//!
//! # Where a change goes
//!
//! | change | places |
//! |---|---|
//! | a command of players | its file in `robot/commands`; its module and its row in `commands/mod.rs` |
//! | something that it sets | a field of [`base::terms::Choices`], or a column of the seat |
//! | a column of a seat | its field and its row in `store/seat.rs`; its step in `store/migrate.rs`, one for both backends |
//! | an act of the game master | its file in `robot/gm`, with its command; its module in `gm/mod.rs`; its row in [`robot::gm_commands`], from which mail, `fieldpost gm` and the dashboard have it |
//! | an option of a game | its row in the engine's `options.rs`; where it counts |
//! | an order of a game | its row in the game's table of orders (`orders/rows.rs`; Battle Plan: `verbs.rs` and `orders/help.rs`), its variant in `orders.rs` or `orders/task.rs`, where it is judged, what it does in a step, how it is said in words (`wording.rs`, and `TERMS` of `render/desk/words.rs`); in Imperium its place on the blank card (`card.rs`) too |
//! | a symbol of a map | in the game's `symbols()`; a new shape in `engine/report/map/table.rs`, drawn in `render/units.rs` |
//! | a paragraph of a rulebook | `config/GAME/rulebook.md`; a new figure in the game's `rulebook.rs`; its translation and the digest in that one's first line |
//! | a rulebook in another language | `rulebook.XX.md` beside it; its line in the game's `rulebook.rs` |
//! | a language | its line in `robot/languages.rs`; its catalogue in `config/languages`, empty at first (`UPDATE_EXPECT`); Warlord's coded messages: `config/warlord/messages.XX.toml` and two lines in its `tables.rs` |
//!
//! Beside them stand the catalogue of each language, a line of the changelog, and the tests.
//!
//! # One card, from the inbox to the printout
//!
//! 1. A [`mail::Inbox`] hands over a [`mail::RawMessage`]; it is stored before anything is
//!    read.
//! 2. [`robot::Robot::receive`] counts the attempt and has the mail taken apart
//!    ([`mail::mime`], in a process that sees no other mail: [`mail::reader`]) before anything is
//!    locked. Where the config asks for it, its origin was checked before ([`mail::origin`]).
//! 3. [`robot::intake`] reads: bounces ([`mail::dsn`]), copies and automatic mail
//!    ([`mail::hygiene`]), the new text ([`mail::body`], by the words and shapes of
//!    [`mail::quoting`]), who speaks (secret, address, what the address's domain says:
//!    [`mail::auth`]), by the terms of the game. The engine judges the card against the seat's
//!    view; the echo is written. All of it is one value: a verdict with its effects.
//! 4. Verdict, orders on file and replies are one commit. Only then is the message moved to the
//!    folder of its verdict.
//! 5. Between, [`robot::calendar`] reminds, offers seats, and moves deadlines that could not be
//!    met; each once, by a row in the commit of its mails.
//! 6. A step runs when its deadline has passed (after a complete fetch that began later), or at
//!    once when it waits for nobody any more. State, cards and seed go through
//!    [`engine::Match::step`]; journal, the next step with its deadline, and all printouts, as
//!    text, are one commit ([`robot::turns`]).
//! 7. [`robot::drawing`] makes HTML, pictures and files of the documents of echoes and printouts,
//!    beside everything else; printouts of a step leave together, at the latest with their text.
//! 8. The outbox sends ([`robot::outbox`]); each mail has its Message-ID since it was written,
//!    so a repeat after a crash can be recognised.
//!
//! # A computer player
//!
//! [`engine::Computers::play`] writes a card from a seat's view, in the lines that people mail, and
//! may keep private notes for the next step. The robot asks for it when the step runs, for seats
//! that a computer has and for players who are absent too long; the journal keeps it like any
//! card. [`engine::trial`] plays whole games so, and after each step asks the engine
//! ([`engine::Audits::audit`]) whether anything broke: the same checks that the property tests
//! use.
//!
//! # The game master
//!
//! Whatever they do to a running game, by shell, mail or dashboard, is a [`robot::gm::GmAction`]: one commit with
//! its row in the record and with what undoes it. [`ops::overview`] is the host at an instant,
//! one read for the live view, the dashboard and the metrics. A service ([`serve`]) is a few
//! threads, each with a store of its own: inboxes ([`robot::host::Host`]), steps
//! ([`robot::runner::Runner`]), drawing, sending; a signal ends what is under way, not more.
//!
//! # Workers
//!
//! On PostgreSQL several services share one store. What keeps them apart:
//!
//! * **Leases** ([`store::Lease`]): an inbox, a game's step, the calendar, the game master's command
//!   are one worker's at a time. Each commit of that work locks the lease's row first and looks at its
//!   term, so that a worker that was stopped for longer than the lease lasts writes nothing more.
//! * **Claims**: a mail that is sent or drawn names its worker; rows that others hold are passed over.
//! * **Games**: whatever a commit decides about a game, it has locked the game's row for.
//! * **Looks**: triggers note each game that anybody changes; a round looks at those and at the ones
//!   whose time has come ([`store::Look`]), however many games there are.
//! * **Shares**: who has more inboxes than its share leaves one to a worker that asks for it and has
//!   fewer; who can't read one leaves it to others. All workers name the same inboxes.
//! * **Lost answers**: each commit raises a number in its connection's own row, so that it is known
//!   whether one stands whose answer was lost.
//! * **One clock**: that of the database ([`base::clock::ServerClock`]). A step runs when each inbox
//!   was read completely a little after its deadline, by whichever worker.
//!
//! A worker's pulse says every five seconds that it lives; what a dead one had, others take. A word
//! between workers (`NOTIFY`) saves them time and is never needed. A file may be shared too, by
//! processes of one machine whose config names `roles`; its leases go by that machine's clock.
//!
//! # The proof
//!
//! `tests/simulation` plays [`robot::host::round`], [`robot::outbox::flush`] and
//! [`robot::drawing::draw`], the IMAP and SMTP clients and SQLite in made-up worlds: they take
//! their transports ([`mail::imap::Connector`], [`mail::smtp::Connector`]), clock and chance
//! from outside, and SQLite its file system. Nothing in the program knows that it is simulated.
//!
//! # Invariants
//!
//! * Engines know no mail, clock, file, address, other engine, float or hash order.
//! * Echo, forecast and printout are made from a seat's view alone.
//! * No line that is ever sent can be read as an order.
//! * Stopping the process at any instant loses nothing and repeats nothing but, at
//!   most once, a mail under the same Message-ID.
//! * A panic in an engine suspends one game; whatever a mail does to its reader costs one
//!   mail an attempt.
//! * Nobody acts for a seat without proof, and nobody is kept out by what others send
//!   in their name.

mod bell;
pub mod cli;
pub mod config;
pub mod demo;
pub mod host;
pub mod notify;
pub mod observe;
pub mod ops;
pub mod play;
mod pulse;
pub mod render_files;
pub mod serve;
pub mod sim;
