//! Fieldpost: a play-by-email host for classic wargames.
//!
//! # The map of the code
//!
//! | part | what it is | what it knows |
//! |---|---|---|
//! | [`engine`] | the one face of all games: rules, dice, maps, reports, faults | nothing else |
//! | [`engines`] | one folder a game | [`engine`] |
//! | [`registry`] | the list of engines | the only file that names one |
//! | [`mail`] | mailboxes, MIME, where the orders are, whose mail it is, what is never answered, composing, sending | [`config`], [`secrets`], [`tls`] |
//! | [`card`] | a mail's new text as heading, command and orders; the echo | [`engine`], [`render`] |
//! | [`render`] | documents to text, HTML, PDF, JSON and pictures | [`engine::report`] |
//! | [`terms`] | what the players of a game and its master agreed on | nothing else |
//! | [`schedule`], [`clock`], [`cancel`], [`secrets`], [`tls`], [`config`], [`observe`] | deadlines, time and chance, cancelling, proofs, trust, settings, the log | each nearly alone |
//! | [`store`] | SQLite; each method one read or one commit | [`engine`], [`mail`], [`schedule`] |
//! | [`robot`] | one mail to one verdict, one due game to one turn | all of the above; engines as `&dyn Engine` |
//! | [`render_files`] | printouts and atlases as files | [`robot`], [`render`] |
//! | [`ops`] | the host itself: set up, checked, watched, shown, copied | [`robot`], [`store`], [`config`] |
//! | [`sim`] | whole games of computer players, checked at every turn | [`engine::trial`] |
//! | [`cli`], [`demo`] | the command line, one file a command; a few turns on fixtures, for each game | the robot |
//!
//! The table of `use` lines that follows from it is kept by a test.
//!
//! # One card, from the inbox to the printout
//!
//! 1. An [`mail::Inbox`] hands over a [`mail::RawMessage`]; [`store::Store::keep`]
//!    stores it before anything is read.
//! 2. [`robot::Robot::receive`] counts the attempt, takes the mail apart
//!    ([`mail::mime`], in a process of its own: [`mail::reader`]), counts bounces
//!    ([`mail::dsn`]), drops copies and automatic mail ([`mail::hygiene`]), finds the
//!    new text ([`mail::body`], by the words and shapes of [`mail::quoting`]) and who
//!    speaks ([`robot::intake`]): secret, address, and what the address's domain says
//!    ([`mail::auth`]), by the policy of the game ([`terms`]).
//! 3. The engine judges the card against the seat's view; the echo is written.
//! 4. Verdict, orders on file and replies are one commit ([`store::Store::judge`]).
//!    Only then is the message moved to the folder of its verdict.
//! 5. Between, [`robot::calendar`] reminds, offers seats, and moves deadlines that
//!    could not be met; each once, by a row in the commit of its mails. At the deadline,
//!    after a complete fetch that began later, the state, the cards and the seed go through
//!    [`engine::Match::step`]; journal, next turn and all printouts, as text, are one
//!    commit ([`store::Store::run_turn`]).
//! 6. [`robot::drawing`] makes HTML, pictures and files of the printouts' documents, beside
//!    everything else; those of a turn leave together, at the latest with their text.
//! 7. The outbox sends ([`robot::outbox`]); each mail has its Message-ID since it
//!    was written, so a repeat after a crash can be recognised.
//!
//! # A computer player
//!
//! [`engine::Rules::play`] writes a card from a seat's view, in the lines that people
//! mail. [`robot::deadline`] asks for it at the deadline, for seats that a computer
//! has and for players who are absent too long, and the journal keeps it like any
//! card. [`engine::trial`] plays whole games so, and after each step asks the engine
//! ([`engine::Rules::audit`]) whether anything broke: the same checks that the
//! property tests use.
//!
//! # The game master
//!
//! Whatever they do, by shell, mail or dashboard, is a [`robot::gm::{Act`]: one commit with its
//! row in the record and with what undoes it. [`ops::overview`] is the host at an instant, one
//! read for the live view, the dashboard and the metrics. A service ([`robot::serve`]) is a few
//! threads over one [`robot::host::Host`]; a signal ends what is under way, not more.
//!
//! # The proof
//!
//! `tests/simulation` plays [`robot::host::round`], [`robot::outbox::flush`] and
//! [`robot::drawing::draw`], the IMAP and SMTP clients and SQLite in made-up worlds: they take
//! their transports ([`mail::imap::Connector`], [`mail::smtp::Connector`]), clock and chance from outside, and
//! SQLite its file system. Nothing in the program knows that it is simulated.
//!
//! # Invariants
//!
//! * Engines know no mail, clock, file, address, other engine, float or hash order.
//! * Echo, forecast and printout are made from a seat's view alone.
//! * No line that is ever sent can be read as an order.
//! * Stopping the process at any instant loses nothing and repeats nothing but, at
//!   most once, a mail under the same Message-ID.
//! * A panic in an engine holds one game; whatever a mail does to its reader costs one
//!   mail an attempt.
//! * Nobody acts for a seat without proof, and nobody is kept out by what others send
//!   in their name.

pub mod cli;
pub mod config;
pub mod demo;
pub mod host;
pub mod observe;
pub mod ops;
pub mod render_files;
pub mod serve;
pub mod sim;
