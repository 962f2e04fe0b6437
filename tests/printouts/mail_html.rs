//! The HTML that mail programs keep, and a checker that names everything else.
//!
//! The tables follow the published support tables of mail programs as of 2026: Gmail on the web and
//! in its apps, Outlook for Windows (which draws with Word) and on the web, Apple Mail, Thunderbird
//! and Yahoo. Our own pages are plain lower-case HTML, so the scanner is strict: whatever is
//! unusual counts as a fault, since some program will read it in its own way.

/// Gmail cuts a mail off at 102 kB.
const SIZE_MAX: usize = 100_000;
/// Gmail drops a style block of more than 16 kB.
const STYLE_MAX: usize = 16_000;
const DOCTYPE: &str = "<!DOCTYPE html>";
/// The exact text of the document up to the end of its head.
const HEAD: &[&str] = &[
    "<meta charset=\"utf-8\">",
    "<meta name=\"viewport\" content=\"",
    "<meta name=\"color-scheme\" content=\"light dark\">",
    "<title>",
];
/// Character references that every program reads; other characters stand for themselves.
const REFERENCES: &[&str] = &["amp;", "lt;", "gt;", "quot;", "nbsp;", "#39;"];
/// No attribute may hold one of these: nothing is loaded, run or linked but mail.
const REMOTE: &[&str] = &["http:", "https:", "//", "data:", "javascript:"];

/// Elements that every program keeps: the names; the elements they may stand directly in (none: any
/// place in the body that takes text); and their attributes besides those of `COMMON`, where one in
/// capitals may not be missing.
const ELEMENTS: &[(&str, &[&str], &str)] = &[
    ("html", &[""], "LANG"),
    ("head body", &["html"], ""),
    ("title style", &["head"], ""),
    ("meta", &["head"], "charset name content"),
    ("table", &[], "role width border cellpadding cellspacing align bgcolor"),
    ("thead tbody", &["table"], ""),
    ("tr", &["table", "thead", "tbody"], "align valign bgcolor"),
    ("td", &["tr"], "width height align valign bgcolor colspan rowspan"),
    ("th", &["tr"], "SCOPE width height align valign bgcolor colspan rowspan"),
    ("caption", &["table"], ""),
    ("div", &[], "align role tabindex aria-label"),
    ("p h1 h2 h3", &[], "align"),
    ("span", &[], "aria-hidden"),
    ("ul", &[], "role"),
    ("pre code b strong i em br ol", &[], ""),
    ("li", &["ul", "ol"], ""),
    ("hr", &[], "width"),
    ("a", &[], "HREF"),
    ("img", &[], "SRC ALT WIDTH height border"),
];
/// Attributes of every element but those of the head.
const COMMON: &str = "class id style lang";
/// Elements without an end tag.
const VOID: &[&str] = &["meta", "br", "hr", "img"];
/// Elements that take no text, and no element but those that name them above.
const FRAMES: &[&str] = &["", "html", "head", "table", "thead", "tbody", "tr", "ul", "ol"];
/// Elements that take only running text: a browser ends a `<p>` where one of `BLOCKS` begins.
const RUNNING: &[&str] = &["p", "h1", "h2", "h3", "pre"];
const BLOCKS: &[&str] = &["p", "h1", "h2", "h3", "pre", "div", "table", "hr", "ul", "ol"];
const YES: bool = true;
const NO: bool = false;
const ALL: [bool; 5] = [YES; 5];
const NOT_WORD: [bool; 5] = [YES, NO, YES, YES, YES];
/// CSS properties that may be used: the names, where a star stands for each of the four sides; the
/// values they may have (none: any that `value_fault` passes); whether Gmail, Outlook, Apple Mail,
/// Thunderbird and Yahoo, in this order, keep them on every element and in every account; and what
/// is seen where one doesn't, which does no harm. What is lost with harm isn't listed.
const PROPERTIES: &[(&str, &str, [bool; 5], &str)] = &[
    ("color background-color font-family font-size letter-spacing", "", ALL, ""),
    ("font-weight", "normal bold", ALL, ""),
    ("font-style", "normal italic", ALL, ""),
    ("text-align", "left center right justify", ALL, ""),
    ("vertical-align", "top middle bottom baseline", ALL, ""),
    ("border-collapse", "collapse separate", ALL, ""),
    ("line-height", "", NOT_WORD, "Word spaces lines by its own rule"),
    ("mso-line-height-rule", "exactly", [NO, YES, NO, NO, NO], "it is meant for Word alone"),
    ("border border-* border-*-color border-color border-width", "", NOT_WORD, "8px at most"),
    ("border-radius", "", NOT_WORD, "Word draws square corners"),
    ("padding padding-*", "", NOT_WORD, "Word keeps it on table cells alone"),
    ("margin margin-*", "", NOT_WORD, "Word drops auto, and all of it on <span> and <body>"),
    ("width max-width min-width", "", NOT_WORD, "Word reads the attribute"),
    ("table-layout", "auto fixed", ALL, ""),
    ("overflow-x", "auto", NOT_WORD, "Word shows all of it"),
    ("list-style-type", "none disc decimal", ALL, ""),
    ("height", "", [YES, NO, YES, YES, NO], "Word reads the attribute, Yahoo lets it grow"),
    ("display", "none block inline-block", NOT_WORD, "Word knows none alone"),
    ("text-decoration", "none underline line-through", [NO, YES, YES, YES, YES], "plain text"),
    ("word-break", "normal break-word", NOT_WORD, "long words stay whole; phones have no Word"),
    ("white-space", "normal nowrap pre pre-wrap", [NO, NO, YES, YES, NO], "lines wrap as always"),
];
const SIDES: [&str; 4] = ["-top", "-right", "-bottom", "-left"];
/// Units that every program knows; Word and Yahoo know no `rem`.
const UNITS: &[&str] = &["px", "pt", "em", "%"];

/// One sentence for everything in the HTML that some mail program doesn't keep, or that is unsafe.
pub fn faults(html: &str) -> Vec<String> {
    let mut check = Check::default();
    check.document(html);
    check.faults
}

/// An element that isn't closed yet; the flags are those of a table.
struct Open<'a> {
    name: &'a str,
    layout: bool,
    headed: bool,
}

#[derive(Default)]
struct Check<'a> {
    open: Vec<Open<'a>>,
    faults: Vec<String>,
}

impl<'a> Check<'a> {
    fn fault(&mut self, sentence: String) {
        self.faults.push(sentence);
    }

    fn parent(&self) -> &'a str {
        self.open.last().map_or("", |open| open.name)
    }

    fn document(&mut self, html: &'a str) {
        if html.len() >= SIZE_MAX {
            self.fault(format!("Gmail cuts the document off, it has {} bytes.", html.len()));
        }
        for rest in html.split('&').skip(1) {
            if !REFERENCES.iter().any(|r| rest.starts_with(r)) {
                self.fault(format!("`&{}` isn't a character everywhere.", start(rest)));
            }
        }
        let (head, _) = html.split_once("</head>").unwrap_or_default();
        for needed in HEAD.iter().filter(|n| !head.contains(**n)) {
            self.fault(format!("The head lacks {needed}."));
        }
        let single = ["html", "head", "title", "style", "body"];
        for name in single.iter().filter(|n| html.matches(&format!("<{n}")).count() > 1) {
            self.fault(format!("<{name}> stands in the document twice."));
        }
        let page = html.strip_prefix(DOCTYPE).map(str::trim_start);
        if !page.is_some_and(|page| page.starts_with("<html ")) {
            self.fault(format!("The document doesn't begin with {DOCTYPE} and <html>."));
        }
        for piece in page.unwrap_or(html).split('<').skip(1) {
            let Some((tag, text)) = piece.split_once('>') else {
                self.fault(format!("The tag <{} has no end.", start(piece)));
                continue;
            };
            match tag.strip_prefix('/') {
                Some(name) => self.close(name),
                None => self.open(tag),
            }
            if tag == "style" && text.len() > STYLE_MAX {
                self.fault(format!("Gmail drops the style block, it has {} bytes.", text.len()));
            } else if tag == "style" {
                self.rules(text, false);
            } else if !text.trim().is_empty() && FRAMES.contains(&self.parent()) {
                self.fault(format!("Text stands in <{}>: {}.", self.parent(), start(text)));
            }
        }
        while let Some(open) = self.open.pop() {
            self.fault(format!("<{}> isn't closed.", open.name));
        }
    }

    fn open(&mut self, tag: &'a str) {
        let name = tag.split(char::is_whitespace).next().unwrap_or_default();
        let Some((_, parents, own)) = ELEMENTS.iter().find(|e| has(e.0, name)) else {
            return self.fault(format!("The element <{}> isn't kept.", start(name)));
        };
        let parent = self.parent();
        let framed = has("title style", parent) || FRAMES.contains(&parent);
        if !parents.contains(&parent) && (framed || !parents.is_empty()) {
            self.fault(format!("<{name}> can't stand directly in <{parent}>."));
        }
        let around = self.open.iter().map(|open| open.name).find(|n| RUNNING.contains(n));
        if let Some(around) = around.filter(|_| BLOCKS.contains(&name)) {
            self.fault(format!("<{name}> can't stand within <{around}>."));
        }
        let attributes = self.attributes(name, own, tag[name.len()..].trim_start());
        if let Some(table) = self.open.iter_mut().rfind(|o| name == "th" && o.name == "table") {
            table.headed = true;
        }
        if !VOID.contains(&name) {
            let layout = attributes.contains(&("role", "presentation"));
            self.open.push(Open { name, layout, headed: false });
        }
    }

    fn close(&mut self, name: &str) {
        let Some(open) = self.open.pop_if(|open| open.name == name) else {
            return self.fault(format!("</{}> doesn't close the last open tag.", start(name)));
        };
        if name == "table" && open.layout == open.headed {
            self.fault("A <table> needs either role=\"presentation\" or a <th>.".to_owned());
        }
    }

    /// Attributes of a tag, with a fault for each that doesn't fit or is missing.
    fn attributes(&mut self, tag: &str, own: &str, mut rest: &'a str) -> Vec<(&'a str, &'a str)> {
        let common = if has("html head title style meta", tag) { "" } else { COMMON };
        let mut found: Vec<(&str, &str)> = Vec::new();
        while !rest.is_empty() {
            let Some((name, value, tail)) = attribute(rest) else {
                self.fault(format!("<{tag}> has an attribute without quotes: {}.", start(rest)));
                break;
            };
            rest = tail;
            let bare = value.to_ascii_lowercase().replace(char::is_whitespace, "");
            let remote = REMOTE.iter().find(|remote| bare.contains(**remote));
            if !has(common, name) && !has(&own.to_lowercase(), name) {
                self.fault(format!("<{tag}> can't have the attribute {name}."));
            } else if let Some(remote) = remote {
                self.fault(format!("<{tag}> has `{remote}` in the attribute {name}."));
            } else if !fits(tag, name, value) || found.iter().any(|f| f.0 == name) {
                self.fault(format!("<{tag}> can't have {name}=\"{}\".", start(value)));
            }
            found.push((name, value));
        }
        let has_it = |needed: &str| found.iter().any(|f| needed.eq_ignore_ascii_case(f.0));
        for needed in own.split(' ').filter(|o| o.contains(char::is_uppercase) && !has_it(o)) {
            self.fault(format!("<{tag}> lacks {}.", needed.to_lowercase()));
        }
        if let Some((_, css)) = found.iter().find(|f| f.0 == "style") {
            self.declarations(css, tag, Some(&found));
        }
        found
    }

    /// Gmail drops the whole block for one rule that it can't read, or for one @ within another.
    fn rules(&mut self, css: &str, in_media: bool) {
        let mut rest = css.trim();
        while !rest.is_empty() {
            let Some((head, body, tail)) = rule(rest) else {
                return self.fault(format!("The style block has no rule at {}.", start(rest)));
            };
            rest = tail;
            if head.starts_with('@') && !in_media && is_media(head) {
                self.rules(body, true);
            } else if head.starts_with('@') || body.contains('{') {
                self.fault(format!("The style block can't have the rule {}.", start(head)));
            } else if let Some(selector) = head.split(',').find(|s| !is_selector(s)) {
                self.fault(format!("The style block can't have {}.", start(selector)));
            } else {
                self.declarations(body, head, None);
            }
        }
    }

    /// Checks properties; `on` is the element or the selector, and only a style attribute has
    /// attributes beside it.
    fn declarations(&mut self, css: &str, on: &str, beside: Option<&[(&str, &str)]>) {
        for declaration in css.split(';').map(str::trim).filter(|d| !d.is_empty()) {
            let (name, value) = declaration.split_once(':').unwrap_or((declaration, ""));
            let (name, value) = (name.trim_end(), value.trim_start());
            let sides = SIDES.iter().fold(name.to_owned(), |name, side| name.replace(side, "-*"));
            let known = PROPERTIES.iter().find(|p| has(p.0, name) || has(p.0, &sides));
            let Some((_, values, ..)) = known else {
                self.fault(format!("The property {} on {on} isn't kept.", start(name)));
                continue;
            };
            // Word drops the word in a style attribute, and in a block without the space.
            let important = if beside.is_none() { " !important" } else { "" };
            let value = value.strip_suffix(important).unwrap_or(value);
            let in_pre = |selector: &str| selector.split_whitespace().last() == Some("pre");
            let spaces = name == "white-space" && has("pre pre-wrap", value);
            let read = name.trim_start_matches("max-").trim_start_matches("min-");
            let sized = has("width height", read) && value != "auto";
            let why = if !values.is_empty() && !has(values, value) {
                Some("not one of its values")
            } else if spaces && !on.split(',').all(in_pre) {
                Some("only the element <pre> keeps it everywhere")
            } else if sized && beside.is_some_and(|a| !a.iter().any(|a| a.0 == read)) {
                Some("Word reads an attribute, which isn't beside it")
            } else {
                value_fault(name, value)
            };
            self.faults.extend(why.map(|why| format!("{name} on {on} can't be {value}: {why}.")));
        }
    }
}

/// The beginning of a text, to name it in a sentence.
fn start(text: &str) -> String {
    text.trim().chars().take_while(|c| *c != '\n').take(40).collect()
}

/// Whether a list of words has the word.
fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|listed| listed == word && !word.is_empty())
}

/// Splits off `name="value"` and the blanks after it.
fn attribute(text: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = text.split_once("=\"")?;
    let (value, rest) = rest.split_once('"')?;
    let apart = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (is_name(name) && apart).then_some((name, value, rest.trim_start()))
}

fn is_count(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

/// Whether a text can be the name of an attribute or of a class.
fn is_name(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic());
    begins && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

fn is_colour(text: &str) -> bool {
    let hex = text.strip_prefix('#').unwrap_or_default();
    hex.len() == 6 && hex.chars().all(|c| c.is_ascii_hexdigit())
}

/// Whether an attribute may have this value.
fn fits(tag: &str, name: &str, value: &str) -> bool {
    let in_mail = |id: &str| id.chars().all(|c| c.is_ascii_alphanumeric() || "._@-".contains(c));
    match name {
        "width" if tag != "img" => is_count(value.strip_suffix('%').unwrap_or(value)),
        "width" | "height" | "border" | "cellpadding" | "cellspacing" => is_count(value),
        "colspan" | "rowspan" => is_count(value),
        "bgcolor" => is_colour(value),
        "align" => has("left center right", value),
        "valign" => has("top middle bottom", value),
        "role" => has(
            match tag {
                "table" => "presentation",
                "ul" => "list",
                _ => "main group",
            },
            value,
        ),
        "tabindex" => value == "0",
        "aria-hidden" => value == "true",
        "scope" => has("col row", value),
        "class" | "id" => value.split(' ').all(is_name),
        "src" => value.len() > 4 && value.strip_prefix("cid:").is_some_and(in_mail),
        "href" => value.len() > 7 && value.starts_with("mailto:"),
        "name" => has("viewport color-scheme supported-color-schemes format-detection", value),
        _ => !value.trim().is_empty(),
    }
}

/// Splits a rule into the texts before its braces, in them and after them. No comment is part of
/// one: Yahoo drops the rule that follows it.
fn rule(css: &str) -> Option<(&str, &str, &str)> {
    let (head, rest) = css.split_once('{').filter(|r| !r.0.contains([';', '}', '/', '<', '\\']))?;
    let mut depth = 1;
    let end = rest.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    })?;
    Some((head.trim(), &rest[..end], rest[end + 1..].trim_start()))
}

/// Only queries for dark colours and narrow screens are allowed.
fn is_media(head: &str) -> bool {
    let head = head.replace(": ", ":");
    let query = head.strip_prefix("@media ").unwrap_or_default();
    let query = query.trim_start_matches("only screen and ");
    let narrow = query.strip_prefix("(max-width:").and_then(|q| q.strip_suffix("px)"));
    query == "(prefers-color-scheme:dark)" || narrow.is_some_and(is_count)
}

/// Word takes `.a.b` for `.a`, so each step of a selector is one element, class or id.
fn is_selector(text: &str) -> bool {
    let step = |step: &str| match step.strip_prefix(['.', '#']) {
        Some(name) => is_name(name),
        None => ELEMENTS.iter().any(|e| has(e.0, step)),
    };
    !text.trim().is_empty() && text.split_whitespace().all(step)
}

/// Why a value isn't kept, whatever the property.
fn value_fault(name: &str, value: &str) -> Option<&'static str> {
    if value.is_empty() || value.contains(['(', '!', '/', '\\', '"', '&', '@', ':', '<']) {
        return Some("a function or sign that some program drops");
    }
    value.split([' ', ',']).find_map(|word| {
        let number = word.strip_prefix(['-', '+']).unwrap_or(word);
        let unit = number.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let plain = number == "0" || unit.is_empty() && name == "line-height";
        if (word.starts_with('#') || name.ends_with("color")) && !is_colour(word) {
            Some("not a colour like #1a2b3c")
        } else if number.len() == unit.len() {
            None
        } else if word.starts_with('-') {
            Some("less than nothing is lost in Gmail and Outlook")
        } else {
            (!plain && !UNITS.contains(&unit)).then_some("the unit isn't px, pt, em or %")
        }
    })
}

/// A page without a fault, into which the tests put theirs.
const PAGE: &str = r##"<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>Turn 3 &amp; after</title><style>
.note, td { color: #333333; border-left-color: #333333 } pre { white-space: pre-wrap; }
@media (prefers-color-scheme:dark) { body, #map { background-color: #111111 !important; } }
@media only screen and (max-width: 600px) { table .wide { width: 100%; } RULES }
</style></head><body style="margin: 0; font-family: 'Segoe UI', sans-serif">
<table role="presentation" width="600" style="max-width: 600px" bgcolor="#ffffff">
<tr><td align="center"><h1>Turn 3</h1><img src="cid:map.1@example.org" alt="Map" width="560">
<table><tbody><tr><th scope="col">Unit</th></tr><tr><td>1st</td></tr></tbody></table>
<pre style="white-space: pre; line-height: 1.2">a &lt; b</pre><hr>BODY
<p>Write to <a href="mailto:host@example.org?subject=Turn%203">the host</a>.<br></p>
</td></tr></table></body></html>"##;

/// Tests that a page is blamed only for the fault that is put into it.
macro_rules! blamed {
    ($($name:ident: $place:literal = $with:expr, $fault:expr;)*) => {$(
        #[test]
        fn $name() {
            let page = PAGE.replace($place, $with).replace("BODY", "").replace("RULES", "");
            let faults = faults(&page);
            assert!(faults.len() == 1 && faults[0].contains($fault), "{faults:?}");
        }
    )*};
}

blamed! {
    script: "BODY" = "<script>", "<script>";
    handler: "BODY" = "<b onclick=\"x\">a</b>", "onclick";
    unquoted: "BODY" = "<b class=x>a</b>", "without quotes";
    remote_picture: "cid:map" = "https:map", "src";
    picture_without_alt: "BODY" = "<img src=\"cid:a\" width=\"1\">", "lacks alt";
    web_link: "mailto:" = "ftp.", "href";
    address: "Map" = "see //example.org", "`//`";
    unknown_property: "BODY" = "<p style=\"float: left\">a</p>", "float";
    function: "BODY" = "<p style=\"font-size: calc(1px + 1em)\">a</p>", "function";
    negative: "BODY" = "<p style=\"margin-top: -4px\">a</p>", "less than nothing";
    unit: "BODY" = "<p style=\"font-size: 1rem\">a</p>", "unit";
    width_alone: "BODY" = "<div style=\"max-width: 9px\">a</div>", "attribute";
    spaces: "BODY" = "<div style=\"white-space: pre\">a</div>", "<pre>";
    role: "BODY" = "<div role=\"button\">a</div>", "role=";
    order_of_focus: "BODY" = "<div tabindex=\"3\">a</div>", "tabindex=";
    hidden_box: "BODY" = "<div aria-hidden=\"true\">a</div>", "aria-hidden";
    caption: "BODY" = "<caption>a</caption>", "<caption>";
    layout_table: "BODY" = "<table><tr><td>a</td></tr></table>", "role=";
    scope: "scope=\"col\"" = "", "lacks scope";
    paragraphs: "BODY" = "<p>a<div>b</div></p>", "within <p>";
    bare_row: "BODY" = "<table role=\"presentation\">a<tr><td>a</td></tr></table>", "<table>: a";
    unclosed: "BODY" = "</span>", "</span>";
    reference: "BODY" = "a & b", "`&b";
    import: "RULES" = "} @import 'x'; p {", "@import";
    font_face: "RULES" = "} @font-face { color: #000000", "@font-face";
    nested_at: "RULES" = "@media (max-width: 1px) { }", "@media";
    nested_rule: "RULES" = "p { b { } }", "rule p";
    selector: "RULES" = "a:hover { }", "a:hover";
    chain: "RULES" = ".a.b { }", ".a.b";
    large_style: "RULES" = &" ".repeat(STYLE_MAX), "style block";
    large_page: "BODY" = &"a".repeat(SIZE_MAX), "bytes";
    two_titles: "<style>" = "<title>a</title><style>", "twice";
    doctype: "<!DOCTYPE html>" = "", "begin";
    language: " lang=\"en\"" = " lang=\"\"", "lang";
    dark: "light dark" = "light", "color-scheme";
}

#[test]
fn a_good_page_has_no_fault() {
    assert_eq!(faults(&PAGE.replace("BODY", "").replace("RULES", "")), [""; 0]);
}

#[test]
fn what_a_program_drops_has_a_note() {
    for (names, _, kept, note) in PROPERTIES {
        assert_eq!(*kept == ALL, note.is_empty(), "{names}");
    }
}
