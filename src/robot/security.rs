//! What a host of this program promises, what somebody who attacks it may know, and how to
//! report a hole.
//!
//! # What is promised
//!
//! A sender may forge everything but a secret. So:
//!
//! * **Nobody acts for a player without a proof.** A proof is an answer to one of the seat's
//!   newest mails (the secret in the address, or the Message-ID that is answered), the password,
//!   or, as the game's policy allows, the word of the domain. Whatever else comes in a player's
//!   name is held, and the registered address is asked ([`crate::verdict::pending`]).
//! * **A question is answered by itself alone.** YES counts in answer to the very question, by
//!   its own secret or its Message-ID; it never sets a password.
//! * **Keys can be drawn anew.** `fieldpost key new` ends every secret of the host and of its
//!   players, and tells them ([`crate::keys`]).
//! * **A secret ends with its reason.** A seat that is given away, an ADDRESS that moves and the
//!   command SECRETS raise the seat's epoch, and all that was sent before proves nothing. Mails
//!   of another host prove nothing of an imported game.
//! * **A domain's word counts once.** A signature that vouched for a mail vouches for no other;
//!   a signed card without a turn must have been signed in the open one. The check names the
//!   address that it was about, and no other is vouched for; a header that two programs could
//!   read in two ways vouches for nothing ([`mail::auth`]).
//! * **Passwords are guessed in vain.** One that the robot drew has 80 bits. Of one that a player
//!   chose ten wrong ones are looked at in a day, and sixty an hour of the registered address,
//!   which nobody else uses up; then it is held for the player's word, and the secrets of their
//!   mails go on. What a player chose is kept as Argon2id ([`base::passwords`]), and no mail is
//!   kept with a login password in it ([`mail::shred`]).
//! * **Nobody is silenced by others.** Answers, words said again and answers at once count by what
//!   their cause proves: strangers, unproven mails and proven ones have limits of their own, and
//!   those of the first two close first. Questions to newcomers are counted by hour, by domain and
//!   as long as they are open. One mail has at most eight commands, none twice, and asks one
//!   question.
//! * **A mail costs what it is worth.** Limits of size and lines stand before any reading, it is
//!   known whose a mail is before its game's words are looked for in it, a card is judged once, and
//!   nobody who writes to the store waits for that ([`crate::receive`]). What proves nothing shares
//!   a budget of CPU time and waits behind what does. Steps of work are counted in tests
//!   ([`engine::effort`]), for mails of every shape in every game.
//! * **No mail without a proof causes more than a short text**, and that goes to the address in
//!   whose name it came, or to the seat's registered one.
//! * **No word is taken for an order.** A mail without a valid order changes nothing; one with more
//!   sentences than orders, or with fewer right lines than wrong ones, asks before it replaces a
//!   better card. Machines are told from people ([`mail::hygiene`], [`crate::verdict::machines`]),
//!   and hear two mails of a day at most (eight where they ask something); one that answers by the hour with ever new lines of which each is
//!   a wrong order looks like a person who learns, and hears five.
//! * **Practice costs little.** A game begins after YES alone, as many at a time as the config says
//!   and one an address, and ends when nothing is heard of its player ([`crate::practice`]).
//! * **The order desk loads and runs nothing.** Its policy allows its own script and style by their
//!   digests and no connection; what others wrote is text in it. It has the address that is the key
//!   to the seat, as the printout has ([`render::desk`]).
//! * **Keys go on to nobody.** Secret addresses, secrets alone, Message-IDs and the password of a
//!   heading are taken out of whatever a player writes to others, however they are wrapped or
//!   coded. Letters of one seat and to one address have hourly limits, by mail and by card together.
//! * **Text of others is only text.** In mails, pages and what commands print nothing of it moves
//!   or turns what stands around it, and nobody goes by a name that looks like the game master's
//!   or another player's ([`base::text`], [`crate::text`]).
//! * **Unasked mail takes little room.** What nothing proves is kept short and in a ring; while the
//!   disk is low, mail of players alone is read, and the rest waits in its mailbox
//!   ([`crate::host`]). Whatever is unpacked and whatever an IMAP server answers has a limit.
//! * **What is erased is gone from the store**, free pages too, and a mail that sets a password from
//!   the mailbox. Not erased is what others were sent, nor older mails in the folders of the mailbox;
//!   FORGET says so.
//! * **Nobody chooses the dice, and anybody can check a game.** Seeds are a chain whose end is told
//!   first, mixed with the cards of each step ([`base::chain`], which says what that does not stop);
//!   a game that is over is one file that anybody can play again ([`crate::game_file`]).
//! * **A mail can't stop the robot.** It is taken apart in another process with little memory and
//!   time, and set aside after three attempts. That process inherits no environment and may open no
//!   file, connection or program; it sees no other mail, but where all its mails bear the secrets of
//!   seats ([`mail::reader`]).
//!
//! * **The machine of `deploy/GUIDE.md`** takes no mail in the name of its own mailboxes from outside,
//!   nothing smuggled within another mail, and no word of others about who sent one; `tests/guide`
//!   sends all of that to it.
//!
//! # What an attacker may know
//!
//! This source, the addresses of host and players, the rules, the times of deadlines, every mail
//! that they got themselves, all mails that were ever sent but those that hold a secret which
//! still counts. Whoever reads a player's newest mails can act for them: so can their provider,
//! and whoever they are forwarded to. Whoever reads the store's files can do everything.
//!
//! Not promised: that mail arrives; that a provider who signs for a domain signs for its users
//! alone; that somebody who has a mailbox for a week can't use what lies in it until SECRETS or
//! ADDRESS ends it.
//!
//! # How to report
//!
//! Write to the game master of the host; a fault of the program goes on from there to
//! whoever it came from. Say what you did, what you saw and what you expected, and send no mail of a player
//! along. The game master sees every mail's
//! verdict, and `fieldpost mail explain` shows why it has it.
