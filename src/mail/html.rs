//! Turns the HTML of a mail into lines. The containers that mail programs put around an original
//! become quotes, hidden text is dropped, and HTML that is built to be slow is not read.

use lol_html::html_content::{ContentType, Element};
use lol_html::{HandlerResult, MemorySettings, Settings, element, rewrite_str};

use super::body::{Lines, plain_lines};
use super::marker::MARKER;

/// The largest nesting of elements.
const DEPTH_MAX: usize = 300;
/// Octets of memory for parsing the HTML.
const MEMORY_MAX: usize = 4_000_000;
/// Columns at which text would be wrapped; no order is so long.
const WIDTH: usize = 2000;

/// Elements without an end tag, or whose end tag may be missing. They do not count as
/// nested.
const FLAT: &[&str] = &[
    "br", "img", "hr", "meta", "link", "input", "col", "wbr", "p", "li", "td", "tr", "th", "dd",
    "dt", "option", "o:p",
];

/// Elements that nobody sees, or that hold no text.
const UNSEEN: &str =
    "head, script, style, template, noscript, object, svg, textarea, select, [hidden]";

/// Styles that hide an element, without blanks. A `;` stands for the end of a value.
const HIDING: [&str; 7] = [
    "display:none",
    "visibility:hidden",
    "mso-hide:all",
    "font-size:0",
    "max-height:0",
    "opacity:0;",
    "opacity:0!",
];

/// Styles that strike an element's text out, without blanks.
const STRIKING: [&str; 2] = ["text-decoration:line-through", "text-decoration-line:line-through"];

/// Elements that mail programs put around an original, besides block quotes.
const QUOTES: &str = "div.gmail_quote, div.gmail_quote_container, div.gmail_attr, \
    div.yahoo_quoted, div.protonmail_quote, div.tutanota_quote, div.moz-cite-prefix, \
    div.moz-forward-container, div.zmail_extra, div[name='quote'], div.OutlookMessageHeader, \
    #mail-editor-reference-message-container, div.ms-outlook-mobile-reference-message, \
    includetail, div.ms-outlook-ios-reference-expanded, #isForwardContent, div.mail_quote, \
    div.k9mail-quote, pre.k9mail";

/// Elements at which an original without a container begins.
const STARTS: &str = "#appendonsend, #divRplyFwdMsg, #stopSpelling, #OLK_SRC_BODY_SECTION, \
    div.js-helper.js-readmsg-msg";

/// Elements that mail programs put around a signature.
const SIGNATURES: &str = "div.gmail_signature, .gmail_signature_prefix, div.moz-signature, \
    pre.moz-signature, #Signature, div.protonmail_signature_block, #ms-outlook-mobile-signature, \
    div.yahoo-signature, div.ymail_android_signature, #AppleMailSignature, \
    div.mail-app-auto-default-signature";

/// The depth to which elements are nested. One pass over the tags finds it; end tags without a
/// start do no harm.
fn depth(html: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for tag in html.split('<').skip(1) {
        let end = tag.starts_with('/');
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == ':')
            .take(10)
            .collect::<String>()
            .to_ascii_lowercase();
        let closed = tag.split('>').next().is_some_and(|t| t.ends_with('/'));
        if name.is_empty() || closed || FLAT.contains(&name.as_str()) {
            continue;
        }
        depth = if end { depth.saturating_sub(1) } else { depth + 1 };
        deepest = deepest.max(depth);
    }
    deepest
}

/// The lines of HTML; quotes become `>` quotes. `None`: the HTML is nested or broken as no mail
/// program writes it.
pub fn html_lines(html: &str) -> Option<Lines> {
    if depth(html) > DEPTH_MAX {
        return None;
    }
    let html = prepared(html)?;
    let text = html2text::config::plain_no_decorate()
        .allow_width_overflow()
        .no_table_borders()
        .string_from_read(html.as_bytes(), WIDTH)
        .ok()?;
    let mut lines = plain_lines(&text);
    // Blank lines between paragraphs come from the library, not from the player.
    lines.0.retain(|(_, l)| !l.trim().is_empty());
    Some(lines)
}

/// The HTML without hidden text, and with marks that plain text has too: block quotes
/// around quotes, our marker before an original, `--` before a signature.
fn prepared(html: &str) -> Option<String> {
    let unseen = |el: &mut Element| -> HandlerResult {
        el.remove();
        Ok(())
    };
    let hidden = |el: &mut Element| -> HandlerResult {
        let style = el.get_attribute("style").unwrap_or_default().to_lowercase();
        let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
        if HIDING.iter().any(|h| format!("{style};").contains(h)) {
            el.remove();
        } else if STRIKING.iter().any(|s| style.contains(s)) {
            el.prepend("<s>", ContentType::Html);
            el.append("</s>", ContentType::Html);
        }
        Ok(())
    };
    let struck = |el: &mut Element| -> HandlerResult { Ok(el.set_tag_name("s")?) };
    let quote = |el: &mut Element| -> HandlerResult {
        el.before("<blockquote>", ContentType::Html);
        el.after("</blockquote>", ContentType::Html);
        Ok(())
    };
    let start = |el: &mut Element| -> HandlerResult {
        el.before(&format!("<p>{MARKER}</p>"), ContentType::Html);
        Ok(())
    };
    // Text in pieces would be measured piece by piece, and would break within a row of a table.
    let piece = |el: &mut Element| -> HandlerResult {
        el.remove_and_keep_content();
        Ok(())
    };
    let signature = |el: &mut Element| -> HandlerResult {
        el.before("<p>--</p>", ContentType::Html);
        Ok(())
    };
    let settings = Settings::new()
        .append_element_content_handler(element!(UNSEEN, unseen))
        .append_element_content_handler(element!("span", piece))
        .append_element_content_handler(element!("[style]", hidden))
        .append_element_content_handler(element!("strike", struck))
        .append_element_content_handler(element!(QUOTES, quote))
        .append_element_content_handler(element!(STARTS, start))
        .append_element_content_handler(element!(SIGNATURES, signature))
        .with_memory_settings(MemorySettings::new().with_max_allowed_memory_usage(MEMORY_MAX))
        .with_strict(false);
    rewrite_str(html, settings).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_that_is_nested_without_end_is_not_read() {
        for part in ["<blockquote>x<p>", "<p><b a=N>x", "<div><table><tr><td>"] {
            assert_eq!(html_lines(&part.repeat(3000)), None, "{part}");
        }
        let deep = format!("{}A 1 2{}", "<div>".repeat(100), "</div>".repeat(100));
        assert_eq!(html_lines(&deep).expect("read").0.len(), 1);
        assert_eq!(html_lines(&"<p>A 1 2<br>".repeat(1000)).expect("read").0.len(), 1000);
    }

    fn above(html: &str) -> Vec<String> {
        let all = html_lines(html).expect("read").new_text("W7 T12 S34").above;
        all.into_iter().filter(|l| !l.trim().is_empty()).collect()
    }

    #[test]
    fn html_keeps_lines_and_quotes() {
        let html = "<div>A&nbsp;12 2</div><div>M 3 122<br>C 3 1</div>\
                    <blockquote>B 0 10101</blockquote>";
        assert_eq!(above(html), ["A 12 2", "M 3 122", "C 3 1"]);
        for quote in [
            "<div class=\"gmail_quote\"><div>C 9 1</div></div>",
            "<div class='x gmail_quote gmail_quote_container'><p>C 9 1</div>",
            "<div id=\"appendonsend\"></div><hr><div>C 9 1</div>",
            "<div id=\"divRplyFwdMsg\"><b>From:</b> R</div><div>C 9 1</div>",
            "<div class=\"yahoo_quoted\">C 9 1</div>",
            "<div name=\"quote\"><div>C 9 1</div></div>",
            "<div class=\"moz-signature\">-- <br>C 9 1</div>",
        ] {
            assert_eq!(above(&format!("<div>A 12 2</div>{quote}")), ["A 12 2"], "{quote}");
        }
    }

    #[test]
    fn crossed_out_text_is_marked_however_it_is_crossed_out() {
        for (open, close) in [
            ("<s>", "</s>"),
            ("<del>", "</del>"),
            ("<strike>", "</strike>"),
            ("<span style='text-decoration: line-through'>", "</span>"),
            ("<b style='color:red; text-decoration-line:line-through'>", "</b>"),
        ] {
            let lines = above(&format!("<div>A 12 2</div><div>{open}M 3 122{close}</div>"));
            assert_eq!(lines[0], "A 12 2");
            assert!(crate::normal::is_struck(&lines[1]), "{open}: {lines:?}");
            assert_eq!(crate::normal::unstruck(&lines[1]), "M 3 122", "{open}");
            let lines = above(&format!("<p>M 3 {open}122{close} 133</p>"));
            assert_eq!(crate::normal::doubt(&lines[0]), Some(crate::normal::Doubt::Struck));
        }
    }

    /// The number of selectors in a list.
    fn rows(selectors: &str) -> usize {
        selectors.split(',').filter(|s| !s.trim().is_empty()).count()
    }

    #[test]
    fn every_mark_of_an_original_and_of_a_signature_is_known() {
        let quotes = [
            "<div class=gmail_quote>",
            "<div class=gmail_quote_container>",
            "<div class=gmail_attr>",
            "<div class=yahoo_quoted>",
            "<div class=protonmail_quote>",
            "<div class=tutanota_quote>",
            "<div class=moz-cite-prefix>",
            "<div class=moz-forward-container>",
            "<div class=zmail_extra>",
            "<div name=quote>",
            "<div class=OutlookMessageHeader>",
            "<div id=mail-editor-reference-message-container>",
            "<div class=ms-outlook-mobile-reference-message>",
            "<includetail>",
            "<div class=ms-outlook-ios-reference-expanded>",
            "<div id=isForwardContent>",
            "<div class=mail_quote>",
            "<div class=k9mail-quote>",
            "<pre class=k9mail>",
        ];
        let starts = [
            "<div id=appendonsend>",
            "<div id=divRplyFwdMsg>",
            "<div id=stopSpelling>",
            "<div id=OLK_SRC_BODY_SECTION>",
            "<div class='js-helper js-readmsg-msg'>",
        ];
        let signatures = [
            "<div class=gmail_signature>",
            "<span class=gmail_signature_prefix>",
            "<div class=moz-signature>",
            "<pre class=moz-signature>",
            "<div id=Signature>",
            "<div class=protonmail_signature_block>",
            "<div id=ms-outlook-mobile-signature>",
            "<div class=yahoo-signature>",
            "<div class=ymail_android_signature>",
            "<div id=AppleMailSignature>",
            "<div class=mail-app-auto-default-signature>",
        ];
        let lists =
            [(rows(QUOTES), &quotes[..]), (rows(STARTS), &starts), (rows(SIGNATURES), &signatures)];
        for (rows, cases) in lists {
            assert_eq!(rows, cases.len(), "every selector has one case");
            for start in cases {
                let name = start.trim_start_matches('<').split([' ', '>']).next().expect("a name");
                let html = format!("<div>A 12 2</div>{start}C 9 1</{name}>");
                assert_eq!(above(&html), ["A 12 2"], "{start}");
            }
        }
    }

    #[test]
    fn every_way_to_hide_an_element_is_known() {
        let styles = [
            "display: none",
            "visibility: hidden",
            "mso-hide: all",
            "font-size: 0",
            "max-height: 0",
            "opacity: 0",
            "opacity: 0 !important",
        ];
        assert_eq!(HIDING.len(), styles.len(), "every row has one case");
        for style in styles {
            let html = format!("<div>A 12 2</div><div style='{style}'>C 9 1</div>");
            assert_eq!(above(&html), ["A 12 2"], "{style}");
        }
        let seen = "<div>A 12 2</div><div style='opacity: 0.9'>C 9 1</div>";
        assert_eq!(above(seen), ["A 12 2", "C 9 1"]);
        let elements = [
            "head", "script", "style", "template", "noscript", "object", "svg", "textarea",
            "select",
        ];
        assert_eq!(rows(UNSEEN), elements.len() + 1, "all elements and [hidden]");
        for name in elements {
            let html = format!("<div>A 12 2</div><{name}>C 9 1</{name}>");
            assert_eq!(above(&html), ["A 12 2"], "{name}");
        }
    }

    #[test]
    fn a_row_whose_cells_are_in_pieces_is_one_line() {
        let cell = "<td><span>\u{b7} </span>&gt; TS1</td>";
        let row = format!("<table><tr><td><span>\u{b7} </span>1</td>{cell}{cell}</tr></table>");
        assert_eq!(html_lines(&row).expect("read").0.len(), 1);
    }

    #[test]
    fn what_nobody_sees_is_no_order() {
        for hidden in [
            "<div style=\"display:none\">C 9 1</div>",
            "<span style='color:red; DISPLAY: none'>C 9 1</span>",
            "<p style=' Display : NONE !important'>C 9 1</p>",
            "<p hidden>C 9 1</p>",
            "<!-- C 9 1 -->",
            "<style>C 9 1</style><script>C 9 1</script>",
        ] {
            assert_eq!(above(&format!("<div>A 12 2</div>{hidden}")), ["A 12 2"], "{hidden}");
        }
    }
}
