//! An IMAP server that answers each command at once, and sometimes badly (RFC 3501, 6851).

use std::collections::VecDeque;
use std::io::{self, Read, Write};

use crate::net::{Net, Shared, header, lock};

/// Faults of an answer.
pub const FAULTS: &[&str] = &[
    "IMAP cut before the command",
    "IMAP cut within the answer",
    "IMAP cut after the command",
    "IMAP says NO",
    "IMAP says BYE",
    "IMAP is silent",
    "killed before an IMAP command",
    "killed after an IMAP command",
];

/// One connection of the robot.
pub struct Line {
    net: Shared,
    epoch: u64,
    /// Bytes that the robot wrote and that are not a whole line yet.
    said: Vec<u8>,
    /// Bytes that the robot has not read yet.
    answers: VecDeque<u8>,
    end: Option<End>,
    can_move: bool,
    idling: Option<String>,
}

/// How a connection ends once its answers are read.
#[derive(Clone, Copy)]
enum End {
    Closed,
    Silent,
}

pub fn dial(net: &Shared) -> io::Result<Box<dyn mail::imap::Transport>> {
    let mut inner = lock(net);
    if inner.is_dead() {
        return Err(io::ErrorKind::ConnectionRefused.into());
    }
    let (mut greeting, mut end) = (b"* OK ready\r\n".to_vec(), None);
    if inner.fails() {
        match inner.chance.below(4) {
            0 => {
                inner.count("IMAP greeting cut");
                greeting.truncate(inner.chance.below(greeting.len() as u64) as usize);
                end = Some(End::Closed);
            }
            1 => {}
            _ => return Err(io::ErrorKind::ConnectionRefused.into()),
        }
    }
    let can_move = inner.chance.one_in(2);
    let (epoch, net) = (inner.epoch, net.clone());
    drop(inner);
    let answers = VecDeque::from(greeting);
    Ok(Box::new(Line { net, epoch, said: Vec::new(), answers, end, can_move, idling: None }))
}

impl Net {
    fn fails(&mut self) -> bool {
        let often = self.faults.imap;
        self.chance.one_in(often)
    }
}

impl Read for Line {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.answers.is_empty() {
            return match self.end {
                Some(End::Closed) => Ok(0),
                Some(End::Silent) => Err(io::ErrorKind::WouldBlock.into()),
                // A robot that reads without having asked would wait for ever.
                None => Err(io::Error::other("nothing was asked")),
            };
        }
        let n = buf.len().min(self.answers.len());
        buf.iter_mut().zip(self.answers.drain(..n)).for_each(|(to, byte)| *to = byte);
        Ok(n)
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.end.is_some() || lock(&self.net).epoch != self.epoch {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.said.extend(bytes);
        while let Some(end) = self.said.windows(2).position(|w| w == b"\r\n") {
            let line: Vec<u8> = self.said.drain(..end + 2).collect();
            self.command(String::from_utf8_lossy(&line[..end]).as_ref());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Line {
    fn command(&mut self, line: &str) {
        // Another process acts while this one waits for its answer.
        let meanwhile = lock(&self.net).meanwhile.take();
        if let Some(mut act) = meanwhile {
            act();
            lock(&self.net).meanwhile = Some(act);
        }
        let net = self.net.clone();
        let mut net = lock(&net);
        if net.is_dead() {
            self.end = Some(End::Closed);
            return;
        }
        if net.faults.imap > 0 && net.chance.one_in(10) {
            // Servers take time, and mails come meanwhile.
            let seconds = net.chance.below(90) as i64;
            net.count("time passed within a step");
            net.pass(seconds);
        }
        let fault = net.fails().then(|| *net.chance.of(FAULTS));
        if let Some(fault) = fault {
            net.count(fault);
        }
        let tag = line.split(' ').next().unwrap_or_default().to_owned();
        match fault {
            Some("IMAP cut before the command") => return self.end = Some(End::Closed),
            Some("killed before an IMAP command") => {
                net.kill("killed at an IMAP command");
                return self.end = Some(End::Closed);
            }
            Some("IMAP says NO") if line != "DONE" => {
                self.say(&format!("{tag} NO [UNAVAILABLE] not now\r\n"));
                return;
            }
            Some("IMAP says BYE") => {
                self.say("* BYE the server stops\r\n");
                return self.end = Some(End::Closed);
            }
            Some("IMAP is silent") => return self.end = Some(End::Silent),
            _ => {}
        }
        let before = self.answers.len();
        self.perform(&mut net, line);
        match fault {
            Some("IMAP cut within the answer") => {
                let more = self.answers.len() - before;
                let kept = before + net.chance.below(more as u64 + 1) as usize;
                self.answers.truncate(kept);
                self.end = Some(End::Closed);
            }
            Some("IMAP cut after the command") => {
                self.answers.truncate(before);
                self.end = Some(End::Closed);
            }
            Some("killed after an IMAP command") => {
                net.kill("killed at an IMAP command");
                self.end = Some(End::Closed);
            }
            _ => {}
        }
    }

    fn say(&mut self, text: &str) {
        self.answers.extend(text.as_bytes());
    }

    fn perform(&mut self, net: &mut Net, line: &str) {
        if line == "DONE" {
            let tag = self.idling.take().unwrap_or_default();
            return self.say(&format!("{tag} OK done\r\n"));
        }
        let (tag, command) = line.split_once(' ').unwrap_or((line, ""));
        let words: Vec<&str> = command.split(' ').collect();
        let upper: Vec<String> = words.iter().map(|w| w.to_uppercase()).collect();
        let verb: Vec<&str> = upper.iter().map(String::as_str).collect();
        match verb.as_slice() {
            ["CAPABILITY"] => {
                let more = if self.can_move { " MOVE" } else { "" };
                self.say(&format!("* CAPABILITY IMAP4rev1 IDLE UIDPLUS{more}\r\n"));
            }
            ["LOGIN", ..] | ["NOOP"] => self.tell_of_flags(net),
            ["LIST", ..] => {
                let pattern = words.last().map_or("", |w| w.trim_matches('"'));
                let is_named = |folder: &&String| match pattern.strip_suffix('%') {
                    Some(start) => folder.starts_with(start),
                    None => *folder == pattern,
                };
                for folder in net.folders.iter().filter(is_named) {
                    self.say(&format!("* LIST () \"/\" \"{folder}\"\r\n"));
                }
            }
            ["CREATE", ..] => {
                let folder = words[1].trim_matches('"').to_owned();
                net.folders.insert(folder);
            }
            ["SELECT", ..] => {
                let (n, validity) = (inbox(net).count(), net.validity);
                self.say(&format!(
                    "* FLAGS (\\Seen \\Deleted)\r\n* {n} EXISTS\r\n* 0 RECENT\r\n* OK [UIDVALIDITY \
                     {validity}] valid\r\n* OK [UIDNEXT {}] next\r\n",
                    net.next_uid
                ));
            }
            ["UID", "SEARCH", ..] => {
                let uids: Vec<String> =
                    inbox(net).filter(|m| !m.deleted).map(|m| m.uid.to_string()).collect();
                self.say(&format!("* SEARCH {}\r\n", uids.join(" ")));
            }
            ["UID", "FETCH", set, ..] => self.fetch(net, set, &command.to_uppercase()),
            ["UID", "MOVE", set, ..] => {
                let folder = words[3].trim_matches('"').to_owned();
                let uids = uids(set);
                let of =
                    |m: &&mut crate::net::Message| m.folder == "INBOX" && uids.contains(&m.uid);
                net.messages.iter_mut().filter(of).for_each(|m| m.folder.clone_from(&folder));
            }
            ["UID", "COPY", set, ..] => {
                let folder = words[3].trim_matches('"').to_owned();
                let uids = uids(set);
                let mut copies: Vec<_> =
                    inbox(net).filter(|m| uids.contains(&m.uid)).cloned().collect();
                for copy in &mut copies {
                    copy.folder.clone_from(&folder);
                    copy.uid = net.next_uid;
                    net.next_uid += 1;
                }
                net.messages.extend(copies);
            }
            ["UID", "STORE", set, ..] => {
                let uids = uids(set);
                let of =
                    |m: &&mut crate::net::Message| m.folder == "INBOX" && uids.contains(&m.uid);
                net.messages.iter_mut().filter(of).for_each(|m| m.deleted = true);
            }
            ["UID", "EXPUNGE", set] => {
                let uids = uids(set);
                net.messages
                    .retain(|m| m.folder != "INBOX" || !m.deleted || !uids.contains(&m.uid));
            }
            ["IDLE"] => {
                self.idling = Some(tag.to_owned());
                let n = inbox(net).count();
                return self.say(&format!("+ idling\r\n* {n} EXISTS\r\n"));
            }
            ["LOGOUT"] => self.say("* BYE\r\n"),
            _ => return self.say(&format!("{tag} BAD {command}\r\n")),
        }
        self.say(&format!("{tag} OK done\r\n"));
    }

    /// A server may report flags at any time, without a UID.
    fn tell_of_flags(&mut self, net: &mut Net) {
        if net.chance.one_in(5) && inbox(net).count() > 0 {
            self.say("* 1 FETCH (FLAGS (\\Seen))\r\n");
        }
    }

    fn fetch(&mut self, net: &mut Net, set: &str, command: &str) {
        if net.faults.imap > 0 && net.chance.one_in(20) {
            net.remove_one();
        }
        let uids = uids(set);
        let found: Vec<_> = inbox(net)
            .enumerate()
            .filter(|(_, m)| uids.contains(&m.uid))
            .map(|(i, m)| (i + 1, m.clone()))
            .collect();
        for (n, m) in found {
            if command.contains("BODY.PEEK[]") {
                let size = m.bytes.len();
                let key = format!("{}/{}", net.validity, m.uid);
                net.fetched.insert(key, header(&m.bytes, "Message-ID"));
                self.say(&format!("* {n} FETCH (UID {} BODY[] {{{size}}}\r\n", m.uid));
                self.answers.extend(&m.bytes);
                self.say(")\r\n");
            } else {
                let at = jiff::Timestamp::from_second(m.received).expect("a time");
                let at = at.strftime("%d-%b-%Y %H:%M:%S +0000");
                self.say(&format!(
                    "* {n} FETCH (UID {} RFC822.SIZE {} INTERNALDATE \"{at}\")\r\n",
                    m.uid,
                    m.bytes.len()
                ));
            }
        }
    }
}

fn inbox(net: &Net) -> impl Iterator<Item = &crate::net::Message> {
    net.messages.iter().filter(|m| m.folder == "INBOX")
}

/// The UIDs of a set such as `3,5,7`.
fn uids(set: &str) -> Vec<u32> {
    set.split(',').filter_map(|n| n.parse().ok()).collect()
}

/// The Message-IDs of all mails in a folder that are not deleted.
pub fn in_folder(net: &Net, folder: &str) -> Vec<String> {
    let of = net.messages.iter().filter(|m| m.folder == folder && !m.deleted);
    of.map(|m| header(&m.bytes, "Message-ID")).collect()
}
