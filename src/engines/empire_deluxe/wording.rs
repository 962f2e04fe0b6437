//! Orders in words: verbs for letters, names of cities and kinds, compass words (§16).

use std::borrow::Cow;
use std::sync::LazyLock;

use super::kinds::{Class, Kind};
use super::orders::key;
use super::view::View;
use super::words;
use crate::EmpireDeluxe;
use engine::geometry::Direction;
use engine::wording::{form, frame};
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
const GO: &str = "MOVE GO SAIL FLY SEND ADVANCE MARCH TRAVEL HEAD DRIVE BRING COME SHIP PROCEED WALK \
    TRANSFER RELOCATE GEH ZIEH SCHICK MARSCHIER FAHR FAEHR FLIEG SEGEL BEWEG BRING KOMM VERLEG";

/// Verbs of an attack.
const ATTACK: &str = "ATTACK STORM ASSAULT TAKE CAPTURE CONQUER INVADE SEIZE OCCUPY STRIKE HIT BOMB \
    FIGHT RAID SINK KILL DESTROY GREIF+AN STUERM EROBER BESETZ NIMM+EIN NEHM+EIN VERSENK ZERSTOER";

/// Verbs of production.
const BUILD: &str = "PRODUCE BUILD MAKE CONSTRUCT TRAIN CREATE START SWITCH BUILT MANUFACTURE RAISE BAU \
    PRODUZIER STELL+HER MACH BILD+AUS";

/// How orders are said as sentences.
pub static SENTENCES: LazyLock<Frames> = LazyLock::new(|| {
    Frames::new(vec![
        frame(GO, "units* to|at:place 'back|home|zurueck'?", "M {units} {place}"),
        frame("", "units* to:place!", "M {units} {place}").verbless(),
        frame(GO, "units* to|at:pad&", "D {units} {pad}"),
        frame("STEP ATTACK GREIF+AN", "units* to|at:pad&", "D {units} {pad}"),
        frame("", "units* to:pad&", "D {units} {pad}").verbless(),
        frame(ATTACK, "with:units* to|at|against:place", "A {units} {place}"),
        frame("", "units* against:place!", "A {units} {place}").verbless(),
        frame("LAND LANDE SET_DOWN", "plane* to|at:place", "M {plane} {place}"),
        frame(
            "SENTRY GUARD SLEEP HOLD STAY STOP HALT WATCH DEFEND REST REMAIN BEWACH SCHLAF BLEIB HALT \
             VERTEIDIG RUH STAND_GUARD KEEP_WATCH STAND_SENTRY WACH",
            "units* at:'still|there|here|put|position|watch|guard|sentry|wache|hier|dort|stehen|home|hause'? at:here=place?",
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
            "EXPLORE SCOUT DISCOVER RECONNOITRE LOOK_AROUND ERKUND ERFORSCH ENTDECK SUCH",
            "units* 'around|map|world|land|sea|coast|karte|welt|unknown|weiter|surroundings|umgebung'?",
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
        frame("WAIT PAUSE WART", "units* for:turns~", "W {units} {turns}"),
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
        frame(
            "CHANGE SWITCH SET STELL+UM",
            "of:'production|produktion'? at|of:city*. from:from=kind? to|at:kind+#",
            "P {city} {kind}",
        ),
        frame(BUILD, "at|for|from:city*. 'nothing|none|nichts'", "P {city} NO"),
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
        frame(
            "EXPLORE ERKUND SCOUT",
            "'all|every|each|alle|alles|jede'? 'new|newly|neue|neuen' 'built|gebaute|gebauten'? \
             'units|unit|ones|einheiten|einheit' 'around|land|map|world|karte'? cradle.",
            "Z {cradle} E",
        ),
        frame(
            "EXPLORE ERKUND SCOUT",
            "'all|every|each|alle|alles|jede'? 'new|newly|neue|neuen' 'built|gebaute|gebauten'? \
             'units|unit|ones|einheiten|einheit' at|from|of:where",
            "Z {where} E",
        ),
        frame(
            GO,
            "'all|every|each|alle|alles|jede'? 'new|newly|neue|neuen' 'built|gebaute|gebauten'? \
             'units|unit|ones|einheiten|einheit' to:place cradle.",
            "Z {cradle} M {place}",
        ),
        frame(
            "SENTRY GUARD SLEEP STAY HOLD WATCH REMAIN BEWACH SCHLAF BLEIB WACH",
            "'all|every|each|alle|alles|jede'? 'new|newly|neue|neuen' 'built|gebaute|gebauten'? \
             'units|unit|ones|einheiten|einheit' at:'guard|watch|sentry|wache|city|stadt|home|hause'? \
             at:'city|stadt'? cradle.",
            "Z {cradle} S",
        ),
        frame("NAME RENAME CALL NENN TAUF BENENN+UM", "unit to|as:text", "N {unit} {text}"),
        frame("NAME RENAME CALL NENN TAUF BENENN+UM", "city to|as:text", "NC {city} {text}"),
        frame(
            "CLOSE DONE FINISH END_TURN END_MY_TURN FINISHED FERTIG",
            "'turn|zug|with'? 'now|here|everything|all|alles|it|card'?",
            "CLOSE",
        ),
    ])
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
    let Some(side) = view.world.side(view.seat) else { return names };
    for (at, name) in &side.known.names {
        names.add("place", name, view.world.ground.called(*at));
        if let Some(city) = side.known.cities.get(at) {
            names.add("city", name, city.number.to_string());
        }
    }
    for (at, city) in &side.known.cities {
        names.add("numbered", &city.number.to_string(), view.world.ground.called(*at));
        if city.owner == Some(view.seat) {
            let called = side.known.names.get(at).cloned();
            let called = called.unwrap_or_else(|| format!("city {}", city.number));
            names.add("where", &called, city.number.to_string());
            let number = city.number.to_string();
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
            let kind = german(unit.kind);
            names.also(sort, kind, number.to_string());
            names.also(sort, &format!("{kind} {number}"), number.to_string());
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
    // New units come from the one city, or from all.
    let mut own = side.known.cities.values().filter(|city| city.owner == Some(view.seat));
    let cradle = match (own.next(), own.next()) {
        (Some(city), None) => city.number.to_string(),
        _ => "ALL".to_owned(),
    };
    names.add("cradle", "my cities", cradle);
    names.add("where", "all my cities", "ALL");
    kinds_and_ways(&mut names);
    names
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
        "AR" => &["soldier", "troop", "land unit", "Soldat", "Soldaten", "Armeen"],
        "FI" => &["plane", "aeroplane", "airplane", "jet", "Flugzeug", "Flugzeuge"],
        "TR" => &["transporter", "transport ship", "Transportschiff"],
        "SU" => &["sub", "U-Boote"],
        "CA" => &["aircraft carrier", "Träger"],
        _ => &[],
    }
}
