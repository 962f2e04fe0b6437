//! The judgement of a card (§19.1): its faults, and its expected effect.

use std::collections::{BTreeMap, BTreeSet};

use engine::report::{Block, Line};
use engine::{
    CardText, Cards, JudgedLine, Judgement, MapPicture, Mark, Section, Told, Topic, press,
};

use super::check::Check;
use super::combat::{self, Attacker, Target};
use super::field::Field;
use super::forecast::{Forecast, tenths};
use super::ground::Terrain;
use super::kinds::{Class, Kind};
use super::orders::{self, Cities, Entry, Order, Task, Where};
use super::production;
use super::queue::EVEN;
use super::report;
use super::stage::Stage;
use super::state::UnitId;
use super::view::View;
use super::words;
use crate::stage::State;
use crate::{EmpireDeluxe, commands, picture};
use tongue::{count, say};

impl Cards for EmpireDeluxe {
    fn starts_order(line: &str) -> bool {
        orders::starts_order(line)
    }

    fn takes_text(line: &str) -> bool {
        // A line may hold several orders.
        line.split('/').any(|order| {
            let letters = order.trim_start().chars().take_while(|c| c.is_ascii_alphabetic());
            matches!(letters.collect::<String>().to_uppercase().as_str(), "N" | "NC")
        })
    }

    fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
        judge(view, card, ahead)
    }

    fn press(state: Option<&State>) -> bool {
        state.is_none_or(|s| s.world.options.press)
    }

    fn help(_: Option<&State>) -> Vec<Topic> {
        orders::help()
    }

    fn sketch(view: &View, card: &CardText) -> Option<MapPicture> {
        picture::sketch(view, &on_paper(view, card)?)
    }
}

/// The most lines of a forecast.
const LINES: usize = 40;

/// The most groups that a line lists.
const GROUPS: usize = 6;

/// The result of an order before anything is tried.
enum Said {
    /// The whole verdict.
    Told(Told),
    /// The units that it is for; before them a warning, and after them a remark, if there are any.
    Units(Vec<u16>, Option<String>, Option<String>),
}

/// The trial world after a card; `None` if its seat does not move now.
pub fn on_paper(view: &View, card: &CardText) -> Option<Field> {
    if !view.moves() {
        return None;
    }
    let entries = orders::read(&view.world.ground, &view.world.options, card);
    let mut judge = Judge { view, trial: Forecast::new(view), named: Vec::new() };
    entries.iter().for_each(|entry| drop(judge.entry(entry, 0)));
    judge.trial.run(&orders::named(&judge.named));
    Some(judge.trial.field)
}

/// Judges a card.
pub fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
    let entries = orders::read(&view.world.ground, &view.world.options, card);
    let mut judge = Judge { view, trial: Forecast::new(view), named: Vec::new() };
    let mut said: Vec<Said> = entries.iter().map(|entry| judge.entry(entry, ahead)).collect();
    judge.note_replaced(&entries, &mut said);
    let closes = entries.iter().any(|e| matches!(e.read, Ok(Order::Close | Order::More)));
    if ahead == 0 && view.moves() {
        judge.trial.run(&orders::named(&judge.named));
    }
    let mut told: Vec<Told> = said.into_iter().map(|s| judge.verdict(s)).collect();
    let wrong = told.iter().any(|t| t.mark == Mark::Error);
    for (entry, told) in entries.iter().zip(&mut told) {
        if wrong && matches!(entry.read, Ok(Order::Close | Order::More)) {
            *told = Told::warning(
                "wrong",
                say!(
                    "does not count, for a line is in error: send all again, or READY to play the \
                     others"
                ),
            );
        }
    }
    let mut lines: Vec<JudgedLine> = Vec::new();
    for (line, text) in &card.lines {
        let of = entries.iter().zip(&told).filter(|(e, _)| e.line == *line);
        let own = of.map(|(e, t)| judged(*line, &e.text, t));
        let before = lines.len();
        lines.extend(own);
        for entry in &entries {
            let more = entry.goes_on.iter().filter(|(l, _)| l == line);
            let told = match entry.read.is_ok() {
                true => Told::ok(say!("goes on from above")),
                false => Told::error("then", say!("goes on from above, and is not done with it")),
            };
            lines.extend(more.map(|(_, text)| judged(*line, text, &told)));
        }
        if lines.len() == before {
            lines.push(judged(*line, text, &Told::remark("")));
        }
    }
    let ready = ahead == 0 && !wrong && view.moves() && closes;
    let mut forecast = if ahead == 0 && view.moves() { judge.forecast() } else { Vec::new() };
    if ahead == 0 && view.moves() && !ready && !entries.is_empty() {
        let heading = say!("Your turn is still open");
        let text = say!(
            "This card waits for its deadline. CLOSE as its last line, or READY as an answer, \
             plays it as soon as nobody else is awaited."
        );
        forecast.insert(0, Section { heading, blocks: vec![Block::Para(text.into())] });
    }
    Judgement { lines, forecast, seals: Vec::new(), ready }
}

fn judged(line: u32, text: &str, told: &Told) -> JudgedLine {
    JudgedLine { line, text: text.to_owned(), mark: told.mark, note: told.note.clone() }
}

struct Judge<'a> {
    view: &'a View,
    trial: Forecast<'a>,
    named: Vec<u16>,
}

impl Judge<'_> {
    fn check(&self) -> Check<'_> {
        Check { field: &self.trial.field, seat: self.view.seat }
    }

    fn entry(&mut self, entry: &Entry, ahead: u32) -> Said {
        let order = match &entry.read {
            Err(told) => return Said::Told(told.clone()),
            Ok(order) => order,
        };
        if (ahead > 0 || !self.view.moves()) && !matches!(order, Order::Press(_)) {
            return Said::Told(Told::ok(say!("waits for your turn, and is judged again then")));
        }
        if let Order::Units(pick, tasks) = order {
            let meant = match self.check().units(pick, tasks) {
                Err(told) => return Said::Told(told),
                Ok(meant) => meant,
            };
            let again: Vec<u16> =
                meant.able.iter().copied().filter(|n| self.named.contains(n)).collect();
            let mut warning = Vec::new();
            if !again.is_empty() {
                warning.push(match meant.able.len() {
                    1 => say!("replaces the order above"),
                    _ => say!("replaces the order above for {units}", units = words::spans(&again)),
                });
            }
            if let Some((number, told)) = meant.unable.first() {
                let why = &told.note;
                warning.push(match meant.unable.len() - 1 {
                    0 => say!("not unit {number}: {why}"),
                    more => say!("not unit {number} and {more} more: {why}"),
                });
            }
            self.named.extend(&meant.able);
            commands::assign(&mut self.trial.field, self.view.seat, &meant.able, tasks);
            let warning = (!warning.is_empty()).then(|| warning.join("; "));
            let side = self.view.world.side(self.view.seat);
            let kind = |n: &u16| side.and_then(|s| s.units.get(n)).map(|u| u.kind);
            let aside = self.alone(meant.able.iter().filter_map(kind), tasks);
            return Said::Units(meant.able, warning, aside);
        }
        if let Err(told) = self.check().other(order) {
            return Said::Told(told);
        }
        let told = self.other(order);
        commands::command(&mut self.trial.field, self.view.seat, order);
        Said::Told(told)
    }

    /// Marks orders that a later order replaces completely or in part.
    fn note_replaced(&self, entries: &[Entry], said: &mut [Said]) {
        let mut units: BTreeSet<u16> = BTreeSet::new();
        let mut others: Vec<&Order> = Vec::new();
        let gone = || Told::warning("replaced", say!("replaced by an order below"));
        for (entry, said) in entries.iter().zip(said).rev() {
            let replaced = match (&mut *said, &entry.read) {
                (Said::Units(numbers, warning, _), _) => {
                    let (lost, kept): (Vec<u16>, Vec<u16>) =
                        numbers.iter().partition(|n| units.contains(n));
                    units.extend(&lost);
                    units.extend(&kept);
                    if !lost.is_empty() && !kept.is_empty() {
                        let lost = words::spans(&lost);
                        let lost = say!("{units}: replaced by an order below", units = lost);
                        *warning = Some(
                            warning.take().into_iter().chain([lost]).collect::<Vec<_>>().join("; "),
                        );
                    }
                    let all = kept.is_empty() && !lost.is_empty();
                    *numbers = kept;
                    all
                }
                (Said::Told(told), Ok(order)) if told.mark != Mark::Error => {
                    let all = others.iter().any(|below| self.is_for_the_same(below, order));
                    others.push(order);
                    all
                }
                _ => false,
            };
            if replaced {
                *said = Said::Told(gone());
            }
        }
    }

    /// Whether an order replaces another one.
    fn is_for_the_same(&self, one: &Order, other: &Order) -> bool {
        match (one, other) {
            (Order::Build(a, ..), Order::Build(b, ..)) => {
                let city = |place: &Where| self.check().city(*place).ok();
                city(a).is_some() && city(a) == city(b)
            }
            (Order::Rally(a, _), Order::Rally(b, _)) => a == b,
            (Order::Default(_), Order::Default(_)) => true,
            _ => false,
        }
    }

    fn other(&self, order: &Order) -> Told {
        match order {
            Order::Build(place, list, ends) => self.build(*place, list, *ends),
            Order::Rally(_, tasks) if tasks.is_empty() => Told::ok(say!("new units get no orders")),
            Order::Rally(cities, tasks) => {
                let whose = match cities {
                    Cities::One(_) => say!("for every unit that is finished there from now on"),
                    Cities::All => {
                        say!("for every unit that is finished in your cities from now on")
                    }
                    Cities::Taken => {
                        say!("for every unit that is finished in cities that you take from now on")
                    }
                };
                let foot = [self.view.world.options.edition.foot()];
                let parts: Vec<String> =
                    [whose].into_iter().chain(self.alone(foot.into_iter(), tasks)).collect();
                Told::ok(parts.join("; "))
            }
            Order::NameUnit(_, name) | Order::NameCity(_, name) => {
                let cut = commands::cut(&self.trial.field, name);
                let most = self.view.world.options.limits.name;
                match cut == *name {
                    true => Told::ok(say!("is {cut} now")),
                    false => Told::warning(
                        "cut",
                        say!("a name has at most {most} letters: is {cut} now"),
                    ),
                }
            }
            Order::Quota(_, places) => Told::ok(count!(
                places,
                "takes {places} place at most",
                "takes {places} places at most"
            )),
            Order::Default(None) => Told::ok(say!("cities that you take build nothing")),
            Order::Default(Some(kind)) => {
                Told::ok(say!("cities that you take begin with {kind}", kind = kind.localized()))
            }
            Order::Press(block) => {
                let world = &self.view.world;
                let letter = press::letter(
                    block,
                    self.view.seat,
                    world.seats(),
                    world.options.limits.letter(),
                );
                letter.map_or_else(|told| told, |(_, told)| told)
            }
            Order::Leave { computer: true } => Told::ok(say!("a computer plays on for you")),
            Order::Leave { computer: false } => Told::ok(say!(
                "your units go, your cities are nobody's, and the game is over for you"
            )),
            Order::More => match &self.view.stage {
                Stage::Sitting { part, .. } if *part < self.view.world.options.parts => {
                    Told::ok(say!("what stands above is done at once, and you go on"))
                }
                Stage::All => {
                    Told::warning("no-more", say!("all move at once: this ends your card"))
                }
                _ => Told::warning("no-more", say!("this was the last part: your turn ends here")),
            },
            Order::Close => Told::ok(say!("nothing more is waited for")),
            Order::Units(..) => Told::ok(""),
        }
    }

    /// The warning for land units that attack whatever comes next to them: a unit that meets a city
    /// alone often loses.
    fn alone(&self, mut kinds: impl Iterator<Item = Kind>, tasks: &[Task]) -> Option<String> {
        let kind = kinds.find(|kind| kind.class() == Class::Land)?;
        if !tasks.iter().any(Task::watches) {
            return None;
        }
        let attacker = Attacker { kind, damage: 0, on: Terrain::Clear };
        let city = Target::City { neutral: true, held: 0 };
        let options = &self.view.world.options;
        let odds = combat::fight(options, attacker, city, Terrain::City).odds().per_mille();
        (odds >= EVEN).then(|| {
            say!(
                "each attacks alone what comes next to it at even chances or better, also free \
                 cities: one {kind} takes a city {n} times of 100",
                kind = kind.localized(),
                n = tenths(odds)
            )
        })
    }

    fn build(&self, place: Where, list: &[Kind], ends: bool) -> Told {
        let Ok(at) = self.check().city(place) else { return Told::ok("") };
        let world = &self.trial.field.world;
        let Some(before) = world.city(at) else { return Told::ok("") };
        let mut city = before.clone();
        production::order(&mut city, list.to_vec(), ends);
        let base = production::base(world, self.view.seat);
        let comes = match city.list.first() {
            None => say!("builds nothing"),
            Some(kind) => {
                let time = production::time(world, &city, *kind, base);
                let turn = world.turn + time.saturating_sub(city.done).max(1);
                say!("{kind} in turn {turn}", kind = kind.localized())
            }
        };
        match before.done > 0 && before.list.first() != list.first() {
            true => Told::warning(
                "scrapped",
                count!(
                    turns = before.done,
                    "{turns} turn of work is lost; {comes}",
                    "{turns} turns of work are lost; {comes}"
                ),
            ),
            false => Told::ok(comes),
        }
    }

    /// The verdict on an order.
    fn verdict(&self, said: Said) -> Told {
        let (numbers, warning, aside) = match said {
            Said::Told(told) => return told,
            Said::Units(numbers, warning, aside) => (numbers, warning, aside),
        };
        // Units with the same result are listed together.
        let mut groups: Vec<(String, Vec<u16>)> = Vec::new();
        let mut mark = if warning.is_some() { Mark::Warning } else { Mark::Ok };
        for number in &numbers {
            let (weight, text) = self.trial.of(*number);
            if weight != Mark::Ok {
                mark = weight;
            }
            match groups.iter_mut().find(|(t, _)| *t == text) {
                Some((_, of)) => of.push(*number),
                None => groups.push((text, vec![*number])),
            }
        }
        let single = numbers.len() == 1;
        let mut parts: Vec<String> = warning.into_iter().collect();
        for (text, of) in groups.iter().take(GROUPS) {
            match (single, text.is_empty()) {
                (true, true) => {}
                (true, false) => parts.push(text.clone()),
                (false, true) => parts.push(say!("{units}: ordered", units = words::spans(of))),
                (false, false) => parts.push(format!("{}: {text}", words::spans(of))),
            }
        }
        if groups.len() > GROUPS {
            let rest = groups.iter().skip(GROUPS).map(|g| g.1.len()).sum::<usize>();
            parts.push(say!("and {rest} more"));
        }
        parts.extend(aside);
        Told { mark, code: if mark == Mark::Ok { "ok" } else { "but" }, note: parts.join("; ") }
    }

    /// Lists units that go on by earlier orders, and what still needs orders.
    fn forecast(&self) -> Vec<Section> {
        let mut sections = Vec::new();
        let side = self.view.world.side(self.view.seat);
        let units = side.into_iter().flat_map(|s| &s.units);
        let mut groups: BTreeMap<String, Vec<u16>> = BTreeMap::new();
        for (number, unit) in units.clone() {
            if !self.named.contains(number) && !unit.orders.is_empty() {
                let (_, text) = self.trial.of(*number);
                if !text.is_empty() {
                    groups.entry(text).or_default().push(*number);
                }
            }
        }
        let mut going: Vec<(Vec<u16>, String)> = groups.into_iter().map(|(t, n)| (n, t)).collect();
        going.sort();
        let rest = going.len().saturating_sub(LINES);
        let mut lines: Vec<Line> = going
            .iter()
            .take(LINES)
            .map(|(numbers, text)| Line::from(format!("{}: {text}.", words::spans(numbers))))
            .collect();
        if rest > 0 {
            lines.push(say!("And {rest} more.").into());
        }
        if !lines.is_empty() {
            let heading = say!("Units that go on by earlier orders");
            sections.push(Section { heading, blocks: vec![Block::List(lines)] });
        }
        // Aircraft without orders fly on until their fuel is gone.
        let gone = |n: &u16| {
            !self.named.contains(n)
                && self.trial.field.unit(UnitId { seat: self.view.seat, number: *n }).is_none()
        };
        let lost: Vec<u16> = units.map(|(number, _)| *number).filter(gone).collect();
        if !lost.is_empty() {
            let line = say!(
                "{units}: out of fuel before this card is played out.",
                units = words::spans(&lost)
            );
            let heading = say!("Will be lost");
            sections.insert(0, Section { heading, blocks: vec![Block::List(vec![line.into()])] });
        }
        let needs = report::idle(self.view, &self.trial.field, &self.named);
        if !needs.is_empty() {
            let heading = say!("Still without orders");
            sections.push(Section { heading, blocks: vec![Block::List(needs)] });
        }
        sections
    }
}
