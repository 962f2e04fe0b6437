//! Small mail servers on loopback, which live as long as the test's process: one that puts every
//! mail into a Maildir, and an IMAP server that lacks common features.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;

/// Starts the first; `on_top` are the fields that it writes above each mail. As `careful.test` it
/// removes results that others wrote in its name.
pub fn provider(maildir: &Path, on_top: &str) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = listener.local_addr().expect("it has an address").port();
    let (maildir, on_top) = (maildir.to_owned(), on_top.to_owned());
    std::thread::spawn(move || {
        for (number, client) in listener.incoming().flatten().enumerate() {
            let (maildir, on_top) = (maildir.clone(), on_top.clone());
            std::thread::spawn(move || talk(client, number, &maildir, &on_top));
        }
    });
    port
}

/// One session (RFC 5321); a mail at most.
fn talk(client: TcpStream, number: usize, maildir: &Path, on_top: &str) -> Option<()> {
    let mut out = client.try_clone().ok()?;
    let mut say = |line: &str| out.write_all(format!("{line}\r\n").as_bytes()).ok();
    let mut lines = BufReader::new(client).lines().map_while(Result::ok);
    say("220 provider.test")?;
    while let Some(line) = lines.next() {
        match line.split(' ').next().unwrap_or_default() {
            "DATA" => {
                say("354 go on")?;
                let mail: Vec<String> = lines.by_ref().take_while(|l| l != ".").collect();
                let forged =
                    |line: &String| line.starts_with("Authentication-Results: careful.test");
                let mail: Vec<String> = mail.into_iter().filter(|line| !forged(line)).collect();
                let text = format!("{on_top}{}\r\n", mail.join("\r\n"));
                // So that nobody sees half a mail.
                let name = format!("1790000000.{number}.provider");
                fs::write(maildir.join(&name), text).ok()?;
                fs::rename(maildir.join(&name), maildir.join("new").join(&name)).ok()?;
                say("250 taken")?;
            }
            "QUIT" => {
                say("221 bye")?;
                return Some(());
            }
            _ => say("250 fine")?,
        }
    }
    Some(())
}

/// An IMAP server that names only these abilities and lets nobody write.
pub fn poor_imap(abilities: &'static str) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = listener.local_addr().expect("it has an address").port();
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            std::thread::spawn(move || answer(client, abilities));
        }
    });
    port
}

fn answer(client: TcpStream, abilities: &str) -> Option<()> {
    let mut out = client.try_clone().ok()?;
    out.write_all(b"* OK ready\r\n").ok()?;
    for line in BufReader::new(client).lines().map_while(Result::ok) {
        let (tag, command) = line.split_once(' ')?;
        let said = match command.split(' ').next().unwrap_or_default() {
            "CAPABILITY" => format!("* CAPABILITY IMAP4rev1{abilities}\r\n{tag} OK done\r\n"),
            "LIST" => format!("* LIST () \"/\" There\r\n{tag} OK done\r\n"),
            "SELECT" => format!("* 0 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n{tag} OK done\r\n"),
            "APPEND" => format!("{tag} NO you may not\r\n"),
            _ => format!("{tag} OK done\r\n"),
        };
        out.write_all(said.as_bytes()).ok()?;
    }
    Some(())
}
