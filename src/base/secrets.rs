//! Secrets that prove who sent a mail. They are derived from the host's key when needed,
//! never stored, and compared in constant time.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use engine::{Seat, Turn};

/// Characters of a secret. 13 characters of base32 hold 65 bits.
pub const SECRET_LEN: usize = 13;

/// The host's key of 32 bytes. It is drawn once, kept in the store, and drawn again when the game
/// master asks. Every secret is an HMAC-SHA-256 (RFC 2104) under this key, cut to [`SECRET_LEN`]
/// characters of base32 (RFC 4648 §6) in lower case.
#[derive(Clone)]
pub struct HostKey {
    secret: [u8; 32],
    /// A new word changes the secrets of the dashboard, and only those.
    dashboard: String,
}

impl std::fmt::Debug for HostKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HostKey(..)")
    }
}

impl HostKey {
    /// A key, with the dashboard's first secrets.
    pub fn new(secret: [u8; 32]) -> Self {
        Self { secret, dashboard: String::new() }
    }

    /// The same key, with secrets of the dashboard that depend on a word.
    #[must_use]
    pub fn with_dashboard(self, word: String) -> Self {
        Self { dashboard: word, ..self }
    }

    /// The secret in the reply address of a seat for one turn. `epoch` rises when the seat goes to
    /// somebody else or its player wants new secrets, and the old ones end.
    pub fn reply(&self, game: &str, seat: Seat, epoch: u32, turn: Turn) -> String {
        self.in_epoch(&["reply", game, &seat.to_string(), &turn.to_string()], epoch)
    }

    /// The secret that confirms a pending card; `raw_id` is the number of its mail in the store. It
    /// ends with the seat's epoch, like all secrets of a seat.
    pub fn confirm(&self, game: &str, seat: Seat, epoch: u32, raw_id: i64) -> String {
        self.in_epoch(&["confirm", game, &seat.to_string(), &raw_id.to_string()], epoch)
    }

    /// The secret in the address that answers the question `id`.
    pub fn question(&self, id: i64) -> String {
        self.derive(&["question", &id.to_string()])
    }

    /// The secret in the game master's reply address; `week` counts weeks since 1970.
    pub fn game_master(&self, week: i64) -> String {
        self.derive(&["game master", &week.to_string()])
    }

    /// The secret in the address by which the seat `from` reaches the seat `to`; the epoch is that
    /// of `from`, which holds the secret.
    pub fn alias(&self, game: &str, to: Seat, from: Seat, epoch: u32) -> String {
        self.in_epoch(&["alias", game, &to.to_string(), &from.to_string()], epoch)
    }

    /// The secret in the address by which a seat ends its reminders.
    pub fn stop(&self, game: &str, seat: Seat, epoch: u32) -> String {
        self.in_epoch(&["stop", game, &seat.to_string()], epoch)
    }

    /// The secret part of the return path of a mail.
    pub fn bounce(&self, message_id: &str) -> String {
        self.derive(&["bounce", message_id])
    }

    /// The part of a Message-ID that nobody can guess; `parts` identify the mail.
    pub fn message(&self, parts: &[&str]) -> String {
        let mut all = vec!["message"];
        all.extend(parts);
        self.derive(&all)
    }

    /// A short name of the store, used to mark its mailboxes. It proves nothing.
    pub fn store_id(&self) -> String {
        self.derive(&["store"])[..8].to_owned()
    }

    /// A secret of the dashboard; `parts` say whether it is for its address, its cookie or one of
    /// its forms.
    pub fn dashboard(&self, parts: &[&str]) -> String {
        let mut all = vec!["dashboard"];
        all.extend(parts);
        all.extend((!self.dashboard.is_empty()).then_some(self.dashboard.as_str()));
        self.derive(&all)
    }

    /// The digest of a password that the store keeps; it is useless without the host's key. Case
    /// does not matter in passwords.
    pub fn password_digest(&self, game: &str, seat: Seat, password: &str) -> String {
        self.derive(&["password", game, &seat.to_string(), &password.to_lowercase()])
    }

    /// Adds the epoch, except the first, so that a seat in its first epoch has the same secrets as
    /// before epochs existed.
    fn in_epoch(&self, parts: &[&str], epoch: u32) -> String {
        let raised = epoch.to_string();
        let raised = (epoch > 0).then_some(raised.as_str());
        let parts: Vec<&str> = parts.iter().copied().chain(raised).collect();
        self.derive(&parts)
    }

    fn derive(&self, parts: &[&str]) -> String {
        // HMAC takes keys of any length.
        let mut mac =
            <Hmac<Sha256> as KeyInit>::new_from_slice(&self.secret).expect("any key length");
        for part in parts {
            // The length keeps `ab`, `c` apart from `a`, `bc`.
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        let all = BASE32_NOPAD.encode(&mac.finalize().into_bytes()).to_lowercase();
        all[..SECRET_LEN].to_owned()
    }
}

/// Whether two secrets are the same. The time that this takes does not show where they differ.
pub fn same(a: &str, b: &str) -> bool {
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

/// A password that a person can type: 16 characters of base32 from the first 80 bits of
/// `words`.
pub fn password(words: [u64; 2]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_be_bytes()).take(10).collect();
    BASE32_NOPAD.encode(&bytes).to_lowercase()
}

/// The SHA-256 digest in hexadecimal, 64 characters in lower case.
pub fn sha256_hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(bytes))
}

/// The digest of a turn's seed. The host publishes it first and the seed later, so that
/// everybody can check the seed.
pub fn seed_digest(game: &str, turn: Turn, seed: u64) -> String {
    sha256_hex(format!("{game} {turn} {seed:016x}").as_bytes())
}
