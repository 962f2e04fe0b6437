//! The printouts of a late game of 100 seats, format by format and all together as the robot draws
//! them. The share of a format is its time divided by that of all.

use std::sync::Arc;

use base::cancel::Cancel;
use base::clock::{FakeClock, FixedEntropy};
use base::terms::Format;
use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use engine::{MapPicture, Match, Seat, Turns};
use jiff::Timestamp;
use mail::compose::{AutoSubmitted, Draft, Sender, compose};
use registry::ENGINES;
use render::raster::png;
use render::{Document, Head, Marks, Picture, data, filled, html, pdf, pictures, text};
use robot::Context;
use robot::drawing::{Job, draw};
use robot::limits::Limits;
use store::{MailKind, QueuedMail, Store};

use crate::late;

const SEATS: u8 = 100;

fn at() -> Timestamp {
    Timestamp::from_second(1_780_000_000).expect("a time")
}

fn document(open: &dyn Match, seat: Seat) -> Option<Document> {
    let report = open.report(seat, "en")?;
    let head = Head {
        game: "W7".into(),
        engine: "Warlord".into(),
        turn: 61,
        turns: Turns::one(61),
        seat,
        name: format!("Empire {seat}"),
        title: report.title.clone(),
        label: "turn 61".into(),
        deadline: Some(at()),
        due: "Orders for turn 61 are due Sun 1 Nov 2026, 18:00 GMT (in 7 days).".into(),
        seed_before: Some((60, 7)),
        seed_digest: Some("0".repeat(64)),
        seed_chain: Vec::new(),
        credit: None,
        over: false,
    };
    let marks =
        Marks { marker: mail::marker::MARKER.into(), card_frame: ["begin".into(), "end".into()] };
    let sections = filled(&report.sections, &|span| match span {
        engine::report::Span::Address(_) => {
            Some(engine::report::Span::Chosen("somebody@players.example".into()))
        }
        _ => None,
    });
    Some(Document::new(head, marks, Vec::new(), sections))
}

/// The documents of all seats' printouts.
pub fn documents() -> Vec<Document> {
    let open = late::open(SEATS);
    let seats = open.wait().seats;
    seats.iter().filter_map(|s| document(open.as_ref(), *s)).collect()
}

fn drawn() -> Vec<(Document, Vec<Vec<Picture>>)> {
    let drawn = |d: Document| {
        let pictures = pictures(&d);
        (d, pictures)
    };
    documents().into_iter().map(drawn).collect()
}

/// The engine's part: view and report of each seat.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn form_0_documents(bencher: Bencher) {
    let open = late::open(SEATS);
    let seats = open.wait().seats;
    bencher
        .counter(ItemsCount::new(seats.len()))
        .bench_local(|| seats.iter().filter_map(|s| document(open.as_ref(), *s)).count());
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn form_1_text(bencher: Bencher) {
    let documents = documents();
    let size: usize = documents.iter().map(|d| text::document(d).len()).sum();
    bencher
        .counter(BytesCount::new(size))
        .bench_local(|| documents.iter().map(|d| text::document(d).len()).sum::<usize>());
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn form_2_svg(bencher: Bencher) {
    let documents = documents();
    bencher.bench_local(|| documents.iter().map(|d| pictures(d).len()).sum::<usize>());
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn form_3_html(bencher: Bencher) {
    let drawn = drawn();
    let html = || drawn.iter().map(|(d, p)| html::document(d, p, &|p| Some(p.name.clone())).len());
    let largest = html().max().unwrap_or(0);
    eprintln!("HTML: {} bytes, the largest {largest}", html().sum::<usize>());
    bencher.bench_local(|| html().sum::<usize>());
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn form_4_png(bencher: Bencher) {
    let drawn = drawn();
    let all = || drawn.iter().flat_map(|(_, p)| p.iter().flatten());
    let sizes: Vec<usize> = all().map(|p| png(&p.svg).expect("drawn").len()).collect();
    let sum: usize = sizes.iter().sum();
    let most = sizes.iter().max().copied().unwrap_or(0);
    eprintln!("{} pictures, {sum} bytes, the largest {most}", sizes.len());
    bencher
        .counter(ItemsCount::new(sizes.len()))
        .bench_local(|| all().map(|p| png(&p.svg).expect("drawn").len()).sum::<usize>());
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn form_5_pdf(bencher: Bencher) {
    let drawn = drawn();
    bencher.bench_local(|| {
        let pdf = |(d, p): &(Document, Vec<Vec<Picture>>)| pdf::document(d, p, pdf::Paper::A4);
        drawn.iter().map(|d| pdf(d).expect("a PDF").len()).sum::<usize>()
    });
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn form_6_json(bencher: Bencher) {
    let documents = documents();
    bencher.bench_local(|| documents.iter().map(|d| data::document(d).len()).sum::<usize>());
}

fn identity() -> Sender {
    Sender { name: "Fieldpost".into(), address: "robot@fieldpost.example".into(), from: None }
}

/// A store with printouts as after a turn: the text in the outbox, everything else still to be
/// drawn.
pub fn queued(documents: &[Document]) -> (Store, tempfile::TempDir) {
    let dir = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(dir.path(), &FixedEntropy::new(7)).expect("a store");
    for document in documents {
        let seat = document.head.seat;
        let draft = Draft {
            text: text::document(document),
            message_id: format!("w7.61.{seat}.p@fieldpost.example"),
            ..Draft::new(&format!("p{seat}@players.example"), "[W7 T61]", AutoSubmitted::Generated)
        };
        let mail = compose(&identity(), &draft, at()).expect("a mail");
        let job = Job {
            draft,
            document: document.clone(),
            format: Format::default(),
            at: at(),
            small: false,
            map: None,
            book: None,
        };
        let queued = QueuedMail {
            kind: MailKind::Printout,
            seat: Some(("W7".to_owned(), seat)),
            turn: Some(61),
            expires_at: None,
            mail,
            drawing: job.drawing(),
            shows: Vec::new(),
        };
        store.write(|tx| tx.outbox().post(std::slice::from_ref(&queued), at())).expect("posted");
    }
    (store, dir)
}

/// Draws all queued printouts; returns their number.
pub fn draw_all(store: &mut Store) -> usize {
    let (clock, entropy) = (Arc::new(FakeClock::at(at())), Arc::new(FixedEntropy::new(7)));
    let gm = "gm@fieldpost.example".to_owned();
    let cx = Context::new(identity(), gm, Limits::default(), &ENGINES, clock, entropy);
    draw(store, &cx, &at, &|| {}, &Cancel::default()).expect("drawn")
}

/// From the committed turn to mails with text, HTML and PNG in the outbox, by as many
/// threads as the machine has; the largest allocation is the memory that it takes.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn form_9_all_drawn_by_the_robot(bencher: Bencher) {
    let documents = documents();
    bencher
        .counter(ItemsCount::new(documents.len()))
        .with_inputs(|| queued(&documents))
        .bench_local_refs(|(store, _dir)| draw_all(store));
}

/// The whole world as the game master sees it, one frame of the animation.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn atlas_frame(bencher: Bencher) {
    let open = late::open(SEATS);
    bencher.bench_local(|| {
        let map: MapPicture = open.atlas().expect("a map");
        let sheet = render::picture::whole(&map).expect("a drawing");
        let mut film = render::raster::Film::new(1);
        film.add(&sheet.svg).expect("drawn");
        film.png(0).expect("a PNG").len()
    });
}
