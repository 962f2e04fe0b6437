//! Draws new keys for the host when somebody else may have the old ones.

use base::text::count;
use store::{NewAct, Status};
use tongue::say;

use crate::MARK;
use crate::Robot;
use crate::context::{Result, refuse};
use crate::gm::By;
use crate::mailer::Mailer;

impl Robot {
    /// Draws a new key and notifies every player. Whatever was written earlier no longer proves
    /// anything: reply addresses, questions, passwords, relayed addresses, the dashboard's address.
    /// With `now`, mails under way are no reason to wait; the addresses in them are no longer valid
    /// when they leave.
    ///
    /// # Errors
    /// [`crate::RobotError::Refused`] while mails are under way; [`crate::RobotError::Store`] when
    /// the store fails.
    pub fn renew_keys(&mut self, now: bool) -> Result<usize> {
        let mails = self.store.outbox().outbox_counts()?.waiting;
        if mails > 0 && !now {
            return refuse(format!(
                "{} wait to be sent, and answers to them would be refused: let \"fieldpost serve\" send \
                 them first, or say --now",
                count(mails, "mail")
            ));
        }
        // The store keeps the mark by which its mailboxes know it.
        let mark = self.reports().mailbox_mark()?;
        self.store.write(|tx| tx.set_note(MARK, &mark))?;
        let (entropy, act) = (self.cx.entropy.clone(), act_of(self, "the host has new keys"));
        self.store.renew_key(entropy.as_ref(), &act)?;
        tracing::info!("the host has new keys");
        tell_of_keys(self)
    }
}

/// Draws new secrets of the dashboard only: its old address and all its cookies become invalid.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub fn renew_dashboard(robot: &mut Robot) -> Result<()> {
    let entropy = robot.cx.entropy.clone();
    let act = act_of(robot, "the dashboard has a new address");
    robot.store.renew_dashboard(entropy.as_ref(), &act)?;
    tracing::info!("the dashboard has a new address");
    Ok(())
}

fn act_of<'a>(robot: &Robot, what: &'a str) -> NewAct<'a> {
    let by = By::Shell.as_str();
    NewAct { at: robot.cx.now(), by, game: None, kind: "key", what, back: "" }
}

/// Notifies the players who have not yet heard of a new key, and returns how many mails that takes.
/// The process that drew the key may have ended before it notified them.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub fn tell_of_keys(robot: &mut Robot) -> Result<usize> {
    let Some(at) = robot.store.key_renewed()? else { return Ok(0) };
    let (now, mailer) = (robot.cx.now(), Mailer::new(&robot.cx, &robot.store));
    let words = || {
        let text = say!(
            "The game master has changed the keys of this host. No mail and no reply address \
             that you have had so far is a proof any more, nor is your password: answer this \
             mail, or one that is written after it, and set a new password with PASSWORD if \
             you use one. Your orders on file are as they were."
        );
        (say!("your reply address has changed"), text)
    };
    let id_key = format!("key {at}");
    let mut mails = Vec::new();
    for game in robot.store.games().all()? {
        if game.status != Status::Over {
            mails.extend(mailer.tell_all(&game, None, &words, &id_key, now)?);
        }
    }
    let told = mails.len();
    let text = "The host has new keys, and every player was told. The dashboard has a new \
                address (\"fieldpost dashboard\"). Questions that were open are void, and cards \
                that wait for a YES are yours to release (\"fieldpost mail quarantine\").";
    mails.extend(mailer.gm_mail("the host has new keys", text, &["key", &id_key], now));
    robot.store.write(|tx| tx.tell_of_key(&mails, now))?;
    Ok(told)
}
