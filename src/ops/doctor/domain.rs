//! The domain of the robot's address: what other servers can find out about it when our mail comes.

use indicatif::ProgressBar;

use super::report::Report;
use super::{Failure, Visit};
use crate::config::{AuthConfig, OutletConfig};
use mail::auth::{self, Checker};
use mail::mime;

/// Checks the records of the domain, and what servers have written into the mail that came back.
///
/// # Errors
/// When nothing can be printed.
pub fn check(
    visit: &Visit,
    came: Option<&[u8]>,
    bar: &ProgressBar,
    report: &mut Report,
) -> Result<(), Failure> {
    let domain = visit.identity.domain();
    let dns = match &visit.config.auth {
        AuthConfig::Check { dns, .. } => *dns,
        AuthConfig::None | AuthConfig::Trust(_) => None,
    };
    let mail = came.and_then(super::taken_apart);
    let advice = "Answers of players do not depend on it, but whether your mail is taken for spam \
                  does. Check the network, or [auth] dns.";
    let asked = Checker::new(dns, None).and_then(|c| c.texts(domain).map(|texts| (c, texts)));
    bar.finish_and_clear();
    if let Some(mail) = &mail {
        results(visit, mail, report)?;
    }
    match asked {
        Err(why) => report.warn("DNS", &format!("no answer about {domain}: {why}"), advice)?,
        Ok((checker, texts)) => {
            spf(visit, &texts, report)?;
            dmarc(domain, &checker, report)?;
            if let Some(mail) = &mail {
                dkim(domain, mail, &checker, report)?;
            }
        }
    }
    Ok(())
}

/// The domain in the forged results that the robot's mail to itself carries.
pub const FORGED: &str = "forged.invalid";

/// What the mailbox's server found out about our own mail.
fn results(visit: &Visit, mail: &mime::ParsedMail, report: &mut Report) -> Result<(), Failure> {
    let name = "proof of origin";
    let forged = |(field, value): &(String, String)| {
        field.eq_ignore_ascii_case("Authentication-Results") && value.contains(FORGED)
    };
    if let AuthConfig::Trust(server) = &visit.config.auth {
        let stands = mail.headers.iter().any(forged);
        // The mark is known only if the store can be opened.
        if visit.mark.is_some() {
            crate::host::robot(visit.config, &registry::ENGINES)?.note_stripped(server, !stands)?;
        }
        match stands {
            true => report.fail(
                "forged results",
                &format!(
                    "the server leaves fields in the name of {server} standing that others wrote"
                ),
                "Whoever writes such a field would be believed. Have the server remove them \
                 (RFC 8601 §5), or use [auth] check = true instead of trust.",
            )?,
            false => report.ok("forged results", "the server takes them out")?,
        }
    }
    let mut mail = mail.clone();
    mail.headers.retain(|field| !forged(field));
    let mail = &mail;
    let Some((by, found)) = auth::reported(mail) else {
        if let AuthConfig::Trust(server) = &visit.config.auth {
            let seen = format!("no field of {server}, which [auth] trusts");
            let advice = "Then no mail is vouched for. Name the server as its own field does.";
            return Ok(report.warn(name, &seen, advice)?);
        }
        let seen = "the server writes no results into mail of its own users";
        return Ok(report.ok(name, seen)?);
    };
    if let AuthConfig::Trust(server) = &visit.config.auth
        && !server.eq_ignore_ascii_case(&by)
    {
        let seen = format!("the results in the mail are {by}'s, and [auth] trusts {server}");
        report.warn(name, &seen, &format!("Write trust = {by:?}, if that is your own server."))?;
    }
    let methods = ["spf", "dkim", "dmarc"];
    let ours = found.iter().filter(|(method, _)| methods.contains(&method.as_str()));
    let words: Vec<String> = ours.clone().map(|(m, r)| format!("{m}={r}")).collect();
    let good = |result: &str| ["pass", "none", "neutral"].contains(&result);
    let seen = format!("{by} says {}", words.join(", "));
    match ours.clone().all(|(_, r)| good(r)) {
        _ if words.is_empty() => report.ok(name, &format!("{by} says nothing of our mail"))?,
        true => report.ok(name, &seen)?,
        false => report.warn(
            name,
            &seen,
            "Players' servers will see the same and may take mail of the robot for spam. The \
             records below must name the server that sends, and it must sign.",
        )?,
    }
    Ok(())
}

fn spf(visit: &Visit, texts: &[String], report: &mut Report) -> Result<(), Failure> {
    let domain = visit.identity.domain();
    let server = match &visit.config.outlet {
        OutletConfig::Smtp(account) => format!("a:{}", account.host),
        OutletConfig::Maildir(_) => "mx".to_owned(),
    };
    let is_spf = |t: &&String| t.to_lowercase().split(' ').next() == Some("v=spf1");
    let found: Vec<&String> = texts.iter().filter(is_spf).collect();
    match found.as_slice() {
        [] => report.warn(
            "SPF",
            &format!("{domain} has no record"),
            &format!(
                "Publish a TXT record for {domain} such as \"v=spf1 {server} ~all\", with the \
                 include: that your provider names instead of {server}, if it does."
            ),
        )?,
        [record] if record.to_lowercase().contains("+all") => report.warn(
            "SPF",
            record,
            "+all lets everybody send in your name; end it with ~all or -all.",
        )?,
        [record] => report.ok("SPF", record)?,
        _ => report.warn(
            "SPF",
            &format!("{domain} has {} records", found.len()),
            "With more than one none counts (RFC 7208 §4.5): join them to one.",
        )?,
    }
    Ok(())
}

fn dmarc(domain: &str, checker: &Checker, report: &mut Report) -> Result<(), Failure> {
    let mut name = domain;
    // A domain without a record has that of the domain above (RFC 9989).
    loop {
        let texts = match checker.texts(&format!("_dmarc.{name}")) {
            Ok(texts) => texts,
            Err(why) => {
                report.warn("DMARC", &format!("no answer: {why}"), "Try again later.")?;
                return Ok(());
            }
        };
        let is_dmarc = |t: &&String| t.to_lowercase().starts_with("v=dmarc1");
        if let Some(record) = texts.iter().find(is_dmarc) {
            report.ok("DMARC", &format!("{name}: {record}"))?;
            return Ok(());
        }
        match name.split_once('.') {
            Some((_, above)) if above.contains('.') => name = above,
            _ => break,
        }
    }
    let advice = format!(
        "Publish a TXT record for _dmarc.{domain}: \"v=DMARC1; p=none\". Large providers take \
         bulk mail only from domains that have one."
    );
    report.warn("DMARC", &format!("{domain} has no record"), &advice)?;
    Ok(())
}

fn dkim(
    domain: &str,
    mail: &mime::ParsedMail,
    checker: &Checker,
    report: &mut Report,
) -> Result<(), Failure> {
    let Some(signature) = mail.header("DKIM-Signature") else {
        let advice = "Some servers sign only what leaves them. Otherwise switch signing on at \
                      your provider, or with OpenDKIM or rspamd.";
        report.warn("DKIM", "the mail came back without a signature", advice)?;
        return Ok(());
    };
    let (signer, selector) = (tag(signature, "d"), tag(signature, "s"));
    let name = format!("{selector}._domainkey.{signer}");
    let key = match checker.texts(&name) {
        Ok(texts) => texts.into_iter().find(|t| !tag(t, "p").is_empty()),
        Err(why) => {
            report.warn("DKIM", &format!("no answer: {why}"), "Try again later.")?;
            return Ok(());
        }
    };
    let (of_robot, of_signer) = (domain.to_lowercase(), signer.to_lowercase());
    let below = |a: &str, b: &str| a == b || a.ends_with(&format!(".{b}"));
    let aligned = below(&of_robot, &of_signer) || below(&of_signer, &of_robot);
    match key {
        None => report.warn(
            "DKIM",
            &format!("{name} has no key, so the signature counts for nothing"),
            &format!("Publish the key that the signing server shows as a TXT record for {name}."),
        )?,
        Some(_) if !aligned => report.warn(
            "DKIM",
            &format!("mail is signed by {signer}, not by {domain}"),
            "Have it signed by the domain of robot.address; DMARC asks for that.",
        )?,
        Some(_) => report.ok("DKIM", &format!("{name} has the key of the signature"))?,
    }
    Ok(())
}

/// A tag of a signature or a key (RFC 6376 §3.2), without blanks, as plain as a name.
fn tag(field: &str, name: &str) -> String {
    let tags = field.split(';').filter_map(|t| t.split_once('='));
    let value = tags.into_iter().find(|(n, _)| n.trim() == name).map_or("", |(_, v)| v);
    let plain = |c: &char| c.is_ascii_alphanumeric() || "._-+/=".contains(*c);
    value.chars().filter(plain).take(1000).collect()
}

#[cfg(test)]
mod tests {
    use super::tag;

    #[test]
    fn tags_of_a_signature_are_read_across_its_folds() {
        let field =
            "v=1; a=rsa-sha256; c=relaxed/relaxed;\r\n\td=example.org;\r\n s=mail 2026; bh=x=;";
        assert_eq!(tag(field, "d"), "example.org");
        assert_eq!(tag(field, "s"), "mail2026");
        assert_eq!(tag(field, "z"), "");
    }
}
