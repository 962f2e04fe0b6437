//! What a host of this program promises, what an attacker may know, and how to report a hole.
//!
//! # What is promised
//!
//! A sender may forge everything but a secret. So:
//!
//! * **Nobody acts for a player without a proof.** A proof is an answer to one of the seat's newest
//!   mails (the secret in the address, or the Message-ID that is answered), the password, or, if
//!   the game's policy allows it, that the sender's domain vouches for the mail. Whatever else
//!   comes in a player's name is held, and the registered address is asked
//!   ([`crate::verdict::pending`]).
//! * **A YES answers only its own question.** It counts only as an answer to the mail that asks, by
//!   the secret or the Message-ID of that mail; it never sets a password.
//! * **Keys can be replaced.** `fieldpost key new` makes every secret of the host and of its
//!   players invalid, and notifies the players ([`crate::keys`]).
//! * **A secret ends with its reason.** The seat's epoch rises when the seat is given away, when
//!   ADDRESS moves it to another address, and with the command SECRETS; nothing that was sent
//!   before is then a proof. Mails of another host prove nothing for an imported game.
//! * **A domain's signature counts once.** A signature that vouched for one mail vouches for no
//!   other. A signed card that names no turn must have been signed in the open turn. The check
//!   names the address that it was about, and vouches for no other. A header that two programs
//!   could read in two ways vouches for nothing ([`mail::auth`]).
//! * **Guessing passwords is useless.** A password that the robot drew has 80 bits. Of the guesses
//!   at one that a player chose, only ten wrong ones a day are checked, and sixty an hour from the
//!   registered address, which nobody else can use up. After that, a mail with a password is held
//!   until the player confirms it, and the secrets of the player's mails still work. A chosen
//!   password is stored as Argon2id ([`base::passwords`]), and no mail is stored with a login
//!   password in it ([`mail::shred`]).
//! * **Nobody is silenced by others.** Replies, repeated mails and immediate answers are counted by
//!   what the mail proves: strangers, unproven mails and proven mails have separate limits, and
//!   those of the first two are reached first. Questions to newcomers are limited by hour, by
//!   domain and by the number that is open. A mail has at most eight commands, none twice, and asks
//!   one question.
//! * **A mail costs what it is worth.** Limits of size and lines apply before any reading. The
//!   robot knows whose a mail is before it looks for the words of a game in it. A card is judged
//!   once, and nobody who writes to the store waits for that ([`crate::receive`]). Mails that prove
//!   nothing share a budget of CPU time and wait until the others are judged. Tests count the steps
//!   of work ([`engine::effort`]) for mails of every shape in every game.
//! * **No mail without a proof causes more than a short text**, and that goes to the address in
//!   whose name it came, or to the seat's registered one.
//! * **Plain words are not taken for orders.** A mail without a valid order changes nothing. If it
//!   has more sentences than orders, or fewer right lines than wrong ones, the robot asks before it
//!   replaces a better card. The robot distinguishes machines from people ([`mail::hygiene`],
//!   [`crate::verdict::machines`]); a machine gets at most two mails a day (eight if it asks
//!   something). A machine that answers every hour with new lines, each of them a wrong order,
//!   looks like a person who learns, and gets five.
//! * **Practice costs little.** A game begins only after YES. The config says how many there may be
//!   at a time, an address has one at most, and a game ends when its player is silent
//!   ([`crate::practice`]).
//! * **The order desk loads and runs nothing foreign.** Its policy allows only its own script and
//!   style, by their digests, and no connection. What others wrote is only text in it. Like the
//!   printout, it has the address that is the key to the seat ([`render::desk`]).
//! * **Keys are not passed on.** Secret addresses, bare secrets, Message-IDs and the password of a
//!   heading are removed from whatever a player writes to others, however they are wrapped or
//!   encoded. Letters from one seat and letters to one address have hourly limits, by mail and by
//!   card together.
//! * **Text of others is only text.** In mails, in pages and in the output of commands it can't
//!   move or reverse the text around it. Nobody may have a name that looks like the game master's
//!   or another player's ([`base::text`], [`crate::text`]).
//! * **Unasked mail takes little room.** Mail that nothing proves is cut short and kept in a ring.
//!   While the disk is low, only mail of players is read, and the rest waits in its mailbox
//!   ([`crate::host`]). Whatever is unpacked and whatever an IMAP server answers has a limit.
//! * **What is erased is gone from the store**, also from its free pages; a mail that sets a
//!   password is also gone from the mailbox. Mails that others were sent are not erased, nor are
//!   older mails in the folders of the mailbox; FORGET says so.
//! * **Nobody chooses the dice, and anybody can check a game.** Seeds come from a chain whose end
//!   is published first, mixed with the cards of each step ([`base::chain`], which says what that
//!   does not stop). A game that is over is one file that anybody can play again
//!   ([`crate::game_file`]).
//! * **A mail can't stop the robot.** It is taken apart in another process with little memory and
//!   time, and set aside after three attempts. That process inherits no environment and may open no
//!   file, connection or program. It sees other mails only if all its mails bear the secrets of
//!   seats ([`mail::reader`]).
//!
//! * **The mail server of `deploy/GUIDE.md`** accepts no mail from outside in the name of its own
//!   mailboxes, nothing smuggled within another mail, and no claim of others about who sent a mail;
//!   `tests/guide` sends it all of these.
//!
//! # What an attacker may know
//!
//! This source, the addresses of host and players, the rules, the times of deadlines, every mail
//! that they received themselves, and all mails ever sent except those with a secret that is still
//! valid. Whoever reads a player's newest mails can act for that player; so can the player's
//! provider, and anybody to whom the mails are forwarded. Whoever reads the store's files can do
//! everything.
//!
//! Not promised: that mail arrives; that a provider who signs for a domain signs only for its
//! users; that somebody who has a mailbox for a week can't use the mails in it until SECRETS or
//! ADDRESS makes them invalid.
//!
//! # How to report
//!
//! Write to the game master of the host, who passes a fault of the program on to those who supplied
//! it. Say what you did, what you saw and what you expected, and include no mail of a player. The
//! game master sees the verdict of every mail, and `fieldpost mail explain` shows the reason for
//! it.
