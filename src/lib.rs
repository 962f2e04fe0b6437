//! Fieldpost: a play-by-email host for classic wargames.
//!
//! # The map of the code
//!
//! Each crate knows those above it in this table and no others; Cargo enforces that. Within the
//! larger crates `tests/architecture` checks a table of files.
//!
//! | crate | folder | what it is | what it knows |
//! |---|---|---|---|
//! | `tongue` | `src/tongue` | sentences in the reader's language; `say!` and `count!` | nothing else |
//! | `codec` | `src/codec` | states as bytes and back; values from TOML | nothing else |
//! | `domains` | `src/domains` | which mail domains belong together | nothing else |
//! | [`engine`] | `src/engine` | the interface that all games share: rules, steps, dice, geometry, maps, reports, faults; the chapter "Write an engine" | `codec`, `tongue` |
//! | [`base`] | `src/base` | clock, cancelling, deadlines, secrets, and the terms that players and game master agreed on | [`engine`] |
//! | `warlord`, `battle_plan`, `classic_warlord`, `empire_deluxe`, `imperium`, `hex` | `src/engines/*` | one game each; `hex` is the example that tests play | [`engine`], `tongue` |
//! | [`registry`] | `src/registry` | the list of engines; besides it, only the defaults and examples of [`cli`] name an engine | the engines |
//! | [`render`] | `src/render` | documents to text, HTML, PDF, JSON, calendar files and pictures | [`engine::report`] |
//! | [`mail`] | `src/mail` | mailboxes, MIME, finding the orders and the sender of a mail, mails that are never answered, composing, sending | [`base`], `codec`, `domains`, `tongue` |
//! | [`store`] | `src/store` | SQLite or PostgreSQL: a reader, a unit of work for all that is written; the leases of workers | [`base`], [`engine`], [`mail`] |
//! | [`robot`] | `src/robot` | makes one verdict of each mail and one run of each due step; its own docs list its modules | all of the above; engines as `&dyn Engine` |
//! | `fieldpost` | `src/` | the program: [`cli`], [`config`], [`ops`], [`demo`], [`play`], [`sim`], what starts threads ([`serve`], [`mod@host`]) | everything |
//! | `support` | `tests/support` | hosts, mails and games for tests; a toy game with every kind of step | everything |
//!
//! Rule tests belong to their engine's crate, robot tests to the robot's, so that a change can be
//! tested without building crates that it does not affect: `cargo test -p fieldpost-warlord`,
//! `cargo test -p fieldpost-robot`.
//!
//! # Words
//!
//! | word | what it means |
//! |---|---|
//! | seat | a numbered place in a game; a player, a computer or nobody has it |
//! | step | the unit in which a game advances: it opens, waits for the cards of some seats, and runs; most games call it a turn. [`store::Step`], [`engine::Wait`] |
//! | awaited | a seat whose card the open step waits for |
//! | card | the orders of a seat for a step, as lines; the newest replaces the one before |
//! | echo | the answer to a card: every line with its judgement, and a forecast |
//! | printout | what a seat gets after a step: report, maps, turn card |
//! | brief | a short mail, instead of a printout, to a seat that a step hardly concerns. [`engine::Notice`] |
//! | deadline | when the open step runs at the latest; set by the game's calendar, or by a clock that starts when the step opens ([`engine::Until`]) |
//! | quiet hours | hours in which a game's clock does not run |
//! | seal | an order that is kept secret until a later step opens it |
//! | chain | the seeds of a game: the SHA-256 of each is the one before; the end is published at the start, all are revealed when the game is over ([`base::chain`]) |
//! | game's file | a file of a game that is over, from which anybody can replay it ([`robot::game_file`]) |
//! | journal | every step with its seed, cards, notes and hash of the state; the game can be computed again from it |
//! | verdict | what became of a mail: accepted, rejected, ignored, pending, quarantined |
//! | pending (mail) | a mail that lacks proof; the registered address is asked whether it counts |
//! | suspended (game) | a game that runs no step until the game master releases it |
//! | terms | what a game allows: proof, joining, early runs, vacations |
//! | option | a choice about how a game is played, fixed when the game is made; a row of its engine ([`engine::options`]) |
//! | backend | where the store is kept: by SQLite in a file, or by PostgreSQL on a server |
//! | part of the store | data that is read and written together, such as `store.mails()` |
//! | lease | the right of one worker to an inbox, a step or a mail, until a set time |
//! | savepoint | a part of a unit of work that can fail and be undone without the rest |
//! | quarantine | mails that wait for the game master |
//! | game master | the person who runs the host; each of their acts is a [`robot::gm::GmAction`] |
//!
//! Functions are named by these verbs, because "tell" and "say" could mean any of them:
//!
//! | verb | what such a function does |
//! |---|---|
//! | record | adds an event to what a step leaves behind |
//! | described, in words | puts a value, such as an event, into words |
//! | localized | gives a name or a sentence in the reader's language |
//! | verdict, set a verdict | decides what becomes of a line or a mail |
//! | answer | gives the reply to somebody who asked |
//! | notify | sends a mail that does not answer a command, or a message for a phone |
//! | summary | gives one line of a list |
//! | filled | puts values into the gaps of a sentence |
//! | note | adds a sentence to what a step leaves behind |
//!
//! Every sentence is made by `say!` or `count!`; `GM TELL` is a command. A function whose name has
//! an object after "tell", such as `tell_players`, sends mails.
//!
//! # Where a change goes
//!
//! | change | places |
//! |---|---|
//! | a command of players | its file in `robot/commands`; its module and its row in `commands/mod.rs` |
//! | something that such a command sets | a field of [`base::terms::Choices`], or a column of the seat |
//! | a column of a seat | its field and its row in `store/seat.rs`; its step in `store/migrate.rs`, one for both backends |
//! | an act of the game master | its file in `robot/gm`, with its command; its module in `gm/mod.rs`; its row in [`robot::gm_commands`], from which mail, `fieldpost gm` and the dashboard take it |
//! | an option of a game | its row in the engine's `options.rs`; the code that it changes |
//! | an order of a game | its row in the game's table of orders (`orders/rows.rs`), its variant in `orders.rs` or `orders/task.rs`, the code that judges it, that carries it out in a step, and that puts it into words (`wording.rs`, and `TERMS` of `render/desk/words.rs`); in Imperium its place on the blank card (`card.rs`) too |
//! | a symbol of a map | in the game's `symbols()`; a new shape in `engine/report/map/table.rs`, drawn in `render/units.rs` |
//! | a paragraph of a rulebook | `config/GAME/rulebook.md`; a new number of the rules in the game's `rulebook.rs`; its translation, with the digest in the first line of the translation |
//! | a rulebook in another language | `rulebook.XX.md` beside it; its line in the game's `rulebook.rs` |
//! | a language | its line in `robot/languages.rs`; its catalogue in `config/languages`, empty at first (`UPDATE_EXPECT`); Warlord's coded messages: `config/warlord/messages.XX.toml` and two lines in its `tables.rs` |
//!
//! Besides these places, a change may need the catalogue of each language, a line of the changelog,
//! and tests.
//!
//! # One card, from the inbox to the printout
//!
//! 1. A [`mail::Inbox`] hands over a [`mail::RawMessage`]; it is stored before anything in it is
//!    read.
//! 2. [`robot::Robot::receive`] counts the attempt and has the mail taken apart ([`mail::mime`], in
//!    a process that sees no other mail: [`mail::reader`]) before anything is locked. If the config
//!    asks for it, the origin of the mail is checked even earlier ([`mail::origin`]).
//! 3. [`robot::intake`] sorts out bounces ([`mail::dsn`]), copies and automatic mail
//!    ([`mail::hygiene`]), finds the new text ([`mail::body`], by the words and shapes of
//!    [`mail::quoting`]), and finds out who wrote it (secret, address, what the address's domain
//!    says: [`mail::auth`]), by the terms of the game. The engine judges the card against the
//!    seat's view, and the echo is written. The result is one value: a verdict with its effects.
//! 4. Verdict, orders on file and replies are one commit. After it the message is moved to the
//!    folder of its verdict.
//! 5. Meanwhile [`robot::calendar`] reminds players, offers seats, and moves deadlines that could
//!    not be met. It does each only once, because a row in the same commit as the mails records it.
//! 6. A step runs when its deadline has passed (after a complete fetch that began later), or at
//!    once when it no longer waits for anybody. State, cards and seed go through
//!    [`engine::Match::step`]; journal, the next step with its deadline, and all printouts, as
//!    text, are one commit ([`robot::turns`]).
//! 7. [`robot::drawing`] turns the documents of echoes and printouts into HTML, pictures and files,
//!    in parallel to all other work. The printouts of a step leave together; what can't be drawn
//!    leaves as text.
//! 8. The outbox sends ([`robot::outbox`]); each mail gets its Message-ID when it is written, so a
//!    repeat after a crash can be recognised.
//!
//! # A computer player
//!
//! [`engine::Computers::play`] writes a card from a seat's view, in the lines that people mail, and
//! may keep private notes for the next step. The robot asks for this card when the step runs, for
//! seats that a computer has and for players who are absent too long; the journal keeps it like any
//! card. [`engine::trial`] plays whole games in this way, and after each step asks the engine
//! ([`engine::Audits::audit`]) whether anything broke: the same checks that the property tests use.
//!
//! # The game master
//!
//! Whatever the game master does to a running game, by shell, mail or dashboard, is a
//! [`robot::gm::GmAction`]: one commit, which includes its row in the record and what is needed to
//! undo it. [`ops::overview`] is the state of the host at an instant: one read for the live view,
//! the dashboard and the metrics. A service ([`serve`]) is a few threads, each with its own
//! connection to the store: inboxes ([`robot::host::Host`]), steps ([`robot::runner::Runner`]),
//! drawing, sending. After a signal they finish the step that is under way and begin nothing more.
//!
//! # Workers
//!
//! On PostgreSQL several services share one store. What keeps them apart:
//!
//! * **Leases** ([`store::Lease`]): an inbox, a game's step, the calendar, the game master's
//!   command belong to one worker at a time. Each commit of that work first locks the lease's row
//!   and checks that it still runs, so that a worker that was stopped for longer than the lease
//!   lasts writes nothing more.
//! * **Claims**: a mail that is being sent or drawn names its worker; others skip it.
//! * **Games**: before a commit decides anything about a game, it locks the game's row.
//! * **Looks**: triggers note each game that anybody changes; a round looks only at those and at
//!   games whose time has come ([`store::Look`]), however many games there are.
//! * **Shares**: a worker that has more inboxes than its share leaves one to a worker that asks for
//!   it and has fewer; a worker that can't read an inbox leaves it to others. The configs of all
//!   workers name the same inboxes.
//! * **Lost answers**: each commit raises a number in the row of its connection. If the answer to a
//!   commit is lost, that number shows whether the commit was made.
//! * **One clock**: that of the database ([`base::clock::ServerClock`]). A step runs when each
//!   inbox has been read completely, by any worker, a little after the deadline.
//!
//! A worker's pulse says every five seconds that the worker lives; others take over the work of a
//! dead one. Messages between workers (`NOTIFY`) save time and are never needed. A store in a file
//! may be shared too, by processes of one machine whose configs name `roles`; its leases go by that
//! machine's clock.
//!
//! # The proof
//!
//! `tests/simulation` plays [`robot::host::round`], [`robot::outbox::flush`] and
//! [`robot::drawing::draw`], the IMAP and SMTP clients and SQLite in simulated worlds: they get
//! their transports ([`mail::imap::Connector`], [`mail::smtp::Connector`]), clock and random
//! numbers from outside, and SQLite its file system. Nothing in the program knows that it is
//! simulated.
//!
//! # Invariants
//!
//! * Engines know no mail, clock, file, address, other engine, float or hash order.
//! * Echo, forecast and printout are made only from a seat's view.
//! * No line that is ever sent can be read as an order.
//! * Stopping the process at any instant loses nothing. It can repeat a mail, once and under the
//!   same Message-ID, and nothing else.
//! * A panic in an engine suspends one game; a mail that breaks the process that reads it costs one
//!   attempt at that mail.
//! * Nobody acts for a seat without proof, and what others send in a player's name does not keep
//!   the player out.

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
