//! HTML of a mail to lines: what clients wrap around originals becomes a quote,
//! what nobody sees is dropped, and nothing that is made to be slow is read.

use lol_html::html_content::{ContentType, Element};
use lol_html::{HandlerResult, MemorySettings, Settings, element, rewrite_str};

use super::body::{Lines, MARKER, plain_lines};

/// Elements that may be open within each other.
const DEPTH_MAX: usize = 300;
/// Octets that taking the HTML apart may hold.
const MEMORY_MAX: usize = 4_000_000;
/// Columns at which text would be broken; no order is so long.
const WIDTH: usize = 2000;

/// Elements that need no end and hold nothing, or that end by themselves.
const FLAT: &[&str] = &[
    "br", "img", "hr", "meta", "link", "input", "col", "wbr", "p", "li", "td", "tr", "th", "dd",
    "dt", "option", "o:p",
];

/// What no reader sees, or what is no text.
const UNSEEN: &str =
    "head, script, style, template, noscript, object, svg, textarea, select, [hidden]";

/// Styles that hide, without their blanks.
const HIDING: [&str; 7] = [
    "display:none",
    "visibility:hidden",
    "mso-hide:all",
    "font-size:0",
    "max-height:0",
    "opacity:0;",
    "opacity:0!",
];

/// Containers around an original that are no block quotes.
const QUOTES: &str = "div.gmail_quote, div.gmail_quote_container, div.gmail_attr, \
    div.yahoo_quoted, div.protonmail_quote, div.tutanota_quote, div.moz-cite-prefix, \
    div.moz-forward-container, div.zmail_extra, div[name='quote'], div.OutlookMessageHeader, \
    #mail-editor-reference-message-container, div.ms-outlook-mobile-reference-message, \
    includetail, div.ms-outlook-ios-reference-expanded, #isForwardContent, div.mail_quote, \
    div.k9mail-quote, pre.k9mail";

/// Where an original begins that has no container of its own.
const STARTS: &str = "#appendonsend, #divRplyFwdMsg, #stopSpelling, #OLK_SRC_BODY_SECTION, \
    div.js-helper.js-readmsg-msg";

/// Signatures that are marked as such.
const SIGNATURES: &str = "div.gmail_signature, .gmail_signature_prefix, div.moz-signature, \
    pre.moz-signature, #Signature, div.protonmail_signature_block, #ms-outlook-mobile-signature, \
    div.yahoo-signature, div.ymail_android_signature, #AppleMailSignature, \
    div.mail-app-auto-default-signature";

/// How deep elements are nested, in one walk that trusts no end tag.
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

/// Lines of HTML; quotes come out as `>` quotes. `None`: it is nested or broken as
/// no mail program writes it, and is not read.
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
    // Paragraphs come with blank lines between; they are no lines of the card.
    lines.0.retain(|(_, l)| !l.trim().is_empty());
    Some(lines)
}

/// The HTML with quotes, originals and signatures marked in the common way.
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
        }
        Ok(())
    };
    let quote = |el: &mut Element| -> HandlerResult {
        el.before("<blockquote>", ContentType::Html);
        el.after("</blockquote>", ContentType::Html);
        Ok(())
    };
    let start = |el: &mut Element| -> HandlerResult {
        el.before(&format!("<p>{MARKER}</p>"), ContentType::Html);
        Ok(())
    };
    let signature = |el: &mut Element| -> HandlerResult {
        el.before("<p>--</p>", ContentType::Html);
        Ok(())
    };
    let settings = Settings::new()
        .append_element_content_handler(element!(UNSEEN, unseen))
        .append_element_content_handler(element!("[style]", hidden))
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
