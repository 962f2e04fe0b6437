//! The echo: a player's card back, line by line, with what will come of it.

use engine::{JudgedLine, Judgement, Mark};
use mail::marker::MARKER;
use render::text::{SAFE, WIDTH, heading, para, sections};

/// What an echo is made of.
pub struct Echo<'a> {
    /// First sentence: what was done with the mail.
    pub outcome: String,
    /// Facts in lines under it: receipt, deadline.
    pub facts: Vec<String>,
    /// The orders on file, or those that were only checked.
    pub title: &'a str,
    /// The judgement of each line, and what will come of them.
    pub judgement: &'a Judgement,
    /// Digests of sealed lines.
    pub seals: Vec<String>,
    /// Sentences at the end.
    pub hints: Vec<String>,
}

impl Echo<'_> {
    /// The echo as text.
    pub fn text(&self) -> String {
        let mut out = format!("{MARKER}\n\n{}", para(&self.outcome));
        self.facts.iter().for_each(|f| out += &para(f));
        out.push('\n');
        out += &heading(self.title);
        match self.judgement.lines.is_empty() {
            true => out += "No orders.\n",
            false => self.judgement.lines.iter().for_each(|l| out += &line(l)),
        }
        out += &format!("{}\n", summary(self.judgement));
        out += &sections(&self.judgement.forecast);
        self.seals.iter().for_each(|s| out += &format!("{s}\n"));
        self.hints.iter().for_each(|h| out += &para(h));
        out
    }
}

/// One line with its mark, and its note below when it does not fit beside.
fn line(judged: &JudgedLine) -> String {
    let mark = judged.mark.as_str();
    // Control characters of a mail never reach a terminal.
    let text: String = judged.text.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    let text: String = text.chars().take(120).collect();
    let start = format!("{SAFE}{:>3}  {text}", judged.line);
    let end = match judged.note.is_empty() {
        true => mark.to_owned(),
        false => format!("{mark}: {}", judged.note),
    };
    let beside = format!("{start:<22}  {end}");
    if beside.chars().count() <= WIDTH {
        return format!("{beside}\n");
    }
    let wrapped = |text: &str, first: &str| {
        let options = textwrap::Options::new(WIDTH).initial_indent(first);
        textwrap::fill(text, options.subsequent_indent("|        "))
    };
    format!("{}\n{}\n", wrapped(&start, ""), wrapped(&end, "|        "))
}

fn summary(judgement: &Judgement) -> String {
    let count = |n: usize, what: &str| match n {
        0 => None,
        n => Some(format!("{n} {what}")),
    };
    let parts = [
        count(judgement.count(Mark::Ok), "ok"),
        count(judgement.count(Mark::Warning), "ok with a note"),
        count(judgement.count(Mark::Error), "in error"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!("\n{}.\n", parts.join(", ")) }
}
