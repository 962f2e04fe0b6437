//! Replies as the programs write them: text and HTML.

use super::Placed::{Above, Below, Between};
use super::*;

/// One reply before it is a mail.
pub(super) struct Letter<'a> {
    pub(super) client: &'a Client,
    pub(super) lang: &'a Lang,
    pub(super) parent: &'a Parent<'a>,
    /// Who got the parent.
    pub(super) parent_to: &'a str,
    pub(super) lines: &'a [&'a str],
    pub(super) placed: Placed,
}

/// The text and HTML of a reply, lines ended by LF.
#[derive(Default)]
pub(super) struct Body {
    pub(super) text: Option<String>,
    pub(super) html: Option<String>,
}

/// A run of lines by one writer.
pub(super) enum Piece<'a> {
    Quoted(&'a [&'a str]),
    Typed(&'a [&'a str]),
}

/// The lines of the blank card: the first below its opening and its closing one.
pub(super) fn card(text: &str) -> Option<(usize, usize)> {
    let begin = text.lines().position(|line| line.contains("---- turn card"))?;
    let end = text.lines().position(|line| line.contains("---- end of card ----"))?;
    (begin < end).then_some((begin + 1, end))
}

impl Letter<'_> {
    /// A template of the program with the names put in.
    pub(super) fn fill(&self, template: &str) -> String {
        let parent = self.parent;
        let name = if parent.from_name.is_empty() { parent.from } else { parent.from_name };
        let filled = template.replace("{n}", name).replace("{a}", parent.from);
        let filled = filled.replace("{t}", self.parent_to).replace("{s}", parent.subject);
        let filled = filled.replace("{person}", self.lang.person);
        filled.replace("{iphone}", self.lang.iphone).replace("{galaxy}", self.lang.galaxy)
    }

    pub(super) fn wrote(&self) -> String {
        let template = self.client.template(self.lang.code).unwrap_or_default();
        self.fill(&template.replace(
            '|', "
",
        ))
    }

    /// Outlook's four header lines: label and value.
    pub(super) fn block(&self) -> [(&str, String); 4] {
        let [from, sent, to, subject, date] = self.lang.block;
        let sender = self.fill("{n} <{a}>");
        let mine = (to, self.parent_to.to_owned());
        [(from, sender), (sent, date.into()), mine, (subject, self.parent.subject.into())]
    }

    /// The new lines and what the program puts below them.
    pub(super) fn typed(&self) -> String {
        let typed = self.lines.join("\n");
        if self.client.sign.is_empty() {
            return typed;
        }
        format!("{typed}\n\n{}", self.fill(self.client.sign))
    }

    /// The parent, with the new lines inside its card if that is their place.
    pub(super) fn pieces<T>(&self, mut make: impl FnMut(Piece) -> T) -> Vec<T> {
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
    pub(super) fn quoted(&self, mark: &str, width: usize, between: &str) -> String {
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

    /// The quote as HTML: each run of quoted lines in its own element.
    pub(super) fn cited(&self, open: &str, close: &str) -> String {
        let pieces = self.pieces(|piece| match piece {
            Piece::Quoted(lines) => {
                format!("{open}{}{close}", each(lines, "", "<br>"))
            }
            Piece::Typed(lines) => each(lines, "<div>", "</div>"),
        });
        pieces.concat()
    }

    /// New lines and quote in their order; `quote` begins with the attribution.
    pub(super) fn arranged(&self, quote: &str) -> String {
        match self.placed {
            Above => format!("{}\n\n{quote}\n", self.typed()),
            Below => format!("{quote}\n\n{}\n", self.typed()),
            Between => format!("{quote}\n"),
        }
    }

    /// HTML in the same order.
    pub(super) fn page(&self, head: &str, typed: &str, quote: &str) -> Option<String> {
        let typed = if self.placed == Between { "" } else { typed };
        Some(format!(
            "<html><head>\n<meta http-equiv=\"Content-Type\" content=\"text/html; \
             charset={{charset}}\">{head}\n</head>\n<body>\n{typed}{quote}\n</body></html>\n"
        ))
    }

    /// The new lines as HTML, and the footer in a last paragraph.
    pub(super) fn typed_html(&self, open: &str, close: &str) -> String {
        let mut typed = each(self.lines, open, close);
        if !self.client.sign.is_empty() {
            let sign = escape(&self.fill(self.client.sign)).replace('\n', "<br>");
            typed += &format!("<div><br></div>\n<div>{sign}</div>\n");
        }
        typed
    }

    pub(super) fn link(&self) -> String {
        let wrote = escape(&self.wrote());
        let a = self.parent.from;
        let linked = format!("&lt;<a href=\"mailto:{a}\">{a}</a>&gt;");
        wrote.replace(&format!("&lt;{a}&gt;"), &linked).replace('\n', "<br>\n")
    }
}

pub(super) fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace("  ", "&nbsp; ")
}

pub(super) fn each(lines: &[&str], open: &str, close: &str) -> String {
    lines.iter().map(|line| format!("{open}{}{close}\n", escape(line))).collect()
}

/// Breaks a long line at spaces; `end` stands before each break.
pub(super) fn wrap(line: &str, width: usize, end: &str) -> String {
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
pub(super) fn plain(letter: &Letter) -> Body {
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
pub(super) fn block_text(letter: &Letter, to_mark: &str) -> String {
    let rows = letter.block().map(|(label, value)| format!("{to_mark}{label} {value}\n"));
    rows.concat()
}

pub(super) fn outlook_text(letter: &Letter) -> Body {
    let quote = format!(
        "{}\n{}\n{}",
        letter.lang.bar,
        block_text(letter, "").replacen('\n', " \n", 1),
        letter.quoted("", usize::MAX, "")
    );
    Body { text: Some(letter.arranged(&quote)), html: None }
}

/// The bar and the header lines are marked like the quoted lines.
pub(super) fn outlook_marked(letter: &Letter) -> Body {
    let block = block_text(letter, "> ");
    let quote =
        format!("> {}\n{block}> \n{}", letter.lang.bar, letter.quoted("> ", usize::MAX, ""));
    Body { text: Some(letter.arranged(&quote)), html: None }
}

/// The address is in brackets, and there is no bar above.
pub(super) fn outlook_2010(letter: &Letter) -> Body {
    let address = letter.fill("<{a}>");
    let block = block_text(letter, "").replacen(&address, &letter.fill("[mailto:{a}] "), 1);
    let quote = format!("{block}\n{}", letter.quoted("", usize::MAX, ""));
    Body { text: Some(letter.arranged(&quote)), html: None }
}

pub(super) const BAR: &str = "________________________________";

pub(super) fn exchange_bar(letter: &Letter) -> Body {
    let address = letter.fill("<{a}>");
    let block = block_text(letter, "").replacen(&address, &letter.fill("[{a}]"), 1);
    let quote = format!("{BAR}\n{block}\n{}", letter.quoted("", usize::MAX, ""));
    Body { text: Some(letter.arranged(&quote)), html: None }
}

/// Outlook's header lines as HTML.
pub(super) fn block_html(letter: &Letter) -> String {
    let rows = letter.block();
    let rows = rows.map(|(label, value)| format!("<b>{}</b> {}", escape(label), escape(&value)));
    rows.join("<br>\n")
}

pub(super) fn outlook_desktop(letter: &Letter) -> Body {
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

pub(super) fn outlook_web(letter: &Letter) -> Body {
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

pub(super) fn outlook_mobile(letter: &Letter) -> Body {
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

pub(super) fn windows_mail(letter: &Letter) -> Body {
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

pub(super) fn gmail(letter: &Letter) -> Body {
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
pub(super) fn apple(letter: &Letter) -> Body {
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
pub(super) fn iphone(letter: &Letter) -> Body {
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

pub(super) fn samsung(letter: &Letter) -> Body {
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

pub(super) fn thunderbird_html(letter: &Letter) -> Body {
    let head = wrap(&letter.wrote(), 72, "");
    let quote = format!("{head}\n{}", letter.quoted("> ", usize::MAX, "\n"));
    let text = letter.arranged(&quote);
    // Every typed line is a separate paragraph.
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
pub(super) fn yahoo(letter: &Letter) -> Body {
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

pub(super) fn k9(letter: &Letter) -> Body {
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

pub(super) fn proton(letter: &Letter) -> Body {
    let html = format!(
        "<div class=\"protonmail_quote\">\n        {}<br>\n{}<br>\n    </div>",
        letter.link(),
        letter.cited("<blockquote class=\"protonmail_quote\" type=\"cite\">", "</blockquote>")
    );
    let typed = letter.typed_html("<div style=\"font-family: Arial; font-size: 14px;\">", "</div>");
    Body { text: plain(letter).text, html: letter.page("", &typed, &html) }
}

/// Labels in bold before the value, one header line to a row.
pub(super) fn bold_rows(rows: &str, colons: &[char], end: &str) -> String {
    let bold = |row: &str| match row.split_once(colons) {
        Some((label, value)) => {
            let colon = &row[label.len()..row.len() - value.len()];
            format!("<b>{}{colon}</b>&nbsp;{}", escape(label), escape(value.trim_start()))
        }
        None => escape(row),
    };
    rows.lines().map(bold).collect::<Vec<_>>().join(end)
}

pub(super) fn gmx(letter: &Letter) -> Body {
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
pub(super) fn mail_ru(letter: &Letter) -> Body {
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

pub(super) fn yandex(letter: &Letter) -> Body {
    let html = format!(
        "<div>&nbsp;</div><div>{}</div><blockquote>{}</blockquote>",
        letter.link(),
        letter.cited("<p>", "</p>")
    );
    Body { text: None, html: letter.page("", &letter.typed_html("<div>", "</div>"), &html) }
}

/// The text part keeps pieces of the HTML.
pub(super) fn qq(letter: &Letter) -> Body {
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

pub(super) fn foxmail(letter: &Letter) -> Body {
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

pub(super) fn zoho(letter: &Letter) -> Body {
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
