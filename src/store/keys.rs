//! A new key for the host, so that an old key is of no use to anybody.

use jiff::Timestamp;

use super::db::params;
use super::{DASHBOARD, NewAct, QueuedMail, RENEWED, Reader, Result, SECRET, Store, Tx, drawn};
use base::clock::Entropy;

impl Store {
    /// Draws a new key: no earlier reply address, question, password or mail proves anything.
    /// Players still have to be notified, by [`Tx::tell_of_key`].
    ///
    /// # Errors
    /// [`super::StoreError`] as the store gives it; the key is the old one then.
    pub fn renew_key(&mut self, entropy: &dyn Entropy, act: &NewAct) -> Result<()> {
        let secret = drawn(entropy);
        self.write(|unit| {
            let tx = &unit.db;
            tx.exec("UPDATE host SET value = $2 WHERE key = $1", params![SECRET, secret])?;
            tx.exec("DELETE FROM question", params![])?;
            // Mails also count by their ids, and passwords are in mails: whoever had the store had
            // both.
            let sql = "UPDATE seat SET password_digest = '', epoch = epoch + 1,
                       epoch_mail = (SELECT coalesce(max(id), 0) FROM outbox)";
            tx.exec(sql, params![])?;
            unit.set_note(RENEWED, &act.at.to_string())?;
            unit.record_act(act)?;
            Ok::<_, super::StoreError>(())
        })?;
        self.read_key(entropy)
    }

    /// Ends the dashboard's current address and cookies, and nothing else.
    ///
    /// # Errors
    /// [`super::StoreError`] as the store gives it.
    pub fn renew_dashboard(&mut self, entropy: &dyn Entropy, act: &NewAct) -> Result<()> {
        let word = format!("{:016x}", entropy.word());
        self.write(|unit| {
            unit.set_note(DASHBOARD, &word)?;
            unit.record_act(act).map(|_| ())
        })?;
        self.read_key(entropy)
    }
}

impl Reader {
    /// When the key was drawn, if players still have to be notified of it.
    ///
    /// # Errors
    /// [`super::StoreError`] as the store gives it.
    pub fn key_renewed(&self) -> Result<Option<Timestamp>> {
        Ok(self.note(RENEWED)?.and_then(|at| at.parse().ok()))
    }
}

impl Tx<'_> {
    /// Queues the mails that announce the new key, once.
    ///
    /// # Errors
    /// [`super::StoreError`] as the store gives it.
    pub fn tell_of_key(&self, mails: &[QueuedMail], now: Timestamp) -> Result<()> {
        self.outbox().post(mails, now)?;
        self.db.exec("DELETE FROM host WHERE key = $1", params![RENEWED])?;
        Ok(())
    }
}
