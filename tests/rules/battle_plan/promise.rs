//! Generated cards of one seat: compares the promises of their echo with the turn.

use std::collections::BTreeMap;

use battle_plan::desk::{Act, Holding, Where, item_name};
use battle_plan::diary::{Cause, Entry};
use battle_plan::event::{Event, Side};
use battle_plan::map::SpaceId;
use battle_plan::orders::{PlayerOrder, ROWS};
use battle_plan::state::{Country, ITEMS};
use battle_plan::turn::economy;
use battle_plan::verbs::{Arm, UnitOrder, Verb};
use engine::report::{Block, Line, Section, Span};
use engine::{JudgedLine, Judgement, Mark};

use super::board::*;
use super::chance::Chance;

pub const ME: u8 = 1;

/// The code of an adjacent space, one in range, or any other.
fn near(board: &Board, from: SpaceId, chance: &mut Chance) -> String {
    let map = &board.state.tables.map;
    let pool: Vec<SpaceId> = match chance.below(9) {
        0 => map.all().collect(),
        1 | 2 => map.air_range(from).iter().copied().collect(),
        _ => map.neighbours(from).to_vec(),
    };
    if pool.is_empty() { "ZZZ".to_owned() } else { map.code(*chance.of(&pool)).to_owned() }
}

fn for_the_player(board: &Board, chance: &mut Chance) -> String {
    let map = &board.state.tables.map;
    let players = board.state.players.len() as u64;
    let who = chance.below(players + 2);
    let n = 1 + chance.below(25);
    let about = SpaceId(chance.below(map.len() as u64) as u16);
    let own: Vec<SpaceId> = board.state.occupied(ME).collect();
    let code = match own.is_empty() || chance.one_in(2) {
        true => map.code(about).to_owned(),
        false => near(board, *chance.of(&own), chance),
    };
    let item = *chance.of(&["I", "A", "N", "F", "M", "X", "S", "C"]);
    match chance.below(20) {
        0 => format!("{who}A"),
        1 => format!("{who}N"),
        2 => format!("{who}E"),
        3 => format!("{who}D{n}"),
        4 => format!("{who}{}", chance.of(&["K", "X"])),
        5 => format!("{who}{}", chance.of(&["F", "H", "Z"])),
        6 => format!("{who}S{n}"),
        7 => format!("{who}C{n}"),
        8 => format!("{who}P{n}"),
        9 | 10 => format!("S{n}{code}"),
        11 => format!("C{n}{code}"),
        12 | 13 => format!("P{n}{code}"),
        14 => format!("TS{n}"),
        15 => format!("TC{n}"),
        16 => format!("R{item}{n}"),
        17 => {
            format!("B{}{}", chance.of(&["D", "I", "A", "N", "F", "M", "X"]), chance.below(101))
        }
        18 => format!("U{}", 1 + chance.below(3)),
        _ => format!("{who}{}{}", chance.of(&["G", "B", "W"]), 1 + chance.below(3)),
    }
}

fn for_a_space(board: &Board, from: SpaceId, chance: &mut Chance) -> String {
    let rows: Vec<_> = ROWS.iter().filter(|row| row.read.in_space()).collect();
    let row = chance.of(&rows);
    let n = match chance.below(4) {
        0 => 1 + chance.below(60),
        _ => 1 + chance.below(9),
    };
    let code = if row.form.ends_with('n') { String::new() } else { near(board, from, chance) };
    let standing = match chance.below(30) {
        slot @ 1..=5 => format!("/{slot}/"),
        _ => String::new(),
    };
    match chance.below(80) {
        0 => format!("/{}/", 1 + chance.below(6)),
        1 => format!("{}{code}", row.word),
        _ => format!("{standing}{}{n}{code}", row.word),
    }
}

/// A card of all kinds of orders, right and slightly wrong, one or several a line.
pub fn card(board: &Board, chance: &mut Chance) -> String {
    let map = &board.state.tables.map;
    let mut card = String::new();
    let apart = |chance: &mut Chance| if chance.one_in(3) { " " } else { "\n" };
    for _ in 0..chance.below(9) {
        card += &for_the_player(board, chance);
        card += apart(chance);
    }
    for space in map.all() {
        let held = match map.is_sea(space) {
            true => board.state.sea(space).contains_key(&ME),
            false => board.state.country(space).holder() == ME,
        };
        if !held && !chance.one_in(60) {
            continue;
        }
        card += &format!("\n@{}\n", map.code(space));
        for _ in 0..chance.below(7) {
            card += &for_a_space(board, space, chance);
            card += apart(chance);
        }
    }
    if chance.one_in(4) {
        card += "\n@\n";
        card += &for_the_player(board, chance);
    }
    card
}

/// The promises of a card, and its result.
pub struct Played<'a> {
    pub before: &'a Board,
    pub after: &'a Board,
    pub card: &'a str,
    pub judged: Judgement,
    pub faults: Vec<String>,
    pub compared: BTreeMap<&'static str, usize>,
    /// Forces that stay by the forecast: army, navy, air force, missiles, antimissiles.
    left: BTreeMap<SpaceId, Vec<i64>>,
}

fn words(line: &Line) -> String {
    let word = |span: &Span| match span {
        Span::Plain(text) | Span::Chosen(text) => text.clone(),
        _ => String::new(),
    };
    line.0.iter().map(word).collect::<String>().replace('\u{a0}', " ")
}

/// Digits of a text as numbers of hundredths.
fn hundredths(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "00"));
    let sign = if whole.starts_with('-') { -1 } else { 1 };
    Some(whole.parse::<i64>().ok()? * 100 + sign * part.parse::<i64>().ok()?)
}

/// `73 or 74`, `5 to 9`, `6`.
fn span(text: &str) -> Option<(i64, i64)> {
    let words: Vec<&str> = text.split([' ', '–']).filter(|w| *w != "or").collect();
    match words.as_slice() {
        [one] => Some((one.parse().ok()?, one.parse().ok()?)),
        [low, high] => Some((low.parse().ok()?, high.parse().ok()?)),
        _ => None,
    }
}

impl<'a> Played<'a> {
    pub fn of(before: &'a Board, after: &'a Board, card: &'a str) -> Self {
        let judged = before.judge(ME, card);
        let (faults, compared, left) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        Self { before, after, card, judged, faults, compared, left }
    }

    fn must(&mut self, kind: &'static str, holds: bool, told: impl FnOnce() -> String) {
        *self.compared.entry(kind).or_default() += 1;
        if !holds {
            self.faults.push(format!("{kind}: {}", told()));
        }
    }

    fn code(&self, space: SpaceId) -> &'a str {
        self.before.state.tables.map.code(space)
    }

    fn diary(&self) -> &'a [Entry] {
        let mine = self.after.events.iter().find_map(|e| match e {
            Event::Diary { seat, entries } if *seat == ME => Some(entries.as_slice()),
            _ => None,
        });
        mine.unwrap_or_default()
    }

    fn captured(&self, space: SpaceId) -> bool {
        self.after.events.iter().any(|e| match e {
            Event::Clash(clash) => clash.at == space && clash.captured.is_some(),
            _ => false,
        })
    }

    fn fought_in(&self, space: SpaceId) -> bool {
        self.after.events.iter().any(|e| match e {
            Event::Clash(clash) => clash.at == space,
            Event::SeaClash(clash) => clash.at == space,
            _ => false,
        })
    }

    /// All comparisons.
    pub fn compare(&mut self) {
        self.orders();
        self.trained();
        self.placed_spies();
        self.errors();
        for section in self.judged.forecast.clone() {
            self.section(&section);
        }
        self.stays();
    }

    /// Lines marked as errors change nothing.
    fn errors(&mut self) {
        let mut kept = String::new();
        for line in &self.judged.lines {
            if line.mark != Mark::Error {
                kept += &format!("{}\n", line.text);
            } else if line.text.starts_with('@') {
                // Its orders are errors too; none of them slips into the section before.
                kept += "@\n";
            }
        }
        let lean = self.before.again().turn(&[(ME, &kept)]);
        let (one, other) = (&lean.state, &self.after.state);
        let same = (&one.players, &one.countries, &one.seas)
            == (&other.players, &other.countries, &other.seas);
        self.must("errors", same, || kept);
    }

    fn section(&mut self, section: &Section) {
        for block in &section.blocks {
            match (section.heading.as_str(), block) {
                ("Forecast", Block::List(lines)) => {
                    let lines: Vec<String> = lines.iter().map(words).collect();
                    lines.iter().for_each(|line| self.sentence(line, &lines));
                    self.unsaid(&lines);
                }
                ("Battles ahead, by what you know", Block::List(lines)) => {
                    lines.iter().for_each(|line| self.battle(&words(line)));
                }
                ("Builds", Block::Table(table)) => table.rows.iter().for_each(|r| self.made(r)),
                ("Left at home", Block::Table(table)) => {
                    for row in &table.rows {
                        let n = row[1..].iter().map(|n| n.parse().expect("a number")).collect();
                        self.left.insert(self.before.id(&row[0]), n);
                    }
                }
                _ => {}
            }
        }
    }

    fn orders(&mut self) {
        let paper = self.before.paper(ME, self.card);
        let lines = self.judged.lines.clone();
        let mut said = Vec::new();
        for (line, act) in lines.iter().zip(&paper.acts) {
            if line.mark != Mark::Ok && !line.note.contains("reduced to") {
                continue;
            }
            let Some(act) = act else { continue };
            said.push((line.text.clone(), line.note.clone(), act.clone()));
        }
        for (text, note, act) in &said {
            match act {
                Act::Player(order) => self.player(text, note, order),
                Act::Unit(from, order) => self.unit(text, note, *from, order),
                Act::Standing(from, _, order) => self.filed(text, note, *from, order.as_ref()),
            }
        }
    }

    fn player(&mut self, text: &str, note: &str, order: &PlayerOrder) {
        let me = self.after.player(ME).clone();
        let told = || format!("{text}: {note}");
        let had = self.after.events.iter().any(|e| match (e, order) {
            (Event::GiftOfDollars { from, to, dollars }, PlayerOrder::Gift(p, n)) => {
                (*from, *to, *dollars) == (ME, *p, *n)
            }
            (Event::Wire { from, text, .. }, PlayerOrder::Wire(_, k, _)) => {
                *from == ME && i64::from(*text) + 1 == *k
            }
            _ => false,
        });
        match *order {
            PlayerOrder::Stance(p, stance) => self.must("stance", me.stance(p) == stance, told),
            PlayerOrder::Gift(..) => self.must("gift", had, told),
            PlayerOrder::Wire(..) => self.must("wire", had, told),
            PlayerOrder::Permit(p, yes) => {
                self.must("permit", me.permits.contains(&p) == yes, told)
            }
            PlayerOrder::Share(p, share) => self.must("share", me.share(p) == share, told),
            PlayerOrder::Option(1) => {
                self.must("option", me.compact == note.contains("numbers only"), told)
            }
            PlayerOrder::Option(_) => {
                self.must("option", me.single_list == note.contains("one list"), told)
            }
            PlayerOrder::Default(item, n) => self.must("default", me.defaults[item] == n, told),
            PlayerOrder::Opinion(p, good, place) => {
                let list = if good { me.good } else { me.bad };
                self.must("opinion", list[usize::from(place) - 1] == p, told)
            }
            _ => {}
        }
    }

    fn unit(&mut self, text: &str, note: &str, from: SpaceId, order: &UnitOrder<SpaceId>) {
        if note.contains("conditional") {
            return;
        }
        let Some(to) = order.target else { return };
        let (verb, n, arm) = (order.verb, order.n, order.verb.arm());
        let told = || format!("@{} {text}: {note}", self.before.state.tables.map.code(from));
        if verb.moves() {
            let want = Entry::Moved { from, to, arm, n, fled: false };
            self.must("move", self.diary().contains(&want), told);
        } else if verb.attacks() {
            let sent = self.diary().iter().any(|e| match e {
                Entry::Fought { from: f, at, arm: a, sent, .. } => {
                    (*f, *at, *a) == (from, to, arm) && *sent >= n
                }
                _ => false,
            });
            self.must("attack", sent, told);
        }
    }

    fn filed(&mut self, text: &str, note: &str, from: SpaceId, order: Option<&UnitOrder<SpaceId>>) {
        let slot: usize = text.split('/').nth(1).and_then(|s| s.parse().ok()).expect("a slot");
        let kept = &self.after.state.country(from).standing[slot - 1];
        let holds = self.after.state.country(from).holder() == ME;
        let code = self.code(from);
        if holds {
            self.must("standing", kept.as_ref() == order, || format!("@{code} {text}: {note}"));
        }
    }

    /// Spies and counterspies that the lines promise.
    fn trained(&mut self) {
        let paper = self.before.paper(ME, self.card);
        let mut trained = [0; 2];
        for line in &self.judged.lines {
            let made =
                line.note.split("; ").find_map(|part| part.strip_suffix(" available next turn"));
            if let Some(n) = made.and_then(|m| m.split(' ').next()).and_then(hundredths) {
                trained[usize::from(line.text.starts_with("TC"))] += n;
            }
        }
        let sum = |list: &[(Where, i64)]| list.iter().map(|(_, n)| n * 100).sum::<i64>();
        let (was, is) = (self.before.player(ME), self.after.player(ME));
        let want = [
            was.spies - sum(&paper.spies) + trained[0],
            was.counterspies - sum(&paper.counterspies) + trained[1],
        ];
        let came = [is.spies, is.counterspies];
        self.must("trained", want == came, || format!("{want:?}, came {came:?}"));
    }

    fn placed_spies(&mut self) {
        let paper = self.before.paper(ME, self.card);
        let (before, after) = (&self.before.state, &self.after.state);
        let spies = |c: &Country| c.spies.get(&ME).copied().unwrap_or(0);
        for at in before.tables.map.countries() {
            let (mut low, mut high) = (0, 0);
            for (place, n) in &paper.spies {
                match place {
                    Where::Country(c) if *c == at => (low, high) = (low + n, high + n),
                    Where::Spread(of) if before.country(at).owner == *of => {
                        let many = before.countries.iter().filter(|c| c.owner == *of).count();
                        let many = many as i64;
                        (low, high) = (low + n / many, high + (n + many - 1) / many);
                    }
                    _ => {}
                }
            }
            let caught = self.after.events.iter().map(|e| match e {
                Event::Caught { player: ME, at: a, spies } if *a == at => *spies,
                _ => 0,
            });
            let came = spies(after.country(at)) + caught.sum::<i64>() - spies(before.country(at));
            if high > 0 {
                let code = self.code(at);
                self.must("spies", (low..=high).contains(&came), || format!("{code}: {came}"));
            }
        }
    }

    /// Forces without an order to leave and without a fight stay; moves arrive.
    fn stays(&mut self) {
        const ARMS: [Arm; 5] = [Arm::Army, Arm::Navy, Arm::Air, Arm::Missile, Arm::Antimissile];
        let paper = self.before.paper(ME, self.card);
        let helps = |v: Verb| matches!(v, Verb::ArmySupport | Verb::NavySupport | Verb::AirSupport);
        for (space, holding) in self.before.view(ME).position.holdings {
            if self.fought_in(space) {
                continue;
            }
            let jobs = paper.jobs.get(&space).map_or(&[][..], Vec::as_slice);
            for (k, arm) in ARMS.into_iter().enumerate() {
                let sea = self.before.state.tables.map.is_sea(space);
                if sea && k > 2 {
                    continue;
                }
                let mine = jobs.iter().filter(|j| j.order.verb.arm() == arm);
                // Forces that find a canal shut stay; supporters where nobody fights come back
                // whole.
                let shut = self.shut(space, arm);
                let back: i64 = mine
                    .clone()
                    .filter(|j| helps(j.order.verb) && !shut.contains_key(&j.order.target))
                    .filter(|j| j.order.target.is_some_and(|t| !self.fought_in(t)))
                    .map(|j| j.order.n)
                    .sum();
                let left = self.left.get(&space).map_or(holding.stock(arm), |row| row[k]);
                let recovered = match &holding {
                    Holding::Land(c) if arm == Arm::Air => {
                        c.air_down - self.after.state.country(space).air_down
                    }
                    _ => 0,
                };
                let want =
                    left + back + shut.values().sum::<i64>() + recovered + self.arrived(space, arm);
                let came = match sea {
                    true => {
                        *self.after.state.sea(space).get(&ME).copied().unwrap_or_default().of(arm)
                    }
                    false => self.after.state.country(space).stock(arm),
                };
                let code = self.code(space);
                let told = || format!("{code} {arm:?}: {left} stay, want {want}, came {came}");
                self.must("stays", want == came, told);
            }
        }
    }

    /// Units that a shut canal kept, by where they were to go.
    fn shut(&self, space: SpaceId, arm: Arm) -> BTreeMap<Option<SpaceId>, i64> {
        let mut shut = BTreeMap::new();
        for event in &self.after.events {
            if let Event::Closed { player: ME, from, to, arm: a, n, .. } = event
                && (*from, *a) == (space, arm)
            {
                *shut.entry(Some(*to)).or_default() += n;
            }
        }
        shut
    }

    /// Units that were built there, moved there, or came home from a fight.
    fn arrived(&self, space: SpaceId, arm: Arm) -> i64 {
        let one = |entry: &Entry| match entry {
            Entry::Built { at, arm: a, n } if (*at, *a) == (space, arm) => *n,
            Entry::Moved { to, arm: a, n, .. } if (*to, *a) == (space, arm) => *n,
            Entry::Fought { from, at, arm: a, sent, lost, stay }
                if (*from, *a) == (space, arm) && at != from && arm != Arm::Missile =>
            {
                sent - lost - stay
            }
            _ => 0,
        };
        self.diary().iter().map(one).sum()
    }

    fn built(&self, space: SpaceId, arm: Arm) -> i64 {
        let one = |e: &Entry| match e {
            Entry::Built { at, arm: a, n } if (*at, *a) == (space, arm) => *n,
            _ => 0,
        };
        self.diary().iter().map(one).sum()
    }

    /// A row of builds of a country, and the limit of its industry.
    fn made(&mut self, row: &[String]) {
        let space = self.before.id(&row[0]);
        if self.captured(space) {
            return;
        }
        let (was, is) = (self.before.state.country(space), self.after.state.country(space));
        let mut made: BTreeMap<char, i64> = BTreeMap::new();
        for word in row[2..5].iter().flat_map(|w| w.split_whitespace()) {
            let letter = word.chars().next().expect("a letter");
            *made.entry(letter).or_default() += hundredths(&word[1..]).expect("a number");
        }
        for arm in Arm::ALL {
            let Some(want) = made.get(&arm.letter()) else { continue };
            let came = self.built(space, arm) * 100 + is.fractions[arm as usize];
            self.must("built", *want == came, || format!("{row:?}, came {came} of {arm:?}"));
        }
        let says = |l: &&JudgedLine| l.note.contains(" industry of ") && l.text.starts_with("BI");
        let name = format!(" industry of {} ", self.before.state.tables.map.name(space));
        let line = self.judged.lines.iter().find(|l| says(l) && l.note.contains(&name)).cloned();
        // Only industry within the limit works at once.
        let over = is.industry_down + is.industry > is.limit
            && is.industry_down + is.industry > was.industry_down + was.industry;
        if let Some(line) = line {
            let said = line.note.contains("above the limit");
            self.must("limit", said == over, || format!("{}: {} {is:?}", line.text, line.note));
        }
    }

    fn sentence(&mut self, line: &str, all: &[String]) {
        match () {
            () if line.starts_with("Dollars: ") => self.dollars(line),
            () if line.starts_with("Research") => self.researched(line),
            () if line.starts_with("HPI of ") => self.hpi(line),
            () if line.starts_with("Your propaganda lowers") => self.lowered(line),
            () if line.starts_with("Your popularity") => self.minor(line, all),
            () => {}
        }
    }

    fn dollars(&mut self, line: &str) {
        let ledger = self.after.events.iter().find_map(|e| match e {
            Event::Ledger { seat: ME, ledger } => Some(*ledger),
            _ => None,
        });
        let came = ledger.expect("a ledger").closing;
        let (before, after) = (&self.before.state, &self.after.state);
        let hands = before.countries.iter().zip(&after.countries);
        let mut changes = hands.map(|(a, b)| a.holder() != b.holder());
        let paper = self.before.paper(ME, self.card);
        let blockades = self.before.view(ME).blockades(&paper.player);
        let seen = |at: &SpaceId| {
            let (hostile, _) = economy::blockade(after, *at);
            blockades.get(at).is_some_and(|(h, _)| *h as i64 == hostile)
        };
        if changes.any(|c| c) || !after.occupied(ME).all(|at| seen(&at)) {
            return;
        }
        let sum = line.split(" = ").nth(1).and_then(|l| l.split_once(" next turn")).expect("a sum");
        let mut ends = sum.0.split('–').map(|n| hundredths(n).expect("a number"));
        let low = ends.next().expect("a number");
        let high = ends.next().unwrap_or(low);
        self.must("dollars", (low..=high).contains(&came), || format!("{line}; came {ledger:?}"));
        if low < high {
            self.must("dollars by lot", true, String::new);
        }
    }

    fn researched(&mut self, line: &str) {
        // Elsewhere how easy it is is not told.
        let Some((head, then)) = line.split_once(" to ") else { return };
        let named = |item: &usize| head.contains(&format!("raises {} from", item_name(*item)));
        let item = (0..ITEMS.len()).find(named).expect("an item");
        let (low, high) = span(then.trim_end_matches('.')).expect("a span");
        let came = self.after.player(ME).multipliers[item];
        self.must("research", (low..=high).contains(&came), || format!("{line}: {came}"));
    }

    fn causes(&self, space: SpaceId) -> BTreeMap<Cause, i64> {
        let all = self.after.events.iter().filter_map(|e| match e {
            Event::Diary { entries, .. } => Some(entries),
            _ => None,
        });
        let found = all.flatten().find_map(|e| match e {
            Entry::Popularity { at, home: true, by, .. } if *at == space => {
                Some(by.iter().copied().collect())
            }
            _ => None,
        });
        found.unwrap_or_default()
    }

    fn hpi(&mut self, line: &str) {
        let space = self.before.id(line[7..].split(':').next().expect("a code"));
        if self.after.state.country(space).owner != ME {
            return;
        }
        let by = self.causes(space);
        let sum = line.rsplit(" = ").next().map(|s| s.trim_end_matches('.')).and_then(span);
        let (low, high) = sum.expect("a sum");
        // The line below names these.
        let others = [Cause::Conquerors, Cause::Losses, Cause::Missiles, Cause::Foreign];
        let others: i64 = others.iter().filter_map(|c| by.get(c)).sum();
        let came = self.after.state.country(space).hpi - others;
        self.must("hpi", (low..=high).contains(&came), || format!("{line}: {came} {by:?}"));
    }

    /// Popularity that no line mentions.
    fn unsaid(&mut self, lines: &[String]) {
        for space in self.before.state.occupied(ME) {
            let head = format!("HPI of {}:", self.code(space));
            if !lines.iter().any(|l| l.starts_with(&head)) {
                let by = self.causes(space);
                let own = [Cause::Propaganda, Cause::Dollars, Cause::World];
                let own: i64 = own.iter().filter_map(|c| by.get(c)).sum();
                self.must("no hpi", own == 0, || format!("{head} {by:?}"));
            }
        }
        for (space, was) in self.before.state.lands() {
            let is = self.after.state.country(space);
            let said = |l: &String| l.contains(" popularity") && lists(l, self.code(space));
            if !was.is_minor() || self.captured(space) || lines.iter().any(said) {
                continue;
            }
            let own = |c: &Country| c.popularity.get(&ME).copied().unwrap_or(0);
            let (was, is) = (own(was), own(is));
            let fades = was.max(0) * 5;
            let fits = (was - (fades + 99) / 100..=was - fades / 100).contains(&is);
            if was != 0 || !fits {
                let code = self.code(space);
                self.must("no popularity", fits, || format!("{code}: {was}, came {is}"));
            }
        }
    }

    fn lowered(&mut self, line: &str) {
        let list = line.split_once(": ").expect("a list").1.trim_end_matches('.');
        for part in list.split(", ") {
            let (code, n) = part.split_once(" by ").expect("a code");
            let space = self.before.id(code);
            if self.captured(space) {
                continue;
            }
            let (low, high) = span(n).expect("a span");
            let is = -self.causes(space).get(&Cause::Foreign).copied().unwrap_or(0);
            self.must("lowered", (low..=high).contains(&is), || format!("{line}: {code} {is}"));
        }
    }

    fn minor(&mut self, line: &str, all: &[String]) {
        let (head, list) = line.rsplit_once(" in: ").expect("a list");
        let (low, high) = head.rsplit(" = ").next().and_then(span).expect("a span");
        for code in list.trim_end_matches('.').split(", ") {
            let space = self.before.id(code);
            let loses = |l: &String| l.starts_with("Each unit lost abroad") && lists(l, code);
            if self.captured(space) || all.iter().any(loses) {
                continue;
            }
            let country = self.after.state.country(space);
            let came = country.popularity.get(&ME).copied().unwrap_or(0);
            self.must("popularity", (low..=high).contains(&came), || format!("{line}: {came}"));
        }
    }

    /// The numbers that meet, and the winner if nothing fights before the armies.
    fn battle(&mut self, line: &str) {
        let map = &self.before.state.tables.map;
        let called = |s: &SpaceId| format!("{} (", map.name(*s));
        let space = map.countries().find(|s| line.starts_with(&called(s)));
        let space = space.unwrap_or_else(|| panic!("no country: {line}"));
        let clash = self.after.clash(map.code(space)).clone();
        let sum = |count: fn(&Side) -> i64| clash.attackers.iter().map(count).sum::<i64>();
        let (a, d) = (sum(|s| s.army.sent), clash.home.army.sent);
        let empty = d == 0 && line.contains("no army is there now");
        let said = format!("{a} attack {d}: ");
        self.must("battle", empty || line.contains(&said), || format!("{line}; {a} against {d}"));
        let others = sum(|s| s.air.sent + s.navy.sent + s.missiles.sent);
        let home = clash.home.air.sent + clash.home.navy.sent;
        let Some((_, words)) = line.split_once(&said).filter(|_| others + home == 0) else {
            return;
        };
        let told = || format!("{line}; {clash:?}");
        let lost = |n: i64| (a.min(d) > 0).then_some(n);
        let (ours, theirs) = (lost(sum(|s| s.army.lost)), lost(clash.home.army.lost));
        let about = |behind: &str| -> Option<i64> {
            words.split_once(behind)?.1.split('.').next()?.parse().ok()
        };
        let near = |said: Option<i64>, n: Option<i64>| {
            said.zip(n).is_some_and(|(said, n)| (said..=said + 1).contains(&n))
        };
        let fits = match () {
            () if words.starts_with("the attackers win") => near(about("lose about "), ours),
            () if words.contains("the defenders lose") => near(about("lose about "), theirs),
            () => theirs.is_some_and(|n| (d - 1..=d).contains(&n)),
        };
        self.must("outcome", fits, told);
    }
}

/// Whether a line ends in a list with this code.
fn lists(line: &str, code: &str) -> bool {
    let list = line.rsplit_once(" in: ").map_or("", |(_, list)| list.trim_end_matches('.'));
    list.split(", ").any(|c| c == code)
}
