//! What things are called in orders in words (§4 to §6): countries, seas and their people, forces,
//! players, research.

use std::sync::Arc;

use super::state::ITEMS;
use super::verbs::Arm;
use super::view::View;
use engine::Names;

/// Forces as orders count them, by what they do.
const STRIKE: [(&str, &str); 2] = [("army", "AC"), ("air", "FA")];
const GOING: [(&str, &str); 5] =
    [("army", "AT"), ("navy", "NT"), ("air", "FT"), ("missile", "MT"), ("antimissile", "XT")];
const HELPING: [(&str, &str); 3] = [("army", "AS"), ("navy", "NS"), ("air", "FS")];
const BUILDING: [(&str, &str); 6] = [
    ("army", "BA"),
    ("navy", "BN"),
    ("air", "BF"),
    ("missile", "BM"),
    ("antimissile", "BX"),
    ("industry", "BI"),
];

const HIRING: [(&str, &str); 2] = [("spy", "TS"), ("counterspy", "TC")];
const STUDIES: [(&str, &str); 6] = [
    ("army", "RA"),
    ("navy", "RN"),
    ("air", "RF"),
    ("missile", "RM"),
    ("antimissile", "RX"),
    ("industry", "RI"),
];

/// Places of the map of Europe in German.
const GERMAN: [(&str, &str); 36] = [
    ("AL", "Albanien"),
    ("AU", "Österreich"),
    ("BA", "Baltikum"),
    ("BE", "Belgien"),
    ("BU", "Bulgarien"),
    ("CY", "Zypern"),
    ("CZ", "Tschechoslowakei"),
    ("DE", "Dänemark"),
    ("FI", "Finnland"),
    ("FR", "Frankreich"),
    ("GB", "Großbritannien"),
    ("GE", "Deutschland"),
    ("GR", "Griechenland"),
    ("HU", "Ungarn"),
    ("IR", "Irland"),
    ("IT", "Italien"),
    ("LU", "Luxemburg"),
    ("NE", "Niederlande"),
    ("NO", "Norwegen"),
    ("PD", "Polen"),
    ("RO", "Rumänien"),
    ("RU", "Russland"),
    ("SP", "Spanien"),
    ("SW", "Schweden"),
    ("TU", "Türkei"),
    ("YU", "Jugoslawien"),
    ("BLA", "Schwarzes Meer"),
    ("BLA", "Schwarze Meer"),
    ("EAS", "Östliches Mittelmeer"),
    ("EAS", "Östliche Mittelmeer"),
    ("WES", "Westliches Mittelmeer"),
    ("WES", "Westliche Mittelmeer"),
    ("NTH", "Nordsee"),
    ("MID", "Atlantik"),
    ("BA", "Baltischen Staaten"),
    ("UK", "Ukraine"),
];

/// What belongs to a country, and its people.
const PEOPLE: [(&str, &str); 27] = [
    ("AL", "Albanian Albanians"),
    ("AU", "Austrian Austrians"),
    ("BA", "Baltic Balts Balten"),
    ("BE", "Belgian Belgians"),
    ("BU", "Bulgarian Bulgarians Bulgaren"),
    ("CY", "Cypriot Cypriots"),
    ("CZ", "Czech Czechs"),
    ("DE", "Danish Danes"),
    ("FI", "Finnish Finns"),
    ("FR", "French Frenchmen"),
    ("GB", "British Britons Britain"),
    ("GE", "German Germans"),
    ("GR", "Greek Greeks Griechen"),
    ("HU", "Hungarian Hungarians Ungarn"),
    ("IR", "Irish Irishmen"),
    ("IT", "Italian Italians Italiener"),
    ("NE", "Dutch Dutchmen"),
    ("NO", "Norwegian Norwegians"),
    ("PD", "Polish Poles"),
    ("RO", "Romanian Romanians Rumänen"),
    ("RU", "Russian Russians Russen"),
    ("SP", "Spanish Spaniards"),
    ("SW", "Swedish Swedes"),
    ("TU", "Turkish Turks Türken"),
    ("UK", "Ukrainian Ukrainians"),
    ("YU", "Yugoslav Yugoslavs Yugoslavian yugo"),
    ("EAS", "Eastern_Med"),
];

/// The nouns of amounts.
const NOUNS: [(&str, &str); 9] = [
    (
        "army",
        "army armies troops soldiers men dudes guys lads infantry land regiments divisions battalions corps brigades grunts Mann Division Divisionen Regimenter Leute Infanterie Armee Armeen Heer Truppen Soldaten",
    ),
    (
        "navy",
        "navy navies ship ships fleet fleets boats hulls vessels warships Marine Kriegsschiffe Boote Schiffe Schiffen Flotte Flotten",
    ),
    (
        "air",
        "air_force air_forces airforce airforces fighter_planes bomber_planes birds planes plane airplanes aeroplanes squadron squadrons aircraft air Staffel Staffeln Geschwader Flieger Fliegern Luftwaffe Flugzeuge Flugzeugen",
    ),
    ("missile", "missile missiles rockets Rakete Raketen"),
    ("antimissile", "antimissile antimissiles anti-missiles Abwehrraketen"),
    (
        "industry",
        "industry industries factory factories new_industry new_factories neue_Industrie neue_Fabriken Industrie Fabrik Fabriken",
    ),
    ("spy", "spy spies agent agents Agent Agenten Spion Spione Spionen"),
    (
        "counterspy",
        "counterspy counterspies counter-spies counter_spies Gegenspion Gegenspione Gegenspionen",
    ),
    ("dollar", "dollar dollars money cash $ bucks Geld"),
];

/// The names of things that orders use.
pub fn names(view: &View) -> Names {
    let mut names = Names::default();
    let map = &view.tables.map;
    let pools = &view.position.player;
    for (sort, nouns) in NOUNS {
        let pool = match sort {
            "dollar" => u32::try_from(pools.cents / 100).ok(),
            "spy" => u32::try_from(pools.spies / 100).ok(),
            "counterspy" => u32::try_from(pools.counterspies / 100).ok(),
            _ => None,
        };
        names.amount(sort, nouns, pool);
    }
    names.nouns("player", "player players Spieler");
    names.nouns("home", "country countries land lands Land Länder");
    names.places(&["place", "foreign", "passage", "home"]);
    let tables = Arc::clone(&view.tables);
    names.ground.around(move |place| {
        let map = &tables.map;
        let Some(at) = map.all().find(|space| map.code(*space) == place) else { return Vec::new() };
        let near = map.all().filter(|space| map.adjacent(at, *space));
        near.map(|space| map.code(space).to_owned()).collect()
    });
    let tables = Arc::clone(&view.tables);
    names.ground.sight(move |from, to| {
        let map = &tables.map;
        let at = |code: &str| map.all().find(|space| map.code(*space) == code);
        let (from, to) = (at(from)?, at(to)?);
        let all = engine::graph::distances(
            map.len(),
            [from],
            |s| map.neighbours(s).iter().copied(),
            |_, _| true,
        );
        let far = all.get(usize::from(to.0)).copied().flatten()?;
        let [east, south] = super::maps::way(map, from, to);
        Some((far, east, south))
    });
    names.amounts.mixed("strike", &STRIKE);
    names.amounts.mixed("go", &GOING);
    names.amounts.mixed("help", &HELPING);
    names.amounts.mixed("builds", &BUILDING);
    names.amounts.made_of("builds", "industry");
    names.amounts.mixed("hire", &HIRING);
    names.amounts.mixed("study", &STUDIES);
    made(&mut names, view);
    spaces(&mut names, view);
    researched(&mut names);
    players(&mut names, view);
    for home in view.position.holdings.keys() {
        names.lives_in(format!("@{}", map.code(*home)));
    }
    names
}

/// What industry makes, and how much of it one thing takes.
fn made(names: &mut Names, view: &View) {
    let pools = &view.position.player;
    for (name, code) in [
        ("army", "A"),
        ("troops", "A"),
        ("soldiers", "A"),
        ("infantry", "A"),
        ("Truppen", "A"),
        ("Armeen", "A"),
        ("ships", "N"),
        ("Schiffe", "N"),
        ("Flugzeugen", "F"),
        ("aircraft", "F"),
        ("more industry", "I"),
        ("new industry", "I"),
        ("factories", "I"),
        ("neue Industrie", "I"),
        ("navy", "N"),
        ("air force", "F"),
        ("planes", "F"),
        ("missiles", "M"),
        ("antimissiles", "X"),
        ("industry", "I"),
        ("Armee", "A"),
        ("Marine", "N"),
        ("Luftwaffe", "F"),
        ("Flugzeuge", "F"),
        ("Raketen", "M"),
        ("Industrie", "I"),
    ] {
        names.add("product", name, code);
    }
    for (sort, item) in [
        ("industry", 0),
        ("army", 1),
        ("navy", 2),
        ("air", 3),
        ("missile", 4),
        ("antimissile", 5),
        ("spy", 6),
        ("counterspy", 7),
    ] {
        names.amounts.yields(sort, u32::try_from(pools.multipliers[item]).unwrap_or(100));
    }
}

/// Countries and seas, with what the seat has there.
fn spaces(names: &mut Names, view: &View) {
    let map = &view.tables.map;
    for space in map.all() {
        let code = map.code(space);
        let others = GERMAN.iter().filter(|(known, _)| *known == code).map(|(_, name)| *name);
        let people = PEOPLE.iter().filter(|(known, _)| *known == code);
        let people = people.flat_map(|(_, words)| words.split(' ')).map(|w| w.replace('_', " "));
        let people: Vec<String> = people.collect();
        let people = people.iter().map(String::as_str);
        let german = others.clone();
        let called: Vec<&str> =
            [map.name(space), code].into_iter().chain(others).chain(people).collect();
        let own = view.position.holdings.get(&space);
        let kinds: &[&str] = match map.is_sea(space) {
            true => &["sea", "seas", "Meer", "Meere"],
            false => &["country", "countries", "Land", "Länder"],
        };
        for noun in kinds {
            names.also("place", noun, code);
        }
        names.add("place", map.name(space), code);
        names.add("place", code, code);
        for name in &called {
            names.also("place", name, code);
            match own.is_none() && !map.is_sea(space) {
                true => names.add("foreign", name, code),
                false => names.add("passage", name, code),
            }
        }
        for name in [map.name(space), code].into_iter().filter(|_| own.is_some()) {
            names.add("home", name, code);
        }
        for name in german.filter(|_| own.is_some()) {
            names.also("home", name, code);
        }
        let Some(holding) = own else { continue };
        let arms = [
            ("army", Arm::Army),
            ("navy", Arm::Navy),
            ("air", Arm::Air),
            ("industry", Arm::Industry),
        ];
        for (sort, arm) in arms {
            names.amounts.held(sort, code, u32::try_from(holding.stock(arm)).unwrap_or_default());
        }
    }
}

/// What may be researched.
fn researched(names: &mut Names) {
    for (name, code) in [
        ("army", 'A'),
        ("navy", 'N'),
        ("ship", 'N'),
        ("air", 'F'),
        ("plane", 'F'),
        ("aircraft", 'F'),
        ("missile", 'M'),
        ("industry", 'I'),
        ("industrial", 'I'),
        ("factory", 'I'),
    ] {
        for word in ["tech", "technology", "research", "multiplier"] {
            names.also("item", &format!("{name} {word}"), code.to_string());
        }
    }
    let items = ["industry", "army", "navy", "air force", "missiles", "antimissiles"];
    for (name, code) in items.iter().zip(ITEMS) {
        names.add("item", name, code.to_string());
    }
    for (name, code) in [
        ("airforce", 'F'),
        ("Armee", 'A'),
        ("Industrie", 'I'),
        ("Marine", 'N'),
        ("Luftwaffe", 'F'),
        ("Raketen", 'M'),
        ("Armeeforschung", 'A'),
        ("Industrieforschung", 'I'),
        ("Marineforschung", 'N'),
        ("Flottenforschung", 'N'),
        ("Luftwaffenforschung", 'F'),
    ] {
        names.also("item", name, code.to_string());
    }
}

/// Players, by name, number, country and people.
fn players(names: &mut Names, view: &View) {
    let map = &view.tables.map;
    // Nobody declares, gives or writes anything to oneself.
    for player in view.players.iter().filter(|player| player.seat != view.seat) {
        let number = player.seat.to_string();
        // A player who is called as a country.
        let country = map.all().find(|space| map.name(*space).eq_ignore_ascii_case(&player.name));
        let code = country.map(|space| map.code(space));
        for (_, name) in GERMAN.iter().filter(|(known, _)| Some(*known) == code) {
            names.also("player", name, number.clone());
        }
        for (_, people) in PEOPLE.iter().filter(|(known, _)| Some(*known) == code) {
            people.split(' ').for_each(|name| names.also("player", name, number.clone()));
        }
        names.add("player", &player.name, number.clone());
        names.add("player", &number.clone(), number);
    }
}
