//! The programs: their names, their marks for quotes, and their lines above a quote.

use super::Placed::{Above, Below, Between};
use super::*;

pub(super) struct Client {
    pub(super) name: &'static str,
    /// The header line that names the program.
    pub(super) mailer: &'static str,
    /// Its line above the quote: rows of a language and a template.
    pub(super) wrote: &'static str,
    pub(super) body: fn(&Letter) -> Body,
    /// The mark before each quoted line.
    pub(super) mark: &'static str,
    /// A blank line follows the attribution.
    pub(super) gap: bool,
    pub(super) flowed: bool,
    /// Signature or footer below the new lines.
    pub(super) sign: &'static str,
    /// The subject's prefix is in the user's language.
    pub(super) local_re: bool,
    /// Every second reply has no text part.
    pub(super) bare: bool,
    /// Every encoding is written.
    pub(super) every: bool,
    pub(super) places: &'static [Placed],
}

pub(super) const INLINE: &[Placed] = &[Above, Between];
pub(super) const ANYWHERE: &[Placed] = &[Above, Below, Between];

#[rustfmt::skip]
pub(super) fn client(
    name: &'static str, mailer: &'static str, wrote: &'static str, body: fn(&Letter) -> Body,
) -> Client {
    Client {
        name, mailer, wrote, body, mark: "> ", gap: false, flowed: false, sign: "",
        local_re: false, bare: false, every: false, places: &[Above],
    }
}

#[rustfmt::skip]
impl Client {
    pub(super) fn mark(self, mark: &'static str) -> Self { Self { mark, ..self } }
    pub(super) fn gap(self) -> Self { Self { gap: true, ..self } }
    pub(super) fn flowed(self) -> Self { Self { flowed: true, ..self } }
    pub(super) fn sign(self, sign: &'static str) -> Self { Self { sign, ..self } }
    pub(super) fn local_re(self) -> Self { Self { local_re: true, ..self } }
    pub(super) fn bare(self) -> Self { Self { bare: true, ..self } }
    pub(super) fn every(self) -> Self { Self { every: true, ..self } }
    pub(super) fn places(self, places: &'static [Placed]) -> Self { Self { places, ..self } }

    /// The template of a language; none where the program has no such line.
    pub(super) fn template(&self, code: &str) -> Option<&'static str> {
        let mut rows = self.wrote.lines().filter_map(|row| row.split_once(' '));
        rows.find(|(known, _)| *known == code).map(|(_, template)| template)
    }

    pub(super) fn speaks(&self, lang: &Lang) -> bool {
        self.wrote.is_empty() || self.template(lang.code).is_some()
    }
}

#[rustfmt::skip]
pub(super) fn clients() -> Vec<Client> {
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

pub(super) const GMAIL: &str = "
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

pub(super) const APPLE: &str = "
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

pub(super) const THUNDERBIRD: &str = "
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

pub(super) const YAHOO: &str = "
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

pub(super) const ROUNDCUBE: &str = "
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

pub(super) const K9: &str = "
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

pub(super) const EVOLUTION: &str = "
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

pub(super) const OUTLOOK_MAC: &str = "
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

pub(super) const CLAWS: &str = "
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

pub(super) const KMAIL: &str = "
en On Saturday, 21 November 2026 01:36:00 GMT {n} wrote:
de Am Samstag, 21. November 2026, 01:36:00 MEZ schrieb {n}:
fr Le samedi 21 novembre 2026, 01:36:00 CET {n} a écrit :
cs Dne sobota 21. listopadu 2026 1:36:00 CET, {n} napsal(a):
ru В письме от суббота, 21 ноября 2026 г. 1:36:00 MSK пользователь {n} написал:
";

pub(super) const PROTON: &str = "
en On Saturday, November 21st, 2026 at 1:36 AM, {n} <{a}> wrote:
de Am Samstag, 21. November 2026 um 01:36 schrieb {n} <{a}>:
fr Le samedi 21 novembre 2026 à 01:36, {n} <{a}> a écrit :
";

pub(super) const PROTON_BAR: &str = "
en ------- Original Message -------|On Saturday, November 21st, 2026 at 01:36, {n} <{a}> wrote:|
";

pub(super) const SPARK: &str = "
en On 21 Nov 2026, 1:36 AM +0000, {n} <{a}>, wrote:
de Am 21. Nov. 2026, 01:36 +0100 schrieb {n} <{a}>:
ru 21 нояб. 2026 г., 1:36 +0300, {n} <{a}>, писал:
";

pub(super) const HORDE: &str = "
en Quoting {n} <{a}>:
de Zitat von {n} <{a}>:
fr {n} <{a}> a écrit :
nl Citeren {n} <{a}>:
pl Cytowanie {n} <{a}>:
cs Cituji {n} <{a}>:
";

pub(super) const K9_HEADERS: &str = "
en -------- Original Message --------|From: {n} <{a}>|Sent: 21 November 2026 01:36:00 GMT|\
    To: {t}|Subject: {s}
de -------- Originalnachricht --------|Von: {n} <{a}>|Gesendet: 21. November 2026 01:36:00 MEZ|\
    An: {t}|Betreff: {s}
fr -------- Message d'origine --------|De : {n} <{a}>|\
    Envoyé : 21 novembre 2026 01:36:00 GMT+01:00|À : {t}|Objet : {s}
";

pub(super) const WINDOWS_MAIL: &str = "
en Sent from Mail for Windows
de Gesendet von Mail für Windows
fr Envoyé à partir de Courrier pour Windows
es Enviado desde Correo para Windows
it Inviato da Posta per Windows
nl Verzonden vanuit Mail voor Windows
";

pub(super) const GMX: &str = "
de Gesendet: Samstag, 21. November 2026 um 01:36 Uhr|Von: \"{n}\" <{a}>|An: {t}|Betreff: {s}
en Sent: Saturday, November 21, 2026 at 1:36 AM|From: \"{n}\" <{a}>|To: {t}|Subject: {s}
es Enviado: sábado, 21 de noviembre de 2026 1:36|De: \"{n}\" <{a}>|Para: {t}|Asunto: {s}
fr Envoyé: samedi 21 novembre 2026 à 01:36|De: \"{n}\" <{a}>|À: {t}|Objet: {s}
";

pub(super) const MAIL_RU: &str = "
ru Суббота, 21 ноября 2026, 1:36 +03:00 от {n} <{a}>:
en Saturday, November 21, 2026 1:36 AM +03:00 from {n} <{a}>:
";

pub(super) const YANDEX: &str = "
ru ----------------|Кому: {t};|Тема: {s};|21.11.2026, 01:36, \"{n}\" <{a}>:
en 21.11.2026, 01:36, \"{n}\" <{a}>:
tr 21.11.2026, 01:36, \"{n}\" <{a}>:
";

pub(super) const QQ: &str = "
zh ------------------ 原始邮件 ------------------|发件人: \"{n}\" <{a}>;|发送时间: 2026年11月21日(星期六) 凌晨1:36|\
    收件人: \"{t}\"<{t}>;|主题: {s}
en ------------------ Original ------------------|From: \"{n}\" <{a}>;|\
    Date: Sat, Nov 21, 2026 01:36 AM|To: \"{t}\"<{t}>;|Subject: {s}
";

pub(super) const NETEASE: &str = "
zh 在 2026-11-21 01:36:00，\"{n}\" <{a}> 写道：
en At 2026-11-21 01:36:00, \"{n}\" <{a}> wrote:
";

pub(super) const FOXMAIL: &str = "
zh 发件人： {n}|发送时间： 2026-11-21 01:36|收件人： {t}|主题： {s}
en From: {n}|Date: 2026-11-21 01:36|To: {t}|Subject: {s}
";

pub(super) const ZOHO: &str = "
en ---- On Sat, 21 Nov 2026 01:36:00 +0000 {n} <{a}> wrote ----
de ---- Am Sa, 21 Nov 2026 01:36:00 +0100 {n} <{a}> schrieb ----
";

pub(super) const NOTES: &str = "
en From:\t{n} <{a}>|To:\t{t}|Date:\t21/11/2026 01:36|Subject:\t{s}
de Von:\t{n} <{a}>|An:\t{t}|Datum:\t21.11.2026 01:36|Betreff:\t{s}
fr De :\t{n} <{a}>|A :\t{t}|Date :\t21/11/2026 01:36|Objet :\t{s}
it Da:\t{n} <{a}>|Per:\t{t}|Data:\t21/11/2026 01:36|Oggetto:\t{s}
";

pub(super) const INOTES: &str = "
en -----\"{n}\" <{a}> wrote: -----|To: {t}|From: \"{n}\" <{a}>|Date: 11/21/2026 01:36AM|Subject: {s}
de -----\"{n}\" <{a}> schrieb: -----|An: {t}|Von: \"{n}\" <{a}>|Datum: 21.11.2026 01:36|Betreff: {s}
";

pub(super) const MUTT: &str = "en On Sat, Nov 21, 2026 at 01:36:00AM -0000, {n} wrote:";
pub(super) const ALPINE: &str = "en On Sat, 21 Nov 2026, {n} wrote:";
pub(super) const GNUS: &str = "en {n} <{a}> writes:";
pub(super) const S_NAIL: &str = "en {n} <{a}> wrote:";
pub(super) const S_NAIL_TOP: &str = "
en -------- Original Message --------|> Date: Sat, 21 Nov 2026 01:36:00 +0000|> From: {n} <{a}>|\
    > To: {t}|> Subject: {s}|>
";
pub(super) const AERC: &str = "en On Sat Nov 21, 2026 at 1:36 AM UTC, {n} wrote:";
pub(super) const NMH: &str = "en {n} writes:";
pub(super) const HIMALAYA: &str = "en ";
