//! Messages, news and fixed texts (§17, §20.2).

use super::super::state::NOBODY;
use super::super::variants::Messages;
use super::{Desk, Letter, Verdict, Wire, refuse, text_of};
use engine::Told;
use engine::press::{self, Addressee, Block};
use tongue::say;

/// The most messages that a card sends at once; a message counts once for each named receiver.
const AT_ONCE_MAX: usize = 10;

/// Messages and news (§17).
pub(super) fn press(desk: &mut Desk, block: &Block) -> Verdict {
    let (figures, variant) = (&desk.facts.tables.figures.messages, &desk.facts.tables.variant);
    let anonymous = block.opening.anonymous;
    let news = block.opening.to == Addressee::News;
    if variant.messages == Messages::Canned {
        return refuse("E29", say!("only fixed texts can be sent in this game, such as 3W1"));
    }
    if news && !variant.news {
        return refuse("E29", say!("this variant has no newspaper"));
    }
    if let Addressee::Named(name) = &block.opening.to {
        return refuse("E09", press::nobody(name));
    }
    if let Addressee::Seats(seats) = &block.opening.to {
        for seat in seats {
            let seat = u8::try_from(*seat).unwrap_or(u8::MAX);
            desk.other_player(seat)?;
        }
    }
    if news && desk.paper.news.is_some() {
        return Err(Told::warning("W36", say!("dropped: one item a turn is printed")));
    }
    let (lines, columns) = match news {
        true => (figures.news_lines, figures.news_columns),
        false => (figures.lines, figures.columns),
    };
    let named = match anonymous {
        true => say!("without your name"),
        false => say!("with your number"),
    };
    let Some(fit) = press::fit(block, lines, columns, &named) else {
        return refuse("E03", say!("there is no text between this line and END"));
    };
    let text = fit.text;
    let letter = Letter { to: block.opening.to.clone(), anonymous, text };
    let at_once = desk.facts.tables.letters_at_once && matches!(letter.to, Addressee::Seats(_));
    if at_once {
        let of = |letter: &Letter| match &letter.to {
            Addressee::Seats(seats) => seats.len(),
            _ => 0,
        };
        if desk.paper.letters.iter().map(of).sum::<usize>() + of(&letter) > AT_ONCE_MAX {
            let why = say!(
                "{AT_ONCE_MAX} letters of a card go at once, one to each who is named; write \
                 fewer, or PRESS ALL"
            );
            return refuse("E29", why);
        }
    }
    let note = match at_once {
        true => say!("{note}; it goes at once", note = fit.note),
        false => fit.note,
    };
    match news {
        true => desk.paper.news = Some(letter),
        false => desk.paper.letters.push(letter),
    }
    Ok(match fit.whole {
        true => Told::ok(note),
        false => Told::warning("W36", note),
    })
}

/// Sends fixed text `k`, from 1 (§20.2).
pub(super) fn wire(desk: &mut Desk, p: u8, k: i64, code: Option<&str>) -> Verdict {
    let tables = desk.facts.tables;
    if tables.variant.messages == Messages::Free {
        let text = say!("fixed texts are for anonymous games; write PRESS and END here");
        return refuse("E29", text);
    }
    let p = if p == NOBODY { p } else { desk.other_player(p)? };
    let (texts, most) = (&tables.canned, tables.figures.messages.canned_a_turn);
    let number = usize::try_from(k).ok().filter(|k| (1..=texts.len()).contains(k));
    let Some(number) = number else {
        let text = say!("there is no text {k}; they are 1 to {last}", last = texts.len());
        return refuse("E33", text);
    };
    if desk.paper.wires.len() >= most {
        return refuse("E33", say!("{most} texts may be sent a turn"));
    }
    let about = texts[number - 1].contains("XXX");
    let space = match (about, code) {
        (true, None) => {
            return refuse("E33", say!("text {k} needs a space code: {p}W{k}XXX"));
        }
        (true, Some(code)) => Some(desk.find(code)?),
        (false, _) => None,
    };
    desk.paper.wires.push(Wire { to: p, text: number - 1, space });
    Ok(Told::ok(text_of(tables, number - 1, space)))
}
