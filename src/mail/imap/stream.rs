//! The stream for all answers of an IMAP server. The client library holds an answer in memory
//! whatever its size and follows brackets to any depth, so the limits are enforced here.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use imap::extensions::idle::SetReadTimeout;
use rustls::{ClientConnection, StreamOwned};
use tokio::time::Instant;

use super::{ImapAccount, Transport};

/// Octets of an answer outside of mails: enough for the numbers of half a million messages.
pub(super) const ANSWER_MAX: u64 = 4_000_000;
/// Lines of an answer. A batch of messages has fifty, and a new session has no older changes to
/// report.
const LINES_MAX: u32 = 20_000;
/// Brackets that a line may open. Lines that we ask for have a handful, and each bracket costs the
/// client some stack.
const BRACKETS_MAX: u32 = 100;
/// Octets of a line before a literal; the client reads them again with each line of the literal.
const BEFORE_LITERAL_MAX: usize = 1000;
/// Literals in one response, and lines in one answer that seem to announce a literal.
const LITERALS_MAX: u32 = 100;
/// A whole answer may take this many times as long as one read.
const WHOLE: u32 = 5;

/// A TCP stream on which no read goes on beyond a given instant.
pub(super) struct Line {
    tcp: TcpStream,
    /// How long a read may take.
    patience: Duration,
    /// The instant by which the answer must have come.
    until: Instant,
}

impl Line {
    pub(super) fn new(tcp: TcpStream, patience: Duration) -> Self {
        let mut line = Self { tcp, patience, until: Instant::now() };
        line.expect_answer();
        line
    }

    /// Gives the next answer its full time from now on.
    fn expect_answer(&mut self) {
        self.until = Instant::now() + self.patience.saturating_mul(WHOLE);
    }
}

impl Read for Line {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "the answer takes too long"));
        }
        let wait = left.min(self.patience).max(Duration::from_millis(1));
        self.tcp.set_read_timeout(Some(wait))?;
        self.tcp.read(buf)
    }
}

impl Write for Line {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.tcp.write(buf)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.tcp.flush()
    }
}

/// Counts the content of an answer, octet by octet, as the client library will understand it.
///
/// Everything except the literal of a mail counts as text. So a server gains nothing by writing
/// something like a literal where the library sees none.
#[derive(Debug)]
struct Guard {
    /// Octets that may still come, of mails and of everything else.
    mails: u64,
    text: u64,
    /// Largest size of a mail, for the error.
    mails_max: u64,
    lines: u32,
    literals: u32,
    /// Octets of the present literal that are still to come.
    literal: u64,
    /// The start of the incoming line, and its last two octets.
    head: Vec<u8>,
    tail: [u8; 2],
    /// Whether the line continues after a literal of a mail.
    fetches: bool,
    brackets: u32,
    quoted: bool,
    escaped: bool,
}

impl Guard {
    fn new(mails_max: u64) -> Self {
        Self {
            mails: mails_max,
            text: ANSWER_MAX,
            mails_max,
            lines: 0,
            literals: 0,
            literal: 0,
            head: Vec::new(),
            tail: [0; 2],
            fetches: false,
            brackets: 0,
            quoted: false,
            escaped: false,
        }
    }

    /// Begins counting for the answer to a new command. A half-read line goes on.
    fn next_answer(&mut self) {
        self.mails = self.mails_max;
        self.text = ANSWER_MAX;
        self.lines = 0;
        self.literals = 0;
    }

    fn count(&mut self, mut came: &[u8]) -> Result<(), String> {
        while let Some((first, rest)) = came.split_first() {
            if self.literal > 0 {
                let of_mail = came.len().min(usize::try_from(self.literal).unwrap_or(usize::MAX));
                self.literal -= of_mail as u64;
                came = &came[of_mail..];
                continue;
            }
            came = rest;
            self.text = self.text.checked_sub(1).ok_or_else(|| {
                format!("an answer of more than {ANSWER_MAX} octets beside mails")
            })?;
            self.take(*first)?;
        }
        Ok(())
    }

    /// An octet outside of a literal.
    fn take(&mut self, byte: u8) -> Result<(), String> {
        match byte {
            b'\n' => return self.end_line(),
            // Brackets in quotes count too, because the library may see the quote differently.
            b'(' => {
                self.brackets += 1;
                if self.brackets > BRACKETS_MAX {
                    return Err(format!("a line that opens more than {BRACKETS_MAX} brackets"));
                }
            }
            b'"' if !self.escaped => self.quoted = !self.quoted,
            _ => {}
        }
        self.tail = [self.tail[1], byte];
        self.escaped = self.quoted && byte == b'\\' && !self.escaped;
        if self.head.len() < BEFORE_LITERAL_MAX {
            self.head.push(byte);
        } else {
            // Too long for a line with a mail; anything like a literal in it is text.
            self.fetches = false;
            self.head.truncate(BEFORE_LITERAL_MAX);
            self.head[0] = b'x';
        }
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), String> {
        let announced = announced(&self.head);
        let of_mail = announced.filter(|(_, before)| {
            (self.fetches || is_fetch(&self.head)) && !self.quoted && is_of_mail(before)
        });
        if self.tail == *b"}\r" {
            self.literals += 1;
            if self.literals > LITERALS_MAX {
                return Err(format!("an answer with more than {LITERALS_MAX} literals"));
            }
        }
        if let Some((octets, _)) = of_mail {
            self.mails = self.mails.checked_sub(octets).ok_or_else(|| {
                format!("a mail of {octets} octets where {} are left", self.mails)
            })?;
            self.literal = octets;
            self.fetches = true;
            self.head.clear();
            return Ok(());
        }
        self.lines += 1;
        if self.lines > LINES_MAX {
            return Err(format!("an answer of more than {LINES_MAX} lines"));
        }
        self.head.clear();
        (self.fetches, self.quoted, self.escaped, self.brackets) = (false, false, false, 0);
        Ok(())
    }
}

/// The size of the literal that a line ends with, and the text before it (RFC 9051 §4.3).
fn announced(line: &[u8]) -> Option<(u64, &[u8])> {
    let line = line.strip_suffix(b"}\r")?;
    let at = line.iter().rposition(|b| *b == b'{')?;
    let digits = std::str::from_utf8(&line[at + 1..]).ok()?;
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    // A number that is too large for us is too large for the library.
    plain.then(|| (digits.parse().unwrap_or(u64::MAX), &line[..at]))
}

/// Whether a line begins as a row of FETCH does.
fn is_fetch(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"* ") else { return false };
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let word = rest.get(digits..digits + 8).unwrap_or_default();
    digits > 0 && word.eq_ignore_ascii_case(b" FETCH (")
}

/// Whether the text before a literal announces the text of a mail: `BODY[]` or `BODY[]<0>`.
fn is_of_mail(before: &[u8]) -> bool {
    let Some(before) = before.strip_suffix(b" ") else { return false };
    let before = match before.strip_suffix(b">") {
        Some(part) => {
            let digits = part.iter().rev().take_while(|b| b.is_ascii_digit()).count();
            match part[..part.len() - digits].strip_suffix(b"<") {
                Some(before) if digits > 0 => before,
                _ => return false,
            }
        }
        None => before,
    };
    before.len() >= 6 && before[before.len() - 6..].eq_ignore_ascii_case(b"BODY[]")
}

/// The way octets travel.
pub(super) enum Way {
    Plain(Line),
    Tls(Box<StreamOwned<ClientConnection, Line>>),
    Custom(Box<dyn Transport>),
}

/// A stream with or without TLS. Its read timeout can be changed but not removed, and the answer to
/// each command has limits.
pub(super) struct Stream {
    way: Way,
    guard: Guard,
    over: Option<String>,
}

impl Stream {
    pub(super) fn new(way: Way, account: &ImapAccount) -> Self {
        // For a mail that is too large, the fetched start may be larger than the limit.
        let guard = Guard::new(account.bytes_max.max(super::START));
        Self { way, guard, over: None }
    }

    fn line(&mut self) -> Option<&mut Line> {
        match &mut self.way {
            Way::Plain(line) => Some(line),
            Way::Tls(tls) => Some(&mut tls.sock),
            Way::Custom(_) => None,
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if let Some(over) = &self.over {
            return Err(io::Error::other(over.clone()));
        }
        let read = match &mut self.way {
            Way::Plain(line) => line.read(buf),
            Way::Tls(tls) => tls.read(buf),
            Way::Custom(line) => line.read(buf),
        }?;
        if let Err(over) = self.guard.count(&buf[..read]) {
            self.over = Some(over.clone());
            return Err(io::Error::other(over));
        }
        Ok(read)
    }
}

impl Write for Stream {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.guard.next_answer();
        if let Some(line) = self.line() {
            line.expect_answer();
        }
        match &mut self.way {
            Way::Plain(line) => line.write(buf),
            Way::Tls(tls) => tls.write(buf),
            Way::Custom(line) => line.write(buf),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.way {
            Way::Plain(line) => line.flush(),
            Way::Tls(tls) => tls.flush(),
            Way::Custom(line) => line.flush(),
        }
    }
}

impl SetReadTimeout for Stream {
    fn set_read_timeout(&mut self, timeout: Option<Duration>) -> imap::error::Result<()> {
        // The client removes the timeout after IDLE; our own takes its place. During IDLE,
        // keep-alive lines of the server do not prolong it. A transport of the caller has its own
        // timeouts.
        if let Some(line) = self.line() {
            match timeout {
                Some(timeout) => line.until = Instant::now() + timeout,
                None => line.expect_answer(),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(answer: &str) -> Result<(), String> {
        Guard::new(1000).count(answer.as_bytes())
    }

    #[test]
    fn brackets_count_where_the_client_follows_them_and_not_in_mails() {
        let many = "(".repeat(500);
        let mail = format!("* 1 FETCH (UID 1 BODY[] {{500}}\r\n{many})\r\na1 OK done\r\n");
        assert_eq!(judged(&mail), Ok(()));
        let part = mail.replace("BODY[]", "BODY[]<0>");
        assert_eq!(judged(&part), Ok(()));
        for start in [
            "* 1 FETCH (BODYSTRUCTURE ",
            "* 1 FETCH (BODY ",
            "* THREAD ",
            // Something like a mail that is not one to the client.
            "* OK BODY[] {500}\r\n",
            "* 1 FETCH (X \"BODY[] {500}\r\n",
            "* 1 FETCH (BODY[TEXT] {500}\r\n",
            "a1 OK {500}\r\n",
            "* SEARCH {500}\r\n",
            "+ {500}\r\n",
        ] {
            let refused = judged(&format!("{start}{many}"));
            assert!(refused.is_err_and(|e| e.contains("brackets")), "{start}");
        }
        // A long line before it makes the client read it again and again.
        let long = format!("* 1 FETCH (FLAGS ({}) BODY[] {{500}}\r\n{many}", "a ".repeat(600));
        assert!(judged(&long).is_err_and(|e| e.contains("brackets")));
    }

    #[test]
    fn what_servers_say_in_earnest_passes() {
        for answer in [
            "* LIST (\\HasNoChildren) \"/\" {5}\r\na\"b(c\r\na1 OK (:( (\"\r\n",
            "* OK [PERMANENTFLAGS (\\Seen \\*)] it's \"here\r\n* 3 EXISTS\r\n",
            "* 1 FETCH (UID 1 BODY[] \"say \\\"(\\\" (((\" FLAGS (\\Seen))\r\n",
            "* 1 FETCH (BODY[] {3}\r\na(\n UID 1)\r\n* 2 FETCH (BODY[] {0}\r\n UID 2)\r\n",
            "* 1 fetch (body[] {3}\r\na(\n UID 1)\r\n",
        ] {
            assert_eq!(judged(answer), Ok(()), "{answer}");
        }
    }

    #[test]
    fn an_answer_has_limits_in_all_it_may_be() {
        let long = format!("* LIST ({}) {{1}}\r\n", "x ".repeat(600)).repeat(101);
        let lines = "* 1 EXPUNGE\r\n".repeat(20_001);
        let literals = "* LIST () \"/\" {1}\r\nx\r\n".repeat(101);
        let text = format!("* SEARCH{}", " 1".repeat(2_100_000));
        for (answer, word) in [
            ("* 1 FETCH (BODY[] {1001}\r\n", "1001 octets"),
            ("* 1 FETCH (BODY[] {99999999999999999999999}\r\n", "octets"),
            ("* 1 FETCH (BODY[] {600}\r\n", ""),
            (lines.as_str(), "lines"),
            (literals.as_str(), "literals"),
            (long.as_str(), "literals"),
            (text.as_str(), "beside mails"),
        ] {
            let said = judged(answer).err().unwrap_or_default();
            assert!(said.contains(word) && said.is_empty() == word.is_empty(), "{said}");
        }
        // Two mails of one answer are both counted.
        let mut guard = Guard::new(1000);
        let mail = |n: usize| format!("* 1 FETCH (BODY[] {{{n}}}\r\n{})\r\n", "x".repeat(n));
        assert_eq!(guard.count(mail(600).as_bytes()), Ok(()));
        assert!(guard.count(mail(600).as_bytes()).is_err());
        guard = Guard::new(1000);
        assert_eq!(guard.count(mail(600).as_bytes()), Ok(()));
        guard.next_answer();
        assert_eq!(guard.count(mail(600).as_bytes()), Ok(()));
    }
}
