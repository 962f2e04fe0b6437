//! Whether a mail comes from the domain that its From field names. The answer comes from
//! the results that a trusted server wrote into the mail (RFC 8601), or from a check of
//! our own (DKIM, SPF and DMARC; RFC 6376, 7208, 9989).

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::hash::Hash;
use std::net::SocketAddr;
use std::str::FromStr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use data_encoding::BASE64_NOPAD;
use mail_auth::common::parse::TxtRecordParser;
use mail_auth::dmarc::verify::DmarcParameters;
use mail_auth::hickory_resolver::config::{NameServerConfig, ResolverConfig, ResolverOpts};
use mail_auth::hickory_resolver::proto::op::ResponseCode;
use mail_auth::hickory_resolver::proto::rr::RData;
use mail_auth::spf::verify::SpfParameters;
use mail_auth::{
    AuthenticatedMessage, DkimOutput, DkimResult, DmarcResult, DnsError, Error,
    MessageAuthenticator, Parameters, ResolverCache, SpfOutput, SpfResult, Txt,
};

use super::mime::{Author, ParsedMail, canonical, header_len, without_comments};
use base::secrets::sha256_hex;
use base::word::UnknownWord;
use domains::aligned;
use jiff::Timestamp;

/// Time limit of all DNS queries about one mail.
pub(crate) const CHECK_MAX: Duration = Duration::from_secs(10);

/// Time limit of one DNS query that a person waits for.
const TEXTS_MAX: Duration = Duration::from_secs(5);

/// What is known about the origin of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Authenticity {
    /// The domain of the From address vouches for the mail.
    Pass,
    /// The domain of the From address calls the mail forged.
    Fail,
    /// Nothing is known, as for most mail that no server has checked.
    #[default]
    Unknown,
}

impl Authenticity {
    /// The word for the store; [`str::parse`] reads it. It is empty for [`Authenticity::Unknown`].
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Unknown => "",
        }
    }
}

impl FromStr for Authenticity {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let all = [Self::Pass, Self::Fail, Self::Unknown];
        all.into_iter().find(|a| a.as_str() == word).ok_or_else(|| UnknownWord {
            kind: "result of a check",
            word: word.to_owned(),
            known: "pass, fail and the empty word",
        })
    }
}

/// One result of an Authentication-Results field.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Outcome {
    /// `dkim`, `spf`, `dmarc` or another, in lower case.
    method: String,
    /// `pass`, `fail` or another, in lower case.
    result: String,
    /// Properties such as `header.d`.
    properties: BTreeMap<String, String>,
}

/// The server whose Authentication-Results are trusted.
#[derive(Debug, Clone, Copy)]
pub struct Trusted<'a> {
    /// The name that its fields begin with.
    pub authserv_id: &'a str,
    /// Whether it is known to remove fields that others wrote in its name.
    pub strips: bool,
}

/// The verdict of the trusted server. Anybody can write such a field, and the server that received
/// the mail last writes at the top (RFC 8601 §5), so only the topmost field with the server's id
/// counts; but a failure counts in any field of its block. If the server removes forged fields, its
/// field may be below Received fields of its own domain; otherwise it must be above the first
/// Received field that names a sender. A field that does not follow RFC 8601 §2.2 is ignored, and
/// one with any failure proves nothing.
pub fn from_header(mail: &ParsedMail, trusted: Trusted) -> Authenticity {
    let authserv_id = trusted.authserv_id;
    let Author::One(from) = &mail.author else { return Authenticity::Unknown };
    let domain = from.rsplit_once('@').map_or("", |(_, d)| d);
    let own_hops = mail.headers.iter().take_while(|(name, value)| {
        !name.eq_ignore_ascii_case("Received")
            || !names_a_sender(value)
            || trusted.strips && is_hop_of(value, authserv_id)
    });
    let field = own_hops.filter(|(n, _)| n.eq_ignore_ascii_case("Authentication-Results"));
    let is_ours = |value: &str| results_of(value).0.eq_ignore_ascii_case(authserv_id);
    let mut ours = field.filter(|(_, value)| is_ours(value));
    let Some(first) = ours.next() else { return Authenticity::Unknown };
    let value = &first.1;
    // A mail that the server calls forged is forged, in whichever field of the block that is,
    // because some servers write one field for each method.
    let behind = mail.headers.iter().skip_while(|field| !std::ptr::eq(*field, first));
    let mut block = behind.take_while(|(name, _)| !name.eq_ignore_ascii_case("Received"));
    let fails = |(name, value): &(String, String)| {
        let squeezed: String = value.to_lowercase().split_whitespace().collect();
        name.eq_ignore_ascii_case("Authentication-Results")
            && is_ours(value)
            && squeezed.contains("dmarc=fail")
    };
    if block.any(fails) {
        return Authenticity::Fail;
    }
    // With more results than this it is unclear which ones are the server's.
    if !is_well_formed(value) || value.matches(';').count() > RESULTS_MAX {
        return Authenticity::Unknown;
    }
    let signatures = mail.headers.iter().filter(|(n, _)| n.eq_ignore_ascii_case(SIGNATURE));
    if signatures.count() > SIGNATURES_MAX {
        return Authenticity::Unknown;
    }
    judge(&results_of(value).1, domain)
}

/// Name of the field that holds a signature.
const SIGNATURE: &str = "DKIM-Signature";

/// The largest number of signatures in a mail for which a domain vouches. Each one costs a query to
/// name servers and to the store, and no honest mail has so many. Adding some to another person's
/// mail gains nothing: that mail then proves less.
const SIGNATURES_MAX: usize = 20;

/// A signature of a mail by the domain of its From address (RFC 6376).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// A digest of its value, which covers the text of the mail and so identifies the signature.
    pub id: String,
    /// When it was made, if it has a time or covers the Date field.
    pub signed_at: Option<Timestamp>,
}

/// The signatures by the domain of the From address, whether they are valid or not.
pub fn signatures(mail: &ParsedMail) -> Vec<Signature> {
    let Author::One(from) = &mail.author else { return Vec::new() };
    let domain = from.rsplit_once('@').map_or("", |(_, d)| d);
    // If there are several Date fields, the signature may cover any of them.
    let date = || {
        let dates = mail.headers.iter().filter(|(n, _)| n.eq_ignore_ascii_case("Date"));
        let read = |d: &String| jiff::fmt::rfc2822::parse(d.trim()).ok().map(|d| d.timestamp());
        dates.map(|(_, d)| read(d)).min().flatten()
    };
    let fields = mail.headers.iter().filter(|(n, _)| n.eq_ignore_ascii_case(SIGNATURE));
    let read = |(_, value): &(String, String)| {
        let tags: BTreeMap<String, String> = value
            .split(';')
            .filter_map(|part| part.split_once('='))
            .map(|(k, v)| (k.trim().to_lowercase(), v.split_whitespace().collect::<String>()))
            .collect();
        let (by, id) = (tags.get("d")?, tags.get("b").filter(|b| !b.is_empty())?);
        let covered = tags
            .get("h")
            .is_some_and(|h| h.split(':').any(|name| name.trim().eq_ignore_ascii_case("date")));
        let stamp = tags.get("t").and_then(|t| Timestamp::from_second(t.parse().ok()?).ok());
        let signed_at = stamp.or_else(|| if covered { date() } else { None });
        // Padding and unused bits may change without breaking the signature.
        let mut lenient = BASE64_NOPAD.specification();
        lenient.check_trailing_bits = false;
        let plain = id.trim_end_matches('=').as_bytes();
        let plain = lenient.encoding().ok().and_then(|code| code.decode(plain).ok());
        let id = sha256_hex(plain.as_deref().unwrap_or(id.as_bytes()));
        aligned(by, domain).then_some(Signature { id, signed_at })
    };
    fields.filter_map(read).collect()
}

/// Whether a Received field says which host the mail came from.
fn names_a_sender(value: &str) -> bool {
    let plain = without_comments(value);
    plain.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("from"))
}

/// Whether a Received field comes from within the trusted server: from a host of its own domain, or
/// from one whose name has no domain, such as a local delivery program, or without any sending
/// host.
fn is_hop_of(value: &str, authserv_id: &str) -> bool {
    let plain = without_comments(value);
    let words: Vec<&str> = plain.split_whitespace().collect();
    let behind = |word: &str| {
        let at = words.iter().position(|w| w.eq_ignore_ascii_case(word))?;
        words.get(at + 1).map(|w| w.trim_end_matches(';'))
    };
    !names_a_sender(value)
        || behind("by").is_some_and(|by| !by.contains('.') || aligned(by, authserv_id))
}

/// Whether brackets and quotes of a field are closed, each property occurs once in its result, and
/// each property for a domain or an address holds a valid one.
fn is_well_formed(value: &str) -> bool {
    let (mut depth, mut quoted) = (0i32, false);
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted || depth > 0 => drop(chars.next()),
            '"' if depth == 0 => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            c if c.is_control() && c != '\t' && c != '\r' && c != '\n' => return false,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    if depth > 0 || quoted {
        return false;
    }
    let plain = without_comments(value);
    let proper = |domain: &str| {
        let label = |l: &str| {
            let sign = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
            !l.is_empty() && l.chars().all(sign)
        };
        domain.trim_end_matches('.').split('.').all(label)
    };
    plain.split(';').skip(1).all(|part| {
        let pairs: Vec<(String, &str)> = part
            .split_whitespace()
            .filter_map(|w| w.split_once('='))
            .map(|(k, v)| (k.to_lowercase(), v.trim_matches('"')))
            .collect();
        let once = |(n, pair): (usize, &(String, &str))| pairs[..n].iter().all(|p| p.0 != pair.0);
        let named = |(key, value): &(String, &str)| match key.as_str() {
            "header.from" | "header.d" | "header.i" | "smtp.mailfrom" | "smtp.mail" => {
                // Bounces have no sender.
                value.is_empty() || *value == "<>" || proper(value.rsplit('@').next().unwrap_or(""))
            }
            _ => true,
        };
        pairs.iter().enumerate().all(once) && pairs.iter().all(named)
    })
}

/// The meaning of results for a mail whose From address is in `domain`.
fn judge(found: &[Outcome], domain: &str) -> Authenticity {
    let of = |method: &'static str| found.iter().filter(move |o| o.method == method);
    let property = |o: &Outcome, names: &[&str]| {
        let values = names.iter().filter_map(|n| o.properties.get(*n));
        values.map(|v| v.rsplit('@').next().unwrap_or(v)).any(|v| aligned(v, domain))
    };
    let dmarc = |result: &str| {
        let about =
            |o: &Outcome| o.properties.get("header.from").is_none_or(|d| aligned(d, domain));
        of("dmarc").any(|o| o.result == result && about(o))
    };
    if dmarc("fail") {
        return Authenticity::Fail;
    }
    let failed = ["dkim", "spf"].into_iter().any(|m| of(m).any(|o| o.result == "fail"));
    if failed {
        // If anything about it is wrong, it proves nothing, whatever else is right.
        return Authenticity::Unknown;
    }
    let dkim = of("dkim").any(|o| o.result == "pass" && property(o, &["header.d", "header.i"]));
    let spf = of("spf").any(|o| o.result == "pass" && property(o, &["smtp.mailfrom", "smtp.mail"]));
    if dmarc("pass") || dkim || spf { Authenticity::Pass } else { Authenticity::Unknown }
}

/// The number of results of a field that are read; a field with more proves nothing.
const RESULTS_MAX: usize = 50;

/// The server id and the results of a field (RFC 8601 §2.2). A result that can't be read
/// is left out.
fn results_of(value: &str) -> (String, Vec<Outcome>) {
    let plain = without_comments(value);
    let mut parts = plain.split(';');
    let head = parts.next().unwrap_or_default();
    let id = head.split_whitespace().next().unwrap_or_default().to_owned();
    let outcome = |part: &str| {
        let mut words = part.split_whitespace();
        let (method, result) = words.next()?.split_once('=')?;
        let method = method.split('/').next().unwrap_or(method).to_lowercase();
        let pairs = words.filter_map(|w| w.split_once('='));
        let unquoted = |v: &str| v.trim_matches('"').to_lowercase();
        let properties = pairs.map(|(k, v)| (k.to_lowercase(), unquoted(v))).collect();
        Some(Outcome { method, result: result.to_lowercase(), properties })
    };
    (id, parts.take(RESULTS_MAX).filter_map(outcome).collect())
}

/// The topmost Authentication-Results field of a mail: the id of its server, and each method with
/// its result. `None`: there is no such field. Anybody can write such a field, so this is for
/// display only.
pub fn reported(mail: &ParsedMail) -> Option<(String, Vec<(String, String)>)> {
    let (by, found) = results_of(mail.header("Authentication-Results")?);
    Some((by, found.into_iter().map(|o| (o.method, o.result)).collect()))
}

/// DNS records from a table instead of a name server, for tests and for hosts without
/// DNS.
#[expect(clippy::disallowed_types, reason = "the library looks records up by their hash")]
#[derive(Default)]
struct Zone(Option<std::collections::HashMap<Box<str>, Txt>>);

impl Zone {
    /// A zone of TXT records: name, such as `_dmarc.example.org`, to text.
    fn of(records: &BTreeMap<String, String>) -> Self {
        fn read<T: TxtRecordParser + Into<Txt>>(text: &str) -> Txt {
            T::parse(text.as_bytes()).map_or_else(Txt::Error, Into::into)
        }
        let record = |(name, text): (&String, &String)| {
            let txt = match () {
                () if name.contains("._domainkey.") => {
                    read::<mail_auth::common::verify::DomainKey>(text)
                }
                () if name.starts_with("_dmarc.") => read::<mail_auth::dmarc::Dmarc>(text),
                () => read::<mail_auth::spf::Spf>(text),
            };
            (format!("{name}.").into_boxed_str(), txt)
        };
        Self(Some(records.iter().map(record).collect()))
    }
}

impl ResolverCache<Box<str>, Txt> for Zone {
    fn get<Q>(&self, name: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let missing = || Txt::Error(Error::Dns(DnsError::RecordNotFound(ResponseCode::NXDomain)));
        let records = self.0.as_ref()?;
        Some(records.get(name).cloned().unwrap_or_else(missing))
    }
    fn remove<Q>(&self, _: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        None
    }
    fn insert(&self, _: Box<str>, _: Txt, _: Instant) {}
}

/// Checks DKIM, SPF and DMARC of mails by DNS.
pub struct Checker {
    resolver: MessageAuthenticator,
    zone: Zone,
    /// The name that our provider's server writes into its Received field. For SPF the address
    /// matters from which that server took the mail.
    received_by: Option<String>,
    runtime: Mutex<tokio::runtime::Runtime>,
}

impl Checker {
    /// A checker that asks the name server `dns`, or the system's for `None`.
    /// `received_by` is the name that our provider's server writes into its Received
    /// field; without it SPF is not checked.
    ///
    /// # Errors
    /// A sentence for the game master when there is no name server to ask.
    pub fn new(dns: Option<SocketAddr>, received_by: Option<String>) -> Result<Self, String> {
        let resolver = match dns {
            None => MessageAuthenticator::new_system_conf(),
            Some(server) => {
                let mut name_server = NameServerConfig::udp_and_tcp(server.ip());
                name_server.connections.iter_mut().for_each(|c| c.port = server.port());
                let config = ResolverConfig::from_parts(None, Vec::new(), vec![name_server]);
                MessageAuthenticator::new(config, ResolverOpts::default())
            }
        };
        let resolver = resolver.map_err(|e| format!("no name server to ask: {e}"))?;
        Self::over(resolver, Zone(None), received_by)
    }

    /// A checker that takes TXT records from a table, name to text. A name that is not in
    /// the table has no record.
    ///
    /// # Errors
    /// A sentence when the system refuses a runtime.
    pub fn of_zone(
        records: &BTreeMap<String, String>,
        received_by: Option<String>,
    ) -> Result<Self, String> {
        let nowhere = ResolverConfig::from_parts(None, Vec::new(), Vec::new());
        let resolver = MessageAuthenticator::new(nowhere, ResolverOpts::default());
        Self::over(resolver.map_err(|e| e.to_string())?, Zone::of(records), received_by)
    }

    fn over(
        resolver: MessageAuthenticator,
        zone: Zone,
        received_by: Option<String>,
    ) -> Result<Self, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = Mutex::new(runtime.map_err(|e| e.to_string())?);
        Ok(Self { resolver, zone, received_by, runtime })
    }

    /// Checks a whole mail, given as its bytes. Gives the result, and the From address that was
    /// checked. The origin stays unknown when name servers do not answer, or when two programs may
    /// read the header differently.
    pub fn check(&self, bytes: &[u8]) -> (Authenticity, String) {
        if !is_plain_header(bytes) {
            return (Authenticity::Unknown, String::new());
        }
        let runtime = self.runtime.lock().unwrap_or_else(|e| e.into_inner());
        let checked = async { tokio::time::timeout(CHECK_MAX, self.ask(bytes)).await };
        runtime.block_on(checked).unwrap_or_default()
    }

    /// The TXT records of a name in DNS, each joined to one text; empty when there are
    /// none.
    ///
    /// # Errors
    /// A sentence for the game master when no name server answers.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, String> {
        let runtime = self.runtime.lock().unwrap_or_else(|e| e.into_inner());
        // The last dot makes the name absolute: no search domain is appended.
        let asked = self.resolver.resolver().txt_lookup(format!("{name}."));
        let asked = async { tokio::time::timeout(TEXTS_MAX, asked).await };
        let answer = match runtime.block_on(asked) {
            Err(_) => return Err("no name server answers".to_owned()),
            Ok(Err(e)) if e.is_no_records_found() => return Ok(Vec::new()),
            Ok(Err(e)) => return Err(e.to_string()),
            Ok(Ok(answer)) => answer,
        };
        let texts = answer.answers().iter().filter_map(|record| match &record.data {
            RData::TXT(txt) => Some(String::from_utf8_lossy(&txt.txt_data.concat()).into_owned()),
            _ => None,
        });
        Ok(texts.collect())
    }

    async fn ask(&self, bytes: &[u8]) -> (Authenticity, String) {
        let nothing = || (Authenticity::Unknown, String::new());
        let Some(message) = AuthenticatedMessage::parse(bytes) else { return nothing() };
        // Mails with several From fields are refused elsewhere; here they prove nothing.
        let [from] = message.froms() else { return nothing() };
        let Some(address) = canonical(from) else { return nothing() };
        if message.dkim_headers.len() > SIGNATURES_MAX {
            return nothing();
        }
        let domain = from.rsplit_once('@').map_or("", |(_, d)| d);
        let cached = Parameters::new(&message).with_txt_cache(&self.zone);
        let dkim = self.resolver.verify_dkim(cached).await;
        let (mail_from, spf, looked_at) = self.spf(bytes).await;
        let sender = mail_from.rsplit_once('@').map_or("", |(_, d)| d);
        let asked = DmarcParameters::new(&message, &dkim, sender, &spf);
        let asked = Parameters::new(asked).with_txt_cache(&self.zone);
        let dmarc = self.resolver.verify_dmarc(asked).await;
        if [dmarc.dkim_result(), dmarc.spf_result()].contains(&&DmarcResult::Pass) {
            return (Authenticity::Pass, address);
        }
        // Without a DMARC policy of the domain, an aligned signature proves as much.
        let signed = dkim.iter().any(|d| {
            *d.result() == DkimResult::Pass && d.signature().is_some_and(|s| aligned(&s.d, domain))
        });
        // Only a domain with a policy can call a mail forged: its signature is broken, its list of
        // hosts excludes the sender, or both were checked and neither vouches for the mail.
        let policy = dmarc.dmarc_record().is_some();
        let broken = !dkim.is_empty() && matches!(dmarc.dkim_result(), DmarcResult::Fail(_));
        let later = |d: &DkimOutput| matches!(d.result(), DkimResult::TempError(_));
        let neither = looked_at
            && spf.result() != SpfResult::TempError
            && !dkim.iter().any(later)
            && !matches!(dmarc.dkim_result(), DmarcResult::TempError(_));
        let forged = broken || neither || spf.result() == SpfResult::Fail;
        let found = match () {
            () if policy && forged => Authenticity::Fail,
            () if signed && !policy => Authenticity::Pass,
            () => Authenticity::Unknown,
        };
        (found, address)
    }

    /// The envelope sender and the SPF result, from our provider's Received field if the config
    /// names that provider. The last value says whether SPF was checked.
    async fn spf(&self, bytes: &[u8]) -> (String, SpfOutput, bool) {
        let unknown = || SpfOutput::new(String::new()).with_result(SpfResult::None);
        let none = || (String::new(), unknown(), false);
        let Some(by) = &self.received_by else { return none() };
        let Some(hop) = super::mime::received(bytes, by) else { return none() };
        let asked = SpfParameters::verify_mail_from(hop.ip, &hop.helo, by, &hop.mail_from);
        let asked = Parameters::new(asked).with_txt_cache(&self.zone);
        let output = self.resolver.verify_spf(asked).await;
        (hop.mail_from, output, true)
    }
}

/// Whether every line of a header is a field with a name of printing ASCII characters only (RFC
/// 5322 §2.2), or continues one. All programs read such a header alike.
fn is_plain_header(bytes: &[u8]) -> bool {
    let head = &bytes[..header_len(bytes)];
    let mut lines = head.split(|b| *b == b'\n').map(|l| l.strip_suffix(b"\r").unwrap_or(l));
    let named = |line: &[u8]| {
        let name = line.split(|b| *b == b':').next().unwrap_or_default();
        let printing = name.iter().all(|b| b.is_ascii_graphic());
        !name.is_empty() && name.len() < line.len() && printing
    };
    let first = lines.next().is_some_and(named);
    let goes_on = |line: &[u8]| line.first().is_some_and(|b| *b == b' ' || *b == b'\t');
    first && !head.contains(&0) && lines.all(|l| !l.contains(&b'\r') && (goes_on(l) || named(l)))
}

#[cfg(test)]
mod tests {
    use super::super::mime;
    use super::*;

    fn of(headers: &str) -> Authenticity {
        let mail = format!("{headers}From: p@example.org\nSubject: x\n\nA 1 2\n");
        let strips = Trusted { authserv_id: "mx.host.example", strips: true };
        from_header(&mime::parse(mail.as_bytes()).expect("a mail"), strips)
    }

    #[test]
    fn f1_only_the_topmost_block_of_the_trusted_server_counts() {
        let good = "Authentication-Results: mx.host.example 1; dmarc=pass (p=none)\n \
                    header.from=example.org\n";
        let forged =
            "Authentication-Results: mx.host.example; dmarc=fail header.from=example.org\n";
        let other =
            "Authentication-Results: elsewhere.example; dmarc=pass header.from=example.org\n";
        let hop = "Received: from a by b; Sat, 21 Nov 2026 01:36:00 +0000\n";
        assert_eq!(of(good), Authenticity::Pass);
        assert_eq!(of(other), Authenticity::Unknown);
        assert_eq!(of(&format!("{good}{hop}{forged}")), Authenticity::Pass);
        assert_eq!(of(&format!("{forged}{hop}{good}")), Authenticity::Fail);
        assert_eq!(of(&format!("{other}{good}")), Authenticity::Pass);
    }

    #[test]
    fn f1_below_a_received_field_a_field_counts_only_where_the_server_takes_out_those_of_others() {
        let field = "Authentication-Results: mx.host.example; dmarc=pass header.from=example.org\n";
        let read = |strips: bool, above: &str| {
            let mail = format!("{above}{field}From: p@example.org\n\nC 1 1\n");
            let trusted = Trusted { authserv_id: "mx.host.example", strips };
            from_header(&mime::parse(mail.as_bytes()).expect("a mail"), trusted)
        };
        let inner = "Received: by mx.host.example; Sat, 21 Nov 2026 01:36:00 +0000\n";
        for above in [String::new(), inner.to_owned(), inner.repeat(2)] {
            assert_eq!(
                (read(false, &above), read(true, &above)),
                (Authenticity::Pass, Authenticity::Pass)
            );
        }
        // Whatever the sender adds below the server's own fields.
        let by =
            |host: &str| format!("Received: from x by {host}; Sat, 21 Nov 2026 01:36:00 +0000\n");
        for more in ["", inner, &by("localhost"), &by("mx.host.example"), &by("b.host.example")] {
            let above = format!("{}{more}", by("mx.host.example"));
            assert_eq!(read(false, &above), Authenticity::Unknown, "{above}");
            assert_eq!(read(true, &above), Authenticity::Pass, "{above}");
        }
        assert_eq!(read(true, &by("evil.example")), Authenticity::Unknown);
    }

    #[test]
    fn f1_a_failure_in_any_field_of_the_server_counts_and_too_many_results_prove_nothing() {
        let read = |fields: &str| {
            let mail = format!("{fields}From: p@example.org\r\n\r\nC 1 1\r\n");
            let trusted = Trusted { authserv_id: "mx.host.example", strips: false };
            from_header(&crate::mime::parse(mail.as_bytes()).expect("a mail"), trusted)
        };
        let field =
            |results: &str| format!("Authentication-Results: mx.host.example; {results}\r\n");
        let pass = field("spf=pass smtp.mailfrom=p@example.org");
        assert_eq!(read(&pass), Authenticity::Pass);
        assert_eq!(
            read(&format!("{pass}{}", field("dmarc=fail header.from=example.org"))),
            Authenticity::Fail
        );
        let many = |n: usize| field(&"spf=pass smtp.mailfrom=p@example.org; ".repeat(n));
        assert_eq!((read(&many(40)), read(&many(60))), (Authenticity::Pass, Authenticity::Unknown));
    }

    #[test]
    fn f1_results_are_read_with_their_comments_and_quotes() {
        for (text, expected) in [
            ("dkim=pass header.d=example.org", Authenticity::Pass),
            ("dkim=pass header.i=@mail.example.org", Authenticity::Pass),
            ("dkim=pass header.d=_s1.example.org", Authenticity::Pass),
            ("dkim=pass header.d=evil.example", Authenticity::Unknown),
            ("dkim=pass header.d=org", Authenticity::Unknown),
            ("dkim=pass (header.d=example.org) header.d=evil.example", Authenticity::Unknown),
            ("spf=pass smtp.mailfrom=bounce@example.org", Authenticity::Pass),
            ("spf=pass reason=\"; dmarc=pass header.from=example.org\"", Authenticity::Unknown),
            (
                "dmarc=fail header.from=example.org; dkim=pass header.d=example.org",
                Authenticity::Fail,
            ),
            ("dkim=pass (they said \"so) header.d=example.org", Authenticity::Pass),
            ("dkim=pass (a \\) b) header.d=example.org", Authenticity::Pass),
            ("dkim=pass reason=\"a \\\" b\" header.d=example.org", Authenticity::Pass),
            ("dkim=pass reason=\"a ( b\" header.d=example.org", Authenticity::Pass),
            ("dkim=pass reason=\"a ) b\" header.d=example.org", Authenticity::Pass),
            ("none", Authenticity::Unknown),
        ] {
            let field = format!("Authentication-Results: mx.host.example; {text}\n");
            assert_eq!(of(&field), expected, "{text}");
        }
    }

    #[test]
    fn f1_a_field_that_is_not_well_formed_counts_as_none_and_a_failure_wins() {
        let hop = "Received: from a.evil.example by mx.evil.example; Sat, 21 Nov 2026 01:36:00\n";
        let pass = "Authentication-Results: mx.host.example; dkim=pass header.d=example.org\n";
        for text in [
            // A bracket or a quote that swallows the rest of a domain, or a failure after it.
            "dkim=pass header.d=example.org(.evil.example; dmarc=none",
            "spf=pass smtp.mailfrom=x@example.org(.evil.example",
            "dkim=pass header.d=\"example.org",
            "dkim=pass header.d=example.org)",
            "dkim=pass \\(header.d=example.org",
            "dkim=pass header.d=evil.example header.d=example.org",
            "dkim=pass header.d=example.org header.D=evil.example",
            "dkim=pass header.d=example.org/.evil.example",
            "dkim=pass header.d=.example.org",
            "dkim=pass header.d=evil.example/x.example.org",
            "dkim=pass header.d=exam\u{1}ple.org",
            "dkim=pass header.d=example.org; spf=fail smtp.mailfrom=x@example.org",
            "spf=pass smtp.mailfrom=x@example.org; dkim=fail header.d=example.org",
            "dkim=pass header.d=co.uk",
            "dmarc=pass header.from=example.org; dkim=fail header.d=example.org",
            "dmarc=pass header.from=example.org; spf=fail smtp.mailfrom=x@example.org",
        ] {
            let field = format!("Authentication-Results: mx.host.example; {text}\n");
            assert_eq!(of(&field), Authenticity::Unknown, "{text}");
            // A field of the same server below it does not replace it.
            assert_eq!(of(&format!("{field}{pass}")), Authenticity::Unknown, "{text}");
        }
        for text in [
            "dkim=pass header.d=example.org(.evil.example; dmarc=fail header.from=example.org",
            "dmarc=fail (p=reject) header.from=example.org; dmarc=pass header.from=example.org",
            "dkim=pass header.d=example.org; dmarc=\n fail header.from=example.org",
        ] {
            let field = format!("Authentication-Results: mx.host.example; {text}\n");
            assert_eq!(of(&field), Authenticity::Fail, "{text}");
        }
        // Everything below another host's hop is from the sender.
        assert_eq!(of(&format!("{hop}{pass}")), Authenticity::Unknown);
        for own in [
            "Received: from a.evil.example by mx.host.example; Sat, 21 Nov 2026 01:36:00\n",
            "Received: from mx by store.host.example; Sat, 21 Nov 2026 01:36:00\n",
            "Received: by 2002:a05::1 with SMTP id x; Sat, 21 Nov 2026 01:36:00\n",
            // Dovecot's name for itself on a machine whose name has no domain.
            "Received: from mx.host.example by localhost with LMTP; Sat, 21 Nov 2026 01:36:00\n",
        ] {
            assert_eq!(of(&format!("{own}{pass}")), Authenticity::Pass, "{own}");
        }
    }

    /// A mail that the domain example.org has signed, and the records of that domain.
    fn signed(text: &str) -> (String, BTreeMap<String, String>) {
        signed_for("p@example.org", text)
    }

    /// Such a mail with another From address.
    fn signed_for(from: &str, text: &str) -> (String, BTreeMap<String, String>) {
        use mail_auth::common::crypto::Ed25519Key;
        use mail_auth::common::headers::HeaderWriter;
        use mail_auth::dkim::DkimSigner;
        let pkcs8 = Ed25519Key::generate_pkcs8().expect("a key");
        let key = Ed25519Key::from_pkcs8_maybe_unchecked_der(&pkcs8).expect("a key");
        let public = data_encoding::BASE64.encode(&key.public_key());
        let signer = DkimSigner::from_key(key)
            .domain("example.org")
            .selector("s")
            .headers(["From", "Subject"]);
        let mail = format!("From: {from}\r\nSubject: x\r\n\r\n{text}\r\n");
        let signature = signer.sign(mail.as_bytes()).expect("signed").to_header();
        let records = [
            ("s._domainkey.example.org", format!("v=DKIM1; k=ed25519; p={public}")),
            ("_dmarc.example.org", "v=DMARC1; p=reject".to_owned()),
            ("example.org", "v=spf1 ip4:192.0.2.7 -all".to_owned()),
        ];
        let records = records.into_iter().map(|(n, t)| (n.to_owned(), t)).collect();
        (format!("{signature}{mail}"), records)
    }

    #[test]
    fn f2_a_signature_of_the_from_domain_vouches_and_a_broken_one_does_not() {
        let (mail, records) = signed("M 1 3");
        let check = |mail: &str| {
            let checker = Checker::of_zone(&records, None).expect("no server is asked");
            checker.check(mail.as_bytes()).0
        };
        assert_eq!(check(&mail), Authenticity::Pass);
        assert_ne!(check(&mail.replace("M 1 3", "M 1 4")), Authenticity::Pass);
        // Signed by one domain, but in the name of another.
        let other = mail.replace("From: p@example.org", "From: p@example.com");
        assert_ne!(check(&other), Authenticity::Pass);
        // A good signature by a domain other than the author's vouches for nothing.
        let (foreign, records) = signed_for("p@example.com", "M 1 3");
        let checker = Checker::of_zone(&records, None).expect("no server is asked");
        assert_eq!(checker.check(foreign.as_bytes()).0, Authenticity::Unknown);
        assert_ne!(check("From: p@example.org\r\n\r\nM 1 3\r\n"), Authenticity::Pass);
        assert_eq!(check("no mail"), Authenticity::Unknown);
    }

    #[test]
    fn f5_a_mail_with_more_signatures_than_honest_ones_have_is_vouched_for_by_nobody() {
        let (mail, records) = signed("M 1 3");
        let checker = Checker::of_zone(&records, None).expect("no server is asked");
        let more = "DKIM-Signature: v=1; a=ed25519-sha256; d=other.example; s=s; h=from; bh=eA==; \
                    b=eA==\r\n";
        let results =
            "Authentication-Results: mx.host.example; dmarc=pass header.from=example.org\n";
        let forged = "Authentication-Results: mx.host.example; dmarc=fail\n";
        for (n, found) in
            [(SIGNATURES_MAX - 1, Authenticity::Pass), (SIGNATURES_MAX, Authenticity::Unknown)]
        {
            let more = more.repeat(n);
            assert_eq!(checker.check(format!("{more}{mail}").as_bytes()).0, found, "{n}");
            let more = format!("{more}DKIM-Signature: d=example.org; b=eQ==\n");
            assert_eq!(of(&format!("{results}{more}")), found, "{n}");
            assert_eq!(of(&format!("{forged}{more}")), Authenticity::Fail, "{n}");
        }
    }

    #[test]
    fn f2_a_header_that_two_programs_read_in_two_ways_vouches_for_nothing() {
        let (mail, records) = signed("M 1 3");
        let check = |mail: &str| {
            let checker = Checker::of_zone(&records, None).expect("no server is asked");
            checker.check(mail.as_bytes())
        };
        assert_eq!(check(&mail), (Authenticity::Pass, "p@example.org".to_owned()));
        for name in [
            "From \u{c}",
            "From\u{c}",
            "From ",
            "From\t",
            "\u{c}From",
            "Fr\u{e9}om",
            "From\0",
            "",
            "X Y",
            "From\u{a0}",
        ] {
            let odd = format!("{name}: anna@a.example\r\n{mail}");
            assert_eq!(check(&odd), (Authenticity::Unknown, String::new()), "{name:?}");
        }
        for line in ["From anna@a.example", "no colon", "|\u{c}: x", "X: a\rFrom: anna@a.example"] {
            let odd = format!("X-One: 1\r\n{line}\r\n{mail}");
            assert_eq!(check(&odd).0, Authenticity::Unknown, "{line:?}");
        }
        assert_eq!(check(&format!("X-One: 1\r\n goes on\r\n{mail}")).0, Authenticity::Pass);
    }

    #[test]
    fn f2_spf_counts_for_the_address_that_our_own_server_names() {
        let (_, records) = signed("");
        let checker = Checker::of_zone(&records, Some("mx.host.example".into())).expect("a zone");
        let from = |ip: &str, by: &str| {
            let mail = format!(
                "Return-Path: <p@example.org>\r\nReceived: from out.example.org (out.example.org \
                 [{ip}])\r\n by {by} with ESMTP id 1; Sat, 21 Nov 2026 01:36:00 +0000\r\n\
                 From: p@example.org\r\nSubject: x\r\n\r\nM 1 3\r\n"
            );
            checker.check(mail.as_bytes()).0
        };
        assert_eq!(from("192.0.2.7", "mx.host.example"), Authenticity::Pass);
        assert_eq!(from("192.0.2.8", "mx.host.example"), Authenticity::Fail);
        // A field of another server means nothing.
        assert_ne!(from("192.0.2.7", "mx.evil.example"), Authenticity::Pass);
    }

    #[test]
    fn f2_what_neither_signature_nor_sender_vouch_for_is_forged_where_the_domain_says_so() {
        let (_, mut records) = signed("");
        records.insert("evil.example".into(), "v=spf1 ip4:203.0.113.5 ~all".into());
        records.insert("soft.example".into(), "v=spf1 ~all".into());
        let judged = |records: &BTreeMap<String, String>, by: Option<&str>, sender: &str| {
            let mail = format!(
                "Return-Path: <{sender}>\r\nReceived: from out.evil.example (out.evil.example \
                 [203.0.113.5])\r\n by mx.host.example with ESMTP id 1; Sat, 21 Nov 2026 01:36:00 \
                 +0000\r\nFrom: p@example.org\r\nSubject: x\r\n\r\nM 1 3\r\n"
            );
            let checker = Checker::of_zone(records, by.map(str::to_owned)).expect("a zone");
            checker.check(mail.as_bytes()).0
        };
        let ours = Some("mx.host.example");
        // Envelope senders: the forger's own domain, whose SPF lists the host that it came from; a
        // domain with a weak SPF; one without; none at all.
        for sender in ["x@evil.example", "x@soft.example", "x@nowhere.example", ""] {
            assert_eq!(judged(&records, ours, sender), Authenticity::Fail, "{sender}");
            // If the sender can't be checked, the mail may be genuine.
            assert_eq!(judged(&records, None, sender), Authenticity::Unknown, "{sender}");
        }
        records.remove("_dmarc.example.org");
        assert_eq!(judged(&records, ours, "x@evil.example"), Authenticity::Unknown, "no policy");

        // A strict policy wants the very domain, so a signature by another domain of the same owner
        // does not count.
        let strict = "v=DMARC1; p=reject; adkim=s; aspf=s";
        let (below, mut records) = signed_for("p@mail.example.org", "M 1 3");
        let check = |records: &BTreeMap<String, String>| {
            let checker = Checker::of_zone(records, None).expect("a zone");
            checker.check(below.as_bytes()).0
        };
        assert_eq!(check(&records), Authenticity::Pass, "its owner's policy is content");
        records.remove("_dmarc.example.org");
        assert_eq!(check(&records), Authenticity::Pass, "there is none");
        records.insert("_dmarc.mail.example.org".into(), strict.into());
        assert_eq!(check(&records), Authenticity::Fail);
    }
}
