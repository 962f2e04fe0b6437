//! Passwords that players choose: which are good enough, and how they are stored.
//!
//! A password that the robot draws has 80 bits and is kept as a digest under the host's key
//! ([`HostKey::password_digest`]); guessing it is hopeless. A password that a person chose can be
//! guessed by anybody with a copy of the store, so it is kept as Argon2id (RFC 9106), which makes
//! each guess expensive.

use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use engine::Seat;
use tongue::say;

use super::secrets::{HostKey, same};

/// The length of a password in characters.
pub const LENGTH: std::ops::RangeInclusive<usize> = 10..=100;
/// The least resistance to guessing, on the scale of zxcvbn from 0 to 4.
const SCORE_MIN: u8 = 3;
/// Memory in KiB, passes and lanes of Argon2id: the minimum of RFC 9106 §4 and OWASP.
const COST: (u32, u32, u32) = (19_456, 2, 1);

/// Why a password is refused, as a sentence; `None`: it is accepted. `words` are names of its
/// player.
pub fn fault(password: &str, words: &[&str]) -> Option<String> {
    let length = password.chars().count();
    if !LENGTH.contains(&length) {
        let (least, most) = (LENGTH.start(), LENGTH.end());
        return Some(say!("A password has {least} to {most} characters."));
    }
    if !password.starts_with(char::is_alphanumeric) {
        return Some(say!("A password begins with a letter or a digit."));
    }
    let guessed = u8::from(zxcvbn::zxcvbn(password, words).score());
    (guessed < SCORE_MIN).then(|| {
        say!(
            "That password is among the first that a program would try: it is common, or too \
             regular. Join three words that have nothing to do with each other."
        )
    })
}

/// Whether a value only marks the place of a password, as in help: the same sign repeated, dots
/// directly followed by more text, or a sign and too few characters for a password.
pub fn is_form(value: &str) -> bool {
    let word = value.trim_start_matches(|c: char| !c.is_alphanumeric());
    let signs = &value[..value.len() - word.len()];
    let dots = signs.strip_prefix("...").or_else(|| signs.strip_prefix('…'));
    let short = !signs.is_empty() && value.chars().count() < *LENGTH.start();
    let line = signs.chars().next().is_some_and(|sign| value.chars().all(|c| c == sign));
    short || line || !word.is_empty() && dots.is_some_and(|behind| !behind.is_empty())
}

/// The stored form of a password that a player chose. Case does not matter in passwords.
pub fn digest(password: &str, words: [u64; 2]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_be_bytes()).collect();
    // 16 bytes are a valid salt, and these costs are allowed.
    let salt = SaltString::encode_b64(&bytes).expect("16 bytes are a salt");
    let hash = argon2id().hash_password(password.to_lowercase().as_bytes(), &salt);
    hash.expect("the costs are allowed").to_string()
}

/// Whether a stored password was chosen by a person: checking it is expensive, and it may be
/// guessed.
pub fn is_chosen(kept: &str) -> bool {
    PasswordHash::new(kept).is_ok()
}

/// Whether a password is that of a seat, checked against its stored form.
pub fn is_right(key: &HostKey, (game, seat): (&str, Seat), password: &str, kept: &str) -> bool {
    match PasswordHash::new(kept) {
        Ok(hash) => argon2id().verify_password(password.to_lowercase().as_bytes(), &hash).is_ok(),
        Err(_) => same(&key.password_digest(game, seat, password), kept),
    }
}

fn argon2id() -> Argon2<'static> {
    let (memory, passes, lanes) = COST;
    let params = Params::new(memory, passes, lanes, None).expect("the costs are allowed");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_regular_and_short_passwords_are_refused_with_the_reason() {
        for bad in [
            "short",
            "aaaaaaaaaa",
            "password12",
            "1234567890",
            "qwertyuiop",
            "Passw0rd123",
            "abcabcabcabc",
            "annaannaanna",
            "letmein1234",
            "...&quot;.</li><li",
            "-------------",
            "\"river-anvil-pluto\"",
        ] {
            assert!(fault(bad, &["anna", "anna@example.org"]).is_some(), "{bad}");
        }
        for good in ["river-anvil-pluto", "correcthorsebattery", "xk7qpa93nmbz"] {
            assert_eq!(fault(good, &["anna"]), None, "{good}");
        }
    }

    #[test]
    fn dots_and_signs_only_show_where_a_password_stands() {
        for form in ["...", "...\".", "...&quot;.</li><li", "…", "-------------", "(a"] {
            assert!(is_form(form), "{form}");
        }
        for word in
            ["three", "...river-anvil-pluto", "\"river-anvil-pluto\"", "$Tr0ub4d0r", "§%&/()=?*+#~"]
        {
            assert!(!is_form(word), "{word}");
        }
    }

    #[test]
    fn a_chosen_password_is_known_again_and_a_drawn_one_by_the_hosts_key() {
        let (key, seat) = (HostKey::new([7; 32]), Seat(1));
        let kept = digest("River-Anvil-Pluto", [1, 2]);
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert_ne!(kept, digest("River-Anvil-Pluto", [1, 3]), "each has a salt of its own");
        for (password, right) in [("river-anvil-pluto", true), ("river-anvil-mars", false)] {
            assert_eq!(is_right(&key, ("W7", seat), password, &kept), right);
        }
        let drawn = key.password_digest("W7", seat, "abc");
        assert!(is_right(&key, ("W7", seat), "ABC", &drawn));
        assert!(!is_right(&key, ("W7", seat), "abd", &drawn));
        assert!(!is_right(&key, ("W7", seat), "", ""), "an erased seat has none");
    }
}
