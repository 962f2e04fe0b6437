//! What must hold when a world has come to rest.

use std::collections::{BTreeMap, BTreeSet};

use engine::Seat;
use jiff::Timestamp;
use robot::Robot;
use robot::silence::SILENT;
use store::{Game, SeatRow, Status, Verdict};

use crate::net::{self, Taken, header};
use crate::players::is_printout;
use crate::seam;
use crate::smtp_server::NOT_THIS;
use crate::world::{GAMES, TOY, Told, World};

/// A mail in the store.
struct Row {
    id: i64,
    key: String,
    message_id: String,
    verdict: String,
    reason: String,
    game: String,
    seat: u8,
    turn: u32,
    received_ms: i64,
    judged: Option<Timestamp>,
    moved: bool,
}

/// The fate of one delivery of a mail.
struct Copy {
    /// Another program removed it.
    removed: bool,
    lost: bool,
}

/// The state that the checks look at.
struct Scene<'a> {
    world: &'a World,
    rows: Vec<Row>,
    taken: Vec<Taken>,
    wrong: Vec<String>,
}

/// Checks a world that has come to rest.
pub fn check(world: &mut World) -> Told {
    let mut robot = world.end();
    let rows = rows(world, &robot);
    let taken = net::lock(&world.net).taken.clone();
    let mut scene = Scene { world, rows, taken, wrong: world.wrong.clone() };
    scene.every_mail_has_one_verdict();
    scene.every_mail_lies_where_its_verdict_says();
    scene.cards_are_used_once(&robot);
    scene.cards_in_time_count(&robot);
    scene.turns_follow_each_other(&mut robot);
    scene.printouts_arrive_once(&robot);
    scene.mails_tell_their_reader_alone(&robot);
    scene.machines_get_no_answer();
    scene.answers_are_sent_once(&robot);
    scene.nothing_is_repeated_knowingly();
    scene.seals_are_opened_once(&robot);
    scene.outbox_and_server_agree(&robot);
    scene.all_is_at_rest(&robot);
    let (wrong, mails_in) = (scene.wrong, scene.rows.len() as u64);
    told(world, &robot, wrong, mails_in)
}

fn told(world: &World, robot: &Robot, violations: Vec<String>, mails_in: u64) -> Told {
    let rows = rows(world, robot);
    let net = net::lock(&world.net);
    let mut faults: BTreeMap<String, u64> =
        net.counts.iter().map(|(k, n)| ((*k).to_owned(), *n)).collect();
    let (lost, refused) = {
        let disk = faulty_disk::lock(&world.disk);
        (disk.lost, disk.refused)
    };
    faults.insert("power cuts".into(), world.crashes);
    faults.insert("writes lost or torn".into(), lost);
    faults.insert("writes without room".into(), refused);
    let (met, fates) = {
        let seam = seam::lock(&world.seam);
        (seam.counts.clone(), seam.fates.clone())
    };
    faults.extend(met.into_iter().map(|(name, n)| (name.to_owned(), n)));
    let turns = GAMES
        .iter()
        .map(|g| u64::from(robot.game(g.0).expect("a game").turn.saturating_sub(1)))
        .sum();
    let mut trace = net.trace.clone();
    for row in rows {
        trace.push(format!("{} {} {} {}", row.message_id, row.verdict, row.reason, row.key));
    }
    for (code, ..) in GAMES {
        for turn in robot.store.journal().turns(code).expect("a store") {
            trace.push(turn.hash);
        }
    }
    Told {
        violations,
        faults,
        mails_in,
        mails_out: net.taken.len() as u64,
        turns,
        fates,
        trace: base::secrets::sha256_hex(trace.join("\n").as_bytes()),
    }
}

fn rows(world: &World, robot: &Robot) -> Vec<Row> {
    let sql = "SELECT id, key, coalesce(verdict, ''), reason, coalesce(game, ''),
               coalesce(seat, 0), coalesce(turn, 0), received_at, moved, judged_at FROM mail ORDER BY id";
    let found: Result<Vec<Row>, _> = robot.store.database().all(sql, &[], |r| {
        Ok(Row {
            id: r.get(0)?,
            key: r.get(1)?,
            message_id: String::new(),
            verdict: r.get(2)?,
            reason: r.get(3)?,
            game: r.get(4)?,
            seat: r.get(5)?,
            turn: r.get(6)?,
            received_ms: r.get(7)?,
            moved: r.get(8)?,
            judged: r.get::<_, Option<i64>>(9)?.and_then(|ms| Timestamp::from_millisecond(ms).ok()),
        })
    });
    let id = |row: Row| {
        let raw = robot.store.mails().raw(row.id).expect("a store");
        let fetched = || net::lock(&world.net).fetched.get(&row.key).cloned();
        let id = raw.map(|raw| header(&raw, "Message-ID")).or_else(fetched);
        Row { message_id: id.unwrap_or_default(), ..row }
    };
    found.expect("rows").into_iter().map(id).collect()
}

/// Reasons for which mails may stay unsent: they are no longer of use.
const NO_USE: &[&str] = &["it came to be of no use", "the turn was taken back", "taken back"];

/// How long a mail is of use at least, in milliseconds.
const DAYS_MS: i64 = 2 * 86_400_000;

/// Attempts within those days at least: a mail by itself gets nineteen.
const OFTEN: u32 = 15;

/// A mail in the outbox.
struct SentRow {
    id: i64,
    attempts: u32,
    message_id: String,
    recipient: String,
    state: String,
    last_error: String,
    kind: String,
    /// Game, turn and seat.
    of: (String, u32, u8),
    /// The mail that it answers.
    cause: Option<i64>,
    /// When it was written, when it left or was last tried, when it was no longer of use.
    times: (i64, i64, Option<i64>),
}

impl SentRow {
    /// Whether its time ran out because the server did not take it for days: no mail to its address
    /// left in the last half of them, or it and those before it were tried often.
    fn waited_in_vain(&self, all: &[Self]) -> bool {
        let (written, _, Some(ends)) = self.times else { return false };
        let to_it = || all.iter().filter(|o| o.recipient == self.recipient);
        let left = to_it().filter(|o| o.state.as_str() == "sent").map(|o| o.times.1);
        let last = left.filter(|t| (written..ends).contains(t)).max().unwrap_or(written);
        let before = to_it().filter(|o| o.id <= self.id && o.times.1 >= written);
        self.last_error.as_str() == NO_USE[0]
            && ends - written >= DAYS_MS
            && (ends - last >= DAYS_MS / 2 || before.map(|o| o.attempts).sum::<u32>() >= OFTEN)
    }

    /// Whether the server refused this very mail for good.
    fn was_refused(&self) -> bool {
        self.state.as_str() == "failed" && self.last_error.contains(NOT_THIS)
    }
}

fn sent_rows(robot: &Robot) -> Vec<SentRow> {
    let sql = "SELECT message_id, recipient, state, last_error, kind, coalesce(game, ''),
               coalesce(turn, 0), coalesce(seat, 0), cause, created_at, next_at, expires_at,
               id, attempts FROM outbox ORDER BY id";
    let found: Result<Vec<SentRow>, _> = robot.store.database().all(sql, &[], |r| {
        let id: String = r.get(0)?;
        Ok(SentRow {
            message_id: id.trim_matches(['<', '>']).to_owned(),
            recipient: r.get(1)?,
            state: r.get(2)?,
            last_error: r.get(3)?,
            kind: r.get(4)?,
            of: (r.get(5)?, r.get(6)?, r.get(7)?),
            cause: r.get(8)?,
            times: (r.get(9)?, r.get(10)?, r.get(11)?),
            id: r.get(12)?,
            attempts: r.get(13)?,
        })
    });
    found.expect("rows")
}

/// All text of a mail: as it was sent, and its parts as people see them.
fn all_text(bytes: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(bytes).replace("=\r\n", "");
    if let Some(message) = mail_parser::MessageParser::default().parse(bytes) {
        for part in &message.parts {
            text.push('\n');
            text += &String::from_utf8_lossy(part.contents());
        }
        for (_, raw) in message.headers_raw() {
            text += &raw.replace("\r\n ", "").replace("\r\n\t", "");
        }
    }
    text
}

/// Whether a seat of the toy has a player, who gets mail.
fn has_player(seat: u8) -> bool {
    GAMES.iter().any(|&(code, _, players)| code == TOY && seat <= players)
}

/// Whether a step of the toy waited for a seat.
fn awaits(robot: &Robot, turn: u32, seat: u8) -> bool {
    robot.store.steps().step(TOY, turn).expect("a store").is_some_and(|s| s.awaits(Seat(seat)))
}

/// Whether the record of acts says that a turn was taken back. The world's own notes are not
/// complete: an act that a full disk refused may be there after the next power cut, if the log
/// already held all of it (seed 141).
fn is_taken_back(robot: &Robot, code: &str, turn: u32) -> bool {
    let acts = robot.store.acts(Some(code), 1000).expect("a store");
    let of_turn = |what: &str| what.contains(&format!("turn {turn} "));
    acts.iter().any(|a| ["withdraw", "undo"].contains(&a.kind.as_str()) && of_turn(&a.what))
}

impl Scene<'_> {
    fn wrong(&mut self, what: String) {
        self.wrong.push(what);
    }

    fn of(&self, message_id: &str) -> Vec<&Row> {
        self.rows.iter().filter(|r| r.message_id == message_id).collect()
    }

    /// Whether the robot may have died three times at a mail that it quarantined.
    fn died_at(&self, row: &Row) -> bool {
        let received = Timestamp::from_millisecond(row.received_ms).expect("a time");
        let within = |at: &&Timestamp| **at >= received && row.judged.is_none_or(|j| **at <= j);
        let deaths = match self.world.jumps {
            // With a clock that jumps the order is unknown.
            true => self.world.died_at.len(),
            false => self.world.died_at.iter().filter(within).count(),
        };
        row.reason.as_str() == "unreadable" && deaths >= 3
    }

    fn every_mail_has_one_verdict(&mut self) {
        let mut wrong = Vec::new();
        for row in &self.rows {
            if row.verdict.is_empty() {
                wrong.push(format!("mail {} ({}) has no verdict", row.id, row.message_id));
            }
            if row.reason.as_str() == "unreadable" && !self.died_at(row) {
                let id = &row.message_id;
                wrong.push(format!("mail {id} was quarantined, and the robot did not die at it"));
            }
        }
        for (id, copies) in self.deliveries() {
            let rows = self.of(&id);
            // The robot died three times at the quarantined copy; another copy may have counted.
            let aside = |r: &&&Row| self.died_at(r);
            let firsts = rows.iter().filter(|r| r.reason.as_str() != "duplicate");
            let (asides, firsts) =
                (firsts.clone().filter(aside).count(), firsts.filter(|r| !aside(r)).count());
            let firsts = if firsts == 0 { asides.min(1) } else { firsts };
            let left = copies.iter().filter(|c| !c.removed).count();
            // A copy may come while the first waits for its second attempt, but only one of them
            // has an effect.
            if rows.len() < left {
                let stored = rows.len();
                wrong.push(format!("mail {id}: {left} copies were received, {stored} stored"));
            } else if firsts != 1 && !rows.is_empty() {
                let list: Vec<String> =
                    rows.iter().map(|r| format!("{} {}", r.verdict, r.reason)).collect();
                wrong.push(format!("mail {id} has {firsts} verdicts: {list:?}"));
            }
            if copies.iter().any(|c| c.lost) {
                wrong.push(format!("mail {id} was received and lies in no folder"));
            }
        }
        self.wrong.extend(wrong);
    }

    /// The fate of each delivered copy, by Message-ID.
    fn deliveries(&self) -> BTreeMap<String, Vec<Copy>> {
        let net = net::lock(&self.world.net);
        let filed: BTreeSet<u32> =
            net.messages.iter().filter(|m| m.folder != "INBOX").map(|m| m.serial).collect();
        let mut found: BTreeMap<String, Vec<Copy>> = BTreeMap::new();
        for (serial, id) in (0..).zip(&net.delivered) {
            let removed = net.removed.contains(&serial);
            let lost = !removed && !filed.contains(&serial);
            found.entry(id.clone()).or_default().push(Copy { removed, lost });
        }
        found
    }

    fn every_mail_lies_where_its_verdict_says(&mut self) {
        let messages = net::lock(&self.world.net).messages.clone();
        let filed: BTreeSet<u32> =
            messages.iter().filter(|m| m.folder != "INBOX").map(|m| m.serial).collect();
        for message in messages {
            if message.folder == "INBOX" && message.deleted && filed.contains(&message.serial) {
                // Copied and deleted; it does no harm that it is not yet expunged.
                net::lock(&self.world.net).count("deleted and not expunged");
                continue;
            }
            let id = header(&message.bytes, "Message-ID");
            let folders: Vec<&str> = self
                .of(&id)
                .iter()
                .map(|r| match r.verdict.as_str() {
                    "accepted" => Verdict::Accepted.folder().as_str(),
                    "rejected" => Verdict::Rejected.folder().as_str(),
                    "ignored" => Verdict::Ignored.folder().as_str(),
                    _ => Verdict::Quarantined.folder().as_str(),
                })
                .collect();
            if !folders.contains(&message.folder.as_str()) {
                self.wrong(format!("mail {id} lies in {}, not in {folders:?}", message.folder));
            }
        }
        // Mails that another program removed can't be moved, and nothing waits for them.
        let unmoved: Vec<String> =
            self.rows.iter().filter(|r| !r.moved).map(|r| r.message_id.clone()).collect();
        for id in unmoved {
            self.wrong(format!("mail {id} is still to be moved"));
        }
    }

    /// The card of a turn in the journal is the newest that was accepted for it.
    fn cards_are_used_once(&mut self, robot: &Robot) {
        for &(code, _, seats) in GAMES {
            for record in
                robot.store.journal().turns(code).expect("a store").iter().filter(|t| t.turn > 0)
            {
                for seat in 1..=seats {
                    let used = record.cards.get(&Seat(seat)).map(|c| c.text().trim().to_owned());
                    let filed: Vec<&Row> = self
                        .rows
                        .iter()
                        .filter(|r| {
                            r.reason.as_str() == "filed"
                                && (r.game.as_str(), r.seat, r.turn) == (code, seat, record.turn)
                        })
                        .collect();
                    let newest = filed.iter().map(|r| r.received_ms).max();
                    let right: Vec<String> = filed
                        .iter()
                        .filter(|r| Some(r.received_ms) == newest)
                        .filter_map(|r| self.world.players.cards.get(&r.message_id))
                        .map(|c| c.text.clone())
                        .collect();
                    let good = match &used {
                        Some(text) => right.contains(text),
                        None => right.is_empty(),
                    };
                    if !good {
                        let turn = record.turn;
                        self.wrong(format!(
                            "{code} turn {turn} seat {seat}: used {used:?}, on file {right:?}"
                        ));
                    }
                }
            }
        }
    }

    /// A card that the server received before the deadline counts, or a newer one does.
    fn cards_in_time_count(&mut self, robot: &Robot) {
        if self.world.jumps {
            // A robot with a wrong clock closes a turn early or late, and says so.
            return;
        }
        let removed = net::lock(&self.world.net).removed.clone();
        let messages = net::lock(&self.world.net).messages.clone();
        let mut wrong = Vec::new();
        for (id, card) in &self.world.players.cards {
            let turn = (card.game.clone(), card.turn);
            let run = robot.game(&card.game).expect("a game").turn > card.turn;
            let rows = self.of(id);
            let judged =
                rows.iter().filter(|r| r.reason.as_str() != "duplicate").map(|r| r.judged).min();
            let known = self.world.deadline_at(&turn, judged.flatten()).filter(|_| run);
            let Some(deadline) = known else { continue };
            // When a turn is taken back, the addresses of its printouts end.
            let before = (card.game.clone(), card.turn - 1);
            if self.world.by_hand.contains(&turn)
                || self.world.withdrawn.contains(&turn)
                || self.world.withdrawn.contains(&before)
            {
                continue;
            }
            let copies = messages
                .iter()
                .filter(|m| header(&m.bytes, "Message-ID") == *id && !removed.contains(&m.serial));
            let Some(first) = copies.map(|m| m.received).min() else { continue };
            if first >= deadline.as_second() || self.is_settled(robot, &turn.0, turn.1) {
                continue;
            }
            // A mail at which the robot died three times is quarantined.
            let counts = rows.iter().any(|r| {
                r.reason.as_str() == "filed" || r.reason.as_str() == "older-card" || self.died_at(r)
            });
            if !counts {
                let list: Vec<String> =
                    rows.iter().map(|r| format!("{} {}", r.verdict, r.reason)).collect();
                let at = Timestamp::from_second(first).expect("a time");
                wrong.push(format!(
                    "card {id} of {turn:?} seat {} came {at}, before {deadline}, and was {list:?}",
                    card.seat
                ));
            }
        }
        self.wrong.extend(wrong);
    }

    fn turns_follow_each_other(&mut self, robot: &mut Robot) {
        for &(code, ..) in GAMES {
            let turns: Vec<u32> = robot
                .store
                .journal()
                .turns(code)
                .expect("a store")
                .iter()
                .map(|t| t.turn)
                .collect();
            let open = robot.game(code).expect("a game").turn;
            if turns != (0..open).collect::<Vec<_>>() {
                self.wrong(format!("{code}: turn {open} is open, and {turns:?} have run"));
            }
            match robot.replay(code, |_| {}) {
                Ok(again) => {
                    for turn in again.iter().filter(|t| !t.same) {
                        self.wrong(format!("{code}: turn {} comes out differently", turn.turn));
                    }
                }
                Err(e) => self.wrong(format!("{code} can't be replayed: {e}")),
            }
            self.no_turn_runs_before_its_deadline(code, robot);
        }
    }

    fn no_turn_runs_before_its_deadline(&mut self, code: &str, robot: &Robot) {
        let sql = "SELECT turn, ran_at FROM turn WHERE game = $1 AND turn > 0";
        let row = |r: &store::db::Row| Ok((r.get::<_, u32>(0)?, r.get::<_, i64>(1)?));
        let rows: Vec<_> = robot.store.database().all(sql, &[&code], row).expect("rows");
        for (turn, ran) in rows {
            let key = (code.to_owned(), turn);
            let hand = self.world.by_hand.contains(&key) || self.world.withdrawn.contains(&key);
            let last = self.world.deadlines.get(&key).and_then(|seen| seen.last());
            let early = last.is_some_and(|(_, d)| ran < d.as_millisecond());
            if early && !hand && !self.is_settled(robot, code, turn) {
                self.wrong(format!("{code}: turn {turn} ran before its deadline"));
            }
        }
    }

    /// Whether a step of the toy no longer waited for anybody: a card of an awaited player says
    /// that they are done, and computers are not awaited.
    fn is_settled(&self, robot: &Robot, code: &str, turn: u32) -> bool {
        let step = robot.store.steps().step(code, turn).expect("a store");
        let filed = |seat: &Seat| {
            let of = |r: &&Row| (r.game.as_str(), r.seat, r.turn) == (code, seat.0, turn);
            self.rows.iter().filter(of).any(|r| r.reason.as_str() == "filed")
        };
        let is_done = |seat: &Seat| !has_player(seat.0) || filed(seat);
        code == TOY && step.is_some_and(|s| s.awaited.iter().all(is_done))
    }

    /// Every seal that a step of the toy asked for was there, and none was opened twice.
    fn seals_are_opened_once(&mut self, robot: &Robot) {
        let mut opened = BTreeSet::new();
        for turn in robot.store.journal().turns(TOY).expect("a store") {
            for seal in turn.seals {
                let (seat, key) = (seal.seat, seal.key.clone());
                if !opened.insert((seat, seal.key, seal.nonce)) {
                    self.wrong.push(format!("{TOY}: seal {key} of seat {seat} was opened twice"));
                }
            }
        }
        let lost = |t: &&Taken| String::from_utf8_lossy(&t.bytes).contains("can't be opened");
        for mail in self.taken.iter().filter(lost) {
            let subject = header(&mail.bytes, "Subject");
            self.wrong.push(format!("{subject}: a seal that was filed can't be opened"));
        }
    }

    /// Mails of a kind to an address, by Message-ID, with the number of copies.
    fn mails_to(&self, address: &str, words: &str) -> BTreeMap<String, usize> {
        let mut found = BTreeMap::new();
        let of = |t: &&Taken| t.to == address && header(&t.bytes, "Subject").contains(words);
        for mail in self.taken.iter().filter(of) {
            *found.entry(mail.message_id.clone()).or_insert(0) += 1;
        }
        found
    }

    fn printouts_arrive_once(&mut self, robot: &Robot) {
        let sent_rows = sent_rows(robot);
        let refused = net::lock(&self.world.net).refused.clone();
        for &(code, _, seats) in GAMES {
            let open = robot.game(code).expect("a game").turn;
            for seat in 1..=seats {
                let address = self.world.players.address(code, seat);
                if address == refused {
                    continue;
                }
                for turn in 1..=open {
                    let found = self.mails_to(&address, &format!("[{code} T{turn} S{seat}] "));
                    let printouts = self.printouts(&address, code, turn, seat);
                    let ran_before = turn.checked_sub(1).map(|t| (code.to_owned(), t));
                    let again = ran_before.is_some_and(|t| {
                        self.world.withdrawn.contains(&t) || is_taken_back(robot, &t.0, t.1)
                    });
                    let least = usize::from(code != TOY || awaits(robot, turn, seat));
                    let good = printouts >= least && (again || printouts <= 1);
                    let failed = sent_rows.iter().any(|r| {
                        r.was_refused()
                            && ["printout", "brief"].contains(&r.kind.as_str())
                            && r.of == (code.to_owned(), turn, seat)
                    });
                    if !(good || failed && printouts == 0) {
                        self.wrong(format!(
                            "{code} turn {turn} seat {seat}: {printouts} printouts among {found:?}"
                        ));
                    }
                }
            }
        }
    }

    /// Printouts of a turn by their ids; those that were asked for again are answers.
    fn printouts(&self, address: &str, code: &str, turn: u32, seat: u8) -> usize {
        let subject = format!("[{code} T{turn} S{seat}] ");
        let is = |t: &&Taken| {
            let said = header(&t.bytes, "Subject");
            t.to == address
                && said.starts_with(&subject)
                && is_printout(&said)
                && header(&t.bytes, "In-Reply-To").is_empty()
        };
        let ids: BTreeSet<&str> =
            self.taken.iter().filter(is).map(|t| t.message_id.as_str()).collect();
        ids.len()
    }

    /// No mail shows a secret of another seat, or an address without consent.
    fn mails_tell_their_reader_alone(&mut self, robot: &Robot) {
        let key = robot.store.key();
        let mut secrets: Vec<(String, String)> = Vec::new();
        for &(code, _, seats) in GAMES {
            let open = robot.game(code).expect("a game").turn;
            for seat in 1..=seats {
                let address = self.world.players.address(code, seat);
                for turn in 1..=open + 3 {
                    secrets.push((key.reply(code, Seat(seat), 0, turn), address.clone()));
                }
                if seat % 2 == 0 {
                    // The address of a player who hides it.
                    secrets.push((address.clone(), address));
                }
            }
        }
        let mut wrong = Vec::new();
        for mail in &self.taken {
            let text = all_text(&mail.bytes);
            for (secret, owner) in &secrets {
                if *owner != mail.to
                    && mail.to != crate::world::GM
                    && text.contains(secret.as_str())
                {
                    wrong.push(format!(
                        "{} to {} tells of {owner}: {secret}",
                        mail.message_id, mail.to
                    ));
                }
            }
            if !self.world.players.seats.values().any(|a| *a == mail.to)
                && mail.to != crate::world::GM
                && mail.to != "thief@elsewhere.example"
            {
                wrong.push(format!("{} went to {}", mail.message_id, mail.to));
            }
        }
        self.wrong.extend(wrong);
    }

    fn machines_get_no_answer(&mut self) {
        let answered: Vec<String> = self
            .taken
            .iter()
            .map(|t| header(&t.bytes, "In-Reply-To"))
            .filter(|id| self.world.players.automatic.contains(id))
            .collect();
        for id in answered {
            self.wrong(format!("the automatic mail {id} was answered"));
        }
        let effects: Vec<String> = self
            .rows
            .iter()
            .filter(|r| r.verdict == "accepted")
            .filter(|r| {
                self.world.players.automatic.contains(&r.message_id)
                    || self.world.players.forged.contains(&r.message_id)
            })
            .map(|r| r.message_id.clone())
            .collect();
        for id in effects {
            self.wrong(format!("{id}, which no player wrote, was accepted"));
        }
    }

    /// Each card has one echo, under one id; or none, if the server took no mail until the echo was
    /// no longer of use.
    fn answers_are_sent_once(&mut self, robot: &Robot) {
        let rows = sent_rows(robot);
        let failed = |r: &&SentRow| r.was_refused() || r.waited_in_vain(&rows);
        let failed: BTreeSet<i64> = rows.iter().filter(failed).filter_map(|r| r.cause).collect();
        let refused = net::lock(&self.world.net).refused.clone();
        let mut wrong = Vec::new();
        for (id, card) in &self.world.players.cards {
            let address = self.world.players.address(&card.game, card.seat);
            let echoes: BTreeSet<&str> = self
                .taken
                .iter()
                .filter(|t| t.to == address && header(&t.bytes, "In-Reply-To") == *id)
                .map(|t| t.message_id.as_str())
                .collect();
            let filed = self.of(id).iter().any(|r| r.reason.as_str() == "filed");
            let unsent = self.of(id).iter().any(|r| failed.contains(&r.id));
            let right = if filed && address != refused && !unsent { 1..=1 } else { 0..=1 };
            if !right.contains(&echoes.len()) {
                let rows = self.of(id);
                let why: Vec<String> = rows.iter().map(|r| why(robot, r.id)).collect();
                wrong.push(format!("card {id} has {} echoes: {echoes:?}, {why:?}", echoes.len()));
            }
        }
        self.wrong.extend(wrong);
    }

    /// A mail is repeated only where the robot could not know that it had arrived.
    fn nothing_is_repeated_knowingly(&mut self) {
        self.wrong.extend(net::lock(&self.world.net).repeats.clone());
    }

    /// The outbox agrees with the server about each mail.
    fn outbox_and_server_agree(&mut self, robot: &Robot) {
        let mut once = net::lock(&self.world.net).refused_once.clone();
        let refused = net::lock(&self.world.net).refused.clone();
        let taken: BTreeSet<(String, String)> =
            self.taken.iter().map(|t| (t.message_id.clone(), t.to.clone())).collect();
        let mut known = BTreeSet::new();
        for row in sent_rows(robot) {
            let mail = (row.message_id.clone(), row.recipient.clone());
            let given_up = NO_USE.contains(&row.last_error.as_str()) || row.recipient == refused;
            match row.state.as_str() {
                "sent" if !taken.contains(&mail) => {
                    self.wrong(format!("{mail:?} is noted as sent and never arrived"));
                }
                "failed" if row.was_refused() => {
                    if !once.remove(&row.recipient) {
                        self.wrong(format!("{mail:?} failed and was not refused"));
                    }
                }
                "failed" | "suppressed" if !given_up => {
                    self.wrong(format!("{mail:?} is {}: {}", row.state, row.last_error));
                }
                "sent" | "failed" | "suppressed" | "waiting" | "drawing" => {}
                other => self.wrong(format!("{mail:?} is {other}")),
            }
            known.insert(mail);
        }
        for mail in taken.difference(&known) {
            self.wrong.push(format!("{mail:?} arrived and is in no outbox"));
        }
    }

    fn all_is_at_rest(&mut self, robot: &Robot) {
        let waiting =
            "SELECT kind || ' ' || coalesce(game, '') || ' ' || coalesce(turn, 0) || ' ' ||
                         state || ' ' || attempts || ' ' || last_error || ' ' || next_at
                       FROM outbox WHERE state IN ('waiting', 'drawing')";
        let waiting: Vec<String> =
            robot.store.database().all(waiting, &[], |r| r.get(0)).expect("rows");
        if !waiting.is_empty() {
            self.wrong(format!(
                "{} mails still wait in the outbox: {waiting:?} at {}; {}",
                waiting.len(),
                self.world.now().as_millisecond(),
                self.world.last_trouble
            ));
        }
        let left = crate::imap_server::in_folder(&net::lock(&self.world.net), "INBOX");
        if !left.is_empty() {
            let why = &self.world.last_trouble;
            self.wrong(format!("the inbox holds {left:?}; last trouble: {why}"));
        }
        for &(code, ..) in GAMES {
            let game = robot.game(code).expect("a game");
            if code == TOY && !game.step.awaited.iter().any(|s| has_player(s.0)) {
                self.wrong.push(format!("{code} rests at {}, for nobody", game.step.label));
            }
            if game.suspended_why == SILENT && is_silent(robot, &game) {
                continue;
            }
            let over = game.deadline.is_none_or(|d| d < self.world.now());
            if game.status != Status::Running || over {
                let (status, why) = (game.status.as_str(), &game.suspended_why);
                self.wrong(format!(
                    "{code} is {status} ({why}), due {:?}; last trouble: {}",
                    game.deadline, self.world.last_trouble
                ));
            }
        }
    }
}

/// Whether all players of a game, if there are any, are away or have missed the number of turns
/// after which the game waits.
fn is_silent(robot: &Robot, game: &Game) -> bool {
    let rows = robot.store.games().seats(&game.code).expect("seats");
    let players: Vec<&SeatRow> = rows.iter().filter(|row| row.has_player()).collect();
    let missed = |row: &&SeatRow| row.missed + 1 >= game.terms.silent_turns;
    players.iter().any(missed) && players.iter().all(|row| missed(row) || row.is_away(robot.now()))
}

/// The robot's notes on a mail's verdict, and on the mails that it caused.
fn why(robot: &Robot, mail: i64) -> String {
    let noted = robot.store.mails().mail(mail).ok().flatten().map_or_else(String::new, |m| m.why);
    let caused = robot.store.outbox().caused_by(mail).unwrap_or_default();
    caused.iter().fold(noted, |all, c| format!("{all} [{} {} {}]", c.kind, c.state, c.last_error))
}
