//! What events hold of sentences, said again in the reader's language.
//!
//! A step runs outside of any language: the sentences that its events hold are English, and stay
//! so, for the journal has a hash of them. A reader of another language gets them by way of the
//! sentences that they were made from: what fits one of them is taken apart at its slots, and
//! said again. A test compares the list here with the sources of a step. What a slot holds is
//! told by its name; see `fits`.

use std::borrow::Cow;

use super::kinds::Side;
use super::words::joined;

/// A sentence as it is written for one and for several; most are the same for both.
pub struct Tale {
    /// The slot that counts; none of a sentence that counts nothing.
    number: &'static str,
    /// For one.
    pub one: &'static str,
    /// For several.
    pub other: &'static str,
}

macro_rules! tales {
    (@say $text:literal) => {
        Tale { number: "", one: $text, other: $text }
    };
    (@count $number:ident, both: $text:literal) => {
        Tale { number: stringify!($number), one: $text, other: $text }
    };
    (@count $number:ident, $one:literal, $other:literal) => {
        Tale { number: stringify!($number), one: $one, other: $other }
    };
    ($($how:ident!($($text:tt)+)),+ $(,)?) => {
        &[$(tales!(@$how $($text)+)),+]
    };
}

/// The sentences of a step, in the order of its sources; what fits many comes last.
pub const TALES: &[Tale] = tales![
    say!("you have no fleet {fleet}"),
    say!("fleet {fleet} is in {at}, and the block activates {system}"),
    say!("fleet {fleet} is in open space"),
    say!("{unit} is no ship of a fleet"),
    say!("{unit} is not in a fleet in {system}"),
    say!("fleet {fleet} can't move: {unit} has moved in this segment"),
    say!("it is peace"),
    say!("Peace Talks this turn: nobody attacks"),
    say!("{planet} is not in {system}, which the block activates"),
    say!("you have no {unit}"),
    say!("that is one fleet"),
    say!("no ships of yours in {system}"),
    say!("no enemy ships to engage in {system}"),
    say!("NF goes with K of the same block"),
    say!("no way leads from {from} to {to}"),
    say!("no route {from}–{to}"),
    say!("fleet {fleet} makes {jumps} jumps (damaged {unit}), {long} ordered"),
    say!("fleet {fleet} makes {jumps} jumps ({unit}), {long} ordered"),
    say!("it is peace: {system} holds enemies"),
    say!("Peace Talks this turn: enemy units are in {system}"),
    say!("you have a fleet {new} already; {free} is free"),
    say!("you have a fleet {new} already"),
    say!("monitors stay in their box"),
    say!("{unit} is no ship of fleet {fleet}"),
    say!("{unit} sails by itself"),
    say!("PD stays on a disputed planet"),
    say!("{planet} is disputed: V {unit} {carrier} evacuates"),
    say!("{unit} is not on a planet in {system}"),
    say!("{ship} carries fighters alone"),
    say!("{ship} carries nothing; TR, AT, CV and BB do"),
    say!("{ship} carries {units}"),
    say!("nothing is aboard {carrier}"),
    say!("PD stays on a disputed planet, and can't come to one"),
    say!("{planet} has a World already"),
    say!("{planet} has a Outpost already"),
    say!("the enemy is on {planet}"),
    say!("the enemy is on {planet}: K {planet} attacks it"),
    say!("{ground} takes {types}"),
    say!("the box of {planet} holds {most} units at most"),
    say!("nothing to attack on {planet}"),
    say!("disputed planets are not bombarded"),
    say!("bombardment needs 3 torpedo factors, there are {factors}"),
    say!("a fleet cannot move and attack a planet in one segment"),
    say!("H goes with K of the same block, below it"),
    say!("{unit} can't invade; RT, JT and F can"),
    say!("{unit} is neither aboard a ship in {system} nor on {planet}"),
    count!(most, "{kind} move up to {most} hex", "{kind} move up to {most} hexes"),
    say!("hexes {a} and {b} don't touch"),
    say!("{unit} is on no disputed planet in {system}; L loads from others"),
    say!("open-space moves start in segment 1"),
    say!("fleet {fleet} is not in open space"),
    say!("fleet {fleet} is in {at}"),
    say!("in {to} at once"),
    count!(
        turns,
        "{hexes} hexes, one a turn: in {to} in {turns} turn",
        "{hexes} hexes, one a turn: in {to} in {turns} turns"
    ),
    say!("{whose} shipyards build no {kind}"),
    say!("no Dreadnoughts before a Terran Battleship has been destroyed"),
    say!("{kind} needs the Emperor's permission (appeal)"),
    say!("all {count} {kind} are in being or ordered"),
    say!("{n} {kind} cost {cost}, you have {stock}"),
    count!(
        turns,
        "{built} for {cost}, due in {turns} turn; {stock} left",
        "{built} for {cost}, due in {turns} turns; {stock} left"
    ),
    say!("{n} {kind} cost {cost}, you have {stock}: {note}"),
    say!("only {left} counters are left: {note}"),
    say!("only N1 and N2 planets are terraformed"),
    say!("terraforming needs a connected Outpost of yours on {planet}"),
    say!("{planet} becomes {ground}"),
    say!("{paid} of {turns} turns are paid"),
    say!("Outposts become Worlds in peace only"),
    say!("only on A planets an Outpost becomes a World"),
    say!("you have no Outpost on {planet}"),
    say!("{planet} becomes a World"),
    say!("{planet} was paid for this turn; each turn counts once"),
    say!("it costs {cost}, you have {stock}"),
    say!("you have no World; arrivals wait"),
    say!("arrivals go to your Worlds: {worlds}"),
    say!("an Outpost arrives aboard an empty TR or AT"),
    say!("the box of {planet} is full"),
    say!("{unit} is not in the system of a World of yours"),
    say!("arrivals may go aboard TR and AT"),
    say!("{first} and {last}"),
    count!(
        n,
        "{world} has its unit; {joined} comes first",
        "{world} has its unit; {joined} come first"
    ),
    say!("{unit} joins fleet {fleet} at {at}"),
    say!("{unit} aboard {carrier}"),
    say!("{unit} on {planet}"),
    say!("fleet {fleet} is not in {at}"),
    say!("{unit} is not among this turn's arrivals"),
    say!("no {kind} arrives this turn"),
    say!("{planet} is no World or Outpost of yours"),
    say!("an Outpost goes aboard an empty TR or AT"),
    say!("{unit} is no cargo"),
    say!("{unit} in fleet {fleet}"),
    say!("{unit} is not damaged"),
    say!("{unit} is not in the box of a World or Outpost of yours"),
    say!("{unit} is on a disputed planet"),
    say!("{unit} is at no World or Outpost of yours, and with no AR"),
    say!("{unit} is no ship"),
    say!("{unit} is at no World or Outpost of yours"),
    say!("two fighters or two monitors become one"),
    say!("{a} and {b} are not both reduced"),
    say!("{a} and {b} are not at one place"),
    say!(
        "Maintenance: ships {ships}, ground units {ground}; {stock} from the stockpile. \
         Everybody is maintained."
    ),
    count!(
        n,
        both: "Maintenance: ships {ships}, ground units {ground}; {stock} from the stockpile. {n} go \
         without."
    ),
    say!("{unit} is not maintained, die {n} against {m}: holds out."),
    say!("{unit} is not maintained, die {n} against {m}: damaged."),
    say!("{unit} is not maintained, die {n} against {m}: lost."),
    say!("{unit} is not maintained, die {n} against {m}: stays damaged."),
    say!("{ship} has no room for {unit}."),
    say!("{unit} is not paid, die {n}: reduced."),
    say!("{unit} is not paid, die {n}: holds out."),
    say!("{unit} is scrapped for {value}."),
    say!("Not scrapped: {note}."),
    say!("Not repaired: {note}."),
    say!("{a} and {b} are {a} now."),
    say!("Not combined: {note}."),
    say!("{unit} costs {cost}, you have {stock}"),
    say!("{unit} is repaired for {cost}."),
    say!("the region"),
    say!("increases of the budget"),
    count!(n, "{n} World", "{n} Worlds"),
    count!(n, "{n} connected World", "{n} connected Worlds"),
    count!(n, "{n} unconnected World", "{n} unconnected Worlds"),
    count!(n, "{n} connected Outpost", "{n} connected Outposts"),
    say!("an economic boom"),
    say!("the depression"),
    say!("{n} for {note}"),
    say!("{whose} income {total}: {parts}. The stockpile is {stock}."),
    say!("Due this turn: {units}."),
    say!("Imperial Intervention {a} + {b} = {roll}"),
    say!(
        "{head}: Imperial Succession, die {n}: civil war, all Imperial initiative dice lose 1 \
         this turn."
    ),
    say!("{head}: Imperial Succession, die {n}: it passes without civil war."),
    say!("{head}: Frontier Crisis, die {n}: the Imperial side sends nothing away for three turns."),
    say!("{head}: Frontier Crisis, die {n}: the Imperial side sends {types} away for three turns."),
    say!("Sent away: {units}."),
    say!(
        "{head}: Imperial Visit, die {n} with the 1. While its forces remain, Glory gains count \
         double and losses triple."
    ),
    say!(
        "{head}: Recentralization. Permissions to build CR, CA, B1, B2 and BB are revoked; \
         {back} Resources come back for battleships that are cancelled."
    ),
    say!("{head}: Economic Depression. The Imperial income is lower for {n} turns."),
    say!("{head}: Economic Boom."),
    say!("{head}: Mandated Offensive, die {n}."),
    say!("{head}: Token Reinforcements."),
    say!("{head}: Imperial Reinforcements, die {n}."),
    say!("{head}: Peace Talks. This turn nobody attacks or enters systems with enemy units."),
    say!("{head}: no event."),
    say!("No Imperial home world is left to send forces to."),
    say!("The counters for these forces are all in play; none come."),
    say!("Forces arrive on loan at {called}: {types}."),
    say!("They are fleet {fleet}: {units}."),
    say!("Your appeal is not heard: no further appeals in this war."),
    say!("Imperial appeal for forces, {a} + {b} = {roll}"),
    say!("Imperial appeal for finances, {a} + {b} = {roll}"),
    say!("an appeal"),
    say!("{head}: further appeals are prohibited."),
    say!("{head}: no result."),
    say!("{head}: granted."),
    say!("{head}: {types} may be built."),
    say!("{head}: {n} Resources."),
    say!("{head}: the budget rises by {n}."),
    say!("Glory did not rise: {types} on loan leave."),
    say!("{unit} finds no hex without defenders"),
    say!("{unit}, hex {hex}: only fighters and jump troops from AT land among defenders"),
    say!("hex {hex} holds five units already"),
    say!("K {planet}: enemy ships are in {system}; E engages them"),
    say!("{unit} does not land: enemy ships are in {system}"),
    say!("terraformed {planet} bombarded"),
    say!("{who} captures the {whose} World on {planet}."),
    say!("{who} captures the {whose} Outpost on {planet}."),
    say!("Terran Outpost {planet} captured"),
    say!("Terran World {planet} captured"),
    say!("Imperial Outpost {planet} lost"),
    say!("Imperial World {planet} lost"),
    say!("Placed by the robot: {units}."),
    say!("Line {line}: {note}."),
    say!("{who} halts the segment."),
    say!("Your line {line} halted it."),
    say!("evacuation is for a later activation"),
    say!("one engagement an activation"),
    say!("one planet an activation"),
    say!("{whose} Outpost on {planet}."),
    say!("{order}: done."),
    say!("major {whose} victory at {at}"),
    say!("major {whose} victory"),
    say!("{whose} scouts at {called}, {dice} = {roll}: undetected, all there is seen."),
    say!("{whose} scouts at {called}, {dice} = {roll}: detected."),
    say!("Fleet {fleet} turns round for {system}."),
    say!("{whose} fleet {fleet} leaves {from} for open space."),
    say!("Fleet {fleet} is bound for {to}."),
    say!("Peace is over: war {war} begins."),
    say!("The war is over: {whose} victory, Glory {glory}."),
    say!("The war is over: a truce, Glory {glory}."),
    say!("The campaign is over: {who} holds the enemy's homes."),
    say!("Turns of peace: {a} + {b} + {c} = {turns}."),
    say!("Peace dividend: the {whose} stockpile of {had} is spent."),
    say!("Forces on loan return to the Emperor: {units}."),
    say!("{planet} is disputed, and nobody's now."),
    say!("The {whose} Outpost on {planet} is cut off and given up."),
    say!("{whose} ships and troops return to {called}."),
    say!("{planet} has hexes 1–{n}"),
    say!("{order}: {note}"),
];

/// A sentence of an event in the reader's language.
pub fn retold(english: &str) -> Cow<'_, str> {
    if tongue::now().is_none() {
        return Cow::Borrowed(english);
    }
    let again = TALES.iter().find_map(|tale| tale.again(english));
    again.map_or(Cow::Borrowed(english), Cow::Owned)
}

impl Tale {
    /// The sentence again, if it is this one.
    fn again(&self, english: &str) -> Option<String> {
        let one = read(self.one, english);
        let is_one = one.is_some();
        let slots = one.or_else(|| read(self.other, english))?;
        let number = slots.iter().find(|s| s.0 == self.number).and_then(|s| s.1.parse().ok());
        let template = match self.number {
            "" => tongue::template(self.other)?,
            _ => tongue::counted(self.other, number.unwrap_or(if is_one { 1 } else { 2 }))?,
        };
        let slots: Vec<(&str, String)> =
            slots.into_iter().map(|(slot, text)| (slot, filled(slot, text))).collect();
        Some(template.fill(&slots))
    }
}

/// What stands in the slots of a sentence; `None`: the text is another one.
pub fn read<'a>(sentence: &'a str, text: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let Some((plain, rest)) = sentence.split_once('{') else {
        return (sentence == text).then(Vec::new);
    };
    let text = text.strip_prefix(plain)?;
    let (slot, rest) = rest.split_once('}')?;
    let next = rest.split('{').next().unwrap_or_default();
    let ends = text.match_indices(next).map(|(at, _)| at).filter(|_| !next.is_empty());
    ends.chain([text.len()]).find_map(|end| {
        let (inside, behind) = text.split_at(end);
        let mut slots = read(rest, behind).filter(|_| fits(slot, inside))?;
        slots.push((slot, inside));
        Some(slots)
    })
}

/// Whether a text can stand in a slot of this name.
fn fits(slot: &str, text: &str) -> bool {
    match slot {
        "who" | "whose" => Side::BOTH.iter().any(|side| side.name() == text),
        // A name of the map, more sentences, sums and lists of them.
        "called" | "head" | "note" | "parts" | "joined" => !text.is_empty(),
        // Codes and numbers.
        _ => !text.is_empty() && !text.contains(char::is_lowercase),
    }
}

/// What stands in a slot, in the reader's language.
fn filled(slot: &str, text: &str) -> String {
    let side = Side::BOTH.into_iter().find(|side| side.name() == text);
    match (slot, side) {
        ("who", Some(side)) => side.who(),
        ("whose", Some(side)) => side.whose(),
        ("head" | "note", _) => retold(text).into_owned(),
        ("parts", _) => {
            let plus = |sum: &str| sum.split(" - ").map(retold).collect::<Vec<_>>().join(" - ");
            text.split(" + ").map(plus).collect::<Vec<_>>().join(" + ")
        }
        ("joined", _) => joined(text.split(" and ").map(str::to_owned)),
        _ => text.to_owned(),
    }
}
