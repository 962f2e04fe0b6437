//! Secrets that prove who sent a mail: derived, never stored, compared in
//! constant time.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use engine::{Seat, Turn};

/// Characters of a secret: 13 of base32 are 65 bits.
pub const SECRET_LEN: usize = 13;

/// The host's key, drawn once and kept in the store.
#[derive(Clone)]
pub struct HostKey(pub [u8; 32]);

impl std::fmt::Debug for HostKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HostKey(..)")
    }
}

impl HostKey {
    /// The secret of a seat's reply address for one turn.
    pub fn reply(&self, game: &str, seat: Seat, turn: Turn) -> String {
        self.derive(&["reply", game, &seat.to_string(), &turn.to_string()])
    }

    /// The secret that confirms a held card.
    pub fn confirm(&self, game: &str, seat: Seat, raw_id: i64) -> String {
        self.derive(&["confirm", game, &seat.to_string(), &raw_id.to_string()])
    }

    /// The secret that answers a question.
    pub fn question(&self, id: i64) -> String {
        self.derive(&["question", &id.to_string()])
    }

    /// The secret of the game master's reply address for a week since 1970.
    pub fn game_master(&self, week: i64) -> String {
        self.derive(&["game master", &week.to_string()])
    }

    /// The secret of the address by which one seat reaches another.
    pub fn alias(&self, game: &str, to: Seat, from: Seat) -> String {
        self.derive(&["alias", game, &to.to_string(), &from.to_string()])
    }

    /// The secret of the address that ends reminders.
    pub fn stop(&self, game: &str, seat: Seat) -> String {
        self.derive(&["stop", game, &seat.to_string()])
    }

    /// The secret part of a return path.
    pub fn bounce(&self, message_id: &str) -> String {
        self.derive(&["bounce", message_id])
    }

    /// The unguessable part of a Message-ID.
    pub fn message(&self, parts: &[&str]) -> String {
        let mut all = vec!["message"];
        all.extend(parts);
        self.derive(&all)
    }

    /// A secret of the dashboard: of its address, of its cookie, of one of its forms.
    pub fn dashboard(&self, parts: &[&str]) -> String {
        let mut all = vec!["dashboard"];
        all.extend(parts);
        self.derive(&all)
    }

    /// How a password is stored: useless without the host's key.
    pub fn password_digest(&self, game: &str, seat: Seat, password: &str) -> String {
        self.derive(&["password", game, &seat.to_string(), &password.to_lowercase()])
    }

    fn derive(&self, parts: &[&str]) -> String {
        // Any length of key is accepted.
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&self.0).expect("any key length");
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        let all = BASE32_NOPAD.encode(&mac.finalize().into_bytes()).to_lowercase();
        all[..SECRET_LEN].to_owned()
    }
}

/// Whether two secrets are the same, without telling by time where they differ.
pub fn same(a: &str, b: &str) -> bool {
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

/// A password that a person can type: 80 bits.
pub fn password(words: [u64; 2]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_be_bytes()).take(10).collect();
    BASE32_NOPAD.encode(&bytes).to_lowercase()
}

/// SHA-256 in hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(bytes))
}

/// The published digest of a turn's seed.
pub fn seed_digest(game: &str, turn: Turn, seed: u64) -> String {
    sha256_hex(format!("{game} {turn} {seed:016x}").as_bytes())
}
