//! Orders in words: verbs for letters, names of cities and kinds, compass words (§16).

use std::borrow::Cow;
use std::sync::LazyLock;

use super::kinds::{Class, Kind};
use super::orders::key;
use super::view::View;
use super::words;
use crate::EmpireDeluxe;
use engine::geometry::Direction;
use engine::wording::{Frame, form, frame};
use engine::{Forms, Frames, Names, Words};
use tongue::{mark, say};

impl Words for EmpireDeluxe {
    fn wording() -> &'static Forms {
        &FORMS
    }

    fn sentences() -> &'static Frames {
        &SENTENCES
    }

    fn names(view: &View) -> Names {
        names(view)
    }
}

/// Verbs of a way.
const GO: &str = "@go";

/// Verbs of an attack.
const ATTACK: &str = "@attack TAKE BOMB SINK NIMM NEHM VERSENK";

/// Verbs of production.
const BUILD: &str = "@build START SWITCH";

/// How people call the units that a city will make.
const NEWBORN: [&str; 4] = [
    "'all|every|each|alle|alles|jede'? 'new|newly|fresh|newborn|neue|neuen|next|frische' 'built|made|gebaute|gebauten'? \
     'units|unit|ones|armies|army|troops|guys|einheiten|einheit|armeen|armee|truppen|leute'",
    "'all|every|alle'? 'recruits|recruit|newcomers|newborns|rekruten|neulinge'",
    "'everything|whatever|all|alles|was' 'gets|get|is|are|comes|come|wird|kommt'? \
     from|of:'built|made|produced|out|gebaut|hergestellt|city|town|stadt' at|of|from:'city|town|stadt|it'?",
    "'all|every|each|alle|jede'? 'units|unit|army|armies|einheiten|einheit' 'city|stadt'? \
     'built|made|produced|makes|builds|produces|gebaut|baut|herstellt'",
];

/// Orders for units that a city will make: with the city, or of all.
fn newborn(rows: &mut Vec<Frame>) {
    const EXPLORE: &str =
        "@explore GO SEND WANDER_OFF SET_OUT HEAD_OUT SET_OFF GEH SCHICK ZIEH+LOS";
    const GUARD: &str = "@stay @guard SLEEP STAND KEEP SCHLAF";
    const AROUND: &str = "'exploring|explore|around|land|map|world|karte|erkundung|automatically'?";
    const FIGHT: &str = "'and|und'? 'attack|attacks|attacking|angreifen|greifen|angreift' \
         'everything|whatever|anything|what|alles|was|it'? 'they|it|comes|sie'? \
         'meet|meets|find|finds|see|next|treffen|trifft'? 'it|them|an'?";
    const POST: &str = "at|as:'guard|watch|sentry|wache|home|hause'? at:'city|town|stadt|there'?";
    let explore = ["@explore", EXPLORE];
    for new in NEWBORN {
        let mut row = |verbs: &str, more: &str, order: &str| {
            let (from, all) = ("from|of|at:where", "cradle.");
            rows.push(frame(verbs, format!("{new} {more} {all}"), format!("Z {{cradle}} {order}")));
            rows.push(frame(verbs, format!("{new} {more} {from}"), format!("Z {{where}} {order}")));
            let city = format!("{new} {more} from|of|at:city");
            rows.push(frame(verbs, city, format!("Z {{city}} {order}")));
        };
        row(explore[0], AROUND, "E");
        row(explore[1], "to:'exploring|explore|scouting|erkunden|erkundung'", "E");
        row(explore[0], &format!("{AROUND} {FIGHT}"), "E *");
        row(GO, "to|at:place 'there'?", "M {place}");
        row(GO, "to|at:place 'and|und' 'attack|attacks|greift|angreift' 'it|an'?", "A {place}");
        row(ATTACK, "to|at|against:place", "A {place}");
        row(GUARD, POST, "S");
    }
}

/// The kinds of one list of production, and the steps of one queue: orders of one line, or of two
/// that go on with each other.
fn joined(before: &[String], orders: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut last: Option<String> = before.last().cloned();
    for order in orders {
        let joined = last.as_deref().and_then(|last| one_of_two(last, &order));
        if joined.is_some() && !out.is_empty() {
            out.pop();
        }
        let order = joined.unwrap_or(order);
        last = Some(order.clone());
        out.push(order);
    }
    out
}

/// Two orders as one: `P 1 AR` and `P 1 TR`, or `M 8 3,4` and `S 8`.
fn one_of_two(first: &str, second: &str) -> Option<String> {
    let (a, b): (Vec<&str>, Vec<&str>) =
        (first.split_whitespace().collect(), second.split_whitespace().collect());
    match (&a[..], &b[..]) {
        (["P", city, kinds @ ..], ["P", other, more @ ..])
            if city == other && !kinds.contains(&"NO") && !more.contains(&"NO") =>
        {
            Some(format!("{first} {}", more.join(" ")))
        }
        (["M" | "A" | "D", units, ..], [step @ ("S" | "E"), others, more @ ..])
            if units == others =>
        {
            Some(
                [first, "THEN", step]
                    .into_iter()
                    .chain(more.iter().copied())
                    .collect::<Vec<_>>()
                    .join(" "),
            )
        }
        // Units go on.
        (["M" | "A", units, ..], [step @ ("M" | "A"), others, more @ ..]) if units == others => {
            let order = [first, "THEN", step].into_iter().chain(more.iter().copied());
            Some(order.collect::<Vec<_>>().join(" "))
        }
        (["Z", city, "M", _], ["Z", same, step @ ("S" | "E"), more @ ..]) if city == same => {
            let steps = [first, "THEN", step].into_iter().chain(more.iter().copied());
            Some(steps.collect::<Vec<_>>().join(" "))
        }
        // The same units explore, and fight.
        (["Z", ..], ["Z", ..]) if second.starts_with(first) => Some(second.to_owned()),
        _ => None,
    }
}

/// How orders are said as sentences.
pub static SENTENCES: LazyLock<Frames> = LazyLock::new(|| {
    let mut rows = vec![
        frame(
            GO,
            "units* with:'them|it|him|ihm|ihnen|ihr'? to|at:place 'back|home|zurueck'?",
            "M {units} {place}",
        ),
        frame(
            GO,
            "units* to|at:place 'and|und' 'attack|attacks|capture|captures|conquer|conquers|greift' 'it|an'?",
            "A {units} {place}",
        ),
        frame("", "units* to:place!", "M {units} {place}").verbless(),
        frame(
            GO,
            "units* 'home|back|heim|zurueck'? to|at:'city|town|stadt'? at|to:place!",
            "M {units} {place}",
        ),
        frame(GO, "units* to|at:pad&", "D {units} {pad}"),
        frame("STEP ATTACK GREIF+AN", "units* to|at:pad&", "D {units} {pad}"),
        frame("", "units* to:pad&", "D {units} {pad}").verbless(),
        frame(ATTACK, "with:units* at|against:place", "A {units} {place}"),
        frame("TAKE NIMM BRING", "units* to:place!", "M {units} {place}"),
        frame("", "units* against:place!", "A {units} {place}").verbless(),
        frame("LAND LANDE SET_DOWN", "units=plane* to|at:place", "M {units} {place}"),
        frame(
            "@stay @guard STAND SCHLAF",
            "units* at:'still|there|here|put|position|watch|guard|sentry|wache|hier|dort|stehen|home|hause'? \
             at:'there|here|dort|hier'? at:here=place?",
            "S {units}",
        ),
        frame("SLEEP GUARD SCHLAF WACH", "'there|here|dort|hier'?", ""),
        frame(
            "PUT SET PLACE LEAVE STELL SETZ",
            "units* to|at|as:'watch|guard|sentry|sentries|wache|posten'",
            "S {units}",
        ),
        frame("GARRISON", "units*", "S {units} !"),
        frame(
            "@explore SUCH",
            "units* 'around|map|world|coast|karte|welt|unknown|weiter|surroundings|umgebung'? at|from:'there|here|dort'? 'on'?",
            "E {units}",
        ),
        frame("GO SEND GEH SCHICK", "units* to:'exploring|explore|scouting|erkunden'", "E {units}"),
        frame(
            "LOAD BOARD EMBARK GO PUT GET LAD LAD+EIN STEIG+EIN VERLAD BRING",
            "units* to|at|with:'aboard|board|bord'? to|at|with|of:carrier",
            "L {units} {carrier}",
        ),
        frame(
            "UNLOAD LAND DISEMBARK LAD+AUS ENTLAD LAND+AN",
            "carrier to|at:place?",
            "U {carrier} {place}",
        ),
        frame(
            "RETURN REPAIR REFUEL RETREAT GO COME FLY SEND KEHR+ZURUECK REPARIER FLIEG+ZURUECK ZIEH+ZURUECK",
            "units* to|for|at:'base|home|repair|repairs|back|refuel|basis|heim|hause|reparatur|zurueck|nearest'",
            "R {units}",
        ),
        frame(
            "RETURN REPAIR REFUEL KEHR+ZURUECK REPARIER",
            "units* to:'base|home|back|heim'?",
            "R {units}",
        ),
        frame(
            "RETURN COME_BACK GO_BACK FLY_BACK KEHR+ZURUECK FLIEG+ZURUECK",
            "units* to|at:'nearest|next|closest|naechsten|naechste|naechster' to:'base|city|field|airfield|town|stadt|platz|flugplatz' 'and|und'? 'refuel|refuels|repair|repairs|tank|tankt|tanken'?",
            "R {units}",
        ),
        frame(
            "",
            "units* 'back|zurueck'? to|for:'base|home|basis|heim|hause|rtb|repair|refuel'",
            "R {units}",
        )
        .verbless(),
        frame("WAIT PAUSE WART", "units* for:turns~", "W {units} {turns}"),
        frame("WAKE WAKE_UP WECK WECK+AUF", "units*", "K {units}"),
        frame("FORGET CLEAR DROP VERGISS LOESCH", "of:units* 'orders|befehle'?", "K {units}"),
        frame(
            "PATROL PATROUILLIER",
            "units* to|at|from:'between'? to|at|from:place+",
            "T {units} {place}",
        ),
        frame(
            BUILD,
            "of:'production|produktion'? at|for|from|of:city*. to|with|at|of:kind+#",
            "P {city} {kind}",
        ),
        frame(
            "START BEGIN COMMENCE BEGINN",
            "with|to|at:'production|building|produktion|bau' of|with:kind+# at|for:city*.",
            "P {city} {kind}",
        ),
        frame("STOP_BUILDING STOP_MAKING STOP_PRODUCING", "kind# at|of:city*.", ""),
        frame("", "at|for|from:city*.~ kind+#", "P {city} {kind}").verbless(),
        frame("GO RETURN COME GEH KEHR+ZURUECK", "at|for:city*. to:kind+#!", "P {city} {kind}"),
        frame(
            "CHANGE SWITCH SET STELL+UM",
            "of:'production|produktion'? at|of:city*. from:from=kind!? to|at:kind+#",
            "P {city} {kind}",
        ),
        frame(BUILD, "at|for|from:city*. 'nothing|none|nichts'", "P {city} NO"),
        frame(
            BUILD,
            "'not|dont|nicht'? at|for|from|of:city*. 'anything|nichts' 'yet|noch'?",
            "P {city} NO",
        ),
        frame(
            "STOP HALT CEASE",
            "at|of:'production|producing|building|produktion' at|of|for:city*.",
            "P {city} NO",
        ),
        frame(
            BUILD,
            "at:'captured|conquered|taken|eroberte|eroberten' at:'cities|city|towns|staedte|staedten' kind",
            "PD {kind}",
        ),
        frame("CITIES_THAT_I_TAKE", "'build|make|produce' kind", "PD {kind}"),
        frame("CITIES_I_TAKE", "'build|make|produce' kind", "PD {kind}"),
        frame("@name", "unit to|as:text", "N {unit} {text}"),
        frame("@name", "city to|as:text", "NC {city} {text}"),
        frame(
            "CLOSE DONE THROUGH FINISH END END_TURN END_MY_TURN FINISHED FERTIG BEEND SCHLIESS",
            "'turn|zug|with'? 'now|here|everything|all|alles|it|card|me'?",
            "CLOSE",
        ),
        frame("", "'nothing-more'", "CLOSE").verbless(),
        frame(
            "PUT SET ADD SETZ",
            "kind+# to|at:'production|list|queue|liste|bauliste' of:'list|queue'? of|for|at:city*.",
            "P {city} {kind}",
        ),
    ];
    newborn(&mut rows);
    Frames::new(rows).joined(joined)
});

/// Every order that can be said in words; others are written in their own form.
pub static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    Forms::new(vec![
        form(
            "M MOVE GO SAIL FLY SEND ADVANCE MARCH",
            "units place / place units",
            "M {units} {place}",
        ),
        form("D STEP MOVE M GO SAIL FLY ATTACK A", "units pad&", "D {units} {pad}"),
        form(
            "A ATTACK STORM ASSAULT TAKE CAPTURE CONQUER INVADE",
            "units place / place units",
            "A {units} {place}",
        ),
        form("S SENTRY GUARD SLEEP HOLD", "units", "S {units}"),
        form("E EXPLORE SCOUT", "units", "E {units}"),
        form("L LOAD BOARD", "units unit / units ABOARD unit", "L {units} {unit}"),
        form("U UNLOAD LAND", "unit place / unit", "U {unit} {place}"),
        form("U UNLOAD LAND", "unit", "U {unit}"),
        form("R RETURN REPAIR", "units", "R {units}"),
        form("W WAIT", "units n TURN|TURNS / units n", "W {units} {n}"),
        form("K FORGET CLEAR", "units", "K {units}"),
        form("P PRODUCE BUILD MAKE", "city kind+ / kind+ city", "P {city} {kind}"),
        form("PD", "kind", "PD {kind}").called(mark!("Captured cities build")),
        form("CLOSE DONE", "/ IM / I AM", "CLOSE").called(mark!("Done")),
        form("Z", "where", "Z {where} E").called(mark!("New units explore")),
        form("CITIES", "THAT I TAKE BUILD kind / I TAKE BUILD kind", "PD {kind}"),
    ])
});

fn digits(word: &str) -> bool {
    !word.is_empty() && word.len() < 6 && word.bytes().all(|b| b.is_ascii_digit())
}

/// `13-16`, `3+9`, `ALL`.
fn are_units(word: &str) -> bool {
    let list = word.starts_with(|c: char| c.is_ascii_digit())
        && word.bytes().all(|b| b.is_ascii_digit() || b == b'-' || b == b'+');
    list || word == "ALL"
}

fn is_square(word: &str) -> bool {
    word.split_once(',').is_some_and(|(x, y)| digits(x) && digits(y))
}

/// How far squares lie from each other.
fn sight(names: &mut Names, view: &View) {
    let grid = view.world.ground.grid;
    names.ground.sight(move |from, to| {
        let at = |code: &str| {
            let (col, row) = code.split_once(',')?;
            let (col, row): (i32, i32) = (col.parse().ok()?, row.parse().ok()?);
            grid.at(col - 1, row - 1)
        };
        let (from, to) = (at(from)?, at(to)?);
        let far = u32::try_from(grid.distance(from, to)).ok()?;
        Some((far, grid.eastward(from, to), grid.row(to) - grid.row(from)))
    });
}

/// The names of the things in orders, as far as a seat knows them.
pub fn names(view: &View) -> Names {
    let mut names = Names::default();
    names.codes("units", are_units);
    names.codes("unit", digits);
    names.codes("city", digits);
    names.codes("carrier", digits);
    names.codes("plane", digits);
    names.places(&["place"]);
    names.nouns("units", "unit units force forces troop troops Einheit Einheiten Truppe Truppen u");
    names.nouns("unit", "unit Einheit");
    names.nouns("city", "city cities town towns Stadt Städte Städten");
    names.nouns("numbered", "city town Stadt");
    names.nouns("place", "square at position field Feld city Stadt");
    names.amount("turns", "turn turns round rounds day days Runde Runden Zug Züge", None);
    names.codes("place", is_square);
    names.codes("pad", |w| digits(w) && !w.contains('0'));
    names.squares("{column},{row}", &["place"]);
    sight(&mut names, view);
    let Some(side) = view.world.side(view.seat) else { return names };
    for (at, name) in &side.known.names {
        names.add("place", name, view.world.ground.called(*at));
        if let Some(city) = side.known.cities.get(at) {
            names.add("city", name, city.number.to_string());
        }
    }
    for (at, city) in &side.known.cities {
        names.add("numbered", &city.number.to_string(), view.world.ground.called(*at));
        let foreign = if city.owner == Some(view.seat) { "own city" } else { "enemy city" };
        for name in ["city", "town", "Stadt", foreign] {
            names.also("place", name, view.world.ground.called(*at));
        }
        if city.owner == Some(view.seat) {
            let called = side.known.names.get(at).cloned();
            let called = called.unwrap_or_else(|| format!("city {}", city.number));
            let number = city.number.to_string();
            names.add("where", &called, number.clone());
            names.add("city", &format!("city {number}"), number.clone());
            names.add("city", &say!("city {n}", n = number), number);
        }
        names.stands("city", city.number.to_string(), view.world.ground.called(*at));
    }
    for (number, unit) in &side.units {
        for sort in ["units", "unit"] {
            for kind in called(unit.kind) {
                names.add(sort, &kind, number.to_string());
                names.add(sort, &format!("{kind} {number}"), number.to_string());
            }
            let others = also(unit.kind).iter().filter(|name| !name.contains("heap"));
            for kind in others.copied().chain([german(unit.kind)]) {
                names.also(sort, kind, number.to_string());
                names.also(sort, &format!("{kind} {number}"), number.to_string());
            }
            names.stands(sort, number.to_string(), view.world.ground.called(unit.at));
        }
        if unit.kind.class() == Class::Air {
            for kind in called(unit.kind).iter().map(|k| &**k).chain([german(unit.kind)]) {
                names.add("plane", kind, number.to_string());
                names.add("plane", &format!("{kind} {number}"), number.to_string());
            }
        }
        if unit.kind.carries() {
            for kind in called(unit.kind).iter().map(|k| &**k).chain([german(unit.kind)]) {
                names.add("carrier", kind, number.to_string());
                names.add("carrier", &format!("{kind} {number}"), number.to_string());
            }
        }
        names.add("units", &unit.name, number.to_string());
        names.add("unit", &unit.name, number.to_string());
    }
    cradles(&mut names, view);
    kinds_and_ways(&mut names);
    names
}

/// Where new units come from.
fn cradles(names: &mut Names, view: &View) {
    let Some(side) = view.world.side(view.seat) else { return };
    // New units come from the one city, or from all.
    let mut own = side.known.cities.values().filter(|city| city.owner == Some(view.seat));
    let cradle = match (own.next(), own.next()) {
        (Some(city), None) => city.number.to_string(),
        _ => "ALL".to_owned(),
    };
    if let Some((at, _)) = side.known.cities.iter().find(|(_, c)| c.number.to_string() == cradle) {
        for name in ["city", "Stadt"] {
            names.also("place", name, view.world.ground.called(*at));
        }
    }
    names.add("cradle", "my cities", cradle);
    for name in
        ["all my cities", "all cities", "every city", "each city", "any city", "jeder Stadt"]
    {
        names.add("where", name, "ALL");
    }
}

/// What kinds of units and directions are called.
fn kinds_and_ways(names: &mut Names) {
    for kind in Kind::ALL {
        for name in called(kind) {
            names.add("kind", &name, kind.code());
        }
        names.also("kind", german(kind), kind.code());
        for name in also(kind) {
            names.also("kind", name, kind.code());
        }
        names.add("kind", kind.code(), kind.code());
    }
    for direction in Direction::ALL {
        let long: String = direction.name().chars().map(whole).collect::<Vec<_>>().concat();
        for name in [direction.name(), long.as_str(), &words::way(direction)] {
            names.add("pad", name, key(direction).to_string());
        }
    }
}

/// A kind in English, as the rulebook has it, and in the reader's language.
fn called(kind: Kind) -> [Cow<'static, str>; 2] {
    [kind.name().into(), kind.localized()]
}

/// A kind in German, whatever language the reader has.
fn german(kind: Kind) -> &'static str {
    match kind.code() {
        "AR" => "Armee",
        "AM" => "Panzer",
        "FI" => "Jäger",
        "BO" => "Bomber",
        "TR" => "Transporter",
        "DE" => "Zerstörer",
        "SU" => "U-Boot",
        "CR" => "Kreuzer",
        "CA" => "Flugzeugträger",
        "BA" => "Schlachtschiff",
        "HE" => "Hubschrauber",
        _ => kind.name(),
    }
}

fn whole(letter: char) -> &'static str {
    match letter {
        'N' => "NORTH",
        'S' => "SOUTH",
        'E' => "EAST",
        _ => "WEST",
    }
}

/// Other words for a kind.
fn also(kind: Kind) -> &'static [&'static str] {
    match kind.code() {
        "AR" => &[
            "soldier",
            "troop",
            "land unit",
            "cheapest",
            "cheapest thing",
            "cheapest unit",
            "Soldat",
            "Soldaten",
            "Armeen",
            "Billigste",
        ],
        "FI" => &[
            "plane",
            "aeroplane",
            "airplane",
            "jet",
            "fighter plane",
            "Flugzeug",
            "Flugzeuge",
            "Jagdflugzeug",
            "Jagdflugzeuge",
        ],
        "TR" => {
            &["transporter", "transport ship", "troopship", "Transportschiff", "Truppentransporter"]
        }
        "SU" => &["sub", "U-Boote", "Unterseeboot"],
        "CA" => &["aircraft carrier", "Träger"],
        _ => &[],
    }
}
