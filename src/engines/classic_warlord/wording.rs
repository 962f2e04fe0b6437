//! Orders in words: verbs for letters, names of regions (§8).

use std::sync::LazyLock;

use super::map::Category;
use super::picture::colour;
use super::view::{Scene, View};
use crate::ClassicWarlord;
use engine::wording::{form, frame};
use engine::{Forms, Frames, Names, Words};

impl Words for ClassicWarlord {
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

/// Wishes of one line as one order.
fn joined(_: &[String], orders: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for order in orders {
        match (order.strip_prefix("S "), out.last_mut().filter(|last| last.starts_with("S "))) {
            (Some(more), Some(last)) => {
                for region in more.split_whitespace() {
                    if !last.split_whitespace().any(|known| known == region) {
                        *last = format!("{last} {region}");
                    }
                }
            }
            _ => out.push(order),
        }
    }
    // What follows a condition is closed at the end of the line.
    let conditions = out.iter().filter(|order| order.starts_with("IF ")).count();
    out.extend((0..conditions).map(|_| "FI".to_owned()));
    out
}

/// How orders are said as sentences.
pub static SENTENCES: LazyLock<Frames> = LazyLock::new(|| {
    Frames::new(vec![
        frame(
            "GUESS RATE RAT TIPP",
            "at|for|of:'all|every|each|alle|jede' at|for|of:'regions|region|numbers|number|regionen|zahlen'? secret",
            "G * {secret}",
        ),
        frame("GUESS RATE RAT TIPP", "at|for:'else|sonst|other|andere' 'regions|regionen'? secret", "G * {secret}"),
        frame(
            "GUESS GUESSES RATE RAT GERATEN TIPP SPREAD MIX DISTRIBUTE VERTEIL MISCH",
            "'be|with'? 'always|immer'? at|for:secret 'guesses|tipps|numbers|zahlen'? 'when-attacked'",
            "G * {secret}",
        ),
        frame(
            "GUESS RATE RAT TIPP",
            "at|for:secret 'whoever-attacks' at|for:own 'angreift|angreifen|ueberfaellt'? 'there|dort'?",
            "G {own} {secret}",
        ),
        frame(
            "GUESS RATE RAT TIPP",
            "'whoever-attacks' at|for:own 'angreift|angreifen|ueberfaellt'? 'there|dort'? at|for:secret",
            "G {own} {secret}",
        ),
        frame("", "'if-captured'", "IF C").verbless(),
        frame("", "'if-won'", "IF W").verbless(),
        frame("", "'if-lost'", "IF L").verbless(),
        frame(
            "",
            "secret of:'all|the'? of:'numbers|zahlen'? 'when|whenever|if|wenn' 'somebody|someone|anybody|they|jemand' 'attacks|attack|come|angreift|kommt' at|for:'me|mich'?",
            "G * {secret}",
        )
        .verbless(),
        frame(
            "NOTE RECORD LIST NOTIER MERK START CHOOSE PREFER BEGIN PICK SELECT TAKE WANT GET GIVE RESERVE LIKE CHOICE WISH FAVOURITE \
             WRITE_DOWN PUT SET SLOT ADD FANCY LOVE PUT_DOWN STICK_WITH START_OFF HAVE JOT SETZ MOECHT BEGINN FANG+AN WAEHL STARTE NIMM GIB RESERVIER WUNSCH WAHL",
            "to|at|from|with|as|for:mountain+# 'list|first|second|third|fourth|top|choice|mountain|mountains|nice|down|berg|berge|erste|ersten|zweite|dritte|liste|wunschliste|spitze|ones|des|vierte|gone'? \
             for|as:'me|first|mountain|home|start|berg'?",
            "S {mountain}",
        ),
        frame("", "at|from|with:mountain+#", "S {mountain}").verbless(),
        frame("", "first=mountain# 'before|vor|ahead' of:mountain#", "S {first} {mountain}").verbless(),
        frame(
            "FIRE LAUNCH DROP THROW USE SHOOT WIRF FEUER SCHIESS",
            "'h-bomb|hbomb|hydrogen|h-bombe' 'bomb|bombe'? from|of|at:from=own to|at|at|against:to=place",
            "H {from} {to}",
        ),
        frame(
            "FIRE LAUNCH DROP THROW USE SHOOT WIRF FEUER SCHIESS",
            "'a-bomb|abomb|atom|atomic|a-bombe|atombombe' 'bomb|bombe'? from|of|at:from=own \
             to|at|at|against:to=place to|at|with:site=own+",
            "A {from} {to} {site}",
        ),
        frame(
            "@place @guard REINFORCE ADD VERSTAERK",
            "with|of:army# 'more|extra|new|spare|neue'? to|at:place=own*",
            "P {place} {army}",
        ),
        frame("", "army# to|at:place=own*!", "P {place} {army}").verbless(),
        frame("GET GIVE GIB RECEIVE BEKOMM KRIEG ERHALT", "at:place=own* army# 'more|extra|mehr'?", "P {place} {army}"),
        frame("BEEF_UP STRENGTHEN BOLSTER SHORE_UP VERSTAERK", "at:place=own* with:army# 'more|extra|new|fresh|mehr'?", "P {place} {army}"),
        frame("FINISHED DONE FERTIG", "'turn|zug|now'?", ""),
        frame(
            "@go",
            "with|of:army# from|at|of:from=own to:to=place",
            "M {from} {to} {army}",
        ),
        frame("@go", "from|of:from=own to:to=place!", "M {from} {to} *"),
        frame("", "place=own army", "P {place} {army}").verbless(),
        frame(
            "@attack TAKE",
            "'men|armies|troops|army|leute|armeen'? from|with|of|at:from=own to|at|against:to=place 'and|und'? with|for:'number|secret|guess|zahl|nummer|geheimzahl'? with|for:secret+",
            "K {from} {to} {secret}",
        ),
        frame(
            "GUESS RATE RAT TIPP",
            "at|for:secret 'when|whenever|if|wenn' 'somebody|someone|anybody|jemand' at:own 'attacks|attack|angreift'",
            "G {own} {secret}",
        ),
        frame(
            "GUESS RATE RAT TIPP",
            "'when|whenever|if|wenn' at:own 'attacked|angegriffen' secret",
            "G {own} {secret}",
        ),
        frame(
            "GUESS RATE RAT TIPP",
            "'when|whenever|if|wenn' 'attacked|angegriffen' 'always|immer'? secret",
            "G * {secret}",
        ),
        frame("GUESS RATE RAT TIPP", "'always|everywhere|immer|ueberall' secret", "G * {secret}"),
        frame(
            "GUESS RATE RAT TIPP",
            "secret at|for:'always|everywhere|immer|ueberall'",
            "G * {secret}",
        ),
        frame("GUESS RATE RAT TIPP", "secret at|for:own", "G {own} {secret}"),
        frame(
            "GUESS RATE RAT TIPP",
            "secret 'when|whenever|if|wenn|immer|falls' 'they|he|anybody|anyone|somebody|someone|sie|er|jemand|wer' for|at|against:own 'attack|attacks|come|comes|go|goes|angreift|angreifen|kommt|kommen'?",
            "G {own} {secret}",
        ),
        frame(
            "GUESS RATE RAT TIPP",
            "secret at|for:own? 'when|whenever|if|wenn|immer|falls' foe=player 'who|that'? 'attacks|attack|comes|come|goes|angreift|kommt'? at|for:'me|it|mich|an'?",
            "G {own} P{foe} {secret}",
        ),
        frame(
            "GUESS RATE RAT TIPP",
            "at|for:secret 'when|whenever|if|wenn|immer|falls' 'anybody|anyone|somebody|someone|they|jemand|wer|mich' 'attacks|attack|comes|come|goes|angreift|kommt|jemand'? at|for:'me|mich|it|angreift'?",
            "G * {secret}",
        ),
        frame("", "secret for|at:'all|every|alle'? for:'guesses|numbers|tipps|zahlen'", "G * {secret}").verbless(),
        frame("SPREAD MIX DISTRIBUTE USE PLAY VERTEIL MISCH VERWEND", "of|for:'guesses|numbers|tipps|zahlen' secret", "G * {secret}"),
        frame(
            "GUESS RATE RAT TIPP",
            "secret at:'everywhere|ueberall|sonst' 'else'?",
            "G * {secret}",
        ),
        frame(
            "GUESS RATE RAT TIPP",
            "secret 'when|whenever|if|wenn' 'somebody|someone|anybody|they|jemand' 'attacks|attack|come|angreift|kommt' at|for:'me|mich'?",
            "G * {secret}",
        ),
        frame("GUESS RATE RAT TIPP", "at:secret", "Q {secret}"),
        frame("GUESS RATE RAT TIPP", "at:secret calm.", "G * {secret}"),
        frame(
            "PLACE PUT REINFORCE ADD DEPLOY SET STATION SETZ STELL VERSTAERK LEG PLATZIER GET GETS",
            "with|of:army~# 'extra|new|more|zusatzarmeen|zusatzarmee|neue'? of|from:of=own? 'empire|empires|reich'? to|at:place=own*",
            "P {place} {army}",
        ),
        frame("", "army~ from|at|of:from=own to:to=place!", "M {from} {to} {army}").verbless(),
        frame(
            "@guard",
            "at:own with|for:'guess|number|zahl|tipp' with:secret",
            "G {own} {secret}",
        ),
        frame(
            "@go COME",
            "with|of:army~# of|from:own 'empire|empires|reich|reichs' to|at:place=own*",
            "P {place} {army}",
        ),
        frame(
            "",
            "'guess|guesses|tipp|number|zahl|policy' at|for:own at:secret",
            "G {own} {secret}",
        )
        .verbless(),
        frame("VOTE STIMM CALL", "to:'call|make|end'? at|with|as|for:'it|this|game|spiel'? at|for|as:vote", "V {vote}"),
        frame("VOTE STIMM CONTENT ACCEPT", "for|with:vote", "V {vote}"),
        frame("", "'no-draw'", "V NODRAW").verbless(),
        frame("VOTE STIMM", "for|with:'no-draw'", "V NODRAW"),
        frame("PROPOSE OFFER WANT ZUFRIEDEN WAERE SUGGEST LIVE AGREE SCHLAG+VOR BIET+AN LEB", "with:vote 'content|happy|fine|zufrieden'?", "V {vote}"),
    ])
    .joined(joined)
});

/// Every order that can be said in words; others are written in their own form.
pub static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    Forms::new(vec![
        form("S START CHOOSE PREFER", "place+", "S {place}"),
        form("H", "from:place to:place", "H {from} {to}").called("H-bomb"),
        form("A", "from:place to:place site:place+", "A {from} {to} {site}").called("A-bomb"),
        form(
            "P PLACE PUT REINFORCE",
            "place amount / amount ARMY|ARMIES place / amount place",
            "P {place} {amount}",
        ),
        form(
            "M MOVE MARCH SEND",
            "from:place to:place amount / amount ARMY|ARMIES from:place to:place / \
             amount from:place to:place",
            "M {from} {to} {amount}",
        ),
        form(
            "K ATTACK STRIKE",
            "to:place FROM from:place secret+ / FROM from:place to:place secret+ / \
             from:place to:place secret+",
            "K {from} {to} {secret}",
        ),
        form("Q GUESS", "n", "Q {n}"),
        form("V VOTE", "vote", "V {vote}"),
    ])
});

/// Regions that have another name in German.
const GERMAN: [(&str, &str); 36] = [
    ("Bohemian Forest", "Böhmerwald"),
    ("Valais", "Wallis"),
    ("Grisons", "Graubünden"),
    ("Tyrol", "Tirol"),
    ("Crete", "Kreta"),
    ("Mount Etna", "Ätna"),
    ("Mount Etna", "Etna"),
    ("Corsica", "Korsika"),
    ("Sardinia", "Sardinien"),
    ("Sudetes", "Sudeten"),
    ("Ardennes", "Ardennen"),
    ("Cairo", "Kairo"),
    ("Athens", "Athen"),
    ("Munich", "München"),
    ("Moscow", "Moskau"),
    ("Rome", "Rom"),
    ("Warsaw", "Warschau"),
    ("Kyiv", "Kiew"),
    ("Milan", "Mailand"),
    ("Naples", "Neapel"),
    ("Venice", "Venedig"),
    ("Vienna", "Wien"),
    ("Prague", "Prag"),
    ("Brussels", "Brüssel"),
    ("Copenhagen", "Kopenhagen"),
    ("Lisbon", "Lissabon"),
    ("Dolomites", "Dolomiten"),
    ("Savoy Alps", "Savoyer Alpen"),
    ("Cologne", "Köln"),
    ("Saint Petersburg", "Sankt Petersburg"),
    ("Tell Atlas", "Tellatlas"),
    ("Bucharest", "Bukarest"),
    ("Belgrade", "Belgrad"),
    ("Thrace", "Thrakien"),
    ("Pyrenees West", "Pyrenäen West"),
    ("Pyrenees East", "Pyrenäen Ost"),
];

fn digits(word: &str) -> bool {
    !word.is_empty() && word.len() < 4 && word.bytes().all(|b| b.is_ascii_digit())
}

/// What lies around a region, and how far it is.
fn ground(names: &mut Names, view: &View) {
    let map = view.board.map().clone();
    names.ground.around(move |place| {
        let at = map.places().find(|at| map.region(*at).number.to_string() == place);
        let near: Vec<_> = at.map(|at| map.near(at).collect()).unwrap_or_default();
        near.into_iter().map(|at| map.region(at).number.to_string()).collect()
    });
    let map = view.board.map().clone();
    names.ground.sight(move |from, to| {
        let at = |code: &str| map.places().find(|at| map.region(*at).number.to_string() == code);
        let (from, to) = (at(from)?, at(to)?);
        let far = map.distances(from).get(engine::graph::Node::index(to)).copied().flatten()?;
        Some((far, 0, 0))
    });
}

/// What guesses and votes are called.
fn guesses(names: &mut Names, view: &View) {
    names.also("secret", "even", "E");
    for name in [
        "even mix",
        "evenly",
        "equally",
        "mix",
        "gleichmäßig",
        "gleichmäßig gemischt",
        "gleichmäßige Mischung",
    ] {
        names.also("secret", name, "E");
    }
    for name in ["any", "random", "randomly", "at random", "zufällig", "Zufall"] {
        names.also("secret", name, "U");
    }
    names.codes("secret", |w| matches!(w.as_bytes(), [b'1'..=b'6' | b'U' | b'E']));
    // A guess that is awaited is no policy.
    if !matches!(view.scene, Scene::Challenge(..)) {
        names.add("calm", "policy", "1");
    }
    names.add("vote", "draw", "DRAW");
    for name in ["Unentschieden", "Remis"] {
        names.also("vote", name, "DRAW");
    }
}

/// The names of the things in orders.
pub fn names(view: &View) -> Names {
    let mut names = Names::default();
    names.codes("amount", |w| digits(w) || w == "*");
    names.add("amount", "all", "*");
    names.amount("army", "army armies extra extras reinforcement reinforcements bonus_army bonus_armies Verstärkung Verstärkungen Extraarmeen additional_army additional_armies fresh_armies zusätzliche_Armee zusätzliche_Armeen extra_armies extra_army troop troops soldier soldiers man men guys Mann Armee Armeen Truppen Zusatzarmee Zusatzarmeen", None);
    names.nouns("place", "region regions Region Regionen");
    names.nouns("home", "region regions country countries Region Regionen Land Länder");
    names.nouns("own", "region regions Region Regionen");
    names.amounts.all_is("army", "*");
    names.places(&["place", "own"]);
    ground(&mut names, view);
    names.codes("place", |w| w.len() == 3 && digits(w));
    names.codes("mountain", |w| w.len() == 3 && digits(w));
    guesses(&mut names, view);
    names.nouns("mountain", "mount number Nummer");
    names.add("vote", "no draw", "NODRAW");
    let map = view.board.map();
    for place in map.places() {
        let region = map.region(place);
        let number = region.number.to_string();
        names.add("place", &region.name, number.clone());
        let german = GERMAN.iter().filter(|(name, _)| *name == region.name);
        for (_, name) in german.clone() {
            names.also("place", name, number.clone());
        }
        names.add("place", &number.clone(), number.clone());
        if matches!(view.scene, Scene::Draft(_)) {
            names.add("mountain", &region.name, number.clone());
            for (_, name) in german.clone() {
                names.also("mountain", name, number.clone());
            }
            // `all the mountains of board 2`.
            let board = number.chars().next().unwrap_or_default();
            for name in [
                "mountains board",
                "mountain board",
                "everything board",
                "Berge Brett",
                "Berge auf Brett",
                "Berge von Brett",
                "Berg auf Brett",
                "alles auf Brett",
            ] {
                if map.category(place) == Category::Mountains {
                    names.also("mountain", &format!("{name} {board}"), number.clone());
                }
            }
            if map.category(place) == Category::Mountains {
                for noun in ["mountain", "mountains", "Berg", "Berge"] {
                    names.add("mountain", noun, number.clone());
                }
            }
        }
        if view.board.owner(place) == Some(view.seat) {
            names.add("home", &region.name, number.clone());
            names.add("own", &region.name, number.clone());
            for (_, name) in german {
                names.also("own", name, number.clone());
            }
            names.also("own", &number, number.clone());
            names.amounts.held("army", number, view.board.armies(place));
        }
    }
    // Orders never name a player, but letters do.
    for seat in view.seats() {
        names.add("player", &colour(seat), seat.to_string());
    }
    names
}
