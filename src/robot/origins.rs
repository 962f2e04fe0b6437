//! Asks name servers where mails come from, without making others wait: a name server that does not
//! answer delays only the mails of its own domain.
//!
//! Mails with the secret of a seat come first. Mails of one domain are asked about one after
//! another, several domains at a time, and each domain has half a minute a day. A mail for which no
//! time is left proves nothing, as if nobody had asked.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base::clock::Clock;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use mail::RawMessage;
use mail::mime::Author;
use mail::origin::CheckOrigin;

use crate::Robot;
use crate::commands::ROWS;
use crate::verdict::case::Tools;
use crate::verdict::senders::Senders;

/// The longest wait per day for the name servers of one domain.
const DOMAIN_MAX: SignedDuration = SignedDuration::from_secs(30);
/// How long mails of a round wait for their turn to be asked about.
const ROUND_MAX: SignedDuration = SignedDuration::from_secs(30);
/// Octets of waiting mails above which no more are fetched.
const WAITING_MAX: usize = 32_000_000;
/// Domains that are asked at a time.
const ASKED_MAX: usize = 16;
/// Domains whose time is remembered.
const DOMAINS_MAX: usize = 10_000;
/// The longest wait for an answer before the next look for new mail.
const LOOK: Duration = Duration::from_millis(500);

/// The time that name servers of domains have taken today.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    day: Date,
    by_domain: BTreeMap<String, SignedDuration>,
}

impl Spent {
    /// The time that a domain has taken on the day of an instant.
    fn of(&mut self, domain: &str, now: Timestamp) -> SignedDuration {
        let day = now.to_zoned(TimeZone::UTC).date();
        // A flood of names may reset the count of some domains, but does not fill the memory.
        if self.day != day || self.by_domain.len() > DOMAINS_MAX {
            (self.day, self.by_domain) = (day, BTreeMap::new());
        }
        self.by_domain.get(domain).copied().unwrap_or_default()
    }

    fn add(&mut self, domain: &str, took: SignedDuration, now: Timestamp) {
        let before = self.of(domain, now);
        self.by_domain.insert(domain.to_owned(), before.saturating_add(took));
    }
}

/// Mails of an inbox that are asked about.
pub(crate) struct Asking {
    checker: Arc<dyn CheckOrigin>,
    clock: Arc<dyn Clock>,
    /// Mails by domain, those with a secret first.
    waiting: BTreeMap<String, VecDeque<RawMessage>>,
    /// Domains with a mail that bears a secret.
    first: BTreeSet<String>,
    /// When the first of the mails that are not done yet was handed in.
    since: Option<Timestamp>,
    /// Domains that are being asked.
    asked: BTreeSet<String>,
    give: Sender<Answer>,
    take: Receiver<Answer>,
}

struct Answer {
    domain: String,
    mail: RawMessage,
    took: SignedDuration,
}

impl Asking {
    /// Asks about nothing yet.
    pub(crate) fn new(checker: Arc<dyn CheckOrigin>, clock: Arc<dyn Clock>) -> Self {
        let (give, take) = channel();
        let (waiting, first, since, asked) = Default::default();
        Self { checker, clock, waiting, first, since, asked, give, take }
    }

    /// Whether no mail waits, and none is being asked about.
    pub(crate) fn is_done(&self) -> bool {
        self.waiting.is_empty() && self.asked.is_empty()
    }

    /// Whether so much waits that no more should be fetched.
    pub(crate) fn is_full(&self) -> bool {
        let mails = self.waiting.values().flatten();
        mails.map(|mail| mail.bytes.len()).sum::<usize>() > WAITING_MAX
    }

    /// Asks about a mail of a domain.
    pub(crate) fn ask(&mut self, mail: RawMessage, domain: String, has_secret: bool) {
        self.since.get_or_insert_with(|| self.clock.now());
        let mails = self.waiting.entry(domain.clone()).or_default();
        match has_secret {
            true => {
                mails.push_front(mail);
                self.first.insert(domain);
            }
            false => mails.push_back(mail),
        }
    }

    /// Asks about the next mails, and returns those that are done. With `wait`, it waits a little
    /// for one.
    pub(crate) fn answered(&mut self, spent: &Mutex<Spent>, wait: bool) -> Vec<RawMessage> {
        let spent = || spent.lock().unwrap_or_else(PoisonError::into_inner);
        let mut done = self.begin(&mut spent());
        let answer = match wait && done.is_empty() && !self.asked.is_empty() {
            true => self.take.recv_timeout(LOOK).ok(),
            false => self.take.try_recv().ok(),
        };
        for Answer { domain, mail, took } in answer.into_iter().chain(self.take.try_iter()) {
            spent().add(&domain, took, self.clock.now());
            self.asked.remove(&domain);
            done.push(mail);
        }
        done.extend(self.begin(&mut spent()));
        if self.is_done() {
            self.since = None;
        }
        done.sort_by_key(|mail| mail.received_at);
        done
    }

    /// Asks about the next mail of each domain that has time left; returns the mails of the other
    /// domains.
    fn begin(&mut self, spent: &mut Spent) -> Vec<RawMessage> {
        let now = self.clock.now();
        let mut left = Vec::new();
        // Steps wait for the inbox to be read to its end.
        let is_late = self.since.is_some_and(|at| now.duration_since(at) >= ROUND_MAX);
        let mut free = Vec::new();
        for (domain, mails) in &self.waiting {
            if !self.asked.contains(domain) {
                let (other, came) = (!self.first.contains(domain), mails.front());
                let came = came.map(|mail| mail.received_at);
                free.push((other, spent.of(domain, now), came, domain.clone()));
            }
        }
        // Domains that have answered quickly so far come before slow ones.
        free.sort();
        for (other, took, _, domain) in free {
            if took >= DOMAIN_MAX || is_late && other {
                left.extend(self.waiting.remove(&domain).unwrap_or_default());
                continue;
            }
            if self.asked.len() >= ASKED_MAX {
                continue;
            }
            let Some(mails) = self.waiting.get_mut(&domain) else { continue };
            let next = mails.pop_front();
            if mails.is_empty() {
                self.waiting.remove(&domain);
                self.first.remove(&domain);
            }
            let Some(mut mail) = next else { continue };
            self.asked.insert(domain.clone());
            let (checker, clock) = (Arc::clone(&self.checker), Arc::clone(&self.clock));
            let give = self.give.clone();
            // The check has its own time limit, and the thread ends with it.
            std::thread::spawn(move || {
                let begun = clock.now();
                (mail.authenticity, mail.checked_from) = checker.check(&mail.bytes);
                let took = clock.now().duration_since(begun);
                let _ = give.send(Answer { domain, mail, took });
            });
        }
        left
    }
}

impl Robot {
    /// The domain of a mail's sender, and whether the mail bears the secret of a seat. Nothing can
    /// be asked about a mail without a domain, and it may be anybody's.
    pub(crate) fn domain_of(&self, mail: &RawMessage) -> (Option<String>, bool) {
        let Ok(Ok(taken)) = self.cx.reader.read(&mail.bytes) else { return (None, false) };
        let tools = Tools { cx: &self.cx, store: &self.store, rows: ROWS };
        let has_secret = Senders::new(tools).bear_secret(&taken).unwrap_or(false);
        let domain = match &taken.author {
            Author::One(from) => from.rsplit_once('@').map(|(_, domain)| domain.to_lowercase()),
            Author::Missing | Author::Several => None,
        };
        (domain, has_secret)
    }
}
