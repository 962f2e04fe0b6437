//! Printouts in all formats: the same words in each, nothing that a mail program drops, and no harm
//! from a player's words.

mod agreement;
mod book;
mod golden;
mod headlines;
mod hostile;
mod mail_html;
mod maps;
mod replies;
mod stage;
