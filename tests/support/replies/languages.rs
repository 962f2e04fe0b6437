//! The languages: the words that programs put around a reply in each of them.

pub(super) struct Lang {
    pub(super) code: &'static str,
    /// The 8-bit or national charset of the language's older programs.
    pub(super) charset: &'static str,
    pub(super) person: &'static str,
    /// Outlook's reply prefix.
    pub(super) re: &'static str,
    /// Outlook's labels and date: from, sent, to, subject, the date.
    pub(super) block: [&'static str; 5],
    /// Outlook's bar in text mails.
    pub(super) bar: &'static str,
    /// Samsung's bar, from, date, to, subject.
    pub(super) phone: [&'static str; 5],
    pub(super) iphone: &'static str,
    pub(super) galaxy: &'static str,
    /// Outlook's footer on a phone.
    pub(super) outlook: &'static str,
}

/// Four rows each: code, charset, person, Outlook's prefix; footers of iPhone, Galaxy and
/// Outlook; Outlook's labels and date; its bar, then Samsung's bar and labels.
pub(super) const LANGUAGES: &str = "
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

pub(super) fn languages() -> Vec<Lang> {
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
