//! Reply mails as real mail programs write them: programs, languages, encodings, parents.
//!
//! The strings are a collection of their own, apart from the robot's tables of words, so
//! that the robot is not tested against itself.

/// A generated reply.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Program, language, encoding, parent and, unless above the quote, the place.
    pub name: String,
    pub raw: Vec<u8>,
    pub placed: Placed,
}

/// Where the new lines stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placed {
    Above,
    Below,
    /// Between the quoted lines of the blank card.
    Between,
}

/// The mail that is answered.
#[derive(Debug, Clone, Copy)]
pub struct Parent<'a> {
    pub name: &'a str,
    pub from_name: &'a str,
    pub from: &'a str,
    pub subject: &'a str,
    pub message_id: &'a str,
    pub text: &'a str,
}

/// Every program's reply to every parent in every language of the program.
///
/// `lines` are the new orders, `to` the reply address, `from` the player's. The encoding
/// goes round; a few programs write every encoding to the first parent.
pub fn replies(from: &str, to: &str, lines: &[&str], parents: &[Parent]) -> Vec<Reply> {
    let (clients, langs) = (clients(), languages());
    let mut all = Vec::new();
    for (p, parent) in parents.iter().enumerate() {
        for (c, client) in clients.iter().enumerate() {
            for (l, lang) in langs.iter().enumerate().filter(|(_, lang)| client.speaks(lang)) {
                for &placed in client.places {
                    if placed == Placed::Between && card(parent.text).is_none() {
                        continue;
                    }
                    let own = parent.from.eq_ignore_ascii_case(from);
                    let parent_to = if own { to } else { from };
                    let letter = Letter { client, lang, parent, parent_to, lines, placed };
                    let turn = c + l + p;
                    let every = client.every && p == 0 && placed == Placed::Above;
                    let count = if every { ENCODINGS.len() } else { 1 };
                    for n in 0..count {
                        let encoding = ENCODINGS[(turn + n) % ENCODINGS.len()];
                        let bare = client.bare && (l / 4 + p + n).is_multiple_of(2);
                        all.extend(letter.write(from, to, encoding, bare, every));
                    }
                }
            }
        }
    }
    all
}

// ---- the programs ----

struct Client {
    name: &'static str,
    /// The header line that names the program.
    mailer: &'static str,
    /// Its line above the quote: rows of a language and a template.
    wrote: &'static str,
    body: fn(&Letter) -> Body,
    /// What stands before each quoted line.
    mark: &'static str,
    /// A blank line follows the attribution.
    gap: bool,
    flowed: bool,
    /// Signature or footer below the new lines.
    sign: &'static str,
    /// The subject's prefix is in the user's language.
    local_re: bool,
    /// Every second reply has no text part.
    bare: bool,
    /// Every encoding is written.
    every: bool,
    places: &'static [Placed],
}

use Placed::{Above, Below, Between};

const INLINE: &[Placed] = &[Above, Between];
const ANYWHERE: &[Placed] = &[Above, Below, Between];

#[rustfmt::skip]
fn client(
    name: &'static str, mailer: &'static str, wrote: &'static str, body: fn(&Letter) -> Body,
) -> Client {
    Client {
        name, mailer, wrote, body, mark: "> ", gap: false, flowed: false, sign: "",
        local_re: false, bare: false, every: false, places: &[Above],
    }
}

#[rustfmt::skip]
impl Client {
    fn mark(self, mark: &'static str) -> Self { Self { mark, ..self } }
    fn gap(self) -> Self { Self { gap: true, ..self } }
    fn flowed(self) -> Self { Self { flowed: true, ..self } }
    fn sign(self, sign: &'static str) -> Self { Self { sign, ..self } }
    fn local_re(self) -> Self { Self { local_re: true, ..self } }
    fn bare(self) -> Self { Self { bare: true, ..self } }
    fn every(self) -> Self { Self { every: true, ..self } }
    fn places(self, places: &'static [Placed]) -> Self { Self { places, ..self } }

    /// The template of a language; none where the program has no such line.
    fn template(&self, code: &str) -> Option<&'static str> {
        let mut rows = self.wrote.lines().filter_map(|row| row.split_once(' '));
        rows.find(|(known, _)| *known == code).map(|(_, template)| template)
    }

    fn speaks(&self, lang: &Lang) -> bool {
        self.wrote.is_empty() || self.template(lang.code).is_some()
    }
}

#[rustfmt::skip]
fn clients() -> Vec<Client> {
    const OUTLOOK: &str = "X-Mailer: Microsoft Outlook 16.0";
    const OUTLOOK_2010: &str = "X-Mailer: Microsoft Outlook 14.0";
    const EXCHANGE: &str = "X-MS-Has-Attach:";
    const BIRD: &str = "User-Agent: Mozilla Thunderbird";
    const APPLE_MAIL: &str = "X-Mailer: Apple Mail (2.3826.700.81)";
    const SIGNED: &str = "-- \n{person}";
    vec![
        // Microsoft: the original below a block of header lines, unmarked.
        client("outlook-desktop", OUTLOOK, "", outlook_desktop).local_re().bare().every(),
        client("outlook-text", OUTLOOK, "", outlook_text).local_re().sign("{person}"),
        client("outlook-2010", OUTLOOK_2010, "", outlook_2010).local_re(),
        client("outlook-marked", OUTLOOK, "", outlook_marked).local_re().places(INLINE),
        client("exchange-bar", EXCHANGE, "", exchange_bar).local_re(),
        client("outlook-web", EXCHANGE, "", outlook_web).local_re().bare(),
        client("outlook-mobile", EXCHANGE, "", outlook_mobile).local_re().bare(),
        client("outlook-mac", "User-Agent: Microsoft-MacOutlook/10.1d.0.190908", OUTLOOK_MAC, plain)
            .local_re().mark("").gap(),
        client("windows-mail", EXCHANGE, WINDOWS_MAIL, windows_mail).local_re().bare(),
        // Web mail.
        client("gmail-web", "X-Gm-Features: AAA", GMAIL, gmail).bare().every().places(INLINE),
        client("gmail-mobile", "X-Gm-Features: AAB", GMAIL, gmail).bare(),
        client("yahoo", "X-Mailer: WebService/1.1.24652 YMailNovation", YAHOO, yahoo).bare(),
        client("proton", "X-Pm-Message-ID: 0f", PROTON, proton).gap().bare()
            .sign("Sent with Proton Mail secure email."),
        client("proton-bar", "X-Pm-Message-ID: 0e", PROTON_BAR, plain).gap(),
        client("gmx", "X-UI-CLIENT-META-MAIL-DROP: W10=", GMX, gmx).local_re().bare(),
        client("web-de-text", "X-UI-CLIENT-META-MAIL-DROP: W10=", GMX, plain).local_re().mark("")
            .gap(),
        client("mail-ru", "X-Mailer: Mail.Ru Mailer 1.0", MAIL_RU, mail_ru).mark(">").bare()
            .sign("-- \n{person}"),
        client("yandex", "X-Mailer: Yamail [ http://yandex.ru ] 5.0", YANDEX, yandex),
        client("qq", "X-QQ-mid: webmail123", QQ, qq).local_re(),
        client("netease", "X-Mailer: Coremail Webmail Server", NETEASE, plain).mark(">"),
        client("foxmail", "X-Mailer: Foxmail 7.2.25.375[cn]", FOXMAIL, foxmail).bare(),
        client("zoho", "X-Mailer: Zoho Mail", ZOHO, zoho).bare(),
        client("roundcube", "User-Agent: Roundcube Webmail/1.6.9", ROUNDCUBE, plain).flowed()
            .places(ANYWHERE),
        client("horde", "User-Agent: Horde Application Framework 5", HORDE, plain).gap(),
        // Apple and phones.
        client("apple-mail", APPLE_MAIL, APPLE, apple).bare().places(INLINE),
        client("apple-mail-text", APPLE_MAIL, APPLE, plain).gap().places(INLINE),
        client("iphone", "X-Mailer: iPhone Mail (22H20)", APPLE, iphone).bare().sign("{iphone}"),
        client("samsung", "X-Mailer: SamsungMail", "", samsung).bare().sign("{galaxy}"),
        client("k9", "User-Agent: K-9 Mail for Android", K9, k9).mark(">").bare().places(INLINE)
            .sign("-- \n{person}"),
        client("k9-headers", "User-Agent: K-9 Mail for Android", K9_HEADERS, plain).mark("").gap(),
        client("spark", "X-Readdle-Message-ID: 1@Spark", SPARK, plain),
        // Desktop programs.
        client("thunderbird-text", BIRD, THUNDERBIRD, plain).flowed().every().places(ANYWHERE)
            .sign(SIGNED),
        client("thunderbird-html", BIRD, THUNDERBIRD, thunderbird_html).bare().places(INLINE),
        client("evolution", "User-Agent: Evolution 3.56.2", EVOLUTION, plain).places(INLINE),
        client("kmail", "User-Agent: KMail/6.3.1", KMAIL, plain).places(INLINE),
        client("claws", "X-Mailer: Claws Mail 4.1.1", CLAWS, plain).gap().places(INLINE),
        client("notes", "X-Mailer: Lotus Notes Release 9.0.1FP10", NOTES, plain).mark("").gap(),
        client("inotes", "X-Mailer: Lotus Domino Web Server 9.0.1", INOTES, plain).mark("").gap(),
        // Terminals.
        client("mutt", "User-Agent: Mutt/2.2.13", MUTT, plain).sign(SIGNED).places(ANYWHERE),
        client("alpine", "User-Agent: Alpine 2.26", ALPINE, plain).gap().flowed().places(INLINE),
        client("gnus", "User-Agent: Gnus/5.13 (Gnus v5.13)", GNUS, plain).gap().places(ANYWHERE),
        client("s-nail", "User-Agent: s-nail v14.9.24", S_NAIL, plain).places(&[Below, Between]),
        client("s-nail-top", "User-Agent: s-nail v14.9.24", S_NAIL_TOP, plain),
        client("aerc", "X-Mailer: aerc 0.20.1", AERC, plain).places(INLINE),
        client("nmh", "X-Mailer: MH-E 8.6; nmh 1.8", NMH, plain).places(ANYWHERE),
        client("mblaze", "User-Agent: mblaze/1.1", S_NAIL, plain).gap(),
        client("himalaya", "User-Agent: himalaya/1.0", HIMALAYA, plain).places(INLINE),
    ]
}

// Lines above the quote: {n} and {a} are the quoted sender's name and address, {t} and {s}
// the quoted mail's recipient and subject, | is a line break.

const GMAIL: &str = "
en On Sat, Nov 21, 2026 at 1:36\u{202f}AM {n} <{a}> wrote:
de Am Sa., 21. Nov. 2026 um 01:36 Uhr schrieb {n} <{a}>:
fr Le sam. 21 nov. 2026 à 01:36, {n} <{a}> a écrit :
es El sáb, 21 nov 2026 a las 1:36, {n} (<{a}>) escribió:
it Il giorno sab 21 nov 2026 alle ore 01:36 {n} <{a}> ha scritto:
pt Em sáb., 21 de nov. de 2026 às 01:36, {n} <{a}> escreveu:
nl Op za 21 nov 2026 om 01:36 schreef {n} <{a}>:
sv Den lör 21 nov. 2026 kl 01:36 skrev {n} <{a}>:
da Den lør. 21. nov. 2026 kl. 01.36 skrev {n} <{a}>:
no lør. 21. nov. 2026 kl. 01:36 skrev {n} <{a}>:
fi la 21.11.2026 klo 1.36 {n} ({a}) kirjoitti:
pl sob., 21 lis 2026 o 01:36 {n} <{a}> napisał(a):
cs so 21. 11. 2026 v 1:36 odesílatel {n} <{a}> napsal:
ru сб, 21 нояб. 2026 г. в 01:36, {n} <{a}>:
hu {n} <{a}> ezt írta (időpont: 2026. nov. 21., Szo, 1:36):
tr {n} <{a}>, 21 Kas 2026 Cmt, 01:36 tarihinde şunu yazdı:
el Στις Σάβ 21 Νοε 2026 στις 1:36 π.μ., ο χρήστης {n} <{a}> έγραψε:
ja 2026年11月21日(土) 1:36 {n} <{a}>:
zh {n} <{a}> 于2026年11月21日周六 01:36写道：
ko 2026년 11월 21일 (토) 오전 1:36, {n} <{a}>님이 작성:
";

const APPLE: &str = "
en On 21 Nov 2026, at 01:36, {n} <{a}> wrote:
de Am 21.11.2026 um 01:36 schrieb {n} <{a}>:
fr Le 21 nov. 2026 à 01:36, {n} <{a}> a écrit :
es El 21 nov 2026, a las 1:36, {n} <{a}> escribió:
it Il giorno 21 nov 2026, alle ore 01:36, {n} <{a}> ha scritto:
pt Em 21 de nov. de 2026, à(s) 01:36, {n} <{a}> escreveu:
nl Op 21 nov 2026, om 01:36 heeft {n} <{a}> het volgende geschreven:
sv 21 nov. 2026 kl. 01:36 skrev {n} <{a}>:
da Den 21. nov. 2026 kl. 01.36 skrev {n} <{a}>:
no 21. nov. 2026 kl. 01:36 skrev {n} <{a}>:
fi {n} <{a}> kirjoitti 21.11.2026 kello 1.36:
pl Wiadomość napisana przez {n} <{a}> w dniu 21 lis 2026, o godz. 01:36:
cs 21. 11. 2026 v 1:36, {n} <{a}>:
ru 21 нояб. 2026 г., в 01:36, {n} <{a}> написал(а):
hu {n} <{a}> írta (2026. nov. 21. dátummal, 1:36 időpontban):
tr {n} <{a}> şunları yazdı (21 Kas 2026 01:36):
el Στις 21 Νοε 2026, στις 1:36 π.μ., ο/η {n} <{a}> έγραψε:
ja 2026/11/21 1:36、{n} <{a}>のメール:
zh 2026年11月21日 01:36，{n} <{a}> 写道：
ko 2026. 11. 21. 오전 1:36, {n} <{a}> 작성:
";

const THUNDERBIRD: &str = "
en On 11/21/26 1:36 AM, {n} wrote:
de Am 21.11.26 um 01:36 schrieb {n}:
fr Le 21/11/2026 à 01:36, {n} a écrit :
es El 21/11/2026 a las 1:36, {n} escribió:
it Il 21/11/2026 01:36, {n} ha scritto:
pt Em 21/11/2026 01:36, {n} escreveu:
nl Op 21-11-2026 om 01:36 schreef {n}:
sv Den 2026-11-21 kl. 01:36, skrev {n}:
da Den 21.11.2026 kl. 01.36 skrev {n}:
no Den 21.11.2026 01:36, skrev {n}:
fi {n} kirjoitti 21.11.2026 klo 1.36:
pl W dniu 21.11.2026 o 01:36, {n} pisze:
cs Dne 21. 11. 26 v 1:36 {n} napsal(a):
ru 21.11.2026 1:36, {n} пишет:
hu 2026. 11. 21. 1:36 keltezéssel, {n} írta:
tr 21.11.2026 01:36 tarihinde {n} yazdı:
el Στις 21/11/26 01:36, ο/η {n} έγραψε:
ja On 2026/11/21 1:36, {n} wrote:
zh 在 2026/11/21 1:36, {n} 写道:
ko 2026-11-21 오전 1:36에 {n} 이(가) 쓴 글:
";

const YAHOO: &str = "
en On Saturday, November 21, 2026 at 01:36:00 AM GMT, {n} <{a}> wrote:
de Am Samstag, 21. November 2026 um 01:36:00 MEZ hat {n} <{a}> Folgendes geschrieben:
fr Le samedi 21 novembre 2026 à 01:36:00 UTC+1, {n} <{a}> a écrit :
es El sábado, 21 de noviembre de 2026, 01:36:00 CET, {n} <{a}> escribió:
it Il sabato 21 novembre 2026 alle ore 01:36:00 CET, {n} <{a}> ha scritto:
pt Em sábado, 21 de novembro de 2026 às 01:36:00 BRT, {n} <{a}> escreveu:
nl Op zaterdag 21 november 2026 om 01:36:00 CET schreef {n} <{a}>:
sv Den lördag 21 november 2026 01:36:00 CET skrev {n} <{a}>:
da Den lørdag den 21. november 2026 kl. 01.36.00 CET skrev {n} <{a}>:
no lørdag 21. november 2026 kl. 01:36:00 CET skrev {n} <{a}> følgende:
fi lauantai 21. marraskuuta 2026 klo 01.36.00 UTC+2 {n} <{a}> kirjoitti:
pl W dniu sobota, 21 listopada 2026 01:36:00 CET użytkownik {n} <{a}> napisał:
cs Dne sobota 21. listopadu 2026 1:36:00 SEČ, {n} <{a}> napsal(a):
ru суббота, 21 ноября 2026 г. в 01:36:00 GMT+3, {n} <{a}> написал(а):
hu 2026. november 21., szombat 1:36:00 CET időpontban {n} <{a}> ezt írta:
tr 21 Kasım 2026 Cumartesi 01:36:00 GMT+3 tarihinde {n} <{a}> şunu yazdı:
el Στις Σάββατο 21 Νοεμβρίου 2026 στις 1:36:00 π.μ. EET, ο χρήστης {n} <{a}> έγραψε:
ja 2026年11月21日土曜日 1:36:00 JST、{n} <{a}> さんが書きました:
zh 在 2026年11月21日星期六 GMT+8 上午1:36:00，{n}<{a}> 写道：
ko 2026년 11월 21일 토요일 오전 1:36:00 GMT+9, {n} <{a}>님이 작성:
";

const ROUNDCUBE: &str = "
en On 2026-11-21 01:36, {n} wrote:
de Am 21.11.2026 01:36, schrieb {n}:
fr Le 2026-11-21 01:36, {n} a écrit :
es El 2026-11-21 01:36, {n} escribió:
it Il 2026-11-21 01:36 {n} ha scritto:
pt Em 2026-11-21 01:36, {n} escreveu:
nl {n} schreef op 2026-11-21 01:36:
sv Den 2026-11-21 01:36, skrev {n}:
da Den 2026-11-21 01:36, skrev {n}:
no Den 21.11.2026 01:36, skrev {n}:
fi {n} kirjoitti 2026-11-21 01:36:
pl W dniu 2026-11-21 01:36, {n} napisał(a):
cs Dne 2026-11-21 01:36, {n} napsal:
ru {n} писал 2026-11-21 01:36:
hu 2026-11-21 01:36 időpontban {n} ezt írta:
tr 2026-11-21 01:36 tarihinde {n} yazdı:
el Στις 2026-11-21 01:36, {n} έγραψε:
ja 2026-11-21 01:36 に {n} さんは書きました:
zh 在 2026-11-21 01:36，{n} 写道：
ko 2026-11-21 01:36에 {n} 이(가) 쓴 글:
";

const K9: &str = "
en On 21 November 2026 01:36:00 GMT, {n} <{a}> wrote:
de Am 21. November 2026 01:36:00 MEZ schrieb {n} <{a}>:
fr Le 21 novembre 2026 01:36:00 GMT+01:00, {n} <{a}> a écrit :
es El 21 de noviembre de 2026 1:36:00 CET, {n} <{a}> escribió:
it Il 21 novembre 2026 01:36:00 CET, {n} <{a}> ha scritto:
pt Em 21 de novembro de 2026 01:36:00 BRT, {n} <{a}> escreveu:
nl Op 21 november 2026 01:36:00 CET schreef {n} <{a}>:
sv Den 21 november 2026 01:36:00 CET, skrev {n} <{a}>:
da Den 21. november 2026 01.36.00 CET, skrev {n} <{a}>:
no Den 21. november 2026 01:36:00 CET, skrev {n} <{a}>:
fi {n} <{a}> kirjoitti 21. marraskuuta 2026 klo 1.36.00:
pl Dnia 21 listopada 2026 01:36:00 CET, {n} <{a}> napisał/a:
cs Dne 21. listopadu 2026 1:36:00 SEČ, {n} <{a}> napsal:
ru 21 ноября 2026 г. 1:36:00 GMT+03:00, {n} <{a}> пишет:
hu 2026. november 21. 1:36:00 CET, {n} <{a}> írta:
tr 21 Kasım 2026 01:36:00 GMT+03:00 tarihinde {n} <{a}> şunu yazdı:
el Στις 21 Νοεμβρίου 2026 1:36:00 π.μ. EET, ο/η {n} <{a}> έγραψε:
ja 2026年11月21日 1:36:00 JST、{n} <{a}> のメール:
zh 于 2026年11月21日 GMT+08:00 上午1:36:00, {n} <{a}> 写道：
ko 2026년 11월 21일 오전 1:36:00 GMT+09:00, {n} <{a}> 작성:
";

const EVOLUTION: &str = "
en On Sat, 2026-11-21 at 01:36 +0000, {n} wrote:
de Am Samstag, dem 21.11.2026 um 01:36 +0000 schrieb {n}:
fr Le samedi 21 novembre 2026 à 01:36 +0000, {n} a écrit :
es El sáb, 21-11-2026 a las 01:36 +0000, {n} escribió:
it Il giorno sab, 21/11/2026 alle 01.36 +0000, {n} ha scritto:
pt Em Sáb, 2026-11-21 às 01:36 +0000, {n} escreveu:
nl Op za 21-11-2026 om 01:36 [+0000], schreef {n}:
sv lör 2026-11-21 klockan 01:36 +0000 skrev {n}:
fi la, 2026-11-21 kello 01:36 +0000, {n} kirjoitti:
pl W dniu sob, 21.11.2026 o godzinie 01∶36 +0000, użytkownik {n} napisał:
cs {n} píše v So 21. 11. 2026 v 01:36 +0000:
ru В Сб, 21/11/2026 в 01:36 +0000, {n} пишет:
hu 2026-11-21, szo keltezéssel 01.36-kor {n} ezt írta:
ja 2026-11-21 (土) の 01:36 +0000 に {n} さんは書きました:
zh 在 2026-11-21六的 01:36 +0000，{n}写道：
";

const OUTLOOK_MAC: &str = "
en On 21/11/2026, 01:36, \"{n}\" <{a}> wrote:
de Am 21.11.26, 01:36 schrieb \"{n}\" <{a}>:
fr Le 21/11/2026 01:36, « {n} » <{a}> a écrit :
es El 21/11/26 1:36, \"{n}\" <{a}> escribió:
it Il giorno 21/11/26, 01:36 \"{n}\" <{a}> ha scritto:
pt Em 21/11/2026 01:36, \"{n}\" <{a}> escreveu:
nl Op 21-11-2026 01:36 heeft {n} <{a}> geschreven:
sv Den 2026-11-21 01:36 skrev \"{n}\" <{a}> följande:
da Den 21.11.2026 01.36 skrev \"{n}\" <{a}>:
no {n} <{a}> skrev følgende den 21.11.2026, 01:36:
fi {n} <{a}> kirjoitti 21.11.2026 1.36:
pl Dnia 21.11.2026, 01:36 „{n}” <{a}> napisał:
cs Dne 21.11.2026 1:36, {n} <{a}> napsal(a):
ru 21.11.2026, 1:36 пользователь \"{n}\" <{a}> написал:
hu 2026. 11. 21. 1:36 időpontban {n} (<{a}>) ezt írta:
tr \"{n}\" <{a}>, 21.11.2026 01:36 tarihinde şunu yazdı:
";

const CLAWS: &str = "
en On Sat, 21 Nov 2026 01:36:00 +0000|{n} <{a}> wrote:
de Am Sat, 21 Nov 2026 01:36:00 +0000|schrieb {n} <{a}>:
fr Le Sat, 21 Nov 2026 01:36:00 +0000,|{n} <{a}> a écrit :
es El Sat, 21 Nov 2026 01:36:00 +0000|{n} <{a}> escribió:
it Il giorno Sat, 21 Nov 2026 01:36:00 +0000|{n} <{a}> ha scritto:
nl Op Sat, 21 Nov 2026 01:36:00 +0000|schreef {n} <{a}>:
pl Dnia Sat, 21 Nov 2026 01:36:00 +0000|{n} <{a}> napisał(a):
cs Dne Sat, 21 Nov 2026 01:36:00 +0000|{n} <{a}> napsal(a):
ru В Sat, 21 Nov 2026 01:36:00 +0000|{n} <{a}> пишет:
hu Sat, 21 Nov 2026 01:36:00 +0000|{n} <{a}> írta:
";

const KMAIL: &str = "
en On Saturday, 21 November 2026 01:36:00 GMT {n} wrote:
de Am Samstag, 21. November 2026, 01:36:00 MEZ schrieb {n}:
fr Le samedi 21 novembre 2026, 01:36:00 CET {n} a écrit :
cs Dne sobota 21. listopadu 2026 1:36:00 CET, {n} napsal(a):
ru В письме от суббота, 21 ноября 2026 г. 1:36:00 MSK пользователь {n} написал:
";

const PROTON: &str = "
en On Saturday, November 21st, 2026 at 1:36 AM, {n} <{a}> wrote:
de Am Samstag, 21. November 2026 um 01:36 schrieb {n} <{a}>:
fr Le samedi 21 novembre 2026 à 01:36, {n} <{a}> a écrit :
";

const PROTON_BAR: &str = "
en ------- Original Message -------|On Saturday, November 21st, 2026 at 01:36, {n} <{a}> wrote:|
";

const SPARK: &str = "
en On 21 Nov 2026, 1:36 AM +0000, {n} <{a}>, wrote:
de Am 21. Nov. 2026, 01:36 +0100 schrieb {n} <{a}>:
ru 21 нояб. 2026 г., 1:36 +0300, {n} <{a}>, писал:
";

const HORDE: &str = "
en Quoting {n} <{a}>:
de Zitat von {n} <{a}>:
fr {n} <{a}> a écrit :
nl Citeren {n} <{a}>:
pl Cytowanie {n} <{a}>:
cs Cituji {n} <{a}>:
";

const K9_HEADERS: &str = "
en -------- Original Message --------|From: {n} <{a}>|Sent: 21 November 2026 01:36:00 GMT|\
    To: {t}|Subject: {s}
de -------- Originalnachricht --------|Von: {n} <{a}>|Gesendet: 21. November 2026 01:36:00 MEZ|\
    An: {t}|Betreff: {s}
fr -------- Message d'origine --------|De : {n} <{a}>|\
    Envoyé : 21 novembre 2026 01:36:00 GMT+01:00|À : {t}|Objet : {s}
";

const WINDOWS_MAIL: &str = "
en Sent from Mail for Windows
de Gesendet von Mail für Windows
fr Envoyé à partir de Courrier pour Windows
es Enviado desde Correo para Windows
it Inviato da Posta per Windows
nl Verzonden vanuit Mail voor Windows
";

const GMX: &str = "
de Gesendet: Samstag, 21. November 2026 um 01:36 Uhr|Von: \"{n}\" <{a}>|An: {t}|Betreff: {s}
en Sent: Saturday, November 21, 2026 at 1:36 AM|From: \"{n}\" <{a}>|To: {t}|Subject: {s}
es Enviado: sábado, 21 de noviembre de 2026 1:36|De: \"{n}\" <{a}>|Para: {t}|Asunto: {s}
fr Envoyé: samedi 21 novembre 2026 à 01:36|De: \"{n}\" <{a}>|À: {t}|Objet: {s}
";

const MAIL_RU: &str = "
ru Суббота, 21 ноября 2026, 1:36 +03:00 от {n} <{a}>:
en Saturday, November 21, 2026 1:36 AM +03:00 from {n} <{a}>:
";

const YANDEX: &str = "
ru ----------------|Кому: {t};|Тема: {s};|21.11.2026, 01:36, \"{n}\" <{a}>:
en 21.11.2026, 01:36, \"{n}\" <{a}>:
tr 21.11.2026, 01:36, \"{n}\" <{a}>:
";

const QQ: &str = "
zh ------------------ 原始邮件 ------------------|发件人: \"{n}\" <{a}>;|发送时间: 2026年11月21日(星期六) 凌晨1:36|\
    收件人: \"{t}\"<{t}>;|主题: {s}
en ------------------ Original ------------------|From: \"{n}\" <{a}>;|\
    Date: Sat, Nov 21, 2026 01:36 AM|To: \"{t}\"<{t}>;|Subject: {s}
";

const NETEASE: &str = "
zh 在 2026-11-21 01:36:00，\"{n}\" <{a}> 写道：
en At 2026-11-21 01:36:00, \"{n}\" <{a}> wrote:
";

const FOXMAIL: &str = "
zh 发件人： {n}|发送时间： 2026-11-21 01:36|收件人： {t}|主题： {s}
en From: {n}|Date: 2026-11-21 01:36|To: {t}|Subject: {s}
";

const ZOHO: &str = "
en ---- On Sat, 21 Nov 2026 01:36:00 +0000 {n} <{a}> wrote ----
de ---- Am Sa, 21 Nov 2026 01:36:00 +0100 {n} <{a}> schrieb ----
";

const NOTES: &str = "
en From:\t{n} <{a}>|To:\t{t}|Date:\t21/11/2026 01:36|Subject:\t{s}
de Von:\t{n} <{a}>|An:\t{t}|Datum:\t21.11.2026 01:36|Betreff:\t{s}
fr De :\t{n} <{a}>|A :\t{t}|Date :\t21/11/2026 01:36|Objet :\t{s}
it Da:\t{n} <{a}>|Per:\t{t}|Data:\t21/11/2026 01:36|Oggetto:\t{s}
";

const INOTES: &str = "
en -----\"{n}\" <{a}> wrote: -----|To: {t}|From: \"{n}\" <{a}>|Date: 11/21/2026 01:36AM|Subject: {s}
de -----\"{n}\" <{a}> schrieb: -----|An: {t}|Von: \"{n}\" <{a}>|Datum: 21.11.2026 01:36|Betreff: {s}
";

const MUTT: &str = "en On Sat, Nov 21, 2026 at 01:36:00AM -0000, {n} wrote:";
const ALPINE: &str = "en On Sat, 21 Nov 2026, {n} wrote:";
const GNUS: &str = "en {n} <{a}> writes:";
const S_NAIL: &str = "en {n} <{a}> wrote:";
const S_NAIL_TOP: &str = "
en -------- Original Message --------|> Date: Sat, 21 Nov 2026 01:36:00 +0000|> From: {n} <{a}>|\
    > To: {t}|> Subject: {s}|>
";
const AERC: &str = "en On Sat Nov 21, 2026 at 1:36 AM UTC, {n} wrote:";
const NMH: &str = "en {n} writes:";
const HIMALAYA: &str = "en ";

// ---- the languages ----

struct Lang {
    code: &'static str,
    /// The 8-bit or national charset of the language's older programs.
    charset: &'static str,
    person: &'static str,
    /// Outlook's reply prefix.
    re: &'static str,
    /// Outlook's labels and date: from, sent, to, subject, the date.
    block: [&'static str; 5],
    /// Outlook's bar in text mails.
    bar: &'static str,
    /// Samsung's bar, from, date, to, subject.
    phone: [&'static str; 5],
    iphone: &'static str,
    galaxy: &'static str,
    /// Outlook's footer on a phone.
    outlook: &'static str,
}

/// Four rows each: code, charset, person, Outlook's prefix; footers of iPhone, Galaxy and
/// Outlook; Outlook's labels and date; its bar, then Samsung's bar and labels.
const LANGUAGES: &str = "
en iso-8859-1|Sean O'Brien|RE:
 Sent from my iPhone|Sent from my Galaxy|Get Outlook for iOS
 From:|Sent:|To:|Subject:|Saturday, November 21, 2026 1:36 AM
 -----Original Message-----|Original message|From:|Date:|To:|Subject:
de windows-1252|Jörg Müller|AW:
 Von meinem iPhone gesendet|Von meinem Galaxy gesendet|Outlook für iOS beziehen
 Von:|Gesendet:|An:|Betreff:|Samstag, 21. November 2026 01:36
 -----Ursprüngliche Nachricht-----|Ursprüngliche Nachricht|Von:|Datum:|An:|Betreff:
fr iso-8859-1|Hélène Lefèvre|RE:
 Envoyé de mon iPhone|Envoyé depuis mon appareil Galaxy|Télécharger Outlook pour iOS
 De :|Envoyé :|À :|Objet :|samedi 21 novembre 2026 01:36
 -----Message d'origine-----|Message d'origine|De :|Date :|À :|Objet :
es windows-1252|Íñigo Muñoz|RE:
 Enviado desde mi iPhone|Enviado desde mi Galaxy|Obtener Outlook para iOS
 De:|Enviado:|Para:|Asunto:|sábado, 21 de noviembre de 2026 1:36
 -----Mensaje original-----|Mensaje original|De:|Fecha:|Para:|Asunto:
it iso-8859-1|Niccolò Rè|R:
 Inviato da iPhone|Inviato dal mio Galaxy|Scarica Outlook per iOS
 Da:|Inviato:|A:|Oggetto:|sabato 21 novembre 2026 01:36
 -----Messaggio originale-----|Messaggio originale|Da:|Data:|A:|Oggetto:
pt iso-8859-1|João Conceição|RES:
 Enviado do meu iPhone|Enviado do meu Galaxy|Obter o Outlook para iOS
 De:|Enviado:|Para:|Assunto:|sábado, 21 de novembro de 2026 01:36
 -----Mensagem original-----|Mensagem original|De:|Data:|Para:|Assunto:
nl windows-1252|Daniël van Dijk|RE:
 Verstuurd vanaf mijn iPhone|Verzonden vanaf mijn Galaxy|Outlook voor iOS downloaden
 Van:|Verzonden:|Aan:|Onderwerp:|zaterdag 21 november 2026 01:36
 -----Oorspronkelijk bericht-----|Oorspronkelijk bericht|Van:|Datum:|Aan:|Onderwerp:
sv iso-8859-1|Åsa Sjöberg|SV:
 Skickat från min iPhone|Skickat från min Galaxy|Hämta Outlook för iOS
 Från:|Skickat:|Till:|Ämne:|den 21 november 2026 01:36
 -----Ursprungligt meddelande-----|Originalmeddelande|Från:|Datum:|Till:|Ämne:
da iso-8859-1|Søren Kjær|SV:
 Sendt fra min iPhone|Sendt fra min Galaxy|Hent Outlook til iOS
 Fra:|Sendt:|Til:|Emne:|21. november 2026 01:36
 -----Oprindelig meddelelse-----|Oprindelig meddelelse|Fra:|Dato:|Til:|Emne:
no windows-1252|Bjørn Ødegård|SV:
 Sendt fra min iPhone|Sendt fra min Galaxy|Skaff deg Outlook for iOS
 Fra:|Sendt:|Til:|Emne:|lørdag 21. november 2026 01:36
 -----Opprinnelig melding-----|Opprinnelig melding|Fra:|Dato:|Til:|Emne:
fi iso-8859-1|Päivi Mäkinen|VS:
 Lähetetty iPhonesta|Lähetetty Galaxy-laitteesta|Hanki Outlook for iOS
 Lähettäjä:|Lähetetty:|Vastaanottaja:|Aihe:|lauantai 21. marraskuuta 2026 1.36
 -----Alkuperäinen viesti-----|Alkuperäinen viesti|Lähettäjä:|Päivämäärä:|Saaja:|Aihe:
pl iso-8859-2|Łukasz Wójcik|Odp:
 Wysłane z iPhone'a|Wysłane z mojego Galaxy|Pobierz program Outlook dla systemu iOS
 Od:|Wysłano:|Do:|Temat:|sobota, 21 listopada 2026 01:36
 -----Wiadomość oryginalna-----|Oryginalna wiadomość|Od:|Data:|Do:|Temat:
cs iso-8859-2|Jiří Dvořák|RE:
 Odesláno z iPhonu|Odesláno z mého Galaxy|Získat Outlook pro iOS
 Od:|Odesláno:|Komu:|Předmět:|sobota 21. listopadu 2026 1:36
 -----Původní zpráva-----|Původní zpráva|Od:|Datum:|Komu:|Předmět:
ru koi8-r|Фёдор Щукин|RE:
 Отправлено с iPhone|Отправлено с моего Galaxy|Скачать Outlook для iOS
 От:|Отправлено:|Кому:|Тема:|21 ноября 2026 г. 1:36
 -----Исходное сообщение-----|Исходное сообщение|От:|Дата:|Кому:|Тема:
hu iso-8859-2|Győző Szűcs|RE:
 Elküldve az iPhone-omról|Elküldve a Galaxy készülékemről|Az iOS Outlook beszerzése
 Feladó:|Elküldve:|Címzett:|Tárgy:|2026. november 21., szombat 1:36
 -----Eredeti üzenet-----|Eredeti üzenet|Feladó:|Dátum:|Címzett:|Tárgy:
tr iso-8859-9|Gülşen Yıldız|YNT:
 iPhone'umdan gönderildi|Galaxy cihazımdan gönderildi|iOS için Outlook'u edinin
 Kimden:|Gönderildi:|Kime:|Konu:|21 Kasım 2026 Cumartesi 01:36
 -----Özgün İleti-----|Orijinal mesaj|Kimden:|Tarih:|Alıcı:|Konu:
el iso-8859-7|Γιώργος Ψαράς|ΑΠ:
 Στάλθηκε από το iPhone μου|Στάλθηκε από το Galaxy μου|Λήψη του Outlook για iOS
 Από:|Στάλθηκε:|Προς:|Θέμα:|Σάββατο, 21 Νοεμβρίου 2026 1:36 πμ
 -----Αρχικό μήνυμα-----|Αρχικό μήνυμα|Από:|Ημερομηνία:|Προς:|Θέμα:
ja iso-2022-jp|山田太郎|RE:
 iPhoneから送信|Galaxyから送信|Outlook for iOS を入手
 差出人:|送信日時:|宛先:|件名:|2026年11月21日土曜日 1:36
 -----Original Message-----|元のメッセージ|差出人:|日付:|宛先:|件名:
zh gb2312|王小明|回复:
 发自我的iPhone|从我的 Galaxy 发送|获取 Outlook for iOS
 发件人:|发送时间:|收件人:|主题:|2026年11月21日 1:36
 -----邮件原件-----|原始邮件|发件人:|日期:|收件人:|主题:
ko euc-kr|김민수|RE:
 나의 iPhone에서 보냄|나의 Galaxy에서 보냄|iOS용 Outlook 다운로드
 보낸 사람:|보낸 날짜:|받는 사람:|제목:|2026년 11월 21일 토요일 오전 1:36
 -----Original Message-----|원본 메시지|보낸사람:|날짜:|받은사람:|제목:
";

fn languages() -> Vec<Lang> {
    let rows: Vec<&str> = LANGUAGES.trim().lines().collect();
    let language = |rows: &[&'static str]| {
        let fields = |n: usize| rows[n].trim().split('|').collect::<Vec<&str>>();
        let (head, feet, block, phone) = (fields(0), fields(1), fields(2), fields(3));
        let (code, charset) = head[0].split_once(' ').expect("a code and a charset");
        Lang {
            code,
            charset,
            person: head[1],
            re: head[2],
            iphone: feet[0],
            galaxy: feet[1],
            outlook: feet[2],
            block: [0, 1, 2, 3, 4].map(|n| block[n]),
            bar: phone[0],
            phone: [1, 2, 3, 4, 5].map(|n| phone[n]),
        }
    };
    rows.chunks(4).map(language).collect()
}

// ---- what the programs write ----

/// One reply before it is a mail.
struct Letter<'a> {
    client: &'a Client,
    lang: &'a Lang,
    parent: &'a Parent<'a>,
    /// Who got the parent.
    parent_to: &'a str,
    lines: &'a [&'a str],
    placed: Placed,
}

/// The text and HTML of a reply, lines ended by LF.
#[derive(Default)]
struct Body {
    text: Option<String>,
    html: Option<String>,
}

/// A run of lines of one hand.
enum Piece<'a> {
    Quoted(&'a [&'a str]),
    Typed(&'a [&'a str]),
}

/// The lines of the blank card: the first below its opening and its closing one.
fn card(text: &str) -> Option<(usize, usize)> {
    let begin = text.lines().position(|line| line.contains("---- turn card"))?;
    let end = text.lines().position(|line| line.contains("---- end of card ----"))?;
    (begin < end).then_some((begin + 1, end))
}

impl Letter<'_> {
    /// A template of the program with the names put in.
    fn fill(&self, template: &str) -> String {
        let parent = self.parent;
        let name = if parent.from_name.is_empty() { parent.from } else { parent.from_name };
        let filled = template.replace("{n}", name).replace("{a}", parent.from);
        let filled = filled.replace("{t}", self.parent_to).replace("{s}", parent.subject);
        let filled = filled.replace("{person}", self.lang.person);
        filled.replace("{iphone}", self.lang.iphone).replace("{galaxy}", self.lang.galaxy)
    }

    fn wrote(&self) -> String {
        let template = self.client.template(self.lang.code).unwrap_or_default();
        self.fill(&template.replace(
            '|', "
",
        ))
    }

    /// Outlook's four header lines: label and value.
    fn block(&self) -> [(&str, String); 4] {
        let [from, sent, to, subject, date] = self.lang.block;
        let sender = self.fill("{n} <{a}>");
        let mine = (to, self.parent_to.to_owned());
        [(from, sender), (sent, date.into()), mine, (subject, self.parent.subject.into())]
    }

    /// The new lines and what the program puts below them.
    fn typed(&self) -> String {
        let typed = self.lines.join("\n");
        if self.client.sign.is_empty() {
            return typed;
        }
        format!("{typed}\n\n{}", self.fill(self.client.sign))
    }

    /// The parent, with the new lines inside its card when they stand there.
    fn pieces<T>(&self, mut make: impl FnMut(Piece) -> T) -> Vec<T> {
        let parent: Vec<&str> = self.parent.text.lines().collect();
        let Some((begin, end)) = card(self.parent.text).filter(|_| self.placed == Between) else {
            return vec![make(Piece::Quoted(&parent))];
        };
        let mut made = Vec::new();
        let mut done = 0;
        for (n, line) in self.lines.chunks(1).enumerate() {
            let stop = begin + (n + 1) * (end - begin) / (self.lines.len() + 1);
            if done < stop {
                made.push(make(Piece::Quoted(&parent[done..stop])));
            }
            done = stop;
            made.push(make(Piece::Typed(line)));
        }
        made.push(make(Piece::Quoted(&parent[done..])));
        made
    }

    /// The quote as text.
    fn quoted(&self, mark: &str, width: usize, between: &str) -> String {
        let quote = |line: &str| {
            let flowed = self.client.flowed;
            let marked = wrap(line, width, "")
                .split('\n')
                .map(|part| match part {
                    _ if flowed && part.starts_with('>') => format!(">{part}"),
                    _ if flowed || width < usize::MAX => {
                        format!("{mark}{part}").trim_end().to_owned()
                    }
                    _ => format!("{mark}{part}"),
                })
                .collect::<Vec<_>>();
            marked.join("\n")
        };
        let pieces = self.pieces(|piece| match piece {
            Piece::Quoted(lines) => {
                lines.iter().map(|line| quote(line)).collect::<Vec<_>>().join("\n")
            }
            Piece::Typed(lines) => format!("{between}{}{between}", lines.join("\n")),
        });
        pieces.join("\n")
    }

    /// The quote as HTML: each run of quoted lines in an element of its own.
    fn cited(&self, open: &str, close: &str) -> String {
        let pieces = self.pieces(|piece| match piece {
            Piece::Quoted(lines) => {
                format!("{open}{}{close}", each(lines, "", "<br>"))
            }
            Piece::Typed(lines) => each(lines, "<div>", "</div>"),
        });
        pieces.concat()
    }

    /// New lines and quote in their order; `quote` begins with the attribution.
    fn arranged(&self, quote: &str) -> String {
        match self.placed {
            Above => format!("{}\n\n{quote}\n", self.typed()),
            Below => format!("{quote}\n\n{}\n", self.typed()),
            Between => format!("{quote}\n"),
        }
    }

    /// HTML in the same order.
    fn page(&self, head: &str, typed: &str, quote: &str) -> Option<String> {
        let typed = if self.placed == Between { "" } else { typed };
        Some(format!(
            "<html><head>\n<meta http-equiv=\"Content-Type\" content=\"text/html; \
             charset={{charset}}\">{head}\n</head>\n<body>\n{typed}{quote}\n</body></html>\n"
        ))
    }

    /// The new lines as HTML, and the footer in a last paragraph.
    fn typed_html(&self, open: &str, close: &str) -> String {
        let mut typed = each(self.lines, open, close);
        if !self.client.sign.is_empty() {
            let sign = escape(&self.fill(self.client.sign)).replace('\n', "<br>");
            typed += &format!("<div><br></div>\n<div>{sign}</div>\n");
        }
        typed
    }

    fn link(&self) -> String {
        let wrote = escape(&self.wrote());
        let a = self.parent.from;
        let linked = format!("&lt;<a href=\"mailto:{a}\">{a}</a>&gt;");
        wrote.replace(&format!("&lt;{a}&gt;"), &linked).replace('\n', "<br>\n")
    }
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace("  ", "&nbsp; ")
}

fn each(lines: &[&str], open: &str, close: &str) -> String {
    lines.iter().map(|line| format!("{open}{}{close}\n", escape(line))).collect()
}

/// Breaks a long line at spaces; `end` stands before each break.
fn wrap(line: &str, width: usize, end: &str) -> String {
    if width == usize::MAX {
        return line.to_owned();
    }
    let mut out = String::new();
    let mut column = 0;
    for word in line.split_inclusive([' ', '\n']) {
        let length = word.trim_end().chars().count();
        if column > 0 && column + length > width {
            out.truncate(out.trim_end().len());
            out += end;
            out.push('\n');
            column = 0;
        }
        out += word;
        column = if word.ends_with('\n') { 0 } else { column + word.chars().count() };
    }
    out
}

/// Attribution and marked lines, as most programs do it.
fn plain(letter: &Letter) -> Body {
    let client = letter.client;
    let (width, end) = if client.flowed { (72, " ") } else { (usize::MAX, "") };
    let head = wrap(&letter.wrote(), width, end);
    let gap = match (head.is_empty(), client.gap) {
        (true, _) => "",
        (_, true) => "\n\n",
        _ => "\n",
    };
    let quote = format!("{head}{gap}{}", letter.quoted(client.mark, usize::MAX, ""));
    Body { text: Some(letter.arranged(&quote)), html: None }
}

/// Outlook's header lines as text.
fn block_text(letter: &Letter, to_mark: &str) -> String {
    let rows = letter.block().map(|(label, value)| format!("{to_mark}{label} {value}\n"));
    rows.concat()
}

fn outlook_text(letter: &Letter) -> Body {
    let quote = format!(
        "{}\n{}\n{}",
        letter.lang.bar,
        block_text(letter, "").replacen('\n', " \n", 1),
        letter.quoted("", usize::MAX, "")
    );
    Body { text: Some(letter.arranged(&quote)), html: None }
}

/// The bar and the header lines are marked like the quoted lines.
fn outlook_marked(letter: &Letter) -> Body {
    let block = block_text(letter, "> ");
    let quote =
        format!("> {}\n{block}> \n{}", letter.lang.bar, letter.quoted("> ", usize::MAX, ""));
    Body { text: Some(letter.arranged(&quote)), html: None }
}

/// The address stands in brackets, and no bar above.
fn outlook_2010(letter: &Letter) -> Body {
    let address = letter.fill("<{a}>");
    let block = block_text(letter, "").replacen(&address, &letter.fill("[mailto:{a}] "), 1);
    let quote = format!("{block}\n{}", letter.quoted("", usize::MAX, ""));
    Body { text: Some(letter.arranged(&quote)), html: None }
}

const BAR: &str = "________________________________";

fn exchange_bar(letter: &Letter) -> Body {
    let address = letter.fill("<{a}>");
    let block = block_text(letter, "").replacen(&address, &letter.fill("[{a}]"), 1);
    let quote = format!("{BAR}\n{block}\n{}", letter.quoted("", usize::MAX, ""));
    Body { text: Some(letter.arranged(&quote)), html: None }
}

/// Outlook's header lines as HTML.
fn block_html(letter: &Letter) -> String {
    let rows = letter.block();
    let rows = rows.map(|(label, value)| format!("<b>{}</b> {}", escape(label), escape(&value)));
    rows.join("<br>\n")
}

fn outlook_desktop(letter: &Letter) -> Body {
    let block = block_text(letter, "");
    let text = letter.arranged(&format!("{block}\n{}", letter.quoted("", usize::MAX, "")));
    let empty = "<p class=\"MsoNormal\"><o:p>&nbsp;</o:p></p>\n";
    let typed = letter.typed_html("<p class=\"MsoNormal\">", "<o:p></o:p></p>");
    let quote = format!(
        "{empty}<div>\n<div style=\"border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm \
         0cm 0cm\">\n<p class=\"MsoNormal\">{}<o:p></o:p></p>\n</div>\n</div>\n{empty}\
         <p class=\"MsoNormal\">{}<o:p></o:p></p>\n</div>",
        block_html(letter),
        letter.cited("", "")
    );
    let head = "\n<meta name=\"Generator\" content=\"Microsoft Word 15 (filtered medium)\">\n\
        <style><!--\np.MsoNormal, li.MsoNormal, div.MsoNormal\n\t{margin:0cm;\n\t\
        font-size:11.0pt;\n\tfont-family:\"Calibri\",sans-serif;}\n--></style>";
    let typed = format!("<div class=\"WordSection1\">\n{typed}");
    Body { text: Some(text), html: letter.page(head, &typed, &quote) }
}

fn outlook_web(letter: &Letter) -> Body {
    let block = block_text(letter, "");
    let quote = format!("{BAR}\n{block}\n{}", letter.quoted("", usize::MAX, ""));
    let font = "font-family: Aptos, Calibri, sans-serif; font-size: 12pt;";
    let open = format!("<div class=\"elementToProof\" style=\"{font}\">");
    let typed = letter.typed_html(&open, "&nbsp;</div>");
    let html = format!(
        "<div id=\"appendonsend\"></div>\n<hr style=\"display:inline-block;width:98%\" \
         tabindex=\"-1\">\n<div id=\"divRplyFwdMsg\" dir=\"ltr\">\
         <font face=\"Calibri, sans-serif\" style=\"font-size:11pt\" color=\"#000000\">{}</font>\n\
         <div>&nbsp;</div>\n</div>\n\
         <div class=\"BodyFragment\"><font size=\"2\"><span style=\"font-size:11pt;\">\
         <div class=\"PlainText\">{}</div></span></font></div>",
        block_html(letter),
        letter.cited("", "")
    );
    Body { text: Some(letter.arranged(&quote)), html: letter.page("", &typed, &html) }
}

fn outlook_mobile(letter: &Letter) -> Body {
    let (block, footer) = (block_text(letter, ""), letter.lang.outlook);
    let quote = format!(
        "{footer}<https://aka.ms/o0ukef>\n{BAR}\n{block}\n{}",
        letter.quoted("", usize::MAX, "")
    );
    let typed = letter.typed_html("<div dir=\"ltr\">", "</div>");
    let html = format!(
        "<div id=\"ms-outlook-mobile-signature\" dir=\"ltr\"><div><br></div>\
         <a href=\"https://aka.ms/o0ukef\">{footer}</a></div>\n\
         <div id=\"mail-editor-reference-message-container\" \
         class=\"ms-outlook-mobile-reference-message\">\n\
         <hr style=\"display:inline-block;width:98%\" tabindex=\"-1\">\n\
         <div id=\"divRplyFwdMsg\" dir=\"ltr\"><font face=\"Calibri, sans-serif\">{}</font>\
         <div>&nbsp;</div></div>\n<div>{}</div>\n</div>",
        block_html(letter),
        letter.cited("", "")
    );
    Body { text: Some(letter.arranged(&quote)), html: letter.page("", &typed, &html) }
}

fn windows_mail(letter: &Letter) -> Body {
    let (footer, block) = (letter.wrote(), block_text(letter, ""));
    let quote = format!("{footer}\n\n{block}\n{}", letter.quoted("", usize::MAX, ""));
    let typed = letter.typed_html("<p class=MsoNormal>", "</p>");
    let html = format!(
        "<p class=MsoNormal>{footer}</p>\n<p class=MsoNormal><o:p>&nbsp;</o:p></p>\n\
         <div style='mso-element:para-border-div;border:none;border-top:solid #E1E1E1 1.0pt;\
         padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal style='border:none;padding:0cm'>{}</p>\
         </div>\n         <p class=MsoNormal>{}</p>",
        block_html(letter),
        letter.cited("", "")
    );
    Body { text: Some(letter.arranged(&quote)), html: letter.page("", &typed, &html) }
}

fn gmail(letter: &Letter) -> Body {
    let wrote = letter.wrote();
    // A line that is too long is broken before the address, or at a space.
    let head = match wrote.split_once('<') {
        Some((name, rest)) if wrote.chars().count() > 76 => format!("{name}<\n{rest}"),
        _ => wrap(&wrote, 76, ""),
    };
    let quote = format!("{head}\n\n{}", letter.quoted("> ", 76, "\n"));
    let dir = if letter.client.name == "gmail-web" { "ltr" } else { "auto" };
    let (first, rest) = letter.lines.split_at(1.min(letter.lines.len()));
    let typed = format!(
        "<div dir=\"{dir}\">{}{}</div><br>",
        each(first, "", "").trim_end(),
        each(rest, &format!("<div dir=\"{dir}\">"), "</div>")
    );
    let style = "margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex";
    let open = format!("<blockquote class=\"gmail_quote\" style=\"{style}\">");
    let html = format!(
        "<div class=\"gmail_quote gmail_quote_container\"><div dir=\"ltr\" \
         class=\"gmail_attr\">{}<br></div>{}</div>",
        letter.link(),
        letter.cited(&open, "</blockquote>")
    );
    Body { text: Some(letter.arranged(&quote)), html: letter.page("", &typed, &html) }
}

/// The attribution is part of the quote.
fn apple(letter: &Letter) -> Body {
    let quote = format!("> {}\n> \n{}", letter.wrote(), letter.quoted("> ", usize::MAX, "\n"));
    let typed = letter.typed_html("<div>", "</div>");
    let html = format!(
        "<div><br><blockquote type=\"cite\"><div>{}</div><br class=\"Apple-interchange-newline\">\
         </blockquote></div>\n{}<br>",
        escape(&letter.wrote()),
        letter.cited("<blockquote type=\"cite\"><div><div>", "</div></div></blockquote>")
    );
    Body { text: Some(letter.arranged(&quote)), html: letter.page("", &typed, &html) }
}

/// A byte order mark opens the quoted text.
fn iphone(letter: &Letter) -> Body {
    let quote = letter.quoted("> ", usize::MAX, "\n").replacen("> ", "> \u{feff}", 1);
    let quote = format!("> {}\n> \n{quote}", letter.wrote());
    let typed = letter.typed_html("<div dir=\"ltr\">", "&nbsp;</div>");
    let html = format!(
        "<div dir=\"ltr\"><br><blockquote type=\"cite\">{}<br><br></blockquote></div>\
         <blockquote type=\"cite\"><div dir=\"ltr\">\u{feff}{}</div></blockquote>",
        escape(&letter.wrote()),
        letter.cited("", "")
    );
    Body { text: Some(letter.arranged(&quote)), html: letter.page("", &typed, &html) }
}

fn samsung(letter: &Letter) -> Body {
    let [bar, from, date, to, subject] = letter.lang.phone;
    let rows = [
        format!("-------- {bar} --------"),
        letter.fill(&format!("{from} {{n}} <{{a}}> ")),
        format!("{date} 21/11/2026  01:36  (GMT+00:00) "),
        letter.fill(&format!("{to} {{t}} ")),
        letter.fill(&format!("{subject} {{s}} ")),
    ];
    let quote = format!("\n{}\n\n{}", rows.join("\n"), letter.quoted("", usize::MAX, ""));
    let rows: String = rows.iter().map(|row| format!("<div>{}</div>", escape(row))).collect();
    let html = format!(
        "<div><br></div><div style=\"font-size:100%;color:#000000\" align=\"left\" dir=\"auto\">\
         <!-- originalMessage -->{rows}<div><br></div></div>{}",
        letter.cited("", "")
    );
    let typed = letter.typed_html("<div dir=\"auto\">", "</div>").replace("</div>\n", "</div>");
    Body { text: Some(letter.arranged(&quote)), html: letter.page("", &typed, &html) }
}

fn thunderbird_html(letter: &Letter) -> Body {
    let head = wrap(&letter.wrote(), 72, "");
    let quote = format!("{head}\n{}", letter.quoted("> ", usize::MAX, "\n"));
    let text = letter.arranged(&quote);
    // Every typed line is a paragraph of its own.
    let text = if letter.placed == Above {
        text.replacen(&letter.lines.join("\n"), &letter.lines.join("\n\n"), 1)
    } else {
        text
    };
    let cite = letter.parent.message_id.trim_matches(['<', '>']);
    let open = format!("<blockquote type=\"cite\" cite=\"mid:{cite}\">");
    let html = format!(
        "<div class=\"moz-cite-prefix\">{}<br>\n    </div>\n{}",
        escape(&letter.wrote()),
        letter.cited(&open, "</blockquote>")
    );
    let typed = letter.typed_html("    <p>", "</p>");
    Body { text: Some(text), html: letter.page("", &typed, &html) }
}

/// Typed and quoted lines have a space in front.
fn yahoo(letter: &Letter) -> Body {
    let quote = letter.quoted(" ", usize::MAX, "");
    let text = format!(" {}\n\n    {}  \n \n{quote}\n", letter.typed(), letter.wrote());
    let style = "font-family:Helvetica Neue, Helvetica, Arial, sans-serif;font-size:13px;";
    let open = format!("<div style=\"{style}\" dir=\"ltr\" data-setdir=\"false\">");
    let typed = letter.typed_html(&open, "</div>");
    let html = format!(
        "<div class=\"yahoo_quoted\" id=\"yahoo_quoted_6414121447\">\n<div style=\"{style}\">\n\
         <div>\n                {}\n            </div>\n<div><br></div>\n<div><br></div>\n\
         <div>{}</div>\n</div>\n</div>",
        escape(&letter.wrote()),
        letter.cited("", "")
    );
    Body { text: Some(text), html: letter.page("", &typed, &html) }
}

fn k9(letter: &Letter) -> Body {
    let text = plain(letter).text;
    let style = "margin: 0pt 0pt 0pt 0.8ex; border-left: 1px solid #ccc; padding-left: 1ex;";
    let open = format!("<blockquote class=\"gmail_quote\" style=\"{style}\">");
    let html = format!(
        "<br><br><div class=\"gmail_quote\"><div dir=\"auto\">{}</div>\n{}</div>",
        escape(&letter.wrote()),
        letter.cited(&open, "</blockquote>")
    );
    let typed = format!("<div dir=\"auto\">{}</div>", letter.typed_html("", "<br>"));
    Body { text, html: letter.page("", &typed, &html) }
}

fn proton(letter: &Letter) -> Body {
    let html = format!(
        "<div class=\"protonmail_quote\">\n        {}<br>\n{}<br>\n    </div>",
        letter.link(),
        letter.cited("<blockquote class=\"protonmail_quote\" type=\"cite\">", "</blockquote>")
    );
    let typed = letter.typed_html("<div style=\"font-family: Arial; font-size: 14px;\">", "</div>");
    Body { text: plain(letter).text, html: letter.page("", &typed, &html) }
}

/// Labels in bold before the value, one header line to a row.
fn bold_rows(rows: &str, colons: &[char], end: &str) -> String {
    let bold = |row: &str| match row.split_once(colons) {
        Some((label, value)) => {
            let colon = &row[label.len()..row.len() - value.len()];
            format!("<b>{}{colon}</b>&nbsp;{}", escape(label), escape(value.trim_start()))
        }
        None => escape(row),
    };
    rows.lines().map(bold).collect::<Vec<_>>().join(end)
}

fn gmx(letter: &Letter) -> Body {
    let quote = format!("{}\n\n{}", letter.wrote(), letter.quoted("", usize::MAX, ""));
    let typed = letter.typed_html("<div>", "</div>\n");
    let html = format!(
        "<div>&nbsp;</div>\n<div>&nbsp;\n<div name=\"quote\" style=\"margin:10px 5px 5px 10px; \
         padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5; word-wrap: break-word;\">\n\
         <div style=\"margin:0 0 10px 0;\">{}</div>\n\n<div name=\"quoted-content\">{}</div>\n\
         </div>\n</div>",
        bold_rows(&letter.wrote(), &[':'], "<br/>\n"),
        letter.cited("", "")
    );
    Body { text: Some(letter.arranged(&quote)), html: letter.page("", &typed, &html) }
}

/// The attribution is marked too, without a space.
fn mail_ru(letter: &Letter) -> Body {
    let quote = format!(">{}\n> \n{}", letter.wrote(), letter.quoted(">", usize::MAX, ""));
    let style = "border-left:1px solid #0857A6; margin:10px; padding:0 0 0 10px;";
    let html = format!(
        "<div><br></div><blockquote style=\"{style}\">\n\t{}<br>{}</blockquote>",
        escape(&letter.wrote()),
        letter.cited("<div id=\"\">", "</div>")
    );
    let typed = letter.typed_html("<div>", "</div>");
    Body { text: Some(letter.arranged(&quote)), html: letter.page("", &typed, &html) }
}

fn yandex(letter: &Letter) -> Body {
    let html = format!(
        "<div>&nbsp;</div><div>{}</div><blockquote>{}</blockquote>",
        letter.link(),
        letter.cited("<p>", "</p>")
    );
    Body { text: None, html: letter.page("", &letter.typed_html("<div>", "</div>"), &html) }
}

/// The text part keeps pieces of the HTML.
fn qq(letter: &Letter) -> Body {
    let wrote = letter.wrote();
    let mangled = wrote.replacen(" 原", "&nbsp;原", 1).replacen(" Orig", "&nbsp;Orig", 1);
    let mangled = mangled.replace(">;", "&gt;;").replacen("件 -", "件&nbsp;-", 1);
    let quote = format!("\n{mangled}\n\n{}", letter.quoted("", usize::MAX, ""));
    let (bar, rows) = wrote.split_once('\n').unwrap_or_default();
    let html = format!(
        "<div><br></div><div style=\"font-size: 12px;font-family: Arial Narrow;padding:2px 0 2px \
         0;\">{}</div><div style=\"font-size: 12px;background:#efefef;padding:8px;\"><div>{}</div>\
         </div><div><br></div>{}",
        escape(bar).replace(' ', "&nbsp;"),
        bold_rows(rows, &[':'], "</div><div>"),
        letter.cited("", "")
    );
    let typed = letter.typed_html("<div>", "</div>").replace("</div>\n", "</div>");
    Body { text: Some(letter.arranged(&quote)), html: letter.page("", &typed, &html) }
}

fn foxmail(letter: &Letter) -> Body {
    let quote = format!(" \n{}\n{}", letter.wrote(), letter.quoted("", usize::MAX, ""));
    let html = format!(
        "<div>&nbsp;</div>\n<hr style=\"width: 210px; height: 1px;\" color=\"#b5c4df\" size=\"1\" \
         align=\"left\">\n<blockquote style=\"margin-Top: 0px;\"><div>&nbsp;</div>\
         <div style=\"border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0cm 0cm 0cm\">\
         <div style=\"font-size: 12px;background:#efefef;padding:8px;\"><div>{}</div></div></div>\
         <div><div>{}</div></div></blockquote>",
        bold_rows(&letter.wrote(), &[':', '：'], "</div><div>"),
        letter.cited("", "")
    );
    let typed = letter.typed_html("<div>", "</div>");
    Body { text: Some(letter.arranged(&quote)), html: letter.page("", &typed, &html) }
}

fn zoho(letter: &Letter) -> Body {
    let quote = format!("\n {} \n\n{}", letter.wrote(), letter.quoted("> ", usize::MAX, ""));
    let html = format!(
        "<div><br></div><div class=\"zmail_extra\"><div id=\"Zm-_Id_-Sgn1\">{}</div><br>\
         <blockquote id=\"blockquote_zmail\" style=\"margin: 0px;\"><div>{}</div></blockquote>\
         </div>",
        letter.link(),
        letter.cited("", "")
    );
    let typed = letter.typed_html("<div>", "</div>");
    Body { text: Some(letter.arranged(&quote)), html: letter.page("", &typed, &html) }
}

// ---- from letter to mail ----

#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Raw,
    Printable,
    Base64,
    /// The language's own charset, quoted-printable.
    Classic,
}

const ENCODINGS: [Encoding; 4] =
    [Encoding::Raw, Encoding::Printable, Encoding::Base64, Encoding::Classic];

impl Letter<'_> {
    /// The mail, or nothing if its charset lacks a character and it `must` use it.
    fn write(&self, from: &str, to: &str, with: Encoding, bare: bool, must: bool) -> Option<Reply> {
        let mut body = (self.client.body)(self);
        if body.html.is_some() && bare {
            body.text = None;
        }
        if self.client.flowed {
            body.text = body.text.map(|text| stuff(&text));
        }
        let subject = self.subject();
        let parts = [body.text.as_deref(), body.html.as_deref(), Some(&subject)];
        let all = parts.iter().flatten().copied().chain([self.lang.person]);
        let fits = all.into_iter().all(|text| encode(self.lang.charset, text).is_some());
        let (charset, with) = match with {
            Encoding::Classic if fits => (self.lang.charset, with),
            Encoding::Classic if must => return None,
            Encoding::Classic => ("utf-8", Encoding::Printable),
            _ => ("utf-8", with),
        };
        let transfer = match with {
            Encoding::Raw => "8bit",
            Encoding::Printable => "quoted-printable",
            Encoding::Base64 => "base64",
            Encoding::Classic if charset == "iso-2022-jp" => "7bit",
            Encoding::Classic => "quoted-printable",
        };
        let suffix = if body.text.is_none() { "-html" } else { "" };
        let place = match self.placed {
            Above => "",
            Below => "/below",
            Between => "/between",
        };
        let name = format!(
            "{}/{}/{charset}-{transfer}{suffix}/{}{place}",
            self.client.name, self.lang.code, self.parent.name
        );
        let id = format!("{:016x}", fnv(&format!("{name} {from}")));
        let parent = self.parent.message_id.trim_matches(['<', '>']);
        let mut raw = format!(
            "Return-Path: <{from}>\r\nFrom: {} <{from}>\r\nTo: <{to}>\r\nSubject: {}\r\n\
             Date: Sat, 21 Nov 2026 09:12:00 +0000\r\nMessage-ID: <{id}@{}.example>\r\n\
             In-Reply-To: <{parent}>\r\nReferences: <{parent}>\r\n{}\r\nMIME-Version: 1.0\r\n",
            header(charset, self.lang.person, 6),
            header(charset, &subject, 9),
            self.client.name,
            self.client.mailer
        )
        .into_bytes();
        let part = |kind: &str, text: &str| {
            let flowed = if self.client.flowed && kind == "plain" { "; format=flowed" } else { "" };
            let head = format!(
                "Content-Type: text/{kind}; charset=\"{charset}\"{flowed}\r\n\
                 Content-Transfer-Encoding: {transfer}\r\n\r\n"
            );
            let text = text.replace("{charset}", charset).replace('\n', "\r\n");
            let bytes = encode(charset, &text).unwrap_or_default();
            let encoded = match transfer {
                "quoted-printable" => printable(&bytes).into_bytes(),
                "base64" => base64_lines(&bytes).into_bytes(),
                _ => bytes,
            };
            [head.into_bytes(), encoded].concat()
        };
        match (&body.text, &body.html) {
            (Some(text), Some(html)) => {
                let line = self.boundary(&id);
                let head = format!(
                    "Content-Type: multipart/alternative; boundary=\"{line}\"\r\n\r\n--{line}\r\n"
                );
                raw.extend(head.into_bytes());
                raw.extend(part("plain", text));
                raw.extend(format!("\r\n--{line}\r\n").into_bytes());
                raw.extend(part("html", html));
                raw.extend(format!("\r\n--{line}--\r\n").into_bytes());
            }
            (Some(text), None) => raw.extend(part("plain", text)),
            (None, html) => raw.extend(part("html", html.as_deref().unwrap_or_default())),
        }
        Some(Reply { name, raw, placed: self.placed })
    }

    fn subject(&self) -> String {
        let subject = self.parent.subject;
        let re = if self.client.local_re { self.lang.re } else { "Re:" };
        let again = subject.get(..re.len()).is_some_and(|start| start.eq_ignore_ascii_case(re));
        if again { subject.to_owned() } else { format!("{re} {subject}") }
    }

    fn boundary(&self, id: &str) -> String {
        match self.client.name {
            name if name.starts_with("gmail") => format!("000000000000{id}"),
            name if name.starts_with("apple") => format!("Apple-Mail=_{}", id.to_uppercase()),
            "iphone" => format!("Apple-Mail-{}", id.to_uppercase()),
            name if name.starts_with("outlook") => format!("_000_{}players_", id.to_uppercase()),
            "yahoo" => format!("----=_Part_{id}"),
            "qq" | "foxmail" => format!("----=_NextPart_{}", id.to_uppercase()),
            _ => format!("------------{id}"),
        }
    }
}

/// Space-stuffing of format=flowed; a soft line break keeps its space.
fn stuff(text: &str) -> String {
    let stuffed = text.lines().map(|line| match line {
        _ if line.starts_with(' ') || line.starts_with("From ") => format!(" {line}\n"),
        _ => format!("{line}\n"),
    });
    stuffed.collect()
}

/// A header value, in encoded words when it has other letters than ASCII's.
fn header(charset: &str, text: &str, used: usize) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let latin = text.chars().filter(char::is_ascii).count() * 3 > text.chars().count() * 2;
    let word = |chunk: &str| {
        let bytes = encode(charset, chunk).unwrap_or_default();
        if !latin || charset == "iso-2022-jp" {
            return format!("=?{charset}?B?{}?=", base64(&bytes));
        }
        let letter = |b: &u8| match b {
            b' ' => "_".to_owned(),
            b if b.is_ascii_alphanumeric() => char::from(*b).to_string(),
            b => format!("={b:02X}"),
        };
        format!("=?{charset}?Q?{}?=", bytes.iter().map(letter).collect::<String>())
    };
    let mut words = Vec::new();
    let mut chunk = String::new();
    for c in text.chars() {
        let room = if words.is_empty() { 75 - used } else { 75 };
        if word(&format!("{chunk}{c}")).len() > room {
            words.push(word(&chunk));
            chunk.clear();
        }
        chunk.push(c);
    }
    words.push(word(&chunk));
    words.join("\r\n ")
}

fn fnv(text: &str) -> u64 {
    let step = |hash: u64, b: u8| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Quoted-printable; CR LF stay.
fn printable(bytes: &[u8]) -> String {
    let mut out = String::new();
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let text = line.strip_suffix(b"\r\n").unwrap_or(line);
        let mut column = 0;
        for (n, b) in text.iter().enumerate() {
            let last = n + 1 == text.len();
            let plain = matches!(b, b'!'..=b'<' | b'>'..=b'~') || (*b == b' ' && !last);
            let token = if plain { char::from(*b).to_string() } else { format!("={b:02X}") };
            if column + token.len() > if last { 76 } else { 75 } {
                out += "=\r\n";
                column = 0;
            }
            column += token.len();
            out += &token;
        }
        if text.len() < line.len() {
            out += "\r\n";
        }
    }
    out
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let value =
            chunk.iter().fold(0u32, |v, b| v << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for n in 0..4 {
            let digit = DIGITS[(value >> (18 - 6 * n)) as usize & 63];
            out.push(if n <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

fn base64_lines(bytes: &[u8]) -> String {
    bytes.chunks(57).map(|line| base64(line) + "\r\n").collect()
}

/// The text in a charset, if it has all the characters.
fn encode(charset: &str, text: &str) -> Option<Vec<u8>> {
    let single = |from: u32, high: &str| {
        let high: Vec<char> = high.chars().collect();
        let byte = |c: char| match c as u32 {
            low if low < from => u8::try_from(low).ok(),
            _ => high.iter().position(|h| *h == c).map(|i| (from as usize + i) as u8),
        };
        text.chars().map(byte).collect()
    };
    match charset {
        "utf-8" => Some(text.as_bytes().to_vec()),
        "iso-8859-1" => text.chars().map(|c| u8::try_from(c as u32).ok()).collect(),
        "windows-1252" => single(0x80, &format!("{WINDOWS_1252}{LATIN_1}")),
        "iso-8859-9" => single(0xa0, &latin_5()),
        "iso-8859-2" => single(0xa0, LATIN_2),
        "iso-8859-7" => single(0xa0, GREEK),
        "koi8-r" => single(0x80, KOI8_R),
        "iso-2022-jp" => double(text, JAPANESE, true),
        "gb2312" => double(text, CHINESE, false),
        "euc-kr" => double(text, KOREAN, false),
        _ => None,
    }
}

/// Characters that take two bytes, and their codes in 7 bits: escaped by sequences, or
/// with the high bits set.
fn double(text: &str, (chars, codes): (&str, &str), escaped: bool) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut wide = false;
    for c in text.chars() {
        if escaped && wide == c.is_ascii() {
            out.extend(if wide { b"\x1b(B" } else { b"\x1b$B" });
            wide = !wide;
        }
        if c.is_ascii() {
            out.push(c as u8);
            continue;
        }
        let at = 4 * chars.chars().position(|known| known == c)?;
        let code = u16::from_str_radix(&codes[at..at + 4], 16).ok()?;
        out.extend((code | if escaped { 0 } else { 0x8080 }).to_be_bytes());
    }
    if wide {
        out.extend(b"\x1b(B");
    }
    Some(out)
}

/// Latin 1 with six Turkish letters.
fn latin_5() -> String {
    LATIN_1
        .chars()
        .map(|c| "ĞİŞğış".chars().nth("ÐÝÞðýþ".find(c).unwrap_or(99) / 2).unwrap_or(c))
        .collect()
}

// The upper halves of the 8-bit charsets.
const WINDOWS_1252: &str = "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ";
const LATIN_1: &str = "\
    \u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
    àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ";
const LATIN_2: &str = "\
    \u{a0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{ad}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
    ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙";
const GREEK: &str = "\
    \u{a0}‘’£€₯¦§¨©ͺ«¬\u{ad}\u{fffd}―°±²³΄΅Ά·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ\u{fffd}ΣΤΥΦΧΨΩΪΫάέήί\
    ΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ\u{fffd}";
const KOI8_R: &str = "\
    ─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{a0}⌡°²·÷═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©\
    юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ";

// The letters of the strings above: characters, and their codes.
const JAPANESE: (&str, &str) = (
    "、かがきさしたにのはまらをんジセッメルー人付件信元先入出名土太宛山差年手日時曜書月田送郎",
    "2122242B242C242D24352437243F244B244E244F245E2469247224732538253B25432561256B213C3F4D4955\
     376F3F2E38354068467E3D504C3E455A424030383B333A39472F3C6A467C3B7E4D4B3D71376E454441774F3A",
);
const CHINESE: (&str, &str) = (
    "上主于人从件六写凌午原发取周回在复始小年我收日时明星晨月期王的自获送道邮间题，：",
    "494F5677535A484B34533C7E4179503441684E67542D37224821565C3B58545A38344A3C5021446A4E524A55\
     48554A3143775047333F5442465A4D75354457543B714B4D3540534A3C644C62232C233A",
);
const KOREAN: (&str, &str) = (
    "가글김나날낸냄년는님다드람로메목민받보본사서성수시쓴에오요용운원월은의이일작전제지짜토",
    "3021315B3168332A332F333D333F336234423454345935653677374E385E3871394E395E3A383A3B3B673C2D\
     3C3A3C763D433E343F213F403F643F6B3F6E3F783F79403A4047404C404F405B407C4126417642254564",
);
