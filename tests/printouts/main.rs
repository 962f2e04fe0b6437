//! Printouts in all their forms: the same words in each, nothing that a mail program
//! drops, nothing that a player's words could break.

mod agreement;
mod book;
mod golden;
mod headlines;
mod hostile;
mod mail_html;
mod maps;
mod replies;
mod stage;
