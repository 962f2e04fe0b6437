//! A mail of the robot as a player's mail program sees it, and the answer to it.
//!
//! Parsed without the robot's own code, which could hide its own faults.

use std::fmt::Write as _;

/// A mail that came to a player.
#[derive(Debug, Clone)]
pub struct Letter {
    head: Vec<(String, String)>,
    /// The text as it was transferred, quoted-printable.
    pub body: String,
}

impl Letter {
    /// Reads a mail as it is in the mailbox.
    pub fn read(raw: &[u8]) -> Self {
        let text = String::from_utf8_lossy(raw).replace("\r\n", "\n");
        let (head, body) = text.split_once("\n\n").unwrap_or((&text, ""));
        let head = head.replace("\n ", " ").replace("\n\t", " ");
        let field = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_lowercase(), value.trim().to_owned()))
        };
        Self { head: head.lines().filter_map(field).collect(), body: body.to_owned() }
    }

    /// The first field of a name, or nothing.
    pub fn field(&self, name: &str) -> &str {
        let found = self.head.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
        found.map_or("", |(_, value)| value)
    }

    /// The Message-ID without its brackets.
    pub fn id(&self) -> &str {
        self.field("Message-ID").trim_matches(['<', '>'])
    }

    /// Whether this is a mail of a kind (`p`rintout, `e`cho) of a turn, by its Message-ID.
    pub fn is(&self, kind: &str, turn: u32) -> bool {
        let parts: Vec<&str> = self.id().split('.').collect();
        parts.get(1) == Some(&turn.to_string().as_str()) && parts.get(3) == Some(&kind)
    }

    /// The address that an answer goes to.
    pub fn reply_to(&self) -> String {
        let field = self.field("Reply-To");
        let address = field.split_once('<').map_or(field, |(_, rest)| rest);
        address.trim_end_matches('>').to_owned()
    }

    /// Everything in the mail that proves a seat: secrets of the reply address and of the id.
    pub fn secrets(&self) -> Vec<String> {
        let reply = self.reply_to();
        let local = reply.split('@').next().unwrap_or_default();
        let of_reply = local.split('.').nth(2);
        let local = self.id().split('@').next().unwrap_or_default();
        of_reply.into_iter().chain(local.split('.').nth(4)).map(str::to_owned).collect()
    }

    /// A player's answer: the card at the top, the first lines of this mail quoted below.
    pub fn answer(&self, from: &str, id: &str, card: &str) -> String {
        let mut raw = format!(
            "From: A Player <{from}>\nTo: <{}>\nSubject: Re: {}\nMessage-ID: <{id}>\n\
             In-Reply-To: <{}>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n\
             {card}\n\nThe robot wrote:\n",
            self.reply_to(),
            self.field("Subject"),
            self.id()
        );
        for line in self.body.lines().take(12) {
            writeln!(raw, "> {line}").expect("memory takes it");
        }
        raw
    }
}
