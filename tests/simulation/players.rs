//! The players: they answer printouts early, late, often, twice, wrongly, or by machine.

use std::collections::{BTreeMap, BTreeSet};

use crate::net::{self, Net, header};
use crate::world::TOY;
use support::chance::Chance;

/// A card that somebody mailed.
#[derive(Debug, Clone)]
pub struct Card {
    pub game: String,
    pub seat: u8,
    pub turn: u32,
    /// The orders as they were written.
    pub text: String,
}

/// The past and future acts of the players.
#[derive(Debug, Default)]
pub struct Players {
    /// Addresses by game and seat.
    pub seats: BTreeMap<(String, u8), String>,
    /// Cards by Message-ID.
    pub cards: BTreeMap<String, Card>,
    /// Message-IDs of mails that no person wrote.
    pub automatic: BTreeSet<String>,
    /// Message-IDs of cards with a secret that is wrong.
    pub forged: BTreeSet<String>,
    /// Mails that will be written: when, raw.
    plans: Vec<(i64, Vec<u8>)>,
    /// How many of the server's mails were read.
    read: usize,
    written: u32,
    resting: bool,
}

fn raw(from: &str, to: &str, id: &str, more: &str, body: &str) -> Vec<u8> {
    format!(
        "Return-Path: <{from}>\r\nFrom: <{from}>\r\nTo: <{to}>\r\nSubject: Re: orders\r\n\
         Message-ID: <{id}>\r\n{more}Content-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n"
    )
    .into_bytes()
}

/// Whether a mail with this subject opens a step for its reader, in full or in short.
pub fn is_printout(subject: &str) -> bool {
    let printout = ["printout", ", orders due ", " begins: ", " is over: ", ", turn "];
    let brief = ["orders are awaited: step ", "] step "];
    printout.iter().chain(&brief).any(|w| subject.contains(w))
}

impl Players {
    /// Adds a player of a seat; returns the address.
    pub fn add(&mut self, game: &str, seat: u8) -> String {
        let address = format!("{}{seat}@players.example", game.to_lowercase());
        self.seats.insert((game.to_owned(), seat), address.clone());
        address
    }

    pub fn address(&self, game: &str, seat: u8) -> String {
        self.seats[&(game.to_owned(), seat)].clone()
    }

    /// From now on nobody plans anything new.
    pub fn rest(&mut self) {
        self.resting = true;
    }

    /// Whether the storm is over.
    pub fn are_at_rest(&self) -> bool {
        self.resting
    }

    fn id(&mut self) -> String {
        self.written += 1;
        format!("m{}@players.example", self.written)
    }

    /// Reads new mails and writes what is due.
    pub fn act(&mut self, net: &net::Shared, chance: &mut Chance) {
        let mut net = net::lock(net);
        let new: Vec<(String, Vec<u8>)> =
            net.taken[self.read..].iter().map(|t| (t.to.clone(), t.bytes.clone())).collect();
        self.read = net.taken.len();
        for (to, bytes) in new {
            self.reads(&mut net, chance, &to, &bytes);
        }
        let now = net.now;
        let (due, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.plans).into_iter().partition(|(at, _)| *at <= now);
        self.plans = later;
        due.into_iter().for_each(|(_, bytes)| net.send(bytes));
    }

    fn reads(&mut self, net: &mut Net, chance: &mut Chance, me: &str, bytes: &[u8]) {
        let Some(((game, seat), _)) = self.seats.iter().find(|(_, a)| *a == me) else { return };
        let (game, seat) = (game.clone(), *seat);
        let subject = header(bytes, "Subject");
        let (to, theirs) = (header(bytes, "Reply-To"), header(bytes, "Message-ID"));
        let to = to.rsplit('<').next().unwrap_or_default().to_owned();
        if (game.as_str(), seat) == ("L1", 2) {
            // A badly made vacation responder: it answers everything at once.
            let id = self.id();
            self.automatic.insert(id.clone());
            let more = format!("Auto-Submitted: auto-replied\r\nIn-Reply-To: <{theirs}>\r\n");
            net.send(raw(me, &to, &id, &more, "I am away.\r\nM 5"));
        }
        let turn = subject.split(" T").nth(1).and_then(|t| t.split(' ').next()?.parse().ok());
        let Some(turn) = turn.filter(|_| is_printout(&subject) && !self.resting) else {
            return;
        };
        let awaited = ["orders due", "are awaited", "first printout"];
        let cards = match game.as_str() {
            // Players who are not awaited send nothing, and one card ends the wait.
            TOY if (turn, seat) != (1, 1) && subject.contains("first printout") => 0,
            TOY if !awaited.iter().any(|w| subject.contains(w)) => 0,
            TOY => chance.below(4).min(1),
            _ => chance.below(4),
        };
        for _ in 0..cards {
            let at = net.now + chance.below(9 * 3600) as i64;
            let card = match subject.contains("challenges") {
                true => format!("Q {}", chance.below(6) + 1),
                false => self.card(&game, chance),
            };
            let plan = self.mail_card(&game, seat, turn, &to, &card, chance);
            self.plans.push((at, plan));
        }
        if chance.one_in(8) {
            let at = net.now + chance.below(3600) as i64;
            let word = *chance.of(&["STATUS", "HELP", "CARD", "RESEND", "STAUTS"]);
            let id = self.id();
            self.plans.push((at, raw(me, &to, &id, "", word)));
        }
        if chance.one_in(10) {
            // Somebody tries to play another's seat with an invented secret.
            let at = net.now + chance.below(3600) as i64;
            let id = self.id();
            self.forged.insert(id.clone());
            let to = format!("robot+{game}.{}.aaaaaaaaaaaaa@fieldpost.example", seat % 4 + 1);
            self.plans.push((at, raw("thief@elsewhere.example", &to, &id, "", "M 99")));
        }
    }

    /// Orders that nobody else writes.
    fn card(&mut self, game: &str, chance: &mut Chance) -> String {
        self.written += 1;
        match game {
            "L1" if chance.one_in(40) => "M 666".to_owned(),
            "L1" => format!("M {}", 1000 + self.written),
            TOY => {
                let n = self.written;
                let more = match n % 4 {
                    0 => format!("GUARD {n}\n"),
                    1 => format!("HIDE {n}\n"),
                    _ => String::new(),
                };
                match chance.one_in(3) {
                    true => format!("{more}ATTACK {}\nEND", chance.below(4) + 1),
                    false => format!("{more}SAY {n}\nEND"),
                }
            }
            _ => format!("@ P{}CY", self.written),
        }
    }

    fn mail_card(
        &mut self,
        game: &str,
        seat: u8,
        turn: u32,
        to: &str,
        text: &str,
        chance: &mut Chance,
    ) -> Vec<u8> {
        let id = self.id();
        let card = Card { game: game.to_owned(), seat, turn, text: text.to_owned() };
        self.cards.insert(id.clone(), card);
        let quoted = if chance.one_in(2) { "\r\n\r\n> what you wrote\r\n> M 1" } else { "" };
        raw(&self.address(game, seat), to, &id, "", &format!("{text}{quoted}"))
    }

    /// A card in place of one that an engine failed on.
    pub fn better_card(&mut self, net: &net::Shared, game: &str, seat: u8, turn: u32, to: &str) {
        let mut chance = Chance(u64::from(self.written));
        self.written += 1;
        let text = format!("M {}", 1000 + self.written);
        let bytes = self.mail_card(game, seat, turn, to, &text, &mut chance);
        net::lock(net).send(bytes);
    }
}
