//! Sends failed mails again.

use super::{Done, Gm, GmAction};
use crate::context::{Result, refuse};

/// Puts failed mails into the outbox again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resend {
    /// Number of the mail in the outbox; `None`: all.
    pub mail: Option<i64>,
}

impl GmAction for Resend {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let said = match gm.tx.outbox().send_again(self.mail, gm.cx.now())? {
            0 => return refuse("no mail failed; \"fieldpost mail unsent\" lists those that did"),
            1 => "One mail is in the outbox again.".to_owned(),
            n => format!("{n} mails are in the outbox again."),
        };
        let what = self.mail.map_or("all unsent mails were sent again".to_owned(), |id| {
            format!("mail {id} was sent again")
        });
        Ok(Done::of_host("resend", what, None, said))
    }
}
