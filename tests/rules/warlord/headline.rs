//! §10: the first sentences of a printout.

use std::sync::Arc;

use engine::report::Line;
use engine::trial::{Trial, TrialOf};
use engine::{Headlines, Printouts, Rules, Seat, Setup};
use render::text::flat;
use warlord::Warlord;
use warlord::bases::Planes;
use warlord::events::{Event, Happening};
use warlord::state::{Billet, Goal, State, Target, Victory};
use warlord::tables::Terrain;

use super::board::*;
use super::told::{self, Court, Kind, fit, lines};

fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|l| flat(l).replace('\u{a0}', " ")).collect()
}

impl Board {
    /// The sentences that a seat reads first.
    fn first(&self, seat: u8) -> Vec<String> {
        texts(&Warlord::headline(&self.view(seat)).sentences)
    }

    /// Makes sure that nobody is about to win, which would be news.
    fn long(mut self) -> Self {
        Arc::make_mut(&mut self.state.tables).rules.victory.leader_percent = 100;
        self
    }

    fn needs(&self, seat: u8) -> Vec<String> {
        texts(&Warlord::headline(&self.view(seat)).needs)
    }

    fn chronicle(&self) -> Vec<String> {
        texts(&Warlord::chronicle(&self.state, &self.events))
    }
}

/// Two cities of player 2 beside armies of player 1, and a far corner.
fn two_sieges() -> Board {
    let drawing = "~~~~~~~~~~
                   ~AC....DB~
                   ~........~
                   ~F..E....~
                   ~~~~~~~~~~";
    Board::new(3, drawing)
        .city(1, 2, 'C')
        .city(2, 2, 'D')
        .city(3, 2, 'E')
        .city(4, 3, 'F')
        .unit(1, 1, (8, INFANTRY), 'A')
        .unit(1, 2, (8, INFANTRY), 'B')
        .long()
}

#[test]
fn a_lost_city_comes_first_and_cities_lost_to_one_power_share_a_sentence() {
    let mut board = two_sieges();
    board.play(&[(1, "M 1 3\nM 2 7")]);
    let lost = "You lost CITY 1 (00302) and CITY 2 (00802) to player 1.";
    assert_eq!(board.first(2)[0], lost);
    assert_eq!(board.first(1)[0], "You took CITY 1 (00302) and CITY 2 (00802) from player 2.");
    let told = "Player 1 took CITY 1 (00302) and CITY 2 (00802) from player 2.";
    assert_eq!(board.chronicle()[0], told);
    // Player 3 has nothing to do with it.
    assert!(board.first(3).iter().all(|s| !s.contains("CITY")), "{:?}", board.first(3));
}

#[test]
fn destroyed_forces_are_told_to_both_with_place_and_number() {
    let drawing = "~~~~~~
                   ~AD.H~
                   ~...K~
                   ~~~~~~";
    let mut board = Board::new(2, drawing).city(1, 2, 'H').city(2, 1, 'K').long();
    board = board.unit(1, 1, (40, INFANTRY), 'A').unit(2, 1, (3, INFANTRY), 'D');
    board.play(&[(1, "M 1 3")]);
    let (own, other) = (board.first(2), board.first(1));
    assert!(own[0].starts_with("Player 1 destroyed your 3 Infantry at 00302"), "{own:?}");
    assert!(
        other[0].starts_with("Your unit 1 destroyed 3 Infantry of player 2 at 00302"),
        "{other:?}"
    );
    // Only their owner sees unit numbers.
    assert!(own.iter().all(|s| !s.contains("unit 1")), "{own:?}");
    assert!(board.chronicle().iter().any(|s| s.starts_with("Player 1 destroyed 3 Infantry")));
    // They met for the first time.
    assert!(own.contains(&"You met player 1 for the first time.".to_owned()), "{own:?}");
}

#[test]
fn the_first_turn_says_who_one_is_and_what_comes_first() {
    let drawing = "~~~~~~~~
                   ~C...F.~
                   ~......~
                   ~~~~~~~~";
    let mut board = Board::new(2, drawing).city(1, 1, 'C').city(2, 0, 'F').stock(1, 20);
    board = board.unit(1, 1, (5, INFANTRY), 'C').general(1, 0, Billet::City(1));
    let first = board.first(1);
    assert_eq!(first.len(), 3, "{first:?}");
    assert_eq!(first[0], "You are player 1 of 2; your empire begins in CITY 1 (00202).");
    assert_eq!(first[1], "You have 20 PP to spend and 1 unit to lead.");
    assert!(first[2].starts_with("First put your centres to work"), "{first:?}");
    let needs = [
        "Idle production centres: 3, in city 1.",
        "Units without orders: 1 (unit 1).",
        "You have 20 PP to spend.",
    ];
    assert_eq!(board.needs(1), needs);
}

#[test]
fn a_quiet_turn_says_how_things_stand_in_three_sentences() {
    let mut board = two_sieges().turn(5);
    // In the first turn the two meet.
    board.play(&[]);
    board.play(&[]);
    let first = board.first(2);
    assert_eq!(first.len(), 3, "{first:?}");
    assert!(first[0].starts_with("You hold 3 cities and"), "{first:?}");
    assert!(Warlord::headline(&board.view(2)).news(2).is_empty());
    assert!(board.chronicle().is_empty());
}

#[test]
fn many_battles_are_counted_and_never_more_than_seven_sentences() {
    let row = "ABCDEFGH";
    let drawing = "~~~~~~~~~~
                   ~ABCDEFGH~
                   ~IJKLMNOP~
                   ~~~~~~~~~~";
    let mut board = Board::new(2, drawing);
    for (no, spot) in (1..).zip(row.chars()) {
        board = board.unit(1, no, (40, INFANTRY), spot);
    }
    for (no, spot) in (1..).zip("IJKLMNOP".chars()) {
        board = board.unit(2, no, (2 + no, INFANTRY), spot);
    }
    let card: Vec<String> = (1..=8).map(|n| format!("M {n} 5")).collect();
    board.play(&[(1, &card.join("\n"))]);
    for seat in [1, 2] {
        let first = board.first(seat);
        assert!((3..=7).contains(&first.len()), "{first:?}");
        let more = if seat == 1 { "You won " } else { "You lost " };
        let counted = first.iter().any(|s| s.starts_with(more) && s.contains("more battle"));
        assert!(counted, "{first:?}");
    }
}

#[test]
fn the_end_says_who_has_won_before_all_else() {
    let mut board = two_sieges().turn(9);
    board.play(&[(1, "M 1 3\nM 2 7")]);
    let winners = [1].into();
    board.state.over = Some(warlord::state::Victory { winners, turn: 9 });
    for seat in [1, 2, 3] {
        let first = board.first(seat);
        assert!(first[0].starts_with("Player 1 (seat 1) is World Leader and has won"), "{first:?}");
        assert!(board.needs(seat).is_empty());
    }
    assert!(board.first(1)[1].starts_with("You have won"), "{:?}", board.first(1));
    assert!(board.first(2)[1].starts_with("You end on rank"), "{:?}", board.first(2));
    assert!(board.chronicle()[0].starts_with("Player 1 (seat 1) is World Leader"));
}

#[test]
fn a_name_that_a_player_chose_is_marked_as_such() {
    use engine::report::Span;
    let mut board = two_sieges();
    board.city_mut(1).name = "A 12 12387".to_owned();
    board.play(&[(1, "M 1 3")]);
    let headline = Warlord::headline(&board.view(2));
    let spans = &headline.sentences[0].0;
    assert!(spans.contains(&Span::Chosen("A 12 12387".to_owned())), "{spans:?}");
}

#[test]
fn nothing_in_a_headline_follows_from_what_the_seat_does_not_know() {
    let mut board = two_sieges();
    board.play(&[(1, "M 1 3")]);
    let before = Warlord::headline(&board.view(3));
    // Other forces of player 1, and events of others, do not change player 3's sentences.
    let mut other = board.clone();
    other = other.stock(1, 99).tech(1, 7).unit(2, 9, (9, TANK), 'E');
    assert_eq!(Warlord::headline(&other.view(3)), before);
}

/// Kinds of sentences, and the words of the body for each.
const KINDS: &[Kind] = &[
    Kind("You lost {cities*} to player {n}.", &["Player {n} took city * at {cities*} from you*"]),
    Kind("You lost {cities*} to rebels.", &["Rebels took city * at {cities*} from you*"]),
    Kind("You took the free city {cities*}.", &["You took city * at {cities*}, which was free*"]),
    Kind("You took the free cities {cities*}.", &["You took city * at {cities*}, which was free*"]),
    Kind("You took the airbase at {at} from {whom}.", &["You took airbase * at {at} from {whom}*"]),
    Kind("You took {cities*} from {whom}.", &["You took city * at {cities*} from {whom}*"]),
    Kind(
        "The city {cities*} rose against you and is lost.",
        &["City * at {cities*} has risen against you."],
    ),
    Kind(
        "The cities {cities*} rose against you and are lost.",
        &["City * at {cities*} has risen against you."],
    ),
    Kind(
        "The city {cities*} was razed to the ground.",
        &["City * at {cities*} is no more; ruins are left."],
    ),
    Kind("{by} took the airbase at {at} from you.", &["{by} took airbase * at {at} from you*"]),
    Kind(
        "Your attack on the walls at {at} failed and cost {n} regiment{s}.",
        &["*{at}*The walls are lower.*", "*{at}*The walls stand as before.*"],
    ),
    Kind("{by} destroyed your {forces} at {at}.", &["*{at}, phase *{by}*You lost all who *"]),
    Kind(
        "{by} beat off your {forces} at {at}.",
        &["*{at}, phase *{by}*Your attack was thrown back."],
    ),
    Kind("{by} drove out your {forces} at {at}.", &["*{at}, phase *{by}*You had to give way."]),
    Kind(
        "You lost {forces} at {at}; of {whom} nothing is left there either.",
        &["*{at}, phase *Neither side survived."],
    ),
    Kind(
        "Your unit{s} {units} destroyed {forces} of {whom} at {at}.",
        &["*{at}, phase *You destroyed the *"],
    ),
    Kind(
        "Your unit{s} {units} beat off {forces} of {whom} at {at}.",
        &["*{at}, phase *You threw the attack back."],
    ),
    Kind(
        "Your unit{s} {units} drove out {forces} of {whom} at {at}.",
        &["*{at}, phase *The defender had to give way."],
    ),
    Kind("You lost {n} more battle{s}.", &["*, phase *"]),
    Kind("You won {n} more battle{s}.", &["*, phase *"]),
    Kind(
        "Your general {name} was lost at {at}.",
        &["General {name} was lost at {at}*", "General * {name} was lost at {at}*"],
    ),
    Kind("You bombed {whom} at {at*}.", &["Sector {at*}: You struck at *"]),
    Kind("{by} bombed you at {at*}.", &["Sector {at*}: {by} struck at you *"]),
    Kind("You shelled {whom} at {at*}.", &["Sector {at*}: You struck at *"]),
    Kind("{by} shelled you at {at*}.", &["Sector {at*}: {by} struck at you *"]),
    Kind(
        "You struck {whom} from the air at {at*}.",
        &["Sector {at*}: You *", "Sector {at*}: * of yours met *"],
    ),
    Kind("{by} struck you from the air at {at*}.", &["Sector {at*}: {by} *"]),
    Kind("You fired missiles at {whom} at {at*}.", &["Sector {at*}: You fired * missile*"]),
    Kind(
        "{by} fired missiles at you at {at*}.",
        &["Sector {at*}: {by} fired * missile*Hit: you.*"],
    ),
    Kind(
        "Atomic missiles of yours wiped out {at*} and all around.",
        &["Sector {at*}: You fired * atomic missile*The sector and all around it is wiped out."],
    ),
    Kind(
        "Atomic missiles of player {n} wiped out {at*} and all around.",
        &[
            "Sector {at*}: Player {n} fired * atomic missile*The sector and all around it is wiped out.",
        ],
    ),
    Kind(
        "The missiles that you fired at {at*} were stopped.",
        &["Sector {at*}: You fired *. Stopped by the defences of *"],
    ),
    Kind(
        "The missiles that player {n} fired at {at*} were stopped.",
        &["Sector {at*}: Player {n} fired *. Stopped by the defences of *"],
    ),
    Kind(
        "{who} enough cities to win: turn {n} of {of} in a row.",
        &["{who} enough cities to win: turn {n} of {of} in a row."],
    ),
    Kind("Players {members} form a coalition.", &["Players {members} form a coalition*"]),
    Kind(
        "The coalition of players {members} is no more.",
        &["The coalition of players {members} is no more."],
    ),
    Kind("The empire of player {n} fell.", &["The empire of player {n} has fallen."]),
    Kind("The empires of players {n} fell.", &["The empire of player * has fallen."]),
    Kind(
        "Your empire has fallen: no city and no unit is left.",
        &["Your empire has fallen: no city and no unit is left."],
    ),
    Kind("Your empire reached tech level {n}.", &["* tech level {n}*"]),
    Kind(
        "Your engineers found {n} PP in the ruins at {at}.",
        &["Unit * searched the ruins at {at} and found {n} PP."],
    ),
    Kind(
        "Your engineers found {n} research points in the ruins at {at}.",
        &["Unit * searched the ruins at {at} and found old papers worth {n} *"],
    ),
    Kind(
        "Your engineers found the plans of tech level {n} in the ruins at {at}.",
        &["Unit * searched the ruins at {at} and found old plans: tech level {n}*"],
    ),
    Kind("Player {n} wrote to you.", &["* from player {n} follows.... *"]),
    Kind("Players {n} wrote to you.", &["* from player * follows.... *"]),
    Kind("You met player {n} for the first time.", &["Player {n}, first met in turn *"]),
    Kind("You met players {n} for the first time.", &["Player *, first met in turn *"]),
    Kind(
        "No card of yours came in for {n} turns, so your cities may rise against you.",
        &["No card of yours came in for the last {n} turns."],
    ),
    Kind(
        "Player {n} (seat {n}) is World Leader and has won in turn {turn}, with {cities}.",
        &[
            "The game is over: player {n} is World Leader.",
            "The game is over: you are World Leader!",
        ],
    ),
    Kind(
        "The coalition of players {n} has won in turn {turn}, with {cities}.",
        &["The game is over: *"],
    ),
    Kind(
        "The game ended in turn {turn} without a winner.",
        &["The game is over; nobody is left to play it."],
    ),
    Kind("You have won, with {n} cit{y}.", &["1 | * (you) | {n} | *"]),
    Kind("You end on rank {rank} of {of}, with {n} cit{y}.", &["{rank} | * (you) | {n} | *"]),
    Kind("Your empire fell in turn {n}.", &[]),
    Kind("You hold no city and no unit.", &[]),
    Kind("From here on you get no printouts until the game is over.", &[]),
    Kind(
        "You hold {cities} and {n} sector{s}, rank {rank} of {of}.",
        &["You hold {cities} and {n} sector{s}. *rank {rank} of {of}.", "{rank} | * (you) | *"],
    ),
    Kind(
        "Income is {income} PP a turn, stock {stock} PP, tech level {n}.",
        &[
            "*Income {income} PP a turn, stock {stock} PP, tech level {n}, *",
            "The game is over; nobody is left to play it.",
        ],
    ),
    Kind("No foreign force is in sight.", &[]),
    Kind("Foreign forces are in sight in {n} sector{s}.", &[]),
    Kind("You are player {n} of {of}; your empire begins in {city}.", &[]),
    Kind("You are player {n} of {of}.", &[]),
    Kind("You have {n} PP to spend and {units} to lead.", &[]),
    Kind("First put your centres to work and {what}.", &[]),
];

/// Kinds of sentences that are only in the news for everybody.
const ALL: &[&str] = &[
    "{by} took {cities} from {whom}.",
    "{by} took the free city {cities}.",
    "{by} took the free cities {cities}.",
    "The cit{y} {cities} rose in revolt.",
    "{by} took the airbase at {at} from {whom}.",
    "{by} destroyed {forces} of {whom} at {at}.",
    "{by} beat off {forces} of {whom} at {at}.",
    "{by} drove out {forces} of {whom} at {at}.",
    "{by} and {other} destroyed each other at {at}.",
    "{by} bombed {whom} at {at}.",
    "{by} shelled {whom} at {at}.",
    "{by} struck {whom} from the air at {at}.",
    "{by} fired missiles at {whom} at {at}.",
];

/// The numbers of battles that a body reports as won, and as lost.
fn fought(body: &[String]) -> [usize; 2] {
    let ends = |ends: &[&str]| {
        let is =
            |line: &&String| ends.iter().any(|e| line.contains(", phase ") && line.ends_with(e));
        body.iter().filter(is).count()
    };
    [
        ends(&[
            "You destroyed the defender.",
            "You destroyed the attacker.",
            "The defender had to give way.",
            "You threw the attack back.",
        ]),
        ends(&[
            "You lost all who stood there.",
            "You lost all who attacked.",
            "You had to give way.",
            "Your attack was thrown back.",
            "Neither side survived.",
        ]),
    ]
}

impl Board {
    /// Checks the printouts of all seats, and the numbers of battles.
    fn hold(&self, court: &mut Court, whose: &str) {
        hold(court, &self.state, &self.events, whose);
    }
}

fn hold(court: &mut Court, state: &State, events: &[Happening], whose: &str) {
    for seat in 1..=state.seats() {
        let view = Warlord::view(state, events, Seat(seat));
        let Some(report) = Warlord::report(&view, "") else { continue };
        let (headline, body) = (Warlord::headline(&view).sentences, lines(&report));
        let whose = format!("{whose}, seat {seat}");
        court.hold(&headline, &body, &whose);
        let told: Vec<String> = headline.iter().map(told::flat).collect();
        let count = |singles: &[&str], more: &str| -> usize {
            let one = |s: &String| match fit(more, s) {
                Some(texts) => texts["n"].parse().expect("a number"),
                None => usize::from(singles.iter().any(|p| fit(p, s).is_some())),
            };
            told.iter().map(one).sum()
        };
        if told.len() < engine::headline::MOST {
            let won = [
                "Your unit* destroyed * of * at *.",
                "Your unit* beat off * of * at *.",
                "Your unit* drove out * of * at *.",
            ];
            let lost = [
                "* destroyed your * at *.",
                "* beat off your * at *.",
                "* drove out your * at *.",
                "You lost * at *; of * nothing is left there either.",
            ];
            let won = count(&won, "You won {n} more battle*");
            let lost = count(&lost, "You lost {n} more battle*");
            assert_eq!([won, lost], fought(&body), "{whose}: {told:?}");
        }
    }
    for said in Warlord::chronicle(state, events).iter().map(told::flat) {
        let kinds = KINDS.iter().map(|k| &k.0);
        assert!(kinds.chain(ALL).any(|k| fit(k, &said).is_some()), "{said}");
    }
}

/// A game of computers with each printout checked.
fn games(court: &mut Court) {
    let mut trial =
        TrialOf::<Warlord>::new(&Setup { seats: 8, ..Setup::default() }, 11).expect("a game");
    for turn in 1..=14 {
        trial.write_cards();
        trial.step();
        hold(court, trial.state(), trial.events(), &format!("turn {turn}"));
    }
}

fn played(mut board: Board, cards: &[(u8, &str)]) -> Board {
    board.play(cards);
    board
}

/// Strikes from the air, by guns and by missiles.
fn strikes() -> Vec<Board> {
    let coasts = || {
        let drawing = "~~~~~~~~~~~~
                       ~.C~S~~~D..~
                       ~..~~~~~E..~
                       ~..~~~~~...~
                       ~~~~~~~~~~~~";
        let board = Board::new(2, drawing).city(1, 1, 'C').city(2, 2, 'D').held(2, "E");
        board.ground('S', Terrain::Sea).long()
    };
    let armed = |level: u8, missiles: u16, warheads: u16| {
        coasts().tech(1, level).arsenal(1, Planes::default(), missiles, warheads)
    };
    let guns = || {
        let sea = "~~~~~~
                   ~SD.G~
                   ~~~~~~";
        let board = Board::new(2, sea).ground('S', Terrain::Sea).unit(1, 1, (6, CRUISER), 'S');
        board.unit(2, 1, (9, INFANTRY), 'D').long()
    };
    let watch = || {
        let base = "~~~~~
                    ~AC.~
                    ~~~~~";
        let board = Board::new(2, base).city(1, 2, 'C').unit(1, 1, (6, TRUCK), 'A');
        board.planes(1, 9, 0).long()
    };
    vec![
        played(coasts().planes(1, 0, 6).unit(2, 1, (9, INFANTRY), 'D'), &[(1, "B 6 00902")]),
        played(guns(), &[(1, "B 0 00302")]),
        played(watch(), &[(1, "M 1 3")]),
        played(armed(7, 3, 0).unit(2, 1, (20, INFANTRY), 'E'), &[(1, "R 3 00903")]),
        played(armed(7, 1, 0).shield(2), &[(1, "R 1 00902")]),
        played(armed(9, 1, 1).shield(2), &[(1, "R A1 00902")]),
        played(armed(9, 2, 2).level(2, 4).unit(2, 1, (9, INFANTRY), 'D'), &[(1, "R A1 00902")]),
    ]
}

/// Cities and bases that change hands or rebel, and generals who fall.
fn upheavals() -> Vec<Board> {
    let mut all = vec![played(two_sieges(), &[(1, "M 1 3\nM 2 7")])];
    let drawing = "~~~~~~~~~
                   ~A.B.C.D~
                   ~.......~
                   ~~~~~~~~~";
    let realm = || Board::new(2, drawing).city(1, 1, 'A').city(2, 2, 'B').long();
    // Free cities, and a general who falls with his unit.
    let free = realm().city(3, 0, 'C').city(4, 0, 'D').unit(1, 1, (9, INFANTRY), 'B');
    all.push(played(free, &[(1, "M 1 3 3")]));
    let led = realm().unit(1, 1, (2, INFANTRY), 'C').general(1, 20, Billet::Unit(1));
    all.push(played(led.unit(2, 1, (40, TANK), 'D'), &[(2, "M 1 7 7")]));
    let row = "~~~~~~~~~~
               ~AC....DB~
               ~........~
               ~F..E....~
               ~~~~~~~~~~";
    let both = Board::new(3, row).city(1, 0, 'C').city(2, 0, 'D').city(3, 2, 'E').city(4, 3, 'F');
    let both = both.unit(1, 1, (8, INFANTRY), 'A').unit(1, 2, (8, INFANTRY), 'B').long();
    all.push(played(both, &[(1, "M 1 3\nM 2 7")]));
    // Rebels march on a city.
    let mut rebels = realm().unit(0, 1, (20, TANK), 'D');
    let goal = Goal { target: Target::Sector(rebels.spot('B')), convoy: false };
    rebels.state.powers[0].units.get_mut(&1).expect("it is placed").goal = Some(goal);
    for _ in 0..4 {
        rebels.play(&[(1, "#"), (2, "#")]);
        all.push(rebels.clone());
    }
    // A player who sends no cards loses the cities to rebels, and falls.
    for luck in [249, 999] {
        let three =
            || Board::new(3, drawing).city(1, 1, 'A').city(2, 2, 'B').city(3, 3, 'C').long();
        for mut board in [three(), three().city(4, 2, 'D')] {
            for _ in 0..9 {
                board.play_with(&[(1, "#"), (3, "#")], luck);
                board.state.over = None;
                all.push(board.clone());
            }
        }
    }
    let mut fallen = realm().turn(9);
    fallen.state.powers[2].cities.clear();
    fallen.state.powers[2].fell = Some(8);
    all.push(fallen);
    // An airbase of engineers.
    let row = "~~~~~~~~~
               ~CABF..D~
               ~.......~
               ~~~~~~~~~";
    let site = Board::new(2, row).city(1, 1, 'C').city(2, 2, 'D').stock(1, 40).long();
    let mut site = site.tech(1, 6).held(1, "ABF").unit(1, 1, (8, ENGINEER), 'A').planes(1, 4, 5);
    site.play(&[(1, "K 1 4")]);
    site.play(&[(1, "F 1 3 05\nM 1 5")]);
    let site = played(site.unit(2, 1, (9, TANK), 'B'), &[(2, "M 1 7")]);
    all.push(site);
    all
}

/// Ruins, letters, meetings and coalitions.
fn findings() -> Vec<Board> {
    let drawing = "~~~~~~~~~
                   ~A.R.C.D~
                   ~.......~
                   ~~~~~~~~~";
    let realm = || {
        let board = Board::new(5, drawing).city(1, 1, 'A').city(2, 2, 'C').ruins('R');
        board.unit(1, 1, (9, ENGINEER), 'R').unit(3, 1, (1, INFANTRY), 'D').long()
    };
    let mut all = vec![realm(), played(realm(), &[(2, "Y 1 151"), (3, "Y 1 151")])];
    all.push(played(realm(), &[(2, "Y 1 151")]));
    for what in [" PP in the ruins", "research points in the ruins", "the plans of tech level"] {
        let dug = |seed: u64| {
            let mut board = realm();
            board.roll(&[(1, "K 1 1")], &mut engine::Dice::new(seed));
            board
        };
        let found = |b: &Board| b.first(1).iter().any(|s| s.contains(what));
        all.push((0..2_000).map(dug).find(found).expect("it is found now and then"));
    }
    let mut allies = realm().turn(15);
    allies.play(&[(1, "J 2"), (2, "J 1")]);
    all.push(allies.clone());
    allies.state.over = None;
    allies.play(&[(1, "J 0")]);
    all.push(allies);
    for winners in [vec![], vec![1], vec![1, 2]] {
        let mut over = realm().turn(9);
        over.play(&[]);
        over.state.over = Some(Victory { winners: winners.iter().copied().collect(), turn: 9 });
        let to = (1..=5).collect();
        over.events.push(Happening { to, event: Event::GameOver { winners } });
        all.push(over);
    }
    all
}

#[test]
fn every_kind_of_sentence_is_told_by_the_body_too() {
    let mut court = Court::new(KINDS);
    games(&mut court);
    for (name, boards) in
        [("strike", strikes()), ("upheaval", upheavals()), ("finding", findings())]
    {
        for (n, board) in boards.iter().enumerate() {
            board.hold(&mut court, &format!("{name} {n}"));
        }
    }
    court.close();
}
